/* t-geometric-dense - batches as dense arrays, pooling by soft clusters and by keys, complete and
   joined graphs, points on surfaces: against their formulas by loops, in every mode, failures,
   allocations. */
#include "geometric-calls.h"

#include <agnesi/geometric_mesh.h>
#include <agnesi/geometric_pool.h>
#include <agnesi/geometric_transform.h>

enum { ROWS = 6, F = 2, BATCH = 2, N = 4, K = 3, HEADS = 2 };
static const int64_t group[ROWS] = {2, 0, 2, 0, 2, 0}; /* segment 1 is empty */

/* ---- dense batches -------------------------------------------------------------------------- */

static void test_rows(void)
{
    tally t = {0, 0};
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){ROWS, F}, -1, 1), *ids = whole(ROWS, group);
    for (int most = 0; most < 6; most += 5) {
        int64_t wide = most ? most : 3, seen[3] = {0};
        agn_tensor *y, *mask;
        must(agn_geometric_dense_rows(&y, &mask, x, ids, 0, most));
        check(&t, has_shape(y, 3, (int64_t[]){3, wide, F}), "shape");
        check(&t, has_shape(mask, 2, (int64_t[]){3, wide}), "shape of the mask");
        double all = 0, in = 0;
        for (int r = 0; r < ROWS; r++) {
            int64_t place = group[r] * wide + seen[group[r]]++;
            check(&t, get(mask, place) == 1, "mask of row %d", r);
            for (int f = 0; f < F; f++) {
                check(&t, get(y, place * F + f) == get(x, r * F + f), "row %d", r);
                in += fabs(get(x, r * F + f));
            }
        }
        for (int64_t k = 0; k < agn_numel(y); k++)
            all += fabs(get(y, k));
        check(&t, fabs(all - in) < 1e-14, "0 elsewhere");
        RELEASE(y, mask);
    }
    agn_tensor *y, *empty, *no = whole(0, NULL);
    must(agn_geometric_dense_rows(&y, NULL, x, NULL, 0, 0));
    check(&t, has_shape(y, 3, (int64_t[]){1, ROWS, F}) && get(y, 3) == get(x, 3), "one segment");
    agn_release(y);
    must(agn_full(&empty, AGN_F32, 1, (int64_t[]){0}, 0));
    must(agn_geometric_dense_rows(&y, NULL, empty, no, 2, 0));
    check(&t, has_shape(y, 2, (int64_t[]){2, 0}), "no rows");
    RELEASE(x, ids, y, empty, no);
    tell(&t, "rows as one array");
}

/* parallel edges, a loop, edges inside of segments */
static const int64_t src[7] = {0, 2, 1, 3, 1, 4, 0}, dst[7] = {2, 0, 3, 3, 3, 2, 2};
static void test_adjacency(void)
{
    tally t = {0, 0};
    static const int64_t place[ROWS] = {0, 0, 1, 1, 2, 2};
    agn_graph *g = make_graph(7, src, dst, ROWS, ROWS);
    agn_tensor *ids = whole(ROWS, group), *e = random_of(AGN_F64, 2, (int64_t[]){7, F}, -1, 1), *y,
               *one;
    double want[3 * 3 * 3 * F] = {0}, count[3 * 3 * 3] = {0};
    for (int k = 0; k < 7; k++) {
        int64_t at = (group[src[k]] * 3 + place[src[k]]) * 3 + place[dst[k]];
        count[at]++;
        for (int f = 0; f < F; f++)
            want[at * F + f] += get(e, k * F + f);
    }
    must(agn_graph_dense(&y, g, e, ids, 0, 0));
    must(agn_graph_dense(&one, g, NULL, ids, 0, 0));
    check(&t, has_shape(y, 4, (int64_t[]){3, 3, 3, F}), "shape");
    check(&t, has_shape(one, 3, (int64_t[]){3, 3, 3}), "shape without rows");
    for (int k = 0; k < 27; k++) {
        check(&t, get(one, k) == count[k], "entry %d: %g edges", k, get(one, k));
        for (int f = 0; f < F; f++)
            check(&t, fabs(get(y, k * F + f) - want[k * F + f]) < 1e-15, "entry %d", k);
    }
    RELEASE(ids, e, y, one);
    agn_graph_release(g);
    tell(&t, "adjacencies as one array");
}

