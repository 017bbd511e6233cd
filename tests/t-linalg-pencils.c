/* t-linalg-pencils - pairs of matrices, ordered forms, balancing, cosines and sines, reflectors, QR by blocks, choice of
   columns, products of structured matrices: by their identities over dtypes, shapes and layouts, against SciPy's
   numbers, in every mode, and every documented failure. */
#include "fft/fft.h"

#include "t-linalg.h"

#define DATA_PENCILS
#include "data/pencils.inc"

static double off_identity(agn_scope *s, const agn_tensor *q)
{
    const agn_tensor *g = ag_matmul(s, adjoint(s, q), q);
    int64_t n = agn_shape(g)[agn_ndim(g) - 1];
    double worst = 0;
    for (int64_t i = 0; i < agn_numel(g); i++)
        worst = fmax(worst, cabs(peekz(g, i) - (i % (n * n) / n == i % n)));
    return worst;
}
/* entries further below the diagonal than `below`, over n by n matrices */
static double under(const agn_tensor *t, int64_t below)
{
    int64_t n = agn_shape(t)[agn_ndim(t) - 1];
    double worst = 0;
    for (int64_t i = 0; i < agn_numel(t); i++)
        if (i % (n * n) / n > i % n + below)
            worst = fmax(worst, cabs(peekz(t, i)));
    return worst;
}

static bool is_chosen(int order, double complex w)
{
    return order == AGN_ORDER_NONE || (order == AGN_ORDER_LEFT && creal(w) < 0) || (order == AGN_ORDER_RIGHT && creal(w) > 0) ||
           (order == AGN_ORDER_INSIDE && cabs(w) < 1) || (order == AGN_ORDER_OUTSIDE && cabs(w) > 1);
}

static void test_forms(void)
{
    static const int64_t sizes[][3] = {{0, 4, 4}, {2, 0, 0}, {3, 1, 1}, {3, 4, 4}, {1, 17, 17}};
    tally t = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int k = 0; k < COUNT(sizes); k++)
            for (int l = 0; l < N_LAYOUTS; l++) {
                int64_t n = sizes[k][1];
                bool real = d < 2;
                agn_tensor *a = random_of(dtypes[d], 3, sizes[k], -1, 1), *x = laid_out(a, l), *b = random_of(dtypes[d], 3, sizes[k], -1, 1);
                agn_tensor *y[16] = {NULL};
                agn_scope *s = agn_scope_open(NULL);
                double tol = 40 * (double)(n + 2) * eps_of(dtypes[d]);
                agn_status st = agn_linalg_qz(&y[0], &y[1], &y[2], &y[3], x, b);
                check(&t, !st && relative(ag_matmul(s, y[2], ag_matmul(s, y[0], adjoint(s, y[3]))), a) < tol &&
                              relative(ag_matmul(s, y[2], ag_matmul(s, y[1], adjoint(s, y[3]))), b) < tol,
                      "qz: %s", agn_error_message());
                check(&t, !st && off_identity(s, y[2]) < tol && off_identity(s, y[3]) < tol && under(y[0], real) == 0 && under(y[1], 0) == 0,
                      "qz: bases and triangles");
                for (int o = AGN_ORDER_NONE; o <= AGN_ORDER_OUTSIDE; o++) {
                    agn_tensor *z[5] = {NULL}, *h[3] = {NULL};
                    st = agn_linalg_qz_ordered(&z[0], &z[1], &z[2], &z[3], &z[4], x, b, (agn_spectral_order)o);
                    check(&t, !st && relative(ag_matmul(s, z[2], ag_matmul(s, z[0], adjoint(s, z[3]))), a) < tol, "qz, order %d: %s", o,
                          agn_error_message());
                    st = st ? st : agn_linalg_schur_ordered(&h[0], &h[1], &h[2], x, (agn_spectral_order)o);
                    check(&t, !st && relative(ag_matmul(s, h[1], ag_matmul(s, h[0], adjoint(s, h[1]))), a) < tol, "schur, order %d: %s", o,
                          agn_error_message());
                    /* the leading blocks have the chosen values and no others */
                    for (int64_t m = 0; !st && n && m < sizes[k][0]; m++) {
                        int64_t from[] = {m, 0, 0}, one[] = {1, 1, 1}, c = peek_int(h[2], m), to[] = {m + 1, c, c};
                        const agn_tensor *w = ag_linalg_eigvals(s, ag_slice(s, h[0], 3, from, to, one)), *all = ag_linalg_eigvals(s, a);
                        int64_t want = 0;
                        for (int64_t i = 0; i < n; i++)
                            want += is_chosen(o, peekz(all, m * n + i));
                        check(&t, c == want, "schur, order %d: %d, not %d come first", o, (int)c, (int)want);
                        for (int64_t i = 0; i < c; i++)
                            check(&t, is_chosen(o, peekz(w, i)), "schur, order %d: a value that is not chosen comes first", o);
                        to[1] = to[2] = c = peek_int(z[4], m);
                        const agn_tensor *f = ag_slice(s, z[0], 3, from, to, one), *g = ag_slice(s, z[1], 3, from, to, one);
                        w = c ? ag_linalg_eigvals(s, ag_linalg_solve(s, g, f)) : NULL;
                        for (int64_t i = 0; i < c; i++)
                            check(&t, is_chosen(o, peekz(w, i)), "qz, order %d: a value that is not chosen comes first", o);
                    }
                    release_all(z, 5);
                    release_all(h, 3);
                }
                st = agn_linalg_eig_generalized(&y[4], &y[5], x, b);
                const agn_tensor *left = ag_matmul(s, a, y[5]), *right = ag_mul(s, ag_matmul(s, b, y[5]), ag_expand_dims(s, y[4], -2));
                check(&t, !st && (!agn_numel(left) || relative(left, right) < 400 * tol), "a v = b v w: %s: %.1e", agn_error_message(),
                      agn_numel(left) ? relative(left, right) : 0);
                st = agn_linalg_balance(&y[6], &y[7], &y[8], x);
                const agn_tensor *w = ag_sum_all(s, ag_matmul(s, a, a)), *scaled = NULL;
                (void)w;
                for (int64_t i = 0; !st && i < agn_numel(a); i++) {
                    int64_t m = i / (n * n), r = i % (n * n) / n, c = i % n;
                    double complex have = peekz(y[6], i), want = peekz(a, m * n * n + peek_int(y[8], m * n + r) * n + peek_int(y[8], m * n + c)) *
                                                                 peek(y[7], m * n + c) / peek(y[7], m * n + r);
                    check(&t, cabs(have - want) <= 1e-6 * cabs(want), "balance: entry %d", (int)i);
                }
                check(&t, !st && !scaled, "balance: %s", agn_error_message());
                st = agn_linalg_geqrf(&y[9], &y[10], x);
                const agn_tensor *q = ag_linalg_householder_product(s, y[9], y[10]), *r = ag_triu(s, y[9], 0);
                check(&t, !st && relative(ag_matmul(s, q, r), a) < tol && off_identity(s, q) < tol, "geqrf: %s", agn_error_message());
                st = agn_linalg_qr_multiply(&y[11], &y[12], x, b, l % 2, l % 3 == 0);
                st = st ? st : agn_linalg_qr(&y[13], &y[14], a, false);
                const agn_tensor *p = l % 3 == 0 ? adjoint(s, y[13]) : y[13];
                check(&t, !st && relative(y[11], l % 2 ? ag_matmul(s, p, b) : ag_matmul(s, b, p)) < tol && relative(y[12], y[14]) < tol,
                      "qr_multiply: %s", agn_error_message());
                must(agn_scope_close(s));
                release_all(y, COUNT(y));
                agn_release(a);
                agn_release(x);
                agn_release(b);
            }
    tell(&t, "qz, ordered forms, pencils, balance, reflectors: dtypes, shapes, layouts");
}

