/* tensor/reduce/reduce_axes.c - reduction of row-major arrays over any axes: blocks by the
   kernels of the CPU level, their results by the same kernels. The tree of additions depends on
   the shape alone, so any number of threads gives the same bits. */
#include "config.h"

#include "core/device/cpu_level.h"
#include "tensor/reduce/reduce.h"

#include <math.h>
#include <string.h>

static const int8_t types[AGN_NDTYPES] = {
    [AGN_BOOL] = AGNI_REDUCE_U8,  [AGN_I32] = AGNI_REDUCE_I32, [AGN_I64] = AGNI_REDUCE_I64,
    [AGN_F32] = AGNI_REDUCE_F32,  [AGN_F64] = AGNI_REDUCE_F64, [AGN_C64] = AGNI_REDUCE_F32,
    [AGN_C128] = AGNI_REDUCE_F64,
};

agni_reduce_fn *agni_find_reduction(int kind, int dtype)
{
    switch (agni_cpu_level()) {
#ifdef AGNI_HAVE_AVX512
    case AGNI_CPU_AVX512:
        return agni_reduce_kernels_avx512[kind][types[dtype]];
#endif
#ifdef AGNI_HAVE_AVX2
    case AGNI_CPU_AVX2:
        return agni_reduce_kernels_avx2[kind][types[dtype]];
#endif
    default:
        return agni_reduce_kernels_base[kind][types[dtype]];
    }
}

enum { SERIAL = 1 << 16 };                /* fewer elements are not worth several threads */
enum { NARROWER = AGNI_REDUCE_WIDE / 2 }; /* tiles of wider rows */

/* [outer, n, inner] -> [outer, blocks, inner]: blocks of so many rows, tiles of so many
   columns, groups of outer indices where one tile holds all */
typedef struct reduce_job {
    agni_reduce_fn *f;
    const char *x;
    char *y;
    int64_t bytes, outer, n, inner, blocks, rows, tiles, wide, group;
} reduce_job;

static void reduce_tile(void *user, int64_t job, int worker)
{
    const reduce_job *q = user;
    (void)worker;
    int64_t tile = job % q->tiles, block = job / q->tiles % q->blocks;
    int64_t o = job / q->tiles / q->blocks * q->group, many = q->outer - o;
    int64_t row = block * q->rows, rows = q->n - row, col = tile * q->wide, m = q->inner - col;
    many = many < q->group ? many : q->group;
    rows = rows < q->rows ? rows : q->rows;
    m = m < q->wide ? m : q->wide;
    char *y = q->y + ((o * q->blocks + block) * q->inner + col) * q->bytes;
    const char *x = q->x + ((o * q->n + row) * q->inner + col) * q->bytes;
    q->f(y, q->blocks * q->inner, x, q->n * q->inner, NULL, 0, many, rows, q->inner, m);
}

static agn_status reduce_middle(agni_reduce_fn *f, int64_t bytes, const void *x, void *y,
                                int64_t outer, int64_t n, int64_t inner)
{
    enum { GRAIN = 1 << 14 };
    reduce_job q = {.f = f, .x = x, .y = y, .bytes = bytes, .outer = outer, .n = n, .inner = inner};
    q.wide = inner <= AGNI_REDUCE_WIDE ? inner : NARROWER;
    q.tiles = (inner + q.wide - 1) / q.wide;
    q.rows = AGNI_REDUCE_BLOCK / q.wide;
    q.blocks = (n + q.rows - 1) / q.rows;
    q.group = q.blocks * q.tiles == 1 && n * inner < GRAIN ? GRAIN / (n * inner) : 1;
    void *part = NULL;
    if (q.blocks > 1) {
        size_t room = (size_t)(outer * q.blocks * inner * bytes);
        if (!(part = agni_alloc(room)))
            return agni_nomem("sum", room);
        q.y = part;
    }
    int64_t jobs = (outer + q.group - 1) / q.group * q.blocks * q.tiles;
    if (outer * n * inner < SERIAL)
        for (int64_t j = 0; j < jobs; j++)
            reduce_tile(&q, j, 0);
    else
        agni_parallel_for(jobs, reduce_tile, &q);
    agn_status st = part ? reduce_middle(f, bytes, part, y, outer, q.blocks, inner) : AGN_OK;
    agni_free(part);
    return st;
}

static void fill_empty(int kind, int dtype, void *y, int64_t n)
{
    if (kind == AGNI_REDUCE_SUM)
        memset(y, 0, (size_t)(n * agni_dtypes[dtype].bytes));
    for (int64_t i = 0; kind == AGNI_REDUCE_LSE && i < n; i++)
        if (dtype == AGN_F32)
            ((float *)y)[i] = -INFINITY;
        else
            ((double *)y)[i] = -(double)INFINITY;
}

