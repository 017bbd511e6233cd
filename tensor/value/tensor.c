/* tensor/value/tensor.c - life of tensors: memory, headers, views, facts, host access. */
#include "tensor/value/tensor.h"

#include "tensor/dispatch/op.h"
#include "tensor/value/trace_guards.h"
#include <string.h>

/* ---- storage ---------------------------------------------------------------------- */

/* Host memory lies behind its header, in one block; in front of it, where a tensor is made with its
   memory, the header of that tensor, which lives as long as the memory does. */
static size_t in_front(size_t header)
{
    return (sizeof(agni_storage) + header + 63) / 64 * 64;
}
static size_t header_bytes(int ndim)
{
    return sizeof(agn_tensor) + 2 * (size_t)ndim * sizeof(int64_t);
}

static void storage_destroy(agni_obj *o)
{
    agni_storage *st = (agni_storage *)o;
    if (st->destroy)
        st->destroy(st->user);
    else if (st->data && st->device != AGN_CPU)
        agni_device_free(st->device, st->data, st->bytes);
    agni_free(st);
}
static const agni_obj_type storage_type = {.name = "storage", .destroy = storage_destroy};

static agni_storage *storage_begin(agni_storage *st, int32_t device, void *data, size_t bytes)
{
    if (!st)
        return NULL;
    memset(st, 0, sizeof *st);
    agni_ref_init(&st->head.ref);
    st->head.type = &storage_type;
    st->device = device;
    st->data = data;
    st->bytes = bytes;
    st->inner = agni_guards_current() != NULL;
    return st;
}

static agni_storage *storage_header(int32_t device, void *data, size_t bytes)
{
    return storage_begin(agni_alloc(sizeof(agni_storage)), device, data, bytes);
}

/* memory of the host, behind room for a tensor's header of so many bytes */
static agni_storage *host_block(size_t header, size_t bytes)
{
    size_t front = in_front(header);
    char *block = bytes < SIZE_MAX - front ? agni_alloc_aligned(front + bytes) : NULL;
    return block ? storage_begin((agni_storage *)(void *)block, AGN_CPU, block + front, bytes) : NULL;
}

static agn_status storage_new(agni_storage **out, const char *op, int32_t device,
                              size_t bytes)
{
    if (device == AGN_CPU) {
        *out = host_block(0, bytes);
        return *out ? AGN_OK : agni_nomem(op, bytes);
    }
    void *data = NULL;
    agn_status st = agni_device_alloc(device, bytes, &data);
    if (st)
        return st == AGN_ENOMEM ? agni_fail(AGN_ENOMEM, "%s: %s has no memory for %zu bytes", op,
                                            agn_device_name(device), bytes)
                                : st;
    *out = storage_header(device, data, bytes);
    if (*out)
        return AGN_OK;
    agni_device_free(device, data, bytes);
    return agni_nomem(op, sizeof **out);
}

/* ---- headers ------------------------------------------------------------------------ */

static void tensor_destroy(agni_obj *o)
{
    agn_tensor *x = (agn_tensor *)o;
    agni_storage *st = x->st;
    if (x->node)
        agni_obj_release((agni_obj *)x->node);
    if (!x->within)
        agni_free(x);
    if (st)
        agni_obj_release(&st->head);
}
static const agni_obj_type tensor_type = {.name = "tensor", .destroy = tensor_destroy};

static inline agn_tensor *header_begin(agn_tensor *x, int dtype, int ndim, const int64_t *shape)
{
    memset(x, 0, sizeof *x);
    agni_ref_init(&x->head.ref);
    x->head.type = &tensor_type;
    x->dtype = (int8_t)dtype;
    x->ndim = (int8_t)ndim;
    x->stride = x->shape + ndim;
    int64_t step = 1, size = 1;
    for (int i = ndim - 1; i >= 0; i--) {
        x->shape[i] = shape[i];
        x->stride[i] = step;
        step *= shape[i] ? shape[i] : 1;
        size *= shape[i];
    }
    x->size = size;
    return x;
}

agn_tensor *agni_tensor_header(int dtype, int ndim, const int64_t *shape)
{
    agn_tensor *x = agni_alloc(header_bytes(ndim));
    return x ? header_begin(x, dtype, ndim, shape) : NULL;
}

/* with memory of the host, all in one block */
static inline agn_tensor *with_memory(int dtype, int ndim, const int64_t *shape, size_t bytes)
{
    agni_storage *st = host_block(header_bytes(ndim), bytes);
    if (!st)
        return NULL;
    agn_tensor *x = header_begin((agn_tensor *)(st + 1), dtype, ndim, shape);
    x->within = true;
    x->st = st;
    x->data = st->data;
    return x;
}

