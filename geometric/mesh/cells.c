/* geometric/mesh/cells.c - edges and facets of cells, numbered as in VTK (Schroeder, Martin and
   Lorensen 2006). */
#include "geometric/graph/graph.h"

#include <agnesi/ag.h>
#include <agnesi/geometric_mesh.h>
#include <agnesi/geometric_structure.h>
#include <stdlib.h>
#include <string.h>

/* ---- kinds ---------------------------------------------------------------------------------- */

enum { MOST_EDGES = 12, MOST_FACETS = 6, MOST_CORNERS = 4 };
typedef struct shape_of_cell {
    int32_t kind, nodes, edges, facets;
    int8_t edge[MOST_EDGES][2];
    int8_t facet[MOST_FACETS][MOST_CORNERS]; /* -1 behind the corners of a facet with fewer */
} shape_of_cell;
static const shape_of_cell shapes[] = {
    {AGN_CELL_LINE, 2, 1, 2, {{0, 1}}, {{0, -1, -1, -1}, {1, -1, -1, -1}}},
    {AGN_CELL_TRIANGLE,
     3,
     3,
     3,
     {{0, 1}, {1, 2}, {2, 0}},
     {{0, 1, -1, -1}, {1, 2, -1, -1}, {2, 0, -1, -1}}},
    {AGN_CELL_QUAD,
     4,
     4,
     4,
     {{0, 1}, {1, 2}, {2, 3}, {3, 0}},
     {{0, 1, -1, -1}, {1, 2, -1, -1}, {2, 3, -1, -1}, {3, 0, -1, -1}}},
    {AGN_CELL_TETRA,
     4,
     6,
     4,
     {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}},
     {{0, 1, 3, -1}, {1, 2, 3, -1}, {2, 0, 3, -1}, {0, 2, 1, -1}}},
    {AGN_CELL_HEXAHEDRON,
     8,
     12,
     6,
     {{0, 1},
      {1, 2},
      {2, 3},
      {3, 0},
      {4, 5},
      {5, 6},
      {6, 7},
      {7, 4},
      {0, 4},
      {1, 5},
      {2, 6},
      {3, 7}},
     {{0, 4, 7, 3}, {1, 2, 6, 5}, {0, 1, 5, 4}, {3, 7, 6, 2}, {0, 3, 2, 1}, {4, 5, 6, 7}}},
    {AGN_CELL_WEDGE,
     6,
     9,
     5,
     {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}},
     {{0, 1, 2, -1}, {3, 5, 4, -1}, {0, 3, 4, 1}, {1, 4, 5, 2}, {2, 5, 3, 0}}},
    {AGN_CELL_PYRAMID,
     5,
     8,
     5,
     {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}, {1, 4}, {2, 4}, {3, 4}},
     {{0, 3, 2, 1}, {0, 1, 4, -1}, {1, 2, 4, -1}, {2, 3, 4, -1}, {3, 0, 4, -1}}},
};

/* m cells of k nodes, of n in all */
typedef struct mesh {
    const shape_of_cell *of;
    int64_t m, k, n;
    const int64_t *node;
} mesh;

/* within s; kind 0: any */
static agn_status read_cells(agn_scope *s, const char *op, const agn_tensor *cells, int32_t kind,
                             int64_t n, mesh *to)
{
    agn_status st = cells ? agni_require_dense(cells, op)
                          : agni_fail(AGN_ENULL, "%s: cells is NULL", op);
    *to = (mesh){0};
    for (int k = 0; k < AGNI_COUNT(shapes); k++)
        to->of = shapes[k].kind == kind ? &shapes[k] : to->of;
    if (!st && kind && !to->of)
        st = agni_fail(AGN_EARG, "%s: kind %d is no AGN_CELL_", op, kind);
    if (!st && agni_kind(cells->dtype) != AGNI_KIND_INT)
        st = agni_fail(AGN_EDTYPE, "%s: cells are %s, an integer dtype is needed", op,
                       agni_dtypes[cells->dtype].name);
    if (!st && (cells->ndim != 2 || (kind && cells->shape[1] != to->of->nodes)))
        st = kind ? agni_fail(AGN_ESHAPE, "%s: cells are %s, [m,%d] is needed", op,
                              AGNI_SHAPE(cells), to->of->nodes)
                  : agni_fail(AGN_ESHAPE, "%s: cells are %s, [m,k] is needed", op,
                              AGNI_SHAPE(cells));
    if (agn_scope_fail(s, st))
        return st;
    if (!(cells = agni_read_in(s, op, cells)))
        return agn_scope_status(s);
    const agn_tensor *y = ag_contiguous(s, agni_cast(s, cells, AGN_I64));
    if (!y)
        return agn_scope_status(s);
    to->m = cells->shape[0];
    to->k = cells->shape[1];
    to->node = y->data;
    int64_t most = 0;
    for (int64_t i = 0; i < y->size; i++)
        most = to->node[i] >= most && to->node[i] < INT64_MAX ? to->node[i] + 1 : most;
    to->n = n > 0 ? n : most;
    for (int64_t i = 0; i < y->size; i++)
        if (to->node[i] < 0 || to->node[i] >= to->n)
            return agni_fail(AGN_EINDEX, "%s: cell %lld has node %lld, out of range for %lld nodes",
                             op, (long long)(i / to->k), (long long)to->node[i], (long long)to->n);
    return AGN_OK;
}

