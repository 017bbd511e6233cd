/* fft/cpu/small_transform.c - the short way of short transforms: contiguous numbers of the host
   along their last axis, nothing to record, cut off or convert. A call by the long way takes
   longer than FFTW for 64 points. */
#include "core/threads/stack.h"
#include "fft/fft.h"
#include "tensor/dispatch/destination.h"
#include "tensor/value/handle_checks.h"
#include "tensor/value/trace_guards.h"

enum { MOST_ELEMENTS = (1 << 12) - 1 }; /* longer lines go by four_step.c */

/* numbers of the host in row-major order that are no more than a value */
static bool is_plain(const agn_tensor *x)
{
    if (!x->st || x->stale || x->weak || x->uncommitted || x->layout != AGN_DENSE ||
        x->st->device != AGN_CPU || !x->ndim || !x->size || x->size > MOST_ELEMENTS)
        return false;
    int64_t dense = 1;
    for (int d = x->ndim - 1; d >= 0; d--) {
        if (x->shape[d] != 1 && x->stride[d] != dense)
            return false;
        dense *= x->shape[d];
    }
    return true;
}

bool agni_fft_run_small(agn_tensor **out, const char *name, const agni_op *op, int sign,
                        const agn_tensor *x, int64_t n, double scale, agn_status *st)
{
    bool real = op == &agni_op_fft_r2c, back = op == &agni_op_fft_c2r;
    int64_t shape[AGNI_MAX_RANK];
    if (agni_checking || agni_guards_current() || agni_destination_current ||
        !agni_stack_is_deep() || !(op->dtypes >> x->dtype & 1) || !is_plain(x) ||
        agni_needs_recording(op, 1, &x))
        return false;
    int64_t have = x->shape[x->ndim - 1], lines = x->size / have;
    if (n < 1 || n > MOST_ELEMENTS || have != (back ? n / 2 + 1 : n))
        return false;
    for (int d = 0; d < x->ndim - 1; d++)
        shape[d] = x->shape[d];
    shape[x->ndim - 1] = real ? n / 2 + 1 : n;
    bool single = x->dtype == AGN_F32 || x->dtype == AGN_C64;
    int dtype = back ? agni_dtypes[x->dtype].real : single ? AGN_C64 : AGN_C128;
    agn_tensor *y = NULL;
    *st = agni_tensor_make(&y, name, dtype, x->ndim, shape, AGN_CPU);
    if (*st)
        return true;
    int kind = real ? AGNI_R2C : back ? AGNI_C2R : AGNI_C2C;
    if (!agni_fft_run_lines(kind, sign, single, n, lines, x->data, y->data)) {
        agn_release(y);
        *st = agni_nomem(name, sizeof(agni_fft_key));
        return true;
    }
    if (scale != 1)
        agni_fft_scale_run(single, y->data, y->size * (back ? 1 : 2), scale);
    *out = y;
    return true;
}
