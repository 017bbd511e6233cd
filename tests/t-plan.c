/* Compiled functions: what they compute, that they repeat it bit by bit, what they refuse. */
#include "laws.h"

#include "graph/memory/plan.h"
#include <agnesi/ag.h>
#include <pthread.h>
#include <time.h>

/* ---- allocations of this program, counted under everything ------------------------------- */

#if !TAP_SANITIZED /* which count themselves */
static _Atomic int64_t mallocs;
static _Atomic bool counting;
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t m);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t a, size_t n);
static void count(void)
{
    if (counting)
        mallocs++;
}
void *malloc(size_t n);
void *malloc(size_t n)
{
    count();
    return __libc_malloc(n);
}
void *calloc(size_t n, size_t m);
void *calloc(size_t n, size_t m)
{
    count();
    return __libc_calloc(n, m);
}
void *realloc(void *p, size_t n);
void *realloc(void *p, size_t n)
{
    count();
    return __libc_realloc(p, n);
}
int posix_memalign(void **p, size_t a, size_t n);
int posix_memalign(void **p, size_t a, size_t n)
{
    count();
    *p = __libc_memalign(a, n);
    return *p ? 0 : 12;
}
void *aligned_alloc(size_t a, size_t n);
void *aligned_alloc(size_t a, size_t n)
{
    count();
    return __libc_memalign(a, n);
}
#endif

/* ---- programs ------------------------------------------------------------------------------ */

/* arguments: X [N,3], W1 [3,8], b1 [8], W2 [8,8], b2 [8], W3 [8,2], b3 [2] */
enum { ARGS = 7, X = 0, W1, B1, W2, B2, W3, B3, MAX_OUT = 8 };
#define BODY(name)                                                                \
    static agn_status name(void *user, agn_scope *s, const agn_tensor *const *in, \
                           const agn_tensor **out)

static const agn_tensor *dense(agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor *h, int w)
{
    return ag_add(s, ag_matmul(s, h, in[w]), in[w + 1]);
}
static const agn_tensor *net(agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor *x)
{
    const agn_tensor *h = ag_tanh(s, dense(s, in, x, W1));
    h = ag_tanh(s, dense(s, in, h, W2));
    return dense(s, in, h, W3);
}
static const agn_tensor *mean_square(agn_scope *s, const agn_tensor *r)
{
    return ag_mean_all(s, ag_square(s, r));
}

