/* Modules on a device: Fourier transforms, Cholesky and triangular solves, sparse products and
   their gradients, special functions,
   dense factorisations, samplers, beside the CPU. */
#include "cuda.h"

static const int floats[] = {AGN_F32, AGN_F64, AGN_C64, AGN_C128};

static void agree(tally *t, agn_status st, agn_tensor *have, agn_tensor *want, double tol,
                  const char *what, int dtype)
{
    double e = st ? (double)INFINITY : relative(have, want);
    check(t, e <= tol, "%s of %s: %g %s", what, agn_dtype_name(dtype), e,
          st ? agn_error_message() : "");
    agn_release(have), agn_release(want);
}

static void test_fft(void)
{
    static const int64_t lengths[] = {1, 2, 8, 9, 100};
    tally t = {0, 0};
    for (int dtype = AGN_F32; dtype <= AGN_F64; dtype++)
        for (int i = 0; i < COUNT(lengths); i++)
            for (int axis = 0; axis < 3; axis++)
                for (int norm = 0; norm < 3; norm++) {
                    int64_t shape[3] = {3, 4, 5};
                    shape[axis] = lengths[i];
                    agn_tensor *x = random_of(dtype, 3, shape, -1, 1), *d = on_device(x);
                    agn_tensor *want, *y, *back = NULL, *wback;
                    double tol = 10 * tolerance(dtype);
                    must(agn_fft_rfft(&want, x, 0, axis, norm));
                    agn_status st = agn_fft_rfft(&y, d, 0, axis, norm);
                    if (!st) {
                        must(agn_fft_irfft(&wback, want, lengths[i], axis, norm));
                        st = agn_fft_irfft(&back, y, lengths[i], axis, norm);
                        agree(&t, st, back, wback, tol, "irfft", dtype);
                        must(agn_fft_ifft(&wback, want, 0, axis, norm));
                        st = agn_fft_ifft(&back, y, 0, axis, norm);
                        agree(&t, st, back, wback, tol, "ifft", dtype);
                        st = AGN_OK;
                    }
                    agree(&t, st, y, want, tol, "rfft", dtype);
                    agn_release(x), agn_release(d);
                }
    tell(&t, "Fourier transforms along any axis");
}

/* Three axes are one transform of cuFFT, in any order and place, four and five are two. */
static void test_fft_axes(void)
{
    static const int32_t axes[][5] = {{3, 4}, {4, 3}, {0, 2}, {2, 3, 4}, {4, 0, 2}, {1, 2, 3, 4}, {3, 1, 4, 0, 2}};
    static const int n_axes[] = {2, 2, 2, 3, 3, 4, 5};
    tally t = {0, 0}, calls = {0, 0};
    long (*counted)(const char *what) = NULL;
    void *f = emulator_symbol("agn_emulator_count");
    memcpy(&counted, &f, sizeof f);
    for (int dtype = AGN_F32; dtype <= AGN_F64; dtype++)
        for (int i = 0; i < COUNT(axes); i++)
            for (int odd = 0; odd < 2; odd++) {
                int n = n_axes[i], last = axes[i][n - 1];
                int64_t shape[] = {2, 3, 4, 5, 6}, length[5];
                double tol = 10 * tolerance(dtype);
                shape[last] += odd;
                agn_tensor *x = random_of(dtype, 5, shape, -1, 1), *d = on_device(x), *want, *y, *back, *wback;
                for (int k = 0; k < n; k++)
                    length[k] = shape[axes[i][k]];
                must(agn_device_synchronize(cuda));
                long before = counted ? counted("cufft") : 0;
                must(agn_fft_rfftn(&want, x, NULL, axes[i], n, 0));
                agn_status st = agn_fft_rfftn(&y, d, NULL, axes[i], n, 0);
                must(agn_device_synchronize(cuda));
                if (counted)
                    check(&calls, counted("cufft") - before == (n > 3 ? 2 : 1), "%d axes: %ld transforms", n,
                          counted("cufft") - before);
                if (!st) {
                    must(agn_fft_irfftn(&wback, want, length, axes[i], n, 1));
                    st = agn_fft_irfftn(&back, y, length, axes[i], n, 1);
                    agree(&t, st, back, wback, tol, "irfftn", dtype);
                    must(agn_fft_fftn(&wback, want, NULL, axes[i], n, 2));
                    st = agn_fft_fftn(&back, y, NULL, axes[i], n, 2);
                    agree(&t, st, back, wback, tol, "fftn", dtype);
                    st = AGN_OK;
                }
                agree(&t, st, y, want, tol, "rfftn", dtype);
                agn_release(x), agn_release(d);
            }
    tell(&t, "Fourier transforms over several axes");
    tell(&calls, "three axes at once");
}

