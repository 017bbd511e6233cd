/* audio/music/recurrence.c - structure of music: frames that come back (Eckmann et al. 1987), the
   longest stretch that does (Serra et al. 2009), sections whose frames are alike (Ward 1963), where
   an onset begins; on the host. */
#include "audio/audio.h"
#include "tensor/dispatch/host_run.h"

#include <agnesi/audio_music.h>
#include <math.h>
#include <string.h>

enum { MOST_FRAMES = 1 << 15 };

static agn_status read_host(agn_tensor **owner, const double **v, const char *op,
                            const agn_tensor *x)
{
    agn_status st = agni_audio_host(owner, v, op, x);
    for (int64_t i = 0; !st && i < x->size; i++)
        if (!isfinite((*v)[i])) {
            st = agni_fail(AGN_EDOMAIN, "%s: entry %lld of x %s is %g; all are finite", op,
                           (long long)i, AGNI_SHAPE(x), (*v)[i]);
            agn_release(*owner);
            *owner = NULL;
            break;
        }
    return st;
}

static agn_status check_frames(const char *op, agn_tensor *const *out, const agn_tensor *x)
{
    agn_status st = agni_audio_check_real(op, out, x);
    if (!st && (x->ndim != 2 || !x->size || x->shape[1] > MOST_FRAMES))
        st = agni_fail(AGN_ESHAPE, "%s: x is %s; it is [bands, frames], neither 0, at most %d", op,
                       AGNI_SHAPE(x), MOST_FRAMES);
    return st;
}

/* ---- neighbours --------------------------------------------------------------------------- */

/* the k frames nearest to frame j, by distance, then by number; those nearer than width are none */
static void mark_neighbours(bool *row, double *d, const double *x, int64_t bands, int64_t n,
                            int64_t j, int64_t k, int64_t width)
{
    memset(row, 0, (size_t)n * sizeof *row);
    memset(d, 0, (size_t)n * sizeof *d);
    for (int64_t b = 0; b < bands; b++)
        for (int64_t i = 0; i < n; i++) {
            double by = x[b * n + i] - x[b * n + j];
            d[i] += by * by;
        }
    for (; k > 0; k--) {
        int64_t best = -1;
        for (int64_t i = 0; i < n; i++)
            if (!row[i] && (i - j >= width || j - i >= width) && (best < 0 || d[i] < d[best]))
                best = i;
        if (best < 0)
            return;
        row[best] = true;
    }
}

agn_status agn_audio_recurrence(agn_tensor **out, const agn_tensor *x, int64_t neighbours,
                                int64_t width, bool mutual)
{
    agni_host_call h;
    if (agni_host_call_begin(&h, "audio_recurrence", 1, (const agn_tensor *[]){x})) {
        agn_status st = h.st ? h.st : agn_audio_recurrence(out ? &h.y[0] : NULL, h.in[0],
                                                           neighbours, width, mutual);
        return agni_host_call_end(&h, st, 1, (agn_tensor * *[]){out});
    }
    static const char op[] = "audio_recurrence";
    agn_tensor *owner = NULL;
    const double *v = NULL;
    agn_status st = check_frames(op, out, x);
    if (!st && (neighbours < 0 || width < 1 || width > x->shape[1]))
        st = agni_fail(AGN_EARG,
                       "%s: %lld neighbours, a width of %lld for %s; widths are 1 to the "
                       "number of frames",
                       op, (long long)neighbours, (long long)width, AGNI_SHAPE(x));
    if (!st)
        st = read_host(&owner, &v, op, x);
    if (st)
        return st;
    int64_t n = x->shape[1], others = n - 2 * width + 1;
    if (!neighbours)
        neighbours = 2 * (int64_t)ceil(sqrt(others > 1 ? (double)others : 1));
    size_t size = (size_t)n * sizeof(double) + (size_t)(2 * n * n) * sizeof(bool);
    double *d = agni_alloc(size);
    bool *near = d ? (bool *)(d + n) : NULL, *table = d ? near + n * n : NULL;
    if (!d)
        st = agni_nomem(op, size);
    for (int64_t j = 0; !st && j < n; j++)
        mark_neighbours(near + j * n, d, v, x->shape[0], n, j, neighbours, width);
    for (int64_t i = 0; !st && i < n; i++)
        for (int64_t j = 0; j < n; j++)
            table[i * n + j] = near[j * n + i] && (!mutual || near[i * n + j]);
    agn_tensor *y = NULL;
    if (!st)
        st = agn_from_host(&y, AGN_BOOL, 2, (int64_t[]){n, n}, table);
    agni_free(d);
    agn_release(owner);
    if (!st)
        *out = y;
    return st;
}

