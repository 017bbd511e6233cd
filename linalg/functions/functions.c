/* linalg/functions/functions.c - determinants, exponential and pseudoinverse: records, derivatives,
   public functions (Giles 2008; Mathias 1996; Golub & Pereyra 1973). */
#include "autograd/modes/grading.h"
#include "linalg/linalg.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <string.h>

static agn_status infer_number(agni_call *c)
{
    const agn_tensor *a = c->in[0];
    agn_status st = agni_check_square(c->op->name, a);
    if (st)
        return st;
    for (int o = 0; o < c->nout; o++) {
        agni_meta *m = &c->meta[o];
        m->dtype = o == 0 ? a->dtype : a->dtype == AGN_C64 ? AGN_F32
                                   : a->dtype == AGN_C128 ? AGN_F64
                                                          : a->dtype;
        m->ndim = a->ndim - 2;
        memcpy(m->shape, a->shape, (size_t)m->ndim * sizeof *m->shape);
    }
    return AGN_OK;
}

static agn_status infer_square(agni_call *c)
{
    agn_status st = agni_check_square(c->op->name, c->in[0]);
    return st ? st : agni_infer_same(c);
}

static agn_status infer_pinv(agni_call *c)
{
    agn_status st = c->at->i[0] ? agni_check_square(c->op->name, c->in[0])
                                : agni_check_matrix(c->op->name, c->in[0]);
    st = st ? st : agni_infer_same(c);
    if (!st) {
        c->meta->shape[c->meta->ndim - 1] = c->in[0]->shape[c->in[0]->ndim - 2];
        c->meta->shape[c->meta->ndim - 2] = c->in[0]->shape[c->in[0]->ndim - 1];
    }
    return st;
}

/* ---- rules ----------------------------------------------------------------------- */

/* tr(a^-1 da), the differential of log det */
static const agn_tensor *log_rate(agn_scope *s, const agn_tensor *a, const agn_tensor *t)
{
    return ag_trace(s, ag_linalg_solve(s, a, t), 0, -2, -1);
}

static void det_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                    const agn_tensor **ty)
{
    ty[0] = ag_mul(s, r->y[0], log_rate(s, r->x[0], t[0]));
}

static void slogdet_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                        const agn_tensor **ty)
{
    const agn_tensor *rate = log_rate(s, r->x[0], t[0]);
    if (!rate || agni_kind(rate->dtype) != AGNI_KIND_COMPLEX) {
        ty[1] = rate;
        return;
    }
    const agn_tensor *turn = ag_imag(s, rate);
    ty[1] = ag_real(s, rate);
    ty[0] = turn ? ag_mul(s, r->y[0], ag_complex(s, ag_zeros_like(s, turn), turn)) : NULL;
}

/* [x, e; 0, x] */
const agn_tensor *agni_block_triangle(agn_scope *s, const agn_tensor *x, const agn_tensor *e)
{
    const agn_tensor *none = ag_zeros_like(s, x);
    const agn_tensor *rows[2] = {ag_concat(s, (const agn_tensor *[]){x, e}, 2, -1),
                                 ag_concat(s, (const agn_tensor *[]){none, x}, 2, -1)};
    return ag_concat(s, rows, 2, -2);
}

/* [..., n, n] of y from that row and column on */
const agn_tensor *agni_take_block(agn_scope *s, const agn_tensor *y, int64_t row, int64_t col,
                                  int64_t n)
{
    int64_t start[AGNI_MAX_RANK] = {0}, stop[AGNI_MAX_RANK], step[AGNI_MAX_RANK];
    for (int d = 0; d < y->ndim; d++) {
        stop[d] = y->shape[d];
        step[d] = 1;
    }
    stop[y->ndim - 2] = (start[y->ndim - 2] = row) + n;
    stop[y->ndim - 1] = (start[y->ndim - 1] = col) + n;
    return ag_slice(s, y, y->ndim, start, stop, step);
}

