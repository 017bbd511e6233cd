/* fused_elementwise_body.h - fused chains for the element type bound by real.h: the commonest steps
 * run here, strip by strip of a block, the others call the kernels of the level, so a chain's bits
 * are those of its steps one by one. */

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

static void FN(agni_far_step)(const agni_chain_step *q, const agni_chain_places *at, int64_t rows,
                              int64_t n)
{
    const int64_t z = (int64_t)sizeof(REAL);
    const agni_simd_operand in[3] = {{at->p[q->a], at->row[q->a] / z, 1},
                                     {at->p[q->b], at->row[q->b] / z, 1},
                                     {at->p[q->c], at->row[q->c] / z, 1}};
    char *y = at->p[q->to];
    if (q->kind == AGNI_VC_MAP)
        for (int64_t e = 0; e < rows; e++)
            FN(agni_maps)[q->f](y + e * at->row[q->to], at->p[q->a] + e * at->row[q->a], n);
    else if (q->kind == AGNI_VC_LOOP2)
        FN(agni_loops2)[q->f](y, at->row[q->to] / z, in, rows, n);
    else
        FN(agni_loops3)[q->f](y, at->row[q->to] / z, in, rows, n);
}

/* what a step of a run reads */
typedef struct FN(agni_in) {
    const REAL *a, *b, *c;
    VEC number;
} FN(agni_in);
#define NEAR(name, op, sum, number, value) number,
static const uint8_t FN(agni_number_operand)[AGNI_VC_NONE + 1] = {
#include "tensor/cpu/simd/fused_steps.def"
};
#undef NEAR
AGNI_INLINE FN(agni_in) FN(agni_in_of)(const agni_chain_step *q, const agni_chain_places *at,
                                       int kind)
{
    const uint8_t *number = FN(agni_number_operand);
    FN(agni_in) x = {NULL, NULL, NULL, {0}};
    if (kind == AGNI_VC_NONE)
        return x;
    x.a = (const REAL *)(void *)at->p[q->a];
    x.b = (const REAL *)(void *)at->p[q->b];
    x.c = (const REAL *)(void *)at->p[q->c];
    if (number[kind])
        x.number = SPLAT(*(number[kind] == 3 ? x.c : x.b));
    return x;
}
AGNI_INLINE void FN(agni_in_next_row)(FN(agni_in) *x, const agni_chain_step *q,
                                      const agni_chain_places *at, int kind)
{
    if (kind == AGNI_VC_NONE)
        return;
    x->a = (const REAL *)(const void *)((const char *)x->a + at->row[q->a]);
    x->b = (const REAL *)(const void *)((const char *)x->b + at->row[q->b]);
    x->c = (const REAL *)(const void *)((const char *)x->c + at->row[q->c]);
    if (FN(agni_number_operand)[kind])
        x->number = SPLAT(*(FN(agni_number_operand)[kind] == 3 ? x->c : x->b));
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

/* a run over a block, or over rows of it, four vectors at a time; how many steps it has beyond its
   first */
#define OPERANDS(k, name) FN(agni_in) x##k = FN(agni_in_of)(q + k, at, AGNI_VC_##name);
#define NEXT(k, name) FN(agni_in_next_row)(&x##k, q + k, at, AGNI_VC_##name);
#define NAME(a, b, c, d, e) FN(agni_run_##a##_##b##_##c##_##d##_##e)
#define ROWS_NAME(a, b, c, d, e) FN(agni_rows_##a##_##b##_##c##_##d##_##e)
#define BODY(NAME, BY_ROWS, a, b, c, d, e)                                                 \
    static int NAME(a, b, c, d, e)(const agni_chain_step *q, const agni_chain_places *at,  \
                                   int64_t rows, int64_t n)                                \
    {                                                                                      \
        OPERANDS(0, a) OPERANDS(1, b) OPERANDS(2, c) OPERANDS(3, d) OPERANDS(4, e)         \
        enum { LAST = LENGTH(b, c, d, e) };                                                \
        REAL *y = (REAL *)(void *)at->p[q[LAST].to];                                       \
        for (;;) {                                                                         \
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
            if (!BY_ROWS || --rows == 0)                                                   \
                return LAST;                                                               \
            NEXT(0, a) NEXT(1, b) NEXT(2, c) NEXT(3, d) NEXT(4, e)                         \
            y = (REAL *)(void *)((char *)y + at->row[q[LAST].to]);                         \
        }                                                                                  \
    }
#define LENGTH(b, c, d, e) \
    ((AGNI_VC_##b != AGNI_VC_NONE) + (AGNI_VC_##c != AGNI_VC_NONE) + \
     (AGNI_VC_##d != AGNI_VC_NONE) + (AGNI_VC_##e != AGNI_VC_NONE))
#define VALUE(a, b, c, d, e)                                                                  \
    FN(agni_near_##e)(x4, FN(agni_near_##d)(x3, FN(agni_near_##c)(x2, FN(agni_near_##b)(x1,  \
        FN(agni_near_##a)(x0, (VEC){0}, j), j), j), j), j)
#define RUN(a, b, c, d, e) BODY(NAME, false, a, b, c, d, e) BODY(ROWS_NAME, true, a, b, c, d, e)
#include "tensor/cpu/simd/fused_steps.def"
#undef RUN
typedef int FN(agni_run)(const agni_chain_step *q, const agni_chain_places *at, int64_t rows,
                         int64_t n);
#define RUN(a, b, c, d, e) {NAME(a, b, c, d, e), ROWS_NAME(a, b, c, d, e)},
static FN(agni_run) *const FN(agni_runs)[][2] = { /* as one row, and row by row */
#include "tensor/cpu/simd/fused_steps.def"
};
#undef RUN
#undef BODY
#undef ROWS_NAME
#undef OPERANDS
#undef NEXT
#undef NAME
#undef LENGTH
#undef VALUE

/* from the end of some numbers of each row to the next, or to the row after so many */
static void FN(agni_move_slots)(agni_chain_places *at, int moving, int64_t rows, int64_t bytes)
{
    for (int k = 0; k < moving; k++)
        at->p[k] += rows * at->row[k] + bytes;
}
static void FN(agni_run_one_row)(const agni_chain_step *q, const agni_chain_step *end,
                                 const agni_chain_places *at, int64_t n)
{
    for (; q < end; q++)
        if (q->kind < AGNI_VC_MAP)
            q += FN(agni_runs)[q->f][false](q, at, 1, n);
        else
            FN(agni_far_step)(q, at, 1, n);
}
static void FN(agni_run_rows)(const agni_chain_step *q, const agni_chain_step *end,
                              const agni_chain_places *at, int64_t rows, int64_t n)
{
    for (; q < end; q++) {
        const int64_t many = q->by_rows ? rows : 1, length = q->by_rows ? n : rows * n;
        if (q->kind < AGNI_VC_MAP)
            q += FN(agni_runs)[q->f][q->by_rows](q, at, many, length);
        else
            FN(agni_far_step)(q, at, many, length);
    }
}
void AGNI_LV(FN(agni_run_chain))(const agni_chain_step *step, int n_step, agni_chain_places *at,
                                 int moving, int beside, int64_t rows, int64_t n)
{
    const int64_t size = (int64_t)sizeof(REAL), bytes = n * size;
    const bool whole = rows > 1 && bytes && bytes <= AGNI_VROOM;
    const int64_t most = whole ? AGNI_VROOM / bytes : 1, block = whole ? n : AGNI_VBLOCK / size;
    for (int64_t e = 0; e < rows; e += most) {
        const int64_t many = rows - e < most ? rows - e : most;
        for (int64_t i = 0; i < n; i += block) {
            const int64_t m = n - i < block ? n - i : block;
            if (many == 1)
                FN(agni_run_one_row)(step, step + n_step, at, m);
            else
                FN(agni_run_rows)(step, step + n_step, at, many, m);
            FN(agni_move_slots)(at, moving, 0, m * size);
        }
        if (e + many == rows)
            return;
        FN(agni_move_slots)(at, moving, many, -bytes);
        for (int k = moving; k < moving + beside; k++)
            at->p[k] += many * at->row[k];
    }
}
