/* tensor/dispatch/host_run.h - calls with tensors of a device that run on the host: one
   mechanism, and one table of what may use it (registry/host_runs.c). */
#ifndef AGNI_HOST_RUN_H
#define AGNI_HOST_RUN_H

#include "tensor/dispatch/op_helpers.h"

/* What runs on the host for a device without a kernel of it, and why. */
typedef struct agni_host_row {
    const char *name; /* of an op, or of a public function without agn_ */
    const char *why;
} agni_host_row;
extern const agni_host_row agni_host_rows[];
extern const int agni_n_host_rows;
/* the row of name where it may be used now, else NULL */
const agni_host_row *agni_find_host_row(const char *name);

/* The op of c, which has a row, on copies of its operands; its results go back to device. */
agn_status agni_run_on_host(const agni_call *c, const agni_host_row *row, int32_t device,
                            agn_tensor **out);

/* A public function with a row, from its first line on:

       agni_host_call h;
       if (agni_host_call_begin(&h, "name", n, (const agn_tensor *[]){x, ...}))
           return agni_host_call_end(&h, h.st ? h.st : agn_name(&h.y[0], ..., h.in[0], ...),
                                     n_out, (agn_tensor **[]){out, ...});

   False, and nothing to end, where no argument is on a device. An argument that is recorded is
   refused; NULL stays NULL. A result that nobody wants has NULL for out. */
enum { AGNI_HOST_ARGUMENTS = 8, AGNI_HOST_RESULTS = 6 };
typedef struct agni_host_call {
    agn_status st;
    int32_t device;
    int n;
    agn_tensor *in[AGNI_HOST_ARGUMENTS], *y[AGNI_HOST_RESULTS];
} agni_host_call;
bool agni_host_call_begin(agni_host_call *h, const char *name, int n,
                          const agn_tensor *const *x);
agn_status agni_host_call_end(agni_host_call *h, agn_status st, int n_out,
                              agn_tensor **const *out);

/* Numbers that say how large or where something is (indices, counts, keys, flags), for a loop
   of the host: x itself, or after a wait its copy. op is the name of the public function. */
agn_status agni_read_on_host(agn_tensor **out, const agn_tensor *x, const char *op);
/* counts a read by other means, which waits as well */
void agni_note_read(const char *op);
const agn_tensor *agni_read_in(agn_scope *s, const char *op, const agn_tensor *x);
/* y of the host on the device of like; y itself where it is there, or NULL */
const agn_tensor *agni_beside(agn_scope *s, const agn_tensor *y, const agn_tensor *like);

#endif