/* closes s */
static agn_status return_graph(const char *op, agn_scope *s, agn_status st, agn_graph **out,
                               agn_graph *g)
{
    agn_scope_fail(s, st);
    st = agni_rename_error(op, agn_scope_close(s));
    if (st)
        agn_graph_release(g);
    else
        *out = g;
    return st;
}

static agn_status both_ways(agn_graph **out, const char *op, int64_t n, int64_t m, const int64_t *a,
                            const int64_t *b)
{
    agn_graph *one = NULL;
    agn_status st = agni_graph_make(&one, op, n, n, m, a, b);
    if (!st)
        st = agni_rename_error(op, agn_graph_undirected(out, NULL, one));
    agn_graph_release(one);
    return st;
}

/* ---- edges ---------------------------------------------------------------------------------- */

agn_status agn_graph_from_cells(agn_graph **out, const agn_tensor *cells, int32_t kind, int64_t n)
{
    static const char op[] = "graph_from_cells";
    mesh q;
    agn_graph *g = NULL;
    int64_t *a = NULL, m = 0;
    AGNI_NEED(op, out);
    if (!kind)
        return agni_fail(AGN_EARG, "%s: kind 0 is no AGN_CELL_", op);
    agn_scope *s = agn_scope_open(NULL);
    agn_status st = read_cells(s, op, cells, kind, n, &q);
    int64_t most = st ? 0 : q.m * q.of->edges;
    if (!st && !(a = agni_alloc((size_t)(2 * most + 1) * sizeof *a)))
        st = agni_nomem(op, (size_t)most * 2 * sizeof *a);
    for (int64_t c = 0; !st && c < q.m; c++)
        for (int k = 0; k < q.of->edges; k++) { /* the lower node first: an edge of two cells is one */
            int64_t i = q.node[c * q.k + q.of->edge[k][0]], j = q.node[c * q.k + q.of->edge[k][1]];
            if (i != j) {
                a[m] = i < j ? i : j;
                a[most + m++] = i < j ? j : i;
            }
        }
    if (!st)
        st = both_ways(&g, op, q.n, m, a, a + most);
    agni_free(a);
    return return_graph(op, s, st, out, g);
}

agn_status agn_graph_cell_nodes(agn_graph **out, const agn_tensor *cells, int64_t n)
{
    static const char op[] = "graph_cell_nodes";
    mesh q;
    agn_graph *g = NULL;
    int64_t *cell = NULL;
    AGNI_NEED(op, out);
    agn_scope *s = agn_scope_open(NULL);
    agn_status st = read_cells(s, op, cells, 0, n, &q);
    if (!st && !(cell = agni_alloc((size_t)(q.m * q.k + 1) * sizeof *cell)))
        st = agni_nomem(op, (size_t)(q.m * q.k) * sizeof *cell);
    for (int64_t i = 0; !st && i < q.m * q.k; i++)
        cell[i] = i / q.k;
    if (!st)
        st = agni_graph_make(&g, op, q.m, q.n, q.m * q.k, cell, q.node);
    agni_free(cell);
    return return_graph(op, s, st, out, g);
}

/* ---- facets --------------------------------------------------------------------------------- */

typedef struct facet {
    int64_t node[MOST_CORNERS], cell; /* rising; -1 first where there are fewer */
} facet;
static int by_nodes(const void *a, const void *b)
{
    const facet *p = a, *q = b;
    for (int k = 0; k < MOST_CORNERS; k++)
        if (p->node[k] != q->node[k])
            return p->node[k] < q->node[k] ? -1 : 1;
    return p->cell < q->cell ? -1 : p->cell > q->cell;
}

