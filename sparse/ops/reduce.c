/* sparse/ops/reduce.c - sums, extremes and softmax along axes of sparse tensors. The coordinates
   that are left after the reduced ones are dropped name a group; the entries of a group are reduced
   together. */
#include "sparse/ops/ops.h"

#include <agnesi/ag.h>
#include <agnesi/sparse_layout.h>
#include <math.h>
#include <string.h>

/* ---- groups -------------------------------------------------------------------------- */

/* Coalesced entries by what is left of their coordinates. */
typedef struct groups {
    agni_coordinates *p;       /* where groups are; owned by the scope */
    const agn_tensor *of; /* the group of each entry */
    int64_t places;       /* elements that each has, stored or not; -1: beyond 64 bits */
} groups;

/* gone[d]: coordinate d is dropped, or kept as 0 where keep */
static bool group_entries(groups *g, agn_scope *s, const char *op, const agni_coordinates *p,
                          const bool *gone, bool keep)
{
    int64_t n = p->nnz, m = 0, shape[AGNI_MAX_RANK];
    int rank = 0;
    *g = (groups){.places = 1};
    for (int d = 0; d < p->ndim; d++) {
        if (gone[d] && (g->places < 0 || !agni_checked_mul(g->places, p->shape[d], &g->places)))
            g->places = -1;
        if (!gone[d] || keep)
            shape[rank++] = gone[d] ? 1 : p->shape[d];
    }
    int64_t *at = agni_alloc_indices(rank * n), *of = agni_alloc_indices(n), *order = NULL;
    agni_coordinates *all = NULL;
    bool repeats;
    for (int d = 0, k = 0; at && d < p->ndim; d++)
        if (!gone[d] || keep) {
            for (int64_t e = 0; e < n; e++)
                at[k * n + e] = gone[d] ? 0 : p->at[d * n + e];
            k++;
        }
    agn_status st = agni_make_coordinates(&all, op, rank, shape, n, false, at);
    if (!st)
        st = agni_order_coordinates(all, op, &order, &repeats);
    if (!st && !of)
        st = agni_nomem(op, (size_t)n * sizeof *of);
    for (int64_t k = 0; !st && k < n; k++) {
        int64_t e = order ? order[k] : k;
        m += k == 0 || agni_compare_coordinates(all, order ? order[k - 1] : k - 1, all, e) != 0;
        of[e] = m - 1;
    }
    int64_t *first = st ? NULL : agni_alloc_indices(rank * m);
    for (int d = 0; first && d < rank; d++)
        for (int64_t e = 0; e < n; e++)
            first[d * m + of[e]] = all->at[d * n + e];
    if (!st)
        st = agni_make_coordinates(&g->p, op, rank, shape, m, true, first);
    if (all)
        agni_obj_release(&all->head);
    agni_free(order);
    if (st ? agn_scope_fail(s, st) : agni_scope_adopt(s, &g->p->head)) {
        agni_free(of);
        return false;
    }
    g->of = agni_index_tensor(s, op, n, of);
    return g->of != NULL;
}

/* ---- which axes ------------------------------------------------------------------------ */

typedef struct reduction {
    const agn_tensor *a; /* coalesced */
    const agn_tensor *v;
    bool gone[AGNI_MAX_RANK]; /* coordinates */
    int n_gone, first, dense;
    bool keep;
    int64_t of_v[AGNI_MAX_RANK]; /* axes of values that go as well, negative */
    int n_of_v;
} reduction;

static bool plan_reduction(reduction *f, agn_scope *s, const agni_call *c)
{
    const agn_tensor *a = agni_as_coo(s, c->op->name, c->in[0]);
    if (!a)
        return false;
    *f = (reduction){.a = a,
                     .v = agni_values_of(a),
                     .first = agni_entry_axis(a),
                     .dense = agni_dense_axes(a),
                     .keep = c->at->i[0]};
    int rank = agni_coordinate_axes(a);
    bool seen[AGNI_MAX_RANK] = {false};
    for (int k = 1; k < c->at->ni; k++) {
        int d = (int)c->at->i[k] + a->ndim;
        if (seen[d]) {
            agn_scope_fail(s, agni_fail(AGN_EINDEX, "%s: axis %d of %d is named twice", c->op->name,
                                        d, a->ndim));
            return false;
        }
        seen[d] = true;
        bool place = d >= f->first && d < f->first + rank;
        if (place) {
            f->gone[d - f->first] = true;
            f->n_gone++;
        } else {
            f->of_v[f->n_of_v++] = (d < f->first ? d : d - rank + 1) - f->v->ndim;
        }
    }
    return true;
}

