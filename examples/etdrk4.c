/* etdrk4.c - u_t = L u + N(u) on a circle: the linear part exactly in Fourier space, the rest by
   ETDRK4 (Cox & Matthews 2002; Kassam & Trefethen 2005). For Kuramoto-Sivashinsky, Allen-Cahn,
   Korteweg-de Vries and Burgers: the error of half as many steps, and the derivative of the final
   energy in the initial data, in reverse, beside a difference. Draws etdrk4.svg: u over time
   (upwards), and below it u at time 0 and that derivative. */
#include "picture_grid.h"

#include <agnesi/agnesi.h>
#include <complex.h>
#include <math.h>

enum { N = 128, BINS = N / 2 + 1, CIRCLE = 64, ROWS = 50 };
#define PI 3.14159265358979323846

typedef struct equation {
    const char *name;
    double length, time;
    int steps;
    double linear[5]; /* of u, u_x, u_xx, u_xxx, u_xxxx */
    double square, cube; /* N = square (u^2)_x + cube u^3 */
    double (*start)(double x);
} equation;

static double start_ks(double x)
{
    return cos(x / 16) * (1 + sin(x / 16));
}
static double start_ac(double x)
{
    return 0.53 * sin(x) + 0.47 * cos(3 * x);
}
static double start_kdv(double x)
{
    return cos(PI * x);
}
static double start_burgers(double x)
{
    return sin(x) + 0.5 * sin(2 * x + 1);
}
static const equation equations[] = {
    {"Kuramoto-Sivashinsky", 32 * PI, 60, 480, {0, 0, -1, 0, -1}, -0.5, 0, start_ks},
    {"Allen-Cahn", 2 * PI, 5, 50, {1, 0, 0.01, 0, 0}, 0, -1, start_ac},
    {"Korteweg-de Vries", 2, 1.2, 1200, {0, 0, 0, -0.022 * 0.022, 0}, -0.5, 0, start_kdv},
    {"Burgers", 2 * PI, 1, 100, {0, 0, 0.03, 0, 0}, -0.5, 0, start_burgers},
};

/* one run: factors of each bin as constants [BINS] */
typedef struct run {
    const equation *q;
    int steps;
    agn_tensor *whole, *half, *by_half, *first, *middle, *last, *slope;
} run;

static agn_status make_factors(run *r)
{
    double complex v[7][BINS];
    const equation *q = r->q;
    double h = q->time / r->steps;
    for (int k = 0; k < BINS; k++) {
        double complex d = (double complex)I * (2 * PI * k / q->length), l = 0,
                       sum[4] = {0, 0, 0, 0};
        for (int j = 4; j >= 0; j--)
            l = l * d + q->linear[j];
        l *= h;
        for (int j = 0; j < CIRCLE; j++) { /* means over a circle about l: no cancellation near 0 */
            double complex z = l + cexp((double complex)I * (2 * PI * (j + 0.5) / CIRCLE)),
                           e = cexp(z), z3 = z * z * z;
            sum[0] += (cexp(z / 2) - 1) / z;
            sum[1] += (-4 - z + e * (4 - 3 * z + z * z)) / z3;
            sum[2] += (2 + z + e * (z - 2)) / z3;
            sum[3] += (-4 - 3 * z - z * z + e * (4 - z)) / z3;
        }
        v[0][k] = cexp(l);
        v[1][k] = cexp(l / 2);
        for (int j = 0; j < 4; j++)
            v[2 + j][k] = h / CIRCLE * sum[j];
        v[6][k] = 2 * k == N ? 0 : d; /* the bin of both signs has no slope */
    }
    agn_tensor **to[] = {&r->whole,  &r->half, &r->by_half, &r->first,
                         &r->middle, &r->last, &r->slope};
    agn_status st = AGN_OK;
    for (int j = 0; j < 7 && !st; j++)
        st = agn_from_host(to[j], AGN_C128, 1, (int64_t[]){BINS}, v[j]);
    return st;
}

static void drop_factors(run *r)
{
    agn_tensor *all[] = {r->whole, r->half, r->by_half, r->first, r->middle, r->last, r->slope};
    for (int j = 0; j < 7; j++)
        agn_release(all[j]);
}

