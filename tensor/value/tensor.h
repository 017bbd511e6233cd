/* tensor/value/tensor.h - the inside of a tensor: storage, views, and where a value came from. */
#ifndef AGNI_TENSOR_H
#define AGNI_TENSOR_H

#include "core/core.h"
#include "core/device/backend_registry.h"
#include <agnesi/calculus.h>
#include <agnesi/create.h>
#include <agnesi/distance.h>
#include <agnesi/elementwise.h>
#include <agnesi/indexing.h>
#include <agnesi/print.h>
#include <agnesi/order.h>
#include <agnesi/product.h>
#include <agnesi/random.h>
#include <agnesi/rearrange.h>
#include <agnesi/reduce.h>
#include <agnesi/scan.h>
#include <agnesi/shape.h>
#include <agnesi/special.h>
#include <agnesi/hypergeometric.h>
#include <agnesi/integrals.h>
#include <agnesi/statistics.h>
#include <agnesi/tensor.h>

enum { AGNI_MAX_RANK = AGN_MAX_RANK };

/* Memory of tensors; views share one. version counts writes after creation. */
typedef struct agni_storage {
    agni_obj head;
    int32_t device;
    bool readonly;
    bool traced; /* made while a function was traced: tensor/value/trace_guards.h */
    atomic_llong version;
    void *data;
    size_t bytes;
    void (*destroy)(void *user); /* NULL: memory came from agni_device_alloc */
    void *user;
    atomic_ullong write_mark, read_mark; /* back end's marks of the last write and read */
} agni_storage;

typedef struct agni_node agni_node;

/* A value. Three independent facts: it may have memory (st), it may be recorded (node),
   and it may be a mere description (neither). A tensor with a node and no memory is
   symbolic: it stands for a value while tracing. */
struct agn_tensor {
    agni_obj head;
    int8_t dtype, ndim, layout;
    bool weak;  /* a literal: takes the other operand's dtype within its kind */
    /* made of numbers alone, by a rule or as zeros, eye or arange are: it follows the other
       operands to their device */
    bool uncommitted;
    bool stale; /* its storage was written after it was saved: using it is AGN_ESTALE */
    bool truth; /* made of truth values by a cast: in derivatives a product with it is a choice */
    bool in_storage_block; /* this header is part of its storage's block and is freed with it */
    int32_t out; /* which output of node */
    agni_storage *st;
    agni_node *node;
    void *data; /* element [0, ..., 0] */
    int64_t size;
    int64_t *stride; /* in elements; follows shape in the same block */
    int64_t shape[];
};

/* Shape and dtype of a result before it exists. */
typedef struct agni_meta {
    int32_t dtype, ndim;
    int64_t shape[AGNI_MAX_RANK];
} agni_meta;
static inline void agni_meta_like(agni_meta *m, const agn_tensor *x)
{
    m->dtype = x->dtype;
    m->ndim = x->ndim;
    for (int d = 0; d < x->ndim; d++)
        m->shape[d] = x->shape[d];
}

/* ---- dtypes -------------------------------------------------------------------- */

enum { AGNI_KIND_BOOL, AGNI_KIND_INT, AGNI_KIND_FLOAT, AGNI_KIND_COMPLEX };
typedef struct agni_dtype_info {
    const char *name;
    const char *npy; /* descriptor in .npy files; bf16 as ml_dtypes has it: a void */
    int8_t bytes, kind, wide; /* wide: the dtype it computes in */
    int8_t real;              /* dtype of |x| */
} agni_dtype_info;
extern const agni_dtype_info agni_dtypes[AGN_NDTYPES];
static inline int agni_kind(int dtype)
{
    return agni_dtypes[dtype].kind;
}
agn_status agni_dtype_check(const char *op, agn_dtype dtype); /* AGN_EDTYPE */
bool agni_dtype_holds(
    int dtype, double v); /* false where dtype is an integer one and v is not one of its values */
int agni_alignment(int dtype);                /* of its elements, in bytes */
int agni_promote(int a, int b);                  /* array API standard, beyond it NumPy */
int agni_promote_weak(int weak, int strong);     /* literal of dtype weak beside strong */
/* promoted dtypes of some tensors: of those that are no literals, and of the literals; -1 for
   none */
