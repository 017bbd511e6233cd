/* f32 arguments beyond 2^9 pi/2: the f64 kernel, half a vector at a time. */

#define AGNI_FAR(name)                                                                \
    static __attribute__((noinline, cold, unused)) vf32 agni_##name##_far_f32(vf32 x) \
    {                                                                                 \
        vf32 y;                                                                       \
        for (int h = 0; h < 2; h++) {                                                 \
            vf64 d;                                                                   \
            for (int l = 0; l < AGNI_L_F64; l++)                                      \
                d[l] = (double)x[h * AGNI_L_F64 + l];                                 \
            d = agni_vx_##name##_f64(d);                                              \
            for (int l = 0; l < AGNI_L_F64; l++)                                      \
                y[h * AGNI_L_F64 + l] = (float)d[l];                                  \
        }                                                                             \
        return y;                                                                     \
    }
AGNI_FAR(sin)
AGNI_FAR(cos)
AGNI_FAR(tan)
#undef AGNI_FAR
