/* graph/passes/rewrite.c - a program built again, from a stored one or from itself, through the rules: what is
   dead stays behind, and loops that carry the same values become one. */
#include "graph/passes/ir.h"

#include "tensor/rows/traits.h"

#include <string.h>

enum { FEW = 16 };

/* ---- copying a source ------------------------------------------------------------------------ */

/* The nodes of a source, their values renamed by map (-1: not made yet). */
typedef struct source {
    const agni_pnode *node;
    const int32_t *arg;
    const bool *live;
    const uint8_t *sign;
    const bool *apart, *shown;
    int n_node, n_val;
    int32_t *map;
    bool *done; /* of nodes */
    const agni_ir *last; /* the source itself, when rules are done with it; else NULL */
    int32_t *along; /* live nodes whose op has along, where there is a last */
    int n_along;
    agni_ir_replace_node *other; /* what makes other nodes of some, for user; or NULL */
    void *user;
} source;

/* n's results are those at first[], or, which says which, some of them */
static void rename_results(source *q, const agni_pnode *n, int32_t first, const int32_t *which)
{
    for (int o = 0; o < n->nout; o++)
        q->map[n->val + o] = first < 0 ? -1 : first + (which ? which[o] : o);
}

/* the arguments of n by their new names, in few if they fit; NULL without memory */
static int32_t *map_arguments(agni_ir *ir, const source *q, const agni_pnode *n, int32_t *few)
{
    int32_t *a = n->nin > FEW ? agni_alloc((size_t)n->nin * sizeof *a) : few;
    if (!a)
        ir->st = agni_nomem("compile", (size_t)n->nin * sizeof *a);
    for (int i = 0; a && i < n->nin; i++)
        a[i] = q->map[q->arg[n->arg + i]];
    return a;
}

static void copy_node(agni_ir *ir, source *q, int k)
{
    const agni_pnode *n = &q->node[k];
    int32_t few[FEW], *a = map_arguments(ir, q, n, few);
    if (!a)
        return;
    ir->sign = q->sign[n->val];
    int32_t v = q->other ? q->other(q->user, ir, k, a) : -1;
    bool same = v < 0;
    v = same ? agni_emit_results(ir, n->op, n->at, n->nin, a, n->nout) : v;
    if (same && v >= 0)
        ir->val[v].apart = q->apart[n->val];
    if (same && v >= 0 && q->apart[n->val] && q->shown[n->val])
        v = agni_concat_of_elementwise(ir, v);
    rename_results(q, n, v, NULL);
    q->done[k] = true;
    if (a != few)
        agni_free(a);
}

/* Copies what node j, later than k, needs; false where that is node k itself. */
static bool copy_dependencies(agni_ir *ir, source *q, int j, int k)
{
    bool *need = agni_zalloc((size_t)q->n_val + 1), *asked = agni_zalloc((size_t)j + 1);
    bool apart = need && asked;
    if (!apart)
        ir->st = agni_nomem("compile", (size_t)q->n_val);
    for (int m = j; apart && m >= k; m--) {
        const agni_pnode *n = &q->node[m];
        asked[m] = m == j;
        for (int o = 0; o < n->nout; o++)
            asked[m] |= need[n->val + o];
        for (int i = 0; i < n->nin && asked[m]; i++)
            need[q->arg[n->arg + i]] = true;
    }
    apart = apart && !asked[k];
    for (int m = k; apart && m < j && !ir->st; m++)
        if (asked[m] && !q->done[m])
            copy_node(ir, q, m);
    agni_free(need);
    agni_free(asked);
    return apart && !ir->st;
}

/* Nodes wide and narrow as one application, if their op knows it. */
static bool merge_by_op(agni_ir *ir, source *q, int wide, int narrow)
{
    const agni_pnode *w = &q->node[wide], *n = &q->node[narrow];
    int32_t few[FEW], *a = NULL, *which = agni_alloc((size_t)n->nout * sizeof *which);
    agni_attr *at = NULL;
    int nout = 0;
    if (!which)
        ir->st = agni_nomem("compile", (size_t)n->nout * sizeof *which);
    else
        ir->st = n->op->merge(&(agni_use){w->op, w->at, w->nin, w->nout, q->arg + w->arg},
                              &(agni_use){n->op, n->at, n->nin, n->nout, q->arg + n->arg}, &at,
                              &nout, which);
    if (at && (wide < narrow || copy_dependencies(ir, q, wide, narrow)) &&
        (a = map_arguments(ir, q, w, few))) {
        int32_t v = agni_emit_results(ir, w->op, at, w->nin, a, nout);
        rename_results(q, w, v, NULL);
        rename_results(q, n, v, which);
        q->done[wide] = q->done[narrow] = true;
        ir->changed++;
    }
    if (at)
        agni_obj_release(&at->head);
    if (a != few)
        agni_free(a);
    agni_free(which);
    return q->done[narrow];
}

