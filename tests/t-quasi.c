/* tests/t-quasi.c - Sobol, Halton and Latin hypercubes: other people's points, the nets they
   promise to be, and what a scramble may and may not change. */
#include "laws.h"

#include <agnesi/ag.h>

#include "data/quasi.inc"

static agn_tensor *key_of(uint64_t seed)
{
    agn_tensor *k = NULL;
    must(agn_from_host(&k, AGN_I64, 1, (int64_t[]){2}, (int64_t[]){(int64_t)seed, 0}));
    return k;
}

static void test_reference(void)
{
    tally t = {0};
    agn_tensor *y = NULL;
    for (int k = 0; k < COUNT(sobol_points); k++) {
        must(agn_sobol(&y, NULL, AGN_F64, sobol_points[k].number, 1, 1024));
        for (int d = 0; d < COUNT(sobol_dims); d++)
            check(&t, peek(y, sobol_dims[d]) == sobol_points[k].x[d], "point %d, dimension %d: %a",
                  (int)sobol_points[k].number, sobol_dims[d], peek(y, sobol_dims[d]));
        agn_release(y);
    }
    tell(&t, "Sobol points are SciPy's, in 1024 dimensions, near and far");
    t = (tally){0};
    for (int k = 0; k < COUNT(halton_points); k++) {
        must(agn_halton(&y, NULL, AGN_F64, halton_points[k].number, 1, 8));
        for (int d = 0; d < 8; d++)
            check(&t, fabs(peek(y, d) - halton_points[k].x[d]) <= 4e-16, "point %d, dimension %d",
                  (int)halton_points[k].number, d);
        agn_release(y);
    }
    tell(&t, "Halton points are SciPy's");
}

/* how many of 2^a x 2^b boxes of two axes hold other than the fair number of points */
static int64_t unfair(const agn_tensor *x, int64_t dims, int i, int j, int a, int b)
{
    int64_t n = agn_numel(x) / dims, boxes = (int64_t)1 << (a + b), bad = 0;
    int64_t *have = room_for((size_t)boxes * sizeof *have);
    memset(have, 0, (size_t)boxes * sizeof *have);
    for (int64_t k = 0; k < n; k++)
        have[(int64_t)ldexp(peek(x, k * dims + i), a) << b |
             (int64_t)ldexp(peek(x, k * dims + j), b)]++;
    for (int64_t k = 0; k < boxes; k++)
        bad += have[k] != n / boxes;
    free(have);
    return bad;
}

static void test_nets(void)
{
    tally t = {0};
    agn_tensor *key = key_of(5), *y = NULL, *z = NULL;
    const int64_t dims = 64, n = 256;
    for (int scrambled = 0; scrambled < 2; scrambled++)
        for (int d = AGN_F32; d <= AGN_F64; d++)
            for (int64_t first = 0; first <= 3 * n; first += n) {
                must(agn_sobol(&y, scrambled ? key : NULL, d, first, n, dims));
                for (int j = 0; j < dims; j++)
                    check(&t, unfair(y, dims, j, 0, 8, 0) == 0, "dimension %d from %d", j,
                          (int)first);
                for (int a = 0; a <= 8; a++) /* the first two dimensions are a (0, 2)-sequence */
                    check(&t, unfair(y, dims, 0, 1, a, 8 - a) == 0, "2^%d x 2^%d boxes", a, 8 - a);
                agn_release(y);
            }
    tell(&t, "Sobol: every 2^k points are a net, plain and scrambled, f32 and f64");
    t = (tally){0};
    /* a scrambled point is uniform: the first point over many keys, chi^2 of 16 cells, 15 degrees;
       50.3 is exceeded once in 10^5 */
    const int64_t many = tap_scale(8000);
    for (int halton = 0; halton < 2; halton++) {
        double have[3][16] = {{0}};
        for (int64_t k = 0; k < many; k++) {
            agn_tensor *own = key_of((uint64_t)k);
            must(halton ? agn_halton(&y, own, AGN_F64, 6, 1, 3)
                        : agn_sobol(&y, own, AGN_F64, 6, 1, 3));
            for (int j = 0; j < 3; j++)
                have[j][(int)(16 * peek(y, j))]++;
            agn_release(own), agn_release(y);
        }
        for (int j = 0; j < 3; j++) {
            double sum = 0, e = (double)many / 16;
            for (int k = 0; k < 16; k++)
                sum += (have[j][k] - e) * (have[j][k] - e) / e;
            check(&t, sum < 50.3, "%s, dimension %d: chi^2 %.1f", halton ? "halton" : "sobol", j,
                  sum);
        }
    }
    tell(&t, "a scrambled point is uniform over keys (chi^2; false alarm once in 10^5)");
    t = (tally){0};
    /* any cut of the sequence is the sequence */
    for (int halton = 0; halton < 2; halton++) {
        must(halton ? agn_halton(&y, key, AGN_F64, 0, 3000, 5)
                    : agn_sobol(&y, key, AGN_F64, 0, 3000, 5));
        must(halton ? agn_halton(&z, key, AGN_F64, 1777, 900, 5)
                    : agn_sobol(&z, key, AGN_F64, 1777, 900, 5));
        check(&t,
              !memcmp((const double *)agn_data(y) + 5 * 1777, agn_data(z), 900 * 5 * sizeof(double)),
              "%s", halton ? "halton" : "sobol");
        agn_release(y), agn_release(z);
    }
    /* far out, and at the last point there is */
    must(agn_sobol(&y, key, AGN_F64, ((int64_t)1 << 53) - 3, 3, 2));
    must(agn_halton(&z, key, AGN_F64, ((int64_t)1 << 53) - 3, 3, 2));
    for (int k = 0; k < 6; k++)
        check(&t, peek(y, k) >= 0 && peek(y, k) < 1 && peek(z, k) >= 0 && peek(z, k) < 1, "far");
    agn_release(y), agn_release(z);
    must(agn_sobol(&y, NULL, AGN_F64, 0, 0, 3));
    must(agn_halton(&z, key, AGN_F32, 0, 0, 4));
    check(&t, has_shape(y, 2, (int64_t[]){0, 3}) && has_shape(z, 2, (int64_t[]){0, 4}), "empty");
    agn_release(y), agn_release(z);
    tell(&t, "cuts, far points, no points");
    agn_release(key);
}

