/* tests/fuzz/program-menu.c - how ops that are no element-wise rows get operands and attributes.
   Each function gives the number of a value the op made, or -1. */
#include "draw.h"
#include "sparse/direct/direct.h"
#include "sparse/ops/merge_patterns.h"
#include "sparse/products/spgemm.h"

static int any_number(drawing *g)
{
    int k = below(g, g->kind == FUZZ_WIDE ? 64 : 8);
    return g->kind == FUZZ_WIDE && k > 7 ? REAL : k < 5 ? REAL : k < 7 ? CPLX : INT;
}
static int some_float(drawing *g)
{
    return below(g, g->kind == FUZZ_WIDE ? 32 : 4) ? REAL : CPLX;
}
static int axis_of(drawing *g, int v)
{
    return -1 - below(g, rank_of(g, v));
}

/* ---- the same elements elsewhere ------------------------------------------------------------ */

static int draw_one(drawing *g, const char *op)
{
    int x = pick(g, any_number(g));
    return push(g, op, 1, &x);
}
static int draw_cast(drawing *g, const char *op)
{
    static const struct {
        int from, to;
    } ways[] = {{INT | TRUTH, AGN_F64}, {INT, AGN_F64}, {REAL, AGN_I64}, {REAL, AGN_C128},
                {INT | TRUTH, AGN_C128}, {REAL | INT, AGN_BOOL}, {REAL, AGN_I32}};
    int k = below(g, 7), x = pick(g, ways[k].from);
    return push_ints(g, op, 1, &x, 1, I64(ways[k].to));
}
static int draw_where(drawing *g, const char *op)
{
    int kinds = any_number(g), a = pick(g, kinds), condition = -1;
    if (a < 0)
        return -1;
    int b = of_shape(g, kinds, rank_of(g, a), shape_of(g, a));
    if (below(g, 2) && kinds == REAL) /* chosen by what is chosen from */
        condition = push(g, below(g, 2) ? "gt" : "le", 2, ARGS(a, b));
    else
        condition = of_shape(g, TRUTH, below(g, 2) ? rank_of(g, a) : 0, shape_of(g, a));
    return push(g, op, 3, ARGS(condition, a, b));
}
static int draw_reshape(drawing *g, const char *op)
{
    int x = pick(g, any_number(g)), n = rank_of(g, x);
    if (x < 0)
        return -1;
    int64_t shape[3], all = agn_numel(g->value[x]);
    for (int d = 2; d >= 1; d--)
        if (all % d == 0 && below(g, 2))
            return push_ints(g, op, 1, &x, 2, I64(d, all / d));
    memcpy(shape, shape_of(g, x), (size_t)n * sizeof *shape);
    for (int i = 0; i + 1 < n; i++) {
        int64_t t = shape[i];
        shape[i] = shape[n - 1];
        shape[n - 1] = t;
    }
    return below(g, 2) ? push_ints(g, op, 1, &x, 1, &all) : push_ints(g, op, 1, &x, n, shape);
}
static int draw_permute(drawing *g, const char *op)
{
    int x = pick_ranked(g, any_number(g), 2), n = rank_of(g, x);
    int64_t axes[3];
    for (int i = 0; i < n; i++)
        axes[i] = i - n;
    for (int i = n - 1; i > 0; i--) {
        int k = below(g, i + 1);
        int64_t t = axes[i];
        axes[i] = axes[k];
        axes[k] = t;
    }
    return push_ints(g, op, 1, &x, n, axes);
}
static int draw_broadcast(drawing *g, const char *op)
{
    int x = pick(g, any_number(g)), n = rank_of(g, x), lead = below(g, 4 - n);
    int64_t shape[6];
    for (int i = 0; i < lead; i++)
        shape[i] = 1 + below(g, 3);
    for (int i = 0; i < n; i++)
        shape[lead + i] = shape_of(g, x)[i] == 1 ? 1 + below(g, 3) : shape_of(g, x)[i];
    return x < 0 ? -1 : push_ints(g, op, 1, &x, lead + n, shape);
}
/* start, step and count for every axis; part gets the counts */
static void draw_triples(drawing *g, int x, int64_t *at, int64_t *part)
{
    for (int i = 0; i < rank_of(g, x); i++) {
        int64_t n = shape_of(g, x)[i], by = 1 + below(g, 2), start = below(g, (int)n);
        int64_t count = 1 + below(g, (int)((n - 1 - start) / by) + 1);
        if (below(g, 3) == 0) {
            start += (count - 1) * by;
            by = -by;
        }
        at[3 * i] = start;
        at[3 * i + 1] = by;
        at[3 * i + 2] = part[i] = count;
    }
}
static int draw_slice(drawing *g, const char *op)
{
    int x = pick_ranked(g, any_number(g), 1);
    int64_t at[9], part[3];
    if (x < 0)
        return -1;
    draw_triples(g, x, at, part);
    return push_ints(g, op, 1, &x, 3 * rank_of(g, x), at);
}
static int draw_unslice(drawing *g, const char *op)
{
    int x = pick_ranked(g, any_number(g), 1), n = rank_of(g, x);
    int64_t at[9];
    for (int i = 0; i < n && x >= 0; i++) {
        int64_t m = shape_of(g, x)[i], by = 1 + below(g, 2), start = below(g, 2);
        int64_t whole = start + (m - 1) * by + 1 + below(g, 2);
        bool back = below(g, 3) == 0;
        at[3 * i] = back ? start + (m - 1) * by : start;
        at[3 * i + 1] = back ? -by : by;
        at[3 * i + 2] = whole;
    }
    return push_ints(g, op, 1, &x, 3 * n, at);
}
static int draw_slice_put(drawing *g, const char *op)
{
    int kinds = any_number(g), x = pick_ranked(g, kinds, 1);
    int64_t at[9], part[3];
    if (x < 0)
        return -1;
    draw_triples(g, x, at, part);
    int n = rank_of(g, x), v = of_shape(g, kinds, n, part);
    return push_ints(g, op, 2, ARGS(x, v), 3 * n, at);
}
static int draw_concat(drawing *g, const char *op)
{
    int kinds = any_number(g), a = pick_ranked(g, kinds, 1);
    if (a < 0)
        return -1;
    int n = rank_of(g, a), axis = axis_of(g, a);
    int64_t shape[3];
    memcpy(shape, shape_of(g, a), (size_t)n * sizeof *shape);
    shape[n + axis] = 1 + below(g, 2);
    int b = of_shape(g, kinds, n, shape);
    return below(g, 2) ? push_ints(g, op, 2, ARGS(a, b), 1, I64(axis))
                       : push_ints(g, op, 3, ARGS(b, a, a), 1, I64(axis));
}
static int draw_strided(drawing *g, const char *op)
{
    int x = of_shape(g, any_number(g), 2, I64(3, 4));
    return push_ints(g, op, 1, &x, 12, I64(2, 0, 0, 2, 1, 0, 3, 0, 1, 2, 1, 1));
}
static int draw_parts(drawing *g, const char *op)
{
    int z = pick(g, CPLX);
    return push(g, op, 1, &z);
}
static int draw_joined(drawing *g, const char *op)
{
    int64_t n = 1 + below(g, 3);
    int x = below(g, 2) ? of_shape(g, REAL, 2, I64(n, 2)) : of_shape(g, REAL, 1, I64(2));
    return push(g, op, 1, &x);
}
/* integers as large as bits go are brought down at once */
static int draw_bits(drawing *g, const char *op)
{
    int x = within(g, pick(g, REAL), 0.1, 3); /* outside there are no zeros with a sign */
    step q = {.op = agni_op_find(op), .n_in = 1, .n_out = 1, .in = {x}, .n_int = 1, .ints = {AGN_I64}};
    int bits = push_op(g, &q, true), by = push_integers(g, 0, NULL, 60, 60);
    return push(g, "right_shift", 2, ARGS(bits, by));
}

