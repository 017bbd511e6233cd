/* tensor/index/nonzero.c - positions of true elements (stream compaction): counted by pieces,
   prefix sums of the counts, then written by pieces at known offsets. */
#include "tensor/index/nonzero.h"

#include <string.h>

enum { PIECE = 1 << 15, WORTH_THREADS = 4 * PIECE };

static int64_t count_pieces(const agni_nonzero_pieces *p)
{
    return (p->size + PIECE - 1) / PIECE;
}
static int64_t piece_end(const agni_nonzero_pieces *p, int64_t piece)
{
    return p->size - piece * PIECE < PIECE ? p->size : (piece + 1) * PIECE;
}

static void run_pieces(const agni_nonzero_pieces *p, agni_job *job, void *user)
{
    if (p->size >= WORTH_THREADS)
        agni_parallel_for(count_pieces(p), job, user);
    else
        for (int64_t i = 0; i < count_pieces(p); i++)
            job(user, i, 0);
}

static int64_t count_true(const bool *v, int64_t n)
{
    enum {
        WORD = 8,
        MOST = 255
    }; /* eight bytes are added in one word until a byte might overflow */
    int64_t count = 0, i = 0;
    while (i + WORD <= n) {
        uint64_t sum = 0, word;
        for (int k = 0; k < MOST && i + WORD <= n; k++, i += WORD) {
            memcpy(&word, v + i, WORD);
            sum += word;
        }
        for (int k = 0; k < WORD; k++)
            count += (int64_t)(sum >> 8 * k & 0xff);
    }
    for (; i < n; i++)
        count += v[i];
    return count;
}

static void count_piece(void *user, int64_t piece, int worker)
{
    agni_nonzero_pieces *p = user;
    (void)worker;
    p->before[piece + 1] = count_true(p->v + piece * PIECE, piece_end(p, piece) - piece * PIECE);
}

agn_status agni_nonzero_count(agni_nonzero_pieces *p, const char *op, const bool *v, int ndim,
                            const int64_t *shape)
{
    *p = (agni_nonzero_pieces){.v = v, .shape = shape, .ndim = ndim, .size = 1};
    for (int d = 0; d < ndim; d++)
        p->size *= shape[d];
    size_t bytes = (size_t)(count_pieces(p) + 1) * sizeof *p->before;
    if (!(p->before = agni_alloc(bytes)))
        return agni_nomem(op, bytes);
    p->before[0] = 0;
    run_pieces(p, count_piece, p);
    for (int64_t k = 0; k < count_pieces(p); k++)
        p->before[k + 1] += p->before[k];
    p->count = p->before[count_pieces(p)];
    return AGN_OK;
}

typedef struct putting {
    const agni_nonzero_pieces *p;
    int64_t *const *to;
    int64_t step;
} putting;

/* Branch-free compaction: index j + i is written at k, which advances where v[i] is true; up to k =
   end. */
static inline int64_t write_row(int64_t *to, int64_t step, int64_t k, int64_t end, const bool *v,
                              int64_t j, int64_t n)
{
    for (int64_t i = 0; i < n && k < end; i++) {
        to[k * step] = j + i;
        k += v[i];
    }
    return k;
}

static void write_piece(void *user, int64_t piece, int worker)
{
    const putting *q = user;
    const agni_nonzero_pieces *p = q->p;
    int64_t at[AGNI_MAX_RANK], i = piece * PIECE, end = piece_end(p, piece);
    int64_t k = p->before[piece], last = p->before[piece + 1];
    (void)worker;
    int d = p->ndim - 1;
    for (int64_t e = d, rest = i; e >= 0; rest /= p->shape[e--])
        at[e] = rest % p->shape[e];
    while (i < end && k < last) {
        int64_t left = p->shape[d] - at[d], n = left < end - i ? left : end - i, first = k;
        k = q->step == 1 ? write_row(q->to[d], 1, k, last, p->v + i, at[d], n)
                         : write_row(q->to[d], q->step, k, last, p->v + i, at[d], n);
        for (int e = 0; e < d; e++)
            for (int64_t c = first; c < k; c++)
                q->to[e][c * q->step] = at[e];
        i += n;
        at[d] = 0;
        for (int e = d - 1; e >= 0 && ++at[e] == p->shape[e]; e--)
            at[e] = 0;
    }
}

void agni_nonzero_write(const agni_nonzero_pieces *p, int64_t *const *to, int64_t step)
{
    putting q = {p, to, step};
    if (p->count > 0 && p->ndim > 0)
        run_pieces(p, write_piece, &q);
}

void agni_nonzero_free(agni_nonzero_pieces *p)
{
    agni_free(p->before);
    p->before = NULL;
}
