/* tensor/reduce/cumsum.c - cumulative sums (prefix sums). Attributes of cumsum: axis (negative),
   reverse.

   A lane is cut into blocks; sums run within a block from zero, and the prefix of a block is a
   compensated sum of block sums (Neumaier 1974), so that the error does not grow with the length
   of the lane. */
#include "tensor/create/nontemporal.h"
#include "tensor/reduce/reduce.h"
#include "tensor/rows/traits.h"

#include <string.h>

enum { BLOCK = 256, CHAINS = 4, TILE = 128 };

/* a is the sum of the blocks so far, b its rounding error */
#define CARRY_REAL(T, a, b, x) \
    do { \
        T carry_s = (a) + (x); \
        T carry_r = ((a) < 0 ? -(a) : (a)) >= ((x) < 0 ? -(x) : (x)) ? ((a) - carry_s) + (x) \
                                                                     : ((x) - carry_s) + (a); \
        (a) = carry_s; \
        (b) += carry_r - carry_r == 0 ? carry_r : 0; \
    } while (0)
#define CARRY_PLAIN(T, a, b, x) ((void)(b), (a) += (x))

/* One contiguous lane, in two phases that threads may share (Blelloch 1990): the sums of all
   blocks, then, from the prefix of each, its elements. Step -1 runs backwards. */
#define CHAIN_4(DO) DO(0) DO(1) DO(2) DO(3)
#define BEGIN(j) c##j = 0;
#define ADD(j) c##j += x[(i + (j) * BLOCK) * step];
#define RUN(j) y[(i + (j) * BLOCK) * step] = c##j += x[(i + (j) * BLOCK) * step];
#define KEEP(j) total[j] = c##j;
#define LANE(T, s, CARRY) \
    /* sums of CHAINS interleaved blocks, which hides the latency of additions; prefix sums too, if y */ \
    static inline void four_##s(const T *x, T *y, T *total, int64_t step) \
    { \
        T c0, c1, c2, c3; \
        CHAIN_4(BEGIN) \
        if (y) \
            for (int64_t i = 0; i < BLOCK; i++) { \
                CHAIN_4(RUN) \
            } \
        else \
            for (int64_t i = 0; i < BLOCK; i++) { \
                CHAIN_4(ADD) \
            } \
        CHAIN_4(KEEP) \
    } \
    static inline void add_##s(T *y, T before, int64_t n, int64_t step) \
    { \
        T __attribute__((vector_size(16))) v, all = before - (__typeof__(v)){0}; \
        const int64_t side = (int64_t)(sizeof v / sizeof before); \
        int64_t i = 0; \
        for (; step == 1 && i + side <= n; i += side) { \
            memcpy(&v, y + i, sizeof v); \
            v = all + v; \
            memcpy(y + i, &v, sizeof v); \
        } \
        for (; i < n; i++) \
            y[i * step] = before + y[i * step]; \
    } \
    static inline T one_##s(const T *x, T *y, int64_t n, int64_t step) \
    { \
        T c = 0; \
        for (int64_t i = 0; i < n; i++) { \
            c += x[i * step]; \
            if (y) \
                y[i * step] = c; \
        } \
        return c; \
    } \
    static void totals_##s(const void *xv, void *tv, int64_t n, int64_t step) \
    { \
        const T *x = xv; \
        T *total = tv; \
        for (; n >= CHAINS * BLOCK; \
             n -= CHAINS * BLOCK, x += CHAINS * BLOCK * step, total += CHAINS) \
            four_##s(x, NULL, total, step); \
        for (; n > 0; n -= BLOCK, x += BLOCK * step) \
            *total++ = one_##s(x, NULL, n < BLOCK ? n : BLOCK, step); \
    } \
    /* replaces the sum of each block by its prefix */ \
    static void befores_##s(void *tv, int64_t blocks) \
    { \
        T *total = tv, sum = 0, rest = 0; \
        for (int64_t k = 0; k < blocks; k++) { \
            T c = total[k]; \
            total[k] = sum + rest; \
            CARRY(T, sum, rest, c); \
        } \
    } \
    /* elements of the blocks, from their prefixes, or from the first block where these are NULL; far: \
       by non-temporal stores from a buffer in the first-level cache */ \
    static inline void run_##s(const T *x, T *y, const T *before, int64_t n, int64_t step, \
                               bool far) \
    { \
        T sum = 0, rest = 0, near[CHAINS * BLOCK]; \
        while (n > 0) { \
            T c[CHAINS]; \
            int64_t many = n >= CHAINS * BLOCK ? CHAINS : 1, len = n < BLOCK ? n : BLOCK; \
            T *to = far ? near : y; \
            if (many > 1) \
                four_##s(x, to, c, step); \
            else \
                c[0] = one_##s(x, to, len, step); \
            for (int64_t j = 0; j < many; j++) { \
                add_##s(to + j * BLOCK * step, before ? before[j] : sum + rest, len, step); \
                if (!before) \
                    CARRY(T, sum, rest, c[j]); \
            } \
            if (far) \
                agni_nontemporal_copy((char *)y, (const char *)near, many *len *(int64_t)sizeof(T)); \
            before += before ? many : 0; \
            n -= many * len; \
            x += many * len * step; \
            y += many * len * step; \
        } \
    } \
    static void lane_##s(const void *x, void *y, const void *before, int64_t n, int64_t step, \
                         bool far) \
    { \
        if (step < 0) \
            run_##s(x, y, before, n, -1, false); \
        else \
            run_##s(x, y, before, n, 1, far); \
        if (far) \
            agni_nontemporal_fence(); \
    }

