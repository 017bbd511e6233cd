/* tensor/special/hypergeometric/wigner_6j.c - Wigner's 6j symbols by their recurrence in j1 from
   both ends (Schulten and Gordon, J. Math. Phys. 16, 1975), and 9j symbols as sums of products of
   three (DLMF 34.6.2). */
#include "tensor/special/hypergeometric/values.h"

#include "tensor/special/special.h"

#include <agnesi/hypergeometric.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { MOST_TWICE = 2000 };

static bool is_triad(int a, int b, int c)
{
    return (a + b + c) % 2 == 0 && c <= a + b && c >= abs(a - b);
}
/* the first coefficient of Schulten and Gordon's (of f(j + 1) and f(j - 1)) */
static double side_of(double j, const double *b)
{
    double d = b[0] - b[1], s = b[0] + b[1] + 1, e = b[3] - b[4], t = b[3] + b[4] + 1;
    return sqrt((j * j - d * d) * (s * s - j * j) * (j * j - e * e) * (t * t - j * j));
}
static double middle_of(double j, const double *b)
{
    double p = j * (j + 1), q = b[0] * (b[0] + 1), r = b[1] * (b[1] + 1), l1 = b[2] * (b[2] + 1),
           l2 = b[3] * (b[3] + 1), l3 = b[4] * (b[4] + 1);
    return (2 * j + 1) * (p * (-p + q + r) + l2 * (p + q - r) + l3 * (p - q + r) - 2 * p * l1);
}
static void scale_down(double *f, int from, int to)
{
    for (int i = from; i < to; i++)
        f[i] *= 1e-250;
}

/* f of j1 = low / 2, low / 2 + 1, ... by both ends; up and down: n numbers each */
static void run_ends(double *up, double *down, int low, int n, const double *b)
{
    up[0] = down[n - 1] = 1;
    for (int k = 0; k + 1 < n; k++) {
        double j = low / 2.0 + k;
        if (j == 0) /* there the recurrence says nothing; j2 = j3 and l2 = l3 */
            up[1] = -(b[0] * (b[0] + 1) + b[3] * (b[3] + 1) - b[2] * (b[2] + 1)) /
                    (2 * sqrt(b[0] * (b[0] + 1) * b[3] * (b[3] + 1)));
        else
            up[k + 1] = -(middle_of(j, b) * up[k] + (k ? (j + 1) * side_of(j, b) * up[k - 1] : 0)) /
                        (j * side_of(j + 1, b));
        if (fabs(up[k + 1]) > 1e250)
            scale_down(up, 0, k + 2);
    }
    for (int k = n - 1; k > 0; k--) {
        double j = low / 2.0 + k, more = k + 1 < n ? j * side_of(j + 1, b) * down[k + 1] : 0;
        down[k - 1] = -(middle_of(j, b) * down[k] + more) / ((j + 1) * side_of(j, b));
        if (fabs(down[k - 1]) > 1e250)
            scale_down(down, k - 1, n);
    }
}
/* where both are right: each is as long as it does not decrease */
static int find_joint(const double *up, const double *down, int n)
{
    double most_up = 0, most_down = 0, size = -1;
    int to = 0, from = n - 1, best = 0;
    for (int k = 0; k < n && fabs(up[k]) >= 1e-3 * most_up; k++)
        if (fabs(up[k]) > most_up)
            most_up = fabs(up[k]), to = k;
    for (int k = n - 1; k >= 0 && fabs(down[k]) >= 1e-3 * most_down; k--)
        if (fabs(down[k]) > most_down)
            most_down = fabs(down[k]), from = k;
    int join = from <= to ? (from + to) / 2 : to;
    for (int k = join > 1 ? join - 1 : 0; k < n && k <= join + 1; k++)
        if (fabs(up[k]) / most_up * fabs(down[k]) / most_down > size)
            size = fabs(up[k]) / most_up * fabs(down[k]) / most_down, best = k;
    return best;
}

