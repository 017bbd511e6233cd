/* tests/t-eigen.c - eigenvalues, singular values and exponentials of sparse matrices: against known
   spectra, residuals, and whole decompositions; derivatives to order 3; hard and refused cases. */
#include "whole.h"

static agn_eigen_options wanted(int which)
{
    return (agn_eigen_options){.size = sizeof(agn_eigen_options), .which = which};
}
static agn_eigen_info no_info(void)
{
    return (agn_eigen_info){.size = sizeof(agn_eigen_info)};
}
static bool is_complex(int dtype)
{
    return kind_of(dtype) == KIND_COMPLEX;
}
static double loose(int dtype)
{
    return dtype == AGN_F32 || dtype == AGN_C64 ? 1e-4 : 1e-9;
}

/* tridiag(-1, 2, -1), times i below and -i above for complex dtypes: 2 - 2 cos(k pi / (n + 1)) */
static agn_tensor *rod(int dtype, int64_t n)
{
    size_t one = agn_dtype_size(dtype);
    char *v = room_for((size_t)(n * n + 1) * one);
    agn_tensor *x = NULL, *y = NULL;
    for (int64_t i = 0; i < n * n; i++) {
        int64_t d = i / n - i % n;
        bool turned = is_complex(dtype) && d;
        poke(v + (size_t)i * one, dtype, d == 0 ? 2 : (d == 1 || d == -1) && !turned ? -1 : 0,
             turned && (d == 1 || d == -1) ? (double)d : 0);
    }
    must(agn_from_host(&x, dtype, 2, I64(n, n), v));
    must(agn_sparse_from_dense(&y, x));
    agn_release(x);
    free(v);
    return y;
}
static double rod_value(int64_t n, int64_t k)
{
    return 2 - 2 * cos((double)k * acos(-1) / (double)(n + 1));
}

/* largest |A V - M V lambda| and |V^H M V - 1| */
static double apart_from(const agn_tensor *a, const agn_tensor *m, const agn_tensor *l,
                         const agn_tensor *v, bool orthogonal)
{
    agn_scope *s = agn_scope_open(NULL);
    T A = agn_layout_of(a) == AGN_CSR ? ag_sparse_to_dense(s, a) : a, mv = v;
    if (m)
        mv = ag_matmul(s, agn_layout_of(m) == AGN_CSR ? ag_sparse_to_dense(s, m) : m, v);
    T r = ag_sub(s, ag_matmul(s, A, v), ag_mul(s, mv, l));
    T g = ag_matmul(s, ag_conj(s, ag_swapaxes(s, v, 0, 1)), mv);
    g = ag_sub(s, g, ag_eye(s, AGN_F64, agn_shape(v)[1], agn_shape(v)[1], 0));
    double d = 0;
    for (int64_t i = 0; r && i < agn_numel(r); i++)
        d = fmax(d, cabs(peekz(r, i)));
    for (int64_t i = 0; orthogonal && g && i < agn_numel(g); i++)
        d = fmax(d, cabs(peekz(g, i)));
    return agn_scope_close(s) ? (double)INFINITY : d;
}

static const int dtypes[] = {AGN_F32, AGN_F64, AGN_C64, AGN_C128};

static void known(void)
{
    for (int which = 0; which <= AGN_EIGEN_NEAREST; which++) {
        tally q = {0, 0};
        for (int d = 0; d < COUNT(dtypes); d++)
            for (int c = 0; c < 5; c++) {
                int64_t n = (int64_t[]){1, 2, 7, 60, 60}[c];
                int32_t k = (int32_t[]){1, 2, 7, 4, 1}[c];
                agn_tensor *a = rod(dtypes[d], n), *l = NULL, *v = NULL;
                agn_eigen_options o = wanted(which);
                agn_eigen_info info = no_info();
                o.tol = 1e-13;
                o.max_products = 100000;
                agn_status st = agn_eigsh(&l, &v, &info, a, k, &o);
                check(&q, !st, "n %d: %s", (int)n, st ? agn_error_message() : "");
                if (st)
                    continue;
                bool high = which == AGN_EIGEN_LARGEST || which == AGN_EIGEN_LARGEST_MAGNITUDE;
                double e = 0;
                for (int32_t i = 0; i < k; i++)
                    e = fmax(e, fabs(peek(l, i) - rod_value(n, high ? n - k + 1 + i : 1 + i)));
                check(&q, e < loose(dtypes[d]), "%s n %d: values apart %.1e",
                      agn_dtype_name(dtypes[d]), (int)n, e);
                e = apart_from(a, NULL, l, v, true);
                check(&q, e < 10 * loose(dtypes[d]), "%s n %d: vectors apart %.1e",
                      agn_dtype_name(dtypes[d]), (int)n, e);
                check(&q, info.converged == k && info.wanted == k && info.products > 0, "info");
                agn_release(a);
                agn_release(l);
                agn_release(v);
            }
        tell(&q, "eigsh, which %d: a rod, every dtype, one to all of them", which);
    }
}

