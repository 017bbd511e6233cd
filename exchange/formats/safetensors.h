/* exchange/formats/safetensors.h - the header of a safetensors file: a size of 8 bytes, then JSON
   {"NAME": {"dtype": "F32", "shape": [2, 3], "data_offsets": [BEGIN, END]}, ...,
    "__metadata__": {"KEY": "TEXT", ...}}. */
#ifndef AGNI_SAFETENSORS_H
#define AGNI_SAFETENSORS_H

#include "exchange/formats/json.h"

typedef struct agni_st_entry {
    char *name;
    int dtype, ndim;
    int64_t shape[AGNI_MAX_RANK];
    int64_t begin, end; /* in the data, behind the header */
} agni_st_entry;

typedef struct agni_st_header {
    agni_st_entry *entry;
    int64_t n, room;
} agni_st_header;
/* The header in j, whose data are data bytes: entries in the order of the data, notes into d.
   AGN_EFORMAT unless every byte belongs to one entry. */
agn_status agni_st_parse(agni_st_header *h, agn_dict *d, agni_json *j, int64_t data);
void agni_st_free(agni_st_header *h);

/* "F32"; NULL where the format has none */
extern const char *const agni_st_dtypes[AGN_NDTYPES];
/* the format's own key for notes */
#define AGNI_ST_NOTES "__metadata__"

#endif
