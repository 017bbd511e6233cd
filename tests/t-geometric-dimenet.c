/* t-geometric-dimenet - DimeNet++ against PyTorch Geometric's: energies, forces, the radial basis; shifts and turns of space,
   atoms in another order, molecules side by side; in every mode, failures, allocations. */
#include "geometric.h"

#include <agnesi/geometric_networks.h>
#include <agnesi/geometric_structure.h>
#include <agnesi/geometric_transform.h>

#include "tests/data/dimenet.inc"

enum { N_W = sizeof shapes / sizeof *shapes / 2 };
static const agn_dimenet_options options = {.size = sizeof options,
                                            .blocks = 2,
                                            .layers = 1,
                                            .degrees = DEGREES,
                                            .radial = RADIAL};

static agn_tensor *tensor_of(int ndim, const int64_t *shape, const double *v)
{
    agn_tensor *x = NULL;
    must(agn_from_host(&x, AGN_F64, ndim, shape, v));
    return x;
}

/* a molecule: h, x, the parameters; its graphs */
typedef struct molecule {
    agn_graph *g, *line;
    agn_tensor *in[2 + N_W];
} molecule;
static molecule open_molecule(void)
{
    molecule m = {0};
    m.g = make_graph(EDGES, edge_from, edge_to, ATOMS, ATOMS);
    must(agn_graph_line(&m.line, NULL, m.g, false));
    m.in[0] = tensor_of(2, (int64_t[]){ATOMS, WIDE}, kinds);
    m.in[1] = tensor_of(2, (int64_t[]){ATOMS, 3}, places);
    for (int64_t k = 0, i = 0; k < N_W; k++) {
        int ndim = shapes[2 * k + 1] ? 2 : 1;
        m.in[2 + k] = tensor_of(ndim, shapes + 2 * k, parameters + i);
        i += agn_numel(m.in[2 + k]);
    }
    return m;
}
static void close_molecule(molecule *m)
{
    release_all(m->in, 2 + N_W);
    agn_graph_release(m->g);
    agn_graph_release(m->line);
}
static agn_status run(agn_tensor **out, const molecule *m, const agn_tensor *const *in)
{
    return agn_graph_dimenet(out, m->g, m->line, in[0], in[1], in + 2, N_W, &options);
}
#define ARGUMENTS(m) ((const agn_tensor *const *)(m).in)

static void test_values(void)
{
    tally t = {0, 0};
    molecule m = open_molecule();
    agn_tensor *y = NULL;
    must(run(&y, &m, ARGUMENTS(m)));
    check(&t, agn_ndim(y) == 2 && agn_shape(y)[0] == ATOMS && agn_shape(y)[1] == RESULTS, "shape");
    for (int i = 0; i < ATOMS * RESULTS; i++)
        check(&t, fabs(get(y, i) - energies[i]) < 1e-11, "energy %d is %.15g, not %.15g", i, get(y, i), energies[i]);
    agn_release(y);
    close_molecule(&m);
    tell(&t, "energies of atoms as PyTorch Geometric's");
}

static agn_status energy(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const molecule *m = user;
    out[0] = ag_sum(s, ag_graph_dimenet(s, m->g, m->line, in[0], in[1], in + 2, N_W, &options), NULL, 0, false);
    return agn_scope_status(s);
}

static void test_forces(void)
{
    tally t = {0, 0};
    molecule m = open_molecule();
    agn_tensor *y = NULL;
    agn_fn *f = NULL, *df = NULL;
    must(agn_fn_new(&f, energy, &m, NULL, 2 + N_W, 1));
    must(agn_fn_grad(&df, f, (int32_t[]){1}, 1));
    must(agn_fn_call(&y, 1, df, ARGUMENTS(m), 2 + N_W));
    for (int i = 0; i < 3 * ATOMS; i++)
        check(&t, fabs(get(y, i) - slopes[i]) < 1e-10, "slope %d is %.15g, not %.15g", i, get(y, i), slopes[i]);
    agn_release(y);
    agn_fn_release(f);
    agn_fn_release(df);
    close_molecule(&m);
    tell(&t, "slopes in the places as PyTorch Geometric's");
}

