/* geometric/pool/recurrent.c - a recurrent network along the rows of each segment (Hamilton, Ying
   and Leskovec 2017, LSTM aggregator): all segments take a step at once, and those that have ended
   keep their state. */
#include "geometric/layers/cells.h"
#include "geometric/segment/segment.h"

#include <agnesi/ag.h>
#include <agnesi/control.h>
#include <agnesi/geometric_pool.h>
#include <agnesi/nn.h>

/* parameters of a cell of `gates` gates of o numbers, for rows of f */
typedef struct cell {
    const char *op;
    int gates;
    int64_t o;
    const agn_tensor *w_in, *w_state, *b_in, *b_state;
} cell;

static agn_status check_cell(const cell *q, const agn_tensor *x)
{
    agn_status st = agni_require_dense(x, q->op);
    int64_t n = q->gates * q->o;
    if (!st)
        st = agni_check_node_rows(q->op, "x", x, x->ndim ? x->shape[0] : 0);
    if (!st)
        st = agni_check_layer_weight(q->op, "w_in", q->w_in, x->shape[1]);
    if (!st)
        st = agni_check_layer_weight(q->op, "w_state", q->w_state, q->o);
    if (!st && (q->w_in->shape[0] != n || q->w_state->shape[0] != n))
        st = agni_fail(AGN_ESHAPE, "%s: w_in is %s, w_state is %s: %lld rows are needed", q->op,
                       AGNI_SHAPE(q->w_in), AGNI_SHAPE(q->w_state), (long long)n);
    if (!st && q->b_in)
        st = agni_check_layer_bias(q->op, q->b_in, n);
    return !st && q->b_state ? agni_check_layer_bias(q->op, q->b_state, n) : st;
}

/* w_state, b_state where there is one, behind those that a step takes otherwise */
static int list_constants(const cell *q, const agn_tensor **c)
{
    c[0] = q->w_state;
    c[1] = q->b_state;
    return 1 + (q->b_state != NULL);
}

/* state, and memory of an LSTM; what the row says to the gates, is there one; constants */
static agn_status step_cell(void *user, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    const cell *q = user;
    int carried = q->gates == 4 ? 2 : 1;
    const agn_tensor *given = in[carried], *there = in[carried + 1], *const *c = in + carried + 2;
    const agn_tensor *own = ag_nn_linear(s, in[0], c[0], q->b_state ? c[1] : NULL), *now[2];
    now[1] = carried > 1 ? in[1] : NULL;
    now[0] = carried > 1 ? agni_step_lstm(s, ag_add(s, given, own), &now[1], q->o)
                         : agni_step_gru(s, given, own, in[0], q->o);
    for (int k = 0; k < carried; k++)
        out[k] = ag_where(s, there, now[k], in[k]);
    return agn_scope_status(s);
}

/* [steps, segments, ...] of [segments, steps, ...] */
static const agn_tensor *put_steps_first(agn_scope *s, const agn_tensor *x)
{
    return x ? ag_permute(s, x, (int32_t[]){1, 0, 2}, 3) : NULL;
}

static const agn_tensor *run_cell(agn_scope *s, const cell *q, const agn_tensor *x,
                                  const agn_tensor *ids, int64_t segments)
{
    agn_tensor *rows = NULL, *mask = NULL;
    agn_fn *step = NULL, *loop = NULL;
    const agn_tensor *in[6] = {NULL}, *y[2] = {NULL};
    const agn_tensor *given = ag_nn_linear(s, x, q->w_in, q->b_in);
    agn_status st = given ? agn_geometric_dense_rows(&rows, &mask, given, ids, segments, 0)
                          : AGN_OK;
    const agn_tensor *all = agn_scope_adopt(s, st, &rows), *there = agn_scope_adopt(s, st, &mask);
    if (!all || !there)
        return NULL;
    int64_t n = all->shape[0], steps = all->shape[1];
    int carried = q->gates == 4 ? 2 : 1, at = carried;
    in[0] = in[1] = agni_full(s, 0, all->dtype, 2, (int64_t[]){n, q->o});
    in[at++] = put_steps_first(s, all);
    there = agni_reshape(s, there, 3, (int64_t[]){n, steps, 1});
    in[at++] = put_steps_first(s, there);
    int constants = list_constants(q, in + at), count = at + constants;
    if (agn_scope_status(s))
        return NULL;
    st = agn_fn_new(&step, step_cell, (void *)(uintptr_t)q, NULL, count, carried);
    st = st ? st : agn_fn_scan(&loop, step, carried, constants, steps, false);
    if (!agn_scope_fail(s, st))
        agn_fn_apply(s, y, carried, loop, in, count);
    agn_fn_release(step);
    agn_fn_release(loop);
    return y[0];
}

static agn_status reduce_by_cell(agn_tensor **out, cell *q, const agn_tensor *x,
                                 const agn_tensor *ids, int64_t segments)
{
    q->o = q->w_state->ndim == 2 ? q->w_state->shape[1] : 0;
    agn_status st = check_cell(q, x);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    int dtype = agni_layer_dtype(x);
    const agn_tensor **w[] = {&q->w_in, &q->w_state, &q->b_in, &q->b_state};
    for (int k = 0; k < 4; k++)
        if (*w[k])
            *w[k] = agni_cast(s, *w[k], dtype);
    const agn_tensor *rows = agni_cast(s, x, dtype);
    return agni_return(q->op, s, out,
                       agn_scope_status(s) ? NULL : run_cell(s, q, rows, ids, segments));
}

agn_status agn_geometric_segment_lstm(agn_tensor **out, const agn_tensor *x, const agn_tensor *ids,
                                      int64_t segments, const agn_tensor *w_in,
                                      const agn_tensor *w_state, const agn_tensor *bias)
{
    static const char op[] = "geometric_segment_lstm";
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    AGNI_NEED(op, ids);
    AGNI_NEED(op, w_in);
    AGNI_NEED(op, w_state);
    cell q = {op, 4, 0, w_in, w_state, bias, NULL};
    return reduce_by_cell(out, &q, x, ids, segments);
}

agn_status agn_geometric_segment_gru(agn_tensor **out, const agn_tensor *x, const agn_tensor *ids,
                                     int64_t segments, const agn_tensor *w_in,
                                     const agn_tensor *w_state, const agn_tensor *b_in,
                                     const agn_tensor *b_state)
{
    static const char op[] = "geometric_segment_gru";
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    AGNI_NEED(op, ids);
    AGNI_NEED(op, w_in);
    AGNI_NEED(op, w_state);
    cell q = {op, 3, 0, w_in, w_state, b_in, b_state};
    return reduce_by_cell(out, &q, x, ids, segments);
}