/* ---- by place ------------------------------------------------------------------------------- */

/* an axis of x, a batch in front of it, and indices for it */
static int draw_places(drawing *g, int x, int *axis, int *batch, int64_t *m)
{
    int n = rank_of(g, x);
    *axis = axis_of(g, x);
    *batch = n + *axis > 0 ? below(g, 2) : 0;
    *m = 1 + below(g, 3);
    int64_t size = length_of(g, x, *axis);
    return *batch ? push_integers(g, 2, I64(shape_of(g, x)[0], *m), (int)-size, (int)size - 1)
                  : push_integers(g, 1, m, (int)-size, (int)size - 1);
}
static int draw_gather(drawing *g, const char *op)
{
    int x = pick_ranked(g, any_number(g), 1), axis, batch;
    int64_t m;
    if (x < 0)
        return -1;
    int idx = draw_places(g, x, &axis, &batch, &m);
    return push_ints(g, op, 2, ARGS(x, idx), 2, I64(axis, batch));
}
static int draw_scatter(drawing *g, const char *op)
{
    bool extreme = strstr(op, "max") || strstr(op, "min");
    int kinds = extreme ? REAL : any_number(g), axis, batch;
    int x = pick_ranked(g, kinds, 1), n = rank_of(g, x);
    int64_t m, shape[3];
    if (x < 0)
        return -1;
    int idx = draw_places(g, x, &axis, &batch, &m);
    memcpy(shape, shape_of(g, x), (size_t)n * sizeof *shape);
    shape[n + axis] = m;
    int v = of_shape(g, kinds, n, shape);
    return push_ints(g, op, 3, ARGS(x, idx, v), 2 + extreme, I64(axis, batch, below(g, 2)));
}

/* ---- along axes ------------------------------------------------------------------------------- */

static int draw_fold(drawing *g, const char *op)
{
    const agni_op *row = agni_op_find(op);
    int kinds = row->dtypes >> AGN_C128 & 1 ? any_number(g) : REAL;
    int x = pick_ranked(g, kinds, 1), n = rank_of(g, x), m = 0;
    int64_t at[4] = {below(g, 2)};
    for (int i = 1; i <= n; i++)
        if (below(g, 2) || (i == n && !m))
            at[++m] = -i;
    return push_ints(g, op, 1, &x, 1 + m, at);
}
static int draw_last(drawing *g, const char *op)
{
    int x = pick_ranked(g, some_float(g), 1);
    return push(g, op, 1, &x);
}
static int draw_axis(drawing *g, const char *op)
{
    int x = pick_ranked(g, REAL, 1);
    return x < 0 ? -1 : push_ints(g, op, 1, &x, 1, I64(axis_of(g, x)));
}
static int draw_argmax(drawing *g, const char *op)
{
    int x = pick_ranked(g, REAL, 1);
    return x < 0 ? -1 : push_ints(g, op, 1, &x, 3, I64(axis_of(g, x), below(g, 2), below(g, 2)));
}
/* an axis and a flag */
static int draw_along(drawing *g, const char *op)
{
    const agni_op *row = agni_op_find(op);
    int x = pick_ranked(g, row->dtypes >> AGN_C128 & 1 ? some_float(g) : REAL, 1);
    return x < 0 ? -1 : push_ints(g, op, 1, &x, 2, I64(axis_of(g, x), below(g, 2)));
}
static int draw_window(drawing *g, const char *op)
{
    int x = pick_ranked(g, REAL, 1);
    if (x < 0)
        return -1;
    int axis = axis_of(g, x), n = (int)length_of(g, x, axis), first = below(g, n);
    return push_ints(g, op, 1, &x, 4,
                     I64(axis, below(g, 2), first, 1 + below(g, n - first)));
}
static int draw_recurrence(drawing *g, const char *op)
{
    int kinds = some_float(g), a = within(g, pick_ranked(g, kinds, 1), -1.5, 1.5);
    if (a < 0)
        return -1;
    int b = of_shape(g, kinds, rank_of(g, a), shape_of(g, a));
    return push_ints(g, op, 2, ARGS(a, b), 2, I64(axis_of(g, a), below(g, 2)));
}
static int draw_search(drawing *g, const char *op)
{
    int64_t n = 2 + below(g, 3);
    int x = of_shape(g, REAL, 1, I64(2 + below(g, 2)));
    int row = of_shape(g, REAL, 1, &n), sorted = push_ints(g, "sort", 1, &row, 2, I64(-1, 0));
    return push_ints(g, op, 2, ARGS(sorted, x), 1, I64(below(g, 2)));
}

/* ---- products and systems ---------------------------------------------------------------------- */

