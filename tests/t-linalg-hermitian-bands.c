/* t-linalg-hermitian-bands - eigenpairs, factors and systems of Hermitian bands, tridiagonal eigenpairs, factors of
   indefinite matrices made definite: against dense matrices, in every mode, and every documented failure. */
#include "t-linalg.h"

static void put(agn_tensor *x, int64_t i, double complex v)
{
    void *p = NULL;
    must(agn_data_mut(&p, x));
    switch (agn_dtype_of(x)) {
    case AGN_F32: ((float *)p)[i] = (float)creal(v); break;
    case AGN_F64: ((double *)p)[i] = creal(v); break;
    case AGN_C64: ((float complex *)p)[i] = (float complex)v; break;
    default: ((double complex *)p)[i] = v;
    }
}

/* half a band with NaN where nothing is read and an imaginary part on the main diagonal; `lead` there makes it
   definite; *dense is the Hermitian matrix in c128 */
static agn_tensor *half_band(int dtype, int64_t batch, int64_t w, int64_t n, bool upper,
                             double lead, agn_tensor **dense)
{
    agn_tensor *ab = random_of(dtype, 3, (int64_t[]){batch, w, n}, -1, 1);
    must(agn_zeros(dense, AGN_C128, 3, (int64_t[]){batch, n, n}));
    for (int64_t b = 0; b < batch; b++)
        for (int64_t r = 0; r < w; r++)
            for (int64_t j = 0; j < n; j++) {
                int64_t at = (b * w + r) * n + j, i = j + r - (upper ? w - 1 : 0);
                if (i < 0 || i >= n) {
                    put(ab, at, (double)NAN);
                    continue;
                }
                if (i == j)
                    put(ab, at, peekz(ab, at) + lead);
                double complex v = i == j ? creal(peekz(ab, at)) : peekz(ab, at);
                put(*dense, (b * n + i) * n + j, v);
                put(*dense, (b * n + j) * n + i, conj(v));
            }
    return ab;
}

static double largest(const agn_tensor *x)
{
    double y = 0;
    for (int64_t i = 0; x && i < agn_numel(x); i++) {
        double d = cabs(peekz(x, i));
        y = d > y || d != d ? d : y;
    }
    return x ? y : (double)NAN;
}

/* the triangle that a band of a factor holds, and 0 outside of it */
static bool factor_to_dense(const agn_tensor *ab, bool upper, agn_tensor **dense)
{
    int64_t w = agn_shape(ab)[1], n = agn_shape(ab)[2], batch = agn_shape(ab)[0];
    bool clean = true;
    must(agn_zeros(dense, AGN_C128, 3, (int64_t[]){batch, n, n}));
    for (int64_t k = 0; k < batch * w * n; k++) {
        int64_t b = k / (w * n), j = k % n, i = j + k / n % w - (upper ? w - 1 : 0);
        if (i >= 0 && i < n)
            put(*dense, (b * n + i) * n + j, peekz(ab, k));
        else
            clean = clean && peekz(ab, k) == 0;
    }
    return clean;
}

