/* linalg/structured/special_matrices.c - matrices of numbers alone: Hilbert's, Pascal's,
   Hadamard's, Helmert's, the discrete Fourier transform's (Higham 2002, chapter 28). */
#include "linalg/linalg.h"

#include <agnesi/linalg.h>
#include <complex.h>
#include <float.h>
#include <math.h>

typedef double real_entry(int64_t i, int64_t j, int64_t n);

static agn_status fill_matrix(const char *op, agn_tensor **out, agn_dtype dtype, int64_t n,
                              real_entry *entry)
{
    AGNI_NEED(op, out);
    if (dtype != AGN_F32 && dtype != AGN_F64)
        return agni_fail(AGN_EDTYPE, "%s: dtype is %s, f32 or f64 is needed", op,
                         agn_dtype_name(dtype));
    if (n < 0)
        return agni_fail(AGN_ESHAPE, "%s: %lld rows", op, (long long)n);
    agn_tensor *y = NULL;
    agn_status st = agni_tensor_make(&y, op, dtype, 2, (int64_t[]){n, n}, AGN_CPU);
    if (st)
        return st;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            double v = entry(i, j, n);
            if (dtype == AGN_F64)
                ((double *)y->data)[i * n + j] = v;
            else
                ((float *)y->data)[i * n + j] = (float)v;
        }
    *out = y;
    return AGN_OK;
}

static double hilbert_entry(int64_t i, int64_t j, int64_t n)
{
    (void)n;
    return 1 / (double)(i + j + 1);
}

agn_status agn_linalg_hilbert(agn_tensor **out, agn_dtype dtype, int64_t n)
{
    return fill_matrix("linalg_hilbert", out, dtype, n, hilbert_entry);
}

/* Sylvester's: the sign is the parity of the digits that i and j share */
static double hadamard_entry(int64_t i, int64_t j, int64_t n)
{
    double sign = 1;
    (void)n;
    for (int64_t both = i & j; both; both &= both - 1)
        sign = -sign;
    return sign;
}

agn_status agn_linalg_hadamard(agn_tensor **out, agn_dtype dtype, int64_t n)
{
    if (n < 1 || (n & (n - 1)))
        return agni_fail(AGN_EARG, "linalg_hadamard: %lld rows, a power of 2 is needed",
                         (long long)n);
    return fill_matrix("linalg_hadamard", out, dtype, n, hadamard_entry);
}

/* ---- binomials ------------------------------------------------------------------- */

/* ones, which sums along antidiagonals then make binomials */
static double one_entry(int64_t i, int64_t j, int64_t n)
{
    (void)i, (void)j, (void)n;
    return 1;
}

/* p[i, j] = p[i - 1, j] + p[i, j - 1], or of a triangle p[i - 1, j] + p[i - 1, j - 1] */
static void sum_binomials(double *p, int64_t n, agn_pascal_kind kind)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            if (kind == AGN_PASCAL_SYMMETRIC)
                p[i * n + j] = i && j ? p[(i - 1) * n + j] + p[i * n + j - 1] : 1;
            else
                p[i * n + j] = j > i              ? 0
                               : j == 0 || j == i ? 1
                                                  : p[(i - 1) * n + j] + p[(i - 1) * n + j - 1];
}

/* entry [i, j] of the lower triangle times (-1)^(i + j); of the symmetric matrix, sums over k of (k
   over i)(k over j) */
static void invert_binomials(double *p, int64_t n, agn_pascal_kind kind)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i && kind != AGN_PASCAL_SYMMETRIC; j++)
            p[i * n + j] *= (i + j) & 1 ? -1 : 1;
    if (kind != AGN_PASCAL_SYMMETRIC)
        return;
    sum_binomials(p, n, AGN_PASCAL_LOWER);
    for (int64_t i = 0; i < n; i++) /* above the diagonal of i < j, in whose row and column nothing is read again */
        for (int64_t j = i + 1; j < n; j++) {
            double sum = 0;
            for (int64_t k = j; k < n; k++)
                sum += p[k * n + i] * p[k * n + j];
            p[i * n + j] = (i + j) & 1 ? -sum : sum;
        }
    for (int64_t i = 0; i < n; i++) {
        double sum = 0;
        for (int64_t k = i; k < n; k++)
            sum += p[k * n + i] * p[k * n + i];
        p[i * n + i] = sum; /* columns are left in order: those to the right do not need it */
        for (int64_t j = 0; j < i; j++)
            p[i * n + j] = p[j * n + i];
    }
}