static int draw_matmul(drawing *g, const char *op)
{
    int kinds = some_float(g), batch = below(g, 2);
    int64_t m = 1 + below(g, 3), k = 1 + below(g, 3), n = 1 + below(g, 3);
    int a = of_shape(g, kinds, 2, I64(m, k));
    int b = of_shape(g, below(g, 3) ? kinds : REAL, 2 + batch, batch ? I64(2, k, n) : I64(k, n));
    return push(g, op, 2, ARGS(a, b));
}
/* one channel, along an axis or in a plane */
static int draw_sliding(drawing *g, const char *op)
{
    int kinds = some_float(g);
    int64_t n = 2 + below(g, 3), m = 1 + below(g, (int)n), l = n - m + 1;
    if (below(g, 2)) {
        int a = of_shape(g, kinds, 3, I64(2, 1, n)), v = of_shape(g, kinds, 3, I64(1, 1, m));
        return push_ints(g, op, 2, ARGS(a, v), 6, I64(2, 1, l, 1, 0, 1));
    }
    int a = of_shape(g, kinds, 4, I64(1, 1, 3, n)), v = of_shape(g, kinds, 4, I64(1, 1, 2, m));
    return push_ints(g, op, 2, ARGS(a, v), 10, I64(2, 1, 2, 1, 0, 1, l, 1, 0, 1));
}
static int draw_conv(drawing *g, const char *op)
{
    int kinds = some_float(g), part = below(g, 3), groups = 1 + below(g, 2);
    int64_t n = 2 + below(g, 3), m = 1 + below(g, 2), stride = 1 + below(g, 2),
            before = below(g, 2), l = (n + 2 * before - m) / stride + 1;
    int64_t image[3] = {1 + below(g, 2), groups, n}, filter[3] = {2 * groups, 1, m},
            result[3] = {image[0], 2 * groups, l};
    const int64_t *shape[3] = {image, filter, result};
    int a = of_shape(g, kinds, 3, shape[part == 0]);
    int b = of_shape(g, kinds, 3, shape[part == 2 ? 1 : 2]);
    return push_ints(g, op, 2, ARGS(a, b), 6, I64(part, groups, shape[part][2], stride, before, 1));
}
/* a small matrix with a heavy diagonal */
static int heavy(drawing *g, int kinds, int64_t n)
{
    double eye[9] = {0};
    int a = within(g, of_shape(g, kinds, 2, I64(n, n)), -1, 1);
    for (int i = 0; i < n; i++)
        eye[i * (n + 1)] = 4;
    return push(g, "add", 2, ARGS(a, push_constant(g, AGN_F64, 2, I64(n, n), eye)));
}
static int draw_cholesky(drawing *g, const char *op)
{
    int kinds = some_float(g), a = heavy(g, kinds, 1 + below(g, 3));
    int t = push_ints(g, "permute", 1, &a, 2, I64(-1, -2));
    if (kinds == CPLX)
        t = push(g, "conj", 1, &t);
    return push_ints(g, op, 1, ARGS(push(g, "add", 2, ARGS(a, t))), 1, I64(below(g, 2)));
}
static int draw_triangle(drawing *g, const char *op)
{
    int64_t n = 1 + below(g, 3);
    int x = of_shape(g, some_float(g), 2, I64(n, n));
    step q = {.op = agni_op_find(op), .n_in = 1, .n_out = 1, .in = {x}, .n_int = 1, .n_real = 1,
              .ints = {below(g, 2)}, .reals = {below(g, 3) / 2.0}};
    return push_op(g, &q, false);
}
static int draw_triangular(drawing *g, const char *op)
{
    int kinds = some_float(g);
    int64_t n = 1 + below(g, 3);
    int a = heavy(g, kinds, n), b = of_shape(g, kinds, 2, I64(n, 1 + below(g, 2)));
    return push_ints(g, op, 2, ARGS(a, b), 1, I64(below(g, 4)));
}
static int draw_exponential(drawing *g, const char *op)
{
    int64_t n = 1 + below(g, 3);
    int a = within(g, of_shape(g, some_float(g), 2, I64(n, n)), -1, 1);
    return push_ints(g, op, 1, ARGS(a), 0, I64(0));
}
static int draw_lu(drawing *g, const char *op)
{
    (void)op;
    int kinds = some_float(g);
    int64_t n = 1 + below(g, 3);
    int a = heavy(g, kinds, n), b = of_shape(g, kinds, 2, I64(n, 1 + below(g, 2)));
    step q = {.op = agni_op_find("linalg_lu_factor"), .n_in = 1, .n_out = 2, .in = {a}};
    int f = push_op(g, &q, false);
    if (f >= 0) {
        g->hidden[f] = g->hidden[f + 1] = true;
        return push_ints(g, "linalg_lu_solve", 4, ARGS(f, f + 1, a, b), 1, I64(below(g, 2)));
    }
    return -1;
}
static int draw_fft(drawing *g, const char *op)
{
    bool real = strstr(op, "r2c"), back = strstr(op, "c2r");
    int x = pick_ranked(g, real ? REAL : CPLX, 1);
    if (x < 0)
        return -1;
    int axis = axis_of(g, x), n = (int)length_of(g, x, axis);
    step q = {.op = agni_op_find(op), .n_in = 1, .n_out = 1, .in = {x}, .n_int = real ? 1 : 2,
              .n_real = real || back ? 2 : 1, .ints = {axis}, .reals = {between(g, 0.2, 1), 1}};
    q.ints[1] = back ? 2 * (n - 1) + (n == 1 || below(g, 2)) : below(g, 2) ? 1 : -1;
    q.reals[1] = 1 + below(g, 2);
    return push_op(g, &q, false);
}

static int draw_r2r(drawing *g, const char *op)
{
    int x = pick_ranked(g, REAL, 1);
    if (x < 0)
        return -1;
    int axis = axis_of(g, x), kind = below(g, 8);
    if (kind == 0 && length_of(g, x, axis) < 2)
        kind = 1;
    step q = {.op = agni_op_find(op), .n_in = 1, .n_out = 1, .in = {x}, .n_int = 2, .n_real = 3,
              .ints = {axis, kind}, .reals = {between(g, 0.2, 1), between(g, 0.5, 2), between(g, 0.5, 2)}};
    return push_op(g, &q, false);
}

static int draw_frame(drawing *g, const char *op)
{
    int x = pick_ranked(g, some_float(g), 1);
    int64_t n = x < 0 ? 0 : length_of(g, x, -1);
    if (n < 1)
        return -1;
    return push_ints(g, op, 1, ARGS(x), 2, I64(1 + below(g, (int)n), 1 + below(g, 3)));
}
static int draw_overlap(drawing *g, const char *op)
{
    int x = pick_ranked(g, some_float(g), 2);
    if (x < 0)
        return -1;
    int64_t hop = 1 + below(g, 3), frames = length_of(g, x, -2), length = length_of(g, x, -1);
    return push_ints(g, op, 1, ARGS(x), 2, I64((frames > 0 ? frames - 1 : 0) * hop + length + below(g, 2), hop));
}
static int draw_allpole(drawing *g, const char *op)
{
    int x = of_shape(g, REAL, 1, I64(5)), a = of_shape(g, REAL, 1, I64(1 + below(g, 2)));
    return push_ints(g, op, 2, ARGS(x, a), 1, I64(below(g, 2)));
}