/* Node k and a later one of the same op. */
static void find_merge(agni_ir *ir, source *q, int k)
{
    for (int j = k + 1; j < q->n_node && !q->done[k] && !ir->st; j++)
        if (q->live[j] && !q->done[j] && q->node[j].op == q->node[k].op &&
            !merge_by_op(ir, q, j, k) && !ir->st)
            merge_by_op(ir, q, k, j);
}

/* Nodes one and other by an op that gives the results of both; false where there is none. */
static bool pair_by_op(agni_ir *ir, source *q, int one, int other)
{
    const agni_pnode *n = &q->node[one], *m = &q->node[other];
    int first = one < other ? one : other, later = one < other ? other : one;
    int32_t x[AGNI_MOST_ALONG];
    const agni_op *op =
        n->op->along
            ? n->op->along(&(agni_use){n->op, n->at, n->nin, n->nout, q->arg + n->arg},
                           &(agni_use){m->op, m->at, m->nin, m->nout, q->arg + m->arg},
                           q->last->val[n->val].t, q->last->val[m->val].t, x)
            : NULL;
    if (!op || !copy_dependencies(ir, q, later, first))
        return false;
    for (int i = 0; i < op->nin; i++)
        x[i] = q->map[x[i]];
    int32_t v = agni_emit_results(ir, op, n->at, op->nin, x, 2);
    rename_results(q, n, v, NULL);
    rename_results(q, m, v < 0 ? v : v + 1, NULL);
    return q->done[one] = q->done[other] = true;
}
/* Node k and a later one: any, if its own op knows how, else one whose op does. */
static void find_pair(agni_ir *ir, source *q, int k)
{
    for (int j = k + 1; q->node[k].op->along && j < q->n_node && !q->done[k] && !ir->st; j++)
        if (q->live[j] && !q->done[j])
            pair_by_op(ir, q, k, j);
    for (int i = 0; i < q->n_along && !q->done[k] && !ir->st; i++)
        if (q->along[i] > k && !q->done[q->along[i]])
            pair_by_op(ir, q, q->along[i], k);
}

static void copy_nodes(agni_ir *ir, source *q)
{
    for (int k = 0; k < q->n_node && !ir->st; k++) {
        if (q->live[k] && !q->done[k] && q->last)
            find_pair(ir, q, k);
        if (q->live[k] && !q->done[k] && q->node[k].op->merge && ir->rules)
            find_merge(ir, q, k);
        if (q->live[k] && !q->done[k] && !ir->st)
            copy_node(ir, q, k);
    }
}

static void mark_live(const agni_pnode *node, int n_node, const int32_t *arg,
                      bool *value, bool *live)
{
    for (int k = n_node - 1; k >= 0; k--) {
        live[k] = false;
        for (int o = 0; o < node[k].nout; o++)
            live[k] |= value[node[k].val + o];
        for (int i = 0; live[k] && i < node[k].nin; i++)
            value[arg[node[k].arg + i]] = true;
    }
}

/* ---- who sees the sign of a zero --------------------------------------------------------------- */

/* what a node leaves of the signs of its argument i, whose results' are seen as on says; an op
   without such a trait sees them */
static uint8_t transfer_zero_sign(const agni_pnode *n, int i, const agn_tensor *x,
                       const agn_tensor *y, uint8_t on)
{
    bool real = agni_kind(x->dtype) != AGNI_KIND_COMPLEX;
    unsigned traits = agni_op_traits(n->op);
    unsigned lost = AGNI_ZERO_LOST | (real ? AGNI_ZERO_LOST_REAL : 0);
    unsigned kept = AGNI_ZERO_KEPT | (real ? AGNI_ZERO_KEPT_REAL : 0) |
                    (i == 0 ? AGNI_ZERO_KEPT_FIRST : 0);
    bool alone = (n->op == &agni_op_sum && x->size == y->size) || /* nothing is added */
                 (n->op == &agni_op_matmul && x->ndim > 0 &&
                  x->shape[i == 0 || x->ndim == 1 ? x->ndim - 1 : x->ndim - 2] == 1);
    if ((traits & lost) && !alone)
        return 0;
    if (alone || (traits & kept))
        return on;
    return AGNI_SIGN_SEEN | AGNI_SIGN_SHOWN;
}

