/* geometric/graph/graph.h - the inside of a graph: where its edges begin and end, and its incidence
   lists (compressed sparse rows and columns), found once. */
#ifndef AGNI_GRAPH_H
#define AGNI_GRAPH_H

#include "sparse/pattern/pattern.h"
#include "tensor/dispatch/host_run.h"

#include <agnesi/geometric_graph.h>
#include <stdatomic.h>

/* The edges by nodes of one side: those of node i are edge[begin[i]] .. edge[begin[i + 1] - 1],
   ascending, and other[] are the nodes at their other ends. */
typedef struct agni_incidence {
    void *begin, *other, *edge;
    bool in_order; /* edge[k] is k and not written, other[] is that of the graph */
} agni_incidence;

/* Never changes. Edges may repeat and may come in any order. Integers are i32 where all fit, else
   i64: `wide`. */
struct agn_graph {
    agni_obj head;
    int64_t n[2];  /* nodes by side: AGN_GRAPH_SRC, AGN_GRAPH_DST */
    int64_t edges;
    bool wide;
    void *end[2];  /* [edges] the node of each edge at either side */
    bool sorted[2]; /* these do not descend */
    _Atomic(agni_incidence *) by[2]; /* found on demand, published by compare-and-exchange */
    agni_mirrors mirrors;            /* what back ends keep */
};

/* what stands at a side: nodes, or edges */
static inline int64_t agni_graph_count(const agn_graph *g, int64_t side)
{
    return side == AGN_GRAPH_EDGE ? g->edges : g->n[side];
}
static inline int64_t agni_graph_end(const agn_graph *g, int side, int64_t edge)
{
    return agni_read_index(g->end[side], g->wide, edge);
}
/* edge[k] of t, a list of g */
static inline int64_t agni_listed_edge(const agn_graph *g, const agni_incidence *t, int64_t k)
{
    return t->in_order ? k : agni_read_index(t->edge, g->wide, k);
}
bool agni_is_graph(const agni_obj *o);
/* sources and destinations are the same nodes, or AGN_EARG */
agn_status agni_check_one_kind(const char *op, const agn_graph *g);
/* NULL without memory */
const agni_incidence *agni_graph_incidence(const agn_graph *g, int side);
/* of n integers of g: a read-only tensor that keeps it alive */
agn_status agni_graph_view(agn_tensor **out, const agn_graph *g, int64_t n, const void *v);
/* the integers of a 1-D tensor of an integer dtype, on the host, without gaps, copied there from a
   device; NULL after a failure. The scope keeps them. */
const int64_t *agni_read_integers(agn_scope *s, const char *op, const char *what,
                                  const agn_tensor *x, int64_t *n);
/* one more than the largest of m nodes; INT64_MAX, which has no successor, is left out */
int64_t agni_count_nodes(int64_t m, const int64_t *v);
/* a graph of m edges; op: for messages. Names the edge that leaves a range. src NULL: all begin at
   node 0 */
agn_status agni_graph_make(agn_graph **out, const char *op, int64_t n_src, int64_t n_dst, int64_t m,
                           const int64_t *src, const int64_t *dst);

#endif
