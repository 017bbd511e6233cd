/* Element-wise chains of a step in plans: a choice by minimum has a form on tiles, so that memory
   does not grow with the points, and what is independent of a chain is fused as well. */
#include "laws.h"

#include <agnesi/ag.h>

#include <math.h>
#include <string.h>

enum { LAYERS = 4, PARAMS = 2 * LAYERS, WIDTH = 24, POINTS = 8192 };
typedef const agn_tensor *T;

static agn_fn *derivatives;

static agn_status network(void *user, agn_scope *s, T const *in, T *out)
{
    T h = in[PARAMS];
    (void)user;
    for (int l = 0; l < LAYERS; l++) {
        h = ag_add(s, ag_matmul(s, h, in[2 * l]), in[2 * l + 1]);
        h = l < LAYERS - 1 ? ag_gelu(s, h) : h;
    }
    out[0] = h;
    return agn_scope_status(s);
}
static agn_status loss(void *user, agn_scope *s, T const *in, T *out)
{
    T d[3]; /* u, u_t, u_xx */
    (void)user;
    if (!agn_fn_apply(s, d, 3, derivatives, in, agn_fn_n_in(derivatives)))
        out[0] = ag_mean_all(s, ag_square(s, ag_sub(s, d[1], d[2])));
    return agn_scope_status(s);
}

static agn_tensor *filled(int ndim, const int64_t *shape)
{
    agn_tensor *x = NULL;
    void *p = NULL;
    must(agn_empty(&x, AGN_F64, ndim, shape, AGN_CPU));
    must(agn_data_mut(&p, x));
    for (int64_t i = 0; i < agn_numel(x); i++)
        ((double *)p)[i] = rnd_in(-0.5, 0.5);
    return x;
}

static int count_lines(const char *text, const char *begin)
{
    int n = 0;
    size_t len = strlen(begin);
    for (const char *p = text; p; p = strchr(p, '\n')) {
        p += *p == '\n';
        n += !strncmp(p, begin, len);
    }
    return n;
}

static void check_step(void)
{
    static char plan[1 << 18];
    static const int32_t orders[] = {0, 1, 2, 0};
    int32_t argnums[PARAMS];
    agn_fn *u = NULL, *f = NULL, *g = NULL, *step = NULL;
    agn_tensor *in[PARAMS + 1], *y[PARAMS + 1], *z[PARAMS + 1];
    for (int l = 0; l < LAYERS; l++) {
        int64_t shape[2] = {l ? WIDTH : 2, l < LAYERS - 1 ? WIDTH : 1};
        in[2 * l] = filled(2, shape);
        in[2 * l + 1] = filled(1, shape + 1);
        argnums[2 * l] = 2 * l;
        argnums[2 * l + 1] = 2 * l + 1;
    }
    in[PARAMS] = filled(2, (int64_t[]){POINTS, 2});
    must(agn_fn_new(&u, network, NULL, NULL, PARAMS + 1, 1));
    must(agn_fn_partials(&derivatives, u, PARAMS, orders, 2, 2));
    must(agn_fn_new(&f, loss, NULL, NULL, PARAMS + 1, 1));
    must(agn_fn_value_and_grad(&g, f, argnums, PARAMS));
    must(agn_fn_compile(&step, g, NULL));
    int64_t before, peak;
    agn_memory_live(&before, NULL, NULL);
    agn_memory_reset_peak();
    must(agn_fn_call(y, PARAMS + 1, step, (T const *)in, PARAMS + 1));
    agn_memory_live(NULL, NULL, &peak);
    double each = (double)(peak - before) / (1 << 20) / agn_threads();
    ok(each <= 6, "a step of gelu at %d points needs %.1f MB for a thread", POINTS, each);
    must(agn_plan_explain(plan, sizeof plan, NULL, step));
    ok(strstr(plan, "region of 8192 rows") && !strstr(plan, "[8192,24]"),
       "no array has a row of units for each point");
    int alone = count_lines(plan, "    loop ");
    ok(alone <= 20, "%d element-wise instructions stand alone, 20 at most", alone);
    must(agn_fn_call(z, PARAMS + 1, g, (T const *)in, PARAMS + 1));
    double worst = 0;
    for (int i = 0; i <= PARAMS; i++) {
        const double *a = agn_data(y[i]), *b = agn_data(z[i]);
        double most = 1e-12;
        for (int64_t k = 0; k < agn_numel(y[i]); k++)
            most = fmax(most, fabs(b[k]));
        for (int64_t k = 0; k < agn_numel(y[i]); k++)
            worst = fmax(worst, fabs(a[k] - b[k]) / most);
        agn_release(y[i]);
        agn_release(z[i]);
        agn_release(in[i]);
    }
    ok(worst < 1e-11, "it is what plain calls give, within %.1e", worst);
    agn_fn_release(step);
    agn_fn_release(g);
    agn_fn_release(f);
    agn_fn_release(derivatives);
    agn_fn_release(u);
}

