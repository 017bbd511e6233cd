/* tools/cases-sparse.c - ops on sparse patterns: their values are the data, the patterns are fixed;
   wanted is what the dense matrix gives. */
#include "cases.h"

#include <agnesi/sparse.h>
#include <math.h>
#include <string.h>

/* ---- patterns ----------------------------------------------------------------------------- */

enum { SIDE = 3, ENTRIES = 7, TALL = 4, TALL_ENTRIES = 8, PLACES = 6, SHIFT = 4 };

typedef struct pattern {
    int rows, cols, n;
    int64_t begin[TALL + 1], column[TALL_ENTRIES];
} pattern;

static const pattern band = {SIDE, SIDE, ENTRIES, {0, 2, 5, 7}, {0, 1, 0, 1, 2, 1, 2}};
static const pattern ring = {SIDE, SIDE, ENTRIES, {0, 2, 4, 7}, {0, 2, 0, 1, 0, 1, 2}};
static const pattern tall = {TALL, SIDE, TALL_ENTRIES, {0, 2, 4, 6, 8}, {0, 1, 1, 2, 0, 2, 0, 1}};
/* places of a matrix by rows and columns, some of them twice */
static const int64_t twice[2][PLACES] = {{2, 0, 2, 1, 0, 2}, {1, 2, 1, 0, 2, 0}};

static const agn_tensor *whole(agn_scope *s, int64_t n, const int64_t *k)
{
    agn_tensor *x = NULL;
    agn_status st = agn_scope_status(s);
    if (!st)
        st = agn_from_host(&x, AGN_I64, 1, &n, k);
    return agn_scope_adopt(s, st, &x);
}

static const agn_tensor *matrix(agn_scope *s, const pattern *p, const agn_tensor *values)
{
    const agn_tensor *begin = whole(s, p->rows + 1, p->begin);
    const agn_tensor *column = whole(s, p->n, p->column);
    return ag_sparse_csr(s, p->rows, p->cols, begin, column, values);
}

/* is the entry k of row i the first of its column, so that the shift makes the matrix of full rank? */
static bool shifted_at(const pattern *p, int i, int64_t k)
{
    return i < SIDE && p->column[k] == (p->rows == SIDE ? i : (i + 1) % SIDE);
}

/* the same with large entries on a diagonal */
static const agn_tensor *regular(agn_scope *s, const pattern *p, const agn_tensor *values)
{
    double shift[TALL_ENTRIES] = {0};
    int64_t n = p->n;
    agn_tensor *x = NULL;
    for (int i = 0; i < p->rows; i++)
        for (int64_t k = p->begin[i]; k < p->begin[i + 1]; k++)
            shift[k] = SHIFT * shifted_at(p, i, k);
    agn_status st = agn_scope_status(s);
    if (!st)
        st = agn_from_host(&x, AGN_F64, 1, &n, shift);
    return matrix(s, p, ag_add(s, values, beside(s, values, agn_scope_adopt(s, st, &x))));
}

static void dense(const pattern *p, const wide *values, bool shifted, wide *a)
{
    memset(a, 0, (size_t)(p->rows * p->cols) * sizeof *a);
    for (int i = 0; i < p->rows; i++)
        for (int64_t k = p->begin[i]; k < p->begin[i + 1]; k++)
            a[i * p->cols + p->column[k]] = values[k] + (shifted && shifted_at(p, i, k) ? SHIFT : 0);
}

/* ---- calls ------------------------------------------------------------------------------------ */

static agn_status done(agn_scope *s, agn_tensor **out, const agn_tensor *y)
{
    if (y && agn_layout_of(y) != AGN_DENSE)
        y = ag_sparse_to_dense(s, y);
    agn_scope_return(s, out, y);
    return agn_scope_close(s);
}

#define RUN(name, expression)                                                            \
    static agn_status run_##name(agn_tensor **out, const op_case *c, int dtype,          \
                                 const agn_tensor *const *x)                             \
    {                                                                                    \
        (void)c, (void)dtype;                                                            \
        agn_scope *s = agn_scope_open(NULL);                                             \
        return done(s, out, expression);                                                 \
    }
