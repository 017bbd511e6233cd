/* t-linalg - Cholesky factors and solves: by their identities, in every mode, one
   factorisation for a value and its derivatives, and every documented failure. */
#include "modes.h"

#include <dlfcn.h>
#include <lapacke.h>

/* factorisations are counted on their way to LAPACK */
static int n_lu, n_cholesky;
#define SEEN __attribute__((visibility("default")))
SEEN lapack_int LAPACKE_dgetrf_work(int order, lapack_int m, lapack_int n, double *a,
                                    lapack_int lda, lapack_int *piv)
{
    union {
        void *p;
        lapack_int (*f)(int, lapack_int, lapack_int, double *, lapack_int,
                        lapack_int *);
    } next = {dlsym(RTLD_NEXT, "LAPACKE_dgetrf_work")};
    n_lu++;
    return next.f(order, m, n, a, lda, piv);
}
SEEN lapack_int LAPACKE_dpotrf_work(int order, char uplo, lapack_int n, double *a,
                                    lapack_int lda)
{
    union {
        void *p;
        lapack_int (*f)(int, char, lapack_int, double *, lapack_int);
    } next = {dlsym(RTLD_NEXT, "LAPACKE_dpotrf_work")};
    n_cholesky++;
    return next.f(order, uplo, n, a, lda);
}

static const int dtypes[] = {AGN_F32, AGN_F64, AGN_C64, AGN_C128};
static double eps_of(int dtype)
{
    return dtype == AGN_F32 || dtype == AGN_C64 ? 0x1p-23 : 0x1p-52;
}
static double complex at2(const agn_tensor *x, int64_t b, int64_t i, int64_t j)
{
    int nd = agn_ndim(x);
    const int64_t *s = agn_shape(x);
    return peekz(x, (b * s[nd - 2] + i) * s[nd - 1] + j);
}

/* Hermitian positive definite [b, n, n]; where other is not 0 that triangle holds NaN
   */
static agn_tensor *definite(int dtype, int64_t b, int64_t n, int other)
{
    int64_t shape[] = {b, n, n};
    agn_tensor *x = random_of(dtype, 3, shape, -1, 1), *y;
    size_t size = agn_dtype_size(dtype);
    char *p = room_for((size_t)(b * n * n) * size);
    for (int64_t k = 0; k < b; k++)
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++) {
                double complex v = i == j;
                for (int64_t m = 0; m < n; m++)
                    v += at2(x, k, i, m) * conj(at2(x, k, j, m));
                if ((other > 0 && j > i) || (other < 0 && j < i))
                    v = (double)NAN;
                poke(p + (size_t)((k * n + i) * n + j) * size, dtype, creal(v),
                     cimag(v));
            }
    must(agn_from_host(&y, dtype, 3, shape, p));
    free(p);
    agn_release(x);
    return y;
}

/* ---- identities ------------------------------------------------------------------ */