/* a^H a + 1 */
static agn_tensor *definite(int dtype, int64_t batch, int64_t n)
{
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *r = random_of(dtype, 3, (int64_t[]){batch, n, n}, -1, 1), *out = NULL;
    const agn_tensor *a = ag_matmul(s, ag_conj(s, ag_permute(s, r, (int32_t[]){0, 2, 1}, 3)), r);
    agn_scope_return(s, &out, ag_add(s, a, ag_eye(s, agn_dtype_of(r), n, n, 0)));
    must(agn_scope_close(s));
    agn_release(r);
    return out;
}

static void test_factors(void)
{
    static const int64_t sizes[][2] = {{1, 1}, {1, 40}, {7, 3}, {4, 33}, {0, 3}};
    tally t = {0, 0};
    for (int k = 0; k < COUNT(floats); k++)
        for (int i = 0; i < COUNT(sizes); i++)
            for (int upper = 0; upper < 2; upper++) {
                int dtype = floats[k];
                int64_t n = sizes[i][1], at = upper;
                agn_tensor *a = definite(dtype, sizes[i][0], n), *d = on_device(a), *want, *y;
                must(agn_op_apply(&want, 1, "linalg_cholesky", (const agn_tensor *[]){a}, 1, &at, 1,
                                  NULL, 0));
                agn_status st = agn_op_apply(&y, 1, "linalg_cholesky", (const agn_tensor *[]){d}, 1,
                                             &at, 1, NULL, 0);
                if (st) {
                    agree(&t, st, NULL, want, 0, "cholesky", dtype);
                    continue;
                }
                agn_tensor *b = random_of(dtype, 2, (int64_t[]){n, 4}, -1, 1), *db = on_device(b);
                agn_tensor *x, *dx;
                must(agn_op_apply(&x, 1, "linalg_triangular_solve", (const agn_tensor *[]){want, b}, 2,
                                  &at, 1, NULL, 0));
                st = agn_op_apply(&dx, 1, "linalg_triangular_solve", (const agn_tensor *[]){y, db}, 2,
                                  &at, 1, NULL, 0);
                agree(&t, st, dx, x, 200 * tolerance(dtype), "triangular solve", dtype);
                agn_tensor *lt, *dlt;
                int64_t other = !upper;
                must(agn_permute(&lt, want, (int32_t[]){0, 2, 1}, 3));
                must(agn_permute(&dlt, y, (int32_t[]){0, 2, 1}, 3));
                must(agn_op_apply(&x, 1, "linalg_triangular_solve", (const agn_tensor *[]){lt, b}, 2,
                                  &other, 1, NULL, 0));
                st = agn_op_apply(&dx, 1, "linalg_triangular_solve", (const agn_tensor *[]){dlt, db},
                                  2, &other, 1, NULL, 0);
                agree(&t, st, dx, x, 200 * tolerance(dtype), "transposed solve", dtype);
                other = upper + 2; /* ones on the diagonal */
                agn_release(lt), agn_release(dlt);
                must(agn_mul_c(&lt, want, 1. / 64));
                dlt = on_device(lt);
                must(agn_op_apply(&x, 1, "linalg_triangular_solve", (const agn_tensor *[]){lt, b}, 2,
                                  &other, 1, NULL, 0));
                st = agn_op_apply(&dx, 1, "linalg_triangular_solve", (const agn_tensor *[]){dlt, db},
                                  2, &other, 1, NULL, 0);
                agree(&t, st, dx, x, 200 * tolerance(dtype), "unit triangular solve", dtype);
                agree(&t, AGN_OK, y, want, 20 * tolerance(dtype), "cholesky", dtype);
                agn_release(a), agn_release(d), agn_release(b), agn_release(db), agn_release(lt);
                agn_release(dlt);
            }
    for (int k = 0; k < COUNT(floats); k++)
        for (int64_t upper = 0; upper < 2; upper++) { /* of matrices with more columns than rows */
            agn_tensor *a = random_of(floats[k], 3, (int64_t[]){2, 3, 5}, -1, 1), *d = on_device(a), *want, *y = NULL;
            const double factor = 0.5;
            must(agn_op_apply(&want, 1, "linalg_triangle", (const agn_tensor *[]){a}, 1, &upper, 1, &factor, 1));
            agn_status st = agn_op_apply(&y, 1, "linalg_triangle", (const agn_tensor *[]){d}, 1, &upper, 1, &factor, 1);
            agree(&t, st, y, want, 0, "triangle", floats[k]);
            agn_release(a), agn_release(d);
        }
    tell(&t, "Cholesky factors and triangular solves, batched; triangles of any matrix");
    must(agn_device_synchronize(cuda));
    agn_tensor *a = definite(AGN_F64, 3, 4), *d, *y, *neg;
    must(agn_neg(&neg, a));
    agn_tensor *mixed;
    must(agn_concat(&mixed, (const agn_tensor *[]){a, neg}, 2, 0));
    d = on_device(mixed);
    must(agn_linalg_cholesky(&y, d, false));
    is_int(agn_device_synchronize(cuda), AGN_EDOMAIN, "a matrix that is not definite is told");
    is_str(agn_error_message(), "linalg_cholesky: matrix 3 of the batch is not positive definite",
           "by its number");
    agn_tensor *h = on_host(y);
    ok(isnan(peek(h, 3 * 16)) && isfinite(peek(h, 2 * 16)), "it alone is NaN");
    agn_release(a), agn_release(d), agn_release(y), agn_release(neg), agn_release(mixed);
    agn_release(h);
}

