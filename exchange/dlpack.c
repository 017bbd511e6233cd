/* exchange/dlpack.c - memory shared with other libraries by DLPack.

   An exported capsule holds one counted reference to the storage, which its deleter releases; an
   imported storage calls the other side's deleter at its end. Counts are atomic, so either side may
   release first, on any thread. */
#include "exchange/dlpack.h"
#include "core/device/backend_registry.h"
#include "exchange/file/file.h"
#include "tensor/value/foreign_memory.h"

#include <string.h>

/* ---- the words of the standard -------------------------------------------------------- */

static const struct {
    uint8_t code, bits;
} dtypes[AGN_NDTYPES] = {
    [AGN_BOOL] = {DLPACK_BOOL, 8},    [AGN_U8] = {DLPACK_UINT, 8},
    [AGN_I8] = {DLPACK_INT, 8},       [AGN_I16] = {DLPACK_INT, 16},
    [AGN_I32] = {DLPACK_INT, 32},     [AGN_I64] = {DLPACK_INT, 64},
    [AGN_F16] = {DLPACK_FLOAT, 16},   [AGN_BF16] = {DLPACK_BFLOAT, 16},
    [AGN_F32] = {DLPACK_FLOAT, 32},   [AGN_F64] = {DLPACK_FLOAT, 64},
    [AGN_C64] = {DLPACK_COMPLEX, 64}, [AGN_C128] = {DLPACK_COMPLEX, 128},
};

static agn_status from_dtype(const char *op, int *out, DLDataType t)
{
    for (int d = 0; d < AGN_NDTYPES; d++)
        if (dtypes[d].code == t.code && dtypes[d].bits == t.bits && t.lanes) {
            *out = d;
            return AGN_OK;
        }
    return agni_fail(
        AGN_EUNSUPPORTED,
        "%s: elements of code %d, %d bits, %d lanes; there are bool, u8, i8 to i64, "
        "f16, bf16, f32, f64, c64, c128",
        op, t.code, t.bits, t.lanes);
}

/* back ends that the standard has a name for; what another one exports, only we can import */
static const struct {
    const char *name;
    int32_t type;
} kinds[] = {{"cpu", DLPACK_CPU}, {"cuda", DLPACK_CUDA}};

static DLDevice to_device(int32_t device)
{
    const agn_backend *b = agni_backend_of(device);
    for (int k = 0; k < AGNI_COUNT(kinds); k++)
        if (b && !strcmp(kinds[k].name, b->name))
            return (DLDevice){kinds[k].type, agni_device_ordinal(device)};
    return (DLDevice){DLPACK_EXTENSION, device};
}

/* mine: the tensor that was exported, NULL for what others made; its device is known */
static agn_status from_device(const char *op, int32_t *out, DLDevice d, const agn_tensor *mine)
{
    char name[32];
    if (mine) {
        DLDevice was = to_device(mine->st->device);
        if (d.device_type != was.device_type || d.device_id != was.device_id)
            return agni_fail(AGN_EDEVICE,
                             "%s: device type %d number %d; it was exported from %s, type %d "
                             "number %d",
                             op, (int)d.device_type, (int)d.device_id,
                             agn_device_name(mine->st->device), (int)was.device_type,
                             (int)was.device_id);
        *out = mine->st->device;
        return AGN_OK;
    }
    if (d.device_type == DLPACK_CUDA_HOST || d.device_type == DLPACK_CPU) {
        *out = AGN_CPU;
        return AGN_OK;
    }
    for (int k = 1; k < AGNI_COUNT(kinds); k++)
        if (kinds[k].type == d.device_type) {
            agni_format(name, sizeof name, "%s:%d", kinds[k].name, (int)d.device_id);
            return agn_device_find(out, name);
        }
    return agni_fail(AGN_EUNSUPPORTED,
                     "%s: device type %d number %d; known are 1 (CPU), 2 (CUDA) "
                     "and 3 (pinned)",
                     op, (int)d.device_type, (int)d.device_id);
}

/* ---- export ----------------------------------------------------------------------------- */

/* both forms, what they point to, and what they keep alive */
typedef struct shared {
    union {
        DLManagedTensorVersioned versioned;
        DLManagedTensor legacy;
    } m;
    agn_tensor *x;
    int64_t axes[]; /* shape, then strides */
} shared;

