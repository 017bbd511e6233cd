/* graph/plan/device_loop.h - loops and branches of a plan for a device: bodies that are plans of their
   own. */
#ifndef AGNI_DEVICE_LOOP_H
#define AGNI_DEVICE_LOOP_H

#include "graph/plan/replay.h"

/* A loop node as those below it see it: the body maps (carried, slices, constants) to (carried,
   stacked results). Or a branch of a node that chooses one of several: its body maps inputs of the
   node to its results. */
typedef struct agni_loop_form {
    const agni_prog *body;
    int n_carried, n_array;
    int64_t length; /* steps; of an open one the most of them, -1: any number */
    bool reverse;   /* from the last slice to the first */
    bool open;      /* as long as the first carried value is true */
    int branch, n_branch; /* which of so many; 0 of 0: a loop */
} agni_loop_form;
/* filled in by registry/loop_table.c: loops and branches are ops of rooms above */
typedef struct agni_loop_table {
    int (*count)(const agni_op *op, const agni_attr *at); /* bodies of a node; 0: it has none */
    void (*describe)(agni_loop_form *f, const agni_op *op, const agni_attr *at, int n_in, int k);
    /* which input of the node input i of body k is, or of the step of it */
    int (*input)(const agni_op *op, const agni_attr *at, int k, int i);
    agn_status (*check_guards)(const agni_op *op, const agni_attr *at);
} agni_loop_table;
extern const agni_loop_table agni_loop_forms;

struct agni_device_loop {
    agni_loop_form form;
    agni_plan *body;
    agn_kernel *move, *begin, *end; /* tensor/rows/loop_kernels.h; the last two may be NULL */
    int32_t counter, room; /* buffers: of the counter, and of slices and next values; of loops */
    int64_t *place;        /* of each slice, then of each result, in room */
    atomic_llong driven;   /* steps that the host queued one by one */
    atomic_bool declined;  /* the back end has no loops within graphs */
};

/* The steps of node n, whose inputs in[] are row-major: one for a loop, or one for each branch, all of
   which write out[] where they are chosen. *done stays false where the device could not run all of
   them by itself: the node is evaluated then. */
agn_status agni_plan_add_loops(agni_plan *p, const agni_pnode *n, const int32_t *in,
                               const int32_t *out, bool *done);
void agni_device_loop_free(agni_device_loop *l);
agni_workspace *agni_device_loop_workspace(const agni_device_loop *l);
/* Can all of it be part of a graph? */
bool agni_device_loop_is_recordable(const agni_device_loop *l);
/* AGN_ESTALE where a loop of the plan rests on what has changed */
agn_status agni_device_loops_check(const agni_plan *p);

/* step i of p into the graph that is being recorded; body: the body's steps, likewise */
agn_status agni_device_loop_record(const agni_plan *p, agni_workspace *w, int32_t i,
                                   agni_run_part *body);
/* step i of p now: the host queues step after step, and waits for the condition of each */
agn_status agni_device_loop_drive(const agni_plan *p, agni_workspace *w, int32_t i,
                                  agni_run_part *body);

#endif