/* the loss of a product with a sparse matrix, by its values and the dense operand */
typedef struct pattern {
    const agn_tensor *indptr, *index;
} pattern;
static agn_status sparse_loss(void *user, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    const pattern *p = user;
    agn_tensor *a = NULL;
    agn_status st = agn_sparse_csr(&a, 6, 5, p->indptr, p->index, in[0]);
    const agn_tensor *m = agn_scope_adopt(s, st, &a);
    const agn_tensor *y = m ? ag_sparse_matmul(s, m, in[1]) : NULL;
    out[0] = y ? ag_sum_all(s, ag_sin(s, y)) : NULL;
    return agn_scope_status(s);
}

static void test_sparse(void)
{
    int64_t indptr[] = {0, 2, 2, 5, 6, 8, 9}, index[] = {0, 3, 0, 1, 4, 2, 1, 3, 4};
    agn_tensor *ip, *ix;
    must(agn_from_host(&ip, AGN_I64, 1, (int64_t[]){7}, indptr));
    must(agn_from_host(&ix, AGN_I64, 1, (int64_t[]){9}, index));
    tally t = {0, 0};
    for (int dtype = AGN_F32; dtype <= AGN_F64; dtype++)
        for (int64_t n = 1; n < 70; n += 34) {
            pattern p = {ip, ix};
            agn_fn *f, *g;
            must(agn_fn_new(&f, sparse_loss, &p, NULL, 2, 1));
            must(agn_fn_value_and_grad(&g, f, (int32_t[]){0, 1}, 2));
            agn_tensor *x[2] = {random_of(dtype, 1, (int64_t[]){9}, -1, 1),
                                random_of(dtype, 2, (int64_t[]){5, n}, -1, 1)};
            agn_tensor *d[2] = {on_device(x[0]), on_device(x[1])}, *want[3], *y[3] = {NULL};
            must(agn_fn_call(want, 3, g, (const agn_tensor *const *)x, 2));
            agn_status st = agn_fn_call(y, 3, g, (const agn_tensor *const *)d, 2);
            for (int i = 0; i < 3; i++)
                agree(&t, st, y[i], want[i], 10 * tolerance(dtype), "sparse product", dtype);
            agn_release(x[0]), agn_release(x[1]), agn_release(d[0]), agn_release(d[1]);
            agn_fn_release(f), agn_fn_release(g);
        }
    tell(&t, "sparse products and their gradients");
    agn_release(ip), agn_release(ix);
}

/* u diag(s) vh */
static agn_tensor *svd_product(const agn_tensor *u, const agn_tensor *s, const agn_tensor *vh)
{
    agn_scope *c = agn_scope_open(NULL);
    agn_tensor *y = NULL;
    int64_t k = agn_shape(s)[agn_ndim(s) - 1];
    const int64_t none[3] = {0, 0, 0}, one[3] = {1, 1, 1}, *us = agn_shape(u), *vs = agn_shape(vh);
    const agn_tensor *cut = ag_slice(c, u, 3, none, (int64_t[]){us[0], us[1], k}, one);
    const agn_tensor *low = ag_slice(c, vh, 3, none, (int64_t[]){vs[0], k, vs[2]}, one);
    agn_scope_return(c, &y, ag_matmul(c, ag_mul(c, cut, ag_expand_dims(c, s, -2)), low));
    must(agn_scope_close(c));
    return y;
}
/* the largest entry of |x^H x - 1| */
static double not_unitary(const agn_tensor *x)
{
    agn_scope *c = agn_scope_open(NULL);
    agn_tensor *y = NULL;
    int64_t n = agn_shape(x)[agn_ndim(x) - 1];
    const agn_tensor *g = ag_matmul(c, ag_conj(c, ag_permute(c, x, (int32_t[]){0, 2, 1}, 3)), x);
    agn_scope_return(c, &y, ag_max(c, ag_abs(c, ag_sub(c, g, ag_eye(c, agn_dtype_of(x), n, n, 0))), NULL, 0, false));
    must(agn_scope_close(c));
    double d = peek(y, 0);
    agn_release(y);
    return d;
}