static void test_values(void)
{
    static const int64_t sizes[][3] = {{2, 3, 5}, {1, 1, 4}, {3, 2, 6},  {2, 6, 3}, {0, 2, 4},
                                       {2, 2, 0}, {1, 2, 1}, {1, 4, 60}, {1, 1, 1}};
    tally t = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int k = 0; k < COUNT(sizes); k++)
            for (int layout = 0; layout < N_LAYOUTS; layout++)
                for (int upper = 0; upper < 2; upper++) {
                    int64_t batch = sizes[k][0], w = sizes[k][1], n = sizes[k][2];
                    double tol = 20 * (double)(n + 2) * eps_of(dtypes[d]), size = 2 * (double)w + 3;
                    agn_tensor *dense = NULL,
                               *raw = half_band(dtypes[d], batch, w, n, upper, 0, &dense),
                               *ab = laid_out(raw, layout);
                    agn_tensor *y[3] = {NULL};
                    agn_scope *s = agn_scope_open(NULL);
                    must(agn_linalg_eig_banded(&y[0], &y[1], ab, upper));
                    must(agn_linalg_eigvals_banded(&y[2], ab, upper));
                    const agn_tensor *v = ag_cast(s, y[1], AGN_C128),
                                     *values = ag_cast(s, y[0], AGN_C128);
                    const agn_tensor *rest = ag_sub(s, ag_matmul(s, dense, v),
                                                    ag_mul(s, v, ag_expand_dims(s, values, -2)));
                    const agn_tensor *gram = ag_sub(s, ag_matmul(s, adjoint(s, v), v),
                                                    ag_eye(s, AGN_C128, n, n, 0));
                    check(&t,
                          largest(rest) <= tol * size && largest(gram) <= tol &&
                              largest(ag_sub(s, y[2], y[0])) <= tol * size,
                          "pairs %d: %.1e, %.1e", k, largest(rest), largest(gram));
                    must(agn_scope_close(s));
                    for (int i = 0; i < 3; i++)
                        agn_release(y[i]);
                    agn_release(raw), agn_release(ab), agn_release(dense);

                    raw = half_band(dtypes[d], batch, w, n, upper, 2 * (double)w + 1, &dense),
                    ab = laid_out(raw, layout);
                    agn_tensor *rhs = random_of(dtypes[d], 3, (int64_t[]){batch, n, 2}, -1, 1),
                               *b = laid_out(rhs, layout), *l = NULL;
                    s = agn_scope_open(NULL);
                    memset(y, 0, sizeof y);
                    must(agn_linalg_solveh_banded(&y[0], ab, b, upper));
                    must(agn_linalg_cholesky_banded(&y[1], ab, upper));
                    must(agn_linalg_cho_solve_banded(&y[2], y[1], b, upper));
                    bool clean = factor_to_dense(y[1], upper, &l);
                    const agn_tensor *made = upper ? ag_matmul(s, adjoint(s, l), l)
                                                   : ag_matmul(s, l, adjoint(s, l));
                    const agn_tensor *wide = ag_cast(s, rhs, AGN_C128);
                    double off[3] = {largest(ag_sub(s, ag_matmul(s, dense, y[0]), wide)),
                                     largest(ag_sub(s, ag_matmul(s, dense, y[2]), wide)),
                                     largest(ag_sub(s, made, dense))};
                    check(&t,
                          clean && off[0] <= tol * size && off[1] <= tol * size &&
                              off[2] <= tol * size,
                          "definite %d: %.1e, %.1e, %.1e", k, off[0], off[1], off[2]);
                    must(agn_scope_close(s));
                    agn_tensor *all[] = {y[0], y[1], y[2], raw, ab, rhs, b, l, dense};
                    for (int i = 0; i < COUNT(all); i++)
                        agn_release(all[i]);
                }
    tell(&t, "Hermitian bands: pairs, factors, systems; dtypes, shapes, layouts, both triangles");
}

/* second differences: 2 - 2 cos(k pi / (n + 1)) */
static void test_tridiagonal(void)
{
    for (int k = 0; k < 2; k++) {
        int64_t n = k ? 300 : 1, less = n - 1;
        agn_tensor *d = NULL, *e = NULL, *w = NULL, *v = NULL, *alone = NULL;
        must(agn_full(&d, AGN_F64, 1, &n, 2));
        must(agn_full(&e, AGN_F64, 1, &less, -1));
        must(agn_linalg_eigh_tridiagonal(&w, &v, d, e));
        must(agn_linalg_eigvalsh_tridiagonal(&alone, d, e));
        double worst = 0;
        for (int64_t i = 0; i < n; i++) {
            double want = 2 - 2 * cos((double)(i + 1) * 3.14159265358979323846 / (double)(n + 1));
            worst = fmax(worst, fmax(fabs(peek(w, i) - want), fabs(peek(alone, i) - want)));
            for (int64_t j = 0; j < n; j++) {
                double r = (2 - peek(w, j)) * peek(v, i * n + j) -
                           (i ? peek(v, (i - 1) * n + j) : 0) -
                           (i + 1 < n ? peek(v, (i + 1) * n + j) : 0);
                worst = fmax(worst, fabs(r));
            }
        }
        ok(worst < 1e-13 * (double)n, "second differences of order %d: %.1e", (int)n, worst);
        agn_tensor *all[] = {d, e, w, v, alone};
        for (int i = 0; i < COUNT(all); i++)
            agn_release(all[i]);
    }
}