/* f([x, e; 0, x]) has the derivative of f along e above its diagonal */
const agn_tensor *agni_frechet(agn_scope *s, const agni_rule *r, const agn_tensor *x,
                               const agn_tensor *e)
{
    const agn_tensor *b = agni_block_triangle(s, x, e);
    const agn_tensor *y = agni_apply_in(s, r->op, r->at, 1, &b);
    return y && x ? agni_take_block(s, y, 0, x->shape[x->ndim - 1], x->shape[x->ndim - 1]) : NULL;
}

static void exp_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                    const agn_tensor **ty)
{
    ty[0] = agni_frechet(s, r, r->x[0], t[0]);
}

static void exp_vjp(agn_scope *s, const agni_rule *r, const agn_tensor *const *g, const bool *want,
                    const agn_tensor **gx)
{
    if (want[0])
        gx[0] = agni_frechet(s, r, agni_conjugate_transpose(s, r->x[0]), g[0]);
}

/* Coefficients of an exponential in any graded algebra. With basis elements b of the algebra and
   the product b q = sum of w r over r, x = sum of b x_b multiplies as the matrix whose block (r, q)
   is the sum of w x_b; the exponential of that matrix has the coefficients of e^x in its first
   column of blocks. Along a curve the blocks are Toeplitz (Mathias 1996). */
typedef struct algebra {
    agn_scope *s;
    const agni_grading *g;
    const agn_tensor *zero;
    const agn_tensor **block; /* [n][n] */
    int64_t n, first[AGNI_MAX_DEGREE + 2]; /* basis elements; those of degree k begin at first[k] */
} algebra;

static void add_block(const algebra *q, int64_t row, int64_t col, const agn_tensor *x, double w)
{
    const agn_tensor **y = &q->block[row * q->n + col];
    if (x && w != 1)
        x = ag_mul_c(q->s, x, w);
    if (x)
        *y = *y ? ag_add(q->s, *y, x) : x;
}

/* the products of x, lane a of degree j, with all elements of degree m */
static void add_products(const algebra *q, const agn_tensor *x, int j, int64_t a, int m)
{
    const agni_grading_weights *t = j && m ? &q->g->by[j * (q->g->K + 1) + m] : NULL;
    if (!q->g->by && j && m)
        add_block(q, q->first[j + m], q->first[m], x, 1); /* a curve */
    for (int32_t i = 0; q->g->by && t && i < t->n; i++)
        if (t->term[i].a == a)
            add_block(q, q->first[j + m] + t->term[i].c, q->first[m] + t->term[i].b, x,
                      t->term[i].w);
    for (int64_t b = 0; !(j && m) && b < q->g->lanes[m]; b++)
        add_block(q, q->first[j + m] + (j ? a : b), q->first[m] + b, x, 1);
}

static const agn_tensor *take_lane(agn_scope *s, const agni_grading *g, const agn_tensor *x, int k,
                                   int64_t at)
{
    return x && agni_has_lanes(g, k) ? ag_index_axis(s, x, 0, at) : x;
}

/* y[k], k >= 1, of c[k]: lanes of a degree are elements of the algebra */
static void exponentiate_in_algebra(agn_scope *s, const agni_rule *r, const agni_grading *g,
                                    const agn_tensor *const *c, const agn_tensor **y)
{
    algebra q = {.s = s, .g = g, .zero = ag_zeros_like(s, r->x[0])};
    for (int k = 0; k <= g->K; k++)
        q.first[k + 1] = q.n += g->lanes[k];
    size_t bytes = (size_t)((q.n + 1) * q.n) * sizeof *q.block;
    if (agn_scope_status(s) || !(q.block = agni_zalloc(bytes))) {
        if (!agn_scope_status(s))
            agn_scope_fail(s, agni_nomem(r->op->name, bytes));
        return;
    }
    for (int j = 0; j <= g->K; j++)
        for (int64_t a = 0; a < g->lanes[j]; a++) {
            const agn_tensor *x = take_lane(s, g, j ? c[j] : r->x[0], j, a);
            for (int m = 0; x && m <= g->K - j; m++)
                add_products(&q, x, j, a, m);
        }
    const agn_tensor **rows = q.block + q.n * q.n;
    for (int64_t i = 0; i < q.n; i++) {
        for (int64_t k = 0; k < q.n; k++)
            if (!q.block[i * q.n + k])
                q.block[i * q.n + k] = q.zero;
        rows[i] = ag_concat(s, q.block + i * q.n, (int32_t)q.n, -1);
    }
    const agn_tensor *whole = ag_concat(s, rows, (int32_t)q.n, -2);
    whole = whole ? agni_apply_in(s, r->op, r->at, 1, &whole) : NULL;
    int64_t n = r->x[0]->shape[r->x[0]->ndim - 1];
    for (int k = 1; whole && k <= g->K; k++) {
        for (int64_t a = 0; a < g->lanes[k]; a++)
            rows[a] = agni_take_block(s, whole, (q.first[k] + a) * n, 0, n);
        y[k] = agni_has_lanes(g, k) ? ag_stack(s, rows, (int32_t)g->lanes[k], 0) : rows[0];
    }
    agni_free(q.block);
}

