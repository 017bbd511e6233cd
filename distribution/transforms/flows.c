/* distribution/transforms/flows.c - transforms of normalising flows: rational-quadratic splines
   (Durkan, Bekasov, Murray & Papamakarios 2019), autoregressive maps (Papamakarios, Pavlakou &
   Murray 2017; Kingma & others 2016) with their masks (Germain & others 2015), affine coupling
   (Dinh & others 2017). */
#include "distribution/transforms/transform.h"
#include "distribution/expression.h"

static const int32_t last_axis[] = {-1};
enum { WIDTHS, HEIGHTS, SLOPES };

/* ---- spline -------------------------------------------------------------------------------- */

/* the bin of a number: its left end, width, bottom, height, slopes at both ends */
typedef struct bin {
    T left, width, bottom, height, slope, next;
} bin;

/* shares of 2 bound, and where they begin, n of them on the last axis */
static void cut_interval(agn_scope *s, T parts, double bound, T *width, T *from)
{
    *width = TIMES(DIV(parts, FN(sum, parts, last_axis, 1, true)), 2 * bound);
    *from = PLUS(FN(cumsum_as, *width, -1, AGN_SCAN_EXCLUSIVE), -bound);
}
static T pick_bin(agn_scope *s, T here, T of_bins)
{
    return FN(sum, SEL(here, of_bins, LIT(0)), last_axis, 1, false);
}
/* by x, or by y where that is what is known */
static bin find_bin(agn_scope *s, const agn_transform *t, T at, bool by_y)
{
    T width, left, height, bottom, slopes = t->param[SLOPES], column = FN(expand_dims, at, -1);
    cut_interval(s, t->param[WIDTHS], t->bound, &width, &left);
    cut_interval(s, t->param[HEIGHTS], t->bound, &height, &bottom);
    if (agn_scope_status(s))
        return (bin){0};
    T knots = by_y ? bottom : left, passed = FN(cast, GE(column, knots), slopes->dtype);
    int64_t k = width->shape[width->ndim - 1];
    T number_of = PLUS(FN(sum, passed, last_axis, 1, true), -1),
      places = FN(arange, slopes->dtype, 0, (double)k, 1);
    T here = FN(eq, FN(maximum, number_of, LIT(0)), places);
    int64_t wide[AGN_MAX_RANK], one = slopes->ndim;
    for (int i = 0; i < slopes->ndim; i++)
        wide[i] = slopes->shape[i];
    wide[one - 1] = 1; /* outside the slope is 1 */
    T end = ag_full(s, slopes->dtype, slopes->ndim, wide, 1);
    T before = FN(concat, ((T[]){end, slopes}), 2, -1),
      after = FN(concat, ((T[]){slopes, end}), 2, -1);
    return (bin){pick_bin(s, here, left),   pick_bin(s, here, width),  pick_bin(s, here, bottom),
                 pick_bin(s, here, height), pick_bin(s, here, before), pick_bin(s, here, after)};
}
static T is_inside(agn_scope *s, const agn_transform *t, T x)
{
    return LT(FN(abs, x), LIT(t->bound));
}
static T spline_forward(agn_scope *s, const agn_transform *t, T x)
{
    T inside = is_inside(s, t, x), at = SEL(inside, x, LIT(0));
    bin b = find_bin(s, t, at, false);
    if (agn_scope_status(s))
        return NULL;
    T u = DIV(SUB(at, b.left), b.width), v = MUL(u, SUB(LIT(1), u)), steep = DIV(b.height, b.width);
    T up = MUL(b.height, ADD(MUL(steep, FN(square, u)), MUL(b.slope, v)));
    T down = ADD(steep, MUL(SUB(ADD(b.next, b.slope), TIMES(steep, 2)), v));
    return SEL(inside, ADD(b.bottom, DIV(up, down)), x);
}
static T spline_inverse(agn_scope *s, const agn_transform *t, T y)
{
    T inside = is_inside(s, t, y), at = SEL(inside, y, LIT(0));
    bin b = find_bin(s, t, at, true);
    if (agn_scope_status(s))
        return NULL;
    T steep = DIV(b.height, b.width), rise = SUB(at, b.bottom);
    T bend = MUL(rise, SUB(ADD(b.next, b.slope), TIMES(steep, 2)));
    T p = ADD(MUL(b.height, SUB(steep, b.slope)), bend), q = SUB(MUL(b.height, b.slope), bend);
    T r = NEG(MUL(steep, rise)), root = FN(sqrt, SUB(FN(square, q), TIMES(MUL(p, r), 4)));
    T u = DIV(TIMES(r, -2), ADD(q, root));
    return SEL(inside, ADD(b.left, MUL(u, b.width)), y);
}
static T spline_log_det(agn_scope *s, const agn_transform *t, T x, T y)
{
    (void)y;
    T inside = is_inside(s, t, x), at = SEL(inside, x, LIT(0));
    bin b = find_bin(s, t, at, false);
    if (agn_scope_status(s))
        return NULL;
    T u = DIV(SUB(at, b.left), b.width), w = SUB(LIT(1), u), v = MUL(u, w);
    T steep = DIV(b.height, b.width),
      down = ADD(steep, MUL(SUB(ADD(b.next, b.slope), TIMES(steep, 2)), v));
    T up = ADD(MUL(b.next, FN(square, u)),
               ADD(TIMES(MUL(steep, v), 2), MUL(b.slope, FN(square, w))));
    T logs = ADD(TIMES(SUB(FN(log, steep), FN(log, down)), 2), FN(log, up));
    return SEL(inside, logs, TIMES(x, 0));
}
static const agni_transform_row spline_row = {.name = "spline",
                                              .forward = spline_forward,
                                              .inverse = spline_inverse,
                                              .log_det = spline_log_det};