/* ---- pooling -------------------------------------------------------------------------------- */

enum { DIFF_X, DIFF_LOSS, MINCUT_A, MINCUT_LOSS, DMON_X, DMON_LOSS, MEMORY, ASSIGN, SPREAD, CALLS };
static const char *const names[CALLS] = {
    "geometric_dense_pool",  "geometric_dense_pool",  "geometric_dense_pool",
    "geometric_dense_pool",  "geometric_dense_pool",  "geometric_dense_pool",
    "geometric_memory_pool", "geometric_memory_pool", "geometric_dense_rows"};
static const struct {
    int ndim[3];
    int64_t shape[3][3];
} args[CALLS] = {
    [DIFF_X] = {{3, 3, 3}, {{BATCH, N, F}, {BATCH, N, N}, {BATCH, N, K}}},
    [MEMORY] = {{3, 3, 1}, {{BATCH, N, F}, {HEADS, K, F}, {HEADS}}},
    [SPREAD] = {{2, 2, 2}, {{ROWS, F}, {1, 1}, {1, 1}}},
};
static int form(int what)
{
    return what < MEMORY ? DIFF_X : what < SPREAD ? MEMORY : SPREAD;
}

typedef struct call {
    const agn_tensor *mask, *ids;
    int what;
} call;
static agn_status run(const void *user, agn_tensor **out, const agn_tensor *const *x)
{
    const call *c = user;
    agn_tensor *y[3] = {NULL};
    int kind = c->what / 2, mine = c->what == MINCUT_A ? 1 : c->what % 2 ? 2 : 0;
    agn_status st;
    if (c->what == SPREAD)
        return agn_geometric_dense_rows(out, NULL, x[0], c->ids, 0, 0);
    if (c->what >= MEMORY) {
        st = agn_geometric_memory_pool(out ? &y[0] : NULL, &y[1], x[0], x[1], x[2], 1.5, c->mask);
        mine = c->what == ASSIGN;
    } else {
        st = agn_geometric_dense_pool(out ? &y[0] : NULL, &y[1], &y[2], x[0], x[1], x[2], c->mask,
                                      kind);
    }
    for (int i = 0; i < 3; i++)
        if (!st && i == mine)
            *out = y[i];
        else
            agn_release(y[i]);
    return st;
}
static void draw(int what, agn_tensor **x)
{
    for (int i = 0; i < 3; i++)
        x[i] = random_of(AGN_F64, args[form(what)].ndim[i], args[form(what)].shape[i], 0.3, 1.5);
}

static const bool here[BATCH][N] = {{true, true, true, true}, {true, false, true, true}};
typedef struct pooled {
    double S[N][K], x[K][F], a[K][K], loss[3];
} pooled;

