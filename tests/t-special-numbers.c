/* tests/t-special-numbers.c - numbers of whole numbers: 6j and 9j symbols, zeros of Bessel functions, Bernoulli and Euler numbers
   against Racah's sum and mpmath (tests/data/make-special-numbers.py), sum rules, what is refused, allocations that fail. */
#include "laws.h"

typedef struct truth {
    const char *name;
    int32_t k[9];
    double value;
} truth;
static const truth table[] = {
#include "data/special-numbers.inc"
};

static double number_of(const char *name, const int32_t *k)
{
    double v = -9;
    if (!strcmp(name, "wigner_6j")) {
        must(agn_wigner_6j(&v, k));
    } else if (!strcmp(name, "wigner_9j")) {
        must(agn_wigner_9j(&v, k));
    } else if (!strcmp(name, "bernoulli")) {
        must(agn_bernoulli(&v, k[0]));
    } else if (!strcmp(name, "euler_number")) {
        must(agn_euler_number(&v, k[0]));
    } else {
        agn_tensor *z = NULL;
        must(agn_bessel_zeros(&z, k[0], k[1], k[2]));
        v = peek(z, k[2] - 1);
        agn_release(z);
    }
    return v;
}
static void test_values(void)
{
    for (int k = 0; k < COUNT(table);) {
        tally t = {0, 0};
        double worst = 0;
        const char *name = table[k].name;
        for (; k < COUNT(table) && !strcmp(table[k].name, name); k++) {
            const truth *p = &table[k];
            double v = number_of(name, p->k), symbol = *name == 'w' ? 1 : 0;
            double e = fabs(v - p->value) / (symbol > 0      ? fmax(fabs(p->value), 1e-2)
                                             : p->value == 0 ? 1
                                                             : fabs(p->value));
            check(&t, e < (symbol > 0 ? 1e-13 : 5e-15),
                  "%s(%d, %d, %d, ...) = %.17g, not %.17g: %.2g", name, (int)p->k[0], (int)p->k[1],
                  (int)p->k[2], v, p->value, e);
            worst = fmax(worst, e);
        }
        diag("%s: %.2g", name, worst);
        tell(&t, "%s: values of an independent source", name);
    }
}

