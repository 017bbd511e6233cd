/* graph/passes/rewrite.c - the rewrite driver: a program is emitted again through the rules until
   nothing changes. What is not live is not emitted. */
#include "graph/passes/source.h"

/* ---- the source ------------------------------------------------------------------------------ */

static agni_source_view view_program(const agni_prog *p)
{
    return (agni_source_view){p,        NULL,      p->node, p->arg,  p->out,
                              p->n_val, p->n_node, p->n_in, p->n_out};
}
static agni_source_view view_ir(const agni_ir *ir)
{
    return (agni_source_view){NULL,      ir,         ir->node, ir->arg,  ir->out,
                         ir->n_val, ir->n_node, ir->n_in, ir->n_out};
}
static bool open_source(agni_source *q)
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
static void close_source(agni_source *q)
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

void agni_rename_results(agni_source *q, const agni_pnode *n, int32_t first, const int32_t *which)
{
    for (int o = 0; o < n->nout; o++)
        q->map[n->val + o] = first < 0 ? -1 : first + (which ? which[o] : o);
}

int32_t *agni_map_arguments(agni_ir *ir, const agni_source *q, const agni_pnode *n, int32_t *few)
{
    int32_t *a = n->nin > AGNI_FEW_ARGS ? agni_alloc((size_t)n->nin * sizeof *a) : few;
    if (!a)
        ir->st = agni_nomem("compile", (size_t)n->nin * sizeof *a);
    for (int i = 0; a && i < n->nin; i++)
        a[i] = q->map[q->of.arg[n->arg + i]];
    return a;
}

void agni_copy_node(agni_ir *ir, agni_source *q, int k)
{
    const agni_pnode *n = &q->of.node[k];
    int32_t few[AGNI_FEW_ARGS], *a = agni_map_arguments(ir, q, n, few);
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
    agni_rename_results(q, n, v, NULL);
    q->done[k] = true;
    if (a != few)
        agni_free(a);
}

static void copy_nodes(agni_ir *ir, agni_source *q)
{
    for (int k = 0; k < q->of.n_node && !ir->st; k++) {
        if (q->live[k] && !q->done[k] && q->pairs)
            agni_pair_node(ir, q, k);
        if (q->live[k] && !q->done[k] && q->of.node[k].op->merge && ir->rules)
            agni_merge_node(ir, q, k);
        if (q->live[k] && !q->done[k] && !ir->st)
            agni_copy_node(ir, q, k);
    }
}

/* ---- what is read in slices ------------------------------------------------------------------ */

/* Marks element-wise values whose readers are slices, of no more elements in all than there are, or
   element-wise values of their shape that are marked themselves. They may be results as well. */
static void mark_sliced_elementwise(agni_source *q)
{
    const agni_source_view *s = &q->of;
    for (int v = 0; v < s->n_val; v++)
        q->unread[v] = agni_source_tensor(s, v)->size;
    for (int i = 0; i < s->n_out; i++)
        q->shown[s->out[i]] = true;
    for (int k = s->n_node - 1; k >= 0; k--) {
        const agni_pnode *n = &s->node[k];
        const agn_tensor *y = agni_source_tensor(s, n->val);
        if (!q->live[k])
            continue;
        bool sliced = n->op->ew >= 0 && n->nout == 1 && n->nin <= 3 && q->unread[n->val] >= 0;
        q->read_in_slices[n->val] = sliced;
        for (int i = 0; i < n->nin; i++) {
            int32_t v = s->arg[n->arg + i];
            const agn_tensor *x = agni_source_tensor(s, v);
            if (n->op == &agni_op_slice && agni_is_leading_slice(x, n->at))
                q->unread[v] -= q->unread[v] < 0 ? 0 : y->size;
            else if (!sliced || !agni_same_shape(x, y))
                q->unread[v] = -1;
        }
    }
}

/* ---- rewriting ------------------------------------------------------------------------------- */

static void analyse_source(agni_source *q, agni_ir *ir)
{
    for (int v = 0; v <= q->of.n_val; v++)
        q->map[v] = -1;
    agni_mark_live(q);
    agni_analyse_zero_signs(q);
    if (ir->rules)
        mark_sliced_elementwise(q);
    for (int k = 0; k < q->of.n_node; k++) {
        const agni_op *op = q->of.node[k].op;
        if (q->pairs && q->live[k] && op->along)
            q->along[q->n_along++] = k;
    }
}

/* inputs and constants of a stored program, these in canonical form */
static void load_program_values(agni_ir *ir, agni_source *q)
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
static void load_ir_values(agni_ir *ir, agni_source *q)
{
    const agni_ir *old = q->of.ir;
    for (int i = 0; i < old->n_in; i++) {
        agni_ir_add_input(ir, i, old->val[old->in[i]].t);
        q->map[old->in[i]] = ir->in[i];
    }
    for (int v = 0; v < old->n_val && !ir->st; v++) {
        if (!old->val[v].constant || !q->read[v])
            continue;
        int32_t c = agni_ir_take_constant(ir, &old->val[v]);
        if (c >= 0 && ir->val[c].t == old->val[v].t)
            ir->val[c].captured = old->val[v].captured;
        q->map[v] = c;
    }
}

/* The source emitted again, through the rules where these are asked for; NULL without memory. */
static agni_ir *rewrite_source(agni_source *q, bool rules)
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
    return rewrite_source(&(agni_source){.of = view_program(p), .other = other}, rules);
}
/* Rules do not know the ops that stand for two nodes: pairs are for the last time. */
static agni_ir *rewrite_ir(const agni_ir *old, bool rules, bool pairs)
{
    return rewrite_source(&(agni_source){.of = view_ir(old), .pairs = pairs}, rules);
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

/* through the rules until nothing changes, so many times at most; takes ir over */
static agni_ir *simplify(agni_ir *ir, int passes)
{
    for (int i = 0; i < passes && ir && !ir->st; i++) {
        int32_t before = ir->n_node;
        agni_ir *next = rewrite_ir(ir, true, false);
        agni_ir_free(ir);
        ir = next;
        if (!ir || (!ir->changed && ir->n_node == before))
            break;
    }
    return ir;
}

agn_status agni_ir_make(agni_ir **out, const agni_prog *p, bool rules)
{
    enum { PASSES = 8, AGAIN = 2 };
    agni_ir *ir = load_program(p, rules, NULL);
    bool along = false;
    if (rules && ir && !ir->st) {
        agn_status st = agni_ir_factor_sums(&ir);
        ir->st = st;
    }
    ir = rules ? simplify(ir, PASSES) : ir;
    if (rules && ir && !ir->st) {
        const agni_ir *before = ir;
        agn_status st = agni_ir_hoist_scalars(&ir);
        st = st ? st : agni_ir_drop_nested_selects(&ir);
        st = st ? st : agni_ir_collect_terms(&ir);
        ir->st = st;
        ir = !st && ir != before ? simplify(ir, AGAIN) : ir;
    }
    if (rules && ir && !ir->st) { /* last: x times a half gate must not become half of x times a gate */
        agn_status st = agni_ir_share_gates(&ir);
        ir->st = st;
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
    agni_ir *ir = rewrite_source(&(agni_source){.of = view_ir(old), .other = node, .user = user},
                                 false);
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
