/* molecules.c - energies and forces of small clusters of atoms by continuous filters (Schutt et al.
   2018): trained on both, where forces are the derivative of the energy, so that what is minimised
   has a derivative of a derivative in it. Draws molecules.svg: forces of new clusters by the
   network against the true ones. */
#include "picture.h"

#include <agnesi/agnesi.h>
#include <agnesi/geometric_networks.h>
#include <agnesi/geometric_points.h>
#include <math.h>

enum { CLUSTERS = 40, ATOMS = 5, N = CLUSTERS * ATOMS, BASIS = 12, F = 8, PARAMS = 6 };
static const double CUTOFF = 4;

typedef struct data {
    agn_graph *g;
    agn_tensor *x, *ids, *energy, *force; /* [N, 3], [N], [CLUSTERS], [N, 3] */
} data;

static double draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

/* places at least 1.1 apart */
static void draw_places(double x[N][3], uint64_t *seed)
{
    for (int i = 0; i < N; i++) {
        bool close = true;
        while (close) {
            close = false;
            for (int k = 0; k < 3; k++)
                x[i][k] = 2.4 * draw(seed);
            for (int j = i / ATOMS * ATOMS; j < i; j++)
                close |= hypot(hypot(x[i][0] - x[j][0], x[i][1] - x[j][1]), x[i][2] - x[j][2]) <
                         1.1;
        }
    }
}

/* distances [edges, 1] of places x */
static const agn_tensor *lengths(agn_scope *s, const agn_graph *g, const agn_tensor *x)
{
    const agn_tensor *d = ag_graph_gsddmm(s, g, x, AGN_GRAPH_DST, x, AGN_GRAPH_SRC,
                                          AGN_MESSAGE_SUB);
    return ag_sqrt(s, ag_sum(s, ag_square(s, d), (const int32_t[]){1}, 1, true));
}

/* what is to be learnt: Morse's potential (1929), (1 - exp(-(r - 1.5)))^2 - 1 for each pair, which
   ends smoothly at the cutoff */
static agn_status morse(void *user, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    const data *q = user;
    const agn_tensor *r = lengths(s, q->g, in[0]), *e = ag_exp(s, ag_add_c(s, ag_neg(s, r), 1.5));
    e = ag_mul(s, e, ag_add_c(s, e, -2));
    const agn_tensor *end = ag_add_c(s, ag_cos(s, ag_mul_c(s, r, acos(-1) / CUTOFF)), 1);
    e = ag_mul_c(s, ag_mul(s, e, end), 0.25); /* half of a pair at either atom, half of the cutoff's range */
    const agn_tensor *atom = ag_graph_gspmm(s, q->g, NULL, e, AGN_MESSAGE_COPY, AGN_GEOMETRIC_SUM);
    out[0] = ag_sum_all(s, atom);
    out[1] = ag_geometric_segment_reduce(s, ag_reshape(s, atom, 1, (const int64_t[]){N}), q->ids,
                                         CLUSTERS, AGN_GEOMETRIC_SUM);
    return agn_scope_status(s);
}

/* the same by a network: filters of distances, then a dense layer of each atom; in[PARAMS]:
   places */
static agn_status network(void *user, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    const data *q = user;
    int64_t edges = 0;
    agn_status st = agn_graph_size(NULL, NULL, &edges, q->g);
    if (st)
        return st;
    const agn_tensor *r = ag_reshape(s, lengths(s, q->g, in[PARAMS]), 1, &edges);
    const agn_tensor *one = ag_full(s, AGN_F64, 2, (const int64_t[]){N, F}, 1);
    const agn_tensor *basis = ag_graph_gaussian_basis(s, r, 0.8, CUTOFF, BASIS);
    const agn_tensor *h = ag_graph_cfconv(s, q->g, one, basis, r, in[0], in[1], in[2], NULL,
                                          CUTOFF);
    const agn_tensor *atom = ag_nn_linear(s, h, in[3], NULL);
    atom = ag_add(s, atom,
                  ag_nn_linear(s, ag_tanh(s, ag_nn_linear(s, h, in[4], NULL)), in[5], NULL));
    out[0] = ag_sum_all(s, atom);
    out[1] = ag_geometric_segment_reduce(s, ag_reshape(s, atom, 1, (const int64_t[]){N}), q->ids,
                                         CLUSTERS, AGN_GEOMETRIC_SUM);
    return agn_scope_status(s);
}

typedef struct task {
    data *of;
    agn_fn *slope; /* of the energy in places: energies, slopes */
} task;

static agn_status loss(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const task *t = user;
    const agn_tensor *y[3] = {NULL}, *arg[PARAMS + 1];
    for (int k = 0; k < PARAMS; k++)
        arg[k] = in[k];
    arg[PARAMS] = in[PARAMS];
    if (agn_fn_apply(s, y, 3, t->slope, arg, PARAMS + 1))
        return agn_scope_status(s);
    const agn_tensor *e = ag_mean_all(s, ag_square(s, ag_sub(s, y[1], in[PARAMS + 1])));
    const agn_tensor *f = ag_mean_all(s, ag_square(s, ag_add(s, y[2], in[PARAMS + 2])));
    out[0] = ag_add(s, e, f);
    return agn_scope_status(s);
}

