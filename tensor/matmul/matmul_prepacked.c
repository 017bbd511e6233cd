/* tensor/matmul/matmul_prepacked.c - matmul with a prepacked operand: one that stays the same
   from call to call of a plan is packed once. */
#include "tensor/matmul/matmul.h"

/* Is the kernel one blocked GEMM, and which of its operands is operand i of the call? A flattened
   batch of columns has them swapped. */
static bool is_prepackable(agni_matmul_job *p, const agn_kernel_call *c, int i, int *which)
{
    agni_matmul_choose(p, c);
    *which = (p->a == c->in) == (i == 0) ? AGNI_GEMM_A : AGNI_GEMM_B;
    return p->blocked && !p->small && p->batch == 1 && p->m * p->n * p->k > 0;
}
static size_t prepacked_bytes(const agn_kernel_call *c, int i)
{
    agni_matmul_job p;
    int which;
    return is_prepackable(&p, c, i, &which)
               ? agni_gemm_prepacked_bytes(c->out->dtype, which, p.m, p.n, p.k,
                                           agni_matmul_matrix(p.a, p.y, 0, p.bytes),
                                           agni_matmul_matrix(p.b, p.y, 0, p.bytes))
               : 0;
}
static void prepack_operand(const agn_kernel_call *c, int i, void *to)
{
    agni_matmul_job p;
    int which;
    if (is_prepackable(&p, c, i, &which))
        agni_gemm_prepack(c->out->dtype, which, p.m, p.n, p.k,
                          agni_matmul_matrix(which == AGNI_GEMM_A ? p.a : p.b, p.y, 0, p.bytes),
                          to);
}
static agn_status run_prepacked(const agn_kernel_call *c, int i, const void *prepacked)
{
    agni_matmul_job p;
    int which;
    if (!is_prepackable(&p, c, i, &which))
        return agni_cpu_matmul(c);
    p.prepacked = prepacked;
    p.which = which;
    return agni_matmul_run(&p, c);
}
const agni_prepacked_form agni_matmul_prepacked = {prepacked_bytes, prepack_operand, run_prepacked};
