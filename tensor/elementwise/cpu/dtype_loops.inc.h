/* tensor/elementwise/cpu/dtype_loops.inc.h - the loops of one dtype: included once per dtype with
     T, S      C type and suffix of the compute dtype
     TR, TC    C types of the real and complex dtype belonging to it
     SFX       name suffix; HAS_<class> 1 where the row's class covers the dtype
   Operations are spelled by suffix, so integers wrap and bools do logic. No guard: every
   inclusion defines other functions. */

#define CAT_(a, b) a##_##b
#define CAT(a, b) CAT_(a, b)
#define FN(f, ...) CAT(f, SFX)(__VA_ARGS__)
#define ADD(a, b) CAT(add, SFX)(a, b)
#define SUB(a, b) CAT(sub, SFX)(a, b)
#define MUL(a, b) CAT(mul, SFX)(a, b)
#define DIV(a, b) ((a) / (b))
#define NEG(a) CAT(neg, SFX)(a)
#define LIT(c) ((T)(c))
#define SEL(c, a, b) ((c) ? (a) : (b))
#define EQ(a, b) ((a) == (b))
#define NE(a, b) ((a) != (b))
#define LT(a, b) ((a) < (b))
#define LE(a, b) ((a) <= (b))
#define GT(a, b) ((a) > (b))
#define GE(a, b) ((a) >= (b))
#define NOT(a) ((a) == (T)0)
#define AND(a, b) ((a) != (T)0 && (b) != (T)0)
#define OR(a, b) ((a) != (T)0 || (b) != (T)0)
#define OUT_SAME T
#define OUT_BOOL bool
#define OUT_REAL TR
#define OUT_CPLX TC

/* n contiguous elements; the output may be an input: elements do not depend on each other */
#define LOOP(name) \
    static void CAT(CAT(loop, name), SFX)(char *const *p, int64_t n, const int64_t *at)
#define LOOP1(name, O, fwd) \
    LOOP(name) \
    { \
        O *y = (O *)(void *)p[0]; \
        const T *x = (const T *)(const void *)p[1]; \
        (void)at; \
        INDEPENDENT for (int64_t i = 0; i < n; i++) \
        { \
            T X = x[i]; \
            y[i] = fwd; \
        } \
    }
#define LOOP2(name, O, fwd) \
    LOOP(name) \
    { \
        O *y = (O *)(void *)p[0]; \
        const T *a = (const T *)(const void *)p[1], *b = (const T *)(const void *)p[2]; \
        (void)at; \
        INDEPENDENT for (int64_t i = 0; i < n; i++) \
        { \
            T A = a[i], B = b[i]; \
            y[i] = fwd; \
        } \
    }
#define LOOP3(name, O, fwd) \
    LOOP(name) \
    { \
        O *y = (O *)(void *)p[0]; \
        const T *a = (const T *)(const void *)p[1], *b = (const T *)(const void *)p[2]; \
        const T *w = (const T *)(const void *)p[3]; \
        (void)at; \
        INDEPENDENT for (int64_t i = 0; i < n; i++) \
        { \
            T A = a[i], B = b[i], W = w[i]; \
            y[i] = fwd; \
        } \
    }
#define P at[0]

#define EW1(c, name, out, fwd, ...) CAT(ROW1, HAS(c))(name, OUT_##out, fwd)
#define EW1P EW1
#define EW1X EW1
#define EW2(c, name, out, fwd, ...) CAT(ROW2, HAS(c))(name, OUT_##out, fwd)
#define EW3(c, name, out, fwd, ...) CAT(ROW3, HAS(c))(name, OUT_##out, fwd)
#define INNER2 EW2
#define INNER3 EW3
#define LIN1 EW1
#define LIN2 EW2
#define DISC1 EW1
#define DISC1X EW1
#define DISC2 EW2
#define DISC2X EW2
#define INNERD1 EW1
#define INNERD2 EW2
#define HAS(c) CAT(HAS, c)
#define ROW1_1 LOOP1
#define ROW2_1 LOOP2
#define ROW3_1 LOOP3
#define ROW1_0(...)
#define ROW2_0(...)
#define ROW3_0(...)
#include "tensor/rows/ops.def"
#include "tensor/rows/ops_end.h"

LOOP(where)
{
    T *y = (T *)(void *)p[0];
    const bool *c = (const bool *)(const void *)p[1];
    const T *a = (const T *)(const void *)p[2], *b = (const T *)(const void *)p[3];
    (void)at;
    INDEPENDENT for (int64_t i = 0; i < n; i++)
    {
        T u = a[i], v = b[i];
        y[i] = c[i] ? u : v;
    }
}

#undef P
#undef CAT_
#undef CAT
#undef FN
#undef ADD
#undef SUB
#undef MUL
#undef DIV
#undef NEG
#undef LIT
#undef SEL
#undef EQ
#undef NE
#undef LT
#undef LE
#undef GT
#undef GE
#undef NOT
#undef AND
#undef OR
#undef OUT_SAME
#undef OUT_BOOL
#undef OUT_REAL
#undef OUT_CPLX
#undef LOOP
#undef LOOP1
#undef LOOP2
#undef LOOP3
#undef HAS
#undef ROW1_1
#undef ROW2_1
#undef ROW3_1
#undef ROW1_0
#undef ROW2_0
#undef ROW3_0
