/* exchange/text/mtx.h - Matrix Market files: their first lines, and entries as they stand.
   Format: Boisvert, Pozo & Remington 1996, NISTIR 5935. */
#ifndef AGNI_MTX_H
#define AGNI_MTX_H

#include "exchange/file/file.h"

enum { AGNI_MTX_ARRAY, AGNI_MTX_COORDINATE };

typedef struct agni_mtx_head {
    int format;   /* AGNI_MTX_ARRAY, ... */
    int dtype;    /* AGN_F64, AGN_I64, AGN_C128, or AGN_BOOL: a pattern */
    int symmetry; /* AGN_MTX_GENERAL, ... */
    int64_t rows, cols;
    int64_t n; /* numbers or entries in the file */
} agni_mtx_head;

/* words of the first line, by AGN_MTX_GENERAL, ... and by format */
extern const char *const agni_mtx_symmetries[4], *const agni_mtx_formats[2];

/* All of a file. A matrix in array format is values [n]; rows and cols stay NULL. Entries of a
   triangle are followed by their mirror images. */
typedef struct agni_mtx {
    agni_mtx_head head;
    agn_tensor *rows, *cols; /* i64 [n], from 0 */
    agn_tensor *values;      /* [n]; a pattern's are all true */
} agni_mtx;
agn_status agni_mtx_read(agni_mtx *m, const agni_input *in);
void agni_mtx_free(agni_mtx *m);
/* the matrix they make: agn_mtx_load without a file */
agn_status agni_mtx_matrix(agn_tensor **out, const agni_input *in);
/* compressed rows of entries, in any order; AGN_EFORMAT where one is there twice */
agn_status agni_mtx_to_csr(agn_tensor **out, const agni_mtx *m, const agni_input *in);

/* agn_harwell_boeing_load without a file; rhs may be NULL (exchange/text/harwell_boeing.c) */
agn_status agni_harwell_boeing_read(agn_tensor **out, agn_tensor **rhs, const agni_input *in);

#endif
