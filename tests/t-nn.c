/* tests/t-nn.c - activations, losses and layers: values, gradients and Hessians as
   PyTorch has them, all modes to order 3, layouts, dtypes, every allocation failing. */
#include "tests/nn.h"

static const struct {
    const char *name;
    function *f;
} functions[] = {
#define ENTER(name, expr) {#name, f_##name},
    EACH(ENTER)};

static const struct {
    const char *name;
    const double *v;
} golden[] = {
#define GOLDEN(name, ...) {name, (const double[]){__VA_ARGS__}},
#include "tests/data/nn.inc"
};

static agn_tensor *read_tensor(const double **p, int dtype)
{
    int64_t shape[AGN_MAX_RANK];
    int ndim = (int)*(*p)++;
    for (int d = 0; d < ndim; d++)
        shape[d] = (int64_t) * (*p)++;
    agn_tensor *x = of_reals(dtype, ndim, shape, *p);
    *p += agn_numel(x);
    return x;
}
static agn_tensor *read_like(const double **p, const agn_tensor *x)
{
    agn_tensor *y = of_reals(AGN_F64, agn_ndim(x), agn_shape(x), *p);
    *p += agn_numel(x);
    return y;
}

static double worst[3];
static void compare(tally *t, int order, const agn_tensor *have, const agn_tensor *want,
                    const char *name, const char *what)
{
    double d = modes_apart(have, want);
    worst[order] = fmax(worst[order], d);
    check(t, d < 4e-14, "%s: %s apart by %.2g", name, what, d);
}

/* these have derivatives that differ from differences on purpose */
static bool holds_constants(const char *name)
{
    static const char *const some[] = {"embedding", "running_mean", "running_var",
                                       "spectral_norm"};
    for (int k = 0; k < COUNT(some); k++)
        if (!strcmp(name, some[k]))
            return true;
    return false;
}

static void one_golden(tally *t, const char *name, function *f, const double *p)
{
    problem q = {.f = f};
    agn_tensor *g[ARGS], *h[ARGS];
    const agn_tensor *x[2 * ARGS];
    int32_t every[ARGS];
    q.n = (int)*p++;
    for (int i = 0; i < q.n; i++) {
        int kind = (int)*p++;
        q.x[i] = read_tensor(&p, kind == 1 ? AGN_I64 : AGN_F64);
        if (kind == 0)
            q.real[q.n_real++] = i;
    }
    agn_tensor *want = read_tensor(&p, AGN_F64), *w = read_like(&p, want), *y = NULL,
               *z = NULL;
    for (int i = 0; i < q.n_real; i++) {
        every[i] = i;
        x[i] = q.x[q.real[i]];
    }
    agn_fn *fn, *fast, *scalar, *grad, *hvp;
    must(agn_fn_new(&fn, body, &q, NULL, q.n_real, 1));
    agn_status st = agn_fn_call(&y, 1, fn, x, agn_fn_n_in(fn));
    if (st)
        bail_out("%s: %s", name, agn_error_message());
    compare(t, 0, y, want, name, "value");
    must(agn_fn_compile(&fast, fn, NULL));
    must(agn_fn_call(&z, 1, fast, x, agn_fn_n_in(fast)));
    compare(t, 0, z, want, name, "compiled value");
    const agn_tensor *ws[1] = {w};
    modes_scalar m = {fn, 0, 1, q.n_real, 0, ws, NULL};
    must(agn_fn_new(&scalar, modes_scalar_body, &m, NULL, q.n_real, 1));
    must(agn_fn_grad(&grad, scalar, every, q.n_real));
    must(agn_fn_hvp(&hvp, scalar, every, q.n_real));
    must(agn_fn_call(g, agn_fn_n_out(grad), grad, x, agn_fn_n_in(grad)));
    for (int i = 0; i < q.n_real; i++) {
        agn_tensor *u = read_like(&p, x[i]);
        compare(t, 1, g[i], u, name, "gradient");
        agn_release(u);
        agn_release(g[i]);
    }
    for (int i = 0; i < q.n_real; i++)
        x[q.n_real + i] = read_like(&p, x[i]);
    must(agn_fn_call(h, agn_fn_n_out(hvp), hvp, x, agn_fn_n_in(hvp)));
    for (int i = 0; i < q.n_real; i++) {
        agn_tensor *u = read_like(&p, x[i]);
        compare(t, 2, h[i], u, name, "product with the Hessian");
        agn_release(u);
        agn_release(h[i]);
        agn_release((agn_tensor *)(uintptr_t)x[q.n_real + i]);
    }
    if (q.n_real <= MODES_ARGS && tap_scale(2) == 2 && !holds_constants(name))
        in_every_mode(fn, q.n_real, x, 5e-3, 2e-8, name);
    agn_fn_release(fn);
    agn_fn_release(fast);
    agn_fn_release(scalar);
    agn_fn_release(grad);
    agn_fn_release(hvp);
    for (int i = 0; i < q.n; i++)
        agn_release(q.x[i]);
    agn_release(want);
    agn_release(w);
    agn_release(y);
    agn_release(z);
}

