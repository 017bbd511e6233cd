/* infer/predict.c - data of a model: their log densities one by one, data and parameters drawn from
   it, a model of other data (Gelman et al. 2013, 6.3; Talts et al. 2018). */
#include "infer/infer.h"
#include "tensor/value/tensor.h"
#include <agnesi/ag.h>

#include <string.h>

typedef const agn_tensor *T;

static bool note_observation(agn_scope *s, agn_model *m, int32_t at, T data, int64_t size)
{
    if (!agni_reserve_items(&m->observation, &m->observed_room, at + 1, sizeof *m->observation)) {
        agn_scope_fail(s, agni_nomem("model_observe", (size_t)(at + 1) * sizeof *m->observation));
        return false;
    }
    agni_observation *o = &m->observation[at];
    *o = (agni_observation){.offset = m->observed_size, .size = size, .ndim = data->ndim};
    memcpy(o->shape, data->shape, (size_t)data->ndim * sizeof *o->shape);
    m->observed_size += size;
    m->n_observed = at + 1;
    return true;
}
/* the key of one draw of a run */
static T key_of(agn_scope *s, T key, int64_t n)
{
    return ag_key_fold(s, key, ag_full(s, AGN_I64, 0, NULL, (double)n));
}
/* Notes data, or takes their log densities, or draws others in their place. */
void agni_meet_data(agn_scope *s, agn_model_trace *t, const agn_distribution *d, T data)
{
    if (t->making) {
        T log_prob = ag_distribution_log_prob(s, d, data);
        if (log_prob)
            note_observation(s, t->making, t->n_seen, data, agn_numel(log_prob));
        return;
    }
    const agni_observation *o = t->n_seen < t->model->n_observed ? &t->model->observation[t->n_seen]
                                                                 : NULL;
    if (!o || o->ndim != data->ndim ||
        memcmp(o->shape, data->shape, (size_t)o->ndim * sizeof *o->shape)) {
        agn_scope_fail(s,
                       agni_fail(AGN_EARG,
                                 "model_observe: data %d are not those of when the model was made",
                                 (int)t->n_seen));
        return;
    }
    if (t->each) {
        T by = t->model->data ? t->model->data[t->n_seen] : data;
        T log_prob = ag_distribution_log_prob(s, d, by);
        t->each[t->n_seen] = log_prob ? ag_cast(s, ag_flatten(s, log_prob, 0, -1), AGN_F64) : NULL;
    }
    if (t->data_key) {
        int32_t inner = agn_distribution_ndim(d) + agn_distribution_event_ndim(d),
                lead = data->ndim - inner;
        if (lead < 0) {
            agn_scope_fail(s, agni_fail(AGN_ESHAPE,
                                        "model_predict: data %d have %d axes, their law %d",
                                        (int)t->n_seen, data->ndim, inner));
            return;
        }
        T y = ag_distribution_sample(s, d, key_of(s, t->data_key, t->n_seen), lead, data->shape);
        /* a law of one number for data of more */
        for (int i = lead; y && i < data->ndim; i++)
            if (y->shape[i] != data->shape[i]) {
                agn_scope_fail(
                    s,
                    agni_fail(
                        AGN_ESHAPE,
                        "model_predict: data %d are of size %lld along axis %d, their law of %lld",
                        (int)t->n_seen, (long long)data->shape[i], i, (long long)y->shape[i]));
                return;
            }
        t->predicted[t->n_seen] = y;
    }
}
T agni_draw_parameter(agn_scope *s, agn_model_trace *t, const agn_distribution *prior, int32_t ndim,
                      const int64_t *shape)
{
    T y = ag_cast(s, ag_distribution_sample(s, prior, key_of(s, t->key, t->next), ndim, shape),
                  AGN_F64);
    T x = agni_unconstrain(s, prior, y);
    t->drawn[t->next] = x ? ag_flatten(s, x, 0, -1) : NULL;
    return y;
}

/* ---- functions ---------------------------------------------------------------------- */

