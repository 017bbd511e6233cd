/* graph/tiles/tile_kernels.c - the kernels of the tile interpreter: element-wise loops, chains,
   products. Lanes beyond the batch, up to a full vector, repeat the last row, and
   count as zero in sums over the batch. */
#include "graph/tiles/tile_kernels.h"

#include <string.h>

static inline agni_simd_operand resolve_operand(const agni_tile_context *t,
                                                const agni_tile_operand *o)
{
    const agni_region *r = t->r;
    switch (o->kind) {
    case AGNI_ON_TILE:
        return (agni_simd_operand){agni_tile_row(t, o->id, o->row), o->step * t->T, 1};
    case AGNI_ON_ARRAY:
        return (agni_simd_operand){agni_tile_array(t, o->id, o->row), o->step, 0};
    default:
        return (agni_simd_operand){r->real == AGNI_SIMD_F64 ? (const void *)&r->num[o->id]
                                                            : (const void *)&r->num32[o->id],
                                   0, 0};
    }
}

/* ---- element by element ---------------------------------------------------------------------- */

static void run_map(const agni_tile_context *t, const agni_tile_instr *q)
{
    t->r->vk->map[q->elementwise.kernel](agni_tile_row(t, q->dst, q->dst_row),
                                         agni_tile_row(t, q->in[0].id, q->in[0].row), q->E * t->T);
}

/* operands that are all tiles or numbers run as one long row; cycles in as many rows as all have */
static void run_loop(const agni_tile_context *t, const agni_tile_instr *q)
{
    agni_simd_operand first[3], in[3];
    bool flat = true;
    int32_t rows = 0;
    for (int i = 0; i < q->nin; i++) {
        first[i] = resolve_operand(t, &q->in[i]);
        rows = agni_common_cycle(rows, q->in[i].cycle);
        flat = flat && (q->in[i].kind == AGNI_ON_NUMBER ||
                        (q->in[i].kind == AGNI_ON_TILE && q->in[i].step == 1) || q->E == 1);
    }
    rows = rows ? rows : q->E;
    agni_simd_loop *f = q->op == AGNI_T_LOOP2 ? t->r->vk->loop2[q->elementwise.kernel]
                                              : t->r->vk->loop3[q->elementwise.kernel];
    for (int32_t e = 0; e < q->E; e += rows) {
        char *y = agni_tile_row(t, q->dst, q->dst_row + e);
        for (int i = 0; i < q->nin; i++) {
            const agni_tile_operand *o = &q->in[i];
            int64_t row = o->cycle ? e % o->cycle : e, hops = o->cycle ? e / o->cycle : 0;
            int64_t hop = o->hop * (o->kind == AGNI_ON_TILE ? t->T : 1);
            in[i] = first[i];
            in[i].p = (const char *)first[i].p + (row * first[i].row + hops * hop) * t->r->bytes;
        }
        if (flat)
            f(y, rows * t->T, in, 1, rows * t->T);
        else
            f(y, t->T, in, rows, t->T);
    }
}

/* through the loops of the eager op */
static void run_eager_loop(const agni_tile_context *t, const agni_tile_instr *q)
{
    agni_loop *f = agni_ew_find_loop(q->elementwise.kernel, t->r->dtype);
    const int z = (int)t->r->bytes, bytes[4] = {z, z, z, z};
    for (int32_t e = 0; e < q->E; e++) {
        char *p[4] = {agni_tile_row(t, q->dst, q->dst_row + e)};
        int64_t s[4] = {t->r->bytes};
        for (int i = 0; i < q->nin; i++) {
            agni_simd_operand o = resolve_operand(t, &q->in[i]);
            p[i + 1] = (char *)(uintptr_t)o.p + e * o.row * t->r->bytes;
            s[i + 1] = o.step * t->r->bytes;
        }
        agni_ew_run_strided(f, q->nin + 1, p, s, bytes, t->T, q->elementwise.attr);
    }
}

