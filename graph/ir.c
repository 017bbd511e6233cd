/* graph/ir.c - building a program value by value: equal applications are one (hash-consing),
   constants are folded, dead nodes fall away when it is built again. */
#include "graph/ir.h"

#include "tensor/traits.h"

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

static bool room(agni_ir *ir, void *items, int32_t *cap, int32_t need, size_t item)
{
    if (agni_grow(items, cap, need, item))
        return true;
    ir->st = agni_nomem("compile", (size_t)need * item);
    return false;
}

static int32_t value_new(agni_ir *ir, agn_tensor *t)
{
    if (!t || !room(ir, &ir->val, &ir->cap_val, ir->n_val + 1, sizeof *ir->val)) {
        if (!t && !ir->st)
            ir->st = agni_nomem("compile", sizeof *t);
        agn_release(t);
        return -1;
    }
    ir->val[ir->n_val] = (agni_ival){.t = t, .node = -1, .input = -1};
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
static bool alike(const agn_tensor *t, int d)
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

static int32_t plain_constant(agni_ir *ir, agn_tensor *t)
{
    int32_t v = value_new(ir, t);
    if (v < 0)
        return v;
    agni_ival *q = &ir->val[v];
    q->constant = true;
    q->splat = t->size == 1 && first_number(t, &q->num);
    q->bounded = q->tame = q->splat && isfinite(q->num);
    q->holes = q->splat && q->num == 0;
    if (!q->splat && (t->dtype == AGN_F64 || t->dtype == AGN_F32) &&
        agni_contiguous(t)) {
        bool fine = true, hole = false;
        for (int64_t i = 0; fine && i < t->size; i++) {
            double x = t->dtype == AGN_F64 ? ((double *)t->data)[i]
                                           : (double)((float *)t->data)[i];
            fine = isfinite(x);
            hole |= x == 0;
        }
        q->bounded = q->tame = fine;
        q->holes = hole;
    }
    return v;
}

int32_t agni_ir_constant(agni_ir *ir, agn_tensor *t)
{
    double num;
    if (t && ir->rules && t->ndim == 0 && first_number(t, &num) && isfinite(num) &&
        t->dtype >= AGN_F32) { /* equal literals are one */
        int dtype = t->dtype;
        agn_release(t);
        return agni_ir_number(ir, num, dtype);
    }
    if (t && ir->rules && t->ndim > 0 && t->size > 1) {
        int64_t shape[AGNI_MAX_RANK];
        bool any = false;
        memcpy(shape, t->shape, (size_t)t->ndim * sizeof *shape);
        for (int d = 0; d < t->ndim; d++)
            if (alike(t, d)) {
                shape[d] = 1;
                any = true;
            }
        if (!any)
            return plain_constant(ir, t);
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
        int32_t c = ir->st ? -1 : agni_ir_constant(ir, own);
        agni_attr at = {.ni = t->ndim, .i = t->shape};
        int32_t v = c < 0 ? -1 : agni_emit(ir, &agni_op_broadcast_to, &at, 1, &c);
        agn_release(t);
        return v;
    }
    return plain_constant(ir, t);
}

int32_t agni_ir_number(agni_ir *ir, double v, int dtype)
{
    agn_tensor *t = NULL;
    int32_t have = ir->n_number < AGNI_COUNT(ir->number) ? ir->n_number
                                                         : AGNI_COUNT(ir->number);
    for (int32_t i = 0; i < have; i++) {
        const agni_ival *q = &ir->val[ir->number[i]];
        if (q->t->dtype == dtype && q->num == v && signbit(q->num) == signbit(v))
            return ir->number[i];
    }
    ir->st = agn_full(&t, dtype, 0, NULL, v);
    int32_t c = ir->st ? -1 : plain_constant(ir, t);
    if (c >= 0)
        ir->number[ir->n_number++ % AGNI_COUNT(ir->number)] = c;
    return c;
}

/* ---- applications ----------------------------------------------------------------------- */

static uint64_t hash_of(const agni_op *op, const agni_attr *at, int nin,
                        const int32_t *arg)
{
    uint64_t h = (uint64_t)(uintptr_t)op * 0x9E3779B97F4A7C15u;
    for (int i = 0; i < nin; i++)
        h = (h ^ (uint64_t)(uint32_t)arg[i]) * 0xD6E8FEB86659FD93u, h ^= h >> 29;
    for (int i = 0; at && i < at->ni; i++)
        h = (h ^ (uint64_t)at->i[i]) * 0xD6E8FEB86659FD93u, h ^= h >> 29;
    return h ^ h >> 32;
}

static bool has_attr(const agni_attr *at)
{
    return at && (at->ni || at->nf || at->obj);
}

static bool same_attr(const agni_attr *a, const agni_attr *b)
{
    return has_attr(a) == has_attr(b) && (!has_attr(a) || agni_attr_equal(a, b));
}

static bool grow_table(agni_ir *ir)
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
        uint64_t h = hash_of(q->op, q->at, q->nin, ir->arg + q->arg) % (uint64_t)n;
        ir->chain[k] = b[h];
        b[h] = k;
    }
    return true;
}

