/* geometric/kernels/cpu/message_body.h - the loops of message_rows.h for one type T, its vectors'
   masks MASK (where VECTORS), the type U in which its arithmetic wraps around, and integers INT;
   NAME(x) names a function. f and r are known when a function with vectors is compiled, and looked
   at by element in others: those of integers and of graphs of 2^31 edges, which would be most of
   the code. */

#if VECTORS
#define FIXED inline __attribute__((always_inline))
typedef T NAME(vec) __attribute__((vector_size(32), aligned(sizeof(T)), may_alias));
typedef MASK NAME(mask) __attribute__((vector_size(32), aligned(sizeof(T)), may_alias));
enum { NAME(LANES) = 32 / sizeof(T) };
#else
#define FIXED __attribute__((noinline))
#endif

/* ---- one element, one vector ---------------------------------------------------------------- */

static inline T NAME(combine)(int f, T a, T b)
{
    switch (f) {
    case AGNI_MESSAGE_ADD: return (T)((U)a + (U)b);
    case AGNI_MESSAGE_SUB: return (T)((U)a - (U)b);
    case AGNI_MESSAGE_MUL: return (T)((U)a * (U)b);
    case AGNI_MESSAGE_DIV: return DIVIDE(a, b);
    default: return a;
    }
}
/* NaN wins */
static inline T NAME(fold)(int r, T y, T m)
{
    switch (r) {
    case AGNI_MESSAGE_MAX: return m > y || NANS(m) ? m : y;
    case AGNI_MESSAGE_MIN: return m < y || NANS(m) ? m : y;
    default: return (T)((U)y + (U)m);
    }
}
#if VECTORS
static inline NAME(vec) NAME(combine_vec)(int f, NAME(vec) a, NAME(vec) b)
{
    switch (f) {
    case AGNI_MESSAGE_ADD: return a + b;
    case AGNI_MESSAGE_SUB: return a - b;
    case AGNI_MESSAGE_MUL: return a * b;
    case AGNI_MESSAGE_DIV: return a / b;
    default: return a;
    }
}
static inline NAME(vec) NAME(fold_vec)(int r, NAME(vec) y, NAME(vec) m)
{
    if (r == AGNI_MESSAGE_SUM)
        return y + m;
    NAME(mask) w = r == AGNI_MESSAGE_MAX ? (NAME(mask))(m > y) : (NAME(mask))(m < y);
    w |= (NAME(mask))NANS(m);
    return (NAME(vec))((w & (NAME(mask))m) | (~w & (NAME(mask))y));
}
static inline NAME(vec) NAME(load)(const T *p, int64_t j, bool own)
{
    if (own)
        return *(const NAME(vec) *)(const void *)(p + j);
    NAME(vec) v;
    for (int k = 0; k < NAME(LANES); k++)
        v[k] = *p;
    return v;
}
#endif

/* ---- reductions ----------------------------------------------------------------------------- */

#if VECTORS
/* what a slot reads of an operand: of rows in order, which come by themselves, only wide ones */
static inline __attribute__((always_inline)) void NAME(ask_for)(const T *x, const INT *at,
                                                                bool along, int64_t slot,
                                                                int64_t width, int64_t j, bool own,
                                                                int wide)
{
    if (at || (along && own && wide >= 4))
        prefetch_lines(x + ROW_OF(at, along, slot, 0) * width + (own ? j : 0), own ? wide * 32 : 1);
}
#endif

/* WIDE vectors of a block, whose results stay in registers while the slots pass by: while more than
   `beyond` vectors are left; the last ones end with the block and make some elements again */
