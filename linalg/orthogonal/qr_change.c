/* linalg/orthogonal/qr_change.c - QR factors after a change of rank 1, of rows or of columns (Golub
   & Van Loan 2013, 6.5). The derivative is that of the factors of the changed matrix. */
#include "linalg/orthogonal/qr_change.h"
#include "linalg/linalg.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <string.h>

/* ---- shapes ---------------------------------------------------------------------- */

/* The numbers of the call fit: where the change is, and what it brings (two matrices, empty ones
   where it brings none). */
static agn_status check_change(const agni_call *c, int64_t m, int64_t n)
{
    int64_t kind = c->at->i[0], at = c->at->i[1], count = c->at->i[2];
    const bool rows = kind == AGNI_QR_INSERT_ROWS || kind == AGNI_QR_DELETE_ROWS,
               update = kind == AGNI_QR_UPDATE,
               deletes = kind == AGNI_QR_DELETE_ROWS || kind == AGNI_QR_DELETE_COLUMNS;
    int64_t most = rows ? m : n;
    if (kind < AGNI_QR_UPDATE || kind > AGNI_QR_DELETE_COLUMNS)
        return agni_fail(AGN_EARG, "%s: there is no change %lld", c->op->name, (long long)kind);
    if (!update &&
        (at < 0 || at > most || count < 0 || count > INT32_MAX || (deletes && count > most - at)))
        return agni_fail(AGN_EARG, "%s: %lld at %lld, of %lld", c->op->name, (long long)count,
                         (long long)at, (long long)most);
    int64_t given[2][2] = {{0, 0}, {0, 0}};
    if (update) {
        given[0][0] = m, given[1][0] = n;
        given[0][1] = given[1][1] = 1;
    } else if (!deletes) {
        given[0][0] = rows ? count : m;
        given[0][1] = rows ? n : count;
    }
    for (int k = 0; k < (update ? 2 : !deletes); k++) {
        const agn_tensor *x = c->in[2 + k];
        if (x->shape[x->ndim - 2] != given[k][0] || x->shape[x->ndim - 1] != given[k][1])
            return agni_fail(AGN_ESHAPE, "%s: operand %d is %s, a matrix [%lld,%lld] is needed",
                             c->op->name, 2 + k, AGNI_SHAPE(x), (long long)given[k][0],
                             (long long)given[k][1]);
    }
    return AGN_OK;
}

static agn_status infer_change(agni_call *c)
{
    const agn_tensor *q = c->in[0], *r = c->in[1];
    agn_status st = AGN_OK;
    for (int k = 0; k < 4 && !st; k++)
        st = agni_check_matrix(c->op->name, c->in[k]);
    if (st)
        return st;
    int64_t m = q->shape[q->ndim - 2], k = q->shape[q->ndim - 1], n = r->shape[r->ndim - 1];
    int64_t kind = c->at->i[0], count = c->at->i[2];
    const bool complete = k == m, rows = kind == AGNI_QR_INSERT_ROWS || kind == AGNI_QR_DELETE_ROWS;
    if (r->shape[r->ndim - 2] != k || k > m || (!complete && k != n))
        return agni_fail(AGN_ESHAPE, "%s: no QR factors: q is %s, r is %s", c->op->name,
                         AGNI_SHAPE(q), AGNI_SHAPE(r));
    if ((st = check_change(c, m, n)))
        return st;
    int64_t by = kind == AGNI_QR_UPDATE ? 0 : kind < AGNI_QR_DELETE_ROWS ? count : -count;
    int64_t m1 = rows ? m + by : m, n1 = rows ? n : n + by, k1 = complete ? m1 : n1;
    if (k1 > m1)
        return agni_fail(AGN_ESHAPE,
                         "%s: reduced factors of %lld rows and %lld columns: q is %s, r is %s",
                         c->op->name, (long long)m1, (long long)n1, AGNI_SHAPE(q), AGNI_SHAPE(r));
    st = agni_infer_batches(c, m1, k1);
    c->meta[1] = c->meta[0];
    if (!st) {
        c->meta[1].shape[c->meta->ndim - 2] = k1;
        c->meta[1].shape[c->meta->ndim - 1] = n1;
    }
    return st;
}

/* ---- the derivative --------------------------------------------------------------- */

static const agn_tensor *part_along(agn_scope *s, const agn_tensor *x, int axis, int64_t from,
                                    int64_t to)
{
    int64_t start[AGNI_MAX_RANK] = {0}, stop[AGNI_MAX_RANK], step[AGNI_MAX_RANK];
    if (!x)
        return NULL;
    for (int d = 0; d < x->ndim; d++) {
        stop[d] = x->shape[d];
        step[d] = 1;
    }
    start[x->ndim + axis] = from;
    stop[x->ndim + axis] = to;
    return ag_slice(s, x, x->ndim, start, stop, step);
}

