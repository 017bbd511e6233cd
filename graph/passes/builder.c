/* graph/passes/builder.c - the builder of the IR: common subexpression elimination (CSE) by
   hash-consing, constant folding, facts of values. */
#include "graph/passes/ir.h"

#include "tensor/rows/traits.h"

#include <math.h>
#include <string.h>

enum { FEW = 16, FOLD = 4096 };

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
    agni_free(ir->bucket);
    agni_free(ir->chain);
    agni_free(ir);
}

static bool reserve_items(agni_ir *ir, void *items, int32_t *cap, int32_t need, size_t item)
{
    if (agni_reserve_items(items, cap, need, item))
        return true;
    ir->st = agni_nomem("compile", (size_t)need * item);
    return false;
}

static int32_t add_value(agni_ir *ir, agn_tensor *t)
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

/* ---- constants -------------------------------------------------------------------------- */

static bool first_number(const agn_tensor *t, double *v)
{
    const void *p = t->data;
    switch (t->dtype) {
    case AGN_BOOL:
        *v = *(const bool *)p;
        return true;
    case AGN_I32:
        *v = *(const int32_t *)p;
        return true;
    case AGN_I64:
        *v = (double)*(const int64_t *)p;
        return true;
    case AGN_F32:
        *v = (double)*(const float *)p;
        return true;
    case AGN_F64:
        *v = *(const double *)p;
        return true;
    default:
        return false;
    }
}

/* are all slices along axis d alike? */
static bool is_repeated_along(const agn_tensor *t, int d)
{
    size_t bytes = (size_t)agni_dtypes[t->dtype].bytes;
    int64_t at[AGNI_MAX_RANK] = {0};
    if (t->shape[d] < 2 || t->stride[d] == 0)
        return t->shape[d] > 1;
    const char *p = t->data;
    for (int64_t i = 0; i < t->size; i++) {
        int64_t off = 0;
        for (int k = 0; k < t->ndim; k++)
            off += at[k] * t->stride[k];
        const char *q = p + off * (int64_t)bytes;
        if (memcmp(q, q - at[d] * t->stride[d] * (int64_t)bytes, bytes))
            return false;
        for (int k = t->ndim - 1; k >= 0; k--) {
            if (++at[k] < t->shape[k])
                break;
            at[k] = 0;
        }
    }
    return true;
}

int32_t agni_ir_add_constant(agni_ir *ir, agn_tensor *t)
{
    int32_t v = add_value(ir, t);
    if (v < 0)
        return v;
    agni_ir_value *q = &ir->val[v];
    q->constant = true;
    q->splat = t->size == 1 && first_number(t, &q->num);
    q->always_finite = q->finite_if_inputs = q->splat && isfinite(q->num);
    q->structural_zeros = q->splat && q->num == 0;
    q->no_negative_zero = q->splat && !(q->num == 0 && signbit(q->num));
    if (!q->splat && (t->dtype == AGN_F64 || t->dtype == AGN_F32) &&
        agni_is_contiguous(t)) {
        bool fine = true, hole = false, minus = false;
        for (int64_t i = 0; fine && i < t->size; i++) {
            double x = t->dtype == AGN_F64 ? ((double *)t->data)[i]
                                           : (double)((float *)t->data)[i];
            fine = isfinite(x);
            hole |= x == 0;
            minus |= x == 0 && signbit(x);
        }
        q->always_finite = q->finite_if_inputs = fine;
        q->structural_zeros = hole;
        q->no_negative_zero = fine && !minus;
        q->identity_rows = fine && hole && agni_is_identity_rows(t, &q->from);
    }
    return v;
}