/* ---- the longest path --------------------------------------------------------------------- */

static const int64_t moves[3][2] = {{1, 1}, {1, 2}, {2, 1}};

/* the best total of a path that ends at (i, j), and the move to it; -1: none */
static double extend_path(const double *x, const double *total, int64_t m, int64_t i, int64_t j,
                          double open, double go_on, bool knight, int *move)
{
    double here = x[i * m + j], best = 0;
    *move = -1;
    for (int k = 0; k < (knight ? 3 : 1); k++) {
        int64_t a = i - moves[k][0], b = j - moves[k][1];
        if (a < 0 || b < 0)
            continue;
        double t = total[a * m + b];
        if (!(here > 0))
            t -= x[a * m + b] > 0 ? open : go_on;
        if (t > best) {
            best = t;
            *move = k;
        }
    }
    return best + (here > 0 ? here : 0);
}

agn_status agn_audio_recurrence_path(agn_tensor **total, agn_tensor **path, const agn_tensor *x,
                                     double gap_open, double gap_extend, bool knight)
{
    agni_host_call h;
    if (agni_host_call_begin(&h, "audio_recurrence_path", 1, (const agn_tensor *[]){x})) {
        agn_status st = h.st ? h.st : agn_audio_recurrence_path(total ? &h.y[0] : NULL,
                                                                path ? &h.y[1] : NULL, h.in[0],
                                                                gap_open, gap_extend, knight);
        return agni_host_call_end(&h, st, 2, (agn_tensor * *[]){total, path});
    }
    static const char op[] = "audio_recurrence_path";
    agn_tensor *owner = NULL, *sums = NULL, *way = NULL;
    const double *v = NULL;
    AGNI_NEED(op, path);
    agn_status st = agni_audio_check_real(op, total, x);
    if (!st && (x->ndim != 2 || !x->size))
        st = agni_fail(AGN_ESHAPE, "%s: x is %s; it is [n, m], neither 0", op, AGNI_SHAPE(x));
    if (!st && (!(gap_open >= 0) || !(gap_extend >= 0)))
        st = agni_fail(AGN_EARG, "%s: gaps of %g and %g; they are not negative", op, gap_open,
                       gap_extend);
    if (!st)
        st = read_host(&owner, &v, op, x);
    if (st)
        return st;
    int64_t n = x->shape[0], m = x->shape[1], steps = 0, most = n < m ? n : m, end = 0;
    size_t size = (size_t)(n * m) * (sizeof(double) + 1) + (size_t)most * 2 * sizeof(int64_t);
    double *t = agni_alloc(size);
    if (!t) {
        agn_release(owner);
        return agni_nomem(op, size);
    }
    int64_t *at = (int64_t *)(t + n * m);
    signed char *from = (signed char *)(at + 2 * most);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++) {
            int move;
            t[i * m + j] = extend_path(v, t, m, i, j, gap_open, gap_extend, knight, &move);
            from[i * m + j] = (signed char)move;
            end = t[i * m + j] > t[end] ? i * m + j : end;
        }
    at += 2 * most;
    for (int64_t i = end / m, j = end % m; t[i * m + j] > 0;) {
        int k = from[i * m + j];
        *--at = j;
        *--at = i;
        steps++;
        if (k < 0)
            break;
        i -= moves[k][0];
        j -= moves[k][1];
    }
    st = agn_from_host(&sums, AGN_F64, 2, (int64_t[]){n, m}, t);
    if (!st)
        st = agn_from_host(&way, AGN_I64, 2, (int64_t[]){steps, 2}, at);
    agni_free(t);
    agn_release(owner);
    if (st) {
        agn_release(sums);
        return st;
    }
    *total = sums;
    *path = way;
    return AGN_OK;
}

/* ---- sections ----------------------------------------------------------------------------- */

/* what the sum of squared distances from the means grows by when two neighbours are joined */
static double join_cost(const double *mean, int64_t n, int64_t bands, int64_t a, int64_t b,
                        int64_t na, int64_t nb)
{
    double sum = 0;
    for (int64_t k = 0; k < bands; k++) {
        double by = mean[k * n + a] - mean[k * n + b];
        sum += by * by;
    }
    return sum * (double)na * (double)nb / (double)(na + nb);
}

