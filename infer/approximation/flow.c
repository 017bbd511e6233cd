/* infer/approximation/flow.c - affine couplings that lead normal numbers to a posterior (Dinh,
   Sohl-Dickstein & Bengio 2017; Rezende & Mohamed 2015). */
#include "infer/approximation/variational.h"
#include "core/random/philox.h"
#include "tensor/value/tensor.h"
#include <agnesi/ag.h>
#include <agnesi/autograd.h>

#include <math.h>
#include <string.h>

typedef const agn_tensor *T;

/* n numbers, of which layers change the first half or the other in turn. Parameters of a layer with
   a numbers that stay and b that change: W1 [a, hidden], b1, W2 [hidden, 2 b], b2; in the end a
   scale and a shift of each number. */
typedef struct flow {
    agn_fn *lanes;
    int64_t n, hidden;
    int32_t layers;
} flow;

static int64_t half_of(const flow *f, int32_t layer, int64_t *low)
{
    int64_t first = f->n / 2;
    *low = layer % 2 ? first : 0;
    return layer % 2 ? f->n - first : first; /* numbers that change */
}
static int64_t count_params(const flow *f)
{
    int64_t sum = 2 * f->n, low;
    for (int32_t k = 0; k < f->layers && f->n > 1; k++) {
        int64_t b = half_of(f, k, &low), a = f->n - b;
        sum += a * f->hidden + f->hidden + f->hidden * 2 * b + 2 * b;
    }
    return sum;
}
static T take_block(agn_scope *s, T params, int64_t *at, int64_t rows, int64_t cols)
{
    int64_t end = *at + rows * cols;
    T part = ag_slice(s, params, 1, at, &end, NULL);
    *at = end;
    return ag_reshape(s, part, 2, (const int64_t[]){rows, cols});
}
static T take_columns(agn_scope *s, T x, int64_t low, int64_t high)
{
    return ag_slice(s, x, 2, (const int64_t[]){0, low},
                    (const int64_t[]){x ? x->shape[0] : 0, high}, NULL);
}
/* points, and log|det J| [draws], of normal numbers */
static T run_flow(agn_scope *s, const flow *f, T params, T z, T *log_det)
{
    int64_t at = 0, low;
    T scale = take_block(s, params, &at, 1, f->n), shift = take_block(s, params, &at, 1, f->n),
      sum = NULL, x = z;
    for (int32_t k = 0; k < f->layers && f->n > 1; k++) {
        int64_t b = half_of(f, k, &low), a = f->n - b, high = low + b;
        T stays = low ? take_columns(s, x, 0, low) : take_columns(s, x, high, f->n),
          moves = take_columns(s, x, low, high);
        T w1 = take_block(s, params, &at, a, f->hidden),
          b1 = take_block(s, params, &at, 1, f->hidden);
        T w2 = take_block(s, params, &at, f->hidden, 2 * b),
          b2 = take_block(s, params, &at, 1, 2 * b);
        T h = ag_tanh(s, ag_add(s, ag_matmul(s, stays, w1), b1)),
          y = ag_add(s, ag_matmul(s, h, w2), b2);
        /* scales between e^-2 and e^2 */
        T log_scale = ag_mul_c(s, ag_tanh(s, ag_mul_c(s, take_columns(s, y, 0, b), 0.5)), 2);
        moves = ag_add(s, ag_mul(s, moves, ag_exp(s, log_scale)), take_columns(s, y, b, 2 * b));
        T both[2] = {low ? stays : moves, low ? moves : stays};
        x = ag_concat(s, both, 2, 1);
        T term = ag_sum(s, log_scale, (const int32_t[]){1}, 1, false);
        sum = sum ? ag_add(s, sum, term) : term;
    }
    x = ag_add(s, ag_mul(s, x, ag_exp(s, scale)), shift);
    T last = ag_sum_all(s, scale);
    *log_det = sum ? ag_add(s, sum, last) : last;
    return x;
}
static agn_status loss_body(void *user, agn_scope *s, const T *in, T *out)
{
    const flow *f = user;
    T log_det = NULL, x = run_flow(s, f, in[0], in[1], &log_det), y = NULL;
    if (agn_scope_status(s))
        return agn_scope_status(s);
    agn_status st = agn_fn_apply(s, &y, 1, f->lanes, &x, 1);
    if (st)
        return st;
    out[0] = ag_neg(s, ag_mean_all(s, ag_add(s, y, log_det)));
    return agn_scope_status(s);
}
static agn_status points_body(void *user, agn_scope *s, const T *in, T *out)
{
    const flow *f = user;
    T log_det = NULL;
    out[0] = run_flow(s, f, in[0], in[1], &log_det);
    out[1] = ag_add(s, log_det, ag_zeros(s, AGN_F64, 1, in[1]->shape));
    return agn_scope_status(s);
}
/* draws, and the log ratios of the posterior's density and the flow's */
static agn_status draw_samples(agn_dict **out, const char *op, const agn_model *m, const flow *f,
                               const double *params, int64_t n_params, int64_t draws,
                               agni_stream *g)
{
    agn_fn *points = NULL;
    agn_tensor *in[2] = {NULL, NULL}, *y[2] = {NULL, NULL};
    const void *x = NULL, *log_det = NULL;
    agn_dict *d = NULL;
    double *z = agni_alloc((size_t)(draws * (f->n + 2)) * sizeof *z), *ratio = z + draws * f->n,
           *own = ratio + draws, elbo = 0;
    if (!z)
        return agni_nomem(op, (size_t)(draws * (f->n + 2)) * sizeof *z);
    for (int64_t k = 0; k < draws; k++) {
        own[k] = -0.91893853320467274178 * (double)f->n;
        for (int64_t i = 0; i < f->n; i++) {
            double v = z[k * f->n + i] = agni_stream_normal(g);
            own[k] -= 0.5 * v * v;
        }
    }
    agn_status st = agn_fn_new(&points, points_body, (void *)(uintptr_t)f, NULL, 2, 2);
    st = st ? st : agn_from_host(&in[0], AGN_F64, 1, &n_params, params);
    st = st ? st : agn_from_host(&in[1], AGN_F64, 2, (const int64_t[]){draws, f->n}, z);
    st = st ? st : agn_fn_call(y, 2, points, (T const *)in, 2);
    st = st ? st : agn_data_contiguous(&x, y[0]);
    st = st ? st : agn_data_contiguous(&log_det, y[1]);
    st = st ? st : agni_log_densities(ratio, m, x, draws);
    for (int64_t k = 0; !st && k < draws; k++) {
        ratio[k] += ((const double *)log_det)[k] - own[k];
        elbo += ratio[k] / (double)draws;
    }
    st = st ? st : agni_weigh_draws(&d, op, m, x, ratio, draws, 0, 0);
    st = st ? st : agni_put_host(d, "sampler/elbo", AGN_F64, 0, NULL, &elbo);
    agni_free(z);
    agn_fn_release(points);
    for (int k = 0; k < 2; k++) {
        agn_release(in[k]);
        agn_release(y[k]);
    }
    if (st)
        agn_dict_release(d);
    else
        *out = d;
    return st;
}
agn_status agn_infer_flow(agn_dict **out, const agn_model *m, const agn_flow_options *opts)
{
    const char *op = "infer_flow";
    if (!out || !m)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, !out ? "out" : "m");
    if (agni_check_size(op, agn_flow_options, opts))
        return AGN_EARG;
    agn_flow_options o = {.size = sizeof o};
    if (opts)
        o = *opts;
    o.layers = o.layers ? o.layers : 8;
    o.hidden = o.hidden ? o.hidden : 32;
    o.steps = o.steps ? o.steps : 3000;
    o.batch = o.batch ? o.batch : 64;
    o.draws = o.draws ? o.draws : 1000;
    o.rate = o.rate != 0 ? o.rate : 0.005;
    if (o.layers < 1 || o.layers > 1000 || o.hidden < 1 || o.hidden > 1 << 20 || o.steps < 1 ||
        o.batch < 1 || o.batch > 1 << 24 || o.draws < 1 || o.draws > 1 << 28 || !(o.rate > 0))
        return agni_fail(
            AGN_EARG,
            "%s: %d layers of %d units, %lld steps of %lld draws at rate %g, %lld draws: not possible",
            op, o.layers, o.hidden, (long long)o.steps, (long long)o.batch, o.rate,
            (long long)o.draws);
    flow f = {.n = m->dims, .hidden = o.hidden, .layers = o.layers};
    agn_fn *density = NULL, *loss = NULL;
    int64_t n_params = count_params(&f), low;
    agni_stream g = {.key = agni_philox_subkey(o.seed, 0)};
    double *p = agni_zalloc((size_t)n_params * sizeof *p);
    agn_status st = p ? agn_model_log_density(&density, m)
                      : agni_nomem(op, (size_t)n_params * sizeof *p);
    st = st ? st : agn_fn_vmap(&f.lanes, density, NULL, 0, NULL, 0);
    st = st ? st : agn_fn_new(&loss, loss_body, &f, NULL, 2, 1);
    /* first the identity: second weights 0, first ones of unit variance in all */
    for (int64_t k = 0, at = 2 * f.n; !st && k < f.layers && f.n > 1; k++) {
        int64_t b = half_of(&f, (int32_t)k, &low), a = f.n - b;
        for (int64_t i = 0; i < a * f.hidden; i++)
            p[at + i] = agni_stream_normal(&g) / sqrt((double)a);
        at += a * f.hidden + f.hidden + f.hidden * 2 * b + 2 * b;
    }
    st = st ? st : agni_descend(p, n_params, op, loss, o.batch, f.n, o.steps, o.rate, &g);
    st = st ? st : draw_samples(out, op, m, &f, p, n_params, o.draws, &g);
    agni_free(p);
    agn_fn_release(density);
    agn_fn_release(f.lanes);
    agn_fn_release(loss);
    return st;
}