static void test_cholesky(void)
{
    static const int64_t sizes[][2] = {{1, 0},  {0, 3},  {1, 1},  {2, 2},   {3, 5},
                                       {1, 12}, {2, 13}, {1, 40}, {700, 3}, {1, 70}};
    tally q = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int k = 0; k < COUNT(sizes); k++)
            for (int upper = 0; upper < 2; upper++)
                for (int l = 0; l < N_LAYOUTS; l++) {
                    int64_t b = sizes[k][0], n = sizes[k][1];
                    agn_tensor *a = definite(dtypes[d], b, n, upper ? -1 : 1),
                               *y = NULL;
                    agn_tensor *x = laid_out(a, l);
                    agn_status st = agn_linalg_cholesky(&y, x, upper);
                    check(&q, !st && same_shapes(y, a) && agn_dtype_of(y) == dtypes[d],
                          "[%d,%d,%d]: %s", (int)b, (int)n, (int)n,
                          agn_error_message());
                    double worst = 0, most = 1;
                    for (int64_t m = 0; !st && m < b; m += 1 + b / 8)
                        for (int64_t i = 0; i < n; i++)
                            for (int64_t j = 0; j <= i; j++) {
                                double complex v = 0;
                                for (int64_t p = 0; p <= j; p++)
                                    v += upper
                                             ? conj(at2(y, m, p, i)) * at2(y, m, p, j)
                                             : at2(y, m, i, p) * conj(at2(y, m, j, p));
                                double complex w = upper ? conj(at2(a, m, j, i))
                                                         : at2(a, m, i, j);
                                most = fmax(most, cabs(w));
                                worst = fmax(worst, cabs(v - w));
                                if (i != j)
                                    check(&q,
                                          (upper ? at2(y, m, i, j) : at2(y, m, j, i)) ==
                                              0,
                                          "the other triangle is not 0");
                                else
                                    check(&q,
                                          creal(at2(y, m, i, i)) > 0 &&
                                              cimag(at2(y, m, i, i)) == 0,
                                          "the diagonal is not positive");
                            }
                    check(&q, worst <= 4 * (double)(n + 1) * eps_of(dtypes[d]) * most,
                          "%s [%d,%d,%d] %s %s: off by %.1e of %.1e",
                          agn_dtype_name(dtypes[d]), (int)b, (int)n, (int)n,
                          layout_names[l], upper ? "upper" : "lower", worst, most);
                    agn_release(a);
                    agn_release(x);
                    agn_release(y);
                }
    tell(
        &q,
        "cholesky: a = l l^H and u^H u, dtypes, layouts, batches; the other triangle is NaN");

    /* by columns in, by columns out */
    int64_t n = 40, columns[] = {1, 40};
    agn_tensor *a = definite(AGN_F64, 1, n, 0), *x = NULL, *y = NULL, *z = NULL,
               *m = NULL;
    must(agn_index_axis(&m, a, 0, 0));
    must(agn_wrap_host(&x, AGN_F64, 2, agn_shape(m), columns,
                       (void *)(uintptr_t)agn_data(m), true, NULL, NULL));
    must(agn_linalg_cholesky(&y, x, false));
    ok(agn_strides(y)[0] == 1 && agn_strides(y)[1] == n,
       "a matrix by columns gives one by columns");
    must(agn_linalg_cholesky(&z, m, false));
    ok(modes_apart(y, z) < 1e-13, "and the same factor");
    agn_release(a);
    agn_release(m);
    agn_release(x);
    agn_release(y);
    agn_release(z);
}

/* largest |a x - b| over the size of things; a [ba, n, n], b and x [bb, n, k] */
static double residual(const agn_tensor *a, const agn_tensor *x, const agn_tensor *b,
                       int triangle)
{
    int nd = agn_ndim(x);
    int64_t n = agn_shape(x)[nd - 2], k = agn_shape(x)[nd - 1],
            batch = n > 0 && k > 0 ? agn_numel(x) / n / k : 0;
    int64_t ba = n > 0 ? agn_numel(a) / n / n : 1,
            bb = batch > 0 ? agn_numel(b) / n / k : 1;
    double worst = 0, most = 1e-30;
    for (int64_t m = 0; m < batch; m++)
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < k; j++) {
                double complex v = 0;
                double size = cabs(at2(b, m % bb, i, j));
                int64_t from = triangle > 0 ? i : 0, to = triangle < 0 ? i + 1 : n;
                for (int64_t p = from; p < to; p++) {
                    v += at2(a, m % ba, i, p) * at2(x, m, p, j);
                    size += cabs(at2(a, m % ba, i, p)) * cabs(at2(x, m, p, j));
                }
                worst = fmax(worst, cabs(v - at2(b, m % bb, i, j)));
                most = fmax(most, size);
            }
    return worst / most;
}

