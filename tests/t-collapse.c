/* t-collapse - sums before products (graph/passes/factor_sums.c): residuals of networks and random programs give
   the numbers of eager calls, planned, in reverse, twice in reverse and along; and a residual in which
   derivatives meet takes fewer flops than one that reads each. */
#include "laws.h"

#include <agnesi/ag.h>
#include <math.h>

typedef const agn_tensor *T;
typedef T activation(agn_scope *s, T x);
enum { LAYERS = 4, WIDE = 12, ARGS = 2 * LAYERS + 1, POINTS = 2 * LAYERS };

static double apart(T x_, T y_)
{
    double worst = 0, largest = 1;
    agn_tensor *a = NULL, *b = NULL;
    must(agn_contiguous(&a, x_));
    must(agn_contiguous(&b, y_));
    for (int64_t i = 0; i < agn_numel(a); i++) {
        bool wide = agn_dtype_of(a) == AGN_F64;
        double x = wide ? ((const double *)agn_data(a))[i]
                        : (double)((const float *)agn_data(a))[i];
        double y = wide ? ((const double *)agn_data(b))[i]
                        : (double)((const float *)agn_data(b))[i];
        worst = isnan(x) || isnan(y) ? (double)INFINITY : fmax(worst, fabs(x - y));
        largest = fmax(largest, fabs(y));
    }
    agn_release(a);
    agn_release(b);
    return worst / largest;
}
static double flops_of(const agn_fn *f)
{
    static char text[1 << 16];
    size_t need;
    must(agn_plan_explain(text, sizeof text, &need, f));
    const char *at = strstr(text, "bound: ");
    return at ? strtod(at + 7, NULL) : (double)NAN;
}
/* calls of f, as it is and compiled, on in[n]: how far apart; flops of the plan, where asked for */
static double planned(const agn_fn *f, agn_tensor *const *in, int n_out, double *flops)
{
    agn_tensor *a[ARGS + 2] = {NULL}, *b[ARGS + 2] = {NULL};
    agn_fn *c = NULL;
    double worst = 0;
    must(agn_fn_compile(&c, f, NULL));
    must(agn_fn_call(a, agn_fn_n_out(f), f, (const T *)in, agn_fn_n_in(f)));
    must(agn_fn_call(b, agn_fn_n_out(c), c, (const T *)in, agn_fn_n_in(c)));
    for (int i = 0; i < n_out; i++) {
        worst = fmax(worst, apart(b[i], a[i]));
        agn_release(a[i]);
        agn_release(b[i]);
    }
    if (flops)
        *flops = flops_of(c);
    agn_fn_release(c);
    return worst;
}

/* ---- residuals of networks ------------------------------------------------------------------ */

static const struct kind {
    const char *name;
    activation *act;
    bool skip;
    int n_out;
} kinds[] = {
    {"tanh", ag_tanh, false, 1},       {"sin", ag_sin, false, 1},
    {"sigmoid", ag_sigmoid, false, 2}, {"softplus", ag_softplus, false, 1},
    {"gelu", ag_gelu, false, 1},       {"tanh with skips", ag_tanh, true, 2},
};
static const struct kind *now;
static agn_fn *parts;

static agn_status network(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    T h = in[POINTS];
    for (int l = 0; l < LAYERS; l++) {
        T z = ag_add(s, ag_matmul(s, h, in[2 * l]), in[2 * l + 1]);
        z = l < LAYERS - 1 ? now->act(s, z) : z;
        h = now->skip && l && l < LAYERS - 1 ? ag_add(s, h, z) : z;
    }
    out[0] = h;
    return AGN_OK;
}
static T square_mean(agn_scope *s, T r)
{
    return ag_mean_all(s, ag_square(s, r));
}
/* d: u, u_x, u_t, u_xx, u_tt, u_xxx */
static T heat(agn_scope *s, const T *d)
{
    T r = ag_add(s, d[2], ag_mul(s, d[0], d[1]));
    return square_mean(s, ag_sub(s, r, ag_mul_c(s, d[3], 0.3)));
}
static T wave(agn_scope *s, const T *d)
{
    return square_mean(s, ag_div_c(s, ag_sub(s, d[4], d[3]), 3));
}
static T third(agn_scope *s, const T *d)
{
    T r = ag_neg(s, ag_add(s, ag_mul_c(s, d[5], -0.2), d[2]));
    return square_mean(s, ag_add(s, ag_mul(s, d[0], r), ag_add(s, r, d[1])));
}
/* each read by itself: nothing to save */
static T each(agn_scope *s, const T *d)
{
    return ag_add(s, square_mean(s, d[2]),
                  ag_add(s, square_mean(s, d[3]), square_mean(s, d[1])));
}
typedef T residual(agn_scope *s, const T *d);
static residual *residue;
static agn_status loss(void *user, agn_scope *s, const T *in, T *out)
{
    T d[6];
    (void)user;
    out[0] = agn_fn_apply(s, d, agn_fn_n_out(parts), parts, in, agn_fn_n_in(parts)) ? NULL : residue(s, d);
    return AGN_OK;
}

