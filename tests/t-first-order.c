/* First derivatives along several columns in plans (autograd/operators/first_order.c): one sweep
   back gives what a curve along each column gives outside of plans, and takes fewer products;
   functions that it does not fit keep their curves. */
#include "tap.h"

#include <agnesi/ag.h>

enum { N = 512, WIDTH = 16, COLUMNS = 3, ARGS = 6 };
typedef const agn_tensor *T;

static void must(agn_status st)
{
    if (st)
        ok(false, "%s", agn_error_message());
}

static agn_tensor *numbers(int ndim, const int64_t *shape, int salt)
{
    static double v[N * WIDTH];
    agn_tensor *t = NULL;
    int64_t n = 1;
    for (int d = 0; d < ndim; d++)
        n *= shape[d];
    for (int64_t i = 0; i < n; i++)
        v[i] = sin(1.7 * (double)i + 0.3 * salt);
    must(agn_from_host(&t, AGN_F64, ndim, shape, v));
    return t;
}

/* ---- networks: in = w0 b0 w1 b1 w2, z [N, 3]; w2 has 1 column, or several -------------------- */

static T units(agn_scope *s, T const *in)
{
    T h = ag_tanh(s, ag_add(s, ag_matmul(s, in[5], in[0]), in[1]));
    T r = ag_relu(s, ag_add(s, ag_matmul(s, h, in[2]), in[3]));
    return ag_add(s, h, ag_mul(s, r, ag_square(s, r)));
}
static agn_status network(void *user, agn_scope *s, T const *in, T *out)
{
    (void)user;
    out[0] = ag_matmul(s, units(s, in), in[4]);
    return agn_scope_status(s);
}
/* a number for each row, without an axis of its own */
static agn_status network_of_rows(void *user, agn_scope *s, T const *in, T *out)
{
    const int64_t shape[] = {N};
    (void)user;
    out[0] = ag_reshape(s, ag_matmul(s, units(s, in), in[4]), 1, shape);
    return agn_scope_status(s);
}
/* kinks where columns are equal, and where one is 0 */
static agn_status kinks(void *user, agn_scope *s, T const *in, T *out)
{
    (void)user;
    T x = ag_index_axis(s, in[5], 1, 0), y = ag_index_axis(s, in[5], 1, 1);
    T top = ag_maximum(s, ag_maximum(s, x, y), ag_relu(s, ag_mul(s, x, y)));
    out[0] = ag_add(s, top, ag_sqrt(s, ag_square(s, ag_sub(s, x, y))));
    return agn_scope_status(s);
}
static agn_status halve(void *user, agn_scope *s, T const *c, T *out)
{
    (void)user;
    out[0] = ag_mul_c(s, ag_sin(s, c[0]), 0.5);
    return agn_scope_status(s);
}
/* a checkpoint is a call, and not looked into */
static agn_status network_with_call(void *user, agn_scope *s, T const *in, T *out)
{
    agn_fn *inner = NULL, *kept = NULL;
    T u = ag_matmul(s, units(s, in), in[4]), y = NULL;
    (void)user;
    agn_status st = agn_fn_new(&inner, halve, NULL, NULL, 1, 1);
    st = st ? st : agn_fn_checkpoint(&kept, inner);
    if (!st)
        agn_fn_apply(s, &y, 1, kept, &u, 1);
    agn_fn_release(kept);
    agn_fn_release(inner);
    out[0] = y;
    return st ? st : agn_scope_status(s);
}

/* ---- energies -------------------------------------------------------------------------------- */

static agn_status energy(void *user, agn_scope *s, T const *in, T *out)
{
    const agn_fn *partials = user;
    T d[6] = {NULL};
    agn_fn_apply(s, d, agn_fn_n_out(partials), partials, in, ARGS);
    out[0] = ag_mean_all(s, ag_mul(s, d[0], d[0]));
    for (int i = 1; i < agn_fn_n_out(partials) && !agn_scope_status(s); i++)
        out[0] = ag_add(s, out[0], ag_mean_all(s, ag_mul(s, ag_square(s, d[i]), d[1])));
    return agn_scope_status(s);
}