static void test_balance(void)
{
    /* an isolated value goes to an end, and 1e6 against 1e-6 is levelled */
    agn_tensor *a = of_reals(AGN_F64, 2, (int64_t[]){3, 3}, (double[]){1, 0, 0x1p20, 0, 3, 0, 0x1p-20, 1, 2}), *b = NULL, *s = NULL, *p = NULL;
    must(agn_linalg_balance(&b, &s, &p, a));
    double least = (double)INFINITY, most = 0;
    for (int i = 0; i < 9; i++)
        if (peek(b, i) != 0)
            least = fmin(least, peek(b, i)), most = fmax(most, peek(b, i));
    ok(most <= 64 && least >= 1.0 / 64, "balance levels [1, 2^20; 2^-20, 2]: entries from %g to %g", least, most);
    agn_tensor *all[] = {a, b, s, p};
    release_all(all, 4);
}

static void test_cossin(void)
{
    tally t = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int64_t m = 0; m <= 7; m++)
            for (int64_t p = 0; p <= m; p++)
                for (int64_t q = 0; q <= m; q++) {
                    int64_t shape[] = {2, m, m};
                    agn_scope *s = agn_scope_open(NULL);
                    agn_tensor *a = random_of(dtypes[d], 3, shape, -1, 1), *x = NULL, *r = NULL, *y[5] = {NULL};
                    must(agn_linalg_qr(&x, &r, a, false));
                    agn_status st = agn_linalg_cossin(&y[0], &y[1], &y[2], &y[3], &y[4], x, p, q);
                    double tol = 100 * (double)(m + 1) * eps_of(dtypes[d]);
                    check(&t, !st, "cossin %d %d %d: %s", (int)m, (int)p, (int)q, agn_error_message());
                    if (!st && p && q) { /* singular values of the first block are cosines, and ones and zeros */
                        int64_t from[] = {0, 0, 0}, to[] = {2, p, q}, one[] = {1, 1, 1};
                        const agn_tensor *block = ag_slice(s, x, 3, from, to, one);
                        const agn_tensor *inner = ag_matmul(s, adjoint(s, y[0]), ag_matmul(s, block, adjoint(s, y[3])));
                        double sum = 0, cosines = 0;
                        for (int64_t i = 0; i < agn_numel(inner); i++)
                            sum += cabs(peekz(inner, i)) * cabs(peekz(inner, i));
                        for (int64_t i = 0; i < agn_numel(y[2]); i++)
                            cosines += cos(peek(y[2], i)) * cos(peek(y[2], i));
                        int64_t ones = p < q ? p : q, lot = agn_shape(y[2])[1];
                        for (int64_t extra = 0; extra <= 2 * (ones - lot); extra++)
                            if (fabs(sum - cosines - (double)extra) < tol) {
                                cosines = sum;
                                break;
                            }
                        check(&t, cosines == sum, "cossin %d %d %d: %g of squares, %g of cosines", (int)m, (int)p, (int)q, sum, cosines);
                        check(&t, off_identity(s, y[0]) < tol && off_identity(s, y[3]) < tol, "cossin: bases");
                    }
                    if (!st && m == 2 * p && p == q && p) { /* x = u d vh whole */
                        const agn_tensor *c = ag_diag_embed(s, ag_cast(s, ag_cos(s, y[2]), dtypes[d]), 0, -2, -1);
                        const agn_tensor *z = ag_diag_embed(s, ag_cast(s, ag_sin(s, y[2]), dtypes[d]), 0, -2, -1), *none = ag_zeros_like(s, c);
#define FOUR(a, b, c, d)                                                                                             \
    ag_concat(s, (const agn_tensor *[]){ag_concat(s, (const agn_tensor *[]){a, b}, 2, -1), ag_concat(s, (const agn_tensor *[]){c, d}, 2, -1)}, \
              2, -2)
                        const agn_tensor *u = FOUR(y[0], none, none, y[1]), *v = FOUR(y[3], none, none, y[4]);
                        const agn_tensor *back = ag_matmul(s, u, ag_matmul(s, FOUR(c, ag_neg(s, z), z, c), v));
                        check(&t, relative(back, x) < tol, "cossin: u d vh = x: %.1e", relative(back, x));
                    }
                    must(agn_scope_close(s));
                    release_all(y, 5);
                    agn_release(a);
                    agn_release(x);
                    agn_release(r);
                }
    tell(&t, "cosines and sines: every split of orders to 7");
}

