/* tests/t-flows.c - transforms of normalising flows: splines, autoregressive maps, couplings;
   round trips, the Jacobian's own determinant, derivatives, masks, what is refused. */
#include "tests/laws.h"

typedef const agn_tensor *T;
enum { N = 4, HIDDEN = 7 };
static const double widths[] = {0.7, 1.9, 0.4, 1.1}, heights[] = {1.3, 0.5, 0.9, 0.8};
static const double slopes[] = {0.6, 2.1, 0.9};
static const double points[] = {-1.7, -0.4, 0.31, 1.2};

static void drop(agn_tensor *const *t, int n)
{
    for (int i = 0; i < n; i++)
        agn_release(t[i]);
}
static agn_tensor *vector(int64_t n, const double *v)
{
    return of_reals(AGN_F64, 1, &n, v);
}

/* ---- networks ------------------------------------------------------------------------------ */

/* two masked layers; of a coupling: of the first number alone */
static agn_status masked_net(void *user, agn_scope *s, T const *in, T *out)
{
    (void)user;
    static const int64_t wide[] = {N, HIDDEN}, narrow[] = {HIDDEN, N};
    double a[N * HIDDEN], b[HIDDEN * N];
    for (int i = 0; i < N * HIDDEN; i++) {
        a[i] = sin(1 + 2.3 * i);
        b[i] = 0.4 * cos(0.7 * i);
    }
    T w = ag_from_host(s, AGN_F64, 2, wide, a), v = ag_from_host(s, AGN_F64, 2, narrow, b);
    T first = ag_autoregressive_mask(s, AGN_F64, N, 0, HIDDEN);
    T last = ag_autoregressive_mask(s, AGN_F64, N, HIDDEN, 0);
    T h = ag_tanh(s, ag_matmul(s, in[0], ag_mul(s, w, first)));
    out[0] = ag_add_c(s, ag_matmul(s, h, ag_mul(s, v, last)), 0.3);
    out[1] = ag_mul_c(s, ag_tanh(s, ag_matmul(s, ag_square(s, h), ag_mul(s, v, last))), 0.5);
    return agn_scope_status(s);
}
static agn_status coupled_net(void *user, agn_scope *s, T const *in, T *out)
{
    (void)user;
    T x = ag_sum(s, in[0], (const int32_t[]){-1}, 1, true);
    T three = ag_from_host(s, AGN_F64, 1, (const int64_t[]){N - 1}, slopes);
    out[0] = ag_sin(s, ag_mul(s, x, three));
    out[1] = ag_mul_c(s, ag_cos(s, ag_mul(s, x, three)), 0.4);
    return agn_scope_status(s);
}
static agn_status odd_net(void *user, agn_scope *s, T const *in, T *out)
{
    (void)user;
    out[0] = ag_sum(s, in[0], (const int32_t[]){-1}, 1, true);
    out[1] = in[0];
    return agn_scope_status(s);
}

enum { SPLINE, MASKED, INVERSE, COUPLING, KINDS };
static const char *const names[] = {"spline", "masked_autoregressive", "inverse_autoregressive",
                                    "coupling"};
static agn_status make_of(agn_transform **out, int kind, const agn_fn *net, T const *p)
{
    switch (kind) {
    case SPLINE:
        return agn_transform_spline(out, p[0], p[1], p[2], 2.5);
    case MASKED:
        return agn_transform_masked_autoregressive(out, net);
    case INVERSE:
        return agn_transform_inverse_autoregressive(out, net);
    default:
        return agn_transform_coupling(out, net, 1);
    }
}
static agn_fn *net_of(int kind)
{
    agn_fn *f = NULL;
    must(agn_fn_new(&f, kind == COUPLING ? coupled_net : masked_net, NULL, NULL, 1, 2));
    return f;
}
static void spline_parameters(agn_tensor **p)
{
    p[0] = vector(4, widths);
    p[1] = vector(4, heights);
    p[2] = vector(3, slopes);
}
static agn_transform *make(int kind)
{
    agn_transform *t = NULL;
    agn_tensor *p[3];
    agn_fn *f = net_of(kind);
    spline_parameters(p);
    must(make_of(&t, kind, f, (T const *)p));
    drop(p, 3);
    agn_fn_release(f);
    return t;
}

/* ---- answers ------------------------------------------------------------------------------- */

