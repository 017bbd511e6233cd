/* tensor/matmul/matmul.c - the op matmul: inference, derivative, public function. It takes [...,
   m, k] and [..., k, n] with leading axes that broadcast; 1-D operands become matrices before
   it. */
#include "tensor/matmul/matmul.h"
#include "tensor/rows/traits.h"

#include <string.h>

static agn_status infer_matmul(agni_call *c)
{
    const agn_tensor *a = c->in[0], *b = c->in[1];
    if (a->ndim < 2 || b->ndim < 2)
        return agni_fail(AGN_ESHAPE, "matmul: matrices are needed: a is %s, b is %s", AGNI_SHAPE(a),
                         AGNI_SHAPE(b));
    int64_t m = a->shape[a->ndim - 2], k = a->shape[a->ndim - 1];
    int64_t k2 = b->shape[b->ndim - 2], n = b->shape[b->ndim - 1];
    if (k != k2)
        return agni_fail(AGN_ESHAPE, "matmul: inner dimensions differ: a is %s, b is %s",
                         AGNI_SHAPE(a), AGNI_SHAPE(b));
    agni_meta *o = c->meta;
    o->dtype = a->dtype;
    o->ndim = a->ndim - 2;
    memcpy(o->shape, a->shape, (size_t)o->ndim * sizeof *o->shape);
    if (!agni_broadcast_into(o, b->ndim - 2, b->shape))
        return agni_fail(AGN_ESHAPE, "matmul: batches do not broadcast: a is %s, b is %s",
                         AGNI_SHAPE(a), AGNI_SHAPE(b));
    o->shape[o->ndim] = m;
    o->shape[o->ndim + 1] = n;
    o->ndim += 2;
    int64_t size;
    return agni_shape_check("matmul", o->ndim, o->shape, &size);
}

/* ---- derivative ------------------------------------------------------------------------------ */

static const agn_tensor *conjugate_transpose(agn_scope *s, const agn_tensor *x)
{
    if (!x)
        return NULL;
    if (agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        x = agni_apply_in(s, &agni_op_conj, NULL, 1, &x);
    return agni_apply_in(s, &agni_op_permute, &(agni_attr){.ni = 2, .i = (const int64_t[]){-1, -2}},
                         1, &x);
}

/* all rows of a batch of matrices as one matrix */
static const agn_tensor *merge_rows(agn_scope *s, const agn_tensor *x)
{
    int64_t n = x->shape[x->ndim - 1], rows = 1;
    for (int d = 0; d < x->ndim - 1; d++)
        rows *= x->shape[d];
    return agni_reshape(s, x, 2, (int64_t[]){rows, n});
}

static const agn_tensor *matmul_transpose(agn_scope *s, const agni_rule *r, int i,
                                          const agn_tensor *g)
{
    const agn_tensor *a[2] = {g, g};
    if (i == 1 && r->x[1]->ndim == 2 && r->x[0]->ndim > 2) { /* one product, no sum over the batch */
        const agn_tensor *x = merge_rows(s, r->x[0]), *y = merge_rows(s, g);
        const agn_tensor *q[2] = {conjugate_transpose(s, x), y};
        return q[0] && y ? agni_apply_in(s, &agni_op_matmul, NULL, 2, q) : NULL;
    }
    a[!i] = conjugate_transpose(s, r->x[!i]);
    /* i = 0: g b^H, i = 1: a^H g */
    const agn_tensor *p[2] = {i == 0 ? g : a[0], i == 0 ? a[1] : g};
    return agni_unbroadcast(s, agni_apply_in(s, &agni_op_matmul, NULL, 2, p), r->x[i]);
}

static agni_slots slots_matmul;
const agni_op agni_op_matmul = {
    .name = "matmul",
    .takes = "a b",
    .cls = AGNI_MULTI,
    .nin = 2,
    .nout = 1,
    .dtypes = AGNI_NUMBERS,
    .diff = 3,
    .promote = 3,
    .result = AGNI_OUT_SAME,
    .ew = -1,
    .infer = infer_matmul,
    .cpu = agni_cpu_matmul,
    .scratch = agni_matmul_scratch,
    .prepacked = &agni_matmul_prepacked,
    .transpose = matmul_transpose,
    .batch = agni_batch_aligned,
    .slots = &slots_matmul,
    .lo = -2,
    .hi = 2,
    .lo2 = -2,
    .hi2 = 2,
    .traits = AGNI_ZERO_LOST,
    .zeros = AGNI_ZEROS_JOINED, .doc = "matrix product",
};

agn_status agn_matmul(agn_tensor **out, const agn_tensor *a, const agn_tensor *b)
{
    if (!out || !a || !b)
        return agni_fail(AGN_ENULL, "matmul: %s is NULL", !out ? "out" : !a ? "a" : "b");
    if (a->ndim == 0 || b->ndim == 0)
        return agni_fail(AGN_ESHAPE, "matmul: 0-D operands have no rows: a is %s, b is %s",
                         AGNI_SHAPE(a), AGNI_SHAPE(b));
    if (a->dtype == AGN_BOOL && b->dtype == AGN_BOOL)
        return agni_fail(AGN_EDTYPE, "matmul: not defined for bool, for numbers: a is %s, b is %s",
                         AGNI_SHAPE(a), AGNI_SHAPE(b));
    bool row = a->ndim == 1, col = b->ndim == 1;
    if (!row && !col)
        return agni_apply_public(out, &agni_op_matmul, NULL, 2, (const agn_tensor *[]){a, b});
    if (a->shape[a->ndim - 1] != b->shape[col ? 0 : b->ndim - 2])
        return agni_fail(AGN_ESHAPE, "matmul: inner dimensions differ: a is %s, b is %s",
                         AGNI_SHAPE(a), AGNI_SHAPE(b));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *A = row ? agni_reshape(s, a, 2, (int64_t[]){1, a->shape[0]}) : a;
    const agn_tensor *B = col ? agni_reshape(s, b, 2, (int64_t[]){b->shape[0], 1}) : b;
    const agn_tensor *y = A && B ? agni_apply_in(s, &agni_op_matmul, NULL, 2,
                                                 (const agn_tensor *[]){A, B})
                                 : NULL;
    if (y) {
        int64_t shape[AGNI_MAX_RANK];
        int n = 0;
        for (int d = 0; d < y->ndim - 2; d++)
            shape[n++] = y->shape[d];
        if (!row)
            shape[n++] = y->shape[y->ndim - 2];
        if (!col)
            shape[n++] = y->shape[y->ndim - 1];
        y = agni_reshape(s, y, n, shape);
    }
    agn_scope_return(s, out, y);
    return agn_scope_close(s);
}
