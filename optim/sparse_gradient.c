/* optim/sparse_gradient.c - sparse gradients of tables: the spans of the gradient that this
   evaluation wrote. Elsewhere it is 0, and a rule touches neither parameters nor slots, as in
   the lazy form of Adam for embeddings. */
#include "optim/optim.h"

#include <agnesi/sparse.h>
#include <agnesi/sparse_layout.h>
#include <string.h>

void agni_optim_span_all(agn_optim *o)
{
    o->whole = (agni_optim_span){0, o->n};
    o->span = &o->whole;
    o->n_spans = 1;
}

bool agni_optim_has_sparse_gradient(const agn_optim *o)
{
    for (int p = 0; p < o->n_params; p++)
        if (agn_layout_of(o->out[o->n_out - o->n_params + p]) != AGN_DENSE)
            return true;
    return false;
}

void agni_optim_clear_gradient(agn_optim *o)
{
    for (int64_t k = 0; k < o->n_spans; k++)
        memset(o->g + o->span[k].from, 0,
               (size_t)(o->span[k].to - o->span[k].from) * sizeof *o->g);
    o->n_parts = 0;
}

agn_status agni_optim_add_span(agn_optim *o, int64_t from, int64_t to)
{
    if (o->n_parts && o->parts[o->n_parts - 1].to == from) {
        o->parts[o->n_parts - 1].to = to;
        return AGN_OK;
    }
    if (o->n_parts == o->room_parts) {
        int64_t room = 2 * o->room_parts + 16;
        agni_optim_span *more = agni_realloc(o->parts, (size_t)room * sizeof *more);
        if (!more)
            return agni_nomem("optim_step", (size_t)room * sizeof *more);
        o->parts = more;
        o->room_parts = room;
    }
    o->parts[o->n_parts++] = (agni_optim_span){from, to};
    return AGN_OK;
}

/* a sparse gradient by rows of its table: values f64 on the host, in order, no row twice */
static agn_status gather_rows(agn_tensor **values, agn_tensor **rows, const agn_tensor *t)
{
    agn_tensor *a = NULL, *v = NULL;
    agn_status st = agn_sparse_coalesce(&a, t);
    if (!st)
        st = agn_sparse_values(&v, a);
    if (!st)
        st = agn_cast(values, v, AGN_F64);
    if (!st)
        st = agn_sparse_coordinates(rows, a);
    agn_release(a);
    agn_release(v);
    return st;
}

agn_status agni_optim_read_sparse_gradient(agn_optim *o, int64_t first, const agn_tensor *t)
{
    agn_tensor *values = NULL, *rows = NULL;
    if (t->layout != AGN_COO || agn_sparse_dim(t) != 1 || agn_sparse_dense_dim(t) != t->ndim - 1) {
        agn_status st = agn_sparse_to_dense(&values, t);
        agn_tensor *wide = NULL;
        if (!st)
            st = agn_cast(&wide, values, AGN_F64);
        if (!st)
            st = agn_to_host(o->g + first, wide, (size_t)t->size * sizeof *o->g);
        agn_release(values);
        agn_release(wide);
        return st ? st : agni_optim_add_span(o, first, first + t->size);
    }
    agn_status st = gather_rows(&values, &rows, t);
    int64_t n = st ? 0 : rows->size, row = n ? values->size / n : 0;
    double *v = st || !n ? NULL : agni_alloc((size_t)values->size * sizeof *v + 1);
    if (n && !v)
        st = agni_nomem("optim_step", (size_t)values->size * sizeof *v);
    if (!st && n)
        st = agn_to_host(v, values, (size_t)values->size * sizeof *v);
    for (int64_t k = 0; !st && k < n; k++) {
        int64_t at = first + ((const int64_t *)rows->data)[k] * row;
        memcpy(o->g + at, v + k * row, (size_t)row * sizeof *v);
        st = agni_optim_add_span(o, at, at + row);
    }
    agni_free(v);
    agn_release(values);
    agn_release(rows);
    return st;
}

void agni_optim_close_spans(agn_optim *o)
{
    o->span = o->parts;
    o->n_spans = o->n_parts;
}

double agni_optim_max_gradient(const agn_optim *o)
{
    double most = 0;
    for (int64_t k = 0; k < o->n_spans; k++) {
        double here = agni_vector_max_abs(AGN_F64, o->span[k].to - o->span[k].from,
                                          o->g + o->span[k].from);
        most = here > most || here != here ? here : most;
        if (most != most)
            break;
    }
    return most;
}