static void test_compositions(void)
{
    tally t = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++) {
        agn_scope *s = agn_scope_open(NULL);
        double tol = 2000 * eps_of(dtypes[d]);
        agn_tensor *a = random_of(dtypes[d], 3, (int64_t[]){2, 24, 3}, -1, 1), *b = random_of(dtypes[d], 3, (int64_t[]){2, 5, 3}, -1, 1);
        for (int64_t rows = 3; rows <= 24; rows++) {
            agn_tensor *q = untouched, *r = untouched;
            agn_status st = agn_linalg_tsqr(&q, &r, a, rows);
            if (24 % rows) {
                check(&t, refused(st, AGN_EARG, "linalg_tsqr", "rows", NULL, q) && r == untouched, "tsqr: %d rows", (int)rows);
                continue;
            }
            check(&t, !st && relative(ag_matmul(s, q, r), a) < tol && off_identity(s, q) < tol && under(r, 0) == 0, "tsqr, %d rows: %s",
                  (int)rows, agn_error_message());
            agn_release(q);
            agn_release(r);
        }
        const agn_tensor *k = ag_linalg_khatri_rao(s, a, b);
        bool good = agn_ndim(k) == 3 && agn_shape(k)[1] == 120;
        for (int64_t i = 0; good && i < agn_numel(k); i++) {
            int64_t m = i / 360, r = i % 360 / 3, c = i % 3;
            good = cabs(peekz(k, i) - peekz(a, m * 72 + r / 5 * 3 + c) * peekz(b, m * 15 + r % 5 * 3 + c)) <= 4 * eps_of(dtypes[d]);
        }
        check(&t, good, "khatri_rao");
        /* of rank 3 exactly: all columns from three */
        const agn_tensor *low = ag_matmul(s, a, adjoint(s, b));
        agn_tensor *perm = NULL, *proj = NULL;
        agn_status st = agn_linalg_interpolative(&perm, &proj, low, 3);
        check(&t, !st && agn_shape(proj)[1] == 3 && agn_shape(proj)[2] == 2, "interpolative: %s", agn_error_message());
        double worst = 0;
        for (int64_t m = 0; !st && m < 2; m++)
            for (int64_t r = 0; r < 24; r++)
                for (int64_t j = 0; j < 2; j++) {
                    double complex sum = -peekz(low, m * 120 + r * 5 + peek_int(perm, m * 5 + 3 + j));
                    for (int64_t c = 0; c < 3; c++)
                        sum += peekz(low, m * 120 + r * 5 + peek_int(perm, m * 5 + c)) * peekz(proj, m * 6 + c * 2 + j);
                    worst = fmax(worst, cabs(sum));
                }
        check(&t, worst < tol, "interpolative: %.1e", worst);
        agn_release(perm);
        agn_release(proj);
        /* Toeplitz products, tall, wide and square, against the matrix itself */
        for (int64_t n = 1; n <= 9; n++) {
            int64_t cs[] = {2, 4}, rs[] = {2, n}, xs[] = {2, n, 3};
            agn_tensor *c = random_of(dtypes[d], 2, cs, -1, 1), *r = random_of(dtypes[d], 2, rs, -1, 1), *x = random_of(dtypes[d], 3, xs, -1, 1);
            const agn_tensor *y = ag_linalg_matmul_toeplitz(s, c, r, x), *whole = ag_linalg_toeplitz(s, c, r);
            check(&t, relative(y, ag_matmul(s, whole, x)) < tol, "matmul_toeplitz, 4 by %d", (int)n);
            agn_release(c);
            agn_release(r);
            agn_release(x);
        }
        agn_tensor *c = random_of(dtypes[d], 1, (int64_t[]){6}, -1, 1);
        const agn_tensor *y = ag_linalg_matmul_toeplitz(s, c, NULL, c), *whole = ag_linalg_toeplitz(s, c, ag_conj(s, c));
        check(&t, agn_ndim(y) == 1 && relative(y, ag_matmul(s, whole, c)) < tol, "matmul_toeplitz, Hermitian, of one column");
        must(agn_scope_close(s));
        agn_release(a);
        agn_release(b);
        agn_release(c);
    }
    tell(&t, "tsqr, khatri_rao, interpolative, matmul_toeplitz");
}

