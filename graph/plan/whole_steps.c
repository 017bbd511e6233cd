/* graph/plan/whole_steps.c - steps on whole arrays: what is a view, what is copied, which kernel
   runs. */
#include "graph/plan/whole_steps.h"

#include "graph/plan/device_loop.h"
#include "tensor/dispatch/host_run.h"

static agn_status fail_nomem(size_t bytes)
{
    return agni_nomem("compile", bytes);
}

/* from as a row-major value: itself or a copy, one for all who ask */
static agn_status make_row_major(agni_plan *p, int32_t *v)
{
    if (agni_is_contiguous(p->val[*v].h))
        return AGN_OK;
    int32_t *made = *v < p->ir->n_val ? &p->placement[*v].copy : NULL;
    if (made && *made) {
        *v = *made;
        return AGN_OK;
    }
    int32_t c = agni_plan_add_value(p, p->val[*v].h);
    agn_status st = c < 0 ? fail_nomem(sizeof(agni_plan_value)) : agni_plan_add_copy(p, *v, c);
    *v = c;
    if (made && !st)
        *made = c;
    return st;
}

/* Headers look at a far, unused address, so that a view tells its offset. */
static char *const nowhere = (char *)((uintptr_t)1 << 40);

static agn_status plan_view(agni_plan *p, const agni_call *c, int32_t from, int32_t to,
                          bool *done)
{
    agn_tensor *x = p->val[from].h, *y = NULL;
    x->st = (agni_storage *)agni_obj_retain(&p->place->head);
    x->data = nowhere;
    agn_status st = c->op->view(c, &y);
    agni_obj_release(&x->st->head);
    x->st = NULL;
    x->data = NULL;
    if (st || !y)
        return st;
    int64_t offset = (char *)y->data - nowhere;
    agni_obj_release(&y->st->head);
    y->st = NULL;
    y->data = NULL;
    agn_release(p->val[to].h);
    p->val[to] = (agni_plan_value){y, p->val[from].buffer, p->val[from].offset + offset};
    *done = true;
    return AGN_OK;
}

static agn_status skip_kernel(const agn_kernel_call *c)
{
    (void)c;
    return AGN_OK;
}

agn_status agni_plan_whole_node(agni_plan *p, const agni_pnode *n)
{
    enum { FEW = 16 };
    int32_t few[FEW], *in = few;
    const agn_tensor *fewt[FEW], **t = fewt;
    agni_meta meta1, *meta = &meta1;
    agn_status st = AGN_OK;
    if (n->nin > FEW) {
        in = agni_alloc((size_t)n->nin * sizeof *in);
        t = agni_alloc((size_t)n->nin * sizeof *t);
    }
    if (n->nout > 1)
        meta = agni_alloc((size_t)n->nout * sizeof *meta);
    if (!in || !t || !meta) {
        st = fail_nomem((size_t)n->nin * sizeof *t);
        goto done;
    }
    for (int i = 0; i < n->nin; i++) {
        in[i] = p->ir->arg[n->arg + i];
        t[i] = p->val[in[i]].h;
    }
    agni_call c = {n->op, n->at, n->nin, n->nout, t, meta};
    bool viewed = false;
    st = n->op->infer(&c);
    if (!st && n->op->view && n->nout == 1)
        st = plan_view(p, &c, in[0], n->val, &viewed);
    if (!st && n->op == &agni_op_concat)
        st = agni_plan_concat_in_place(p, n, &viewed);
    if (st || viewed)
        goto done;
    agn_kernel *run = n->op->cpu;
    const bool loops = p->device != AGN_CPU && agni_loop_forms.count(n->op, n->at) > 0;
    bool contiguous = n->op->contiguous || loops, added = false;
    if (p->device != AGN_CPU) {
        const agn_kernel_entry *k = n->op->cls == AGNI_CONTROL
                                        ? NULL
                                        : agni_find_device_kernel(&c, p->device);
        run = k ? k->run : NULL;
        contiguous = k ? !k->strided : contiguous;
        if (!run && !n->op->eval && !(n->op->cpu && agni_find_host_row(n->op->name))) {
            st = agni_fail_no_kernel(&c, p->device);
            goto done;
        }
    }
    agni_step s = {.kind = run ? AGNI_STEP_KERNEL : AGNI_STEP_EVAL,
                   .nin = n->nin,
                   .nout = n->nout,
                   .op = n->op,
                   .at = n->at,
                   .run = run && agni_is_empty_call(&c) ? skip_kernel : run};
    int32_t out[1] = {n->val}, *o = out;
    if (n->op == &agni_op_reshape) { /* of a view: copied under the old shape */
        if (!(st = make_row_major(p, &in[0])))
            p->val[n->val] = (agni_plan_value){p->val[n->val].h, p->val[in[0]].buffer, 0};
        goto done;
    }
    if (n->nout > 1 && !(o = agni_alloc((size_t)n->nout * sizeof *o)))
        st = fail_nomem((size_t)n->nout * sizeof *o);
    for (int i = 0; !st && i < n->nout; i++)
        o[i] = n->val + i;
    for (int i = 0; !st && i < n->nin && contiguous; i++)
        st = make_row_major(p, &in[i]);
    if (!st && !run && loops)
        st = agni_plan_add_loops(p, n, in, o, &added);
    if (!st && !added)
        st = agni_plan_add_step(p, s, in, o);
    if (o != out)
        agni_free(o);
done:
    if (in != few)
        agni_free(in);
    if (t != fewt)
        agni_free(t);
    if (meta != &meta1)
        agni_free(meta);
    return st;
}
