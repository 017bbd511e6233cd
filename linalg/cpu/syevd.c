/* linalg/cpu/syevd.c - eigenpairs of Hermitian matrices: tridiagonal form by LAPACK (sytrd), divide
   and conquer of our own, whose secular equations are solved in the lanes of vectors, and back
   (ormtr). LAPACK's stedc spends half of syevd with 200 rows on divisions one by one. */
#include "linalg/cpu/lapack_calls.h"
#include "linalg/cpu/stedc.h"

#include <string.h>

static int real_of(int dtype)
{
    return dtype == AGN_C64 ? AGN_F32 : dtype == AGN_C128 ? AGN_F64 : dtype;
}

/* numbers: blocks of 64 columns, and what ormtr keeps beside them */
static int64_t work_of(int64_t n)
{
    return 64 * n + 65 * 64;
}

int64_t agni_syevd_room(int dtype, int64_t n)
{
    const int real = real_of(dtype);
    const int64_t bytes = agni_dtypes[dtype].bytes, wide = agni_dtypes[real].bytes;
    return agni_room_of(work_of(n) * bytes) + agni_room_of(n * bytes) + agni_room_of(n * wide) +
           agni_conquer_room(real, n) + agni_room_of(n * n * wide) +
           agni_room_of(2 * n * n * wide) + agni_overread_room(dtype, n);
}

/* is the triangle neither 0 nor near the ends of the range, where it would have to be scaled? */
static bool triangle_is_plain(int dtype, bool upper, int64_t n, const char *a)
{
    const double far = dtype == AGN_F32 || dtype == AGN_C64 ? 0x1p40 : 0x1p300;
    const int64_t bytes = agni_dtypes[dtype].bytes;
    double most = 0;
    for (int64_t j = 0; j < n; j++)
        most = fmax(most, agni_largest_part(dtype, a + j * (n + !upper) * bytes,
                                            upper ? j + 1 : n - j));
    return most <= far && most >= 1 / far;
}

void *agni_syevd(int dtype, bool upper, int64_t n, void *a, void *w, char *room)
{
    const int real = real_of(dtype), col = LAPACK_COL_MAJOR;
    const int64_t bytes = agni_dtypes[dtype].bytes, wide = agni_dtypes[real].bytes;
    const lapack_int N = (lapack_int)n, lwork = (lapack_int)work_of(n);
    const char uplo = upper ? 'U' : 'L';
    char *work = room, *tau = work + agni_room_of(work_of(n) * bytes),
         *e = tau + agni_room_of(n * bytes), *inner = e + agni_room_of(n * wide),
         *z = inner + agni_conquer_room(real, n), *q = z + agni_room_of(n * n * wide);
    if (!triangle_is_plain(dtype, upper, n, a))
        return NULL;
    lapack_int code = AGNI_BY_FIELD(
        dtype,
        LAPACKE_ssytrd_work(col, uplo, N, a, N, w, (void *)e, (void *)tau, (void *)work, lwork),
        LAPACKE_dsytrd_work(col, uplo, N, a, N, w, (void *)e, (void *)tau, (void *)work, lwork),
        LAPACKE_chetrd_work(col, uplo, N, a, N, w, (void *)e, (void *)tau, (void *)work, lwork),
        LAPACKE_zhetrd_work(col, uplo, N, a, N, w, (void *)e, (void *)tau, (void *)work, lwork));
    if (code || !agni_stedc(real, n, w, e, z, q, inner))
        return NULL;
    for (int64_t i = 0; real != dtype && i < n * n; i++)
        agni_number_set(dtype, q, i, agni_number_get(real, z, i));
    void *v = real == dtype ? z : q;
    code = AGNI_BY_FIELD(dtype,
                         LAPACKE_sormtr_work(col, 'L', uplo, 'N', N, N, a, N, (void *)tau, v, N,
                                             (void *)work, lwork),
                         LAPACKE_dormtr_work(col, 'L', uplo, 'N', N, N, a, N, (void *)tau, v, N,
                                             (void *)work, lwork),
                         LAPACKE_cunmtr_work(col, 'L', uplo, 'N', N, N, a, N, (void *)tau, v, N,
                                             (void *)work, lwork),
                         LAPACKE_zunmtr_work(col, 'L', uplo, 'N', N, N, a, N, (void *)tau, v, N,
                                             (void *)work, lwork));
    return code ? NULL : v;
}
