/* Scalars taken out of linear sweeps (graph/passes/hoist_scalars.c): a gradient of a function of means
   is one region, which computes the forward pass once, and the values are those of the ops one by
   one. What cannot be taken out stays. */
#include "tap.h"

#include <agnesi/ag.h>
#include <stdlib.h>

enum { N = 512, WIDTH = 8 };
typedef const agn_tensor *T;

static void must(agn_status st)
{
    if (st)
        ok(false, "%s", agn_error_message());
}

static T network(agn_scope *s, T const *in)
{
    T h = ag_tanh(s, ag_add(s, ag_matmul(s, in[0], in[1]), in[2]));
    h = ag_matmul(s, ag_tanh(s, ag_matmul(s, h, in[3])), in[4]);
    return ag_add(s, h, in[5]);
}
static T mean_square(agn_scope *s, T x)
{
    return ag_mean_all(s, ag_square(s, x));
}
#define BODY(name, expression)                                             \
    static agn_status name(void *user, agn_scope *s, T const *in, T *out) \
    {                                                                      \
        T u = network(s, in), x = in[0];                                   \
        (void)user, (void)x;                                               \
        out[0] = expression;                                               \
        return agn_scope_status(s);                                        \
    }
BODY(log_mean, ag_log(s, mean_square(s, u)))
BODY(root_mean, ag_sqrt(s, mean_square(s, u)))
BODY(two_means, ag_log(s, ag_add(s, mean_square(s, u), mean_square(s, ag_sub_c(s, u, 1)))))
BODY(with_penalty, ag_add(s, ag_log(s, mean_square(s, u)), mean_square(s, in[3])))
BODY(masked, ag_log(s, ag_mean_all(s, ag_relu(s, u))))
BODY(divided, ag_div(s, mean_square(s, u), ag_add_c(s, ag_sum_all(s, ag_square(s, in[3])), 1)))
/* scalars that multiply what others are added to, or what a function is taken of */
BODY(two_terms, ag_add(s, ag_log(s, mean_square(s, u)), ag_mean_all(s, ag_cos(s, u))))
BODY(normalised, ag_mean_all(s, ag_cos(s, ag_div(s, u, ag_sqrt(s, mean_square(s, u))))))
BODY(scaled, ag_mean_all(s, ag_sin(s, ag_mul(s, u, ag_mean_all(s, ag_exp(s, u))))))

static char plan[1 << 18];
static int count_regions(void)
{
    int n = 0;
    for (const char *p = plan; (p = strstr(p, "region of 512 rows")); p++)
        n++;
    return n;
}

static agn_tensor *numbers(int ndim, const int64_t *shape, int salt)
{
    double v[N * WIDTH];
    agn_tensor *t = NULL;
    int64_t n = 1;
    for (int d = 0; d < ndim; d++)
        n *= shape[d];
    for (int64_t i = 0; i < n; i++)
        v[i] = sin(1.7 * (double)i + 0.3 * salt);
    must(agn_from_host(&t, AGN_F64, ndim, shape, v));
    return t;
}

