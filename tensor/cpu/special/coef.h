/* Written by special.py; see there for the method. */
/* clang-format off */
#ifndef AGNI_SPECIAL_COEF_H
#define AGNI_SPECIAL_COEF_H

/* (1 + 2z) e^(z^2) erfc(z) in t = (z - 3.75)/(z + 3.75), z <= 28; error 2^-58.89 */
#define AGNI_C_ERFCX \
    { \
        0x1.3ccda0b5d5dc2p+0, \
        -0x1.1f367683f89a6p-3, \
        0x1.d5f29481596eap-9, \
        0x1.510169d096751p-4, \
        -0x1.bda9309a27c3cp-4, \
        0x1.7a14188a9b866p-4, \
        -0x1.e0d0fa6e26d13p-5, \
        0x1.d0b0037d38872p-6, \
        -0x1.3f603c2c44a9bp-7, \
        0x1.cc3a0e8d52f39p-10, \
        0x1.33fb1dc49bd0ep-12, \
        -0x1.303fa99cdff2dp-12, \
        0x1.b1452f74cdd39p-15, \
        0x1.778daa8d52846p-16, \
        -0x1.80122fc32a15ap-17, \
        -0x1.05d14139367bdp-20, \
        0x1.d72b402511667p-20, \
        -0x1.c996f57a5c6d3p-25, \
        -0x1.19a766846bf51p-22, \
        0x1.3584ca3e8c3edp-26, \
        0x1.59b4957fe8823p-25, \
        0x1.1802b0a4dada4p-33, \
        -0x1.4bbbb8d45b206p-28, \
        -0x1.f409197cc69cfp-31, \
    }

/* log gamma(1 + a) / a, 0 <= a <= 1/2; error 2^-56.01 */
#define AGNI_C_LGAMMA1P \
    { \
        -0x1.2788cfc6fb619p-1, \
        0x1.a51a662530751p-1, \
        -0x1.9a4d55bea00b1p-2, \
        0x1.151322a97c3a6p-2, \
        -0x1.a8b9c0a02e288p-3, \
        0x1.5b40b84052c40p-3, \
        -0x1.2702908f6c182p-3, \
        0x1.01006f1691963p-3, \
        -0x1.c769bfa5102ddp-4, \
        0x1.96badc0ab5988p-4, \
        -0x1.676babb71a15ap-4, \
        0x1.2db76a0517930p-4, \
        -0x1.bfbd76d403c51p-5, \
        0x1.0800355644172p-5, \
        -0x1.a6b1d85d763e5p-7, \
        0x1.4e59ef5fecbd2p-9, \
    }

#define AGNI_TEMME_ROWS 6
#define AGNI_TEMME_TERMS 14

/* row k: Taylor coefficients in eta of what a^-k multiplies, DLMF 8.12.8 */
#define AGNI_C_TEMME \
    { \
        -0x1.5555555555555p-2, \
        0x1.5555555555555p-4, \
        -0x1.e573ac901e574p-7, \
        0x1.2f684bda12f68p-10, \
        0x1.71de3a556c734p-12, \
        -0x1.76e06fec7273bp-13, \
        0x1.48c5892f7cd83p-15, \
        -0x1.255370652afc1p-19, \
        -0x1.f1b22f594c6b5p-20, \
        0x1.bd6d21e4b4109p-21, \
        -0x1.7b5f9a2d0465cp-23, \
        0x1.ccf5ceb7f0d9fp-28, \
        0x1.6097d55c37c1cp-27, \
        -0x1.2d2197c7a2faap-28, \
        -0x1.e573ac901e574p-10, \
        -0x1.c71c71c71c71cp-9, \
        0x1.5ac056b015ac0p-9, \
        -0x1.0394f6f09e723p-10, \
        0x1.af83440e53dbcp-13, \
        -0x1.af83440e53dbcp-22, \
        -0x1.2fa4ae89e5af0p-16, \
        0x1.00a9cabd6b83ep-17, \
        -0x1.b0bdfcc629cbap-20, \
        0x1.3f59230a8357cp-28, \
        0x1.280f2cde3f847p-23, \
        -0x1.ee23d0cba8aeep-25, \
        0x0.0p+0, \
        0x0.0p+0, \
        0x1.0ee643b990ee6p-8, \
        -0x1.5f7268edab4c8p-9, \
        0x1.948b0fcd6e9e0p-11, \
        0x1.0db20a88f4696p-19, \
        -0x1.c253efaa1a932p-14, \
        0x1.bbf43daf4fe53p-15, \
        -0x1.ac2d05890f2c3p-17, \
        0x1.26154ae39151dp-25, \
        0x1.7058929663937p-20, \
        -0x1.522cb05171911p-21, \
        0x0.0p+0, \
        0x0.0p+0, \
        0x0.0p+0, \
        0x0.0p+0, \
        0x1.547d93b34e2b6p-11, \
        0x1.e13ce465fa859p-13, \
        -0x1.ebfb188b7ca00p-12, \
        0x1.18b9b5bf2d984p-12, \
        -0x1.3d2a3a29b5d9dp-14, \
        -0x1.0152a1871f27ap-22, \
        0x1.73df462204ef4p-17, \
        -0x1.7cd6f27b3f020p-18, \
        0x0.0p+0, \
        0x0.0p+0, \
        0x0.0p+0, \
        0x0.0p+0, \
        0x0.0p+0, \
        0x0.0p+0, \
        -0x1.c3e0b02da7bf9p-11, \
        0x1.9b0ff6874f2c4p-11, \
        -0x1.3999a85a4237ap-12, \
        -0x1.88f2ae1def9d0p-20, \
        0x1.16908b48ce058p-14, \
        -0x1.4ce3fd902bcadp-15, \
        0x0.0p+0, \
        0x0.0p+0, \
        0x0.0p+0, \
        0x0.0p+0, \
        0x0.0p+0, \
        0x0.0p+0, \
        0x0.0p+0, \
        0x0.0p+0, \
        -0x1.6128ac5a4fa71p-12, \
        -0x1.247604839c038p-14, \
        0x1.22be87360ef1fp-12, \
        -0x1.a2042c5148e27p-13, \
        0x0.0p+0, \
        0x0.0p+0, \
        0x0.0p+0, \
        0x0.0p+0, \
        0x0.0p+0, \
        0x0.0p+0, \
        0x0.0p+0, \
        0x0.0p+0, \
        0x0.0p+0, \
        0x0.0p+0, \
    }

#endif