#define COLUMNS(WIDE, beyond) \
    while (n >= WIDE * NAME(LANES) && n - j > (beyond) * NAME(LANES)) { \
        NAME(vec) sum[WIDE] = {{0}}; \
        j = j + WIDE * NAME(LANES) < n ? j : n - WIDE * NAME(LANES); \
        for (int64_t e = first; e < last; e++) { \
            const T *p = a + ROW_OF(at_a, along_a, e, i) * q->width[0]; \
            const T *c = b + ROW_OF(at_b, along_b, e, i) * q->width[1]; \
            if (e + AHEAD < end) { \
                NAME(ask_for)(a, at_a, along_a, e + AHEAD, q->width[0], j, own_a, WIDE); \
                if (f != AGNI_MESSAGE_COPY) \
                    NAME(ask_for)(b, at_b, along_b, e + AHEAD, q->width[1], j, own_b, WIDE); \
            } \
            for (int k = 0; k < WIDE; k++) { \
                NAME(vec) m = NAME(combine_vec)( \
                    f, NAME(load)(p, j + k * NAME(LANES), own_a), \
                    f == AGNI_MESSAGE_COPY ? (NAME(vec)){0} : NAME(load)(c, j + k * NAME(LANES), own_b)); \
                sum[k] = r != AGNI_MESSAGE_SUM && e == first ? m : NAME(fold_vec)(r, sum[k], m); \
            } \
        } \
        for (int k = 0; k < WIDE; k++) \
            *(NAME(vec) *)(void *)(y + j + k * NAME(LANES)) = sum[k]; \
        j += WIDE * NAME(LANES); \
    }

static inline __attribute__((always_inline)) void NAME(reduce_rows)(const agni_message_rows *q,
                                                                    int f, int r, bool own_a,
                                                                    bool own_b, int64_t lo,
                                                                    int64_t hi)
{
    const INT *begin = q->begin, *at_a = q->at[0], *at_b = q->at[1];
    bool along_a = q->along[0], along_b = q->along[1];
    int64_t n = q->n;
#if VECTORS
    int64_t end = begin ? begin[hi] : hi;
#endif
    for (int64_t i = lo; i < hi; i++)
        for (int64_t o = 0; o < q->blocks; o++) {
            const T *a = (const T *)q->x[0] + q->shift[0][o],
                    *b = (const T *)q->x[1] + q->shift[1][o];
            T *y = (T *)q->y + i * q->y_width + q->shift[AGNI_MESSAGE_OPERANDS][o];
            int64_t first = begin ? begin[i] : i, last = begin ? begin[i + 1] : i + 1, j = 0;
#if VECTORS
#ifdef __AVX__ /* registers for them; of what is common, as each is much code */
            if (f == AGNI_MESSAGE_COPY || (f == AGNI_MESSAGE_MUL && r == AGNI_MESSAGE_SUM))
                COLUMNS(8, 4)
#endif
            COLUMNS(4, 2)
            COLUMNS(1, 0)
#endif
            for (; j < n; j++) {
                T sum = 0;
                for (int64_t e = first; e < last; e++) {
                    const T *p = a + ROW_OF(at_a, along_a, e, i) * q->width[0];
                    const T *c = b + ROW_OF(at_b, along_b, e, i) * q->width[1];
                    T m = NAME(combine)(f, p[own_a ? j : 0],
                                        f == AGNI_MESSAGE_COPY ? 0 : c[own_b ? j : 0]);
                    sum = r != AGNI_MESSAGE_SUM && e == first ? m : NAME(fold)(r, sum, m);
                }
                y[j] = sum;
            }
        }
}
#undef COLUMNS

static FIXED void NAME(reduce)(const agni_message_rows *q, int f, int r,
                                                               int64_t lo, int64_t hi)
{
    if (f == AGNI_MESSAGE_COPY || (q->step[0] && !q->step[1]))
        NAME(reduce_rows)(q, f, r, true, false, lo, hi);
    else if (q->step[0])
        NAME(reduce_rows)(q, f, r, true, true, lo, hi);
    else
        NAME(reduce_rows)(q, f, r, false, true, lo, hi);
}

/* ---- sums over blocks ----------------------------------------------------------------------- */

static inline T NAME(dot_block)(const T *p, const T *c, int64_t n, int step_a, int step_b)
{
    T sum = 0;
    int64_t j = 0;
#if VECTORS
    if (step_a && step_b) {
        NAME(vec) part[2] = {{0}};
        for (; j + 2 * NAME(LANES) <= n; j += 2 * NAME(LANES))
            for (int k = 0; k < 2; k++)
                part[k] += NAME(load)(p, j + k * NAME(LANES), true) *
                           NAME(load)(c, j + k * NAME(LANES), true);
        part[0] += part[1];
        for (int k = 0; k < NAME(LANES); k++)
            sum += part[0][k];
    }
#endif
    for (; j < n; j++)
        sum = (T)((U)sum + (U)p[step_a ? j : 0] * (U)c[step_b ? j : 0]);
    return sum;
}

