/* linalg/cpu/getrf_growth.c - LU factors of a matrix whose pivots grow (Wilkinson 1961) or leave
   the range (van der Sluis 1969): sought along the other lines, or with rows and columns scaled. */
#include "linalg/cpu/getrf_trsm.h"

#include <math.h>
#include <string.h>

/* NaN is not larger */
#define LARGEST(T, parts) \
    for (int64_t i = 0; i < n; i++) \
        for (int k = 0; k < parts; k++) { \
            const double size = fabs((double)((const T *)(const void *)p)[i * step * parts + k]); \
            most = size > most ? size : most; \
        } \
    return most
double agni_largest_of_line(int dtype, const char *p, int64_t n, int64_t step)
{
    double most = 0;
    switch (dtype) {
    case AGN_F32:
        LARGEST(float, 1);
    case AGN_F64:
        LARGEST(double, 1);
    case AGN_C64:
        LARGEST(float, 2);
    default:
        LARGEST(double, 2);
    }
}

/* a row or column times the power of 2 whose exponent is the result */
static int32_t equilibrate_line(int dtype, char *p, int64_t n, int64_t step)
{
    int e = 0;
    double most = agni_largest_of_line(dtype, p, n, step);
    if (!(most > 0))
        return 0;
    frexp(most, &e);
    for (int64_t i = 0; i < n; i++)
        agni_number_set(dtype, p, i * step,
                        agni_scale_parts(agni_number_get(dtype, p, i * step), -e));
    return -e;
}

static bool is_good_pivot(int dtype, const char *p)
{
    double complex v = agni_number_get(dtype, p, 0);
    return isfinite(creal(v)) && isfinite(cimag(v)) && !agni_reciprocal_overflows(dtype, p);
}

/* Is the factor one that solves: finite, with pivots whose reciprocals are? 0, or n + 1 + the
   pivot. Pivots tell of all entries: what is not finite in a row of u spreads down its column to
   the pivot there, and what is not in a column of l along its row. */
static int64_t find_bad_pivot(int dtype, const char *lu, int64_t n)
{
    const int64_t step = (n + 1) * agni_dtypes[dtype].bytes;
    for (int64_t k = 0; k < n; k++)
        if (!is_good_pivot(dtype, lu + k * step))
            return n + 1 + k;
    return 0;
}

bool agni_digits_are_lost(int dtype, double growth)
{
    return !(growth * growth * agni_eps_of(dtype) <= 1);
}

double agni_growth_beside(int dtype, double first, double top, agni_lapack_matrix a, int64_t n,
                          int shift)
{
    const int64_t z = agni_dtypes[dtype].bytes;
    if (top <= AGNI_MUCH_GROWTH * first)
        return 1;
    double most = 0;
    for (int64_t i = 0; i < n; i++)
        most = fmax(most, agni_largest_of_line(dtype, a.p + i * a.rs * z, n, a.cs));
    most = ldexp(most, -shift);
    return top > AGNI_MUCH_GROWTH * most ? top / most : 1;
}

/* the same of a factor */
static double pivot_growth(int dtype, const char *lu, agni_lapack_matrix a, int64_t n)
{
    return agni_growth_beside(dtype, agni_largest_of_line(dtype, lu, 1, 1),
                              agni_largest_of_line(dtype, lu, n, n + 1), a, n, 0);
}

/* the factor of a^T: how its pivots grow, or infinity where there is none */
static double factor_turned(int dtype, char *lu, agni_lapack_matrix a, int64_t n, int32_t *piv)
{
    agni_matrix_copy(lu, (agni_lapack_matrix){a.p, a.cs, a.rs}, n, n, agni_dtypes[dtype].bytes);
    return agni_factor_lu(dtype, n, n, lu, piv) || find_bad_pivot(dtype, lu, n)
               ? (double)INFINITY
               : pivot_growth(dtype, lu, a, n);
}

/* Keeps a factor, or that of a^T where pivots grow less there: 0, or beyond 2 n where more than
   half of the digits are lost both ways. */
static int64_t limit_growth(int dtype, char *lu, agni_lapack_matrix a, int64_t n, int32_t *piv)
{
    double growth = pivot_growth(dtype, lu, a, n);
    if (growth == 1)
        return 0;
    const double other = factor_turned(dtype, lu, a, n, piv);
    if (other < growth)
        piv[n] = AGNI_TURNED;
    else {
        agni_matrix_copy(lu, a, n, n, agni_dtypes[dtype].bytes);
        const int64_t code = agni_factor_lu(dtype, n, n, lu, piv);
        if (code)
            return code;
    }
    growth = other < growth ? other : growth;
    return agni_digits_are_lost(dtype, growth) ? 2 * n + 1 : 0;
}

/* r a c, whose largest entries are below 1: 0, a pivot from 1 on, or n + 1 + the pivot */
static int64_t factor_scaled(int dtype, char *lu, agni_lapack_matrix a, int64_t n, int32_t *piv)
{
    const int64_t z = agni_dtypes[dtype].bytes;
    int32_t *rows = piv + n, *cols = rows + n;
    agni_matrix_copy(lu, a, n, n, z);
    for (int64_t k = 0; k < n; k++)
        rows[k] = equilibrate_line(dtype, lu + k * n * z, n, 1);
    for (int64_t k = 0; k < n; k++)
        cols[k] = equilibrate_line(dtype, lu + k * z, n, n);
    const int64_t code = agni_factor_lu(dtype, n, n, lu, piv);
    return code ? code : find_bad_pivot(dtype, lu, n);
}

/* Scaled factors, or those of a^T where pivots grow less there: codes as of limit_growth */
static int64_t factor_extreme(int dtype, char *lu, agni_lapack_matrix a, int64_t n, int32_t *piv)
{
    int64_t code = factor_scaled(dtype, lu, a, n, piv);
    double growth = code ? (double)INFINITY : agni_largest_of_line(dtype, lu, n, n + 1);
    if (code ? code <= n : growth <= AGNI_MUCH_GROWTH)
        return code;
    const double other = factor_turned(dtype, lu, a, n, piv);
    if (other < growth) {
        memset(piv + n, 0, (size_t)(2 * n) * sizeof *piv);
        piv[n] = AGNI_TURNED;
        growth = other;
    } else if (code || (code = factor_scaled(dtype, lu, a, n, piv)))
        return code;
    return agni_digits_are_lost(dtype, growth) ? 2 * n + 1 : 0;
}

int64_t agni_factor_guarded(int dtype, char *lu, agni_lapack_matrix a, int64_t n, int32_t *piv)
{
    memset(piv + n, 0, (size_t)(2 * n) * sizeof *piv);
    const int64_t code = agni_factor_lu(dtype, n, n, lu, piv);
    if (code == AGNI_NO_ROOM)
        return code;
    return !code && !find_bad_pivot(dtype, lu, n) ? limit_growth(dtype, lu, a, n, piv)
                                                  : factor_extreme(dtype, lu, a, n, piv);
}
