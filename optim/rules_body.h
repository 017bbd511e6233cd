/* optim/rules_body.h - first-order rules, each written once: read with doubles for one element by
   cpu/rule_kernels.c, and with tensors for all elements by traced_step.c. The reader defines V, the
   type of a value, RULE_NAME(name), RULE_FIELDS, and the operations; CONSTANT(x) is a number in the
   dtype of the parameters, DECAYED(x) x times the decay, RATED(x) x times the rate.

   A rule reads the gradient and its slots, writes these, and gives the step down. */

typedef struct RULE_NAME(element) {
    V x, g, slot[AGNI_RULE_SLOTS + 2];
} RULE_NAME(element);

#define C const RULE_NAME(shared) * c
#define E RULE_NAME(element) * e
#define AVERAGE(m, beta, x) ADD(SCALE(m, beta), SCALE(x, 1 - (beta)))

/* ---- numbers that all elements share --------------------------------------------------------- */

/* c1, c2 = 1 - beta^count */
static void RULE_NAME(bias)(RULE_NAME(shared) * c)
{
    c->c1 = SUB(SHARED(1), POWER(c->a->beta1, c->count));
    c->c2 = SUB(SHARED(1), POWER(c->a->beta2, c->count));
}

/* Dozat 2016: mu_t = beta1 (1 - 0.96^(t psi) / 2); c1 = (1 - mu_t) / (1 - mu_1 ... mu_t) of the
   gradient, c3 = mu_(t + 1) / (1 - mu_1 ... mu_(t + 1)) of the mean. The product is beta1^t times the
   q-Pochhammer symbol (q/2; q)_t (DLMF 17.2.1), q = 0.96^psi: the series of the logarithms of its
   factors, summed over the factors first. */
static V RULE_NAME(nesterov_product)(const RULE_NAME(shared) * c, V t)
{
    enum { TERMS = 55 };
    double psi = log(0.96) * c->a->momentum_decay, weight[TERMS], rate[TERMS];
    for (int i = 0, k = 1; i < TERMS; i++, k++) {
        rate[i] = k * psi;
        weight[i] = exp(k * (psi - log(2))) / (-k * expm1(k * psi));
    }
    return MUL(POWER(c->a->beta1, t), EXP(SUM_OF_EXPM1(TERMS, weight, rate, t)));
}
static void RULE_NAME(nesterov_bias)(RULE_NAME(shared) * c)
{
    double psi = log(0.96) * c->a->momentum_decay, beta1 = c->a->beta1;
    V t = c->count, next = SHIFT(t, 1);
    V mu = SCALE(SHIFT(SCALE(EXP(SCALE(t, psi)), -0.5), 1), beta1);
    V mu_next = SCALE(SHIFT(SCALE(EXP(SCALE(next, psi)), -0.5), 1), beta1);
    c->c1 = DIV(SUB(SHARED(1), mu), SUB(SHARED(1), RULE_NAME(nesterov_product)(c, t)));
    c->c2 = SUB(SHARED(1), POWER(c->a->beta2, t));
    c->c3 = DIV(mu_next, SUB(SHARED(1), RULE_NAME(nesterov_product)(c, next)));
}

/* Liu et al. 2020, algorithm 2: c2 is the rectification times the root of 1 - beta2^t, or 0 where
   the variance of the adaptive rate is not finite */
static void RULE_NAME(rectified_bias)(RULE_NAME(shared) * c)
{
    double most = 2 / (1 - c->a->beta2) - 1;
    RULE_NAME(bias)(c);
    V power = SUB(SHARED(1), c->c2);
    V rho = SUB(SHARED(most), DIV(SCALE(MUL(c->count, power), 2), c->c2));
    V r = DIV(SCALE(MUL(SHIFT(rho, -4), SHIFT(rho, -2)), most / ((most - 4) * (most - 2))), rho);
    c->c2 = IF_POSITIVE(SHIFT(rho, -5), SQRT(MUL(r, c->c2)), SHARED(0));
}

/* Polyak & Juditsky 1992: c1 = rate / (1 + lambda rate (t - 1))^power, c2 = 1 - 1 / max(1, t - 1 -
   average_start) */
static void RULE_NAME(averaged)(RULE_NAME(shared) * c)
{
    V before = SHIFT(c->count, -1);
    V slower = SHIFT(MUL(DECAYED(c->rate), before), 1);
    c->c1 = DIV(c->rate, POWER_OF(slower, c->a->power));
    c->c2 = SUB(SHARED(1), DIV(SHARED(1), LARGER(SHARED(1), SHIFT(before, -c->a->average_start))));
}

static void RULE_NAME(none)(RULE_NAME(shared) * c)
{
    (void)c;
}

