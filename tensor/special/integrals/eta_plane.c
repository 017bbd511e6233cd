/* tensor/special/integrals/eta_plane.c - Dirichlet's eta function of a complex argument and its
   derivatives: the alternating series with weights of a Chebyshev polynomial (Borwein, An efficient
   algorithm for the Riemann zeta function, 2000, algorithm 2), each term differentiated. */
#include "tensor/special/integrals/values.h"

#include <math.h>

enum { MOST_TERMS = 340 };

void agni_eta_plane(double x, double y, int k, double out[2])
{
    double term[MOST_TERMS + 1], rest = 0;
    out[0] = out[1] = (double)NAN;
    if (!(x >= 0) || !(fabs(y) <= 300))
        return;
    /* (3 + sqrt 8)^-n exp(pi |y| / 2) is what is left out */
    int n = 26 + 2 * k + (int)(0.9 * fabs(y));
    if (n > MOST_TERMS)
        return;
    term[0] = 1;
    double total = 1;
    for (int i = 0; i < n; i++) {
        term[i + 1] = term[i] * 4 * ((double)n + i) * (n - i) / ((2.0 * i + 1) * (2 * i + 2));
        total += term[i + 1];
    }
    double re = 0, im = 0;
    for (int j = n - 1; j >= 0; j--) {
        rest += term[j + 1];
        double weight = rest / total, l = log(j + 1.0), p = y * l, size = exp(-x * l) * weight;
        for (int i = 0; i < k; i++)
            size *= -l;
        if (j & 1)
            size = -size;
        double low = fma(y, l, -p), c = cos(p), s = sin(p);
        re += size * (c - s * low), im -= size * (s + c * low);
    }
    out[0] = re, out[1] = im;
}
