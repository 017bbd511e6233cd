/* tensor/decimal.h - numbers of any floating dtype as shortest or rounded decimals. */
#ifndef AGNI_DECIMAL_H
#define AGNI_DECIMAL_H

#include "tensor/tensor.h"

/* d[0].d[1]d[2]... times 10^exp, without trailing zeros; zero is "0" with exp 0 */
typedef struct agni_decimal {
    int n, exp;
    bool negative;
    char d[24];
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
   among those; with places >= 0 at most so many digits behind the point (fixed, |x|
   >= 1e-4) or behind the first digit (scientific), or exactly so many there
   (padded): then they are rounded from x itself. */
enum { AGNI_FIXED, AGNI_SCIENTIFIC, AGNI_PADDED };
void agni_decimal_of(agni_decimal *out, double x, const agni_precision *p, int form,
                     int places);

#endif
