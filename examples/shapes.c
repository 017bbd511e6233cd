/* shapes.c - clouds of points told apart by dynamic edge convolutions (Wang et al. 2019): spheres,
   boxes, tori and rods, in any position. Draws shapes.svg: a surface of each kind, and the points
   of a cloud on it. */
#include "picture.h"

#include <agnesi/agnesi.h>
#include <agnesi/geometric_layers.h>
#include <agnesi/geometric_points.h>
#include <math.h>
#include <stdlib.h>

enum { DENSE = 500 }; /* points of a picture */
enum { KINDS = 4, CLOUDS = 120, POINTS = 40, N = CLOUDS * POINTS, NEAR = 8, F = 12, PARAMS = 8 };

static double draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

static void draw_point(double *x, int kind, uint64_t *seed)
{
    const double pi = acos(-1);
    double u = 2 * pi * draw(seed), v = 2 * draw(seed) - 1, w = 2 * pi * draw(seed);
    if (kind == 0) { /* a sphere */
        x[0] = sqrt(1 - v * v) * cos(u), x[1] = sqrt(1 - v * v) * sin(u), x[2] = v;
    } else if (kind == 1) { /* the surface of a box */
        int side = (int)(6 * draw(seed));
        x[side % 3] = side < 3 ? 0.8 : -0.8;
        x[(side + 1) % 3] = 0.8 * v;
        x[(side + 2) % 3] = 0.8 * (2 * draw(seed) - 1);
    } else if (kind == 2) { /* a torus */
        x[0] = (1 + 0.3 * cos(w)) * cos(u), x[1] = (1 + 0.3 * cos(w)) * sin(u), x[2] = 0.3 * sin(w);
    } else { /* a rod */
        x[0] = 0.3 * cos(u), x[1] = 0.3 * sin(u), x[2] = 1.4 * v;
    }
}

typedef struct clouds {
    agn_graph *g;
    agn_tensor *x, *ids, *label;
} clouds;

/* clouds turned about two axes */
static agn_status make_clouds(clouds *q, double x[N][3], uint64_t seed)
{
    int64_t id[N], label[CLOUDS], n = N, m = CLOUDS;
    for (int c = 0; c < CLOUDS; c++) {
        double a = 7 * draw(&seed), b = 7 * draw(&seed);
        label[c] = c % KINDS;
        for (int i = c * POINTS; i < (c + 1) * POINTS; i++) {
            double p[3];
            draw_point(p, c % KINDS, &seed);
            id[i] = c;
            double y = cos(a) * p[1] - sin(a) * p[2], z = sin(a) * p[1] + cos(a) * p[2];
            x[i][0] = cos(b) * p[0] - sin(b) * z;
            x[i][1] = y;
            x[i][2] = sin(b) * p[0] + cos(b) * z;
        }
    }
    agn_status st = agn_from_host(&q->x, AGN_F64, 2, (const int64_t[]){N, 3}, x);
    st = st ? st : agn_from_host(&q->ids, AGN_I64, 1, &n, id);
    st = st ? st : agn_from_host(&q->label, AGN_I64, 1, &m, label);
    return st ? st : agn_graph_knn(&q->g, q->x, NULL, q->ids, NULL, NEAR);
}

/* two edge convolutions, the largest and the mean over each cloud, a dense layer */
static const agn_tensor *network(agn_scope *s, const clouds *q, const agn_tensor *const *p)
{
    const agn_tensor *h = ag_graph_edge_conv(s, q->g, q->x, NULL, p[0], p[1], p[2]);
    h = ag_graph_edge_conv(s, q->g, h, NULL, p[3], p[4], p[5]);
    const agn_tensor *top = ag_geometric_segment_reduce(s, h, q->ids, CLOUDS, AGN_GEOMETRIC_MAX);
    const agn_tensor *mean = ag_geometric_segment_reduce(s, h, q->ids, CLOUDS, AGN_GEOMETRIC_MEAN);
    return ag_nn_linear(s, ag_concat(s, AGN_ARGS(top, mean), 1), p[6], p[7]);
}

static agn_status loss(void *user, agn_scope *s, const agn_tensor *const *p, const agn_tensor **out)
{
    const clouds *q = user;
    const agn_tensor *size = ag_mul_c(s, ag_sum_all(s, ag_square(s, p[6])), 1e-3);
    out[0] = ag_add(s, size, ag_nn_cross_entropy(s, network(s, q, p), q->label, 1, NULL));
    return agn_scope_status(s);
}

