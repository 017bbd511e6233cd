/* linalg/structured/structured.c - matrices of a structure (Toeplitz, Hankel, circulant, companion,
   Leslie), triangular solves in all forms, and systems whose unknowns are tensors. Compositions: no
   rule of their own. */
#include "linalg/linalg.h"
#include "tensor/create/constants.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <string.h>

/* ---- matrices from sequences ----------------------------------------------------- */

static agn_status need_sequence(const char *op, const agn_tensor *x, int64_t least)
{
    if (x->layout != AGN_DENSE)
        return agni_fail(AGN_EUNSUPPORTED, "%s: a sparse sequence, a dense one is needed: %s", op,
                         AGNI_SHAPE(x));
    if (x->ndim < 1 || x->ndim >= AGNI_MAX_RANK || x->shape[x->ndim - 1] < least)
        return agni_fail(AGN_ESHAPE,
                         "%s: at least %lld numbers along the last axis are needed, not %s", op,
                         (long long)least, AGNI_SHAPE(x));
    return AGN_OK;
}

/* [rows, cols] of places in a sequence */
typedef int64_t place_fn(int64_t i, int64_t j, int64_t m);
static int64_t toeplitz_place(int64_t i, int64_t j, int64_t m)
{
    return i >= j ? i - j : m - 1 + j - i;
}
static int64_t hankel_place(int64_t i, int64_t j, int64_t m)
{
    (void)m;
    return i + j;
}
static int64_t circulant_place(int64_t i, int64_t j, int64_t m)
{
    return i >= j ? i - j : i - j + m;
}
/* a first row of n numbers, what stands below the diagonal, and a zero: companion with one number
   there, Leslie with n - 1 */
static int64_t companion_place(int64_t i, int64_t j, int64_t m)
{
    return i == 0 ? j : i == j + 1 ? m : m + 1;
}
static int64_t leslie_place(int64_t i, int64_t j, int64_t m)
{
    return i == 0 ? j : i == j + 1 ? m + j : 2 * m - 1;
}

static const agn_tensor *spread_out(agn_scope *s, const agn_tensor *x, int64_t m, int64_t n,
                                    place_fn *place)
{
    const int64_t shape[] = {m, n};
    agn_tensor *at = NULL;
    void *p = NULL;
    agn_status st = agn_scope_status(s);
    st = st ? st : agn_empty(&at, AGN_I64, 2, shape, AGN_CPU);
    st = st ? st : agn_data_mut(&p, at);
    for (int64_t i = 0; !st && i < m; i++)
        for (int64_t j = 0; j < n; j++)
            ((int64_t *)p)[i * n + j] = place(i, j, m);
    const agn_tensor *kept = agni_adopt_constant(s, st, at);
    return kept ? ag_gather(s, x, kept, -1) : NULL;
}

/* elements from .. to - 1 along the last axis */
static const agn_tensor *part_of(agn_scope *s, const agn_tensor *x, int64_t from, int64_t to)
{
    int64_t start[AGNI_MAX_RANK] = {0}, stop[AGNI_MAX_RANK], step[AGNI_MAX_RANK];
    if (!x)
        return NULL;
    for (int d = 0; d < x->ndim; d++) {
        stop[d] = x->shape[d];
        step[d] = 1;
    }
    start[x->ndim - 1] = from;
    stop[x->ndim - 1] = to;
    return ag_slice(s, x, x->ndim, start, stop, step);
}
/* x without its first element along the last axis */
static const agn_tensor *tail_of(agn_scope *s, const agn_tensor *x)
{
    return x ? part_of(s, x, 1, x->shape[x->ndim - 1]) : NULL;
}

static agn_status check_pair(const char *op, const agn_tensor *c, const agn_tensor *r)
{
    agn_status st = need_sequence(op, c, 1);
    st = st || !r ? st : need_sequence(op, r, 1);
    if (!st && r && (r->ndim != c->ndim ||
                     memcmp(r->shape, c->shape, (size_t)(c->ndim - 1) * sizeof *c->shape)))
        st = agni_fail(AGN_ESHAPE, "%s: batches differ: c is %s, r is %s", op, AGNI_SHAPE(c),
                       AGNI_SHAPE(r));
    return st;
}

