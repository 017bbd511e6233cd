/* t-sparse-chains - random chains of ops on sparse and on dense operands alike: to four axes, batches
   on one pattern, dense axes, entries that repeat, sizes of 0, every dtype; and first and second
   derivatives of such chains in the values. */
#include "modes.h"

#include <agnesi/sparse.h>
#include <agnesi/sparse_layout.h>

typedef const agn_tensor *T;

static const int dtypes[] = {AGN_F64, AGN_C128, AGN_I64, AGN_BOOL, AGN_F32, AGN_I32,
                             AGN_U8,  AGN_F16,  AGN_C64, AGN_I8,   AGN_BF16, AGN_I16};

/* ---- chance --------------------------------------------------------------------------------- */

/* Two streams: what both operands draw, and layouts, which the sparse one draws alone. */
enum { NUMBERS, LAYOUTS };
static uint64_t dice[2];
static int64_t draw(int stream, int64_t n)
{
    uint64_t was = law_seed;
    law_seed = dice[stream];
    uint64_t v = rnd();
    dice[stream] = law_seed;
    law_seed = was;
    return n > 0 ? (int64_t)(v % (uint64_t)n) : 0;
}
static int64_t below(int64_t n)
{
    return draw(NUMBERS, n);
}

static T dense_of(agn_scope *s, int dtype, int ndim, const int64_t *shape, int64_t percent)
{
    size_t bytes = agn_dtype_size(dtype);
    int64_t n = count_of(ndim, shape);
    char *p = room_for((size_t)n * bytes);
    for (int64_t k = 0; k < n; k++) {
        double re = 0, im = 0;
        if (below(100) < percent) {
            re = (double)(below(7) - 3) + (kind_of(dtype) >= KIND_FLOAT && below(2) ? 0.25 : 0);
            im = (double)(below(7) - 3);
        }
        poke(p + (size_t)k * bytes, dtype, dtype == AGN_U8 ? fabs(re) : re, im);
    }
    agn_tensor *x = NULL;
    must(agn_from_host(&x, dtype, ndim, shape, p));
    free(p);
    return agn_scope_adopt(s, AGN_OK, &x);
}

/* entries in another order, some of them again as zeros */
static T loosened(agn_scope *s, T y)
{
    int64_t m = agn_sparse_nnz(y), n = m;
    int64_t *from = room_for(2 * (size_t)(m + 1) * sizeof *from);
    double *counts = room_for(2 * (size_t)(m + 1) * sizeof *counts);
    for (int64_t e = 0; e < m; e++)
        from[e] = e;
    for (int64_t e = 0; e < m; e++)
        if (draw(LAYOUTS, 3) == 0)
            from[n++] = e;
    for (int64_t e = n - 1; e > 0; e--) {
        int64_t f = draw(LAYOUTS, e + 1), t = from[e];
        from[e] = from[f];
        from[f] = t;
    }
    for (int64_t e = 0; e < n; e++) {
        counts[e] = 1; /* of equal ones the first */
        for (int64_t f = 0; f < e; f++)
            counts[e] = from[f] == from[e] ? 0 : counts[e];
    }
    T v = ag_sparse_values(s, y);
    int64_t shape[AGN_MAX_RANK] = {n};
    for (int d = 1; d < agn_ndim(v); d++)
        shape[d] = 1;
    agn_tensor *pick = NULL, *once = of_reals(AGN_BOOL, agn_ndim(v), shape, counts);
    must(agn_from_host(&pick, AGN_I64, 1, &n, from));
    free(from);
    free(counts);
    T at = agn_scope_adopt(s, AGN_OK, &pick), keep = agn_scope_adopt(s, AGN_OK, &once);
    v = ag_where(s, keep, ag_gather(s, v, at, 0), ag_cast(s, ag_lit(s, 0), agn_dtype_of(v)));
    return ag_sparse_coo(s, agn_ndim(y), agn_shape(y), ag_gather(s, ag_sparse_coordinates(s, y), at, 1), v);
}

/* in any layout */
static T sparsely(agn_scope *s, T d)
{
    int ndim = agn_ndim(d), kind = (int)draw(LAYOUTS, 6);
    if (ndim == 0)
        return d;
    if (ndim >= 2 && kind < 3) {
        T y = kind == 1 ? ag_sparse_to_csc(s, d) : ag_sparse_to_csr(s, d);
        return y && kind == 2 ? ag_sparse_with_index(s, y, AGN_I64) : y;
    }
    T y = ag_sparse_to_coo(s, d, kind == 3 ? ndim : 1 + (int32_t)draw(LAYOUTS, ndim));
    return y && kind > 3 ? loosened(s, y) : y;
}
static T densely(agn_scope *s, T x)
{
    return x && agn_layout_of(x) != AGN_DENSE ? ag_sparse_to_dense(s, x) : x;
}

