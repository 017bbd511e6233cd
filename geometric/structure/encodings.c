/* geometric/structure/encodings.c - where a node stands in a graph: eigenvectors of the Laplacian
   (Dwivedi et al. 2023) and probabilities to be back after a random walk (Dwivedi et al. 2022). */
#include "geometric/structure/structure.h"

#include <agnesi/ag.h>
#include <agnesi/eigen.h>
#include <agnesi/sparse.h>
#include <agnesi/sparse_graph.h>

enum { DENSE = 512 }; /* nodes whose Laplacian is a dense matrix */

agn_status agn_graph_laplacian_encoding(agn_tensor **values, agn_tensor **vectors,
                                        const agn_graph *g, const agn_tensor *w, int32_t k)
{
    static const char op[] = "graph_laplacian_encoding";
    AGNI_NEED(op, values);
    AGNI_NEED(op, vectors);
    AGNI_NEED(op, g);
    agn_status st = agni_check_one_kind(op, g);
    int64_t n = g->n[AGN_GRAPH_SRC];
    if (!st && w)
        st = agni_check_edge_weights(op, g, w);
    if (!st && (k < 0 || k >= (n < 1 ? 1 : n)))
        st = agni_fail(AGN_EARG, "%s: %d vectors of %lld nodes, fewer are needed", op, k,
                       (long long)n);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *l = agni_graph_adjacency(s, g, w, true), *value = NULL, *vector = NULL;
    agn_tensor *a = NULL, *b = NULL;
    l = l ? ag_sparse_laplacian(s, l, true) : NULL;
    int64_t one = 1, end = k + 1;
    if (l && !n) {
        value = agni_full(s, 0, AGN_F64, 1, (int64_t[]){0});
        vector = agni_full(s, 0, AGN_F64, 2, (int64_t[]){0, 0});
    } else if (l) {
        agn_eigen_options want = {
            .size = sizeof want, .which = AGN_EIGEN_SMALLEST, .max_products = 100000};
        const agn_tensor *m = n <= DENSE ? ag_sparse_to_dense(s, l) : l;
        st = m ? agn_eigsh(&a, &b, NULL, m, k + 1, &want) : agn_scope_status(s);
        value = agn_scope_adopt(s, st, &a);
        vector = agn_scope_adopt(s, st, &b);
        value = value ? ag_slice(s, value, 1, &one, &end, &one) : NULL;
        vector = vector ? ag_slice(s, vector, 2, (int64_t[]){0, 1}, (int64_t[]){n, end},
                                   (int64_t[]){1, 1})
                        : NULL;
    }
    agn_scope_return(s, values, value);
    agn_scope_return(s, vectors, vector);
    return agni_rename_error(op, agn_scope_close(s));
}

/* ---- random walks --------------------------------------------------------------------------- */

enum { COLUMNS = 64 }; /* nodes whose walks run together */

/* the chances of walks of 1 to k steps to be back at the nodes lo <= i < hi, [hi - lo, k] */
static const agn_tensor *walk_back(agn_scope *s, const agn_graph *g, const agn_tensor *p,
                                   int64_t lo, int64_t hi, int32_t k, const agn_tensor **step)
{
    int64_t n = hi - lo, one = 1;
    agni_at at = {&g->head, 1};
    const agn_tensor *x = ag_eye(s, p->dtype, g->n[AGN_GRAPH_SRC], n, (int32_t)-lo);
    for (int32_t i = 0; x && i < k; i++) { /* x[v, j]: the chance to be at node j after i steps from v */
        x = agni_graph_mul(s, at, x, AGN_GRAPH_DST, p, AGN_GRAPH_EDGE, AGN_GRAPH_SRC, NULL);
        const agn_tensor *own = x ? ag_slice(s, x, 1, &lo, &hi, &one) : NULL;
        own = own ? ag_diagonal(s, own, 0, 0, 1) : NULL;
        step[i] = own ? agni_reshape(s, own, 2, (int64_t[]){n, 1}) : NULL;
        if (!step[i])
            return NULL;
    }
    return x ? ag_concat(s, step, k, 1) : NULL;
}

agn_status agn_graph_random_walk_encoding(agn_tensor **out, const agn_graph *g, const agn_tensor *w,
                                          int32_t k)
{
    static const char op[] = "graph_random_walk_encoding";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    agn_status st = agni_check_one_kind(op, g);
    int64_t n = g->n[AGN_GRAPH_SRC];
    if (!st && w)
        st = agni_check_edge_weights(op, g, w);
    if (!st && k < 0)
        st = agni_fail(AGN_EARG, "%s: %d steps, 0 or more are needed", op, k);
    if (!st && n > INT32_MAX - COLUMNS)
        st = agni_fail(AGN_EUNSUPPORTED, "%s: %lld nodes, fewer than %d are needed", op,
                       (long long)n, INT32_MAX - COLUMNS);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    int64_t parts = (n + COLUMNS - 1) / COLUMNS;
    const agn_tensor **list = agni_alloc((size_t)(parts + k + 2) * sizeof(const agn_tensor *)),
                     *y = NULL, *p = NULL;
    if (!list) {
        agn_scope_fail(s, agni_nomem(op, (size_t)(parts + k) * sizeof *list));
    } else {
        p = ag_graph_normalize(s, g, w, AGN_GRAPH_SRC);
        p = p ? agni_reshape(s, p, 2, (int64_t[]){g->edges, 1}) : NULL;
        if (p && n && k) {
            for (int64_t i = 0; i < parts; i++)
                list[i] = walk_back(s, g, p, i * COLUMNS, i + 1 < parts ? (i + 1) * COLUMNS : n, k,
                                    list + parts);
            y = ag_concat(s, list, (int32_t)parts, 0);
        } else if (p) {
            y = agni_full(s, 0, p->dtype, 2, (int64_t[]){n, k});
        }
    }
    agni_free(list);
    return agni_return(op, s, out, y);
}