static void test_solve(void)
{
    static const int64_t sizes[][3] = {{1, 0, 2},  {0, 3, 1},   {2, 3, 0},
                                       {1, 1, 1},  {2, 2, 2},   {3, 5, 1},
                                       {1, 33, 7}, {600, 3, 2}, {1, 70, 1}};
    tally q = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int k = 0; k < COUNT(sizes); k++)
            for (int la = 0; la < N_LAYOUTS; la++)
                for (int lb = 0; lb < N_LAYOUTS; lb += 2) {
                    int64_t sa[] = {sizes[k][0], sizes[k][1], sizes[k][1]};
                    int64_t sb[] = {sizes[k][0], sizes[k][1], sizes[k][2]};
                    agn_tensor *a0 = random_of(dtypes[d], 3, sa, -1, 1), *x = NULL;
                    agn_tensor *b0 = random_of(dtypes[d], 3, sb, -1, 1);
                    agn_tensor *a = laid_out(a0, la), *b = laid_out(b0, lb);
                    agn_status st = agn_linalg_solve(&x, a, b);
                    check(&q, !st && same_shapes(x, b), "%s: %s", SHAPE_TEXT(b),
                          agn_error_message());
                    double r = st ? 0 : residual(a, x, b, 0);
                    check(&q, r < 8 * (double)(sa[1] + 1) * eps_of(dtypes[d]),
                          "%s %s %s %s %s: residual %.1e", agn_dtype_name(dtypes[d]),
                          SHAPE_TEXT(a), layout_names[la], SHAPE_TEXT(b),
                          layout_names[lb], r);
                    agn_release(x);
                    x = NULL;
                    for (int upper = 0; upper < 2 && sa[1] < 40;
                         upper++) { /* random triangles are ill */
                        st = agn_linalg_triangular_solve(&x, a, b, upper);
                        check(&q, !st, "triangular %s: %s", SHAPE_TEXT(b),
                              agn_error_message());
                        r = st ? 0 : residual(a, x, b, upper ? 1 : -1);
                        check(&q, r < 8 * (double)(sa[1] + 1) * eps_of(dtypes[d]),
                              "%s %s %s: triangular residual %.1e", SHAPE_TEXT(a),
                              layout_names[la], layout_names[lb], r);
                        agn_release(x);
                        x = NULL;
                    }
                    agn_release(a0);
                    agn_release(b0);
                    agn_release(a);
                    agn_release(b);
                }
    tell(&q, "solve: a x = b, dtypes, layouts, batches; triangles too");

    /* shapes: vectors as in NumPy 2, batches that broadcast, dtypes that meet */
    static const struct {
        int na, nb, nx;
        int64_t a[4], b[4], x[4];
    } rules[] = {{2, 1, 1, {3, 3}, {3}, {3}},
                 {3, 1, 2, {2, 3, 3}, {3}, {2, 3}},
                 {2, 2, 2, {3, 3}, {3, 2}, {3, 2}},
                 {3, 2, 3, {2, 3, 3}, {3, 2}, {2, 3, 2}},
                 {2, 3, 3, {3, 3}, {4, 3, 1}, {4, 3, 1}},
                 {4, 3, 4, {2, 1, 3, 3}, {4, 3, 2}, {2, 4, 3, 2}}};
    for (int k = 0; k < COUNT(rules); k++) {
        agn_tensor *a = random_of(AGN_F64, rules[k].na, rules[k].a, -1, 1), *x = NULL;
        agn_tensor *b = random_of(AGN_F64, rules[k].nb, rules[k].b, -1, 1);
        must(agn_linalg_solve(&x, a, b));
        ok(has_shape(x, rules[k].nx, rules[k].x), "solve: %s and %s give %s",
           SHAPE_TEXT(a), SHAPE_TEXT(b), SHAPE_TEXT(x));
        agn_release(a);
        agn_release(b);
        agn_release(x);
    }
    static const int meet[][3] = {{AGN_F32, AGN_F64, AGN_F64},
                                  {AGN_I32, AGN_I64, AGN_F64},
                                  {AGN_F64, AGN_C64, AGN_C128},
                                  {AGN_F16, AGN_F16, AGN_F16}};
    for (int k = 0; k < COUNT(meet); k++) {
        int64_t s[] = {2, 2};
        agn_tensor *a = of_reals(meet[k][0], 2, s, (double[]){2, 1, 1, 3}), *x = NULL;
        agn_tensor *b = of_reals(meet[k][1], 2, s, (double[]){3, 2, 4, 1});
        must(agn_linalg_solve(&x, a, b));
        ok(agn_dtype_of(x) == meet[k][2] &&
               residual(a, x, b, 0) < (k == 3 ? 1e-3 : 1e-15),
           "solve: %s and %s meet in %s", agn_dtype_name(meet[k][0]),
           agn_dtype_name(meet[k][1]), agn_dtype_name(meet[k][2]));
        agn_release(a);
        agn_release(b);
        agn_release(x);
    }
}