static char *slot_address(const agni_tile_context *t, const agni_chain_slot *s, int64_t e)
{
    const agni_region *r = t->r;
    switch (s->kind) {
    case AGNI_SLOT_ROWS:
    case AGNI_SLOT_SUM:
        if (!agni_chain_slot_has_rows(s))
            return agni_tile_row(t, s->id, s->row);
        return agni_tile_row(t, s->id, s->row + (s->cycle ? e % s->cycle : e));
    case AGNI_SLOT_ARRAY:
        return agni_tile_array(t, s->id, r->table[s->row + e] + t->row0);
    case AGNI_SLOT_NUMBER:
        return t->blocks + s->row * AGNI_VROOM;
    case AGNI_SLOT_UNIFORM:
        return t->blocks + (r->n_num + s->row) * AGNI_VROOM;
    case AGNI_SLOT_ROW_NUMBERS:
        return agni_tile_array(t, s->id, s->row + (s->cycle ? e % s->cycle : e) * s->step);
    case AGNI_SLOT_SCRATCH:
        return t->blocks + (r->n_num + r->n_uniform + s->row) * AGNI_VROOM;
    default:
        return agni_tile_row(t, s->id, s->row);
    }
}

/* The last numbers of a row, fewer than a vector has: those of arrays pass through a vector of
   their own, so that nothing beyond them is touched. */
static void run_chain_tail(const agni_tile_context *t, const agni_tile_instr *q, int64_t e,
                           int64_t from)
{
    const agni_chain_slot *s = agni_tile_slots(t->r, q);
    const agni_region *r = t->r;
    size_t bytes = (size_t)((t->n - from) * r->bytes), one = (size_t)r->bytes;
    enum { VECTOR = 64 }; /* the longest of any level */
    _Alignas(VECTOR) char own[AGNI_VSLOTS][VECTOR];
    agni_chain_places at;
    for (int64_t k = 0; k < q->chain.n_moving + q->chain.n_fixed; k++) {
        char *p = slot_address(t, &s[k], e) + (k < q->chain.n_moving ? from * r->bytes : 0);
        at.p[k] = s[k].kind == AGNI_SLOT_ARRAY ? own[k] : p;
        at.row[k] = 0;
        for (size_t i = 0; at.p[k] != p && i < (size_t)r->lanes * one && !s[k].writes; i += one)
            memcpy(own[k] + i, p + (i < bytes ? i : bytes - one), one);
    }
    r->vk->chain(r->step + q->chain.first_step, q->chain.n_step, &at, q->chain.n_moving, 0,
                 1, r->lanes);
    for (int64_t k = 0; k < q->chain.n_moving; k++)
        if (s[k].kind == AGNI_SLOT_ARRAY && s[k].writes)
            memcpy(slot_address(t, &s[k], e) + from * r->bytes, own[k], bytes);
}

/* Bytes from one row of a slot to the next, for rows of so many; of arrays rows run one by one. */
static int64_t slot_row(const agni_region *r, const agni_chain_slot *s, int64_t bytes)
{
    if (s->kind == AGNI_SLOT_ROW_NUMBERS)
        return s->step * r->bytes;
    return agni_chain_slot_has_rows(s) || s->kind == AGNI_SLOT_SCRATCH ? bytes : 0;
}
static void run_chain(const agni_tile_context *t, const agni_tile_instr *q)
{
    const agni_chain_slot *s = agni_tile_slots(t->r, q);
    const agni_region *r = t->r;
    const int32_t n_slot = q->chain.n_moving + q->chain.n_fixed;
    const int64_t run = q->chain.rows ? q->chain.rows : q->E, bytes = t->T * r->bytes;
    agni_chain_places at;
    const int32_t n_by_row = q->chain.n_moving + q->chain.n_beside;
    bool beside = q->chain.n_beside;
    for (int32_t k = 0; k < q->chain.n_moving; k++) {
        const int64_t sums = s[k].cycle ? s[k].cycle : 1;
        char *first = slot_address(t, &s[k], 0);
        beside |= !agni_chain_slot_has_rows(&s[k]);
        if (s[k].kind == AGNI_SLOT_SUM)
            r->vk->map[AGNI_VM_neg](first, memset(first, 0, (size_t)(sums * bytes)), sums * t->T);
    }
    /* what lies row by row is one long row; there may be arrays where rows run one by one */
    const int64_t rows = beside ? run : 1,
                  n = run == 1 ? t->n / r->lanes * r->lanes : t->T * (beside ? 1 : run);
    for (int32_t k = 0; k < n_slot; k++) {
        at.row[k] = slot_row(r, &s[k], bytes);
        if (k >= n_by_row)
            at.p[k] = slot_address(t, &s[k], 0);
    }
    for (int64_t e = 0; e < q->E; e += run) {
        for (int32_t k = 0; k < n_by_row; k++)
            at.p[k] = slot_address(t, &s[k], e);
        if (n)
            r->vk->chain(r->step + q->chain.first_step, q->chain.n_step, &at, q->chain.n_moving,
                         q->chain.n_beside, rows, n);
        if (run == 1 && n < t->n)
            run_chain_tail(t, q, e, n);
    }
}

