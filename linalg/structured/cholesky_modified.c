/* linalg/structured/cholesky_modified.c - Cholesky's factor of the nearby positive definite matrix that
   follows from the factors l d l^H of an indefinite one (Cheng & Higham 1998). */
#include "linalg/linalg.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <math.h>
#include <string.h>

/* rows and columns of x in the order perm [..., n] */
static const agn_tensor *reorder_both(agn_scope *s, const agn_tensor *x, const agn_tensor *perm)
{
    if (!x || !perm)
        return NULL;
    x = ag_take_along_axis(s, x, ag_broadcast_to(s, ag_expand_dims(s, perm, -1), x->ndim, x->shape),
                           -2);
    return x ? ag_take_along_axis(
                   s, x, ag_broadcast_to(s, ag_expand_dims(s, perm, -2), x->ndim, x->shape), -1)
             : NULL;
}

/* x [..., n - 1] with a 0 before or behind */
static const agn_tensor *pad_line(agn_scope *s, const agn_tensor *x, bool before)
{
    if (!x)
        return NULL;
    int64_t shape[AGNI_MAX_RANK];
    memcpy(shape, x->shape, (size_t)x->ndim * sizeof *shape);
    shape[x->ndim - 1] = 1;
    const agn_tensor *none = agni_full(s, 0, x->dtype, x->ndim, shape);
    return ag_concat(s, before ? (const agn_tensor *[]){none, x} : (const agn_tensor *[]){x, none},
                     2, -1);
}

/* x [..., n] moved by one place along its axis, a 0 at the end that is free */
static const agn_tensor *shift_line(agn_scope *s, const agn_tensor *x, bool forward)
{
    if (!x)
        return NULL;
    const agn_tensor *part[2] = {NULL};
    int64_t start[AGNI_MAX_RANK] = {0}, stop[AGNI_MAX_RANK], step[AGNI_MAX_RANK];
    memcpy(stop, x->shape, (size_t)x->ndim * sizeof *stop);
    for (int i = 0; i < x->ndim; i++)
        step[i] = 1;
    start[x->ndim - 1] = !forward;
    stop[x->ndim - 1] -= forward;
    part[0] = ag_slice(s, x, x->ndim, start, stop, step);
    return pad_line(s, part[0], forward);
}

/* Blocks of d whose eigenvalues are raised to `least`. A block [p, conj(q); q, r] with values m +- h is
   m + (block - m); of new values it is the mean of them plus the same times a quotient of gaps. */
static const agn_tensor *raise_blocks(agn_scope *s, const agn_tensor *d, const agn_tensor *least,
                                      const agn_tensor **any)
{
    const agn_tensor *main = ag_real(s, ag_diagonal(s, d, 0, -2, -1)),
                     *low = pad_line(s, ag_diagonal(s, d, -1, -2, -1), false);
    const agn_tensor *none = ag_zeros_like(s, main), *one = ag_ones_like(s, main);
    const agn_tensor *opens = ag_ne(s, ag_abs(s, ag_stop_gradient(s, low)), none),
                     *closes = shift_line(s, ag_cast(s, opens, AGN_I32), true);
    closes = ag_ne(s, closes, ag_zeros_like(s, closes));
    /* of the block that opens here */
    const agn_tensor *next = shift_line(s, main, false);
    const agn_tensor *mean = ag_mul_c(s, ag_add(s, main, next), 0.5),
                     *half = ag_mul_c(s, ag_sub(s, main, next), 0.5);
    const agn_tensor *size = ag_where(s, opens, ag_abs(s, low), one);
    const agn_tensor *gap = ag_hypot(s, half, size);
    const agn_tensor *high = ag_maximum(s, ag_add(s, mean, gap), least),
                     *deep = ag_maximum(s, ag_sub(s, mean, gap), least);
    const agn_tensor *middle = ag_mul_c(s, ag_add(s, high, deep), 0.5),
                     *ratio = ag_div(s, ag_mul_c(s, ag_sub(s, high, deep), 0.5), gap);
    const agn_tensor *turned = ag_mul(s, ratio, half);
    const agn_tensor *alone = ag_maximum(s, main, least);
    const agn_tensor *y = ag_where(
        s, opens, ag_add(s, middle, turned),
        ag_where(s, closes, shift_line(s, ag_sub(s, middle, turned), true), alone));
    const agn_tensor *off = ag_where(s, opens, ag_mul(s, low, ratio), ag_zeros_like(s, low));
    const agn_tensor *changed = ag_logical_or(
        s, ag_logical_and(s, opens, ag_ne(s, ag_stop_gradient(s, ratio), one)),
        ag_logical_and(s, ag_logical_not(s, ag_logical_or(s, opens, closes)),
                       ag_lt(s, ag_stop_gradient(s, main), least)));
    *any = ag_any(s, changed, (const int32_t[]){-1}, 1, true);
    if (!off)
        return NULL;
    int64_t start[AGNI_MAX_RANK] = {0}, stop[AGNI_MAX_RANK], step[AGNI_MAX_RANK];
    memcpy(stop, off->shape, (size_t)off->ndim * sizeof *stop);
    for (int i = 0; i < off->ndim; i++)
        step[i] = 1;
    stop[off->ndim - 1] -= 1;
    const agn_tensor *below = ag_slice(s, off, off->ndim, start, stop, step);
    const agn_tensor *diagonal = ag_diag_embed(s, y, 0, -2, -1);
    diagonal = d && diagonal ? ag_cast(s, diagonal, d->dtype) : NULL;
    return ag_add(s, diagonal,
                  ag_add(s, ag_diag_embed(s, below, -1, -2, -1),
                         ag_diag_embed(s, agni_conjugate_dense(s, below), 1, -2, -1)));
}