/* values of SciPy: a 4 by 4 pair; a singular b has infinite values */
static void test_values(void)
{
    agn_tensor *a = of_reals(AGN_F64, 2, (int64_t[]){4, 4}, pencils_a), *b = of_reals(AGN_F64, 2, (int64_t[]){4, 4}, pencils_b), *w = NULL, *v = NULL;
    must(agn_linalg_eig_generalized(&w, &v, a, b));
    tally t = {0, 0};
    for (int i = 0; i < 4; i++) {
        double nearest = (double)INFINITY;
        for (int j = 0; j < 4; j++)
            nearest = fmin(nearest, cabs(peekz(w, i) - (pencils_w_re[j] + pencils_w_im[j] * (double complex)_Complex_I)));
        check(&t, nearest < 1e-12 * (1 + cabs(peekz(w, i))), "value %d is off by %.1e", i, nearest);
    }
    agn_release(w);
    agn_release(v);
    agn_release(b);
    w = v = NULL;
    b = of_reals(AGN_F64, 2, (int64_t[]){4, 4}, (double[]){1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});
    must(agn_linalg_eig_generalized(&w, &v, a, b));
    int infinite = 0;
    for (int i = 0; i < 4; i++)
        infinite += !(cabs(peekz(w, i)) < 1e12);
    check(&t, infinite == 1, "a singular b: %d infinite values", infinite);
    tell(&t, "eig_generalized: SciPy's values, and an infinite one");
    agn_tensor *all[] = {a, b, w, v};
    release_all(all, 4);
}

typedef enum which { PENCIL_VALUES, PENCIL_VECTORS, BALANCED, PROJECTION, TSQR, TOEPLITZ, KHATRI, MULTIPLIED } which;
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    agn_tensor *y = NULL, *z = NULL, *p = NULL;
    agn_status st = AGN_OK;
    const agn_tensor *a = in[0], *sq = ag_matmul(s, adjoint(s, a), a);
    if (!sq)
        return agn_scope_status(s);
    const agn_tensor *other = ag_add(s, ag_mul(s, sq, sq), sq);
    switch (*(const which *)user) {
    case PENCIL_VALUES: st = agn_linalg_eig_generalized(&y, &z, other, sq); break;
    case PENCIL_VECTORS: st = agn_linalg_eig_generalized(&z, &y, other, sq); break;
    case BALANCED: st = agn_linalg_balance(&y, &z, &p, other); break;
    case PROJECTION: st = agn_linalg_interpolative(&z, &y, a, 1); break;
    case TSQR: st = agn_linalg_tsqr(&y, &z, ag_concat(s, (const agn_tensor *[]){a, ag_mul(s, a, a)}, 2, -2), 3); break;
    case MULTIPLIED: st = agn_linalg_qr_multiply(&y, &z, a, sq, true, false); break;
    case KHATRI: out[0] = ag_linalg_khatri_rao(s, a, sq); return agn_scope_status(s);
    default:
        out[0] = ag_linalg_matmul_toeplitz(s, ag_index_axis(s, a, -1, 0), ag_index_axis(s, sq, -1, 0), sq);
        return agn_scope_status(s);
    }
    out[0] = agn_scope_adopt(s, st, &y);
    agn_scope_adopt(s, st, &z);
    if (p)
        agn_scope_adopt(s, st, &p);
    return agn_scope_status(s);
}
static void test_modes(void)
{
    static const char *const names[] = {"eig_generalized, values", "eig_generalized, vectors", "balance", "interpolative", "tsqr",
                                        "matmul_toeplitz",         "khatri_rao",               "qr_multiply"};
    for (int c = 0; c < 2; c++)
        for (int k = 0; k < COUNT(names); k++) {
            which w = (which)k;
            agn_tensor *x = of_reals(c ? AGN_C128 : AGN_F64, 2, (int64_t[]){3, 2}, (double[]){1.5, 0.25, -0.5, 0.75, 0.3, -1});
            agn_fn *f = NULL;
            char name[80];
            must(agn_fn_new(&f, body, &w, NULL, 1, 1));
            snprintf(name, sizeof name, "%s, %s", names[k], c ? "c128" : "f64");
            const agn_tensor *in[1] = {x};
            in_every_mode(f, 1, in, 4e-3, 2e-6, name);
            agn_fn_release(f);
            agn_release(x);
        }
}