/* of LookAhead: first > 0 in the first step, sync > 0 in every lookahead_steps-th */
static void RULE_NAME(lookahead)(RULE_NAME(shared) * c)
{
    double every = c->a->lookahead_steps;
    V behind = SUB(c->count, SCALE(FLOOR(SHIFT(SCALE(c->count, 1 / every), 0.25 / every)), every));
    c->first = SUB(SHARED(1.5), c->count);
    c->sync = SUB(SHARED(0.5), behind);
}

/* ---- rules ----------------------------------------------------------------------------------- */

static V RULE_NAME(sgd)(C, E)
{
    (void)c;
    return e->g;
}

/* Polyak 1964; Nesterov's form as Sutskever et al. 2013 have it */
static V RULE_NAME(momentum)(C, E)
{
    e->slot[0] = ADD(SCALE(e->slot[0], c->a->momentum), e->g);
    return c->a->nesterov ? ADD(e->g, SCALE(e->slot[0], c->a->momentum)) : e->slot[0];
}

/* Kingma & Ba 2015, algorithm 1 */
static V RULE_NAME(adam)(C, E)
{
    e->slot[0] = AVERAGE(e->slot[0], c->a->beta1, e->g);
    e->slot[1] = AVERAGE(e->slot[1], c->a->beta2, SQUARE(e->g));
    return DIV(DIV(e->slot[0], c->c1), SHIFT(SQRT(DIV(e->slot[1], c->c2)), c->a->eps));
}

/* Kingma & Ba 2015, algorithm 2 */
static V RULE_NAME(adamax)(C, E)
{
    e->slot[0] = AVERAGE(e->slot[0], c->a->beta1, e->g);
    e->slot[1] = LARGER(SCALE(e->slot[1], c->a->beta2), SHIFT(ABS(e->g), c->a->eps));
    return DIV(DIV(e->slot[0], c->c1), e->slot[1]);
}

/* Duchi, Hazan & Singer 2011 */
static V RULE_NAME(adagrad)(C, E)
{
    e->slot[0] = ADD(e->slot[0], SQUARE(e->g));
    return DIV(e->g, SHIFT(SQRT(e->slot[0]), c->a->eps));
}

/* Zeiler 2012, algorithm 1 */
static V RULE_NAME(adadelta)(C, E)
{
    e->slot[0] = AVERAGE(e->slot[0], c->a->beta2, SQUARE(e->g));
    V ratio = DIV(SQRT(SHIFT(e->slot[1], c->a->eps)), SQRT(SHIFT(e->slot[0], c->a->eps)));
    V step = MUL(e->g, ratio);
    e->slot[1] = AVERAGE(e->slot[1], c->a->beta2, SQUARE(step));
    return step;
}

/* Tieleman & Hinton 2012, lecture 6.5; centred: Graves 2013, (38) to (41) */
static V RULE_NAME(rmsprop)(C, E)
{
    e->slot[0] = AVERAGE(e->slot[0], c->a->beta2, SQUARE(e->g));
    V square = e->slot[0];
    if (c->a->centred) {
        e->slot[2] = AVERAGE(e->slot[2], c->a->beta2, e->g);
        square = LARGER(SUB(square, SQUARE(e->slot[2])), CONSTANT(0));
    }
    V step = DIV(e->g, SHIFT(SQRT(square), c->a->eps));
    if (c->a->momentum == 0)
        return step;
    e->slot[1] = ADD(SCALE(e->slot[1], c->a->momentum), step);
    return e->slot[1];
}

/* Riedmiller & Braun 1993; where the sign changes, without a step back (Igel & Huesken 2003,
   iRprop-). Slots: last gradient, size of the step or 0 before the first. */
static V RULE_NAME(rprop)(C, E)
{
    V turn = MUL(SIGN(e->g), SIGN(e->slot[0]));
    V size = IF_POSITIVE(e->slot[1], e->slot[1], c->rate);
    V smaller = IF_POSITIVE(NEG(turn), SCALE(size, c->a->shrink), size);
    size = IF_POSITIVE(turn, SCALE(size, c->a->grow), smaller);
    size = SMALLER(LARGER(size, CONSTANT(c->a->least_step)), CONSTANT(c->a->most_step));
    e->slot[1] = size;
    e->slot[0] = IF_POSITIVE(NEG(turn), CONSTANT(0), e->g);
    return MUL(SIGN(e->slot[0]), size);
}

static V RULE_NAME(nadam)(C, E)
{
    e->slot[0] = AVERAGE(e->slot[0], c->a->beta1, e->g);
    e->slot[1] = AVERAGE(e->slot[1], c->a->beta2, SQUARE(e->g));
    V ahead = ADD(MUL(e->g, c->c1), MUL(e->slot[0], c->c3));
    return DIV(ahead, SHIFT(SQRT(DIV(e->slot[1], c->c2)), c->a->eps));
}