extern const agni_op agni_op_div;

/* x / c with a number c other than 0: as finite as a product */
static bool divided_by_number(const agni_ir *ir, const agni_pnode *n)
{
    if (n->op != &agni_op_div)
        return false;
    int32_t c = agni_arg(ir, n, 1);
    const agni_pnode *wide = agni_def(ir, c, &agni_op_broadcast_to);
    const agni_ival *q = &ir->val[wide ? agni_arg(ir, wide, 0) : c];
    return q->splat && q->num != 0 && isfinite(q->num);
}

/* what follows from a value's definition: finite for sure? may zeros stand for nothing? */
static void describe(agni_ir *ir, const agni_pnode *n, agni_ival *q)
{
    const agni_op *op = n->op;
    unsigned traits = agni_traits(op);
    bool singular = (traits & AGNI_SINGULAR) && !divided_by_number(ir, n);
    bool tame = (op->ew >= 0 || op->transpose) && !singular,
         bounded = true, holes = false, all = true;
    for (int i = 0; i < n->nin; i++) {
        const agni_ival *a = &ir->val[ir->arg[n->arg + i]];
        tame = tame && a->tame;
        bounded = bounded && a->bounded;
        holes |= a->holes;
        all = all && a->holes;
    }
    bool product = op == &agni_op_mul || op == &agni_op_mulz;
    q->tame = tame;
    q->bounded = tame && bounded;
    if ((traits & AGNI_WITHIN) && agni_kind(q->t->dtype) == AGNI_KIND_FLOAT)
        q->tame = q->bounded = true;
    if (op == &agni_op_unslice || op == &agni_op_scatter_add ||
        op == &agni_op_scatter_put)
        q->holes = true;
    else if (op == &agni_op_matmul || op == &agni_op_sum)
        q->holes = false;
    else if (op->nin == 1 || op == &agni_op_concat || product)
        q->holes = holes;
    else
        q->holes = all && n->nin > 0;
}

/* a node whose arguments are constants runs now, if its results are small */
static bool fold(agni_ir *ir, const agni_call *c, int32_t *first)
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
        *first = plain_constant(ir, z);
    }
    agn_release(y);
    return *first >= 0;
}

static int32_t append(agni_ir *ir, const agni_op *op, const agni_attr *at, int nin,
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
    if (ir->st || (constant && op != &agni_op_broadcast_to && fold(ir, &c, &first)))
        goto done;
    if (!room(ir, &ir->node, &ir->cap_node, ir->n_node + 1, sizeof *ir->node) ||
        !room(ir, &ir->arg, &ir->cap_arg, ir->n_arg + nin, sizeof *ir->arg) ||
        !grow_table(ir))
        goto done;
    agni_attr *keep = has_attr(at) ? agni_attr_keep(at) : NULL;
    if (has_attr(at) && !keep) {
        ir->st = agni_nomem("compile", sizeof *keep);
        goto done;
    }
    int32_t k = ir->n_node, v0 = ir->n_val;
    uint64_t h = hash_of(op, at, nin, arg) % (uint64_t)ir->n_bucket;
    ir->node[k] = (agni_pnode){op, keep, nin, nout, ir->n_arg, v0};
    if (nin)
        memcpy(ir->arg + ir->n_arg, arg, (size_t)nin * sizeof *arg);
    ir->n_arg += nin;
    ir->chain[k] = ir->bucket[h];
    ir->bucket[h] = k;
    ir->n_node++;
    for (int o = 0; o < nout; o++) {
        int32_t v = value_new(
            ir, agni_tensor_header(meta[o].dtype, meta[o].ndim, meta[o].shape));
        if (v < 0)
            goto done;
        ir->val[v].node = k;
        describe(ir, &ir->node[k], &ir->val[v]);
    }
    first = v0;
done:
    if (in != few)
        agni_free(in);
    if (meta != &meta1)
        agni_free(meta);
    return ir->st ? -1 : first;
}

