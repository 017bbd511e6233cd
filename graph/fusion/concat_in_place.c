/* graph/fusion/concat_in_place.c - operands of a concat along the outermost axis are written
   into its result; the concat then copies only what was in memory of its own, on a device in one
   launch. */
#include "graph/launch/launch.h"
#include "graph/memory/plan.h"

#include "graph/fusion/partition.h"
#include "tensor/rows/loop_kernels.h"

enum { WORTH = 1 << 10 }; /* elements; fewer are copied */

/* Do the operands lie one behind the other in the result? */
static bool is_outermost_concat(const agni_plan *p, const agni_pnode *n)
{
    const agn_tensor *y = p->val[n->val].h;
    for (int d = 0; d < y->ndim + n->at->i[0]; d++)
        if (y->shape[d] != 1)
            return false;
    for (int i = 0; i < n->nin; i++)
        if (p->val[p->ir->arg[n->arg + i]].h->dtype != y->dtype)
            return false;
    return true;
}

/* the value whose memory v will look at: v, or what it is a reshape of */
static int32_t defining_value(const agni_plan *p, const agni_partition *c, int32_t v)
{
    int k = p->ir->val[v].node;
    while (k >= 0 && p->ir->node[k].op == &agni_op_reshape &&
           c->mode[k] == AGNI_WHOLE) {
        v = p->ir->arg[p->ir->node[k].arg];
        k = p->ir->val[v].node;
    }
    return v;
}

/* Is it made by a step that writes it as a whole, and no result of the program? */
static bool may_write_in_place(const agni_plan *p, const agni_partition *c, int32_t v)
{
    int k = p->ir->val[v].node;
    if (k < 0 || p->placement[v].in >= 0 || p->val[v].h->size < WORTH)
        return false;
    const agni_pnode *n = &p->ir->node[k];
    bool kernel = c->mode[k] == AGNI_WHOLE && !n->op->view && n->op->cpu &&
                  n->nout == 1;
    bool stored = c->mode[k] == AGNI_TILE && c->stored[v];
    for (int o = 0; o < p->ir->n_out; o++)
        if (p->ir->out[o] == v)
            return false;
    return kernel || stored;
}

agn_status agni_plan_concat_slots(agni_plan *p, const agni_partition *c)
{
    size_t nv = (size_t)p->ir->n_val + 1;
    p->placement = agni_alloc(nv * sizeof *p->placement);
    if (!p->placement)
        return agni_nomem("compile", nv * sizeof *p->placement);
    for (size_t v = 0; v < nv; v++)
        p->placement[v] = (agni_placement){.in = -1};
    for (int k = 0; k < p->ir->n_node; k++) {
        const agni_pnode *n = &p->ir->node[k];
        int64_t at = 0;
        if (n->op != &agni_op_concat || c->mode[k] != AGNI_WHOLE || !is_outermost_concat(p, n))
            continue;
        for (int i = 0; i < n->nin; i++) {
            int32_t v = p->ir->arg[n->arg + i], from = defining_value(p, c, v);
            if (may_write_in_place(p, c, from))
                p->placement[from] = (agni_placement){.in = n->val, .offset = at};
            at += agni_tensor_bytes(p->val[v].h);
        }
    }
    return AGN_OK;
}

/* n copies as one launch of a device */
static agn_status move_all(agni_plan *p, const agn_kernel_entry *k, int n, const int32_t *from,
                           const int32_t *to)
{
    int64_t *how = agni_alloc(((size_t)n + 2) * sizeof *how);
    if (!how)
        return agni_nomem("compile", (size_t)n * sizeof *how);
    for (int i = 0; i < n; i++)
        how[i] = AGNI_MOVE_ALL;
    how[n] = -1;
    how[n + 1] = 0;
    agni_attr *at = agni_attr_keep(&(agni_attr){.ni = n + 2, .i = how});
    agni_free(how);
    if (!at)
        return agni_nomem("compile", sizeof *at);
    agn_status st = agni_plan_add_step(p,
                                       (agni_step){.kind = AGNI_STEP_KERNEL,
                                                   .nin = n,
                                                   .nout = n,
                                                   .op = &agni_op_copies,
                                                   .at = at,
                                                   .owns_at = true,
                                                   .run = k->run},
                                       from, to);
    if (st)
        agni_obj_release(&at->head);
    return st;
}

/* On a device those that are row-major are one launch, where it has the kernel. */
static agn_status copy_rest(agni_plan *p, int n, const int32_t *from, int32_t *to)
{
    const agn_kernel_entry *k =
        p->device == AGN_CPU ? NULL : agni_find_named_kernel(p->device, "loop_move", -1);
    agn_status st = AGN_OK;
    for (int i = 0; !st && i < n; i++)
        if (!k || !agni_is_contiguous(p->val[from[i]].h)) {
            st = agni_plan_add_copy(p, from[i], to[i]);
            to[i] = -1;
        }
    int many = 0;
    int32_t *x = agni_alloc(2 * ((size_t)n + 1) * sizeof *x), *y = x ? x + n : NULL;
    if (!x)
        return st ? st : agni_nomem("compile", (size_t)n * sizeof *x);
    for (int i = 0; i < n; i++)
        if (to[i] >= 0) {
            x[many] = from[i];
            y[many++] = to[i];
        }
    if (!st && many)
        st = many > 1 ? move_all(p, k, many, x, y) : agni_plan_add_copy(p, x[0], y[0]);
    agni_free(x);
    return st;
}

agn_status agni_plan_concat_in_place(agni_plan *p, const agni_pnode *n, bool *done)
{
    int32_t y = n->val;
    int64_t at = 0;
    agn_status st = AGN_OK;
    for (int i = 0; i < n->nin && !*done; i++) {
        const agni_plan_value *x = &p->val[p->ir->arg[n->arg + i]];
        *done = p->val[y].buffer >= 0 && x->buffer == p->val[y].buffer;
    }
    if (!*done)
        return AGN_OK;
    int many = 0;
    int32_t *from = agni_alloc(2 * ((size_t)n->nin + 1) * sizeof *from);
    if (!from)
        return agni_nomem("compile", (size_t)n->nin * sizeof *from);
    int32_t *to = from + n->nin;
    for (int i = 0; i < n->nin && !st; i++) {
        int32_t v = p->ir->arg[n->arg + i];
        const agni_plan_value x = p->val[v];
        int64_t bytes = agni_tensor_bytes(x.h), place = p->val[y].offset + at;
        at += bytes;
        if (!bytes ||
            (x.buffer == p->val[y].buffer && x.offset == place && agni_is_contiguous(x.h)))
            continue;
        from[many] = v;
        to[many] = agni_plan_add_value(p, x.h);
        if (to[many] < 0) {
            st = agni_nomem("compile", sizeof x);
            break;
        }
        p->val[to[many]].buffer = p->val[y].buffer;
        p->val[to[many++]].offset = place;
    }
    st = st ? st : copy_rest(p, many, from, to);
    agni_free(from);
    agni_plan_extend_live_range(p, y);
    return st;
}
