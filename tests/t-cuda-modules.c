/* Modules on a device: Fourier transforms, Cholesky and triangular solves, sparse products and
   their gradients, special functions, beside the CPU. */
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
        {"expn", 1, 1, 0, {3}, {0}},
        {"expi", 1, 0, 0, {0}, {0}},
        {"owens_t", 2, 0, 0, {0}, {0}},
        {"faddeeva", 2, 2, 0, {2, 1}, {0}},
        {"polynomial", 1, 2, 2, {0, 4}, {0.5, 0.25}},
        {"kummer", 3, 2, 0, {1, 0}, {0}},
        {"kummer", 3, 2, 0, {0, 0}, {0}},
        {"hyp2f1", 4, 1, 0, {0}, {0}},
        {"jacobi_elliptic", 2, 1, 0, {2}, {0}},
        {"lambert_plane", 2, 2, 0, {1, 1}, {0}},
        {"spherical_bessel", 1, 2, 0, {3, 2}, {0}},
        {"struve", 2, 2, 0, {1, 0}, {0}},
        {"polylog", 2, 1, 0, {0}, {0}},
        {"gamma_partial", 2, 2, 0, {2, 0}, {0}},
        {"gamma_partial", 2, 2, 0, {1, 1}, {0}},
        {"beta_partial", 3, 3, 0, {1, 1, 0}, {0}},
        {"zeta_partial", 2, 1, 0, {1}, {0}},
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
    is_int(agn_device_synchronize(cuda), AGN_OK, "no fault is left");
    return done();
}
