/* graph/launch/launch_text.c - the text of a launch: functions of its members, and the kernels that
   call them. A grid ends in the block that arrives last (Harris 2007, parallel reduction; CUDA C++
   Programming Guide, memory fence functions): no block waits for another, so that none can be left
   waiting for one that has no place on the device. Where the device runs all blocks at once (a
   cooperative launch) one kernel has phases, between which they wait, and takes what has more
   blocks in turns. */
#include "graph/launch/region_text.h"

#include "core/internal.h"
#include <string.h>

/* ---- regions --------------------------------------------------------------------------------- */

static bool is_same_memory(const agni_plan *p, const agni_region *r, int32_t a, int32_t b)
{
    const agni_plan_value *x = &p->val[p->arr[r->arr[a]]], *y = &p->val[p->arr[r->arr[b]]];
    return x->buffer == y->buffer && x->offset == y->offset;
}

/* the same numbers, as they are or transposed */
static bool is_same_matrix(const agni_packed_weights *a, const agni_packed_weights *b)
{
    bool equal = a->ldk == b->ldk && a->ldj == b->ldj && a->K == b->K && a->J == b->J;
    bool other = a->ldk == b->ldj && a->ldj == b->ldk && a->K == b->J && a->J == b->K;
    return a->row == b->row && a->ldk != a->ldj && (equal || other);
}

/* Weights that fit into so many bytes beside the tile, or without it where it is larger; those that lie
   there already are not copied again. */
static void keep_weights(agni_region *r, const agni_plan *p, int64_t bytes)
{
    int64_t room = bytes / r->bytes, tile = r->rows * r->T;
    room -= tile <= room ? tile : 0;
    r->kept = 0;
    for (int32_t i = 0; i < r->n_pack; i++) {
        agni_packed_weights *k = &r->pack[i];
        k->kept = 0;
        for (int32_t j = 0; j < i && !k->kept; j++)
            if (is_same_matrix(k, &r->pack[j]) && is_same_memory(p, r, k->arr, r->pack[j].arr))
                k->kept = r->pack[j].kept;
        int64_t n = (k->K * k->J + 3) / 4 * 4;
        if (k->kept || r->kept + n > room)
            continue;
        k->kept = r->kept + 1;
        r->kept += n;
    }
}

static void rewind_text(agni_text *t)
{
    t->n = 0;
    t->failed = false;
}

/* Buffers that live in registers alone give their places to others. */
static agn_status write_text(agni_region *r, const agni_launch_member *at, agni_text *t, bool *bare)
{
    agn_status st = agni_region_write_text(r, at, t, bare);
    int32_t n = 0, *rows = agni_alloc(((size_t)r->n_buf + 1) * sizeof *rows);
    if (!st && !rows)
        st = agni_nomem("compile", (size_t)r->n_buf * sizeof *rows);
    for (int32_t b = 0; !st && b < r->n_buf; b++) {
        rows[b] = r->buf[b].rows;
        n += bare[b];
        r->buf[b].rows = bare[b] ? 0 : rows[b];
    }
    if (!st && n) {
        rewind_text(t);
        st = agni_tile_allocate_buffers(r) ? agni_region_write_text(r, at, t, bare)
                                           : agni_nomem("compile", (size_t)r->n_buf);
        for (int32_t b = 0; b < r->n_buf; b++)
            r->buf[b].rows = rows[b];
        if (st == AGN_EUNSUPPORTED) { /* other places, other loops */
            rewind_text(t);
            st = agni_tile_allocate_buffers(r) ? agni_region_write_text(r, at, t, NULL)
                                               : agni_nomem("compile", (size_t)r->n_buf);
        }
    }
    agni_free(rows);
    return st;
}

/* the text with the weights that fit into so many bytes beside the tile */
static agn_status write_region(agni_region *r, const agni_plan *p, const agni_launch_member *at,
                               agni_text *t, int64_t bytes)
{
    bool *bare = agni_zalloc((size_t)r->n_buf + 1);
    agn_status st = bare ? AGN_OK : agni_nomem("compile", (size_t)r->n_buf);
    for (int again = 0; !st && again < 2; again++) {
        rewind_text(t);
        memset(bare, 0, (size_t)r->n_buf + 1);
        if (!agni_tile_allocate_buffers(r)) {
            st = agni_nomem("compile", (size_t)r->n_buf);
            break;
        }
        if (!again)
            r->kept = 0;
        for (int32_t i = 0; i < r->n_pack && !again; i++)
            r->pack[i].kept = 0;
        st = write_text(r, at, t, bare);
        if (again || st)
            break;
        keep_weights(r, p, bytes);
        if (!r->kept)
            break;
    }
    agni_free(bare);
    return st;
}