static void compare_svd(tally *t, const agn_tensor *a, const agn_tensor *d, bool full, int dtype)
{
    agn_tensor *u = NULL, *s = NULL, *vh = NULL, *want, *y;
    double tol = 50 * tolerance(dtype);
    must(agn_linalg_svdvals(&want, a));
    agn_status st = agn_linalg_svd(&u, &s, &vh, d, full);
    if (!st) {
        agn_tensor *hu = on_host(u), *hs = on_host(s), *hv = on_host(vh), *vt;
        y = svd_product(hu, hs, hv);
        check(t, relative(y, a) <= tol, "u s vh is a, %s, full %d: %g", agn_dtype_name(dtype), full, relative(y, a));
        must(agn_permute(&vt, hv, (int32_t[]){0, 2, 1}, 3));
        double no = fmax(not_unitary(hu), not_unitary(vt));
        check(t, no <= tol, "u and vh are unitary, %s, full %d: %g", agn_dtype_name(dtype), full, no);
        agn_release(hu), agn_release(hs), agn_release(hv), agn_release(vt), agn_release(y);
    }
    agree(t, st, s, want, tol, "singular values", dtype);
    agn_release(u), agn_release(vh);
}

static void test_dense(void)
{
    static const int64_t sizes[][3] = {{1, 1, 1}, {3, 4, 4}, {2, 7, 3}, {2, 3, 6}, {1, 33, 33}, {2, 5, 5},
                                       {3, 40, 40}, {1, 70, 40}, {2, 40, 70}, {17, 33, 33}};
    tally t = {0, 0};
    long (*count)(const char *) = NULL;
    *(void **)&count = emulator_symbol("agn_emulator_count");
    long batches = count ? count("cublas geqrfBatched") : 0, single = count ? count("cusolver geqrf") : 0;
    for (int k = 0; k < COUNT(floats); k++)
        for (int i = 0; i < COUNT(sizes); i++) {
            int dtype = floats[k];
            int64_t m = sizes[i][1], n = sizes[i][2];
            double tol = 300 * tolerance(dtype);
            agn_tensor *a = random_of(dtype, 3, sizes[i], -1, 1), *d = on_device(a), *w[3] = {NULL}, *y[3] = {NULL};
            if (i == 5) { /* of rank 2, and scaled */
                agn_tensor *l = random_of(dtype, 3, (int64_t[]){2, 5, 2}, -1, 1);
                agn_tensor *r = random_of(dtype, 3, (int64_t[]){2, 2, 5}, -1, 1), *p;
                must(agn_matmul(&p, l, r));
                agn_release(a), agn_release(d), agn_release(l), agn_release(r);
                must(agn_mul_c(&a, p, dtype == AGN_F64 ? 1e200 : 1e20));
                d = on_device(a);
                agn_release(p);
            }
            for (int full = 0; full < 2; full++) {
                compare_svd(&t, a, d, full, dtype);
                if (i == 5)
                    continue;
                must(agn_linalg_qr(&w[0], &w[1], a, full));
                agn_status st = agn_linalg_qr(&y[0], &y[1], d, full);
                agree(&t, st, y[0], w[0], tol, "q", dtype);
                agree(&t, st, y[1], w[1], tol, "r", dtype);
            }
            must(agn_linalg_pinv(&w[0], a, i == 5 ? 1e-3 : -1));
            agn_status st = agn_linalg_pinv(&y[0], d, i == 5 ? 1e-3 : -1);
            agree(&t, st, y[0], w[0], tol, "pinv", dtype);
            must(agn_linalg_lu_factor(&w[0], &w[1], a));
            st = agn_linalg_lu_factor(&y[0], &y[1], d);
            if (i == 5) /* pivots are rounding */
                agn_release(w[0]), agn_release(w[1]), agn_release(y[0]), agn_release(y[1]);
            else {
                agree(&t, st, y[1], w[1], 0, "order of rows", dtype);
                agree(&t, st, y[0], w[0], tol, "lu", dtype);
            }
            if (m == n && i != 5) {
                agn_tensor *b = random_of(dtype, 2, (int64_t[]){n, 3}, -1, 1), *db = on_device(b);
                for (int64_t form = 0; form < 4; form++) {
                    agn_tensor *lu[2], *dlu[2];
                    must(agn_op_apply(lu, 2, "linalg_lu_factor", (const agn_tensor *[]){a}, 1, NULL, 0, NULL, 0));
                    must(agn_op_apply(dlu, 2, "linalg_lu_factor", (const agn_tensor *[]){d}, 1, NULL, 0, NULL, 0));
                    must(agn_op_apply(w, 1, "linalg_lu_solve", (const agn_tensor *[]){lu[0], lu[1], a, b}, 4, &form, 1,
                                      NULL, 0));
                    st = agn_op_apply(y, 1, "linalg_lu_solve", (const agn_tensor *[]){dlu[0], dlu[1], d, db}, 4, &form, 1,
                                      NULL, 0);
                    agree(&t, st, y[0], w[0], tol, "solve", dtype);
                    for (int j = 0; j < 2; j++)
                        agn_release(lu[j]), agn_release(dlu[j]);
                }
                must(agn_linalg_det(&w[0], a));
                st = agn_linalg_det(&y[0], d);
                agree(&t, st, y[0], w[0], tol, "det", dtype);
                must(agn_linalg_slogdet(&w[0], &w[1], a));
                st = agn_linalg_slogdet(&y[0], &y[1], d);
                agree(&t, st, y[0], w[0], tol, "sign of det", dtype);
                agree(&t, st, y[1], w[1], tol, "log det", dtype);
                for (int upper = 0; upper < 2; upper++) {
                    must(agn_linalg_eigh(&w[0], &w[1], a, upper));
                    st = agn_linalg_eigh(&y[0], &y[1], d, upper);
                    agree(&t, st, y[0], w[0], tol, "eigenvalues", dtype);
                    agree(&t, st, y[1], w[1], 100 * tol, "eigenvectors", dtype);
                }
                agn_release(b), agn_release(db);
            }
            agn_release(a), agn_release(d);
        }
    tell(&t, "LU, QR, eigenpairs, singular values, inverses, determinants");
    must(agn_device_synchronize(cuda));
    if (count) { /* sizes of two kinds, of each two forms */
        is_int(count("cublas geqrfBatched") - batches, 2 * 2 * COUNT(floats), "batches go to cuBLAS in one call");
        is_int(count("cusolver geqrf") - single, 2 * 2 * COUNT(floats), "single matrices to cuSOLVER");
    } else {
        skip("calls of a batch: the device is a real one");
    }
    static const struct {
        double value;
        const char *says;
    } bad[] = {{1, "linalg_solve: matrix 1 of the batch is singular"},
               {(double)NAN, "a factorisation: matrix 1 of the batch, or a factor of it, is not finite"}};
    for (int k = 0; k < 2; k++) {
        double a[3][2][2] = {{{1, 2}, {3, 4}}, {{bad[k].value, 2}, {1, 2}}, {{2, 0}, {0, 1}}};
        agn_tensor *h, *d, *y, *near;
        must(agn_from_host(&h, AGN_F64, 3, (int64_t[]){3, 2, 2}, a));
        d = on_device(h);
        must(agn_linalg_inv(&y, d));
        is_int(agn_device_synchronize(cuda), AGN_EDOMAIN, "a matrix without inverse is told");
        is_str(agn_error_message(), bad[k].says, "by its number");
        near = on_host(y);
        ok(isnan(peek(near, 4)) && tap_close(peek(near, 0), -2, 1e-14) && tap_close(peek(near, 11), 1, 1e-14),
           "it alone is NaN");
        agn_release(h), agn_release(d), agn_release(y), agn_release(near);
    }
}

