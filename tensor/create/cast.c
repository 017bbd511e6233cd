/* tensor/create/cast.c - cast, copy, contiguous, stop_gradient, and kernels that convert. */
#include "tensor/create/nontemporal.h"
#include "tensor/dispatch/op_helpers.h"
#include "tensor/create/layout_copy.h"
#include "tensor/rows/traits.h"

#include <complex.h>
#include <math.h>
#include <string.h>

/* ---- half precision: IEEE 754 binary16 and bfloat16, to nearest even ------------------- */

static float from_f16(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, e = h >> 10 & 31, m = h & 1023, u;
    if (e == 31) {
        u = sign | 0x7f800000 | m << 13;
    } else if (e) {
        u = sign | (e + 112) << 23 | m << 13;
    } else { /* subnormal: m * 2^-24 is exact */
        float f = (float)m * 0x1p-24f;
        memcpy(&u, &f, 4);
        u |= sign;
    }
    float f;
    memcpy(&f, &u, 4);
    return f;
}

static uint16_t to_f16(float f)
{
    uint32_t u;
    memcpy(&u, &f, 4);
    uint16_t sign = (uint16_t)(u >> 16 & 0x8000);
    u &= 0x7fffffff;
    if (u > 0x7f800000) /* NaN keeps its top payload bits and stays quiet */
        return (uint16_t)(sign | 0x7e00 | (u >> 13 & 0x3ff));
    if (u >= 0x477ff000) /* 65520 and more round to infinity */
        return sign | 0x7c00;
    if (u < 0x38800000) { /* subnormal result: let the addition round */
        float a;
        memcpy(&a, &u, 4);
        a += 0.5f;
        uint32_t r;
        memcpy(&r, &a, 4);
        return (uint16_t)(sign | (r - 0x3f000000));
    }
    uint32_t odd = u >> 13 & 1;
    return (uint16_t)(sign | ((u - 0x38000000 + 0xfff + odd) >> 13));
}

static float from_bf16(uint16_t h)
{
    uint32_t u = (uint32_t)h << 16;
    float f;
    memcpy(&f, &u, 4);
    return f;
}

static uint16_t to_bf16(float f)
{
    uint32_t u;
    memcpy(&u, &f, 4);
    if ((u & 0x7fffffff) > 0x7f800000)
        return (uint16_t)(u >> 16 | 0x40);
    return (uint16_t)((u + 0x7fff + (u >> 16 & 1)) >> 16);
}

/* f64 to a 16-bit float through f32 would round twice: round to odd first (Boldo &
   Melquiond 2008) */
static float odd_f32(double x)
{
    float f = (float)x;
    if (x != x || isinf(f) || (double)f == x)
        return f;
    uint32_t u;
    memcpy(&u, &f, 4);
    if (fabs((double)f) > fabs(x))
        u--;
    u |= 1;
    memcpy(&f, &u, 4);
    return f;
}

/* An integer beyond 2^53 rounded to odd, as far as double goes, for the same reason */
static double odd_f64(int64_t v)
{
    uint64_t u = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    if (u >> 53 && u & 0xfff)
        u = (u & ~(uint64_t)0xfff) | 0x1000;
    return v < 0 ? -(double)u : (double)u;
}

/* ---- element conversion ------------------------------------------------------------------ */

/* towards zero, NaN to 0, saturating: the same on every device */
static int64_t to_int(double x, double lo, double hi, int64_t ilo, int64_t ihi)
{
    return x != x ? 0 : x <= lo ? ilo : x >= hi ? ihi : (int64_t)x;
}

enum { BLOCK = 256 };
typedef double complex cplx;

/* Elements pass through the widest type of their kind: int64, double or complex double, in
   blocks that stay in registers' reach. */
typedef union block {
    int64_t i[BLOCK];
    double r[BLOCK];
    cplx c[BLOCK];
} block;

#define EACH(T, lvalue, expr) \
    for (int64_t k = 0; k < n; k++, p += stride) { \
        const T v = *(const T *)(const void *)p; \
        lvalue = expr; \
    } \
    break

