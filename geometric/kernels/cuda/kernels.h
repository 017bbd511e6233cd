/* geometric/kernels/cuda/kernels.h - a graph on a device: its incidence lists, copied once. */
#ifndef AGNI_GRAPH_CUDA_H
#define AGNI_GRAPH_CUDA_H

#include "tensor/cuda/cuda.h"

/* Sides as in agnesi/geometric_graph.h: sources 0, destinations 1; edges 2. */
enum { AGNI_CU_EDGES = 2 };

/* The edges of node i of a side are edge[side][begin[side][i]] .. ascending. */
typedef struct agni_cu_graph {
    int64_t nodes[2], edges;
    const int64_t *end[2], *begin[2], *edge[2];
} agni_cu_graph;

#ifdef __cplusplus
extern "C" {
#endif
/* that of the object of a call; it lives as long as the object */
agn_status agni_cu_graph_of(const agn_kernel_call *c, agni_cu_graph *out);
#ifdef __cplusplus
}
#endif

#endif