/* what fails of matrices that go to cuSOLVER, one by one and many at once: NaN, and told by its number */
static void test_large_faults(void)
{
    static const char *const names[] = {"inv", "det", "lu_factor", "qr", "eigh", "svd", "svdvals"};
    enum { N = 40, MOST = 20 };
    static double a[MOST][N][N];
    tally t = {0, 0};
    for (int batch = 3; batch <= MOST; batch += MOST - 3)
        for (int f = 0; f < COUNT(names); f++)
            for (int wild = f > 0; wild < 2; wild++) {
                agn_tensor *h, *d, *y[3] = {NULL}, *near;
                for (int m = 0; m < batch; m++)
                    for (int i = 0; i < N; i++)
                        for (int j = 0; j < N; j++)
                            a[m][i][j] = m == 1 && i == 7 && j == 7 ? (wild ? (double)NAN : 0) : 2 * (i == j);
                must(agn_from_host(&h, AGN_F64, 3, (int64_t[]){batch, N, N}, a));
                d = on_device(h);
                agn_status st = f == 0   ? agn_linalg_inv(&y[0], d)
                                : f == 1 ? agn_linalg_det(&y[0], d)
                                : f == 2 ? agn_linalg_lu_factor(&y[0], &y[1], d)
                                : f == 3 ? agn_linalg_qr(&y[0], &y[1], d, false)
                                : f == 4 ? agn_linalg_eigh(&y[0], &y[1], d, false)
                                : f == 5 ? agn_linalg_svd(&y[0], &y[1], &y[2], d, false)
                                         : agn_linalg_svdvals(&y[0], d);
                must(st);
                st = agn_device_synchronize(cuda);
                check(&t, st == AGN_EDOMAIN && strstr(agn_error_message(), "matrix 1 of the batch"), "%s of %d: %s",
                      names[f], batch, agn_error_message());
                for (int k = 0; k < 3 && y[k]; k++) {
                    near = on_host(y[k]);
                    int64_t one = agn_numel(near) / batch;
                    bool order = kind_of(agn_dtype_of(near)) <= KIND_INT;
                    check(&t, order || (isnan(peek(near, one)) && isfinite(peek(near, one - 1)) &&
                                        isfinite(peek(near, 2 * one))),
                          "result %d of %s, %d matrices", k, names[f], batch);
                    agn_release(near), agn_release(y[k]);
                }
                agn_release(h), agn_release(d);
            }
    tell(&t, "large matrices that have no factors");
}

