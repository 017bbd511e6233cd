/* tests/t-extremes.c - maxima and minima over the first axis, with NaN in few places or none: the
   bits of a plain loop that keeps the first of equals. */
#include "laws.h"

#include <stdlib.h>

/* a number of few, so that there are ties and zeros of both signs */
static double draw(int64_t rare)
{
    static const double few[] = {0, -0.0, 1, -1, 2.5, -2.5, (double)INFINITY, -(double)INFINITY};
    return rare && rnd_below(rare) == 0 ? (double)NAN : few[rnd_below(8)];
}

static double keep_extreme(double a, double x, bool least)
{
    return isnan(a) ? a : isnan(x) || (least ? x < a : x > a) ? x : a;
}

static bool is_same(double have, double want)
{
    return isnan(want) ? isnan(have) : have == want && !signbit(have) == !signbit(want);
}

static int compare_columns(agn_dtype dtype, int64_t n, int64_t m, int64_t rare, bool least)
{
    double *x = malloc((size_t)(n * m) * sizeof *x), *y = malloc((size_t)m * sizeof *y);
    agn_tensor *wide = NULL, *t = NULL, *e = NULL, *back = NULL;
    const int64_t shape[2] = {n, m};
    int wrong = 0;
    if (!x || !y)
        bail_out("no memory");
    for (int64_t i = 0; i < n * m; i++)
        x[i] = draw(rare);
    must(agn_from_host(&wide, AGN_F64, 2, shape, x));
    must(agn_cast(&t, wide, dtype));
    must((least ? agn_min : agn_max)(&e, t, (const int32_t[]){0}, 1, false));
    must(agn_cast(&back, e, AGN_F64));
    must(agn_to_host(y, back, (size_t)m * sizeof *y));
    for (int64_t j = 0; j < m; j++) {
        double want = x[j];
        for (int64_t i = 1; i < n; i++)
            want = keep_extreme(want, x[i * m + j], least);
        wrong += !is_same(y[j], want);
    }
    agn_release(wide);
    agn_release(t);
    agn_release(e);
    agn_release(back);
    free(x);
    free(y);
    return wrong;
}

int main(void)
{
    static const int64_t rows[] = {1, 3, 4, 5, 7, 16, 17, 23, 64, 130};
    static const int64_t columns[] = {3, 33, 100, 257};
    static const int64_t rare[] = {0, 3, 200, 20000};
    for (int least = 0; least < 2; least++)
        for (int d = 0; d < 2; d++) {
            int wrong = 0;
            for (int r = 0; r < COUNT(rows); r++)
                for (int c = 0; c < COUNT(columns); c++)
                    for (int k = 0; k < COUNT(rare); k++)
                        wrong += compare_columns(d ? AGN_F32 : AGN_F64, rows[r], columns[c],
                                                 rare[k], least);
            is_int(wrong, 0, "%s of columns, %s: the bits of a plain loop",
                   least ? "minima" : "maxima", d ? "f32" : "f64");
        }
    return done();
}
