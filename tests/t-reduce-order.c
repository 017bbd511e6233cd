/* tests/t-reduce-order.c - order where the ways of sorting meet: sizes beside the borders of
   vectors, networks and parts, for any number of threads; top k beside whole orders;
   softmax beside what it is made of. */
#include "laws.h"

#include <agnesi/ag.h>
#include <agnesi/nn.h>

/* ties, both zeros, NaN, infinities; whole numbers of either sign; neighbours of one number */
static double number(int pattern, int64_t k, int64_t n)
{
    static const double some[] = {0, -0.0, (double)NAN, (double)INFINITY, -(double)INFINITY, 1, -1};
    switch (pattern) {
    case 0: return rnd_in(-100, 100);
    case 1: return rnd_below(4) ? rnd_in(-1, 1) : some[rnd_below(COUNT(some))];
    case 2: return (double)(k % 2 ? k : n - k);
    case 3: return (double)rnd_below(3) - 1;
    case 4: return -0.0;
    default: return (double)(n - k) - 7;
    }
}

static agn_tensor *lane_of(int d, int pattern, int64_t n, bool strided)
{
    double *v = room_for((size_t)(2 * n + 1) * sizeof *v);
    for (int64_t k = 0; k < 2 * n; k++) {
        v[k] = number(pattern, k / 2, n);
        if (kind_of(d) <= KIND_INT)
            v[k] = v[k] - v[k] == 0 ? floor(v[k] * (d == AGN_BOOL ? 0.5 : 1)) : 5;
    }
    agn_tensor *x = of_reals(d, 2, (int64_t[]){n, 2}, v), *y = NULL;
    free(v);
    must(agn_index_axis(&y, x, 1, 1));
    agn_release(x);
    if (strided)
        return y;
    must(agn_contiguous(&x, y));
    agn_release(y);
    return x;
}

/* argsort says where elements stand: it counts digits and moves no values */
static bool in_order(const agn_tensor *x, bool down)
{
    agn_tensor *y = NULL, *p = NULL;
    must(agn_sort(&y, x, 0, down));
    must(agn_argsort(&p, x, 0, down));
    int64_t n = agn_numel(x);
    bool good = agn_numel(y) == n;
    for (int64_t k = 0; good && k < n; k++)
        good = !memcmp(place(y, k), place(x, peek_int(p, k)), agn_dtype_size(agn_dtype_of(x)));
    for (int64_t k = 1; good && k < n; k++) {
        double a = peek(y, k - 1), b = peek(y, k);
        good = isnan(b) || (down ? a >= b : a <= b);
    }
    agn_release(y), agn_release(p);
    return good;
}

static const int dtypes[] = {AGN_BOOL, AGN_U8, AGN_I32, AGN_I64, AGN_F16, AGN_F32, AGN_F64};

static void test_sizes(void)
{
    static const int64_t sizes[] = {0,  1,  2,  3,  4,   5,   7,   8,   9,   15,  16,  17,
                                    31, 32, 33, 63, 64,  65,  127, 128, 129, 191, 255, 257,
                                    511, 513, 1000, 8191, 8192, 8193};
    tally t = {0};
    for (int s = 0; s < COUNT(sizes); s++)
        for (int i = 0; i < COUNT(dtypes); i++)
            for (int p = 0; p < 6; p++)
                for (int way = 0; way < 4; way++) {
                    agn_tensor *x = lane_of(dtypes[i], p, sizes[s], way / 2);
                    check(&t, in_order(x, way % 2), "%d %s, pattern %d, way %d", (int)sizes[s],
                          agn_dtype_name(dtypes[i]), p, way);
                    agn_release(x);
                }
    tell(&t, "sort: sizes beside every border, dtypes, directions, strides (E5, E6)");
}

static void test_threads(void)
{
    tally t = {0};
    int64_t n = TAP_SANITIZED ? 70001 : 1000003;
    for (int i = 0; i < COUNT(dtypes); i++)
        for (int p = 0; p < 6; p += i < 3 ? 3 : 1) {
            agn_tensor *x = lane_of(dtypes[i], p, n, false), *y = NULL;
            uint64_t h = 0;
            for (int threads = 1; threads <= 4; threads++) {
                must(agn_threads_set(threads));
                must(agn_sort(&y, x, 0, p % 2));
                h = threads == 1 ? hash_of(y) : h;
                check(&t, hash_of(y) == h, "%s, pattern %d, %d threads", agn_dtype_name(dtypes[i]),
                      p, threads);
                agn_release(y);
            }
            check(&t, in_order(x, p % 2), "%s, pattern %d", agn_dtype_name(dtypes[i]), p);
            agn_release(x);
        }
    must(agn_threads_set(0));
    tell(&t, "sort of a long lane: in order, the same bits for 1 to 4 threads (E6)");
}

