/* vector_loops_body.h - loops over rows of operands that are vectors or scalars, for the type bound
   by
 * real.h. */

AGNI_INLINE VEC FN(agni_vx_add)(VEC a, VEC b)
{
    return a + b;
}
AGNI_INLINE VEC FN(agni_vx_sub)(VEC a, VEC b)
{
    return a - b;
}
AGNI_INLINE VEC FN(agni_vx_mul)(VEC a, VEC b)
{
    return a * b;
}
AGNI_INLINE VEC FN(agni_vx_div)(VEC a, VEC b)
{
    return a / b;
}
AGNI_INLINE VEC FN(agni_vx_mulz)(VEC a, VEC b)
{
    return FN(agni_mulz)(a, b);
}
AGNI_INLINE VEC FN(agni_vx_max)(VEC a, VEC b)
{
    return FN(agni_max)(a, b);
}
AGNI_INLINE VEC FN(agni_vx_min)(VEC a, VEC b)
{
    return FN(agni_min)(a, b);
}
AGNI_INLINE VEC FN(agni_one_if)(IVEC m)
{
    return (VEC)(m & (IVEC)SPLAT(1));
}
AGNI_INLINE VEC FN(agni_vx_lt)(VEC a, VEC b)
{
    return FN(agni_one_if)(a < b);
}
AGNI_INLINE VEC FN(agni_vx_le)(VEC a, VEC b)
{
    return FN(agni_one_if)(a <= b);
}
AGNI_INLINE VEC FN(agni_vx_eq)(VEC a, VEC b)
{
    return FN(agni_one_if)(a == b);
}
AGNI_INLINE VEC FN(agni_vx_ne)(VEC a, VEC b)
{
    return FN(agni_one_if)(a != b);
}

AGNI_INLINE VEC FN(agni_vx_fma)(VEC a, VEC b, VEC c)
{
    return FMA(a, b, c);
}
AGNI_INLINE VEC FN(agni_vx_fnma)(VEC a, VEC b, VEC c)
{
    return FNMA(a, b, c);
}
AGNI_INLINE VEC FN(agni_vx_fmaz)(VEC a, VEC b, VEC c)
{
    return FN(agni_fmaz)(a, b, c);
}
AGNI_INLINE VEC FN(agni_vx_where)(VEC a, VEC b, VEC c)
{
    return SELECT(a != (REAL)0, b, c);
}
AGNI_INLINE VEC FN(agni_vx_gate)(VEC a, VEC b, VEC c)
{
    return SELECT(c < a, b, c);
}

AGNI_INLINE VEC FN(agni_operand)(const REAL *p, bool vector, int64_t i)
{
    return vector ? LOAD(p + i) : SPLAT(*p);
}
AGNI_INLINE VEC FN(agni_operand_part)(const REAL *p, bool vector, int64_t i, int64_t n)
{
    return vector ? LOAD_PART(p + i, n) : SPLAT(*p);
}

/* One row; va, vb are constants at every call, so each call is its own loop. */
AGNI_INLINE void FN(agni_row2)(REAL *y, const REAL *a, bool va, const REAL *b, bool vb,
                               int64_t n, VEC (*f)(VEC, VEC))
{
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        STORE(y + i, f(FN(agni_operand)(a, va, i), FN(agni_operand)(b, vb, i)));
    if (i < n)
        STORE_PART(y + i,
                   f(FN(agni_operand_part)(a, va, i, n - i),
                     FN(agni_operand_part)(b, vb, i, n - i)),
                   n - i);
}
AGNI_INLINE void FN(agni_row3)(REAL *y, const REAL *a, bool va, const REAL *b, bool vb,
                               const REAL *c, bool vc, int64_t n,
                               VEC (*f)(VEC, VEC, VEC))
{
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        STORE(y + i, f(FN(agni_operand)(a, va, i), FN(agni_operand)(b, vb, i),
                       FN(agni_operand)(c, vc, i)));
    if (i < n)
        STORE_PART(y + i,
                   f(FN(agni_operand_part)(a, va, i, n - i),
                     FN(agni_operand_part)(b, vb, i, n - i),
                     FN(agni_operand_part)(c, vc, i, n - i)),
                   n - i);
}

/* Whether the rows of all operands are contiguous, so that they are one row: the usual case, a
   whole
 * tile. */
AGNI_INLINE bool FN(agni_is_flat)(int64_t yrow, const agni_simd_operand *in, int count,
                                  int64_t n)
{
    bool flat = yrow == n;
    for (int k = 0; k < count; k++)
        flat = flat && in[k].row == (in[k].step ? n : 0);
    return flat;
}

AGNI_INLINE void FN(agni_loop2)(void *yv, int64_t yrow, const agni_simd_operand *in,
                                int64_t rows, int64_t n, VEC (*f)(VEC, VEC))
{
    REAL *y = yv;
    const REAL *a = in[0].p, *b = in[1].p;
    const bool va = in[0].step, vb = in[1].step;
    if (FN(agni_is_flat)(yrow, in, 2, n)) {
        n *= rows;
        rows = 1;
    }
    for (; rows > 0; rows--, y += yrow, a += in[0].row, b += in[1].row) {
        if (va && vb)
            FN(agni_row2)(y, a, true, b, true, n, f);
        else if (va)
            FN(agni_row2)(y, a, true, b, false, n, f);
        else if (vb)
            FN(agni_row2)(y, a, false, b, true, n, f);
        else
            FN(agni_row2)(y, a, false, b, false, n, f);
    }
}

AGNI_INLINE void FN(agni_loop3)(void *yv, int64_t yrow, const agni_simd_operand *in,
                                int64_t rows, int64_t n, VEC (*f)(VEC, VEC, VEC))
{
    REAL *y = yv;
    const REAL *a = in[0].p, *b = in[1].p, *c = in[2].p;
    const bool va = in[0].step, vb = in[1].step, vc = in[2].step;
    if (FN(agni_is_flat)(yrow, in, 3, n)) {
        n *= rows;
        rows = 1;
    }
    for (; rows > 0;
         rows--, y += yrow, a += in[0].row, b += in[1].row, c += in[2].row) {
        if (va && vb && vc)
            FN(agni_row3)(y, a, true, b, true, c, true, n, f);
        else if (va && vb)
            FN(agni_row3)(y, a, true, b, true, c, false, n, f);
        else if (va && vc)
            FN(agni_row3)(y, a, true, b, false, c, true, n, f);
        else if (vb && vc)
            FN(agni_row3)(y, a, false, b, true, c, true, n, f);
        else
            FN(agni_row3)(y, a, va, b, vb, c, vc, n, f);
    }
}

#undef AGNI_LOOP2
#undef AGNI_LOOP3
#define AGNI_LOOP2(name)                                                           \
    void AGNI_LV(FN(agni_simd_loop_##name))(void *y, int64_t yrow, const agni_simd_operand *in, \
                                        int64_t rows, int64_t n)                   \
    {                                                                              \
        FN(agni_loop2)(y, yrow, in, rows, n, FN(agni_vx_##name));                  \
    }
#define AGNI_LOOP3(name)                                                           \
    void AGNI_LV(FN(agni_simd_loop_##name))(void *y, int64_t yrow, const agni_simd_operand *in, \
                                        int64_t rows, int64_t n)                   \
    {                                                                              \
        FN(agni_loop3)(y, yrow, in, rows, n, FN(agni_vx_##name));                  \
    }
AGNI_VLOOPS2(AGNI_LOOP2)
AGNI_VLOOPS3(AGNI_LOOP3)
