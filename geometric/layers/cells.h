/* geometric/layers/cells.h - cells of recurrent networks, for other rooms. */
#ifndef AGNI_GRAPH_CELLS_H
#define AGNI_GRAPH_CELLS_H

#include "geometric/layers/layers.h"

/* columns [from, from + n) of x [rows, ...] */
const agn_tensor *agni_take_columns(agn_scope *s, const agn_tensor *x, int64_t from, int64_t n);
/* One step. gates [n, 4 o]: input, forget, cell, output; the memory [n, o] is replaced, what is
   said is the result. */
const agn_tensor *agni_step_lstm(agn_scope *s, const agn_tensor *gates, const agn_tensor **memory,
                                 int64_t o);
/* One step from the state h [n, o]. given and own [n, 3 o] are what arguments and state say to the
   gates reset, update, new. */
const agn_tensor *agni_step_gru(agn_scope *s, const agn_tensor *given, const agn_tensor *own,
                                const agn_tensor *h, int64_t o);

#endif