/* all facets of all cells in order; NULL without memory */
static facet *sort_facets(const mesh *q, int64_t *n)
{
    *n = q->m * q->of->facets;
    facet *v = agni_alloc((size_t)(*n + 1) * sizeof *v);
    for (int64_t i = 0; v && i < *n; i++) {
        const int8_t *corner = q->of->facet[i % q->of->facets];
        v[i].cell = i / q->of->facets;
        for (int k = 0; k < MOST_CORNERS; k++) {
            int64_t x = corner[k] < 0 ? -1 : q->node[v[i].cell * q->k + corner[k]];
            int at = k;
            for (; at > 0 && v[i].node[at - 1] > x; at--)
                v[i].node[at] = v[i].node[at - 1];
            v[i].node[at] = x;
        }
    }
    if (v && *n)
        qsort(v, (size_t)*n, sizeof *v, by_nodes);
    return v;
}

/* facets lo to hi - 1 are the same one */
static int64_t same_facets(const facet *v, int64_t lo, int64_t n)
{
    int64_t hi = lo + 1;
    while (hi < n && !memcmp(v[hi].node, v[lo].node, sizeof v[lo].node))
        hi++;
    return hi;
}

static agn_status open_facets(agn_scope *s, const char *op, const agn_tensor *cells, int32_t kind,
                              mesh *q, facet **v, int64_t *n)
{
    agn_status st = kind ? read_cells(s, op, cells, kind, 0, q)
                         : agni_fail(AGN_EARG, "%s: kind 0 is no AGN_CELL_", op);
    if (!st && !(*v = sort_facets(q, n)))
        st = agni_nomem(op, (size_t)*n * sizeof **v);
    return st;
}

agn_status agn_graph_cell_dual(agn_graph **out, const agn_tensor *cells, int32_t kind)
{
    static const char op[] = "graph_cell_dual";
    mesh q;
    facet *v = NULL;
    agn_graph *g = NULL;
    int64_t n = 0, m = 0, room = 0, *a = NULL;
    AGNI_NEED(op, out);
    agn_scope *s = agn_scope_open(NULL);
    agn_status st = open_facets(s, op, cells, kind, &q, &v, &n);
    for (int64_t lo = 0, hi; !st && lo < n; lo = hi) {
        hi = same_facets(v, lo, n);
        room += (hi - lo) * (hi - lo - 1) / 2;
    }
    if (!st && !(a = agni_alloc((size_t)(2 * room + 1) * sizeof *a)))
        st = agni_nomem(op, (size_t)room * 2 * sizeof *a);
    for (int64_t lo = 0, hi; !st && lo < n; lo = hi) {
        hi = same_facets(v, lo, n);
        for (int64_t i = lo; i < hi; i++)
            for (int64_t j = i + 1; j < hi; j++)
                if (v[i].cell != v[j].cell) {
                    a[m] = v[i].cell;
                    a[room + m++] = v[j].cell;
                }
    }
    if (!st)
        st = both_ways(&g, op, q.m, m, a, a + room);
    agni_free(a);
    agni_free(v);
    return return_graph(op, s, st, out, g);
}

agn_status agn_graph_cell_boundary(agn_tensor **out, const agn_tensor *cells, int32_t kind)
{
    static const char op[] = "graph_cell_boundary";
    mesh q = {0};
    facet *v = NULL;
    bool *mark = NULL;
    agn_tensor *y = NULL;
    int64_t n = 0, count = 0;
    AGNI_NEED(op, out);
    agn_scope *s = agn_scope_open(NULL);
    agn_status st = open_facets(s, op, cells, kind, &q, &v, &n);
    if (!st && !(mark = agni_zalloc((size_t)q.n + 1)))
        st = agni_nomem(op, (size_t)q.n);
    for (int64_t lo = 0, hi; !st && lo < n; lo = hi) {
        hi = same_facets(v, lo, n);
        for (int k = 0; hi == lo + 1 && k < MOST_CORNERS; k++)
            if (v[lo].node[k] >= 0)
                mark[v[lo].node[k]] = true;
    }
    for (int64_t i = 0; !st && i < q.n; i++)
        count += mark[i];
    if (!st)
        st = agni_tensor_make(&y, op, AGN_I64, 1, &count, AGN_CPU);
    for (int64_t i = 0, k = 0; !st && i < q.n; i++)
        if (mark[i])
            ((int64_t *)y->data)[k++] = i;
    agni_free(mark);
    agni_free(v);
    const agn_tensor *near = agn_scope_adopt(s, st, &y);
    agn_scope_return(s, out, ag_to_device(s, near, agn_device_of(cells)));
    return agni_rename_error(op, agn_scope_close(s));
}
