/* tensor/dispatch/apply.c - the one way an op is applied: check, promote, infer, run, record. */
#include "core/threads/stack.h"
#include "tensor/dispatch/destination.h"
#include "tensor/dispatch/op_helpers.h"
#include "tensor/value/handle_checks.h"
#include "tensor/value/trace_guards.h"

#include <string.h>

enum { FEW = 8 }; /* operands kept on the stack */

/* ---- promotion --------------------------------------------------------------------- */

static int compute_dtype(const agni_op *op, int p)
{
    uint32_t m = op->dtypes;
    if (m >> p & 1)
        return p;
    int w = agni_dtypes[p].wide;
    if (m >> w & 1)
        return w;
    if (agni_kind(p) <= AGNI_KIND_INT && m >> AGN_I64 & 1)
        return AGN_I64;
    if (agni_kind(p) <= AGNI_KIND_INT && m >> AGN_F64 & 1)
        return AGN_F64;
    return -1;
}

/* Promoted dtype of the arguments of op; *weak when all are literals. */
static int promote_arguments(const agni_op *op, int nin, const agn_tensor *const *in, bool *weak)
{
    agni_promotion mix = {-1, -1};
    for (int i = 0; i < nin; i++)
        if (i >= 32 || op->promote >> i & 1)
            agni_promotion_add(&mix, in[i]);
    *weak = mix.strong < 0;
    return agni_promotion_dtype(&mix);
}

/* A whole literal that the promoted dtype cannot hold must not wrap around. */
static agn_status check_literal(const agni_op *op, const agn_tensor *x, int dtype)
{
    if (!x->weak || dtype == AGN_I64 || x->dtype != AGN_I64 || x->ndim || !x->st ||
        x->st->device != AGN_CPU)
        return AGN_OK;
    int64_t v = *(const int64_t *)x->data;
    if (agni_dtype_holds(dtype, (double)v))
        return AGN_OK;
    return agni_fail(AGN_EDOMAIN, "%s: the literal %lld is no number of dtype %s", op->name,
                     (long long)v, agni_dtypes[dtype].name);
}

/* A new reference to x as dtype on device; a literal stays a literal. */
static agn_status convert_operand(const agn_tensor *x, int dtype, int32_t device, agn_tensor **out)
{
    agn_tensor *y = NULL;
    agn_status st = AGN_OK;
    if (x->dtype == dtype) {
        y = agni_tensor_ref(x);
    } else {
        st = agni_convert(&y, x, dtype);
        if (!st)
            y->weak = x->weak;
    }
    if (!st && y->st && y->st->device != device) {
        agn_tensor *z = NULL;
        st = agni_copy_to_device(&z, y, device);
        agn_release(y);
        y = z;
    }
    if (!st)
        *out = y;
    return st;
}

/* no promotion leads from p to a dtype of op: the message names those that it has */
static agn_status fail_unsupported_dtype(const agni_op *op, int p)
{
    char have[8 * AGN_NDTYPES] = "";
    for (int d = 0; d < AGN_NDTYPES; d++)
        if (op->dtypes >> d & 1) {
            strcat(have, " ");
            strcat(have, agni_dtypes[d].name);
        }
    return agni_fail(AGN_EDTYPE, "%s: not defined for %s; it is for%s and what promotes to these",
                     op->name, agni_dtypes[p].name, have);
}

/* ---- applying ---------------------------------------------------------------------------- */

/* Whether eval will run: an op that has a CPU kernel has eval for other devices. */
static bool needs_eval(const agni_call *c)
{
    for (int i = 0; c->op->eval && c->op->cpu && i < c->nin; i++)
        if (agni_tensor_device(c->in[i]) != AGN_CPU)
            return true;
    return c->op->eval && !c->op->cpu;
}

/* An eval calls other ops; seen through unrecorded aliases they leave no nodes. */
static agn_status run_detached(agni_call *c, agn_tensor **out)
{
    if (!needs_eval(c))
        return agni_run(c, out);
    agn_tensor **t = agni_zalloc((size_t)(c->nin ? c->nin : 1) * sizeof *t);
    if (!t)
        return agni_nomem(c->op->name, (size_t)c->nin * sizeof *t);
    agn_status st = AGN_OK;
    for (int i = 0; !st && i < c->nin; i++) {
        t[i] = c->in[i]->node ? agni_tensor_alias(c->in[i]) : agni_tensor_ref(c->in[i]);
        if (!t[i])
            st = agni_nomem(c->op->name, sizeof **t);
    }
    const agn_tensor *const *in = c->in;
    c->in = (const agn_tensor *const *)t;
    if (!st)
        st = agni_run(c, out);
    c->in = in;
    for (int i = 0; i < c->nin; i++)
        agn_release(t[i]);
    agni_free(t);
    /* a result may be an input or a constant: give it a header of its own */
    for (int i = 0; !st && i < c->nout; i++)
        if (out[i]->node || !agni_ref_unique(&out[i]->head.ref)) {
            agn_tensor *y = agni_tensor_alias(out[i]);
            if (!y)
                st = agni_nomem(c->op->name, sizeof *y);
            agn_release(out[i]);
            out[i] = y;
        }
    return st;
}

