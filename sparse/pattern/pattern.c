/* sparse/pattern/pattern.c - sparsity patterns by rows: life, width of integers, facts found on
   demand, mirrors on devices. */
#include "sparse/pattern/pattern.h"

#include <string.h>

static void free_wide_indices(agni_wide *w)
{
    if (w && w->own) {
        agni_free((void *)(uintptr_t)w->indptr);
        agni_free((void *)(uintptr_t)w->index);
    }
    agni_free(w);
}

static void free_gather_plan(agni_gather_plan *k)
{
    if (k)
        agni_free(k->first);
    agni_free(k);
}

/* A list that only grows, at its head, until the pattern is freed. */
struct agni_mirror {
    agni_mirror *next;
    const void *key;
    void *what;
    void (*destroy)(void *what);
};

void agni_mirrors_free(agni_mirrors *list)
{
    agni_mirror *m = atomic_load(list);
    while (m) {
        agni_mirror *next = m->next;
        m->destroy(m->what);
        agni_free(m);
        m = next;
    }
}

static agni_mirror *find_mirror(agni_mirror *m, const void *key)
{
    while (m && m->key != key)
        m = m->next;
    return m;
}

void *agni_mirrors_find(agni_mirrors *list, const void *key)
{
    const agni_mirror *m = find_mirror(atomic_load(list), key);
    return m ? m->what : NULL;
}

void *agni_mirrors_keep(agni_mirrors *list, const void *key, void *what,
                        void (*destroy)(void *what))
{
    agni_mirror *m = agni_alloc(sizeof *m), *there = NULL;
    if (m) {
        *m = (agni_mirror){atomic_load(list), key, what, destroy};
        while (!(there = find_mirror(m->next, key)))
            if (atomic_compare_exchange_weak(list, &m->next, m))
                return what;
    }
    destroy(what);
    agni_free(m);
    return there ? there->what : NULL;
}

static void pattern_destroy(agni_obj *o)
{
    agni_csr_pattern *q = (agni_csr_pattern *)o;
    agni_mirrors_free(&q->mirrors);
    agni_transposed_pattern_free(atomic_load(&q->turned));
    free_wide_indices(atomic_load(&q->wide));
    for (int k = 0; k < AGNI_MAX_COLUMN_PARTITIONS; k++)
        agni_column_partition_free(atomic_load(&q->cuts[k]));
    for (int k = 0; k < AGNI_PAIR_CACHE_SLOTS; k++)
        agni_pair_fact_free(atomic_load(&q->kept[k]));
    free_gather_plan(atomic_load(&q->picks));
    agn_release(atomic_load(&q->lower));
    if (!q->borrowed) {
        agni_free((void *)(uintptr_t)q->p.indptr);
        agni_free((void *)(uintptr_t)q->p.index);
    } else if (q->giving) {
        q->giving(q->user);
    }
    agni_free(q);
}

/* patterns of both widths may be equal */
static bool equal_ints(const void *a, bool a_wide, const void *b, bool b_wide,
                       int64_t n)
{
    if (a_wide == b_wide)
        return n == 0 ||
               !memcmp(a, b, (size_t)n * (a_wide ? sizeof(int64_t) : sizeof(int32_t)));
    for (int64_t k = 0; k < n; k++)
        if (agni_read_index(a, a_wide, k) != agni_read_index(b, b_wide, k))
            return false;
    return true;
}

static bool pattern_equal(const agni_obj *a, const agni_obj *b)
{
    const agni_pattern *p = (const agni_pattern *)a, *q = (const agni_pattern *)b;
    return p->rows == q->rows && p->cols == q->cols && p->nnz == q->nnz &&
           equal_ints(p->indptr, p->wide, q->indptr, q->wide, p->rows + 1) &&
           equal_ints(p->index, p->wide, q->index, q->wide, p->nnz);
}
static const agni_obj_type pattern_type = {
    .name = "pattern", .destroy = pattern_destroy, .equal = pattern_equal};

bool agni_is_pattern(const agni_obj *o)
{
    return o && o->type == &pattern_type;
}

static _Atomic(uint64_t) numbers;

static agni_csr_pattern *new_pattern(int64_t rows, int64_t cols, bool wide, const void *indptr,
                                     const void *index)
{
    agni_csr_pattern *q = agni_zalloc(sizeof *q);
    if (!q)
        return NULL;
    agni_ref_init(&q->p.head.ref);
    q->p.head.type = &pattern_type;
    q->p.rows = rows;
    q->p.cols = cols;
    q->p.nnz = agni_read_index(indptr, wide, rows);
    q->p.wide = wide;
    q->p.indptr = indptr;
    q->p.index = index;
    atomic_init(&q->turned, NULL);
    atomic_init(&q->wide, NULL);
    for (int k = 0; k < AGNI_MAX_COLUMN_PARTITIONS; k++)
        atomic_init(&q->cuts[k], NULL);
    for (int k = 0; k < AGNI_PAIR_CACHE_SLOTS; k++)
        atomic_init(&q->kept[k], NULL);
    q->number = atomic_fetch_add(&numbers, 1);
    atomic_init(&q->picks, NULL);
    atomic_init(&q->met, false);
    atomic_init(&q->mirrors, NULL);
    atomic_init(&q->lower, NULL);
    return q;
}

