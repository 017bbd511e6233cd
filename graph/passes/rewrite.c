/* graph/passes/rewrite.c - the rewrite driver: a program is emitted again through the rules until
   nothing changes. Dead code is not emitted (dead code elimination), nodes whose op knows how are
   merged, such as loops that carry the same values. */
#include "graph/passes/ir.h"

#include "tensor/rows/traits.h"

#include <string.h>

enum { FEW = 16 };

/* ---- the source ------------------------------------------------------------------------------ */

/* What is rewritten, a program or an IR, as one of the two: nodes, arguments and results alike. */
typedef struct source_view {
    const agni_prog *prog;
    const agni_ir *ir;
    const agni_pnode *node;
    const int32_t *arg, *out;
    int n_val, n_node, n_in, n_out;
} source_view;

static source_view view_program(const agni_prog *p)
{
    return (source_view){p, NULL, p->node, p->arg, p->out, p->n_val, p->n_node, p->n_in, p->n_out};
}
static source_view view_ir(const agni_ir *ir)
{
    return (source_view){NULL,      ir,         ir->node, ir->arg,  ir->out,
                         ir->n_val, ir->n_node, ir->n_in, ir->n_out};
}
static const agn_tensor *tensor_of(const source_view *s, int32_t v)
{
    return s->prog ? s->prog->val[v] : s->ir->val[v].t;
}

/* A source with what the analyses say of it, its values renamed by map (-1: not emitted yet). */
typedef struct source {
    source_view of;
    bool *read, *live;              /* of values: by a live node or the caller; of nodes */
    bool *done;                     /* of nodes: emitted */
    bool *read_in_slices, *shown;   /* of values: mark_sliced_elementwise */
    uint8_t *sign;                  /* of values: analyse_zero_sign */
    int64_t *unread;                /* of values: elements that no slice read so far; -1 */
    int32_t *map;
    bool pairs;                     /* ops that stand for two nodes may be emitted */
    int32_t *along;                 /* live nodes whose op has along, where pairs */
    int n_along;
    agni_ir_replace_node *other; /* what emits other nodes for some, for user; or NULL */
    void *user;
} source;

static bool open_source(source *q)
{
    size_t nv = (size_t)q->of.n_val + 1, nn = (size_t)q->of.n_node + 1;
    q->read = agni_zalloc(nv);
    q->live = agni_zalloc(nn);
    q->done = agni_zalloc(nn);
    q->read_in_slices = agni_zalloc(nv);
    q->shown = agni_zalloc(nv);
    q->sign = agni_zalloc(nv);
    q->unread = agni_alloc(nv * sizeof *q->unread);
    q->map = agni_alloc(nv * sizeof *q->map);
    q->along = agni_alloc((q->pairs ? nn : 1) * sizeof *q->along);
    return q->read && q->live && q->done && q->read_in_slices && q->shown && q->sign && q->unread &&
           q->map && q->along;
}
static void close_source(source *q)
{
    agni_free(q->read);
    agni_free(q->live);
    agni_free(q->done);
    agni_free(q->read_in_slices);
    agni_free(q->shown);
    agni_free(q->sign);
    agni_free(q->unread);
    agni_free(q->map);
    agni_free(q->along);
}

/* ---- copying its nodes ----------------------------------------------------------------------- */

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
        a[i] = q->map[q->of.arg[n->arg + i]];
    return a;
}

static void copy_node(agni_ir *ir, source *q, int k)
{
    const agni_pnode *n = &q->of.node[k];
    int32_t few[FEW], *a = map_arguments(ir, q, n, few);
    if (!a)
        return;
    ir->sign = q->sign[n->val];
    int32_t v = q->other ? q->other(q->user, ir, k, a) : -1;
    bool same = v < 0;
    v = same ? agni_emit_results(ir, n->op, n->at, n->nin, a, n->nout) : v;
    if (same && v >= 0)
        ir->val[v].read_in_slices = q->read_in_slices[n->val];
    if (same && v >= 0 && q->read_in_slices[n->val] && q->shown[n->val])
        v = agni_concat_of_elementwise(ir, v);
    rename_results(q, n, v, NULL);
    q->done[k] = true;
    if (a != few)
        agni_free(a);
}

