/* exchange/formats/npy.c - tensors to and from .npy files. */
#include "exchange/formats/npy.h"

#include <string.h>

/* ---- reading --------------------------------------------------------------------- */

static agn_status read_all(const agni_source *src, void *buf, size_t n,
                           const char *what)
{
    for (size_t have = 0; have < n;) {
        int64_t got = src->read(src->user, (char *)buf + have, n - have);
        if (got < 0)
            return (agn_status)got;
        if (got == 0)
            return agni_fail(AGN_EFORMAT,
                             "%s: %s: ends after %zu of the %zu bytes of its %s",
                             src->op, src->file, have, n, what);
        have += (size_t)got;
    }
    return AGN_OK;
}

/* magic, version and length of the dictionary; *at becomes where it begins */
static agn_status read_preamble(const agni_source *src, int64_t *at, int64_t *length)
{
    unsigned char b[12];
    agn_status st = read_all(src, b, 10, "first 10");
    if (st)
        return st;
    if (memcmp(b, "\x93NUMPY", 6) != 0)
        return agni_fail(AGN_EFORMAT,
                         "%s: %s: %lld bytes that do not begin as a .npy file", src->op,
                         src->file, (long long)src->size);
    if (b[6] < 1 || b[6] > 3 || b[7] != 0)
        return agni_fail(AGN_EFORMAT,
                         "%s: %s: version %d.%d, known are 1.0, 2.0 and 3.0", src->op,
                         src->file, b[6], b[7]);
    *at = b[6] == 1 ? 10 : 12;
    *length = b[8] | b[9] << 8;
    if (b[6] > 1) {
        st = read_all(src, b + 10, 2, "length of the header");
        *length |= (int64_t)b[10] << 16 | (int64_t)b[11] << 24;
    }
    return st;
}

/* NumPy's own limit is 10000; a dictionary for our dtypes needs less than 1000 */
enum { HEADER_MOST = 65536 };

typedef agn_status parse_header(agni_npy_header *h, const char *op, const char *file,
                                const char *text, size_t n);

static agn_status read_header(const agni_source *src, agni_npy_header *h, parse_header *parse)
{
    int64_t at = 0, length = 0;
    agn_status st = read_preamble(src, &at, &length);
    if (st)
        return st;
    if (length > src->size - at || length > HEADER_MOST)
        return agni_fail(
            AGN_EFORMAT,
            "%s: %s: header of %lld bytes, the file has %lld and %d are allowed",
            src->op, src->file, (long long)length, (long long)src->size, HEADER_MOST);
    char *text = agni_alloc((size_t)length + 1);
    if (!text)
        return agni_nomem(src->op, (size_t)length + 1);
    st = read_all(src, text, (size_t)length, "header");
    if (!st)
        st = parse(h, src->op, src->file, text, (size_t)length);
    agni_free(text);
    int64_t left = src->size - at - length;
    if (!st && h->bytes > left)
        st = agni_fail(AGN_EFORMAT,
                       "%s: %s: %s %s has %lld bytes, behind the header are %lld",
                       src->op, src->file, agni_dtypes[h->dtype].name,
                       agni_shape_text((char[96]){0}, 96, h->ndim, h->shape),
                       (long long)h->bytes, (long long)left);
    return st;
}

/* the same memory seen with the first axis running fastest, made row-major */
static agn_status from_fortran(agn_tensor **out, const agn_tensor *x)
{
    int64_t stride[AGNI_MAX_RANK], step = 1;
    for (int i = 0; i < x->ndim; i++) {
        stride[i] = step;
        step *= x->shape[i] ? x->shape[i] : 1;
    }
    agn_tensor *view = NULL;
    agn_status st = agni_tensor_view(&view, x, x->ndim, x->shape, stride, 0);
    if (!st)
        st = agn_contiguous(out, view);
    agn_release(view);
    return st;
}

static agn_status read_array(agn_tensor **out, agni_npy_header *found, const agni_source *src,
                             parse_header *parse)
{
    agn_tensor *x = NULL;
    agn_status st = read_header(src, found, parse);
    const agni_npy_header h = *found;
    if (st || h.foreign[0])
        return st;
    st = agni_tensor_make(&x, src->op, h.dtype, h.ndim, h.shape, AGN_CPU);
    if (!st)
        st = read_all(src, x->data, (size_t)h.bytes, "elements");
    if (st) {
        agn_release(x);
        return st;
    }
    char *p = x->data;
    if (h.swap)
        agni_swap_bytes(p, h.bytes, agni_dtypes[agni_dtypes[h.dtype].real].bytes);
    for (int64_t i = 0; h.dtype == AGN_BOOL && i < h.bytes; i++)
        p[i] = p[i] != 0; /* no other value is a bool */
    if (!h.fortran || h.ndim < 2) {
        *out = x;
        return AGN_OK;
    }
    st = from_fortran(out, x);
    agn_release(x);
    return st;
}

agn_status agni_npy_read(agn_tensor **out, const agni_source *src)
{
    return read_array(out, &(agni_npy_header){0}, src, agni_npy_parse);
}

agn_status agni_npy_read_any(agn_tensor **out, char foreign[48], const agni_source *src)
{
    agni_npy_header h = {0};
    agn_status st = read_array(out, &h, src, agni_npy_parse_any);
    memcpy(foreign, h.foreign, sizeof h.foreign);
    return st;
}

agn_status agn_npy_load(agn_tensor **out, const char *path)
{
    if (!out || !path)
        return agni_fail(AGN_ENULL, "npy_load: %s is NULL", out ? "path" : "out");
    agni_input in;
    agn_status st = agni_input_open(&in, "npy_load", path);
    if (st)
        return st;
    agni_part all = {&in, 0, in.size};
    st = agni_npy_read(out,
                       &(agni_source){in.op, in.file, in.size, agni_part_read, &all});
    agni_input_close(&in);
    return st;
}

/* ---- writing --------------------------------------------------------------------- */

static agn_status write_npy(agni_output *o, const void *user)
{
    const agn_tensor *x = user;
    char head[AGNI_NPY_HEADER];
    size_t n = agni_npy_begin(head, x->dtype, x->ndim, x->shape);
    agn_status st = agni_put(o, head, n);
    return st ? st : agni_put(o, x->data, (size_t)agni_tensor_bytes(x));
}

agn_status agn_npy_save(const char *path, const agn_tensor *x)
{
    if (!path || !x)
        return agni_fail(AGN_ENULL, "npy_save: %s is NULL", path ? "x" : "path");
    agn_tensor *rows = NULL;
    agn_status st = agni_rows(&rows, "npy_save", x);
    if (!st)
        st = agni_save("npy_save", path, write_npy, rows);
    agn_release(rows);
    return st;
}
