/* Functions of f32 that go through vectors of f64: what cancels leaves enough digits. */

typedef float vf32_half __attribute__((vector_size(AGNI_VBYTES / 2)));

/* log gamma(x) for 0 < x < infinity, absolute error some 1e-14 where x < 20, relative elsewhere
 * and around 1 and 2: Stirling's series (DLMF 5.11.1) from 8 on, to which smaller arguments
 * are brought by gamma(x + 8) = x (x + 1) ... (x + 7) gamma(x); next to 1 and 2 the Taylor
 * series (DLMF 5.7.3). */
AGNI_INLINE vf64 agni_lgamma_positive(vf64 x)
{
    const vi64 small = x < 8.0, one = x < 1.5;
    vf64 p = agni_splat_f64(1), z = x, y;
    if (agni_any_f64(small)) {
        const vf64 w = x * (x + 7.0); /* x + k times x + 7 - k is w plus a number */
        p = agni_select_f64(small, (w * (w + 6.0)) * ((w + 10.0) * (w + 12.0)), p);
        z = agni_select_f64(small, x + 8.0, x);
    }
    const vf64 r = 1.0 / z, q = r * r;
    y = agni_splat_f64(1.0 / 156);
    y = agni_fma_f64(y, q, agni_splat_f64(-691.0 / 360360));
    y = agni_fma_f64(y, q, agni_splat_f64(1.0 / 1188));
    y = agni_fma_f64(y, q, agni_splat_f64(-1.0 / 1680));
    y = agni_fma_f64(y, q, agni_splat_f64(1.0 / 1260));
    y = agni_fma_f64(y, q, agni_splat_f64(-1.0 / 360));
    y = agni_fma_f64(y, q, agni_splat_f64(1.0 / 12));
    y = agni_fma_f64(y, r, agni_splat_f64(0.91893853320467274178)); /* log(2 pi)/2 */
    y = agni_fma_f64(z - 0.5, agni_vx_log_f64(z), y - z);
    y = agni_any_f64(small) ? y - agni_vx_log_f64(p) : y;
    /* -euler h + zeta(2)/2 h^2 - ..., and 1 - euler, (zeta(2) - 1)/2 at 2 */
    const vf64 h = x - agni_select_f64(one, agni_splat_f64(1), agni_splat_f64(2));
    const vf64 less = agni_select_f64(one, (vf64){0}, agni_splat_f64(1));
    vf64 t = 0.27058080842778454788 - less * 0.25;
    t = agni_fma_f64(t, h, less * (1.0 / 3) - 0.40068563438653142847);
    t = agni_fma_f64(t, h, 0.82246703342411321824 - less * 0.5);
    t = agni_fma_f64(t, h, less - 0.57721566490153286061);
    const vi64 near = (h < 0x1p-8) & (h > -0x1p-8);
    return agni_select_f64(near, t * h + 0.0, y); /* +0 at 1 and 2 */
}

AGNI_INLINE vf32_half agni_lgamma_half(vf32_half x)
{
    const vf64 w = __builtin_convertvector(x, vf64);
    const vi64 odd = ~((w > 0.0) & (w <= (double)0x1.fffffep127f));
    vf32_half y = __builtin_convertvector(
        agni_lgamma_positive(agni_select_f64(odd, agni_splat_f64(1), w)), vf32_half);
    if (agni_any_f64(odd))
        for (int l = 0; l < AGNI_L_F64; l++)
            if (odd[l])
                y[l] = (float)agni_lgamma((double)x[l]);
    return y;
}

void AGNI_LV(agni_vmap32_lgamma)(void *yv, const void *xv, int64_t n)
{
    enum { HALF = AGNI_L_F64 };
    const float *x = xv;
    float *y = yv;
    vf32_half v;
    int64_t i = 0;
    for (; i + HALF <= n; i += HALF) {
        memcpy(&v, x + i, sizeof v);
        v = agni_lgamma_half(v);
        memcpy(y + i, &v, sizeof v);
    }
    if (i == n)
        return;
    for (int l = 0; l < HALF; l++)
        v[l] = x[i + l < n ? i + l : n - 1];
    v = agni_lgamma_half(v);
    memcpy(y + i, &v, (size_t)(n - i) * sizeof *y);
}
