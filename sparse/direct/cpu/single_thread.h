/* sparse/direct/cpu/single_thread.h - CHOLMOD's own OpenMP regions, which are short and many, run on the calling
   thread: their threads wait by spinning, and on a busy machine for each other's turns. */
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
