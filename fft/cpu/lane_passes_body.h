/* fft/cpu/lane_passes_body.h - the passes of lane_passes.c for one precision. Transforms of 2, 4, 8
   and 16 points are those of Cooley and Tukey (1965), of 3, 5 and 7 sums over pairs of points
   (Rader's symmetry: cosines of sums, sines of differences). */

/* ---- rows of pairs and of parts ------------------------------------------------------------- */

static void FN(load)(void *to, const void *from, int64_t step, int64_t n, bool exchange)
{
    REAL *re = to, *im = re + LANES;
    const REAL *x = from;
    if (exchange) {
        re = im;
        im = to;
    }
    for (int64_t i = 0; i < n; i++, x += 2 * step, re += 2 * LANES, im += 2 * LANES) {
        VEC a = LOAD(x), b = LOAD(x + LANES);
        STORE(re, __builtin_shufflevector(a, b, LIST(EVEN)));
        STORE(im, __builtin_shufflevector(a, b, LIST(ODD)));
    }
}

/* whole lines of memory past the caches, where the level has such stores */
AGNI_INLINE void FN(stream)(REAL *p, VEC a)
{
#if AGNI_VBYTES == 64
    _mm512_stream_si512((__m512i *)p, (__m512i)a);
#else
    STORE(p, a);
#endif
}
AGNI_INLINE void FN(finish_stream)(void)
{
#if AGNI_VBYTES == 64
    _mm_sfence();
#endif
}

static void FN(store)(void *to, int64_t step, const void *from, int64_t n, bool exchange,
                      bool aside)
{
    const REAL *re = from, *im = re + LANES;
    REAL *y = to;
    if (exchange) {
        re = im;
        im = from;
    }
    for (int64_t i = 0; i < n; i++, y += 2 * step, re += 2 * LANES, im += 2 * LANES) {
        VEC a = LOAD(re), b = LOAD(im), low = __builtin_shufflevector(a, b, LIST(LOW)),
            high = __builtin_shufflevector(a, b, LIST(HIGH));
        if (aside) {
            FN(stream)(y, low);
            FN(stream)(y + LANES, high);
        } else {
            STORE(y, low);
            STORE(y + LANES, high);
        }
    }
    if (aside)
        FN(finish_stream)();
}

static void FN(turn_over)(void *to, int64_t block, const void *from, int64_t n)
{
    REAL *y = to;
    const REAL *x = from;
    VEC r[LANES];
    for (int64_t k = 0; k < n; k += LANES, x += 2 * LANES * LANES, y += 2 * LANES * block)
        for (int part = 0; part < 2; part++) {
            AGNI_UNROLL
            for (int l = 0; l < LANES; l++)
                r[l] = LOAD(x + (2 * l + part) * LANES);
            FN(agni_transpose_square)(r);
            AGNI_UNROLL
            for (int l = 0; l < LANES; l++)
                STORE(y + (2 * l + part) * LANES, r[l]);
        }
}

static void FN(multiply)(void *to, const void *from, const void *row, const void *turns, int64_t n)
{
    REAL *y = to;
    const REAL *x = from, *s = row, *w = turns;
    for (int64_t j = 0; j < n; j++, x += 2 * LANES, y += 2 * LANES, w += 2 * LANES, s += 2) {
        VEC c = SPLAT(s[0]), d = SPLAT(s[1]), a = LOAD(w), b = LOAD(w + LANES), re = LOAD(x),
            im = LOAD(x + LANES), u = FNMA(d, b, c * a), v = FMA(d, a, c * b);
        STORE(y, FNMA(im, v, re * u));
        STORE(y + LANES, FMA(im, u, re * v));
    }
}

/* ---- points --------------------------------------------------------------------------------- */

typedef struct FN(point) {
    VEC re, im;
} FN(point);
#define POINT FN(point)

AGNI_INLINE POINT FN(add)(POINT a, POINT b)
{
    return (POINT){a.re + b.re, a.im + b.im};
}
AGNI_INLINE POINT FN(subtract)(POINT a, POINT b)
{
    return (POINT){a.re - b.re, a.im - b.im};
}
AGNI_INLINE POINT FN(turn)(POINT a, VEC c, VEC s)
{
    return (POINT){FNMA(a.im, s, a.re * c), FMA(a.im, c, a.re * s)};
}
/* a times -i */
AGNI_INLINE POINT FN(quarter)(POINT a)
{
    return (POINT){a.im, -a.re};
}

