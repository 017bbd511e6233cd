/* t-geometric-pairs - messages over edges given as pairs of nodes, and segments: by loops over the edges,
   by gather and scatter where edges are traced or rows are complex, in every mode, and every failure. */
#include "modes.h"

#include <agnesi/geometric.h>

enum { NODES = 6, ENDS = 5, EDGES = 40, WIDTH = 3 };
static int64_t src[EDGES], dst[EDGES];

static agn_tensor *whole(int dtype, int64_t n, const int64_t *v)
{
    double d[EDGES + 1];
    for (int64_t i = 0; i < n; i++)
        d[i] = (double)v[i];
    return of_reals(dtype, 1, &n, d);
}

static double complex combine(int message, double complex a, double complex b)
{
    return message == AGN_MESSAGE_ADD   ? a + b
           : message == AGN_MESSAGE_SUB ? a - b
           : message == AGN_MESSAGE_MUL ? a * b
           : message == AGN_MESSAGE_DIV ? a / b
                                        : a;
}

/* reduced over the edges that end at i */
static double complex reduced(int64_t i, int64_t j, const agn_tensor *x, const agn_tensor *y, int message,
                              int reduce)
{
    double complex sum = 0;
    int count = 0;
    for (int k = 0; k < EDGES; k++)
        if (dst[k] == i) {
            double complex m = combine(message, peekz(x, src[k] * WIDTH + j),
                                       y ? peekz(y, agn_ndim(y) == 1 ? k : k * WIDTH + j) : 0);
            sum = reduce < AGN_GEOMETRIC_MAX ? sum + m
                  : !count                   ? m
                  : reduce == AGN_GEOMETRIC_MAX ? fmax(creal(sum), creal(m))
                                                : fmin(creal(sum), creal(m));
            count++;
        }
    return reduce == AGN_GEOMETRIC_MEAN && count ? sum / count : sum;
}

typedef agn_status segments_of(agn_tensor **out, const agn_tensor *x, const agn_tensor *ids);
static segments_of *const segment_by_name[] = {agn_geometric_segment_sum, agn_geometric_segment_mean,
                                               agn_geometric_segment_max, agn_geometric_segment_min};

static void test_values(void)
{
    static const int dtypes[] = {AGN_F64, AGN_F32, AGN_I64, AGN_C128};
    tally q = {0, 0}, w = {0, 0}, v = {0, 0};
    agn_tensor *s = whole(AGN_I64, EDGES, src), *d = whole(AGN_I32, EDGES, dst);
    for (int t = 0; t < COUNT(dtypes); t++)
        for (int message = 0; message < 5; message++)
            for (int reduce = 0; reduce < 4; reduce++) {
                bool narrow = (message + reduce) % 2;
                if (dtypes[t] == AGN_C128 && reduce > AGN_GEOMETRIC_MEAN)
                    continue;
                agn_tensor *x = random_of(dtypes[t], 2, (int64_t[]){NODES, WIDTH}, 1, 9), *z = NULL, *named = NULL;
                agn_tensor *y = random_of(dtypes[t], narrow ? 1 : 2, (int64_t[]){EDGES, WIDTH}, 1, 9);
                double worst = 0, bound = dtypes[t] == AGN_F32 ? 1e-5 : 1e-13;
                agn_status st = message ? agn_geometric_send_ue_recv(&z, x, y, s, d, ENDS, message, reduce)
                                        : agn_geometric_send_u_recv(&z, x, s, d, ENDS, reduce);
                check(&q, !st && has_shape(z, 2, (int64_t[]){ENDS, WIDTH}), "%s", agn_error_message());
                for (int64_t k = 0; !st && k < ENDS * WIDTH; k++) {
                    double complex want =
                        reduced(k / WIDTH, k % WIDTH, x, message ? y : NULL, message, reduce);
                    worst = fmax(worst, cabs(peekz(z, k) - want) / (1 + cabs(want)));
                }
                check(&q, worst < bound, "message %d reduce %d of %s: off by %.1e", message, reduce,
                      agn_dtype_name(dtypes[t]), worst);
                agn_release(y);
                if (!st)
                    agn_release(z);
                if (message && !reduce) {
                    y = random_of(dtypes[t], 2, (int64_t[]){ENDS, WIDTH}, 1, 9);
                    must(agn_geometric_send_uv(&z, x, y, s, d, message));
                    worst = 0;
                    for (int64_t k = 0; k < EDGES * WIDTH; k++) {
                        double complex want = combine(message, peekz(x, src[k / WIDTH] * WIDTH + k % WIDTH),
                                                      peekz(y, dst[k / WIDTH] * WIDTH + k % WIDTH));
                        worst = fmax(worst, cabs(peekz(z, k) - want) / (1 + cabs(want)));
                    }
                    check(&w, worst < bound, "uv %d of %s: off by %.1e", message, agn_dtype_name(dtypes[t]),
                          worst);
                    agn_release(y);
                    agn_release(z);
                }
                if (!message) {
                    int64_t most = 0;
                    for (int k = 0; k < EDGES; k++)
                        most = dst[k] > most ? dst[k] : most;
                    y = random_of(dtypes[t], 2, (int64_t[]){EDGES, WIDTH}, 1, 9);
                    must(agn_geometric_segment_reduce(&z, y, d, 0, reduce));
                    must(segment_by_name[reduce](&named, y, d));
                    check(&v, same_values(named, z), "reduction %d by its name", reduce);
                    agn_release(named);
                    check(&v, has_shape(z, 2, (int64_t[]){most + 1, WIDTH}), "as many as are named");
                    agn_release(z);
                    must(agn_geometric_segment_reduce(&z, y, d, ENDS, reduce));
                    worst = 0;
                    for (int64_t k = 0; k < ENDS * WIDTH; k++) {
                        double complex want = 0;
                        int count = 0;
                        for (int e = 0; e < EDGES; e++)
                            if (dst[e] == k / WIDTH) {
                                double complex m = peekz(y, e * WIDTH + k % WIDTH);
                                want = reduce < 2  ? want + m
                                       : !count++  ? m
                                       : reduce == 2 ? fmax(creal(want), creal(m))
                                                     : fmin(creal(want), creal(m));
                                count += reduce < 2;
                            }
                        want = reduce == AGN_GEOMETRIC_MEAN && count ? want / count : want;
                        worst = fmax(worst, cabs(peekz(z, k) - want) / (1 + cabs(want)));
                    }
                    check(&v, worst < bound, "segments %d of %s: off by %.1e", reduce,
                          agn_dtype_name(dtypes[t]), worst);
                    agn_release(y);
                    agn_release(z);
                }
                agn_release(x);
            }
    agn_release(s);
    agn_release(d);
    tell(&q, "send_u_recv, send_ue_recv against a loop");
    tell(&w, "send_uv against a loop");
    tell(&v, "segments in any order, empty ones");
}

