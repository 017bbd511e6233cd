/* graph/launch/cut.h - which steps of a plan are one launch. */
#ifndef AGNI_LAUNCH_CUT_H
#define AGNI_LAUNCH_CUT_H

#include "graph/launch/launch.h"

enum {
    AGNI_LAUNCH_WORDS = 496, /* of a kernel's parameters, whose size is 4 KB */
    AGNI_LAUNCH_STEPS = 64
};

/* by buffer: the launch, or phase of one, that wrote or read it last, from 1 */
typedef struct agni_accesses {
    int32_t *wrote, *read;
} agni_accesses;

typedef struct agni_joining {
    agni_plan *p;
    agni_accesses any, wide; /* of all members, of those that all blocks run */
    int32_t now;
} agni_joining;

typedef struct agni_cut { /* steps from `first` on that join */
    int32_t first, end, words, regions, sum_blocks;
    bool roomy;              /* a region's tile lies in device memory */
    bool together;           /* in phases, between which all blocks wait for each other */
    int32_t phase[AGNI_LAUNCH_STEPS];
    bool tail[AGNI_LAUNCH_STEPS]; /* run by one block */
} agni_cut;

agn_status agni_joining_make(agni_joining *j, agni_plan *p);
void agni_joining_free(agni_joining *j);

int32_t agni_step_n_array(const agni_step *s);
int32_t agni_step_array(const agni_step *s, int32_t k);

/* alone: one region */
void agni_cut_find(agni_joining *j, agni_cut *c, int32_t first, bool alone);
/* as many steps as join in phases */
void agni_cut_find_phases(agni_joining *j, agni_cut *c, int32_t first);

#endif
