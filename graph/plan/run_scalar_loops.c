/* graph/plan/run_scalar_loops.c - the interpreter of scalar loops: one case for an operation, a width
   and a way in which operands lie; elements side by side are taken by vectors. It computes what the
   kernels do, bit by bit; sums of all elements have the order of the kernel of reductions. */
#include "graph/plan/scalar_loops.h"

#include <float.h>
#include <math.h>

/* elements as they are, whatever they are */
typedef uint32_t bits32 __attribute__((may_alias));
typedef uint64_t bits64 __attribute__((may_alias));

static inline char *resolve_address(char *const *base, const agni_scalar_operand *at)
{
    return base[at->buffer] + at->offset;
}

/* as many elements as 16 bytes hold, beginning anywhere: wider vectors, which this file has no
   instructions for, would pass through memory */
#define LANES(name, type) \
    typedef type name __attribute__((vector_size(16), aligned(sizeof(type)), may_alias))
LANES(lanes_bits32, uint32_t);
LANES(lanes_bits64, uint64_t);
LANES(lanes_float, float);
LANES(lanes_double, double);

/* of three elements, or of three vectors of them */
#define MOVE(a, b, c) (a)
#define ADD(a, b, c) ((a) + (b))
#define SUB(a, b, c) ((a) - (b))
#define MUL(a, b, c) ((a) * (b))
#define MUL_ADD(a, b, c) ((a) * (b) + (c))
#define MUL_SUB(a, b, c) ((a) * (b) - (c))
#define SUB_MUL(a, b, c) ((c) - (a) * (b))
#define DIV(a, b, c) ((a) / (b))
#define NEG(a, b, c) (-(a))
#define SQUARE(a, b, c) ((a) * (a))
#define RECIPROCAL(a, b, c) (1 / (a))

#define BEGIN(type)                                                               \
    type *y = (type *)(void *)resolve_address(base, &q->at[0]);                   \
    const type *a = (const type *)(void *)resolve_address(base, &q->at[1]);       \
    const type *b = (const type *)(void *)resolve_address(base, &q->at[2]);       \
    const type *c = (const type *)(void *)resolve_address(base, &q->at[3]);       \
    (void)b, (void)c;
