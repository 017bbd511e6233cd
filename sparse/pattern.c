/* sparse/pattern.c - where the entries of a sparse matrix are, facts about it, and
   handles. */
#include "sparse/sparse.h"

#include <string.h>

static void turned_free(agni_turned *t)
{
    if (t)
        agni_free(t->indptr);
    agni_free(t);
}

static void picks_free(agni_picks *k)
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

static void mirrors_free(agni_mirror *m)
{
    while (m) {
        agni_mirror *next = m->next;
        m->destroy(m->what);
        agni_free(m);
        m = next;
    }
}

static void pattern_destroy(agni_obj *o)
{
    agni_csr_pattern *q = (agni_csr_pattern *)o;
    mirrors_free(atomic_load(&q->mirrors));
    turned_free(atomic_load(&q->turned));
    picks_free(atomic_load(&q->picks));
    agni_analysis_free(atomic_load(&q->analysis));
    agn_release(atomic_load(&q->lower));
    agni_free((void *)(uintptr_t)q->p.indptr);
    agni_free((void *)(uintptr_t)q->p.index);
    agni_free(q);
}

static bool pattern_equal(const agni_obj *a, const agni_obj *b)
{
    const agni_pattern *p = (const agni_pattern *)a, *q = (const agni_pattern *)b;
    return p->rows == q->rows && p->cols == q->cols && p->nnz == q->nnz &&
           !memcmp(p->indptr, q->indptr, (size_t)(p->rows + 1) * sizeof *p->indptr) &&
           (!p->nnz || !memcmp(p->index, q->index, (size_t)p->nnz * sizeof *p->index));
}
static const agni_obj_type pattern_type = {"pattern", pattern_destroy, pattern_equal};

bool agni_is_pattern(const agni_obj *o)
{
    return o && o->type == &pattern_type;
}

agn_status agni_pattern_new(agni_pattern **out, int64_t rows, int64_t cols,
                            int64_t *indptr, int64_t *index)
{
    agni_csr_pattern *q = agni_zalloc(sizeof *q);
    if (!q) {
        agni_free(indptr);
        agni_free(index);
        return agni_nomem("sparse", sizeof *q);
    }
    agni_ref_init(&q->p.head.ref);
    q->p.head.type = &pattern_type;
    q->p.rows = rows;
    q->p.cols = cols;
    q->p.nnz = indptr[rows];
    q->p.indptr = indptr;
    q->p.index = index;
    atomic_init(&q->turned, NULL);
    atomic_init(&q->picks, NULL);
    atomic_init(&q->mirrors, NULL);
    atomic_init(&q->analysis, NULL);
    atomic_init(&q->lower, NULL);
    *out = &q->p;
    return AGN_OK;
}

/* ---- for back ends ---------------------------------------------------------------------- */

agn_status agn_pattern_read(agn_pattern_view *out, const void *object)
{
    const agni_pattern *p = object;
    if (!out || !object)
        return agni_fail(AGN_ENULL, "pattern_read: %s is NULL", out ? "the object" : "out");
    if (!agni_is_pattern(object))
        return agni_fail(AGN_EARG, "pattern_read: the object is a %s, a pattern is needed",
                         p->head.type->name);
    *out = (agn_pattern_view){p->rows, p->cols, p->nnz, p->indptr, p->index};
    return AGN_OK;
}

static agni_mirror *mirror_of(agni_mirror *m, const void *key)
{
    while (m && m->key != key)
        m = m->next;
    return m;
}

void *agn_pattern_mirror(const void *object, const void *key)
{
    if (!agni_is_pattern(object))
        return NULL;
    const agni_csr_pattern *q = object;
    const agni_mirror *m = mirror_of(atomic_load(&q->mirrors), key);
    return m ? m->what : NULL;
}

void *agn_pattern_keep(const void *object, const void *key, void *mirror,
                       void (*destroy)(void *mirror))
{
    agni_csr_pattern *q = (agni_csr_pattern *)(uintptr_t)object;
    agni_mirror *m = agni_is_pattern(object) ? agni_alloc(sizeof *m) : NULL, *there = NULL;
    if (m) {
        *m = (agni_mirror){atomic_load(&q->mirrors), key, mirror, destroy};
        while (!(there = mirror_of(m->next, key)))
            if (atomic_compare_exchange_weak(&q->mirrors, &m->next, m))
                return mirror;
    }
    destroy(mirror);
    agni_free(m);
    return there ? there->what : NULL;
}

/* ---- facts -------------------------------------------------------------------------------- */

static agni_csr_pattern *inside(const agni_pattern *p)
{
    return (agni_csr_pattern *)(uintptr_t)p;
}

/* entries counted by column, then dealt out in their order: rows ascend within a column
   */