/* integers, permutations, categories and points are the host's */
static void test_samplers(void)
{
    static const char *const laws[] = {"random_integers", "random_bernoulli", "random_poisson", "random_binomial",
                                       "random_gamma",    "random_truncated"};
    static const int64_t lead[][2] = {{AGN_I8, 1}, {0, 0}, {AGN_I64, 1}, {AGN_I32, 1}, {1, 1}, {0, 0}};
    tally t = {0, 0};
    agn_tensor *key, *dkey, *w, *y = NULL;
    must(agn_from_host(&key, AGN_I64, 2, (int64_t[]){3, 2}, (int64_t[]){1, 2, 3, 4, 5, 6}));
    dkey = on_device(key);
    for (int k = 0; k < COUNT(laws); k++)
        for (int wide = 0; wide < 2; wide++) {
            int64_t at[3], n = lead[k][1];
            int dtype = wide ? AGN_F64 : AGN_F32;
            at[0] = lead[k][0], at[n] = 41;
            agn_tensor *p = NULL, *q = NULL, *dp, *dq = NULL;
            if (k == 0) {
                p = random_of(AGN_I64, 2, (int64_t[]){3, 1}, -40, -1), q = random_of(AGN_I64, 1, (int64_t[]){41}, 1, 90);
            } else if (k == 3) {
                p = random_of(AGN_I64, 1, (int64_t[]){41}, 0, 900), q = random_of(dtype, 2, (int64_t[]){3, 1}, 0, 1);
            } else if (k == 5) {
                p = random_of(dtype, 1, (int64_t[]){41}, -3, 3), q = random_of(dtype, 2, (int64_t[]){3, 1}, 3, 3.0005);
            } else {
                p = random_of(dtype, 1, (int64_t[]){41}, 0.01, k == 1 ? 1 : 30);
            }
            const agn_tensor *in[3] = {key, p, q}, *din[3] = {dkey, dp = on_device(p), q ? dq = on_device(q) : NULL};
            must(agn_op_apply(&w, 1, laws[k], in, q ? 3 : 2, at, (int32_t)n + 1, NULL, 0));
            agn_status st = agn_op_apply(&y, 1, laws[k], din, q ? 3 : 2, at, (int32_t)n + 1, NULL, 0);
            agree(&t, st, y, w, k < 4 ? 0 : tolerance(dtype), laws[k], dtype);
            agn_release(p), agn_release(q), agn_release(dp), agn_release(dq);
        }
    for (int dtype = AGN_F32; dtype <= AGN_F64; dtype++) {
        agn_tensor *p = random_of(dtype, 2, (int64_t[]){3, 20}, 0, 5), *dp = on_device(p);
        for (int64_t again = 0; again < 2; again++) {
            const int64_t at[3] = {9, again, 0};
            must(agn_op_apply(&w, 1, "random_multinomial", (const agn_tensor *[]){key, p}, 2, at, 3, NULL, 0));
            agn_status st = agn_op_apply(&y, 1, "random_multinomial", (const agn_tensor *[]){dkey, dp}, 2, at, 3, NULL, 0);
            agree(&t, st, y, w, 0, "random_multinomial", dtype);
        }
        for (int64_t scramble = 0; scramble < 2; scramble++)
            for (int halton = 0; halton < 2; halton++) {
                const int64_t at[5] = {dtype, 100, scramble, 70, 9};
                const char *op = halton ? "halton" : "sobol";
                must(agn_op_apply(&w, 1, op, (const agn_tensor *[]){key}, 1, at, 5, NULL, 0));
                agn_status st = agn_op_apply(&y, 1, op, (const agn_tensor *[]){dkey}, 1, at, 5, NULL, 0);
                agree(&t, st, y, w, 0, op, dtype);
            }
        agn_release(p), agn_release(dp);
    }
    int64_t n = 300;
    must(agn_op_apply(&w, 1, "random_permutation", (const agn_tensor *[]){key}, 1, &n, 1, NULL, 0));
    agn_status st = agn_op_apply(&y, 1, "random_permutation", (const agn_tensor *[]){dkey}, 1, &n, 1, NULL, 0);
    agree(&t, st, y, w, 0, "random_permutation", AGN_I64);
    tell(&t, "samplers give the host's numbers");
    must(agn_device_synchronize(cuda));
    double p[3] = {0.5, 1.5, 0.25};
    agn_tensor *h, *d, *one, *dev;
    must(agn_from_host(&one, AGN_I64, 1, (int64_t[]){2}, (int64_t[]){1, 2}));
    must(agn_from_host(&h, AGN_F64, 1, (int64_t[]){3}, p));
    d = on_device(h), dev = on_device(one);
    must(agn_random_bernoulli(&y, dev, d, 1, (int64_t[]){3}));
    is_int(agn_device_synchronize(cuda), AGN_EDOMAIN, "a parameter outside of its range is told");
    is_str(agn_error_message(), "a sampler: the parameters of element 1 are not in the range of its law", "by its place");
    agn_release(y), agn_release(h), agn_release(d);
    must(agn_from_host(&h, AGN_F64, 1, (int64_t[]){3}, (double[]){1, 0, 2}));
    d = on_device(h);
    must(agn_random_multinomial(&y, dev, d, 3, false));
    is_int(agn_device_synchronize(cuda), AGN_EDOMAIN, "too few weights are told");
    agn_release(y), agn_release(h), agn_release(d), agn_release(one), agn_release(dev);
    agn_release(key), agn_release(dkey);
}

