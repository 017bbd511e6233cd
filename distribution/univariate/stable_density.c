/* distribution/univariate/stable_density.c - densities and probabilities of stable laws by the
   integrals of Zolotarev and Nolan (Nolan, Commun. Statist. Stochastic Models 13, 1997).

   For z > 0, alpha not 1, with b = beta and theta from -theta_0 to pi/2, L long,

     f = alpha / (pi |alpha - 1| z) int g exp(-g),  1 - F = int e(g) / pi,  log g monotone in theta,

   e(g) = exp(-g) above alpha = 1 and 1 - exp(-g) below; z < 0 by reflection. At alpha = 1 the
   like with g of its own for b > 0. With theta = -theta_0 + L / (1 + e^-s) the integrand is
   analytic on the line and falls exponentially to both sides, where the trapezoidal rule converges
   exponentially; the interval in s is sought first, and is no part of the derivatives. Where half
   and a quarter of the nodes do not agree as they should, the answer is NaN: next to alpha = 1
   logarithms lose what 1 / |alpha - 1| asks for. About z = 0 the power series. */
#include "distribution/univariate/stable.h"

enum { ALPHA, BETA, LOC, SCALE, FINE = 32, NODES = 384, POWERS = 7 };
static const double reach = 300, fall = 37; /* of s; of logarithms of the integrand */

typedef enum stable_kind { DENSITY, BEYOND, BELOW } stable_kind;

typedef struct stable_terms {
    T z, log_z, a, b, length, gap, unit; /* gap: pi / 2 - theta_0 below 1; pi - a L above */
    T one, below_one, flip, steep;
    int ndim;
} stable_terms;

/* |tan(pi a / 2)|, 0 < a <= 2, without what pi lacks */
static T half_turn_tangent(agn_scope *s, T a)
{
    T from_one = FN(abs, PLUS(a, -1)), near = LT(from_one, LIT(0.5));
    T from_end = SUB(LIT(1), from_one), angle = TIMES(SEL(near, from_one, from_end), PI / 2);
    T t = FN(tan, angle);
    return SEL(near, FN(reciprocal, SEL(near, t, LIT(1))), t);
}
static stable_terms stable_terms_of(agn_scope *s, const agn_distribution *d, T x)
{
    stable_terms q;
    T a = d->param[ALPHA], b = d->param[BETA], scale = d->param[SCALE];
    q.one = FN(eq, a, LIT(1));
    q.below_one = LT(a, LIT(1));
    T move = SEL(q.one, TIMES(MUL(MUL(b, scale), FN(log, scale)), 2 / PI), LIT(0));
    T z = DIV(SUB(SUB(x, d->param[LOC]), move), scale), skew = SEL(q.one, b, z);
    q.flip = LT(skew, LIT(0));
    z = SEL(q.flip, NEG(z), z);
    b = SEL(q.flip, NEG(b), b);
    q.a = SEL(q.one, LIT(1.5), a);
    T t = half_turn_tangent(s, q.a), bt2 = MUL(b, MUL(t, t));
    T down = FN(atan2, MUL(t, SUB(LIT(1), b)), PLUS(bt2, 1));
    T up = FN(atan2, MUL(t, PLUS(b, 1)), SUB(LIT(1), bt2));
    q.gap = SEL(q.below_one, DIV(down, q.a), up);
    q.length = DIV(SEL(q.below_one, up, SUB(LIT(PI), up)), q.a);
    q.length = SEL(q.one, LIT(PI), q.length);
    q.gap = SEL(q.one, LIT(0), q.gap);
    q.unit = NEG(FN(log, FN(hypot, make_number(s, d, 1), MUL(b, t))));
    q.steep = FN(reciprocal, PLUS(q.a, -1));
    q.b = SEL(FN(logical_and, q.one, GT(b, LIT(0))), b, LIT(1));
    q.z = z;
    q.log_z = FN(log, SEL(FN(logical_or, q.one, LE(z, LIT(0))), LIT(1), z));
    q.ndim = x && x->ndim > d->batch.ndim ? x->ndim : d->batch.ndim; /* no x: s has failed */
    return q;
}