BODY(tanh_net)
{
    (void)user;
    out[0] = mean_square(s, net(s, in, in[X]));
    return AGN_OK;
}
BODY(residual_links)
{
    (void)user;
    const agn_tensor *h = ag_sin(s, dense(s, in, in[X], W1));
    for (int i = 0; i < 3; i++)
        h = ag_add(s, h, ag_sin(s, dense(s, in, h, W2)));
    out[0] = ag_mean_all(s, ag_exp(s, ag_mul_c(s, dense(s, in, h, W3), 0.1)));
    return AGN_OK;
}
BODY(fourier)
{
    (void)user;
    int64_t half[2] = {4, 8}, zero[2] = {0, 0};
    const agn_tensor *p = ag_matmul(s, in[X], in[W1]);
    const agn_tensor *both[2] = {ag_sin(s, p), ag_cos(s, p)};
    const agn_tensor *f = ag_concat(s, both, 2, 1);
    const agn_tensor *a[2] = {ag_slice(s, in[W2], 2, zero, half, NULL), in[W2]};
    const agn_tensor *w = ag_concat(s, a, 2, 0); /* [12, 8] */
    int64_t lo[2] = {0, 4}, hi[2] = {AGN_END, AGN_END};
    f = ag_slice(s, f, 2, lo, hi, NULL); /* [N, 12] */
    out[0] = mean_square(s, dense(s, in, ag_gelu(s, ag_matmul(s, f, w)), W3));
    return AGN_OK;
}
BODY(two_outputs)
{
    (void)user;
    const agn_tensor *u = net(s, in, in[X]);
    const agn_tensor *a = ag_index_axis(s, u, 1, 0), *b = ag_index_axis(s, u, 1, 1);
    const agn_tensor *r = ag_mul(s, a, ag_sub(s, b, ag_index_axis(s, in[X], 1, 2)));
    out[0] = ag_add(s, mean_square(s, r),
                    ag_mul_c(s, ag_mean_all(s, ag_abs(s, b)), 0.5));
    out[1] = u;
    out[2] = r;
    return AGN_OK;
}
/* the cotangent needs the finished mean */
BODY(log_of_mean)
{
    (void)user;
    out[0] = ag_log(s, ag_add_c(s, mean_square(s, net(s, in, in[X])), 1e-3));
    return AGN_OK;
}
BODY(adaptive_weights)
{
    (void)user;
    const agn_tensor *r = ag_square(s, net(s, in, in[X]));
    const agn_tensor *w = ag_div(s, r, ag_add_c(s, ag_mean_all(s, r), 1));
    out[0] = ag_mean_all(s, ag_mul(s, ag_stop_gradient(s, w), r));
    out[1] = w;
    return AGN_OK;
}
BODY(normalised)
{
    (void)user;
    int32_t batch = 0;
    const agn_tensor *h = dense(s, in, in[X], W1);
    h = ag_sub(s, h, ag_mean(s, h, &batch, 1, true));
    const agn_tensor *v = ag_mean(s, ag_square(s, h), &batch, 1, true);
    h = ag_mul(s, h, ag_rsqrt(s, ag_add_c(s, v, 1e-2)));
    out[0] = mean_square(s, dense(s, in, ag_softplus(s, h), W3));
    out[1] = h;
    return AGN_OK;
}
BODY(mixture)
{
    (void)user;
    const agn_tensor *h = ag_tanh(s, dense(s, in, in[X], W1));
    h = ag_cumsum(s, h, 0); /* whole arrays */
    h = ag_mul_c(s, h, 0.01);
    h = ag_flip(s, h, (int32_t[]){0}, 1);
    h = ag_tanh(s, dense(s, in, h, W2));
    out[0] = mean_square(s, dense(s, in, h, W3));
    out[1] = ag_sum(s, h, (int32_t[]){1}, 1, false);
    return AGN_OK;
}
BODY(masks)
{
    (void)user;
    const agn_tensor *x = in[X], *zero = ag_lit(s, 0);
    const agn_tensor *safe = ag_where(s, ag_gt(s, x, zero), ag_log(s, ag_abs(s, x)),
                                      zero);
    const agn_tensor *h = ag_relu(s, dense(s, in, safe, W1));
    h = ag_maximum(s, h, ag_minimum(s, dense(s, in, h, W2), h));
    out[0] = mean_square(s, dense(s, in, h, W3));
    out[1] = ag_logical_or(s, ag_gt(s, x, zero), ag_le(s, x, ag_lit(s, -0.5)));
    return AGN_OK;
}
BODY(cross_entropy)
{
    (void)user;
    int32_t last = 1;
    const agn_tensor *z = net(s, in, in[X]);
    const agn_tensor *l = ag_logsumexp(s, z, &last, 1, false);
    out[0] = ag_mean_all(s, ag_sub(s, l, ag_index_axis(s, z, 1, 0)));
    return AGN_OK;
}
BODY(per_point_matrices)
{
    (void)user;
    const agn_tensor *h = dense(s, in, in[X], W1);
    const agn_tensor *a = ag_expand_dims(s, h, 2), *b = ag_expand_dims(s, in[X], 1);
    const agn_tensor *m = ag_matmul(s, a, b);                  /* [N,8,3] */
    const agn_tensor *q = ag_matmul(s, ag_transpose(s, m), m); /* [N,3,3] */
    const agn_tensor *left = ag_matmul(s, in[W2], m);
    out[0] = ag_add(s, mean_square(s, ag_sum(s, q, (int32_t[]){1}, 1, false)),
                    ag_mean_all(s, ag_sin(s, left)));
    out[1] = ag_sum(s, left, (int32_t[]){1, 2}, 2, false);
    return AGN_OK;
}
BODY(columns)
{
    (void)user;
    const agn_tensor *h = ag_matmul(s, ag_transpose(s, in[W1]), ag_transpose(s, in[X]));
    h = ag_tanh(s, ag_add(s, h, ag_expand_dims(s, in[B1], 1)));
    h = ag_matmul(s, ag_transpose(s, in[W2]), h); /* [8,N] */
    out[0] = mean_square(s, h);
    out[1] = h;
    return AGN_OK;
}
/* chains longer than one instruction takes, with many numbers and values that live on */
BODY(long_chains)
{
    (void)user;
    enum { RING = 12, OPS = 150 };
    const agn_tensor *h = ag_add(s, ag_matmul(s, in[X], in[W1]), in[B1]), *ring[RING];
    for (int i = 0; i < RING; i++)
        ring[i] = ag_mul_c(s, h, 0.1 + 0.07 * i);
    for (int i = 0; i < OPS; i++) {
        const agn_tensor *a = ring[i * 5 % RING], *b = ring[i * 7 % RING];
        const agn_tensor *c = i % 6 == 0   ? ag_sin(s, ag_add(s, a, b))
                              : i % 6 == 1 ? ag_mul(s, ag_tanh(s, a), b)
                              : i % 6 == 2 ? ag_sub(s, a, ag_mul_c(s, ag_square(s, b), 0.3 + 0.01 * i))
                              : i % 6 == 3 ? ag_neg(s, ag_maximum(s, a, b))
                              : i % 6 == 4 ? ag_where(s, ag_lt(s, a, b), a, ag_mul_c(s, b, 0.5))
                                           : ag_add(s, ag_mul(s, ag_sin(s, a), ag_tanh(s, b)), a);
        ring[i % RING] = ag_tanh(s, c);
        if (i % 50 == 49)
            ring[0] = ag_matmul(s, ring[0], in[W2]);
    }
    const agn_tensor *sum = ring[0];
    for (int i = 1; i < RING; i++)
        sum = ag_add(s, sum, ring[i]);
    out[0] = mean_square(s, sum);
    out[1] = ag_matmul(s, sum, in[W3]);
    return AGN_OK;
}
BODY(moves)
{
    (void)user;
    int64_t lo[2] = {0, 1}, hi[2] = {0, 2};
    const agn_tensor *x = ag_mul_c(s, in[X], 2);
    const agn_tensor *p = ag_pad(s, x, 2, lo, hi, 0); /* [N,6] */
    const agn_tensor *f = ag_flip(s, p, (int32_t[]){1}, 1);
    const agn_tensor *st[3] = {p, f, ag_mul(s, p, f)};
    const agn_tensor *t = ag_stack(s, st, 3, 0); /* [3,N,6] */
    int32_t order[3] = {1, 2, 0};
    t = ag_permute(s, t, order, 3); /* [N,6,3] */
    int64_t n = agn_shape(in[X])[0], shape[2] = {n, 18};
    t = ag_reshape(s, t, 2, shape);
    const agn_tensor *w = ag_sin(s, t);
    out[0] = mean_square(s, w);
    out[1] = ag_sum(s, w, (int32_t[]){0}, 1, false);
    out[2] = t;
    return AGN_OK;
}
/* ops that are not element-wise, on tiles and on whole arrays */
BODY(other_ops)
{
    (void)user;
    int64_t n = agn_shape(in[X])[0];
    const agn_tensor *x = ag_mul_c(s, in[X], 2);
    const agn_tensor *order = ag_argsort(s, x, 1, false); /* [N,3] */
    const agn_tensor *t = ag_take_along_axis(s, x, order, 1);
    const agn_tensor *best = ag_argmax(s, x, 1, true);
    const agn_tensor *rows = ag_gather(s, in[W2], ag_reshape(s, best, 1, &n),
                                       0); /* [N,8] */
    const agn_tensor *sums = ag_scatter_add(
        s, ag_mul_c(s, in[W3], 0), best = ag_reshape(s, best, 1, &n),
        ag_slice(s, t, 2, (int64_t[]){0, 0}, (int64_t[]){AGN_END, 2}, NULL), 0);
    const agn_tensor *p = ag_cumsum(s, ag_sin(s, t), 1);
    const agn_tensor *far = ag_max(s, ag_abs(s, p), (int32_t[]){1}, 1, true);
    const agn_tensor *prod = ag_prod(s, ag_add_c(s, x, 3), (int32_t[]){1}, 1, false);
    const agn_tensor *e[2] = {in[X], in[W1]};
    const agn_tensor *ein = ag_einsum(s, "ni,ij->nj", e, 2);
    out[0] = ag_add(s, ag_mean_all(s, ag_div(s, p, ag_add_c(s, far, 1))),
                    ag_add(s, mean_square(s, rows), mean_square(s, sums)));
    out[1] = prod;
    out[2] = ag_max(s, ein, (int32_t[]){0}, 1, false);
    out[3] = order;
    out[4] = ag_cast(s, ag_add(s, p, far), AGN_F32);
    return AGN_OK;
}
/* results that are arguments, constants, the same twice, views */
BODY(odd_results)
{
    (void)user;
    out[0] = ag_sum_all(s, in[X]);
    out[1] = in[X];
    out[2] = ag_transpose(s, in[X]);
    out[3] = out[0];
    out[4] = ag_lit(s, 2.5);
    out[5] = ag_transpose(s, ag_tanh(s, in[W2]));
    return AGN_OK;
}
static agn_fn *third;
BODY(third_derivative)
{
    (void)user;
    const agn_tensor *d[4];
    agn_fn_apply(s, d, 4, third, in, agn_fn_n_in(third));
    if (agn_scope_status(s))
        return agn_scope_status(s);
    out[0] = mean_square(s, ag_add(s, ag_add(s, d[1], ag_mul(s, d[0], d[2])), d[3]));
    return AGN_OK;
}
/* rows of one operand beside each row of another: of an array, turned over or not, and of the tile */
BODY(spread)
{
    (void)user;
    const agn_tensor *h = ag_tanh(s, ag_matmul(s, in[X], in[W1])); /* [N,8] */
    const agn_tensor *columns = ag_expand_dims(s, h, 2), *rows = ag_expand_dims(s, h, 1);
    const agn_tensor *turned = ag_mul(s, ag_transpose(s, in[W2]), rows);
    const agn_tensor *straight = ag_mul(s, in[W2], columns);
    const agn_tensor *own = ag_mul(s, columns, ag_add(s, rows, in[B1]));
    out[0] = mean_square(s, ag_matmul(s, turned, in[W2]));
    out[1] = mean_square(s, ag_matmul(s, straight, in[W2]));
    out[2] = mean_square(s, ag_matmul(s, own, in[W3]));
    return AGN_OK;
}
/* folds of rows that are no sums, over the last axis, another and several */
BODY(folds)
{
    (void)user;
    const agn_tensor *h = ag_matmul(s, in[X], in[W1]); /* [N,8] */
    const agn_tensor *t = ag_mul(s, ag_expand_dims(s, h, 2), in[W2]);
    const agn_tensor *last = ag_logsumexp(s, h, (int32_t[]){1}, 1, false);
    const agn_tensor *middle = ag_logsumexp(s, t, (int32_t[]){1}, 1, true);
    const agn_tensor *both = ag_logsumexp(s, t, (int32_t[]){1, 2}, 2, false);
    const agn_tensor *top = ag_max(s, t, (int32_t[]){2}, 1, false);
    const agn_tensor *least = ag_min(s, ag_sin(s, t), (int32_t[]){1, 2}, 2, true);
    out[0] = mean_square(s, ag_sub(s, h, ag_expand_dims(s, last, 1)));
    out[1] = ag_add(s, mean_square(s, ag_sub(s, t, middle)), mean_square(s, both));
    out[2] = ag_add(s, mean_square(s, top), mean_square(s, ag_square(s, least)));
    return AGN_OK;
}
/* the same of numbers that are infinite, all of a row as well, and of no numbers */
BODY(infinite_folds)
{
    (void)user;
    const agn_tensor *h = ag_matmul(s, in[X], in[W1]);
    const agn_tensor *low = ag_log(s, ag_relu(s, ag_add_c(s, h, 0.2)));
    const agn_tensor *none = ag_log(s, ag_add_c(s, h, 1)), *high = ag_neg(s, low);
    const agn_tensor *x[] = {low, none, high};
    for (int i = 0; i < 3; i++) {
        const agn_tensor *y = ag_logsumexp(s, x[i], (int32_t[]){1}, 1, true);
        out[i] = ag_where(s, ag_isfinite(s, y), ag_tanh(s, y),
                          ag_where(s, ag_isneginf(s, y), ag_lit(s, -2),
                                   ag_where(s, ag_isposinf(s, y), ag_lit(s, 2), y)));
    }
    out[3] = ag_max(s, none, (int32_t[]){1}, 1, false);
    out[4] = ag_min(s, none, (int32_t[]){1}, 1, false);
    return AGN_OK;
}
/* numbers that lie in arrays, beside a row and beside several */
BODY(parameters)
{
    (void)user;
    const agn_tensor *a = ag_index_axis(s, in[B1], 0, 3), *b = ag_index_axis(s, in[B2], 0, 1);
    const agn_tensor *x = ag_sin(s, ag_index_axis(s, in[X], 1, 1)); /* [N] */
    const agn_tensor *y = ag_add(s, ag_mul(s, a, ag_mul(s, ag_sub(s, b, x), x)), a);
    out[0] = mean_square(s, ag_exp(s, ag_div(s, y, b)));
    return AGN_OK;
}
BODY(more_parameters)
{
    const agn_tensor *a = ag_index_axis(s, in[B1], 0, 3), *b = ag_index_axis(s, in[B2], 0, 1);
    const agn_tensor *h = ag_tanh(s, ag_matmul(s, in[X], in[W1])); /* [N,8] */
    const agn_tensor *z = ag_add(s, ag_mul(s, ag_sub(s, a, h), b), ag_where(s, ag_lt(s, h, a), a, h));
    parameters(user, s, in, out);
    out[0] = ag_add(s, out[0], mean_square(s, ag_matmul(s, z, in[W2])));
    out[1] = z;
    return AGN_OK;
}
/* what is left of products with unit and diagonal matrices */
BODY(units)
{
    (void)user;
    agn_dtype t = agn_dtype_of(in[X]);
    const agn_tensor *e3 = ag_eye(s, t, 3, 3, 0), *e8 = ag_eye(s, t, 8, 8, 0);
    const agn_tensor *some = ag_eye(s, t, 3, 8, 2), *minus = ag_mul_c(s, e8, -2);
    const agn_tensor *w = in[W2], *d = in[B1];
    const agn_tensor *lanes = ag_mul(s, ag_expand_dims(s, e3, 1), in[X]); /* [3,N,3] */
    const agn_tensor *thin = ag_expand_dims(s, ag_mul(s, minus, d), 2);   /* [8,8,1] */
    const agn_tensor *some_thin = ag_expand_dims(s, ag_mul(s, some, d), 2);
    const agn_tensor *by_lane = ag_mul(s, some, ag_slice(s, ag_expand_dims(s, d, 1), 2,
                                                         (int64_t[]){1, 0}, (int64_t[]){4, 1}, NULL));
    out[0] = ag_add(s, mean_square(s, net(s, in, in[X])),
                    mean_square(s, ag_matmul(s, ag_tanh(s, lanes), in[W1])));
    out[1] = ag_add(s, ag_matmul(s, e3, in[W1]), ag_matmul(s, in[W1], minus));
    out[2] = ag_matmul(s, some, w);
    out[3] = ag_matmul(s, lanes, in[W1]);
    out[4] = ag_matmul(s, w, thin);
    out[5] = ag_matmul(s, ag_mul(s, some, ag_sin(s, d)), w);
    out[6] = ag_add(s, ag_matmul(s, ag_mul(s, e8, ag_expand_dims(s, d, 1)), w),
                    ag_matmul(s, w, ag_mul(s, e8, d)));
    out[7] = ag_add(s, ag_matmul(s, by_lane, w),
                    ag_reshape(s, ag_matmul(s, w, some_thin), 2, (int64_t[]){3, 8}));
    return AGN_OK;
}
static const agn_tensor *columns_of(agn_scope *s, const agn_tensor *x, int64_t from, int64_t to)
{
    return ag_slice(s, x, 2, (int64_t[]){0, from}, (int64_t[]){INT64_MAX, to}, NULL);
}
/* results whose rows are joined of pieces, in another order, of pieces that are joined themselves, by
   turns; of columns that have several names; also read by others */
