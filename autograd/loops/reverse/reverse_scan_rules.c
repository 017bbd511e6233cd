/* reverse_scan_rules.c - derivatives and batching of a reverse loop: tangents, coefficients and
   lanes are reverse loops over transformed steps within the same memory; cotangents are those of
   two scans that save every state. */
#include "autograd/loops/reverse/reverse_scan.h"
#include "autograd/modes/grading.h"

#include <string.h>

/* flags of the inputs of the forward step, taken from those of the node and stored after them */
static bool *forward_step_flags(const agni_reverse_scan *b, int nin, bool *on)
{
    bool *forward = on + nin;
    memcpy(forward, on + b->nl, (size_t)(b->nc + b->nx));
    memcpy(forward + b->nc + b->nx, on + nin - b->nk, (size_t)b->nk);
    return forward;
}

static void reverse_scan_series(agn_scope *s, const agni_rule *r, const agni_grading *g,
                                const agn_tensor *const *c, const agn_tensor **out)
{
    const agni_subprograms *bodies = agni_subprograms_of(r->at);
    agni_reverse_scan b = agni_reverse_scan_describe(r->at, r->nin, r->nout), h = b;
    int K = agni_highest_degree(g), counts[5];
    size_t room = (size_t)(r->nin + r->nout + 1) * (size_t)(K + 1);
    bool *on = agni_zalloc(2 * (size_t)r->nin + 1);
    const agn_tensor **a = agni_zalloc(2 * room * sizeof *a), **y = a ? a + room : NULL;
    if (!on || !a) {
        agn_scope_fail(s, agni_nomem(r->op->name, room * sizeof *a));
        goto done;
    }
    int c0 = b.nl, x0 = c0 + b.nc, g0 = x0 + b.nx, k0 = g0 + b.ng;
    agni_series_loop backward = {
        r->op->name, bodies->at[1].p, b.nl, 5, {0, c0, x0, g0, k0, r->nin}, g, on, NULL, NULL};
    agni_series_loop_inputs(s, &backward, r->x, c, 2, on, a, counts);
    agni_series_loop forward = {r->op->name,
                                bodies->at[0].p,
                                b.nc,
                                3,
                                {0, b.nc, b.nc + b.nx, b.nc + b.nx + b.nk},
                                g,
                                forward_step_flags(&b, r->nin, on),
                                NULL,
                                NULL};
    h.nl = counts[0];
    h.nc = counts[1];
    h.nx = counts[2];
    h.ng = counts[3];
    h.nk = counts[4];
    h.ny = 0;
    for (int o = b.nl; o < r->nout; o++)
        h.ny += agni_is_differentiable(r->y[o]) ? K : 0;
    agni_reverse_scan_emit(s, (agni_c_body){agni_series_loop_body, &forward},
                           (agni_c_body){agni_series_loop_body, &backward}, h, a, y);
    agni_series_loop_results(s, r, &backward, y, out);
done:
    agni_free(on);
    agni_free(a);
}
void agni_reverse_scan_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                           const agn_tensor **ty)
{
    reverse_scan_series(s, r, NULL, t, ty);
}
void agni_reverse_scan_jet(agn_scope *s, const agni_rule *r, const agni_grading *g,
                           const agn_tensor *const *c, const agn_tensor **out)
{
    reverse_scan_series(s, r, g, c, out);
}

static agn_status program_body(void *user, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    return agni_prog_replay(user, s, in, out, NULL);
}
void agni_reverse_scan_vjp(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                           const bool *want, const agn_tensor **gx)
{
    const agni_subprograms *bodies = agni_subprograms_of(r->at);
    agni_reverse_scan b = agni_reverse_scan_describe(r->at, r->nin, r->nout);
    agni_reverse_scan_steps q = {
        &b, {program_body, bodies->at[0].p}, {program_body, bodies->at[1].p}};
    agni_vjp_of_body(s, agni_two_scans_body, &q, r, g, want, gx);
}

void agni_reverse_scan_batch(agn_scope *s, const agni_rule *r, int64_t lanes,
                             const agn_tensor *const *in, const bool *batched,
                             const agn_tensor **out, bool *bout)
{
    const agni_subprograms *bodies = agni_subprograms_of(r->at);
    agni_reverse_scan b = agni_reverse_scan_describe(r->at, r->nin, r->nout);
    int x0 = b.nl + b.nc, k0 = x0 + b.nx + b.ng;
    const agn_tensor **a = agni_zalloc((size_t)(r->nin + 1) * sizeof *a);
    bool *on = agni_zalloc(2 * (size_t)r->nin + (size_t)(r->nout + b.nc) + 1);
    if (!a || !on) {
        agn_scope_fail(s, agni_nomem("vmap", (size_t)r->nin * sizeof *a));
        goto done;
    }
    memcpy(on, batched, (size_t)r->nin * sizeof *on);
    bool *out_on = on + 2 * r->nin, *state_on = out_on + r->nout;
    agni_batched_loop forward = {bodies->at[0].p, lanes, forward_step_flags(&b, r->nin, on),
                                 state_on};
    agni_batched_loop backward = {bodies->at[1].p, lanes, on, out_on};
    agni_batched_loop_spread(s, &forward, b.nc);
    memcpy(on + b.nl, forward.on, (size_t)b.nc * sizeof *on);
    agni_batched_loop_spread(s, &backward, b.nl);
    for (int i = 0; i < r->nin && !agn_scope_status(s); i++)
        a[i] = i < x0 && on[i]        ? agni_ensure_batch_axis(s, in[i], batched[i], lanes)
               : i < k0 && batched[i] ? agni_move_axis(s, in[i], 0, 1)
                                      : in[i];
    if (!agn_scope_status(s))
        agni_reverse_scan_emit(s, (agni_c_body){agni_batched_loop_body, &forward},
                               (agni_c_body){agni_batched_loop_body, &backward}, b, a, out);
    for (int o = 0; o < r->nout && !agn_scope_status(s); o++) {
        if (o >= b.nl && out_on[o])
            out[o] = agni_move_axis(s, out[o], 1, 0);
        bout[o] = out_on[o];
    }
done:
    agni_free(a);
    agni_free(on);
}
