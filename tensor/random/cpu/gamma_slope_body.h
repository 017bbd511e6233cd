/* tensor/random/cpu/gamma_slope_body.h - first derivatives of the gamma distribution function in
   the concentration over the density of log y, in vectors (Figurnov, Mohamed & Mnih 2018, for what
   they serve).

   With t = log y, F(a, y) = h T / a and 1 - F = h / K, where h is the density of t,

     T = 1 + y/(a+1) (1 + y/(a+2) (1 + ...)),  K = b_0 + c_1 / (b_1 + c_2 / (b_2 + ...)),

   b_k = y + 2 k + 1 - a, c_k = k (a - k) (DLMF 8.11.4, 8.9.2). Both are run from the last term to
   the first as a quotient N / D, beside them W = N D' - N' D of the derivatives in a, whose own
   recurrence adds terms of one sign; where derivatives of N and D themselves are kept, they cancel
   instead. Every lane takes the same number of terms, which the caller has chosen for each of
   them. Part of philox_vector.c. */

enum { SERIES = 3, FRACTION = 2, RESCALE = 16 }; /* vectors, to hide latency; terms */

/* psi(x) for x >= 1: eight steps upward as one quotient, then the asymptotic series (DLMF 5.5.2,
   5.11.2) */
AGNI_INLINE vf64 digamma_from_one(vf64 x)
{
    static const double c[] = {1.0 / 12,  -1.0 / 120,      1.0 / 252, -1.0 / 240,
                               1.0 / 132, -691.0 / 32760, 1.0 / 12};
    vf64 num = x * 0 + 1, den = x;
    AGNI_UNROLL
    for (int k = 1; k < 8; k++) {
        vf64 b = x + (double)k;
        num = num * b + den;
        den = den * b;
    }
    vf64 r = 1 / (x + 8), q = r * r, sum = q * c[6] + c[5];
    AGNI_UNROLL
    for (int k = 4; k >= 0; k--)
        sum = sum * q + c[k];
    return log_f64(x + 8) - (0.5 * r + q * sum) - num / den;
}

/* d = t - psi(a + 1), and how many terms leave less than 1e-16 (by trial): of the series where y is
   small or not far above the mean, for it cancels there by 10 at the most; else of the fraction,
   as a negative number; 0 where neither serves. */
static void gamma_slope_plan(double *d, double *terms, const double *a, const double *t,
                             const double *y, int64_t n)
{
    EVERY(i, n) {
        vf64 x = agni_load_f64(a + i), v = agni_load_f64(y + i);
        vi64 in = (x >= 1e-100) & (x <= 5000) & (v >= 1e-300) & (v <= 20000);
        x = agni_select_f64(in, x, x * 0 + 1);
        v = agni_select_f64(in, v, x * 0 + 1);
        vf64 delta = agni_load_f64(t + i) - digamma_from_one(x + 1);
        vf64 root = agni_sqrt_f64(v), spread = agni_sqrt_f64(x);
        vi64 near = (v < 1.3) | (delta <= 0) | (delta * delta * (x + 0.5) < 0.36);
        vf64 far = -7 - 95 / v - 3.6 * spread * (x / (x + 5));
        vf64 m = agni_select_f64(near, root * 9.5 + 10.5, far);
        agni_store_f64(d + i, delta);
        agni_store_f64(terms + i, agni_select_f64(in, m, x * 0));
    }
}

/* d = t - psi(a + 1). Factors of N and D are scaled by one number of each lane, which leaves T. */
static void gamma_slope_series(double *slope, const double *a, const double *y, const double *d,
                               int64_t n, int terms)
{
    for (int64_t i = 0; i < n; i += SERIES * AGNI_L_F64) {
        vf64 x[SERIES], v[SERIES], scale[SERIES], num[SERIES], den[SERIES], w[SERIES];
        AGNI_UNROLL
        for (int j = 0; j < SERIES; j++) {
            vf64 p = agni_load_f64(a + i + j * AGNI_L_F64);
            scale[j] = 1 / (p + 0.5 * terms);
            v[j] = agni_load_f64(y + i + j * AGNI_L_F64) * scale[j];
            x[j] = p * scale[j];
            w[j] = p * 0;
            num[j] = den[j] = w[j] + 1;
        }
        for (int k = terms; k > 0; k--) {
            AGNI_UNROLL
            for (int j = 0; j < SERIES; j++) {
                vf64 b = x[j] + scale[j] * (double)k;
                w[j] = v[j] * (num[j] * den[j] + b * w[j]);
                den[j] = b * den[j];
                num[j] = den[j] + v[j] * num[j];
            }
        }
        AGNI_UNROLL
        for (int j = 0; j < SERIES; j++) {
            vf64 r = 1 / den[j], delta = agni_load_f64(d + i + j * AGNI_L_F64);
            vf64 fall = scale[j] * w[j] * r * r;
            agni_store_f64(slope + i + j * AGNI_L_F64,
                           (delta * num[j] * r - fall) / agni_load_f64(a + i + j * AGNI_L_F64));
        }
    }
}

/* 2^-e of 2^e <= |x| < 2^(e + 1) */
AGNI_INLINE vf64 reciprocal_power(vf64 x)
{
    vu64 e = (vu64)x & 0x7ff0000000000000;
    return (vf64)(0x7fe0000000000000 - e);
}

static void gamma_slope_fraction(double *slope, const double *a, const double *y, const double *d,
                                 int64_t n, int terms)
{
    for (int64_t i = 0; i < n; i += FRACTION * AGNI_L_F64) {
        vf64 x[FRACTION], b[FRACTION], num[FRACTION], den[FRACTION], w[FRACTION];
        AGNI_UNROLL
        for (int j = 0; j < FRACTION; j++) {
            x[j] = agni_load_f64(a + i + j * AGNI_L_F64);
            b[j] = agni_load_f64(y + i + j * AGNI_L_F64) - x[j] + (2.0 * terms + 1);
            num[j] = b[j];
            den[j] = x[j] * 0 + 1;
            w[j] = -den[j];
        }
        for (int k = terms; k > 0; k--) {
            AGNI_UNROLL
            for (int j = 0; j < FRACTION; j++) {
                vf64 c = (x[j] - (double)k) * (double)k, p = num[j];
                b[j] -= 2;
                w[j] = p * (den[j] * (double)k - p) - c * w[j];
                num[j] = b[j] * p + c * den[j];
                den[j] = p;
            }
            if (k % RESCALE == 0) {
                AGNI_UNROLL
                for (int j = 0; j < FRACTION; j++) {
                    vf64 r = reciprocal_power(num[j]);
                    num[j] *= r;
                    den[j] *= r;
                    w[j] = w[j] * r * r;
                }
            }
        }
        AGNI_UNROLL
        for (int j = 0; j < FRACTION; j++) {
            vf64 r = 1 / num[j], delta = agni_load_f64(d + i + j * AGNI_L_F64) + 1 / x[j];
            agni_store_f64(slope + i + j * AGNI_L_F64, (w[j] * r - delta * den[j]) * r);
        }
    }
}
