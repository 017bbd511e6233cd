/* audio/audio.h - what the files of this module share. */
#ifndef AGNI_AUDIO_H
#define AGNI_AUDIO_H

#include "tensor/dispatch/op_helpers.h"

#include <agnesi/audio.h>
#include <agnesi/fft.h>
#include <agnesi/signal.h>

enum { AGNI_AUDIO_LINEAR = 2 }; /* a scale of filters that is none of mel */

/* f32 for f16, bf16, f32, else f64 */
int agni_audio_dtype(int dtype);
/* out and x given, x real */
agn_status agni_audio_check_real(const char *op, agn_tensor *const *out, const agn_tensor *x);
/* onset strengths [..., frames]; and a window of a tempogram (music/rhythm.c) */
agn_status agni_audio_check_onset(const char *op, agn_tensor *const *out, const agn_tensor *x);
agn_status agni_audio_check_tempogram(const char *op, agn_tensor *const *out, const agn_tensor *x,
                                      int64_t window);
/* the same of a spectrogram [..., bins, frames] */
agn_status agni_audio_check_spectrum(const char *op, agn_tensor *const *out, const agn_tensor *x);
/* out given, dtype f32 or f64 */
agn_status agni_audio_check_new(const char *op, agn_tensor *const *out, agn_dtype dtype);
/* row-major numbers as dtype */
agn_status agni_audio_make(agn_tensor **out, agn_dtype dtype, int32_t ndim, const int64_t *shape,
                           const double *v);
/* triangular filters [n, n_fft / 2 + 1] */
agn_status agni_audio_filters(agn_tensor **out, const char *op, agn_dtype dtype, double rate,
                              int64_t n_fft, int64_t n, double lo, double hi, int32_t scale,
                              bool area);
/* within a scope: z / |z|, 0 of 0 (vocoder.c) */
const agn_tensor *agni_audio_unit(agn_scope *s, const agn_tensor *z);
/* within a scope: count elements of the last axis */
const agn_tensor *agni_audio_part(agn_scope *s, const agn_tensor *x, int64_t from, int64_t count);

/* x as f64 in rows on the host, owned by *owner */
agn_status agni_audio_host(agn_tensor **owner, const double **v, const char *op,
                           const agn_tensor *x);

/* lags of periods between two frequencies, at most those of a frame; x [..., n] has room for
   frames */
agn_status agni_audio_check_lags(int64_t *lo, int64_t *hi, const char *op, const agn_tensor *x,
                                 double rate, double lowest, double highest, int64_t length,
                                 int64_t hop);
/* within a scope, of YIN: frames f to [..., frames, lags lo to hi]; vertices of parabolas through
   three neighbours */
const agn_tensor *agni_audio_normal_difference(agn_scope *s, const agn_tensor *f, int64_t lo,
                                               int64_t hi);
const agn_tensor *agni_audio_vertex(agn_scope *s, const agn_tensor *d);

#endif
