/* linalg/orthogonal/bases.c - orthonormal bases of ranges and null spaces, and QR with column
   interchanges. */
#include "linalg/linalg.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <math.h>
#include <string.h>

/* ---- the order of columns: the op -------------------------------------------------- */

static agn_status infer_pivots(agni_call *c)
{
    const agn_tensor *a = c->in[0];
    agn_status st = agni_check_matrix(c->op->name, a);
    if (st)
        return st;
    c->meta->dtype = AGN_I64;
    c->meta->ndim = a->ndim - 1;
    memcpy(c->meta->shape, a->shape, (size_t)a->ndim * sizeof *a->shape);
    c->meta->shape[a->ndim - 2] = a->shape[a->ndim - 1];
    return AGN_OK;
}

static agni_slots slots;
const agni_op agni_op_linalg_qr_pivots = {.name = "linalg_qr_pivots",
                                          .takes = "a",
                                          .cls = AGNI_DISCRETE,
                                          .nin = 1,
                                          .nout = 1,
                                          .dtypes = AGNI_FIELDS,
                                          .promote = 1,
                                          .ew = -1,
                                          .infer = infer_pivots,
                                          .cpu = agni_cpu_qr_pivots,
                                          .batch = agni_batch_front,
                                          .slots = &slots,
                                          .lo = -2,
                                          .hi = 2,
                                          .doc = "order of columns of QR with interchanges"};

agn_status agn_linalg_qr_pivoted(agn_tensor **q, agn_tensor **r, agn_tensor **perm,
                                 const agn_tensor *a, bool complete)
{
    static const char op[] = "linalg_qr_pivoted";
    AGNI_NEED(op, q);
    AGNI_NEED(op, r);
    AGNI_NEED(op, perm);
    AGNI_NEED(op, a);
    agn_status st = agni_need_matrix(op, a);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_as_field(s, a), *f[2] = {NULL};
    const agn_tensor *order = x ? agni_apply_in(s, &agni_op_linalg_qr_pivots, NULL, 1, &x) : NULL;
    if (order) {
        const agn_tensor *at = ag_broadcast_to(s, ag_expand_dims(s, order, -2), x->ndim, x->shape);
        x = ag_take_along_axis(s, x, at, -1);
    }
    if (order && x)
        agni_apply_many_in(s, &agni_op_linalg_qr,
                           &(agni_attr){.ni = 1, .i = (const int64_t[]){complete}}, 1, &x, 2, f);
    agn_scope_return(s, q, f[0]);
    agn_scope_return(s, r, f[1]);
    agn_scope_return(s, perm, order);
    return agni_rename_error(op, agn_scope_close(s));
}

/* ---- bases of a given rank ---------------------------------------------------------- */

static agn_status check_rank(const char *op, const agn_tensor *a, int64_t rank, double rcond)
{
    agn_status st = agni_need_matrix(op, a);
    if (st)
        return st;
    int64_t m = a->shape[a->ndim - 2], n = a->shape[a->ndim - 1], k = m < n ? m : n;
    if (rank < 0 || rank > k)
        return agni_fail(AGN_EARG, "%s: a rank of %lld, a is %s", op, (long long)rank,
                         AGNI_SHAPE(a));
    if (rcond != rcond || rcond >= 1)
        return agni_fail(AGN_EARG, "%s: rcond is %g, not below %g", op, rcond, 1.0);
    return AGN_OK;
}

/* elements from .. to - 1 of the last axis */
static const agn_tensor *take_columns(agn_scope *s, const agn_tensor *x, int64_t from, int64_t to)
{
    if (!x)
        return NULL;
    int64_t start[AGNI_MAX_RANK] = {0}, stop[AGNI_MAX_RANK], step[AGNI_MAX_RANK];
    for (int d = 0; d < x->ndim; d++) {
        stop[d] = x->shape[d];
        step[d] = 1;
    }
    start[x->ndim - 1] = from;
    stop[x->ndim - 1] = to;
    return ag_slice(s, x, x->ndim, start, stop, step);
}

/* u + d - d0 with d0 the value of d, made orthonormal: u itself, which moves with d */
static const agn_tensor *move_with(agn_scope *s, const agn_tensor *u, const agn_tensor *d)
{
    const agn_tensor *moved = ag_add(s, u, ag_sub(s, d, ag_stop_gradient(s, d))), *y[2] = {NULL};
    if (moved)
        agni_apply_many_in(s, &agni_op_linalg_polar, NULL, 1, &moved, 2, y);
    return y[0];
}

/* NaN where the matrix is not of that rank */
static const agn_tensor *of_rank(agn_scope *s, const agn_tensor *a, int64_t rank, double rcond,
                                 const agn_tensor *y)
{
    const agn_tensor *found = ag_linalg_matrix_rank(s, a, rcond);
    if (!found || !y)
        return NULL;
    const agn_tensor *good = ag_eq(s, found, agni_full_like(s, (double)rank, found));
    good = ag_expand_dims(s, ag_expand_dims(s, good, -1), -1);
    return ag_where(s, good, y, agni_full_like(s, (double)NAN, y));
}

agn_status agn_linalg_orth(agn_tensor **out, const agn_tensor *a, int64_t rank, double rcond)
{
    static const char op[] = "linalg_orth";
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    agn_status st = check_rank(op, a, rank, rcond);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_as_field(s, a), *fixed = ag_stop_gradient(s, x), *f[3] = {NULL};
    if (fixed)
        agni_apply_many_in(s, &agni_op_linalg_svd, &(agni_attr){.ni = 1, .i = (const int64_t[]){0}},
                           1, &fixed, 3, f);
    const agn_tensor *u = take_columns(s, f[0], 0, rank);
    const agn_tensor *projected = ag_matmul(s, x, ag_matmul(s, ag_linalg_pinv(s, x, rcond), u));
    return agni_return(op, s, out, of_rank(s, x, rank, rcond, move_with(s, u, projected)));
}