/* sigma inside and above, a mass, solve by the user, multiple values, a dense matrix */
static agn_tensor *shifted_;
FORMULA(by_shifted, ag_linalg_solve(s, shifted_, in[0]))
static void others(void)
{
    int64_t n = 30;
    tally q = {0, 0};
    agn_tensor *a = rod(AGN_F64, n), *l = NULL, *v = NULL, *dense = NULL, *m = NULL, *ms = NULL;
    agn_eigen_options o = wanted(AGN_EIGEN_NEAREST);
    agn_eigen_info info;
    o.sigma = -0.5;
    must(agn_eigsh(&l, &v, NULL, a, 3, &o));
    check(&q, fabs(peek(l, 2) - rod_value(n, 3)) < 1e-11, "sigma below");
    agn_release(l);
    agn_release(v);
    l = v = NULL;
    o.sigma = 5;
    must(agn_eigsh(&l, &v, NULL, a, 3, &o));
    check(&q, fabs(peek(l, 0) - rod_value(n, n - 2)) < 1e-11, "sigma above");
    agn_release(l);
    agn_release(v);
    l = v = NULL;
    o.sigma = 1;
    must(agn_eigsh(&l, &v, NULL, a, 4, &o));
    check(&q, apart_from(a, NULL, l, v, true) < 1e-10 && fabs(peek(l, 0) - 1) < 0.35, "sigma inside");
    agn_release(l);
    agn_release(v);
    must(agn_sparse_to_dense(&dense, a));
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_return(s, &shifted_, ag_sub(s, dense, ag_eye(s, AGN_F64, n, n, 0)));
    must(agn_scope_close(s));
    agn_fn *solve = whole_fn(by_shifted, NULL, 1, 1);
    o.solve = solve;
    for (int sparse = 0; sparse < 2; sparse++) {
        l = v = NULL;
        must(agn_eigsh(&l, &v, NULL, sparse ? a : dense, 4, &o));
        double e = apart_from(a, NULL, l, v, true);
        check(&q, e < 1e-10 && fabs(peek(l, 0) - 1) < 0.35 && fabs(peek(l, 3) - 1) < 0.35,
              "sigma inside: %.1e, %g to %g", e, peek(l, 0), peek(l, 3));
        agn_release(l);
        agn_release(v);
    }
    agn_fn_release(solve);
    agn_release(shifted_);
    /* a mass: linear elements */
    double *w = room_for((size_t)(n * n) * sizeof *w);
    for (int64_t i = 0; i < n * n; i++) {
        int64_t d = i / n - i % n;
        w[i] = d == 0 ? 4.0 / 6 : d == 1 || d == -1 ? 1.0 / 6 : 0;
    }
    must(agn_from_host(&m, AGN_F64, 2, I64(n, n), w));
    must(agn_sparse_from_dense(&ms, m));
    free(w);
    for (int c = 0; c < 3; c++) {
        o = wanted(c == 0 ? AGN_EIGEN_NEAREST : c == 1 ? AGN_EIGEN_LARGEST : AGN_EIGEN_NEAREST);
        o.sigma = c == 2 ? -1 : 0;
        o.mass = ms;
        l = v = NULL;
        must(agn_eigsh(&l, &v, &(agn_eigen_info){.size = sizeof info}, a, 3, &o));
        double e = apart_from(a, ms, l, v, true), t = rod_value(n, c == 1 ? n : 1);
        double exact = t / (1 - t / 6); /* mu = 1 - t / 6 in the same vectors */
        check(&q, e < 1e-9 && fabs(peek(l, c == 1 ? 2 : 0) - exact) < 1e-9, "mass %d: %.1e, %.12g %.12g",
              c, e, peek(l, c == 1 ? 2 : 0), exact);
        agn_release(l);
        agn_release(v);
    }
    tell(&q, "sigma anywhere, a mass");
    /* values that are there many times */
    tally t = {0, 0};
    agn_tensor *eye = NULL, *es = NULL;
    must(agn_eye(&eye, AGN_F64, n, n, 0));
    must(agn_sparse_from_dense(&es, eye));
    for (int c = 0; c < 2; c++) {
        l = v = NULL;
        must(agn_eigsh(&l, &v, NULL, c ? es : eye, 5, NULL));
        check(&t, fabs(peek(l, 0) - 1) < 1e-14 && fabs(peek(l, 4) - 1) < 1e-14 &&
                      apart_from(eye, NULL, l, v, true) < 1e-13, "the identity");
        agn_release(l);
        agn_release(v);
    }
    l = v = NULL;
    must(agn_eigsh(&l, &v, &(agn_eigen_info){.size = sizeof info}, a, 0, NULL));
    check(&t, agn_numel(l) == 0 && has_shape(v, 2, I64(n, 0)), "none wanted");
    agn_release(l);
    agn_release(v);
    tell(&t, "multiple values, none");
    agn_tensor *gone[] = {a, dense, m, ms, eye, es};
    for (int i = 0; i < COUNT(gone); i++)
        agn_release(gone[i]);
}

