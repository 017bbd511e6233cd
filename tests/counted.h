/* tests/counted.h - an identity, op test_counter, that counts how often it is evaluated: for one
   element and for more. Register `counter` first. */
#ifndef AGN_COUNTED_TEST_H
#define AGN_COUNTED_TEST_H

#include <agnesi/agnesi.h>

static int small_ones, big_ones;
static agn_status count_eval(void *u, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    (void)u;
    *(agn_numel(in[0]) > 1 ? &big_ones : &small_ones) += 1;
    out[0] = ag_copy(s, in[0]);
    return AGN_OK;
}
static agn_status first_one(void *u, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    (void)u, (void)s;
    out[0] = in[0];
    return AGN_OK;
}
static agn_status third(void *u, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    (void)u, (void)s;
    out[0] = in[2];
    return AGN_OK;
}
static const agn_op_def counter = {.size = sizeof(agn_op_def),
                                   .name = "test_counter",
                                   .doc = "an identity that counts",
                                   .n_in = 1,
                                   .n_out = 1,
                                   .eval = count_eval,
                                   .infer = first_one,
                                   .jvp = third,
                                   .batch = count_eval,
                                   .lo = -2,
                                   .hi = 2};
static const agn_tensor *counted(agn_scope *s, const agn_tensor *x)
{
    agn_tensor *y = NULL;
    agn_status st = agn_op_apply(&y, 1, "test_counter", &x, 1, NULL, 0, NULL, 0);
    return agn_scope_adopt(s, st, &y);
}

#endif
