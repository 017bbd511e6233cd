/* t-linalg-lanes - batches of small matrices, which are done in the lanes of vectors: backward errors over
   matrices of many kinds, the same bits at each place of a batch, beside any others and on any number of
   threads, failures that name matrix and entry, allocations that fail. */
#include "modes.h"

#include <agnesi/linalg.h>

enum { BATCH = 37, MOST = 36, KINDS = 8, MOST_OUT = 3 };

/* ---- matrices ------------------------------------------------------------------------------- */

static uint64_t seed = 1;
static double draw(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)seed * 0x1p-63;
}

/* matrix b of a batch, of kind b % KINDS: plain, graded by rows, by columns, Wilkinson's growth, huge, tiny,
   near to singular, with zeros */
static void fill(double *a, int64_t m, int64_t n, int64_t b, bool narrow)
{
    int big = narrow ? 100 : 900, step = narrow ? 2 : 20;
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            double x = draw();
            switch (b % KINDS) {
            case 1:
                x = ldexp(x, (int)-i * step / 2);
                break;
            case 2:
                x = ldexp(x, (int)(j - n / 2) * step / 2);
                break;
            case 3:
                x = j == n - 1 || i == j ? 1 : i > j ? -1 + 0.01 * x : 0.001 * x;
                break;
            case 4:
                x = ldexp(x, big);
                break;
            case 5:
                x = ldexp(x, -big);
                break;
            case 6:
                x = 1 / (double)(i + j + 1) + (i == j) * 0x1p-12;
                break;
            case 7:
                x = (i + 2 * j) % 3 ? x + 2 * (i == j) : 2 * (i == j);
                break;
            default:
                x += 2 * (i == j);
            }
            a[i * n + j] = narrow ? (double)(float)x : x;
        }
}

typedef enum form { GENERAL, SYMMETRIC, DEFINITE } form;

static agn_tensor *batch_of(int dtype, int64_t batch, int64_t m, int64_t n, form f)
{
    double *v = malloc((size_t)(batch * m * n + 1) * sizeof *v), g[MOST * MOST];
    agn_tensor *x = NULL, *y = NULL;
    for (int64_t b = 0; b < batch; b++) {
        double *a = v + b * m * n;
        int kind = (int)(b % KINDS), narrow = dtype == AGN_F32;
        bool scaled = f == DEFINITE && (kind == 1 || kind == 2 || kind == 4 || kind == 5);
        fill(a, m, n, scaled ? 0 : b, narrow);
        memcpy(g, a, (size_t)(m * n) * sizeof *g);
        for (int64_t i = 0; i < n && f; i++)
            for (int64_t j = 0; j < n; j++) {
                double sum = i == j; /* then by d x d, graded or even */
                int e = kind == 4   ? (narrow ? 100 : 900)
                        : kind == 5 ? (narrow ? -100 : -900)
                                    : (int)((kind == 1 ? -i - j : i + j) * (narrow ? 1 : 10));
                for (int64_t k = 0; k < n && f == DEFINITE; k++)
                    sum += g[i * n + k] * g[j * n + k] / (double)n;
                a[i * n + j] = f == SYMMETRIC ? (g[i * n + j] + g[j * n + i]) / 2 : ldexp(sum, scaled ? e : 0);
            }
    }
    must(agn_from_host(&x, AGN_F64, 3, (const int64_t[]){batch, m, n}, v));
    must(agn_cast(&y, x, dtype));
    agn_release(x);
    free(v);
    return y;
}

/* ---- the functions ------------------------------------------------------------------------------- */

typedef struct routine {
    const char *name;
    form f;
    int n_out;
    bool right; /* wants a right-hand side */
    agn_status (*run)(agn_tensor **y, const agn_tensor *a, const agn_tensor *b);
} routine;

#define RUN(name, call)                                                                      \
    static agn_status name(agn_tensor **y, const agn_tensor *a, const agn_tensor *b)         \
    {                                                                                        \
        (void)b;                                                                             \
        return call;                                                                         \
    }
