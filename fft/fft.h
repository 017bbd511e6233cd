/* fft/fft.h - what the files of this module share.

   Primitives along one axis, unnormalised transforms times a scale, any leading batch axes:
     fft_r2c(x; axis; scale, w)     real n to n/2 + 1: scale (w inside) sum_j x_j e^-ijk
     fft_c2r(x; axis, n; scale, w)  n/2 + 1 to real n: scale times the sum over all n bins, the
                                    given ones times w inside, the others their conjugates
     fft_c2c(x; axis, sign; scale)  n to n
   "Inside" is every bin but 0 and, for even n, n/2. Each is the adjoint of one of them. */
#ifndef AGNI_FFT_H
#define AGNI_FFT_H

#include "tensor/dispatch/op_helpers.h"

agni_transpose_fn agni_r2c_transpose, agni_c2r_transpose, agni_c2c_transpose;
agn_kernel agni_cpu_r2c, agni_cpu_c2r, agni_cpu_c2c;

/* ---- plans (fft/cpu/planner.c) ------------------------------------------------------ */

enum { AGNI_R2C, AGNI_C2R, AGNI_C2C };
enum { AGNI_FFT_PLANS = 64 }; /* kept at most */

typedef struct agni_fft_dim {
    int64_t n, is, os;
} agni_fft_dim;

/* The key of the plan cache. No padding: compared and hashed by bytes. */
typedef struct agni_fft_key {
    int32_t kind, sign, single, align_in, align_out, rank;
    agni_fft_dim line, batch[AGN_MAX_RANK];
} agni_fft_key;

typedef struct agni_fft_plan agni_fft_plan;
/* A plan to run between acquire and release; NULL without memory, or where FFTW has none. */
agni_fft_plan *agni_fft_acquire(const agni_fft_key *key, void *in, void *out);
void agni_fft_execute(const agni_fft_plan *p, void *in, void *out);
void agni_fft_release(agni_fft_plan *p);
int agni_fft_alignment(bool single, void *p);
/* for tests: plans cached, and made so far; drops those not in use */
int agni_fft_plan_count(int64_t *made);
void agni_fft_clear_plans(void);

#endif
