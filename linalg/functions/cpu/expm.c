/* linalg/functions/cpu/expm.c - exponentials of matrices by scaling and squaring of Taylor
   polynomials (Bader, Blanes & Casas 2019), and their derivatives by numbers with units whose
   squares are 0 (Al-Mohy & Higham 2009b). There is no system to solve. */
#include "linalg/functions/cpu/expm.h"
#include "tensor/matmul/gemm.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { POWERS = AGNI_EXPM_POWERS, SUMS = AGNI_EXPM_SUMS, NO_DIGIT = -4, MANY = 3072 };
typedef agni_expm_work expm_work;
typedef agni_expm_taylor taylor;

typedef struct expm_job {
    const agn_kernel_call *c;
    int dtype;
    int64_t n, bytes, plain; /* of the room, what is not the products' */
} expm_job;

static char *power_of(const expm_work *w, int k)
{
    return w->power + k * w->reals * w->wide;
}
static char *sum_of(const expm_work *w, int k)
{
    return w->sum + k * w->reals * w->wide;
}

/* y of blocks = a b, or += */
static void multiply_block(const expm_work *w, const void *a, const void *b, void *y, bool add)
{
    const int64_t n = w->block;
    const agni_gemm_operand left = {a, n, 1}, right = {b, n, 1};
    const CBLAS_ORDER rows = CblasRowMajor;
    const CBLAS_TRANSPOSE no = CblasNoTrans;
    const double complex one = 1, kept = add;
    const float complex one32 = 1, kept32 = add;
    int N = (int)n;
    if (w->dtype == AGN_C64)
        cblas_cgemm(rows, no, no, N, N, N, &one32, a, N, b, N, &kept32, y, N);
    else if (w->dtype == AGN_C128)
        cblas_zgemm(rows, no, no, N, N, N, &one, a, N, b, N, &kept, y, N);
    else if (add)
        agni_gemm_add(w->dtype, n, n, n, left, right, y, n, w->products);
    else
        agni_gemm(w->dtype, n, n, n, left, right, y, n, w->products);
}

static void multiply_square(const expm_work *w, const char *a, const char *b, char *y, bool add)
{
    const int64_t step = w->part * w->wide;
    for (int64_t s = 0; s < w->sets; s++) {
        multiply_block(w, a, b + s * step, y + s * step, add);
        for (int64_t t = s; t > 0; t = (t - 1) & s) /* subsets of s */
            multiply_block(w, a + t * step, b + (s ^ t) * step, y + s * step, true);
    }
}

static void scale_numbers(const expm_work *w, char *a, int64_t reals, int e)
{
    const double scale = ldexp(1, e);
    const bool wide = w->wide == sizeof(double);
    for (int64_t i = 0; e && wide && i < reals; i++)
        ((double *)(void *)a)[i] *= scale;
    for (int64_t i = 0; e && !wide && i < reals; i++)
        ((float *)(void *)a)[i] *= (float)scale;
}