agn_status agn_transform_spline(agn_transform **out, const agn_tensor *widths,
                                const agn_tensor *heights, const agn_tensor *slopes, double bound)
{
    const char *op = "transform_spline";
    static const char *const names[] = {"widths", "heights", "slopes"};
    const agn_tensor *const params[] = {widths, heights, slopes};
    agn_transform *t = NULL;
    if (!out)
        return agni_fail(AGN_ENULL, "%s: out is NULL", op);
    for (int i = 0; i < 3; i++)
        if (!params[i])
            return agni_fail(AGN_ENULL, "%s: %s is NULL", op, names[i]);
    if (!(bound > 0 && bound < (double)INFINITY))
        return agni_fail(AGN_EDOMAIN, "%s: bound is %g; it must be positive and finite", op, bound);
    bool good = widths->ndim && heights->ndim && slopes->ndim &&
                widths->shape[widths->ndim - 1] >= 2;
    int64_t k = good ? widths->shape[widths->ndim - 1] : 0;
    if (!good || heights->shape[heights->ndim - 1] != k || slopes->shape[slopes->ndim - 1] != k - 1)
        return agni_fail(
            AGN_ESHAPE,
            "%s: widths is %s, heights %s, slopes %s; [..., k], [..., k] and [..., k - 1] are "
            "needed, k from 2",
            op, AGNI_SHAPE(widths), AGNI_SHAPE(heights), AGNI_SHAPE(slopes));
    agn_status st = agni_transform_make(&t, &spline_row, params, 3, NULL, 0);
    for (int i = 0; !st && i < 3; i++) {
        double *v = NULL;
        st = agni_law_values(op, params[i], &v);
        for (int64_t j = 0; !st && v && j < params[i]->size; j++)
            if (!(v[j] > 0 && v[j] < (double)INFINITY))
                st = agni_fail(AGN_EDOMAIN,
                               "%s: %s is %g at flat index %lld; it must be positive and finite",
                               op, names[i], v[j], (long long)j);
        agni_free(v);
    }
    if (st) {
        agn_transform_release(t);
        return st;
    }
    t->bound = bound;
    *out = t;
    return AGN_OK;
}

/* ---- maps by a network: shift and log scale of each number --------------------------------- */

