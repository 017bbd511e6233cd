/* stiff.c - a front that travels: u_t = D u_xx + r u (1 - u), by the implicit rule with steps
   twenty times those that an explicit one allows. Each step is solved by Newton's method with
   a sparse Jacobian and a sparse solve. */
#include <agnesi/agnesi.h>
#include <agnesi/sparse_derivative.h>
#include <math.h>
#include <stdio.h>

enum { N = 600 };
static const double D = 1, rate = 1, width = 0.1, dt = 0.1;

/* residual of a step from u0 = in[1] to u = in[0]; the ends are walls */
static agn_status residual(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    const int64_t one = 1, none = 0, last = -1, end = AGN_END, begin = 0;
    const agn_tensor *u = in[0];
    (void)user;
    const agn_tensor *slope = ag_sub(s, ag_slice(s, u, 1, &one, &end, NULL),
                                     ag_slice(s, u, 1, &begin, &last, NULL));
    const agn_tensor *flow = ag_sub(s, ag_pad(s, slope, 1, &none, &one, 0),
                                    ag_pad(s, slope, 1, &one, &none, 0));
    const agn_tensor *growth = ag_mul(s, u, ag_sub(s, ag_lit(s, 1), u));
    const agn_tensor *f = ag_add(s, ag_mul_c(s, flow, D / (width * width)),
                                 ag_mul_c(s, growth, rate));
    out[0] = ag_sub(s, ag_sub(s, u, in[1]), ag_mul_c(s, f, dt));
    return agn_scope_status(s);
}

/* u becomes the state after one step; how many solves it took, or -1 */
static int step(const agn_fn *f, const agn_fn *jacobian, agn_tensor **u)
{
    agn_tensor *x = agn_retain(*u);
    int solves = 0;
    for (double size = 1; size > 1e-10; solves++) {
        const agn_tensor *in[2] = {x, *u}, *r = NULL, *j = NULL;
        agn_tensor *next = NULL;
        agn_scope *s = agn_scope_open(NULL);
        agn_fn_apply(s, &r, 1, f, in, 2);
        agn_fn_apply(s, &j, 1, jacobian, in, 2);
        const agn_tensor *d = agn_scope_status(s) ? NULL : ag_sparse_solve(s, j, r);
        agn_scope_return(s, &next, ag_sub(s, x, d));
        const agn_tensor *most = ag_max(s, ag_abs(s, d), NULL, 0, false);
        agn_scope_fail(s, agn_scope_status(s) ? AGN_OK : agn_item_f64(&size, most));
        if (agn_scope_close(s)) {
            agn_release(x);
            return -1;
        }
        agn_release(x);
        x = next;
    }
    agn_release(*u);
    *u = x;
    return solves;
}

int main(void)
{
    double start[N];
    const int64_t n = N;
    for (int i = 0; i < N; i++)
        start[i] = i < 30;
    agn_tensor *u = NULL;
    agn_fn *f = NULL, *jacobian = NULL;
    agn_status st = agn_from_host(&u, AGN_F64, 1, &n, start);
    st = st ? st : agn_fn_new(&f, residual, NULL, NULL, 2, 1);
    st = st ? st : agn_fn_sparse_jacobian(&jacobian, f, 0, NULL, NULL);
    double before = 0;
    for (int k = 1; !st && k <= 200; k++) {
        int solves = step(f, jacobian, &u);
        if (solves < 0)
            break;
        const double *v = agn_data(u);
        int i = 0;
        while (i < N - 2 && v[i + 1] > 0.5)
            i++;
        double front = width * (i + (v[i] - 0.5) / (v[i] - v[i + 1]));
        if (k % 50 == 0)
            printf("t = %4.1f: front at %6.3f, speed %.2f, %d solves\n", k * dt, front,
                   (front - before) / dt, solves);
        before = front;
    }
    if (st || !u)
        fprintf(stderr, "%s\n", agn_error_message());
    agn_release(u);
    agn_fn_release(f);
    agn_fn_release(jacobian);
    return st != AGN_OK;
}
