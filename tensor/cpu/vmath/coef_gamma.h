/* Written by gamma_coeffs.py; see there for the method. */
/* clang-format off */
#ifndef AGNI_CPU_COEF_GAMMA_H
#define AGNI_CPU_COEF_GAMMA_H

/* log gamma(x) / ((x - 1) (x - 2)), 1/2 <= x <= 8 = c + a / (x + b) + a rest, to 2^-62.21; its roundings count 0.089 */
#define AGNI_LGAMMA_C 0x1.9000000000000p-4
#define AGNI_LGAMMA_A 0x1.f600000000000p-1
#define AGNI_LGAMMA_B 0x1.0000000000000p+0

/* its numerator */
static const double agni_c_lgamma_over_f64[14] = {
    0x1.d8269a809ceb9p+0,
    0x1.41ca54312168cp+6,
    0x1.5a54dc089c4c1p+9,
    0x1.5d9f2eab9ec2fp+10,
    -0x1.2b5c790e95849p+10,
    -0x1.1a6bfae896469p+12,
    -0x1.1433680a450d9p+11,
    0x1.4b38d33a76504p+9,
    0x1.094fe5fe243e2p+9,
    0x1.9f45c52a99049p+5,
    -0x1.21d0921b78c77p+3,
    -0x1.6534d20ffbe1fp+0,
    -0x1.82bde1dc28ab6p-5,
    -0x1.6719ceb13dc0ap-12,
};

/* its denominator */
static const double agni_c_lgamma_under_f64[14] = {
    0x1.0000000000000p+0,
    0x1.8ede3cf18be3cp+6,
    0x1.03efb3b3f80b1p+11,
    0x1.f6f0a183a6e4fp+13,
    0x1.c86768db46625p+15,
    0x1.b76460be68c50p+16,
    0x1.de9345d1cc5fep+16,
    0x1.2dc21aadb8cdbp+16,
    0x1.b56616d3caf5ap+14,
    0x1.6141867bb87a1p+12,
    0x1.2cbe321ede64ap+9,
    0x1.ebc439b472ff7p+4,
    0x1.4598c25c2a9f3p-1,
    0x1.d6eeb1356dd13p-9,
};

/* x digamma(x) / (x - x0), 0 <= x <= 8 = c + a / (x + b) + a rest, to 2^-61.36; its roundings count 0.051 */
#define AGNI_DIGAMMA_C 0x1.9800000000000p+1
#define AGNI_DIGAMMA_A -0x1.2000000000000p+3
#define AGNI_DIGAMMA_B 0x1.ce00000000000p+1

/* its numerator */
static const double agni_c_digamma_over_f64[12] = {
    -0x1.228f523ce366ep-5,
    0x1.0cb1adc25c68ep-1,
    0x1.63fbf0309c6edp-2,
    -0x1.3d9c71adaf8fdp-3,
    -0x1.399f35c4b459ep-3,
    -0x1.e75e79d4398c0p-6,
    0x1.50fbfbf3b74a8p-10,
    0x1.e0891260e3afcp-11,
    0x1.762ce80e3cbf3p-14,
    0x1.918554502f404p-19,
    0x1.ecf21378180e6p-26,
    0x1.5d285cf61d7a9p-36,
};

/* its denominator */
static const double agni_c_digamma_under_f64[11] = {
    0x1.ce00000000000p+1,
    0x1.3a7cf920b963bp+3,
    0x1.532f903556f7dp+3,
    0x1.8164ddb144ce8p+2,
    0x1.feb717e215dc9p+0,
    0x1.98b9c43d476cap-2,
    0x1.88fed7558e660p-5,
    0x1.b35fd654595c1p-9,
    0x1.fc4bb40d7a7efp-14,
    0x1.06be5ab0bfb13p-19,
    0x1.419291ea90d91p-27,
};

/* x^2 trigamma(x), 0 <= x <= 8 = x + c + a / (x + b) + a rest, to 2^-60.64; its roundings count 0.0055 */
#define AGNI_TRIGAMMA_C 0x1.e600000000000p-2
#define AGNI_TRIGAMMA_A 0x1.0800000000000p-2
#define AGNI_TRIGAMMA_B 0x1.f400000000000p-2

/* its numerator */
static const double agni_c_trigamma_over_f64[12] = {
    -0x1.4dfffffffffffp-10,
    0x1.fbddd61523135p-6,
    -0x1.021b1de1a699bp-5,
    -0x1.e3a5095a357acp-4,
    -0x1.7e8d4d3b2fd9bp-4,
    -0x1.d7169cb789e17p-7,
    0x1.5c2bffb3a9bf7p-6,
    0x1.0110cefcc1cdep-6,
    0x1.4884a2ca2fe97p-8,
    0x1.aecb5a1d44fdfp-11,
    0x1.df9bc59ed3b39p-15,
    0x1.853214ab240d8p-52,
};

/* its denominator */
static const double agni_c_trigamma_under_f64[11] = {
    0x1.f400000000000p-2,
    0x1.abccfe448c3bap+1,
    0x1.354bc5b92afd2p+3,
    0x1.f81ff288fa30bp+3,
    0x1.031659db6f89cp+4,
    0x1.623d850dfccecp+3,
    0x1.49128ac2d7b14p+2,
    0x1.9d9b09b99b195p+0,
    0x1.536739a4d4f43p-2,
    0x1.4b528536aadd9p-5,
    0x1.2724c8641004fp-9,
};

/* B_2k / (2k (2k - 1)) */
static const double agni_c_lgamma_far_f64[8] = {
    0x1.5555555555555p-4,
    -0x1.6c16c16c16c17p-9,
    0x1.a01a01a01a01ap-11,
    -0x1.3813813813814p-11,
    0x1.b951e2b18ff23p-11,
    -0x1.f6ab0d9993c7dp-10,
    0x1.a41a41a41a41ap-8,
    -0x1.e4286cb0f5398p-6,
};

/* B_2k / (2k) */
static const double agni_c_digamma_far_f64[9] = {
    0x1.5555555555555p-4,
    -0x1.1111111111111p-7,
    0x1.0410410410410p-8,
    -0x1.1111111111111p-8,
    0x1.f07c1f07c1f08p-8,
    -0x1.5995995995996p-6,
    0x1.5555555555555p-4,
    -0x1.c5e5e5e5e5e5ep-2,
    0x1.86e7f9b9fe6e8p+1,
};

/* B_2k */
static const double agni_c_trigamma_far_f64[10] = {
    0x1.5555555555555p-3,
    -0x1.1111111111111p-5,
    0x1.8618618618618p-6,
    -0x1.1111111111111p-5,
    0x1.364d9364d9365p-4,
    -0x1.0330330330330p-2,
    0x1.2aaaaaaaaaaabp+0,
    -0x1.c5e5e5e5e5e5ep+2,
    0x1.b7c4f8f13e3c5p+5,
    -0x1.088fe72cfe72dp+9,
};

/* x0, the positive root of digamma, in two parts */
#define AGNI_DIGAMMA_ROOT 0x1.762d86356be3fp+0
#define AGNI_DIGAMMA_ROOT_LOW 0x1.b86a722197829p-54

#endif
