/* sparse/graph/laplacian.c - the Laplacian of a graph, D - A or 1 - D^-1/2 A D^-1/2. Its pattern is
   made once, its values by gathers and a product, so that derivatives follow. */
#include "sparse/graph/graph.h"
#include "sparse/products/products.h"

#include <agnesi/ag.h>

/* Where the entries of the Laplacian come from. */
typedef struct plan {
    int64_t nnz, *indptr, *index;
    int64_t *from;      /* the entry of a, or nnz of a: none, also on the diagonal */
    int64_t *row, *col; /* of those entries */
    int64_t *diag;      /* the node on the diagonal, or n */
    int64_t *off;       /* of each entry of a: itself, or nnz on the diagonal */
} plan;

static agn_status plan_laplacian(plan *q, const agni_edges *g)
{
    int64_t n = g->n, nnz = g->begin[n], at = 0;
    q->indptr = agni_zalloc((size_t)(n + 1) * sizeof *q->indptr);
    q->index = agni_alloc((size_t)(nnz + n + 1) * sizeof *q->index);
    q->from = agni_alloc((size_t)(5 * (nnz + n) + 1) * sizeof *q->from);
    if (!q->indptr || !q->index || !q->from)
        return agni_nomem(g->op, (size_t)(6 * (nnz + n)) * sizeof *q->from);
    q->row = q->from + nnz + n;
    q->col = q->row + nnz + n;
    q->diag = q->col + nnz + n;
    q->off = q->diag + nnz + n;
    for (int64_t i = 0; i < n; i++) {
        int64_t e = g->begin[i], end = g->begin[i + 1];
        for (bool placed = false; e < end || !placed; at++) {
            bool here = !placed && (e == end || g->to[e] >= i),
                 stored = e < end && (!here || g->to[e] == i);
            q->index[at] = q->col[at] = here ? i : g->to[e];
            q->row[at] = i;
            q->from[at] = here ? nnz : e;
            q->diag[at] = here ? i : n;
            placed |= here;
            if (stored) {
                q->off[e] = here ? nnz : e;
                e++;
            }
        }
        q->indptr[i + 1] = at;
    }
    q->nnz = at;
    return AGN_OK;
}

static const agn_tensor *laplacian_values(agn_scope *s, const agni_edges *g, const plan *q,
                                          bool normalised)
{
    int64_t one = 1, n = g->n, turned = 0;
    const agn_tensor *v = agni_append_zero(s, g->c->values);
    const agn_tensor *off = ag_gather(s, v, agni_edges_indices(s, g, g->begin[n], q->off), -1), *d,
                     *y;
    if (agn_scope_status(s))
        return NULL;
    const agn_tensor *in[2] = {off, agni_full(s, 1, off->dtype, 2, (int64_t[]){n, one})};
    d = in[1]
            ? agni_apply_in(s, &agni_op_sparse_spmm,
                            &(agni_attr){.ni = 1, .i = &turned, .obj = &g->c->pattern->head}, 2, in)
            : NULL;
    d = d ? agni_reshape(s, d, d->ndim - 1, d->shape) : NULL;
    y = ag_neg(s, ag_gather(s, v, agni_edges_indices(s, g, q->nnz, q->from), -1));
    if (!normalised)
        return ag_add(
            s, y,
            ag_gather(s, agni_append_zero(s, d), agni_edges_indices(s, g, q->nnz, q->diag), -1));
    const agn_tensor *zero = agni_literal(s, 0), *unit = agni_literal(s, 1);
    const agn_tensor *some = ag_ne(s, d, zero);
    const agn_tensor *root = ag_sqrt(s, ag_where(s, some, d, unit));
    y = ag_div(s, y,
               ag_mul(s, ag_gather(s, root, agni_edges_indices(s, g, q->nnz, q->row), -1),
                      ag_gather(s, root, agni_edges_indices(s, g, q->nnz, q->col), -1)));
    const agn_tensor *on = d ? ag_cast(s, some, d->dtype) : NULL;
    return ag_add(
        s, y, ag_gather(s, agni_append_zero(s, on), agni_edges_indices(s, g, q->nnz, q->diag), -1));
}

agn_status agn_sparse_laplacian(agn_tensor **out, const agn_tensor *a, bool normalised)
{
    AGNI_NEED("sparse_laplacian", out);
    AGNI_NEED("sparse_laplacian", a);
    agni_edges g;
    plan q = {0};
    agni_pattern *p = NULL;
    agn_tensor *y = NULL;
    agn_status st = agni_edges_open(&g, "sparse_laplacian", a, false, 0);
    if (!st)
        st = plan_laplacian(&q, &g);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *v = agn_scope_fail(s, st) ? NULL : laplacian_values(s, &g, &q, normalised);
    if (v) {
        st = agni_pattern_new(&p, g.n, g.n, q.indptr, q.index);
        q.indptr = q.index = NULL;
        if (!st)
            st = agni_csr_new(&y, g.op, p, v);
        agn_scope_return(s, out, agn_scope_adopt(s, st, &y));
    }
    if (p)
        agni_obj_release(&p->head);
    agni_free(q.indptr);
    agni_free(q.index);
    agni_free(q.from);
    agni_edges_close(&g);
    return agn_scope_close(s);
}
