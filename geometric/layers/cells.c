/* geometric/layers/cells.c - cells of recurrent networks: long short-term memory (Hochreiter and
   Schmidhuber 1997; forget gates: Gers, Schmidhuber and Cummins 2000) and gated recurrent units
   (Cho et al. 2014), whose reset gate multiplies what the state says. */
#include "geometric/layers/cells.h"

#include <agnesi/ag.h>

const agn_tensor *agni_take_columns(agn_scope *s, const agn_tensor *x, int64_t from, int64_t n)
{
    int64_t lo[2] = {0, from}, hi[2] = {x ? x->shape[0] : 0, from + n}, step[2] = {1, 1};
    return x ? ag_slice(s, x, 2, lo, hi, step) : NULL;
}

const agn_tensor *agni_step_lstm(agn_scope *s, const agn_tensor *gates, const agn_tensor **memory,
                                 int64_t o)
{
    const agn_tensor *in = ag_sigmoid(s, agni_take_columns(s, gates, 0, o)),
                     *keep = ag_sigmoid(s, agni_take_columns(s, gates, o, o));
    const agn_tensor *new = ag_tanh(s, agni_take_columns(s, gates, 2 * o, o)),
                     *say = ag_sigmoid(s, agni_take_columns(s, gates, 3 * o, o));
    *memory = ag_add(s, ag_mul(s, keep, *memory), ag_mul(s, in, new));
    return ag_mul(s, say, ag_tanh(s, *memory));
}

const agn_tensor *agni_step_gru(agn_scope *s, const agn_tensor *given, const agn_tensor *own,
                                const agn_tensor *h, int64_t o)
{
    const agn_tensor *two = ag_sigmoid(s, ag_add(s, agni_take_columns(s, given, 0, 2 * o),
                                                 agni_take_columns(s, own, 0, 2 * o)));
    const agn_tensor *reset = agni_take_columns(s, two, 0, o),
                     *update = agni_take_columns(s, two, o, o);
    const agn_tensor *new = ag_tanh(s, ag_add(s, agni_take_columns(s, given, 2 * o, o),
                                              ag_mul(s, reset,
                                                     agni_take_columns(s, own, 2 * o, o))));
    return ag_add(s, new, ag_mul(s, update, ag_sub(s, h, new)));
}