static void test_networks(int dtype)
{
    static const struct {
        const char *name;
        residual *of;
    } residuals[] = {{"heat", heat}, {"wave", wave}, {"third", third}, {"each", each}};
    static const int32_t orders[] = {1, 0, 0, 1, 2, 0, 0, 2, 3, 0},
                         argnums[] = {0, 1, 2, 3, 4, 5, 6, 7};
    double eps = dtype == AGN_F64 ? 0x1p-52 : 0x1p-23;
    for (int k = 0; k < COUNT(kinds); k++) {
        agn_tensor *in[2 * ARGS] = {NULL};
        agn_fn *u = NULL, *f = NULL, *g = NULL, *h = NULL;
        double flops[COUNT(residuals)];
        now = &kinds[k];
        for (int l = 0; l < LAYERS; l++) {
            int64_t size[2] = {l ? WIDE : 2, l < LAYERS - 1 ? WIDE : now->n_out};
            in[2 * l] = random_of(dtype, 2, size, -0.5, 0.5);
            in[2 * l + 1] = random_of(dtype, 1, size + 1, -0.5, 0.5);
        }
        in[POINTS] = random_of(dtype, 2, (int64_t[]){101, 2}, -1, 1);
        for (int i = 0; i < 2 * LAYERS; i++)
            in[ARGS + i] = random_of(dtype, agn_ndim(in[i]), agn_shape(in[i]), -1, 1);
        must(agn_fn_new(&u, network, NULL, NULL, ARGS, 1));
        must(agn_fn_partials(&parts, u, POINTS, orders, 5, 2));
        must(agn_fn_new(&f, loss, NULL, NULL, ARGS, 1));
        must(agn_fn_value_and_grad(&g, f, argnums, 2 * LAYERS));
        must(agn_fn_hvp(&h, f, argnums, 2 * LAYERS));
        for (int r = 0; r < COUNT(residuals); r++) {
            residue = residuals[r].of;
            double far = planned(f, in, 1, NULL);
            ok(far < 2000 * eps, "%s, %s: planned (%.0f eps)", now->name,
               residuals[r].name, far / eps);
            far = planned(g, in, ARGS, &flops[r]);
            ok(far < 2000 * eps, "%s, %s: gradient (%.0f eps)", now->name,
               residuals[r].name, far / eps);
            far = planned(h, in, 2 * LAYERS, NULL);
            ok(far < 5000 * eps, "%s, %s: Hessian (%.0f eps)", now->name,
               residuals[r].name, far / eps);
        }
        ok(flops[0] < 0.85 * flops[3],
           "%s: derivatives that meet take %.3g flops, apart %.3g", now->name, flops[0],
           flops[3]);
        for (int i = 0; i < 2 * ARGS; i++)
            agn_release(in[i]);
        agn_fn_release(parts);
        agn_fn_release(u);
        agn_fn_release(f);
        agn_fn_release(g);
        agn_fn_release(h);
    }
}

/* ---- random programs ------------------------------------------------------------------------- */

enum { NODES = 24, MATRICES = 3, SIDE = 5 };
static uint64_t program; /* its seed */

/* in: MATRICES [5, 5] and one value [7, 5]. Few matrices and factors, so that many products share one. */
static agn_status random_program(void *user, agn_scope *s, const T *in, T *out)
{
    T v[NODES];
    uint64_t keep = law_seed;
    (void)user;
    law_seed = program;
    v[0] = in[MATRICES];
    v[1] = ag_sin(s, v[0]);
    for (int k = 2; k < NODES; k++) {
        T a = v[rnd_below(k)], b = v[rnd_below(k)], w = in[rnd_below(MATRICES)];
        switch (rnd_below(8)) {
        case 0:
        case 1:
            v[k] = ag_matmul(s, a, w);
            break;
        case 2:
            v[k] = ag_mul(s, a, v[rnd_below(2)]);
            break;
        case 3:
            v[k] = ag_mul_c(s, a, rnd_in(-1, 1));
            break;
        case 4:
            v[k] = ag_sub(s, a, b);
            break;
        case 5:
            v[k] = rnd_below(2) ? ag_tanh(s, a) : ag_neg(s, a);
            break;
        case 6:
            v[k] = ag_flip(s, a, (const int32_t[]){0}, 1);
            break;
        default:
            v[k] = ag_add(s, a, b);
        }
        if (k % 8 == 7)
            v[k] = ag_tanh(s, v[k]); /* or numbers grow without bound */
    }
    out[0] = ag_add(s, ag_sum_all(s, ag_mul(s, v[NODES - 1], v[NODES - 2])),
                    ag_sum_all(s, v[NODES - 3]));
    law_seed = keep;
    return AGN_OK;
}

