/* revolve_schedule.c - where binomial checkpointing places its states (Griewank & Walther 2000,
   algorithm 799): with r runs of each step at most, keep states reverse (keep + r) over keep
   steps. */
#include "autograd/loops/reverse/reverse_scan.h"

/* (keep + r) over keep from the one for r - 1, at most most */
static int64_t next_binomial(int64_t b, int64_t keep, int64_t r, int64_t most)
{
    if (b >= most || keep + r > INT64_MAX / b)
        return most;
    b = b * (keep + r) / r;
    return b < most ? b : most;
}
/* (keep + r) over keep: the most steps that keep states can reverse with each step run at most r
   times */
static int64_t max_steps_reversible(int64_t keep, int64_t r, int64_t most)
{
    int64_t b = r < 0 ? 0 : 1;
    for (int64_t i = 1; i <= r && b < most; i++)
        b = next_binomial(b, keep, i, most);
    return b;
}

/* r: the least number of runs that suffices. The last n - m steps get keep - 1 states and r
   runs, the first m keep states and r - 1 runs; any m within both bounds is optimal. */
int64_t agni_revolve_split(int64_t n, int64_t keep)
{
    int64_t r = 1;
    if (keep >= n)
        return 1;
    if (keep < 2)
        return n - 1;
    for (int64_t b = next_binomial(1, keep, r, n); b < n; b = next_binomial(b, keep, r, n))
        r++;
    int64_t right = max_steps_reversible(keep - 1, r, n),
            most = max_steps_reversible(keep, r - 1, n);
    int64_t m = n - right > 1 ? n - right : 1, least = max_steps_reversible(keep, r - 2, n);
    m = m < least ? least : m;
    return m > most ? most : m;
}
