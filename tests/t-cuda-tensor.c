/* CUDA beside the CPU: copies, casts, reductions, indices, products, random numbers; faults
   told once; results that repeat bit for bit; threads. */
#include "cuda.h"

#include <pthread.h>

static const int numbers[] = {AGN_I32, AGN_I64, AGN_F32, AGN_F64, AGN_C64, AGN_C128};

static void test_copies(void)
{
    tally t = {0, 0};
    for (int dtype = 0; dtype < AGN_NDTYPES; dtype++)
        for (int layout = 0; layout < 4; layout++) {
            agn_tensor *x = random_of(dtype, 3, (int64_t[]){4, 5, 6}, -9, 9);
            agn_tensor *d = device_layout(x, layout), *c, *back;
            must(agn_copy(&c, d));
            back = on_host(c);
            check(&t, same_values(back, x), "copy of %s, layout %d", agn_dtype_name(dtype), layout);
            agn_release(x), agn_release(d), agn_release(c), agn_release(back);
        }
    tell(&t, "copies of every dtype and layout keep their bits");
}

static void test_casts(void)
{
    static const double special[] = {0, -0.0, 1, -1, 0.5, 1.5, 2.5, -2.5, 127, 128, 255, 256, -129,
                                     32768, 65504, 65519.9, 65520, 70000, 1e-8, 6e-8, 2147483648.0,
                                     -2147483649.0, 9.3e18, -9.3e18, 1e39, (double)INFINITY,
                                     -(double)INFINITY, (double)NAN, 9007199254740993.0, 3.14159};
    tally t = {0, 0};
    for (int from = 0; from < AGN_NDTYPES; from++)
        for (int to = 0; to < AGN_NDTYPES; to++) {
            agn_tensor *f = of_reals(AGN_F64, 1, (int64_t[]){COUNT(special)}, special), *x, *want;
            must(agn_cast(&x, f, from));
            must(agn_cast(&want, x, to));
            agn_tensor *d = on_device(x), *y = NULL;
            must(agn_cast(&y, d, to));
            agn_tensor *back = on_host(y);
            check(&t, same_values(back, want), "%s to %s", agn_dtype_name(from), agn_dtype_name(to));
            agn_release(f), agn_release(x), agn_release(want), agn_release(d), agn_release(y);
            agn_release(back);
        }
    tell(&t, "casts between all dtypes are those of the CPU, bit for bit");
}

/* arrays that take several launches; every layout of them, rows and columns broadcast */
static void test_parts(void)
{
    static const int64_t shape[] = {83, 2, 76}, row[] = {1, 1, 76}, column[] = {83, 1, 1}, one[] = {1, 1, 1};
    static const int64_t *const others[] = {shape, row, column, one};
    tally t = {0, 0};
    for (int k = 0; k < COUNT(numbers); k++)
        for (int layout = 0; layout < 4; layout++)
            for (int i = 0; i < COUNT(others); i++) {
                int dtype = numbers[k];
                agn_tensor *x = random_of(dtype, 3, shape, -9, 9), *d = device_layout(x, layout);
                agn_tensor *b = random_of(dtype, 3, others[i], 1, 9), *db = on_device(b), *want, *y;
                must(agn_sub(&want, x, b));
                must(agn_sub(&y, d, db));
                check(&t, worst_ulps(y, want) == 0, "x - %s of %s, layout %d", SHAPE_TEXT(b), agn_dtype_name(dtype),
                      layout);
                agn_release(want), agn_release(y);
                agn_tensor *c, *dc;
                must(agn_eq(&c, x, b));
                must(agn_eq(&dc, d, db));
                must(agn_where(&want, c, b, x));
                must(agn_where(&y, dc, db, d));
                check(&t, worst_ulps(y, want) == 0, "where of %s, layout %d", agn_dtype_name(dtype), layout);
                agn_release(x), agn_release(d), agn_release(b), agn_release(db), agn_release(want), agn_release(y);
                agn_release(c), agn_release(dc);
            }
    tell(&t, "element-wise rows of any strides by parts");
}

