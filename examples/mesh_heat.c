/* mesh_heat.c - a graph network learns how heat spreads over an unstructured mesh (after Pfaff et
   al. 2021): it is trained on single steps of a solver with finite elements on one mesh, and then
   runs on another. Draws mesh_heat.svg: the start, and after four steps the solver (middle) and the
   network (right). */
#include "picture.h"

#include <agnesi/agnesi.h>
#include <agnesi/geometric_mesh.h>
#include <math.h>

enum {
    SIDE = 14,
    N = (SIDE + 1) * (SIDE + 1),
    CELLS = 2 * SIDE * SIDE,
    FIELDS = 12,
    ROUNDS = 4,
    HIDDEN = 12,
    PARAMS = 4,
    STEPS = 15,
    SHOWN = 4 /* the one that is drawn */
};
static const double TIME = 0.004;

typedef struct mesh {
    double point[N][2];
    int64_t cell[CELLS][3];
    agn_graph *g;
    agn_tensor *edge;            /* [edges, 4]: where an edge leads, its length, the mass of its end, in sides of a cell */
    agn_tensor *system, *mass;   /* M + dt K, sparse; the diagonal of M, [N, 1] */
} mesh;

static double draw(uint64_t *seed) /* in [0, 1) */
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

/* a square of points that are moved, cut into triangles along diagonals that are drawn */
static void draw_mesh(mesh *m, uint64_t seed)
{
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 2; k++) {
            int at = k ? i / (SIDE + 1) : i % (SIDE + 1);
            double move = at > 0 && at < SIDE ? 0.5 * (draw(&seed) - 0.5) : 0;
            m->point[i][k] = (at + move) / SIDE;
        }
    for (int c = 0; c < SIDE * SIDE; c++) {
        int64_t a = c / SIDE * (SIDE + 1) + c % SIDE, b = a + 1, d = a + SIDE + 1, e = d + 1;
        int64_t one[2][6] = {{a, b, e, a, e, d}, {a, b, d, b, e, d}}, *way = one[draw(&seed) < 0.5];
        for (int k = 0; k < 6; k++)
            m->cell[2 * c + k / 3][k % 3] = way[k];
    }
}

/* linear elements: K and a diagonal M */
static agn_status assemble(mesh *m)
{
    static double value[9 * CELLS + N], mass[N];
    static int64_t at[2][9 * CELLS + N];
    int64_t n = 0;
    for (int i = 0; i < N; i++)
        mass[i] = 0;
    for (int c = 0; c < CELLS; c++) {
        double side[3][2], area;
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 2; k++)
                side[i][k] = m->point[m->cell[c][(i + 2) % 3]][k] -
                             m->point[m->cell[c][(i + 1) % 3]][k];
        area = fabs(side[0][0] * side[1][1] - side[0][1] * side[1][0]) / 2;
        for (int i = 0; i < 3; i++) {
            mass[m->cell[c][i]] += area / 3;
            for (int j = 0; j < 3; j++) {
                at[0][n] = m->cell[c][i];
                at[1][n] = m->cell[c][j];
                value[n++] = TIME * (side[i][0] * side[j][0] + side[i][1] * side[j][1]) /
                             (4 * area);
            }
        }
    }
    for (int i = 0; i < N; i++) {
        at[0][n] = at[1][n] = i;
        value[n++] = mass[i];
    }
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *row = ag_from_host(s, AGN_I64, 2, (const int64_t[]){1, n}, at[0]);
    const agn_tensor *column = ag_from_host(s, AGN_I64, 2, (const int64_t[]){1, n}, at[1]);
    const agn_tensor *where = ag_concat(s, AGN_ARGS(row, column), 0);
    const agn_tensor *a = ag_sparse_coo(s, 2, (const int64_t[]){N, N}, where,
                                        ag_from_host(s, AGN_F64, 1, &n, value));
    agn_scope_return(s, &m->system, ag_sparse_to_csr(s, a));
    agn_scope_return(s, &m->mass, ag_from_host(s, AGN_F64, 2, (const int64_t[]){N, 1}, mass));
    return agn_scope_close(s);
}

