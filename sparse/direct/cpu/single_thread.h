/* sparse/direct/cpu/single_thread.h - runs the OpenMP regions of CHOLMOD on the calling thread:
   they are short and many, and their threads wait by spinning, which costs turns on a busy machine.
   */
#ifndef AGNI_SPARSE_ALONE_H
#define AGNI_SPARSE_ALONE_H

extern int omp_get_max_active_levels(void) __attribute__((weak));
extern void omp_set_max_active_levels(int levels) __attribute__((weak));

/* a setting of this thread alone; what it was */
static inline int agni_omp_enter_single(void)
{
    int was = omp_get_max_active_levels ? omp_get_max_active_levels() : 1;
    if (omp_set_max_active_levels)
        omp_set_max_active_levels(0);
    return was;
}
static inline void agni_omp_leave_single(int was)
{
    if (omp_set_max_active_levels)
        omp_set_max_active_levels(was);
}

#endif
