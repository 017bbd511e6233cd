/* graph/shapes/fit.c - fitting a number to sizes: a constant times powers of them or a sum, or
   over a sum. The samples decide: what fits all of them has that form. */
#include "graph/shapes/fit.h"

#include <math.h>

enum { MOST_POWER = 3, MOST_PARTS = 12, PLAIN_BITS = 20 };

double agni_evaluate_formula(const agni_size_formula *f, int n_size, const int64_t *size)
{
    double v = f->c, sum = f->a;
    for (int k = 0; k < n_size; k++) {
        double power = f->kind == AGNI_FORMULA_MONOMIAL ? pow((double)size[k], fabs(f->b[k])) : 1;
        v = f->b[k] < 0 ? v / power : v * power;
        sum += f->b[k] * (double)size[k];
    }
    return f->kind == AGNI_FORMULA_AFFINE       ? f->c * sum
           : f->kind == AGNI_FORMULA_RECIPROCAL ? f->c / sum
                                                : v;
}

/* does the form give all values, but for so much of each? */
static bool matches_samples(const agni_size_formula *f, const agni_samples *s, const double *v,
                            double eps)
{
    for (int j = 0; j < s->n; j++)
        if (!(fabs(agni_evaluate_formula(f, s->n_size, s->size[j]) - v[j]) <= eps * fabs(v[j])))
            return false;
    return true;
}

/* a, b with some c: of few bits, where that fits, as then it is what was meant; or what the first
   sample says */
static bool fit_factor(agni_size_formula *f, const agni_samples *s, const double *v, double eps)
{
    int exponent = 0;
    f->c = 1;
    f->c = v[0] / agni_evaluate_formula(f, s->n_size, s->size[0]);
    agni_size_formula g = *f;
    double part = frexp(f->c, &exponent);
    g.c = ldexp(nearbyint(ldexp(part, PLAIN_BITS)), exponent - PLAIN_BITS);
    if (matches_samples(&g, s, v, eps))
        *f = g;
    return matches_samples(f, s, v, eps);
}

static bool fit_monomial(agni_size_formula *f, const agni_samples *s, const double *v, double eps)
{
    *f = (agni_size_formula){.kind = AGNI_FORMULA_MONOMIAL};
    for (int k = 0; k < s->n_size; k++) {
        double more = (double)s->size[1 + 2 * k][k] / (double)s->size[0][k];
        f->b[k] = nearbyint(log(v[1 + 2 * k] / v[0]) / log(more));
        if (!(fabs(f->b[k]) <= MOST_POWER)) /* NaN too */
            return false;
    }
    return fit_factor(f, s, v, eps);
}

/* the sum through the samples in which one size differs */
static void fit_slopes(agni_size_formula *f, const agni_samples *s, const double *v)
{
    *f = (agni_size_formula){.kind = AGNI_FORMULA_AFFINE, .c = 1, .a = v[0]};
    for (int k = 0; k < s->n_size; k++) {
        f->b[k] = (v[1 + 2 * k] - v[0]) / (double)(s->size[1 + 2 * k][k] - s->size[0][k]);
        f->a -= f->b[k] * (double)s->size[0][k];
    }
}

/* line[]: v or one over it. Parts of the sum are small multiples of a part of the largest slope. */
static bool fit_affine(agni_size_formula *f, const agni_samples *s, const double *line,
                       const double *v, bool under, double eps)
{
    agni_size_formula raw;
    double unit = 0;
    fit_slopes(&raw, s, line);
    for (int k = 0; k < s->n_size; k++)
        unit = fmax(unit, fabs(raw.b[k]));
    for (int parts = 1; parts <= MOST_PARTS && unit > 0; parts++) {
        *f = (agni_size_formula){.kind = under ? AGNI_FORMULA_RECIPROCAL : AGNI_FORMULA_AFFINE,
                                 .a = nearbyint(raw.a / unit * parts)};
        for (int k = 0; k < s->n_size; k++)
            f->b[k] = nearbyint(raw.b[k] / unit * parts);
        if (fit_factor(f, s, v, eps))
            return true;
    }
    return false;
}

static bool has_integer_coefficients(const agni_size_formula *f, int n_size)
{
    bool all = f->c == nearbyint(f->c) && f->a == nearbyint(f->a);
    for (int k = 0; k < n_size; k++)
        all = all && f->b[k] == nearbyint(f->b[k]) &&
              (f->kind != AGNI_FORMULA_MONOMIAL || f->b[k] >= 0);
    return all;
}

bool agni_fit_integer(agni_size_formula *f, const agni_samples *s, const int64_t *v)
{
    double x[AGNI_SAMPLES] = {0};
    for (int j = 0; j < s->n; j++) {
        if (v[j] > INT64_C(1) << 52 || v[j] < -(INT64_C(1) << 52))
            return false;
        x[j] = (double)v[j];
    }
    fit_slopes(f, s, x);
    return (matches_samples(f, s, x, 0) && has_integer_coefficients(f, s->n_size)) ||
           (fit_monomial(f, s, x, 0) && has_integer_coefficients(f, s->n_size));
}

bool agni_fit_real(agni_size_formula *f, const agni_samples *s, const double *v, double eps)
{
    double under[AGNI_SAMPLES];
    for (int j = 0; j < s->n; j++)
        under[j] = 1 / v[j];
    return fit_monomial(f, s, v, 2 * eps) || fit_affine(f, s, v, v, false, 2 * eps) ||
           fit_affine(f, s, under, v, true, 2 * eps);
}