static char plan[1 << 18];
static void compare(const char *name, agn_body *body, int64_t results, int n, const int32_t *alpha,
                    int products)
{
    const int64_t shape[ARGS][2] = {{COLUMNS, WIDTH}, {WIDTH, 0},       {WIDTH, WIDTH},
                                    {WIDTH, 0},       {WIDTH, results}, {N, COLUMNS}};
    const int32_t argnums[] = {0, 1, 2, 3, 4, 5};
    agn_tensor *in[ARGS], *want[ARGS + 1] = {NULL}, *got[ARGS + 1] = {NULL};
    agn_fn *f = NULL, *p = NULL, *e = NULL, *g = NULL, *c = NULL;
    for (int i = 0; i < ARGS; i++)
        in[i] = numbers(i == 1 || i == 3 ? 1 : 2, shape[i], i);
    must(agn_fn_new(&f, body, NULL, NULL, ARGS, 1));
    must(agn_fn_partials(&p, f, 5, alpha, n, COLUMNS));
    must(agn_fn_new(&e, energy, p, NULL, ARGS, 1));
    must(agn_fn_value_and_grad(&g, e, argnums, ARGS));
    must(agn_fn_compile(&c, g, NULL));
    must(agn_fn_call(got, ARGS + 1, c, (T const *)in, ARGS));
    must(agn_plan_explain(plan, sizeof plan, NULL, c));
    /* outside of plans: a curve along each column */
    agn_fn *each[ARGS] = {NULL};
    double worst = 0;
    agn_tensor *all[6] = {NULL}, *one[2] = {NULL};
    agn_fn *planned = NULL;
    must(agn_fn_compile(&planned, p, NULL));
    must(agn_fn_call(all, n + 1, planned, (T const *)in, ARGS));
    for (int i = 0; i < n; i++) {
        must(agn_fn_partials(&each[i], f, 5, alpha + COLUMNS * i, 1, COLUMNS));
        must(agn_fn_call(one, 2, each[i], (T const *)in, ARGS));
        ok(agn_ndim(one[1]) == agn_ndim(all[i + 1]) && agn_numel(one[1]) == agn_numel(all[i + 1]),
           "%s: the shape of derivative %d", name, i);
        const double *a = agn_data(one[1]), *b = agn_data(all[i + 1]);
        for (int64_t k = 0; k < agn_numel(one[1]); k++)
            worst = fmax(worst, fabs(a[k] - b[k]) / (1 + fabs(a[k])));
        agn_release(one[0]);
        agn_release(one[1]);
        agn_release(all[i + 1]);
        agn_fn_release(each[i]);
    }
    agn_release(all[0]);
    agn_fn_release(planned);
    ok(worst < 1e-12, "%s: derivatives within %.1e of those along one column", name, worst);
    must(agn_fn_call(want, ARGS + 1, g, (T const *)in, ARGS));
    worst = 0;
    for (int i = 0; i <= ARGS; i++) {
        const double *a = agn_data(want[i]), *b = agn_data(got[i]);
        double most = 1e-3, off = 0;
        for (int64_t k = 0; k < agn_numel(want[i]); k++) {
            most = fmax(most, fabs(a[k]));
            off = fmax(off, fabs(a[k] - b[k]));
        }
        worst = fmax(worst, off / most);
        agn_release(want[i]);
        agn_release(got[i]);
    }
    ok(worst < 1e-12, "%s: gradients within %.1e of those outside of plans", name, worst);
    const char *at = strstr(plan, " flops of products per row");
    while (at && at > plan && at[-1] >= '0' && at[-1] <= '9')
        at--;
    if (products)
        ok(at && atoi(at) <= products, "%s: %d flops of products per row, %d at most", name,
           at ? atoi(at) : -1, products);
    for (int i = 0; i < ARGS; i++)
        agn_release(in[i]);
    agn_fn_release(c);
    agn_fn_release(g);
    agn_fn_release(e);
    agn_fn_release(p);
    agn_fn_release(f);
}

/* At ties one column has the derivative, the same in either mode: x = y, and where x = y = 0. */
static void compare_at_ties(void)
{
    static double z[N][COLUMNS];
    const int32_t alpha[] = {1, 0, 0, 0, 1, 0};
    const int64_t shape[] = {N, COLUMNS};
    agn_tensor *in[ARGS] = {NULL}, *want[3] = {NULL}, *got[3] = {NULL};
    agn_fn *f = NULL, *p = NULL, *c = NULL;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < 2; j++)
            z[i][j] = (j ? i / 3 : i) % 3 - 1;
    for (int i = 0; i < ARGS; i++)
        must(agn_from_host(&in[i], AGN_F64, 2, shape, z));
    must(agn_fn_new(&f, kinks, NULL, NULL, ARGS, 1));
    must(agn_fn_partials(&p, f, 5, alpha, 2, COLUMNS));
    must(agn_fn_compile(&c, p, NULL));
    must(agn_fn_call(want, 3, p, (T const *)in, ARGS));
    must(agn_fn_call(got, 3, c, (T const *)in, ARGS));
    int wrong = 0;
    for (int i = 0; i < 3; i++) {
        const double *a = agn_data(want[i]), *b = agn_data(got[i]);
        for (int k = 0; k < N; k++)
            wrong += !(a[k] == b[k] || (a[k] != a[k] && b[k] != b[k]));
        agn_release(want[i]);
        agn_release(got[i]);
    }
    ok(wrong == 0, "at ties %d of %d numbers differ", wrong, 3 * N);
    for (int i = 0; i < ARGS; i++)
        agn_release(in[i]);
    agn_fn_release(c);
    agn_fn_release(p);
    agn_fn_release(f);
}

int main(void)
{
    static const int32_t three[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, two[] = {0, 0, 1, 1, 0, 0},
                         with_value[] = {0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0},
                         second[] = {2, 0, 0, 0, 1, 0}, one[] = {0, 1, 0};
    /* 2 (3 + 16 + 1) 16 = 640 for the value, as much for the sweep back, and twice both for that of
       the loss, less what is multiplied by ones */
    compare("three columns", network, 1, 3, three, 6 * 640);
    compare("two columns, the last first", network, 1, 2, two, 6 * 640);
    compare("a value and a column twice", network, 1, 4, with_value, 6 * 640);
    compare("no axis for the result", network_of_rows, 1, 3, three, 0);
    compare("several results a row", network, 4, 3, three, 0);
    compare("second derivatives too", network, 1, 2, second, 0);
    compare("one column", network, 1, 1, one, 0);
    compare("a call inside", network_with_call, 1, 3, three, 0);
    compare_at_ties();
    return done();
}
