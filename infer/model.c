/* infer/model.c - a model is a C function that names its parameters as it runs: run once to find
   their shapes, then recorded as a log density of unconstrained numbers (Wingate, Stuhlmueller &
   Goodman 2011; Stan Reference Manual, Constraint Transforms). */
#include "infer/infer.h"
#include "distribution/log_density.h"
#include "tensor/value/tensor.h"
#include <agnesi/ag.h>

#include <string.h>

typedef const agn_tensor *T;

static void destroy_model(agni_obj *obj)
{
    agn_model *m = (agn_model *)obj;
    if (m->destroy)
        m->destroy(m->user);
    for (int i = 0; i < m->n; i++)
        agni_free(m->parameter[i].name);
    for (int i = 0; m->data && i < m->n_observed; i++)
        agn_release(m->data[i]);
    agni_free(m->data);
    agni_free(m->observation);
    agni_free(m->parameter);
    agni_obj_free(&m->head, sizeof *m);
}
static const agni_obj_type model_type = {.name = "model", .destroy = destroy_model};

agn_model *agn_model_retain(const agn_model *m)
{
    return (agn_model *)(uintptr_t)(m ? agni_obj_retain(&m->head) : NULL);
}
void agn_model_release(agn_model *m)
{
    if (m)
        agni_obj_release(&m->head);
}

/* ---- what a body calls -------------------------------------------------------------- */

static bool note_parameter(agn_scope *s, agn_model *m, const char *name, bool derived, int64_t size,
                           int32_t ndim, const int64_t *shape)
{
    for (int i = 0; i < m->n; i++)
        if (!strcmp(m->parameter[i].name, name)) {
            agn_scope_fail(
                s, agni_fail(AGN_EARG, "model: the name %s stands for two quantities", name));
            return false;
        }
    if (m->n == m->room) {
        int32_t room = m->room ? 2 * m->room : 8;
        agni_parameter *more = agni_alloc((size_t)room * sizeof *more);
        if (!more) {
            agn_scope_fail(s, agni_nomem("model", (size_t)room * sizeof *more));
            return false;
        }
        if (m->n)
            memcpy(more, m->parameter, (size_t)m->n * sizeof *more);
        agni_free(m->parameter);
        m->parameter = more;
        m->room = room;
    }
    size_t length = strlen(name) + 1;
    char *copy = agni_alloc(length);
    if (!copy) {
        agn_scope_fail(s, agni_nomem("model", length));
        return false;
    }
    memcpy(copy, name, length);
    agni_parameter *p = &m->parameter[m->n++];
    *p = (agni_parameter){
        .name = copy, .offset = m->dims, .size = size, .ndim = ndim, .derived = derived};
    memcpy(p->shape, shape, (size_t)ndim * sizeof *shape);
    m->dims += size;
    return true;
}

static void add_term(agn_scope *s, agn_model_trace *t, T log_prob, int kind)
{
    if (agn_scope_status(s) || (t->terms && t->terms != kind))
        return;
    T term = log_prob->ndim ? ag_sum_all(s, log_prob) : log_prob;
    t->sum = t->sum ? ag_add(s, t->sum, term) : term;
}
void agn_model_add(agn_scope *s, agn_model_trace *t, T log_prob)
{
    if (agn_scope_status(s))
        return;
    if (!t || !log_prob) {
        agn_scope_fail(s, agni_fail(AGN_ENULL, "model_add: %s is NULL", !t ? "t" : "log_prob"));
        return;
    }
    if (t->making)
        t->making->n_added++;
    add_term(s, t, log_prob, AGNI_OTHER_TERMS);
}

