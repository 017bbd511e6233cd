/* tests/t-lifetime.c - bodies that release the last reference to the function they belong to, in
   every way a function is called. */
#include "tests/laws.h"

#undef I /* of <complex.h> */

/* the functions that a body releases at its call number at: all references there are */
typedef struct holder {
    agn_fn *mine[2];
    int calls, at, freed;
    bool fail;
} holder;

static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    holder *u = user;
    if (u->calls++ == u->at)
        for (int i = 0; i < COUNT(u->mine); i++) {
            agn_fn_release(u->mine[i]);
            u->mine[i] = NULL;
        }
    out[0] = u->fail ? NULL : ag_sum_all(s, ag_square(s, in[0]));
    return agn_scope_status(s);
}
static void gone(void *user)
{
    ((holder *)user)->freed++;
}

static const int32_t first[] = {0};

static agn_status same(agn_fn **out, const agn_fn *f)
{
    *out = agn_fn_retain(f);
    return AGN_OK;
}
static agn_status gradient(agn_fn **out, const agn_fn *f)
{
    return agn_fn_grad(out, f, first, 1);
}
static agn_status with_value(agn_fn **out, const agn_fn *f)
{
    return agn_fn_value_and_grad(out, f, first, 1);
}
static agn_status hessian(agn_fn **out, const agn_fn *f)
{
    return agn_fn_hessian(out, f, 0);
}
static agn_status jacobian(agn_fn **out, const agn_fn *f)
{
    return agn_fn_jacobian(out, f, 0);
}
static agn_status mapped(agn_fn **out, const agn_fn *f)
{
    return agn_fn_vmap(out, f, (const int32_t[]){0}, 1, (const int32_t[]){0}, 1);
}
static agn_status checkpointed(agn_fn **out, const agn_fn *f)
{
    return agn_fn_checkpoint(out, f);
}
static agn_status looped(agn_fn **out, const agn_fn *f)
{
    return agn_fn_map(out, f, NULL, 0, NULL, 0, 0);
}
static agn_status compiled(agn_fn **out, const agn_fn *f)
{
    return agn_fn_compile(out, f, NULL);
}

static const struct {
    const char *name;
    agn_status (*make)(agn_fn **out, const agn_fn *f);
} forms[] = {
    {"itself", same},           {"grad", gradient}, {"value_and_grad", with_value},
    {"hessian", hessian},       {"jacobian", jacobian}, {"vmap", mapped},
    {"checkpoint", checkpointed}, {"map", looped},  {"compile", compiled},
};

/* f or what a transform made of it, whose last reference the body releases */
static void test_call(void)
{
    agn_tensor *x = of_reals(AGN_F64, 2, (int64_t[]){2, 3}, (double[]){1, 2, 3, 4, 5, 6});
    const agn_tensor *in[] = {x};
    for (int k = 0; k < COUNT(forms); k++)
        for (int way = 0; way < 3; way++)
            for (int fail = 0; fail < 2; fail++) {
                holder u = {.fail = fail};
                agn_fn *f = NULL, *g = NULL;
                agn_tensor *y[2] = {NULL, NULL};
                must(agn_fn_new(&f, body, &u, gone, 1, 1));
                must(forms[k].make(&g, f));
                u.mine[0] = f, u.mine[1] = g;
                agn_status st = AGN_OK;
                if (way == 0) {
                    st = agn_fn_call(y, agn_fn_n_out(g), g, in, 1);
                } else if (way == 1) {
                    const agn_tensor *z[2];
                    agn_scope *s = agn_scope_open(NULL);
                    agn_fn_apply(s, z, agn_fn_n_out(g), g, in, 1);
                    for (int i = 0; i < 2 && !agn_scope_status(s) && !u.mine[1]; i++)
                        if (i == 0)
                            agn_scope_return(s, &y[i], z[i]);
                    st = agn_scope_close(s);
                } else {
                    agn_fn *c = NULL;
                    st = agn_fn_compile(&c, g, NULL);
                    if (!st && c)
                        st = agn_fn_call(y, agn_fn_n_out(c), c, in, 1);
                    agn_fn_release(c);
                }
                for (int i = 0; i < COUNT(u.mine); i++)
                    agn_fn_release(u.mine[i]);
                ok((fail ? st != AGN_OK : !st) && u.freed == 1 && u.calls > 0,
                   "%s, %s, %s: %s, freed %d times", forms[k].name,
                   way == 0 ? "called" : way == 1 ? "applied" : "compiled",
                   fail ? "without a result" : "with one", agn_status_name(st), u.freed);
                agn_release(y[0]), agn_release(y[1]);
            }
    agn_release(x);
}

/* a minimiser whose objective goes away under it */
static void test_minimise(void)
{
    static const int kinds[] = {AGN_OPTIM_ADAM, AGN_OPTIM_LBFGS, AGN_OPTIM_BFGS};
    agn_tensor *x = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){1, 2, 3});
    const agn_tensor *in[] = {x};
    for (int k = 0; k < COUNT(kinds); k++) {
        holder u = {.at = 0};
        agn_fn *f = NULL, *g = NULL;
        agn_optim *o = NULL;
        int32_t reason;
        must(agn_fn_new(&f, body, &u, gone, 1, 1));
        must(agn_fn_value_and_grad(&g, f, first, 1));
        u.mine[0] = f, u.mine[1] = g;
        must(agn_optim_new(&o, kinds[k], in, 1, NULL));
        agn_status st = agn_optim_minimise(&reason, o, g, NULL, 0, 3, NULL, NULL);
        ok(!st, "minimise, method %d: %s", k, st ? agn_error_message() : "");
        agn_optim_release(o);
        for (int i = 0; i < COUNT(u.mine); i++)
            agn_fn_release(u.mine[i]);
        is_int(u.freed, 1, "freed once");
    }
    agn_release(x);
}

int main(void)
{
    test_call();
    test_minimise();
    return done();
}
