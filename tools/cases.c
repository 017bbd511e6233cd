/* tools/cases.c - arguments for ops that are no element-wise rows, and what they
   should give: loops over the definition, on wide numbers. An op that is missing
   here has no cell that could be run, and verify fails until it has a case. */
#include "cases.h"

#include <math.h>
#include <string.h>

int64_t shape_count(const shape *s)
{
    int64_t n = 1;
    for (int i = 0; i < s->ndim; i++)
        n *= s->size[i];
    return n;
}

const agn_tensor *beside(agn_scope *s, const agn_tensor *x, const agn_tensor *constant)
{
    agn_tensor *y = NULL;
    if (!x || !constant || agn_is_symbolic(x))
        return constant;
    agn_status st = agn_to_device(&y, constant, agn_device_of(x));
    return agn_scope_adopt(s, st, &y);
}

/* place of the element i of a row-major array of shape s, axis by axis, and back */
static void places(const shape *s, int64_t i, int64_t *at)
{
    for (int d = s->ndim - 1; d >= 0; d--) {
        at[d] = i % s->size[d];
        i /= s->size[d];
    }
}

static int64_t element_at(const shape *s, const int64_t *at)
{
    int64_t i = 0;
    for (int d = 0; d < s->ndim; d++)
        i = i * s->size[d] + at[d];
    return i;
}

/* ---- movement -------------------------------------------------------------------- */

void want_same(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    memcpy(y, x[0], (size_t)shape_count(&c->out) * sizeof *y);
}

static void want_where(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    for (int64_t i = 0; i < shape_count(&c->out); i++)
        y[i] = x[0][i] != 0 ? x[1][i] : x[2][i % c->in[2].size[0]];
}

static void want_permute(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    for (int64_t i = 0; i < shape_count(&c->out); i++) {
        int64_t to[MOST_AXES], from[MOST_AXES];
        places(&c->out, i, to);
        for (int d = 0; d < c->out.ndim; d++)
            from[c->ints[d] + c->n_int] = to[d];
        y[i] = x[0][element_at(&c->in[0], from)];
    }
}

static void want_broadcast(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    for (int64_t i = 0; i < shape_count(&c->out); i++)
        y[i] = x[0][i / 2 % 3]; /* [3,1] to [2,3,2] */
}

/* slice and unslice name the same pairs of elements; whole is the larger array */
static void pair_slice(const op_case *c, const shape *whole, const shape *part,
                       const wide *x, wide *y, bool to_part)
{
    for (int64_t i = 0; i < shape_count(part); i++) {
        int64_t at[MOST_AXES];
        places(part, i, at);
        for (int d = 0; d < part->ndim; d++)
            at[d] = c->ints[3 * d] + c->ints[3 * d + 1] * at[d];
        int64_t k = element_at(whole, at);
        if (to_part)
            y[i] = x[k];
        else
            y[k] = x[i];
    }
}

static void want_slice(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    pair_slice(c, &c->in[0], &c->out, x[0], y, true);
}

static void want_unslice(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    for (int64_t i = 0; i < shape_count(&c->out); i++)
        y[i] = 0;
    pair_slice(c, &c->out, &c->in[0], x[0], y, false);
}

static void want_concat(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    int64_t left = c->in[0].size[1], right = c->in[1].size[1];
    for (int64_t i = 0; i < c->out.size[0]; i++)
        for (int64_t j = 0; j < left + right; j++)
            y[i * (left + right) + j] = j < left ? x[0][i * left + j]
                                                 : x[1][i * right + j - left];
}

/* ---- indexing: x [n, m], rows named by an index, negative from the end ----------- */

static int64_t row_of(const op_case *c, wide k)
{
    int64_t i = (int64_t)creall(k);
    return i < 0 ? i + c->in[0].size[0] : i;
}

static void want_gather(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    int64_t m = c->in[0].size[1];
    for (int64_t i = 0; i < c->in[1].size[0]; i++)
        memcpy(y + i * m, x[0] + row_of(c, x[1][i]) * m, (size_t)m * sizeof *y);
}

