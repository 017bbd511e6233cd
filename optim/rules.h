/* optim/rules.h - what a first-order rule is: the columns of rules.def, the numbers that the
   elements of a parameter share, and the loops over these, compiled once per CPU level. */
#ifndef AGNI_OPTIM_RULES_H
#define AGNI_OPTIM_RULES_H

#include <agnesi/optim.h>

enum {
    AGNI_RULE_ABSOLUTE = 1,       /* the step is not in units of the rate */
    AGNI_RULE_OWN_DECAY = 2,      /* the formula has the decay */
    AGNI_RULE_WHOLE = 4,          /* every element moves, whatever its gradient */
    AGNI_RULE_TRUST_MOVE = 8,     /* a ratio of the norms of parameter and step scales it */
    AGNI_RULE_TRUST_GRADIENT = 16, /* a ratio of the norms of parameter and gradient is asked for */
    AGNI_RULE_SOME_SLOTS = 32,     /* options say how many of its slots there are */
    AGNI_RULE_TRUSTS = AGNI_RULE_TRUST_MOVE | AGNI_RULE_TRUST_GRADIENT,
    AGNI_RULE_SLOTS = 3
};

typedef struct agni_optim_rule {
    const char *name; /* NULL: the method is no rule */
    int slots, flags;
    double rate, beta1, beta2, eps, weight_decay, momentum; /* defaults */
} agni_optim_rule;

/* by kind */
extern const agni_optim_rule agni_optim_rules[AGN_OPTIM_KINDS];
/* vectors of memory: those of the rule, then an average, then the slow parameters */
int agni_optim_slots(int32_t kind, const agn_optim_options *a);
/* which these are, by a number above 0 */
int agni_optim_layout(int32_t kind, const agn_optim_options *a);

/* what the elements of a parameter share in one step */
typedef struct agni_rule_shared {
    const agn_optim_options *a;
    double count, rate, decay, clip, ratio, c1, c2, c3, first, sync;
} agni_rule_shared;

typedef struct agni_rule_chunk {
    const agni_rule_shared *c;
    int64_t n;    /* numbers in all parameters: from a slot to the next */
    double *x;    /* of the first of the elements */
    const double *g;
    double *slot;
    int slots;    /* of the rule; those of the averages follow */
    double *move; /* of rules with a ratio: the penalised gradient, or the step to scale */
    int64_t count;
} agni_rule_chunk;

/* loops over the elements of a chunk; each gives the largest change of x, or 0 */
typedef double agni_rule_loop(const agni_rule_chunk *q);
typedef struct agni_rule_kernels {
    void (*prepare)(agni_rule_shared *c);
    agni_rule_loop *penalise; /* the gradient to move */
    agni_rule_loop *propose;  /* slots, and the step to move */
    agni_rule_loop *apply;    /* x by move */
    agni_rule_loop *step;     /* slots and x */
} agni_rule_kernels;
typedef const agni_rule_kernels agni_rule_table[AGN_OPTIM_KINDS];
typedef struct agni_width_kernels {
    void (*widen)(double *to, const float *from, int64_t n);
    void (*narrow)(float *to, const double *from, int64_t n);
} agni_width_kernels;
extern const agni_width_kernels agni_width_kernels_base, agni_width_kernels_avx2,
    agni_width_kernels_avx512;
extern agni_rule_table agni_rule_kernels_base, agni_rule_kernels_avx2, agni_rule_kernels_avx512;

#endif
