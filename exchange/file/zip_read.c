/* exchange/file/zip_read.c - the central directory of a ZIP archive (APPNOTE) and its members.

   The central directory is authoritative; of a local header only the length is used. All members
   together are as long as the file at most, so that overlapping members (a zip bomb) are
   refused. */
#include "exchange/file/zip.h"

#include <string.h>

enum {
    END = 22,
    END64 = 56,
    LOCATOR = 20,
    CENTRAL = 46,
    LOCAL = 30,
    COMMENT_MOST = 65535
};
/* 1032: the most one byte of a deflate stream can become (a match of 258 in 2 bits) */
enum { RATIO_MOST = 1032 };

static agn_status fail_damaged(const agni_input *in, const char *what, int64_t a, int64_t b)
{
    return agni_fail(AGN_EFORMAT, "%s: %s: %s: %lld, %lld", in->op, in->file, what,
                     (long long)a, (long long)b);
}

/* ---- where the directory is ----------------------------------------------------------- */

typedef struct place {
    int64_t at, bytes, n;
} place;

/* the record at the end, which a comment of up to 65535 bytes may follow */
static agn_status find_end(const agni_input *in, int64_t *at, unsigned char end[END])
{
    int64_t most = END + COMMENT_MOST, n = in->size < most ? in->size : most;
    if (n < END)
        return fail_damaged(in, "is no archive: bytes, at least", n, END);
    unsigned char *tail = agni_alloc((size_t)n);
    if (!tail)
        return agni_nomem(in->op, (size_t)n);
    agn_status st = agni_input_read(in, in->size - n, tail, (size_t)n, "end");
    int64_t k = n - END;
    while (!st && k >= 0 &&
           (memcmp(tail + k, "PK\5\6", 4) != 0 ||
            (int64_t)agni_little(tail + k + 20, 2) != n - END - k))
        k--;
    if (!st && k >= 0) {
        memcpy(end, tail + k, END);
        *at = in->size - n + k;
    }
    agni_free(tail);
    if (!st && k < 0)
        st = agni_fail(AGN_EFORMAT,
                       "%s: %s: %lld bytes that do not end as an archive does", in->op,
                       in->file, (long long)in->size);
    return st;
}

/* the record of 64 bits, where that of 32 bits says there is one */
static agn_status find_end64(const agni_input *in, int64_t *at, place *p)
{
    unsigned char loc[LOCATOR], end[END64];
    if (*at < LOCATOR + END64)
        return AGN_OK;
    agn_status st = agni_input_read(in, *at - LOCATOR, loc, LOCATOR, "locator");
    if (st || memcmp(loc, "PK\6\7", 4) != 0)
        return st;
    int64_t where = (int64_t)agni_little(loc + 8, 8);
    if (where < 0 || where > *at - LOCATOR - END64)
        return fail_damaged(in, "end record lies outside: at, of bytes", where, in->size);
    st = agni_input_read(in, where, end, END64, "end record");
    if (!st && memcmp(end, "PK\6\6", 4) != 0)
        return fail_damaged(in, "has no end record: at, of bytes", where, in->size);
    *p = (place){(int64_t)agni_little(end + 48, 8), (int64_t)agni_little(end + 40, 8),
                 (int64_t)agni_little(end + 32, 8)};
    *at = where;
    return st;
}

static agn_status find_directory(const agni_input *in, place *p)
{
    unsigned char end[END];
    int64_t at = 0;
    agn_status st = find_end(in, &at, end);
    if (st)
        return st;
    if (agni_little(end + 4, 2) != agni_little(end + 6, 2))
        return fail_damaged(in, "archive in several parts: numbers",
                            (int64_t)agni_little(end + 4, 2), (int64_t)agni_little(end + 6, 2));
    *p = (place){(int64_t)agni_little(end + 16, 4), (int64_t)agni_little(end + 12, 4),
                 (int64_t)agni_little(end + 10, 2)};
    if (p->at == UINT32_MAX || p->bytes == UINT32_MAX || p->n == UINT16_MAX)
        st = find_end64(in, &at, p);
    if (!st && (p->at < 0 || p->bytes < 0 || p->bytes > at || p->at > at - p->bytes))
        st = fail_damaged(in, "directory lies outside: at, bytes", p->at, p->bytes);
    if (!st && (p->n < 0 || p->n > p->bytes / CENTRAL))
        st = fail_damaged(in, "directory too short: members, bytes", p->n, p->bytes);
    return st;
}

/* ---- one member -------------------------------------------------------------------------- */

/* the ZIP64 extra field: sizes and offset of 64 bits, those that did not fit, in this order */
static bool read_zip64_extra(agni_zip_member *m, const unsigned char *extra, int64_t n)
{
    int64_t *const field[] = {&m->size, &m->packed, &m->at};
    int64_t bytes = 0;
    for (; n >= 4; extra += 4 + bytes, n -= 4 + bytes) {
        bytes = (int64_t)agni_little(extra + 2, 2);
        if (bytes > n - 4)
            return false;
        if (agni_little(extra, 2) != 1)
            continue;
        int64_t at = 0;
        for (int k = 0; k < AGNI_COUNT(field); k++) {
            if (*field[k] != UINT32_MAX)
                continue;
            if (bytes - at < 8)
                return false;
            *field[k] = (int64_t)agni_little(extra + 4 + at, 8);
            at += 8;
        }
        return true;
    }
    return true;
}