static void test_sums(void)
{
    static const int64_t shapes[][3] = {{3, 4, 5}, {1, 1, 1},    {100, 3, 7},  {2, 1000, 3},
                                        {1, 1, 70000}, {40000, 1, 2}, {5, 0, 3}, {64, 300, 33}};
    static const struct {
        int n;
        int32_t a[3];
    } axes[] = {{1, {0}}, {1, {1}}, {1, {2}}, {2, {0, 2}}, {2, {1, 2}}, {3, {0, 1, 2}}, {2, {0, 1}}};
    tally t = {0, 0};
    for (int k = 0; k < COUNT(numbers); k++)
        for (int i = 0; i < COUNT(shapes); i++)
            for (int j = 0; j < COUNT(axes); j++)
                for (int layout = 0; layout < 4; layout += 2) {
                    int dtype = numbers[k];
                    agn_tensor *x = random_of(dtype, 3, shapes[i], -4, 5);
                    agn_tensor *d = device_layout(x, layout), *want, *y, *again;
                    must(agn_sum(&want, x, axes[j].a, axes[j].n, false));
                    must(agn_sum(&y, d, axes[j].a, axes[j].n, false));
                    must(agn_sum(&again, d, axes[j].a, axes[j].n, false));
                    agn_tensor *a = on_host(y), *b = on_host(again);
                    double e = relative(y, want);
                    check(&t, e <= (dtype <= AGN_I64 ? 0 : 20 * tolerance(dtype)) && same_values(a, b),
                          "sum of %s %s, axes %d: %g", agn_dtype_name(dtype), SHAPE_TEXT(x), j, e);
                    agn_release(x), agn_release(d), agn_release(want), agn_release(y);
                    agn_release(again), agn_release(a), agn_release(b);
                }
    tell(&t, "sums over any axes, of views too, agree and repeat");
}

static void test_lanes(void)
{
    static const int64_t shapes[][3] = {{3, 4, 5}, {2, 700, 3}, {1, 5, 2000}, {6000, 3, 1}, {2, 9001, 2}, {2, 1, 30007}};
    tally t = {0, 0};
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < COUNT(shapes); i++)
            for (int axis = 0; axis < 3; axis++) {
                int dtype = numbers[k];
                agn_tensor *x = random_of(dtype, 3, shapes[i], -4, 5), *d = on_device(x);
                agn_tensor *want, *y, *back;
                must(agn_argmax(&want, x, axis, false));
                must(agn_argmax(&y, d, axis, false));
                back = on_host(y);
                check(&t, same_values(back, want), "argmax of %s", SHAPE_TEXT(x));
                agn_release(want), agn_release(y), agn_release(back);
                must(agn_argmin(&want, x, axis, true));
                must(agn_argmin(&y, d, axis, true));
                back = on_host(y);
                check(&t, same_values(back, want), "argmin of %s", SHAPE_TEXT(x));
                agn_release(want), agn_release(y), agn_release(back);
                must(agn_cumsum(&want, x, axis));
                must(agn_cumsum(&y, d, axis));
                check(&t, relative(y, want) <= (dtype <= AGN_I64 ? 0 : 10 * tolerance(dtype)),
                      "cumsum of %s %s along %d: %g", agn_dtype_name(dtype), SHAPE_TEXT(x), axis,
                      relative(y, want));
                agn_release(want), agn_release(y);
                if (dtype >= AGN_F32) {
                    must(agn_logcumsumexp(&want, x, axis, 0));
                    must(agn_logcumsumexp(&y, d, axis, 0));
                    check(&t, relative(y, want) <= 10 * tolerance(dtype), "logcumsumexp of %s along %d: %g",
                          SHAPE_TEXT(x), axis, relative(y, want));
                    agn_release(want), agn_release(y);
                }
                agn_tensor *at[2];
                must(agn_cummax(&want, &at[0], x, axis));
                must(agn_cummax(&y, &at[1], d, axis));
                check(&t, worst_ulps(y, want) == 0 && worst_ulps(at[1], at[0]) == 0, "cummax of %s along %d",
                      SHAPE_TEXT(x), axis);
                agn_release(want), agn_release(y), agn_release(at[0]), agn_release(at[1]);
                agn_release(x), agn_release(d);
            }
    double v[1000];
    for (int i = 0; i < 1000; i++)
        v[i] = i == 400 || i == 900 ? (double)NAN : i % 7;
    agn_tensor *x = of_reals(AGN_F64, 1, (int64_t[]){1000}, v), *d = on_device(x), *y;
    int64_t at;
    must(agn_argmax(&y, d, 0, false));
    must(agn_item_i64(&at, y));
    check(&t, at == 400, "the first NaN, not %d", (int)at);
    agn_release(x), agn_release(d), agn_release(y);
    tell(&t, "argmax, argmin and cumsum along any axis");
}

