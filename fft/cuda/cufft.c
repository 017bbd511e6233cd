/* fft/cuda/cufft.c - Fourier transforms by cuFFT: contiguous lines along the last axis; other
   layouts are copied there and back. Plans are cached, the least recently used is evicted; what
   they work in is lent to them for a call. */
#include "fft/cuda/kernels.h"

#include <cufft.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { PLANS = 32 };

typedef struct plan {
    cufftType type;
    int32_t device;
    int64_t n, lines;
    cufftHandle handle;
    size_t room;   /* bytes that it works in */
    uint64_t used; /* time of the last use; 0: an empty slot */
} plan;
static plan plans[PLANS];
static uint64_t use_clock;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* a plan runs for one thread */

static agn_status cufft_status(const agn_kernel_call *c, cufftResult e)
{
    if (e == CUFFT_SUCCESS)
        return AGN_OK;
    char text[128];
    agn_status st = agni_cu_check(c->device, c->op, cudaGetLastError());
    if (st)
        return st;
    snprintf(text, sizeof text, "%s: cuFFT reports error %d", c->op, (int)e);
    return agn_backend_fail(e == CUFFT_ALLOC_FAILED ? AGN_ENOMEM : AGN_EDEVICE, text);
}

/* with lock held: the cached plan, or a new one in the slot least recently used */
static cufftResult find_plan(const agn_kernel_call *c, cufftType type, int64_t n, int64_t lines,
                             const plan **out)
{
    plan *p = &plans[0];
    for (int i = 0; i < PLANS; i++) {
        plan *q = &plans[i];
        if (q->used && q->type == type && q->device == c->device && q->n == n &&
            q->lines == lines) {
            q->used = ++use_clock;
            *out = q;
            return CUFFT_SUCCESS;
        }
        if (q->used < p->used)
            p = q;
    }
    if (p->used)
        (void)cufftDestroy(p->handle);
    p->used = 0;
    long long size = n;
    size_t room;
    cufftResult e = cufftCreate(&p->handle);
    if (e)
        return e;
    e = cufftSetAutoAllocation(p->handle, 0);
    if (!e)
        e = cufftMakePlanMany64(p->handle, 1, &size, NULL, 1, 0, NULL, 1, 0, type, lines, &room);
    if (e) {
        (void)cufftDestroy(p->handle);
        return e;
    }
    *p = (plan){type, c->device, n, lines, p->handle, room, ++use_clock};
    *out = p;
    return CUFFT_SUCCESS;
}

static agn_status execute_plan(const agn_kernel_call *c, cufftType type, int sign, int64_t n,
                               int64_t lines, void *in, void *out)
{
    const plan *p;
    void *room = NULL;
    agn_status st = AGN_OK;
    pthread_mutex_lock(&lock);
    cufftResult e = find_plan(c, type, n, lines, &p);
    cufftHandle h = e ? 0 : p->handle;
    if (!e)
        e = cufftSetStream(h, c->stream); /* of this call: streams may be the caller's */
    if (!e && p->room)
        st = agni_cu_scratch(c, p->room, &room);
    if (!e && !st && room)
        e = cufftSetWorkArea(h, room);
    if (!e && !st)
        switch (type) {
        case CUFFT_R2C: e = cufftExecR2C(h, in, out); break;
        case CUFFT_D2Z: e = cufftExecD2Z(h, in, out); break;
        case CUFFT_C2R: e = cufftExecC2R(h, in, out); break;
        case CUFFT_Z2D: e = cufftExecZ2D(h, in, out); break;
        case CUFFT_C2C: e = cufftExecC2C(h, in, out, sign); break;
        default: e = cufftExecZ2Z(h, in, out, sign);
        }
    pthread_mutex_unlock(&lock);
    agni_cu_scratch_free(c, room);
    return st ? st : cufft_status(c, e);
}

/* x with its axis moved to the end; shape and stride have room for its axes */
static agn_array move_axis_last(const agn_array *x, int axis, int64_t *shape, int64_t *stride)
{
    int k = 0;
    for (int d = 0; d < x->ndim; d++)
        if (d != axis) {
            shape[k] = x->shape[d];
            stride[k++] = x->stride[d];
        }
    shape[k] = x->shape[axis];
    stride[k] = x->stride[axis];
    return (agn_array){x->data, x->dtype, x->ndim, shape, stride};
}

static bool is_contiguous(const agn_array *x)
{
    int64_t step = 1;
    for (int d = x->ndim - 1; d >= 0; d--) {
        if (x->shape[d] != 1 && x->stride[d] != step)
            return false;
        step *= x->shape[d];
    }
    return true;
}

typedef struct work {
    agn_array in, out, to; /* out: what cuFFT writes; to: the result of the op */
    int64_t shape[2][AGN_MAX_RANK], stride[4][AGN_MAX_RANK];
    void *held[2];
} work;

/* cuFFT may write to the input of a transform to real numbers: that is always a copy */
static agn_status prepare_arrays(const agn_kernel_call *c, bool own_input, work *w)
{
    int axis = (int)c->ints[0] + c->in[0].ndim;
    agn_status st = AGN_OK;
    w->in = move_axis_last(&c->in[0], axis, w->shape[0], w->stride[0]);
    w->to = move_axis_last(&c->out[0], axis, w->shape[1], w->stride[1]);
    w->out = w->to;
    if (own_input || !is_contiguous(&w->in))
        st = agni_cu_make_dense(c, &w->in, w->stride[2], &w->held[0]);
    if (!st && !is_contiguous(&w->to)) {
        size_t bytes = (size_t)(agni_cu_size(&w->to) * agni_cu_bytes(w->to.dtype));
        st = agni_cu_scratch(c, bytes, &w->held[1]);
        int64_t step = 1;
        for (int d = w->to.ndim - 1; d >= 0; d--) {
            w->stride[3][d] = step;
            step *= w->to.shape[d];
        }
        w->out.data = w->held[1];
        w->out.stride = w->stride[3];
    }
    return st;
}

