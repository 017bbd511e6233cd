/* tools/cases-index.c - what ops that pick and write by place should give: loops over the
   definition. */
#include "cases.h"

#include <string.h>

/* x [3,4], v [2,2] to rows 2 and 0, columns 1 and 2 */
static void want_slice_put(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    memcpy(y, x[0], (size_t)shape_count(&c->out) * sizeof *y);
    for (int64_t i = 0; i < 2; i++)
        for (int64_t j = 0; j < 2; j++)
            y[(2 - 2 * i) * 4 + 1 + j] = x[1][i * 2 + j];
}

#define S(n, ...)       \
    {                   \
        n,              \
        {               \
            __VA_ARGS__ \
        }               \
    }
const op_case cases_index[] = {
    {"slice_put",
     2,
     "DD",
     {S(2, 3, 4), S(2, 2, 2)},
     S(2, 3, 4),
     6,
     {2, -2, 2, 1, 1, 2},
     .want = want_slice_put},
    {.op = NULL},
};
