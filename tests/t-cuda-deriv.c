/* Derivatives on a device: gradients, Hessian-vector products, Jacobians, jets, mapped functions
   and loops give what they give on the host. */
#include "cuda.h"

/* a network of two layers, its mean square residual, a gather and a normal log density */
static agn_status net(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)user;
    const agn_tensor *h = ag_tanh(s, ag_add(s, ag_matmul(s, in[0], in[1]), in[2]));
    const agn_tensor *y = ag_matmul(s, ag_sigmoid(s, h), ag_transpose(s, in[1]));
    const agn_tensor *r = ag_sub(s, y, ag_sin(s, ag_mul_c(s, in[0], 2)));
    const agn_tensor *l = ag_logsumexp(s, ag_concat(s, (const agn_tensor *[]){y, r}, 2, 1),
                                       (int32_t[]){1}, 1, false);
    out[0] = ag_add(s, ag_mean_all(s, ag_square(s, r)), ag_sum_all(s, ag_max(s, l, NULL, 0, false)));
    return agn_scope_status(s);
}

static agn_status curve(void *user, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    (void)user;
    const agn_tensor *x = in[0];
    out[0] = ag_mul(s, ag_erf(s, ag_cumsum(s, x, 0)),
                    ag_exp(s, ag_sin(s, ag_lgamma(s, ag_add_c(s, ag_square(s, x), 1)))));
    return agn_scope_status(s);
}

static agn_status step(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    (void)user;
    out[0] = ag_tanh(s, ag_add(s, in[0], in[1]));
    out[1] = ag_sub(s, in[0], in[1]);
    return agn_scope_status(s);
}

/* a plan of f on the device: twice in the same arena, and into given memory */
static void compare_plan(const agn_fn *f, int n, agn_tensor *const *d, agn_tensor *const *want, double tol,
                         const char *what)
{
    agn_tensor *have[3][16] = {{NULL}};
    const agn_tensor *const *in = (const agn_tensor *const *)d;
    agn_fn *plan;
    int n_out = agn_fn_n_out(f);
    must(agn_fn_compile(&plan, f, NULL));
    double worst = 0;
    bool there = true;
    for (int k = 0; k < 3; k++) {
        agn_status st = AGN_OK;
        for (int o = 0; k == 2 && o < n_out; o++)
            st = st ? st : agn_neg(&have[k][o], have[0][o]);
        if (!st)
            st = k < 2 ? agn_fn_call(have[k], n_out, plan, in, n) : agn_fn_call_into(have[k], n_out, plan, in, n);
        if (st)
            diag("%s", agn_error_message());
        for (int o = 0; o < n_out; o++) {
            worst = st ? (double)INFINITY : fmax(worst, relative(have[k][o], want[o]));
            there = there && !st && agn_device_of(have[k][o]) == cuda;
        }
    }
    char text[1 << 12];
    agn_status told = agn_plan_explain(text, sizeof text, NULL, plan);
    ok(worst <= tol && there && !told, "%s, planned on the device: %.2g", what, worst);
    for (int o = 0; o < n_out; o++)
        agn_release(have[0][o]), agn_release(have[1][o]), agn_release(have[2][o]);
    agn_fn_release(plan);
}

static void compare(const agn_fn *f, int n, agn_tensor *const *h, double tol, const char *what)
{
    agn_tensor *d[8], *have[16] = {NULL}, *want[16] = {NULL};
    for (int i = 0; i < n; i++)
        d[i] = on_device(h[i]);
    must(agn_fn_call(want, agn_fn_n_out(f), f, (const agn_tensor *const *)h, agn_fn_n_in(f)));
    agn_status st = agn_fn_call(have, agn_fn_n_out(f), f, (const agn_tensor *const *)d, agn_fn_n_in(f));
    double worst = st ? (double)INFINITY : 0;
    bool there = true;
    for (int o = 0; o < agn_fn_n_out(f); o++) {
        if (!st) {
            worst = fmax(worst, relative(have[o], want[o]));
            there = there && agn_device_of(have[o]) == cuda;
        }
        agn_release(have[o]);
    }
    ok(worst <= tol && there, "%s: %.2g", what, worst);
    if (st)
        diag("%s", agn_error_message());
    compare_plan(f, n, d, want, tol, what);
    for (int o = 0; o < agn_fn_n_out(f); o++)
        agn_release(want[o]);
    for (int i = 0; i < n; i++)
        agn_release(d[i]);
}