/* the transform of N(u), u given by its own */
static const agn_tensor *nonlinear(agn_scope *s, const run *r, const agn_tensor *v)
{
    const agn_tensor *u = ag_fft_irfft(s, v, N, -1, AGN_FFT_BACKWARD);
    if (r->q->cube != 0)
        return ag_fft_rfft(s, ag_mul_c(s, ag_mul(s, ag_square(s, u), u), r->q->cube), 0, -1,
                           AGN_FFT_BACKWARD);
    v = ag_fft_rfft(s, ag_mul_c(s, ag_square(s, u), r->q->square), 0, -1, AGN_FFT_BACKWARD);
    return ag_mul(s, v, r->slope);
}

static const agn_tensor *step(agn_scope *s, const run *r, const agn_tensor *v)
{
    const agn_tensor *ev = ag_mul(s, v, r->half), *nv = nonlinear(s, r, v);
    const agn_tensor *a = ag_add(s, ev, ag_mul(s, nv, r->by_half)), *na = nonlinear(s, r, a);
    const agn_tensor *b = ag_add(s, ev, ag_mul(s, na, r->by_half)), *nb = nonlinear(s, r, b);
    const agn_tensor *c = ag_sub(s, ag_mul_c(s, nb, 2), nv);
    c = ag_add(s, ag_mul(s, a, r->half), ag_mul(s, c, r->by_half));
    const agn_tensor *nc = nonlinear(s, r, c),
                     *y = ag_add(s, ag_mul(s, v, r->whole), ag_mul(s, nv, r->first));
    y = ag_add(s, y, ag_mul(s, ag_mul_c(s, ag_add(s, na, nb), 2), r->middle));
    return ag_add(s, y, ag_mul(s, nc, r->last));
}

/* in: u at time 0; out: the energy mean(u^2) / 2 at the end, and u there */
static agn_status solve(void *user, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    const run *r = user;
    const agn_tensor *v = ag_fft_rfft(s, in[0], 0, -1, AGN_FFT_BACKWARD);
    for (int j = 0; j < r->steps; j++)
        v = step(s, r, v);
    out[1] = ag_fft_irfft(s, v, N, -1, AGN_FFT_BACKWARD);
    out[0] = ag_mul_c(s, ag_sum_all(s, ag_square(s, out[1])), 0.5 / N);
    return agn_scope_status(s);
}

/* energy and u at the end of steps steps from u0; the gradient of the energy too where it is asked
   for */
static agn_status compute(double *energy, double *u, double *gradient, const equation *q, int steps,
                          const double *u0)
{
    run r = {.q = q, .steps = steps};
    agn_tensor *x = NULL, *y[2] = {NULL, NULL}, *g = NULL;
    agn_fn *f = NULL, *df = NULL;
    agn_status st = make_factors(&r);
    if (!st)
        st = agn_from_host(&x, AGN_F64, 1, (int64_t[]){N}, u0);
    if (!st)
        st = agn_fn_new(&f, solve, &r, NULL, 1, 2);
    if (!st)
        st = agn_fn_call(y, 2, f, AGN_ARGS(x));
    if (!st && gradient)
        st = agn_fn_grad(&df, f, NULL, 1);
    if (!st && gradient)
        st = agn_fn_call(&g, 1, df, AGN_ARGS(x));
    if (!st) {
        *energy = *(const double *)agn_data(y[0]);
        memcpy(u, agn_data(y[1]), N * sizeof *u);
        if (gradient)
            memcpy(gradient, agn_data(g), N * sizeof *u);
    }
    agn_fn_release(df);
    agn_fn_release(f);
    agn_release(g);
    agn_release(y[0]);
    agn_release(y[1]);
    agn_release(x);
    drop_factors(&r);
    return st;
}

