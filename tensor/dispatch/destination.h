/* tensor/dispatch/destination.h - results in memory of the caller: the other half of every
   agn_NAME_into.

   A function of that form opens a destination, calls agn_NAME, and closes. The op whose result
   is the function's, which its place tells, writes directly into the memory if nothing that is
   still read overlaps it; any other result is copied at the close. Another op of the call never
   writes there, not one of the same name: what the function returns may then not fit, and out must
   hold what it held. */
#ifndef AGNI_DESTINATION_H
#define AGNI_DESTINATION_H

#include "tensor/dispatch/op.h"

typedef struct agni_destination {
    const char *name; /* NAME, for messages */
    agn_tensor *dest;
    agn_tensor **result; /* where the function puts its result; of an op that it ends with, where
                            that one does */
    const agn_tensor *const *arg; /* tensors of the caller */
    int n_arg;
    const agn_tensor *const *list; /* and an array of them */
    int64_t n_list;
    struct agni_destination *outer;
    bool written; /* by an op: it is not cancelled half-way */
    bool taken;   /* the result is dest itself, not held once more */
} agni_destination;

/* the open destination of this thread that no op has claimed, or NULL */
extern AGNI_TLS_EXTERN agni_destination *agni_destination_current;

/* d holds name, dest and arguments. */
agn_status agni_destination_open(agni_destination *d);
/* st and y: what the function gave. The memory is written on success alone. */
agn_status agni_destination_close(agni_destination *d, agn_status st, agn_tensor *y);
/* Puts a header on the destination's memory into out[0] if c may write there; out is where the
   op's results are put. */
void agni_destination_claim(const agni_call *c, agn_tensor **out);
/* The destination itself, not held once more, for numbers of the host in row-major order that a
   short way is about to write from the caller's arguments alone; NULL where they may not be put
   there. Who fails afterwards does not release it. */
agn_tensor *agni_destination_take(agn_tensor **out, int dtype, int ndim, const int64_t *shape);

#endif