typedef struct agni_promotion {
    int strong, literal;
} agni_promotion;
static inline void agni_promotion_add(agni_promotion *m, const agn_tensor *x)
{
    int *to = x->weak ? &m->literal : &m->strong;
    *to = *to < 0 ? x->dtype : agni_promote(*to, x->dtype);
}
static inline int agni_promotion_dtype(const agni_promotion *m)
{
    return m->strong < 0    ? m->literal
           : m->literal < 0 ? m->strong
                            : agni_promote_weak(m->literal, m->strong);
}

/* n elements from one dtype to another, with any steps in bytes. Rounds to nearest even; to an
   integer towards zero and saturating, NaN to 0; integers wrap around; complex to real drops the
   imaginary part. Steps of 0 where n is 1. */
void agni_convert_elements(char *to, int to_dtype, int64_t to_step, const char *from,
                           int from_dtype, int64_t from_step, int64_t n);
void agni_convert_number(void *to, int dtype, const void *value, int from);
agn_status agni_check_number(const char *op, int dtype, double value); /* AGN_EDOMAIN */

/* ---- life ------------------------------------------------------------------------ */

/* A tensor header with row-major strides, no memory, no node. NULL without memory. */
agn_tensor *agni_tensor_header(int dtype, int ndim, const int64_t *shape);
/* With uninitialised memory on a device. */
agn_status agni_tensor_make(agn_tensor **out, const char *op, int dtype, int ndim,
                            const int64_t *shape, int32_t device);
/* The same on the host, of a shape that is known to be one. NULL without memory. */
agn_tensor *agni_tensor_like(int dtype, const agn_tensor *x);
/* A literal of no axes, and the number v of a dtype; of the host. */
agn_status agni_make_literal(agn_tensor **out, double v);
agn_status agni_make_number(agn_tensor **out, const char *op, int dtype, double v);
/* Memory of somebody else: data is the address of element [0, ..., 0]. */
typedef struct agni_memory {
    int32_t device;
    void *data;
    bool readonly;
    void (*destroy)(void *user); /* when nobody looks at it any more; may be NULL */
    void *user;
} agni_memory;
/* A tensor on it; stride NULL is row-major. Checks the shape, alignment, and that strides stay
   within an address space. On failure destroy is not called. */
agn_status agni_tensor_wrap(agn_tensor **out, const char *op, int dtype, int ndim,
                            const int64_t *shape, const int64_t *stride, const agni_memory *m);
/* Another header on the same memory: no node. */
agn_tensor *agni_tensor_alias(const agn_tensor *x);
agn_status agni_tensor_view(agn_tensor **out, const agn_tensor *x, int ndim,
                            const int64_t *shape, const int64_t *stride, int64_t offset);
static inline agn_tensor *agni_tensor_ref(const agn_tensor *x)
{
    return (agn_tensor *)(uintptr_t)(x ? agni_obj_retain(&x->head) : NULL);
}
/* The same value on a device with the same strides: its memory is copied once, so that a number
   broadcast to a shape is one number. */
agn_status agni_copy_to_device(agn_tensor **out, const agn_tensor *x, int32_t device);

static inline bool agni_is_symbolic(const agn_tensor *x)
{
    return !x->st;
}
bool agni_is_contiguous(const agn_tensor *x);
static inline int32_t agni_tensor_device(const agn_tensor *x)
{
    return x->st ? x->st->device : AGN_CPU;
}
/* the version to remember when a value is saved */
static inline int64_t agni_tensor_version(const agn_tensor *x)
{
    return x->st ? atomic_load_explicit(&x->st->version, memory_order_acquire) : 0;
}
/* Waits until the last write to x's memory is done. */
agn_status agni_wait_written(const agn_tensor *x);
/* ... and the last read: then the host may write it. */
agn_status agni_wait_writable(const agn_tensor *x);
/* Host address of a concrete CPU tensor's elements, or a failure naming op. */
agn_status agni_require_host(const agn_tensor *x, const char *op);

/* ---- sparse: a handle on a pattern and values ------------------------------------------ */

/* Positions of entries by rows: immutable, sorted within rows, no entry twice. Its integers are i32
   where rows, columns and entries all fit, else (or where asked) i64: `wide`. */
