/* two_moons.c - a normalising flow learns a density from points (Dinh, Sohl-Dickstein & Bengio
   2017): affine couplings that take two moons to a round normal law. What it has learnt is held
   against the density the points come from, on points it has not seen, and against its integral, 1.
   With an argument a picture of the density is written there. */
#include "chart.h"
#include <agnesi/agnesi.h>
#include <agnesi/linalg.h>
#include <agnesi/optim.h>

enum { LAYERS = 6, HIDDEN = 16, POINTS = 2048, PARTS = 6, COLUMNS = 64, ROWS = 42, STEPS = 200 };
static const double noise = 0.12, west = -1.75, south = -1.25, pace = 0.07;
static const double pi = 3.14159265358979323846;

/* points of both moons: half circles about (0, 0) and (1, 0.5), and normal noise */
static const agn_tensor *points(agn_scope *s, agn_generator *g)
{
    const int64_t half = POINTS / 2, two[2] = {POINTS, 2};
    const agn_tensor *key = ag_key(s, g), *other = ag_key(s, g);
    const agn_tensor *a = ag_random_uniform(s, key, ag_lit(s, 0), ag_lit(s, pi), 1, &half);
    const agn_tensor *c = ag_cos(s, a), *d = ag_sin(s, a);
    const agn_tensor *const x[] = {c, ag_add_c(s, ag_neg(s, c), 1)};
    const agn_tensor *const y[] = {d, ag_add_c(s, ag_neg(s, d), 0.5)};
    const agn_tensor *const both[] = {ag_concat(s, x, 2, 0), ag_concat(s, y, 2, 0)};
    return ag_add(s, ag_stack(s, both, 2, 1),
                  ag_random_normal(s, other, ag_lit(s, 0), ag_lit(s, noise), 2, two));
}
/* the density of the law itself, by the mean over many places along both moons */
static double truth(double x, double y)
{
    double sum = 0;
    const int n = 400;
    for (int i = 0; i < n; i++) {
        double a = pi * (i + 0.5) / n;
        double p = x - cos(a), q = y - sin(a), v = x - 1 + cos(a), w = y - 0.5 + sin(a);
        sum += exp(-(p * p + q * q) / (2 * noise * noise)) +
               exp(-(v * v + w * w) / (2 * noise * noise));
    }
    return sum / (2 * n) / (2 * pi * noise * noise);
}

/* log density of the rows of x; in: a layer of each network in each of PARTS tensors, of x */
static agn_status log_density(void *user, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    (void)user;
    const agn_tensor *z[2], *log_det = NULL;
    for (int i = 0; i < 2; i++)
        z[i] = ag_index_axis(s, in[PARTS], 1, i);
    for (int k = 0; k < LAYERS; k++) {
        const agn_tensor *p[PARTS];
        for (int i = 0; i < PARTS; i++)
            p[i] = ag_index_axis(s, in[i], 0, k);
        /* one number is shifted and scaled by a network of the other one */
        const agn_tensor *h = ag_expand_dims(s, z[k % 2], 1);
        h = ag_tanh(s, ag_add(s, ag_mul(s, h, p[0]), p[1]));
        h = ag_tanh(s, ag_add(s, ag_matmul(s, h, p[2]), p[3]));
        h = ag_add(s, ag_matmul(s, h, p[4]), p[5]);
        const agn_tensor *scale = ag_index_axis(s, h, 1, 0), *shift = ag_index_axis(s, h, 1, 1);
        z[1 - k % 2] = ag_mul(s, ag_sub(s, z[1 - k % 2], shift), ag_exp(s, scale));
        log_det = log_det ? ag_add(s, log_det, scale) : scale;
    }
    const agn_tensor *square = ag_add(s, ag_square(s, z[0]), ag_square(s, z[1]));
    out[0] = ag_add_c(s, ag_sub(s, log_det, ag_mul_c(s, square, 0.5)), -log(2 * pi));
    return agn_scope_status(s);
}
static agn_status loss(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const agn_tensor *l = NULL;
    agn_status st = log_density(user, s, in, &l);
    out[0] = ag_neg(s, ag_mean(s, l, NULL, 0, false));
    return st ? st : agn_scope_status(s);
}