/* log g at s, and its derivative in theta */
typedef struct stable_point {
    T l, slope, p, r;
} stable_point;
static stable_point point_of(agn_scope *s, const stable_terms *q, T at)
{
    stable_point u;
    u.p = MUL(q->length, FN(sigmoid, at));
    u.r = MUL(q->length, FN(sigmoid, NEG(at)));
    T left = LT(at, LIT(0)), a = q->a, rising = FN(logical_or, q->below_one, q->one);
    T mirror = FN(logical_and, left, rising), angle = SEL(mirror, ADD(q->gap, u.p), u.r);
    T sine = FN(sin, angle), cosine = FN(cos, angle);
    T cot = DIV(SEL(mirror, NEG(cosine), cosine), sine); /* the tangent of theta */
    T whole = FN(logical_or, left, q->below_one);
    T turn = SEL(whole, MUL(a, u.p), ADD(q->gap, MUL(a, u.r)));
    T cot_turn = DIV(FN(cos, turn), FN(sin, turn)), less = SUB(LIT(1), a);
    T rest = ADD(q->gap, SEL(q->below_one, MUL(less, u.p), NEG(MUL(less, u.r))));
    T lc = FN(log, sine), power = MUL(a, SUB(ADD(q->log_z, lc), FN(log, FN(sin, turn))));
    T plain = SUB(ADD(MUL(q->steep, ADD(power, q->unit)), FN(log, FN(sin, rest))), lc);
    T fade = ADD(cot, MUL(a, SEL(whole, cot_turn, NEG(cot_turn))));
    T slope = ADD(MUL(less, DIV(FN(cos, rest), FN(sin, rest))), cot);
    slope = SUB(slope, MUL(MUL(q->steep, a), fade));
    T half = ADD(TIMES(SUB(LIT(1), q->b), PI / 2), MUL(q->b, u.p));
    T body = DIV(SUB(MUL(half, cot), TIMES(q->z, PI / 2)), q->b);
    T at_one = SUB(PLUS(ADD(body, FN(log, half)), LOG_2 - LOG_PI), lc);
    T slope_at_one = ADD(TIMES(cot, 2), DIV(q->b, half));
    slope_at_one = ADD(slope_at_one, DIV(DIV(half, FN(square, sine)), q->b));
    u.l = SEL(q->one, at_one, plain);
    u.slope = SEL(q->one, slope_at_one, slope);
    return u;
}
static T falls_in_theta(agn_scope *s, const stable_terms *q)
{
    return FN(logical_and, GT(q->a, LIT(1)), FN(logical_not, q->one));
}
static T bounded_exp(agn_scope *s, T l) { return FN(exp, FN(minimum_c, l, 650)); }

/* Log of the integrand at s: of densities g exp(-g) dtheta; of shares, by parts, g exp(-g) dlog g
   times the distance of theta from the end of the share. */
static T log_integrand(agn_scope *s, const stable_terms *q, T at, stable_kind kind)
{
    stable_point u = point_of(s, q, at);
    T right = FN(softplus, at), left = FN(softplus, NEG(at));
    T width = NEG(ADD(left, right)), y = ADD(SUB(u.l, bounded_exp(s, u.l)), width);
    if (kind == DENSITY)
        return y;
    T slope = FN(abs, u.slope), none = FN(eq, slope, LIT(0));
    T log_slope = FN(log, SEL(none, LIT(1), slope));
    T by = SUB(log_slope, kind == BEYOND ? right : left);
    return SEL(none, LIT(-(double)INFINITY), ADD(ADD(y, by), FN(log, q->length)));
}
/* log of what stands at the end where g is least: length (1 - exp(-g)), of one of the shares */
static T log_end(agn_scope *s, const stable_terms *q, stable_kind kind)
{
    T falls = falls_in_theta(s, q);
    T l = point_of(s, q, SEL(falls, LIT(reach), LIT(-reach))).l, tiny = LT(l, LIT(-40));
    T share = FN(log, NEG(FN(expm1, NEG(SEL(tiny, LIT(1), bounded_exp(s, l))))));
    T mine = kind == BELOW ? falls : FN(logical_not, falls);
    return SEL(mine, SEL(tiny, l, share), LIT(-(double)INFINITY));
}