/* begin[0 to count) are first frames of sections, begin[count] the end; means lie where they
   begin */
static void join_cheapest(double *mean, int64_t *begin, double *cost, int64_t *count, int64_t n,
                          int64_t bands)
{
    int64_t at = 0;
    for (int64_t k = 1; k + 1 < *count; k++)
        at = cost[k] < cost[at] ? k : at;
    int64_t a = begin[at], b = begin[at + 1], na = b - a, nb = begin[at + 2] - b;
    for (int64_t k = 0; k < bands; k++)
        mean[k * n + a] += (mean[k * n + b] - mean[k * n + a]) * (double)nb / (double)(na + nb);
    memmove(begin + at + 1, begin + at + 2, (size_t)(*count - at - 1) * sizeof *begin);
    memmove(cost + at, cost + at + 1, (size_t)(*count - 2 - at) * sizeof *cost);
    --*count;
    for (int64_t k = at > 0 ? at - 1 : 0; k <= at && k + 1 < *count; k++)
        cost[k] = join_cost(mean, n, bands, begin[k], begin[k + 1], begin[k + 1] - begin[k],
                            begin[k + 2] - begin[k + 1]);
}

/* sections of the frames of x [bands, all] from one on, n of them: their first frames to begin
   [n + 1]; mean [bands n], cost [n] */
static void cut_stretch(int64_t *begin, const double *x, int64_t all, int64_t bands, int64_t from,
                        int64_t n, int64_t count, double *mean, double *cost)
{
    int64_t have = n;
    for (int64_t b = 0; b < bands; b++)
        memcpy(mean + b * n, x + b * all + from, (size_t)n * sizeof *x);
    for (int64_t k = 0; k <= n; k++)
        begin[k] = k;
    for (int64_t k = 0; k + 1 < n; k++)
        cost[k] = join_cost(mean, n, bands, k, k + 1, 1, 1);
    while (have > count)
        join_cheapest(mean, begin, cost, &have, n, bands);
    for (int64_t k = 0; k < count; k++)
        begin[k] += from;
}

/* stretches from one bound to the next, each in count sections or as many as it has frames */
static agn_status cut_sections(agn_tensor **out, const char *op, const agn_tensor *x,
                               const int64_t *bounds, int32_t n_bounds, int64_t count)
{
    agn_tensor *owner = NULL;
    const double *v = NULL;
    agn_status st = read_host(&owner, &v, op, x);
    if (st)
        return st;
    int64_t bands = x->shape[0], n = x->shape[1], found = 0;
    size_t size = (size_t)(x->size + n) * sizeof(double) + (size_t)(2 * n + 1) * sizeof(int64_t);
    double *mean = agni_alloc(size);
    if (!mean) {
        agn_release(owner);
        return agni_nomem(op, size);
    }
    double *cost = mean + x->size;
    int64_t *begin = (int64_t *)(cost + n);
    for (int32_t k = 0; k <= n_bounds; k++) {
        int64_t from = k ? bounds[k - 1] : 0, length = (k < n_bounds ? bounds[k] : n) - from;
        int64_t parts = count < length ? count : length;
        cut_stretch(begin + found, v, n, bands, from, length, parts, mean, cost);
        found += parts;
    }
    st = agn_from_host(out, AGN_I64, 1, &found, begin);
    agni_free(mean);
    agn_release(owner);
    return st;
}

agn_status agn_audio_sections(agn_tensor **out, const agn_tensor *x, int64_t count)
{
    agni_host_call h;
    if (agni_host_call_begin(&h, "audio_sections", 1, (const agn_tensor *[]){x})) {
        agn_status st = h.st ? h.st : agn_audio_sections(out ? &h.y[0] : NULL, h.in[0], count);
        return agni_host_call_end(&h, st, 1, (agn_tensor * *[]){out});
    }
    static const char op[] = "audio_sections";
    agn_status st = check_frames(op, out, x);
    if (!st && (count < 1 || count > x->shape[1]))
        st = agni_fail(AGN_EARG, "%s: %lld sections of %s; they are 1 to the number of frames", op,
                       (long long)count, AGNI_SHAPE(x));
    return st ? st : cut_sections(out, op, x, NULL, 0, count);
}

