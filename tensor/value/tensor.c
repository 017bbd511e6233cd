/* tensor/value/tensor.c - tensors: storage, headers, views, facts, memory of the host as a
   tensor. */
#include "tensor/value/foreign_memory.h"
#include "tensor/value/handle_checks.h"
#include "tensor/value/tensor.h"

#include "tensor/value/trace_guards.h"
#include <string.h>

/* ---- storage ---------------------------------------------------------------------- */

/* One block of host memory holds the storage header, then, where a tensor is made with its memory,
   the header of that tensor, which is freed with the storage, then the data, 64-aligned. */
static size_t data_offset(size_t header)
{
    return (sizeof(agni_storage) + header + 63) / 64 * 64;
}
static size_t header_bytes(int ndim)
{
    return sizeof(agn_tensor) + 2 * (size_t)ndim * sizeof(int64_t);
}

static void destroy_storage(agni_obj *o)
{
    agni_storage *st = (agni_storage *)o;
    if (st->destroy)
        st->destroy(st->user);
    else if (st->data && st->device != AGN_CPU)
        agni_device_free(st->device, st->data, st->bytes);
    agni_free(st);
}
static const agni_obj_type storage_type = {.name = "storage", .destroy = destroy_storage};

static agni_storage *init_storage(agni_storage *st, int32_t device, void *data, size_t bytes)
{
    if (!st)
        return NULL;
    memset(st, 0, sizeof *st);
    agni_ref_init(&st->head.ref);
    st->head.type = &storage_type;
    st->device = device;
    st->data = data;
    st->bytes = bytes;
    st->traced = agni_guards_current() != NULL;
    return st;
}

static agni_storage *new_storage_header(int32_t device, void *data, size_t bytes)
{
    return init_storage(agni_alloc(sizeof(agni_storage)), device, data, bytes);
}

/* host storage with room for a tensor's header of so many bytes in front of the data */
static agni_storage *new_host_storage(size_t header, size_t bytes)
{
    size_t front = data_offset(header);
    char *block = bytes < SIZE_MAX - front ? agni_alloc_aligned(front + bytes) : NULL;
    return block ? init_storage((agni_storage *)(void *)block, AGN_CPU, block + front, bytes)
                 : NULL;
}

static agn_status new_storage(agni_storage **out, const char *op, int32_t device,
                              size_t bytes)
{
    if (device == AGN_CPU) {
        *out = new_host_storage(0, bytes);
        return *out ? AGN_OK : agni_nomem(op, bytes);
    }
    void *data = NULL;
    agn_status st = agni_device_alloc(device, bytes, &data);
    if (st)
        return st == AGN_ENOMEM ? agni_fail(AGN_ENOMEM, "%s: %s has no memory for %zu bytes", op,
                                            agn_device_name(device), bytes)
                                : st;
    *out = new_storage_header(device, data, bytes);
    if (*out)
        return AGN_OK;
    agni_device_free(device, data, bytes);
    return agni_nomem(op, sizeof **out);
}

/* ---- headers ------------------------------------------------------------------------ */

static void destroy_tensor(agni_obj *o)
{
    agn_tensor *x = (agn_tensor *)o;
    agni_storage *st = x->st;
    if (x->node)
        agni_obj_release((agni_obj *)x->node);
    if (!x->in_storage_block)
        agni_free(x);
    if (st)
        agni_obj_release(&st->head);
}
static const agni_obj_type tensor_type = {.name = "tensor", .destroy = destroy_tensor};

static inline const agni_obj_type *header_type(void)
{
    return agni_checking ? &agni_checked_type : &tensor_type;
}

