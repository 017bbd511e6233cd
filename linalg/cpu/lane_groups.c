/* linalg/cpu/lane_groups.c - batches of small matrices in groups: entries to lanes and back, a loop
   over the groups, spread over threads. */
#include "tensor/cpu/level_dispatch.h" /* before complex.h, which takes the name I */

#include "linalg/cpu/lane_groups.h"

#include <math.h>
#include <string.h>

static int real_of(int dtype)
{
    return dtype == AGN_F64 || dtype == AGN_C128 ? AGNI_SIMD_F64 : AGNI_SIMD_F32;
}

/* numbers of an entry */
static int parts_of(int dtype)
{
    return agni_kind(dtype) == AGNI_KIND_COMPLEX ? 2 : 1;
}

const agni_vlanes *agni_lanes_for(int dtype, int64_t n, int64_t batch)
{
    enum { TINY = 4 };
    if (agni_kind(dtype) < AGNI_KIND_FLOAT || agni_dtypes[dtype].bytes < 4 || n < 1 ||
        n > AGNI_LANES_ORDER)
        return NULL;
    const agni_vlanes *v = &agni_simd_kernels_get()->lanes[real_of(dtype)];
    v = parts_of(dtype) == 2 ? v->complex_ : v;
    /* a tiny matrix alone takes no longer there than in LAPACK, and has the bits that it has in a
       batch */
    return n <= TINY || (batch >= v->lanes / 2 && batch > 1) ? v : NULL;
}

/* ---- entries ---------------------------------------------------------------------------- */

agni_lane_source agni_lanes_of(const agn_array *x, const agn_array *y, int64_t rows, int64_t cols)
{
    agni_lane_source s = {x, y, rows, cols, x->stride[x->ndim - 2], x->stride[x->ndim - 1], -1};
    int64_t next = rows * cols;
    bool whole = x->ndim <= y->ndim, single = whole;
    for (int d = x->ndim - 3; d >= 0; d--) {
        whole = whole && x->shape[d] == y->shape[d + y->ndim - x->ndim] &&
                (x->shape[d] == 1 || x->stride[d] == next);
        single = single && (x->shape[d] == 1 || x->stride[d] == 0);
        next *= x->shape[d];
    }
    for (int d = 0; d < y->ndim - x->ndim; d++)
        whole = whole && y->shape[d] == 1;
    if (single)
        s.step = 0;
    else if (whole)
        s.step = rows * cols * agni_dtypes[x->dtype].bytes;
    return s;
}

static const char *matrix_of(const agni_lane_source *s, int64_t i)
{
    return s->step >= 0 ? (const char *)s->x->data + i * s->step : agni_matrix_at(s->x, s->y, i).p;
}

#define READ(T) \
    for (int l = 0; l < lanes; l++) { \
        const T *x = (const T *)(const void *)from[l]; \
        T *y = (T *)to + l; \
        for (int64_t i = 0; i < s->rows; i++) \
            for (int64_t j = 0; j < s->cols; j++) \
                for (int p = 0; p < parts; p++) \
                    y[((i * s->cols + j) * parts + p) * lanes] = \
                        x[(i * s->rs + j * s->cs) * parts + p]; \
    }

void agni_lanes_read(const agni_vlanes *v, const agni_lane_source *s, int64_t first, int64_t count,
                     void *to)
{
    char *from[AGNI_LANES_MOST];
    const int lanes = v->lanes, dtype = s->x->dtype, parts = parts_of(dtype);
    const agni_real_kernels *k = &agni_simd_kernels_get()->real[real_of(dtype)];
    for (int l = 0; l < lanes; l++)
        from[l] = (char *)(uintptr_t)matrix_of(s, first + (l < count ? l : count - 1));
    bool rows = s->cs == 1 || s->cols == 1;
    if (rows && (s->rs == s->cols || s->rows == 1))
        k->transpose_out(to, lanes, from, 0, lanes, s->rows * s->cols * parts);
    else if (real_of(dtype) == AGNI_SIMD_F64) {
        READ(double)
    } else {
        READ(float)
    }
}

void agni_lanes_write(const agni_vlanes *v, int dtype, const void *from, int64_t numbers,
                      int64_t count, void *to)
{
    numbers *= parts_of(dtype);
    agni_simd_kernels_get()->real[real_of(dtype)].transpose(to, numbers, from, v->lanes, numbers,
                                                            count);
}

/* ---- values in order, phases of their vectors ------------------------------------------- */

