/* tests/fuzz/program-wide.c - programs over the rows of a batch, which lie along the first axis or the
   last: as many as make vectors, tiles, chunks of a region, and their tails. Steps are those that users
   of batches write: rows, folds over either axis, layers, outer products, numbers that lie in arrays. */
#include "draw.h"

enum { PER_ROW = 48, MOST_NUMBERS = 1 << 16 };

/* what lies in the inputs: a number; data of m and k columns, and of one; m numbers; m x k weights */
enum { NUMBER, DATA, OTHER, COLUMN, NUMBERS, WEIGHTS };

static const int16_t rows[] = {1,    2,    3,    5,    7,    8,    9,    15,   16,
                               17,   31,   33,   63,   64,   65,   97,   127,  129,
                               193,  255,  256,  257,  300,  511,  513,  777,  1000,
                               1024, 1025, 1026, 1500, 1537, 2000, 2049, 3000, 4097};
static const int8_t columns[] = {1, 2, 3, 5, 7, 8, 9, 12, 16};

void wide_begin(drawing *g)
{
    g->rows = below(g, 4) ? rows[below(g, COUNT(rows))] : 1 + below(g, 3000);
    g->last = below(g, 2);
    g->size[0] = columns[below(g, COUNT(columns))];
    g->size[1] = columns[below(g, COUNT(columns))];
}
int wide_elements(const drawing *g)
{
    int64_t n = g->rows * PER_ROW;
    return (int)(n < 4 * PER_ROW ? 4 * PER_ROW : n > MOST_NUMBERS ? MOST_NUMBERS : n);
}
int wide_input(drawing *g, int i, int64_t *shape)
{
    const int64_t n = g->rows, m = g->size[0], k = g->size[1];
    const struct {
        int ndim;
        int64_t shape[2];
    } inputs[] = {{0, {1, 1}}, {2, {n, m}}, {2, {n, k}}, {1, {n, 1}}, {1, {m, 1}}, {2, {m, k}}};
    bool turned = g->last && inputs[i].ndim == 2;
    shape[0] = inputs[i].shape[turned];
    shape[1] = inputs[i].shape[!turned];
    return inputs[i].ndim;
}

/* has v the rows of the batch where they lie? */
static bool batched(const drawing *g, int v)
{
    int n = rank_of(g, v);
    return n && length_of(g, v, g->last ? -1 : -n) == g->rows;
}
static int pick_batched(drawing *g, int rank)
{
    int v = -1;
    for (int k = 0; k < 6; k++) {
        v = pick_ranked(g, REAL, rank);
        if (v >= 0 && batched(g, v))
            return v;
    }
    return rank > 1 ? DATA : v;
}

/* ---- steps ------------------------------------------------------------------------------------- */

/* what stands in networks, losses and laws of physics, so that chains of it arise */
int draw_common(drawing *g)
{
    static const char *const op[] = {"add",     "sub",    "mul",     "mul",  "div", "maximum",
                                     "minimum", "tanh",   "sin",     "cos",  "exp", "log",
                                     "sqrt",    "square", "sigmoid", "relu", "abs", "softplus",
                                     "neg",     "add",    "mul",     "gelu", "erf", "reciprocal"};
    const char *name = op[below(g, COUNT(op))];
    return agni_op_find(name) ? draw_row(g, agni_op_find(name)) : -1;
}
static const char *const two[] = {"mul", "add", "sub", "maximum", "minimum"};

