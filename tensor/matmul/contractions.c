/* tensor/matmul/contractions.c - dot, outer, tensordot, kron, cross, addmm: compositions of
   permute, reshape, matmul and mul. */
#include "tensor/dispatch/op_helpers.h"

#include <agnesi/ag.h>
#include <string.h>

static agn_status check_operands(const char *op, agn_tensor *const *out, const agn_tensor *a,
                                 const agn_tensor *b)
{
    if (!out || !a || !b)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op,
                         !out ? "out"
                         : !a ? "a"
                              : "b");
    if (a->dtype == AGN_BOOL && b->dtype == AGN_BOOL)
        return agni_fail(AGN_EDTYPE, "%s: not defined for bool, for numbers: a is %s, b is %s", op,
                         AGNI_SHAPE(a), AGNI_SHAPE(b));
    return AGN_OK;
}
static const agn_tensor *conjugate_if_complex(agn_scope *s, const agn_tensor *x)
{
    return x && agni_kind(x->dtype) == AGNI_KIND_COMPLEX ? ag_conj(s, x) : x;
}
static agn_status fail_sizes_differ(const char *op, const agn_tensor *a, const agn_tensor *b)
{
    return agni_fail(AGN_ESHAPE, "%s: the sizes to sum over differ: a is %s, b is %s",
                     op, AGNI_SHAPE(a), AGNI_SHAPE(b));
}

/* ---- vectors and matrices -------------------------------------------------------- */

agn_status agn_vecdot(agn_tensor **out, const agn_tensor *a, const agn_tensor *b,
                      int32_t axis)
{
    agn_status st = check_operands("vecdot", out, a, b);
    if (st)
        return st;
    int of_a = axis < 0 ? axis : axis - a->ndim, of_b = axis < 0 ? axis : axis - b->ndim;
    if (of_a >= 0 || of_b >= 0 || of_a < -a->ndim || of_b < -b->ndim)
        return agni_fail(AGN_EINDEX, "vecdot: axis %d is not one of both: a is %s, b is %s", axis,
                         AGNI_SHAPE(a), AGNI_SHAPE(b));
    if (a->shape[a->ndim + of_a] != b->shape[b->ndim + of_b])
        return fail_sizes_differ("vecdot", a, b);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *row = agni_move_axis(s, conjugate_if_complex(s, a), of_a, -1);
    const agn_tensor *col = agni_move_axis(s, b, of_b, -1);
    const agn_tensor *y = ag_matmul(s, ag_expand_dims(s, row, -2),
                                    ag_expand_dims(s, col, -1));
    return agni_return("vecdot", s, out, ag_squeeze(s, ag_squeeze(s, y, -1), -1));
}

agn_status agn_mv(agn_tensor **out, const agn_tensor *a, const agn_tensor *b)
{
    agn_status st = check_operands("mv", out, a, b);
    if (st)
        return st;
    if (a->ndim < 2 || b->ndim < 1)
        return agni_fail(AGN_ESHAPE,
                         "mv: a matrix and a vector are needed: a is %s, b is %s",
                         AGNI_SHAPE(a), AGNI_SHAPE(b));
    agn_scope *s = agn_scope_open(NULL);
    return agni_return("mv", s, out, ag_squeeze(s, ag_matmul(s, a, ag_expand_dims(s, b, -1)), -1));
}

agn_status agn_outer(agn_tensor **out, const agn_tensor *a, const agn_tensor *b)
{
    agn_status st = check_operands("outer", out, a, b);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *col = agni_reshape(s, a, 2, (int64_t[]){a->size, 1});
    const agn_tensor *row = agni_reshape(s, b, 2, (int64_t[]){1, b->size});
    return agni_return("outer", s, out, ag_mul(s, col, row));
}

