/* t-sparse-direct - direct solvers: every method against dense solves and backward errors on hard
   matrices, in every mode, one analysis and one factorisation for all orders of derivatives,
   factors as objects, and every documented failure. */
#include "modes.h"

#include <agnesi/sparse_direct.h>
#include <agnesi/sparse_iterative.h>
#include <dlfcn.h>
#include <float.h>
#include <suitesparse/SuiteSparseQR_C.h>
#include <suitesparse/klu.h>
#include <suitesparse/umfpack.h>

/* ---- what is asked of SuiteSparse is counted ---------------------------------------------- */

static int n_factor, n_analyze;
#if UMFPACK_MAIN_VERSION < 6 /* SuiteSparse 5 */
typedef SuiteSparse_long umfpack_status;
#else
typedef int umfpack_status;
#endif
#define SEEN __attribute__((visibility("default")))
/* clang-format off */
#define COUNTED(count, type, name, params, args) \
    SEEN type name params; \
    SEEN type name params \
    { \
        union { void *p; type (*f) params; } next = {dlsym(RTLD_NEXT, #name)}; \
        count++; \
        return next.f args; \
    }
/* clang-format on */
COUNTED(n_factor, int, cholmod_l_factorize,
        (cholmod_sparse * a, cholmod_factor *l, cholmod_common *cm), (a, l, cm))
COUNTED(n_analyze, cholmod_factor *, cholmod_l_analyze,
        (cholmod_sparse * a, cholmod_common *cm), (a, cm))
COUNTED(n_factor, klu_l_numeric *, klu_l_factor,
        (long *p, long *i, double *x, klu_l_symbolic *s, klu_l_common *cm),
        (p, i, x, s, cm))
COUNTED(n_analyze, klu_l_symbolic *, klu_l_analyze,
        (long n, long *p, long *i, klu_l_common *cm), (n, p, i, cm))
COUNTED(n_factor, SuiteSparseQR_C_factorization *, SuiteSparseQR_C_factorize,
        (int order, double tol, cholmod_sparse *a, cholmod_common *cm),
        (order, tol, a, cm))
COUNTED(n_factor, umfpack_status, umfpack_dl_numeric,
        (const long p[], const long i[], const double x[], void *s, void **n,
         const double c[UMFPACK_CONTROL], double info[UMFPACK_INFO]),
        (p, i, x, s, n, c, info))
COUNTED(n_analyze, umfpack_status, umfpack_dl_symbolic,
        (long m, long n, const long p[], const long i[], const double x[], void **s,
         const double c[UMFPACK_CONTROL], double info[UMFPACK_INFO]),
        (m, n, p, i, x, s, c, info))

/* ---- matrices ------------------------------------------------------------------------------ */

enum { RANDOM, ARROW, BAND, NEARLY, APART, DENSE_ROW, DYNAMIC, LOWER, UPPER, N_KINDS };
static const char *const kinds[] = {"random",          "arrow",        "band",
                                    "nearly singular", "disconnected", "dense row",
                                    "wide range",      "lower",        "upper"};

/* which entries, and how large */
static double complex entry(int kind, bool definite, int64_t n, int64_t i, int64_t j)
{
    double w = cos((double)(3 * (i < j ? i : j) + 7 * (i < j ? j : i)));
    double complex z = definite ? w : cos((double)(5 * i + 3 * j));
    double complex t = z_of(0, (definite && i > j ? -1 : 1) * 0.3 * w);
    bool there = false;
    switch (kind) {
    case ARROW:
        there = i == 0 || j == 0;
        break;
    case BAND:
    case NEARLY:
    case DYNAMIC:
        there = i - j <= 2 && j - i <= 2;
        break;
    case APART:
        there = i % 3 == j % 3 && i - j <= 6 && j - i <= 6;
        break;
    case DENSE_ROW:
        there = i == n / 2 || (definite && j == n / 2);
        break;
    case LOWER:
        there = j < i && (3 * i + j) % 4 == 0;
        break;
    case UPPER:
        there = j > i && (3 * i + j) % 4 == 0;
        break;
    default:
        there = (i * 7 + j * 7 + i * j) % 5 == 0;
    }
    if (i == j)
        return definite ? 3 * (kind == DENSE_ROW || kind == ARROW ? (double)n : 8)
                        : 4 + z;
    return there ? z + t : 0;
}

static agn_tensor *made(int dtype, int kind, bool definite, int64_t n)
{
    int64_t *p = room_for((size_t)(n + 1) * sizeof *p), nnz = 0;
    int64_t *ix = room_for((size_t)(n * n + 1) * sizeof *ix);
    size_t b = agn_dtype_size(dtype);
    char *v = room_for((size_t)(n * n + 1) * b);
    bool z = kind_of(dtype) == KIND_COMPLEX;
    p[0] = 0;
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++) {
            double complex x = entry(kind, definite, n, i, j);
            if (x == 0)
                continue;
            if (kind == DYNAMIC)
                x *= pow(10, (double)((i * 5) % 13 - 6)) *
                     pow(10, (double)((j * 5) % 13 - 6));
            if (kind == NEARLY && i == n - 1 && i == j)
                x += definite ? 0 : 1e-9;
            poke(v + (size_t)nnz * b, dtype, creal(x), z && i != j ? cimag(x) : 0);
            ix[nnz++] = j;
        }
        p[i + 1] = nnz;
    }
    agn_tensor *tp = NULL, *ti = NULL, *tv = NULL, *a = NULL;
    must(agn_from_host(&tp, AGN_I64, 1, (int64_t[]){n + 1}, p));
    must(agn_from_host(&ti, AGN_I64, 1, &nnz, ix));
    must(agn_from_host(&tv, dtype, 1, &nnz, v));
    must(agn_sparse_csr(&a, n, n, tp, ti, tv));
    agn_release(tp);
    agn_release(ti);
    agn_release(tv);
    free(p);
    free(ix);
    free(v);
    return a;
}

/* |b - A x| / ||A| |x| + |b||, in eps, in largest elements; by_norms: of |A| |x| + |b|, where the
   norm of x stands for all of its elements (Rigal & Gaches 1967) */
static double error_of(const agn_tensor *a, const agn_tensor *x, const agn_tensor *b,
                       bool turned, bool by_norms)
{
    double large = 0;
    for (int64_t i = 0; by_norms && i < agn_numel(x); i++)
        large = fmax(large, cabs(peekz(x, i)));
    agn_tensor *p = NULL, *ix = NULL, *v = NULL;
    must(agn_sparse_indptr(&p, a));
    must(agn_sparse_indices(&ix, a));
    must(agn_sparse_values(&v, a));
    int64_t n = agn_shape(a)[0], k = agn_numel(b) / n;
    double worst = 0, norm = 0;
    double complex *r = room_for((size_t)n * sizeof *r);
    double *size = room_for((size_t)n * sizeof *size);
    for (int64_t c = 0; c < k; c++) {
        for (int64_t i = 0; i < n; i++) {
            r[i] = peekz(b, i * k + c);
            size[i] = cabs(r[i]);
        }
        for (int64_t i = 0; i < n; i++)
            for (int64_t e = peek_int(p, i); e < peek_int(p, i + 1); e++) {
                int64_t to = turned ? peek_int(ix, e) : i,
                        from = turned ? i : peek_int(ix, e);
                double complex t = peekz(v, e) * peekz(x, from * k + c);
                r[to] -= t;
                size[to] += by_norms ? cabs(peekz(v, e)) * large : cabs(t);
            }
        double num = 0;
        norm = 0;
        for (int64_t i = 0; i < n; i++) {
            num = fmax(num, cabs(r[i]));
            norm = fmax(norm, size[i]);
        }
        worst = fmax(worst, norm > 0 ? num / norm : num);
    }
    free(r);
    free(size);
    agn_release(p);
    agn_release(ix);
    agn_release(v);
    return worst / DBL_EPSILON;
}

static double backward(const agn_tensor *a, const agn_tensor *x, const agn_tensor *b,
                       bool turned)
{
    return error_of(a, x, b, turned, false);
}

static const char *const names[] = {"auto", "cholesky", "ldl",       "lu",
                                    "klu",  "qr",       "triangular", "cholesky_lower"};

static void test_solves(void)
{
    tally q = {0, 0};
    for (int z = 0; z < 2; z++)
        for (int kind = 0; kind < N_KINDS; kind++)
            for (int definite = 0; definite < 2; definite++)
                for (int method = 0; method < AGN_SPARSE_N_METHODS; method++) {
                    bool triangle = kind == LOWER || kind == UPPER;
                    bool symmetric = definite && !triangle;
                    if (method == AGN_SPARSE_TRIANGULAR && !triangle)
                        continue;
                    if ((method == AGN_SPARSE_CHOLESKY || method == AGN_SPARSE_LDL ||
                         method == AGN_SPARSE_CHOLESKY_LOWER) && !symmetric)
                        continue;
                    int dtype = z ? AGN_C128 : AGN_F64;
                    agn_tensor *a = made(dtype, kind, definite, 40);
                    for (int order = 0; order < AGN_SPARSE_N_ORDERS; order++)
                        for (int t = 0; t < 4; t++) {
                            agn_sparse_solver o = {.size = sizeof o,
                                                   .method = method,
                                                   .order = order,
                                                   .transposed = t % 2};
                            agn_tensor *b = random_of(dtype, t < 2 ? 1 : 2,
                                                      (int64_t[]){40, 3}, -1, 1),
                                       *x = NULL;
                            must(agn_sparse_solve_with(&x, a, b, &o));
                            /* Q mixes elements of all sizes */
                            double e = error_of(a, x, b, t % 2,
                                                method == AGN_SPARSE_QR);
                            check(&q, e <= 100 && same_shapes(x, b),
                                  "%s %s %s%s, order %d, %d: %.3g eps", names[method],
                                  kinds[kind], definite ? "definite " : "",
                                  agn_dtype_name(dtype), order, t, e);
                            agn_release(b);
                            agn_release(x);
                        }
                    agn_release(a);
                }
    tell(
        &q,
        "backward errors within 100 eps: methods, orders, matrices, transposes, columns");
}

