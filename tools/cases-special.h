/* tools/cases-special.h - what tables of special functions share: nine arguments, Simpson's rule
   (Abramowitz and Stegun 25.4.6). */
#ifndef AGN_CASES_SPECIAL_H
#define AGN_CASES_SPECIAL_H

#include "cases.h"

#include <complex.h>
#include <math.h>

#define NINE {1, {9}}
#define PI 3.14159265358979323846264338327950288L
#define EACH(i) for (int64_t i = 0; i < c->out.size[0]; i++)

typedef long double integrand(const long double *p, long double t);
static inline long double simpson(integrand *f, const long double *p, long double a, long double b, int n)
{
    long double h = (b - a) / n, sum = f(p, a) + f(p, b);
    for (int k = 1; k < n; k++)
        sum += (k & 1 ? 4 : 2) * f(p, a + k * h);
    return sum * h / 3;
}

#endif
