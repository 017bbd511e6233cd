/* tests/fuzz/program-draw.c - drawing a program: inputs, element-wise rows from the table's own
   domains, dishes of the menu for other ops, and an end on which everything matters. */
#include "draw.h"

enum { LARGEST = 100 };

/* ---- values -------------------------------------------------------------------------------- */

int kind_of(const drawing *g, int v)
{
    switch (agn_dtype_of(g->value[v])) {
    case AGN_F64: return REAL;
    case AGN_C128: return CPLX;
    case AGN_BOOL: return TRUTH;
    default: return INT;
    }
}

/* smooth to go on with: finite, of few elements, none large */
static bool fit(drawing *g, T y, bool any_size)
{
    if (agn_ndim(y) > MOST_AXES || agn_numel(y) > g->most || !agn_numel(y))
        return false;
    int n = fuzz_numbers(g->room, 2 * g->most, y);
    for (int i = 0; i < n; i++)
        if (!any_size && !(fabs(g->room[i]) <= LARGEST))
            return false;
    return n > 0;
}

bool drawing_room(drawing *g, int most)
{
    g->most = most;
    return (g->room = malloc(2 * (size_t)most * sizeof *g->room)) != NULL;
}
void drawn(drawing *g)
{
    for (int v = 0; v < g->p->n_value; v++)
        agn_release(g->value[v]);
    free(g->room);
}

static step *next_step(drawing *g, int results)
{
    program *p = g->p;
    if (p->n_step == MOST_STEPS || p->n_value + results > MOST_VALUES)
        return NULL;
    step *q = &p->s[p->n_step];
    *q = (step){.alias = -1, .n_out = 1, .first = p->n_value};
    return q;
}

int push_constant(drawing *g, int dtype, int ndim, const int64_t *shape, const void *data)
{
    step *q = next_step(g, 1);
    if (!q || agn_from_host(&q->value, dtype, ndim, shape, data))
        return -1;
    g->value[q->first] = agn_retain(q->value);
    g->p->n_step++;
    return g->p->n_value++;
}
int push_scalar(drawing *g, double v)
{
    return push_constant(g, AGN_F64, 0, NULL, &v);
}
int push_integers(drawing *g, int ndim, const int64_t *shape, int lo, int hi)
{
    int64_t n = 1, *v = (int64_t *)(void *)g->room;
    for (int i = 0; i < ndim; i++)
        n *= shape[i];
    if (n > g->most)
        return -1;
    for (int64_t i = 0; i < n; i++)
        v[i] = lo + below(g, hi - lo + 1);
    return push_constant(g, AGN_I64, ndim, shape, v);
}

int push_op(drawing *g, const step *what, bool any_size)
{
    T arg[MOST_ARGS];
    agn_tensor *y[MOST_ARGS] = {NULL};
    for (int k = 0; k < what->n_in; k++) {
        if (what->in[k] < 0)
            return -1;
        arg[k] = g->value[what->in[k]];
    }
    step *q = next_step(g, what->n_out);
    if (!q || fuzz_apply(y, what, g->p, arg))
        return -1;
    bool good = true;
    for (int o = 0; o < what->n_out; o++)
        good &= fit(g, y[o], any_size);
    for (int o = 0; o < what->n_out; o++)
        if (good)
            g->value[g->p->n_value + o] = y[o];
        else
            agn_release(y[o]);
    if (!good)
        return -1;
    int first = q->first;
    *q = *what;
    q->first = first;
    q->alias = -1;
    if (q->obj)
        agni_obj_retain(q->obj);
    for (int k = 0; k < q->n_in; k++)
        g->used[q->in[k]] = true;
    g->p->n_step++;
    g->p->n_value += q->n_out;
    return first;
}
int push_ints(drawing *g, const char *op, int n_in, const int *in, int n_int, const int64_t *ints)
{
    step q = {.op = agni_op_find(op), .n_in = n_in, .n_out = 1, .n_int = n_int};
    memcpy(q.in, in, (size_t)n_in * sizeof *in);
    if (n_int)
        memcpy(q.ints, ints, (size_t)n_int * sizeof *ints);
    return push_op(g, &q, false);
}
int push(drawing *g, const char *op, int n_in, const int *in)
{
    return push_ints(g, op, n_in, in, 0, NULL);
}

