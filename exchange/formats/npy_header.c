/* exchange/formats/npy_header.c - the dictionary at the beginning of a .npy file, such as
   {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
   Only what NumPy writes for our dtypes is read, in any order and spacing; nothing in
   it is trusted. */
#include "exchange/formats/npy.h"

#include <string.h>

/* ---- reading --------------------------------------------------------------------- */

typedef struct parser {
    const char *op, *file, *text, *p, *end;
    agni_npy_header *h;
} parser;

static agn_status fail_expected(const parser *r, const char *what)
{
    int at = (int)(r->p - r->text);
    if (r->p == r->end)
        return agni_fail(AGN_EFORMAT, "%s: %s: header ends at byte %d, expected is %s",
                         r->op, r->file, at, what);
    char found[16];
    unsigned c = (unsigned char)*r->p;
    agni_format(found, sizeof found, c > 32 && c < 127 ? "'%c'" : "0x%02x", c);
    return agni_fail(AGN_EFORMAT, "%s: %s: header has %s at byte %d, expected is %s",
                     r->op, r->file, found, at, what);
}

static void skip_space(parser *r)
{
    while (r->p < r->end && memchr(" \t\r\n", *r->p, 4))
        r->p++;
}

/* the next character that is no space, if it is c */
static bool accept_char(parser *r, char c)
{
    skip_space(r);
    if (r->p == r->end || *r->p != c)
        return false;
    r->p++;
    return true;
}

static agn_status require_char(parser *r, char c, const char *what)
{
    return accept_char(r, c) ? AGN_OK : fail_expected(r, what);
}

static bool accept_word(parser *r, const char *word)
{
    size_t n = strlen(word);
    skip_space(r);
    if ((size_t)(r->end - r->p) < n || memcmp(r->p, word, n) != 0)
        return false;
    r->p += n;
    return true;
}

/* a quoted text without escapes */
static agn_status parse_quoted(parser *r, const char **s, int *n)
{
    skip_space(r);
    if (r->p == r->end || (*r->p != '\'' && *r->p != '"'))
        return fail_expected(r, "a quoted text");
    const char *begin = r->p + 1;
    const char *close = memchr(begin, *r->p, (size_t)(r->end - begin));
    if (!close) {
        r->p = r->end;
        return fail_expected(r, "a closing quote");
    }
    *s = begin;
    *n = close - begin < 1000 ? (int)(close - begin) : 1000;
    r->p = close + 1;
    return AGN_OK;
}

static const char records[] = "records";

static agn_status fail_foreign(const char *op, const char *file, const char *what)
{
    if (!strcmp(what, records))
        return agni_fail(AGN_EFORMAT, "%s: %s: elements are records, not numbers", op, file);
    return agni_fail(AGN_EFORMAT,
                     "%s: %s: there is no dtype for its elements '%s'; known are b1 u1 i1 i2 "
                     "i4 i8 f2 f4 f8 c8 c16, and V2 for bf16",
                     op, file, what);
}

/* [('a', '<f8'), ('b', '<i4', (2,))] */
static agn_status skip_records(parser *r)
{
    int depth = 0;
    do {
        skip_space(r);
        if (r->p == r->end)
            return fail_expected(r, "']'");
        if (*r->p == '\'' || *r->p == '"') {
            const char *s;
            int n;
            agn_status st = parse_quoted(r, &s, &n);
            if (st)
                return st;
            continue;
        }
        depth += (*r->p == '[') - (*r->p == ']');
        r->p++;
    } while (depth);
    memcpy(r->h->foreign, records, sizeof records);
    return AGN_OK;
}

