/* closed_program.c - a recorded program as a function (a closed jaxpr in JAX): replayed, its
   body never runs again. */
#include "autograd/transforms/transform.h"

typedef struct closed_program {
    const char *name;
    agni_prog *p;
    int32_t n_extra;
    agn_tensor **extra; /* captured, and recorded or without a value */
} closed_program;

static void free_closed_program(void *data)
{
    closed_program *q = data;
    for (int i = 0; i < q->n_extra; i++)
        agn_release(q->extra[i]);
    agni_free(q->extra);
    agni_prog_release(q->p);
    agni_free(q);
}

static agn_status run_closed_program(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                                     const agn_tensor **out)
{
    const closed_program *q = f->data;
    const agn_tensor **a = agni_alloc((size_t)(q->p->n_in + 1) * sizeof *a);
    if (!a)
        return agni_nomem(q->name, (size_t)q->p->n_in * sizeof *a);
    for (int i = 0; i < f->n_in; i++)
        a[i] = agni_is_differentiable(q->p->val[i])
                   ? agni_fit_seed(s, q->name, "argument", i, in[i], q->p->val[i])
                   : in[i];
    for (int i = 0; i < q->n_extra; i++)
        a[f->n_in + i] = q->extra[i];
    if (!agn_scope_status(s))
        agni_prog_replay(q->p, s, a, out, NULL);
    agni_free(a);
    return agn_scope_status(s);
}

agn_status agni_fn_from_program(agn_fn **out, const char *name, const agni_prog *live)
{
    const agn_tensor **extra = NULL;
    closed_program *q = agni_zalloc(sizeof *q);
    int n = 0;
    agn_status st = q ? agni_prog_store(&q->p, live, &n, &extra)
                      : agni_nomem(name, sizeof *q);
    if (!st && !(q->extra = agni_alloc((size_t)(n + 1) * sizeof *q->extra)))
        st = agni_nomem(name, (size_t)n * sizeof *q->extra);
    for (; !st && q->n_extra < n; q->n_extra++)
        q->extra[q->n_extra] = agni_tensor_ref(extra[q->n_extra]);
    agni_free(extra);
    if (!st) {
        q->name = name;
        st = agni_fn_make(out, run_closed_program, live->n_in, live->n_out, q, free_closed_program);
    }
    if (st && q)
        free_closed_program(q);
    return st;
}