/* c + x and c - x, c without -0: the same for 0 and -0 */
static bool absorbs_zero_sign(const agni_ir *ir, const agni_pnode *n, int i)
{
    if (n->op != &agni_op_add && (n->op != &agni_op_sub || i == 0))
        return false;
    return agni_broadcast_source(ir, agni_node_arg(ir, n, !i))->plus;
}

/* sign[v] of each value of a source, from the results back */
static void analyse_zero_sign(const agni_prog *p, const agni_ir *old, uint8_t *sign)
{
    const agni_pnode *node = p ? p->node : old->node;
    const int32_t *arg = p ? p->arg : old->arg, *out = p ? p->out : old->out;
    for (int i = 0; i < (p ? p->n_out : old->n_out); i++)
        sign[out[i]] |= AGNI_SIGN_SHOWN;
    for (int k = (p ? p->n_node : old->n_node) - 1; k >= 0; k--) {
        const agni_pnode *n = &node[k];
        uint8_t on = 0;
        for (int o = 0; o < n->nout; o++)
            on |= sign[n->val + o];
        for (int i = 0; i < n->nin; i++) {
            int32_t v = arg[n->arg + i];
            if (old && absorbs_zero_sign(old, n, i))
                continue;
            sign[v] |= transfer_zero_sign(n, i, p ? p->val[v] : old->val[v].t,
                               p ? p->val[n->val] : old->val[n->val].t, on);
        }
    }
}

/* ---- what is read in parts ------------------------------------------------------------------- */

/* Element-wise values that slices alone read, of no more than there is, or element-wise values of their
   shape of which the same is true; left[v] counts down. They may be shown as results beside. */
static void mark_sliced_elementwise(const agni_prog *p, const agni_ir *old, const bool *live,
                                    bool *apart, bool *shown, int64_t *left)
{
    const agni_pnode *node = p ? p->node : old->node;
    const int32_t *arg = p ? p->arg : old->arg, *out = p ? p->out : old->out;
    for (int v = 0; v < (p ? p->n_val : old->n_val); v++)
        left[v] = (p ? p->val[v] : old->val[v].t)->size;
    for (int i = 0; i < (p ? p->n_out : old->n_out); i++)
        shown[out[i]] = true;
    for (int k = (p ? p->n_node : old->n_node) - 1; k >= 0; k--) {
        const agni_pnode *n = &node[k];
        const agn_tensor *y = p ? p->val[n->val] : old->val[n->val].t;
        if (!live[k])
            continue;
        apart[n->val] = n->op->ew >= 0 && n->nout == 1 && n->nin <= 3 && left[n->val] >= 0;
        for (int i = 0; i < n->nin; i++) {
            int32_t v = arg[n->arg + i];
            const agn_tensor *x = p ? p->val[v] : old->val[v].t;
            if (n->op == &agni_op_slice && agni_is_leading_slice(x, n->at))
                left[v] -= left[v] < 0 ? 0 : y->size;
            else if (!apart[n->val] || !agni_same_shape(x, y))
                left[v] = -1;
        }
    }
}

/* Copies a source through the rules: either p or old. Rules do not know ops that stand for two nodes:
   these come last. */
