/* fft/cpu/columns.c - transforms of columns: as many as a vector has lanes are transformed side by
   side; where lengths have other factors or vectors are short, as many as fill cache lines are
   copied into rows, transformed there, and copied back (Bailey 1990). Walking a large stride
   within a transform would take a cache line, and often a page, for each number. */
#include "fft/cpu/lane_tables.h"

#include <string.h>

enum { LEAST_LINE = 256, LEAST_IN_LANES = 16, MOST_IN_LANES = 1 << 13, LINE = 64 };
enum { LEAST_COLUMNS = 4, ROOM = 1 << 19, MOST_BYTES = 256 };

/* the kernels whose lanes serve columns of the key, or NULL */
static const agni_lane_kernels *find_lanes(const agni_fft_key *key)
{
    int64_t n = key->dim->n;
    const agni_lane_kernels *v = agni_fft_lanes(key->single);
    return key->kind == AGNI_C2C && n >= LEAST_IN_LANES && n <= MOST_IN_LANES &&
                   v->lanes * agni_pair_bytes(key->single) >= LINE && agni_fft_fast_length(n) == n
               ? v
               : NULL;
}

int agni_fft_find_columns(const agni_fft_key *key)
{
    const agni_fft_dim *d = key->dim;
    if (key->rank != 1 || (key->kind != AGNI_C2C && key->kind != AGNI_R2R) || d->is == 1 ||
        d->os == 1 || (d->n < LEAST_LINE && !find_lanes(key)))
        return 0;
    for (int k = 1; k <= key->many; k++)
        if (d[k].is == 1 && d[k].os == 1 && d[k].n >= LEAST_COLUMNS)
            return k;
    return 0;
}

/* rows of lines, or back: n numbers of each of m columns */
#define COPY(T, s)                                                                                        \
    static void gather_##s(void *rows, int64_t ld, const void *from, int64_t step, int64_t n, int64_t m)  \
    {                                                                                                     \
        T *to = rows;                                                                                     \
        const T *x = from;                                                                                \
        for (int64_t i = 0; i < n; i++, x += step)                                                        \
            for (int64_t k = 0; k < m; k++)                                                               \
                to[k * ld + i] = x[k];                                                                    \
    }                                                                                                     \
    static void scatter_##s(void *to, int64_t step, const void *rows, int64_t ld, int64_t n, int64_t m)   \
    {                                                                                                     \
        T *y = to;                                                                                        \
        const T *from = rows;                                                                             \
        for (int64_t i = 0; i < n; i++, y += step)                                                        \
            for (int64_t k = 0; k < m; k++)                                                               \
                y[k] = from[k * ld + i];                                                                  \
    }
typedef struct wide {
    double part[2];
} wide;
COPY(float, 4)
COPY(double, 8)
COPY(wide, 16)

static void gather_columns(int64_t bytes, void *rows, int64_t ld, const void *from, int64_t step,
                           int64_t n, int64_t m)
{
    (bytes == 4 ? gather_4 : bytes == 8 ? gather_8 : gather_16)(rows, ld, from, step, n, m);
}
static void scatter_columns(int64_t bytes, void *to, int64_t step, const void *rows, int64_t ld,
                            int64_t n, int64_t m)
{
    (bytes == 4 ? scatter_4 : bytes == 8 ? scatter_8 : scatter_16)(to, step, rows, ld, n, m);
}

bool agni_fft_run_columns(const agni_fft_key *key, int across, char *in, char *out, int64_t bytes,
                          bool (*run)(const void *user, agni_fft_key *key, char *in, char *out),
                          const void *user)
{
    const agni_fft_dim *line = key->dim, *side = line + across;
    int64_t n = line->n, ld = (n + 8 + 7) / 8 * 8 + 8; /* off the powers of two */
    int64_t most = MOST_BYTES / bytes, at[AGN_MAX_RANK] = {0};
    while (most > LEAST_COLUMNS && most * ld * bytes > ROOM)
        most /= 2;
    const agni_lane_kernels *lanes = find_lanes(key);
    const agni_lane_tables *tables = NULL;
    agni_fft_plan *p =
        lanes ? agni_fft_acquire_tables(lanes, key->single, false, n, 0, &tables) : NULL;
    int64_t half = lanes ? n * lanes->lanes * bytes : 0, room = most * ld * bytes;
    char *rows = agni_alloc_aligned((size_t)(room > 2 * half ? room : 2 * half));
    bool good = rows && (p || !lanes);
    while (good) {
        int64_t c = 0, m;
        for (; lanes && c + lanes->lanes <= side->n; c += lanes->lanes) {
            lanes->load(rows, in + c * bytes, line->is, n, key->sign > 0);
            lanes->store(out + c * bytes, line->os,
                         lanes->run(&tables->columns, rows, rows + half), n, key->sign > 0, false);
        }
        for (; good && c < side->n; c += m) {
            m = side->n - c < most ? side->n - c : most;
            agni_fft_key few;
            memset(&few, 0, sizeof few); /* keys are compared by bytes */
            few.kind = key->kind;
            few.sign = key->sign;
            few.single = key->single;
            few.in_place = 1;
            few.rank = 1;
            few.dim[0] = (agni_fft_dim){n, 1, 1};
            if (m > 1) {
                few.many = 1;
                few.dim[1] = (agni_fft_dim){m, ld, ld};
            }
            gather_columns(bytes, rows, ld, in + c * bytes, line->is, n, m);
            good = run(user, &few, rows, rows);
            if (good)
                scatter_columns(bytes, out + c * bytes, line->os, rows, ld, n, m);
        }
        int k = key->many;
        for (; k > 0; k--) { /* the other axes of the batch */
            const agni_fft_dim *d = line + k;
            if (k == across)
                continue;
            in += d->is * bytes;
            out += d->os * bytes;
            if (++at[k] < d->n)
                break;
            in -= d->n * d->is * bytes;
            out -= d->n * d->os * bytes;
            at[k] = 0;
        }
        if (k == 0)
            break;
    }
    if (p)
        agni_fft_release(p);
    agni_free(rows);
    return good;
}
