/* tensor/dispatch/node.c - nodes: recorded applications, made by dispatch, freed without
   recursion. */
#include "tensor/dispatch/op.h"

#include <string.h>

static atomic_ullong next_id = 1;

uint64_t agni_next_node_id(void)
{
    return atomic_load_explicit(&next_id, memory_order_relaxed);
}

/* A chain of a million nodes must not recurse a million times: nodes whose count drops to
   zero while one is being freed wait in the list of the call that frees. The id is not needed
   any more and holds the link. */
static _Thread_local agni_node **waiting_nodes; /* NULL: none is being freed */

static void destroy_node(agni_obj *o)
{
    agni_node *n = (agni_node *)o, *pending = n;
    if (waiting_nodes) {
        n->id = (uint64_t)(uintptr_t)*waiting_nodes;
        *waiting_nodes = n;
        return;
    }
    n->id = 0;
    waiting_nodes = &pending;
    while (pending) {
        n = pending;
        pending = (agni_node *)(uintptr_t)n->id;
        for (int i = 0; i < n->nin; i++)
            agn_release(n->in[i]);
        for (int i = 0; n->saved && i < n->nout; i++)
            agn_release(n->saved[i]);
        if (n->at)
            agni_obj_release(&n->at->head);
        agni_free(n);
    }
    waiting_nodes = NULL;
}
static const agni_obj_type node_type = {.name = "node", .destroy = destroy_node};

static agni_node *new_node(const agni_op *op, const agni_attr *at, int nin,
                           const agn_tensor *const *in, int nout)
{
    /* versions in pairs, so that pointers may follow; nobody writes 2^32 times between two looks */
    size_t versions = ((size_t)nin + (size_t)nout + 1) / 2 * 2;
    size_t bytes = sizeof(agni_node) + versions * sizeof(uint32_t) +
                   (size_t)(nin + (nout > 1 ? nout : 0)) * sizeof(agn_tensor *);
    agni_node *n = agni_alloc(bytes);
    if (!n)
        return NULL;
    agni_attr *keep = NULL;
    if (at && (at->ni || at->nf || at->obj) && !(keep = agni_attr_keep(at))) {
        agni_free(n);
        return NULL;
    }
    agni_ref_init(&n->head.ref);
    n->head.type = &node_type;
    n->id = atomic_fetch_add_explicit(&next_id, 1, memory_order_relaxed);
    n->low = n->id;
    n->op = op;
    n->at = keep;
    n->nin = nin;
    n->nout = nout;
    n->version = (uint32_t *)(void *)(n + 1);
    n->in = (agn_tensor **)(void *)(n->version + versions);
    n->saved = nout > 1 ? n->in + nin : NULL;
    for (int i = 0; i < nout && n->saved; i++)
        n->saved[i] = NULL;
    for (int i = 0; i < nin; i++) {
        n->in[i] = agni_tensor_ref(in[i]);
        n->version[i] = (uint32_t)agni_tensor_version(in[i]);
        if (in[i]->node && in[i]->node->low < n->low)
            n->low = in[i]->node->low;
    }
    return n;
}

/* Results of piecewise constant and random ops are constants for derivatives. */
bool agni_needs_recording(const agni_op *op, int nin, const agn_tensor *const *in)
{
    if (op->cls == AGNI_DISCRETE || op->cls == AGNI_RANDOM)
        return false;
    for (int i = 0; i < nin; i++)
        if (in[i]->node && (i >= 32 || op->diff >> i & 1))
            return true;
    return false;
}

agn_status agni_record_node(const agni_op *op, const agni_attr *at, int nin,
                       const agn_tensor *const *in, int nout, agn_tensor **out)
{
    agni_node *n = new_node(op, at, nin, in, nout);
    if (!n)
        return agni_nomem(op->name, sizeof *n);
    for (int i = 0; n->saved && i < nout; i++)
        if (!(n->saved[i] = agni_tensor_alias(out[i]))) {
            agni_obj_release(&n->head);
            return agni_nomem(op->name, sizeof **out);
        }
    for (int i = 0; i < nout; i++) {
        n->version[nin + i] = (uint32_t)agni_tensor_version(out[i]);
        out[i]->node = (agni_node *)agni_obj_retain(&n->head);
        out[i]->out = i;
    }
    agni_obj_release(&n->head);
    return AGN_OK;
}

/* ---- attributes -------------------------------------------------------------------------- */

