/* tensor/value/handle_checks.h - the checking mode (AGNESI_CHECK=1): every handle has a record in
   front of it, and one that is released stays behind as a header of nothing (quarantine; Serebryany
   et al. 2012, AddressSanitizer, 3.3), so that its use is an error that names it. Off, nothing of
   this is read but agni_checking. */
#ifndef AGNI_HANDLE_CHECKS_H
#define AGNI_HANDLE_CHECKS_H

#include "tensor/value/tensor.h"

/* A header of so many bytes with a record in front, of type agni_checked_type. NULL without
   memory. */
agn_tensor *agni_checked_header(size_t bytes);
extern const agni_obj_type agni_checked_type;

/* Reports that x, which is stale, was used by op; AGN_OK where x was not released. */
agn_status agni_check_gone(const char *op, const agn_tensor *x);
/* Operands of op: none was released, none was kept by the running body from an earlier call. */
agn_status agni_check_operands(const char *op, int n, const agn_tensor *const *x);
/* Results get op's name, and depend on the arguments of a body where an operand does. */
void agni_check_results(const char *op, int n_in, const agn_tensor *const *in, int n_out,
                        agn_tensor *const *out);
/* x is about to be written: no running body computed from it. */
agn_status agni_check_written(const char *op, const agn_tensor *x);

/* A call of a user's body that is running on this thread. */
typedef struct agni_body_call {
    int64_t number; /* of all calls */
    void (*body)(void);
    const void *user;
    struct agni_body_call *outer;
    struct agni_body_mark *before; /* of the arguments, NULL without memory */
} agni_body_call;
/* Arguments depend on this call until it ends; results then depend on the outer one if they do. */
agn_status agni_body_enter(agni_body_call *c, void (*body)(void), const void *user, int n_in,
                           const agn_tensor *const *in);
agn_status agni_body_leave(agni_body_call *c, int n_in, const agn_tensor *const *in, int n_out,
                           const agn_tensor *const *out);

#endif