static void test_dtype(int dtype)
{
    double tol = dtype == AGN_F32 ? 2e-4 : 1e-11;
    int64_t xs[2] = {40, 6}, ws[2] = {6, 5}, bs[1] = {5}, vs[1] = {7}, lanes[3] = {3, 40, 6};
    agn_tensor *x = random_of(dtype, 2, xs, -1, 1), *w = random_of(dtype, 2, ws, -1, 1);
    agn_tensor *b = random_of(dtype, 1, bs, -1, 1), *v = random_of(dtype, 1, vs, 0.2, 1);
    agn_tensor *t = random_of(dtype, 2, ws, -1, 1), *many = random_of(dtype, 3, lanes, -1, 1);
    agn_fn *f, *g, *hvp, *c, *jac, *hess, *jet, *map, *st, *loop, *gl;
    must(agn_fn_new(&f, net, NULL, NULL, 3, 1));
    compare(f, 3, (agn_tensor *[]){x, w, b}, tol, "a network");
    must(agn_fn_value_and_grad(&g, f, (int32_t[]){0, 1, 2}, 3));
    compare(g, 3, (agn_tensor *[]){x, w, b}, tol, "its value and gradient");
    must(agn_fn_hvp(&hvp, f, (int32_t[]){1}, 1));
    compare(hvp, 4, (agn_tensor *[]){x, w, b, t}, tol, "a Hessian-vector product");
    must(agn_fn_vmap(&map, g, (int32_t[]){0, AGN_UNBATCHED, AGN_UNBATCHED}, 3, NULL, 0));
    compare(map, 3, (agn_tensor *[]){many, w, b}, tol, "a mapped gradient");
    must(agn_fn_new(&c, curve, NULL, NULL, 1, 1));
    must(agn_fn_jacobian(&jac, c, 0));
    compare(jac, 1, (agn_tensor *[]){v}, tol, "a Jacobian");
    must(agn_fn_jet(&jet, c, 3));
    agn_tensor *cs[4] = {v, random_of(dtype, 1, vs, -1, 1), random_of(dtype, 1, vs, -1, 1),
                         random_of(dtype, 1, vs, -1, 1)};
    compare(jet, 4, cs, 10 * tol, "a jet of order 3");
    must(agn_fn_hessian(&hess, f, 2));
    compare(hess, 3, (agn_tensor *[]){x, w, b}, tol, "a Hessian");
    must(agn_fn_new(&st, step, NULL, NULL, 2, 2));
    must(agn_fn_scan(&loop, st, 1, 0, 40, false));
    agn_tensor *c0 = random_of(dtype, 1, (int64_t[]){6}, -1, 1);
    compare(loop, 2, (agn_tensor *[]){c0, x}, tol, "a loop");
    must(agn_fn_vjp(&gl, loop));
    agn_tensor *y[2];
    must(agn_fn_call(y, 2, loop, AGN_ARGS(c0, x)));
    compare(gl, 4, (agn_tensor *[]){c0, x, y[0], y[1]}, tol, "its cotangents");
    agn_release(y[0]), agn_release(y[1]), agn_release(c0);
    for (int k = 1; k < 4; k++)
        agn_release(cs[k]);
    agn_release(x), agn_release(w), agn_release(b), agn_release(v), agn_release(t);
    agn_release(many);
    agn_fn_release(f), agn_fn_release(g), agn_fn_release(hvp), agn_fn_release(c);
    agn_fn_release(jac), agn_fn_release(hess), agn_fn_release(jet), agn_fn_release(map);
    agn_fn_release(st), agn_fn_release(loop), agn_fn_release(gl);
}

int main(void)
{
    int result;
    if (!cuda_ready(&result))
        return result;
    diag("f64");
    test_dtype(AGN_F64);
    diag("f32");
    test_dtype(AGN_F32);
    is_int(agn_device_synchronize(cuda), AGN_OK, "no fault is left");
    return done();
}
