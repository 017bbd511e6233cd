/* linalg/cpu/lanes/seen_body.h - what recursions along one matrix have read: whether all of it is
   finite and of ordinary size, so that no step can overflow or lose digits below the normal numbers
   (Higham 2002, 2.1, 27.8), for the element type bound by real.h. What is not is for LAPACK. */

#undef FAINT
#undef VAST
#undef FEWEST
#define FAINT PICK(0x1p-500, 0x1p-60)
#define VAST PICK(0x1p500, 0x1p60)
#define FEWEST PICK(0x1p-900, 0x1p-100) /* of a pivot */

typedef struct FN(seen) {
    VEC most, bad; /* of all that was read: magnitude, and 0 or NaN */
} FN(seen);

AGNI_INLINE void FN(look_at)(FN(seen) *q, VEC v)
{
    q->most = FN(agni_least)(q->most, ABS(v));
    q->bad += v * SPLAT(0);
}

AGNI_INLINE void FN(look_along)(FN(seen) *q, const REAL *x, int64_t n)
{
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        FN(look_at)(q, LOAD(x + i));
    if (i < n)
        FN(look_at)(q, LOAD_PART(x + i, (int)(n - i)));
}

static bool FN(is_ordinary)(const FN(seen) *q)
{
    REAL most[LANES], bad[LANES], top = 0, sum = 0;
    memcpy(most, &q->most, sizeof most);
    memcpy(bad, &q->bad, sizeof bad);
    for (int i = 0; i < LANES; i++) {
        top = most[i] > top ? most[i] : top;
        sum += bad[i];
    }
    return sum == 0 && top >= FAINT && top <= VAST;
}

/* the sum of all lanes, in each */
#undef PARTNER
#undef ADD_STAGE
#define PARTNER(l, n, s) ((l) ^ (s))
#define ADD_STAGE(t, n, s) v += __builtin_shufflevector(v, v, AGNI_LANES_##n(PARTNER, 0, n, s));
AGNI_INLINE VEC FN(total)(VEC v)
{
#ifdef AGNI_REAL_F64
    AGNI_STAGES_F64(ADD_STAGE)
#else
    AGNI_STAGES_F32(ADD_STAGE)
#endif
    return v;
}