/* integral of prod (4 |x - 1/2|)... = 1: the error of 2^12 points against that of random ones */
static double error_of(const agn_tensor *x, int64_t dims)
{
    int64_t n = agn_numel(x) / dims;
    double sum = 0;
    for (int64_t i = 0; i < n; i++) {
        double f = 1;
        for (int64_t j = 0; j < dims; j++)
            f *= 1 + (fabs(4 * peek(x, i * dims + j) - 2) - 1) / (double)(j + 1);
        sum += f / (double)n;
    }
    return fabs(sum - 1);
}

static void test_integral(void)
{
    enum { DIMS = 6, N = 4096 };
    agn_tensor *key = key_of(1), *y = NULL;
    double plain, error[5];
    must(agn_uniform(&y, key, AGN_F64, 2, (int64_t[]){N, DIMS}));
    plain = error_of(y, DIMS);
    agn_release(y);
    for (int k = 0; k < 5; k++) {
        must(k < 2   ? agn_sobol(&y, k ? key : NULL, AGN_F64, 0, N, DIMS)
             : k < 4 ? agn_halton(&y, k > 2 ? key : NULL, AGN_F64, 0, N, DIMS)
                     : agn_latin_hypercube(&y, key, AGN_F64, N, DIMS));
        error[k] = error_of(y, DIMS);
        agn_release(y);
    }
    diag("error of an integral: random %.1e, sobol %.1e %.1e, halton %.1e %.1e, latin %.1e", plain,
         error[0], error[1], error[2], error[3], error[4]);
    ok(error[0] < 1e-3 && error[1] < 1e-3 && error[2] < 4e-3 && error[3] < 4e-3 && error[4] < 1e-2,
       "points fill the cube better than random ones");
    agn_release(key);
}