static agn_status join_and_spread(const char *op, agn_tensor **out, const agn_tensor *c,
                                  const agn_tensor *r, bool hankel)
{
    agn_status st = check_pair(op, c, r);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    if (!r)
        r = hankel ? ag_zeros_like(s, c) : ag_conj(s, c);
    int64_t m = c->shape[c->ndim - 1], n = r ? r->shape[r->ndim - 1] : 0;
    const agn_tensor *all = ag_concat(s, (const agn_tensor *[]){c, tail_of(s, r)}, 2, -1);
    return agni_return(
        op, s, out, all ? spread_out(s, all, m, n, hankel ? hankel_place : toeplitz_place) : NULL);
}

agn_status agn_linalg_toeplitz(agn_tensor **out, const agn_tensor *c, const agn_tensor *r)
{
    AGNI_NEED("linalg_toeplitz", out);
    AGNI_NEED("linalg_toeplitz", c);
    return join_and_spread("linalg_toeplitz", out, c, r, false);
}

agn_status agn_linalg_hankel(agn_tensor **out, const agn_tensor *c, const agn_tensor *r)
{
    AGNI_NEED("linalg_hankel", out);
    AGNI_NEED("linalg_hankel", c);
    return join_and_spread("linalg_hankel", out, c, r, true);
}

agn_status agn_linalg_circulant(agn_tensor **out, const agn_tensor *c)
{
    AGNI_NEED("linalg_circulant", out);
    AGNI_NEED("linalg_circulant", c);
    agn_status st = need_sequence("linalg_circulant", c, 1);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    int64_t n = c->shape[c->ndim - 1];
    return agni_return("linalg_circulant", s, out, spread_out(s, c, n, n, circulant_place));
}

agn_status agn_linalg_companion(agn_tensor **out, const agn_tensor *a)
{
    AGNI_NEED("linalg_companion", out);
    AGNI_NEED("linalg_companion", a);
    agn_status st = need_sequence("linalg_companion", a, 2);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    int64_t n = a->shape[a->ndim - 1] - 1;
    const agn_tensor *row = ag_neg(s, ag_div(s, tail_of(s, a), part_of(s, a, 0, 1)));
    const agn_tensor *one = row ? part_of(s, row, 0, 1) : NULL;
    const agn_tensor *all = ag_concat(
        s, (const agn_tensor *[]){row, ag_ones_like(s, one), ag_zeros_like(s, one)}, 3, -1);
    return agni_return("linalg_companion", s, out,
                       all ? spread_out(s, all, n, n, companion_place) : NULL);
}

agn_status agn_linalg_leslie(agn_tensor **out, const agn_tensor *births, const agn_tensor *survival)
{
    static const char op[] = "linalg_leslie";
    AGNI_NEED(op, out);
    AGNI_NEED(op, births);
    AGNI_NEED(op, survival);
    agn_status st = need_sequence(op, births, 2);
    st = st ? st : need_sequence(op, survival, 1);
    if (st)
        return st;
    int64_t n = births->shape[births->ndim - 1];
    if (survival->ndim != births->ndim || survival->shape[survival->ndim - 1] != n - 1 ||
        memcmp(survival->shape, births->shape, (size_t)(births->ndim - 1) * sizeof *births->shape))
        return agni_fail(AGN_ESHAPE, "%s: births are %s, survival is %s: one less is needed", op,
                         AGNI_SHAPE(births), AGNI_SHAPE(survival));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *none = ag_zeros_like(s, part_of(s, survival, 0, 1));
    const agn_tensor *all = ag_concat(s, (const agn_tensor *[]){births, survival, none}, 3, -1);
    return agni_return(op, s, out, all ? spread_out(s, all, n, n, leslie_place) : NULL);
}

agn_status agn_linalg_fiedler(agn_tensor **out, const agn_tensor *a)
{
    static const char op[] = "linalg_fiedler";
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    agn_status st = need_sequence(op, a, 0);
    if (!st && agni_kind(a->dtype) == AGNI_KIND_COMPLEX)
        st = agni_fail(AGN_EDTYPE, "%s: a is %s %s, real numbers are needed", op,
                       agni_dtypes[a->dtype].name, AGNI_SHAPE(a));
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    return agni_return(op, s, out,
                       ag_abs(s, ag_sub(s, ag_expand_dims(s, a, -1), ag_expand_dims(s, a, -2))));
}

/* numbers 0 .. n - 1 are -a[1] / a[0] .., then 1 and 0: two diagonals above, two below and a
   corner */
static int64_t fiedler_place(int64_t i, int64_t j, int64_t n)
{
    if (i == 0 && j == 0)
        return 0;
    bool one = (i == 1 && j == 0) || (i & 1 && i >= 3 && j == i - 2) || (!(i & 1) && j == i + 2);
    return one ? n : !(i & 1) && i && j == i - 1 ? i : !(i & 1) && j == i + 1 ? i + 1 : n + 1;
}