/* 0, 1, ... n - 1 on an axis before those of z */
static T count_nodes(agn_scope *s, const agn_distribution *d, const stable_terms *q, int64_t n)
{
    int64_t shape[AGN_MAX_RANK + 1];
    shape[0] = n;
    for (int i = 0; i < q->ndim; i++)
        shape[i + 1] = 1;
    T k = FN(arange, d->batch.dtype, 0, (double)n, 1);
    return FN(reshape, k, q->ndim + 1, shape);
}
static T sum_nodes(agn_scope *s, T x) { return FN(sum, x, (const int32_t[]){0}, 1, false); }
static T log_sum_nodes(agn_scope *s, T x)
{
    return FN(logsumexp, x, (const int32_t[]){0}, 1, false);
}

/* the last s of [from, from + width] up to which a condition holds that does not return */
typedef T stable_condition(agn_scope *s, const stable_terms *q, T at, stable_kind kind, T level);
static T find_last(agn_scope *s, const agn_distribution *d, const stable_terms *q, T from, T width,
                   int rounds, stable_condition *holds, stable_kind kind, T level)
{
    for (int i = 0; i < rounds; i++) {
        agn_scope *outer = s;
        agn_tensor *steps = NULL;
        width = TIMES(width, 1.0 / FINE);
        s = agn_scope_open(NULL);
        T k = PLUS(count_nodes(s, d, q, FINE), 1);
        T in = holds(s, q, ADD(from, MUL(k, width)), kind, level);
        agn_scope_return(s, &steps, sum_nodes(s, FN(cast, in, d->batch.dtype)));
        T taken = agn_scope_adopt(outer, agn_scope_close(s), &steps);
        s = outer;
        from = ADD(from, MUL(width, taken));
    }
    return from;
}
static T is_before_unit(agn_scope *s, const stable_terms *q, T at, stable_kind kind, T level)
{
    (void)kind;
    (void)level;
    T l = point_of(s, q, at).l;
    return LT(SEL(falls_in_theta(s, q), NEG(l), l), LIT(0));
}
static T is_above_level(agn_scope *s, const stable_terms *q, T at, stable_kind kind, T level)
{
    return GE(log_integrand(s, q, at, kind), level);
}

/* nodes middle + narrow sinh(from + k step): close about the peak, wide in the tails */
typedef struct stable_nodes {
    T middle, narrow, from, step;
} stable_nodes;
/* log of the sum over every fourth node, in memory of its own */
static T log_sum_of_residue(agn_scope *outer, const agn_distribution *d, const stable_terms *q,
                            const stable_nodes *n, int residue, stable_kind kind)
{
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *y = NULL;
    T k = PLUS(TIMES(count_nodes(s, d, q, NODES / 4 + (residue == 0)), 4), residue);
    T v = ADD(n->from, MUL(k, n->step));
    T e = log_integrand(s, q, ADD(n->middle, MUL(n->narrow, FN(sinh, v))), kind);
    agn_scope_return(s, &y, log_sum_nodes(s, ADD(e, FN(log, FN(cosh, v)))));
    return agn_scope_adopt(outer, agn_scope_close(s), &y);
}

