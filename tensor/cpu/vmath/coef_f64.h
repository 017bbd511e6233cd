/* Written by coeffs.py; see there for the method. */
/* clang-format off */
#ifndef AGNI_CPU_COEF_F64_H
#define AGNI_CPU_COEF_F64_H

/* (e^r - 1 - r) / r^2, |r| <= ln(2)/2; weighted error 2^-55.64 */
static const double agni_c_exp_f64[10] = {
    0x1.0000000000005p-1,
    0x1.555555555555cp-3,
    0x1.5555555552102p-5,
    0x1.111111110e6d9p-7,
    0x1.6c16c17f34095p-10,
    0x1.a01a01b5cc041p-13,
    0x1.a019a68fd97a9p-16,
    0x1.71ddea312a806p-19,
    0x1.28a2a192b2492p-22,
    0x1.af765475ae4dcp-26,
};

/* (tanh z - z) / z^3 in z^2, |z| <= 0.591 ln(2)/2; weighted error 2^-62.33 */
static const double agni_c_tanh_f64[7] = {
    -0x1.555555555554fp-2,
    0x1.111111110f440p-3,
    -0x1.ba1ba1b44d97bp-5,
    0x1.664f44129bc4dp-6,
    -0x1.226c643e56fefp-7,
    0x1.d601fb66eaef5p-9,
    -0x1.64f1fcf4cc0abp-10,
};

/* (2 atanh s - 2 s) / s^3 in s^2, |s| <= 3 - 2 sqrt 2; weighted error 2^-58.5 */
static const double agni_c_log_f64[7] = {
    0x1.5555555555592p-1,
    0x1.999999997fdbbp-2,
    0x1.24924941f12e7p-2,
    0x1.c71c520922de9p-3,
    0x1.74663efd0221ap-3,
    0x1.39a1b7f24ad28p-3,
    0x1.2f0584f2e533bp-3,
};

/* (sin r - r) / r^3 in r^2, |r| <= pi/4; weighted error 2^-58.02 */
static const double agni_c_sin_f64[6] = {
    -0x1.5555555555549p-3,
    0x1.111111110f881p-7,
    -0x1.a01a019c1282ep-13,
    0x1.71de357886d60p-19,
    -0x1.ae5e66e0e663ep-26,
    0x1.5d9331f5e20fdp-33,
};

/* (cos r - 1 + r^2/2) / r^4 in r^2, |r| <= pi/4; weighted error 2^-64.22 */
static const double agni_c_cos_f64[6] = {
    0x1.555555555554cp-5,
    -0x1.6c16c16c15184p-10,
    0x1.a01a019cb26cap-16,
    -0x1.27e4f80a740ecp-22,
    0x1.1ee9ec459ab85p-29,
    -0x1.8faecdd090039p-37,
};

/* erf(x)/x - 1 in x^2, |x| <= 0.65; weighted error 2^-57.72 */
static const double agni_c_erf_f64[10] = {
    0x1.06eba8214db68p-3,
    -0x1.812746b0379c3p-2,
    0x1.ce2f21a03ff98p-4,
    -0x1.b82ce31137ed5p-6,
    0x1.565bccbd15682p-8,
    -0x1.c02d9d69fe0ecp-11,
    0x1.f99f539970000p-14,
    -0x1.f46b59ec32406p-17,
    0x1.b34f4f4eedb1ep-20,
    -0x1.22a6490ec5761p-23,
};

