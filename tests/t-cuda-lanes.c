/* Orders, scans and folds on a device beside the CPU: any axis, short and long lanes, equal elements, NaN,
   zeros of both signs, infinite numbers. */
#include "cuda.h"

static const int64_t shapes[][3] = {{3, 4, 5},   {2, 700, 3},  {1, 3, 2500},
                                    {300, 1, 2}, {2, 1100, 3}, {0, 3, 2}};

/* few values, so that there are equals; with some that are special */
static agn_tensor *awkward(int dtype, const int64_t *shape, bool special)
{
    agn_tensor *f = random_of(AGN_F64, 3, shape, -6, 7), *r, *x;
    must(agn_round(&r, f));
    int64_t n = agn_numel(r);
    double *v = malloc((size_t)(n + 1) * sizeof *v);
    for (int64_t i = 0; i < n; i++) {
        v[i] = peek(r, i);
        if (special && dtype >= AGN_F32 && rnd_below(12) == 0)
            v[i] = (double[]){(double)NAN, -0.0, 0, (double)INFINITY,
                              -(double)INFINITY}[rnd_below(5)];
    }
    agn_release(r);
    r = of_reals(AGN_F64, 3, shape, v);
    must(agn_cast(&x, r, dtype));
    free(v);
    agn_release(f), agn_release(r);
    return x;
}

static void same(tally *t, agn_status st, agn_tensor *have, agn_tensor *want, const char *what,
                 const agn_tensor *x, int axis)
{
    agn_tensor *back = st ? NULL : on_host(have);
    check(t, !st && same_values(back, want), "%s of %s %s along %d: %s", what,
          agn_dtype_name(agn_dtype_of(x)), SHAPE_TEXT(x), axis,
          st ? agn_error_message() : "differs");
    agn_release(back), agn_release(have), agn_release(want);
}

static const int ordered[] = {AGN_BOOL, AGN_I32, AGN_I64, AGN_F32, AGN_F64};

static void test_orders(void)
{
    tally t = {0, 0};
    for (int k = 0; k < COUNT(ordered); k++)
        for (int i = 0; i < COUNT(shapes); i++)
            for (int axis = 0; axis < 3; axis++)
                for (int down = 0; down < 2; down++) {
                    agn_tensor *x = awkward(ordered[k], shapes[i], true), *d = on_device(x), *want,
                               *y = NULL, *wi, *yi = NULL;
                    agn_status st;
                    must(agn_sort(&want, x, axis, down));
                    st = agn_sort(&y, d, axis, down);
                    same(&t, st, y, want, "sort", x, axis);
                    y = NULL;
                    must(agn_argsort(&want, x, axis, down));
                    st = agn_argsort(&y, d, axis, down);
                    same(&t, st, y, want, "argsort", x, axis);
                    if (shapes[i][axis] > 2) {
                        y = NULL;
                        must(agn_topk(&want, &wi, x, 3, axis, down));
                        st = agn_topk(&y, &yi, d, 3, axis, down);
                        same(&t, st, y, want, "top-k", x, axis);
                        same(&t, st, yi, wi, "places of top-k", x, axis);
                    }
                    agn_release(x), agn_release(d);
                }
    tell(&t, "sort, argsort and top-k are those of the CPU, bit for bit");
}

static void test_searches(void)
{
    tally t = {0, 0};
    for (int k = 0; k < COUNT(ordered); k++)
        for (int right = 0; right < 2; right++)
            for (int64_t n = 0; n < 70; n = 3 * n + 1) {
                agn_tensor *r = awkward(ordered[k], (int64_t[]){2, 3, n}, true), *sorted, *y = NULL,
                           *want;
                agn_status st;
                agn_tensor *v = awkward(ordered[k], (int64_t[]){2, 3, 50}, true),
                           *dv = on_device(v), *ds;
                must(agn_sort(&sorted, r, 2, false));
                ds = on_device(sorted);
                must(agn_searchsorted(&want, sorted, v, right));
                st = agn_searchsorted(&y, ds, dv, right);
                same(&t, st, y, want, "searchsorted", sorted, 2);
                agn_release(r), agn_release(sorted), agn_release(v), agn_release(dv),
                    agn_release(ds);
            }
    tell(&t, "insertion points on either side, in rows of any length");
}