/* of the network at x: shift and log scale, of the shape of x but for its last axis */
static bool run_network(agn_scope *s, const agn_transform *t, T x, int64_t n, T *shift, T *scale)
{
    T y[2] = {NULL, NULL};
    if (agn_scope_status(s) || agn_fn_apply(s, y, 2, t->net, &x, 1))
        return false;
    for (int i = 0; i < 2; i++) {
        bool good = y[i]->ndim == x->ndim && y[i]->shape[x->ndim - 1] == n;
        for (int k = 0; good && k + 1 < x->ndim; k++)
            good = y[i]->shape[k] == x->shape[k];
        if (!good) {
            agn_scope_fail(
                s, agni_fail(AGN_ESHAPE,
                             "transform_%s: of %s the network makes %s as its %s; a last axis of "
                             "%lld is needed",
                             t->row->name, AGNI_SHAPE(x), AGNI_SHAPE(y[i]),
                             i ? "log scale" : "shift", (long long)n));
            return false;
        }
    }
    *shift = y[0];
    *scale = y[1];
    return true;
}
static T in_one_pass(agn_scope *s, const agn_transform *t, T at, T x, bool back)
{
    T shift, scale;
    if (!run_network(s, t, at, x->shape[x->ndim - 1], &shift, &scale))
        return NULL;
    return back ? MUL(SUB(x, shift), FN(exp, NEG(scale))) : ADD(MUL(x, FN(exp, scale)), shift);
}
/* entry i by those before it */
static T one_by_one(agn_scope *s, const agn_transform *t, T x, bool back)
{
    int64_t n = x->shape[x->ndim - 1];
    T y = FN(zeros_like, x), places = FN(arange, x->dtype, 0, (double)n, 1);
    for (int64_t i = 0; i < n && !agn_scope_status(s); i++) {
        T next = in_one_pass(s, t, y, x, back);
        if (next)
            y = SEL(FN(eq, places, LIT((double)i)), next, y);
    }
    return y;
}
static T masked_forward(agn_scope *s, const agn_transform *t, T x)
{
    return one_by_one(s, t, x, false);
}
static T masked_inverse(agn_scope *s, const agn_transform *t, T y)
{
    return in_one_pass(s, t, y, y, true);
}
static T log_scales(agn_scope *s, const agn_transform *t, T at)
{
    T shift, scale;
    bool good = run_network(s, t, at, at->shape[at->ndim - 1], &shift, &scale);
    return good ? FN(sum, scale, last_axis, 1, false) : NULL;
}
static T masked_log_det(agn_scope *s, const agn_transform *t, T x, T y)
{
    (void)x;
    return log_scales(s, t, y);
}
static const agni_transform_row masked_row = {.name = "masked_autoregressive",
                                              .domain = 1,
                                              .codomain = 1,
                                              .forward = masked_forward,
                                              .inverse = masked_inverse,
                                              .log_det = masked_log_det};

static T inverse_forward(agn_scope *s, const agn_transform *t, T x)
{
    return in_one_pass(s, t, x, x, false);
}
static T inverse_inverse(agn_scope *s, const agn_transform *t, T y)
{
    return one_by_one(s, t, y, true);
}
static T inverse_log_det(agn_scope *s, const agn_transform *t, T x, T y)
{
    (void)y;
    return log_scales(s, t, x);
}
static const agni_transform_row inverse_row = {.name = "inverse_autoregressive",
                                               .domain = 1,
                                               .codomain = 1,
                                               .forward = inverse_forward,
                                               .inverse = inverse_inverse,
                                               .log_det = inverse_log_det};

static T slice_columns(agn_scope *s, T x, int64_t from, int64_t to)
{
    int64_t low[AGN_MAX_RANK] = {0}, high[AGN_MAX_RANK];
    for (int i = 0; i < x->ndim; i++)
        high[i] = x->shape[i];
    low[x->ndim - 1] = from;
    high[x->ndim - 1] = to;
    return FN(slice, x, x->ndim, low, high, NULL);
}
static T run_coupling(agn_scope *s, const agn_transform *t, T x, bool back)
{
    int64_t n = x->shape[x->ndim - 1];
    T stays = slice_columns(s, x, 0, t->axis), moves = slice_columns(s, x, t->axis, n), shift,
      scale;
    if (!run_network(s, t, stays, n - t->axis, &shift, &scale))
        return NULL;
    moves = back ? MUL(SUB(moves, shift), FN(exp, NEG(scale)))
                 : ADD(MUL(moves, FN(exp, scale)), shift);
    return FN(concat, ((T[]){stays, moves}), 2, -1);
}
static T coupling_forward(agn_scope *s, const agn_transform *t, T x)
{
    return run_coupling(s, t, x, false);
}
static T coupling_inverse(agn_scope *s, const agn_transform *t, T y)
{
    return run_coupling(s, t, y, true);
}
static T coupling_log_det(agn_scope *s, const agn_transform *t, T x, T y)
{
    (void)y;
    int64_t n = x->shape[x->ndim - 1];
    T stays = slice_columns(s, x, 0, t->axis), shift, scale;
    bool good = run_network(s, t, stays, n - t->axis, &shift, &scale);
    return good ? FN(sum, scale, last_axis, 1, false) : NULL;
}
static bool coupling_shape(const agn_transform *t, bool inverse, const int64_t *in, int64_t *out)
{
    (void)inverse;
    out[0] = in[0];
    return in[0] > t->axis;
}
static const agni_transform_row coupling_row = {.name = "coupling",
                                                .domain = 1,
                                                .codomain = 1,
                                                .forward = coupling_forward,
                                                .inverse = coupling_inverse,
                                                .log_det = coupling_log_det,
                                                .shape = coupling_shape};

