/* truss.c - a cantilever of bars whose lowest mode is pushed up: K v = w M v with the same volume
   of steel moved from bar to bar, by the gradient of a soft minimum of the eigenvalues, which is
   right also where modes meet. The gradient of the lowest one is compared with Rayleigh's quotient,
   v' (dK - w dM) v. With an argument a picture is written there. */
#include "chart.h"
#include <agnesi/agnesi.h>
#include <agnesi/linalg.h>
#include <agnesi/optim.h>

enum { BAYS = 8, NODES = 2 * (BAYS + 1), FREE = 2 * NODES - 4, BARS = 5 * BAYS };
static const int64_t bars = BARS, freedoms = FREE;

/* node 2 i + j stands at (i, j); both nodes of the first pair are fixed */
static int from[BARS], to[BARS];
static double stretch[FREE][BARS]; /* of a bar by a displacement, over its length */
static double carried[FREE][BARS]; /* volume that moves with a displacement, by volume of the bar */
static double payload[FREE];       /* the nodes' own mass */

static void lay_out(void)
{
    int n = 0;
    for (int i = 0; i < BAYS; i++) {
        const int a = 2 * i,
                  pair[5][2] = {
                      {a, a + 2}, {a + 1, a + 3}, {a, a + 3}, {a + 1, a + 2}, {a + 2, a + 3}};
        for (int k = 0; k < 5; k++, n++) {
            from[n] = pair[k][0];
            to[n] = pair[k][1];
            double dx = to[n] / 2 - from[n] / 2, dy = to[n] % 2 - from[n] % 2,
                   l = sqrt(dx * dx + dy * dy);
            for (int end = 0; end < 2; end++)
                for (int axis = 0; axis < 2; axis++) {
                    int f = 2 * (end ? to[n] : from[n]) + axis - 4;
                    if (f < 0)
                        continue;
                    stretch[f][n] = (end ? 1 : -1) * (axis ? dy : dx) / (l * l);
                    carried[f][n] = 0.5;
                }
        }
    }
    for (int f = 0; f < FREE; f++)
        payload[f] = f >= FREE - 4 ? 0.5 : 0; /* a load at the tip */
}

/* stiffness and the diagonal of mass for the share of the volume, 1 in all, that each bar has */
static void assemble(agn_scope *s, const agn_tensor *volume, const agn_tensor **k,
                     const agn_tensor **m)
{
    const int64_t shape[2] = {FREE, BARS};
    const agn_tensor *b = ag_from_host(s, AGN_F64, 2, shape, stretch);
    *k = ag_matmul(s, ag_mul(s, b, volume), ag_transpose(s, b));
    *m = ag_add(s, ag_matmul(s, ag_from_host(s, AGN_F64, 2, shape, carried), volume),
                ag_from_host(s, AGN_F64, 1, &freedoms, payload));
}
/* squares of the frequencies, ascending */
static const agn_tensor *spectrum(agn_scope *s, const agn_tensor *volume)
{
    const agn_tensor *k = NULL, *m = NULL;
    assemble(s, volume, &k, &m);
    const agn_tensor *d = ag_rsqrt(s, m);
    return ag_linalg_eigvalsh(s, ag_mul(s, k, ag_outer(s, d, d)), false);
}
static agn_status lowest(void *user, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    (void)user;
    out[0] = ag_index_axis(s, spectrum(s, in[0]), 0, 0);
    return agn_scope_status(s);
}
/* logarithms of volumes up to a number for all; a bar keeps a thousandth of the mean */
static const agn_tensor *shares(agn_scope *s, const agn_tensor *p)
{
    return ag_add_c(s, ag_mul_c(s, ag_nn_softmax(s, p, 0), 0.999), 0.001 / BARS);
}
/* minus the soft minimum of log w: -log sum w^-p / p */
static agn_status loss(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    (void)user;
    const double power = 40;
    const agn_tensor *w = ag_log(s, spectrum(s, shares(s, in[0])));
    out[0] = ag_mul_c(s, ag_logsumexp(s, ag_mul_c(s, w, -power), NULL, 0, false), 1 / power);
    return agn_scope_status(s);
}

/* the largest difference between the gradient of the lowest value and v' (dK - w dM) v, v' M v = 1
   */