static void general(void)
{
    tally q = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int which = 0; which <= AGN_EIGEN_NEAREST; which++) {
            int64_t n = 40;
            agn_tensor *a = random_of(dtypes[d], 2, I64(n, n), -1, 1), *sp = NULL, *all = NULL, *l = NULL,
                       *v = NULL;
            agn_eigen_options o = wanted(which);
            o.max_products = 10000;
            o.sigma = 0.1;
            if (which == AGN_EIGEN_SMALLEST_MAGNITUDE) /* inside: slow but for all directions */
                o.basis = (int32_t)n;
            must(agn_sparse_from_dense(&sp, a));
            agn_status st = agn_eigs(&l, &v, NULL, sp, 3, &o);
            if (!st)
                st = agn_eigs(&all, NULL, NULL, which < AGN_EIGEN_NEAREST ? a : sp, (int32_t)n, &o);
            check(&q, !st, "%s: %s", agn_dtype_name(dtypes[d]), st ? agn_error_message() : "");
            if (!st) {
                double e = apart_from(a, NULL, l, v, false), f = 0;
                for (int i = 0; i < 3; i++) { /* pairs are as far as one another */
                    double near = 1e9;
                    for (int j = 0; j < 6; j++)
                        near = fmin(near, cabs(peekz(l, i) - peekz(all, j)));
                    f = fmax(f, near);
                }
                check(&q, e < 100 * loose(dtypes[d]) && f < 100 * loose(dtypes[d]),
                      "%s which %d: vectors %.1e, values %.1e", agn_dtype_name(dtypes[d]), which, e, f);
                agn_release(l);
                agn_release(v);
                agn_release(all);
            }
            agn_release(a);
            agn_release(sp);
        }
    tell(&q, "eigs of any matrix: some against all");
}