static void load(block *b, int dtype, const char *p, int64_t stride, int64_t n)
{
    switch (dtype) {
    case AGN_BOOL:
    case AGN_U8: EACH(uint8_t, b->i[k], v);
    case AGN_I8: EACH(int8_t, b->i[k], v);
    case AGN_I16: EACH(int16_t, b->i[k], v);
    case AGN_I32: EACH(int32_t, b->i[k], v);
    case AGN_I64: EACH(int64_t, b->i[k], v);
    case AGN_F16: EACH(uint16_t, b->r[k], (double)from_f16(v));
    case AGN_BF16: EACH(uint16_t, b->r[k], (double)from_bf16(v));
    case AGN_F32: EACH(float, b->r[k], (double)v);
    case AGN_F64: EACH(double, b->r[k], v);
    case AGN_C64: EACH(float complex, b->c[k], (cplx)v);
    default: EACH(cplx, b->c[k], v);
    }
}

#define STORE(T, expr) \
    for (int64_t k = 0; k < n; k++, p += stride) \
        *(T *)(void *)p = (T)(expr); \
    break
/* integers wrap around; floats saturate; complex numbers drop their imaginary part */
#define STORE_INT(T, lo, hi) \
    if (kind <= AGNI_KIND_INT) { \
        STORE(T, b->i[k]); \
    } else { \
        STORE(T, to_int(b->r[k], (double)(lo), (double)(hi), lo, hi)); \
    }

static void store(block *b, int kind, int dtype, char *p, int64_t stride, int64_t n)
{
    if (kind == AGNI_KIND_COMPLEX && dtype != AGN_C64 && dtype != AGN_C128) {
        if (dtype == AGN_BOOL) {
            for (int64_t k = 0; k < n; k++)
                b->r[k] = b->c[k] != 0;
        } else {
            for (int64_t k = 0; k < n; k++)
                b->r[k] = creal(b->c[k]);
        }
        kind = AGNI_KIND_FLOAT;
    }
    if (kind <= AGNI_KIND_INT && dtype >= AGN_F16 && dtype != AGN_F32) {
        if (dtype == AGN_C64) /* once, not through double */
            for (int64_t k = n - 1; k >= 0; k--)
                b->c[k] = (double)(float)b->i[k];
        else if (dtype == AGN_C128)
            for (int64_t k = n - 1; k >= 0; k--)
                b->c[k] = (double)b->i[k];
        else if (dtype == AGN_BF16)
            for (int64_t k = 0; k < n; k++)
                b->r[k] = odd_f64(b->i[k]);
        else
            for (int64_t k = 0; k < n; k++)
                b->r[k] = (double)b->i[k];
        kind = dtype >= AGN_C64 ? AGNI_KIND_COMPLEX : AGNI_KIND_FLOAT;
    }
    if (kind == AGNI_KIND_FLOAT && dtype >= AGN_C64) {
        for (int64_t k = n - 1; k >= 0; k--)
            b->c[k] = b->r[k];
    }
    switch (dtype) {
    case AGN_BOOL:
        if (kind <= AGNI_KIND_INT) {
            STORE(bool, b->i[k] != 0);
        } else {
            STORE(bool, b->r[k] != 0);
        }
    case AGN_U8: STORE_INT(uint8_t, 0, UINT8_MAX);
    case AGN_I8: STORE_INT(int8_t, INT8_MIN, INT8_MAX);
    case AGN_I16: STORE_INT(int16_t, INT16_MIN, INT16_MAX);
    case AGN_I32: STORE_INT(int32_t, INT32_MIN, INT32_MAX);
    case AGN_I64: STORE_INT(int64_t, INT64_MIN, INT64_MAX);
    case AGN_F16: STORE(uint16_t, to_f16(odd_f32(b->r[k])));
    case AGN_BF16: STORE(uint16_t, to_bf16(odd_f32(b->r[k])));
    case AGN_F32:
        if (kind <= AGNI_KIND_INT) { /* once, not through double */
            STORE(float, b->i[k]);
        } else {
            STORE(float, b->r[k]);
        }
    case AGN_F64: STORE(double, b->r[k]);
    case AGN_C64: STORE(float complex, b->c[k]);
    default: STORE(cplx, b->c[k]);
    }
}

/* Pairs that need no detour: the compiler's conversion is the right one. */
#define DIRECT(X, Y)                                                               \
    static void X##_to_##Y(char *y, int64_t ys, const char *x, int64_t xs, int64_t n) \
    {                                                                              \
        if (ys == sizeof(Y) && xs == sizeof(X))                                    \
            for (int64_t k = 0; k < n; k++)                                        \
                ((Y *)(void *)y)[k] = (Y)((const X *)(const void *)x)[k];          \
        else                                                                       \
            for (int64_t k = 0; k < n; k++)                                        \
                *(Y *)(void *)(y + k * ys) = (Y) * (const X *)(const void *)(x + k * xs); \
    }
