/* tensor/matmul/multi_dot.c - matrix chain multiplication in the optimal order (Cormen, Leiserson,
   Rivest & Stein 2009, 15.2). */
#include "tensor/dispatch/op_helpers.h"

#include <agnesi/ag.h>

enum { MOST = 64 };

/* the product of matrices i to j, split by the table */
static const agn_tensor *multiply_chain(agn_scope *s, const agn_tensor *const *x,
                                        unsigned char (*split)[MOST], int i, int j)
{
    if (i == j)
        return x[i];
    int k = split[i][j];
    const agn_tensor *left = multiply_chain(s, x, split, i, k);
    return ag_matmul(s, left, multiply_chain(s, x, split, k + 1, j));
}

static agn_status check_factors(const agn_tensor *const *xs, int32_t n, double *size)
{
    for (int i = 0; i < n; i++) {
        const agn_tensor *x = xs[i];
        bool vector = x && x->ndim == 1 && (i == 0 || i == n - 1);
        if (!x)
            return agni_fail(AGN_ENULL, "multi_dot: factor %d of %d is NULL", i, n);
        if (x->ndim < 2 && !vector)
            return agni_fail(AGN_ESHAPE,
                             "multi_dot: factor %d of %d is %s; only the first and the "
                             "last may be vectors",
                             i, n, AGNI_SHAPE(x));
        int64_t rows = x->shape[x->ndim - 1 - !vector], cols = x->shape[x->ndim - 1];
        if (vector && i == 0)
            rows = 1;
        else if (vector)
            cols = 1;
        if (i && (int64_t)size[i] != rows)
            return agni_fail(AGN_ESHAPE,
                             "multi_dot: inner dimensions differ: factor %d is %s, %d "
                             "is %s",
                             i - 1, AGNI_SHAPE(xs[i - 1]), i, AGNI_SHAPE(x));
        size[i] = (double)rows;
        size[i + 1] = (double)cols;
    }
    return AGN_OK;
}

agn_status agn_multi_dot(agn_tensor **out, const agn_tensor *const *xs, int32_t n)
{
    double size[MOST + 1], cost[MOST][MOST];
    unsigned char split[MOST][MOST];
    if (!out || !xs)
        return agni_fail(AGN_ENULL, "multi_dot: %s is NULL", out ? "xs" : "out");
    if (n < 2 || n > MOST)
        return agni_fail(AGN_EARG, "multi_dot: %d factors; 2 to %d are possible", n,
                         MOST);
    agn_status st = check_factors(xs, n, size);
    if (st)
        return st;
    for (int length = 0; length < n; length++)
        for (int i = 0; i + length < n; i++) {
            int j = i + length;
            cost[i][j] = 0;
            for (int k = i; k < j; k++) {
                double c = cost[i][k] + cost[k + 1][j] +
                           size[i] * size[k + 1] * size[j + 1];
                if (k == i || c < cost[i][j]) {
                    cost[i][j] = c;
                    split[i][j] = (unsigned char)k;
                }
            }
        }
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x[MOST];
    bool row = xs[0]->ndim == 1, col = xs[n - 1]->ndim == 1;
    for (int i = 0; i < n; i++)
        x[i] = xs[i];
    x[0] = row ? ag_expand_dims(s, x[0], 0) : x[0];
    x[n - 1] = col ? ag_expand_dims(s, x[n - 1], 1) : x[n - 1];
    const agn_tensor *y = multiply_chain(s, x, split, 0, n - 1);
    y = row ? ag_squeeze(s, y, -2) : y;
    return agni_return("multi_dot", s, out, col ? ag_squeeze(s, y, -1) : y);
}
