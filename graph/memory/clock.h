/* graph/memory/clock.h - the times of one call of a plan: a span for each step and for each
   chunk of a region. */
#ifndef AGNI_CLOCK_H
#define AGNI_CLOCK_H

#include <stdint.h>

typedef struct agni_span {
    int64_t from, to; /* ns of the monotonic clock */
    int32_t worker;
} agni_span;

/* The spans of one call: steps, then the chunks of each region in turn. */
struct agni_clock {
    agni_span *step;
    agni_span *chunk; /* of the region that comes next */
};

#endif
