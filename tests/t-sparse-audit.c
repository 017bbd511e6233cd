/* t-sparse-audit - what a comparison of sparse with dense answers found: each function of a matrix
   in every layout, batches that broadcast, functions that keep 0 only in some dtype or order, and
   messages that speak of what the caller gave. */
#include "config.h"
#include "modes.h"

#include <agnesi/eigen.h>
#include <agnesi/sparse.h>
#include <agnesi/sparse_derivative.h>
#include <agnesi/sparse_direct.h>
#include <agnesi/sparse_iterative.h>
#include <agnesi/sparse_layout.h>

typedef const agn_tensor *T;

static T in_layout(agn_scope *s, T x, int k)
{
    return k == 0 ? ag_sparse_to_csr(s, x) : k == 1 ? ag_sparse_to_csc(s, x)
                                                    : ag_sparse_to_coo(s, x, -1);
}
static const char *const layouts[] = {"csr", "csc", "coo"};

static agn_tensor *reals(int ndim, const int64_t *shape, const double *v)
{
    return of_reals(AGN_F64, ndim, shape, v);
}
static bool alike(agn_scope *s, T x, T want)
{
    T d = x && agn_layout_of(x) != AGN_DENSE ? ag_sparse_to_dense(s, x) : x;
    return d && want && modes_apart(d, want) < 1e-12;
}
#define NAMED_SUM(a, x, k, axis)                                                                     \
    ok(same_numbers(ag_sparse_to_dense(s, ag_sum(s, a, (int32_t[]){axis}, 1, false)),               \
                    ag_sum(s, x, (int32_t[]){axis}, 1, false), false),                               \
       "%s: sum of infinities along axis %d", layouts[(k) / 3], axis)
#define DENSELY(a, want, what) \
    ok(same_numbers(ag_sparse_to_dense(s, a), want, true), "%s of %s: %s keeps -0", layouts[k], name, what)
#define NEAR(x, want, ...) \
    ok(alike(s, x, want), __VA_ARGS__)

/* ---- solvers ------------------------------------------------------------------------------ */

#ifdef HAVE_SUITESPARSE
static const double definite[] = {4, 1, 0, 0, 1, 5, -1, 0, 0, -1, 6, 2, 0, 0, 2, 7};

static void test_solvers(void)
{
    agn_tensor *a = reals(2, (int64_t[]){4, 4}, definite);
    agn_tensor *b = reals(1, (int64_t[]){4}, (double[]){1, -2, 3, 0.5});
    agn_tensor *t = scalar_of(AGN_F64, 0.3);
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *want[8] = {NULL}, *got[8];
    for (int k = 0; k < 3; k++) {
        T m = in_layout(s, a, k);
        int64_t rank = 0;
        memset(got, 0, sizeof got);
        must(agn_sparse_solve_with(&got[0], m, b, NULL));
        must(agn_sparse_lstsq(&got[1], m, b, NULL));
        must(agn_sparse_logdet(&got[2], m, NULL));
        must(agn_eigsh(&got[3], NULL, NULL, m, 2, NULL));
        must(agn_svds(NULL, &got[4], NULL, NULL, m, 2, NULL));
        must(agn_expm_multiply(&got[5], m, b, t));
        must(agn_eigsh(&got[6], NULL, NULL, m, 2,
                       &(agn_eigen_options){.size = sizeof(agn_eigen_options),
                                            .mass = in_layout(s, a, (k + 1) % 3)}));
        must(agn_krylov_solve(&got[7], NULL, m, b, NULL, NULL));
        must(agn_sparse_rank(&rank, m));
        ok(rank == 4, "%s: rank", layouts[k]);
        agn_tensor *columns = NULL, *rows = NULL, *values = NULL;
        must(agn_sparse_colours(&columns, &rows, m, AGN_COLOUR_COLUMNS, AGN_COLOUR_NATURAL));
        ok(agn_numel(columns) == 4, "%s: colours", layouts[k]);
        must(agn_eigs(&values, NULL, NULL, m, 2, NULL));
        ok(agn_numel(values) == 2, "%s: eigs", layouts[k]);
        agn_release(columns);
        agn_release(rows);
        agn_release(values);
        for (int i = 0; i < 8; i++) {
            if (k == 0)
                want[i] = got[i];
            else {
                ok(modes_apart(got[i], want[i]) < 1e-12, "%s: answer %d is that of rows",
                   layouts[k], i);
                agn_release(got[i]);
            }
        }
    }
    for (int i = 0; i < 8; i++)
        agn_release(want[i]);
    agn_sparse_factor *f = NULL;
    agn_tensor *out = NULL;
    T empty = ag_sparse_eye(s, AGN_F64, 0, 0, 0);
    ok(refused(agn_sparse_factor_new(&f, empty, NULL), AGN_ESHAPE, "sparse_factor_new", "with rows",
               "[0,0]", untouched),
       "no factor of nothing");
    must(agn_eigsh(&out, NULL, NULL, empty, 0,
                   &(agn_eigen_options){.size = sizeof(agn_eigen_options), .which = AGN_EIGEN_NEAREST,
                                        .sigma = 0.5}));
    ok(agn_numel(out) == 0, "no eigenvalues of nothing");
    agn_release(out);
    must(agn_scope_close(s));
    agn_release(a);
    agn_release(b);
    agn_release(t);
}
#endif

