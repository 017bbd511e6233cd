/* tests/t-sparse-graph.c - graphs as sparse matrices: against all shortest paths, sums and dense formulas. */
#include "whole.h"

enum { MOST = 40 };
static double w[MOST][MOST]; /* NaN: no edge */

/* n nodes, about so many edges for each; the matrix of the weights */
static agn_tensor *graph(int64_t n, double edges, bool both)
{
    int64_t nnz = 0, *p = room_for((size_t)(n + 1) * sizeof *p), *ix = room_for((size_t)(n * n + 1) * sizeof *ix);
    double *v = room_for((size_t)(n * n + 1) * sizeof *v);
    agn_tensor *tp = NULL, *ti = NULL, *tv = NULL, *a = NULL;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            w[i][j] = rnd_in(0, (double)n) < edges ? floor(rnd_in(0, 50)) : (double)NAN;
    for (int64_t i = 0; both && i < n; i++)
        for (int64_t j = 0; j < i; j++)
            w[i][j] = w[j][i];
    p[0] = 0;
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++)
            if (!isnan(w[i][j])) {
                ix[nnz] = j;
                v[nnz++] = w[i][j];
            }
        p[i + 1] = nnz;
    }
    must(agn_from_host(&tp, AGN_I64, 1, I64(n + 1), p));
    must(agn_from_host(&ti, AGN_I64, 1, I64(nnz), ix));
    must(agn_from_host(&tv, AGN_F64, 1, I64(nnz), v));
    must(agn_sparse_csr(&a, n, n, tp, ti, tv));
    agn_release(tp);
    agn_release(ti);
    agn_release(tv);
    free(p);
    free(ix);
    free(v);
    return a;
}

/* lengths of all shortest paths (Floyd 1962), with steps of length 1 if asked */
static double far[MOST][MOST];
static void floyd(int64_t n, bool steps, bool both)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            bool there = !isnan(w[i][j]) || (both && !isnan(w[j][i]));
            far[i][j] = i == j ? 0 : there ? (steps ? 1 : w[i][j]) : (double)INFINITY;
        }
    for (int64_t k = 0; k < n; k++)
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++)
                far[i][j] = fmin(far[i][j], far[i][k] + far[k][j]);
}

static void against_all_paths(void)
{
    tally c = {0, 0}, b = {0, 0}, d = {0, 0};
    for (int r = 0; r < 60; r++) {
        int64_t n = r < 3 ? r : 3 + rnd_below(MOST - 3), count = -1;
        agn_tensor *a = graph(n, (double)(r % 5) * 0.7, r % 2), *label = NULL, *order = NULL, *from = NULL,
                   *len = NULL, *by = NULL;
        for (int strong = 0; strong < 2; strong++) {
            floyd(n, true, !strong);
            must(agn_sparse_components(&label, &count, a, strong));
            int64_t most = -1;
            bool good = true;
            for (int64_t i = 0; i < n; i++) {
                int64_t l = peek_int(label, i);
                good = good && l <= most + 1;
                most = l > most ? l : most;
                for (int64_t j = 0; j < n; j++)
                    good = good && (l == peek_int(label, j)) ==
                                       (isfinite(far[i][j]) && isfinite(far[j][i]));
            }
            check(&c, good && count == most + 1, "%d nodes, strong %d", (int)n, strong);
            agn_release(label);
            label = NULL;
        }
        if (n) {
            int64_t start = rnd_below(n);
            floyd(n, true, false);
            must(agn_sparse_bfs(&order, &from, a, start));
            bool good = peek_int(order, 0) == start;
            int64_t reached = 0;
            for (int64_t i = 0; i < n; i++) {
                int64_t f = peek_int(from, i);
                reached += isfinite(far[start][i]);
                good = good && (f >= 0) == (isfinite(far[start][i]) && i != start);
                good = good && (f < 0 || far[start][i] == far[start][f] + 1);
            }
            for (int64_t k = 1; k < agn_numel(order); k++)
                good = good && far[start][peek_int(order, k)] >= far[start][peek_int(order, k - 1)];
            check(&b, good && agn_numel(order) == reached, "%d nodes from %d", (int)n, (int)start);
            floyd(n, false, false);
            must(agn_sparse_dijkstra(&len, &by, a, start));
            good = true;
            for (int64_t i = 0; i < n; i++) {
                int64_t f = peek_int(by, i);
                good = good && peek(len, i) == far[start][i];
                good = good && (f < 0 ? i == start || isinf(peek(len, i)) : peek(len, i) == peek(len, f) + w[f][i]);
            }
            check(&d, good, "%d nodes from %d", (int)n, (int)start);
        }
        agn_tensor *gone[] = {a, order, from, len, by};
        for (int i = 0; i < COUNT(gone); i++)
            agn_release(gone[i]);
    }
    tell(&c, "components, weak and strong");
    tell(&b, "breadth first");
    tell(&d, "shortest paths");
}

