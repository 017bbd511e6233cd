/* t-geometric-segment - segments of rows in any order: against loops, in every mode, and every failure. */
#include "geometric.h"

#include <agnesi/geometric.h>
#include <agnesi/geometric_networks.h>
#include <agnesi/geometric_segment.h>

enum { ROWS = 9, SEGMENTS = 5, F = 2, O = 3 };
static const int64_t ids[ROWS] = {2, 0, 2, 4, 0, 2, 0, 4, 1}; /* 3 has none, 1 has one */

/* ---- values -------------------------------------------------------------------------------------- */

static void test_values(int dtype)
{
    tally q = {0, 0};
    bool whole_numbers = dtype == AGN_I64;
    double tol = dtype == AGN_F32 ? 1e-5 : 1e-13;
    agn_tensor *x = random_of(dtype, 2, (int64_t[]){ROWS, F}, whole_numbers ? 1 : -2, 4), *at = whole(ROWS, ids);
    agn_tensor *soft, *lse, *var, *std, *prod;
    must(agn_geometric_segment_softmax(&soft, x, at));
    must(agn_geometric_segment_logsumexp(&lse, x, at, SEGMENTS));
    must(agn_geometric_segment_var(&var, x, at, SEGMENTS, 1));
    must(agn_geometric_segment_std(&std, x, at, 0, 0));
    must(agn_geometric_segment_prod(&prod, x, at, SEGMENTS));
    check(&q, agn_dtype_of(prod) == dtype && (whole_numbers || agn_dtype_of(lse) == dtype), "dtypes");
    for (int i = 0; i < SEGMENTS; i++)
        for (int f = 0; f < F; f++) {
            double sum = 0, all = 0, product = 1, spread = 0;
            int n = 0;
            for (int k = 0; k < ROWS; k++)
                if (ids[k] == i) {
                    sum += exp(get(x, k * F + f));
                    all += get(x, k * F + f);
                    product *= get(x, k * F + f);
                    n++;
                }
            for (int k = 0; k < ROWS; k++)
                if (ids[k] == i) {
                    spread += pow(get(x, k * F + f) - all / n, 2);
                    check(&q, fabs(get(soft, k * F + f) - exp(get(x, k * F + f)) / sum) < tol, "softmax of row %d", k);
                }
            double l = get(lse, i * F + f), v = get(var, i * F + f), d = get(std, i * F + f);
            check(&q, n ? fabs(l - log(sum)) < tol * 10 : l == -(double)INFINITY, "logsumexp of %d: %g", i, l);
            check(&q, n > 1 ? fabs(v - spread / (n - 1)) < tol * 10 : isnan(v), "var of %d: %g", i, v);
            check(&q, n ? fabs(d - sqrt(spread / n)) < tol * 10 : isnan(d), "std of %d: %g", i, d);
            check(&q, fabs(get(prod, i * F + f) - product) < tol * 100, "prod of %d", i);
        }
    tell(&q, "softmax, logsumexp, var, std, prod of %s against loops", agn_dtype_name(dtype));
    agn_release(x);
    agn_release(at);
    agn_release(soft);
    agn_release(lse);
    agn_release(var);
    agn_release(std);
    agn_release(prod);
}