BODY(joined_rows)
{
    (void)user;
    const agn_tensor *a = columns_of(s, in[X], 0, 1), *b = columns_of(s, in[X], 1, 2);
    const agn_tensor *c = columns_of(s, in[X], 2, 3), *ab = columns_of(s, in[X], 0, 2);
    const agn_tensor *h = ag_tanh(s, ag_matmul(s, in[X], in[W1])); /* [N,8] */
    const agn_tensor *p = ag_mul(s, a, b), *q = ag_mul(s, ab, c), *some = columns_of(s, h, 2, 5);
    const agn_tensor *one = ag_concat(s, (const agn_tensor *[]){p, some, c, q, h}, 5, 1); /* [N,15] */
    const agn_tensor *two = ag_concat(s, (const agn_tensor *[]){some, one, ag_mul(s, one, p)}, 3, 1);
    int64_t n = agn_scope_status(s) ? 1 : agn_shape(h)[0];
    const agn_tensor *by_turns[] = {ag_reshape(s, h, 3, (int64_t[]){n, 2, 4}),
                                    ag_reshape(s, ag_sin(s, h), 3, (int64_t[]){n, 2, 4}),
                                    ag_reshape(s, q, 3, (int64_t[]){n, 2, 1})};
    out[0] = one;
    out[1] = two;
    out[2] = ag_concat(s, by_turns, 3, 2);
    out[3] = ag_add(s, mean_square(s, one), mean_square(s, two));
    return AGN_OK;
}
BODY(just_net)
{
    (void)user;
    out[0] = net(s, in, in[X]);
    return AGN_OK;
}

static const struct program {
    const char *name;
    agn_body *body;
    int n_out;
    bool derive;
    int least; /* rows */
} programs[] = {
    {"tanh network", tanh_net, 1, true, 1},
    {"residual links, sin", residual_links, 1, true, 1},
    {"Fourier features, gelu", fourier, 1, true, 1},
    {"two outputs", two_outputs, 3, true, 1},
    {"log of the mean", log_of_mean, 1, true, 1},
    {"adaptive weights", adaptive_weights, 2, true, 1},
    {"normalised batch", normalised, 2, true, 1},
    {"mixture with whole arrays", mixture, 2, true, 1},
    {"masks", masks, 2, true, 1},
    {"cross entropy", cross_entropy, 1, true, 1},
    {"matrices per point", per_point_matrices, 2, true, 1},
    {"batch in columns", columns, 2, true, 1},
    {"moves", moves, 3, true, 1},
    {"long chains", long_chains, 2, true, 1},
    {"other ops", other_ops, 5, true, 1},
    {"odd results", odd_results, 6, false, 0},
    {"third derivative", third_derivative, 1, true, 1},
    {"units", units, 8, true, 1},
    {"rows spread", spread, 3, true, 1},
    {"folds", folds, 3, true, 1},
    {"folds of infinities", infinite_folds, 5, false, 1},
    {"numbers of arrays", more_parameters, 2, true, 1},
    {"rows joined", joined_rows, 4, false, 1},
    {"per-point values", just_net, 1, false, 0},
};

/* ---- inputs and comparison ------------------------------------------------------------------- */

static agn_tensor *filled(int ndim, const int64_t *shape, agn_dtype dtype, double lo,
                          double hi)
{
    int64_t n = 1;
    for (int d = 0; d < ndim; d++)
        n *= shape[d];
    double *v = malloc((size_t)(n + 1) * sizeof *v);
    for (int64_t i = 0; i < n; i++)
        v[i] = rnd_in(lo, hi);
    agn_tensor *x = NULL, *y = NULL;
    must(agn_from_host(&x, AGN_F64, ndim, shape, v));
    must(agn_cast(&y, x, dtype));
    agn_release(x);
    free(v);
    return y;
}
static void make_inputs(agn_tensor **in, int64_t n, agn_dtype dtype)
{
    in[X] = filled(2, (int64_t[]){n, 3}, dtype, -1, 1);
    in[W1] = filled(2, (int64_t[]){3, 8}, dtype, -1, 1);
    in[B1] = filled(1, (int64_t[]){8}, dtype, -0.5, 0.5);
    in[W2] = filled(2, (int64_t[]){8, 8}, dtype, -0.6, 0.6);
    in[B2] = filled(1, (int64_t[]){8}, dtype, -0.5, 0.5);
    in[W3] = filled(2, (int64_t[]){8, 2}, dtype, -1, 1);
    in[B3] = filled(1, (int64_t[]){2}, dtype, -0.5, 0.5);
}
static void drop_all(agn_tensor **t, int n)
{
    for (int i = 0; i < n; i++) {
        agn_release(t[i]);
        t[i] = NULL;
    }
}
#define IN(a) ((const agn_tensor *const *)(a))

/* largest difference over largest value; NaN must meet NaN */
static double distance(const agn_tensor *a, const agn_tensor *b)
{
    agn_tensor *x = NULL, *y = NULL, *u = NULL, *v = NULL;
    if (agn_dtype_of(a) != agn_dtype_of(b) || agn_ndim(a) != agn_ndim(b))
        return (double)INFINITY;
    for (int d = 0; d < agn_ndim(a); d++)
        if (agn_shape(a)[d] != agn_shape(b)[d])
            return (double)INFINITY;
    must(agn_cast(&x, a, AGN_F64));
    must(agn_cast(&y, b, AGN_F64));
    must(agn_contiguous(&u, x));
    must(agn_contiguous(&v, y));
    const double *p = agn_data(u), *q = agn_data(v);
    double diff = 0, top = 1e-2; /* a gradient that is 0 has noise only */
    for (int64_t i = 0; i < agn_numel(u); i++) {
        if (isnan(p[i]) != isnan(q[i]))
            diff = (double)INFINITY;
        else if (!isnan(p[i]) && p[i] != q[i])
            diff = fmax(diff, fabs(p[i] - q[i]));
        if (isfinite(p[i]))
            top = fmax(top, fabs(p[i]));
    }
    agn_release(x);
    agn_release(y);
    agn_release(u);
    agn_release(v);
    return diff / top;
}
static bool same_bits(const agn_tensor *a, const agn_tensor *b)
{
    size_t bytes = (size_t)agn_numel(a) * (agn_dtype_of(a) == AGN_F64   ? 8
                                           : agn_dtype_of(a) == AGN_F32 ? 4
                                                                        : 1);
    return agn_numel(a) == agn_numel(b) && !memcmp(agn_data(a), agn_data(b), bytes);
}

/* the function, or its value and gradients with respect to all arguments but X */
static agn_fn *function_of(const struct program *p, bool derive)
{
    static const int32_t argnums[] = {W1, B1, W2, B2, W3, B3};
    agn_fn *f = NULL, *g = NULL;
    must(agn_fn_new(&f, p->body, NULL, NULL, ARGS, p->n_out));
    if (!derive)
        return f;
    must(agn_fn_value_and_grad(&g, f, argnums, 6));
    agn_fn_release(f);
    return g;
}