/* Whole numbers are constants for derivatives, too. */
static bool worth_recording(const agni_call *c)
{
    bool real = false;
    for (int i = 0; i < c->nout; i++)
        real = real || agni_kind(c->meta[i].dtype) >= AGNI_KIND_FLOAT;
    return real && agni_needs_recording(c->op, c->nin, c->in);
}

static agn_status apply_prepared(const agni_op *op, const agni_attr *at, int nin,
                        const agn_tensor *const *in, int nout, agn_tensor **out)
{
    agni_meta few[2], *meta = few;
    if (nout > AGNI_COUNT(few) && !(meta = agni_alloc((size_t)nout * sizeof *meta)))
        return agni_nomem(op->name, (size_t)nout * sizeof *meta);
    agni_call c = {op, at, nin, nout, in, meta};
    agn_status st = op->infer(&c);
    if (st)
        goto done;
    for (int i = 0; i < nout; i++)
        out[i] = NULL;
    bool symbolic = false, uncommitted = nin > 0;
    bool weak = nin > 0 && op->result != AGNI_OUT_INFER && op->cls != AGNI_RANDOM;
    for (int i = 0; i < nin; i++) {
        symbolic |= !in[i]->st;
        uncommitted &= agni_is_uncommitted(in[i]);
        weak &= in[i]->weak || !(op->promote >> (i & 31) & 1);
    }
    if (symbolic) {
        int64_t size;
        for (int i = 0; !st && i < nout; i++) {
            st = agni_shape_check(op->name, meta[i].ndim, meta[i].shape, &size);
            if (!st && !(out[i] = agni_tensor_header(meta[i].dtype, meta[i].ndim, meta[i].shape)))
                st = agni_nomem(op->name, sizeof **out);
        }
    } else {
        if (agni_destination_current)
            agni_destination_claim(&c, out);
        st = run_detached(&c, out);
    }
    for (int i = 0; !st && i < nout; i++) {
        out[i]->weak = weak;
        out[i]->uncommitted |= uncommitted;
    }
    for (int i = 0; !st && i < nout && !op->view; i++)
        out[i]->truth = op->cpu == agni_op_cast.cpu && (in[0]->dtype == AGN_BOOL || in[0]->truth);
    if (!st && (symbolic || worth_recording(&c)))
        st = agni_record_node(op, at, nin, in, nout, out);
    for (int i = 0; st && i < nout; i++) {
        agn_release(out[i]);
        out[i] = NULL;
    }
done:
    if (meta != few)
        agni_free(meta);
    return st;
}

/* the arguments in op's compute dtype, if it has one, and on one device; the result rounded
   back to a narrow dtype */
static agn_status apply_promoted(const agni_op *op, const agni_attr *at, int nin,
                                 const agn_tensor *const *in, int nout, agn_tensor **out)
{
    bool weak;
    int p = op->promote ? promote_arguments(op, nin, in, &weak) : 0,
        w = op->promote ? compute_dtype(op, p) : 0;
    int32_t device;
    agn_status st = agni_common_device(op, nin, in, &device);
    if (st)
        return st;
    if (w < 0)
        return fail_unsupported_dtype(op, p);
    bool fits = true, narrow = op->promote && p != w && w == agni_dtypes[p].wide &&
                               op->result == AGNI_OUT_SAME;
    for (int i = 0; i < nin; i++)
        fits = fits && (!(op->promote >> (i & 31) & 1) || in[i]->dtype == w) &&
               (!in[i]->st || in[i]->st->device == device);
    if (fits)
        return apply_prepared(op, at, nin, in, nout, out);
    agn_tensor *few[FEW] = {NULL}, **t = few;
    if (nin > FEW && !(t = agni_zalloc((size_t)nin * sizeof *t)))
        return agni_nomem(op->name, (size_t)nin * sizeof *t);
    for (int i = 0; !st && i < nin; i++) {
        bool promotes = op->promote >> (i & 31) & 1;
        st = promotes ? check_literal(op, in[i], p) : AGN_OK;
        if (!st)
            st = convert_operand(in[i], promotes ? w : in[i]->dtype, device, &t[i]);
    }
    agn_tensor *wide = NULL;
    if (!st)
        st = apply_prepared(op, at, nin, (const agn_tensor *const *)t, nout, narrow ? &wide : out);
    for (int i = 0; i < nin; i++)
        agn_release(t[i]);
    if (t != few)
        agni_free(t);
    if (!st && narrow)
        st = agni_convert(out, wide, p);
    agn_release(wide);
    return st;
}

