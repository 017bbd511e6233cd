/* linalg/structured/band_tangent.c - derivatives of Cholesky factors of bands by work on bands
   (Smith 1995; Murray 2016): with b(x, y) the band of x y^H + y x^H, a = b(l, l) / 2 has
   b(l, dl) = da, which is solved column by column, or for its adjoint, backwards. The op is written
   in itself and in b, so that it has derivatives of every order. Of a band of w diagonals O(n w^2). */
#include "linalg/structured/bands.h"

#include <agnesi/ag.h>
#include <string.h>

static agn_status infer_tangent(agni_call *c)
{
    const agn_tensor *l = c->in[0], *x = c->in[1];
    agn_status st = agni_check_matrix(c->op->name, l);
    st = st ? st : agni_check_matrix(c->op->name, x);
    if (st)
        return st;
    agni_meta *o = c->meta;
    o->dtype = l->dtype;
    o->ndim = l->ndim - 2;
    memcpy(o->shape, l->shape, (size_t)o->ndim * sizeof *o->shape);
    if (memcmp(l->shape + l->ndim - 2, x->shape + x->ndim - 2, 2 * sizeof *l->shape) ||
        agni_band_rows(l) < 1 || !agni_broadcast_into(o, x->ndim - 2, x->shape))
        return agni_fail(AGN_ESHAPE, "%s: bands differ: l is %s, x is %s", c->op->name,
                         AGNI_SHAPE(l), AGNI_SHAPE(x));
    o->shape[o->ndim++] = agni_band_rows(l);
    o->shape[o->ndim++] = agni_band_order(l);
    return AGN_OK;
}

/* ---- products of lower bands -------------------------------------------------------------- */

/* rows [from, to) of x, `above` rows of zeros before them and `below` behind, moved by `shift`
   columns */
static const agn_tensor *place_rows(agn_scope *s, const agn_tensor *x, int64_t from, int64_t to,
                                    int64_t above, int64_t below, int64_t shift)
{
    int64_t start[AGNI_MAX_RANK] = {0}, stop[AGNI_MAX_RANK], lo[AGNI_MAX_RANK] = {0},
            hi[AGNI_MAX_RANK] = {0};
    if (!x)
        return NULL;
    const int nd = x->ndim;
    const int64_t n = x->shape[nd - 1], by = shift < -n ? -n : shift > n ? n : shift;
    memcpy(stop, x->shape, (size_t)nd * sizeof *stop);
    start[nd - 2] = from;
    stop[nd - 2] = to;
    if (by < 0)
        start[nd - 1] = hi[nd - 1] = -by;
    else
        stop[nd - 1] = n - (lo[nd - 1] = by);
    lo[nd - 2] = above;
    hi[nd - 2] = below;
    const agn_tensor *y = ag_slice(s, x, nd, start, stop, NULL);
    return above || below || by ? ag_pad(s, y, nd, lo, hi, 0) : y;
}

static const agn_tensor *row_of(agn_scope *s, const agn_tensor *x, int64_t r)
{
    return place_rows(s, x, r, r + 1, 0, 0, 0);
}

/* b(x, y): entry [j + d, j] has x[j + d, j - m] conj(y[j, j - m]) for all m, and the same of y and
   x */
static const agn_tensor *symmetric_product(agn_scope *s, const agn_tensor *x, const agn_tensor *y)
{
    const agn_tensor *sum = NULL;
    for (int64_t m = 0, w = x && y ? agni_band_rows(x) : 0; m < w; m++) {
        const agn_tensor *pair[2] = {x, y}, *part[2];
        for (int k = 0; k < 2; k++)
            part[k] = ag_mul(s, place_rows(s, pair[k], m, w, 0, 0, 0),
                             agni_conjugate_dense(s, row_of(s, pair[!k], m)));
        sum = agni_add_present(s, sum,
                               place_rows(s, ag_add(s, part[0], part[1]), 0, w - m, 0, m, m));
    }
    return sum;
}

