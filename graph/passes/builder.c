/* graph/passes/builder.c - the builder of the IR: nodes through rules and common subexpression
   elimination, facts of values. */
#include "graph/passes/ir.h"

#include "tensor/rows/traits.h"

#include <math.h>
#include <string.h>

enum { FEW = 16 };

/* ---- memory -------------------------------------------------------------------------- */

void agni_ir_free(agni_ir *ir)
{
    if (!ir)
        return;
    for (int k = 0; k < ir->n_node; k++)
        if (ir->node[k].at)
            agni_obj_release(&ir->node[k].at->head);
    for (int v = 0; v < ir->n_val; v++)
        agn_release(ir->val[v].t);
    agni_free(ir->val);
    agni_free(ir->node);
    agni_free(ir->arg);
    agni_free(ir->in);
    agni_free(ir->out);
    agni_hash_index_free(&ir->applications);
    agni_hash_index_free(&ir->numbers);
    agni_free(ir);
}

static bool reserve_items(agni_ir *ir, void *items, int32_t *cap, int32_t need, size_t item)
{
    if (agni_reserve_items(items, cap, need, item))
        return true;
    ir->st = agni_nomem("compile", (size_t)need * item);
    return false;
}

int32_t agni_ir_add_value(agni_ir *ir, agn_tensor *t)
{
    if (!t || !reserve_items(ir, &ir->val, &ir->cap_val, ir->n_val + 1, sizeof *ir->val)) {
        if (!t && !ir->st)
            ir->st = agni_nomem("compile", sizeof *t);
        agn_release(t);
        return -1;
    }
    ir->val[ir->n_val] = (agni_ir_value){.t = t, .node = -1, .input = -1};
    return ir->n_val++;
}

/* ---- applications ----------------------------------------------------------------------- */

/* x / c with a number c other than 0: as finite as a product */
static bool is_division_by_number(const agni_ir *ir, const agni_pnode *n)
{
    if (n->op != &agni_op_div)
        return false;
    const agni_ir_value *q = agni_broadcast_source(ir, agni_node_arg(ir, n, 1));
    return q->splat && q->num != 0 && isfinite(q->num);
}

/* can no element be -0? A sum of two is -0 where both are, one of many begins with 0 */
static bool has_no_negative_zero(const agni_ir *ir, const agni_pnode *n, const agni_ir_value *q)
{
    const int32_t *arg = ir->arg + n->arg;
    const agni_op *op = n->op;
    bool view = op == &agni_op_reshape || op == &agni_op_broadcast_to || op == &agni_op_slice;
    if (agni_kind(q->t->dtype) != AGNI_KIND_FLOAT)
        return false;
    if (op == &agni_op_add)
        return ir->val[arg[0]].no_negative_zero || ir->val[arg[1]].no_negative_zero;
    if (op == &agni_op_where)
        return ir->val[arg[1]].no_negative_zero && ir->val[arg[2]].no_negative_zero;
    return view ? ir->val[arg[0]].no_negative_zero
                : op == &agni_op_sum && ir->val[arg[0]].t->size > q->t->size;
}

/* Do two shapes differ by axes of one element at most? */
static bool is_same_but_units(const agn_tensor *x, const agn_tensor *y)
{
    int i = 0, k = 0;
    for (;;) {
        while (i < x->ndim && x->shape[i] == 1)
            i++;
        while (k < y->ndim && y->shape[k] == 1)
            k++;
        if (i == x->ndim || k == y->ndim || x->shape[i++] != y->shape[k++])
            return i == x->ndim && k == y->ndim && x->size == y->size;
    }
}

/* are its rows and columns axes of two arrays? */
static bool is_table(const agni_ir *ir, const agni_pnode *n, const agn_tensor *y)
{
    if (n->op == &agni_op_broadcast_to)
        return ir->val[ir->arg[n->arg]].t->size > 1;
    if (n->op == &agni_op_reshape)
        return ir->val[ir->arg[n->arg]].table && is_same_but_units(ir->val[ir->arg[n->arg]].t, y);
    bool all = n->op->ew >= 0; /* arguments have fewer elements */
    for (int i = 0; i < n->nin && n->op->ew >= 0; i++) {
        const agni_ir_value *x = &ir->val[ir->arg[n->arg + i]];
        if (x->table && agni_same_shape(x->t, y))
            return true;
        all = all && x->t->size < y->size;
    }
    return all || (n->op == &agni_op_matmul && y->ndim == 2);
}

