/* Chains for the element type bound by real.h: the commonest steps are loops here, the others
 * call the kernels of the level, so a chain's bits are those of its steps one by one. */

#undef AGNI_MAP_ENTRY
#undef AGNI_LOOP_ENTRY
#define AGNI_MAP_ENTRY(name) [AGNI_VM_##name] = AGNI_LV(FN(agni_vmap_##name)),
#define AGNI_LOOP2_ENTRY(name) [AGNI_V2_##name] = AGNI_LV(FN(agni_vloop_##name)),
#define AGNI_LOOP3_ENTRY(name) [AGNI_V3_##name] = AGNI_LV(FN(agni_vloop_##name)),
static agni_vmap *const FN(agni_maps)[] = {AGNI_VMAPS(AGNI_MAP_ENTRY)};
static agni_vloop *const FN(agni_loops2)[] = {AGNI_VLOOPS2(AGNI_LOOP2_ENTRY)};
static agni_vloop *const FN(agni_loops3)[] = {AGNI_VLOOPS3(AGNI_LOOP3_ENTRY)};
#undef AGNI_MAP_ENTRY
#undef AGNI_LOOP2_ENTRY
#undef AGNI_LOOP3_ENTRY

static void FN(agni_far_step)(const agni_vstep *q, char *const *at, int64_t n)
{
    const agni_vop in[3] = {{at[q->a], n, 1}, {at[q->b], n, 1}, {at[q->c], n, 1}};
    if (q->kind == AGNI_VC_MAP)
        FN(agni_maps)[q->f](at[q->to], at[q->a], n);
    else if (q->kind == AGNI_VC_LOOP2)
        FN(agni_loops2)[q->f](at[q->to], n, in, 1, n);
    else
        FN(agni_loops3)[q->f](at[q->to], n, in, 1, n);
}

/* y = e over a block, four vectors at a time */
#undef EACH
#define EACH(e)                                         \
    {                                                   \
        for (; i + 4 * LANES <= n; i += 4 * LANES) {    \
            AGNI_UNROLL                                 \
            for (int k = 0; k < 4; k++) {               \
                const int64_t j = i + k * LANES;        \
                STORE(y + j, e);                        \
            }                                           \
        }                                               \
        for (int64_t j = i; j < n; j += LANES)          \
            STORE(y + j, e);                            \
        break;                                          \
    }

AGNI_INLINE void FN(agni_step)(const agni_vstep *q, char *const *at, int64_t n)
{
    REAL *y = (REAL *)(void *)at[q->to];
    const REAL *a = (const REAL *)(void *)at[q->a], *b = (const REAL *)(void *)at[q->b],
               *c = (const REAL *)(void *)at[q->c];
    int64_t i = 0;
    switch (q->kind) {
    case AGNI_VC_MUL:
        EACH(LOAD(a + j) * LOAD(b + j))
    case AGNI_VC_ADD:
        EACH(LOAD(a + j) + LOAD(b + j))
    case AGNI_VC_SUB:
        EACH(LOAD(a + j) - LOAD(b + j))
    case AGNI_VC_FMA:
        EACH(FMA(LOAD(a + j), LOAD(b + j), LOAD(c + j)))
    case AGNI_VC_FNMA:
        EACH(FNMA(LOAD(a + j), LOAD(b + j), LOAD(c + j)))
    case AGNI_VC_NEG:
        EACH(-LOAD(a + j))
    case AGNI_VC_MULZ:
        EACH(FN(agni_mulz)(LOAD(a + j), LOAD(b + j)))
    case AGNI_VC_FMAZ:
        EACH(FN(agni_fmaz)(LOAD(a + j), LOAD(b + j), LOAD(c + j)))
    default:
        FN(agni_far_step)(q, at, n);
    }
}

void AGNI_LV(FN(agni_vchain))(const agni_vstep *step, int n_step, char **at, int moving,
                              int64_t n)
{
    enum { BLOCK = AGNI_VBLOCK / (int)sizeof(REAL) };
    for (int64_t i = 0; i < n; i += BLOCK) {
        const int64_t m = n - i < BLOCK ? n - i : BLOCK;
        for (const agni_vstep *q = step; q < step + n_step; q++)
            FN(agni_step)(q, at, m);
        for (int k = 0; k < moving; k++)
            at[k] += AGNI_VBLOCK;
    }
}
