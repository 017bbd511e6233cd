/* CPU and CUDA agree on every element-wise row, for every dtype, in several layouts: integers
   and bools bit for bit, elementary functions within 4 units of the last place. */
#include "cuda.h"

enum { N = 257 };

/* The gamma family and its like, whose libraries promise less; complex functions are measured
   against the larger part. */
static double allowed(const char *op, int dtype)
{
    static const char *const hard[] = {"lgamma",   "digamma",   "polygamma", "pow",
                                       "gelu",     "tan",       "sinc",      "erfcx",
                                       "ndtr",     "ndtri",     "log_ndtr",  "erfinv",
                                       "bessel_i", "bessel_ie", "zeta",      "gammainc",
                                       "gamma_d",  "gammaincc", "betainc",   "beta_d",
                                       "betaincc"};
    /* roots of those, by iteration */
    static const char *const roots[] = {"gammaincinv", "gammainccinv", "betaincinv", "betainccinv"};
    for (int i = 0; i < COUNT(roots); i++)
        if (!strcmp(op, roots[i]))
            return 64;
    for (int i = 0; i < COUNT(hard); i++)
        if (!strcmp(op, hard[i]))
            return kind_of(dtype) == KIND_COMPLEX ? 64 : 16;
    return kind_of(dtype) == KIND_COMPLEX ? 16 : 4;
}

/* poles and branch points, which random numbers miss */
static void put_specials(double *v, int n)
{
    static const double special[] = {0, -0.0, 1, -1, 0.5, -0.5, 2, -2, 1e-300, 1e300, 1e-40, 700,
                                     -700, (double)INFINITY, -(double)INFINITY, (double)NAN};
    for (int i = 0; i < COUNT(special) && i < n; i++)
        v[i] = special[i];
}

static agn_tensor *argument(int dtype, double lo, double hi, bool special, bool reverse)
{
    double v[N];
    if (kind_of(dtype) == KIND_COMPLEX)
        return random_of(dtype, 2, (int64_t[]){1, N}, lo, hi);
    for (int i = 0; i < N; i++)
        v[i] = rnd_in(lo, hi);
    if (special && kind_of(dtype) == KIND_FLOAT)
        put_specials(v, N);
    for (int i = 0; i < N; i++)
        v[i] = kind_of(dtype) <= KIND_INT ? nearbyint(3 * v[i]) : v[i];
    if (reverse)
        for (int i = 0; i < N / 2; i++) {
            double t = v[i];
            v[i] = v[N - 1 - i];
            v[N - 1 - i] = t;
        }
    return of_reals(dtype, 2, (int64_t[]){1, N}, v);
}

/* x[:, from:to] in place of x */
static void cut(agn_tensor **x, int64_t from, int64_t to)
{
    agn_tensor *whole = *x;
    must(agn_slice(x, whole, 2, (int64_t[]){0, from}, (int64_t[]){1, to}, (int64_t[]){1, 1}));
    agn_release(whole);
}

/* op at host values and at device values */
static double row_apart(const agn_op_info *op, agn_tensor *const *h, agn_tensor *const *d,
                        const int64_t *at, int n_at)
{
    agn_tensor *want = NULL, *have = NULL;
    double e = (double)INFINITY;
    if (agn_op_apply(&want, 1, op->name, (const agn_tensor *const *)h, op->n_in, at, n_at, NULL, 0))
        return -1; /* not for these dtypes */
    agn_status st = agn_op_apply(&have, 1, op->name, (const agn_tensor *const *)d, op->n_in, at,
                                 n_at, NULL, 0);
    if (st)
        diag("%s: %s", op->name, agn_error_message());
    else
        e = agn_device_of(have) == cuda ? worst_ulps(have, want) : (double)INFINITY;
    agn_release(want), agn_release(have);
    return e;
}

static void test_row(int32_t id, const agn_op_info *op)
{
    double worst[AGN_NDTYPES], lo = op->lo < op->hi ? op->lo : -3, hi = op->lo < op->hi ? op->hi : 3;
    int64_t order = 2;
    int n_at = strstr(agn_op_signature(id), "order:") != NULL;
    bool good = true;
    for (int t = 0; t < AGN_NDTYPES; t++) {
        worst[t] = 0;
        if (!(op->dtypes >> t & 1))
            continue;
        for (int layout = 0; layout < 6; layout++) {
            agn_tensor *h[3], *d[3];
            for (int i = 0; i < op->n_in; i++) {
                h[i] = argument(t, lo, hi, layout == 0, i > 0);
                /* broadcasting: the last argument of a strided turn is a column */
                if (layout == 1 && i == 1) {
                    agn_tensor *row = h[i];
                    must(agn_reshape(&h[i], row, 2, (int64_t[]){N, 1}));
                    agn_release(row);
                }
                d[i] = device_layout(h[i], layout == 2 ? TRANSPOSED : layout == 3 ? NEGATIVE : 0);
                if (layout >= 4) { /* off the bounds of 16 bytes; fewer than those hold */
                    cut(&h[i], layout == 4, layout == 4 ? N : 3);
                    cut(&d[i], layout == 4, layout == 4 ? N : 3);
                }
            }
            double e = row_apart(op, h, d, &order, n_at);
            worst[t] = fmax(worst[t], e);
            for (int i = 0; i < op->n_in; i++)
                agn_release(h[i]), agn_release(d[i]);
        }
        if (worst[t] > allowed(op->name, t)) {
            diag("%s %s: %g ulp, %g allowed", op->name, agn_dtype_name(t), worst[t],
                 allowed(op->name, t));
            good = false;
        }
    }
    double most = 0;
    for (int t = 0; t < AGN_NDTYPES; t++)
        most = fmax(most, worst[t]);
    ok(good, "%s: CPU and CUDA agree (%.3g ulp)", op->name, most);
}

int main(void)
{
    int result;
    if (!cuda_ready(&result))
        return result;
    for (int32_t i = 0; i < agn_op_count(); i++) {
        agn_op_info info = {.size = sizeof info};
        must(agn_op_describe(&info, i));
        bool row = !strcmp(info.kind, "element-wise") || !strcmp(info.name, "conj") ||
                   !strcmp(info.name, "real") || !strcmp(info.name, "imag") ||
                   !strcmp(info.name, "complex") ||
                   (!strcmp(info.kind, "discrete") && info.n_in <= 2 &&
                    strcmp(info.name, "argmax") != 0 && strcmp(info.name, "argsort") != 0 &&
                    strcmp(info.name, "key_fold") != 0 && strcmp(info.name, "stop_gradient") != 0 &&
                    strncmp(info.name, "linalg", 6) != 0 && strncmp(info.name, "sparse", 6) != 0);
        if (row)
            test_row(i, &info);
    }
    return done();
}
