/* linalg/functions/matrix_functions.c - functions of square matrices: roots, logarithms, powers,
   trigonometric and hyperbolic functions, sign (Higham 2008). Their derivatives know nothing of
   eigenvalues: they hold at ties. */
#include "linalg/linalg.h"
#include "tensor/create/constants.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <math.h>

static agn_status infer_square(agni_call *c)
{
    agn_status st = agni_check_square(c->op->name, c->in[0]);
    return st ? st : agni_infer_same(c);
}

/* y y = a: y dy + dy y = da (Higham 2008, 6.1) */
static void sqrt_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                     const agn_tensor **ty)
{
    ty[0] = agni_sylvester(s, r->y[0], r->y[0], t[0]);
}

static void log_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                    const agn_tensor **ty)
{
    ty[0] = agni_frechet(s, r, r->x[0], t[0]);
}
/* The derivative along g at a^H is the adjoint of that along g^H at a: blocks of derivatives of
   any order lie above the diagonal, so that only eigenvalues of a are sought, whatever the size
   of g. */
static void log_vjp(agn_scope *s, const agni_rule *r, const agn_tensor *const *g, const bool *want,
                    const agn_tensor **gx)
{
    if (want[0])
        gx[0] = agni_conjugate_transpose(
            s, agni_frechet(s, r, r->x[0], agni_conjugate_transpose(s, g[0])));
}

/* y y = 1, y a = a y: with n = y a, n dy + dy n = da - y da y (Higham 2008, 5.24) */
static void sign_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                     const agn_tensor **ty)
{
    const agn_tensor *y = r->y[0], *n = ag_matmul(s, y, r->x[0]);
    ty[0] = agni_sylvester(s, n, n, ag_sub(s, t[0], ag_matmul(s, y, ag_matmul(s, t[0], y))));
}

static agni_slots slots[3];
#define RECORD(op, number, rules, text)                                     \
    const agni_op agni_op_linalg_##op = {.name = "linalg_" #op,             \
                                         .takes = "a",                      \
                                         .cls = AGNI_SOLVE,                 \
                                         .nin = 1,                          \
                                         .nout = 1,                         \
                                         .dtypes = AGNI_FIELDS,             \
                                         .diff = 1,                         \
                                         .promote = 1,                      \
                                         .result = AGNI_OUT_SAME,           \
                                         .ew = -1,                          \
                                         .infer = infer_square,             \
                                         .cpu = agni_cpu_##op,              \
                                         .may_fail = true,                  \
                                         .batch = agni_batch_front,         \
                                         .slots = &slots[number],           \
                                         .lo = 1,                           \
                                         .hi = 2,                           \
                                         .doc = text,                       \
                                         rules}
RECORD(sqrtm, 0, .jvp = sqrt_jvp, "principal square root of a matrix");
#define LOG_RULES .jvp = log_jvp, .vjp = log_vjp
RECORD(logm, 1, LOG_RULES, "principal logarithm of a matrix");
RECORD(signm, 2, .jvp = sign_jvp, "sign of a matrix");

/* ---- public functions ------------------------------------------------------------ */

