/* optim/traced_rule.c - a step of a first-order rule as a function: the formulas of rules_body.h over
   the vector of all parameters, so that a plan makes one loop of them, on the host or a device. */
#include "optim/traced_step.h"

#include "tensor/dispatch/op_helpers.h"
#include <agnesi/ag.h>
#include <math.h>
#include <string.h>

typedef const agn_tensor *tensor;

/* what all elements share, f64 until narrow_shared(); rate and decay may be vectors */
typedef struct traced_shared {
    agn_scope *s;
    const agn_optim_options *a;
    int dtype;
    bool rated; /* the rate is no constant */
    tensor count, rate, decay, clip, ratio, c1, c2, c3, first, sync;
} traced_shared;

static tensor make_number(agn_scope *s, int dtype, double x)
{
    return ag_full(s, (agn_dtype)dtype, 0, NULL, x);
}
static tensor choose_positive(agn_scope *s, tensor x, tensor yes, tensor no)
{
    int dtype = x ? x->dtype : AGN_F64;
    return ag_where(s, ag_gt(s, x, make_number(s, dtype, 0)), yes, no);
}
static tensor sum_of_expm1(agn_scope *s, int64_t n, const double *weight, const double *rate,
                           tensor t)
{
    tensor power = ag_expm1(s, ag_mul(s, ag_from_host(s, AGN_F64, 1, &n, rate), t));
    return ag_sum_all(s, ag_mul(s, ag_from_host(s, AGN_F64, 1, &n, weight), power));
}

#define V tensor
#define RULE_NAME(name) traced_##name
#define SHARED(x) make_number(c->s, AGN_F64, x)
#define CONSTANT(x) make_number(c->s, c->dtype, x)
#define ADD(x, y) ag_add(c->s, x, y)
#define SUB(x, y) ag_sub(c->s, x, y)
#define MUL(x, y) ag_mul(c->s, x, y)
#define DIV(x, y) ag_div(c->s, x, y)
#define NEG(x) ag_neg(c->s, x)
#define SCALE(x, number) ag_mul_c(c->s, x, number)
#define SHIFT(x, number) ag_add_c(c->s, x, number)
#define SQUARE(x) ag_square(c->s, x)
#define SQRT(x) ag_sqrt(c->s, x)
#define ABS(x) ag_abs(c->s, x)
#define SIGN(x) ag_sign(c->s, x)
#define LARGER(x, y) ag_maximum(c->s, x, y)
#define SMALLER(x, y) ag_minimum(c->s, x, y)
#define IF_POSITIVE(x, yes, no) choose_positive(c->s, x, yes, no)
#define FLOOR(x) ag_floor(c->s, x)
#define EXP(x) ag_exp(c->s, x)
#define POWER(base, x) ag_pow(c->s, SHARED(base), x)
#define POWER_OF(x, power) ag_pow(c->s, x, SHARED(power))
#define SUM_OF_EXPM1(n, weight, rate, t) sum_of_expm1(c->s, n, weight, rate, t)
#define RATED(x) (c->rated ? ag_mul(c->s, x, c->rate) : ag_mul_c(c->s, x, c->a->rate))
#define DECAYED(x) \
    (c->decay ? ag_mul(c->s, x, c->decay) : ag_mul_c(c->s, x, c->a->weight_decay))
#include "optim/rules_body.h"