/* one graph */
static pooled pool_by_loops(int kind, agn_tensor *const *in, int b)
{
    pooled p = {{{0}}, {{0}}, {{0}}, {0}};
    double n = 0, d[N] = {0}, two_m = 0, trace = 0, weighed = 0, gram[K][K] = {{0}}, norm = 0;
    double apart = 0, size = 0, chance = 0, clean[K][K], row[K] = {0};
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int k = 0; k < K; k++)
            sum += exp(get(in[2], (b * N + i) * K + k));
        for (int k = 0; k < K && here[b][i]; k++)
            p.S[i][k] = exp(get(in[2], (b * N + i) * K + k)) / sum;
        for (int j = 0; j < N; j++)
            d[i] += get(in[1], (b * N + i) * N + j);
        two_m += d[i];
        n += here[b][i];
    }
    for (int k = 0; k < K; k++) {
        double all = 0, met = 0;
        for (int i = 0; i < N; i++) {
            for (int f = 0; f < F; f++)
                p.x[k][f] += p.S[i][k] * get(in[0], (b * N + i) * F + f);
            for (int j = 0; j < N; j++)
                for (int l = 0; l < K; l++)
                    p.a[k][l] += p.S[i][k] * get(in[1], (b * N + i) * N + j) * p.S[j][l];
            for (int l = 0; l < K; l++)
                gram[k][l] += p.S[i][k] * p.S[i][l];
            weighed += d[i] * p.S[i][k] * p.S[i][k];
            all += p.S[i][k];
            met += p.S[i][k] * d[i];
            p.loss[1] -= kind == AGN_POOL_DIFF && p.S[i][k] > 0
                             ? p.S[i][k] * log(p.S[i][k]) / (BATCH * N)
                             : 0;
        }
        trace += p.a[k][k];
        size += all * all;
        chance += met * met;
    }
    for (int k = 0; k < K; k++)
        for (int l = 0; l < K; l++)
            norm += gram[k][l] * gram[k][l];
    for (int k = 0; k < K; k++)
        for (int l = 0; l < K; l++)
            apart += pow(gram[k][l] / sqrt(norm) - (k == l) / sqrt(K), 2);
    if (kind == AGN_POOL_DIFF) {
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                double v = get(in[1], (b * N + i) * N + j);
                for (int k = 0; k < K; k++)
                    v -= p.S[i][k] * p.S[j][k];
                p.loss[0] += v * v; /* the root of all graphs together follows */
            }
        return p;
    }
    p.loss[0] = -(kind == AGN_POOL_MINCUT ? trace / weighed : (trace - chance / two_m) / two_m) /
                BATCH;
    p.loss[1] = sqrt(apart) / BATCH;
    p.loss[2] = (sqrt(K) * sqrt(size) / n - 1) / BATCH;
    for (int k = 0; k < K; k++)
        for (int l = 0; l < K; l++)
            row[k] += clean[k][l] = k == l ? 0 : p.a[k][l];
    for (int k = 0; k < K; k++)
        for (int l = 0; l < K; l++)
            p.a[k][l] = clean[k][l] / sqrt(row[k] * row[l]);
    for (int k = 0; k < K && kind == AGN_POOL_DMON; k++)
        for (int f = 0; f < F; f++)
            p.x[k][f] = 1.0507009873554805 *
                        (p.x[k][f] > 0 ? p.x[k][f] : 1.6732632423543772 * expm1(p.x[k][f]));
    return p;
}

static void test_pools(const call *c)
{
    tally t = {0, 0};
    for (int kind = AGN_POOL_DIFF; kind <= AGN_POOL_DMON; kind++) {
        agn_tensor *x[3], *y, *a, *loss;
        double want[3] = {0};
        draw(DIFF_X, x);
        must(agn_geometric_dense_pool(&y, &a, &loss, x[0], x[1], x[2], c->mask, kind));
        check(&t, agn_numel(loss) == (kind == AGN_POOL_DMON ? 3 : 2), "how many losses");
        for (int b = 0; b < BATCH; b++) {
            pooled p = pool_by_loops(kind, x, b);
            for (int k = 0; k < K * F; k++)
                check(&t, fabs(get(y, b * K * F + k) - p.x[k / F][k % F]) < 1e-13, "rows, kind %d",
                      kind);
            for (int k = 0; k < K * K; k++)
                check(&t, fabs(get(a, b * K * K + k) - p.a[k / K][k % K]) < 1e-13, "edges, kind %d",
                      kind);
            for (int k = 0; k < 3; k++)
                want[k] += p.loss[k];
        }
        if (kind == AGN_POOL_DIFF)
            want[0] = sqrt(want[0]) / (BATCH * N * N);
        for (int k = 0; k < agn_numel(loss); k++)
            check(&t, fabs(get(loss, k) - want[k]) < 1e-13, "loss %d of kind %d: %g, %g", k, kind,
                  get(loss, k), want[k]);
        RELEASE(y, a, loss);
        release_all(x, 3);
    }
    tell(&t, "soft clusters by loops");
}

