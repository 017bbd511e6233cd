/* bench/special-families.h - balls of many arguments at once, which have all but one in common: by
   recurrences (DLMF 3.6), sums and Taylor's series that one start serves. */
#ifndef AGN_SPECIAL_FAMILIES_H
#define AGN_SPECIAL_FAMILIES_H

#include "bench/special-references.h"

/* y of n arguments, two parts a number, and what their errors are parts of (0: the size of y) to x,
   drawn alone, which the function makes a family of: the same one again where it is one. Quantiles
   get their probability so. A result that is not known has an infinite radius. */
typedef void reference_family(const special *f, arb_ptr y, arb_ptr unit, double (*x)[MOST_ARGUMENTS],
                              slong n, slong prec);
#define FAMILY(name) \
    void family_##name(const special *f, arb_ptr y, arb_ptr unit, double (*x)[MOST_ARGUMENTS], \
                       slong n, slong prec)

/* rows and the lengths of their families */
#define FAMILIES(X) \
    X(chdtr, 256) \
    X(chdtrc, 256) \
    X(gdtr, 256) \
    X(gdtrc, 256) \
    X(pdtr, 256) \
    X(pdtrc, 256) \
    X(chdtri, 256) \
    X(gdtrix, 256) \
    X(pdtri, 256) \
    X(gammaincinv, 256) \
    X(gammainccinv, 256) \
    X(jv, 256) \
    X(yv, 256) \
    X(hankel1, 256) \
    X(hankel2, 256) \
    X(iv, 256) \
    X(ive, 256) \
    X(kv, 256) \
    X(kve, 256) \
    X(owens_t, 256) \
    X(log_gammainc, 96) \
    X(log_gammaincc, 96) \
    X(log_betainc, 96) \
    X(struve, 128) \
    X(parabolic_d, 96)
#define DECLARE(name, length) FAMILY(name);
FAMILIES(DECLARE)
#undef DECLARE

/* of a function; NULL: each argument has a ball of its own; run NULL: arguments that have all attributes */
typedef struct family {
    const char *name;
    reference_family *run;
    slong length;
} family;
const family *agni_find_family(const char *name);

/* all arguments are those of x[0], but i, which grows by steps from there, within the box */
void agni_set_lattice(const special *f, double (*x)[MOST_ARGUMENTS], slong n, int i, double step);

#endif
