/* registered_op.c - ops registered by users: rows like the built-in ones. */
#include "autograd/modes/modes.h"

#include <agnesi/autograd.h>
#include <string.h>

enum { MOST = 8 };
typedef struct added {
    agni_op op; /* first: an op's address is its row's */
    const agn_op_def *def;
    agni_slots slots;
} added;

static const agn_op_def *definition_of(const agni_op *op)
{
    return ((const added *)op)->def;
}

static agn_status infer_added(agni_call *c)
{
    const agn_op_def *d = definition_of(c->op);
    const agn_tensor *like[MOST] = {NULL}, *y[MOST] = {NULL};
    agn_scope *s = agn_scope_open(NULL);
    for (int i = 0; i < c->nin && !agn_scope_status(s); i++) { /* shapes alone */
        agn_tensor *h = agni_tensor_header(c->in[i]->dtype, c->in[i]->ndim, c->in[i]->shape);
        like[i] = agn_scope_adopt(s, h ? AGN_OK : agni_nomem(d->name, sizeof *h), &h);
    }
    if (!agn_scope_status(s))
        agn_scope_fail(s, d->infer(d->user, s, like, y));
    for (int o = 0; o < c->nout && !agn_scope_status(s); o++) {
        if (!y[o]) {
            agn_scope_fail(s, agni_fail(AGN_ENULL, "%s: infer left result %d of %d NULL", d->name,
                                        o, c->nout));
            break;
        }
        agni_meta_like(&c->meta[o], y[o]);
    }
    return agn_scope_close(s);
}

static agn_status eval_added(const agni_call *c, agn_tensor **out)
{
    const agn_op_def *d = definition_of(c->op);
    const agn_tensor *y[MOST] = {NULL};
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_fail(s, d->eval(d->user, s, c->in, y));
    for (int o = 0; o < c->nout && !agn_scope_status(s); o++) {
        const agni_meta *m = &c->meta[o];
        if (!y[o] || y[o]->dtype != m->dtype || y[o]->ndim != m->ndim ||
            memcmp(y[o]->shape, m->shape, (size_t)m->ndim * sizeof *m->shape))
            agn_scope_fail(s, agni_fail(AGN_ESHAPE, "%s: eval gave %s for result %d, infer said %s",
                                        d->name, y[o] ? AGNI_SHAPE(y[o]) : "NULL", o,
                                        agni_shape_text((char[96]){0}, 96, m->ndim, m->shape)));
        else
            agn_scope_return(s, out + o, y[o]);
    }
    return agn_scope_close(s);
}

/* arguments, results, then seeds or zeros */
static void apply_user_rule(agn_scope *s, const agni_rule *r, agn_body *body,
                            const agn_tensor *const *seed, const agn_tensor *const *like, int n,
                            const agn_tensor **out)
{
    const agn_tensor *a[3 * MOST];
    int k = 0;
    for (int i = 0; i < r->nin; i++)
        a[k++] = r->x[i];
    for (int o = 0; o < r->nout; o++)
        a[k++] = r->y[o];
    for (int i = 0; i < n; i++)
        a[k++] = seed[i] ? seed[i] : agni_zeros_like(s, like[i]);
    if (!agn_scope_status(s))
        agn_scope_fail(s, body(definition_of(r->op)->user, s, a, out));
}
static void jvp_added(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                      const agn_tensor **ty)
{
    const agn_op_def *d = definition_of(r->op);
    apply_user_rule(s, r, d->jvp, t, r->x, r->nin, ty);
    for (int o = 0; o < r->nout && !agn_scope_status(s); o++)
        if (ty[o] && agni_is_differentiable(r->y[o]))
            ty[o] = agni_fit_seed(s, d->name, "the rule's tangent", o, ty[o], r->y[o]);
}
static void vjp_added(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                      const bool *want, const agn_tensor **gx)
{
    const agn_op_def *d = definition_of(r->op);
    (void)want;
    apply_user_rule(s, r, d->vjp, g, r->y, r->nout, gx);
    for (int i = 0; i < r->nin && !agn_scope_status(s); i++)
        if (gx[i] && agni_is_differentiable(r->x[i]))
            gx[i] = agni_fit_seed(s, d->name, "the rule's cotangent", i, gx[i], r->x[i]);
}
static void batch_added(agn_scope *s, const agni_rule *r, int64_t lanes,
                        const agn_tensor *const *in, const bool *batched, const agn_tensor **out,
                        bool *bout)
{
    const agn_tensor *a[MOST];
    for (int i = 0; i < r->nin; i++)
        a[i] = agni_ensure_batch_axis(s, in[i], batched[i], lanes);
    if (!agn_scope_status(s))
        agn_scope_fail(s, definition_of(r->op)->batch(definition_of(r->op)->user, s, a, out));
    for (int o = 0; o < r->nout; o++)
        bout[o] = true;
}

agn_status agn_op_register(const agn_op_def *d)
{
    if (!d || !d->name || !d->eval || !d->infer)
        return agni_fail(AGN_ENULL, "op_register: %s is NULL",
                         !d ? "def" : !d->name ? "name" : !d->eval ? "eval" : "infer");
    if (agni_check_size("op_register", agn_op_def, d))
        return AGN_EARG;
    if (!d->name[0] || d->n_in < 1 || d->n_in > MOST || d->n_out < 1 || d->n_out > MOST)
        return agni_fail(AGN_EARG,
                         "op_register: \"%s\" with %d arguments and %d results is not possible",
                         d->name, d->n_in, d->n_out);
    added *a = agni_zalloc(sizeof *a);
    if (!a)
        return agni_nomem("op_register", sizeof *a);
    bool smooth = d->jvp || d->vjp;
    a->def = d;
    a->op = (agni_op){
        .name = d->name,
        .cls = smooth ? AGNI_CHOICE : AGNI_OPAQUE,
        .nin = (int8_t)d->n_in,
        .nout = (int8_t)d->n_out,
        .dtypes = AGNI_ANY,
        .diff = (1u << d->n_in) - 1,
        .ew = -1,
        .infer = infer_added,
        .eval = eval_added,
        .jvp = d->jvp ? jvp_added : NULL,
        .vjp = d->vjp ? vjp_added : NULL,
        .batch = d->batch ? batch_added : NULL,
        .foreign = true,
        .slots = &a->slots,
        .lo = d->lo,
        .hi = d->hi,
        .doc = d->doc ? d->doc : "",
    };
    agn_status st = agni_ops_extend(&a->op);
    if (st)
        agni_free(a);
    return st;
}
