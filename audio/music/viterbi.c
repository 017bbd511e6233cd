/* audio/music/viterbi.c - the likeliest sequence of states of a hidden Markov model (Viterbi 1967;
   Forney 1973), on the host and in logarithms. */
#include "audio/audio.h"
#include "tensor/dispatch/host_run.h"

#include <agnesi/ag.h>
#include <agnesi/audio_music.h>
#include <math.h>
#include <string.h>

/* One sequence: e [n, frames], t [n, n] from row to column. now, next: n each; back: [frames,
   n]. */
static double follow_path(int64_t *path, const double *e, const double *t, const double *start,
                          int64_t n, int64_t frames, double *now, double *next, int32_t *back)
{
    for (int64_t j = 0; j < n; j++)
        now[j] = (start ? start[j] : -log((double)n)) + e[j * frames];
    for (int64_t k = 1; k < frames; k++) {
        for (int64_t j = 0; j < n; j++) {
            double best = -(double)INFINITY;
            int64_t from = 0;
            for (int64_t i = 0; i < n; i++)
                if (now[i] + t[i * n + j] > best) {
                    best = now[i] + t[i * n + j];
                    from = i;
                }
            next[j] = best + e[j * frames + k];
            back[k * n + j] = (int32_t)from;
        }
        double *last = now;
        now = next;
        next = last;
    }
    int64_t state = 0;
    for (int64_t j = 1; j < n; j++)
        state = now[j] > now[state] ? j : state;
    double score = now[state];
    for (int64_t k = frames - 1; k >= 0; k--) {
        path[k] = state;
        state = k ? back[k * n + state] : state;
    }
    return score;
}

static agn_status check_logarithms(const char *op, const char *name, const agn_tensor *x,
                                   const double *v)
{
    for (int64_t i = 0; i < x->size; i++)
        if (isnan(v[i]) || v[i] == (double)INFINITY)
            return agni_fail(
                AGN_EDOMAIN,
                "%s: entry %lld of %s %s is %g; logarithms of probabilities are finite or -inf", op,
                (long long)i, name, AGNI_SHAPE(x), v[i]);
    return AGN_OK;
}

static agn_status check_shapes(const char *op, const agn_tensor *e, const agn_tensor *t,
                               const agn_tensor *start)
{
    const agn_tensor *all[] = {e, t, start};
    static const char *const names[] = {"emission", "transition", "initial"};
    for (int k = 0; k < 3; k++)
        if (all[k] && agni_kind(all[k]->dtype) == AGNI_KIND_COMPLEX)
            return agni_fail(AGN_EDTYPE, "%s: %s is %s %s; a real dtype is needed", op, names[k],
                             agni_dtypes[all[k]->dtype].name, AGNI_SHAPE(all[k]));
    int64_t n = e->ndim < 2 ? 0 : e->shape[e->ndim - 2];
    if (n < 1 || n > INT32_MAX || e->shape[e->ndim - 1] < 1)
        return agni_fail(AGN_ESHAPE, "%s: emission is %s; it is [..., states, frames], neither 0",
                         op, AGNI_SHAPE(e));
    if (t->ndim != 2 || t->shape[0] != n || t->shape[1] != n)
        return agni_fail(AGN_ESHAPE, "%s: transition is %s; %lld states have [%lld,%lld]", op,
                         AGNI_SHAPE(t), (long long)n, (long long)n, (long long)n);
    if (start && (start->ndim != 1 || start->shape[0] != n))
        return agni_fail(AGN_ESHAPE, "%s: initial is %s; %lld states have [%lld]", op,
                         AGNI_SHAPE(start), (long long)n, (long long)n);
    return AGN_OK;
}