static void test_equal(void)
{
    /* around tiles of 48 and 96 rows, and around the chunks that they make */
    static const int64_t sizes[] = {0, 1, 47, 49, 95, 96, 97, 193, 1000, 4097};
    for (int i = 0; i < COUNT(programs); i++)
        for (int derive = 0; derive <= programs[i].derive; derive++)
            for (int f32 = 0; f32 < 2; f32++) {
                agn_fn *f = function_of(&programs[i], derive), *c[3] = {NULL};
                agn_compile_options o[3] = {{.size = sizeof *o},
                                            {.size = sizeof *o, .no_tiles = true},
                                            {.size = sizeof *o, .no_simplify = true}};
                int n = agn_fn_n_out(f);
                double worst = 0;
                int64_t at = -1;
                for (int k = 0; k < 3; k++)
                    must(agn_fn_compile(&c[k], f, &o[k]));
                for (int z = 0; z < COUNT(sizes); z++) {
                    if (sizes[z] < programs[i].least)
                        continue;
                    agn_tensor *in[ARGS], *want[16] = {NULL}, *have[16] = {NULL};
                    make_inputs(in, sizes[z], f32 ? AGN_F32 : AGN_F64);
                    must(agn_fn_call(want, agn_fn_n_out(f), f, IN(in), agn_fn_n_in(f)));
                    for (int k = 0; k < 3; k++) {
                        must(agn_fn_call(have, agn_fn_n_out(c[k]), c[k], IN(in), agn_fn_n_in(c[k])));
                        for (int j = 0; j < n; j++) {
                            double d = distance(want[j], have[j]);
                            if (d > worst) {
                                worst = d;
                                at = sizes[z] * 1000 + k * 100 + j;
                            }
                        }
                        drop_all(have, n);
                    }
                    drop_all(want, n);
                    drop_all(in, ARGS);
                }
                ok(worst < (f32 ? 2e-4 : 2e-11),
                   "%s%s, %s: compiled = eager to %.2g (at %lld)", programs[i].name,
                   derive ? ", gradient" : "", f32 ? "f32" : "f64", worst,
                   (long long)at);
                for (int k = 0; k < 3; k++)
                    agn_fn_release(c[k]);
                agn_fn_release(f);
            }
}

/* ---- every element-wise row ---------------------------------------------------------------------- */

BODY(one_op)
{
    const agni_op *op = user;
    const agn_tensor *x[3] = {in[0], in[1], in[1]};
    int64_t order = 2;
    agn_tensor *y = NULL;
    if (op == &agni_op_where)
        x[0] = ag_lt(s, in[0], in[1]), x[1] = in[0];
    else if (op->dtypes >> AGN_BOOL & 1 && !(op->dtypes >> AGN_F64 & 1))
        x[0] = ag_lt(s, in[0], in[1]), x[1] = ag_gt(s, in[0], in[1]);
    else if (op->nin == 3)
        x[2] = ag_sigmoid(s, in[1]);
    if (agn_scope_status(s))
        return agn_scope_status(s);
    agn_status st = agn_op_apply(&y, 1, op->name, x, op->nin, &order,
                                 strstr(op->takes, "order:") != NULL, NULL, 0);
    const agn_tensor *z = agn_scope_adopt(s, st, &y);
    if (!z)
        return st;
    out[0] = z;
    z = ag_cast(s, z, agn_dtype_of(in[0]));
    out[1] = ag_sum(s, ag_add(s, ag_mul(s, z, in[0]), in[0]), (int32_t[]){0}, 1, false);
    return AGN_OK;
}

static void test_ops(void)
{
    int tried = 0, tiled = 0;
    for (int id = 0; id < agni_op_count(); id++) {
        const agni_op *op = agni_op_at(id);
        if (op->ew < 0 || !(op->dtypes >> AGN_F64 & 1) || op->result == AGNI_OUT_CPLX)
            continue;
        for (int f32 = 0; f32 < 2; f32++) {
            agn_dtype dtype = f32 ? AGN_F32 : AGN_F64;
            agn_fn *f = NULL, *c = NULL;
            double worst = 0;
            must(agn_fn_new(&f, one_op, (void *)(uintptr_t)op, NULL, 2, 2));
            must(agn_fn_compile(&c, f, NULL));
            for (int shape = 0; shape < 3; shape++) {
                double lo = op->lo < op->hi ? op->lo : -3,
                       hi = op->lo < op->hi ? op->hi : 3;
                double lo2 = op->lo2 < op->hi2 ? op->lo2 : lo,
                       hi2 = op->lo2 < op->hi2 ? op->hi2 : hi;
                agn_tensor *in[2], *want[2], *have[2];
                in[0] = filled(2, (int64_t[]){77, 5}, dtype, lo, hi);
                in[1] = shape == 0   ? filled(2, (int64_t[]){77, 5}, dtype, lo2, hi2)
                        : shape == 1 ? filled(1, (int64_t[]){5}, dtype, lo2, hi2)
                                     : filled(2, (int64_t[]){77, 1}, dtype, lo2, hi2);
                must(agn_fn_call(want, 2, f, IN(in), 2));
                must(agn_fn_call(have, 2, c, IN(in), 2));
                for (int j = 0; j < 2; j++)
                    worst = fmax(worst, distance(want[j], have[j]));
                drop_all(in, 2);
                drop_all(want, 2);
                drop_all(have, 2);
            }
            char text[4096];
            must(agn_plan_explain(text, sizeof text, NULL, c));
            tried++;
            tiled += strstr(text, "region") != NULL;
            if (!(worst < (f32 ? 1e-5 : 1e-13)))
                ok(false, "%s %s: compiled = eager to %g", op->name,
                   f32 ? "f32" : "f64", worst);
            agn_fn_release(f);
            agn_fn_release(c);
        }
    }
    ok(tried > 100, "%d element-wise rows compiled = eager, %d of them on tiles", tried,
       tiled);
}

/* ---- the same bits ----------------------------------------------------------------------------------- */

static void test_bits(void)
{
    static const int threads[] = {1, 2, 3, 4, 8, 16};
    int32_t before = agn_threads();
    for (int i = 0; i < COUNT(programs); i++) {
        if (!programs[i].derive)
            continue;
        agn_fn *f = function_of(&programs[i], true), *c = NULL;
        agn_tensor *in[ARGS], *want[16], *have[16];
        int n = agn_fn_n_out(f), differ = 0;
        must(agn_fn_compile(&c, f, NULL));
        make_inputs(in, 3001, AGN_F64);
        must(agn_threads_set(1));
        must(agn_fn_call(want, agn_fn_n_out(c), c, IN(in), agn_fn_n_in(c)));
        for (int t = 0; t < COUNT(threads); t++) {
            must(agn_threads_set(threads[t]));
            for (int rep = 0; rep < tap_scale(20); rep++) {
                must(agn_fn_call(have, agn_fn_n_out(c), c, IN(in), agn_fn_n_in(c)));
                for (int j = 0; j < n; j++)
                    differ += !same_bits(want[j], have[j]);
                drop_all(have, n);
            }
        }
        is_int(differ, 0, "%s: the same bits for 1 to 16 threads", programs[i].name);
        drop_all(want, n);
        drop_all(in, ARGS);
        agn_fn_release(c);
        agn_fn_release(f);
    }
    must(agn_threads_set(before));
}

/* ---- plans ----------------------------------------------------------------------------------------------- */

/* two batches of different sizes and a weight for each, in one step */
BODY(two_batches)
{
    (void)user;
    const agn_tensor *a = net(s, in, in[X]);
    const agn_tensor *swap[ARGS];
    memcpy(swap, in, sizeof swap);
    const agn_tensor *b = net(s, swap, in[ARGS]);
    b = ag_sub(s, ag_index_axis(s, b, 1, 0), ag_sin(s, ag_index_axis(s, in[ARGS], 1, 1)));
    const agn_tensor *scale = ag_sqrt(s, ag_add_c(s, mean_square(s, b), 1));
    out[0] = ag_add(s, mean_square(s, ag_mul(s, a, scale)), mean_square(s, b));
    out[1] = b;
    return AGN_OK;
}
/* layers that are normalised over the batch, each of which needs the sums of the one before */
enum { NORMALISED = 30 };
BODY(normalised_layers)
{
    (void)user;
    const agn_tensor *x = in[0];
    for (int k = 0; k < NORMALISED; k++) {
        const agn_tensor *off = ag_sub(s, x, ag_mean(s, x, (int32_t[]){0}, 1, true));
        const agn_tensor *spread = ag_mean(s, ag_square(s, off), (int32_t[]){0}, 1, true);
        x = ag_tanh(s, ag_mul(s, off, ag_rsqrt(s, ag_add_c(s, spread, 0.1))));
    }
    out[0] = x;
    return AGN_OK;
}
static void test_levels(void)
{
    agn_fn *f = NULL, *c = NULL;
    agn_tensor *in = filled(2, (int64_t[]){500, 5}, AGN_F64, -1, 1), *want, *have;
    char text[1 << 16];
    int many = 0;
    must(agn_fn_new(&f, normalised_layers, NULL, NULL, 1, 1));
    must(agn_fn_compile(&c, f, NULL));
    must(agn_fn_call(&want, 1, f, IN(&in), 1));
    must(agn_fn_call(&have, 1, c, IN(&in), 1));
    must(agn_plan_explain(text, sizeof text, NULL, c));
    for (const char *at = text; (at = strstr(at, " instructions")); at++) {
        const char *n = at;
        while (n > text && n[-1] >= '0' && n[-1] <= '9')
            n--;
        many += atoi(n);
    }
    ok(distance(want, have) < 1e-12, "normalised layers: compiled = eager to %.2g",
       distance(want, have));
    ok(many > 0 && many < 15 * NORMALISED, "%d normalised layers take %d instructions on tiles", NORMALISED,
       many);
    agn_release(want);
    agn_release(have);
    agn_release(in);
    agn_fn_release(c);
    agn_fn_release(f);
}