/* ---- choosing --------------------------------------------------------------------------------- */

/* a value of a kind that there is none of */
static int make(drawing *g, int kinds)
{
    int64_t n = 1 + below(g, 3);
    if (kinds & REAL) /* input 0 is a number, but for the body of a loop */
        return kind_of(g, 0) == CPLX   ? push(g, "real", 1, ARGS(0))
               : kind_of(g, 0) != REAL ? push_ints(g, "cast", 1, ARGS(0), 1, (int64_t[]){AGN_F64})
                                       : 0;
    if (kinds & INT)
        return push_integers(g, below(g, 2), &n, -3, 3);
    int a = pick(g, REAL), b = below(g, 3) ? a : 0;
    if (kinds & CPLX)
        return push(g, "complex", 2, (const int[]){a, b});
    return push(g, below(g, 2) ? "ge" : "lt", 2, (const int[]){a, b});
}

int pick_ranked(drawing *g, int kinds, int rank)
{
    int n = g->p->n_value;
    for (int k = 0; k < 12; k++) {
        int near = n < 6 ? n : 6, v = n - 1 - below(g, below(g, 2) ? n : near);
        bool good = kind_of(g, v) & kinds && rank_of(g, v) >= rank && !g->hidden[v];
        if (good && (k > 4 || !g->used[v] || !below(g, 3)))
            return v;
    }
    for (int v = n - 1; v >= 0; v--)
        if (kind_of(g, v) & kinds && rank_of(g, v) >= rank && !g->hidden[v])
            return v;
    int v = make(g, kinds);
    int64_t shape[3] = {2, 1 + below(g, 3), 3};
    return v < 0 || rank_of(g, v) >= rank
               ? v
               : push_ints(g, "broadcast_to", 1, &v, rank, shape + (3 - rank));
}
int pick(drawing *g, int kinds)
{
    return pick_ranked(g, kinds, 0);
}

static bool broadcasts(const drawing *g, int v, int ndim, const int64_t *shape)
{
    int n = rank_of(g, v);
    for (int i = 0; i < n && n <= ndim; i++)
        if (shape_of(g, v)[i] != 1 && shape_of(g, v)[i] != shape[ndim - n + i])
            return false;
    return n <= ndim;
}

int of_shape(drawing *g, int kinds, int ndim, const int64_t *shape)
{
    int v = -1, wide = -1;
    for (int k = 0; k < 6; k++) {
        v = pick(g, kinds);
        if (v < 0 || !broadcasts(g, v, ndim, shape))
            continue;
        if (rank_of(g, v) == ndim &&
            (!ndim || !memcmp(shape_of(g, v), shape, (size_t)ndim * 8)))
            return v;
        wide = v;
    }
    if (wide < 0 && v >= 0) {
        int64_t at[1 + MOST_AXES] = {0, -1, -2, -3};
        int f = kind_of(g, v) & FLOAT ? v : push_ints(g, "cast", 1, &v, 1, (int64_t[]){AGN_F64});
        int sum = push_ints(g, "sum", 1, &f, 1 + rank_of(g, f), at);
        wide = kinds & (REAL | CPLX) ? sum : make(g, kinds);
    }
    return push_ints(g, "broadcast_to", 1, &wide, ndim, shape);
}

int push_scaled(drawing *g, int v, double scale, double shift)
{
    int y = push(g, "mul", 2, (const int[]){v, push_scalar(g, scale)});
    return shift == 0 ? y : push(g, "add", 2, (const int[]){y, push_scalar(g, shift)});
}
static int squeezed(drawing *g, int v, double lo, double hi)
{
    double mid = (lo + hi) / 2, half = (hi - lo) / 2 * 0.9;
    return push_scaled(g, push(g, below(g, 2) ? "tanh" : "sin", 1, &v), half, mid);
}