/* agn_sparse_solve takes any square matrix, by the method that its structure asks for */
static void test_structures(void)
{
    tally q = {0, 0};
    for (int z = 0; z < 2; z++)
        for (int kind = 0; kind < N_KINDS; kind++)
            for (int definite = 0; definite < 2; definite++)
                for (int columns = 0; columns < 3; columns++) {
                    bool triangle = kind == LOWER || kind == UPPER;
                    int dtype = z ? AGN_C128 : AGN_F64;
                    agn_tensor *a = made(dtype, kind, definite, 40), *x = NULL, *y = NULL;
                    agn_tensor *b = random_of(dtype, columns ? 2 : 1, (int64_t[]){40, columns}, -1, 1);
                    agn_sparse_factor *f = NULL;
                    must(agn_sparse_solve(&x, a, b));
                    must(agn_sparse_solve_with(&y, a, b, NULL));
                    must(agn_sparse_factor_new(&f, a, NULL));
                    const char *by = agn_sparse_factor_method(f);
                    const char *want = triangle ? "triangular" : definite ? "cholesky" : "lu";
                    double e = error_of(a, x, b, false, false);
                    check(&q, e <= 100 && same_shapes(x, b) && same_values(x, y) && !strcmp(by, want),
                          "%s %s%s, %d columns: %.3g eps by %s", kinds[kind],
                          definite ? "definite " : "", agn_dtype_name(dtype), columns, e, by);
                    agn_sparse_factor_release(f);
                    agn_tensor *all[] = {a, x, y, b};
                    for (int i = 0; i < COUNT(all); i++)
                        agn_release(all[i]);
                }
    /* Hermitian with a positive diagonal, and not definite: Cholesky fails, LU follows. Unequal by one
       unit in the last place: not Hermitian. */
    static const struct {
        double v[9];
        const char *by;
    } near[] = {{{4, 1, 1, 1, 4, 1, 1, 1, 4}, "cholesky"},
                {{1, 2, 0, 2, 1, 2, 0, 2, 1}, "lu"},
                {{4, 1, 1, 1 + 0x1p-52, 4, 1, 1, 1, 4}, "lu"},
                {{4, 1, 1, 1, 0, 1, 1, 1, 4}, "lu"}};
    for (int k = 0; k < COUNT(near); k++) {
        agn_tensor *d = NULL, *a = NULL, *x = NULL, *b = random_of(AGN_F64, 1, (int64_t[]){3}, -1, 1);
        agn_tensor *p = NULL, *i = NULL, *v = NULL;
        agn_sparse_factor *f = NULL;
        must(agn_from_host(&p, AGN_I64, 1, (int64_t[]){4}, (int64_t[]){0, 3, 6, 9}));
        must(agn_from_host(&i, AGN_I64, 1, (int64_t[]){9}, (int64_t[]){0, 1, 2, 0, 1, 2, 0, 1, 2}));
        must(agn_from_host(&v, AGN_F64, 1, (int64_t[]){9}, near[k].v));
        must(agn_sparse_csr(&a, 3, 3, p, i, v));
        must(agn_sparse_solve(&x, a, b));
        must(agn_sparse_factor_new(&f, a, NULL));
        double e = error_of(a, x, b, false, false);
        check(&q, e <= 100 && !strcmp(agn_sparse_factor_method(f), near[k].by), "matrix %d: %.3g eps by %s", k, e,
              agn_sparse_factor_method(f));
        agn_sparse_factor_release(f);
        agn_tensor *all[] = {d, a, x, b, p, i, v};
        for (int j = 0; j < COUNT(all); j++)
            agn_release(all[j]);
    }
    tell(&q, "any square matrix: the method follows the structure");
}

/* log |det|, its gradient, and the condition, of a matrix of which the lower triangle alone is stored */
static void test_lower_numbers(void)
{
    tally q = {0, 0};
    agn_sparse_solver o = {.size = sizeof o, .method = AGN_SPARSE_CHOLESKY_LOWER};
    for (int z = 0; z < 2; z++)
        for (int kind = 0; kind < LOWER; kind++) {
            agn_tensor *a = made(z ? AGN_C128 : AGN_F64, kind, true, 30), *half = NULL, *v[2] = {NULL};
            agn_tensor *w[2] = {NULL}, *x[2] = {NULL}, *d[2] = {NULL}, *g[2] = {NULL}, *gm[2] = {NULL};
            double rcond[2] = {0, 0}, apart = 0, size = 0;
            must(agn_tril(&half, a, 0));
            for (int k = 0; k < 2; k++) {
                const agn_tensor *m = k ? half : a;
                agn_sparse_factor *f = NULL;
                must(agn_sparse_values(&v[k], m));
                must(agn_watch(&w[k], v[k]));
                must(agn_sparse_with_values(&x[k], m, w[k]));
                must(agn_sparse_logdet(&d[k], x[k], k ? &o : NULL));
                must(agn_gradient(&g[k], (const agn_tensor *const *)&d[k], 1,
                                  (const agn_tensor *const *)&w[k], 1, NULL));
                must(agn_sparse_with_values(&gm[k], m, g[k]));
                must(agn_sparse_factor_new(&f, m, k ? &o : NULL));
                must(agn_sparse_factor_rcond(&rcond[k], f));
                agn_sparse_factor_release(f);
            }
            /* an entry of the lower triangle moves its mirror image, too, and the diagonal really */
            agn_tensor *full = NULL, *low = NULL;
            must(agn_sparse_to_dense(&full, gm[0]));
            must(agn_sparse_to_dense(&low, gm[1]));
            for (int64_t i = 0; i < 30; i++)
                for (int64_t j = 0; j <= i; j++) {
                    double complex both = peekz(full, i * 30 + j) + conj(peekz(full, j * 30 + i));
                    size = fmax(size, cabs(both));
                    apart = fmax(apart, cabs(peekz(low, i * 30 + j) - (i == j ? creal(both) / 2 : both)));
                }
            check(&q, modes_apart(d[0], d[1]) < 1e-13 && apart < 1e-12 * size && fabs(rcond[1] / rcond[0] - 1) < 1e-12,
                  "%s %s: apart %.1e, gradients %.1e, rcond %g and %g", kinds[kind], z ? "c128" : "f64",
                  modes_apart(d[0], d[1]), apart, rcond[0], rcond[1]);
            agn_tensor *all[] = {a,    half, v[0], v[1], w[0],  w[1],  x[0], x[1],
                                 d[0], d[1], g[0], g[1], gm[0], gm[1], full, low};
            for (int i = 0; i < COUNT(all); i++)
                agn_release(all[i]);
        }
    tell(&q, "numbers of a matrix by its lower triangle");
}

/* the solve that reads the lower triangle: with the upper one stored, and without */
static void test_lower(void)
{
    tally q = {0, 0};
    agn_sparse_solver o = {.size = sizeof o, .method = AGN_SPARSE_CHOLESKY_LOWER};
    for (int z = 0; z < 2; z++)
        for (int kind = 0; kind < LOWER; kind++)
            for (int k = 0; k < 4; k++) {
                int dtype = z ? AGN_C128 : AGN_F64;
                agn_tensor *a = made(dtype, kind, true, 40), *half = NULL, *x = NULL, *y = NULL;
                agn_tensor *b = random_of(dtype, k ? 2 : 1, (int64_t[]){40, k}, -1, 1);
                must(agn_tril(&half, a, 0));
                must(agn_sparse_solve_with(&x, a, b, &o));
                must(agn_sparse_solve_with(&y, half, b, &o));
                double e = error_of(a, x, b, false, false), h = error_of(a, y, b, false, false);
                check(&q, e <= 100 && h <= 100 && same_shapes(x, b),
                      "%s %s, %d columns: %.3g eps, by half of it %.3g", kinds[kind],
                      agn_dtype_name(dtype), k, e, h);
                agn_tensor *all[] = {a, half, x, y, b};
                for (int i = 0; i < COUNT(all); i++)
                    agn_release(all[i]);
            }
    tell(&q, "a triangle that stands for both: backward errors within 100 eps");
}