/* log2(erfc(x))/x, x <= 5.93; weighted error 2^-57.49 */
static const double agni_c_erftail_f64[25] = {
    -0x1.a0be83d8d032dp+0,
    -0x1.d63ed749958b0p-1,
    -0x1.2fa7eecb2a387p-3,
    0x1.c4242d087432cp-6,
    0x1.3c76ef301efc4p-12,
    -0x1.40bf564f8fc1dp-9,
    0x1.be5d1c101677fp-11,
    -0x1.39302db555a7ap-15,
    -0x1.863f28291ed05p-14,
    0x1.67b9df7b224bcp-15,
    -0x1.49e0f0bcde03dp-18,
    -0x1.127f49b3e4d44p-18,
    0x1.513c674a25c1ap-19,
    -0x1.048ff7447271dp-21,
    -0x1.a8ed3829d8efcp-23,
    0x1.b7286f13615d9p-23,
    -0x1.974533fd15ec7p-24,
    0x1.03c268bf73379p-25,
    -0x1.ef6e1413ad04dp-28,
    0x1.68215875e174fp-30,
    -0x1.8c034c87cfe92p-33,
    0x1.4006d55fbc27fp-36,
    -0x1.6726b05310e39p-40,
    0x1.f44877c2d4b61p-45,
    -0x1.45b65bd8f3a4bp-50,
};

/* (2^f - 1)/f, |f| <= 1/2; weighted error 2^-61.88 */
static const double agni_c_exp2_f64[12] = {
    0x1.62e42fefa39efp-1,
    0x1.ebfbdff82c58fp-3,
    0x1.c6b08d704a0c6p-5,
    0x1.3b2ab6fba4e7dp-7,
    0x1.5d87fe78a3f9ap-10,
    0x1.430912f86a0dbp-13,
    0x1.ffcbfc6da7886p-17,
    0x1.62c022494ac04p-20,
    0x1.b524ebcfce395p-24,
    0x1.e4cef6958d508p-28,
    0x1.e9ec22207a56fp-32,
    0x1.c4c8cf30e40a3p-36,
};

/* (1 + 2z) e^(z^2) erfc(z) in t = (z - c)/(z + c), z <= 28; weighted error 2^-58.89 */
static const double agni_c_erfcx_f64[24] = {
    0x1.3ccda0b5d5dc2p+0,
    -0x1.1f367683f89a6p-3,
    0x1.d5f29481596eap-9,
    0x1.510169d096751p-4,
    -0x1.bda9309a27c3cp-4,
    0x1.7a14188a9b866p-4,
    -0x1.e0d0fa6e26d13p-5,
    0x1.d0b0037d38872p-6,
    -0x1.3f603c2c44a9bp-7,
    0x1.cc3a0e8d52f39p-10,
    0x1.33fb1dc49bd0ep-12,
    -0x1.303fa99cdff2dp-12,
    0x1.b1452f74cdd39p-15,
    0x1.778daa8d52846p-16,
    -0x1.80122fc32a15ap-17,
    -0x1.05d14139367bdp-20,
    0x1.d72b402511667p-20,
    -0x1.c996f57a5c6d3p-25,
    -0x1.19a766846bf51p-22,
    0x1.3584ca3e8c3edp-26,
    0x1.59b4957fe8823p-25,
    0x1.1802b0a4dada4p-33,
    -0x1.4bbbb8d45b206p-28,
    -0x1.f409197cc69cfp-31,
};

/* ln 2 and pi/2 in parts so short that n times one is exact, and in full ones */
#define AGNI_LN2_1_F64 0x1.62e42fefa3800p-1
#define AGNI_LN2_2_F64 0x1.ef35793c76730p-45
#define AGNI_PIO2_1_F64 0x1.921fb54400000p+0
#define AGNI_PIO2_2_F64 0x1.0b4611a600000p-34
#define AGNI_PIO2_3_F64 0x1.3198a2e000000p-69
#define AGNI_PIO2_4_F64 0x1.b839a252049c1p-104
#define AGNI_LN2_FUSED_1_F64 0x1.62e42fefa39efp-1
#define AGNI_LN2_FUSED_2_F64 0x1.abc9e3b39803fp-56
#define AGNI_PIO2_FUSED_1_F64 0x1.921fb54442d18p+0
#define AGNI_PIO2_FUSED_2_F64 0x1.1a62633145c06p-54
#define AGNI_PIO2_FUSED_3_F64 0x1.c1cd129024e09p-107

#define AGNI_ERFCX_C_F64 0x1.e000000000000p+1

#endif
