/* linalg/structured/toeplitz.c - systems with a Toeplitz matrix: record, derivative, public
   function. The op takes the first column and the first row as matrices of one column. */
#include "linalg/linalg.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <string.h>

static agn_status infer_toeplitz(agni_call *c)
{
    const agn_tensor *x = c->in[0], *r = c->in[1], *b = c->in[2];
    agni_meta *o = c->meta;
    int64_t n = x->ndim < 2 ? -1 : x->shape[x->ndim - 2], size;
    if (r->ndim < 2 || b->ndim < 2 || n != r->shape[r->ndim - 2] || n != b->shape[b->ndim - 2] ||
        x->shape[x->ndim - 1] != 1 || r->shape[r->ndim - 1] != 1)
        return agni_fail(AGN_ESHAPE, "%s: sizes differ: c is %s, r is %s, b is %s", c->op->name,
                         AGNI_SHAPE(x), AGNI_SHAPE(r), AGNI_SHAPE(b));
    if (n > INT32_MAX || b->shape[b->ndim - 1] > INT32_MAX)
        return agni_fail(AGN_EUNSUPPORTED,
                         "%s: %lld rows or %lld columns are beyond the 32-bit sizes of LAPACK",
                         c->op->name, (long long)n, (long long)b->shape[b->ndim - 1]);
    o->dtype = x->dtype;
    o->ndim = 0;
    for (int k = 0; k < 3; k++)
        if (!agni_broadcast_into(o, c->in[k]->ndim - 2, c->in[k]->shape))
            return agni_fail(AGN_ESHAPE, "%s: batches do not broadcast: c is %s, r is %s, b is %s",
                             c->op->name, AGNI_SHAPE(x), AGNI_SHAPE(r), AGNI_SHAPE(b));
    o->shape[o->ndim++] = n;
    o->shape[o->ndim++] = b->shape[b->ndim - 1];
    return agni_shape_check(c->op->name, o->ndim, o->shape, &size);
}

static const agn_tensor *solve_toeplitz(agn_scope *s, const agn_tensor *c, const agn_tensor *r,
                                        const agn_tensor *b)
{
    return agni_apply_in(s, &agni_op_linalg_toeplitz_solve, NULL, 3,
                         (const agn_tensor *[]){c, r, b});
}

/* [n, n] of places: row i + j of column j in [n, n] where it is one, else beyond the last */
static const agn_tensor *diagonal_places(agn_scope *s, int64_t n, bool along_rows)
{
    const int64_t shape[] = {n, n};
    agn_tensor *at = NULL;
    void *p = NULL;
    agn_status st = agn_scope_status(s);
    st = st ? st : agn_empty(&at, AGN_I64, 2, shape, AGN_CPU);
    st = st ? st : agn_data_mut(&p, at);
    for (int64_t d = 0; !st && d < n; d++)
        for (int64_t j = 0; j < n; j++) {
            int64_t place = along_rows ? j * n + j + d : (j + d) * n + j;
            ((int64_t *)p)[d * n + j] = j + d < n ? place : n * n;
        }
    return agni_adopt_constant(s, st, at);
}

/* sums along the diagonals on and below the main one, or above it, as one column */
static const agn_tensor *sum_diagonals(agn_scope *s, const agn_tensor *a, bool above)
{
    if (!a)
        return NULL;
    int64_t n = a->shape[a->ndim - 1], shape[AGNI_MAX_RANK];
    memcpy(shape, a->shape, (size_t)a->ndim * sizeof *shape);
    shape[a->ndim - 2] = n * n;
    const agn_tensor *flat = ag_reshape(s, a, a->ndim - 1, shape);
    shape[a->ndim - 2] = 1;
    const agn_tensor *none = agni_full(s, 0, a->dtype, a->ndim - 1, shape);
    flat = ag_concat(s, (const agn_tensor *[]){flat, none}, 2, -1);
    const agn_tensor *table = diagonal_places(s, n, above);
    return table ? ag_sum(s, ag_gather(s, flat, table, -1), (const int32_t[]){-1}, 1, true) : NULL;
}

/* the first entry, on the main diagonal, is of c alone */
static const agn_tensor *without_first(agn_scope *s, const agn_tensor *r)
{
    if (!r || r->shape[r->ndim - 2] == 0)
        return r;
    int64_t n = r->shape[r->ndim - 2];
    const agn_tensor *row = ag_squeeze(s, r, -1),
                     *first = ag_cast(s, ag_arange(s, AGN_F64, 0, (double)n, 1), AGN_BOOL);
    return row ? ag_expand_dims(s, ag_where(s, first, row, agni_full_like(s, 0, row)), -1) : NULL;
}

static const agn_tensor *dense_of(agn_scope *s, const agn_tensor *c, const agn_tensor *r)
{
    return c && r ? ag_linalg_toeplitz(s, ag_squeeze(s, c, -1), ag_squeeze(s, r, -1)) : NULL;
}

