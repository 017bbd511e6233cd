/* fft/cpu/executor.c - execution of a transform of all lines of a tensor: any strides in, row-major
   out. Large ones are cut along their longest batch axis into pieces that depend on sizes alone. */
#include "fft/fft.h"

#include <math.h>
#include <string.h>

enum { PIECES = 64, WORTH_PIECES = 1 << 16, ROUND = 4 };

typedef struct transform_job {
    agni_fft_key key; /* without alignments; batch[cut].n is that of one piece */
    char *in, *out;
    int64_t in_bytes, out_bytes; /* of one element */
    int cut;
    int64_t whole, piece; /* sizes along the cut axis */
    atomic_bool failed;
} transform_job;

static void run_piece(void *user, int64_t i, int worker)
{
    transform_job *q = user;
    (void)worker;
    agni_fft_key key = q->key;
    char *in = q->in, *out = q->out;
    if (q->cut >= 0) {
        agni_fft_dim *d = &key.batch[q->cut];
        in += i * q->piece * d->is * q->in_bytes;
        out += i * q->piece * d->os * q->out_bytes;
        d->n = q->whole - i * q->piece < q->piece ? q->whole - i * q->piece : q->piece;
    }
    key.align_in = agni_fft_alignment(key.single, in);
    key.align_out = agni_fft_alignment(key.single, out);
    agni_fft_plan *p = agni_fft_acquire(&key, in, out);
    if (!p) {
        atomic_store(&q->failed, true);
        return;
    }
    agni_fft_execute(p, in, out);
    agni_fft_release(p);
}

/* transforms the lines of x along axis (strides sx; other sizes are those of y) to y */
static agn_status transform_lines(const char *op, int kind, int sign, bool single, int64_t n,
                                  int axis, int ndim, const int64_t *shape, void *in,
                                  const int64_t *sx, void *out, const int64_t *sy)
{
    transform_job q;
    memset(&q.key, 0, sizeof q.key); /* keys are compared by bytes */
    q.key.kind = kind;
    q.key.sign = sign;
    q.key.single = single;
    q.key.line = (agni_fft_dim){n, sx[axis], sy[axis]};
    q.in = in;
    q.out = out;
    q.in_bytes = (kind == AGNI_R2C ? 1 : 2) * (single ? 4 : 8);
    q.out_bytes = (kind == AGNI_C2R ? 1 : 2) * (single ? 4 : 8);
    q.cut = -1;
    atomic_init(&q.failed, false);
    int64_t lines = 1;
    for (int d = 0; d < ndim; d++) {
        if (d == axis || shape[d] == 1)
            continue;
        agni_fft_dim *b = q.key.batch + q.key.rank;
        lines *= shape[d];
        if (q.key.rank && b[-1].is == shape[d] * sx[d] &&
            b[-1].os == shape[d] * sy[d]) {
            b[-1] = (agni_fft_dim){b[-1].n * shape[d], sx[d],
                                   sy[d]}; /* coalesced with the axis before */
            continue;
        }
        *b = (agni_fft_dim){shape[d], sx[d], sy[d]};
        q.key.rank++;
    }
    if (lines == 0)
        return AGN_OK;
    int64_t pieces = 1;
    if (lines * n >= WORTH_PIECES && lines > 1) {
        q.cut = 0;
        for (int d = 1; d < q.key.rank; d++)
            if (q.key.batch[d].n > q.key.batch[q.cut].n)
                q.cut = d;
        q.whole = q.key.batch[q.cut].n;
        q.piece = (q.whole + PIECES - 1) / PIECES;
        q.piece = (q.piece + ROUND - 1) / ROUND * ROUND;
        pieces = (q.whole + q.piece - 1) / q.piece;
    }
    agni_parallel_for(pieces, run_piece, &q);
    return atomic_load(&q.failed) ? agni_nomem(op, sizeof(agni_fft_key)) : AGN_OK;
}

/* ---- scales ---------------------------------------------------------------------- */

