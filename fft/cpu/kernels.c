/* fft/cpu/kernels.c - the kernels of the four primitives: passes over their axes, scales, weights
   of results, and copies of operands that a pass would destroy. */
#include "fft/cpu/executor.h"

#include <string.h>

static int64_t count_elements(const int64_t *shape, int from, int to)
{
    int64_t n = 1;
    for (int d = from; d < to; d++)
        n *= shape[d];
    return n;
}

/* the axes of a call: the first, and those from integer number k on */
static int read_axes(const agn_kernel_call *c, int k, int *axes)
{
    int n = 1;
    axes[0] = (int)c->ints[0] + c->in->ndim;
    for (; k < c->n_int; k++)
        axes[n++] = (int)c->ints[k] + c->in->ndim;
    return n;
}

/* FFTW transforms its last axis first: by rows, then by columns */
static void reverse_axes(agni_fft_pass *w, int64_t *n)
{
    for (int i = 0, j = w->n_axes - 1; i < j; i++, j--) {
        int axis = w->axes[i];
        int64_t len = n[i];
        w->axes[i] = w->axes[j];
        n[i] = n[j];
        w->axes[j] = axis;
        n[j] = len;
    }
}

/* of whole operands; n_axes are filled in by who knows them */
static agni_fft_pass make_pass(int kind, int sign, bool single, const agn_array *x,
                               const agn_array *y, int *axes, const int64_t *n)
{
    return (agni_fft_pass){.kind = kind,
                  .sign = sign,
                  .single = single,
                  .ndim = x->ndim,
                  .axes = axes,
                  .n = n,
                  .shape = x->shape,
                  .in = x->data,
                  .out = y->data,
                  .is = x->stride,
                  .os = y->stride};
}

agn_status agni_cpu_r2c(const agn_kernel_call *c)
{
    const agn_array *x = c->in, *y = c->out;
    int64_t lengths[AGN_MAX_RANK];
    int axes[AGN_MAX_RANK];
    agni_fft_pass w = make_pass(AGNI_R2C, -1, x->dtype == AGN_F32, x, y, axes, lengths);
    w.n_axes = read_axes(c, 1, axes);
    for (int k = 0; k < w.n_axes; k++)
        lengths[k] = x->shape[w.axes[k]];
    int axis = w.axes[0];
    if (count_elements(y->shape, 0, y->ndim) == 0)
        return AGN_OK;
    bool passes = agni_fft_wants_passes(&w);
    if (!passes)
        reverse_axes(&w, lengths); /* FFTW halves the last axis given */
    agn_status st = agni_fft_run_axes(c->op, &w, y->shape);
    if (!st)
        agni_fft_scale_bins(w.single, y->data, count_elements(y->shape, 0, axis), y->shape[axis],
                            count_elements(y->shape, axis + 1, y->ndim), x->shape[axis],
                            c->reals[0], c->reals[1]);
    return st;
}

/* a row-major copy of elements */
static void copy_row_major(char *to, const agn_array *x, int64_t bytes)
{
    int64_t at[AGN_MAX_RANK] = {0}, size = count_elements(x->shape, 0, x->ndim);
    int64_t len = x->shape[x->ndim - 1], step = x->stride[x->ndim - 1];
    const char *p = x->data;
    for (int64_t done = 0; done < size; done += len, to += len * bytes) {
        for (int64_t i = 0; i < len; i++)
            memcpy(to + i * bytes, p + i * step * bytes, (size_t)bytes);
        for (int d = x->ndim - 2; d >= 0; d--) {
            p += x->stride[d] * bytes;
            if (++at[d] < x->shape[d])
                break;
            p -= at[d] * x->stride[d] * bytes;
            at[d] = 0;
        }
    }
}

static void row_major_strides(const agn_array *x, int64_t *stride)
{
    int64_t step = 1;
    for (int d = x->ndim - 1; d >= 0; d--) {
        stride[d] = step;
        step *= x->shape[d];
    }
}

