/* t-linalg-conquer - divide and conquer of eigenpairs and singular vectors: residuals, orthogonality and
   order where columns deflate, values cluster, and numbers are noise (Demmel, Marques, Parlett & Voemel
   2008 have such matrices); exponentials whose powers are far below their norms. */
#include "t-linalg.h"

/* entry i, j of n, of which Hermitian matrices have the lower triangle; x in [-1, 1] */
static double ones(int i, int j, int n, double x) { return (void)i, (void)j, (void)n, (void)x, 1; }
static double single(int i, int j, int n, double x) { return (void)n, (void)x, !i && !j; }
static double second_difference(int i, int j, int n, double x)
{
    return (void)n, (void)x, i == j ? 2 : abs(i - j) == 1 ? -1 : 0;
}
/* Wilkinson's matrices of order 21, joined by next to nothing */
static double glued(int i, int j, int n, double x)
{
    (void)n, (void)x;
    return i == j ? abs(i % 21 - 10) : abs(i - j) != 1 ? 0 : (i > j ? i : j) % 21 ? 1 : 1e-9;
}
static double noise_of_one(int i, int j, int n, double x) { return (void)n, (i == j) + 1e-15 * x; }
static double graded(int i, int j, int n, double x) { return (void)n, ldexp(x, -2 * (i < j ? j : i)); }
static double arrow(int i, int j, int n, double x)
{
    return (void)n, (void)x, i == j ? 1e-10 * i : !i || !j ? 1 : 0;
}
static double blocks(int i, int j, int n, double x)
{
    return (void)n, (void)x, i == j ? 2 : i / 2 == j / 2;
}
static double plain(int i, int j, int n, double x) { return (void)i, (void)j, (void)n, x; }
static double zeros(int i, int j, int n, double x) { return (void)i, (void)j, (void)n, 0 * x; }

static const struct {
    const char *name;
    double (*entry)(int i, int j, int n, double x);
} kinds[] = {{"plain", plain},   {"ones", ones},
             {"one", single},    {"second differences", second_difference},
             {"glued", glued},   {"noise of 1", noise_of_one},
             {"graded", graded}, {"arrow", arrow},
             {"blocks", blocks}, {"0", zeros}};
static const int fields[] = {AGN_F32, AGN_F64, AGN_C64, AGN_C128};

/* times 2^scale */
static const agn_tensor *matrix_of(agn_scope *s, int kind, int dtype, int m, int n, int scale)
{
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){m, n}, -1, 1);
    void *p = NULL;
    must(agn_data_mut(&p, x));
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double *e = (double *)p + i * n + j;
            *e = ldexp(kinds[kind].entry(i, j, m > n ? m : n, *e), scale);
        }
    return ag_cast(s, agn_scope_adopt(s, AGN_OK, &x), (agn_dtype)dtype);
}

/* largest |x - y|, in n eps of `size` */
static double apart(const agn_tensor *x, const agn_tensor *y, double size, int dtype, int64_t n)
{
    double worst = 0;
    for (int64_t i = 0; i < agn_numel(y); i++) {
        const double d = cabs(peekz(x, i) - peekz(y, i));
        worst = d > worst || d != d ? (d != d ? (double)INFINITY : d) : worst;
    }
    return worst / (size > 0 ? size : 1) / eps_of(dtype) / (double)n;
}
static double not_unitary(agn_scope *s, const agn_tensor *q, int dtype)
{
    const int64_t n = agn_shape(q)[1];
    q = ag_cast(s, q, AGN_C128);
    return apart(ag_matmul(s, adjoint(s, q), q), ag_eye(s, AGN_C128, n, n, 0), 1, dtype, n);
}
/* v diag(w) u^H beside a; |w| descending or w ascending */
static double not_product(agn_scope *s, const agn_tensor *v, const agn_tensor *w, const agn_tensor *uh,
                          const agn_tensor *a, double size, int dtype)
{
    const agn_tensor *y = ag_matmul(s, ag_mul(s, ag_cast(s, v, AGN_C128), ag_cast(s, w, AGN_C128)),
                                    ag_cast(s, uh, AGN_C128));
    return apart(y, ag_cast(s, a, AGN_C128), size, dtype, agn_shape(v)[0]);
}
static bool in_order(const agn_tensor *w, int sign)
{
    for (int64_t i = 1; i < agn_numel(w); i++)
        if (!(sign * peek(w, i) >= sign * peek(w, i - 1)))
            return false;
    return true;
}

static void test_pairs(int n, int scale)
{
    tally t = {0, 0};
    for (int d = 0; d < COUNT(fields); d++)
        for (int k = 0; k < COUNT(kinds); k++) {
            agn_scope *s = agn_scope_open(NULL);
            const agn_tensor *x = matrix_of(s, k, fields[d], n, n, scale), *low = ag_tril(s, x, -1),
                             *a = ag_add(s, ag_tril(s, x, 0), adjoint(s, low));
            agn_tensor *w = NULL, *v = NULL;
            agn_status st = agn_linalg_eigh(&w, &v, a, false);
            const agn_tensor *W = agn_scope_adopt(s, st, &w), *V = agn_scope_adopt(s, st, &v);
            must(agn_scope_status(s));
            const double size = fmax(fabs(peek(W, 0)), fabs(peek(W, n - 1))),
                         off = not_product(s, V, W, adjoint(s, V), a, size, fields[d]),
                         turn = not_unitary(s, V, fields[d]);
            check(&t, off < 1 && turn < 1 && in_order(W, 1), "%s of %d times 2^%d, dtype %d: %g and %g n eps",
                  kinds[k].name, n, scale, fields[d], off, turn);
            must(agn_scope_close(s));
        }
    tell(&t, "eigenpairs of order %d, %" PRId64 " matrices times 2^%d", n, t.checks, scale);
}