static agni_ir *rebuild(const agni_prog *p, const agni_ir *old, bool rules, bool last,
                        agni_ir_replace_node *other, void *user)
{
    int n_val = p ? p->n_val : old->n_val, n_node = p ? p->n_node : old->n_node;
    int n_in = p ? p->n_in : old->n_in, n_out = p ? p->n_out : old->n_out;
    const agni_pnode *node = p ? p->node : old->node;
    const int32_t *arg = p ? p->arg : old->arg, *out = p ? p->out : old->out;
    agni_ir *ir = agni_ir_new(n_in, n_out, rules);
    int32_t *map = agni_alloc((size_t)(n_val + 1) * sizeof *map);
    bool *value = agni_zalloc((size_t)(n_val + 1)),
         *live = agni_zalloc((size_t)(n_node + 1));
    uint8_t *sign = agni_zalloc((size_t)(n_val + 1));
    bool *done = agni_zalloc((size_t)(n_node + 1)), *apart = agni_zalloc((size_t)(n_val + 1)),
         *shown = agni_zalloc((size_t)(n_val + 1));
    int64_t *left = agni_alloc((size_t)(n_val + 1) * sizeof *left);
    int32_t n_along = 0, *along = agni_alloc(((size_t)(last ? n_node : 0) + 1) * sizeof *along);
    if (!ir || !map || !value || !live || !sign || !done || !apart || !shown || !left || !along) {
        agni_ir_free(ir);
        ir = NULL;
        goto done;
    }
    for (int i = 0; i < n_out; i++)
        value[out[i]] = true;
    for (int v = 0; v <= n_val; v++)
        map[v] = -1;
    mark_live(node, n_node, arg, value, live);
    analyse_zero_sign(p, old, sign);
    if (rules)
        mark_sliced_elementwise(p, old, live, apart, shown, left);
    for (int k = 0; k < n_node; k++) {
        ir->masks |= live[k] && (agni_op_traits(node[k].op) & AGNI_MASKS);
        if (last && live[k] && node[k].op->along)
            along[n_along++] = k;
    }
    ir->shares |= other != NULL;
    for (int i = 0; i < n_in; i++) {
        agni_ir_add_input(ir, i, p ? p->val[i] : old->val[old->in[i]].t);
        map[p ? i : old->in[i]] = ir->in[i];
    }
    for (int v = 0; v < n_val && !ir->st; v++) {
        bool constant = p ? v >= p->n_in && v < p->n_in + p->n_cap
                          : old->val[v].constant;
        if (!constant || !value[v])
            continue;
        const agn_tensor *t = p ? p->val[v] : old->val[v].t;
        int32_t c = p ? agni_ir_add_canonical_constant(ir, agni_tensor_ref(t))
                      : agni_ir_add_constant(ir, agni_tensor_ref(t));
        if (c >= 0 && ir->val[c].t == t)
            ir->val[c].captured = p != NULL || old->val[v].captured;
        map[v] = c;
    }
    copy_nodes(ir, &(source){node, arg, live, sign, apart, shown, n_node, n_val, map, done,
                              last ? old : NULL, along, n_along, other, user});
    for (int i = 0; i < n_out; i++)
        ir->out[i] = map[out[i]];
done:
    agni_free(map);
    agni_free(value);
    agni_free(live);
    agni_free(sign);
    agni_free(done);
    agni_free(apart);
    agni_free(shown);
    agni_free(left);
    agni_free(along);
    return ir;
}

static agn_status finish_ir(agni_ir **out, agni_ir *ir)
{
    if (!ir)
        return agni_nomem("compile", sizeof *ir);
    agn_status st = ir->st;
    if (st)
        agni_ir_free(ir);
    else
        *out = ir;
    return st;
}

agn_status agni_ir_make(agni_ir **out, const agni_prog *p, bool rules)
{
    enum { PASSES = 8 };
    agni_ir *ir = rebuild(p, NULL, rules, false, NULL, NULL);
    bool along = false;
    if (rules && ir && !ir->st) {
        agn_status st = agni_ir_factor_sums(&ir);
        ir->st = st;
    }
    for (int i = 0; i < PASSES && rules && ir && !ir->st; i++) {
        int32_t before = ir->n_node;
        agni_ir *next = rebuild(NULL, ir, true, false, NULL, NULL);
        agni_ir_free(ir);
        ir = next;
        if (!ir || (!ir->changed && ir->n_node == before))
            break;
    }
    for (int k = 0; rules && ir && k < ir->n_node; k++)
        along |= ir->node[k].op->along != NULL;
    if (along && !ir->st) {
        agni_ir *next = rebuild(NULL, ir, true, true, NULL, NULL);
        agni_ir_free(ir);
        ir = next;
    }
    return finish_ir(out, ir);
}

agn_status agni_ir_copy(agni_ir **out, const agni_ir *old, agni_ir_replace_node *node, void *user)
{
    agni_ir *ir = rebuild(NULL, old, false, false, node, user);
    if (ir && !ir->st) { /* without what nobody reads */
        agni_ir *next = rebuild(NULL, ir, false, false, NULL, NULL);
        agni_ir_free(ir);
        ir = next;
    }
    return finish_ir(out, ir);
}

static int32_t keep_node(void *user, agni_ir *ir, int k, const int32_t *arg)
{
    (void)user, (void)ir, (void)k, (void)arg;
    return -1;
}
agn_status agni_ir_make_cse(agni_ir **out, const agni_prog *p)
{
    return finish_ir(out, rebuild(p, NULL, false, false, keep_node, NULL));
}
