/* tests/t-check.c - the checker of derivatives: it passes what is right, for every op that takes
   plain arrays, and names what is wrong. */
#include "laws.h"

#undef I /* of <complex.h> */

static agn_status smooth_body(void *u, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    (void)u;
    const agn_tensor *h = ag_tanh(s, ag_matmul(s, in[0], in[1]));
    out[0] = ag_mul(s, ag_exp(s, h), ag_gather(s, h, in[2], 0));
    out[1] = in[2];
    return AGN_OK;
}
static agn_status complex_body(void *u, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    (void)u;
    out[0] = ag_mul(s, ag_abs(s, in[0]), ag_exp(s, ag_conj(s, in[0])));
    return AGN_OK;
}
static agn_status cube_body(void *u, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)u;
    out[0] = ag_mul(s, in[0], ag_mul(s, in[0], in[0]));
    return AGN_OK;
}
/* in: x, y, cotangent; the factor is wrong by what user says */
static agn_status wrong_vjp(void *u, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    out[0] = ag_mul_c(s, ag_mul(s, in[2], ag_mul(s, in[0], in[0])), *(double *)u);
    return AGN_OK;
}
static agn_status wrong_jvp(void *u, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    out[0] = ag_mul_c(s, ag_mul(s, in[2], ag_mul(s, in[0], in[0])), *(double *)u);
    return AGN_OK;
}
/* right, but for its own derivative, which it hides */
static agn_status hiding_vjp(void *u, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)u;
    out[0] = ag_mul(s, in[2], ag_stop_gradient(s, ag_mul_c(s, ag_square(s, in[0]), 3)));
    return AGN_OK;
}

static agn_status checked(agn_check_result *r, const agn_fn *f, const agn_tensor *const *in, int orders,
                          uint32_t modes)
{
    agn_check_options o = {.size = sizeof o, .orders = orders, .modes = modes, .seed = 7};
    *r = (agn_check_result){.size = sizeof *r};
    return agn_check_grads(r, f, in, agn_fn_n_in(f), &o);
}

static void test_right(void)
{
    tally t = {0};
    agn_check_result r;
    agn_fn *f = NULL;
    agn_tensor *x[3] = {random_of(AGN_F64, 2, (int64_t[]){3, 4}, -1, 1),
                        random_of(AGN_F64, 2, (int64_t[]){4, 2}, -1, 1), NULL};
    must(agn_from_host(&x[2], AGN_I64, 1, (int64_t[]){3}, (int64_t[]){2, 0, 0}));
    must(agn_fn_new(&f, smooth_body, NULL, NULL, 3, 2));
    for (int orders = 1; orders <= 4; orders++) {
        agn_status st = checked(&r, f, (const agn_tensor *const *)x, orders, 0);
        check(&t, !st && r.error < 1e-8 && r.compared > 150, "order %d: %s %g", orders,
              agn_error_message(), r.error);
        diag("order %d: %" PRId64 " comparisons, the worst %.2g", orders, r.compared, r.error);
    }
    agn_tensor *narrow[3] = {NULL, NULL, x[2]};
    must(agn_cast(&narrow[0], x[0], AGN_F32));
    must(agn_cast(&narrow[1], x[1], AGN_F32));
    check(&t, !checked(&r, f, (const agn_tensor *const *)narrow, 1, 0), "f32: %s", agn_error_message());
    agn_release(narrow[0]), agn_release(narrow[1]);
    agn_fn_release(f);
    agn_tensor *z = random_of(AGN_C128, 1, (int64_t[]){5}, 0.5, 1.5);
    must(agn_fn_new(&f, complex_body, NULL, NULL, 1, 1));
    check(&t, !checked(&r, f, (const agn_tensor *[]){z}, 3, 0), "complex: %s", agn_error_message());
    agn_fn_release(f), agn_release(z);
    for (int i = 0; i < 3; i++)
        agn_release(x[i]);
    tell(&t, "right derivatives pass: two results, whole numbers, f32, complex, order 4");
}

