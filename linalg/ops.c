/* linalg/ops.c - records of the linear algebra ops, shape inference, public functions. */
#include "linalg/linalg.h"

#include <agnesi/linalg.h>
#include <string.h>

/* ---- shapes ---------------------------------------------------------------------- */

/* the name users know */
static const char *public_name(const agni_call *c)
{
    return strncmp(c->op->name, "linalg_lu", 9) ? c->op->name : "linalg_solve";
}

/* [..., n, n] with n within the integers of LAPACK */
agn_status agni_check_square(const char *op, const agn_tensor *a)
{
    if (a->ndim < 2 || a->shape[a->ndim - 1] != a->shape[a->ndim - 2])
        return agni_fail(AGN_ESHAPE,
                         "%s: square matrices are needed, a is %s with %d axes", op,
                         AGNI_SHAPE(a), a->ndim);
    if (a->shape[a->ndim - 1] > INT32_MAX)
        return agni_fail(AGN_EUNSUPPORTED,
                         "%s: order %lld is beyond the 32-bit sizes of LAPACK", op,
                         (long long)a->shape[a->ndim - 1]);
    return AGN_OK;
}

agn_status agni_check_matrix(const char *op, const agn_tensor *a)
{
    if (a->ndim < 2)
        return agni_fail(AGN_ESHAPE, "%s: matrices are needed, a is %s with %d axes", op,
                         AGNI_SHAPE(a), a->ndim);
    int64_t m = a->shape[a->ndim - 2], n = a->shape[a->ndim - 1];
    if (m > INT32_MAX || n > INT32_MAX)
        return agni_fail(AGN_EUNSUPPORTED,
                         "%s: %lld rows and %lld columns are beyond the 32-bit sizes of LAPACK", op,
                         (long long)m, (long long)n);
    return AGN_OK;
}

/* the common batch of all arguments, then a matrix [rows, cols] of the first one's dtype */
agn_status agni_infer_batches(agni_call *c, int64_t rows, int64_t cols)
{
    agni_meta *o = c->meta;
    int64_t size;
    o->dtype = c->in[0]->dtype;
    o->ndim = 0;
    for (int k = 0; k < c->nin; k++)
        if (!agni_broadcast_into(o, c->in[k]->ndim - 2, c->in[k]->shape))
            return agni_fail(AGN_ESHAPE, "%s: batches do not broadcast: %s and %s", public_name(c),
                             AGNI_SHAPE(c->in[0]), AGNI_SHAPE(c->in[k]));
    o->shape[o->ndim++] = rows;
    o->shape[o->ndim++] = cols;
    return agni_shape_check(public_name(c), o->ndim, o->shape, &size);
}

static agn_status infer_cholesky(agni_call *c)
{
    agn_status st = agni_check_square(public_name(c), c->in[0]);
    return st ? st : agni_infer_same(c);
}

static agn_status infer_triangle(agni_call *c)
{
    if (c->in[0]->ndim < 2)
        return agni_fail(AGN_ESHAPE, "%s: matrices are needed, a is %s with %d axes",
                         public_name(c), AGNI_SHAPE(c->in[0]), c->in[0]->ndim);
    return agni_infer_same(c);
}

/* a [..., n, n] and b [..., n, k] to [..., n, k] */
static agn_status infer_solution(agni_call *c, const agn_tensor *a, const agn_tensor *b)
{
    agn_status st = agni_check_square(public_name(c), a);
    if (st)
        return st;
    int64_t n = a->shape[a->ndim - 1];
    if (b->ndim < 2 || b->shape[b->ndim - 2] != n)
        return agni_fail(AGN_ESHAPE, "%s: rows differ: a is %s, b is %s", public_name(c),
                         AGNI_SHAPE(a), AGNI_SHAPE(b));
    int64_t k = b->shape[b->ndim - 1], size;
    if (k > INT32_MAX)
        return agni_fail(AGN_EUNSUPPORTED, "%s: %lld columns are beyond the 32-bit sizes of BLAS",
                         public_name(c), (long long)k);
    agni_meta *o = c->meta;
    o->dtype = b->dtype;
    o->ndim = a->ndim - 2;
    memcpy(o->shape, a->shape, (size_t)o->ndim * sizeof *o->shape);
    if (!agni_broadcast_into(o, b->ndim - 2, b->shape))
        return agni_fail(AGN_ESHAPE, "%s: batches do not broadcast: a is %s, b is %s",
                         public_name(c), AGNI_SHAPE(a), AGNI_SHAPE(b));
    o->shape[o->ndim++] = n;
    o->shape[o->ndim++] = k;
    return agni_shape_check(public_name(c), o->ndim, o->shape, &size);
}