/* twice j1, j2, j3, l1, l2, l3; work: room for two rows of MOST_TWICE + 1 */
static double wigner_6j(const int *j, double *work)
{
    if (!is_triad(j[0], j[1], j[2]) || !is_triad(j[0], j[4], j[5]) || !is_triad(j[3], j[1], j[5]) ||
        !is_triad(j[3], j[4], j[2]))
        return 0;
    int low = abs(j[1] - j[2]) > abs(j[4] - j[5]) ? abs(j[1] - j[2]) : abs(j[4] - j[5]);
    int high = j[1] + j[2] < j[4] + j[5] ? j[1] + j[2] : j[4] + j[5], n = (high - low) / 2 + 1,
        want = (j[0] - low) / 2;
    double b[5] = {j[1] / 2.0, j[2] / 2.0, j[3] / 2.0, j[4] / 2.0, j[5] / 2.0}, *up = work,
           *down = work + MOST_TWICE + 1, norm = 0;
    run_ends(up, down, low, n, b);
    int best = find_joint(up, down, n);
    double by = down[best] / up[best];
    for (int k = 0; k < n; k++) {
        double v = k <= best ? up[k] * by : down[k];
        norm += (low + 2.0 * k + 1) * v * v;
    }
    double side = ((j[1] + j[2] + j[4] + j[5]) / 2) % 2
                      ? -1
                      : 1; /* of the largest j1, where down is 1 */
    return side * (want <= best ? up[want] * by : down[want]) / sqrt(norm * (j[3] + 1));
}

static agn_status check_twice(const char *name, const int32_t *j, int n)
{
    for (int k = 0; k < n; k++)
        if (j[k] < 0 || j[k] > MOST_TWICE)
            return agni_fail(AGN_EARG, "%s: two_j[%d] = %d is not in 0 to %d", name, k, (int)j[k],
                             MOST_TWICE);
    return AGN_OK;
}
agn_status agn_wigner_6j(double *out, const int32_t two_j[6])
{
    AGNI_NEED("wigner_6j", out);
    AGNI_NEED("wigner_6j", two_j);
    agn_status st = check_twice("wigner_6j", two_j, 6);
    if (st)
        return st;
    double *work = agni_alloc(2 * (MOST_TWICE + 1) * sizeof *work);
    if (!work)
        return agni_fail(AGN_ENOMEM, "wigner_6j: no memory");
    *out = wigner_6j(two_j, work);
    agni_free(work);
    return AGN_OK;
}
agn_status agn_wigner_9j(double *out, const int32_t two_j[9])
{
    AGNI_NEED("wigner_9j", out);
    AGNI_NEED("wigner_9j", two_j);
    const int32_t *j = two_j;
    agn_status st = check_twice("wigner_9j", j, 9);
    if (st)
        return st;
    double *work = agni_alloc(2 * (MOST_TWICE + 1) * sizeof *work), sum = 0;
    if (!work)
        return agni_fail(AGN_ENOMEM, "wigner_9j: no memory");
    bool there = true;
    for (int k = 0; k < 3; k++)
        there = there && is_triad(j[3 * k], j[3 * k + 1], j[3 * k + 2]) &&
                is_triad(j[k], j[k + 3], j[k + 6]);
    /* sum over x of (-1)^2x (2 x + 1) {a b c; f i x} {d e f; b x h} {g h i; x a d} */
    for (int x = 0; there && x <= 2 * MOST_TWICE; x++) {
        if (!is_triad(j[0], j[8], x) || !is_triad(j[3], j[7], x) || !is_triad(j[1], j[5], x))
            continue;
        const int p[6] = {x, j[0], j[8], j[2], j[5], j[1]},
                  q[6] = {x, j[3], j[7], j[4], j[1], j[5]},
                  r[6] = {x, j[3], j[7], j[6], j[8], j[0]};
        sum += (x % 2 ? -1 : 1) * (x + 1.0) * wigner_6j(p, work) * wigner_6j(q, work) *
               wigner_6j(r, work);
    }
    *out = there ? sum : 0;
    agni_free(work);
    return AGN_OK;
}
