/* exchange/file/deflate_absent.c - a build without zlib: CRC-32 alone, the rest refuses. */
#include "exchange/file/zip.h"

/* the polynomial x^32 + x^26 + x^23 + ... + 1, bits reversed: APPNOTE 4.4.7 */
uint32_t agni_crc32(uint32_t crc, const void *p, size_t n)
{
    const unsigned char *b = p;
    crc = ~crc;
    for (; n > 0; n--) {
        crc ^= *b++;
        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

static agn_status fail_without_zlib(const char *op, const char *file)
{
    return agni_fail(AGN_EUNSUPPORTED,
                     "%s: %s: deflated members need zlib, and this build is without it",
                     op, agni_path_end(file));
}

agn_status agni_inflate_new(agni_inflate **out, const agni_part *part)
{
    (void)out;
    return fail_without_zlib(part->in->op, part->in->file);
}
int64_t agni_inflate_read(agni_inflate *z, void *buf, size_t n)
{
    (void)z, (void)buf, (void)n;
    return 0;
}
void agni_inflate_free(agni_inflate *z)
{
    (void)z;
}
agn_status agni_deflate(agni_output *o, const agni_piece *pieces, int n,
                        int64_t *packed)
{
    (void)pieces, (void)n, (void)packed;
    return fail_without_zlib(o->op, o->path);
}