/* several interleaved lanes */
#define SCAN(T, s, CARRY) \
    static void scan_##s(const void *xv, void *yv, int64_t n, int64_t inner, int64_t lo, \
                         int64_t hi, bool back) \
    { \
        const T *x = xv; \
        T *y = yv; \
        T sum[TILE] = {0}, rest[TILE] = {0}, run[TILE]; \
        for (int64_t k = 0; k < n;) { \
            int64_t end = k + BLOCK < n ? k + BLOCK : n; \
            memset(run, 0, sizeof run); \
            for (; k < end; k++) { \
                int64_t at = (back ? n - 1 - k : k) * inner; \
                for (int64_t j = lo; j < hi; j++) { \
                    run[j - lo] += x[at + j]; \
                    y[at + j] = (sum[j - lo] + rest[j - lo]) + run[j - lo]; \
                } \
            } \
            for (int64_t j = 0; j < hi - lo; j++) \
                CARRY(T, sum[j], rest[j], run[j]); \
        } \
    }

typedef struct scan_kernels {
    void (*lanes)(const void *x, void *y, int64_t n, int64_t inner, int64_t lo, int64_t hi,
                  bool back);
    void (*lane)(const void *x, void *y, const void *before, int64_t n, int64_t step, bool far);
    void (*totals)(const void *x, void *total, int64_t n, int64_t step);
    void (*befores)(void *total, int64_t blocks);
} scan_kernels;
#define BOTH(T, s, CARRY) LANE(T, s, CARRY) SCAN(T, s, CARRY)
BOTH(uint32_t, i32, CARRY_PLAIN)
BOTH(uint64_t, i64, CARRY_PLAIN)
BOTH(float, f32, CARRY_REAL)
BOTH(double, f64, CARRY_REAL)
#define ROW(s) {scan_##s, lane_##s, totals_##s, befores_##s}
static const scan_kernels kernels_by_dtype[AGN_NDTYPES] = {
    [AGN_I32] = ROW(i32), [AGN_I64] = ROW(i64), [AGN_F32] = ROW(f32), [AGN_F64] = ROW(f64)};

typedef struct scan_job {
    const scan_kernels *of;
    const char *x;
    char *y, *before; /* NULL: from the first element of a lane */
    int64_t bytes, n, step;
    bool far; /* the result is larger than the caches */
} scan_job;

static void scan_slab(void *user, const agni_axis_lanes *l, int64_t o, int64_t lo, int64_t hi)
{
    const scan_job *q = user;
    int64_t slab = o * l->n * l->inner * q->bytes, first = q->step < 0 ? (l->n - 1) * q->bytes : 0;
    if (l->inner == 1 && l->n > 0)
        q->of->lane(q->x + slab + first, q->y + slab + first, NULL, l->n, q->step, q->far);
    else
        q->of->lanes(q->x + slab, q->y + slab, l->n, l->inner, lo, hi, q->step < 0);
}

/* Pieces of one lane for several threads: whole groups of blocks. */
enum { PIECE = 16 * CHAINS * BLOCK };
static void total_piece(void *user, int64_t k, int worker)
{
    const scan_job *q = user;
    int64_t at = k * PIECE, n = q->n - at < PIECE ? q->n - at : PIECE;
    (void)worker;
    q->of->totals(q->x + at * q->step * q->bytes, q->before + at / BLOCK * q->bytes, n, q->step);
}
static void run_piece(void *user, int64_t k, int worker)
{
    const scan_job *q = user;
    int64_t at = k * PIECE, n = q->n - at < PIECE ? q->n - at : PIECE, to = at * q->step * q->bytes;
    (void)worker;
    q->of->lane(q->x + to, q->y + to, q->before + at / BLOCK * q->bytes, n, q->step, q->far);
}