RUN(cholesky, agn_linalg_cholesky(y, a, false))
RUN(cholesky_upper, agn_linalg_cholesky(y, a, true))
RUN(solve, agn_linalg_solve(y, a, b))
RUN(inv, agn_linalg_inv(y, a))
RUN(det, agn_linalg_det(y, a))
RUN(slogdet, agn_linalg_slogdet(y, y + 1, a))
RUN(lower_solve, agn_linalg_triangular_solve(y, a, b, false))
RUN(upper_solve, agn_linalg_triangular_solve(y, a, b, true))
RUN(eigh, agn_linalg_eigh(y, y + 1, a, false))
RUN(eigvalsh, agn_linalg_eigvalsh(y, a, true))
RUN(svd, agn_linalg_svd(y, y + 1, y + 2, a, false))
RUN(svdvals, agn_linalg_svdvals(y, a))
RUN(qr, agn_linalg_qr(y, y + 1, a, false))
RUN(qr_complete, agn_linalg_qr(y, y + 1, a, true))

static const routine routines[] = {
    {"cholesky", DEFINITE, 1, false, cholesky},   {"cholesky, upper", DEFINITE, 1, false, cholesky_upper},
    {"solve", GENERAL, 1, true, solve},           {"inv", GENERAL, 1, false, inv},
    {"det", GENERAL, 1, false, det},              {"slogdet", GENERAL, 2, false, slogdet},
    {"lower", DEFINITE, 1, true, lower_solve},    {"upper", DEFINITE, 1, true, upper_solve},
    {"eigh", SYMMETRIC, 2, false, eigh},          {"eigvalsh", SYMMETRIC, 1, false, eigvalsh},
    {"svd", GENERAL, 3, false, svd},              {"svdvals", GENERAL, 1, false, svdvals},
    {"qr", GENERAL, 2, false, qr},                {"qr, complete", GENERAL, 2, false, qr_complete}};

/* ---- backward errors ------------------------------------------------------------------------------ */

static long double at(const agn_tensor *x, int64_t i)
{
    return agn_dtype_of(x) == AGN_F32 ? (double)((const float *)agn_data(x))[i]
                                      : ((const double *)agn_data(x))[i];
}
static void *writable(agn_tensor *x)
{
    void *p = NULL;
    must(agn_data_mut(&p, x));
    return p;
}
static long double norm(const agn_tensor *x, int64_t from, int64_t n)
{
    long double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += at(x, from + i) * at(x, from + i);
    return sqrtl(sum);
}

/* largest |x y - z| of matrices b over |x| |y| + |z|; entry (i, j) of t(x) at i rs + j cs; z NULL: the identity */
typedef struct factor {
    const agn_tensor *x;
    int64_t rs, cs, size;
} factor;
static double residual(factor x, factor y, factor z, int64_t b, int64_t m, int64_t n, int64_t k)
{
    long double worst = 0, scale = norm(x.x, b * x.size, x.size) * norm(y.x, b * y.size, y.size) +
                                   (z.x ? norm(z.x, b * z.size, z.size) : 1);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < k; j++) {
            long double sum = z.x ? -at(z.x, b * z.size + i * z.rs + j * z.cs) : -(i == j);
            for (int64_t l = 0; l < n; l++)
                sum += at(x.x, b * x.size + i * x.rs + l * x.cs) * at(y.x, b * y.size + l * y.rs + j * y.cs);
            worst = fabsl(sum) > worst || sum != sum ? fabsl(sum) : worst;
        }
    return scale > 0 ? (double)(worst / scale) : 0;
}

static factor plain(const agn_tensor *x, int64_t rows, int64_t cols)
{
    return (factor){x, cols, 1, rows * cols};
}
static factor turned(const agn_tensor *x, int64_t rows, int64_t cols)
{
    return (factor){x, 1, cols, rows * cols};
}

/* x with columns times w */
static agn_tensor *times_columns(const agn_tensor *x, const agn_tensor *w)
{
    agn_tensor *y = NULL;
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_return(s, &y, ag_mul(s, x, ag_expand_dims(s, w, -2)));
    must(agn_scope_close(s));
    return y;
}

static const factor one = {NULL, 0, 0, 0};

