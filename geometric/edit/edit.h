/* geometric/edit/edit.h - edges that are kept of a graph, in their order. */
#ifndef AGNI_GRAPH_EDIT_H
#define AGNI_GRAPH_EDIT_H

#include "geometric/graph/graph.h"

/* the chosen edges, their ends already numbered anew; src owns the memory of all */
typedef struct agni_chosen {
    int64_t *src, *dst, *edge, n;
} agni_chosen;
agn_status agni_chosen_open(const char *op, int64_t most, agni_chosen *q);
void agni_choose(agni_chosen *q, int64_t src, int64_t dst, int64_t edge);
/* The graph of them, and which edges they were unless edges is NULL; frees q, closes s. */
agn_status agni_chosen_return(const char *op, agn_scope *s, agn_graph **out, agn_tensor **edges,
                              int64_t n_src, int64_t n_dst, agni_chosen *q);

#endif