int32_t agni_ir_add_canonical_constant(agni_ir *ir, agn_tensor *t)
{
    double num;
    bool literal = t && (ir->rules || (ir->shares && t->weak));
    if (literal && t->ndim == 0 && first_number(t, &num) && isfinite(num) &&
        t->dtype >= AGN_F32) { /* equal literals are one */
        int dtype = t->dtype;
        agn_release(t);
        return agni_ir_add_number(ir, num, dtype);
    }
    if (t && ir->rules && t->ndim > 0 && t->size > 1) {
        int64_t shape[AGNI_MAX_RANK];
        bool any = false;
        memcpy(shape, t->shape, (size_t)t->ndim * sizeof *shape);
        for (int d = 0; d < t->ndim; d++)
            if (is_repeated_along(t, d)) {
                shape[d] = 1;
                any = true;
            }
        if (!any)
            return agni_ir_add_constant(ir, t);
        agn_tensor *part = NULL, *own = NULL;
        ir->st = agni_tensor_view(&part, t, t->ndim, shape, t->stride, 0);
        if (!ir->st)
            ir->st = agn_copy(&own, part);
        agn_release(part);
        if (!ir->st && own->size == 1) { /* one number has no axes */
            ir->st = agni_tensor_view(&part, own, 0, NULL, NULL, 0);
            agn_release(own);
            own = part;
        }
        int32_t c = ir->st ? -1 : agni_ir_add_canonical_constant(ir, own);
        agni_attr at = {.ni = t->ndim, .i = t->shape};
        int32_t v = c < 0 ? -1 : agni_emit_node(ir, &agni_op_broadcast_to, &at, 1, &c);
        agn_release(t);
        return v;
    }
    return agni_ir_add_constant(ir, t);
}

int32_t agni_ir_add_number(agni_ir *ir, double v, int dtype)
{
    agn_tensor *t = NULL;
    int32_t have = ir->n_number < AGNI_COUNT(ir->number) ? ir->n_number
                                                         : AGNI_COUNT(ir->number);
    for (int32_t i = 0; i < have; i++) {
        const agni_ir_value *q = &ir->val[ir->number[i]];
        if (q->t->dtype == dtype && q->num == v && signbit(q->num) == signbit(v))
            return ir->number[i];
    }
    ir->st = agn_full(&t, dtype, 0, NULL, v);
    int32_t c = ir->st ? -1 : agni_ir_add_constant(ir, t);
    if (c >= 0)
        ir->number[ir->n_number++ % AGNI_COUNT(ir->number)] = c;
    return c;
}

/* ---- applications ----------------------------------------------------------------------- */

static uint64_t hash_application(const agni_op *op, const agni_attr *at, int nin,
                        const int32_t *arg)
{
    uint64_t h = (uint64_t)(uintptr_t)op * 0x9E3779B97F4A7C15u;
    for (int i = 0; i < nin; i++)
        h = (h ^ (uint64_t)(uint32_t)arg[i]) * 0xD6E8FEB86659FD93u, h ^= h >> 29;
    for (int i = 0; at && i < at->ni; i++)
        h = (h ^ (uint64_t)at->i[i]) * 0xD6E8FEB86659FD93u, h ^= h >> 29;
    return h ^ h >> 32;
}

static bool has_attributes(const agni_attr *at)
{
    return at && (at->ni || at->nf || at->obj);
}

static bool same_attributes(const agni_attr *a, const agni_attr *b)
{
    return has_attributes(a) == has_attributes(b) && (!has_attributes(a) || agni_attr_equal(a, b));
}

static bool grow_hash_table(agni_ir *ir)
{
    if (ir->bucket && ir->n_node < ir->n_bucket)
        return true;
    int32_t n = ir->n_bucket ? 4 * ir->n_bucket : 256;
    int32_t *b = agni_alloc((size_t)n * sizeof *b),
            *c = agni_realloc(ir->chain, (size_t)n * sizeof *c);
    if (c)
        ir->chain = c;
    if (!b || !c) {
        agni_free(b);
        ir->st = agni_nomem("compile", (size_t)n * sizeof *b);
        return false;
    }
    agni_free(ir->bucket);
    ir->bucket = b;
    ir->n_bucket = n;
    for (int32_t i = 0; i < n; i++)
        b[i] = -1;
    for (int32_t k = 0; k < ir->n_node; k++) {
        const agni_pnode *q = &ir->node[k];
        uint64_t h = hash_application(q->op, q->at, q->nin, ir->arg + q->arg) % (uint64_t)n;
        ir->chain[k] = b[h];
        b[h] = k;
    }
    return true;
}

/* x / c with a number c other than 0: as finite as a product */
static bool is_division_by_number(const agni_ir *ir, const agni_pnode *n)
{
    if (n->op != &agni_op_div)
        return false;
    const agni_ir_value *q = agni_broadcast_source(ir, agni_node_arg(ir, n, 1));
    return q->splat && q->num != 0 && isfinite(q->num);
}