int within(drawing *g, int v, double lo, double hi)
{
    const double *x = g->room;
    int n = v < 0 ? 0 : fuzz_numbers(g->room, 2 * g->most, g->value[v]);
    int kind = v < 0 ? 0 : kind_of(g, v);
    double margin = hi - lo >= 6 ? 0 : 0.05;
    bool good = n > 0 && (!g->moves || kind & (INT | TRUTH));
    for (int i = 0; i < n; i++)
        if (kind == CPLX && i % 2)
            good &= fabs(x[i]) <= 0.5;
        else
            good &= x[i] >= lo + margin && x[i] <= hi - margin;
    if (good || v < 0)
        return v;
    if (kind == REAL)
        return squeezed(g, v, lo, hi);
    if (kind == CPLX) {
        int re = squeezed(g, push(g, "real", 1, &v), lo, hi), im = push(g, "imag", 1, &v);
        im = push_scaled(g, push(g, "sin", 1, &im), 0.4, 0);
        return push(g, "complex", 2, (const int[]){re, im});
    }
    if (floor(hi) < ceil(lo)) /* no whole number lies there */
        return push_scalar(g, (lo + hi) / 2);
    return push_integers(g, rank_of(g, v), shape_of(g, v), (int)ceil(lo), (int)floor(hi));
}

/* ---- element-wise rows ---------------------------------------------------------------------------- */

/* another operand whose shape goes with that of a */
static int beside(drawing *g, int kinds, int a)
{
    if (g->ties && kind_of(g, a) & kinds && below(g, 5) == 0)
        return a;
    for (int k = 0; k < 6; k++) {
        int b = pick(g, kinds), n = rank_of(g, b), m = rank_of(g, a);
        bool good = b >= 0;
        for (int i = 1; good && i <= n && i <= m; i++) {
            int64_t x = length_of(g, a, -i), y = length_of(g, b, -i);
            good = x == y || x == 1 || y == 1;
        }
        if (good)
            return b;
    }
    return below(g, 2) ? of_shape(g, kinds, rank_of(g, a), shape_of(g, a))
                       : of_shape(g, kinds, 0, NULL);
}

int draw_row(drawing *g, const agni_op *op)
{
    double lo[3] = {op->lo, op->lo2, op->lo3}, hi[3] = {op->hi, op->hi2, op->hi3};
    bool floats = op->dtypes >> AGN_F64 & 1, ints = op->dtypes >> AGN_I64 & 1;
    bool complex = op->dtypes >> AGN_C128 & 1, truths = op->dtypes >> AGN_BOOL & 1;
    int kinds = ints && (!floats || below(g, 8) == 0)                                  ? INT
                : complex && (!floats || below(g, g->kind == FUZZ_WIDE ? 32 : 4) == 0) ? CPLX
                : truths && below(g, 16) == 0                                          ? TRUTH
                                                                                       : REAL;
    bool tame = !strcmp(op->name, "add") || !strcmp(op->name, "sub") ||
                (op->bounded && op->lo <= -3);
    step q = {.op = op, .n_in = op->nin, .n_out = 1, .n_int = strstr(op->takes, "order:") != NULL};
    if (!strcmp(op->name, "pow") && kinds == INT)
        lo[1] = 0;
    if (!strcmp(op->name, "logical_right_shift")) /* of a negative number it is huge */
        lo[0] = 0;
    int main = below(g, op->nin); /* this operand is of the kind, others may be simpler */
    for (int i = 0; i < op->nin; i++) {
        int also = i == main || below(g, 4) ? kinds : kinds == CPLX ? REAL : kinds == REAL ? REAL | INT : kinds;
        q.in[i] = i ? beside(g, also, q.in[i - 1]) : pick(g, also);
        if (q.in[i] < 0)
            return -1;
        int have = kind_of(g, q.in[i]);
        if (have != TRUTH && (!tame || below(g, 4) == 0 || have == INT))
            q.in[i] = within(g, q.in[i], lo[i], hi[i]);
    }
    q.ints[0] = below(g, 3);
    return push_op(g, &q, false);
}

/* ---- programs ------------------------------------------------------------------------------------- */

