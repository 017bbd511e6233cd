/* audio/speech/labels.c - sequences of labels: the likeliest place in time of known ones (Graves et
   al. 2006), paths without
   repeats and blanks, and the distance of two sequences (Wagner & Fischer 1974), on the host. */
#include "audio/audio.h"
#include "tensor/dispatch/host_run.h"
#include "audio/speech/speech.h"

#include <math.h>

agn_status agni_labels_read(agn_tensor **owner, const int64_t **v, const char *op, const char *name,
                            const agn_tensor *x)
{
    agn_tensor *wide = NULL, *row = NULL;
    const void *data = NULL;
    if (x->dtype != AGN_I64 && x->dtype != AGN_I32)
        return agni_fail(AGN_EDTYPE, "%s: %s is %s %s; labels are i64 or i32", op, name,
                         agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    if (x->ndim != 1)
        return agni_fail(AGN_ESHAPE, "%s: %s is %s of rank %d; it is a row", op, name,
                         AGNI_SHAPE(x), x->ndim);
    agn_status st = agn_cast(&wide, x, AGN_I64);
    if (!st)
        st = agn_contiguous(&row, wide);
    agn_release(wide);
    if (!st)
        st = agn_data_contiguous(&data, row);
    if (st) {
        agn_release(row);
        return agni_rename_error(op, st);
    }
    *owner = row;
    *v = data;
    return AGN_OK;
}

agn_status agni_emissions_read(agn_tensor **owner, const double **v, const char *op,
                               const agn_tensor *x, int32_t blank)
{
    agn_tensor *rows = NULL;
    const double *data = NULL;
    if (agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: x is %s %s; a real dtype is needed", op,
                         agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    if (x->ndim != 2 || !x->size || x->shape[1] > INT32_MAX)
        return agni_fail(AGN_ESHAPE, "%s: x is %s of rank %d; it is [frames, classes], neither 0",
                         op, AGNI_SHAPE(x), x->ndim);
    if (blank < 0 || blank >= x->shape[1])
        return agni_fail(AGN_EINDEX, "%s: blank is %d; x %s has classes 0 to %lld", op, blank,
                         AGNI_SHAPE(x), (long long)x->shape[1] - 1);
    agn_status st = agni_audio_host(&rows, &data, op, x);
    for (int64_t i = 0; !st && i < x->size; i++)
        if (isnan(data[i]) || data[i] == (double)INFINITY)
            st = agni_fail(
                AGN_EDOMAIN,
                "%s: entry %lld of x %s is %g; logarithms of probabilities are finite or -inf", op,
                (long long)i, AGNI_SHAPE(x), data[i]);
    if (st) {
        agn_release(rows);
        return st;
    }
    *owner = rows;
    *v = data;
    return AGN_OK;
}

/* States are blanks and labels in turn, 2 n + 1 of them; back: how many states each came from
   behind. */
static double align_labels(int64_t *path, const double *x, int64_t frames, int64_t classes,
                           const int64_t *labels, int64_t n, int64_t blank, double *now,
                           double *next, int8_t *back)
{
    int64_t states = 2 * n + 1;
    for (int64_t j = 0; j < states; j++)
        now[j] = j > 1 ? -(double)INFINITY : x[j ? labels[0] : blank];
    for (int64_t t = 1; t < frames; t++) {
        for (int64_t j = 0; j < states; j++) {
            int64_t label = j % 2 ? labels[j / 2] : blank;
            double best = now[j];
            int8_t from = 0;
            if (j > 0 && now[j - 1] > best) {
                best = now[j - 1];
                from = 1;
            }
            if (j > 2 && j % 2 && labels[j / 2 - 1] != label && now[j - 2] > best) {
                best = now[j - 2];
                from = 2;
            }
            next[j] = best + x[t * classes + label];
            back[t * states + j] = from;
        }
        double *last = now;
        now = next;
        next = last;
    }
    int64_t j = n && now[states - 2] > now[states - 1] ? states - 2 : states - 1;
    double score = now[j];
    for (int64_t t = frames - 1; t >= 0; t--) {
        path[t] = j % 2 ? labels[j / 2] : blank;
        j -= t ? back[t * states + j] : 0;
    }
    return score;
}

agn_status agn_audio_ctc_align(agn_tensor **path, agn_tensor **score, const agn_tensor *x,
                               const agn_tensor *labels, int32_t blank)
{
    agni_host_call h;
    if (agni_host_call_begin(&h, "audio_ctc_align", 2, (const agn_tensor *[]){x, labels})) {
        agn_status st = h.st ? h.st : agn_audio_ctc_align(path ? &h.y[0] : NULL,
                                                          score ? &h.y[1] : NULL, h.in[0], h.in[1],
                                                          blank);
        return agni_host_call_end(&h, st, 2, (agn_tensor * *[]){path, score});
    }
    static const char op[] = "audio_ctc_align";
    agn_tensor *rows = NULL, *row = NULL, *way = NULL, *values = NULL;
    const double *v = NULL;
    const int64_t *l = NULL;
    AGNI_NEED(op, path);
    AGNI_NEED(op, score);
    AGNI_NEED(op, x);
    AGNI_NEED(op, labels);
    agn_status st = agni_emissions_read(&rows, &v, op, x, blank);
    if (!st)
        st = agni_labels_read(&row, &l, op, "labels", labels);
    int64_t n = st ? 0 : row->size, frames = st ? 1 : x->shape[0], classes = st ? 1 : x->shape[1],
            need = n;
    for (int64_t i = 0; !st && i < n; i++) {
        if (l[i] < 0 || l[i] >= classes || l[i] == blank)
            st = agni_fail(
                AGN_EINDEX,
                "%s: label %lld is %lld; x %s has classes 0 to %lld, of which %d is blank", op,
                (long long)i, (long long)l[i], AGNI_SHAPE(x), (long long)classes - 1, blank);
        need += i && l[i] == l[i - 1];
    }
    if (!st && frames < need)
        st = agni_fail(AGN_ESHAPE, "%s: x is %s; %lld labels need %lld frames", op, AGNI_SHAPE(x),
                       (long long)n, (long long)need);
    size_t states = (size_t)(2 * n + 1);
    size_t size = (size_t)frames * (sizeof(int64_t) + sizeof(double) + states) +
                  2 * states * sizeof(double);
    int64_t *place = st ? NULL : agni_alloc(size);
    if (!st && !place)
        st = agni_nomem(op, size);
    if (!st) {
        double *now = (double *)(place + frames), *each = now + 2 * states;
        double total = align_labels(place, v, frames, classes, l, n, blank, now, now + states,
                                    (int8_t *)(each + frames));
        for (int64_t t = 0; t < frames; t++)
            each[t] = v[t * classes + place[t]];
        if (total == -(double)INFINITY)
            st = agni_fail(AGN_EDOMAIN, "%s: no path of %lld labels through x %s is possible", op,
                           (long long)n, AGNI_SHAPE(x));
        if (!st)
            st = agn_from_host(&way, AGN_I64, 1, &frames, place);
        if (!st)
            st = agn_from_host(&values, AGN_F64, 1, &frames, each);
    }
    agni_free(place);
    agn_release(rows);
    agn_release(row);
    if (st) {
        agn_release(way);
        return st;
    }
    *path = way;
    *score = values;
    return AGN_OK;
}

agn_status agn_audio_ctc_collapse(agn_tensor **out, const agn_tensor *path, int32_t blank)
{
    agni_host_call h;
    if (agni_host_call_begin(&h, "audio_ctc_collapse", 1, (const agn_tensor *[]){path})) {
        agn_status st = h.st ? h.st : agn_audio_ctc_collapse(out ? &h.y[0] : NULL, h.in[0], blank);
        return agni_host_call_end(&h, st, 1, (agn_tensor * *[]){out});
    }
    static const char op[] = "audio_ctc_collapse";
    agn_tensor *row = NULL;
    const int64_t *v = NULL;
    AGNI_NEED(op, out);
    AGNI_NEED(op, path);
    agn_status st = agni_labels_read(&row, &v, op, "path", path);
    if (st)
        return st;
    int64_t n = row->size, count = 0;
    size_t size = (size_t)(n + 1) * sizeof(int64_t);
    int64_t *kept = agni_alloc(size);
    for (int64_t i = 0; kept && i < n; i++)
        if (v[i] != blank && (!i || v[i] != v[i - 1]))
            kept[count++] = v[i];
    st = kept ? agn_from_host(out, AGN_I64, 1, &count, kept) : agni_nomem(op, size);
    agni_free(kept);
    agn_release(row);
    return st;
}

agn_status agn_audio_edit_distance(agn_tensor **out, const agn_tensor *a, const agn_tensor *b)
{
    agni_host_call h;
    if (agni_host_call_begin(&h, "audio_edit_distance", 2, (const agn_tensor *[]){a, b})) {
        agn_status st = h.st ? h.st : agn_audio_edit_distance(out ? &h.y[0] : NULL, h.in[0],
                                                              h.in[1]);
        return agni_host_call_end(&h, st, 1, (agn_tensor * *[]){out});
    }
    static const char op[] = "audio_edit_distance";
    agn_tensor *rows[2] = {NULL, NULL};
    const int64_t *v = NULL, *w = NULL;
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    AGNI_NEED(op, b);
    agn_status st = agni_labels_read(&rows[0], &v, op, "a", a);
    if (!st)
        st = agni_labels_read(&rows[1], &w, op, "b", b);
    int64_t n = st ? 0 : rows[0]->size, m = st ? 0 : rows[1]->size;
    size_t size = (size_t)(m + 1) * sizeof(int64_t);
    int64_t *d = st ? NULL : agni_alloc(size);
    if (!st && !d)
        st = agni_nomem(op, size);
    for (int64_t j = 0; !st && j <= m; j++)
        d[j] = j;
    for (int64_t i = 0; !st && i < n; i++) {
        int64_t corner = d[0]; /* of the row before */
        d[0] = i + 1;
        for (int64_t j = 0; j < m; j++) {
            int64_t best = corner + (v[i] != w[j]);
            corner = d[j + 1];
            best = corner + 1 < best ? corner + 1 : best;
            d[j + 1] = d[j] + 1 < best ? d[j] + 1 : best;
        }
    }
    if (!st)
        st = agn_from_host(out, AGN_I64, 0, NULL, &d[m]);
    agni_free(d);
    agn_release(rows[0]);
    agn_release(rows[1]);
    return st;
}