/* op with attributes on both sides */
static void compare_op(tally *t, const char *op, agn_tensor *const *x, int n, const int64_t *i, int ni, const double *f,
                       int nf, double tol)
{
    agn_tensor *d[2] = {on_device(x[0]), n > 1 ? on_device(x[1]) : NULL}, *w, *y = NULL;
    must(agn_op_apply(&w, 1, op, (const agn_tensor *const *)x, n, i, ni, f, nf));
    agn_status st = agn_op_apply(&y, 1, op, (const agn_tensor *const *)d, n, i, ni, f, nf);
    agree(t, st, y, w, tol, op, agn_dtype_of(x[0]));
    agn_release(d[0]), agn_release(d[1]);
}

static void test_signals(void)
{
    tally t = {0, 0};
    static const int kinds[] = {AGN_F32, AGN_F64, AGN_C128, AGN_I32};
    for (int k = 0; k < COUNT(kinds); k++) {
        double tol = kind_of(kinds[k]) <= KIND_INT ? 0 : 20 * tolerance(kinds[k]);
        /* 2 groups of 2 and 3 channels, 7 x 6 pixels, 3 x 2 taps, strides 2 and 1, dilations 1 and 2: 4 x 5 places */
        const int64_t sizes[3][4] = {{2, 4, 7, 6}, {6, 2, 3, 2}, {2, 6, 4, 5}};
        static const int given[3][2] = {{1, 2}, {0, 2}, {0, 1}};
        for (int64_t part = 0; part < 3; part++) {
            const int64_t i[10] = {part, 2, sizes[part][2], 2, 1, 1, sizes[part][3], 1, 0, 2};
            agn_tensor *x[2] = {random_of(kinds[k], 4, sizes[given[part][0]], -3, 3),
                                random_of(kinds[k], 4, sizes[given[part][1]], -3, 3)};
            compare_op(&t, "conv", x, 2, i, 10, NULL, 0, tol);
            agn_release(x[0]), agn_release(x[1]);
        }
        agn_tensor *g = random_of(kinds[k], 3, (int64_t[]){2, 5, 6}, -3, 3);
        compare_op(&t, "signal_overlap_add", &g, 1, (int64_t[]){16, 2}, 2, NULL, 0, tol);
        agn_release(g);
        if (kinds[k] == AGN_I32)
            continue;
        for (int64_t back = 0; back < 2; back++)
            for (int varying = 0; varying < 2; varying++) {
                agn_tensor *x[2] = {random_of(kinds[k], 2, (int64_t[]){2, 9}, -1, 1),
                                    varying ? random_of(kinds[k], 3, (int64_t[]){2, 9, 3}, -0.5, 0.5)
                                            : random_of(kinds[k], 2, (int64_t[]){2, 3}, -0.5, 0.5)};
                compare_op(&t, "signal_allpole", x, 2, &back, 1, NULL, 0, tol);
                agn_release(x[0]), agn_release(x[1]);
            }
        for (int64_t kind = 0; kind < 8 && kinds[k] <= AGN_F64; kind++)
            for (int axes = 1; axes < 4; axes++) {
                agn_tensor *x = random_of(kinds[k], 3, (int64_t[]){5, 2, 9}, -1, 1);
                compare_op(&t, "fft_r2r", &x, 1, (int64_t[]){-1, kind, -3, -2}, axes + 1,
                           (double[]){0.3, 1.5, 0.7}, 3, tol);
                agn_release(x);
            }
    }
    tell(&t, "convolutions and their gradients, frames, recursive filters, cosine and sine transforms");
}

