/* argsort of long lanes: one stable order, NaN last, whatever the number of threads; beside a merge
   sort of pairs by the definition. */
#include "laws.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 300001 };

typedef struct item {
    double x;
    int64_t at;
    bool down;
} item;

/* by value, NaN last in either direction, then by index */
static int compare_items(const void *a, const void *b)
{
    const item *p = a, *q = b;
    bool pn = isnan(p->x), qn = isnan(q->x);
    if (pn != qn)
        return pn ? 1 : -1;
    if (!pn && p->x != q->x)
        return (p->x < q->x) != p->down ? -1 : 1;
    return (p->at > q->at) - (p->at < q->at);
}

/* kind 0: different numbers, 1: many ties, 2: equal upper halves, 3: all equal, 4: in order */
static double draw_value(int kind, int64_t i)
{
    double u = rnd_in(-1, 1);
    if (kind == 1)
        return rnd_in(0, 1) < 0.05 ? (rnd_in(0, 1) < 0.5 ? (double)NAN : -0.0) : floor(9 * u);
    if (kind == 2)
        return 1 + floor(4000 * u) * 0x1p-51;
    return kind == 3 ? 2.5 : kind == 4 ? (double)i : u * exp(20 * rnd_in(-1, 1));
}

static void check_lane(agn_dtype dtype, int kind, int64_t n, bool down)
{
    static double v[MOST];
    static int64_t got[MOST];
    static item want[MOST];
    agn_tensor *wide = NULL, *x = NULL, *back = NULL, *y = NULL;
    for (int64_t i = 0; i < n; i++)
        v[i] = dtype == AGN_F32 || dtype == AGN_F64 ? draw_value(kind, i)
               : kind == 1                          ? floor(rnd_in(-5, 5))
                                                    : floor(rnd_in(-1e9, 1e9));
    must(agn_from_host(&wide, AGN_F64, 1, &n, v));
    must(agn_cast(&x, wide, dtype));
    must(agn_cast(&back, x, AGN_F64));
    must(agn_to_host(v, back, (size_t)n * sizeof *v));
    for (int64_t i = 0; i < n; i++)
        want[i] = (item){v[i], i, down};
    qsort(want, (size_t)n, sizeof *want, compare_items);
    int64_t wrong[3] = {0};
    for (int t = 0; t < 3; t++) {
        must(agn_threads_set(t == 2 ? 5 : 1 + t));
        must(agn_argsort(&y, x, 0, down));
        must(agn_to_host(got, y, (size_t)n * sizeof *got));
        for (int64_t i = 0; i < n; i++)
            wrong[t] += got[i] != want[i].at;
        agn_release(y);
    }
    ok(!wrong[0] && !wrong[1] && !wrong[2],
       "%s, kind %d, %lld items%s: %lld, %lld, %lld places are wrong on 1, 2 and 5 threads",
       agn_dtype_name(dtype), kind, (long long)n, down ? ", descending" : "", (long long)wrong[0],
       (long long)wrong[1], (long long)wrong[2]);
    agn_release(wide);
    agn_release(x);
    agn_release(back);
}

int main(void)
{
    static const agn_dtype dtypes[] = {AGN_F64, AGN_F32, AGN_I64, AGN_I32};
    static const int64_t sizes[] = {5000, 65535, 65536, 100000, 200003, MOST};
    for (int d = 0; d < 4; d++)
        for (int kind = 0; kind < (d < 2 ? 5 : 2); kind++)
            for (int i = 0; i < 6; i++)
                if (tap_scale(6) > i || i == 4)
                    check_lane(dtypes[d], kind, sizes[i], (i + kind) % 2);
    must(agn_threads_set(1));
    return done();
}
