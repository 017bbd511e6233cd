/* while_rules.c - reverse mode and batching of while. Reverse mode is that of a scan over the
   steps taken, or over max_steps; batched, the loop runs until every lane has stopped. */
#include "autograd/control/subprograms.h"
#include "autograd/loops/scan.h"

#include <agnesi/ag.h>
#include <string.h>

/* ---- cotangents ------------------------------------------------------------------ */

static agn_status step_body(void *user, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    return agni_prog_replay(((const agni_scan *)user)->p, s, in, out, NULL);
}
static agn_status identity_body(void *user, agn_scope *s, const agn_tensor *const *in,
                                const agn_tensor **out)
{
    memcpy(out, in, (size_t)((const agni_scan *)user)->nc * sizeof *out);
    return agn_scope_status(s);
}
/* a step, or the identity where the loop has stopped */
static agn_status conditional_step_body(void *user, agn_scope *s, const agn_tensor *const *in,
                                        const agn_tensor **out)
{
    const agni_scan *f = user;
    agni_branch_emit(s, &agni_op_cond, in[AGNI_GOES_ON], 2,
                     (agni_c_body[]){{step_body, user}, {identity_body, user}}, f->nc + f->nk, in,
                     f->nc, out);
    return agn_scope_status(s);
}
/* the while as a scan of max_steps steps */
static agn_status bounded_while_body(void *user, agn_scope *s, const agn_tensor *const *in,
                                     const agn_tensor **out)
{
    agni_scan q = *(const agni_scan *)user;
    q.open = false;
    agni_scan_emit(s, conditional_step_body, user, q, in, out);
    return agn_scope_status(s);
}

void agni_while_vjp(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                    const bool *want, const agn_tensor **gx)
{
    agni_scan f = agni_scan_describe(r->op, r->at, r->nin);
    const agn_tensor *steps = r->y[AGNI_STEPS];
    int64_t n = 0;
    if (steps->st) { /* known: a scan of so many steps */
        if (agn_scope_fail(s, agn_item_i64(&n, steps)))
            return;
        int64_t ints[] = {f.nc, 0, 0, n, 0, f.keep};
        agni_attr at = {.ni = AGNI_COUNT(ints), .i = ints, .obj = r->at->obj};
        agni_rule scan = {&agni_op_scan, &at, r->nin, r->nout, r->x, r->y};
        agni_scan_vjp(s, &scan, g, want, gx);
    } else if (f.length >= 0) {
        agni_vjp_of_body(s, bounded_while_body, &f, r, g, want, gx);
    } else {
        agn_scope_fail(
            s, agni_fail(AGN_EUNSUPPORTED,
                         "while: reverse mode where no value says how many steps were "
                         "taken needs max_steps; it is %d",
                         0));
    }
}

/* ---- lanes ----------------------------------------------------------------------- */

/* Lanes that stop at different steps. Carried: any lane active, rounds; then the carried values
   of the lanes, their own condition and count first. A lane that has stopped keeps its values. */
static agn_status lanes_while_body(void *user, agn_scope *s, const agn_tensor *const *in,
                                   const agn_tensor **out)
{
    const agni_batched_loop *q = user;
    int nc = q->p->n_out;
    const agn_tensor *const *lane = in + 2, **next = out + 2, *go = lane[AGNI_GOES_ON];
    if (agni_batched_loop_body(user, s, lane, next))
        return agn_scope_status(s);
    next[AGNI_GOES_ON] = ag_logical_and(s, go, next[AGNI_GOES_ON]);
    for (int i = 1; i < nc && !agn_scope_status(s); i++)
        next[i] = !q->out[i] ? lane[i]
                             : ag_where(s, agni_align_rank(s, go, true, lane[i]->ndim - 1), next[i],
                                        lane[i]);
    out[AGNI_GOES_ON] = ag_any(s, next[AGNI_GOES_ON], NULL, 0, false);
    out[AGNI_STEPS] = ag_add(s, in[AGNI_STEPS], agni_literal(s, 1));
    return agn_scope_status(s);
}

/* the loop over active lanes; the original condition is one of the carried values */
static void emit_per_lane_stop(agn_scope *s, const agni_scan *f, const agni_batched_loop *q,
                               const agn_tensor **a, const agn_tensor **y)
{
    agni_scan loop = *f;
    loop.nc += 2;
    a[AGNI_GOES_ON] = ag_any(s, a[2 + AGNI_GOES_ON], NULL, 0, false);
    a[AGNI_STEPS] = agni_full(s, 0, AGN_I64, 0, NULL);
    agni_scan_emit(s, lanes_while_body, (void *)(uintptr_t)q, loop, a, y);
}

void agni_while_batch(agn_scope *s, const agni_rule *r, int64_t lanes,
                      const agn_tensor *const *in, const bool *batched,
                      const agn_tensor **out, bool *bout)
{
    agni_scan f = agni_scan_describe(r->op, r->at, r->nin);
    const agn_tensor **a = agni_zalloc((size_t)(4 + r->nin + r->nout) * sizeof *a);
    bool *on = agni_zalloc((size_t)(r->nin + r->nout) + 1);
    if (!a || !on) {
        agn_scope_fail(s, agni_nomem("vmap", (size_t)r->nin * sizeof *a));
        goto done;
    }
    agni_batched_loop q = {f.p, lanes, on, on + r->nin};
    memcpy(on, batched, (size_t)r->nin * sizeof *on);
    agni_batched_loop_spread(s, &q, f.nc);
    bool per_lane = on[AGNI_GOES_ON];
    for (int i = 0; per_lane && i < f.nc; i++) /* an input passed on unchanged needs no select */
        q.out[i] = on[i] = batched[i] || f.p->out[i] != i;
    for (int i = 0; i < r->nin && !agn_scope_status(s); i++)
        a[2 + i] = i < f.nc && on[i] ? agni_ensure_batch_axis(s, in[i], batched[i], lanes) : in[i];
    const agn_tensor **y = a + 2 + r->nin;
    if (!agn_scope_status(s) && per_lane)
        emit_per_lane_stop(s, &f, &q, a, y);
    else if (!agn_scope_status(s))
        agni_scan_emit(s, agni_batched_loop_body, &q, f, a + 2, y + 2);
    for (int o = 0; o < r->nout; o++) {
        out[o] = y[2 + o];
        bout[o] = q.out[o];
    }
done:
    agni_free(a);
    agni_free(on);
}