static agn_status parse_descr(parser *r)
{
    const char *s;
    int n;
    skip_space(r);
    if (r->p < r->end && *r->p == '[')
        return skip_records(r);
    agn_status st = parse_quoted(r, &s, &n);
    if (st)
        return st;
    char order = n > 0 && memchr("<>=|", s[0], 4) ? s[0] : '=';
    const char *name = s + (order == s[0]);
    int len = n - (int)(name - s);
    for (int d = 0; n > 0 && d < AGN_NDTYPES; d++) {
        const char *known = agni_dtypes[d].npy;
        if ((int)strlen(known + 1) != len || memcmp(known + 1, name, (size_t)len) != 0)
            continue;
        r->h->dtype = d;
        r->h->swap = agni_dtypes[d].bytes > 1 &&
                     order == (agni_little_endian() ? '>' : '<');
        return AGN_OK;
    }
    agni_format(r->h->foreign, sizeof r->h->foreign, "%.*s", n > 40 ? 40 : n, s);
    if (n && !r->h->foreign[0]) /* a NUL comes first */
        r->h->foreign[0] = '?';
    return n ? AGN_OK : fail_foreign(r->op, r->file, "");
}

static agn_status parse_order(parser *r)
{
    r->h->fortran = accept_word(r, "True");
    return r->h->fortran || accept_word(r, "False") ? AGN_OK : fail_expected(r, "True or False");
}

/* a size; Python 2 wrote an L behind large ones */
static agn_status parse_size(parser *r, int64_t *out)
{
    int64_t v = 0;
    skip_space(r);
    if (r->p < r->end && *r->p == '-')
        return agni_fail(AGN_EFORMAT, "%s: %s: size of axis %d is negative", r->op,
                         r->file, r->h->ndim);
    if (r->p == r->end || *r->p < '0' || *r->p > '9')
        return fail_expected(r, "a size");
    for (; r->p < r->end && *r->p >= '0' && *r->p <= '9'; r->p++)
        if (!agni_checked_mul(v, 10, &v) || !agni_checked_add(v, *r->p - '0', &v))
            return agni_fail(AGN_EFORMAT, "%s: %s: size of axis %d is beyond 2^63",
                             r->op, r->file, r->h->ndim);
    if (r->p < r->end && *r->p == 'L')
        r->p++;
    *out = v;
    return AGN_OK;
}

/* (), (3,) and (3, 4); (3) would be a number */
static agn_status parse_shape(parser *r)
{
    agni_npy_header *h = r->h;
    agn_status st = require_char(r, '(', "'(' of the shape");
    bool comma = true;
    while (!st && !accept_char(r, ')')) {
        if (!comma)
            return fail_expected(r, "',' or ')'");
        if (h->ndim == AGN_MAX_RANK)
            return agni_fail(AGN_EFORMAT,
                             "%s: %s: more axes than the %d a tensor can have", r->op,
                             r->file, AGN_MAX_RANK);
        st = parse_size(r, &h->shape[h->ndim]);
        h->ndim++;
        comma = accept_char(r, ',');
    }
    if (!st && h->ndim == 1 && !comma)
        st = agni_fail(AGN_EFORMAT, "%s: %s: shape (%lld) is a number, not a tuple",
                       r->op, r->file, (long long)h->shape[0]);
    return st;
}

static const struct {
    const char *name;
    agn_status (*parse)(parser *r);
} keys[] = {
    {"descr", parse_descr},
    {"fortran_order", parse_order},
    {"shape", parse_shape},
};

static agn_status parse_item(parser *r, unsigned *seen)
{
    const char *s;
    int n;
    agn_status st = parse_quoted(r, &s, &n);
    for (int k = 0; !st && k < AGNI_COUNT(keys); k++) {
        if ((int)strlen(keys[k].name) != n || memcmp(keys[k].name, s, (size_t)n) != 0)
            continue;
        if (*seen >> k & 1)
            return agni_fail(AGN_EFORMAT,
                             "%s: %s: header has '%s' twice, again at byte %d", r->op,
                             r->file, keys[k].name, (int)(s - r->text));
        *seen |= 1u << k;
        st = require_char(r, ':', "':'");
        return st ? st : keys[k].parse(r);
    }
    return st ? st
              : agni_fail(AGN_EFORMAT, "%s: %s: header has an unknown key '%.*s'",
                          r->op, r->file, n > 40 ? 40 : n, s);
}

