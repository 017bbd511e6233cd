/* fft/cpu/executor.c - execution of a transform of all lines of a tensor: any strides in, row-major
   out. Large ones are cut along their longest batch axis into pieces that depend on sizes alone;
   those over several axes without a batch take the row-column algorithm, whose passes have one. */
#include "fft/fft.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { PIECES = 64, WORTH_PIECES = 1 << 16, ROUND = 4 };

/* one pass over a tensor: which axes are transformed, from where to where */
typedef struct pass {
    int kind, sign;
    bool single;
    int ndim, n_axes;
    int *axes;            /* which; read alone but by who made them */
    const int64_t *n;     /* along axes: logical lengths */
    const int64_t *shape; /* of the batch axes */
    void *in, *out;
    const int64_t *is, *os;
    const agni_fft_factors *factors; /* NULL: by FFTW's plan of that kind */
} pass;

typedef struct transform_job {
    agni_fft_key key; /* without alignments; dim[cut].n is that of one piece */
    char *in, *out;
    int64_t in_bytes, out_bytes; /* of one element */
    int cut;
    int64_t whole, piece; /* sizes along the cut axis */
    const agni_fft_factors *factors;
    atomic_bool failed;
} transform_job;

/* executes the plan of key, or what has such factors; false without a plan */
static bool run_plan(const void *factors, agni_fft_key *key, char *in, char *out)
{
    if (factors)
        return agni_fft_run_folded(key, factors, in, out);
    if (agni_fft_splits(key))
        return agni_fft_run_split(key, in, out);
    key->align_in = agni_fft_alignment(key->single, in);
    key->align_out = agni_fft_alignment(key->single, out);
    agni_fft_plan *p = agni_fft_acquire(key, in, out);
    if (!p)
        return false;
    agni_fft_execute(p, in, out);
    agni_fft_release(p);
    return true;
}

/* a key is written and read as far as its axes go */
static void copy_key(agni_fft_key *to, const agni_fft_key *key)
{
    memcpy(to, key,
           offsetof(agni_fft_key, dim) + (size_t)(key->rank + key->many) * sizeof *key->dim);
}

static void run_piece(void *user, int64_t i, int worker)
{
    transform_job *q = user;
    (void)worker;
    agni_fft_key key;
    copy_key(&key, &q->key);
    char *in = q->in, *out = q->out;
    if (q->cut >= 0) {
        agni_fft_dim *d = &key.dim[q->cut];
        in += i * q->piece * d->is * q->in_bytes;
        out += i * q->piece * d->os * q->out_bytes;
        d->n = q->whole - i * q->piece < q->piece ? q->whole - i * q->piece : q->piece;
    }
    int across = agni_fft_find_columns(&key);
    bool done = q->cut >= 0 && across
                    ? agni_fft_run_columns(&key, across, in, out, q->in_bytes, run_plan, q->factors)
                    : run_plan(q->factors, &key, in, out);
    if (!done)
        atomic_store(&q->failed, true);
}

static bool is_transformed(const pass *w, int d)
{
    for (int k = 0; k < w->n_axes; k++)
        if (w->axes[k] == d)
            return true;
    return false;
}

/* fills the key; the number of lines */
static int64_t make_key(const pass *w, agni_fft_key *key)
{
    int64_t lines = 1;
    memset(key, 0, offsetof(agni_fft_key, dim)); /* keys are compared by bytes */
    key->kind = w->kind;
    key->sign = w->sign;
    key->single = w->single;
    key->in_place = w->in == w->out;
    key->rank = w->n_axes;
    for (int k = 0; k < w->n_axes; k++)
        key->dim[k] = (agni_fft_dim){w->n[k], w->is[w->axes[k]], w->os[w->axes[k]]};
    for (int d = 0; d < w->ndim; d++) {
        if (w->shape[d] == 1 || is_transformed(w, d))
            continue;
        agni_fft_dim *b = key->dim + key->rank + key->many;
        lines *= w->shape[d];
        if (key->many && b[-1].is == w->shape[d] * w->is[d] && b[-1].os == w->shape[d] * w->os[d]) {
            b[-1] = (agni_fft_dim){b[-1].n * w->shape[d], w->is[d],
                                   w->os[d]}; /* coalesced with the axis before */
            continue;
        }
        *b = (agni_fft_dim){w->shape[d], w->is[d], w->os[d]};
        key->many++;
    }
    return lines;
}

static agn_status run_pass(const char *op, const pass *w)
{
    transform_job q;
    int64_t lines = make_key(w, &q.key), size = lines;
    q.in = w->in;
    q.out = w->out;
    q.factors = w->factors;
    q.in_bytes = (w->kind == AGNI_R2C || w->kind == AGNI_R2R ? 1 : 2) * (w->single ? 4 : 8);
    q.out_bytes = (w->kind == AGNI_C2R || w->kind == AGNI_R2R ? 1 : 2) * (w->single ? 4 : 8);
    q.cut = -1;
    atomic_init(&q.failed, false);
    for (int k = 0; k < w->n_axes; k++)
        size *= w->n[k];
    if (lines == 0)
        return AGN_OK;
    if (!w->factors && w->n[0] >= WORTH_PIECES && agni_fft_splits(&q.key))
        return agni_fft_run_split(&q.key, q.in, q.out)
                   ? AGN_OK
                   : agni_nomem(op, (size_t)(w->n[0] * q.out_bytes));
    int64_t pieces = 1;
    if (size >= WORTH_PIECES && lines > 1) {
        q.cut = q.key.rank;
        for (int d = q.cut + 1; d < q.key.rank + q.key.many; d++)
            if (q.key.dim[d].n > q.key.dim[q.cut].n)
                q.cut = d;
        q.whole = q.key.dim[q.cut].n;
        q.piece = (q.whole + PIECES - 1) / PIECES;
        q.piece = (q.piece + ROUND - 1) / ROUND * ROUND;
        pieces = (q.whole + q.piece - 1) / q.piece;
    }
    agni_parallel_for(pieces, run_piece, &q);
    return atomic_load(&q.failed) ? agni_nomem(op, sizeof(agni_fft_key)) : AGN_OK;
}

