/* sparse/pattern/pattern.h - sparsity patterns, and sparse tensors over them.

   A sparse matrix is a pattern, an object that never changes, and its values, a dense tensor [...,
   nnz]. Primitives take the pattern as their object attribute, over any leading axes:
     sparse_spmm(v, x; transposed)   y = A x, or A^T x (no conjugate)
     sparse_sddmm(u, w)              v_e = sum_j u[row_e, j] w[col_e, j]
     sparse_scatter(v)               dense, [..., rows, cols]
     sparse_gather(x)                the entries of a dense x that the pattern has
     sparse_collect(x; transposed)   y_i = sum of x_j over the entries (i, j)
     sparse_softmax(v)               of each row's entries (sparse/ops/softmax.c)
     sparse_join(u, w)               sums over the union of two patterns
     (sparse/ops/merge_patterns.h)
   Solves are in sparse/direct/direct.h. */
#ifndef AGNI_SPARSE_H
#define AGNI_SPARSE_H

#include "core/memory/scope.h"
#include "tensor/dispatch/op_helpers.h"

#include <agnesi/sparse_layout.h>

/* ---- patterns (sparse/pattern/pattern.c) ------------------------------------------------- */

/* The pattern of the transpose (sparse/pattern/pattern_transpose.c): entry e of it is entry from[e]
   of the pattern. Integers are as wide as the pattern's. */
typedef struct agni_transposed_pattern {
    agni_pattern *p;
    void *from; /* [nnz] */
} agni_transposed_pattern;
static inline int64_t agni_transposed_entry(const agni_transposed_pattern *t, int64_t e)
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
typedef struct agni_gather_plan {
    int64_t n_more, n_none;
    int32_t *first, *row, *column,
        *none; /* first[rows], row and column[n_more] by rows */
} agni_gather_plan;

/* Columns cut into n parts, and each row's entries alike (sparse/pattern/column_partition.c). */
typedef struct agni_column_partition {
    int n;
    int64_t *bound;        /* [n + 1] columns [bound[k], bound[k + 1]) are part k */
    int64_t *first, *last; /* [n] rows outside of [first, last) have none of part k */
    void *at; /* [n - 1, rows] where part k of a row ends, as wide as the pattern */
} agni_column_partition;
enum { AGNI_MAX_COLUMN_PARTITIONS = 5 }; /* 2, 4, .. 32 parts */

typedef struct agni_pair_fact
    agni_pair_fact; /* of it and other patterns (sparse/pattern/pair_cache.c) */
enum { AGNI_PAIR_CACHE_SLOTS = 4 };
typedef struct agni_mirror agni_mirror; /* what back ends keep (sparse/pattern/pattern.c) */
typedef _Atomic(agni_mirror *) agni_mirrors;
void *agni_mirrors_find(agni_mirrors *list, const void *key);
/* what is kept under key in the end; NULL without memory */
void *agni_mirrors_keep(agni_mirrors *list, const void *key, void *what,
                        void (*destroy)(void *what));
void agni_mirrors_free(agni_mirrors *list);

/* Facts found on demand, published once by compare-and-exchange, kept with the pattern. */
typedef struct agni_csr_pattern {
    agni_pattern p;
    _Atomic(agni_transposed_pattern *) turned;
    _Atomic(agni_wide *) wide;
    _Atomic(agni_column_partition *) cuts[AGNI_MAX_COLUMN_PARTITIONS];
    uint64_t number; /* no other pattern has it */
    bool borrowed;   /* the integers are someone else's, told by giving */
    void (*giving)(void *user);
    void *user;
    _Atomic(agni_pair_fact *) kept[AGNI_PAIR_CACHE_SLOTS];
    _Atomic(agni_gather_plan *) picks;
    _Atomic(bool) met; /* by sparse_collect */
    agni_mirrors mirrors;
    _Atomic(agn_tensor *)
        lower; /* f64 [nnz]: 1 below the diagonal, 1/2 on it, 0 above */
} agni_csr_pattern;
static inline agni_csr_pattern *agni_csr_pattern_of(const agni_pattern *p)
{
    return (agni_csr_pattern *)(uintptr_t)p;
}