/* ---- products ------------------------------------------------------------------------------ */

/* [batch..., 2, 3] and [batch..., 3, 2] as coordinates of all axes */
static void test_batches(void)
{
    static const int64_t batches[][2] = {{1, 1}, {3, 1}, {1, 2}, {3, 2}};
    agn_scope *s = agn_scope_open(NULL);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            const int64_t *p = batches[i], *q = batches[j];
            agn_tensor *a = random_of(AGN_F64, 4, (int64_t[]){p[0], p[1], 2, 3}, -1, 1);
            agn_tensor *b = random_of(AGN_F64, 4, (int64_t[]){q[0], q[1], 3, 2}, -1, 1);
            T x = ag_sparse_to_coo(s, a, 4), y = ag_sparse_to_coo(s, b, 3), want = ag_matmul(s, a, b);
            NEAR(ag_matmul(s, x, b), want, "sparse [%d] by dense [%d]", i, j);
            NEAR(ag_matmul(s, a, y), want, "dense [%d] by sparse [%d]", i, j);
            NEAR(ag_matmul(s, x, y), want, "sparse [%d] by sparse [%d]", i, j);
            NEAR(ag_sparse_matmul_t(s, ag_transpose(s, x), y), want, "transposed [%d] by [%d]", i, j);
            T row = ag_index_axis(s, ag_index_axis(s, b, 0, 0), 0, 0);
            NEAR(ag_matmul(s, x, ag_sparse_to_csr(s, row)), ag_matmul(s, a, row),
                 "a batch [%d] by one matrix", i);
            agn_release(a);
            agn_release(b);
        }
    must(agn_scope_close(s));
    s = agn_scope_open(NULL);
    agn_tensor *a = random_of(AGN_F64, 3, (int64_t[]){3, 2, 4}, -1, 1);
    agn_tensor *b = random_of(AGN_F64, 3, (int64_t[]){2, 4, 5}, -1, 1), *out = untouched;
    T x = ag_sparse_to_csr(s, a), y = ag_sparse_to_csr(s, b), z = ag_sparse_to_coo(s, b, 3);
    ok(refused(agn_sparse_matmul(&out, x, y), AGN_ESHAPE, "sparse_matmul", "[3,2,4]", "[2,4,5]", out),
       "batches on one pattern do not broadcast");
    ok(refused(agn_matmul(&out, x, z), AGN_ESHAPE, "matmul", "[3,2,4]", "[2,4,5]", out),
       "nor do others");
    ok(refused(agn_sparse_matmul_t(&out, x, b), AGN_ESHAPE, "sparse_matmul_t", "[3,2,4]", "[2,4,5]", out) &&
           refused(agn_sparse_matmul_t(&out, ag_sparse_to_csc(s, a), b), AGN_ESHAPE, "sparse_matmul_t",
                   "[3,2,4]", "[2,4,5]", out),
       "a is named as it was given, not transposed");
    must(agn_scope_close(s));
    agn_release(a);
    agn_release(b);
}