static void test_narrow(void)
{
    tally q = {0, 0};
    for (int z = 0; z < 2; z++) {
        agn_tensor *a = made(z ? AGN_C64 : AGN_F32, RANDOM, false, 20), *x = NULL,
                   *d = NULL;
        agn_tensor *b = random_of(z ? AGN_C64 : AGN_F32, 1, (int64_t[]){20}, -1, 1);
        must(agn_sparse_solve_with(&x, a, b, NULL));
        must(agn_sparse_logdet(&d, a, NULL));
        check(&q,
              agn_dtype_of(x) == agn_dtype_of(b) && agn_dtype_of(d) == AGN_F32 &&
                  backward(a, x, b, false) * DBL_EPSILON < 1e-6,
              "narrow dtypes are computed wide");
        agn_release(a);
        agn_release(x);
        agn_release(b);
        agn_release(d);
    }
    agn_tensor *e = NULL, *p = NULL, *i = NULL, *v = NULL, *x = NULL, *b = NULL,
               *d = NULL;
    must(agn_zeros(&p, AGN_I64, 1, (int64_t[]){1}));
    must(agn_zeros(&i, AGN_I64, 1, (int64_t[]){0}));
    must(agn_zeros(&v, AGN_F64, 1, (int64_t[]){0}));
    must(agn_sparse_csr(&e, 0, 0, p, i, v));
    must(agn_zeros(&b, AGN_F64, 2, (int64_t[]){0, 2}));
    must(agn_sparse_solve_with(&x, e, b, NULL));
    must(agn_sparse_logdet(&d, e, NULL));
    check(&q, agn_numel(x) == 0 && peekz(d, 0) == 0, "an empty matrix");
    tell(&q, "narrow dtypes, an empty matrix");
    agn_tensor *all[] = {e, p, i, v, x, b, d};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
}

/* ---- determinants, condition, rank ------------------------------------------------------------ */

static agn_tensor *dense_of(const agn_tensor *a)
{
    agn_tensor *d = NULL;
    must(agn_sparse_to_dense(&d, a));
    return d;
}

/* log |det| by elimination with partial pivots */
static double log_det(const agn_tensor *a)
{
    agn_tensor *d = dense_of(a);
    int64_t n = agn_shape(a)[0];
    double complex *m = room_for((size_t)(n * n) * sizeof *m);
    for (int64_t k = 0; k < n * n; k++)
        m[k] = peekz(d, k);
    double sum = 0;
    for (int64_t k = 0; k < n; k++) {
        int64_t at = k;
        for (int64_t i = k; i < n; i++)
            at = cabs(m[i * n + k]) > cabs(m[at * n + k]) ? i : at;
        for (int64_t j = 0; j < n; j++) {
            double complex t = m[k * n + j];
            m[k * n + j] = m[at * n + j];
            m[at * n + j] = t;
        }
        sum += log(cabs(m[k * n + k]));
        for (int64_t i = k + 1; i < n; i++) {
            double complex f = m[i * n + k] / m[k * n + k];
            for (int64_t j = k; j < n; j++)
                m[i * n + j] -= f * m[k * n + j];
        }
    }
    free(m);
    agn_release(d);
    return sum;
}

static void test_numbers(void)
{
    tally q = {0, 0};
    for (int z = 0; z < 2; z++)
        for (int method = 0; method < AGN_SPARSE_N_METHODS; method++) {
            if (method == AGN_SPARSE_QR)
                continue;
            int kind = method == AGN_SPARSE_TRIANGULAR ? LOWER : RANDOM;
            bool definite = method == AGN_SPARSE_CHOLESKY || method == AGN_SPARSE_LDL ||
                            method == AGN_SPARSE_CHOLESKY_LOWER;
            agn_tensor *a = made(z ? AGN_C128 : AGN_F64, kind, definite, 25), *d = NULL;
            agn_sparse_solver o = {.size = sizeof o, .method = method};
            must(agn_sparse_logdet(&d, a, &o));
            double e = fabs(creal(peekz(d, 0)) - log_det(a));
            check(&q, e < 1e-11, "log det by %s: off by %.1e", names[method], e);
            agn_sparse_factor *f = NULL;
            double rcond = 0;
            must(agn_sparse_factor_new(&f, a, &o));
            must(agn_sparse_factor_rcond(&rcond, f));
            check(&q, rcond > 1e-6 && rcond <= 1, "%s: rcond %g", names[method], rcond);
            agn_tensor *d2 = NULL;
            must(agn_sparse_factor_logdet(&d2, f));
            check(&q, same_values(d, d2), "by the factor");
            agn_sparse_factor_release(f);
            agn_release(d);
            agn_release(d2);
            agn_release(a);
        }
    /* entries of the inverse from a factor, and by solves */
    static const int ways[] = {AGN_SPARSE_LU, AGN_SPARSE_CHOLESKY, AGN_SPARSE_LDL};
    for (int z = 0; z < 2; z++)
        for (int kind = RANDOM; kind <= DENSE_ROW; kind++) {
            agn_tensor *a = made(z ? AGN_C128 : AGN_F64, kind, true, 33), *v = NULL,
                       *w = NULL;
            agn_tensor *x = NULL, *gr[3] = {NULL};
            must(agn_sparse_values(&v, a));
            must(agn_watch(&w, v));
            must(agn_sparse_with_values(&x, a, w));
            for (int k = 0; k < 3; k++) {
                agn_sparse_solver o = {.size = sizeof o, .method = ways[k]};
                agn_tensor *d = NULL;
                must(agn_sparse_logdet(&d, x, &o));
                must(agn_gradient(&gr[k], (const agn_tensor *const *)&d, 1,
                                  (const agn_tensor *const *)&w, 1, NULL));
                agn_release(d);
                double e = modes_apart(gr[k], gr[0]);
                check(&q, e < 1e-13, "gradient of log det, %s, %s %s: apart %.1e",
                      kinds[kind], z ? "c128" : "f64", names[ways[k]], e);
            }
            agn_tensor *all[] = {a, v, w, x, gr[0], gr[1], gr[2]};
            for (int k = 0; k < COUNT(all); k++)
                agn_release(all[k]);
        }
    /* condition of a diagonal is exact */
    agn_tensor *a = made(AGN_F64, LOWER, false, 1), *v = NULL;
    agn_tensor *p = NULL, *i = NULL, *g = NULL;
    must(agn_from_host(&p, AGN_I64, 1, (int64_t[]){5}, (int64_t[]){0, 1, 2, 3, 4}));
    must(agn_from_host(&i, AGN_I64, 1, (int64_t[]){4}, (int64_t[]){0, 1, 2, 3}));
    must(agn_from_host(&v, AGN_F64, 1, (int64_t[]){4}, (double[]){1, -2, 4, 1000}));
    must(agn_sparse_csr(&g, 4, 4, p, i, v));
    agn_sparse_factor *f = NULL;
    double rcond = 0;
    must(agn_sparse_factor_new(&f, g, NULL));
    must(agn_sparse_factor_rcond(&rcond, f));
    check(&q, fabs(rcond - 1e-3) < 1e-15, "rcond of a diagonal: %g", rcond);
    agn_sparse_factor_release(f);
    int64_t rank = 0;
    must(agn_sparse_rank(&rank, g));
    check(&q, rank == 4, "rank %d of 4", (int)rank);
    agn_tensor *w = NULL, *h = NULL;
    must(agn_from_host(&w, AGN_F64, 1, (int64_t[]){4}, (double[]){1, 0, 4, 0}));
    must(agn_sparse_with_values(&h, g, w));
    must(agn_sparse_rank(&rank, h));
    check(&q, rank == 2, "rank %d of 2", (int)rank);
    tell(&q, "determinants against elimination, condition, rank");
    agn_tensor *all[] = {a, v, p, i, g, w, h};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
}

/* ---- modes ---------------------------------------------------------------------------------------- */

enum { SOLVE, TURNED, LSTSQ, LOGDET };
typedef struct given {
    agn_tensor *a;
    int what, method;
} given;
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const given *g = user;
    const agn_tensor *a = ag_sparse_with_values(s, g->a, in[0]);
    agn_sparse_solver o = {
        .size = sizeof o, .method = g->method, .transposed = g->what == TURNED};
    out[0] = g->what == LSTSQ    ? ag_sparse_lstsq(s, a, in[1], NULL)
             : g->what == LOGDET ? ag_sparse_logdet(s, a, &o)
                                 : ag_sparse_solve_with(s, a, in[1], &o);
    return agn_scope_status(s);
}

/* [m, n] with a diagonal and a little beside it */
static agn_tensor *rectangle(int dtype, int64_t m, int64_t n)
{
    int64_t *p = room_for((size_t)(m + 1) * sizeof *p), nnz = 0;
    int64_t *ix = room_for((size_t)(m * n) * sizeof *ix);
    p[0] = 0;
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j < n; j++)
            if (i % n == j % m || (i + 2 * j) % 3 == 0)
                ix[nnz++] = j;
        p[i + 1] = nnz;
    }
    agn_tensor *tp = NULL, *ti = NULL, *a = NULL,
               *v = random_of(dtype, 1, &nnz, 0.5, 2);
    must(agn_from_host(&tp, AGN_I64, 1, (int64_t[]){m + 1}, p));
    must(agn_from_host(&ti, AGN_I64, 1, &nnz, ix));
    must(agn_sparse_csr(&a, m, n, tp, ti, v));
    agn_release(tp);
    agn_release(ti);
    agn_release(v);
    free(p);
    free(ix);
    return a;
}