/* reflectors and blocks by cosines have no derivative, and say so */
static agn_status form_body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    agn_tensor *y[5] = {NULL};
    agn_status st = agn_scope_status(s);
    switch (*(const int *)user) {
    case 0: st = agn_linalg_geqrf(&y[0], &y[1], in[0]); break;
    default: st = agn_linalg_cossin(&y[0], &y[1], &y[2], &y[3], &y[4], in[0], 1, 1); break;
    }
    const agn_tensor *first = agn_scope_adopt(s, st, &y[0]);
    for (int i = 1; i < 5; i++)
        if (y[i])
            agn_scope_adopt(s, st, &y[i]);
    out[0] = ag_sum_all(s, first);
    return agn_scope_status(s);
}
static void test_refused_derivatives(void)
{
    static const char *const ops[] = {"linalg_geqrf", "linalg_cossin"};
    agn_tensor *x = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){0.8, -0.6, 0.6, 0.8});
    for (int k = 0; k < 2; k++) {
        agn_fn *f = NULL, *g = NULL;
        agn_tensor *y = untouched;
        must(agn_fn_new(&f, form_body, &k, NULL, 1, 1));
        must(agn_fn_grad(&g, f, (int32_t[]){0}, 1));
        const agn_tensor *in[1] = {x};
        ok(refused(agn_fn_call(&y, 1, g, in, 1), AGN_EUNSUPPORTED, ops[k], "no derivative", "[2,2]", y), "%s has no derivative", ops[k]);
        agn_fn_release(f);
        agn_fn_release(g);
    }
    agn_release(x);
}

static void test_failures(void)
{
    tally q = {0, 0};
    agn_tensor *o = untouched, *o2 = untouched, *o3 = untouched, *o4 = untouched, *o5 = untouched;
    agn_tensor *flat = of_reals(AGN_F64, 2, (int64_t[]){2, 3}, (double[6]){0}), *sparse = NULL, *eye = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 0, 0, 1});
    agn_tensor *vec = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){1, 2}), *sq = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 1, 1, 1});
    agn_tensor *nan = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 1, (double)NAN, 1}), *two = random_of(AGN_F64, 3, (int64_t[]){2, 2, 2}, 1, 2),
               *three = random_of(AGN_F64, 3, (int64_t[]){3, 2, 2}, 1, 2), *cube = of_reals(AGN_F64, 2, (int64_t[]){3, 3}, (double[9]){0});
    agn_tensor *turned = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){0, 1, -1, 0});
    must(agn_sparse_from_dense(&sparse, sq));
