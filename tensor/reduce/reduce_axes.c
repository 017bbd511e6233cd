/* tensor/reduce/reduce_axes.c - folds over any axes of row-major arrays: blocks by the kernels of the CPU
   level, blocks of blocks by the same kernels. What is added to what depends on the shape
   alone, so any number of threads gives the same bits. */
#include "config.h"

#include "core/device/cpu_level.h"
#include "tensor/reduce/reduce.h"

#include <math.h>
#include <string.h>

static const int8_t types[AGN_NDTYPES] = {
    [AGN_BOOL] = AGNI_FT_U8,  [AGN_I32] = AGNI_FT_I32, [AGN_I64] = AGNI_FT_I64,
    [AGN_F32] = AGNI_FT_F32,  [AGN_F64] = AGNI_FT_F64, [AGN_C64] = AGNI_FT_F32,
    [AGN_C128] = AGNI_FT_F64,
};

agni_fold *agni_fold_of(int kind, int dtype)
{
    switch (agni_cpu_level()) {
#ifdef AGNI_HAVE_AVX512
    case AGNI_CPU_AVX512:
        return agni_folds_avx512[kind][types[dtype]];
#endif
#ifdef AGNI_HAVE_AVX2
    case AGNI_CPU_AVX2:
        return agni_folds_avx2[kind][types[dtype]];
#endif
    default:
        return agni_folds_base[kind][types[dtype]];
    }
}

enum { SERIAL = 1 << 16 }; /* numbers that are not worth a thread */
enum { NARROWER = AGNI_FOLD_WIDE / 2 }; /* tiles of wider rows */

/* [outer, n, inner] -> [outer, blocks, inner]: blocks of so many rows, tiles of so many
   columns, groups of outer indices where one tile holds all */
typedef struct folding {
    agni_fold *f;
    const char *x;
    char *y;
    int64_t bytes, outer, n, inner, blocks, rows, tiles, wide, group;
} folding;

static void fold_job(void *user, int64_t job, int worker)
{
    const folding *q = user;
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

static agn_status fold_group(agni_fold *f, int64_t bytes, const void *x, void *y, int64_t outer,
                             int64_t n, int64_t inner)
{
    enum { GRAIN = 1 << 14 };
    folding q = {.f = f, .x = x, .y = y, .bytes = bytes, .outer = outer, .n = n, .inner = inner};
    q.wide = inner <= AGNI_FOLD_WIDE ? inner : NARROWER;
    q.tiles = (inner + q.wide - 1) / q.wide;
    q.rows = AGNI_FOLD_BLOCK / q.wide;
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
            fold_job(&q, j, 0);
    else
        agni_parallel_for(jobs, fold_job, &q);
    agn_status st = part ? fold_group(f, bytes, part, y, outer, q.blocks, inner) : AGN_OK;
    agni_free(part);
    return st;
}

static void fill_nothing(int kind, int dtype, void *y, int64_t n)
{
    if (kind == AGNI_FOLD_SUM)
        memset(y, 0, (size_t)(n * agni_dtypes[dtype].bytes));
    for (int64_t i = 0; kind == AGNI_FOLD_LSE && i < n; i++)
        if (dtype == AGN_F32)
            ((float *)y)[i] = -INFINITY;
        else
            ((double *)y)[i] = -(double)INFINITY;
}

agn_status agni_fold_axes(const agn_kernel_call *c, int kind)
{
    const agn_array *x = c->in, *y = c->out;
    bool gone[AGNI_MAX_RANK] = {false};
    for (int k = 1; k < c->n_int; k++)
        gone[c->ints[k] + x->ndim] = true;
    /* neighbouring axes of one fate form a group; groups are folded from the last to the
       first, through buffers */
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
        fill_nothing(kind, x->dtype, y->data, left);
        return AGN_OK;
    }
    if (first < 0) { /* each element is alone */
        memcpy(y->data, x->data, (size_t)(total * bytes));
        return AGN_OK;
    }
    int parts = agni_kind(x->dtype) == AGNI_KIND_COMPLEX ? 2 : 1; /* two columns */
    const void *from = x->data;
    void *held = NULL;
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
        st = fold_group(agni_fold_of(kind, x->dtype), bytes / parts, from, to, outer, size[i],
                        inner * parts);
        agni_free(held);
        held = i == first ? NULL : to;
        from = to;
    }
    agni_free(held);
    return st;
}

/* ---- squares about the mean ----

   Of blocks that stay in cache while their sums and then the squares about their own means are
   taken; blocks are joined by the squares of their means about the mean of all (Chan, Golub and
   LeVeque 1983, "Algorithms for computing the sample variance"). */

enum { IN_CACHE = 1 << 17 }; /* bytes */

typedef struct deviating {
    agni_axis_lanes l;
    agni_fold *sum, *squares;
    const char *x;
    char *sums, *y; /* [outer, blocks, inner]; no sums of a single block */
    int64_t bytes, blocks, rows, tiles, wide, group;
} deviating;

static void divide(void *x, int64_t n, int64_t by, int64_t bytes)
{
    for (int64_t k = 0; k < n; k++)
        if (bytes == 8)
            ((double *)x)[k] /= (double)by;
        else
            ((float *)x)[k] /= (float)by;
}