/* ---- indices ---------------------------------------------------------------------------------- */

static void test_indices(void)
{
    static const int index_types[] = {AGN_I64, AGN_I32, AGN_I16, AGN_I8};
    tally t = {0, 0};
    for (int k = 0; k < COUNT(numbers); k++)
        for (int it = 0; it < COUNT(index_types); it++)
            for (int axis = 0; axis < 3; axis++) {
                int dtype = numbers[k];
                int64_t shape[3] = {6, 5, 4}, vs[3] = {6, 5, 4}, n = shape[axis];
                double where[40];
                for (int i = 0; i < 40; i++)
                    where[i] = (double)(rnd_below(2 * n) - n);
                agn_tensor *i = of_reals(AGN_I64, 1, (int64_t[]){40}, where), *idx, *y, *want;
                must(agn_cast(&idx, i, index_types[it]));
                vs[axis] = 40;
                agn_tensor *x = random_of(dtype, 3, shape, -4, 4), *v = random_of(dtype, 3, vs, -4, 4);
                agn_tensor *dx = on_device(x), *di = on_device(idx), *dv = on_device(v), *back;
                must(agn_gather(&want, x, idx, axis));
                must(agn_gather(&y, dx, di, axis));
                back = on_host(y);
                check(&t, same_values(back, want), "gather of %s along %d", agn_dtype_name(dtype), axis);
                agn_release(want), agn_release(y), agn_release(back);
                must(agn_scatter_add(&want, x, idx, v, axis));
                must(agn_scatter_add(&y, dx, di, dv, axis));
                back = on_host(y);
                check(&t, same_values(back, want), "scatter_add of %s along %d",
                      agn_dtype_name(dtype), axis);
                agn_release(want), agn_release(y), agn_release(back);
                if (axis == 0) {
                    must(agn_index_put(&want, x, AGN_IX(agn_ix_array(idx)), v));
                    must(agn_index_put(&y, dx, AGN_IX(agn_ix_array(di)), dv));
                    back = on_host(y);
                    check(&t, same_values(back, want), "index_put of %s", agn_dtype_name(dtype));
                    agn_release(want), agn_release(y), agn_release(back);
                }
                agn_release(i), agn_release(idx), agn_release(x), agn_release(v);
                agn_release(dx), agn_release(di), agn_release(dv);
            }
    tell(&t, "gather, scatter_add and index_put, bit for bit");
}

/* many values of few places, which several threads share */
static void test_long_runs(void)
{
    static const int how[] = {AGN_REDUCE_SUM, AGN_REDUCE_AMAX, AGN_REDUCE_AMIN};
    enum { M = 9000 };
    static double where[2 * M];
    tally t = {0, 0};
    for (int k = 0; k < 4; k++)
        for (int form = 0; form < 3; form++) /* one place; most of them in one; a few hundred in each */
            for (int axis = 0; axis < 2; axis++) {
                int dtype = numbers[k];
                for (int i = 0; i < 2 * M; i++)
                    where[i] = form == 0 ? 3 : form == 1 ? (i % 5 ? 2 : (double)rnd_below(12)) : (double)rnd_below(12);
                int64_t shape[2] = {2, 2}, vs[2] = {2, 2};
                shape[axis] = 12, vs[axis] = M;
                agn_tensor *i = of_reals(AGN_I64, 2, vs, where), *di = on_device(i);
                agn_tensor *x = random_of(dtype, 2, shape, -4, 4), *v = random_of(dtype, 2, vs, -4, 4);
                agn_tensor *dx = on_device(x), *dv = on_device(v), *want, *y[2], *h[2];
                for (int j = 0; j < COUNT(how); j++)
                    for (int self = 0; self < 2; self++) {
                        must(agn_scatter_reduce(&want, x, i, v, axis, how[j], self));
                        for (int twice = 0; twice < 2; twice++) {
                            must(agn_scatter_reduce(&y[twice], dx, di, dv, axis, how[j], self));
                            h[twice] = on_host(y[twice]);
                        }
                        bool exact = dtype <= AGN_I64 || j > 0 || form == 2; /* as the loop of the host */
                        check(&t, relative(y[0], want) <= (exact ? 0 : 100 * tolerance(dtype)) && same_values(h[0], h[1]),
                              "reduction %d of %s, form %d, axis %d: %g", how[j], agn_dtype_name(dtype), form, axis,
                              relative(y[0], want));
                        agn_release(want), agn_release(y[0]), agn_release(y[1]), agn_release(h[0]), agn_release(h[1]);
                    }
                agn_tensor *drop[] = {i, di, x, v, dx, dv};
                for (int j = 0; j < COUNT(drop); j++)
                    agn_release(drop[j]);
            }
    tell(&t, "scatters of long runs, which repeat");
}

