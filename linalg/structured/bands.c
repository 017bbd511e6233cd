/* linalg/structured/bands.c - systems with banded and tridiagonal matrices: record, derivative,
   public functions. Rows of ab are diagonals: row u + i - j holds entry [i, j] in column j; what
   lies outside of the matrix is not read. */
#include "linalg/structured/bands.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <string.h>

static agn_status infer_banded(agni_call *c)
{
    const agn_tensor *a = c->in[0], *b = c->in[1];
    agn_status st = agni_check_matrix(c->op->name, a);
    if (st)
        return st;
    int64_t w = a->shape[a->ndim - 2], n = a->shape[a->ndim - 1], l = c->at->i[0], size;
    if (l < 0 || l >= w)
        return agni_fail(AGN_EARG, "%s: %lld diagonals below the main one, ab is %s", c->op->name,
                         (long long)l, AGNI_SHAPE(a));
    if (b->ndim < 2 || b->shape[b->ndim - 2] != n)
        return agni_fail(AGN_ESHAPE, "%s: rows differ: ab is %s, b is %s", c->op->name,
                         AGNI_SHAPE(a), AGNI_SHAPE(b));
    if (b->shape[b->ndim - 1] > INT32_MAX || w + l > INT32_MAX)
        return agni_fail(AGN_EUNSUPPORTED,
                         "%s: %lld columns or %lld diagonals are beyond the 32-bit sizes of LAPACK",
                         c->op->name, (long long)b->shape[b->ndim - 1], (long long)w);
    agni_meta *o = c->meta;
    o->dtype = b->dtype;
    o->ndim = a->ndim - 2;
    memcpy(o->shape, a->shape, (size_t)o->ndim * sizeof *o->shape);
    if (!agni_broadcast_into(o, b->ndim - 2, b->shape))
        return agni_fail(AGN_ESHAPE, "%s: batches do not broadcast: ab is %s, b is %s", c->op->name,
                         AGNI_SHAPE(a), AGNI_SHAPE(b));
    o->shape[o->ndim++] = n;
    o->shape[o->ndim++] = b->shape[b->ndim - 1];
    return agni_shape_check(c->op->name, o->ndim, o->shape, &size);
}

/* ---- entries along other lines ---------------------------------------------------- */

/* [w, n] of places: column i + sign (r - u), of row r where entries are meant, or one beyond the last */
typedef struct band_table {
    int64_t w, n, u;
    int sign;
    enum { OF_COLUMNS, OF_ENTRIES } what;
} band_table;

static const agn_tensor *make_table(agn_scope *s, band_table t)
{
    const int64_t shape[] = {t.w, t.n};
    agn_tensor *at = NULL;
    void *p = NULL;
    agn_status st = agn_scope_status(s);
    st = st ? st : agn_empty(&at, AGN_I64, 2, shape, AGN_CPU);
    st = st ? st : agn_data_mut(&p, at);
    for (int64_t r = 0; !st && r < t.w; r++)
        for (int64_t i = 0; i < t.n; i++) {
            int64_t j = i + t.sign * (r - t.u), row = t.what == OF_ENTRIES ? r : 0;
            bool inside = j >= 0 && j < t.n;
            ((int64_t *)p)[r * t.n + i] = inside                 ? row * t.n + j
                                          : t.what == OF_COLUMNS ? t.n
                                                                 : t.w * t.n;
        }
    return agni_adopt_constant(s, st, at);
}

const agn_tensor *agni_gather_or_zero(agn_scope *s, const agn_tensor *x, const agn_tensor *table,
                                      int axis)
{
    if (!x || !table)
        return NULL;
    int64_t shape[AGNI_MAX_RANK];
    memcpy(shape, x->shape, (size_t)x->ndim * sizeof *shape);
    shape[x->ndim + axis] = 1;
    const agn_tensor *none = agni_full(s, 0, x->dtype, x->ndim, shape);
    return ag_gather(s, ag_concat(s, (const agn_tensor *[]){x, none}, 2, axis), table, axis);
}

const agn_tensor *agni_flatten_matrix(agn_scope *s, const agn_tensor *ab)
{
    if (!ab)
        return NULL;
    int64_t shape[AGNI_MAX_RANK];
    memcpy(shape, ab->shape, (size_t)ab->ndim * sizeof *shape);
    shape[ab->ndim - 2] *= shape[ab->ndim - 1];
    return ag_reshape(s, ab, ab->ndim - 1, shape);
}