static void test_modes(void)
{
    static const struct {
        const char *name;
        int what, method, kind;
        int64_t m, n;
    } cases[] = {{"lu", SOLVE, AGN_SPARSE_LU, RANDOM, 5, 5},
                 {"lu of the transpose", TURNED, AGN_SPARSE_LU, RANDOM, 5, 5},
                 {"klu", SOLVE, AGN_SPARSE_KLU, BAND, 5, 5},
                 {"triangular", SOLVE, AGN_SPARSE_TRIANGULAR, UPPER, 5, 5},
                 {"qr", TURNED, AGN_SPARSE_QR, RANDOM, 5, 5},
                 {"auto", SOLVE, AGN_SPARSE_AUTO, RANDOM, 4, 4},
                 {"least squares", LSTSQ, 0, -1, 7, 4},
                 {"shortest solution", LSTSQ, 0, -1, 4, 7},
                 {"log det", LOGDET, AGN_SPARSE_LU, RANDOM, 5, 5},
                 {"log det by the lower triangle", LOGDET, AGN_SPARSE_CHOLESKY_LOWER, LOWER, 5, 5}};
    for (int z = 0; z < 2; z++)
        for (int k = 0; k < COUNT(cases); k++) {
            int dtype = z ? AGN_C128 : AGN_F64;
            agn_tensor *a = cases[k].kind < 0
                                ? rectangle(dtype, cases[k].m, cases[k].n)
                                : made(dtype, cases[k].kind, false, cases[k].n);
            agn_tensor *in[2] = {
                NULL, random_of(dtype, 2, (int64_t[]){cases[k].m, 2}, -1, 1)};
            given g = {a, cases[k].what, cases[k].method};
            agn_fn *f = NULL;
            char name[64];
            must(agn_sparse_values(&in[0], a));
            must(agn_fn_new(&f, body, &g, NULL, cases[k].what == LOGDET ? 1 : 2, 1));
            snprintf(name, sizeof name, "%s, %s", cases[k].name, agn_dtype_name(dtype));
            in_every_mode(f, cases[k].what == LOGDET ? 1 : 2,
                          (const agn_tensor *const *)in, 1e-2, 1e-8, name);
            agn_fn_release(f);
            agn_release(a);
            agn_release(in[0]);
            agn_release(in[1]);
        }
}

/* ---- how often -------------------------------------------------------------------------------------- */

typedef struct quantity {
    agn_tensor *a;
    int method;
    int64_t salt;
} quantity;
static agn_status squares(void *user, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    const quantity *g = user;
    const agn_tensor *a = ag_sparse_with_values(s, g->a, in[0]);
    agn_sparse_solver o = {.size = sizeof o, .method = g->method};
    const agn_tensor *x = g->method == AGN_SPARSE_QR
                              ? ag_sparse_lstsq(s, a, in[1], NULL)
                              : ag_sparse_solve_with(s, a, in[1], &o);
    out[0] = ag_sum_all(s, ag_mul(s, x, ag_sin(s, x)));
    return agn_scope_status(s);
}

/* dense [m, n] whose last column is i times the first, or equals it */
static agn_tensor *dependent(int dtype, int64_t m, int64_t n)
{
    agn_tensor *x = random_of(dtype, 2, (int64_t[]){m, n}, -1, 1);
    void *p;
    must(agn_data_mut(&p, x));
    double *v = p;
    for (int64_t i = 0; i < m; i++)
        if (dtype == AGN_C128) {
            v[2 * (i * n + n - 1)] = -v[2 * i * n + 1];
            v[2 * (i * n + n - 1) + 1] = v[2 * i * n];
        } else
            v[i * n + n - 1] = v[i * n];
    return x;
}

/* the shortest of all least-squares solutions, as LSQR finds it */
static void test_lower_rank(void)
{
    tally q = {0, 0};
    for (int z = 0; z < 2; z++)
        for (int wide = 0; wide < 2; wide++) {
            int dtype = z ? AGN_C128 : AGN_F64;
            agn_scope *s = agn_scope_open(NULL);
            agn_tensor *d = dependent(dtype, 7, 4);
            agn_tensor *b = random_of(dtype, 2, (int64_t[]){wide ? 4 : 7, 3}, -1, 1);
            const agn_tensor *a = ag_sparse_from_dense(
                s, wide ? ag_conj(s, ag_swapaxes(s, d, 0, 1)) : d);
            agn_krylov_options o = {.size = sizeof o, .method = AGN_KRYLOV_LSQR, .rtol = 1e-15};
            const agn_tensor *x = ag_sparse_lstsq(s, a, b, NULL);
            const agn_tensor *y = ag_krylov_solve(s, NULL, a, b, NULL, &o);
            double apart = agn_scope_status(s) ? (double)INFINITY : modes_apart(x, y);
            check(&q, apart < 1e-12, "%s, %s: apart %.1e %s", agn_dtype_name(dtype),
                  wide ? "wide" : "tall", apart, agn_scope_status(s) ? agn_error_message() : "");
            must(agn_scope_close(s));
            agn_release(d);
            agn_release(b);
        }
    tell(&q, "lower rank: the shortest of the least-squares solutions");
    /* derivatives: in b they are linear, in a they are refused */
    agn_tensor *d = dependent(AGN_F64, 7, 4), *a = NULL, *in[2], *g[2] = {NULL, NULL};
    must(agn_sparse_from_dense(&a, d));
    must(agn_sparse_values(&in[0], a));
    in[1] = random_of(AGN_F64, 1, (int64_t[]){7}, -1, 1);
    quantity sum = {a, AGN_SPARSE_QR, 0};
    agn_fn *f = NULL, *by_b = NULL, *by_a = NULL;
    must(agn_fn_new(&f, squares, &sum, NULL, 2, 1));
    must(agn_fn_grad(&by_b, f, (int32_t[]){1}, 1));
    must(agn_fn_grad(&by_a, f, (int32_t[]){0}, 1));
    ok(!agn_fn_call(&g[0], 1, by_b, (const agn_tensor *const *)in, 2), "lower rank: a gradient in b");
    double steps[2] = {0, 0}, h = 1e-5;
    for (int k = 0; k < 2 && g[0]; k++) {
        agn_tensor *moved = NULL, *y = NULL;
        void *p;
        must(agn_copy(&moved, in[1]));
        must(agn_data_mut(&p, moved));
        ((double *)p)[2] += k ? -h : h;
        must(agn_fn_call(&y, 1, f, (const agn_tensor *[]){in[0], moved}, 2));
        steps[k] = peek(y, 0);
        agn_release(moved);
        agn_release(y);
    }
    near(g[0] ? peek(g[0], 2) : (double)NAN, (steps[0] - steps[1]) / (2 * h), 1e-8, "it is the derivative");
    agn_status st = agn_fn_call(&g[1], 1, by_a, (const agn_tensor *const *)in, 2);
    ok(st == AGN_EDOMAIN && strstr(agn_error_message(), "not of full rank: 3 of 4"),
       "lower rank: a gradient in a is refused: %s", st ? agn_error_message() : "");
    agn_fn *fns[] = {f, by_b, by_a};
    for (int k = 0; k < 3; k++)
        agn_fn_release(fns[k]);
    agn_tensor *all[] = {d, a, in[0], in[1], g[0], g[1]};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
    /* columns that no pair shows to be dependent, and rows beyond all scale */
    enum { N = 24 };
    for (int c = 0; c < 2; c++) {
        double v[N * N] = {0};
        for (int i = 0; i < N; i++) {
            v[i * N + i] = 1;
            if (i)
                v[i * N + i - 1] = 8;
            for (int j = 0; c && j < N; j++)
                v[i * N + j] = (j % 4 == 3 ? 1 : cos(i * (j + 1))) * pow(10, (i % 5 - 2) * 12);
        }
        agn_tensor *dense = of_reals(AGN_F64, 2, (int64_t[]){N, N}, v), *x = NULL;
        agn_tensor *b = random_of(AGN_F64, 1, (int64_t[]){N}, -1, 1);
        must(agn_sparse_from_dense(&a, dense));
        st = agn_sparse_lstsq(&x, a, b, NULL);
        ok(st == AGN_EDOMAIN && strstr(agn_error_message(), "lower rank"), "refused: %s",
           st ? agn_error_message() : "no error");
        agn_release(dense);
        agn_release(a);
        agn_release(b);
        agn_release(x);
    }
}

/* a diagonal with an imaginary part, however small, is no Hermitian one's */
static void test_imaginary_diagonal(void)
{
    static const double sizes[] = {1, 1e-3, 1e-9};
    for (int k = 0; k < COUNT(sizes); k++) {
        double v[8] = {4, 0, 1, 1, 1, -1, 5, sizes[k]};
        agn_tensor *d = NULL, *a = NULL, *x = NULL, *b = random_of(AGN_C128, 1, (int64_t[]){2}, -1, 1);
        must(agn_from_host(&d, AGN_C128, 2, (int64_t[]){2, 2}, v));
        must(agn_sparse_from_dense(&a, d));
        for (int method = AGN_SPARSE_CHOLESKY; method <= AGN_SPARSE_LDL; method++) {
            agn_sparse_solver o = {.size = sizeof o, .method = method};
            agn_status st = agn_sparse_solve_with(&x, a, b, &o);
            ok(st == AGN_EDOMAIN &&
                   strstr(agn_error_message(), "not Hermitian: entry [1,1] has the imaginary part"),
               "%s, %g i on the diagonal: %s", names[method], sizes[k], st ? agn_error_message() : "");
        }
        must(agn_sparse_solve(&x, a, b));
        double e = backward(a, x, b, false);
        ok(e <= 100, "by LU it is solved: %.3g eps", e);
        agn_tensor *all[] = {d, a, x, b};
        for (int i = 0; i < COUNT(all); i++)
            agn_release(all[i]);
    }
}