/* how a [m, n] moves, from its own tangent (NULL: 0) to that of the changed matrix */
static const agn_tensor *changed_tangent(agn_scope *s, const agni_rule *r, const agn_tensor *da,
                                         const agn_tensor *const *t)
{
    int64_t kind = r->at->i[0], at = r->at->i[1], count = r->at->i[2];
    const int axis = kind == AGNI_QR_INSERT_ROWS || kind == AGNI_QR_DELETE_ROWS ? -2 : -1;
    if (kind == AGNI_QR_UPDATE) {
        const agn_tensor *vh = agni_conjugate_transpose(s, r->x[3]);
        if (t[2])
            da = agni_add_present(s, da, ag_matmul(s, t[2], vh));
        if (t[3])
            da = agni_add_present(s, da, ag_matmul(s, r->x[2], agni_conjugate_transpose(s, t[3])));
        return da;
    }
    if (!da) { /* the new part alone moves */
        const agn_tensor *q = r->x[0], *u = r->x[1];
        da = ag_zeros_like(s, ag_matmul(s, ag_stop_gradient(s, q), ag_stop_gradient(s, u)));
    }
    if (!da)
        return NULL;
    int64_t size = da->shape[da->ndim + axis];
    bool gone = kind >= AGNI_QR_DELETE_ROWS;
    const agn_tensor *before = part_along(s, da, axis, 0, at),
                     *after = part_along(s, da, axis, gone ? at + count : at, size);
    if (gone)
        return ag_concat(s, (const agn_tensor *[]){before, after}, 2, axis);
    const agn_tensor *put = t[2] ? t[2] : ag_zeros_like(s, r->x[2]);
    agni_meta all = {.ndim = da->ndim - 2}; /* parts of one batch */
    memcpy(all.shape, da->shape, (size_t)all.ndim * sizeof *all.shape);
    if (!put || !agni_broadcast_into(&all, put->ndim - 2, put->shape))
        return NULL;
    const agn_tensor *parts[3] = {before, put, after};
    for (int k = 0; k < 3 && parts[k]; k++) {
        int64_t shape[AGNI_MAX_RANK];
        memcpy(shape, all.shape, (size_t)all.ndim * sizeof *shape);
        memcpy(shape + all.ndim, parts[k]->shape + parts[k]->ndim - 2, 2 * sizeof *shape);
        parts[k] = ag_broadcast_to(s, parts[k], all.ndim + 2, shape);
    }
    return ag_concat(s, parts, 3, axis);
}

static void change_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                       const agn_tensor **ty)
{
    const agn_tensor *q = r->y[0], *u = r->y[1], *da = NULL;
    int64_t m = q->shape[q->ndim - 2], k = q->shape[q->ndim - 1], n = u->shape[u->ndim - 1];
    if (k > n) {
        agn_scope_fail(
            s,
            agni_fail(
                AGN_EUNSUPPORTED,
                "linalg_qr_change: no derivative of the complete factors of %lld columns, q is %s: what "
                "completes the basis is arbitrary",
                (long long)n, AGNI_SHAPE(q)));
        return;
    }
    if (t[0])
        da = ag_matmul(s, t[0], r->x[1]);
    if (t[1])
        da = agni_add_present(s, da, ag_matmul(s, r->x[0], ag_triu(s, t[1], 0)));
    da = changed_tangent(s, r, da, t);
    if (!da)
        return;
    /* a batch of the results, of which arguments may have less */
    int64_t shape[AGNI_MAX_RANK];
    memcpy(shape, q->shape, (size_t)q->ndim * sizeof *shape);
    shape[q->ndim - 1] = n;
    da = ag_broadcast_to(s, da, q->ndim, shape);
    agni_qr_tangent(s, da, q, u, m, n, ty);
}

static agni_slots slots;
const agni_op agni_op_linalg_qr_change = {.name = "linalg_qr_change",
                                          .takes = "q r x y kind:i at:i count:i",
                                          .cls = AGNI_SOLVE,
                                          .nin = 4,
                                          .nout = 2,
                                          .dtypes = AGNI_FIELDS,
                                          .diff = 15,
                                          .promote = 15,
                                          .ew = -1,
                                          .infer = infer_change,
                                          .cpu = agni_cpu_qr_change,
                                          .may_fail = true,
                                          .jvp = change_jvp,
                                          .batch = agni_batch_aligned,
                                          .slots = &slots,
                                          .lo = -2,
                                          .hi = 2,
                                          .lo2 = -2,
                                          .hi2 = 2,
                                          .doc = "QR factors of a changed matrix"};

/* ---- public functions ------------------------------------------------------------ */

static agn_status check_factors(const char *op, const agn_tensor *q, const agn_tensor *r)
{
    agn_status st = agni_need_matrix(op, q);
    st = st ? st : agni_need_matrix(op, r);
    if (!st && r->shape[r->ndim - 2] != q->shape[q->ndim - 1])
        st = agni_fail(AGN_ESHAPE, "%s: no QR factors: q is %s, r is %s", op, AGNI_SHAPE(q),
                       AGNI_SHAPE(r));
    return st;
}

