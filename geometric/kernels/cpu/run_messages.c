/* geometric/kernels/cpu/run_messages.c - message passing on the host: feature axes collapsed into
   blocks, rows of the result shared by threads. Each element is reduced by one thread in the order
   of the edges, so that results do not depend on the number of threads. */
#include "config.h"

#include "geometric/kernels/kernels.h"

#include "core/device/cpu_level.h"
#include "sparse/products/products.h"
#include "tensor/cpu/level_dispatch.h"
#include "tensor/reduce/cpu/softmax.h"

#include <string.h>

static const agni_message_kernels *select_kernels(const agn_graph *g, int dtype)
{
    static const agni_message_table *const levels[] = {
        [AGNI_CPU_BASE] = &agni_messages_base,
#ifdef AGNI_HAVE_AVX2
        [AGNI_CPU_AVX2] = &agni_messages_avx2,
#endif
#ifdef AGNI_HAVE_AVX512
        [AGNI_CPU_AVX512] = &agni_messages_avx512,
#endif
    };
    int k = dtype == AGN_F32 ? 0 : dtype == AGN_F64 ? 1 : dtype == AGN_I32 ? 2 : 3;
    return &(*levels[agni_cpu_level_below(AGNI_COUNT(levels))])[g->wide][k];
}

/* ---- features: axes whose neighbours lie alike in every operand are one --------------------- */

enum { ARRAYS = AGNI_MESSAGE_OPERANDS + 1, RESULT = AGNI_MESSAGE_OPERANDS };

typedef struct axes {
    int n;
    int64_t size[AGNI_MAX_RANK], stride[ARRAYS][AGNI_MAX_RANK];
} axes;

static int64_t feature_strides(const agn_array *x, int features, int64_t *stride)
{
    int64_t width = 1;
    for (int d = features - 1; d >= 0; d--) {
        int64_t n = x->shape[x->ndim - features + d];
        stride[d] = n == 1 ? 0 : width;
        width *= n;
    }
    return width;
}

/* axes of one element are dropped */
static void collapse_axes(axes *to, const axes *from, int arrays, const int *which)
{
    to->n = 0;
    for (int d = 0; d < from->n; d++) {
        if (from->size[d] == 1)
            continue;
        bool joins = to->n > 0;
        for (int k = 0; joins && k < arrays; k++)
            joins = to->stride[which[k]][to->n - 1] == from->stride[which[k]][d] * from->size[d];
        if (joins)
            to->size[to->n - 1] *= from->size[d];
        else
            to->size[to->n++] = from->size[d];
        for (int k = 0; k < arrays; k++)
            to->stride[which[k]][to->n - 1] = from->stride[which[k]][d];
    }
}

/* ---- a call --------------------------------------------------------------------------------- */

typedef struct job {
    agni_message_rows rows;
    agni_message_fn *run;
    const agn_kernel_call *c;
    agni_graph_form f;
    int64_t n, shares, bytes; /* rows of the result in one part of the batch */
} job;

enum { WORTH_A_THREAD = 1 << 14 /* elements of messages */, SHARES_A_THREAD = 32 };

/* A share ends what is asked for ahead and begins by a search: few for each thread, enough for all
   to end together. */
int64_t agni_count_shares(int64_t work, int64_t rows)
{
    int64_t shares = work / WORTH_A_THREAD + 1,
            most = SHARES_A_THREAD * (int64_t)agni_parallel_width();
    shares = shares < most ? shares : most;
    return shares < rows ? shares : rows;
}

bool agni_is_worth_threads(int64_t work)
{
    return work >= 2 * WORTH_A_THREAD;
}