/* [2 1; 1 2] times numbers at both ends of the range */
static void test_range(void)
{
    for (int k = 0; k < 2; k++) {
        double z = k ? 1e-310 : 1e300;
        agn_tensor *ab = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){2 * z, 2 * z, z, 0}),
                   *b = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){4 * z, 5 * z}),
                   *y[5] = {NULL};
        must(agn_linalg_solveh_banded(&y[0], ab, b, false));
        ok(fabs(peek(y[0], 0) - 1) < 1e-12 && fabs(peek(y[0], 1) - 2) < 1e-12,
           "a definite system of %.0e: %g %g", z, peek(y[0], 0), peek(y[0], 1));
        must(agn_linalg_cholesky_banded(&y[1], ab, false));
        double root = sqrt(2) * sqrt(z);
        ok(fabs(peek(y[1], 0) / root - 1) < 1e-12 &&
               fabs(peek(y[1], 2) / (sqrt(z) / sqrt(2)) - 1) < 1e-12,
           "a factor of %.0e", z);
        must(agn_linalg_eigvals_banded(&y[2], ab, false));
        ok(fabs(peek(y[2], 0) / z - 1) < 1e-12 && fabs(peek(y[2], 1) / (3 * z) - 1) < 1e-12,
           "values of %.0e", z);
        must(agn_linalg_cho_solve_banded(&y[3], y[1], b, false));
        ok(fabs(peek(y[3], 0) - 1) < 1e-12 && fabs(peek(y[3], 1) - 2) < 1e-12,
           "a system by the factor: %g %g", peek(y[3], 0), peek(y[3], 1));
        agn_release(ab), agn_release(b);
        for (int i = 0; i < 5; i++)
            agn_release(y[i]);
    }
}

/* Cheng and Higham: a + e is definite, e is 0 where a is, and the largest entry of e is of the size of what is wrong */
static void test_modified(void)
{
    tally t = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int64_t n = 0; n < 9; n++)
            for (int layout = 0; layout < N_LAYOUTS; layout++)
                for (int upper = 0; upper < 2; upper++)
                    for (int lead = 0; lead < 2; lead++) {
                        agn_scope *s = agn_scope_open(NULL);
                        agn_tensor *raw = random_of(dtypes[d], 3, (int64_t[]){2, n, n}, -1, 1),
                                   *a = NULL, *full = NULL, *l = NULL, *e = NULL;
                        must(agn_copy(&full, raw));
                        for (int64_t b = 0; b < 2; b++)
                            for (int64_t i = 0; i < n; i++) {
                                put(full, (b * n + i) * n + i,
                                    creal(peekz(raw, (b * n + i) * n + i)) + lead * 2 * (double)n);
                                for (int64_t j = 0; j < i; j++)
                                    put(full, (b * n + j) * n + i,
                                        conj(peekz(raw, (b * n + i) * n + j)));
                            }
                        a = laid_out(full, layout);
                        must(agn_linalg_cholesky_modified(&l, &e, a, -1, upper));
                        const agn_tensor *made = upper ? ag_matmul(s, adjoint(s, l), l)
                                                       : ag_matmul(s, l, adjoint(s, l));
                        double off = largest(ag_sub(s, made, ag_add(s, full, e))), low = 0,
                               size = 3 * (double)n + 1;
                        const agn_tensor *w = n ? ag_linalg_eigvalsh(s, full, false) : NULL;
                        for (int64_t i = 0; w && i < 2 * n; i++)
                            low = fmin(low, peek(w, i));
                        double added = largest(e);
                        check(&t,
                              off <= 100 * size * eps_of(dtypes[d]) && (!lead || added == 0) &&
                                  added * (double)n >= -low * 0.99,
                              "modified %d: %.1e, least value %g, added %g", (int)n, off, low,
                              added);
                        must(agn_scope_close(s));
                        agn_tensor *all[] = {raw, a, full, l, e};
                        for (int i = 0; i < COUNT(all); i++)
                            agn_release(all[i]);
                    }
    tell(&t, "factors made definite: dtypes, orders, layouts, both triangles");
    /* [0 1; 1 0] has the values -1 and 1; with delta 0.5 it becomes [0.75 0.25; 0.25 0.75] */
    agn_tensor *a = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){0, 1, 1, 0}), *l = NULL,
               *e = NULL;
    must(agn_linalg_cholesky_modified(&l, &e, a, 0.5, false));
    ok(fabs(peek(e, 0) - 0.75) < 1e-15 && fabs(peek(e, 1) + 0.75) < 1e-15 &&
           fabs(peek(e, 3) - 0.75) < 1e-15,
       "[0 1; 1 0] with delta 0.5: %g %g %g", peek(e, 0), peek(e, 1), peek(e, 3));
    agn_release(a), agn_release(l), agn_release(e);
    must(agn_zeros(&a, AGN_F64, 2, (int64_t[]){2, 2}));
    must(agn_linalg_cholesky_modified(&l, &e, a, -1, false));
    ok(peek(e, 0) == 0x1p-26 && peek(l, 0) == 0x1p-13, "zeros: %g %g", peek(e, 0), peek(l, 0));
    agn_release(a), agn_release(l), agn_release(e);
}

