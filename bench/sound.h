/* bench/sound.h - what the workloads of fft and audio share: gradients of compiled functions, their
   check. */
#ifndef AGNESI_BENCH_SOUND_H
#define AGNESI_BENCH_SOUND_H

#include "matrices.h"
#include "task.h"

/* the value, then the sum of magnitudes of each gradient */
int bench_value_and_amounts(const task *t, double *value);
/* value and gradient of body in its first wrt arguments, compiled; lets go of the arguments */
void bench_gradient(const char *id, task *t, agn_body *body, int n_in, int wrt);

#endif