static void trees(void)
{
    tally q = {0, 0};
    for (int r = 0; r < 40; r++) {
        int64_t n = r < 2 ? r : 2 + rnd_below(MOST - 2), count = 0, left = 0;
        agn_tensor *a = graph(n, (double)(r % 4), r % 3), *t = NULL, *v = NULL, *l = NULL;
        must(agn_sparse_spanning_tree(&t, a));
        must(agn_sparse_values(&v, t));
        must(agn_sparse_components(&l, &count, a, false));
        agn_release(l);
        must(agn_sparse_components(&l, &left, t, false));
        double sum = 0, least = 0, near[MOST];
        for (int64_t e = 0; e < agn_numel(v); e++)
            sum += peek(v, e);
        for (int64_t i = 0; i < n; i++) /* Prim's sum, component after component */
            near[i] = (double)INFINITY;
        bool in[MOST] = {false};
        for (int64_t k = 0; k < n; k++) {
            int64_t best = -1;
            for (int64_t i = 0; i < n; i++)
                if (!in[i] && (best < 0 || near[i] < near[best]))
                    best = i;
            in[best] = true;
            least += isfinite(near[best]) ? near[best] : 0;
            for (int64_t i = 0; i < n; i++)
                near[i] = fmin(near[i], fmin(isnan(w[best][i]) ? (double)INFINITY : w[best][i],
                                             isnan(w[i][best]) ? (double)INFINITY : w[i][best]));
        }
        check(&q, sum == least && count == left && agn_numel(v) == n - count, "%d nodes: %g, %g", (int)n, sum,
              least);
        agn_tensor *gone[] = {a, t, v, l};
        for (int i = 0; i < COUNT(gone); i++)
            agn_release(gone[i]);
    }
    tell(&q, "spanning trees: the least sum, the same components");
}

static void orders(void)
{
    tally q = {0, 0};
    for (int r = 0; r < 30; r++) { /* a band, shuffled */
        int64_t n = r < 3 ? r : 20 + rnd_below(20), at[MOST], nnz = 0;
        int64_t p[MOST + 1] = {0}, ix[8 * MOST];
        for (int64_t i = 0; i < n; i++) {
            int64_t j = rnd_below(i + 1);
            at[i] = at[j];
            at[j] = i;
        }
        for (int64_t i = 0; i < n; i++) {
            for (int64_t j = 0; j < n; j++)
                if (llabs(at[i] - at[j]) <= 2 && !(r % 3 == 1 && at[i] / 10 != at[j] / 10))
                    ix[nnz++] = j;
            p[i + 1] = nnz;
        }
        agn_tensor *tp = NULL, *ti = NULL, *v = NULL, *a = NULL, *o = NULL;
        must(agn_from_host(&tp, AGN_I64, 1, I64(n + 1), p));
        must(agn_from_host(&ti, AGN_I64, 1, I64(nnz), ix));
        must(agn_full(&v, AGN_F32, 1, I64(nnz), 1));
        must(agn_sparse_csr(&a, n, n, tp, ti, v));
        must(agn_sparse_rcm(&o, a));
        int64_t place[MOST], band = 0;
        bool there[MOST] = {false};
        for (int64_t k = 0; k < n; k++) {
            place[peek_int(o, k)] = k;
            there[peek_int(o, k)] = true;
        }
        for (int64_t i = 0; i < n; i++)
            for (int64_t e = p[i]; e < p[i + 1]; e++) {
                int64_t d = llabs(place[i] - place[ix[e]]);
                band = d > band ? d : band;
            }
        bool all = agn_numel(o) == n;
        for (int64_t i = 0; i < n; i++)
            all = all && there[i];
        check(&q, all && band <= 4, "%d nodes: a band of %d", (int)n, (int)band);
        agn_tensor *gone[] = {tp, ti, v, a, o};
        for (int i = 0; i < COUNT(gone); i++)
            agn_release(gone[i]);
    }
    tell(&q, "reverse Cuthill-McKee finds a band again, in parts too");
}

