/* geometric/layers/triplets.c - messages between the edges of a graph, filtered by the angles
   between them (Gasteiger, Gross and Gunnemann 2020, with the product of Gasteiger et al. 2020,
   DimeNet++). */
#include "geometric/layers/layers.h"

#include <agnesi/ag.h>
#include <agnesi/geometric_networks.h>
#include <agnesi/nn.h>

agn_status agn_graph_directional(agn_tensor **out, const agn_graph *line, const agn_tensor *m,
                                 const agn_tensor *basis, const agn_tensor *w_self,
                                 const agn_tensor *w_message, const agn_tensor *w_basis)
{
    static const char op[] = "graph_directional";
    AGNI_NEED(op, out);
    AGNI_NEED(op, line);
    AGNI_NEED(op, m);
    AGNI_NEED(op, basis);
    AGNI_NEED(op, w_self);
    AGNI_NEED(op, w_message);
    AGNI_NEED(op, w_basis);
    agn_status st = agni_check_one_kind(op, line);
    if (!st)
        st = agni_check_node_rows(op, "m", m, line->n[AGN_GRAPH_SRC]);
    if (!st)
        st = agni_check_node_rows(op, "basis", basis, line->edges);
    if (!st)
        st = agni_check_layer_weight(op, "w_self", w_self, m->shape[1]);
    if (!st)
        st = agni_check_layer_weight(op, "w_message", w_message, m->shape[1]);
    if (!st)
        st = agni_check_layer_weight(op, "w_basis", w_basis, basis->shape[1]);
    if (!st && (w_message->shape[0] != w_self->shape[0] || w_basis->shape[0] != w_self->shape[0]))
        st = agni_fail(AGN_ESHAPE,
                       "%s: w_self is %s, w_message %s and w_basis %s: as many rows are needed", op,
                       AGNI_SHAPE(w_self), AGNI_SHAPE(w_message), AGNI_SHAPE(w_basis));
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_cast(s, m, agni_layer_dtype(m));
    const agn_tensor *from = ag_nn_linear(s, x, w_message, NULL),
                     *filter = ag_nn_linear(s, basis, w_basis, NULL);
    const agn_tensor *got = NULL;
    if (from && filter)
        got = agni_gspmm(s, line, from, agni_cast(s, filter, from->dtype), AGN_MESSAGE_MUL,
                         AGN_GEOMETRIC_SUM);
    return agni_return(op, s, out, got ? ag_add(s, ag_nn_linear(s, x, w_self, NULL), got) : NULL);
}
