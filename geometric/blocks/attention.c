/* geometric/blocks/attention.c - attention whose scores are functions of both ends (GATv2: Brody,
   Alon and Yahav 2022; scaled dot products: Shi et al. 2021), without an array of scores: the
   largest of a node first, then sums of exponentials beside the rows that they weigh (Milakov and
   Gimelshein 2018). */
#include "geometric/blocks/messages.h"

#include <agnesi/ag.h>
#include <agnesi/nn.h>

/* one number a head: [rows, heads, 1] */
static const agn_tensor *score_edges(agn_scope *s, const agni_edge_scores *q, const agn_tensor *far,
                                     const agn_tensor *near, const agn_tensor *weight)
{
    const agn_tensor *p = weight ? ag_mul(s, ag_nn_leaky_relu(s, ag_add(s, far, near), q->slope),
                                          weight)
                                 : ag_mul(s, far, near);
    return p ? agni_sum_axes(s, p, 1, (int64_t[]){-1}, true) : NULL;
}

/* far, near; then the weight, if there is one */
static agn_status score_body(void *user, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    const agni_edge_scores *q = user;
    out[0] = score_edges(s, q, in[0], in[1], q->weight ? in[2] : NULL);
    return agn_scope_status(s);
}

/* far, near, the largest score, the rows unless they are far; then the weight */
static agn_status weigh_body(void *user, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    const agni_edge_scores *q = user;
    int rows = q->rows == q->far ? 3 : 4;
    const agn_tensor *score = score_edges(s, q, in[0], in[1], q->weight ? in[rows] : NULL);
    out[0] = ag_exp(s, ag_sub(s, score, in[2]));
    out[1] = ag_mul(s, out[0], in[rows == 4 ? 3 : 0]);
    return agn_scope_status(s);
}

static int64_t bytes_of_row(const agn_tensor *x)
{
    int64_t n = agni_dtypes[x->dtype].bytes;
    for (int d = 1; d < x->ndim; d++)
        n *= x->shape[d];
    return n;
}

const agn_tensor *agni_block_attention(agn_scope *s, const agni_edge_scores *q)
{
    static const int64_t side[4] = {AGN_GRAPH_SRC, AGN_GRAPH_DST, AGN_GRAPH_DST, AGN_GRAPH_SRC};
    if (agn_scope_status(s) || !q->far || !q->near || !q->rows)
        return NULL;
    bool apart = q->rows != q->far;
    const agn_tensor *in[5] = {q->far, q->near, q->weight}, *most, *y[2] = {NULL};
    agni_c_body body = {score_body, (void *)(uintptr_t)q};
    agni_block_call c = {
        .g = q->g,
        .block = agni_choose_block(q->g, 4 * bytes_of_row(q->far) + 2 * bytes_of_row(q->rows)),
        .body = {body, body},
        .rows = 2,
        .nin = 2 + (q->weight != NULL),
        .nout = 1,
        .side = side,
        .target = (const int64_t[]){AGNI_LARGEST}};
    agni_emit_blocks(s, &c, in, &most);
    if (agn_scope_status(s) || !(most = ag_stop_gradient(s, most))) /* any number gives the same weights */
        return NULL;
    in[2] = most;
    in[3] = apart ? q->rows : q->weight;
    in[4] = q->weight;
    c.body[0].body = c.body[1].body = weigh_body;
    c.rows = 3 + apart;
    c.nin = c.rows + (q->weight != NULL);
    c.nout = 2;
    c.target = (const int64_t[]){AGN_GRAPH_DST, AGN_GRAPH_DST};
    agni_emit_blocks(s, &c, in, y);
    if (agn_scope_status(s))
        return NULL;
    const agn_tensor *zero = agni_full(s, 0, y[0]->dtype, 0, NULL),
                     *one = agni_full(s, 1, y[0]->dtype, 0, NULL);
    const agn_tensor *none = zero && one ? ag_eq(s, y[0], zero) : NULL;
    return none ? ag_div(s, y[1], ag_where(s, none, one, y[0])) : NULL;
}