/* the first of nout results */
static int32_t emit_many(agni_ir *ir, const agni_op *op, const agni_attr *at, int nin,
                         const int32_t *arg, int nout)
{
    for (int i = 0; i < nin; i++)
        if (arg[i] < 0)
            return -1;
    if (ir->st)
        return -1;
    if (ir->rules && nout == 1) {
        int32_t v = agni_rewrite(ir, op, at, nin, arg);
        if (v >= 0 || ir->st) {
            ir->changed++;
            return v;
        }
    }
    if (ir->rules && ir->bucket) {
        uint64_t h = hash_of(op, at, nin, arg) % (uint64_t)ir->n_bucket;
        for (int32_t k = ir->bucket[h]; k >= 0; k = ir->chain[k]) {
            const agni_pnode *q = &ir->node[k];
            if (q->op == op && q->nin == nin && q->nout == nout &&
                same_attr(q->at, at) &&
                (!nin || !memcmp(ir->arg + q->arg, arg, (size_t)nin * sizeof *arg)))
                return q->val;
        }
    }
    return append(ir, op, at, nin, arg, nout);
}

int32_t agni_emit(agni_ir *ir, const agni_op *op, const agni_attr *at, int nin,
                  const int32_t *arg)
{
    return emit_many(ir, op, at, nin, arg, 1);
}

/* ---- from a program, and again from itself -------------------------------------------------- */