static void want_scatter(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    bool add = !strcmp(c->op, "scatter_add");
    int64_t m = c->in[0].size[1];
    memcpy(y, x[0], (size_t)shape_count(&c->out) * sizeof *y);
    for (int64_t i = 0; i < c->in[1].size[0]; i++)
        for (int64_t j = 0; j < m; j++) {
            wide *to = y + row_of(c, x[1][i]) * m + j;
            *to = (add ? *to : 0) + x[2][i * m + j];
        }
}

/* ---- products -------------------------------------------------------------------- */

static void want_matmul(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    int64_t m = c->in[0].size[0], k = c->in[0].size[1], n = c->in[1].size[1];
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            y[i * n + j] = 0;
            for (int64_t l = 0; l < k; l++)
                y[i * n + j] += x[0][i * k + l] * x[1][l * n + j];
        }
}

/* ---- the cases ------------------------------------------------------------------- */

#define S(n, ...)       \
    {                   \
        n,              \
        {               \
            __VA_ARGS__ \
        }               \
    }
static const op_case cases[] = {
    {"where",
     3,
     "BDD",
     {S(2, 2, 3), S(2, 2, 3), S(1, 3)},
     S(2, 2, 3),
     .want = want_where},
    {"cast", 1, "D", {S(1, 5)}, S(1, 5), 1, {AGN_C128}, .want = want_same},
    {"copy", 1, "D", {S(2, 2, 3)}, S(2, 2, 3), .want = want_same},
    {"stop_gradient", 1, "D", {S(2, 2, 3)}, S(2, 2, 3), .want = want_same},
    {"watch", 1, "D", {S(2, 2, 3)}, S(2, 2, 3), .want = want_same},
    {"reshape", 1, "D", {S(2, 2, 3)}, S(2, 3, 2), 2, {3, 2}, .want = want_same},
    {"permute",
     1,
     "D",
     {S(3, 2, 3, 2)},
     S(3, 2, 2, 3),
     3,
     {-1, -3, -2},
     .want = want_permute},
    {"broadcast_to",
     1,
     "D",
     {S(2, 3, 1)},
     S(3, 2, 3, 2),
     3,
     {2, 3, 2},
     .want = want_broadcast},
    {"slice",
     1,
     "D",
     {S(2, 5, 4)},
     S(2, 2, 2),
     6,
     {4, -2, 2, 1, 2, 2},
     .want = want_slice},
    {"unslice",
     1,
     "D",
     {S(2, 2, 2)},
     S(2, 5, 4),
     6,
     {4, -2, 5, 1, 2, 4},
     .want = want_unslice},
    {"concat",
     2,
     "DD",
     {S(2, 2, 2), S(2, 2, 1)},
     S(2, 2, 3),
     1,
     {-1},
     .want = want_concat},
    {"gather",
     2,
     "DI",
     {S(2, 4, 3), S(1, 3)},
     S(2, 3, 3),
     2,
     {-2, 0},
     {2, -4, 2},
     .want = want_gather},
    {"sparse_embedding",
     2,
     "DI",
     {S(2, 4, 3), S(1, 3)},
     S(2, 3, 3),
     2,
     {-2, 0},
     {2, -4, 2},
     .want = want_gather},
    {"scatter_add",
     3,
     "DID",
     {S(2, 4, 2), S(1, 3), S(2, 3, 2)},
     S(2, 4, 2),
     2,
     {-2, 0},
     {1, -1, 1},
     .want = want_scatter},
    {"scatter_put",
     3,
     "DID",
     {S(2, 4, 2), S(1, 2), S(2, 2, 2)},
     S(2, 4, 2),
     2,
     {-2, 0},
     {1, -1},
     .want = want_scatter},
    {"matmul", 2, "DD", {S(2, 2, 3), S(2, 3, 4)}, S(2, 2, 4), .want = want_matmul},
    {"linalg_cholesky",
     1,
     "D",
     {S(2, 3, 3)},
     S(2, 3, 3),
     1,
     {0},
     .want = want_cholesky,
     .run = run_cholesky,
     .run_diff = 1},
    {"linalg_triangle",
     1,
     "D",
     {S(2, 3, 3)},
     S(2, 3, 3),
     1,
     {0},
     .reals = {0.5},
     .n_real = 1,
     .want = want_triangle},
    {"linalg_triangular_solve",
     2,
     "DD",
     {S(2, 3, 3), S(2, 3, 2)},
     S(2, 3, 2),
     1,
     {0},
     .want = want_triangular,
     .run = run_triangular,
     .run_diff = 3},
    {"linalg_lu_factor",
     2,
     "DD",
     {S(2, 3, 3), S(2, 3, 2)},
     S(2, 3, 2),
     1,
     {0},
     .want = want_solution,
     .run = run_lu,
     .run_diff = 3},
    {"linalg_lu_solve",
     2,
     "DD",
     {S(2, 3, 3), S(2, 3, 2)},
     S(2, 3, 2),
     1,
     {0},
     .want = want_solution,
     .run = run_lu,
     .run_diff = 3},
    {"fft_r2c",
     1,
     "D",
     {S(1, 6)},
     S(1, 4),
     1,
     {-1},
     .reals = {0.5, 2},
     .n_real = 2,
     .want = want_r2c},
    {"fft_c2r",
     1,
     "D",
     {S(1, 4)},
     S(1, 6),
     2,
     {-1, 6},
     .reals = {0.5, 1},
     .n_real = 2,
     .want = want_c2r},
    {"fft_c2c",
     1,
     "D",
     {S(1, 5)},
     S(1, 5),
     2,
     {-1, -1},
     .reals = {0.5},
     .n_real = 1,
     .want = want_c2c},
    {"fft_r2r",
     1,
     "D",
     {S(1, 5)},
     S(1, 5),
     2,
     {-1, 1},
     .reals = {0.5, 1, 0.7},
     .n_real = 3,
     .want = want_r2r},
    {"signal_frame", 1, "D", {S(1, 7)}, S(2, 3, 3), 2, {3, 2}, .want = want_frame},
    {"signal_overlap_add", 1, "D", {S(2, 3, 3)}, S(1, 7), 2, {7, 2}, .want = want_overlap},
    {"signal_allpole", 2, "DD", {S(1, 5), S(1, 2)}, S(1, 5), 1, {0}, .want = want_allpole},
    {"fft_gather", 2, "DD", {S(1, 16), S(2, 3, 1)}, S(1, 3), 2, {16, 0}, .reals = {36.8}, .n_real = 1,
     .want = want_about, .run = run_spread, .run_diff = 3, .inner = true},
    {"fft_spread", 2, "DD", {S(1, 3), S(2, 3, 1)}, S(1, 16), 3, {16, 16, 0}, .reals = {36.8}, .n_real = 1,
     .want = want_added, .run = run_spread, .run_diff = 3, .inner = true},
    {"signal_stft", 2, "DD", {S(1, 7), S(1, 4)}, S(2, 2, 3), 1, {3}, .reals = {0.5, 2}, .n_real = 2,
     .want = want_stft},
    {"signal_stft_adjoint", 2, "DD", {S(2, 2, 3), S(1, 4)}, S(1, 7), 2, {7, 3}, .reals = {0.5, 2}, .n_real = 2,
     .want = want_stft_adjoint, .run = run_stft_adjoint, .run_diff = 3, .inner = true},
    {"signal_stft_both", 2, "DD", {S(1, 7), S(1, 4)}, S(2, 2, 4), 2, {3, -1}, .reals = {0.5}, .n_real = 1,
     .want = want_stft_both, .run = run_stft_adjoint, .run_diff = 3, .inner = true},
    {"signal_stft_both_adjoint", 2, "DD", {S(2, 2, 4), S(1, 4)}, S(1, 7), 3, {7, 3, 1}, .reals = {0.5}, .n_real = 1,
     .want = want_stft_both_adjoint, .run = run_stft_adjoint, .run_diff = 3, .inner = true},
    {.op = NULL},
};

/* one table for each area, ended by a row without a name */
static const op_case *const tables[] = {
    cases,
    cases_index,
    cases_product,
    cases_reduce,
    cases_random,
    cases_sparse,
    cases_graph,
    cases_control,
    cases_linalg,
    cases_special,
    cases_integrals,
    cases_waves,
};

const op_case *case_of(const char *op)
{
    for (int t = 0; t < (int)(sizeof tables / sizeof *tables); t++)
        for (const op_case *c = tables[t]; c->op; c++)
            if (!strcmp(c->op, op))
                return c;
    return NULL;
}
