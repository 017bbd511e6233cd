/* linalg/cpu/recognise.c - factors of triangular, banded (gbtrf) and positive definite matrices
   (potrf), which are found by looking at the entries (Higham 2002, chapters 8 to 10). */
#include "linalg/cpu/recognise.h"

#include <string.h>

#define SAME(x) (x)
#define NOTHING(x) 0
#define NAME(x) x##_f32
#define T float
#define REAL SAME
#define IMAG NOTHING
#define CONJ SAME
#include "linalg/cpu/recognise_body.h"
#define NAME(x) x##_f64
#define T double
#define REAL SAME
#define IMAG NOTHING
#define CONJ SAME
#include "linalg/cpu/recognise_body.h"
#define NAME(x) x##_c64
#define T float complex
#define REAL crealf
#define IMAG cimagf
#define CONJ conjf
#include "linalg/cpu/recognise_body.h"
#define NAME(x) x##_c128
#define T double complex
#define REAL creal
#define IMAG cimag
#define CONJ conj
#include "linalg/cpu/recognise_body.h"

static void find_band(int dtype, const void *a, int64_t n, int64_t *l, int64_t *u)
{
    static void (*const of[])(const void *, int64_t, int64_t *, int64_t *) = {
        find_band_f32, find_band_f64, find_band_c64, find_band_c128};
    of[AGNI_BY_FIELD(dtype, 0, 1, 2, 3)](a, n, l, u);
}

agni_factor_kind agni_recognise(int dtype, const void *a, int64_t n, int64_t *l, int64_t *u)
{
    static bool (*const positive[])(const void *, int64_t) = {
        looks_positive_f32, looks_positive_f64, looks_positive_c64, looks_positive_c128};
    if (n < 2)
        return AGNI_FACTOR_LU;
    find_band(dtype, a, n, l, u);
    if (!*l || !*u)
        return *l ? AGNI_FACTOR_LOWER : AGNI_FACTOR_UPPER;
    if (4 * (2 * *l + *u + 1) <= n)
        return AGNI_FACTOR_BAND;
    return *l == *u && positive[AGNI_BY_FIELD(dtype, 0, 1, 2, 3)](a, n) ? AGNI_FACTOR_POSITIVE
                                                                        : AGNI_FACTOR_LU;
}

/* ---- factors ------------------------------------------------------------------------ */

static bool is_zero_entry(int dtype, const char *p)
{
    return agni_number_get(dtype, p, 0) == 0;
}

/* diagonal entries a step apart: the first that is 0, from 1; AGNI_USE_LU where a reciprocal
   overflows */
static int64_t check_diagonal(int dtype, const char *d, int64_t n, int64_t step)
{
    bool faint = false;
    for (int64_t i = 0; i < n; i++, d += step) {
        if (is_zero_entry(dtype, d))
            return 1 + i;
        faint = faint || agni_reciprocal_overflows(dtype, d);
    }
    return faint ? AGNI_USE_LU : 0;
}

static int64_t factor_band(int dtype, int64_t n, int64_t l, int64_t u, agni_lapack_matrix from,
                           void *a, int32_t *piv)
{
    int64_t bytes = agni_dtypes[dtype].bytes, high = 2 * l + u + 1;
    char *f = a;
    memset(f, 0, (size_t)(high * n * bytes));
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j > u ? j - u : 0; i < n && i <= j + l; i++)
            memcpy(f + (j * high + l + u + i - j) * bytes,
                   from.p + (i * from.rs + j * from.cs) * bytes, (size_t)bytes);
    lapack_int N = (lapack_int)n, L = (lapack_int)l, U = (lapack_int)u, ld = (lapack_int)high,
               *at = piv + n;
    const int col = LAPACK_COL_MAJOR;
    lapack_int code = AGNI_BY_FIELD(dtype, LAPACKE_sgbtrf_work(col, N, N, L, U, a, ld, at),
                                    LAPACKE_dgbtrf_work(col, N, N, L, U, a, ld, at),
                                    LAPACKE_cgbtrf_work(col, N, N, L, U, a, ld, at),
                                    LAPACKE_zgbtrf_work(col, N, N, L, U, a, ld, at));
    if (code)
        return code < 0 ? AGNI_USE_LU : code;
    piv[1] = (int32_t)l;
    piv[2] = (int32_t)u;
    if (!agni_all_finite(dtype, f, high * n))
        return AGNI_USE_LU;
    return check_diagonal(dtype, f + (l + u) * bytes, n, high * bytes);
}

/* memory by rows is conj(a): its lower factor l, with columns one behind the other, is u of a = u^H
   u by rows */
static int64_t factor_positive(int dtype, int64_t n, void *a)
{
    lapack_int N = (lapack_int)n;
    const int col = LAPACK_COL_MAJOR;
    lapack_int code = AGNI_BY_FIELD(
        dtype, LAPACKE_spotrf_work(col, 'L', N, a, N), LAPACKE_dpotrf_work(col, 'L', N, a, N),
        LAPACKE_cpotrf_work(col, 'L', N, a, N), LAPACKE_zpotrf_work(col, 'L', N, a, N));
    if (code || !agni_all_finite(dtype, a, n * n))
        return AGNI_USE_LU;
    return check_diagonal(dtype, a, n, (n + 1) * agni_dtypes[dtype].bytes) ? AGNI_USE_LU : 0;
}

