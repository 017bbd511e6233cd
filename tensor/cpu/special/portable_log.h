/* tensor/cpu/special/portable_log.h - the logarithm in + - * / alone: an element has the same bits
   on every machine, at every CPU level and in every lane. Included once for each element type, with

     D, U     double and uint64_t, or vectors of them
     BITS(x)  a D as U; FROM(b) a U as D
     NAME     the function; FN_ATTR what comes before it

   log x for normal x > 0, below 1 ulp: x = 2^k m, m in [sqrt(1/2), sqrt(2)), s = f / (2 + f) for
   f = m - 1, and log m = 2 atanh s, arranged so that f itself is added last (Tang 1990). The
   polynomial is the one of vmath.h. */
FN_ATTR D NAME(D x)
{
    const uint64_t root_half = 0x3fe6a09e667f3bcd, two52 = 0x4330000000000000;
    const double ln2_high = 0x1.62e42fee00000p-1, ln2_low = 0x1.a39ef35793c76p-33;
    const double c[] = {0x1.5555555555592p-1, 0x1.999999997fdbbp-2, 0x1.24924941f12e7p-2,
                        0x1.c71c520922de9p-3, 0x1.74663efd0221ap-3, 0x1.39a1b7f24ad28p-3,
                        0x1.2f0584f2e533bp-3};
    U b = BITS(x) + (0x3ff0000000000000 - root_half);
    D f = FROM((b & 0x000fffffffffffff) + root_half) - 1;
    D k = FROM((b >> 52) | two52) - (0x1p52 + 1023);
    D s = f / (f + 2), z = s * s, h = f * f * 0.5;
    D p = (((((z * c[6] + c[5]) * z + c[4]) * z + c[3]) * z + c[2]) * z + c[1]) * z + c[0];
    return k * ln2_high - ((h - (s * (h + z * p) + k * ln2_low)) - f);
}
#undef D
#undef U
#undef BITS
#undef FROM
#undef NAME
#undef FN_ATTR