/* ---- Laplacians, and derivatives ------------------------------------------------------------------------- */

typedef struct on {
    agn_tensor *a;
    bool normalised, dense;
} on;

BODY(laplacian)
{
    const on *q = user;
    T a = ag_sparse_with_values(s, q->a, in[0]), n = NULL;
    if (!q->dense) {
        out[0] = ag_sparse_to_dense(s, ag_sparse_laplacian(s, a, q->normalised));
        return agn_scope_status(s);
    }
    T d = ag_sparse_to_dense(s, a), eye, sum, l;
    if (agn_scope_status(s))
        return agn_scope_status(s);
    eye = ag_eye(s, AGN_F64, agn_shape(d)[0], agn_shape(d)[0], 0);
    d = ag_sub(s, d, ag_mul(s, d, eye));
    sum = ag_sum(s, d, I32(1), 1, true);
    l = ag_sub(s, ag_mul(s, eye, sum), d);
    if (q->normalised) {
        T some = ag_ne(s, sum, ag_lit(s, 0));
        n = ag_rsqrt(s, ag_where(s, some, sum, ag_lit(s, 1)));
        l = ag_mul(s, ag_mul(s, l, n), ag_swapaxes(s, n, 0, 1));
    }
    out[0] = l;
    return agn_scope_status(s);
}
BODY(lengths)
{
    agn_tensor *l = NULL;
    agn_status st = agn_sparse_dijkstra(&l, NULL, ag_sparse_with_values(s, (T)user, in[0]), 0);
    out[0] = agn_scope_adopt(s, st, &l);
    return agn_scope_status(s);
}
BODY(tree)
{
    out[0] = ag_sparse_to_dense(s, ag_sparse_spanning_tree(s, ag_sparse_with_values(s, (T)user, in[0])));
    return agn_scope_status(s);
}

static void derivatives(void)
{
    tally t = {0, 0};
    for (int r = 0; r < 24; r++) {
        int64_t n = r < 2 ? r : 2 + rnd_below(20);
        agn_tensor *a = graph(n, 2, r % 2), *v = NULL;
        on q = {a, r % 4 > 1, false}, dense = {a, r % 4 > 1, true};
        must(agn_sparse_values(&v, a));
        agn_fn *f = whole_fn(laplacian, &q, 1, 1), *g = whole_fn(laplacian, &dense, 1, 1);
        agn_tensor *y = modes_call(f, 0, (const T *)&v), *z = modes_call(g, 0, (const T *)&v);
        double e = modes_apart(y, z);
        check(&t, e < 1e-14, "%d nodes, normalised %d: apart %.1e", (int)n, q.normalised, e);
        agn_fn_release(f);
        agn_fn_release(g);
        agn_release(a);
        agn_release(v);
        agn_release(y);
        agn_release(z);
    }
    tell(&t, "Laplacians against dense ones");
    agn_tensor *a = graph(6, 3, false), *v = NULL, *x = NULL;
    must(agn_sparse_values(&v, a));
    x = random_of(AGN_F64, 1, agn_shape(v), 1, 2);
    for (int k = 0; k < 2; k++) {
        on q = {a, k, false};
        agn_fn *f = whole_fn(laplacian, &q, 1, 1);
        whole(f, 1, (const T *)&x, 1e-6, k ? "normalised Laplacian" : "Laplacian");
        agn_fn_release(f);
    }
    agn_body *const bodies[] = {lengths, tree};
    static const char *const names[] = {"shortest paths", "spanning tree"};
    for (int k = 0; k < 2; k++) {
        agn_fn *f = whole_fn(bodies[k], a, 1, 1), *g = NULL;
        agn_tensor *y = NULL;
        tally q = {0, 0};
        must(agn_fn_jvp(&g, f));
        agn_tensor *d = random_of(AGN_F64, 1, agn_shape(x), -1, 1), *all[2] = {NULL}, *moved = NULL, *z = NULL;
        must(agn_fn_call(all, 2, g, AGN_ARGS(x, d)));
        moved = modes_moved(x, d, 1e-6);
        y = modes_call(f, 0, (const T *)&x);
        z = modes_call(f, 0, (const T *)&moved);
        double e = 0;
        for (int64_t i = 0; i < agn_numel(y); i++)
            if (isfinite(peek(y, i)))
                e = fmax(e, fabs((peek(z, i) - peek(y, i)) / 1e-6 - peek(all[1], i)));
        check(&q, e < 1e-8, "apart %.1e", e);
        tell(&q, "%s: a tangent", names[k]);
        every_allocation(whole_run, &(whole_call){f, (const T *)&x}, names[k]);
        agn_tensor *gone[] = {y, d, all[0], all[1], moved, z};
        for (int i = 0; i < COUNT(gone); i++)
            agn_release(gone[i]);
        agn_fn_release(f);
        agn_fn_release(g);
    }
    agn_release(a);
    agn_release(v);
    agn_release(x);
}

