/* map.c - vmap in chunks: a scan over groups of lanes. */
#include "autograd/loops/scan.h"
#include "autograd/transforms/transform.h"

#include <agnesi/ag.h>
#include <agnesi/control.h>

/* The function of one lane, traced, and what its arguments are. */
typedef struct lane_chunk {
    const agni_prog *p;
    int64_t lanes;
    const bool *on;
} lane_chunk;

/* in[]: number of the first lane, then the arguments, with lanes in front where they
   have any */
static agn_status chunk_body(void *user, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    const lane_chunk *q = user;
    bool *bout = agni_zalloc((size_t)q->p->n_out);
    if (!bout)
        return agn_scope_fail(s, agni_nomem("map", (size_t)q->p->n_out));
    agni_traverse_batch_from(s, in[0], q->p, q->lanes, in + 1, q->on, out, bout);
    for (int o = 0; o < q->p->n_out && !agn_scope_status(s); o++)
        out[o] = agni_ensure_batch_axis(s, out[o], bout[o], q->lanes);
    agni_free(bout);
    return agn_scope_status(s);
}

/* chunk_body with the arguments of a scan: batched ones first */
static agn_status scanned_chunk_body(void *user, agn_scope *s, const agn_tensor *const *in,
                                     const agn_tensor **out)
{
    const lane_chunk *q = user;
    int n = q->p->n_in, at[2] = {1, 1};
    const agn_tensor **a = agni_alloc((size_t)(n + 1) * sizeof *a);
    if (!a)
        return agn_scope_fail(s, agni_nomem("map", (size_t)n * sizeof *a));
    for (int i = 0; i < n; i++)
        at[1] += q->on[i];
    a[0] = in[0];
    for (int i = 0; i < n; i++)
        a[1 + i] = in[at[!q->on[i]]++];
    chunk_body(user, s, a, out);
    agni_free(a);
    return agn_scope_status(s);
}

/* rows from .. to - 1 of x, as [chunks, rows, ...] where there are several */
static const agn_tensor *slice_rows(agn_scope *s, const agn_tensor *x, int64_t from, int64_t to)
{
    return ag_slice(s, x, 1, &from, &to, NULL);
}
static const agn_tensor *split_into_chunks(agn_scope *s, const agn_tensor *x, int64_t parts,
                                           int64_t lanes)
{
    int64_t shape[AGNI_MAX_RANK + 1] = {parts, lanes};
    memcpy(shape + 2, x->shape + 1, (size_t)(x->ndim - 1) * sizeof *shape);
    const agn_tensor *y = slice_rows(s, x, 0, parts * lanes);
    return y ? agni_reshape(s, y, x->ndim + 1, shape) : NULL;
}
static const agn_tensor *merge_chunks(agn_scope *s, const agn_tensor *y)
{
    int64_t shape[AGNI_MAX_RANK + 1] = {y->shape[0] * y->shape[1]};
    memcpy(shape + 1, y->shape + 2, (size_t)(y->ndim - 2) * sizeof *shape);
    return agni_reshape(s, y, y->ndim - 1, shape);
}

/* results of all chunks of equal size */
static void map_whole_chunks(agn_scope *s, lane_chunk *q, int64_t parts,
                             const agn_tensor *const *in, const agn_tensor **out)
{
    int n = q->p->n_in, at = 0;
    agn_tensor *first = NULL;
    const agn_tensor **a = agni_alloc((size_t)(n + 1) * sizeof *a);
    if (!a) {
        agn_scope_fail(s, agni_nomem("map", (size_t)n * sizeof *a));
        return;
    }
    agn_status st = agn_arange(&first, AGN_I64, 0, (double)(parts * q->lanes),
                               (double)q->lanes);
    a[at++] = agni_adopt_constant(s, st, first);
    for (int i = 0; i < n; i++)
        if (q->on[i])
            a[at++] = in[i] && !agn_scope_status(s) ? split_into_chunks(s, in[i], parts, q->lanes)
                                                    : NULL;
    agni_scan f = {.nx = at, .nk = n + 1 - at, .ny = q->p->n_out, .length = parts};
    for (int i = 0; i < n; i++)
        if (!q->on[i])
            a[at++] = in[i];
    if (!agn_scope_status(s))
        agni_scan_emit(s, scanned_chunk_body, q, f, a, out);
    for (int o = 0; o < q->p->n_out && !agn_scope_status(s); o++)
        out[o] = merge_chunks(s, out[o]);
    agni_free(a);
}