/* reduces axes of values that are no entries, by op itself */
static bool reduce_value_axes(reduction *f, agn_scope *s, const agni_op *op)
{
    int64_t at[AGNI_MAX_RANK + 1] = {f->keep};
    if (!f->n_of_v)
        return true;
    memcpy(at + 1, f->of_v, (size_t)f->n_of_v * sizeof *at);
    const agn_tensor *v = agni_apply_in(s, op, &(agni_attr){.ni = f->n_of_v + 1, .i = at}, 1,
                                        &f->v);
    for (int k = 0; k < f->n_of_v && !f->keep; k++) {
        int d = (int)f->of_v[k] + f->v->ndim;
        f->first -= d < agni_entry_axis(f->a);
        f->dense -= d > agni_entry_axis(f->a);
    }
    f->v = v;
    return v != NULL;
}

/* values without the axis of entries, or with axes of 1 for all coordinates */
static const agn_tensor *drop_entry_axis(agn_scope *s, const reduction *f, const agn_tensor *y)
{
    if (!y || !f->keep)
        return y;
    int64_t shape[AGNI_MAX_RANK];
    int n = 0, rank = agni_coordinate_axes(f->a);
    for (int d = 0; d <= y->ndim; d++) {
        for (int k = 0; d == f->first && k < rank; k++)
            shape[n++] = 1;
        if (d < y->ndim)
            shape[n++] = y->shape[d];
    }
    return agni_reshape(s, y, n, shape);
}

/* ---- sums ------------------------------------------------------------------------------- */

/* the product with ones */
static const agn_tensor *multiply_ones(agn_scope *s, const agni_pattern *p, int64_t turned,
                                       const agn_tensor *v)
{
    int64_t size[2] = {turned ? p->rows : p->cols, 1};
    const agn_tensor *in[2] = {v, v ? agni_full(s, 1, v->dtype, 2, size) : NULL};
    const agni_attr at = {.ni = 1, .i = &turned, .obj = (agni_obj *)(uintptr_t)&p->head};
    const agn_tensor *y = in[1] ? agni_apply_in(s, &agni_op_sparse_spmm, &at, 2, in) : NULL;
    return y ? agni_reshape(s, y, y->ndim - 1, y->shape) : NULL;
}

/* Of a matrix by rows or columns along one axis: a product with ones, at the lines that have
   entries. */
static const agn_tensor *sum_rows(agn_scope *s, const agn_tensor *a, bool along_rows, bool keep)
{
    const agni_csr *x = agni_sparse_parts(a);
    const agni_pattern *p = x->pattern;
    int64_t turned = !along_rows, n = turned ? p->cols : p->rows, m = 0;
    int64_t *met = agni_alloc_indices(n), *at = agni_alloc_indices(keep ? 2 * n : n), *from = NULL;
    if (met && at) {
        memset(met, 0, (size_t)n * sizeof *met);
        if (turned)
            for (int64_t e = 0; e < p->nnz; e++)
                met[agni_entry_col(p, e)] = 1;
        else
            for (int64_t i = 0; i < n; i++)
                met[i] = agni_row_begin(p, i) < agni_row_begin(p, i + 1);
        for (int64_t i = 0; i < n; i++)
            m += met[i];
        from = m < n ? agni_alloc_indices(m) : NULL;
    }
    if (!met || !at || (m < n && !from)) {
        agni_free(met);
        agni_free(at);
        return agni_fail_null(s, agni_nomem("sum", (size_t)n * sizeof *at));
    }
    /* the axis that is gone is the last of a CSR, ... */
    bool last = (a->layout == AGN_CSR) == along_rows;
    int64_t *line = at + (keep && !last ? m : 0), *gone = at + (keep && last ? m : 0);
    for (int64_t i = 0, k = 0; i < n; i++) {
        if (!met[i])
            continue;
        if (keep)
            gone[k] = 0;
        if (from)
            from[k] = i;
        line[k++] = i;
    }
    agni_free(met);
    agni_coordinates *q = NULL;
    int64_t shape[2] = {last ? n : 1, last ? 1 : n};
    agn_status st = agni_make_coordinates(&q, "sum", keep ? 2 : 1, keep ? shape : &n, m, true, at);
    if (st ? agn_scope_fail(s, st) : agni_scope_adopt(s, &q->head)) {
        agni_free(from);
        return NULL;
    }
    const agn_tensor *v = x->values, *y = NULL;
    if (agni_kind(v->dtype) == AGNI_KIND_COMPLEX) /* an infinite one times 1 is NaN */
        y = ag_complex(s, multiply_ones(s, p, turned, ag_real(s, v)),
                       multiply_ones(s, p, turned, ag_imag(s, v)));
    else
        y = multiply_ones(s, p, turned, v);
    if (from && y)
        y = agni_gather_values(s, y, y->ndim - 1, agni_index_tensor(s, "sum", m, from));
    else
        agni_free(from);
    return y ? agni_restore_layout(s, "sum", agni_coo_new_in(s, "sum", q, y, 0), a->layout) : NULL;
}

