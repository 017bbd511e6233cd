/* geometric/pool/partition.h - undirected graphs with weights on nodes and edges, and how they are
   made smaller. */
#ifndef AGNI_GRAPH_PARTITION_H
#define AGNI_GRAPH_PARTITION_H

#include "geometric/graph/graph.h"

/* The neighbours of node i are to[k], begin[i] <= k < begin[i + 1], each once, along edges of
   weight[k]; size[i]: how many nodes of the first graph i stands for. */
typedef struct agni_ties {
    int64_t n, *begin, *to, *size;
    double *weight;
} agni_ties;
/* of both directions together, without loops; w by edge, NULL: 1 each */
agn_status agni_ties_open(agni_ties *t, const char *op, const agn_graph *g, const double *w);
void agni_ties_close(agni_ties *t);
/* Nodes in the order of order[], NULL: by number, joined in pairs along their heaviest edges; pairs
   are numbered by their lowest nodes. most: no pair stands for more nodes. How many in *count */
agn_status agni_ties_match(const agni_ties *t, const char *op, const int64_t *order, int64_t most,
                           int64_t *ids, int64_t *count);
/* the graph between n clusters */
agn_status agni_ties_contract(agni_ties *to, const char *op, const agni_ties *t, const int64_t *ids,
                              int64_t n);
/* part[n] by METIS, where the library has it and keeps to most nodes a part: *found */
agn_status agni_metis_parts(int64_t *part, bool *found, const char *op, const agni_ties *t,
                            int64_t parts, int64_t most);

#endif