/* a chain of 200 edges of length one: no integer dtype bounds the sum */
static void counts(void)
{
    static const agn_dtype kinds[] = {AGN_BOOL, AGN_I8, AGN_U8, AGN_I32, AGN_F64};
    enum { N = 201 };
    for (int k = 0; k < COUNT(kinds); k++) {
        agn_tensor *a = NULL, *length = NULL;
        agn_scope *s = agn_scope_open(NULL);
        T from = ag_arange(s, AGN_I64, 0, N - 1, 1), at[2] = {from, ag_add_c(s, from, 1)};
        T ones = ag_cast(s, ag_add_c(s, ag_mul_c(s, from, 0), 1), kinds[k]);
        agn_scope_return(s, &a, ag_sparse_to_csr(s, ag_sparse_coo(s, 2, I64(N, N), ag_stack(s, at, 2, 0), ones)));
        must(agn_scope_close(s));
        must(agn_sparse_dijkstra(&length, NULL, a, 0));
        ok(peek(length, N - 1) == N - 1 && agn_dtype_of(length) == AGN_F64, "a chain of %d edges of dtype %d",
           N - 1, (int)kinds[k]);
        agn_release(a);
        agn_release(length);
    }
}

static void refusals(void)
{
    tally q = {0, 0};
    agn_tensor *a = graph(4, 4, false), *dense = NULL, *wide = NULL, *ws = NULL, *out, *v = NULL, *many = NULL;
    agn_tensor *batch = NULL, *bad = NULL, *z = NULL, *minus = NULL;
    agn_scope *s = agn_scope_open(NULL);
    must(agn_sparse_to_dense(&dense, a));
    must(agn_full(&wide, AGN_F64, 2, I64(2, 3), 1));
    must(agn_sparse_from_dense(&ws, wide));
    must(agn_sparse_values(&v, a));
    agn_scope_return(s, &minus, ag_sparse_with_values(s, a, ag_sub_c(s, v, 100)));
    agn_scope_return(s, &bad, ag_sparse_with_values(s, a, ag_mul_c(s, v, NAN)));
    agn_scope_return(s, &z, ag_sparse_with_values(s, a, ag_cast(s, v, AGN_C128)));
    agn_scope_return(s, &batch, ag_sparse_with_values(s, a, ag_stack(s, (const T[]){v, v}, 2, 0)));
    must(agn_scope_close(s));
    /* other layouts are brought to rows */
    agn_tensor *same[4][6] = {{NULL}};
    for (int k = 0; k < 4; k++) {
        agn_tensor *b = NULL;
        must(k == 0   ? agn_copy(&b, a)
             : k == 1 ? agn_sparse_to_csc(&b, a)
             : k == 2 ? agn_sparse_to_coo(&b, a, -1)
                      : agn_transpose(&b, a));
        if (k == 3) {
            agn_tensor *back = NULL;
            must(agn_transpose(&back, b));
            agn_release(b);
            b = back;
        }
        must(agn_sparse_components(&same[k][0], NULL, b, true));
        must(agn_sparse_bfs(&same[k][1], NULL, b, 1));
        must(agn_sparse_dijkstra(&same[k][2], NULL, b, 1));
        must(agn_sparse_spanning_tree(&same[k][3], b));
        must(agn_sparse_rcm(&same[k][4], b));
        must(agn_sparse_laplacian(&same[k][5], b, true));
        agn_release(b);
        for (int i = 0; i < 6; i++) {
            if (agn_layout_of(same[k][i]) != AGN_DENSE) {
                agn_tensor *d = NULL;
                must(agn_sparse_to_dense(&d, same[k][i]));
                agn_release(same[k][i]);
                same[k][i] = d;
            }
            bool equal = same_shapes(same[k][i], same[0][i]);
            for (int64_t e = 0; equal && e < agn_numel(same[k][i]); e++)
                equal = peek(same[k][i], e) == peek(same[0][i], e);
            check(&q, equal, "function %d of layout %d", i, k);
        }
    }
    for (int k = 0; k < 24; k++)
        agn_release(same[k / 6][k % 6]);
#define NO(st, op, f1, f2, call)                                       \
    do {                                                               \
        out = untouched;                                               \
        agn_status st_ = call;                                         \
        check(&q, refused(st_, st, op, f1, f2, out), "%s", #call);     \
    } while (0)
#define EACH(st, f1, f2, x)                                                                          \
    NO(st, "sparse_components", f1, f2, agn_sparse_components(&out, NULL, x, false));                \
    NO(st, "sparse_bfs", f1, f2, agn_sparse_bfs(&out, NULL, x, 0));                                  \
    NO(st, "sparse_dijkstra", f1, f2, agn_sparse_dijkstra(&out, NULL, x, 0));                        \
    NO(st, "sparse_spanning_tree", f1, f2, agn_sparse_spanning_tree(&out, x));                       \
    NO(st, "sparse_rcm", f1, f2, agn_sparse_rcm(&out, x));                                           \
    NO(st, "sparse_laplacian", f1, f2, agn_sparse_laplacian(&out, x, true))
    EACH(AGN_ENULL, "a is NULL", NULL, NULL);
    EACH(AGN_EUNSUPPORTED, "dense", "[4,4]", dense);
    EACH(AGN_ESHAPE, "[2,3]", "2 rows", ws);
    NO(AGN_EINDEX, "sparse_bfs", "node 4", "of 4", agn_sparse_bfs(&out, NULL, a, 4));
    NO(AGN_EINDEX, "sparse_dijkstra", "node -1", "of 4", agn_sparse_dijkstra(&out, NULL, a, -1));
    NO(AGN_EDTYPE, "sparse_dijkstra", "c128", NULL, agn_sparse_dijkstra(&out, NULL, z, 0));
    NO(AGN_EDTYPE, "sparse_spanning_tree", "c128", NULL, agn_sparse_spanning_tree(&out, z));
    NO(AGN_ESHAPE, "sparse_dijkstra", "batch", NULL, agn_sparse_dijkstra(&out, NULL, batch, 0));
    NO(AGN_ESHAPE, "sparse_spanning_tree", "batch", NULL, agn_sparse_spanning_tree(&out, batch));
    NO(AGN_EDOMAIN, "sparse_dijkstra", "entry [0,0]", "negative", agn_sparse_dijkstra(&out, NULL, minus, 0));
    NO(AGN_EDOMAIN, "sparse_spanning_tree", "entry [0,0]", "NaN", agn_sparse_spanning_tree(&out, bad));
    must(agn_sparse_laplacian(&many, batch, true));
    check(&q, has_shape(many, 3, I64(2, 4, 4)), "a batch of Laplacians");
    agn_fn *f = whole_fn(lengths, a, 1, 1), *m = MADE(agn_fn_vmap(&made_, f, NULL, 0, NULL, 0));
    agn_tensor *rows = NULL;
    must(agn_stack(&rows, (const T[]){v, v}, 2, 0));
    out = untouched;
    agn_status st = agn_fn_call(&out, 1, m, (const T *)&rows, 1);
    check(&q, st == AGN_ESYMBOLIC && out == untouched, "no weights while tracing");
    tell(&q, "refusals, a batch");
    agn_fn_release(f);
    agn_fn_release(m);
    agn_tensor *gone[] = {a, dense, wide, ws, v, many, batch, bad, z, minus, rows};
    for (int i = 0; i < COUNT(gone); i++)
        agn_release(gone[i]);
}

int main(void)
{
    against_all_paths();
    trees();
    orders();
    derivatives();
    counts();
    refusals();
    int64_t blocks;
    agn_memory_live(NULL, &blocks, NULL);
    ok(blocks == 0, "nothing is left: %" PRId64 " blocks", blocks);
    return done();
}