/* ---- derivatives ----------------------------------------------------------------- */

typedef enum which {
    LOWER,
    UPPER,
    COLUMNS,
    SOLVE,
    SOLVE_COLUMNS,
    SOLVE_VECTOR,
    TRI_LOWER,
    TRI_UPPER
} which;
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    which w = *(const which *)user;
    switch (w) {
    case LOWER:
    case UPPER:
        out[0] = ag_linalg_cholesky(s, in[0], w == UPPER);
        break;
    case COLUMNS: /* a view by columns, and a square so that its own series is used again */
        out[0] = ag_linalg_cholesky(s, ag_permute(s, in[0], (int32_t[]){0, 2, 1}, 3),
                                    false);
        out[0] = ag_mul(s, out[0], out[0]);
        break;
    case SOLVE:
    case SOLVE_VECTOR:
        out[0] = ag_linalg_solve(s, in[0], in[1]);
        break;
    case SOLVE_COLUMNS:
        out[0] = ag_linalg_solve(s, ag_permute(s, in[0], (int32_t[]){0, 2, 1}, 3),
                                 in[1]);
        break;
    default:
        out[0] = ag_linalg_triangular_solve(s, in[0], in[1], w == TRI_UPPER);
    }
    return agn_scope_status(s);
}

static void test_modes(void)
{
    static const struct {
        which w;
        int n;
        const char *name;
    } cases[] = {{LOWER, 1, "cholesky, lower"},
                 {UPPER, 1, "cholesky, upper"},
                 {COLUMNS, 1, "cholesky, by columns"},
                 {SOLVE, 2, "solve"},
                 {SOLVE_COLUMNS, 2, "solve, by columns"},
                 {SOLVE_VECTOR, 2, "solve, one vector for a batch"},
                 {TRI_LOWER, 2, "triangular_solve, lower"},
                 {TRI_UPPER, 2, "triangular_solve, upper"}};
    for (int c = 0; c < 2; c++)
        for (int k = 0; k < COUNT(cases); k++) {
            char name[96];
            int dtype = c ? AGN_C128 : AGN_F64;
            int64_t sb[] = {2, 3, 2};
            which w = cases[k].w;
            agn_tensor *a = definite(dtype, 2, 3, 0);
            agn_tensor *b = w == SOLVE_VECTOR ? random_of(dtype, 1, sb + 1, -1, 1)
                                              : random_of(dtype, 3, sb, -1, 1);
            const agn_tensor *x[2] = {a, b};
            agn_fn *f = NULL;
            must(agn_fn_new(&f, body, &w, NULL, cases[k].n, 1));
            snprintf(name, sizeof name, "%s, %s", cases[k].name, agn_dtype_name(dtype));
            in_every_mode(f, cases[k].n, x, 4e-3, 2e-8, name);
            agn_fn_release(f);
            agn_release(a);
            agn_release(b);
        }
}

/* the gradient lies in the triangle that is read */
static void test_triangle(void)
{
    which w = LOWER;
    agn_tensor *a = definite(AGN_F64, 2, 4, 1), *y = NULL, *g = NULL, *x = NULL;
    must(agn_watch(&x, a));
    must(agn_linalg_cholesky(&y, x, w == UPPER));
    must(agn_gradient(&g, (const agn_tensor *const *)&y, 1,
                      (const agn_tensor *const *)&x, 1, NULL));
    tally q = {0, 0};
    for (int64_t b = 0; b < 2; b++)
        for (int64_t i = 0; i < 4; i++)
            for (int64_t j = 0; j < 4; j++)
                check(&q,
                      j > i ? at2(g, b, i, j) == 0 : isfinite(creal(at2(g, b, i, j))),
                      "gradient at [%d,%d] is %g", (int)i, (int)j,
                      creal(at2(g, b, i, j)));
    tell(&q, "cholesky: no gradient in the other triangle, NaN there harms none");
    agn_release(a);
    agn_release(x);
    agn_release(y);
    agn_release(g);
}