static void release_shared(shared *s)
{
    agn_release(s->x);
    agni_free(s);
}
static void delete_versioned(DLManagedTensorVersioned *m)
{
    release_shared(m->manager_ctx);
}
static void delete_legacy(DLManagedTensor *m)
{
    release_shared(m->manager_ctx);
}

/* what to share: x without its node, or a copy of it; and whether it may be written */
static agn_status choose_exported(agn_tensor **out, const char *op, const agn_tensor *x,
                                  int32_t share)
{
    if (share < AGN_SHARE_READ || share > AGN_SHARE_COPY)
        return agni_fail(AGN_EARG, "%s: %d is no way of sharing; there are 3", op,
                         (int)share);
    agn_status st = agni_require_dense(x, op);
    if (!st && (agni_is_symbolic(x) || x->stale))
        st = agni_require_host(x, op);
    if (!st && share == AGN_SHARE_WRITE && (x->node || x->st->readonly))
        st = agni_fail(AGN_EARG, "%s: %s %s is %s, others may not write it", op,
                       agni_dtypes[x->dtype].name, AGNI_SHAPE(x),
                       x->node ? "recorded" : "read-only");
    agn_tensor *alias = st ? NULL : agni_tensor_alias(x);
    if (st)
        return st;
    if (!alias)
        return agni_nomem(op, sizeof *alias);
    if (share != AGN_SHARE_COPY) {
        *out = alias;
        return AGN_OK;
    }
    st = agn_copy(out, alias);
    agn_release(alias);
    return st;
}

static agn_status share_new(shared **out, const char *op, const agn_tensor *x,
                            int32_t share)
{
    agn_tensor *y = NULL;
    agn_status st = choose_exported(&y, op, x, share);
    if (!st)
        st = share == AGN_SHARE_WRITE ? agni_wait_writable(y) : agni_wait_written(y);
    shared *s = st ? NULL
                   : agni_zalloc(sizeof *s + 2 * (size_t)y->ndim * sizeof *s->axes);
    if (!s) {
        agn_release(y);
        return st ? st : agni_nomem(op, sizeof *s);
    }
    s->x = y;
    if (y->ndim) {
        memcpy(s->axes, y->shape, (size_t)y->ndim * sizeof *s->axes);
        memcpy(s->axes + y->ndim, y->stride, (size_t)y->ndim * sizeof *s->axes);
    }
    if (share == AGN_SHARE_WRITE) /* what was saved of it before is stale now */
        atomic_fetch_add_explicit(&y->st->version, 1, memory_order_acq_rel);
    *out = s;
    return AGN_OK;
}

static DLTensor describe_tensor(shared *s)
{
    const agn_tensor *x = s->x;
    return (DLTensor){x->size ? x->data : NULL,
                      to_device(x->st->device),
                      x->ndim,
                      {dtypes[x->dtype].code, dtypes[x->dtype].bits, 1},
                      s->axes,
                      s->axes + x->ndim,
                      0};
}

agn_status agn_dlpack_export(DLManagedTensorVersioned **out, const agn_tensor *x,
                             int32_t share)
{
    shared *s = NULL;
    if (!out || !x)
        return agni_fail(AGN_ENULL, "dlpack_export: %s is NULL", out ? "x" : "out");
    agn_status st = share_new(&s, "dlpack_export", x, share);
    if (st)
        return st;
    uint64_t flags = share == AGN_SHARE_READ   ? DLPACK_READ_ONLY
                     : share == AGN_SHARE_COPY ? DLPACK_IS_COPIED
                                               : 0;
    s->m.versioned = (DLManagedTensorVersioned){
        {DLPACK_MAJOR, DLPACK_MINOR}, s, delete_versioned, flags, describe_tensor(s)};
    *out = &s->m.versioned;
    return AGN_OK;
}