typedef enum which {
    PAIR_VALUES,
    PAIR_VECTORS,
    VALUES,
    SYSTEM,
    FACTOR,
    BY_FACTOR,
    TRIDIAGONAL,
    MODIFIED,
    WIDE_FACTOR
} which;
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const which w = *(const which *)user;
    const agn_tensor *a = in[0], *b = in[1];
    agn_tensor *y[2] = {NULL};
    agn_status st = agn_scope_status(s);
    switch (w) {
    case PAIR_VALUES:
    case PAIR_VECTORS: st = agn_linalg_eig_banded(&y[0], &y[1], a, false); break;
    case TRIDIAGONAL: {
        const agn_tensor *d = ag_real(s, ag_index_axis(s, a, 0, 0)),
                         *e = ag_real(s, ag_index_axis(s, a, 0, 1));
        e = ag_slice(s, e, 1, (const int64_t[]){0}, (const int64_t[]){3}, (const int64_t[]){1});
        st = e ? agn_linalg_eigh_tridiagonal(&y[0], &y[1], d, e) : agn_scope_status(s);
        break;
    }
    case MODIFIED: {
        const agn_tensor *pair[] = {a, ag_flip(s, a, (const int32_t[]){0}, 1)};
        const agn_tensor *square = ag_concat(s, pair, 2, 0);
        st = square ? agn_linalg_cholesky_modified(&y[0], &y[1], square, 0.25, false)
                    : agn_scope_status(s);
        break;
    }
    case VALUES: out[0] = ag_linalg_eigvals_banded(s, a, true); return agn_scope_status(s);
    case SYSTEM: out[0] = ag_linalg_solveh_banded(s, a, b, false); return agn_scope_status(s);
    case FACTOR: out[0] = ag_linalg_cholesky_banded(s, a, false); return agn_scope_status(s);
    case WIDE_FACTOR: { /* of 5 diagonals, the upper half */
        const agn_tensor *up = ag_flip(s, a, (const int32_t[]){0}, 1),
                         *pair[] = {ag_mul_c(s, ag_slice(s, up, 2, (int64_t[]){0, 0}, (int64_t[]){1, 4}, NULL), 0.2), up};
        out[0] = ag_linalg_cholesky_banded(s, ag_concat(s, pair, 2, 0), true);
        return agn_scope_status(s);
    }
    default: out[0] = ag_linalg_cho_solve_banded(s, a, b, false); return agn_scope_status(s);
    }
    const agn_tensor *both[2];
    for (int i = 0; i < 2; i++)
        both[i] = agn_scope_adopt(s, st, &y[i]);
    out[0] = both[w == PAIR_VECTORS || w == TRIDIAGONAL];
    return agn_scope_status(s);
}
static void test_modes(void)
{
    static const char *const names[] = {
        "eig_banded, values", "eig_banded, vectors", "eigvals_banded",   "solveh_banded",
        "cholesky_banded",    "cho_solve_banded",    "eigh_tridiagonal", "cholesky_modified",
        "cholesky_banded of 5 diagonals"};
    for (int c = 0; c < 2; c++)
        for (int k = 0; k < COUNT(names); k++) {
            which w = (which)k;
            int dtype = c ? AGN_C128 : AGN_F64;
            agn_tensor *x = of_reals(dtype, 2, (int64_t[]){2, 4},
                                     (double[]){3, 5, 2, 7, 0.5, -0.75, 0.25, 0.9});
            agn_tensor *b = of_reals(dtype, 2, (int64_t[]){4, 2},
                                     (double[]){1, 2, -1, 0.5, 0.25, 1, 0.75, -2});
            if (k == VALUES) { /* the main diagonal last */
                agn_tensor *y = NULL;
                must(agn_flip(&y, x, (int32_t[]){0}, 1));
                agn_release(x);
                x = y;
            }
            const agn_tensor *in[] = {x, b};
            agn_fn *f = NULL;
            char name[80];
            must(agn_fn_new(&f, body, &w, NULL, 2, 1));
            snprintf(name, sizeof name, "%s, %s", names[k], agn_dtype_name(dtype));
            in_every_mode(f, 2, in, 4e-3, 1e-6, name);
            agn_fn_release(f);
            agn_release(x);
            agn_release(b);
        }
}