T agn_model_parameter(agn_scope *s, agn_model_trace *t, const char *name,
                      const agn_distribution *prior, int32_t ndim, const int64_t *shape)
{
    if (agn_scope_status(s))
        return NULL;
    if (!t || !name || !prior || (ndim > 0 && !shape)) {
        agn_scope_fail(s, agni_fail(AGN_ENULL, "model_parameter: %s is NULL",
                                    !t ? "t" : !name ? "name" : !prior ? "prior" : "shape"));
        return NULL;
    }
    int32_t batch = agn_distribution_ndim(prior);
    agn_support support = agn_distribution_support(prior);
    if (support == AGN_SUPPORT_BOOLEAN || support == AGN_SUPPORT_COUNTS ||
        support == AGN_SUPPORT_COUNTS_TO || agn_distribution_event_ndim(prior) > 0) {
        agn_scope_fail(
            s, agni_fail(AGN_EUNSUPPORTED,
                         "model_parameter: %s is of the %s law, which is not one of real numbers",
                         name, agn_distribution_name(prior)));
        return NULL;
    }
    if (ndim < 0 || ndim + batch > AGN_MAX_RANK) {
        agn_scope_fail(s, agni_fail(AGN_ESHAPE,
                                    "model_parameter: %s has %d axes before its batch shape of %d",
                                    name, ndim, batch));
        return NULL;
    }
    int64_t all[AGN_MAX_RANK], size = 1;
    for (int i = 0; i < ndim + batch; i++) {
        all[i] = i < ndim ? shape[i] : agn_distribution_shape(prior)[i - ndim];
        if (all[i] < 0 || __builtin_mul_overflow(size, all[i], &size)) {
            agn_scope_fail(s, agni_fail(AGN_ESHAPE, "model_parameter: size %d of %s is %lld", i,
                                        name, (long long)all[i]));
            return NULL;
        }
    }
    int32_t rank = ndim + batch;
    T x;
    if (t->making) {
        if (!note_parameter(s, t->making, name, false, size, rank, all))
            return NULL;
        x = ag_full(s, AGN_F64, rank, all, 0);
    } else if (t->key) {
        T value = agni_draw_parameter(s, t, prior, ndim, shape);
        if (t->value)
            t->value[t->next] = value;
        t->next++;
        return agn_scope_status(s) ? NULL : value;
    } else {
        const agni_parameter *p = t->next < t->model->n ? &t->model->parameter[t->next] : NULL;
        if (!p || strcmp(p->name, name) || p->derived || p->ndim != rank ||
            memcmp(p->shape, all, (size_t)rank * sizeof *all)) {
            agn_scope_fail(
                s,
                agni_fail(AGN_EARG,
                          "model_parameter: %s is not what the model named here when it was made",
                          name));
            return NULL;
        }
        T part = ag_slice(s, t->point, 1, &p->offset, (const int64_t[]){p->offset + p->size}, NULL);
        x = ag_reshape(s, part, rank, all);
    }
    T log_det = NULL, y = agni_constrain(s, prior, x, &log_det);
    if (agn_scope_status(s))
        return NULL;
    if (t->terms != AGNI_OTHER_TERMS) {
        add_term(s, t, agni_log_density_sum(s, prior, y), AGNI_PRIOR_TERMS);
        if (log_det)
            add_term(s, t, log_det, AGNI_PRIOR_TERMS);
    }
    if (t->value)
        t->value[t->next] = y;
    t->next++;
    return agn_scope_status(s) ? NULL : y;
}

T agn_model_derived(agn_scope *s, agn_model_trace *t, const char *name, T value)
{
    if (agn_scope_status(s))
        return NULL;
    if (!t || !name || !value) {
        agn_scope_fail(s, agni_fail(AGN_ENULL, "model_derived: %s is NULL",
                                    !t ? "t" : !name ? "name" : "value"));
        return NULL;
    }
    if (t->making) {
        if (!note_parameter(s, t->making, name, true, 0, value->ndim, value->shape))
            return NULL;
    } else if (t->next >= t->model->n || strcmp(t->model->parameter[t->next].name, name)) {
        agn_scope_fail(
            s,
            agni_fail(AGN_EARG,
                      "model_derived: %s is not what the model named here when it was made", name));
        return NULL;
    }
    if (t->value)
        t->value[t->next] = ag_cast(s, value, AGN_F64);
    t->next++;
    return value;
}