/* ---- kernels --------------------------------------------------------------------------------- */

#define SAY(...) agni_text_append(t, __VA_ARGS__)

static agni_region *region_of(const agni_launch *l, const agni_plan *p,
                              const agni_launch_member *m)
{
    return p->step[l->first + m->index].region;
}

static agn_status write_members(agni_launch *l, const agni_plan *p, agni_text *t, int64_t room)
{
    agni_text own = {NULL, 0, 0, false};
    agn_status st = AGN_OK;
    l->kept = l->tile = l->pitch = 0;
    for (int32_t k = 0; !st && k < l->end - l->first; k++) {
        const agni_launch_member *m = &l->member[k];
        agni_region *r = region_of(l, p, m);
        SAY("namespace s%d {\n", k);
        if (r) {
            st = write_region(r, p, m, &own, room);
            enum { PIECE = 256 }; /* of what is appended at once */
            for (size_t at = 0; !st && at < own.n; at += PIECE)
                SAY("%.*s", PIECE, own.p + at);
            int64_t kept = r->kept * r->bytes, tile = r->rows * r->T * r->bytes;
            l->kept = l->kept > kept ? l->kept : kept;
            l->tile = l->tile > kept + tile ? l->tile : kept + tile;
            l->pitch = l->pitch > tile ? l->pitch : tile;
        } else {
            agni_step_write_text(p, &p->step[l->first + k], m, t);
        }
        SAY("}\n");
    }
    agni_free(own.p);
    return st;
}

static void write_finish(const agni_region *r, int32_t k, agni_text *t)
{
    SAY("    for (int k = threadIdx.x; k < %lld; k += %d)\n        s%d::finish(a, k);\n",
        (long long)r->acc, r->threads, k);
}

/* a member by one block, after what it did before */
static void write_alone(const agni_region *r, int32_t k, agni_text *t)
{
    SAY("    __syncthreads();\n");
    if (!r) {
        SAY("    s%d::run(a, threadIdx.x, %d);\n", k, AGNI_LAUNCH_THREADS);
        return;
    }
    SAY("    s%d::keep(a, room);\n"
        "    for (int b = 0; b < %d; b++) {\n        __syncthreads();\n"
        "        s%d::run(a, b, room, tile);\n    }\n",
        k, r->n_chunk, k);
    if (r->acc) {
        SAY("    __syncthreads();\n");
        write_finish(r, k, t);
    }
}

/* what follows the wide members, by one block */
static void write_tail(const agni_launch *l, const agni_plan *p, agni_text *t)
{
    for (int32_t k = 0; k < l->end - l->first; k++) {
        const agni_launch_member *m = &l->member[k];
        const agni_region *r = region_of(l, p, m);
        if (m->tail)
            write_alone(r, k, t);
    }
}

static void begin_kernel(const agni_launch *l, agni_text *t, const char *name, const char *block)
{
    SAY("extern \"C\" __global__ void __launch_bounds__(%d) %s("
        "const __grid_constant__ region_arguments a)\n{\n"
        "    extern __shared__ __align__(16) unsigned char room[];\n"
        "    unsigned char *tile = a.tiles ? (unsigned char *)a.tiles + %s * %lldll : 0;\n"
        "    (void)room, (void)tile;\n",
        AGNI_LAUNCH_THREADS, name, block, (long long)l->pitch);
}
static void await_others(int32_t blocks, agni_text *t)
{
    SAY(blocks > 1 ? "    if (!t_is_last_block())\n        return;\n" : "    __syncthreads();\n");
}

static void write_wide(const agni_launch *l, const agni_plan *p, agni_text *t)
{
    int32_t left = l->blocks;
    bool sums = false, tail = false;
    begin_kernel(l, t, "region", "blockIdx.x");
    for (int32_t k = 0; k < l->end - l->first; k++) {
        const agni_launch_member *m = &l->member[k];
        const agni_region *r = region_of(l, p, m);
        tail = tail || m->tail;
        if (m->tail)
            continue;
        sums = sums || (r->acc && !r->sum_blocks);
        left -= r->n_chunk;
        SAY("    ");
        if (left)
            SAY("if (blockIdx.x >= %d && blockIdx.x < %d) ", m->block, m->block + r->n_chunk);
        else if (m->block)
            SAY("if (blockIdx.x >= %d) ", m->block);
        SAY("{\n        s%d::keep(a, room);\n        s%d::run(a, blockIdx.x - %d, room, tile);\n"
            "    }\n",
            k, k, m->block);
    }
    tail = tail && !l->sum_blocks;
    if (sums || tail)
        await_others(l->blocks, t);
    for (int32_t k = 0; sums && k < l->end - l->first; k++) {
        const agni_region *r = region_of(l, p, &l->member[k]);
        if (!l->member[k].tail && r->acc && !r->sum_blocks)
            write_finish(r, k, t);
    }
    if (tail)
        write_tail(l, p, t);
    SAY("}\n");
}