static void test_golden(void)
{
    tally t = {0, 0};
    for (int k = 0; k < COUNT(golden); k++) {
        function *f = NULL;
        for (int i = 0; i < COUNT(functions); i++)
            if (!strcmp(functions[i].name, golden[k].name))
                f = functions[i].f;
        if (f)
            one_golden(&t, golden[k].name, f, golden[k].v);
        check(&t, f != NULL, "no function for %s", golden[k].name);
    }
    for (int i = 0; i < COUNT(functions); i++) {
        bool found = false;
        for (int k = 0; k < COUNT(golden); k++)
            found |= !strcmp(functions[i].name, golden[k].name);
        check(&t, found, "no answers for %s", functions[i].name);
    }
    tell(&t,
         "%d functions against PyTorch: values to %.1e, gradients %.1e, Hessians %.1e",
         COUNT(golden), worst[0], worst[1], worst[2]);
}
/* ---- dtypes, layouts, memory ----------------------------------------------------- */

static agn_status make_one(void *user, agn_tensor **out)
{
    const problem *q = user;
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_return(s, out, q->f(s, (args)q->x));
    return agn_scope_close(s);
}

/* the function of what read_tensor made, each real argument changed by to */
static agn_tensor *remade(const problem *q, agn_tensor *(*to)(const agn_tensor *, int),
                          int how)
{
    problem p = *q;
    agn_tensor *y = NULL;
    for (int i = 0; i < q->n; i++)
        p.x[i] = to(q->x[i], how);
    must(make_one(&p, &y));
    for (int i = 0; i < q->n; i++)
        agn_release(p.x[i]);
    return y;
}
static agn_tensor *as_dtype(const agn_tensor *x, int dtype)
{
    agn_tensor *y = NULL;
    if (kind_of(agn_dtype_of(x)) == KIND_INT)
        return agn_retain(x);
    must(agn_cast(&y, x, dtype));
    return y;
}

static void test_forms(void)
{
    tally layouts = {0, 0}, narrow = {0, 0};
    for (int k = 0; k < COUNT(golden); k++) {
        const double *p = golden[k].v;
        problem q = {.n = (int)*p++};
        for (int i = 0; i < COUNT(functions); i++)
            if (!strcmp(functions[i].name, golden[k].name))
                q.f = functions[i].f;
        bool mixed = strstr(golden[k].name, "running") ||
                     strstr(golden[k].name, "adaptive");
        for (int i = 0; i < q.n; i++) {
            int kind = (int)*p++;
            q.x[i] = read_tensor(&p, kind == 1 ? AGN_I64 : AGN_F64);
        }
        agn_tensor *y = NULL;
        must(make_one(&q, &y));
        for (int l = 1; l < N_LAYOUTS; l++) {
            agn_tensor *z = remade(&q, laid_out, l);
            check(&layouts, modes_apart(z, y) < 1e-14, "%s of arguments %s",
                  golden[k].name, layout_names[l]);
            agn_release(z);
        }
        static const struct {
            int dtype;
            double tol;
        } to[] = {{AGN_F32, 3e-5}, {AGN_F16, 0.05}, {AGN_BF16, 0.4}};
        for (int d = 0; d < COUNT(to) && !mixed; d++) {
            agn_tensor *z = remade(&q, as_dtype, to[d].dtype), *u = NULL;
            must(agn_cast(&u, z, AGN_F64));
            double apart = modes_apart(u, y);
            check(&narrow, agn_dtype_of(z) == to[d].dtype && apart < to[d].tol,
                  "%s in %s: %s, apart by %.1e", golden[k].name,
                  agn_dtype_name(to[d].dtype), agn_dtype_name(agn_dtype_of(z)), apart);
            agn_release(z);
            agn_release(u);
        }
        if (tap_scale(2) == 2 && !strstr(golden[k].name, "running"))
            every_allocation(make_one, &q, golden[k].name);
        agn_release(y);
        for (int i = 0; i < q.n; i++)
            agn_release(q.x[i]);
    }
    tell(&layouts, "all functions of arguments in every layout");
    tell(&narrow, "all functions in f32, f16 and bf16");
    agn_tensor *x = of_reals(AGN_I32, 1, (int64_t[]){2}, (double[]){-1, 2}), *y;
    must(agn_nn_elu(&y, x, 1));
    ok(agn_dtype_of(y) == AGN_F64 && fabs(peek(y, 0) - expm1(-1)) < 1e-16,
       "integers become f64");
    agn_release(x), agn_release(y);
    must(agn_lit(&x, -1));
    must(agn_nn_silu(&y, x));
    ok(agn_ndim(y) == 0 && fabs(peek(y, 0) + 1 / (1 + exp(1))) < 1e-16, "a literal");
    agn_release(x), agn_release(y);
}
int main(void)
{
    test_golden();
    test_forms();
    return done();
}