static void test_batches(void)
{
    static const int32_t argnums[] = {W1, B1, W2, B2, W3, B3};
    agn_fn *f = NULL, *g = NULL, *c = NULL;
    agn_tensor *in[ARGS + 1], *want[8], *have[8];
    double worst = 0;
    must(agn_fn_new(&f, two_batches, NULL, NULL, ARGS + 1, 2));
    must(agn_fn_value_and_grad(&g, f, argnums, 6));
    must(agn_fn_compile(&c, g, NULL));
    make_inputs(in, 1000, AGN_F64);
    in[ARGS] = filled(2, (int64_t[]){130, 3}, AGN_F64, -1, 1);
    must(agn_fn_call(want, agn_fn_n_out(g), g, IN(in), agn_fn_n_in(g)));
    must(agn_fn_call(have, agn_fn_n_out(c), c, IN(in), agn_fn_n_in(c)));
    for (int j = 0; j < 8; j++)
        worst = fmax(worst, distance(want[j], have[j]));
    char text[16384];
    must(agn_plan_explain(text, sizeof text, NULL, c));
    ok(worst < 1e-12, "two batches: compiled = eager to %.2g", worst);
    ok(strstr(text, "region of 1000 rows") && strstr(text, "region of 130 rows"),
       "each has its region");
    drop_all(want, 8);
    drop_all(have, 8);
    drop_all(in, ARGS + 1);
    agn_fn_release(f);
    agn_fn_release(g);
    agn_fn_release(c);
}

/* A second derivative whose sums over the batch go apart: while groups were chosen they were of one level,
   until others, of all axes as one, came between. x [9,N], p [2], and [N], which makes N an extent */
BODY(bent_loss)
{
    (void)user;
    const agn_tensor *a = ag_index_axis(s, in[1], 0, 0), *b = ag_index_axis(s, in[1], 0, 1);
    const agn_tensor *u = ag_add(s, ag_mul(s, in[0], a), a), *v = ag_add(s, ag_mul(s, u, b), b);
    const agn_tensor *mean = ag_tanh(s, ag_mean(s, u, (int32_t[]){0}, 1, false));
    const agn_tensor *w = ag_mul(s, mean, ag_log(s, ag_add_c(s, ag_square(s, v), 1.25)));
    out[0] = ag_add(s, mean_square(s, ag_tanh(s, w)), mean_square(s, ag_tanh(s, v)));
    return AGN_OK;
}
BODY(sines_of_gradient)
{
    const agn_tensor *g[3];
    if (!agn_fn_apply(s, g, 3, user, in, agn_fn_n_in(user)))
        out[0] = ag_add(s, ag_sum_all(s, ag_sin(s, g[0])), ag_sum_all(s, ag_sin(s, g[1])));
    return agn_scope_status(s);
}
static void test_sums_apart(void)
{
    static const int64_t sizes[] = {64, 100, 300, 512};
    static const int32_t all[] = {0, 1, 2};
    agn_fn *f = NULL, *g = NULL, *h = NULL, *d = NULL, *c = NULL;
    double worst = 0;
    must(agn_fn_new(&f, bent_loss, NULL, NULL, 3, 1));
    must(agn_fn_grad(&g, f, all, 3));
    must(agn_fn_new(&h, sines_of_gradient, g, NULL, 3, 1));
    must(agn_fn_grad(&d, h, all, 3));
    must(agn_fn_compile(&c, d, NULL));
    for (int i = 0; i < COUNT(sizes); i++) {
        agn_tensor *in[] = {filled(2, (int64_t[]){9, sizes[i]}, AGN_F64, -1, 1),
                            filled(1, (int64_t[]){2}, AGN_F64, -1, 1), filled(1, &sizes[i], AGN_F64, -1, 1)};
        agn_tensor *want[3] = {NULL}, *have[3] = {NULL};
        must(agn_fn_call(want, 3, d, IN(in), 3));
        must(agn_fn_call(have, 3, c, IN(in), 3));
        for (int k = 0; k < 3; k++)
            worst = fmax(worst, distance(want[k], have[k]));
        drop_all(want, 3);
        drop_all(have, 3);
        drop_all(in, 3);
    }
    ok(worst < 1e-11, "sums over the batch that go apart: compiled = eager to %.2g", worst);
    agn_fn *fns[] = {f, g, h, d, c};
    for (int k = 0; k < COUNT(fns); k++)
        agn_fn_release(fns[k]);
}

/* truths of rows, and what is made of them */
BODY(truths)
{
    (void)user;
    const agn_tensor *a = ag_lt(s, in[0], ag_lit(s, 0.25)), *b = ag_ge(s, in[0], ag_lit(s, -0.5));
    const agn_tensor *both[] = {ag_add(s, a, b),         ag_mul(s, a, b),
                                ag_maximum(s, a, b),     ag_minimum(s, a, b),
                                ag_logical_and(s, a, b), ag_logical_or(s, a, b),
                                ag_logical_not(s, a),    ag_logical_xor(s, a, b),
                                ag_eq(s, a, b),          ag_where(s, a, b, a)};
    const agn_tensor *sum = ag_lit(s, 0);
    for (int i = 0; i < COUNT(both); i++) {
        const agn_tensor *x = ag_add(s, ag_cast(s, both[i], AGN_F64), in[0]);
        sum = ag_add(s, sum, ag_mul_c(s, ag_sum_all(s, ag_sin(s, x)), i + 1));
    }
    out[0] = sum;
    return AGN_OK;
}
static void test_truths(void)
{
    agn_fn *f = NULL, *c = NULL;
    agn_tensor *x = filled(2, (int64_t[]){100, 3}, AGN_F64, -1, 1), *want = NULL, *have = NULL;
    must(agn_fn_new(&f, truths, NULL, NULL, 1, 1));
    must(agn_fn_compile(&c, f, NULL));
    must(agn_fn_call(&want, 1, f, AGN_ARGS(x)));
    must(agn_fn_call(&have, 1, c, AGN_ARGS(x)));
    ok(distance(want, have) < 1e-12, "truths of rows: compiled = eager to %.2g",
       distance(want, have));
    agn_tensor *all[] = {x, want, have};
    drop_all(all, 3);
    agn_fn_release(f);
    agn_fn_release(c);
}

/* masks that come from outside: of each element, of columns, of rows, and of a view; also one that
   goes out by another shape. in: [100,6] numbers, then masks [100,6], [6], [100,1], [6,100] */
BODY(masked)
{
    (void)user;
    const agn_tensor *x = in[0], *y = ag_exp(s, x), *zero = ag_lit(s, 0), *cut = ag_gt(s, y, ag_lit(s, 1));
    const agn_tensor *a = ag_where(s, in[1], ag_mul_c(s, y, -3), zero);
    const agn_tensor *b = ag_where(s, in[2], ag_reciprocal(s, x), ag_sin(s, y));
    const agn_tensor *c = ag_where(s, in[3], ag_where(s, ag_transpose(s, in[4]), y, x), ag_lit(s, 2));
    const agn_tensor *d = ag_where(s, ag_logical_and(s, in[1], cut), ag_mul(s, y, y), a);
    const agn_tensor *folded = ag_reshape(s, cut, 3, (int64_t[]){100, 2, 3});
    const agn_tensor *e = ag_where(s, folded, ag_reshape(s, ag_mul_c(s, y, 5), 3, (int64_t[]){100, 2, 3}), zero);
    const agn_tensor *many = ag_sum(s, ag_cast(s, ag_reshape(s, cut, 2, (int64_t[]){100, 6}), AGN_F64),
                                    (int32_t[]){0}, 1, false);
    out[0] = ag_add(s, ag_add(s, a, b), ag_add(s, c, d));
    out[1] = ag_add(s, ag_where(s, ag_ne(s, many, zero), ag_sum(s, ag_sum(s, e, (int32_t[]){2}, 1, false),
                                                             (int32_t[]){0, 1}, 2, false), zero), many);
    out[2] = folded;
    return AGN_OK;
}
static void test_masks(void)
{
    agn_fn *f = NULL, *c = NULL;
    static const int64_t shapes[5][2] = {{100, 6}, {100, 6}, {1, 6}, {100, 1}, {6, 100}};
    for (int dtype = AGN_F32; dtype <= AGN_F64; dtype++) {
        agn_tensor *in[5], *want[3], *have[3];
        for (int i = 0; i < 5; i++) {
            agn_tensor *t = filled(2, shapes[i], dtype, -1, 1), *zero = filled(0, NULL, dtype, 0, 0);
            if (i)
                must(agn_gt(&in[i], t, zero));
            else
                must(agn_copy(&in[i], t));
            agn_release(t);
            agn_release(zero);
        }
        must(agn_fn_new(&f, masked, NULL, NULL, 5, 3));
        must(agn_fn_compile(&c, f, NULL));
        must(agn_fn_call(want, 3, f, IN(in), 5));
        must(agn_fn_call(have, 3, c, IN(in), 5));
        for (int k = 0; k < 3; k++)
            ok(distance(want[k], have[k]) < (dtype == AGN_F32 ? 1e-5 : 1e-13),
               "masks from outside, result %d: compiled = eager to %.2g", k, distance(want[k], have[k]));
        char text[1 << 14];
        must(agn_plan_explain(text, sizeof text, NULL, c));
        bool apart = false;
        for (const char *at = text; (at = strstr(at, "<- where ")); at++) {
            const char *mask = strstr(at, "bool[100");
            apart |= mask && mask < at + strcspn(at, "\n");
        }
        ok(!apart, "and no select by rows is a step of its own");
        drop_all(in, 5);
        drop_all(want, 3);
        drop_all(have, 3);
        agn_fn_release(f);
        agn_fn_release(c);
    }
}

/* The least of a batch's columns, and its slope, which finds where the columns equal it: the columns are made
   again beside it, with the same bits. in: [2], [1,N] */