/* what the header says exists, and fits an int64_t in bytes and in strides */
static agn_status check_size(agni_npy_header *h, const char *op, const char *file)
{
    int64_t n = 1, all = agni_dtypes[h->dtype].bytes;
    bool fits = true;
    for (int i = 0; i < h->ndim; i++) {
        fits = fits && agni_checked_mul(n, h->shape[i], &n);
        fits = fits && agni_checked_mul(all, h->shape[i] ? h->shape[i] : 1, &all);
    }
    if (!fits || all > INT64_MAX / 16)
        return agni_fail(AGN_EFORMAT, "%s: %s: no array can have the shape %s", op,
                         file, agni_shape_text((char[96]){0}, 96, h->ndim, h->shape));
    h->bytes = n * agni_dtypes[h->dtype].bytes;
    return AGN_OK;
}

agn_status agni_npy_parse(agni_npy_header *h, const char *op, const char *file,
                          const char *text, size_t n)
{
    agn_status st = agni_npy_parse_any(h, op, file, text, n);
    return st || !h->foreign[0] ? st : fail_foreign(op, file, h->foreign);
}

agn_status agni_npy_parse_any(agni_npy_header *h, const char *op, const char *file,
                              const char *text, size_t n)
{
    *h = (agni_npy_header){0};
    parser r = {
        .op = op, .file = file, .text = text, .p = text, .end = text + n, .h = h};
    unsigned seen = 0;
    agn_status st = require_char(&r, '{', "'{'");
    bool comma = true;
    while (!st && !accept_char(&r, '}')) {
        if (!comma)
            return fail_expected(&r, "',' or '}'");
        st = parse_item(&r, &seen);
        comma = accept_char(&r, ',');
    }
    for (int k = 0; !st && k < AGNI_COUNT(keys); k++)
        if (!(seen >> k & 1))
            st = agni_fail(AGN_EFORMAT, "%s: %s: header of %zu bytes lacks '%s'", op,
                           file, n, keys[k].name);
    skip_space(&r);
    if (!st && r.p < r.end)
        st = fail_expected(&r, "its end");
    return st || h->foreign[0] ? st : check_size(h, op, file);
}

/* ---- writing --------------------------------------------------------------------- */

/* As NumPy 2 writes it: room for the first size to grow, then spaces to a multiple
   of 64. */
enum { GROWTH = 21, ALIGN = 64, MAGIC = 10 };

size_t agni_npy_begin(char *buf, int dtype, int ndim, const int64_t *shape)
{
    const char *npy = agni_dtypes[dtype].npy;
    int n = MAGIC, spare = 0;
    n += agni_format(buf + n, 96,
                     "{'descr': '%c%s', 'fortran_order': False, 'shape': (",
                     *npy == '<' && !agni_little_endian() ? '>' : *npy, npy + 1);
    for (int i = 0; i < ndim; i++) {
        int len = agni_format(buf + n, 24, "%lld", (long long)shape[i]);
        spare = i == 0 ? GROWTH - len : spare;
        n += len;
        if (i + 1 < ndim || ndim == 1)
            buf[n++] = ',';
        if (i + 1 < ndim)
            buf[n++] = ' ';
    }
    memcpy(buf + n, "), }", 4);
    n += 4 + spare;
    int total = n + 1 + ALIGN - (n + 1) % ALIGN;
    memset(buf + n - spare, ' ', (size_t)(total - 1 - n + spare));
    buf[total - 1] = '\n';
    memcpy(buf, "\x93NUMPY\x01\x00", 8);
    buf[8] = (char)((total - MAGIC) & 255);
    buf[9] = (char)((total - MAGIC) >> 8);
    return (size_t)total;
}