agn_tensor *agni_tensor_like(int dtype, const agn_tensor *x)
{
    return with_memory(dtype, x->ndim, x->shape,
                       (size_t)x->size * (size_t)agni_dtypes[dtype].bytes);
}

agn_status agni_tensor_make(agn_tensor **out, const char *op, int dtype, int ndim,
                            const int64_t *shape, int32_t device)
{
    int64_t size;
    agn_status st = agni_shape_check(op, ndim, shape, &size);
    if (st)
        return st;
    if (!agni_backend_of(device))
        return agni_fail(AGN_EDEVICE, "%s: there is no device number %d, for %s", op, device,
                         agni_dtypes[dtype].name);
    size_t bytes = (size_t)size * (size_t)agni_dtypes[dtype].bytes;
    agn_tensor *x = device == AGN_CPU ? with_memory(dtype, ndim, shape, bytes)
                                      : agni_tensor_header(dtype, ndim, shape);
    if (!x)
        return agni_nomem(op, device == AGN_CPU ? bytes : sizeof *x);
    if (!x->st) {
        st = storage_new(&x->st, op, device, bytes);
        if (st) {
            agni_obj_release(&x->head);
            return st;
        }
        x->data = x->st->data;
    }
    *out = x;
    return AGN_OK;
}

agn_tensor *agni_tensor_alias(const agn_tensor *x)
{
    agn_tensor *y = agni_alloc(header_bytes(x->ndim));
    if (!y)
        return NULL;
    memset(&y->head, 0, sizeof y->head);
    agni_ref_init(&y->head.ref);
    y->head.type = &tensor_type;
    y->dtype = x->dtype;
    y->ndim = x->ndim;
    y->layout = x->layout;
    y->weak = x->weak;
    y->anywhere = x->anywhere;
    y->stale = x->stale;
    y->within = false;
    y->out = 0;
    y->st = x->st ? (agni_storage *)agni_obj_retain(&x->st->head) : NULL;
    y->node = NULL;
    y->data = x->data;
    y->size = x->size;
    y->stride = y->shape + x->ndim;
    for (int i = 0; i < x->ndim; i++) {
        y->shape[i] = x->shape[i];
        y->stride[i] = x->stride[i];
    }
    return y;
}

agn_status agni_tensor_view(agn_tensor **out, const agn_tensor *x, int ndim,
                            const int64_t *shape, const int64_t *stride, int64_t offset)
{
    agn_tensor *y = agni_tensor_header(x->dtype, ndim, shape);
    if (!y)
        return agni_nomem("view", sizeof *y);
    for (int i = 0; i < ndim; i++) /* stride may be NULL where ndim is 0 */
        y->stride[i] = stride[i];
    y->weak = x->weak;
    y->anywhere = x->anywhere;
    y->data = (char *)x->data + offset * agni_dtypes[x->dtype].bytes;
    y->st = (agni_storage *)agni_obj_retain(&x->st->head);
    *out = y;
    return AGN_OK;
}

bool agni_is_contiguous(const agn_tensor *x)
{
    int64_t step = 1;
    for (int i = x->ndim - 1; i >= 0; i--) {
        if (x->shape[i] != 1 && x->stride[i] != step)
            return x->size == 0;
        step *= x->shape[i];
    }
    return true;
}

static agn_status wait_for(const agni_storage *st, uint64_t mark)
{
    const agn_backend *b = st->device == AGN_CPU ? NULL : agni_backend_of(st->device);
    return b && mark ? b->wait(agni_device_ordinal(st->device), mark) : AGN_OK;
}

agn_status agni_wait_written(const agn_tensor *x)
{
    return x->st ? wait_for(x->st, atomic_load_explicit(&x->st->write_mark, memory_order_acquire))
                 : AGN_OK;
}

agn_status agni_wait_writable(const agn_tensor *x)
{
    agn_status st = agni_wait_written(x);
    return st || !x->st
               ? st
               : wait_for(x->st, atomic_load_explicit(&x->st->read_mark, memory_order_acquire));
}