typedef struct given {
    const agn_tensor *s, *d;
    int message, reduce;
} given;
/* x, y; the edges are given, or arguments too */
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const given *g = user;
    const agn_tensor *from = g->s ? g->s : in[2], *to = g->d ? g->d : in[3];
    out[0] = g->message ? ag_geometric_send_ue_recv(s, in[0], in[1], from, to, ENDS, g->message, g->reduce)
                        : ag_geometric_segment_reduce(s, in[1], to, ENDS, g->reduce);
    return agn_scope_status(s);
}

static void test_modes(void)
{
    agn_tensor *s = whole(AGN_I64, 6, src), *d = whole(AGN_I32, 6, dst);
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){NODES, 2}, 0.6, 1.4);
    agn_tensor *y = random_of(AGN_F64, 2, (int64_t[]){6, 1}, 0.7, 1.6);
    const agn_tensor *in[2] = {x, y};
    static const int messages[] = {3, 1, 4}, reduces[] = {1, 2, 3};
    for (int k = 0; k < COUNT(messages); k++) {
        given g = {s, d, messages[k], reduces[k]};
        agn_fn *f = NULL;
        must(agn_fn_new(&f, body, &g, NULL, 2, 1));
        in_every_mode(f, 2, in, 1e-3, 3e-8, "pairs");
        agn_fn_release(f);
    }
    /* lanes with edges of their own: gather and scatter, against one lane after the other */
    tally q = {0, 0};
    agn_tensor *ss = of_reals(AGN_I64, 2, (int64_t[]){2, 6}, (double[]){0, 1, 2, 3, 4, 5, 5, 5, 1, 0, 2, 2});
    agn_tensor *dd = of_reals(AGN_I64, 2, (int64_t[]){2, 6}, (double[]){0, 0, 1, 3, 3, 3, 2, 2, 2, 2, 0, 1});
    for (int message = 0; message < 5; message++)
        for (int reduce = 0; reduce < 4; reduce++) {
            given g = {NULL, NULL, message, reduce};
            agn_fn *f = NULL, *v = NULL;
            agn_tensor *all = NULL;
            must(agn_fn_new(&f, body, &g, NULL, 4, 1));
            must(agn_fn_vmap(&v, f, (int32_t[]){AGN_UNBATCHED, AGN_UNBATCHED, 0, 0}, 4, NULL, 0));
            must(agn_fn_call(&all, 1, v, AGN_ARGS(x, y, ss, dd)));
            for (int lane = 0; lane < 2; lane++) {
                agn_tensor *sl, *dl, *yl, *one = NULL;
                must(agn_index_axis(&sl, ss, 0, lane));
                must(agn_index_axis(&dl, dd, 0, lane));
                must(agn_index_axis(&yl, all, 0, lane));
                must(agn_fn_call(&one, 1, f, AGN_ARGS(x, y, sl, dl)));
                check(&q, modes_apart(yl, one) < 1e-14, "lane %d of message %d, reduce %d", lane, message,
                      reduce);
                agn_tensor *each[] = {sl, dl, yl, one};
                for (int k = 0; k < COUNT(each); k++)
                    agn_release(each[k]);
            }
            agn_release(all);
            agn_fn_release(f);
            agn_fn_release(v);
        }
    tell(&q, "traced edges by gather and scatter: the same");
    agn_tensor *all[] = {s, d, x, y, ss, dd};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
}

