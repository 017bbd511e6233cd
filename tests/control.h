/* tests/control.h - two programs that are equal in every mode: values, gradients,
   tangents and jets, lanes and plans, and these within each other. */
#ifndef AGN_CONTROL_TEST_H
#define AGN_CONTROL_TEST_H

#include "tests/tap.h"
#include <agnesi/agnesi.h>
#include <math.h>
#include <string.h>

#define CHECK(call) check_ok(call, #call)
static void check_ok(agn_status st, const char *what)
{
    if (st)
        ok(false, "%s: %s", what, agn_error_message());
}

static inline agn_tensor *vec(int64_t n, const double *v)
{
    agn_tensor *x = NULL;
    CHECK(agn_from_host(&x, AGN_F64, 1, &n, v));
    return x;
}
static inline agn_tensor *num(double v)
{
    agn_tensor *x = NULL;
    CHECK(agn_full(&x, AGN_F64, 0, NULL, v));
    return x;
}

/* largest difference of two tensors, relative to 1 + |b|; infinite where shapes differ
   */
static double distance(const agn_tensor *a, const agn_tensor *b)
{
    double va[512], vb[512], d = 0;
    if (!a || !b || agn_numel(a) != agn_numel(b) || agn_numel(a) > 512)
        return INFINITY;
    size_t n = (size_t)agn_numel(a);
    if (agn_to_host(va, a, n * sizeof *va) || agn_to_host(vb, b, n * sizeof *vb))
        return INFINITY;
    for (size_t i = 0; i < n; i++) {
        double e = fabs(va[i] - vb[i]) / (1 + fabs(vb[i]));
        d = e > d || e != e ? e : d;
    }
    return d;
}

/* Calls f and g and compares all results. */
static void same(const agn_fn *f, const agn_fn *g, const agn_tensor *const *in,
                 const char *what)
{
    agn_tensor *a[16] = {NULL}, *b[16] = {NULL};
    double worst = 0;
    agn_status sa = agn_fn_call(a, agn_fn_n_out(f), f, in, agn_fn_n_in(f)), sb = agn_fn_call(b, agn_fn_n_out(g), g, in,
                                                                                agn_fn_n_in(g));
    for (int i = 0; i < agn_fn_n_out(f) && !sa && !sb; i++) {
        double d = distance(a[i], b[i]);
        worst = d > worst || d != d ? d : worst;
    }
    ok(!sa && !sb && worst < 1e-12, "%s: %s %.1e", what,
       sa || sb ? agn_error_message() : "differs by", worst);
    for (int i = 0; i < 16; i++) {
        agn_release(a[i]);
        agn_release(b[i]);
    }
}

static agn_status summed(void *f, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    const agn_tensor *y = NULL;
    if (!agn_fn_apply(s, &y, 1, f, in, agn_fn_n_in(f)))
        out[0] = ag_sum_all(s, y);
    return AGN_OK;
}

/* f and g, scalar functions of a number, are equal in every mode: gradients to order 3
   and mixed ones, tangents, jets, lanes, plans; those of reverse mode without values
   where it exists */