/* what follows from a value's definition: is it finite for sure? */
static void infer_facts(agni_ir *ir, const agni_pnode *n, agni_ir_value *q)
{
    const agni_op *op = n->op;
    unsigned traits = agni_op_traits(op);
    bool singular = (traits & AGNI_SINGULAR) && !is_division_by_number(ir, n);
    bool tame = (op->ew >= 0 || op->transpose) && !singular, bounded = true;
    for (int i = 0; i < n->nin; i++) {
        const agni_ir_value *a = &ir->val[ir->arg[n->arg + i]];
        tame = tame && a->finite_if_inputs;
        bounded = bounded && a->always_finite;
    }
    q->finite_if_inputs = tame;
    q->always_finite = tame && bounded;
    /* of infinity, too, but not of a NaN that finite inputs may make, as 0 / 0 */
    if (tame && (traits & AGNI_FINITE_RANGE) && agni_kind(q->t->dtype) == AGNI_KIND_FLOAT)
        q->always_finite = true;
    q->no_negative_zero = has_no_negative_zero(ir, n, q);
    q->table = is_table(ir, n, q->t);
}

static int32_t append_node(agni_ir *ir, const agni_op *op, const agni_attr *at, int nin,
                      const int32_t *arg, int nout)
{
    const agn_tensor *few[FEW], **in = few;
    agni_meta meta1, *meta = &meta1;
    int32_t first = -1;
    bool constant = ir->rules;
    if (nin > FEW)
        in = agni_alloc((size_t)nin * sizeof *in);
    if (nout > 1)
        meta = agni_alloc((size_t)nout * sizeof *meta);
    if (!in || !meta) {
        ir->st = agni_nomem("compile", (size_t)nin * sizeof *in);
        goto done;
    }
    for (int i = 0; i < nin; i++) {
        in[i] = ir->val[arg[i]].t;
        constant = constant && ir->val[arg[i]].constant;
    }
    agni_call c = {op, at, nin, nout, in, meta};
    ir->st = op->infer(&c);
    if (ir->st ||
        (constant && op != &agni_op_broadcast_to && agni_ir_fold_constants(ir, &c, &first)))
        goto done;
    if (!reserve_items(ir, &ir->node, &ir->cap_node, ir->n_node + 1, sizeof *ir->node) ||
        !reserve_items(ir, &ir->arg, &ir->cap_arg, ir->n_arg + nin, sizeof *ir->arg) ||
        !agni_cse_reserve(ir))
        goto done;
    agni_attr *keep = agni_has_attributes(at) ? agni_attr_keep(at) : NULL;
    if (agni_has_attributes(at) && !keep) {
        ir->st = agni_nomem("compile", sizeof *keep);
        goto done;
    }
    int32_t k = ir->n_node, v0 = ir->n_val;
    ir->node[k] = (agni_pnode){op, keep, nin, nout, ir->n_arg, v0};
    if (nin)
        memcpy(ir->arg + ir->n_arg, arg, (size_t)nin * sizeof *arg);
    ir->n_arg += nin;
    ir->n_node++;
    agni_cse_add(ir, k);
    for (int o = 0; o < nout; o++) {
        int32_t v = agni_ir_add_value(
            ir, agni_tensor_header(meta[o].dtype, meta[o].ndim, meta[o].shape));
        if (v < 0)
            goto done;
        ir->val[v].node = k;
        infer_facts(ir, &ir->node[k], &ir->val[v]);
    }
    first = v0;
done:
    if (in != few)
        agni_free(in);
    if (meta != &meta1)
        agni_free(meta);
    return ir->st ? -1 : first;
}

int32_t agni_emit_results(agni_ir *ir, const agni_op *op, const agni_attr *at, int nin,
                         const int32_t *arg, int nout)
{
    for (int i = 0; i < nin; i++)
        if (arg[i] < 0)
            return -1;
    if (ir->st)
        return -1;
    if (ir->rules && nout == 1) {
        int32_t v = agni_apply_rules(ir, op, at, nin, arg);
        if (v >= 0 || ir->st) {
            ir->changed++;
            return v;
        }
    }
    int32_t k = agni_cse_find(ir, op, at, nin, arg, nout);
    return k >= 0 ? ir->node[k].val : append_node(ir, op, at, nin, arg, nout);
}

int32_t agni_emit_node(agni_ir *ir, const agni_op *op, const agni_attr *at, int nin,
                  const int32_t *arg)
{
    return agni_emit_results(ir, op, at, nin, arg, 1);
}

/* ---- life --------------------------------------------------------------------------------- */

agni_ir *agni_ir_new(int n_in, int n_out, bool rules)
{
    agni_ir *ir = agni_zalloc(sizeof *ir);
    if (!ir)
        return NULL;
    ir->rules = ir->shares = rules;
    ir->n_in = n_in;
    ir->n_out = n_out;
    ir->in = agni_zalloc((size_t)(n_in + 1) * sizeof *ir->in);
    ir->out = agni_zalloc((size_t)(n_out + 1) * sizeof *ir->out);
    if (!ir->in || !ir->out) {
        agni_ir_free(ir);
        return NULL;
    }
    return ir;
}

void agni_ir_add_input(agni_ir *ir, int i, const agn_tensor *x)
{
    agn_tensor *t = agni_tensor_header(x->dtype, x->ndim, x->shape);
    int32_t v = agni_ir_add_value(ir, t);
    ir->in[i] = v;
    if (v < 0)
        return;
    ir->val[v].input = i;
    ir->val[v].finite_if_inputs = true;
}
