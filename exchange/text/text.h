/* exchange/text/text.h - a file of text, line by line and word by word. */
#ifndef AGNI_TEXT_H
#define AGNI_TEXT_H

#include "exchange/file/file.h"

#include <agnesi/geometric_graph.h>

/* The text, with a NUL behind it; p is within the present line, which ends at eol. */
typedef struct agni_text {
    const char *op, *file, *separators;
    char *memory;
    const char *p, *eol, *next, *end;
    int64_t line;
} agni_text;
/* separators: what stands between words besides blanks, tabs and carriage returns */
agn_status agni_text_read(agni_text *t, const agni_input *in, const char *separators);
agn_status agni_text_open(agni_text *t, const char *op, const char *path, const char *separators);
void agni_text_close(agni_text *t);
/* the next line that is not blank and does not begin with a sign of skip; false at the end */
bool agni_text_line(agni_text *t, const char *skip);
/* the next word of the line; NULL at its end */
const char *agni_text_word(agni_text *t, size_t *n);
/* AGN_EFORMAT with file and line */
agn_status agni_text_bad(const agni_text *t, const char *what);
/* the next word as a number; what: for messages */
agn_status agni_text_integer(agni_text *t, int64_t *to, const char *what);
agn_status agni_text_real(agni_text *t, double *to, const char *what);
/* of a word; false where it is none, or does not fit */
bool agni_word_integer(const char *word, size_t n, int64_t *to);

/* a growing array of elements of 8 bytes: integers or doubles */
typedef struct agni_numbers {
    void *v;
    int64_t n, room;
} agni_numbers;
bool agni_numbers_add(agni_numbers *q, const void *x);
static inline bool agni_add_integer(agni_numbers *q, int64_t x)
{
    return agni_numbers_add(q, &x);
}
static inline bool agni_add_real(agni_numbers *q, double x)
{
    return agni_numbers_add(q, &x);
}

/* ---- meshes --------------------------------------------------------------------------------- */

/* Points in threes; faces or cells one after the other, each begun by its number of nodes. */
typedef struct agni_mesh_parts {
    agni_numbers point, cell;
    int64_t cells, least, most; /* and the least and largest number of nodes of one */
} agni_mesh_parts;
agn_status agni_mesh_read_off(agni_mesh_parts *m, agni_text *t);
agn_status agni_mesh_read_obj(agni_mesh_parts *m, agni_text *t);
/* kind: of its cells */
agn_status agni_mesh_read_vtu(agni_mesh_parts *m, int32_t *kind, agni_text *t);
/* the number of nodes of another cell, whose nodes follow; false without memory */
bool agni_mesh_begin_cell(agni_mesh_parts *m, int64_t nodes);
/* of the format that an ending names */
agn_status agni_mesh_read(agn_tensor **points, agn_tensor **cells, int32_t *kind, agni_text *t,
                          const char *ending);
/* the same letters at the end of path, of either case */
bool agni_path_ends_in(const char *path, const char *end);

/* ---- graphs --------------------------------------------------------------------------------- */

/* values may be NULL */
agn_status agni_edge_list_read(agn_graph **out, agn_tensor **values, agni_text *t);
agn_status agni_citations_read(agn_graph **out, agn_tensor **x, agn_tensor **labels,
                               int64_t *unknown, agni_text *content, agni_text *cites);

#endif