/* the gradient of log det by the factor is the inverse's band, twice off the diagonal */
static agn_status log_det(void *user, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    (void)user;
    out[0] = ag_mul_c(
        s,
        ag_sum_all(s,
                   ag_log(s, ag_index_axis(s, ag_linalg_cholesky_banded(s, in[0], false), 0, 0))),
        2);
    return agn_scope_status(s);
}
static void test_gradient(void)
{
    agn_tensor *x = of_reals(AGN_F64, 2, (int64_t[]){2, 3},
                             (double[]){2, 2, 2, -1, -1, (double)NAN}),
               *g = NULL;
    const agn_tensor *in[] = {x};
    agn_fn *f = NULL, *df = NULL;
    must(agn_fn_new(&f, log_det, NULL, NULL, 1, 1));
    must(agn_fn_grad(&df, f, (int32_t[]){0}, 1));
    must(agn_fn_call(&g, 1, df, in, 1));
    static const double want[] = {0.75, 1, 0.75, 1, 1, 0}; /* [3 2 1; 2 4 2; 1 2 3] / 4 */
    double worst = 0;
    for (int i = 0; i < 6; i++)
        worst = fmax(worst, fabs(peek(g, i) - want[i]));
    ok(worst < 1e-14, "gradient of log det of second differences: %.1e", worst);
    /* of order 50000, where a full matrix would take 20 GB: the inverse's diagonal is i (n + 1 - i) / (n + 1) */
    enum { MANY = 50000 };
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *rows[] = {ag_full(s, AGN_F64, 2, (int64_t[]){1, MANY}, 2), ag_full(s, AGN_F64, 2, (int64_t[]){1, MANY}, -1)},
                     *big = ag_concat(s, rows, 2, 0);
    agn_release(g);
    must(agn_fn_call(&g, 1, df, &big, 1));
    for (int i = 0; i < MANY; i++) {
        const double right = (i + 1.0) * (MANY - i) / (MANY + 1.0);
        worst = fmax(worst, fabs(peek(g, i) - right) / right);
    }
    ok(worst < 1e-7, "the same of order %d: %.1e", MANY, worst);
    must(agn_scope_close(s));
    agn_release(x), agn_release(g), agn_fn_release(f), agn_fn_release(df);
}

static void test_failures(void)
{
    tally q = {0, 0};
    agn_tensor *o = untouched, *o2 = untouched,
               *ab = of_reals(AGN_F64, 2, (int64_t[]){2, 3}, (double[]){4, 4, 4, 1, 1, 0}),
               *v = random_of(AGN_F64, 1, (int64_t[]){3}, 1, 2),
               *w = random_of(AGN_F64, 1, (int64_t[]){2}, 1, 2),
               *below = of_reals(AGN_F64, 2, (int64_t[]){2, 3}, (double[]){1, 1, 1, 1, 1, 0}),
               *zero = of_reals(AGN_F64, 2, (int64_t[]){2, 3}, (double[6]){0}),
               *nan = of_reals(AGN_F64, 2, (int64_t[]){2, 3},
                               (double[]){1, 1, 1, 1, (double)NAN, 0}),
               *nans = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){1, (double)NAN, 1}),
               *none = random_of(AGN_F64, 2, (int64_t[]){0, 3}, 1, 2),
               *two = random_of(AGN_F64, 3, (int64_t[]){2, 2, 3}, 5, 6),
               *three = random_of(AGN_F64, 3, (int64_t[]){3, 3, 1}, 1, 2),
               *complex_line = random_of(AGN_C128, 1, (int64_t[]){3}, 1, 2), *sparse = NULL,
               *wide = NULL, *wide_line = NULL;
    int64_t big[2] = {2, 40000};
    must(agn_zeros(&wide, AGN_F64, 2, big));
    must(agn_zeros(&wide_line, AGN_F64, 1, big + 1));
    must(agn_sparse_from_dense(&sparse, ab));