/* Lanes without an algebra are curves of their own; one lane above several is their sum, in which
   the highest coefficients of x count once. */
static void exp_jet(agn_scope *s, const agni_rule *r, const agni_grading *g,
                    const agn_tensor *const *c, const agn_tensor **out)
{
    int64_t lanes = g->K ? g->lanes[1] : 1;
    if (g->by || lanes == 1) {
        exponentiate_in_algebra(s, r, g, c, out);
        return;
    }
    agni_grading line = agni_grading_along(g->K, 1, false);
    const agn_tensor **y = agni_zalloc((size_t)(lanes * (g->K + 1)) * sizeof *y),
                     *x[AGNI_MAX_DEGREE + 1], *one[AGNI_MAX_DEGREE + 1];
    if (!y)
        agn_scope_fail(s, agni_nomem(r->op->name, (size_t)(lanes * (g->K + 1)) * sizeof *y));
    for (int64_t a = 0; y && a < lanes && !agn_scope_status(s); a++) {
        for (int k = 1; k <= g->K; k++)
            x[k] = agni_has_lanes(g, k) || !a ? take_lane(s, g, c[k], k, a) : NULL;
        exponentiate_in_algebra(s, r, &line, x, one);
        for (int k = 1; k <= g->K; k++)
            y[k * lanes + a] = one[k];
    }
    for (int k = 1; y && k <= g->K && !agn_scope_status(s); k++) {
        out[k] = ag_stack(s, y + k * lanes, (int32_t)lanes, 0);
        if (out[k] && !agni_has_lanes(g, k))
            out[k] = ag_sum(s, out[k], (int32_t[]){0}, 1, false);
    }
    agni_free(y);
}

/* x (1 - a p), and (1 - p a) x. A projection is off by n eps |a| |p|, where it may be 0: the second
   one takes what the first has left (Kahan's "twice is enough"; Parlett 1998, 6.9). */
static const agn_tensor *project_left(agn_scope *s, const agn_tensor *x, const agn_tensor *a,
                                      const agn_tensor *p)
{
    for (int k = 0; k < 2; k++)
        x = ag_sub(s, x, ag_matmul(s, ag_matmul(s, x, a), p));
    return x;
}
static const agn_tensor *project_right(agn_scope *s, const agn_tensor *x, const agn_tensor *a,
                                       const agn_tensor *p)
{
    for (int k = 0; k < 2; k++)
        x = ag_sub(s, x, ag_matmul(s, p, ag_matmul(s, a, x)));
    return x;
}

/* of constant rank: dp = -p da p + p p^H da^H (1 - a p) + (1 - p a) da^H p^H p */
static void pinv_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                     const agn_tensor **ty)
{
    const agn_tensor *a = r->x[0], *p = r->y[0], *ph = agni_conjugate_transpose(s, p),
                     *dh = agni_conjugate_transpose(s, t[0]);
    const agn_tensor *left = project_left(s, ag_matmul(s, p, ag_matmul(s, ph, dh)), a, p),
                     *right = project_right(s, ag_matmul(s, ag_matmul(s, dh, ph), p), a, p);
    ty[0] = ag_sub(s, ag_add(s, left, right), ag_matmul(s, p, ag_matmul(s, t[0], p)));
}