RUN(product, ag_matmul(s, matrix(s, &band, x[0]), x[1]))
RUN(sampled, ag_sparse_values(s, ag_sparse_masked_matmul(s, x[0], x[1], matrix(s, &band, x[2]))))
RUN(square, ag_matmul(s, matrix(s, &band, x[0]), matrix(s, &ring, x[1])))
RUN(solve, ag_sparse_solve_with(s, regular(s, &band, x[0]), x[1], NULL))
RUN(lstsq, ag_sparse_lstsq(s, regular(s, &tall, x[0]), x[1], NULL))
RUN(logdet, ag_sparse_logdet(s, regular(s, &band, x[0]), NULL))
RUN(dense, matrix(s, &band, x[0]))
RUN(masked, ag_sparse_values(s, ag_sparse_mask_as(s, x[0], matrix(s, &band, x[1]))))
RUN(softmax, ag_sparse_values(s, ag_sparse_softmax(s, matrix(s, &band, x[0]), 1)))
RUN(sum, ag_add(s, matrix(s, &band, x[0]), matrix(s, &ring, x[1])))

static agn_status run_collected(agn_tensor **out, const op_case *c, int dtype,
                                const agn_tensor *const *x)
{
    (void)c, (void)dtype;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *row = whole(s, PLACES, twice[0]), *column = whole(s, PLACES, twice[1]);
    const agn_tensor *at = ag_stack(s, (const agn_tensor *[]){row, column}, 2, 0);
    const agn_tensor *a = ag_sparse_coo(s, 2, (const int64_t[]){SIDE, SIDE}, at, x[0]);
    return done(s, out, ag_sparse_values(s, ag_sparse_coalesce(s, a)));
}

/* the slopes of logdet are entries of the inverse */
static agn_status logdet(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)user;
    out[0] = ag_sparse_logdet(s, regular(s, &band, in[0]), NULL);
    return agn_scope_status(s);
}
static agn_status run_inverse(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    (void)c, (void)dtype;
    agn_fn *f = NULL, *slopes = NULL;
    agn_status st = agn_fn_new(&f, logdet, NULL, NULL, 1, 1);
    if (!st)
        st = agn_fn_grad(&slopes, f, NULL, 1);
    if (!st)
        st = agn_fn_call(out, agn_fn_n_out(slopes), slopes, x, agn_fn_n_in(slopes));
    agn_fn_release(slopes);
    agn_fn_release(f);
    return st;
}

/* ---- what they should give -------------------------------------------------------------------- */

#define WANT(name) static void want_##name(const op_case *c, int dtype, wide *const *x, wide *y)

/* y [n, m] = a [n, l] b [l, m] */
static void multiply(int n, int l, int m, const wide *a, const wide *b, wide *y)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            y[i * m + j] = 0;
            for (int k = 0; k < l; k++)
                y[i * m + j] += a[i * l + k] * b[k * m + j];
        }
}
/* y = a^-1 b by Gauss's elimination without pivots, and det a: the shift makes pivots large */
static wide eliminated(const wide *from, const wide *b, int columns, wide *y)
{
    wide a[SIDE * SIDE], det = 1;
    memcpy(a, from, sizeof a);
    memcpy(y, b, (size_t)(SIDE * columns) * sizeof *y);
    for (int k = 0; k < SIDE; k++)
        for (int i = 0; i < SIDE; i++) {
            wide f = i == k ? 0 : a[i * SIDE + k] / a[k * SIDE + k];
            for (int j = 0; j < SIDE; j++)
                a[i * SIDE + j] -= f * a[k * SIDE + j];
            for (int j = 0; j < columns; j++)
                y[i * columns + j] -= f * y[k * columns + j];
        }
    for (int i = 0; i < SIDE; i++) {
        det *= a[i * SIDE + i];
        for (int j = 0; j < columns; j++)
            y[i * columns + j] /= a[i * SIDE + i];
    }
    return det;
}
/* the entries of a at the places of p */
static void at_places(const pattern *p, const wide *a, wide *y)
{
    for (int i = 0; i < p->rows; i++)
        for (int64_t k = p->begin[i]; k < p->begin[i + 1]; k++)
            y[k] = a[i * p->cols + p->column[k]];
}

