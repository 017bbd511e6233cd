/* core/shortest_decimal.h - the shortest decimal that reads back as a binary number. */
#ifndef AGNI_SHORTEST_H
#define AGNI_SHORTEST_H

#include <stdbool.h>
#include <stdint.h>

/* d, returned, with the fewest digits such that d 10^*k lies between the middles to the
   neighbours of c 2^q, ends included where c is even; of those the nearest. 0 < c < 2^53, and
   c 2^q is an f64; closer: the neighbour below is half as far as the one above. */
uint64_t agni_shortest_decimal(uint64_t c, int q, bool closer, int *k);

#endif
