/* t-geometric - messages along edges: against a loop, in every mode, and every failure.
   */
#include "modes.h"

#include <agnesi/geometric.h>

static agn_tensor *nodes(int dtype, int64_t n, const int64_t *v)
{
    double *d = room_for((size_t)n * sizeof *d);
    for (int64_t i = 0; i < n; i++)
        d[i] = (double)v[i];
    agn_tensor *x = of_reals(dtype, 1, &n, d);
    free(d);
    return x;
}

static void test_values(void)
{
    static const int dtypes[] = {AGN_I32, AGN_I64, AGN_F32, AGN_F64, AGN_C64, AGN_C128};
    static const int index[] = {AGN_U8, AGN_I16, AGN_I32, AGN_I64};
    static const int64_t sizes[][4] = {/* nodes, edges, rows asked for, features */
                                       {3, 0, 0, 2},      {1, 1, 0, 1},  {5, 7, 0, 3},
                                       {5, 40, 9, 2},     {9, 30, 4, 1}, {4, 6, -1, 0},
                                       {60, 2000, 0, 17}, {0, 0, 0, 2},  {0, 0, 3, 2}};
    tally q = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int k = 0; k < COUNT(sizes); k++)
            for (int reduce = 0; reduce < 2; reduce++)
                for (int l = 0; l < N_LAYOUTS; l++) {
                    int64_t n = sizes[k][0], e = sizes[k][1], f = sizes[k][3];
                    int64_t rows = sizes[k][2] > 0 ? sizes[k][2] : n, src[2000],
                            dst[2000];
                    for (int64_t i = 0; i < e; i++) {
                        src[i] = rnd_below(n);
                        dst[i] = rnd_below(
                            rows > 2 ? rows - 1 : rows); /* the last node is alone */
                    }
                    agn_tensor *x0 = random_of(dtypes[d], 2, (int64_t[]){n, f}, -9, 9);
                    agn_tensor *x = laid_out(x0, l), *y = NULL;
                    agn_tensor *s = nodes(index[(d + k) % 4], e, src),
                               *t = nodes(index[(d + l) % 4], e, dst);
                    agn_status st = agn_geometric_send_u_recv(&y, x, s, t, sizes[k][2],
                                                              reduce);
                    check(&q, !st && has_shape(y, 2, (int64_t[]){rows, f}), "%d: %s", k,
                          agn_error_message());
                    double worst = 0;
                    for (int64_t r = 0; !st && r < rows; r++)
                        for (int64_t c = 0; c < f; c++) {
                            double complex sum = 0;
                            int64_t count = 0;
                            for (int64_t i = 0; i < e; i++)
                                if (dst[i] == r) {
                                    sum += peekz(x0, src[i] * f + c);
                                    count++;
                                }
                            if (reduce && count)
                                sum /= (double)count;
                            worst = fmax(worst, cabs(peekz(y, r * f + c) - sum) /
                                                    (1 + cabs(sum)));
                        }
                    bool single = dtypes[d] == AGN_F32 || dtypes[d] == AGN_C64;
                    check(&q, worst < (single ? 1e-5 : 1e-13),
                          "%s case %d reduce %d: off by %.1e",
                          agn_dtype_name(dtypes[d]), k, reduce, worst);
                    agn_release(x0);
                    agn_release(x);
                    agn_release(y);
                    agn_release(s);
                    agn_release(t);
                }
    tell(&q, "F4 F5: sum and mean against a loop: dtypes, layouts, isolated nodes, nothing to send");
}

typedef struct given {
    const agn_tensor *src, *dst;
    int64_t rows;
    int reduce;
} given;
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const given *g = user;
    const agn_tensor *x = ag_mul(s, in[0], ag_mul(s, in[0], in[0]));
    out[0] = ag_geometric_send_u_recv(s, x, g->src, g->dst, g->rows, g->reduce);
    return agn_scope_status(s);
}
/* edges as arguments: lanes with edges of their own */
static agn_status edges_body(void *user, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    const given *g = user;
    out[0] = ag_geometric_send_u_recv(s, in[0], in[1], in[2], g->rows, g->reduce);
    return agn_scope_status(s);
}

static void test_modes(void)
{
    agn_tensor *src = nodes(AGN_I64, 5, (int64_t[]){0, 1, 1, 3, 0}),
               *dst = nodes(AGN_I32, 5, (int64_t[]){1, 0, 1, 1, 4});
    for (int k = 0; k < 4; k++) {
        agn_tensor *x = random_of(k < 2 ? AGN_F64 : AGN_C128, 2, (int64_t[]){4, 2}, -1,
                                  1);
        const agn_tensor *in[1] = {x};
        given g = {src, dst, 6, k % 2};
        agn_fn *f = NULL;
        must(agn_fn_new(&f, body, &g, NULL, 1, 1));
        in_every_mode(f, 1, in, 1e-2, 1e-9, k % 2 ? "mean" : "sum");
        agn_fn_release(f);
        agn_release(x);
    }
    /* every lane with its own edges */
    given g = {NULL, NULL, 4, 0};
    agn_fn *f = NULL, *v = NULL;
    must(agn_fn_new(&f, edges_body, &g, NULL, 3, 1));
    must(agn_fn_vmap(&v, f, (int32_t[]){AGN_UNBATCHED, 0, 0}, 3, NULL, 0));
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){4, 2}, -1, 1), *y = NULL,
               *out = untouched;
    agn_tensor *s = of_reals(AGN_I64, 2, (int64_t[]){2, 3},
                             (double[]){0, 1, 2, 3, 3, 1});
    agn_tensor *t = of_reals(AGN_I64, 2, (int64_t[]){2, 3},
                             (double[]){0, 0, 3, 1, 2, 2});
    must(agn_fn_call(&y, 1, v, AGN_ARGS(x, s, t)));
    bool same = true;
    for (int lane = 0; lane < 2; lane++) {
        agn_tensor *sl = NULL, *tl = NULL, *yl = NULL, *one = NULL;
        must(agn_index_axis(&sl, s, 0, lane));
        must(agn_index_axis(&tl, t, 0, lane));
        must(agn_index_axis(&yl, y, 0, lane));
        must(agn_geometric_send_u_recv(&one, x, sl, tl, 4, 0));
        same = same && same_values(yl, one);
        agn_release(sl);
        agn_release(tl);
        agn_release(yl);
        agn_release(one);
    }
    ok(same, "lanes with edges of their own");
    agn_tensor *bad = of_reals(AGN_I64, 2, (int64_t[]){2, 3},
                               (double[]){0, 0, 3, 1, -1, 2});
    agn_status st = agn_fn_call(&out, 1, v, AGN_ARGS(x, s, bad));
    ok(st == AGN_EINDEX && out == untouched, "a negative node in a lane: %s",
       agn_error_message());
    agn_fn_release(f);
    agn_fn_release(v);
    agn_tensor *all[] = {src, dst, x, y, s, t, bad};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
}