static V RULE_NAME(radam)(C, E)
{
    e->slot[0] = AVERAGE(e->slot[0], c->a->beta1, e->g);
    e->slot[1] = AVERAGE(e->slot[1], c->a->beta2, SQUARE(e->g));
    V mean = DIV(e->slot[0], c->c1), size = SHIFT(SQRT(e->slot[1]), c->a->eps);
    return IF_POSITIVE(c->c2, DIV(MUL(mean, c->c2), size), mean);
}

/* Reddi, Kale & Kumar 2018, with Adam's corrections */
static V RULE_NAME(amsgrad)(C, E)
{
    e->slot[0] = AVERAGE(e->slot[0], c->a->beta1, e->g);
    e->slot[1] = AVERAGE(e->slot[1], c->a->beta2, SQUARE(e->g));
    e->slot[2] = LARGER(e->slot[2], e->slot[1]);
    return DIV(DIV(e->slot[0], c->c1), SHIFT(SQRT(DIV(e->slot[2], c->c2)), c->a->eps));
}

/* Zhuang et al. 2020, algorithm 2 */
static V RULE_NAME(adabelief)(C, E)
{
    e->slot[0] = AVERAGE(e->slot[0], c->a->beta1, e->g);
    V off = SQUARE(SUB(e->g, e->slot[0]));
    e->slot[1] = SHIFT(AVERAGE(e->slot[1], c->a->beta2, off), c->a->eps);
    return DIV(DIV(e->slot[0], c->c1), SHIFT(SQRT(DIV(e->slot[1], c->c2)), c->a->eps));
}

/* Chen et al. 2023, algorithm 2 */
static V RULE_NAME(lion)(C, E)
{
    V step = SIGN(AVERAGE(e->slot[0], c->a->beta1, e->g));
    e->slot[0] = AVERAGE(e->slot[0], c->a->beta2, e->g);
    return step;
}

/* slot: the average of the parameters after each step */
static V RULE_NAME(asgd)(C, E)
{
    V step = MUL(c->c1, ADD(e->g, DECAYED(e->x))), next = SUB(e->x, step);
    e->slot[0] = SUB(next, MUL(c->c2, SUB(next, e->slot[0])));
    return step;
}

/* You et al. 2020, algorithm 2 */
static V RULE_NAME(lamb)(C, E)
{
    return RULE_NAME(adam)(c, e);
}

/* You, Gitman & Ginsburg 2017, algorithm 1 */
static V RULE_NAME(lars)(C, E)
{
    V step = MUL(MUL(c->rate, c->ratio), ADD(e->g, DECAYED(e->x)));
    e->slot[0] = ADD(SCALE(e->slot[0], c->a->momentum), step);
    return e->slot[0];
}

/* ---- around a rule --------------------------------------------------------------------------- */

/* the gradient clipped, then with the gradients of the penalties l2 |x|^2 / 2 and l1 |x| */
static V RULE_NAME(penalised)(C, V x, V g)
{
    const agn_optim_options *a = c->a;
    if (a->clip_value > 0)
        g = SMALLER(LARGER(g, CONSTANT(-a->clip_value)), CONSTANT(a->clip_value));
    if (a->clip_norm > 0 || a->clip_global_norm > 0)
        g = MUL(g, c->clip);
    if (a->l2 > 0)
        g = ADD(g, SCALE(x, a->l2));
    if (a->l1 > 0)
        g = ADD(g, SCALE(SIGN(x), a->l1));
    return g;
}

/* decay apart from the gradient (Loshchilov & Hutter 2019, algorithm 2) */
static V RULE_NAME(decayed)(C, V x, V move, int flags)
{
    if (flags & AGNI_RULE_OWN_DECAY || c->a->weight_decay == 0)
        return move;
    return ADD(move, flags & AGNI_RULE_ABSOLUTE ? RATED(DECAYED(x)) : DECAYED(x));
}

/* the change of x, downwards */
static V RULE_NAME(change)(C, V move, int flags)
{
    if (flags & AGNI_RULE_TRUST_MOVE)
        move = MUL(c->ratio, move);
    return flags & AGNI_RULE_ABSOLUTE ? move : RATED(move);
}

/* The parameter after the step, and the slots of its averages: an exponential one, whose
   weights sum to 1 - decay^count; slow parameters (Zhang et al. 2019, algorithm 1). */
static V RULE_NAME(averages)(C, V x, V next, V *slot)
{
    const agn_optim_options *a = c->a;
    V *slow = slot + (a->average_decay > 0);
    if (a->lookahead_steps > 0) {
        V from = IF_POSITIVE(c->first, x, *slow);
        V mixed = ADD(from, SCALE(SUB(next, from), a->lookahead_rate));
        *slow = IF_POSITIVE(c->sync, mixed, from);
        next = IF_POSITIVE(c->sync, mixed, next);
    }
    if (a->average_decay > 0)
        slot[0] = AVERAGE(slot[0], a->average_decay, next);
    return next;
}

#undef C
#undef E
#undef AVERAGE