static agn_status make_with_network(agn_transform **out, const agni_transform_row *row,
                                    const agn_fn *net, int stays)
{
    agn_transform *t = NULL;
    if (!out || !net)
        return agni_fail(AGN_ENULL, "transform_%s: %s is NULL", row->name, !out ? "out" : "net");
    if (agn_fn_n_in(net) != 1 || agn_fn_n_out(net) != 2)
        return agni_fail(
            AGN_EARG,
            "transform_%s: the network has %d arguments and %d results; 1 and 2 are needed",
            row->name, agn_fn_n_in(net), agn_fn_n_out(net));
    agn_status st = agni_transform_make(&t, row, NULL, 0, NULL, 0);
    if (st)
        return st;
    t->net = agn_fn_retain(net);
    t->axis = stays;
    *out = t;
    return AGN_OK;
}
agn_status agn_transform_masked_autoregressive(agn_transform **out, const agn_fn *net)
{
    return make_with_network(out, &masked_row, net, 0);
}
agn_status agn_transform_inverse_autoregressive(agn_transform **out, const agn_fn *net)
{
    return make_with_network(out, &inverse_row, net, 0);
}
agn_status agn_transform_coupling(agn_transform **out, const agn_fn *net, int64_t stays)
{
    if (stays < 1 || stays > 1000000)
        return agni_fail(AGN_EARG,
                         "transform_coupling: %lld numbers stay; 1 to 1000000 are possible",
                         (long long)stays);
    return make_with_network(out, &coupling_row, net, (int)stays);
}

/* ---- masks --------------------------------------------------------------------------------- */

/* unit i knows the entries below its degree: of entry i that is i + 1, of hidden units 1 to n - 1
   in turn */
static int64_t degree_of(int64_t i, int64_t n, bool hidden)
{
    return hidden ? 1 + i % (n > 1 ? n - 1 : 1) : 1 + i % n;
}
agn_status agn_autoregressive_mask(agn_tensor **out, agn_dtype dtype, int64_t n, int64_t rows,
                                   int64_t cols)
{
    const char *op = "autoregressive_mask";
    if (!out)
        return agni_fail(AGN_ENULL, "%s: out is NULL", op);
    bool from_hidden = rows > 0, to_hidden = cols > 0;
    int64_t most = (int64_t)1 << 20;
    if (n < 1 || n > most || rows < 0 || rows > most || cols < 0 || cols > most)
        return agni_fail(
            AGN_EARG,
            "%s: n is %lld, rows %lld, cols %lld; 1 to %lld and 0 to %lld twice are possible", op,
            (long long)n, (long long)rows, (long long)cols, (long long)most, (long long)most);
    if (dtype != AGN_F32 && dtype != AGN_F64)
        return agni_fail(AGN_EDTYPE, "%s: the dtype is %d; f32 or f64 is needed", op, (int)dtype);
    int64_t shape[] = {from_hidden ? rows : n, to_hidden ? cols : n};
    size_t bytes = (size_t)(shape[0] * shape[1]) * sizeof(double);
    double *v = agni_alloc(bytes);
    if (!v)
        return agni_nomem(op, bytes);
    for (int64_t i = 0; i < shape[0]; i++)
        for (int64_t j = 0; j < shape[1]; j++) {
            int64_t from = degree_of(i, n, from_hidden), to = degree_of(j, n, to_hidden);
            v[i * shape[1] + j] = n > 1 && (to_hidden ? to >= from : to > from);
        }
    agn_tensor *wide = NULL;
    agn_status st = agn_from_host(&wide, AGN_F64, 2, shape, v);
    st = st ? st : agn_cast(out, wide, dtype);
    agn_release(wide);
    agni_free(v);
    return st;
}
