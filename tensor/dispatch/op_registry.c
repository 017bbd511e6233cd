/* tensor/dispatch/op_registry.c - reading the op table at run time: by name, by number, by
   reflection. */
#include "tensor/dispatch/op.h"

#include <string.h>

/* Ops from outside follow the built-in ones. A slot is written once, before the count that
   covers it. */
enum { MAX_ADDED = 1024 };
static _Atomic(const agni_op *) added[MAX_ADDED];
static atomic_int n_added;

int agni_op_count(void)
{
    return agni_n_ops + atomic_load_explicit(&n_added, memory_order_acquire);
}

const agni_op *agni_op_at(int i)
{
    if (i < 0 || i >= agni_op_count())
        return NULL;
    return i < agni_n_ops ? agni_ops[i] : atomic_load(&added[i - agni_n_ops]);
}

const agni_op *agni_op_find(const char *name)
{
    for (int i = 0, n = agni_op_count(); i < n; i++)
        if (!strcmp(agni_op_at(i)->name, name))
            return agni_op_at(i);
    return NULL;
}

agn_status agni_ops_extend(const agni_op *op)
{
    for (;;) {
        int n = atomic_load(&n_added);
        if (agni_op_find(op->name))
            return agni_fail(AGN_EARG,
                             "op_register: there is an op called \"%s\"; choose another name "
                             "among %d",
                             op->name, agni_op_count());
        if (n == MAX_ADDED)
            return agni_fail(AGN_EARG, "op_register: no room for \"%s\"; %d ops were added",
                             op->name, n);
        const agni_op *none = NULL;
        if (!atomic_compare_exchange_strong(&added[n], &none, op))
            continue; /* another thread is at this slot */
        atomic_store(&n_added, n + 1);
        return AGN_OK;
    }
}

int32_t agn_op_count(void)
{
    return agni_op_count();
}

const char *agn_op_name(int32_t id)
{
    const agni_op *op = agni_op_at(id);
    return op ? op->name : NULL;
}

const char *agn_op_signature(int32_t id)
{
    const agni_op *op = agni_op_at(id);
    return !op ? NULL : op->takes ? op->takes : "";
}

agn_status agn_op_apply(agn_tensor **out, int32_t n_out, const char *op,
                        const agn_tensor *const *in, int32_t n_in, const int64_t *ints,
                        int32_t n_int, const double *reals, int32_t n_real)
{
    if (!out || !op || (!in && n_in))
        return agni_fail(AGN_ENULL, "op_apply: %s is NULL", !out ? "out" : !op ? "op" : "in");
    const agni_op *o = agni_op_find(op);
    if (!o)
        return agni_fail(AGN_EARG, "op_apply: no op is called \"%.40s\"; there are %d", op,
                         agni_op_count());
    if (o->cls == AGNI_CONTROL)
        return agni_fail(AGN_EUNSUPPORTED, "op_apply: %s takes a program, not %d tensors alone", op,
                         n_in);
    if ((o->nin >= 0 && n_in != o->nin) || n_out != o->nout || n_in < 0)
        return agni_fail(AGN_EARG, "op_apply: %s has %d arguments and %d results, not %d and %d",
                         op, o->nin, o->nout, n_in, n_out);
    if ((n_int && !ints) || (n_real && !reals) || n_int < 0 || n_real < 0)
        return agni_fail(AGN_EARG, "op_apply: %s: attributes are NULL or negative: %d and %d", op,
                         n_int, n_real);
    agni_attr at = {.ni = n_int, .nf = n_real, .i = ints, .f = reals};
    agn_tensor *few[8] = {NULL};
    if (n_out > AGNI_COUNT(few))
        return agni_fail(AGN_EARG, "op_apply: %s: %d results, at most %d", op, n_out,
                         AGNI_COUNT(few));
    agn_status st = agni_apply(o, &at, n_in, in, n_out, few);
    for (int i = 0; !st && i < n_out; i++)
        out[i] = few[i];
    return st;
}

static const char *const class_names[] = {
    [AGNI_EW] = "element-wise", [AGNI_LINEAR] = "linear",   [AGNI_MULTI] = "multilinear",
    [AGNI_CHOICE] = "choice",   [AGNI_SOLVE] = "solve",     [AGNI_CONTROL] = "control",
    [AGNI_RANDOM] = "random",   [AGNI_DISCRETE] = "discrete", [AGNI_OPAQUE] = "opaque",
};

agn_status agn_op_describe(agn_op_info *info, int32_t id)
{
    if (!info)
        return agni_fail(AGN_ENULL, "op_describe: info is NULL");
    const agni_op *op = agni_op_at(id);
    if (!op)
        return agni_fail(AGN_EARG, "op_describe: %d is no op; there are %d", id, agni_op_count());
    if (agni_check_size("op_describe", agn_op_info, info))
        return AGN_EARG;
    bool smooth = op->cls != AGNI_DISCRETE && op->cls != AGNI_RANDOM && op->cls != AGNI_OPAQUE;
    *info = (agn_op_info){
        .size = sizeof *info,
        .name = op->name,
        .doc = op->doc,
        .kind = class_names[op->cls],
        .n_in = op->nin,
        .n_out = op->nout,
        .dtypes = op->dtypes,
        .diff = op->diff,
        .lo = op->lo,
        .hi = op->hi,
        .jvp = smooth,
        .vjp = smooth,
        .jet = smooth,
        .vmap = op->batch != NULL,
        .sparse = agni_sparse.takes(op),
        .cpu = op->cpu || op->eval || op->view,
    };
    return AGN_OK;
}
