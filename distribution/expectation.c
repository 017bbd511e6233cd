/* distribution/expectation.c - expectations by the density where there is no formula: double
   exponential quadrature (Takahasi & Mori 1974); sums over whole numbers by Gauss's formula in
   central differences (Hildebrand 1974, 5.9). */
#include "distribution/expression.h"

/* A sum over a last axis of numbers x: weight times density times what is asked for. coarse: the
   weights of a rule with half as many nodes; ends: 1 at the nodes beyond which there are no more,
   else 0. */
typedef struct rule {
    T x, weight, coarse, ends, middle;
} rule;

/* The integral's nodes lie at t = middle + width sinh(u), |u| <= REACH; of counts, HEAD whole
   numbers next to an end of the support are summed one by one. */
enum { NODES = 641, HEAD = 256 };
static const double reach = 7;

static T number_of(agn_scope *s, const agn_distribution *d, T where, double yes)
{
    return SEL(where, make_number(s, d, yes), LIT(0));
}

/* quartile i, 1 to 3, no part of derivatives */
static void find_quartiles(agn_scope *s, const agn_distribution *d, T *q)
{
    int64_t shape[AGN_MAX_RANK + 1] = {3};
    for (int i = 0; i < d->batch.ndim; i++)
        shape[1 + i] = 1;
    T p = FN(reshape, TIMES(PLUS(count_up(s, d, 3), 1), 0.25), 1 + d->batch.ndim, shape);
    T all = FN(stop_gradient, FN(distribution_icdf, d, p));
    for (int i = 0; i < 3; i++)
        q[i] = FN(index_axis, all, 0, i);
}

/* From the ends of the integral and quartiles to nodes: x = origin + scale sinh t without an end,
   from + e^t with one, from + (to - from) / (1 + e^-t) with two. Of counts a quartile among those
   that are summed one by one is moved to their last, and what is left there has a width of 1. */
static rule integral_rule(agn_scope *s, const agn_distribution *d, T from, T to, bool counts)
{
    T q[3], t[3], least = LIT(counts ? HEAD : 0), narrow = NULL;
    find_quartiles(s, d, q);
    T u = TIMES(PLUS(count_up(s, d, NODES), -(NODES - 1) / 2), 2 * reach / (NODES - 1));
    T step = TIMES(FN(cosh, u), 2 * reach / (NODES - 1)), x, slope;
    rule r = {.middle = q[1]};
    if (!from) {
        T below = SUB(q[1], q[0]), above = SUB(q[2], q[1]), left = LT(TIMES(below, 2), above);
        /* the steeper side is the finer one */
        T skew = FN(logical_or, left, LT(TIMES(above, 2), below));
        T origin = OVER(SEL(skew, SEL(left, q[0], q[2]), q[1])), at = FN(sinh, u);
        T scale = OVER(MUL(FN(minimum, below, above), SEL(skew, LIT(0.125), LIT(1))));
        x = ADD(origin, MUL(scale, FN(sinh, at)));
        slope = MUL(MUL(scale, FN(cosh, at)), step);
    } else {
        for (int i = 0; i < 3; i++) {
            T y = FN(maximum, SUB(q[i], from), least);
            if (to) {
                T share = FN(minimum, DIV(least, SUB(to, from)), LIT(0.25));
                y = DIV(SUB(q[i], from), SUB(to, from));
                y = FN(minimum, FN(maximum, y, share), SUB(LIT(1), share));
            }
            t[i] = to ? FN(logit, y) : FN(log, y);
        }
        T middle = t[1], width = TIMES(SUB(t[2], t[0]), 0.5);
        if (counts) {
            narrow = GT(SUB(q[0], from), LIT(2.0 * HEAD));
            if (to)
                narrow = FN(logical_and, narrow, GT(SUB(to, q[2]), LIT(2.0 * HEAD)));
            width = SEL(narrow, width, FN(maximum, width, LIT(1)));
        }
        T at = ADD(OVER(middle), MUL(OVER(width), FN(sinh, u)));
        T size = to ? SUB(OVER(to), OVER(from)) : LIT(1), y = to ? FN(sigmoid, at) : FN(exp, at);
        x = ADD(OVER(from), MUL(size, y));
        slope = MUL(MUL(MUL(size, to ? MUL(y, FN(sigmoid, NEG(at))) : y), OVER(width)), step);
    }
    /* nodes beyond all numbers have no weight; the last ones before them are the ends */
    T most = LIT(d->batch.dtype == AGN_F32 ? 0x1p120 : 0x1p1000); /* twice that, too, is a number */
    T live = FN(logical_and, GT(slope, LIT(0)), LT(slope, most));
    live = FN(logical_and, live, FN(isfinite, x));
    T number = count_up(s, d, NODES), even = TIMES(FN(floor, TIMES(number, 0.5)), 2);
    T first = FN(amin, SEL(live, number, LIT(NODES)), (const int32_t[]){-1}, 1, true);
    T last = FN(amax, SEL(live, number, LIT(-1)), (const int32_t[]){-1}, 1, true);
    T at_end = FN(logical_or, FN(eq, number, first), FN(eq, number, last));
    r.x = FN(stop_gradient, x);
    r.weight = FN(stop_gradient, SEL(live, slope, LIT(0)));
    r.coarse = MUL(r.weight, number_of(s, d, FN(eq, number, even), 2));
    r.ends = FN(stop_gradient, number_of(s, d, at_end, 1));
    return r;
}

