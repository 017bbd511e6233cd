/* fft/nonuniform.h - what sums at points and sums at frequencies share. */
#ifndef AGNI_FFT_NONUNIFORM_H
#define AGNI_FFT_NONUNIFORM_H

#include "fft/fft.h"
#include "fft/spread.h"

#define AGNI_FFT_PI 3.14159265358979323846

enum { AGNI_FFT_SUM_AXES = 3, AGNI_FFT_NODES = 25 };

typedef struct agni_fft_sums {
    const char *op;
    int axes;
    agni_spread_kernel kernel;
    int64_t modes[AGNI_FFT_SUM_AXES], grid[AGNI_FFT_SUM_AXES], all;
    int dtype, real; /* of values */
} agni_fft_sums;

/* fills in axes, dtypes and the kernel of a tolerance */
agn_status agni_fft_check_points(agni_fft_sums *q, const agn_tensor *x, const agn_tensor *points,
                                 int32_t sign, double tolerance);
/* points, in doubles, times a factor for each axis */
const agn_tensor *agni_fft_scale_points(agn_scope *s, const agni_fft_sums *q,
                                        const agn_tensor *points, const double *by);
/* mode 0 from the middle to the front of a grid, or back */
const agn_tensor *agni_fft_roll_modes(agn_scope *s, const agni_fft_sums *q, const agn_tensor *g,
                                      bool to_front);
/* the kernel's transform at theta is the sum of weight cos(width / 2 theta at), by the trapezoidal
   rule after z = sin t */
void agni_fft_place_nodes(double *at, double *weight, const agni_fft_sums *q);

#endif
