/* tests/laws.h - what the law tests share: seeded numbers, tensors in every layout, and
   reading them by plain index arithmetic, with conversions of their own. */
#ifndef AGN_LAWS_H
#define AGN_LAWS_H

#include "tap.h"

#include <agnesi/agnesi.h>
#include <agnesi/backend.h>
#include <complex.h>

/* A call the test itself needs: nothing after a failure could be trusted. */
#define must(call)                                                    \
    do {                                                              \
        agn_status must_st = (call);                                  \
        if (must_st)                                                  \
            bail_out("%s:%d: %s: %s (%s)", __FILE__, __LINE__, #call, \
                     agn_status_name(must_st), agn_error_message());  \
    } while (0)

#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))

/* splitmix64 (Steele, Lea & Flood 2014) */
static uint64_t law_seed;
static bool law_seeded;
/* AGNESI_TEST_SEED=n: numbers of another seed. A law that draws for one row of many begins its own
   stream, so that a row more or less changes no number of the others. */
static inline void rnd_stream(const char *law, const char *row)
{
    const char *other = getenv("AGNESI_TEST_SEED");
    uint64_t h = 0x9e3779b97f4a7c15u;
    for (int part = 0; part < 2; part++)
        for (const char *c = part ? row : law; *c; c++)
            h = (h ^ (unsigned char)*c) * 1099511628211u;
    law_seed = h + strtoull(other ? other : "0", NULL, 10) * 0xd1342543de82ef95u;
    law_seeded = true;
}
static inline uint64_t rnd(void)
{
    if (!law_seeded)
        rnd_stream("", "");
    uint64_t z = law_seed += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
static inline int64_t rnd_below(int64_t n)
{
    return (int64_t)(rnd() % (uint64_t)n);
}
static inline double rnd_in(double lo, double hi)
{
    return lo + (hi - lo) * ((double)(rnd() >> 11) * 0x1p-53);
}

/* CMPLX, which not every compiler has */
static inline double complex z_of(double re, double im)
{
    union {
        double part[2];
        double complex z;
    } u = {{re, im}};
    return u.z;
}
/* x rounded to f32. Through memory: gcc 12.2 -O2 vectorises (double)(float)x of both parts
   of a complex number to nothing. */
static inline double f32_of(double x)
{
    volatile float f = (float)x;
    return (double)f;
}

/* ---- dtypes ---------------------------------------------------------------------------- */

enum { KIND_BOOL, KIND_INT, KIND_FLOAT, KIND_COMPLEX };
static inline int kind_of(int dtype)
{
    return dtype == AGN_BOOL  ? KIND_BOOL
           : dtype <= AGN_I64 ? KIND_INT
           : dtype <= AGN_F64 ? KIND_FLOAT
                              : KIND_COMPLEX;
}

/* 16-bit floats with m fraction bits, by arithmetic on their definition */
static inline double small_to(uint16_t bits, int m, int bias)
{
    int e = bits >> m & (2 * bias + 1), f = bits & ((1 << m) - 1);
    double s = bits >> 15 ? -1 : 1;
    if (e == 2 * bias + 1)
        return f ? (double)NAN : s * (double)INFINITY;
    return s * (e ? ldexp((1 << m) + f, e - bias - m) : ldexp(f, 1 - bias - m));
}
static inline uint16_t small_of(long double x, int m, int bias)
{
    int e, sign = signbit(x) ? 0x8000 : 0, inf = (2 * bias + 1) << m;
    if (isnan(x))
        return (uint16_t)(sign | inf | 1 << (m - 1));
    if (isinf(x))
        return (uint16_t)(sign | inf);
    frexpl(x, &e);
    e = e - 1 < 1 - bias || x == 0 ? 1 - bias : e - 1;
    if (e > bias)
        return (uint16_t)(sign | inf);
    int bits = ((e + bias - 1) << m) + (int)nearbyintl(ldexpl(fabsl(x), m - e));
    return (uint16_t)(sign | (bits < inf ? bits : inf));
}

static inline void poke(void *p, int dtype, double re, double im)
{
    union {
        bool b;
        uint8_t u8;
        int8_t i8;
        int16_t i16;
        int32_t i32;
        int64_t i64;
        uint16_t h;
        float f;
        double d;
        float c[2];
        double z[2];
    } v;
    memset(&v, 0, sizeof v);
    switch (dtype) {
    case AGN_BOOL:
        v.b = re != 0;
        break;
    case AGN_U8:
        v.u8 = (uint8_t)(int64_t)re;
        break;
    case AGN_I8:
        v.i8 = (int8_t)(int64_t)re;
        break;
    case AGN_I16:
        v.i16 = (int16_t)(int64_t)re;
        break;
    case AGN_I32:
        v.i32 = (int32_t)(int64_t)re;
        break;
    case AGN_I64:
        v.i64 = (int64_t)re;
        break;
    case AGN_F16:
        v.h = small_of((long double)re, 10, 15);
        break;
    case AGN_BF16:
        v.h = small_of((long double)re, 7, 127);
        break;
    case AGN_F32:
        v.f = (float)re;
        break;
    case AGN_F64:
        v.d = re;
        break;
    case AGN_C64:
        v.c[0] = (float)re, v.c[1] = (float)im;
        break;
    default:
        v.z[0] = re, v.z[1] = im;
    }
    memcpy(p, &v, agn_dtype_size(dtype));
}

static inline double complex peek_at(const void *p, int dtype)
{
    union {
        uint8_t u8;
        int8_t i8;
        int16_t i16;
        int32_t i32;
        int64_t i64;
        uint16_t h;
        float f;
        double d;
        float c[2];
        double z[2];
    } v;
    memcpy(&v, p, agn_dtype_size(dtype));
    switch (dtype) {
    case AGN_BOOL:
    case AGN_U8:
        return v.u8;
    case AGN_I8:
        return v.i8;
    case AGN_I16:
        return v.i16;
    case AGN_I32:
        return v.i32;
    case AGN_I64:
        return (double)v.i64;
    case AGN_F16:
        return small_to(v.h, 10, 15);
    case AGN_BF16:
        return small_to(v.h, 7, 127);
    case AGN_F32:
        return (double)v.f;
    case AGN_F64:
        return v.d;
    case AGN_C64:
        return z_of((double)v.c[0], (double)v.c[1]);
    default:
        return z_of(v.z[0], v.z[1]);
    }
}

/* ---- reading ---------------------------------------------------------------------------- */

/* address of the element with row-major number flat */
static inline const char *place(const agn_tensor *x, int64_t flat)
{
    const int64_t *shape = agn_shape(x), *stride = agn_strides(x);
    int64_t off = 0;
    for (int d = agn_ndim(x) - 1; d >= 0; d--) {
        off += flat % shape[d] * stride[d];
        flat /= shape[d];
    }
    return (const char *)agn_data(x) + off * (int64_t)agn_dtype_size(agn_dtype_of(x));
}
static inline double complex peekz(const agn_tensor *x, int64_t flat)
{
    return peek_at(place(x, flat), agn_dtype_of(x));
}
static inline double peek(const agn_tensor *x, int64_t flat)
{
    return creal(peekz(x, flat));
}
static inline int64_t peek_int(const agn_tensor *x, int64_t flat)
{
    int64_t v;
    if (agn_dtype_of(x) != AGN_I64)
        return (int64_t)peek(x, flat);
    memcpy(&v, place(x, flat), sizeof v);
    return v;
}

/* FNV-1a over the elements in row-major order, dtype and shape included */
static inline uint64_t hash_of(const agn_tensor *x)
{
    uint64_t h = 14695981039346656037u;
    size_t b = agn_dtype_size(agn_dtype_of(x));
#define MIX(byte) h = (h ^ (uint64_t)(byte)) * 1099511628211u
    MIX(agn_dtype_of(x));
    for (int d = 0; d < agn_ndim(x); d++)
        MIX(agn_shape(x)[d]);
    for (int64_t i = 0; i < agn_numel(x); i++) {
        const unsigned char *p = (const unsigned char *)place(x, i);
        for (size_t k = 0; k < b; k++)
            MIX(p[k]);
    }
#undef MIX
    return h;
}

static inline bool has_shape(const agn_tensor *x, int ndim, const int64_t *shape)
{
    bool same = agn_ndim(x) == ndim;
    for (int d = 0; same && d < ndim; d++)
        same = agn_shape(x)[d] == shape[d];
    return same;
}
static inline bool same_shapes(const agn_tensor *x, const agn_tensor *y)
{
    return has_shape(x, agn_ndim(y), agn_shape(y));
}

/* ---- making ------------------------------------------------------------------------------ */

static inline int64_t count_of(int ndim, const int64_t *shape)
{
    int64_t n = 1;
    for (int d = 0; d < ndim; d++)
        n *= shape[d];
    return n;
}
static inline void *room_for(size_t bytes)
{
    void *p = calloc(bytes ? bytes : 1, 1);
    if (!p)
        bail_out("the test has no memory for %zu bytes", bytes);
    return p;
}

static inline agn_tensor *of_reals(int dtype, int ndim, const int64_t *shape,
                                   const double *v)
{
    int64_t n = count_of(ndim, shape);
    size_t b = agn_dtype_size(dtype);
    char *p = room_for((size_t)n * b);
    for (int64_t i = 0; i < n; i++)
        poke(p + (size_t)i * b, dtype, v[i], 0);
    agn_tensor *x = NULL;
    must(agn_from_host(&x, dtype, ndim, shape, p));
    free(p);
    return x;
}
static inline agn_tensor *scalar_of(int dtype, double v)
{
    return of_reals(dtype, 0, NULL, &v);
}
/* uniform in [lo, hi]; integers whole; complex numbers in the square */
static inline agn_tensor *random_of(int dtype, int ndim, const int64_t *shape,
                                    double lo, double hi)
{
    int64_t n = count_of(ndim, shape);
    size_t b = agn_dtype_size(dtype);
    char *p = room_for((size_t)n * b);
    for (int64_t i = 0; i < n; i++) {
        double re = rnd_in(lo, hi), im = rnd_in(lo, hi);
        if (dtype == AGN_U8)
            re = fabs(re);
        if (dtype == AGN_BOOL)
            re = (double)(rnd() & 1);
        poke(p + (size_t)i * b, dtype, kind_of(dtype) == KIND_INT ? nearbyint(re) : re,
             im);
    }
    agn_tensor *x = NULL;
    must(agn_from_host(&x, dtype, ndim, shape, p));
    free(p);
    return x;
}

/* The same values with other strides. The gaps hold ones, which no result may show. */
enum { CONTIGUOUS, TRANSPOSED, STRIDED, NEGATIVE, OFFSET, WILD, N_LAYOUTS };
static const char *const layout_names[] = {"contiguous", "transposed",
                                           "strided",    "negative",
                                           "offset",     "wild strides of axes of 1"};
static inline agn_tensor *laid_out(const agn_tensor *x, int layout)
{
    int nd = agn_ndim(x), dtype = agn_dtype_of(x);
    const int64_t *shape = agn_shape(x);
    int64_t stride[AGN_MAX_RANK], step = layout == STRIDED ? 3 : 1, base = 0, n = 1;
    for (int k = 0; k < nd; k++) {
        int d = layout == TRANSPOSED ? k : nd - 1 - k;
        stride[d] = step;
        n *= shape[d];
        step *= shape[d] ? shape[d] : 1;
        if (layout == STRIDED)
            step += 2;
    }
    if (layout == OFFSET)
        base = 1;
    if (layout == NEGATIVE)
        for (int d = 0; d < nd; d++) {
            base += shape[d] ? (shape[d] - 1) * stride[d] : 0;
            stride[d] = -stride[d];
        }
    for (int d = 0; layout == WILD && d < nd; d++)
        if (shape[d] == 1)
            stride[d] = (int64_t[]){0, -7, (int64_t)1 << 33, 1}[d % 4];
    size_t b = agn_dtype_size(dtype), room = (size_t)(step + 8) * b;
    char *p = room_for(room);
    memset(p, 1, room);
    char *first = p + (size_t)base * b;
    for (int64_t i = 0; i < n; i++) {
        int64_t rest = i, off = 0;
        for (int d = nd - 1; d >= 0; d--) {
            off += rest % shape[d] * stride[d];
            rest /= shape[d];
        }
        memcpy(first + off * (int64_t)b, place(x, i), b);
    }
    agn_tensor *y = NULL;
    must(agn_wrap_host(&y, dtype, nd, shape, stride, first, true, free, p));
    return y;
}

/* bits of x and y are the same; NaN equals NaN whatever its payload */
static inline bool same_values(const agn_tensor *x, const agn_tensor *y)
{
    if (!same_shapes(x, y) || agn_dtype_of(x) != agn_dtype_of(y))
        return false;
    size_t b = agn_dtype_size(agn_dtype_of(x));
    for (int64_t i = 0; i < agn_numel(x); i++)
        if (memcmp(place(x, i), place(y, i), b)) {
            double complex u = peekz(x, i), v = peekz(y, i);
            bool re = creal(u) == creal(v) || (isnan(creal(u)) && isnan(creal(v)));
            bool im = cimag(u) == cimag(v) || (isnan(cimag(u)) && isnan(cimag(v)));
            bool nan = isnan(creal(u)) || isnan(cimag(u));
            if (!re || !im || !nan)
                return false;
        }
    return true;
}

static inline const char *shape_text(int ndim, const int64_t *shape)
{
    static char text[8][256];
    static int turn;
    char *t = text[turn++ % 8];
    int k = snprintf(t, 256, "[");
    for (int d = 0; d < ndim && k < 230; d++)
        k += snprintf(t + k, 256 - (size_t)k, "%s%" PRId64, d ? "," : "", shape[d]);
    snprintf(t + k, 256 - (size_t)k, "]");
    return t;
}
#define SHAPE_TEXT(x) shape_text(agn_ndim(x), agn_shape(x))

/* Many checks in one line of TAP: the first few failures are told, the rest counted. */
typedef struct tally {
    int64_t checks, failed;
} tally;
TAP_PRINTF(3, 4) static void check(tally *t, bool held, const char *fmt, ...)
{
    t->checks++;
    if (held)
        return;
    if (t->failed++ < 5) {
        va_list ap;
        va_start(ap, fmt);
        fputs("# wrong: ", stdout);
        vprintf(fmt, ap);
        putchar('\n');
        va_end(ap);
    }
}
#define tell(t, ...)                                                                   \
    (ok((t)->failed == 0 && (t)->checks > 0, __VA_ARGS__),                             \
     (t)->failed ? diag("%" PRId64 " of %" PRId64 " failed", (t)->failed, (t)->checks) \
                 : (void)0)

/* A call that must fail: status, the op's name in front, each of the words in the message,
   and *out as it was. */
static agn_tensor *const untouched = (agn_tensor *)(uintptr_t)0x5eed;
static inline bool refused(agn_status st, agn_status want, const char *op,
                           const char *fact1, const char *fact2, const agn_tensor *out)
{
    const char *m = agn_error_message();
    size_t n = strlen(op);
    bool good = st == want && !strncmp(m, op, n) && m[n] == ':' &&
                (!fact1 || strstr(m, fact1)) && (!fact2 || strstr(m, fact2)) &&
                out == untouched;
    if (!good)
        diag("got %s \"%s\"%s", agn_status_name(st), m,
             out == untouched ? "" : " and out was written");
    return good;
}

#endif