static void test_counts(void)
{
    tally q = {0, 0};
    static const int ways[] = {AGN_SPARSE_CHOLESKY, AGN_SPARSE_LDL, AGN_SPARSE_LU,
                               AGN_SPARSE_KLU,      AGN_SPARSE_QR,  AGN_SPARSE_AUTO};
    for (int k = 0; k < COUNT(ways); k++)
        for (int compiled = 0; compiled < 2; compiled++) {
            agn_tensor *a = made(AGN_F64, BAND, true, 12), *in[2];
            quantity g = {a, ways[k], 0};
            agn_fn *f = NULL, *next = NULL;
            must(agn_sparse_values(&in[0], a));
            in[1] = random_of(AGN_F64, 1, (int64_t[]){12}, -1, 1);
            must(agn_fn_new(&f, squares, &g, NULL, 2, 1));
            n_factor = n_analyze = 0;
            for (int order = 0; order < 4; order++) {
                agn_fn *run = NULL;
                agn_tensor *y = NULL;
                if (compiled)
                    must(agn_fn_compile(&run, f, NULL));
                must(agn_fn_call(&y, 1, run ? run : f, (const agn_tensor *const *)in, 2));
                agn_release(y);
                check(&q, n_factor == 1 && n_analyze <= 1,
                      "%s%s, order %d: %d factorisations, %d analyses", names[ways[k]],
                      compiled ? ", compiled" : "", order, n_factor, n_analyze);
                agn_fn_release(run);
                /* the gradient's sum of squares is the next function */
                agn_fn *d = NULL;
                must(order % 2 ? agn_fn_jvp(&d, f) : agn_fn_grad(&d, f, NULL, 0));
                agn_fn_release(next);
                next = d;
                if (order == 0) {
                    agn_tensor *gr = NULL;
                    must(agn_fn_call(&gr, 1, next, (const agn_tensor *const *)in, 2));
                    agn_release(gr);
                    /* forward over reverse, and once more over that */
                    agn_fn *jf = NULL, *jjf = NULL;
                    must(agn_fn_jvp(&jf, next));
                    agn_tensor *out[4] = {NULL};
                    const agn_tensor *two[4] = {in[0], in[1], in[0], in[1]};
                    must(agn_fn_call(out, 2, jf, two, 4));
                    for (int i = 0; i < agn_fn_n_out(jf); i++)
                        agn_release(out[i]);
                    must(agn_fn_jvp(&jjf, jf));
                    agn_tensor *more[8] = {NULL};
                    const agn_tensor *four[8] = {in[0], in[1], in[0], in[1],
                                                 in[0], in[1], in[0], in[1]};
                    must(agn_fn_call(more, agn_fn_n_out(jjf), jjf, four, agn_fn_n_in(jjf)));
                    for (int i = 0; i < agn_fn_n_out(jjf); i++)
                        agn_release(more[i]);
                    agn_fn_release(jf);
                    agn_fn_release(jjf);
                    check(&q, n_factor == 1 && n_analyze <= 1,
                          "%s, orders 1 to 3: %d factorisations, %d analyses",
                          names[ways[k]], n_factor, n_analyze);
                }
            }
            agn_fn_release(next);
            agn_fn_release(f);
            agn_release(a);
            agn_release(in[0]);
            agn_release(in[1]);
        }
    tell(&q, "one analysis and one factorisation for a value and its derivatives");
}

/* ---- factors as objects ------------------------------------------------------------------------- */

static void test_factors(void)
{
    tally q = {0, 0};
    for (int method = AGN_SPARSE_AUTO; method <= AGN_SPARSE_QR; method++) {
        agn_tensor *a = made(AGN_F64, BAND, true, 30), *v = NULL, *v2 = NULL,
                   *a2 = NULL;
        agn_sparse_solver o = {.size = sizeof o, .method = method};
        agn_sparse_factor *f = NULL, *g = NULL;
        must(agn_sparse_values(&v, a));
        must(agn_mul_c(&v2, v, 1.5));
        must(agn_sparse_with_values(&a2, a, v2));
        n_factor = n_analyze = 0;
        must(agn_sparse_factor_new(&f, a, &o));
        must(agn_sparse_factor_refactor(&g, f, v2));
        check(&q, n_factor == 2 && n_analyze <= 1, "%s: %d factorisations, %d analyses",
              names[method], n_factor, n_analyze);
        check(&q,
              !strcmp(agn_sparse_factor_method(f), method ? names[method] : "cholesky"),
              "it is called %s", agn_sparse_factor_method(f));
        agn_tensor *b = random_of(AGN_F64, 2, (int64_t[]){30, 2}, -1, 1);
        /* many others do not make it forget */
        for (int k = 0; k < 8; k++) {
            agn_tensor *vk = NULL, *ak = NULL, *xk = NULL;
            must(agn_mul_c(&vk, v, 2 + k));
            must(agn_sparse_with_values(&ak, a, vk));
            must(agn_sparse_solve_with(&xk, ak, b, &o));
            agn_release(vk);
            agn_release(ak);
            agn_release(xk);
        }
        n_factor = 0;
        for (int t = 0; t < 2; t++) {
            agn_tensor *x = NULL, *x2 = NULL;
            must(agn_sparse_factor_solve(&x, f, b, t));
            must(agn_sparse_factor_solve(&x2, g, b, t));
            check(&q, backward(a, x, b, t) < 100 && backward(a2, x2, b, t) < 100,
                  "%s solves", names[method]);
            agn_release(x);
            agn_release(x2);
        }
        check(&q, n_factor == 0, "%s: no further factorisation", names[method]);
        agn_sparse_factor_release(f);
        agn_sparse_factor_release(g);
        agn_tensor *all[] = {a, v, v2, a2, b};
        for (int k = 0; k < COUNT(all); k++)
            agn_release(all[k]);
    }
    agn_sparse_factor_release(NULL);
    check(&q, agn_sparse_factor_method(NULL) == NULL, "no factor");
    tell(&q, "factors: analysed once, factored again, kept, solved both ways");
}

/* A factor of a matrix in any layout is that of its compressed rows, for derivatives too, and takes other
   matrices as it takes values. */
static void test_layouts(void)
{
    tally q = {0, 0};
    agn_tensor *a = made(AGN_F64, BAND, false, 30), *v = NULL, *leaf = NULL, *rows = NULL, *two = NULL;
    agn_tensor *b = random_of(AGN_F64, 1, (int64_t[]){30}, -1, 1);
    must(agn_sparse_values(&v, a));
    must(agn_watch(&leaf, v));
    must(agn_sparse_with_values(&rows, a, leaf));
    must(agn_mul_c(&two, rows, 2));
    agn_tensor *x0 = NULL, *g0 = NULL, *x2 = NULL;
    must(agn_sparse_solve_with(&x0, rows, b, NULL));
    must(agn_gradient(&g0, (const agn_tensor *const *)&x0, 1, (const agn_tensor *const *)&leaf, 1,
                      (const agn_tensor *const *)&b));
    must(agn_sparse_solve_with(&x2, two, b, NULL));
    for (int k = 0; k < 3; k++) {
        agn_tensor *m = NULL, *m2 = NULL, *half = NULL, *x = NULL, *y = NULL, *g = NULL;
        agn_tensor *own = NULL, *twice = NULL, *z = NULL;
        agn_sparse_factor *f = NULL, *f2 = NULL, *f3 = NULL, *none = NULL;
        if (k == 0)
            must(agn_sparse_to_csc(&m, rows));
        else
            must(agn_sparse_to_coo(&m, rows, 2));
        if (k == 2) { /* entries that add up */
            agn_tensor *at = NULL, *w = NULL, *ats = NULL, *ws = NULL;
            must(agn_sparse_coordinates(&at, m));
            must(agn_sparse_values(&w, m));
            must(agn_mul_c(&half, w, 0.5));
            must(agn_concat(&ats, (const agn_tensor *[]){at, at}, 2, 1));
            must(agn_concat(&ws, (const agn_tensor *[]){half, half}, 2, 0));
            agn_release(m);
            must(agn_sparse_coo(&m, 2, (int64_t[]){30, 30}, ats, ws));
            agn_tensor *all[] = {at, w, ats, ws};
            for (int i = 0; i < COUNT(all); i++)
                agn_release(all[i]);
        }
        must(agn_mul_c(&m2, m, 2));
        must(agn_sparse_factor_new(&f, m, NULL));
        must(agn_sparse_factor_refactor(&f2, f, m2));
        must(agn_sparse_factor_solve(&x, f, b, false));
        must(agn_sparse_factor_solve(&y, f2, b, false));
        must(agn_sparse_values(&own, m)); /* in an order that is not that of rows */
        must(agn_mul_c(&twice, own, 2));
        must(agn_sparse_factor_refactor(&f3, f, twice));
        must(agn_sparse_factor_solve(&z, f3, b, false));
        must(agn_gradient(&g, (const agn_tensor *const *)&x, 1, (const agn_tensor *const *)&leaf, 1,
                          (const agn_tensor *const *)&b));
        check(&q, modes_apart(x, x0) < 1e-14 && modes_apart(y, x2) < 1e-14 && modes_apart(z, x2) < 1e-14 &&
                      modes_apart(g, g0) < 1e-13,
              "layout %d: apart %.1e, %.1e, %.1e", k, modes_apart(x, x0), modes_apart(y, x2), modes_apart(g, g0));
        agn_tensor *other = made(AGN_F64, ARROW, false, 30), *columns = NULL;
        must(agn_sparse_to_csc(&columns, other));
        agn_status st = agn_sparse_factor_refactor(&none, f, columns);
        check(&q, st == AGN_EARG && !none && strstr(agn_error_message(), "another pattern"), "%d: %s", (int)st,
              agn_error_message());
        agn_sparse_factor_release(f);
        agn_sparse_factor_release(f2);
        agn_sparse_factor_release(f3);
        agn_tensor *all[] = {own, twice, z, m, m2, half, x, y, g, other, columns};
        for (int i = 0; i < COUNT(all); i++)
            agn_release(all[i]);
    }
    agn_tensor *all[] = {a, v, leaf, rows, two, b, x0, g0, x2};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
    tell(&q, "factors of columns, and of coordinates");
}

