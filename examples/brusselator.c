/* brusselator.c - two substances that react and diffuse on a torus,

     u_t = 1 + u^2 v - 4.4 u + a (u_xx + u_yy),   v_t = 3.4 u - u^2 v + a (v_xx + v_yy),

   by a Rosenbrock method: each step takes one sparse Jacobian, one factorisation and two solves,
   and no iteration. The pattern, its colours and the order of elimination are found once; a step
   brings new numbers. The error is measured against a fine explicit solution, which shares neither
   the Jacobian nor the method. (Hairer & Wanner 1996, IV.10; Verwer, Spee, Blom & Hundsdorfer
   1999) */
#include <agnesi/agnesi.h>
#include <math.h>
#include <stdio.h>

enum { N = 16, CELLS = N * N, UNKNOWNS = 2 * CELLS };
static const double diffusion = 0.1, end = 1;

/* the rates of change of in[0], u and v on the grid: [2, N, N] */
static agn_status rates(void *user, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    const agn_tensor *u = ag_index_axis(s, in[0], 0, 0), *v = ag_index_axis(s, in[0], 0, 1);
    const agn_tensor *made = ag_mul(s, ag_square(s, u), v), *sum = ag_mul_c(s, in[0], -4);
    (void)user;
    for (int k = 0; k < 4; k++) {
        const int64_t by = k % 2 ? 1 : -1;
        const int32_t axis = 1 + k / 2;
        sum = ag_add(s, sum, ag_roll(s, in[0], &by, &axis, 1));
    }
    const agn_tensor *both[] = {ag_add_c(s, ag_sub(s, made, ag_mul_c(s, u, 4.4)), 1),
                                ag_sub(s, ag_mul_c(s, u, 3.4), made)};
    out[0] = ag_add(s, ag_stack(s, both, 2, 0), ag_mul_c(s, sum, diffusion * N * N));
    return agn_scope_status(s);
}

/* y - c f(y), whose Jacobian I - c J is the matrix of every stage; in: y, c */
static agn_status shifted(void *user, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    const agn_tensor *f = NULL;
    agn_fn_apply(s, &f, 1, user, in, agn_fn_n_in(user));
    out[0] = ag_sub(s, in[0], ag_mul(s, f, in[1]));
    return agn_scope_status(s);
}

typedef struct solver {
    const agn_fn *rates, *matrix;
    agn_sparse_factor *factor; /* NULL before the first step */
} solver;

static const agn_tensor *rate_at(agn_scope *s, const solver *q, const agn_tensor *y)
{
    const agn_tensor *f = NULL;
    agn_fn_apply(s, &f, 1, q->rates, &y, 1);
    return f;
}
static const agn_tensor *solve(agn_scope *s, const solver *q, const agn_tensor *b)
{
    const int64_t flat = UNKNOWNS, grid[] = {2, N, N};
    return ag_reshape(s, ag_sparse_factor_solve(s, q->factor, ag_reshape(s, b, 1, &flat), false), 3,
                      grid);
}

/* factors I - c J at y: new values in the places of the first one */
static void factor(agn_scope *s, solver *q, const agn_tensor *y, double c)
{
    const agn_tensor *in[2] = {y, ag_full(s, AGN_F64, 0, NULL, c)}, *m = NULL;
    agn_sparse_factor *f = NULL;
    agn_fn_apply(s, &m, 1, q->matrix, in, 2);
    if (agn_scope_status(s))
        return;
    if (q->factor)
        agn_scope_fail(s, agn_sparse_factor_refactor(&f, q->factor, ag_sparse_values(s, m)));
    else
        agn_scope_fail(s, agn_sparse_factor_new(&f, m, NULL));
    if (f) {
        agn_sparse_factor_release(q->factor);
        q->factor = f;
    }
}

/* of second order and L-stable, whatever J is good for */
static const agn_tensor *implicit_step(agn_scope *s, solver *q, const agn_tensor *y, double h)
{
    factor(s, q, y, h * (1 - sqrt(0.5)));
    if (agn_scope_status(s))
        return NULL;
    const agn_tensor *k1 = solve(s, q, rate_at(s, q, y));
    const agn_tensor *f2 = rate_at(s, q, ag_add(s, y, ag_mul_c(s, k1, h)));
    const agn_tensor *k2 = solve(s, q, ag_sub(s, f2, ag_mul_c(s, k1, 2)));
    return ag_add(s, y, ag_add(s, ag_mul_c(s, k1, 1.5 * h), ag_mul_c(s, k2, 0.5 * h)));
}
static const agn_tensor *explicit_step(agn_scope *s, solver *q, const agn_tensor *y, double h)
{
    const agn_tensor *k1 = rate_at(s, q, y),
                     *k2 = rate_at(s, q, ag_add(s, y, ag_mul_c(s, k1, h / 2)));
    const agn_tensor *k3 = rate_at(s, q, ag_add(s, y, ag_mul_c(s, k2, h / 2)));
    const agn_tensor *k4 = rate_at(s, q, ag_add(s, y, ag_mul_c(s, k3, h)));
    return ag_add(
        s, y, ag_mul_c(s, ag_add(s, ag_add(s, k1, k4), ag_mul_c(s, ag_add(s, k2, k3), 2)), h / 6));
}

