/* linalg/orthogonal/cpu/qr_change.c - QR factors after a change of rank 1, of rows or of columns,
   by plane rotations (Golub & Van Loan 2013, 6.5; Daniel, Gragg, Kaufman & Stewart 1976). In double
   complex: q by rows, r by rows. */
#include "linalg/cpu/lapack_calls.h"
#include "linalg/orthogonal/qr_change.h"

#include <string.h>

typedef double complex number;
enum { DEPENDENT = 1 };

typedef struct change_job {
    const agn_kernel_call *c;
    int dtype;
    int64_t m, k, n, m1, k1, n1, kind, at, count;
    bool complete;
} change_job;

/* q [m, k] and r [k, n] within room for one row and column more; lines of them lq and lr numbers
   apart; w: k + 1 numbers */
typedef struct factors {
    number *q, *r, *w, *x;
    int64_t m, k, n, lq, lr;
    double eps;
} factors;

/* [c, s; -conj(s), c] takes (f, g) to (rho, 0) */
static void make_rotation(number f, number g, double *c, number *s)
{
    double a = cabs(f), b = cabs(g), rho = hypot(a, b);
    *c = a > 0 ? a / rho : 0;
    *s = a > 0 ? f / a * (conj(g) / rho) : conj(g) / b;
}

/* rows i - 1 and i of r from a column on, and columns of q */
static void rotate_columns(factors *f, int64_t i, int64_t from, double c, number s)
{
    number *a = f->r + (i - 1) * f->lr, *b = a + f->lr;
    for (int64_t j = from; j < f->n; j++) {
        number x = a[j], y = b[j];
        a[j] = c * x + s * y;
        b[j] = c * y - conj(s) * x;
    }
    for (int64_t j = 0; j < f->m; j++) {
        number *p = f->q + j * f->lq + i - 1, x = p[0], y = p[1];
        p[0] = c * x + conj(s) * y;
        p[1] = c * y - s * x;
    }
}

/* w to a multiple of the first unit vector, from below */
static void gather_in_first(factors *f)
{
    for (int64_t i = f->k - 1; i > 0; i--) {
        double c;
        number s;
        if (f->w[i] == 0)
            continue;
        make_rotation(f->w[i - 1], f->w[i], &c, &s);
        f->w[i - 1] = c * f->w[i - 1] + s * f->w[i];
        f->w[i] = 0;
        rotate_columns(f, i, 0, c, s);
    }
}

/* zeros below the diagonal, column by column and from below */
static void make_triangular(factors *f)
{
    for (int64_t j = 0; j < f->n; j++)
        for (int64_t i = f->k - 1; i > j; i--) {
            number *a = f->r + (i - 1) * f->lr + j, *b = a + f->lr;
            double c;
            number s;
            if (*b == 0)
                continue;
            make_rotation(*a, *b, &c, &s);
            rotate_columns(f, i, j, c, s);
            *b = 0;
        }
}

/* w = q^H x; what is left of x, made orthogonal once more, becomes a further column of q where it
   is no rounding */
static bool project_vector(factors *f, bool extend)
{
    double size = 0, rest = 0;
    for (int64_t i = 0; i < f->m; i++)
        size = hypot(size, cabs(f->x[i]));
    memset(f->w, 0, (size_t)(f->k + 1) * sizeof *f->w);
    for (int pass = 0; pass < (extend ? 3 : 1); pass++)
        for (int64_t j = 0; j < f->k; j++) {
            number p = 0;
            for (int64_t i = 0; i < f->m; i++)
                p += conj(f->q[i * f->lq + j]) * f->x[i];
            f->w[j] += p;
            for (int64_t i = 0; i < f->m && extend; i++)
                f->x[i] -= p * f->q[i * f->lq + j];
        }
    for (int64_t i = 0; i < f->m; i++)
        rest = hypot(rest, cabs(f->x[i]));
    if (!extend || !(rest > 8 * (double)f->m * f->eps * size))
        return false;
    for (int64_t i = 0; i < f->m; i++)
        f->q[i * f->lq + f->k] = f->x[i] / rest;
    memset(f->r + f->k * f->lr, 0, (size_t)f->lr * sizeof *f->r);
    f->w[f->k++] = rest;
    return true;
}

static void apply_update(factors *f, const number *v, bool extend)
{
    int64_t k = f->k;
    project_vector(f, extend);
    gather_in_first(f);
    for (int64_t j = 0; j < f->n && f->k; j++)
        f->r[j] += f->w[0] * conj(v[j]);
    make_triangular(f);
    f->k = k;
}