agn_status agn_addmm(agn_tensor **out, const agn_tensor *c, const agn_tensor *a,
                     const agn_tensor *b, double beta, double alpha)
{
    agn_status st = check_operands("addmm", out, a, b);
    if (!st && !c)
        st = agni_fail(AGN_ENULL, "addmm: c is NULL");
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_matmul(s, a, b);
    agni_meta m = {.ndim = y ? y->ndim : 0};
    if (y)
        memcpy(m.shape, y->shape, (size_t)y->ndim * sizeof *m.shape);
    if (y && (!agni_broadcast_into(&m, c->ndim, c->shape) || m.ndim != y->ndim ||
              memcmp(m.shape, y->shape, (size_t)y->ndim * sizeof *m.shape)))
        agn_scope_fail(s,
                       agni_fail(AGN_ESHAPE, "addmm: c is %s; it must broadcast to %s",
                                 AGNI_SHAPE(c), AGNI_SHAPE(y)));
    y = alpha == 1 ? y : ag_mul_c(s, y, alpha);
    if (beta != 0)
        y = ag_add(s, beta == 1 ? c : ag_mul_c(s, c, beta), y);
    return agni_return("addmm", s, out, y);
}

/* ---- tensors --------------------------------------------------------------------- */

/* marks n different axes of x, counted from 0 in which[] */
static agn_status mark_axes(const char *op, const agn_tensor *x, const int32_t *axes, int32_t n,
                            bool *used, int *which)
{
    for (int k = 0; k < n; k++) {
        agn_status st = agni_axis(op, axes[k], x->ndim, &which[k]);
        if (st)
            return st;
        if (used[which[k]])
            return agni_fail(AGN_EARG, "%s: axis %d of %s is named twice", op, which[k],
                             AGNI_SHAPE(x));
        used[which[k]] = true;
    }
    return AGN_OK;
}

/* x as a matrix: the free axes, then the summed ones, or the other way round; adds the
   free sizes to shape */
static const agn_tensor *flatten_to_matrix(agn_scope *s, const agn_tensor *x, const bool *used,
                                           const int *which, int n, bool summed_first,
                                           int64_t *shape, int *ndim)
{
    int32_t order[AGNI_MAX_RANK];
    int k = 0;
    int64_t size[2] = {1, 1}; /* free, summed */
    for (int i = 0; summed_first && i < n; i++)
        order[k++] = which[i];
    for (int d = 0; d < x->ndim; d++)
        if (!used[d]) {
            order[k++] = d;
            size[0] *= x->shape[d];
            shape[(*ndim)++] = x->shape[d];
        }
    for (int i = 0; i < n; i++) {
        if (!summed_first)
            order[k++] = which[i];
        size[1] *= x->shape[which[i]];
    }
    x = ag_permute(s, x, order, k);
    return ag_reshape(s, x, 2, (int64_t[]){size[summed_first], size[!summed_first]});
}

static agn_status contract_axes(agn_tensor **out, const char *op, const agn_tensor *a,
                                const agn_tensor *b, const int32_t *a_axes, const int32_t *b_axes,
                                int32_t n)
{
    bool ua[AGNI_MAX_RANK] = {false}, ub[AGNI_MAX_RANK] = {false};
    int wa[AGNI_MAX_RANK], wb[AGNI_MAX_RANK], ndim = 0;
    agn_status st = mark_axes(op, a, a_axes, n, ua, wa);
    st = st ? st : mark_axes(op, b, b_axes, n, ub, wb);
    if (st)
        return st;
    for (int k = 0; k < n; k++)
        if (a->shape[wa[k]] != b->shape[wb[k]])
            return agni_fail(AGN_ESHAPE, "%s: axis %d of a %s meets axis %d of b %s",
                             op, wa[k], AGNI_SHAPE(a), wb[k], AGNI_SHAPE(b));
    if (a->ndim + b->ndim - 2 * n > AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "%s: a %s and b %s make %d axes, above %d", op,
                         AGNI_SHAPE(a), AGNI_SHAPE(b), a->ndim + b->ndim - 2 * n,
                         AGN_MAX_RANK);
    int64_t shape[AGNI_MAX_RANK];
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *left = flatten_to_matrix(s, a, ua, wa, n, false, shape, &ndim);
    const agn_tensor *right = flatten_to_matrix(s, b, ub, wb, n, true, shape, &ndim);
    return agni_return(op, s, out, ag_reshape(s, ag_matmul(s, left, right), ndim, shape));
}

agn_status agn_tensordot(agn_tensor **out, const agn_tensor *a, const agn_tensor *b,
                         const int32_t *a_axes, const int32_t *b_axes, int32_t n)
{
    agn_status st = check_operands("tensordot", out, a, b);
    if (st)
        return st;
    if (n > 0 && (!a_axes || !b_axes))
        return agni_fail(AGN_ENULL, "tensordot: %s is NULL; %d axes are due",
                         a_axes ? "b_axes" : "a_axes", n);
    if (n < 0 || n > a->ndim || n > b->ndim)
        return agni_fail(AGN_EARG, "tensordot: %d axes of a %s and b %s", n,
                         AGNI_SHAPE(a), AGNI_SHAPE(b));
    return contract_axes(out, "tensordot", a, b, a_axes, b_axes, n);
}