/* The sum over whole numbers from `from` on (side 1), or down from there (side -1), less the
   integral from half a number before: the first HEAD of them, and differences over the place
   where the integral begins. */
static rule head_rule(agn_scope *s, const agn_distribution *d, T from, double side)
{
    /* of 1 / (2 sinh(e / 2)) - 1 / e in odd powers of 2 sinh(e / 2), times binomial numbers */
    static const double c[] = {1.0 / 24, -17.0 / 5760, 367.0 / 967680, -27859.0 / 464486400};
    static const double binomial[4][4] = {{1}, {-3, 1}, {10, -5, 1}, {-35, 21, -7, 1}};
    double beside[8] = {0};
    for (int j = 0; j < 4; j++)
        for (int i = 0; i <= j; i++) {
            beside[4 + i] += c[j] * binomial[j][i];
            beside[3 - i] -= c[j] * binomial[j][i];
        }
    T k = count_up(s, d, HEAD + 4), weight = number_of(s, d, LT(k, LIT(HEAD)), 1);
    for (int i = 0; i < 8; i++)
        weight = ADD(weight, number_of(s, d, FN(eq, k, LIT(HEAD - 4 + i)), beside[i]));
    T x = ADD(OVER(from), TIMES(k, side));
    return (rule){x, weight, weight, number_of(s, d, LT(k, LIT(0)), 1), from};
}

static rule join_rules(agn_scope *s, const agn_distribution *d, const rule *r, int n)
{
    rule all = {.middle = r[0].middle};
    T parts[4][3], *to[] = {&all.x, &all.weight, &all.coarse, &all.ends};
    T like = FN(zeros, d->batch.dtype, d->batch.ndim, d->batch.shape);
    for (int i = 0; i < n; i++) {
        T of[] = {r[i].x, r[i].weight, r[i].coarse, r[i].ends};
        for (int k = 0; k < 4; k++)
            parts[k][i] = ADD(of[k], OVER(like));
    }
    for (int k = 0; k < 4; k++)
        *to[k] = FN(concat, parts[k], n, -1);
    return all;
}
static rule counts_rule(agn_scope *s, const agn_distribution *d, T low, T high)
{
    const double gap = HEAD - 0.5;
    rule r[3] = {head_rule(s, d, low, 1)};
    if (!high) {
        r[1] = integral_rule(s, d, PLUS(low, gap), NULL, true);
        return join_rules(s, d, r, 2);
    }
    /* without room for an integral the low end's numbers are summed, and the others by the high
       end's */
    T n = SUB(high, low), room = GE(n, LIT(2 * HEAD + 4));
    T far = SEL(room, high, PLUS(low, 4 * HEAD));
    r[1] = integral_rule(s, d, PLUS(low, gap), PLUS(far, -gap), true);
    r[2] = head_rule(s, d, high, -1);
    T j = count_up(s, d, HEAD + 4), left = FN(logical_and, LE(j, OVER(n)), LT(j, LIT(HEAD)));
    T own[] = {number_of(s, d, left, 1), LIT(0), number_of(s, d, LE(j, OVER(PLUS(n, -HEAD))), 1)};
    for (int i = 0; i < 3; i++) {
        r[i].weight = SEL(OVER(room), r[i].weight, own[i]);
        r[i].coarse = SEL(OVER(room), r[i].coarse, own[i]);
        r[i].x = SEL(FN(eq, r[i].weight, LIT(0)), OVER(low), r[i].x);
    }
    return join_rules(s, d, r, 3);
}