static agn_status make_mesh(mesh *m, uint64_t seed)
{
    draw_mesh(m, seed);
    agn_status st = assemble(m);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *cells = ag_from_host(s, AGN_I64, 2, (const int64_t[]){CELLS, 3}, m->cell);
    const agn_tensor *x = ag_from_host(s, AGN_F64, 2, (const int64_t[]){N, 2}, m->point);
    st = cells ? agn_graph_from_cells(&m->g, cells, AGN_CELL_TRIANGLE, N) : agn_scope_status(s);
    if (!st) {
        const agn_tensor *d = ag_graph_gsddmm(s, m->g, x, AGN_GRAPH_DST, x, AGN_GRAPH_SRC,
                                              AGN_MESSAGE_SUB);
        const agn_tensor *length = ag_sqrt(
            s, ag_sum(s, ag_square(s, d), (const int32_t[]){1}, 1, true));
        const agn_tensor *mass = ag_graph_gsddmm(s, m->g, m->mass, AGN_GRAPH_DST, NULL,
                                                 AGN_GRAPH_EDGE, AGN_MESSAGE_COPY);
        mass = ag_mul_c(s, mass, SIDE);
        agn_scope_return(s, &m->edge,
                         ag_mul_c(s, ag_concat(s, AGN_ARGS(d, length, mass), 1), SIDE));
    }
    agn_status closed = agn_scope_close(s);
    return st ? st : closed;
}

static void free_mesh(mesh *m)
{
    agn_graph_release(m->g);
    agn_release(m->edge);
    agn_release(m->system);
    agn_release(m->mass);
}

/* smooth fields, [N, FIELDS] */
static agn_status draw_fields(agn_tensor **out, const mesh *m, uint64_t seed)
{
    static double v[N][FIELDS];
    for (int f = 0; f < FIELDS; f++) {
        double wave[4][4];
        for (int k = 0; k < 16; k++)
            wave[k / 4][k % 4] = draw(&seed);
        for (int i = 0; i < N; i++) {
            v[i][f] = 0;
            for (int k = 0; k < 4; k++)
                v[i][f] += cos(12 * (wave[k][0] - 0.5) * m->point[i][0] +
                               12 * (wave[k][1] - 0.5) * m->point[i][1] + 6 * wave[k][2]) /
                           4;
        }
    }
    return agn_from_host(out, AGN_F64, 2, (const int64_t[]){N, FIELDS}, v);
}

static const agn_tensor *solver_step(agn_scope *s, const mesh *m, const agn_tensor *t)
{
    return ag_sparse_solve(s, m->system, ag_mul(s, m->mass, t));
}

/* Weights of edges by a network of their geometry; in each round heat flows along edges, by the
   difference of their ends. */
static const agn_tensor *network_step(agn_scope *s, const mesh *m, const agn_tensor *const *p,
                                      const agn_tensor *t)
{
    const agn_tensor *w = ag_nn_linear(s, ag_tanh(s, ag_nn_linear(s, m->edge, p[0], p[1])), p[2],
                                       p[3]);
    w = ag_mul_c(s, ag_softplus(s, w), 0.1);
    int64_t edges = agn_shape(m->edge)[0];
    for (int64_t k = 0; k < ROUNDS; k++) {
        const agn_tensor *one = ag_slice(s, w, 2, (const int64_t[]){0, k},
                                         (const int64_t[]){edges, k + 1}, NULL);
        const agn_tensor *in = ag_graph_gspmm(s, m->g, t, one, AGN_MESSAGE_MUL, AGN_GEOMETRIC_SUM);
        const agn_tensor *all = ag_graph_gspmm(s, m->g, NULL, one, AGN_MESSAGE_COPY,
                                               AGN_GEOMETRIC_SUM);
        t = ag_add(s, t, ag_sub(s, in, ag_mul(s, all, t)));
    }
    return t;
}

static agn_status loss(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const agn_tensor *d = ag_sub(s, network_step(s, user, in, in[PARAMS]), in[PARAMS + 1]);
    out[0] = ag_mul_c(s, ag_mean_all(s, ag_square(s, d)), 1e4);
    return agn_scope_status(s);
}