static void alike(tally *t, agn_status st, agn_tensor *have, agn_tensor *want, double tol,
                  const char *what, const agn_tensor *x, int axis)
{
    double worst = st ? (double)INFINITY : 0, most = 1;
    agn_tensor *back = st ? NULL : on_host(have);
    if (!st && (agn_dtype_of(back) != agn_dtype_of(want) || !same_shapes(back, want)))
        worst = (double)INFINITY;
    for (int64_t i = 0; i < agn_numel(want) && isfinite(worst); i++) {
        double complex a = peekz(back, i), b = peekz(want, i);
        if (a == b || (isnan(creal(a) + cimag(a)) && isnan(creal(b) + cimag(b))))
            continue;
        worst = isfinite(cabs(a - b)) ? fmax(worst, cabs(a - b)) : (double)INFINITY;
        most = fmax(most, cabs(b));
    }
    check(t, worst <= tol * most, "%s of %s %s along %d: %g of %g %s", what,
          agn_dtype_name(agn_dtype_of(x)), SHAPE_TEXT(x), axis, worst, most,
          st ? agn_error_message() : "");
    agn_release(back), agn_release(have), agn_release(want);
}

static void test_scans(void)
{
    tally t = {0, 0};
    for (int k = 0; k < COUNT(ordered); k++)
        for (int i = 0; i < COUNT(shapes); i++)
            for (int axis = 0; axis < 3; axis++)
                for (int special = 0; special < 2; special++) {
                    agn_tensor *x = awkward(ordered[k], shapes[i], special), *d = on_device(x),
                               *want, *y = NULL, *wi, *yi = NULL;
                    must(agn_cummax(&want, &wi, x, axis));
                    agn_status st = agn_cummax(&y, &yi, d, axis);
                    same(&t, st, y, want, "cummax", x, axis);
                    same(&t, st, yi, wi, "places of cummax", x, axis);
                    y = yi = NULL;
                    must(agn_cummin(&want, &wi, x, axis));
                    st = agn_cummin(&y, &yi, d, axis);
                    same(&t, st, y, want, "cummin", x, axis);
                    same(&t, st, yi, wi, "places of cummin", x, axis);
                    for (int back = 0; back < 2 && ordered[k] >= AGN_F32; back++) {
                        y = NULL;
                        must(agn_logcumsumexp(&want, x, axis, back * AGN_SCAN_REVERSE));
                        st = agn_logcumsumexp(&y, d, axis, back * AGN_SCAN_REVERSE);
                        alike(&t, st, y, want, 4 * tolerance(ordered[k]), "logcumsumexp", x, axis);
                    }
                    agn_release(x), agn_release(d);
                }
    tell(&t, "cumulative extremes and log-sum-exp, from either end");
}

/* factors about one, then powers that leave the range of numbers and come back, zeros, growth that is undone */
static void test_recurrences(void)
{
    static const int numbers[] = {AGN_I32, AGN_I64, AGN_F32, AGN_F64, AGN_C64, AGN_C128};
    tally t = {0, 0};
    for (int k = 0; k < COUNT(numbers); k++)
        for (int i = 0; i < COUNT(shapes); i++)
            for (int axis = 0; axis < 3; axis++)
                for (int back = 0; back < 2; back++) {
                    int dtype = numbers[k];
                    agn_tensor *a = random_of(dtype, 3, shapes[i], -1, 1),
                               *b = random_of(dtype, 3, shapes[i], -4, 4);
                    agn_tensor *da = on_device(a), *db = on_device(b), *want, *y = NULL;
                    must(agn_recurrence(&want, a, b, axis, back * AGN_SCAN_REVERSE));
                    agn_status st = agn_recurrence(&y, da, db, axis, back * AGN_SCAN_REVERSE);
                    alike(&t, st, y, want, dtype <= AGN_I64 ? 0 : 10 * tolerance(dtype),
                          "recurrence", a, axis);
                    y = NULL;
                    must(agn_cumprod(&want, a, axis, back * AGN_SCAN_REVERSE));
                    st = agn_cumprod(&y, da, axis, back * AGN_SCAN_REVERSE);
                    alike(&t, st, y, want, dtype <= AGN_I64 ? 0 : 10 * tolerance(dtype), "cumprod",
                          a, axis);
                    agn_release(a), agn_release(b), agn_release(da), agn_release(db);
                }
    enum { N = 900 };
    static double a[4][N], b[4][N];
    for (int i = 0; i < N; i++) {
        a[0][i] = i % 3 == 0 ? 1e200 : i % 3 == 1 ? 1e-200 : 1; /* from end to end 1 */
        b[0][i] = i == 0;
        a[1][i] = i % 300 == 299 ? 0 : 1e3; /* a zero ends what overflows */
        b[1][i] = i == 0 || i % 300 == 299 ? 1e-290 : 0;
        a[2][i] = 2; /* 1, 1, 1: growth that is undone */
        b[2][i] = i ? -1 : 1;
        a[3][i] = i == 400 ? (double)NAN : i == 600 ? 0 : 0.5;
        b[3][i] = i == 700 ? (double)INFINITY : 1;
    }
    for (int k = 0; k < 4; k++) {
        agn_tensor *ta = of_reals(AGN_F64, 1, (int64_t[]){N}, a[k]),
                   *tb = of_reals(AGN_F64, 1, (int64_t[]){N}, b[k]);
        agn_tensor *da = on_device(ta), *db = on_device(tb), *want, *y = NULL;
        must(agn_recurrence(&want, ta, tb, 0, 0));
        agn_status st = agn_recurrence(&y, da, db, 0, 0);
        for (int i = 0; i < N && !st && k < 3; i++) {
            agn_tensor *one, *at;
            if (i % 97)
                continue;
            must(agn_slice(&one, y, 1, (int64_t[]){i}, (int64_t[]){i + 1}, NULL));
            at = on_host(one);
            double h = peek(at, 0), w = peek(want, i);
            check(&t, h == w || (isnan(h) && isnan(w)) || fabs(h - w) <= 1e-12 * fabs(w),
                  "recurrence %d at %d: %g, not %g", k, i, h, w);
            agn_release(one), agn_release(at);
        }
        alike(&t, st, y, want, 1e-12, "recurrence", ta, k);
        agn_release(ta), agn_release(tb), agn_release(da), agn_release(db);
    }
    tell(&t, "recurrences, also where products of factors leave the range of numbers");
}

