/* graph/tiles/execute_tiles.c - the interpreter of tile programs: chunk by chunk, tile by tile.

   The batch is cut into chunks by its size alone. Each chunk adds into accumulators of its
   own, in order; a thread takes whole chunks; chunks are added in a fixed tree. So results
   do not depend on the number of threads. */
#include "graph/tiles/tile_kernels.h"
#include "graph/memory/clock.h"

#include <string.h>

typedef struct region_run {
    const agni_region *r;
    const agn_array *arr; /* of the workspace */
    char *tiles, *acc, *packed;
    int64_t tile_bytes;
    int64_t workers;      /* for whom there are tiles */
    agni_span *span;      /* of chunks; NULL: nobody asks */
    double before, share; /* progress of the call: until here, and of this region; 0: not told */
    atomic_int done;      /* chunks */
    atomic_bool cancelled, starved;
} region_run;

static void run_chunk(region_run *u, int64_t i, int worker, char *mem);

static int64_t tile_buffer_bytes(const agni_region *r)
{
    return (r->rows * r->T * r->bytes + 63) / 64 * 64;
}

/* The hook is asked on its thread only, before chunks and now and then within a long one. */
static bool is_cancelled(region_run *u, int worker, int64_t k)
{
    enum { TILES = 8 };
    if (atomic_load_explicit(&u->cancelled, memory_order_relaxed))
        return true;
    if (worker != 0 || k % TILES != 0)
        return false;
    if (u->share > 0)
        agni_report_progress("call", u->before + u->share * atomic_load(&u->done) / u->r->n_chunk);
    bool stop = agni_check_interrupt();
    if (stop)
        atomic_store(&u->cancelled, true);
    return stop;
}

static void timed_chunk(region_run *u, int64_t i, int worker, char *mem)
{
    agni_span s = {.worker = worker, .from = u->span ? agni_now_ns() : 0};
    run_chunk(u, i, worker, mem);
    if (u->span) {
        s.to = agni_now_ns();
        u->span[i] = s;
    }
    atomic_fetch_add_explicit(&u->done, 1, memory_order_relaxed);
}

static void take_chunk(void *user, int64_t i, int worker)
{
    region_run *u = user;
    if (is_cancelled(u, worker, 0))
        return;
    if (worker < u->workers) {
        timed_chunk(u, i, worker, u->tiles + worker * u->tile_bytes);
        return;
    }
    /* the number of threads was raised meanwhile */
    char *own = agni_alloc_aligned((size_t)u->tile_bytes);
    if (own)
        timed_chunk(u, i, worker, own);
    else
        atomic_store(&u->starved, true);
    agni_free(own);
}

static void run_chunk(region_run *u, int64_t i, int worker, char *mem)
{
    const agni_region *r = u->r;
    agni_tile_context t = {.r = r,
                           .arr = u->arr,
                           .packed = u->packed,
                           .mem = mem,
                           .acc = u->acc + i * r->acc * r->bytes};
    t.blocks = mem + tile_buffer_bytes(r);
    agni_tile_fill_numbers(&t);
    memset(t.acc, 0, (size_t)(r->acc * r->bytes));
    int64_t end = (i + 1) * r->chunk < r->N ? (i + 1) * r->chunk : r->N;
    for (t.row0 = i * r->chunk; t.row0 < end; t.row0 += r->T) {
        if (t.row0 > i * r->chunk && is_cancelled(u, worker, t.row0 / r->T))
            return;
        t.n = end - t.row0 < r->T ? end - t.row0 : r->T;
        t.T = (t.n + r->lanes - 1) / r->lanes * r->lanes;
        for (const agni_tile_instr *q = r->in; q < r->in + r->n_in; q++)
            agni_tile_kernels[q->op](&t, q);
    }
}

/* one block of numbers of the accumulators: added over all chunks in a tree */
enum { BLOCK = 4096 };
static void add_accumulators(void *user, int64_t i, int worker)
{
    const region_run *u = user;
    const agni_region *r = u->r;
    int64_t lo = i * BLOCK, n = r->acc - lo < BLOCK ? r->acc - lo : BLOCK;
    (void)worker;
    for (int64_t s = 1; s < r->n_chunk; s *= 2)
        for (int64_t c = 0; c + s < r->n_chunk; c += 2 * s) {
            char *y = u->acc + (c * r->acc + lo) * r->bytes;
            agni_simd_operand in[2] = {{y, n, 1},
                                       {u->acc + ((c + s) * r->acc + lo) * r->bytes, n, 1}};
            r->vk->loop2[AGNI_V2_add](y, n, in, 1, n);
        }
}

int64_t agni_region_tile_bytes(const agni_region *r)
{
    int64_t blocks = (int64_t)(r->n_num + r->n_uniform + r->scratch) * AGNI_VROOM;
    return (tile_buffer_bytes(r) + blocks + 4095) / 4096 * 4096 + 192;
}

agn_status agni_region_run(const agni_region *r, const agni_plan *p, agni_workspace *w)
{
    int64_t workers = agni_parallel_width();
    if (workers > w->tile_workers) {
        agni_free(w->tiles);
        w->tile_workers = 0;
        w->tiles = agni_alloc_aligned((size_t)(workers * p->tile));
        if (!w->tiles)
            return agni_nomem("call", (size_t)(workers * p->tile));
        w->tile_workers = workers;
    }
    region_run u = {.r = r,
                    .arr = w->arr,
                    .tiles = w->tiles,
                    .tile_bytes = p->tile,
                    .acc = w->base[r->acc_buffer],
                    .packed = w->base[r->pack_buffer]};
    u.workers = w->tile_workers;
    if (w->tell) {
        u.before = (double)w->at / p->n_step;
        u.share = 1.0 / p->n_step;
    }
    if (w->clock) {
        u.span = w->clock->chunk;
        w->clock->chunk += r->n_chunk;
    }
    atomic_init(&u.done, 0);
    atomic_init(&u.cancelled, false);
    atomic_init(&u.starved, false);
    for (int32_t i = 0; i < r->n_pack; i++) {
        const agni_packed_weights *q = &r->pack[i];
        r->vk->pack(u.packed + q->place * r->bytes,
                    (agni_simd_matrix){w->arr[r->arr[q->arr]].data, q->ldk, q->ldj}, q->K, q->J);
    }
    agni_parallel_for(r->n_chunk, take_chunk, &u);
    if (atomic_load(&u.cancelled))
        return agni_fail(AGN_ECANCELLED, "call: cancelled in a region of %lld rows in %d chunks",
                         (long long)r->N, r->n_chunk);
    if (atomic_load(&u.starved))
        return agni_nomem("call", (size_t)p->tile);
    int64_t blocks = (r->acc + BLOCK - 1) / BLOCK;
    if (blocks > 4)
        agni_parallel_for(blocks, add_accumulators, &u);
    else
        for (int64_t i = 0; i < blocks; i++)
            add_accumulators(&u, i, 0);
    for (int32_t i = 0; i < r->n_result; i++) {
        const agni_accumulator *q = &r->result[i];
        memcpy(w->arr[r->arr[q->arr]].data, u.acc + q->at * r->bytes, (size_t)(q->n * r->bytes));
    }
    return AGN_OK;
}
