/* linalg/functions/cpu/expm.c - exponentials of matrices by scaling and squaring of Taylor
   polynomials of degree 4, 12 and 18 in 2, 4 and 5 products (Bader, Blanes & Casas 2019), and their
   derivatives by numbers with units whose squares are 0 (Al-Mohy & Higham 2009b). There is no
   system to solve. */
#include "linalg/cpu/lapack_calls.h"

#include <limits.h>
#include <math.h>
#include <string.h>

typedef struct expm_job {
    const agn_kernel_call *c;
    int dtype;
    int64_t n, bytes;
} expm_job;

/* Everything in double or double complex: f32 and c64 are rounded once. Derivatives of order d are
   exponentials of [x, e; 0, x], of such x and e again: matrices over numbers with d units whose
   squares are 0. What is kept is the first row of blocks, the coefficient of a set of units each
   (bits of its number): a product takes 3^d products of blocks where a dense one takes 8^d. */
enum { POWERS = 4, SUMS = 5 };
typedef struct expm_work {
    bool z;
    int64_t n, block, sets; /* order; order of a block; 2^d */
    int64_t reals, part;    /* doubles in all that is kept, in one block */
    double *power, *sum;    /* a, a^2, a^3, a^6 one behind the other, and sums of them */
} expm_work;

static double *power_of(const expm_work *w, int k)
{
    return w->power + k * w->reals;
}
static double *sum_of(const expm_work *w, int k)
{
    return w->sum + k * w->reals;
}

/* y of blocks = a b, or += */
static void multiply_block(const expm_work *w, const double *a, const double *b, double *y,
                           bool add)
{
    const double complex one = 1, kept = add;
    int n = (int)w->block;
    if (w->z)
        cblas_zgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, &one, a, n, b, n, &kept, y,
                    n);
    else
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, add, y, n);
}

static void multiply_square(const expm_work *w, const double *a, const double *b, double *y,
                            bool add)
{
    for (int64_t s = 0; s < w->sets; s++) {
        multiply_block(w, a, b + s * w->part, y + s * w->part, add);
        for (int64_t t = s; t > 0; t = (t - 1) & s) /* subsets of s */
            multiply_block(w, a + t * w->part, b + (s ^ t) * w->part, y + s * w->part, true);
    }
}

/* of a [rows, cols], several columns at a time; of blocks one below the other it is the norm of the
   matrix that they stand for, whose last column of blocks holds each of them */
enum { AT_A_TIME = 16 };
static void add_sizes(const expm_work *w, const double *a, int64_t width, double *sum)
{
    if (!w->z && width == AT_A_TIME)
        for (int k = 0; k < AT_A_TIME; k++)
            sum[k] += fabs(a[k]);
    else
        for (int64_t k = 0; k < width; k++)
            sum[k] += w->z ? cabs(((const double complex *)(const void *)a)[k]) : fabs(a[k]);
}
static double one_norm(const expm_work *w, const double *a, int64_t rows, int64_t cols)
{
    double most = 0;
    for (int64_t j = 0; j < cols; j += AT_A_TIME) {
        double sum[AT_A_TIME] = {0};
        const int64_t width = cols - j < AT_A_TIME ? cols - j : AT_A_TIME;
        for (int64_t i = 0; i < rows; i++)
            add_sizes(w, a + (i * cols + j) * (w->z ? 2 : 1), width, sum);
        for (int64_t k = 0; k < width; k++)
            most = fmax(most, sum[k]);
    }
    return most;
}

static void scale_numbers(double *a, int64_t n, int e)
{
    const double scale = ldexp(1, e);
    for (int64_t i = 0; e && i < n; i++)
        a[i] *= scale;
}

/* is every block of order 2 half in the first row [x, e; 0, x]? */
static bool has_unit(const expm_work *w, int64_t half)
{
    const int64_t z = w->z ? 2 : 1, row = w->n * z, h = half * z;
    for (int64_t at = 0; at < w->n * z; at += 2 * h)
        for (int64_t i = 0; i < half; i++) {
            const double *upper = w->power + at + i * row, *lower = upper + half * row;
            for (int64_t j = 0; j < h; j++)
                if (lower[j] != 0 || lower[h + j] != upper[j])
                    return false;
        }
    return true;
}

/* finds the blocks of the dense a, and keeps the first row of them */
static void take_blocks(expm_work *w)
{
    w->block = w->n;
    while (w->block % 2 == 0 && has_unit(w, w->block / 2))
        w->block /= 2;
    w->sets = w->n / w->block;
    const int64_t z = w->z ? 2 : 1, line = w->block * z;
    w->part = w->block * line;
    w->reals = w->sets * w->part;
    if (w->sets == 1)
        return;
    for (int64_t s = 0; s < w->sets; s++)
        for (int64_t i = 0; i < w->block; i++)
            memcpy(w->sum + s * w->part + i * line, w->power + i * w->n * z + s * line,
                   (size_t)line * sizeof *w->sum);
    memcpy(w->power, w->sum, (size_t)w->reals * sizeof *w->sum);
}

