/* distribution/kl_pairs.c - divergences of laws of different kinds, -H(p) - E_p[log q], from
   moments of p (Kullback & Leibler 1951). Infinite where p has numbers that q has not. */
#include "distribution/expression.h"

#define MEAN(p) (p)->law->mean(s, p)
#define INFINITE LIT((double)INFINITY)

static T less_entropy(agn_scope *s, const agn_distribution *p, T minus_log_q)
{
    return SUB(minus_log_q, p->law->entropy(s, p));
}

/* ---- q normal: mean and variance ------------------------------------------------------------ */

static T to_normal(agn_scope *s, const agn_distribution *p, const agn_distribution *q)
{
    T scale = q->param[1], z = DIV(SUB(MEAN(p), q->param[0]), scale);
    T spread = DIV(DIV(p->law->variance(s, p), scale), scale);
    T half = TIMES(ADD(FN(square, z), spread), 0.5);
    return less_entropy(s, p, ADD(PLUS(FN(log, scale), LOG_SQRT_2PI), half));
}
OF_BOTH(agni_kl_any_normal) { return to_normal(s, p, q); }

/* ---- log q affine on the support of p: its value at the mean -------------------------------- */

static T to_affine(agn_scope *s, const agn_distribution *p, const agn_distribution *q)
{
    return less_entropy(s, p, NEG(q->law->log_prob(s, q, MEAN(p))));
}
OF_BOTH(agni_kl_any_affine) { return to_affine(s, p, q); }
/* of a uniform law: where it lies between the ends of q; high NULL: none */
static T uniform_within(agn_scope *s, const agn_distribution *p, double low, const double *high,
                        T kl)
{
    T in = GE(p->param[0], LIT(low));
    if (high)
        in = FN(logical_and, in, LE(p->param[1], LIT(*high)));
    return SEL(in, kl, INFINITE);
}
static const double unity = 1;
OF_BOTH(agni_kl_uniform_exponential) { return uniform_within(s, p, 0, NULL, to_affine(s, p, q)); }
OF_BOTH(agni_kl_uniform_continuous_bernoulli)
{
    return uniform_within(s, p, 0, &unity, to_affine(s, p, q));
}
/* p on the unit interval, q uniform around it */
OF_BOTH(agni_kl_unit_uniform)
{
    T in = FN(logical_and, LE(q->param[0], LIT(0)), GE(q->param[1], LIT(1)));
    T kl = less_entropy(s, p, FN(log, SUB(q->param[1], q->param[0])));
    return SEL(in, kl, INFINITE);
}

/* ---- log q with a logarithm of x ------------------------------------------------------------ */

/* of uniform numbers between low and high: the mean of log x; 0 log 0 = 0 */
static T uniform_log(agn_scope *s, T low, T high)
{
    T whole = SUB(FN(xlogy, high, high), FN(xlogy, low, low));
    return PLUS(DIV(whole, SUB(high, low)), -1);
}
static T to_gamma(agn_scope *s, const agn_distribution *p, const agn_distribution *q, T mean_log)
{
    T a = q->param[0], b = q->param[1];
    T unit = SUB(FN(lgamma, a), MUL(a, FN(log, b)));
    return less_entropy(s, p, ADD(SUB(unit, MUL(PLUS(a, -1), mean_log)), MUL(b, MEAN(p))));
}
OF_BOTH(agni_kl_beta_gamma)
{
    T a = p->param[0], sum = ADD(a, p->param[1]);
    return to_gamma(s, p, q, SUB(FN(digamma, a), FN(digamma, sum)));
}
OF_BOTH(agni_kl_pareto_gamma)
{
    return to_gamma(s, p, q, ADD(FN(log, p->param[0]), FN(reciprocal, p->param[1])));
}
OF_BOTH(agni_kl_uniform_gamma)
{
    T low = p->param[0], in = GE(low, LIT(0)), from = SEL(in, low, LIT(0)),
      to = SEL(in, p->param[1], LIT(1));
    return SEL(in, to_gamma(s, p, q, uniform_log(s, from, to)), INFINITE);
}
OF_BOTH(agni_kl_uniform_beta)
{
    T low = p->param[0], high = p->param[1],
      in = FN(logical_and, GE(low, LIT(0)), LE(high, LIT(1)));
    T from = SEL(in, low, LIT(0)), to = SEL(in, high, LIT(1));
    T left = MUL(PLUS(q->param[0], -1), uniform_log(s, from, to));
    T right = MUL(PLUS(q->param[1], -1), uniform_log(s, SUB(LIT(1), to), SUB(LIT(1), from)));
    T minus = SUB(agni_log_beta(s, q->param[0], q->param[1]), ADD(left, right));
    return SEL(in, less_entropy(s, p, minus), INFINITE);
}
OF_BOTH(agni_kl_uniform_pareto)
{
    T low = p->param[0], scale = q->param[0], a = q->param[1], in = GE(low, scale);
    T from = SEL(in, low, LIT(1)), to = SEL(in, p->param[1], LIT(2));
    T unit = ADD(FN(log, a), MUL(a, FN(log, scale)));
    return SEL(in, less_entropy(s, p, SUB(MUL(PLUS(a, 1), uniform_log(s, from, to)), unit)),
               INFINITE);
}

