/* linalg/functions/cpu/expm.c - exponentials of matrices by scaling and squaring of Pade approximants,
   whose degree and scale follow norms of powers (Higham 2005; Al-Mohy & Higham 2009a), and their
   derivatives by numbers with units whose squares are 0 (Al-Mohy & Higham 2009b). */
#include "linalg/cpu/lapack_calls.h"

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
typedef struct expm_work {
    bool z;
    int64_t n, block, sets; /* order; order of a block; 2^d */
    int64_t reals, part;    /* doubles in all that is kept, in one block */
    double *a, *power[4], *u, *v, *t;
    lapack_int *piv;
} expm_work;

/* y of blocks += factor a b, or = */
static void multiply_block(const expm_work *w, double factor, const double *a, const double *b,
                           double *y, bool add)
{
    const double complex f = factor, kept = add;
    int n = (int)w->block;
    if (w->z)
        cblas_zgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, &f, a, n, b, n, &kept, y,
                    n);
    else
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, factor, a, n, b, n, add, y,
                    n);
}

static void multiply_square(const expm_work *w, const double *a, const double *b, double *y)
{
    for (int64_t s = 0; s < w->sets; s++) {
        multiply_block(w, 1, a, b + s * w->part, y + s * w->part, false);
        for (int64_t t = s; t > 0; t = (t - 1) & s) /* subsets of s */
            multiply_block(w, 1, a + t * w->part, b + (s ^ t) * w->part, y + s * w->part, true);
    }
}

/* x d = r, in place of r, by LU factors of the block of d without units, which d loses */
static int64_t divide_square(const expm_work *w, double *d, double *r)
{
    const int wide = w->z ? AGN_C128 : AGN_F64;
    lapack_int n = (lapack_int)w->block, code = 0;
    int64_t answer = agni_factor_lu(wide, w->block, w->block, d, w->piv);
    if (answer)
        return answer == AGNI_NO_ROOM ? answer : AGNI_LAPACK_REFUSED;
    for (int64_t s = 0; s < w->sets && !code; s++) {
        double *y = r + s * w->part;
        for (int64_t t = s; t > 0; t = (t - 1) & s)
            multiply_block(w, -1, r + (s ^ t) * w->part, d + t * w->part, y, true);
        /* of rows that are LAPACK's columns */
        code = w->z ? LAPACKE_zgetrs_work(LAPACK_COL_MAJOR, 'N', n, n, (void *)d, n, w->piv,
                                          (void *)y, n)
                    : LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, n, d, n, w->piv, y, n);
    }
    return code ? AGNI_LAPACK_REFUSED : 0;
}

/* of a [rows, cols], several columns at a time; of blocks one below the other it is the norm of the
   matrix that they stand for, whose last column of blocks holds each of them */
static double one_norm(const expm_work *w, const double *a, int64_t rows, int64_t cols)
{
    enum { AT_A_TIME = 16 };
    double most = 0;
    for (int64_t j = 0; j < cols; j += AT_A_TIME) {
        const int64_t width = cols - j < AT_A_TIME ? cols - j : AT_A_TIME;
        double sum[AT_A_TIME] = {0};
        for (int64_t i = 0; i < rows; i++)
            for (int64_t k = 0; k < width; k++)
                sum[k] += w->z ? cabs(((const double complex *)(const void *)a)[i * cols + j + k])
                               : fabs(a[i * cols + j + k]);
        for (int64_t k = 0; k < width; k++)
            most = fmax(most, sum[k]);
    }
    return most;
}

static void scale_numbers(double *a, int64_t n, int e)
{
    const double scale = ldexp(1, e);
    for (int64_t i = 0; i < n; i++)
        a[i] *= scale;
}

