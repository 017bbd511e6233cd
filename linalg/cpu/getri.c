/* linalg/cpu/getri.c - inverses from factors (getri, potri), where the right-hand side of a solve
   is the identity: 4/3 and 2/3 n^3 operations where substitution takes 2 n^3 (Higham 2002,
   14.3). */
#include "linalg/cpu/recognise.h"

#include <string.h>

/* is b [n, n] the identity? Of another matrix few entries are read. */
bool agni_is_identity(int dtype, agni_lapack_matrix b, int64_t n)
{
    const int64_t bytes = agni_dtypes[dtype].bytes;
    const bool slanted = b.rs + b.cs == 0; /* the first row and the first column are all there is */
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < (slanted && i ? 1 : n); j++)
            if (agni_number_get(dtype, b.p + (i * b.rs + j * b.cs) * bytes, 0) != (double)(i == j))
                return false;
    return true;
}

/* the lower triangle of x by rows is the adjoint of the upper one */
static void mirror_upper(int dtype, void *x, int64_t n)
{
    enum { BLOCK = 16 };
    for (int64_t i0 = 0; i0 < n; i0 += BLOCK)
        for (int64_t j0 = 0; j0 <= i0; j0 += BLOCK)
            for (int64_t i = i0; i < n && i < i0 + BLOCK; i++)
                for (int64_t j = j0; j < i && j < j0 + BLOCK; j++)
                    agni_number_set(dtype, x, i * n + j,
                                    conj(agni_number_get(dtype, x, j * n + i)));
}

/* x holds a factor by agni_factor_lu, or by agni_factor_recognised of a positive definite matrix,
   and becomes the inverse; interchanges in piv, a step apart. 0, AGNI_NO_ROOM, or
   AGNI_LAPACK_REFUSED where a pivot is 0 */
int64_t agni_invert_factored(int dtype, bool positive, int64_t n, void *x, const int32_t *piv,
                             int64_t step)
{
    enum { BLOCK = 64 };
    const int col = LAPACK_COL_MAJOR;
    lapack_int N = (lapack_int)n, code;
    if (positive) {
        code = AGNI_BY_FIELD(
            dtype, LAPACKE_spotri_work(col, 'L', N, x, N), LAPACKE_dpotri_work(col, 'L', N, x, N),
            LAPACKE_cpotri_work(col, 'L', N, x, N), LAPACKE_zpotri_work(col, 'L', N, x, N));
        if (!code)
            mirror_upper(dtype, x, n);
        return code ? AGNI_LAPACK_REFUSED : 0;
    }
    const int64_t work = n * BLOCK * agni_dtypes[dtype].bytes;
    char *room = agni_alloc((size_t)(work + n * (int64_t)sizeof(lapack_int)));
    if (!room)
        return AGNI_NO_ROOM;
    lapack_int *at = (lapack_int *)(void *)(room + work),
               W = (lapack_int)(n * BLOCK < INT32_MAX ? n * BLOCK : n);
    void *w = room;
    for (int64_t i = 0; i < n; i++)
        at[i] = piv[i * step];
    code = AGNI_BY_FIELD(dtype, LAPACKE_sgetri_work(col, N, x, N, at, w, W),
                         LAPACKE_dgetri_work(col, N, x, N, at, w, W),
                         LAPACKE_cgetri_work(col, N, x, N, at, w, W),
                         LAPACKE_zgetri_work(col, N, x, N, at, w, W));
    agni_free(room);
    return code ? AGNI_LAPACK_REFUSED : 0;
}