/* ---- steps ------------------------------------------------------------------------------------ */

/* what a step does depends on the shape and dtype of x and on the numbers alone */
typedef T step(agn_scope *s, T x, bool sparse);
#define STEP(name) static T name(agn_scope *s, T x, bool sparse)
#define PLAIN(name, e) \
    STEP(name) \
    { \
        (void)sparse; \
        return e; \
    }

static bool real(T x)
{
    return kind_of(agn_dtype_of(x)) != KIND_COMPLEX;
}
static bool number(T x)
{
    return agn_dtype_of(x) != AGN_BOOL;
}
static bool field(T x)
{
    return kind_of(agn_dtype_of(x)) >= KIND_FLOAT;
}
static int64_t size_of(T x, int d)
{
    return agn_shape(x)[d < 0 ? d + agn_ndim(x) : d];
}

/* another operand */
static T other(agn_scope *s, bool sparse, int dtype, int ndim, const int64_t *shape)
{
    T d = dense_of(s, dtype, ndim, shape, 50);
    return sparse ? sparsely(s, d) : d;
}
/* ... that broadcasts with x, now and then of another dtype */
static T beside(agn_scope *s, T x, bool sparse)
{
    int64_t shape[AGN_MAX_RANK];
    int n = 0;
    for (int d = agn_ndim(x) > 1 && below(3) == 0 ? 1 : 0; d < agn_ndim(x); d++)
        shape[n++] = below(4) ? size_of(x, d) : 1;
    return other(s, sparse, below(3) ? agn_dtype_of(x) : dtypes[below(COUNT(dtypes))], n, shape);
}
static int some_axes(T x, int32_t *axes)
{
    int n = 0;
    for (int d = 0; d < agn_ndim(x); d++)
        if (below(2))
            axes[n++] = below(2) ? d : d - agn_ndim(x);
    return n;
}
static int32_t an_axis(T x)
{
    return (int32_t)below(agn_ndim(x));
}

PLAIN(squares, number(x) ? ag_square(s, x) : x)
PLAIN(sines, field(x) ? ag_sin(s, x) : x)
PLAIN(scaled, number(x) && agn_dtype_of(x) != AGN_U8 ? ag_mul_c(s, x, -2) : x)
PLAIN(above, real(x) && number(x) ? ag_gt(s, x, ag_lit(s, 0.5)) : x)
PLAIN(squeezed, ag_squeeze_all(s, x))
PLAIN(turned, agn_ndim(x) > 1 ? ag_transpose(s, x) : x)
PLAIN(with_itself, number(x) ? ag_mul(s, x, x) : x)
PLAIN(without_nan, field(x) ? ag_nansum(s, x, (int32_t[]){-1}, agn_ndim(x) > 0, false) : x)
PLAIN(stretched, agn_ndim(x) < 4 ? ag_expand_dims(s, x, (int32_t)below(agn_ndim(x) + 1)) : x)
PLAIN(masked, agn_ndim(x) ? ag_where(s, ag_ne(s, x, ag_cast(s, ag_lit(s, 0), agn_dtype_of(x))), x,
                                     beside(s, x, sparse))
                          : x)