static agn_status learn(agn_tensor **best, agn_scope *s, agn_generator *g, const agn_tensor *x)
{
    const int64_t shape[PARTS][3] = {{LAYERS, HIDDEN},         {LAYERS, HIDDEN},
                                     {LAYERS, HIDDEN, HIDDEN}, {LAYERS, HIDDEN},
                                     {LAYERS, HIDDEN, 2},      {LAYERS, 2}};
    const int32_t axes[PARTS] = {2, 2, 3, 2, 3, 2};
    const double size[PARTS] = {1, 1, 1 / sqrt(HIDDEN), 0.1, 0.01, 0.01};
    const agn_tensor *in[PARTS + 1];
    for (int i = 0; i < PARTS; i++)
        in[i] = ag_random_normal(s, ag_key(s, g), ag_lit(s, 0), ag_lit(s, size[i]), axes[i],
                                 shape[i]);
    in[PARTS] = x;
    agn_fn *f = NULL;
    double value = 0;
    agn_status st = agn_scope_status(s);
    st = st ? st : agn_fn_new(&f, loss, NULL, NULL, PARTS + 1, 1);
    st = st ? st
            : agn_fn_minimise(best, PARTS, &value, NULL, f, in, PARTS + 1, AGN_OPTIM_LBFGS, STEPS,
                              NULL);
    agn_fn_release(f);
    return st;
}

static const agn_tensor *places(agn_scope *s)
{
    static double at[ROWS * COLUMNS][2];
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        at[i][0] = west + pace * (i % COLUMNS + 0.5);
        at[i][1] = south + pace * (i / COLUMNS + 0.5);
    }
    return ag_from_host(s, AGN_F64, 2, (const int64_t[]){ROWS * COLUMNS, 2}, at);
}
static void draw(const char *path, const double *l, const double *x)
{
    FILE *f = picture_open(path, 16 + 10 * COLUMNS, 16 + 10 * ROWS);
    if (f)
        fprintf(f, "<rect width=\"%d\" height=\"%d\" fill=\"rgb(68,1,84)\"/>\n", 16 + 10 * COLUMNS,
                16 + 10 * ROWS);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        if (exp(l[i]) > 0.01)
            picture_square(f, 8 + 10 * (i % COLUMNS), 8 + 10 * (ROWS - 1 - i / COLUMNS), 10.2,
                           exp(l[i]) / 0.6);
    chart c = {
        f, 8, 8, 10 * COLUMNS, 10 * ROWS, west, west + pace * COLUMNS, south, south + pace * ROWS};
    for (int i = 0; i < POINTS; i += 8)
        chart_point(&c, x[2 * i], x[2 * i + 1], 1, "white");
    picture_close(f);
}

static agn_status report(agn_scope *s, agn_generator *g, const char *path)
{
    agn_fn *f = NULL;
    agn_tensor *best[PARTS] = {NULL};
    const agn_tensor *x = points(s, g), *fresh = points(s, g), *grid = places(s),
                     *l[2] = {NULL, NULL};
    agn_status st = agn_scope_status(s);
    st = st ? st : learn(best, s, g, x);
    st = st ? st : agn_fn_new(&f, log_density, NULL, NULL, PARTS + 1, 1);
    const agn_tensor *in[PARTS + 1];
    for (int i = 0; i < PARTS; i++)
        in[i] = agn_scope_adopt(s, st, &best[i]);
    for (int k = 0; k < 2 && !st; k++) {
        in[PARTS] = k ? grid : fresh;
        st = agn_fn_apply(s, &l[k], 1, f, in, PARTS + 1);
    }
    agn_fn_release(f);
    st = st ? st : agn_scope_status(s);
    if (st)
        return st;
    const double *new = agn_data(fresh), *found = agn_data(l[0]), *map = agn_data(l[1]);
    double mean = 0, known = 0, integral = 0;
    for (int i = 0; i < POINTS; i++) {
        mean += found[i] / POINTS;
        known += log(truth(new[2 * i], new[2 * i + 1])) / POINTS;
    }
    for (int i = 0; i < ROWS * COLUMNS; i++)
        integral += exp(map[i]) * pace * pace;
    printf("log density of fresh points: %.2f by the law, by the flow %s\n", known,
           fabs(known - mean) < 0.15 ? "within 0.15 of it" : "more than 0.15 off");
    printf("integral of the density: %.2f\n", integral);
    if (path)
        draw(path, map, agn_data(x));
    return st;
}

int main(int argc, char **argv)
{
    agn_generator *g = NULL;
    agn_status st = agn_generator_new(&g, 2);
    agn_scope *s = agn_scope_open(NULL);
    st = st ? st : report(s, g, argc > 1 ? argv[1] : NULL);
    agn_scope_fail(s, st);
    st = agn_scope_close(s);
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    agn_generator_release(g);
    return st != AGN_OK;
}
