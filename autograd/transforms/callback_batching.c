/* callback_batching.c - batching of ops that hold functions of the user: their rules over all
   lanes, and their functions over all lanes, or lane by lane where they read values. */
#include "autograd/transforms/transform.h"

#include <agnesi/ag.h>

/* ---- rules ----------------------------------------------------------------------------------- */

typedef struct lane_rule {
    const agni_rule *r;
    agni_obj *one;
    const bool *on; /* which seeds there are: of arguments, or in reverse of results */
    const bool *want;
    bool reverse;
} lane_rule;

/* arguments, results and seeds of one lane to what the rule of one gives */
static agn_status rule_body(void *user, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    const lane_rule *q = user;
    const agni_rule *r = q->r;
    const agn_tensor *seed[AGNI_MOST_ARGS] = {NULL}, *got[AGNI_MOST_ARGS] = {NULL};
    int n = r->nin + r->nout, m = 0;
    agni_rule here = {r->op,      &(agni_attr){.obj = q->one}, r->nin, r->nout, in,
                      in + r->nin};
    for (int i = 0; i < (q->reverse ? r->nout : r->nin); i++)
        seed[i] = q->on[i] ? in[n++] : NULL;
    if (q->reverse)
        agni_node_vjp(s, &here, seed, q->want, got);
    else
        agni_node_jvp(s, &here, seed, got);
    for (int i = 0; i < (q->reverse ? r->nin : r->nout) && !agn_scope_status(s); i++)
        if (!q->reverse || q->want[i])
            out[m++] = agni_or_zero(s, got[i], q->reverse ? in[i] : in[r->nin + i]);
    return agn_scope_status(s);
}

/* in[n] of all lanes through the body of one */
static void batch_rule(agn_scope *s, const lane_rule *q, int64_t lanes, int n,
                       const agn_tensor *const *in, int n_out, const agn_tensor **out)
{
    const agn_tensor *like[3 * AGNI_MOST_ARGS];
    bool on[3 * AGNI_MOST_ARGS], bout[AGNI_MOST_ARGS];
    agni_prog *p = NULL;
    uint64_t first;
    for (int i = 0; i < n && !agn_scope_status(s); i++) {
        agn_tensor *h = agni_tensor_header(in[i]->dtype, in[i]->ndim - 1,
                                           in[i]->shape + 1);
        like[i] = agn_scope_adopt(s, h ? AGN_OK : agni_nomem("vmap", sizeof *h), &h);
        on[i] = true;
    }
    if (agn_scope_status(s) ||
        agn_scope_fail(
            s, agni_trace_body(&p, &first, rule_body, (void *)(uintptr_t)q, n, like, n_out, true)))
        return;
    agni_traverse_batch(s, p, lanes, in, on, out, bout);
    for (int o = 0; o < n_out && !agn_scope_status(s); o++)
        out[o] = agni_detach_result(s, agni_ensure_batch_axis(s, out[o], bout[o], lanes));
    agni_prog_release(p);
}

void agni_callback_lanes_jvp(agn_scope *s, const agni_rule *r, agni_obj *one, int64_t lanes,
                             const agn_tensor *const *t, const agn_tensor **ty)
{
    const agn_tensor *in[3 * AGNI_MOST_ARGS];
    bool on[AGNI_MOST_ARGS];
    int n = r->nin + r->nout;
    memcpy(in, r->x, (size_t)r->nin * sizeof *in);
    memcpy(in + r->nin, r->y, (size_t)r->nout * sizeof *in);
    for (int i = 0; i < r->nin; i++)
        if ((on[i] = t[i] != NULL))
            in[n++] = t[i];
    lane_rule q = {r, one, on, NULL, false};
    batch_rule(s, &q, lanes, n, in, r->nout, ty);
}

void agni_callback_lanes_vjp(agn_scope *s, const agni_rule *r, agni_obj *one, int64_t lanes,
                             const agn_tensor *const *g, const bool *want, const agn_tensor **gx)
{
    const agn_tensor *in[3 * AGNI_MOST_ARGS], *got[AGNI_MOST_ARGS] = {NULL};
    bool on[AGNI_MOST_ARGS];
    int n = r->nin + r->nout, m = 0;
    memcpy(in, r->x, (size_t)r->nin * sizeof *in);
    memcpy(in + r->nin, r->y, (size_t)r->nout * sizeof *in);
    for (int o = 0; o < r->nout; o++)
        if ((on[o] = g[o] != NULL))
            in[n++] = g[o];
    for (int i = 0; i < r->nin; i++)
        m += want[i];
    lane_rule q = {r, one, on, want, true};
    batch_rule(s, &q, lanes, n, in, m, got);
    m = 0;
    for (int i = 0; i < r->nin; i++)
        if (want[i])
            gx[i] = got[m++];
}

/* ---- functions of the user over lanes -------------------------------------------------------- */

typedef struct lane_callback {
    agn_fn *one, *all;
} lane_callback;

static void free_callback(void *data)
{
    lane_callback *q = data;
    agn_fn_release(q->one);
    agn_fn_release(q->all);
    agni_free(q);
}

static agn_status run_lane_by_lane(const agn_fn *one, agn_scope *s, const agn_tensor *const *in,
                                   const agn_tensor **out)
{
    int64_t lanes = in[0]->ndim ? in[0]->shape[0] : 0;
    int ni = one->n_in, no = one->n_out;
    size_t room = (size_t)ni + (size_t)no * (size_t)(lanes + 1);
    const agn_tensor **a = agni_zalloc((room + 1) * sizeof *a), **y = a + ni,
                     **row = y + no;
    if (!a)
        return agni_nomem("vmap", room * sizeof *a);
    for (int64_t l = 0; l < lanes && !agn_scope_status(s); l++) {
        for (int i = 0; i < ni; i++)
            a[i] = ag_index_axis(s, in[i], 0, l);
        if (!agn_scope_status(s))
            agni_fn_run_in(one, s, a, y);
        for (int o = 0; o < no; o++)
            row[o * lanes + l] = y[o];
    }
    for (int o = 0; o < no && lanes && !agn_scope_status(s); o++)
        out[o] = ag_stack(s, row + o * lanes, (int32_t)lanes, 0);
    agni_free(a);
    return agn_scope_status(s);
}

static agn_status run_callback(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    const lane_callback *q = f->data;
    agn_tensor **y = agni_zalloc((size_t)f->n_out * sizeof *y);
    if (!y)
        return agni_nomem("vmap", (size_t)f->n_out * sizeof *y);
    agn_status st = agn_fn_call(y, agn_fn_n_out(q->all), q->all, in, agn_fn_n_in(q->all));
    for (int o = 0; !st && o < f->n_out; o++)
        out[o] = agn_scope_adopt(s, AGN_OK, &y[o]);
    agni_free(y);
    bool empty = in[0]->ndim && !in[0]->shape[0];
    return st == AGN_ESYMBOLIC && !empty ? run_lane_by_lane(q->one, s, in, out) : st;
}

agn_status agni_fn_over_lanes(agn_fn **out, const agn_fn *f)
{
    lane_callback *q = agni_zalloc(sizeof *q);
    if (!q)
        return agni_nomem("vmap", sizeof *q);
    q->one = agn_fn_retain(f);
    agn_status st = agn_fn_vmap(&q->all, f, NULL, 0, NULL, 0);
    if (!st)
        st = agni_fn_make(out, run_callback, f->n_in, f->n_out, q, free_callback);
    if (st)
        free_callback(q);
    return st;
}