/* Loops over host tensors that lie in order take little. Others transpose or sort in blocks on the
   stack, or call a library or a driver. */
static AGNI_COLD agn_status look_at_stack(const agni_op *op, int nin, const agn_tensor *const *in)
{
    bool loop = (op->ew >= 0 || op->cpu == agni_op_cast.cpu) && !agni_destination_current;
    for (int i = 0; loop && i < nin; i++)
        loop = in[i] && in[i]->layout == AGN_DENSE &&
               (!in[i]->st || (in[i]->st->device == AGN_CPU && agni_is_contiguous(in[i])));
    return agni_stack_look(op->name, loop ? AGNI_STACK_LOOP : AGNI_STACK_OP);
}

/* inline, for small calls are dear: the checking mode has a copy of its own */
static inline __attribute__((always_inline)) agn_status apply_op(
    const agni_op *op, const agni_attr *at, int nin, const agn_tensor *const *in, int nout,
    agn_tensor **out)
{
    agn_status st = agni_stack_is_deep() ? AGN_OK : look_at_stack(op, nin, in);
    if (st)
        return st;
    if (agni_guards_current())
        agni_guard_operands(nin, in);
    if (op->small && !at && op->small(op, nin, in, out, &st))
        return st;
    bool sparse = false;
    for (int i = 0; i < nin; i++) {
        if (!in[i])
            return agni_fail(AGN_ENULL, "%s: argument %d of %d is NULL", op->name, i, nin);
        if (in[i]->stale)
            return agni_require_host(in[i], op->name);
        sparse |= in[i]->layout != AGN_DENSE;
    }
    st = agni_check_signature(op, at, nin, in);
    if (st)
        return st;
    if (sparse)
        return agni_sparse.apply(op, at, nin, in, nout, out);
    return op->promote || (nin > 1 && op->cls != AGNI_CONTROL)
               ? apply_promoted(op, at, nin, in, nout, out)
               : apply_prepared(op, at, nin, in, nout, out);
}

static AGNI_COLD agn_status apply_checked(const agni_op *op, const agni_attr *at, int nin,
                                          const agn_tensor *const *in, int nout, agn_tensor **out)
{
    agn_status st = agni_check_operands(op->name, nin, in);
    st = st ? st : apply_op(op, at, nin, in, nout, out);
    if (!st)
        agni_check_results(op->name, nin, in, nout, out);
    return st;
}

agn_status agni_apply(const agni_op *op, const agni_attr *at, int nin,
                      const agn_tensor *const *in, int nout, agn_tensor **out)
{
    return agni_checking ? apply_checked(op, at, nin, in, nout, out)
                         : apply_op(op, at, nin, in, nout, out);
}

bool agni_apply_many_in(agn_scope *s, const agni_op *op, const agni_attr *at, int nin,
                        const agn_tensor *const *in, int nout, const agn_tensor **out)
{
    agn_tensor *few[FEW], **y = few;
    if (agn_scope_status(s))
        return false;
    if (nout > FEW && !(y = agni_alloc((size_t)nout * sizeof *y))) {
        agn_scope_fail(s, agni_nomem(op->name, (size_t)nout * sizeof *y));
        return false;
    }
    agn_status st = agni_apply(op, at, nin, in, nout, y);
    if (st)
        agn_scope_fail(s, st);
    bool ok = !st;
    for (int i = 0; !st && i < nout; i++) {
        out[i] = agn_scope_adopt(s, AGN_OK, &y[i]);
        ok = ok && out[i];
    }
    if (y != few)
        agni_free(y);
    return ok;
}

const agn_tensor *agni_apply_in(agn_scope *s, const agni_op *op, const agni_attr *at, int nin,
                                const agn_tensor *const *in)
{
    agn_tensor *y = NULL;
    if (agn_scope_status(s))
        return NULL;
    agn_status st = agni_apply(op, at, nin, in, 1, &y);
    return agn_scope_adopt(s, st, &(agn_tensor *){st ? NULL : y});
}
