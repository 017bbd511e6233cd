/* bench/special-table.h - the largest errors of a function, a row of doc/accuracy_special.rst. */
#ifndef AGN_SPECIAL_TABLE_H
#define AGN_SPECIAL_TABLE_H

#include "bench/special-references.h"

#include <stdio.h>

typedef struct worst {
    double error, at[MOST_ARGUMENTS];
    int64_t k[2], n, refused;
} worst;
typedef struct result {
    worst in, out, narrow;
    int64_t unknown; /* without a reference */
    volatile int64_t tried;
} result;

void agni_print_head(FILE *to);
void agni_print_row(FILE *to, const special *f, const result *r);
/* the row that a file has of a function */
void agni_keep_row(FILE *to, const char *file, const char *name);
/* the lines of a file before its table, then the new table; 1: it could not be written */
int agni_replace_table(const char *file, FILE *table);

#endif
