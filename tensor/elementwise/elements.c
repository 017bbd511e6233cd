/* tensor/elementwise/elements.c - a function of doubles for each element of broadcast operands, on
   threads. */
#include "tensor/elementwise/elements.h"

#include "tensor/dispatch/op_helpers.h"

typedef struct work {
    const agn_kernel_call *c;
    agni_element_fn *f;
    int64_t size;
} work;

enum { GRAIN = 64 }; /* an element is an integral */

/* element i of the result's shape, of an operand that broadcasts to it */
static double load_element(const agn_array *x, const agn_array *y, int64_t i)
{
    int64_t at = 0;
    for (int d = y->ndim - 1; d >= 0; d--) {
        int own = d - (y->ndim - x->ndim);
        if (own >= 0 && x->shape[own] != 1)
            at += i % y->shape[d] * x->stride[own];
        i /= y->shape[d];
    }
    return x->dtype == AGN_F32 ? (double)((const float *)x->data)[at]
                               : ((const double *)x->data)[at];
}

static void element_job(void *user, int64_t job, int worker)
{
    const work *w = user;
    const agn_array *y = w->c->out;
    int64_t end = (job + 1) * GRAIN < w->size ? (job + 1) * GRAIN : w->size;
    (void)worker;
    for (int64_t i = job * GRAIN; i < end; i++) {
        double x[AGNI_ELEMENT_ARGUMENTS] = {0};
        for (int k = 0; k < w->c->n_in; k++)
            x[k] = load_element(&w->c->in[k], y, i);
        double v = w->f(x, w->c);
        if (y->dtype == AGN_F32)
            ((float *)y->data)[i] = (float)v;
        else
            ((double *)y->data)[i] = v;
    }
}

agn_status agni_run_elements(const agn_kernel_call *c, agni_element_fn *f)
{
    work w = {c, f, 1};
    for (int d = 0; d < c->out[0].ndim; d++)
        w.size *= c->out[0].shape[d];
    agni_parallel_for((w.size + GRAIN - 1) / GRAIN, element_job, &w);
    return AGN_OK;
}