static int64_t rows_of(const deviating *q, int64_t block)
{
    int64_t left = q->l.n - block * q->rows;
    return left < q->rows ? left : q->rows;
}

/* a tile of a block, or of some outer indices where one block holds all */
static void deviation_job(void *user, int64_t job, int worker)
{
    const deviating *q = user;
    const agni_axis_lanes *l = &q->l;
    double mean[AGNI_FOLD_WIDE];
    int64_t tile = job % q->tiles, block = job / q->tiles % q->blocks;
    int64_t o = job / q->tiles / q->blocks * q->group, many = l->outer - o;
    int64_t col = tile * q->wide, m = l->inner - col, rows = rows_of(q, block);
    m = m < q->wide ? m : q->wide;
    many = many < q->group ? many : q->group;
    const char *x = q->x + ((o * l->n + block * q->rows) * l->inner + col) * q->bytes;
    int64_t at = ((o * q->blocks + block) * l->inner + col) * q->bytes, across = l->n * l->inner;
    (void)worker;
    q->sum(mean, m, x, across, NULL, 0, many, rows, l->inner, m);
    if (q->sums)
        memcpy(q->sums + at, mean, (size_t)(m * q->bytes));
    divide(mean, many * m, rows, q->bytes);
    q->squares(q->y + at, l->inner, x, across, mean, m, many, rows, l->inner, m);
}

/* to the squares of each block those of its mean about that of all, as often as it has rows */
#define JOIN(T, word) \
    static void join_##word(const deviating *q, const T *mean) \
    { \
        for (int64_t i = 0; i < q->l.outer * q->blocks; i++) { \
            const T rows = (T)rows_of(q, i % q->blocks), *all = mean + i / q->blocks * q->l.inner; \
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

agn_status agni_fold_deviation(const agn_array *x, void *y, const agni_axis_lanes *l)
{
    deviating q = {.l = *l, .x = x->data, .y = y, .bytes = agni_dtypes[x->dtype].bytes};
    int64_t lanes = l->outer * l->inner;
    if (l->n == 0 || lanes == 0) {
        memset(y, 0, (size_t)(lanes * q.bytes));
        return AGN_OK;
    }
    q.sum = agni_fold_of(AGNI_FOLD_SUM, x->dtype);
    q.squares = agni_fold_of(AGNI_FOLD_SQUARES, x->dtype);
    q.wide = l->inner <= AGNI_FOLD_WIDE ? l->inner : NARROWER;
    q.tiles = (l->inner + q.wide - 1) / q.wide;
    q.rows = IN_CACHE / (q.wide * q.bytes);
    q.blocks = (l->n + q.rows - 1) / q.rows;
    q.group = q.rows / l->n < AGNI_FOLD_WIDE / q.wide ? q.rows / l->n : AGNI_FOLD_WIDE / q.wide;
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
            deviation_job(&q, j, 0);
    else
        agni_parallel_for(jobs, deviation_job, &q);
    agn_status st = AGN_OK;
    if (part) { /* y holds the means first */
        st = fold_group(q.sum, q.bytes, q.sums, y, l->outer, q.blocks, l->inner);
        divide(y, lanes, l->n, q.bytes);
        if (q.bytes == 8)
            join_f64(&q, y);
        else
            join_f32(&q, y);
        if (!st)
            st = fold_group(q.sum, q.bytes, part, y, l->outer, q.blocks, l->inner);
    }
    agni_free(part);
    return st;
}

/* ---- lanes along one axis --------------------------------------------------------------- */

agni_axis_lanes agni_lanes_of(const agn_array *x, int64_t axis)
{
    int at = (int)axis + x->ndim;
    agni_axis_lanes l = {1, x->shape[at], 1};
    for (int d = 0; d < at; d++)
        l.outer *= x->shape[d];
    for (int d = at + 1; d < x->ndim; d++)
        l.inner *= x->shape[d];
    return l;
}

typedef struct slabs {
    const agni_axis_lanes *l;
    int64_t tile, tiles, group;
    agni_slab *job;
    void *user;
} slabs;

static void slab_job(void *user, int64_t i, int worker)
{
    const slabs *q = user;
    (void)worker;
    for (int64_t k = i * q->group; k < (i + 1) * q->group && k < q->l->outer * q->tiles; k++) {
        int64_t lo = k % q->tiles * q->tile, hi = lo + q->tile;
        q->job(q->user, q->l, k / q->tiles, lo, hi < q->l->inner ? hi : q->l->inner);
    }
}

void agni_each_slab(const agni_axis_lanes *l, int64_t tile, agni_slab *job, void *user)
{
    enum { GRAIN = 1 << 14 };
    if (l->outer == 0 || l->n == 0 || l->inner == 0)
        return;
    slabs q = {.l = l, .job = job, .user = user, .tile = tile < l->inner ? tile : l->inner};
    q.tiles = (l->inner + q.tile - 1) / q.tile;
    q.group = GRAIN / (l->n < GRAIN / q.tile ? l->n * q.tile : GRAIN) + 1;
    int64_t jobs = (l->outer * q.tiles + q.group - 1) / q.group;
    if (l->outer * l->n * l->inner < 4 * GRAIN)
        for (int64_t i = 0; i < jobs; i++)
            slab_job(&q, i, 0);
    else
        agni_parallel_for(jobs, slab_job, &q);
}