static inline agn_tensor *init_header(agn_tensor *x, const agni_obj_type *type, int dtype, int ndim,
                                      const int64_t *shape)
{
    memset(x, 0, sizeof *x);
    agni_ref_init(&x->head.ref);
    x->head.type = type;
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

static inline agn_tensor *alloc_header(int ndim)
{
    return agni_checking ? agni_checked_header(header_bytes(ndim)) : agni_alloc(header_bytes(ndim));
}

agn_tensor *agni_tensor_header(int dtype, int ndim, const int64_t *shape)
{
    agn_tensor *x = alloc_header(ndim);
    return x ? init_header(x, header_type(), dtype, ndim, shape) : NULL;
}

/* with memory of the host in a block of its own, for the header outlives it */
static AGNI_COLD agn_tensor *new_checked_tensor(int dtype, int ndim, const int64_t *shape,
                                                size_t bytes)
{
    agni_storage *st = new_host_storage(0, bytes);
    agn_tensor *x = st ? agni_tensor_header(dtype, ndim, shape) : NULL;
    if (!x) {
        if (st)
            agni_obj_release(&st->head);
        return NULL;
    }
    x->st = st;
    x->data = st->data;
    return x;
}

/* with memory of the host, all in one block */
static inline agn_tensor *new_host_tensor(int dtype, int ndim, const int64_t *shape, size_t bytes)
{
    if (agni_checking)
        return new_checked_tensor(dtype, ndim, shape, bytes);
    agni_storage *st = new_host_storage(header_bytes(ndim), bytes);
    if (!st)
        return NULL;
    agn_tensor *x = init_header((agn_tensor *)(st + 1), &tensor_type, dtype, ndim, shape);
    x->in_storage_block = true;
    x->st = st;
    x->data = st->data;
    return x;
}

agn_tensor *agni_tensor_like(int dtype, const agn_tensor *x)
{
    return new_host_tensor(dtype, x->ndim, x->shape,
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
    agn_tensor *x = device == AGN_CPU ? new_host_tensor(dtype, ndim, shape, bytes)
                                      : agni_tensor_header(dtype, ndim, shape);
    if (!x)
        return agni_nomem(op, device == AGN_CPU ? bytes : sizeof *x);
    if (!x->st) {
        st = new_storage(&x->st, op, device, bytes);
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
    agn_tensor *y = alloc_header(x->ndim);
    if (!y)
        return NULL;
    memset(&y->head, 0, sizeof y->head);
    agni_ref_init(&y->head.ref);
    y->head.type = header_type();
    y->dtype = x->dtype;
    y->ndim = x->ndim;
    y->layout = x->layout;
    y->weak = x->weak;
    y->truth = x->truth;
    y->uncommitted = x->uncommitted;
    y->stale = x->stale;
    y->in_storage_block = false;
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
    y->truth = x->truth;
    y->uncommitted = x->uncommitted;
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

static agn_status wait_mark(const agni_storage *st, uint64_t mark)
{
    const agn_backend *b = st->device == AGN_CPU ? NULL : agni_backend_of(st->device);
    return b && mark ? b->wait(agni_device_ordinal(st->device), mark) : AGN_OK;
}

agn_status agni_wait_written(const agn_tensor *x)
{
    return x->st ? wait_mark(x->st, atomic_load_explicit(&x->st->write_mark, memory_order_acquire))
                 : AGN_OK;
}

agn_status agni_wait_writable(const agn_tensor *x)
{
    agn_status st = agni_wait_written(x);
    return st || !x->st
               ? st
               : wait_mark(x->st, atomic_load_explicit(&x->st->read_mark, memory_order_acquire));
}

agn_status agni_require_dense(const agn_tensor *x, const char *op)
{
    if (x->layout == AGN_DENSE)
        return AGN_OK;
    return agni_fail(AGN_EUNSUPPORTED, "%s: %s %s is sparse, a dense tensor is needed", op,
                     agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
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
/* the dense tensor that holds the values of x */
static const agn_tensor *find_value_tensor(const agn_tensor *x)
{
    return x && x->layout != AGN_DENSE ? agni_values_of(x) : x;
}
bool agn_is_symbolic(const agn_tensor *x)
{
    return x && agni_is_symbolic(find_value_tensor(x));
}
bool agn_is_watched(const agn_tensor *x)
{
    return x && find_value_tensor(x)->node;
}
bool agn_is_contiguous(const agn_tensor *x)
{
    return x && x->layout == AGN_DENSE && agni_is_contiguous(x);
}
int32_t agn_device_of(const agn_tensor *x)
{
    return x ? agni_tensor_device(find_value_tensor(x)) : -1;
}

const void *agn_data(const agn_tensor *x)
{
    if (!x || !x->st || x->stale) {
        if (x && x->stale)
            agni_check_gone("data", x);
        return NULL;
    }
    if (agni_guards_current())
        agni_guard_value(x);
    const agn_backend *b = agni_backend_of(x->st->device);
    return b && b->host_visible && !agni_wait_written(x) ? x->data : NULL;
}

/* ---- from the host ------------------------------------------------------------- */

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
    if (dtype == AGN_BOOL) /* a bool of the host may be any byte but 0; here it is 1 */
        for (int64_t i = 0; i < x->size; i++)
            ((unsigned char *)x->data)[i] = ((unsigned char *)x->data)[i] != 0;
    *out = x;
    return AGN_OK;
}

static void release_nothing(void *user)
{
    (void)user;
}

/* from the lowest to behind the highest address that shape and strides reach, in elements
   around element [0, ..., 0], which lies at address at; false beyond any memory */
static bool address_range(const agn_tensor *x, uintptr_t at, int64_t *low, int64_t *high)
{
    *low = 0;
    *high = x->size > 0;
    for (int i = 0; i < x->ndim && x->size; i++) {
        int64_t far;
        if (!agni_checked_mul(x->shape[i] - 1, x->stride[i], &far) ||
            !agni_checked_add(far < 0 ? *low : *high, far, far < 0 ? low : high))
            return false;
    }
    int64_t bytes = agni_dtypes[x->dtype].bytes, most = INT64_MAX / 2 / bytes;
    return *low >= -most && *high <= most && (uintptr_t)(-*low * bytes) <= at &&
           (uintptr_t)(*high * bytes) <= UINTPTR_MAX - at;
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
    /* strides that are never walked may be anything, and nobody shall multiply them */
    for (int i = 0; stride && i < ndim; i++)
        x->stride[i] = size && shape[i] > 1 ? stride[i] : x->stride[i];
    if (!address_range(x, (uintptr_t)m->data, &low, &high)) {
        st = agni_fail(AGN_EARG, "%s: strides %s of shape %s reach beyond any memory", op,
                       agni_shape_text((char[96]){0}, 96, ndim, x->stride), AGNI_SHAPE(x));
    } else {
        x->st = new_storage_header(m->device, size ? (char *)m->data + low * bytes : m->data,
                               (size_t)((high - low) * bytes));
        st = x->st ? AGN_OK : agni_nomem(op, sizeof *x->st);
    }
    if (st) {
        agni_obj_release(&x->head);
        return st;
    }
    x->st->readonly = m->readonly;
    x->st->destroy = m->destroy ? m->destroy : release_nothing;
    x->st->user = m->user;
    x->data = m->data;
    *out = x;
    return AGN_OK;
}

/* The first byte above 1, in row-major order, NULL: there is none; at becomes its index. mend: they
   become 1, for a host's truth may be any byte but 0. */
static const uint8_t *first_no_bool(const agn_tensor *x, bool mend, int64_t at[])
{
    uint8_t *p = x->data;
    int inner = x->ndim - 1;
    bool last = x->size == 0;
    memset(at, 0, AGNI_MAX_RANK * sizeof *at);
    while (!last) {
        int64_t n = inner < 0 || !x->stride[inner] ? 1 : x->shape[inner];
        int64_t step = inner < 0 ? 0 : x->stride[inner];
        for (int64_t j = 0; j < n; j++)
            if (p[j * step] > 1) {
                if (!mend) {
                    if (inner >= 0)
                        at[inner] = j;
                    return p + j * step;
                }
                p[j * step] = 1;
            }
        last = true;
        for (int i = inner - 1; i >= 0 && last; i--) { /* the next row; a repeated one is skipped */
            last = !x->stride[i] || at[i] + 1 == x->shape[i];
            p += last ? -at[i] * x->stride[i] : x->stride[i];
            at[i] = last ? 0 : at[i] + 1;
        }
    }
    return NULL;
}

static agn_status check_bools(const char *op, const agn_tensor *x)
{
    int64_t at[AGNI_MAX_RANK];
    agn_tensor *host = NULL;
    agn_status st = agni_copy_to_device(&host, x, AGN_CPU);
    const uint8_t *p = st ? NULL : first_no_bool(host, host == x && !x->st->readonly, at);
    if (p)
        st = agni_fail(AGN_EARG, "%s: the byte at %s of bool %s is %d; a bool is 0 or 1", op,
                       agni_shape_text((char[96]){0}, 96, x->ndim, at), AGNI_SHAPE(x), *p);
    agn_release(host);
    return st;
}

agn_status agni_tensor_wrap_foreign(agn_tensor **out, const char *op, int dtype, int ndim,
                                    const int64_t *shape, const int64_t *stride,
                                    const agni_memory *m)
{
    agni_memory borrowed = *m;
    borrowed.destroy = NULL;
    agn_tensor *x = NULL;
    agn_status st = agni_tensor_wrap(&x, op, dtype, ndim, shape, stride, &borrowed);
    if (!st && dtype == AGN_BOOL)
        st = check_bools(op, x);
    if (st) {
        agn_release(x);
        return st;
    }
    x->st->destroy = m->destroy ? m->destroy : release_nothing;
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
    return st ? st : agni_tensor_wrap_foreign(out, "wrap_host", dtype, ndim, shape, stride, &m);
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
    agn_status st = new_storage(&y->st, "to_device", device, x->st->bytes);
    if (!st && x->st->bytes)
        st = agni_device_copy(device, y->st->data, x->st->device, x->st->data, x->st->bytes);
    if (st) {
        agn_release(y);
        return st;
    }
    y->data = (char *)y->st->data + ((const char *)x->data - (const char *)x->st->data);
    y->uncommitted = false;
    *out = y;
    return AGN_OK;
}