static void test_memory(const call *c)
{
    tally t = {0, 0};
    agn_tensor *x[3], *y, *S;
    draw(MEMORY, x);
    must(agn_geometric_memory_pool(&y, &S, x[0], x[1], x[2], 1.5, c->mask));
    for (int b = 0; b < BATCH; b++) {
        double row[K][F] = {{0}};
        for (int i = 0; i < N; i++) {
            double v[K] = {0}, sum = 0;
            for (int h = 0; h < HEADS; h++) {
                double part[K], all = 0;
                for (int k = 0; k < K; k++) {
                    double d = 0;
                    for (int f = 0; f < F; f++)
                        d += pow(get(x[0], (b * N + i) * F + f) - get(x[1], (h * K + k) * F + f),
                                 2);
                    all += part[k] = pow(1 + d / 1.5, -1.25);
                }
                for (int k = 0; k < K; k++)
                    v[k] += get(x[2], h) * part[k] / all;
            }
            for (int k = 0; k < K; k++)
                sum += exp(v[k]);
            for (int k = 0; k < K; k++) {
                double is = here[b][i] ? exp(v[k]) / sum : 0;
                check(&t, fabs(get(S, (b * N + i) * K + k) - is) < 1e-14, "share %d of row %d", k,
                      i);
                for (int f = 0; f < F; f++)
                    row[k][f] += is * get(x[0], (b * N + i) * F + f);
            }
        }
        for (int k = 0; k < K * F; k++)
            check(&t, fabs(get(y, b * K * F + k) - row[k / F][k % F]) < 1e-13, "row %d", k / F);
    }
    RELEASE(y, S);
    release_all(x, 3);
    tell(&t, "keys by loops");
}

/* ---- graphs --------------------------------------------------------------------------------- */

static void test_graphs(void)
{
    tally t = {0, 0};
    agn_tensor *ids = whole(ROWS, group);
    for (int loops = 0; loops < 2; loops++) {
        agn_graph *g;
        int64_t from[ROWS * ROWS], to[ROWS * ROWS], e = 0;
        must(agn_graph_complete(&g, ids, loops));
        int64_t m = read_edges(g, from, to);
        for (int j = 0; j < ROWS; j++)
            for (int i = 0; i < ROWS; i++)
                if (group[i] == group[j] && (loops || i != j)) {
                    check(&t, e < m && from[e] == i && to[e] == j, "edge %lld", (long long)e);
                    e++;
                }
        check(&t, e == m, "%lld pairs", (long long)m);
        agn_graph_release(g);
    }
    agn_graph *a = make_graph(2, (int64_t[]){1, 0}, (int64_t[]){0, 3}, 2, 4), *both,
              *b = make_graph(1, (int64_t[]){2}, (int64_t[]){3}, 3, 4);
    int64_t from[3], to[3], n, m;
    must(agn_graph_join(&both, (const agn_graph *const[]){a, b}, 2));
    must(agn_graph_size(&n, &m, NULL, both));
    check(&t, n == 5 && m == 4 && read_edges(both, from, to) == 3, "sizes of a joined graph");
    check(&t, from[0] == 1 && from[1] == 0 && from[2] == 4 && to[0] == 0 && to[2] == 3,
          "its edges");
    agn_graph_release(a);
    agn_graph_release(b);
    agn_graph_release(both);
    agn_release(ids);
    tell(&t, "complete and joined graphs");
}

/* ---- points on surfaces --------------------------------------------------------------------- */

/* a square of two triangles and one of three times their area, also flat ones, in space */
static const double corner[][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 3}};
static const int64_t cell[] = {0, 1, 2, 1, 1, 2, 0, 2, 3, 0, 1, 4, 4, 4, 4};
enum { CELLS = 5, POINTS = 40000 };

static agn_tensor *mesh_cells(const int64_t *v, int64_t m)
{
    agn_tensor *x;
    must(agn_from_host(&x, AGN_I64, 2, (int64_t[]){m, 3}, v));
    return x;
}
static agn_status sample_body(void *user, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    agn_tensor *const *q = user, *y = NULL;
    agn_status st = agn_mesh_sample(&y, NULL, NULL, in[0], q[0], 7, q[1]);
    out[0] = agn_scope_adopt(s, st, &y);
    return agn_scope_status(s);
}