/* A transform of several axes to real numbers has complex passes first, into room of its own. */
agn_status agni_cpu_c2r(const agn_kernel_call *c)
{
    const agn_array *x = c->in, *y = c->out;
    bool single = x->dtype == AGN_C64;
    int axes[AGN_MAX_RANK], n_axes = read_axes(c, 2, axes), axis = axes[0];
    int64_t n = y->shape[axis], outer = count_elements(x->shape, 0, axis);
    int64_t inner = count_elements(x->shape, axis + 1, x->ndim), bytes = single ? 8 : 16;
    int64_t size = outer * inner * x->shape[axis], stride[AGN_MAX_RANK], lengths[AGN_MAX_RANK];
    agni_fft_pass w = make_pass(AGNI_C2R, 1, single, x, y, axes, &n);
    w.n_axes = 1;
    char *room = NULL;
    agn_status st = AGN_OK;
    if (size == 0)
        return AGN_OK;
    if (c->reals[1] != 1 || n_axes > 1) {
        if (!(room = agni_alloc_aligned((size_t)(size * bytes))))
            return agni_nomem(c->op, (size_t)(size * bytes));
        row_major_strides(x, stride);
        if (n_axes > 1) {
            agni_fft_pass v = {.kind = AGNI_C2C,
                      .sign = 1,
                      .single = single,
                      .ndim = x->ndim,
                      .n_axes = n_axes - 1,
                      .axes = axes + 1,
                      .n = lengths,
                      .shape = x->shape,
                      .in = x->data,
                      .out = room,
                      .is = x->stride,
                      .os = stride};
            for (int k = 1; k < n_axes; k++)
                lengths[k - 1] = x->shape[axes[k]];
            st = agni_fft_run_axes(c->op, &v, x->shape);
        } else {
            copy_row_major(room, x, bytes);
        }
        agni_fft_scale_bins(single, room, outer, x->shape[axis], inner, n, 1, c->reals[1]);
        w.in = room;
        w.is = stride;
    }
    if (!st)
        st = agni_fft_run_pass(c->op, &w);
    agni_free(room);
    if (!st)
        agni_fft_scale_run(single, y->data, outer * inner * n, c->reals[0]);
    return st;
}

agn_status agni_cpu_c2c(const agn_kernel_call *c)
{
    const agn_array *x = c->in, *y = c->out;
    int64_t lengths[AGN_MAX_RANK];
    int axes[AGN_MAX_RANK];
    agni_fft_pass w =
        make_pass(AGNI_C2C, (int)c->ints[1], x->dtype == AGN_C64, x, y, axes, lengths);
    w.n_axes = read_axes(c, 2, axes);
    for (int k = 0; k < w.n_axes; k++)
        lengths[k] = x->shape[w.axes[k]];
    if (count_elements(y->shape, 0, y->ndim) == 0)
        return AGN_OK;
    agn_status st = agni_fft_run_axes(c->op, &w, y->shape);
    if (!st)
        agni_fft_scale_run(w.single, y->data, 2 * count_elements(y->shape, 0, y->ndim),
                           c->reals[0]);
    return st;
}

/* one axis after the other, from in to out and within it */
static agn_status fold_axes(const agn_kernel_call *c, const agni_fft_pass *w)
{
    const agni_r2r_kind *kind = &agni_r2r_kinds[c->ints[1]];
    agn_status st = AGN_OK;
    agni_fft_pass one = *w;
    agni_fft_factors f = {c->reals[0], kind->before ? c->reals[1] : 1,
                          kind->after ? c->reals[2] : 1};
    one.n_axes = 1;
    one.factors = &f;
    for (int k = 0; !st && k < w->n_axes; k++) {
        one.axes = w->axes + k;
        one.n = w->n + k;
        st = agni_fft_run_pass(c->op, &one);
        f.scale = 1;
        one.in = w->out;
        one.is = w->os;
    }
    return st;
}

agn_status agni_cpu_r2r(const agn_kernel_call *c)
{
    const agn_array *x = c->in, *y = c->out;
    const agni_r2r_kind *kind = &agni_r2r_kinds[c->ints[1]];
    int64_t lengths[AGN_MAX_RANK], stride[AGN_MAX_RANK];
    int64_t bytes = x->dtype == AGN_F32 ? 4 : 8, size = count_elements(y->shape, 0, y->ndim);
    int axes[AGN_MAX_RANK];
    agni_fft_pass w = make_pass(AGNI_R2R, kind->fftw, x->dtype == AGN_F32, x, y, axes, lengths);
    w.n_axes = read_axes(c, 2, axes);
    for (int k = 0; k < w.n_axes; k++)
        lengths[k] = x->shape[w.axes[k]];
    char *room = NULL;
    bool folds = true;
    for (int k = 0; k < w.n_axes; k++)
        folds = folds && agni_fft_folds(kind->fftw, lengths[k]);
    if (size == 0)
        return AGN_OK;
    if (folds)
        return fold_axes(c, &w);
    if (c->reals[1] != 1) {
        if (!(room = agni_alloc_aligned((size_t)(size * bytes))))
            return agni_nomem(c->op, (size_t)(size * bytes));
        copy_row_major(room, x, bytes);
        row_major_strides(x, stride);
        for (int k = 0; k < w.n_axes; k++)
            agni_fft_scale_ends(w.single, room, x->shape, x->ndim, w.axes[k], kind->before,
                                c->reals[1]);
        w.in = room;
        w.is = stride;
    }
    agn_status st = agni_fft_run_axes(c->op, &w, y->shape);
    agni_free(room);
    if (!st) {
        for (int k = 0; k < w.n_axes; k++)
            agni_fft_scale_ends(w.single, y->data, y->shape, y->ndim, w.axes[k], kind->after,
                                c->reals[2]);
        agni_fft_scale_run(w.single, y->data, size, c->reals[0]);
    }
    return st;
}
