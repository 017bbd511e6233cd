/* exchange/file/zip_write.c - a ZIP archive written sequentially: the sizes of a deflated member
   follow it in a data descriptor. */
#include "exchange/file/zip.h"

#include <string.h>

enum {
    NARROW = 20, /* version needed: deflate; 45: sizes of 64 bits */
    WIDE = 45,
    UNIX = 3 << 8,
    SIZES_FOLLOW = 8,
    UTF8 = 1 << 11,
    DAY = 1 << 5 | 1 /* 1 January 1980: the same bytes every day */
};
/* a deflated member may grow a little (5 bytes per 16383, and its end) */
static const int64_t wide_from = 0xf0000000;

typedef struct field {
    uint64_t value;
    int bytes;
} field;

static agn_status put_fields(agni_output *o, const char *signature, const field *f,
                             int n)
{
    agn_status st = agni_put(o, signature, 4);
    for (int i = 0; i < n && !st; i++)
        st = agni_put_little(o, f[i].value, f[i].bytes);
    return st;
}
#define PUT(o, signature, ...)                             \
    put_fields(o, signature, (const field[]){__VA_ARGS__}, \
               AGNI_COUNT(((const field[]){__VA_ARGS__})))

static uint64_t field32(bool wide, int64_t v)
{
    return wide ? UINT32_MAX : (uint64_t)v;
}

static uint64_t entry_flags(const agni_zip_entry *e)
{
    bool ascii = true;
    for (const char *p = e->name; *p; p++)
        ascii = ascii && (unsigned char)*p < 128;
    return (uint64_t)((ascii ? 0 : UTF8) |
                      (e->method == AGNI_ZIP_DEFLATED ? SIZES_FOLLOW : 0));
}

agn_status agni_zip_put(agni_output *o, agni_zip_entry *e, const agni_piece *pieces,
                        int n)
{
    bool follow = e->method == AGNI_ZIP_DEFLATED;
    e->at = o->at;
    e->crc = 0;
    e->size = 0;
    for (int i = 0; i < n; i++) {
        e->crc = agni_crc32(e->crc, pieces[i].p, pieces[i].n);
        e->size += (int64_t)pieces[i].n;
    }
    e->packed = e->size;
    e->wide = e->size >= wide_from;
    size_t name = strlen(e->name);
    uint64_t known = follow ? 0 : (uint64_t)e->size;
    agn_status st = PUT(o, "PK\3\4", {e->wide ? WIDE : NARROW, 2}, {entry_flags(e), 2},
                        {(uint64_t)e->method, 2}, {0, 2}, {DAY, 2}, {follow ? 0 : e->crc, 4},
                        {e->wide ? UINT32_MAX : known, 4}, {e->wide ? UINT32_MAX : known, 4},
                        {name, 2}, {e->wide ? 20 : 0, 2});
    st = st ? st : agni_put(o, e->name, name);
    if (!st && e->wide)
        st = PUT(o, "\1\0\20\0", {known, 8}, {known, 8});
    if (!st && follow)
        st = agni_deflate(o, pieces, n, &e->packed);
    for (int i = 0; i < n && !st && !follow; i++)
        st = agni_put(o, pieces[i].p, pieces[i].n);
    int bytes = e->wide ? 8 : 4;
    if (!st && follow)
        st = PUT(o, "PK\7\10", {e->crc, 4}, {(uint64_t)e->packed, bytes},
                 {(uint64_t)e->size, bytes});
    return st;
}

static agn_status put_entry(agni_output *o, const agni_zip_entry *e)
{
    bool far = e->at >= UINT32_MAX;
    uint64_t extra = (e->wide ? 16u : 0u) + (far ? 8u : 0u);
    size_t name = strlen(e->name);
    uint64_t version = e->wide || far ? WIDE : NARROW;
    agn_status st = PUT(o, "PK\1\2", {version | UNIX, 2}, {version, 2}, {entry_flags(e), 2},
                        {(uint64_t)e->method, 2}, {0, 2}, {DAY, 2}, {e->crc, 4},
                        {field32(e->wide, e->packed), 4}, {field32(e->wide, e->size), 4}, {name, 2},
                        {extra ? extra + 4 : 0, 2}, {0, 2}, {0, 2}, {0, 2},
                        {(uint64_t)0600 << 16, 4}, {field32(far, e->at), 4});
    st = st ? st : agni_put(o, e->name, name);
    if (!st && extra)
        st = agni_put_little(o, 1, 2);
    if (!st && extra)
        st = agni_put_little(o, extra, 2);
    if (!st && e->wide)
        st = agni_put_little(o, (uint64_t)e->size, 8);
    if (!st && e->wide)
        st = agni_put_little(o, (uint64_t)e->packed, 8);
    if (!st && far)
        st = agni_put_little(o, (uint64_t)e->at, 8);
    return st;
}

agn_status agni_zip_finish(agni_output *o, const agni_zip_entry *e, int64_t n)
{
    int64_t at = o->at;
    agn_status st = AGN_OK;
    for (int64_t i = 0; i < n && !st; i++)
        st = put_entry(o, &e[i]);
    int64_t bytes = o->at - at, end = o->at;
    bool many = n >= UINT16_MAX, wide = many || at >= UINT32_MAX || bytes >= UINT32_MAX;
    uint64_t count = (uint64_t)n;
    if (!st && wide)
        st = PUT(o, "PK\6\6", {44, 8}, {WIDE | UNIX, 2}, {WIDE, 2}, {0, 4}, {0, 4},
                 {count, 8}, {count, 8}, {(uint64_t)bytes, 8}, {(uint64_t)at, 8});
    if (!st && wide)
        st = PUT(o, "PK\6\7", {0, 4}, {(uint64_t)end, 8}, {1, 4});
    uint64_t short_count = many ? UINT16_MAX : count;
    if (!st)
        st = PUT(o, "PK\5\6", {0, 2}, {0, 2}, {short_count, 2}, {short_count, 2},
                 {field32(wide, bytes), 4}, {field32(wide, at), 4}, {0, 2});
    return st;
}