static agn_status change_factors(const char *op, agn_scope *s, agn_tensor **q1, agn_tensor **r1,
                                 const agn_tensor *const *in, const int64_t *at)
{
    const agn_tensor *y[2] = {NULL}, *x[4];
    for (int k = 0; k < 4; k++)
        x[k] = agni_as_field(s, in[k]);
    if (x[0] && x[1] && x[2] && x[3])
        agni_apply_many_in(s, &agni_op_linalg_qr_change, &(agni_attr){.ni = 3, .i = at}, 4, x, 2,
                           y);
    agn_scope_return(s, q1, y[0]);
    agn_scope_return(s, r1, y[1]);
    return agni_rename_error(op, agn_scope_close(s));
}

agn_status agn_linalg_qr_update(agn_tensor **q1, agn_tensor **r1, const agn_tensor *q,
                                const agn_tensor *r, const agn_tensor *u, const agn_tensor *v)
{
    static const char op[] = "linalg_qr_update";
    AGNI_NEED(op, q1);
    AGNI_NEED(op, r1);
    AGNI_NEED(op, q);
    AGNI_NEED(op, r);
    AGNI_NEED(op, u);
    AGNI_NEED(op, v);
    agn_status st = check_factors(op, q, r);
    if (!st && (u->layout != AGN_DENSE || v->layout != AGN_DENSE))
        st = agni_fail(AGN_EUNSUPPORTED,
                       "%s: a sparse vector, dense ones are needed: u is %s, v is %s", op,
                       AGNI_SHAPE(u), AGNI_SHAPE(v));
    if (!st && (u->ndim < 1 || v->ndim < 1 || u->ndim >= AGNI_MAX_RANK ||
                v->ndim >= AGNI_MAX_RANK || u->shape[u->ndim - 1] != q->shape[q->ndim - 2] ||
                v->shape[v->ndim - 1] != r->shape[r->ndim - 1]))
        st = agni_fail(AGN_ESHAPE, "%s: sizes do not fit: u is %s, v is %s", op, AGNI_SHAPE(u),
                       AGNI_SHAPE(v));
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *in[4] = {q, r, ag_expand_dims(s, u, -1), ag_expand_dims(s, v, -1)};
    return change_factors(op, s, q1, r1, in, (const int64_t[]){AGNI_QR_UPDATE, 0, 0});
}

/* what a change without new numbers is given in their place */
static const agn_tensor *no_numbers(agn_scope *s, const agn_tensor *like)
{
    return agni_full(s, 0, like->dtype, 2, (const int64_t[]){0, 0});
}

agn_status agn_linalg_qr_insert(agn_tensor **q1, agn_tensor **r1, const agn_tensor *q,
                                const agn_tensor *r, const agn_tensor *x, int64_t at, bool columns)
{
    static const char op[] = "linalg_qr_insert";
    AGNI_NEED(op, q1);
    AGNI_NEED(op, r1);
    AGNI_NEED(op, q);
    AGNI_NEED(op, r);
    AGNI_NEED(op, x);
    agn_status st = check_factors(op, q, r);
    st = st ? st : agni_need_matrix(op, x);
    if (st)
        return st;
    int64_t m = q->shape[q->ndim - 2], n = r->shape[r->ndim - 1], most = columns ? n : m;
    if (at < 0 || at > most)
        return agni_fail(AGN_EARG, "%s: at is %lld, of 0 to %lld", op, (long long)at,
                         (long long)most);
    if (x->shape[x->ndim - (columns ? 2 : 1)] != (columns ? m : n))
        return agni_fail(AGN_ESHAPE, "%s: sizes do not fit: x is %s, q is %s, r is %s", op,
                         AGNI_SHAPE(x), AGNI_SHAPE(q), AGNI_SHAPE(r));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *in[4] = {q, r, x, no_numbers(s, q)};
    int64_t count = x->shape[x->ndim - (columns ? 1 : 2)];
    return change_factors(
        op, s, q1, r1, in,
        (const int64_t[]){columns ? AGNI_QR_INSERT_COLUMNS : AGNI_QR_INSERT_ROWS, at, count});
}

agn_status agn_linalg_qr_delete(agn_tensor **q1, agn_tensor **r1, const agn_tensor *q,
                                const agn_tensor *r, int64_t at, int64_t count, bool columns)
{
    static const char op[] = "linalg_qr_delete";
    AGNI_NEED(op, q1);
    AGNI_NEED(op, r1);
    AGNI_NEED(op, q);
    AGNI_NEED(op, r);
    agn_status st = check_factors(op, q, r);
    if (st)
        return st;
    int64_t most = columns ? r->shape[r->ndim - 1] : q->shape[q->ndim - 2];
    if (at < 0 || count < 0 || at > most || count > most - at)
        return agni_fail(AGN_EARG, "%s: %lld from %lld on go, of %lld", op, (long long)count,
                         (long long)at, (long long)most);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *in[4] = {q, r, no_numbers(s, q), no_numbers(s, q)};
    return change_factors(
        op, s, q1, r1, in,
        (const int64_t[]){columns ? AGNI_QR_DELETE_COLUMNS : AGNI_QR_DELETE_ROWS, at, count});
}
