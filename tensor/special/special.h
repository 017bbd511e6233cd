/* tensor/special/special.h - what the records of special functions share. */
#ifndef AGNI_SPECIAL_H
#define AGNI_SPECIAL_H

#include "tensor/dispatch/op_helpers.h"
#include "tensor/elementwise/elements.h"
#include "tensor/special/values.h"

enum { AGNI_SPECIAL_ORDERS = 32 };

/* attribute i of the call lies in low to high; what it is called */
static inline agn_status agni_special_check(const agni_call *c, int i, int64_t low, int64_t high,
                                            const char *what)
{
    int64_t v = c->at->i[i];
    if (v < low || v > high)
        return agni_fail(AGN_EARG, "%s: %s %lld is not in %lld to %lld", c->op->name, what,
                         (long long)v, (long long)low, (long long)high);
    return AGN_OK;
}

/* n operands, of one dtype, with a derivative in each */
#define AGNI_SPECIAL_OP(name_, takes_, n, ...) \
    static agn_status cpu_##name_(const agn_kernel_call *c) { return agni_run_elements(c, name_##_element); } \
    static agni_slots slots_##name_; \
    const agni_op agni_op_##name_ = {.name = #name_, .takes = takes_, .cls = AGNI_SOLVE, .nin = n, .nout = 1, \
                                     .dtypes = AGNI_FLOATS, .diff = (1u << (n)) - 1, .promote = (1u << (n)) - 1, \
                                     .result = AGNI_OUT_SAME, .ew = -1, .infer = infer_##name_, .cpu = cpu_##name_, \
                                     .contiguous = true, .jvp = name_##_jvp, .batch = agni_batch_aligned, \
                                     .slots = &slots_##name_, __VA_ARGS__};

#endif