static void test_folds(void)
{
    static const struct {
        int n;
        int32_t a[3];
    } axes[] = {{1, {0}}, {1, {1}}, {1, {2}}, {2, {0, 2}}, {3, {0, 1, 2}}, {2, {0, 1}}};
    static const int64_t more[][3] = {{1, 1, 70000}, {40000, 1, 2}, {64, 300, 33}};
    tally t = {0, 0};
    for (int k = 0; k < COUNT(ordered); k++)
        for (int i = 0; i < COUNT(shapes) + COUNT(more); i++)
            for (int j = 0; j < COUNT(axes); j++)
                for (int special = 0; special < 2; special++) {
                    const int64_t *shape = i < COUNT(shapes) ? shapes[i] : more[i - COUNT(shapes)];
                    int dtype = ordered[k], n = axes[j].n;
                    const int32_t *a = axes[j].a;
                    if ((i >= COUNT(shapes) && (j + k + special) % 4) ||
                        (i + j + k + special) % 2 || !shape[0])
                        continue;
                    agn_status st;
                    agn_tensor *x = awkward(dtype, shape, special),
                               *d = device_layout(x, j % 2 ? TRANSPOSED : 0), *want, *y = NULL;
                    must(agn_max(&want, x, a, n, true));
                    st = agn_max(&y, d, a, n, true);
                    alike(&t, st, y, want, 0, "max", x, j);
                    y = NULL;
                    must(agn_amin(&want, x, a, n, false));
                    st = agn_amin(&y, d, a, n, false);
                    alike(&t, st, y, want, 0, "amin", x, j);
                    if (dtype >= AGN_F32) {
                        double tol = 20 * tolerance(dtype);
                        y = NULL;
                        must(agn_logsumexp(&want, x, a, n, false));
                        st = agn_logsumexp(&y, d, a, n, false);
                        alike(&t, st, y, want, tol, "logsumexp", x, j);
                        y = NULL;
                        must(agn_sum_compensated(&want, x, a, n, false));
                        st = agn_sum_compensated(&y, d, a, n, false);
                        alike(&t, st, y, want, tolerance(dtype) / 50, "sum_compensated", x, j);
                        y = NULL;
                        must(agn_var(&want, x, a, n, 1, false));
                        st = agn_var(&y, d, a, n, 1, false);
                        alike(&t, st, y, want, tol, "var", x, j);
                    }
                    agn_release(x), agn_release(d);
                }
    tell(&t, "extremes, log-sum-exp, compensated sums and variances over any axes");
    double v[3000];
    for (int i = 0; i < 3000; i++)
        v[i] = i % 3 == 0 ? 1e16 : i % 3 == 1 ? 1 : -1e16;
    agn_tensor *x = of_reals(AGN_F64, 1, (int64_t[]){3000}, v), *d = on_device(x), *y, *back;
    must(agn_sum_compensated(&y, d, NULL, 0, false));
    back = on_host(y);
    ok(peek(back, 0) == 1000, "what cancels leaves its small parts: %g", peek(back, 0));
    agn_release(y), agn_release(back);
    must(agn_add_c(&y, x, 0));
    agn_release(y), agn_release(x), agn_release(d);
    must(agn_full(&x, AGN_F64, 1, (int64_t[]){5000}, 0.1));
    d = on_device(x);
    must(agn_var(&y, d, NULL, 0, 0, false));
    back = on_host(y);
    ok(peek(back, 0) == 0, "the variance of equals is 0");
    agn_release(x), agn_release(d), agn_release(y), agn_release(back);
}

