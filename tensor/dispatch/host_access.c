/* tensor/dispatch/host_access.c - values to the host and to other devices: reads that wait, copy to
   row-major order, or convert. */
#include "tensor/dispatch/op_helpers.h"
#include "tensor/value/handle_checks.h"
#include "tensor/value/trace_guards.h"

agn_status agni_require_host(const agn_tensor *x, const char *op)
{
    if (!x)
        return agni_fail(AGN_ENULL, "%s: tensor is NULL", op);
    if (x->layout != AGN_DENSE)
        return agni_require_dense(x, op);
    if (x->stale) {
        agn_status st = agni_check_gone(op, x);
        return st ? st
                  : agni_fail(AGN_ESTALE, "%s: a saved value %s %s was written after it was saved",
                              op, agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    }
    if (!x->st)
        return agni_fail(AGN_ESYMBOLIC,
                         "%s: no value while tracing: %s %s comes from op %s; use cond or where",
                         op, agni_dtypes[x->dtype].name, AGNI_SHAPE(x),
                         x->node ? x->node->op->name : "none");
    const agn_backend *b = agni_backend_of(x->st->device);
    if (!b || !b->host_visible)
        return agni_fail(AGN_EDEVICE, "%s: the value is on %s, not on the host", op,
                         agn_device_name(x->st->device));
    return agni_wait_written(x);
}

agn_status agn_data_mut(void **out, agn_tensor *x)
{
    if (!out)
        return agni_fail(AGN_ENULL, "data_mut: out is NULL");
    agn_status st = agni_require_host(x, "data_mut");
    if (st)
        return st;
    if (x->node)
        return agni_fail(AGN_EARG,
                         "data_mut: %s is the output of a recorded op (%s); use index_put",
                         AGNI_SHAPE(x), x->node->op->name);
    if (x->st->readonly)
        return agni_fail(AGN_EARG, "data_mut: the memory of %s %s is read-only",
                         agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    st = agni_checking ? agni_check_written("data_mut", x) : AGN_OK;
    st = st ? st : agni_wait_writable(x);
    if (st)
        return st;
    atomic_fetch_add_explicit(&x->st->version, 1, memory_order_acq_rel);
    *out = x->data;
    return AGN_OK;
}

agn_status agn_to_host(void *dst, const agn_tensor *x, size_t bytes)
{
    if (!x || (!dst && bytes))
        return agni_fail(AGN_ENULL, "to_host: %s is NULL", x ? "dst" : "x");
    size_t need = (size_t)x->size * (size_t)agni_dtypes[x->dtype].bytes;
    if (bytes != need)
        return agni_fail(AGN_EARG, "to_host: %s %s has %zu bytes, dst has %zu",
                         agni_dtypes[x->dtype].name, AGNI_SHAPE(x), need, bytes);
    if (!x->st || x->stale)
        return agni_require_host(x, "to_host");
    if (agni_guards_current())
        agni_guard_value(x);
    agn_tensor *alias = agni_tensor_alias(x), *c = NULL;
    if (!alias)
        return agni_nomem("to_host", sizeof *alias);
    agn_status st = agni_make_contiguous(&c, alias);
    if (!st)
        st = agni_wait_written(c);
    if (!st && need)
        st = agni_device_copy(AGN_CPU, dst, c->st->device, c->data, need);
    agn_release(c);
    agn_release(alias);
    return st;
}

agn_status agn_to_device(agn_tensor **out, const agn_tensor *x, int32_t device)
{
    if (!out || !x)
        return agni_fail(AGN_ENULL, "to_device: %s is NULL", x ? "out" : "x");
    if (!x->st || x->stale)
        return agni_require_host(x, "to_device");
    if (x->st->device == device) {
        *out = agni_tensor_ref(x);
        return AGN_OK;
    }
    if (x->node)
        return agni_fail(AGN_EUNSUPPORTED,
                         "to_device: %s is recorded (%s); move it before watching", AGNI_SHAPE(x),
                         x->node->op->name);
    agn_tensor *c = NULL, *y = NULL;
    agn_status st = agni_make_contiguous(&c, x);
    if (!st)
        st = agni_tensor_make(&y, "to_device", x->dtype, x->ndim, x->shape, device);
    if (!st)
        st = agni_wait_written(c);
    if (!st && y->st->bytes)
        st = agni_device_copy(device, y->data, c->st->device, c->data, y->st->bytes);
    agn_release(c);
    if (st) {
        agn_release(y);
        return st;
    }
    y->weak = x->weak;
    *out = y;
    return AGN_OK;
}

/* the only element of x, as dtype */
static agn_status read_item(void *dst, const char *op, int dtype, const agn_tensor *x)
{
    if (!x)
        return agni_fail(AGN_ENULL, "%s: x is NULL", op);
    if (x->size != 1)
        return agni_fail(AGN_ESHAPE, "%s: one element is needed, shape is %s", op, AGNI_SHAPE(x));
    if (!x->st || x->stale)
        return agni_require_host(x, op);
    if (agni_guards_current())
        agni_guard_value(x);
    agn_tensor *alias = agni_tensor_alias(x), *c = NULL;
    if (!alias)
        return agni_nomem(op, sizeof *alias);
    agn_status st = agni_convert(&c, alias, dtype);
    if (!st)
        st = agni_wait_written(c);
    if (!st)
        st = agni_device_copy(AGN_CPU, dst, c->st->device, c->data,
                              (size_t)agni_dtypes[dtype].bytes);
    agn_release(c);
    agn_release(alias);
    return st;
}

agn_status agn_item_f64(double *out, const agn_tensor *x)
{
    if (!out)
        return agni_fail(AGN_ENULL, "item_f64: out is NULL");
    if (x && agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "item_f64: x is %s, a real dtype is needed",
                         agni_dtypes[x->dtype].name);
    return read_item(out, "item_f64", AGN_F64, x);
}

agn_status agn_item_i64(int64_t *out, const agn_tensor *x)
{
    if (!out)
        return agni_fail(AGN_ENULL, "item_i64: out is NULL");
    if (x && agni_kind(x->dtype) > AGNI_KIND_INT)
        return agni_fail(AGN_EDTYPE, "item_i64: x is %s, an integer dtype is needed",
                         agni_dtypes[x->dtype].name);
    return read_item(out, "item_i64", AGN_I64, x);
}

agn_status agn_data_contiguous(const void **out, const agn_tensor *x)
{
    if (!out)
        return agni_fail(AGN_ENULL, "data_contiguous: out is NULL");
    agn_status st = agni_require_host(x, "data_contiguous");
    if (!st && !agni_is_contiguous(x)) {
        int axis = 0; /* the first whose stride is not that of rows without gaps */
        int64_t want = 1;
        for (int k = x->ndim - 1; k >= 0; want *= x->shape[k--])
            axis = x->shape[k] != 1 && x->stride[k] != want ? k : axis;
        want = 1;
        for (int k = x->ndim - 1; k > axis; k--)
            want *= x->shape[k];
        st = agni_fail(AGN_EARG,
                       "data_contiguous: axis %d of %s has stride %lld, rows without gaps %lld; "
                       "agn_contiguous copies",
                       axis, AGNI_SHAPE(x), (long long)x->stride[axis], (long long)want);
    }
    if (!st)
        *out = agn_data(x);
    return st;
}