static const struct {
    void (*prepare)(traced_shared *c);
    tensor (*rule)(const traced_shared *c, traced_element *e);
} formulas[AGN_OPTIM_KINDS] = {
#define RULE(KIND, name, slots, flags, shared, ...) \
    [AGN_OPTIM_##KIND] = {traced_##shared, traced_##name},
#include "optim/rules.def"
#undef RULE
};

/* ---- numbers for each parameter -------------------------------------------------------------- */

static void fail_alloc(agn_scope *s, size_t bytes)
{
    agn_scope_fail(s, agni_nomem("optim", bytes));
}

/* a vector with a number for all elements of each parameter */
static tensor spread_factors(const agni_optim_program *p, agn_scope *s, const tensor *each)
{
    tensor *part = agni_alloc((size_t)p->n * sizeof *part), all = NULL;
    if (!part)
        fail_alloc(s, (size_t)p->n * sizeof *part);
    for (int i = 0; part && i < p->n; i++)
        part[i] = ag_broadcast_to(s, each[i], 1, &p->like[i]->size);
    if (part && !agn_scope_status(s))
        all = agni_optim_concat(s, part, p->n);
    agni_free(part);
    return all;
}

/* one such number of each parameter, of its slices of x and of y */
typedef tensor number_fn(const traced_shared *c, const agni_optim_program *p, int i, tensor x,
                         tensor y);
static tensor spread_numbers(const traced_shared *c, const agni_optim_program *p, number_fn *find,
                             tensor x, tensor y)
{
    tensor *each = agni_alloc((size_t)p->n * sizeof *each), all = NULL;
    int64_t at_x = 0, at_y = 0;
    if (!each)
        fail_alloc(c->s, (size_t)p->n * sizeof *each);
    for (int i = 0; each && i < p->n; i++)
        each[i] = find(c, p, i, x ? agni_optim_slice(c->s, x, p->like[i], &at_x) : NULL,
                       y ? agni_optim_slice(c->s, y, p->like[i], &at_y) : NULL);
    if (each)
        all = spread_factors(p, c->s, each);
    agni_free(each);
    return all;
}

static tensor rate_factor(const traced_shared *c, const agni_optim_program *p, int i, tensor x,
                          tensor y)
{
    (void)x, (void)y;
    return make_number(c->s, AGN_F64, p->factors[i]);
}
static tensor decay_of(const traced_shared *c, const agni_optim_program *p, int i, tensor x,
                       tensor y)
{
    (void)x, (void)y;
    return make_number(c->s, AGN_F64, c->a->weight_decay * p->factors[p->n + i]);
}

/* in f64 and in a unit in which none overflows */
#define NORM_UNIT 0x1p32
static tensor norm_of(agn_scope *s, tensor x)
{
    return ag_pnorm(s, ag_mul_c(s, ag_cast(s, x, AGN_F64), 1 / NORM_UNIT), 2, NULL, 0, false);
}
static tensor clip_factor(const traced_shared *c, tensor g, double most)
{
    tensor norm = norm_of(c->s, g), bound = SHARED(most / NORM_UNIT);
    return ag_cast(c->s, DIV(bound, LARGER(norm, bound)), (agn_dtype)c->dtype);
}
static tensor clip_of(const traced_shared *c, const agni_optim_program *p, int i, tensor x,
                      tensor y)
{
    (void)p, (void)i, (void)y;
    return clip_factor(c, x, c->a->clip_norm);
}

/* y is the step of LAMB, the gradient of LARS */
static tensor ratio_of(const traced_shared *c, const agni_optim_program *p, int i, tensor x,
                       tensor y)
{
    bool gradient = agni_optim_rules[p->kind].flags & AGNI_RULE_TRUST_GRADIENT;
    tensor nx = norm_of(c->s, x), ny = norm_of(c->s, y), ratio;
    double decay = c->a->weight_decay * p->factors[p->n + i];
    if (gradient)
        ratio = DIV(SCALE(nx, c->a->trust),
                    SHIFT(ADD(ny, SCALE(nx, decay)), c->a->eps / NORM_UNIT));
    else
        ratio = DIV(nx, ny);
    ratio = IF_POSITIVE(nx, IF_POSITIVE(ny, ratio, SHARED(1)), SHARED(1));
    return ag_cast(c->s, ratio, (agn_dtype)c->dtype);
}

/* ---- a step ---------------------------------------------------------------------------------- */

/* the count of steps, alone or with the rate */
static agn_status check_count(const char *op, tensor count)
{
    bool fits = !count->ndim || (count->ndim == 1 && count->shape[0] == 2);
    if (count->dtype == AGN_F64 && fits)
        return AGN_OK;
    return agni_fail(fits ? AGN_EDTYPE : AGN_ESHAPE,
                     "%s: the count is %s %s, f64 [] is needed, or f64 [2] with the rate", op,
                     agni_dtypes[count->dtype].name, AGNI_SHAPE(count));
}
static tensor pick_element(agn_scope *s, tensor x, int64_t i)
{
    int64_t end = i + 1;
    return ag_reshape(s, ag_slice(s, x, 1, &i, &end, NULL), 0, NULL);
}

static void prepare_shared(traced_shared *c, const agni_optim_program *p, tensor count)
{
    bool given = count->ndim;
    c->count = ag_add(c->s, given ? pick_element(c->s, count, 0) : count, SHARED(1));
    c->rate = given ? pick_element(c->s, count, 1) : SHARED(c->a->rate);
    c->rated = given || p->own_rates;
    if (p->own_rates)
        c->rate = MUL(c->rate, spread_numbers(c, p, rate_factor, NULL, NULL));
    if (p->own_decays)
        c->decay = spread_numbers(c, p, decay_of, NULL, NULL);
    formulas[p->kind].prepare(c);
    if (c->a->lookahead_steps > 0)
        traced_lookahead(c);
    tensor *of[] = {&c->rate, &c->decay, &c->c1, &c->c2, &c->c3, &c->first, &c->sync};
    for (int i = 0; i < AGNI_COUNT(of); i++)
        if (*of[i])
            *of[i] = ag_cast(c->s, *of[i], (agn_dtype)c->dtype);
}

static void find_clip(traced_shared *c, const agni_optim_program *p, tensor g)
{
    if (c->a->clip_global_norm > 0)
        c->clip = clip_factor(c, g, c->a->clip_global_norm);
    else if (c->a->clip_norm > 0)
        c->clip = spread_numbers(c, p, clip_of, g, NULL);
}

/* x and slots after the step */
static void trace_rule(traced_shared *c, const agni_optim_program *p, tensor x, tensor g,
                       const tensor *slots, tensor *out)
{
    const agni_optim_rule *rule = &agni_optim_rules[p->kind];
    int n = agni_optim_slots(p->kind, c->a);
    int averages = (c->a->average_decay > 0) + (c->a->lookahead_steps > 0);
    traced_element e = {.x = x};
    for (int i = 0; i < n; i++)
        e.slot[i] = slots[i];
    find_clip(c, p, g);
    e.g = traced_penalised(c, x, g);
    if (rule->flags & AGNI_RULE_TRUST_GRADIENT)
        c->ratio = spread_numbers(c, p, ratio_of, x, e.g);
    tensor move = traced_decayed(c, x, formulas[p->kind].rule(c, &e), rule->flags);
    if (rule->flags & AGNI_RULE_TRUST_MOVE)
        c->ratio = spread_numbers(c, p, ratio_of, x, move);
    out[0] = SUB(x, traced_change(c, move, rule->flags));
    if (averages)
        out[0] = traced_averages(c, x, out[0], e.slot + n - averages);
    memcpy(out + 1, e.slot, (size_t)n * sizeof *e.slot);
}

static agn_status run_rule(const agn_fn *f, agn_scope *s, const tensor *in, tensor *out)
{
    const agni_optim_program *p = f->data;
    const char *op = agni_optim_rules[p->kind].name;
    traced_shared c = {.s = s, .a = &p->opt, .dtype = p->like[0]->dtype};
    int count = 1 + agni_optim_slots(p->kind, &p->opt);
    agn_status st = agni_optim_check_vector(p, op, "x", in[0], 1);
    for (int i = 1; !st && i < count; i++) {
        char name[] = "slot 0";
        name[5] = (char)('0' + i - 1);
        st = agni_optim_check_vector(p, op, name, in[i], 1);
    }
    st = st ? st : check_count(op, in[count]);
    tensor g = NULL;
    if (st || !agni_optim_trace_objective(p, s, in[0], in + count + 1, &out[count + 1], &g))
        return st ? st : agn_scope_status(s);
    prepare_shared(&c, p, in[count]);
    if (agn_scope_status(s))
        return agn_scope_status(s);
    trace_rule(&c, p, in[0], g, in + 1, out);
    out[count] = c.count;
    if (in[count]->ndim) {
        const tensor both[] = {ag_reshape(s, c.count, 1, (int64_t[]){1}),
                               ag_reshape(s, pick_element(s, in[count], 1), 1, (int64_t[]){1})};
        out[count] = ag_concat(s, both, 2, 0);
    }
    return agn_scope_status(s);
}

static agn_status make_rule(agn_fn **out, const char *op, int32_t kind, const agn_fn *objective,
                            const agn_tensor *const *params, int32_t n,
                            const agn_optim_options *opts)
{
    int slots = agn_optim_slots(kind, opts);
    return agni_optim_make_step_fn(out, op, run_rule, kind, slots + 2, slots + 3, objective,
                                   params, n, opts);
}

agn_status agn_fn_optim(agn_fn **out, int32_t kind, const agn_fn *objective,
                        const agn_tensor *const *params, int32_t n, const agn_optim_options *opts)
{
    if (kind < 0 || kind >= AGN_OPTIM_KINDS || !agni_optim_rules[kind].name)
        return agni_fail(AGN_EARG, "fn_optim: method %d of %d is no rule", kind, AGN_OPTIM_KINDS);
    return make_rule(out, "fn_optim", kind, objective, params, n, opts);
}

agn_status agn_fn_adam(agn_fn **out, const agn_fn *objective, const agn_tensor *const *params,
                       int32_t n, const agn_optim_options *opts)
{
    return make_rule(out, "fn_adam", AGN_OPTIM_ADAM, objective, params, n, opts);
}