static void test_surface(void)
{
    tally t = {0, 0};
    static const double share[CELLS] = {0.2, 0, 0.2, 0.6, 0}; /* 0.5, 0, 0.5, 1.5 and 0 */
    agn_tensor *x, *c = mesh_cells(cell, CELLS), *key = key_of(3), *y, *again, *which, *w;
    must(agn_from_host(&x, AGN_F64, 2, (int64_t[]){5, 3}, corner));
    must(agn_mesh_sample(&y, &which, &w, x, c, POINTS, key));
    must(agn_mesh_sample(&again, NULL, NULL, x, c, POINTS, key));
    check(&t, has_shape(y, 2, (int64_t[]){POINTS, 3}) && has_shape(w, 2, (int64_t[]){POINTS, 3}),
          "shapes");
    double seen[CELLS] = {0}, chi = 0, quarter[4] = {0}, chi4 = 0;
    for (int64_t i = 0; i < POINTS; i++) {
        int64_t k = at(which, i);
        double sum = 0, at_most = 0;
        seen[k]++;
        for (int j = 0; j < 3; j++) {
            double p = 0;
            sum += get(w, 3 * i + j);
            at_most = fmax(at_most, get(w, 3 * i + j));
            for (int a = 0; a < 3; a++)
                p += get(w, 3 * i + a) * corner[cell[3 * k + a]][j];
            check(&t, fabs(get(y, 3 * i + j) - p) < 1e-14, "point %lld", (long long)i);
            check(&t, get(w, 3 * i + j) >= 0, "a weight below 0");
            check(&t, get(y, 3 * i + j) == get(again, 3 * i + j), "the same key");
        }
        check(&t, fabs(sum - 1) < 1e-15, "weights sum to %g", sum);
        /* halves of the sides cut a triangle into four of one area */
        quarter[at_most <= 0.5 ? 3 : get(w, 3 * i) > 0.5 ? 0 : get(w, 3 * i + 1) > 0.5 ? 1 : 2]++;
    }
    for (int k = 0; k < CELLS; k++) {
        check(&t, share[k] > 0 || seen[k] == 0, "cell %d has no area", k);
        chi += share[k] > 0 ? pow(seen[k] - share[k] * POINTS, 2) / (share[k] * POINTS) : 0;
    }
    for (int k = 0; k < 4; k++)
        chi4 += pow(quarter[k] - POINTS / 4.0, 2) / (POINTS / 4.0);
    check(&t, chi < 18.4 && chi4 < 21.1, "chi^2 %g of 2 and %g of 3 degrees of freedom", chi, chi4);
    agn_fn *f;
    agn_tensor *held[2] = {c, key};
    must(agn_fn_new(&f, sample_body, held, NULL, 1, 1));
    agn_fn *df;
    agn_tensor *g, *cot, *pulled[2], *near;
    must(agn_fn_vjp(&df, f));
    must(agn_full(&cot, AGN_F64, 2, (int64_t[]){7, 3}, 1));
    must(agn_fn_call(pulled, 2, df, AGN_ARGS(x, cot)));
    double all = 0;
    for (int k = 0; k < 15; k++)
        all += get(pulled[1], k);
    check(&t, fabs(all - 21) < 1e-13, "each coordinate of 7 points is 1 of corners: %g", all);
    must(agn_mesh_sample(&g, &near, NULL, x, c, 0, key));
    check(&t, has_shape(g, 2, (int64_t[]){0, 3}) && has_shape(near, 1, (int64_t[]){0}),
          "no points");
    RELEASE(x, c, key, y, again, which, w, cot, pulled[0], pulled[1], g, near);
    agn_fn_release(f);
    agn_fn_release(df);
    tell(&t, "points on a surface: places, areas, slopes");
}

/* ---- derivatives, failures ------------------------------------------------------------------ */

static void test_modes(call c)
{
    for (c.what = 0; c.what < CALLS; c.what++) {
        agn_tensor *x[3];
        draw(c.what, x);
        call_in_every_mode(run, &c, c.what == SPREAD ? 1 : 3, x, 2e-6, names[c.what]);
        release_all(x, 3);
    }
}