static void destroy_attr(agni_obj *o)
{
    agni_attr *a = (agni_attr *)o;
    agni_obj_release(a->obj);
    agni_free(a);
}
static const agni_obj_type attr_type = {.name = "attributes", .destroy = destroy_attr};

agni_attr *agni_attr_keep(const agni_attr *a)
{
    if (a->head.type) /* counted already */
        return (agni_attr *)agni_obj_retain(&a->head);
    size_t ni = (size_t)a->ni, nf = (size_t)a->nf;
    agni_attr *k = agni_alloc(sizeof *k + ni * sizeof(int64_t) + nf * sizeof(double));
    if (!k)
        return NULL;
    agni_ref_init(&k->head.ref);
    k->head.type = &attr_type;
    k->ni = a->ni;
    k->nf = a->nf;
    int64_t *i = (int64_t *)(void *)(k + 1);
    double *f = (double *)(void *)(i + ni);
    if (ni)
        memcpy(i, a->i, ni * sizeof *i);
    if (nf)
        memcpy(f, a->f, nf * sizeof *f);
    k->i = i;
    k->f = f;
    k->obj = agni_obj_retain(a->obj);
    return k;
}

bool agni_attr_equal(const agni_attr *a, const agni_attr *b)
{
    if (a == b)
        return true;
    if (!a || !b || a->ni != b->ni || a->nf != b->nf)
        return false;
    if (a->obj != b->obj && !(a->obj && b->obj && a->obj->type == b->obj->type &&
                              a->obj->type->equal && a->obj->type->equal(a->obj, b->obj)))
        return false;
    return (!a->ni || !memcmp(a->i, b->i, (size_t)a->ni * sizeof *a->i)) &&
           (!a->nf || !memcmp(a->f, b->f, (size_t)a->nf * sizeof *a->f));
}

/* ---- leaves ----------------------------------------------------------------------------- */

static agn_status infer_watch(agni_call *c)
{
    agni_meta_like(&c->meta[0], c->in[0]);
    return AGN_OK;
}
static agn_status view_watch(const agni_call *c, agn_tensor **out)
{
    *out = agni_tensor_alias(c->in[0]);
    return *out ? AGN_OK : agni_nomem(c->op->name, sizeof **out);
}
static const agn_tensor *transpose_watch(agn_scope *s, const agni_rule *r, int i,
                                         const agn_tensor *g)
{
    (void)s, (void)r, (void)i;
    return g;
}
const agni_op agni_op_watch = {
    .name = "watch",
    .takes = "x",
    .cls = AGNI_LINEAR,
    .nin = 1,
    .nout = 1,
    .dtypes = AGNI_ANY,
    .diff = 1,
    .ew = -1,
    .zero = 1,
    .infer = infer_watch,
    .view = view_watch,
    .zeros = AGNI_ZEROS_ALIKE,
    .transpose = transpose_watch,
    .batch = agni_batch_front,
    .lo = -3,
    .hi = 3,
    .traits = AGNI_ZERO_KEPT,
    .doc = "a leaf to differentiate with respect to",
};

agn_status agni_make_leaf(agn_tensor **out, const agn_tensor *x)
{
    if (x->layout != AGN_DENSE) /* a leaf of its values */
        return agni_sparse.apply(&agni_op_watch, NULL, 1, &x, 1, out);
    agn_tensor *y = agni_tensor_alias(x);
    if (!y)
        return agni_nomem("watch", sizeof *y);
    y->weak = false;
    agn_status st = agni_record_node(&agni_op_watch, NULL, 1, &x, 1, &y);
    if (st) {
        agn_release(y);
        return st;
    }
    *out = y;
    return AGN_OK;
}

agn_status agn_watch(agn_tensor **out, const agn_tensor *x)
{
    if (!out || !x)
        return agni_fail(AGN_ENULL, "watch: %s is NULL", x ? "out" : "x");
    return x->stale ? agni_require_host(x, "watch") : agni_make_leaf(out, x);
}

agn_status agni_make_symbol(agn_tensor **out, int dtype, int ndim, const int64_t *shape, bool weak)
{
    agn_tensor *y = agni_tensor_header(dtype, ndim, shape);
    if (!y)
        return agni_nomem("trace", sizeof *y);
    y->weak = weak;
    agn_status st = agni_record_node(&agni_op_watch, NULL, 0, NULL, 1, &y);
    if (st) {
        agn_release(y);
        return st;
    }
    *out = y;
    return AGN_OK;
}
