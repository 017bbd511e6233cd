/* sparse/pattern/pattern.h - what the files of this module share.

   A sparse matrix is a pattern, an object that never changes, and its values, a dense tensor
   [..., nnz]. Primitives take the pattern as their object attribute, over any leading axes:
     sparse_spmm(v, x; transposed)   y = A x, or A^T x (no conjugate)
     sparse_sddmm(u, w)              v_e = sum_j u[row_e, j] w[col_e, j]
     sparse_scatter(v)               dense, [..., rows, cols]
     sparse_gather(x)                the entries of a dense x that the pattern has
     sparse_collect(x; transposed)   y_i = sum of x_j over the entries (i, j)
     sparse_softmax(v)               of each row's entries (sparse/ops/softmax.c)
     sparse_join(u, w)               sums where entries of two patterns meet (sparse/ops/merge_patterns.h)
   Solves are in sparse/direct/direct.h. */
#ifndef AGNI_SPARSE_H
#define AGNI_SPARSE_H

#include "tensor/dispatch/op_helpers.h"

#include <agnesi/sparse_layout.h>

/* ---- patterns (sparse/pattern/pattern.c) ------------------------------------------------- */

/* The pattern of the transpose (sparse/pattern/pattern_transpose.c): entry e of it is entry from[e] of the pattern. Integers are as
   wide as the pattern's. */
typedef struct agni_turned {
    agni_pattern *p;
    void *from; /* [nnz] */
} agni_turned;
static inline int64_t agni_from(const agni_turned *t, int64_t e)
{
    return agni_read_index(t->from, t->p->wide, e);
}

/* The integers of a pattern in 64 bits, for libraries that want them so. */
typedef struct agni_wide {
    const int64_t *indptr, *index;
    bool own; /* copies */
} agni_wide;

/* The rows of a pattern for sparse_collect: the first column of each (0 where there is none),
   then the other entries, and rows without any. */
typedef struct agni_picks {
    int64_t n_more, n_none;
    int32_t *first, *row, *column,
        *none; /* first[rows], row and column[n_more] by rows */
} agni_picks;

/* Columns cut into n parts, and each row's entries alike (sparse/pattern/column_partition.c). */
typedef struct agni_cuts {
    int n;
    int64_t *bound;        /* [n + 1] columns [bound[k], bound[k + 1]) are part k */
    int64_t *first, *last; /* [n] rows outside of [first, last) have none of part k */
    void *at; /* [n - 1, rows] where part k of a row ends, as wide as the pattern */
} agni_cuts;
enum { AGNI_MAX_CUTS = 5 }; /* 2, 4, .. 32 parts */

typedef struct agni_restore_kept_axes
    agni_restore_kept_axes; /* of it and other patterns (sparse/pattern/pair_cache.c) */
enum { AGNI_KEPT = 4 };
typedef struct agni_mirror agni_mirror; /* what back ends keep (sparse/pattern/pattern.c) */

/* Facts found on demand by whoever comes first, and kept. */
typedef struct agni_csr_pattern {
    agni_pattern p;
    _Atomic(agni_turned *) turned;
    _Atomic(agni_wide *) wide;
    _Atomic(agni_cuts *) cuts[AGNI_MAX_CUTS];
    uint64_t number; /* no other pattern has it */
    bool borrowed;   /* the integers are someone else's, told by giving */
    void (*giving)(void *user);
    void *user;
    _Atomic(agni_restore_kept_axes *) kept[AGNI_KEPT];
    _Atomic(agni_picks *) picks;
    _Atomic(bool) met; /* by sparse_collect */
    _Atomic(agni_mirror *) mirrors;
    _Atomic(agn_tensor *)
        lower; /* f64 [nnz]: 1 below the diagonal, 1/2 on it, 0 above */
} agni_csr_pattern;
static inline agni_csr_pattern *agni_inside(const agni_pattern *p)
{
    return (agni_csr_pattern *)(uintptr_t)p;
}

/* do 32 bits do? */
static inline bool agni_pattern_narrow(int64_t rows, int64_t cols, int64_t nnz)
{
    return rows < INT32_MAX && cols < INT32_MAX && nnz < INT32_MAX;
}
/* takes indptr and index over (from agni_alloc), also where it fails: stored as they are, or in
   32 bits where those do */
agn_status agni_pattern_take(agni_pattern **out, int64_t rows, int64_t cols, bool wide,
                             void *indptr, void *index);
/* on the integers of like, which stay someone else's: destroy, unless NULL, is told when they are no
   longer needed, but where the pattern was disowned */
agn_status agni_pattern_borrow(agni_pattern **out, const agni_pattern *like,
                               void (*destroy)(void *user), void *user);
void agni_pattern_disown(agni_pattern *p);
agn_status agni_pattern_new(agni_pattern **out, int64_t rows, int64_t cols,
                            int64_t *indptr, int64_t *index);
/* ... of columns in 32 bits, which are widened where there are too many of them */
agn_status agni_pattern_mixed(agni_pattern **out, const char *op, int64_t rows,
                              int64_t cols, int64_t *indptr, int32_t *index);