static void gather_rows(const agni_tile_context *t, const agni_tile_instr *q)
{
    const int32_t *pair = t->r->table + q->gather.pairs;
    size_t bytes = (size_t)(t->T * t->r->bytes);
    for (int32_t e = 0; e < q->E; e++, pair += 2) {
        char *to = agni_tile_row(t, q->dst, pair[0]);
        if (pair[1] < 0)
            memset(to, 0, bytes);
        else if (q->in[0].kind == AGNI_ON_TILE)
            memcpy(to, agni_tile_row(t, q->in[0].id, pair[1]), bytes);
        else
            agni_tile_fill(t->r, to, agni_tile_array(t, q->in[0].id, pair[1]), t->T);
    }
}

static void reduce_rows(const agni_tile_context *t, const agni_tile_instr *q)
{
    int64_t outer = q->reduce.outer, many = q->reduce.count, n = q->reduce.inner * t->T;
    const char *x = agni_tile_row(t, q->in[0].id, q->in[0].row);
    char *y = agni_tile_row(t, q->dst, 0);
    int64_t bytes = n * t->r->bytes;
    if (many == 0)
        memset(y, 0, (size_t)(outer * bytes));
    for (int64_t o = 0; o < outer && many; o++, y += bytes, x += many * bytes) {
        agni_simd_loop *fold = t->r->vk->loop2[q->reduce.kernel];
        agni_simd_operand first[2] = {{x, n, 1}, {x + bytes, n, 1}};
        agni_simd_operand rest[2] = {{y, 0, 1}, {x + 2 * bytes, n, 1}}; /* row by row into y */
        if (many == 1)
            memcpy(y, x, (size_t)bytes);
        else
            fold(y, n, first, 1, n);
        if (many > 2)
            fold(y, 0, rest, many - 2, n);
    }
}

/* ---- products -------------------------------------------------------------------------------- */

static void run_products(const agni_tile_context *t, const agni_tile_instr *q)
{
    enum { MANY = 16 };
    int64_t T = q->product.columns * t->T;
    const agni_packed_weights *w = &t->r->pack[q->product.pack];
    const agni_tile_product *p = agni_tile_products(t->r, q);
    agni_shared_product v[MANY];
    for (int64_t i = 0; i < q->product.count; i += MANY) {
        int n = 0;
        for (; n < MANY && i + n < q->product.count; n++, p++)
            v[n] = (agni_shared_product){{agni_tile_row(t, p->y, p->y_row), T},
                                         {agni_tile_row(t, p->x, p->x_row), T},
                                         p->bias < 0 ? NULL
                                                     : agni_tile_array(t, p->bias, p->bias_row),
                                         p->bias_step};
        t->r->vk->shared_products(v, n, t->packed + w->place * t->r->bytes, q->product.K,
                                  q->product.J, T);
    }
}
static void run_batched_product(const agni_tile_context *t, const agni_tile_instr *q)
{
    int64_t I = q->batched.I, K = q->batched.K, J = q->batched.J, step = t->T * t->r->bytes;
    char *y = agni_tile_row(t, q->dst, q->dst_row);
    char *a = agni_tile_row(t, q->in[0].id, q->in[0].row),
         *b = agni_tile_row(t, q->in[1].id, q->in[1].row);
    for (int64_t i = 0; i < q->batched.count;
         i++, y += I * J * step, a += I * K * step, b += K * J * step)
        t->r->vk->batched_product(y, a, b, I, K, J, t->T, false);
}

