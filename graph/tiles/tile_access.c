/* graph/tiles/tile_access.c - loads and stores of the tile interpreter: rows as they are, truth
   values, rows of the batch transposed. Lanes beyond the batch, up to a full vector, repeat the
   last row. */
#include "graph/tiles/tile_kernels.h"

#include <string.h>

/* n times the number at from */
void agni_tile_fill(const agni_region *r, void *to, const void *from, int64_t n)
{
    const size_t all = (size_t)(n * r->bytes);
    char *y = to;
    if (all)
        memmove(y, from, (size_t)r->bytes);
    for (size_t done = (size_t)r->bytes, more; done < all; done += more) {
        more = done < all - done ? done : all - done;
        memcpy(y + done, y, more);
    }
}

/* lanes beyond the batch repeat the last row */
static void fill_tail(const agni_tile_context *t, char *row)
{
    char *y = row + t->n * t->r->bytes;
    agni_tile_fill(t->r, y, y - t->r->bytes, t->T - t->n);
}

/* truth values as numbers */
#define LOAD_BOOL(T_) \
    static void load_bool_##T_(const agni_tile_context *t, const agni_tile_instr *q) \
    { \
        int64_t step = q->access.stride; \
        const int32_t *off = t->r->table + q->access.offsets; \
        const bool *x = (const bool *)t->arr[t->r->arr[q->in[0].id]].data + t->row0 * step; \
        for (int32_t e = 0; e < q->E; e++) { \
            T_ *y = (T_ *)(void *)agni_tile_row(t, q->dst, e); \
            for (int64_t i = 0; i < t->n; i++) \
                y[i] = x[off[e] + i * step]; \
            fill_tail(t, (char *)y); \
        } \
    }
LOAD_BOOL(double)
LOAD_BOOL(float)

void agni_tile_load_rows(const agni_tile_context *t, const agni_tile_instr *q)
{
    const int32_t *off = t->r->table + q->access.offsets;
    if (q->access.truth && t->r->real == AGNI_SIMD_F64)
        load_bool_double(t, q);
    else if (q->access.truth)
        load_bool_float(t, q);
    for (int32_t e = 0; e < q->E && !q->access.truth; e++) {
        char *y = agni_tile_row(t, q->dst, e);
        memcpy(y, agni_tile_array(t, q->in[0].id, off[e] + t->row0), (size_t)(t->n * t->r->bytes));
        fill_tail(t, y);
    }
}

/* numbers that stand for truth values */
#define STORE_BOOL(T_) \
    static void store_bool_##T_(const agni_tile_context *t, const agni_tile_instr *q) \
    { \
        int64_t step = q->access.stride; \
        const T_ *x = (const T_ *)(void *)agni_tile_row(t, q->in[0].id, q->in[0].row); \
        const int32_t *off = t->r->table + q->access.offsets; \
        bool *y = (bool *)t->arr[t->r->arr[q->in[1].id]].data + t->row0 * step; \
        for (int32_t e = 0; e < q->E; e++, x += t->T) \
            for (int64_t i = 0; i < t->n; i++) \
                y[off[e] + i * step] = x[i] != 0; \
    }
STORE_BOOL(double)
STORE_BOOL(float)

void agni_tile_store_rows(const agni_tile_context *t, const agni_tile_instr *q)
{
    const int32_t *off = t->r->table + q->access.offsets;
    if (q->access.truth && t->r->real == AGNI_SIMD_F64)
        store_bool_double(t, q);
    else if (q->access.truth)
        store_bool_float(t, q);
    for (int32_t e = 0; e < q->E && !q->access.truth; e++)
        memcpy(agni_tile_array(t, q->in[1].id, off[e] + t->row0),
               agni_tile_row(t, q->in[0].id, q->in[0].row + e), (size_t)(t->n * t->r->bytes));
}

/* So many rows of the batch at a time, whose lines all stay in the nearest cache meanwhile: of a
   row of few elements those are one or two. */
enum { ABREAST = 16, FEW = 4, FEW_ABREAST = 128, SPOTS = 64 };
static int64_t rows_left(int64_t n, int64_t i, int32_t E)
{
    const int64_t most = E <= FEW ? FEW_ABREAST : ABREAST;
    return n - i < most ? n - i : most;
}

/* transposes rows of the batch to columns and back, SPOTS elements of a row at a time */
void agni_tile_transpose_rows(const agni_tile_context *t, const agni_tile_instr *q)
{
    const agni_transposed_run *s = agni_tile_runs(t->r, q);
    int64_t step = q->transposed.stride;
    for (int32_t first = 0, E; first < q->E; first += E, s += E) {
        char *row[SPOTS];
        E = q->E - first < SPOTS ? q->E - first : SPOTS;
        for (int32_t e = 0; e < E; e++)
            row[e] = agni_tile_row(t, s[e].buf, s[e].row);
        for (int64_t i = 0, n; i < t->n; i += n) {
            n = rows_left(t->n, i, q->E);
            for (int32_t e = 0, m; e < E; e += m) {
                char *at = agni_tile_array(t, q->in[0].id, s[e].off + (t->row0 + i) * step);
                m = s[e].run < E - e ? s[e].run : E - e;
                if (q->op == AGNI_T_LOAD_TRANSPOSED)
                    t->r->vk->transpose_in(row + e, i, at, step, n, m);
                else
                    t->r->vk->transpose_out(at, step, row + e, i, m, n);
            }
        }
        for (int32_t e = 0; e < E && q->op == AGNI_T_LOAD_TRANSPOSED; e++)
            fill_tail(t, row[e]);
    }
}