static agn_status train(agn_tensor **p, mesh *m)
{
    static const int64_t shape[PARAMS][2] = {
        {HIDDEN, 4}, {HIDDEN, 1}, {ROUNDS, HIDDEN}, {ROUNDS, 1}};
    agn_tensor *start[PARAMS] = {NULL}, *data[2] = {NULL};
    agn_fn *f = NULL, *df = NULL, *fast = NULL;
    agn_optim *o = NULL;
    uint64_t seed = 5;
    agn_status st = draw_fields(&data[0], m, 1);
    agn_scope *s = agn_scope_open(NULL);
    if (!st)
        agn_scope_return(s, &data[1], solver_step(s, m, data[0]));
    for (int k = 0; k < PARAMS; k++) {
        double v[HIDDEN * HIDDEN];
        for (int i = 0; i < HIDDEN * HIDDEN; i++)
            v[i] = draw(&seed) - 0.5;
        agn_scope_return(s, &start[k], ag_from_host(s, AGN_F64, k % 2 ? 1 : 2, shape[k], v));
    }
    agn_status closed = agn_scope_close(s);
    st = st ? st : closed;
    st = st ? st : agn_fn_new(&f, loss, m, NULL, PARAMS + 2, 1);
    st = st ? st : agn_fn_value_and_grad(&df, f, (const int32_t[]){0, 1, 2, 3}, PARAMS);
    st = st ? st : agn_fn_compile(&fast, df, NULL);
    st = st ? st
            : agn_optim_new(&o, AGN_OPTIM_BFGS, (const agn_tensor *const *)start, PARAMS, NULL);
    st = st ? st
            : agn_optim_minimise(NULL, o, fast, (const agn_tensor *const *)data, 2, 200, NULL,
                                 NULL);
    st = st ? st : agn_optim_params(p, PARAMS, o);
    for (int k = 0; k < PARAMS; k++)
        agn_release(start[k]);
    agn_release(data[0]);
    agn_release(data[1]);
    agn_optim_release(o);
    agn_fn_release(fast);
    agn_fn_release(df);
    agn_fn_release(f);
    return st;
}

/* triangles in the colour of their mean */
static void draw_field(FILE *f, const mesh *m, const double *t, int column, const char *name)
{
    for (int c = 0; c < CELLS; c++) {
        double p[3][2], mean = 0;
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 2; k++)
                p[i][k] = 20 + (k ? 20 : 300 * column) + 260 * m->point[m->cell[c][i]][k];
            mean += t[m->cell[c][i] * FIELDS] / 3;
        }
        picture_triangle(f, p[0], 0.5 + 0.7 * mean);
    }
    picture_word(f, 20 + 300 * column, 28, "#333", name);
}

int main(void)
{
    static mesh here, there;
    agn_tensor *p[PARAMS] = {NULL}, *first = NULL;
    static const char *const name[3] = {"start", "solver, after 4 steps", "network, after 4 steps"};
    static double t[3][N * FIELDS], shown[3][N * FIELDS];
    agn_status st = make_mesh(&here, 11);
    st = st ? st : make_mesh(&there, 29);
    st = st ? st : train(p, &here);
    st = st ? st : draw_fields(&first, &there, 77);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *solved = first, *learnt = first;
    for (int k = 0; !st && k < STEPS; k++) {
        solved = solver_step(s, &there, solved);
        learnt = network_step(s, &there, (const agn_tensor *const *)p, learnt);
        const agn_tensor *all[3] = {first, solved, learnt};
        for (int i = 0; !st && i < 3; i++)
            st = all[i] ? agn_to_host(k < SHOWN ? shown[i] : t[i], all[i], sizeof t[i])
                        : agn_scope_status(s);
    }
    agn_status closed = agn_scope_close(s);
    if (st || closed) {
        fprintf(stderr, "%s\n", agn_error_message());
    } else {
        double error = 0, change = 0;
        for (int i = 0; i < N * FIELDS; i++) {
            error += pow(t[2][i] - t[1][i], 2);
            change += pow(t[0][i] - t[1][i], 2);
        }
        FILE *f = picture_open("mesh_heat.svg", 900, 320);
        for (int k = 0; k < 3; k++)
            draw_field(f, &there, shown[k], k, name[k]);
        picture_close(f);
        error = sqrt(error / change);
        printf(
            "on a mesh it has not seen, after %d steps: off by less than a tenth of what changes: %s\n",
            STEPS, error < 0.1 ? "yes" : "no");
    }
    for (int k = 0; k < PARAMS; k++)
        agn_release(p[k]);
    agn_release(first);
    free_mesh(&here);
    free_mesh(&there);
    return st || closed;
}
