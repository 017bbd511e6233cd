/* Written by coeffs.py; see there for the method. */
/* clang-format off */
#ifndef AGNI_CPU_COEF_F32_H
#define AGNI_CPU_COEF_F32_H

/* (e^r - 1 - r) / r^2, |r| <= ln(2)/2; weighted error 2^-26.17 */
static const float agni_c_exp_f32[5] = {
    0x1.0000000000000p-1f,
    0x1.5554b00000000p-3f,
    0x1.5554880000000p-5f,
    0x1.1227f20000000p-7f,
    0x1.6d98100000000p-10f,
};

/* (tanh z - z) / z^3 in z^2, |z| <= 0.591 ln(2)/2; weighted error 2^-30.65 */
static const float agni_c_tanh_f32[3] = {
    -0x1.5555420000000p-2f,
    0x1.10fb4e0000000p-3f,
    -0x1.ac01e60000000p-5f,
};

/* (2 atanh s - 2 s) / s^3 in s^2, |s| <= 3 - 2 sqrt 2; weighted error 2^-29.21 */
static const float agni_c_log_f32[3] = {
    0x1.55557a0000000p-1f,
    0x1.995eba0000000p-2f,
    0x1.31e2ea0000000p-2f,
};

/* (sin r - r) / r^3 in r^2, |r| <= pi/4; weighted error 2^-28.05 */
static const float agni_c_sin_f32[3] = {
    -0x1.5555460000000p-3f,
    0x1.1107600000000p-7f,
    -0x1.994eac0000000p-13f,
};

/* (cos r - 1 + r^2/2) / r^4 in r^2, |r| <= pi/4; weighted error 2^-33.29 */
static const float agni_c_cos_f32[3] = {
    0x1.55554a0000000p-5f,
    -0x1.6c0c8c0000000p-10f,
    0x1.9a02900000000p-16f,
};

/* erf(x)/x - 1 in x^2, |x| <= 0.65; weighted error 2^-25.66 */
static const float agni_c_erf_f32[5] = {
    0x1.06eba60000000p-3f,
    -0x1.8126b00000000p-2f,
    0x1.ce01bc0000000p-4f,
    -0x1.b362560000000p-6f,
    0x1.20ae040000000p-8f,
};

/* log2(erfc(x))/x, x <= 3.93; weighted error 2^-27.9 */
static const float agni_c_erftail_f32[9] = {
    -0x1.a0be840000000p+0f,
    -0x1.d63ec40000000p-1f,
    -0x1.2fabe40000000p-3f,
    0x1.c4b93c0000000p-6f,
    0x1.e530880000000p-13f,
    -0x1.3b39360000000p-9f,
    0x1.dea7d40000000p-11f,
    -0x1.63e9920000000p-13f,
    0x1.c00d200000000p-17f,
};

/* (2^f - 1)/f, |f| <= 1/2; weighted error 2^-26.47 */
static const float agni_c_exp2_f32[6] = {
    0x1.62e4300000000p-1f,
    0x1.ebfbe00000000p-3f,
    0x1.c6af6c0000000p-5f,
    0x1.3b29e40000000p-7f,
    0x1.5f089e0000000p-10f,
    0x1.446c7e0000000p-13f,
};

/* (1 + 2z) e^(z^2) erfc(z) in t = (z - c)/(z + c), z <= 11; weighted error 2^-27.59 */
static const float agni_c_erfcx_f32[11] = {
    0x1.4240f40000000p+0f,
    -0x1.0b2fe00000000p-3f,
    -0x1.2411ec0000000p-4f,
    0x1.28c36a0000000p-3f,
    -0x1.d4f89e0000000p-4f,
    0x1.acc7bc0000000p-5f,
    -0x1.576ef20000000p-7f,
    -0x1.61a88e0000000p-9f,
    0x1.e479780000000p-10f,
    0x1.1776f00000000p-13f,
    -0x1.3eb9ec0000000p-13f,
};

/* ln 2 and pi/2 in parts so short that n times one is exact, and in full ones */
#define AGNI_LN2_1_F32 0x1.62e4000000000p-1f
#define AGNI_LN2_2_F32 0x1.7f7d1c0000000p-20f
#define AGNI_PIO2_1_F32 0x1.921c000000000p+0f
#define AGNI_PIO2_2_F32 0x1.daa0000000000p-15f
#define AGNI_PIO2_3_F32 0x1.10b4000000000p-30f
#define AGNI_PIO2_4_F32 0x1.84698a0000000p-48f
#define AGNI_LN2_FUSED_1_F32 0x1.62e42e0000000p-1f
#define AGNI_LN2_FUSED_2_F32 0x1.efa39e0000000p-25f
#define AGNI_PIO2_FUSED_1_F32 0x1.921fb40000000p+0f
#define AGNI_PIO2_FUSED_2_F32 0x1.4442d00000000p-24f
#define AGNI_PIO2_FUSED_3_F32 0x1.84698a0000000p-48f

#define AGNI_ERFCX_C_F32 0x1.6000000000000p+1f

#endif