/* ---- records --------------------------------------------------------------------- */

static agni_slots slots[4];
#define RECORD(op, arguments, outs, shapes, number, rules, text)                            \
    const agni_op agni_op_linalg_##op = {.name = "linalg_" #op,                             \
                                         .takes = arguments,                                \
                                         .cls = AGNI_SOLVE,                                 \
                                         .nin = 1,                                          \
                                         .nout = outs,                                      \
                                         .dtypes = AGNI_FIELDS,                             \
                                         .diff = 1,                                         \
                                         .promote = 1,                                      \
                                         .ew = -1,                                          \
                                         .infer = shapes,                                   \
                                         .cpu = agni_cpu_##op,                              \
                                         .batch = agni_batch_front,                         \
                                         .slots = &slots[number],                           \
                                         .lo = -2,                                          \
                                         .hi = 2,                                           \
                                         .doc = text,                                       \
                                         rules}
RECORD(det, "a", 1, infer_number, 0, .jvp = det_jvp, "determinant");
RECORD(slogdet, "a", 2, infer_number, 1, .jvp = slogdet_jvp,
       "sign of a determinant and logarithm of its modulus");
const agni_op agni_op_linalg_matrix_exp = {.name = "linalg_matrix_exp",
                                           .takes = "a",
                                           .cls = AGNI_SOLVE,
                                           .nin = 1,
                                           .nout = 1,
                                           .dtypes = AGNI_FIELDS,
                                           .diff = 1,
                                           .promote = 1,
                                           .result = AGNI_OUT_SAME,
                                           .ew = -1,
                                           .infer = infer_square,
                                           .cpu = agni_cpu_matrix_exp,
                                           .jvp = exp_jvp,
                                           .vjp = exp_vjp,
                                           .jet = exp_jet,
                                           .batch = agni_batch_front,
                                           .slots = &slots[2],
                                           .lo = -2,
                                           .hi = 2,
                                           .doc = "exponential of a matrix"};
RECORD(pinv, "a hermitian:b rcond:r", 1, infer_pinv, 3, .jvp = pinv_jvp, "Moore-Penrose inverse");

/* ---- public functions ------------------------------------------------------------ */

#define ONE_MATRIX(name)                                                     \
    agn_status agn_linalg_##name(agn_tensor **out, const agn_tensor *a)      \
    {                                                                        \
        AGNI_NEED("linalg_" #name, out);                                     \
        AGNI_NEED("linalg_" #name, a);                                       \
        return agni_apply_public(out, &agni_op_linalg_##name, NULL, 1, &a);  \
    }
ONE_MATRIX(det)
ONE_MATRIX(matrix_exp)

agn_status agn_linalg_slogdet(agn_tensor **sign, agn_tensor **logabs, const agn_tensor *a)
{
    AGNI_NEED("linalg_slogdet", sign);
    AGNI_NEED("linalg_slogdet", logabs);
    AGNI_NEED("linalg_slogdet", a);
    agn_tensor *y[2] = {NULL};
    agn_status st = agni_apply(&agni_op_linalg_slogdet, NULL, 1, &a, 2, y);
    if (st)
        return st;
    *sign = y[0];
    *logabs = y[1];
    return AGN_OK;
}

agn_status agn_linalg_pinv(agn_tensor **out, const agn_tensor *a, double rcond)
{
    AGNI_NEED("linalg_pinv", out);
    AGNI_NEED("linalg_pinv", a);
    if (rcond != rcond || rcond >= 1)
        return agni_fail(AGN_EARG, "linalg_pinv: rcond is %g, not below %g", rcond, 1.0);
    const int64_t any = false;
    return agni_apply_public(out, &agni_op_linalg_pinv,
                             &(agni_attr){.ni = 1, .i = &any, .nf = 1, .f = &rcond}, 1, &a);
}