static void test_latin(void)
{
    tally t = {0};
    agn_tensor *key = key_of(3), *y = NULL;
    static const int64_t sizes[] = {1, 2, 7, 100, 1000};
    for (int k = 0; k < COUNT(sizes); k++)
        for (int d = AGN_F32; d <= AGN_F64; d++) {
            int64_t n = sizes[k], dims = 4;
            must(agn_latin_hypercube(&y, key, d, n, dims));
            for (int j = 0; j < dims; j++) {
                char seen[1000] = {0};
                bool fine = true;
                for (int64_t i = 0; i < n; i++) {
                    double x = peek(y, i * dims + j);
                    fine = fine && x >= 0 && x < 1;
                    /* a number at the edge of its cell may have been rounded to the edge */
                    seen[(int)(x * (double)n + 1e-9 * (double)n < (double)n
                                   ? floor(x * (double)n + (d == AGN_F32 ? 1e-4 : 1e-9))
                                   : (double)n - 1)]++;
                }
                for (int64_t i = 0; i < n; i++)
                    fine = fine && seen[i] == 1;
                check(&t, fine && agn_dtype_of(y) == d, "%d points, axis %d, %s", (int)n, j,
                      agn_dtype_name(d));
            }
            agn_release(y);
        }
    must(agn_latin_hypercube(&y, key, AGN_F64, 0, 3));
    check(&t, has_shape(y, 2, (int64_t[]){0, 3}), "no points");
    agn_release(y);
    must(agn_latin_hypercube(&y, key, AGN_F64, 3, 0));
    check(&t, has_shape(y, 2, (int64_t[]){3, 0}), "no dimensions");
    agn_release(y), agn_release(key);
    tell(&t, "Latin hypercube: one point in each part of each axis");
}

enum { LANES = 20000, LANE_POINTS = 4, LANE_DIMS = 3 };

static agn_status lane_body(void *user, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    const bool halton = *(const bool *)user;
    out[0] = halton ? ag_halton(s, in[0], AGN_F32, 5, LANE_POINTS, LANE_DIMS)
                    : ag_sobol(s, in[0], AGN_F32, 5, LANE_POINTS, LANE_DIMS);
    return agn_scope_status(s);
}

/* a lane's table is 27 to 53 times its twelve points: tables must not stand for all lanes */
static void test_lanes(void)
{
    const int64_t each = LANE_POINTS * LANE_DIMS;
    tally t = {0}, m = {0};
    agn_tensor *root = key_of(11), *keys = NULL;
    must(agn_key_split(&keys, root, LANES));
    for (int halton = 0; halton < 2; halton++) {
        bool of_halton = halton != 0;
        agn_fn *f = NULL, *wide = NULL;
        agn_tensor *y = NULL, *key = NULL, *own = NULL;
        int64_t before, peak;
        must(agn_fn_new(&f, lane_body, &of_halton, NULL, 1, 1));
        must(agn_fn_vmap(&wide, f, NULL, 0, NULL, 0));
        agn_memory_live(&before, NULL, NULL);
        agn_memory_reset_peak();
        must(agn_fn_call(&y, 1, wide, AGN_ARGS(keys)));
        agn_memory_live(NULL, NULL, &peak);
        const int64_t bytes = LANES * each * (int64_t)sizeof(float);
        check(&m, peak - before <= 3 * bytes, "%s: %.1f times the result",
              halton ? "halton" : "sobol", (double)(peak - before) / (double)bytes);
        for (int64_t l = 0; l < LANES; l += l < 1000 ? 57 : 4999) {
            must(agn_index_axis(&key, keys, 0, l));
            must(halton ? agn_halton(&own, key, AGN_F32, 5, LANE_POINTS, LANE_DIMS)
                        : agn_sobol(&own, key, AGN_F32, 5, LANE_POINTS, LANE_DIMS));
            check(&t,
                  !memcmp((const float *)agn_data(y) + l * each, agn_data(own),
                          (size_t)each * sizeof(float)),
                  "%s: lane %d", halton ? "halton" : "sobol", (int)l);
            agn_release(key), agn_release(own);
        }
        agn_release(y), agn_fn_release(wide), agn_fn_release(f);
    }
    agn_release(root), agn_release(keys);
    tell(&t, "points of many lanes are those of each lane");
    tell(&m, "many lanes take at most three times the bytes of their points");
}

static void test_no_dimensions(void)
{
    agn_tensor *y = untouched;
    ok(refused(agn_sobol(&y, NULL, AGN_F64, 0, 3, 0), AGN_EARG, "sobol", "0 dimensions", "1 to", y),
       "sobol: %s", agn_error_message());
    ok(refused(agn_halton(&y, NULL, AGN_F64, 0, 3, 0), AGN_EARG, "halton", "0 dimensions", "1 to", y),
       "halton: %s", agn_error_message());
}

int main(void)
{
    test_no_dimensions();
    test_lanes();
    test_reference();
    test_nets();
    test_integral();
    test_latin();
    int64_t blocks = -1;
    agn_memory_live(NULL, &blocks, NULL);
    is_int(blocks, 0, "nothing is left");
    return done();
}