static agn_status make_binomials(const char *op, agn_tensor **out, agn_dtype dtype, int64_t n,
                                 agn_pascal_kind kind, bool inverse)
{
    AGNI_NEED(op, out);
    if ((int)kind < 0 || kind > AGN_PASCAL_UPPER)
        return agni_fail(AGN_EARG, "%s: there is no kind %d of %d", op, (int)kind,
                         AGN_PASCAL_UPPER + 1);
    agn_tensor *y = NULL, *z = NULL;
    agn_status st = fill_matrix(op, &y, dtype == AGN_F32 ? AGN_F64 : dtype, n, one_entry);
    if (st)
        return st;
    double *p = y->data, most = 0;
    sum_binomials(p, n, kind == AGN_PASCAL_UPPER ? AGN_PASCAL_LOWER : kind);
    if (inverse)
        invert_binomials(p, n, kind);
    for (int64_t i = 0; i < n * n; i++)
        most = fabs(p[i]) > most || p[i] != p[i] ? fabs(p[i]) : most;
    for (int64_t i = 0; i < n && kind == AGN_PASCAL_UPPER; i++)
        for (int64_t j = 0; j < i; j++) {
            p[j * n + i] = p[i * n + j];
            p[i * n + j] = 0;
        }
    if (!(most <= (dtype == AGN_F32 ? (double)FLT_MAX : DBL_MAX))) {
        agn_release(y);
        return agni_fail(
            AGN_EARG, "%s: %lld rows have numbers beyond the range of %s, which ends at %g", op,
            (long long)n, agn_dtype_name(dtype), dtype == AGN_F32 ? (double)FLT_MAX : DBL_MAX);
    }
    if (dtype == AGN_F64) {
        *out = y;
        return AGN_OK;
    }
    st = agni_rename_error(op, agn_cast(&z, y, dtype));
    agn_release(y);
    if (!st)
        *out = z;
    return st;
}

agn_status agn_linalg_pascal(agn_tensor **out, agn_dtype dtype, int64_t n)
{
    return make_binomials("linalg_pascal", out, dtype, n, AGN_PASCAL_SYMMETRIC, false);
}
agn_status agn_linalg_pascal_with(agn_tensor **out, agn_dtype dtype, int64_t n,
                                  agn_pascal_kind kind)
{
    return make_binomials("linalg_pascal_with", out, dtype, n, kind, false);
}
agn_status agn_linalg_invpascal(agn_tensor **out, agn_dtype dtype, int64_t n, agn_pascal_kind kind)
{
    return make_binomials("linalg_invpascal", out, dtype, n, kind, true);
}

static double binomial_coefficient(int64_t n, int64_t k)
{
    double c = 1;
    k = k > n - k ? n - k : k;
    for (int64_t i = 1; i <= k; i++) /* whole after each step */
        c = c * (double)(n - k + i) / (double)i;
    return c;
}
static double invhilbert_entry(int64_t i, int64_t j, int64_t n)
{
    double c = binomial_coefficient(i + j, i), v = (double)(i + j + 1) * c * c *
                                                   binomial_coefficient(n + i, n - j - 1) *
                                                   binomial_coefficient(n + j, n - i - 1);
    return (i + j) & 1 ? -v : v;
}