/* is every block of order 2 half in the first row [x, e; 0, x]? */
static bool has_unit(const expm_work *w, int64_t half)
{
    const int64_t z = w->z ? 2 : 1, row = w->n * z, h = half * z;
    for (int64_t at = 0; at < w->n * z; at += 2 * h)
        for (int64_t i = 0; i < half; i++) {
            const double *upper = w->a + at + i * row, *lower = upper + half * row;
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
            memcpy(w->t + s * w->part + i * line, w->a + i * w->n * z + s * line,
                   (size_t)line * sizeof *w->a);
    double *swap = w->a;
    w->a = w->t;
    w->t = swap;
}

/* row i of the dense matrix that v stands for, in the columns of this set; NULL where it is 0 */
static const double *dense_row(const expm_work *w, int64_t i, int64_t set)
{
    const int64_t r = i / w->block;
    return r & ~set ? NULL : w->v + (r ^ set) * w->part + i % w->block * (w->part / w->block);
}

/* y = sum of c[k] times 1, a^2, a^4, a^6, .. (k < n) */
static void add_powers(const expm_work *w, const double *c, int n, double *y)
{
    const double *p0 = w->power[0], *p1 = w->power[1], *p2 = w->power[2], *p3 = w->power[3];
    const double c1 = c[2], c2 = n > 2 ? c[4] : 0, c3 = n > 3 ? c[6] : 0, c4 = n > 4 ? c[8] : 0;
    for (int64_t i = 0; n == 4 && i < w->reals; i++)
        y[i] = c1 * p0[i] + c2 * p1[i] + c3 * p2[i];
    for (int64_t i = 0; n != 4 && i < w->reals; i++) {
        y[i] = c1 * p0[i];
        y[i] += n > 2 ? c2 * p1[i] : 0;
        y[i] += n > 4 ? c3 * p2[i] + c4 * p3[i] : 0;
    }
    for (int64_t i = 0; i < w->block; i++)
        y[i * (w->block + 1) * (w->z ? 2 : 1)] += c[0];
}

/* ---- degree and scale ---- */

/* Diagonal Pade approximants, and how large a matrix may be for each (Higham 2005) and, where the
   derivative counts, x of one unit, which is linear in e (Al-Mohy & Higham 2009b) */
enum { LAST_DEGREE = 4, BY_POWERS = 2 }; /* from the third on a^4 and a^6 decide */
static const int pade_degree[] = {3, 5, 7, 9, 13};
static const double theta[] = {1.495585217958292e-2, 2.539398330063230e-1, 9.504178996162932e-1,
                               2.097847961257068, 5.371920351148152},
                    theta1[] = {1.08e-2, 2.00e-1, 7.83e-1, 1.78, 4.74};

/* What stands for the norm of a at that degree: all even powers from a^4 on have norms of at most
   those of alpha = max(|a^4|^(1/4), |a^6|^(1/6)) (Al-Mohy & Higham 2009a, theorem 4.2). With one unit
   terms |a^i| |a^j| of the derivative of a^k, i + j + 1 = k > 2 m, are at most alpha^(k - 1) times
   the square of |a| / alpha and, if it is more than 1, of |a^2| / alpha^2. */
static double size_by_powers(const expm_work *w, double norm, int degree)
{
    const double second = one_norm(w, w->power[0], w->block, w->block),
                 fourth = one_norm(w, w->power[1], w->block, w->block),
                 sixth = one_norm(w, w->power[2], w->block, w->block),
                 alpha = fmax(pow(fourth, 1.0 / 4), pow(sixth, 1.0 / 6));
    if (w->sets == 1)
        return fmin(norm, alpha);
    const double more = norm / alpha * fmax(1, second / (alpha * alpha));
    return fmin(norm, alpha * pow(more, 1.0 / degree)); /* of 0 / 0 the norm */
}

/* Squarings besides, for what rounding makes of powers: the first term of the backward error, of
   |a|, is to be within it (Al-Mohy & Higham 2009a, (4.6)) */
static int squarings_for_rounding(const expm_work *w, int k)
{
    static const double first_term[] = {0, 0, 3432 * 1307674368e3, 48620 * 121645100408832e3,
                                        10400600 * 1.0888869450418352e28};
    const int n = (int)w->block, m = pade_degree[k];
    double *size = w->t, *x = w->u, *y = w->v, norm = 0, most = 0;
    for (int64_t i = 0; i < w->part / (w->z ? 2 : 1); i++)
        size[i] = w->z ? cabs(((const double complex *)(const void *)w->a)[i]) : fabs(w->a[i]);
    for (int i = 0; i < n; i++)
        x[i] = 1;
    for (int power = 1; power <= 2 * m + 1; power++) {
        cblas_dgemv(CblasRowMajor, CblasTrans, n, n, 1, size, n, x, 1, 0, y, 1);
        double *swap = x;
        x = y;
        y = swap;
        most = 0;
        for (int i = 0; i < n; i++)
            most = fmax(most, x[i]);
        norm = power == 1 ? most : norm;
    }
    const double excess = log2(most / norm / first_term[k] * 0x1p53) / (2 * m);
    return excess <= 0 ? 0 : excess < 1000 ? (int)ceil(excess) : 1000;
}

static int squarings_of(double size, double most)
{
    int e = 0;
    if (size > most)
        frexp(size / most, &e);
    return e;
}

static void rescale_powers(expm_work *w, int k, int e)
{
    scale_numbers(w->a, w->reals, e);
    for (int p = 0; p <= k && p <= BY_POWERS; p++)
        scale_numbers(w->power[p], w->reals, 2 * (p + 1) * e);
}

/* The number of an approximant; a for so many squarings, and its powers up to a^6 that it wants. The
   norm decides, and powers whether less will do. */
static int choose_degree(expm_work *w, double norm, int *squarings)
{
    enum { MOST_BACK = 160 };
    const double *most = w->sets == 2 ? theta1 : theta;
    int k = 0, low = BY_POWERS;
    *squarings = squarings_of(norm, most[LAST_DEGREE]);
    while (k < LAST_DEGREE && norm > most[k])
        k++;
    scale_numbers(w->a, w->reals, -*squarings);
    multiply_square(w, w->a, w->a, w->power[0]);
    if (k > 0)
        multiply_square(w, w->power[0], w->power[0], w->power[1]);
    if (k >= BY_POWERS)
        multiply_square(w, w->power[1], w->power[0], w->power[2]);
    if (k <= BY_POWERS || w->sets > 2)
        return k;
    double size = 0;
    for (;; low++) {
        size = size_by_powers(w, ldexp(norm, -*squarings), pade_degree[low]);
        size = ldexp(size, *squarings);
        if (low == LAST_DEGREE || size <= most[low])
            break;
    }
    int need = squarings_of(size, most[low]);
    need = need > *squarings - MOST_BACK ? need : *squarings - MOST_BACK;
    if (low == k && need >= *squarings)
        return k;
    rescale_powers(w, BY_POWERS, *squarings - need);
    const int more = squarings_for_rounding(w, low), back = *squarings - need;
    if (more > back || (more == back && low == k)) { /* as the norm says */
        rescale_powers(w, BY_POWERS, -back);
        return k;
    }
    rescale_powers(w, BY_POWERS, -more);
    *squarings = need + more;
    return low;
}

/* e^a in w->v; 0, or a code */
static int64_t pade_exponential(expm_work *w)
{
    static const double c[5][14] = {
        {120, 60, 12, 1},
        {30240, 15120, 3360, 420, 30, 1},
        {17297280, 8648640, 1995840, 277200, 25200, 1512, 56, 1},
        {17643225600, 8821612800, 2075673600, 302702400, 30270240, 2162160, 110880, 3960, 90, 1},
        {64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800,
         129060195264000, 10559470521600, 670442572800, 33522128640, 1323241920, 40840800, 960960,
         16380, 182, 1}};
    int squarings = 0, e = 0;
    take_blocks(w);
    double norm = one_norm(w, w->a, w->sets * w->block, w->block);
    if (!isfinite(norm))
        return AGNI_LAPACK_REFUSED;
    if (w->sets == 2) {
        norm = one_norm(w, w->a, w->block, w->block);
        frexp(one_norm(w, w->a + w->part, w->block, w->block), &e);
        e = e < -1000 ? -1000 : e;
        scale_numbers(w->a + w->part, w->part, -e);
    }
    const int k = choose_degree(w, norm, &squarings), degree = pade_degree[k],
              terms = degree == 13 ? 4 : (degree + 1) / 2; /* powers 0, 2, .. that are formed */
    if (degree == 9)
        multiply_square(w, w->power[2], w->power[0], w->power[3]);
    add_powers(w, c[k] + 1, terms, w->t); /* odd coefficients */
    add_powers(w, c[k], terms, w->v);
    if (degree == 13) { /* a^6 times what is left */
        for (int part = 0; part < 2; part++) {
            const double high[] = {0, 0, c[k][9 - part], 0, c[k][11 - part], 0, c[k][13 - part]};
            double *to = part ? w->v : w->t;
            add_powers(w, high, 4, w->u);
            multiply_square(w, w->power[2], w->u, w->power[3]);
            for (int64_t i = 0; i < w->reals; i++)
                to[i] += w->power[3][i];
        }
    }
    multiply_square(w, w->a, w->t, w->u);
    for (int64_t i = 0; i < w->reals; i++) { /* (v - u) x = v + u */
        double u = w->u[i], v = w->v[i];
        w->t[i] = v - u;
        w->v[i] = v + u;
    }
    /* x (v - u) = v + u, the same: both commute */
    int64_t code = divide_square(w, w->t, w->v);
    if (code)
        return code;
    for (; squarings > 0; squarings--) {
        multiply_square(w, w->v, w->v, w->t);
        double *swap = w->v;
        w->v = w->t;
        w->t = swap;
    }
    if (w->sets == 2)
        scale_numbers(w->v + w->part, w->part, e);
    return 0;
}

static int64_t exponentiate_matrix(void *user, int64_t i, char *room)
{
    const expm_job *q = user;
    expm_work w = {.z = agni_kind(q->dtype) == AGNI_KIND_COMPLEX, .n = q->n};
    const int64_t dense = q->n * q->n * (w.z ? 2 : 1);
    double *p = (double *)(void *)room;
    double **all[] = {&w.a, &w.power[0], &w.power[1], &w.power[2], &w.power[3], &w.u, &w.v, &w.t};
    for (int k = 0; k < 8; k++, p += dense)
        *all[k] = p;
    w.piv = (lapack_int *)(void *)p;
    char *y = (char *)q->c->out->data + i * q->n * q->n * q->bytes;
    if (!agni_matrix_copy_finite(y, agni_matrix_at(q->c->in, q->c->in, i), q->n, q->n, q->dtype))
        return AGNI_NOT_FINITE;
    int wide = w.z ? AGN_C128 : AGN_F64;
    if (wide == q->dtype)
        memcpy(w.a, y, (size_t)dense * sizeof *w.a);
    for (int64_t k = 0; wide != q->dtype && k < q->n * q->n; k++)
        agni_number_set(wide, w.a, k, agni_number_get(q->dtype, y, k));
    int64_t code = pade_exponential(&w);
    for (int64_t r = 0; !code && r < q->n; r++)
        for (int64_t s = 0; s < w.sets; s++) {
            const double *from = dense_row(&w, r, s);
            char *to = y + (r * q->n + s * w.block) * q->bytes;
            if (!from)
                memset(to, 0, (size_t)(w.block * q->bytes));
            else if (wide == q->dtype)
                memcpy(to, from, (size_t)(w.block * q->bytes));
            for (int64_t k = 0; from && wide != q->dtype && k < w.block; k++)
                agni_number_set(q->dtype, to, k, agni_number_get(wide, from, k));
        }
    return code;
}

agn_status agni_cpu_matrix_exp(const agn_kernel_call *c)
{
    const agn_array *x = c->in;
    expm_job q = {.c = c, .dtype = x->dtype, .n = x->shape[x->ndim - 1],
                  .bytes = agni_dtypes[x->dtype].bytes};
    int64_t batch = agni_batch_count(x, 2), at = 0, room = 8 * q.n * q.n * 16 + 4 * q.n + 64;
    int64_t code = batch && q.n
                       ? agni_each_with_room(batch, q.n, room, exponentiate_matrix, &q, &at)
                       : 0;
    if (code == AGNI_NOT_FINITE)
        return agni_not_finite(c->op, q.dtype, agni_matrix_at(x, x, at), q.n, at, 0);
    return code ? agni_lapack_failed(c, code, at, batch, room, "") : AGN_OK;
}