static void test_random(void)
{
    static const int32_t argnums[] = {0, 1, 2, 3};
    agn_tensor *in[MATRICES + 1];
    agn_fn *f = NULL, *g = NULL;
    int bad = 0, many = 300;
    for (int i = 0; i < MATRICES; i++)
        in[i] = random_of(AGN_F64, 2, (int64_t[]){SIDE, SIDE}, -0.4, 0.4);
    in[MATRICES] = random_of(AGN_F64, 2, (int64_t[]){7, SIDE}, -1, 1);
    must(agn_fn_new(&f, random_program, NULL, NULL, MATRICES + 1, 1));
    must(agn_fn_value_and_grad(&g, f, argnums, MATRICES + 1));
    for (int i = 0; i < many; i++) {
        program = rnd();
        double far = planned(g, in, MATRICES + 2, NULL);
        if (!(far < 1e-12)) {
            bad++;
            diag("program %llu: %g", (unsigned long long)program, far);
        }
    }
    is_int(
        bad, 0,
        "%d random programs with few matrices and factors: planned gradients are those of the tape",
        many);
    for (int i = 0; i <= MATRICES; i++)
        agn_release(in[i]);
    agn_fn_release(f);
    agn_fn_release(g);
}

/* ---- what must not change -------------------------------------------------------------------- */

enum { FACTOR, LEFT, RIGHT, SHARED, TAKES }; /* arguments, [5, 5] */
static agn_tensor *rate; /* captured */
typedef T sums(agn_scope *s, const T *in, T a, T b);

/* x * x is one term, though x is a factor of it twice */
static T squares(agn_scope *s, const T *in, T a, T b)
{
    T x = in[FACTOR];
    return ag_add(s, ag_mul(s, x, x), ag_sub(s, ag_mul(s, x, a), ag_mul(s, b, x)));
}
static T tiny(agn_scope *s, const T *in, T a, T b)
{
    (void)in;
    return ag_add(s, ag_mul_c(s, ag_mul_c(s, a, 1e-200), 1e-200), b);
}
static T captured(agn_scope *s, const T *in, T a, T b)
{
    (void)in;
    return ag_add(s, ag_mul(s, a, rate), ag_mul(s, rate, b));
}
/* more terms than are looked at in one go */
static T very_many(agn_scope *s, const T *in, T a, T b)
{
    T y = ag_add(s, a, b);
    for (int i = 0; i < 400; i++)
        y = ag_add(s, y, ag_matmul(s, ag_mul_c(s, in[LEFT], 0.001 * (i + 1)), in[SHARED]));
    return ag_mul_c(s, y, 0.01);
}
static const struct {
    const char *name;
    sums *of;
} cases[] = {{"squares", squares}, {"tiny numbers", tiny}, {"very many", very_many},
             {"a captured number", captured}};
static sums *made_of;

static agn_status sums_of_products(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    T r = made_of(s, in, ag_matmul(s, in[LEFT], in[SHARED]), ag_matmul(s, in[RIGHT], in[SHARED]));
    out[0] = ag_sum_all(s, ag_sin(s, r));
    return AGN_OK;
}

static void test_kept(void)
{
    static const int32_t argnums[] = {FACTOR, LEFT, RIGHT, SHARED};
    agn_tensor *in[TAKES], *y[TAKES + 1];
    for (int i = 0; i < TAKES; i++)
        in[i] = random_of(AGN_F64, 2, (int64_t[]){SIDE, SIDE}, -1, 1);
    for (int k = 0; k < COUNT(cases); k++) {
        agn_fn *f = NULL, *g = NULL, *c = NULL;
        made_of = cases[k].of;
        must(agn_full(&rate, AGN_F64, 0, NULL, 0.5));
        must(agn_fn_new(&f, sums_of_products, NULL, NULL, TAKES, 1));
        must(agn_fn_value_and_grad(&g, f, argnums, TAKES));
        double far = planned(g, in, TAKES + 1, NULL);
        ok(far < 1e-12, "%s: planned gradients are those of the tape (%.2g)", cases[k].name, far);
        must(agn_fn_compile(&c, g, NULL));
        must(agn_fn_call(y, TAKES + 1, c, (const T *)in, TAKES));
        for (int i = 0; i <= TAKES; i++)
            agn_release(y[i]);
        void *p = NULL;
        must(agn_data_mut(&p, rate));
        *(double *)p = 2;
        is_int(agn_fn_call(y, TAKES + 1, c, (const T *)in, TAKES), made_of == captured ? AGN_ESTALE : AGN_OK,
               "%s: another captured number is noticed", cases[k].name);
        for (int i = 0; i <= TAKES && made_of != captured; i++)
            agn_release(y[i]);
        agn_release(rate);
        agn_fn_release(f);
        agn_fn_release(g);
        agn_fn_release(c);
    }
    for (int i = 0; i < TAKES; i++)
        agn_release(in[i]);
}

int main(void)
{
    test_networks(AGN_F64);
    test_networks(AGN_F32);
    test_random();
    test_kept();
    return done();
}
