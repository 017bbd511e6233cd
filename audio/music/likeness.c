/* audio/music/likeness.c - frames of one piece beside those of another (Serra, Serra & Andrzejak
   2009), and likenesses smoothed along lines of several tempi (Mueller & Kurth 2006). */
#include "audio/audio.h"
#include "tensor/dispatch/host_run.h"

#include <agnesi/ag.h>
#include <agnesi/audio_music.h>
#include <agnesi/signal_analysis.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

enum { MOST_FRAMES = 1 << 15, MOST_POINTS = 4095 };

/* ---- nearest frames ----------------------------------------------------------------------- */

static agn_status read_frames(agn_tensor **owner, const double **v, const char *op,
                              agn_tensor *const *out, const agn_tensor *x)
{
    agn_status st = agni_audio_check_real(op, out, x);
    if (!st && (x->ndim != 2 || !x->size || x->shape[1] > MOST_FRAMES))
        st = agni_fail(AGN_ESHAPE, "%s: x is %s; it is [bands, frames], neither 0, at most %d", op,
                       AGNI_SHAPE(x), MOST_FRAMES);
    if (!st)
        st = agni_audio_host(owner, v, op, x);
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

/* distances of n frames of ref from frame j of x to d; column j of the table [n, m]: that of the k
   nearest, -1 of others; the farthest of them is returned */
static double link_frame(double *table, double *d, const double *x, const double *ref,
                         int64_t bands, int64_t n, int64_t m, int64_t j, int64_t k)
{
    double last = 0;
    memset(d, 0, (size_t)n * sizeof *d);
    for (int64_t b = 0; b < bands; b++)
        for (int64_t i = 0; i < n; i++) {
            double by = ref[b * n + i] - x[b * m + j];
            d[i] += by * by;
        }
    for (int64_t i = 0; i < n; i++)
        table[i * m + j] = -1;
    for (; k > 0; k--) {
        int64_t best = -1;
        for (int64_t i = 0; i < n; i++)
            if (table[i * m + j] < 0 && (best < 0 || d[i] < d[best]))
                best = i;
        last = table[best * m + j] = sqrt(d[best]);
    }
    return last;
}

static int compare_distances(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* the table of links as what kind tells; far [m] are the farthest of each frame */
static agn_status give_links(agn_tensor **out, const char *op, double *table, double *far,
                             int64_t n, int64_t m, int32_t kind, double bandwidth)
{
    if (kind == AGN_SIMILARITY_NEAR) {
        bool *near = (bool *)table; /* entries behind are not read any more */
        for (int64_t i = 0; i < n * m; i++)
            near[i] = table[i] >= 0;
        return agn_from_host(out, AGN_BOOL, 2, (int64_t[]){n, m}, near);
    }
    if (kind == AGN_SIMILARITY_AFFINITY && bandwidth == 0) {
        qsort(far, (size_t)m, sizeof *far, compare_distances);
        bandwidth = 0.5 * (far[(m - 1) / 2] + far[m / 2]);
        if (!(bandwidth > 0))
            return agni_fail(AGN_EDOMAIN,
                             "%s: the median of distances to the farthest neighbours is %g", op,
                             bandwidth);
    }
    for (int64_t i = 0; i < n * m; i++)
        table[i] = table[i] < 0                     ? 0
                   : kind == AGN_SIMILARITY_DISTANCE ? table[i]
                                                     : exp(-table[i] / bandwidth);
    return agn_from_host(out, AGN_F64, 2, (int64_t[]){n, m}, table);
}

agn_status agn_audio_cross_similarity(agn_tensor **out, const agn_tensor *x, const agn_tensor *ref,
                                      int64_t neighbours, int32_t kind, double bandwidth)
{
    agni_host_call h;
    if (agni_host_call_begin(&h, "audio_cross_similarity", 2, (const agn_tensor *[]){x, ref})) {
        agn_status on_host = h.st
                                 ? h.st
                                 : agn_audio_cross_similarity(out ? &h.y[0] : NULL, h.in[0],
                                                              h.in[1], neighbours, kind, bandwidth);
        return agni_host_call_end(&h, on_host, 1, (agn_tensor * *[]){out});
    }
    static const char op[] = "audio_cross_similarity";
    agn_tensor *rows[2] = {NULL};
    const double *v = NULL, *w = NULL;
    AGNI_NEED(op, ref);
    agn_status st = read_frames(rows, &v, op, out, x);
    if (!st)
        st = read_frames(rows + 1, &w, op, out, ref);
    if (!st && x->shape[0] != ref->shape[0])
        st = agni_fail(AGN_ESHAPE, "%s: x is %s, ref %s; they have the same bands", op,
                       AGNI_SHAPE(x), AGNI_SHAPE(ref));
    if (!st && (neighbours < 0 || kind < 0 || kind > AGN_SIMILARITY_AFFINITY || !(bandwidth >= 0) ||
                !isfinite(bandwidth)))
        st = agni_fail(AGN_EARG,
                       "%s: %lld neighbours, kind %d, a bandwidth of %g for %s; kinds are 0 "
                       "to %d, the others not negative",
                       op, (long long)neighbours, kind, bandwidth, AGNI_SHAPE(x),
                       AGN_SIMILARITY_AFFINITY);
    int64_t m = st ? 0 : x->shape[1], n = st ? 0 : ref->shape[1];
    size_t size = (size_t)(n * m + n + m) * sizeof(double);
    double *table = st ? NULL : agni_alloc(size);
    if (!st && !table)
        st = agni_nomem(op, size);
    if (!st) {
        double *far = table + n * m, *d = far + m;
        neighbours = neighbours ? neighbours : 2 * (int64_t)ceil(sqrt((double)n));
        neighbours = neighbours < n ? neighbours : n;
        for (int64_t j = 0; j < m; j++)
            far[j] = link_frame(table, d, v, w, x->shape[0], n, m, j, neighbours);
        st = give_links(out, op, table, far, n, m, kind, bandwidth);
    }
    agni_free(table);
    agn_release(rows[0]);
    agn_release(rows[1]);
    return st;
}

/* ---- lines -------------------------------------------------------------------------------- */

/* a line of n points of the slope, of sum 1: its half side r, its weights [2 r + 1, 2 r + 1] */
static agn_status make_line(agn_tensor **out, int64_t *r, const char *op, int dtype, int64_t n,
                            double slope)
{
    double angle = atan(slope), down = sqrt(2) * sin(angle), along = sqrt(2) * cos(angle), sum = 0,
           half = (double)(n - 1) / 2;
    *r = (int64_t)ceil(half * fmax(down, along) - 1e-9);
    int64_t side = 2 * *r + 1;
    size_t size = (size_t)(side * side) * sizeof(double);
    double *v = agni_alloc(size);
    if (!v)
        return agni_nomem(op, size);
    memset(v, 0, size);
    for (int64_t k = 0; k < n; k++) {
        double w = n > 1 ? 0.5 - 0.5 * cos(2 * PI * (double)k / (double)(n - 1)) : 1;
        double y = (double)*r + ((double)k - half) * down,
               x = (double)*r + ((double)k - half) * along;
        int64_t i = (int64_t)floor(y + 1e-9), j = (int64_t)floor(x + 1e-9);
        double u = fmax(y - (double)i, 0), t = fmax(x - (double)j, 0);
        sum += w;
        for (int q = 0; q < 4; q++) {
            int64_t a = i + q / 2, b = j + q % 2;
            if (a >= 0 && b >= 0 && a < side && b < side)
                v[a * side + b] += w * (q / 2 ? u : 1 - u) * (q % 2 ? t : 1 - t);
        }
    }
    for (int64_t k = 0; k < side * side; k++)
        v[k] /= sum;
    agn_status st = agni_audio_make(out, dtype, 2, (int64_t[]){side, side}, v);
    agni_free(v);
    return st;
}

agn_status agn_audio_enhance_paths(agn_tensor **out, const agn_tensor *x, int64_t length,
                                   double ratio, int32_t count)
{
    static const char op[] = "audio_enhance_paths";
    agn_status st = agni_audio_check_real(op, out, x);
    if (!st && (length < 1 || length > MOST_POINTS || length % 2 == 0 ||
                !(ratio >= 1 && ratio <= 1000) || count < 1 || count > 255))
        st = agni_fail(
            AGN_EARG,
            "%s: %d lines of %lld points, a ratio of %g; there are 1 to 255 lines, points "
            "are odd, to %d, ratios 1 to 1000",
            op, count, (long long)length, ratio, MOST_POINTS);
    if (!st && (x->ndim < 2 || !x->shape[x->ndim - 1] || !x->shape[x->ndim - 2]))
        st = agni_fail(AGN_ESHAPE, "%s: x is %s; its last two axes are not empty", op,
                       AGNI_SHAPE(x));
    if (st)
        return st;
    int dtype = agni_audio_dtype(x->dtype);
    int64_t n = x->shape[x->ndim - 1], m = x->shape[x->ndim - 2];
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = NULL, *v = ag_cast(s, x, dtype);
    for (int32_t k = 0; k < count && !agn_scope_status(s); k++) {
        double power = count > 1 ? 2.0 * k / (count - 1) - 1 : 0;
        agn_tensor *line = NULL;
        int64_t r;
        st = make_line(&line, &r, op, dtype, length, pow(ratio, power));
        const agn_tensor *w = agni_adopt_constant(s, st, line);
        if (!st && 2 * r > n && 2 * r > m)
            agn_scope_fail(s, agni_fail(AGN_ESHAPE,
                                        "%s: x is %s; lines of %lld points reach over %lld entries",
                                        op, AGNI_SHAPE(x), (long long)length,
                                        (long long)(2 * r + 1)));
        const agn_tensor *z = ag_signal_convolve2d(s, v, w, AGN_SAME, AGN_PAD_SYMMETRIC, 0);
        y = y ? ag_maximum(s, y, z) : z;
    }
    return agni_return(op, s, out, y);
}
