/* Sums of products over two axes as products of matrices (graph/passes/rules/contraction.c): functions times
   points, in each form that comes to mind, is one region beside that of the functions, whose memory does
   not hold the pairs; and values are those of the ops one by one. */
#include "tap.h"

#include <agnesi/ag.h>
#include <math.h>
#include <stdlib.h>

enum { F = 48, P = 512, K = 24, M = 10, ARGS = 6 };
typedef const agn_tensor *T;
#define SHAPE(...) ((const int64_t[]){__VA_ARGS__})

static void must(agn_status st)
{
    if (st)
        ok(false, "%s", agn_error_message());
}

/* ---- functions times points: in: sensors [F,M], points [P,2], then weights ---------------------- */

static T branch(agn_scope *s, T const *in)
{
    return ag_matmul(s, ag_tanh(s, ag_matmul(s, in[0], in[2])), in[3]);
}
static T trunk(agn_scope *s, T const *in)
{
    return ag_matmul(s, ag_tanh(s, ag_matmul(s, in[1], in[4])), in[5]);
}
static T square_mean(agn_scope *s, T u)
{
    return ag_mean_all(s, ag_square(s, ag_sub_c(s, ag_add(s, u, ag_sin(s, u)), 0.3)));
}
static agn_status broadcast_form(void *user, agn_scope *s, T const *in, T *out)
{
    T b = ag_expand_dims(s, branch(s, in), 1);
    T t = ag_expand_dims(s, trunk(s, in), 0);
    (void)user;
    out[0] = square_mean(s, ag_sum(s, ag_mul(s, b, t), (const int32_t[]){2}, 1, false));
    return agn_scope_status(s);
}
static T pairs(agn_scope *s, T x, bool functions)
{
    T wide = ag_reshape(s, x, 3, functions ? SHAPE(F, 1, K) : SHAPE(1, P, K));
    return ag_reshape(s, ag_broadcast_to(s, wide, 3, SHAPE(F, P, K)), 2, SHAPE(F * P, K));
}
static agn_status row_form(void *user, agn_scope *s, T const *in, T *out)
{
    T u = ag_mul(s, pairs(s, branch(s, in), true), pairs(s, trunk(s, in), false));
    (void)user;
    out[0] = square_mean(s, ag_sum(s, u, (const int32_t[]){1}, 1, true));
    return agn_scope_status(s);
}
static agn_status matrix_form(void *user, agn_scope *s, T const *in, T *out)
{
    (void)user;
    out[0] = square_mean(s, ag_matmul(s, branch(s, in), ag_transpose(s, trunk(s, in))));
    return agn_scope_status(s);
}
static agn_status one_function(void *user, agn_scope *s, T const *in, T *out)
{
    T own[ARGS] = {ag_reshape(s, in[0], 2, SHAPE(1, M)), in[1], in[2], in[3], in[4], in[5]};
    (void)user;
    out[0] = ag_matmul(s, trunk(s, own), ag_reshape(s, branch(s, own), 2, SHAPE(K, 1)));
    return agn_scope_status(s);
}
static agn_status lanes_form(void *user, agn_scope *s, T const *in, T *out)
{
    T u = NULL;
    agn_fn_apply(s, &u, 1, user, in, ARGS);
    out[0] = square_mean(s, u);
    return agn_scope_status(s);
}

static agn_tensor *numbers(int ndim, const int64_t *shape, double size, int salt)
{
    int64_t n = 1;
    agn_tensor *t = NULL;
    for (int d = 0; d < ndim; d++)
        n *= shape[d];
    double *v = malloc((size_t)n * sizeof *v);
    for (int64_t i = 0; i < n; i++)
        v[i] = size * sin(1.7 * (double)i + 0.3 * salt);
    must(agn_from_host(&t, AGN_F64, ndim, shape, v));
    free(v);
    return t;
}

static double largest_difference(const agn_tensor *a, const agn_tensor *b)
{
    const double *x = agn_data(a), *y = agn_data(b);
    double most = 1e-300, off = 0;
    for (int64_t k = 0; k < agn_numel(a); k++) {
        most = fmax(most, fabs(x[k]));
        off = fmax(off, fabs(x[k] - y[k]));
    }
    return off / most;
}

static char plan[1 << 18];
static int count(const char *what)
{
    int n = 0;
    for (const char *p = plan; (p = strstr(p, what)); p++)
        n++;
    return n;
}

