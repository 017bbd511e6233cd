/* deferred_sums.c - products accumulated over the steps of a reverse loop: which there are, and
   the one product that replaces them. */
#include "autograd/loops/reverse/deferred_sums.h"

#include "tensor/dispatch/op_helpers.h"
#include <string.h>

static const agni_pnode *defining_node(const agni_deferred_products *q, int32_t v)
{
    return q->maker[v] < 0 ? NULL : &q->p->node[q->maker[v]];
}
static int32_t single_argument(const agni_deferred_products *q, const agni_pnode *n)
{
    return q->p->arg[n->arg];
}

/* does the permutation keep the order of axes longer than 1? */
static bool keeps_axis_order(const agn_tensor *x, const agni_attr *at)
{
    int64_t last = -AGNI_MAX_RANK - 1;
    for (int d = 0; d < at->ni; d++)
        if (x->shape[x->ndim + at->i[d]] != 1) {
            if (at->i[d] < last)
                return false;
            last = at->i[d];
        }
    return true;
}

int32_t agni_skip_reshapes(const agni_deferred_products *q, int32_t v)
{
    const agni_pnode *n = defining_node(q, v);
    while (n && (n->op == &agni_op_reshape ||
                 (n->op == &agni_op_permute &&
                  keeps_axis_order(q->p->val[single_argument(q, n)], n->at)))) {
        v = single_argument(q, n);
        n = defining_node(q, v);
    }
    return v;
}

static bool is_matrix_transpose(const agni_pnode *n)
{
    return n && n->op == &agni_op_permute && n->at->ni == 2 && n->at->i[0] == -1;
}

/* the reshape or permute that makes v, if nothing else reads v */
static const agni_pnode *single_use_movement(const agni_deferred_products *q, int32_t v)
{
    const agni_pnode *n = defining_node(q, v);
    bool moves = n && (n->op == &agni_op_reshape || n->op == &agni_op_permute);
    return moves && q->uses[v] == 1 ? n : NULL;
}

static void find_product(const agni_deferred_products *q, agni_deferred_product *t)
{
    const agni_prog *p = q->p;
    const agni_pnode *n;
    int32_t v = t->value;
    while ((n = single_use_movement(q, v)))
        v = single_argument(q, n);
    n = defining_node(q, v);
    if (!n || n->op != &agni_op_matmul || q->uses[v] != 1)
        return;
    int32_t a = p->arg[n->arg], b = p->arg[n->arg + 1];
    const agn_tensor *x = p->val[a], *g = p->val[b], *y = p->val[v];
    if (x->ndim != 2 || g->ndim != 2 || x->dtype != y->dtype || g->dtype != y->dtype || !x->size ||
        !g->size)
        return;
    const agni_pnode *transpose = defining_node(q, a);
    t->node = q->maker[v];
    t->rows = x->shape[1];
    t->k = x->shape[0];
    t->n = g->shape[1];
    t->transposed = !is_matrix_transpose(transpose) && t->rows != 1 && t->k != 1;
    t->x = t->transposed
               ? a
               : agni_skip_reshapes(
                     q, is_matrix_transpose(transpose) ? single_argument(q, transpose) : a);
    t->g = agni_skip_reshapes(q, b);
}

static bool is_sum(const agni_deferred_products *q, int32_t v)
{
    const agni_prog *p = q->p;
    const agni_pnode *n = defining_node(q, v);
    bool sum = n && n->op == &agni_op_add && q->uses[v] == 1;
    for (int i = 0; sum && i < 2; i++) {
        const agn_tensor *x = p->val[p->arg[n->arg + i]];
        sum = agni_same_shape(x, p->val[v]) && x->dtype == p->val[v]->dtype;
    }
    return sum;
}

/* Collects the terms of the sum v, last first. Is carried value l, read nowhere else, one of
   them? todo: scratch */
static bool collect_terms(agni_deferred_products *q, int l, int32_t v, int32_t *todo)
{
    bool own = false;
    int n = 0;
    for (todo[n++] = v; n;) {
        v = todo[--n];
        if (is_sum(q, v)) {
            const int32_t *arg = q->p->arg + defining_node(q, v)->arg;
            todo[n++] = arg[0];
            todo[n++] = arg[1];
            continue;
        }
        agni_deferred_product *t = &q->at[q->n++];
        *t = (agni_deferred_product){.carried = l, .value = v, .node = -1};
        find_product(q, t);
        own |= v == l && q->uses[v] == 1;
    }
    return own;
}

agn_status agni_deferred_products_find(agni_deferred_products *q, const agni_prog *p, int nl)
{
    size_t nv = (size_t)p->n_val + 1;
    *q = (agni_deferred_products){.p = p};
    q->maker = agni_alloc(4 * nv * sizeof *q->maker);
    q->at = agni_alloc((nv + (size_t)p->n_arg + (size_t)nl) * sizeof *q->at);
    if (!q->maker || !q->at)
        return agni_nomem("scan", nv * sizeof *q->at);
    q->uses = q->maker + nv;
    int32_t *todo = q->uses + nv; /* scratch of collect_terms: at most two for each sum */
    for (int v = 0; v < p->n_val; v++) {
        q->maker[v] = -1;
        q->uses[v] = 0;
    }
    for (int k = 0; k < p->n_node; k++)
        for (int o = 0; o < p->node[k].nout; o++)
            q->maker[p->node[k].val + o] = k;
    for (int i = 0; i < p->n_arg; i++)
        q->uses[p->arg[i]]++;
    for (int o = 0; o < p->n_out; o++)
        q->uses[p->out[o]]++;
    for (int l = 0; l < nl; l++) {
        int before = q->n;
        if (!collect_terms(q, l, p->out[l], todo))
            q->n = before;
    }
    return AGN_OK;
}

void agni_deferred_products_free(agni_deferred_products *q)
{
    agni_free(q->maker);
    agni_free(q->at);
}

const agn_tensor *agni_deferred_product_apply(agn_scope *s, const agni_deferred_products *q,
                                              const agni_deferred_product *t, const agn_tensor *x,
                                              const agn_tensor *g)
{
    int64_t rows = x->shape[0] * t->rows;
    const agn_tensor *a[2] = {agni_reshape(s, x, 2, (int64_t[]){rows, t->k}),
                              agni_reshape(s, g, 2, (int64_t[]){rows, t->n})};
    if (agn_scope_status(s))
        return NULL;
    a[0] = agni_move_axis(s, a[0], 0, 1);
    const agn_tensor *y = a[0] ? agni_apply_in(s, &agni_op_matmul, NULL, 2, a) : NULL;
    int32_t v = q->p->node[t->node].val;
    for (int k = t->node + 1; y && v != t->value; k++) { /* each is moved by a single node */
        const agni_pnode *n = &q->p->node[k];
        if (n->nin == 1 && single_argument(q, n) == v) {
            y = agni_apply_in(s, n->op, n->at, 1, &y);
            v = n->val;
        }
    }
    return y;
}
