/* audio/music/pyin.c - fundamental frequency by candidates of many thresholds and the likeliest
   path through them (Mauch & Dixon 2014, pYIN), on the host. */
#include "audio/audio.h"
#include "tensor/dispatch/host_run.h"

#include <agnesi/ag.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { THRESHOLDS = 100, PER_SEMITONE = 10 };
/* of a frame without a trough below a threshold, of a change between voiced and not, of the later
   troughs; octaves a second that a pitch moves at most */
static const double missed = 0.01, change = 0.01, later = 2, fastest = 35.92;

/* ---- candidates ----------------------------------------------------------------------------- */

/* The prior of thresholds is the beta law (2, 18): mass of ((k - 1) / n, k / n] */
static double weigh_threshold(int k)
{
    double at[2] = {(k - 1) / (double)THRESHOLDS, k / (double)THRESHOLDS}, cdf[2];
    for (int j = 0; j < 2; j++)
        cdf[j] = 1 - pow(1 - at[j], 18) * (1 + 18 * at[j]);
    return cdf[1] - cdf[0];
}

/* weight [lags]: how much of the prior chooses each local minimum of d */
static void weigh_troughs(double *weight, const double *d, int64_t lags)
{
    int64_t least = -1;
    memset(weight, 0, (size_t)lags * sizeof *weight);
    for (int64_t i = 0; i < lags; i++) {
        bool low = i ? d[i] < d[i - 1] && (i + 1 == lags || d[i] <= d[i + 1]) : d[0] < d[1];
        if (!low)
            continue;
        weight[i] = DBL_MIN; /* a mark */
        least = least < 0 || d[i] < d[least] ? i : least;
    }
    if (least < 0)
        return;
    for (int k = 1; k <= THRESHOLDS; k++) {
        double level = k / (double)THRESHOLDS;
        int64_t below = 0, rank = 0;
        for (int64_t i = 0; i < lags; i++)
            below += weight[i] > 0 && d[i] < level;
        if (!below) {
            weight[least] += missed * weigh_threshold(k);
            continue;
        }
        double first = expm1(-later) / expm1(-later * (double)below); /* truncated geometric law */
        for (int64_t i = 0; i < lags; i++)
            if (weight[i] > 0 && d[i] < level)
                weight[i] += weigh_threshold(k) * first * exp(-later * (double)rank++);
    }
}

/* ---- the path ------------------------------------------------------------------------------- */

typedef struct model {
    int64_t bins, reach; /* pitches; how far one moves from frame to frame */
    double *step;        /* [2 reach + 1] */
    double *norm;        /* [bins]: logarithm of the sum of steps that stay inside */
} model;

static void fill_model(model *m)
{
    for (int64_t k = -m->reach; k <= m->reach; k++)
        m->step[k + m->reach] = log((double)(m->reach + 1 - (k < 0 ? -k : k)));
    for (int64_t i = 0; i < m->bins; i++) {
        double sum = 0;
        for (int64_t k = -m->reach; k <= m->reach; k++)
            sum += i + k >= 0 && i + k < m->bins ? (double)(m->reach + 1 - (k < 0 ? -k : k)) : 0;
        m->norm[i] = log(sum);
    }
}

/* the best way into bin j from the scores v, voiced or not */
static double enter_state(const model *m, const double *v, int64_t j, int32_t *from)
{
    double best = -(double)INFINITY;
    int64_t lo = j > m->reach ? j - m->reach : 0,
            hi = j + m->reach < m->bins ? j + m->reach : m->bins - 1;
    *from = (int32_t)lo;
    for (int64_t i = lo; i <= hi; i++) {
        double s = v[i] + m->step[j - i + m->reach] - m->norm[i];
        if (s > best) {
            best = s;
            *from = (int32_t)i;
        }
    }
    return best;
}

/* e [frames, bins]: weights of pitches; voiced [frames]: their sums. score: [4 bins], back:
   [frames, 2 bins]. Pitches of the best path, -1 where it is not voiced. */