/* ---- q Gumbel: the mean of exp(-(x - loc) / scale) ------------------------------------------ */

static T to_gumbel(agn_scope *s, const agn_distribution *p, const agn_distribution *q, T mean_exp)
{
    T z = DIV(SUB(MEAN(p), q->param[0]), q->param[1]);
    return less_entropy(s, p, ADD(FN(log, q->param[1]), ADD(z, mean_exp)));
}
OF_BOTH(agni_kl_normal_gumbel)
{
    T m = DIV(SUB(q->param[0], p->param[0]), q->param[1]), r = DIV(p->param[1], q->param[1]);
    return to_gumbel(s, p, q, FN(exp, ADD(m, TIMES(FN(square, r), 0.5))));
}
static T gamma_gumbel(agn_scope *s, const agn_distribution *p, const agn_distribution *q, T shape,
                      T rate)
{
    T fall = MUL(shape, FN(log1p, FN(reciprocal, MUL(rate, q->param[1]))));
    return to_gumbel(s, p, q, FN(exp, SUB(DIV(q->param[0], q->param[1]), fall)));
}
OF_BOTH(agni_kl_gamma_gumbel) { return gamma_gumbel(s, p, q, p->param[0], p->param[1]); }
OF_BOTH(agni_kl_exponential_gumbel) { return gamma_gumbel(s, p, q, LIT(1), p->param[0]); }
OF_BOTH(agni_kl_uniform_gumbel)
{
    T width = DIV(SUB(p->param[1], p->param[0]), q->param[1]),
      from = DIV(SUB(q->param[0], p->param[0]), q->param[1]);
    return to_gumbel(s, p, q, MUL(FN(exp, from), DIV(NEG(FN(expm1, NEG(width))), width)));
}

/* ---- others --------------------------------------------------------------------------------- */

/* the mean of |x - loc| (Leone, Nelson & Nottingham 1961) */
OF_BOTH(agni_kl_normal_laplace)
{
    T d = SUB(p->param[0], q->param[0]), sd = p->param[1], z = DIV(d, sd), b = q->param[1];
    T near = MUL(sd, TIMES(FN(exp, TIMES(FN(square, z), -0.5)), 0.79788456080286535588));
    T size = ADD(near, MUL(d, FN(erf, TIMES(z, SQRT_HALF))));
    return less_entropy(s, p, ADD(PLUS(FN(log, b), LOG_2), DIV(size, b)));
}
/* of 0 and 1 the factorials are 1 */
OF_BOTH(agni_kl_bernoulli_poisson)
{
    return less_entropy(s, p, SUB(q->param[0], MUL(p->param[0], FN(log, q->param[0]))));
}
/* p has numbers outside of the support of q, whatever their parameters */
OF_BOTH(agni_kl_infinite)
{
    (void)q;
    return make_number(s, p, (double)INFINITY);
}
