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

enum { BLOCK = 256, WIDE = 8 };

static int64_t block_from(const agni_rule_chunk *q, int64_t from)
{
    return q->count - from < BLOCK ? q->count - from : BLOCK;
}

static double penalise(const agni_rule_chunk *q)
{
    const agni_rule_shared *c = q->c;
    for (int64_t i = 0; i < q->count; i++)
        q->move[i] = host_penalised(c, q->x[i], q->g[i]);
    return 0;
}

/* the steps of count elements to move, and the slots after them */
static inline void propose(const agni_rule_chunk *q, int64_t from, int64_t count, int slots, int flags,
                           double (*rule)(const agni_rule_shared *c, host_element *e),
                           double *restrict move)
{
    const agni_rule_shared *c = q->c;
    const double *restrict x = q->x + from, *restrict g = q->g + from;
    double *restrict s0 = q->slot + from, *restrict s1 = s0 + (slots > 1 ? q->n : 0),
                     *restrict s2 = s0 + (slots > 2 ? 2 * q->n : 0);
    for (int64_t i = 0; i < count; i++) {
        host_element e = {.x = x[i], .g = host_penalised(c, x[i], g[i])};
        if (slots > 0)
            e.slot[0] = s0[i];
        if (slots > 1)
            e.slot[1] = s1[i];
        if (slots > 2)
            e.slot[2] = s2[i];
        double step = rule(c, &e);
        if (slots > 0)
            s0[i] = e.slot[0];
        if (slots > 1)
            s1[i] = e.slot[1];
        if (slots > 2)
            s2[i] = e.slot[2];
        move[i] = host_decayed(c, x[i], step, flags);
    }
}

/* x by at most BLOCK moves, its averages; the largest change */
static inline double apply(const agni_rule_chunk *q, int64_t from, int64_t count, int flags,
                           const double *restrict move)
{
    const agni_rule_shared *c = q->c;
    double *restrict x = q->x + from, size[BLOCK], lane[WIDE] = {0}, most = 0;
    int extra = (c->a->average_decay > 0) + (c->a->lookahead_steps > 0);
    for (int64_t i = 0; i < count && !extra; i++) {
        double change = host_change(c, move[i], flags);
        x[i] -= change;
        size[i] = fabs(change);
    }
    for (int64_t i = 0; i < count && extra; i++) {
        double *slot = q->slot + q->slots * q->n + from + i, held[2] = {slot[0], 0}, was = x[i];
        held[1] = extra > 1 ? slot[q->n] : 0;
        x[i] = host_averages(c, was, was - host_change(c, move[i], flags), held);
        slot[0] = held[0];
        if (extra > 1)
            slot[q->n] = held[1];
        size[i] = fabs(x[i] - was);
    }
    int64_t i = 0;
    for (; i + WIDE <= count; i += WIDE)
        for (int k = 0; k < WIDE; k++)
            lane[k] = size[i + k] > lane[k] ? size[i + k] : lane[k];
    for (; i < count; i++)
        most = size[i] > most ? size[i] : most;
    for (int k = 0; k < WIDE; k++)
        most = lane[k] > most ? lane[k] : most;
    return most;
}

#define ABSOLUTE AGNI_RULE_ABSOLUTE
#define OWN_DECAY AGNI_RULE_OWN_DECAY
#define WHOLE AGNI_RULE_WHOLE
#define TRUST_MOVE AGNI_RULE_TRUST_MOVE
#define TRUST_GRADIENT AGNI_RULE_TRUST_GRADIENT
#define SOME_SLOTS AGNI_RULE_SOME_SLOTS
#define RULE(KIND, name, SLOTS, FLAGS, shared, ...)                                               \
    static void prepare_##name(agni_rule_shared *c)                                               \
    {                                                                                             \
        host_##shared(c);                                                                         \
        if (c->a->lookahead_steps > 0)                                                            \
            host_lookahead(c);                                                                    \
    }                                                                                             \
    static double propose_##name(const agni_rule_chunk *q)                                        \
    {                                                                                             \
        propose(q, 0, q->count, (FLAGS) & SOME_SLOTS ? q->slots : SLOTS, FLAGS, host_##name,      \
                q->move);                                                                         \
        return 0;                                                                                 \
    }                                                                                             \
    static double apply_##name(const agni_rule_chunk *q)                                          \
    {                                                                                             \
        double most = 0;                                                                          \
        for (int64_t from = 0; from < q->count; from += BLOCK) {                                  \
            double here = apply(q, from, block_from(q, from), FLAGS, q->move + from);             \
            most = here > most ? here : most;                                                     \
        }                                                                                         \
        return most;                                                                              \
    }                                                                                             \
    static double step_##name(const agni_rule_chunk *q)                                           \
    {                                                                                             \
        double move[BLOCK], most = 0;                                                             \
        for (int64_t from = 0; from < q->count; from += BLOCK) {                                  \
            int64_t count = block_from(q, from);                                                  \
            propose(q, from, count, (FLAGS) & SOME_SLOTS ? q->slots : SLOTS, FLAGS, host_##name,  \
                    move);                                                                        \
            double here = apply(q, from, count, FLAGS, move);                                     \
            most = here > most ? here : most;                                                     \
        }                                                                                         \
        return most;                                                                              \
    }
#include "optim/rules.def"
#undef RULE

agni_rule_table AGNI_LV(agni_rule_kernels) = {
#define RULE(KIND, name, ...) \
    [AGN_OPTIM_##KIND] = {prepare_##name, penalise, propose_##name, apply_##name, step_##name},
#include "optim/rules.def"
#undef RULE
};
