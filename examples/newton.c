/* newton.c - Newton's method in a hundred unknowns: products with the Hessian, never its matrix */
#include <agnesi/agnesi.h>
#include <math.h>
#include <stdio.h>

enum { N = 100 };

/* Rosenbrock's valley in N dimensions */
static agn_status valley(void *user, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    (void)user;
    const int64_t first = 0, second = 1, last = N - 1, end = N, step = 1;
    const agn_tensor *x = ag_slice(s, in[0], 1, &first, &last, &step);
    const agn_tensor *y = ag_slice(s, in[0], 1, &second, &end, &step);
    const agn_tensor *up = ag_sub(s, y, ag_square(s, x)), *along = ag_sub_c(s, x, 1);
    out[0] = ag_sum_all(s, ag_add(s, ag_mul_c(s, ag_square(s, up), 100), ag_square(s, along)));
    return agn_scope_status(s);
}

static double dot(const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += a[i] * b[i];
    return sum;
}

/* out = f(args as vectors); a scalar result goes to *value */
static agn_status call(const agn_fn *f, const double *x, const double *v, double *value,
                       double *out)
{
    agn_scope *s = agn_scope_open(NULL);
    const int64_t n = N;
    const agn_tensor *y[2] = {NULL, NULL};
    const agn_tensor *in[] = {ag_from_host(s, AGN_F64, 1, &n, x),
                              v ? ag_from_host(s, AGN_F64, 1, &n, v) : NULL};
    if (!agn_fn_apply(s, y, agn_fn_n_out(f), f, in, v ? 2 : 1)) {
        const double *p = agn_data(y[agn_fn_n_out(f) - 1]);
        for (int i = 0; i < N; i++)
            out[i] = p[i];
        if (value)
            *value = *(const double *)agn_data(y[0]);
    }
    return agn_scope_close(s);
}

/* d = -H^-1 g by conjugate gradients, as far as the Hessian is positive along the way */
static agn_status direction(const agn_fn *product, const double *x, const double *g, double *d)
{
    double r[N], p[N], Hp[N], old = dot(g, g), first = old;
    agn_status st = AGN_OK;
    for (int i = 0; i < N; i++) {
        d[i] = 0;
        p[i] = r[i] = -g[i];
    }
    for (int k = 0; k < 2 * N && old > 1e-20 * first && !st; k++) {
        st = call(product, x, p, NULL, Hp);
        double curve = st ? 0 : dot(p, Hp);
        if (st || curve <= 0)
            break;
        for (int i = 0; i < N; i++) {
            d[i] += old / curve * p[i];
            r[i] -= old / curve * Hp[i];
        }
        double now = dot(r, r);
        for (int i = 0; i < N; i++)
            p[i] = r[i] + now / old * p[i];
        old = now;
    }
    for (int i = 0; i < N && dot(d, d) == 0; i++)
        d[i] = -g[i];
    return st;
}

int main(void)
{
    agn_fn *f = NULL, *fdf = NULL, *H = NULL, *grad = NULL, *product = NULL;
    agn_status st = agn_fn_new(&f, valley, NULL, NULL, 1, 1);
    st = st ? st : agn_fn_value_and_grad(&fdf, f, NULL, 1);
    st = st ? st : agn_fn_hvp(&H, f, NULL, 1);
    st = st ? st : agn_fn_compile(&grad, fdf, NULL);
    st = st ? st : agn_fn_compile(&product, H, NULL);
    double x[N], g[N], d[N], y[N], value = 0, next = 0;
    for (int i = 0; i < N; i++)
        x[i] = 0;
    int steps = 0;
    st = st ? st : call(grad, x, NULL, &value, g);
    for (; !st && dot(g, g) > 1e-20 && steps < 500; steps++) {
        st = direction(product, x, g, d);
        double t = 1, slope = dot(g, d);
        for (; !st; t /= 2) { /* as far as the value falls enough */
            for (int i = 0; i < N; i++)
                y[i] = x[i] + t * d[i];
            st = call(grad, y, NULL, &next, g);
            if (next <= value + 1e-4 * t * slope || t < 1e-10)
                break;
        }
        for (int i = 0; i < N; i++)
            x[i] = y[i];
        value = next;
    }
    double worst = 0;
    for (int i = 0; i < N; i++)
        worst = fmax(worst, fabs(x[i] - 1));
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    else
        printf("at the minimum to %s, in fewer than 300 steps: %s\n",
               worst < 1e-10 ? "ten digits" : "few digits", steps < 300 ? "yes" : "no");
    agn_fn_release(product);
    agn_fn_release(grad);
    agn_fn_release(H);
    agn_fn_release(fdf);
    agn_fn_release(f);
    return st != AGN_OK;
}