/* delta, or sqrt(eps) times the largest sum of a row, or of 1 for a matrix of zeros: [..., 1] */
static const agn_tensor *choose_least(agn_scope *s, const agn_tensor *x, double delta)
{
    const int32_t last = -1;
    const agn_tensor *size = ag_amax(
        s, ag_sum(s, ag_abs(s, ag_stop_gradient(s, x)), &last, 1, false), &last, 1, true);
    if (!size)
        return NULL;
    if (delta >= 0)
        return agni_full_like(s, delta, size);
    const double eps = size->dtype == AGN_F32 ? 0x1p-23 : 0x1p-52;
    const agn_tensor *none = ag_zeros_like(s, size);
    return ag_mul_c(s, ag_where(s, ag_gt(s, size, none), size, ag_ones_like(s, size)), sqrt(eps));
}

agn_status agn_linalg_cholesky_modified(agn_tensor **l, agn_tensor **e, const agn_tensor *a,
                                        double delta, bool upper)
{
    static const char op[] = "linalg_cholesky_modified";
    AGNI_NEED(op, l);
    AGNI_NEED(op, e);
    AGNI_NEED(op, a);
    agn_status st = agni_need_square(op, a);
    if (!st && !(delta != 0 && delta <= 1.7976931348623157e308))
        st = agni_fail(AGN_EARG, "%s: delta is %g for a of %s", op, delta, AGNI_SHAPE(a));
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_as_field(s, a), *y = NULL, *change = NULL;
    x = x ? agni_complete_triangle(s, x, upper) : NULL;
    if (x && x->shape[x->ndim - 1] == 0) {
        y = ag_positive(s, x);
        change = ag_zeros_like(s, x);
    } else if (x) {
        agn_tensor *f[3] = {NULL};
        st = agn_linalg_ldl_factor(&f[0], &f[1], &f[2], x, false, true);
        const agn_tensor *part[3], *any = NULL;
        for (int i = 0; i < 3; i++)
            part[i] = agn_scope_adopt(s, st, &f[i]);
        const agn_tensor *d = raise_blocks(s, part[1], choose_least(s, x, delta), &any);
        const agn_tensor *sum = ag_matmul(s, part[0],
                                          ag_matmul(s, d, agni_conjugate_transpose(s, part[0])));
        sum = reorder_both(s, sum, ag_argsort(s, part[2], -1, false));
        sum = ag_where(s, ag_expand_dims(s, any, -1), sum, x);
        y = ag_linalg_cholesky(s, sum, upper);
        change = ag_sub(s, sum, x);
    }
    agn_scope_return(s, l, y);
    agn_scope_return(s, e, change);
    return agni_rename_error(op, agn_scope_close(s));
}
