/* tools/cases-reduce.c - reductions, scans and order: what their definitions give. */
#include "cases.h"

#include <math.h>
#include <string.h>

/* ---- rows of a matrix, reduced along the last axis -------------------------------- */

static void want_sum(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    for (int64_t j = 0; j < c->out.size[0]; j++)
        y[j] = 0;
    for (int64_t i = 0; i < shape_count(&c->in[0]); i++)
        y[i / 2 % 3] += x[0][i]; /* [2,3,2] over the first and last axis */
}

static void want_rows(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    int64_t n = c->in[0].size[1];
    for (int64_t i = 0; i < shape_count(&c->in[0]); i++)
        y[i / n] = x[0][i] + (i % n ? y[i / n] : 0);
}

static bool least(const op_case *c)
{
    return strstr(c->op, "min") != NULL;
}

static int64_t best_of(const wide *row, int64_t n, bool low)
{
    int64_t best = 0;
    for (int64_t j = 1; j < n; j++)
        if (low ? creall(row[j]) < creall(row[best]) : creall(row[j]) > creall(row[best]))
            best = j;
    return best;
}

static void want_argmax(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    int64_t n = c->in[0].size[1];
    for (int64_t i = 0; i < c->out.size[0]; i++)
        y[i] = best_of(x[0] + i * n, n, false);
}

static void want_extreme(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    int64_t n = c->in[0].size[1];
    for (int64_t i = 0; i < c->out.size[0]; i++)
        y[i] = x[0][i * n + best_of(x[0] + i * n, n, least(c))];
}

static void want_logsumexp(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    int64_t n = c->in[0].size[1];
    for (int64_t i = 0; i < c->out.size[0]; i++) {
        long double sum = 0;
        for (int64_t j = 0; j < n; j++)
            sum += expl(creall(x[0][i * n + j]));
        y[i] = logl(sum);
    }
}

static void want_softmax(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    int64_t n = c->in[0].size[1];
    for (int64_t i = 0; i < shape_count(&c->out); i++) {
        long double sum = 0;
        for (int64_t j = 0; j < n; j++)
            sum += expl(creall(x[0][i / n * n + j]));
        y[i] = expl(creall(x[0][i])) / sum;
    }
}

static void want_deviation(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    int64_t n = c->in[0].size[1];
    for (int64_t i = 0; i < c->out.size[0]; i++) {
        long double mean = 0, sum = 0;
        for (int64_t j = 0; j < n; j++)
            mean += creall(x[0][i * n + j]) / n;
        for (int64_t j = 0; j < n; j++)
            sum += powl(creall(x[0][i * n + j]) - mean, 2);
        y[i] = sum;
    }
}

/* ---- running along the last axis --------------------------------------------------- */

static void want_cumsum(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    int64_t n = c->in[0].size[1];
    for (int64_t i = 0; i < shape_count(&c->out); i++)
        y[i] = x[0][i] + (i % n ? y[i - 1] : 0);
}

/* from the last element to the first */
static void want_recurrence(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    int64_t n = c->in[0].size[1];
    for (int64_t i = shape_count(&c->out) - 1; i >= 0; i--)
        y[i] = x[1][i] + ((i + 1) % n ? x[0][i] * y[i + 1] : 0);
}

static void want_argcummax(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    int64_t n = c->in[0].size[1];
    for (int64_t i = 0; i < shape_count(&c->out); i++)
        y[i] = best_of(x[0] + i / n * n, i % n + 1, true);
}

static void want_logcumsumexp(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    int64_t n = c->in[0].size[1];
    for (int64_t i = 0; i < shape_count(&c->out); i++)
        y[i] = logl(expl(creall(x[0][i])) + (i % n ? expl(creall(y[i - 1])) : 0));
}

/* ---- order along the last axis -------------------------------------------------------- */

/* the place of an element is the number of those that come before it */
static int64_t place_of(const wide *row, int64_t n, int64_t k)
{
    int64_t place = 0;
    for (int64_t j = 0; j < n; j++)
        place += creall(row[j]) < creall(row[k]) || (creall(row[j]) == creall(row[k]) && j < k);
    return place;
}

/* some places of the order, where the case says which */
static void want_argsort(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    int64_t n = c->in[0].size[1], m = c->out.size[1], first = c->n_int == 4 ? c->ints[2] : 0;
    for (int64_t i = 0; i < shape_count(&c->in[0]); i++) {
        int64_t place = place_of(x[0] + i / n * n, n, i % n) - first;
        if (place >= 0 && place < m)
            y[i / n * m + place] = i % n;
    }
}

static void want_sort(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    int64_t n = c->in[0].size[1];
    for (int64_t i = 0; i < shape_count(&c->out); i++)
        y[i / n * n + place_of(x[0] + i / n * n, n, i % n)] = x[0][i];
}

/* one row of one number: before it, or behind it */
static void want_searchsorted(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    for (int64_t i = 0; i < shape_count(&c->out); i++)
        y[i] = creall(x[0][i / 3]) <= creall(x[1][i]);
}

#define S(n, ...)       \
    {                   \
        n,              \
        {               \
            __VA_ARGS__ \
        }               \
    }
#define ROWS(op, ...) {op, 1, "D", {S(2, 3, 4)}, S(1, 3), __VA_ARGS__}
#define SAME(op, ...) {op, 1, "D", {S(2, 2, 4)}, S(2, 2, 4), __VA_ARGS__}
const op_case cases_reduce[] = {
    {"sum", 1, "D", {S(3, 2, 3, 2)}, S(1, 3), 3, {0, -1, -3}, .want = want_sum},
    {"sum_compensated", 1, "D", {S(2, 3, 4)}, S(1, 3), .want = want_rows},
    ROWS("max", 2, {0, -1}, .want = want_extreme),
    ROWS("min", 2, {0, -1}, .want = want_extreme),
    ROWS("amax", 2, {0, -1}, .want = want_extreme),
    ROWS("amin", 2, {0, -1}, .want = want_extreme),
    ROWS("argmax", 3, {-1, 0, 0}, .want = want_argmax),
    ROWS("logsumexp", 2, {0, -1}, .want = want_logsumexp),
    ROWS("squared_deviation", 1, {-1}, .want = want_deviation),
    SAME("softmax", 1, {-1}, .want = want_softmax),
    SAME("cumsum", 2, {-1, 0}, .want = want_cumsum),
    {"recurrence",
     2,
     "DD",
     {S(2, 2, 4), S(2, 2, 4)},
     S(2, 2, 4),
     2,
     {-1, 1},
     .want = want_recurrence},
    SAME("argcummax", 2, {-1, 1}, .want = want_argcummax),
    SAME("logcumsumexp", 2, {-1, 0}, .want = want_logcumsumexp),
    SAME("sort", 2, {-1, 0}, .want = want_sort),
    {"argsort", 1, "D", {S(2, 2, 5)}, S(2, 2, 5), 2, {-1, 0}, .want = want_argsort},
    {"argsort_window",
     1,
     "D",
     {S(2, 2, 5)},
     S(2, 2, 3),
     4,
     {-1, 0, 1, 3},
     .want = want_argsort},
    {"searchsorted",
     2,
     "DD",
     {S(2, 2, 1), S(2, 2, 3)},
     S(2, 2, 3),
     1,
     {1},
     .want = want_searchsorted},
    {.op = NULL},
};