/* lanes beyond the batch do not count */
static void zero_tail(const agni_tile_context *t, const agni_tile_operand *o, int64_t E)
{
    for (int64_t e = 0; t->n < t->T && e < E; e++)
        memset(agni_tile_row(t, o->id, o->row + e * o->step) + t->n * t->r->bytes, 0,
               (size_t)((t->T - t->n) * t->r->bytes));
}
static void run_outer_product(const agni_tile_context *t, const agni_tile_instr *q)
{
    enum { MAX_PAIRS = 8 };
    int64_t K = q->outer.K, J = q->outer.J;
    agni_simd_tile x[MAX_PAIRS], g[MAX_PAIRS];
    const int32_t *p = t->r->table + q->outer.pairs;
    for (int i = 0; i < q->outer.count; i++, p += 4) {
        if (t->n < t->T) {
            zero_tail(t, &(agni_tile_operand){AGNI_ON_TILE, p[0], p[1], 1, 0, 0}, K);
            zero_tail(t, &(agni_tile_operand){AGNI_ON_TILE, p[2], p[3], 1, 0, 0}, J);
        }
        x[i] = (agni_simd_tile){agni_tile_row(t, p[0], p[1]), t->T};
        g[i] = (agni_simd_tile){agni_tile_row(t, p[2], p[3]), t->T};
    }
    t->r->vk->outer_product((agni_simd_matrix){t->acc + q->dst_row * t->r->bytes, J, 1}, x, g,
                            q->outer.count, K, J, t->T);
}
static void sum_over_batch(const agni_tile_context *t, const agni_tile_instr *q)
{
    zero_tail(t, &q->in[0], q->E);
    t->r->vk->add_row_sums(t->acc + q->dst_row * t->r->bytes, 1,
                           (agni_simd_tile){agni_tile_row(t, q->in[0].id, q->in[0].row), t->T},
                           q->E, t->T);
}

/* the blocks of numbers that chains read: the region's own, then elements of arrays; no further than
   the longest chain reads */
void agni_tile_fill_numbers(const agni_tile_context *t)
{
    const agni_region *r = t->r;
    int64_t n = (r->beside ? AGNI_VROOM : AGNI_VBLOCK) / r->bytes, longest = 0;
    for (int32_t i = 0; i < r->n_in; i++)
        if (r->in[i].op == AGNI_T_CHAIN)
            longest = longest > r->in[i].E ? longest : r->in[i].E;
    n = n < longest * r->T ? n : longest * r->T;
    char *to = t->blocks;
    for (int32_t k = 0; k < r->n_num; k++, to += AGNI_VROOM)
        agni_tile_fill(
            r, to, resolve_operand(t, &(agni_tile_operand){.kind = AGNI_ON_NUMBER, .id = k}).p, n);
    for (int32_t k = 0; k < r->n_uniform; k++, to += AGNI_VROOM)
        agni_tile_fill(r, to, agni_tile_array(t, r->uniform[k].arr, r->uniform[k].row), n);
}

agni_tile_kernel *const agni_tile_kernels[AGNI_T_COUNT] = {
    [AGNI_T_LOAD] = agni_tile_load_rows,
    [AGNI_T_STORE] = agni_tile_store_rows,
    [AGNI_T_LOAD_TRANSPOSED] = agni_tile_transpose_rows,
    [AGNI_T_STORE_TRANSPOSED] = agni_tile_transpose_rows,
    [AGNI_T_MAP] = run_map,
    [AGNI_T_LOOP2] = run_loop,
    [AGNI_T_LOOP3] = run_loop,
    [AGNI_T_EAGER_LOOP] = run_eager_loop,
    [AGNI_T_GATHER_ROWS] = gather_rows,
    [AGNI_T_REDUCE] = reduce_rows,
    [AGNI_T_PRODUCT] = run_products,
    [AGNI_T_BATCHED_PRODUCT] = run_batched_product,
    [AGNI_T_OUTER_PRODUCT] = run_outer_product,
    [AGNI_T_BATCH_SUM] = sum_over_batch,
    [AGNI_T_CHAIN] = run_chain,
};
