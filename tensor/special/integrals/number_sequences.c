/* tensor/special/integrals/number_sequences.c - Bernoulli and Euler numbers by values of zeta and
   beta functions at whole numbers (DLMF 25.6.2, 24.8(i)), Stirling's of the second kind by their
   recurrence (26.8.22). */
#include "tensor/special/special.h"

#include "tensor/cpu/special/double_double.h"
#include <agnesi/integrals.h>
#include <math.h>

/* beyond, numbers leave the range of double */
enum { MOST_BERNOULLI = 258, MOST_EULER = 186, MOST_STIRLING = 200 };

/* n! / p^n 2, p in two parts */
static agni_pair factorial_over(int n, agni_pair p)
{
    agni_pair v = {2, 0};
    for (int k = 1; k <= n; k++)
        v = agni_pair_mul(v, agni_pair_div(agni_pair_of(k), p));
    return v;
}
/* sum of (j + 1)^-s, or of (-1)^j (2 j + 1)^-s, for s above 14: 60 terms leave less than 1e-23 */
static double sum_powers(int s, bool alternate)
{
    double sum = 0;
    for (int j = 60; j >= 0; j--) {
        double a = alternate ? 2 * j + 1 : j + 1, term = pow(a, -s);
        sum += alternate && j % 2 ? -term : term;
    }
    return sum;
}

agn_status agn_bernoulli(double *out, int32_t n)
{
    static const double small[] = {1,         -0.5, 1.0 / 6,  0, -1.0 / 30,     0, 1.0 / 42, 0,
                                   -1.0 / 30, 0,    5.0 / 66, 0, -691.0 / 2730, 0, 7.0 / 6};
    const agni_pair turn = {0x1.921fb54442d18p+2, 0x1.1a62633145c07p-52};
    AGNI_NEED("bernoulli", out);
    if (n < 0 || n > MOST_BERNOULLI)
        return agni_fail(AGN_EARG, "bernoulli: n = %d is not in 0 to %d", (int)n, MOST_BERNOULLI);
    if (n < (int32_t)(sizeof small / sizeof *small))
        *out = small[n];
    else if (n % 2)
        *out = 0;
    else
        *out = (n / 2 % 2 ? 1 : -1) *
               agni_pair_times(factorial_over(n, turn), sum_powers(n, false)).hi;
    return AGN_OK;
}

agn_status agn_euler_number(double *out, int32_t n)
{
    static const double small[] = {1, -1, 5, -61, 1385, -50521, 2702765, -199360981};
    const agni_pair quarter = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
    AGNI_NEED("euler_number", out);
    if (n < 0 || n > MOST_EULER)
        return agni_fail(AGN_EARG, "euler_number: n = %d is not in 0 to %d", (int)n, MOST_EULER);
    if (n % 2) {
        *out = 0;
    } else if (n / 2 < (int32_t)(sizeof small / sizeof *small)) {
        *out = small[n / 2];
    } else { /* 2 n! (2 / pi)^(n + 1) sum of (-1)^j (2 j + 1)^-(n + 1) */
        agni_pair v = agni_pair_div(factorial_over(n, quarter), quarter);
        *out = (n / 2 % 2 ? -1 : 1) * agni_pair_times(v, sum_powers(n + 1, true)).hi;
    }
    return AGN_OK;
}

agn_status agn_stirling2(double *out, int32_t n, int32_t k)
{
    AGNI_NEED("stirling2", out);
    if (n < 0 || n > MOST_STIRLING)
        return agni_fail(AGN_EARG, "stirling2: n = %d is not in 0 to %d", (int)n, MOST_STIRLING);
    if (k < 0)
        return agni_fail(AGN_EARG, "stirling2: k = %d is below 0", (int)k);
    agni_pair row[MOST_STIRLING + 1] = {{1, 0}}; /* of n = 0, then of one more */
    for (int m = 1; m <= n; m++) {
        for (int j = m; j >= 1; j--)
            row[j] = agni_pair_add(agni_pair_times(row[j], j), row[j - 1]);
        row[0] = agni_pair_of(0);
    }
    *out = k > n ? 0 : row[k].hi;
    return AGN_OK;
}
