/* autograd/loops/deferred_sums.h - what a step of a loop backwards adds to carried values that are
   sums over the steps. The derivative by a matrix is a sum of products of few rows, x^T g of each
   step; where their operands of all steps lie in memory,

   sum over t of x_t^T g_t = [x_0; x_1; ..]^T [g_0; g_1; ..]

   is one product behind the loop, and no sum is read and written at each step. */
#ifndef AGNI_DEFERRED_SUMS_H
#define AGNI_DEFERRED_SUMS_H

#include "graph/program/program.h"

/* A term of what a carried value becomes. Of a product, x [rows, k] and g [rows, n] are values
   of the same numbers as its operands, the first one turned; x itself is the transpose where it
   is told. */
typedef struct agni_deferred_product {
    int32_t carried, value;
    int32_t node; /* of the product, or -1 */
    int32_t x, g;
    bool transposed;
    int64_t rows, k, n;
} agni_deferred_product;

typedef struct agni_deferred_products {
    const agni_prog *p;
    int32_t *maker, *uses; /* of a value: the node, how often it is read */
    agni_deferred_product *at; /* by carried value */
    int n;
} agni_deferred_products;

/* Terms of the results 0 .. nl - 1 of p, a step whose inputs 0 .. nl - 1 are carried: of those that
   are sums of terms, among them their own input, which nothing else reads. */
agn_status agni_deferred_products_find(agni_deferred_products *q, const agni_prog *p, int nl);
void agni_deferred_products_free(agni_deferred_products *q);
/* the value that v is but for its shape: the same numbers in the same order */
int32_t agni_skip_reshapes(const agni_deferred_products *q, int32_t v);
/* a product over all steps, of what x and g are at each of them */
const agn_tensor *agni_deferred_product_apply(agn_scope *s, const agni_deferred_products *q,
                                              const agni_deferred_product *t, const agn_tensor *x,
                                              const agn_tensor *g);

#endif