WANT(product)
{
    wide a[SIDE * SIDE];
    (void)dtype;
    dense(&band, x[0], false, a);
    multiply(SIDE, SIDE, (int)c->out.size[1], a, x[1], y);
}
WANT(sampled)
{
    wide a[SIDE * SIDE];
    (void)dtype;
    multiply(SIDE, (int)c->in[0].size[1], SIDE, x[0], x[1], a);
    at_places(&band, a, y);
}
WANT(square)
{
    wide a[SIDE * SIDE], b[SIDE * SIDE];
    (void)c, (void)dtype;
    dense(&band, x[0], false, a);
    dense(&ring, x[1], false, b);
    multiply(SIDE, SIDE, SIDE, a, b, y);
}
WANT(solve)
{
    wide a[SIDE * SIDE];
    (void)dtype;
    dense(&band, x[0], true, a);
    eliminated(a, x[1], (int)c->out.size[1], y);
}
WANT(lstsq)
{
    wide a[TALL * SIDE], t[SIDE * TALL], normal[SIDE * SIDE], right[SIDE * TALL];
    int columns = (int)c->out.size[1];
    (void)dtype;
    dense(&tall, x[0], true, a);
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < TALL; j++)
            t[i * TALL + j] = conjl(a[j * SIDE + i]);
    multiply(SIDE, TALL, SIDE, t, a, normal);
    multiply(SIDE, TALL, columns, t, x[1], right);
    eliminated(normal, right, columns, y);
}
WANT(logdet)
{
    wide a[SIDE * SIDE], none[SIDE];
    (void)c, (void)dtype;
    dense(&band, x[0], true, a);
    y[0] = logl(cabsl(eliminated(a, a, 1, none)));
}
/* of the conjugate transposed: the direction of steepest ascent */
WANT(inverse)
{
    static const wide eye[SIDE * SIDE] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    wide a[SIDE * SIDE], t[SIDE * SIDE];
    (void)c, (void)dtype;
    dense(&band, x[0], true, a);
    eliminated(a, eye, SIDE, t);
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            a[i * SIDE + j] = conjl(t[j * SIDE + i]);
    at_places(&band, a, y);
}
WANT(dense)
{
    (void)c, (void)dtype;
    dense(&band, x[0], false, y);
}
WANT(masked)
{
    (void)c, (void)dtype;
    at_places(&band, x[0], y);
}
/* places in order: (0, 2) twice, (1, 0), (2, 0), (2, 1) twice */
WANT(collected)
{
    (void)c, (void)dtype;
    y[0] = x[0][1] + x[0][4];
    y[1] = x[0][3];
    y[2] = x[0][5];
    y[3] = x[0][0] + x[0][2];
}
WANT(softmax)
{
    (void)c, (void)dtype;
    for (int i = 0; i < SIDE; i++) {
        long double sum = 0;
        for (int64_t k = band.begin[i]; k < band.begin[i + 1]; k++)
            sum += expl(creall(x[0][k]));
        for (int64_t k = band.begin[i]; k < band.begin[i + 1]; k++)
            y[k] = expl(creall(x[0][k])) / sum;
    }
}
WANT(sum)
{
    wide b[SIDE * SIDE];
    (void)c, (void)dtype;
    dense(&band, x[0], false, y);
    dense(&ring, x[1], false, b);
    for (int i = 0; i < SIDE * SIDE; i++)
        y[i] += b[i];
}

/* ---- the cases ----------------------------------------------------------------------------------- */

#define S(n, ...) {n, {__VA_ARGS__}}
#define CALL(name, wanted, on) .want = want_##wanted, .run = run_##name, .run_diff = on, .inner = true
const op_case cases_sparse[] = {
    {"sparse_spmm", 2, "DD", {S(1, 7), S(2, 3, 2)}, S(2, 3, 2), CALL(product, product, 3)},
    {"sparse_sddmm", 3, "DDD", {S(2, 3, 2), S(2, 2, 3), S(1, 7)}, S(1, 7), CALL(sampled, sampled, 3)},
    {"sparse_spgemm", 2, "DD", {S(1, 7), S(1, 7)}, S(2, 3, 3), CALL(square, square, 3)},
    {"sparse_linsolve", 2, "DD", {S(1, 7), S(2, 3, 2)}, S(2, 3, 2), CALL(solve, solve, 3)},
    {"sparse_lstsq", 2, "DD", {S(1, 8), S(2, 4, 2)}, S(2, 3, 2), CALL(lstsq, lstsq, 3)},
    {"sparse_logdet", 1, "D", {S(1, 7)}, {.ndim = 0}, CALL(logdet, logdet, 1)},
    {"sparse_inverse", 1, "D", {S(1, 7)}, S(1, 7), CALL(inverse, inverse, 1)},
    {"sparse_scatter", 1, "D", {S(1, 7)}, S(2, 3, 3), CALL(dense, dense, 1)},
    {"sparse_gather", 2, "DD", {S(2, 3, 3), S(1, 7)}, S(1, 7), CALL(masked, masked, 1)},
    {"sparse_collect", 1, "D", {S(1, 6)}, S(1, 4), CALL(collected, collected, 1)},
    {"sparse_softmax", 1, "D", {S(1, 7)}, S(1, 7), CALL(softmax, softmax, 1)},
    {"sparse_join", 2, "DD", {S(1, 7), S(1, 7)}, S(2, 3, 3), CALL(sum, sum, 3)},
    {.op = NULL},
};