int64_t agni_split_rows(const agn_graph *g, const void *begin, int64_t n, int64_t k, int64_t shares)
{
    int64_t lo = 0, hi = n;
    if (k >= shares)
        return n;
    if (!begin)
        return (int64_t)((double)n * (double)k / (double)shares);
    double at = (double)(g->edges + n) * (double)k / (double)shares;
    while (lo < hi) {
        int64_t mid = lo + (hi - lo) / 2;
        if ((double)(agni_read_index(begin, g->wide, mid) + mid) < at)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static void run_share(void *user, int64_t k, int worker)
{
    const job *q = user;
    agni_message_rows r = q->rows;
    const agn_array *y = q->c->out;
    int64_t b = k / q->shares;
    int own = 1 + q->f.features;
    (void)worker;
    for (int i = 0; i < q->f.operands; i++)
        r.x[i] = (const char *)r.x[i] + agni_batch_offset(q->c->in + i, own, y, own, b) * q->bytes;
    r.y = (char *)r.y + b * q->n * r.y_width * q->bytes;
    int64_t share = k % q->shares;
    q->run(&r, agni_split_rows(q->f.g, r.begin, q->n, share, q->shares),
           agni_split_rows(q->f.g, r.begin, q->n, share + 1, q->shares));
}

static agn_status run_rows(job *q)
{
    const agn_array *y = q->c->out;
    int64_t batch = 1,
            work = q->f.g->edges * q->rows.n * q->rows.blocks + q->n * (q->rows.y_width + 1);
    for (int d = 0; d < y->ndim - 1 - q->f.features; d++)
        batch *= y->shape[d];
    q->shares = agni_count_shares(work, q->n);
    if (!agni_is_worth_threads(batch * work))
        for (int64_t k = 0; k < batch * q->shares; k++)
            run_share(q, k, 0);
    else
        agni_parallel_for(batch * q->shares, run_share, q);
    return AGN_OK;
}

/* where the rows of operands are */
static agn_status find_rows(job *q)
{
    const agn_graph *g = q->f.g;
    const agni_incidence *t = NULL;
    if (q->f.to != AGN_GRAPH_EDGE && !(t = agni_graph_incidence(g, (int)q->f.to)))
        return agni_nomem(q->c->op, (size_t)g->edges * 2 * sizeof(int64_t));
    q->rows.begin = t ? t->begin : NULL;
    for (int i = 0; i < q->f.operands; i++)
        if (t && t->in_order && q->f.at[i] == AGN_GRAPH_EDGE)
            q->rows.along[i] = true;
        else if (q->f.at[i] != q->f.to)
            q->rows.at[i] = !t                             ? g->end[q->f.at[i]]
                            : q->f.at[i] == AGN_GRAPH_EDGE ? t->edge
                                                           : t->other;
    return AGN_OK;
}

/* The last axis that is left is the block; *own is where the others begin, unless they fit few. */
static agn_status find_blocks(job *q, int64_t (*few)[4], int64_t **own, bool *summed)
{
    axes all = {.n = q->f.features}, left;
    int which[ARRAYS], arrays = 0;
    for (int i = 0; i < ARRAYS; i++) {
        if (i >= q->f.operands && i != RESULT)
            continue;
        const agn_array *x = i == RESULT ? q->c->out : q->c->in + i;
        int64_t width = feature_strides(x, all.n, all.stride[i]);
        which[arrays++] = i;
        if (i == RESULT)
            q->rows.y_width = width;
        else
            q->rows.width[i] = width;
        for (int d = 0; d < all.n; d++)
            if (i == which[0] || x->shape[x->ndim - all.n + d] != 1)
                all.size[d] = x->shape[x->ndim - all.n + d];
    }
    *summed = false;
    for (int d = 0; d < all.n; d++)
        *summed |= all.size[d] != 1 && q->c->out->shape[q->c->out->ndim - all.n + d] == 1;
    collapse_axes(&left, &all, arrays, which);
    int last = left.n - 1;
    q->rows.n = left.n ? left.size[last] : 1;
    q->rows.blocks = 1;
    for (int d = 0; d < last; d++)
        q->rows.blocks *= left.size[d];
    bool small = q->rows.blocks <= 4;
    if (!small && !(*own = agni_alloc((size_t)(q->rows.blocks * ARRAYS) * sizeof **own)))
        return agni_nomem(q->c->op, (size_t)(q->rows.blocks * ARRAYS) * sizeof **own);
    for (int k = 0; k < arrays; k++) {
        int i = which[k];
        int64_t *shift = small ? few[i] : *own + i * q->rows.blocks;
        int32_t step = !left.n || left.stride[i][last] != 0;
        if (i == RESULT)
            q->rows.y_step = step;
        else
            q->rows.step[i] = step;
        q->rows.shift[i] = shift;
        for (int64_t b = 0; b < q->rows.blocks; b++) {
            int64_t rest = b;
            shift[b] = 0;
            for (int d = last - 1; d >= 0; d--) {
                shift[b] += rest % left.size[d] * left.stride[i][d];
                rest /= left.size[d];
            }
        }
    }
    return AGN_OK;
}

static agn_status run_messages(const agn_kernel_call *c, bool ties)
{
    job q = {.c = c, .bytes = agni_dtypes[c->out->dtype].bytes};
    int64_t few[ARRAYS][4], *own = NULL;
    bool summed;
    agni_graph_read_form(&q.f, c->op, c->n_int, c->ints, c->object);
    q.n = agni_graph_count(q.f.g, q.f.to);
    agn_status st = q.n ? find_rows(&q) : AGN_OK;
    if (!st && q.n)
        st = find_blocks(&q, few, &own, &summed);
    if (!st && q.n) {
        const agni_message_kernels *k = select_kernels(q.f.g, c->out->dtype);
        for (int i = 0; i < AGNI_MESSAGE_OPERANDS; i++) {
            int from = i < q.f.operands ? i : 0; /* a message that ignores b may look at a */
            q.rows.x[i] = c->in[from].data;
            if (from != i)
                q.rows.shift[i] = q.rows.shift[from];
        }
        q.rows.y = c->out->data;
        q.run = ties ? k->tie[q.f.message] : summed ? k->dot : k->reduce[q.f.message][q.f.reduce];
        st = run_rows(&q);
    }
    agni_free(own);
    return st;
}

agn_status agni_cpu_graph_reduce(const agn_kernel_call *c)
{
    return run_messages(c, false);
}

agn_status agni_cpu_graph_tie(const agn_kernel_call *c)
{
    return run_messages(c, true);
}

/* ---- softmax of the edges of each node ------------------------------------------------------ */

enum { TILE = 16 }; /* features at a time */

typedef struct softmax_job {
    const agni_vsoftmax *f;
    const agn_graph *g;
    const agni_incidence *t;
    const char *x;
    char *y, *room; /* most * TILE elements for each worker */
    int64_t n, most, width, bytes, shares;
} softmax_job;

static void softmax_node(const softmax_job *q, const char *x, char *y, char *room, int64_t first,
                         int64_t n)
{
    if (q->t->in_order) { /* the edges of a node lie together */
        int64_t at = first * q->width * q->bytes;
        for (int64_t j = 0; j < q->width; j += AGNI_SOFTMAX_TILE) {
            int64_t m = q->width - j < AGNI_SOFTMAX_TILE ? q->width - j : AGNI_SOFTMAX_TILE;
            q->f->whole(y + at + j * q->bytes, x + at + j * q->bytes, n, q->width, m);
        }
        return;
    }
    for (int64_t j = 0; j < q->width; j += TILE) {
        int64_t m = q->width - j < TILE ? q->width - j : TILE, run = m * q->bytes;
        for (int64_t e = 0; e < n; e++)
            memcpy(room + e * run,
                   x + (agni_read_index(q->t->edge, q->g->wide, first + e) * q->width + j) *
                           q->bytes,
                   (size_t)run);
        q->f->whole(room, room, n, m, m);
        for (int64_t e = 0; e < n; e++)
            memcpy(y + (agni_read_index(q->t->edge, q->g->wide, first + e) * q->width + j) *
                           q->bytes,
                   room + e * run, (size_t)run);
    }
}

static void softmax_share(void *user, int64_t k, int worker)
{
    const softmax_job *q = user;
    int64_t b = k / q->shares * q->g->edges * q->width * q->bytes, share = k % q->shares;
    char *room = q->room + worker * q->most * TILE * q->bytes;
    for (int64_t i = q->n * share / q->shares; i < q->n * (share + 1) / q->shares; i++) {
        int64_t first = agni_read_index(q->t->begin, q->g->wide, i);
        int64_t n = agni_read_index(q->t->begin, q->g->wide, i + 1) - first;
        if (n)
            softmax_node(q, q->x + b, q->y + b, room, first, n);
    }
}

agn_status agni_cpu_graph_softmax(const agn_kernel_call *c)
{
    const agn_array *x = c->in;
    int features = (int)c->ints[1];
    softmax_job q = {.f = &agni_simd_kernels_get()
                               ->softmax[x->dtype == AGN_F64 ? AGNI_SIMD_F64 : AGNI_SIMD_F32],
                     .g = c->object, .x = x->data, .y = c->out->data, .width = 1,
                     .bytes = agni_dtypes[x->dtype].bytes};
    int64_t batch = 1, workers = agni_parallel_width();
    q.n = q.g->n[c->ints[0]];
    q.t = agni_graph_incidence(q.g, (int)c->ints[0]);
    if (!q.t)
        return agni_nomem(c->op, (size_t)q.g->edges * 2 * sizeof(int64_t));
    for (int d = 0; d < x->ndim; d++)
        if (d < x->ndim - 1 - features)
            batch *= x->shape[d];
        else if (d > x->ndim - 1 - features)
            q.width *= x->shape[d];
    for (int64_t i = 0; i < q.n; i++) {
        int64_t n = agni_read_index(q.t->begin, q.g->wide, i + 1) -
                    agni_read_index(q.t->begin, q.g->wide, i);
        q.most = n > q.most ? n : q.most;
    }
    size_t room = (size_t)(workers * q.most * TILE * q.bytes);
    if (!(q.room = agni_alloc(room ? room : 1)))
        return agni_nomem(c->op, room);
    int64_t work = q.g->edges * q.width;
    q.shares = work / (WORTH_A_THREAD / 8) + 1;
    q.shares = q.shares < q.n ? q.shares : q.n;
    if (batch * q.shares > 1)
        agni_parallel_for(batch * q.shares, softmax_share, &q);
    else if (batch * q.shares == 1)
        softmax_share(&q, 0, 0);
    agni_free(q.room);
    return AGN_OK;
}