/* A loop of factors, each of which outlives the next one's making, holds two sets of numbers, not as many as
   are kept for derivatives; what those will ask for stays. */
static void test_passing(void)
{
    tally q = {0, 0};
    for (int method = AGN_SPARSE_CHOLESKY; method <= AGN_SPARSE_QR; method++) {
        agn_tensor *a = made(AGN_F64, BAND, true, 40), *v = NULL, *leaf = NULL, *watched = NULL, *x = NULL,
                   *sum = NULL, *g = NULL;
        agn_tensor *b = random_of(AGN_F64, 1, (int64_t[]){40}, -1, 1);
        agn_sparse_solver o = {.size = sizeof o, .method = method};
        agn_sparse_factor *f = NULL, *next = NULL;
        must(agn_sparse_values(&v, a));
        must(agn_watch(&leaf, v));
        must(agn_sparse_with_values(&watched, a, leaf));
        must(agn_sparse_solve_with(&x, watched, b, &o));
        must(agn_sum(&sum, x, NULL, 0, false));
        must(agn_sparse_factor_new(&f, a, &o));
        n_factor = 0;
        for (int k = 0; k < 6; k++) {
            agn_tensor *vk = NULL;
            must(agn_mul_c(&vk, v, 2 + k));
            must(agn_sparse_factor_refactor(&next, f, vk));
            agn_sparse_factor_release(f);
            f = next;
            agn_release(vk);
        }
        check(&q, n_factor == 6, "%s: %d factorisations", names[method], n_factor);
        must(agn_gradient(&g, (const agn_tensor *const *)&sum, 1, (const agn_tensor *const *)&leaf, 1, NULL));
        check(&q, n_factor == 6, "%s: the gradient of a solve finds its numbers after six others", names[method]);
        agn_sparse_factor_release(f);
        agn_tensor *all[] = {a, v, leaf, watched, x, sum, g, b};
        for (int k = 0; k < COUNT(all); k++)
            agn_release(all[k]);
    }
    tell(&q, "factors in a loop take turns in memory");
}

/* Numbers that nobody needs give their memory to later ones, whose bits do not depend on what lay there:
   also after values that have no factor, and after an update. */
static void test_overwritten(void)
{
    tally q = {0, 0};
    for (int method = AGN_SPARSE_AUTO; method <= AGN_SPARSE_QR; method++)
        for (int parts = 1; parts <= 2; parts++)
            for (int64_t n = 9; n <= 150; n *= 4) {
                int dtype = parts == 2 ? AGN_C128 : AGN_F64;
                agn_tensor *a = made(dtype, n < 100 ? BAND : ARROW, true, n), *v = NULL;
                agn_tensor *b = random_of(dtype, 1, &n, -1, 1);
                agn_sparse_solver o = {.size = sizeof o, .method = method};
                must(agn_sparse_values(&v, a));
                for (int k = 0; k < 12; k++) {
                    agn_tensor *vk = NULL, *ak = NULL, *fresh = NULL, *x = NULL, *y = NULL, *w = NULL;
                    agn_sparse_factor *f = NULL, *g = NULL;
                    must(agn_mul_c(&vk, v, k % 4 == 3 ? 0 : 1 + k / 8.0));
                    must(agn_sparse_with_values(&ak, a, vk));
                    must(agn_sparse_with_index(&fresh, ak, AGN_I64));
                    agn_status st = agn_sparse_solve_with(&x, ak, b, &o);
                    agn_status want = agn_sparse_solve_with(&y, fresh, b, &o);
                    bool same = st == want;
                    for (int64_t i = 0; same && !st && i < n; i++)
                        same = peekz(x, i) == peekz(y, i);
                    check(&q, same && (k % 4 == 3) == (st == AGN_EDOMAIN), "%s, %s, %d, turn %d: %s",
                          names[method], parts == 2 ? "c128" : "f64", (int)n, k,
                          st ? agn_error_message() : "other bits");
                    if (!st && parts == 1 && method == AGN_SPARSE_CHOLESKY) {
                        agn_tensor *z = NULL;
                        must(agn_zeros(&w, AGN_F64, 1, &n));
                        must(agn_sparse_factor_new(&f, ak, &o));
                        must(agn_sparse_factor_update(&g, f, w, false));
                        must(agn_sparse_factor_logdet(&z, g)); /* found again: kept */
                        agn_release(z);
                    }
                    agn_sparse_factor_release(f);
                    agn_sparse_factor_release(g);
                    agn_tensor *all[] = {vk, ak, fresh, x, y, w};
                    for (int i = 0; i < COUNT(all); i++)
                        agn_release(all[i]);
                }
                agn_release(a);
                agn_release(v);
                agn_release(b);
            }
    tell(&q, "numbers in the memory of others: the same bits");
}

static void test_update(void)
{
    tally q = {0, 0};
    agn_tensor *a = made(AGN_F64, BAND, true, 20), *w = NULL, *v = NULL;
    agn_sparse_factor *f = NULL, *g = NULL, *h = NULL;
    double c[20] = {0};
    c[4] = 1;
    c[5] = -0.5;
    c[6] = 2;
    must(agn_from_host(&w, AGN_F64, 1, (int64_t[]){20}, c));
    agn_sparse_solver o = {.size = sizeof o, .method = AGN_SPARSE_CHOLESKY};
    must(agn_sparse_factor_new(&f, a, &o));
    n_factor = 0;
    must(agn_sparse_factor_update(&g, f, w, false));
    must(agn_sparse_factor_update(&h, g, w, true));
    agn_tensor *b = random_of(AGN_F64, 1, (int64_t[]){20}, -1, 1), *x = NULL, *y = NULL,
               *z = NULL;
    must(agn_sparse_factor_solve(&x, f, b, false));
    must(agn_sparse_factor_solve(&y, g, b, false));
    must(agn_sparse_factor_solve(&z, h, b, false));
    check(&q, n_factor == 0, "%d factorisations", n_factor);
    check(&q, modes_apart(x, z) < 1e-13, "up and down again");
    /* (a + w w^T) y = b */
    double dot = 0;
    for (int k = 0; k < 20; k++)
        dot += c[k] * creal(peekz(y, k));
    agn_tensor *wd = NULL, *rest = NULL;
    must(agn_mul_c(&wd, w, dot));
    must(agn_sub(&rest, b, wd));
    check(&q, backward(a, y, rest, false) < 100, "the updated matrix");
    agn_tensor *d = NULL, *d2 = NULL;
    must(agn_sparse_factor_logdet(&d, g));
    must(agn_sparse_factor_logdet(&d2, h));
    check(&q, creal(peekz(d, 0)) > creal(peekz(d2, 0)), "determinants");
    tell(&q, "update and downdate");
    agn_sparse_factor_release(f);
    agn_sparse_factor_release(g);
    agn_sparse_factor_release(h);
    agn_tensor *all[] = {a, w, v, b, x, y, z, wd, rest, d, d2};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
}

/* batches: more matrices than are kept at first, each factored once */
static void test_batches(void)
{
    tally q = {0, 0};
    agn_tensor *a = made(AGN_F64, BAND, true, 10), *v = NULL, *vs = NULL, *as = NULL,
               *x = NULL;
    must(agn_sparse_values(&v, a));
    double *all = room_for((size_t)(9 * agn_numel(v)) * sizeof *all);
    for (int64_t k = 0; k < 9 * agn_numel(v); k++)
        all[k] = creal(peekz(v, k % agn_numel(v))) * (1 + (double)(k / agn_numel(v)));
    must(agn_from_host(&vs, AGN_F64, 2, (int64_t[]){9, agn_numel(v)}, all));
    agn_tensor *watched = NULL, *gr = NULL;
    must(agn_watch(&watched, vs));
    must(agn_sparse_with_values(&as, a, watched));
    agn_tensor *b = random_of(AGN_F64, 2, (int64_t[]){10, 2}, -1, 1), *x0 = NULL,
               *want = NULL;
    n_factor = 0;
    must(agn_sparse_solve_with(&x, as, b, NULL));
    must(agn_gradient(&gr, (const agn_tensor *const *)&x, 1,
                      (const agn_tensor *const *)&watched, 1, NULL));
    check(&q, n_factor == 9, "%d factorisations of 9 matrices", n_factor);
    must(agn_sparse_solve_with(&x0, a, b, NULL));
    for (int k = 0; k < 9; k++)
        for (int i = 0; i < 20; i++)
            check(&q,
                  fabs(creal(peekz(x, k * 20 + i)) * (k + 1) - creal(peekz(x0, i))) <
                      1e-14,
                  "matrix %d", k);
    tell(&q, "a batch, and its gradient");
    free(all);
    agn_tensor *every[] = {a, v, vs, as, x, watched, gr, b, x0, want};
    for (int k = 0; k < COUNT(every); k++)
        agn_release(every[k]);
}