/* log of the integral over theta, NaN where it is in doubt */
static T log_integral(agn_scope *s, const agn_distribution *d, const stable_terms *live,
                      stable_kind kind)
{
    stable_terms still = *live;
    T *each[] = {&still.z, &still.log_z, &still.a,    &still.b,
                 &still.length, &still.gap, &still.unit, &still.steep};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        *each[i] = FN(stop_gradient, *each[i]);
    T zero = TIMES(ADD(still.z, still.a), 0);
    T unit = find_last(s, d, &still, PLUS(zero, -reach), LIT(2 * reach), 6, is_before_unit, kind,
                       NULL);
    T k = TIMES(count_nodes(s, d, &still, 2 * FINE + 1), 0.5 / FINE), tries = MUL(unit, k);
    T e = log_integrand(s, &still, tries, kind), top = FN(amax, e, (const int32_t[]){0}, 1, false);
    T near = MUL(unit, TIMES(FN(cast, FN(argmax, e, 0, false), d->batch.dtype), 0.5 / FINE));
    T level = PLUS(top, -fall);
    T hi = find_last(s, d, &still, near, SUB(LIT(reach), near), 5, is_above_level, kind, level);
    T lo = find_last(s, d, &still, near, SUB(LIT(-reach), near), 5, is_above_level, kind, level);
    stable_point u = point_of(s, &still, near);
    T turn = MUL(FN(abs, u.slope), DIV(MUL(u.p, u.r), still.length));
    stable_nodes n = {.middle = near, .narrow = FN(reciprocal, PLUS(turn, 1))};
    n.from = FN(asinh, DIV(SUB(lo, near), n.narrow));
    n.step = TIMES(SUB(FN(asinh, DIV(SUB(hi, near), n.narrow)), n.from), 1.0 / NODES);
    T part[4], sum[3], log_step = FN(log, MUL(n.step, n.narrow));
    for (int i = 0; i < 4; i++)
        part[i] = log_sum_of_residue(s, d, live, &n, i, kind);
    sum[0] = PLUS(part[0], 2 * LOG_2); /* a quarter of the nodes, half, all */
    sum[1] = PLUS(FN(logaddexp, part[0], part[2]), LOG_2);
    sum[2] = FN(logaddexp, FN(logaddexp, part[0], part[2]), FN(logaddexp, part[1], part[3]));
    T coarse = FN(abs, SUB(sum[1], sum[0])), gap = FN(abs, SUB(sum[2], sum[1]));
    /* gaps of a rule that converges are squared each time; those of rounding stay */
    T exact = LT(gap, LIT(d->batch.dtype == AGN_F32 ? 1e-4 : 1e-9));
    T falls = FN(logical_and, LT(gap, LIT(3e-6)), LT(gap, TIMES(coarse, 0.01)));
    T sure = FN(stop_gradient, FN(logical_or, exact, falls));
    T y = ADD(SEL(sure, sum[2], LIT((double)NAN)), log_step);
    if (kind != DENSITY) { /* below all numbers nothing needs its digits */
        T less = FN(logical_and, LT(sum[2], LIT(-1000)), LT(gap, TIMES(sum[2], -0.01)));
        y = SEL(FN(stop_gradient, less), LIT(-1000), y);
        y = FN(logaddexp, y, log_end(s, live, kind));
    }
    return ADD(y, FN(log, live->length));
}

/* sum over k of z^k cos(psi (k + 1) / alpha - k pi / 2) gamma((k + 1) / alpha) / (k! c^((k + 1) /
   alpha)) over pi alpha, of the characteristic function exp(-c t^alpha); *good where it is exact */
static T log_series(agn_scope *s, const agn_distribution *d, const stable_terms *q, T *good)
{
    (void)d;
    T t = half_turn_tangent(s, q->a), same = FN(ne, q->flip, GT(q->a, LIT(1)));
    T bt = MUL(MUL(SEL(same, LIT(-1), LIT(1)), d->param[BETA]), t), psi = DIV(FN(atan, bt), q->a);
    T r = FN(reciprocal, q->a), sum = NULL, z = q->z, power = LIT(1);
    T first = FN(lgamma, r), size = NULL;
    double factorial = 1;
    for (int k = 0; k < POWERS; k++) {
        T order = TIMES(r, k + 1.0);
        size = FN(exp, ADD(SUB(FN(lgamma, order), first), MUL(q->unit, TIMES(r, (double)k))));
        size = MUL(size, TIMES(power, 1 / factorial));
        T term = MUL(size, FN(cos, PLUS(TIMES(psi, k + 1.0), -k * PI / 2)));
        sum = sum ? ADD(sum, term) : term;
        power = MUL(power, z);
        factorial *= k + 1;
    }
    T enough = LT(FN(abs, size), LIT(1e-17)), whole = GT(sum, LIT(1e-3));
    *good = FN(logical_and, FN(logical_not, q->one), FN(logical_and, enough, whole));
    T safe = SEL(*good, sum, LIT(1));
    return SUB(ADD(ADD(FN(log, safe), first), MUL(q->unit, r)), PLUS(FN(log, q->a), LOG_PI));
}

