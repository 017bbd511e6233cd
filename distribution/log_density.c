/* distribution/log_density.c - log_density: the sum of a law's log density and, in the same pass,
   its slopes in those arguments that are traced (Carpenter & al. 2015, The Stan Math Library, 4.1).
   What a first derivative costs is then one step of a plan for a law, whatever its formula. Higher
   derivatives are those of the law's expressions. */
#include "distribution/log_density.h"

#include "distribution/cpu/density.h"
#include "distribution/expression.h"
#include "tensor/cpu/level_dispatch.h"
#include "tensor/dispatch/op.h"
#include "tensor/dispatch/op_helpers.h"
#include <agnesi/autograd.h>

/* longer rows are for regions of tiles and several threads */
enum { LONGEST = 1024, MOST_OUT = 1 + AGNI_DENSITY_ARGS };

/* ---- laws ----------------------------------------------------------------------------------- */

/* What the kernel is given beside the arguments, at most two of them: it moves with none of them,
   as the slopes have what it adds. Of constants it is a constant of the plan. */
typedef void extra_arguments(agn_scope *s, const agn_distribution *d, T x, T *more);
static void log_of_last(agn_scope *s, const agn_distribution *d, T x, T *more)
{
    (void)x;
    more[0] = FN(log, d->param[d->law->n - 1]);
}
static void log_of_width(agn_scope *s, const agn_distribution *d, T x, T *more)
{
    (void)x;
    more[0] = FN(log, SUB(d->param[1], d->param[0]));
}
static void gamma_logs(agn_scope *s, const agn_distribution *d, T x, T *more)
{
    (void)x;
    more[0] = FN(lgamma, d->param[0]);
    more[1] = FN(log, d->param[1]);
}
static void student_factor(agn_scope *s, const agn_distribution *d, T x, T *more)
{
    (void)x;
    more[0] = SUB(agni_student_log_factor(s, d->param[0]), FN(log, d->param[2]));
    more[1] = FN(reciprocal, FN(sqrt, d->param[0]));
}
static void factorial_logs(agn_scope *s, const agn_distribution *d, T x, T *more)
{
    (void)d;
    more[0] = agni_log_gamma_rest(s, PLUS(x, 1));
}
static void log_choose(agn_scope *s, const agn_distribution *d, T x, T *more)
{
    more[0] = agni_log_choose(s, d->param[0], x);
}

typedef struct density_law {
    const agni_law *law;
    uint32_t constant; /* arguments that have to be: bit 0 is the number */
    int n_more;
    extra_arguments *more;
    bool brief; /* of a scalar: ten steps of a plan, which take less than a call of the op */
} density_law;
static const density_law laws[AGNI_DENSITIES] = {
    [AGNI_DENSITY_NORMAL] = {&agni_law_normal, 0, 1, log_of_last, true},
    [AGNI_DENSITY_HALF_CAUCHY] = {&agni_law_half_cauchy, 0, 1, log_of_last, false},
    [AGNI_DENSITY_UNIFORM] = {&agni_law_uniform, 0, 1, log_of_width, true},
    [AGNI_DENSITY_EXPONENTIAL] = {&agni_law_exponential, 0, 1, log_of_last, true},
    [AGNI_DENSITY_GAMMA] = {&agni_law_gamma, 0, 2, gamma_logs, false},
    [AGNI_DENSITY_POISSON] = {&agni_law_poisson, 1, 1, factorial_logs, false},
    [AGNI_DENSITY_STUDENT_T] = {&agni_law_student_t, 2, 2, student_factor, false},
    [AGNI_DENSITY_BINOMIAL_LOGITS] = {&agni_law_binomial_logits, 3, 1, log_choose, false},
};
static int count_arguments(const density_law *l)
{
    return 1 + l->law->n + l->n_more;
}

/* ---- the op --------------------------------------------------------------------------------- */

