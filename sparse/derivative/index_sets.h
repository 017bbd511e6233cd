/* sparse/derivative/index_sets.h - sets of variables. A set is a number; its members never change,
   and many elements share one. Set 0 is empty, set 1 + j holds variable j alone. */
#ifndef AGNI_SETS_H
#define AGNI_SETS_H

#include "core/core.h"

typedef struct agni_sets agni_sets;

agni_sets *agni_sets_new(int64_t variables); /* NULL without memory */
void agni_sets_free(agni_sets *z);

/* The union; where one holds the other it is that one. Without memory 0, and failed. */
int32_t agni_sets_join(agni_sets *z, int32_t a, int32_t b);
int32_t agni_sets_join_all(agni_sets *z, const int32_t *set, int64_t n);
bool agni_sets_failed(const agni_sets *z);

/* its variables, ascending; *n of them. Valid until the next union. */
const int32_t *agni_set_items(const agni_sets *z, int32_t set, int64_t *n);

#endif
