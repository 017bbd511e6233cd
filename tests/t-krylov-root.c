/* tests/t-krylov-root.c - roots whose derivatives are found by products: against those by a matrix, with
   preconditioners, and with more unknowns than a matrix of them would fit. */
#include "counted.h"
#include "whole.h"

/* x^3 + 4 x - (its neighbours) - a = 0 around a ring, and two unknowns: y = 2 + tanh x */
static T ring(agn_scope *s, T x, int by)
{
    return ag_roll(s, x, I64(by), I32(-1), 1);
}
static T beside(agn_scope *s, T x)
{
    return ag_add(s, ring(s, x, 1), ring(s, x, -1));
}
FORMULA(residual, ag_sub(s, ag_sub(s, ag_add(s, ag_mul(s, ag_square(s, in[0]), in[0]), ag_mul_c(s, in[0], 4)),
                                   beside(s, in[0])),
                         in[1]))
FORMULA(two_residuals,
        ag_sub(s, ag_add(s, ag_mul(s, in[1], in[0]), ag_mul_c(s, ag_sin(s, in[1]), 0.1)), in[2]),
        ag_sub(s, ag_sub(s, in[1], ag_tanh(s, in[0])), ag_lit(s, 2)))
/* by the diagonal: r / (3 x^2 + 4) */
FORMULA(diagonal, ag_div(s, in[0], ag_add_c(s, ag_mul_c(s, ag_square(s, in[1]), 3), 4)))

/* Newton's method with the diagonal alone, until nothing moves; it reads values */
BODY(relax)
{
    T x = in[0];
    double moved = 1;
    (void)user;
    for (int i = 0; i < 500 && x && moved > 1e-16; i++) {
        T r = NULL, args[] = {x, in[1]}, both[] = {NULL, x}, step = NULL;
        residual(NULL, s, args, &r);
        both[0] = r;
        diagonal(NULL, s, both, &step);
        T far = ag_max(s, ag_abs(s, step), NULL, 0, false);
        if (!far || agn_scope_fail(s, agn_item_f64(&moved, far)))
            break;
        x = ag_sub(s, x, step);
    }
    out[0] = x;
    return agn_scope_status(s);
}
BODY(relax_two)
{
    T x = in[0], y = in[1];
    (void)user;
    for (int i = 0; i < 200 && x; i++) {
        y = ag_add_c(s, ag_tanh(s, x), 2);
        x = ag_div(s, ag_sub(s, in[2], ag_mul_c(s, ag_sin(s, y), 0.1)), y);
    }
    out[0] = x;
    out[1] = y;
    return agn_scope_status(s);
}

static void beside_a_matrix(void)
{
    agn_tensor *x0 = random_of(AGN_F64, 1, I64(4), 0, 1), *a = random_of(AGN_F64, 1, I64(4), 1, 2);
    agn_fn *f = whole_fn(residual, NULL, 2, 1), *by = whole_fn(relax, NULL, 2, 1);
    agn_fn *m = whole_fn(diagonal, NULL, 3, 1), *want = MADE(agn_fn_root(&made_, f, 1, by, NULL, NULL));
    const T in[2] = {x0, a};
    static const int method[] = {AGN_KRYLOV_GMRES, AGN_KRYLOV_BICGSTAB, AGN_KRYLOV_CG};
    for (int k = 0; k < 6; k++) {
        agn_krylov_options o = {.size = sizeof o, .method = method[k % 3], .rtol = 1e-14};
        if (k > 2)
            o.preconditioner = m;
        char name[60];
        snprintf(name, sizeof name, "a root, method %d%s", o.method, k > 2 ? ", preconditioned" : "");
        agn_fn *g = MADE(agn_fn_krylov_root(&made_, f, 1, by, &o));
        agn_fn *dg = MADE(agn_fn_jacobian(&made_, g, 1)), *dw = MADE(agn_fn_jacobian(&made_, want, 1));
        whole_same(dg, in, dw, in, 0, 1e-12, name);
        whole(g, 2, in, 1e-5, name);
        agn_fn *gone[] = {g, dg, dw};
        for (int i = 0; i < COUNT(gone); i++)
            agn_fn_release(gone[i]);
    }
    agn_fn *two = whole_fn(two_residuals, NULL, 3, 2), *by_two = whole_fn(relax_two, NULL, 3, 2);
    agn_krylov_options o = {.size = sizeof o, .rtol = 1e-14};
    agn_fn *g = MADE(agn_fn_krylov_root(&made_, two, 2, by_two, &o));
    whole(g, 3, (const T[]){x0, x0, a}, 1e-5, "two unknowns");
    agn_fn *drop[] = {f, by, m, want, two, by_two, g};
    for (int i = 0; i < COUNT(drop); i++)
        agn_fn_release(drop[i]);
    agn_release(x0);
    agn_release(a);
}