/* ---- functions of elements ------------------------------------------------------------------- */

static void test_elements(void)
{
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *x = reals(2, (int64_t[]){2, 3}, (double[]){0, -0.5, 0, 1.5, 0, 0.25});
    agn_tensor *z = random_of(AGN_C128, 2, (int64_t[]){2, 3}, -1, 1), *out = untouched;
    for (int k = 0; k < 3; k++) {
        T a = in_layout(s, x, k), c = in_layout(s, z, k);
        NEAR(ag_expm1(s, c), ag_expm1(s, z), "%s: expm1 of complex numbers", layouts[k]);
        NEAR(ag_log1p(s, c), ag_log1p(s, z), "%s: log1p of complex numbers", layouts[k]);
        NEAR(ag_sign(s, c), ag_sign(s, z), "%s: sign of complex numbers", layouts[k]);
        NEAR(ag_i1(s, a), ag_i1(s, x), "%s: i1", layouts[k]);
        NEAR(ag_i1e(s, a), ag_i1e(s, x), "%s: i1e", layouts[k]);
        NEAR(ag_cast(s, ag_signbit(s, a), AGN_F64), ag_cast(s, ag_signbit(s, x), AGN_F64),
             "%s: signbit", layouts[k]);
        T angle = ag_mul_c(s, x, 0.5);
        NEAR(ag_polar(s, a, angle), ag_polar(s, x, angle), "%s: polar of a dense angle", layouts[k]);
        agn_tensor *other = reals(2, (int64_t[]){2, 3}, (double[]){2, 1.5, 0, 0, 3, -1}),
                   *row = reals(2, (int64_t[]){1, 3}, (double[]){0.5, 0, -2});
        for (int j = 0; j < 3; j++) {
            T b = in_layout(s, other, j), p = ag_polar(s, a, b);
            NEAR(p, ag_polar(s, x, other), "%s: polar of a sparse angle in %s", layouts[k], layouts[j]);
            ok(p && agn_layout_of(p) == agn_layout_of(a) && agn_sparse_nnz(p) == 3,
               "%s: ... with the entries of the radius", layouts[k]);
            NEAR(ag_polar(s, a, in_layout(s, row, j)), ag_polar(s, x, row), "%s: a row of angles in %s",
                 layouts[k], layouts[j]);
        }
        NEAR(ag_polar(s, other, a), ag_polar(s, other, x), "%s: polar of a dense radius", layouts[k]);
        T batch = ag_stack(s, (T[]){other, x}, 2, 0), many = ag_sparse_to_csr(s, batch);
        NEAR(ag_polar(s, a, many), ag_polar(s, x, batch), "%s: polar of a batch of angles", layouts[k]);
        NEAR(ag_polar(s, many, a), ag_polar(s, batch, x), "%s: polar of a batch of radii", layouts[k]);
        ok(refused(agn_cos(&out, a), AGN_EUNSUPPORTED, "cos", "f64", "[2,3]", out),
           "%s: the cosine of an angle fills up", layouts[k]);
        for (int axis = 0; axis < 2; axis++) {
            T mixed[2][3] = {{a, x, a}, {x, a, other}}, dense[2][3] = {{x, x, x}, {x, x, other}};
            for (int j = 0; j < 2; j++) {
                T y = ag_concat(s, mixed[j], 3, axis);
                NEAR(y, ag_concat(s, dense[j], 3, axis), "%s: concat with dense ones", layouts[k]);
                ok(y && agn_layout_of(y) == agn_layout_of(a), "%s: ... is sparse", layouts[k]);
            }
            NEAR(ag_stack(s, mixed[1], 3, axis), ag_stack(s, dense[1], 3, axis), "%s: stack with dense ones",
                 layouts[k]);
        }
        agn_release(other);
        agn_release(row);
        T i = ag_imag(s, a);
        ok(i && agn_layout_of(i) == agn_layout_of(a) && agn_sparse_nnz(i) == 3,
           "%s: imag of real numbers stays sparse", layouts[k]);
        ok(refused(agn_i0(&out, a), AGN_EUNSUPPORTED, "i0", "f64", "[2,3]", out),
           "%s: i0 fills up", layouts[k]);
        ok(refused(agn_log2(&out, c), AGN_EUNSUPPORTED, "log2", "c128", "[2,3]", out),
           "%s: log2 of complex numbers fills up", layouts[k]);
    }
    /* one element beside one place is a dense operand of the full shape */
    agn_tensor *one = reals(2, (int64_t[]){1, 1}, (double[]){2}), *three = scalar_of(AGN_F64, 3);
    T a = ag_sparse_to_csr(s, one), sum = ag_add(s, a, one);
    ok(sum && agn_layout_of(sum) == AGN_DENSE && peek(sum, 0) == 4, "[1,1] and a dense [1,1]");
    ok(refused(agn_add(&out, a, three), AGN_EUNSUPPORTED, "add", "[1,1]", "sparse_to_dense", out),
       "a number fills up");
    sum = ag_sparse_addmm(s, one, a, a, 0.5, 2);
    ok(sum && peek(sum, 0) == 9, "addmm of [1,1]");
    /* means of nothing are NaN everywhere */
    agn_tensor *none = reals(2, (int64_t[]){0, 3}, NULL);
    a = ag_sparse_to_csr(s, none);
    ok(refused(agn_mean(&out, a, (int32_t[]){0}, 1, false), AGN_EUNSUPPORTED, "mean", "[0,3]",
               "sparse_to_dense", out),
       "the mean of no rows");
    T all = ag_mean_all(s, a);
    ok(all && isnan(peek(all, 0)), "and of no elements");
    must(agn_scope_close(s));
    agn_release(x);
    agn_release(z);
    agn_release(one);
    agn_release(three);
    agn_release(none);
}

