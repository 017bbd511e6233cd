/* linalg/functions/cpu/expm_scale.c - norms, degrees and scales of matrix exponentials: polynomials
   of degree 4, 12 and 18 in 2, 4 and 5 products (Bader, Blanes & Casas 2019), bounds of powers
   (Al-Mohy & Higham 2009a), balancing (Parlett & Reinsch 1969). */
#include "linalg/functions/cpu/expm.h"

#include <limits.h>
#include <math.h>
#include <string.h>

const agni_expm_taylor agni_expm_polynomials[] = {
    {4, 2, {0, 0, 0, 0, 1}, {{0, 1}, {1.0 / 6, 1.0 / 24}, {0}, {0}, {1, 0.5}}},
    {12,
     3,
     {-2.0861320e-13, -2.0861320e-13, 0.18188869982170434744, 5.31597895759871264183, 9.0198e-16},
     {{-0.13181061013830184015, -0.02027855540589259079, -0.00675951846863086359},
      {-0.13181061013830184015, -0.02027855540589259079, -0.00675951846863086359},
      {0.05502798439925399070, 0.09351590770535414968, 0.00610700528898058230},
      {1.19926790417132231573, 0.01179296240992997031, 0.01108844528519167989},
      {0.46932117595418237389, -0.20099424927047284052, -0.04623946134063071740}}},
    {18,
     4,
     {0, 0, -0.09043168323908105619, -10.9676396052962062593, 0},
     {{-0.10036558103014462001, -0.00802924648241156960, -0.00089213849804572995},
      {0, -0.09233646193671185927, -0.01693649390020817171, -0.00001400867981820361},
      {-0.06764045190713819075, 0.06759613017704596460, 0.02955525704293155274,
       -0.00001391802575160607},
      {1.68015813878906197182, 0.05717798464788655127, -0.00698210122488052084,
       0.00003349750170860705},
      {0.39784974949964507614, 1.36783778460411719922, 0.49828962252538267755,
       -0.00063789819459472330}}},
};

/* ---- norms ---- */

/* of a [rows, cols], several columns at a time; of blocks one below the other it is the norm of the
   matrix that they stand for, whose last column of blocks holds each of them */
enum { AT_A_TIME = 16 };
/* so many columns of reals, four rows at a time: sums wait for each other */
#define ADD_REALS(T)                                                                 \
    for (; width == AT_A_TIME && i + 4 <= rows; i += 4) {                            \
        const T *x = (const T *)(const void *)a + i * cols - back, *y = x + cols;           \
        for (int k = 0; k < AT_A_TIME; k++)                                          \
            sum[k] += (fabs((double)x[k]) + fabs((double)y[k])) +                    \
                      (fabs((double)x[k + 2 * cols]) + fabs((double)y[k + 2 * cols])); \
    }
double agni_expm_one_norm(const agni_expm_work *w, const char *a, int64_t rows, int64_t cols)
{
    const int64_t number = w->wide * (w->z ? 2 : 1), width = cols < AT_A_TIME ? cols : AT_A_TIME;
    double most = 0;
    for (int64_t j = 0; j < cols; j += width) {
        double sum[AT_A_TIME] = {0};
        const int64_t back = j + width > cols ? j + width - cols : 0; /* some columns twice */
        int64_t i = 0;
        if (w->dtype == AGN_F32)
            ADD_REALS(float)
        else if (w->dtype == AGN_F64)
            ADD_REALS(double)
        for (; i < rows; i++)
            for (int64_t k = 0; k < width; k++)
                sum[k] += cabs(agni_number_get(w->dtype, a, i * cols + k - back));
        for (int64_t k = 0; k < width; k++)
            most = fmax(most, sum[k]);
        a += width * number;
    }
    return most;
}

