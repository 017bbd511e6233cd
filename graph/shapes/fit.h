/* graph/shapes/fit.h - a number as a function of sizes, found from its values at a few of them. */
#ifndef AGNI_FORM_H
#define AGNI_FORM_H

#include <stdbool.h>
#include <stdint.h>

enum { AGNI_SIZES = 4, AGNI_SAMPLES = 2 * AGNI_SIZES + 2 };

/* Sample 0 has the sizes of now, 1 + 2k and 2 + 2k two other values of size k, the last one (of
   more sizes than one) other values of all. */
typedef struct agni_samples {
    int n_size, n;
    int64_t size[AGNI_SAMPLES][AGNI_SIZES];
} agni_samples;

/* c n0^b0 n1^b1 ..., c (a + b0 n0 + b1 n1 + ...), or c over that sum */
typedef struct agni_size_formula {
    enum { AGNI_FORMULA_MONOMIAL, AGNI_FORMULA_AFFINE, AGNI_FORMULA_RECIPROCAL } kind;
    double c, a, b[AGNI_SIZES]; /* a, b: integers */
} agni_size_formula;

/* The form of an integer: exact. False: it has none. */
bool agni_fit_integer(agni_size_formula *f, const agni_samples *s, const int64_t *v);
/* That of a real number which was rounded to eps. */
bool agni_fit_real(agni_size_formula *f, const agni_samples *s, const double *v, double eps);
double agni_evaluate_formula(const agni_size_formula *f, int n_size, const int64_t *size);

#endif