static void test_values(int m, int n, int scale)
{
    tally t = {0, 0};
    for (int d = 0; d < COUNT(fields); d++)
        for (int k = 0; k < COUNT(kinds); k++) {
            agn_scope *s = agn_scope_open(NULL);
            const agn_tensor *a = matrix_of(s, k, fields[d], m, n, scale);
            agn_tensor *u = NULL, *w = NULL, *vh = NULL;
            agn_status st = agn_linalg_svd(&u, &w, &vh, a, false);
            const agn_tensor *U = agn_scope_adopt(s, st, &u), *W = agn_scope_adopt(s, st, &w),
                             *VH = agn_scope_adopt(s, st, &vh);
            must(agn_scope_status(s));
            const double off = not_product(s, U, W, VH, a, peek(W, 0), fields[d]),
                         left = not_unitary(s, U, fields[d]),
                         right = not_unitary(s, adjoint(s, VH), fields[d]);
            check(&t, off < 1 && left < 1 && right < 1 && in_order(W, -1) &&
                      peek(W, agn_numel(W) - 1) >= 0,
                  "%s of %d x %d times 2^%d, dtype %d: %g, %g and %g n eps", kinds[k].name, m, n,
                  scale, fields[d], off, left, right);
            must(agn_scope_close(s));
        }
    tell(&t, "singular vectors of %d x %d, %" PRId64 " matrices times 2^%d", m, n, t.checks, scale);
}

/* d^-1 b d with a diagonal d of powers of 2: what is exact for b is so for it, and norms of powers say
   nothing of |b| */
static void test_scaled_exponentials(void)
{
    enum { N = 8 };
    tally t = {0, 0};
    for (int k = 0; k < 8; k++) {
        agn_scope *s = agn_scope_open(NULL);
        agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){N, N}, -1, 1), *up = NULL;
        void *p = NULL;
        must(agn_zeros(&up, AGN_F64, 2, (int64_t[]){N, N}));
        must(agn_data_mut(&p, up));
        for (int i = 0; i < N * N; i++)
            ((double *)p)[i] = ldexp(1, 4 * (k - 4) * (i % N - i / N));
        const agn_tensor *b = agn_scope_adopt(s, AGN_OK, &x), *r = agn_scope_adopt(s, AGN_OK, &up),
                         *e = ag_mul(s, ag_linalg_matrix_exp(s, b), r),
                         *y = ag_linalg_matrix_exp(s, ag_mul(s, b, r));
        must(agn_scope_status(s));
        const double off = apart(ag_div(s, y, r), ag_div(s, e, r), 1, AGN_F64, N);
        check(&t, off < ldexp(1000, 4 * abs(k - 4)), "power %d: %g n eps", k - 4, off);
        must(agn_scope_close(s));
    }
    tell(&t, "exponentials of %" PRId64 " matrices that are scaled badly", t.checks);
}

/* e^[0, t; -t, 0] turns by t, and t is known to eps */
static void test_many_turns(void)
{
    tally c = {0, 0};
    for (int k = 20; k <= 48; k += 4) {
        const double t = ldexp(1.1, k);
        agn_scope *s = agn_scope_open(NULL);
        agn_tensor *x = NULL;
        must(agn_from_host(&x, AGN_F64, 2, (int64_t[]){2, 2}, (double[]){0, t, -t, 0}));
        const agn_tensor *y = ag_linalg_matrix_exp(s, agn_scope_adopt(s, AGN_OK, &x));
        must(agn_scope_status(s));
        const double off = fmax(fabs(peek(y, 0) - cos(t)), fabs(peek(y, 1) - sin(t)));
        check(&c, off < 4 * t * 0x1p-52, "2^%d: %g", k, off);
        must(agn_scope_close(s));
    }
    tell(&c, "exponentials that turn by %" PRId64 " large angles", c.checks);
}

int main(void)
{
    /* the last two numbers: of large loops alone, and the power of 2 */
    static const int orders[][3] = {{25, 0}, {50, 0}, {85, 1}, {26, 0, -36}, {49, 1, 36}},
                     shapes[][4] = {{25, 25, 0},      {33, 40, 0},      {75, 60, 0},
                                    {85, 85, 1},      {30, 26, 0, -36}, {49, 49, 1, 36}};
    for (int i = 0; i < COUNT(orders); i++)
        if (!orders[i][1] || tap_scale(2) == 2)
            test_pairs(orders[i][0], orders[i][2]);
    for (int i = 0; i < COUNT(shapes); i++)
        if (!shapes[i][2] || tap_scale(2) == 2)
            test_values(shapes[i][0], shapes[i][1], shapes[i][3]);
    test_scaled_exponentials();
    test_many_turns();
    int64_t bytes, held, peak;
    agn_memory_live(&bytes, &held, &peak);
    is_int(held, 0, "nothing is left");
    return done();
}