static double element(drawing *g)
{
    static const double few[] = {-1, -0.5, 0, 0.5, 1, 1.5};
    if (!g->ties)
        return between(g, -1.5, 1.5);
    double v = few[below(g, 6)];
    return below(g, 6) ? v : v + (below(g, 2) ? 0x1p-30 : -0x1p-30);
}

static agn_tensor *draw_input(drawing *g, int dtype, int ndim, const int64_t *shape, bool point)
{
    agn_tensor *x = NULL;
    int64_t n = dtype == AGN_C128 ? 2 : 1;
    for (int i = 0; i < ndim; i++)
        n *= shape[i];
    for (int64_t i = 0; i < n; i++)
        g->room[i] = point ? element(g) : between(g, -1, 1);
    return agn_from_host(&x, dtype, ndim, shape, g->room) ? NULL : x;
}
static int few_input(drawing *g, int i, int64_t *shape, int *dtype)
{
    const int64_t rows = 1 + below(g, 3), columns = 2 + below(g, 2);
    int ndim = i == 0 ? 0 : 1 + below(g, 2);
    if (i == 2 && below(g, 3) == 0)
        *dtype = AGN_C128;
    shape[0] = ndim > 1 ? rows : columns;
    shape[1] = columns;
    return ndim;
}

static bool draw_inputs(drawing *g)
{
    program *p = g->p;
    bool good = true;
    for (int i = 0; i < p->n_x; i++) {
        int64_t shape[2];
        int dtype = AGN_F64;
        int ndim = g->kind == FUZZ_WIDE ? wide_input(g, i, shape) : few_input(g, i, shape, &dtype);
        good &= (p->x[i] = draw_input(g, dtype, ndim, shape, true)) != NULL;
        good &= (p->d[i] = draw_input(g, dtype, ndim, shape, false)) != NULL;
        for (int k = 0; k < DIRECTIONS; k++)
            good &= (p->v[k][i] = draw_input(g, dtype, ndim, shape, false)) != NULL;
        g->value[i] = agn_retain(p->x[i]);
    }
    p->n_value = p->n_x;
    return good;
}

int draw_by_name(drawing *g, const char *name)
{
    const agni_op *op = agni_op_find(name);
    for (int i = 0; i < fuzz_dishes; i++)
        if (!strcmp(fuzz_menu[i].op, name) && fuzz_menu[i].draw)
            return fuzz_menu[i].draw(g, name);
    return op && op->ew >= 0 ? draw_row(g, op) : -1;
}
int draw_some_row(drawing *g)
{
    const agni_op *op;
    do
        op = agni_op_at(below(g, agni_op_count()));
    while (op->ew < 0 || op->nin > 3 || !strcmp(op->name, "where"));
    return draw_row(g, op);
}

int draw_step(drawing *g)
{
    if (g->kind == FUZZ_LOOPS && below(g, 6) == 0)
        return draw_loop(g);
    if (g->kind == FUZZ_WIDE)
        return wide_step(g);
    for (;;) {
        int n = agni_op_count(), k = below(g, n + fuzz_dishes);
        if (k >= n) {
            const dish *m = &fuzz_menu[k - n];
            if (m->left_out || (g->judged && m->unjudged) || !agni_op_find(m->op))
                continue;
            return m->draw(g, m->op);
        }
        const agni_op *op = agni_op_at(k);
        if (op->ew >= 0 && op->nin <= 3 && strcmp(op->name, "where"))
            return draw_row(g, op);
    }
}

const char *fuzz_left_out(const agni_op *op)
{
    if (op->ew >= 0)
        return NULL;
    for (int i = 0; i < fuzz_dishes; i++)
        if (!strcmp(fuzz_menu[i].op, op->name))
            return fuzz_menu[i].left_out;
    return "no dish in tests/fuzz/program-menu.c";
}