/* the determinant of a small matrix, by elimination with pivots */
static double log_det(double *a, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            p = fabs(a[i * n + k]) > fabs(a[p * n + k]) ? i : p;
        for (int j = 0; j < n; j++) {
            double keep = a[k * n + j];
            a[k * n + j] = a[p * n + j];
            a[p * n + j] = keep;
        }
        sum += log(fabs(a[k * n + k]));
        for (int i = k + 1; i < n; i++)
            for (int j = n - 1; j >= k; j--)
                a[i * n + j] -= a[i * n + k] / a[k * n + k] * a[k * n + j];
    }
    return sum;
}
static void test_round_trips(void)
{
    for (int kind = 0; kind < KINDS; kind++) {
        agn_transform *t = make(kind);
        agn_tensor *x = vector(N, points), *y, *back, *det;
        tally c = {0, 0};
        must(agn_transform_forward(&y, t, x));
        must(agn_transform_inverse(&back, t, y));
        must(agn_transform_log_det_jacobian(&det, t, x));
        for (int i = 0; i < N; i++)
            check(&c, fabs(peek(back, i) - points[i]) < 1e-13, "entry %d: %.17g", i, peek(back, i));
        /* central differences of sixth order */
        static const double weight[] = {0.75, -0.15, 1.0 / 60};
        double jac[N * N] = {0}, step = 2e-3, own = 0;
        for (int j = 0; j < N; j++)
            for (int k = 0; k < 3; k++)
                for (int side = -1; side <= 1; side += 2) {
                    double v[N];
                    memcpy(v, points, sizeof v);
                    v[j] += side * (k + 1) * step;
                    agn_tensor *at = vector(N, v), *z;
                    must(agn_transform_forward(&z, t, at));
                    for (int i = 0; i < N; i++)
                        jac[i * N + j] += side * weight[k] * peek(z, i) / step;
                    drop((agn_tensor *[]){at, z}, 2);
                }
        for (int64_t i = 0; i < agn_numel(det); i++)
            own += peek(det, i);
        double want = log_det(jac, N);
        check(&c, fabs(own - want) < 1e-9, "log|det J| %.12g, by differences %.12g", own, want);
        tell(&c, "%s: back and forth, the determinant", names[kind]);
        drop((agn_tensor *[]){x, y, back, det}, 4);
        agn_transform_release(t);
    }
}

static void test_spline(void)
{
    /* through the knots, the line outside */
    agn_transform *t = make(SPLINE);
    double at = -2.5, to = -2.5, w = 0, h = 0;
    tally c = {0, 0};
    for (int i = 0; i < 4; i++)
        w += widths[i], h += heights[i];
    for (int i = 0; i < 3; i++) {
        at += 5 * widths[i] / w, to += 5 * heights[i] / h;
        agn_tensor *x = scalar_of(AGN_F64, at), *y, *det;
        must(agn_transform_forward(&y, t, x));
        must(agn_transform_log_det_jacobian(&det, t, x));
        check(&c, fabs(peek(y, 0) - to) < 1e-13, "knot %d: %.17g, not %.17g", i, peek(y, 0), to);
        check(&c, fabs(peek(det, 0) - log(slopes[i])) < 1e-9, "slope at knot %d: %.17g", i,
              peek(det, 0));
        drop((agn_tensor *[]){x, y, det}, 3);
    }
    static const double out[] = {-2.5, 2.5, 7, -1e300};
    for (int i = 0; i < 4; i++) {
        agn_tensor *x = scalar_of(AGN_F64, out[i]), *y, *back, *det;
        must(agn_transform_forward(&y, t, x));
        must(agn_transform_inverse(&back, t, x));
        must(agn_transform_log_det_jacobian(&det, t, x));
        check(&c, peek(y, 0) == out[i] && peek(back, 0) == out[i] && peek(det, 0) == 0, "at %g",
              out[i]);
        drop((agn_tensor *[]){x, y, back, det}, 4);
    }
    agn_tensor *nan = scalar_of(AGN_F64, (double)NAN), *y;
    must(agn_transform_forward(&y, t, nan));
    check(&c, isnan(peek(y, 0)), "NaN");
    drop((agn_tensor *[]){nan, y}, 2);
    tell(&c, "spline: knots, slopes, ends");
    agn_transform_release(t);
}