static void test_products(void)
{
    tally q = {0, 0};
    static const int64_t sorted[ROWS] = {0, 0, 1, 1, 1, 3, 3, 4, 4};
    for (int order = 0; order < 2; order++) {
        const int64_t *to = order ? sorted : ids;
        agn_tensor *x = random_of(AGN_C128, 2, (int64_t[]){ROWS, F}, -1, 1), *at = whole(ROWS, to), *y;
        agn_tensor *w = random_of(AGN_C128, 3, (int64_t[]){SEGMENTS, F, O}, -1, 1);
        must(agn_geometric_segment_mm(&y, x, w, at));
        check(&q, has_shape(y, 2, (int64_t[]){ROWS, O}), "shape");
        for (int k = 0; k < ROWS; k++)
            for (int o = 0; o < O; o++) {
                double complex sum = 0;
                for (int f = 0; f < F; f++)
                    sum += peekz(x, k * F + f) * peekz(w, (to[k] * F + f) * O + o);
                check(&q, cabs(sum - peekz(y, k * O + o)) < 1e-14, "row %d", k);
            }
        agn_release(x);
        agn_release(at);
        agn_release(w);
        agn_release(y);
    }
    /* a hub of many rows: each of the powers of 2 once, 2^0 ... 2^-999 */
    enum { MANY = 1000 };
    int64_t many = MANY, zeros[MANY] = {0};
    agn_tensor *at = whole(MANY, zeros), *x, *y, *line;
    must(agn_full(&x, AGN_F64, 1, &many, 2));
    must(agn_geometric_segment_prod(&y, x, at, 2));
    check(&q, get(y, 0) == ldexp(1, MANY) && get(y, 1) == 1, "2^1000 is %g, the empty product %g", get(y, 0), get(y, 1));
    agn_release(y);
    agn_release(x);
    must(agn_linspace(&line, AGN_F64, -1000, 999, MANY)); /* far apart: sums behind the largest */
    must(agn_geometric_segment_logsumexp(&y, line, at, 1));
    check(&q, fabs(get(y, 0) - 999 - log1p(1 / (exp(1999.0 / 999) - 1))) < 1e-12, "geometric series: %.17g", get(y, 0));
    agn_release(y);
    agn_release(line);
    agn_release(at);
    tell(&q, "rows times matrices, in order and not; a hub");
}

static void test_corners(void)
{
    tally q = {0, 0};
    const double inf = (double)INFINITY;
    const int64_t to[] = {0, 0, 1, 1, 2, 2};
    agn_tensor *x = of_reals(AGN_F64, 1, (int64_t[]){6}, (double[]){-inf, -inf, inf, 1, (double)NAN, 1});
    agn_tensor *at = whole(6, to), *y, *none = whole(0, to), *empty;
    must(agn_geometric_segment_logsumexp(&y, x, at, 3));
    check(&q, get(y, 0) == -inf && get(y, 1) == inf && isnan(get(y, 2)), "infinite rows: %g %g %g", get(y, 0), get(y, 1),
          get(y, 2));
    agn_release(y);
    must(agn_geometric_segment_prod(&y, x, at, 3));
    check(&q, get(y, 0) == inf && get(y, 1) == inf && isnan(get(y, 2)), "products");
    agn_release(y);
    must(agn_full(&empty, AGN_F64, 2, (int64_t[]){0, F}, 0));
    must(agn_geometric_segment_prod(&y, empty, none, 2));
    check(&q, has_shape(y, 2, (int64_t[]){2, F}) && get(y, 3) == 1, "products of nothing");
    agn_release(y);
    must(agn_geometric_segment_std(&y, empty, none, 0, 1));
    check(&q, has_shape(y, 2, (int64_t[]){0, F}), "no segments");
    agn_release(y);
    must(agn_geometric_segment_softmax(&y, empty, none));
    check(&q, has_shape(y, 2, (int64_t[]){0, F}), "no rows");
    agn_release(y);
    agn_tensor *w = random_of(AGN_F64, 3, (int64_t[]){2, F, O}, -1, 1);
    must(agn_geometric_segment_mm(&y, empty, w, none));
    check(&q, has_shape(y, 2, (int64_t[]){0, O}), "no rows times matrices");
    agn_release(y);
    agn_release(w);
    agn_release(empty);
    agn_release(none);
    agn_release(at);
    agn_release(x);
    tell(&q, "infinite rows, NaN, nothing");
}

/* ---- derivatives ------------------------------------------------------------------------------------ */

typedef struct call {
    const agn_tensor *ids;
    int what;
} call;
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const call *q = user;
    switch (q->what) {
    case 0: out[0] = ag_geometric_segment_softmax(s, in[0], q->ids); break;
    case 1: out[0] = ag_geometric_segment_logsumexp(s, in[0], q->ids, 0); break;
    case 2: out[0] = ag_geometric_segment_var(s, in[0], q->ids, 0, 0); break;
    case 3: out[0] = ag_geometric_segment_std(s, in[0], q->ids, 0, 0); break;
    case 4: out[0] = ag_geometric_segment_prod(s, in[0], q->ids, SEGMENTS); break;
    default: out[0] = ag_geometric_segment_mm(s, in[0], in[1], q->ids);
    }
    return agn_scope_status(s);
}
static const char *const names[] = {"softmax", "logsumexp", "var", "std", "prod", "mm"};