static void judge(tally *q, const routine *r, const agn_tensor *a, const agn_tensor *b, agn_tensor **y,
                  int64_t m, int64_t n, double tol)
{
    agn_tensor *t = NULL;
    for (int64_t i = 0; i < BATCH; i++) {
        double e = 0;
        int64_t k = m < n ? m : n, rows;
        if (r->run == cholesky)
            e = residual(plain(y[0], n, n), turned(y[0], n, n), plain(a, n, n), i, n, n, n);
        else if (r->run == cholesky_upper)
            e = residual(turned(y[0], n, n), plain(y[0], n, n), plain(a, n, n), i, n, n, n);
        else if (r->run == solve)
            e = residual(plain(a, n, n), plain(y[0], n, 3), plain(b, n, 3), i, n, n, 3);
        else if (r->run == inv)
            e = residual(plain(a, n, n), plain(y[0], n, n), one, i, n, n, n);
        else if (r->run == eigh) {
            t = t ? t : times_columns(y[1], y[0]);
            e = fmax(residual(plain(t, n, n), turned(y[1], n, n), plain(a, n, n), i, n, n, n),
                     residual(turned(y[1], n, n), plain(y[1], n, n), one, i, n, n, n));
            for (int64_t j = 1; j < n; j++)
                e = at(y[0], i * n + j - 1) <= at(y[0], i * n + j) ? e : HUGE_VAL;
        } else if (r->run == svd) {
            t = t ? t : times_columns(y[0], y[1]);
            e = fmax(residual(plain(t, m, k), plain(y[2], k, n), plain(a, m, n), i, m, k, n),
                     fmax(residual(turned(y[0], m, k), plain(y[0], m, k), one, i, k, m, k),
                          residual(plain(y[2], k, n), turned(y[2], k, n), one, i, k, n, k)));
            for (int64_t j = 1; j < k; j++)
                e = at(y[1], i * k + j - 1) >= at(y[1], i * k + j) ? e : HUGE_VAL;
        } else if (r->run == qr || r->run == qr_complete) {
            rows = r->run == qr ? k : m;
            e = fmax(residual(plain(y[0], m, rows), plain(y[1], rows, n), plain(a, m, n), i, m, rows, n),
                     residual(turned(y[0], m, rows), plain(y[0], m, rows), one, i, rows, m, rows));
            for (int64_t j = 0; j < rows * n; j++)
                e = j % n < j / n && at(y[1], i * rows * n + j) != 0 ? HUGE_VAL : e;
        }
        check(q, e <= tol, "%s of %d x %d, matrix %d: %.2e, allowed %.2e", r->name, (int)m, (int)n, (int)i, e,
              tol);
    }
    agn_release(t);
}

static void test_backward_errors(void)
{
    static const int64_t sizes[][2] = {{1, 1}, {2, 2}, {3, 3},   {4, 4},   {5, 5},  {7, 7},   {8, 8}, {9, 9}, {12, 12},
                                       {16, 16}, {17, 17}, {31, 31}, {32, 32}, {33, 33}, {5, 3}, {3, 5}, {32, 9}, {6, 30}};
    for (size_t k = 0; k < sizeof routines / sizeof *routines; k++) {
        const routine *r = routines + k;
        tally q = {0, 0};
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (int wide = 0; wide < 2; wide++) {
                int64_t m = sizes[i][0], n = sizes[i][1];
                if (m != n && r->run != svd && r->run != qr && r->run != qr_complete)
                    continue;
                int dtype = wide ? AGN_F64 : AGN_F32;
                agn_tensor *a = batch_of(dtype, BATCH, m, n, r->f), *b = batch_of(dtype, BATCH, n, 3, GENERAL),
                           *y[MOST_OUT] = {NULL};
                agn_status st = r->run(y, a, b);
                check(&q, !st, "%s of %d x %d: %s", r->name, (int)m, (int)n, agn_error_message());
                if (!st)
                    judge(&q, r, a, b, y, m, n, 10 * (double)(m + n) * (wide ? 0x1p-52 : 0x1p-23));
                agn_release(a);
                agn_release(b);
                for (int o = 0; o < MOST_OUT; o++)
                    agn_release(y[o]);
            }
        tell(&q, "%s: backward errors, %d kinds of matrices in one batch", r->name, KINDS);
    }
}

/* ---- values beside those of one matrix alone ----------------------------------------------------------- */

