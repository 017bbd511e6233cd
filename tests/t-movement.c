/* tests/t-movement.c - the functions of create.h, shape.h, rearrange.h and indexing.h: values
   against NumPy (data/make-movement.py), views, errors, and laws of sections B and F.

     t-movement [N]   case N alone */
#include "laws.h"
#include <agnesi/autograd.h>
#include <time.h>

#undef I /* of <complex.h> */

#define L(...)        \
    (const int64_t[]) \
    {                 \
        __VA_ARGS__   \
    }
#define X(...)        \
    (const int32_t[]) \
    {                 \
        __VA_ARGS__   \
    }
#define T(...)             \
    (const agn_tensor *[]) \
    {                      \
        __VA_ARGS__        \
    }
#define R(...)       \
    (const double[]) \
    {                \
        __VA_ARGS__  \
    }

/* ---- operands in a scope ------------------------------------------------------------------ */

static const agn_tensor *counted(agn_scope *s, int n, const int64_t *shape)
{
    const agn_tensor *x = ag_arange(s, AGN_F64, 1, 1 + (double)count_of(n, shape), 1);
    return ag_reshape(s, x, n, shape);
}
static const agn_tensor *row_of(agn_scope *s, int dtype, int n, const double *v)
{
    int64_t shape = n;
    return agn_scope_adopt(s, AGN_OK, &(agn_tensor *){of_reals(dtype, 1, &shape, v)});
}
/* the first number, and the comma behind it, are there so that a list may be empty */
#define LIST_N(type, ...) (COUNT(((const type[]){0, __VA_ARGS__})) - 1)
#define A(...) counted(s, LIST_N(int64_t, __VA_ARGS__), L(0, __VA_ARGS__) + 1)
#define V(...) row_of(s, AGN_F64, LIST_N(double, __VA_ARGS__), R(0, __VA_ARGS__) + 1)
#define J(...) row_of(s, AGN_I64, LIST_N(double, __VA_ARGS__), R(0, __VA_ARGS__) + 1)
#define B(...) row_of(s, AGN_BOOL, LIST_N(double, __VA_ARGS__), R(0, __VA_ARGS__) + 1)
#define N(v) agn_scope_adopt(s, AGN_OK, &(agn_tensor *){scalar_of(AGN_I64, v)})

/* one of several results */
static const agn_tensor *one_of(agn_scope *s, agn_status st, agn_tensor **o, int k, int n)
{
    const agn_tensor *y = NULL;
    agn_scope_fail(s, st);
    for (int i = 0; !st && i < n; i++) {
        const agn_tensor *z = agn_scope_adopt(s, AGN_OK, &o[i]);
        y = i == k ? z : y;
    }
    return y;
}
static agn_tensor *o[8];
static agn_status o_st;
#define PART(k, n, call) (o_st = call, one_of(s, o_st, o, k, n))

/* ---- values --------------------------------------------------------------------------------- */

static void expect(tally *t, int number, const char *text, agn_scope *s, const agn_tensor *y,
                   int dtype, int nd, const int64_t *shape, const double *v)
{
    bool good = y && agn_dtype_of(y) == dtype && has_shape(y, nd, shape);
    for (int64_t i = 0; good && i < agn_numel(y); i++) {
        double have = peek(y, i), d = fabs(have - v[i]);
        good = have == v[i] || (isnan(have) && isnan(v[i])) || d <= 4e-15 * fabs(v[i]);
    }
    check(t, good, "case %d, %s: %s", number, text,
          agn_scope_status(s) ? agn_error_message() : SHAPE_TEXT(y));
}