/* every column of a with every one of b, row by row */
static int draw_outer(drawing *g)
{
    int a = pick_batched(g, 2), b = pick_batched(g, 2);
    if (!batched(g, a) || !batched(g, b) || rank_of(g, a) != 2 || rank_of(g, b) != 2)
        return -1;
    int64_t n = g->rows, m = agn_numel(g->value[a]) / n, k = agn_numel(g->value[b]) / n;
    if (n * m * k > g->most)
        return -1;
    a = push_ints(g, "reshape", 1, &a, 3, g->last ? I64(m, 1, n) : I64(n, m, 1));
    b = push_ints(g, "reshape", 1, &b, 3, g->last ? I64(1, k, n) : I64(n, 1, k));
    return push(g, two[below(g, COUNT(two))], 2, ARGS(a, b));
}
/* a column beside all columns */
static int draw_spread(drawing *g)
{
    int a = pick_batched(g, 2), n = rank_of(g, a);
    if (!batched(g, a) || n != 2)
        return -1;
    int64_t shape[2] = {g->last ? 1 : g->rows, g->last ? g->rows : 1};
    int c = below(g, 2) ? COLUMN : pick_batched(g, 1);
    if (rank_of(g, c) != 1 || !batched(g, c))
        c = COLUMN;
    c = push_ints(g, "reshape", 1, &c, 2, shape);
    return push(g, two[below(g, COUNT(two))], 2, below(g, 2) ? ARGS(a, c) : ARGS(c, a));
}
/* numbers out of an array, as coefficients are: a q, a q + q', max(a, q) ... */
static int number(drawing *g)
{
    int v = below(g, 3) ? NUMBERS : pick_ranked(g, REAL, 1);
    if (rank_of(g, v) != 1)
        v = NUMBERS;
    v = push_ints(g, "slice", 1, &v, 3, I64(below(g, (int)length_of(g, v, -1)), 1, 1));
    return push_ints(g, "reshape", 1, &v, 0, NULL);
}
static int draw_numbers(drawing *g)
{
    int a = pick_batched(g, 1), q = number(g);
    int y = push(g, two[below(g, COUNT(two))], 2, below(g, 2) ? ARGS(a, q) : ARGS(q, a));
    return below(g, 2) ? push(g, "add", 2, ARGS(y, below(g, 2) ? q : number(g))) : y;
}
/* a product with weights, which are an input or held, a bias, a nonlinearity */
static int draw_layer(drawing *g)
{
    int a = pick_batched(g, 2), n = rank_of(g, a);
    int64_t k = length_of(g, a, g->last ? -2 : -1), shape[2];
    int w = WEIGHTS, from = g->last ? -1 : -2, to = -3 - from;
    if (n != 2 || !batched(g, a))
        return -1;
    shape[g->last] = k;
    shape[!g->last] = columns[below(g, COUNT(columns))];
    if (length_of(g, w, from) != k && length_of(g, w, to) == k) {
        w = push_ints(g, "permute", 1, &w, 2, I64(-1, -2));
    } else if (length_of(g, w, from) != k) {
        for (int64_t i = 0; i < shape[0] * shape[1]; i++)
            g->room[i] = between(g, -1, 1);
        w = push_constant(g, AGN_F64, 2, shape, g->room);
    }
    int y = push(g, "matmul", 2, g->last ? ARGS(w, a) : ARGS(a, w));
    if (y >= 0 && below(g, 2))
        y = push(g, "add", 2, ARGS(y, number(g)));
    return y >= 0 && below(g, 2) ? push(g, below(g, 2) ? "tanh" : "sin", 1, &y) : y;
}
/* along the other axis, or all but the batch: so that a row is left */
static int draw_fold_columns(drawing *g)
{
    static const char *const op[] = {"sum", "sum",       "sum",  "max",
                                     "min", "logsumexp", "amax", "amin"};
    int a = pick_batched(g, 2), n = rank_of(g, a), m = 0;
    if (!batched(g, a))
        return -1;
    int64_t at[1 + MOST_AXES] = {below(g, 2)};
    for (int i = 1; i <= n; i++)
        if (i != (g->last ? 1 : n) && (below(g, 2) || (m == 0 && i >= n - 1)))
            at[++m] = -i;
    return push_ints(g, op[below(g, COUNT(op))], 1, &a, 1 + m, at);
}
/* over the batch, as normalisation does; a sum is brought down to a mean */
static int draw_fold_batch(drawing *g)
{
    static const char *const op[] = {"sum", "sum", "max", "min", "logsumexp"};
    int a = pick_batched(g, 1), k = below(g, COUNT(op));
    if (!batched(g, a))
        return -1;
    a = push_scaled(g, a, k < 2 ? 1.0 / (double)g->rows : 1, 0);
    return a < 0 ? -1
                 : push_ints(g, op[k], 1, &a, 2, I64(below(g, 2), g->last ? -1 : -rank_of(g, a)));
}
/* less its mean, over its deviation, by the batch or by the columns; or softmax */
static int draw_normalised(drawing *g)
{
    int a = pick_batched(g, 2), n = rank_of(g, a), axis = -1 - below(g, n ? n : 1);
    if (!n)
        return -1;
    const double share = 1.0 / (double)length_of(g, a, axis);
    if (below(g, 3) == 0) {
        int top = push_ints(g, "max", 1, &a, 2, I64(1, axis));
        int e = push(g, "exp", 1, ARGS(push(g, "sub", 2, ARGS(a, top))));
        return push(g, "div", 2, ARGS(e, push_ints(g, "sum", 1, &e, 2, I64(1, axis))));
    }
    int mean = push_ints(g, "sum", 1, ARGS(push_scaled(g, a, share, 0)), 2, I64(1, axis));
    int c = push(g, "sub", 2, ARGS(a, mean)), square = push(g, "square", 1, &c);
    int var = push_ints(g, "sum", 1, ARGS(push_scaled(g, square, share, 0)), 2, I64(1, axis));
    return push(g, "div", 2, ARGS(c, push(g, "sqrt", 1, ARGS(push_scaled(g, var, 1, 0.125)))));
}
/* where a < b, or where a is finite */
static int draw_choice(drawing *g)
{
    static const char *const op[] = {"lt", "ge", "ne", "isfinite"};
    int a = pick_batched(g, 1), b = pick(g, REAL), k = below(g, COUNT(op));
    int condition = push(g, op[k], k < 3 ? 2 : 1, ARGS(a, b));
    return push(g, "where", 3, below(g, 2) ? ARGS(condition, a, b) : ARGS(condition, b, a));
}
static int draw_bounded(drawing *g)
{
    int a = pick_batched(g, 1);
    return push_scaled(g, push(g, "tanh", 1, &a), 1.5, 0);
}
static int draw_moved(drawing *g)
{
    static const char *const op[] = {"reshape", "permute",      "slice",  "slice",        "concat",
                                     "concat",  "broadcast_to", "cumsum", "logcumsumexp", "sort",
                                     "gather",  "copy",         "where",  "sum",          "max"};
    return draw_by_name(g, op[below(g, COUNT(op))]);
}