/* the gradient of sum x^2 solves the ring's system, which is its own adjoint */
FORMULA(left_over, ag_sub(s, ag_sub(s, ag_mul(s, in[1], ag_add_c(s, ag_mul_c(s, ag_square(s, in[0]), 3), 4)),
                                    beside(s, in[1])),
                          ag_mul_c(s, in[0], 2)))
BODY(square_of_root)
{
    T x = NULL;
    agn_fn_apply(s, &x, 1, user, in, agn_fn_n_in(user));
    out[0] = agn_scope_status(s) ? NULL : ag_sum_all(s, ag_square(s, x));
    return agn_scope_status(s);
}
static void many_unknowns(void)
{
    enum { N = 20000 };
    agn_tensor *a = random_of(AGN_F64, 1, I64(N), 1, 2), *x0 = NULL, *x = NULL, *g = NULL, *r = NULL;
    must(agn_full(&x0, AGN_F64, 1, I64(N), 0));
    agn_fn *f = whole_fn(residual, NULL, 2, 1), *by = whole_fn(relax, NULL, 2, 1);
    agn_fn *root = MADE(agn_fn_root(&made_, f, 1, by, NULL, NULL)), *v = whole_fn(square_of_root, root, 2, 1);
    agn_fn *grad = MADE(agn_fn_grad(&made_, v, I32(1), 1)), *left = whole_fn(left_over, NULL, 2, 1);
    const T in[2] = {x0, a};
    int64_t before, most;
    must(agn_fn_call(&x, 1, root, in, 2));
    agn_memory_live(&before, NULL, NULL);
    agn_memory_reset_peak();
    must(agn_fn_call(&g, 1, grad, in, 2));
    agn_memory_live(NULL, NULL, &most);
    must(agn_fn_call(&r, 1, left, AGN_ARGS(x, g)));
    double worst = 0, e[N];
    must(agn_to_host(e, r, sizeof e));
    for (int i = 0; i < N; i++)
        worst = fmax(worst, fabs(e[i]));
    ok(worst < 1e-8, "%d unknowns: the adjoint's residual is %.1e", N, worst);
    int64_t matrix = (int64_t)N * N * 8; /* and the solver keeps all its steps */
    ok(most - before < matrix / 2, "without a matrix: %" PRId64 " bytes, it alone has %" PRId64, most - before,
       matrix);
    agn_fn *drop[] = {f, by, root, v, grad, left};
    for (int i = 0; i < COUNT(drop); i++)
        agn_fn_release(drop[i]);
    agn_tensor *gone[] = {a, x0, x, g, r};
    for (int i = 0; i < COUNT(gone); i++)
        agn_release(gone[i]);
}

FORMULA(first_alone, in[0])
/* x = sin(x + a) c / 2, with a c that a alone decides: a vector, or what a matrix of a's differences
   makes of it. A matrix is more than all arguments have and made again for each product. */
FORMULA(of_vector, ag_sub(s, in[0], ag_mul(s, ag_sin(s, ag_add(s, in[0], in[1])),
                                           ag_mul_c(s, counted(s, ag_tanh(s, in[1])), 0.5))))
FORMULA(of_matrix,
        ag_sub(s, in[0],
               ag_mul_c(s, ag_matmul(s, counted(s, ag_cos(s, ag_sub(s, ag_reshape(s, in[1], 2, I64(24, 1)), in[1]))),
                                     ag_sin(s, ag_add(s, in[0], in[1]))),
                        0.02)))
static bool count_steps(void *user, const agn_krylov_info *now)
{
    *(int64_t *)user = now->iterations;
    return false;
}
static void once_per_solve(void)
{
    static const struct {
        agn_body *f;
        const char *name;
        bool held;
    } all[] = {{of_vector, "a vector", true}, {of_matrix, "a matrix", false}};
    agn_tensor *x = random_of(AGN_F64, 1, I64(24), 0.1, 1), *a = random_of(AGN_F64, 1, I64(24), 0.2, 2);
    for (int i = 0; i < COUNT(all); i++) {
        int64_t steps = 0;
        agn_krylov_options o = {.size = sizeof o, .rtol = 1e-13, .monitor = count_steps, .user = &steps};
        agn_fn *f = whole_fn(all[i].f, NULL, 2, 1), *by = whole_fn(first_alone, NULL, 2, 1);
        agn_fn *root = MADE(agn_fn_krylov_root(&made_, f, 1, by, &o)), *v = whole_fn(square_of_root, root, 2, 1);
        agn_fn *grad = MADE(agn_fn_grad(&made_, v, I32(1), 1)), *plan = MADE(agn_fn_compile(&made_, grad, NULL));
        agn_tensor *y = NULL;
        must(agn_fn_call(&y, 1, plan, AGN_ARGS(x, a)));
        agn_release(y);
        big_ones = 0;
        must(agn_fn_call(&y, 1, plan, AGN_ARGS(x, a)));
        agn_release(y);
        bool once = big_ones <= 3 && steps > 4;
        ok(all[i].held ? once : big_ones >= steps,
           "%s of parameters: made %d times in %" PRId64 " products", all[i].name,
           big_ones, steps);
        agn_fn *drop[] = {f, by, root, v, grad, plan};
        for (int k = 0; k < COUNT(drop); k++)
            agn_fn_release(drop[k]);
    }
    agn_release(x);
    agn_release(a);
}