static agn_status infer_triangular(agni_call *c)
{
    if (c->at->i[0] & ~(int64_t)(AGNI_TRIANGLE_UPPER | AGNI_TRIANGLE_UNIT))
        return agni_fail(AGN_EARG, "%s: there is no triangle %lld of 4", public_name(c),
                         (long long)c->at->i[0]);
    return infer_solution(c, c->in[0], c->in[1]);
}

static agn_status infer_lu_factor(agni_call *c)
{
    agn_status st = agni_check_square(public_name(c), c->in[0]);
    if (!st)
        st = agni_infer_same(c);
    if (!st) {
        c->meta[1] = c->meta[0];
        c->meta[1].dtype = AGN_I32; /* pivots, exponents of the scales of rows and of columns */
        c->meta[1].ndim--;
        c->meta[1].shape[c->meta[1].ndim - 1] *= 3;
    }
    return st;
}

static agn_status infer_lu_info(agni_call *c)
{
    agn_status st = infer_lu_factor(c);
    if (!st) {
        c->meta[2] = c->meta[1];
        c->meta[2].ndim--;
    }
    return st;
}

static agn_status infer_lu_solve(agni_call *c)
{
    const agn_tensor *lu = c->in[0], *piv = c->in[1], *a = c->in[2];
    agn_status st = infer_solution(c, a, c->in[3]);
    if (st)
        return st;
    if (lu->ndim != a->ndim ||
        memcmp(lu->shape, a->shape, (size_t)a->ndim * sizeof *a->shape))
        return agni_fail(AGN_ESHAPE, "%s: the factor is %s, a is %s", public_name(c),
                         AGNI_SHAPE(lu), AGNI_SHAPE(a));
    if (piv->dtype != AGN_I32 || piv->ndim != a->ndim - 1 ||
        memcmp(piv->shape, a->shape, (size_t)(piv->ndim - 1) * sizeof *a->shape) ||
        piv->shape[piv->ndim - 1] != 3 * a->shape[a->ndim - 1])
        return agni_fail(AGN_ESHAPE, "%s: the pivots are %s %s, a is %s", public_name(c),
                         agni_dtypes[piv->dtype].name, AGNI_SHAPE(piv), AGNI_SHAPE(a));
    return AGN_OK;
}

/* ---- op records ------------------------------------------------------------------- */

static agni_slots slots[6];
const agni_op agni_op_linalg_cholesky = {.name = "linalg_cholesky",
                                         .takes = "a upper:b",
                                         .cls = AGNI_SOLVE,
                                         .nin = 1,
                                         .nout = 1,
                                         .dtypes = AGNI_FIELDS,
                                         .diff = 1,
                                         .promote = 1,
                                         .result = AGNI_OUT_SAME,
                                         .ew = -1,
                                         .infer = infer_cholesky,
                                         .cpu = agni_cpu_cholesky,
                                         .may_fail = true,
                                         .jvp = agni_cholesky_jvp,
                                         .vjp = agni_cholesky_vjp,
                                         .batch = agni_batch_front,
                                         .slots = &slots[0],
                                         .lo = -2,
                                         .hi = 2,
                                         .doc = "Cholesky factor of a positive definite matrix"};