static const struct {
    int (*draw)(drawing *g);
    int weight;
} steps[] = {{draw_common, 10},    {draw_some_row, 4},   {draw_bounded, 3}, {draw_numbers, 3},
             {draw_layer, 3},      {draw_outer, 2},      {draw_spread, 2},  {draw_fold_columns, 3},
             {draw_fold_batch, 2}, {draw_normalised, 2}, {draw_choice, 2},  {draw_moved, 4},
             {draw_loop, 1}};

int wide_step(drawing *g)
{
    int all = 0;
    for (int i = 0; i < COUNT(steps); i++)
        all += steps[i].weight;
    int i = 0, k = below(g, all);
    while (k >= steps[i].weight)
        k -= steps[i++].weight;
    return steps[i].draw(g);
}

/* ---- in f32 -------------------------------------------------------------------------------------- */

/* errors in units of the last place of f32, of what the op makes of the sizes of its operands, or of the
   larger of result and operands */
static const struct {
    const char *op;
    double units;
    bool of_sizes;
} singles[] = {{"sum", 8, true},
               {"cumsum", 64, true},
               {"matmul", 8, true},
               {"logsumexp", 4, false},
               {"logcumsumexp", 4, false}};

static T rounded(agn_scope *s, T x)
{
    return ag_cast(s, ag_cast(s, x, AGN_F32), AGN_F64);
}
static T largest_of(agn_scope *s, T x)
{
    return ag_max(s, ag_ravel(s, x), (int32_t[]){0}, 1, false);
}
/* the largest error of step q in such units */
static agn_status error_of(double *out, const program *p, const step *q, bool of_sizes, T const *v)
{
    agn_tensor *made[3] = {NULL}, *worst = NULL;
    T arg[3][MOST_ARGS], y[3];
    agn_scope *s = agn_scope_open(NULL);
    T largest = ag_full(s, AGN_F64, 0, NULL, 0x1p-100);
    for (int k = 0; k < q->n_in; k++) {
        arg[0][k] = rounded(s, v[q->in[k]]);
        arg[1][k] = ag_cast(s, v[q->in[k]], AGN_F32);
        arg[2][k] = ag_abs(s, arg[0][k]);
        largest = ag_maximum(s, largest, largest_of(s, arg[2][k]));
    }
    for (int i = 0; i < 3; i++) {
        agn_status st = agn_scope_status(s) ? agn_scope_status(s)
                                            : fuzz_apply(&made[i], q, p, arg[i]);
        y[i] = agn_scope_adopt(s, st, &made[i]);
    }
    T scale = of_sizes ? ag_add_c(s, y[2], 0x1p-100) : ag_maximum(s, largest, ag_abs(s, y[0]));
    T error = ag_abs(s, ag_sub(s, ag_cast(s, y[1], AGN_F64), y[0]));
    agn_scope_return(s, &worst, ag_mul_c(s, largest_of(s, ag_div(s, error, scale)), 0x1p24));
    agn_status st = agn_scope_close(s);
    st = st ? st : agn_item_f64(out, worst);
    agn_release(worst);
    return st;
}
bool fuzz_single(const program *p, char *message, size_t room)
{
    agn_tensor *v[MOST_VALUES] = {NULL};
    bool good = fuzz_values(p, v);
    for (int i = 0; i < p->n_step && good; i++)
        for (int k = 0; k < COUNT(singles) && good; k++) {
            const step *q = &p->s[i];
            double e = 0;
            bool real = q->op && !strcmp(q->op->name, singles[k].op);
            for (int a = 0; real && a < q->n_in; a++)
                real = agn_dtype_of(v[q->in[a]]) == AGN_F64;
            if (!real)
                continue;
            good = !error_of(&e, p, q, singles[k].of_sizes, (T const *)v) && e <= singles[k].units;
            if (!good)
                snprintf(message, room, "%s in f32 is off by %.3g units", q->op->name, e);
        }
    for (int k = 0; k < p->n_value; k++)
        agn_release(v[k]);
    return good;
}

