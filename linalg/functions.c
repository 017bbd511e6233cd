/* linalg/functions.c - determinants, exponential and pseudoinverse: records, derivatives, public functions
   (Giles 2008; Mathias 1996; Golub & Pereyra 1973). */
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
    agn_status st = agni_check_matrix(c->op->name, c->in[0]);
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
static const agn_tensor *block_triangle(agn_scope *s, const agn_tensor *x, const agn_tensor *e)
{
    const agn_tensor *none = ag_zeros_like(s, x);
    const agn_tensor *rows[2] = {ag_concat(s, (const agn_tensor *[]){x, e}, 2, -1),
                                 ag_concat(s, (const agn_tensor *[]){none, x}, 2, -1)};
    return ag_concat(s, rows, 2, -2);
}

/* f([x, e; 0, x]) has the derivative of f along e above its diagonal */
static const agn_tensor *frechet(agn_scope *s, const agni_rule *r, const agn_tensor *x,
                                 const agn_tensor *e)
{
    const agn_tensor *b = block_triangle(s, x, e);
    const agn_tensor *y = agni_apply_in(s, r->op, r->at, 1, &b);
    if (!y || !x)
        return NULL;
    int64_t start[AGNI_MAX_RANK] = {0}, stop[AGNI_MAX_RANK], step[AGNI_MAX_RANK];
    for (int d = 0; d < y->ndim; d++) {
        stop[d] = y->shape[d];
        step[d] = 1;
    }
    int64_t n = x->shape[x->ndim - 1];
    stop[y->ndim - 2] = n;
    start[y->ndim - 1] = n;
    return ag_slice(s, y, y->ndim, start, stop, step);
}

static void exp_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                    const agn_tensor **ty)
{
    ty[0] = frechet(s, r, r->x[0], t[0]);
}

static void exp_vjp(agn_scope *s, const agni_rule *r, const agn_tensor *const *g, const bool *want,
                    const agn_tensor **gx)
{
    if (want[0])
        gx[0] = frechet(s, r, agni_conjugate_transpose(s, r->x[0]), g[0]);
}

/* of constant rank: dp = -p da p + p p^H da^H (1 - a p) + (1 - p a) da^H p^H p */
static void pinv_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                     const agn_tensor **ty)
{
    const agn_tensor *a = r->x[0], *p = r->y[0], *ph = agni_conjugate_transpose(s, p),
                     *dh = agni_conjugate_transpose(s, t[0]);
    const agn_tensor *left = ag_matmul(s, p, ag_matmul(s, ph, dh));
    const agn_tensor *right = ag_matmul(s, ag_matmul(s, dh, ph), p);
    left = ag_sub(s, left, ag_matmul(s, ag_matmul(s, left, a), p));
    right = ag_sub(s, right, ag_matmul(s, p, ag_matmul(s, a, right)));
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
                                           .batch = agni_batch_front,
                                           .slots = &slots[2],
                                           .lo = -2,
                                           .hi = 2,
                                           .doc = "exponential of a matrix"};
RECORD(pinv, "a rcond:r", 1, infer_pinv, 3, .jvp = pinv_jvp, "Moore-Penrose inverse");

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
    return agni_apply_public(out, &agni_op_linalg_pinv,
                             &(agni_attr){.nf = 1, .f = &rcond}, 1, &a);
}