#define BAD(call, st, op, a, b) \
    check(&q, refused(call, st, op, a, b, o) && o2 == untouched && o3 == untouched && o4 == untouched && o5 == untouched, "%s", agn_error_message())
    static const char qz[] = "linalg_qz", qo[] = "linalg_qz_ordered", so[] = "linalg_schur_ordered", eg[] = "linalg_eig_generalized",
                      ba[] = "linalg_balance", ge[] = "linalg_geqrf", qm[] = "linalg_qr_multiply", ts[] = "linalg_tsqr",
                      id[] = "linalg_interpolative", cs[] = "linalg_cossin", kr[] = "linalg_khatri_rao", mt[] = "linalg_matmul_toeplitz";
    BAD(agn_linalg_qz(NULL, &o2, &o3, &o4, sq, eye), AGN_ENULL, qz, "s is", NULL);
    BAD(agn_linalg_qz(&o, NULL, &o3, &o4, sq, eye), AGN_ENULL, qz, "t is", NULL);
    BAD(agn_linalg_qz(&o, &o2, NULL, &o4, sq, eye), AGN_ENULL, qz, "q is", NULL);
    BAD(agn_linalg_qz(&o, &o2, &o3, NULL, sq, eye), AGN_ENULL, qz, "z is", NULL);
    BAD(agn_linalg_qz(&o, &o2, &o3, &o4, NULL, eye), AGN_ENULL, qz, "a is", NULL);
    BAD(agn_linalg_qz(&o, &o2, &o3, &o4, sq, NULL), AGN_ENULL, qz, "b is", NULL);
    BAD(agn_linalg_qz(&o, &o2, &o3, &o4, flat, eye), AGN_ESHAPE, qz, "[2,3]", NULL);
    BAD(agn_linalg_qz(&o, &o2, &o3, &o4, eye, cube), AGN_ESHAPE, qz, "orders differ", "[3,3]");
    BAD(agn_linalg_qz(&o, &o2, &o3, &o4, two, three), AGN_ESHAPE, qz, "broadcast", "[3,2,2]");
    BAD(agn_linalg_qz(&o, &o2, &o3, &o4, eye, nan), AGN_EDOMAIN, qz, "not finite", "[1,0]");
    BAD(agn_linalg_qz(&o, &o2, &o3, &o4, sparse, eye), AGN_EUNSUPPORTED, qz, "sparse", NULL);
    BAD(agn_linalg_qz_ordered(NULL, &o2, &o3, &o4, &o5, sq, eye, 0), AGN_ENULL, qo, "s is", NULL);
    BAD(agn_linalg_qz_ordered(&o, NULL, &o3, &o4, &o5, sq, eye, 0), AGN_ENULL, qo, "t is", NULL);
    BAD(agn_linalg_qz_ordered(&o, &o2, NULL, &o4, &o5, sq, eye, 0), AGN_ENULL, qo, "q is", NULL);
    BAD(agn_linalg_qz_ordered(&o, &o2, &o3, NULL, &o5, sq, eye, 0), AGN_ENULL, qo, "z is", NULL);
    BAD(agn_linalg_qz_ordered(&o, &o2, &o3, &o4, NULL, sq, eye, 0), AGN_ENULL, qo, "count is", NULL);
    BAD(agn_linalg_qz_ordered(&o, &o2, &o3, &o4, &o5, NULL, eye, 0), AGN_ENULL, qo, "a is", NULL);
    BAD(agn_linalg_qz_ordered(&o, &o2, &o3, &o4, &o5, sq, NULL, 0), AGN_ENULL, qo, "b is", NULL);
    BAD(agn_linalg_qz_ordered(&o, &o2, &o3, &o4, &o5, sq, eye, (agn_spectral_order)5), AGN_EARG, qo, "order 5", NULL);
    BAD(agn_linalg_qz_ordered(&o, &o2, &o3, &o4, &o5, flat, eye, 0), AGN_ESHAPE, qo, "[2,3]", NULL);
    BAD(agn_linalg_qz_ordered(&o, &o2, &o3, &o4, &o5, nan, eye, 0), AGN_EDOMAIN, qo, "not finite", NULL);
    BAD(agn_linalg_qz_ordered(&o, &o2, &o3, &o4, &o5, sparse, eye, 0), AGN_EUNSUPPORTED, qo, "sparse", NULL);
    BAD(agn_linalg_schur_ordered(NULL, &o2, &o3, sq, 0), AGN_ENULL, so, "t is", NULL);
    BAD(agn_linalg_schur_ordered(&o, NULL, &o3, sq, 0), AGN_ENULL, so, "z is", NULL);
    BAD(agn_linalg_schur_ordered(&o, &o2, NULL, sq, 0), AGN_ENULL, so, "count is", NULL);
    BAD(agn_linalg_schur_ordered(&o, &o2, &o3, NULL, 0), AGN_ENULL, so, "a is", NULL);
    BAD(agn_linalg_schur_ordered(&o, &o2, &o3, sq, (agn_spectral_order)9), AGN_EARG, so, "order 9", NULL);
    BAD(agn_linalg_schur_ordered(&o, &o2, &o3, flat, 0), AGN_ESHAPE, so, "[2,3]", NULL);
    BAD(agn_linalg_schur_ordered(&o, &o2, &o3, nan, 0), AGN_EDOMAIN, so, "not finite", "[1,0]");
    BAD(agn_linalg_schur_ordered(&o, &o2, &o3, sparse, 0), AGN_EUNSUPPORTED, so, "sparse", NULL);
    BAD(agn_linalg_eig_generalized(NULL, &o2, sq, eye), AGN_ENULL, eg, "w is", NULL);
    BAD(agn_linalg_eig_generalized(&o, NULL, sq, eye), AGN_ENULL, eg, "v is", NULL);
    BAD(agn_linalg_eig_generalized(&o, &o2, NULL, eye), AGN_ENULL, eg, "a is", NULL);
    BAD(agn_linalg_eig_generalized(&o, &o2, sq, NULL), AGN_ENULL, eg, "b is", NULL);
    BAD(agn_linalg_eig_generalized(&o, &o2, sq, cube), AGN_ESHAPE, eg, "orders differ", "[3,3]");
    BAD(agn_linalg_eig_generalized(&o, &o2, two, three), AGN_ESHAPE, eg, "broadcast", NULL);
    BAD(agn_linalg_eig_generalized(&o, &o2, sq, nan), AGN_EDOMAIN, eg, "not finite", NULL);
    BAD(agn_linalg_eig_generalized(&o, &o2, sq, sparse), AGN_EUNSUPPORTED, eg, "sparse", NULL);
    BAD(agn_linalg_balance(NULL, &o2, &o3, sq), AGN_ENULL, ba, "out is", NULL);
    BAD(agn_linalg_balance(&o, NULL, &o3, sq), AGN_ENULL, ba, "scale is", NULL);
    BAD(agn_linalg_balance(&o, &o2, NULL, sq), AGN_ENULL, ba, "perm is", NULL);
    BAD(agn_linalg_balance(&o, &o2, &o3, NULL), AGN_ENULL, ba, "a is", NULL);
    BAD(agn_linalg_balance(&o, &o2, &o3, flat), AGN_ESHAPE, ba, "[2,3]", NULL);
    BAD(agn_linalg_balance(&o, &o2, &o3, nan), AGN_EDOMAIN, ba, "not finite", "[1,0]");
    BAD(agn_linalg_balance(&o, &o2, &o3, sparse), AGN_EUNSUPPORTED, ba, "sparse", NULL);
    BAD(agn_linalg_geqrf(NULL, &o2, sq), AGN_ENULL, ge, "packed is", NULL);
    BAD(agn_linalg_geqrf(&o, NULL, sq), AGN_ENULL, ge, "tau is", NULL);
    BAD(agn_linalg_geqrf(&o, &o2, NULL), AGN_ENULL, ge, "a is", NULL);
    BAD(agn_linalg_geqrf(&o, &o2, vec), AGN_ESHAPE, ge, "[2]", NULL);
    BAD(agn_linalg_geqrf(&o, &o2, nan), AGN_EDOMAIN, ge, "not finite", "[1,0]");
    BAD(agn_linalg_geqrf(&o, &o2, sparse), AGN_EUNSUPPORTED, ge, "sparse", NULL);
    BAD(agn_linalg_qr_multiply(NULL, &o2, sq, sq, 1, 0), AGN_ENULL, qm, "out is", NULL);
    BAD(agn_linalg_qr_multiply(&o, NULL, sq, sq, 1, 0), AGN_ENULL, qm, "r is", NULL);
    BAD(agn_linalg_qr_multiply(&o, &o2, NULL, sq, 1, 0), AGN_ENULL, qm, "a is", NULL);
    BAD(agn_linalg_qr_multiply(&o, &o2, sq, NULL, 1, 0), AGN_ENULL, qm, "c is", NULL);
    BAD(agn_linalg_qr_multiply(&o, &o2, vec, sq, 1, 0), AGN_ESHAPE, qm, "[2]", NULL);
    BAD(agn_linalg_qr_multiply(&o, &o2, cube, flat, 1, 0), AGN_ESHAPE, qm, "sizes differ", "[2,3]");
    BAD(agn_linalg_qr_multiply(&o, &o2, two, three, 1, 0), AGN_ESHAPE, qm, NULL, NULL);
    BAD(agn_linalg_qr_multiply(&o, &o2, nan, sq, 1, 0), AGN_EDOMAIN, qm, "not finite", NULL);
    BAD(agn_linalg_qr_multiply(&o, &o2, sparse, sq, 1, 0), AGN_EUNSUPPORTED, qm, "sparse", NULL);
    BAD(agn_linalg_tsqr(NULL, &o2, sq, 2), AGN_ENULL, ts, "q is", NULL);
    BAD(agn_linalg_tsqr(&o, NULL, sq, 2), AGN_ENULL, ts, "r is", NULL);
    BAD(agn_linalg_tsqr(&o, &o2, NULL, 2), AGN_ENULL, ts, "a is", NULL);
    BAD(agn_linalg_tsqr(&o, &o2, sq, 0), AGN_EARG, ts, "0 rows", NULL);
    BAD(agn_linalg_tsqr(&o, &o2, vec, 2), AGN_ESHAPE, ts, "[2]", NULL);
    BAD(agn_linalg_tsqr(&o, &o2, nan, 2), AGN_EDOMAIN, ts, "not finite", NULL);
    BAD(agn_linalg_tsqr(&o, &o2, sparse, 2), AGN_EUNSUPPORTED, ts, "sparse", NULL);
    BAD(agn_linalg_interpolative(NULL, &o2, sq, 1), AGN_ENULL, id, "perm is", NULL);
    BAD(agn_linalg_interpolative(&o, NULL, sq, 1), AGN_ENULL, id, "proj is", NULL);
    BAD(agn_linalg_interpolative(&o, &o2, NULL, 1), AGN_ENULL, id, "a is", NULL);
    BAD(agn_linalg_interpolative(&o, &o2, flat, 3), AGN_EARG, id, "rank of 3", "[2,3]");
    BAD(agn_linalg_interpolative(&o, &o2, vec, 1), AGN_ESHAPE, id, "[2]", NULL);
    BAD(agn_linalg_interpolative(&o, &o2, sq, 2), AGN_EDOMAIN, id, NULL, NULL);
    BAD(agn_linalg_interpolative(&o, &o2, nan, 1), AGN_EDOMAIN, id, "not finite", NULL);
    BAD(agn_linalg_interpolative(&o, &o2, sparse, 1), AGN_EUNSUPPORTED, id, "sparse", NULL);
    BAD(agn_linalg_cossin(NULL, &o2, &o3, &o4, &o5, turned, 1, 1), AGN_ENULL, cs, "u1 is", NULL);
    BAD(agn_linalg_cossin(&o, NULL, &o3, &o4, &o5, turned, 1, 1), AGN_ENULL, cs, "u2 is", NULL);
    BAD(agn_linalg_cossin(&o, &o2, NULL, &o4, &o5, turned, 1, 1), AGN_ENULL, cs, "theta is", NULL);
    BAD(agn_linalg_cossin(&o, &o2, &o3, NULL, &o5, turned, 1, 1), AGN_ENULL, cs, "v1h is", NULL);
    BAD(agn_linalg_cossin(&o, &o2, &o3, &o4, NULL, turned, 1, 1), AGN_ENULL, cs, "v2h is", NULL);
    BAD(agn_linalg_cossin(&o, &o2, &o3, &o4, &o5, NULL, 1, 1), AGN_ENULL, cs, "x is", NULL);
    BAD(agn_linalg_cossin(&o, &o2, &o3, &o4, &o5, turned, 3, 1), AGN_EARG, cs, "3 rows", "[2,2]");
    BAD(agn_linalg_cossin(&o, &o2, &o3, &o4, &o5, turned, 1, -1), AGN_EARG, cs, "-1 columns", NULL);
    BAD(agn_linalg_cossin(&o, &o2, &o3, &o4, &o5, flat, 1, 1), AGN_ESHAPE, cs, "[2,3]", NULL);
    BAD(agn_linalg_cossin(&o, &o2, &o3, &o4, &o5, nan, 1, 1), AGN_EDOMAIN, cs, "not finite", "[1,0]");
    BAD(agn_linalg_cossin(&o, &o2, &o3, &o4, &o5, sq, 1, 1), AGN_EDOMAIN, cs, "not unitary", NULL);
    BAD(agn_linalg_cossin(&o, &o2, &o3, &o4, &o5, sparse, 1, 1), AGN_EUNSUPPORTED, cs, "sparse", NULL);
    BAD(agn_linalg_khatri_rao(NULL, sq, sq), AGN_ENULL, kr, "out is", NULL);
    BAD(agn_linalg_khatri_rao(&o, NULL, sq), AGN_ENULL, kr, "a is", NULL);
    BAD(agn_linalg_khatri_rao(&o, sq, NULL), AGN_ENULL, kr, "b is", NULL);
    BAD(agn_linalg_khatri_rao(&o, sq, flat), AGN_ESHAPE, kr, "[2,2]", "[2,3]");
    BAD(agn_linalg_khatri_rao(&o, vec, vec), AGN_ESHAPE, kr, "[2]", NULL);
    BAD(agn_linalg_khatri_rao(&o, two, three), AGN_ESHAPE, kr, NULL, NULL);
    BAD(agn_linalg_khatri_rao(&o, sparse, sq), AGN_EUNSUPPORTED, kr, "sparse", NULL);
    BAD(agn_linalg_matmul_toeplitz(NULL, vec, vec, vec), AGN_ENULL, mt, "out is", NULL);
    BAD(agn_linalg_matmul_toeplitz(&o, NULL, vec, vec), AGN_ENULL, mt, "c is", NULL);
    BAD(agn_linalg_matmul_toeplitz(&o, vec, vec, NULL), AGN_ENULL, mt, "x is", NULL);
    BAD(agn_linalg_matmul_toeplitz(&o, vec, flat, vec), AGN_ESHAPE, mt, "sizes differ", "[2,3]");
    BAD(agn_linalg_matmul_toeplitz(&o, vec, NULL, cube), AGN_ESHAPE, mt, "sizes differ", "[3,3]");
    BAD(agn_linalg_matmul_toeplitz(&o, flat, cube, cube), AGN_ESHAPE, mt, "broadcast", NULL);
    BAD(agn_linalg_matmul_toeplitz(&o, sparse, NULL, vec), AGN_EUNSUPPORTED, mt, "sparse", NULL);
    tell(&q, "failures: status, op, two facts, nothing written");
    agn_tensor *all[] = {flat, vec, sq, nan, two, three, eye, sparse, cube, turned};
    release_all(all, COUNT(all));
}