static agn_tensor *part(const agn_tensor *x, int64_t from, int64_t to)
{
    agn_tensor *y = NULL, *z = NULL;
    must(agn_slice(&y, x, 1, &from, &to, NULL));
    must(agn_contiguous(&z, y));
    agn_release(y);
    return z;
}

static void test_values(void)
{
    tally q = {0, 0};
    for (size_t k = 0; k < sizeof routines / sizeof *routines; k++)
        for (int64_t n = 1; n <= 12; n += n < 5 ? 1 : 7) {
            const routine *r = routines + k;
            agn_tensor *a = batch_of(AGN_F64, BATCH, n, n, DEFINITE), *b = batch_of(AGN_F64, BATCH, n, 1, GENERAL),
                       *y[MOST_OUT] = {NULL};
            must(r->run(y, a, b));
            for (int64_t i = 0; i < BATCH; i++) {
                agn_tensor *one_a = part(a, i, i + 1), *one_b = part(b, i, i + 1), *z[MOST_OUT] = {NULL};
                must(r->run(z, one_a, one_b));
                bool vectors = r->n_out > 1 && r->run != slogdet; /* of graded matrices: not well determined */
                for (int o = 0; o < r->n_out && i % KINDS != 6; o++) {
                    if (vectors && (i % KINDS == 1 || i % KINDS == 2))
                        continue;
                    int64_t size = agn_numel(z[o]);
                    long double most = norm(z[o], 0, size), apart = 0;
                    for (int64_t j = 0; j < size; j++)
                        apart = fmaxl(apart, fabsl(at(z[o], j) - at(y[o], i * size + j)));
                    check(&q, apart <= 1e-8L * most + 1e-13L * (r->run == slogdet),
                          "%s of %d, matrix %d, result %d: apart %.2Le of %.2Le", r->name, (int)n, (int)i, o, apart, most);
                }
                agn_release(one_a);
                agn_release(one_b);
                for (int o = 0; o < MOST_OUT; o++)
                    agn_release(z[o]);
            }
            agn_release(a);
            agn_release(b);
            for (int o = 0; o < MOST_OUT; o++)
                agn_release(y[o]);
        }
    tell(&q, "a batch gives what its matrices give alone");
}

/* ---- bits ------------------------------------------------------------------------------------------------ */

/* matrices of x in another order, every third replaced by one of z */
static agn_tensor *shuffled(const agn_tensor *x, const agn_tensor *z, const int64_t *from)
{
    int64_t batch = agn_shape(x)[0], size = agn_numel(x) / batch;
    double *v = malloc((size_t)agn_numel(x) * sizeof *v);
    agn_tensor *y = NULL, *w = NULL;
    for (int64_t b = 0; b < batch; b++)
        for (int64_t i = 0; i < size; i++)
            v[b * size + i] = (double)(from[b] < 0 ? at(z, b * size + i) : at(x, from[b] * size + i));
    must(agn_from_host(&y, AGN_F64, 3, agn_shape(x), v));
    must(agn_cast(&w, y, agn_dtype_of(x)));
    agn_release(y);
    free(v);
    return w;
}

static void test_bits(void)
{
    static const int64_t orders[] = {1, 2, 3, 4, 6, 8, 11, 19, 32};
    int64_t from[BATCH];
    for (int64_t b = 0; b < BATCH; b++)
        from[b] = b % 3 == 1 ? -1 : (b * 14 + 5) % BATCH;
    for (size_t k = 0; k < sizeof routines / sizeof *routines; k++) {
        const routine *r = routines + k;
        tally q = {0, 0};
        for (int t = 0; t < 2 * (int)(sizeof orders / sizeof *orders); t++) {
            int64_t n = orders[t / 2];
            int dtype = t % 2 ? AGN_F64 : AGN_F32;
            agn_tensor *a = batch_of(dtype, BATCH, n, n, r->f), *other = batch_of(dtype, BATCH, n, n, r->f),
                       *b = batch_of(dtype, BATCH, n, 3, GENERAL), *a2 = shuffled(a, other, from),
                       *b2 = shuffled(b, b, from), *y[MOST_OUT] = {NULL}, *z[MOST_OUT] = {NULL};
            must(r->run(y, a, b));
            must(r->run(z, a2, b2));
            for (int o = 0; o < r->n_out; o++) {
                size_t size = (size_t)(agn_numel(y[o]) / BATCH) * (dtype == AGN_F32 ? 4 : 8);
                const char *have = agn_data(z[o]), *want = agn_data(y[o]);
                for (int64_t i = 0; i < BATCH; i++)
                    check(&q, from[i] < 0 || !memcmp(have + (size_t)i * size, want + (size_t)from[i] * size, size),
                          "%s %s of %d: matrix %d differs at %d", r->name, agn_dtype_name(dtype), (int)n, (int)from[i],
                          (int)i);
            }
            for (int o = 0; o < MOST_OUT; o++) {
                agn_release(y[o]);
                agn_release(z[o]);
            }
            agn_release(a);
            agn_release(a2);
            agn_release(other);
            agn_release(b);
            agn_release(b2);
        }
        tell(&q, "%s: the same bits at any place, beside any others", r->name);
    }
}