agn_status agni_reduce_axes(const agn_kernel_call *c, int kind)
{
    const agn_array *x = c->in, *y = c->out;
    bool gone[AGNI_MAX_RANK] = {false};
    for (int k = 1; k < c->n_int; k++)
        gone[c->ints[k] + x->ndim] = true;
    /* adjacent axes that are all reduced or all kept form a group; groups are reduced from the last
       to the first, through buffers */
    int64_t size[AGNI_MAX_RANK + 1], total = 1, left = 1, bytes = agni_dtypes[x->dtype].bytes;
    bool fold[AGNI_MAX_RANK + 1];
    int g = 0, first = -1;
    for (int d = 0; d < x->ndim; d++) {
        total *= x->shape[d];
        left *= gone[d] ? 1 : x->shape[d];
        if (x->shape[d] == 1)
            continue;
        if (g && fold[g - 1] == gone[d]) {
            size[g - 1] *= x->shape[d];
            continue;
        }
        if (gone[d] && first < 0)
            first = g;
        fold[g] = gone[d];
        size[g++] = x->shape[d];
    }
    if (total == 0) {
        fill_empty(kind, x->dtype, y->data, left);
        return AGN_OK;
    }
    if (first < 0) { /* no axis of more than one element is reduced */
        memcpy(y->data, x->data, (size_t)(total * bytes));
        return AGN_OK;
    }
    int parts = agni_kind(x->dtype) == AGNI_KIND_COMPLEX ? 2 : 1; /* real and imaginary columns */
    const void *from = x->data;
    void *buffer = NULL;
    agn_status st = AGN_OK;
    for (int i = g - 1; !st && i >= first; i--) {
        if (!fold[i])
            continue;
        int64_t outer = 1, inner = 1;
        for (int k = 0; k < i; k++)
            outer *= size[k];
        for (int k = i + 1; k < g; k++)
            inner *= fold[k] ? 1 : size[k];
        void *to = i == first ? y->data : agni_alloc((size_t)(outer * inner * bytes));
        if (!to) {
            st = agni_nomem(c->op, (size_t)(outer * inner * bytes));
            break;
        }
        st = reduce_middle(agni_find_reduction(kind, x->dtype), bytes / parts, from, to, outer,
                           size[i], inner * parts);
        agni_free(buffer);
        buffer = i == first ? NULL : to;
        from = to;
    }
    agni_free(buffer);
    return st;
}

/* ---- sums of squares about the mean ----

   Sums and squares about their own means of blocks that stay in cache; blocks are combined by the
   squares of their means about the mean of all (Chan, Golub & LeVeque 1983). */

enum { IN_CACHE = 1 << 17 }; /* bytes */

typedef struct deviation_job {
    agni_axis_lanes l;
    agni_reduce_fn *sum, *squares;
    const char *x;
    char *sums, *y; /* [outer, blocks, inner]; no sums of a single block */
    int64_t bytes, blocks, rows, tiles, wide, group;
} deviation_job;

static void divide_by(void *x, int64_t n, int64_t by, int64_t bytes)
{
    for (int64_t k = 0; k < n; k++)
        if (bytes == 8)
            ((double *)x)[k] /= (double)by;
        else
            ((float *)x)[k] /= (float)by;
}

static int64_t block_rows(const deviation_job *q, int64_t block)
{
    int64_t left = q->l.n - block * q->rows;
    return left < q->rows ? left : q->rows;
}

/* a tile of a block, or of some outer indices where one block holds all */
static void deviation_tile(void *user, int64_t job, int worker)
{
    const deviation_job *q = user;
    const agni_axis_lanes *l = &q->l;
    double mean[AGNI_REDUCE_WIDE];
    int64_t tile = job % q->tiles, block = job / q->tiles % q->blocks;
    int64_t o = job / q->tiles / q->blocks * q->group, many = l->outer - o;
    int64_t col = tile * q->wide, m = l->inner - col, rows = block_rows(q, block);
    m = m < q->wide ? m : q->wide;
    many = many < q->group ? many : q->group;
    const char *x = q->x + ((o * l->n + block * q->rows) * l->inner + col) * q->bytes;
    int64_t at = ((o * q->blocks + block) * l->inner + col) * q->bytes, across = l->n * l->inner;
    (void)worker;
    q->sum(mean, m, x, across, NULL, 0, many, rows, l->inner, m);
    if (q->sums)
        memcpy(q->sums + at, mean, (size_t)(m * q->bytes));
    divide_by(mean, many * m, rows, q->bytes);
    q->squares(q->y + at, l->inner, x, across, mean, m, many, rows, l->inner, m);
}