/* ---- every bit of a value ---------------------------------------------------------------------- */

/* The same parts, real and imaginary; NaN is like NaN, and of zeros the sign counts where signs does. */
static bool same_numbers(T x, T want, bool signs)
{
    bool same = x && want && same_shapes(x, want) && agn_dtype_of(x) == agn_dtype_of(want);
    for (int64_t i = 0; same && i < 2 * agn_numel(x); i++) {
        double complex a = peekz(x, i / 2), b = peekz(want, i / 2);
        double u = i % 2 ? cimag(a) : creal(a), w = i % 2 ? cimag(b) : creal(b);
        same = (isnan(u) && isnan(w)) || (u == w && (!signs || !signbit(u) == !signbit(w)));
    }
    return same;
}

/* complex infinities times 1 are NaN: what moves or sums them must not multiply */
static void test_infinities(void)
{
    static const int dtypes[] = {AGN_C128, AGN_C64};
    for (int d = 0; d < COUNT(dtypes); d++) {
        agn_scope *s = agn_scope_open(NULL);
        agn_tensor *re = reals(2, (int64_t[]){3, 3}, (double[]){1, 0, (double)INFINITY, 0, 2, 0, 0, -3, 4});
        agn_tensor *im = reals(2, (int64_t[]){3, 3}, (double[]){0, 0, 1, 0, -(double)INFINITY, 0, 0, 0, 1});
        T x = ag_cast(s, ag_complex(s, re, im), dtypes[d]), zero = ag_cast(s, ag_lit(s, 0), dtypes[d]);
        T keep = ag_ne(s, ag_tril(s, x, 0), zero), other = ag_full(s, dtypes[d], 2, agn_shape(x), 2);
        for (int k = 0; k < 9; k++) {
            T a = in_layout(s, x, k / 3), c = in_layout(s, keep, k % 3), b = in_layout(s, other, k % 3);
            NAMED_SUM(a, x, k, 0);
            NAMED_SUM(a, x, k, 1);
            ok(same_numbers(ag_sparse_to_dense(s, ag_where(s, c, a, b)), ag_where(s, keep, x, other), false),
               "%s, %s: where of infinities", layouts[k / 3], layouts[k % 3]);
            ok(same_numbers(ag_sparse_to_dense(s, ag_where(s, c, b, a)), ag_where(s, keep, other, x), false),
               "%s, %s: where of infinities, turned", layouts[k / 3], layouts[k % 3]);
            ok(same_numbers(ag_sparse_to_dense(s, ag_sparse_mask_as(s, a, c)), ag_where(s, keep, x, zero), false),
               "%s, %s: infinities at a mask", layouts[k / 3], layouts[k % 3]);
        }
        must(agn_scope_close(s));
        agn_release(re);
        agn_release(im);
    }
}