/* is every block of order 2 half in the first row [x, e; 0, x]? */
static bool has_unit(const expm_work *w, int64_t half)
{
    const int64_t number = w->wide * (w->z ? 2 : 1), row = w->n * number, h = half * number;
    for (int64_t at = 0; at < row; at += 2 * h)
        for (int64_t i = 0; i < half; i++) {
            const char *upper = w->power + at + i * row, *lower = upper + half * row;
            if (lower[0] || memcmp(lower, lower + 1, (size_t)h - 1) ||
                memcmp(lower + h, upper, (size_t)h))
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
    const int64_t z = w->z ? 2 : 1, line = w->block * z * w->wide;
    w->part = w->block * w->block * z;
    w->reals = w->sets * w->part;
    if (w->sets == 1)
        return;
    for (int64_t s = 0; s < w->sets; s++)
        for (int64_t i = 0; i < w->block; i++)
            memcpy(w->sum + (s * w->block + i) * line,
                   w->power + (i * w->n + s * w->block) * z * w->wide, (size_t)line);
    memcpy(w->power, w->sum, (size_t)(w->reals * w->wide));
}

/* row i of the dense matrix that y stands for, in the columns of this set; NULL where it is 0 */
static const char *dense_row(const expm_work *w, const char *y, int64_t i, int64_t set)
{
    const int64_t r = i / w->block;
    return r & ~set ? NULL
                    : y + ((r ^ set) * w->part + i % w->block * (w->part / w->block)) * w->wide;
}

/* ---- degree ---- */

/* The first polynomial that needs no squarings but those which rounding asks for, whatever the
   degree, or the last, with powers formed; a is not scaled */
static const taylor *choose_polynomial(const expm_work *w, double norm, double u, int *squarings)
{
    enum { FEW = 2 }; /* squarings, for more of which degree 18 is as good */
    static const int exponent[] = {1, 2, 3, 6};
    const bool unit = w->sets == 2; /* e, of one unit, is linear */
    const int64_t rows = unit ? w->block : w->sets * w->block;
    double known[7] = {1, norm, -1, -1, -1, -1, -1}, by_norm[AGNI_EXPM_BOUNDS],
           bound[AGNI_EXPM_BOUNDS];
    const int by = agni_expm_bound_powers(known, AGNI_EXPM_BOUNDS, by_norm);
    const taylor *p = agni_expm_polynomials;
    for (int formed = 1;; p++) {
        for (; formed < p->powers; formed++) {
            char *y = power_of(w, formed), *a = power_of(w, formed == 3 ? 2 : formed - 1);
            multiply_square(w, a, formed == 3 ? a : w->power, y, false);
        }
        const int most = agni_expm_squarings(unit, by_norm, by, p->degree, u);
        *squarings = most;
        if (!most)
            return p;
        for (int k = 1; k < p->powers; k++)
            if (known[exponent[k]] < 0)
                known[exponent[k]] = agni_expm_one_norm(w, power_of(w, k), rows, w->block);
        const int down = agni_expm_bound_powers(known, p->degree + AGNI_EXPM_TERMS + 1, bound);
        const int few = agni_expm_squarings(unit, bound, down, p->degree, u);
        if (few < most && few <= FEW) {
            *squarings = agni_expm_squarings_for_rounding(w, norm, p->degree, 0, most);
            if (few <= *squarings)
                return p;
        }
        if (few < most && p->degree == AGNI_EXPM_MOST_DEGREE)
            *squarings = agni_expm_squarings_for_rounding(w, norm, p->degree, few, most);
        if (p->degree == AGNI_EXPM_MOST_DEGREE)
            return p;
    }
}

/* all sums of p at once: a product of its coefficients and of the powers, scaled */
static void form_sums(const expm_work *w, const taylor *p, int squarings)
{
    static const int exponent[] = {1, 2, 3, 6};
    double c[SUMS][POWERS] = {{0}};
    float c32[SUMS][POWERS];
    for (int i = 0; i < SUMS; i++)
        for (int k = 0; k < POWERS; k++) {
            c[i][k] = k < p->powers ? ldexp(p->c[i][k], -squarings * exponent[k]) : 0;
            c32[i][k] = (float)c[i][k];
        }
    const bool wide = w->wide == sizeof(double);
    const agni_gemm_operand left = {wide ? (const void *)c : c32, POWERS, 1};
    for (int64_t at = 0; at < w->reals; at += MANY)
        agni_gemm(wide ? AGN_F64 : AGN_F32, SUMS, w->reals - at < MANY ? w->reals - at : MANY,
                  p->powers, left,
                  (agni_gemm_operand){w->power + at * w->wide, w->reals, 1},
                  w->sum + at * w->wide, w->reals, w->products);
    for (int i = 0; i < SUMS; i++)
        for (int64_t k = 0; p->one[i] != 0 && k < w->block; k++) {
            const int64_t at = k * (w->block + 1);
            agni_number_set(w->dtype, sum_of(w, i), at,
                            agni_number_get(w->dtype, sum_of(w, i), at) + p->one[i]);
        }
}

static void add_numbers(const expm_work *w, char *y, const char *x)
{
    for (int64_t left = w->part; left > 0; left -= AGNI_EXPM_AT_ONCE) {
        const int n = (int)(left < AGNI_EXPM_AT_ONCE ? left : AGNI_EXPM_AT_ONCE);
        if (w->wide == sizeof(double))
            cblas_daxpy(n, 1, (const void *)x, 1, (void *)y, 1);
        else
            cblas_saxpy(n, 1, (const void *)x, 1, (void *)y, 1);
        x += n * w->wide;
        y += n * w->wide;
    }
}

/* the polynomial, squared; NULL where the errors of squarings have grown to be as large as it: a
   relative error doubles at each, times |x|^2 / |x^2| */
static char *square_polynomial(expm_work *w, const taylor *p, int squarings)
{
    char *y = sum_of(w, 4), *x = sum_of(w, 2), *s = sum_of(w, 3), *spare = w->power;
    if (p->degree == 4)
        multiply_square(w, sum_of(w, 0), sum_of(w, 1), y, true);
    else {
        multiply_square(w, sum_of(w, 0), sum_of(w, 1), x, true);
        for (int64_t k = 0; k < w->sets; k++)
            add_numbers(w, s + k * w->part * w->wide, x + k * w->part * w->wide);
        multiply_square(w, s, x, y, true);
    }
    const int64_t numbers = w->block * w->block;
    const double eps = w->wide == sizeof(double) ? 0x1p-53 : 0x1p-24, root = sqrt((double)w->block);
    double lost = eps, size = squarings ? agni_expm_frobenius_norm(w, y, numbers) : 0;
    for (; squarings > 0; squarings--) {
        multiply_square(w, y, y, spare, false);
        char *swap = y;
        y = spare;
        spare = swap;
        const double now = agni_expm_frobenius_norm(w, y, numbers),
                     growth = size / root * (size / now);
        lost = 2 * lost * (now > 0 && growth > 1 ? growth : 1) + eps;
        if (now > 0 && now < (double)INFINITY && lost > 0.125)
            return NULL;
        size = now;
    }
    return y;
}

/* exponents of the coefficient e of the one unit, which is linear, are taken out */
static int balance_unit(const expm_work *w, bool balanced)
{
    char *a = w->power + w->part * w->wide;
    const int64_t n = w->block;
    int most = INT_MIN, e;
    for (int64_t k = 0; balanced && k < n * n; k++) {
        const double size = cabs(agni_number_get(w->dtype, a, k));
        frexp(size, &e);
        e += w->scale[k % n] - w->scale[k / n];
        most = size > 0 && e > most ? e : most;
    }
    if (balanced) {
        most = most == INT_MIN ? 0 : most;
        agni_expm_scale_rows(w, a, 1, 1, most);
        return most;
    }
    frexp(agni_expm_one_norm(w, a, n, n), &e);
    most = w->wide == sizeof(double) ? -1000 : -120;
    e = e < most ? most : e;
    scale_numbers(w, a, w->part, -e);
    return e;
}

/* e^a of numbers and of [a, e; 0, a] */
static char *exponentiate_number(const expm_work *w)
{
    const double complex x = cexp(agni_number_get(w->dtype, w->power, 0));
    for (int64_t k = 0; k < w->sets; k++)
        agni_number_set(w->dtype, w->power, k,
                        k ? x * agni_number_get(w->dtype, w->power, k) : x);
    return w->power;
}

/* e^a in *out. Blocks are taken. */
static int64_t taylor_exponential(expm_work *w, double u, char **out)
{
    enum { CALM = 64 }; /* a norm that needs no balancing */
    int squarings = 0, before = 0, e = 0;
    double norm = agni_expm_one_norm(w, w->power, w->sets * w->block, w->block);
    if (!isfinite(norm))
        return AGNI_LAPACK_REFUSED;
    if (w->sets > 1)
        norm = agni_expm_one_norm(w, w->power, w->block, w->block);
    const bool balanced = norm > CALM && agni_expm_balance(w);
    if (balanced)
        agni_expm_scale_rows(w, w->power, w->sets == 2 ? 1 : w->sets, 1, 0);
    if (w->sets == 2)
        e = balance_unit(w, balanced);
    if (balanced || w->sets > 2)
        norm = agni_expm_one_norm(w, w->power, (w->sets == 2 ? 1 : w->sets) * w->block, w->block);
    if (norm > ldexp(1, AGNI_EXPM_PLAIN))
        frexp(norm, &before);
    scale_numbers(w, w->power, w->reals, -before);
    const taylor *p = choose_polynomial(w, ldexp(norm, -before), u, &squarings);
    form_sums(w, p, squarings);
    char *y = *out = square_polynomial(w, p, squarings + before);
    if (!y)
        return NO_DIGIT;
    if (balanced)
        agni_expm_scale_rows(w, y, w->sets == 2 ? 1 : w->sets, -1, 0);
    char *unit = y + w->part * w->wide;
    if (w->sets == 2 && balanced)
        agni_expm_scale_rows(w, unit, 1, -1, -e);
    else if (w->sets == 2)
        scale_numbers(w, unit, w->part, e);
    return 0;
}

/* Do 24 bits serve? Not where squarings would lose some of them; nor where eigenvalues, by their
   mean, are so negative that a polynomial's value may be small beside its terms; nor for
   coefficients of jets, of which some may be small beside others: a matrix of blocks has a corner
   of 0. */
static bool serves_half(const expm_work *w)
{
    enum { LARGE = 48, CALM = 16 };
    const int64_t last = w->n - 1;
    const bool full = agni_number_get(w->dtype, w->power, last) != 0 &&
                      agni_number_get(w->dtype, w->power, w->n * last) != 0;
    double trace = 0;
    for (int64_t i = 0; i < w->block; i++)
        trace += creal(agni_number_get(w->dtype, w->power, i * (w->block + 1)));
    return w->block >= LARGE && (w->sets == 2 || (w->sets == 1 && full)) &&
           2 * trace >= -(double)w->block &&
           agni_expm_one_norm(w, w->power, w->block, w->block) <= CALM;
}

/* f32 and c64 in double or double complex, and rounded once, where their own digits do not serve */
static void widen_matrices(expm_work *w)
{
    for (int64_t k = w->reals - 1; k >= 0; k--) { /* in place */
        float half;
        memcpy(&half, w->power + k * (int64_t)sizeof half, sizeof half);
        const double wide = (double)half;
        memcpy(w->power + k * (int64_t)sizeof wide, &wide, sizeof wide);
    }
    w->dtype = w->z ? AGN_C128 : AGN_F64;
    w->wide = sizeof(double);
}

static int64_t exponentiate_matrix(void *user, int64_t i, char *room)
{
    const expm_job *q = user;
    const bool z = agni_kind(q->dtype) == AGNI_KIND_COMPLEX;
    expm_work w = {.dtype = q->dtype, .z = z, .n = q->n, .wide = q->bytes / (z ? 2 : 1)};
    const int64_t most = q->n * q->n * (z ? 16 : 8);
    w.power = room;
    w.sum = room + POWERS * most;
    w.scale = (int *)(void *)(w.sum + SUMS * most);
    w.products = room + q->plain;
    w.products += (64 - (uintptr_t)w.products % 64) % 64;
    char *to = (char *)q->c->out->data + i * q->n * q->n * q->bytes, *y = NULL;
    if (!agni_matrix_copy_finite(w.power, agni_matrix_at(q->c->in, q->c->in, i), q->n, q->n,
                                 q->dtype))
        return AGNI_NOT_FINITE;
    const bool half = q->dtype == AGN_F32 || q->dtype == AGN_C64;
    int64_t code = 0;
    take_blocks(&w);
    if (half && !serves_half(&w))
        widen_matrices(&w);
    if (w.block == 1 && w.sets <= 2)
        y = exponentiate_number(&w);
    else
        code = taylor_exponential(&w, w.wide == 4 ? 0x1p-24 : half ? 0x1p-34 : 0x1p-53, &y);
    for (int64_t r = 0; !code && r < q->n; r++)
        for (int64_t s = 0; s < w.sets; s++) {
            const char *from = dense_row(&w, y, r, s);
            char *row = to + (r * q->n + s * w.block) * q->bytes;
            if (!from)
                memset(row, 0, (size_t)(w.block * q->bytes));
            else if (w.dtype == q->dtype)
                memcpy(row, from, (size_t)(w.block * q->bytes));
            else
                for (int64_t k = 0; k < w.block * (z ? 2 : 1); k++)
                    ((float *)(void *)row)[k] = (float)((const double *)(const void *)from)[k];
        }
    return code;
}

/* in f32 or f64, aligned */
static int64_t room_of_product(int64_t m, int64_t n, int64_t k)
{
    const int64_t half = (int64_t)agni_gemm_workspace(AGN_F32, m, n, k),
                  full = (int64_t)agni_gemm_workspace(AGN_F64, m, n, k);
    return 64 + (half > full ? half : full);
}

agn_status agni_cpu_matrix_exp(const agn_kernel_call *c)
{
    const agn_array *x = c->in;
    expm_job q = {.c = c, .dtype = x->dtype, .n = x->shape[x->ndim - 1],
                  .bytes = agni_dtypes[x->dtype].bytes};
    const bool z = agni_kind(x->dtype) == AGNI_KIND_COMPLEX;
    const int64_t batch = agni_batch_count(x, 2);
    q.plain = agni_room_of(((POWERS + SUMS) * q.n + 3) * q.n * (z ? 16 : 8));
    int64_t room = q.plain + room_of_product(SUMS, MANY, POWERS);
    for (int64_t n = q.n; !z && n > 0; n /= 2) { /* blocks have such orders */
        const int64_t more = q.plain + room_of_product(n, n, n);
        room = more > room ? more : room;
    }
    int64_t at = 0, code = batch && q.n
                               ? agni_each_with_room(batch, q.n, room, exponentiate_matrix, &q, &at)
                               : 0;
    if (code == AGNI_NOT_FINITE)
        return agni_not_finite(c->op, q.dtype, agni_matrix_at(x, x, at), q.n, at, 0);
    if (code == NO_DIGIT)
        return agni_fail(AGN_EDOMAIN,
                         "%s: matrix %lld of %lld is so large that rounding of its entries leaves "
                         "no digit",
                         c->op, (long long)at, (long long)batch);
    return code ? agni_lapack_failed(c, code, at, batch, room, "") : AGN_OK;
}
