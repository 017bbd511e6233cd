/* tools/oracle.h - what element-wise ops should give, and to which accuracy (tools/oracle.def); of a
   row that stands in ops.def alone, its value evaluated in long double. */
#ifndef AGNESI_ORACLE_H
#define AGNESI_ORACLE_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

typedef long double _Complex wide;

enum { ORACLE_SAME, ORACLE_BOOL, ORACLE_REAL, ORACLE_CPLX }; /* dtype of the result */

typedef struct oracle {
    const char *op;
    double ulp[2]; /* bounds of the error in f32 and f64 */
    long double (*real)(long double a, long double b, long double w);
    wide (*cplx)(wide a, wide b, wide w);
    /* an integer of so many bits; false: this row has no value for integers here */
    bool (*integer)(int64_t *y, int64_t a, int64_t b, int bits);
    double lo[3], hi[3]; /* test domains where the table's are not meant; 0, 0 */
    int64_t attribute;   /* of ops that have one, 0: none */
    bool box;            /* real holds in the test domain alone */
    bool stops_nan;      /* the result for NaN may be a number */
    int result;          /* ORACLE_SAME ... as the row says */
} oracle;

/* false: no row of that name, or one whose value is not made of others and which oracle.def lacks */
bool find_oracle(oracle *q, const char *op);

/* derivative of digamma of order n, digamma for 0 */
long double oracle_polygamma(int n, long double x);

#endif
