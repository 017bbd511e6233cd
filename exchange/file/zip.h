/* exchange/file/zip.h - ZIP archives as far as .npz needs them: stored and deflated members, sizes
   of 64 bits. Format: PKWARE's APPNOTE 6.3. */
#ifndef AGNI_ZIP_H
#define AGNI_ZIP_H

#include "exchange/file/file.h"

enum { AGNI_ZIP_STORED = 0, AGNI_ZIP_DEFLATED = 8 };

typedef struct agni_zip_member {
    const char *name; /* not terminated: the directory goes on behind it */
    int name_len, method;
    uint32_t crc;
    int64_t packed, size; /* bytes in the file and of the content */
    int64_t at;           /* where its local header is */
} agni_zip_member;

/* ---- reading (exchange/file/zip_read.c) ----------------------------------------------- */

typedef struct agni_zip {
    const agni_input *in;
    char *directory;
    agni_zip_member *member;
    int64_t n;
} agni_zip;
agn_status agni_zip_open(agni_zip *z, const agni_input *in);
void agni_zip_close(agni_zip *z);

/* The content of a member, in order. At its end the checksum must hold. */
typedef struct agni_inflate agni_inflate;
typedef struct agni_zip_content {
    agni_part part;
    agni_inflate *inflate; /* NULL: stored */
    const agni_zip_member *m;
    int64_t given;
    uint32_t crc;
} agni_zip_content;
agn_status agni_zip_begin(agni_zip_content *c, const agni_zip *z,
                          const agni_zip_member *m);
int64_t agni_zip_read(void *content, void *buf, size_t n); /* read of an agni_source */
/* reads what is left and checks */
agn_status agni_zip_end(agni_zip_content *c);
void agni_zip_drop(agni_zip_content *c);

/* ---- writing (exchange/file/zip_write.c) ---------------------------------------------- */

typedef struct agni_zip_entry {
    char *name;
    int method;
    bool wide; /* sizes of 64 bits */
    uint32_t crc;
    int64_t packed, size, at;
} agni_zip_entry;
typedef struct agni_piece {
    const void *p;
    size_t n;
} agni_piece;
/* one member of n pieces; e->name and e->method are given, the rest is found */
agn_status agni_zip_put(agni_output *o, agni_zip_entry *e, const agni_piece *pieces,
                        int n);
agn_status agni_zip_finish(agni_output *o, const agni_zip_entry *e, int64_t n);

/* ---- deflate, by zlib or not at all (exchange/file/deflate.c, no_deflate.c) ------------ */

uint32_t agni_crc32(uint32_t crc, const void *p, size_t n); /* begins with 0 */
/* the content of a deflated part */
agn_status agni_inflate_new(agni_inflate **out, const agni_part *part);
int64_t agni_inflate_read(agni_inflate *z, void *buf, size_t n);
void agni_inflate_free(agni_inflate *z); /* NULL allowed */
/* *packed: how many bytes the pieces became */
agn_status agni_deflate(agni_output *o, const agni_piece *pieces, int n,
                        int64_t *packed);

#endif