static void test_threads(void)
{
    enum { MANY = 1500 };
    tally q = {0, 0};
    for (size_t k = 0; k < sizeof routines / sizeof *routines; k++) {
        const routine *r = routines + k;
        agn_tensor *a = batch_of(AGN_F64, MANY, 9, 9, r->f), *b = batch_of(AGN_F64, MANY, 9, 3, GENERAL),
                   *y[MOST_OUT] = {NULL}, *z[MOST_OUT] = {NULL};
        must(agn_threads_set(1));
        must(r->run(y, a, b));
        must(agn_threads_set(4));
        must(r->run(z, a, b));
        must(agn_threads_set(0));
        for (int o = 0; o < r->n_out; o++)
            check(&q, !memcmp(agn_data(y[o]), agn_data(z[o]), (size_t)agn_numel(y[o]) * 8), "%s differs", r->name);
        for (int o = 0; o < MOST_OUT; o++) {
            agn_release(y[o]);
            agn_release(z[o]);
        }
        agn_release(a);
        agn_release(b);
    }
    tell(&q, "the same bits on 1 and 4 threads");
}

/* ---- layouts --------------------------------------------------------------------------------------------- */

static void test_layouts(void)
{
    tally q = {0, 0};
    for (size_t k = 0; k < sizeof routines / sizeof *routines; k++)
        for (int l = 0; l < N_LAYOUTS; l++)
            for (int64_t n = 3; n <= 10; n += 7) {
                const routine *r = routines + k;
                agn_tensor *a = batch_of(AGN_F64, BATCH, n, n, r->f == GENERAL ? GENERAL : DEFINITE),
                           *b = batch_of(AGN_F64, BATCH, n, 3, GENERAL), *x = laid_out(a, l), *c = laid_out(b, l),
                           *y[MOST_OUT] = {NULL}, *z[MOST_OUT] = {NULL};
                must(r->run(y, a, b));
                must(r->run(z, x, c));
                for (int o = 0; o < r->n_out; o++) {
                    agn_tensor *w = NULL;
                    must(agn_contiguous(&w, z[o]));
                    int64_t size = agn_numel(w) / BATCH;
                    for (int64_t i = 0; i < BATCH; i++) {
                        long double apart = 0, most = norm(y[o], i * size, size);
                        for (int64_t j = i * size; j < (i + 1) * size; j++)
                            apart = fmaxl(apart, fabsl(at(y[o], j) - at(w, j)));
                        check(&q, i % KINDS == 6 || i % KINDS == 1 || i % KINDS == 2 || apart <= 1e-9L * most + 1e-12L * (r->run == slogdet),
                              "%s, layout %d, matrix %d: %.2Le of %.2Le", r->name, l, (int)i, apart, most);
                    }
                    agn_release(w);
                }
                for (int o = 0; o < MOST_OUT; o++) {
                    agn_release(y[o]);
                    agn_release(z[o]);
                }
                agn_release(a);
                agn_release(b);
                agn_release(x);
                agn_release(c);
            }
    tell(&q, "layouts");
}