static agn_status each_body(void *user, agn_scope *s, const T *in, T *out)
{
    const agn_model *m = user;
    T *each = agni_zalloc((size_t)m->n_observed * sizeof *each);
    if (!each)
        return agn_scope_fail(
            s, agni_nomem("model_log_likelihood", (size_t)m->n_observed * sizeof *each));
    agn_model_trace t = {.each = each};
    agn_status st = agni_run_model(s, m, in[0], &t);
    if (!st)
        out[0] = ag_concat(s, each, m->n_observed, 0);
    agni_free(each);
    return st ? st : agn_scope_status(s);
}
agn_status agn_model_log_likelihood(agn_fn **out, const agn_model *m)
{
    if (m && !m->n_observed)
        return agni_fail(AGN_EARG, "model_log_likelihood: the model observes no data");
    return agni_model_function(out, "model_log_likelihood", m, each_body, 1, 1);
}
static agn_status draw_body(void *user, agn_scope *s, const T *in, T *out)
{
    const agn_model *m = user;
    T *parts = agni_zalloc((size_t)m->n * sizeof *parts);
    if (!parts)
        return agn_scope_fail(s, agni_nomem("model_draw_prior", (size_t)m->n * sizeof *parts));
    agn_model_trace t = {.key = in[0], .drawn = parts, .terms = AGNI_PRIOR_TERMS};
    agn_status st = agni_run_model(s, m, NULL, &t);
    int32_t n = 0;
    for (int32_t i = 0; i < m->n; i++)
        if (parts[i])
            parts[n++] = parts[i];
    if (!st)
        out[0] = ag_concat(s, parts, n, 0);
    agni_free(parts);
    return st ? st : agn_scope_status(s);
}
agn_status agn_model_draw_prior(agn_fn **out, const agn_model *m)
{
    return agni_model_function(out, "model_draw_prior", m, draw_body, 1, 1);
}
static agn_status predict_body(void *user, agn_scope *s, const T *in, T *out)
{
    agn_model_trace t = {.data_key = in[0], .predicted = out};
    return agni_run_model(s, user, in[1], &t);
}
agn_status agn_model_predict(agn_fn **out, const agn_model *m)
{
    if (m && !m->n_observed)
        return agni_fail(AGN_EARG, "model_predict: the model observes no data");
    return agni_model_function(out, "model_predict", m, predict_body, 2, m ? m->n_observed : 1);
}
int32_t agn_model_observations(const agn_model *m)
{
    return m ? m->n_observed : -1;
}

/* ---- other data --------------------------------------------------------------------- */

static void drop_first(void *m)
{
    agn_model_release(m);
}
static agn_status body_of_first(void *user, agn_scope *s, agn_model_trace *t)
{
    const agn_model *first = user;
    return first->body(first->user, s, t);
}
agn_status agn_model_with_data(agn_model **out, const agn_model *m, const agn_tensor *const *data,
                               int32_t n)
{
    const char *op = "model_with_data";
    if (!out || !m || (n > 0 && !data))
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, !out ? "out" : !m ? "m" : "data");
    if (n != m->n_observed)
        return agni_fail(AGN_EARG, "%s: %d tensors; the model observes data %d times", op, n,
                         m->n_observed);
    for (int32_t i = 0; i < n; i++) {
        const agni_observation *o = &m->observation[i];
        if (!data[i])
            return agni_fail(AGN_ENULL, "%s: data %d are NULL", op, i);
        if (data[i]->ndim != o->ndim ||
            memcmp(data[i]->shape, o->shape, (size_t)o->ndim * sizeof *o->shape))
            return agni_fail(
                AGN_ESHAPE, "%s: data %d are %s, not of the shape of those that the model observes",
                op, i, AGNI_SHAPE(data[i]));
    }
    agn_model *kept = agn_model_retain(m), *y = NULL;
    agn_tensor **copies = agni_zalloc((size_t)(n ? n : 1) * sizeof *copies);
    agn_status st = copies ? AGN_OK : agni_nomem(op, (size_t)n * sizeof *copies);
    for (int32_t i = 0; !st && i < n; i++)
        st = agn_copy(&copies[i], data[i]);
    st = st ? st : agn_model_new(&y, body_of_first, kept, drop_first);
    if (st) {
        for (int32_t i = 0; copies && i < n; i++)
            agn_release(copies[i]);
        agni_free(copies);
        agn_model_release(kept);
        return st;
    }
    y->data = copies;
    *out = y;
    return AGN_OK;
}