static void scale_run(bool single, char *p, int64_t reals, double f)
{
    if (f == 1)
        return;
    if (single)
        for (int64_t i = 0; i < reals; i++)
            ((float *)(void *)p)[i] *= (float)f;
    else
        for (int64_t i = 0; i < reals; i++)
            ((double *)(void *)p)[i] *= f;
}

/* multiplies row-major bins along an axis by f, the inside ones by f w */
static void scale_bins(bool single, char *p, int64_t outer, int64_t bins, int64_t inner,
                       int64_t n, double f, double w)
{
    int64_t real = single ? 4 : 8, step = 2 * inner;
    if (w == 1) {
        scale_run(single, p, outer * bins * step, f);
        return;
    }
    int64_t ends = n % 2 ? bins : bins - 1; /* inside is [1, ends) */
    for (int64_t o = 0; o < outer; o++, p += bins * step * real) {
        scale_run(single, p, step, f);
        if (ends > 1)
            scale_run(single, p + step * real, (ends - 1) * step, f * w);
        if (bins > 1)
            scale_run(single, p + ends * step * real, (bins - ends) * step, f);
    }
}

static int64_t count_elements(const int64_t *shape, int from, int to)
{
    int64_t n = 1;
    for (int d = from; d < to; d++)
        n *= shape[d];
    return n;
}

/* ---- kernels --------------------------------------------------------------------- */

agn_status agni_cpu_r2c(const agn_kernel_call *c)
{
    const agn_array *x = c->in, *y = c->out;
    int axis = (int)c->ints[0] + x->ndim;
    bool single = x->dtype == AGN_F32;
    int64_t n = x->shape[axis], outer = count_elements(y->shape, 0, axis);
    int64_t inner = count_elements(y->shape, axis + 1, y->ndim);
    agn_status st = transform_lines(c->op, AGNI_R2C, -1, single, n, axis, x->ndim, y->shape,
                                    x->data, x->stride, y->data, y->stride);
    if (!st)
        scale_bins(single, y->data, outer, y->shape[axis], inner, n, c->reals[0],
                   c->reals[1]);
    return st;
}

/* a row-major copy of complex x */
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

agn_status agni_cpu_c2r(const agn_kernel_call *c)
{
    const agn_array *x = c->in, *y = c->out;
    int axis = (int)c->ints[0] + x->ndim;
    bool single = x->dtype == AGN_C64;
    int64_t n = y->shape[axis], outer = count_elements(x->shape, 0, axis);
    int64_t inner = count_elements(x->shape, axis + 1, x->ndim), bytes = single ? 8 : 16;
    int64_t size = outer * inner * x->shape[axis], stride[AGN_MAX_RANK];
    const int64_t *sx = x->stride;
    char *in = x->data, *room = NULL;
    if (size == 0)
        return AGN_OK;
    if (c->reals[1] != 1) {
        if (!(room = agni_alloc_aligned((size_t)(size * bytes))))
            return agni_nomem(c->op, (size_t)(size * bytes));
        int64_t step = 1;
        for (int d = x->ndim - 1; d >= 0; d--, step *= x->shape[d + 1])
            stride[d] = step;
        copy_row_major(room, x, bytes);
        scale_bins(single, room, outer, x->shape[axis], inner, n, 1, c->reals[1]);
        in = room;
        sx = stride;
    }
    agn_status st = transform_lines(c->op, AGNI_C2R, 1, single, n, axis, x->ndim, y->shape, in, sx,
                                    y->data, y->stride);
    agni_free(room);
    if (!st)
        scale_run(single, y->data, outer * inner * n, c->reals[0]);
    return st;
}

agn_status agni_cpu_c2c(const agn_kernel_call *c)
{
    const agn_array *x = c->in, *y = c->out;
    int axis = (int)c->ints[0] + x->ndim;
    bool single = x->dtype == AGN_C64;
    agn_status st = transform_lines(c->op, AGNI_C2C, (int)c->ints[1], single, x->shape[axis], axis,
                                    x->ndim, y->shape, x->data, x->stride, y->data, y->stride);
    if (!st)
        scale_run(single, y->data, 2 * count_elements(y->shape, 0, y->ndim), c->reals[0]);
    return st;
}