static void test_wrong(void)
{
    static const struct {
        const char *what;
        agn_body *jvp, *vjp;
        double factor;
        int order;
        const char *word;
    } wrong[] = {{"vjp", NULL, wrong_vjp, 2, 1, "reverse"},
                 {"jvp", wrong_jvp, NULL, 2.5, 1, "forward"},
                 {"slightly", NULL, wrong_vjp, 3.00001, 1, "reverse"},
                 {"second order", NULL, hiding_vjp, 0, 2, NULL}};
    tally t = {0};
    agn_tensor *x = random_of(AGN_F64, 1, (int64_t[]){4}, 1, 2);
    agn_fn *f = NULL, *g = NULL;
    must(agn_fn_new(&f, cube_body, NULL, NULL, 1, 1));
    for (int k = 0; k < COUNT(wrong); k++) {
        double factor = wrong[k].factor;
        agn_custom_rule rule = {.size = sizeof rule, .user = &factor, .jvp = wrong[k].jvp,
                                .vjp = wrong[k].vjp};
        agn_check_result r;
        must(agn_fn_custom(&g, f, &rule));
        uint32_t modes = wrong[k].jvp ? AGN_CHECK_FORWARD : AGN_CHECK_REVERSE;
        if (wrong[k].order == 1) {
            agn_status st = checked(&r, g, (const agn_tensor *[]){x}, 1, modes);
            check(&t, st == AGN_EDOMAIN && strstr(agn_error_message(), wrong[k].word) &&
                          strstr(agn_error_message(), "argument 0") && r.order == 1 &&
                          r.mode == modes && r.error > 1e-6,
                  "%s: %s %s", wrong[k].what, agn_status_name(st), agn_error_message());
        } else {
            check(&t, !checked(&r, g, (const agn_tensor *[]){x}, 1, modes), "order 1 of %s",
                  wrong[k].what);
            /* forward over reverse, where the rule has no forward half: refused or seen */
            agn_status st = checked(&r, g, (const agn_tensor *[]){x}, 2, 0);
            check(&t, st != AGN_OK, "%s", wrong[k].what);
        }
        agn_fn_release(g);
    }
    agn_fn_release(f), agn_release(x);
    tell(&t, "wrong rules are named");
}

static void test_refusals(void)
{
    tally t = {0};
    agn_tensor *x = scalar_of(AGN_F64, 2), *h = scalar_of(AGN_F16, 2);
    agn_fn *f = NULL;
    agn_check_result r = {.size = sizeof r}, small = {.size = 4};
    agn_check_options o = {.size = sizeof o, .orders = 7}, old = {.size = 3};
    must(agn_fn_new(&f, cube_body, NULL, NULL, 1, 1));
    const agn_tensor *in[1] = {x}, *half[1] = {h}, *none[1] = {NULL};
#define NO(call, st, op, f1, f2) check(&t, refused(call, st, op, f1, f2, untouched), "%s", #call)
    NO(agn_check_grads(&r, NULL, in, 1, NULL), AGN_ENULL, "check_grads", "f is NULL", NULL);
    NO(agn_check_grads(&r, f, NULL, 1, NULL), AGN_ENULL, "check_grads", "in is NULL", NULL);
    NO(agn_check_grads(&r, f, in, 2, NULL), AGN_EARG, "check_grads", "2 arguments", "has 1");
    NO(agn_check_grads(&r, f, none, 1, NULL), AGN_ENULL, "check_grads", "argument 0", "of 1");
    NO(agn_check_grads(&small, f, in, 1, NULL), AGN_EARG, "check_grads", "4 bytes", NULL);
    NO(agn_check_grads(&r, f, in, 1, &old), AGN_EARG, "check_grads", "3 bytes", NULL);
    NO(agn_check_grads(&r, f, in, 1, &o), AGN_EARG, "check_grads", "7", "6");
    o.orders = 1;
    o.tolerance = -0.5;
    NO(agn_check_grads(&r, f, in, 1, &o), AGN_EARG, "check_grads", "step 0", "tolerance -0.5");
    o.tolerance = 0;
    o.step = (double)NAN;
    NO(agn_check_grads(&r, f, in, 1, &o), AGN_EARG, "check_grads", "step nan", "tolerance 0");
    NO(agn_check_grads(&r, f, half, 1, NULL), AGN_EDTYPE, "check_grads", "f16", "f32");
    NO(agn_op_check(&r, NULL, in, 1, NULL, 0, NULL, 0, NULL), AGN_ENULL, "op_check", "op", NULL);
    NO(agn_op_check(&r, "sinus", in, 1, NULL, 0, NULL, 0, NULL), AGN_EARG, "op_check", "sinus", NULL);
    agn_fn_release(f), agn_release(x), agn_release(h);
    tell(&t, "refusals");
}

