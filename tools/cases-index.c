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

/* every diagonal of windows of 2 x 2: element (i, j, k) is x[i + k, j + k] */
static void want_strided(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    for (int64_t i = 0; i < shape_count(&c->out); i++)
        y[i] = x[0][(i / 6 + i % 2) * 4 + i / 2 % 3 + i % 2];
}

static void want_as_real(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    for (int64_t i = 0; i < shape_count(&c->out); i++)
        y[i] = i % 2 ? cimagl(x[0][i / 2]) : creall(x[0][i / 2]);
}

static void want_as_complex(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    for (int64_t i = 0; i < shape_count(&c->out); i++)
        y[i] = creall(x[0][2 * i]) + creall(x[0][2 * i + 1]) * I;
}

/* x [4,2], rows of v [3,2] to rows 1, 3 and 1 */
static void want_extreme(const op_case *c, int dtype, wide *const *x, wide *y)
{
    bool least = !strcmp(c->op, "scatter_min");
    (void)dtype;
    memcpy(y, x[0], (size_t)shape_count(&c->out) * sizeof *y);
    for (int64_t i = 0; i < 6; i++) {
        int64_t row = creall(x[1][i / 2]) < 0 ? 3 : (int64_t)creall(x[1][i / 2]);
        wide *to = y + row * 2 + i % 2;
        if (least ? creall(x[2][i]) < creall(*to) : creall(x[2][i]) > creall(*to))
            *to = x[2][i];
    }
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
    {"as_strided",
     1,
     "D",
     {S(2, 3, 4)},
     S(3, 2, 3, 2),
     12,
     {2, 0, 0, 2, 1, 0, 3, 0, 1, 2, 1, 1},
     .want = want_strided},
    {"bitcast",
     1,
     "D",
     {S(1, 5)},
     S(1, 5),
     1,
     .want = want_same,
     .dtype_first = true},
    {"as_real", 1, "D", {S(1, 3)}, S(2, 3, 2), .want = want_as_real},
    {"as_complex", 1, "D", {S(2, 3, 2)}, S(1, 3), .want = want_as_complex},
    {"scatter_max",
     3,
     "DID",
     {S(2, 4, 2), S(1, 3), S(2, 3, 2)},
     S(2, 4, 2),
     3,
     {-2, 0, 1},
     {1, -1, 1},
     .want = want_extreme},
    {"scatter_min",
     3,
     "DID",
     {S(2, 4, 2), S(1, 3), S(2, 3, 2)},
     S(2, 4, 2),
     3,
     {-2, 0, 1},
     {1, -1, 1},
     .want = want_extreme},
    {.op = NULL},
};