/* a stored -0 moves as it is: into the dense form, beside another pattern, through each move */
static void test_signs(void)
{
    static const int dtypes[] = {AGN_F64, AGN_F32, AGN_F16, AGN_BF16, AGN_C128};
    static const double v[] = {-0.0, 2, -0.0, -1}, w[] = {3, -0.0, 5, -0.0};
    static const int64_t at[] = {0, 0, 1, 2, 0, 2, 1, 1}, by[] = {0, 1, 1, 2, 0, 1, 2, 1};
    const int64_t two_four[] = {2, 4}, four = 4, shape[] = {3, 3}, three[] = {3, 3, 2};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int k = 0; k < 3; k++) {
            agn_scope *s = agn_scope_open(NULL);
            agn_tensor *i = NULL, *j = NULL, *x = of_reals(AGN_F64, 1, &four, v), *y = of_reals(AGN_F64, 1, &four, w);
            must(agn_from_host(&i, AGN_I64, 2, two_four, at));
            must(agn_from_host(&j, AGN_I64, 2, two_four, by));
            T a = ag_sparse_coo(s, 2, shape, i, ag_cast(s, x, dtypes[d]));
            T b = ag_sparse_coo(s, 2, shape, j, ag_cast(s, y, dtypes[d]));
            if (k < 2) {
                a = k ? ag_sparse_to_csc(s, a) : ag_sparse_to_csr(s, a);
                b = k ? ag_sparse_to_csc(s, b) : ag_sparse_to_csr(s, b);
            }
            const char *name = agn_dtype_name(dtypes[d]);
            agn_tensor *da = of_reals(dtypes[d], 2, shape, (double[]){-0.0, 0, 2, 0, -0.0, 0, 0, -1, 0});
            agn_tensor *db = of_reals(dtypes[d], 2, shape, (double[]){3, 0, 0, 0, -0.0, 5, 0, -0.0, 0});
            DENSELY(a, da, "the dense form");
            DENSELY(ag_transpose(s, a), ag_transpose(s, da), "transpose");
            DENSELY(ag_reshape(s, a, 1, (int64_t[]){9}), ag_reshape(s, da, 1, (int64_t[]){9}), "reshape");
            DENSELY(ag_flip(s, a, NULL, 0), ag_flip(s, da, NULL, 0), "flip");
            DENSELY(ag_pad(s, a, 2, (int64_t[]){1, 0}, (int64_t[]){0, 2}, 0),
                    ag_pad(s, da, 2, (int64_t[]){1, 0}, (int64_t[]){0, 2}, 0), "pad");
            T two[2] = {a, b}, both[2] = {da, db};
            DENSELY(ag_concat(s, two, 2, 1), ag_concat(s, both, 2, 1), "concat");
            T c = ag_ne(s, b, ag_cast(s, ag_lit(s, 0), dtypes[d])),
              dc = ag_ne(s, db, ag_cast(s, ag_lit(s, 0), dtypes[d]));
            DENSELY(ag_where(s, c, b, a), ag_where(s, dc, db, da), "where");
            if (dtypes[d] != AGN_C128) {
                DENSELY(ag_copysign(s, a, b), ag_copysign(s, da, db), "copysign");
                DENSELY(ag_nextafter(s, a, b), ag_nextafter(s, da, db), "nextafter");
                /* what has no entry stays 0, also over a 0 of a dense tensor */
                T q = ag_sparse_to_dense(s, ag_div(s, a, db));
                ok(q && peek(q, 2) == (double)INFINITY && isnan(peek(q, 4)) && peek(q, 7) == (double)INFINITY &&
                       peek(q, 5) == 0,
                   "%s of %s: over a stored -0, over nothing", layouts[k], name);
            }
            if (k == 2) { /* entries with dense axes */
                T vs[2] = {ag_sparse_values(s, a), ag_sparse_values(s, a)};
                T h = ag_sparse_coo(s, 3, three, i, ag_stack(s, vs, 2, 1)), dh[2] = {da, da};
                DENSELY(ag_sparse_coalesce(s, h), ag_stack(s, dh, 2, 2), "with dense axes, the dense form");
            }
            must(agn_scope_close(s));
            agn_tensor *gone[] = {i, j, x, y, da, db};
            for (int g = 0; g < COUNT(gone); g++)
                agn_release(gone[g]);
        }
}