agn_status agn_dlpack_export_legacy(DLManagedTensor **out, const agn_tensor *x,
                                    int32_t share)
{
    shared *s = NULL;
    if (!out || !x)
        return agni_fail(AGN_ENULL, "dlpack_export_legacy: %s is NULL",
                         out ? "x" : "out");
    if (share == AGN_SHARE_READ)
        return agni_fail(
            AGN_EUNSUPPORTED,
            "dlpack_export_legacy: memory of %s %s is not to be written, and this "
            "structure cannot say so",
            agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    agn_status st = share_new(&s, "dlpack_export_legacy", x, share);
    if (st)
        return st;
    s->m.legacy = (DLManagedTensor){describe_tensor(s), s, delete_legacy};
    *out = &s->m.legacy;
    return AGN_OK;
}

/* ---- import ----------------------------------------------------------------------------- */

static void free_versioned(void *user)
{
    DLManagedTensorVersioned *m = user;
    if (m->deleter) /* NULL: nothing is to be freed */
        m->deleter(m);
}
static void free_legacy(void *user)
{
    DLManagedTensor *m = user;
    if (m->deleter)
        m->deleter(m);
}

/* lanes of an element become a last axis: strides then count lanes */
static agn_status unfold_lanes(const char *op, agni_meta *m, int64_t *stride,
                               const DLTensor *t)
{
    int64_t lanes = t->dtype.lanes, step = 1;
    if (t->ndim < 0 || t->ndim > AGNI_MAX_RANK - (lanes > 1))
        return agni_fail(AGN_ESHAPE, "%s: rank %d is not in 0 to %d", op, (int)t->ndim,
                         AGNI_MAX_RANK - (lanes > 1));
    if (t->ndim && !t->shape)
        return agni_fail(AGN_ENULL, "%s: shape is NULL, rank is %d", op, (int)t->ndim);
    m->ndim = t->ndim;
    for (int i = 0; i < t->ndim; i++)
        m->shape[i] = t->shape[i];
    if (lanes > 1)
        m->shape[m->ndim++] = lanes;
    int64_t size;
    agn_status st = agni_shape_check(op, m->ndim, m->shape, &size);
    for (int i = m->ndim - 1; i >= 0 && !st; i--) {
        stride[i] = step; /* row-major; the product was checked */
        step *= m->shape[i] ? m->shape[i] : 1;
        if (t->strides && i < t->ndim && !agni_checked_mul(t->strides[i], lanes, &stride[i]))
            st = agni_fail(AGN_EARG, "%s: stride %lld of axis %d is beyond any memory",
                           op, (long long)t->strides[i], i);
    }
    return st;
}

static agn_status import_tensor(agn_tensor **out, const char *op, const DLTensor *t,
                                agni_memory *memory, const shared *ours)
{
    agni_meta m;
    int dtype = 0;
    int64_t stride[AGNI_MAX_RANK];
    uintptr_t at = (uintptr_t)t->data;
    agn_status st = from_dtype(op, &dtype, t->dtype);
    if (!st)
        st = from_device(op, &memory->device, t->device, ours ? ours->x : NULL);
    if (!st)
        st = unfold_lanes(op, &m, stride, t);
    if (!st && t->data && t->byte_offset > UINTPTR_MAX - at)
        st = agni_fail(AGN_EARG, "%s: byte offset %llu is beyond any memory", op,
                       (unsigned long long)t->byte_offset);
    if (st)
        return st;
    memory->data = t->data ? (void *)(at + t->byte_offset) : NULL;
    return agni_tensor_wrap_foreign(out, op, dtype, m.ndim, m.shape, stride, memory);
}

agn_status agn_dlpack_import(agn_tensor **out, DLManagedTensorVersioned *m)
{
    if (!out || !m)
        return agni_fail(AGN_ENULL, "dlpack_import: %s is NULL", out ? "m" : "out");
    if (m->version.major !=
        DLPACK_MAJOR) /* nothing behind the deleter may be looked at */
        return agni_fail(
            AGN_EUNSUPPORTED, "dlpack_import: version is %u.%u, known is %d.x",
            (unsigned)m->version.major, (unsigned)m->version.minor, DLPACK_MAJOR);
    agni_memory memory = {AGN_CPU, NULL, (m->flags & DLPACK_READ_ONLY) != 0,
                          free_versioned, m};
    return import_tensor(out, "dlpack_import", &m->dl_tensor, &memory,
                  m->deleter == delete_versioned ? m->manager_ctx : NULL);
}

agn_status agn_dlpack_import_legacy(agn_tensor **out, DLManagedTensor *m)
{
    if (!out || !m)
        return agni_fail(AGN_ENULL, "dlpack_import_legacy: %s is NULL",
                         out ? "m" : "out");
    agni_memory memory = {AGN_CPU, NULL, false, free_legacy, m};
    return import_tensor(out, "dlpack_import_legacy", &m->dl_tensor, &memory,
                  m->deleter == delete_legacy ? m->manager_ctx : NULL);
}