/* does everything fit i32? */
static inline bool agni_pattern_fits_i32(int64_t rows, int64_t cols, int64_t nnz)
{
    return rows < INT32_MAX && cols < INT32_MAX && nnz < INT32_MAX;
}
/* takes indptr and index over (from agni_alloc), also where it fails: stored as they are, or in
   32 bits where those do */
agn_status agni_pattern_adopt(agni_pattern **out, int64_t rows, int64_t cols, bool wide,
                              void *indptr, void *index);
/* on the integers of like, which stay someone else's: destroy, unless NULL, is told when they are
   no longer needed, but where the pattern was disowned */
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
agn_status agni_pattern_with_width(agni_pattern **out, const char *op, const agni_pattern *p,
                                   bool wide);
bool agni_is_pattern(const agni_obj *o);
/* n integers of the pattern or of its facts as a read-only tensor that keeps it alive */
agn_status agni_pattern_view(agn_tensor **out, const agni_pattern *p, int64_t n, const void *v);
/* The first row of share k of n, with about equally many entries + rows in each share. */
int64_t agni_pattern_split_rows(const agni_pattern *p, int64_t k, int64_t n);
/* NULL without memory */
const agni_transposed_pattern *agni_pattern_transposed(const agni_pattern *p);
const agni_wide *agni_pattern_wide(const agni_pattern *p);
const agni_column_partition *agni_pattern_column_partition(const agni_pattern *p,
                                                           int width); /* for so many threads */
void agni_transposed_pattern_free(agni_transposed_pattern *t);         /* NULL allowed */
void agni_column_partition_free(agni_column_partition *c);
void agni_pair_fact_free(agni_pair_fact *k);
/* facts about a pair of patterns, kept with the first: a new reference, or NULL */
enum { AGNI_PATTERN_PRODUCT, AGNI_PATTERN_UNION, AGNI_PATTERN_INTERSECTION };
agni_obj *agni_pair_cache_get(const agni_pattern *a, const agni_pattern *b, int what);
void agni_pair_cache_put(const agni_pattern *a, const agni_pattern *b, int what, agni_obj *fact);
const agni_gather_plan *agni_pattern_gather_plan(
    const agni_pattern *p);                         /* or more integers than 32 bits */
bool agni_pattern_is_reused(const agni_pattern *p); /* false the first time */
const agn_tensor *agni_pattern_lower(const agni_pattern *p);

/* The entry (j, i) of each entry (i, j) of a structurally symmetric pattern: [nnz] i32 or i64, lent
   by the transpose where that is known (sparse/pattern/mirror_entries.c). */
typedef struct agni_mirror_map {
    void *at;
    bool wide, own;
} agni_mirror_map;
/* *symmetric says whether there are any */
agn_status agni_find_mirror_entries(agni_mirror_map *out, bool *symmetric, const char *op,
                                    const agni_pattern *p);
/* the same; AGN_EARG names an entry without */
agn_status agni_mirror_entries(agni_mirror_map *out, const char *op, const agni_pattern *p);
void agni_mirror_map_free(agni_mirror_map *m);

/* ---- sparse tensors (sparse/pattern/sparse_tensor.c) ------------------------------------- */

/* a new tensor of both parts */
agn_status agni_csr_new(agn_tensor **out, const char *op, const agni_pattern *p,
                        const agn_tensor *values);
agn_status agni_csc_new(agn_tensor **out, const char *op, const agni_pattern *p,
                        const agn_tensor *values);
agn_status agni_coo_new(agn_tensor **out, const char *op, const agni_coordinates *p,
                        const agn_tensor *values, int dense);
/* dense axes of a, and axes that are coordinates */
int agni_dense_axes(const agn_tensor *a);
int agni_coordinate_axes(const agn_tensor *a);
/* the axis of entries in its values */
static inline int agni_entry_axis(const agn_tensor *a)
{
    return agni_values_of(a)->ndim - 1 - agni_dense_axes(a);
}
const agn_tensor *agni_coo_new_in(agn_scope *s, const char *op, const agni_coordinates *p,
                                  const agn_tensor *values, int dense);
/* the same layout and coordinates */
const agn_tensor *agni_with_values_in(agn_scope *s, const char *op, const agn_tensor *a,
                                      const agn_tensor *values);
bool agni_same_places(const agn_tensor *a, const agn_tensor *b);
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
#endif