/* a x: row i is the sum over r of entry [i, j] times row j of x, j = i + u - r */
static const agn_tensor *multiply_band(agn_scope *s, const agn_tensor *ab, int64_t u,
                                       const agn_tensor *x)
{
    if (!ab || !x)
        return NULL;
    band_table t = {agni_band_rows(ab), agni_band_order(ab), u, -1, OF_ENTRIES};
    const agn_tensor *a = agni_gather_or_zero(s, agni_flatten_matrix(s, ab), make_table(s, t), -1);
    t.what = OF_COLUMNS;
    const agn_tensor *v = agni_gather_or_zero(s, x, make_table(s, t), -2);
    return ag_sum(s, ag_mul(s, ag_expand_dims(s, a, -1), v), (const int32_t[]){-3}, 1, false);
}

/* A view: row r, column i of it is row w - 1 - r, column i + r - l, which runs into a neighbouring row
   where it lies outside of the matrix. */
const agn_tensor *agni_transposed_band(agn_scope *s, const agn_tensor *ab, int64_t l)
{
    if (!ab)
        return NULL;
    const int64_t w = agni_band_rows(ab), n = agni_band_order(ab);
    const int nd = ab->ndim;
    int64_t stride[AGNI_MAX_RANK], step = w * n, numbers = w * n;
    for (int d = nd - 3; d >= 0; d--) {
        stride[d] = step;
        step *= ab->shape[d];
        numbers *= ab->shape[d];
    }
    stride[nd - 2] = 1 - n;
    stride[nd - 1] = 1;
    return numbers ? ag_as_strided(s, ab, nd, ab->shape, stride, (w - 1) * n - l) : ab;
}

const agn_tensor *agni_adjoint_band(agn_scope *s, const agn_tensor *ab, int64_t l)
{
    return agni_transposed_band(s, agni_conjugate_dense(s, ab), l);
}

/* dx = a^-1 (db - da x) */
static void banded_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                       const agn_tensor **ty)
{
    int64_t l = r->at->i[0], u = agni_band_rows(r->x[0]) - 1 - l;
    const agn_tensor *rhs = t[1];
    if (t[0])
        rhs = agni_add_present(s, rhs, ag_neg(s, multiply_band(s, t[0], u, r->y[0])));
    ty[0] = agni_solve_band(s, r->x[0], rhs, l, r->at->i[1]);
}

/* w = a^-H g; that of entry [i, j] is -w_i conj(x_j) */
static void banded_vjp(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                       const bool *want, const agn_tensor **gx)
{
    const agn_tensor *ab = r->x[0];
    int64_t l = r->at->i[0], u = agni_band_rows(ab) - 1 - l;
    const bool definite = r->at->i[1]; /* then it is its own adjoint */
    const agn_tensor *w = agni_solve_band(s, definite ? ab : agni_adjoint_band(s, ab, l), g[0], u,
                                          definite);
    if (want[1])
        gx[1] = agni_unbroadcast(s, w, r->x[1]);
    if (want[0]) {
        band_table t = {agni_band_rows(ab), agni_band_order(ab), u, 1, OF_COLUMNS};
        const agn_tensor *rows = agni_gather_or_zero(s, w, make_table(s, t), -2);
        const agn_tensor *x = ag_expand_dims(s, agni_conjugate_dense(s, r->y[0]), -3);
        const agn_tensor *sum = ag_sum(s, ag_mul(s, rows, x), (const int32_t[]){-1}, 1, false);
        gx[0] = agni_unbroadcast(s, ag_neg(s, sum), ab);
    }
}

static agni_slots slots;
const agni_op agni_op_linalg_banded_solve = {.name = "linalg_banded_solve",
                                             .takes = "ab b lower:i definite:b",
                                             .cls = AGNI_SOLVE,
                                             .nin = 2,
                                             .nout = 1,
                                             .dtypes = AGNI_FIELDS,
                                             .diff = 3,
                                             .promote = 3,
                                             .result = AGNI_OUT_SAME,
                                             .ew = -1,
                                             .infer = infer_banded,
                                             .cpu = agni_cpu_banded_solve,
                                             .may_fail = true,
                                             .jvp = banded_jvp,
                                             .vjp = banded_vjp,
                                             .batch = agni_batch_aligned,
                                             .slots = &slots,
                                             .lo = 1,
                                             .hi = 2,
                                             .lo2 = -2,
                                             .hi2 = 2,
                                             .doc = "x of a x = b, a banded"};

