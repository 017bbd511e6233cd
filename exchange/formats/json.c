/* exchange/formats/json.c - texts and numbers of JSON, from and to UTF-8. */
#include "exchange/formats/json.h"

#include <string.h>

agn_status agni_json_expected(const agni_json *j, const char *what)
{
    int64_t at = j->p - j->text;
    if (j->p == j->end)
        return agni_fail(AGN_EFORMAT,
                         "%s: %s: header ends at byte %lld, expected is %s", j->op,
                         j->file, (long long)at, what);
    char found[16];
    unsigned c = (unsigned char)*j->p;
    agni_format(found, sizeof found, c > 32 && c < 127 ? "'%c'" : "0x%02x", c);
    return agni_fail(AGN_EFORMAT, "%s: %s: header has %s at byte %lld, expected is %s",
                     j->op, j->file, found, (long long)at, what);
}

bool agni_json_take(agni_json *j, char c)
{
    while (j->p < j->end && memchr(" \t\r\n", *j->p, 4))
        j->p++;
    if (j->p == j->end || *j->p != c)
        return false;
    j->p++;
    return true;
}

agn_status agni_json_need(agni_json *j, char c, const char *what)
{
    return agni_json_take(j, c) ? AGN_OK : agni_json_expected(j, what);
}

agn_status agni_json_size(agni_json *j, int64_t *out)
{
    int64_t v = 0;
    agni_json_take(j, '\n'); /* spaces */
    const char *begin = j->p;
    for (; j->p < j->end && *j->p >= '0' && *j->p <= '9'; j->p++)
        if (!agni_checked_mul(v, 10, &v) || !agni_checked_add(v, *j->p - '0', &v))
            return agni_fail(AGN_EFORMAT, "%s: %s: a number beyond 2^63 at byte %lld",
                             j->op, j->file, (long long)(begin - j->text));
    if (j->p == begin || (*begin == '0' && j->p > begin + 1))
        return agni_json_expected(j, "a size");
    *out = v;
    return AGN_OK;
}

/* ---- UTF-8 (RFC 3629) ------------------------------------------------------------------ */

/* bytes of the well-formed sequence at s[n], 0 where there is none */
static int utf8_length(const unsigned char *s, int64_t n)
{
    static const struct {
        unsigned char first, last, low, high; /* of the first byte, and of the second */
        int bytes;
    } rows[] = {
        {0x00, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2},
        {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
        {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4},
        {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (int k = 0; k < AGNI_COUNT(rows); k++) {
        if (s[0] < rows[k].first || s[0] > rows[k].last)
            continue;
        if (n < rows[k].bytes)
            return 0;
        if (rows[k].bytes > 1 && (s[1] < rows[k].low || s[1] > rows[k].high))
            return 0;
        for (int i = 2; i < rows[k].bytes; i++)
            if (s[i] >> 6 != 2)
                return 0;
        return rows[k].bytes;
    }
    return 0;
}

bool agni_utf8(const char *s)
{
    const unsigned char *p = (const unsigned char *)s;
    int64_t n = (int64_t)strlen(s);
    for (int k; n > 0; p += k, n -= k)
        if (!(k = utf8_length(p, n)))
            return false;
    return true;
}

static char *put_code(char *dst, uint32_t c)
{
    if (c < 0x80) {
        *dst++ = (char)c;
    } else {
        int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
        static const unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};
        *dst++ = (char)(lead[more] | c >> 6 * more);
        while (more-- > 0)
            *dst++ = (char)(0x80 | (c >> 6 * more & 0x3f));
    }
    return dst;
}

/* ---- texts ------------------------------------------------------------------------------ */

static const char escaped[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";

static bool parse_hex4(const agni_json *j, const char *p, uint32_t *out)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    *out = 0;
    if (j->end - p < 4)
        return false;
    for (int i = 0; i < 4; i++) {
        const char *d = p[i] ? strchr(digits, p[i]) : NULL;
        if (!d)
            return false;
        uint32_t v = (uint32_t)(d - digits);
        *out = *out << 4 | (v > 15 ? v - 6 : v);
    }
    return true;
}

/* the code after "\u", two of them for what lies beyond 16 bits (RFC 8259, 7) */
static bool unescape_code(agni_json *j, uint32_t *c)
{
    uint32_t low;
    if (!parse_hex4(j, j->p, c))
        return false;
    j->p += 4;
    if (*c >= 0xd800 && *c < 0xdc00) {
        if (j->end - j->p < 6 || j->p[0] != '\\' || j->p[1] != 'u' ||
            !parse_hex4(j, j->p + 2, &low) || low < 0xdc00 || low > 0xdfff)
            return false;
        *c = 0x10000 + ((*c & 0x3ff) << 10 | (low & 0x3ff));
        j->p += 6;
        return true;
    }
    return *c != 0 && (*c < 0xdc00 || *c > 0xdfff);
}

/* one character of a text at j->p into *dst */
static bool unescape_char(agni_json *j, char **dst)
{
    int n = utf8_length((const unsigned char *)j->p, j->end - j->p);
    if (*j->p != '\\') {
        if (!n || (unsigned char)*j->p < 32)
            return false;
        memcpy(*dst, j->p, (size_t)n);
        *dst += n;
        j->p += n;
        return true;
    }
    if (++j->p == j->end)
        return false;
    const char *known = *j->p ? strchr(escaped, *j->p) : NULL;
    if (known) {
        *(*dst)++ = meant[known - escaped];
        j->p++;
        return true;
    }
    uint32_t c;
    if (*j->p != 'u' || (j->p++, !unescape_code(j, &c)))
        return false;
    *dst = put_code(*dst, c);
    return true;
}

agn_status agni_json_text(agni_json *j, char **out)
{
    if (!agni_json_take(j, '"'))
        return agni_json_expected(j, "a text");
    const char *close = j->p; /* an escape is longer than what it means */
    while (close < j->end && *close != '"')
        close += *close == '\\' && close + 1 < j->end ? 2 : 1;
    size_t room = (size_t)(close - j->p) + 1;
    char *s = agni_alloc(room), *dst = s;
    if (!s)
        return agni_nomem(j->op, room);
    while (j->p < j->end && *j->p != '"')
        if (!unescape_char(j, &dst)) {
            agni_free(s);
            return agni_json_expected(j, "a character of a text");
        }
    agn_status st = agni_json_need(j, '"', "a closing quote");
    if (st) {
        agni_free(s);
        return st;
    }
    *dst = 0;
    *out = s;
    return AGN_OK;
}

agn_status agni_json_put_text(agni_output *o, const char *s)
{
    agn_status st = agni_put(o, "\"", 1);
    for (; *s && !st; s++) {
        char code[8];
        const char *known = strchr(meant, *s);
        if (known && *s != '/') {
            st = agni_put(o, (const char[]){'\\', escaped[known - meant]}, 2);
        } else if ((unsigned char)*s < 32) {
            agni_format(code, sizeof code, "\\u%04x", (unsigned)*s);
            st = agni_put(o, code, 6);
        } else {
            st = agni_put(o, s, 1);
        }
    }
    return st ? st : agni_put(o, "\"", 1);
}