STEP(recast)
{
    int to = dtypes[below(COUNT(dtypes))];
    (void)sparse;
    x = real(x) || to >= AGN_C64 ? x : ag_real(s, x);
    return ag_cast(s, to == AGN_U8 && number(x) ? ag_abs(s, x) : x, to);
}
STEP(joined)
{
    T b = agn_ndim(x) ? beside(s, x, sparse) : x;
    bool bools = !number(x) && !number(b), ordered = real(x) && real(b), first = below(2);
    T u = first ? x : b, w = first ? b : x;
    switch (below(6)) {
    case 0: return bools ? ag_logical_or(s, u, w) : ag_add(s, u, w);
    case 1: return bools ? ag_logical_xor(s, u, w) : ag_sub(s, u, w);
    case 2: return bools ? ag_logical_and(s, u, w) : ag_mul(s, u, w);
    case 3: return ordered ? ag_maximum(s, u, w) : ag_ne(s, u, w);
    case 4: return ordered ? ag_lt(s, u, w) : ag_logical_and(s, u, w);
    default: return ag_ne(s, u, w);
    }
}
PLAIN(times_dense, agn_ndim(x) ? ag_mul(s, x, beside(s, x, false)) : x)
PLAIN(plus_dense, number(x) ? ag_sub(s, other(s, false, agn_dtype_of(x), agn_ndim(x), agn_shape(x)), x) : x)
STEP(folded)
{
    int32_t axes[AGN_MAX_RANK];
    int n = some_axes(x, axes);
    bool keep = below(2);
    (void)sparse;
    switch (below(5)) {
    case 0: return real(x) ? ag_amax(s, x, axes, n, keep) : ag_count_nonzero(s, x, axes, n, keep);
    case 1: return ag_prod(s, x, axes, n, keep);
    case 2: return ag_any(s, x, axes, n, keep);
    case 3: return agn_numel(x) ? ag_mean(s, x, axes, n, keep) : x;
    default: return ag_sum(s, x, axes, n, keep);
    }
}
STEP(permuted)
{
    int32_t axes[AGN_MAX_RANK];
    (void)sparse;
    for (int d = 0; d < agn_ndim(x); d++)
        axes[d] = d;
    for (int d = agn_ndim(x) - 1; d > 0; d--) {
        int64_t e = below(d + 1);
        int32_t t = axes[d];
        axes[d] = axes[e];
        axes[e] = t;
    }
    return agn_ndim(x) ? ag_permute(s, x, axes, agn_ndim(x)) : x;
}
STEP(reshaped)
{
    int64_t shape[AGN_MAX_RANK] = {1}, left = agn_numel(x);
    int n = 1;
    (void)sparse;
    for (int64_t f = 2; left > 0 && f < 8; f++)
        for (; left % f == 0; left /= f) {
            n += n < 4 && below(2);
            shape[n - 1] = shape[n - 1] ? shape[n - 1] * f : f;
        }
    return left == 1 ? ag_reshape(s, x, n, shape) : x;
}
STEP(cut)
{
    int64_t start[AGN_MAX_RANK], stop[AGN_MAX_RANK], by[AGN_MAX_RANK];
    (void)sparse;
    for (int d = 0; d < agn_ndim(x); d++) {
        by[d] = below(4) ? 1 + below(2) : -1 - below(2);
        start[d] = by[d] > 0 ? below(size_of(x, d)) : AGN_BEGIN;
        stop[d] = AGN_END;
    }
    return agn_ndim(x) ? ag_slice(s, x, agn_ndim(x), start, stop, by) : x;
}
STEP(padded)
{
    int64_t lo[AGN_MAX_RANK], hi[AGN_MAX_RANK];
    (void)sparse;
    for (int d = 0; d < agn_ndim(x); d++) {
        lo[d] = below(2);
        hi[d] = below(3);
    }
    return agn_ndim(x) ? ag_pad(s, x, agn_ndim(x), lo, hi, 0) : x;
}
STEP(gathered)
{
    int64_t index[3], n = below(4);
    int32_t axis = an_axis(x);
    (void)sparse;
    if (!agn_ndim(x) || !size_of(x, axis))
        return x;
    for (int64_t k = 0; k < n; k++)
        index[k] = below(2 * size_of(x, axis)) - size_of(x, axis);
    agn_tensor *at = NULL;
    must(agn_from_host(&at, AGN_I64, 1, &n, index));
    return ag_gather(s, x, agn_scope_adopt(s, AGN_OK, &at), axis);
}
STEP(one_slice)
{
    int32_t axis = an_axis(x);
    (void)sparse;
    return agn_ndim(x) && size_of(x, axis) ? ag_index_axis(s, x, axis, -1) : x;
}
STEP(extended)
{
    int64_t shape[AGN_MAX_RANK];
    int32_t axis = an_axis(x);
    if (!agn_ndim(x))
        return x;
    sparse &= agn_layout_of(x) != AGN_DENSE; /* the two do not join */
    for (int d = 0; d < agn_ndim(x); d++)
        shape[d] = d == axis ? below(4) : size_of(x, d);
    return ag_concat(s, (T[]){other(s, sparse, agn_dtype_of(x), agn_ndim(x), shape), x}, 2, axis);
}
PLAIN(triangle, agn_ndim(x) > 1 ? ag_tril(s, x, below(5) - 2) : x)
STEP(diagonal)
{
    int32_t p = an_axis(x), q = (int32_t)below(agn_ndim(x) - 1);
    (void)sparse;
    return agn_ndim(x) > 1 ? ag_diagonal(s, x, below(5) - 2, p, q + (q >= p)) : x;
}
STEP(product)
{
    int64_t shape[AGN_MAX_RANK], m = below(4);
    int n = 0;
    bool left = below(2), thin = below(2);
    if (agn_ndim(x) < 2 || !number(x))
        return x;
    for (int d = 0; d < agn_ndim(x) - 2; d++)
        shape[n++] = below(3) ? size_of(x, d) : 1;
    shape[n++] = left ? m : size_of(x, -1);
    shape[n++] = left ? size_of(x, -2) : m;
    T b = other(s, sparse && thin, agn_dtype_of(x), n, shape);
    return left ? ag_matmul(s, b, x) : ag_matmul(s, x, b);
}
STEP(relaid)
{
    if (!sparse || agn_layout_of(x) == AGN_DENSE)
        return x;
    bool matrix = agn_ndim(x) == 2 || agn_layout_of(x) != AGN_COO;
    switch (draw(LAYOUTS, 4)) {
    case 0: return matrix ? ag_sparse_to_csr(s, x) : x;
    case 1: return matrix ? ag_sparse_to_csc(s, x) : x;
    case 2: return ag_sparse_to_coo(s, x, agn_ndim(x));
    default: return ag_sparse_coalesce(s, x);
    }
}