BODY(least_of_columns)
{
    (void)user;
    const agn_tensor *q = ag_index_axis(s, in[0], 0, 0), *m = ag_mul(s, q, in[1]), *a = ag_add(s, m, q);
    const agn_tensor *least = ag_sum_all(s, ag_amin(s, a, (int32_t[]){0}, 1, false));
    out[0] = ag_add(s, least, ag_sum_all(s, ag_logcumsumexp(s, m, 0, 0)));
    return AGN_OK;
}
static void test_same_bits(void)
{
    agn_fn *f = NULL, *g = NULL, *c = NULL;
    agn_tensor *in[] = {filled(1, (int64_t[]){2}, AGN_F64, -1, 1), filled(2, (int64_t[]){1, 2000}, AGN_F64, -3, 3)};
    agn_tensor *want = NULL, *have = NULL;
    must(agn_fn_new(&f, least_of_columns, NULL, NULL, 2, 1));
    must(agn_fn_grad(&g, f, (int32_t[]){0}, 1));
    must(agn_fn_compile(&c, g, NULL));
    must(agn_fn_call(&want, 1, g, IN(in), 2));
    must(agn_fn_call(&have, 1, c, IN(in), 2));
    ok(distance(want, have) < 1e-9, "what is made again is what it was: compiled = eager to %.2g", distance(want, have));
    agn_tensor *all[] = {in[0], in[1], want, have};
    drop_all(all, 4);
    agn_fn *fns[] = {f, g, c};
    for (int k = 0; k < COUNT(fns); k++)
        agn_fn_release(fns[k]);
}

/* what is spread over rows is read where it lies; a loss through logsumexp is one region */
static void test_rows(void)
{
    static const struct {
        agn_body *body;
        int n_out;
        const char *within, *without, *what;
    } rows[] = {
        {spread, 3, "region of 1000 rows", "\n    rows ",
         "no row of an operand that is spread is copied"},
        {folds, 3, " logsumexp", "<- logsumexp", "logsumexp of rows runs on tiles"},
        {infinite_folds, 5, " isfinite", "<- isfinite", "as does isfinite"},
        {parameters, 1, "    chain of", "\n    loop ", "numbers of arrays are operands of chains"},
    };
    for (int k = 0; k < COUNT(rows); k++) {
        agn_fn *f = NULL, *c = NULL;
        agn_tensor *in[ARGS], *out[5];
        char text[16384];
        must(agn_fn_new(&f, rows[k].body, NULL, NULL, ARGS, rows[k].n_out));
        must(agn_fn_compile(&c, f, NULL));
        make_inputs(in, 1000, AGN_F64);
        must(agn_fn_call(out, rows[k].n_out, c, IN(in), agn_fn_n_in(c)));
        must(agn_plan_explain(text, sizeof text, NULL, c));
        ok(strstr(text, rows[k].within) && !strstr(text, rows[k].without), "%s", rows[k].what);

        drop_all(out, rows[k].n_out);
        drop_all(in, ARGS);
        agn_fn_release(f);
        agn_fn_release(c);
    }
}

/* What chains and regions hand on without copies: a quotient of two sums whose gradient reads dear
   values of the sums' region; relu cubed before weights; sums along directions; parts of concats,
   of which one may lie there. */
BODY(quotient)
{
    (void)user;
    const agn_tensor *t = ag_tanh(s, ag_matmul(s, in[0], in[1]));
    const agn_tensor *u = ag_tanh(s, ag_matmul(s, t, in[2]));
    const agn_tensor *r = ag_div(s, ag_sum_all(s, ag_square(s, ag_matmul(s, u, in[2]))),
                                 ag_sum_all(s, ag_square(s, u)));
    out[0] = r;
    return agn_scope_status(s);
}
BODY(cubes)
{
    (void)user;
    const agn_tensor *r = ag_relu(s, ag_matmul(s, in[0], in[1]));
    const agn_tensor *u = ag_mul(s, ag_mul(s, r, ag_square(s, r)), ag_index_axis(s, in[2], 0, 0));
    out[0] = ag_sum_all(s, ag_square(s, ag_add(s, u, r)));
    return agn_scope_status(s);
}
BODY(directions)
{
    (void)user;
    const agn_tensor *w = ag_reshape(s, in[2], 3, (int64_t[]){40, 1, 40});
    const agn_tensor *h = ag_sigmoid(s, ag_mul(s, ag_matmul(s, in[0], in[1]), w));
    const agn_tensor *y = ag_sum(s, ag_mul(s, ag_sin(s, h), w), (int32_t[]){0}, 1, false);
    out[0] = ag_sum_all(s, ag_exp(s, y));
    return agn_scope_status(s);
}
BODY(skips)
{
    (void)user;
    const agn_tensor *h = ag_tanh(s, ag_matmul(s, in[0], in[1]));
    const agn_tensor *x = ag_concat(s, (const agn_tensor *[]){h, in[0]}, 2, 1);
    const agn_tensor *w = ag_concat(s, (const agn_tensor *[]){in[2], in[1]}, 2, 0);
    const agn_tensor *twice = ag_concat(s, (const agn_tensor *[]){h, h, in[0]}, 3, 1);
    out[0] = ag_add(s, ag_sum_all(s, ag_exp(s, ag_matmul(s, x, w))),
                    ag_sum_all(s, ag_square(s, ag_sin(s, twice))));
    return agn_scope_status(s);
}
static void test_without_copies(void)
{
    static const struct {
        agn_body *body;
        int64_t n;
        const char *within;
    } rows[] = {{quotient, 4096, " lies in a"}, {quotient, 1003, "\n    store "},
                {cubes, 1000, "        gate "}, {cubes, 1003, "        gate "},
                {directions, 400, "]%40 _"},    {directions, 403, "]%40 _"},
                {skips, 1000, " lies in t"},    {skips, 1003, " lies in t"}};
    for (int k = 0; k < 2 * COUNT(rows); k++) {
        const agn_dtype dtype = k % 2 ? AGN_F32 : AGN_F64;
        const int64_t n = rows[k / 2].n;
        agn_fn *f = NULL, *g = NULL, *c = NULL;
        agn_tensor *in[] = {filled(2, (int64_t[]){n, 3}, dtype, -1, 1),
                            filled(2, (int64_t[]){3, 40}, dtype, -1, 1),
                            filled(2, (int64_t[]){40, 40}, dtype, -0.3, 0.3)},
                   *want[3], *have[3];
        static char text[1 << 15];
        must(agn_fn_new(&f, rows[k / 2].body, NULL, NULL, 3, 1));
        must(agn_fn_value_and_grad(&g, f, (int32_t[]){1, 2}, 2));
        must(agn_fn_compile(&c, g, NULL));
        must(agn_fn_call(want, 3, g, IN(in), 3));
        must(agn_fn_call(have, 3, c, IN(in), 3));
        must(agn_plan_explain(text, sizeof text, NULL, c));
        ok(strstr(text, rows[k / 2].within), "program %d of %d rows has '%s'", k / 4, (int)n,
           rows[k / 2].within);
        for (int i = 0; i < 3; i++)
            ok(distance(want[i], have[i]) < (dtype == AGN_F32 ? 2e-5 : 1e-13),
               "result %d: compiled = eager to %.2g", i, distance(want[i], have[i]));
        drop_all(in, 3);
        drop_all(want, 3);
        drop_all(have, 3);
        agn_fn_release(f);
        agn_fn_release(g);
        agn_fn_release(c);
    }
}

/* 3 cos(x) sin(y) + 5 cos(x) sin(y) are like terms: the numbers alone have two axes, as the sum has */
BODY(like_terms)
{
    (void)user;
    const int64_t one[] = {1, 1};
    const agn_tensor *x = ag_cos(s, in[0]), *y = ag_sin(s, in[1]);
    const agn_tensor *three = ag_mul(s, ag_full(s, AGN_F64, 2, one, 3), x);
    const agn_tensor *five = ag_mul(s, ag_full(s, AGN_F64, 2, one, 5), x);
    out[0] = ag_add(s, ag_mul(s, three, y), ag_mul(s, five, y));
    return agn_scope_status(s);
}
static void test_like_terms(void)
{
    agn_fn *f = NULL, *c = NULL;
    agn_tensor *in[] = {filled(0, NULL, AGN_F64, 0.7, 0.7),
                        filled(1, (int64_t[]){1}, AGN_F64, 0.4, 0.4)},
               *want = NULL, *have = NULL;
    must(agn_fn_new(&f, like_terms, NULL, NULL, 2, 1));
    must(agn_fn_compile(&c, f, NULL));
    must(agn_fn_call(&want, 1, f, IN(in), 2));
    must(agn_fn_call(&have, 1, c, IN(in), 2));
    is_int(agn_ndim(have), agn_ndim(want), "a sum of like terms keeps its axes");
    ok(distance(want, have) < 1e-15, "and is the sum");
    drop_all(in, 2);
    agn_release(want), agn_release(have);
    agn_fn_release(f), agn_fn_release(c);
}

/* a long program: the cost of planning grows with the nodes, no faster */
enum { LONG = 20000 };
BODY(very_long)
{
    (void)user;
    const agn_tensor *x = in[0];
    for (int i = 0; i < LONG && x; i++)
        x = i % 2 ? ag_add(s, ag_sin(s, x), in[0]) : ag_mul(s, x, in[0]);
    out[0] = x;
    return AGN_OK;
}
static void test_long(void)
{
    agn_fn *f = NULL, *c = NULL;
    agn_tensor *x = filled(1, (int64_t[]){100}, AGN_F64, 0.1, 0.5), *y = NULL,
               *z = NULL;
    const agn_tensor *in = x;
    struct timespec a, b;
    must(agn_fn_new(&f, very_long, NULL, NULL, 1, 1));
    must(agn_fn_compile(&c, f, NULL));
    clock_gettime(CLOCK_MONOTONIC, &a);
    must(agn_fn_call(&y, 1, c, &in, 1));
    clock_gettime(CLOCK_MONOTONIC, &b);
    must(agn_fn_call(&z, 1, f, &in, 1));
    double ms = (double)(b.tv_sec - a.tv_sec) * 1e3 +
                (double)(b.tv_nsec - a.tv_nsec) * 1e-6;
    ok(distance(y, z) < 1e-10, "%d nodes planned and run", LONG * 3 / 2);
    diag("in %.1f ms", ms);
    agn_release(x);
    agn_release(y);
    agn_release(z);
    agn_fn_release(f);
    agn_fn_release(c);
}

