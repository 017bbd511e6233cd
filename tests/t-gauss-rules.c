/* tests/t-gauss-rules.c - nodes and weights of Gauss' rules: values of mpmath (tests/data/make-gauss-rules.py), moments that are known,
   many nodes, roots of our polynomials, what is refused, allocations that fail; Stirling numbers. */
#include "laws.h"

typedef struct truth {
    int kind, n;
    double a, b;
    int i;
    double node, weight;
} truth;
static const truth table[] = {
#include "data/gauss-rules.inc"
};

static agn_status make_rule(agn_tensor **r, int kind, int n, double a, double b)
{
    return kind == 0   ? agn_roots_jacobi(r, n, a, b)
           : kind == 1 ? agn_roots_laguerre(r, n, a)
                       : agn_roots_hermite(r, n);
}
static void test_values(void)
{
    tally t = {0, 0};
    double worst[2] = {0, 0};
    for (int k = 0; k < COUNT(table); k++) {
        const truth *p = &table[k];
        agn_tensor *r[2];
        must(make_rule(r, p->kind, p->n, p->a, p->b));
        double most = fmax(fabs(peek(r[0], 0)), fabs(peek(r[0], p->n - 1)));
        double e = fabs(peek(r[0], p->i) - p->node) / most,
               f = fabs(peek(r[1], p->i) / p->weight - 1);
        check(&t, e < 1e-14 && f < 1e-11, "kind %d, n %d, node %d: off by %.2g, %.2g", p->kind,
              p->n, p->i, e, f);
        worst[0] = fmax(worst[0], e), worst[1] = fmax(worst[1], f);
        agn_release(r[0]);
        agn_release(r[1]);
    }
    diag("nodes %.2g, weights %.2g", worst[0], worst[1]);
    tell(&t, "nodes and weights of mpmath");
}
/* sums of weights times x^2, whose integral is the recurrence's: 2/3; gamma(a + 3); sqrt(pi) / 2 */
static void test_moments(void)
{
    static const int sizes[] = {2, 3, 7, 64, 501, 2000};
    tally t = {0, 0};
    for (int kind = 0; kind < 3; kind++)
        for (int k = 0; k < COUNT(sizes); k++) {
            int n = sizes[k];
            agn_tensor *r[2];
            must(make_rule(r, kind, n, kind == 1 ? 0.5 : 0, 0));
            double sum = 0, before = -(double)INFINITY;
            for (int i = 0; i < n; i++) {
                double x = peek(r[0], i), w = peek(r[1], i);
                sum += w * x * x;
                check(&t, x > before && w >= 0, "kind %d, n %d: node %d", kind, n, i);
                before = x;
            }
            double want = kind == 0 ? 2.0 / 3 : kind == 1 ? tgamma(3.5) : sqrt(M_PI) / 2;
            check(&t, fabs(sum / want - 1) < 1e-12,
                  "kind %d, n %d: the second moment is off by %.2g", kind, n, sum / want - 1);
            agn_release(r[0]);
            agn_release(r[1]);
        }
    tell(&t, "second moments");
    agn_tensor *r[2], *y = NULL;
    must(agn_roots_jacobi(r, 40, 0.5, 1.25));
    must(agn_jacobi(&y, r[0], 40, 0.5, 1.25));
    double most = 0;
    for (int i = 0; i < 40; i++)
        most = fmax(most, fabs(peek(y, i)));
    ok(most < 1e-13 * 40, "roots of agn_jacobi: %.2g", most);
    agn_release(y);
    agn_release(r[0]);
    agn_release(r[1]);
    must(agn_roots_jacobi(r, 1, 0, 0));
    ok(peek(r[0], 0) == 0 && fabs(peek(r[1], 0) - 2) < 1e-15, "one node");
    agn_release(r[0]);
    agn_release(r[1]);
}
static bool is_refused(agn_status st, agn_status want, const char *name, const char *what)
{
    return st == want && strstr(agn_error_message(), name) && strstr(agn_error_message(), what);
}
static void test_refusals(void)
{
    agn_tensor *r[2] = {NULL, NULL};
    double v = 7;
    ok(is_refused(agn_roots_jacobi(NULL, 3, 0, 0), AGN_ENULL, "roots_jacobi", "out") &&
           is_refused(agn_roots_jacobi(r, 0, 0, 0), AGN_EARG, "roots_jacobi", "n = 0") &&
           is_refused(agn_roots_jacobi(r, 3, -1, 0), AGN_EARG, "roots_jacobi", "-1") &&
           is_refused(agn_roots_jacobi(r, 3, 0, (double)NAN), AGN_EARG, "roots_jacobi",
                      "exponents"),
       "roots_jacobi refuses");
    ok(is_refused(agn_roots_laguerre(NULL, 3, 0), AGN_ENULL, "roots_laguerre", "out") &&
           is_refused(agn_roots_laguerre(r, 3, 101), AGN_EARG, "roots_laguerre", "101") &&
           is_refused(agn_roots_hermite(NULL, 3), AGN_ENULL, "roots_hermite", "out") &&
           is_refused(agn_roots_hermite(r, 2001), AGN_EARG, "roots_hermite", "n = 2001") && !r[0] &&
           !r[1],
       "roots_laguerre and roots_hermite refuse");
    ok(is_refused(agn_stirling2(NULL, 3, 2), AGN_ENULL, "stirling2", "out") &&
           is_refused(agn_stirling2(&v, 201, 2), AGN_EARG, "stirling2", "n = 201") &&
           is_refused(agn_stirling2(&v, -1, 2), AGN_EARG, "stirling2", "n = -1") &&
           is_refused(agn_stirling2(&v, 3, -1), AGN_EARG, "stirling2", "k = -1") && v == 7,
       "stirling2 refuses");
    tally t = {0, 0};
    agn_status st = AGN_ENOMEM;
    for (int64_t n = 0; st == AGN_ENOMEM && n < 50; n++) {
        agn_memory_fail_after(n);
        st = agn_roots_jacobi(r, 5, 0, 0);
        agn_memory_fail_after(-1);
        check(&t, st == AGN_OK || (st == AGN_ENOMEM && !r[0] && !r[1]), "allocation %d: status %d",
              (int)n, (int)st);
        check(&t, n > 0 || st == AGN_ENOMEM, "it allocates");
    }
    check(&t, st == AGN_OK, "it ends well");
    agn_release(r[0]);
    agn_release(r[1]);
    tell(&t, "allocations that fail");
}
/* S(n, 2) = 2^(n - 1) - 1, S(n, n - 1) = n (n - 1) / 2, S(100, 30) by the sum of (-1)^j C(k, j) (k - j)^n / k! at 60 digits */
static void test_stirling(void)
{
    double v;
    tally t = {0, 0};
    for (int n = 1; n <= 200; n++) {
        must(agn_stirling2(&v, n, 2));
        check(&t, fabs(v - (exp2(n - 1) - 1)) <= 1e-15 * v, "S(%d, 2) = %.17g", n, v);
        must(agn_stirling2(&v, n, n - 1));
        check(&t, v == n * (n - 1) / 2, "S(%d, n - 1) = %.17g", n, v);
        must(agn_stirling2(&v, n, n));
        check(&t, v == 1, "S(%d, n) = %.17g", n, v);
    }
    must(agn_stirling2(&v, 0, 0));
    check(&t, v == 1, "S(0, 0)");
    must(agn_stirling2(&v, 5, 0));
    check(&t, v == 0, "S(5, 0)");
    must(agn_stirling2(&v, 5, 9));
    check(&t, v == 0, "S(5, 9)");
    must(agn_stirling2(&v, 100, 30));
    check(&t, fabs(v / 6.506288053843861998e+114 - 1) < 2e-16, "S(100, 30) = %.17g", v);
    tell(&t, "Stirling numbers");
}

int main(void)
{
    test_refusals();
    test_values();
    test_moments();
    test_stirling();
    return done();
}
