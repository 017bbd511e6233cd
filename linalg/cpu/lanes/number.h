/* linalg/cpu/lanes/number.h - binds the numbers of matrices in lanes, real ones or, with
   AGNI_COMPLEX_LANES, complex ones: the vector of real parts, then that of imaginary parts. After
   real.h; no guard. Functions of numbers are NF(name). */
#undef NUM
#undef NF
#undef WIDTH
#undef GET
#undef PUT
#undef LEAST
#undef MOST
#undef EVERY
/* F(lane, lanes, s) of all lanes */
#ifdef AGNI_REAL_F64
#define EVERY(F, s) AGNI_EVERY_F64(F, s)
#else
#define EVERY(F, s) AGNI_EVERY_F32(F, s)
#endif

#ifndef AGNI_COMPLEX_LANES
#define NF(name) FN(name)
#define NUM VEC
#define WIDTH LANES
#define GET(p) LOAD(p)
#define PUT(p, x) STORE(p, x)
/* pivots within these have reciprocals that are normal numbers, with room to spare */
#define LEAST PICK(0x1p-1000, 0x1p-120)
#define MOST PICK(0x1p1000, 0x1p120)

AGNI_INLINE NUM NF(of_real)(VEC x) { return x; }
AGNI_INLINE NUM NF(of_parts)(VEC x, VEC y) { return (void)y, x; }
AGNI_INLINE VEC NF(real_part)(NUM x) { return x; }
AGNI_INLINE VEC NF(imaginary_part)(NUM x) { return (void)x, SPLAT(0); }
AGNI_INLINE VEC NF(size)(NUM x) { return ABS(x); }
AGNI_INLINE VEC NF(largest_part)(NUM x) { return ABS(x); }
AGNI_INLINE NUM NF(conjugate)(NUM x) { return x; }
AGNI_INLINE NUM NF(minus)(NUM x, NUM y) { return x - y; }
AGNI_INLINE NUM NF(times)(NUM x, NUM y) { return x * y; }
AGNI_INLINE NUM NF(scaled)(NUM x, VEC s) { return x * s; }
AGNI_INLINE NUM NF(over_real)(NUM x, VEC d) { return x / d; }
AGNI_INLINE NUM NF(quotient)(NUM x, NUM d) { return x / d; }
AGNI_INLINE NUM NF(reciprocal)(NUM d) { return SPLAT(1) / d; }
AGNI_INLINE NUM NF(less)(NUM l, NUM u, NUM x) { return FNMA(l, u, x); } /* x - l u */
AGNI_INLINE NUM NF(less_adjoint)(NUM l, NUM u, NUM x) { return FNMA(l, u, x); } /* x - l conj(u) */
AGNI_INLINE NUM NF(plus_adjoint)(NUM l, NUM u, NUM x) { return FMA(l, u, x); } /* x + conj(l) u */
AGNI_INLINE VEC NF(plus_square)(NUM x, VEC sum) { return FMA(x, x, sum); }
AGNI_INLINE NUM NF(choose)(IVEC m, NUM x, NUM y) { return SELECT(m, x, y); }
AGNI_INLINE NUM NF(plus)(NUM x, NUM y) { return x + y; }
/* numbers as they lie in a tensor; real parts at p and imaginary ones a plane behind; one of
   these in all lanes */
AGNI_INLINE NUM NF(get_pairs)(const REAL *p) { return LOAD(p); }
AGNI_INLINE void NF(put_pairs)(REAL *p, NUM x) { STORE(p, x); }
AGNI_INLINE NUM NF(get_planes)(const REAL *p, int64_t plane) { return (void)plane, LOAD(p); }
AGNI_INLINE void NF(put_planes)(REAL *p, int64_t plane, NUM x) { (void)plane, STORE(p, x); }
AGNI_INLINE NUM NF(splat_planes)(const REAL *p, int64_t plane) { return (void)plane, SPLAT(*p); }
#else
#define NF(name) FN(complex_##name)
#define NUM FN(complex_lanes)
#define WIDTH (2 * LANES)
#define GET(p) NF(get)(p)
#define PUT(p, x) NF(put)(p, x)
/* squares of pivots within these, too */
#define LEAST PICK(0x1p-500, 0x1p-60)
#define MOST PICK(0x1p500, 0x1p60)

