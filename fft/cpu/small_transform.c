/* fft/cpu/small_transform.c - the short way of short transforms: contiguous numbers of the host
   along their last axis, nothing to record, cut off or convert. A call by the long way takes
   longer than FFTW for 64 points. */
#include "core/thread_record.h"
#include "core/threads/stack.h"
#include "fft/fft.h"
#include "tensor/dispatch/destination.h"
#include "tensor/value/handle_checks.h"
#include "tensor/value/trace_guards.h"

#include <stddef.h>
#include <string.h>

enum { MOST_ELEMENTS = (1 << 12) - 1 }; /* longer lines go by four_step.c */
enum { LINE = 64 };

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

/* A thread keeps the plan of its last short call in use: the next one needs neither a lock nor
   a line that other threads write, and says in one word what it wants. */
static agni_fft_plan *acquire_short(int kind, int sign, bool single, int64_t n, int64_t lines,
                                    void *in, void *out)
{
    int64_t bins = n / 2 + 1;
    agni_fft_key key;
    memset(&key, 0, offsetof(agni_fft_key, dim)); /* keys are compared by bytes */
    key.kind = kind;
    key.sign = sign;
    key.single = single;
    key.rank = 1;
    key.many = lines > 1;
    key.align_in = agni_fft_alignment(single, in);
    key.align_out = agni_fft_alignment(single, out);
    key.dim[0] = (agni_fft_dim){n, 1, 1};
    if (lines > 1)
        key.dim[1] =
            (agni_fft_dim){lines, kind == AGNI_C2R ? bins : n, kind == AGNI_R2C ? bins : n};
    return agni_fft_acquire(&key, in, out);
}

void agni_fft_release_short(agni_thread_record *a)
{
    agni_fft_plan *p = a ? a->short_plan : NULL;
    if (p) {
        a->short_plan = NULL;
        agni_fft_release(p);
    }
}

/* lines of n points side by side, each of both below 2^16; false without memory or a plan */
static bool run_lines(int kind, int sign, bool single, int64_t n, int64_t lines, void *in,
                      void *out)
{
    agni_thread_record *a = agni_thread_record_own;
    uint64_t call = (uint64_t)n << 48 | (uint64_t)lines << 32 |
                    (uint64_t)(uintptr_t)in % LINE << 16 | (uint64_t)(uintptr_t)out % LINE << 8 |
                    (uint64_t)kind << 2 | (uint64_t)(sign > 0) << 1 | single;
    agni_fft_plan *p = a && a->short_call == call ? a->short_plan : NULL;
    if (p && agni_fft_is_current(p)) {
        agni_fft_execute(p, in, out);
        return true;
    }
    p = acquire_short(kind, sign, single, n, lines, in, out);
    if (!p)
        return false;
    agni_fft_execute(p, in, out);
    if (a && agni_fft_is_current(p)) {
        agni_fft_release_short(a);
        a->short_call = call;
        a->short_plan = p;
        a->release_plan = agni_fft_release_short;
    } else {
        agni_fft_release(p);
    }
    return true;
}

bool agni_fft_run_small(agn_tensor **out, const char *name, const agni_op *op, int sign,
                        const agn_tensor *x, int64_t n, double scale, agn_status *st)
{
    bool real = op == &agni_op_fft_r2c, back = op == &agni_op_fft_c2r;
    int64_t shape[AGNI_MAX_RANK];
    if (agni_checking || agni_guards_current() || !agni_stack_is_deep() ||
        !(op->dtypes >> x->dtype & 1) || !is_plain(x) || agni_needs_recording(op, 1, &x))
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
    bool taken = agni_destination_current;
    if (taken && !(y = agni_destination_take(out, dtype, x->ndim, shape)))
        return false;
    *st = taken ? AGN_OK : agni_tensor_make(&y, name, dtype, x->ndim, shape, AGN_CPU);
    if (*st)
        return true;
    int kind = real ? AGNI_R2C : back ? AGNI_C2R : AGNI_C2C;
    if (!run_lines(kind, sign, single, n, lines, x->data, y->data)) {
        if (!taken)
            agn_release(y);
        *st = agni_nomem(name, sizeof(agni_fft_key));
        return true;
    }
    if (scale != 1)
        agni_fft_scale_run(single, y->data, y->size * (back ? 1 : 2), scale);
    *out = y;
    return true;
}
