/* DLPack: a consumer and a producer in C, written from the specification's structures; who frees
   what, when, and on which thread. */
#include "exchange/dlpack.h"
#include "tensor/dispatch/op.h"
#include "tests/fake-backend.h"
#include "tests/files.h"
#include "tests/values.h"
#include <pthread.h>

/* ---- a consumer ------------------------------------------------------------------------- */

/* element (i, j) as anyone reads it who knows the specification only */
static const char *element(const DLTensor *t, int64_t i, int64_t j, size_t bytes)
{
    int64_t at = t->strides ? i * t->strides[0] + j * t->strides[1]
                            : i * t->shape[1] + j;
    return (const char *)t->data + t->byte_offset + at * (int64_t)bytes;
}

static void test_export(void)
{
    static const struct {
        int dtype, code, bits;
    } rows[] = {
        {AGN_BOOL, 6, 8}, {AGN_U8, 1, 8},   {AGN_I8, 0, 8},   {AGN_I16, 0, 16},
        {AGN_I32, 0, 32}, {AGN_I64, 0, 64}, {AGN_F16, 2, 16}, {AGN_BF16, 4, 16},
        {AGN_F32, 2, 32}, {AGN_F64, 2, 64}, {AGN_C64, 5, 64}, {AGN_C128, 5, 128},
    };
    for (int k = 0; k < AGNI_COUNT(rows); k++) {
        agn_tensor *x = values(rows[k].dtype, 2, (int64_t[]){3, 4}), *t = NULL;
        DLManagedTensorVersioned *m = NULL;
        must_hold(agn_permute(&t, x, (int32_t[]){1, 0}, 2));
        agn_release(x);
        must_hold(agn_dlpack_export(&m, t, AGN_SHARE_READ));
        const DLTensor *d = &m->dl_tensor;
        size_t bytes = agn_dtype_size(rows[k].dtype);
        ok(m->version.major == 1 && m->flags == DLPACK_READ_ONLY,
           "version 1, read-only");
        ok(d->device.device_type == DLPACK_CPU && d->device.device_id == 0,
           "on the CPU");
        ok(d->dtype.code == rows[k].code && d->dtype.bits == rows[k].bits &&
               d->dtype.lanes == 1,
           "%s is code %d of %d bits", agn_dtype_name(rows[k].dtype), rows[k].code,
           rows[k].bits);
        ok(d->ndim == 2 && d->shape[0] == 4 && d->shape[1] == 3, "its shape");
        const char *same_memory = agn_data(t);
        bool right = element(d, 0, 0, bytes) == same_memory;
        agn_tensor *rowmajor = NULL;
        must_hold(agn_contiguous(&rowmajor, t));
        for (int64_t i = 0; i < 12; i++)
            right = right &&
                    !memcmp(element(d, i / 3, i % 3, bytes),
                            (const char *)agn_data(rowmajor) + (size_t)i * bytes,
                            bytes);
        ok(right, "its elements, by its strides, in the same memory");
        agn_release(t);
        ok(!memcmp(element(d, 1, 0, bytes),
                   (const char *)agn_data(rowmajor) + 3 * bytes, bytes),
           "still there when the tensor is gone");
        agn_release(rowmajor);
        m->deleter(m);
    }
}