/* x^2 = a has the slope 0 at 0, which this solver gives, for more numbers than a matrix is formed for */
FORMULA(parabola, ag_sub(s, ag_square(s, in[0]), in[1]))
FORMULA(at_zero, ag_mul_c(s, in[0], 0))
static void errors(void)
{
    tally t = {0, 0};
    agn_tensor *a = random_of(AGN_F64, 1, I64(2000), 1, 2), *z = random_of(AGN_F32, 1, I64(2), 1, 2);
    agn_fn *f = whole_fn(parabola, NULL, 2, 1), *by = whole_fn(at_zero, NULL, 2, 1),
           *one = whole_fn(at_zero, NULL, 1, 1), *pair = whole_fn(two_residuals, NULL, 3, 2);
    agn_krylov_options o = {.size = sizeof o};
    NO_FN(AGN_ENULL, "fn_krylov_root", "f is NULL", NULL, agn_fn_krylov_root(&out, NULL, 1, by, NULL));
    NO_FN(AGN_ENULL, "fn_krylov_root", "solver is NULL", NULL, agn_fn_krylov_root(&out, f, 1, NULL, NULL));
    NO_FN(AGN_EARG, "fn_krylov_root", "0 unknowns", "2 arguments", agn_fn_krylov_root(&out, f, 0, by, NULL));
    NO_FN(AGN_EARG, "fn_krylov_root", "2 unknowns", "1 results", agn_fn_krylov_root(&out, f, 2, by, NULL));
    NO_FN(AGN_EARG, "fn_krylov_root", "solver has 1", "not 2", agn_fn_krylov_root(&out, f, 1, one, NULL));
    o.preconditioner = by;
    NO_FN(AGN_EARG, "fn_krylov_root", "preconditioner has 2", "not 3", agn_fn_krylov_root(&out, f, 1, by, &o));
    o = (agn_krylov_options){.size = sizeof o, .method = AGN_KRYLOV_LSMR};
    NO_FN(AGN_EARG, "fn_krylov_root", "method 5", "matrix", agn_fn_krylov_root(&out, f, 1, by, &o));
    agn_fn *root = MADE(agn_fn_root(&made_, f, 1, by, NULL, NULL)), *v = whole_fn(square_of_root, root, 2, 1);
    agn_fn *tangent = MADE(agn_fn_jvp(&made_, root));
    agn_tensor *y[2] = {NULL};
    agn_status st = agn_fn_call(y, 2, tangent, AGN_ARGS(a, a, a, a));
    check(&t, st == AGN_ENOCONV && strstr(agn_error_message(), "krylov_solve"), "no slope: %s",
          st ? agn_error_message() : "none");
    agn_fn *k = MADE(agn_fn_krylov_root(&made_, pair, 2, pair, NULL)), *dk = MADE(agn_fn_jvp(&made_, k));
    agn_tensor *b = random_of(AGN_F64, 1, I64(2), 1, 2);
    check(&t, no_call(dk, (const T[]){z, b, b, z, b, b}, AGN_EDTYPE, NULL, NULL), "unknowns of two dtypes");
    agn_release(b);
    agn_fn *drop[] = {f, by, one, pair, root, v, tangent, k};
    for (int i = 0; i < COUNT(drop); i++)
        agn_fn_release(drop[i]);
    agn_release(a);
    agn_release(z);
    tell(&t, "what agn_fn_krylov_root and derivatives of roots refuse");
}

int main(void)
{
    int64_t blocks, own;
    must(agn_op_register(&counter));
    agn_memory_live(NULL, &own, NULL);
    beside_a_matrix();
    many_unknowns();
    once_per_solve();
    errors();
    agn_memory_live(NULL, &blocks, NULL);
    ok(blocks == own, "nothing is left: %" PRId64 " blocks", blocks - own);
    return done();
}