static void test_masks(void)
{
    agn_tensor *a, *b, *both;
    must(agn_autoregressive_mask(&a, AGN_F64, N, 0, HIDDEN));
    must(agn_autoregressive_mask(&b, AGN_F64, N, HIDDEN, 0));
    must(agn_matmul(&both, a, b));
    tally c = {0, 0};
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            check(&c, (peek(both, i * N + j) > 0) == (i < j), "from %d to %d", i, j);
    agn_release(b);
    must(agn_autoregressive_mask(&b, AGN_F32, N, HIDDEN, 5));
    check(&c, agn_dtype_of(b) == AGN_F32 && has_shape(b, 2, (int64_t[]){HIDDEN, 5}),
          "hidden layers");
    drop((agn_tensor *[]){a, b, both}, 3);
    must(agn_autoregressive_mask(&a, AGN_F64, 1, 0, 3));
    check(&c, peek(a, 0) == 0 && peek(a, 2) == 0, "one number knows none");
    agn_release(a);
    tell(&c, "masks: each result knows the arguments before it");
    a = untouched;
    ok(refused(agn_autoregressive_mask(NULL, AGN_F64, 2, 0, 0), AGN_ENULL, "autoregressive_mask",
               "out", NULL, a) &&
           refused(agn_autoregressive_mask(&a, AGN_F64, 0, 0, 0), AGN_EARG, "autoregressive_mask",
                   "n is 0", NULL, a) &&
           refused(agn_autoregressive_mask(&a, AGN_F64, 2, -1, 0), AGN_EARG, "autoregressive_mask",
                   "rows -1", NULL, a) &&
           refused(agn_autoregressive_mask(&a, AGN_I64, 2, 0, 0), AGN_EDTYPE, "autoregressive_mask",
                   NULL, NULL, a),
       "masks refused");
}

/* ---- derivatives --------------------------------------------------------------------------- */

typedef struct probe {
    int kind, what;
} probe;
static agn_status body(void *user, agn_scope *s, T const *in, T *out)
{
    const probe *c = user;
    agn_transform *made = NULL;
    agn_fn *net = net_of(c->kind);
    agn_status st = make_of(&made, c->kind, net, in + 1);
    agn_fn_release(net);
    const agn_transform *t = agn_transform_adopt(s, st, &made);
    out[0] = c->what == 0   ? ag_transform_forward(s, t, in[0])
             : c->what == 1 ? ag_transform_inverse(s, t, in[0])
                            : ag_transform_log_det_jacobian(s, t, in[0]);
    return agn_scope_status(s);
}
static void test_derivatives(void)
{
    for (int kind = 0; kind < KINDS; kind++)
        for (int what = 0; what < 3; what++) {
            probe c = {kind, what};
            agn_tensor *in[4];
            in[0] = vector(N, points);
            spline_parameters(in + 1);
            int n = kind == SPLINE ? 4 : 1;
            agn_fn *f;
            must(agn_fn_new(&f, body, &c, NULL, n, 1));
            agn_check_options o = {.size = sizeof o, .orders = 2, .tolerance = 2e-6, .step = 1e-3};
            agn_status st = agn_check_grads(NULL, f, (T const *)in, n, &o);
            ok(!st, "%s: two derivatives of map %d: %s", names[kind], what,
               st ? agn_error_message() : "");
            agn_fn_release(f);
            drop(in, 4);
        }
}

/* the law of a flow has the total probability 1: the mean over normal numbers of p / q */
static void test_law(void)
{
    agn_transform *t = make(MASKED);
    agn_distribution *base = NULL, *law = NULL, *each = NULL;
    agn_tensor *zero = of_reals(AGN_F64, 1, (int64_t[]){N}, (double[]){0, 0, 0, 0}),
               *one = scalar_of(AGN_F64, 1);
    must(agn_distribution_normal(&each, zero, one, NULL));
    must(agn_distribution_independent(&base, each, 1));
    must(agn_distribution_transformed(&law, base, t));
    agn_tensor *x = vector(N, points), *y, *det, *have, *own;
    must(agn_transform_forward(&y, t, x));
    must(agn_transform_log_det_jacobian(&det, t, x));
    must(agn_distribution_log_prob(&have, law, y));
    must(agn_distribution_log_prob(&own, base, x));
    ok(fabs(peek(have, 0) - (peek(own, 0) - peek(det, 0))) < 1e-12, "density of a flow");
    drop((agn_tensor *[]){zero, one, x, y, det, have, own}, 7);
    agn_distribution_release(base);
    agn_distribution_release(law);
    agn_distribution_release(each);
    agn_transform_release(t);
}

/* ---- refusals and memory ------------------------------------------------------------------- */