static void test_shares(void)
{
    agn_tensor *x = values(AGN_F64, 2, (int64_t[]){3, 4}), *t = NULL, *w = NULL,
               *e = NULL;
    DLManagedTensorVersioned *m = NULL;
    DLManagedTensor *l = NULL;
    must_hold(agn_permute(&t, x, (int32_t[]){1, 0}, 2));
    must_hold(agn_dlpack_export(&m, t, AGN_SHARE_COPY));
    ok(m->flags == DLPACK_IS_COPIED && m->dl_tensor.data != agn_data(t) &&
           m->dl_tensor.strides[0] == 3,
       "a copy, and it says so");
    m->deleter(m);
    must_hold(agn_dlpack_export(&m, t, AGN_SHARE_WRITE));
    is_int((int64_t)m->flags, 0, "to be written");
    ((double *)m->dl_tensor.data)[0] = 1897;
    ok(*(const double *)agn_data(x) == 1897, "one memory");
    m->deleter(m);
    must_hold(agn_dlpack_export_legacy(&l, x, AGN_SHARE_WRITE));
    ok(l->dl_tensor.data == agn_data(x) && l->dl_tensor.ndim == 2, "before version 1");
    l->deleter(l);
    must_hold(agn_dlpack_export_legacy(&l, x, AGN_SHARE_COPY));
    ok(l->dl_tensor.data != agn_data(x), "a copy");
    l->deleter(l);
    must_hold(agn_empty(&e, AGN_F32, 2, (int64_t[]){0, 3}, AGN_CPU));
    must_hold(agn_dlpack_export(&m, e, AGN_SHARE_READ));
    ok(!m->dl_tensor.data && m->dl_tensor.shape[1] == 3, "an empty one has no address");
    agn_tensor *back = NULL;
    must_hold(agn_dlpack_import(&back, m));
    is_int(agn_numel(back), 0, "and comes back");
    agn_release(back);
    /* a derivative that needs what others may write is refused */
    agn_tensor *y = NULL, *g = NULL, *v = NULL;
    must_hold(agn_full(&v, AGN_F64, 0, NULL, 3));
    must_hold(agn_watch(&w, v));
    must_hold(agn_square(&y, w));
    must_hold(agn_dlpack_export(&m, v, AGN_SHARE_WRITE));
    is_int(agn_gradient(&g, (const agn_tensor *const *)&y, 1,
                        (const agn_tensor *const *)&w, 1, NULL),
           AGN_ESTALE, "what was saved is stale when others may write it");
    m->deleter(m);
    fails(agn_dlpack_export(&m, y, AGN_SHARE_WRITE), AGN_EARG,
          "dlpack_export: f64 [] is recorded, others may not write it");
    must_hold(agn_dlpack_export(&m, y, AGN_SHARE_READ));
    ok(*(double *)m->dl_tensor.data == 9, "a recorded value may be read");
    m->deleter(m);
    agn_tensor *all[] = {x, t, w, e, y, v};
    for (int k = 0; k < AGNI_COUNT(all); k++)
        agn_release(all[k]);
}

static void test_export_errors(void)
{
    agn_tensor *x = values(AGN_F64, 2, (int64_t[]){2, 2}), *s = NULL, *r = NULL,
               *sym = NULL;
    static const double one[1] = {1};
    DLManagedTensorVersioned *m = NULL;
    DLManagedTensor *l = NULL;
    fails(agn_dlpack_export(NULL, x, 0), AGN_ENULL, "dlpack_export: out is NULL");
    fails(agn_dlpack_export(&m, NULL, 0), AGN_ENULL, "dlpack_export: x is NULL");
    fails(agn_dlpack_export_legacy(NULL, x, 1), AGN_ENULL,
          "dlpack_export_legacy: out is NULL");
    fails(agn_dlpack_export_legacy(&l, NULL, 1), AGN_ENULL,
          "dlpack_export_legacy: x is NULL");
    fails(agn_dlpack_export(&m, x, 3), AGN_EARG, "3 is no way of sharing; there are 3");
    fails(agn_dlpack_export_legacy(&l, x, -1), AGN_EARG, "-1 is no way of sharing");
    fails(agn_dlpack_export_legacy(&l, x, AGN_SHARE_READ), AGN_EUNSUPPORTED,
          "cannot say so");
    must_hold(agn_sparse_from_dense(&s, x));
    fails(agn_dlpack_export(&m, s, 0), AGN_EUNSUPPORTED,
          "dlpack_export: f64 [2,2] is sparse");
    must_hold(agn_wrap_host(&r, AGN_F64, 0, NULL, NULL, (void *)(uintptr_t)one, true,
                            NULL, NULL));
    fails(agn_dlpack_export(&m, r, AGN_SHARE_WRITE), AGN_EARG,
          "is read-only, others may not write it");
    must_hold(agni_make_symbol(&sym, AGN_F64, 0, NULL, false));
    fails(agn_dlpack_export(&m, sym, 0), AGN_ESYMBOLIC,
          "dlpack_export: no value while tracing");
    agn_tensor *stale = agni_tensor_alias(x);
    stale->stale = true; /* as a rule would see it whose argument was written */
    fails(agn_dlpack_export(&m, stale, 0), AGN_ESTALE,
          "was written after it was saved");
    agn_release(stale);
    ok(!m && !l, "nothing is written");
    for (int64_t n = 0;; n++) {
        int64_t before, after;
        agn_memory_live(&before, NULL, NULL);
        agn_memory_fail_after(n);
        agn_status st = agn_dlpack_export(&m, x, AGN_SHARE_COPY);
        agn_memory_fail_after(-1);
        agn_memory_live(&after, NULL, NULL);
        if (!st) {
            ok(n > 1, "each of %d allocations refused", (int)n);
            break;
        }
        if (st != AGN_ENOMEM || after != before)
            ok(false, "without allocation %d", (int)n);
    }
    m->deleter(m);
    agn_tensor *all[] = {x, s, r, sym};
    for (int k = 0; k < AGNI_COUNT(all); k++)
        agn_release(all[k]);
}