/* the member at p[left] of the directory; *used bytes of it */
static agn_status parse_member(const agni_input *in, agni_zip_member *m,
                               const char *text, int64_t left, int64_t *used)
{
    const unsigned char *p = (const unsigned char *)text;
    if (left < CENTRAL || memcmp(p, "PK\1\2", 4) != 0)
        return fail_damaged(in, "directory breaks off: bytes left, of a member", left, CENTRAL);
    int64_t name = (int64_t)agni_little(p + 28, 2),
            extra = (int64_t)agni_little(p + 30, 2);
    *used = CENTRAL + name + extra + (int64_t)agni_little(p + 32, 2);
    if (*used > left)
        return fail_damaged(in, "directory breaks off: bytes left, of a member", left, *used);
    *m = (agni_zip_member){text + CENTRAL,
                           (int)name,
                           (int)agni_little(p + 10, 2),
                           (uint32_t)agni_little(p + 16, 4),
                           (int64_t)agni_little(p + 20, 4),
                           (int64_t)agni_little(p + 24, 4),
                           (int64_t)agni_little(p + 42, 4)};
    if (!read_zip64_extra(m, p + CENTRAL + name, extra))
        return fail_damaged(in, "sizes of 64 bits break off: bytes, name of", extra, name);
    if (agni_little(p + 8, 2) & 1)
        return agni_fail(AGN_EFORMAT, "%s: %s: member '%.*s' is encrypted", in->op,
                         in->file, (int)name, m->name);
    if (m->method != AGNI_ZIP_STORED && m->method != AGNI_ZIP_DEFLATED)
        return agni_fail(
            AGN_EFORMAT,
            "%s: %s: member '%.*s' is packed by method %d, known are 0 and 8", in->op,
            in->file, (int)name, m->name, m->method);
    bool stored = m->method == AGNI_ZIP_STORED;
    if (m->packed < 0 || m->size < 0 || m->at < 0 || m->at > in->size - LOCAL ||
        m->packed > in->size - LOCAL - m->at ||
        (stored ? m->size != m->packed : m->size / RATIO_MOST > m->packed))
        return fail_damaged(in, "sizes of a member cannot be: packed, unpacked", m->packed,
                            m->size);
    return AGN_OK;
}

agn_status agni_zip_open(agni_zip *z, const agni_input *in)
{
    place p = {0};
    *z = (agni_zip){.in = in};
    agn_status st = find_directory(in, &p);
    if (st)
        return st;
    z->directory = agni_alloc((size_t)p.bytes + 1);
    z->member = agni_alloc((size_t)p.n * sizeof *z->member + 1);
    if (!z->directory || !z->member)
        st = agni_nomem(in->op, (size_t)p.bytes);
    if (!st)
        st = agni_input_read(in, p.at, z->directory, (size_t)p.bytes, "directory");
    int64_t at = 0, all = 0;
    for (; !st && z->n < p.n; z->n++) {
        int64_t used = 0;
        agni_zip_member *m = &z->member[z->n];
        st = parse_member(in, m, z->directory + at, p.bytes - at, &used);
        at += used;
        all += st ? 0
                  : LOCAL +
                        m->packed; /* each is within the file, so few can overflow */
        if (!st && all > in->size)
            st = fail_damaged(in, "members overlap: bytes, file", all, in->size);
    }
    if (st)
        agni_zip_close(z);
    return st;
}

void agni_zip_close(agni_zip *z)
{
    agni_free(z->directory);
    agni_free(z->member);
    *z = (agni_zip){0};
}

/* ---- content ----------------------------------------------------------------------------- */

agn_status agni_zip_begin(agni_zip_content *c, const agni_zip *z,
                          const agni_zip_member *m)
{
    unsigned char head[LOCAL];
    *c = (agni_zip_content){.m = m};
    agn_status st = agni_input_read(z->in, m->at, head, LOCAL, "member");
    if (st)
        return st;
    if (memcmp(head, "PK\3\4", 4) != 0)
        return fail_damaged(z->in, "no member begins here: at, of bytes", m->at, z->in->size);
    int64_t at = m->at + LOCAL + (int64_t)agni_little(head + 26, 2) +
                 (int64_t)agni_little(head + 28, 2);
    if (at > z->in->size - m->packed)
        return fail_damaged(z->in, "member lies outside: at, bytes", at, m->packed);
    c->part = (agni_part){z->in, at, at + m->packed};
    return m->method == AGNI_ZIP_DEFLATED ? agni_inflate_new(&c->inflate, &c->part)
                                          : AGN_OK;
}

int64_t agni_zip_read(void *content, void *buf, size_t n)
{
    agni_zip_content *c = content;
    int64_t left = c->m->size - c->given;
    n = (uint64_t)left < n ? (size_t)left : n;
    int64_t got = c->inflate ? agni_inflate_read(c->inflate, buf, n)
                             : agni_part_read(&c->part, buf, n);
    if (got > 0) {
        c->crc = agni_crc32(c->crc, buf, (size_t)got);
        c->given += got;
    }
    return got;
}

agn_status agni_zip_end(agni_zip_content *c)
{
    char rest[512];
    int64_t got;
    do {
        got = agni_zip_read(c, rest, sizeof rest);
    } while (got > 0);
    if (got < 0)
        return (agn_status)got;
    const agni_input *in = c->part.in;
    if (c->given != c->m->size)
        return fail_damaged(in, "member ends early: bytes, of", c->given, c->m->size);
    if (c->crc != c->m->crc)
        return fail_damaged(in, "content has another checksum than its member: is, should be",
                            c->crc, c->m->crc);
    return AGN_OK;
}

void agni_zip_drop(agni_zip_content *c)
{
    agni_inflate_free(c->inflate);
    c->inflate = NULL;
}
