/* graph/launch/device_region.c - a region as blocks of a device's kernel: their sizes. */
#include "graph/launch/device_region.h"

#include "core/device/backend_registry.h"
#include "graph/launch/launch.h"

enum {
    FEW_ROWS = 8,       /* numbers of a row of the batch that one thread takes */
    LEAST_LANES = 8,
    BLOCKS = 512,       /* of tiles of 32 rows */
    LAST_SUMS = 1 << 15 /* numbers of all blocks that the last one adds, without another launch */
};

bool agni_device_has_regions(int32_t device)
{
    return device != AGN_CPU && agni_backend_has_regions(agni_backend_of(device));
}

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

/* Rows of a tile: as many as leave it in shared memory, of a network of width 128 one of the least. */
static int64_t choose_lanes(const agni_region *r)
{
    int64_t lanes = 32;
    while (lanes > LEAST_LANES && r->rows * lanes * r->bytes > AGNI_LAUNCH_TILE)
        lanes /= 2;
    return r->rows * lanes * r->bytes > AGNI_LAUNCH_SHARED ? 32 : lanes;
}

void agni_region_choose_blocks(agni_region *r, int32_t device)
{
    const int64_t most_acc = (int64_t)32 << 20;
    r->device = device;
    r->threads = AGNI_LAUNCH_THREADS;
    r->T = has_few_rows(r) ? r->threads : choose_lanes(r);
    int64_t tiles = (r->N + r->T - 1) / r->T, blocks = r->T <= 32 ? BLOCKS : 2 * BLOCKS;
    if (r->acc && blocks > most_acc / (r->acc * r->bytes))
        blocks = most_acc / (r->acc * r->bytes);
    blocks = blocks < 8 ? 8 : blocks;
    r->chunk = (tiles + blocks - 1) / blocks * r->T;
    r->n_chunk = (int32_t)((r->N + r->chunk - 1) / r->chunk);
    bool many = r->acc && r->n_chunk > 1 && r->acc * r->n_chunk > LAST_SUMS;
    r->sum_blocks = many ? (int32_t)((r->acc + r->threads - 1) / r->threads) : 0;
}