#define BAD(call, st, op, a, b) check(&q, refused(call, st, op, a, b, o), "%s", agn_error_message())
    static const char sh[] = "linalg_solveh_banded", ch[] = "linalg_cholesky_banded",
                      cs[] = "linalg_cho_solve_banded", eb[] = "linalg_eig_banded",
                      ev[] = "linalg_eigvals_banded", et[] = "linalg_eigh_tridiagonal",
                      vt[] = "linalg_eigvalsh_tridiagonal", cm[] = "linalg_cholesky_modified";
    BAD(agn_linalg_solveh_banded(NULL, ab, v, false), AGN_ENULL, sh, "out is", NULL);
    BAD(agn_linalg_solveh_banded(&o, NULL, v, false), AGN_ENULL, sh, "ab is", NULL);
    BAD(agn_linalg_solveh_banded(&o, ab, NULL, false), AGN_ENULL, sh, "b is", NULL);
    BAD(agn_linalg_solveh_banded(&o, none, v, false), AGN_ESHAPE, sh, "no diagonal", "[0,3]");
    BAD(agn_linalg_solveh_banded(&o, ab, w, false), AGN_ESHAPE, sh, "rows differ", "[2,1]");
    BAD(agn_linalg_solveh_banded(&o, two, three, false), AGN_ESHAPE, sh, "batches", "[3,3,1]");
    BAD(agn_linalg_solveh_banded(&o, below, v, false), AGN_EDOMAIN, sh, "not positive definite",
        "column 1");
    BAD(agn_linalg_solveh_banded(&o, zero, v, true), AGN_EDOMAIN, sh, "not positive definite",
        "column 0");
    BAD(agn_linalg_solveh_banded(&o, nan, v, false), AGN_EDOMAIN, sh, "not finite", NULL);
    BAD(agn_linalg_solveh_banded(&o, sparse, v, false), AGN_EUNSUPPORTED, sh, "sparse", NULL);
    BAD(agn_linalg_cholesky_banded(NULL, ab, false), AGN_ENULL, ch, "out is", NULL);
    BAD(agn_linalg_cholesky_banded(&o, NULL, false), AGN_ENULL, ch, "ab is", NULL);
    BAD(agn_linalg_cholesky_banded(&o, none, false), AGN_ESHAPE, ch, "no diagonal", "[0,3]");
    BAD(agn_linalg_cholesky_banded(&o, v, false), AGN_ESHAPE, ch, "[3]", NULL);
    BAD(agn_linalg_cholesky_banded(&o, below, false), AGN_EDOMAIN, ch, "not positive definite",
        "column 1");
    BAD(agn_linalg_cholesky_banded(&o, nan, false), AGN_EDOMAIN, ch, "not finite", "[2,1]");
    BAD(agn_linalg_cholesky_banded(&o, sparse, false), AGN_EUNSUPPORTED, ch, "sparse", NULL);
    BAD(agn_linalg_cho_solve_banded(NULL, ab, v, false), AGN_ENULL, cs, "out is", NULL);
    BAD(agn_linalg_cho_solve_banded(&o, NULL, v, false), AGN_ENULL, cs, "l is", NULL);
    BAD(agn_linalg_cho_solve_banded(&o, ab, NULL, false), AGN_ENULL, cs, "b is", NULL);
    BAD(agn_linalg_cho_solve_banded(&o, none, v, false), AGN_ESHAPE, cs, "no diagonal", "[0,3]");
    BAD(agn_linalg_cho_solve_banded(&o, ab, w, false), AGN_ESHAPE, cs, "rows differ", NULL);
    BAD(agn_linalg_cho_solve_banded(&o, two, three, true), AGN_ESHAPE, cs, "batches", NULL);
    BAD(agn_linalg_cho_solve_banded(&o, zero, v, false), AGN_EDOMAIN, cs, "singular", "pivot 0");
    BAD(agn_linalg_cho_solve_banded(&o, zero, v, true), AGN_EDOMAIN, cs, "singular", "pivot 0");
    BAD(agn_linalg_cho_solve_banded(&o, nan, v, false), AGN_EDOMAIN, cs, "not finite", NULL);
    BAD(agn_linalg_cho_solve_banded(&o, sparse, v, false), AGN_EUNSUPPORTED, cs, "sparse", NULL);
    BAD(agn_linalg_eig_banded(NULL, &o2, ab, false), AGN_ENULL, eb, "w is", NULL);
    BAD(agn_linalg_eig_banded(&o, NULL, ab, false), AGN_ENULL, eb, "v is", NULL);
    BAD(agn_linalg_eig_banded(&o, &o2, NULL, false), AGN_ENULL, eb, "ab is", NULL);
    BAD(agn_linalg_eig_banded(&o, &o2, none, false), AGN_ESHAPE, eb, "no diagonal", "[0,3]");
    BAD(agn_linalg_eig_banded(&o, &o2, nan, false), AGN_EDOMAIN, eb, "not finite", "[2,1]");
    BAD(agn_linalg_eig_banded(&o, &o2, sparse, false), AGN_EUNSUPPORTED, eb, "sparse", NULL);
    BAD(agn_linalg_eig_banded(&o, &o2, wide, false), AGN_EUNSUPPORTED, eb, "40000", "32-bit");
    BAD(agn_linalg_eigvals_banded(NULL, ab, false), AGN_ENULL, ev, "out is", NULL);
    BAD(agn_linalg_eigvals_banded(&o, NULL, false), AGN_ENULL, ev, "ab is", NULL);
    BAD(agn_linalg_eigvals_banded(&o, none, false), AGN_ESHAPE, ev, "no diagonal", "[0,3]");
    BAD(agn_linalg_eigvals_banded(&o, nan, false), AGN_EDOMAIN, ev, "not finite", "[2,1]");
    BAD(agn_linalg_eigvals_banded(&o, sparse, false), AGN_EUNSUPPORTED, ev, "sparse", NULL);
    BAD(agn_linalg_eigh_tridiagonal(NULL, &o2, v, w), AGN_ENULL, et, "w is", NULL);
    BAD(agn_linalg_eigh_tridiagonal(&o, NULL, v, w), AGN_ENULL, et, "v is", NULL);
    BAD(agn_linalg_eigh_tridiagonal(&o, &o2, NULL, w), AGN_ENULL, et, "d is", NULL);
    BAD(agn_linalg_eigh_tridiagonal(&o, &o2, v, NULL), AGN_ENULL, et, "e is", NULL);
    BAD(agn_linalg_eigh_tridiagonal(&o, &o2, v, v), AGN_ESHAPE, et, "one less", "[3]");
    BAD(agn_linalg_eigh_tridiagonal(&o, &o2, complex_line, w), AGN_EDTYPE, et, "c128", NULL);
    BAD(agn_linalg_eigh_tridiagonal(&o, &o2, nans, w), AGN_EDOMAIN, et, "not finite", "[1,1]");
    BAD(agn_linalg_eigh_tridiagonal(&o, &o2, v, sparse), AGN_EUNSUPPORTED, et, "sparse", NULL);
    BAD(agn_linalg_eigvalsh_tridiagonal(NULL, v, w), AGN_ENULL, vt, "out is", NULL);
    BAD(agn_linalg_eigvalsh_tridiagonal(&o, NULL, w), AGN_ENULL, vt, "d is", NULL);
    BAD(agn_linalg_eigvalsh_tridiagonal(&o, v, NULL), AGN_ENULL, vt, "e is", NULL);
    BAD(agn_linalg_eigvalsh_tridiagonal(&o, v, v), AGN_ESHAPE, vt, "one less", "[3]");
    BAD(agn_linalg_eigvalsh_tridiagonal(&o, v, complex_line), AGN_EDTYPE, vt, "c128", NULL);
    BAD(agn_linalg_eigvalsh_tridiagonal(&o, nans, w), AGN_EDOMAIN, vt, "not finite", "[1,1]");
    BAD(agn_linalg_eigvalsh_tridiagonal(&o, sparse, w), AGN_EUNSUPPORTED, vt, "sparse", NULL);
    agn_tensor *square = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 2, 2, 1}),
               *bad = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 2, (double)NAN, 1});
    BAD(agn_linalg_cholesky_modified(NULL, &o2, square, -1, false), AGN_ENULL, cm, "l is", NULL);
    BAD(agn_linalg_cholesky_modified(&o, NULL, square, -1, false), AGN_ENULL, cm, "e is", NULL);
    BAD(agn_linalg_cholesky_modified(&o, &o2, NULL, -1, false), AGN_ENULL, cm, "a is", NULL);
    BAD(agn_linalg_cholesky_modified(&o, &o2, ab, -1, false), AGN_ESHAPE, cm, "[2,3]", NULL);
    BAD(agn_linalg_cholesky_modified(&o, &o2, square, 0, false), AGN_EARG, cm, "delta is 0",
        "[2,2]");
    BAD(agn_linalg_cholesky_modified(&o, &o2, square, (double)NAN, false), AGN_EARG, cm, "delta is",
        "[2,2]");
    BAD(agn_linalg_cholesky_modified(&o, &o2, square, (double)INFINITY, false), AGN_EARG, cm,
        "delta is inf", "[2,2]");
    BAD(agn_linalg_cholesky_modified(&o, &o2, bad, -1, false), AGN_EDOMAIN, cm, "not finite",
        "[1,0]");
    BAD(agn_linalg_cholesky_modified(&o, &o2, square, 1e-300, false), AGN_EDOMAIN, cm,
        "not positive definite", NULL);
    BAD(agn_linalg_cholesky_modified(&o, &o2, sparse, -1, false), AGN_EUNSUPPORTED, cm, "sparse",
        NULL);
    tell(&q, "failures: status, op, two facts, nothing written");
    agn_tensor *all[] = {ab,           v,      w,    below,     zero,   nan, nans, none, two, three,
                         complex_line, sparse, wide, wide_line, square, bad};
    for (int i = 0; i < COUNT(all); i++)
        agn_release(all[i]);
}

