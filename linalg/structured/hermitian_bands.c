/* linalg/structured/hermitian_bands.c - Hermitian matrices of which half a band is given: eigenpairs,
   Cholesky's factor, systems (LAPACK Users' Guide 1999, 2.4.4, 5.3.3). Records, derivatives, public
   functions. Derivatives of eigenpairs are those of full matrices, whose triangle is filled from
   the diagonals. */
#include "linalg/structured/bands.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <string.h>

static int real_partner(int dtype)
{
    return dtype == AGN_C64 ? AGN_F32 : dtype == AGN_C128 ? AGN_F64 : dtype;
}

static agn_status check_half_band(const char *op, const agn_tensor *ab)
{
    agn_status st = agni_check_matrix(op, ab);
    if (!st && agni_band_rows(ab) < 1)
        st = agni_fail(AGN_ESHAPE, "%s: no diagonal: ab is %s, at least the main one is needed", op,
                       AGNI_SHAPE(ab));
    return st;
}

static agn_status infer_pairs(agni_call *c)
{
    const agn_tensor *ab = c->in[0];
    agn_status st = check_half_band(c->op->name, ab);
    if (st)
        return st;
    int64_t n = agni_band_order(ab), size;
    for (int k = 0; k < c->nout; k++) {
        agni_meta *o = &c->meta[k];
        o->dtype = k ? ab->dtype : real_partner(ab->dtype);
        o->ndim = ab->ndim - 1 + k;
        memcpy(o->shape, ab->shape, (size_t)ab->ndim * sizeof *o->shape);
        o->shape[ab->ndim - 2] = o->shape[o->ndim - 1] = n;
    }
    return c->nout > 1 ? agni_shape_check(c->op->name, c->meta[1].ndim, c->meta[1].shape, &size)
                       : AGN_OK;
}

static agn_status infer_factor(agni_call *c)
{
    agn_status st = check_half_band(c->op->name, c->in[0]);
    return st ? st : agni_infer_same(c);
}

/* ---- the triangle and the whole band of half a band --------------------------------- */

/* the triangle [n, n] of the half band [w, n], gathered by places, one beyond the last for none */
static const agn_tensor *triangle_of_band(agn_scope *s, const agn_tensor *ab, bool upper)
{
    if (!ab)
        return NULL;
    const int64_t w = agni_band_rows(ab), n = agni_band_order(ab), main = upper ? w - 1 : 0;
    agn_tensor *at = NULL;
    void *p = NULL;
    agn_status st = agn_scope_status(s);
    st = st ? st : agn_empty(&at, AGN_I64, 2, (const int64_t[]){n, n}, AGN_CPU);
    st = st ? st : agn_data_mut(&p, at);
    for (int64_t i = 0; !st && i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            const int64_t row = i - j + main; /* of column j, entry [i, j] */
            ((int64_t *)p)[i * n + j] = row >= 0 && row < w ? row * n + j : w * n;
        }
    return agni_gather_or_zero(s, agni_flatten_matrix(s, ab), agni_adopt_constant(s, st, at), -1);
}

/* rows `from` to `to` of a band */
static const agn_tensor *slice_rows(agn_scope *s, const agn_tensor *ab, int64_t from, int64_t to)
{
    int64_t start[AGNI_MAX_RANK] = {0}, stop[AGNI_MAX_RANK], step[AGNI_MAX_RANK];
    if (!ab)
        return NULL;
    memcpy(stop, ab->shape, (size_t)ab->ndim * sizeof *stop);
    for (int i = 0; i < ab->ndim; i++)
        step[i] = 1;
    start[ab->ndim - 2] = from;
    stop[ab->ndim - 2] = to;
    return ag_slice(s, ab, ab->ndim, start, stop, step);
}

/* the whole band; of the main diagonal the real part */
static const agn_tensor *complete_band(agn_scope *s, const agn_tensor *ab, bool upper)
{
    if (!ab)
        return NULL;
    const int64_t w = agni_band_rows(ab), main = upper ? w - 1 : 0;
    const agn_tensor *other = agni_adjoint_band(s, ab, upper ? 0 : w - 1),
                     *middle = slice_rows(s, ab, main, main + 1);
    if (middle && agni_kind(ab->dtype) == AGNI_KIND_COMPLEX)
        middle = ag_cast(s, ag_real(s, middle), ab->dtype);
    if (w == 1)
        return middle;
    const agn_tensor *part[] = {
        upper ? slice_rows(s, ab, 0, w - 1) : slice_rows(s, other, 0, w - 1), middle,
        upper ? slice_rows(s, other, 1, w) : slice_rows(s, ab, 1, w)};
    return ag_concat(s, part, 3, -2);
}

