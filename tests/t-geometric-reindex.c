/* t-geometric-reindex - nodes numbered from 0, against a search from the front; every failure.
   F11: a centre that is there twice is an error that names both places. */
#include "modes.h"

#include <agnesi/geometric.h>

enum { MOST = 4000 };

static agn_tensor *list(int dtype, int64_t n, const int64_t *v, int layout)
{
    double *d = room_for((size_t)(n + 1) * sizeof *d);
    for (int64_t i = 0; i < n; i++)
        d[i] = (double)v[i];
    agn_tensor *x = of_reals(dtype, 1, &n, d), *y = laid_out(x, layout);
    free(d);
    agn_release(x);
    return y;
}

/* the place of name in v, which grows by it where it is new */
static int64_t place_of(int64_t *v, int64_t *n, int64_t name)
{
    int64_t i = 0;
    while (i < *n && v[i] != name)
        i++;
    if (i == *n)
        v[(*n)++] = name;
    return i;
}

static bool holds(const agn_tensor *x, int64_t n, const int64_t *v)
{
    bool same = has_shape(x, 1, &n);
    for (int64_t i = 0; same && i < n; i++)
        same = (int64_t)creal(peekz(x, i)) == v[i];
    return same;
}

/* one graph: c centres, up to most neighbours of each, names below limit, several types */
static void try(tally *q, int64_t c, int64_t most, int64_t limit, int types, int dtype, int layout)
{
    static int64_t nodes[MOST], src[MOST], dst[MOST];
    int64_t n = 0, e = 0;
    agn_tensor *neighbours[3], *counts[3], *y[3] = {NULL, NULL, NULL};
    while (n < c)
        place_of(nodes, &n, rnd_below(limit) - limit / 3);
    agn_tensor *centres = list(dtype, c, nodes, layout);
    for (int k = 0; k < types; k++) {
        int64_t list_of[MOST], count[MOST], m = 0;
        for (int64_t i = 0; i < c; i++) {
            count[i] = rnd_below(most + 1);
            for (int64_t j = 0; j < count[i]; j++, m++, e++) {
                list_of[m] = rnd_below(limit) - limit / 3;
                src[e] = place_of(nodes, &n, list_of[m]);
                dst[e] = i;
            }
        }
        neighbours[k] = list(dtype, m, list_of, (layout + k) % N_LAYOUTS);
        counts[k] = list(AGN_I32, c, count, layout);
    }
    agn_status st =
        types == 1 ? agn_geometric_reindex(y, y + 1, y + 2, centres, neighbours[0], counts[0])
                   : agn_geometric_reindex_heter(y, y + 1, y + 2, centres,
                                                 (const agn_tensor *const *)neighbours,
                                                 (const agn_tensor *const *)counts, types);
    check(q, !st, "%lld centres: %s", (long long)c, agn_error_message());
    check(q, !st && holds(y[0], e, src) && holds(y[1], e, dst) && holds(y[2], n, nodes),
          "%lld centres, %lld edges of %d types, names below %lld", (long long)c, (long long)e,
          types, (long long)limit);
    for (int k = 0; k < 3; k++)
        agn_release(y[k]);
    for (int k = 0; k < types; k++) {
        agn_release(neighbours[k]);
        agn_release(counts[k]);
    }
    agn_release(centres);
}

static void test_values(void)
{
    static const int dtypes[] = {AGN_I16, AGN_I32, AGN_I64};
    tally q = {0, 0};
    for (int k = 0; k < 240; k++) {
        int64_t c = k % 12 ? rnd_below(30) : 0, limit = 40 + rnd_below(200);
        try(&q, c, k % 9, limit, k % 4, dtypes[k % 3], k % N_LAYOUTS);
    }
    try(&q, 300, 3, 30000, 3, AGN_I64, 0);
    tell(&q, "numbers, edges and names against a search, with 0 to 3 types of edges");
    int64_t far[] = {INT64_MAX, INT64_MIN, -1}, near[] = {INT64_MIN, 0, INT64_MAX, -1},
            count[] = {2, 0, 2};
    agn_tensor *c = NULL, *m = NULL, *n = NULL, *y[3];
    must(agn_from_host(&c, AGN_I64, 1, (int64_t[]){3}, far));
    must(agn_from_host(&m, AGN_I64, 1, (int64_t[]){4}, near));
    must(agn_from_host(&n, AGN_I64, 1, (int64_t[]){3}, count));
    must(agn_geometric_reindex(y, y + 1, y + 2, c, m, n));
    ok(holds(y[0], 4, (int64_t[]){1, 3, 0, 2}) && holds(y[1], 4, (int64_t[]){0, 0, 2, 2}),
       "names at the ends of i64");
    agn_tensor *all[] = {c, m, n, y[0], y[1], y[2]};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
}

static agn_status traced(void *user, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    agn_tensor *y[3] = {NULL, NULL, NULL};
    (void)user;
    agn_status st = agn_geometric_reindex(y, y + 1, y + 2, in[0], in[1], in[2]);
    out[0] = agn_scope_adopt(s, st, &y[0]);
    agn_release(y[1]);
    agn_release(y[2]);
    return st;
}