/* Copies what node j, later than k, needs; false where that is node k itself. */
static bool copy_dependencies(agni_ir *ir, source *q, int j, int k)
{
    bool *need = agni_zalloc((size_t)q->of.n_val + 1), *asked = agni_zalloc((size_t)j + 1);
    bool apart = need && asked;
    if (!apart)
        ir->st = agni_nomem("compile", (size_t)q->of.n_val);
    for (int m = j; apart && m >= k; m--) {
        const agni_pnode *n = &q->of.node[m];
        asked[m] = m == j;
        for (int o = 0; o < n->nout; o++)
            asked[m] |= need[n->val + o];
        for (int i = 0; i < n->nin && asked[m]; i++)
            need[q->of.arg[n->arg + i]] = true;
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
    const agni_pnode *w = &q->of.node[wide], *n = &q->of.node[narrow];
    int32_t few[FEW], *a = NULL, *which = agni_alloc((size_t)n->nout * sizeof *which);
    agni_attr *at = NULL;
    int nout = 0;
    if (!which)
        ir->st = agni_nomem("compile", (size_t)n->nout * sizeof *which);
    else
        ir->st = n->op->merge(&(agni_use){w->op, w->at, w->nin, w->nout, q->of.arg + w->arg},
                              &(agni_use){n->op, n->at, n->nin, n->nout, q->of.arg + n->arg}, &at,
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
    for (int j = k + 1; j < q->of.n_node && !q->done[k] && !ir->st; j++)
        if (q->live[j] && !q->done[j] && q->of.node[j].op == q->of.node[k].op &&
            !merge_by_op(ir, q, j, k) && !ir->st)
            merge_by_op(ir, q, k, j);
}

/* Nodes one and other by an op that gives the results of both; false where there is none. */
static bool pair_by_op(agni_ir *ir, source *q, int one, int other)
{
    const agni_pnode *n = &q->of.node[one], *m = &q->of.node[other];
    int first = one < other ? one : other, later = one < other ? other : one;
    int32_t x[AGNI_MOST_ALONG];
    const agni_op *op =
        n->op->along
            ? n->op->along(&(agni_use){n->op, n->at, n->nin, n->nout, q->of.arg + n->arg},
                           &(agni_use){m->op, m->at, m->nin, m->nout, q->of.arg + m->arg},
                           tensor_of(&q->of, n->val), tensor_of(&q->of, m->val), x)
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
    for (int j = k + 1; q->of.node[k].op->along && j < q->of.n_node && !q->done[k] && !ir->st; j++)
        if (q->live[j] && !q->done[j])
            pair_by_op(ir, q, k, j);
    for (int i = 0; i < q->n_along && !q->done[k] && !ir->st; i++)
        if (q->along[i] > k && !q->done[q->along[i]])
            pair_by_op(ir, q, q->along[i], k);
}

static void copy_nodes(agni_ir *ir, source *q)
{
    for (int k = 0; k < q->of.n_node && !ir->st; k++) {
        if (q->live[k] && !q->done[k] && q->pairs)
            find_pair(ir, q, k);
        if (q->live[k] && !q->done[k] && q->of.node[k].op->merge && ir->rules)
            find_merge(ir, q, k);
        if (q->live[k] && !q->done[k] && !ir->st)
            copy_node(ir, q, k);
    }
}

/* Dead code elimination: a node lives whose results are read, and its arguments are read then. */
static void mark_live(source *q)
{
    for (int i = 0; i < q->of.n_out; i++)
        q->read[q->of.out[i]] = true;
    for (int k = q->of.n_node - 1; k >= 0; k--) {
        const agni_pnode *n = &q->of.node[k];
        for (int o = 0; o < n->nout; o++)
            q->live[k] |= q->read[n->val + o];
        for (int i = 0; q->live[k] && i < n->nin; i++)
            q->read[q->of.arg[n->arg + i]] = true;
    }
}

/* ---- who sees the sign of a zero ------------------------------------------------------------- */

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
    return agni_broadcast_source(ir, agni_node_arg(ir, n, !i))->no_negative_zero;
}

/* sign[v] of each value of a source, from the results back */
static void analyse_zero_sign(source *q)
{
    const source_view *s = &q->of;
    for (int i = 0; i < s->n_out; i++)
        q->sign[s->out[i]] |= AGNI_SIGN_SHOWN;
    for (int k = s->n_node - 1; k >= 0; k--) {
        const agni_pnode *n = &s->node[k];
        uint8_t on = 0;
        for (int o = 0; o < n->nout; o++)
            on |= q->sign[n->val + o];
        for (int i = 0; i < n->nin; i++) {
            int32_t v = s->arg[n->arg + i];
            if (s->ir && absorbs_zero_sign(s->ir, n, i))
                continue;
            q->sign[v] |= transfer_zero_sign(n, i, tensor_of(s, v), tensor_of(s, n->val), on);
        }
    }
}

/* ---- what is read in slices ------------------------------------------------------------------ */

/* Marks element-wise values whose readers are slices, of no more elements in all than there are, or
   element-wise values of their shape that are marked themselves. They may be results as well. */
static void mark_sliced_elementwise(source *q)
{
    const source_view *s = &q->of;
    for (int v = 0; v < s->n_val; v++)
        q->unread[v] = tensor_of(s, v)->size;
    for (int i = 0; i < s->n_out; i++)
        q->shown[s->out[i]] = true;
    for (int k = s->n_node - 1; k >= 0; k--) {
        const agni_pnode *n = &s->node[k];
        const agn_tensor *y = tensor_of(s, n->val);
        if (!q->live[k])
            continue;
        bool sliced = n->op->ew >= 0 && n->nout == 1 && n->nin <= 3 && q->unread[n->val] >= 0;
        q->read_in_slices[n->val] = sliced;
        for (int i = 0; i < n->nin; i++) {
            int32_t v = s->arg[n->arg + i];
            const agn_tensor *x = tensor_of(s, v);
            if (n->op == &agni_op_slice && agni_is_leading_slice(x, n->at))
                q->unread[v] -= q->unread[v] < 0 ? 0 : y->size;
            else if (!sliced || !agni_same_shape(x, y))
                q->unread[v] = -1;
        }
    }
}

/* ---- rewriting ------------------------------------------------------------------------------- */

static void analyse_source(source *q, agni_ir *ir)
{
    for (int v = 0; v <= q->of.n_val; v++)
        q->map[v] = -1;
    mark_live(q);
    analyse_zero_sign(q);
    if (ir->rules)
        mark_sliced_elementwise(q);
    for (int k = 0; k < q->of.n_node; k++) {
        const agni_op *op = q->of.node[k].op;
        if (q->pairs && q->live[k] && op->along)
            q->along[q->n_along++] = k;
    }
}

/* inputs and constants of a stored program, these in canonical form */
static void load_program_values(agni_ir *ir, source *q)
{
    const agni_prog *p = q->of.prog;
    for (int i = 0; i < p->n_in; i++) {
        agni_ir_add_input(ir, i, p->val[i]);
        q->map[i] = ir->in[i];
    }
    for (int v = p->n_in; v < p->n_in + p->n_cap && !ir->st; v++) {
        if (!q->read[v])
            continue;
        int32_t c = agni_ir_add_canonical_constant(ir, agni_tensor_ref(p->val[v]));
        if (c >= 0 && ir->val[c].t == p->val[v])
            ir->val[c].captured = true;
        q->map[v] = c;
    }
}
/* those of an IR, as they are */
static void load_ir_values(agni_ir *ir, source *q)
{
    const agni_ir *old = q->of.ir;
    for (int i = 0; i < old->n_in; i++) {
        agni_ir_add_input(ir, i, old->val[old->in[i]].t);
        q->map[old->in[i]] = ir->in[i];
    }
    for (int v = 0; v < old->n_val && !ir->st; v++) {
        if (!old->val[v].constant || !q->read[v])
            continue;
        int32_t c = agni_ir_add_constant(ir, agni_tensor_ref(old->val[v].t));
        if (c >= 0 && ir->val[c].t == old->val[v].t)
            ir->val[c].captured = old->val[v].captured;
        q->map[v] = c;
    }
}

/* The source emitted again, through the rules where these are asked for; NULL without memory. */
static agni_ir *rewrite_source(source *q, bool rules)
{
    agni_ir *ir = agni_ir_new(q->of.n_in, q->of.n_out, rules);
    bool open = open_source(q);
    if (!ir || !open) {
        agni_ir_free(ir);
        close_source(q);
        return NULL;
    }
    analyse_source(q, ir);
    ir->shares |= q->other != NULL;
    if (q->of.prog)
        load_program_values(ir, q);
    else
        load_ir_values(ir, q);
    copy_nodes(ir, q);
    for (int i = 0; i < q->of.n_out; i++)
        ir->out[i] = q->map[q->of.out[i]];
    close_source(q);
    return ir;
}
static agni_ir *load_program(const agni_prog *p, bool rules, agni_ir_replace_node *other)
{
    return rewrite_source(&(source){.of = view_program(p), .other = other}, rules);
}
/* Rules do not know the ops that stand for two nodes: pairs are for the last time. */
static agni_ir *rewrite_ir(const agni_ir *old, bool rules, bool pairs)
{
    return rewrite_source(&(source){.of = view_ir(old), .pairs = pairs}, rules);
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
    agni_ir *ir = load_program(p, rules, NULL);
    bool along = false;
    if (rules && ir && !ir->st) {
        agn_status st = agni_ir_factor_sums(&ir);
        ir->st = st;
    }
    for (int i = 0; i < PASSES && rules && ir && !ir->st; i++) {
        int32_t before = ir->n_node;
        agni_ir *next = rewrite_ir(ir, true, false);
        agni_ir_free(ir);
        ir = next;
        if (!ir || (!ir->changed && ir->n_node == before))
            break;
    }
    if (rules && ir && !ir->st) {
        const agni_ir *before = ir;
        agn_status st = agni_ir_hoist_scalars(&ir);
        ir->st = st;
        if (!st && ir != before) {
            agni_ir *next = rewrite_ir(ir, true, false);
            agni_ir_free(ir);
            ir = next;
        }
    }
    for (int k = 0; rules && ir && k < ir->n_node; k++)
        along |= ir->node[k].op->along != NULL;
    if (along && !ir->st) {
        agni_ir *next = rewrite_ir(ir, true, true);
        agni_ir_free(ir);
        ir = next;
    }
    if (rules && ir && !ir->st) {
        agn_status st = agni_ir_separate_transposes(&ir);
        ir->st = st;
    }
    return finish_ir(out, ir);
}

agn_status agni_ir_copy(agni_ir **out, const agni_ir *old, agni_ir_replace_node *node, void *user)
{
    agni_ir *ir = rewrite_source(&(source){.of = view_ir(old), .other = node, .user = user}, false);
    if (ir && !ir->st) { /* without what nobody reads */
        agni_ir *next = rewrite_ir(ir, false, false);
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
    return finish_ir(out, load_program(p, false, keep_node));
}