/* what follows from a value's definition: finite for sure? may zeros stand for nothing? */
static void infer_facts(agni_ir *ir, const agni_pnode *n, agni_ir_value *q)
{
    const agni_op *op = n->op;
    unsigned traits = agni_op_traits(op);
    bool singular = (traits & AGNI_SINGULAR) && !is_division_by_number(ir, n);
    bool tame = (op->ew >= 0 || op->transpose) && !singular,
         bounded = true, holes = false, all = true;
    for (int i = 0; i < n->nin; i++) {
        const agni_ir_value *a = &ir->val[ir->arg[n->arg + i]];
        tame = tame && a->finite_if_inputs;
        bounded = bounded && a->always_finite;
        holes |= a->structural_zeros;
        all = all && a->structural_zeros;
    }
    bool product = op == &agni_op_mul || op == &agni_op_mulz;
    q->finite_if_inputs = tame;
    q->always_finite = tame && bounded;
    if ((traits & AGNI_FINITE_RANGE) && agni_kind(q->t->dtype) == AGNI_KIND_FLOAT)
        q->finite_if_inputs = q->always_finite = true;
    if (op == &agni_op_unslice || op == &agni_op_scatter_add ||
        op == &agni_op_scatter_put)
        q->structural_zeros = true;
    else if (op == &agni_op_matmul || op == &agni_op_sum)
        q->structural_zeros = false;
    else if (op->nin == 1 || op == &agni_op_concat || product)
        q->structural_zeros = holes;
    else
        q->structural_zeros = all && n->nin > 0;
}

/* a node whose arguments are constants runs now, if its results are small */
static bool fold_constants(agni_ir *ir, const agni_call *c, int32_t *first)
{
    int64_t in = 0, out = 0;
    for (int i = 0; i < c->nin; i++)
        in += c->in[i]->size;
    for (int o = 0; o < c->nout; o++) {
        int64_t n = 1;
        for (int d = 0; d < c->meta[o].ndim; d++)
            n *= c->meta[o].shape[d];
        out += n;
    }
    if (c->nout != 1 || c->op->cls == AGNI_RANDOM || c->op->cls == AGNI_CONTROL ||
        !c->nin || (out > FOLD && out > in))
        return false;
    agn_tensor *y = NULL;
    if (agni_run(c, &y)) /* the fault, if it is one, is for the call */
        return false;
    agn_tensor *z = NULL;
    if (agn_contiguous(&z, y) == AGN_OK) {
        z->weak = false;
        *first = agni_ir_add_constant(ir, z);
    }
    agn_release(y);
    return *first >= 0;
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
    if (ir->st || (constant && op != &agni_op_broadcast_to && fold_constants(ir, &c, &first)))
        goto done;
    if (!reserve_items(ir, &ir->node, &ir->cap_node, ir->n_node + 1, sizeof *ir->node) ||
        !reserve_items(ir, &ir->arg, &ir->cap_arg, ir->n_arg + nin, sizeof *ir->arg) ||
        !grow_hash_table(ir))
        goto done;
    agni_attr *keep = has_attributes(at) ? agni_attr_keep(at) : NULL;
    if (has_attributes(at) && !keep) {
        ir->st = agni_nomem("compile", sizeof *keep);
        goto done;
    }
    int32_t k = ir->n_node, v0 = ir->n_val;
    uint64_t h = hash_application(op, at, nin, arg) % (uint64_t)ir->n_bucket;
    ir->node[k] = (agni_pnode){op, keep, nin, nout, ir->n_arg, v0};
    if (nin)
        memcpy(ir->arg + ir->n_arg, arg, (size_t)nin * sizeof *arg);
    ir->n_arg += nin;
    ir->chain[k] = ir->bucket[h];
    ir->bucket[h] = k;
    ir->n_node++;
    for (int o = 0; o < nout; o++) {
        int32_t v = add_value(
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
    if (ir->shares && ir->bucket) {
        uint64_t h = hash_application(op, at, nin, arg) % (uint64_t)ir->n_bucket;
        for (int32_t k = ir->bucket[h]; k >= 0; k = ir->chain[k]) {
            const agni_pnode *q = &ir->node[k];
            if (q->op == op && q->nin == nin && q->nout == nout &&
                same_attributes(q->at, at) &&
                (!nin || !memcmp(ir->arg + q->arg, arg, (size_t)nin * sizeof *arg)))
                return q->val;
        }
    }
    return append_node(ir, op, at, nin, arg, nout);
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
    int32_t v = add_value(ir, t);
    ir->in[i] = v;
    if (v < 0)
        return;
    ir->val[v].input = i;
    ir->val[v].finite_if_inputs = true;
}