/* adds rows (block mean - mean)^2 to the squares of each block */
#define JOIN(T, word) \
    static void join_##word(const deviation_job *q, const T *mean) \
    { \
        for (int64_t i = 0; i < q->l.outer * q->blocks; i++) { \
            const T rows = (T)block_rows(q, i % q->blocks), \
                    *all = mean + i / q->blocks * q->l.inner; \
            const T *sum = (const T *)q->sums + i * q->l.inner; \
            T *y = (T *)q->y + i * q->l.inner; \
            for (int64_t j = 0; j < q->l.inner; j++) { \
                T d = sum[j] / rows - all[j]; \
                y[j] += rows * d * d; \
            } \
        } \
    }
JOIN(float, f32)
JOIN(double, f64)

agn_status agni_reduce_deviation(const agn_array *x, void *y, const agni_axis_lanes *l)
{
    deviation_job q = {.l = *l, .x = x->data, .y = y, .bytes = agni_dtypes[x->dtype].bytes};
    int64_t lanes = l->outer * l->inner;
    if (l->n == 0 || lanes == 0) {
        memset(y, 0, (size_t)(lanes * q.bytes));
        return AGN_OK;
    }
    q.sum = agni_find_reduction(AGNI_REDUCE_SUM, x->dtype);
    q.squares = agni_find_reduction(AGNI_REDUCE_SQUARES, x->dtype);
    q.wide = l->inner <= AGNI_REDUCE_WIDE ? l->inner : NARROWER;
    q.tiles = (l->inner + q.wide - 1) / q.wide;
    q.rows = IN_CACHE / (q.wide * q.bytes);
    q.blocks = (l->n + q.rows - 1) / q.rows;
    q.group = q.rows / l->n < AGNI_REDUCE_WIDE / q.wide ? q.rows / l->n : AGNI_REDUCE_WIDE / q.wide;
    q.group = q.blocks * q.tiles == 1 ? q.group : 1;
    void *part = NULL;
    size_t room = (size_t)(lanes * q.blocks * q.bytes);
    if (q.blocks > 1) {
        if (!(part = agni_alloc(2 * room)))
            return agni_nomem("squared_deviation", 2 * room);
        q.y = part;
        q.sums = q.y + room;
    }
    int64_t jobs = (l->outer + q.group - 1) / q.group * q.blocks * q.tiles;
    if (lanes * l->n < SERIAL)
        for (int64_t j = 0; j < jobs; j++)
            deviation_tile(&q, j, 0);
    else
        agni_parallel_for(jobs, deviation_tile, &q);
    agn_status st = AGN_OK;
    if (part) { /* y holds the means first */
        st = reduce_middle(q.sum, q.bytes, q.sums, y, l->outer, q.blocks, l->inner);
        divide_by(y, lanes, l->n, q.bytes);
        if (q.bytes == 8)
            join_f64(&q, y);
        else
            join_f32(&q, y);
        if (!st)
            st = reduce_middle(q.sum, q.bytes, part, y, l->outer, q.blocks, l->inner);
    }
    agni_free(part);
    return st;
}

/* ---- lanes along one axis --------------------------------------------------------------- */

agni_axis_lanes agni_find_lanes(const agn_array *x, int64_t axis)
{
    int at = (int)axis + x->ndim;
    agni_axis_lanes l = {1, x->shape[at], 1};
    for (int d = 0; d < at; d++)
        l.outer *= x->shape[d];
    for (int d = at + 1; d < x->ndim; d++)
        l.inner *= x->shape[d];
    return l;
}

typedef struct slab_job {
    const agni_axis_lanes *l;
    int64_t tile, tiles, group;
    agni_slab *job;
    void *user;
} slab_job;

static void run_slabs(void *user, int64_t i, int worker)
{
    const slab_job *q = user;
    (void)worker;
    for (int64_t k = i * q->group; k < (i + 1) * q->group && k < q->l->outer * q->tiles; k++) {
        int64_t lo = k % q->tiles * q->tile, hi = lo + q->tile;
        q->job(q->user, q->l, k / q->tiles, lo, hi < q->l->inner ? hi : q->l->inner);
    }
}

void agni_for_each_slab(const agni_axis_lanes *l, int64_t tile, agni_slab *job, void *user)
{
    enum { GRAIN = 1 << 14 };
    if (l->outer == 0 || l->n == 0 || l->inner == 0)
        return;
    slab_job q = {.l = l, .job = job, .user = user, .tile = tile < l->inner ? tile : l->inner};
    q.tiles = (l->inner + q.tile - 1) / q.tile;
    q.group = GRAIN / (l->n < GRAIN / q.tile ? l->n * q.tile : GRAIN) + 1;
    int64_t jobs = (l->outer * q.tiles + q.group - 1) / q.group;
    if (l->outer * l->n * l->inner < 4 * GRAIN)
        for (int64_t i = 0; i < jobs; i++)
            run_slabs(&q, i, 0);
    else
        agni_parallel_for(jobs, run_slabs, &q);
}