static void test_failures(void)
{
    tally q = {0, 0};
    agn_tensor *a = untouched, *b = untouched, *n = untouched;
    agn_tensor *c = list(AGN_I64, 3, (int64_t[]){7, 5, 9}, 0);
    agn_tensor *twice = list(AGN_I64, 3, (int64_t[]){7, 5, 7}, 0);
    agn_tensor *e = list(AGN_I64, 4, (int64_t[]){1, 2, 7, 2}, 0);
    agn_tensor *k = list(AGN_I64, 3, (int64_t[]){1, 0, 3}, 0);
    agn_tensor *few = list(AGN_I64, 3, (int64_t[]){1, 0, 2}, 0);
    agn_tensor *many = list(AGN_I64, 3, (int64_t[]){1, 4, 3}, 0);
    agn_tensor *below = list(AGN_I64, 3, (int64_t[]){1, -4, 3}, 0);
    agn_tensor *real = random_of(AGN_F64, 1, (int64_t[]){3}, -1, 1);
    agn_tensor *flat = random_of(AGN_I64, 2, (int64_t[]){3, 1}, 0, 3), *sp = NULL;
    agn_tensor *full = random_of(AGN_F64, 2, (int64_t[]){3, 2}, 1, 2);
    must(agn_sparse_from_dense(&sp, full));
#define REINDEX(c_, e_, k_, st, m1, m2)                                                  \
    check(&q,                                                                            \
          refused(agn_geometric_reindex(&a, &b, &n, c_, e_, k_), st, "geometric_reindex", \
                  m1, m2, a) &&                                                          \
              b == untouched && n == untouched,                                          \
          "refusal in line %d: %s", __LINE__, agn_error_message())
    REINDEX(NULL, e, k, AGN_ENULL, "centres", NULL);
    REINDEX(c, NULL, k, AGN_ENULL, "neighbours 0 is NULL", NULL);
    REINDEX(c, e, NULL, AGN_ENULL, "counts 0 is NULL", NULL);
    REINDEX(real, e, k, AGN_EDTYPE, "centres 0 is f64", "integer");
    REINDEX(c, real, k, AGN_EDTYPE, "neighbours 0 is f64", "integer");
    REINDEX(c, e, real, AGN_EDTYPE, "counts 0 is f64", "integer");
    REINDEX(flat, e, k, AGN_ESHAPE, "centres 0 is [3,1]", "2 axes");
    REINDEX(c, flat, k, AGN_ESHAPE, "neighbours 0 is [3,1]", "2 axes");
    REINDEX(c, e, flat, AGN_ESHAPE, "counts 0 is [3,1]", "2 axes");
    REINDEX(c, e, e, AGN_ESHAPE, "counts 0 has 4", "3 centres");
    REINDEX(c, e, few, AGN_EARG, "counts 0", "4 neighbours");
    REINDEX(c, e, many, AGN_EARG, "counts 0", "4 neighbours");
    REINDEX(c, e, below, AGN_EARG, "-4 at 1", "below 0");
    REINDEX(twice, e, k, AGN_EARG, "centre 7", "0 and 2"); /* F11 */
    REINDEX(sp, e, k, AGN_EUNSUPPORTED, "sparse", NULL);
    check(&q, agn_geometric_reindex(NULL, &b, &n, c, e, k) == AGN_ENULL && b == untouched, "out");
    check(&q,
          agn_geometric_reindex_heter(&a, &b, &n, c, NULL, NULL, -1) == AGN_ENULL &&
              agn_geometric_reindex_heter(&a, &b, &n, c, (const agn_tensor *const *)&e,
                                          (const agn_tensor *const *)&k, -1) == AGN_EARG,
          "types below 0");
    agn_fn *f = NULL, *g = NULL;
    agn_tensor *y = untouched;
    must(agn_fn_new(&f, traced, NULL, NULL, 3, 1));
    must(agn_fn_compile(&g, f, NULL));
    check(&q,
          agn_fn_call(&y, 1, g, AGN_ARGS(c, e, k)) == AGN_ESYMBOLIC && y == untouched,
          "while tracing: %s", agn_error_message());
    agn_fn_release(f);
    agn_fn_release(g);
    tell(&q, "failures: status, op, two facts, nothing written");
    agn_tensor *all[] = {c, twice, e, k, few, many, below, real, flat, sp, full};
    for (int i = 0; i < COUNT(all); i++)
        agn_release(all[i]);
}

static agn_status make(void *user, agn_tensor **out)
{
    agn_tensor **in = user, *dst = NULL, *nodes = NULL;
    agn_status st = agn_geometric_reindex(out, &dst, &nodes, in[0], in[1], in[2]);
    agn_release(dst);
    agn_release(nodes);
    return st;
}

int main(void)
{
    test_values();
    test_failures();
    agn_tensor *in[] = {list(AGN_I64, 2, (int64_t[]){3, 4}, 0),
                        list(AGN_I32, 3, (int64_t[]){4, 8, 3}, 0),
                        list(AGN_I32, 2, (int64_t[]){2, 1}, 0)};
    every_allocation(make, in, "reindex");
    for (int k = 0; k < COUNT(in); k++)
        agn_release(in[k]);
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