agn_status agni_pattern_adopt(agni_pattern **out, int64_t rows, int64_t cols, bool wide,
                              void *indptr, void *index)
{
    agni_csr_pattern *q = new_pattern(rows, cols, wide, indptr, index);
    if (!q) {
        agni_free(indptr);
        agni_free(index);
        return agni_nomem("sparse", sizeof *q);
    }
    *out = &q->p;
    return AGN_OK;
}

agn_status agni_pattern_borrow(agni_pattern **out, const agni_pattern *like,
                               void (*destroy)(void *user), void *user)
{
    agni_csr_pattern *q = new_pattern(like->rows, like->cols, like->wide, like->indptr,
                                      like->index);
    if (!q)
        return agni_nomem("sparse", sizeof *q);
    q->borrowed = true;
    q->giving = destroy;
    q->user = user;
    *out = &q->p;
    return AGN_OK;
}

void agni_pattern_disown(agni_pattern *p)
{
    ((agni_csr_pattern *)p)->giving = NULL;
}

static void release_pattern(void *user)
{
    agni_obj_release(user);
}

agn_status agni_pattern_view(agn_tensor **out, const agni_pattern *p, int64_t n, const void *v)
{
    void *keep = agni_obj_retain(&p->head);
    agn_status st = agn_wrap_host(out, p->wide ? AGN_I64 : AGN_I32, 1, &n, NULL,
                                  (void *)(uintptr_t)v, true, release_pattern, keep);
    if (st)
        agni_obj_release(keep);
    return st;
}