static void test_faults(void)
{
    agn_tensor *x = random_of(AGN_F64, 1, (int64_t[]){5}, -1, 1), *d = on_device(x), *y;
    agn_tensor *i = of_reals(AGN_I64, 1, (int64_t[]){4}, (double[]){1, 9, -7, 2}), *di = on_device(i);
    must(agn_device_synchronize(cuda));
    is_int(agn_gather(&y, d, di, 0), AGN_OK, "a bad index on the device passes the call");
    is_int(agn_device_synchronize(cuda), AGN_EINDEX, "and is told by the next wait");
    is_str(agn_error_message(), "gather: index at place 1 is out of range", "with op and entry");
    is_int(agn_device_synchronize(cuda), AGN_OK, "once");
    agn_tensor *back = on_host(y);
    ok(isnan(peek(back, 1)) && isnan(peek(back, 2)) && peek(back, 0) == peek(x, 1) &&
           peek(back, 3) == peek(x, 2),
       "its results are NaN, the others stand");
    agn_release(back), agn_release(y);
    agn_tensor *v = random_of(AGN_F64, 1, (int64_t[]){4}, -1, 1), *dv = on_device(v);
    must(agn_scatter_add(&y, d, di, dv, 0));
    is_int(agn_device_synchronize(cuda), AGN_EINDEX, "scatter_add tells, too");
    back = on_host(y);
    ok(peek(back, 1) == peek(x, 1) + peek(v, 0) && peek(back, 4) == peek(x, 4),
       "and skips what is out of range");
    agn_release(back), agn_release(y), agn_release(v), agn_release(dv);
    agn_release(x), agn_release(d), agn_release(i), agn_release(di);
}

/* -n to n - 1 are places of an axis of length n; n and -n - 1 are none, for any op and dtype of indices */
static agn_status pick(int op, agn_tensor **y, const agn_tensor *x, const agn_tensor *i, const agn_tensor *v)
{
    switch (op) {
    case 0: return agn_gather(y, x, i, 0);
    case 1: return agn_scatter_add(y, x, i, v, 0);
    case 2: return agn_scatter_put(y, x, i, v, 0);
    case 3: return agn_take_along_axis(y, x, i, 0);
    case 4: return agn_put_along_axis(y, x, i, v, 0);
    case 5: return agn_index(y, x, AGN_IX(agn_ix_array(i)));
    case 6: return agn_index_put(y, x, AGN_IX(agn_ix_array(i)), v);
    default: return agn_index_add(y, x, AGN_IX(agn_ix_array(i)), v);
    }
}
static void test_ends(void)
{
    static const int index_types[] = {AGN_I64, AGN_I32, AGN_I16, AGN_I8};
    static const struct {
        double at;
        agn_status st;
    } ends[] = {{-5, AGN_OK}, {4, AGN_OK}, {5, AGN_EINDEX}, {-6, AGN_EINDEX}};
    tally t = {0, 0};
    must(agn_device_synchronize(cuda));
    for (int op = 0; op < 8; op++)
        for (int k = 0; k < COUNT(index_types); k++)
            for (int e = 0; e < COUNT(ends); e++) {
                agn_tensor *x = random_of(AGN_F64, 1, (int64_t[]){5}, -1, 1), *d = on_device(x), *y = NULL;
                agn_tensor *v = random_of(AGN_F64, 1, (int64_t[]){3}, -1, 1), *dv = on_device(v), *i;
                agn_tensor *f = of_reals(AGN_I64, 1, (int64_t[]){3}, (double[]){1, ends[e].at, 0});
                must(agn_cast(&i, f, index_types[k]));
                agn_tensor *di = on_device(i);
                agn_status st = pick(op, &y, d, di, dv);
                if (!st)
                    st = agn_device_synchronize(cuda);
                check(&t, st == ends[e].st, "op %d, index %g by %s: %s", op, ends[e].at,
                      agn_dtype_name(index_types[k]), agn_status_name(st));
                agn_release(x), agn_release(d), agn_release(v), agn_release(dv), agn_release(i);
                agn_release(f), agn_release(di), agn_release(y);
            }
    tell(&t, "indices from -n to n - 1 alone are taken, by every op that indexes");
}