/* the sum of v with weights; what carries no derivative stands before a value that does */
static int weighed(drawing *g, int v, int carrier)
{
    int64_t all[1 + MOST_AXES] = {0, -1, -2, -3};
    int kind = kind_of(g, v), n = (int)agn_numel(g->value[v]);
    bool one = g->kind == FUZZ_WIDE && kind != CPLX && below(g, 2); /* a weight for all */
    if (kind & (INT | TRUTH))
        v = push_ints(g, "cast", 1, &v, 1, (int64_t[]){AGN_F64});
    if (v < 0)
        return -1;
    for (int i = 0; i < (kind == CPLX ? 2 * n : n); i++)
        g->room[i] = between(g, 0.2, 1) / n;
    int weight = push_constant(g, kind == CPLX ? AGN_C128 : AGN_F64, one ? 0 : rank_of(g, v),
                               shape_of(g, v), g->room);
    v = push(g, "mul", 2, (const int[]){weight, v});
    if (kind == CPLX)
        v = push(g, "real", 1, &v);
    if (v >= 0 && rank_of(g, v))
        v = push_ints(g, "sum", 1, &v, 1 + rank_of(g, v), all);
    if (kind & (INT | TRUTH))
        v = push(g, "mul", 2, (const int[]){v, carrier});
    return v;
}

static int ending(drawing *g)
{
    int n = g->p->n_value, carrier = 0, sum = push(g, "sin", 1, &carrier);
    carrier = sum;
    for (int v = n - 1; v > 0 && sum >= 0; v--) {
        if (g->hidden[v] || (g->used[v] && v >= g->p->n_x))
            continue;
        bool input = v < g->p->n_x;
        int w = input ? push(g, "sin", 1, &v) : v, part = w < 0 ? -1 : weighed(g, w, carrier);
        int more = push(g, "add", 2, (const int[]){sum, part});
        sum = more < 0 ? sum : more;
    }
    return sum;
}

program *fuzz_program(uint64_t seed, fuzz_kind kind, bool judged)
{
    drawing g = {.state = fuzz_mix(seed ^ 0xA6E51), .kind = kind, .judged = judged};
    program *p = g.p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->seed = seed;
    p->kind = kind;
    p->n_x = kind == FUZZ_WIDE ? 6 : 3;
    p->n_out = 1;
    p->unrolled = true;
    g.ties = below(&g, 4) == 0;
    if (kind == FUZZ_WIDE)
        wide_begin(&g);
    bool good = drawing_room(&g, kind == FUZZ_WIDE    ? wide_elements(&g)
                                 : kind == FUZZ_LOOPS ? LOOP_ELEMENTS
                                                      : FEW_ELEMENTS) &&
                draw_inputs(&g);
    int steps = 5 + below(&g, 36), tries = 0;
    while (good && p->n_step < steps && tries++ < 10 * steps)
        draw_step(&g);
    p->out[0] = good ? ending(&g) : -1;
    drawn(&g);
    if (p->out[0] >= 0)
        return p;
    fuzz_free(p);
    return NULL;
}

void fuzz_free(program *p)
{
    if (!p)
        return;
    for (int i = 0; i < p->n_x; i++) {
        agn_release(p->x[i]);
        agn_release(p->d[i]);
        for (int k = 0; k < DIRECTIONS; k++)
            agn_release(p->v[k][i]);
    }
    for (int i = 0; i < p->n_step; i++) {
        agn_release(p->s[i].value);
        agni_obj_release(p->s[i].obj);
    }
    for (int v = 0; v < p->n_value; v++)
        agn_release(p->noise[v]);
    free(p);
}

program *fuzz_copy(const program *p)
{
    program *c = malloc(sizeof *c);
    if (!c)
        return NULL;
    *c = *p;
    for (int i = 0; i < c->n_x; i++) {
        agn_retain(c->x[i]);
        agn_retain(c->d[i]);
        for (int k = 0; k < DIRECTIONS; k++)
            agn_retain(c->v[k][i]);
    }
    for (int i = 0; i < c->n_step; i++) {
        agn_retain(c->s[i].value);
        if (c->s[i].obj)
            agni_obj_retain(c->s[i].obj);
    }
    for (int v = 0; v < c->n_value; v++)
        agn_retain(c->noise[v]);
    return c;
}