static void same_in_modes(agn_fn *f, agn_fn *g, const agn_tensor *const *in, int n_in,
                          int32_t arg, bool blind_reverse, const char *name)
{
    char what[96];
    agn_fn *df[4], *dg[4], *pf = NULL, *pg = NULL;
    int blind = blind_reverse ? 3 : 0; /* orders of reverse mode without values */
    same(f, g, in, name);
    df[0] = agn_fn_retain(f);
    dg[0] = agn_fn_retain(g);
    for (int o = 1; o <= 3; o++) {
        agn_fn *sf = NULL, *sg = NULL;
        /* a scalar to differentiate again: the sum of the gradient is its jvp with
           ones; use the Hessian-vector chain by grad of grad where the argument is a
           number */
        CHECK(agn_fn_grad(&sf, df[o - 1], &arg, 1));
        CHECK(agn_fn_grad(&sg, dg[o - 1], &arg, 1));
        df[o] = sf;
        dg[o] = sg;
        snprintf(what, sizeof what, "%s: reverse, order %d", name, o);
        same(sf, sg, in, what);
    }
    for (int o = 0; o <= blind; o++) {
        agn_fn *plan = NULL;
        CHECK(agn_fn_compile(&plan, df[o], NULL));
        snprintf(what, sizeof what, "%s: plan, order %d", name, o);
        same(plan, dg[o], in, what);
        agn_fn_release(plan);
    }
    CHECK(agn_fn_compile(&pf, f, NULL)); /* a compiled function within transforms */
    CHECK(agn_fn_grad(&pg, pf, &arg, 1));
    snprintf(what, sizeof what, "%s: gradient of a plan", name);
    same(pg, dg[1], in, what);
    agn_fn *jf = NULL, *jg = NULL, *hf = NULL, *hg = NULL;
    CHECK(agn_fn_jvp(&jf, df[2])); /* forward over reverse over reverse */
    CHECK(agn_fn_jvp(&jg, dg[2]));
    const agn_tensor *both[16];
    for (int i = 0; i < n_in; i++)
        both[i] = both[n_in + i] = in[i];
    snprintf(what, sizeof what, "%s: forward over reverse, order 3", name);
    same(jf, jg, both, what);
    /* jets of order 4 along ones */
    agn_fn *tf = NULL, *tg = NULL;
    CHECK(agn_fn_jet(&tf, f, 4));
    CHECK(agn_fn_jet(&tg, g, 4));
    const agn_tensor *c[40];
    agn_scope *s = agn_scope_open(NULL);
    for (int i = 0; i < n_in; i++)
        for (int k = 0; k <= 4; k++)
            c[5 * i + k] = k == 0 ? in[i]
                           : agn_dtype_of(in[i]) == AGN_BOOL
                               ? in[i]
                               : ag_full(s, AGN_F64, agn_ndim(in[i]), agn_shape(in[i]),
                                         k == 1   ? 1
                                         : k == 2 ? 0.5
                                                  : 0);
    snprintf(what, sizeof what, "%s: jet of order 4", name);
    same(tf, tg, c, what);
    /* the gradient, mapped over three values of the argument */
    agn_fn *vf = NULL, *vg = NULL;
    int32_t axes[8];
    const agn_tensor *lanes[8];
    for (int i = 0; i < n_in; i++) {
        axes[i] = i == arg ? 0 : AGN_UNBATCHED;
        lanes[i] = in[i];
    }
    const agn_tensor *three[3] = {in[arg], ag_mul_c(s, in[arg], 1.25),
                                  ag_mul_c(s, in[arg], -0.5)};
    lanes[arg] = ag_stack(s, three, 3, 0);
    CHECK(agn_fn_vmap(&vf, df[blind ? 2 : 0], axes, agn_fn_n_in(df[blind ? 2 : 0]), NULL, 0));
    CHECK(agn_fn_vmap(&vg, dg[blind ? 2 : 0], axes, agn_fn_n_in(dg[blind ? 2 : 0]), NULL, 0));
    snprintf(what, sizeof what, "%s: lanes of order %d", name, blind ? 2 : 0);
    same(vf, vg, lanes, what);
    /* and the gradient of a mapped function */
    CHECK(agn_fn_vmap(&hf, f, axes, agn_fn_n_in(f), NULL, 0));
    CHECK(agn_fn_vmap(&hg, g, axes, agn_fn_n_in(g), NULL, 0));
    agn_fn *kf = NULL, *kg = NULL;
    /* of a sum: a Jacobian would be a vmap of the transposed, without values */
    agn_fn *uf = NULL, *ug = NULL;
    CHECK(agn_fn_new(&uf, summed, hf, NULL, n_in, 1));
    CHECK(agn_fn_new(&ug, summed, hg, NULL, n_in, 1));
    CHECK(agn_fn_grad(&kf, uf, &arg, 1));
    CHECK(agn_fn_grad(&kg, ug, &arg, 1));
    snprintf(what, sizeof what, "%s: gradient of lanes", name);
    same(kf, kg, lanes, what);
    agn_fn *mf = NULL, *mg = NULL;
    CHECK(agn_fn_jvp(&mf, kf));
    CHECK(agn_fn_jvp(&mg, kg));
    for (int i = 0; i < n_in; i++)
        both[i] = both[n_in + i] = lanes[i];
    snprintf(what, sizeof what, "%s: tangents of gradients of lanes", name);
    same(mf, mg, both, what);
    if (blind) {
        agn_fn *plan = NULL;
        CHECK(agn_fn_compile(&plan, mf, NULL));
        snprintf(what, sizeof what, "%s: the same in a plan", name);
        same(plan, mg, both, what);
        agn_fn_release(plan);
    }
    CHECK(agn_scope_close(s));
    for (int o = 0; o <= 3; o++) {
        agn_fn_release(df[o]);
        agn_fn_release(dg[o]);
    }
    agn_fn *all[] = {jf, jg, hf, hg, tf, tg, vf, vg, kf, kg, uf, ug, mf, mg, pf, pg};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        agn_fn_release(all[i]);
}

static inline void same_in_all_modes(agn_fn *f, agn_fn *g, const agn_tensor *const *in,
                                     int n_in, int32_t arg, const char *name)
{
    same_in_modes(f, g, in, n_in, arg, true, name);
}

#endif