static agn_status without_segments(void *user, agn_scope *s, const agn_tensor *const *in,
                                   const agn_tensor **out)
{
    (void)user;
    out[0] = ag_geometric_segment_reduce(s, in[0], in[1], 0, AGN_GEOMETRIC_SUM);
    return agn_scope_status(s);
}

static void test_failures(void)
{
    tally q = {0, 0};
    agn_tensor *out = untouched, *x = random_of(AGN_F64, 2, (int64_t[]){3, 2}, 1, 2), *sp = NULL;
    agn_tensor *y = random_of(AGN_F64, 2, (int64_t[]){2, 2}, 1, 2), *y3 = random_of(AGN_F64, 2, (int64_t[]){2, 3}, 1, 2);
    agn_tensor *s = whole(AGN_I64, 2, (int64_t[]){0, 2}), *one = whole(AGN_I64, 1, (int64_t[]){0});
    agn_tensor *far = whole(AGN_I64, 2, (int64_t[]){0, 3}), *neg = whole(AGN_I64, 2, (int64_t[]){-1, 0});
    agn_tensor *num = scalar_of(AGN_F64, 1), *real = random_of(AGN_F64, 1, (int64_t[]){2}, 0, 1);
    must(agn_sparse_from_dense(&sp, x));
#define BAD(call_, op, st, m1, m2) \
    check(&q, refused(call_, st, op, m1, m2, out), "refusal in line %d: %s", __LINE__, agn_error_message())
#define UE(x_, y_, s_, d_, m, r, st, m1, m2) \
    BAD(agn_geometric_send_ue_recv(&out, x_, y_, s_, d_, 0, m, r), "geometric_send_ue_recv", st, m1, m2)
    check(&q, agn_geometric_send_ue_recv(NULL, x, y, s, s, 0, 1, 0) == AGN_ENULL, "out");
    UE(NULL, y, s, s, 1, 0, AGN_ENULL, "x is NULL", NULL);
    UE(x, NULL, s, s, 1, 0, AGN_ENULL, "y is NULL", NULL);
    UE(x, y, NULL, s, 1, 0, AGN_ENULL, "src is NULL", NULL);
    UE(x, y, s, NULL, 1, 0, AGN_ENULL, "dst is NULL", NULL);
    UE(x, y, s, s, 0, 0, AGN_EARG, "message 0", NULL);
    UE(x, y, s, s, 5, 0, AGN_EARG, "message 5", NULL);
    UE(x, y, s, s, 1, 4, AGN_EARG, "reduce 4", NULL);
    UE(num, y, s, s, 1, 0, AGN_ESHAPE, "x is []", "0 axes");
    UE(x, num, s, s, 1, 0, AGN_ESHAPE, "y is []", "0 axes");
    UE(x, x, s, s, 1, 0, AGN_ESHAPE, "y is [3,2]", "2 edges");
    UE(x, y3, s, s, 1, 0, AGN_ESHAPE, "[3,2]", "[2,3]");
    UE(x, y, s, one, 1, 0, AGN_ESHAPE, "[2]", "[1]");
    UE(x, y, real, s, 1, 0, AGN_EDTYPE, "src is f64", NULL);
    UE(x, y, far, s, 1, 0, AGN_EINDEX, "edge 1 has src 3", "3 nodes");
    UE(x, y, s, neg, 1, 0, AGN_EINDEX, "edge 0 has dst -1", "3 nodes");
    UE(sp, y, s, s, 1, 0, AGN_EUNSUPPORTED, "sparse", NULL);
#define UV(x_, y_, s_, d_, m, st, m1, m2) \
    BAD(agn_geometric_send_uv(&out, x_, y_, s_, d_, m), "geometric_send_uv", st, m1, m2)
    check(&q, agn_geometric_send_uv(NULL, x, y, s, s, 1) == AGN_ENULL, "out");
    UV(NULL, x, s, s, 1, AGN_ENULL, "x is NULL", NULL);
    UV(x, NULL, s, s, 1, AGN_ENULL, "y is NULL", NULL);
    UV(x, x, NULL, s, 1, AGN_ENULL, "src is NULL", NULL);
    UV(x, x, s, NULL, 1, AGN_ENULL, "dst is NULL", NULL);
    UV(x, x, s, s, 0, AGN_EARG, "message 0", NULL);
    UV(x, x, s, one, 1, AGN_ESHAPE, "[2]", "[1]");
    UV(x, y3, s, neg, 1, AGN_EINDEX, "edge 0 has dst -1", "2 nodes");
    UV(x, y, s, s, 1, AGN_EINDEX, "edge 1 has dst 2", "2 nodes");
    UV(x, y3, s, one, 1, AGN_ESHAPE, "[2]", "[1]");
#define SEGMENT(x_, i_, n, r, st, m1, m2) \
    BAD(agn_geometric_segment_reduce(&out, x_, i_, n, r), "geometric_segment_reduce", st, m1, m2)
    check(&q, agn_geometric_segment_reduce(NULL, x, s, 0, 0) == AGN_ENULL, "out");
    SEGMENT(NULL, s, 0, 0, AGN_ENULL, "x is NULL", NULL);
    SEGMENT(y, NULL, 0, 0, AGN_ENULL, "ids is NULL", NULL);
    SEGMENT(y, s, 0, -1, AGN_EARG, "reduce -1", NULL);
    SEGMENT(num, s, 0, 0, AGN_ESHAPE, "x is []", "0 axes");
    SEGMENT(x, s, 0, 0, AGN_ESHAPE, "x is [3,2]", "[2]");
    SEGMENT(y, real, 0, 0, AGN_EDTYPE, "ids is f64", NULL);
    SEGMENT(y, far, 3, 0, AGN_EINDEX, "edge 1 has dst 3", "3 nodes");
    SEGMENT(y, neg, 0, 0, AGN_EINDEX, "edge 0 has dst -1", "nodes");
    SEGMENT(sp, s, 0, 0, AGN_EUNSUPPORTED, "sparse", NULL);
    static const char *const names[] = {"geometric_segment_sum", "geometric_segment_mean", "geometric_segment_max",
                                        "geometric_segment_min"};
    for (int k = 0; k < COUNT(names); k++) {
        check(&q, segment_by_name[k](NULL, x, s) == AGN_ENULL, "out");
        BAD(segment_by_name[k](&out, y, neg), names[k], AGN_EINDEX, "edge 0 has dst -1", "nodes");
        BAD(segment_by_name[k](&out, x, s), names[k], AGN_ESHAPE, "x is [3,2]", "[2]");
    }
    agn_fn *f = NULL, *v = NULL;
    agn_tensor *ids = of_reals(AGN_I64, 2, (int64_t[]){2, 2}, (double[]){0, 1, 1, 0});
    must(agn_fn_new(&f, without_segments, NULL, NULL, 2, 1));
    must(agn_fn_vmap(&v, f, (int32_t[]){AGN_UNBATCHED, 0}, 2, NULL, 0));
    check(&q, agn_fn_call(&out, 1, v, AGN_ARGS(y, ids)) == AGN_ESYMBOLIC && out == untouched,
          "traced ids without a number of segments: %s", agn_error_message());
    tell(&q, "failures: status, op, two facts, nothing written");
    agn_fn_release(f);
    agn_fn_release(v);
    agn_tensor *all[] = {x, y, y3, s, one, far, neg, num, real, sp, ids};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
}

