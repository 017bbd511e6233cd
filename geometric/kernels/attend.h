/* geometric/kernels/attend.h - attention over the edges of a graph whose scores come from terms of
   its nodes. An edge from s to d has the score phi(a_s + b_d), phi(v) = v above 0, else slope v,
   and the weight W_e = exp(score - l_d) phi'^power. Rows are [batch..., nodes, heads, width]; a, b,
   l have width 1.
     graph_attend(a, b, l, x)            y_i = sum of W_e x at the other ends of the edges of i
     graph_attend_plus(..., c, s, d, t)  y_i + c_i s + d_i t: s, t [1, heads, width], c, d narrow
     graph_attend_dot(a, b, l, x, z)     y_i . z_i over the width
     graph_attend_norm(a, b)             l_d, the log of the sum of exponentials of scores into d
     graph_attention(u, s, t)            graph attention whose terms are u . s and u . t
   i stands at the side `to`. A weight is a product of a number of its source and one of its
   destination as far as derivatives are concerned: so sums of this kind are closed under them. */
#ifndef AGNI_GRAPH_ATTEND_H
#define AGNI_GRAPH_ATTEND_H

#include "geometric/kernels/cpu/attend_rows.h"
#include "geometric/kernels/kernels.h"

typedef struct agni_attending {
    const agni_obj *graph;
    int64_t to, power;
    double slope;
} agni_attending;

enum {
    AGNI_ATTEND_A,
    AGNI_ATTEND_B,
    AGNI_ATTEND_L,
    AGNI_ATTEND_X,
    AGNI_ATTEND_Z,
    AGNI_ATTEND_MOST = 8
};

const agn_tensor *agni_graph_attend(agn_scope *s, agni_attending q, const agn_tensor *a,
                                    const agn_tensor *b, const agn_tensor *l, const agn_tensor *x);
/* c, s, d, t of graph_attend_plus */
const agn_tensor *agni_graph_attend_plus(agn_scope *s, agni_attending q, const agn_tensor *a,
                                         const agn_tensor *b, const agn_tensor *l,
                                         const agn_tensor *x, const agn_tensor *const *plus);
const agn_tensor *agni_graph_attend_dot(agn_scope *s, agni_attending q, const agn_tensor *a,
                                        const agn_tensor *b, const agn_tensor *l,
                                        const agn_tensor *x, const agn_tensor *z);
const agn_tensor *agni_graph_attend_norm(agn_scope *s, agni_attending q, const agn_tensor *a,
                                         const agn_tensor *b);
/* u [..., n, heads, width], s and t [..., 1, heads, width] */
const agn_tensor *agni_graph_attention_layer(agn_scope *s, agni_attending q, const agn_tensor *u,
                                             const agn_tensor *p, const agn_tensor *t);
/* sums of u times p over the width, [..., n, heads, 1]; p [..., 1, heads, width] */
const agn_tensor *agni_project_heads(agn_scope *s, const agn_tensor *u, const agn_tensor *p);

agn_kernel agni_cpu_graph_attend, agni_cpu_graph_attend_norm;
agni_jvp_fn agni_attend_jvp, agni_attend_plus_jvp, agni_attend_dot_jvp, agni_attend_norm_jvp;
agni_vjp_fn agni_attend_vjp, agni_attend_plus_vjp, agni_attend_dot_vjp, agni_attend_norm_vjp;

#endif