DIRECT(double, float)
DIRECT(float, double)
DIRECT(int64_t, double)
DIRECT(int32_t, double)
DIRECT(int32_t, float)
DIRECT(int32_t, int64_t)
DIRECT(bool, double)
DIRECT(bool, float)
DIRECT(bool, int64_t)

typedef void direct_fn(char *y, int64_t ys, const char *x, int64_t xs, int64_t n);
static direct_fn *const direct[AGN_NDTYPES][AGN_NDTYPES] = {
    [AGN_F64][AGN_F32] = double_to_float,   [AGN_F32][AGN_F64] = float_to_double,
    [AGN_I64][AGN_F64] = int64_t_to_double, [AGN_I32][AGN_F64] = int32_t_to_double,
    [AGN_I32][AGN_F32] = int32_t_to_float,  [AGN_I32][AGN_I64] = int32_t_to_int64_t,
    [AGN_BOOL][AGN_F64] = bool_to_double,   [AGN_BOOL][AGN_F32] = bool_to_float,
    [AGN_BOOL][AGN_I64] = bool_to_int64_t,
};

static void convert_row(const agn_array *y, char *to, int64_t ys, const agn_array *x,
                        const char *from, int64_t xs, int64_t n)
{
    direct_fn *at_once = direct[x->dtype][y->dtype];
    if (at_once) {
        at_once(to, ys, from, xs, n);
        return;
    }
    block b;
    for (int64_t k = 0; k < n; k += BLOCK) {
        int64_t m = n - k < BLOCK ? n - k : BLOCK;
        load(&b, x->dtype, from + k * xs, xs, m);
        store(&b, agni_kind(x->dtype), y->dtype, to + k * ys, ys, m);
    }
}

enum { GRAIN = 1 << 15 };
typedef struct conversion {
    const agn_array *x, *y;
    int64_t rows, grain;
    bool far; /* a flat result that is larger than the caches */
} conversion;

static void convert_rows(void *user, int64_t job, int worker)
{
    const conversion *c = user;
    const agn_array *x = c->x, *y = c->y;
    (void)worker;
    int last = y->ndim - 1;
    int64_t n = y->shape[last], yb = agni_dtypes[y->dtype].bytes;
    int64_t xb = agni_dtypes[x->dtype].bytes, hi = (job + 1) * c->grain;
    for (int64_t row = job * c->grain; row < hi && row < c->rows; row++) {
        int64_t rest = row, yo = 0, xo = 0;
        for (int d = last - 1; d >= 0; d--) {
            int64_t i = rest % y->shape[d];
            rest /= y->shape[d];
            yo += i * y->stride[d];
            xo += i * x->stride[d];
        }
        convert_row(y, (char *)y->data + yo * yb, y->stride[last] * yb, x,
                    (const char *)x->data + xo * xb, x->stride[last] * xb, n);
    }
}

static void convert_flat(void *user, int64_t job, int worker)
{
    const conversion *c = user;
    int64_t yb = agni_dtypes[c->y->dtype].bytes, xb = agni_dtypes[c->x->dtype].bytes;
    int64_t lo = job * c->grain, n = c->rows - lo < c->grain ? c->rows - lo : c->grain;
    char *to = (char *)c->y->data + lo * yb;
    const char *from = (const char *)c->x->data + lo * xb;
    (void)worker;
    if (!c->far) {
        convert_row(c->y, to, yb, c->x, from, xb, n);
        return;
    }
    _Alignas(AGNI_FAR_LINE) char strip[AGNI_FAR_STRIP];
    for (int64_t m; n > 0; n -= m, to += m * yb, from += m * xb) {
        m = agni_far_next(to, (int)yb, AGNI_FAR_STRIP / yb, n);
        convert_row(c->y, strip, yb, c->x, from, xb, m);
        agni_far_copy(to, strip, m * yb);
    }
    agni_far_end();
}