/* ---- rules ---------------------------------------------------------------------------- */

static void eigh_banded_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                            const agn_tensor **ty)
{
    const agn_tensor *da = triangle_of_band(s, t[0], r->at->i[0]);
    if (da)
        agni_eigh_jvp(s, r, &da, ty);
}

static void eigvalsh_banded_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                                const agn_tensor **ty)
{
    const agn_tensor *y[2] = {NULL}, *both[2] = {NULL};
    if (!agni_apply_many_in(s, &agni_op_linalg_eigh_banded, r->at, 1, r->x, 2, y))
        return;
    agni_rule pairs = *r;
    pairs.op = &agni_op_linalg_eigh_banded;
    pairs.nout = 2;
    pairs.y = y;
    eigh_banded_jvp(s, &pairs, t, both);
    ty[0] = both[0];
}

static void cholesky_banded_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                                const agn_tensor **ty)
{
    ty[0] = agni_band_tangent(s, r->y[0], t[0], r->at->i[0], false);
}

static agni_slots slots[3];
#define RECORD(op, outs, shapes, number, text) \
    const agni_op agni_op_linalg_##op = {.name = "linalg_" #op, \
                                         .takes = "ab upper:b", \
                                         .cls = AGNI_SOLVE, \
                                         .nin = 1, \
                                         .nout = outs, \
                                         .dtypes = AGNI_FIELDS, \
                                         .diff = 1, \
                                         .promote = 1, \
                                         .ew = -1, \
                                         .infer = shapes, \
                                         .cpu = agni_cpu_##op, \
                                         .may_fail = true, \
                                         .jvp = op##_jvp, \
                                         .batch = agni_batch_front, \
                                         .slots = &slots[number], \
                                         .lo = 1, \
                                         .hi = 2, \
                                         .doc = text}
RECORD(eigh_banded, 2, infer_pairs, 0, "eigenvalues and vectors of a Hermitian band");
RECORD(eigvalsh_banded, 1, infer_pairs, 1, "eigenvalues of a Hermitian band");
RECORD(cholesky_banded, 1, infer_factor, 2, "triangular factor of a positive definite band");

/* ---- public functions ------------------------------------------------------------------ */

static agn_status refuse_sparse(const char *op, const char *name, const agn_tensor *x)
{
    return x->layout == AGN_DENSE
               ? AGN_OK
               : agni_fail(AGN_EUNSUPPORTED, "%s: %s is sparse, a dense one is needed: %s", op,
                           name, AGNI_SHAPE(x));
}

/* values, and vectors where they are asked for */
static agn_status find_pairs(const char *op, agn_tensor **w, agn_tensor **v, const agn_tensor *ab,
                             bool upper)
{
    agn_tensor *y[2] = {NULL};
    agn_status st = agni_apply(v ? &agni_op_linalg_eigh_banded : &agni_op_linalg_eigvalsh_banded,
                               &(agni_attr){.ni = 1, .i = (const int64_t[]){upper}}, 1, &ab,
                               1 + !!v, y);
    if (st)
        return agni_rename_error(op, st);
    *w = y[0];
    if (v)
        *v = y[1];
    return AGN_OK;
}

agn_status agn_linalg_eig_banded(agn_tensor **w, agn_tensor **v, const agn_tensor *ab, bool upper)
{
    static const char op[] = "linalg_eig_banded";
    AGNI_NEED(op, w);
    AGNI_NEED(op, v);
    AGNI_NEED(op, ab);
    agn_status st = refuse_sparse(op, "ab", ab);
    return st ? st : find_pairs(op, w, v, ab, upper);
}

agn_status agn_linalg_eigvals_banded(agn_tensor **out, const agn_tensor *ab, bool upper)
{
    static const char op[] = "linalg_eigvals_banded";
    AGNI_NEED(op, out);
    AGNI_NEED(op, ab);
    agn_status st = refuse_sparse(op, "ab", ab);
    return st ? st : find_pairs(op, out, NULL, ab, upper);
}