/* ---- products --------------------------------------------------------------------------------- */

static void product_agrees(tally *t, int dtype, int na, const int64_t *sa, int nb, const int64_t *sb,
                           int la, int lb)
{
    agn_tensor *a = random_of(dtype, na, sa, -3, 3), *b = random_of(dtype, nb, sb, -3, 3), *y = NULL;
    agn_tensor *da = device_layout(a, la), *db = device_layout(b, lb), *want = NULL;
    must(agn_matmul(&want, a, b));
    agn_status st = agn_matmul(&y, da, db);
    double e = st ? (double)INFINITY : relative(y, want);
    check(t, e <= (dtype <= AGN_I64 ? 0 : tolerance(dtype)), "%s %s x %s, layouts %d %d: %g %s",
          agn_dtype_name(dtype), shape_text(na, sa), shape_text(nb, sb), la, lb, e,
          st ? agn_error_message() : "");
    agn_release(a), agn_release(b), agn_release(da), agn_release(db), agn_release(y);
    agn_release(want);
}

static void test_products(void)
{
    tally t = {0, 0};
    for (int k = 0; k < COUNT(numbers); k++)
        for (int la = 0; la < 4; la++)
            for (int lb = 0; lb < 4; lb++) {
                int d = numbers[k];
                product_agrees(&t, d, 2, (int64_t[]){3, 4}, 2, (int64_t[]){4, 5}, la, lb);
                product_agrees(&t, d, 2, (int64_t[]){1, 7}, 2, (int64_t[]){7, 1}, la, lb);
                product_agrees(&t, d, 2, (int64_t[]){6, 1}, 2, (int64_t[]){1, 2}, la, lb);
                product_agrees(&t, d, 1, (int64_t[]){7}, 2, (int64_t[]){7, 3}, la, lb);
                product_agrees(&t, d, 3, (int64_t[]){5, 3, 4}, 3, (int64_t[]){5, 4, 2}, la, lb);
                product_agrees(&t, d, 3, (int64_t[]){5, 3, 4}, 2, (int64_t[]){4, 2}, la, lb);
                product_agrees(&t, d, 4, (int64_t[]){2, 1, 3, 4}, 3, (int64_t[]){3, 4, 2}, la, lb);
                product_agrees(&t, d, 2, (int64_t[]){3, 0}, 2, (int64_t[]){0, 5}, la, lb);
                product_agrees(&t, d, 2, (int64_t[]){70, 90}, 2, (int64_t[]){90, 65}, la, lb);
            }
    tell(&t, "products of any layout, batched and broadcast");
    /* f32 is f32: no tensor-core rounding to 10 bits */
    agn_tensor *a = random_of(AGN_F32, 2, (int64_t[]){256, 256}, 0, 1), *want, *y;
    agn_tensor *d = on_device(a);
    must(agn_matmul(&want, a, a));
    must(agn_matmul(&y, d, d));
    double e = relative(y, want);
    ok(e < 1e-5, "f32 products keep f32's precision (%.2g)", e);
    agn_release(a), agn_release(d), agn_release(want), agn_release(y);
}