static bool cast_to_single(agn_tensor **x)
{
    agn_tensor *y = NULL;
    if (!*x || agn_dtype_of(*x) != AGN_F64)
        return true;
    bool good = !agn_cast(&y, *x, AGN_F32);
    agn_release(*x);
    *x = y;
    return good;
}
program *fuzz_in_single(const program *p)
{
    program *c = fuzz_copy(p);
    bool good = c != NULL;
    for (int i = 0; good && i < c->n_x; i++) {
        good = cast_to_single(&c->x[i]) && cast_to_single(&c->d[i]);
        for (int k = 0; k < DIRECTIONS; k++)
            good = good && cast_to_single(&c->v[k][i]);
    }
    for (int i = 0; good && i < c->n_step; i++)
        good = c->s[i].op != &fuzz_loop && cast_to_single(&c->s[i].value);
    if (good) {
        c->single = true;
        return c;
    }
    fuzz_free(c);
    return NULL;
}

/* ---- numbers that are none -------------------------------------------------------------------------- */

static agn_tensor *spoilt(T x, uint64_t *state)
{
    const double odd[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, -0.0, 0};
    int n;
    double *v = fuzz_all_numbers(x, &n);
    agn_tensor *y = NULL;
    for (int i = 0; i < n; i++) {
        uint64_t k = fuzz_draw(state) % (8 * COUNT(odd));
        v[i] = k < (uint64_t)COUNT(odd) ? odd[k] : v[i];
    }
    if (v && agn_from_host(&y, agn_dtype_of(x), agn_ndim(x), agn_shape(x), v))
        y = NULL;
    free(v);
    return y;
}
program *fuzz_infinite(const program *p)
{
    program *c = fuzz_copy(p);
    agn_tensor *v[MOST_VALUES] = {NULL};
    uint64_t state = fuzz_mix(p->seed);
    bool good = c != NULL;
    for (int i = DATA; i <= COLUMN && good; i++) {
        agn_tensor *y = spoilt(c->x[i], &state);
        agn_release(c->x[i]);
        c->x[i] = y;
        good = y != NULL;
    }
    if (good && fuzz_values(c, v)) {
        c->n_out = 0;
        for (int k = c->n_value - 1; k >= c->n_x && c->n_out < MOST_ARGS; k--)
            if (agn_dtype_of(v[k]) == AGN_F64 && agn_numel(v[k]) > 1)
                c->out[c->n_out++] = k;
        good = c->n_out > 0;
    }
    for (int k = 0; good && k < c->n_value; k++)
        agn_release(v[k]);
    if (good)
        return c;
    fuzz_free(c);
    return NULL;
}