/* row i of the dense matrix that y stands for, in the columns of this set; NULL where it is 0 */
static const double *dense_row(const expm_work *w, const double *y, int64_t i, int64_t set)
{
    const int64_t r = i / w->block;
    return r & ~set ? NULL : y + (r ^ set) * w->part + i % w->block * (w->part / w->block);
}

/* ---- degree and scale ---- */

enum { PLAIN = 150 }; /* powers of a norm of 2^150 are in range, and coefficients beside them */

/* Polynomials y = u + (s + x) x with x = p q + r, whose sums are of 1, a, a^2, a^3 and a^6; of
   degree 4 y = u + p q. Rows p, q, r, s, u. */
typedef struct taylor {
    int degree, powers;
    double one[SUMS], c[SUMS][POWERS];
} taylor;
static const taylor polynomials[] = {
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

/* Bounds of |a^k| 2^(-k down), of norms that are known (else negative) the least product; down,
   which is the result, is so that the slowest to grow stay near 1 */
enum { MOST_DEGREE = 18, TERMS = 12, BOUNDS = MOST_DEGREE + TERMS + 1 };
static int bound_powers(const double *known, int n, double *bound)
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
static int squarings_within(const expm_work *w, const double *bound, int down, int m, double u)
{
    enum { MOST = PLAIN + 10 };
    double term[TERMS], divisor = 1;
    for (int k = 2; k <= m; k++)
        divisor *= k;
    for (int j = 0; j < TERMS; j++) {
        const int k = m + 1 + j;
        double size = w->sets == 2 ? 0 : bound[k] / bound[1];
        for (int i = 0; w->sets == 2 && i < k; i++)
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
static int squarings_for_rounding(const expm_work *w, double norm, int m, int s, int most)
{
    const double bits = 256, plain = 5.5; /* e^plain < bits */
    const int n = (int)w->block;
    double *size = w->sum, *x = size + w->part, *y = x + n, *all = y + n;
    if (ldexp(norm, -s) <= plain)
        return s;
    for (int64_t i = 0; i < (int64_t)n * n; i++)
        size[i] = w->z ? cabs(((const double complex *)(const void *)w->power)[i])
                       : fabs(w->power[i]);
    for (; s < most; s++) {
        double largest = 0;
        for (int i = 0; i < n; i++)
            x[i] = all[i] = 1;
        for (int k = 1; k <= m; k++) {
            cblas_dgemv(CblasRowMajor, CblasTrans, n, n, ldexp(1, -s) / k, size, n, x, 1, 0, y, 1);
            double *swap = x;
            x = y;
            y = swap;
            for (int i = 0; i < n; i++)
                all[i] += x[i];
        }
        for (int i = 0; i < n; i++)
            largest = fmax(largest, all[i]);
        if (largest <= bits * fmax(1, ldexp(norm, -s)))
            break;
    }
    return s;
}

/* The first polynomial that needs no squaring, or the last, with powers formed; a is not scaled */
static const taylor *choose_polynomial(const expm_work *w, double u, int *squarings)
{
    static const int exponent[] = {1, 2, 3, 6};
    /* e, of one unit, is linear */
    const int64_t rows = w->sets == 2 ? w->block : w->sets * w->block;
    const double norm = one_norm(w, w->power, rows, w->block);
    double known[7] = {1, norm, -1, -1, -1, -1, -1}, by_norm[BOUNDS], bound[BOUNDS];
    const int by = bound_powers(known, BOUNDS, by_norm);
    const taylor *p = polynomials;
    for (int formed = 1;; p++) {
        for (; formed < p->powers; formed++) {
            double *y = power_of(w, formed), *a = power_of(w, formed == 3 ? 2 : formed - 1);
            multiply_square(w, a, formed == 3 ? a : w->power, y, false);
        }
        const int most = squarings_within(w, by_norm, by, p->degree, u);
        *squarings = most;
        if (!most)
            return p;
        for (int k = 1; k < p->powers; k++)
            if (known[exponent[k]] < 0)
                known[exponent[k]] = one_norm(w, power_of(w, k), rows, w->block);
        const int down = bound_powers(known, p->degree + TERMS + 1, bound);
        const int few = squarings_within(w, bound, down, p->degree, u);
        if (few < most && (!few || p->degree == MOST_DEGREE))
            *squarings = squarings_for_rounding(w, norm, p->degree, few, most);
        if (!*squarings || p->degree == MOST_DEGREE)
            return p;
    }
}

/* all sums of p at once: a product of its coefficients and of the powers, scaled */
static void form_sums(const expm_work *w, const taylor *p, int squarings)
{
    enum { MANY = 256 };
    static const int exponent[] = {1, 2, 3, 6};
    double c[SUMS][POWERS];
    for (int i = 0; i < SUMS; i++)
        for (int k = 0; k < p->powers; k++)
            c[i][k] = ldexp(p->c[i][k], -squarings * exponent[k]);
    for (int64_t at = 0; at < w->reals; at += MANY) {
        const int64_t n = w->reals - at < MANY ? w->reals - at : MANY;
        double part[POWERS * MANY], sum[SUMS * MANY];
        for (int k = 0; k < p->powers; k++)
            memcpy(part + k * n, power_of(w, k) + at, (size_t)n * sizeof *part);
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, SUMS, (int)n, p->powers, 1, c[0],
                    POWERS, part, (int)n, 0, sum, (int)n);
        for (int i = 0; i < SUMS; i++)
            memcpy(sum_of(w, i) + at, sum + i * n, (size_t)n * sizeof *sum);
    }
    for (int i = 0; i < SUMS; i++)
        for (int64_t k = 0; p->one[i] != 0 && k < w->block; k++)
            sum_of(w, i)[k * (w->block + 1) * (w->z ? 2 : 1)] += p->one[i];
}

/* e^a, which it returns; NULL where numbers are out of range */
static double *taylor_exponential(expm_work *w, double u)
{
    int squarings = 0, before = 0, e = 0;
    take_blocks(w);
    double norm = one_norm(w, w->power, w->sets * w->block, w->block);
    if (!isfinite(norm))
        return NULL;
    if (w->sets == 2) { /* linear in e */
        norm = one_norm(w, w->power, w->block, w->block);
        frexp(one_norm(w, w->power + w->part, w->block, w->block), &e);
        e = e < -1000 ? -1000 : e;
        scale_numbers(w->power + w->part, w->part, -e);
    }
    if (norm > ldexp(1, PLAIN))
        frexp(norm, &before);
    scale_numbers(w->power, w->reals, -before);
    const taylor *p = choose_polynomial(w, u, &squarings);
    form_sums(w, p, squarings);
    double *y = sum_of(w, 4), *x = sum_of(w, 2), *s = sum_of(w, 3), *spare = w->power;
    if (p->degree == 4)
        multiply_square(w, sum_of(w, 0), sum_of(w, 1), y, true);
    else {
        multiply_square(w, sum_of(w, 0), sum_of(w, 1), x, true);
        for (int64_t i = 0; i < w->reals; i++)
            s[i] += x[i];
        multiply_square(w, s, x, y, true);
    }
    for (squarings += before; squarings > 0; squarings--) {
        multiply_square(w, y, y, spare, false);
        double *swap = y;
        y = spare;
        spare = swap;
    }
    if (w->sets == 2)
        scale_numbers(y + w->part, w->part, e);
    return y;
}

static int64_t exponentiate_matrix(void *user, int64_t i, char *room)
{
    const expm_job *q = user;
    expm_work w = {.z = agni_kind(q->dtype) == AGNI_KIND_COMPLEX, .n = q->n};
    const int64_t dense = q->n * q->n * (w.z ? 2 : 1);
    const bool half = q->dtype == AGN_F32 || q->dtype == AGN_C64;
    w.power = (double *)(void *)room;
    w.sum = w.power + POWERS * dense;
    char *y = (char *)q->c->out->data + i * q->n * q->n * q->bytes;
    if (!agni_matrix_copy_finite(y, agni_matrix_at(q->c->in, q->c->in, i), q->n, q->n, q->dtype))
        return AGNI_NOT_FINITE;
    int wide = w.z ? AGN_C128 : AGN_F64;
    if (!half)
        memcpy(w.power, y, (size_t)dense * sizeof *w.power);
    for (int64_t k = 0; half && k < q->n * q->n; k++)
        agni_number_set(wide, w.power, k, agni_number_get(q->dtype, y, k));
    const double *v = taylor_exponential(&w, half ? 0x1p-34 : 0x1p-53);
    for (int64_t r = 0; v && r < q->n; r++)
        for (int64_t s = 0; s < w.sets; s++) {
            const double *from = dense_row(&w, v, r, s);
            char *to = y + (r * q->n + s * w.block) * q->bytes;
            if (!from)
                memset(to, 0, (size_t)(w.block * q->bytes));
            else if (!half)
                memcpy(to, from, (size_t)(w.block * q->bytes));
            for (int64_t k = 0; from && half && k < w.block; k++)
                agni_number_set(q->dtype, to, k, agni_number_get(wide, from, k));
        }
    return v ? 0 : AGNI_LAPACK_REFUSED;
}

agn_status agni_cpu_matrix_exp(const agn_kernel_call *c)
{
    const agn_array *x = c->in;
    expm_job q = {.c = c, .dtype = x->dtype, .n = x->shape[x->ndim - 1],
                  .bytes = agni_dtypes[x->dtype].bytes};
    const int64_t batch = agni_batch_count(x, 2),
                  room = ((POWERS + SUMS) * q.n + 3) * q.n *
                         (agni_kind(x->dtype) == AGNI_KIND_COMPLEX ? 16 : 8);
    int64_t at = 0, code = batch && q.n
                               ? agni_each_with_room(batch, q.n, room, exponentiate_matrix, &q, &at)
                               : 0;
    if (code == AGNI_NOT_FINITE)
        return agni_not_finite(c->op, q.dtype, agni_matrix_at(x, x, at), q.n, at, 0);
    return code ? agni_lapack_failed(c, code, at, batch, room, "") : AGN_OK;
}