/* value, gradient, and second derivative: one factorisation */
static void test_one_factorisation(void)
{
    int64_t sa[] = {1, 20, 20}, sb[] = {20, 2};
    agn_tensor *a = random_of(AGN_F64, 2, sa + 1, -1, 1),
               *b = random_of(AGN_F64, 2, sb, -1, 1);
    const agn_tensor *in[8] = {a, b, b, b, b, b, b, b};
    which w = SOLVE;
    agn_fn *f = NULL, *g = NULL, *h = NULL, *jet = NULL;
    agn_tensor *out[8] = {NULL}, *one = NULL;
    must(agn_fn_new(&f, body, &w, NULL, 2, 1));
    must(agn_full(&one, AGN_F64, 2, sb, 1));
    const agn_tensor *ones[1] = {one};
    modes_scalar s = {f, 0, 1, 2, 0, ones, NULL};
    g = modes_gradient(&s);
    n_lu = 0;
    must(agn_fn_call(out, agn_fn_n_out(g), g, in, agn_fn_n_in(g)));
    is_int(n_lu, 1, "value and gradient");
    agn_release(out[0]);
    agn_release(out[1]);
    must(agn_fn_jvp(&h, g));
    n_lu = 0;
    in[2] = a;
    must(agn_fn_call(out, agn_fn_n_out(h), h, in, agn_fn_n_in(h)));
    is_int(n_lu, 1, "value, gradient and second derivative");
    for (int i = 0; i < 4; i++)
        agn_release(out[i]);
    must(agn_fn_jet(&jet, f, 3));
    const agn_tensor *c[8] = {a, a, a, a, b, b, b, b};
    n_lu = 0;
    must(agn_fn_call(out, agn_fn_n_out(jet), jet, c, agn_fn_n_in(jet)));
    is_int(n_lu, 1, "value and Taylor coefficients to order 3");
    for (int i = 0; i < 4; i++)
        agn_release(out[i]);
    agn_fn_release(h);
    agn_fn_release(g);

    w = LOWER;
    agn_fn *fc = NULL;
    agn_tensor *spd = definite(AGN_F64, 1, 20, 0), *ones2 = NULL;
    must(agn_fn_new(&fc, body, &w, NULL, 1, 1));
    must(agn_full(&ones2, AGN_F64, 3, sa, 1));
    const agn_tensor *wc[1] = {ones2}, *inc[2] = {spd, spd};
    modes_scalar sc = {fc, 0, 1, 1, 0, wc, NULL};
    g = modes_gradient(&sc);
    must(agn_fn_jvp(&h, g));
    n_cholesky = 0;
    must(agn_fn_call(out, agn_fn_n_out(h), h, inc, 2));
    is_int(n_cholesky, 1, "cholesky: value, gradient and second derivative");
    agn_release(out[0]);
    agn_release(out[1]);
    agn_fn_release(jet);
    agn_fn_release(f);
    agn_fn_release(fc);
    agn_fn_release(g);
    agn_fn_release(h);
    agn_release(a);
    agn_release(b);
    agn_release(one);
    agn_release(ones2);
    agn_release(spd);
}

/* ---- failures -------------------------------------------------------------------- */

static agn_tensor *matrix(int dtype, int64_t m, int64_t n, const double *v)
{
    return of_reals(dtype, 2, (int64_t[]){m, n}, v);
}

static void test_failures(void)
{
    tally q = {0, 0};
    agn_tensor *out = untouched;
    agn_tensor *sq = matrix(AGN_F64, 2, 2, (double[]){2, 1, 1, 2});
    agn_tensor *flat = matrix(AGN_F64, 2, 3, (double[6]){0});
    agn_tensor *vec3 = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[3]){0});
    agn_tensor *num = scalar_of(AGN_F64, 1);