agn_status agni_require_dense(const agn_tensor *x, const char *op)
{
    if (x->layout == AGN_DENSE)
        return AGN_OK;
    return agni_fail(AGN_EUNSUPPORTED, "%s: %s %s is sparse, a dense tensor is needed", op,
                     agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
}

agn_status agni_require_host(const agn_tensor *x, const char *op)
{
    if (!x)
        return agni_fail(AGN_ENULL, "%s: tensor is NULL", op);
    if (x->layout != AGN_DENSE)
        return agni_require_dense(x, op);
    if (x->stale)
        return agni_fail(AGN_ESTALE, "%s: a saved value %s %s was written after it was saved",
                         op, agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
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

/* ---- public facts ------------------------------------------------------------------- */

agn_tensor *agn_retain(const agn_tensor *x)
{
    return agni_tensor_ref(x);
}
void agn_release(agn_tensor *x)
{
    if (x)
        agni_obj_release(&x->head);
}
int32_t agn_ndim(const agn_tensor *x)
{
    return x ? x->ndim : -1;
}
int64_t agn_numel(const agn_tensor *x)
{
    return x ? x->size : -1;
}
agn_dtype agn_dtype_of(const agn_tensor *x)
{
    return x ? x->dtype : -1;
}
const char *const agni_layout_names[] = {"dense", "csr", "csc", "coo"};
int32_t agn_layout_of(const agn_tensor *x)
{
    return x ? x->layout : -1;
}
const int64_t *agn_shape(const agn_tensor *x)
{
    return x ? x->shape : NULL;
}
const int64_t *agn_strides(const agn_tensor *x)
{
    return x ? x->stride : NULL;
}
/* what holds the values of x */
static const agn_tensor *holder(const agn_tensor *x)
{
    return x && x->layout != AGN_DENSE ? agni_values_of(x) : x;
}
bool agn_is_symbolic(const agn_tensor *x)
{
    return x && agni_is_symbolic(holder(x));
}
bool agn_is_watched(const agn_tensor *x)
{
    return x && holder(x)->node;
}
bool agn_is_contiguous(const agn_tensor *x)
{
    return x && x->layout == AGN_DENSE && agni_is_contiguous(x);
}
int32_t agn_device_of(const agn_tensor *x)
{
    return x ? agni_tensor_device(holder(x)) : -1;
}

const void *agn_data(const agn_tensor *x)
{
    if (!x || !x->st || x->stale)
        return NULL;
    if (agni_guards_current())
        agni_guard_value(x);
    const agn_backend *b = agni_backend_of(x->st->device);
    return b && b->host_visible && !agni_wait_written(x) ? x->data : NULL;
}

agn_status agn_data_mut(void **out, agn_tensor *x)
{
    if (!out)
        return agni_fail(AGN_ENULL, "data_mut: out is NULL");
    agn_status st = agni_require_host(x, "data_mut");
    if (st)
        return st;
    if (x->node)
        return agni_fail(AGN_EARG, "data_mut: %s is the output of a recorded op (%s); use index_put",
                         AGNI_SHAPE(x), x->node->op->name);
    if (x->st->readonly)
        return agni_fail(AGN_EARG, "data_mut: the memory of %s %s is read-only",
                         agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    st = agni_wait_writable(x);
    if (st)
        return st;
    atomic_fetch_add_explicit(&x->st->version, 1, memory_order_acq_rel);
    *out = x->data;
    return AGN_OK;
}

/* ---- to and from the host ------------------------------------------------------------- */

agn_status agn_empty(agn_tensor **out, agn_dtype dtype, int32_t ndim, const int64_t *shape,
                     int32_t device)
{
    if (!out)
        return agni_fail(AGN_ENULL, "empty: out is NULL");
    agn_status st = agni_dtype_check("empty", dtype);
    return st ? st : agni_tensor_make(out, "empty", dtype, ndim, shape, device);
}

agn_status agn_from_host(agn_tensor **out, agn_dtype dtype, int32_t ndim, const int64_t *shape,
                         const void *data)
{
    if (!out)
        return agni_fail(AGN_ENULL, "from_host: out is NULL");
    agn_tensor *x = NULL;
    agn_status st = agni_dtype_check("from_host", dtype);
    if (!st)
        st = agni_tensor_make(&x, "from_host", dtype, ndim, shape, AGN_CPU);
    if (st)
        return st;
    if (x->size && !data) {
        agni_obj_release(&x->head);
        return agni_fail(AGN_ENULL, "from_host: data is NULL, shape has elements");
    }
    if (x->size)
        memcpy(x->data, data, x->st->bytes);
    if (dtype == AGN_BOOL) /* a host's truth may be any byte but 0; ours is 1 */
        for (int64_t i = 0; i < x->size; i++)
            ((unsigned char *)x->data)[i] = ((unsigned char *)x->data)[i] != 0;
    *out = x;
    return AGN_OK;
}

static void keep_nothing(void *user)
{
    (void)user;
}

/* from the lowest to behind the highest address that shape and strides reach, in elements
   around element [0, ..., 0]; false beyond any memory */
static bool reach(const agn_tensor *x, int64_t *low, int64_t *high)
{
    *low = 0;
    *high = x->size > 0;
    for (int i = 0; i < x->ndim && x->size; i++) {
        int64_t far;
        if (!agni_checked_mul(x->shape[i] - 1, x->stride[i], &far) ||
            !agni_checked_add(far < 0 ? *low : *high, far, far < 0 ? low : high))
            return false;
    }
    int64_t most = INT64_MAX / 2 / agni_dtypes[x->dtype].bytes;
    return *low >= -most && *high <= most;
}

agn_status agni_tensor_wrap(agn_tensor **out, const char *op, int dtype, int ndim,
                            const int64_t *shape, const int64_t *stride, const agni_memory *m)
{
    int64_t size, low, high, bytes = agni_dtypes[dtype].bytes;
    agn_status st = agni_shape_check(op, ndim, shape, &size);
    if (st)
        return st;
    if (size && !m->data)
        return agni_fail(AGN_ENULL, "%s: data is NULL, shape %s has elements", op,
                         agni_shape_text((char[96]){0}, 96, ndim, shape));
    if ((uintptr_t)m->data % (uintptr_t)agni_alignment(dtype))
        return agni_fail(AGN_EARG, "%s: address is not aligned to the %d bytes of %s", op,
                         agni_alignment(dtype), agni_dtypes[dtype].name);
    agn_tensor *x = agni_tensor_header(dtype, ndim, shape);
    if (!x)
        return agni_nomem(op, sizeof *x);
    if (stride && ndim)
        memcpy(x->stride, stride, (size_t)ndim * sizeof *stride);
    if (!reach(x, &low, &high)) {
        st = agni_fail(AGN_EARG, "%s: strides %s of shape %s reach beyond any memory", op,
                       agni_shape_text((char[96]){0}, 96, ndim, x->stride), AGNI_SHAPE(x));
    } else {
        x->st = storage_header(m->device, size ? (char *)m->data + low * bytes : m->data,
                               (size_t)((high - low) * bytes));
        st = x->st ? AGN_OK : agni_nomem(op, sizeof *x->st);
    }
    if (st) {
        agni_obj_release(&x->head);
        return st;
    }
    x->st->readonly = m->readonly;
    x->st->destroy = m->destroy ? m->destroy : keep_nothing;
    x->st->user = m->user;
    x->data = m->data;
    *out = x;
    return AGN_OK;
}

agn_status agn_wrap_host(agn_tensor **out, agn_dtype dtype, int32_t ndim, const int64_t *shape,
                         const int64_t *stride, void *data, bool readonly,
                         void (*destroy)(void *user), void *user)
{
    if (!out)
        return agni_fail(AGN_ENULL, "wrap_host: out is NULL");
    agn_status st = agni_dtype_check("wrap_host", dtype);
    agni_memory m = {AGN_CPU, data, readonly, destroy, user};
    return st ? st : agni_tensor_wrap(out, "wrap_host", dtype, ndim, shape, stride, &m);
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
    agn_status st = agn_contiguous(&c, alias);
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
        return agni_fail(AGN_EUNSUPPORTED, "to_device: %s is recorded (%s); move it before watching",
                         AGNI_SHAPE(x), x->node->op->name);
    agn_tensor *c = NULL, *y = NULL;
    agn_status st = agn_contiguous(&c, x);
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

agn_status agni_copy_to_device(agn_tensor **out, const agn_tensor *x, int32_t device)
{
    if (!x->st || x->st->device == device) {
        *out = agni_tensor_ref(x);
        return AGN_OK;
    }
    agn_tensor *y = agni_tensor_alias(x);
    if (!y)
        return agni_nomem("to_device", sizeof *y);
    agni_obj_release(&y->st->head);
    y->st = NULL;
    agn_status st = storage_new(&y->st, "to_device", device, x->st->bytes);
    if (!st && x->st->bytes)
        st = agni_device_copy(device, y->st->data, x->st->device, x->st->data, x->st->bytes);
    if (st) {
        agn_release(y);
        return st;
    }
    y->data = (char *)y->st->data + ((const char *)x->data - (const char *)x->st->data);
    y->anywhere = false;
    *out = y;
    return AGN_OK;
}

/* one element converted by the cast op to dtype */
static agn_status item(void *dst, const char *op, int dtype, const agn_tensor *x)
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
    agn_status st = agn_cast(&c, alias, dtype);
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
    return item(out, "item_f64", AGN_F64, x);
}

agn_status agn_item_i64(int64_t *out, const agn_tensor *x)
{
    if (!out)
        return agni_fail(AGN_ENULL, "item_i64: out is NULL");
    if (x && agni_kind(x->dtype) > AGNI_KIND_INT)
        return agni_fail(AGN_EDTYPE, "item_i64: x is %s, an integer dtype is needed",
                         agni_dtypes[x->dtype].name);
    return item(out, "item_i64", AGN_I64, x);
}
