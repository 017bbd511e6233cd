/* bench/measure.h - the switches of agnesi-bench, set by its command line. */
#ifndef AGNESI_BENCH_MEASURE_H
#define AGNESI_BENCH_MEASURE_H

#include <regex.h>
#include <stdbool.h>

extern bool bench_json;
extern int bench_calls; /* --calls: so many of each workload, unmeasured; 0: measure */
extern int bench_threads;
extern regex_t bench_wanted;

#endif
