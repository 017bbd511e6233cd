/* bench/accuracy.h - what is found about one function, and how it is printed. */
#ifndef AGN_ACCURACY_H
#define AGN_ACCURACY_H

#include "bench/references.h"

#include <stdio.h>

typedef struct worst {
    double error, at[3];
    int64_t n;
} worst;
typedef struct result {
    worst in, out;
    double hidden;  /* the most by which a quick judgement hid a new worst */
    int64_t judged; /* by MPFR */
} result;

void accuracy_print(FILE *to, const function *f, const char *type, const result *r);

/* rows of a table of reStructuredText, its head, and a file whose end it replaces */
void accuracy_rst(FILE *to, const function *f, const char *type, const result *r);
void accuracy_rst_head(FILE *to);
/* functions of complex numbers (accuracy-complex.c) */
extern const int n_complex;
const char *accuracy_complex_name(int k);
void accuracy_complex(FILE *to, FILE *rst, int k, int64_t n, int dtype);

/* the rows that FILE has of a function */
void accuracy_rst_keep(FILE *to, const char *file, const char *name);
void accuracy_replace(const char *file, FILE *table);

#endif