agn_status agn_linalg_fiedler_companion(agn_tensor **out, const agn_tensor *a)
{
    static const char op[] = "linalg_fiedler_companion";
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    agn_status st = need_sequence(op, a, 2);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    int64_t n = a->shape[a->ndim - 1] - 1;
    const agn_tensor *row = ag_neg(s, ag_div(s, tail_of(s, a), part_of(s, a, 0, 1)));
    const agn_tensor *one = row ? part_of(s, row, 0, 1) : NULL;
    const agn_tensor *all = ag_concat(
        s, (const agn_tensor *[]){row, ag_ones_like(s, one), ag_zeros_like(s, one)}, 3, -1);
    return agni_return(op, s, out, all ? spread_out(s, all, n, n, fiedler_place) : NULL);
}

agn_status agn_linalg_convolution_matrix(agn_tensor **out, const agn_tensor *a, int64_t n,
                                         agn_convolution_part part)
{
    static const char op[] = "linalg_convolution_matrix";
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    agn_status st = need_sequence(op, a, 1);
    if (!st && (n < 1 || n > INT32_MAX))
        st = agni_fail(AGN_EARG, "%s: %lld numbers are convolved with a of %s", op, (long long)n,
                       AGNI_SHAPE(a));
    if (!st && ((int)part < 0 || part > AGN_CONVOLUTION_VALID))
        st = agni_fail(AGN_EARG, "%s: there is no part %d of %d", op, (int)part,
                       AGN_CONVOLUTION_VALID + 1);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    int64_t m = a->shape[a->ndim - 1], less = m < n ? m : n,
            from = part == AGN_CONVOLUTION_FULL ? 0 : less - 1;
    int64_t rows = m + n - 1 - from - (part == AGN_CONVOLUTION_VALID ? less - 1 : 0);
    from = part == AGN_CONVOLUTION_SAME ? from / 2 : from;
    int64_t shape[AGNI_MAX_RANK]; /* a Toeplitz matrix: a and zeros down, zeros along */
    memcpy(shape, a->shape, (size_t)a->ndim * sizeof *shape);
    shape[a->ndim - 1] = 2 * (n - 1);
    const agn_tensor *all = ag_concat(
        s, (const agn_tensor *[]){a, agni_full(s, 0, a->dtype, a->ndim, shape)}, 2, -1);
    const agn_tensor *y = all ? spread_out(s, all, m + n - 1, n, toeplitz_place) : NULL;
    if (y && rows < m + n - 1) {
        int64_t start[AGNI_MAX_RANK] = {0}, stop[AGNI_MAX_RANK], step[AGNI_MAX_RANK];
        for (int d = 0; d < y->ndim; d++) {
            stop[d] = y->shape[d];
            step[d] = 1;
        }
        start[y->ndim - 2] = from;
        stop[y->ndim - 2] = from + rows;
        y = ag_slice(s, y, y->ndim, start, stop, step);
    }
    return agni_return(op, s, out, y);
}

/* ---- triangular solves ----------------------------------------------------------- */

agn_status agn_linalg_triangular_solve_with(agn_tensor **out, const agn_tensor *a,
                                            const agn_tensor *b, const agn_triangular_options *opts)
{
    static const char op[] = "linalg_triangular_solve_with";
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    AGNI_NEED(op, b);
    agn_triangular_options o = {.size = sizeof o};
    if (agni_check_size(op, agn_triangular_options, opts))
        return AGN_EARG;
    if (opts)
        o = *opts;
    if (o.form < AGN_FORM_PLAIN || o.form > AGN_FORM_ADJOINT)
        return agni_fail(AGN_EARG, "%s: there is no form %d of 3", op, (int)o.form);
    agn_status st = a->layout == AGN_DENSE ? agni_check_square(op, a)
                                           : agni_fail(AGN_EUNSUPPORTED,
                                                       "%s: a is sparse, a dense one is needed: %s",
                                                       op, AGNI_SHAPE(a));
    if (st)
        return st;
    if (o.right && b->ndim < 2)
        return agni_fail(AGN_ESHAPE, "%s: from the right b is a matrix, not %s", op, AGNI_SHAPE(b));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *m = a, *x = b;
    /* x op(a) = b is op(a)^T x^T = b^T */
    bool turned = (o.form != AGN_FORM_PLAIN) != o.right;
    if (o.form == AGN_FORM_ADJOINT)
        m = agni_conjugate_dense(s, m);
    if (turned)
        m = agni_matrix_transpose(s, m);
    const bool one = b->ndim == 1;
    x = one ? ag_expand_dims(s, x, -1) : o.right ? agni_matrix_transpose(s, x) : x;
    x = agni_solve_triangle(s, m, x, (o.upper != turned ? AGNI_TRIANGLE_UPPER : 0) |
                                         (o.unit ? AGNI_TRIANGLE_UNIT : 0));
    return agni_return(op, s, out, one && x ? ag_squeeze(s, x, -1)
                                   : o.right ? agni_matrix_transpose(s, x)
                                             : x);
}