static void follow_path(int32_t *pitch, const model *m, const double *e, const double *voiced,
                        int64_t frames, double *score, int32_t *back)
{
    int64_t n = m->bins;
    double *now = score, *next = score + 2 * n, stay = log(1 - change), turn = log(change);
    for (int64_t t = 0; t < frames; t++) {
        double rest = log((1 - voiced[t]) / (double)n + DBL_MIN);
        for (int64_t j = 0; j < n; j++) {
            double in = log(e[t * n + j] + DBL_MIN);
            if (!t) { /* it begins anywhere */
                now[j] = in;
                now[n + j] = rest;
                continue;
            }
            int32_t with, without;
            double a = enter_state(m, now, j, &with), b = enter_state(m, now + n, j, &without);
            for (int k = 0; k < 2; k++) {
                double from_voiced = a + (k ? turn : stay), from_rest = b + (k ? stay : turn);
                next[k * n + j] = (from_voiced >= from_rest ? from_voiced : from_rest) +
                                  (k ? rest : in);
                back[t * 2 * n + k * n + j] = from_voiced >= from_rest ? with
                                                                       : (int32_t)n + without;
            }
        }
        if (t) {
            double *last = now;
            now = next;
            next = last;
        }
    }
    int32_t state = 0;
    for (int32_t j = 1; j < 2 * n; j++)
        state = now[j] > now[state] ? j : state;
    for (int64_t t = frames - 1; t >= 0; t--) {
        pitch[t] = state < n ? state : -1;
        state = t ? back[t * 2 * n + state] : state;
    }
}

/* ---- all frames ----------------------------------------------------------------------------- */

/* d, shift [batch, frames, lags] to f0 and the probability of voice, [batch, frames] */
static agn_status track_pitch(double *f0, double *chance, const char *op, const double *d,
                              const double *shift, int64_t batch, int64_t frames, int64_t lags,
                              int64_t shortest, double rate, double lowest, double highest,
                              int64_t hop)
{
    model m = {.bins = (int64_t)floor(12 * PER_SEMITONE * log2(highest / lowest)) + 1};
    double semitones = rint(fastest * 12 * (double)hop / rate);
    m.reach = semitones < (double)m.bins ? (int64_t)semitones * PER_SEMITONE / 2 : m.bins;
    int64_t n = m.bins, doubles = 2 * m.reach + 1 + 5 * n + lags + frames * n,
            ints = frames * (2 * n + 1);
    if (frames > INT64_MAX / 64 / n)
        return agni_nomem(op, SIZE_MAX);
    double *room = agni_alloc((size_t)doubles * sizeof *room + (size_t)ints * sizeof(int32_t));
    if (!room)
        return agni_nomem(op, (size_t)doubles * sizeof *room + (size_t)ints * sizeof(int32_t));
    m.step = room;
    m.norm = m.step + 2 * m.reach + 1;
    double *score = m.norm + n, *weight = score + 4 * n, *e = weight + lags;
    int32_t *pitch = (int32_t *)(e + frames * n), *back = pitch + frames;
    fill_model(&m);
    for (int64_t b = 0; b < batch; b++) {
        memset(e, 0, (size_t)(frames * n) * sizeof *e);
        for (int64_t t = 0; t < frames; t++) {
            const double *row = d + (b * frames + t) * lags,
                         *move = shift + (b * frames + t) * lags;
            double sum = 0;
            weigh_troughs(weight, row, lags);
            for (int64_t i = 0; i < lags; i++)
                if (weight[i] > 0) {
                    double f = rate / ((double)(shortest + i) + move[i]);
                    double at = rint(12 * PER_SEMITONE * log2(f / lowest));
                    e[t * n + (at < 0 ? 0 : at < (double)n ? (int64_t)at : n - 1)] += weight[i];
                    sum += weight[i];
                }
            chance[b * frames + t] = sum < 1 ? sum : 1;
        }
        follow_path(pitch, &m, e, chance + b * frames, frames, score, back);
        for (int64_t t = 0; t < frames; t++)
            f0[b * frames + t] = pitch[t] < 0 ? (double)NAN
                                              : lowest * exp2(pitch[t] / (12.0 * PER_SEMITONE));
    }
    agni_free(room);
    return AGN_OK;
}

