/* fft/cuda/cufft.c - Fourier transforms by cuFFT: up to three axes at once, contiguous and last;
   other layouts are copied there and back, more axes go three by three. Plans are cached, the least
   recently used is evicted, but for those that a graph uses, which may run again at any time; what
   they work in is lent to them for a call. */
#include "fft/cuda/kernels.h"
#include "tensor/cuda/device.h"

#include <cufft.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { PLANS = 32, MOST_AXES = 3 };

typedef struct form {
    cufftType type;
    int rank;
    int64_t n[MOST_AXES], many; /* lengths of the axes, and how many such arrays */
} form;
typedef struct plan {
    form is;
    int32_t device;
    cufftHandle handle;
    size_t room;   /* bytes that it works in */
    bool kept;     /* by a graph */
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
    if (e == CUFFT_NOT_SUPPORTED)
        return agn_backend_fail(AGN_EUNSUPPORTED, "fft: graphs keep as many plans as they may");
    snprintf(text, sizeof text, "%s: cuFFT reports error %d", c->op, (int)e);
    return agn_backend_fail(e == CUFFT_ALLOC_FAILED ? AGN_ENOMEM : AGN_EDEVICE, text);
}

static bool is_same(const form *a, const form *b)
{
    bool same = a->type == b->type && a->rank == b->rank && a->many == b->many;
    for (int k = 0; k < a->rank; k++)
        same = same && a->n[k] == b->n[k];
    return same;
}

static cufftResult make_plan(const agn_kernel_call *c, const form *f, plan *p)
{
    long long n[MOST_AXES];
    for (int k = 0; k < f->rank; k++)
        n[k] = f->n[k];
    size_t room;
    cufftResult e = cufftCreate(&p->handle);
    if (e)
        return e;
    e = cufftSetAutoAllocation(p->handle, 0);
    if (!e)
        e = cufftMakePlanMany64(p->handle, f->rank, n, NULL, 1, 0, NULL, 1, 0, f->type, f->many,
                                &room);
    if (e) {
        (void)cufftDestroy(p->handle);
        return e;
    }
    *p = (plan){*f, c->device, p->handle, room, false, ++use_clock};
    return CUFFT_SUCCESS;
}

/* With lock held: the cached plan, or a new one in the slot least recently used. Graphs keep half of
   the slots at most: more of them is NOT_SUPPORTED. */
static cufftResult find_plan(const agn_kernel_call *c, const form *f, const plan **out)
{
    plan *p = NULL, *found = NULL;
    int kept = 0;
    for (int i = 0; i < PLANS; i++) {
        plan *q = &plans[i];
        kept += q->kept;
        if (q->used && q->device == c->device && is_same(&q->is, f))
            found = q;
        if (!q->kept && (!p || q->used < p->used))
            p = q;
    }
    const bool keep = agni_cu_is_forbidden();
    if (keep && kept == PLANS / 2 && !(found && found->kept))
        return CUFFT_NOT_SUPPORTED;
    cufftResult e = CUFFT_SUCCESS;
    if (!found) {
        if (p->used)
            (void)cufftDestroy(p->handle);
        p->used = 0;
        int was = agni_cu_begin_lasting();
        e = make_plan(c, f, p);
        agni_cu_end_lasting(was);
        found = p;
    }
    if (!e) {
        found->used = ++use_clock;
        found->kept = found->kept || keep;
    }
    *out = found;
    return e;
}