/* sums of many blocks, in a kernel of their own; what follows them */
static void write_sums(const agni_launch *l, const agni_plan *p, agni_text *t)
{
    bool tail = false;
    begin_kernel(l, t, "region_sum", "0");
    for (int32_t k = 0; k < l->end - l->first; k++) {
        const agni_launch_member *m = &l->member[k];
        const agni_region *r = region_of(l, p, m);
        tail = tail || m->tail;
        if (m->tail || !r->sum_blocks)
            continue;
        SAY("    if (const int k = ((int)blockIdx.x - %d) * %d + (int)threadIdx.x; "
            "k >= 0 && k < %lld)\n        s%d::finish(a, k);\n",
            m->sum_block, r->threads, (long long)r->acc, k);
    }
    if (tail) {
        await_others(l->sum_blocks, t);
        write_tail(l, p, t);
    }
    SAY("}\n");
}

/* ---- a kernel in phases ----------------------------------------------------------------------- */

/* a member by all blocks: chunks of a region in turns, each by the block whose turn it is */
static void write_shared(const agni_region *r, const agni_launch_member *m, agni_text *t)
{
    int32_t k = m->index;
    if (!r) {
        SAY("    s%d::run(a, blockIdx.x * %d + threadIdx.x, gridDim.x * %d);\n", k,
            AGNI_LAUNCH_THREADS, AGNI_LAUNCH_THREADS);
        return;
    }
    SAY("    if (const int from = t_turn_of_block(%d); from < %d) {\n        __syncthreads();\n"
        "        s%d::keep(a, room);\n"
        "        for (int b = from; b < %d; b += gridDim.x) {\n            __syncthreads();\n"
        "            s%d::run(a, b, room, tile);\n        }\n",
        m->block, r->n_chunk, k, r->n_chunk, k);
    if (r->acc && r->n_chunk == 1) {
        SAY("        __syncthreads();\n");
        write_finish(r, k, t);
    }
    SAY("    }\n");
}

/* members from k on, whose sums are of no chunk alone: are added by all blocks */
static void write_phase_sums(const agni_launch *l, const agni_plan *p, int32_t k, int32_t end,
                             agni_text *t)
{
    bool any = false;
    for (; k < end; k++) {
        const agni_region *r = region_of(l, p, &l->member[k]);
        if (!r || l->member[k].tail || !r->acc || r->n_chunk == 1)
            continue;
        if (!any)
            SAY("    t_await_blocks();\n");
        any = true;
        SAY("    for (int k = blockIdx.x * %d + threadIdx.x; k < %lld; k += gridDim.x * %d)\n"
            "        s%d::finish(a, k);\n",
            r->threads, (long long)r->acc, r->threads, k);
    }
}

/* What all blocks share, then what one runs; between phases all wait for each other. */
static void write_phases(const agni_launch *l, const agni_plan *p, agni_text *t)
{
    const int32_t n = l->end - l->first;
    begin_kernel(l, t, "region", "blockIdx.x");
    for (int32_t k = 0, end; k < n; k = end) {
        bool narrow = false;
        if (k)
            SAY("    t_await_blocks();\n");
        for (end = k; end < n && l->member[end].phase == l->member[k].phase; end++) {
            narrow = narrow || l->member[end].tail;
            if (!l->member[end].tail)
                write_shared(region_of(l, p, &l->member[end]), &l->member[end], t);
        }
        if (narrow)
            SAY("    if (blockIdx.x == gridDim.x - 1) {\n");
        for (int32_t i = k; narrow && i < end; i++)
            if (l->member[i].tail)
                write_alone(region_of(l, p, &l->member[i]), i, t);
        if (narrow)
            SAY("    }\n");
        write_phase_sums(l, p, k, end, t);
    }
    SAY("}\n");
}

agn_status agni_launch_write_text(agni_launch *l, const agni_plan *p, agni_text *t, int64_t room)
{
    rewind_text(t);
    SAY("struct region_arguments { void *array[%d], *tiles, *sums; double number[%d]; };\n",
        l->n_arr, l->n_num ? l->n_num : 1);
    agn_status st = write_members(l, p, t, room);
    if (st)
        return st;
    if (l->together)
        write_phases(l, p, t);
    else
        write_wide(l, p, t);
    if (l->sum_blocks)
        write_sums(l, p, t);
    return t->failed ? agni_nomem("compile", t->cap) : AGN_OK;
}