static void test_moves(void)
{
    tally t = {0, 0};
    for (int dtype = 0; dtype < AGN_NDTYPES; dtype++) {
        agn_tensor *x = random_of(dtype, 2, (int64_t[]){3, 4}, -4, 4), *d = on_device(x), *want, *y;
        agn_tensor *tx, *td, *back;
        must(agn_flip(&tx, x, NULL, 0));
        must(agn_flip(&td, d, NULL, 0));
        must(agn_concat(&want, (const agn_tensor *[]){x, tx, x}, 3, 1));
        must(agn_concat(&y, (const agn_tensor *[]){d, td, d}, 3, 1));
        back = on_host(y);
        check(&t, same_values(back, want), "concat of %s", agn_dtype_name(dtype));
        agn_release(want), agn_release(y), agn_release(back);
        must(agn_pad(&want, tx, 2, (int64_t[]){1, 0}, (int64_t[]){2, 3}, 0));
        must(agn_pad(&y, td, 2, (int64_t[]){1, 0}, (int64_t[]){2, 3}, 0));
        back = on_host(y);
        check(&t, same_values(back, want), "pad of %s", agn_dtype_name(dtype));
        agn_release(want), agn_release(y), agn_release(back);
        agn_release(x), agn_release(d), agn_release(tx), agn_release(td);
    }
    tell(&t, "concat and pad of every dtype");
}

/* ---- random numbers ------------------------------------------------------------------------------ */

static void test_random(void)
{
    static const int64_t sizes[] = {1, 2, 3, 5, 1001};
    tally t = {0, 0};
    for (int dtype = AGN_F32; dtype <= AGN_F64; dtype++)
        for (int i = 0; i < COUNT(sizes); i++) {
            agn_tensor *key, *dk, *want, *y, *back;
            int64_t k[6] = {7, 3, -12345678901, 1, 0, (int64_t)1 << 40};
            must(agn_from_host(&key, AGN_I64, 2, (int64_t[]){3, 2}, k));
            dk = on_device(key);
            must(agn_uniform(&want, key, dtype, 1, sizes + i));
            must(agn_uniform(&y, dk, dtype, 1, sizes + i));
            back = on_host(y);
            check(&t, same_values(back, want), "uniform %s, %d", agn_dtype_name(dtype), (int)sizes[i]);
            agn_release(want), agn_release(y), agn_release(back);
            must(agn_normal(&want, key, dtype, 1, sizes + i));
            must(agn_normal(&y, dk, dtype, 1, sizes + i));
            check(&t, worst_ulps(y, want) <= 4, "normal %s: %g ulp", agn_dtype_name(dtype),
                  worst_ulps(y, want));
            agn_release(want), agn_release(y);
            must(agn_exponential(&want, key, dtype, 1, sizes + i));
            must(agn_exponential(&y, dk, dtype, 1, sizes + i));
            check(&t, worst_ulps(y, want) <= 4, "exponential %s: %g ulp", agn_dtype_name(dtype),
                  worst_ulps(y, want));
            agn_release(want), agn_release(y);
            for (int64_t first = -1 - i; first < 4; first += 2) { /* from the end round to the beginning, too */
                int64_t at[] = {first, sizes[i]};
                must(agn_op_apply(&want, 1, "random_bits", (const agn_tensor *[]){key}, 1, at, 2, NULL, 0));
                must(agn_op_apply(&y, 1, "random_bits", (const agn_tensor *[]){dk}, 1, at, 2, NULL, 0));
                back = on_host(y);
                check(&t, same_values(back, want), "bits from %d, %d", (int)first, (int)sizes[i]);
                agn_release(want), agn_release(y), agn_release(back);
            }
            agn_tensor *n = of_reals(AGN_I64, 1, (int64_t[]){1}, (double[]){42}), *dn = on_device(n);
            must(agn_key_fold(&want, key, n));
            must(agn_key_fold(&y, dk, dn));
            back = on_host(y);
            check(&t, same_values(back, want), "key_fold");
            agn_release(want), agn_release(y), agn_release(back), agn_release(n), agn_release(dn);
            agn_release(key), agn_release(dk);
        }
    tell(&t, "bits and uniforms are the CPU's, normal and exponential numbers within 4 ulp");
}