/* results of the last, shorter chunk, appended */
static void map_last_chunk(agn_scope *s, lane_chunk *q, int64_t begin, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    int n = q->p->n_in, no = q->p->n_out;
    const agn_tensor **a = agni_alloc((size_t)(n + 1 + no) * sizeof *a),
                     **y = a + n + 1;
    if (!a) {
        agn_scope_fail(s, agni_nomem("map", (size_t)n * sizeof *a));
        return;
    }
    agn_tensor *first = NULL;
    agn_status st = agn_full(&first, AGN_I64, 0, NULL, (double)begin);
    a[0] = agni_adopt_constant(s, st, first);
    for (int i = 0; i < n; i++)
        a[1 + i] = q->on[i] ? slice_rows(s, in[i], begin, begin + q->lanes) : in[i];
    if (!agn_scope_status(s))
        chunk_body(q, s, a, y);
    for (int o = 0; o < no && !agn_scope_status(s); o++)
        out[o] = begin ? ag_concat(s, (const agn_tensor *[]){out[o], y[o]}, 2, 0)
                       : y[o];
    agni_free(a);
}

static agn_status run_map(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    const agni_transform *m = f->data;
    int ni = m->f->n_in, no = m->f->n_out;
    const agn_tensor **a = agni_zalloc((size_t)(2 * ni + no + 1) * sizeof *a),
                     **y = a + 2 * ni;
    bool *on = agni_zalloc((size_t)ni + 1);
    agni_prog *p = NULL;
    uint64_t first;
    if (!a || !on) {
        agn_scope_fail(s, agni_nomem("map", (size_t)ni * sizeof *a));
        goto done;
    }
    int64_t lanes = agni_lanes_to_front("map", s, m, in, a, a + ni, on);
    if (agn_scope_status(s) ||
        agn_scope_fail(s, agni_trace(&p, &first, m->f, a + ni, true)))
        goto done;
    lane_chunk q = {p, m->order, on};
    int64_t parts = lanes / q.lanes, rest = lanes % q.lanes;
    if (parts || !rest)
        map_whole_chunks(s, &q, parts, a, y);
    q.lanes = rest;
    if (rest && !agn_scope_status(s))
        map_last_chunk(s, &q, lanes - rest, a, y);
    for (int o = 0; o < no && !agn_scope_status(s); o++) {
        int axis = m->list[ni + o];
        if (!agn_scope_fail(s, agni_axis("map", axis, y[o]->ndim, &axis)))
            out[o] = agni_detach_result(s, agni_move_axis(s, y[o], 0, axis));
    }
done:
    agni_prog_release(p);
    agni_free(a);
    agni_free(on);
    return agn_scope_status(s);
}

agn_status agn_fn_map(agn_fn **out, const agn_fn *f, const int32_t *in_axes, int32_t n_in,
                      const int32_t *out_axes, int32_t n_out, int32_t lanes)
{
    agni_lane_axes at = {in_axes, n_in, out_axes, n_out};
    agn_status st = agni_check_handles("fn_map", out, f);
    if (!st && lanes < 0)
        st = agni_fail(AGN_EARG, "fn_map: %d lanes at a time; 0 is for %d", lanes, 1);
    for (int o = 0; !st && out_axes && o < f->n_out && o < n_out; o++)
        if (out_axes[o] == AGN_UNBATCHED)
            st = agni_fail(AGN_EARG, "fn_map: result %d of %d has no axis of lanes", o,
                           f->n_out);
    return st ? st
              : agni_transform_new_mapped("fn_map", out, run_map, f, at, lanes ? lanes : 1);
}