typedef struct agni_pattern {
    agni_obj head;
    int64_t rows, cols, nnz;
    bool wide;
    const void *indptr; /* [rows + 1] */
    const void *index;  /* [nnz] columns */
} agni_pattern;
static inline int64_t agni_read_index(const void *v, bool wide, int64_t k)
{
    return wide ? ((const int64_t *)v)[k] : ((const int32_t *)v)[k];
}
/* the first k < n with v[k] >= x, n where there is none; v ascends */
static inline int64_t agni_lower_bound(const void *v, bool wide, int64_t n, int64_t x)
{
    int64_t lo = 0;
    while (lo < n) {
        int64_t mid = lo + (n - lo) / 2;
        if (agni_read_index(v, wide, mid) < x)
            lo = mid + 1;
        else
            n = mid;
    }
    return lo;
}
/* the first entry of row i; of row `rows`, their number */
static inline int64_t agni_row_begin(const agni_pattern *p, int64_t i)
{
    return agni_read_index(p->indptr, p->wide, i);
}
/* the column of entry e */
static inline int64_t agni_entry_col(const agni_pattern *p, int64_t e)
{
    return agni_read_index(p->index, p->wide, e);
}
/* A sparse tensor has neither memory nor node: its parts do. AGN_CSR: values is [..., nnz], its
   leading axes are a batch on one pattern. AGN_CSC: the same parts of the transpose. */
typedef struct agni_csr {
    agni_pattern *pattern;
    agn_tensor *values;
} agni_csr;
static inline const void *agni_sparse_parts(const agn_tensor *x)
{
    return x->stride + x->ndim;
}
/* NULL in any other layout: agn_sparse_to_csr makes this one of them */
static inline const agni_csr *agni_csr_of(const agn_tensor *x)
{
    return x->layout == AGN_CSR ? agni_sparse_parts(x) : NULL;
}
static inline const agni_csr *agni_csc_of(const agn_tensor *x)
{
    return x->layout == AGN_CSC ? agni_sparse_parts(x) : NULL;
}

/* Coordinates of entries. Coalesced: in row-major order, no position twice; otherwise entries at
   one position are summed. */
typedef struct agni_coordinates {
    agni_obj head;
    bool coalesced;
    int32_t ndim;
    int64_t nnz;
    const int64_t *at; /* [ndim, nnz] */
    int64_t shape[];
} agni_coordinates;
/* AGN_COO: values is [batch..., nnz, dense...], the tensor [batch..., places..., dense...] */
typedef struct agni_coo {
    agni_coordinates *places;
    agn_tensor *values;
    int32_t dense;
} agni_coo;
static inline const agni_coo *agni_coo_of(const agn_tensor *x)
{
    return x->layout == AGN_COO ? agni_sparse_parts(x) : NULL;
}
/* of a sparse tensor in any layout: its values, and the number of its entries */
static inline agn_tensor *agni_values_of(const agn_tensor *x)
{
    return x->layout == AGN_COO ? agni_coo_of(x)->values
                                : ((const agni_csr *)agni_sparse_parts(x))->values;
}
static inline int64_t agni_entry_count(const agn_tensor *x)
{
    return x->layout == AGN_COO ? agni_coo_of(x)->places->nnz
                                : ((const agni_csr *)agni_sparse_parts(x))->pattern->nnz;
}
extern const char *const agni_layout_names[]; /* "dense" "csr" "csc" "coo" */
/* AGN_EUNSUPPORTED where x is sparse, naming op */
agn_status agni_require_dense(const agn_tensor *x, const char *op);

/* ---- text for messages ------------------------------------------------------------ */

/* "[3,4]" into buf, shortened by "..." if it does not fit; returns buf */
const char *agni_shape_text(char *buf, size_t n, int ndim, const int64_t *shape);
#define AGNI_SHAPE(x) \
    agni_shape_text((char[96]){0}, 96, (x)->ndim, (x)->shape)

/* ---- shapes -------------------------------------------------------------------------- */

agn_status agni_shape_check(const char *op, int ndim, const int64_t *shape, int64_t *size);
/* axis in [-ndim, ndim) to [0, ndim) */
agn_status agni_axis(const char *op, int64_t axis, int ndim, int *out);
/* of the elements, side by side */
static inline int64_t agni_tensor_bytes(const agn_tensor *x)
{
    return x->size * agni_dtypes[x->dtype].bytes;
}
static inline bool agni_same_shape(const agn_tensor *a, const agn_tensor *b)
{
    if (a->ndim != b->ndim)
        return false;
    for (int d = 0; d < a->ndim; d++)
        if (a->shape[d] != b->shape[d])
            return false;
    return true;
}
/* Broadcast shape of b into m (m holds the shape so far). */
bool agni_broadcast_into(agni_meta *m, int ndim, const int64_t *shape);

#endif