typedef const agn_tensor *stepper(agn_scope *s, solver *q, const agn_tensor *y, double h);
static agn_status integrate(agn_tensor **out, stepper *step, solver *q, const agn_tensor *start,
                            int steps)
{
    agn_status st = AGN_OK;
    agn_tensor *y = agn_retain(start);
    for (int k = 0; !st && k < steps; k++) {
        agn_tensor *next = NULL;
        agn_scope *s = agn_scope_open(NULL);
        agn_scope_return(s, &next, step(s, q, y, end / steps));
        st = agn_scope_close(s);
        agn_release(y);
        y = next;
    }
    *out = y;
    return st;
}

static double apart(const agn_tensor *a, const agn_tensor *b)
{
    const double *x = agn_data(a), *y = agn_data(b);
    double most = 0;
    for (int i = 0; i < UNKNOWNS; i++)
        most = fmax(most, fabs(x[i] - y[i]));
    return most;
}

static agn_status tell_pattern(const agn_fn *matrix, const agn_tensor *start)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *in[2] = {start, ag_full(s, AGN_F64, 0, NULL, 0.01)}, *m = NULL;
    agn_tensor *columns = NULL, *rows = NULL;
    agn_fn_apply(s, &m, 1, matrix, in, 2);
    if (!agn_scope_status(s))
        agn_scope_fail(s, agn_sparse_colours(&columns, &rows, m, AGN_COLOUR_COLUMNS,
                                             AGN_COLOUR_SMALLEST_LAST));
    if (columns) {
        const int64_t *colour = agn_data(columns);
        int64_t most = 0;
        for (int i = 0; i < UNKNOWNS; i++)
            most = colour[i] > most ? colour[i] : most;
        printf("%d unknowns, %lld entries, %lld colours\n", UNKNOWNS, (long long)agn_sparse_nnz(m),
               (long long)most + 1);
    }
    agn_release(columns);
    agn_release(rows);
    return agn_scope_close(s);
}

int main(void)
{
    static double y0[2][N][N];
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++) {
            double x = (double)i / N, y = (double)k / N;
            y0[0][i][k] = 22 * y * pow(1 - y, 1.5);
            y0[1][i][k] = 27 * x * pow(1 - x, 1.5);
        }
    agn_fn *f = NULL, *plan = NULL, *g = NULL, *matrix = NULL;
    agn_tensor *start = NULL, *fine = NULL;
    agn_status st = agn_from_host(&start, AGN_F64, 3, (const int64_t[]){2, N, N}, y0);
    st = st ? st : agn_fn_new(&f, rates, NULL, NULL, 1, 1);
    st = st ? st : agn_fn_compile(&plan, f, NULL);
    st = st ? st : agn_fn_new(&g, shifted, f, NULL, 2, 1);
    st = st ? st : agn_fn_sparse_jacobian(&matrix, g, 0, NULL, NULL);
    st = st ? st : tell_pattern(matrix, start);
    solver q = {plan, matrix, NULL};
    st = st ? st : integrate(&fine, explicit_step, &q, start, 500);
    double before = 0;
    for (int steps = 20; !st && steps <= 160; steps *= 2) {
        agn_tensor *y = NULL;
        st = integrate(&y, implicit_step, &q, start, steps);
        double error = st ? 0 : apart(y, fine);
        if (!st)
            printf("%3d steps: error %.1e", steps, error);
        if (!st)
            before > 0 ? printf(", order %.1f\n", log2(before / error)) : printf("\n");
        before = error;
        agn_release(y);
    }
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    agn_sparse_factor_release(q.factor);
    agn_release(start);
    agn_release(fine);
    agn_fn_release(f);
    agn_fn_release(plan);
    agn_fn_release(g);
    agn_fn_release(matrix);
    return st != AGN_OK;
}