/* ---- unknowns that are tensors --------------------------------------------------- */

static int64_t count_of(int n, const int64_t *shape)
{
    int64_t k = 1;
    for (int d = 0; d < n; d++)
        k *= shape[d];
    return k;
}

agn_status agn_linalg_tensorsolve(agn_tensor **out, const agn_tensor *a, const agn_tensor *b)
{
    AGNI_NEED("linalg_tensorsolve", out);
    AGNI_NEED("linalg_tensorsolve", a);
    AGNI_NEED("linalg_tensorsolve", b);
    int64_t n = count_of(b->ndim, b->shape);
    if (a->ndim < b->ndim || memcmp(a->shape, b->shape, (size_t)b->ndim * sizeof *b->shape) ||
        count_of(a->ndim - b->ndim, a->shape + b->ndim) != n)
        return agni_fail(AGN_ESHAPE, "linalg_tensorsolve: no square system: a is %s, b is %s",
                         AGNI_SHAPE(a), AGNI_SHAPE(b));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *m = ag_reshape(s, a, 2, (const int64_t[]){n, n});
    const agn_tensor *x = ag_linalg_solve(s, m, ag_reshape(s, b, 1, &n));
    return agni_return("linalg_tensorsolve", s, out,
                       ag_reshape(s, x, a->ndim - b->ndim, a->shape + b->ndim));
}

agn_status agn_linalg_tensorinv(agn_tensor **out, const agn_tensor *a, int32_t n_first)
{
    AGNI_NEED("linalg_tensorinv", out);
    AGNI_NEED("linalg_tensorinv", a);
    if (n_first < 1 || n_first > a->ndim)
        return agni_fail(AGN_EARG, "linalg_tensorinv: %d first axes of %d", n_first, a->ndim);
    int rest = a->ndim - n_first;
    int64_t n = count_of(n_first, a->shape), shape[AGNI_MAX_RANK];
    if (count_of(rest, a->shape + n_first) != n)
        return agni_fail(AGN_ESHAPE,
                         "linalg_tensorinv: not square: a is %s, its first %d axes have %lld",
                         AGNI_SHAPE(a), n_first, (long long)n);
    memcpy(shape, a->shape + n_first, (size_t)rest * sizeof *shape);
    memcpy(shape + rest, a->shape, (size_t)n_first * sizeof *shape);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_linalg_inv(s, ag_reshape(s, a, 2, (const int64_t[]){n, n}));
    return agni_return("linalg_tensorinv", s, out, ag_reshape(s, y, a->ndim, shape));
}

/* ---- products of columns --------------------------------------------------------- */

agn_status agn_linalg_khatri_rao(agn_tensor **out, const agn_tensor *a, const agn_tensor *b)
{
    static const char op[] = "linalg_khatri_rao";
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    AGNI_NEED(op, b);
    if (a->layout != AGN_DENSE || b->layout != AGN_DENSE)
        return agni_fail(AGN_EUNSUPPORTED,
                         "%s: a sparse argument, dense ones are needed: a is %s, b is %s", op,
                         AGNI_SHAPE(a), AGNI_SHAPE(b));
    if (a->ndim < 2 || b->ndim < 2 || a->shape[a->ndim - 1] != b->shape[b->ndim - 1] ||
        a->ndim >= AGNI_MAX_RANK || b->ndim >= AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "%s: matrices of as many columns are needed: a is %s, b is %s",
                         op, AGNI_SHAPE(a), AGNI_SHAPE(b));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_mul(s, ag_expand_dims(s, a, -2), ag_expand_dims(s, b, -3));
    if (y) {
        int64_t shape[AGNI_MAX_RANK];
        memcpy(shape, y->shape, (size_t)y->ndim * sizeof *shape);
        shape[y->ndim - 3] *= shape[y->ndim - 2];
        shape[y->ndim - 2] = shape[y->ndim - 1];
        y = ag_reshape(s, y, y->ndim - 1, shape);
    }
    return agni_return(op, s, out, y);
}
