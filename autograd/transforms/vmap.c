/* vmap.c - vmap: a function of one lane as a function of all lanes. */
#include "autograd/transforms/transform.h"

int64_t agni_lanes_to_front(const char *op, agn_scope *s, const agni_transform *m,
                            const agn_tensor *const *in, const agn_tensor **front,
                            const agn_tensor **lane, bool *on)
{
    int64_t lanes = -1;
    for (int i = 0; i < m->f->n_in && !agn_scope_status(s); i++) {
        int axis = m->list[i];
        front[i] = lane[i] = in[i];
        on[i] = axis != AGN_UNBATCHED;
        if (!on[i])
            continue;
        if (agn_scope_fail(s, agni_axis(op, axis, in[i]->ndim, &axis)))
            break;
        if (lanes >= 0 && in[i]->shape[axis] != lanes)
            agn_scope_fail(s, agni_fail(AGN_ESHAPE, "%s: argument %d has %lld lanes, others %lld",
                                        op, i, (long long)in[i]->shape[axis], (long long)lanes));
        lanes = in[i]->shape[axis];
        front[i] = agni_move_axis(s, in[i], axis, 0);
        if (!front[i])
            break;
        agn_tensor *h = agni_tensor_header(in[i]->dtype, in[i]->ndim - 1, front[i]->shape + 1);
        lane[i] = agn_scope_adopt(s, h ? AGN_OK : agni_nomem(op, sizeof *h), &h);
    }
    if (lanes < 0 && !agn_scope_status(s))
        agn_scope_fail(s, agni_fail(AGN_ESHAPE, "%s: no argument of %d has a batch axis", op,
                                    m->f->n_in));
    return lanes;
}

static agn_status run_vmap(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    const agni_transform *m = f->data;
    int ni = m->f->n_in, no = m->f->n_out;
    const agn_tensor **a = agni_zalloc((size_t)(2 * ni + no + 1) * sizeof *a);
    bool *on = agni_zalloc((size_t)(ni + no + 1));
    agni_prog *p = NULL;
    uint64_t first;
    if (!a || !on) {
        agn_scope_fail(s, agni_nomem("vmap", (size_t)ni * sizeof *a));
    } else {
        const agn_tensor **y = a + 2 * ni;
        int64_t lanes = agni_lanes_to_front("vmap", s, m, in, a, a + ni, on);
        if (!agn_scope_status(s))
            agn_scope_fail(s, agni_trace(&p, &first, m->f, a + ni, true));
        if (!agn_scope_status(s) && m->order)
            agni_batch_same_draws(s, p, lanes, a, on, y, on + ni);
        else if (!agn_scope_status(s))
            agni_traverse_batch_from(s, NULL, p, lanes, a, on, y, on + ni);
        for (int o = 0; o < no && !agn_scope_status(s); o++) {
            int axis = m->list[ni + o];
            if (axis == AGN_UNBATCHED && on[ni + o]) {
                agn_scope_fail(s, agni_fail(AGN_ESHAPE,
                                            "vmap: result %d of %d differs between lanes: it "
                                            "has a batch axis",
                                            o, no));
            } else if (axis == AGN_UNBATCHED) {
                out[o] = agni_detach_result(s, y[o]);
            } else {
                const agn_tensor *b = agni_ensure_batch_axis(s, y[o], on[ni + o], lanes);
                if (b && !agn_scope_fail(s, agni_axis("vmap", axis, b->ndim, &axis)))
                    out[o] = agni_detach_result(s, agni_move_axis(s, b, 0, axis));
            }
        }
    }
    agni_prog_release(p);
    agni_free(a);
    agni_free(on);
    return agn_scope_status(s);
}

agn_status agni_transform_new_mapped(const char *op, agn_fn **out, agni_fn_run *run,
                                     const agn_fn *f, agni_lane_axes at, int order)
{
    const int32_t *given[2] = {at.in, at.out}, have[2] = {f->n_in, f->n_out},
                  told[2] = {at.n_in, at.n_out};
    for (int k = 0; k < 2; k++) {
        const char *what = k ? "results" : "arguments";
        if (given[k] && told[k] != have[k])
            return agni_fail(AGN_EARG, "%s: axes of %d %s are given, the function has %d", op,
                             told[k], what, have[k]);
    }
    int n = f->n_in + f->n_out;
    int32_t *axes = agni_zalloc((size_t)n * sizeof *axes);
    if (!axes)
        return agni_nomem("transform", (size_t)n * sizeof *axes);
    if (at.in)
        memcpy(axes, at.in, (size_t)f->n_in * sizeof *axes);
    if (at.out)
        memcpy(axes + f->n_in, at.out, (size_t)f->n_out * sizeof *axes);
    agn_status st = agni_transform_new(out, run, f, f->n_in, f->n_out, 0, axes, n, order);
    agni_free(axes);
    return st;
}

agn_status agn_fn_vmap(agn_fn **out, const agn_fn *f, const int32_t *in_axes, int32_t n_in,
                       const int32_t *out_axes, int32_t n_out)
{
    agn_status st = agni_check_handles("fn_vmap", out, f);
    agni_lane_axes at = {in_axes, n_in, out_axes, n_out};
    return st ? st : agni_transform_new_mapped("fn_vmap", out, run_vmap, f, at, 0);
}

agn_status agn_fn_vmap_with(agn_fn **out, const agn_fn *f, const int32_t *in_axes, int32_t n_in,
                            const int32_t *out_axes, int32_t n_out, const agn_vmap_options *opts)
{
    agn_status st = agni_check_handles("fn_vmap_with", out, f);
    agni_lane_axes at = {in_axes, n_in, out_axes, n_out};
    if (!st && agni_check_size("fn_vmap_with", agn_vmap_options, opts))
        st = AGN_EARG;
    return st ? st
              : agni_transform_new_mapped("fn_vmap_with", out, run_vmap, f, at,
                                          opts && opts->same_random);
}