agn_status agn_audio_subsegment(agn_tensor **out, const agn_tensor *x, const int64_t *bounds,
                                int32_t n_bounds, int64_t count)
{
    agni_host_call h;
    if (agni_host_call_begin(&h, "audio_subsegment", 1, (const agn_tensor *[]){x})) {
        agn_status st = h.st ? h.st
                             : agn_audio_subsegment(out ? &h.y[0] : NULL, h.in[0], bounds, n_bounds,
                                                    count);
        return agni_host_call_end(&h, st, 1, (agn_tensor * *[]){out});
    }
    static const char op[] = "audio_subsegment";
    agn_status st = check_frames(op, out, x);
    if (st)
        return st;
    if (n_bounds && !bounds)
        return agni_fail(AGN_ENULL, "%s: bounds is NULL", op);
    if (n_bounds < 0 || n_bounds >= x->shape[1] || count < 1)
        return agni_fail(
            AGN_EARG,
            "%s: %d bounds, %lld sections of each stretch of %s; bounds lie between frames, "
            "sections are positive",
            op, n_bounds, (long long)count, AGNI_SHAPE(x));
    for (int32_t k = 0; k < n_bounds; k++)
        if (bounds[k] <= (k ? bounds[k - 1] : 0) || bounds[k] >= x->shape[1])
            return agni_fail(AGN_EARG, "%s: bound %d is %lld; bounds rise, inside of 1 to %lld", op,
                             k, (long long)bounds[k], (long long)x->shape[1] - 1);
    return cut_sections(out, op, x, bounds, n_bounds, count);
}

/* ---- onsets ------------------------------------------------------------------------------- */

agn_status agn_audio_onset_begins(agn_tensor **out, const agn_tensor *onsets,
                                  const agn_tensor *energy)
{
    agni_host_call h;
    if (agni_host_call_begin(&h, "audio_onset_begins", 2, (const agn_tensor *[]){onsets, energy})) {
        agn_status st = h.st ? h.st : agn_audio_onset_begins(out ? &h.y[0] : NULL, h.in[0],
                                                             h.in[1]);
        return agni_host_call_end(&h, st, 1, (agn_tensor * *[]){out});
    }
    static const char op[] = "audio_onset_begins";
    agn_tensor *owner = NULL, *rows = NULL, *y = NULL;
    const double *v = NULL;
    const void *data = NULL;
    AGNI_NEED(op, onsets);
    agn_status st = agni_audio_check_real(op, out, energy);
    if (!st && (onsets->dtype != AGN_I64 || onsets->ndim != 1))
        st = agni_fail(onsets->ndim != 1 ? AGN_ESHAPE : AGN_EDTYPE,
                       "%s: onsets are %s %s; they are i64 along one axis", op,
                       agni_dtypes[onsets->dtype].name, AGNI_SHAPE(onsets));
    if (!st && (energy->ndim != 1 || !energy->size))
        st = agni_fail(AGN_ESHAPE, "%s: energy is %s; it is [frames], not 0", op,
                       AGNI_SHAPE(energy));
    if (!st)
        st = agni_rename_error(op, agn_contiguous(&rows, onsets));
    if (!st)
        st = agni_rename_error(op, agn_data_contiguous(&data, rows));
    if (!st)
        st = read_host(&owner, &v, op, energy);
    int64_t n = energy && !st ? energy->size : 0, count = st ? 0 : onsets->size;
    const int64_t *from = data;
    int64_t *at = st ? NULL : agni_alloc((size_t)(count ? count : 1) * sizeof *at);
    if (!st && !at)
        st = agni_nomem(op, (size_t)count * sizeof *at);
    for (int64_t k = 0; !st && k < count; k++) {
        int64_t i = from[k];
        if (i < 0 || i >= n)
            st = agni_fail(AGN_EINDEX, "%s: onset %lld at frame %lld; there are %lld frames", op,
                           (long long)k, (long long)i, (long long)n);
        while (!st && i > 0 && !(i + 1 < n && v[i] <= v[i - 1] && v[i] < v[i + 1]))
            i--;
        at[k] = i;
    }
    if (!st)
        st = agn_from_host(&y, AGN_I64, 1, &count, at);
    agni_free(at);
    agn_release(rows);
    if (owner)
        agn_release(owner);
    if (!st)
        *out = y;
    return st;
}