/* dx = t^-1 (db - dt x) */
static void toeplitz_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                         const agn_tensor **ty)
{
    const agn_tensor *rhs = t[2], *x = r->y[0];
    if ((t[0] || t[1]) && x->shape[x->ndim - 2] > 0) {
        const agn_tensor *dc = t[0] ? t[0] : ag_zeros_like(s, r->x[0]),
                         *dr = t[1] ? t[1] : ag_zeros_like(s, r->x[1]);
        int64_t shape[AGNI_MAX_RANK]; /* tangents of one batch */
        agni_meta all = {.ndim = 0};
        agni_broadcast_into(&all, dc ? dc->ndim - 2 : 0, dc ? dc->shape : shape);
        agni_broadcast_into(&all, dr ? dr->ndim - 2 : 0, dr ? dr->shape : shape);
        all.shape[all.ndim++] = x->shape[x->ndim - 2];
        all.shape[all.ndim++] = 1;
        const agn_tensor *dt = dense_of(s, ag_broadcast_to(s, dc, all.ndim, all.shape),
                                        ag_broadcast_to(s, dr, all.ndim, all.shape));
        rhs = agni_add_present(s, rhs, ag_neg(s, ag_matmul(s, dt, x)));
    }
    ty[0] = solve_toeplitz(s, r->x[0], r->x[1], rhs);
}

/* w = t^-H g; that of entry [i, j] is -w_i conj(x_j), summed along each diagonal */
static void toeplitz_vjp(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                         const bool *want, const agn_tensor **gx)
{
    const agn_tensor *c = r->x[0], *row = r->x[1];
    const agn_tensor *first = ag_sub(s, c, without_first(s, c)); /* the main diagonal belongs to the column */
    const agn_tensor *turned = ag_add(s, first, without_first(s, row));
    const agn_tensor *w = solve_toeplitz(s, agni_conjugate_dense(s, turned),
                                         agni_conjugate_dense(s, c), g[0]);
    if (want[2])
        gx[2] = agni_unbroadcast(s, w, r->x[2]);
    if (!want[0] && !want[1])
        return;
    const agn_tensor *all = ag_neg(s, ag_matmul(s, w, agni_conjugate_transpose(s, r->y[0])));
    if (want[0])
        gx[0] = agni_unbroadcast(s, sum_diagonals(s, all, false), c);
    if (want[1])
        gx[1] = agni_unbroadcast(s, without_first(s, sum_diagonals(s, all, true)), row);
}

static agni_slots slots;
const agni_op agni_op_linalg_toeplitz_solve = {
    .name = "linalg_toeplitz_solve",
    .takes = "c r b",
    .cls = AGNI_SOLVE,
    .nin = 3,
    .nout = 1,
    .dtypes = AGNI_FIELDS,
    .diff = 7,
    .promote = 7,
    .result = AGNI_OUT_SAME,
    .ew = -1,
    .infer = infer_toeplitz,
    .cpu = agni_cpu_toeplitz_solve,
    .may_fail = true,
    .jvp = toeplitz_jvp,
    .vjp = toeplitz_vjp,
    .batch = agni_batch_aligned,
    .slots = &slots,
    .lo = 1,
    .hi = 2,
    .lo2 = 1,
    .hi2 = 2,
    .lo3 = -2,
    .hi3 = 2,
    .doc = "x of t x = b, t of a first column and a first row"};

agn_status agn_linalg_solve_toeplitz(agn_tensor **out, const agn_tensor *c, const agn_tensor *r,
                                     const agn_tensor *b)
{
    static const char op[] = "linalg_solve_toeplitz";
    AGNI_NEED(op, out);
    AGNI_NEED(op, c);
    AGNI_NEED(op, b);
    if (c->layout != AGN_DENSE || (r && r->layout != AGN_DENSE) || b->layout != AGN_DENSE)
        return agni_fail(AGN_EUNSUPPORTED, "%s: a sparse argument, dense ones are needed: c is %s",
                         op, AGNI_SHAPE(c));
    int64_t n = c->ndim < 1 ? -1 : c->shape[c->ndim - 1],
            rows = b->ndim < 1 ? -2 : b->shape[b->ndim == 1 ? 0 : b->ndim - 2];
    if (n != rows || (r && (r->ndim < 1 || r->shape[r->ndim - 1] != n)))
        return agni_fail(AGN_ESHAPE, "%s: sizes differ: c is %s, r is %s, b is %s", op,
                         AGNI_SHAPE(c), r ? AGNI_SHAPE(r) : "absent", AGNI_SHAPE(b));
    if (c->ndim >= AGNI_MAX_RANK || (r && r->ndim >= AGNI_MAX_RANK))
        return agni_fail(AGN_ESHAPE, "%s: %d axes, at most %d", op, c->ndim, AGNI_MAX_RANK - 1);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *col = ag_expand_dims(s, c, -1),
                     *y = b->ndim == 1 ? ag_expand_dims(s, b, -1) : b;
    y = solve_toeplitz(s, col, r ? ag_expand_dims(s, r, -1) : agni_conjugate_dense(s, col), y);
    return agni_return(op, s, out, b->ndim == 1 && y ? ag_squeeze(s, y, -1) : y);
}