/* deviations and their slopes where squares leave the range */
static void test_scales(void)
{
    static const double scale[2][4] = {{1e-170, 1e170, 1, 1e-300}, {1e-30, 1e30, 1, 1e-25}};
    static const int64_t to[8] = {3, 0, 1, 2, 2, 1, 0, 3};
    tally q = {0, 0};
    agn_tensor *at = whole(8, to);
    for (int t = 0; t < 2; t++) {
        double v[8], tol = t ? 1e-6 : 1e-14;
        for (int k = 0; k < 8; k++)
            v[k] = scale[t][to[k]] * (k < 4 ? 1 : 3);
        agn_tensor *x = of_reals(t ? AGN_F32 : AGN_F64, 1, (int64_t[]){8}, v), *w, *r[2];
        call c = {at, 3};
        agn_fn *f = NULL, *pull = NULL;
        must(agn_full(&w, t ? AGN_F32 : AGN_F64, 1, (int64_t[]){4}, 1));
        must(agn_fn_new(&f, body, &c, NULL, 1, 1));
        must(agn_fn_vjp(&pull, f));
        must(agn_fn_call(r, 2, pull, AGN_ARGS(x, w)));
        for (int i = 0; i < 4; i++)
            check(&q, fabs(get(r[0], i) / scale[t][i] - 1) < tol, "deviation of %g: %g", scale[t][i], get(r[0], i));
        for (int k = 0; k < 8; k++)
            check(&q, fabs(get(r[1], k) - (k < 4 ? -0.5 : 0.5)) < tol, "slope of row %d: %g", k, get(r[1], k));
        agn_fn_release(f);
        agn_fn_release(pull);
        RELEASE(x, w, r[0], r[1]);
    }
    agn_release(at);
    tell(&q, "deviations of rows whose squares are 0 or infinite");
}

static void test_modes(void)
{
    enum { N = 7 };
    static const int64_t to[N] = {1, 0, 1, 2, 0, 1, 2}; /* each has two: std has a slope */
    agn_tensor *at = whole(N, to), *x = NULL, *w = random_of(AGN_F64, 3, (int64_t[]){3, 2, 2}, -1, 1);
    agn_tensor *zero = of_reals(AGN_F64, 1, (int64_t[]){N}, (double[]){0, 2, 0, 0, 3, 0.5, 1.5});
    for (int k = 0; k <= COUNT(names); k++) {
        bool hole = k == COUNT(names); /* products with zeros, two in one segment */
        call c = {at, hole ? 4 : k};
        agn_fn *f = NULL;
        must(agn_fn_new(&f, body, &c, NULL, c.what == 5 ? 2 : 1, 1));
        must(agn_linspace(&x, AGN_F64, 0.3, 3, c.what == 5 ? 2 * N : N));
        if (c.what == 5) {
            agn_tensor *m = NULL;
            must(agn_reshape(&m, x, 2, (int64_t[]){N, 2}));
            agn_release(x);
            x = m;
        }
        in_every_mode(f, c.what == 5 ? 2 : 1, (const agn_tensor *[]){hole ? zero : x, w}, 1e-3, 1e-7,
                      hole ? "prod with zeros" : names[k]);
        agn_release(x);
        agn_fn_release(f);
    }
    agn_release(zero);
    agn_release(w);
    agn_release(at);
}

/* equal rows and segments without any: no NaN in a slope that is wanted */
static void test_slopes(void)
{
    tally q = {0, 0};
    static const int64_t to[] = {0, 0, 2};
    agn_tensor *at = whole(3, to), *x = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){2, 2, 1}), *d = NULL;
    for (int k = 1; k < 5; k++) {
        call c = {at, k};
        agn_fn *f = NULL, *g = NULL;
        agn_tensor *out[2] = {NULL}, *one = NULL;
        must(agn_full(&one, AGN_F64, 1, (int64_t[]){3}, 1));
        must(agn_fn_new(&f, body, &c, NULL, 1, 1));
        must(agn_fn_jvp(&g, f));
        must(agn_fn_call(out, 2, g, (const agn_tensor *[]){x, one}, 2));
        double first = get(out[1], 0), second = get(out[1], 1);
        check(&q, k == 1 ? first == 1 : k == 4 ? first == 4 : first == 0, "%s: %g", names[k], first);
        check(&q, k == 1 || k == 4 ? second == 0 : true, "%s of nothing: %g", names[k], second);
        agn_release(out[0]);
        agn_release(out[1]);
        agn_release(one);
        agn_fn_release(f);
        agn_fn_release(g);
    }
    agn_release(d);
    agn_release(x);
    agn_release(at);
    tell(&q, "slopes at equal rows and of segments without any");
}