/* u at ROWS times from 0 to the end, [ROWS, N] */
static agn_status record(double *u, const equation *q, const double *u0)
{
    run r = {.q = q, .steps = q->steps};
    agn_tensor *v = NULL, *next = NULL, *now = NULL;
    agn_status st = make_factors(&r);
    for (int j = 0, row = 0; j <= q->steps && row < ROWS && !st; j++) {
        agn_scope *s = agn_scope_open(NULL);
        const agn_tensor *to = j ? step(s, &r, v) : ag_from_host(s, AGN_F64, 1, (int64_t[]){N}, u0);
        to = j ? to : ag_fft_rfft(s, to, 0, -1, AGN_FFT_BACKWARD);
        agn_scope_return(s, &next, to);
        agn_scope_return(s, &now, ag_fft_irfft(s, to, N, -1, AGN_FFT_BACKWARD));
        st = agn_scope_close(s);
        for (; !st && row < ROWS && j >= q->steps * row / (ROWS - 1); row++)
            memcpy(u + row * N, agn_data(now), N * sizeof *u);
        agn_release(v);
        agn_release(now);
        v = next;
        next = now = NULL;
    }
    agn_release(v);
    drop_factors(&r);
    return st;
}

static double find_largest(const double *x, int n)
{
    double most = 0;
    for (int j = 0; j < n; j++)
        most = fmax(most, fabs(x[j]));
    return most;
}

static agn_status draw(FILE *f, double left, const equation *q, const double *u0,
                       const double *gradient)
{
    static double u[ROWS * N];
    double at[N], up[N];
    agn_status st = record(u, q, u0);
    if (st || !f)
        return st;
    double most = find_largest(u, ROWS * N);
    for (int j = 0; j < ROWS * N; j++)
        u[j] = 0.5 + u[j] / (2 * most);
    picture_grid(f, left, 24, 200, 280, u, ROWS, N);
    picture_word(f, left, 16, "black", q->name);
    for (int curve = 0; curve < 2; curve++) {
        const double *x = curve ? gradient : u0;
        most = find_largest(x, N);
        for (int j = 0; j < N; j++) {
            at[j] = left + 200 * (j + 0.5) / N;
            up[j] = 365 - 50 * x[j] / most;
        }
        picture_curve(f, N, at, up, curve ? "rgb(180,60,50)" : "rgb(59,82,139)");
    }
    return AGN_OK;
}

int main(void)
{
    FILE *f = picture_open("etdrk4.svg", 850, 440);
    picture_word(f, 10, 434, "rgb(59,82,139)", "u(x, 0)");
    picture_word(f, 70, 434, "rgb(180,60,50)", "gradient of the energy at the end in it");
    printf("%-21s %9s %10s %9s %13s %13s\n", "", "u(0, T)", "energy", "error", "gradient",
           "difference");
    for (size_t e = 0; e < sizeof equations / sizeof *equations; e++) {
        const equation *q = &equations[e];
        double u0[N], moved[N], u[N], coarse[N], g[N], energy = 0, half = 0, up = 0, down = 0,
                                                       error = 0, along = 0;
        const double small = 1e-5;
        agn_status st = AGN_OK;
        for (int j = 0; j < N; j++)
            u0[j] = q->start(q->length * j / N);
        st = compute(&energy, u, g, q, q->steps, u0);
        if (!st)
            st = compute(&half, coarse, NULL, q, q->steps / 2, u0);
        /* along a direction: the first and the third frequency */
        for (int sign = -1; sign <= 1 && !st; sign += 2) {
            for (int j = 0; j < N; j++)
                moved[j] = u0[j] + sign * small * (cos(2 * PI * j / N) + cos(2 * PI * 3 * j / N));
            double all[N];
            st = compute(sign < 0 ? &down : &up, all, NULL, q, q->steps, moved);
        }
        if (!st)
            st = draw(f, 10 + 210 * (double)e, q, u0, g);
        if (st) {
            fprintf(stderr, "%s\n", agn_error_message());
            picture_close(f);
            return 1;
        }
        for (int j = 0; j < N; j++) {
            error = fmax(error, fabs(u[j] - coarse[j]) / 15); /* of fourth order: that of all steps */
            along += g[j] * (cos(2 * PI * j / N) + cos(2 * PI * 3 * j / N));
        }
        printf("%-21s %9.6f %10.6f %9.0e %13.7f %13.7f\n", q->name, u[0], energy, error, along,
               (up - down) / (2 * small));
    }
    picture_close(f);
    return 0;
}