/* rows and columns in units of 1e-5 to 1e5: the values are those of the matrix without them */
static void balanced(void)
{
    enum { N = 24, K = 4 };
    tally q = {0, 0};
    for (int which = 0; which <= AGN_EIGEN_NEAREST; which += AGN_EIGEN_NEAREST)
        for (int sparse = which == AGN_EIGEN_NEAREST; sparse < 2; sparse++) { /* a dense one has no factor */
            double a[N * N], b[N * N], unit[N];
            for (int i = 0; i < N; i++)
                unit[i] = pow(10, (7 * i) % 11 - 5);
            for (int i = 0; i < N; i++)
                for (int j = 0; j < N; j++) {
                    b[i * N + j] = rnd_in(-1, 1) + (i == j ? 3 * i : 0);
                    a[i * N + j] = b[i * N + j] * unit[i] / unit[j];
                }
            agn_tensor *ta = of_reals(AGN_F64, 2, I64(N, N), a), *tb = of_reals(AGN_F64, 2, I64(N, N), b);
            agn_tensor *sp = NULL, *like = NULL, *l = NULL, *v = NULL, *want = NULL;
            agn_eigen_options o = wanted(which);
            o.sigma = 10.3;
            must(agn_sparse_from_dense(&sp, ta));
            must(agn_sparse_from_dense(&like, tb));
            must(agn_eigs(&want, NULL, NULL, like, K, &o));
            agn_status st = agn_eigs(&l, &v, NULL, sparse ? sp : ta, K, &o);
            double apart = 0, off = 0;
            for (int c = 0; c < K && !st; c++) {
                apart = fmax(apart, cabs(peekz(l, c) - peekz(want, c)) / cabs(peekz(want, c)));
                double size = 0, r = 0, norm = 0;
                for (int i = 0; i < N; i++) {
                    double complex sum = -peekz(l, c) * peekz(v, i * K + c);
                    for (int j = 0; j < N; j++)
                        sum += a[i * N + j] * peekz(v, j * K + c);
                    r = fmax(r, cabs(sum) / unit[i]);
                    size = fmax(size, cabs(peekz(v, i * K + c)) / unit[i]);
                    norm = hypot(norm, cabs(peekz(v, i * K + c)));
                }
                off = fmax(off, fmax(r / size / 100, fabs(norm - 1)));
            }
            check(&q, !st && apart < 1e-10 && off < 1e-10, "which %d, sparse %d: values %.1e, vectors %.1e %s",
                  which, sparse, apart, off, st ? agn_error_message() : "");
            agn_tensor *gone[] = {ta, tb, sp, like, l, v, want};
            for (int i = 0; i < COUNT(gone); i++)
                agn_release(gone[i]);
        }
    tell(&q, "eigs balances rows and columns of any units");
}

static void singular(void)
{
    tally q = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int c = 0; c < 4; c++) {
            int64_t m = c % 2 ? 12 : 50, n = c % 2 ? 50 : 12;
            agn_tensor *a = random_of(dtypes[d], 2, I64(m, n), -1, 1), *sp = NULL, *u = NULL, *sv = NULL,
                       *vh = NULL;
            must(agn_sparse_from_dense(&sp, a));
            int32_t k = c < 2 ? 3 : 12;
            must(agn_svds(&u, &sv, &vh, NULL, c == 0 ? a : sp, k, NULL));
            agn_scope *s = agn_scope_open(NULL);
            T au = ag_sub(s, ag_matmul(s, a, ag_conj(s, ag_swapaxes(s, vh, 0, 1))), ag_mul(s, u, sv));
            double e = 0;
            for (int64_t i = 0; au && i < agn_numel(au); i++)
                e = fmax(e, cabs(peekz(au, i)));
            if (k == 12) { /* all of it */
                T back = ag_sub(s, ag_matmul(s, ag_mul(s, u, sv), vh), a);
                for (int64_t i = 0; back && i < agn_numel(back); i++)
                    e = fmax(e, cabs(peekz(back, i)));
            }
            check(&q, e < 10 * loose(dtypes[d]) && peek(sv, 0) >= peek(sv, k - 1), "%s case %d: %.1e",
                  agn_dtype_name(dtypes[d]), c, e);
            must(agn_scope_close(s));
            agn_tensor *gone[] = {a, sp, u, sv, vh};
            for (int i = 0; i < COUNT(gone); i++)
                agn_release(gone[i]);
        }
    /* rank one */
    agn_tensor *a = NULL, *u = NULL, *sv = NULL, *vh = NULL;
    must(agn_full(&a, AGN_F64, 2, I64(4, 3), 1));
    must(agn_svds(&u, &sv, &vh, NULL, a, 3, NULL));
    check(&q, fabs(peek(sv, 0) - sqrt(12)) < 1e-12 && peek(sv, 1) < 1e-6 && isfinite(peek(u, 5)),
          "rank one: %g %g", peek(sv, 0), peek(sv, 1));
    agn_tensor *gone[] = {a, u, sv, vh};
    for (int i = 0; i < COUNT(gone); i++)
        agn_release(gone[i]);
    tell(&q, "svds: tall, wide, all, rank one");
}

/* ---- exponentials ------------------------------------------------------------------------------------ */