const agni_op agni_op_linalg_triangle = {
    .name = "linalg_triangle",
    .takes = "a upper:b diagonal:r",
    .cls = AGNI_LINEAR,
    .nin = 1,
    .nout = 1,
    .dtypes = AGNI_FIELDS,
    .diff = 1,
    .promote = 1,
    .result = AGNI_OUT_SAME,
    .ew = -1,
    .zero = 1,
    .infer = infer_triangle,
    .cpu = agni_cpu_triangle,
    .transpose = agni_triangle_transpose,
    .batch = agni_batch_front,
    .slots = &slots[1],
    .lo = -2,
    .hi = 2,
    .doc = "a triangle of a matrix, its diagonal scaled"};
const agni_op agni_op_linalg_triangular_solve = {
    .name = "linalg_triangular_solve",
    .takes = "a b triangle:i",
    .cls = AGNI_SOLVE,
    .nin = 2,
    .nout = 1,
    .dtypes = AGNI_FIELDS,
    .diff = 3,
    .promote = 3,
    .result = AGNI_OUT_SAME,
    .ew = -1,
    .infer = infer_triangular,
    .cpu = agni_cpu_triangular_solve,
    .may_fail = true,
    .jvp = agni_triangular_jvp,
    .vjp = agni_triangular_vjp,
    .batch = agni_batch_aligned,
    .slots = &slots[2],
    .lo = -2,
    .hi = 2,
    .lo2 = -2,
    .hi2 = 2,
    .doc = "solve with a triangular matrix"};
/* constant to derivatives: the rule of linalg_lu_solve is written in the matrix */
const agni_op agni_op_linalg_lu_factor = {
    .name = "linalg_lu_factor",
    .takes = "a",
    .cls = AGNI_DISCRETE,
    .nin = 1,
    .nout = 2,
    .dtypes = AGNI_FIELDS,
    .promote = 1,
    .ew = -1,
    .infer = infer_lu_factor,
    .cpu = agni_cpu_lu_factor,
    .batch = agni_batch_front,
    .slots = &slots[3],
    .lo = -2,
    .hi = 2,
    .doc = "opaque LU factor and pivots, for linalg_lu_solve"};
const agni_op agni_op_linalg_lu_info = {
    .name = "linalg_lu_info",
    .takes = "a",
    .cls = AGNI_DISCRETE,
    .nin = 1,
    .nout = 3,
    .dtypes = AGNI_FIELDS,
    .promote = 1,
    .ew = -1,
    .infer = infer_lu_info,
    .cpu = agni_cpu_lu_info,
    .batch = agni_batch_front,
    .slots = &slots[5],
    .lo = -2,
    .hi = 2,
    .doc = "the same, and where it failed: the factor of the identity there"};
const agni_op agni_op_linalg_lu_solve = {.name = "linalg_lu_solve",
                                         .takes = "lu pivots a b form:i",
                                         .cls = AGNI_SOLVE,
                                         .nin = 4,
                                         .nout = 1,
                                         .dtypes = AGNI_FIELDS,
                                         .diff = 12,
                                         .promote = 13,
                                         .result = AGNI_OUT_SAME,
                                         .ew = -1,
                                         .infer = infer_lu_solve,
                                         .cpu = agni_cpu_lu_solve,
                                         .may_fail = true,
                                         .jvp = agni_lu_solve_jvp,
                                         .vjp = agni_lu_solve_vjp,
                                         .batch = agni_batch_lu_solve,
                                         .slots = &slots[4],
                                         .lo = -2,
                                         .hi = 2,
                                         .lo2 = -2,
                                         .hi2 = 2,
                                         .doc = "solve with a matrix whose LU factor is given"};

/* ---- public functions ------------------------------------------------------------ */

/* column-major: its transpose view is row-major and needs no copy */
static bool is_column_major(const agn_tensor *a)
{
    return a->st && a->ndim >= 2 && a->stride[a->ndim - 2] == 1 &&
           a->shape[a->ndim - 1] > 1 && a->stride[a->ndim - 1] >= a->shape[a->ndim - 2];
}

