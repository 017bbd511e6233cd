/* tests/t-compensated.c - compensated sums: within their bound of the exact sum, whatever cancels,
   in every layout and with any number of threads. */
#include "laws.h"

#include <float.h>

__extension__ typedef __int128 exact;

/* k 2^(e - 60), 0 <= e < most, |k| < 2^51, added to the sum where there is one */
static double piece(exact *sum, int most)
{
    int e = (int)rnd_below(most);
    int64_t k = rnd_below(INT64_C(1) << 52) - (INT64_C(1) << 51);
    if (sum)
        *sum += (exact)k * ((exact)1 << e);
    return ldexp((double)k, e - 60);
}
static long double value_of(exact v)
{
    bool below = v < 0;
    unsigned long long high = (unsigned long long)((below ? -v : v) >> 64),
                       low = (unsigned long long)(below ? -v : v);
    long double y = ldexpl((long double)high, 4) + ldexpl((long double)low, -60);
    return below ? -y : y;
}

/* numbers and their opposites, one in three that is much smaller, all shuffled */
static double *numbers(int64_t n, long double *want, long double *size)
{
    double *v = room_for((size_t)n * sizeof *v);
    exact sum = 0;
    *size = 0;
    for (int64_t i = 0; i < n; i++)
        v[i] = i % 3 == 1             ? -v[i - 1]
               : i % 3 || i + 1 == n ? piece(&sum, 20)
                                      : piece(NULL, 60);
    for (int64_t i = n - 1; i > 0; i--) {
        int64_t j = rnd_below(i + 1);
        double t = v[i];
        v[i] = v[j];
        v[j] = t;
    }
    for (int64_t i = 0; i < n; i++)
        *size += fabsl((long double)v[i]);
    *want = value_of(sum);
    return v;
}

static void test_bound(void)
{
    tally t = {0};
    static const int64_t lengths[] = {1,  2,    3,     15,    16,    17,    100,  255,
                                      16383, 16384, 16385, 40001, 65537, 99999};
    double worst = 0, plain = 0;
    for (int k = 0; k < COUNT(lengths); k++)
        for (int trial = 0; trial < 5; trial++) {
            int64_t n = lengths[k];
            long double want, size;
            double *v = numbers(n, &want, &size);
            agn_tensor *x = NULL, *y = NULL, *z = NULL, *less = NULL;
            must(agn_from_host(&x, AGN_F64, 1, &n, v));
            must(agn_sum_compensated(&y, x, NULL, 0, false));
            must(agn_sum(&z, x, NULL, 0, false));
            long double u = 0x1p-53L, e = fabsl((long double)peek(y, 0) - want);
            long double bound = u * fabsl(want) + (long double)n * u * (long double)n * u * size;
            check(&t, e <= bound, "%lld numbers: off by %.3Lg, %.3Lg allowed", (long long)n, e, bound);
            worst = fmax(worst, bound > 0 ? (double)(e / bound) : 0);
            plain = fmax(plain, (double)(fabsl((long double)peek(z, 0) - want) / (u * size)));
            /* f32: kept in f64 */
            must(agn_cast(&less, x, AGN_F32));
            agn_tensor *wide = NULL, *narrow = NULL, *w = NULL;
            must(agn_cast(&wide, less, AGN_F64));
            must(agn_sum_compensated(&w, wide, NULL, 0, false));
            must(agn_sum_compensated(&narrow, less, NULL, 0, false));
            check(&t, peek(narrow, 0) == (double)(float)peek(w, 0), "f32 of %lld", (long long)n);
            free(v);
            agn_release(x), agn_release(y), agn_release(z), agn_release(less), agn_release(wide);
            agn_release(narrow), agn_release(w);
        }
    diag("largest error over its bound %.2g; of the plain sum over u times magnitudes %.2g", worst,
         plain);
    tell(&t, "the exact sum, within the bound, where everything cancels");
}

static void test_threads(void)
{
    tally t = {0};
    int64_t n = 70000, shape[] = {4, 35000}, turned[] = {70000, 2};
    long double want, size;
    double *v = numbers(2 * n, &want, &size);
    agn_tensor *x[3] = {NULL}, *y[3][2] = {{NULL}};
    must(agn_from_host(&x[0], AGN_F64, 2, shape, v));
    must(agn_from_host(&x[1], AGN_F64, 2, turned, v));
    must(agn_from_host(&x[2], AGN_C128, 1, &n, v));
    int32_t had = agn_threads();
    for (int many = 0; many < 2; many++) {
        must(agn_threads_set(many ? 4 : 1));
        must(agn_sum_compensated(&y[0][many], x[0], (int32_t[]){1}, 1, true));
        must(agn_sum_compensated(&y[1][many], x[1], (int32_t[]){0}, 1, false));
        must(agn_sum_compensated(&y[2][many], x[2], NULL, 0, false));
    }
    must(agn_threads_set(had));
    for (int k = 0; k < 3; k++)
        check(&t, same_values(y[k][0], y[k][1]), "array %d", k);
    check(&t, creal(peekz(y[2][0], 0)) == peek(y[1][0], 0) &&
                  cimag(peekz(y[2][0], 0)) == peek(y[1][0], 1), "real and imaginary parts");
    for (int k = 0; k < 3; k++)
        agn_release(x[k]), agn_release(y[k][0]), agn_release(y[k][1]);
    free(v);
    tell(&t, "the same bits for one thread and four; complex parts by themselves");
}

static void test_ends(void)
{
    tally t = {0};
    double inf = (double)INFINITY, nan = (double)NAN;
    const struct {
        int n;
        double v[4], want;
    } row[] = {{2, {inf, 1}, inf},          {3, {1, -inf, 2}, -inf},     {2, {inf, -inf}, nan},
               {2, {nan, 1}, nan},          {2, {DBL_MAX, DBL_MAX}, inf}, {0, {0}, 0},
               {3, {1, 0x1p-53, 0x1p-53}, 1 + 0x1p-52}, {4, {1, 1e100, 1, -1e100}, 2}};
    for (int k = 0; k < COUNT(row); k++) {
        agn_tensor *x = NULL, *y = NULL;
        must(agn_from_host(&x, AGN_F64, 1, (int64_t[]){row[k].n}, row[k].v));
        must(agn_sum_compensated(&y, x, NULL, 0, false));
        double have = peek(y, 0);
        check(&t, have == row[k].want || (isnan(have) && isnan(row[k].want)), "row %d: %g", k, have);
        agn_release(x), agn_release(y);
    }
    tell(&t, "infinities, NaN, overflow, nothing");
}

int main(void)
{
    test_bound();
    test_threads();
    test_ends();
    return done();
}