static agni_ir *ir_new(int n_in, int n_out, bool rules)
{
    agni_ir *ir = agni_zalloc(sizeof *ir);
    if (!ir)
        return NULL;
    ir->rules = rules;
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

static void input(agni_ir *ir, int i, const agn_tensor *x)
{
    agn_tensor *t = agni_tensor_header(x->dtype, x->ndim, x->shape);
    int32_t v = value_new(ir, t);
    ir->in[i] = v;
    if (v < 0)
        return;
    ir->val[v].input = i;
    ir->val[v].tame = true;
}

/* Another node of the source that gives the results of node k and more, of arguments that are known
   by now. */
static const agni_pnode *wider(const agni_pnode *node, int n_node, int k, const int32_t *arg,
                               const bool *live, const int32_t *map)
{
    const agni_pnode *n = &node[k];
    for (int j = 0; n->op->covers && j < n_node; j++) {
        const agni_pnode *w = &node[j];
        bool good = j != k && live[j] && w->op == n->op && w->nin == n->nin &&
                    w->nout >= n->nout && n->op->covers(w->at, n->at);
        for (int i = 0; good && i < n->nin; i++)
            good = map[arg[w->arg + i]] >= 0 && map[arg[w->arg + i]] == map[arg[n->arg + i]];
        if (good)
            return w;
    }
    return n;
}

/* nodes live[k] of a source, its values renamed by map */
static void copy_nodes(agni_ir *ir, const agni_pnode *node, int n_node,
                       const int32_t *arg, const bool *live, const uint8_t *sign,
                       int32_t *map)
{
    for (int k = 0; k < n_node && !ir->st; k++) {
        const agni_pnode *n = &node[k], *w;
        int32_t few[FEW], *a = few;
        if (!live[k])
            continue;
        w = wider(node, n_node, k, arg, live, map);
        if (n->nin > FEW && !(a = agni_alloc((size_t)n->nin * sizeof *a))) {
            ir->st = agni_nomem("compile", (size_t)n->nin * sizeof *a);
            return;
        }
        for (int i = 0; i < n->nin; i++)
            a[i] = map[arg[n->arg + i]];
        ir->sign = sign[n->val];
        int32_t v = emit_many(ir, w->op, w->at, w->nin, a, w->nout);
        for (int o = 0; o < n->nout; o++)
            map[n->val + o] = v < 0 ? -1 : v + o;
        if (a != few)
            agni_free(a);
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
static uint8_t sign_of(const agni_pnode *n, int i, const agn_tensor *x,
                       const agn_tensor *y, uint8_t on)
{
    bool real = agni_kind(x->dtype) != AGNI_KIND_COMPLEX;
    unsigned traits = agni_traits(n->op);
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

/* sign[v] of each value of a source, from the results back */
static void find_signs(const agni_prog *p, const agni_ir *old, uint8_t *sign)
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
            sign[v] |= sign_of(n, i, p ? p->val[v] : old->val[v].t,
                               p ? p->val[n->val] : old->val[n->val].t, on);
        }
    }
}

/* Copies a source through the rules: either p or old. */
static agni_ir *rebuild(const agni_prog *p, const agni_ir *old, bool rules)
{
    int n_val = p ? p->n_val : old->n_val, n_node = p ? p->n_node : old->n_node;
    int n_in = p ? p->n_in : old->n_in, n_out = p ? p->n_out : old->n_out;
    const agni_pnode *node = p ? p->node : old->node;
    const int32_t *arg = p ? p->arg : old->arg, *out = p ? p->out : old->out;
    agni_ir *ir = ir_new(n_in, n_out, rules);
    int32_t *map = agni_alloc((size_t)(n_val + 1) * sizeof *map);
    bool *value = agni_zalloc((size_t)(n_val + 1)),
         *live = agni_zalloc((size_t)(n_node + 1));
    uint8_t *sign = agni_zalloc((size_t)(n_val + 1));
    if (!ir || !map || !value || !live || !sign) {
        agni_ir_free(ir);
        ir = NULL;
        goto done;
    }
    for (int i = 0; i < n_out; i++)
        value[out[i]] = true;
    for (int v = 0; v <= n_val; v++)
        map[v] = -1;
    mark_live(node, n_node, arg, value, live);
    find_signs(p, old, sign);
    for (int k = 0; k < n_node; k++)
        ir->masks |= live[k] && (agni_traits(node[k].op) & AGNI_MASKS);
    for (int i = 0; i < n_in; i++) {
        input(ir, i, p ? p->val[i] : old->val[old->in[i]].t);
        map[p ? i : old->in[i]] = ir->in[i];
    }
    for (int v = 0; v < n_val && !ir->st; v++) {
        bool constant = p ? v >= p->n_in && v < p->n_in + p->n_cap
                          : old->val[v].constant;
        if (!constant || !value[v])
            continue;
        const agn_tensor *t = p ? p->val[v] : old->val[v].t;
        int32_t c = p ? agni_ir_constant(ir, agni_tensor_ref(t))
                      : plain_constant(ir, agni_tensor_ref(t));
        if (c >= 0 && ir->val[c].t == t)
            ir->val[c].captured = p != NULL || old->val[v].captured;
        map[v] = c;
    }
    copy_nodes(ir, node, n_node, arg, live, sign, map);
    for (int i = 0; i < n_out; i++)
        ir->out[i] = map[out[i]];
done:
    agni_free(map);
    agni_free(value);
    agni_free(live);
    agni_free(sign);
    return ir;
}

agn_status agni_ir_make(agni_ir **out, const agni_prog *p, bool rules)
{
    enum { PASSES = 8 };
    agni_ir *ir = rebuild(p, NULL, rules);
    for (int i = 0; i < PASSES && rules && ir && !ir->st; i++) {
        int32_t before = ir->n_node;
        agni_ir *next = rebuild(NULL, ir, true);
        agni_ir_free(ir);
        ir = next;
        if (!ir || (!ir->changed && ir->n_node == before))
            break;
    }
    if (!ir)
        return agni_nomem("compile", sizeof *ir);
    agn_status st = ir->st;
    if (st)
        agni_ir_free(ir);
    else
        *out = ir;
    return st;
}