static bool insert_column(factors *f, int64_t at, bool extend)
{
    if (!project_vector(f, extend) && extend)
        return false;
    for (int64_t i = 0; i < f->k; i++) {
        number *row = f->r + i * f->lr;
        memmove(row + at + 1, row + at, (size_t)(f->n - at) * sizeof *row);
        row[at] = f->w[i];
    }
    f->n++;
    make_triangular(f);
    return true;
}

static void delete_columns(factors *f, int64_t at, int64_t count)
{
    for (int64_t i = 0; i < f->k; i++) {
        number *row = f->r + i * f->lr;
        memmove(row + at, row + at + count, (size_t)(f->n - at - count) * sizeof *row);
    }
    f->n -= count;
    make_triangular(f);
}

/* [row; r] and [e, q], rows of q in their places */
static void insert_row(factors *f, int64_t at, const number *row)
{
    memmove(f->r + f->lr, f->r, (size_t)(f->k * f->lr) * sizeof *f->r);
    memcpy(f->r, row, (size_t)f->n * sizeof *f->r);
    memmove(f->q + (at + 1) * f->lq, f->q + at * f->lq,
            (size_t)((f->m - at) * f->lq) * sizeof *f->q);
    memset(f->q + at * f->lq, 0, (size_t)f->lq * sizeof *f->q);
    f->m++;
    for (int64_t i = 0; i < f->m; i++) {
        number *p = f->q + i * f->lq;
        memmove(p + 1, p, (size_t)f->k * sizeof *p);
        p[0] = i == at;
    }
    f->k++;
    make_triangular(f);
}

/* the row of q becomes the first unit vector: without it and that vector, q stays orthonormal */
static bool delete_row(factors *f, int64_t at, bool extend)
{
    memset(f->x, 0, (size_t)f->m * sizeof *f->x);
    f->x[at] = 1;
    if (!project_vector(f, extend) && extend)
        return false;
    gather_in_first(f);
    memmove(f->r, f->r + f->lr, (size_t)((f->k - 1) * f->lr) * sizeof *f->r);
    memmove(f->q + at * f->lq, f->q + (at + 1) * f->lq,
            (size_t)((f->m - at - 1) * f->lq) * sizeof *f->q);
    f->m--;
    f->k--;
    for (int64_t i = 0; i < f->m; i++)
        memmove(f->q + i * f->lq, f->q + i * f->lq + 1, (size_t)f->k * sizeof *f->q);
    make_triangular(f);
    return true;
}

static void make_diagonal_real(factors *f)
{
    for (int64_t i = 0; i < f->k && i < f->n; i++) {
        number d = f->r[i * f->lr + i], phase = d / cabs(d);
        if (cimag(d) == 0)
            continue;
        for (int64_t j = i; j < f->n; j++)
            f->r[i * f->lr + j] *= conj(phase);
        f->r[i * f->lr + i] = cabs(d);
        for (int64_t j = 0; j < f->m; j++)
            f->q[j * f->lq + i] *= phase;
    }
}

static bool copy_in(const change_job *q, int which, int64_t i, int64_t rows, int64_t cols,
                    number *to, int64_t lead)
{
    agni_lapack_matrix a = agni_matrix_at(q->c->in + which, q->c->out, i);
    bool finite = true;
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < cols; c++) {
            number v = agni_number_get(
                q->dtype, a.p + (r * a.rs + c * a.cs) * agni_dtypes[q->dtype].bytes, 0);
            finite = finite && isfinite(creal(v)) && isfinite(cimag(v));
            to[r * lead + c] = v;
        }
    return finite;
}