/* too large for one core, and too few lines to share */
static bool wants_passes(const pass *w)
{
    int64_t lines = 1, size = 1;
    for (int d = 0; d < w->ndim; d++)
        if (!is_transformed(w, d))
            lines *= w->shape[d];
    for (int k = 0; k < w->n_axes; k++)
        size *= w->n[k];
    return w->n_axes > 1 && lines < ROUND && size >= WORTH_PIECES;
}

/* The axes of w together, or one after the other where they give threads something to share: the
   first from in to out, the others within out. */
static agn_status run_axes(const char *op, const pass *w, const int64_t *out_shape)
{
    if (!wants_passes(w))
        return run_pass(op, w);
    pass one = *w;
    one.n_axes = 1;
    agn_status st = run_pass(op, &one);
    for (int k = 1; !st && k < w->n_axes; k++) {
        one.axes = w->axes + k;
        one.n = w->n + k;
        one.shape = out_shape;
        one.in = w->out;
        one.is = w->os;
        if (one.kind == AGNI_R2C)
            one.kind = AGNI_C2C;
        st = run_pass(op, &one);
    }
    return st;
}

static int64_t count_elements(const int64_t *shape, int from, int to)
{
    int64_t n = 1;
    for (int d = from; d < to; d++)
        n *= shape[d];
    return n;
}

/* ---- kernels --------------------------------------------------------------------- */

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
static void reverse_axes(pass *w, int64_t *n)
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
static pass make_pass(int kind, int sign, bool single, const agn_array *x, const agn_array *y,
                      int *axes, const int64_t *n)
{
    return (pass){.kind = kind,
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
    pass w = make_pass(AGNI_R2C, -1, x->dtype == AGN_F32, x, y, axes, lengths);
    w.n_axes = read_axes(c, 1, axes);
    for (int k = 0; k < w.n_axes; k++)
        lengths[k] = x->shape[w.axes[k]];
    int axis = w.axes[0];
    if (count_elements(y->shape, 0, y->ndim) == 0)
        return AGN_OK;
    bool passes = wants_passes(&w);
    if (!passes)
        reverse_axes(&w, lengths); /* FFTW halves the last axis given */
    agn_status st = run_axes(c->op, &w, y->shape);
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
    pass w = make_pass(AGNI_C2R, 1, single, x, y, axes, &n);
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
            pass v = {.kind = AGNI_C2C,
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
            st = run_axes(c->op, &v, x->shape);
        } else {
            copy_row_major(room, x, bytes);
        }
        agni_fft_scale_bins(single, room, outer, x->shape[axis], inner, n, 1, c->reals[1]);
        w.in = room;
        w.is = stride;
    }
    if (!st)
        st = run_pass(c->op, &w);
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
    pass w = make_pass(AGNI_C2C, (int)c->ints[1], x->dtype == AGN_C64, x, y, axes, lengths);
    w.n_axes = read_axes(c, 2, axes);
    for (int k = 0; k < w.n_axes; k++)
        lengths[k] = x->shape[w.axes[k]];
    if (count_elements(y->shape, 0, y->ndim) == 0)
        return AGN_OK;
    agn_status st = run_axes(c->op, &w, y->shape);
    if (!st)
        agni_fft_scale_run(w.single, y->data, 2 * count_elements(y->shape, 0, y->ndim),
                           c->reals[0]);
    return st;
}

/* one axis after the other, from in to out and within it */
static agn_status fold_axes(const agn_kernel_call *c, const pass *w)
{
    const agni_r2r_kind *kind = &agni_r2r_kinds[c->ints[1]];
    agn_status st = AGN_OK;
    pass one = *w;
    agni_fft_factors f = {c->reals[0], kind->before ? c->reals[1] : 1,
                          kind->after ? c->reals[2] : 1};
    one.n_axes = 1;
    one.factors = &f;
    for (int k = 0; !st && k < w->n_axes; k++) {
        one.axes = w->axes + k;
        one.n = w->n + k;
        st = run_pass(c->op, &one);
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
    pass w = make_pass(AGNI_R2R, kind->fftw, x->dtype == AGN_F32, x, y, axes, lengths);
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
    agn_status st = run_axes(c->op, &w, y->shape);
    agni_free(room);
    if (!st) {
        for (int k = 0; k < w.n_axes; k++)
            agni_fft_scale_ends(w.single, y->data, y->shape, y->ndim, w.axes[k], kind->after,
                                c->reals[2]);
        agni_fft_scale_run(w.single, y->data, size, c->reals[0]);
    }
    return st;
}
