/* tests/t-random-errors.c - each error that agnesi/random.h names for samplers, provoked: status,
   words of the message, nothing written. */
#include "laws.h"

static tally t;
#define NO(call, want, op, fact1, fact2)                                   \
    do {                                                                   \
        agn_tensor *y = untouched;                                         \
        agn_status no_st = call;                                           \
        check(&t, refused(no_st, want, op, fact1, fact2, y), "%s", #call); \
    } while (0)
#define LONGS(...) ((const int64_t[]){__VA_ARGS__})

static agn_tensor *K, *one, *two, *many, *odd, *z, *whole, *three;

/* what all samplers of one parameter share */
typedef agn_status of_one(agn_tensor **, const agn_tensor *, const agn_tensor *, int32_t,
                          const int64_t *);
typedef agn_status of_two(agn_tensor **, const agn_tensor *, const agn_tensor *,
                          const agn_tensor *, int32_t, const int64_t *);

static void common_one(const char *op, of_one *f)
{
    check(&t, f(NULL, K, one, 1, LONGS(3)) == AGN_ENULL, "%s into NULL", op);
    NO(f(&y, NULL, one, 1, LONGS(3)), AGN_ENULL, op, "NULL", NULL);
    NO(f(&y, K, NULL, 1, LONGS(3)), AGN_ENULL, op, "NULL", NULL);
    NO(f(&y, K, one, 1, NULL), AGN_ENULL, op, "shape", NULL);
    NO(f(&y, K, one, 1, LONGS(-1)), AGN_ESHAPE, op, "-1", "axis 0");
    NO(f(&y, odd, one, 1, LONGS(3)), AGN_ESHAPE, op, "[3]", "[2]");
    NO(f(&y, one, one, 1, LONGS(3)), AGN_EDTYPE, op, "f64", "i64");
    NO(f(&y, K, z, 1, LONGS(3)), AGN_EDTYPE, op, "c128", NULL);
    NO(f(&y, K, many, 1, LONGS(3)), AGN_ESHAPE, op, "[2,2]", "[3]");
    NO(f(&y, K, many, 0, NULL), AGN_ESHAPE, op, "[2,2]", "[]");
    NO(f(&y, K, one, 2, LONGS((int64_t)1 << 40, (int64_t)1 << 40)), AGN_ENOMEM, op,
       "1099511627776", NULL);
}
static void common_two(const char *op, of_two *f)
{
    check(&t, f(NULL, K, one, two, 1, LONGS(3)) == AGN_ENULL, "%s into NULL", op);
    NO(f(&y, NULL, one, two, 1, LONGS(3)), AGN_ENULL, op, "NULL", NULL);
    NO(f(&y, K, NULL, two, 1, LONGS(3)), AGN_ENULL, op, "NULL", NULL);
    NO(f(&y, K, one, NULL, 1, LONGS(3)), AGN_ENULL, op, "NULL", NULL);
    NO(f(&y, K, one, two, 1, LONGS(-1)), AGN_ESHAPE, op, "-1", "axis 0");
    NO(f(&y, odd, one, two, 1, LONGS(3)), AGN_ESHAPE, op, "[3]", "[2]");
    NO(f(&y, one, one, two, 1, LONGS(3)), AGN_EDTYPE, op, "f64", "i64");
    NO(f(&y, K, z, two, 1, LONGS(3)), AGN_EDTYPE, op, "c128", NULL);
    NO(f(&y, K, many, two, 1, LONGS(3)), AGN_ESHAPE, op, "[2,2]", "[3]");
    NO(f(&y, K, one, many, 1, LONGS(2)), AGN_ESHAPE, op, "[2,2]", "[2]");
}

static void test_common(void)
{
#define ONE(f) common_one(#f, agn_##f)
#define TWO(f) common_two(#f, agn_##f)
    ONE(random_exponential);
    ONE(random_gamma);
    ONE(random_log_gamma);
    ONE(random_bernoulli);
    TWO(random_uniform);
    TWO(random_normal);
    TWO(random_log_normal);
    TWO(random_laplace);
    TWO(random_cauchy);
    TWO(random_gumbel);
    TWO(random_beta);
    tell(&t, "real laws: NULL, keys, shapes, dtypes");
    t = (tally){0};
    NO(agn_random_bits(&y, NULL, 0, 1, LONGS(2)), AGN_ENULL, "random_bits", "NULL", NULL);
    NO(agn_random_bits(&y, odd, 0, 1, LONGS(2)), AGN_ESHAPE, "random_bits", "[3]", "[2]");
    NO(agn_random_bits(&y, one, 0, 1, LONGS(2)), AGN_EDTYPE, "random_bits", "f64", "i64");
    NO(agn_random_bits(&y, K, 0, 1, LONGS(-2)), AGN_ESHAPE, "random_bits", "-2", "axis 0");
    NO(agn_key_split(&y, NULL, 2), AGN_ENULL, "key_split", "key", NULL);
    NO(agn_key_split(&y, K, -1), AGN_EARG, "key_split", "-1", NULL);
    NO(agn_key_split(&y, odd, 2), AGN_ESHAPE, "key_split", "[3]", "[2]");
    NO(agn_key_split(&y, one, 2), AGN_EDTYPE, "key_split", "f64", "i64");
    check(&t, agn_key_split(NULL, K, 2) == AGN_ENULL, "key_split into NULL");
    check(&t, agn_random_bits(NULL, K, 0, 1, LONGS(2)) == AGN_ENULL, "random_bits into NULL");
    tell(&t, "bits and keys");
    t = (tally){0};
}

/* a value in a row of good ones: the message names the entry */
static agn_tensor *among(double bad)
{
    return of_reals(AGN_F64, 2, LONGS(2, 2), (double[]){0.5, 0.5, bad, 0.5});
}

static void test_domains(void)
{
    static const struct {
        double p;
        const char *text;
    } bad[] = {{-0.1, "-0.1"}, {1.1, "1.1"}, {(double)NAN, "nan"}};
    for (int k = 0; k < COUNT(bad); k++) { /* laws.md A10, L12 */
        agn_tensor *p = among(bad[k].p);
        NO(agn_random_bernoulli(&y, K, p, 3, LONGS(3, 2, 2)), AGN_EDOMAIN, "random_bernoulli",
           "p[1,0]", bad[k].text);
        NO(agn_random_binomial(&y, K, whole, p, AGN_I64, 2, LONGS(2, 2)), AGN_EDOMAIN,
           "random_binomial", "p[1,0]", bad[k].text);
        agn_tensor *s = scalar_of(AGN_F32, bad[k].p);
        NO(agn_random_bernoulli(&y, K, s, 0, NULL), AGN_EDOMAIN, "random_bernoulli", "p is", NULL);
        agn_release(p), agn_release(s);
    }
    agn_tensor *p = among(-1), *inf = among((double)INFINITY), *nan = among((double)NAN);
    agn_tensor *zero = among(0), *big = among(0x1p31), *huge = among(0x1p63);
    NO(agn_random_poisson(&y, K, p, AGN_I64, 2, LONGS(2, 2)), AGN_EDOMAIN, "random_poisson",
       "rate[1,0]", "-1");
    NO(agn_random_poisson(&y, K, nan, AGN_I64, 2, LONGS(2, 2)), AGN_EDOMAIN, "random_poisson",
       "rate[1,0]", "nan");
    NO(agn_random_poisson(&y, K, big, AGN_I32, 2, LONGS(2, 2)), AGN_EDOMAIN, "random_poisson",
       "rate[1,0]", "2^30");
    NO(agn_random_poisson(&y, K, huge, AGN_I64, 2, LONGS(2, 2)), AGN_EDOMAIN, "random_poisson",
       "rate[1,0]", "2^62");
    NO(agn_random_poisson(&y, K, one, AGN_F64, 1, LONGS(2)), AGN_EDTYPE, "random_poisson", "f64",
       "i32 or i64");
    NO(agn_random_poisson(&y, K, one, 77, 1, LONGS(2)), AGN_EDTYPE, "random_poisson", "77", NULL);
    const agn_tensor *none[] = {p, inf, nan, zero};
    for (int k = 0; k < COUNT(none); k++) {
        NO(agn_random_gamma(&y, K, none[k], 2, LONGS(2, 2)), AGN_EDOMAIN, "random_gamma",
           "concentration[1,0]", "2^-1000");
        NO(agn_random_log_gamma(&y, K, none[k], 2, LONGS(2, 2)), AGN_EDOMAIN, "random_log_gamma",
           "concentration[1,0]", "2^-1000");
        NO(agn_random_beta(&y, K, one, none[k], 2, LONGS(2, 2)), AGN_EDOMAIN, "random_beta",
           "concentration[1,0]", "2^-1000");
    }
    agn_tensor *low = scalar_of(AGN_I64, 3), *less = scalar_of(AGN_I64, -2), *real = scalar_of(AGN_F64, 4);
    agn_tensor *far = NULL;
    must(agn_full_i64(&far, AGN_I64, 0, NULL, (int64_t)1 << 40));
    NO(agn_random_integers(&y, K, low, low, AGN_I64, 1, LONGS(2)), AGN_EDOMAIN, "random_integers",
       "high is 3", "more than low, 3");
    NO(agn_random_integers(&y, K, low, less, AGN_I64, 1, LONGS(2)), AGN_EDOMAIN, "random_integers",
       "high is -2", "3");
    NO(agn_random_integers(&y, K, low, far, AGN_I32, 1, LONGS(2)), AGN_EDOMAIN, "random_integers",
       "1099511627776", "at most 2147483648");
    NO(agn_random_integers(&y, K, low, real, AGN_I64, 1, LONGS(2)), AGN_EDTYPE, "random_integers",
       "f64", NULL);
    NO(agn_random_integers(&y, K, low, far, AGN_F32, 1, LONGS(2)), AGN_EDTYPE, "random_integers",
       "f32", "integer dtype");
    NO(agn_random_integers(&y, K, low, far, AGN_U8, 1, LONGS(2)), AGN_EDOMAIN, "random_integers",
       "1099511627776", "at most 256");
    NO(agn_random_integers(&y, K, less, low, AGN_U8, 1, LONGS(2)), AGN_EDOMAIN, "random_integers",
       "low is -2", "of the dtype");
    NO(agn_random_integers(&y, K, NULL, far, AGN_I64, 1, LONGS(2)), AGN_ENULL, "random_integers",
       "NULL", NULL);
    NO(agn_random_integers(&y, K, three, far, AGN_I64, 1, LONGS(2)), AGN_ESHAPE, "random_integers",
       "[3]", "[2]");
    NO(agn_random_binomial(&y, K, less, one, AGN_I64, 1, LONGS(2)), AGN_EDOMAIN, "random_binomial",
       "n is -2", NULL);
    NO(agn_random_binomial(&y, K, far, one, AGN_I32, 1, LONGS(2)), AGN_EDOMAIN, "random_binomial",
       "n is 1099511627776", "2^31");
    NO(agn_random_binomial(&y, K, real, one, AGN_I64, 1, LONGS(2)), AGN_EDTYPE, "random_binomial",
       "f64", "i64");
    NO(agn_random_binomial(&y, K, NULL, one, AGN_I64, 1, LONGS(2)), AGN_ENULL, "random_binomial",
       "NULL", NULL);
    NO(agn_random_truncated_normal(&y, K, one, one, two, one, 1, LONGS(2)), AGN_EDOMAIN,
       "random_truncated_normal", "high", "not below that of low");
    NO(agn_random_truncated_normal(&y, K, one, one, less, nan, 2, LONGS(2, 2)), AGN_EDOMAIN,
       "random_truncated_normal", "deviation[1,0] is nan", NULL);
    NO(agn_random_truncated_normal(&y, K, one, one, NULL, two, 1, LONGS(2)), AGN_ENULL,
       "random_truncated_normal", "parameter 2 of 4", NULL);
    NO(agn_random_truncated_normal(&y, K, one, one, many, two, 1, LONGS(2)), AGN_ESHAPE,
       "random_truncated_normal", "[2,2]", "[2]");
    agn_release(p), agn_release(inf), agn_release(nan), agn_release(zero), agn_release(big);
    agn_release(huge), agn_release(low), agn_release(less), agn_release(real), agn_release(far);
    tell(&t, "parameters that no law has, by entry, before anything is drawn");
    t = (tally){0};
}

static void test_choice(void)
{
    agn_tensor *w = of_reals(AGN_F64, 2, LONGS(2, 3), (double[]){1, 2, 3, 0, 1, 0});
    agn_tensor *minus = of_reals(AGN_F64, 2, LONGS(2, 3), (double[]){1, 2, 3, 1, -1, 0});
    agn_tensor *none = of_reals(AGN_F64, 1, LONGS(3), (double[]){0, 0, 0});
    agn_tensor *nan = of_reals(AGN_F64, 1, LONGS(2), (double[]){1, (double)NAN});
    agn_tensor *inf = of_reals(AGN_F32, 1, LONGS(2), (double[]){1, (double)INFINITY});
    const char *op = "random_multinomial";
    check(&t, agn_random_multinomial(NULL, K, w, 1, true) == AGN_ENULL, "into NULL");
    NO(agn_random_multinomial(&y, NULL, w, 1, true), AGN_ENULL, op, "NULL", NULL);
    NO(agn_random_multinomial(&y, K, NULL, 1, true), AGN_ENULL, op, "NULL", NULL);
    NO(agn_random_multinomial(&y, K, one, 1, true), AGN_ESHAPE, op, "[]", NULL);
    NO(agn_random_multinomial(&y, K, w, -1, true), AGN_ESHAPE, op, "-1", "3");
    NO(agn_random_multinomial(&y, K, w, 4, false), AGN_ESHAPE, op, "4", "of 3, none twice");
    NO(agn_random_multinomial(&y, K, w, 2, false), AGN_EDOMAIN, op, "row 1", "1 weights are");
    NO(agn_random_multinomial(&y, K, minus, 2, true), AGN_EDOMAIN, op, "row 1: weight 1", "-1");
    NO(agn_random_multinomial(&y, K, none, 1, true), AGN_EDOMAIN, op, "row 0: 0 weights", NULL);
    NO(agn_random_multinomial(&y, K, nan, 1, true), AGN_EDOMAIN, op, "weight 1 is nan", NULL);
    NO(agn_random_multinomial(&y, K, inf, 1, true), AGN_EDOMAIN, op, "weight 1 is inf", NULL);
    NO(agn_random_multinomial(&y, K, z, 1, true), AGN_EDTYPE, op, "c128", NULL);
    NO(agn_random_multinomial(&y, odd, w, 1, true), AGN_ESHAPE, op, "[3]", "[2]");
    op = "random_permutation";
    check(&t, agn_random_permutation(NULL, K, 3) == AGN_ENULL, "into NULL");
    NO(agn_random_permutation(&y, NULL, 3), AGN_ENULL, op, "NULL", NULL);
    NO(agn_random_permutation(&y, K, -3), AGN_ESHAPE, op, "-3", NULL);
    NO(agn_random_permutation(&y, odd, 3), AGN_ESHAPE, op, "[3]", "[2]");
    NO(agn_random_permutation(&y, one, 3), AGN_EDTYPE, op, "f64", "i64");
    op = "random_shuffle";
    check(&t, agn_random_shuffle(NULL, K, w, 0) == AGN_ENULL, "into NULL");
    NO(agn_random_shuffle(&y, NULL, w, 0), AGN_ENULL, op, "key", NULL);
    NO(agn_random_shuffle(&y, K, NULL, 0), AGN_ENULL, op, "x is NULL", NULL);
    NO(agn_random_shuffle(&y, K, w, 2), AGN_EINDEX, op, "axis 2", "2 axes");
    NO(agn_random_shuffle(&y, K, one, 0), AGN_EINDEX, op, "axis 0", "0 axes");
    NO(agn_random_shuffle(&y, many, w, 0), AGN_ESHAPE, op, "[2,2]", "[2]");
    NO(agn_random_shuffle(&y, two, w, 0), AGN_ESHAPE, op, "[]", "[2]");
    agn_release(w), agn_release(minus), agn_release(none), agn_release(nan), agn_release(inf);
    tell(&t, "choice and order: weights by row and entry, counts, axes, keys");
    t = (tally){0};
}

static void test_points(void)
{
    static const struct {
        const char *op;
        agn_status (*f)(agn_tensor **, const agn_tensor *, agn_dtype, int64_t, int64_t, int64_t);
        int64_t most;
        const char *text;
    } q[] = {{"sobol", agn_sobol, 1024, "1024"}, {"halton", agn_halton, 1000, "1000"}};
    for (int k = 0; k < 2; k++) {
        const char *op = q[k].op;
        check(&t, q[k].f(NULL, K, AGN_F64, 0, 3, 2) == AGN_ENULL, "%s into NULL", op);
        NO(q[k].f(&y, K, AGN_F64, 0, 3, q[k].most + 1), AGN_EARG, op, "dimensions", q[k].text);
        NO(q[k].f(&y, K, AGN_F64, 0, 3, -1), AGN_EARG, op, "-1", "dimensions");
        NO(q[k].f(&y, K, AGN_F64, -1, 3, 2), AGN_EARG, op, "number -1", "2^53");
        NO(q[k].f(&y, K, AGN_F64, 0, -3, 2), AGN_EARG, op, "-3 points", NULL);
        NO(q[k].f(&y, K, AGN_F64, ((int64_t)1 << 53) - 1, 2, 2), AGN_EARG, op, "2 points", "2^53");
        NO(q[k].f(&y, K, AGN_F64, INT64_MAX, INT64_MAX, 2), AGN_EARG, op, "2^53", NULL);
        NO(q[k].f(&y, K, AGN_F16, 0, 3, 2), AGN_EDTYPE, op, "f16", "f32 or f64");
        NO(q[k].f(&y, odd, AGN_F64, 0, 3, 2), AGN_ESHAPE, op, "[3]", "[2]");
    }
    const char *op = "latin_hypercube";
    check(&t, agn_latin_hypercube(NULL, K, AGN_F64, 3, 2) == AGN_ENULL, "into NULL");
    NO(agn_latin_hypercube(&y, NULL, AGN_F64, 3, 2), AGN_ENULL, op, "key", NULL);
    NO(agn_latin_hypercube(&y, K, AGN_I64, 3, 2), AGN_EDTYPE, op, "i64", "f32 or f64");
    NO(agn_latin_hypercube(&y, K, AGN_F64, -3, 2), AGN_EARG, op, "-3", NULL);
    NO(agn_latin_hypercube(&y, K, AGN_F64, 3, -2), AGN_EARG, op, "-2", NULL);
    NO(agn_latin_hypercube(&y, odd, AGN_F64, 3, 2), AGN_ESHAPE, op, "[2]", NULL);
    tell(&t, "points of the cube: dimensions, numbers, dtypes, keys");
    t = (tally){0};
}

int main(void)
{
    int64_t before = 0, after = 0;
    agn_generator *g = NULL;
    must(agn_generator_new(&g, 1));
    agn_memory_live(NULL, &before, NULL);
    must(agn_key(&K, g));
    one = scalar_of(AGN_F64, 1), two = scalar_of(AGN_F64, 2), z = scalar_of(AGN_C128, 1);
    whole = scalar_of(AGN_I64, 5);
    many = of_reals(AGN_F64, 2, LONGS(2, 2), (double[]){1, 1, 1, 1});
    odd = of_reals(AGN_I64, 1, LONGS(3), (double[]){1, 2, 3});
    three = of_reals(AGN_I64, 1, LONGS(3), (double[]){1, 2, 3});
    test_common();
    test_domains();
    test_choice();
    test_points();
    agn_release(K), agn_release(one), agn_release(two), agn_release(z), agn_release(whole);
    agn_release(many), agn_release(odd), agn_release(three);
    agn_memory_live(NULL, &after, NULL);
    is_int(after, before, "no failure leaks");
    agn_generator_release(g);
    return done();
}