static agn_status train(agn_tensor **p, clouds *q)
{
    static const int64_t shape[PARAMS][2] = {{F, 3}, {F, 3}, {F, 1},         {F, F},
                                             {F, F}, {F, 1}, {KINDS, 2 * F}, {KINDS, 1}};
    agn_tensor *start[PARAMS] = {NULL};
    agn_fn *f = NULL, *df = NULL, *fast = NULL;
    agn_optim *o = NULL;
    uint64_t seed = 3;
    agn_status st = AGN_OK;
    for (int k = 0; !st && k < PARAMS; k++) {
        double v[2 * F * F];
        for (int i = 0; i < 2 * F * F; i++)
            v[i] = draw(&seed) - 0.5;
        st = agn_from_host(&start[k], AGN_F64, k == 2 || k == 5 || k == 7 ? 1 : 2, shape[k], v);
    }
    st = st ? st : agn_fn_new(&f, loss, q, NULL, PARAMS, 1);
    st = st ? st : agn_fn_value_and_grad(&df, f, (const int32_t[]){0, 1, 2, 3, 4, 5, 6, 7}, PARAMS);
    st = st ? st : agn_fn_compile(&fast, df, NULL);
    st = st ? st
            : agn_optim_new(&o, AGN_OPTIM_BFGS, (const agn_tensor *const *)start, PARAMS, NULL);
    st = st ? st : agn_optim_minimise(NULL, o, fast, NULL, 0, 60, NULL, NULL);
    st = st ? st : agn_optim_params(p, PARAMS, o);
    for (int k = 0; k < PARAMS; k++)
        agn_release(start[k]);
    agn_optim_release(o);
    agn_fn_release(fast);
    agn_fn_release(df);
    agn_fn_release(f);
    return st;
}

static void free_clouds(clouds *q)
{
    agn_graph_release(q->g);
    agn_release(q->x);
    agn_release(q->ids);
    agn_release(q->label);
}

static int by_depth(const void *a, const void *b)
{
    double p = ((const double *)a)[2], q = ((const double *)b)[2];
    return (p > q) - (p < q);
}

/* far ones first, dark and small */
static void draw_kind(FILE *f, int kind, const char *name, uint64_t seed)
{
    double x[DENSE][3];
    for (int i = 0; i < DENSE; i++) {
        double p[3];
        draw_point(p, kind, &seed);
        double y = 0.6 * p[1] + 0.8 * p[2], z = 0.6 * p[2] - 0.8 * p[1];
        x[i][0] = 0.85 * p[0] - 0.53 * z;
        x[i][1] = y;
        x[i][2] = 0.53 * p[0] + 0.85 * z;
    }
    qsort(x, DENSE, sizeof *x, by_depth);
    for (int i = 0; i < DENSE; i++)
        picture_disc(f, 125 + 250 * kind + 78 * x[i][0], 130 - 78 * x[i][1], 3 + 1.5 * x[i][2],
                     (x[i][2] + 1.4) / 2.8);
    for (int i = 0; i < DENSE && f; i += DENSE / POINTS)
        fprintf(f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"none\" stroke=\"#c00\"/>\n",
                125 + 250 * kind + 78 * x[i][0], 130 - 78 * x[i][1]);
    picture_word(f, 105 + 250 * kind, 272, "#333", name);
}

int main(void)
{
    static const char *const name[KINDS] = {"sphere", "box", "torus", "rod"};
    static double x[N][3];
    clouds known = {0}, other = {0};
    agn_tensor *p[PARAMS] = {NULL};
    double score[CLOUDS][KINDS];
    agn_status st = make_clouds(&known, x, 1);
    st = st ? st : make_clouds(&other, x, 2);
    st = st ? st : train(p, &known);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = st ? NULL : network(s, &other, (const agn_tensor *const *)p);
    if (y && !st)
        st = agn_to_host(score, y, sizeof score);
    agn_status closed = agn_scope_close(s);
    if (st || closed) {
        fprintf(stderr, "%s\n", agn_error_message());
    } else {
        int right = 0;
        for (int c = 0; c < CLOUDS; c++) {
            int best = 0;
            for (int k = 1; k < KINDS; k++)
                best = score[c][k] > score[c][best] ? k : best;
            right += best == c % KINDS;
        }
        FILE *f = picture_open("shapes.svg", 1000, 280);
        for (int k = 0; k < KINDS; k++)
            draw_kind(f, k, name[k], 7);
        picture_close(f);
        printf("of %d clouds that it has not seen, four of five or more are told apart: %s\n",
               CLOUDS, right * 5 >= CLOUDS * 4 ? "yes" : "no");
    }
    for (int k = 0; k < PARAMS; k++)
        agn_release(p[k]);
    free_clouds(&known);
    free_clouds(&other);
    return st || closed;
}