/* a literal takes the dtype of what stands beside it; two axes are a matrix, whatever they are stored as */
static void test_kinds(void)
{
    static const int dtypes[] = {AGN_F32, AGN_F16, AGN_BF16, AGN_C64, AGN_F64};
    for (int d = 0; d < COUNT(dtypes); d++) {
        agn_scope *s = agn_scope_open(NULL);
        agn_tensor *x = of_reals(dtypes[d], 2, (int64_t[]){2, 3}, (double[]){1, 0, (double)NAN, 0, 2, 0});
        for (int k = 0; k < 3; k++)
            ok(same_numbers(ag_sparse_to_dense(s, ag_nansum(s, in_layout(s, x, k), (int32_t[]){1}, 1, false)),
                            ag_nansum(s, x, (int32_t[]){1}, 1, false), false),
               "%s: nansum stays %s", layouts[k], agn_dtype_name(dtypes[d]));
        T h = ag_sparse_to_coo(s, x, 1), r = ag_sparse_to_csr(s, h), c = ag_sparse_to_csc(s, h);
        ok(same_numbers(ag_sparse_to_dense(s, r), x, false) && agn_layout_of(r) == AGN_CSR &&
               same_numbers(ag_sparse_to_dense(s, c), x, false) && agn_layout_of(c) == AGN_CSC,
           "entries with a dense axis by rows and columns, %s", agn_dtype_name(dtypes[d]));
        must(agn_scope_close(s));
        agn_release(x);
    }
}

/* ---- derivatives ------------------------------------------------------------------------------ */

static agn_status squares(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    out[0] = ag_square(s, in[0]);
    return agn_scope_status(s);
}

static void test_patterns(void)
{
    agn_fn *f = NULL, *j = NULL;
    agn_tensor *x = random_of(AGN_F64, 1, (int64_t[]){4}, 1, 2), *y = NULL;
    must(agn_fn_new(&f, squares, NULL, NULL, 1, 1));
    agn_scope *s = agn_scope_open(NULL);
    T eye = ag_sparse_eye(s, AGN_F64, 4, 4, 0);
    for (int k = 0; k < 3; k++) {
        must(agn_fn_sparse_jacobian(&j, f, 0, in_layout(s, eye, k), NULL));
        must(agn_fn_call(&y, 1, j, AGN_ARGS(x)));
        ok(agn_sparse_nnz(y) == 4, "%s: a pattern that is given", layouts[k]);
        agn_release(y);
        agn_fn_release(j);
    }
    ok(refused(agn_fn_sparse_jacobian(&j, f, 0, x, NULL), AGN_EUNSUPPORTED, "fn_sparse_jacobian",
               "dense", "[4]", untouched),
       "a dense pattern");
    must(agn_scope_close(s));
    agn_fn_release(f);
    agn_release(x);
}

int main(void)
{
#ifdef HAVE_SUITESPARSE
    test_solvers();
#else
    skip("solvers in every layout: built without SuiteSparse");
#endif
    test_batches();
    test_elements();
    test_infinities();
    test_signs();
    test_kinds();
    test_patterns();
    return done();
}