/* every allocation of compiling and calling fails once */
static void test_memory(void)
{
    for (int i = 0; i < COUNT(programs); i++) {
        agn_fn *f = function_of(&programs[i], programs[i].derive), *c = NULL;
        agn_tensor *in[ARGS], *y[16] = {NULL};
        agn_status st = AGN_ENOMEM;
        int64_t k = 0, odd = 0, before, after;
        make_inputs(in, 40, AGN_F64);
        must(agn_fn_compile(&c, f, NULL)); /* what is made once for all calls */
        must(agn_fn_call(y, agn_fn_n_out(c), c, IN(in), agn_fn_n_in(c)));
        drop_all(y, agn_fn_n_out(f));
        agn_fn_release(c);
        agn_memory_live(&before, NULL, NULL);
        for (; st == AGN_ENOMEM; k += 1 + k / 50) {
            c = NULL;
            agn_memory_fail_after(k);
            st = agn_fn_compile(&c, f, NULL);
            if (!st)
                st = agn_fn_call(y, agn_fn_n_out(c), c, IN(in), agn_fn_n_in(c));
            agn_memory_fail_after(-1);
            odd += st && (st != AGN_ENOMEM || y[0]);
            if (!st)
                drop_all(y, agn_fn_n_out(f));
            agn_fn_release(c);
            agn_memory_live(&after, NULL, NULL);
            odd += after != before;
        }
        ok(!st && !odd,
           "%s: without memory (%lld places) it fails cleanly (%lld odd, %s)",
           programs[i].name, (long long)k, (long long)odd, agn_status_name(st));
        drop_all(in, ARGS);
        agn_fn_release(f);
    }
}

static int traced;
BODY(count_traces)
{
    traced++;
    return tanh_net(user, s, in, out);
}

static void test_cache(void)
{
    agn_fn *f = NULL, *c = NULL;
    agn_compile_options o = {.size = sizeof o, .max_plans = 2};
    must(agn_fn_new(&f, count_traces, NULL, NULL, ARGS, 1));
    must(agn_fn_compile(&c, f, &o));
    static const int64_t sizes[] = {40, 50, 40, 50, 60, 50, 40};
    static const int expect[] = {1, 2, 2, 2, 3, 3, 4};
    for (int i = 0; i < COUNT(sizes); i++) {
        agn_tensor *in[ARGS], *y = NULL;
        make_inputs(in, sizes[i], AGN_F64);
        must(agn_fn_call(&y, 1, c, IN(in), agn_fn_n_in(c)));
        is_int(traced, expect[i], "call %d with %lld rows: %d traces", i,
               (long long)sizes[i], expect[i]);
        agn_release(y);
        drop_all(in, ARGS);
    }
    agn_fn_release(f);
    agn_fn_release(c);
}

static agn_tensor *captured;
BODY(captures)
{
    (void)user;
    out[0] = ag_sum_all(s, ag_mul(s, ag_sin(s, in[0]), captured));
    return AGN_OK;
}
/* the captured tensor comes in as what was made of it while the body was traced */
BODY(captures_sum)
{
    (void)user;
    out[0] = ag_sum_all(s, ag_mul(s, in[0], ag_sum_all(s, captured)));
    return AGN_OK;
}
BODY(captures_number)
{
    double v;
    (void)user;
    const agn_tensor *first = ag_index_axis(s, captured, 0, 0);
    agn_scope_fail(s, agn_item_f64(&v, first));
    out[0] = ag_sum_all(s, ag_mul_c(s, in[0], v));
    return AGN_OK;
}
BODY(captures_data)
{
    (void)user;
    out[0] = ag_sum_all(s, ag_mul_c(s, in[0], ((const double *)agn_data(captured))[1]));
    return AGN_OK;
}
BODY(captures_line)
{
    (void)user;
    out[0] = ag_matmul(s, captured, in[0]);
    return AGN_OK;
}

/* what a plan holds of captured tensors, their numbers too, holds until they are written; compiled
   within another function, too */
static void test_captured(void)
{
    agn_body *const bodies[] = {captures_sum, captures_number, captures_data, captures_line};
    agn_tensor *x = filled(1, (int64_t[]){100}, AGN_F64, 0, 1);
    const agn_tensor *in = x;
    for (int k = 0; k < 12; k++) {
        agn_fn *f = NULL, *g = NULL, *c = NULL, *within = NULL;
        agn_tensor *y = NULL;
        void *p = NULL;
        captured = filled(1, (int64_t[]){100}, AGN_F64, 0, 1);
        must(agn_fn_new(&f, bodies[k / 3], NULL, NULL, 1, 1));
        must(agn_fn_grad(&g, f, NULL, 0));
        must(agn_fn_compile(&c, k % 3 ? g : f, NULL));
        if (k % 3 == 2)
            must(agn_fn_compile(&within, c, NULL));
        const agn_fn *called = within ? within : c;
        must(agn_fn_call(&y, 1, called, &in, 1));
        agn_release(y);
        y = NULL;
        must(agn_data_mut(&p, captured));
        is_int(agn_fn_call(&y, 1, called, &in, 1), AGN_ESTALE, "written: body %d, %s", k / 3,
               k % 3 ? "its gradient" : "itself");
        ok(y == NULL && strstr(agn_error_message(), "captured") != NULL, "%s", agn_error_message());
        agn_release(captured);
        agn_fn_release(f);
        agn_fn_release(g);
        agn_fn_release(c);
        agn_fn_release(within);
    }
    agn_release(x);
}

BODY(reads)
{
    double v;
    (void)user;
    agn_status st = agn_item_f64(&v, in[0]);
    out[0] = in[0];
    return st ? agn_scope_fail(s, st) : AGN_OK;
}

static void test_faults(void)
{
    agn_fn *f = NULL, *c = NULL, *g = NULL;
    /* whose products do not cancel, in whatever order they are added */
    agn_tensor *x = filled(1, (int64_t[]){100}, AGN_F64, 0, 1), *y = NULL, *z = NULL;
    const agn_tensor *in = x;
    captured = filled(1, (int64_t[]){100}, AGN_F64, 0, 1);
    must(agn_fn_new(&f, captures, NULL, NULL, 1, 1));
    must(agn_fn_compile(&c, f, NULL));
    must(agn_fn_call(&y, 1, c, &in, 1));
    must(agn_fn_call(&z, 1, f, &in, 1));
    ok(distance(y, z) < 1e-14, "a captured tensor is a constant");
    agn_release(y);
    y = NULL;
    void *p = NULL;
    must(agn_data_mut(&p, captured));
    ((double *)p)[3] = 7;
    is_int(agn_fn_call(&y, 1, c, &in, 1), AGN_ESTALE, "a captured tensor was written");
    ok(strstr(agn_error_message(), "[100]") != NULL, "the message names it: %s",
       agn_error_message());
    ok(y == NULL, "the result is untouched");
    agn_fn_release(c);
    agn_fn_release(f);

    must(agn_fn_new(&f, reads, NULL, NULL, 1, 1));
    must(agn_fn_compile(&c, f, NULL));
    agn_tensor *one = filled(0, NULL, AGN_F64, 1, 2);
    in = one;
    is_int(agn_fn_call(&y, 1, c, &in, 1), AGN_ESYMBOLIC, "a value is read while tracing");
    size_t need = 0;
    is_int(agn_plan_explain(NULL, 0, &need, c), AGN_EARG, "nothing to explain yet");
    is_int(agn_plan_explain(NULL, 0, &need, f), AGN_EARG,
           "not compiled: nothing to explain");
    is_int(agn_plan_explain(NULL, 0, &need, NULL), AGN_ENULL, "explain of NULL");
    is_int(agn_fn_call_into(&y, 1, f, &in, 1), AGN_EARG, "call_into of what is not compiled");
    is_int(agn_fn_compile(NULL, f, NULL), AGN_ENULL, "compile into NULL");
    is_int(agn_fn_compile(&g, NULL, NULL), AGN_ENULL, "compile of NULL");
    agn_compile_options o = {.size = 3};
    is_int(agn_fn_compile(&g, f, &o), AGN_EARG, "options of an unknown size");
    o = (agn_compile_options){.size = sizeof o, .max_plans = -1};
    is_int(agn_fn_compile(&g, f, &o), AGN_EARG, "a negative number of plans");
    agn_fn_release(c);
    agn_fn_release(f);
    agn_release(one);
    agn_release(z);
    agn_release(captured);
    agn_release(x);
}