/* a signal, or bins, and a window */
static int draw_stft(drawing *g, const char *op)
{
    bool back = strstr(op, "adjoint");
    int x = pick_ranked(g, back ? CPLX : REAL, back ? 2 : 1);
    int64_t last = x < 0 ? 0 : length_of(g, x, -1), hop = 1 + below(g, 3);
    if (last < 1)
        return -1;
    int64_t length = !back ? 1 + below(g, (int)last) : last == 1 ? 1 : 2 * (last - 1) + below(g, 2);
    int64_t frames = back ? length_of(g, x, -2) : 0, n = (frames > 0 ? frames - 1 : 0) * hop + length + below(g, 2);
    step q = {.op = agni_op_find(op), .n_in = 2, .n_out = 1, .in = {x, of_shape(g, REAL, 1, &length)},
              .n_int = back ? 2 : 1, .n_real = 2, .ints = {back ? n : hop, hop}, .reals = {between(g, 0.2, 1), 1}};
    q.reals[1] = 1 + below(g, 2);
    return q.in[1] < 0 ? -1 : push_op(g, &q, false);
}

/* a kernel as wide as there are, which its polynomials meet to rounding; points between samples, for
   the slope at the kernel's ends is infinite */
static int draw_spread(drawing *g, const char *op)
{
    bool gather = !strcmp(op, "fft_gather");
    int64_t m = 1 + below(g, 3), n = 16 + below(g, 2);
    int x = of_shape(g, CPLX, 1, gather ? &n : &m), u = of_shape(g, REAL, 2, I64(m, 1));
    if (x < 0 || u < 0)
        return -1;
    step q = {.op = agni_op_find(op), .n_in = 2, .n_out = 1,
              .in = {x, push_scaled(g, push(g, "tanh", 1, &u), 0.3, below(g, 20) + 0.5)},
              .n_int = gather ? 2 : 3, .n_real = 1, .ints = {16, gather ? 0 : n, 0}, .reals = {36.8}};
    return push_op(g, &q, false);
}

/* with both sides of the spectrum */
static int draw_stft_both(drawing *g, const char *op)
{
    bool back = strstr(op, "adjoint");
    int x = pick_ranked(g, CPLX, back ? 2 : 1);
    int64_t last = x < 0 ? 0 : length_of(g, x, -1), hop = 1 + below(g, 3), sign = below(g, 2) ? 1 : -1;
    if (last < 1)
        return -1;
    int64_t length = back ? last : 1 + below(g, (int)last);
    int64_t frames = back ? length_of(g, x, -2) : 0, n = (frames > 0 ? frames - 1 : 0) * hop + length + below(g, 2);
    step q = {.op = agni_op_find(op), .n_in = 2, .n_out = 1, .in = {x, of_shape(g, REAL, 1, &length)},
              .n_int = back ? 3 : 2, .n_real = 1, .ints = {back ? n : hop, back ? hop : sign, sign},
              .reals = {between(g, 0.2, 1)}};
    return q.in[1] < 0 ? -1 : push_op(g, &q, false);
}

/* ---- sparse ----------------------------------------------------------------------------------- */

/* takes object over, which is NULL where it could not be made */
static int push_with(drawing *g, step *q, agni_obj *object)
{
    q->obj = object;
    int y = object ? push_op(g, q, false) : -1;
    if (object)
        agni_obj_release(object);
    return y;
}
static int push_on(drawing *g, step *q, int pattern)
{
    agni_pattern *p = fuzz_pattern(pattern);
    return push_with(g, q, p ? &p->head : NULL);
}
/* tensors of two layouts on the square pattern, and a function of them */
static int draw_form(drawing *g, const char *op)
{
    (void)op;
    int64_t k = 1 + below(g, 2);
    step q = {.op = &fuzz_form, .n_in = 3, .n_out = 1, .n_int = 3};
    q.in[0] = of_shape(g, REAL, 1, I64(7));
    q.in[1] = of_shape(g, REAL, 1, I64(7));
    q.in[2] = of_shape(g, REAL, 2, I64(3, k));
    q.ints[0] = below(g, FUZZ_FORMS);
    q.ints[1] = below(g, FUZZ_FORMS);
    q.ints[2] = below(g, FUZZ_FORM_WAYS);
    return push_op(g, &q, false);
}
static int draw_sparse(drawing *g, const char *op)
{
    int kinds = strstr(op, "softmax") ? REAL : some_float(g);
    int64_t k = 1 + below(g, 2);
    step q = {.op = agni_op_find(op), .n_in = 1, .n_out = 1};
    if (!strcmp(op, "sparse_spmm")) {
        q.n_in = 2;
        q.in[0] = of_shape(g, kinds, 1, I64(7));
        q.in[1] = of_shape(g, kinds, 2, I64(3, k));
        q.n_int = 1;
        q.ints[0] = below(g, 2);
    } else if (!strcmp(op, "sparse_sddmm")) {
        q.n_in = 2;
        q.in[0] = of_shape(g, kinds, 2, I64(3, k));
        q.in[1] = of_shape(g, kinds, 2, I64(3, k));
    } else if (!strcmp(op, "sparse_collect")) {
        q.in[0] = of_shape(g, kinds, 1, I64(3));
        q.n_int = 1;
        q.ints[0] = below(g, 2);
    } else {
        q.in[0] = strstr(op, "gather") ? of_shape(g, kinds, 2, I64(3, 3)) : of_shape(g, kinds, 1, I64(7));
    }
    return push_on(g, &q, FUZZ_SQUARE);
}
/* of the square pattern and the one of few entries: the patterns of sum and product have 8 and 5 */
static int draw_two(drawing *g, const char *op)
{
    bool product = !strcmp(op, "sparse_spgemm");
    int kinds = some_float(g), onto = product ? below(g, 3) : 0;
    static const int64_t entries[3] = {5, 7, 3};
    agni_pattern *a = fuzz_pattern(FUZZ_SQUARE), *b = fuzz_pattern(FUZZ_FEW);
    agni_triple *t = NULL;
    agni_merged_pattern *m = NULL;
    agn_status st = !a || !b  ? AGN_ENOMEM
                    : product ? agni_triple_new(&t, op, a, b)
                              : agni_merged_pattern_find(&m, op, a, b, AGNI_PATTERN_UNION);
    step q = {.op = agni_op_find(op), .n_in = 2, .n_out = 1, .n_int = product, .ints = {onto}};
    q.in[0] = of_shape(g, kinds, 1, &entries[onto == 1 ? 0 : 1]);
    q.in[1] = of_shape(g, kinds, 1, &entries[onto == 2 ? 0 : 2]);
    int y = push_with(g, &q, st ? NULL : product ? &t->head : &m->head);
    if (a)
        agni_obj_release(&a->head);
    if (b)
        agni_obj_release(&b->head);
    return y;
}
/* values on the square pattern, with a heavy diagonal; or Hermitian and definite ones */
static int heavy_values(drawing *g, int kinds, bool definite)
{
    static const double once[] = {4, 0, 0, 4, 0, 0, 4}, twice[] = {8, 0, 0, 8, 0, 0, 8};
    static const int64_t mirror[] = {0, 2, 1, 3, 5, 4, 6};
    int v = within(g, of_shape(g, kinds, 1, I64(7)), -1, 1);
    if (definite && v >= 0) {
        int at = push_constant(g, AGN_I64, 1, I64(7), mirror);
        int w = push_ints(g, "gather", 2, ARGS(v, at), 2, I64(-1, 0));
        v = push(g, "add", 2, ARGS(v, kind_of(g, v) == CPLX ? push(g, "conj", 1, &w) : w));
    }
    return push(g, "add", 2, ARGS(v, push_constant(g, AGN_F64, 1, I64(7), definite ? twice : once)));
}
static int draw_direct(drawing *g, const char *op)
{
    bool system = !strcmp(op, "sparse_linsolve");
    int kinds = some_float(g), method = below(g, AGN_SPARSE_N_METHODS), pattern = FUZZ_SQUARE;
    step q = {.op = agni_op_find(op), .n_in = 1 + system, .n_out = 1, .n_int = 2 + system};
    if (method == AGN_SPARSE_TRIANGULAR) {
        const double diagonal[] = {3, 0, 3, 0, 3};
        int v = within(g, of_shape(g, kinds, 1, I64(5)), -1, 1);
        q.in[0] = push(g, "add", 2, ARGS(v, push_constant(g, AGN_F64, 1, I64(5), diagonal)));
        pattern = FUZZ_LOWER;
    } else {
        bool definite = method == AGN_SPARSE_CHOLESKY || method == AGN_SPARSE_LDL ||
                        method == AGN_SPARSE_CHOLESKY_LOWER || (method == AGN_SPARSE_AUTO && below(g, 2));
        q.in[0] = heavy_values(g, kinds, definite);
    }
    if (system) {
        q.in[1] = of_shape(g, kinds, 2, I64(3, 1 + below(g, 2)));
        q.ints[0] = below(g, 2);
    }
    q.ints[system] = method;
    return push_on(g, &q, pattern);
}
static int draw_lstsq(drawing *g, const char *op)
{
    static const double more[] = {3, 0, 1, 3, 0, 1};
    int kinds = some_float(g), gram = below(g, 2);
    int v = within(g, of_shape(g, kinds, 1, I64(6)), -1, 1);
    step q = {.op = agni_op_find(op), .n_in = 2, .n_out = 1, .n_int = 2, .ints = {gram, 0}};
    q.in[0] = push(g, "add", 2, ARGS(v, push_constant(g, AGN_F64, 1, I64(6), more)));
    q.in[1] = of_shape(g, kinds, 2, I64(gram ? 2 : 4, 1 + below(g, 2)));
    return push_on(g, &q, FUZZ_TALL);
}