/* ---- failures ------------------------------------------------------------------------------------------ */

static agn_status run(int what, agn_tensor **out, const agn_tensor *x, const agn_tensor *w, const agn_tensor *at,
                      int64_t segments)
{
    switch (what) {
    case 0: return agn_geometric_segment_softmax(out, x, at);
    case 1: return agn_geometric_segment_logsumexp(out, x, at, segments);
    case 2: return agn_geometric_segment_var(out, x, at, segments, 1);
    case 3: return agn_geometric_segment_std(out, x, at, segments, 1);
    case 4: return agn_geometric_segment_prod(out, x, at, segments);
    default: return agn_geometric_segment_mm(out, x, w, at);
    }
}

static agn_status traced_ids(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)user;
    out[0] = ag_geometric_segment_prod(s, in[0], in[1], 0);
    return agn_scope_status(s);
}

static void test_failures(void)
{
    tally q = {0, 0};
    agn_tensor *out = untouched, *sp = NULL, *at = whole(ROWS, ids), *few = whole(2, ids);
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){ROWS, F}, -1, 1), *z = random_of(AGN_C128, 1, (int64_t[]){ROWS}, -1, 1);
    agn_tensor *w = random_of(AGN_F64, 3, (int64_t[]){SEGMENTS, F, O}, -1, 1), *below = whole(ROWS, ids), *small, *none;
    ((int64_t *)(uintptr_t)agn_data(below))[3] = -1;
    must(agn_sparse_from_dense(&sp, x));
    must(agn_slice(&small, w, 1, (int64_t[]){0}, (int64_t[]){3}, NULL));
    must(agn_slice(&none, w, 1, (int64_t[]){0}, (int64_t[]){0}, NULL));
#define BAD(call_, st, m1, m2) \
    check(&q, refused(call_, st, op, m1, m2, out), "refusal in line %d of %s: %s", __LINE__, op, agn_error_message())
    for (int k = 0; k < COUNT(names); k++) {
        char op[64];
        snprintf(op, sizeof op, "geometric_segment_%s", names[k]);
        check(&q, run(k, NULL, x, w, at, 0) == AGN_ENULL, "out");
        BAD(run(k, &out, NULL, w, at, 0), AGN_ENULL, "x is NULL", NULL);
        BAD(run(k, &out, x, w, NULL, 0), AGN_ENULL, "ids is NULL", NULL);
        BAD(run(k, &out, x, w, few, 0), AGN_ESHAPE, "[9,2]", "[2]");
        BAD(run(k, &out, x, w, x, 0), AGN_EDTYPE, "ids is f64", NULL);
        BAD(run(k, &out, sp, w, at, 0), AGN_EUNSUPPORTED, "sparse", NULL);
        BAD(run(k, &out, x, w, below, 0), AGN_EINDEX, "edge 3", "-1");
        if (k && k < 5)
            BAD(run(k, &out, x, w, at, 3), AGN_EINDEX, "edge 3", "4");
        if (k < 4)
            BAD(run(k, &out, z, w, at, 0), AGN_EDTYPE, "c128", NULL);
    }
    char op[64] = "geometric_segment_mm";
    BAD(run(5, &out, x, NULL, at, 0), AGN_ENULL, "w is NULL", NULL);
    BAD(run(5, &out, z, w, at, 0), AGN_ESHAPE, "x is [9]", "[5,2,3]");
    BAD(run(5, &out, x, x, at, 0), AGN_ESHAPE, "w is [9,2]", "[9,2]");
    BAD(run(5, &out, x, small, at, 0), AGN_EINDEX, "edge 3", "4");
    BAD(run(5, &out, x, none, at, 0), AGN_ESHAPE, "w is [0,2,3]", "one matrix");
    check(&q, refused(agn_geometric_segment_var(&out, x, at, 0, (double)NAN), AGN_EDOMAIN, "geometric_segment_var",
                      "correction", NULL, out), "correction");
    check(&q, refused(agn_geometric_segment_std(&out, x, at, 0, -(double)INFINITY), AGN_EDOMAIN,
                      "geometric_segment_std", "-inf", NULL, out), "correction");
    agn_fn *f = NULL, *v = NULL;
    snprintf(op, sizeof op, "geometric_segment_%s", "prod");
    must(agn_fn_new(&f, traced_ids, NULL, NULL, 2, 1));
    must(agn_fn_compile(&v, f, NULL));
    BAD(agn_fn_call(&out, 1, v, (const agn_tensor *[]){x, at}, 2), AGN_ESYMBOLIC, "while tracing", "i64 [9]");
    agn_fn_release(f);
    agn_fn_release(v);
    agn_release(x);
    agn_release(z);
    agn_release(w);
    agn_release(at);
    agn_release(few);
    agn_release(below);
    agn_release(small);
    agn_release(none);
    agn_release(sp);
    tell(&q, "failures: status, op, two facts, nothing written");
}

