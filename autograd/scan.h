/* autograd/scan.h - a loop over slices as one node, as its rules see it. The body maps (carried,
   slices, constants) to (carried, results). Attributes: the numbers of carried values, arrays
   and results, length, reverse; the rest of the arguments are constants. */
#ifndef AGNI_SCAN_H
#define AGNI_SCAN_H

#include "autograd/sweep.h"

/* what the attributes and the number of arguments say */
typedef struct agni_scan {
    int nc, nx, ny, nk;
    int64_t length;
    bool reverse;
    const agni_prog *p;
} agni_scan;
agni_scan agni_scan_of(const agni_attr *at, int nin);

/* Traces a body and applies the scan: in[] = carried, arrays, constants. */
void agni_scan_emit(agn_scope *s, agn_body *body, void *user, int nc, int nx, int nk,
                    int n_out, int64_t length, bool reverse,
                    const agn_tensor *const *in, const agn_tensor **out);

/* rules (scan_rules.c): each makes another scan over a transformed body */
agni_jvp_fn agni_scan_jvp;
agni_vjp_fn agni_scan_vjp;
agni_jet_fn agni_scan_jet;
agni_batch_fn agni_scan_batch;

#endif