/* j_l by its formula */
static double bessel(int l, double x)
{
    double s = sin(x), c = cos(x);
    return l == 0 ? s / x : l == 1 ? (s / x - c) / x : ((3 / (x * x) - 1) * s - 3 * c / x) / x;
}
static void test_basis(void)
{
    tally t = {0, 0};
    int64_t n = sizeof distances / sizeof *distances;
    agn_tensor *d = tensor_of(1, &n, distances), *y = NULL;
    must(agn_graph_spherical_basis(&y, d, DEGREES, RADIAL, 5, 6));
    check(&t, agn_ndim(y) == 3 && agn_shape(y)[0] == n && agn_shape(y)[1] == DEGREES && agn_shape(y)[2] == RADIAL, "shape");
    for (int64_t i = 0; i < n * DEGREES * RADIAL; i++)
        check(&t, fabs(get(y, i) - radials[i]) < 1e-11 * (1 + fabs(radials[i])), "function %d: %.15g, not %.15g", (int)i, get(y, i),
              radials[i]);
    agn_release(y);
    must(agn_graph_spherical_basis(&y, d, 2, 1, 5, 3)); /* z_01 = pi, z_11 = 4.4934094579090642 */
    for (int64_t i = 0; i < n; i++)
        for (int l = 0; l < 2; l++) {
            double z = l ? 4.4934094579090642 : acos(-1), v = distances[i] / 5;
            double u = v < 1 ? 1 / v - 10 * v * v + 15 * v * v * v - 6 * v * v * v * v : 0;
            double want = sqrt(2) / fabs(bessel(l + 1, z)) * bessel(l, z * v) * sqrt((2 * l + 1) / (4 * acos(-1))) * u;
            check(&t, fabs(get(y, 2 * i + l) - want) < 1e-12 * (1 + fabs(want)), "degree %d at %g: %g", l, distances[i], want);
        }
    RELEASE(d, y);
    tell(&t, "radial functions as PyTorch Geometric's and by their formulas");
}

/* energies do not ask where a molecule lies, nor how its atoms are numbered; two side by side have their own */
static void test_symmetry(void)
{
    static const int64_t turn[ATOMS] = {3, 0, 4, 1, 2}; /* the new number of an atom */
    tally t = {0, 0};
    molecule m = open_molecule(), other = {0};
    double x[2 * 3 * ATOMS], h[2 * WIDE * ATOMS];
    int64_t from[2 * EDGES], to[2 * EDGES];
    for (int i = 0; i < ATOMS; i++) {
        const double *p = places + 3 * i;
        double *q = x + 3 * turn[i];
        q[0] = 0.6 * p[0] - 0.8 * p[1] + 3, q[1] = 0.8 * p[0] + 0.6 * p[1] - 1, q[2] = p[2] + 0.5;
        memcpy(x + 3 * (ATOMS + i), p, 3 * sizeof *p);
        memcpy(h + WIDE * turn[i], kinds + WIDE * i, WIDE * sizeof *h);
        memcpy(h + WIDE * (ATOMS + i), kinds + WIDE * i, WIDE * sizeof *h);
    }
    for (int e = 0; e < EDGES; e++) {
        from[e] = turn[edge_from[EDGES - 1 - e]], to[e] = turn[edge_to[EDGES - 1 - e]];
        from[EDGES + e] = ATOMS + edge_from[e], to[EDGES + e] = ATOMS + edge_to[e];
    }
    memcpy(other.in, m.in, sizeof other.in);
    other.g = make_graph(2 * EDGES, from, to, 2 * ATOMS, 2 * ATOMS);
    must(agn_graph_line(&other.line, NULL, other.g, false));
    other.in[0] = tensor_of(2, (int64_t[]){2 * ATOMS, WIDE}, h);
    other.in[1] = tensor_of(2, (int64_t[]){2 * ATOMS, 3}, x);
    agn_tensor *y = NULL;
    must(run(&y, &other, ARGUMENTS(other)));
    for (int i = 0; i < ATOMS; i++)
        for (int k = 0; k < RESULTS; k++) {
            double want = energies[RESULTS * i + k];
            check(&t, fabs(get(y, RESULTS * turn[i] + k) - want) < 1e-11, "atom %d, turned", i);
            check(&t, fabs(get(y, RESULTS * (ATOMS + i) + k) - want) < 1e-11, "atom %d of the second", i);
        }
    RELEASE(y, other.in[0], other.in[1]);
    agn_graph_release(other.g);
    agn_graph_release(other.line);
    close_molecule(&m);
    tell(&t, "turned, renumbered, side by side");
}