/* ---- ops ---------------------------------------------------------------------------------------- */

static void test_ops(void)
{
    tally t = {0};
    int64_t compared = 0;
    int ops = 0;
    double worst = 0;
    const char *name = "";
    for (int id = 0; id < agn_op_count(); id++) {
        agn_op_info info = {.size = sizeof info};
        must(agn_op_describe(&info, id));
        if (strcmp(info.kind, "element-wise") || !(info.dtypes >> AGN_F64 & 1) ||
            strchr(agn_op_signature(id), ':') || !strcmp(info.name, "remainder") ||
            !strcmp(info.name, "fmod") || !strcmp(info.name, "ldexp")) /* attributes; what jumps */
            continue;
        agn_tensor *x[3];
        for (int i = 0; i < info.n_in; i++) { /* inside of the domain, four steps and more */
            double lo = info.lo, hi = info.hi, m = (lo + hi) / 2;
            x[i] = random_of(AGN_F64, 2, (int64_t[]){2, 3}, m + (hi - m) * (0.2 + 0.1 * i),
                             m + (hi - m) * (0.4 + 0.1 * i));
        }
        agn_check_options o = {.size = sizeof o, .orders = 2, .step = 2e-3, .tolerance = 1e-6};
        agn_check_result r = {.size = sizeof r};
        agn_status st = agn_op_check(&r, info.name, (const agn_tensor *const *)x, info.n_in, NULL, 0,
                                     NULL, 0, &o);
        check(&t, st == AGN_OK || st == AGN_EUNSUPPORTED, "%s: %s", info.name, agn_error_message());
        ops += st == AGN_OK;
        compared += r.compared;
        if (r.error > worst)
            worst = r.error, name = info.name;
        for (int i = 0; i < info.n_in; i++)
            agn_release(x[i]);
    }
    diag("%d ops, %" PRId64 " comparisons, the worst %.2g of %s", ops, compared, worst, name);
    check(&t, ops > 40, "%d ops", ops);
    const agn_tensor *one[1] = {random_of(AGN_F64, 2, (int64_t[]){3, 4}, -1, 1)};
    agn_check_result r = {.size = sizeof r};
    check(&t, !agn_op_check(&r, "cumsum", one, 1, (int64_t[]){-1, 0}, 2, NULL, 0, NULL), "cumsum: %s",
          agn_error_message());
    agn_release((agn_tensor *)(uintptr_t)one[0]);
    tell(&t, "every element-wise op in one call each");
}

static void test_faults(void)
{
    tally t = {0};
    agn_fn *f = NULL;
    agn_tensor *x = random_of(AGN_F64, 1, (int64_t[]){2}, 1, 2);
    agn_check_options o = {.size = sizeof o, .orders = 1, .entries = 1};
    must(agn_fn_new(&f, cube_body, NULL, NULL, 1, 1));
    must(agn_check_grads(NULL, f, AGN_ARGS(x), &o)); /* caches fill */
    int64_t before, after, faults = 0;
    agn_memory_live(NULL, &before, NULL);
    for (;; faults++) {
        agn_memory_fail_after(faults);
        agn_status st = agn_check_grads(NULL, f, AGN_ARGS(x), &o);
        agn_memory_fail_after(-1);
        agn_memory_live(NULL, &after, NULL);
        check(&t, after == before, "failure %" PRId64 " leaks %" PRId64 " blocks", faults,
              after - before);
        if (!st)
            break;
        check(&t, st == AGN_ENOMEM, "failure %" PRId64 ": %s", faults, agn_error_message());
    }
    agn_fn_release(f), agn_release(x);
    tell(&t, "each of %" PRId64 " allocations made to fail", faults);
}

int main(void)
{
    test_right();
    test_wrong();
    test_refusals();
    test_ops();
    test_faults();
    return done();
}