static void test_numpy(int only)
{
    tally t = {0};
    int k = 0;
    agn_scope *s;
#define CASE(call, dtype, nd, shape, values)                        \
    if (only < 0 || only == k) {                                    \
        s = agn_scope_open(NULL);                                   \
        const agn_tensor *y_ = call;                                \
        expect(&t, k, #call, s, y_, dtype, nd, shape, values);      \
        agn_status st_ = agn_scope_close(s);                        \
        check(&t, !st_, "case %d: %s", k, agn_error_message());     \
    }                                                               \
    k++;
#include "data/movement.inc"
    diag("%d calls", k);
    tell(&t, "values as NumPy has them (B6, B9, B14, B15, B16, B17, B18, A18)");
}

/* ---- views ------------------------------------------------------------------------------------ */

static void test_views(void)
{
    tally t = {0};
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = A(3, 4), *c = ag_complex(s, A(2, 3), A(2, 3)), *xt = ag_transpose(s, x);
    const char *base = agn_data(x), *zbase = agn_data(c);
#define VIEW(call, from, offset)                                                    \
    do {                                                                            \
        const agn_tensor *y_ = call;                                                \
        check(&t, y_ && (const char *)agn_data(y_) == (from) + (offset), "%s", #call); \
    } while (0)
    VIEW(ag_as_strided(s, x, 1, L(3), L(4), 1), base, 8);
    VIEW(ag_unfold(s, x, 0, 2, 1), base, 0);
    VIEW(ag_unfold(s, xt, 0, 2, 1), base, 0);
    VIEW(ag_diagonal(s, x, 1, 0, 1), base, 8);
    VIEW(ag_diagonal(s, xt, 1, 0, 1), base, 32);
    VIEW(ag_diag(s, x, -1), base, 32);
    VIEW(ag_swapaxes(s, x, 0, 1), base, 0);
    VIEW(ag_moveaxis(s, x, X(0), X(1), 1), base, 0);
    VIEW(ag_ravel(s, x), base, 0);
    VIEW(ag_flatten(s, x, 0, -1), base, 0);
    VIEW(ag_unflatten(s, x, 1, 2, L(2, 2)), base, 0);
    VIEW(ag_rot90(s, x, 1, 0, 1), base, 24);
    VIEW(ag_crop(s, x, 2, L(1, 1), L(2, 2)), base, 40);
    VIEW(ag_atleast_3d(s, x), base, 0);
    const agn_tensor *ones = ag_expand_dims(s, ag_expand_dims(s, xt, 0), 2);
    VIEW(ag_squeeze_all(s, ones), base, 0);
    check(&t, has_shape(ag_squeeze_all(s, ones), 2, L(4, 3)) &&
                  has_shape(ag_squeeze_all(s, ag_ones(s, AGN_F64, 3, L(1, 1, 1))), 0, NULL) &&
                  has_shape(ag_squeeze_all(s, ag_ones(s, AGN_F64, 3, L(1, 0, 1))), 1, L(0)) &&
                  has_shape(ag_squeeze_all(s, ag_lit(s, 1)), 0, NULL),
          "squeeze_all");
    VIEW(ag_bitcast(s, x, AGN_I64), base, 0);
    VIEW(ag_bitcast(s, x, AGN_I16), base, 0);
    VIEW(ag_bitcast(s, x, AGN_C128), base, 0);
    VIEW(ag_real(s, c), zbase, 0);
    VIEW(ag_imag(s, c), zbase, 8);
    VIEW(ag_real(s, ag_transpose(s, c)), zbase, 0);
    VIEW(ag_as_real(s, c), zbase, 0);
    VIEW(ag_as_complex(s, ag_as_real(s, c)), zbase, 0);
    VIEW(PART(1, 2, agn_split(o, 2, x, L(1, 2), 0)), base, 32);
    VIEW(PART(1, 4, agn_unbind(o, 4, x, 1)), base, 8);
    const agn_tensor *pairs = ag_as_complex(s, ag_transpose(s, A(2, 3)));
    check(&t, pairs && agn_numel(pairs) == 3, "as_complex of pairs apart");
    /* bytes of another size: the last axis counts them; where strides forbid it, of a copy */
    const agn_tensor *whole = ag_arange(s, AGN_I64, 0, 6, 1);
    const agn_tensor *parts = ag_bitcast(s, ag_reshape(s, whole, 2, L(2, 3)), AGN_I16);
    const agn_tensor *turned = ag_bitcast(s, ag_transpose(s, ag_reshape(s, whole, 2, L(3, 2))),
                                          AGN_I32);
    const agn_tensor *back = ag_bitcast(s, ag_slice(s, ag_bitcast(s, whole, AGN_U8), 1, L(8),
                                                    L(24), NULL), AGN_I64);
    const agn_tensor *odd = ag_bitcast(s, ag_slice(s, ag_bitcast(s, whole, AGN_I32), 1, L(1),
                                                   L(5), NULL), AGN_I64);
    uint16_t low = 1;
    int first = *(uint8_t *)&low ? 0 : 3, half = first ? 1 : 0; /* of either byte order */
    bool bytes = parts && turned && back && odd && has_shape(parts, 2, L(2, 12)) &&
                 has_shape(turned, 2, L(2, 6)) && has_shape(back, 1, L(2)) &&
                 has_shape(odd, 1, L(2));
    for (int k = 0; bytes && k < 24; k++)
        bytes = peek_int(parts, k) == (k % 4 == first ? k / 4 : 0);
    for (int k = 0; bytes && k < 12; k++)
        bytes = peek_int(turned, k) == (k % 2 == half ? k % 6 / 2 * 2 + k / 6 : 0);
    check(&t, bytes && peek_int(back, 0) == 1 && peek_int(back, 1) == 2 &&
                  (first || peek_int(odd, 1) == (int64_t)2 << 32),
          "bitcast to narrow and wide dtypes");
    /* a plain write shows; into what is seen twice no op writes */
    agn_tensor *w = NULL, *line = NULL;
    void *p = NULL;
    must(agn_arange(&w, AGN_F64, 0, 4, 1));
    must(agn_unfold(&line, w, 0, 2, 1));
    must(agn_data_mut(&p, w));
    ((double *)p)[1] = 42;
    check(&t, peek(line, 1) == 42 && peek(line, 2) == 42, "a write shows in both windows (A12)");
    agn_tensor *two = of_reals(AGN_F64, 2, L(3, 2), R(0, 0, 0, 0, 0, 0));
    check(&t, agn_copy_into(line, two) == AGN_EARG && peek(line, 1) == 42,
          "windows that overlap are no place for a result: %s", agn_error_message());
    agn_release(w), agn_release(line), agn_release(two);
    must(agn_scope_close(s));
    tell(&t, "what can be a view is one (A12, B11)");
}

/* ---- laws --------------------------------------------------------------------------------------- */

typedef const agn_tensor *body(agn_scope *s, const agn_tensor *x);
static agn_status by_body(void *user, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    out[0] = ag_sum_all(s, ag_square(s, (*(body **)user)(s, in[0])));
    return agn_scope_status(s);
}
static const agn_tensor *repeat_tile(agn_scope *s, const agn_tensor *x)
{
    int64_t times[8] = {2, 2, 2, 2, 2, 2, 2, 2};
    return ag_tile(s, x, agn_ndim(x), times);
}
static const agn_tensor *spread_like(agn_scope *s, const agn_tensor *x)
{
    int64_t shape[9] = {2};
    memcpy(shape + 1, agn_shape(x), (size_t)agn_ndim(x) * sizeof *shape);
    return ag_broadcast_like(s, x, ag_zeros(s, AGN_F64, agn_ndim(x) + 1, shape));
}
static const agn_tensor *grid(agn_scope *s, const agn_tensor *x)
{
    const agn_tensor *xs[8];
    int nd = agn_ndim(x);
    for (int d = 0; d < nd; d++)
        xs[d] = ag_ravel(s, d ? ag_mul_c(s, x, 0) : x);
    for (int d = 1; d < nd; d++) /* vectors of two numbers */
        xs[d] = ag_slice(s, xs[d], 1, L(0), L(2), NULL);
    return PART(0, nd, agn_meshgrid(o, nd, xs, false));
}

static void test_laws(void)
{
    /* B10: each x_i is seen m times, so the gradient of the sum of squares is 2 m x_i */
    static const struct {
        const char *name;
        body *f;
        int doubles; /* m is 2 to the number of axes, 2, or 2 to one less */
    } row[] = {{"tile", repeat_tile, 0}, {"broadcast_like", spread_like, 1}, {"meshgrid", grid, 2}};
    tally t = {0};
    for (int k = 0; k < COUNT(row); k++)
        for (int nd = 1; nd <= 8; nd++) {
            int64_t shape[8] = {3, 1, 1, 1, 1, 1, 1, 1};
            shape[nd - 1] = nd > 1 ? 2 : 3;
            agn_tensor *x = random_of(AGN_F64, nd, shape, -1, 1), *g = NULL;
            body *f = row[k].f;
            agn_fn *h = NULL, *d = NULL;
            must(agn_fn_new(&h, by_body, &f, NULL, 1, 1));
            must(agn_fn_grad(&d, h, X(0), 1));
            must(agn_fn_call(&g, 1, d, T(x), agn_fn_n_in(d)));
            double m = row[k].doubles == 0   ? ldexp(1, nd)
                       : row[k].doubles == 1 ? 2
                                             : ldexp(1, nd - 1);
            bool good = same_shapes(g, x);
            for (int64_t i = 0; good && i < agn_numel(x); i++)
                good = fabs(peek(g, i) - 2 * m * peek(x, i)) < 1e-11;
            check(&t, good, "%s of rank %d", row[k].name, nd);
            agn_release(x), agn_release(g);
            agn_fn_release(h), agn_fn_release(d);
        }
    tell(&t, "gradients of what repeats, at 1 to 8 axes (B10)");

    t = (tally){0};
    agn_scope *s = agn_scope_open(NULL);
    for (int n = 0; n < 3; n++) {
        const agn_tensor *e = n == 0 ? A(0) : n == 1 ? A(0, 3) : A(3, 0);
        int64_t size = agn_shape(e)[0];
        agn_tensor *parts[3] = {NULL};
        must(agn_unbind(parts, (int)size, e, 0));
        for (int i = 0; i < size; i++) {
            check(&t, has_shape(parts[i], 1, L(0)), "a part of unbind");
            agn_release(parts[i]);
        }
    }
    const agn_tensor *none = ag_gather(s, A(3, 2), J(), 0);
    check(&t, has_shape(none, 2, L(0, 2)), "no index picks 0 rows");
    for (int k = -3; k <= 3; k++) { /* of an empty matrix nothing is diagonal */
        const agn_tensor *d = ag_diagonal(s, A(0, 3), k, 0, 1);
        check(&t, has_shape(d, 1, L(0)), "diagonal %d", k);
    }
    const agn_tensor *shape = NULL;
    agn_tensor *w = NULL;
    must(agn_watch(&w, A(2, 3)));
    shape = ag_shape_of(s, w);
    check(&t, shape && !agn_is_watched(shape) && agn_dtype_of(shape) == AGN_I64,
          "a shape carries no derivative (B20)");
    agn_release(w);
    must(agn_scope_close(s));
    tell(&t, "empty arrays and shapes (B2, B7, B20)");
}

/* ---- derivatives of reductions at zeros and ties ------------------------------------------------- */

typedef struct how {
    agn_reduction how;
    bool self;
} how;
static agn_status reduce_body(void *user, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    const how *h = user;
    out[0] = ag_index_reduce(s, in[0], J(0, 0, 0, 1), in[1], 0, h->how, h->self);
    return agn_scope_status(s);
}
static agn_status summed_body(void *user, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    if (!reduce_body(user, s, in, out))
        out[0] = ag_sum_all(s, ag_mul(s, out[0], V(1, 10, 100)));
    return agn_scope_status(s);
}

static void test_reductions(void)
{
    static const struct {
        const char *name;
        how h;
        double x[3], v[4], gx[3], gv[4];
    } row[] = {
        {"one zero", {AGN_REDUCE_PROD, true}, {2, 3, 4}, {0, 5, 7, 1}, {0, 10, 100}, {70, 0, 0, 30}},
        {"two zeros", {AGN_REDUCE_PROD, true}, {2, 3, 4}, {0, 0, 7, 1}, {0, 10, 100}, {0, 0, 0, 30}},
        {"x is zero", {AGN_REDUCE_PROD, true}, {0, 3, 4}, {2, 5, 7, 1}, {70, 10, 100}, {0, 0, 0, 30}},
        {"without x", {AGN_REDUCE_PROD, false}, {0, 3, 4}, {2, 5, 7, 1}, {0, 0, 100}, {35, 14, 10, 10}},
        {"mean", {AGN_REDUCE_MEAN, true}, {1, 1, 1}, {1, 1, 1, 1}, {.25, 5, 100}, {.25, .25, .25, 5}},
        {"mean without x", {AGN_REDUCE_MEAN, false}, {1, 1, 1}, {1, 1, 1, 1}, {0, 0, 100},
         {1. / 3, 1. / 3, 1. / 3, 10}},
        {"largest", {AGN_REDUCE_AMAX, true}, {1, 1, 1}, {2, 3, 1, 0}, {0, 10, 100}, {0, 1, 0, 0}},
        {"ties", {AGN_REDUCE_AMAX, true}, {3, 1, 1}, {3, 3, 1, 1}, {1. / 3, 5, 100},
         {1. / 3, 1. / 3, 0, 5}},
        {"ties without x", {AGN_REDUCE_AMAX, false}, {9, 1, 1}, {3, 3, 1, 1}, {0, 0, 100},
         {.5, .5, 0, 10}},
        {"smallest", {AGN_REDUCE_AMIN, true}, {1, -1, 1}, {2, 1, 3, -1}, {.5, 5, 100}, {0, .5, 0, 5}},
        {"NaN among values", {AGN_REDUCE_AMAX, true}, {9, 1, 1}, {3, (double)NAN, (double)NAN, 2}, {0, 0, 100},
         {0, .5, .5, 10}},
        {"x is NaN", {AGN_REDUCE_AMIN, true}, {(double)NAN, 1, 1}, {3, 4, 5, 2}, {1, 10, 100}, {0, 0, 0, 0}},
    };
    tally t = {0};
    for (int k = 0; k < COUNT(row); k++) {
        how h = row[k].h;
        agn_tensor *x = of_reals(AGN_F64, 1, L(3), row[k].x), *g[2] = {NULL};
        agn_tensor *v = of_reals(AGN_F64, 1, L(4), row[k].v);
        agn_fn *f = NULL, *d = NULL;
        must(agn_fn_new(&f, summed_body, &h, NULL, 2, 1));
        must(agn_fn_grad(&d, f, X(0, 1), 2));
        must(agn_fn_call(g, 2, d, T(x, v), agn_fn_n_in(d)));
        bool good = true;
        for (int i = 0; i < 3; i++)
            good = good && fabs(peek(g[0], i) - row[k].gx[i]) < 1e-12;
        for (int i = 0; i < 4; i++)
            good = good && fabs(peek(g[1], i) - row[k].gv[i]) < 1e-12;
        check(&t, good, "%s: gx %g %g %g, gv %g %g %g %g", row[k].name, peek(g[0], 0),
              peek(g[0], 1), peek(g[0], 2), peek(g[1], 0), peek(g[1], 1), peek(g[1], 2),
              peek(g[1], 3));
        agn_release(x), agn_release(v), agn_release(g[0]), agn_release(g[1]);
        agn_fn_release(f), agn_fn_release(d);
    }
    tell(&t, "index_reduce: derivatives at zeros and ties");
}

/* ---- errors ---------------------------------------------------------------------------------------- */

/* of every triangle of small matrices by its definition, and of high ones by what they hold, not by rows */
static void test_triangles(void)
{
    tally t = {0};
    agn_tensor *y = NULL;
    for (int64_t rows = 0; rows < 7; rows++)
        for (int64_t cols = 0; cols < 7; cols++)
            for (int64_t k = -9; k <= 9; k++)
                for (int lower = 0; lower < 2; lower++) {
                    must(lower ? agn_tril_indices(&y, rows, cols, k) : agn_triu_indices(&y, rows, cols, k));
                    const int64_t *at = agn_data(y);
                    int64_t n = 0, total = agn_shape(y)[1];
                    bool right = true;
                    for (int64_t i = 0; i < rows; i++)
                        for (int64_t j = 0; j < cols; j++)
                            if (lower ? j - i <= k : j - i >= k) {
                                right = right && n < total && at[n] == i && at[total + n] == j;
                                n++;
                            }
                    check(&t, right && n == total, "%s of [%d,%d], %d", lower ? "tril" : "triu",
                          (int)rows, (int)cols, (int)k);
                    agn_release(y);
                }
    const int64_t high = INT64_C(1) << 40;
    clock_t begin = clock();
    must(agn_triu_indices(&y, high, 4, 3));
    check(&t, agn_shape(y)[1] == 1 && peek(y, 0) == 0 && peek(y, 1) == 3, "the only place");
    agn_release(y);
    must(agn_triu_indices(&y, high, 4, 4));
    check(&t, agn_shape(y)[1] == 0, "none");
    agn_release(y);
    must(agn_tril_indices(&y, high, 4, 1 - high));
    check(&t, agn_shape(y)[1] == 1 && peek(y, 0) == (double)(high - 1) && peek(y, 1) == 0, "the last");
    agn_release(y);
    must(agn_tril_indices(&y, high, 0, 0));
    check(&t, agn_shape(y)[1] == 0, "no columns");
    agn_release(y);
    y = untouched;
    check(&t, refused(agn_tril_indices(&y, high, 1 << 18, INT64_MAX), AGN_ENOMEM, "tril_indices", NULL, NULL, y),
          "more than there is memory for");
    check(&t, clock() - begin < CLOCKS_PER_SEC / 2, "in no time");
    tell(&t, "places of triangles: %" PRId64 " checks", t.checks);
}

static void test_errors(void)
{
    tally t = {0};
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = A(3, 4), *v = A(4), *n = A(), *far = J(0, 7), *e = A(0, 2), *b = B(1, 0, 1);
    const agn_tensor *z = ag_complex(s, v, v), *i = J(0, 1);
    agn_tensor *y = untouched;
#define NO(call, want, op, a, f) check(&t, refused(call, want, op, a, f, y), "%s", #call)
#define NUL(call) check(&t, (call) == AGN_ENULL && y == untouched, "%s", #call)
    NO(agn_zeros(&y, 99, 0, NULL), AGN_EDTYPE, "zeros", "99", NULL);
    NO(agn_ones(&y, AGN_F64, 1, L(-1)), AGN_ESHAPE, "ones", "-1", "axis 0");
    NO(agn_full_like(&y, i, 0.5), AGN_EDOMAIN, "full_like", "0.5", "i64");
    NO(agn_logspace(&y, AGN_I32, 0, 1, 2, 10), AGN_EDTYPE, "logspace", "i32", NULL);
    NO(agn_logspace(&y, AGN_F64, 0, 1, -2, 10), AGN_ESHAPE, "logspace", "-2", NULL);
    NO(agn_logspace(&y, 55, 0, 1, 2, 10), AGN_EDTYPE, "logspace", "55", "12");
    NO(agn_polar(&y, z, v), AGN_EDTYPE, "polar", "c128", NULL);
    NO(agn_polar(&y, v, A(3)), AGN_ESHAPE, "polar", "[4]", "[3]");
    NO(agn_diag(&y, n, 0), AGN_ESHAPE, "diag", "[]", "one or two axes");
    NO(agn_diag(&y, v, INT64_MIN), AGN_ENOMEM, "diag", "-9223372036854775808", NULL);
    NO(agn_diagflat(&y, v, INT64_MAX), AGN_ENOMEM, "diagflat", "9223372036854775807", NULL);
    NO(agn_diag_embed(&y, n, 0, -2, -1), AGN_ESHAPE, "diag_embed", "rank 0", NULL);
    NO(agn_diag_embed(&y, v, 0, 2, 1), AGN_EINDEX, "diag_embed", "axis 2", "2 axes");
    NO(agn_diag_embed(&y, v, 0, -1, 1), AGN_EARG, "diag_embed", "-1 and 1", "same");
    NO(agn_tril(&y, v, 0), AGN_ESHAPE, "tril", "two axes", "[4]");
    NO(agn_triu(&y, n, 0), AGN_ESHAPE, "triu", "two axes", "[]");
    NO(agn_tril_indices(&y, -1, 2, 0), AGN_ESHAPE, "tril_indices", "-1", NULL);
    NO(agn_triu_indices(&y, 1, -2, 0), AGN_ESHAPE, "triu_indices", "-2", NULL);
    NO(agn_block_diag(&y, T(x), 0), AGN_EARG, "block_diag", "got 0", NULL);
    NO(agn_block_diag(&y, T(A(1, 1, 1)), 1), AGN_ESHAPE, "block_diag", "[1,1,1]", NULL);
    NO(agn_block_diag(&y, T(x, NULL), 2), AGN_ENULL, "block_diag", "block 1 of 2", NULL);
    NO(agn_meshgrid(&y, 0, T(v), false), AGN_EARG, "meshgrid", "0 vectors", "32");
    NO(agn_meshgrid(&y, 1, T(x), false), AGN_ESHAPE, "meshgrid", "[3,4]", NULL);
    NO(agn_ix_grid(&y, 1, T(x)), AGN_ESHAPE, "ix_grid", "[3,4]", NULL);
    NO(agn_cartesian_prod(&y, T(v), 33), AGN_EARG, "cartesian_prod", "33 vectors", NULL);
    NO(agn_combinations(&y, x, 2, false), AGN_ESHAPE, "combinations", "[3,4]", NULL);
    NO(agn_combinations(&y, v, 0, false), AGN_EARG, "combinations", "0 of 4", NULL);
    NO(agn_combinations(&y, ag_broadcast_to(s, n, 1, L(1000000)), 9, false), AGN_ENOMEM,
       "combinations", "9 of 1000000", NULL);
    NO(agn_vander(&y, x, 2, true), AGN_ESHAPE, "vander", "[3,4]", NULL);
    NO(agn_vander(&y, v, -2, true), AGN_EARG, "vander", "-2 columns", NULL);
    NO(agn_flatten(&y, x, 0, 2), AGN_EINDEX, "flatten", "axis 2", "2 axes");
    NO(agn_flatten(&y, x, 1, 0), AGN_EARG, "flatten", "axis 1", "axis 0");
    NO(agn_flatten(&y, n, 1, 0), AGN_EINDEX, "flatten", "1 and 0", NULL);
    NO(agn_unflatten(&y, x, 2, 1, L(4)), AGN_EINDEX, "unflatten", "axis 2", NULL);
    NO(agn_unflatten(&y, x, 1, 2, L(3, -1)), AGN_ESHAPE, "unflatten", "axis 1 of [3,4]", "[3,-1]");
    NO(agn_unflatten(&y, x, 1, 0, NULL), AGN_ESHAPE, "unflatten", "[3,4]", "0 of them");
    NO(agn_reshape_like(&y, x, v), AGN_ESHAPE, "reshape_like", "[3,4]", "[4]");
    NO(agn_broadcast_like(&y, x, v), AGN_ESHAPE, "broadcast_like", "[3,4]", "[4]");
    NO(agn_moveaxis(&y, x, X(2), X(0), 1), AGN_EINDEX, "moveaxis", "axis 2", NULL);
    NO(agn_moveaxis(&y, x, X(0, -2), X(0, 1), 2), AGN_EARG, "moveaxis", "axis 0", "twice");
    NO(agn_moveaxis(&y, x, X(0, 1, 0), X(0, 1, 0), 3), AGN_ESHAPE, "moveaxis", "3 axes", "[3,4]");
    NO(agn_swapaxes(&y, x, 0, 5), AGN_EINDEX, "swapaxes", "axis 5", NULL);
    NO(agn_broadcast_arrays(&y, T(x, A(3)), 2), AGN_ESHAPE, "broadcast_arrays", "[3,4]", "[3]");
    int64_t shape[32] = {0};
    int32_t nd = 7;
    NO(agn_broadcast_shape(shape, &nd, T(x, A(3)), 2), AGN_ESHAPE, "broadcast_shape", "[3,4]", "[3]");
    check(&t, !agn_broadcast_shape(shape, &nd, T(x, A(2, 1, 1)), 2) && nd == 3 && shape[0] == 2 &&
                  shape[2] == 4, "broadcast_shape");
    NO(agn_as_strided(&y, x, 1, L(4), L(4), 0), AGN_EINDEX, "as_strided", "0 to 12", "size 12");
    NO(agn_as_strided(&y, x, 1, L(2), L(-1), 0), AGN_EINDEX, "as_strided", "-1 to 0", "size 12");
    NO(agn_as_strided(&y, x, 2, L(3, 3), L(INT64_MAX, INT64_MAX), 0), AGN_EINDEX, "as_strided",
       "2^63", NULL);
    NO(agn_as_strided(&y, x, 1, L(-1), L(1), 0), AGN_ESHAPE, "as_strided", "-1", "axis 0");
    NO(agn_unfold(&y, x, 2, 1, 1), AGN_EINDEX, "unfold", "axis 2", NULL);
    NO(agn_unfold(&y, x, 1, 5, 1), AGN_ESHAPE, "unfold", "windows of 5", "axis 1 of [3,4]");
    NO(agn_unfold(&y, x, 1, 2, 0), AGN_EARG, "unfold", "step 0", "axis 1");
    NO(agn_diagonal(&y, v, 0, 0, 1), AGN_EINDEX, "diagonal", "axis 1", "1 axes");
    NO(agn_diagonal(&y, x, 0, 1, -1), AGN_EARG, "diagonal", "1 and -1", NULL);
    NO(agn_as_real(&y, x), AGN_EDTYPE, "as_real", "f64", "complex");
    NO(agn_as_complex(&y, x), AGN_ESHAPE, "as_complex", "[3,4]", "size 2");
    NO(agn_as_complex(&y, ag_complex(s, e, e)), AGN_EDTYPE, "as_complex", "c128", NULL);
    NO(agn_bitcast(&y, A(2, 3), AGN_C128), AGN_ESHAPE, "bitcast", "f64 [2,3]", "c128");
    NO(agn_bitcast(&y, n, AGN_F32), AGN_ESHAPE, "bitcast", "f64 []", "f32");
    NO(agn_bitcast(&y, ag_cast(s, x, AGN_I16), AGN_BOOL), AGN_EDTYPE, "bitcast", "i16", "bool");
    NO(agn_bitcast(&y, ag_cast(s, x, AGN_U8), AGN_BOOL), AGN_EDTYPE, "bitcast", "u8", "bool");
    NO(agn_bitcast(&y, x, 77), AGN_EDTYPE, "bitcast", "77", NULL);
    NO(agn_hstack(&y, T(x, A(2, 2)), 2), AGN_ESHAPE, "hstack", "[3,4]", "[2,2]");
    NO(agn_vstack(&y, T(x, A(3)), 2), AGN_ESHAPE, "vstack", "[3,4]", "[1,3]");
    NO(agn_dstack(&y, T(x), 0), AGN_EARG, "dstack", "got 0", NULL);
    NO(agn_column_stack(&y, T(v, A(3)), 2), AGN_ESHAPE, "column_stack", "[4,1]", "[3,1]");
    NO(agn_append(&y, x, v, 0), AGN_ESHAPE, "append", "[3,4]", "[4]");
    NO(agn_append(&y, n, n, 0), AGN_ESHAPE, "append", "[]", NULL);
    NO(agn_insert(&y, x, far, v, 0), AGN_EINDEX, "insert", "index 7", "axis 0 of size 3");
    NO(agn_insert(&y, x, v, v, 0), AGN_EDTYPE, "insert", "f64", NULL);
    NO(agn_insert(&y, x, i, A(5), 0), AGN_ESHAPE, "insert", "[5]", NULL);
    NO(agn_delete(&y, x, far, 0), AGN_EINDEX, "delete", "index 7", "axis 0 of size 3");
    NO(agn_delete(&y, x, ag_reshape(s, i, 2, L(1, 2)), 0), AGN_ESHAPE, "delete", "[1,2]", NULL);
    NO(agn_delete(&y, x, b, 0), AGN_EDTYPE, "delete", "bool", NULL);
    NO(agn_split(&y, 2, x, NULL, 0), AGN_ESHAPE, "split", "axis 0 of [3,4]", "2 parts");
    NO(agn_split(&y, 2, x, L(1, 1), 0), AGN_ESHAPE, "split", "[3,4]", "[1,1]");
    NO(agn_split(&y, 0, x, NULL, 0), AGN_EARG, "split", "0 parts", NULL);
    NO(agn_tensor_split(&y, 2, x, NULL, 2), AGN_EINDEX, "tensor_split", "axis 2", NULL);
    NO(agn_tensor_split(&y, 2, n, NULL, 0), AGN_ESHAPE, "tensor_split", "[]", NULL);
    NO(agn_vsplit(&y, 2, v, NULL), AGN_ESHAPE, "vsplit", "[4]", "at least 2");
    NO(agn_hsplit(&y, 2, n, NULL), AGN_ESHAPE, "hsplit", "[]", "at least 1");
    NO(agn_dsplit(&y, 2, x, NULL), AGN_ESHAPE, "dsplit", "[3,4]", "at least 3");
    NO(agn_unbind(&y, 2, x, 0), AGN_ESHAPE, "unbind", "2 parts", "[3,4] has 3");
    NO(agn_tile(&y, x, 1, L(-1)), AGN_ESHAPE, "tile", "axis 1 of size 4", "-1 times");
    NO(agn_tile(&y, x, 33, NULL), AGN_ENULL, "tile", "times", NULL);
    NO(agn_tile(&y, x, -1, NULL), AGN_ESHAPE, "tile", "-1 axes", "32");
    NO(agn_repeat_interleave(&y, x, i, 0), AGN_ESHAPE, "repeat_interleave", "[2]", "[3,4]");
    NO(agn_repeat_interleave(&y, x, J(1, -1, 1), 0), AGN_EARG, "repeat_interleave", "element 1",
       "-1 times");
    NO(agn_repeat_interleave(&y, x, v, 0), AGN_EDTYPE, "repeat_interleave", "f64", NULL);
    NO(agn_roll(&y, x, L(1), X(2), 1), AGN_EINDEX, "roll", "axis 2", NULL);
    NO(agn_roll(&y, x, L(1, 1), NULL, 2), AGN_EARG, "roll", "2 shifts", NULL);
    NO(agn_rot90(&y, x, 1, 0, 0), AGN_EARG, "rot90", "0 and 0", NULL);
    NO(agn_crop(&y, x, 1, L(0), L(1)), AGN_ESHAPE, "crop", "1 axes", "[3,4]");
    NO(agn_crop(&y, x, 2, L(0, 2), L(1, 3)), AGN_EINDEX, "crop", "3 elements from 2", "size 4");
    NO(agn_pad_with(&y, x, 1, L(0), L(1), 0), AGN_ESHAPE, "pad_with", "1 axes", "[3,4]");
    NO(agn_pad_with(&y, x, 2, L(0, -1), L(1, 0), 0), AGN_ESHAPE, "pad_with", "-1", "axis 1");
    NO(agn_pad_with(&y, x, 2, L(0, 1), L(1, 0), 10), AGN_EARG, "pad_with", "10", "9");
    NO(agn_pad_with(&y, e, 2, L(1, 0), L(0, 0), 0), AGN_ESHAPE, "pad_with", "axis 0 of [0,2]", NULL);
    NO(agn_pad_with(&y, z, 1, L(1), L(0), AGN_PAD_MAXIMUM), AGN_EDTYPE, "pad_with", "c128", NULL);
    NO(agn_scatter_put(&y, x, far, A(2, 4), 0), AGN_EINDEX, "scatter_put", "index 7", "size 3");
    NO(agn_scatter_put(&y, x, i, v, 0), AGN_ESHAPE, "scatter_put", "[4]", "[2,4]");
    NO(agn_scatter_put(&y, x, v, x, 0), AGN_EDTYPE, "scatter_put", "f64", NULL);
    NO(agn_put_along_axis(&y, x, i, n, 0), AGN_ESHAPE, "put_along_axis", "[3,4]", "[2]");
    NO(agn_put_along_axis(&y, v, far, n, 0), AGN_EINDEX, "put_along_axis", "index 7", "size 4");
    NO(agn_scatter_reduce(&y, v, i, n, 0, 9, true), AGN_EARG, "scatter_reduce", "9", "4");
    NO(agn_scatter_reduce(&y, z, i, n, 0, AGN_REDUCE_AMAX, true), AGN_EDTYPE, "scatter_reduce", "c128",
       NULL);
    for (int k = AGN_REDUCE_SUM; k <= AGN_REDUCE_AMIN; k++) {
        NO(agn_scatter_reduce(&y, v, far, n, 0, k, k % 2), AGN_EINDEX, "scatter_reduce", NULL, "size 4");
        NO(agn_index_reduce(&y, x, J(-4), A(1, 4), 0, k, k % 2), AGN_EINDEX, "index_reduce", "index -4",
           "size 3");
    }
    NO(agn_index_reduce(&y, x, i, v, 0, 0, true), AGN_ESHAPE, "index_reduce", "[3,4]", "[4]");
    NO(agn_index_reduce(&y, x, i, A(3, 4), 0, 0, true), AGN_ESHAPE, "index_reduce", "[3,4]", "[2,4]");
    NO(agn_index_fill(&y, x, far, 0, n), AGN_EINDEX, "index_fill", "index 7", "axis 0 of size 3");
    NO(agn_select_scatter(&y, x, v, 0, 3), AGN_EINDEX, "select_scatter", "index 3", "size 3");
    NO(agn_select_scatter(&y, x, A(3), 0, 1), AGN_ESHAPE, "select_scatter", "[3]", "[4]");
    NO(agn_slice_scatter(&y, x, v, 3, L(0, 0, 0), L(1, 1, 1), NULL), AGN_ESHAPE, "slice_scatter",
       "3 axes", "[3,4]");
    NO(agn_slice_scatter(&y, x, v, 1, L(0), L(1), L(0)), AGN_EARG, "slice_scatter", "step", "is 0");
    NO(agn_diagonal_scatter(&y, x, v, 0, 0, 1), AGN_ESHAPE, "diagonal_scatter", "[4]", "[3]");
    NO(agn_diagonal_scatter(&y, x, v, 0, 1, 1), AGN_EARG, "diagonal_scatter", "1 and 1", NULL);
    NO(agn_gather_nd(&y, x, J(0, 1, 2)), AGN_ESHAPE, "gather_nd", "[3]", "2 axes");
    NO(agn_gather_nd(&y, x, J(0, 4)), AGN_EINDEX, "gather_nd", "index 4", "axis 1 of size 4");
    NO(agn_gather_nd(&y, x, A(2)), AGN_EDTYPE, "gather_nd", "f64", NULL);
    NO(agn_scatter_nd_add(&y, x, J(3), v), AGN_EINDEX, "scatter_nd_add", "index 3", "size 3");
    NO(agn_scatter_nd_add(&y, x, J(0), A(3)), AGN_ESHAPE, "scatter_nd_add", "[3]", "[4]");
    NO(agn_scatter_nd(&y, J(5), n, 1, L(4)), AGN_EINDEX, "scatter_nd", "index 5", "size 4");
    NO(agn_scatter_nd(&y, J(5), n, 1, L(-4)), AGN_ESHAPE, "scatter_nd", "-4", NULL);
    NO(agn_take(&y, x, J(12), AGN_RANGE_CHECK), AGN_EINDEX, "take", "index 12", "size 12");
    NO(agn_take(&y, e, J(0), AGN_RANGE_WRAP), AGN_EINDEX, "take", "size 0", NULL);
    NO(agn_take(&y, x, v, 0), AGN_EDTYPE, "take", "f64", NULL);
    NO(agn_take(&y, x, i, 3), AGN_EARG, "take", "3", "2");
    NO(agn_choose(&y, far, T(n, n), 2, 0), AGN_EINDEX, "choose", "index 7", "size 2");
    NO(agn_choose(&y, i, T(n, v), 2, 0), AGN_ESHAPE, "choose", "[2]", "[4]");
    NO(agn_choose(&y, i, T(n), 0, 0), AGN_EARG, "choose", "got 0", NULL);
    NO(agn_choose(&y, i, T(n, NULL), 2, 0), AGN_ENULL, "choose", "choice 1 of 2", NULL);
    NO(agn_select(&y, T(b, n, b), 3, n), AGN_EARG, "select", "3 tensors", NULL);
    NO(agn_piecewise(&y, T(b, v), 2, n), AGN_ESHAPE, "piecewise", "[3]", "[4]");
    NO(agn_masked_fill(&y, x, i, n), AGN_EDTYPE, "masked_fill", "i64", "bool");
    NO(agn_masked_fill(&y, x, b, n), AGN_ESHAPE, "masked_fill", "[3]", "[3,4]");
    NO(agn_masked_scatter(&y, A(3), b, A(1)), AGN_EINDEX, "masked_scatter", "takes 2 elements", "[1]");
    NO(agn_masked_scatter(&y, x, b, v), AGN_ESHAPE, "masked_scatter", "[3]", "[3,4]");
    NO(agn_compress(&y, x, B(1, 0, 1, 1), 0), AGN_ESHAPE, "compress", "[4]", "3 bools");
    NO(agn_compress(&y, x, i, 0), AGN_EDTYPE, "compress", "i64", NULL);
    NO(agn_extract(&y, x, b), AGN_ESHAPE, "extract", "[3,4]", "[3]");
    NO(agn_extract(&y, v, v), AGN_EDTYPE, "extract", "f64", NULL);
    NO(agn_shard_index(&y, v, 20, 2, 0, -1), AGN_EDTYPE, "shard_index", "f64", NULL);
    NO(agn_shard_index(&y, i, 20, 2, 2, -1), AGN_EARG, "shard_index", "shard 2 of 2", "20");
    /* a tensor that is NULL */
    NUL(agn_zeros_like(&y, NULL)); NUL(agn_ones_like(&y, NULL)); NUL(agn_full_like(&y, NULL, 1));
    NUL(agn_empty_like(&y, NULL)); NUL(agn_polar(&y, v, NULL)); NUL(agn_diag(&y, NULL, 0));
    NUL(agn_diagflat(&y, NULL, 0)); NUL(agn_diag_embed(&y, NULL, 0, 0, 1)); NUL(agn_tril(&y, NULL, 0));
    NUL(agn_triu(&y, NULL, 0)); NUL(agn_meshgrid(NULL, 1, T(v), false)); NUL(agn_ravel(&y, NULL));
    NUL(agn_flatten(&y, NULL, 0, 0)); NUL(agn_unflatten(&y, x, 0, 1, NULL));
    NUL(agn_reshape_like(&y, x, NULL)); NUL(agn_broadcast_like(&y, NULL, x));
    NUL(agn_squeeze_all(&y, NULL));
    NUL(agn_squeeze_all(NULL, x));
    NUL(agn_atleast_1d(&y, NULL));
    NUL(agn_atleast_2d(NULL, x));
    NUL(agn_atleast_3d(&y, NULL));
    NUL(agn_moveaxis(&y, x, NULL, X(0), 1)); NUL(agn_swapaxes(&y, NULL, 0, 0));
    NUL(agn_broadcast_shape(NULL, &nd, T(x), 1)); NUL(agn_broadcast_arrays(&y, NULL, 1));
    NUL(agn_shape_of(&y, NULL)); NUL(agn_as_strided(&y, x, 1, NULL, L(1), 0));
    NUL(agn_unfold(&y, NULL, 0, 1, 1)); NUL(agn_diagonal(NULL, x, 0, 0, 1)); NUL(agn_as_real(&y, NULL));
    NUL(agn_as_complex(&y, NULL)); NUL(agn_bitcast(&y, NULL, 0)); NUL(agn_hstack(&y, NULL, 1));
    NUL(agn_vstack(&y, T(x, NULL), 2)); NUL(agn_dstack(NULL, T(x), 1));
    NUL(agn_column_stack(&y, NULL, 1)); NUL(agn_append(&y, x, NULL, 0));
    NUL(agn_insert(&y, x, NULL, x, 0)); NUL(agn_delete(&y, NULL, i, 0)); NUL(agn_split(NULL, 1, x, NULL, 0));
    NUL(agn_tensor_split(&y, 1, NULL, NULL, 0)); NUL(agn_vsplit(NULL, 1, x, NULL));
    NUL(agn_hsplit(&y, 1, NULL, NULL)); NUL(agn_dsplit(NULL, 1, x, NULL)); NUL(agn_unbind(NULL, 3, x, 0));
    NUL(agn_repeat_interleave(&y, x, NULL, 0)); NUL(agn_roll(&y, x, NULL, NULL, 1));
    NUL(agn_rot90(&y, NULL, 1, 0, 1)); NUL(agn_crop(&y, x, 2, NULL, L(1, 1)));
    NUL(agn_pad_with(&y, x, 2, NULL, L(1, 1), 0)); NUL(agn_scatter_put(&y, x, NULL, x, 0));
    NUL(agn_put_along_axis(&y, x, i, NULL, 0)); NUL(agn_scatter_reduce(NULL, x, i, x, 0, 0, true));
    NUL(agn_index_reduce(&y, NULL, i, x, 0, 0, true)); NUL(agn_index_fill(&y, x, i, 0, NULL));
    NUL(agn_select_scatter(&y, x, NULL, 0, 0)); NUL(agn_slice_scatter(&y, x, v, 1, NULL, L(1), NULL));
    NUL(agn_diagonal_scatter(&y, NULL, v, 0, 0, 1)); NUL(agn_gather_nd(&y, NULL, i));
    NUL(agn_scatter_nd_add(&y, x, i, NULL)); NUL(agn_scatter_nd(&y, NULL, v, 0, NULL));
    NUL(agn_take(&y, x, NULL, 0)); NUL(agn_choose(&y, NULL, T(x), 1, 0)); NUL(agn_select(&y, NULL, 2, n));
    NUL(agn_piecewise(&y, T(b, n), 2, NULL)); NUL(agn_masked_fill(&y, x, NULL, n));
    NUL(agn_masked_scatter(&y, x, b, NULL)); NUL(agn_compress(&y, x, NULL, 0));
    NUL(agn_extract(&y, NULL, b)); NUL(agn_shard_index(&y, NULL, 1, 1, 0, 0));
    NUL(agn_cartesian_prod(&y, NULL, 1)); NUL(agn_combinations(&y, NULL, 1, false));
    NUL(agn_vander(NULL, v, 1, false)); NUL(agn_ix_grid(&y, 1, NULL)); NUL(agn_block_diag(&y, NULL, 1));
    NUL(agn_tril_indices(NULL, 1, 1, 0)); NUL(agn_triu_indices(NULL, 1, 1, 0));
    NUL(agn_logspace(NULL, AGN_F64, 0, 1, 2, 2)); NUL(agn_zeros(NULL, AGN_F64, 0, NULL));
    NUL(agn_ones(NULL, AGN_F64, 0, NULL)); NUL(agn_tile(NULL, x, 0, NULL));
    must(agn_scope_close(s));
    tell(&t, "each documented error, provoked; nothing is written");
}

/* rows of more and fewer numbers than a vector: NaN stays whichever side it is on, the first of equals too */
static void test_wide_extremes(void)
{
    tally t = {0, 0};
    static const int64_t widths[] = {3, 16, 19, 37}, at[] = {1, 0, 1, 1};
    for (int k = 0; k < 16; k++) {
        int64_t w = widths[k % 4], n = 4;
        bool f32 = k / 4 % 2, least = k / 8;
        double to[2 * 37], from[4 * 37];
        for (int i = 0; i < 4 * 37; i++)
            from[i] = i % 11 == 3 ? (double)NAN : i % 5 == 2 ? -0.0 : (i * 7 % 13 - 6) / 4.0;
        for (int i = 0; i < 2 * 37; i++)
            to[i] = i % 9 == 4 ? (double)NAN : i % 4 == 1 ? 0.0 : (i * 5 % 7 - 3) / 4.0;
        agn_tensor *x, *v, *i, *y;
        must(agn_from_host(&i, AGN_I64, 1, &n, at));
        must(agn_from_host(&y, AGN_F64, 2, (int64_t[]){2, w}, to));
        must(agn_cast(&x, y, f32 ? AGN_F32 : AGN_F64));
        agn_release(y);
        must(agn_from_host(&y, AGN_F64, 2, (int64_t[]){4, w}, from));
        must(agn_cast(&v, y, f32 ? AGN_F32 : AGN_F64));
        agn_release(y);
        must(agn_index_reduce(&y, x, i, v, 0, least ? AGN_REDUCE_AMIN : AGN_REDUCE_AMAX, true));
        for (int64_t r = 0; r < 4; r++)
            for (int64_t f = 0; f < w; f++) {
                double *a = &to[at[r] * w + f], b = from[r * w + f];
                *a = isnan(*a) || (least ? b >= *a : b <= *a) ? *a : b;
            }
        for (int64_t f = 0; f < 2 * w; f++) {
            double is = creal(peekz(y, f));
            check(&t, isnan(to[f]) ? isnan(is) : is == to[f] && !signbit(is) == !signbit(to[f]),
                  "rows of %d, element %d: %g, %g", (int)w, (int)f, is, to[f]);
        }
        agn_release(x), agn_release(v), agn_release(i), agn_release(y);
    }
    tell(&t, "extremes of rows of any length: NaN, ties of zeros");
}

int main(int argc, char **argv)
{
    test_numpy(argc > 1 ? atoi(argv[1]) : -1);
    if (argc > 1)
        return done();
    test_views();
    test_laws();
    test_reductions();
    test_wide_extremes();
    test_triangles();
    test_errors();
    return done();
}