/* one matrix for all right-hand sides, one right-hand side for all matrices */
static void test_broadcast(void)
{
    tally q = {0, 0};
    agn_tensor *a = batch_of(AGN_F64, 1, 4, 4, GENERAL), *b = batch_of(AGN_F64, BATCH, 4, 2, GENERAL), *y = NULL;
    must(agn_linalg_solve(&y, a, b));
    for (int64_t i = 0; i < BATCH; i++) {
        long double worst = 0;
        for (int64_t j = 0; j < 8; j++) {
            long double sum = -at(b, i * 8 + j);
            for (int64_t l = 0; l < 4; l++)
                sum += at(a, j / 2 * 4 + l) * at(y, i * 8 + l * 2 + j % 2);
            worst = fmaxl(worst, fabsl(sum));
        }
        check(&q, worst <= 1e-14L * (norm(a, 0, 16) * norm(y, i * 8, 8) + norm(b, i * 8, 8)), "matrix %d", (int)i);
    }
    agn_release(y);
    agn_release(a);
    agn_release(b);
    a = batch_of(AGN_F64, BATCH, 4, 4, GENERAL);
    b = batch_of(AGN_F64, 1, 4, 3, GENERAL);
    must(agn_linalg_solve(&y, a, b));
    for (int64_t i = 0; i < BATCH; i++) {
        long double worst = 0;
        for (int64_t j = 0; j < 12; j++) {
            long double sum = -at(b, j);
            for (int64_t l = 0; l < 4; l++)
                sum += at(a, i * 16 + j / 3 * 4 + l) * at(y, i * 12 + l * 3 + j % 3);
            worst = fmaxl(worst, fabsl(sum));
        }
        check(&q, worst <= 1e-14L * (norm(a, i * 16, 16) * norm(y, i * 12, 12) + norm(b, 0, 12)), "right %d", (int)i);
    }
    agn_release(y);
    agn_release(a);
    agn_release(b);
    tell(&q, "batches that broadcast");
}

/* ---- failures ------------------------------------------------------------------------------------------------ */

static void expect(tally *q, const routine *r, const agn_tensor *a, const agn_tensor *b, agn_status want,
                   const char *what, const char *where)
{
    agn_tensor *y[MOST_OUT] = {untouched, untouched, untouched};
    agn_status st = r->run(y, a, b);
    check(q, st == want && y[0] == untouched && strstr(agn_error_message(), what) && strstr(agn_error_message(), where),
          "%s: %s: %s", r->name, agn_status_name(st), agn_error_message());
}