agn_status agn_linalg_invhilbert(agn_tensor **out, agn_dtype dtype, int64_t n)
{
    static const char op[] = "linalg_invhilbert";
    agn_tensor *y = NULL;
    AGNI_NEED(op, out);
    agn_status st = fill_matrix(op, &y, dtype, n, invhilbert_entry);
    for (int64_t i = 0; !st && i < n * n; i++)
        if (!isfinite(dtype == AGN_F64 ? ((double *)y->data)[i] : (double)((float *)y->data)[i]))
            st = agni_fail(
                AGN_EARG, "%s: %lld rows have numbers beyond the range of %s, which ends at %g", op,
                (long long)n, agn_dtype_name(dtype), dtype == AGN_F32 ? (double)FLT_MAX : DBL_MAX);
    if (st)
        agn_release(y);
    else
        *out = y;
    return st;
}

/* ---- contrasts ------------------------------------------------------------------- */

static double helmert_entry(int64_t i, int64_t j, int64_t n)
{
    if (i == 0)
        return 1 / sqrt((double)n);
    double size = sqrt((double)i * (double)(i + 1));
    return j < i ? 1 / size : j == i ? -(double)i / size : 0;
}

agn_status agn_linalg_helmert(agn_tensor **out, agn_dtype dtype, int64_t n, bool full)
{
    static const char op[] = "linalg_helmert";
    agn_tensor *y = NULL;
    AGNI_NEED(op, out);
    if (n < 1)
        return agni_fail(AGN_ESHAPE, "%s: %lld rows, at least %d is needed", op, (long long)n, 1);
    agn_status st = fill_matrix(op, &y, dtype, n, helmert_entry);
    if (st || full) {
        if (!st)
            *out = y;
        return st;
    }
    agn_tensor *z = NULL;
    st = agni_rename_error(op, agn_slice(&z, y, 2, (const int64_t[]){1, 0}, (const int64_t[]){n, n},
                                         (const int64_t[]){1, 1}));
    agn_release(y);
    if (!st)
        *out = z;
    return st;
}

/* ---- Fourier's ------------------------------------------------------------------- */

/* exp(-2 pi i m / n), 0 <= m < n: the angle is reduced to an eighth of the circle in whole
   numbers */
static double complex root_of_unity(int64_t m, int64_t n)
{
    const double pi = 3.14159265358979323846;
    int64_t octant = 8 * m / n, rest = 8 * m % n;
    double angle = pi * (double)(octant & 1 ? n - rest : rest) / (4 * (double)n);
    double c = cos(angle), s = sin(angle);
    bool swap = (octant + 1) & 2, left = (octant + 2) & 4, below = octant & 4;
    double x = swap ? s : c, y = swap ? c : s;
    return (left ? -x : x) - (double complex)I * (below ? -y : y);
}

agn_status agn_linalg_dft(agn_tensor **out, agn_dtype dtype, int64_t n, bool unitary)
{
    static const char op[] = "linalg_dft";
    AGNI_NEED(op, out);
    if (dtype != AGN_C64 && dtype != AGN_C128)
        return agni_fail(AGN_EDTYPE, "%s: dtype is %s, c64 or c128 is needed", op,
                         agn_dtype_name(dtype));
    if (n < 0)
        return agni_fail(AGN_ESHAPE, "%s: %lld rows", op, (long long)n);
    double complex *root = NULL;
    agn_tensor *y = NULL;
    agn_status st = agni_tensor_make(&y, op, dtype, 2, (int64_t[]){n, n}, AGN_CPU);
    if (!st && !(root = agni_alloc((size_t)(n + 1) * sizeof *root)))
        st = agni_nomem(op, (size_t)n * sizeof *root);
    if (st) {
        agn_release(y);
        return st;
    }
    double scale = unitary ? sqrt((double)n) : 1;
    for (int64_t m = 0; m < n; m++)
        root[m] = root_of_unity(m, n) / scale;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            if (dtype == AGN_C128)
                ((double complex *)y->data)[i * n + j] = root[i * j % n];
            else
                ((float complex *)y->data)[i * n + j] = (float complex)root[i * j % n];
    agni_free(root);
    *out = y;
    return AGN_OK;
}