agn_status agn_inner(agn_tensor **out, const agn_tensor *a, const agn_tensor *b)
{
    agn_status st = check_operands("inner", out, a, b);
    if (st)
        return st;
    int n = a->ndim && b->ndim;
    if (n && a->shape[a->ndim - 1] != b->shape[b->ndim - 1])
        return fail_sizes_differ("inner", a, b);
    return contract_axes(out, "inner", a, b, (int32_t[]){-1}, (int32_t[]){-1}, n);
}

agn_status agn_dot(agn_tensor **out, const agn_tensor *a, const agn_tensor *b)
{
    agn_status st = check_operands("dot", out, a, b);
    if (st)
        return st;
    int n = a->ndim && b->ndim, axis = b->ndim > 1 ? -2 : -1;
    if (n && a->shape[a->ndim - 1] != b->shape[b->ndim + axis])
        return fail_sizes_differ("dot", a, b);
    return contract_axes(out, "dot", a, b, (int32_t[]){-1}, (int32_t[]){axis}, n);
}

agn_status agn_kron(agn_tensor **out, const agn_tensor *a, const agn_tensor *b)
{
    agn_status st = check_operands("kron", out, a, b);
    if (st)
        return st;
    int n = a->ndim > b->ndim ? a->ndim : b->ndim;
    if (2 * n > AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE,
                         "kron: a %s and b %s: at most %d axes are possible",
                         AGNI_SHAPE(a), AGNI_SHAPE(b), AGN_MAX_RANK / 2);
    /* axes in pairs, the first of each from a, the second from b */
    int64_t sa[AGNI_MAX_RANK], sb[AGNI_MAX_RANK], shape[AGNI_MAX_RANK];
    for (int k = 0; k < n; k++) {
        int i = k - (n - a->ndim), j = k - (n - b->ndim);
        sa[2 * k] = i < 0 ? 1 : a->shape[i];
        sb[2 * k + 1] = j < 0 ? 1 : b->shape[j];
        sa[2 * k + 1] = sb[2 * k] = 1;
        shape[k] = sa[2 * k] * sb[2 * k + 1];
    }
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_mul(s, agni_reshape(s, a, 2 * n, sa),
                                 agni_reshape(s, b, 2 * n, sb));
    return agni_return("kron", s, out, ag_reshape(s, y, n, shape));
}

/* component k of the product is a[k + 1] b[k + 2] - a[k + 2] b[k + 1], modulo 3 */
agn_status agn_cross(agn_tensor **out, const agn_tensor *a, const agn_tensor *b,
                     int32_t axis)
{
    agn_status st = check_operands("cross", out, a, b);
    if (st)
        return st;
    int of_a = axis < 0 ? axis : axis - a->ndim, of_b = axis < 0 ? axis : axis - b->ndim;
    if (of_a >= 0 || of_b >= 0 || of_a < -a->ndim || of_b < -b->ndim)
        return agni_fail(AGN_EINDEX,
                         "cross: axis %d is not one of both: a is %s, b is %s", axis,
                         AGNI_SHAPE(a), AGNI_SHAPE(b));
    if (a->shape[a->ndim + of_a] != 3 || b->shape[b->ndim + of_b] != 3)
        return agni_fail(AGN_ESHAPE,
                         "cross: axis %d must have size 3: a is %s, b is %s", axis,
                         AGNI_SHAPE(a), AGNI_SHAPE(b));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x[3], *y[3], *part[3];
    for (int k = 0; k < 3; k++) {
        x[k] = ag_index_axis(s, a, of_a, k);
        y[k] = ag_index_axis(s, b, of_b, k);
    }
    for (int k = 0; k < 3; k++) {
        int p = (k + 1) % 3, q = (k + 2) % 3;
        part[k] = ag_sub(s, ag_mul(s, x[p], y[q]), ag_mul(s, x[q], y[p]));
    }
    return agni_return("cross", s, out, ag_stack(s, part, 3, axis));
}
