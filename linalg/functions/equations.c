/* linalg/functions/equations.c - Sylvester's, Lyapunov's and Riccati's equations: records,
   derivatives, public functions. The derivative of each is an equation of Sylvester's or Lyapunov's
   kind with the same matrices (Kao & Hennequin 2020). */
#include "linalg/linalg.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <string.h>

/* ---- shapes ---------------------------------------------------------------------- */

static agn_status infer_sylvester(agni_call *c)
{
    const agn_tensor *a = c->in[0], *b = c->in[1], *x = c->in[2];
    agn_status st = agni_check_square(c->op->name, a);
    st = st ? st : agni_check_square(c->op->name, b);
    st = st ? st : agni_check_matrix(c->op->name, x);
    if (st)
        return st;
    int64_t m = a->shape[a->ndim - 1], n = b->shape[b->ndim - 1];
    if (x->shape[x->ndim - 2] != m || x->shape[x->ndim - 1] != n)
        return agni_fail(AGN_ESHAPE, "%s: sizes differ: a is %s, b is %s, c is %s", c->op->name,
                         AGNI_SHAPE(a), AGNI_SHAPE(b), AGNI_SHAPE(x));
    return agni_infer_batches(c, m, n);
}

static agn_status infer_riccati(agni_call *c)
{
    const agn_tensor *a = c->in[0], *b = c->in[1], *q = c->in[2], *r = c->in[3];
    agn_status st = agni_check_square(c->op->name, a);
    st = st ? st : agni_check_matrix(c->op->name, b);
    st = st ? st : agni_check_square(c->op->name, q);
    st = st ? st : agni_check_square(c->op->name, r);
    if (st)
        return st;
    int64_t n = a->shape[a->ndim - 1], k = b->shape[b->ndim - 1];
    if (q->shape[q->ndim - 1] != n)
        return agni_fail(AGN_ESHAPE, "%s: sizes differ: a is %s, q is %s", c->op->name,
                         AGNI_SHAPE(a), AGNI_SHAPE(q));
    if (b->shape[b->ndim - 2] != n || r->shape[r->ndim - 1] != k)
        return agni_fail(AGN_ESHAPE, "%s: sizes differ: a is %s, b is %s, r is %s", c->op->name,
                         AGNI_SHAPE(a), AGNI_SHAPE(b), AGNI_SHAPE(r));
    return agni_infer_batches(c, n, n);
}

/* ---- rules ----------------------------------------------------------------------- */

const agn_tensor *agni_sylvester(agn_scope *s, const agn_tensor *a, const agn_tensor *b,
                                 const agn_tensor *c)
{
    return agni_apply_in(s, &agni_op_linalg_sylvester, NULL, 3, (const agn_tensor *[]){a, b, c});
}

static const agn_tensor *subtract_matrices(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    return agni_add_present(s, a, b ? ag_neg(s, b) : NULL);
}

static void sylvester_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                          const agn_tensor **ty)
{
    const agn_tensor *rhs = t[2];
    if (t[0])
        rhs = subtract_matrices(s, rhs, ag_matmul(s, t[0], r->y[0]));
    if (t[1])
        rhs = subtract_matrices(s, rhs, ag_matmul(s, r->y[0], t[1]));
    ty[0] = agni_sylvester(s, r->x[0], r->x[1], rhs);
}

static void sylvester_vjp(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                          const bool *want, const agn_tensor **gx)
{
    const agn_tensor *w = agni_sylvester(s, agni_conjugate_transpose(s, r->x[0]),
                                         agni_conjugate_transpose(s, r->x[1]), g[0]);
    const agn_tensor *xh = agni_conjugate_transpose(s, r->y[0]);
    if (want[0])
        gx[0] = agni_unbroadcast(s, ag_neg(s, ag_matmul(s, w, xh)), r->x[0]);
    if (want[1])
        gx[1] = agni_unbroadcast(s, ag_neg(s, ag_matmul(s, xh, w)), r->x[1]);
    if (want[2])
        gx[2] = agni_unbroadcast(s, w, r->x[2]);
}