/* no edges, and no triplets: an atom alone, and two */
static void test_few(void)
{
    tally t = {0, 0};
    molecule m = open_molecule(), few = m;
    agn_tensor *y = NULL;
    for (int64_t n = 1; n <= 2; n++) {
        few.g = make_graph(n == 2 ? 2 : 0, (int64_t[]){0, 1}, (int64_t[]){1, 0}, n, n);
        must(agn_graph_line(&few.line, NULL, few.g, false));
        few.in[0] = tensor_of(2, (int64_t[]){n, WIDE}, kinds);
        few.in[1] = tensor_of(2, (int64_t[]){n, 3}, places);
        must(run(&y, &few, ARGUMENTS(few)));
        check(&t, agn_shape(y)[0] == n && isfinite(get(y, 0)), "%d atoms", (int)n);
        RELEASE(y, few.in[0], few.in[1]);
        agn_graph_release(few.g);
        agn_graph_release(few.line);
    }
    close_molecule(&m);
    tell(&t, "without edges, without triplets");
}

static agn_status of_places(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const molecule *m = user;
    const agn_tensor *all[2 + N_W];
    for (int k = 0; k < 2 + N_W; k++)
        all[k] = m->in[k];
    all[0] = in[0], all[1] = in[1], all[2 + 14] = in[2];
    out[0] = ag_graph_dimenet(s, m->g, m->line, all[0], all[1], all + 2, N_W, &options);
    return agn_scope_status(s);
}
static agn_status of_distances(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)user;
    out[0] = ag_graph_spherical_basis(s, in[0], 3, 2, 5, 6);
    return agn_scope_status(s);
}
static void test_modes(void)
{
    molecule m = open_molecule();
    agn_fn *f = NULL;
    int64_t n = 4;
    must(agn_fn_new(&f, of_places, &m, NULL, 3, 1));
    in_every_mode(f, 3, (const agn_tensor *[]){m.in[0], m.in[1], m.in[2 + 14]}, 1e-4, 1e-5, "graph_dimenet");
    agn_fn_release(f);
    agn_tensor *d = tensor_of(1, &n, (double[]){0.7, 1.9, 3.2, 4.4});
    must(agn_fn_new(&f, of_distances, NULL, NULL, 1, 1));
    in_every_mode(f, 1, (const agn_tensor *[]){d}, 1e-3, 1e-6, "graph_spherical_basis");
    agn_fn_release(f);
    agn_release(d);
    close_molecule(&m);
}

