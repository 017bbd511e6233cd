/* tensor/print/decimal.h - numbers of any floating dtype as shortest or rounded decimals. */
#ifndef AGNI_DECIMAL_H
#define AGNI_DECIMAL_H

#include "tensor/value/tensor.h"

/* 400 digits behind the point and 17 before it */
enum { AGNI_MOST_DECIMALS = 400, AGNI_MOST_DIGITS = 432 };

/* d[0].d[1]d[2]... times 10^exp, without trailing zeros; zero is "0" with exp 0 */
typedef struct agni_decimal {
    int n, exp;
    bool negative;
    char d[AGNI_MOST_DIGITS];
} agni_decimal;

/* What a floating dtype can hold, and where NumPy begins to print it with an
   exponent. */
typedef struct agni_precision {
    int bits;         /* of the significand */
    int lowest;       /* exponent of the smallest normal number, as frexp has it */
    int sure;         /* decimals of so many digits survive the way through the dtype */
    double many;      /* an array with such an element is printed with exponents */
    double many_zero; /* a single number from here on is */
    double few;       /* 0.0001 as the dtype has it */
} agni_precision;
const agni_precision *agni_precision_of(int dtype); /* a floating dtype */

/* The shortest decimal that reads back as the finite x of that dtype, closest to x
   among those. With places >= 0, counted behind the point (fixed, |x| < 1e17) or behind the
   first digit (scientific), it is x rounded to so many places: where the shortest has more, or
   always, with one that reads back before the nearest, or exactly the nearest. */
enum { AGNI_FIXED, AGNI_SCIENTIFIC };
enum { AGNI_AT_MOST, AGNI_PADDED, AGNI_EXACTLY };
void agni_decimal_of(agni_decimal *out, double x, const agni_precision *p, int form,
                     int places, int how);

#endif