/* x - a x a^H = q. With p = a - 1: f x + x f^H = -p^-1 q p^-H, f = p^-1 + 1/2; a value 1 of a is
   singular anyhow */
static const agn_tensor *solve_stein(agn_scope *s, const agn_tensor *a, const agn_tensor *q)
{
    const agn_tensor *one = agni_identity_like(s, a), *w = ag_linalg_inv(s, ag_sub(s, a, one));
    const agn_tensor *f = ag_add(s, w, ag_mul_c(s, one, 0.5));
    const agn_tensor *rhs = ag_neg(
        s, ag_matmul(s, ag_matmul(s, w, q), agni_conjugate_transpose(s, w)));
    return agni_sylvester(s, f, agni_conjugate_transpose(s, f), rhs);
}

/* With the gain k and the closed loop f = a - b k, and d = da - db k:
   continuous, k = r^-1 b^H x: f^H dx + dx f = -(dq + k^H dr k + x d + d^H x);
   discrete, k = (r + b^H x b)^-1 b^H x a: dx - f^H dx f = dq + k^H dr k + f^H x d + d^H x f */
static void riccati_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                        const agn_tensor **ty)
{
    const agn_tensor *a = r->x[0], *b = r->x[1], *w = r->x[3], *x = r->y[0], *rhs = t[2], *d = t[0];
    bool discrete = r->at->i[0];
    const agn_tensor *bx = ag_matmul(s, agni_conjugate_transpose(s, b), x);
    const agn_tensor *gain = discrete ? ag_linalg_solve(s, ag_add(s, w, ag_matmul(s, bx, b)),
                                                        ag_matmul(s, bx, a))
                                      : ag_linalg_solve(s, w, bx);
    const agn_tensor *f = ag_sub(s, a, ag_matmul(s, b, gain)), *fh = agni_conjugate_transpose(s, f);
    if (t[1])
        d = subtract_matrices(s, d, ag_matmul(s, t[1], gain));
    if (t[3])
        rhs = agni_add_present(
            s, rhs, ag_matmul(s, agni_conjugate_transpose(s, gain), ag_matmul(s, t[3], gain)));
    if (d) {
        const agn_tensor *half = ag_matmul(s, discrete ? ag_matmul(s, fh, x) : x, d);
        rhs = agni_add_present(s, rhs, ag_add(s, half, agni_conjugate_transpose(s, half)));
    }
    ty[0] = discrete ? solve_stein(s, fh, rhs) : agni_sylvester(s, fh, f, ag_neg(s, rhs));
}

/* ---- records --------------------------------------------------------------------- */

static agni_slots slots[2];
const agni_op agni_op_linalg_sylvester = {.name = "linalg_sylvester",
                                          .takes = "a b c",
                                          .cls = AGNI_SOLVE,
                                          .nin = 3,
                                          .nout = 1,
                                          .dtypes = AGNI_FIELDS,
                                          .diff = 7,
                                          .promote = 7,
                                          .result = AGNI_OUT_SAME,
                                          .ew = -1,
                                          .infer = infer_sylvester,
                                          .cpu = agni_cpu_sylvester,
                                          .may_fail = true,
                                          .jvp = sylvester_jvp,
                                          .vjp = sylvester_vjp,
                                          .batch = agni_batch_aligned,
                                          .slots = &slots[0],
                                          .lo = 1,
                                          .hi = 2,
                                          .lo2 = 1,
                                          .hi2 = 2,
                                          .lo3 = -2,
                                          .hi3 = 2,
                                          .doc = "x of a x + x b = c"};
const agni_op agni_op_linalg_riccati = {.name = "linalg_riccati",
                                        .takes = "a b q r discrete:b",
                                        .cls = AGNI_SOLVE,
                                        .nin = 4,
                                        .nout = 1,
                                        .dtypes = AGNI_FIELDS,
                                        .diff = 15,
                                        .promote = 15,
                                        .result = AGNI_OUT_SAME,
                                        .ew = -1,
                                        .infer = infer_riccati,
                                        .cpu = agni_cpu_riccati,
                                        .may_fail = true,
                                        .jvp = riccati_jvp,
                                        .batch = agni_batch_aligned,
                                        .slots = &slots[1],
                                        .lo = -2,
                                        .hi = 2,
                                        .lo2 = 1,
                                        .hi2 = 2,
                                        .lo3 = 1,
                                        .hi3 = 2,
                                        .doc = "stabilising solution of Riccati's equation"};