void agn_model_observe(agn_scope *s, agn_model_trace *t, const agn_distribution *d, T data)
{
    if (agn_scope_status(s))
        return;
    if (!t || !d || !data) {
        agn_scope_fail(s, agni_fail(AGN_ENULL, "model_observe: %s is NULL",
                                    !t   ? "t"
                                    : !d ? "d"
                                         : "data"));
        return;
    }
    if (t->making || t->each || t->data_key || (t->model && t->model->data))
        agni_meet_data(s, t, d, data);
    if (agn_scope_status(s) || t->each || t->data_key || t->terms == AGNI_PRIOR_TERMS) {
        t->n_seen++;
        return;
    }
    const agn_tensor *by = t->model && t->model->data ? t->model->data[t->n_seen] : data;
    t->n_seen++;
    add_term(s, t, agni_log_density_sum(s, d, by), AGNI_OTHER_TERMS);
}

/* ---- models ------------------------------------------------------------------------- */

agn_status agn_model_new(agn_model **out, agn_model_body *body, void *user,
                         void (*destroy)(void *user))
{
    if (!out || !body)
        return agni_fail(AGN_ENULL, "model_new: %s is NULL", !out ? "out" : "body");
    agn_model *m = agni_zalloc(sizeof *m);
    if (!m)
        return agni_nomem("model_new", sizeof *m);
    agni_ref_init(&m->head.ref);
    m->head.type = &model_type;
    m->body = body;
    m->user = user;
    agn_scope *s = agn_scope_open(NULL);
    agn_model_trace t = {.making = m};
    agn_status st = body(user, s, &t);
    if (st)
        agn_scope_fail(s, st);
    st = agn_scope_close(s);
    if (!st && m->dims == 0)
        st = agni_fail(AGN_EARG, "model_new: the model has no parameter");
    if (st) {
        agn_model_release(m);
        return st;
    }
    m->destroy = destroy;
    *out = m;
    return AGN_OK;
}
int64_t agn_model_dims(const agn_model *m)
{
    return m ? m->dims : -1;
}
int32_t agn_model_count(const agn_model *m)
{
    return m ? m->n : -1;
}
const char *agn_model_name(const agn_model *m, int32_t i)
{
    return m && i >= 0 && i < m->n ? m->parameter[i].name : NULL;
}

agn_status agni_run_model(agn_scope *s, const agn_model *m, T point, agn_model_trace *t)
{
    if (point && (point->ndim != 1 || point->shape[0] != m->dims))
        return agn_scope_fail(s, agni_fail(AGN_ESHAPE, "model: the point is %s; [%lld] is needed",
                                           AGNI_SHAPE(point), (long long)m->dims));
    t->model = m;
    t->point = point;
    agn_status st = m->body(m->user, s, t);
    return st ? agn_scope_fail(s, st) : agn_scope_status(s);
}
static agn_status density_body(void *user, agn_scope *s, const T *in, T *out)
{
    agn_model_trace t = {.making = NULL};
    agn_status st = agni_run_model(s, user, in[0], &t);
    out[0] = t.sum;
    return st;
}
static agn_status prior_body(void *user, agn_scope *s, const T *in, T *out)
{
    agn_model_trace t = {.terms = AGNI_PRIOR_TERMS};
    agn_status st = agni_run_model(s, user, in[0], &t);
    out[0] = t.sum;
    return st;
}
static agn_status values_body(void *user, agn_scope *s, const T *in, T *out)
{
    agn_model_trace t = {.value = out};
    return agni_run_model(s, user, in[0], &t);
}
static void drop_model(void *m)
{
    agn_model_release(m);
}
agn_status agni_model_function(agn_fn **out, const char *op, const agn_model *m, agn_body *body,
                               int32_t n_in, int32_t n_out)
{
    if (!out || !m)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, !out ? "out" : "m");
    agn_status gone = agni_check_handle(op, &m->head);
    if (gone)
        return gone;
    agn_model *kept = agn_model_retain(m);
    agn_status st = agn_fn_new(out, body, kept, drop_model, n_in, n_out);
    if (st)
        agn_model_release(kept);
    return st;
}
agn_status agn_model_log_density(agn_fn **out, const agn_model *m)
{
    return agni_model_function(out, "model_log_density", m, density_body, 1, 1);
}
agn_status agn_model_log_prior(agn_fn **out, const agn_model *m)
{
    return agni_model_function(out, "model_log_prior", m, prior_body, 1, 1);
}
agn_status agn_model_values(agn_fn **out, const agn_model *m)
{
    return agni_model_function(out, "model_values", m, values_body, 1, m ? m->n : 1);
}
