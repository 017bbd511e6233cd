/* exchange/formats/npy.h - .npy files: the header as data, and reading from any source of
   bytes. Format: NumPy Enhancement Proposal 1, and numpy.lib.format for versions 2.0
   and 3.0. */
#ifndef AGNI_NPY_H
#define AGNI_NPY_H

#include "exchange/file/file.h"

typedef struct agni_npy_header {
    int dtype, ndim;
    bool fortran; /* the first axis runs fastest */
    bool swap;    /* the bytes of numbers are in the other order */
    int64_t shape[AGNI_MAX_RANK];
    int64_t bytes; /* of all elements */
    char foreign[48]; /* what the elements are where no dtype is: the rest is read, bytes is 0 */
} agni_npy_header;

/* The dictionary in text[n]; op and file are named in messages. AGN_EFORMAT unless all of
   it makes sense and a tensor of that shape can exist. */
agn_status agni_npy_parse(agni_npy_header *h, const char *op, const char *file,
                          const char *text, size_t n);

/* the same, but for elements that no dtype is */
agn_status agni_npy_parse_any(agni_npy_header *h, const char *op, const char *file,
                              const char *text, size_t n);

/* The beginning of a file, up to the data: at most AGNI_NPY_HEADER bytes; returns
   how many. */
enum { AGNI_NPY_HEADER = 1024 };
size_t agni_npy_begin(char *buf, int dtype, int ndim, const int64_t *shape);

agn_status agni_npy_read(agn_tensor **out, const agni_source *src);
/* the same; an array of what no dtype is leaves *out, and foreign says what */
agn_status agni_npy_read_any(agn_tensor **out, char foreign[48], const agni_source *src);

#endif