#define BAD(call_, op, st, m1, m2) \
    check(&q, refused(call_, st, op, m1, m2, out), "refusal in line %d: %s", __LINE__, \
          agn_error_message())
static void test_failures(const call *c)
{
    tally q = {0, 0};
    agn_tensor *out = untouched, *a = NULL, *b = NULL, *sp = NULL, *z = NULL,
               *ids = whole(ROWS, group);
    agn_tensor *few = random_of(AGN_F64, 2, (int64_t[]){1, F + 1}, 0, 1),
               *low = whole(ROWS, (int64_t[]){0, 1, -1, 0, 0, 0});
    must(agn_sparse_from_dense(&sp, few));
    for (int k = DIFF_X; k <= MEMORY; k += MEMORY) {
        agn_tensor *x[3];
        const agn_tensor *in[3];
        call now = {c->mask, c->ids, k}, other = {few, c->ids, k};
        draw(k, x);
        memcpy(in, x, sizeof in);
        must(agn_cast(&z, x[0], AGN_C128));
        BAD(run(&now, NULL, in), names[k], AGN_ENULL, "out is NULL", NULL);
        BAD(run(&other, &out, in), names[k], AGN_EDTYPE, "mask is f64", NULL);
        for (int i = 0; i < 3; i++) {
            in[i] = few;
            BAD(run(&now, &out, in), names[k], AGN_ESHAPE, "[1,3]", NULL);
            in[i] = sp;
            BAD(run(&now, &out, in), names[k], AGN_EUNSUPPORTED, "sparse", NULL);
            in[i] = NULL;
            BAD(run(&now, &out, in), names[k], AGN_ENULL, "is NULL", NULL);
            in[i] = x[i];
        }
        in[0] = z;
        BAD(run(&now, &out, in), names[k], AGN_EDTYPE, "c128", NULL);
        agn_release(z);
        if (k == DIFF_X)
            BAD(agn_geometric_dense_pool(&out, &a, &b, x[0], x[1], x[2], NULL, 3), names[k],
                AGN_EARG, "kind 3", NULL);
        else
            BAD(agn_geometric_memory_pool(&out, NULL, x[0], x[1], x[2], 0, NULL), names[k],
                AGN_EDOMAIN, "tau is 0", NULL);
        if (k == MEMORY) {
            must(agn_cast(&z, x[2], AGN_C128));
            BAD(agn_geometric_memory_pool(&out, NULL, x[0], x[1], z, 1, NULL), names[k],
                AGN_EDTYPE, "weight is c128", "real");
            agn_release(z);
        }
        release_all(x, 3);
    }
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){ROWS, F}, 0, 1);
    agn_graph *g = make_graph(7, src, dst, ROWS, ROWS),
              *two = make_graph(7, src, dst, ROWS, ROWS + 1),
              *apart = make_graph(2, (int64_t[]){0, 0}, (int64_t[]){2, 1}, ROWS, ROWS),
              *kept = NULL;
    BAD(agn_geometric_dense_rows(NULL, NULL, x, ids, 0, 0), "geometric_dense_rows", AGN_ENULL,
        "out is NULL", NULL);
    BAD(agn_geometric_dense_rows(&out, NULL, NULL, ids, 0, 0), "geometric_dense_rows", AGN_ENULL,
        "x is NULL", NULL);
    BAD(agn_geometric_dense_rows(&out, NULL, x, ids, 0, 2), "geometric_dense_rows", AGN_ESHAPE,
        "segment 0 has 3", "most is 2");
    BAD(agn_geometric_dense_rows(&out, NULL, few, ids, 0, 0), "geometric_dense_rows", AGN_ESHAPE,
        "[6]", "1 rows");
    BAD(agn_geometric_dense_rows(&out, NULL, x, low, 0, 0), "geometric_dense_rows", AGN_EINDEX, "2",
        "-1");
    BAD(agn_geometric_dense_rows(&out, NULL, x, ids, 2, 0), "geometric_dense_rows", AGN_EINDEX, "2",
        NULL);
    BAD(agn_geometric_dense_rows(&out, NULL, x, x, 0, 0), "geometric_dense_rows", AGN_EDTYPE, "f64",
        NULL);
    BAD(agn_geometric_dense_rows(&out, NULL, sp, ids, 0, 0), "geometric_dense_rows",
        AGN_EUNSUPPORTED, "sparse", NULL);
    BAD(agn_geometric_dense_rows(&out, NULL, x, ids, 4, INT64_MAX / 2), "geometric_dense_rows",
        AGN_ENOMEM, "[4,4611686018427387903]", NULL);
    BAD(agn_graph_dense(&out, g, NULL, ids, 0, INT64_MAX / 2), "graph_dense", AGN_ENOMEM,
        "4611686018427387903,4611686018427387903]", NULL);
    BAD(agn_graph_dense(NULL, g, NULL, ids, 0, 0), "graph_dense", AGN_ENULL, "out is NULL", NULL);
    BAD(agn_graph_dense(&out, NULL, NULL, ids, 0, 0), "graph_dense", AGN_ENULL, "g is NULL", NULL);
    BAD(agn_graph_dense(&out, two, NULL, ids, 0, 0), "graph_dense", AGN_EARG, "6 sources",
        "7 destinations");
    BAD(agn_graph_dense(&out, g, x, ids, 0, 0), "graph_dense", AGN_ESHAPE, "[6,2]", "7 rows");
    BAD(agn_graph_dense(&out, g, sp, ids, 0, 0), "graph_dense", AGN_EUNSUPPORTED, "sparse", NULL);
    BAD(agn_graph_dense(&out, g, NULL, ids, 0, 1), "graph_dense", AGN_ESHAPE, "segment 0 has 3",
        "most is 1");
    BAD(agn_graph_dense(&out, apart, NULL, ids, 0, 0), "graph_dense", AGN_EINDEX, "edge 1",
        "segment 0");
    BAD(agn_graph_complete(&kept, low, true), "graph_complete", AGN_EINDEX, "2", "-1");
    BAD(agn_graph_complete(&kept, x, true), "graph_complete", AGN_EDTYPE, "f64", NULL);
    BAD(agn_graph_complete(&kept, NULL, true), "graph_complete", AGN_ENULL, "ids is NULL", NULL);
    BAD(agn_graph_complete(NULL, ids, true), "graph_complete", AGN_ENULL, "out is NULL", NULL);
    BAD(agn_graph_join(&kept, (const agn_graph *const[]){g, two}, 2), "graph_join", AGN_EARG,
        "7 destinations", "6");
    BAD(agn_graph_join(&kept, (const agn_graph *const[]){g, NULL}, 2), "graph_join", AGN_ENULL,
        "g[1]", NULL);
    BAD(agn_graph_join(&kept, (const agn_graph *const[]){g}, 0), "graph_join", AGN_EARG, "0 graphs",
        NULL);
    BAD(agn_graph_join(&kept, NULL, 1), "graph_join", AGN_ENULL, "g is NULL", NULL);
    BAD(agn_graph_join(NULL, (const agn_graph *const[]){g}, 1), "graph_join", AGN_ENULL,
        "out is NULL", NULL);
    check(&q, !kept, "a graph was written");
    tell(&q, "failures: status, op, two facts, nothing written");
    RELEASE(few, low, ids, sp, x);
    agn_graph_release(g);
    agn_graph_release(two);
    agn_graph_release(apart);
}

