/* reverse_scan.h - the reverse mode of a scan as a loop. The forward step maps (state, slices,
   constants) to the next state; the reverse step maps (carried, state, slices, seeds, constants) to
   (carried, results), from the last state to the first. */
#ifndef AGNI_REVERSE_SCAN_H
#define AGNI_REVERSE_SCAN_H

#include "autograd/control/subprograms.h"
#include "autograd/loops/scan.h"

typedef struct agni_reverse_scan {
    /* carried, state, arrays, seeds, constants, stacked results */
    int nl, nc, nx, ng, nk, ny;
    int64_t length;
    int64_t keep; /* states kept; 0: all, AGN_KEEP_LOG: log2 of length */
    bool reverse; /* the forward loop runs from the last slice to the first */
} agni_reverse_scan;

/* in[]: carried, first state, arrays, seeds, constants; out[nl + ny] */
void agni_reverse_scan_emit(agn_scope *s, agni_c_body forward, agni_c_body backward,
                            agni_reverse_scan b, const agn_tensor *const *in,
                            const agn_tensor **out);

agni_reverse_scan agni_reverse_scan_describe(const agni_attr *at, int nin,
                                             int nout); /* the attributes of a node */

/* The same as two scans, a forward one that saves residuals and a reverse one: a body whose user
   is this. */
typedef struct agni_reverse_scan_steps {
    const agni_reverse_scan *b;
    agni_c_body forward, backward;
} agni_reverse_scan_steps;
agn_body agni_two_scans_body;

/* rules (reverse_scan_rules.c) */
agni_jvp_fn agni_reverse_scan_jvp;
agni_vjp_fn agni_reverse_scan_vjp;
agni_jet_fn agni_reverse_scan_jet;
agni_batch_fn agni_reverse_scan_batch;

/* Steps to advance from the first of n before the next checkpoint, with keep checkpoints free:
   the number that makes the total of forward steps least (revolve; Griewank & Walther 2000,
   algorithm 799). */
int64_t agni_revolve_split(int64_t n, int64_t keep);

#endif