typedef struct making {
    agn_tensor *x, *w, *at;
    int what;
} making;
static agn_status make(void *user, agn_tensor **out)
{
    making *m = user;
    return run(m->what, out, m->x, m->w, m->at, 0);
}

static agn_status twice_turned(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)user;
    out[0] = ag_neg(s, ag_neg(s, in[0])); /* no message that has a name */
    return agn_scope_status(s);
}
static agn_status mean_by_ids(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    out[0] = ag_geometric_segment_reduce(s, user, in[0], 1, AGN_GEOMETRIC_MEAN);
    return agn_scope_status(s);
}
/* a mean of integers is one of real numbers, where their sum has left the dtype: by segments, by a graph, by a function
   of the caller's, by ids that are traced */
static void test_integer_means(void)
{
    tally t = {0, 0};
    static const struct {
        int dtype;
        double v;
    } of[] = {{AGN_I32, 2e9}, {AGN_I64, 9e18}, {AGN_I8, 127}, {AGN_U8, 255}};
    agn_tensor *in_one = whole(3, (int64_t[]){0, 0, 0});
    agn_graph *g = make_graph(3, (int64_t[]){0, 0, 0}, (int64_t[]){0, 0, 0}, 1, 1);
    agn_fn *f, *h, *plan;
    must(agn_fn_new(&f, twice_turned, NULL, NULL, 1, 1));
    for (int k = 0; k < COUNT(of); k++) {
        agn_tensor *wide = of_reals(AGN_F64, 2, (int64_t[]){3, 1}, (double[]){of[k].v, of[k].v, of[k].v}), *x, *y[4];
        must(agn_cast(&x, wide, of[k].dtype));
        must(agn_geometric_segment_mean(&y[0], x, in_one));
        must(agn_graph_gspmm(&y[1], g, NULL, x, AGN_MESSAGE_COPY, AGN_GEOMETRIC_MEAN));
        must(agn_graph_mpnn(&y[2], g, f, NULL, NULL, x, AGN_GEOMETRIC_MEAN));
        must(agn_fn_new(&h, mean_by_ids, x, NULL, 1, 1));
        must(agn_fn_compile(&plan, h, NULL));
        must(agn_fn_call(&y[3], 1, plan, (const agn_tensor *[]){in_one}, 1));
        for (int i = 0; i < 4; i++)
            check(&t, agn_dtype_of(y[i]) == AGN_F64 && get(y[i], 0) == of[k].v, "dtype %d, way %d: %g", of[k].dtype, i, get(y[i], 0));
        release_all(y, 4);
        RELEASE(wide, x);
        agn_fn_release(h);
        agn_fn_release(plan);
    }
    agn_fn_release(f);
    agn_release(in_one);
    agn_graph_release(g);
    tell(&t, "means of integers");
}

int main(void)
{
    test_integer_means();
    test_values(AGN_F64);
    test_values(AGN_F32);
    test_values(AGN_I64);
    test_products();
    test_corners();
    test_scales();
    test_modes();
    test_slopes();
    test_failures();
    making m = {random_of(AGN_F64, 2, (int64_t[]){ROWS, F}, 0, 1), random_of(AGN_F64, 3, (int64_t[]){SEGMENTS, F, O}, 0, 1),
                whole(ROWS, ids), 0};
    for (; m.what < COUNT(names); m.what++)
        every_allocation(make, &m, names[m.what]);
    agn_release(m.x);
    agn_release(m.w);
    agn_release(m.at);
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
