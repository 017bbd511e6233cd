/* tensor/print/print.h - how the elements of a printed tensor are written
   (tensor/print/print_elements.c). */
#ifndef AGNI_PRINT_H
#define AGNI_PRINT_H

#include "tensor/print/decimal.h"

enum {
    ELEMENT_TEXT = 1024
}; /* two parts of at most AGNI_MOST_DIGITS digits, and padding */

/* a word under construction */
typedef struct agni_word {
    int n;
    char s[ELEMENT_TEXT];
} agni_word;

/* How all real numbers of an array are written: characters left and right of the
   point. */
typedef struct agni_number_format {
    const agni_precision *p;
    const agn_format_options *opts;
    char sign; /* of numbers that are not negative: '-' none, '+', or ' ' */
    bool scientific;
    int how; /* AGNI_AT_MOST, or all have places digits behind the point */
    int left, right;
    int places; /* so many, or the most; -1: no limit */
    int exp_digits;
} agni_number_format;

/* The elements to be shown, in order, as bool, i64, f64 or c128, and how to write
   them. */
typedef struct agni_shown {
    int kind;
    int64_t n;
    const void *data;
    const agni_precision *p;        /* of the parts of a floating or complex dtype */
    const agn_format_options *opts; /* every member as it is meant */
    int width;                      /* of integers */
    char sign;                      /* of integers */
    agni_number_format re, im;
} agni_shown;

/* finds the formats for kind, n, data, p and opts as they stand */
void agni_shown_formats(agni_shown *s);
/* element i as wide as the others; the only element of a 0-D tensor */
void agni_shown_element(agni_word *w, const agni_shown *s, int64_t i);
void agni_shown_alone(agni_word *w, const agni_shown *s);

#endif