static void test_surface_failures(void)
{
    tally q = {0, 0};
    static const char op[] = "mesh_sample";
    agn_tensor *out = untouched, *key = key_of(1), *c = mesh_cells(cell, CELLS), *x, *z, *sp = NULL,
               *bad = mesh_cells((int64_t[]){0, 1, 2, 0, 1, 5}, 2), *flat = mesh_cells(cell + 3, 1),
               *line = random_of(AGN_F64, 2, (int64_t[]){5, 1}, 0, 1), *none = mesh_cells(NULL, 0);
    must(agn_from_host(&x, AGN_F64, 2, (int64_t[]){5, 3}, corner));
    must(agn_cast(&z, x, AGN_C128));
    must(agn_sparse_from_dense(&sp, x));
    BAD(agn_mesh_sample(NULL, NULL, NULL, x, c, 1, key), op, AGN_ENULL, "points is NULL", NULL);
    BAD(agn_mesh_sample(&out, NULL, NULL, NULL, c, 1, key), op, AGN_ENULL, "x is NULL", NULL);
    BAD(agn_mesh_sample(&out, NULL, NULL, x, NULL, 1, key), op, AGN_ENULL, "cells is NULL", NULL);
    BAD(agn_mesh_sample(&out, NULL, NULL, x, c, 1, NULL), op, AGN_ENULL, "key is NULL", NULL);
    BAD(agn_mesh_sample(&out, NULL, NULL, x, c, -1, key), op, AGN_EARG, "-1 points", NULL);
    BAD(agn_mesh_sample(&out, NULL, NULL, x, x, 1, key), op, AGN_EDTYPE, "f64", NULL);
    BAD(agn_mesh_sample(&out, NULL, NULL, x, key, 1, key), op, AGN_ESHAPE, "[2]", NULL);
    BAD(agn_mesh_sample(&out, NULL, NULL, line, c, 1, key), op, AGN_ESHAPE, "[5,1]", NULL);
    BAD(agn_mesh_sample(&out, NULL, NULL, key, c, 1, key), op, AGN_ESHAPE, "[2]", NULL);
    BAD(agn_mesh_sample(&out, NULL, NULL, z, c, 1, key), op, AGN_EDTYPE, "c128", NULL);
    BAD(agn_mesh_sample(&out, NULL, NULL, sp, c, 1, key), op, AGN_EUNSUPPORTED, "sparse", NULL);
    BAD(agn_mesh_sample(&out, NULL, NULL, x, bad, 1, key), op, AGN_EINDEX, "cell 1", "5");
    BAD(agn_mesh_sample(&out, NULL, NULL, x, flat, 1, key), op, AGN_EDOMAIN, "1 cells", NULL);
    BAD(agn_mesh_sample(&out, NULL, NULL, x, none, 1, key), op, AGN_EDOMAIN, "0 cells", NULL);
    tell(&q, "failures of samples");
    RELEASE(key, c, x, z, sp, bad, flat, line, none);
}