#define OF_ONE_MATRIX(name)                                                     \
    agn_status agn_linalg_##name(agn_tensor **out, const agn_tensor *a)         \
    {                                                                           \
        AGNI_NEED("linalg_" #name, out);                                        \
        AGNI_NEED("linalg_" #name, a);                                          \
        return agni_apply_public(out, &agni_op_linalg_##name, NULL, 1, &a);     \
    }
OF_ONE_MATRIX(sqrtm)
OF_ONE_MATRIX(logm)
OF_ONE_MATRIX(signm)

agn_status agn_linalg_fractional_power(agn_tensor **out, const agn_tensor *a, double p)
{
    static const char op[] = "linalg_fractional_power";
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    agn_status st = agni_need_square(op, a);
    if (st)
        return st;
    if (!isfinite(p) || fabs(p) >= 0x1p53)
        return agni_fail(AGN_EARG, "%s: the power is %g, not below %g", op, p, 0x1p53);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_as_field(s, a), *y;
    double whole = rint(p);
    if (p == whole)
        y = ag_linalg_matrix_power(s, x, (int64_t)p);
    else { /* what is left of the power is at most 1/2 */
        y = ag_linalg_matrix_exp(s, ag_mul_c(s, ag_linalg_logm(s, x), p - whole));
        if (whole != 0)
            y = ag_matmul(s, y, ag_linalg_matrix_power(s, x, (int64_t)whole));
    }
    return agni_return(op, s, out, y);
}

/* cosh a and sinh a, blocks of e^[0, a; a, 0]: nothing cancels in them, as in e^a - e^-a */
static void cosine_and_sine_hyperbolic(agn_scope *s, const agn_tensor *a, const agn_tensor **c,
                                       const agn_tensor **d)
{
    *c = *d = NULL;
    if (!a)
        return;
    const int64_t n = a->shape[a->ndim - 1];
    const agn_tensor *none = ag_zeros_like(s, a);
    const agn_tensor *rows[2] = {ag_concat(s, (const agn_tensor *[]){none, a}, 2, -1),
                                 ag_concat(s, (const agn_tensor *[]){a, none}, 2, -1)};
    const agn_tensor *e = ag_linalg_matrix_exp(s, ag_concat(s, rows, 2, -2));
    if (e) {
        *c = agni_take_block(s, e, 0, 0, n);
        *d = agni_take_block(s, e, 0, n, n);
    }
}

/* c and d of e^{i a} = c + i d, the cosine and the sine of a; of a real matrix its two parts */
static void cosine_and_sine(agn_scope *s, const agn_tensor *a, const agn_tensor **c,
                            const agn_tensor **d)
{
    *c = *d = NULL;
    if (!a)
        return;
    if (agni_kind(a->dtype) != AGNI_KIND_COMPLEX) {
        const agn_tensor *e = ag_linalg_matrix_exp(s, ag_complex(s, ag_zeros_like(s, a), a));
        *c = ag_real(s, e);
        *d = ag_imag(s, e);
        return;
    }
    const agn_tensor *turned = ag_complex(s, ag_neg(s, ag_imag(s, a)), ag_real(s, a)); /* i a */
    const agn_tensor *both;
    cosine_and_sine_hyperbolic(s, turned, c, &both);
    *d = ag_complex(s, ag_imag(s, both), ag_neg(s, ag_real(s, both)));
}

enum { COSINE_BITS = 13 }; /* digits of a tangent, of those that a cosine's condition leaves */
/* c^-1 d; NaN, as are its derivatives, where of these digits less is left */
static const agn_tensor *divide_by_cosine(agn_scope *s, const agn_tensor *c, const agn_tensor *d)
{
    const agn_tensor *y = ag_linalg_solve(s, c, d);
    if (!y || agn_numel(d) == 0)
        return y;
    const bool single = d->dtype == AGN_F32 || d->dtype == AGN_C64;
    const agn_tensor *near = ag_linalg_rcond(s, ag_stop_gradient(s, c)),
                     *bound = ag_lit(s, ldexp(1, COSINE_BITS - (single ? 23 : 52)));
    const agn_tensor *factor = ag_where(s, ag_lt(s, near, bound), ag_lit(s, (double)NAN),
                                        ag_ones_like(s, near));
    return ag_mul(s, y, ag_expand_dims(s, ag_expand_dims(s, factor, -1), -1));
}

static const agn_tensor *matrix_cosine(agn_scope *s, const agn_tensor *a)
{
    const agn_tensor *c, *d;
    cosine_and_sine(s, a, &c, &d);
    return c;
}
static const agn_tensor *matrix_sine(agn_scope *s, const agn_tensor *a)
{
    const agn_tensor *c, *d;
    cosine_and_sine(s, a, &c, &d);
    return d;
}
static const agn_tensor *matrix_tangent(agn_scope *s, const agn_tensor *a)
{
    const agn_tensor *c, *d;
    cosine_and_sine(s, a, &c, &d);
    return divide_by_cosine(s, c, d);
}
static const agn_tensor *hyperbolic_cosine(agn_scope *s, const agn_tensor *a)
{
    return ag_mul_c(s, ag_add(s, ag_linalg_matrix_exp(s, a), ag_linalg_matrix_exp(s, ag_neg(s, a))),
                    0.5);
}
static const agn_tensor *hyperbolic_sine(agn_scope *s, const agn_tensor *a)
{
    const agn_tensor *c, *d;
    cosine_and_sine_hyperbolic(s, a, &c, &d);
    return d;
}
static const agn_tensor *hyperbolic_tangent(agn_scope *s, const agn_tensor *a)
{
    const agn_tensor *c, *d;
    cosine_and_sine_hyperbolic(s, a, &c, &d);
    return divide_by_cosine(s, c, d);
}
#define COMPOSED(name, f)                                                       \
    agn_status agn_linalg_##name(agn_tensor **out, const agn_tensor *a)         \
    {                                                                           \
        AGNI_NEED("linalg_" #name, out);                                        \
        AGNI_NEED("linalg_" #name, a);                                          \
        agn_status st = agni_need_square("linalg_" #name, a);                   \
        if (st)                                                                 \
            return st;                                                          \
        agn_scope *s = agn_scope_open(NULL);                                    \
        return agni_return("linalg_" #name, s, out, f(s, agni_as_field(s, a))); \
    }
COMPOSED(cosm, matrix_cosine)
COMPOSED(sinm, matrix_sine)
COMPOSED(tanm, matrix_tangent)
COMPOSED(coshm, hyperbolic_cosine)
COMPOSED(sinhm, hyperbolic_sine)
COMPOSED(tanhm, hyperbolic_tangent)

agn_status agn_linalg_expm_frechet(agn_tensor **y, agn_tensor **dy, const agn_tensor *a,
                                   const agn_tensor *e)
{
    static const char op[] = "linalg_expm_frechet";
    AGNI_NEED(op, y);
    AGNI_NEED(op, dy);
    AGNI_NEED(op, a);
    AGNI_NEED(op, e);
    agn_status st = agni_need_square(op, a);
    st = st ? st : agni_need_square(op, e);
    if (st)
        return st;
    int64_t n = a->shape[a->ndim - 1];
    if (e->shape[e->ndim - 1] != n)
        return agni_fail(AGN_ESHAPE, "%s: sizes differ: a is %s, e is %s", op, AGNI_SHAPE(a),
                         AGNI_SHAPE(e));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *zero = ag_zeros_like(s, ag_add(s, agni_as_field(s, a), agni_as_field(s, e)));
    const agn_tensor *x = ag_add(s, a, zero), *d = ag_add(s, e, zero); /* of one dtype and batch */
    const agn_tensor *b = agni_block_triangle(s, x, d);
    const agn_tensor *whole = ag_linalg_matrix_exp(s, b);
    if (whole) {
        agn_scope_return(s, y, agni_leading_block(s, whole, n, n));
        agn_scope_return(s, dy, agni_take_block(s, whole, 0, n, n));
    }
    return agni_rename_error(op, agn_scope_close(s));
}