/* ---- functions of the user's ------------------------------------------------------------------ */

static int draw_call(drawing *g, const char *op)
{
    int way = below(g, FUZZ_CALLS);
    while (strcmp(fuzz_call_ops[way], op))
        way = (way + 1) % FUZZ_CALLS;
    int x = pick(g, REAL);
    if (x < 0)
        return -1;
    int w = of_shape(g, REAL, rank_of(g, x), shape_of(g, x));
    step q = {.op = &fuzz_call, .n_in = 2, .n_out = 1, .in = {x, w}, .n_int = 1, .ints = {way}};
    return push_op(g, &q, false);
}

/* ---- random numbers ------------------------------------------------------------------------------- */

static int key(drawing *g)
{
    const int64_t k[2] = {below(g, 1 << 20), below(g, 1 << 20)};
    return push_constant(g, AGN_I64, 1, I64(2), k);
}
static int draw_fill(drawing *g, const char *op)
{
    int k = key(g);
    return push_ints(g, op, 1, &k, 2, I64(AGN_F64, 1 + below(g, 3)));
}
static int draw_gamma(drawing *g, const char *op)
{
    int64_t n = 1 + below(g, 3);
    int a = within(g, of_shape(g, REAL, 1, &n), 0.6, 4);
    return push_ints(g, op, 2, ARGS(key(g), a), 2, I64(0, n));
}
static int draw_truncated(drawing *g, const char *op)
{
    int64_t n = 1 + below(g, 3);
    int lo = within(g, of_shape(g, REAL, 1, &n), -2, -0.5), hi = within(g, of_shape(g, REAL, 1, &n), 0.5, 2);
    return push_ints(g, op, 3, ARGS(key(g), lo, hi), 1, &n);
}
/* what gives such numbers their derivatives: of any number, drawn or not */
static int draw_path(drawing *g, const char *op)
{
    int64_t n = 1 + below(g, 3);
    if (!strcmp(op, "truncated_path")) {
        int z = within(g, of_shape(g, REAL, 1, &n), -0.4, 0.4), lo = within(g, of_shape(g, REAL, 1, &n), -2, -0.5);
        return push(g, op, 3, ARGS(z, lo, within(g, of_shape(g, REAL, 1, &n), 0.5, 2)));
    }
    bool slope = !strcmp(op, "gamma_slope"), logs = slope || below(g, 2);
    int a = within(g, of_shape(g, REAL, 1, &n), 0.6, 4);
    int y = within(g, of_shape(g, REAL, 1, &n), logs ? -2 : 0.2, logs ? 1.2 : 3.5);
    return slope ? push_ints(g, op, 2, ARGS(a, y), 1, I64(1 + below(g, 2)))
                 : push_ints(g, op, 2, ARGS(y, a), 1, I64(logs));
}

/* derivatives in parameters, of any order */
static int draw_partial(drawing *g, const char *op)
{
    int64_t n = 1 + below(g, 3), density = below(g, 2);
    int a = within(g, of_shape(g, REAL, 1, &n), 1.4, 4), b = within(g, of_shape(g, REAL, 1, &n), 0.6, 4);
    if (!strcmp(op, "zeta_partial"))
        return push_ints(g, op, 2, ARGS(a, b), 1, I64(1 + below(g, 2)));
    if (!strcmp(op, "gamma_partial"))
        return push_ints(g, op, 2, ARGS(a, b), 2, I64(1 + below(g, 2), density));
    int x = within(g, of_shape(g, REAL, 1, &n), 0.2, 0.8);
    return push_ints(g, op, 3, ARGS(a, b, x), 3, I64(below(g, 2), 1, density));
}

