/* Written by power_coeffs.py; see there for the method. */
/* clang-format off */
#ifndef AGNI_CPU_COEF_POWER_H
#define AGNI_CPU_COEF_POWER_H

/* (2 atanh s - 2 s - 2/3 s^3 - 2/5 s^5) / s^7 in s^2, |s| <= 3 - 2 sqrt 2; error 2^-72.85 */
static const double agni_c_log_far_f64[7] = {
    0x1.24924924927ccp-2,
    0x1.c71c71c65a53bp-3,
    0x1.745d17d73664bp-3,
    0x1.3b1378420c17ap-3,
    0x1.111dcc1aa5743p-3,
    0x1.de9eea047df43p-4,
    0x1.e7dc59631fb3bp-4,
};

/* 2/3 and 2/5 in two parts */
#define AGNI_TWO_THIRDS 0x1.5555555555555p-1
#define AGNI_TWO_THIRDS_LOW 0x1.5555555555555p-55
#define AGNI_TWO_FIFTHS 0x1.999999999999ap-2
#define AGNI_TWO_FIFTHS_LOW -0x1.999999999999ap-56

#endif
