/* geometric/pool/assign.c - nodes of dense graphs pooled by soft clusters: DiffPool (Ying et al.
   2018), MinCutPool (Bianchi, Grattarola and Alippi 2020), DMoN (Tsitsulin et al. 2023); by their
   distances from keys: memory layers (Khasahmadi et al. 2020). */
#include "geometric/layers/layers.h"

#include <agnesi/ag.h>
#include <agnesi/geometric_pool.h>
#include <agnesi/nn.h>
#include <math.h>

/* ---- checks --------------------------------------------------------------------------------- */

static agn_status check_batch(const char *op, const char *what, const agn_tensor *x, int64_t batch,
                              int64_t n, int64_t m)
{
    agn_status st = agni_require_dense(x, op);
    if (!st && agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        st = agni_fail(AGN_EDTYPE, "%s: %s is %s, a real dtype is needed", op, what,
                       agni_dtypes[x->dtype].name);
    if (!st && x->ndim != 3)
        st = agni_fail(AGN_ESHAPE, "%s: %s is %s with %d axes, three are needed", op, what,
                       AGNI_SHAPE(x), x->ndim);
    if (!st && ((batch >= 0 && x->shape[0] != batch) || (n >= 0 && x->shape[1] != n) ||
                (m >= 0 && x->shape[2] != m)))
        st = agni_fail(AGN_ESHAPE, "%s: %s is %s, does not fit %lld graphs of %lld nodes", op, what,
                       AGNI_SHAPE(x), (long long)batch, (long long)n);
    return st;
}

static agn_status check_mask(const char *op, const agn_tensor *mask, const agn_tensor *x)
{
    agn_status st = agni_require_dense(mask, op);
    if (!st && mask->dtype != AGN_BOOL)
        st = agni_fail(AGN_EDTYPE, "%s: mask is %s, bool is needed", op,
                       agni_dtypes[mask->dtype].name);
    if (!st && (mask->ndim != 2 || mask->shape[0] != x->shape[0] || mask->shape[1] != x->shape[1]))
        st = agni_fail(AGN_ESHAPE, "%s: mask is %s, x is %s: a value for each row is needed", op,
                       AGNI_SHAPE(mask), AGNI_SHAPE(x));
    return st;
}

/* rows of x where mask is, else 0 */
static const agn_tensor *keep_rows(agn_scope *s, const agn_tensor *x, const agn_tensor *mask)
{
    return mask && x ? ag_where(s, ag_expand_dims(s, mask, -1), x, agni_full_like(s, 0, x)) : x;
}

/* ---- losses of an assignment ---------------------------------------------------------------- */

/* What losses are made of: S [b,n,k], S^T, x, a, S^T a S, degrees [b,n,1]; ones where nodes are. */
typedef struct assignment {
    const agn_tensor *S, *St, *a, *pooled, *degree, *here;
    int64_t k;
} assignment;

static const agn_tensor *sum_matrix(agn_scope *s, const agn_tensor *x)
{
    return x ? agni_sum_axes(s, x, 2, (int64_t[]){-2, -1}, true) : NULL;
}
static const agn_tensor *mean_all(agn_scope *s, const agn_tensor *x)
{
    return ag_mean(s, x, NULL, 0, false);
}
static const agn_tensor *find_norm(agn_scope *s, const agn_tensor *x)
{
    return ag_sqrt(s, sum_matrix(s, ag_square(s, x)));
}
/* I [k, k] times v */
static const agn_tensor *make_identity(agn_scope *s, int64_t k, double v, const agn_tensor *like)
{
    agn_tensor *one = NULL;
    agn_status st = agn_eye(&one, AGN_F64, k, k, 0);
    const agn_tensor *i = agni_adopt_constant(s, st, one);
    return i && like ? ag_mul_c(s, agni_cast(s, i, like->dtype), v) : NULL;
}
static const agn_tensor *trace_of(agn_scope *s, const agn_tensor *x)
{
    return sum_matrix(s, ag_mul(s, x, make_identity(s, x ? x->shape[2] : 1, 1, x)));
}

static const agn_tensor *diff_link(agn_scope *s, const assignment *q)
{
    const agn_tensor *apart = ag_sub(s, q->a, ag_matmul(s, q->S, q->St));
    const agn_tensor *norm = ag_sqrt(s, ag_sum(s, ag_square(s, apart), NULL, 0, false));
    return norm ? ag_mul_c(s, norm, 1 / (double)q->a->size) : NULL;
}
/* 0 log 0 is 0 */
static const agn_tensor *diff_entropy(agn_scope *s, const assignment *q)
{
    const agn_tensor *h = ag_entr(s, q->S);
    h = h ? agni_sum_axes(s, h, 1, (int64_t[]){-1}, false) : NULL;
    return mean_all(s, h);
}

static const agn_tensor *cut_share(agn_scope *s, const assignment *q)
{
    const agn_tensor *all = sum_matrix(s, ag_mul(s, q->degree, ag_square(s, q->S)));
    return mean_all(s, ag_neg(s, ag_div(s, trace_of(s, q->pooled), all)));
}
static const agn_tensor *orthogonality(agn_scope *s, const assignment *q)
{
    const agn_tensor *p = ag_matmul(s, q->St, q->S);
    const agn_tensor *apart = ag_sub(s, ag_div(s, p, find_norm(s, p)),
                                     make_identity(s, q->k, 1 / sqrt((double)q->k), p));
    return mean_all(s, find_norm(s, apart));
}

static const agn_tensor *measure_modularity(agn_scope *s, const assignment *q)
{
    const agn_tensor *d = ag_matmul(s, q->St, q->degree), *two_m = sum_matrix(s, q->degree);
    const agn_tensor *by_chance = ag_div(s, sum_matrix(s, ag_square(s, d)), two_m);
    const agn_tensor *more = ag_sub(s, trace_of(s, q->pooled), by_chance);
    return mean_all(s, ag_neg(s, ag_div(s, more, two_m)));
}
static const agn_tensor *measure_collapse(agn_scope *s, const assignment *q)
{
    const agn_tensor *size = ag_matmul(s, q->St, q->here), *n = sum_matrix(s, q->here);
    const agn_tensor *share = ag_div(s, find_norm(s, size), n);
    return mean_all(s, ag_add_c(s, ag_mul_c(s, share, sqrt((double)q->k)), -1));
}

typedef const agn_tensor *loss_of(agn_scope *s, const assignment *q);
static const struct {
    int n;
    loss_of *loss[3];
    bool normalised, selu;
} kinds[] = {[AGN_POOL_DIFF] = {2, {diff_link, diff_entropy}, false, false},
             [AGN_POOL_MINCUT] = {2, {cut_share, orthogonality}, true, false},
             [AGN_POOL_DMON] = {
                 3, {measure_modularity, orthogonality, measure_collapse}, true, true}};

/* without loops, divided by the roots of its row sums; rows whose sum is not above 0 become 0 */
static const agn_tensor *normalise_pooled(agn_scope *s, const agn_tensor *p)
{
    p = p ? ag_sub(s, p, ag_mul(s, p, make_identity(s, p->shape[2], 1, p))) : NULL;
    const agn_tensor *d = p ? agni_sum_axes(s, p, 1, (int64_t[]){-1}, true) : NULL;
    if (!d)
        return NULL;
    const agn_tensor *zero = agni_full_like(s, 0, d), *one = agni_full_like(s, 1, d),
                     *some = ag_gt(s, d, zero);
    const agn_tensor *f = ag_where(s, some, ag_rsqrt(s, ag_where(s, some, d, one)), zero);
    return f ? ag_mul(s, ag_mul(s, p, f), agni_move_axis(s, f, 1, 2)) : NULL;
}

agn_status agn_geometric_dense_pool(agn_tensor **x_out, agn_tensor **a_out, agn_tensor **loss,
                                    const agn_tensor *x, const agn_tensor *a,
                                    const agn_tensor *score, const agn_tensor *mask, int32_t kind)
{
    static const char op[] = "geometric_dense_pool";
    AGNI_NEED(op, x_out);
    AGNI_NEED(op, a_out);
    AGNI_NEED(op, loss);
    AGNI_NEED(op, x);
    AGNI_NEED(op, a);
    AGNI_NEED(op, score);
    if (kind < AGN_POOL_DIFF || kind > AGN_POOL_DMON)
        return agni_fail(AGN_EARG, "%s: kind %d is none of 0 to %d", op, kind, AGN_POOL_DMON);
    agn_status st = check_batch(op, "x", x, -1, -1, -1);
    if (!st)
        st = check_batch(op, "a", a, x->shape[0], x->shape[1], x->shape[1]);
    if (!st)
        st = check_batch(op, "score", score, x->shape[0], x->shape[1], -1);
    if (!st && !score->shape[2])
        st = agni_fail(AGN_ESHAPE, "%s: score is %s, one cluster or more are needed", op,
                       AGNI_SHAPE(score));
    if (!st && mask)
        st = check_mask(op, mask, x);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    int dtype = agni_layer_dtype(x);
    assignment q = {.a = agni_cast(s, a, dtype), .k = score->shape[2]};
    const agn_tensor *rows = keep_rows(s, agni_cast(s, x, dtype), mask), *part[3] = {NULL};
    q.S = keep_rows(s, ag_nn_softmax(s, agni_cast(s, score, dtype), -1), mask);
    q.St = q.S ? agni_move_axis(s, q.S, 1, 2) : NULL;
    q.pooled = ag_matmul(s, ag_matmul(s, q.St, q.a), q.S);
    q.degree = q.a ? agni_sum_axes(s, q.a, 1, (int64_t[]){-1}, true) : NULL;
    q.here = q.degree ? keep_rows(s, agni_full(s, 1, dtype, 3, q.degree->shape), mask) : NULL;
    const agn_tensor *y = ag_matmul(s, q.St, rows), *losses = NULL;
    if (kinds[kind].selu)
        y = ag_nn_selu(s, y);
    for (int i = 0; i < kinds[kind].n && !agn_scope_status(s); i++)
        part[i] = kinds[kind].loss[i](s, &q);
    if (!agn_scope_status(s))
        losses = ag_stack(s, part, kinds[kind].n, 0);
    agn_scope_return(s, x_out, y);
    agn_scope_return(s, a_out, kinds[kind].normalised ? normalise_pooled(s, q.pooled) : q.pooled);
    agn_scope_return(s, loss, losses);
    return agni_rename_error(op, agn_scope_close(s));
}

/* ---- memory layers -------------------------------------------------------------------------- */

/* squares of distances [b, h, n, k] of rows [b, n, f] from keys [h, k, f]; never below 0 */
static const agn_tensor *square_distances(agn_scope *s, const agn_tensor *x, const agn_tensor *key)
{
    const int64_t last[1] = {-1};
    x = ag_expand_dims(s, x, 1);
    const agn_tensor *xx = x ? agni_sum_axes(s, ag_square(s, x), 1, last, true) : NULL,
                     *kk = agni_sum_axes(s, ag_square(s, key), 1, last, false);
    const agn_tensor *xk = ag_matmul(s, x, agni_move_axis(s, key, 1, 2));
    const agn_tensor *d = ag_add(s, xx, ag_sub(s, ag_expand_dims(s, kk, 1), ag_mul_c(s, xk, 2)));
    return ag_relu(s, d);
}

agn_status agn_geometric_memory_pool(agn_tensor **out, agn_tensor **assign, const agn_tensor *x,
                                     const agn_tensor *key, const agn_tensor *weight, double tau,
                                     const agn_tensor *mask)
{
    static const char op[] = "geometric_memory_pool";
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    AGNI_NEED(op, key);
    AGNI_NEED(op, weight);
    agn_status st = check_batch(op, "x", x, -1, -1, -1);
    if (!st)
        st = check_batch(op, "key", key, -1, -1, -1);
    if (!st && (!key->shape[1] || key->shape[2] != x->shape[2]))
        st = agni_fail(AGN_ESHAPE,
                       "%s: key is %s, x is %s: [heads,k,%lld] with k from 1 on is needed", op,
                       AGNI_SHAPE(key), AGNI_SHAPE(x), (long long)x->shape[2]);
    if (!st)
        st = agni_require_dense(weight, op);
    if (!st && agni_kind(weight->dtype) == AGNI_KIND_COMPLEX)
        st = agni_fail(AGN_EDTYPE, "%s: weight is %s, a real dtype is needed", op,
                       agni_dtypes[weight->dtype].name);
    if (!st && (weight->ndim != 1 || weight->shape[0] != key->shape[0]))
        st = agni_fail(AGN_ESHAPE, "%s: weight is %s, key is %s: a number for each head is needed",
                       op, AGNI_SHAPE(weight), AGNI_SHAPE(key));
    if (!st && (!(tau > 0) || isinf(tau)))
        st = agni_fail(AGN_EDOMAIN, "%s: tau is %g, a finite number above 0 is needed", op, tau);
    if (!st && mask)
        st = check_mask(op, mask, x);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    int dtype = agni_layer_dtype(x);
    const agn_tensor *v = keep_rows(s, agni_cast(s, x, dtype), mask),
                     *w = agni_reshape(s, weight, 3, (int64_t[]){key->shape[0], 1, 1}), *S = NULL;
    const agn_tensor *d = v ? square_distances(s, v, agni_cast(s, key, dtype)) : NULL;
    if (d && w) {
        const agn_tensor *far = ag_log1p(s, ag_mul_c(s, d, 1 / tau));
        const agn_tensor *c = ag_nn_softmax(s, ag_mul_c(s, far, -(tau + 1) / 2), -1);
        c = ag_mul(s, c, agni_cast(s, w, dtype));
        c = c ? agni_sum_axes(s, c, 1, (int64_t[]){-3}, false) : NULL;
        S = keep_rows(s, ag_nn_softmax(s, c, -1), mask);
    }
    agn_scope_return(s, out, S ? ag_matmul(s, agni_move_axis(s, S, 1, 2), v) : NULL);
    if (assign)
        agn_scope_return(s, assign, S);
    return agni_rename_error(op, agn_scope_close(s));
}
