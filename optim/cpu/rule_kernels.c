/* optim/cpu/rule_kernels.c - loops over the elements of a parameter for each first-order rule
   (rules_body.h), compiled once per CPU level: operations of IEEE 754 alone, so that no level
   changes a bit. */
#include "optim/rules.h"

#include "tensor/cpu/simd/vec.h"

#include <math.h>

typedef agni_rule_shared host_shared;
#define V double
#define RULE_NAME(name) host_##name
#define SHARED(x) ((double)(x))
#define CONSTANT(x) ((double)(x))
#define ADD(x, y) ((x) + (y))
#define SUB(x, y) ((x) - (y))
#define MUL(x, y) ((x) * (y))
#define DIV(x, y) ((x) / (y))
#define NEG(x) (-(x))
#define SCALE(x, number) ((x) * (number))
#define SHIFT(x, number) ((x) + (number))
#define SQUARE(x) ((x) * (x))
#define SQRT(x) sqrt(x)
#undef ABS /* of vec.h */
#define ABS(x) fabs(x)
#define SIGN(x) ((double)((x) > 0) - (double)((x) < 0))
#define LARGER(x, y) ((x) > (y) ? (x) : (y))
#define SMALLER(x, y) ((x) < (y) ? (x) : (y))
#define IF_POSITIVE(x, yes, no) ((x) > 0 ? (yes) : (no))
#define FLOOR(x) floor(x)
#define EXP(x) exp(x)
#define POWER(base, x) pow(base, x)
#define POWER_OF(x, power) pow(x, power)
#define SUM_OF_EXPM1(n, weight, rate, t) sum_of_expm1(n, weight, rate, t)
#define RATED(x) (c->rate * (x))
#define DECAYED(x) (c->decay * (x))

static double sum_of_expm1(int n, const double *weight, const double *rate, double t)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += weight[i] * expm1(rate[i] * t);
    return sum;
}

#include "optim/rules_body.h"

enum { BLOCK = 256 };

static int64_t block_from(const agni_rule_chunk *q, int64_t from)
{
    return q->count - from < BLOCK ? q->count - from : BLOCK;
}
/* Shared numbers where no store of a loop reaches them. */
#define HOLD(q)                                      \
    const agn_optim_options options = *(q)->c->a;    \
    agni_rule_shared held = *(q)->c;                 \
    const agni_rule_shared *c = &held;               \
    held.a = &options

static void penalise_some(const agni_rule_chunk *q, int64_t from, int64_t count, double *restrict g)
{
    HOLD(q);
    for (int64_t i = 0; i < count; i++)
        g[i] = host_penalised(c, q->x[from + i], q->g[from + i]);
}
static double penalise_gradient(const agni_rule_chunk *q)
{
    penalise_some(q, 0, q->count, q->move);
    return 0;
}
static bool is_penalised(const agn_optim_options *a)
{
    return a->clip_value > 0 || a->clip_norm > 0 || a->clip_global_norm > 0 || a->l1 > 0 ||
           a->l2 > 0;
}

/* the steps of at most BLOCK elements to move, and the slots after them */
static inline void propose_block(const agni_rule_chunk *q, int64_t from, int64_t count, int slots,
                           int flags, double (*rule)(const agni_rule_shared *c, host_element *e),
                           double *restrict move)
{
    double changed[BLOCK];
    HOLD(q);
    const double *restrict x = q->x + from, *restrict g = q->g + from;
    double *restrict s0 = q->slot + from, *restrict s1 = s0 + (slots > 1 ? q->n : 0),
                     *restrict s2 = s0 + (slots > 2 ? 2 * q->n : 0);
    if (is_penalised(c->a)) {
        penalise_some(q, from, count, changed);
        g = changed;
    }
    for (int64_t i = 0; i < count; i++) {
        host_element e = {.x = x[i], .g = g[i]};
        if (slots > 0)
            e.slot[0] = s0[i];
        if (slots > 1)
            e.slot[1] = s1[i];
        if (slots > 2)
            e.slot[2] = s2[i];
        move[i] = rule(c, &e);
        if (slots > 0)
            s0[i] = e.slot[0];
        if (slots > 1)
            s1[i] = e.slot[1];
        if (slots > 2)
            s2[i] = e.slot[2];
    }
    for (int64_t i = 0; i < count && c->a->weight_decay != 0; i++)
        move[i] = host_decayed(c, x[i], move[i], flags);
}