static agn_status make(void *user, agn_tensor **out)
{
    agn_tensor *y[6] = {NULL};
    agn_status st = agn_linalg_eig_banded(&y[0], &y[1], user, false);
    st = st ? st : agn_linalg_cholesky_banded(&y[2], user, false);
    st = st ? st : agn_linalg_solveh_banded(&y[3], user, y[0], false);
    st = st ? st : agn_linalg_cho_solve_banded(&y[4], y[2], y[0], false);
    st = st ? st : agn_linalg_cholesky_modified(&y[5], out, y[1], -1, false);
    for (int i = 0; i < 6; i++)
        agn_release(y[i]);
    return st;
}

/* a factor times 2^ea and sides times 2^eb: the solution times 2^(eb - 2 ea) where that is in the range,
   though y of l y = b, or the sides themselves, have no digits to spare */
static const agn_tensor *times_two_to(agn_scope *s, const agn_tensor *x, int e)
{
    for (; e; e -= e > 500 ? 500 : e < -500 ? -500 : e)
        x = ag_mul_c(s, x, ldexp(1, e > 500 ? 500 : e < -500 ? -500 : e));
    return x;
}
static void test_scales(void)
{
    static const int64_t sizes[][2] = {{1, 1},  {1, 40},  {2, 4},  {3, 13},
                                       {3, 70}, {13, 40}, {30, 70}};
    tally t = {0, 0};
    for (int z = 0; z < 2; z++)
        for (int o = 0; o < COUNT(sizes); o++)
            for (int upper = 0; upper < 2; upper++)
                for (int ea = -960; ea <= 960; ea += 240)
                    for (int eb = -1040; eb <= 1000; eb += 255) {
                        const int64_t w = sizes[o][0], n = sizes[o][1], main = upper ? w - 1 : 0;
                        if (eb - 2 * ea < -900 || eb - 2 * ea > 900)
                            continue;
                        agn_scope *s = agn_scope_open(NULL);
                        const int dtype = z ? AGN_C128 : AGN_F64;
                        agn_tensor *l = random_of(dtype, 2, (int64_t[]){w, n}, -0.5 / (double)w,
                                                  0.5 / (double)w),
                                   *b = random_of(dtype, 1, (int64_t[]){n}, 1, 2);
                        void *p = NULL;
                        must(agn_data_mut(&p, l));
                        for (int64_t j = 0; j < n; j++)
                            poke((char *)p + (main * n + j) * (z ? 16 : 8), dtype,
                                 2 + 0.01 * (double)j, 0);
                        /* sides that are exact where they are subnormal */
                        must(agn_data_mut(&p, b));
                        for (int64_t j = 0; j < n; j++)
                            poke((char *)p + j * (z ? 16 : 8), dtype, 1 + (double)(j % 7) / 8, 0);
                        const agn_tensor *want = ag_linalg_cho_solve_banded(s, l, b, upper);
                        const agn_tensor *have = ag_linalg_cho_solve_banded(
                            s, times_two_to(s, l, ea), times_two_to(s, b, eb), upper);
                        have = times_two_to(s, have, 2 * ea - eb);
                        must(agn_scope_status(s));
                        check(&t, relative(have, want) < 1e-13,
                              "%d of %d diagonals, 2^%d, 2^%d: %.1e", (int)w, (int)n, ea, eb,
                              relative(have, want));
                        must(agn_scope_close(s));
                        agn_release(l), agn_release(b);
                    }
    tell(&t, "factors and sides of any size");
}

int main(void)
{
    test_values();
    test_tridiagonal();
    test_range();
    test_modified();
    test_modes();
    test_gradient();
    test_scales();
    test_failures();
    agn_tensor *a = of_reals(AGN_F64, 2, (int64_t[]){2, 3}, (double[]){4, 5, 6, 1, 1, 0});
    every_allocation(make, a, "Hermitian bands, cholesky_modified");
    agn_release(a);
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