/* attributes: law, and the arguments whose slopes follow the sum, a bit each */
static agn_status infer_density(agni_call *c)
{
    const int64_t law = c->at->i[0], asked = c->at->i[1];
    if (law < 0 || law >= AGNI_DENSITIES)
        return agni_fail(AGN_EARG, "log_density: law is %lld, 0 to %d are known", (long long)law,
                         AGNI_DENSITIES - 1);
    const density_law *l = &laws[law];
    const int differentiable = 1 + l->law->n;
    if (c->nin != count_arguments(l) || asked < 0 || asked >> differentiable ||
        (asked & l->constant) || c->nout != 1 + __builtin_popcountll((uint64_t)asked))
        return agni_fail(AGN_EARG,
                         "log_density: %d arguments and %d results by slopes %lld; %s takes %d",
                         c->nin, c->nout, (long long)asked, l->law->name, count_arguments(l));
    agni_meta row;
    agni_meta_like(&row, c->in[0]);
    for (int i = 0; i < c->nin; i++) {
        const agn_tensor *x = c->in[i];
        const int last = x->ndim - 1;
        bool same = x->ndim == row.ndim && last >= 0;
        for (int k = 0; same && k < last; k++)
            same = x->shape[k] == row.shape[k];
        if (same && row.shape[last] == 1)
            row.shape[last] = x->shape[last];
        if (!same || (x->shape[last] != 1 && x->shape[last] != row.shape[last]))
            return agni_fail(AGN_ESHAPE, "log_density: argument 0 is %s, argument %d %s",
                             AGNI_SHAPE(c->in[0]), i, AGNI_SHAPE(x));
    }
    c->meta[0] = row;
    c->meta[0].dtype = AGN_F64;
    c->meta[0].shape[row.ndim - 1] = 1;
    for (int i = 0, o = 1; i < c->nin; i++)
        if (asked >> i & 1) {
            agni_meta_like(&c->meta[o], c->in[i]);
            c->meta[o++].dtype = AGN_F64;
        }
    return AGN_OK;
}

static agn_status cpu_density(const agn_kernel_call *c)
{
    agni_density_row r; /* of which what counts is written: to clear it takes as long as a law */
    const int last = c->out[0].ndim - 1;
    int64_t rows = 1, size[AGNI_DENSITY_ARGS];
    for (int k = 0; k < last; k++)
        rows *= c->out[0].shape[k];
    for (int i = 0; i < c->n_in; i++) {
        size[i] = c->in[i].shape[last];
        r.n = size[i] != 1 || !i ? size[i] : r.n;
    }
    r.law = (int)c->ints[0];
    r.args = c->n_in;
    r.sum = c->out[0].data;
    for (int i = 0, o = 1; i < c->n_in; i++) {
        r.one[i] = size[i] != r.n;
        r.x[i] = c->in[i].data;
        r.slope[i] = c->ints[1] >> i & 1 ? c->out[o++].data : NULL;
    }
    void (*sum_row)(const agni_density_row *) = agni_simd_kernels_get()->density->sum_row;
    while (rows-- > 0) {
        sum_row(&r);
        r.sum++;
        for (int i = 0; i < c->n_in; i++) {
            r.x[i] += size[i];
            r.slope[i] += r.slope[i] ? size[i] : 0;
        }
    }
    return AGN_OK;
}

/* ---- derivatives ---------------------------------------------------------------------------- */

/* law and slopes asked for as one number, which outlives any trace */
static void *attributes(const agni_rule *r)
{
    return (void *)(uintptr_t)(r->at->i[1] * AGNI_DENSITIES + r->at->i[0]);
}
static int law_of(const void *user)
{
    return (int)((uintptr_t)user % AGNI_DENSITIES);
}