/* ---- expectations -------------------------------------------------------------------------- */

typedef enum moment { SURPRISE, FIRST_MOMENT, SQUARE } moment;

static T total(agn_scope *s, T x) { return FN(sum, x, (const int32_t[]){-1}, 1, false); }

/* of -log p(x), x or (x - centre)^2; NaN where the probabilities do not add up to 1, half of the
   nodes do not give half of the digits, or the last nodes add to the sum */
static T expectation(agn_scope *s, const agn_distribution *d, moment kind, T centre)
{
    bool counts = agni_support_is_discrete(d->law->support), single = d->batch.dtype == AGN_F32;
    bool real = d->law->support == AGN_SUPPORT_REAL;
    bool two = d->law->support == AGN_SUPPORT_UNIT || d->law->support == AGN_SUPPORT_COUNTS_TO;
    T low = real ? NULL : agni_support_end(s, d, false);
    T high = two ? FN(stop_gradient, agni_support_end(s, d, true)) : NULL;
    rule r = counts ? counts_rule(s, d, low, high) : integral_rule(s, d, low, high, false);
    T params[AGNI_PATH_PARAMS], still[AGNI_PATH_PARAMS];
    for (int i = 0; i < d->law->n; i++) {
        params[i] = OVER(d->param[i]);
        still[i] = FN(stop_gradient, params[i]);
    }
    const agn_distribution *e = agni_distribution_with(s, d, params),
                           *fixed = agni_distribution_with(s, d, still);
    if (!e || !fixed)
        return NULL;
    T first = d->law->log_prob(s, fixed, r.x), seen = GT(first, LIT(single ? -80 : -600));
    seen = FN(logical_and, FN(logical_and, seen, FN(isfinite, first)), FN(ne, r.weight, LIT(0)));
    T x = SEL(seen, r.x, OVER(r.middle)), log_p = d->law->log_prob(s, e, x);
    T p = SEL(seen, FN(exp, SEL(seen, log_p, LIT(0))), LIT(0)), f = x;
    if (kind == SURPRISE)
        f = NEG(SEL(seen, log_p, LIT(0)));
    else if (kind == SQUARE)
        f = FN(square, SUB(x, OVER(centre)));
    T mass = total(s, MUL(r.weight, p)), sum = total(s, MUL(MUL(r.weight, p), f));
    T rough = total(s, MUL(MUL(r.coarse, p), f));
    T size = total(s, MUL(FN(abs, MUL(r.weight, p)), FN(abs, f)));
    T last = total(s, MUL(MUL(r.ends, MUL(r.weight, p)), PLUS(FN(abs, f), 1)));
    const double slack = single ? 3e-5 : 2e-11, half = single ? 5e-3 : 3e-6,
                 nothing = single ? 1e-6 : 2e-11;
    T good = LE(FN(abs, PLUS(mass, -1)), LIT(slack));
    good = FN(logical_and, good, LE(FN(abs, SUB(sum, rough)), TIMES(PLUS(size, 1e-3), half)));
    good = FN(logical_and, good, LE(last, TIMES(PLUS(size, 1e-3), nothing)));
    return MUL(sum, SEL(FN(stop_gradient, good), FN(ones_like, sum), LIT((double)NAN)));
}
T agni_density_entropy(agn_scope *s, const agn_distribution *d)
{
    return expectation(s, d, SURPRISE, NULL);
}
T agni_density_mean(agn_scope *s, const agn_distribution *d)
{
    return expectation(s, d, FIRST_MOMENT, NULL);
}
T agni_density_variance(agn_scope *s, const agn_distribution *d)
{
    return expectation(s, d, SQUARE, d->law->mean(s, d));
}
