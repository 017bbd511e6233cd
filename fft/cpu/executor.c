/* fft/cpu/executor.c - execution of a transform of all lines of a tensor: any strides in, any
   out. Large ones are cut along their longest batch axis into pieces that depend on sizes alone;
   those over several axes without a batch take the row-column algorithm, whose passes have one. */
#include "fft/cpu/executor.h"

#include <stddef.h>
#include <string.h>

enum { PIECES = 64, WORTH_PIECES = 1 << 16, ROUND = 4 };

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

static bool is_transformed(const agni_fft_pass *w, int d)
{
    for (int k = 0; k < w->n_axes; k++)
        if (w->axes[k] == d)
            return true;
    return false;
}

/* fills the key; the number of lines */
static int64_t make_key(const agni_fft_pass *w, agni_fft_key *key)
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

agn_status agni_fft_run_pass(const char *op, const agni_fft_pass *w)
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

bool agni_fft_wants_passes(const agni_fft_pass *w)
{
    int64_t lines = 1, size = 1;
    for (int d = 0; d < w->ndim; d++)
        if (!is_transformed(w, d))
            lines *= w->shape[d];
    for (int k = 0; k < w->n_axes; k++)
        size *= w->n[k];
    return w->n_axes > 1 && lines < ROUND && size >= WORTH_PIECES;
}

agn_status agni_fft_run_axes(const char *op, const agni_fft_pass *w, const int64_t *out_shape)
{
    if (!agni_fft_wants_passes(w))
        return agni_fft_run_pass(op, w);
    agni_fft_pass one = *w;
    one.n_axes = 1;
    agn_status st = agni_fft_run_pass(op, &one);
    for (int k = 1; !st && k < w->n_axes; k++) {
        one.axes = w->axes + k;
        one.n = w->n + k;
        one.shape = out_shape;
        one.in = w->out;
        one.is = w->os;
        if (one.kind == AGNI_R2C)
            one.kind = AGNI_C2C;
        st = agni_fft_run_pass(op, &one);
    }
    return st;
}