static void test_into(void)
{
    agn_fn *f = function_of(&programs[3], false), *c = NULL;
    agn_tensor *in[ARGS], *want[3], *y[3], *bad = NULL;
    make_inputs(in, 100, AGN_F64);
    must(agn_fn_compile(&c, f, NULL));
    must(agn_fn_call(want, 3, c, IN(in), agn_fn_n_in(c)));
    for (int i = 0; i < 3; i++)
        must(agn_full(&y[i], AGN_F64, agn_ndim(want[i]), agn_shape(want[i]), 7));
    for (int i = 0; i < 3; i++) { /* full may be a repeated number */
        agn_tensor *own = NULL;
        must(agn_copy(&own, y[i]));
        agn_release(y[i]);
        y[i] = own;
    }
    must(agn_fn_call_into(y, 3, c, IN(in), agn_fn_n_in(c)));
    for (int i = 0; i < 3; i++)
        ok(same_bits(want[i], y[i]), "call_into gives result %d", i);
    agn_tensor *keep = y[1];
    y[1] = y[2];
    is_int(agn_fn_call_into(y, 3, c, IN(in), agn_fn_n_in(c)), AGN_ESHAPE, "memory of another shape");
    bad = filled(2, (int64_t[]){100, 2}, AGN_F32, 0, 1);
    y[1] = bad;
    is_int(agn_fn_call_into(y, 3, c, IN(in), agn_fn_n_in(c)), AGN_EDTYPE, "memory of another dtype");
    agn_release(bad);
    must(agn_watch(&bad, keep));
    y[1] = bad;
    is_int(agn_fn_call_into(y, 3, c, IN(in), agn_fn_n_in(c)), AGN_EARG, "recorded memory");
    agn_release(bad);
    agn_tensor *wide = filled(2, (int64_t[]){2, 100}, AGN_F64, 0, 1);
    must(agn_transpose(&bad, wide));
    y[1] = bad;
    is_int(agn_fn_call_into(y, 3, c, IN(in), agn_fn_n_in(c)), AGN_EARG, "memory with gaps");
    agn_release(bad);
    agn_release(wide);
    y[1] = NULL;
    is_int(agn_fn_call_into(y, 3, c, IN(in), agn_fn_n_in(c)), AGN_ENULL, "no memory");
    y[1] = keep;
    const agn_tensor *args[ARGS];
    memcpy(args, in, sizeof args);
    args[W2] = NULL;
    is_int(agn_fn_call_into(y, 3, c, args, agn_fn_n_in(c)), AGN_ENULL, "no argument");
    agn_fn_release(c);
    agn_fn_release(f);
    drop_all(y, 3);
    drop_all(want, 3);
    /* memory that is an argument's */
    f = function_of(&programs[0], false);
    must(agn_fn_compile(&c, f, NULL));
    agn_tensor *part = NULL;
    must(agn_index_axis(&part, in[B1], 0, 0));
    is_int(agn_fn_call_into(&part, 1, c, IN(in), agn_fn_n_in(c)), AGN_EARG, "memory of an argument");
    agn_release(part);
    agn_fn_release(c);
    agn_fn_release(f);
    drop_all(in, ARGS);
}

static void test_steady(void)
{
#if TAP_SANITIZED
    skip("a sanitizer owns malloc");
#else
    for (int i = 0; i < COUNT(programs); i++) {
        if (!programs[i].derive)
            continue;
        agn_fn *f = function_of(&programs[i], true), *c = NULL;
        agn_tensor *in[ARGS], *y[16];
        int n = agn_fn_n_out(f);
        make_inputs(in, 500, AGN_F64);
        must(agn_fn_compile(&c, f, NULL));
        must(agn_fn_call(y, agn_fn_n_out(c), c, IN(in), agn_fn_n_in(c)));
        must(agn_fn_call_into(y, agn_fn_n_out(c), c, IN(in), agn_fn_n_in(c)));
        mallocs = 0;
        counting = true;
        agn_status st = agn_fn_call_into(y, agn_fn_n_out(c), c, IN(in), agn_fn_n_in(c));
        counting = false;
        ok(!st && mallocs == 0, "%s: a call into given memory allocates nothing (%lld)",
           programs[i].name, (long long)mallocs);
        drop_all(y, n);
        drop_all(in, ARGS);
        agn_fn_release(c);
        agn_fn_release(f);
    }
#endif
}

/* ---- two threads, one plan ------------------------------------------------------------------------------- */

typedef struct shared {
    agn_fn *c;
    agn_tensor *in[ARGS];
    agn_tensor *want[16];
    int n, wrong;
} shared;

static void *caller(void *user)
{
    shared *q = user;
    int wrong = 0;
    for (int i = 0; i < tap_scale(200); i++) {
        agn_tensor *y[16];
        if (agn_fn_call(y, agn_fn_n_out(q->c), q->c, IN(q->in), agn_fn_n_in(q->c))) {
            wrong++;
            continue;
        }
        for (int j = 0; j < q->n; j++)
            wrong += !same_bits(y[j], q->want[j]);
        drop_all(y, q->n);
    }
    __atomic_fetch_add(&q->wrong, wrong, __ATOMIC_SEQ_CST);
    return NULL;
}

static void test_threads(void)
{
    agn_fn *f = function_of(&programs[4], true);
    shared q = {.n = agn_fn_n_out(f)};
    pthread_t t[3];
    must(agn_fn_compile(&q.c, f, NULL));
    make_inputs(q.in, 700, AGN_F64);
    must(agn_fn_call(q.want, agn_fn_n_out(q.c), q.c, IN(q.in), agn_fn_n_in(q.c)));
    for (int i = 0; i < COUNT(t); i++)
        pthread_create(&t[i], NULL, caller, &q);
    for (int i = 0; i < COUNT(t); i++)
        pthread_join(t[i], NULL);
    is_int(q.wrong, 0, "three threads call one plan at once");
    drop_all(q.want, q.n);
    drop_all(q.in, ARGS);
    agn_fn_release(q.c);
    agn_fn_release(f);
}

/* ---- derivatives of compiled functions, NaN, interruption -------------------------------------------------- */

static void test_transforms(void)
{
    agn_fn *f = function_of(&programs[0], false), *c = NULL, *g = NULL, *h = NULL;
    agn_tensor *in[ARGS], *want[7], *have[7];
    static const int32_t argnums[] = {W1, B1, W2, B2, W3, B3};
    make_inputs(in, 90, AGN_F64);
    must(agn_fn_compile(&c, f, NULL));
    must(agn_fn_value_and_grad(&g, f, argnums, 6));
    must(agn_fn_value_and_grad(&h, c, argnums, 6));
    must(agn_fn_call(want, 7, g, IN(in), agn_fn_n_in(g)));
    must(agn_fn_call(have, 7, h, IN(in), agn_fn_n_in(h)));
    double worst = 0;
    for (int j = 0; j < 7; j++)
        worst = fmax(worst, distance(want[j], have[j]));
    ok(worst < 1e-12, "gradient of a compiled function");
    drop_all(want, 7);
    drop_all(have, 7);
    drop_all(in, ARGS);
    agn_fn_release(f);
    agn_fn_release(c);
    agn_fn_release(g);
    agn_fn_release(h);
}

static void test_nan(void)
{
    agn_fn *f = function_of(&programs[COUNT(programs) - 1], false), *c = NULL;
    agn_tensor *in[ARGS], *y = NULL;
    void *p;
    make_inputs(in, 333, AGN_F64);
    must(agn_data_mut(&p, in[X]));
    ((double *)p)[3 * 332 + 1] = (double)
        NAN; /* the last row fills the tail of its tile */
    ((double *)p)[3 * 17] = (double)INFINITY;
    must(agn_fn_compile(&c, f, NULL));
    must(agn_fn_call(&y, 1, c, IN(in), agn_fn_n_in(c)));
    int64_t nans = 0;
    const double *v = agn_data(y);
    for (int64_t i = 0; i < agn_numel(y); i++)
        nans += isnan(v[i]);
    is_int(nans, 2, "NaN in one point stays there");
    agn_release(y);
    drop_all(in, ARGS);
    agn_fn_release(f);
    agn_fn_release(c);
}

static bool stop(void *user)
{
    (void)user;
    return true;
}
static void test_interrupt(void)
{
    agn_fn *f = function_of(&programs[0], true), *c = NULL;
    agn_tensor *in[ARGS], *y[7] = {NULL};
    make_inputs(in, 5000, AGN_F64);
    must(agn_fn_compile(&c, f, NULL));
    agn_hooks h = {.size = sizeof h, .interrupt = stop};
    must(agn_hooks_set(&h));
    is_int(agn_fn_call(y, 7, c, IN(in), agn_fn_n_in(c)), AGN_ECANCELLED,
           "the interrupt hook stops a call");
    must(agn_hooks_set(NULL));
    ok(y[0] == NULL, "and nothing is returned");
    must(agn_fn_call(y, 7, c, IN(in), agn_fn_n_in(c)));
    drop_all(y, 7);
    drop_all(in, ARGS);
    agn_fn_release(f);
    agn_fn_release(c);
}

int main(void)
{
    static const int32_t orders[] = {1, 0, 0, 0, 1, 0, 3, 0, 0};
    agn_fn *u = NULL;
    must(agn_fn_new(&u, just_net, NULL, NULL, ARGS, 1));
    must(agn_fn_partials(&third, u, X, orders, 3, 3));
    test_equal();
    test_ops();
    test_bits();
    test_cache();
    test_memory();
    test_without_copies();
    test_like_terms();
    test_long();
    test_batches();
    test_rows();
    test_sums_apart();
    test_truths();
    test_masks();
    test_same_bits();
    test_levels();
    test_captured();
    test_faults();
    test_into();
    test_steady();
    test_threads();
    test_transforms();
    test_nan();
    test_interrupt();
    agn_fn_release(third);
    agn_fn_release(u);
    return done();
}