/* its adjoint in x at g: the band of (g + g^H) y */
static const agn_tensor *adjoint_product(agn_scope *s, const agn_tensor *y, const agn_tensor *g)
{
    const agn_tensor *sum = NULL;
    for (int64_t m = 0, w = y && g ? agni_band_rows(y) : 0; m < w; m++) {
        /* g[i, j] y[j, k] with j = k + m, in rows m and more; conj(g[i, j]) y[i, k] in row m */
        const agn_tensor *at = place_rows(s, g, 0, w - m, 0, 0, -m);
        const agn_tensor *below = ag_mul(s, at, row_of(s, y, m));
        const agn_tensor *whole = ag_mul(s, agni_conjugate_dense(s, at),
                                         place_rows(s, y, m, w, 0, 0, 0));
        const agn_tensor *row = ag_sum(s, whole, (const int32_t[]){-2}, 1, true);
        sum = agni_add_present(s, sum, place_rows(s, below, 0, w - m, m, 0, 0));
        sum = agni_add_present(s, sum, place_rows(s, row, 0, 1, m, w - 1 - m, 0));
    }
    return sum;
}

/* ---- rules ----------------------------------------------------------------------------------- */

/* a lower band as it is, or that of x^H, 0 outside of the matrix; and back, where other places may
   hold anything */
static const agn_tensor *to_lower(agn_scope *s, const agn_tensor *x, bool upper)
{
    if (!upper || !x)
        return x;
    const int64_t w = agni_band_rows(x), n = agni_band_order(x);
    agn_tensor *inside = NULL;
    void *p = NULL;
    agn_status st = agn_scope_status(s);
    st = st ? st : agn_empty(&inside, AGN_BOOL, 2, (const int64_t[]){w, n}, AGN_CPU);
    st = st ? st : agn_data_mut(&p, inside);
    for (int64_t i = 0; !st && i < w * n; i++)
        ((bool *)p)[i] = i / n + i % n < n;
    return ag_where(s, agni_adopt_constant(s, st, inside), agni_adjoint_band(s, x, 0),
                    agni_full(s, 0, x->dtype, 0, NULL));
}
static const agn_tensor *from_lower(agn_scope *s, const agn_tensor *x, bool upper)
{
    return upper && x ? agni_adjoint_band(s, x, agni_band_rows(x) - 1) : x;
}

const agn_tensor *agni_band_tangent(agn_scope *s, const agn_tensor *l, const agn_tensor *x,
                                    bool upper, bool adjoint)
{
    return agni_apply_in(s, &agni_op_linalg_band_tangent,
                         &(agni_attr){.ni = 2, .i = (const int64_t[]){upper, adjoint}}, 2,
                         (const agn_tensor *[]){l, x});
}

/* y = t(l, x) with b(l, y) = x: dy = t(l, dx - b(dl, y)); and for the adjoint */
static void band_tangent_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                             const agn_tensor **ty)
{
    const bool upper = r->at->i[0], adjoint = r->at->i[1];
    const agn_tensor *dx = t[1];
    if (t[0]) {
        const agn_tensor *dl = to_lower(s, t[0], upper), *y = to_lower(s, r->y[0], upper);
        const agn_tensor *b = adjoint ? adjoint_product(s, dl, y) : symmetric_product(s, dl, y);
        dx = agni_add_present(s, dx, ag_neg(s, from_lower(s, b, upper)));
    }
    ty[0] = agni_band_tangent(s, r->x[0], dx, upper, adjoint);
}

static void band_tangent_vjp(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                             const bool *want, const agn_tensor **gx)
{
    const bool upper = r->at->i[0], adjoint = r->at->i[1];
    const agn_tensor *h = agni_band_tangent(s, r->x[0], g[0], upper, !adjoint);
    if (want[1])
        gx[1] = agni_unbroadcast(s, h, r->x[1]);
    if (want[0]) {
        const agn_tensor *low = to_lower(s, h, upper), *y = to_lower(s, r->y[0], upper);
        const agn_tensor *b = adjoint ? adjoint_product(s, low, y) : adjoint_product(s, y, low);
        gx[0] = agni_unbroadcast(s, ag_neg(s, from_lower(s, b, upper)), r->x[0]);
    }
}

static agni_slots slots;
const agni_op agni_op_linalg_band_tangent = {
    .name = "linalg_band_tangent",
    .takes = "l x upper:b adjoint:b",
    .cls = AGNI_SOLVE,
    .nin = 2,
    .nout = 1,
    .dtypes = AGNI_FIELDS,
    .diff = 3,
    .promote = 3,
    .result = AGNI_OUT_SAME,
    .ew = -1,
    .infer = infer_tangent,
    .cpu = agni_cpu_band_tangent,
    .jvp = band_tangent_jvp,
    .vjp = band_tangent_vjp,
    .batch = agni_batch_aligned,
    .slots = &slots,
    .lo = 1,
    .hi = 2,
    .lo2 = -2,
    .hi2 = 2,
    .doc = "tangent of a factor of a band, or its adjoint"};