/* functions of parameters and an argument */
static int draw_argument(drawing *g, const char *op)
{
    int64_t n = 1 + below(g, 3);
    step q = {.op = agni_op_find(op)};
    q.n_in = q.op->nin, q.n_out = 1;
    for (int k = 0; k < q.n_in; k++)
        q.in[k] = within(g, of_shape(g, REAL, 1, &n), 0.4, k + 1 < q.n_in ? 2 : 0.8);
    bool kinds = !strcmp(op, "kummer") || !strcmp(op, "struve"), two = !strcmp(op, "struve") || !strcmp(op, "polylog");
    q.n_int = !strcmp(op, "polylog") ? 2 : kinds && two ? 3 : 4, q.ints[0] = kinds ? below(g, 2) : 0;
    return push_op(g, &q, false);
}

/* special functions, by kind and order */
static int draw_special(drawing *g, const char *op)
{
    int64_t n = 1 + below(g, 3);
    bool small = !strcmp(op, "spheroidal") || !strcmp(op, "legendre_q") || !strcmp(op, "lerch") || !strncmp(op, "smirnov", 7) || !strcmp(op, "lame") || !strcmp(op, "elliptic") || !strcmp(op, "polynomial") || !strcmp(op, "jacobi_elliptic");
    step q = {.op = agni_op_find(op)};
    q.n_in = q.op->nin, q.n_out = 1;
    for (int k = 0; k < q.n_in; k++)
        q.in[k] = within(g, of_shape(g, REAL, 1, &n), small ? 0.2 : 0.4, small ? 0.8 : 2);
    if (!strcmp(op, "airy")) {
        q.n_int = 1, q.ints[0] = below(g, 4);
    } else if (!strcmp(op, "bessel")) {
        q.n_int = 3, q.ints[0] = 3;
    } else if (!strcmp(op, "elliptic") || !strcmp(op, "carlson")) {
        q.n_int = 4, q.ints[0] = below(g, 2), q.ints[1] = below(g, 2), q.ints[2] = below(g, 2);
    } else if (!strcmp(op, "polynomial")) {
        q.n_int = 2, q.ints[0] = below(g, 6), q.ints[1] = below(g, 4);
        q.n_real = 2, q.reals[0] = 0.5, q.reals[1] = 1;
    } else if (!strcmp(op, "expn") || !strcmp(op, "fresnel")) {
        q.n_int = 1, q.ints[0] = below(g, 2);
    } else if (!strcmp(op, "jacobi_elliptic")) {
        q.n_int = 1, q.ints[0] = below(g, 4);
    } else if (!strcmp(op, "lambert_plane")) {
        q.n_int = 2, q.ints[0] = below(g, 2), q.ints[1] = below(g, 2);
    } else if (!strcmp(op, "spherical_bessel")) {
        q.n_int = 2, q.ints[0] = below(g, 4), q.ints[1] = below(g, 3);
    } else if (!strcmp(op, "sine_integral")) {
        q.n_int = 1, q.ints[0] = below(g, 4);
    } else if (!strcmp(op, "debye")) {
        q.n_int = 2, q.ints[0] = 1 + below(g, 4);
    } else if (!strcmp(op, "kelvin")) {
        q.n_int = 2, q.ints[0] = below(g, 4), q.ints[1] = below(g, 3);
    } else if (!strcmp(op, "mathieu_value") || !strcmp(op, "mathieu")) {
        q.n_int = op[7] ? 3 : 4, q.ints[0] = below(g, 2), q.ints[1] = 1 + below(g, 4);
    } else if (!strcmp(op, "mathieu_modified")) {
        q.n_int = 3, q.ints[0] = below(g, 4), q.ints[1] = 1 + below(g, 3), q.ints[2] = below(g, 2);
        q.n_real = 1, q.reals[0] = 0.5 + below(g, 3);
    } else if (!strcmp(op, "bessel_integral")) {
        q.n_int = 1, q.ints[0] = below(g, 13);
    } else if (!strcmp(op, "eta_plane")) {
        q.n_int = 2, q.ints[0] = below(g, 3), q.ints[1] = below(g, 2);
    } else if (!strcmp(op, "noncentral")) {
        q.n_int = 6, q.ints[0] = below(g, 2), q.ints[1] = below(g, 3);
    } else if (!strcmp(op, "noncentral_t") || !strcmp(op, "wright")) {
        q.n_int = 4, q.ints[0] = below(g, 3);
    } else if (!strcmp(op, "spheroidal_radial")) { /* from 0 on, the oblate ones */
        q.n_int = 4, q.ints[0] = 1 + 2 * below(g, 2), q.ints[1] = below(g, 2), q.ints[2] = q.ints[1] + below(g, 2);
        q.ints[3] = below(g, 2), q.n_real = 1, q.reals[0] = 1 + below(g, 3);
    } else if (!strcmp(op, "legendre_q")) {
        q.n_int = 2, q.ints[0] = below(g, 4), q.ints[1] = below(g, 2);
    } else if (!strcmp(op, "parabolic_w")) {
        q.n_int = 1, q.ints[0] = below(g, 2), q.n_real = 1, q.reals[0] = below(g, 3) - 1;
    } else if (!strcmp(op, "lame")) {
        q.n_int = 4, q.ints[0] = below(g, 3), q.ints[1] = 1 + below(g, (int)(2 * q.ints[0] + 1)), q.ints[3] = below(g, 2);
        q.n_real = 2, q.reals[0] = 1, q.reals[1] = 2;
    } else if (!strcmp(op, "bessel_moment")) {
        q.n_real = 2, q.reals[0] = below(g, 3), q.reals[1] = below(g, 3);
    } else if (!strcmp(op, "smirnov")) {
        q.n_int = 2, q.ints[0] = 2 + below(g, 3);
    } else if (!strcmp(op, "smirnov_inverse")) {
        q.n_int = 1, q.ints[0] = 2 + below(g, 3);
    } else if (!strncmp(op, "spheroidal", 10)) {
        q.n_int = op[10] ? 3 : 4, q.ints[0] = below(g, 2), q.ints[1] = q.ints[0] + below(g, 3);
    } else if (!strcmp(op, "fisher") || !strcmp(op, "student")) {
        q.n_int = op[0] == 'f' ? 3 : 2, q.ints[0] = below(g, 3), q.ints[1] = below(g, 2);
    } else if (!strcmp(op, "fermi_dirac") || !strcmp(op, "rgamma")) {
        q.n_int = 1;
    } else if (!strcmp(op, "lerch")) {
        q.n_int = 2;
    } else if (!strcmp(op, "faddeeva") || !strcmp(op, "lambert_w")) {
        q.n_int = 2, q.ints[0] = op[0] == 'f' ? below(g, 3) : 0, q.ints[1] = below(g, 2);
    }
    return push_op(g, &q, false);
}