static void test_failures(void)
{
    tally q = {0, 0};
    molecule m = open_molecule();
    int64_t ones[AGN_MAX_RANK];
    for (int k = 0; k < AGN_MAX_RANK; k++)
        ones[k] = 1;
    agn_tensor *out = untouched, *sp = NULL, *z = random_of(AGN_C128, 2, (int64_t[]){ATOMS, 3}, -1, 1);
    agn_tensor *few = random_of(AGN_F64, 2, (int64_t[]){1, 3}, 0, 1), *flat = random_of(AGN_F64, 2, (int64_t[]){ATOMS, 2}, 0, 1);
    agn_tensor *deep = random_of(AGN_F64, AGN_MAX_RANK - 1, ones, 1, 2);
    agn_graph *two = make_graph(1, (int64_t[]){0}, (int64_t[]){5}, ATOMS, ATOMS + 1);
    const agn_tensor *const *in = ARGUMENTS(m), *const *w = in + 2;
    must(agn_sparse_from_dense(&sp, m.in[1]));
#define BAD(call_, op, st, m1, m2) \
    check(&q, refused(call_, st, op, m1, m2, out), "refusal in line %d: %s", __LINE__, agn_error_message())
#define NET(...) agn_graph_dimenet(__VA_ARGS__)
    static const char op[] = "graph_dimenet";
    BAD(NET(NULL, m.g, m.line, in[0], in[1], w, N_W, &options), op, AGN_ENULL, "out is NULL", NULL);
    BAD(NET(&out, NULL, m.line, in[0], in[1], w, N_W, &options), op, AGN_ENULL, "g is NULL", NULL);
    BAD(NET(&out, m.g, NULL, in[0], in[1], w, N_W, &options), op, AGN_ENULL, "line is NULL", NULL);
    BAD(NET(&out, m.g, m.line, NULL, in[1], w, N_W, &options), op, AGN_ENULL, "h is NULL", NULL);
    BAD(NET(&out, m.g, m.line, in[0], NULL, w, N_W, &options), op, AGN_ENULL, "x is NULL", NULL);
    BAD(NET(&out, m.g, m.line, in[0], in[1], NULL, N_W, &options), op, AGN_ENULL, "w is NULL", NULL);
    BAD(NET(&out, m.g, m.line, in[0], in[1], w, N_W - 1, &options), op, AGN_EARG, "parameters", "are needed");
    BAD(NET(&out, m.g, m.line, in[0], in[1], w, N_W, NULL), op, AGN_EARG, "parameters", "145 are needed");
    BAD(NET(&out, m.g, m.g, in[0], in[1], w, N_W, &options), op, AGN_EARG, "line has 5", NULL);
    BAD(NET(&out, two, m.line, in[0], in[1], w, N_W, &options), op, AGN_EARG, "5 sources", "6 destinations");
    BAD(NET(&out, m.g, m.line, few, in[1], w, N_W, &options), op, AGN_ESHAPE, "h is [1,3]", NULL);
    BAD(NET(&out, m.g, m.line, in[0], few, w, N_W, &options), op, AGN_ESHAPE, "x is [1,3]", NULL);
    BAD(NET(&out, m.g, m.line, in[0], flat, w, N_W, &options), op, AGN_ESHAPE, "x is [5,2]", "[n,3]");
    BAD(NET(&out, m.g, m.line, in[0], z, w, N_W, &options), op, AGN_EDTYPE, "c128", NULL);
    BAD(NET(&out, m.g, m.line, in[0], sp, w, N_W, &options), op, AGN_EUNSUPPORTED, "sparse", NULL);
    for (int k = 0; k < N_W; k++) {
        const agn_tensor *bad[N_W];
        char name[16];
        snprintf(name, sizeof name, "w[%d]", k);
        memcpy(bad, w, sizeof bad);
        bad[k] = NULL;
        BAD(NET(&out, m.g, m.line, in[0], in[1], bad, N_W, &options), op, AGN_ENULL, name, "is NULL");
        bad[k] = deep;
        BAD(NET(&out, m.g, m.line, in[0], in[1], bad, N_W, &options), op, AGN_ESHAPE, name, "are needed");
    }
    agn_dimenet_options o = options;
    o.size = 3;
    BAD(NET(&out, m.g, m.line, in[0], in[1], w, N_W, &o), op, AGN_EARG, "unknown size", NULL);
    o = options, o.blocks = -2;
    BAD(NET(&out, m.g, m.line, in[0], in[1], w, N_W, &o), op, AGN_EARG, "-2 blocks", NULL);
    o = options, o.cutoff = -1;
    BAD(NET(&out, m.g, m.line, in[0], in[1], w, N_W, &o), op, AGN_EDOMAIN, "-1", NULL);
    o = options, o.envelope = 1001;
    BAD(NET(&out, m.g, m.line, in[0], in[1], w, N_W, &o), op, AGN_EARG, "1001", NULL);
    static const char sb[] = "graph_spherical_basis";
    BAD(agn_graph_spherical_basis(NULL, few, 2, 2, 5, 6), sb, AGN_ENULL, "out is NULL", NULL);
    BAD(agn_graph_spherical_basis(&out, NULL, 2, 2, 5, 6), sb, AGN_ENULL, "d is NULL", NULL);
    BAD(agn_graph_spherical_basis(&out, few, 0, 2, 5, 6), sb, AGN_EARG, "0 degrees", NULL);
    BAD(agn_graph_spherical_basis(&out, few, 2, 1001, 5, 6), sb, AGN_EARG, "1001 functions", NULL);
    BAD(agn_graph_spherical_basis(&out, few, 2, 2, 5, 0), sb, AGN_EARG, "p is 0", NULL);
    BAD(agn_graph_spherical_basis(&out, few, 2, 2, 0, 6), sb, AGN_EDOMAIN, "cutoff is 0", NULL);
    BAD(agn_graph_spherical_basis(&out, deep, 2, 2, 5, 6), sb, AGN_ESHAPE, "two fewer", NULL);
    BAD(agn_graph_spherical_basis(&out, z, 2, 2, 5, 6), sb, AGN_EDTYPE, "c128", NULL);
    BAD(agn_graph_spherical_basis(&out, sp, 2, 2, 5, 6), sb, AGN_EUNSUPPORTED, "sparse", NULL);
    RELEASE(sp, z, few, flat, deep);
    agn_graph_release(two);
    close_molecule(&m);
    tell(&q, "failures: status, op, facts, nothing written");
}

static agn_status make(void *user, agn_tensor **out)
{
    const molecule *m = user;
    return m->g ? run(out, m, ARGUMENTS(*m)) : agn_graph_spherical_basis(out, m->in[1], 2, 2, 5, 6);
}

int main(void)
{
    test_values();
    test_forces();
    test_basis();
    test_symmetry();
    test_few();
    test_failures();
    molecule m = open_molecule();
    every_allocation(make, &m, "graph_dimenet");
    agn_graph *g = m.g;
    m.g = NULL;
    every_allocation(make, &m, "graph_spherical_basis");
    m.g = g;
    close_molecule(&m);
    test_modes();
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
