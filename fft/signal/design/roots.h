/* fft/signal/design/roots.h - a filter by its zeros, poles and gain: real ones, and one of each
   conjugate pair, so that what is symmetric stays so to the bit. */
#ifndef AGNI_SIGNAL_ROOTS_H
#define AGNI_SIGNAL_ROOTS_H

#include "fft/signal/signal.h"

#include <complex.h>
#include <string.h>

enum { AGNI_IIR_ORDER = 64, AGNI_IIR_ROOTS = 2 * AGNI_IIR_ORDER + 1 };

typedef struct agni_roots {
    int reals, pairs;
    double real[AGNI_IIR_ROOTS];
    double complex pair[AGNI_IIR_ROOTS]; /* imaginary parts above 0 */
} agni_roots;

typedef struct agni_zpk {
    agni_roots z, p;
    double k;
} agni_zpk;

static inline double complex agni_root(double re, double im) /* CMPLX, which not every compiler has */
{
    double both[2] = {re, im};
    double complex z;
    memcpy(&z, both, sizeof z);
    return z;
}
/* analog low passes with the edge 1 */
agn_status agni_iir_prototype(agni_zpk *f, const char *op, const agn_signal_iir_options *a);
/* the digital filter of checked options */
agn_status agni_iir_design(agni_zpk *f, const char *op, const agn_signal_iir_options *given);
/* product of c - z over all roots z, a real number */
double agni_roots_product(const agni_roots *r, double c);
void agni_roots_add(agni_roots *r, double complex z);
/* sections of as many zeros as poles, which are used up; how many */
int agni_pair_sections(agni_zpk *f, double (*sos)[6]);

#endif