T agni_stable_log_prob(agn_scope *s, const agn_distribution *d, T x)
{
    stable_terms q = stable_terms_of(s, d, x);
    T good, series = log_series(s, d, &q, &good), body = log_integral(s, d, &q, DENSITY);
    T plain = SUB(SUB(FN(log, q.a), FN(log, FN(abs, PLUS(q.a, -1)))), q.log_z);
    T unit = SEL(q.one, NEG(PLUS(FN(log, q.b), LOG_2)), PLUS(plain, -LOG_PI));
    T y = SEL(good, series, ADD(unit, body));
    T cauchy = NEG(PLUS(TIMES(FN(log, FN(hypot, make_number(s, d, 1), q.z)), 2), LOG_PI));
    T even = FN(logical_and, q.one, FN(eq, d->param[BETA], LIT(0)));
    /* of one sign: nothing beyond 0, or at it */
    T plain_law = FN(logical_not, q.one), none = FN(eq, q.length, LIT(0));
    T at_end = FN(logical_and, FN(logical_not, good), FN(eq, q.z, LIT(0)));
    T one_sided = FN(logical_and, q.below_one, FN(eq, q.gap, LIT(0)));
    y = SEL(FN(logical_and, at_end, plain_law), LIT((double)NAN), y);
    T empty = FN(logical_or, none, FN(logical_and, at_end, one_sided));
    empty = FN(logical_and, empty, plain_law);
    y = SEL(even, cauchy, SEL(empty, LIT(-(double)INFINITY), y));
    /* the derivative in alpha is not that of the formula for alpha = 1: infinite, not 0 */
    T edge = FN(sqrt, SEL(q.one, FN(abs, PLUS(d->param[ALPHA], -1)), LIT(1)));
    y = ADD(y, SEL(q.one, edge, LIT(0)));
    return SUB(y, FN(log, d->param[SCALE]));
}

/* share beyond x on the right, or up to it */
static T stable_share(agn_scope *s, const agn_distribution *d, T x, bool right)
{
    stable_terms q = stable_terms_of(s, d, x);
    T beyond = TIMES(FN(exp, log_integral(s, d, &q, BEYOND)), 1 / PI);
    T inside = TIMES(FN(exp, log_integral(s, d, &q, BELOW)), 1 / PI);
    /* beyond + inside is all there is above 0, length / pi */
    T plain_law = FN(logical_not, q.one), above = TIMES(q.length, 1 / PI);
    T nothing = LE(FN(abs, q.z), LIT(d->batch.dtype == AGN_F32 ? 1e-25 : 1e-60));
    T at_end = FN(logical_and, plain_law, nothing);
    T empty = FN(logical_and, plain_law, FN(eq, q.length, LIT(0)));
    beyond = SEL(empty, LIT(0), SEL(at_end, above, beyond));
    inside = SEL(FN(logical_or, empty, at_end), LIT(0), inside);
    T below = SEL(GT(q.a, LIT(1)), SUB(LIT(1), above), TIMES(q.gap, 1 / PI));
    T upto = ADD(SEL(q.one, LIT(0), below), inside);
    T y = SEL(q.flip, right ? upto : beyond, right ? beyond : upto);
    T even = FN(logical_and, q.one, FN(eq, d->param[BETA], LIT(0)));
    T angle = FN(atan2, make_number(s, d, 1), right ? q.z : NEG(q.z));
    y = SEL(even, TIMES(angle, 1 / PI), y);
    T edge = FN(sqrt, SEL(q.one, FN(abs, PLUS(d->param[ALPHA], -1)), LIT(1)));
    return ADD(y, SEL(q.one, edge, LIT(0)));
}
T agni_stable_cdf(agn_scope *s, const agn_distribution *d, T x)
{
    return stable_share(s, d, x, false);
}
T agni_stable_survival(agn_scope *s, const agn_distribution *d, T x)
{
    return stable_share(s, d, x, true);
}
