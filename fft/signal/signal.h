/* fft/signal/signal.h - what the files of this room share. Time is the last axis of the ops:
     signal_frame(x; length, hop)        [..., n] to [..., frames, length], a view
     signal_overlap_add(g; n, hop)       its adjoint: [..., frames, length] summed to [..., n]
     signal_allpole(v, a; reverse)       y_t = v_t - sum_k a_k y_(t-k), k from 1; a [..., p], or
     [..., n, p]
                                         with a_k of the time t; reversed, the adjoint in v */
#ifndef AGNI_SIGNAL_H
#define AGNI_SIGNAL_H

#include "tensor/dispatch/op_helpers.h"

#include <agnesi/signal.h>

agni_transpose_fn agni_frame_transpose, agni_overlap_add_transpose;

/* f32 for f16, bf16 and f32, f64 for other real dtypes; c64 and c128 stay */
int agni_signal_dtype(int dtype);
/* x checked for a last axis of samples; AGN_OK, or a failure that names op */
agn_status agni_signal_check(const char *op, agn_tensor *const *out, const agn_tensor *x);
/* within a scope: frames of the last axis, their sums, a part of the last axis, zeros at its
   ends */
const agn_tensor *agni_signal_frames(agn_scope *s, const agn_tensor *x, int64_t length,
                                     int64_t hop);
const agn_tensor *agni_signal_overlap_add(agn_scope *s, const agn_tensor *g, int64_t n,
                                          int64_t hop);
const agn_tensor *agni_signal_part(agn_scope *s, const agn_tensor *x, int64_t from, int64_t count);
const agn_tensor *agni_signal_zeros(agn_scope *s, const agn_tensor *x, int64_t front,
                                    int64_t behind);
/* as agn_pad_with along the last axis, AGN_SIGNAL_ZERO too */
const agn_tensor *agni_signal_pad(agn_scope *s, const agn_tensor *x, int64_t front, int64_t behind,
                                  int32_t kind);
const agn_tensor *agni_signal_allpole(agn_scope *s, const agn_tensor *v, const agn_tensor *a,
                                      bool reverse);

/* ---- short-time transforms (stft_op.c) ----------------------------------------------------- */

/* frames of x under w transformed, and the adjoint over n samples; sign 0 for a real signal, whose
   inner bins count pairs times */
const agn_tensor *agni_signal_apply_stft(agn_scope *s, const agn_tensor *x, const agn_tensor *w,
                                         int64_t hop, int sign, double scale, double pairs);
const agn_tensor *agni_signal_apply_stft_adjoint(agn_scope *s, const agn_tensor *g,
                                                 const agn_tensor *w, int64_t n, int64_t hop,
                                                 int sign, double scale, double pairs);

/* ---- filters (filter.c) ------------------------------------------------------------------ */

/* the dtype in which coefficients and signals are filtered */
int agni_signal_common_dtype(int n, const agn_tensor *const *x);
/* y, from the state zi or NULL, and the state behind it where final is given */
const agn_tensor *agni_signal_filter(agn_scope *s, const agn_tensor *b, const agn_tensor *a,
                                     const agn_tensor *x, const agn_tensor *zi,
                                     const agn_tensor **final);
/* the state that a step of height 1 leaves for ever, [..., order] */
const agn_tensor *agni_signal_steady_state(agn_scope *s, const agn_tensor *b, const agn_tensor *a,
                                           int64_t order);
/* x continued by m samples at both ends, by point reflections */
const agn_tensor *agni_signal_extend_odd(agn_scope *s, const agn_tensor *x, int64_t m);

#endif