static const struct {
    const char *name;
    step *f;
    bool smooth;
} steps[] = {
#define S(name, smooth) {#name, name, smooth}
    S(squares, true), S(sines, true), S(scaled, true), S(above, false), S(squeezed, true), S(turned, true),
    S(with_itself, true), S(without_nan, false), S(stretched, true), S(masked, false), S(recast, false),
    S(joined, false), S(times_dense, true), S(plus_dense, true), S(folded, false), S(permuted, true),
    S(reshaped, true), S(cut, true), S(padded, true), S(gathered, true), S(one_slice, true), S(extended, true),
    S(triangle, true), S(diagonal, true), S(product, true), S(relaid, true)};

/* ---- chains ----------------------------------------------------------------------------------- */

static bool same(T a, T b)
{
    static const double bounds[AGN_NDTYPES] = {[AGN_F16] = 5e-3, [AGN_BF16] = 4e-2, [AGN_F32] = 1e-5, [AGN_C64] = 1e-5};
    double bound = a ? fmax(bounds[agn_dtype_of(a)], 1e-12) : 0, worst = 0, most = 1;
    if (!a || !b || !same_shapes(a, b) || agn_dtype_of(a) != agn_dtype_of(b))
        return false;
    for (int64_t k = 0; k < agn_numel(a); k++) {
        double complex x = peekz(a, k), y = peekz(b, k);
        bool odd = !isfinite(creal(y)) || !isfinite(cimag(y)); /* what overflows */
        if (odd && isfinite(creal(x)) && isfinite(cimag(x)))
            return false;
        worst = odd ? worst : fmax(worst, cabs(x - y));
        most = odd ? most : fmax(most, cabs(y));
    }
    return worst <= bound * most;
}

static T operand(agn_scope *s, int dtype)
{
    int64_t shape[4];
    int ndim = 1 + (int)below(4);
    for (int d = 0; d < ndim; d++)
        shape[d] = below(12) ? 1 + below(4) : 0;
    return dense_of(s, dtype, ndim, shape, 40);
}

/* every step on what the one before gave */
static void test_chains(void)
{
    tally q = {0, 0};
    for (int trial = 0; trial < tap_scale(12000); trial++) {
        char text[256] = "";
        int length = 1 + (int)rnd_below(5);
        dice[NUMBERS] = rnd();
        dice[LAYOUTS] = rnd();
        agn_scope *s = agn_scope_open(NULL), *u = agn_scope_open(NULL);
        T d = operand(s, dtypes[below(3) ? below(2) : below(COUNT(dtypes))]), a = sparsely(u, d);
        bool on = true;
        for (int k = 0; k < length && on && agn_ndim(d) < 5 && agn_numel(d) < 2000; k++) {
            int which = (int)rnd_below(COUNT(steps));
            uint64_t was = dice[NUMBERS];
            snprintf(text + strlen(text), sizeof text - strlen(text), " %s", steps[which].name);
            T want = steps[which].f(s, d, false);
            agn_status st = agn_scope_status(s);
            if (st) /* an extreme of nothing, dtypes that have no such op: the sparse one refuses too */
                break;
            dice[NUMBERS] = was;
            T got = steps[which].f(u, a, true), full = densely(u, got);
            on = same(full, want);
            check(&q, on || agn_scope_status(u) == AGN_EUNSUPPORTED /* what would fill up */,
                  "chain %d:%s: %s", trial, text,
                  agn_scope_status(u) ? agn_error_message() : "another answer");
            d = want;
            a = got;
        }
        agn_status end[2] = {agn_scope_close(u), agn_scope_close(s)}; /* may have refused */
        (void)end;
    }
    tell(&q, "chains of ops");
}