AGNI_INLINE void FN(dft2)(POINT *a, POINT *b)
{
    POINT sum = FN(add)(*a, *b);
    *b = FN(subtract)(*a, *b);
    *a = sum;
}
AGNI_INLINE void FN(dft4)(POINT *a, POINT *b, POINT *c, POINT *d)
{
    FN(dft2)(a, c);
    FN(dft2)(b, d);
    POINT odd = FN(quarter)(*d), third = *c, second = FN(subtract)(*a, *b);
    *a = FN(add)(*a, *b);
    *b = FN(add)(third, odd);
    *c = second;
    *d = FN(subtract)(third, odd);
}

AGNI_INLINE void FN(dft8)(POINT *x)
{
    VEC h = SPLAT(0.70710678118654752440);
    FN(dft4)(x, x + 2, x + 4, x + 6);
    FN(dft4)(x + 1, x + 3, x + 5, x + 7);
    POINT a = x[3], c = x[7], even[4] = {x[0], x[2], x[4], x[6]},
          odd[4] = {x[1],
                    {(a.re + a.im) * h, (a.im - a.re) * h},
                    FN(quarter)(x[5]),
                    {(c.im - c.re) * h, -(c.re + c.im) * h}};
    AGNI_UNROLL
    for (int k = 0; k < 4; k++) {
        x[k] = FN(add)(even[k], odd[k]);
        x[k + 4] = FN(subtract)(even[k], odd[k]);
    }
}

AGNI_INLINE void FN(dft16)(POINT *x)
{
    /* cos, -sin of pi k / 8 */
    static const REAL c[10] = {(REAL)1, (REAL)0.92387953251128675613, (REAL)0.70710678118654752440,
                               (REAL)0.38268343236508977173, 0, (REAL)-0.38268343236508977173,
                               (REAL)-0.70710678118654752440, (REAL)-0.92387953251128675613,
                               (REAL)-1, (REAL)-0.92387953251128675613};
    static const REAL s[10] = {0, (REAL)-0.38268343236508977173, (REAL)-0.70710678118654752440,
                               (REAL)-0.92387953251128675613, (REAL)-1,
                               (REAL)-0.92387953251128675613, (REAL)-0.70710678118654752440,
                               (REAL)-0.38268343236508977173, 0, (REAL)0.38268343236508977173};
    POINT y[16];
    AGNI_UNROLL
    for (int i = 0; i < 4; i++)
        FN(dft4)(x + i, x + i + 4, x + i + 8, x + i + 12);
    AGNI_UNROLL
    for (int i = 1; i < 4; i++) {
        AGNI_UNROLL
        for (int k = 1; k < 4; k++)
            x[i + 4 * k] = i * k == 4 ? FN(quarter)(x[i + 4 * k])
                                      : FN(turn)(x[i + 4 * k], SPLAT(c[i * k]), SPLAT(s[i * k]));
    }
    AGNI_UNROLL
    for (int k = 0; k < 4; k++) {
        FN(dft4)(x + 4 * k, x + 4 * k + 1, x + 4 * k + 2, x + 4 * k + 3);
        AGNI_UNROLL
        for (int i = 0; i < 4; i++)
            y[k + 4 * i] = x[4 * k + i];
    }
    AGNI_UNROLL
    for (int k = 0; k < 16; k++)
        x[k] = y[k];
}