/* ---- public functions ------------------------------------------------------------ */

agn_status agn_linalg_solve_sylvester(agn_tensor **out, const agn_tensor *a, const agn_tensor *b,
                                      const agn_tensor *c)
{
    static const char op[] = "linalg_solve_sylvester";
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    AGNI_NEED(op, b);
    AGNI_NEED(op, c);
    return agni_rename_error(op, agni_apply_public(out, &agni_op_linalg_sylvester, NULL, 3,
                                                   (const agn_tensor *[]){a, b, c}));
}

/* a and q square and of one size, neither sparse */
static agn_status check_pair(const char *op, const agn_tensor *a, const agn_tensor *q)
{
    agn_status st = agni_need_square(op, a);
    st = st ? st : agni_need_square(op, q);
    if (!st && a->shape[a->ndim - 1] != q->shape[q->ndim - 1])
        st = agni_fail(AGN_ESHAPE, "%s: sizes differ: a is %s, q is %s", op, AGNI_SHAPE(a),
                       AGNI_SHAPE(q));
    return st;
}

agn_status agn_linalg_continuous_lyapunov(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *q)
{
    static const char op[] = "linalg_continuous_lyapunov";
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    AGNI_NEED(op, q);
    agn_status st = check_pair(op, a, q);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    return agni_return(op, s, out, agni_sylvester(s, a, agni_conjugate_transpose(s, a), q));
}

agn_status agn_linalg_discrete_lyapunov(agn_tensor **out, const agn_tensor *a, const agn_tensor *q)
{
    static const char op[] = "linalg_discrete_lyapunov";
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    AGNI_NEED(op, q);
    agn_status st = check_pair(op, a, q);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    return agni_return(op, s, out, solve_stein(s, agni_as_field(s, a), agni_as_field(s, q)));
}

static const agn_tensor *hermitian_part(agn_scope *s, const agn_tensor *x)
{
    return ag_mul_c(s, ag_add(s, x, agni_conjugate_transpose(s, x)), 0.5);
}

static agn_status solve_riccati(const char *op, agn_tensor **out, const agn_tensor *a,
                                const agn_tensor *b, const agn_tensor *q, const agn_tensor *r,
                                bool discrete)
{
    agn_status st = check_pair(op, a, q);
    st = st ? st : agni_need_matrix(op, b);
    st = st ? st : agni_need_square(op, r);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *in[4] = {agni_as_field(s, a), agni_as_field(s, b),
                               hermitian_part(s, agni_as_field(s, q)),
                               hermitian_part(s, agni_as_field(s, r))};
    const agn_tensor *x = in[0] && in[1] && in[2] && in[3]
                              ? agni_apply_in(
                                    s, &agni_op_linalg_riccati,
                                    &(agni_attr){.ni = 1, .i = (const int64_t[]){discrete}}, 4, in)
                              : NULL;
    return agni_return(op, s, out, x);
}

#define RICCATI(name, discrete)                                                                           \
    agn_status agn_linalg_##name##_riccati(agn_tensor **out, const agn_tensor *a, const agn_tensor *b,    \
                                           const agn_tensor *q, const agn_tensor *r)                      \
    {                                                                                                     \
        AGNI_NEED("linalg_" #name "_riccati", out);                                                       \
        AGNI_NEED("linalg_" #name "_riccati", a);                                                         \
        AGNI_NEED("linalg_" #name "_riccati", b);                                                         \
        AGNI_NEED("linalg_" #name "_riccati", q);                                                         \
        AGNI_NEED("linalg_" #name "_riccati", r);                                                         \
        return solve_riccati("linalg_" #name "_riccati", out, a, b, q, r, discrete);                      \
    }
RICCATI(continuous, false)
RICCATI(discrete, true)