/* is it that, of a dtype that kernels take, and are lines no more than entries account for? */
static bool is_sum_of_rows(const agni_call *c, bool *along_rows)
{
    const agn_tensor *a = c->in[0];
    if (a->layout == AGN_COO || !agni_has_sparse_kernel(a->dtype) || c->at->ni != 2 ||
        c->at->i[1] < -2)
        return false;
    const agni_pattern *p = ((const agni_csr *)agni_sparse_parts(a))->pattern;
    if (p->cols / 8 > p->nnz + p->rows)
        return false;
    *along_rows = (a->layout == AGN_CSR) == (c->at->i[1] == -1);
    return true;
}

const agn_tensor *agni_sparse_sum(agn_scope *s, const agni_call *c)
{
    reduction f;
    bool along_rows;
    if (is_sum_of_rows(c, &along_rows))
        return sum_rows(s, c->in[0], along_rows, c->at->i[0]);
    if (!plan_reduction(&f, s, c) || !reduce_value_axes(&f, s, c->op))
        return NULL;
    const agni_coordinates *p = agni_coo_of(f.a)->places;
    if (!f.n_gone)
        return agni_restore_layout(s, "sum", agni_coo_new_in(s, "sum", p, f.v, f.dense),
                                   c->in[0]->layout);
    if (f.n_gone == p->ndim)
        return drop_entry_axis(s, &f,
                               agni_sum_axes(s, f.v, 1, (int64_t[]){f.first - f.v->ndim}, false));
    groups g;
    if (!group_entries(&g, s, "sum", p, f.gone, f.keep))
        return NULL;
    const agn_tensor *y = agni_sum_groups(s, f.v, f.first, g.of, g.p->nnz);
    return y ? agni_restore_layout(s, "sum", agni_coo_new_in(s, "sum", g.p, y, f.dense),
                                   c->in[0]->layout)
             : NULL;
}

/* ---- extremes ----------------------------------------------------------------------------- */

/* Entries of each group, and 0 where a group has positions without entries. The result of the group
   begins with that 0, or with what loses against everything. */
static const agn_tensor *extreme_of_groups(agn_scope *s, const char *op, const reduction *f,
                                           const groups *g, bool largest)
{
    const agn_tensor *v = f->v;
    if (v->dtype == AGN_BOOL || agni_kind(v->dtype) == AGNI_KIND_COMPLEX) {
        if (v->dtype != AGN_BOOL)
            return agni_fail_null(s, agni_fail(AGN_EDTYPE, "%s: %s numbers %s have no order", op,
                                               agni_dtypes[v->dtype].name, AGNI_SHAPE(f->a)));
        reduction h = *f;
        h.v = agni_cast(s, v, AGN_I32);
        return h.v ? agni_cast(s, extreme_of_groups(s, op, &h, g, largest), AGN_BOOL) : NULL;
    }
    int64_t m = g->p->nnz, shape[AGNI_MAX_RANK], at[3] = {f->first - v->ndim, 0, 1};
    int64_t n = g->of->size, *count = agni_alloc_indices(m);
    const int64_t *of = g->of->data;
    agn_tensor *start = NULL;
    bool whole = agni_kind(v->dtype) == AGNI_KIND_INT, tiny = v->dtype == AGN_U8;
    int bits = 8 * agni_dtypes[v->dtype].bytes - 1;
    int64_t high = tiny ? UINT8_MAX : INT64_MAX >> (63 - bits), low = tiny ? 0 : -high - 1;
    agn_status st = count ? agni_tensor_make(&start, op, whole ? AGN_I64 : AGN_F64, 1, &m, AGN_CPU)
                          : agni_nomem(op, (size_t)m * sizeof *count);
    if (!st) {
        memset(count, 0, (size_t)m * sizeof *count);
        for (int64_t e = 0; e < n; e++)
            count[of[e]]++;
        for (int64_t k = 0; k < m; k++)
            if (whole)
                ((int64_t *)start->data)[k] = count[k] != g->places ? 0 : largest ? low : high;
            else
                ((double *)start->data)[k] = count[k] != g->places ? 0
                                             : largest             ? (double)-INFINITY
                                                                   : (double)INFINITY;
    }
    agni_free(count);
    const agn_tensor *x = agni_adopt_constant(s, st, start);
    memcpy(shape, v->shape, (size_t)v->ndim * sizeof *shape);
    shape[f->first] = m;
    int64_t column[AGNI_MAX_RANK];
    for (int d = 0; d < v->ndim - f->first; d++)
        column[d] = d ? 1 : m;
    x = x ? agni_cast(s, x, v->dtype) : NULL;
    x = x ? agni_reshape(s, x, v->ndim - f->first, column) : NULL;
    x = x ? agni_broadcast(s, x, v->ndim, shape) : NULL;
    return x ? agni_apply_in(s, largest ? &agni_op_scatter_max : &agni_op_scatter_min,
                             &(agni_attr){.ni = 3, .i = at}, 3, (const agn_tensor *[]){x, g->of, v})
             : NULL;
}

