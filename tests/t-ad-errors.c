/* tests/t-ad-errors.c - every documented error of graph.h, autograd.h and tape.h provoked, and every
   allocation failed in turn: results untouched, nothing leaked, the message with its facts. */
#include "deriv.h"

#define BODY(name) static agn_status name(void *user, agn_scope *s, const T *in, T *out)
#define FORMULA(name, expression) \
    BODY(name) \
    { \
        (void)user; \
        out[0] = expression; \
        return agn_scope_status(s); \
    }
#define I64(...) ((const int64_t[]){__VA_ARGS__})

/* ---- what is asked of an error ----------------------------------------------------------- */

/* the status, a message of the form "op: ..." that has both facts */
static void refused(agn_status have, agn_status want, const char *what, const char *fact,
                    const char *other)
{
    const char *m = agn_error_message();
    bool good = have == want && strstr(m, ": ") && strstr(m, fact) && strstr(m, other);
    ok(good, "%s: %s", what, agn_status_name(want));
    if (!good)
        diag("%s, \"%s\" (facts \"%s\", \"%s\")", agn_status_name(have), m, fact, other);
}

static agn_fn *const untouched_fn = (agn_fn *)(uintptr_t)0x5eed;
static agn_tensor *const untouched = (agn_tensor *)(uintptr_t)0x5eed;