/* Threads share a lane where lanes are few and long: two phases read the lane twice. */
static bool worth_sharing(const agni_axis_lanes *l)
{
    return l->inner == 1 && l->n >= 4 * PIECE && l->outer < agni_parallel_width();
}

static agn_status share_lanes(scan_job q, const agni_axis_lanes *l)
{
    int64_t blocks = (l->n + BLOCK - 1) / BLOCK, pieces = (l->n + PIECE - 1) / PIECE;
    if (!(q.before = agni_alloc((size_t)(blocks * q.bytes))))
        return agni_nomem("cumsum", (size_t)(blocks * q.bytes));
    q.n = l->n;
    q.x += q.step < 0 ? (l->n - 1) * q.bytes : 0;
    q.y += q.step < 0 ? (l->n - 1) * q.bytes : 0;
    for (int64_t o = 0; o < l->outer; o++, q.x += l->n * q.bytes, q.y += l->n * q.bytes) {
        agni_parallel_for(pieces, total_piece, &q);
        q.of->befores(q.before, blocks);
        agni_parallel_for(pieces, run_piece, &q);
    }
    agni_free(q.before);
    return AGN_OK;
}

static agn_status cpu_cumsum(const agn_kernel_call *c)
{
    int dtype = c->in[0].dtype;
    agni_axis_lanes l = agni_find_lanes(c->in, c->ints[0]);
    if (agni_kind(dtype) == AGNI_KIND_COMPLEX) { /* real and imaginary parts are two columns */
        dtype = agni_dtypes[dtype].real;
        l.inner *= 2;
    }
    scan_job q = {.of = kernels_by_dtype + dtype,
                  .x = c->in[0].data,
                  .y = c->out[0].data,
                  .bytes = agni_dtypes[dtype].bytes,
                  .step = c->ints[1] ? -1 : 1};
    q.far = l.outer * l.n * l.inner * q.bytes >= AGNI_NONTEMPORAL_BYTES && q.x != q.y;
    if (worth_sharing(&l))
        return share_lanes(q, &l);
    agni_for_each_slab(&l, TILE, scan_slab, &q);
    return AGN_OK;
}

static const agn_tensor *cumsum_transpose(agn_scope *s, const agni_rule *r, int i,
                                          const agn_tensor *g)
{
    int64_t at[2] = {r->at->i[0], !r->at->i[1]};
    (void)i;
    return agni_apply_in(s, &agni_op_cumsum, &(agni_attr){.ni = 2, .i = at}, 1, &g);
}

static agni_slots slots;
const agni_op agni_op_cumsum = {.name = "cumsum",
                                .takes = "x axis:a reverse:b",
                                .cls = AGNI_LINEAR,
                                .nin = 1,
                                .nout = 1,
                                .dtypes = AGNI_NUMBERS,
                                .diff = 1,
                                .promote = 1,
                                .result = AGNI_OUT_SAME,
                                .ew = -1,
                                .bounded = 1,
                                .infer = agni_infer_same,
                                .cpu = cpu_cumsum,
                                .contiguous = true,
                                .transpose = cumsum_transpose,
                                .batch = agni_batch_front,
                                .slots = &slots,
                                .lo = -3,
                                .hi = 3,
                                .traits = AGNI_ZERO_KEPT,
                                .zeros = AGNI_ZEROS_JOINED, .doc = "cumulative sum"};

static agn_status apply_cumsum(const char *op, agn_tensor **out, const agn_tensor *x, int32_t axis,
                               int32_t flags)
{
    int d;
    AGNI_NEED(op, out);
    agn_status st = agni_normalise_axis(op, x, axis, &d);
    if (st)
        return st;
    if (flags & ~(AGN_SCAN_REVERSE | AGN_SCAN_EXCLUSIVE))
        return agni_fail(AGN_EARG, "%s: flags %d are none of %d", op, flags,
                         AGN_SCAN_REVERSE | AGN_SCAN_EXCLUSIVE);
    bool back = flags & AGN_SCAN_REVERSE;
    int64_t at[2] = {d - x->ndim, back};
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = agni_bools_to_ints(s, x);
    if (flags & AGN_SCAN_EXCLUSIVE)
        y = agni_shift_axis(s, y, d, back);
    y = y ? agni_apply_in(s, &agni_op_cumsum, &(agni_attr){.ni = 2, .i = at}, 1, &y) : NULL;
    return agni_return(op, s, out, y);
}

agn_status agn_cumsum(agn_tensor **out, const agn_tensor *x, int32_t axis)
{
    return apply_cumsum("cumsum", out, x, axis, 0);
}
agn_status agn_cumsum_as(agn_tensor **out, const agn_tensor *x, int32_t axis, int32_t flags)
{
    return apply_cumsum("cumsum_as", out, x, axis, flags);
}
