/* sparse/pattern/sparse_tensor.c - sparse tensors: a header over a shared pattern or shared
   coordinates, and a tensor of values. */
#include "sparse/pattern/pattern.h"

#include <string.h>

/* ---- life ------------------------------------------------------------------------- */

static void csr_destroy(agni_obj *o)
{
    agn_tensor *x = (agn_tensor *)o;
    const agni_csr *c = agni_sparse_parts(x);
    agni_obj_release(&c->pattern->head);
    agn_release(c->values);
    agni_free(x);
}
static void coo_destroy(agni_obj *o)
{
    agn_tensor *x = (agn_tensor *)o;
    const agni_coo *c = agni_sparse_parts(x);
    agni_obj_release(&c->places->head);
    agn_release(c->values);
    agni_free(x);
}
static const agni_obj_type csr_type = {.name = "sparse tensor", .destroy = csr_destroy},
                           coo_type = {.name = "sparse tensor", .destroy = coo_destroy};

/* [values before their axis, sizes..., values behind it] with room for the parts */
static agn_status new_header(agn_tensor **out, const char *op, int layout, const agn_tensor *values,
                             int axis, int n, const int64_t *sizes)
{
    int ndim = values->ndim - 1 + n, behind = values->ndim - 1 - axis;
    if (ndim > AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "%s: rank %d is above %d", op, ndim, AGN_MAX_RANK);
    size_t parts = layout == AGN_COO ? sizeof(agni_coo) : sizeof(agni_csr);
    size_t bytes = sizeof(agn_tensor) + 2 * (size_t)ndim * sizeof(int64_t) + parts;
    agn_tensor *x = agni_zalloc(bytes);
    if (!x)
        return agni_nomem(op, bytes);
    agni_ref_init(&x->head.ref);
    x->head.type = layout == AGN_COO ? &coo_type : &csr_type;
    x->dtype = values->dtype;
    x->ndim = (int8_t)ndim;
    x->layout = (int8_t)layout;
    x->stride = x->shape + ndim;
    memcpy(x->shape, values->shape, (size_t)axis * sizeof *sizes);
    memcpy(x->shape + axis, sizes, (size_t)n * sizeof *sizes);
    memcpy(x->shape + axis + n, values->shape + axis + 1, (size_t)behind * sizeof *sizes);
    x->size = 1;
    bool empty = false;
    for (int d = 0; d < ndim;
         d++) { /* elements, stored or not, which may be more than memory holds */
        empty |= x->shape[d] == 0;
        if (!agni_checked_mul(x->size, x->shape[d] ? x->shape[d] : 1, &x->size))
            x->size = INT64_MAX;
    }
    x->size = empty ? 0 : x->size;
    *out = x;
    return AGN_OK;
}

static agn_status check_values(const char *op, const agn_tensor *values, int axis, int64_t nnz)
{
    if (values->layout != AGN_DENSE)
        return agni_require_dense(values, op);
    if (axis >= 0 && axis < values->ndim && values->shape[axis] == nnz)
        return AGN_OK;
    return agni_fail(AGN_ESHAPE, "%s: values are %s, the pattern has %lld entries", op,
                     AGNI_SHAPE(values), (long long)nnz);
}

static agn_status new_compressed(agn_tensor **out, const char *op, const agni_pattern *p,
                                 const agn_tensor *values, int layout)
{
    int64_t sizes[2] = {layout == AGN_CSR ? p->rows : p->cols,
                        layout == AGN_CSR ? p->cols : p->rows};
    agn_tensor *x = NULL;
    agn_status st = check_values(op, values, values->ndim - 1, p->nnz);
    if (!st)
        st = new_header(&x, op, layout, values, values->ndim - 1, 2, sizes);
    if (st)
        return st;
    agni_csr *c = (agni_csr *)(uintptr_t)agni_sparse_parts(x);
    c->pattern = (agni_pattern *)agni_obj_retain(&p->head);
    c->values = agni_tensor_ref(values);
    *out = x;
    return AGN_OK;
}

