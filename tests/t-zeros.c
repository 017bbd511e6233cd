/* tests/t-zeros.c - a plan gives a zero the sign that running op by op gives it: in results, and
   where another op makes a different number of it (a branch cut, 1 / x). */
#include "laws.h"

enum { ROWS = 3, COLS = 4, INPUTS = 3 };
typedef const agn_tensor *T;
static const int64_t both[] = {ROWS, COLS};

/* Each step is exact on the numbers that occur, so that plans, which add in another order, may
   differ in the sign of a zero alone. */
static T step(agn_scope *s, T a, T b)
{
    static const double zeros[] = {0, -0.0}, factors[] = {1, -1, 2, -2, 0.5, -0.5, 0, -0.0};
    int32_t axis = (int32_t)rnd_below(2);
    switch (rnd_below(18)) {
    case 0: return ag_add(s, a, b);
    case 1: return ag_sub(s, a, b);
    case 2: return ag_mul(s, a, b);
    case 3: return ag_neg(s, a);
    case 4: return ag_add_c(s, a, zeros[rnd_below(2)]);
    case 5: return ag_sub_c(s, a, zeros[rnd_below(2)]);
    case 6: return ag_sub(s, ag_lit(s, zeros[rnd_below(2)]), a);
    case 7:
    case 8: return ag_mul_c(s, a, factors[rnd_below(8)]);
    case 9: return ag_div_c(s, a, factors[rnd_below(4)]);
    case 10: return ag_broadcast_to(s, ag_sum(s, a, &axis, 1, true), 2, both);
    case 11: return ag_broadcast_to(s, ag_sum(s, ag_mul_c(s, a, factors[rnd_below(6)]), NULL, 0, false),
                                    2, both);
    case 12: return ag_matmul(s, ag_matmul(s, a, ag_transpose(s, b)), b);
    case 13: return ag_mul(s, ag_index_str(s, a, "0:1"), ag_index_str(s, b, ":, 1:2"));
    case 14: return ag_mul_c(s, ag_floor(s, ag_tanh(s, a)), factors[rnd_below(8)]); /* bounded */
    case 15: return ag_matmul(s, ag_index_str(s, a, ":, 1:2"), ag_index_str(s, b, "0:1"));
    case 16: return ag_neg(s, ag_sub(s, a, b));
    default: return ag_where(s, ag_lt(s, a, b), a, ag_abs(s, b));
    }
}

/* what tells 0 from -0, or hands it out */
static T look(agn_scope *s, T a, T b, int64_t how)
{
    switch (how) {
    case 0: return a;
    case 1: return ag_reciprocal(s, a);
    case 2: return ag_atan2(s, a, ag_sub_c(s, b, 3));
    case 3: return ag_imag(s, ag_log(s, ag_complex(s, ag_sub_c(s, b, 3), a)));
    case 4: return ag_imag(s, ag_sqrt(s, ag_complex(s, ag_sub_c(s, ag_abs(s, b), 3), a)));
    case 5: return ag_copysign(s, ag_add_c(s, b, 1), a);
    case 6: return ag_cast(s, ag_signbit(s, a), AGN_F64);
    default: return ag_sum(s, ag_reciprocal(s, a), NULL, 0, false);
    }
}

typedef struct recipe {
    uint64_t seed;
    int steps;
} recipe;

static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const recipe *r = user;
    T v[INPUTS + 8];
    int n = 0;
    law_seed = r->seed;
    for (; n < INPUTS; n++)
        v[n] = in[n];
    for (int k = 0; k < r->steps; k++, n++) {
        T a = v[rnd_below(n)], b = v[n - 1 - rnd_below(2)];
        v[n] = rnd_below(2) ? step(s, a, b) : step(s, b, a);
    }
    for (int i = 0; i < 2; i++)
        out[i] = look(s, v[n - 1 - i], v[rnd_below(n)], rnd_below(8));
    return AGN_OK;
}

static bool same(double a, double b)
{
    return isnan(a) ? isnan(b)
                    : (a == 0 ? b == 0 && signbit(a) == signbit(b)
                              : a == b || fabs(a - b) <= 1e-14 * fabs(a));
}

static void test_programs(void)
{
    tally t = {0};
    int trials = tap_scale(3000), zeros = 0, negative = 0;
    for (int k = 0; k < trials; k++) {
        recipe r = {.steps = 1 + (int)rnd_below(6)};
        agn_tensor *x[INPUTS], *y[2] = {NULL}, *z[2] = {NULL};
        static const double from[] = {0, -0.0, 1, -1, 2, 0, -0.0};
        for (int i = 0; i < INPUTS; i++) {
            double v[ROWS * COLS];
            for (int j = 0; j < ROWS * COLS; j++)
                v[j] = from[rnd_below(7)];
            must(agn_from_host(&x[i], AGN_F64, 2, both, v));
        }
        uint64_t next = rnd();
        r.seed = rnd();
        agn_fn *f = NULL, *plan = NULL;
        must(agn_fn_new(&f, body, &r, NULL, INPUTS, 2));
        must(agn_fn_compile(&plan, f, NULL));
        must(agn_fn_call(y, 2, f, (T const *)x, INPUTS));
        must(agn_fn_call(z, 2, plan, (T const *)x, INPUTS));
        for (int i = 0; i < 2; i++) {
            bool good = same_shapes(y[i], z[i]);
            for (int64_t j = 0; good && j < agn_numel(y[i]); j++) {
                double a = peek(y[i], j), b = peek(z[i], j);
                good = same(a, b);
                zeros += a == 0, negative += a == 0 && signbit(a);
                if (!good)
                    diag("result %d, element %d: %g, planned %g", i, (int)j, a, b);
            }
            check(&t, good, "program %d of seed %llu, %d steps", k, (unsigned long long)r.seed, r.steps);
        }
        law_seed = next;
        agn_fn_release(f), agn_fn_release(plan);
        for (int i = 0; i < INPUTS; i++)
            agn_release(x[i]);
        for (int i = 0; i < 2; i++)
            agn_release(y[i]), agn_release(z[i]);
    }
    diag("%d zeros, %d of them negative", zeros, negative);
    check(&t, negative > zeros / 10, "few negative zeros");
    tell(&t, "%d programs: zeros with the same sign", trials);
}

/* of zeros alone, however many and wherever they lie */
static void test_sums(void)
{
    tally t = {0};
    for (int64_t n = 1; n <= 70; n++)
        for (int64_t m = 1; m <= 5; m++)
            for (int d = AGN_F32; d <= AGN_F64; d++) {
                agn_tensor *x = NULL, *y[3] = {NULL};
                must(agn_full(&x, d, 2, (int64_t[]){n, m}, -0.0));
                must(agn_sum(&y[0], x, (int32_t[]){0}, 1, false));
                must(agn_sum(&y[1], x, (int32_t[]){1}, 1, false));
                must(agn_sum(&y[2], x, NULL, 0, false));
                check(&t, signbit(peek(y[0], 0)) == (n == 1) && signbit(peek(y[1], 0)) == (m == 1) &&
                              signbit(peek(y[2], 0)) == (n * m == 1), "[%d,%d]", (int)n, (int)m);
                agn_release(x), agn_release(y[0]), agn_release(y[1]), agn_release(y[2]);
            }
    tell(&t, "a sum of more than one zero is 0, not -0");
}

int main(void)
{
    test_programs();
    test_sums();
    return done();
}