/* arguments of the op -> sum of log densities, by the law's expressions */
static agn_status sum_body(void *user, agn_scope *s, T const *in, T *out)
{
    const agni_law *law = laws[law_of(user)].law;
    agn_distribution_options unchecked = {.size = sizeof unchecked, .unchecked = true};
    agn_distribution *made = NULL;
    agn_status st = agn_scope_status(s);
    st = st ? st : agni_distribution_make(&made, law, in + 1, &unchecked);
    const agn_distribution *d = agn_distribution_adopt(s, st, &made);
    if (d)
        out[0] = ag_sum_all(s, ag_distribution_log_prob(s, d, in[0]));
    return agn_scope_status(s);
}
/* likewise, its slopes in the arguments asked for */
static agn_status slopes_body(void *user, agn_scope *s, T const *in, T *out)
{
    const int n = 1 + laws[law_of(user)].law->n;
    agn_fn *sum = NULL, *slopes = NULL;
    int32_t asked[AGNI_DENSITY_ARGS], k = 0;
    for (int i = 0; i < n; i++)
        if ((uintptr_t)user / AGNI_DENSITIES >> i & 1)
            asked[k++] = i;
    agn_status st = agn_fn_new(&sum, sum_body, user, NULL, n, 1);
    st = st ? st : agn_fn_grad(&slopes, sum, asked, k);
    if (!agn_scope_fail(s, st))
        (void)agn_fn_apply(s, out, k, slopes, in, n);
    agn_fn_release(sum);
    agn_fn_release(slopes);
    return agn_scope_status(s);
}
/* The results of transform of the slopes; given: tangents of arguments, or cotangents of slopes, n
   of them, NULL for zeros as large as like. */
static void bend(agn_scope *s, const agni_rule *r,
                 agn_status (*transform)(agn_fn **, const agn_fn *), T const *given,
                 T const *like, int n, T *out, int n_out)
{
    const int args = 1 + laws[r->at->i[0]].law->n;
    agn_fn *slopes = NULL, *moved = NULL;
    T in[2 * AGNI_DENSITY_ARGS];
    for (int i = 0; i < args; i++)
        in[i] = r->x[i];
    for (int i = 0; i < n; i++)
        in[args + i] = given[i] ? given[i] : agni_zeros_like(s, like[i]);
    agn_status st = agn_scope_status(s);
    st = st ? st : agn_fn_new(&slopes, slopes_body, attributes(r), NULL, args, r->nout - 1);
    st = st ? st : transform(&moved, slopes);
    if (!agn_scope_fail(s, st))
        (void)agn_fn_apply(s, out, n_out, moved, in, args + n);
    agn_fn_release(slopes);
    agn_fn_release(moved);
}

static bool has_slopes(agn_scope *s, const agni_rule *r, T const *t)
{
    for (int i = 0; i < r->nin; i++)
        if (t[i] && !(r->at->i[1] >> i & 1)) {
            agn_scope_fail(
                s, agni_fail(AGN_EUNSUPPORTED,
                             "log_density: no derivative in argument %d, slopes are %lld", i,
                             (long long)r->at->i[1]));
            return false;
        }
    return true;
}

static void density_jvp(agn_scope *s, const agni_rule *r, T const *t, T *ty)
{
    const int args = 1 + laws[r->at->i[0]].law->n;
    if (!has_slopes(s, r, t))
        return;
    for (int i = 0, o = 1; i < args; i++)
        if (r->at->i[1] >> i & 1) {
            T y = r->y[o++];
            if (t[i])
                ty[0] = agni_add_present(
                    s, ty[0], ag_sum(s, ag_mulz(s, t[i], y), (int32_t[]){-1}, 1, true));
        }
    T moved[2 * AGNI_DENSITY_ARGS] = {NULL};
    bend(s, r, agn_fn_jvp, t, r->x, args, moved, 2 * (r->nout - 1));
    for (int o = 1; o < r->nout; o++)
        ty[o] = moved[r->nout - 1 + o - 1];
}
static void density_vjp(agn_scope *s, const agni_rule *r, T const *g, const bool *want, T *gx)
{
    const int args = 1 + laws[r->at->i[0]].law->n;
    for (int i = 0, o = 1; i < args; i++)
        if (r->at->i[1] >> i & 1) {
            T y = r->y[o++];
            if (g[0] && want[i])
                gx[i] = ag_mulz(s, g[0], y);
        }
    bool bent = false;
    for (int o = 1; o < r->nout; o++)
        bent |= g[o] != NULL;
    if (!bent)
        return;
    T moved[2 * AGNI_DENSITY_ARGS] = {NULL};
    bend(s, r, agn_fn_vjp, g + 1, r->y + 1, r->nout - 1, moved, r->nout - 1 + args);
    for (int i = 0; i < args; i++)
        if (want[i] && moved[r->nout - 1 + i])
            gx[i] = agni_add_present(s, gx[i], moved[r->nout - 1 + i]);
}