/* ---- threads, marks, memory ------------------------------------------------------------------------ */

/* x and a definite matrix, on one device */
static void *work(void *user)
{
    agn_tensor *const *in = user;
    for (int i = 0; i < 100; i++) {
        agn_tensor *a = NULL, *b = NULL, *c = NULL, *l = NULL;
        double v;
        if (agn_matmul(&a, in[0], in[0]) || agn_tanh(&b, a) || agn_sum_all(&c, b) || agn_item_f64(&v, c) ||
            !isfinite(v) || agn_linalg_cholesky(&l, in[1], false))
            return user;
        agn_release(a), agn_release(b), agn_release(c), agn_release(l);
    }
    return NULL;
}

/* each library has a turn for every device: threads of one do not wait for those of another */
static void test_threads(void)
{
    enum { THREADS = 4, DEVICES = 2 };
    int32_t device[DEVICES] = {cuda, cuda};
    agn_tensor *h[2] = {random_of(AGN_F64, 2, (int64_t[]){32, 32}, -1, 1), NULL}, *d[DEVICES][2];
    pthread_t t[THREADS];
    bool good = true, two = agn_device_find(&device[1], "cuda:1") == AGN_OK;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *square = ag_matmul(s, h[0], ag_swapaxes(s, h[0], 0, 1));
    agn_scope_return(s, &h[1], ag_add(s, square, ag_eye(s, AGN_F64, 32, 32, 0)));
    must(agn_scope_close(s));
    for (int i = 0; i < DEVICES; i++)
        for (int k = 0; k < 2; k++)
            must(agn_to_device(&d[i][k], h[k], device[two ? i : 0]));
    for (int i = 0; i < THREADS; i++)
        good = good && pthread_create(&t[i], NULL, work, d[i % DEVICES]) == 0;
    for (int i = 0; i < THREADS; i++) {
        void *r = NULL;
        pthread_join(t[i], &r);
        good = good && !r;
    }
    ok(good, "four threads at once on %s", two ? "two devices" : "one device");
    for (int i = 0; i < DEVICES; i++)
        for (int k = 0; k < 2; k++)
            agn_release(d[i][k]);
    agn_release(h[0]), agn_release(h[1]);
}

static void test_memory(void)
{
    agn_tensor *x = NULL;
    is_int(agn_empty(&x, AGN_F64, 1, (int64_t[]){(int64_t)1 << 42}, cuda), AGN_ENOMEM,
           "32 TiB are refused");
    ok(!x && strstr(agn_error_message(), "cuda:0"), "by the device's name");
    bool good = true;
    for (int i = 0; i < 300 && good; i++) { /* 300 times 64 MiB: memory comes back */
        good = agn_empty(&x, AGN_F64, 1, (int64_t[]){8 << 20}, cuda) == AGN_OK;
        if (good)
            agn_release(x);
    }
    ok(good, "freed memory is used again");
    must(agn_full(&x, AGN_U8, 1, (int64_t[]){5}, 3));
    agn_tensor *d = on_device(x), *e = on_device(x), *y = NULL;
    is_int(agn_add(&y, d, x), AGN_EDEVICE, "host and device do not mix");
    must(agn_eq(&y, d, e));
    agn_release(x), agn_release(d), agn_release(e), agn_release(y);
}

/* t-cuda-tensor [NAME]: this part alone */
int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } parts[] = {
        {"copies", test_copies},
        {"casts", test_casts},
        {"moves", test_moves},
        {"parts", test_parts},
        {"sums", test_sums},
        {"lanes", test_lanes},
        {"indices", test_indices},
        {"runs", test_long_runs},
        {"faults", test_faults},
        {"ends", test_ends},
        {"products", test_products},
        {"random", test_random},
        {"threads", test_threads},
        {"memory", test_memory},
    };
    int result;
    if (!cuda_ready(&result))
        return result;
    for (int i = 0; i < COUNT(parts); i++)
        if (argc < 2 || !strcmp(argv[1], parts[i].name))
            parts[i].run();
    is_int(agn_device_synchronize(cuda), AGN_OK, "no fault is left");
    return done();
}