agn_status agn_audio_viterbi(agn_tensor **path, agn_tensor **score, const agn_tensor *emission,
                             const agn_tensor *transition, const agn_tensor *initial)
{
    agni_host_call h;
    const agn_tensor *const far[] = {emission, transition, initial};
    if (agni_host_call_begin(&h, "audio_viterbi", 3, far)) {
        agn_status st = h.st ? h.st : agn_audio_viterbi(path ? &h.y[0] : NULL,
                                                        score ? &h.y[1] : NULL, h.in[0], h.in[1],
                                                        h.in[2]);
        return agni_host_call_end(&h, st, 2, (agn_tensor * *[]){path, score});
    }
    static const char op[] = "audio_viterbi";
    static const char *const names[] = {"emission", "transition", "initial"};
    if (!path || !score || !emission || !transition)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op,
                         !path       ? "path"
                         : !score    ? "score"
                         : !emission ? "emission"
                                     : "transition");
    agn_status st = check_shapes(op, emission, transition, initial);
    if (st)
        return st;
    const agn_tensor *x[] = {emission, transition, initial};
    agn_tensor *rows[3] = {NULL}, *way = NULL, *best = NULL;
    const double *v[3] = {NULL};
    for (int k = 0; k < 3 && !st; k++)
        if (x[k]) {
            st = agni_audio_host(&rows[k], &v[k], op, x[k]);
            if (!st)
                st = check_logarithms(op, names[k], x[k], v[k]);
        }
    int64_t n = emission->shape[emission->ndim - 2], frames = emission->shape[emission->ndim - 1];
    int64_t batch = emission->size / (n * frames), shape[AGNI_MAX_RANK] = {0};
    size_t size = (size_t)(batch * frames) * sizeof(int64_t) +
                  (size_t)(batch + 2 * n) * sizeof(double) + (size_t)(n * frames) * sizeof(int32_t);
    int64_t *states = st ? NULL : agni_alloc(size);
    if (!st && !states)
        st = agni_nomem(op, size);
    if (!st) {
        double *scores = (double *)(states + batch * frames), *room = scores + batch;
        for (int64_t b = 0; b < batch && !st; b++) {
            scores[b] = follow_path(states + b * frames, v[0] + b * n * frames, v[1], v[2], n,
                                    frames, room, room + n, (int32_t *)(room + 2 * n));
            if (scores[b] == -(double)INFINITY)
                st = agni_fail(AGN_EDOMAIN,
                               "%s: emission %s, sequence %lld: no sequence of states is possible",
                               op, AGNI_SHAPE(emission), (long long)b);
        }
        for (int d = 0; d < emission->ndim - 2; d++)
            shape[d] = emission->shape[d];
        if (!st)
            st = agn_from_host(&best, AGN_F64, emission->ndim - 2, shape, scores);
        shape[emission->ndim - 2] = frames;
        if (!st)
            st = agn_from_host(&way, AGN_I64, emission->ndim - 1, shape, states);
    }
    agni_free(states);
    for (int k = 0; k < 3; k++)
        agn_release(rows[k]);
    if (st) {
        agn_release(best);
        agn_release(way);
        return st;
    }
    *path = way;
    *score = best;
    return AGN_OK;
}

/* ---- probabilities of transitions (Rabiner 1989) ------------------------------------------- */

enum { MOST_STATES = 1 << 15 };