/* ---- a producer --------------------------------------------------------------------------- */

typedef struct producer {
    DLManagedTensorVersioned m;
    DLManagedTensor legacy;
    int64_t shape[4], strides[4];
    double data[32];
    int deleted;
} producer;

static void producer_delete(DLManagedTensorVersioned *m)
{
    ((producer *)m->manager_ctx)->deleted++;
}
static void producer_delete_legacy(DLManagedTensor *m)
{
    ((producer *)m->manager_ctx)->deleted++;
}

/* 2 x 3 doubles from data[2] on, every fourth: {2, 4, 6}, {14, 16, 18} */
static producer produce(void)
{
    return (producer){
        .m = {{1, 1},
              NULL,
              producer_delete,
              0,
              {.ndim = 2, .dtype = {2, 64, 1}, .device = {1, 0}}},
        .shape = {2, 3},
        .strides = {12, 2},
    };
}
static void connect(producer *p)
{
    for (int i = 0; i < 32; i++)
        p->data[i] = i;
    p->m.manager_ctx = p;
    p->m.dl_tensor.data = p->data;
    p->m.dl_tensor.byte_offset = 16;
    p->m.dl_tensor.shape = p->shape;
    p->m.dl_tensor.strides = p->strides;
    p->legacy = (DLManagedTensor){p->m.dl_tensor, p, producer_delete_legacy};
}