agn_status agn_linalg_null_space(agn_tensor **out, const agn_tensor *a, int64_t rank, double rcond)
{
    static const char op[] = "linalg_null_space";
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    agn_status st = check_rank(op, a, rank, rcond);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    int64_t n = a->shape[a->ndim - 1];
    const agn_tensor *x = agni_as_field(s, a), *fixed = ag_stop_gradient(s, x), *f[3] = {NULL};
    if (fixed)
        agni_apply_many_in(s, &agni_op_linalg_svd, &(agni_attr){.ni = 1, .i = (const int64_t[]){1}},
                           1, &fixed, 3, f);
    const agn_tensor *u = take_columns(s, agni_conjugate_transpose(s, f[2]), rank, n);
    const agn_tensor *lost = ag_matmul(s, ag_linalg_pinv(s, x, rcond), ag_matmul(s, x, u));
    return agni_return(op, s, out, of_rank(s, x, rank, rcond, move_with(s, u, ag_neg(s, lost))));
}

/* ---- complete orthogonal decomposition ------------------------------------------------ */

/* the first r columns in pivot order are q [m, r] with x1 = q r11, the others q r12; [r11, r12]^H =
   z s, t = s^H */
agn_status agn_linalg_complete_orthogonal(agn_tensor **u, agn_tensor **t, agn_tensor **vh,
                                          const agn_tensor *a, int64_t rank, double rcond)
{
    static const char op[] = "linalg_complete_orthogonal";
    AGNI_NEED(op, u);
    AGNI_NEED(op, t);
    AGNI_NEED(op, vh);
    AGNI_NEED(op, a);
    agn_status st = check_rank(op, a, rank, rcond);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    int64_t m = a->shape[a->ndim - 2], n = a->shape[a->ndim - 1];
    const agn_tensor *x = agni_as_field(s, a), *f[2] = {NULL}, *g[2] = {NULL};
    const agn_tensor *order = x ? agni_apply_in(s, &agni_op_linalg_qr_pivots, NULL, 1, &x) : NULL;
    if (!order)
        return agni_return(op, s, u, NULL);
    x = ag_take_along_axis(s, x,
                           ag_broadcast_to(s, ag_expand_dims(s, order, -2), x->ndim, x->shape), -1);
    const agn_tensor *first = take_columns(s, x, 0, rank), *others = take_columns(s, x, rank, n),
                     *rest = others;
    const int64_t reduced = 0;
    const agni_attr at = {.ni = 1, .i = &reduced};
    if (first)
        agni_apply_many_in(s, &agni_op_linalg_qr, &at, 1, &first, 2, f);
    const agn_tensor *beside = ag_matmul(s, agni_conjugate_transpose(s, f[0]), others);
    rest = ag_sub(s, others, ag_matmul(s, f[0], beside));
    const agn_tensor *wide = ag_concat(s, (const agn_tensor *[]){f[1], beside}, 2, -1);
    const agn_tensor *tall = agni_conjugate_transpose(s, wide);
    if (tall)
        agni_apply_many_in(s, &agni_op_linalg_qr, &at, 1, &tall, 2, g);
    const agn_tensor *zh = agni_conjugate_transpose(s, g[0]),
                     *back = ag_argsort(s, order, -1, false);
    if (zh && back)
        zh = ag_take_along_axis(
            s, zh, ag_broadcast_to(s, ag_expand_dims(s, back, -2), zh->ndim, zh->shape), -1);
    /* what is left counts as 0, the last pivot does not */
    const agn_tensor *results[3] = {f[0], agni_conjugate_transpose(s, g[1]), zh};
    if (m && n && x && rest) {
        const int32_t both[] = {-2, -1}, last = -1;
        const double eps = agni_dtypes[x->dtype].bytes == 4 || x->dtype == AGN_C64 ? 0x1p-23
                                                                                   : 0x1p-52;
        double tol = rcond < 0 ? (double)(m > n ? m : n) * eps : rcond;
        const agn_tensor *fixed = ag_stop_gradient(s, x), *left = ag_stop_gradient(s, rest);
        const agn_tensor *bound = ag_mul_c(
            s,
            ag_sqrt(s, ag_amax(s, ag_sum(s, ag_square(s, ag_abs(s, fixed)), both, 1, false), &last,
                               1, false)),
            tol);
        const agn_tensor *good = ag_le(
            s, ag_sqrt(s, ag_sum(s, ag_square(s, ag_abs(s, left)), both, 2, false)), bound);
        if (rank) {
            const agn_tensor *d = ag_abs(s, ag_stop_gradient(s, ag_diagonal(s, f[1], 0, -2, -1)));
            good = ag_logical_and(s, good, ag_gt(s, ag_amin(s, d, &last, 1, false), bound));
        }
        good = ag_expand_dims(s, ag_expand_dims(s, good, -1), -1);
        for (int k = 0; k < 3 && results[k]; k++)
            results[k] = ag_where(s, good, results[k], agni_full_like(s, (double)NAN, results[k]));
    }
    agn_scope_return(s, u, results[0]);
    agn_scope_return(s, t, results[1]);
    agn_scope_return(s, vh, results[2]);
    return agni_rename_error(op, agn_scope_close(s));
}
