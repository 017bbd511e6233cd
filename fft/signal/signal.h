/* fft/signal/signal.h - what the files of this room share. Time is the last axis of the ops:
     signal_frame(x; length, hop)        [..., n] to [..., frames, length], a view
     signal_overlap_add(g; n, hop)       its adjoint: [..., frames, length] summed to [..., n]
     signal_allpole(v, a; reverse)       y_t = v_t - sum_k a_k y_(t-k), k from 1; a [..., p], or [..., n, p]
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
/* within a scope: frames of the last axis, their sums, a part of the last axis, zeros at its ends */
const agn_tensor *agni_signal_frames(agn_scope *s, const agn_tensor *x, int64_t length, int64_t hop);
const agn_tensor *agni_signal_overlap_add(agn_scope *s, const agn_tensor *g, int64_t n, int64_t hop);
const agn_tensor *agni_signal_part(agn_scope *s, const agn_tensor *x, int64_t from, int64_t count);
const agn_tensor *agni_signal_zeros(agn_scope *s, const agn_tensor *x, int64_t front, int64_t behind);
/* as agn_pad_with along the last axis, AGN_SIGNAL_ZERO too */
const agn_tensor *agni_signal_pad(agn_scope *s, const agn_tensor *x, int64_t front, int64_t behind,
                                  int32_t kind);
const agn_tensor *agni_signal_allpole(agn_scope *s, const agn_tensor *v, const agn_tensor *a, bool reverse);

#endif
