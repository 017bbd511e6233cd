/* tools/bound.c - an op as a function of some of its arguments, the others held. */
#include "ask.h"

agn_status bind(bound *b, const subject *s, bool all, int lane)
{
    *b = (bound){.s = s, .dtype = main_dtype(s)};
    for (int i = 0; i < s->c.n_in; i++)
        if (all || (s->diff >> i & 1))
            b->var[b->n_var++] = i;
    return make_arguments(b->x, s, b->dtype, lane);
}

void unbind(bound *b)
{
    release_all(b->x, b->s->c.n_in);
}

void substitute(const bound *b, const agn_tensor *const *in, const agn_tensor **x)
{
    for (int i = 0; i < b->s->c.n_in; i++)
        x[i] = b->x[i];
    for (int v = 0; v < b->n_var; v++)
        x[b->var[v]] = in[v];
}

static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const bound *b = user;
    const agn_tensor *x[MOST_ARGS];
    agn_tensor *y[MOST_OUT] = {NULL};
    substitute(b, in, x);
    agn_status st = apply(y, b->s, b->dtype, x);
    for (int o = 0; o < b->s->n_out; o++)
        out[o] = agn_scope_adopt(s, st, &y[o]);
    return agn_scope_status(s);
}

agn_status call_transformed(bound *b, transform *t, agn_tensor **out,
                            agn_tensor *const *in)
{
    agn_fn *f = NULL, *g = NULL;
    agn_status st = agn_fn_new(&f, body, b, NULL, b->n_var, b->s->n_out);
    if (!st)
        st = t(&g, f);
    if (!st)
        st = agn_fn_call(out, agn_fn_n_out(g), g, borrow(in), agn_fn_n_in(g));
    agn_fn_release(g);
    agn_fn_release(f);
    return st;
}
