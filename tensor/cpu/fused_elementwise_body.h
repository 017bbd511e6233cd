/* fused_elementwise_body.h - fused chains for the element type bound by real.h: the commonest steps
   run
 * here, strip by strip of a block, the others call the kernels of the level, so a chain's bits are
 * those of its steps one by one. */

#undef AGNI_MAP_ENTRY
#undef AGNI_LOOP_ENTRY
#define AGNI_MAP_ENTRY(name) [AGNI_VM_##name] = AGNI_LV(FN(agni_simd_map_##name)),
#define AGNI_LOOP2_ENTRY(name) [AGNI_V2_##name] = AGNI_LV(FN(agni_simd_loop_##name)),
#define AGNI_LOOP3_ENTRY(name) [AGNI_V3_##name] = AGNI_LV(FN(agni_simd_loop_##name)),
static agni_simd_map *const FN(agni_maps)[] = {AGNI_VMAPS(AGNI_MAP_ENTRY)};
static agni_simd_loop *const FN(agni_loops2)[] = {AGNI_VLOOPS2(AGNI_LOOP2_ENTRY)};
static agni_simd_loop *const FN(agni_loops3)[] = {AGNI_VLOOPS3(AGNI_LOOP3_ENTRY)};
#undef AGNI_MAP_ENTRY
#undef AGNI_LOOP2_ENTRY
#undef AGNI_LOOP3_ENTRY

static void FN(agni_far_step)(const agni_chain_step *q, char *const *at, int64_t n)
{
    const agni_simd_operand in[3] = {{at[q->a], n, 1}, {at[q->b], n, 1}, {at[q->c], n, 1}};
    if (q->kind == AGNI_VC_MAP)
        FN(agni_maps)[q->f](at[q->to], at[q->a], n);
    else if (q->kind == AGNI_VC_LOOP2)
        FN(agni_loops2)[q->f](at[q->to], n, in, 1, n);
    else
        FN(agni_loops3)[q->f](at[q->to], n, in, 1, n);
}

/* what a step of a run reads */
typedef struct FN(agni_in) {
    const REAL *a, *b, *c;
    VEC number;
} FN(agni_in);
AGNI_INLINE FN(agni_in) FN(agni_in_of)(const agni_chain_step *q, char *const *at, int kind)
{
#define NEAR(name, op, sum, number, value) number,
    static const uint8_t number[AGNI_VC_NONE + 1] = {
#include "tensor/cpu/simd/fused_steps.def"
    };
#undef NEAR
    FN(agni_in) x = {NULL, NULL, NULL, {0}};
    if (kind == AGNI_VC_NONE)
        return x;
    x.a = (const REAL *)(void *)at[q->a];
    x.b = (const REAL *)(void *)at[q->b];
    x.c = (const REAL *)(void *)at[q->c];
    if (number[kind])
        x.number = LOAD(number[kind] == 3 ? x.c : x.b);
    return x;
}

/* the steps at element i; S is the result of the step before */
#define A LOAD(x.a + i)
#define B LOAD(x.b + i)
#define C LOAD(x.c + i)
#define N x.number
#define NEAR(name, op, sum, number, value)                                \
    AGNI_INLINE VEC FN(agni_near_##name)(FN(agni_in) x, VEC S, int64_t i) \
    {                                                                     \
        (void)x, (void)S, (void)i;                                        \
        return value;                                                     \
    }
#include "tensor/cpu/simd/fused_steps.def"
NEAR(NONE, NONE, 0, 0, S)
#undef NEAR
#undef A
#undef B
#undef C
#undef N

/* a run over a block, four vectors at a time; how many steps it has beyond its first */
#define OPERANDS(k, name) const FN(agni_in) x##k = FN(agni_in_of)(q + k, at, AGNI_VC_##name);
#define NAME(a, b, c, d, e) FN(agni_run_##a##_##b##_##c##_##d##_##e)
#define RUN(a, b, c, d, e)                                                             \
    static int NAME(a, b, c, d, e)(const agni_chain_step *q, char *const *at, int64_t n)    \
    {                                                                                  \
        OPERANDS(0, a) OPERANDS(1, b) OPERANDS(2, c) OPERANDS(3, d) OPERANDS(4, e)     \
        enum { LAST = LENGTH(b, c, d, e) };                                            \
        REAL *y = (REAL *)(void *)at[q[LAST].to];                                      \
        int64_t i = 0;                                                                 \
        for (; i + 4 * LANES <= n; i += 4 * LANES) {                                   \
            AGNI_UNROLL                                                                \
            for (int k = 0; k < 4; k++) {                                              \
                const int64_t j = i + k * LANES;                                       \
                STORE(y + j, VALUE(a, b, c, d, e));                                    \
            }                                                                          \
        }                                                                              \
        for (int64_t j = i; j < n; j += LANES)                                         \
            STORE(y + j, VALUE(a, b, c, d, e));                                        \
        return LAST;                                                                   \
    }
#define LENGTH(b, c, d, e) \
    ((AGNI_VC_##b != AGNI_VC_NONE) + (AGNI_VC_##c != AGNI_VC_NONE) + \
     (AGNI_VC_##d != AGNI_VC_NONE) + (AGNI_VC_##e != AGNI_VC_NONE))
#define VALUE(a, b, c, d, e)                                                                  \
    FN(agni_near_##e)(x4, FN(agni_near_##d)(x3, FN(agni_near_##c)(x2, FN(agni_near_##b)(x1,  \
        FN(agni_near_##a)(x0, (VEC){0}, j), j), j), j), j)
#include "tensor/cpu/simd/fused_steps.def"
#undef RUN
#define RUN(a, b, c, d, e) NAME(a, b, c, d, e),
static int (*const FN(agni_runs)[])(const agni_chain_step *q, char *const *at, int64_t n) = {
#include "tensor/cpu/simd/fused_steps.def"
};
#undef RUN
#undef OPERANDS
#undef NAME
#undef LENGTH
#undef VALUE

void AGNI_LV(FN(agni_run_chain))(const agni_chain_step *step, int n_step, char **at, int moving,
                              int64_t n)
{
    enum { BLOCK = AGNI_VBLOCK / (int)sizeof(REAL) };
    for (int64_t i = 0; i < n; i += BLOCK) {
        const int64_t m = n - i < BLOCK ? n - i : BLOCK;
        for (const agni_chain_step *q = step; q < step + n_step; q++)
            if (q->kind < AGNI_VC_MAP)
                q += FN(agni_runs)[q->f](q, at, m);
            else
                FN(agni_far_step)(q, at, m);
        for (int k = 0; k < moving; k++)
            at[k] += AGNI_VBLOCK;
    }
}