/* of p points, odd: c and s are cosines and sines of 2 pi k / p */
AGNI_INLINE void FN(dft_odd)(POINT *x, int p, const REAL *c, const REAL *s)
{
    POINT sum[4], difference[4], y[7];
    y[0] = x[0];
    AGNI_UNROLL
    for (int j = 1; j <= p / 2; j++) {
        sum[j] = FN(add)(x[j], x[p - j]);
        difference[j] = FN(subtract)(x[j], x[p - j]);
        y[0] = FN(add)(y[0], sum[j]);
    }
    AGNI_UNROLL
    for (int k = 1; k <= p / 2; k++) {
        POINT a = x[0], b = {SPLAT(0), SPLAT(0)};
        AGNI_UNROLL
        for (int j = 1; j <= p / 2; j++) {
            VEC cosine = SPLAT(c[j * k % p]), sine = SPLAT(s[j * k % p]);
            a = (POINT){FMA(cosine, sum[j].re, a.re), FMA(cosine, sum[j].im, a.im)};
            b = (POINT){FMA(sine, difference[j].im, b.re), FNMA(sine, difference[j].re, b.im)};
        }
        y[k] = FN(add)(a, b);
        y[p - k] = FN(subtract)(a, b);
    }
    AGNI_UNROLL
    for (int k = 0; k < p; k++)
        x[k] = y[k];
}

AGNI_INLINE void FN(dft)(POINT *x, int radix)
{
    static const REAL c3[] = {1, (REAL)-0.5, (REAL)-0.5},
                      s3[] = {0, (REAL)0.86602540378443864676, (REAL)-0.86602540378443864676},
                      c5[] = {1, (REAL)0.30901699437494742410, (REAL)-0.80901699437494742410,
                              (REAL)-0.80901699437494742410, (REAL)0.30901699437494742410},
                      s5[] = {0, (REAL)0.95105651629515357212, (REAL)0.58778525229247312917,
                              (REAL)-0.58778525229247312917, (REAL)-0.95105651629515357212},
                      c7[] = {1, (REAL)0.62348980185873353053, (REAL)-0.22252093395631440429,
                              (REAL)-0.90096886790241912624, (REAL)-0.90096886790241912624,
                              (REAL)-0.22252093395631440429, (REAL)0.62348980185873353053},
                      s7[] = {0, (REAL)0.78183148246802980871, (REAL)0.97492791218182360702,
                              (REAL)0.43388373911755812048, (REAL)-0.43388373911755812048,
                              (REAL)-0.97492791218182360702, (REAL)-0.78183148246802980871};
    switch (radix) {
    case 2:
        FN(dft2)(x, x + 1);
        break;
    case 3:
        FN(dft_odd)(x, 3, c3, s3);
        break;
    case 4:
        FN(dft4)(x, x + 1, x + 2, x + 3);
        break;
    case 5:
        FN(dft_odd)(x, 5, c5, s5);
        break;
    case 7:
        FN(dft_odd)(x, 7, c7, s7);
        break;
    case 8:
        FN(dft8)(x);
        break;
    default:
        FN(dft16)(x);
    }
}

/* ---- passes --------------------------------------------------------------------------------- */

/* m groups of radix transforms of s neighbours each */
AGNI_INLINE void FN(pass)(int radix, REAL *y, const REAL *x, int64_t m, int64_t s, const REAL *w)
{
    POINT a[16];
    for (int64_t p = 0; p < m; p++)
        for (int64_t q = 0; q < s; q++) {
            AGNI_UNROLL
            for (int i = 0; i < radix; i++) {
                const REAL *from = x + (q + s * (p + m * i)) * 2 * LANES;
                a[i] = (POINT){LOAD(from), LOAD(from + LANES)};
            }
            FN(dft)(a, radix);
            AGNI_UNROLL
            for (int k = 0; k < radix; k++) {
                REAL *to = y + (q + s * (radix * p + k)) * 2 * LANES;
                if (k && w) {
                    const REAL *turn = w + 2 * (p * (radix - 1) + k - 1);
                    a[k] = FN(turn)(a[k], SPLAT(turn[0]), SPLAT(turn[1]));
                }
                STORE(to, a[k].re);
                STORE(to + LANES, a[k].im);
            }
        }
}