static void test_failures(void)
{
    tally q = {0, 0};
    agn_tensor *out = untouched;
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){3, 2}, -1, 1),
               *num = scalar_of(AGN_F64, 1);
    agn_tensor *s = nodes(AGN_I64, 2, (int64_t[]){0, 2}),
               *one = nodes(AGN_I64, 1, (int64_t[]){0});
    agn_tensor *far = nodes(AGN_I64, 2, (int64_t[]){0, 3}),
               *neg = nodes(AGN_I64, 2, (int64_t[]){-1, 0});
    agn_tensor *real = random_of(AGN_F64, 1, (int64_t[]){2}, -1, 1), *sp = NULL;
    agn_tensor *wide = random_of(AGN_I64, 2, (int64_t[]){2, 1}, 0, 0),
               *bools = random_of(AGN_BOOL, 2, (int64_t[]){3, 2}, 0, 1);
    must(agn_sparse_from_dense(&sp, x));
#define SEND(x_, s_, t_, n, r, st, m1, m2)                               \
    check(&q,                                                            \
          refused(agn_geometric_send_u_recv(&out, x_, s_, t_, n, r), st, \
                  "geometric_send_u_recv", m1, m2, out),                 \
          "refusal in line %d", __LINE__)
    check(&q, agn_geometric_send_u_recv(NULL, x, s, s, 0, 0) == AGN_ENULL, "out");
    SEND(NULL, s, s, 0, 0, AGN_ENULL, "x is NULL", NULL);
    SEND(x, NULL, s, 0, 0, AGN_ENULL, "src is NULL", NULL);
    SEND(x, s, NULL, 0, 0, AGN_ENULL, "dst is NULL", NULL);
    SEND(x, s, s, 0, 4, AGN_EARG, "reduce 4", NULL);
    SEND(num, s, s, 0, 0, AGN_ESHAPE, "[]", "0 axes");
    SEND(x, wide, s, 0, 0, AGN_ESHAPE, "src is [2,1]", "2 axes");
    SEND(x, s, wide, 0, 0, AGN_ESHAPE, "dst is [2,1]", "2 axes");
    SEND(x, s, one, 0, 0, AGN_ESHAPE, "[2]", "[1]");
    SEND(x, real, s, 0, 0, AGN_EDTYPE, "src is f64", NULL);
    SEND(x, s, real, 0, 0, AGN_EDTYPE, "dst is f64", NULL);
    SEND(x, far, s, 0, 0, AGN_EINDEX, "edge 1 has src 3", "3 nodes");
    SEND(x, neg, s, 0, 0, AGN_EINDEX, "edge 0 has src -1", "3 nodes");
    SEND(x, s, far, 0, 0, AGN_EINDEX, "edge 1 has dst 3", "3 nodes");
    SEND(x, s, s, 2, 0, AGN_EINDEX, "edge 1 has dst 2", "2 nodes");
    SEND(x, s, neg, 9, 0, AGN_EINDEX, "edge 0 has dst -1", "9 nodes");
    SEND(sp, s, s, 0, 0, AGN_EUNSUPPORTED, "sparse", "[3,2]");
    SEND(x, s, sp, 0, 0, AGN_EUNSUPPORTED, "sparse", NULL);
    check(&q,
          agn_geometric_send_u_recv(&out, x, s, s, INT64_MAX, 0) == AGN_ENOMEM &&
              out == untouched,
          "rows beyond memory: %s", agn_error_message());
    tell(&q, "failures: status, op, two facts, nothing written");
    agn_status st = agn_geometric_send_u_recv(&out, bools, s, s, 0, 0);
    ok(!st || (st == AGN_EDTYPE && out == untouched), "bool rows: %s",
       st ? agn_error_message() : "counted");
    if (!st)
        agn_release(out);
    agn_tensor *all[] = {x, num, s, one, far, neg, real, sp, wide, bools};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
}

typedef struct making {
    agn_tensor *x, *s;
} making;
static agn_status make(void *user, agn_tensor **out)
{
    making *m = user;
    return agn_geometric_send_u_recv(out, m->x, m->s, m->s, 4, AGN_GEOMETRIC_MEAN);
}

int main(void)
{
    test_values();
    test_modes();
    test_failures();
    making m = {random_of(AGN_F64, 2, (int64_t[]){3, 2}, -1, 1),
                nodes(AGN_I32, 2, (int64_t[]){0, 2})};
    every_allocation(make, &m, "mean");
    agn_release(m.x);
    agn_release(m.s);
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
