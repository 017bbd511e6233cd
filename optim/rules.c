/* optim/rules.c - a step of a first-order rule (rules_body.h has the formulas): the numbers that a
   parameter's elements share, norms where a rule or a clip asks for them, then one pass over the
   elements, cut by length alone. */
#include "config.h"

#include "optim/optim.h"

#include "core/device/cpu_level.h"

#include <math.h>

const agni_optim_rule agni_optim_rules[AGN_OPTIM_KINDS] = {
#define RULE(KIND, name, slots, flags, shared, ...) \
    [AGN_OPTIM_##KIND] = {#name, slots, flags, __VA_ARGS__},
#include "optim/rules.def"
#undef RULE
};

/* the tables of the CPU's level */
typedef struct level_kernels {
    const agni_rule_kernels *rules;
    const agni_width_kernels *widths;
} level_kernels;
static const level_kernels *kernels_of_level(void)
{
    static const level_kernels of_level[] = {
        [AGNI_CPU_BASE] = {agni_rule_kernels_base, &agni_width_kernels_base},
#ifdef AGNI_HAVE_AVX2
        [AGNI_CPU_AVX2] = {agni_rule_kernels_avx2, &agni_width_kernels_avx2},
#endif
#ifdef AGNI_HAVE_AVX512
        [AGNI_CPU_AVX512] = {agni_rule_kernels_avx512, &agni_width_kernels_avx512},
#endif
    };
    return of_level + agni_cpu_level_below(AGNI_COUNT(of_level));
}

/* ---- widths ---------------------------------------------------------------------------------- */

typedef struct copy {
    double *wide;
    float *narrow;
    int64_t n;
    bool widens;
} copy;
static void copy_grain(void *user, int64_t i, int worker)
{
    const copy *c = user;
    int64_t from = i * AGNI_RULE_GRAIN, left = c->n - from;
    int64_t n = left < AGNI_RULE_GRAIN ? left : AGNI_RULE_GRAIN;
    (void)worker;
    if (c->widens)
        kernels_of_level()->widths->widen(c->wide + from, c->narrow + from, n);
    else
        kernels_of_level()->widths->narrow(c->narrow + from, c->wide + from, n);
}
void agni_optim_widen(double *to, const float *from, int64_t n)
{
    agni_parallel_for((n + AGNI_RULE_GRAIN - 1) / AGNI_RULE_GRAIN, copy_grain,
                      &(copy){to, (float *)(uintptr_t)from, n, true});
}
void agni_optim_narrow(float *to, const double *from, int64_t n)
{
    agni_parallel_for((n + AGNI_RULE_GRAIN - 1) / AGNI_RULE_GRAIN, copy_grain,
                      &(copy){(double *)(uintptr_t)from, to, n, false});
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* slots of the formula alone: RMSProp's are the square, the velocity, the mean */
static int own_slots(int32_t kind, const agn_optim_options *a)
{
    const agni_optim_rule *rule = &agni_optim_rules[kind];
    if (!(rule->flags & AGNI_RULE_SOME_SLOTS) || a->centred)
        return rule->slots;
    return 1 + (a->momentum > 0);
}

int agni_optim_slots(int32_t kind, const agn_optim_options *a)
{
    return own_slots(kind, a) + (a->average_decay > 0) + (a->lookahead_steps > 0);
}

int32_t agn_optim_slots(int32_t kind, const agn_optim_options *opts)
{
    static const agn_optim_options none = {.size = sizeof none};
    bool known = kind >= 0 && kind < AGN_OPTIM_KINDS && agni_optim_rules[kind].name &&
                 (!opts || opts->size == sizeof *opts);
    return known ? agni_optim_slots(kind, opts ? opts : &none) : -1;
}

/* Two rules whose vectors are as many may keep different ones: a state fits where this agrees. */
int agni_optim_layout(int32_t kind, const agn_optim_options *a)
{
    return 1 + (own_slots(kind, a) << 3 | (a->average_decay > 0) << 2 |
                (a->lookahead_steps > 0) << 1 | a->keep_best);
}

static bool rule_memory(const agn_optim *o, int64_t *saved)
{
    return agni_checked_mul(o->n, agni_optim_slots(o->kind, &o->opt), saved);
}
static void rule_start(agn_optim *o)
{
    (void)o;
}
const agni_optim_method agni_optim_rule_method = {"rule", rule_memory, rule_start,
                                                  NULL,   NULL,        NULL};

/* ---- norms ----------------------------------------------------------------------------------- */

/* norms are in this unit, in which none overflows */
#define NORM_UNIT 0x1p32

/* The 2-norm of n numbers, whatever their size; the order of additions is that of the length. */
static double scaled_norm(int64_t n, const double *x)
{
    double most = agni_vector_max_abs(AGN_F64, n, x), sum = 0;
    if (most == 0 || !isfinite(most))
        return most;
    if (most > 1e-140 && most < 1e140)
        return sqrt(agni_vector_dot_f64(n, x, x)) / NORM_UNIT;
    for (int64_t i = 0; i < n; i++)
        sum += x[i] / most * (x[i] / most);
    return most / NORM_UNIT * sqrt(sum);
}

static double clip_factor(double norm, double most)
{
    return most / NORM_UNIT / fmax(norm, most / NORM_UNIT);
}

/* of the gradient, by norms of its parts, where one is asked for */
static void find_clip_factors(agn_optim *o)
{
    const agn_optim_options *a = &o->opt;
    double all = a->clip_global_norm > 0
                     ? clip_factor(scaled_norm(o->n, o->g), a->clip_global_norm)
                     : 1;
    for (int p = 0; p < o->n_params; p++) {
        agni_optim_part *q = &o->each[p];
        q->shared.clip = all;
        if (a->clip_norm > 0)
            q->shared.clip = clip_factor(scaled_norm(q->to - q->from, o->g + q->from),
                                         a->clip_norm);
    }
}

/* ---- a pass over the elements ---------------------------------------------------------------- */

typedef struct pass {
    agn_optim *o;
    agni_rule_loop *fn;
} pass;

/* the first span, or parameter, that ends behind place i */
static int64_t find_span(const agn_optim *o, int64_t i)
{
    int64_t lo = 0, hi = o->n_spans;
    while (lo < hi) {
        int64_t mid = (lo + hi) / 2;
        if (o->span[mid].to > i)
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo;
}
static int find_part(const agn_optim *o, int64_t i)
{
    int lo = 0, hi = o->n_params;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (o->each[mid].to > i)
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo;
}

/* the elements of [from, to) that have a gradient, by parameters */
static double pass_over(agn_optim *o, agni_rule_loop *fn, int64_t from, int64_t to)
{
    int slots = own_slots(o->kind, &o->opt);
    double most = 0;
    int part = find_part(o, from);
    for (int64_t s = find_span(o, from); s < o->n_spans && o->span[s].from < to; s++) {
        int64_t at = o->span[s].from > from ? o->span[s].from : from;
        int64_t end = o->span[s].to < to ? o->span[s].to : to;
        while (at < end) {
            while (o->each[part].to <= at)
                part++;
            int64_t stop = o->each[part].to < end ? o->each[part].to : end;
            double here = fn(&(agni_rule_chunk){&o->each[part].shared, o->n, o->x + at, o->g + at,
                                                o->own + at, slots, o->d + at, stop - at});
            most = here > most ? here : most;
            at = stop;
        }
    }
    return most;
}

static void pass_grain(void *user, int64_t i, int worker)
{
    pass *p = user;
    int64_t from = i * AGNI_RULE_GRAIN, to = from + AGNI_RULE_GRAIN;
    (void)worker;
    p->o->part[i] = pass_over(p->o, p->fn, from, to < p->o->n ? to : p->o->n);
}

static double run_pass(agn_optim *o, agni_rule_loop *fn)
{
    int64_t grains = (o->n + AGNI_RULE_GRAIN - 1) / AGNI_RULE_GRAIN, elements = 0;
    for (int64_t s = 0; s < o->n_spans && elements <= AGNI_RULE_GRAIN; s++)
        elements += o->span[s].to - o->span[s].from;
    if (elements <= AGNI_RULE_GRAIN)
        return pass_over(o, fn, 0, o->n);
    double most = 0;
    agni_parallel_for(grains, pass_grain, &(pass){o, fn});
    for (int64_t i = 0; i < grains; i++)
        most = o->part[i] > most ? o->part[i] : most;
    return most;
}

/* ---- a step ---------------------------------------------------------------------------------- */

/* LARS: of the gradient in d; LAMB: of the step there */
static void find_ratios(agn_optim *o, int flags)
{
    const agn_optim_options *a = &o->opt;
    for (int p = 0; p < o->n_params; p++) {
        agni_optim_part *q = &o->each[p];
        double x = scaled_norm(q->to - q->from, o->x + q->from),
               d = scaled_norm(q->to - q->from, o->d + q->from), ratio = 1;
        if (x > 0 && d > 0)
            ratio = flags & AGNI_RULE_TRUST_MOVE ? x / d
                                       : a->trust * x /
                                             (d + q->shared.decay * x + a->eps / NORM_UNIT);
        q->shared.ratio = ratio;
    }
}

static agn_status check_whole(const agn_optim *o, const agni_optim_rule *rule)
{
    if (!(rule->flags & AGNI_RULE_WHOLE) && o->opt.average_decay == 0 && !o->opt.lookahead_steps)
        return AGN_OK;
    for (int p = 0; p < o->n_params; p++) {
        const agn_tensor *g = o->out[o->n_out - o->n_params + p];
        if (agn_layout_of(g) != AGN_DENSE)
            return agni_fail(AGN_EUNSUPPORTED,
                             "optim_step: %s%s moves every number of a parameter; gradient %d, %s, is "
                             "sparse",
                             rule->name, rule->flags & AGNI_RULE_WHOLE ? "" : " with averages", p,
                             AGNI_SHAPE(g));
    }
    return AGN_OK;
}

agn_status agni_optim_rule_step(agn_optim *o, int32_t *reason)
{
    const agni_optim_rule *rule = &agni_optim_rules[o->kind];
    const agni_rule_kernels *kernels = kernels_of_level()->rules + o->kind;
    /* x moved after the last evaluation, so there always is one */
    agn_status st = agni_optim_evaluate(o);
    st = st ? st : check_whole(o, rule);
    if (st)
        return st;
    *reason = agni_optim_find_reason(o);
    if (*reason == AGN_OPTIM_GRADIENT && (o->opt.l1 > 0 || o->opt.l2 > 0))
        *reason = AGN_OPTIM_RUNNING; /* a penalty's gradient is still to come */
    if (*reason == AGN_OPTIM_GRADIENT || *reason == AGN_OPTIM_NOT_FINITE)
        return AGN_OK;
    agni_optim_scalars *k = &o->k;
    for (int p = 0; p < o->n_params; p++) {
        agni_optim_part *q = &o->each[p];
        q->shared = (agni_rule_shared){.a = &o->opt,
                                       .count = k->steps + 1,
                                       .rate = k->rate * q->rate,
                                       .decay = o->opt.weight_decay * q->decay};
        kernels->prepare(&q->shared);
    }
    find_clip_factors(o);
    if (rule->flags & AGNI_RULE_TRUST_GRADIENT)
        run_pass(o, kernels->penalise);
    if (rule->flags & AGNI_RULE_TRUST_MOVE)
        run_pass(o, kernels->propose);
    if (rule->flags & (AGNI_RULE_TRUST_GRADIENT | AGNI_RULE_TRUST_MOVE))
        find_ratios(o, rule->flags);
    k->step = run_pass(o, rule->flags & AGNI_RULE_TRUST_MOVE ? kernels->apply : kernels->step);
    k->known = 0;
    k->steps++;
    k->length = k->rate;
    if (*reason == AGN_OPTIM_RUNNING && o->opt.step_tol > 0 &&
        k->step <= o->opt.step_tol * fmax(1, agni_vector_max_abs(AGN_F64, o->n, o->x)))
        *reason = AGN_OPTIM_STEP;
    return AGN_OK;
}