#define AT(type, p) (*(const lanes_##type *)(const void *)((p) + k))
#define ALL(type, x) ((x) - (lanes_##type){0}) /* x - 0 is x, -0 too */
/* vectors, then what is left; a1, b1: of one element, av, bv: of a vector */
#define RUN(type, of, a1, b1, av, bv)                                             \
    {                                                                             \
        const int32_t w = (int32_t)(sizeof(lanes_##type) / sizeof(type));         \
        int32_t k = 0;                                                            \
        for (; k + w <= q->n; k += w)                                             \
            *(lanes_##type *)(void *)(y + k) = of(av, bv, AT(type, c));           \
        for (; k < q->n; k++)                                                     \
            y[k] = of(a1, b1, c[k]);                                              \
        break;                                                                    \
    }
#define UNARY_OF(of, wide, type)                                                  \
    case KIND(FEW_##of, wide, ONE): {                                             \
        BEGIN(type)                                                               \
        *y = of(*a, *b, *c);                                                      \
        break;                                                                    \
    }                                                                             \
    case KIND(FEW_##of, wide, SIDE_BY_SIDE): {                                    \
        BEGIN(type)                                                               \
        RUN(type, of, a[k], b[k], AT(type, a), AT(type, b))                       \
    }                                                                             \
    case KIND(FEW_##of, wide, ANY_STEPS): {                                       \
        BEGIN(type)                                                               \
        const int64_t sy = q->at[0].step, sa = q->at[1].step, sb = q->at[2].step; \
        const int64_t sc = q->at[3].step;                                         \
        for (int32_t left = q->n; left > 0; left--, y += sy, a += sa, b += sb, c += sc) \
            *y = of(*a, *b, *c);                                                  \
        break;                                                                    \
    }

#define BINARY_OF(of, wide, type)                                                 \
    UNARY_OF(of, wide, type)                                                      \
    case KIND(FEW_##of, wide, FIRST_ONCE): {                                      \
        BEGIN(type)                                                               \
        const type once = *a;                                                     \
        RUN(type, of, once, b[k], ALL(type, once), AT(type, b))                   \
    }                                                                             \
    case KIND(FEW_##of, wide, SECOND_ONCE): {                                     \
        BEGIN(type)                                                               \
        const type once = *b;                                                     \
        RUN(type, of, a[k], once, AT(type, a), ALL(type, once))                   \
    }

/* where, comparisons, truth values: operands of several types, of any steps */
#define CHOICE_OF(operation, wide, ty, ta, tb, expression)                              \
    case KIND(operation, wide, ONE):                                                    \
    case KIND(operation, wide, SIDE_BY_SIDE):                                           \
    case KIND(operation, wide, FIRST_ONCE):                                             \
    case KIND(operation, wide, SECOND_ONCE):                                            \
    case KIND(operation, wide, ANY_STEPS): {                                            \
        ty *y = (ty *)(void *)resolve_address(base, &q->at[0]);                         \
        const ta *a = (const ta *)(void *)resolve_address(base, &q->at[1]);             \
        const tb *b = (const tb *)(void *)resolve_address(base, &q->at[2]);             \
        const tb *c = (const tb *)(void *)resolve_address(base, &q->at[3]);             \
        (void)b, (void)c;                                                               \
        const int64_t sy = q->at[0].step, sa = q->at[1].step, sb = q->at[2].step;       \
        const int64_t sc = q->at[3].step;                                               \
        for (int32_t left = q->n;;) {                                                   \
            *y = expression;                                                            \
            if (--left <= 0)                                                            \
                break;                                                                  \
            y += sy, a += sa, b += sb, c += sc;                                         \
        }                                                                               \
        break;                                                                          \
    }

/* n numbers side by side, 1 to MOST, in the order of tensor/reduce/cpu/reduce_body.h: one by one if
   they are less than 8, else 32 accumulators added by halves; those that no number meets are 0 and
   change nothing. 0 + x is 0 for -0: added last it changes no other sum. */
enum { ACCUMULATORS = 32 };
#define FOLD(half)                    \
    for (int k = 0; k < (half); k++)  \
        t[k] += t[k + (half)];
#define SUM_OF(wide, type)                                                        \
    case KIND(FEW_SUM, wide, ONE):                                                \
    case KIND(FEW_SUM, wide, ANY_STEPS): {                                        \
        type *y = (type *)(void *)resolve_address(base, &q->at[0]);               \
        const type *a = (const type *)(void *)resolve_address(base, &q->at[1]);   \
        type t[ACCUMULATORS];                                                     \
        if (q->n < 8) {                                                           \
            type sum = q->n == 1 ? a[0] : 0 + a[0];                               \
            for (int k = 1; k < q->n; k++)                                        \
                sum += a[k];                                                      \
            *y = sum;                                                             \
            break;                                                                \
        }                                                                         \
        if (q->n == 8) {                                                          \
            *y = 0 + (((a[0] + a[4]) + (a[2] + a[6])) +                           \
                      ((a[1] + a[5]) + (a[3] + a[7])));                           \
            break;                                                                \
        }                                                                         \
        const int h = q->n <= 16 ? 16 : ACCUMULATORS;                             \
        for (int k = 0; k < h; k++)                                               \
            t[k] = k < q->n ? 0 + a[k] : 0;                                       \
        for (int k = h; k < q->n; k++)                                            \
            t[k - h] += a[k];                                                     \
        if (h == ACCUMULATORS)                                                    \
            FOLD(16)                                                              \
        FOLD(8)                                                                   \
        *y = ((t[0] + t[4]) + (t[2] + t[6])) + ((t[1] + t[5]) + (t[3] + t[7]));   \
        break;                                                                    \
    }

static void run_apart(const agni_scalar_loop *q, char *const *p)
{
    int64_t step[AGNI_LOOP_OPERANDS];
    int bytes[AGNI_LOOP_OPERANDS];
    for (int i = 0; i < q->apart; i++) {
        bytes[i] = q->at[i].bytes;
        step[i] = (int64_t)q->at[i].step * bytes[i];
    }
    agni_ew_run_strided(q->loop, q->apart, p, step, bytes, q->n, q->ints);
}

void agni_run_scalar_loops(const agni_scalar_loop *q, int32_t n, char *const *base)
{
    for (const agni_scalar_loop *end = q + n; q < end; q++)
        switch (q->kind) {
            UNARY_OF(MOVE, 0, bits32)
            UNARY_OF(MOVE, 1, bits64)
            BINARY_OF(ADD, 0, float)
            BINARY_OF(ADD, 1, double)
            BINARY_OF(SUB, 0, float)
            BINARY_OF(SUB, 1, double)
            BINARY_OF(MUL, 0, float)
            BINARY_OF(MUL, 1, double)
            BINARY_OF(MUL_ADD, 0, float)
            BINARY_OF(MUL_ADD, 1, double)
            BINARY_OF(MUL_SUB, 0, float)
            BINARY_OF(MUL_SUB, 1, double)
            BINARY_OF(SUB_MUL, 0, float)
            BINARY_OF(SUB_MUL, 1, double)
            BINARY_OF(DIV, 0, float)
            BINARY_OF(DIV, 1, double)
            UNARY_OF(NEG, 0, float)
            UNARY_OF(NEG, 1, double)
            UNARY_OF(SQUARE, 0, float)
            UNARY_OF(SQUARE, 1, double)
            UNARY_OF(RECIPROCAL, 0, float)
            UNARY_OF(RECIPROCAL, 1, double)
            CHOICE_OF(FEW_WHERE, 0, bits32, uint8_t, bits32, *a ? *b : *c)
            CHOICE_OF(FEW_WHERE, 1, bits64, uint8_t, bits64, *a ? *b : *c)
            CHOICE_OF(FEW_LESS, 0, uint8_t, float, float, *a < *b)
            CHOICE_OF(FEW_LESS, 1, uint8_t, double, double, *a < *b)
            CHOICE_OF(FEW_ISINF, 0, uint8_t, float, float, isinf(*a) != 0)
            CHOICE_OF(FEW_ISINF, 1, uint8_t, double, double, isinf(*a) != 0)
            CHOICE_OF(FEW_ISPOSINF, 0, uint8_t, float, float, *a > FLT_MAX)
            CHOICE_OF(FEW_ISPOSINF, 1, uint8_t, double, double, *a > DBL_MAX)
            CHOICE_OF(FEW_NOT, 0, uint8_t, uint8_t, uint8_t, !*a)
            CHOICE_OF(FEW_AND, 0, uint8_t, uint8_t, uint8_t, (*a != 0) & (*b != 0))
            CHOICE_OF(FEW_OR, 0, uint8_t, uint8_t, uint8_t, (*a | *b) != 0)
            SUM_OF(0, float)
            SUM_OF(1, double)
        default: {
            char *p[AGNI_LOOP_OPERANDS];
            for (int i = 0; i < AGNI_LOOP_OPERANDS; i++)
                p[i] = resolve_address(base, &q->at[i]);
            if (q->apart)
                run_apart(q, p);
            else
                q->loop(p, q->n, q->ints);
        }
        }
}