/* ---- failures ------------------------------------------------------------------------------------ */

static bool said(agn_status have, agn_status want, const char *op, const char *x,
                 const char *y)
{
    const char *m = agn_error_message();
    return have == want && !strncmp(m, op, strlen(op)) && strstr(m, x) &&
           (!y || strstr(m, y));
}
#define BAD(op, call, status, ...)                                                \
    do {                                                                          \
        agn_status st_ = call;                                                    \
        check(&q, said(st_, status, op, __VA_ARGS__) && !out, "%s: %d %s", #call, \
              (int)st_, agn_error_message());                                     \
    } while (0)

static agn_tensor *three(const double *v, int64_t nnz, const int64_t *p,
                         const int64_t *i)
{
    agn_tensor *tp = NULL, *ti = NULL, *tv = NULL, *a = NULL;
    must(agn_from_host(&tp, AGN_I64, 1, (int64_t[]){4}, p));
    must(agn_from_host(&ti, AGN_I64, 1, &nnz, i));
    must(agn_from_host(&tv, AGN_F64, 1, &nnz, v));
    must(agn_sparse_csr(&a, 3, 3, tp, ti, tv));
    agn_release(tp);
    agn_release(ti);
    agn_release(tv);
    return a;
}

static void test_failures(void)
{
    tally q = {0, 0};
    agn_tensor *out = NULL;
    agn_sparse_factor *none = NULL;
    static const int64_t p7[] = {0, 2, 5, 7}, i7[] = {0, 1, 0, 1, 2, 1, 2};
    agn_tensor *good = three((double[]){4, 1, 1, 4, 1, 1, 4}, 7, p7, i7);
    agn_tensor *singular = three((double[]){1, 1, 1, 1, 0, 0, 1}, 7, p7, i7);
    agn_tensor *minus = three((double[]){4, 1, 1, -4, 1, 1, 4}, 7, p7, i7);
    agn_tensor *skew = three((double[]){4, 1, 2, 4, 1, 1, 4}, 7, p7, i7);
    agn_tensor *nan_ = three((double[]){4, 1, 1, 4, (double)NAN, 1, 4}, 7, p7, i7);
    agn_tensor *one = three((double[]){4, 1, 4, 4}, 4, (int64_t[]){0, 2, 3, 4},
                            (int64_t[]){0, 2, 1, 2});
    agn_tensor *zero = three((double[]){4, 1, 0, 4}, 4, (int64_t[]){0, 2, 3, 4},
                             (int64_t[]){0, 2, 1, 2});
    agn_tensor *wide = rectangle(AGN_F64, 2, 3);
    agn_tensor *b = random_of(AGN_F64, 1, (int64_t[]){3}, -1, 1);
    agn_tensor *b3 = random_of(AGN_F64, 3, (int64_t[]){4, 3, 1}, -1, 1), *v2,
               *batch = NULL;
    agn_tensor *scalar = random_of(AGN_F64, 0, NULL, -1, 1);
    v2 = random_of(AGN_F64, 2, (int64_t[]){2, 7}, -1, 1);
    must(agn_sparse_with_values(&batch, good, v2));
    agn_sparse_solver o[] = {
        [0] = {.size = sizeof *o},
        [AGN_SPARSE_CHOLESKY] = {sizeof *o, AGN_SPARSE_CHOLESKY, 0, false},
        [AGN_SPARSE_LDL] = {sizeof *o, AGN_SPARSE_LDL, 0, false},
        [AGN_SPARSE_LU] = {sizeof *o, AGN_SPARSE_LU, 0, false},
        [AGN_SPARSE_KLU] = {sizeof *o, AGN_SPARSE_KLU, 0, false},
        [AGN_SPARSE_QR] = {sizeof *o, AGN_SPARSE_QR, 0, false},
        [AGN_SPARSE_TRIANGULAR] = {sizeof *o, AGN_SPARSE_TRIANGULAR, 0, false},
        [AGN_SPARSE_CHOLESKY_LOWER] = {sizeof *o, AGN_SPARSE_CHOLESKY_LOWER, 0, false}};
    agn_sparse_solver small = {.size = 4}, unknown = {sizeof *o, 99, 0, false},
                      order = {sizeof *o, 0, -1, false},
                      turned = {sizeof *o, 0, 0, true};
#define SOLVE_(a, b, o) agn_sparse_solve_with(&out, a, b, o)
#define NAME "sparse_solve_with"
    BAD(NAME, agn_sparse_solve_with(NULL, good, b, NULL), AGN_ENULL, "out", NULL);
    BAD(NAME, SOLVE_(NULL, b, NULL), AGN_ENULL, "a is NULL", NULL);
    BAD(NAME, SOLVE_(good, NULL, NULL), AGN_ENULL, "b is NULL", NULL);
    BAD(NAME, SOLVE_(b, b, NULL), AGN_EUNSUPPORTED, "dense", NULL);
    BAD(NAME, SOLVE_(good, good, NULL), AGN_EUNSUPPORTED, "sparse", NULL);
    BAD(NAME, SOLVE_(good, b, &small), AGN_EARG, "size", "4");
    BAD(NAME, SOLVE_(good, b, &unknown), AGN_EARG, "99", NULL);
    BAD(NAME, SOLVE_(good, b, &order), AGN_EARG, "-1", NULL);
    agn_sparse_solver iterative = {sizeof *o, AGN_SPARSE_ITERATIVE, 0, true};
    BAD(NAME, SOLVE_(good, b, &iterative), AGN_EUNSUPPORTED, "iterative", "[3,3]");
    iterative.transposed = false;
    agn_tensor *it = NULL;
    must(agn_sparse_solve_with(&it, good, b, &iterative));
    check(&q, backward(good, it, b, false) * DBL_EPSILON < 1e-5, "by iteration");
    agn_release(it);
    BAD("sparse_factor_new", agn_sparse_factor_new(&none, good, &iterative), AGN_EARG, "method",
        NULL);
    BAD(NAME, SOLVE_(wide, b, NULL), AGN_ESHAPE, "[2,3]", "entries");
    BAD(NAME, SOLVE_(good, scalar, NULL), AGN_ESHAPE, "[3,3]", "[]");
    BAD(NAME, SOLVE_(batch, b3, NULL), AGN_ESHAPE, "[2,7]", "[4,3,1]");
    BAD(NAME, SOLVE_(one, b, &o[AGN_SPARSE_CHOLESKY]), AGN_EARG, "[0,2]", "[2,0]");
    BAD(NAME, SOLVE_(good, b, &o[AGN_SPARSE_TRIANGULAR]), AGN_EARG, "[3,3]", "row");
    BAD(NAME, SOLVE_(minus, b, &o[AGN_SPARSE_CHOLESKY]), AGN_EDOMAIN,
        "matrix 0 is not positive definite", "column 1 of 3");
    BAD(NAME, SOLVE_(skew, b, &o[AGN_SPARSE_CHOLESKY]), AGN_EDOMAIN, "not symmetric",
        "[0,1]");
    BAD(NAME, SOLVE_(nan_, b, NULL), AGN_EDOMAIN, "not finite", "[1,2]");
    BAD(NAME, SOLVE_(singular, b, &o[AGN_SPARSE_LU]), AGN_EDOMAIN, "singular: no pivot for column",
        "2 of 3");
    BAD(NAME, SOLVE_(singular, b, &o[AGN_SPARSE_KLU]), AGN_EDOMAIN, "singular", "of 3");
    BAD(NAME, SOLVE_(singular, b, &o[AGN_SPARSE_QR]), AGN_EDOMAIN, "full rank",
        "2 of 3");
    BAD(NAME, SOLVE_(zero, b, &o[AGN_SPARSE_TRIANGULAR]), AGN_EDOMAIN, "singular",
        "row 1 of 3");
    BAD(NAME, SOLVE_(zero, b, NULL), AGN_EDOMAIN, "singular", "row 1 of 3");
#define LS "sparse_lstsq"
    BAD(LS, agn_sparse_lstsq(NULL, good, b, NULL), AGN_ENULL, "out", NULL);
    BAD(LS, agn_sparse_lstsq(&out, NULL, b, NULL), AGN_ENULL, "a is NULL", NULL);
    BAD(LS, agn_sparse_lstsq(&out, good, NULL, NULL), AGN_ENULL, "b is NULL", NULL);
    BAD(LS, agn_sparse_lstsq(&out, b, b, NULL), AGN_EUNSUPPORTED, "dense", NULL);
    BAD(LS, agn_sparse_lstsq(&out, good, good, NULL), AGN_EUNSUPPORTED, "sparse", NULL);
    BAD(LS, agn_sparse_lstsq(&out, good, b, &unknown), AGN_EARG, "99", NULL);
    BAD(LS, agn_sparse_lstsq(&out, good, b, &turned), AGN_EUNSUPPORTED, "transpose",
        NULL);
    BAD(LS, agn_sparse_lstsq(&out, wide, b, NULL), AGN_ESHAPE, "[2,3]", "[3]");
    BAD(LS, agn_sparse_lstsq(&out, batch, b3, NULL), AGN_ESHAPE, "[2,7]", "[4,3,1]");
    BAD(LS, agn_sparse_lstsq(&out, nan_, b, NULL), AGN_EDOMAIN, "not finite", NULL);
#define LD "sparse_logdet"
    BAD(LD, agn_sparse_logdet(NULL, good, NULL), AGN_ENULL, "out", NULL);
    BAD(LD, agn_sparse_logdet(&out, NULL, NULL), AGN_ENULL, "a is NULL", NULL);
    BAD(LD, agn_sparse_logdet(&out, b, NULL), AGN_EUNSUPPORTED, "dense", NULL);
    BAD(LD, agn_sparse_logdet(&out, good, &unknown), AGN_EARG, "99", NULL);
    BAD(LD, agn_sparse_logdet(&out, wide, NULL), AGN_ESHAPE, "[2,3]", NULL);
    BAD(LD, agn_sparse_logdet(&out, good, &o[AGN_SPARSE_QR]), AGN_EUNSUPPORTED, "qr",
        "3");
    BAD(LD, agn_sparse_logdet(&out, singular, &o[AGN_SPARSE_LU]), AGN_EDOMAIN,
        "singular", NULL);
    int64_t rank;
#define RK "sparse_rank"
    BAD(RK, agn_sparse_rank(NULL, good), AGN_ENULL, "out", NULL);
    BAD(RK, agn_sparse_rank(&rank, NULL), AGN_ENULL, "a is NULL", NULL);
    BAD(RK, agn_sparse_rank(&rank, b), AGN_EUNSUPPORTED, "dense", NULL);
    BAD(RK, agn_sparse_rank(&rank, batch), AGN_ESHAPE, "[2,3,3]", "3 axes");
    BAD(RK, agn_sparse_rank(&rank, nan_), AGN_EDOMAIN, "not finite", NULL);
    /* factors */
    agn_sparse_factor *f = NULL, *lu = NULL;
    double rcond;
    must(agn_sparse_factor_new(&f, good, &o[AGN_SPARSE_CHOLESKY]));
    must(agn_sparse_factor_new(&lu, good, &o[AGN_SPARSE_LU]));
#define FN "sparse_factor_new"
    BAD(FN, agn_sparse_factor_new(NULL, good, NULL), AGN_ENULL, "out", NULL);
    BAD(FN, agn_sparse_factor_new(&none, NULL, NULL), AGN_ENULL, "a is NULL", NULL);
    BAD(FN, agn_sparse_factor_new(&none, b, NULL), AGN_EUNSUPPORTED, "dense", NULL);
    BAD(FN, agn_sparse_factor_new(&none, good, &small), AGN_EARG, "size", NULL);
    BAD(FN, agn_sparse_factor_new(&none, wide, NULL), AGN_ESHAPE, "[2,3]", NULL);
    BAD(FN, agn_sparse_factor_new(&none, batch, NULL), AGN_ESHAPE, "[2,7]",
        "7 entries");
    BAD(FN, agn_sparse_factor_new(&none, minus, &o[AGN_SPARSE_CHOLESKY]), AGN_EDOMAIN,
        "not positive definite", "column 1");
#define FR "sparse_factor_refactor"
    BAD(FR, agn_sparse_factor_refactor(NULL, f, b), AGN_ENULL, "out", NULL);
    BAD(FR, agn_sparse_factor_refactor(&none, NULL, b), AGN_ENULL, "f is NULL", NULL);
    BAD(FR, agn_sparse_factor_refactor(&none, f, NULL), AGN_ENULL, "values is NULL",
        NULL);
    BAD(FR, agn_sparse_factor_refactor(&none, f, b), AGN_ESHAPE, "[3]", "7 entries");
#define FS "sparse_factor_solve"
    BAD(FS, agn_sparse_factor_solve(NULL, f, b, false), AGN_ENULL, "out", NULL);
    BAD(FS, agn_sparse_factor_solve(&out, NULL, b, false), AGN_ENULL, "f is NULL",
        NULL);
    BAD(FS, agn_sparse_factor_solve(&out, f, NULL, false), AGN_ENULL, "b is NULL",
        NULL);
    BAD(FS, agn_sparse_factor_solve(&out, f, scalar, false), AGN_ESHAPE, "[3,3]", "[]");
#define FL "sparse_factor_logdet"
    BAD(FL, agn_sparse_factor_logdet(NULL, f), AGN_ENULL, "out", NULL);
    BAD(FL, agn_sparse_factor_logdet(&out, NULL), AGN_ENULL, "f is NULL", NULL);
#define FC "sparse_factor_rcond"
    BAD(FC, agn_sparse_factor_rcond(NULL, f), AGN_ENULL, "out", NULL);
    BAD(FC, agn_sparse_factor_rcond(&rcond, NULL), AGN_ENULL, "f is NULL", NULL);
#define FU "sparse_factor_update"
    agn_tensor *big = NULL, *zb = random_of(AGN_C128, 1, (int64_t[]){3}, -1, 1);
    must(agn_from_host(&big, AGN_F64, 1, (int64_t[]){3}, (double[]){0, 9, 0}));
    BAD(FU, agn_sparse_factor_update(NULL, f, b, false), AGN_ENULL, "out", NULL);
    BAD(FU, agn_sparse_factor_update(&none, NULL, b, false), AGN_ENULL, "f is NULL",
        NULL);
    BAD(FU, agn_sparse_factor_update(&none, f, NULL, false), AGN_ENULL, "w is NULL",
        NULL);
    BAD(FU, agn_sparse_factor_update(&none, f, good, false), AGN_EUNSUPPORTED, "sparse",
        NULL);
    BAD(FU, agn_sparse_factor_update(&none, f, zb, false), AGN_EUNSUPPORTED, "c128",
        NULL);
    BAD(FU, agn_sparse_factor_update(&none, f, scalar, false), AGN_ESHAPE, "[]", "3");
    BAD(FU, agn_sparse_factor_update(&none, f, b, false), AGN_EARG, "[0,2]", NULL);
    BAD(FU, agn_sparse_factor_update(&none, f, big, true), AGN_EDOMAIN,
        "not positive definite", "column 1 of 3");
    BAD(FU, agn_sparse_factor_update(&none, lu, big, false), AGN_EUNSUPPORTED, "lu",
        NULL);
    check(&q, !none, "nothing written");
    tell(&q, "failures: status, op, facts, nothing written");
    agn_sparse_factor_release(f);
    agn_sparse_factor_release(lu);
    agn_tensor *all[] = {good, singular, minus, skew,  nan_, one,    zero, wide,
                         b,    b3,       v2,    batch, big,  scalar, zb};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
}