static void test_softmax(void)
{
    tally t = {0, 0};
    for (int dtype = AGN_F32; dtype <= AGN_F64; dtype++)
        for (int i = 0; i < COUNT(shapes); i++)
            for (int axis = 0; axis < 3; axis++)
                for (int special = 0; special < 2; special++) {
                    agn_status st;
                    agn_tensor *x = awkward(dtype, shapes[i], special), *d = on_device(x), *want,
                               *y = NULL;
                    must(agn_nn_softmax(&want, x, axis));
                    st = agn_nn_softmax(&y, d, axis);
                    alike(&t, st, y, want, 4 * tolerance(dtype), "softmax", x, axis);
                    agn_release(x), agn_release(d);
                }
    tell(&t, "softmax along any axis");
    const double in = (double)INFINITY;
    agn_tensor *x = of_reals(AGN_F64, 2, (int64_t[]){4, 3},
                             (double[]){-in, -in, 1, -in, -in, -in, in, 1, 2, 0, -in, 0});
    agn_tensor *d = on_device(x), *y, *b;
    must(agn_nn_softmax(&y, d, 1));
    b = on_host(y);
    ok(peek(b, 0) == 0 && peek(b, 2) == 1 && isnan(peek(b, 3)) && isnan(peek(b, 7)) &&
           peek(b, 9) == 0.5 && peek(b, 10) == 0,
       "-inf is absent; of nothing else, and of inf, it is NaN");
    agn_release(x), agn_release(d), agn_release(y), agn_release(b);
}

static void test_scatter_extremes(void)
{
    tally t = {0, 0};
    for (int k = 1; k < COUNT(ordered); k++)
        for (int axis = 0; axis < 3; axis++)
            for (int self = 0; self < 2; self++) {
                int64_t shape[3] = {6, 5, 4}, vs[3] = {6, 5, 4};
                vs[axis] = 40;
                agn_tensor *x = awkward(ordered[k], shape, true),
                           *v = awkward(ordered[k], vs, true), *f, *idx;
                f = random_of(AGN_F64, 3, vs, 0,
                              (double)shape[axis] - 1.001); /* the last place has none */
                must(agn_cast(&idx, f, AGN_I64));
                agn_tensor *dx = on_device(x), *dv = on_device(v), *di = on_device(idx), *want,
                           *y = NULL;
                for (int how = AGN_REDUCE_AMAX; how <= AGN_REDUCE_AMIN; how++) {
                    y = NULL;
                    must(agn_scatter_reduce(&want, x, idx, v, axis, how, self));
                    agn_status st = agn_scatter_reduce(&y, dx, di, dv, axis, how, self);
                    same(&t, st, y, want, "scatter_reduce", x, axis);
                }
                agn_release(x), agn_release(v), agn_release(f), agn_release(idx);
                agn_release(dx), agn_release(dv), agn_release(di);
            }
    tell(&t, "extremes of what meets in a place, with and without what was there");
}

/* t-cuda-lanes [NAME]: this part alone */
int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } parts[] = {{"orders", test_orders},   {"searches", test_searches}, {"scans", test_scans},
                 {"recurrences", test_recurrences}, {"folds", test_folds}, {"softmax", test_softmax},
                 {"scatters", test_scatter_extremes}};
    int result;
    if (!cuda_ready(&result))
        return result;
    for (int i = 0; i < COUNT(parts); i++)
        if (argc < 2 || !strcmp(argv[1], parts[i].name))
            parts[i].run();
    return done();
}
