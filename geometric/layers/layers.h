/* geometric/layers/layers.h - what layers over a graph share. */
#ifndef AGNI_GRAPH_LAYERS_H
#define AGNI_GRAPH_LAYERS_H

#include "geometric/message/message.h"

#include <agnesi/geometric_layers.h>

/* sources and destinations are the same nodes, or AGN_EARG */
agn_status agni_check_one_kind(const char *op, const agn_graph *g);

#endif
