/* linalg/structured/special_matrices.c - matrices of numbers alone: Hilbert's, Pascal's, Hadamard's, the discrete Fourier
   transform's (Higham 2002, chapter 28). */
#include "linalg/linalg.h"

#include <agnesi/linalg.h>
#include <complex.h>
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
        return agni_fail(AGN_EARG, "linalg_hadamard: %lld rows, a power of 2 is needed", (long long)n);
    return fill_matrix("linalg_hadamard", out, dtype, n, hadamard_entry);
}

/* ones, which sums along antidiagonals then make binomials */
static double pascal_entry(int64_t i, int64_t j, int64_t n)
{
    (void)i, (void)j, (void)n;
    return 1;
}

agn_status agn_linalg_pascal(agn_tensor **out, agn_dtype dtype, int64_t n)
{
    static const char op[] = "linalg_pascal";
    const int64_t most = dtype == AGN_F32 ? 66 : 515; /* binomials (2n-2 over n-1) within the range */
    if (n > most && (dtype == AGN_F32 || dtype == AGN_F64))
        return agni_fail(AGN_EARG, "%s: %lld rows have numbers beyond the range of %s, which holds %lld", op,
                         (long long)n, agn_dtype_name(dtype), (long long)most);
    agn_tensor *y = NULL, *z = NULL;
    AGNI_NEED(op, out);
    agn_status st = fill_matrix(op, &y, dtype == AGN_F32 ? AGN_F64 : dtype, n, pascal_entry);
    if (st)
        return st;
    double *p = y->data;
    for (int64_t i = 1; i < n; i++)
        for (int64_t j = 1; j < n; j++)
            p[i * n + j] = p[(i - 1) * n + j] + p[i * n + j - 1];
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

/* exp(-2 pi i m / n), 0 <= m < n: the angle is reduced to an eighth of the circle in whole numbers */
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