static agn_status make_pencil(void *user, agn_tensor **out)
{
    agn_tensor *w = NULL, *v = NULL;
    agn_status st = agn_linalg_eig_generalized(&w, &v, user, user);
    if (!st)
        *out = w;
    agn_release(v);
    return st;
}
static agn_status make_form(void *user, agn_tensor **out)
{
    agn_tensor *y[5] = {NULL};
    agn_status st = agn_linalg_qz_ordered(&y[0], &y[1], &y[2], &y[3], &y[4], user, user, AGN_ORDER_LEFT);
    if (!st)
        *out = y[0];
    release_all(y + 1, 4);
    return st;
}
static agn_status make_tsqr(void *user, agn_tensor **out)
{
    agn_tensor *q = NULL, *r = NULL;
    agn_status st = agn_linalg_tsqr(&q, &r, user, 2);
    if (!st)
        *out = q;
    agn_release(r);
    return st;
}
static agn_status make_product(void *user, agn_tensor **out)
{
    return agn_linalg_matmul_toeplitz(out, user, NULL, user);
}

int main(void)
{
    test_forms();
    test_balance();
    test_cossin();
    test_compositions();
    test_values();
    test_modes();
    test_refused_derivatives();
    test_failures();
    agn_tensor *a = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 2, -1, 1});
    every_allocation(make_pencil, a, "eig_generalized");
    every_allocation(make_form, a, "qz_ordered");
    every_allocation(make_tsqr, a, "tsqr");
    every_allocation(make_product, a, "matmul_toeplitz");
    agn_release(a);
    agni_fft_clear_plans();
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