/* T, P of them a number; the sign of one that is real, while phases are fixed afterwards */
#define SORT_LANE(name, T, P) \
    static void name(const agni_lane_vectors *x, int lanes, int64_t l, void *values, void *cols, \
                     void *rows) \
    { \
        const T *w = (const T *)x->w + l; \
        int order[AGNI_LANES_ORDER]; \
        for (int j = 0; j < x->k; j++) { \
            int i = j; \
            for (; i > 0 && (x->descending ? w[order[i - 1] * lanes] < w[j * lanes] \
                                           : w[order[i - 1] * lanes] > w[j * lanes]); \
                 i--) \
                order[i] = order[i - 1]; \
            order[i] = j; \
        } \
        for (int64_t j = 0; j < x->k; j++) { \
            T most = 0, *y = cols, sign = 1; \
            int64_t i = 0; \
            ((T *)values)[j] = w[order[j] * lanes]; \
            if (!cols) \
                continue; \
            const T *u = (const T *)x->u + order[j] * x->m * P * lanes + l; \
            for (i = 0; P == 1 && i < x->m; i++) \
                most = fabs(u[i * lanes]) > fabs(most) ? u[i * lanes] : most; \
            for (i = 0; P == 1 && !(fabs(u[i * lanes]) >= fabs(most) * AGNI_PHASE_NEAR);) \
                i++; \
            sign = P == 1 && u[i * lanes] < 0 ? -1 : 1; \
            for (i = 0; i < x->m * P; i++) \
                y[(i / P * x->k + j) * P + i % P] = \
                    u[i * lanes] * (i % P && x->conjugate_u ? -1 : sign); \
            for (i = 0; rows && i < x->n * P; i++) \
                ((T *)rows)[j * x->n * P + i] = \
                    ((const T *)x->v)[(order[j] * x->n * P + i) * lanes + l] * \
                    (i % P && !x->conjugate_u ? -1 : sign); \
        } \
    }
SORT_LANE(sort_lane_f32, float, 1)
SORT_LANE(sort_lane_f64, double, 1)
SORT_LANE(sort_lane_c64, float, 2)
SORT_LANE(sort_lane_c128, double, 2)

void agni_lanes_sort(int dtype, const agni_lane_vectors *x, int lanes, int64_t l, void *values,
                     void *cols, void *rows)
{
    AGNI_BY_FIELD(dtype, sort_lane_f32(x, lanes, l, values, cols, rows),
                  sort_lane_f64(x, lanes, l, values, cols, rows),
                  sort_lane_c64(x, lanes, l, values, cols, rows),
                  sort_lane_c128(x, lanes, l, values, cols, rows));
    if (cols && parts_of(dtype) == 2)
        agni_fix_phases(dtype, cols, x->m, x->k, x->k, rows, x->n);
}

/* ---- all of a batch ------------------------------------------------------------------------ */

typedef struct group_walk {
    agni_lane_group *group;
    agni_one_matrix *one;
    void *user;
    int64_t batch, step, room;
    int lanes;
    atomic_llong bad;
    atomic_int no_room;
} group_walk;

static void note_bad(group_walk *w, int64_t i)
{
    long long now = atomic_load(&w->bad);
    while (i < now && !atomic_compare_exchange_weak(&w->bad, &now, i))
        ;
}

/* groups of matrices [k step, (k + 1) step) */
static void run_groups(void *user, int64_t k, int worker)
{
    group_walk *w = user;
    (void)worker;
    char *room = agni_alloc_aligned((size_t)w->room);
    if (!room) {
        atomic_store(&w->no_room, 1);
        return;
    }
    int64_t end = (k + 1) * w->step < w->batch ? (k + 1) * w->step : w->batch;
    for (int64_t i = k * w->step; i < end; i += w->lanes) {
        if (i >= atomic_load_explicit(&w->bad, memory_order_relaxed))
            break;
        int64_t count = end - i < w->lanes ? end - i : w->lanes;
        uint32_t redo = w->group(w->user, i, count, room);
        for (int64_t l = 0; redo && l < count; l++)
            if (redo >> l & 1 && w->one(w->user, i + l)) {
                note_bad(w, i + l);
                break;
            }
    }
    agni_free(room);
}

int64_t agni_each_in_lanes(const agni_vlanes *v, int64_t batch, int64_t n, int64_t room,
                           agni_lane_group *group, agni_one_matrix *one, void *user, int64_t *at)
{
    enum { WORTH_A_THREAD = 1 << 17 }; /* flops */
    int64_t flops = (n * n * n / 3 + 4 * n * n + 16) * v->lanes;
    group_walk w = {group, one, user, batch, v->lanes, room, v->lanes, batch, 0};
    w.step = (WORTH_A_THREAD + flops - 1) / flops * v->lanes;
    int64_t chunks = (batch + w.step - 1) / w.step;
    if (chunks <= 2) {
        w.step = batch;
        run_groups(&w, 0, 0);
    } else
        agni_parallel_for(chunks, run_groups, &w);
    if (atomic_load(&w.no_room))
        return AGNI_NO_ROOM;
    *at = atomic_load(&w.bad);
    return *at < batch ? one(user, *at) : 0; /* its code again */
}

typedef struct or_one {
    agni_lane_group *group;
    agni_one_with_room *one;
    void *user;
    int64_t room;
} or_one;

static uint32_t run_group(void *user, int64_t first, int64_t count, char *room)
{
    const or_one *q = user;
    return q->group(q->user, first, count, room);
}
static int64_t run_one(void *user, int64_t i)
{
    const or_one *q = user;
    char *room = agni_alloc((size_t)q->room + 64);
    int64_t code = room ? q->one(q->user, i, room) : AGNI_NO_ROOM;
    agni_free(room);
    return code;
}

int64_t agni_each_in_lanes_or(const agni_vlanes *v, int64_t batch, int64_t n, int64_t room,
                              agni_lane_group *group, int64_t one_room, agni_one_with_room *one,
                              void *user, int64_t *at)
{
    or_one q = {group, one, user, one_room};
    return agni_each_in_lanes(v, batch, n, room, run_group, run_one, &q, at);
}