static agn_status copy_result_back(const agn_kernel_call *c, agn_status st, work *w)
{
    if (!st && w->held[1]) {
        agni_cu_walk k;
        agni_cu_make_walk(&k, &w->to, 1, &w->out);
        agni_cu_convert(&k, w->to.dtype, w->to.dtype, c->stream);
    }
    if (!st)
        st = agni_cu_check_launch(c);
    agni_cu_scratch_free(c, w->held[0]);
    agni_cu_scratch_free(c, w->held[1]);
    return st;
}

static agn_status run_transform(const agn_kernel_call *c, cufftType type, int sign)
{
    bool to_real = type == CUFFT_C2R || type == CUFFT_Z2D;
    bool from_real = type == CUFFT_R2C || type == CUFFT_D2Z;
    bool single = type == CUFFT_R2C || type == CUFFT_C2R || type == CUFFT_C2C;
    if (agni_cu_size(c->out) == 0)
        return AGN_OK;
    work w = {.held = {NULL, NULL}};
    int was = agni_cu_enter(c->device);
    agn_status st = prepare_arrays(c, to_real, &w);
    if (!st) {
        int64_t bins = (to_real ? w.in : w.out).shape[w.in.ndim - 1];
        int64_t n = (from_real ? w.in : w.out).shape[w.in.ndim - 1];
        int64_t lines = agni_cu_size(&w.out) / w.out.shape[w.out.ndim - 1];
        if (to_real)
            agni_cu_scale_bins(single, w.in.data, lines, bins, n, 1, c->reals[1], c->stream);
        st = execute_plan(c, type, sign, n, lines, w.in.data, w.out.data);
        if (from_real)
            agni_cu_scale_bins(single, w.out.data, lines, bins, n, c->reals[0], c->reals[1],
                               c->stream);
        else
            agni_cu_scale(single, w.out.data, agni_cu_size(&w.out) * (to_real ? 1 : 2),
                          c->reals[0], c->stream);
    }
    st = copy_result_back(c, st, &w);
    agni_cu_leave(was);
    return st;
}

/* the axes after the first, from integer k on, of what lies in y already */
static agn_status run_more_axes(const agn_kernel_call *c, int k, int sign, const agn_array *y)
{
    static const double one[] = {1, 1};
    agn_status st = AGN_OK;
    for (; !st && k < c->n_int; k++) {
        int64_t ints[] = {c->ints[k], sign};
        agn_kernel_call d = *c;
        d.in = d.out = y;
        d.ints = ints;
        d.n_int = 2;
        d.reals = one;
        d.n_real = 1;
        st = run_transform(&d, y->dtype == AGN_C64 ? CUFFT_C2C : CUFFT_Z2Z,
                           sign < 0 ? CUFFT_FORWARD : CUFFT_INVERSE);
    }
    return st;
}

static agn_status run_r2c(const agn_kernel_call *c)
{
    agn_status st = run_transform(c, c->in[0].dtype == AGN_F32 ? CUFFT_R2C : CUFFT_D2Z,
                                  CUFFT_FORWARD);
    return st ? st : run_more_axes(c, 1, -1, c->out);
}

/* The complex axes come first, in a copy. */
static agn_status run_c2r(const agn_kernel_call *c)
{
    cufftType type = c->in[0].dtype == AGN_C64 ? CUFFT_C2R : CUFFT_Z2D;
    if (c->n_int == 2 || agni_cu_size(c->in) == 0)
        return run_transform(c, type, CUFFT_INVERSE);
    int64_t stride[AGN_MAX_RANK];
    void *held = NULL;
    agn_array x = c->in[0];
    int was = agni_cu_enter(c->device);
    agn_status st = agni_cu_make_dense(c, &x, stride, &held);
    if (!st)
        st = run_more_axes(c, 2, 1, &x);
    agn_kernel_call d = *c;
    d.in = &x;
    d.n_int = 2;
    if (!st)
        st = run_transform(&d, type, CUFFT_INVERSE);
    agni_cu_scratch_free(c, held);
    agni_cu_leave(was);
    return st;
}

static agn_status run_c2c(const agn_kernel_call *c)
{
    int sign = c->ints[1] < 0 ? -1 : 1;
    agn_status st = run_transform(c, c->in[0].dtype == AGN_C64 ? CUFFT_C2C : CUFFT_Z2Z,
                                  sign < 0 ? CUFFT_FORWARD : CUFFT_INVERSE);
    return st ? st : run_more_axes(c, 2, sign, c->out);
}

static const agn_kernel_entry table[] = {
    {"fft_r2c", AGN_F32, true, run_r2c},  {"fft_r2c", AGN_F64, true, run_r2c},
    {"fft_c2r", AGN_C64, true, run_c2r},  {"fft_c2r", AGN_C128, true, run_c2r},
    {"fft_c2c", AGN_C64, true, run_c2c},  {"fft_c2c", AGN_C128, true, run_c2c},
};
const agni_cu_table agni_cu_transforms = {table, (int)(sizeof table / sizeof *table)};
