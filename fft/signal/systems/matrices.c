/* fft/signal/systems/matrices.c - state spaces: checks, blocks of matrices, exponentials of blocks
   (Van Loan 1978). */
#include "fft/signal/systems/systems.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>

agn_status agni_system_check(agni_system *y, const char *op, const agn_tensor *a,
                             const agn_tensor *b, const agn_tensor *c, const agn_tensor *d,
                             int extra)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    *y = (agni_system){.m = {a, b, c, d}};
    for (int k = 0; k < 4; k++) {
        if (!y->m[k] && k < 3)
            return agni_fail(AGN_ENULL, "%s: %s is NULL", op, names[k]);
        if (y->m[k] && (y->m[k]->ndim < 2 || y->m[k]->ndim + extra > AGNI_MAX_RANK))
            return agni_fail(AGN_ESHAPE,
                             "%s: %s is %s of rank %d; it is a matrix, with room for %d more axes",
                             op, names[k], AGNI_SHAPE(y->m[k]), y->m[k]->ndim, extra);
    }
    y->order = a->shape[a->ndim - 1];
    y->inputs = b->shape[b->ndim - 1];
    y->outputs = c->shape[c->ndim - 2];
    bool fits = y->order && a->shape[a->ndim - 2] == y->order &&
                b->shape[b->ndim - 2] == y->order && c->shape[c->ndim - 1] == y->order;
    if (!fits)
        return agni_fail(AGN_ESHAPE,
                         "%s: a is %s, b %s, c %s; they are [order, order], [order, inputs] and "
                         "[outputs, order], the order not 0",
                         op, AGNI_SHAPE(a), AGNI_SHAPE(b), AGNI_SHAPE(c));
    if (d && (d->shape[d->ndim - 2] != y->outputs || d->shape[d->ndim - 1] != y->inputs))
        return agni_fail(AGN_ESHAPE, "%s: d is %s; from b %s and c %s it is [%lld, %lld]", op,
                         AGNI_SHAPE(d), AGNI_SHAPE(b), AGNI_SHAPE(c), (long long)y->outputs,
                         (long long)y->inputs);
    y->dtype = agni_signal_common_dtype(d ? 4 : 3, y->m);
    return AGN_OK;
}

void agni_system_cast(agn_scope *s, agni_system *y)
{
    for (int k = 0; k < 4; k++)
        y->m[k] = y->m[k] ? agni_cast(s, y->m[k], y->dtype) : NULL;
}

const agn_tensor *agni_matrix_place(agn_scope *s, const agn_tensor *x, int64_t row, int64_t column,
                                    int64_t rows, int64_t columns)
{
    int64_t lo[AGNI_MAX_RANK] = {0}, hi[AGNI_MAX_RANK] = {0};
    if (!x)
        return NULL;
    int r = x->ndim - 2, c = x->ndim - 1;
    lo[r] = row;
    lo[c] = column;
    hi[r] = rows - row - x->shape[r];
    hi[c] = columns - column - x->shape[c];
    return ag_pad(s, x, x->ndim, lo, hi, 0);
}

const agn_tensor *agni_system_block(agn_scope *s, const agn_tensor *x, int64_t row, int64_t column,
                                    int64_t rows, int64_t columns)
{
    int64_t start[AGNI_MAX_RANK] = {0}, stop[AGNI_MAX_RANK], step[AGNI_MAX_RANK];
    if (!x)
        return NULL;
    for (int d = 0; d < x->ndim; d++) {
        stop[d] = x->shape[d];
        step[d] = 1;
    }
    int r = x->ndim - 2, c = x->ndim - 1;
    start[r] = row;
    stop[r] = row + rows;
    start[c] = column;
    stop[c] = column + columns;
    return ag_slice(s, x, x->ndim, start, stop, step);
}

const agn_tensor *agni_system_exponential(agn_scope *s, const agni_system *y, double period,
                                          bool linear)
{
    int64_t n = y->order, q = y->inputs, size = n + (linear ? 2 * q : q);
    const agn_tensor *a = agni_matrix_place(s, y->m[0], 0, 0, size, size);
    const agn_tensor *m = ag_mul_c(s, ag_add(s, a, agni_matrix_place(s, y->m[1], 0, n, size, size)),
                                   period);
    if (linear) {
        const agn_tensor *one = ag_eye(s, (agn_dtype)y->dtype, q, q, 0);
        m = ag_add(s, m, agni_matrix_place(s, one, n, n + q, size, size));
    }
    return ag_linalg_matrix_exp(s, m);
}

const agn_tensor *agni_roots_evaluate(agn_scope *s, const agn_tensor *root, const agn_tensor *x)
{
    if (!root || !x)
        return NULL;
    const agn_tensor *away = ag_sub(s, ag_expand_dims(s, x, -1), ag_expand_dims(s, root, -2));
    return ag_prod(s, away, (int32_t[]){-1}, 1, false);
}

const agn_tensor *agni_polynomial_evaluate(agn_scope *s, const agn_tensor *c, const agn_tensor *x)
{
    const agn_tensor *y = NULL;
    if (!c || !x)
        return NULL;
    c = agni_cast(s, c, x->dtype);
    for (int64_t k = 0; c && k < c->shape[c->ndim - 1] && !agn_scope_status(s); k++) {
        const agn_tensor *now = agni_signal_part(s, c, k, 1);
        y = k ? ag_add(s, ag_mul(s, y, x), now) : ag_add(s, now, ag_mul_c(s, x, 0));
    }
    return y;
}