agn_status agn_audio_transition(agn_tensor **out, const agn_tensor *stay, int64_t n, int32_t kind)
{
    static const char op[] = "audio_transition";
    AGNI_NEED(op, out);
    bool uniform = kind == AGN_TRANSITION_UNIFORM;
    if (kind < AGN_TRANSITION_UNIFORM || kind > AGN_TRANSITION_CYCLE || n < (uniform ? 1 : 2) ||
        n > MOST_STATES)
        return agni_fail(AGN_EARG, "%s: %lld states, kind %d; states are %d to %d, kinds 0 to %d",
                         op, (long long)n, kind, uniform ? 1 : 2, MOST_STATES,
                         AGN_TRANSITION_CYCLE);
    agn_scope *s = agn_scope_open(NULL);
    if (uniform && !stay)
        return agni_return(op, s, out, agni_full(s, 1 / (double)n, AGN_F64, 2, (int64_t[]){n, n}));
    agn_status st = stay ? AGN_OK : agni_fail(AGN_ENULL, "%s: stay is NULL", op);
    if (!st && agni_kind(stay->dtype) == AGNI_KIND_COMPLEX)
        st = agni_fail(AGN_EDTYPE, "%s: stay is %s %s; a real dtype is needed", op,
                       agni_dtypes[stay->dtype].name, AGNI_SHAPE(stay));
    if (!st && (stay->ndim > 1 || (stay->ndim && stay->shape[0] != n)))
        st = agni_fail(AGN_ESHAPE, "%s: stay is %s; it is [] or [%lld]", op, AGNI_SHAPE(stay),
                       (long long)n);
    if (st) {
        agn_scope_fail(s, st);
        return agni_return(op, s, out, NULL);
    }
    int dtype = agni_audio_dtype(stay->dtype);
    const agn_tensor *p = ag_cast(s, stay, dtype), *one = ag_eye(s, AGN_BOOL, n, n, 0);
    p = p && uniform ? agni_full_like(s, 1 / (double)n, p) : p;
    const agn_tensor *likely = p ? ag_logical_and(s, ag_ge(s, p, agni_full_like(s, 0, p)),
                                                  ag_le(s, p, agni_full_like(s, 1, p)))
                                 : NULL;
    p = p ? ag_where(s, likely, p, agni_full_like(s, (double)NAN, p)) : NULL;
    if (p && p->ndim)
        p = ag_expand_dims(s, p, -1);
    const agn_tensor *rest = ag_add_c(s, ag_neg(s, p), 1),
                     *none = p ? agni_full_like(s, 0, p) : NULL;
    rest = uniform ? p
           : kind == AGN_TRANSITION_LOOP
               ? ag_div_c(s, rest, (double)(n - 1))
               : ag_where(s, ag_roll(s, one, (int64_t[]){1}, (int32_t[]){1}, 1), rest, none);
    return agni_return(op, s, out, ag_where(s, one, p, rest));
}

agn_status agn_audio_transition_local(agn_tensor **out, const int64_t *widths, int64_t n,
                                      int32_t window, bool circle)
{
    static const char op[] = "audio_transition_local";
    AGNI_NEED(op, out);
    AGNI_NEED(op, widths);
    if (n < 2 || n > MOST_STATES)
        return agni_fail(AGN_EARG, "%s: %lld states; there are 2 to %d", op, (long long)n,
                         MOST_STATES);
    for (int64_t i = 0; i < n; i++)
        if (widths[i] < 1 || widths[i] > n)
            return agni_fail(AGN_EARG, "%s: width %lld is %lld; it is 1 to %lld, the states", op,
                             (long long)i, (long long)widths[i], (long long)n);
    double *v = agni_zalloc((size_t)(n * n) * sizeof *v);
    agn_status st = v ? AGN_OK : agni_nomem(op, (size_t)(n * n) * sizeof *v);
    for (int64_t i = 0; i < n && !st; i++) {
        int64_t w = widths[i], begin = (n - w) / 2 + n / 2 + i + 1;
        agn_tensor *made = NULL;
        const void *data = NULL;
        double sum = 0;
        st = agn_signal_window(&made, window, AGN_F64, w, NULL, 0, true);
        if (!st)
            st = agn_data_contiguous(&data, made);
        for (int64_t k = 0; !st && k < w; k++) {
            int64_t j = (begin + k) % n;
            bool near = circle || (j <= i + w / 2 && j >= i - w / 2);
            v[i * n + j] = near ? ((const double *)data)[k] : 0;
            sum += v[i * n + j];
        }
        if (!st && !(sum != 0))
            st = agni_fail(AGN_EDOMAIN,
                           "%s: the window of width %lld about state %lld has a sum of %g", op,
                           (long long)w, (long long)i, sum);
        for (int64_t j = 0; !st && j < n; j++)
            v[i * n + j] /= sum;
        agn_release(made);
    }
    if (!st)
        st = agn_from_host(out, AGN_F64, 2, (int64_t[]){n, n}, v);
    agni_free(v);
    return st ? agni_rename_error(op, st) : AGN_OK;
}