static agni_slots slots;
const agni_op agni_op_log_density = {
    .name = "log_density",
    .takes = "xs* law:i slopes:i",
    .cls = AGNI_SOLVE,
    .nin = -1,
    .nout = -1,
    .dtypes = AGNI_BIT(F64),
    .diff = ~0u,
    .promote = ~0u,
    .ew = -1,
    .infer = infer_density,
    .cpu = cpu_density,
    .contiguous = true,
    .jvp = density_jvp,
    .vjp = density_vjp,
    .batch = agni_batch_all,
    .traits = AGNI_SINGULAR,
    .slots = &slots,
    .lo = 0.6,
    .hi = 4,
    .doc = "sum of a law's log density, and its slopes"};

/* ---- sums ----------------------------------------------------------------------------------- */

static const density_law *find_law(const agn_distribution *d)
{
    for (int k = 0; k < AGNI_DENSITIES; k++)
        if (laws[k].law == d->law && !d->base)
            return &laws[k];
    return NULL;
}
static bool fits(const agn_tensor *x)
{
    return x->dtype == AGN_F64 && x->layout == AGN_DENSE &&
           (!x->st || x->st->device == AGN_CPU);
}
/* as a row of n numbers, or of one */
static T row_of(agn_scope *s, T x, const agni_meta *m, int64_t n)
{
    if (x->size != 1 && x->size != n)
        x = ag_broadcast_to(s, x, m->ndim, m->shape);
    return x ? ag_reshape(s, x, 1, &x->size) : NULL;
}

const agn_tensor *agni_log_density_sum(agn_scope *s, const agn_distribution *d, const agn_tensor *x)
{
    const density_law *l = find_law(d);
    agni_meta m = d->batch;
    T in[AGNI_DENSITY_ARGS] = {x};
    int64_t n = 1, asked = 0;
    bool few = l && d->batch.dtype == AGN_F64 && agni_broadcast_into(&m, x->ndim, x->shape);
    for (int k = 0; few && k < m.ndim; k++)
        few = !__builtin_mul_overflow(n, m.shape[k], &n);
    few = few && n > 0 && n <= LONGEST && (n > 1 || !l->brief);
    if (few && agni_kind(x->dtype) <= AGNI_KIND_INT)
        in[0] = ag_cast(s, x, AGN_F64);
    for (int i = 0; few && i < d->law->n + 1; i++) {
        in[i] = i ? d->param[i - 1] : in[0];
        few = in[i] && fits(in[i]) && !(in[i]->node && l->constant >> i & 1);
        asked |= few && in[i]->node ? (int64_t)1 << i : 0;
    }
    if (!few) {
        T y = ag_distribution_log_prob(s, d, x);
        return y && y->ndim ? ag_sum_all(s, y) : y;
    }
    const int nin = count_arguments(l), nout = 1 + __builtin_popcountll((uint64_t)asked);
    l->more(s, d, in[0], in + 1 + l->law->n);
    for (int i = 1 + l->law->n; i < nin; i++)
        in[i] = in[i] ? ag_stop_gradient(s, in[i]) : NULL;
    for (int i = 0; i < nin; i++)
        in[i] = in[i] ? row_of(s, in[i], &m, n) : NULL;
    T y[MOST_OUT] = {NULL};
    if (agn_scope_status(s) ||
        !agni_apply_many_in(s, &agni_op_log_density,
                            &(agni_attr){.ni = 2, .i = (int64_t[]){l - laws, asked}}, nin, in, nout,
                            y))
        return NULL;
    return ag_reshape(s, y[0], 0, NULL);
}
