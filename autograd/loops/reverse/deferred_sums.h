/* deferred_sums.h - deferred accumulation: carried values of a reverse loop that only sum over its
   steps. The derivative by a matrix is a sum of products x^T g with few rows, one at each step;
   where their operands of all steps are stored,

       sum over t of x_t^T g_t = [x_0; x_1; ..]^T [g_0; g_1; ..]

   is one product after the loop, and no sum is read and written at each step. */
#ifndef AGNI_DEFERRED_SUMS_H
#define AGNI_DEFERRED_SUMS_H

#include "graph/program/program.h"

/* A term of the next value of a carried value. Of a product x^T g, x [rows, k] and g [rows, n]
   are values with the elements of its operands in the same order; where transposed, x is x^T. */
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

/* Finds the terms of results 0 .. nl - 1 of p, a step whose inputs 0 .. nl - 1 are carried, for
   the results that are sums of terms with their own input, which nothing else reads, among them. */
agn_status agni_deferred_products_find(agni_deferred_products *q, const agni_prog *p, int nl);
void agni_deferred_products_free(agni_deferred_products *q);
/* the value behind reshapes: the same elements in the same order */
int32_t agni_skip_reshapes(const agni_deferred_products *q, int32_t v);
/* the product over all steps; x and g stacked along axis 0 */
const agn_tensor *agni_deferred_product_apply(agn_scope *s, const agni_deferred_products *q,
                                              const agni_deferred_product *t, const agn_tensor *x,
                                              const agn_tensor *g);

#endif