#define TIES "refused where values are equal or columns dependent, as small draws have it: t-linalg-*"
#define GRAPHS "over a graph, which programs have none of: t-geometric-graph asks it in every mode"
#define DISCRETE "a draw of whole numbers or a permutation: nothing flows through, and values are of t-random"
const dish fuzz_menu[] = {
    {.op = "where", .draw = draw_where},
    {.op = "cast", .draw = draw_cast},
    {.op = "copy", .draw = draw_one},
    {.op = "stop_gradient", .draw = draw_one},
    {.op = "watch", .left_out = "a leaf of transforms: each of them makes it"},
    {.op = "reshape", .draw = draw_reshape},
    {.op = "permute", .draw = draw_permute},
    {.op = "broadcast_to", .draw = draw_broadcast},
    {.op = "slice", .draw = draw_slice},
    {.op = "unslice", .draw = draw_unslice},
    {.op = "slice_put", .draw = draw_slice_put},
    {.op = "concat", .draw = draw_concat},
    {.op = "as_strided", .draw = draw_strided},
    {.op = "as_real", .draw = draw_parts},
    {.op = "as_complex", .draw = draw_joined},
    {.op = "bitcast", .draw = draw_bits},
    {.op = "gather", .draw = draw_gather},
    {.op = "scatter_add", .draw = draw_scatter},
    {.op = "scatter_put", .draw = draw_scatter},
    {.op = "scatter_max", .draw = draw_scatter},
    {.op = "scatter_min", .draw = draw_scatter},
    {.op = "sum", .draw = draw_fold},
    {.op = "max", .draw = draw_fold},
    {.op = "min", .draw = draw_fold},
    {.op = "amax", .draw = draw_fold},
    {.op = "amin", .draw = draw_fold},
    {.op = "logsumexp", .draw = draw_fold},
    {.op = "sum_compensated", .draw = draw_last},
    {.op = "squared_deviation", .draw = draw_axis},
    {.op = "softmax", .draw = draw_axis},
    {.op = "argmax", .draw = draw_argmax},
    {.op = "cumsum", .draw = draw_along},
    {.op = "logcumsumexp", .draw = draw_along},
    {.op = "argcummax", .draw = draw_along},
    {.op = "sort", .draw = draw_along},
    {.op = "argsort", .draw = draw_along},
    {.op = "argsort_window", .draw = draw_window},
    {.op = "recurrence", .draw = draw_recurrence},
    {.op = "searchsorted", .draw = draw_search},
    {.op = "matmul", .draw = draw_matmul},
    {.op = "conv", .draw = draw_sliding},
    {.op = "conv", .draw = draw_conv},
    {.op = "linalg_cholesky", .draw = draw_cholesky},
    {.op = "linalg_triangle", .draw = draw_triangle},
    {.op = "linalg_triangular_solve", .draw = draw_triangular},
    {.op = "linalg_lu_factor", .draw = draw_lu},
    {.op = "linalg_lu_solve", .draw = draw_lu},
    {.op = "linalg_eigh", .left_out = TIES},
    {.op = "linalg_eigvalsh", .left_out = TIES},
    {.op = "linalg_svd", .left_out = TIES},
    {.op = "linalg_svdvals", .left_out = TIES},
    {.op = "linalg_qr", .left_out = TIES},
    {.op = "linalg_gap_quotient", .left_out = TIES},
    {.op = "linalg_tie_diagonal", .left_out = TIES},
    {.op = "linalg_tie_embed", .left_out = TIES},
    {.op = "linalg_det", .left_out = TIES},
    {.op = "linalg_slogdet", .left_out = TIES},
    {.op = "linalg_pinv", .left_out = TIES},
    {.op = "linalg_lu", .left_out = TIES},
    {.op = "linalg_polar", .left_out = TIES},
    {.op = "linalg_banded_solve", .left_out = TIES},
    {.op = "linalg_toeplitz_solve", .left_out = TIES},
    {.op = "linalg_cholesky_update", .left_out = TIES},
    {.op = "linalg_qr_pivots", .left_out = TIES},
    {.op = "linalg_ldl", .left_out = TIES},
    {.op = "linalg_schur", .left_out = TIES},
    {.op = "linalg_hessenberg", .left_out = TIES},
    {.op = "linalg_rcond", .left_out = TIES},
    {.op = "linalg_qz", .left_out = TIES},
    {.op = "linalg_schur_ordered", .left_out = TIES},
    {.op = "linalg_eig_pencil", .left_out = TIES},
    {.op = "linalg_lstsq", .left_out = TIES},
    {.op = "linalg_refined_solve", .left_out = TIES},
    {.op = "linalg_any_solve", .left_out = TIES},
    {.op = "linalg_cossin", .left_out = TIES},
    {.op = "linalg_geqrf", .left_out = TIES},
    {.op = "linalg_balance", .left_out = TIES},
    {.op = "linalg_spectrum", .left_out = TIES},
    {.op = "linalg_parlett", .left_out = TIES},
    {.op = "linalg_sylvester", .left_out = TIES},
    {.op = "linalg_riccati", .left_out = TIES},
    {.op = "linalg_sqrtm", .left_out = TIES},
    {.op = "linalg_logm", .left_out = TIES},
    {.op = "linalg_signm", .left_out = TIES},
    {.op = "linalg_eig", .left_out = TIES},
    {.op = "linalg_eigvals", .left_out = TIES},
    {.op = "linalg_cholesky_info", .left_out = TIES},
    {.op = "linalg_lu_info", .left_out = TIES},
    {.op = "linalg_cholesky_pivots", .left_out = TIES},
    {.op = "linalg_qr_change", .left_out = TIES},
    {.op = "linalg_schur_complex", .left_out = TIES},
    {.op = "linalg_mixed_solve", .left_out = TIES},
    {.op = "linalg_eigh_banded", .left_out = TIES},
    {.op = "linalg_eigvalsh_banded", .left_out = TIES},
    {.op = "linalg_cholesky_banded", .left_out = TIES},
    {.op = "linalg_band_tangent", .left_out = TIES},
    {.op = "linalg_matrix_exp", .draw = draw_exponential, .unjudged = true},
    {.op = "fft_r2c", .draw = draw_fft},
    {.op = "fft_c2r", .draw = draw_fft},
    {.op = "fft_c2c", .draw = draw_fft},
    {.op = "fft_r2r", .draw = draw_r2r},
    {.op = "signal_frame", .draw = draw_frame},
    {.op = "signal_overlap_add", .draw = draw_overlap},
    {.op = "signal_allpole", .draw = draw_allpole},
    {.op = "fft_gather", .draw = draw_spread},
    {.op = "fft_spread", .draw = draw_spread},
    {.op = "signal_stft", .draw = draw_stft},
    {.op = "signal_stft_adjoint", .draw = draw_stft},
    {.op = "signal_stft_both", .draw = draw_stft_both},
    {.op = "signal_stft_both_adjoint", .draw = draw_stft_both},
    {.op = "sparse_spmm", .draw = draw_sparse},
    {.op = "sparse_spmm", .draw = draw_form},
    {.op = "sparse_spmm", .draw = draw_form},
    {.op = "sparse_sddmm", .draw = draw_sparse},
    {.op = "sparse_scatter", .draw = draw_sparse},
    {.op = "sparse_gather", .draw = draw_sparse},
    {.op = "sparse_softmax", .draw = draw_sparse},
    {.op = "sparse_collect", .draw = draw_sparse},
    {.op = "sparse_spgemm", .draw = draw_two},
    {.op = "sparse_join", .draw = draw_two},
    {.op = "sparse_linsolve", .draw = draw_direct},
    {.op = "sparse_logdet", .draw = draw_direct},
    {.op = "sparse_inverse", .draw = draw_direct},
    {.op = "sparse_lstsq", .draw = draw_lstsq},
    {.op = "sparse_embedding", .draw = draw_gather},
    {.op = "graph_copy", .left_out = GRAPHS},
    {.op = "graph_add", .left_out = GRAPHS},
    {.op = "graph_mul", .left_out = GRAPHS},
    {.op = "graph_div", .left_out = GRAPHS},
    {.op = "graph_extreme", .left_out = GRAPHS},
    {.op = "graph_tie", .left_out = GRAPHS},
    {.op = "graph_softmax", .left_out = GRAPHS},
    {.op = "graph_attend", .left_out = GRAPHS},
    {.op = "graph_attend_plus", .left_out = GRAPHS},
    {.op = "graph_attend_dot", .left_out = GRAPHS},
    {.op = "graph_attend_norm", .left_out = GRAPHS},
    {.op = "graph_attention", .left_out = GRAPHS},
    {.op = "graph_messages", .left_out = GRAPHS},
    {.op = "uniform", .draw = draw_fill, .unjudged = true},
    {.op = "normal", .draw = draw_fill, .unjudged = true},
    {.op = "exponential", .draw = draw_fill, .unjudged = true},
    {.op = "random_gamma", .draw = draw_gamma, .unjudged = true},
    {.op = "log_density", .left_out = "as many results as slopes: t-log-density"},
    {.op = "gamma_path", .draw = draw_path},
    {.op = "gamma_slope", .draw = draw_path},
    {.op = "gamma_partial", .draw = draw_partial},
    {.op = "airy", .draw = draw_special},
    {.op = "bessel", .draw = draw_special},
    {.op = "elliptic", .draw = draw_special},
    {.op = "carlson", .draw = draw_special},
    {.op = "expn", .draw = draw_special},
    {.op = "expi", .draw = draw_special},
    {.op = "fresnel", .draw = draw_special},
    {.op = "faddeeva", .draw = draw_special},
    {.op = "lambert_w", .draw = draw_special},
    {.op = "owens_t", .draw = draw_special},
    {.op = "polynomial", .draw = draw_special},
    {.op = "jacobi_elliptic", .draw = draw_special},
    {.op = "lambert_plane", .draw = draw_special},
    {.op = "spherical_bessel", .draw = draw_special},
    {.op = "kummer", .draw = draw_argument},
    {.op = "hyp2f1", .draw = draw_argument},
    {.op = "struve", .draw = draw_argument},
    {.op = "polylog", .draw = draw_argument},
    {.op = "lerch", .draw = draw_special},
    {.op = "sine_integral", .draw = draw_special},
    {.op = "clausen", .draw = draw_special},
    {.op = "debye", .draw = draw_special},
    {.op = "fermi_dirac", .draw = draw_special},
    {.op = "kelvin", .draw = draw_special},
    {.op = "mathieu_value", .draw = draw_special},
    {.op = "mathieu", .draw = draw_special},
    {.op = "mathieu_modified", .draw = draw_special},
    {.op = "bessel_integral", .draw = draw_special},
    {.op = "eta_plane", .draw = draw_special},
    {.op = "rgamma", .draw = draw_special},
    {.op = "digammainv", .draw = draw_special},
    {.op = "wright_omega", .draw = draw_special},
    {.op = "fisher", .draw = draw_special},
    {.op = "student", .draw = draw_special},
    {.op = "noncentral", .draw = draw_special},
    {.op = "noncentral_t", .draw = draw_special},
    {.op = "wright", .draw = draw_special},
    {.op = "spheroidal_value", .draw = draw_special},
    {.op = "spheroidal", .draw = draw_special},
    {.op = "legendre_q", .draw = draw_special},
    {.op = "spheroidal_radial", .draw = draw_special},
    {.op = "parabolic_w", .draw = draw_special},
    {.op = "lame", .draw = draw_special},
    {.op = "bessel_moment", .draw = draw_special},
    {.op = "smirnov", .draw = draw_special},
    {.op = "smirnov_inverse", .draw = draw_special},
    {.op = "tukey_lambda", .draw = draw_special},
    {.op = "beta_partial", .draw = draw_partial},
    {.op = "zeta_partial", .draw = draw_partial},
    {.op = "random_truncated", .draw = draw_truncated, .unjudged = true},
    {.op = "truncated_path", .draw = draw_path},
    {.op = "key_fold", .left_out = DISCRETE},
    {.op = "random_bits", .left_out = DISCRETE},
    {.op = "random_integers", .left_out = DISCRETE},
    {.op = "random_bernoulli", .left_out = DISCRETE},
    {.op = "random_poisson", .left_out = DISCRETE},
    {.op = "random_binomial", .left_out = DISCRETE},
    {.op = "random_permutation", .left_out = DISCRETE},
    {.op = "random_multinomial", .left_out = DISCRETE},
    {.op = "sobol", .left_out = DISCRETE},
    {.op = "halton", .left_out = DISCRETE},
    {.op = "checkpoint", .left_out = "the letter C"},
    {.op = "custom", .left_out = "the letter U"},
    {.op = "cond", .left_out = "the letter D"},
    {.op = "scan", .left_out = "the letter S"},
    {.op = "scan_back", .left_out = "what reverse mode makes of the letter S"},
    {.op = "switch", .left_out = "the letter Q"},
    {.op = "while", .left_out = "the letter W"},
    {.op = "custom_jet", .draw = draw_call},
    {.op = "root", .draw = draw_call},
    {.op = "linear_solve", .draw = draw_call},
    {.op = "named", .draw = draw_call},
    {.op = "hook", .draw = draw_call},
    {.op = "packed", .draw = draw_call},
    {.op = "watched", .draw = draw_call},
    {.op = "nan_check", .draw = draw_call},
};
const int fuzz_dishes = sizeof fuzz_menu / sizeof *fuzz_menu;
