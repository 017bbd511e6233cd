/* geometric/layers/layers.h - what layers over a graph share. */
#ifndef AGNI_GRAPH_LAYERS_H
#define AGNI_GRAPH_LAYERS_H

#include "geometric/message/message.h"

#include <agnesi/geometric_layers.h>

/* dense and real, and further: [o, f]; [n, f]; [n]; [e] */
agn_status agni_check_parameter(const char *op, const char *what, const agn_tensor *w);
agn_status agni_check_layer_weight(const char *op, const char *what, const agn_tensor *w,
                                   int64_t f);
agn_status agni_check_node_rows(const char *op, const char *what, const agn_tensor *x, int64_t n);
agn_status agni_check_layer_bias(const char *op, const agn_tensor *b, int64_t n);
/* a number, without axes; NULL passes */
agn_status agni_check_layer_number(const char *op, const char *name, const agn_tensor *c);
/* rows y beside rows x: the same axes behind the first */
agn_status agni_check_row_shapes(const char *op, const char *what, const agn_tensor *y,
                                 const agn_tensor *x);
agn_status agni_check_edge_weights(const char *op, const agn_graph *g, const agn_tensor *w);
/* D^-1/2 as a column [n, 1]; 0 where D is not above 0, NaN where it is NaN or infinite */
const agn_tensor *agni_degree_factor(agn_scope *s, const agn_graph *g, const agn_tensor *w,
                                     int dtype);
/* d A d x; w are the entries of A, NULL: 1 */
const agn_tensor *agni_propagate(agn_scope *s, const agn_graph *g, const agn_tensor *x,
                                 const agn_tensor *w, const agn_tensor *d);
/* the dtype of results from rows x */
static inline int agni_layer_dtype(const agn_tensor *x)
{
    return agni_kind(x->dtype) == AGNI_KIND_FLOAT ? x->dtype : AGN_F64;
}

#endif