static void exponentials(void)
{
    tally q = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int c = 0; c < 5; c++) { /* through the eigenvalues of a rod, in sines */
            int64_t n = 9;
            double time = (double[]){0, 0.1, -1.5, 4, 30}[c], e = 0;
            agn_tensor *a = rod(is_complex(dtypes[d]) ? AGN_C128 : AGN_F64, n), *b = NULL, *y = NULL,
                       *t = scalar_of(AGN_F64, time), *values = NULL, *l = NULL, *v = NULL, *cast = NULL;
            must(agn_sparse_values(&values, a));
            must(agn_eigsh(&l, &v, NULL, a, (int32_t)n, NULL));
            b = random_of(dtypes[d], c % 2 ? 1 : 2, I64(n, 2), -1, 1);
            must(agn_cast(&cast, values, dtypes[d]));
            agn_tensor *as = NULL;
            must(agn_sparse_with_values(&as, a, cast));
            must(agn_expm_multiply(&y, as, b, t));
            agn_scope *s = agn_scope_open(NULL);
            T w = ag_mul(s, v, ag_exp(s, ag_mul_c(s, l, time)));
            T z = ag_matmul(s, w, ag_matmul(s, ag_conj(s, ag_swapaxes(s, v, 0, 1)), b));
            double size = 1;
            for (int64_t i = 0; z && i < agn_numel(z); i++) {
                e = fmax(e, cabs(peekz(z, i) - peekz(y, i)));
                size = fmax(size, cabs(peekz(z, i)));
            }
            must(agn_scope_close(s));
            check(&q, e < size * (loose(dtypes[d]) > 1e-5 ? 1e-4 : 1e-11), "%s t %g: apart %.1e of %.1e",
                  agn_dtype_name(dtypes[d]), time, e, size);
            agn_tensor *gone[] = {a, b, y, t, values, l, v, cast, as};
            for (int i = 0; i < COUNT(gone); i++)
                agn_release(gone[i]);
        }
    tell(&q, "expm_multiply of a rod against its eigenvalues");
}

/* ---- derivatives ------------------------------------------------------------------------------------- */

enum { N = 4 };
typedef struct given {
    agn_tensor *pattern; /* of a full matrix; NULL: dense */
    int32_t k;
    bool vectors, mass;
    agn_eigen_options o;
} given;

static T adjoint(agn_scope *s, T x)
{
    return ag_conj(s, ag_swapaxes(s, x, 0, 1));
}
static T on_pattern(agn_scope *s, const given *q, T x)
{
    return q->pattern ? ag_sparse_with_values(s, q->pattern, ag_reshape(s, x, 1, I64(N * N))) : x;
}

/* of the Hermitian part of in[0] and of in[1]^H in[1] as mass: the values, and what no sign or phase of
   the vectors changes */
BODY(eigen)
{
    const given *q = user;
    agn_tensor *l = NULL, *v = NULL;
    agn_eigen_options o = q->o;
    T a = on_pattern(s, q, ag_mul_c(s, ag_add(s, in[0], adjoint(s, in[0])), 0.5));
    if (q->mass)
        o.mass = on_pattern(s, q, ag_add(s, ag_mul_c(s, ag_matmul(s, adjoint(s, in[1]), in[1]), 0.1),
                                         ag_eye(s, AGN_F64, N, N, 0)));
    if (agn_scope_status(s))
        return agn_scope_status(s);
    agn_status st = agn_eigsh(&l, q->vectors ? &v : NULL, NULL, a, q->k, &o);
    T tl = agn_scope_adopt(s, st, &l), tv = q->vectors ? agn_scope_adopt(s, st, &v) : NULL;
    out[0] = tl;
    if (q->vectors && !agn_scope_status(s)) {
        T w = ag_mul(s, ag_conj(s, tv), tv);
        w = kind_of(agn_dtype_of(tv)) == KIND_COMPLEX ? ag_real(s, w) : w;
        out[0] = ag_concat(s, (T[]){ag_reshape(s, tl, 2, I64(1, q->k)), w}, 2, 0);
    }
    return agn_scope_status(s);
}
/* the projector on the two right vectors, and the singular values */
BODY(svd)
{
    agn_tensor *u = NULL, *sv = NULL, *vh = NULL;
    (void)user;
    agn_status st = agn_svds(&u, &sv, &vh, NULL, in[0], 2, NULL);
    T tu = agn_scope_adopt(s, st, &u), ts = agn_scope_adopt(s, st, &sv), tv = agn_scope_adopt(s, st,
                                                                                              &vh);
    out[0] = ag_add(s, ag_matmul(s, tu, ag_mul(s, ag_expand_dims(s, ag_sin(s, ts), 1), tv)),
                    ag_sum_all(s, ts));
    return agn_scope_status(s);
}
FORMULA(flow, ag_expm_multiply(s, in[0], in[1], in[2]))