static agn_status make_data(data *q, uint64_t seed)
{
    static double x[N][3];
    int64_t id[N], n = N;
    agn_fn *f = NULL, *df = NULL;
    agn_tensor *y[3] = {NULL};
    draw_places(x, &seed);
    for (int i = 0; i < N; i++)
        id[i] = i / ATOMS;
    agn_status st = agn_from_host(&q->x, AGN_F64, 2, (const int64_t[]){N, 3}, x);
    st = st ? st : agn_from_host(&q->ids, AGN_I64, 1, &n, id);
    st = st ? st : agn_graph_radius(&q->g, q->x, NULL, q->ids, NULL, CUTOFF, -1);
    st = st ? st : agn_fn_new(&f, morse, q, NULL, 1, 2);
    st = st ? st : agn_fn_value_and_grad(&df, f, (const int32_t[]){0}, 1);
    st = st ? st : agn_fn_call(y, 3, df, (const agn_tensor *const *)&q->x, 1);
    st = st ? st : agn_neg(&q->force, y[2]);
    q->energy = y[1];
    agn_release(y[0]);
    agn_release(y[2]);
    agn_fn_release(f);
    agn_fn_release(df);
    return st;
}

static void free_data(data *q)
{
    agn_graph_release(q->g);
    agn_release(q->x);
    agn_release(q->ids);
    agn_release(q->energy);
    agn_release(q->force);
}

/* a network of data q, and its slope in places */
static agn_status make_slope(agn_fn **slope, data *q)
{
    agn_fn *f = NULL;
    agn_status st = agn_fn_new(&f, network, q, NULL, PARAMS + 1, 2);
    st = st ? st : agn_fn_value_and_grad(slope, f, (const int32_t[]){PARAMS}, 1);
    agn_fn_release(f);
    return st;
}

static agn_status train(agn_tensor **p, task *t)
{
    static const int64_t shape[PARAMS][2] = {{F, BASIS}, {F, 1}, {F, F}, {1, F}, {F, F}, {1, F}};
    agn_tensor *start[PARAMS] = {NULL};
    const agn_tensor *given[3] = {t->of->x, t->of->energy, t->of->force};
    agn_fn *f = NULL, *df = NULL, *fast = NULL;
    agn_optim *o = NULL;
    uint64_t seed = 9;
    agn_status st = AGN_OK;
    for (int k = 0; !st && k < PARAMS; k++) {
        double v[F * BASIS];
        for (int i = 0; i < F * BASIS; i++)
            v[i] = draw(&seed) - 0.5;
        st = agn_from_host(&start[k], AGN_F64, k == 1 ? 1 : 2, shape[k], v);
    }
    st = st ? st : agn_fn_new(&f, loss, t, NULL, PARAMS + 3, 1);
    st = st ? st : agn_fn_value_and_grad(&df, f, (const int32_t[]){0, 1, 2, 3, 4, 5}, PARAMS);
    st = st ? st : agn_fn_compile(&fast, df, NULL);
    st = st ? st
            : agn_optim_new(&o, AGN_OPTIM_BFGS, (const agn_tensor *const *)start, PARAMS, NULL);
    st = st ? st : agn_optim_minimise(NULL, o, fast, given, 3, 200, NULL, NULL);
    st = st ? st : agn_optim_params(p, PARAMS, o);
    for (int k = 0; k < PARAMS; k++)
        agn_release(start[k]);
    agn_optim_release(o);
    agn_fn_release(fast);
    agn_fn_release(df);
    agn_fn_release(f);
    return st;
}

int main(void)
{
    static double want[N * 3], got[N * 3];
    data known = {0}, other = {0};
    task t = {&known, NULL};
    agn_tensor *p[PARAMS + 1] = {NULL}, *y[3] = {NULL};
    agn_fn *slope = NULL;
    agn_status st = make_data(&known, 1);
    st = st ? st : make_data(&other, 2);
    st = st ? st : make_slope(&t.slope, &known);
    st = st ? st : make_slope(&slope, &other);
    st = st ? st : train(p, &t);
    p[PARAMS] = agn_retain(other.x);
    st = st ? st : agn_fn_call(y, 3, slope, (const agn_tensor *const *)p, PARAMS + 1);
    st = st ? st : agn_to_host(got, y[2], sizeof got);
    st = st ? st : agn_to_host(want, other.force, sizeof want);
    if (st) {
        fprintf(stderr, "%s\n", agn_error_message());
    } else {
        double error = 0, all = 0;
        FILE *f = picture_open("molecules.svg", 400, 400);
        for (int i = 0; i < N * 3; i++) {
            error += pow(want[i] + got[i], 2);
            all += pow(want[i], 2);
            picture_disc(f, 200 + 60 * want[i], 200 + 60 * got[i], 2, i % 3 / 2.0);
        }
        picture_close(f);
        printf("forces of clusters that it has not seen are off by less than a tenth: %s\n",
               sqrt(error / all) < 0.1 ? "yes" : "no");
    }
    for (int k = 0; k <= PARAMS; k++)
        agn_release(p[k]);
    for (int k = 0; k < 3; k++)
        agn_release(y[k]);
    agn_fn_release(slope);
    agn_fn_release(t.slope);
    free_data(&known);
    free_data(&other);
    return st != AGN_OK;
}