double agni_expm_frobenius_norm(const agni_expm_work *w, const char *a, int64_t numbers)
{
    double size = 0;
    for (; numbers > 0; numbers -= AGNI_EXPM_AT_ONCE) {
        const int n = (int)(numbers < AGNI_EXPM_AT_ONCE ? numbers : AGNI_EXPM_AT_ONCE);
        const double part = AGNI_BY_FIELD(w->dtype, (double)cblas_snrm2(n, (const void *)a, 1),
                                          cblas_dnrm2(n, (const void *)a, 1),
                                          (double)cblas_scnrm2(n, a, 1), cblas_dznrm2(n, a, 1));
        size = size > 0 ? hypot(size, part) : part;
        a += n * w->wide * (w->z ? 2 : 1);
    }
    return size;
}

/* ---- degree ---- */

/* Bounds of |a^k| 2^(-k down), of norms that are known (else negative) the least product; down,
   which is the result, is so that the slowest to grow stay near 1 */
int agni_expm_bound_powers(const double *known, int n, double *bound)
{
    enum { IN_RANGE = 20 }; /* where powers of a norm are numbers */
    int down = INT_MAX;
    for (int k = 1, e; k < 7; k++)
        if (known[k] >= 0) {
            frexp(known[k], &e);
            down = e / k < down ? e / k : down;
        }
    down = down > IN_RANGE ? down - IN_RANGE : 0;
    for (int k = 0; k < n; k++) {
        bound[k] = k < 7 && known[k] >= 0 ? ldexp(known[k], -k * down) : (double)INFINITY;
        for (int i = 1; i <= k / 2; i++) {
            const double product = bound[i] * bound[k - i];
            bound[k] = product < bound[k] ? product : bound[k];
        }
    }
    return down;
}

/* Squarings after which the backward error of the polynomial of degree m is within u; bounds are
   those of x 2^-down. Its series is the sum over j of (-1)^(j + 1) x^(m + 1 + j) / (m! j!
   (m + 1 + j)), beside what is nothing where that is small; with one unit, whose coefficient is
   linear, of the sum of |a^i| |a^(m + j - i)|. */
int agni_expm_squarings(bool unit, const double *bound, int down, int m, double u)
{
    enum { TERMS = AGNI_EXPM_TERMS, MOST = AGNI_EXPM_PLAIN + 10 };
    double term[TERMS], divisor = 1;
    for (int k = 2; k <= m; k++)
        divisor *= k;
    for (int j = 0; j < TERMS; j++) {
        const int k = m + 1 + j;
        double size = unit ? 0 : bound[k] / bound[1];
        for (int i = 0; unit && i < k; i++)
            size += bound[i] * bound[k - 1 - i];
        divisor *= j > 0 ? j : 1;
        term[j] = size / (divisor * k);
    }
    double scale = ldexp(1, down);
    for (int s = 0; s < MOST; s++, scale /= 2) {
        double error = 0;
        for (int j = TERMS - 1; j >= 0; j--)
            error = error * scale + term[j];
        if (!(ldexp(error, (down - s) * m) > u))
            return s;
    }
    return MOST;
}

/* Squarings, from s on, after which rounding of powers, at most that of e^|a|, stays within 8 bits
   of 1 or |a|: what norms of powers promise is of exact ones (Al-Mohy & Higham 2009a, section
   4.1). */