static void compare(const char *name, agn_body *body, bool data_too, int regions)
{
    enum { ARGS = 6 };
    const int64_t shape[ARGS][2] = {{N, 3}, {3, WIDTH}, {WIDTH, 0}, {WIDTH, WIDTH}, {WIDTH, 1}, {1, 0}};
    const int32_t argnums[ARGS] = {1, 2, 3, 4, 5, 0};
    agn_tensor *in[ARGS] = {NULL}, *want[ARGS + 1] = {NULL}, *got[ARGS + 1] = {NULL};
    agn_fn *f = NULL, *g = NULL, *c = NULL;
    int n = data_too ? ARGS : ARGS - 1;
    for (int i = 0; i < ARGS; i++)
        in[i] = numbers(i == 2 || i == 5 ? 1 : 2, shape[i], i);
    must(agn_fn_new(&f, body, NULL, NULL, ARGS, 1));
    must(agn_fn_value_and_grad(&g, f, argnums, n));
    must(agn_fn_compile(&c, g, NULL));
    must(agn_fn_call(want, n + 1, g, (T const *)in, ARGS));
    must(agn_fn_call(got, n + 1, c, (T const *)in, ARGS));
    double worst = 0;
    for (int i = 0; i <= n; i++) {
        const double *a = agn_data(want[i]), *b = agn_data(got[i]);
        double most = 0, off = 0;
        for (int64_t k = 0; k < agn_numel(want[i]); k++) {
            most = fmax(most, fabs(a[k]));
            off = fmax(off, fabs(a[k] - b[k]));
        }
        worst = fmax(worst, off / most);
    }
    ok(worst < 1e-12, "%s: the plan is within %.1e of the ops one by one", name, worst);
    must(agn_plan_explain(plan, sizeof plan, NULL, c));
    ok(count_regions() == regions, "%s: %d regions of %d", name, count_regions(), regions);
    for (int i = 0; i <= n; i++) {
        agn_release(want[i]);
        agn_release(got[i]);
    }
    for (int i = 0; i < ARGS; i++)
        agn_release(in[i]);
    agn_fn_release(f);
    agn_fn_release(g);
    agn_fn_release(c);
}

/* What the second region of two means needs of the first is kept while it is small, and computed
   again of many rows, where memory does not grow with them; the bound counts it once in either case. */
static void count_work(int64_t rows, bool kept, double *flops)
{
    enum { ARGS = 6 };
    const int64_t shape[ARGS][2] = {{rows, 3}, {3, WIDTH}, {WIDTH, 0}, {WIDTH, WIDTH}, {WIDTH, 1}, {1, 0}};
    const int32_t argnums[] = {1, 2, 3, 4, 5};
    agn_tensor *in[ARGS] = {NULL}, *out[ARGS] = {NULL};
    agn_fn *f = NULL, *g = NULL, *c = NULL;
    for (int i = 0; i < ARGS; i++)
        must(agn_full(&in[i], AGN_F64, i == 2 || i == 5 ? 1 : 2, shape[i], 0.1 * (i + 1)));
    must(agn_fn_new(&f, two_terms, NULL, NULL, ARGS, 1));
    must(agn_fn_value_and_grad(&g, f, argnums, 5));
    must(agn_fn_compile(&c, g, NULL));
    must(agn_fn_call(out, 6, c, (T const *)in, ARGS));
    must(agn_plan_explain(plan, sizeof plan, NULL, c));
    int tanhs = 0, n = 0;
    for (const char *p = plan; (p = strstr(p, " tanh t")); p++)
        tanhs++;
    ok(tanhs == (kept ? 2 : 4), "%d rows: tanh of two layers %d times", (int)rows, tanhs);
    const char *memory = strstr(plan, "memory: "), *bound = strstr(plan, "bound: ");
    double bytes = memory ? strtod(memory + 8, NULL) : 0;
    ok(bytes > 0 && (bytes >= 16.0 * WIDTH * (double)rows) == kept, "%d rows: %.3g bytes", (int)rows,
       bytes);
    *flops = bound ? strtod(bound + 7, NULL) / (double)rows : 0;
    for (n = 0; n < ARGS; n++) {
        agn_release(in[n]);
        agn_release(out[n]);
    }
    agn_fn_release(f);
    agn_fn_release(g);
    agn_fn_release(c);
}

int main(void)
{
    double few = 0, many = 0;
    compare("log mean", log_mean, false, 1);
    compare("root mean", root_mean, false, 1);
    compare("log of two means", two_means, false, 1);
    compare("log mean and penalty", with_penalty, false, 1);
    compare("masked", masked, false, 1);
    compare("divided by a norm", divided, false, 1);
    compare("log mean, gradient in the data", log_mean, true, 2);
    compare("log mean and a mean", two_terms, false, 2);
    compare("normalised", normalised, false, 3);
    compare("scaled by a mean", scaled, false, 3);
    count_work(4096, true, &few);
    count_work(200000, false, &many);
    ok(few > 0 && fabs(few - many) < 0.01 * few, "the bound is %.4g and %.4g flops a row", few, many);
    return done();
}
