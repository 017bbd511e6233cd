/* tensor/random/cpu/gamma_slope_body.h - first derivatives of the gamma distribution function in
   the concentration over the density of log y, for vectors of moderate arguments (Figurnov, Mohamed
   & Mnih 2018, for what they serve).

   With t = log y, F(a, y) = h sum_n y^n / (a (a + 1) ... (a + n)) and 1 - F = h K, where h is the
   density of t and K Legendre's continued fraction 1 / (b_0 + c_1 / (b_1 + ...)), b_n = y + 2 n + 1
   - a, c_n = n (a - n) (DLMF 8.11.4, 8.9.2). Numerators, denominators and their derivatives in a
   obey three-term recurrences without a division. Part of philox_vector.c. */

enum { TOGETHER = 2 }; /* vectors, to hide latency */

static void gamma_slope_below(double *slope, const double *a, const double *y, const double *d,
                              int64_t n, int terms)
{
    for (int64_t i = 0; i < n; i += TOGETHER * AGNI_L_F64) {
        vf64 x[TOGETHER], v[TOGETHER], power[TOGETHER], p[TOGETHER], dp[TOGETHER], q[TOGETHER],
            dq[TOGETHER];
        AGNI_UNROLL
        for (int j = 0; j < TOGETHER; j++) {
            x[j] = agni_load_f64(a + i + j * AGNI_L_F64);
            v[j] = agni_load_f64(y + i + j * AGNI_L_F64);
            dp[j] = dq[j] = v[j] * 0;
            power[j] = p[j] = q[j] = dp[j] + 1;
        }
        for (int k = 1; k <= terms; k++) {
            AGNI_UNROLL
            for (int j = 0; j < TOGETHER; j++) {
                vf64 b = x[j] + (double)k;
                power[j] *= v[j];
                dp[j] = dp[j] * b + p[j];
                p[j] = p[j] * b + power[j];
                dq[j] = dq[j] * b + q[j];
                q[j] = q[j] * b;
            }
        }
        AGNI_UNROLL
        for (int j = 0; j < TOGETHER; j++) {
            vf64 r = 1 / q[j], sum = p[j] * r, delta = agni_load_f64(d + i + j * AGNI_L_F64);
            agni_store_f64(slope + i + j * AGNI_L_F64,
                           (delta * sum + (dp[j] - sum * dq[j]) * r) / x[j]);
        }
    }
}

static void gamma_slope_above(double *slope, const double *a, const double *y, const double *d,
                              int64_t n, int terms)
{
    for (int64_t i = 0; i < n; i += AGNI_L_F64) {
        vf64 x = agni_load_f64(a + i), b = agni_load_f64(y + i) + 1 - x;
        vf64 zero = x * 0, p0 = zero, p = zero + 1, dp0 = zero, dp = zero, q0 = p, q = b,
             dq0 = zero, dq = zero - 1;
        for (int k = 1; k <= terms; k++) {
            vf64 c = (x - (double)k) * (double)k, next;
            b += 2;
            next = b * dp + c * dp0 - p + (double)k * p0;
            dp0 = dp;
            dp = next;
            next = b * p + c * p0;
            p0 = p;
            p = next;
            next = b * dq + c * dq0 - q + (double)k * q0;
            dq0 = dq;
            dq = next;
            next = b * q + c * q0;
            q0 = q;
            q = next;
        }
        vf64 r = 1 / q, k = p * r, delta = agni_load_f64(d + i) + 1 / x;
        agni_store_f64(slope + i, -(delta * k + (dp - k * dq) * r));
    }
}
