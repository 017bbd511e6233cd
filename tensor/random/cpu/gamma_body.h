/* tensor/random/cpu/gamma_body.h - gamma numbers in vectors: the first try of Marsaglia & Tsang
   (2000), and the power of a uniform number below concentration 1. The operations, and so the bits,
   are those of rejection.h. Part of philox_vector.c. */

/* e^x as agni_plain_exp has it */
AGNI_INLINE vf64 exp_f64(vf64 x)
{
    const double ln2_high = 0x1.62e42fee00000p-1, ln2_low = 0x1.a39ef35793c76p-33;
    static const double c[] = {0x1.0000000000005p-1,  0x1.555555555555cp-3,  0x1.5555555552102p-5,
                               0x1.111111110e6d9p-7,  0x1.6c16c17f34095p-10, 0x1.a01a01b5cc041p-13,
                               0x1.a019a68fd97a9p-16, 0x1.71ddea312a806p-19, 0x1.28a2a192b2492p-22,
                               0x1.af765475ae4dcp-26};
    vf64 zero = {0}, t = x * 1.4426950408889634 + 0.5;
    vf64 near = (t + 0x1.8p52) - 0x1.8p52, k = near - agni_select_f64(near > t, zero + 1, zero);
    vf64 r = (x - k * ln2_high) - k * ln2_low, p = zero + c[9];
    AGNI_UNROLL
    for (int i = 8; i >= 0; i--)
        p = p * r + c[i];
    vf64 y = ((p * r * r + r) + 1) * (vf64)((vu64)(k + (1023 + 0x1p52)) << 52);
    y = agni_select_f64(x > -708, y, zero);
    return agni_select_f64(x > 709, zero + (double)INFINITY, y);
}

/* y, or NaN where the squeeze does not accept, of normal numbers z and uniform ones u */
static void gamma_first_try(double *y, const double *a, const double *z, const double *u, int64_t n)
{
    EVERY(i, n) {
        vf64 x = agni_load_f64(a + i), g = agni_load_f64(z + i), g2 = g * g;
        vf64 d = agni_select_f64(x < 1, x + 1, x) - 1.0 / 3;
        vf64 root = 1 + 1 / agni_sqrt_f64(9 * d) * g, v = root * root * root;
        vi64 in = (root > 0) & (agni_load_f64(u + i) < 1 - 0.0331 * g2 * g2);
        agni_store_f64(y + i, agni_select_f64(in, d * v, x * 0 + (double)NAN));
    }
}

/* y of a + 1 becomes y of a below 1, by l = -log of uniform numbers; or its logarithm */
static void gamma_finish(double *y, const double *a, const double *l, int64_t n, int log_form)
{
    EVERY(i, n) {
        vf64 x = agni_load_f64(a + i), v = agni_load_f64(y + i), less = -agni_load_f64(l + i) / x;
        vi64 low = x < 1;
        vf64 y_log = log_f64(v) + agni_select_f64(low, less, x * 0);
        if (!log_form)
            y_log = agni_select_f64(low, v * exp_f64(less), v);
        agni_store_f64(y + i, y_log);
    }
}
