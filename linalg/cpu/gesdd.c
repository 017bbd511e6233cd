/* linalg/cpu/gesdd.c - singular vectors: bidiagonal form by LAPACK (gebrd), divide and conquer of
   our own (bdsdc_body.h), and back (ormbr); LAPACK's own. */
#include "linalg/cpu/lapack_calls.h"
#include "linalg/cpu/stedc.h"

#include <string.h>

static int real_of(int dtype)
{
    return dtype == AGN_C64 ? AGN_F32 : dtype == AGN_C128 ? AGN_F64 : dtype;
}

/* numbers: blocks of 64 lines, and what ormbr keeps beside them */
static int64_t work_of(int64_t m, int64_t n)
{
    return 64 * (m + n) + 65 * 64;
}

int64_t agni_gesdd_room(int dtype, int64_t m, int64_t n)
{
    const int real = real_of(dtype);
    const int64_t bytes = agni_dtypes[dtype].bytes, wide = agni_dtypes[real].bytes;
    return agni_room_of(work_of(m, n) * bytes) + 2 * agni_room_of(n * bytes) +
           agni_room_of(n * wide) + agni_conquer_room(real, n) + 2 * agni_room_of(n * n * wide) +
           agni_room_of(2 * n * n * wide) + agni_room_of(m * n * bytes) +
           agni_room_of(n * n * bytes) + agni_overread_room(dtype, m);
}

/* x [n, n], columns first, of the real dtype, to y [rows, n], rows beyond n are 0 */
static void widen_columns(int dtype, int64_t n, const char *x, int64_t rows, char *y)
{
    const int real = real_of(dtype);
    const int64_t bytes = agni_dtypes[dtype].bytes, wide = agni_dtypes[real].bytes;
    for (int64_t j = 0; j < n; j++) {
        char *to = y + j * rows * bytes;
        if (real == dtype)
            memcpy(to, x + j * n * wide, (size_t)(n * wide));
        for (int64_t i = 0; real != dtype && i < n; i++)
            agni_number_set(dtype, to, i, agni_number_get(real, x, j * n + i));
        memset(to + n * bytes, 0, (size_t)((rows - n) * bytes));
    }
}

bool agni_gesdd(int dtype, int64_t m, int64_t n, void *a, void *s, void **u, void **v, char *room)
{
    const int real = real_of(dtype), col = LAPACK_COL_MAJOR;
    const int64_t bytes = agni_dtypes[dtype].bytes, wide = agni_dtypes[real].bytes;
    const lapack_int M = (lapack_int)m, N = (lapack_int)n, lwork = (lapack_int)work_of(m, n);
    const double far = wide == 4 ? 0x1p40 : 0x1p300, most = agni_largest_part(dtype, a, m * n);
    char *work = room, *tq = work + agni_room_of(work_of(m, n) * bytes),
         *tp = tq + agni_room_of(n * bytes), *e = tp + agni_room_of(n * bytes),
         *inner = e + agni_room_of(n * wide), *ru = inner + agni_conquer_room(real, n),
         *rv = ru + agni_room_of(n * n * wide), *spare = rv + agni_room_of(n * n * wide);
    *u = spare + agni_room_of(2 * n * n * wide);
    *v = (char *)*u + agni_room_of(m * n * bytes);
    if (!(most <= far && most >= 1 / far))
        return false;
#define CALL(name, ...) LAPACKE_##name##_work(col, __VA_ARGS__, (void *)work, lwork)
    lapack_int code = AGNI_BY_FIELD(
        dtype, CALL(sgebrd, M, N, a, M, s, (void *)e, (void *)tq, (void *)tp),
        CALL(dgebrd, M, N, a, M, s, (void *)e, (void *)tq, (void *)tp),
        CALL(cgebrd, M, N, a, M, s, (void *)e, (void *)tq, (void *)tp),
        CALL(zgebrd, M, N, a, M, s, (void *)e, (void *)tq, (void *)tp));
    if (code || !agni_bdsdc(real, n, s, e, ru, rv, spare, inner))
        return false;
    widen_columns(dtype, n, spare, m, *u);
    widen_columns(dtype, n, spare + n * n * wide, n, *v);
    code = AGNI_BY_FIELD(dtype, CALL(sormbr, 'Q', 'L', 'N', M, N, N, a, M, (void *)tq, *u, M),
                         CALL(dormbr, 'Q', 'L', 'N', M, N, N, a, M, (void *)tq, *u, M),
                         CALL(cunmbr, 'Q', 'L', 'N', M, N, N, a, M, (void *)tq, *u, M),
                         CALL(zunmbr, 'Q', 'L', 'N', M, N, N, a, M, (void *)tq, *u, M));
    if (!code)
        code = AGNI_BY_FIELD(dtype, CALL(sormbr, 'P', 'L', 'N', N, N, N, a, M, (void *)tp, *v, N),
                             CALL(dormbr, 'P', 'L', 'N', N, N, N, a, M, (void *)tp, *v, N),
                             CALL(cunmbr, 'P', 'L', 'N', N, N, N, a, M, (void *)tp, *v, N),
                             CALL(zunmbr, 'P', 'L', 'N', N, N, N, a, M, (void *)tp, *v, N));
#undef CALL
    return !code;
}

lapack_int agni_run_gesdd(int dtype, char job, int64_t m, int64_t n, void *a, void *s, void *u,
                          void *vh, void *work, int64_t lwork, void *rwork, lapack_int *iwork)
{
    const lapack_int M = (lapack_int)m, N = (lapack_int)n, w = (lapack_int)lwork,
                     k = job == 'A' || N < M ? N : M, lu = M > 1 ? M : 1, lv = k > 1 ? k : 1;
    const int col = LAPACK_COL_MAJOR;
    return AGNI_BY_FIELD(
        dtype, LAPACKE_sgesdd_work(col, job, M, N, a, lu, s, u, lu, vh, lv, work, w, iwork),
        LAPACKE_dgesdd_work(col, job, M, N, a, lu, s, u, lu, vh, lv, work, w, iwork),
        LAPACKE_cgesdd_work(col, job, M, N, a, lu, s, u, lu, vh, lv, work, w, rwork, iwork),
        LAPACKE_zgesdd_work(col, job, M, N, a, lu, s, u, lu, vh, lv, work, w, rwork, iwork));
}

/* the bound that zgesdd states */
int64_t agni_gesdd_reals(int dtype, int64_t m, int64_t n)
{
    const int64_t k = m < n ? m : n, a = 5 * k + 7, b = 2 * (m > n ? m : n) + 2 * k + 1;
    return real_of(dtype) == dtype ? 0 : k * (a > b ? a : b);
}
