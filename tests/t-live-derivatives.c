/* tests/t-live-derivatives.c - a derivative is refused where a number that its results read is, and
   nowhere else: eager and planned, in every mode. */
#include "laws.h"

typedef const agn_tensor *T;
enum { N = 2 };

/* sum(exp a) + sum(a) sign(det a): the sign is constant, the logarithm has no derivative where a is
   singular, and is not read */
static agn_status sign_only(void *user, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    agn_tensor *y[2] = {NULL};
    agn_status st = agn_linalg_slogdet(&y[0], &y[1], in[0]);
    T sign = agn_scope_adopt(s, st, &y[0]), rate = agn_scope_adopt(s, st, &y[1]);
    T value = ag_add(s, ag_sum(s, ag_exp(s, in[0]), NULL, 0, false),
                     ag_mul(s, ag_sum(s, in[0], NULL, 0, false), sign));
    out[0] = *(const bool *)user ? ag_add(s, value, ag_exp(s, rate)) : value;
    return agn_scope_status(s);
}

/* sum(exp a) + the number of zeros of Schur's form of a, which has a block of complex eigenvalues:
   the form has no derivative there, and a step none to a */
static agn_status step_only(void *user, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    agn_tensor *y[2] = {NULL};
    agn_status st = agn_linalg_schur(&y[0], &y[1], in[0]);
    T form = agn_scope_adopt(s, st, &y[0]);
    agn_scope_adopt(s, st, &y[1]);
    T value = ag_sum(s, ag_exp(s, in[0]), NULL, 0, false);
    T zeros = ag_heaviside(s, form, ag_sum(s, in[0], NULL, 0, false));
    value = ag_add(s, value, ag_sum(s, zeros, NULL, 0, false));
    out[0] = *(const bool *)user ? ag_add(s, value, ag_sum(s, form, NULL, 0, false)) : value;
    return agn_scope_status(s);
}

static agn_tensor *from(const double *v, int ndim, const int64_t *shape)
{
    agn_tensor *x = NULL;
    must(agn_from_host(&x, AGN_F64, ndim, shape, v));
    return x;
}

/* the law in one mode, eager and compiled: want[] in the last result, or a refusal */
static void check_mode(const char *name, const agn_fn *f, T const *in, const double *want, int n)
{
    agn_fn *g = NULL;
    must(agn_fn_compile(&g, f, NULL));
    for (int planned = 0; planned < 2; planned++) {
        agn_tensor *y[8] = {NULL};
        int last = agn_fn_n_out(f) - 1;
        double got[16] = {0};
        agn_status st = agn_fn_call(y, last + 1, planned ? g : f, in, agn_fn_n_in(f));
        if (!want) {
            ok(st == AGN_EDOMAIN && strstr(agn_error_message(), "linalg_"), "%s%s: refused: %s",
               planned ? "planned " : "", name, st ? agn_error_message() : "");
        } else if (ok(!st && agn_numel(y[last]) == n, "%s%s is not refused: %s",
                      planned ? "planned " : "", name, st ? agn_error_message() : "")) {
            must(agn_to_host(got, y[last], (size_t)n * sizeof *got));
            double off = 0;
            for (int i = 0; i < n; i++)
                off = fmax(off, fabs(got[i] - want[i]));
            ok(off < 1e-14, "%s%s is off by %.2g", planned ? "planned " : "", name, off);
        }
        for (int o = 0; o <= last; o++)
            agn_release(y[o]);
    }
    agn_fn_release(g);
}

/* slope: what the second term adds to each partial derivative */
static void check_function(const char *name, agn_body *body, bool read, const double *a,
                           double slope)
{
    const int64_t two[] = {N, N};
    const double dir[] = {0.5, -1, 2, 0.25}, one = 1;
    double grad[4], along[1] = {0}, turn[4], hess[16] = {0}, second[1] = {0};
    agn_fn *f = NULL, *g = NULL, *h = NULL;
    char label[80];
    for (int i = 0; i < 4; i++) {
        grad[i] = exp(a[i]) + slope;
        turn[i] = exp(a[i]) * dir[i];
        along[0] += grad[i] * dir[i];
        hess[5 * i] = exp(a[i]);
        second[0] += exp(a[i]) * dir[i] * dir[i] / 2; /* Taylor coefficient along dir */
    }
    agn_tensor *x = from(a, 2, two), *t = from(dir, 2, two), *u = from(&one, 0, NULL);
    agn_tensor *none = NULL;
    must(agn_zeros(&none, AGN_F64, 2, two));
    must(agn_fn_new(&f, body, &read, NULL, 1, 1));
#define MODE(what, make, want, n, ...)                            \
    must(make);                                                   \
    snprintf(label, sizeof label, "%s, %s", name, what);          \
    check_mode(label, g, (T[]){__VA_ARGS__}, read ? NULL : want, n); \
    agn_fn_release(g);                                            \
    g = NULL
    MODE("jvp", agn_fn_jvp(&g, f), along, 1, x, t);
    MODE("vjp", agn_fn_vjp(&g, f), grad, 4, x, u);
    MODE("gradient", agn_fn_grad(&g, f, NULL, 0), grad, 4, x);
    MODE("Jacobian", agn_fn_jacobian(&g, f, 0), grad, 4, x);
    MODE("Hessian", agn_fn_hessian(&g, f, 0), hess, 16, x);
    MODE("jet", agn_fn_jet(&g, f, 2), second, 1, x, t, none);
    must(agn_fn_grad(&h, f, NULL, 0));
    MODE("jvp of gradient", agn_fn_jvp(&g, h), turn, 4, x, t);
    MODE("vjp of gradient", agn_fn_vjp(&g, h), turn, 4, x, t);
    agn_fn_release(h);
    agn_fn_release(f);
    agn_release(x);
    agn_release(t);
    agn_release(u);
    agn_release(none);
}

int main(void)
{
    const double singular[] = {1, 2, 0.5, 1}, turning[] = {0, -1, 1, 0};
    for (int read = 0; read < 2; read++) {
        check_function(read ? "log det, read" : "log det", sign_only, read, singular, 0);
        check_function(read ? "Schur's form, read" : "Schur's form", step_only, read, turning, 2);
    }
    return done();
}