static void compare(const char *name, agn_body *body, void *user)
{
    const int64_t shape[ARGS][2] = {{F, M}, {P, 2}, {M, K}, {K, K}, {2, K}, {K, K}};
    const int32_t argnums[] = {2, 3, 4, 5, 1};
    enum { N = 6 };
    agn_tensor *in[ARGS], *want[N] = {NULL}, *got[N] = {NULL};
    agn_fn *f = NULL, *g = NULL, *c = NULL;
    double worst = 0;
    for (int i = 0; i < ARGS; i++)
        in[i] = numbers(2, shape[i], i < 2 ? 1 : 0.5, i);
    must(agn_fn_new(&f, body, user, NULL, ARGS, 1));
    must(agn_fn_value_and_grad(&g, f, argnums, N - 1));
    must(agn_fn_compile(&c, g, NULL));
    must(agn_fn_call(want, N, g, (T const *)in, ARGS));
    must(agn_fn_call(got, N, c, (T const *)in, ARGS));
    for (int i = 0; i < N; i++)
        worst = fmax(worst, largest_difference(want[i], got[i]));
    ok(worst < 1e-12, "%s: the plan is within %.1e of the ops one by one", name, worst);
    must(agn_plan_explain(plan, sizeof plan, NULL, c));
    ok(count("region of 512 rows") == 1 && count("region of") == 3, "%s: the points are one region", name);
    const char *memory = strstr(plan, "memory: ");
    double bytes = memory ? strtod(memory + 8, NULL) : 0;
    ok(bytes > 0 && bytes < 8.0 * F * P, "%s: %.3g bytes do not hold the pairs", name, bytes);
    for (int i = 0; i < N; i++) {
        agn_release(want[i]);
        agn_release(got[i]);
    }
    for (int i = 0; i < ARGS; i++)
        agn_release(in[i]);
    agn_fn_release(f);
    agn_fn_release(g);
    agn_fn_release(c);
}

/* ---- which sums are products: x [16, 1, 32], y [1, 24, 32], z [32, 16, 1] ------------------------- */

#define BODY(name, expression)                                             \
    static agn_status name(void *user, agn_scope *s, T const *in, T *out) \
    {                                                                      \
        T x = in[0], y = in[1], z = in[2];                                 \
        (void)user, (void)x, (void)y, (void)z;                             \
        out[0] = ag_exp(s, expression); /* which does not see the sign of a zero */ \
        return agn_scope_status(s);                                        \
    }
#define SUM(v, axis, keep) ag_sum(s, v, (const int32_t[]){axis}, 1, keep)
BODY(last_axis, SUM(ag_mul(s, x, y), 2, false))
BODY(kept_axis, SUM(ag_mul(s, y, x), 2, true))
BODY(first_axis, SUM(ag_mul(s, z, ag_reshape(s, y, 3, SHAPE(32, 1, 24))), 0, false))
BODY(difference, SUM(ag_sub(s, ag_mul(s, x, y), ag_mul(s, ag_exp(s, x), ag_exp(s, y))), 2, false))
BODY(of_one_alone, SUM(ag_mul(s, x, y), 1, false))
BODY(with_lanes, SUM(ag_mul(s, x, ag_broadcast_to(s, y, 3, SHAPE(16, 24, 32))), 2, false))
BODY(shared_rows, SUM(ag_mul(s, x, ag_mul(s, ag_exp(s, x), y)), 2, false))
BODY(between, SUM(ag_mul(s, ag_reshape(s, x, 4, SHAPE(4, 1, 4, 32)), ag_reshape(s, y, 4, SHAPE(1, 24, 1, 32))),
                  3, false))

static void compare_sum(const char *name, agn_body *body, double special, int products)
{
    const int64_t shape[3][3] = {{16, 1, 32}, {1, 24, 32}, {32, 16, 1}};
    agn_tensor *in[3], *want = NULL, *got = NULL;
    agn_fn *f = NULL, *c = NULL;
    bool same = true;
    for (int i = 0; i < 3; i++)
        in[i] = numbers(3, shape[i], 1, i);
    void *at = NULL;
    must(agn_data_mut(&at, in[0]));
    if (special)
        ((double *)at)[7] = special;
    must(agn_fn_new(&f, body, NULL, NULL, 3, 1));
    must(agn_fn_compile(&c, f, NULL));
    must(agn_fn_call(&want, 1, f, (T const *)in, 3));
    must(agn_fn_call(&got, 1, c, (T const *)in, 3));
    const double *a = agn_data(want), *b = agn_data(got);
    same = agn_numel(want) == agn_numel(got) && agn_ndim(want) == agn_ndim(got);
    for (int64_t k = 0; same && k < agn_numel(want); k++)
        same = isnan(a[k]) ? isnan(b[k]) : a[k] == b[k] || fabs(a[k] - b[k]) < 1e-12 * fabs(a[k]);
    ok(same, "%s, %g: what the ops give", name, special);
    must(agn_plan_explain(plan, sizeof plan, NULL, c));
    ok((count("matmul") > 0) == products, "%s, %g: %s", name, special,
       products ? "a product of matrices" : "no product of matrices");
    agn_release(want);
    agn_release(got);
    for (int i = 0; i < 3; i++)
        agn_release(in[i]);
    agn_fn_release(f);
    agn_fn_release(c);
}