static agni_turned *turn(const agni_pattern *p)
{
    size_t n = (size_t)(p->cols + 1) + 2 * (size_t)p->nnz;
    agni_turned *t = agni_zalloc(sizeof *t);
    if (!t || !(t->indptr = agni_zalloc(n * sizeof *t->indptr))) {
        agni_free(t);
        return NULL;
    }
    t->index = t->indptr + p->cols + 1;
    t->from = t->index + p->nnz;
    for (int64_t e = 0; e < p->nnz; e++)
        t->indptr[p->index[e] + 1]++;
    for (int64_t j = 0; j < p->cols; j++)
        t->indptr[j + 1] += t->indptr[j];
    for (int64_t i = 0; i < p->rows; i++)
        for (int64_t e = p->indptr[i]; e < p->indptr[i + 1]; e++) {
            int64_t at = t->indptr[p->index[e]]++;
            t->index[at] = i;
            t->from[at] = e;
        }
    memmove(t->indptr + 1, t->indptr, (size_t)p->cols * sizeof *t->indptr);
    t->indptr[0] = 0;
    return t;
}

const agni_turned *agni_pattern_turned(const agni_pattern *p)
{
    agni_csr_pattern *q = inside(p);
    agni_turned *t = atomic_load(&q->turned), *none = NULL;
    if (t || !(t = turn(p)))
        return t;
    if (atomic_compare_exchange_strong(&q->turned, &none, t))
        return t;
    turned_free(t);
    return none;
}

static agni_picks *pick(const agni_pattern *p)
{
    agni_picks *k = agni_zalloc(sizeof *k);
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
        int64_t e = p->indptr[i];
        k->first[i] = e < p->indptr[i + 1] ? (int32_t)p->index[e] : 0;
        if (e == p->indptr[i + 1])
            k->none[k->n_none++] = (int32_t)i;
        for (e++; e < p->indptr[i + 1]; e++) {
            k->row[k->n_more] = (int32_t)i;
            k->column[k->n_more++] = (int32_t)p->index[e];
        }
    }
    return k;
}

const agni_picks *agni_pattern_picks(const agni_pattern *p)
{
    agni_csr_pattern *q = inside(p);
    agni_picks *k = atomic_load(&q->picks), *none = NULL;
    if (k || !(k = pick(p)))
        return k;
    if (atomic_compare_exchange_strong(&q->picks, &none, k))
        return k;
    picks_free(k);
    return none;
}

const agn_tensor *agni_pattern_lower(const agni_pattern *p)
{
    agni_csr_pattern *q = inside(p);
    agn_tensor *w = atomic_load(&q->lower), *none = NULL;
    if (w)
        return w;
    if (agni_tensor_make(&w, "sparse_solve", AGN_F64, 1, &p->nnz, AGN_CPU))
        return NULL;
    double *v = w->data;
    for (int64_t i = 0; i < p->rows; i++)
        for (int64_t e = p->indptr[i]; e < p->indptr[i + 1]; e++)
            v[e] = p->index[e] < i ? 1 : p->index[e] == i ? 0.5 : 0;
    if (atomic_compare_exchange_strong(&q->lower, &none, w))
        return w;
    agn_release(w);
    return none;
}

/* ---- handles --------------------------------------------------------------------- */

static void csr_destroy(agni_obj *o)
{
    agn_tensor *x = (agn_tensor *)o;
    const agni_csr *c = agni_csr_of(x);
    agni_obj_release(&c->pattern->head);
    agn_release(c->values);
    agni_free(x);
}
static const agni_obj_type csr_type = {"sparse tensor", csr_destroy, NULL};

agn_status agni_csr_new(agn_tensor **out, const char *op, const agni_pattern *p,
                        const agn_tensor *values)
{
    if (values->layout != AGN_DENSE)
        return agni_dense(values, op);
    if (!(AGNI_FIELDS >>
              values->dtype &
          1))
        return agni_fail(AGN_EDTYPE,
                         "%s: values are %s; f32, f64, c64 or c128 is needed", op,
                         agni_dtypes[values->dtype].name);
    if (values->ndim < 1 || values->shape[values->ndim - 1] != p->nnz)
        return agni_fail(AGN_ESHAPE, "%s: values are %s, the pattern has %lld entries",
                         op, AGNI_SHAPE(values), (long long)p->nnz);
    int ndim = values->ndim + 1;
    if (ndim > AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "%s: rank %d is above %d", op, ndim, AGN_MAX_RANK);
    size_t bytes = sizeof(agn_tensor) + 2 * (size_t)ndim * sizeof(int64_t) +
                   sizeof(agni_csr);
    agn_tensor *x = agni_zalloc(bytes);
    if (!x)
        return agni_nomem(op, bytes);
    agni_ref_init(&x->head.ref);
    x->head.type = &csr_type;
    x->dtype = values->dtype;
    x->ndim = (int8_t)ndim;
    x->layout = AGN_CSR;
    x->stride = x->shape + ndim;
    memcpy(x->shape, values->shape, (size_t)(ndim - 2) * sizeof *x->shape);
    x->shape[ndim - 2] = p->rows;
    x->shape[ndim - 1] = p->cols;
    x->size = 1;
    for (int d = 0; d < ndim;
         d++) /* places, stored or not: no memory stands for them */
        if (!agni_mul(x->size, x->shape[d], &x->size))
            x->size = INT64_MAX;
    agni_csr *c = (agni_csr *)(void *)(x->stride + ndim);
    c->pattern = (agni_pattern *)agni_obj_retain(&p->head);
    c->values = agni_tensor_ref(values);
    *out = x;
    return AGN_OK;
}