/* the lower half of a band of 3 diagonals */
static agn_status join_diagonals(const char *op, agn_tensor **ab, const agn_tensor *d,
                                 const agn_tensor *e)
{
    agn_status st = refuse_sparse(op, "d", d);
    st = st ? st : refuse_sparse(op, "e", e);
    if (st)
        return st;
    if (agni_kind(d->dtype) == AGNI_KIND_COMPLEX || agni_kind(e->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: d is %s, e is %s: real ones are needed", op,
                         agni_dtypes[d->dtype].name, agni_dtypes[e->dtype].name);
    if (d->ndim < 1 || d->ndim >= AGNI_MAX_RANK || d->shape[d->ndim - 1] < 1 ||
        e->ndim != d->ndim || e->shape[d->ndim - 1] != d->shape[d->ndim - 1] - 1 ||
        memcmp(e->shape, d->shape, (size_t)(d->ndim - 1) * sizeof *d->shape))
        return agni_fail(AGN_ESHAPE, "%s: d is %s, e is %s: one less is needed", op, AGNI_SHAPE(d),
                         AGNI_SHAPE(e));
    agn_scope *s = agn_scope_open(NULL);
    int64_t shape[AGNI_MAX_RANK];
    memcpy(shape, d->shape, (size_t)d->ndim * sizeof *shape);
    shape[d->ndim - 1] = 1;
    const agn_tensor *part[] = {d, e, agni_full(s, 0, d->dtype, d->ndim, shape)};
    const agn_tensor *line = ag_concat(s, part, 3, -1);
    shape[d->ndim - 1] = 2;
    shape[d->ndim] = d->shape[d->ndim - 1];
    return agni_return(op, s, ab, ag_reshape(s, line, d->ndim + 1, shape));
}

agn_status agn_linalg_eigh_tridiagonal(agn_tensor **w, agn_tensor **v, const agn_tensor *d,
                                       const agn_tensor *e)
{
    static const char op[] = "linalg_eigh_tridiagonal";
    AGNI_NEED(op, w);
    AGNI_NEED(op, v);
    AGNI_NEED(op, d);
    AGNI_NEED(op, e);
    agn_tensor *ab = NULL;
    agn_status st = join_diagonals(op, &ab, d, e);
    st = st ? st : find_pairs(op, w, v, ab, false);
    agn_release(ab);
    return st;
}

agn_status agn_linalg_eigvalsh_tridiagonal(agn_tensor **out, const agn_tensor *d,
                                           const agn_tensor *e)
{
    static const char op[] = "linalg_eigvalsh_tridiagonal";
    AGNI_NEED(op, out);
    AGNI_NEED(op, d);
    AGNI_NEED(op, e);
    agn_tensor *ab = NULL;
    agn_status st = join_diagonals(op, &ab, d, e);
    st = st ? st : find_pairs(op, out, NULL, ab, false);
    agn_release(ab);
    return st;
}

agn_status agn_linalg_cholesky_banded(agn_tensor **out, const agn_tensor *ab, bool upper)
{
    static const char op[] = "linalg_cholesky_banded";
    AGNI_NEED(op, out);
    AGNI_NEED(op, ab);
    agn_status st = refuse_sparse(op, "ab", ab);
    return st ? st
              : agni_apply_public(out, &agni_op_linalg_cholesky_banded,
                                  &(agni_attr){.ni = 1, .i = (const int64_t[]){upper}}, 1, &ab);
}

agn_status agn_linalg_solveh_banded(agn_tensor **out, const agn_tensor *ab, const agn_tensor *b,
                                    bool upper)
{
    static const char op[] = "linalg_solveh_banded";
    AGNI_NEED(op, out);
    AGNI_NEED(op, ab);
    AGNI_NEED(op, b);
    agn_status st = refuse_sparse(op, "ab", ab);
    st = st ? st : check_half_band(op, ab);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    return agni_return_band_solution(op, s, out, complete_band(s, ab, upper), b,
                                     agni_band_rows(ab) - 1, true);
}

agn_status agn_linalg_cho_solve_banded(agn_tensor **out, const agn_tensor *l, const agn_tensor *b,
                                       bool upper)
{
    static const char op[] = "linalg_cho_solve_banded";
    AGNI_NEED(op, out);
    AGNI_NEED(op, l);
    AGNI_NEED(op, b);
    agn_status st = refuse_sparse(op, "l", l);
    st = st ? st : check_half_band(op, l);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const int64_t below = agni_band_rows(l) - 1;
    const bool one = b->ndim == 1;
    const agn_tensor *turned = agni_transposed_band(s, l, upper ? 0 : below),
                     *x = one ? ag_expand_dims(s, b, -1) : b;
    /* l y = b, l^H x = y: what is turned is solved by conjugates of the sides, not of the band */
    x = upper ? agni_conjugate_dense(s, x) : x;
    x = agni_solve_band(s, upper ? turned : l, x, below, false);
    x = agni_conjugate_dense(s, x);
    x = agni_solve_band(s, upper ? l : turned, x, 0, false);
    x = upper ? x : agni_conjugate_dense(s, x);
    return agni_return(op, s, out, one && x ? ag_squeeze(s, x, -1) : x);
}