static agn_status convert(const agn_kernel_call *c)
{
    const agn_array *x = c->in, *y = c->out;
    int64_t size = 1;
    for (int d = 0; d < y->ndim; d++)
        size *= y->shape[d];
    if (size == 0)
        return AGN_OK;
    if (x->dtype == y->dtype) {
        agni_move_elements(y, x);
        return AGN_OK;
    }
    bool flat = true;
    int64_t step = 1;
    for (int d = y->ndim - 1; d >= 0; d--) {
        flat = flat && (y->shape[d] == 1 || (x->stride[d] == step && y->stride[d] == step));
        step *= y->shape[d];
    }
    if (flat) {
        bool far = size * agni_dtypes[y->dtype].bytes >= AGNI_FAR_BYTES && x->data != y->data;
        conversion v = {x, y, size, GRAIN, far};
        agni_parallel_for((size + GRAIN - 1) / GRAIN, convert_flat, &v);
        return AGN_OK;
    }
    int64_t n = y->shape[y->ndim - 1];
    conversion v = {x, y, size / n, 1 + GRAIN / n, false};
    agni_parallel_for((v.rows + v.grain - 1) / v.grain, convert_rows, &v);
    return AGN_OK;
}

/* ---- the ops -------------------------------------------------------------------------------- */

static agn_status infer_cast(agni_call *c)
{
    agni_infer_same(c);
    c->meta[0].dtype = (int32_t)c->at->i[0];
    return AGN_OK;
}

static const agn_tensor *cast_transpose(agn_scope *s, const agni_rule *r, int i,
                                        const agn_tensor *g)
{
    (void)i;
    return agni_cast(s, g, r->x[0]->dtype);
}
static const agn_tensor *same_transpose(agn_scope *s, const agni_rule *r, int i,
                                        const agn_tensor *g)
{
    (void)s, (void)r, (void)i;
    return g;
}
static agn_status alias_view(const agni_call *c, agn_tensor **out)
{
    *out = agni_tensor_alias(c->in[0]);
    return *out ? AGN_OK : agni_nomem(c->op->name, sizeof **out);
}

#define UNARY(name_, takes_) \
    .name = #name_, .takes = takes_, .nin = 1, .nout = 1, .dtypes = AGNI_ANY, .diff = 1, .ew = -1, .zero = 1, \
    .cpu = convert, .batch = agni_batch_front, .slots = &slots_##name_, .lo = -3, .hi = 3
static agni_slots slots_cast, slots_copy;
const agni_op agni_op_cast = {UNARY(cast, "x dtype:d"), .cls = AGNI_LINEAR, .infer = infer_cast,
                              .transpose = cast_transpose,
                              .traits = AGNI_ZERO_KEPT, .doc = "convert to another dtype"};
const agni_op agni_op_copy = {UNARY(copy, "x"), .cls = AGNI_LINEAR, .infer = agni_infer_same,
                              .transpose = same_transpose,
                              .traits = AGNI_ZERO_KEPT, .doc = "copy to new memory"};
const agni_op agni_op_stop_gradient = {.name = "stop_gradient",
                                       .takes = "x",
                                       .cls = AGNI_DISCRETE,
                                       .nin = 1,
                                       .nout = 1,
                                       .dtypes = AGNI_ANY,
                                       .ew = -1,
                                       .zero = 1,
                                       .infer = agni_infer_same,
                                       .view = alias_view,
                                       .cpu = convert,
                                       .batch = agni_batch_front,
                                       .lo = -3,
                                       .hi = 3,
                                       .traits = AGNI_ZERO_KEPT,
                                       .doc = "a constant for derivatives"};

agn_status agn_cast(agn_tensor **out, const agn_tensor *x, agn_dtype dtype)
{
    if (out && x && x->dtype == dtype && !x->stale && !x->weak) {
        *out = agni_tensor_ref(x);
        return AGN_OK;
    }
    int64_t d = dtype;
    return agni_apply_public(out, &agni_op_cast, &(agni_attr){.ni = 1, .i = &d}, 1, &x);
}

agn_status agn_copy(agn_tensor **out, const agn_tensor *x)
{
    return agni_apply_public(out, &agni_op_copy, NULL, 1, &x);
}

agn_status agn_contiguous(agn_tensor **out, const agn_tensor *x)
{
    if (out && x && !x->stale && (!x->st || agni_is_contiguous(x))) {
        *out = agni_tensor_ref(x);
        return AGN_OK;
    }
    return agni_rename_error("contiguous", agn_copy(out, x));
}

agn_status agn_stop_gradient(agn_tensor **out, const agn_tensor *x)
{
    return agni_apply_public(out, &agni_op_stop_gradient, NULL, 1, &x);
}