#define PASS(radix) \
    static void FN(pass##radix)(REAL *y, const REAL *x, int64_t m, int64_t s, const REAL *w) \
    { \
        if (w) \
            FN(pass)(radix, y, x, m, s, w); \
        else \
            FN(pass)(radix, y, x, 1, s, NULL); \
    }
PASS(2)
PASS(3)
PASS(4)
PASS(5)
PASS(7)
PASS(8)
PASS(16)
#undef PASS

static void *FN(run)(const agni_lane_plan *plan, void *a, void *b)
{
    static void (*const passes[])(REAL *, const REAL *, int64_t, int64_t, const REAL *) = {
        [2] = FN(pass2), [3] = FN(pass3), [4] = FN(pass4), [5] = FN(pass5),
        [7] = FN(pass7), [8] = FN(pass8), [16] = FN(pass16)};
    int64_t s = 1, m = plan->n;
    for (int k = 0; k < plan->count; k++) {
        int radix = plan->radix[k];
        m /= radix;
        passes[radix](b, a, m, s, plan->w[k]);
        s *= radix;
        void *swap = a;
        a = b;
        b = swap;
    }
    return a;
}

/* ---- real numbers as pairs: Z_k = E_k + i O_k, even samples and odd (Sorensen et al. 1987) --- */

/* D times -i w forwards, times the conjugate of that back */
AGNI_INLINE void FN(mix)(REAL *y, const REAL *x, const REAL *w, int64_t m, bool back)
{
    REAL h = back ? 1 : PICK(0.5, 0.5), sign = back ? 1 : -1;
    int64_t k = 1;
    for (; 2 * k + 2 * LANES - 2 < m; k += LANES) {
        int64_t j = m - k - LANES + 1;
        VEC a = LOAD(x + 2 * k), b = LOAD(x + 2 * k + LANES), c = LOAD(x + 2 * j),
            d = LOAD(x + 2 * j + LANES), u = LOAD(w + 2 * k), v = LOAD(w + 2 * k + LANES);
        VEC re = __builtin_shufflevector(a, b, LIST(EVEN)),
            im = __builtin_shufflevector(a, b, LIST(ODD)),
            far_re = __builtin_shufflevector(c, d, LIST(EVEN_BACK)),
            far_im = __builtin_shufflevector(c, d, LIST(ODD_BACK)),
            g = __builtin_shufflevector(u, v, LIST(ODD)),
            f = __builtin_shufflevector(u, v, LIST(EVEN)) * SPLAT(sign);
        VEC e_re = (re + far_re) * SPLAT(h), e_im = (im - far_im) * SPLAT(h),
            d_re = (re - far_re) * SPLAT(h), d_im = (im + far_im) * SPLAT(h),
            t_re = FNMA(d_im, f, d_re * g), t_im = FMA(d_re, f, d_im * g);
        VEC p = e_re + t_re, q = e_im + t_im, r = e_re - t_re, s = t_im - e_im;
        STORE(y + 2 * k, __builtin_shufflevector(p, q, LIST(LOW)));
        STORE(y + 2 * k + LANES, __builtin_shufflevector(p, q, LIST(HIGH)));
        STORE(y + 2 * j, __builtin_shufflevector(r, s, LIST(LOW_BACK)));
        STORE(y + 2 * j + LANES, __builtin_shufflevector(r, s, LIST(HIGH_BACK)));
    }
    for (; 2 * k <= m; k++) {
        const REAL *near = x + 2 * k, *far = x + 2 * (m - k);
        REAL g = w[2 * k + 1], f = w[2 * k] * sign, e_re = (near[0] + far[0]) * h,
             e_im = (near[1] - far[1]) * h, d_re = (near[0] - far[0]) * h,
             d_im = (near[1] + far[1]) * h, t_re = d_re * g - d_im * f, t_im = d_im * g + d_re * f;
        y[2 * (m - k)] = e_re - t_re;
        y[2 * (m - k) + 1] = t_im - e_im;
        y[2 * k] = e_re + t_re;
        y[2 * k + 1] = e_im + t_im;
    }
}

static void FN(untangle)(void *to, const void *from, const void *turns, int64_t m)
{
    const REAL *x = from;
    REAL *y = to, re = x[0], im = x[1];
    FN(mix)(y, x, turns, m, false);
    y[0] = re + im;
    y[2 * m] = re - im;
    y[1] = y[2 * m + 1] = 0;
}

static void FN(tangle)(void *to, const void *from, const void *turns, int64_t m)
{
    const REAL *x = from;
    REAL *y = to;
    FN(mix)(y, x, turns, m, true);
    y[0] = x[0] + x[2 * m];
    y[1] = x[0] - x[2 * m];
}
#undef POINT