typedef struct making {
    agn_tensor *x, *y, *s;
    int what;
} making;
static agn_status make(void *user, agn_tensor **out)
{
    making *m = user;
    if (m->what == 0)
        return agn_geometric_send_ue_recv(out, m->x, m->y, m->s, m->s, 4, AGN_MESSAGE_DIV, AGN_GEOMETRIC_MIN);
    if (m->what == 1)
        return agn_geometric_send_uv(out, m->x, m->x, m->s, m->s, AGN_MESSAGE_SUB);
    return agn_geometric_segment_reduce(out, m->y, m->s, 0, AGN_GEOMETRIC_MEAN);
}

int main(void)
{
    for (int k = 0; k < EDGES; k++) {
        src[k] = rnd_below(NODES);
        dst[k] = rnd_below(ENDS - 1); /* the last one is alone */
    }
    test_values();
    test_modes();
    test_failures();
    making m = {random_of(AGN_F64, 2, (int64_t[]){3, 2}, 1, 2), random_of(AGN_F64, 1, (int64_t[]){2}, 1, 2),
                whole(AGN_I32, 2, (int64_t[]){0, 2}), 0};
    for (; m.what < 3; m.what++)
        every_allocation(make, &m, m.what == 0 ? "ue" : m.what == 1 ? "uv" : "segments");
    agn_release(m.x);
    agn_release(m.y);
    agn_release(m.s);
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