static void derivatives(void)
{
    static const struct {
        const char *name;
        int dtype, which;
        int32_t k;
        bool vectors, sparse, mass;
    } cases[] = {
        {"values", AGN_F64, AGN_EIGEN_LARGEST, 2, false, false, false},
        {"vectors, sparse", AGN_F64, AGN_EIGEN_LARGEST, 2, true, true, false},
        {"vectors, complex", AGN_C128, AGN_EIGEN_SMALLEST, 2, true, false, false},
        {"vectors, a mass", AGN_F64, AGN_EIGEN_LARGEST, 2, true, true, true},
        {"all, complex, a mass", AGN_C128, AGN_EIGEN_LARGEST, 4, true, true, true},
        {"nearest", AGN_F64, AGN_EIGEN_NEAREST, 1, true, true, false},
    };
    agn_tensor *ones = NULL, *full = NULL;
    must(agn_full(&ones, AGN_F64, 2, I64(N, N), 1));
    must(agn_sparse_from_dense(&full, ones));
    agn_tensor *d = of_reals(AGN_F64, 2, I64(N, N),
                             (double[]){1, 0, 0, 0, 0, 3, 0, 0, 0, 0, 6, 0, 0, 0, 0, -4});
    for (int c = 0; c < COUNT(cases); c++) {
        given q = {cases[c].sparse ? full : NULL, cases[c].k, cases[c].vectors, cases[c].mass,
                   wanted(cases[c].which)};
        q.o.sigma = -9;
        agn_tensor *x = random_of(cases[c].dtype, 2, I64(N, N), -0.6, 0.6), *a = NULL;
        agn_tensor *m = random_of(cases[c].dtype, 2, I64(N, N), -1, 1);
        must(agn_add(&a, x, d));
        agn_fn *f = whole_fn(eigen, &q, 1 + q.mass, 1);
        const T in[2] = {a, m};
        in_every_mode(f, 1 + q.mass, in, 1e-2, 2e-5, cases[c].name);
        every_allocation(whole_run, &(whole_call){f, in}, cases[c].name);
        agn_fn_release(f);
        agn_release(x);
        agn_release(a);
        agn_release(m);
    }
    agn_tensor *a = random_of(AGN_F64, 2, I64(5, 3), -1, 1);
    agn_fn *f = whole_fn(svd, NULL, 1, 1);
    in_every_mode(f, 1, (const T[]){a}, 1e-2, 1e-4, "svds");
    agn_fn_release(f);
    agn_release(a);
    a = random_of(AGN_F64, 2, I64(3, 3), -1, 1);
    agn_tensor *b = random_of(AGN_F64, 2, I64(3, 2), -1, 1), *t = scalar_of(AGN_F64, 0.7);
    f = whole_fn(flow, NULL, 3, 1);
    const T in[3] = {a, b, t};
    tally q = {0, 0};
    agn_check_result worst = {.size = sizeof worst};
    agn_status st = agn_check_grads(&worst, f, in, 3,
                                    &(agn_check_options){.size = sizeof(agn_check_options), .orders = 3, .entries = 4, .tolerance = 1e-6});
    check(&q, !st || st == AGN_ESYMBOLIC, "%s", agn_error_message());
    tell(&q, "expm_multiply: differences to order 3, worst %.1e", worst.error);
    agn_fn_release(f);
    agn_tensor *gone[] = {a, b, t, ones, full, d};
    for (int i = 0; i < COUNT(gone); i++)
        agn_release(gone[i]);
}

/* ---- errors -------------------------------------------------------------------------------------------- */

FORMULA(two_results, in[0], in[0])
FORMULA(shorter, ag_sum_all(s, in[0]))

