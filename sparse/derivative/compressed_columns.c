/* sparse/derivative/compressed_columns.c - the entries of a sparse derivative from products with
   the seed matrix of a colouring: all products in one batched run of the linear program; each entry
   is read from one of them (Curtis, Powell & Reid 1974). */
#include "sparse/derivative/derivative.h"

const agn_tensor *agni_sum_picked(agn_scope *s, const agn_tensor *x, int64_t nnz,
                                  const int64_t *pick, int64_t n_more, const int64_t *more)
{
    int64_t turned = 0, *indptr = agni_zalloc(((size_t)nnz + 2) * sizeof *indptr);
    int64_t *index = agni_alloc((size_t)(nnz + n_more + 1) * sizeof *index);
    agni_pattern *p = NULL;
    if (!x || !indptr || !index) {
        agni_free(indptr);
        agni_free(index);
        if (x)
            agn_scope_fail(s,
                           agni_nomem("sparse_jacobian", (size_t)nnz * sizeof *index));
        return NULL;
    }
    for (int64_t e = 0; e < nnz; e++) /* counting sort by entry, counts shifted by two */
        indptr[e + 2] += pick[e] >= 0;
    for (int64_t k = 0; k < n_more; k++)
        indptr[more[2 * k] + 2]++;
    for (int64_t e = 0; e <= nnz; e++)
        indptr[e + 1] += indptr[e];
    for (int64_t e = 0; e < nnz; e++)
        if (pick[e] >= 0)
            index[indptr[e + 1]++] = pick[e];
    for (int64_t k = 0; k < n_more; k++)
        index[indptr[more[2 * k] + 1]++] = more[2 * k + 1];
    if (agn_scope_fail(s, agni_pattern_new(&p, nnz, x->shape[0], indptr, index)))
        return NULL;
    const agn_tensor *y = agni_apply_in(
        s, &agni_op_sparse_collect, &(agni_attr){.ni = 1, .i = &turned, .obj = &p->head}, 1, &x);
    agni_obj_release(&p->head);
    return y;
}

/* seeds of n colours in the shape of x: 1 where an element has the colour */
static const agn_tensor *make_seeds(agn_scope *s, const agn_tensor *x, int32_t n,
                                    const int32_t *colour)
{
    agn_tensor *e = NULL;
    int64_t shape[AGNI_MAX_RANK + 1] = {n};
    if (x->ndim == AGNI_MAX_RANK) {
        agn_scope_fail(s, agni_fail(AGN_ESHAPE,
                                    "sparse_jacobian: %s has rank %d: no axis is "
                                    "left for products",
                                    AGNI_SHAPE(x), x->ndim));
        return NULL;
    }
    memcpy(shape + 1, x->shape, (size_t)x->ndim * sizeof *shape);
    agn_status st = agn_zeros(&e, (agn_dtype)x->dtype, x->ndim + 1, shape);
    for (int64_t j = 0; !st && j < x->size; j++)
        if (colour[j] >= 0 && x->dtype == AGN_F64)
            ((double *)e->data)[colour[j] * x->size + j] = 1;
        else if (colour[j] >= 0)
            ((float *)e->data)[colour[j] * x->size + j] = 1;
    return agni_adopt_constant(s, st, e);
}

/* the linear part at all seeds, as one batched run */
static const agn_tensor *multiply_seeds(agn_scope *s, agni_recorded *r, int argnum, bool forward,
                                        const agn_tensor *seed)
{
    int32_t x = argnum, y = 0;
    agni_linear_map q = {r, 1, &x, 1, &y};
    const agn_tensor *like = r->w.prim[forward ? argnum : r->p->out[0]], *j = NULL;
    agni_prog *p = NULL;
    uint64_t first;
    bool on = true, jon = false;
    r->w.seeds = AGNI_SEEDS_UNITS;
    if (!seed ||
        agn_scope_fail(s, agni_trace_body(&p, &first,
                                          forward ? agni_linear_map_push : agni_linear_map_pull, &q,
                                          1, &like, 1, true)))
        return NULL;
    agni_traverse_batch(s, p, seed->shape[0], &seed, &on, &j, &jon);
    j = agni_detach_result(s, agni_ensure_batch_axis(s, j, jon, seed->shape[0]));
    agni_prog_release(p);
    return j;
}

static const agn_tensor *flatten_as(agn_scope *s, const agn_tensor *x, int dtype)
{
    x = x && x->dtype != dtype ? agni_cast(s, x, dtype) : x;
    return x ? agni_reshape(s, x, 1, &x->size) : NULL;
}

/* Where row i has a colour twice, the entry is read as its mirror image (j, i). */
static void pick_star_entries(const agni_pattern *p, const int32_t *colour, int64_t *seen,
                              int64_t *pick)
{
    for (int64_t i = 0; i < p->rows; i++) {
        for (int64_t e = agni_row_begin(p, i); e < agni_row_begin(p, i + 1); e++)
            seen[colour[agni_entry_col(p, e)]] = 0;
        for (int64_t e = agni_row_begin(p, i); e < agni_row_begin(p, i + 1); e++)
            seen[colour[agni_entry_col(p, e)]]++;
        for (int64_t e = agni_row_begin(p, i); e < agni_row_begin(p, i + 1); e++) {
            int64_t j = agni_entry_col(p, e), k = colour[j];
            pick[e] = seen[k] == 1 ? k * p->rows + i : colour[i] * p->rows + j;
        }
    }
}

const agn_tensor *agni_entries_by_colours(agn_scope *s, agni_recorded *r, int argnum,
                                          const agni_pattern *p, const agni_colours *c, bool star)
{
    const agn_tensor *x = r->w.prim[argnum], *y = r->w.prim[r->p->out[0]], *part[2],
                     *all;
    int n = 0;
    if (c->n_column)
        part[n++] = flatten_as(
            s, multiply_seeds(s, r, argnum, true, make_seeds(s, x, c->n_column, c->column)),
            y->dtype);
    if (c->n_row)
        part[n++] = flatten_as(
            s, multiply_seeds(s, r, argnum, false, make_seeds(s, y, c->n_row, c->row)), y->dtype);
    if (agn_scope_status(s))
        return NULL;
    all = part[0];
    if (n == 2) {
        int64_t axis = -1;
        all = agni_apply_in(s, &agni_op_concat, &(agni_attr){.ni = 1, .i = &axis}, 2, part);
    }
    int64_t *pick = agni_alloc((size_t)(p->nnz + c->n_column + 1) * sizeof *pick);
    if (!pick) {
        agn_scope_fail(s, agni_nomem("sparse_jacobian", (size_t)p->nnz * sizeof *pick));
        return NULL;
    }
    if (star)
        pick_star_entries(p, c->column, pick + p->nnz, pick);
    for (int64_t i = 0; !star && i < p->rows; i++)
        for (int64_t e = agni_row_begin(p, i); e < agni_row_begin(p, i + 1); e++)
            pick[e] = c->row[i] >= 0
                          ? c->n_column * p->rows + c->row[i] * p->cols + agni_entry_col(p, e)
                          : c->column[agni_entry_col(p, e)] * p->rows + i;
    const agn_tensor *v = agni_sum_picked(s, all, p->nnz, pick, 0, NULL);
    agni_free(pick);
    return v;
}