/* ---- which of two was taken ---------------------------------------------------------------------- */

static agn_status choices(void *user, agn_scope *s, T const *in, T *out)
{
    (void)user;
    T x = in[0], y = in[1];
    T a = ag_add(s, ag_minimum(s, x, ag_lit(s, 1)), ag_mul_c(s, ag_maximum(s, x, ag_lit(s, -1)), 2));
    T b = ag_add(s, ag_mul_c(s, ag_minimum(s, x, y), 4), ag_mul_c(s, ag_maximum(s, y, x), 8));
    out[0] = ag_add(s, a, b);
    return agn_scope_status(s);
}

/* all pairs of special values: slopes are sums of powers of 2, so each choice can be read */
static void check_choices(agn_dtype dtype)
{
    static const double v[] = {-2, -1, -0.5, 0, 0.5, 1, 2, (double)NAN, (double)INFINITY, -(double)INFINITY};
    enum { N = sizeof v / sizeof *v };
    double xs[N * N], ys[N * N], got[N * N], want[N * N];
    const int64_t shape = N * N;
    agn_tensor *in[3] = {NULL}, *wide = NULL, *y[3] = {NULL}, *z[3] = {NULL};
    agn_fn *f = NULL, *g = NULL, *c = NULL;
    for (int i = 0; i < N * N; i++)
        xs[i] = v[i / N], ys[i] = v[i % N];
    for (int i = 0; i < 3; i++) {
        double ones[N * N];
        for (int k = 0; k < N * N; k++)
            ones[k] = 1;
        must(agn_from_host(&wide, AGN_F64, 1, &shape, i == 0 ? xs : i == 1 ? ys : ones));
        must(agn_cast(&in[i], wide, dtype));
        agn_release(wide);
    }
    must(agn_fn_new(&f, choices, NULL, NULL, 2, 1));
    must(agn_fn_vjp(&g, f));
    must(agn_fn_compile(&c, g, NULL));
    must(agn_fn_call(y, 3, g, (T const *)in, 3));
    must(agn_fn_call(z, 3, c, (T const *)in, 3));
    for (int o = 1; o < 3; o++) {
        int bad = 0;
        must(agn_cast(&wide, y[o], AGN_F64));
        must(agn_to_host(want, wide, sizeof want));
        agn_release(wide);
        must(agn_cast(&wide, z[o], AGN_F64));
        must(agn_to_host(got, wide, sizeof got));
        agn_release(wide);
        for (int i = 0; i < N * N; i++) {
            double x = xs[i], w = ys[i];
            bool least = x <= w || isnan(x), most = w >= x || isnan(w);
            double slope = o == 1 ? (x <= 1 || isnan(x)) + 2 * (x >= -1 || isnan(x)) + 4 * least +
                                        8 * !most
                                  : 4 * !least + 8 * most;
            bad += got[i] != slope || want[i] != slope;
        }
        ok(!bad, "%s: the slopes in argument %d say which was taken, planned or not (%d are wrong)",
           agn_dtype_name(dtype), o, bad);
    }
    for (int o = 0; o < 3; o++) {
        agn_release(in[o]);
        agn_release(y[o]);
        agn_release(z[o]);
    }
    agn_fn_release(c);
    agn_fn_release(g);
    agn_fn_release(f);
}

int main(void)
{
    check_step();
    check_choices(AGN_F64);
    check_choices(AGN_F32);
    return done();
}