/* making a function fails; out keeps what it had */
#define NO_FN(call, want, fact, other) \
    do { \
        agn_fn *out = untouched_fn; \
        agn_status st_ = call; \
        refused(st_, want, #call, fact, other); \
        if (out != untouched_fn) \
            ok(false, "out was written"); \
    } while (0)

/* calling f fails; results keep what they had */
static void no_call(const agn_fn *f, const T *in, agn_status want, const char *what,
                    const char *fact, const char *other)
{
    agn_tensor *out[8];
    for (int i = 0; i < 8; i++)
        out[i] = untouched;
    agn_status st = agn_fn_call(out, agn_fn_n_out(f), f, in, agn_fn_n_in(f));
    refused(st, want, what, fact, other);
    for (int i = 0; i < 8; i++)
        if (out[i] != untouched)
            ok(false, "result %d was written", i);
    /* the same within a scope */
    T y[8];
    for (int i = 0; i < 8; i++)
        y[i] = untouched;
    agn_scope *s = agn_scope_open(NULL);
    st = agn_fn_apply(s, y, agn_fn_n_out(f), f, in, agn_fn_n_in(f));
    bool good = st == want && agn_scope_status(s) == want && y[0] == untouched;
    if (agn_scope_close(s) != want || !good)
        ok(false, "%s in a scope: %s", what, agn_error_message());
}

/* ---- functions ------------------------------------------------------------------------- */

FORMULA(cube, ag_mul(s, in[0], ag_square(s, in[0])))
FORMULA(total, ag_sum_all(s, ag_square(s, in[0])))
FORMULA(product, ag_mul(s, in[0], in[1]))
FORMULA(sums, ag_add(s, ag_sum_all(s, in[0]), ag_sum_all(s, in[1])))
FORMULA(complex_result, ag_complex(s, ag_sum_all(s, in[0]), ag_sum_all(s, in[0])))
FORMULA(compares, ag_gt(s, ag_sum_all(s, in[0]), ag_lit(s, 0)))
FORMULA(no_rule, apply(s, "t_bare", 1, in, 0, NULL))
FORMULA(widened, ag_concat(s, (const T[]){in[0], in[0]}, 2, 0))
FORMULA(to_single, ag_cast(s, in[0], AGN_F32))
FORMULA(tall, ag_broadcast_to(s, ag_sum_all(s, in[0]), 17,
                              I64(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)))
BODY(leaves_null)
{
    (void)user, (void)s, (void)in, (void)out;
    return AGN_OK;
}
BODY(fails)
{
    (void)user, (void)s, (void)in, (void)out;
    return AGN_EDOMAIN;
}
BODY(reads)
{
    double v;
    (void)user;
    agn_status st = agn_item_f64(&v, in[0]);
    out[0] = st ? NULL : in[0];
    return st ? st : agn_scope_status(s);
}
BODY(adds_captured)
{
    out[0] = ag_add(s, in[0], user);
    return agn_scope_status(s);
}
static int destroyed;
static void count_destroy(void *user)
{
    (void)user;
    destroyed++;
}

static agn_fn *fn(agn_body *body, int n_in, int n_out)
{
    agn_fn *f = NULL;
    if (agn_fn_new(&f, body, NULL, NULL, n_in, n_out))
        bail_out("%s", agn_error_message());
    return f;
}

/* an op from outside that says nothing of derivatives or lanes */
FORMULA(bare_eval, ag_mul_c(s, in[0], 2))
FORMULA(bare_infer, in[0] && s ? in[0] : NULL)
static const agn_op_def bare = {.size = sizeof bare, .name = "t_bare", .doc = "x times 2",
                                .n_in = 1, .n_out = 1, .eval = bare_eval, .infer = bare_infer};

static agn_tensor *x0, *x2, *x3, *m22, *i3, *c3, *flag, *x17;
static void make_tensors(void)
{
    const double v[4] = {0.5, -1.5, 2, 3};
    const int64_t n[3] = {1, 2, 3};
    const bool yes = true;
    x0 = scalar(0.5);
    x2 = vector(2, v);
    x3 = vector(3, v);
    if (agn_from_host(&m22, AGN_F64, 2, I64(2, 2), v) ||
        agn_from_host(&i3, AGN_I64, 1, I64(3), n) || agn_cast(&c3, x3, AGN_C128) ||
        agn_from_host(&flag, AGN_BOOL, 0, NULL, &yes) ||
        agn_from_host(&x17, AGN_F64, 17, I64(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1),
                      v))
        bail_out("%s", agn_error_message());
}
static void drop_tensors(void)
{
    agn_tensor *const all[] = {x0, x2, x3, m22, i3, c3, flag, x17};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        agn_release(all[i]);
}

static void functions(void)
{
    NO_FN(agn_fn_new(NULL, cube, NULL, count_destroy, 1, 1), AGN_ENULL, "fn_new", "out");
    NO_FN(agn_fn_new(&out, NULL, NULL, count_destroy, 1, 1), AGN_ENULL, "fn_new", "body");
    NO_FN(agn_fn_new(&out, cube, NULL, count_destroy, -1, 1), AGN_EARG, "-1", "1");
    NO_FN(agn_fn_new(&out, cube, NULL, count_destroy, 1, 0), AGN_EARG, "1", "0");
    is_int(destroyed, 0, "destroy is not called on failure");
    is_int(agn_fn_n_in(NULL), -1, "no function has no arguments");
    is_int(agn_fn_n_out(NULL), -1, "and no results");
    agn_fn_release(NULL);
    ok(!agn_fn_retain(NULL), "retaining nothing");
    agn_fn *f = fn(cube, 1, 1), *g = fn(leaves_null, 1, 1), *h = fn(fails, 1, 1);
    agn_tensor *out = untouched;
    refused(agn_fn_call(&out, 1, NULL, AGN_ARGS(x0)), AGN_ENULL, "call", "fn_call", "f");
    refused(agn_fn_call(NULL, 1, f, AGN_ARGS(x0)), AGN_ENULL, "call", "fn_call", "out");
    refused(agn_fn_call(&out, 1, f, NULL, 1), AGN_ENULL, "call", "fn_call", "in");
    refused(agn_fn_call(&out, 0, f, AGN_ARGS(x0)), AGN_EARG, "call", "room for 0", "has 1");
    refused(agn_fn_call(&out, 2, f, AGN_ARGS(x0)), AGN_EARG, "call", "room for 2", "has 1");
    refused(agn_fn_call(&out, 1, f, AGN_ARGS(x0, x0)), AGN_EARG, "call", "2 arguments", "has 1");
    refused(agn_fn_call(&out, 1, f, NULL, 0), AGN_EARG, "call", "0 arguments", "has 1");
    no_call(f, (const T[]){NULL}, AGN_ENULL, "a NULL argument", "argument 0", "1");
    no_call(g, (const T[]){x0}, AGN_ENULL, "a NULL result", "result 0", "1");
    agn_status st = agn_fn_call(&out, 1, h, AGN_ARGS(x0));
    is_int(st, AGN_EDOMAIN, "the status of a body that fails");
    ok(out == untouched, "and no result");
    agn_scope *s = agn_scope_open(NULL);
    T y = untouched;
    refused(agn_fn_apply(s, &y, 1, NULL, AGN_ARGS(x0)), AGN_ENULL, "apply", "fn_apply", "f");
    refused(agn_fn_apply(s, NULL, 1, f, AGN_ARGS(x0)), AGN_ENULL, "apply", "fn_apply", "out");
    refused(agn_fn_apply(s, &y, 1, f, NULL, 1), AGN_ENULL, "apply", "fn_apply", "in");
    is_int(agn_scope_close(s), AGN_ENULL, "the scope fails too");
    s = agn_scope_open(NULL);
    refused(agn_fn_apply(s, &y, 3, f, AGN_ARGS(x0)), AGN_EARG, "apply", "room for 3", "has 1");
    is_int(agn_scope_close(s), AGN_EARG, "the scope fails too");
    s = agn_scope_open(NULL);
    refused(agn_fn_apply(s, &y, 1, f, AGN_ARGS(x0, x0)), AGN_EARG, "apply", "2 arguments", "has 1");
    is_int(agn_scope_close(s), AGN_EARG, "the scope fails too");
    agn_fn_release(f);
    agn_fn_release(g);
    agn_fn_release(h);
}

/* an argument of an inner function, kept beyond its call */
static agn_status keeps(void *kept, agn_scope *s, const T *in, T *out)
{
    agn_release(*(agn_tensor **)kept);
    *(agn_tensor **)kept = agn_retain(in[0]);
    out[0] = ag_square(s, in[0]);
    return agn_scope_status(s);
}
static agn_status uses_kept(void *kept, agn_scope *s, const T *in, T *out)
{
    agn_fn *f = NULL, *all = NULL;
    T y = NULL;
    agn_status st = agn_fn_new(&f, keeps, kept, NULL, 1, 1);
    if (!st && !(st = agn_fn_vmap(&all, f, NULL, 0, NULL, 0)) && !(st = agn_fn_apply(s, &y, 1, all, in,
                                                                               agn_fn_n_in(all))))
        out[0] = ag_add(s, ag_sum_all(s, y), *(T *)kept);
    agn_fn_release(all);
    agn_fn_release(f);
    return st ? st : agn_scope_status(s);
}

static void compiling(void)
{
    agn_tensor *kept = NULL;
    agn_fn *stale = NULL, *fast = NULL;
    if (agn_fn_new(&stale, uses_kept, &kept, NULL, 1, 1) || agn_fn_compile(&fast, stale, NULL))
        bail_out("%s", agn_error_message());
    no_call(fast, (const T[]){x3}, AGN_ESYMBOLIC, "an argument kept beyond its call", "inner function",
            "after its call");
    agn_release(kept);
    agn_fn_release(fast);
    agn_fn_release(stale);
    agn_fn *f = fn(total, 1, 1), *r = fn(reads, 1, 1), *plan = NULL, *sick = NULL;
    const agn_compile_options small = {.size = 1}, many = {.size = sizeof many, .max_plans = -1};
    NO_FN(agn_fn_compile(NULL, f, NULL), AGN_ENULL, "fn_compile", "out");
    NO_FN(agn_fn_compile(&out, NULL, NULL), AGN_ENULL, "fn_compile", "f");
    NO_FN(agn_fn_compile(&out, f, &small), AGN_EARG, "1 bytes", "agn_compile_options");
    NO_FN(agn_fn_compile(&out, f, &many), AGN_EARG, "-1", "16");
    if (agn_fn_compile(&plan, f, NULL) || agn_fn_compile(&sick, r, NULL))
        bail_out("%s", agn_error_message());
    no_call(sick, (const T[]){x0}, AGN_ESYMBOLIC, "a body that reads a value", "item_f64", "cond");
    char text[64];
    size_t need;
    refused(agn_plan_explain(text, 64, &need, NULL), AGN_ENULL, "explain", "plan_explain", "f");
    refused(agn_plan_explain(NULL, 64, &need, plan), AGN_ENULL, "explain", "plan_explain", "buf");
    refused(agn_plan_explain(text, 64, &need, f), AGN_EARG, "explain", "1 argument", "compiled");
    refused(agn_plan_explain(text, 64, &need, plan), AGN_EARG, "explain", "1 argument", "called");
    agn_tensor *y = NULL, *single = NULL, *wide = NULL, *w = NULL;
    if (agn_fn_call(&y, 1, plan, AGN_ARGS(x3)) || agn_full(&single, AGN_F32, 0, NULL, 0) ||
        agn_full(&wide, AGN_F64, 1, I64(1), 0) || agn_watch(&w, x3))
        bail_out("%s", agn_error_message());
    ok(!agn_plan_explain(text, 64, &need, plan) && need > 1, "explain after a call");
    const T in[1] = {x3};
    refused(agn_fn_call_into(&y, 1, NULL, in, 1), AGN_ENULL, "into", "fn_call_into", "f");
    refused(agn_fn_call_into(NULL, 1, plan, in, 1), AGN_ENULL, "into", "fn_call_into", "out");
    refused(agn_fn_call_into(&y, 1, plan, NULL, 1), AGN_ENULL, "into", "fn_call_into", "in");
    refused(agn_fn_call_into(&y, 0, plan, in, 1), AGN_EARG, "into", "room for 0", "has 1");
    refused(agn_fn_call_into(&y, 1, plan, in, 0), AGN_EARG, "into", "0 arguments", "has 1");
    refused(agn_fn_call_into(&y, 1, f, in, 1), AGN_EARG, "into", "1 argument", "compiled");
    refused(agn_fn_call_into((agn_tensor *[]){NULL}, 1, plan, in, 1), AGN_ENULL, "into", "result 0",
            "1");
    refused(agn_fn_call_into(&y, 1, plan, AGN_ARGS(NULL)), AGN_ENULL, "into", "argument 0", "1");
    refused(agn_fn_call_into(&single, 1, plan, in, 1), AGN_EDTYPE, "into", "f64", "f32");
    refused(agn_fn_call_into(&wide, 1, plan, in, 1), AGN_ESHAPE, "into", "[]", "[1]");
    refused(agn_fn_call_into(&y, 1, plan, AGN_ARGS(w)), AGN_EARG, "into", "1", "recorded");
    refused(agn_fn_call_into(&x0, 1, plan, AGN_ARGS(x0)), AGN_EARG, "into", "result 0",
            "argument 0");
    agn_release(y);
    agn_release(single);
    agn_release(wide);
    agn_release(w);
    /* a captured tensor that was written */
    agn_tensor *captured = scalar(1);
    agn_fn *g = NULL, *gp = NULL;
    void *p = NULL;
    y = NULL;
    if (agn_fn_new(&g, adds_captured, captured, NULL, 1, 1) || agn_fn_compile(&gp, g, NULL) ||
        agn_fn_call(&y, 1, gp, AGN_ARGS(x0)) || agn_data_mut(&p, captured))
        bail_out("%s", agn_error_message());
    no_call(gp, (const T[]){x0}, AGN_ESTALE, "a captured tensor that was written", "captured",
            "written");
    agn_release(y);
    agn_release(captured);
    agn_fn_release(g);
    agn_fn_release(gp);
    agn_fn_release(f);
    agn_fn_release(r);
    agn_fn_release(plan);
    agn_fn_release(sick);
}

/* ---- gradients ----------------------------------------------------------------------------- */

typedef agn_status named(agn_fn **out, const agn_fn *f, const int32_t *argnums, int32_t n);

static void gradients(void)
{
    static named *const make[] = {agn_fn_grad, agn_fn_value_and_grad, agn_fn_hvp};
    static const char *const name[] = {"fn_grad", "fn_value_and_grad", "fn_hvp"};
    agn_fn *f = fn(sums, 2, 1), *v = fn(product, 2, 1), *z = fn(complex_result, 1, 1);
    agn_fn *b = fn(compares, 1, 1), *n = fn(no_rule, 1, 1);
    for (int k = 0; k < 3; k++) {
        NO_FN(make[k](NULL, f, NULL, 0), AGN_ENULL, name[k], "out");
        NO_FN(make[k](&out, NULL, NULL, 0), AGN_ENULL, name[k], "f");
        NO_FN(make[k](&out, f, (const int32_t[]){2}, 1), AGN_EINDEX, "argument 2", "2");
        NO_FN(make[k](&out, f, (const int32_t[]){-1}, 1), AGN_EINDEX, "-1", "2");
        NO_FN(make[k](&out, f, (const int32_t[]){1, 0, 1}, 3), AGN_EARG, "argument 1", "twice");
        NO_FN(make[k](&out, f, (const int32_t[]){1}, 0), AGN_EARG, "0", "2");
        agn_fn *g = NULL;
        if (make[k](&g, v, NULL, 0))
            bail_out("%s", agn_error_message());
        no_call(g, (const T[]){x3, x3, x3}, AGN_ESHAPE, "a result that is no scalar", "[]", "[3]");
        agn_fn_release(g);
        g = NULL;
        if (make[k](&g, f, NULL, 0))
            bail_out("%s", agn_error_message());
        no_call(g, (const T[]){i3, x3, i3}, AGN_EDTYPE, "an integer argument", "argument 0",
                "i64");
        no_call(g, (const T[]){NULL, x3, x3}, AGN_ENULL, "a NULL argument", "argument 0", " of ");
        agn_fn_release(g);
        g = NULL;
        if (make[k](&g, z, NULL, 0))
            bail_out("%s", agn_error_message());
        no_call(g, (const T[]){x3, x3}, AGN_EDTYPE, "a complex result", "c128", "real");
        agn_fn_release(g);
        g = NULL;
        if (make[k](&g, b, NULL, 0))
            bail_out("%s", agn_error_message());
        no_call(g, (const T[]){x3, x3}, AGN_EDTYPE, "a bool result", "bool", "real");
        agn_fn_release(g);
        g = NULL;
        if (make[k](&g, n, NULL, 0))
            bail_out("%s", agn_error_message());
        no_call(g, (const T[]){x0, x0}, AGN_EUNSUPPORTED, "an op without a rule", "t_bare",
                "reverse mode");
        agn_fn_release(g);
    }
    agn_fn_release(f);
    agn_fn_release(v);
    agn_fn_release(z);
    agn_fn_release(b);
    agn_fn_release(n);
}

static void directions(void)
{
    agn_fn *f = fn(product, 2, 1), *n = fn(no_rule, 1, 1), *g = NULL;
    NO_FN(agn_fn_jvp(NULL, f), AGN_ENULL, "fn_jvp", "out");
    NO_FN(agn_fn_jvp(&out, NULL), AGN_ENULL, "fn_jvp", "f");
    NO_FN(agn_fn_vjp(NULL, f), AGN_ENULL, "fn_vjp", "out");
    NO_FN(agn_fn_vjp(&out, NULL), AGN_ENULL, "fn_vjp", "f");
    if (agn_fn_jvp(&g, f))
        bail_out("%s", agn_error_message());
    no_call(g, (const T[]){x3, x3, x3, x2}, AGN_ESHAPE, "a tangent of another shape", "[2]",
            "[3]");
    no_call(g, (const T[]){x3, x3, x0, x3}, AGN_ESHAPE, "a tangent that would broadcast", "[]",
            "[3]");
    no_call(g, (const T[]){x3, x3, x3, c3}, AGN_EDTYPE, "a complex tangent of a real argument",
            "c128", "f64");
    agn_fn_release(g);
    g = NULL;
    if (agn_fn_vjp(&g, f))
        bail_out("%s", agn_error_message());
    no_call(g, (const T[]){x3, x3, x2}, AGN_ESHAPE, "a cotangent of another shape", "[2]", "[3]");
    no_call(g, (const T[]){x3, x3, c3}, AGN_EDTYPE, "a complex cotangent of a real result",
            "c128", "f64");
    agn_fn_release(g);
    g = NULL;
    if (agn_fn_jvp(&g, n))
        bail_out("%s", agn_error_message());
    no_call(g, (const T[]){x0, x0}, AGN_EUNSUPPORTED, "an op without a rule", "t_bare",
            "forward mode");
    agn_fn_release(g);
    g = NULL;
    if (agn_fn_vjp(&g, n))
        bail_out("%s", agn_error_message());
    no_call(g, (const T[]){x0, x0}, AGN_EUNSUPPORTED, "an op without a rule", "t_bare",
            "reverse mode");
    agn_fn_release(g);
    g = NULL;
    if (agn_fn_vmap(&g, n, NULL, 0, NULL, 0))
        bail_out("%s", agn_error_message());
    no_call(g, (const T[]){x3}, AGN_EUNSUPPORTED, "an op without lanes", "t_bare", "vmap");
    agn_fn_release(g);
    g = NULL;
    if (agn_fn_jet(&g, n, 2))
        bail_out("%s", agn_error_message());
    no_call(g, (const T[]){x0, x0, x0}, AGN_EUNSUPPORTED, "an op without a rule, by a jet",
            "t_bare", "mode");
    agn_fn_release(g);
    agn_fn_release(f);
    agn_fn_release(n);
}

static void matrices(void)
{
    agn_fn *f = fn(total, 1, 1), *t = fn(tall, 1, 1), *v = fn(widened, 1, 1), *g = NULL;
    NO_FN(agn_fn_jacobian(NULL, f, 0), AGN_ENULL, "fn_jacobian", "out");
    NO_FN(agn_fn_jacobian(&out, NULL, 0), AGN_ENULL, "fn_jacobian", "f");
    NO_FN(agn_fn_jacobian(&out, f, 1), AGN_EINDEX, "argument 1", "1");
    NO_FN(agn_fn_jacobian(&out, f, -1), AGN_EINDEX, "-1", "1");
    NO_FN(agn_fn_hessian(NULL, f, 0), AGN_ENULL, "fn_hessian", "out");
    NO_FN(agn_fn_hessian(&out, NULL, 0), AGN_ENULL, "fn_hessian", "f");
    NO_FN(agn_fn_hessian(&out, f, 1), AGN_EINDEX, "argument 1", "1");
    if (agn_fn_jacobian(&g, t, 0))
        bail_out("%s", agn_error_message());
    no_call(g, (const T[]){x17}, AGN_ESHAPE, "a Jacobian of rank 34", "rank", "32");
    agn_fn_release(g);
    g = NULL;
    if (agn_fn_jacobian(&g, f, 0))
        bail_out("%s", agn_error_message());
    no_call(g, (const T[]){i3}, AGN_EDTYPE, "a Jacobian by integers", "argument 0", "i64");
    agn_fn_release(g);
    g = NULL;
    if (agn_fn_hessian(&g, v, 0))
        bail_out("%s", agn_error_message());
    no_call(g, (const T[]){x3}, AGN_ESHAPE, "the Hessian of a vector", "[]", "[6]");
    agn_fn_release(g);
    agn_fn_release(f);
    agn_fn_release(t);
    agn_fn_release(v);
}

static agn_fn *vmap_of(const agn_fn *f, const int32_t *in, const int32_t *out)
{
    agn_fn *g = NULL;
    if (agn_fn_vmap(&g, f, in, agn_fn_n_in(f), out, agn_fn_n_out(f)))
        bail_out("%s", agn_error_message());
    return g;
}
static void lanes(void)
{
    agn_fn *f = fn(product, 2, 1), *r = fn(reads, 1, 1);
    NO_FN(agn_fn_vmap(NULL, f, NULL, 0, NULL, 0), AGN_ENULL, "fn_vmap", "out");
    NO_FN(agn_fn_vmap(&out, NULL, NULL, 0, NULL, 0), AGN_ENULL, "fn_vmap", "f");
    agn_fn *g = vmap_of(f, NULL, NULL);
    no_call(g, (const T[]){x3, x2}, AGN_ESHAPE, "lanes that differ", "2 lanes", "3");
    no_call(g, (const T[]){x0, x2}, AGN_EINDEX, "an argument without axes", "axis 0", "0");
    agn_fn_release(g);
    g = vmap_of(f, (const int32_t[]){1, 0}, NULL);
    no_call(g, (const T[]){x3, x3}, AGN_EINDEX, "an axis beyond", "axis 1", "1");
    agn_fn_release(g);
    g = vmap_of(f, (const int32_t[]){AGN_UNBATCHED, AGN_UNBATCHED}, NULL);
    no_call(g, (const T[]){x3, x3}, AGN_ESHAPE, "nothing batched", "no argument", "2");
    agn_fn_release(g);
    g = vmap_of(f, NULL, (const int32_t[]){1});
    no_call(g, (const T[]){x3, x3}, AGN_EINDEX, "a result's axis beyond", "axis 1", "1");
    agn_fn_release(g);
    g = vmap_of(f, NULL, (const int32_t[]){AGN_UNBATCHED});
    no_call(g, (const T[]){x3, x3}, AGN_ESHAPE, "a result with lanes said to have none",
            "result 0", "lanes");
    agn_fn_release(g);
    g = vmap_of(r, NULL, NULL);
    no_call(g, (const T[]){x3}, AGN_ESYMBOLIC, "a value read under vmap", "item_f64", "where");
    agn_fn_release(g);
    agn_fn_release(f);
    agn_fn_release(r);
}

static void series(void)
{
    agn_fn *f = fn(product, 2, 1), *g = NULL;
    NO_FN(agn_fn_jet(NULL, f, 2), AGN_ENULL, "fn_jet", "out");
    NO_FN(agn_fn_jet(&out, NULL, 2), AGN_ENULL, "fn_jet", "f");
    NO_FN(agn_fn_jet(&out, f, 0), AGN_EARG, "order 0", "64");
    NO_FN(agn_fn_jet(&out, f, 65), AGN_EARG, "order 65", "64");
    NO_FN(agn_fn_jet(&out, f, -3), AGN_EARG, "order -3", "64");
    if (agn_fn_jet(&g, f, 2))
        bail_out("%s", agn_error_message());
    no_call(g, (const T[]){x3, x3, x2, x3, x3, x3}, AGN_ESHAPE, "a coefficient of another shape",
            "[2]", "[3]");
    no_call(g, (const T[]){x3, x3, c3, x3, x3, x3}, AGN_EDTYPE,
            "a complex coefficient of a real argument", "c128", "f64");
    agn_fn_release(g);
    agn_fn_release(f);
    f = fn(total, 1, 1);
    const int32_t alpha[4] = {1, 0, 0, 2}, high[2] = {6, 5}, below_zero[2] = {-1, 1};
    NO_FN(agn_fn_partials(NULL, f, 0, alpha, 2, 2), AGN_ENULL, "fn_partials", "out");
    NO_FN(agn_fn_partials(&out, NULL, 0, alpha, 2, 2), AGN_ENULL, "fn_partials", "f");
    NO_FN(agn_fn_partials(&out, f, 0, NULL, 2, 2), AGN_ENULL, "alpha", "2");
    NO_FN(agn_fn_partials(&out, f, 1, alpha, 2, 2), AGN_EINDEX, "argument 1", "1");
    NO_FN(agn_fn_partials(&out, f, 0, high, 1, 2), AGN_EARG, "derivative 0", "10");
    NO_FN(agn_fn_partials(&out, f, 0, below_zero, 1, 2), AGN_EARG, "-1", "10");
    NO_FN(agn_fn_partials(&out, f, 0, alpha, 2, 0), AGN_EARG, "0 columns", "2");
    NO_FN(agn_fn_partials(&out, f, 0, alpha, -1, 2), AGN_EARG, "2 columns", "-1");
    g = NULL;
    if (agn_fn_partials(&g, f, 0, alpha, 2, 2))
        bail_out("%s", agn_error_message());
    no_call(g, (const T[]){x3}, AGN_ESHAPE, "columns that differ", "[3]", "2");
    no_call(g, (const T[]){x0}, AGN_ESHAPE, "no columns", "[]", "2");
    agn_fn_release(g);
    agn_fn_release(f);
}

/* ---- control ---------------------------------------------------------------------------- */

FORMULA(any_rule, in[0] && s ? in[0] : NULL)
FORMULA(wrong_dtype, ag_cast(s, in[0], AGN_C128))
FORMULA(wrong_shape, ag_concat(s, (const T[]){in[0], in[0]}, 2, 0))
FORMULA(carry_on, ag_mul_c(s, in[0], 0.5))

static void control(void)
{
    agn_fn *f = fn(carry_on, 1, 1), *two = fn(product, 2, 1), *wide = fn(widened, 1, 1);
    agn_fn *single = fn(to_single, 1, 1), *r = fn(reads, 1, 1), *g = NULL;
    NO_FN(agn_fn_checkpoint(NULL, f), AGN_ENULL, "fn_checkpoint", "out");
    NO_FN(agn_fn_checkpoint(&out, NULL), AGN_ENULL, "fn_checkpoint", "f");
    agn_custom_rule rule = {.size = sizeof rule, .destroy = count_destroy, .jvp = any_rule};
    agn_custom_rule none = {.size = sizeof none, .destroy = count_destroy};
    agn_custom_rule small = rule;
    small.size = 8;
    destroyed = 0;
    NO_FN(agn_fn_custom(NULL, f, &rule), AGN_ENULL, "fn_custom", "out");
    NO_FN(agn_fn_custom(&out, NULL, &rule), AGN_ENULL, "fn_custom", "f");
    NO_FN(agn_fn_custom(&out, f, NULL), AGN_ENULL, "fn_custom", "rule");
    NO_FN(agn_fn_custom(&out, f, &small), AGN_EARG, "8 bytes", "needed");
    NO_FN(agn_fn_custom(&out, f, &none), AGN_EARG, "neither jvp nor vjp", "1");
    is_int(destroyed, 0, "destroy is not called on failure");
    /* a rule that gives another shape */
    rule.jvp = wrong_shape;
    agn_fn *d = NULL;
    if (agn_fn_custom(&g, f, &rule) || agn_fn_jvp(&d, g))
        bail_out("%s", agn_error_message());
    no_call(d, (const T[]){x3, x3}, AGN_ESHAPE, "a rule that gives another shape", "[6]", "[3]");
    agn_fn_release(d);
    agn_fn_release(g);
    d = g = NULL;
    rule.jvp = wrong_dtype;
    if (agn_fn_custom(&g, f, &rule) || agn_fn_jvp(&d, g))
        bail_out("%s", agn_error_message());
    no_call(d, (const T[]){x3, x3}, AGN_EDTYPE, "a rule that gives another dtype", "c128", "f64");
    agn_fn_release(d);
    agn_fn_release(g);
    is_int(destroyed, 2, "destroy is called once for each in the end");
    g = NULL;
    NO_FN(agn_fn_cond(NULL, f, f), AGN_ENULL, "fn_cond", "out");
    NO_FN(agn_fn_cond(&out, NULL, f), AGN_ENULL, "fn_cond", "true");
    NO_FN(agn_fn_cond(&out, f, NULL), AGN_ENULL, "fn_cond", "false");
    NO_FN(agn_fn_cond(&out, f, two), AGN_EARG, "1 argument", "2");
    if (agn_fn_cond(&g, f, f))
        bail_out("%s", agn_error_message());
    no_call(g, (const T[]){x0, x3}, AGN_EDTYPE, "a choice that is no bool", "f64", "bool");
    agn_tensor *flags = NULL;
    if (agn_broadcast_to(&flags, flag, 1, I64(3)))
        bail_out("%s", agn_error_message());
    no_call(g, (const T[]){flags, x3}, AGN_ESHAPE, "a choice of three", "[3]", "[]");
    agn_fn_release(g);
    g = NULL;
    agn_fn *v = NULL;
    if (agn_fn_cond(&g, f, wide) || agn_fn_vmap(&v, g, (const int32_t[]){0, AGN_UNBATCHED}, 2, NULL,
                                                0))
        bail_out("%s", agn_error_message());
    no_call(v, (const T[]){flags, x3}, AGN_ESHAPE, "branches of different shapes", "[3]", "[6]");
    agn_fn_release(v);
    agn_fn_release(g);
    g = v = NULL;
    if (agn_fn_cond(&g, f, single) || agn_fn_vmap(&v, g, (const int32_t[]){0, AGN_UNBATCHED}, 2,
                                                  NULL, 0))
        bail_out("%s", agn_error_message());
    no_call(v, (const T[]){flags, x3}, AGN_EDTYPE, "branches of different dtypes", "f64", "f32");
    agn_fn_release(v);
    agn_fn_release(g);
    agn_release(flags);
    NO_FN(agn_fn_scan(NULL, two, 1, 0, 3, false), AGN_ENULL, "fn_scan", "out");
    NO_FN(agn_fn_scan(&out, NULL, 1, 0, 3, false), AGN_ENULL, "fn_scan", "step");
    NO_FN(agn_fn_scan(&out, two, -1, 0, 3, false), AGN_EARG, "-1", "2");
    NO_FN(agn_fn_scan(&out, two, 2, 0, 3, false), AGN_EARG, "2", "1");
    NO_FN(agn_fn_scan(&out, two, 1, 0, -3, false), AGN_EARG, "-3", "2");
    g = NULL;
    if (agn_fn_scan(&g, two, 1, 0, 3, false))
        bail_out("%s", agn_error_message());
    no_call(g, (const T[]){x0, x2}, AGN_ESHAPE, "an array of another length", "[2]", "3");
    no_call(g, (const T[]){x0, x0}, AGN_ESHAPE, "an array without axes", "[]", "3");
    agn_fn_release(g);
    g = NULL;
    if (agn_fn_scan(&g, wide, 1, 0, 3, false))
        bail_out("%s", agn_error_message());
    no_call(g, (const T[]){x3}, AGN_ESHAPE, "a carried value that grows", "[6]", "[3]");
    agn_fn_release(g);
    g = NULL;
    if (agn_fn_scan(&g, single, 1, 0, 3, false))
        bail_out("%s", agn_error_message());
    no_call(g, (const T[]){x3}, AGN_EDTYPE, "a carried value that changes dtype", "f32", "f64");
    agn_fn_release(g);
    g = NULL;
    if (agn_fn_scan(&g, r, 1, 0, 3, false) || agn_fn_compile(&d, g, NULL))
        bail_out("%s", agn_error_message());
    no_call(d, (const T[]){x0}, AGN_ESYMBOLIC, "a step that reads a value", "item_f64", "where");
    agn_fn_release(d);
    agn_fn_release(g);
    agn_fn_release(f);
    agn_fn_release(two);
    agn_fn_release(wide);
    agn_fn_release(single);
    agn_fn_release(r);
}

/* ---- the tape, ops from outside ------------------------------------------------------------- */

static void no_gradient(const T *ys, int n_y, const T *xs, int n_x, const T *cot, agn_status want,
                        const char *what, const char *fact, const char *other)
{
    agn_tensor *out[4] = {untouched, untouched, untouched, untouched};
    agn_status st = agn_gradient(out, ys, n_y, xs, n_x, cot);
    refused(st, want, what, fact, other);
    for (int i = 0; i < 4; i++)
        if (out[i] != untouched)
            ok(false, "gradient %d was written", i);
}
static void tape(void)
{
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *w = NULL, *wi = NULL;
    if (agn_watch(&w, x3) || agn_watch(&wi, i3))
        bail_out("%s", agn_error_message());
    T y = ag_square(s, w), bare_y = apply(s, "t_bare", 1, (const T[]){w}, 0, NULL);
    agn_tensor *out = untouched;
    refused(agn_gradient(NULL, &y, 1, (const T[]){w}, 1, NULL), AGN_ENULL, "gradient", "gradient",
            "out");
    refused(agn_gradient(&out, NULL, 1, (const T[]){w}, 1, NULL), AGN_ENULL, "gradient",
            "gradient", "ys");
    refused(agn_gradient(&out, &y, 1, NULL, 1, NULL), AGN_ENULL, "gradient", "gradient", "xs");
    no_gradient((const T[]){NULL}, 1, (const T[]){w}, 1, NULL, AGN_ENULL, "a NULL y", "ys[0]", "1");
    no_gradient(&y, 1, (const T[]){w, NULL}, 2, NULL, AGN_ENULL, "a NULL x", "xs[1]", "2");
    no_gradient(&y, 0, (const T[]){w}, 1, NULL, AGN_EARG, "no ys", "0", "1");
    no_gradient(&y, 1, (const T[]){w}, 0, NULL, AGN_EARG, "no xs", "1", "0");
    no_gradient(&y, 1, (const T[]){x3}, 1, NULL, AGN_EARG, "an x that is not watched", "xs[0]",
                "watched");
    no_gradient(&y, 1, (const T[]){wi}, 1, NULL, AGN_EDTYPE, "an integer x", "xs[0]", "i64");
    no_gradient(&y, 1, (const T[]){w}, 1, (const T[]){x2}, AGN_ESHAPE,
                "a cotangent of another shape", "[2]", "[3]");
    no_gradient(&y, 1, (const T[]){w}, 1, (const T[]){c3}, AGN_EDTYPE,
                "a complex cotangent of a real value", "c128", "f64");
    no_gradient(&bare_y, 1, (const T[]){w}, 1, NULL, AGN_EUNSUPPORTED, "an op without a rule",
                "t_bare", "reverse mode");
    ok(out == untouched, "nothing was written");
    agn_release(w);
    agn_release(wi);
    is_int(agn_scope_close(s), AGN_OK, "the scope closes");
    refused(agn_watch(NULL, x3), AGN_ENULL, "watch", "watch", "out");
    refused(agn_watch(&out, NULL), AGN_ENULL, "watch", "watch", "x");
}

static void registration(void)
{
    agn_op_def d = bare;
    refused(agn_op_register(NULL), AGN_ENULL, "register nothing", "op_register", "def");
    d.name = NULL;
    refused(agn_op_register(&d), AGN_ENULL, "register", "op_register", "name");
    d = bare;
    d.eval = NULL;
    refused(agn_op_register(&d), AGN_ENULL, "register", "op_register", "eval");
    d = bare;
    d.infer = NULL;
    refused(agn_op_register(&d), AGN_ENULL, "register", "op_register", "infer");
    d = bare;
    d.size = 4;
    refused(agn_op_register(&d), AGN_EARG, "a short definition", "4 bytes", "agn_op_def");
    d = bare;
    d.name = "";
    refused(agn_op_register(&d), AGN_EARG, "an empty name", "op_register", "\"\"");
    d.name = "t_bare";
    refused(agn_op_register(&d), AGN_EARG, "a name taken from outside", "t_bare", "op_register");
    d.name = "tanh";
    refused(agn_op_register(&d), AGN_EARG, "a name taken", "tanh", "op_register");
    d.name = "t_none";
    d.n_in = 9;
    refused(agn_op_register(&d), AGN_EARG, "nine arguments", "9", "t_none");
    d.n_in = 1;
    d.n_out = 0;
    refused(agn_op_register(&d), AGN_EARG, "no results", "0", "t_none");
}

/* ---- reflection with anything: an error or a result, never a crash ------------------------------ */

static void bad_attributes(void)
{
    const T in[1] = {x3};
    agn_tensor *out = untouched;
    refused(agn_op_apply(&out, 1, "slice", in, 1, I64(3, 1, 1), 3, NULL, 0), AGN_EINDEX,
            "a slice that begins at the end", "start 3", "3 elements");
    refused(agn_op_apply(&out, 1, "slice", in, 1, I64(1, 1, 3), 3, NULL, 0), AGN_EINDEX,
            "a slice that ends beyond", "start 1", "3 elements");
    refused(agn_op_apply(&out, 1, "slice", in, 1, I64(3, -1, 2), 3, NULL, 0), AGN_EINDEX,
            "a slice that begins beyond and comes back", "start 3", "3 elements");
    refused(agn_op_apply(&out, 1, "unslice", in, 1, I64(1, 1, 3), 3, NULL, 0), AGN_EINDEX,
            "a place that ends beyond", "start 1", "3 elements");
    refused(agn_op_apply(&out, 1, "polygamma", in, 1, NULL, 0, NULL, 0), AGN_EARG,
            "no order", "polygamma", "0");
    refused(agn_op_apply(&out, 1, "polygamma", in, 1, I64(-1), 1, NULL, 0), AGN_EARG,
            "a negative order", "polygamma", "0");
    refused(agn_op_apply(&out, 1, "gather", (const T[]){x3, i3}, 2, I64(-1, 1), 2, NULL, 0),
            AGN_ESHAPE, "more shared axes than there are", "[3]", "1");
    ok(out == untouched, "nothing was written");
}

static void any_attributes(void)
{
    static const int64_t odd[] = {0, 1, -1, 2, -2, 3, -3, 9, INT64_MAX, INT64_MIN, 1, -1};
    const T pick[] = {x0, x2, x3, m22, i3, c3, flag};
    int64_t tried = 0, worked = 0;
    deriv_seed = 99;
    for (int id = 0; id < agn_op_count(); id++) {
        agn_op_info info = {.size = sizeof info};
        if (agn_op_describe(&info, id))
            bail_out("%s", agn_error_message());
        for (int k = 0; k < tap_scale(2000); k++) {
            T in[8];
            int64_t ints[8];
            double reals[2] = {between(-2, 2), NAN};
            int n = info.n_in < 0 ? 1 + below(4) : info.n_in, n_out = info.n_out;
            agn_tensor *out[8] = {NULL};
            if (n > 8 || n_out > 8 || n_out < 1)
                continue;
            for (int i = 0; i < n; i++)
                in[i] = pick[below(7)];
            for (int i = 0; i < 8; i++)
                ints[i] = odd[below(12)];
            tried++;
            if (!agn_op_apply(out, n_out, info.name, in, n, ints, below(8), reals, below(3)))
                worked++;
            for (int i = 0; i < n_out; i++)
                agn_release(out[i]);
        }
    }
    ok(worked > 0 && worked < tried, "%" PRId64 " odd applications by name, %" PRId64 " made sense",
       tried, worked);
}

/* ---- every allocation failed in turn ---------------------------------------------------------------- */

typedef agn_status scenario(agn_tensor **out);
static agn_fn *whole; /* of the scenario under test */
static T given[8];

static agn_status call_whole(agn_tensor **out)
{
    return agn_fn_call(out, agn_fn_n_out(whole), whole, given, agn_fn_n_in(whole));
}
static agn_status tape_whole(agn_tensor **out)
{
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *w = NULL;
    agn_status st = agn_watch(&w, x3);
    T x = agn_scope_adopt(s, st, &w), y = ag_sum_all(s, ag_sin(s, ag_square(s, x)));
    if (!agn_scope_status(s)) {
        agn_tensor *g = NULL;
        st = agn_gradient(&g, &y, 1, &x, 1, NULL);
        agn_scope_return(s, out, agn_scope_adopt(s, st, &g));
    }
    return agn_scope_close(s);
}

/* one call with the n-th allocation failed, for all n that there are */
static void faults(const char *what, scenario *run, int results)
{
    int64_t n, bytes[2], blocks[2];
    agn_tensor *out[8] = {NULL};
    bool good = !run(out); /* caches fill */
    const char *why = good ? "" : agn_error_message();
    for (int i = 0; i < results; i++)
        agn_release(out[i]);
    for (n = 0; good && n < 1000000; n++) {
        for (int i = 0; i < 8; i++)
            out[i] = untouched;
        agn_memory_live(&bytes[0], &blocks[0], NULL);
        agn_memory_fail_after(n);
        agn_status st = run(out);
        agn_memory_fail_after(-1);
        if (st == AGN_OK)
            break;
        agn_memory_live(&bytes[1], &blocks[1], NULL);
        good = st == AGN_ENOMEM && blocks[0] == blocks[1] && bytes[0] == bytes[1];
        if (!good)
            why = st == AGN_ENOMEM ? "a leak" : agn_status_name(st);
        for (int i = 0; good && i < 8; i++)
            if (out[i] != untouched) {
                good = false;
                why = "a result was written";
            }
    }
    for (int i = 0; good && i < results; i++)
        agn_release(out[i]);
    ok(good, "%s: each of %" PRId64 " allocations failed in turn%s%s", what, n, good ? "" : ": ",
       why);
}

/* making one, which is released at once */
static agn_fn *of_two, *of_one;
static const int32_t both[2] = {0, 1};
static const int32_t orders[4] = {1, 1, 2, 0};
#define MAKING(name, call) \
    static agn_status name(agn_tensor **out) \
    { \
        agn_fn *f = NULL; \
        (void)out; \
        agn_status st = call; \
        agn_fn_release(f); \
        return st; \
    }
MAKING(make_new, agn_fn_new(&f, cube, NULL, NULL, 1, 1))
MAKING(make_grad, agn_fn_grad(&f, of_two, both, 2))
MAKING(make_value_and_grad, agn_fn_value_and_grad(&f, of_two, both, 2))
MAKING(make_jvp, agn_fn_jvp(&f, of_two))
MAKING(make_vjp, agn_fn_vjp(&f, of_two))
MAKING(make_hvp, agn_fn_hvp(&f, of_two, both, 2))
MAKING(make_jacobian, agn_fn_jacobian(&f, of_two, 1))
MAKING(make_hessian, agn_fn_hessian(&f, of_two, 1))
MAKING(make_vmap, agn_fn_vmap(&f, of_two, both, 2, NULL, 0))
MAKING(make_jet, agn_fn_jet(&f, of_two, 5))
MAKING(make_partials, agn_fn_partials(&f, of_two, 0, orders, 2, 2))
MAKING(make_checkpoint, agn_fn_checkpoint(&f, of_two))
MAKING(make_cond, agn_fn_cond(&f, of_two, of_two))
MAKING(make_scan, agn_fn_scan(&f, of_two, 1, 0, 4, true))
MAKING(make_scan_with, agn_fn_scan_with(&f, of_two, 1, 0, 4, NULL))
MAKING(make_switch, agn_fn_switch(&f, (const agn_fn *[]){of_two, of_two, of_two}, 3))
MAKING(make_while, agn_fn_while(&f, of_two, of_two, NULL))
MAKING(make_map, agn_fn_map(&f, of_two, both, 2, NULL, 0, 2))
MAKING(make_associative_scan, agn_fn_associative_scan(&f, of_two, 0, true))
static const agn_checkpoint_options some = {.size = sizeof some,
                                            .save = AGN_SAVE_NAMED | AGN_SAVE_PRODUCTS,
                                            .n_names = 2,
                                            .names = (const char *const[]){"a", "b"}};
MAKING(make_checkpoint_with, agn_fn_checkpoint_with(&f, of_two, &some))
static agn_status make_named(agn_tensor **out)
{
    return agn_named(out, x3, "a");
}
MAKING(make_compile, agn_fn_compile(&f, of_two, NULL))
MAKING(make_custom, agn_fn_custom(&f, of_one, &(agn_custom_rule){.size = sizeof(agn_custom_rule),
                                                                 .jvp = any_rule,
                                                                 .vjp = any_rule}))

MAKING(make_linearize, agn_fn_linearize(&f, NULL, NULL, 0, of_two, AGN_ARGS(x3, x3), both, 2))
MAKING(make_linearize_back, agn_fn_linearize(NULL, &f, NULL, 0, of_two, AGN_ARGS(x3, x3), both, 2))
MAKING(make_transpose, agn_fn_linear_transpose(&f, of_two, both, 2))
MAKING(make_gauss_newton, agn_fn_gauss_newton(&f, of_two, of_one, both, 2))
MAKING(make_fisher, agn_fn_fisher(&f, of_two, both, 2))
MAKING(make_jacobian_with, agn_fn_jacobian_with(&f, of_two, both, 2, NULL))
MAKING(make_hessian_with, agn_fn_hessian_with(&f, of_two, both, 2, NULL))
MAKING(make_hessian_blocks, agn_fn_hessian_blocks(&f, of_two, both, 2, NULL))
MAKING(make_hessian_diagonal, agn_fn_hessian_diagonal(&f, of_two, both, 2, 1))
MAKING(make_vmap_with, agn_fn_vmap_with(&f, of_two, both, agn_fn_n_in(of_two), NULL, 0, NULL))
MAKING(make_no_grad, agn_fn_no_grad(&f, of_two))
MAKING(make_hook, agn_fn_hook(&f, of_one, of_one, of_one))
MAKING(make_pack, agn_fn_pack(&f, of_two, of_one, of_one))
MAKING(make_watch_nan, agn_fn_watch_nan(&f, of_two, &(agn_nan_hook){.size = sizeof(agn_nan_hook),
                                                                    .label = "here"}))
MAKING(make_linear_solve, agn_fn_linear_solve(&f, of_one, 1, of_one, of_one))
MAKING(make_root, agn_fn_root(&f, of_one, 1, of_one, NULL, NULL))
MAKING(make_krylov_root, agn_fn_krylov_root(&f, of_one, 1, of_one, NULL))

FORMULA(busy, ag_sum_all(s, ag_mul(s, ag_tanh(s, ag_matmul(s, in[0], in[1])),
                                   ag_logsumexp(s, ag_sort(s, in[0], 1, false), NULL, 0, false))))
FORMULA(rowwise, ag_matmul(s, ag_tanh(s, ag_matmul(s, in[0], in[1])), in[1]))
FORMULA(three_chosen, ag_where(s, ag_gt(s, in[0], ag_lit(s, 0)), ag_prod(s, in[0], NULL, 0, false),
                               ag_cumsum(s, in[0], 0)))
FORMULA(last_one, in[2])
FORMULA(sum_on, ag_add(s, in[0], ag_mul(s, in[1], in[1])))
FORMULA(below_two, ag_lt(s, in[0], ag_lit(s, 2)))
FORMULA(multiply_on, ag_tanh(s, ag_mul(s, in[0], in[1])))

static void call_faults(const char *what, agn_fn *f, int results, const T *in, int n)
{
    whole = f;
    for (int i = 0; i < n; i++)
        given[i] = in[i];
    faults(what, call_whole, results);
    agn_fn_release(f);
}
static agn_fn *must(agn_status st, agn_fn *f)
{
    if (st)
        bail_out("%s", agn_error_message());
    return f;
}
#define MADE(call) (g = NULL, st = call, must(st, g))

static void all_faults(void)
{
    agn_fn *b = fn(busy, 2, 1), *r = fn(rowwise, 2, 1), *c = fn(three_chosen, 1, 1), *g;
    agn_fn *step = fn(multiply_on, 2, 1), *h, *k;
    agn_status st;
    of_two = fn(sums, 2, 1);
    of_one = fn(cube, 1, 1);
    faults("fn_new", make_new, 0);
    faults("fn_grad", make_grad, 0);
    faults("fn_value_and_grad", make_value_and_grad, 0);
    faults("fn_jvp", make_jvp, 0);
    faults("fn_vjp", make_vjp, 0);
    faults("fn_hvp", make_hvp, 0);
    faults("fn_jacobian", make_jacobian, 0);
    faults("fn_hessian", make_hessian, 0);
    faults("fn_vmap", make_vmap, 0);
    faults("fn_jet", make_jet, 0);
    faults("fn_partials", make_partials, 0);
    faults("fn_checkpoint", make_checkpoint, 0);
    faults("fn_cond", make_cond, 0);
    faults("fn_scan", make_scan, 0);
    faults("fn_scan_with", make_scan_with, 0);
    faults("fn_checkpoint_with", make_checkpoint_with, 0);
    faults("named", make_named, 1);
    faults("fn_switch", make_switch, 0);
    faults("fn_map", make_map, 0);
    faults("fn_associative_scan", make_associative_scan, 0);
    faults("fn_while", make_while, 0);
    faults("fn_compile", make_compile, 0);
    faults("fn_custom", make_custom, 0);
    faults("fn_linearize", make_linearize, 0);
    faults("fn_linearize, in reverse", make_linearize_back, 0);
    faults("fn_linear_transpose", make_transpose, 0);
    faults("fn_gauss_newton", make_gauss_newton, 0);
    faults("fn_fisher", make_fisher, 0);
    faults("fn_jacobian_with", make_jacobian_with, 0);
    faults("fn_hessian_with", make_hessian_with, 0);
    faults("fn_hessian_blocks", make_hessian_blocks, 0);
    faults("fn_hessian_diagonal", make_hessian_diagonal, 0);
    faults("fn_vmap_with", make_vmap_with, 0);
    faults("fn_no_grad", make_no_grad, 0);
    faults("fn_hook", make_hook, 0);
    faults("fn_pack", make_pack, 0);
    faults("fn_watch_nan", make_watch_nan, 0);
    faults("fn_linear_solve", make_linear_solve, 0);
    faults("fn_root", make_root, 0);
    faults("fn_krylov_root", make_krylov_root, 0);
    faults("gradient", tape_whole, 1);
    const T two[6] = {m22, m22, m22, m22, m22, m22};
    call_faults("a function", agn_fn_retain(b), 1, two, 2);
    call_faults("grad", MADE(agn_fn_grad(&g, b, both, 2)), 2, two, 2);
    call_faults("value_and_grad", MADE(agn_fn_value_and_grad(&g, b, both, 2)), 3, two, 2);
    call_faults("jvp", MADE(agn_fn_jvp(&g, b)), 2, two, 4);
    call_faults("vjp", MADE(agn_fn_vjp(&g, r)), 3, two, 3);
    call_faults("hvp", MADE(agn_fn_hvp(&g, b, both, 2)), 2, two, 4);
    call_faults("jacobian", MADE(agn_fn_jacobian(&g, r, 1)), 1, two, 2);
    call_faults("hessian", MADE(agn_fn_hessian(&g, b, 0)), 1, two, 2);
    call_faults("jet", MADE(agn_fn_jet(&g, b, 2)), 3, two, 6);
    call_faults("partials", MADE(agn_fn_partials(&g, r, 0, orders, 2, 2)), 3, two, 2);
    call_faults("jvp of choices", MADE(agn_fn_jvp(&g, c)), 2, (const T[]){x3, x3}, 2);
    h = MADE(agn_fn_grad(&g, of_two, NULL, 0));
    call_faults("vmap of grad", MADE(agn_fn_vmap(&g, h, NULL, 0, NULL, 0)), 1, two, 2);
    agn_fn_release(h);
    h = MADE(agn_fn_checkpoint(&g, b));
    call_faults("grad of checkpoint", MADE(agn_fn_grad(&g, h, NULL, 0)), 1, two, 2);
    agn_fn_release(h);
    h = MADE(agn_fn_checkpoint_with(&g, b, &some));
    call_faults("grad of checkpoint that saves", MADE(agn_fn_grad(&g, h, NULL, 0)), 1, two, 2);
    agn_fn_release(h);
    h = MADE(agn_fn_custom(&g, of_one, &(agn_custom_rule){.size = sizeof(agn_custom_rule), .vjp = last_one}));
    call_faults("jvp of custom by vjp", MADE(agn_fn_jvp(&g, h)), 2, (const T[]){x0, x0}, 2);
    k = MADE(agn_fn_vmap(&g, h, NULL, 0, NULL, 0));
    call_faults("lanes of it", MADE(agn_fn_jet(&g, k, 2)), 3, (const T[]){x3, x3, x3}, 3);
    agn_fn_release(k);
    agn_fn_release(h);
    h = MADE(agn_fn_cond(&g, r, r));
    k = MADE(agn_fn_vmap(&g, h, (const int32_t[]){0, AGN_UNBATCHED, AGN_UNBATCHED}, 3, NULL, 0));
    agn_tensor *flags = NULL;
    if (agn_broadcast_to(&flags, flag, 1, I64(3)))
        bail_out("%s", agn_error_message());
    call_faults("cond with lanes", agn_fn_retain(k), 1, (const T[]){flags, m22, m22}, 3);
    agn_release(flags);
    agn_fn_release(k);
    agn_fn_release(h);
    h = MADE(agn_fn_scan(&g, step, 1, 0, 3, false));
    call_faults("scan", agn_fn_retain(h), 1, (const T[]){x0, x3}, 2);
    call_faults("grad of scan", MADE(agn_fn_grad(&g, h, both, 2)), 2, (const T[]){x0, x3}, 2);
    agn_fn_release(h);
    h = MADE(agn_fn_scan_with(&g, step, 1, 0, 3,
                              &(agn_scan_options){.size = sizeof(agn_scan_options), .keep = 2}));
    k = MADE(agn_fn_grad(&g, h, both, 2));
    call_faults("grad of scan, few states", agn_fn_retain(k), 2, (const T[]){x0, x3}, 2);
    call_faults("its tangents", MADE(agn_fn_jvp(&g, k)), 4, (const T[]){x0, x3, x0, x3}, 4);
    call_faults("its gradient", MADE(agn_fn_grad(&g, k, NULL, 0)), 1, (const T[]){x0, x3}, 2);
    agn_fn_release(k);
    agn_fn_release(h);
    agn_fn *less = fn(below_two, 2, 1), *longer = fn(sum_on, 2, 1);
    h = MADE(agn_fn_while(&g, less, longer,
                          &(agn_while_options){.size = sizeof(agn_while_options), .max_steps = 4}));
    call_faults("while", agn_fn_retain(h), 2, (const T[]){x0, x0}, 2);
    call_faults("jvp of while", MADE(agn_fn_jvp(&g, h)), 4, (const T[]){x0, x0, x0, x0}, 4);
    k = MADE(agn_fn_grad(&g, h, both, 2));
    call_faults("grad of while", agn_fn_retain(k), 2, (const T[]){x0, x0}, 2);
    call_faults("lanes of grad of while", MADE(agn_fn_vmap(&g, k, NULL, 0, NULL, 0)), 2, (const T[]){x3, x3}, 2);
    agn_fn_release(k);
    agn_fn_release(h);
    agn_fn_release(less);
    agn_fn_release(longer);
    call_faults("map", MADE(agn_fn_map(&g, step, NULL, 0, NULL, 0, 2)), 1, (const T[]){x3, x3}, 2);
    call_faults("associative scan", MADE(agn_fn_associative_scan(&g, step, 0, true)), 1,
                (const T[]){x3}, 1);
    h = MADE(agn_fn_scan(&g, step, 1, 0, 3, false));
    call_faults("jet of scan", MADE(agn_fn_jet(&g, h, 2)), 3,
                (const T[]){x0, x0, x0, x3, x3, x3}, 6);
    agn_fn_release(h);
    h = MADE(agn_fn_value_and_grad(&g, b, both, 2));
    call_faults("a compiled gradient", MADE(agn_fn_compile(&g, h, NULL)), 3, two, 2);
    agn_fn_release(h);
    agn_fn_release(b);
    agn_fn_release(r);
    agn_fn_release(c);
    agn_fn_release(step);
    agn_fn_release(of_two);
    agn_fn_release(of_one);
}

/* tracing a plan, failed at each allocation: compile and call anew each time */
static agn_status fresh_plan(agn_tensor **out)
{
    agn_fn *plan = NULL;
    agn_status st = agn_fn_compile(&plan, whole, NULL);
    if (!st)
        st = agn_fn_call(out, agn_fn_n_out(plan), plan, given, agn_fn_n_in(plan));
    agn_fn_release(plan);
    return st;
}
static void plan_faults(void)
{
    agn_fn *b = fn(rowwise, 2, 1), *v = fn(busy, 2, 1);
    if (agn_fn_grad(&whole, v, both, 2))
        bail_out("%s", agn_error_message());
    given[0] = given[1] = m22;
    faults("a new plan", fresh_plan, 2);
    agn_fn_release(whole);
    agn_fn_release(b);
    agn_fn_release(v);
}

int main(void)
{
    make_tensors();
    if (agn_op_register(&bare))
        bail_out("%s", agn_error_message());
    functions();
    compiling();
    gradients();
    directions();
    matrices();
    lanes();
    series();
    control();
    tape();
    registration();
    bad_attributes();
    any_attributes();
    all_faults();
    plan_faults();
    drop_tensors();
    return done();
}