/* x by at most BLOCK moves; size: the largest change at each place of a block so far */
static inline void apply_block(const agni_rule_chunk *q, int64_t from, int64_t count, int flags,
                         const double *restrict move, double *restrict size)
{
    HOLD(q);
    double *restrict x = q->x + from;
    for (int64_t i = 0; i < count; i++) {
        double change = host_change(c, move[i], flags), far = fabs(change);
        x[i] -= change;
        size[i] = LARGER(far, size[i]);
    }
}
/* with averages */
static void apply_averages(const agni_rule_chunk *q, int64_t from, int64_t count, int flags,
                           const double *move, double *size)
{
    HOLD(q);
    bool both = c->a->average_decay > 0 && c->a->lookahead_steps > 0;
    for (int64_t i = 0; i < count; i++) {
        double *slot = q->slot + q->slots * q->n + from + i, was = q->x[from + i];
        double kept[2] = {slot[0], both ? slot[q->n] : 0};
        double now = host_averages(c, was, was - host_change(c, move[i], flags), kept);
        slot[0] = kept[0];
        if (both)
            slot[q->n] = kept[1];
        size[i] = LARGER(fabs(now - was), size[i]);
        q->x[from + i] = now;
    }
}
static double find_largest(const double *size)
{
    double most = 0;
    for (int i = 0; i < BLOCK; i++)
        most = LARGER(size[i], most);
    return most;
}

#define RULE(KIND, name, SLOTS, FLAGS, shared, ...)                                               \
    static void prepare_##name(agni_rule_shared *c)                                               \
    {                                                                                             \
        host_##shared(c);                                                                         \
        if (c->a->lookahead_steps > 0)                                                            \
            host_lookahead(c);                                                                    \
    }                                                                                             \
    static inline void block_##name(const agni_rule_chunk *q, int64_t from, double *move)         \
    {                                                                                             \
        const int slots = (FLAGS) & AGNI_RULE_SOME_SLOTS ? q->slots : SLOTS;                      \
        propose_block(q, from, block_from(q, from), slots, FLAGS, host_##name, move);             \
    }                                                                                             \
    static inline void apply_##name(const agni_rule_chunk *q, int64_t from, const double *move,   \
                                    double *size)                                                 \
    {                                                                                             \
        if (q->c->a->average_decay > 0 || q->c->a->lookahead_steps > 0)                           \
            apply_averages(q, from, block_from(q, from), FLAGS, move, size);                      \
        else                                                                                      \
            apply_block(q, from, block_from(q, from), FLAGS, move, size);                         \
    }                                                                                             \
    static double propose_##name(const agni_rule_chunk *q)                                        \
    {                                                                                             \
        for (int64_t from = 0; from < q->count; from += BLOCK)                                    \
            block_##name(q, from, q->move + from);                                                \
        return 0;                                                                                 \
    }                                                                                             \
    static double move_##name(const agni_rule_chunk *q)                                           \
    {                                                                                             \
        double size[BLOCK] = {0};                                                                 \
        for (int64_t from = 0; from < q->count; from += BLOCK)                                    \
            apply_##name(q, from, q->move + from, size);                                          \
        return find_largest(size);                                                                \
    }                                                                                             \
    static double step_##name(const agni_rule_chunk *q)                                           \
    {                                                                                             \
        double move[BLOCK], size[BLOCK] = {0};                                                    \
        for (int64_t from = 0; from < q->count; from += BLOCK) {                                  \
            block_##name(q, from, move);                                                          \
            apply_##name(q, from, move, size);                                                    \
        }                                                                                         \
        return find_largest(size);                                                                \
    }
#include "optim/rules.def"
#undef RULE

agni_rule_table AGNI_LV(agni_rule_kernels) = {
#define RULE(KIND, name, ...) \
    [AGN_OPTIM_##KIND] = {prepare_##name, penalise_gradient, propose_##name, move_##name, \
                          step_##name},
#include "optim/rules.def"
#undef RULE
};

static void widen_numbers(double *restrict to, const float *restrict from, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = (double)from[i];
}
static void narrow_numbers(float *restrict to, const double *restrict from, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = (float)from[i];
}
const agni_width_kernels AGNI_LV(agni_width_kernels) = {widen_numbers, narrow_numbers};
