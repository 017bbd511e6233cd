/* fft/cpu/running_median.c - where the medians of overlapping frames lie, by one sort for some
   frames and a set of bits over its ranks: the next median is some set bits away (Huang, Yang &
   Tang 1979). Few values are kept in order themselves. Of equal values the earlier is the lower, as
   in a stable sort. */
#include "fft/cpu/running_median.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 96, FRAMES = 1024 }; /* values kept in order; frames of a piece at least */

typedef struct valued {
    double v;
    int64_t at;
} valued;

typedef struct median_job {
    const double *x;
    int64_t n, window, frames, piece, pieces;
    int64_t *at;
    bool *bad;
    atomic_bool failed;
} median_job;

static int in_order(const void *a, const void *b)
{
    const valued *p = a, *q = b;
    return p->v < q->v ? -1 : p->v > q->v ? 1 : p->at < q->at ? -1 : p->at > q->at;
}

/* the first of m values that is not before (v, at) */
static int64_t place_of(const valued *s, int64_t m, double v, int64_t at)
{
    int64_t lo = 0;
    while (m > 0) {
        int64_t half = m / 2;
        const valued *p = s + lo + half;
        bool before = p->v < v || (p->v == v && p->at < at);
        lo = before ? lo + half + 1 : lo;
        m = before ? m - half - 1 : half;
    }
    return lo;
}

/* frames from to from + count of a row, values kept in order */
static void run_few(const double *x, int64_t window, int64_t from, int64_t count, int64_t *at,
                    valued *s)
{
    for (int64_t k = 0; k < window; k++)
        s[k] = (valued){x[from + k], from + k};
    qsort(s, (size_t)window, sizeof *s, in_order);
    at[0] = s[window / 2].at;
    for (int64_t f = 1; f < count; f++) {
        int64_t old = from + f - 1, new = old + window;
        int64_t out = place_of(s, window, x[old], old);
        double v = x[new];
        int64_t in = out; /* from there to its place */
        for (; in + 1 < window && (s[in + 1].v < v || s[in + 1].v == v); in++)
            s[in] = s[in + 1];
        for (; in > 0 && s[in - 1].v > v; in--)
            s[in] = s[in - 1];
        s[in] = (valued){v, new};
        at[f] = s[window / 2].at;
    }
}

static int64_t next_bit(const uint64_t *bits, int64_t i)
{
    int64_t w = ++i >> 6;
    uint64_t rest = bits[w] & ~(uint64_t)0 << (i & 63);
    while (!rest)
        rest = bits[++w];
    return (w << 6) + __builtin_ctzll(rest);
}
static int64_t bit_before(const uint64_t *bits, int64_t i)
{
    int64_t w = --i >> 6;
    uint64_t rest = bits[w] & ~(uint64_t)0 >> (63 - (i & 63));
    while (!rest)
        rest = bits[--w];
    return (w << 6) + 63 - __builtin_clzll(rest);
}

/* the same by ranks among all samples that these frames see; rank of the median: window / 2 are
   below */
static void run_many(const double *x, int64_t window, int64_t from, int64_t count, int64_t *at,
                     valued *s, int64_t *rank, uint64_t *bits)
{
    int64_t all = window + count - 1, middle = 0;
    for (int64_t k = 0; k < all; k++)
        s[k] = (valued){x[from + k], from + k};
    qsort(s, (size_t)all, sizeof *s, in_order);
    for (int64_t k = 0; k < all; k++)
        rank[s[k].at - from] = k;
    memset(bits, 0, (size_t)(all / 64 + 1) * sizeof *bits);
    for (int64_t k = 0; k < window; k++)
        bits[rank[k] >> 6] |= (uint64_t)1 << (rank[k] & 63);
    int64_t below = 0;
    for (middle = bits[0] & 1 ? 0 : next_bit(bits, 0); below < window / 2; below++)
        middle = next_bit(bits, middle);
    at[0] = s[middle].at;
    for (int64_t f = 1; f < count; f++) {
        int64_t out = rank[f - 1], in = rank[f - 1 + window];
        bits[in >> 6] |= (uint64_t)1 << (in & 63);
        below += in < middle;
        /* the one that goes may be the median: its neighbour is there in its place before it
           goes */
        if (out == middle) {
            if (below > window / 2) {
                middle = bit_before(bits, middle);
                below--;
            } else {
                middle = next_bit(bits, middle);
            }
        } else {
            below -= out < middle;
        }
        bits[out >> 6] &= ~((uint64_t)1 << (out & 63));
        if (below > window / 2) {
            middle = bit_before(bits, middle);
            below--;
        } else if (below < window / 2) {
            middle = next_bit(bits, middle);
            below++;
        }
        at[f] = s[middle].at;
    }
}

static void run_frames(void *user, int64_t i, int worker)
{
    median_job *q = user;
    (void)worker;
    int64_t row = i / q->pieces, from = i % q->pieces * q->piece;
    int64_t count = q->frames - from < q->piece ? q->frames - from : q->piece,
            all = count + q->window - 1;
    const double *x = q->x + row * q->n;
    int64_t *at = q->at + row * q->frames + from;
    bool *bad = q->bad + row * q->frames + from, few = q->window <= FEW;
    valued some[FEW];
    char *room = few ? NULL : agni_alloc((size_t)all * (sizeof(valued) + 16) + 64);
    int64_t nans = 0;
    if (!few && !room) {
        atomic_store(&q->failed, true);
        return;
    }
    for (int64_t k = 0; k < q->window - 1; k++)
        nans += isnan(x[from + k]);
    for (int64_t f = 0, seen = nans; f < count; f++) {
        seen += isnan(x[from + f + q->window - 1]);
        bad[f] = seen > 0;
        nans += bad[f];
        seen -= isnan(x[from + f]);
    }
    if (nans) { /* NaN has no order: frame by frame, those with one somewhere */
        for (int64_t f = 0; f < count; f++) {
            at[f] = from + f;
            if (bad[f])
                continue;
            int64_t end = f + 1;
            while (end < count && !bad[end])
                end++;
            if (few)
                run_few(x, q->window, from + f, end - f, at + f, some);
            else
                run_many(x, q->window, from + f, end - f, at + f, (valued *)(void *)room,
                         (int64_t *)(void *)(room + all * (int64_t)sizeof(valued)),
                         (uint64_t *)(void *)(room + all * (int64_t)(sizeof(valued) + 8)));
            f = end - 1;
        }
    } else if (few) {
        run_few(x, q->window, from, count, at, some);
    } else {
        run_many(x, q->window, from, count, at, (valued *)(void *)room,
                 (int64_t *)(void *)(room + all * (int64_t)sizeof(valued)),
                 (uint64_t *)(void *)(room + all * (int64_t)(sizeof(valued) + 8)));
    }
    agni_free(room);
}

bool agni_signal_find_medians(const double *x, int64_t rows, int64_t n, int64_t window, int64_t *at,
                              bool *bad)
{
    median_job q = {
        .x = x, .n = n, .window = window, .frames = n - window + 1, .at = at, .bad = bad};
    atomic_init(&q.failed, false);
    q.piece = 4 * window > FRAMES ? 4 * window : FRAMES;
    q.pieces = (q.frames + q.piece - 1) / q.piece;
    agni_parallel_for(rows * q.pieces, run_frames, &q);
    return !atomic_load(&q.failed);
}