/* ---- derivatives -------------------------------------------------------------------------------- */

typedef struct chain {
    T like; /* sparse: values are put on its places; NULL: a dense operand */
    T weight, direction;
    int length, which[4];
    uint64_t dice[4][2];
} chain;
static T along(agn_scope *s, const chain *c, T x)
{
    for (int k = 0; x && k < c->length; k++) {
        memcpy(dice, c->dice[k], sizeof dice);
        x = steps[c->which[k]].f(s, x, c->like != NULL);
    }
    return densely(s, x);
}
static agn_status value(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const chain *c = user;
    T y = along(s, c, c->like ? ag_sparse_with_values(s, c->like, in[0]) : in[0]);
    out[0] = modes_inner(s, c->weight, y);
    return agn_scope_status(s);
}
typedef struct slope {
    const agn_fn *gradient;
    T direction;
} slope;
static agn_status slope_of(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const slope *q = user;
    T g = NULL;
    agn_status st = agn_fn_apply(s, &g, 1, q->gradient, in, agn_fn_n_in(q->gradient));
    out[0] = st ? NULL : modes_inner(s, q->direction, g);
    return st ? st : agn_scope_status(s);
}

/* gradient, and gradient of its product with a direction */
static agn_status slopes(agn_scope *s, chain *c, T x, T *out)
{
    agn_fn *f = NULL, *g = NULL, *h = NULL, *k = NULL;
    agn_tensor *y[2] = {NULL};
    must(agn_fn_new(&f, value, c, NULL, 1, 1));
    must(agn_fn_grad(&g, f, (int32_t[]){0}, 1));
    slope q = {g, c->direction};
    must(agn_fn_new(&h, slope_of, &q, NULL, 1, 1));
    must(agn_fn_grad(&k, h, (int32_t[]){0}, 1));
    agn_status st = agn_fn_call(&y[0], 1, g, &x, 1);
    if (!st)
        st = agn_fn_call(&y[1], 1, k, &x, 1);
    for (int i = 0; i < 2; i++)
        out[i] = y[i] ? agn_scope_adopt(s, AGN_OK, &y[i]) : NULL;
    agn_fn_release(f);
    agn_fn_release(g);
    agn_fn_release(h);
    agn_fn_release(k);
    return st;
}

static void test_slopes(void)
{
    tally q = {0, 0};
    for (int trial = 0; trial < tap_scale(2000); trial++) {
        char text[256] = "";
        chain c = {.length = 1 + (int)rnd_below(4)}, e;
        for (int k = 0; k < c.length; k++) {
            do
                c.which[k] = (int)rnd_below(COUNT(steps));
            while (!steps[c.which[k]].smooth);
            c.dice[k][NUMBERS] = rnd();
            c.dice[k][LAYOUTS] = rnd();
            snprintf(text + strlen(text), sizeof text - strlen(text), " %s", steps[c.which[k]].name);
        }
        dice[NUMBERS] = rnd();
        dice[LAYOUTS] = rnd();
        agn_scope *s = agn_scope_open(NULL);
        T d = operand(s, trial % 3 ? AGN_F64 : AGN_C128), a = sparsely(s, d), v = ag_sparse_values(s, a);
        T y = along(s, &c, d), dense[2], thin[2];
        if (y && agn_numel(y) < 3000) {
            c.weight = agn_scope_adopt(s, AGN_OK, &(agn_tensor *){modes_random_like(y)});
            e = c;
            e.like = a;
            e.direction = agn_scope_adopt(s, AGN_OK, &(agn_tensor *){modes_random_like(v)});
            c.direction = ag_sparse_to_dense(s, ag_sparse_with_values(s, a, e.direction));
            must(slopes(s, &c, d, dense));
            agn_status st = slopes(s, &e, v, thin);
            for (int k = 0; k < 2 && !st; k++) {
                double want = modes_dot(dense[k], c.direction), have = modes_dot(thin[k], e.direction);
                bool far = !isfinite(want); /* sines of complex numbers grow */
                check(&q, far || fabs(have - want) <= 1e-9 * (1 + fabs(want)), "derivative %d of%s: %g, not %g", k + 1,
                      text, have, want);
            }
            check(&q, !st || st == AGN_EUNSUPPORTED, "derivatives of%s: %s", text, agn_error_message());
        }
        agn_status end = agn_scope_close(s); /* a chain may be none */
        (void)end;
    }
    tell(&q, "derivatives of chains");
}

int main(void)
{
    test_chains();
    test_slopes();
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
