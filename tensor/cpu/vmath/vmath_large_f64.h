/* Arguments beyond 2^20 pi/2, infinities and NaN: the C library, lane by lane, in long
 * double, for next to a multiple of pi/2 glibc's f64 functions lose up to 8 ulp. */

#define AGNI_FAR(name)                                                                \
    static __attribute__((noinline, cold, unused)) vf64 agni_##name##_far_f64(vf64 x) \
    {                                                                                 \
        vf64 y;                                                                       \
        for (int l = 0; l < AGNI_L_F64; l++)                                          \
            y[l] = (double)name##l((long double)x[l]);                                \
        return y;                                                                     \
    }
AGNI_FAR(sin)
AGNI_FAR(cos)
AGNI_FAR(tan)
#undef AGNI_FAR
