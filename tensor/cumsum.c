/* tensor/cumsum.c - running sums. Attributes of cumsum: axis (negative), reverse.

   A lane is cut into blocks; sums run within a block from zero, and what came before a block
   is a compensated sum of block sums (Neumaier 1974), so that the error does not grow with
   the length of the lane. */
#include "tensor/reduce.h"
#include "tensor/traits.h"

#include <string.h>

enum { BLOCK = 256, CHAINS = 4, TILE = 128 };

/* a carries the sum of the blocks so far, b what rounding took from it */
#define CARRY_REAL(T, a, b, x) \
    do { \
        T carry_s = (a) + (x); \
        T carry_r = ((a) < 0 ? -(a) : (a)) >= ((x) < 0 ? -(x) : (x)) ? ((a) - carry_s) + (x) \
                                                                     : ((x) - carry_s) + (a); \
        (a) = carry_s; \
        (b) += carry_r - carry_r == 0 ? carry_r : 0; \
    } while (0)
#define CARRY_PLAIN(T, a, b, x) ((void)(b), (a) += (x))

/* CHAINS blocks side by side where elements are neighbours, so that additions overlap */
#define SCAN(T, s, CARRY) \
    static void scan_##s(const void *xv, void *yv, int64_t n, int64_t inner, int64_t lo, \
                         int64_t hi, bool back) \
    { \
        const T *x = xv; \
        T *y = yv; \
        T sum[TILE] = {0}, rest[TILE] = {0}, run[TILE]; \
        int64_t k = 0; \
        for (; inner == 1 && !back && k + CHAINS * BLOCK <= n; k += CHAINS * BLOCK) { \
            T c[CHAINS] = {0}; \
            for (int64_t i = k; i < k + BLOCK; i++) \
                for (int j = 0; j < CHAINS; j++) \
                    y[i + j * BLOCK] = c[j] += x[i + j * BLOCK]; \
            for (int j = 0; j < CHAINS; j++) { \
                T before = sum[0] + rest[0]; \
                for (int64_t i = k + j * BLOCK; i < k + (j + 1) * BLOCK; i++) \
                    y[i] += before; \
                CARRY(T, sum[0], rest[0], c[j]); \
            } \
        } \
        while (k < n) { \
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
SCAN(uint32_t, i32, CARRY_PLAIN)
SCAN(uint64_t, i64, CARRY_PLAIN)
SCAN(float, f32, CARRY_REAL)
SCAN(double, f64, CARRY_REAL)

typedef struct scanning {
    const char *x;
    char *y;
    int dtype;
    int64_t bytes;
    bool back;
} scanning;

static void scan_slab(void *user, const agni_lanes *l, int64_t o, int64_t lo, int64_t hi)
{
    static void (*const by_dtype[AGN_NDTYPES])(const void *, void *, int64_t, int64_t, int64_t,
                                               int64_t, bool) = {
        [AGN_I32] = scan_i32, [AGN_I64] = scan_i64, [AGN_F32] = scan_f32, [AGN_F64] = scan_f64,
    };
    const scanning *q = user;
    int64_t slab = o * l->n * l->inner * q->bytes;
    by_dtype[q->dtype](q->x + slab, q->y + slab, l->n, l->inner, lo, hi, q->back);
}

static agn_status cpu_cumsum(const agn_kernel_call *c)
{
    int dtype = c->in[0].dtype;
    agni_lanes l = agni_lanes_of(c->in, c->ints[0]);
    if (agni_kind(dtype) == AGNI_KIND_COMPLEX) { /* two columns */
        dtype = agni_dtypes[dtype].real;
        l.inner *= 2;
    }
    scanning q = {c->in[0].data, c->out[0].data, dtype, agni_dtypes[dtype].bytes,
                  c->ints[1] != 0};
    agni_each_slab(&l, TILE, scan_slab, &q);
    return AGN_OK;
}

static const agn_tensor *cumsum_transpose(agn_scope *s, const agni_rule *r, int i,
                                          const agn_tensor *g)
{
    int64_t at[2] = {r->at->i[0], !r->at->i[1]};
    (void)i;
    return agni_ap(s, &agni_op_cumsum, &(agni_attr){.ni = 2, .i = at}, 1, &g);
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
                                .doc = "running sum"};

static agn_status running(const char *op, agn_tensor **out, const agn_tensor *x, int32_t axis,
                          int32_t flags)
{
    int d;
    AGNI_NEED(op, out);
    agn_status st = agni_axis_of(op, x, axis, &d);
    if (st)
        return st;
    if (flags & ~(AGN_SCAN_REVERSE | AGN_SCAN_EXCLUSIVE))
        return agni_fail(AGN_EARG, "%s: flags %d are none of %d", op, flags,
                         AGN_SCAN_REVERSE | AGN_SCAN_EXCLUSIVE);
    bool back = flags & AGN_SCAN_REVERSE;
    int64_t at[2] = {d - x->ndim, back};
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = agni_counted(s, x);
    if (flags & AGN_SCAN_EXCLUSIVE)
        y = agni_shifted(s, y, d, back);
    y = y ? agni_ap(s, &agni_op_cumsum, &(agni_attr){.ni = 2, .i = at}, 1, &y) : NULL;
    return agni_finish(op, s, out, y);
}

agn_status agn_cumsum(agn_tensor **out, const agn_tensor *x, int32_t axis)
{
    return running("cumsum", out, x, axis, 0);
}
agn_status agn_cumsum_as(agn_tensor **out, const agn_tensor *x, int32_t axis, int32_t flags)
{
    return running("cumsum_as", out, x, axis, flags);
}