typedef struct making {
    agn_tensor *a, *b;
    agn_sparse_solver o;
    int what;
} making;
static agn_status make(void *user, agn_tensor **out)
{
    making *m = user;
    agn_tensor *w = NULL;
    agn_sparse_factor *f = NULL, *g = NULL;
    agn_status st = agn_sparse_with_index(&w, m->a,
                                          AGN_I64); /* nothing is known of it yet */
    if (m->what == 0) {
        st = st ? st : agn_sparse_solve_with(out, w, m->b, &m->o);
    } else if (m->what == 1) {
        st = st ? st : agn_sparse_lstsq(out, w, m->b, NULL);
    } else if (m->what == 2) {
        st = st ? st : agn_sparse_logdet(out, w, &m->o);
    } else {
        st = st ? st : agn_sparse_factor_new(&f, w, &m->o);
        st = st ? st : agn_sparse_factor_update(&g, f, m->b, false);
        st = st ? st : agn_sparse_factor_solve(out, g, m->b, true);
    }
    agn_sparse_factor_release(f);
    agn_sparse_factor_release(g);
    agn_release(w);
    return st;
}

static void test_memory(void)
{
    making m = {made(AGN_F64, BAND, true, 3),
                random_of(AGN_F64, 1, (int64_t[]){3}, -1, 1),
                {.size = sizeof m.o},
                0};
    for (int method = 0; method <= AGN_SPARSE_QR; method++) {
        m.o.method = method;
        every_allocation(make, &m, names[method]);
    }
    m.o.method = AGN_SPARSE_CHOLESKY;
    m.what = 1;
    every_allocation(make, &m, "least squares");
    m.what = 2;
    every_allocation(make, &m, "log det");
    m.what = 3;
    every_allocation(make, &m, "factor, update, solve");
    agn_release(m.a);
    agn_release(m.b);
}

int main(void)
{
    test_solves();
    test_lower();
    test_structures();
    test_lower_numbers();
    test_narrow();
    test_numbers();
    test_modes();
    test_lower_rank();
    test_imaginary_diagonal();
    test_counts();
    test_passing();
    test_layouts();
    test_factors();
    test_overwritten();
    test_update();
    test_batches();
    test_failures();
    test_memory();
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