static void test_failures(void)
{
    static const int64_t orders[] = {2, 4, 6, 9, 20, 32};
    static const double odd[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
    tally q = {0, 0};
    for (size_t k = 0; k < sizeof routines / sizeof *routines; k++)
        for (int t = 0; t < 2 * (int)(sizeof orders / sizeof *orders); t++) {
            const routine *r = routines + k;
            int64_t n = orders[t / 2], bad = 21, later = 30, size = n * n;
            int dtype = t % 2 ? AGN_F64 : AGN_F32;
            agn_tensor *b = batch_of(dtype, BATCH, n, 3, GENERAL);
            char where[64];
            if (r->run == lower_solve || r->run == upper_solve) { /* what is not finite goes through */
                agn_tensor *a = batch_of(dtype, BATCH, n, n, DEFINITE);
                void *p = writable(a);
                for (int64_t i = bad; i <= later; i += later - bad)
                    if (dtype == AGN_F32)
                        ((float *)p)[i * size + (n - 1) * (n + 1)] = 0;
                    else
                        ((double *)p)[i * size + (n - 1) * (n + 1)] = 0;
                snprintf(where, sizeof where, "entry [%d,%d]", (int)n - 1, (int)n - 1);
                expect(&q, r, a, b, AGN_EDOMAIN, "matrix 21 of 37 is singular", where);
                agn_release(a);
            } else
                for (int o = 0; o < 4; o++) {
                    agn_tensor *a = batch_of(dtype, BATCH, n, n, r->f);
                    void *p = writable(a);
                    /* the entry [n - 1, 0] and its mirror */
                    for (int64_t i = bad; i <= later && o < 3; i += later - bad)
                        for (int mirror = 0; mirror < 2; mirror++) {
                            int64_t e = i * size + (mirror ? n - 1 : (n - 1) * n);
                            if (mirror && !r->f)
                                continue;
                            if (dtype == AGN_F32)
                                ((float *)p)[e] = (float)odd[o];
                            else
                                ((double *)p)[e] = odd[o];
                        }
                    bool upper = r->run == cholesky_upper || r->run == eigvalsh;
                    snprintf(where, sizeof where, "entry [%d,%d]", upper ? 0 : (int)n - 1, upper ? (int)n - 1 : 0);
                    if (o < 3)
                        expect(&q, r, a, b, AGN_EDOMAIN, "matrix 21 is not finite", where);
                    else if (r->run == solve || r->run == inv || r->f == DEFINITE) {
                        for (int64_t i = bad; i <= later; i += later - bad)
                            for (int64_t j = 0; j < n; j++) { /* a row, and with it a column, of zeros */
                                if (dtype == AGN_F32)
                                    ((float *)p)[i * size + (n - 1) * n + j] =
                                        ((float *)p)[i * size + (r->f ? j * n + n - 1 : (n - 1) * n + j)] = 0;
                                else
                                    ((double *)p)[i * size + (n - 1) * n + j] =
                                        ((double *)p)[i * size + (r->f ? j * n + n - 1 : (n - 1) * n + j)] = 0;
                            }
                        snprintf(where, sizeof where, "%d of %d", (int)n - 1, (int)n);
                        expect(&q, r, a, b, AGN_EDOMAIN,
                               r->f ? "matrix 21 of 37 is not positive definite" : "matrix 21 of 37 is singular", where);
                    }
                    agn_release(a);
                }
            agn_release(b);
        }
    tell(&q, "the first matrix that fails is named, and its entry");
}

/* a singular matrix has a determinant, singular values and reflectors */
static void test_singular(void)
{
    tally q = {0, 0};
    for (int64_t n = 2; n <= 32; n += n < 6 ? 1 : 13) {
        agn_tensor *a = batch_of(AGN_F64, BATCH, n, n, GENERAL), *y[MOST_OUT] = {NULL};
        double *p = writable(a);
        for (int64_t i = 0; i < BATCH; i += 2)
            for (int64_t j = 0; j < n; j++) /* two rows are equal, or all is 0 */
                for (int64_t l = 0; l < n; l++)
                    p[(i * n + l) * n + j] = i % 4 ? p[(i * n + l % (n - 1)) * n + j] : 0;
        must(det(y, a, NULL));
        for (int64_t i = 0; i < BATCH; i++)
            check(&q, i % 4 || at(y[0], i) == 0, "det of 0 is %g", (double)at(y[0], i));
        agn_release(y[0]);
        must(slogdet(y, a, NULL));
        for (int64_t i = 0; i < BATCH; i += 4)
            check(&q, at(y[0], i) == 0 && at(y[1], i) == -HUGE_VAL, "slogdet of 0");
        agn_release(y[0]);
        agn_release(y[1]);
        for (size_t k = 10; k < sizeof routines / sizeof *routines; k++) {
            const routine *r = routines + k;
            memset(y, 0, sizeof y);
            must(r->run(y, a, NULL));
            judge(&q, r, a, NULL, y, n, n, 20 * (double)n * 0x1p-52);
            for (int o = 0; o < MOST_OUT; o++)
                agn_release(y[o]);
        }
        agn_release(a);
    }
    tell(&q, "singular matrices");
}

/* ---- allocations ------------------------------------------------------------------------------------------------ */

typedef struct allocating {
    const routine *r;
    agn_tensor *a, *b;
} allocating;
static agn_status make(void *user, agn_tensor **out)
{
    const allocating *q = user;
    agn_tensor *y[MOST_OUT] = {*out, untouched, untouched};
    agn_status st = q->r->run(y, q->a, q->b);
    for (int o = 1; !st && o < q->r->n_out; o++)
        agn_release(y[o]);
    *out = y[0];
    return st;
}

int main(void)
{
    test_backward_errors();
    test_values();
    test_bits();
    test_threads();
    test_layouts();
    test_broadcast();
    test_failures();
    test_singular();
    for (size_t k = 0; k < sizeof routines / sizeof *routines; k++) {
        allocating q = {routines + k, batch_of(AGN_F64, BATCH, 5, 5, routines[k].f),
                        batch_of(AGN_F64, BATCH, 5, 2, GENERAL)};
        every_allocation(make, &q, routines[k].name);
        agn_release(q.a);
        agn_release(q.b);
    }
    return done();
}
