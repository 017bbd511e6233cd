/* Gram matrices in plans (graph/passes/symmetric_products.c): X^T X of an X that a region makes,
   beside X^T r of the same transpose, as a Gauss-Newton step takes them. X is stored once. */
#include "tap.h"

#include <agnesi/ag.h>

enum { N = 700, M = 150 };
typedef const agn_tensor *T;

static void must(agn_status st)
{
    if (st)
        ok(false, "%s", agn_error_message());
}

/* in: x [N, M], a [M], r [N, 1] */
static T make_matrix(agn_scope *s, T const *in)
{
    return ag_mul(s, ag_tanh(s, in[0]), ag_add(s, ag_sin(s, in[0]), in[1]));
}
static T make_rows(agn_scope *s, T const *in)
{
    return ag_mul(s, ag_tanh(s, in[2]), ag_cos(s, in[2]));
}
static agn_status gradient_first(void *user, agn_scope *s, T const *in, T *out)
{
    T x = make_matrix(s, in), turned = ag_transpose(s, x);
    (void)user;
    out[0] = ag_matmul(s, turned, x);
    out[1] = ag_matmul(s, turned, make_rows(s, in));
    return agn_scope_status(s);
}
/* X X^T, the transpose on the right */
static agn_status rows_by_rows(void *user, agn_scope *s, T const *in, T *out)
{
    T x = make_matrix(s, in), turned = ag_transpose(s, x);
    (void)user;
    out[0] = ag_matmul(s, x, turned);
    out[1] = ag_matmul(s, turned, make_rows(s, in));
    return agn_scope_status(s);
}
/* the transpose is a result: nothing may be left out */
static agn_status transpose_shown(void *user, agn_scope *s, T const *in, T *out)
{
    T x = make_matrix(s, in);
    (void)user;
    out[1] = ag_transpose(s, x);
    out[0] = ag_matmul(s, out[1], x);
    return agn_scope_status(s);
}

static agn_tensor *numbers(int ndim, const int64_t *shape, int salt)
{
    static double v[N * M];
    agn_tensor *t = NULL;
    int64_t n = 1;
    for (int d = 0; d < ndim; d++)
        n *= shape[d];
    for (int64_t i = 0; i < n; i++)
        v[i] = sin(1.7 * (double)i + 0.3 * salt);
    must(agn_from_host(&t, AGN_F64, ndim, shape, v));
    return t;
}

/* most: memory of the plan, with results and what products pack, in arrays of the size of X */
static void compare(const char *name, agn_body *body, double most)
{
    static char plan[1 << 18];
    const int64_t shape[3][2] = {{N, M}, {M, 0}, {N, 1}};
    agn_tensor *in[3], *want[2] = {NULL}, *got[2] = {NULL};
    agn_fn *f = NULL, *c = NULL;
    double worst = 0, bytes = 0, larger = 8.0 * N * M;
    for (int i = 0; i < 3; i++)
        in[i] = numbers(i == 1 ? 1 : 2, shape[i], i);
    must(agn_fn_new(&f, body, NULL, NULL, 3, 2));
    must(agn_fn_compile(&c, f, NULL));
    must(agn_fn_call(want, 2, f, (T const *)in, 3));
    must(agn_fn_call(got, 2, c, (T const *)in, 3));
    for (int i = 0; i < 2; i++) {
        agn_tensor *a = NULL, *b = NULL;
        must(agn_contiguous(&a, want[i]));
        must(agn_contiguous(&b, got[i]));
        const double *p = agn_data(a), *q = agn_data(b);
        for (int64_t k = 0; k < agn_numel(a); k++)
            worst = fmax(worst, fabs(p[k] - q[k]));
        agn_release(a);
        agn_release(b);
    }
    ok(worst < 1e-12 * N, "%s: the plan is within %.1e of the ops one by one", name, worst);
    const double *g = agn_data(got[0]);
    int64_t n = agn_shape(got[0])[0];
    bool mirrored = true;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++)
            mirrored &= g[i * n + j] == g[j * n + i];
    ok(mirrored, "%s: symmetric to the last bit", name);
    must(agn_plan_explain(plan, sizeof plan, NULL, c));
    const char *at = strstr(plan, "memory: ");
    bytes = at ? atof(at + strlen("memory: ")) : 1e300;
    ok(bytes < most * larger, "%s: %.2f arrays of its size, %.2f at most", name, bytes / larger,
       most);
    for (int i = 0; i < 2; i++) {
        agn_release(want[i]);
        agn_release(got[i]);
    }
    for (int i = 0; i < 3; i++)
        agn_release(in[i]);
    agn_fn_release(f);
    agn_fn_release(c);
}

int main(void)
{
    compare("X^T X and X^T r", gradient_first, 2.2);
    compare("X X^T and X^T r", rows_by_rows, 3.5);
    compare("X^T X and X^T", transpose_shown, 2.5);
    return done();
}