#define CHOL(x, st, a, b)                                                           \
    check(&q,                                                                       \
          refused(agn_linalg_cholesky(&out, x, false), st, "linalg_cholesky", a, b, \
                  out),                                                             \
          #x)
#define SOLVE2(x, y, st, a, b)                                                      \
    check(&q, refused(agn_linalg_solve(&out, x, y), st, "linalg_solve", a, b, out), \
          #x " " #y)
#define TRI(x, y, st, a, b)                                           \
    check(&q,                                                         \
          refused(agn_linalg_triangular_solve(&out, x, y, false), st, \
                  "linalg_triangular_solve", a, b, out),              \
          #x " " #y)
    CHOL(NULL, AGN_ENULL, "a", NULL);
    check(&q, agn_linalg_cholesky(NULL, sq, 0) == AGN_ENULL, "out NULL");
    check(&q, agn_linalg_solve(NULL, sq, sq) == AGN_ENULL, "out NULL");
    check(&q, agn_linalg_triangular_solve(NULL, sq, sq, 0) == AGN_ENULL, "out NULL");
    SOLVE2(NULL, sq, AGN_ENULL, "a is", NULL);
    SOLVE2(sq, NULL, AGN_ENULL, "b is", NULL);
    TRI(NULL, sq, AGN_ENULL, "a is", NULL);
    TRI(sq, NULL, AGN_ENULL, "b is", NULL);
    CHOL(flat, AGN_ESHAPE, "[2,3]", NULL);
    CHOL(vec3, AGN_ESHAPE, "[3]", "1 axes");
    CHOL(num, AGN_ESHAPE, "[]", "0 axes");
    SOLVE2(flat, sq, AGN_ESHAPE, "[2,3]", NULL);
    SOLVE2(sq, vec3, AGN_ESHAPE, "[2,2]", "[3]");
    SOLVE2(sq, num, AGN_ESHAPE, "[2,2]", "[]");
    TRI(sq, vec3, AGN_ESHAPE, "[2,2]", "[3,1]");
    TRI(flat, sq, AGN_ESHAPE, "[2,3]", NULL);
    agn_tensor *b3 = random_of(AGN_F64, 3, (int64_t[]){3, 2, 2}, -1, 1);
    agn_tensor *b2 = random_of(AGN_F64, 3, (int64_t[]){2, 2, 2}, -1, 1);
    SOLVE2(b3, b2, AGN_ESHAPE, "[3,2,2]", "[2,2,2]");
    TRI(b3, b2, AGN_ESHAPE, "[3,2,2]", "[2,2,2]");

    /* the second matrix fails at column 2; larger than what we factor ourselves too */
    for (int64_t n = 4; n <= 24; n += 20) {
        agn_tensor *a = definite(AGN_F64, 3, n, 0);
        void *p = NULL;
        must(agn_data_mut(&p, a));
        ((double *)p)[n * n + 2 * n + 2] = -1;
        char of_n[32];
        snprintf(of_n, sizeof of_n, "column 2 of %d", (int)n);
        CHOL(a, AGN_EDOMAIN, "matrix 1 of 3", of_n);
        static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
        for (int k = 0; k < 3; k++) {
            ((double *)p)[n * n + 2 * n + 1] = bad[k];
            CHOL(a, AGN_EDOMAIN, "matrix 1 is not finite", "[2,1]");
            SOLVE2(a, a, AGN_EDOMAIN, "matrix 1 is not finite", "[2,1]");
        }
        for (int64_t i = 0; i < n * n; i++)
            ((double *)p)[2 * n * n + i] = i / n == i % n ? 1 : 0;
        ((double *)p)[n * n + 2 * n + 1] = 0;
        for (int64_t i = 0; i < n; i++) /* a row of zeros below pivots that are not */
            ((double *)p)[n * n + 2 * n + i] = 0;
        SOLVE2(a, a, AGN_EDOMAIN, "matrix 1 of 3 is singular", "pivot");
        TRI(a, a, AGN_EDOMAIN, "matrix 1 of 3 is singular", "[2,2]");
        agn_release(a);
    }
    /* pivots whose reciprocals overflow when rows and columns are scaled too */
    agn_tensor *faint = matrix(AGN_F64, 3, 3, (double[]){1, 1, 0, 1, 1, 1e-310, 0, 1, 1});
    SOLVE2(faint, faint, AGN_EDOMAIN, "singular to working precision", "pivot 1 of 3");
    agn_release(faint);
    faint = matrix(AGN_C64, 1, 1, (double[]){1e-39});
    SOLVE2(faint, sq, AGN_ESHAPE, "[1,1]", "[2,2]");
    agn_release(faint);
    agn_tensor *minus = matrix(AGN_C64, 1, 1, (double[]){-1});
    CHOL(minus, AGN_EDOMAIN, "matrix 0 of 1", "column 0 of 1");
    agn_release(minus);

    /* sizes beyond 32 bits: views with stride 0, no memory */
    agn_tensor *one = matrix(AGN_F64, 1, 1, (double[]){1}), *wide = NULL, *huge = NULL;
    must(agn_broadcast_to(&wide, one, 2, (int64_t[]){1, INT64_C(1) << 31}));
    SOLVE2(one, wide, AGN_EUNSUPPORTED, "2147483648", "32-bit");
    TRI(one, wide, AGN_EUNSUPPORTED, "2147483648", "32-bit");
    agn_status st = agn_broadcast_to(&huge, one, 2,
                                     (int64_t[]){INT64_C(1) << 29, INT64_C(1) << 29});
    if (!st) {
        CHOL(huge, AGN_ENOMEM, NULL, NULL);
        agn_release(huge);
    }
    tell(&q, "failures: status, op, two facts, nothing written");

    /* a factor from elsewhere is refused, not followed */
    agn_tensor *lu[2] = {NULL}, *bad = NULL;
    must(agn_op_apply(lu, 2, "linalg_lu_factor", (const agn_tensor *[]){sq}, 1, NULL, 0,
                      NULL, 0));
    must(agn_full(&bad, AGN_I32, 1, (int64_t[]){6}, 7));
    st = agn_op_apply(&out, 1, "linalg_lu_solve",
                      (const agn_tensor *[]){lu[0], bad, sq, sq}, 4, (int64_t[]){0}, 1,
                      NULL, 0);
    ok(st == AGN_EARG && strstr(agn_error_message(), "pivot 0"),
       "pivots that are none: %s", agn_error_message());
    agn_release(lu[0]);
    agn_release(lu[1]);
    agn_release(bad);
    agn_release(sq);
    agn_release(flat);
    agn_release(vec3);
    agn_release(num);
    agn_release(b2);
    agn_release(b3);
    agn_release(one);
    agn_release(wide);
}

typedef struct given {
    agn_tensor *a, *b;
    int what;
} given;
static agn_status make(void *user, agn_tensor **out)
{
    given *g = user;
    if (g->what == 0)
        return agn_linalg_cholesky(out, g->a, false);
    if (g->what == 1)
        return agn_linalg_solve(out, g->a, g->b);
    if (g->what == 2)
        return agn_linalg_triangular_solve(out, g->a, g->b, false);
    agn_tensor *x = NULL, *y = NULL;
    agn_status st = agn_watch(&x, g->a);
    if (!st)
        st = g->what == 3 ? agn_linalg_solve(&y, x, g->b)
                          : agn_linalg_cholesky(&y, x, true);
    if (!st)
        st = agn_gradient(out, (const agn_tensor *const *)&y, 1,
                          (const agn_tensor *const *)&x, 1, NULL);
    agn_release(x);
    agn_release(y);
    return st;
}

static void test_memory(void)
{
    static const char *const names[] = {"cholesky", "solve", "triangular_solve",
                                        "gradient of solve", "gradient of cholesky"};
    agn_tensor *a = definite(AGN_F64, 2, 4, 0);
    agn_tensor *s = laid_out(a, STRIDED);
    for (int k = 0; k < COUNT(names); k++) {
        given g = {k == 2 ? s : a, a, k};
        every_allocation(make, &g, names[k]);
    }
    agn_release(a);
    agn_release(s);
}

int main(void)
{
    test_cholesky();
    test_solve();
    test_modes();
    test_triangle();
    test_one_factorisation();
    test_failures();
    test_memory();
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
