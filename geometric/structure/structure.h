/* geometric/structure/structure.h - what functions of the structure of a graph share. */
#ifndef AGNI_GRAPH_STRUCTURE_H
#define AGNI_GRAPH_STRUCTURE_H

#include "geometric/layers/layers.h"

#include <agnesi/geometric_structure.h>

/* A[i, j]: the weights w of the edges from i to j, NULL: 1 each, added up; sparse by rows. other:
   entries of the transpose are added too. */
const agn_tensor *agni_graph_adjacency(agn_scope *s, const agn_graph *g, const agn_tensor *w,
                                       bool other);

#endif