static void test_import(void)
{
    producer p = produce();
    agn_tensor *x = NULL, *y = NULL;
    void *q = NULL;
    connect(&p);
    must_hold(agn_dlpack_import(&x, &p.m));
    ok(agn_dtype_of(x) == AGN_F64 && agn_ndim(x) == 2 && agn_shape(x)[1] == 3 &&
           agn_strides(x)[0] == 12 && agn_data(x) == p.data + 2,
       "the same memory, behind its offset");
    double v[6];
    must_hold(agn_to_host(v, x, sizeof v));
    ok(!memcmp(v, (double[]){2, 4, 6, 14, 16, 18}, sizeof v),
       "its elements by its strides");
    must_hold(agn_data_mut(&q, x));
    must_hold(agn_slice(&y, x, 1, (int64_t[]){0}, (int64_t[]){1}, NULL));
    agn_release(x);
    is_int(p.deleted, 0, "a view keeps it");
    agn_release(y);
    is_int(p.deleted, 1, "deleted once, with the last view");
    p.m.flags = DLPACK_READ_ONLY | DLPACK_IS_COPIED;
    p.m.dl_tensor.strides = NULL;
    must_hold(agn_dlpack_import(&x, &p.m));
    ok(agn_is_contiguous(x), "no strides: row-major");
    fails(agn_data_mut(&q, x), AGN_EARG, "read-only");
    agn_release(x);
    is_int(p.deleted, 2, "deleted");
    /* one without strides that holds nothing to free */
    p.legacy.deleter = NULL;
    must_hold(agn_dlpack_import_legacy(&x, &p.legacy));
    must_hold(agn_data_mut(&q, x));
    agn_release(x);
    p.legacy.deleter = producer_delete_legacy;
    must_hold(agn_dlpack_import_legacy(&x, &p.legacy));
    agn_release(x);
    is_int(p.deleted, 3, "deleted, the structure before version 1");
    /* three f32 in one element */
    float f[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    p.m.dl_tensor = (DLTensor){
        f, {DLPACK_CUDA_HOST, 0}, 1, {2, 32, 3}, p.shape, p.strides, 0};
    p.strides[0] = 2;
    must_hold(agn_dlpack_import(&x, &p.m));
    float g[6];
    must_hold(agn_to_host(g, x, sizeof g));
    ok(agn_ndim(x) == 2 && agn_shape(x)[1] == 3 &&
           !memcmp(g, (float[]){0, 1, 2, 6, 7, 8}, sizeof g),
       "lanes become the last axis; pinned memory is the host's");
    agn_release(x);
}

static void refuse(producer *p, agn_status want, const char *says)
{
    agn_tensor *x = NULL;
    fails(agn_dlpack_import(&x, &p->m), want, says);
    p->legacy.dl_tensor = p->m.dl_tensor;
    ok(!x && !p->deleted, "nothing is written, and m stays the caller's");
}
#define REFUSE(change, want, says) \
    do {                           \
        producer p = produce();    \
        connect(&p);               \
        change;                    \
        refuse(&p, want, says);    \
    } while (0)

static void test_import_errors(void)
{
    agn_tensor *x = NULL;
    producer good = produce();
    connect(&good);
    fails(agn_dlpack_import(NULL, &good.m), AGN_ENULL, "dlpack_import: out is NULL");
    fails(agn_dlpack_import(&x, NULL), AGN_ENULL, "dlpack_import: m is NULL");
    fails(agn_dlpack_import_legacy(NULL, &good.legacy), AGN_ENULL,
          "dlpack_import_legacy: out is NULL");
    fails(agn_dlpack_import_legacy(&x, NULL), AGN_ENULL,
          "dlpack_import_legacy: m is NULL");
    REFUSE(p.m.version.major = 2, AGN_EUNSUPPORTED, "version is 2.1, known is 1.x");
    REFUSE(p.m.version.major = 0, AGN_EUNSUPPORTED, "version is 0.1");
    REFUSE(p.m.dl_tensor.dtype.code = 1, AGN_EUNSUPPORTED,
           "elements of code 1, 64 bits, 1 lanes");
    REFUSE(p.m.dl_tensor.dtype.bits = 4, AGN_EUNSUPPORTED,
           "elements of code 2, 4 bits");
    REFUSE(p.m.dl_tensor.dtype.lanes = 0, AGN_EUNSUPPORTED, "0 lanes");
    REFUSE(p.m.dl_tensor.device.device_type = 4, AGN_EUNSUPPORTED,
           "device type 4 number 0; known are");
    REFUSE(p.m.dl_tensor.device.device_type = DLPACK_EXTENSION, AGN_EUNSUPPORTED,
           "device type 12");
    REFUSE((p.m.dl_tensor.device = (DLDevice){DLPACK_CUDA, 77}), AGN_EDEVICE, "cuda");
    REFUSE(p.m.dl_tensor.ndim = -1, AGN_ESHAPE, "rank -1 is not in 0 to 32");
    REFUSE(p.m.dl_tensor.ndim = 33, AGN_ESHAPE, "rank 33 is not in 0 to 32");
    REFUSE(p.m.dl_tensor.shape = NULL, AGN_ENULL, "shape is NULL, rank is 2");
    REFUSE(p.shape[0] = -2, AGN_ESHAPE, "size -2 of axis 0 is negative");
    REFUSE(p.m.dl_tensor.data = NULL, AGN_ENULL,
           "data is NULL, shape [2,3] has elements");
    REFUSE(p.m.dl_tensor.byte_offset = 4, AGN_EARG,
           "not aligned to the 8 bytes of f64");
    REFUSE(p.strides[0] = INT64_MAX, AGN_EARG,
           "strides [9223372036854775807,2] of shape [2,3] reach");
    REFUSE((p.strides[0] = INT64_MAX / 2, p.m.dl_tensor.dtype = (DLDataType){2, 32, 4}),
           AGN_EARG, "of axis 0 is beyond any memory");
    REFUSE((p.m.dl_tensor.ndim = INT32_MAX, p.m.dl_tensor.dtype.lanes = 2), AGN_ESHAPE,
           "rank 2147483647 is not in 0 to 31");
    REFUSE((p.m.dl_tensor.ndim = 32, p.m.dl_tensor.dtype = (DLDataType){2, 32, 2}), AGN_ESHAPE,
           "rank 32 is not in 0 to 31");
    REFUSE(p.m.dl_tensor.ndim = INT32_MIN, AGN_ESHAPE, "rank -2147483648 is not in 0 to 32");
    REFUSE(p.m.dl_tensor.byte_offset = UINT64_MAX - 7, AGN_EARG,
           "byte offset 18446744073709551608 is beyond any memory");
    REFUSE(p.strides[0] = INT64_MIN / 16, AGN_EARG, "reach beyond any memory");
    REFUSE(p.strides[0] = INT64_MAX / 16, AGN_EARG, "reach beyond any memory");
    for (int64_t n = 0;; n++) {
        int64_t before, after;
        agn_memory_live(&before, NULL, NULL);
        agn_memory_fail_after(n);
        agn_status st = agn_dlpack_import(&x, &good.m);
        agn_memory_fail_after(-1);
        agn_memory_live(&after, NULL, NULL);
        if (!st) {
            ok(n > 1, "each of %d allocations refused", (int)n);
            break;
        }
        if (st != AGN_ENOMEM || after != before || good.deleted)
            ok(false, "without allocation %d", (int)n);
    }
    agn_release(x);
    is_int(good.deleted, 1, "deleted");
}

/* a structure of ours says where its memory is, whatever was written over its device */
static void test_altered_device(void)
{
    static const DLDevice wrong[] = {{DLPACK_EXTENSION, 0},       {DLPACK_EXTENSION, 1 << 16},
                                     {DLPACK_EXTENSION, -1},      {DLPACK_EXTENSION, INT32_MAX},
                                     {DLPACK_EXTENSION, 7 << 8},  {DLPACK_CUDA, 0},
                                     {DLPACK_CPU, 1},             {4, 0},
                                     {DLPACK_EXTENSION, INT32_MIN}};
    agn_tensor *x = values(AGN_F64, 1, (int64_t[]){4}), *y = NULL;
    for (int k = 0; k < AGNI_COUNT(wrong); k++) {
        DLManagedTensorVersioned *m = NULL;
        DLManagedTensor *l = NULL;
        must_hold(agn_dlpack_export(&m, x, AGN_SHARE_READ));
        must_hold(agn_dlpack_export_legacy(&l, x, AGN_SHARE_WRITE));
        m->dl_tensor.device = l->dl_tensor.device = wrong[k];
        fails(agn_dlpack_import(&y, m), AGN_EDEVICE, "it was exported from cpu");
        fails(agn_dlpack_import_legacy(&y, l), AGN_EDEVICE, "it was exported from cpu");
        ok(!y, "nothing is written");
        m->deleter(m);
        l->deleter(l);
    }
    agn_release(x);
}

/* bytes of bools are looked at where they come in, by any strides */
static void test_bool_bytes(void)
{
    uint8_t b[24] = {[4] = 1, [8] = 1};
    int64_t shape[] = {2, 3}, strides[] = {12, 4};
    agn_tensor *x = NULL;
    DLManagedTensorVersioned m = {{1, 0}, NULL, NULL, DLPACK_READ_ONLY, {b, {1, 0}, 2, {6, 8, 1}, shape, strides, 0}};
    DLManagedTensor l = {m.dl_tensor, NULL, NULL};
    for (int i = 0; i < 24; i++)
        if (i % 4)
            b[i] = 200; /* between the elements lies what is none of ours */
    must_hold(agn_dlpack_import(&x, &m));
    agn_release(x);
    must_hold(agn_wrap_host(&x, AGN_BOOL, 2, shape, strides, b, true, NULL, NULL));
    agn_release(x);
    must_hold(agn_wrap_host(&x, AGN_BOOL, 2, (int64_t[]){3, INT64_C(1) << 40}, (int64_t[]){4, 0}, b,
                            true, NULL, NULL));
    agn_release(x);
    must_hold(agn_wrap_host(&x, AGN_BOOL, 2, (int64_t[]){0, 3}, NULL, NULL, true, NULL, NULL));
    agn_release(x);
    x = NULL;
    static const int at[] = {0, 4, 8, 12, 16, 20};
    for (int k = 0; k < 6; k++) {
        char says[64];
        b[at[k]] = (uint8_t)(k ? 2 : 255);
        agni_format(says, sizeof says, "the byte at [%d,%d] of bool [2,3] is %d; a bool is 0 or 1",
                    k / 3, k % 3, b[at[k]]);
        fails(agn_dlpack_import(&x, &m), AGN_EARG, says);
        fails(agn_wrap_host(&x, AGN_BOOL, 2, shape, strides, b, true, NULL, NULL), AGN_EARG, says);
        if (k % 2)
            must_hold(agn_dlpack_import_legacy(&x, &l));
        else
            must_hold(agn_wrap_host(&x, AGN_BOOL, 2, shape, strides, b, false, NULL, NULL));
        agn_release(x);
        x = NULL;
        bool right = true;
        for (int i = 0; i < 24; i++)
            right = right && b[i] == (i % 4 ? 200 : i == at[k] || i == 4 || i == 8);
        ok(right, "what may be written becomes 1, and what lies between stays");
        b[at[k]] = at[k] == 4 || at[k] == 8;
    }
    b[20] = 7;
    fails(agn_wrap_host(&x, AGN_BOOL, 0, NULL, NULL, b + 20, true, NULL, NULL), AGN_EARG,
          "the byte at [] of bool [] is 7");
    fails(agn_wrap_host(&x, AGN_BOOL, 1, (int64_t[]){3}, (int64_t[]){-8}, b + 20, true, NULL, NULL),
          AGN_EARG, "the byte at [0] of bool [3] is 7");
    ok(!x, "nothing is written");
}

/* agn_wrap_host goes the same way */
static void test_wrap_errors(void)
{
    double v[2] = {1, 2};
    agn_tensor *x = NULL;
    fails(
        agn_wrap_host(&x, AGN_F64, 1, (int64_t[]){3}, (int64_t[]){INT64_MAX / 2}, v,
                      true, NULL, NULL),
        AGN_EARG,
        "wrap_host: strides [4611686018427387903] of shape [3] reach beyond any memory");
    fails(agn_wrap_host(&x, AGN_F64, 1, (int64_t[]){2}, (int64_t[]){INT64_MIN}, v, true,
                        NULL, NULL),
          AGN_EARG, "reach beyond any memory");
    ok(!x, "nothing is written");
    /* one that is not walked may be anything */
    must_hold(agn_wrap_host(&x, AGN_F64, 2, (int64_t[]){1, 2},
                            (int64_t[]){INT64_MAX, -1}, v + 1, true, NULL, NULL));
    double w[2];
    must_hold(agn_to_host(w, x, sizeof w));
    ok(w[0] == 2 && w[1] == 1, "the stride of an axis of one element does not matter");
    agn_release(x);
}

/* ---- R1: many times, in each order --------------------------------------------------------- */

static void test_loop(void)
{
    int64_t before, after, n = tap_scale(100000);
    agn_tensor *x = values(AGN_F64, 2, (int64_t[]){3, 4});
    int wrong = 0;
    agn_memory_live(&before, NULL, NULL);
    for (int64_t k = 0; k < n; k++) {
        DLManagedTensorVersioned *m = NULL, *m2 = NULL;
        agn_tensor *mine = NULL, *y = NULL, *z = NULL;
        must_hold(agn_copy(&mine, x));
        must_hold(
            agn_dlpack_export(&m, mine, k % 2 ? AGN_SHARE_READ : AGN_SHARE_WRITE));
        if (k % 4 < 2) {
            agn_release(mine); /* ours first */
            mine = NULL;
        }
        must_hold(agn_dlpack_import(&y, m));
        must_hold(agn_dlpack_export(&m2, y, AGN_SHARE_READ));
        if (k % 8 < 4) {
            agn_release(y); /* the importer before its own consumer */
            y = NULL;
        }
        wrong += ((const double *)m2->dl_tensor.data)[11] != value_of(AGN_F64, 11);
        must_hold(agn_dlpack_import(&z, m2));
        agn_release(y);
        agn_release(z);
        agn_release(mine);
    }
    agn_memory_live(&after, NULL, NULL);
    ok(!wrong, "R1 %d exports and imports, both sides let go in each order", (int)n);
    is_int(after, before, "R1 memory is flat");
    agn_release(x);
}

/* one memory, exported, and both sides let go on threads of their own */
static void *let_go(void *user)
{
    for (int i = 0; i < 1000; i++) {
        DLManagedTensorVersioned *m = NULL;
        agn_tensor *y = NULL;
        if (agn_dlpack_export(&m, user, AGN_SHARE_READ) || agn_dlpack_import(&y, m))
            return user;
        agn_release(y);
    }
    return NULL;
}

static void test_threads(void)
{
    agn_tensor *x = values(AGN_F64, 1, (int64_t[]){4});
    pthread_t t[4];
    int bad = 0;
    for (int i = 0; i < 4; i++)
        bad += pthread_create(&t[i], NULL, let_go, x) != 0;
    for (int i = 0; i < 4; i++) {
        void *r;
        pthread_join(t[i], &r);
        bad += r != NULL;
    }
    is_int(bad, 0, "four threads share one memory");
    ok(has_values(x, AGN_F64, 1, (int64_t[]){4}), "it is as it was");
    agn_release(x);
}

/* ---- another back end ------------------------------------------------------------------------ */

static void test_device(void)
{
    int32_t device = 0;
    agn_tensor *x = values(AGN_F64, 1, (int64_t[]){4}), *d = NULL, *y = NULL, *h = NULL;
    DLManagedTensorVersioned *m = NULL;
    if (agn_backend_register(&fake_backend) || agn_device_find(&device, "fake:1"))
        bail_out("%s", agn_error_message());
    must_hold(agn_to_device(&d, x, device));
    must_hold(agn_dlpack_export(&m, d, AGN_SHARE_READ));
    is_int(m->dl_tensor.device.device_type, DLPACK_EXTENSION, "an extension device");
    is_int(m->dl_tensor.device.device_id, device, "by our number");
    ok(fake.waited >= fake.mark || fake.mark == 0, "its last write was waited for");
    must_hold(agn_dlpack_import(&y, m));
    is_int(agn_device_of(y), device, "comes back to its device");
    agn_release(d);
    must_hold(agn_to_device(&h, y, AGN_CPU));
    ok(same(h, x), "with its elements");
    agn_release(y);
    agn_release(h);
    agn_release(x);
    is_int(fake.live, 0, "and its memory is freed");
}

int main(void)
{
    test_export();
    test_shares();
    test_export_errors();
    test_import();
    test_import_errors();
    test_altered_device();
    test_bool_bytes();
    test_wrap_errors();
    test_loop();
    test_threads();
    test_device();
    return done();
}
