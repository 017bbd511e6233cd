/* subprograms.c - programs as an attribute of a node (regions in MLIR). */
#include "autograd/control/subprograms.h"

#include <string.h>

static void subprograms_destroy(agni_obj *o)
{
    agni_subprograms *b = (agni_subprograms *)o;
    for (int k = 0; k < b->n; k++) {
        agni_prog_release(b->at[k].p);
        agni_plan_release(atomic_load(&b->at[k].plan));
    }
    agni_free(b);
}
static int subprograms_programs(const agni_obj *o, int i, const agni_prog **p)
{
    const agni_subprograms *b = (const agni_subprograms *)o;
    if (p)
        *p = b->at[i].p;
    return b->n;
}
static agni_obj *subprograms_with_programs(const agni_obj *o, agni_prog *const *p)
{
    const agni_subprograms *old = (const agni_subprograms *)o;
    agni_subprograms *b = agni_subprograms_new(old->n);
    for (int k = 0; b && k < b->n; k++) {
        b->at[k].p = p[k];
        b->at[k].n_extra = old->at[k].n_extra;
        b->at[k].first = old->at[k].first;
    }
    if (b)
        b->shared = old->shared;
    return b ? &b->head : NULL;
}
static const agni_obj_type type = {.name = "bodies",
                                   .destroy = subprograms_destroy,
                                   .programs = subprograms_programs,
                                   .over = subprograms_with_programs};

agni_subprograms *agni_subprograms_new(int n)
{
    agni_subprograms *b = agni_zalloc(sizeof *b + (size_t)n * sizeof *b->at);
    if (!b)
        return NULL;
    agni_ref_init(&b->head.ref);
    b->head.type = &type;
    b->n = n;
    for (int k = 0; k < n; k++)
        atomic_init(&b->at[k].plan, NULL);
    return b;
}

bool agni_subprograms_trace(agni_traced_bodies *t, agn_scope *s, const char *op, int n,
                            const agni_c_body *body, const int *n_in,
                            const agn_tensor *const *const *in, const int *n_out)
{
    *t = (agni_traced_bodies){agni_subprograms_new(n), agni_zalloc((size_t)n * sizeof *t->live),
                              agni_zalloc((size_t)n * sizeof *t->extra)};
    agn_status st = agn_scope_status(s);
    if (!st && (!t->b || !t->live || !t->extra))
        st = agni_nomem(op, (size_t)n * sizeof *t->b->at);
    for (int k = 0; k < n && !st; k++) {
        uint64_t first;
        struct agni_subprogram *q = &t->b->at[k];
        if (agni_check_interrupt()) { /* nested bodies may be traced 2^depth times */
            st = agni_fail(AGN_ECANCELLED, "%s: cancelled at body %d of %d", op, k, n);
            break;
        }
        st = agni_trace_body(&t->live[k], &first, body[k].body, body[k].user, n_in[k],
                             in[k], n_out[k], true);
        if (!st)
            st = agni_prog_store(&q->p, t->live[k], &q->n_extra, &t->extra[k]);
    }
    return !agn_scope_fail(s, st);
}

void agni_subprograms_close(agni_traced_bodies *t)
{
    for (int k = 0; t->b && k < t->b->n; k++) {
        if (t->live)
            agni_prog_release(t->live[k]);
        if (t->extra)
            agni_free(t->extra[k]);
    }
    agni_free(t->live);
    agni_free(t->extra);
    if (t->b)
        agni_obj_release(&t->b->head);
}

void agni_subprograms_apply(const agni_traced_bodies *t, agn_scope *s, const agni_op *op, int ni,
                            const int64_t *ints, int n_lead, const agn_tensor *const *lead,
                            int n_shared, const agn_tensor *const *shared, int n_out,
                            const agn_tensor **out)
{
    agni_subprograms *b = t->b;
    int n = n_lead + n_shared;
    for (int k = 0; k < b->n; k++) {
        b->at[k].first = n - n_lead;
        n += b->at[k].n_extra;
    }
    b->shared = n_shared;
    const agn_tensor **a = agni_alloc((size_t)(n + 1) * sizeof *a);
    if (!a) {
        agn_scope_fail(s, agni_nomem(op->name, (size_t)n * sizeof *a));
        return;
    }
    if (n_lead)
        memcpy(a, lead, (size_t)n_lead * sizeof *a);
    if (n_shared)
        memcpy(a + n_lead, shared, (size_t)n_shared * sizeof *a);
    for (int k = 0; k < b->n; k++)
        for (int i = 0; i < b->at[k].n_extra; i++)
            a[n_lead + b->at[k].first + i] = t->extra[k][i];
    agni_apply_many_in(s, op, &(agni_attr){.ni = ni, .i = ints, .obj = &b->head}, n, a, n_out, out);
    agni_free(a);
}

void agni_subprograms_inputs(const agni_subprograms *b, int k, const agn_tensor *const *all,
                             const agn_tensor **in)
{
    const struct agni_subprogram *q = &b->at[k];
    if (b->shared)
        memcpy(in, all, (size_t)b->shared * sizeof *in);
    if (q->n_extra)
        memcpy(in + b->shared, all + q->first, (size_t)q->n_extra * sizeof *in);
}
