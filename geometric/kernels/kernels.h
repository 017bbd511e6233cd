/* geometric/kernels/kernels.h - the primitives of message passing over a graph, their object
   attribute. An operand is [batch..., nodes of a side or edges, features...]; batch and features
   broadcast.
     graph_copy(x)          y_i = sum of x over the edges of i
     graph_add(a, b)        y_i = sum of a + b, or a - b
     graph_mul(a, b)        y_i = sum of a b, also over the feature axes that sums names
     graph_div(a, b)        y_i = sum of a / b
     graph_extreme(a, b)    y_i = the largest or smallest of the messages f(a, b); 0 without edges
     graph_tie(y, a, b, p, q)  sum of p q over the edges where f(a, b) = y
     graph_softmax(x)       exponentials over their sums, of the edges of each node
   Each takes either side, or the edges, for each operand and for its result; a sum into the edges
   is one message. The closure under differentiation is why graph_mul takes any three sides: the
   adjoint of a sum of a_{s(e)} b_{t(e)} into u(e) is the same sum with the sides in other
   places. */
#ifndef AGNI_GRAPH_KERNELS_H
#define AGNI_GRAPH_KERNELS_H

#include "geometric/graph/graph.h"
#include "geometric/kernels/cpu/message_rows.h"

/* where an operand or a result stands */
typedef struct agni_at {
    const agni_obj *graph;
    int features; /* axes behind that of nodes or edges */
} agni_at;

const agn_tensor *agni_graph_copy(agn_scope *s, agni_at g, const agn_tensor *x, int64_t from,
                                  int64_t to);
const agn_tensor *agni_graph_add(agn_scope *s, agni_at g, const agn_tensor *a, int64_t at_a,
                                 const agn_tensor *b, int64_t at_b, int64_t to, bool minus);
/* sums[features], NULL: none */
const agn_tensor *agni_graph_mul(agn_scope *s, agni_at g, const agn_tensor *a, int64_t at_a,
                                 const agn_tensor *b, int64_t at_b, int64_t to,
                                 const int64_t *sums);
const agn_tensor *agni_graph_div(agn_scope *s, agni_at g, const agn_tensor *a, int64_t at_a,
                                 const agn_tensor *b, int64_t at_b, int64_t to);
/* message: AGNI_MESSAGE_...; b is ignored by AGNI_MESSAGE_COPY */
const agn_tensor *agni_graph_extreme(agn_scope *s, agni_at g, const agn_tensor *a, int64_t at_a,
                                     const agn_tensor *b, int64_t at_b, int64_t to, int message,
                                     bool largest);
const agn_tensor *agni_graph_softmax(agn_scope *s, agni_at g, const agn_tensor *x, int64_t side);

/* the inference, the kernels and the rules of the rows */
agn_kernel agni_cpu_graph_reduce, agni_cpu_graph_tie, agni_cpu_graph_softmax;
agni_transpose_fn agni_graph_copy_transpose, agni_graph_add_transpose, agni_graph_mul_transpose,
    agni_graph_tie_transpose;
agni_jvp_fn agni_graph_div_jvp, agni_graph_extreme_jvp, agni_graph_softmax_jvp;

/* The attributes of a row: where its operands and its result stand, and what it does. */
typedef struct agni_graph_form {
    const agn_graph *g;
    int operands, features, message, reduce;
    int64_t at[AGNI_MESSAGE_OPERANDS], to;
    const int64_t *sums; /* [features] or NULL */
} agni_graph_form;
/* into how many shares rows that make so many elements are cut; whether threads are worth it */
int64_t agni_count_shares(int64_t work, int64_t rows);
bool agni_is_worth_threads(int64_t work);
/* The first of n rows in share k of `shares`, with about equally many edges and rows in each.
   begin: where each row's edges begin; NULL: every row has as many. */
int64_t agni_split_rows(const agn_graph *g, const void *begin, int64_t n, int64_t k,
                        int64_t shares);
/* by the name of an op and its integers */
void agni_graph_read_form(agni_graph_form *f, const char *op, int n, const int64_t *ints,
                          const void *object);

#endif