static int64_t change_one(void *user, int64_t i, char *room)
{
    const change_job *q = user;
    int64_t high = (q->m > q->m1 ? q->m : q->m1) + 1, wide = (q->k > q->k1 ? q->k : q->k1) + 2,
            line = (q->n > q->n1 ? q->n : q->n1) + 1,
            rows = q->kind == AGNI_QR_INSERT_ROWS ? q->count : 0;
    factors f = {.q = (number *)(void *)room,
                 .m = q->m,
                 .k = q->k,
                 .n = q->n,
                 .lq = wide,
                 .lr = line,
                 .eps = agni_eps_of(q->dtype)};
    f.r = f.q + high * wide;
    f.w = f.r + wide * line;
    f.x = f.w + wide;
    number *y = f.x + high, *given = y + line;
    const bool extend = !q->complete, columns = q->kind == AGNI_QR_INSERT_COLUMNS;
    bool good = copy_in(q, 0, i, q->m, q->k, f.q, wide);
    good = copy_in(q, 1, i, q->k, q->n, f.r, line) && good;
    if (q->kind == AGNI_QR_UPDATE) {
        good = copy_in(q, 2, i, q->m, 1, f.x, 1) && good;
        good = copy_in(q, 3, i, q->n, 1, y, 1) && good;
    } else if (rows || columns)
        good = copy_in(q, 2, i, rows ? rows : q->m, rows ? q->n : q->count, given,
                       rows ? q->n : q->count) &&
               good;
    if (!good)
        return AGNI_NOT_FINITE;
    for (int64_t a = 0; a < q->k; a++) /* what lies below the diagonal is not read */
        memset(f.r + a * line, 0, (size_t)(a < q->n ? a : q->n) * sizeof *f.r);
    if (q->kind == AGNI_QR_UPDATE)
        apply_update(&f, y, extend);
    for (int64_t p = 0; p < q->count && good; p++) {
        if (columns) {
            for (int64_t a = 0; a < q->m; a++)
                f.x[a] = given[a * q->count + p];
            good = insert_column(&f, q->at + p, extend);
        } else if (q->kind == AGNI_QR_INSERT_ROWS) {
            insert_row(&f, q->at + p, given + p * q->n);
            f.k = q->complete ? f.k : q->k; /* reduced: the last row of r is 0 */
        } else if (q->kind == AGNI_QR_DELETE_ROWS)
            good = delete_row(&f, q->at, extend);
    }
    if (q->kind == AGNI_QR_DELETE_COLUMNS)
        delete_columns(&f, q->at, q->count);
    if (!good)
        return DEPENDENT;
    make_diagonal_real(&f);
    for (int64_t a = 0; a < q->m1; a++)
        for (int64_t b = 0; b < q->k1; b++)
            agni_number_set(q->dtype, q->c->out[0].data, (i * q->m1 + a) * q->k1 + b,
                            f.q[a * wide + b]);
    for (int64_t a = 0; a < q->k1; a++)
        for (int64_t b = 0; b < q->n1; b++)
            agni_number_set(q->dtype, q->c->out[1].data, (i * q->k1 + a) * q->n1 + b,
                            a > b ? 0 : f.r[a * line + b]);
    return 0;
}

agn_status agni_cpu_qr_change(const agn_kernel_call *c)
{
    const agn_array *Q = c->in, *R = c->in + 1, *y = c->out, *t = c->out + 1;
    change_job q = {.c = c,
                    .dtype = y->dtype,
                    .m = Q->shape[Q->ndim - 2],
                    .k = Q->shape[Q->ndim - 1],
                    .n = R->shape[R->ndim - 1],
                    .m1 = y->shape[y->ndim - 2],
                    .k1 = y->shape[y->ndim - 1],
                    .n1 = t->shape[t->ndim - 1],
                    .kind = c->ints[0],
                    .at = c->ints[1],
                    .count = c->ints[2],
                    .complete = Q->shape[Q->ndim - 2] == Q->shape[Q->ndim - 1]};
    int64_t batch = agni_batch_count(y, 2), at = 0, high = (q.m > q.m1 ? q.m : q.m1) + 1,
            wide = (q.k > q.k1 ? q.k : q.k1) + 2, line = (q.n > q.n1 ? q.n : q.n1) + 1;
    int64_t given = q.kind == AGNI_QR_INSERT_ROWS      ? q.count * q.n
                    : q.kind == AGNI_QR_INSERT_COLUMNS ? q.count * q.m
                                                       : 0;
    int64_t room = (high * wide + wide * line + wide + high + line + given + 1) *
                   (int64_t)sizeof(number);
    int64_t code = batch ? agni_each_with_room(batch, q.m, room, change_one, &q, &at) : 0;
    if (code == AGNI_NOT_FINITE)
        return agni_refuse_not_finite(c, y, at);
    if (code == DEPENDENT)
        return agni_fail(AGN_EDOMAIN,
                         "%s: matrix %lld of %lld: columns of the reduced factors become dependent",
                         c->op, (long long)at, (long long)batch);
    return code ? agni_lapack_failed(c, code, at, batch, room, "") : AGN_OK;
}