static const agn_tensor *difference(agn_scope *s, const agn_tensor *volume, const agn_tensor **mode)
{
    agn_fn *f = NULL, *df = NULL;
    agn_tensor *w = NULL, *v = NULL;
    const agn_tensor *g = NULL, *k = NULL, *m = NULL;
    assemble(s, volume, &k, &m);
    const agn_tensor *mass = ag_diag(s, m, 0);
    agn_status st = agn_scope_status(s);
    st = st ? st : agn_fn_new(&f, lowest, NULL, NULL, 1, 1);
    st = st ? st : agn_fn_grad(&df, f, NULL, 1);
    st = st ? st : agn_fn_apply(s, &g, 1, df, &volume, 1);
    st = st ? st : agn_linalg_eigh_generalized(&w, &v, k, mass, false);
    const agn_tensor *values = agn_scope_adopt(s, st, &w), *vectors = agn_scope_adopt(s, st, &v);
    *mode = ag_index_axis(s, vectors, 1, 0);
    const int64_t shape[2] = {FREE, BARS};
    const agn_tensor *strain = ag_matmul(s, *mode, ag_from_host(s, AGN_F64, 2, shape, stretch));
    const agn_tensor *moved = ag_matmul(s, ag_square(s, *mode),
                                        ag_from_host(s, AGN_F64, 2, shape, carried));
    const agn_tensor *formula = ag_sub(s, ag_square(s, strain),
                                       ag_mul(s, moved, ag_index_axis(s, values, 0, 0)));
    agn_fn_release(f);
    agn_fn_release(df);
    return ag_max(s, ag_abs(s, ag_sub(s, g, formula)), NULL, 0, false);
}

/* bars as thick as they are, and where their nodes are at the end of a swing */
static void draw_truss(chart *c, const double *volume, const double *mode, const char *title)
{
    double size = 0;
    for (int f = 0; f < FREE; f++)
        size = fmax(size, fabs(mode[f]));
    for (int e = 0; e < BARS; e++) {
        double x[2], y[2], length = hypot(to[e] / 2 - from[e] / 2, to[e] % 2 - from[e] % 2);
        for (int end = 0; end < 2; end++) {
            int node = end ? to[e] : from[e], f = 2 * node - 4;
            x[end] = node / 2 + (f < 0 ? 0 : 0.8 * mode[f] / size);
            y[end] = node % 2 + (f < 0 ? 0 : 0.8 * mode[f + 1] / size);
        }
        chart_line(c, x[0], y[0], x[1], y[1], 0.6, CHART_RED);
        chart_line(c, from[e] / 2, from[e] % 2, to[e] / 2, to[e] % 2, 120 * volume[e] / length,
                   CHART_BLUE);
    }
    chart_label(c, c->left + c->width / 2, c->top + 10, "middle", title);
}

static agn_status report(agn_scope *s, const agn_tensor *begin, const agn_tensor *best,
                         const char *path)
{
    const agn_tensor *v[2] = {shares(s, begin), shares(s, best)}, *w[2], *mode[2], *off[2];
    char title[64];
    for (int i = 0; i < 2; i++) {
        w[i] = spectrum(s, v[i]);
        off[i] = difference(s, v[i], &mode[i]);
        mode[i] = ag_contiguous(s, mode[i]);
    }
    if (agn_scope_status(s))
        return agn_scope_status(s);
    FILE *f = path ? picture_open(path, 640, 350) : NULL;
    for (int i = 0; i < 2; i++) {
        const double *a = agn_data(w[i]), *d = agn_data(off[i]);
        printf("%s: lowest frequencies %.2f %.2f, gradient %s\n", i ? "moved" : "even ",
               1e3 * sqrt(a[0]), 1e3 * sqrt(a[1]),
               *d < 1e-12 ? "as by Rayleigh's quotient" : "not as by Rayleigh's quotient");
        chart c = {f, 20, 10 + 170 * i, 600, 170, -0.5, 8.5, -0.8, 1.8};
        snprintf(title, sizeof title, "%s: frequency %.2f",
                 i ? "steel moved by the gradient" : "even bars", 1e3 * sqrt(a[0]));
        draw_truss(&c, agn_data(v[i]), agn_data(mode[i]), title);
    }
    picture_close(f);
    return AGN_OK;
}

int main(int argc, char **argv)
{
    agn_fn *f = NULL;
    agn_tensor *even = NULL, *best = NULL;
    lay_out();
    agn_status st = agn_fn_new(&f, loss, NULL, NULL, 1, 1);
    st = st ? st : agn_zeros(&even, AGN_F64, 1, &bars);
    const agn_tensor *in[] = {even};
    agn_optim_options opts = {.size = sizeof opts, .gradient_tol = 1e-7};
    st = st ? st : agn_fn_minimise(&best, 1, NULL, NULL, f, in, 1, AGN_OPTIM_LBFGS, 400, &opts);
    agn_scope *s = agn_scope_open(NULL);
    st = st ? st : report(s, even, best, argc > 1 ? argv[1] : NULL);
    agn_scope_fail(s, st);
    st = agn_scope_close(s);
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    agn_fn_release(f);
    agn_release(even);
    agn_release(best);
    return st != AGN_OK;
}