int64_t agni_factor_recognised(agni_factor_kind kind, int dtype, int64_t n, int64_t l, int64_t u,
                               agni_lapack_matrix original, void *a, int32_t *piv)
{
    int64_t code = AGNI_USE_LU;
    memset(piv, 0, (size_t)(3 * n) * sizeof *piv);
    if (kind == AGNI_FACTOR_LOWER || kind == AGNI_FACTOR_UPPER)
        code = check_diagonal(dtype, a, n, (n + 1) * agni_dtypes[dtype].bytes);
    else if (kind == AGNI_FACTOR_BAND)
        code = factor_band(dtype, n, l, u, original, a, piv);
    else if (kind == AGNI_FACTOR_POSITIVE)
        code = factor_positive(dtype, n, a);
    piv[0] = -(int32_t)kind;
    return code;
}

/* ---- solves ------------------------------------------------------------------------- */

void agni_solve_triangle_rows(int dtype, enum CBLAS_UPLO up, enum CBLAS_TRANSPOSE op,
                              enum CBLAS_DIAG unit, int64_t n, int64_t k, const void *t,
                              int64_t lead, void *x)
{
    const float complex one32 = 1;
    const double complex one64 = 1;
    int N = (int)n, K = (int)k, L = (int)lead;
    const enum CBLAS_ORDER rows = CblasRowMajor;
    switch (dtype) {
    case AGN_F32:
        if (k == 1)
            cblas_strsv(rows, up, op, unit, N, t, L, x, 1);
        else
            cblas_strsm(rows, CblasLeft, up, op, unit, N, K, 1, t, L, x, K);
        break;
    case AGN_F64:
        if (k == 1)
            cblas_dtrsv(rows, up, op, unit, N, t, L, x, 1);
        else
            cblas_dtrsm(rows, CblasLeft, up, op, unit, N, K, 1, t, L, x, K);
        break;
    case AGN_C64:
        if (k == 1)
            cblas_ctrsv(rows, up, op, unit, N, t, L, x, 1);
        else
            cblas_ctrsm(rows, CblasLeft, up, op, unit, N, K, &one32, t, L, x, K);
        break;
    default:
        if (k == 1)
            cblas_ztrsv(rows, up, op, unit, N, t, L, x, 1);
        else
            cblas_ztrsm(rows, CblasLeft, up, op, unit, N, K, &one64, t, L, x, K);
    }
}

static void conjugate_all(int dtype, void *p, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (dtype == AGN_C64)
            ((float *)p)[2 * i + 1] = -((float *)p)[2 * i + 1];
        else
            ((double *)p)[2 * i + 1] = -((double *)p)[2 * i + 1];
}

bool agni_solve_recognised(int dtype, int64_t n, int64_t k, const void *a, const int32_t *piv,
                           int64_t step, int64_t form, void *x)
{
    static bool (*const banded[])(int64_t, int64_t, int64_t, int64_t, const void *, const int32_t *,
                                  int64_t, int64_t, void *) = {solve_band_f32, solve_band_f64,
                                                               solve_band_c64, solve_band_c128};
    const bool complex_ = agni_kind(dtype) == AGNI_KIND_COMPLEX;
    int64_t kind = -(int64_t)piv[0];
    form = complex_ ? form : form & AGNI_FORM_TRANSPOSED;
    if (kind == AGNI_FACTOR_BAND) {
        int64_t l = n > 2 ? piv[step] : 0, u = n > 2 ? piv[2 * step] : 0;
        if (l < 1 || u < 1 || 2 * l + u + 1 > n)
            return false;
        return banded[AGNI_BY_FIELD(dtype, 0, 1, 2, 3)](n, k, l, u, a, piv + n * step, step, form,
                                                        x);
    }
    if (kind < AGNI_FACTOR_LOWER || kind > AGNI_FACTOR_POSITIVE)
        return false;
    /* conj(a) x = b is a conj(x) = conj(b); of a Hermitian matrix a^T is conj(a) */
    const bool positive = kind == AGNI_FACTOR_POSITIVE, turned = form & AGNI_FORM_TRANSPOSED,
               con = form & AGNI_FORM_CONJUGATE;
    const bool around = complex_ && (positive ? con != turned : con && !turned);
    const enum CBLAS_TRANSPOSE adjoint = con ? CblasConjTrans : CblasTrans;
    if (around)
        conjugate_all(dtype, x, n * k);
    if (positive) {
        agni_solve_triangle_rows(dtype, CblasUpper, CblasConjTrans, CblasNonUnit, n, k, a, n, x);
        agni_solve_triangle_rows(dtype, CblasUpper, CblasNoTrans, CblasNonUnit, n, k, a, n, x);
    } else
        agni_solve_triangle_rows(dtype, kind == AGNI_FACTOR_UPPER ? CblasUpper : CblasLower,
                                 turned ? adjoint : CblasNoTrans, CblasNonUnit, n, k, a, n, x);
    if (around)
        conjugate_all(dtype, x, n * k);
    return true;
}