/* sum over x of (2 x + 1) (2 l + 1) {a b x; c d l} {a b x; c d m} is 1 for l = m, else 0, of large arguments as well */
static void test_orthogonal_6j(void)
{
    static const int32_t sets[][4] = {{3, 4, 5, 6}, {40, 31, 22, 37}, {400, 300, 250, 340}};
    tally t = {0, 0};
    for (int n = 0; n < COUNT(sets); n++) {
        const int32_t *s = sets[n];
        int32_t from = s[0] + s[3] < s[1] + s[2] ? s[0] + s[3] : s[1] + s[2];
        for (int32_t l = from; l >= from - 4 && l >= 0; l -= 2)
            for (int32_t m = from; m >= from - 4 && m >= 0; m -= 2) {
                double sum = 0;
                for (int32_t x = 0; x <= s[0] + s[1]; x++) {
                    double u = number_of("wigner_6j",
                                         (const int32_t[]){s[0], s[1], x, s[2], s[3], l});
                    sum += (x + 1.0) * (l + 1.0) * u *
                           number_of("wigner_6j", (const int32_t[]){s[0], s[1], x, s[2], s[3], m});
                }
                check(&t, fabs(sum - (l == m)) < 1e-11, "set %d, l %d, m %d: %.17g", n, (int)l,
                      (int)m, sum);
            }
    }
    tell(&t, "6j symbols are orthogonal");
}
static void test_order_of_zeros(void)
{
    tally t = {0, 0};
    agn_tensor *z[4] = {NULL};
    for (int kind = 0; kind < 4; kind++)
        must(agn_bessel_zeros(&z[kind], 2.75, kind, 50));
    for (int k = 0; k < 50; k++) { /* j' < y < y' < j < next j' (DLMF 10.21.3) */
        check(&t,
              peek(z[2], k) < peek(z[1], k) && peek(z[1], k) < peek(z[3], k) &&
                  peek(z[3], k) < peek(z[0], k),
              "zeros %d", k);
        check(&t, k == 0 || peek(z[0], k - 1) < peek(z[2], k), "zeros %d and before", k);
    }
    for (int kind = 0; kind < 4; kind++)
        agn_release(z[kind]);
    tell(&t, "zeros interlace");
    must(agn_bessel_zeros(&z[0], 0.5, 0, 3)); /* of sin(x) */
    ok(fabs(peek(z[0], 0) - M_PI) < 1e-15 * 4 && fabs(peek(z[0], 2) - 3 * M_PI) < 1e-15 * 16,
       "zeros of order 1/2");
    agn_release(z[0]);
}
static bool is_refused(agn_status st, agn_status want, const char *name, const char *what)
{
    return st == want && strstr(agn_error_message(), name) && strstr(agn_error_message(), what);
}
static void test_refusals(void)
{
    double v = 7;
    agn_tensor *z = NULL;
    const int32_t six[6] = {1, 1, 2001, 1, 1, 0}, nine[9] = {0, 0, 0, 0, -1, 0, 0, 0, 0},
                  none[6] = {2, 2, 1, 2, 2, 2}, far[9] = {2, 2, 8};
    ok(is_refused(agn_wigner_6j(NULL, six), AGN_ENULL, "wigner_6j", "out") &&
           is_refused(agn_wigner_6j(&v, NULL), AGN_ENULL, "wigner_6j", "two_j") &&
           is_refused(agn_wigner_6j(&v, six), AGN_EARG, "wigner_6j", "two_j[2] = 2001") && v == 7,
       "wigner_6j refuses");
    ok(is_refused(agn_wigner_9j(NULL, nine), AGN_ENULL, "wigner_9j", "out") &&
           is_refused(agn_wigner_9j(&v, NULL), AGN_ENULL, "wigner_9j", "two_j") &&
           is_refused(agn_wigner_9j(&v, nine), AGN_EARG, "wigner_9j", "two_j[4] = -1") && v == 7,
       "wigner_9j refuses");
    ok(!agn_wigner_6j(&v, none) && v == 0 && !agn_wigner_9j(&v, far) && v == 0, "selection rules");
    ok(is_refused(agn_bessel_zeros(NULL, 1, 0, 1), AGN_ENULL, "bessel_zeros", "out") &&
           is_refused(agn_bessel_zeros(&z, -1, 0, 1), AGN_EARG, "bessel_zeros", "nu = -1") &&
           is_refused(agn_bessel_zeros(&z, (double)NAN, 0, 1), AGN_EARG, "bessel_zeros", "nu") &&
           is_refused(agn_bessel_zeros(&z, 1, 4, 1), AGN_EARG, "bessel_zeros", "kind = 4") &&
           is_refused(agn_bessel_zeros(&z, 1, 0, 0), AGN_EARG, "bessel_zeros", "n = 0") && !z,
       "bessel_zeros refuses");
    ok(is_refused(agn_bernoulli(NULL, 2), AGN_ENULL, "bernoulli", "out") &&
           is_refused(agn_bernoulli(&v, 259), AGN_EARG, "bernoulli", "n = 259") &&
           is_refused(agn_euler_number(NULL, 2), AGN_ENULL, "euler_number", "out") &&
           is_refused(agn_euler_number(&v, -1), AGN_EARG, "euler_number", "n = -1"),
       "numbers of sequences refuse");
}

/* every allocation fails in turn, and nothing is written then */
static void test_memory(void)
{
    static const int32_t j[9] = {2, 4, 4, 4, 4, 4, 4, 4, 4};
    tally t = {0, 0};
    for (int what = 0; what < 3; what++) {
        agn_status st = AGN_ENOMEM;
        for (int64_t n = 0; st == AGN_ENOMEM && n < 50; n++) {
            double v = 7;
            agn_tensor *z = NULL;
            agn_memory_fail_after(n);
            st = what == 0   ? agn_wigner_6j(&v, j)
                 : what == 1 ? agn_wigner_9j(&v, j)
                             : agn_bessel_zeros(&z, 2.5, 1, 3);
            agn_memory_fail_after(-1);
            check(&t, st == AGN_OK || (st == AGN_ENOMEM && v == 7 && !z),
                  "function %d, allocation %d: status %d", what, (int)n, (int)st);
            check(&t, n > 0 || st == AGN_ENOMEM, "function %d allocates", what);
            agn_release(z);
        }
        check(&t, st == AGN_OK, "function %d ends well", what);
    }
    tell(&t, "allocations that fail");
}

int main(void)
{
    test_memory();
    test_values();
    test_orthogonal_6j();
    test_order_of_zeros();
    test_refusals();
    return done();
}
