/* tests/t-linalg-random.c - random orthogonal matrices: orthonormal to the last digits,
   equally likely in all directions, errors, memory. */
#include "tests/modes.h"

static agn_tensor *key_of(uint64_t seed)
{
    agn_generator *g;
    agn_tensor *key;
    must(agn_generator_new(&g, seed));
    must(agn_key(&key, g));
    agn_generator_release(g);
    return key;
}

/* largest entry of q q^T - 1, or of q^T q - 1 where q has more rows than columns */
static double off_orthonormal(const agn_tensor *q)
{
    int nd = agn_ndim(q);
    int64_t n = agn_shape(q)[nd - 2], m = agn_shape(q)[nd - 1];
    bool tall = n > m;
    int64_t k = tall ? m : n, each = tall ? n : m;
    double worst = 0;
    for (int64_t b = 0; agn_numel(q) && b < agn_numel(q) / (n * m); b++)
        for (int64_t i = 0; i < k; i++)
            for (int64_t j = 0; j <= i; j++) {
                double dot = i == j ? -1 : 0;
                for (int64_t p = 0; p < each; p++)
                    dot += tall ? peek(q, b * n * m + p * m + i) *
                                      peek(q, b * n * m + p * m + j)
                                : peek(q, b * n * m + i * m + p) *
                                      peek(q, b * n * m + j * m + p);
                worst = fmax(worst, fabs(dot));
            }
    return worst;
}

static void test_shapes(void)
{
    static const struct {
        int ndim;
        int64_t shape[3];
    } some[] = {{2, {1, 1}},    {2, {3, 3}},    {2, {2, 5}}, {2, {7, 3}},
                {3, {4, 3, 6}}, {3, {2, 5, 2}}, {2, {0, 3}}, {2, {3, 0}},
                {3, {0, 2, 2}}, {2, {60, 40}}};
    static const struct {
        int dtype;
        double tol;
    } to[] = {{AGN_F64, 3e-15}, {AGN_F32, 1e-6}, {AGN_F16, 1e-2}, {AGN_BF16, 1e-1}};
    tally t = {0, 0};
    agn_tensor *key = key_of(3), *y, *z;
    for (int k = 0; k < COUNT(some); k++)
        for (int d = 0; d < COUNT(to); d++) {
            must(agn_linalg_orthogonal(&y, key, to[d].dtype, some[k].ndim,
                                       some[k].shape));
            must(agn_linalg_orthogonal(&z, key, to[d].dtype, some[k].ndim,
                                       some[k].shape));
            double off = off_orthonormal(y);
            check(&t,
                  has_shape(y, some[k].ndim, some[k].shape) &&
                      agn_dtype_of(y) == to[d].dtype && agn_is_contiguous(y) &&
                      same_values(y, z) && off < to[d].tol,
                  "%s %s: off by %.1e", agn_dtype_name(to[d].dtype), SHAPE_TEXT(y),
                  off);
            agn_release(y), agn_release(z);
        }
    agn_release(key);
    tell(&t,
         "orthonormal rows or columns, batches, empty ones, four dtypes, repeatable");
}

/* Haar's distribution: entries of an n x n matrix have mean 0, variance 1 / n, fourth
   moment 3 / (n (n + 2)); the trace has mean 0 and variance 1; half of the determinants
   are positive */