typedef struct NUM {
    VEC re, im;
} NUM;
AGNI_INLINE NUM NF(get)(const REAL *p) { return (NUM){LOAD(p), LOAD(p + LANES)}; }
AGNI_INLINE void NF(put)(REAL *p, NUM x)
{
    STORE(p, x.re);
    STORE(p + LANES, x.im);
}
AGNI_INLINE NUM NF(of_real)(VEC x) { return (NUM){x, SPLAT(0)}; }
AGNI_INLINE NUM NF(of_parts)(VEC x, VEC y) { return (NUM){x, y}; }
AGNI_INLINE VEC NF(real_part)(NUM x) { return x.re; }
AGNI_INLINE VEC NF(imaginary_part)(NUM x) { return x.im; }
/* |re| + |im|, by which LAPACK chooses pivots */
AGNI_INLINE VEC NF(size)(NUM x) { return ABS(x.re) + ABS(x.im); }
AGNI_INLINE VEC NF(largest_part)(NUM x) { return FN(agni_least)(ABS(x.re), ABS(x.im)); }
AGNI_INLINE NUM NF(conjugate)(NUM x) { return (NUM){x.re, -x.im}; }
AGNI_INLINE NUM NF(minus)(NUM x, NUM y) { return (NUM){x.re - y.re, x.im - y.im}; }
AGNI_INLINE NUM NF(times)(NUM x, NUM y)
{
    return (NUM){FNMA(x.im, y.im, x.re * y.re), FMA(x.im, y.re, x.re * y.im)};
}
AGNI_INLINE NUM NF(scaled)(NUM x, VEC s) { return (NUM){x.re * s, x.im * s}; }
AGNI_INLINE NUM NF(over_real)(NUM x, VEC d) { return (NUM){x.re / d, x.im / d}; }
AGNI_INLINE VEC NF(plus_square)(NUM x, VEC sum) { return FMA(x.im, x.im, FMA(x.re, x.re, sum)); }
AGNI_INLINE NUM NF(reciprocal)(NUM d)
{
    VEC square = NF(plus_square)(d, SPLAT(0));
    return (NUM){d.re / square, -d.im / square};
}
AGNI_INLINE NUM NF(quotient)(NUM x, NUM d) { return NF(times)(x, NF(reciprocal)(d)); }
AGNI_INLINE NUM NF(less)(NUM l, NUM u, NUM x)
{
    return (NUM){FMA(l.im, u.im, FNMA(l.re, u.re, x.re)), FNMA(l.im, u.re, FNMA(l.re, u.im, x.im))};
}
AGNI_INLINE NUM NF(less_adjoint)(NUM l, NUM u, NUM x)
{
    return (NUM){FNMA(l.im, u.im, FNMA(l.re, u.re, x.re)), FNMA(l.im, u.re, FMA(l.re, u.im, x.im))};
}
AGNI_INLINE NUM NF(plus_adjoint)(NUM l, NUM u, NUM x)
{
    return (NUM){FMA(l.im, u.im, FMA(l.re, u.re, x.re)), FNMA(l.im, u.re, FMA(l.re, u.im, x.im))};
}
AGNI_INLINE NUM NF(choose)(IVEC m, NUM x, NUM y)
{
    return (NUM){SELECT(m, x.re, y.re), SELECT(m, x.im, y.im)};
}
AGNI_INLINE NUM NF(plus)(NUM x, NUM y) { return (NUM){x.re + y.re, x.im + y.im}; }
#undef EVEN_LANE
#undef ODD_LANE
#undef MIXED_LANE
#define EVEN_LANE(l, n, s) (2 * (l))
#define ODD_LANE(l, n, s) (2 * (l) + 1)
#define MIXED_LANE(l, n, s) (((l) & 1) * LANES + (l) / 2 + (s))
AGNI_INLINE NUM NF(get_pairs)(const REAL *p)
{
    const VEC a = LOAD(p), b = LOAD(p + LANES);
    return (NUM){__builtin_shufflevector(a, b, EVERY(EVEN_LANE, 0)),
                 __builtin_shufflevector(a, b, EVERY(ODD_LANE, 0))};
}
AGNI_INLINE void NF(put_pairs)(REAL *p, NUM x)
{
    STORE(p, __builtin_shufflevector(x.re, x.im, EVERY(MIXED_LANE, 0)));
    STORE(p + LANES, __builtin_shufflevector(x.re, x.im, EVERY(MIXED_LANE, LANES / 2)));
}
AGNI_INLINE NUM NF(get_planes)(const REAL *p, int64_t plane)
{
    return (NUM){LOAD(p), LOAD(p + plane)};
}
AGNI_INLINE void NF(put_planes)(REAL *p, int64_t plane, NUM x)
{
    STORE(p, x.re);
    STORE(p + plane, x.im);
}
AGNI_INLINE NUM NF(splat_planes)(const REAL *p, int64_t plane)
{
    return (NUM){SPLAT(p[0]), SPLAT(p[plane])};
}
#endif