agn_status agn_linalg_cholesky(agn_tensor **out, const agn_tensor *a, bool upper)
{
    AGNI_NEED("linalg_cholesky", out);
    AGNI_NEED("linalg_cholesky", a);
    if (a->layout != AGN_DENSE || !is_column_major(a))
        return agni_apply_public(out, &agni_op_linalg_cholesky,
                           &(agni_attr){.ni = 1, .i = (const int64_t[]){upper}}, 1, &a);
    /* a = l l^H, so a^T = (l^T)^H l^T: the other factor of the transpose, by columns
       again */
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *t = agni_matrix_transpose(s, a);
    t = agni_apply_in(s, &agni_op_linalg_cholesky,
                      &(agni_attr){.ni = 1, .i = (const int64_t[]){!upper}}, 1, &t);
    agn_scope_return(s, out, agni_matrix_transpose(s, t));
    return agn_scope_close(s);
}

/* b of one axis is one right-hand side for every matrix, as in NumPy 2 */
static const agn_tensor *view_as_columns(agn_scope *s, const agn_tensor *b)
{
    if (!b || b->ndim != 1)
        return b;
    return agni_reshape(s, b, 2, (int64_t[]){b->shape[0], 1});
}

static const agn_tensor *restore_vector(agn_scope *s, const agn_tensor *x, bool vector)
{
    return x && vector ? agni_reshape(s, x, x->ndim - 1, x->shape) : x;
}

static const agn_tensor *solve_system(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    const agn_tensor *x[4] = {NULL, NULL, a, b};
    int64_t form = is_column_major(a) ? AGNI_FORM_TRANSPOSED : 0;
    if (form)
        x[2] = agni_matrix_transpose(s, a);
    if (!x[2] || !agni_apply_many_in(s, &agni_op_linalg_lu_factor, NULL, 1, x + 2, 2, x))
        return NULL;
    return agni_apply_in(s, &agni_op_linalg_lu_solve, &(agni_attr){.ni = 1, .i = &form}, 4, x);
}

agn_status agn_linalg_solve(agn_tensor **out, const agn_tensor *a, const agn_tensor *b)
{
    AGNI_NEED("linalg_solve", out);
    AGNI_NEED("linalg_solve", a);
    AGNI_NEED("linalg_solve", b);
    if (a->layout != AGN_DENSE || b->layout != AGN_DENSE)
        return agni_fail(AGN_EUNSUPPORTED,
                         "linalg_solve: %s is sparse, a dense one is needed: %s",
                         a->layout ? "a" : "b", AGNI_SHAPE(a->layout ? a : b));
    agn_status st = agni_check_square("linalg_solve", a);
    if (st)
        return st;
    int64_t n = a->shape[a->ndim - 1];
    if (b->ndim == 0 || b->shape[b->ndim == 1 ? 0 : b->ndim - 2] != n)
        return agni_fail(AGN_ESHAPE, "linalg_solve: rows differ: a is %s, b is %s",
                         AGNI_SHAPE(a), AGNI_SHAPE(b));
    /* cast before a is factored: an f32 factor does not solve an f64 system */
    int p = agni_promote(a->dtype, b->dtype), w = agni_dtypes[p].wide;
    if (agni_kind(p) <= AGNI_KIND_INT)
        p = w = AGN_F64;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *A = a->dtype == w ? a : agni_cast(s, a, w);
    const agn_tensor *B = view_as_columns(s, b->dtype == w ? b : agni_cast(s, b, w));
    const agn_tensor *x = A && B ? restore_vector(s, solve_system(s, A, B), b->ndim == 1) : NULL;
    if (x && p != w)
        x = agni_cast(s, x, p);
    agn_scope_return(s, out, x);
    return agn_scope_close(s);
}

agn_status agn_linalg_triangular_solve(agn_tensor **out, const agn_tensor *a,
                                       const agn_tensor *b, bool upper)
{
    AGNI_NEED("linalg_triangular_solve", out);
    AGNI_NEED("linalg_triangular_solve", a);
    AGNI_NEED("linalg_triangular_solve", b);
    agni_attr at = {.ni = 1, .i = (const int64_t[]){upper}};
    if (b->ndim != 1)
        return agni_apply_public(out, &agni_op_linalg_triangular_solve, &at, 2,
                           (const agn_tensor *[]){a, b});
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_solve_triangle(s, a, view_as_columns(s, b), upper);
    agn_scope_return(s, out, restore_vector(s, x, true));
    return agn_scope_close(s);
}