/* the same pattern with integers of the other width, or a reference; AGN_ESHAPE where they do
   not fit */
agn_status agni_pattern_as(agni_pattern **out, const char *op, const agni_pattern *p,
                           bool wide);
bool agni_is_pattern(const agni_obj *o);
/* n integers of the pattern or of its facts as a read-only tensor that keeps it alive */
agn_status agni_pattern_view(agn_tensor **out, const agni_pattern *p, int64_t n, const void *v);
/* Rows shared out, with about equally many entries and rows together: share k of n ends where
   share k + 1 begins. */
int64_t agni_pattern_share(const agni_pattern *p, int64_t k, int64_t n);
/* NULL without memory */
const agni_turned *agni_pattern_turned(const agni_pattern *p);
const agni_wide *agni_pattern_wide(const agni_pattern *p);
const agni_cuts *agni_pattern_cuts(const agni_pattern *p,
                                   int width); /* for so many threads */
void agni_turned_free(agni_turned *t); /* NULL allowed */
void agni_cuts_free(agni_cuts *c);
void agni_kept_free(agni_restore_kept_axes *k);
/* what a pattern remembers of itself and another one: a new reference, or NULL */
enum { AGNI_OF_PRODUCT, AGNI_OF_EITHER, AGNI_OF_BOTH };
agni_obj *agni_pair_cache_get(const agni_pattern *a, const agni_pattern *b, int what);
void agni_pair_cache_put(const agni_pattern *a, const agni_pattern *b, int what, agni_obj *fact);
const agni_picks *agni_pattern_gather_plan(
    const agni_pattern *p);                         /* or more integers than 32 bits */
bool agni_pattern_is_reused(const agni_pattern *p); /* false the first time */
const agn_tensor *agni_pattern_lower(const agni_pattern *p);

/* The entry (j, i) of each entry (i, j) of a structurally symmetric pattern: [nnz] i32 or i64, lent by
   the transpose where that is known (sparse/pattern/mirror_entries.c). */
typedef struct agni_images {
    void *at;
    bool wide, own;
} agni_images;
/* *symmetric says whether there are any */
agn_status agni_find_mirror_entries(agni_images *out, bool *symmetric, const char *op,
                                    const agni_pattern *p);
/* the same; AGN_EARG names an entry without */
agn_status agni_mirror_entries(agni_images *out, const char *op, const agni_pattern *p);
void agni_images_drop(agni_images *m);

/* the parts of a in AGN_CSR, or a failure of op */
agn_status agni_csr_parts(const char *op, const agn_tensor *a, const agni_csr **out);
/* A function of a sparse matrix a in another layout is itself of the same matrix by compressed
   rows: again is that call, with a in its new form. */
#define AGNI_BY_ROWS(op, a, again) \
    if ((a)->layout == AGN_CSC || (a)->layout == AGN_COO) { \
        agn_tensor *rows_ = NULL; \
        agn_status st_ = agn_sparse_to_csr(&rows_, a); \
        if (!st_) { \
            (a) = rows_; \
            st_ = again; \
        } \
        agn_release(rows_); \
        return agni_rename_error(op, st_); \
    }
/* the batch that the leading axes of two matrices broadcast to */
agn_status agni_batch_of(const char *op, agni_meta *m, const agn_tensor *a, const agn_tensor *b);
/* x of one axis as one column, and a result of such an x without that axis */
const agn_tensor *agni_as_columns(agn_scope *s, const agn_tensor *x);
const agn_tensor *agni_as_given(agn_scope *s, const agn_tensor *y, bool vector);
/* a new handle on both parts (sparse/pattern/sparse_tensor.c) */
agn_status agni_csr_new(agn_tensor **out, const char *op, const agni_pattern *p,
                        const agn_tensor *values);

/* ---- for rows and rules ------------------------------------------------------------ */

/* infers a result: leading axes of a (all but na) and of b (all but nb, or NULL) broadcast,
   then n sizes */
agn_status agni_result_over(agni_call *c, const agn_tensor *a, int na,
                            const agn_tensor *b, int nb, int n, const int64_t *sizes);
const agn_tensor *agni_conjugate(agn_scope *s, const agn_tensor *x); /* NULL allowed */

/* element where part b of the batch of y begins in row-major x, which broadcasts; xa and ya are
   the last axes that belong to one part */
int64_t agni_part_of(const agn_array *x, int xa, const agn_array *y, int ya, int64_t b);

/* ---- rules and kernels ----------------------------------------------------------- */

agni_transpose_fn agni_spmm_transpose, agni_sddmm_transpose, agni_scatter_transpose,
    agni_gather_transpose, agni_collect_transpose;
agni_batch_fn agni_batch_spmm, agni_batch_sddmm;
agn_kernel agni_cpu_spmm, agni_cpu_sddmm, agni_cpu_scatter, agni_cpu_gather,
    agni_cpu_collect;
size_t agni_spmm_scratch(const agn_kernel_call *c);
/* a transposed product of one column and sparse_sddmm of the same (sparse/products/spmm_sddmm.c) */
agni_along_fn agni_spmm_along;

#endif