static void test_top(void)
{
    tally t = {0};
    for (int64_t n = 2900; n <= 20000; n += 17100)
        for (int i = 0; i < COUNT(dtypes); i++)
            for (int p = 0; p < 6; p++)
                for (int way = 0; way < 4; way++) {
                    agn_tensor *x = lane_of(dtypes[i], p, n, way / 2), *all = NULL, *v = NULL,
                               *at = NULL;
                    must(agn_argsort(&all, x, 0, way % 2));
                    for (int64_t k = 0; k <= 200; k = 7 * k + 1) {
                        must(agn_topk(&v, &at, x, k, 0, way % 2));
                        bool good = agn_numel(v) == k && agn_numel(at) == k;
                        for (int64_t j = 0; good && j < k; j++)
                            good = peek_int(at, j) == peek_int(all, j) &&
                                   !memcmp(place(v, j), place(x, peek_int(all, j)),
                                           agn_dtype_size(dtypes[i]));
                        check(&t, good, "%d of %d %s, pattern %d, way %d", (int)k, (int)n,
                              agn_dtype_name(dtypes[i]), p, way);
                        agn_release(v), agn_release(at);
                    }
                    agn_release(x), agn_release(all);
                }
    tell(&t, "topk is the front of the order: ties, NaN, zeros (E5, E15)");
}

/* ---- softmax ------------------------------------------------------------------------------------ */

static agn_status fused(void *user, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    out[0] = ag_nn_softmax(s, in[0], *(int32_t *)user);
    return AGN_OK;
}
static agn_status made(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    int32_t axis = *(int32_t *)user;
    const agn_tensor *e = ag_exp(
        s, ag_sub(s, in[0], ag_stop_gradient(s, ag_amax(s, in[0], &axis, 1, true))));
    out[0] = ag_div(s, e, ag_sum(s, e, &axis, 1, true));
    return AGN_OK;
}

static double distance(const agn_tensor *a, const agn_tensor *b)
{
    double worst = same_shapes(a, b) ? 0 : (double)INFINITY;
    for (int64_t k = 0; worst < 1 && k < agn_numel(a); k++) {
        double x = peek(a, k), y = peek(b, k);
        if (isnan(x) != isnan(y))
            return (double)INFINITY;
        if (!isnan(x) && fabs(x - y) > worst)
            worst = fabs(x - y);
    }
    return worst;
}

static void test_softmax(void)
{
    tally t = {0};
    static const double odd[] = {(double)INFINITY, -(double)INFINITY, (double)NAN, 1e4, -1e4};
    for (int trial = 0; trial < tap_scale(400); trial++) {
        int d = trial % 2 ? AGN_F32 : AGN_F64;
        int32_t axis = trial / 2 % 3;
        int64_t shape[3];
        for (int k = 0; k < 3; k++)
            shape[k] = 1 + rnd_below(k != axis ? 40 : trial / 6 % 2 ? 20 : 300);
        agn_tensor *b = random_of(d, 3, shape, -5, 5);
        for (int k = 0; trial % 4 == 3 && k < 5; k++) {
            agn_tensor *v = of_reals(d, 0, NULL, odd + k), *c = NULL;
            must(agn_index_put(&c, b, (agn_ix[]){agn_ix_int(rnd_below(shape[0])),
                                                 agn_ix_int(rnd_below(shape[1])),
                                                 agn_ix_int(rnd_below(shape[2]))}, 3, v));
            agn_release(b), agn_release(v);
            b = c;
        }
        agn_tensor *x = laid_out(b, trial % N_LAYOUTS), *y = NULL, *z = NULL;
        agn_fn *f = NULL, *g = NULL;
        must(agn_fn_new(&f, fused, &axis, NULL, 1, 1));
        must(agn_fn_new(&g, made, &axis, NULL, 1, 1));
        must(agn_fn_call(&y, 1, f, AGN_ARGS(x)));
        must(agn_fn_call(&z, 1, g, AGN_ARGS(x)));
        check(&t, distance(y, z) < (d == AGN_F32 ? 1e-6 : 1e-15), "softmax of %s %s, axis %d",
              agn_dtype_name(d), SHAPE_TEXT(x), axis);
        agn_fn_release(f), agn_fn_release(g);
        agn_release(b), agn_release(x), agn_release(y), agn_release(z);
    }
    tell(&t, "softmax is what it is made of: axes, layouts, infinities, NaN (E7)");
}

int main(void)
{
    test_sizes();
    test_threads();
    test_top();
    test_softmax();
    return done();
}