static void test_distribution(void)
{
    enum { N = 20000 };
    agn_tensor *key = key_of(17), *y;
    must(agn_linalg_orthogonal(&y, key, AGN_F64, 3, (int64_t[]){N, 3, 3}));
    double mean[9] = {0}, square[9] = {0}, fourth = 0, trace = 0, trace2 = 0;
    int positive = 0;
    for (int i = 0; i < N; i++) {
        double q[9], tr;
        for (int k = 0; k < 9; k++) {
            q[k] = peek(y, 9 * (int64_t)i + k);
            mean[k] += q[k] / N;
            square[k] += q[k] * q[k] / N;
            fourth += q[k] * q[k] * q[k] * q[k] / (9.0 * N);
        }
        tr = q[0] + q[4] + q[8];
        trace += tr / N, trace2 += tr * tr / N;
        positive += q[0] * (q[4] * q[8] - q[5] * q[7]) -
                        q[1] * (q[3] * q[8] - q[5] * q[6]) +
                        q[2] * (q[3] * q[7] - q[4] * q[6]) >
                    0;
    }
    double worst = 0;
    for (int k = 0; k < 9; k++) {
        worst = fmax(worst, fabs(mean[k]) / sqrt(1 / 3.0 / N));
        /* variance of a square: 1 / 5 - 1 / 9 */
        worst = fmax(worst, fabs(square[k] - 1 / 3.0) / sqrt(4 / 45.0 / N));
    }
    ok(worst < 4.2, "means and squares of entries: %.1f deviations", worst);
    ok(fabs(fourth - 0.2) < 0.004, "fourth moment %.4f", fourth);
    ok(fabs(trace) < 4 / sqrt(N) && fabs(trace2 - 1) < 0.06,
       "trace: mean %.3f, square %.3f", trace, trace2);
    ok(abs(2 * positive - N) < 4 * sqrt(N), "%d of %d are rotations", positive, N);
    agn_release(y), agn_release(key);
}

static agn_status make(void *user, agn_tensor **out)
{
    return agn_linalg_orthogonal(out, user, AGN_F32, 3, (int64_t[]){2, 5, 3});
}
static agn_status traced(void *user, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    (void)user;
    out[0] = ag_linalg_orthogonal(s, in[0], AGN_F64, 2, (int64_t[]){2, 2});
    return agn_scope_status(s);
}

static void test_errors(void)
{
    tally t = {0, 0};
    static const int64_t s[2] = {2, 3}, bad[2] = {2, -3},
                         big[2] = {(int64_t)1 << 32, 1};
    agn_tensor *key = key_of(1), *x = scalar_of(AGN_F64, 1);
#define NO(call, want, fact1, fact2)                                                \
    do {                                                                            \
        agn_tensor *y = untouched;                                                  \
        agn_status no_st = call;                                                    \
        check(&t, refused(no_st, want, "linalg_orthogonal", fact1, fact2, y), "%s", \
              #call);                                                               \
    } while (0)
    NO(agn_linalg_orthogonal(NULL, key, AGN_F64, 2, s), AGN_ENULL, "out", NULL);
    NO(agn_linalg_orthogonal(&y, NULL, AGN_F64, 2, s), AGN_ENULL, "key", NULL);
    NO(agn_linalg_orthogonal(&y, key, AGN_F64, 2, NULL), AGN_ENULL, "shape", NULL);
    NO(agn_linalg_orthogonal(&y, key, AGN_C64, 2, s), AGN_EDTYPE, "c64", "f16");
    NO(agn_linalg_orthogonal(&y, key, 99, 2, s), AGN_EDTYPE, "?", "f16");
    NO(agn_linalg_orthogonal(&y, x, AGN_F64, 2, s), AGN_EDTYPE, "f64", NULL);
    NO(agn_linalg_orthogonal(&y, key, AGN_F64, 1, s), AGN_ESHAPE, "1 axes", "2");
    NO(agn_linalg_orthogonal(&y, key, AGN_F64, 2, bad), AGN_ESHAPE, "-3", "axis 1");
    NO(agn_linalg_orthogonal(&y, key, AGN_F64, 2, big), AGN_EUNSUPPORTED, "4294967296",
       "LAPACK");
    agn_fn *f, *fast;
    must(agn_fn_new(&f, traced, NULL, NULL, 1, 1));
    must(agn_fn_compile(&fast, f, NULL));
    NO(agn_fn_call(&y, 1, fast, (const agn_tensor *const *)&key, 1), AGN_ESYMBOLIC, "key",
       "tracing");
    agn_fn_release(f), agn_fn_release(fast);
    tell(&t, "%" PRId64 " bad calls: status, two facts, out untouched", t.checks);
    every_allocation(make, key, "linalg_orthogonal");
    agn_release(key), agn_release(x);
}

int main(void)
{
    test_shapes();
    test_distribution();
    test_errors();
    return done();
}