agn_status agni_csr_new(agn_tensor **out, const char *op, const agni_pattern *p,
                        const agn_tensor *values)
{
    return new_compressed(out, op, p, values, AGN_CSR);
}

agn_status agni_csc_new(agn_tensor **out, const char *op, const agni_pattern *p,
                        const agn_tensor *values)
{
    return new_compressed(out, op, p, values, AGN_CSC);
}

agn_status agni_coo_new(agn_tensor **out, const char *op, const agni_coordinates *p,
                        const agn_tensor *values, int dense)
{
    agn_tensor *x = NULL;
    int axis = values->ndim - 1 - dense;
    agn_status st = check_values(op, values, axis, p->nnz);
    if (!st)
        st = new_header(&x, op, AGN_COO, values, axis, p->ndim, p->shape);
    if (st)
        return st;
    agni_coo *c = (agni_coo *)(uintptr_t)agni_sparse_parts(x);
    c->places = (agni_coordinates *)agni_obj_retain(&p->head);
    c->values = agni_tensor_ref(values);
    c->dense = dense;
    *out = x;
    return AGN_OK;
}

/* ---- within a scope --------------------------------------------------------------- */

int agni_dense_axes(const agn_tensor *a)
{
    return a->layout == AGN_COO ? agni_coo_of(a)->dense : 0;
}

int agni_coordinate_axes(const agn_tensor *a)
{
    return a->layout == AGN_COO ? agni_coo_of(a)->places->ndim : 2;
}

const agn_tensor *agni_coo_new_in(agn_scope *s, const char *op, const agni_coordinates *p,
                                  const agn_tensor *values, int dense)
{
    agn_tensor *x = NULL;
    if (agn_scope_status(s))
        return NULL;
    agn_status st = agni_coo_new(&x, op, p, values, dense);
    return agn_scope_adopt(s, st, &x);
}

const agn_tensor *agni_with_values_in(agn_scope *s, const char *op, const agn_tensor *a,
                                      const agn_tensor *values)
{
    agn_tensor *x = NULL;
    if (agn_scope_status(s))
        return NULL;
    agn_status st = AGN_OK;
    if (a->layout == AGN_COO)
        st = agni_coo_new(&x, op, agni_coo_of(a)->places, values, agni_coo_of(a)->dense);
    else
        st = new_compressed(&x, op, ((const agni_csr *)agni_sparse_parts(a))->pattern, values,
                            a->layout);
    return agn_scope_adopt(s, st, &x);
}

bool agni_same_places(const agn_tensor *a, const agn_tensor *b)
{
    if (a->layout != b->layout)
        return false;
    if (a->layout != AGN_COO) {
        const agni_obj *p = &((const agni_csr *)agni_sparse_parts(a))->pattern->head;
        const agni_obj *q = &((const agni_csr *)agni_sparse_parts(b))->pattern->head;
        return p == q || p->type->equal(p, q);
    }
    const agni_obj *p = &agni_coo_of(a)->places->head, *q = &agni_coo_of(b)->places->head;
    return agni_coo_of(a)->dense == agni_coo_of(b)->dense &&
           (p == q || p->type->equal(p, q));
}

agn_status agni_csr_parts(const char *op, const agn_tensor *a, const agni_csr **out)
{
    if (a->layout == AGN_DENSE)
        return agni_fail(AGN_EUNSUPPORTED, "%s: a is dense, a sparse one is needed: %s %s", op,
                         agni_dtypes[a->dtype].name, AGNI_SHAPE(a));
    if (a->layout != AGN_CSR)
        return agni_fail(AGN_EUNSUPPORTED,
                         "%s: a is %s %s, compressed rows are needed: sparse_to_csr makes them", op,
                         agni_layout_names[a->layout], AGNI_SHAPE(a));
    *out = agni_csr_of(a);
    return AGN_OK;
}