int64_t agni_pattern_split_rows(const agni_pattern *p, int64_t k, int64_t n)
{
    int64_t lo = 0, hi = p->rows;
    double at = (double)(p->nnz + p->rows) * (double)k / (double)n;
    if (k >= n)
        return hi;
    while (lo < hi) {
        int64_t mid = lo + (hi - lo) / 2;
        if ((double)(agni_row_begin(p, mid) + mid) < at)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* n integers in the other width; NULL without memory */
static void *copy_in_other_width(const void *v, bool wide, int64_t n)
{
    void *to = agni_alloc((size_t)(n ? n : 1) *
                          (wide ? sizeof(int32_t) : sizeof(int64_t)));
    int32_t *narrow = to;
    int64_t *broad = to;
    for (int64_t k = 0; to && k < n; k++)
        if (wide)
            narrow[k] = (int32_t)((const int64_t *)v)[k];
        else
            broad[k] = ((const int32_t *)v)[k];
    return to;
}

agn_status agni_pattern_new(agni_pattern **out, int64_t rows, int64_t cols,
                            int64_t *indptr, int64_t *index)
{
    int64_t nnz = indptr[rows];
    if (!agni_pattern_fits_i32(rows, cols, nnz))
        return agni_pattern_adopt(out, rows, cols, true, indptr, index);
    void *p = copy_in_other_width(indptr, true, rows + 1),
         *i = copy_in_other_width(index, true, nnz);
    agni_free(indptr);
    agni_free(index);
    if (p && i)
        return agni_pattern_adopt(out, rows, cols, false, p, i);
    agni_free(p);
    agni_free(i);
    return agni_nomem("sparse", (size_t)(rows + 1 + nnz) * sizeof(int32_t));
}

agn_status agni_pattern_mixed(agni_pattern **out, const char *op, int64_t rows,
                              int64_t cols, int64_t *indptr, int32_t *index)
{
    int64_t nnz = indptr[rows];
    bool wide = !agni_pattern_fits_i32(rows, cols, nnz);
    void *other = wide ? copy_in_other_width(index, false, nnz)
                       : copy_in_other_width(indptr, true, rows + 1);
    void *p = wide ? (void *)indptr : other, *i = wide ? other : (void *)index;
    agni_free(wide ? (void *)index : (void *)indptr);
    if (other)
        return agni_pattern_adopt(out, rows, cols, wide, p, i);
    agni_free(wide ? p : i);
    return agni_nomem(op, (size_t)(rows + nnz) * sizeof(int64_t));
}

agn_status agni_pattern_with_width(agni_pattern **out, const char *op, const agni_pattern *p,
                                   bool wide)
{
    if (p->wide == wide) {
        *out = (agni_pattern *)agni_obj_retain(&p->head);
        return AGN_OK;
    }
    if (!wide && !agni_pattern_fits_i32(p->rows, p->cols, p->nnz))
        return agni_fail(AGN_ESHAPE,
                         "%s: [%lld,%lld] with %lld entries is too large for i32", op,
                         (long long)p->rows, (long long)p->cols, (long long)p->nnz);
    void *ptr = copy_in_other_width(p->indptr, p->wide, p->rows + 1);
    void *index = copy_in_other_width(p->index, p->wide, p->nnz);
    if (ptr && index)
        return agni_pattern_adopt(out, p->rows, p->cols, wide, ptr, index);
    agni_free(ptr);
    agni_free(index);
    return agni_nomem(op, (size_t)(p->rows + 1 + p->nnz) * sizeof(int64_t));
}

/* ---- for back ends ---------------------------------------------------------------------- */

agn_status agn_pattern_read(agn_pattern_view *out, const void *object)
{
    const agni_pattern *p = object;
    if (!out || !object)
        return agni_fail(AGN_ENULL, "pattern_read: %s is NULL",
                         out ? "the object" : "out");
    if (!agni_is_pattern(object))
        return agni_fail(AGN_EARG,
                         "pattern_read: the object is a %s, a pattern is needed",
                         p->head.type->name);
    const agni_wide *w = agni_pattern_wide(p);
    if (!w)
        return agni_nomem("pattern_read", (size_t)p->nnz * sizeof(int64_t));
    *out = (agn_pattern_view){p->rows, p->cols, p->nnz, w->indptr, w->index};
    return AGN_OK;
}

void *agn_pattern_mirror(const void *object, const void *key)
{
    return agni_is_pattern(object)
               ? agni_mirrors_find(&((agni_csr_pattern *)(uintptr_t)object)->mirrors, key)
               : NULL;
}

void *agn_pattern_keep(const void *object, const void *key, void *mirror,
                       void (*destroy)(void *mirror))
{
    if (agni_is_pattern(object))
        return agni_mirrors_keep(&((agni_csr_pattern *)(uintptr_t)object)->mirrors, key, mirror,
                                 destroy);
    destroy(mirror);
    return NULL;
}

/* ---- facts -------------------------------------------------------------------------------- */

static agni_wide *make_wide_indices(const agni_pattern *p)
{
    agni_wide *w = agni_zalloc(sizeof *w);
    if (!w)
        return NULL;
    w->own = !p->wide;
    w->indptr = w->own ? copy_in_other_width(p->indptr, false, p->rows + 1) : p->indptr;
    w->index = w->own ? copy_in_other_width(p->index, false, p->nnz) : p->index;
    if (w->indptr && w->index)
        return w;
    free_wide_indices(w);
    return NULL;
}

const agni_wide *agni_pattern_wide(const agni_pattern *p)
{
    agni_csr_pattern *q = agni_csr_pattern_of(p);
    agni_wide *w = atomic_load(&q->wide), *none = NULL;
    if (w || !(w = make_wide_indices(p)))
        return w;
    if (atomic_compare_exchange_strong(&q->wide, &none, w))
        return w;
    free_wide_indices(w);
    return none;
}

static agni_gather_plan *make_gather_plan(const agni_pattern *p)
{
    agni_gather_plan *k = agni_zalloc(sizeof *k);
    size_t n = (size_t)p->rows + 2 * (size_t)p->nnz + (size_t)p->rows;
    if (!k || p->cols >= INT32_MAX || p->rows >= INT32_MAX ||
        !(k->first = agni_alloc((n ? n : 1) * sizeof *k->first))) {
        agni_free(k);
        return NULL;
    }
    k->row = k->first + p->rows;
    k->column = k->row + p->nnz;
    k->none = k->column + p->nnz;
    for (int64_t i = 0; i < p->rows; i++) {
        int64_t e = agni_row_begin(p, i);
        k->first[i] = e < agni_row_begin(p, i + 1) ? (int32_t)agni_entry_col(p, e) : 0;
        if (e == agni_row_begin(p, i + 1))
            k->none[k->n_none++] = (int32_t)i;
        for (e++; e < agni_row_begin(p, i + 1); e++) {
            k->row[k->n_more] = (int32_t)i;
            k->column[k->n_more++] = (int32_t)agni_entry_col(p, e);
        }
    }
    return k;
}

const agni_gather_plan *agni_pattern_gather_plan(const agni_pattern *p)
{
    agni_csr_pattern *q = agni_csr_pattern_of(p);
    agni_gather_plan *k = atomic_load(&q->picks), *none = NULL;
    if (k || !(k = make_gather_plan(p)))
        return k;
    if (atomic_compare_exchange_strong(&q->picks, &none, k))
        return k;
    free_gather_plan(k);
    return none;
}

bool agni_pattern_is_reused(const agni_pattern *p)
{
    return atomic_exchange(&agni_csr_pattern_of(p)->met, true);
}

const agn_tensor *agni_pattern_lower(const agni_pattern *p)
{
    agni_csr_pattern *q = agni_csr_pattern_of(p);
    agn_tensor *w = atomic_load(&q->lower), *none = NULL;
    if (w)
        return w;
    if (agni_tensor_make(&w, "sparse_solve", AGN_F64, 1, &p->nnz, AGN_CPU))
        return NULL;
    double *v = w->data;
    for (int64_t i = 0; i < p->rows; i++)
        for (int64_t e = agni_row_begin(p, i); e < agni_row_begin(p, i + 1); e++)
            v[e] = agni_entry_col(p, e) < i ? 1 : agni_entry_col(p, e) == i ? 0.5 : 0;
    if (atomic_compare_exchange_strong(&q->lower, &none, w))
        return w;
    agn_release(w);
    return none;
}
