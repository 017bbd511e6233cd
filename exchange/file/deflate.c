/* exchange/file/deflate.c - deflate (RFC 1951) and CRC-32 by zlib, with our allocator. */
#include "exchange/file/zip.h"

#include <limits.h>
#include <zlib.h>

uint32_t agni_crc32(uint32_t crc, const void *p, size_t n)
{
    const unsigned char *b = p;
    for (uInt some; n > 0; b += some, n -= some) {
        some = n < UINT_MAX ? (uInt)n : UINT_MAX;
        crc = (uint32_t)crc32(crc, b, some);
    }
    return crc;
}

static voidpf zlib_alloc(voidpf user, uInt n, uInt size)
{
    (void)user;
    return agni_alloc((size_t)n * size);
}
static void zlib_free(voidpf user, voidpf p)
{
    (void)user;
    agni_free(p);
}

/* ---- reading ----------------------------------------------------------------------- */

struct agni_inflate {
    z_stream z;
    agni_part part;
    bool ended;
    unsigned char buf[1 << 14];
};

enum { RAW = -MAX_WBITS }; /* neither zlib's nor gzip's header */

agn_status agni_inflate_new(agni_inflate **out, const agni_part *part)
{
    agni_inflate *f = agni_zalloc(sizeof *f);
    if (!f)
        return agni_nomem(part->in->op, sizeof *f);
    f->part = *part;
    f->z.zalloc = zlib_alloc;
    f->z.zfree = zlib_free;
    if (inflateInit2(&f->z, RAW) != Z_OK) {
        agni_free(f);
        return agni_nomem(part->in->op, sizeof *f);
    }
    *out = f;
    return AGN_OK;
}

void agni_inflate_free(agni_inflate *f)
{
    if (f)
        inflateEnd(&f->z);
    agni_free(f);
}

int64_t agni_inflate_read(agni_inflate *f, void *buf, size_t n)
{
    const agni_input *in = f->part.in;
    uInt room = n < UINT_MAX ? (uInt)n : UINT_MAX;
    f->z.next_out = buf;
    f->z.avail_out = room;
    while (!f->ended && f->z.avail_out == room) {
        if (f->z.avail_in == 0) {
            int64_t got = agni_part_read(&f->part, f->buf, sizeof f->buf);
            if (got < 0)
                return got;
            f->z.next_in = f->buf;
            f->z.avail_in = (uInt)got;
        }
        if (room == 0)
            return 0;
        int state = inflate(&f->z, Z_NO_FLUSH);
        f->ended = state == Z_STREAM_END;
        if (state == Z_MEM_ERROR)
            return agni_nomem(in->op, 1 << MAX_WBITS);
        if (state == Z_BUF_ERROR && f->part.at == f->part.end)
            break; /* it ends too early: the reader will say so */
        if (state != Z_OK && state != Z_STREAM_END)
            return agni_fail(AGN_EFORMAT,
                             "%s: %s: deflated content is damaged: %s at byte %lld",
                             in->op, in->file, f->z.msg ? f->z.msg : "no stream",
                             (long long)f->z.total_in);
    }
    return (int64_t)(room - f->z.avail_out);
}

/* ---- writing ----------------------------------------------------------------------- */

/* all of z's input, and where flush is Z_FINISH its end */
static agn_status run_deflate(agni_output *o, z_stream *z, int flush)
{
    unsigned char buf[1 << 13];
    do {
        z->next_out = buf;
        z->avail_out = sizeof buf;
        deflate(z, flush); /* with room for output it cannot fail */
        agn_status st = agni_put(o, buf, sizeof buf - z->avail_out);
        if (st)
            return st;
    } while (z->avail_out == 0);
    return AGN_OK;
}

agn_status agni_deflate(agni_output *o, const agni_piece *pieces, int n,
                        int64_t *packed)
{
    z_stream z = {.zalloc = zlib_alloc, .zfree = zlib_free};
    int64_t at = o->at;
    if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, RAW, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return agni_nomem(o->op, 1 << 18);
    agn_status st = AGN_OK;
    for (int i = 0; i < n; i++) {
        const unsigned char *p = pieces[i].p;
        size_t left = pieces[i].n;
        for (uInt some; left > 0 && !st; p += some, left -= some) {
            some = left < UINT_MAX ? (uInt)left : UINT_MAX;
            z.next_in = (Bytef *)(uintptr_t)p;
            z.avail_in = some;
            st = run_deflate(o, &z, Z_NO_FLUSH);
        }
    }
    if (!st)
        st = run_deflate(o, &z, Z_FINISH);
    deflateEnd(&z);
    *packed = o->at - at;
    return st;
}