/* each op of tensor/special by its name: operands that broadcast, under strides, the last one a scalar or not */
static void test_special(void)
{
    static const struct {
        const char *op;
        int n, ni, nf;
        int64_t i[4];
        double f[2];
    } rows[] = {
        {"airy", 1, 1, 0, {2}, {0}},
        {"fresnel", 1, 1, 0, {1}, {0}},
        {"lambert_w", 1, 2, 0, {0, 1}, {0}},
        {"bessel", 2, 3, 0, {1, 0, 0}, {0}},
        {"bessel", 2, 3, 0, {0, 1, 0}, {0}},
        {"bessel", 2, 3, 0, {2, 2, 0}, {0}},
        {"bessel", 2, 3, 0, {5, 1, 1}, {0}},
        {"elliptic", 3, 4, 0, {1, 0, 1, 0}, {0}},
        {"elliptic", 3, 4, 0, {0, -1, 0, 1}, {0}},
        {"carlson", 4, 4, 0, {0, 0, 1, 1}, {0}},
        {"carlson", 4, 4, 0, {0, 0, 0, -1}, {0}},
        {"expn", 1, 1, 0, {3}, {0}},
        {"expi", 1, 0, 0, {0}, {0}},
        {"owens_t", 2, 0, 0, {0}, {0}},
        {"faddeeva", 2, 2, 0, {2, 1}, {0}},
        {"polynomial", 1, 2, 2, {0, 4}, {0.5, 0.25}},
        {"kummer", 3, 4, 0, {1, 0, 0, 0}, {0}},
        {"kummer", 3, 4, 0, {0, 0, 0, 0}, {0}},
        {"hyp2f1", 4, 4, 0, {0, 0, 0, 0}, {0}},
        {"jacobi_elliptic", 2, 1, 0, {2}, {0}},
        {"lambert_plane", 2, 2, 0, {1, 1}, {0}},
        {"spherical_bessel", 1, 2, 0, {3, 2}, {0}},
        {"struve", 2, 3, 0, {1, 0, 0}, {0}},
        {"polylog", 2, 2, 0, {0, 0}, {0}},
        {"gamma_partial", 2, 2, 0, {2, 0}, {0}},
        {"gamma_partial", 2, 2, 0, {1, 1}, {0}},
        {"beta_partial", 3, 3, 0, {1, 1, 0}, {0}},
        {"zeta_partial", 2, 1, 0, {1}, {0}},
        /* orders of derivatives in parameters */
        {"kummer", 3, 4, 0, {0, 1, 0, 1}, {0}},
        {"kummer", 3, 4, 0, {1, 1, 0, 0}, {0}},
        {"hyp2f1", 4, 4, 0, {1, 0, 1, 1}, {0}},
        {"struve", 2, 3, 0, {0, 1, 0}, {0}},
        {"struve", 2, 3, 0, {1, 2, 0}, {0}},
        {"struve", 2, 3, 0, {0, 0, 2}, {0}},
        {"struve", 2, 3, 0, {0, 1, 2}, {0}},
        {"polylog", 2, 2, 0, {1, 1}, {0}},
        {"gamma_slope", 2, 1, 0, {1}, {0}},
        {"sine_integral", 1, 1, 0, {1}, {0}},
        {"clausen", 1, 0, 0, {0}, {0}},
        {"debye", 1, 2, 0, {3, 1}, {0}},
        {"fermi_dirac", 2, 1, 0, {1}, {0}},
        {"kelvin", 1, 2, 0, {3, 2}, {0}},
        {"rgamma", 1, 1, 0, {2}, {0}},
        {"digammainv", 1, 0, 0, {0}, {0}},
        {"wright_omega", 1, 0, 0, {0}, {0}},
        {"lerch", 3, 2, 0, {0, 0}, {0}},
        {"lerch", 3, 2, 0, {1, 1}, {0}},
    };
    tally t = {0, 0};
    for (int k = 0; k < COUNT(rows); k++)
        for (int dtype = AGN_F32; dtype <= AGN_F64; dtype++)
            for (int form = 0; form < 3; form++) {
                agn_tensor *x[4], *d[4], *want, *y = NULL;
                for (int j = 0; j < rows[k].n; j++) {
                    int64_t shape[2] = {j == 1 || (j == 3 && form == 2) ? 1 : 3, form == 1 && j == 3 ? 1 : 5};
                    bool zeta = strncmp(rows[k].op, "zeta", 4) == 0;
                    x[j] = random_of(dtype, 2, shape, zeta ? 1.5 : 0.2, zeta ? 3 : 0.8);
                    d[j] = device_layout(x[j], form);
                }
                must(agn_op_apply(&want, 1, rows[k].op, (const agn_tensor *const *)x, rows[k].n, rows[k].i, rows[k].ni,
                                  rows[k].f, rows[k].nf));
                agn_status st = agn_op_apply(&y, 1, rows[k].op, (const agn_tensor *const *)d, rows[k].n, rows[k].i,
                                             rows[k].ni, rows[k].f, rows[k].nf);
                agree(&t, st, y, want, dtype == AGN_F32 ? 1e-6 : 1e-11, rows[k].op, dtype);
                for (int j = 0; j < rows[k].n; j++)
                    agn_release(x[j]), agn_release(d[j]);
            }
    tell(&t, "special functions of broadcast operands of any strides");
}

int main(void)
{
    int result;
    if (!cuda_ready(&result))
        return result;
    test_fft();
    test_factors();
    test_sparse();
    test_special();
    test_dense();
    test_large_faults();
    test_samplers();
    test_signals();
    is_int(agn_device_synchronize(cuda), AGN_OK, "no fault is left");
    test_fft_axes();
    return done();
}
