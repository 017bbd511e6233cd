/* graph/tiles/tile_buffers.c - memory of a tile: buffers by live range (linear scan), and how long
   tiles and chunks are. */
#include "graph/tiles/tile.h"
#include "graph/memory/free_list.h"

typedef struct live_range_context {
    agni_tile_buffer *buf;
    int32_t i;
} live_range_context;
static void extend_live_range(void *user, int32_t b, bool writes)
{
    const live_range_context *m = user;
    (void)writes;
    b = m->buf[b].inside ? m->buf[b].inside - 1 : b;
    if (m->buf[b].first < 0)
        m->buf[b].first = m->i;
    m->buf[b].last = m->i;
}

bool agni_tile_allocate_buffers(agni_region *r)
{
    for (int32_t b = 0; b < r->n_buf; b++)
        r->buf[b].first = r->buf[b].last = -1;
    for (int32_t i = 0; i < r->n_in; i++)
        agni_tile_visit_buffers(r, &r->in[i], extend_live_range, &(live_range_context){r->buf, i});
    /* buffers by birth and by last use; each in a block that is free during its live range */
    agni_free_list g = {NULL, 0, 0};
    int32_t *born = agni_alloc(2 * (size_t)(r->n_in + 1) * sizeof *born),
            *gone = born ? born + r->n_in : NULL;
    int32_t *next = agni_alloc(2 * (size_t)(r->n_buf + 1) * sizeof *next);
    bool ok = born && next;
    r->rows = 0;
    for (int32_t i = 0; ok && i < 2 * r->n_in; i++)
        born[i] = -1;
    for (int32_t b = 0; ok && b < r->n_buf; b++) {
        const agni_tile_buffer *q = &r->buf[b];
        if (q->first < 0 || !q->rows)
            continue;
        next[2 * b] = born[q->first];
        born[q->first] = b;
        next[2 * b + 1] = gone[q->last];
        gone[q->last] = b;
    }
    for (int32_t i = 0; ok && i < r->n_in; i++) {
        for (int32_t b = born[i]; b >= 0; b = next[2 * b])
            r->buf[b].place = (int32_t)agni_free_list_allocate(&g, r->buf[b].rows, &r->rows);
        for (int32_t b = gone[i]; ok && b >= 0; b = next[2 * b + 1])
            ok = agni_free_list_release(&g, r->buf[b].place, r->buf[b].rows);
    }
    for (int32_t b = 0; ok && b < r->n_buf; b++)
        if (r->buf[b].inside)
            r->buf[b].place = r->buf[r->buf[b].inside - 1].place + r->buf[b].offset;
    agni_free(g.p);
    agni_free(born);
    agni_free(next);
    return ok;
}

/* Lines of cache in a tile of at most T, so that a chunk of L is whole tiles with little beyond: a
   chunk may be longer, but long chunks are few. A multiple of eight lines would put the rows of a
   product in few sets of the first-level cache. */
static int64_t tile_lines(int64_t T, int64_t L, int64_t unit)
{
    const int64_t most = T < unit ? T : T / unit * unit;
    int64_t best = 0, beyond = 0;
    if (L <= T)
        return L + (L % 8 == 0);
    for (int64_t t = most; 3 * t > 2 * most; t -= unit) {
        int64_t more = (L + t - 1) / t * t - L;
        if (t % 8 != 0 && (!best || more < beyond)) {
            best = t;
            beyond = more;
        }
    }
    return best ? best : T + 1;
}

/* T: what is alive fits the second-level cache, but three cache lines at least, for products pay
   by the row, and six where that is not much more; whole blocks of a product. Where the batch is
   the last axis, pieces of rows are long, for memory likes them so, and where little is alive,
   for a chunk costs as much to begin as a hundred numbers. The number of chunks follows from the
   batch and the accumulators alone, never from threads: enough for many of them, more where they
   are long. */
void agni_tile_choose_sizes(agni_region *r)
{
    enum { LARGE = 16 << 20, ROWS = 96, LONG = 1024, MANY = 32, CHUNKS = 64, LINE = 64 };
    const bool wide = r->lanes * r->bytes ==
                      LINE; /* AVX-512: caches of a megabyte, blocks of 3 lines */
    const int64_t cache = wide ? 1 << 20 : 512 << 10, unit = wide ? 3 : 1;
    const int64_t most_acc = (int64_t)32 << 20, line = LINE / r->bytes;
    int64_t row = LINE * (r->rows > 0 ? r->rows : 1); /* a line of each that is alive */
    int64_t T = cache / row, least = 6 * row > LARGE ? 2 : wide && 4 * row < cache ? 6 : 3;
    int64_t top = (r->rows < 16 ? 2048 : 256) / line;
    T = T < least ? least : T > top ? top : T;
    int64_t rows = r->last || r->rows < 16 ? LONG : ROWS, C = (r->N + rows - 1) / rows,
            few = C < 4 ? C : 4;
    C = C <= MANY ? C : C / 2 < MANY ? MANY : C / 2 > CHUNKS ? CHUNKS : C / 2;
    if (r->acc > 0 && C > most_acc / (r->acc * r->bytes))
        C = most_acc / (r->acc * r->bytes);
    C = C < few ? few : C;
    int64_t lines = ((r->N + C - 1) / C + line - 1) / line, tile = tile_lines(T, lines, unit);
    r->T = tile * line;
    r->chunk = (lines + tile - 1) / tile * r->T;
    r->n_chunk = (int32_t)((r->N + r->chunk - 1) / r->chunk);
}
