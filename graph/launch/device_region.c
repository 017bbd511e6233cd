/* graph/launch/device_region.c - a region as one launch of a device, or two where it sums over its
   batch: its sizes, what its back end makes of its text, and the call. */
#include "graph/launch/device_region.h"

#include "core/device/backend_registry.h"
#include "graph/launch/region_text.h"
#include "graph/memory/clock.h"
#include <string.h>

enum {
    THREADS = 256,
    FEW_ROWS = 8,    /* numbers of a row of the batch that one thread takes */
    BLOCKS = 512,    /* of tiles of 32 rows */
    LAST_SUMS = 1 << 15, /* numbers of all blocks that the last one adds, without another launch */
    MOST_WORDS = 496 /* of a kernel's parameters, whose size is 4 KB */
};

bool agni_device_has_regions(int32_t device)
{
    return device != AGN_CPU && agni_backend_has_regions(agni_backend_of(device));
}

/* ---- sizes ----------------------------------------------------------------------------------- */

static bool has_few_rows(const agni_region *r)
{
    for (int32_t i = 0; i < r->n_in; i++) {
        int op = r->in[i].op;
        if (r->in[i].E > FEW_ROWS || op == AGNI_T_PRODUCT || op == AGNI_T_BATCHED_PRODUCT ||
            op == AGNI_T_OUTER_PRODUCT)
            return false;
    }
    return true;
}

/* from the batch and the accumulators alone */
static void choose_sizes(agni_region *r)
{
    const int64_t most_acc = (int64_t)32 << 20;
    r->threads = THREADS;
    r->T = has_few_rows(r) ? THREADS : 32;
    int64_t tiles = (r->N + r->T - 1) / r->T, blocks = r->T == 32 ? BLOCKS : 2 * BLOCKS;
    if (r->acc && blocks > most_acc / (r->acc * r->bytes))
        blocks = most_acc / (r->acc * r->bytes);
    blocks = blocks < 8 ? 8 : blocks;
    r->chunk = (tiles + blocks - 1) / blocks * r->T;
    r->n_chunk = (int32_t)((r->N + r->chunk - 1) / r->chunk);
    bool many = r->acc && r->n_chunk > 1 && r->acc * r->n_chunk > LAST_SUMS;
    r->sum_blocks = many ? (int32_t)((r->acc + THREADS - 1) / THREADS) : 0;
}

/* ---- the text -------------------------------------------------------------------------------- */

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
static agn_status write_text(agni_region *r, agni_text *t, bool *bare)
{
    agn_status st = agni_region_write_text(r, t, bare);
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
        st = agni_tile_allocate_buffers(r) ? agni_region_write_text(r, t, bare)
                                           : agni_nomem("compile", (size_t)r->n_buf);
        for (int32_t b = 0; b < r->n_buf; b++)
            r->buf[b].rows = rows[b];
        if (st == AGN_EUNSUPPORTED) { /* other places, other loops */
            rewind_text(t);
            st = agni_tile_allocate_buffers(r) ? agni_region_write_text(r, t, NULL)
                                               : agni_nomem("compile", (size_t)r->n_buf);
        }
    }
    agni_free(rows);
    return st;
}

/* the text with the weights that fit into so many bytes beside the tile */
static agn_status write_region(agni_region *r, const agni_plan *p, agni_text *t, bool *bare,
                               int64_t bytes)
{
    agn_status st = AGN_OK;
    for (int again = 0; !st && again < 2; again++) {
        rewind_text(t);
        memset(bare, 0, (size_t)r->n_buf + 1);
        if (!agni_tile_allocate_buffers(r))
            return agni_nomem("compile", (size_t)r->n_buf);
        if (!again)
            r->kept = 0;
        for (int32_t i = 0; i < r->n_pack && !again; i++)
            r->pack[i].kept = 0;
        st = write_text(r, t, bare);
        if (again || st)
            break;
        keep_weights(r, p, bytes);
        if (!r->kept)
            break;
    }
    return st;
}