/* the differences and the vertices of their parabolas as numbers of the host */
static agn_status measure_frames(agn_tensor **d, agn_tensor **shift, const char *op,
                                 const agn_tensor *x, int64_t lo, int64_t hi, int64_t length,
                                 int64_t hop)
{
    int64_t pad[AGNI_MAX_RANK] = {0};
    agn_tensor *y = NULL, *v = NULL;
    agn_scope *s = agn_scope_open(NULL);
    pad[x->ndim - 1] = length / 2;
    const agn_tensor *f = ag_pad(s, ag_cast(s, x, AGN_F64), x->ndim, pad, pad, 0);
    f = agni_audio_normal_difference(s, ag_signal_frame(s, f, length, hop), lo, hi);
    agn_scope_return(s, &y, f);
    agn_scope_return(s, &v, agni_audio_vertex(s, f));
    agn_status st = agni_rename_error(op, agn_scope_close(s));
    if (st) {
        agn_release(y);
        agn_release(v);
        return st;
    }
    *d = y;
    *shift = v;
    return AGN_OK;
}

agn_status agn_audio_pyin(agn_tensor **out, agn_tensor **probability, const agn_tensor *x,
                          double rate, double lowest, double highest, int64_t length, int64_t hop)
{
    static const char op[] = "audio_pyin";
    agni_host_call h;
    if (agni_host_call_begin(&h, op, 1, (const agn_tensor *[]){x})) {
        agn_status st = h.st ? h.st
                             : agn_audio_pyin(out ? &h.y[0] : NULL, probability ? &h.y[1] : NULL,
                                              h.in[0], rate, lowest, highest, length, hop);
        return agni_host_call_end(&h, st, 2, (agn_tensor * *[]){out, probability});
    }
    int64_t lo = 0, hi = 0;
    if (!probability)
        return agni_fail(AGN_ENULL, "%s: probability is NULL", op);
    agn_status st = agni_audio_check_real(op, out, x);
    if (!st)
        st = agni_audio_check_lags(&lo, &hi, op, x, rate, lowest, highest, length, hop);
    if (st)
        return st;
    agn_tensor *d = NULL, *shift = NULL, *rows[2] = {NULL}, *y[2] = {NULL};
    const double *v[2];
    st = measure_frames(&d, &shift, op, x, lo, hi, length, hop);
    if (!st)
        st = agni_audio_host(&rows[0], &v[0], op, d);
    if (!st)
        st = agni_audio_host(&rows[1], &v[1], op, shift);
    int64_t shape[AGNI_MAX_RANK] = {0}, lags = hi - lo + 1, frames = st ? 0 : d->shape[d->ndim - 2];
    int64_t all = st ? 0 : d->size / lags;
    for (int k = 0; !st && k < d->ndim - 1; k++)
        shape[k] = d->shape[k];
    for (int64_t i = 0; !st && i < d->size; i++)
        if (isnan(v[0][i]))
            st = agni_fail(AGN_EDOMAIN,
                           "%s: x %s has a NaN or an infinity; no pitch is the likeliest", op,
                           AGNI_SHAPE(x));
    double *f0 = st ? NULL : agni_alloc((size_t)(2 * all + 1) * sizeof *f0);
    if (!st && !f0)
        st = agni_nomem(op, (size_t)(2 * all + 1) * sizeof *f0);
    if (!st && all)
        st = track_pitch(f0, f0 + all, op, v[0], v[1], all / frames, frames, lags, lo, rate, lowest,
                         highest, hop);
    for (int k = 0; k < 2 && !st; k++)
        st = agni_audio_make(&y[k], agni_audio_dtype(x->dtype), d->ndim - 1, shape, f0 + k * all);
    agni_free(f0);
    agn_release(rows[0]);
    agn_release(rows[1]);
    agn_release(d);
    agn_release(shift);
    if (st) {
        agn_release(y[0]);
        agn_release(y[1]);
        return st;
    }
    *out = y[0];
    *probability = y[1];
    return AGN_OK;
}