static void refusals(void)
{
    agn_tensor *a = rod(AGN_F64, 6), *row = random_of(AGN_F64, 1, I64(6), 0, 1), *l, *v = NULL;
    agn_tensor *wide = random_of(AGN_F64, 2, I64(3, 6), 0, 1), *dense = NULL, *bad = NULL, *w = NULL,
               *minus = NULL, *half = NULL, *values = NULL, *nothing = NULL;
    agn_fn *pair = whole_fn(two_results, NULL, 1, 2), *less = whole_fn(shorter, NULL, 1, 1);
    tally q = {0, 0};
    agn_eigen_options o;
    must(agn_sparse_to_dense(&dense, a));
    must(agn_full(&bad, AGN_F64, 2, I64(6, 6), NAN));
    must(agn_neg(&minus, dense));
    must(agn_cast(&half, dense, AGN_F16));
    must(agn_watch(&w, dense));
#define NO(st, op, f1, f2, call, ...)                                              \
    do {                                                                           \
        o = wanted(AGN_EIGEN_LARGEST);                                             \
        __VA_ARGS__;                                                               \
        l = untouched;                                                             \
        agn_status st_ = call;                                                     \
        check(&q, refused(st_, st, op, f1, f2, l), "%s: %s", #call, #__VA_ARGS__); \
    } while (0)
#define EIGSH(x, k) agn_eigsh(&l, NULL, NULL, x, k, &o)
    NO(AGN_ENULL, "eigsh", "a is NULL", NULL, EIGSH(NULL, 1), );
    NO(AGN_ENULL, "eigs", "a is NULL", NULL, agn_eigs(&l, NULL, NULL, NULL, 1, &o), );
    NO(AGN_ENULL, "svds", "a is NULL", NULL, agn_svds(NULL, &l, NULL, NULL, NULL, 1, NULL), );
    NO(AGN_ENULL, "svds", "s is NULL", NULL, agn_svds(&l, NULL, NULL, NULL, a, 1, NULL), );
    NO(AGN_ESHAPE, "eigsh", "[6]", "1 axes", EIGSH(row, 1), );
    NO(AGN_ESHAPE, "eigsh", "[3,6]", "square", EIGSH(wide, 1), );
    NO(AGN_EARG, "eigsh", "7 values", "6", EIGSH(a, 7), );
    NO(AGN_EARG, "eigsh", "-1 values", "6", EIGSH(a, -1), );
    NO(AGN_EARG, "eigsh", "0 bytes", NULL, EIGSH(a, 1), o.size = 0);
    NO(AGN_EARG, "eigsh", "which 5", "5", EIGSH(a, 1), o.which = 5);
    NO(AGN_EARG, "eigsh", "basis -1", NULL, EIGSH(a, 1), o.basis = -1);
    NO(AGN_EARG, "eigsh", "basis of 3", "2 values", EIGSH(a, 2), o.basis = 3);
    NO(AGN_EARG, "eigsh", "2 results", NULL, EIGSH(a, 1), o.solve = pair);
    NO(AGN_ESHAPE, "eigsh", "the mass", "[3,6]", EIGSH(a, 1), o.mass = wide);
    NO(AGN_ESHAPE, "eigsh", "the mass is dense", "csr", EIGSH(a, 1), o.mass = dense);
    NO(AGN_ESHAPE, "eigsh", "solve makes", "[6]", EIGSH(a, 1), o.which = AGN_EIGEN_NEAREST; o.solve = less);
    NO(AGN_EUNSUPPORTED, "eigsh", "dense", "give solve", EIGSH(dense, 1), o.which = AGN_EIGEN_NEAREST);
    NO(AGN_EUNSUPPORTED, "eigsh", "dense", "give solve", EIGSH(dense, 1), o.mass = dense);
    NO(AGN_EDOMAIN, "eigsh", "NaN", NULL, EIGSH(bad, 1), );
    NO(AGN_ENOCONV, "eigsh", "of 1 eigenvalues", "products", agn_eigsh(&l, NULL, NULL, nothing, 1, &o),
       o.max_products = 1; o.basis = 3; nothing = rod(AGN_F64, 50));
    NO(AGN_EARG, "svds", "which is 2", NULL, agn_svds(NULL, &l, NULL, NULL, a, 1, &o), );
    NO(AGN_EARG, "eigs", "mass", NULL, agn_eigs(&l, NULL, NULL, a, 1, &o), o.mass = a);
    agn_tensor *eye = NULL, *ones = NULL;
    must(agn_eye(&eye, AGN_F64, 6, 6, 0));
    must(agn_sparse_from_dense(&ones, eye));
    NO(AGN_EDOMAIN, "eigsh", "singular", NULL, EIGSH(ones, 1), o.which = AGN_EIGEN_NEAREST; o.sigma = 1);
    agn_release(eye);
    agn_release(ones);
    agn_tensor *odd = NULL, *phase = NULL, *even = NULL;
    must(agn_from_host(&odd, AGN_F64, 2, I64(2, 2), (const double[]){1, 2, 0, 1}));
    must(agn_from_host(&phase, AGN_C128, 2, I64(2, 2), (const double[]){1, 0.5, 0, 0, 0, 0, 2, 0}));
    must(agn_eye(&even, AGN_F64, 2, 2, 0));
    NO(AGN_EDOMAIN, "eigsh", "a is not symmetric", "differ by", EIGSH(odd, 1), );
    NO(AGN_EDOMAIN, "eigsh", "a is not Hermitian", "differ by", EIGSH(phase, 1), );
    NO(AGN_EDOMAIN, "eigsh", "a is not symmetric", NULL, EIGSH(odd, 1), o.method = AGN_EIGEN_LOBPCG);
    NO(AGN_EDOMAIN, "eigsh", "the mass is not symmetric", NULL, EIGSH(even, 1), o.mass = odd;
       o.method = AGN_EIGEN_LOBPCG);
    agn_release(odd);
    agn_release(phase);
    agn_release(even);
    agn_eigen_info small = {.size = 2};
    NO(AGN_EARG, "eigsh", "2 bytes", NULL, agn_eigsh(&l, NULL, &small, a, 1, &o), );
    l = NULL;
    must(agn_eigsh(&l, NULL, NULL, half, 1, NULL));
    check(&q, agn_dtype_of(l) == AGN_F32, "f16 is computed wider");
    agn_release(l);
    tell(&q, "what eigsh, eigs and svds refuse");
    q = (tally){0, 0};
    agn_tensor *t = scalar_of(AGN_F64, 1), *z = scalar_of(AGN_C128, 1), *far = scalar_of(AGN_F64, 1e9);
#define FLOW(x, b, t_) agn_expm_multiply(&l, x, b, t_)
    NO(AGN_ENULL, "expm_multiply", "b is NULL", NULL, FLOW(a, NULL, t), );
    NO(AGN_ENULL, "expm_multiply", "t is NULL", NULL, FLOW(a, row, NULL), );
    NO(AGN_ESHAPE, "expm_multiply", "[3,6]", "square", FLOW(wide, row, t), );
    NO(AGN_ESHAPE, "expm_multiply", "rows differ", "[3,6]", FLOW(a, wide, t), );
    NO(AGN_ESHAPE, "expm_multiply", "[6]", "without axes", FLOW(a, row, row), );
    NO(AGN_EDTYPE, "expm_multiply", "c128", NULL, FLOW(a, row, z), );
    NO(AGN_EDOMAIN, "expm_multiply", "norm", "e+06", FLOW(a, row, far), );
    NO(AGN_EDOMAIN, "expm_multiply", "nan", NULL, FLOW(bad, row, t), );
    NO(AGN_EUNSUPPORTED, "expm_multiply", "sparse", NULL, FLOW(a, a, t), );
    tell(&q, "what expm_multiply refuses");
    agn_tensor *gone[] = {a, row, v, wide, dense, bad, w, minus, half, values, nothing, t, z, far};
    for (int i = 0; i < COUNT(gone); i++)
        agn_release(gone[i]);
    agn_fn_release(pair);
    agn_fn_release(less);
}

int main(void)
{
    known();
    others();
    general();
    balanced();
    singular();
    exponentials();
    derivatives();
    refusals();
    int64_t blocks;
    agn_memory_live(NULL, &blocks, NULL);
    ok(blocks == 0, "nothing is left: %" PRId64 " blocks", blocks);
    return done();
}