const agn_tensor *agni_solve_band(agn_scope *s, const agn_tensor *ab, const agn_tensor *b,
                                  int64_t l, bool definite)
{
    return agni_apply_in(s, &agni_op_linalg_banded_solve,
                         &(agni_attr){.ni = 2, .i = (const int64_t[]){l, definite}}, 2,
                         (const agn_tensor *[]){ab, b});
}

/* ---- public functions -------------------------------------------------------------- */

/* b of one axis is one right-hand side */
agn_status agni_return_band_solution(const char *op, agn_scope *s, agn_tensor **out,
                                     const agn_tensor *ab, const agn_tensor *b, int64_t l,
                                     bool definite)
{
    bool one = b->ndim == 1;
    const agn_tensor *x = agni_solve_band(s, ab, one ? ag_expand_dims(s, b, -1) : b, l, definite);
    return agni_return(op, s, out, one && x ? ag_squeeze(s, x, -1) : x);
}

agn_status agn_linalg_solve_banded(agn_tensor **out, const agn_tensor *ab, const agn_tensor *b,
                                   int64_t lower, int64_t upper)
{
    static const char op[] = "linalg_solve_banded";
    AGNI_NEED(op, out);
    AGNI_NEED(op, ab);
    AGNI_NEED(op, b);
    if (ab->layout != AGN_DENSE)
        return agni_fail(AGN_EUNSUPPORTED, "%s: ab is sparse, a dense one is needed: %s", op,
                         AGNI_SHAPE(ab));
    if (lower < 0 || upper < 0)
        return agni_fail(AGN_EARG, "%s: %lld diagonals below and %lld above the main one", op,
                         (long long)lower, (long long)upper);
    if (ab->ndim < 2 || lower >= agni_band_rows(ab) || agni_band_rows(ab) - 1 - lower != upper)
        return agni_fail(AGN_ESHAPE, "%s: %lld + %lld + 1 diagonals are needed, ab is %s", op,
                         (long long)lower, (long long)upper, AGNI_SHAPE(ab));
    return agni_return_band_solution(op, agn_scope_open(NULL), out, ab, b, lower, false);
}

agn_status agn_linalg_solve_tridiagonal(agn_tensor **out, const agn_tensor *dl, const agn_tensor *d,
                                        const agn_tensor *du, const agn_tensor *b)
{
    static const char op[] = "linalg_solve_tridiagonal";
    AGNI_NEED(op, out);
    AGNI_NEED(op, dl);
    AGNI_NEED(op, d);
    AGNI_NEED(op, du);
    AGNI_NEED(op, b);
    if (dl->layout != AGN_DENSE || d->layout != AGN_DENSE || du->layout != AGN_DENSE)
        return agni_fail(AGN_EUNSUPPORTED, "%s: a sparse diagonal, dense ones are needed: d is %s",
                         op, AGNI_SHAPE(d));
    const agn_tensor *const side[] = {dl, du};
    for (int k = 0; k < 2; k++)
        if (d->ndim < 1 || d->ndim >= AGNI_MAX_RANK || d->shape[d->ndim - 1] < 1 ||
            side[k]->ndim != d->ndim || side[k]->shape[d->ndim - 1] != d->shape[d->ndim - 1] - 1 ||
            memcmp(side[k]->shape, d->shape, (size_t)(d->ndim - 1) * sizeof *d->shape))
            return agni_fail(AGN_ESHAPE, "%s: d is %s, %s is %s: one less is needed", op,
                             AGNI_SHAPE(d), k ? "du" : "dl", AGNI_SHAPE(side[k]));
    agn_scope *s = agn_scope_open(NULL);
    int64_t shape[AGNI_MAX_RANK];
    memcpy(shape, d->shape, (size_t)d->ndim * sizeof *shape);
    shape[d->ndim - 1] = 1;
    const agn_tensor *none = agni_full(s, 0, d->dtype, d->ndim, shape);
    const agn_tensor *line[] = {none, du, d, dl, none};
    const agn_tensor *ab = ag_concat(s, line, 5, -1);
    shape[d->ndim - 1] = 3;
    shape[d->ndim] = d->shape[d->ndim - 1];
    return agni_return_band_solution(op, s, out, ag_reshape(s, ab, d->ndim + 1, shape), b, 1,
                                     false);
}