static bool says(agn_status st, agn_status want, const char *op, const char *fact)
{
    return refused(st, want, op, fact, NULL, untouched);
}
static void test_refused(void)
{
    agn_transform *const nothing = (agn_transform *)(uintptr_t)0xd15, *t = nothing;
    agn_tensor *p[3], *two = vector(2, widths), *one = vector(1, widths), *y = untouched;
    agn_tensor *minus = vector(4, (double[]){1, -1, 1, 1}), *z = NULL, *x = vector(N, points);
    spline_parameters(p);
    must(agn_cast(&z, p[0], AGN_C128));
    const char *op = "transform_spline";
    tally c = {0, 0};
    check(&c, says(agn_transform_spline(NULL, p[0], p[1], p[2], 1), AGN_ENULL, op, "out"), "out");
    check(&c, says(agn_transform_spline(&t, NULL, p[1], p[2], 1), AGN_ENULL, op, "widths"),
          "widths");
    check(&c, says(agn_transform_spline(&t, p[0], NULL, p[2], 1), AGN_ENULL, op, "heights"),
          "heights");
    check(&c, says(agn_transform_spline(&t, p[0], p[1], NULL, 1), AGN_ENULL, op, "slopes"),
          "slopes");
    check(&c, says(agn_transform_spline(&t, p[0], p[1], p[2], 0), AGN_EDOMAIN, op, "bound is 0"),
          "bound");
    check(&c, says(agn_transform_spline(&t, p[0], two, p[2], 1), AGN_ESHAPE, op, "[2]"), "sizes");
    check(&c, says(agn_transform_spline(&t, one, one, one, 1), AGN_ESHAPE, op, "k from 2"),
          "one bin");
    check(&c,
          says(agn_transform_spline(&t, p[0], minus, p[2], 1), AGN_EDOMAIN, op, "heights is -1"),
          "sign");
    check(&c, says(agn_transform_spline(&t, z, p[1], p[2], 1), AGN_EDTYPE, op, "c128"), "complex");
    tell(&c, "spline: refused");
    for (int kind = MASKED; kind < KINDS; kind++) {
        char name[64];
        snprintf(name, sizeof name, "transform_%s", names[kind]);
        agn_fn *net = net_of(kind), *odd, *single;
        must(agn_fn_new(&odd, odd_net, NULL, NULL, 1, 2));
        must(agn_fn_new(&single, odd_net, NULL, NULL, 1, 1));
        tally k = {0, 0};
        check(&k, says(make_of(NULL, kind, net, NULL), AGN_ENULL, name, "out"), "out");
        check(&k, says(make_of(&t, kind, NULL, NULL), AGN_ENULL, name, "net"), "net");
        check(&k, says(make_of(&t, kind, single, NULL), AGN_EARG, name, "1 results"), "results");
        check(&k, t == nothing, "nothing is written");
        must(make_of(&t, kind, odd, NULL));
        check(&k, refused(agn_transform_forward(&y, t, x), AGN_ESHAPE, name, "[1]", NULL, y),
              "shapes of a network");
        agn_transform_release(t);
        t = nothing;
        if (kind == COUPLING) {
            check(&k, says(agn_transform_coupling(&t, net, 0), AGN_EARG, name, "0 numbers"),
                  "none stay");
            must(agn_transform_coupling(&t, net, N));
            check(&k,
                  refused(agn_transform_forward(&y, t, x), AGN_ESHAPE, "transform_forward", "[4]",
                          NULL, y),
                  "all stay");
            agn_transform_release(t);
            t = nothing;
        }
        tell(&k, "%s: refused", names[kind]);
        agn_fn_release(net);
        agn_fn_release(odd);
        agn_fn_release(single);
    }
    drop(p, 3);
    drop((agn_tensor *[]){two, one, minus, z, x}, 5);
}
static void test_memory(void)
{
    agn_tensor *p[3], *x = vector(N, points), *m;
    spline_parameters(p);
    for (int kind = 0; kind <= KINDS; kind++) {
        agn_fn *net = net_of(kind);
        int64_t before, after;
        tally c = {0, 0};
        agn_memory_live(NULL, &before, NULL);
        for (int n = 0;; n += n < 60 ? 1 : 37) {
            agn_transform *t = NULL;
            agn_tensor *y = untouched, *det = untouched;
            m = untouched;
            agn_memory_fail_after(n);
            agn_status st = kind == KINDS ? agn_autoregressive_mask(&m, AGN_F32, N, 0, HIDDEN)
                                          : make_of(&t, kind, net, (T const *)p);
            if (kind < KINDS) {
                st = st ? st : agn_transform_inverse(&y, t, x);
                st = st ? st : agn_transform_log_det_jacobian(&det, t, x);
            }
            agn_memory_fail_after(-1);
            if (st)
                check(&c, st == AGN_ENOMEM, "allocation %d: %s", n, agn_error_message());
            agn_transform_release(t);
            if (y != untouched)
                agn_release(y);
            if (det != untouched)
                agn_release(det);
            if (m != untouched)
                agn_release(m);
            if (!st)
                break;
        }
        agn_memory_live(NULL, &after, NULL);
        check(&c, before == after, "%d lost", (int)(after - before));
        tell(&c, "%s: allocations failed in turn", kind == KINDS ? "mask" : names[kind]);
        agn_fn_release(net);
    }
    drop(p, 3);
    agn_release(x);
}

int main(void)
{
    test_round_trips();
    test_spline();
    test_masks();
    test_derivatives();
    test_law();
    test_refused();
    test_memory();
    return done();
}