static agn_status execute_plan(const agn_kernel_call *c, const form *f, int sign, void *in,
                               void *out)
{
    const plan *p;
    void *room = NULL;
    agn_status st = AGN_OK;
    pthread_mutex_lock(&lock);
    cufftResult e = find_plan(c, f, &p);
    cufftHandle h = e ? 0 : p->handle;
    if (!e)
        e = cufftSetStream(h, c->stream); /* of this call: streams may be the caller's */
    if (!e && p->room)
        st = agni_cu_scratch(c, p->room, &room);
    if (!e && !st && room)
        e = cufftSetWorkArea(h, room);
    if (!e && !st)
        switch (f->type) {
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

/* x with n axes moved to the end, in their order; shape and stride have room for all */
static agn_array move_axes_last(const agn_array *x, const int64_t *axes, int n, int64_t *shape,
                                int64_t *stride)
{
    int k = 0;
    for (int d = 0; d < x->ndim + n; d++) {
        int from = d < x->ndim ? d : (int)axes[d - x->ndim] + x->ndim;
        bool moved = false;
        for (int i = 0; i < n && d < x->ndim; i++)
            moved = moved || axes[i] + x->ndim == d;
        if (moved)
            continue;
        shape[k] = x->shape[from];
        stride[k++] = x->stride[from];
    }
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
static agn_status prepare_arrays(const agn_kernel_call *c, const int64_t *axes, int n,
                                 bool own_input, work *w)
{
    agn_status st = AGN_OK;
    w->in = move_axes_last(&c->in[0], axes, n, w->shape[0], w->stride[0]);
    w->to = move_axes_last(&c->out[0], axes, n, w->shape[1], w->stride[1]);
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

/* Along axis ints[0] and those that follow in more[]. That of the halved spectrum is the last; the
   others rise, so that axes at the end stay where they are. */
static int order_axes(int64_t *axes, const agn_kernel_call *c, const int64_t *more, int n_more,
                      bool halved)
{
    int n = 0;
    for (int i = 0; i < n_more + !halved; i++) {
        int64_t axis = i < n_more ? more[i] : c->ints[0];
        int k = n++;
        for (; k > 0 && axes[k - 1] > axis; k--)
            axes[k] = axes[k - 1];
        axes[k] = axis;
    }
    if (halved)
        axes[n++] = c->ints[0];
    return n;
}

static agn_status run_transform(const agn_kernel_call *c, cufftType type, int sign,
                                const int64_t *more, int n_more)
{
    bool to_real = type == CUFFT_C2R || type == CUFFT_Z2D;
    bool from_real = type == CUFFT_R2C || type == CUFFT_D2Z;
    bool single = type == CUFFT_R2C || type == CUFFT_C2R || type == CUFFT_C2C;
    if (agni_cu_size(c->out) == 0)
        return AGN_OK;
    int64_t axes[MOST_AXES];
    form f = {.type = type, .many = 1};
    f.rank = order_axes(axes, c, more, n_more, to_real || from_real);
    work w = {.held = {NULL, NULL}};
    int was = agni_cu_enter(c->device);
    agn_status st = prepare_arrays(c, axes, f.rank, to_real, &w);
    if (!st) {
        const int last = w.in.ndim - 1, first = w.in.ndim - f.rank;
        const agn_array *full = from_real ? &w.in : &w.out, *half = to_real ? &w.in : &w.out;
        int64_t bins = half->shape[last], n = full->shape[last],
                lines = agni_cu_size(half) / bins;
        for (int d = 0; d <= last; d++)
            if (d < first)
                f.many *= full->shape[d];
            else
                f.n[d - first] = full->shape[d];
        if (to_real)
            agni_cu_scale_bins(single, w.in.data, lines, bins, n, 1, c->reals[1], c->stream);
        st = execute_plan(c, &f, sign, w.in.data, w.out.data);
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

/* those of the axes from integer k on that one plan takes beside another */
static int count_more(const agn_kernel_call *c, int k)
{
    int n = c->n_int - k;
    return n < MOST_AXES - 1 ? n : MOST_AXES - 1;
}

/* the axes from integer k on, of what lies in y already */
static agn_status run_more_axes(const agn_kernel_call *c, int k, int sign, const agn_array *y)
{
    static const double one[] = {1, 1};
    agn_status st = AGN_OK;
    for (; !st && k < c->n_int; k += MOST_AXES) {
        int64_t ints[] = {c->ints[k], sign};
        agn_kernel_call d = *c;
        d.in = d.out = y;
        d.ints = ints;
        d.n_int = 2;
        d.reals = one;
        d.n_real = 1;
        st = run_transform(&d, y->dtype == AGN_C64 ? CUFFT_C2C : CUFFT_Z2Z,
                           sign < 0 ? CUFFT_FORWARD : CUFFT_INVERSE, c->ints + k + 1,
                           count_more(c, k + 1));
    }
    return st;
}

static agn_status run_r2c(const agn_kernel_call *c)
{
    const int n = count_more(c, 1);
    agn_status st = run_transform(c, c->in[0].dtype == AGN_F32 ? CUFFT_R2C : CUFFT_D2Z,
                                  CUFFT_FORWARD, c->ints + 1, n);
    return st ? st : run_more_axes(c, 1 + n, -1, c->out);
}

/* Complex axes that do not go along come first, in a copy. */
static agn_status run_c2r(const agn_kernel_call *c)
{
    const cufftType type = c->in[0].dtype == AGN_C64 ? CUFFT_C2R : CUFFT_Z2D;
    const int n = count_more(c, 2);
    if (c->n_int == 2 + n || agni_cu_size(c->in) == 0)
        return run_transform(c, type, CUFFT_INVERSE, c->ints + 2, n);
    int64_t stride[AGN_MAX_RANK];
    void *held = NULL;
    agn_array x = c->in[0];
    int was = agni_cu_enter(c->device);
    agn_status st = agni_cu_make_dense(c, &x, stride, &held);
    if (!st)
        st = run_more_axes(c, 2 + n, 1, &x);
    agn_kernel_call d = *c;
    d.in = &x;
    if (!st)
        st = run_transform(&d, type, CUFFT_INVERSE, c->ints + 2, n);
    agni_cu_scratch_free(c, held);
    agni_cu_leave(was);
    return st;
}

static agn_status run_c2c(const agn_kernel_call *c)
{
    const int sign = c->ints[1] < 0 ? -1 : 1, n = count_more(c, 2);
    agn_status st = run_transform(c, c->in[0].dtype == AGN_C64 ? CUFFT_C2C : CUFFT_Z2Z,
                                  sign < 0 ? CUFFT_FORWARD : CUFFT_INVERSE, c->ints + 2, n);
    return st ? st : run_more_axes(c, 2 + n, sign, c->out);
}

static const agn_kernel_entry table[] = {
    {"fft_r2c", AGN_F32, true, run_r2c},  {"fft_r2c", AGN_F64, true, run_r2c},
    {"fft_c2r", AGN_C64, true, run_c2r},  {"fft_c2r", AGN_C128, true, run_c2r},
    {"fft_c2c", AGN_C64, true, run_c2c},  {"fft_c2c", AGN_C128, true, run_c2c},
};
const agni_cu_table agni_cu_transforms = {table, (int)(sizeof table / sizeof *table)};