static void NAME(dot)(const agni_message_rows *q, int64_t lo, int64_t hi)
{
    const INT *begin = q->begin, *at_a = q->at[0], *at_b = q->at[1];
    bool along_a = q->along[0], along_b = q->along[1];
    for (int64_t i = lo; i < hi; i++) {
        T *y = (T *)q->y + i * q->y_width;
        int64_t first = begin ? begin[i] : i, last = begin ? begin[i + 1] : i + 1;
        memset(y, 0, (size_t)q->y_width * sizeof *y);
        for (int64_t e = first; e < last; e++) {
            const T *a = (const T *)q->x[0] + ROW_OF(at_a, along_a, e, i) * q->width[0];
            const T *b = (const T *)q->x[1] + ROW_OF(at_b, along_b, e, i) * q->width[1];
            for (int64_t k = 0; k < q->blocks; k++) {
                T *to = y + q->shift[AGNI_MESSAGE_OPERANDS][k];
                const T *p = a + q->shift[0][k], *c = b + q->shift[1][k];
                if (q->y_step)
                    for (int64_t j = 0; j < q->n; j++)
                        to[j] = (T)((U)to[j] + (U)p[q->step[0] ? j : 0] * (U)c[q->step[1] ? j : 0]);
                else
                    *to = (T)((U)*to + (U)NAME(dot_block)(p, c, q->n, q->step[0], q->step[1]));
            }
        }
    }
}

#if TIES
/* ---- shares of those that attain an extreme ------------------------------------------------- */

static FIXED void NAME(tie)(const agni_message_rows *q, int f, int64_t lo,
                                                            int64_t hi)
{
    const INT *begin = q->begin;
    for (int64_t i = lo; i < hi; i++) {
        T *y = (T *)q->y + i * q->y_width;
        int64_t first = begin ? begin[i] : i, last = begin ? begin[i + 1] : i + 1;
        memset(y, 0, (size_t)q->y_width * sizeof *y);
        for (int64_t e = first; e < last; e++) {
            const T *x[AGNI_MESSAGE_OPERANDS];
            for (int k = 0; k < AGNI_MESSAGE_OPERANDS; k++)
                x[k] = (const T *)q->x[k] +
                       ROW_OF((const INT *)q->at[k], q->along[k], e, i) * q->width[k];
            for (int64_t k = 0; k < q->blocks; k++) {
                T *to = y + q->shift[AGNI_MESSAGE_OPERANDS][k];
                const T *v = x[0] + q->shift[0][k], *a = x[1] + q->shift[1][k];
                const T *b = x[2] + q->shift[2][k], *p = x[3] + q->shift[3][k];
                const T *c = x[4] + q->shift[4][k];
                for (int64_t j = 0; j < q->n; j++) {
                    T m = NAME(combine)(f, a[q->step[1] ? j : 0], b[q->step[2] ? j : 0]);
                    T u = (T)((U)p[q->step[3] ? j : 0] * (U)c[q->step[4] ? j : 0]);
                    T *o = to + (q->y_step ? j : 0);
                    bool met = m == v[q->step[0] ? j : 0] || NANS(m); /* NaN wins */
                    *o = met ? (T)((U)*o + (U)u) : *o;
                }
            }
        }
    }
}

#endif

/* ---- the functions of the table ------------------------------------------------------------- */

#define KERNEL(name, call) \
    static void NAME(name)(const agni_message_rows *q, int64_t lo, int64_t hi) \
    { \
        call; \
    }
#if TIES
#define TIE(name, f) KERNEL(name##_tie, NAME(tie)(q, f, lo, hi))
#else
#define TIE(name, f)
#endif
#define KERNELS(name, f) \
    KERNEL(name##_sum, NAME(reduce)(q, f, AGNI_MESSAGE_SUM, lo, hi)) \
    KERNEL(name##_max, NAME(reduce)(q, f, AGNI_MESSAGE_MAX, lo, hi)) \
    KERNEL(name##_min, NAME(reduce)(q, f, AGNI_MESSAGE_MIN, lo, hi)) \
    TIE(name, f)
KERNELS(copy, AGNI_MESSAGE_COPY)
KERNELS(add, AGNI_MESSAGE_ADD)
KERNELS(sub, AGNI_MESSAGE_SUB)
KERNELS(mul, AGNI_MESSAGE_MUL)
KERNELS(div, AGNI_MESSAGE_DIV)
#undef KERNELS
#undef TIE
#undef KERNEL
#undef FIXED
