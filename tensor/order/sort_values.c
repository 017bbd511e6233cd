/* tensor/order/sort_values.c - sorting of values by the vector kernels. Zeros and NaN are set
   aside and put back: they keep their bits and the order of the input. */
#include "tensor/order/sort.h"

#include "core/threads/cancel.h"
#include "tensor/cpu/level_dispatch.h"
#include "tensor/value/tensor.h"

#include <string.h>

enum {
    MANY = 1 << 16, /* items worth several threads */
    ROUNDS = 5,     /* of partitioning in two */
    PARTS = 1 << ROUNDS
};

const agni_vsort *agni_find_vsort(int dtype)
{
    static const int8_t type[AGN_NDTYPES] = {
        [AGN_I32] = AGNI_ST_I32, [AGN_I64] = AGNI_ST_I64,
        [AGN_F32] = AGNI_ST_F32, [AGN_F64] = AGNI_ST_F64};
    static const agni_vsort none;
    return dtype == AGN_BOOL ? &none : &agni_simd_kernels_get()->sort[type[dtype]];
}

/* ---- several threads: ROUNDS of partitioning all parts in two, at once ----------------------- */

typedef struct sort_part_range {
    int64_t at, n, end[2];
} sort_part_range;
typedef struct sort_parts {
    const agni_vsort *cpu;
    char *v, *tmp;
    int64_t bytes;
    sort_part_range p[PARTS];
} sort_parts;

static void split_part(void *user, int64_t i, int worker)
{
    sort_parts *q = user;
    sort_part_range *p = q->p + i;
    (void)worker;
    p->end[0] = p->end[1] = p->n;
    if (p->n >= MANY / PARTS && !agni_cancel_point())
        q->cpu->split(q->v + p->at * q->bytes, q->tmp + p->at * q->bytes, p->n, p->end);
}
static void sort_part(void *user, int64_t i, int worker)
{
    sort_parts *q = user;
    const sort_part_range *p = q->p + i;
    (void)worker;
    if (agni_cancel_point())
        return;
    q->cpu->sort(q->v + p->at * q->bytes, q->tmp + p->at * q->bytes, p->n);
}

static void sort_numbers(const agni_vsort *cpu, void *v, void *tmp, int64_t n, int64_t bytes)
{
    /* in parts also on one thread where somebody wants to be asked between them */
    if (n < MANY || (agni_parallel_width() == 1 && !agni_cancellable())) {
        cpu->sort(v, tmp, n);
        return;
    }
    sort_parts q = {.cpu = cpu, .v = v, .tmp = tmp, .bytes = bytes, .p = {{.n = n}}};
    for (int count = 1; count < PARTS; count *= 2) {
        agni_parallel_for(count, split_part, &q);
        for (int i = count - 1; i >= 0; i--) {
            sort_part_range p = q.p[i];
            q.p[2 * i] = (sort_part_range){.at = p.at, .n = p.end[0]};
            q.p[2 * i + 1] = (sort_part_range){.at = p.at + p.end[1], .n = p.n - p.end[1]};
        }
    }
    agni_parallel_for(PARTS, sort_part, &q);
}

/* ---- one lane -------------------------------------------------------------------------------- */

size_t agni_sort_values_workspace(int64_t n, int64_t bytes, bool direct)
{
    return (direct ? 1 : 2) * (size_t)n * (size_t)bytes;
}

#define VALUES(T, s, name) \
    static void sort_lane_##s(const agni_sort_lane *l, const void *xv, void *yv, void *workspace) \
    { \
        const agni_vsort *cpu = agni_find_vsort(name); \
        const T *x = xv; \
        int64_t n = l->n, step = l->step; \
        T *y = yv, *v = l->direct ? y : workspace, *tmp = l->direct ? workspace : v + n; \
        for (int64_t k = 0; step > 1 && k < n; k++) \
            tmp[k] = x[k * step]; \
        int64_t m = cpu->collect_numbers(v, step > 1 ? tmp : x, n); \
        sort_numbers(cpu, v, tmp, m, sizeof(T)); \
        if (n >= MANY && agni_cancel_point()) \
            return; \
        if (l->direct && m == n && !l->down) \
            return; \
        if (l->direct) { \
            memcpy(tmp, v, (size_t)n * sizeof *v); \
            v = tmp; \
        } \
        int64_t below = 0, k = 0; \
        while (m < n && below < m && v[below] < 0) \
            below++; \
        int64_t first = m == n ? m : l->down ? m - below : below; \
        for (; k < first; k++) \
            y[k * step] = v[l->down ? m - 1 - k : k]; \
        for (int64_t i = n - 1; i >= m; i--) \
            if (v[i] == 0) \
                y[k++ * step] = v[i]; \
        for (int64_t i = first; i < m; i++) \
            y[k++ * step] = v[l->down ? m - 1 - i : i]; \
        for (int64_t i = n - 1; i >= m; i--) \
            if (v[i] != 0) \
                y[k++ * step] = v[i]; \
    }
VALUES(int32_t, i32, AGN_I32)
VALUES(int64_t, i64, AGN_I64)
VALUES(float, f32, AGN_F32)
VALUES(double, f64, AGN_F64)

agni_sort_lane_fn *const agni_sort_values[AGN_NDTYPES] = {[AGN_I32] = sort_lane_i32,
                                                          [AGN_I64] = sort_lane_i64,
                                                          [AGN_F32] = sort_lane_f32,
                                                          [AGN_F64] = sort_lane_f64};
