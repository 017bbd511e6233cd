/* geometric/message/message.h - messages along the edges of a graph that is known, for other
   rooms. */
#ifndef AGNI_GRAPH_MESSAGE_H
#define AGNI_GRAPH_MESSAGE_H

#include "geometric/kernels/kernels.h"

enum { AGNI_GEOMETRIC_REDUCTIONS = AGN_GEOMETRIC_MIN + 1 };

/* [n, 1..., features...] with so many axes behind the first */
const agn_tensor *agni_lift_features(agn_scope *s, const agn_tensor *x, int features);
agn_status agni_check_rows(const char *op, const char *what, const agn_tensor *x, int64_t n);
agn_status agni_check_reduction(const char *op, int32_t reduce);
agn_status agni_check_message(const char *op, int32_t message, int32_t first, int32_t last);
/* at destinations the sum, mean or extreme of f(a, b) over the edges, of rows at either end or of
   edges; b NULL: of a */
const agn_tensor *agni_reduce_messages(agn_scope *s, const agn_graph *g, const agn_tensor *a,
                                       int64_t at_a, const agn_tensor *b, int64_t at_b,
                                       int32_t message, int32_t reduce);
/* gSpMM and gSDDMM of operands that were checked; u or e may be NULL in the first, b in the
   second */
const agn_tensor *agni_gspmm(agn_scope *s, const agn_graph *g, const agn_tensor *u,
                             const agn_tensor *e, int32_t message, int32_t reduce);
const agn_tensor *agni_gsddmm(agn_scope *s, const agn_graph *g, const agn_tensor *a, int32_t side_a,
                              const agn_tensor *b, int32_t side_b, int32_t message);
/* y over the numbers of edges that reach the nodes of its rows, or 1 */
const agn_tensor *agni_divide_by_degrees(agn_scope *s, const agn_graph *g, const agn_tensor *y,
                                         int32_t side);

#endif
