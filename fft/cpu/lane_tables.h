/* fft/cpu/lane_tables.h - kernels over lanes and the tables they read, kept as plans are. */
#ifndef AGNI_FFT_LANE_TABLES_H
#define AGNI_FFT_LANE_TABLES_H

#include "fft/cpu/lane_passes.h"
#include "fft/fft.h"

typedef struct agni_lane_tables {
    agni_lane_plan columns, rows;
    const char *base, *lanes; /* turns of a block's first bin, and of its other lanes beside it */
    const char *halves;       /* of real transforms of twice the length */
} agni_lane_tables;

const agni_lane_kernels *agni_fft_lanes(bool single);
static inline int64_t agni_pair_bytes(bool single)
{
    return single ? 8 : 16;
}
/* of columns of n1 numbers, and of n2 rows where n2 is not 0; both have no prime factor above 7;
   of real transforms too, where real. NULL without memory. */
agni_fft_plan *agni_fft_acquire_tables(const agni_lane_kernels *v, bool single, bool real,
                                       int64_t n1, int64_t n2, const agni_lane_tables **tables);

#endif
