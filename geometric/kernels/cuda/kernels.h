/* geometric/kernels/cuda/kernels.h - a graph on a device: its incidence lists, copied once; long
   ones are split, so that threads share their work evenly (Merrill & Garland 2016). */
#ifndef AGNI_GRAPH_CUDA_H
#define AGNI_GRAPH_CUDA_H

#include "tensor/cuda/cuda.h"

#include <math.h>

#ifdef __CUDACC__
#define AGNI_CU_EITHER __host__ __device__
#else
#define AGNI_CU_EITHER
#endif

/* Sides as in agnesi/geometric_graph.h: sources 0, destinations 1; edges 2. */
enum { AGNI_CU_EDGES = 2 };

/* Nodes of more than AGNI_CU_FEW edges are hubs: their edges are cut into parts, each of about as
   many as there are parts, so that no thread has more to do than the square root. */
enum { AGNI_CU_FEW = 512, AGNI_CU_LEAST_PART = 128 };
AGNI_CU_EITHER static inline int64_t agni_cu_part_size(int64_t edges)
{
    if (edges <= AGNI_CU_FEW)
        return AGNI_CU_FEW;
    int64_t root = (int64_t)sqrt((double)edges);
    return root < AGNI_CU_LEAST_PART ? AGNI_CU_LEAST_PART : root;
}

/* The edges of node i of a side are edge[side][begin[side][i]] .. ascending. What follows a node's
   first part are parts of their own: part q is of node node_of[side][q] and begins at place
   part[side][q] of edge[side]; those of hub h are from first_part[side][h] on. */
typedef struct agni_cu_graph {
    int64_t nodes[2], edges, parts[2], hubs[2];
    const int64_t *end[2], *begin[2], *edge[2];
    const int64_t *part[2], *node_of[2], *first_part[2];
} agni_cu_graph;

#ifdef __cplusplus
extern "C" {
#endif
extern const agni_cu_table agni_cu_edge_softmax;
/* that of the object of a call; it lives as long as the object */
agn_status agni_cu_graph_of(const agn_kernel_call *c, agni_cu_graph *out);
#ifdef __cplusplus
}
#endif

#endif
