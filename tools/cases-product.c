/* tools/cases-product.c - what products should give: sums over the definition. */
#include "cases.h"

/* a [1,2,5], b [3,2,2], stride 2, one zero before: y [1,3,3] */
static void want_conv(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)c, (void)dtype;
    for (int64_t j = 0; j < 3; j++)
        for (int64_t o = 0; o < 3; o++) {
            y[j * 3 + o] = 0;
            for (int64_t i = 0; i < 2; i++)
                for (int64_t q = 0; q < 2; q++)
                    if (2 * o + q >= 1)
                        y[j * 3 + o] += x[1][(j * 2 + i) * 2 + q] * x[0][i * 5 + 2 * o + q - 1];
        }
}

#define S(n, ...)       \
    {                   \
        n,              \
        {               \
            __VA_ARGS__ \
        }               \
    }
const op_case cases_product[] = {
    {"conv",
     2,
     "DD",
     {S(3, 1, 2, 5), S(3, 3, 2, 2)},
     S(3, 1, 3, 3),
     6,
     {2, 1, 3, 2, 1, 1},
     .want = want_conv},
    {.op = NULL},
};