int agni_expm_squarings_for_rounding(const agni_expm_work *w, double norm, int m, int s, int most)
{
    const double bits = 256, plain = 5.5; /* e^plain < bits */
    const int n = (int)w->block;
    double *size = (double *)(void *)w->sum, *x = size + (int64_t)n * n, *y = x + n, *all = y + n;
    if (ldexp(norm, -s) <= plain)
        return s;
    const void *a = w->power;
    for (int64_t i = 0; i < (int64_t)n * n; i++)
        size[i] = w->dtype == AGN_F64   ? fabs(((const double *)a)[i])
                  : w->dtype == AGN_F32 ? fabs((double)((const float *)a)[i])
                                        : cabs(agni_number_get(w->dtype, a, i));
    for (; s < most; s++) {
        const double now = ldexp(norm, -s), limit = bits * fmax(1, now);
        double largest = 0, last = 1, rest = (double)INFINITY;
        for (int i = 0; i < n; i++)
            x[i] = all[i] = 1;
        /* terms, until they are beyond the limit, or what is left, a geometric series, is below */
        for (int k = 1; k <= m && largest <= limit && !(largest + rest <= limit); k++) {
            cblas_dgemv(CblasRowMajor, CblasTrans, n, n, ldexp(1, -s) / k, size, n, x, 1, 0, y, 1);
            double *swap = x;
            x = y;
            y = swap;
            for (int i = 0; i < n; i++) {
                all[i] += x[i];
                last = i && last > x[i] ? last : x[i];
                largest = largest > all[i] ? largest : all[i];
            }
            rest = now < k + 1 ? last * now / (k + 1 - now) : (double)INFINITY;
        }
        if (largest <= limit)
            break;
    }
    return s;
}

/* ---- balancing ---- */

/* D = diag(2^d) so that the largest exponents in the row and the column of each i are about equal
   in D^-1 a D (Parlett & Reinsch 1969, in exponents alone: no sum of a row leaves the range). A row
   or column without entries beside the diagonal lets the other one be as small as that. False where
   it is not worth it: d is 0. */
enum { NONE = -100000 }; /* the exponent of 0 */
static int exponent_at(const agni_expm_work *w, int64_t k)
{
    const double size = cabs(agni_number_get(w->dtype, w->power, k));
    int e;
    frexp(size, &e);
    return size > 0 ? e : NONE;
}

static void largest_beside(const int *e, const int *d, int64_t n, int64_t i, int *row, int *col)
{
    *row = *col = NONE;
    for (int64_t j = 0; j < n; j++)
        if (j != i) {
            const int r = e[i * n + j] + d[j] - d[i], c = e[j * n + i] + d[i] - d[j];
            *row = e[i * n + j] > NONE && r > *row ? r : *row;
            *col = e[j * n + i] > NONE && c > *col ? c : *col;
        }
}

static int largest_exponent(const int *e, const int *d, int64_t n)
{
    int most = NONE;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            const int k = e[i * n + j] + d[j] - d[i];
            most = e[i * n + j] > NONE && k > most ? k : most;
        }
    return most;
}

bool agni_expm_balance(agni_expm_work *w)
{
    enum { SWEEPS = 50, WORTH = 8 }; /* bits */
    const int64_t n = w->block;
    int *e = (int *)(void *)w->sum, *d = w->scale;
    memset(d, 0, (size_t)n * sizeof *d);
    for (int64_t k = 0; k < n * n; k++)
        e[k] = exponent_at(w, k);
    const int before = largest_exponent(e, d, n);
    bool moved = true;
    for (int sweep = 0; sweep < SWEEPS && moved; sweep++) {
        moved = false;
        for (int64_t i = 0; i < n; i++) {
            int row, col, least = e[i * n + i] > 0 ? e[i * n + i] : 0, by = 0;
            largest_beside(e, d, n, i, &row, &col);
            if (row > NONE && col > NONE)
                by = (row - col) / 2;
            else if (row > least)
                by = row - least;
            else if (col > least)
                by = least - col;
            d[i] += by;
            moved = moved || by;
        }
    }
    if (largest_exponent(e, d, n) <= before - WORTH)
        return true;
    memset(d, 0, (size_t)n * sizeof *d);
    return false;
}

/* entries [i, j] of blocks times 2^(sign (d_j - d_i) - shift) */
void agni_expm_scale_rows(const agni_expm_work *w, char *a, int64_t sets, int sign, int shift)
{
    const int64_t n = w->block;
    for (int64_t k = 0; k < sets * n * n; k++) {
        const int by = sign * (w->scale[k % n] - w->scale[k / n % n]) - shift;
        const double complex x = agni_number_get(w->dtype, a, k);
        agni_number_set(w->dtype, a, k, agni_join_parts(ldexp(creal(x), by), ldexp(cimag(x), by)));
    }
}
