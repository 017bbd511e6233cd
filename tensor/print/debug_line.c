/* tensor/print/debug_line.c - one line that describes a tensor, callable from a debugger at any
   point: it runs no op and reads no device memory. */
#include "tensor/dispatch/op.h"
#include <agnesi/backend.h>

#include <math.h>
#include <string.h>

enum { ROOM = 24 }; /* of one element, and of what closes the line */

typedef struct line {
    char *s; /* AGNI_LINE_BYTES */
    int n;
} line;

static void put_text(line *l, const char *s)
{
    int len = (int)strlen(s), room = AGNI_LINE_BYTES - 1 - l->n;
    len = len < room ? len : room;
    memcpy(l->s + l->n, s, (size_t)len);
    l->n += len;
    l->s[l->n] = 0;
}

/* what kind of value, apart from its elements */
static void put_facts(line *l, const agn_tensor *x)
{
    bool sparse = x->layout != AGN_DENSE;
    char entries[40];
    if (sparse) {
        agni_format(entries, sizeof entries, " %s %lld entries", agni_layout_names[x->layout],
                    (long long)agni_entry_count(x));
        put_text(l, entries);
        x = agni_values_of(x);
    }
    if (x->st && x->st->device != AGN_CPU) {
        put_text(l, " on ");
        put_text(l, agn_device_name(x->st->device));
    }
    put_text(l, x->st ? "" : " while tracing");
    put_text(l, x->weak ? " literal" : "");
    put_text(l, x->node ? " of " : "");
    put_text(l, x->node ? x->node->op->name : "");
    put_text(l, x->stale ? " stale" : "");
    put_text(l, !sparse && x->st && !agni_is_contiguous(x) ? " strided" : "");
}

/* the narrow formats of IEEE 754 and of its upper half, without an op */
static double small_float(uint16_t bits, int digits)
{
    int exponent = bits >> digits & ((1 << (15 - digits)) - 1),
        top = (1 << (15 - digits)) - 1;
    double m = bits & ((1 << digits) - 1), sign = bits >> 15 ? -1 : 1;
    int bias = top >> 1;
    if (exponent == top)
        return m != 0 ? (double)NAN : sign * (double)INFINITY;
    m = ldexp(exponent ? m + (1 << digits) : m,
              (exponent ? exponent : 1) - bias - digits);
    return sign * m;
}

static int real_text(char *s, size_t n, int dtype, const void *p)
{
    switch (dtype) {
    case AGN_F16:
    case AGN_BF16:
        return agni_format(
            s, n, "%.4g", small_float(*(const uint16_t *)p, dtype == AGN_F16 ? 10 : 7));
    case AGN_F32:
        return agni_format(s, n, "%.6g", (double)*(const float *)p);
    default:
        return agni_format(s, n, "%.6g", *(const double *)p);
    }
}

static void element_text(char *s, size_t n, int dtype, const void *p)
{
    int64_t v = dtype == AGN_I64   ? *(const int64_t *)p
                : dtype == AGN_I32 ? *(const int32_t *)p
                : dtype == AGN_I16 ? *(const int16_t *)p
                : dtype == AGN_I8  ? *(const int8_t *)p
                                   : *(const uint8_t *)p;
    if (agni_kind(dtype) == AGNI_KIND_BOOL) {
        agni_format(s, n, "%s", v ? "true" : "false");
    } else if (agni_kind(dtype) == AGNI_KIND_INT) {
        agni_format(s, n, "%lld", (long long)v);
    } else {
        int real = agni_dtypes[dtype].real, len = real_text(s, n, real, p);
        if (agni_kind(dtype) == AGNI_KIND_COMPLEX) {
            const char *im = (const char *)p + agni_dtypes[real].bytes;
            char part[ROOM];
            real_text(part, sizeof part, real, im);
            agni_format(s + len, n - (size_t)len, "%s%sj", *part == '-' ? "" : "+",
                        part);
        }
    }
}

/* address of element k in row-major order */
static const char *element_address(const agn_tensor *x, int64_t k)
{
    int64_t offset = 0;
    for (int i = x->ndim - 1; i >= 0; i--) {
        offset += k % x->shape[i] * x->stride[i];
        k /= x->shape[i];
    }
    return (const char *)x->data + offset * agni_dtypes[x->dtype].bytes;
}

static void put_elements(line *l, const agn_tensor *x)
{
    put_text(l, " {");
    for (int64_t k = 0; k < x->size; k++) {
        char word[2 * ROOM + 4];
        element_text(word, sizeof word, x->dtype, element_address(x, k));
        bool fits = l->n + (int)strlen(word) + 9 <=
                    AGNI_LINE_BYTES; /* ", ...}" follows */
        put_text(l, k ? ", " : "");
        put_text(l, fits ? word : "...");
        if (!fits)
            break;
    }
    put_text(l, "}");
}

const char *agn_brief(const agn_tensor *x)
{
    line l = {agni_line_buffer(), 0};
    if (!x || !l.s)
        return x ? "a tensor, and no memory for a line on it" : "no tensor";
    put_text(&l, agni_dtypes[x->dtype].name);
    put_text(&l, " ");
    put_text(&l, agni_shape_text((char[64]){0}, 64, x->ndim, x->shape));
    put_facts(&l, x);
    if (x->st && x->st->device == AGN_CPU && !x->stale)
        put_elements(&l, x);
    return l.s;
}