agn_status agni_region_compile(agni_region *r, agni_plan *p)
{
    /* shared memory of a block: of compute capability 9.0 and 10.0, of the least, none for weights;
       less what a kernel declares itself */
    static const int64_t room[] = {(227 << 10) - 1024, (99 << 10) - 1024, (64 << 10) - 1024, 0};
    const agn_backend *b = agni_backend_of(p->device);
    agni_text t = {NULL, 0, 0, false};
    bool *bare = agni_zalloc((size_t)r->n_buf + 1);
    r->device = p->device;
    choose_sizes(r);
    agn_status st = bare ? AGN_OK : agni_nomem("compile", (size_t)r->n_buf);
    if (!st && r->n_arr + r->n_num + 2 > MOST_WORDS)
        st = agni_fail(AGN_EUNSUPPORTED, "compile: a region has %d arrays", r->n_arr);
    agn_region_text text = {.size = sizeof text};
    for (int k = 0; !st && k < (int)(sizeof room / sizeof *room); k++) {
        st = write_region(r, p, &t, bare, room[k]);
        if (st || (k && !r->kept && room[k]))
            continue;
        agni_region_free_compiled(r);
        r->compiled = NULL;
        text = (agn_region_text){.size = sizeof text,
                                 .text = t.p,
                                 .n_array = r->n_arr,
                                 .n_number = r->n_num,
                                 .blocks = r->n_chunk,
                                 .threads = r->threads,
                                 .sum_blocks = r->sum_blocks,
                                 .tile_bytes = r->rows * r->T * r->bytes,
                                 .kept_bytes = r->kept * r->bytes};
        st = b->compile_region(agni_device_ordinal(p->device), &text, &r->compiled);
        bool crowded_out = text.tiles && text.tile_bytes <= room[k];
        if (!r->kept || (!st && !crowded_out))
            break;
        if (st == AGN_EUNSUPPORTED)
            st = AGN_OK; /* with fewer of them */
    }
    if (!st) {
        r->acc_buffer = agni_plan_add_scratch(p, r->acc * r->bytes * r->n_chunk);
        r->pack_buffer = agni_plan_add_scratch(p, text.tiles ? text.tile_bytes * r->n_chunk : 0);
        if (r->acc_buffer < 0 || r->pack_buffer < 0)
            st = agni_nomem("compile", sizeof(agni_buffer));
    }
    r->packed = text.tiles ? text.tile_bytes * r->n_chunk : 0;
    agni_free(t.p);
    agni_free(bare);
    return st;
}

void agni_region_free_compiled(agni_region *r)
{
    if (r->compiled)
        agni_backend_of(r->device)->free_region(r->compiled);
}

/* ---- the launch ------------------------------------------------------------------------------ */

/* a launch ends when it is queued: chunks have no times */
static void note_chunks(const agni_region *r, agni_workspace *w)
{
    agni_span now = {.worker = 0, .from = agni_now_ns()};
    now.to = now.from;
    for (int32_t k = 0; w->clock && k < r->n_chunk; k++)
        *w->clock->chunk++ = now;
}

agn_status agni_region_launch(const agni_region *r, const agni_plan *p, agni_workspace *w)
{
    void *array[MOST_WORDS];
    const agn_backend *b = agni_backend_of(p->device);
    for (int32_t i = 0; i < r->n_arr; i++)
        array[i] = w->arr[r->arr[i]].data;
    note_chunks(r, w);
    return b->run_region(r->compiled,
                         &(agn_region_call){.size = sizeof(agn_region_call),
                                            .n_array = r->n_arr,
                                            .n_number = r->n_num,
                                            .array = array,
                                            .number = r->num,
                                            .tiles = r->packed ? w->base[r->pack_buffer] : NULL,
                                            .sums = r->acc ? w->base[r->acc_buffer] : NULL,
                                            .device = agni_device_ordinal(p->device),
                                            .stream = w->stream});
}
