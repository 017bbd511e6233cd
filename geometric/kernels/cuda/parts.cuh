/* geometric/kernels/cuda/parts.cuh - the edges of a node as a thread takes them: a node of many edges
   is several parts (as Merrill & Garland 2016, merge-based sparse products, balance edges). */
#ifndef AGNI_CU_GRAPH_PARTS_CUH
#define AGNI_CU_GRAPH_PARTS_CUH

#include "geometric/kernels/cuda/kernels.h"

/* Edges of a side that a thread takes: unit u is the first part of a node or, from nodes on, part
   u - nodes. */
struct stretch {
    int64_t node, first, last;
};
__device__ inline stretch stretch_of(const agni_cu_graph &g, int side, int64_t u)
{
    bool later = u >= g.nodes[side];
    int64_t i = later ? g.node_of[side][u - g.nodes[side]] : u, from = g.begin[side][i],
            to = g.begin[side][i + 1], size = agni_cu_part_size(to - from);
    if (later)
        from = g.part[side][u - g.nodes[side]];
    return {i, from, to - from < size ? to : from + size};
}

#endif