typedef struct making {
    call c;
    const agn_tensor *const *in;
} making;
static agn_status make(void *user, agn_tensor **out)
{
    making *m = user;
    return run(&m->c, out, m->in);
}
static agn_status make_other(void *user, agn_tensor **out)
{
    agn_tensor *const *q = user;
    agn_graph *g = NULL, *both = NULL;
    agn_tensor *y = NULL;
    agn_status st = agn_graph_complete(&g, q[2], true);
    if (!st)
        st = agn_graph_join(&both, (const agn_graph *const[]){g, g}, 2);
    if (!st)
        st = agn_graph_dense(&y, g, NULL, q[2], 0, 0);
    if (!st)
        st = agn_mesh_sample(out, NULL, NULL, q[0], q[1], 4, q[3]);
    agn_release(y);
    agn_graph_release(g);
    agn_graph_release(both);
    return st;
}

int main(void)
{
    agn_tensor *mask, *ids = whole(ROWS, group), *x, *c = mesh_cells(cell, CELLS), *key = key_of(2);
    must(agn_from_host(&mask, AGN_BOOL, 2, (int64_t[]){BATCH, N}, here));
    must(agn_from_host(&x, AGN_F64, 2, (int64_t[]){5, 3}, corner));
    call q = {mask, ids, 0};
    test_rows();
    test_adjacency();
    test_pools(&q);
    test_memory(&q);
    test_graphs();
    test_surface();
    test_failures(&q);
    test_surface_failures();
    for (int k = 0; k < CALLS; k++) {
        agn_tensor *in[3];
        draw(k, in);
        making m = {{mask, ids, k}, (const agn_tensor *const *)in};
        every_allocation(make, &m, names[k]);
        release_all(in, 3);
    }
    every_allocation(make_other, (agn_tensor *[]){x, c, ids, key}, "graphs and points");
    test_modes(q);
    RELEASE(mask, ids, x, c, key);
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