/* ---- operators: directions in lanes, which no array holds beside the points ---------------------- */

enum { AXES = 10, WEIGHTS = 4 };
static agn_status layers(void *user, agn_scope *s, T const *in, T *out)
{
    T h = ag_sigmoid(s, ag_matmul(s, in[WEIGHTS], in[0]));
    (void)user;
    h = ag_sigmoid(s, ag_add(s, ag_matmul(s, h, in[1]), in[2]));
    out[0] = ag_matmul(s, h, in[3]);
    return agn_scope_status(s);
}
static agn_status residual(void *user, agn_scope *s, T const *in, T *out)
{
    T d[2] = {NULL, NULL};
    agn_fn_apply(s, d, 2, user, in, WEIGHTS + 1);
    out[0] = ag_add(s, ag_mean_all(s, ag_square(s, d[0])), ag_mean_all(s, ag_square(s, d[1])));
    return agn_scope_status(s);
}
static void compare_operator(const char *name, agn_status (*op)(agn_fn **, const agn_fn *, int32_t),
                             int64_t results)
{
    const int64_t shape[][2] = {{AXES, K}, {K, K}, {1, K}, {K, results}, {P, AXES}};
    const int32_t argnums[] = {0, 1, 2, 3};
    agn_tensor *in[WEIGHTS + 1], *want[WEIGHTS + 1] = {NULL}, *got[WEIGHTS + 1] = {NULL};
    agn_fn *u = NULL, *du = NULL, *f = NULL, *g = NULL, *c = NULL;
    double worst = 0;
    for (int i = 0; i <= WEIGHTS; i++)
        in[i] = numbers(2, shape[i], 0.5, i);
    must(agn_fn_new(&u, layers, NULL, NULL, WEIGHTS + 1, 1));
    must(op(&du, u, WEIGHTS));
    must(agn_fn_new(&f, residual, du, NULL, WEIGHTS + 1, 1));
    must(agn_fn_value_and_grad(&g, f, argnums, WEIGHTS));
    must(agn_fn_compile(&c, g, NULL));
    must(agn_fn_call(want, WEIGHTS + 1, g, (T const *)in, WEIGHTS + 1));
    must(agn_fn_call(got, WEIGHTS + 1, c, (T const *)in, WEIGHTS + 1));
    for (int i = 0; i <= WEIGHTS; i++) {
        worst = fmax(worst, largest_difference(want[i], got[i]));
        agn_release(want[i]);
        agn_release(got[i]);
        agn_release(in[i]);
    }
    ok(worst < 1e-12, "%s: the plan is within %.1e of the ops one by one", name, worst);
    must(agn_plan_explain(plan, sizeof plan, NULL, c));
    ok(count("region of 512 rows") == 1 && count("region of") == 1 && !count("5120"),
       "%s: one region, and no array of all directions", name);
    agn_fn_release(c);
    agn_fn_release(g);
    agn_fn_release(f);
    agn_fn_release(du);
    agn_fn_release(u);
}

int main(void)
{
    const int32_t axes[ARGS] = {0, AGN_UNBATCHED, AGN_UNBATCHED, AGN_UNBATCHED, AGN_UNBATCHED, AGN_UNBATCHED};
    agn_fn *one = NULL, *all = NULL;
    must(agn_fn_new(&one, one_function, NULL, NULL, ARGS, 1));
    must(agn_fn_vmap(&all, one, axes, ARGS, NULL, 0));
    compare("a product of matrices", matrix_form, NULL);
    compare("a sum of a product that repeats both", broadcast_form, NULL);
    compare("rows of pairs", row_form, NULL);
    compare("functions in lanes", lanes_form, all);
    agn_fn_release(one);
    agn_fn_release(all);
    compare_operator("Laplacian along ten axes", agn_fn_laplacian, 1);
    compare_operator("divergence along ten axes", agn_fn_divergence, AXES);
    const double special[] = {0, (double)INFINITY, (double)NAN};
    for (int i = 0; i < 3; i++) {
        compare_sum("the last axis", last_axis, special[i], true);
        compare_sum("an axis that is kept", kept_axis, special[i], true);
        compare_sum("the first axis", first_axis, special[i], true);
        compare_sum("of a difference", difference, special[i], true);
        compare_sum("an axis of one operand", of_one_alone, special[i], false);
        compare_sum("operands repeated by the caller", with_lanes, special[i], true);
        compare_sum("rows of both", shared_rows, special[i], false);
        compare_sum("axes between axes", between, special[i], false);
    }
    return done();
}