const agn_tensor *agni_sparse_extreme(agn_scope *s, const agni_call *c)
{
    const char *op = c->op->name;
    bool largest = c->op == &agni_op_max || c->op == &agni_op_amax;
    reduction f;
    groups g;
    if (!plan_reduction(&f, s, c) || !reduce_value_axes(&f, s, c->op))
        return NULL;
    const agni_coordinates *p = agni_coo_of(f.a)->places;
    if (!f.n_gone)
        return agni_restore_layout(s, op, agni_coo_new_in(s, op, p, f.v, f.dense),
                                   c->in[0]->layout);
    for (int d = 0; d < p->ndim; d++)
        if (f.gone[d] && p->shape[d] == 0)
            return agni_fail_null(s, agni_fail(AGN_ESHAPE,
                                               "%s: axis %d of %s is empty: no element is there",
                                               op, f.first + d, AGNI_SHAPE(c->in[0])));
    if (!group_entries(&g, s, op, p, f.gone, f.keep))
        return NULL;
    const agn_tensor *y = extreme_of_groups(s, op, &f, &g, largest);
    if (!y || f.n_gone < p->ndim)
        return y ? agni_restore_layout(s, op, agni_coo_new_in(s, op, g.p, y, f.dense),
                                       c->in[0]->layout)
                 : NULL;
    /* one group, or none: then all is 0 */
    return drop_entry_axis(s, &f, agni_take_single(s, y, f.first));
}

/* ---- softmax ---------------------------------------------------------------------------- */

static const agn_tensor *softmax_along(agn_scope *s, const char *op, const agn_tensor *a, int axis,
                                       bool logs)
{
    int layout = a->layout, place;
    if ((layout == AGN_CSR || layout == AGN_CSC) && agni_kind(a->dtype) == AGNI_KIND_FLOAT &&
        axis == a->ndim - (layout == AGN_CSR ? 1 : 2)) { /* along the rows of the pattern */
        const agni_csr *c = agni_sparse_parts(a);
        const agni_pattern *p = c->pattern;
        if (p->rows < INT32_MAX) {
            const agn_tensor *v = agni_softmax_rows(s, op, p, c->values, logs);
            return v ? agni_with_values_in(s, op, a, v) : NULL;
        }
    }
    a = agni_as_coo(s, op, a);
    if (!a)
        return NULL;
    place = axis - agni_entry_axis(a);
    const agn_tensor *v = agni_values_of(a);
    if (agni_kind(v->dtype) != AGNI_KIND_FLOAT)
        return agni_fail_null(s, agni_fail(AGN_EDTYPE, "%s: a is %s %s, a real dtype is needed", op,
                                           agni_dtypes[v->dtype].name, AGNI_SHAPE(a)));
    int rank = agni_coordinate_axes(a), first = agni_entry_axis(a);
    if (place < 0 || place >= rank) { /* values have the axis */
        int32_t along = place < 0 ? axis : axis - rank + 1;
        int64_t behind = along - v->ndim;
        if (logs)
            v = ag_sub(s, v, ag_logsumexp(s, v, &along, 1, true));
        else
            v = agni_apply_in(s, &agni_op_softmax, &(agni_attr){.ni = 1, .i = &behind}, 1, &v);
    } else {
        groups g;
        bool gone[AGNI_MAX_RANK] = {false};
        gone[place] = true;
        if (!group_entries(&g, s, op, agni_coo_of(a)->places, gone, false))
            return NULL;
        v = agni_softmax_groups(s, v, first, g.of, g.p->nnz, logs);
    }
    return v ? agni_restore_layout(s, op, agni_with_values_in(s, op, a, v), layout) : NULL;
}

static agn_status over_entries(const char *op, agn_tensor **out, const agn_tensor *a, int32_t axis,
                               bool logs)
{
    int d;
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    agn_status st = agni_axis(op, axis, a->ndim, &d);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    return agni_return(op, s, out, softmax_along(s, op, a, d, logs));
}
agn_status agn_sparse_softmax(agn_tensor **out, const agn_tensor *a, int32_t axis)
{
    return over_entries("sparse_softmax", out, a, axis, false);
}
agn_status agn_sparse_log_softmax(agn_tensor **out, const agn_tensor *a, int32_t axis)
{
    return over_entries("sparse_log_softmax", out, a, axis, true);
}
