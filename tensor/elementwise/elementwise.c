/* tensor/elementwise/elementwise.c - the element-wise rows as ops: table entries, public functions,
   and their derivatives: the expressions of ops.def read with tensors as values. */
#include "tensor/rows/elementwise.h"

#include "tensor/elementwise/cpu/scalar.h"
#include "tensor/elementwise/partials.h"
#include "tensor/dispatch/op_helpers.h"
#include <math.h>
#include <string.h>

/* of rows with an order: public functions take up to 100, derivatives raise it further */
enum { MAX_ORDER = 103 };

/* ---- shapes and dtypes ------------------------------------------------------------- */

static int result_dtype(int result, int d)
{
    switch (result) {
    case AGNI_OUT_BOOL:
        return AGN_BOOL;
    case AGNI_OUT_REAL:
        return agni_dtypes[d].real;
    case AGNI_OUT_CPLX:
        return d == AGN_F32 ? AGN_C64 : AGN_C128;
    default:
        return d;
    }
}

agn_status agni_infer_ew(agni_call *c)
{
    agni_meta *m = c->meta;
    m->ndim = c->in[0]->ndim;
    memcpy(m->shape, c->in[0]->shape, (size_t)m->ndim * sizeof *m->shape);
    for (int i = 1; i < c->nin; i++)
        if (!agni_broadcast_into(m, c->in[i]->ndim, c->in[i]->shape))
            return agni_fail(AGN_ESHAPE, "%s: shapes do not broadcast: %s and %s", c->op->name,
                             AGNI_SHAPE(c->in[0]), AGNI_SHAPE(c->in[i]));
    m->dtype = result_dtype(c->op->result, c->in[c->nin - 1]->dtype);
    return AGN_OK;
}

/* a row with the integer attribute P */
static agn_status infer_ew_p(agni_call *c)
{
    if (c->at->i[0] < 0 || c->at->i[0] > MAX_ORDER)
        return agni_fail(AGN_EARG, "%s: order %lld is not in 0 to %d", c->op->name,
                         (long long)c->at->i[0], MAX_ORDER);
    return agni_infer_ew(c);
}

/* ---- the tensor reading of ops.def ---------------------------------------------------- */

const agn_tensor agni_one, agni_minus_one;

/* t_NAME: the rows as functions within a scope */
#define ARGS1 agn_scope *s, const agn_tensor *x
#define ARGS2 agn_scope *s, const agn_tensor *a, const agn_tensor *b
#define T1(name) \
    static inline const agn_tensor *t_##name(ARGS1) \
    { \
        return agni_apply_in(s, &agni_op_##name, NULL, 1, &x); \
    }
#define T2(name) \
    static inline const agn_tensor *t_##name(ARGS2) \
    { \
        return agni_apply_in(s, &agni_op_##name, NULL, 2, (const agn_tensor *[]){a, b}); \
    }
#define T3(name) \
    static inline const agn_tensor *t_##name(ARGS2, const agn_tensor *w) \
    { \
        return agni_apply_in(s, &agni_op_##name, NULL, 3, (const agn_tensor *[]){a, b, w}); \
    }
#define EW1(c, name, ...) T1(name)
#define EW1X EW1
#define EW1P(c, name, ...) \
    static inline const agn_tensor *t_##name(ARGS1, int64_t n) \
    { \
        return agni_apply_in(s, &agni_op_##name, &(agni_attr){.ni = 1, .i = &n}, 1, &x); \
    }
#define EW2(c, name, ...) T2(name)
#define EW3(c, name, ...) T3(name)
#define INNER2 EW2
#define INNER3 EW3
#define LIN1 EW1
#define LIN2 EW2
#define DISC1 EW1
#define DISC1X EW1
#define DISC2 EW2
#define DISC2X EW2
#define INNERD1 EW1
#define INNERD2 EW2
#include "tensor/rows/ops.def"
#include "tensor/rows/ops_end.h"

static inline const agn_tensor *t_where(agn_scope *s, const agn_tensor *c, const agn_tensor *a,
                                        const agn_tensor *b)
{
    return agni_apply_in(s, &agni_op_where, NULL, 3, (const agn_tensor *[]){c, a, b});
}

/* exp(-x), x >= 0: where it vanishes it has no derivative, which an infinite x could meet */
static const agn_tensor *t_bell(agn_scope *s, const agn_tensor *x)
{
    return t_exp(s, t_neg(s, t_minimum(s, x, agni_literal(s, 1000))));
}

static bool is_written(const agn_tensor *x, double *c)
{
    bool is = x->weak && !x->ndim && x->dtype == AGN_F64 && !x->node && !x->stale && x->st &&
              x->st->device == AGN_CPU;
    if (is)
        memcpy(c, x->data, sizeof *c);
    return is;
}

/* y log(a) of y = a^b, of a written number a > 0; else an op with its limits at a = 0 */
static const agn_tensor *t_pow_slope(agn_scope *s, const agn_tensor *a, const agn_tensor *b,
                                     const agn_tensor *y)
{
    double c = 0;
    bool plain = is_written(a, &c) && c > 0 && c < (double)INFINITY;
    return plain ? t_mul(s, y, t_log(s, a)) : t_pow_log(s, a, b);
}

/* The inverse Mills ratio phi(x) / Phi(x) of y = log Phi(x): left of -50 by its asymptotic series (Abramowitz
   and Stegun 26.2.12). What branches that are not taken compute is finite. */
static const agn_tensor *t_inverse_mills(agn_scope *s, const agn_tensor *x, const agn_tensor *y)
{
    static const double series[] = {110410, -8162, 706, -74, 10, -2, 1};
    const agn_tensor *zero = agni_literal(s, 0), *right = t_lt(s, zero, x),
                     *far = t_lt(s, x, agni_literal(s, -50));
    const agn_tensor *square = t_square(s, t_where(s, right, x, zero)),
                     *log_ratio = t_sub(s, t_mul(s, agni_literal(s, -0.5), square),
                                        t_where(s, right, y, zero));
    const agn_tensor *v = t_reciprocal(s, t_where(s, far, x, agni_literal(s, -1))),
                     *w = t_square(s, v), *sum = agni_literal(s, series[0]);
    for (size_t k = 1; k < sizeof series / sizeof *series; k++)
        sum = t_add(s, t_mul(s, sum, w), agni_literal(s, series[k]));
    const agn_tensor *near = t_mul(s, agni_literal(s, -AGNI_SQRT1_2), x);
    near = t_erfcx(s, t_where(s, right, zero, t_where(s, far, zero, near)), 0);
    near = t_div(s, agni_literal(s, 2 * AGNI_1_SQRT2PI), near);
    far = t_where(s, far, t_sub(s, t_neg(s, x), t_mul(s, v, sum)), near);
    return t_where(s, right, t_mul(s, agni_literal(s, AGNI_1_SQRT2PI), t_exp(s, log_ratio)), far);
}
const agn_tensor *agni_inverse_mills(agn_scope *s, const agn_tensor *x)
{
    return t_inverse_mills(s, x, t_log_ndtr(s, x));
}

/* first derivatives in parameters, which are no rows */
static const agn_tensor *t_gamma_partial(agn_scope *s, const agn_tensor *a, const agn_tensor *x)
{
    return agni_gamma_partial_in(s, a, x, 1, false);
}
static const agn_tensor *t_zeta_partial(agn_scope *s, const agn_tensor *z, const agn_tensor *q)
{
    return agni_zeta_partial_in(s, z, q, 1);
}
static const agn_tensor *t_beta_partial(agn_scope *s, const agn_tensor *a, const agn_tensor *b,
                                        const agn_tensor *x, int64_t i, int64_t j)
{
    return agni_beta_partial_in(s, (const agn_tensor *[]){a, b, x}, i, j, false);
}

#define FN(f, ...) t_##f(s, __VA_ARGS__)
#define ADD(a, b) t_add(s, a, b)
#define SUB(a, b) t_sub(s, a, b)
#define MUL(a, b) t_mul(s, a, b)
#define DIV(a, b) t_div(s, a, b)
#define NEG(a) t_neg(s, a)
#define LIT(c) agni_literal(s, c)
#define SEL(c, a, b) t_where(s, c, a, b)
#define EQ(a, b) t_eq(s, a, b)
#define NE(a, b) t_ne(s, a, b)
#define LT(a, b) t_lt(s, a, b)
#define LE(a, b) t_le(s, a, b)
#define GT(a, b) t_gt(s, a, b)
#define GE(a, b) t_ge(s, a, b)
#define NOT(a) t_logical_not(s, a)
#define OR(a, b) t_logical_or(s, a, b)
#define AND(a, b) t_logical_and(s, a, b)
#define MASK(c) (c)
#define ONE &agni_one
#define MINUS_ONE &agni_minus_one
#define NONE NULL
#define ZERO agni_literal(s, 0)
#define X r->x[0]
#define A r->x[0]
#define B r->x[1]
#define W r->x[2]
#define Y r->y[0]
#define P r->at->i[0]
#define G g

#define PARTIAL(name) \
    static const agn_tensor *d_##name(agn_scope *s, const agni_rule *r, int i)
#define EW1(c, name, out, fwd, d, ...) \
    PARTIAL(name) \
    { \
        (void)s, (void)r, (void)i; \
        return d; \
    }
#define EW1X EW1
#define EW1P EW1
#define EW2(c, name, out, fwd, da, db, ...) \
    PARTIAL(name) \
    { \
        (void)s, (void)r; \
        return i == 0 ? da : db; \
    }
#define EW3(c, name, out, fwd, da, db, dw, ...) \
    PARTIAL(name) \
    { \
        return i == 0 ? da : i == 1 ? db : dw; \
    }
#define INNER2 EW2
#define INNER3 EW3
#define ADJOINT(name) \
    static const agn_tensor *d_##name(agn_scope *s, const agni_rule *r, int i, \
                                      const agn_tensor *g)
#define LIN1(c, name, out, fwd, adj, ...) \
    ADJOINT(name) \
    { \
        (void)r, (void)i; \
        return adj; \
    }
#define LIN2(c, name, out, fwd, adja, adjb, ...) \
    ADJOINT(name) \
    { \
        return agni_unbroadcast(s, i == 0 ? adja : adjb, r->x[i]); \
    }
#define DISC1(...)
#define DISC1X(...)
#define DISC2(...)
#define DISC2X(...)
#define INNERD1(...)
#define INNERD2(...)
#include "tensor/rows/ops.def"
#include "tensor/rows/ops_end.h"

static const agn_tensor *d_where(agn_scope *s, const agni_rule *r, int i, const agn_tensor *g)
{
    const agn_tensor *zero = agni_literal(s, 0);
    const agn_tensor *part = i == 1 ? t_where(s, r->x[0], g, zero) : t_where(s, r->x[0], zero, g);
    return agni_unbroadcast(s, part, r->x[i]);
}

#undef X
#undef A
#undef B
#undef W
#undef Y
#undef P
#undef G

/* ---- the rows as ops --------------------------------------------------------------------- */

#define IN_R AGNI_FLOATS
#define IN_Z AGNI_COMPLEXES
#define IN_C (IN_R | IN_Z)
#define IN_I AGNI_INTS
#define IN_Q (IN_I | IN_R)
#define IN_N (IN_Q | IN_Z)
#define IN_BI (AGNI_BIT(BOOL) | IN_I)
#define IN_BQ (AGNI_BIT(BOOL) | IN_Q)
#define IN_BN (AGNI_BIT(BOOL) | IN_N)

#define KERNEL(name, key) \
    static agni_slots slots_##name; \
    static agn_status cpu_##name(const agn_kernel_call *c) \
    { \
        return agni_ew_run(AGNI_EW_##name, c->in[key].dtype, c->out, c->n_in, c->in, c->ints); \
    }
/* the fast path of rows with one or two operands whose result has their dtype, or is bool */
#define SMALL(n, out) \
    .small = (n) <= 2 && AGNI_OUT_##out <= AGNI_OUT_BOOL ? agni_apply_small_elementwise : NULL
#define COMMON(c, name_, n, takes_, out, infer_) \
    .name = #name_, .takes = takes_, .nin = n, .nout = 1, .dtypes = IN_##c, .promote = (1u << (n)) - 1, \
    .result = AGNI_OUT_##out, .ew = AGNI_EW_##name_, .infer = infer_, .cpu = cpu_##name_, \
    .batch = agni_batch_aligned, .slots = &slots_##name_
#define EW1I(c, name, out, d, bound, z, l, h, text, takes_, infer_, ...) \
    KERNEL(name, 0) \
    const agni_op agni_op_##name = {COMMON(c, name, 1, takes_, out, infer_), .cls = AGNI_EW, .diff = 1, \
                                    .bounded = bound, .zero = z, .partial = d_##name, \
                                    .lo = l, .hi = h, .doc = text, __VA_ARGS__};
#define EW1(c, name, out, fwd, d, bound, z, l, h, text) \
    EW1I(c, name, out, d, bound, z, l, h, text, "x", agni_infer_ew, SMALL(1, out))
#define EW1X EW1
#define EW1P(c, name, out, fwd, d, bound, z, l, h, text) \
    EW1I(c, name, out, d, bound, z, l, h, text, "x order:i", infer_ew_p, .small = NULL)
#define EW2(c, name, out, fwd, da, db, bound, l, h, l2, h2, text) \
    KERNEL(name, 0) \
    const agni_op agni_op_##name = {COMMON(c, name, 2, "a b", out, agni_infer_ew), .cls = AGNI_EW, .diff = 3, \
                                    .bounded = bound, .partial = d_##name, \
                                    .lo = l, .hi = h, .lo2 = l2, .hi2 = h2, \
                                    .doc = text, SMALL(2, out)};
#define EW3(c, name, out, fwd, da, db, dw, bound, l, h, l2, h2, l3, h3, text) \
    KERNEL(name, 0) \
    const agni_op agni_op_##name = {COMMON(c, name, 3, "a b w", out, agni_infer_ew), .cls = AGNI_EW, .diff = 7, \
                                    .bounded = bound, .partial = d_##name, \
                                    .lo = l, .hi = h, .lo2 = l2, .hi2 = h2, .lo3 = l3, \
                                    .hi3 = h3, .doc = text};
#define INNER2 EW2
#define INNER3 EW3
#define agni_view_conj NULL /* real and imag are views of a complex array, conj is not */
#define LIN1(c, name, out, fwd, adj, z, text) \
    KERNEL(name, 0) \
    const agni_op agni_op_##name = {COMMON(c, name, 1, "x", out, agni_infer_ew), .cls = AGNI_LINEAR, .diff = 1, \
                                    .bounded = 1, .zero = z, .view = agni_view_##name, \
                                    .zeros = AGNI_ZEROS_ALIKE, .transpose = d_##name, .lo = -3, .hi = 3, \
                                    .doc = text, SMALL(1, out)};
#define LIN2(c, name, out, fwd, adja, adjb, text) \
    KERNEL(name, 0) \
    const agni_op agni_op_##name = {COMMON(c, name, 2, "a b", out, agni_infer_ew), .cls = AGNI_LINEAR, .diff = 3, \
                                    .bounded = 1, .transpose = d_##name, .lo = -3, .hi = 3, \
                                    .lo2 = -3, .hi2 = 3, \
                                    .doc = text, SMALL(2, out)};
#define DISC1(c, name, out, fwd, z, l, h, text) \
    KERNEL(name, 0) \
    const agni_op agni_op_##name = {COMMON(c, name, 1, "x", out, agni_infer_ew), .cls = AGNI_DISCRETE, .zero = z, \
                                    .lo = l, .hi = h, \
                                    .doc = text, SMALL(1, out)};
#define DISC1X DISC1
#define DISC2(c, name, out, fwd, l, h, l2, h2, text) \
    KERNEL(name, 0) \
    const agni_op agni_op_##name = {COMMON(c, name, 2, "a b", out, agni_infer_ew), .cls = AGNI_DISCRETE, .lo = l, \
                                    .hi = h, .lo2 = l2, .hi2 = h2, \
                                    .doc = text, SMALL(2, out)};
#define DISC2X DISC2
#define INNERD1 DISC1
#define INNERD2 DISC2
#include "tensor/rows/ops.def"
#include "tensor/rows/ops_end.h"

static agn_status infer_where(agni_call *c)
{
    if (c->in[0]->dtype != AGN_BOOL)
        return agni_fail(AGN_EDTYPE, "where: the condition is %s, bool is needed",
                         agni_dtypes[c->in[0]->dtype].name);
    return agni_infer_ew(c);
}
KERNEL(where, 1)
const agni_op agni_op_where = {.name = "where",
                               .takes = "condition a b",
                               .cls = AGNI_LINEAR,
                               .nin = 3,
                               .nout = 1,
                               .dtypes = IN_BN,
                               .diff = 6,
                               .promote = 6,
                               .result = AGNI_OUT_SAME,
                               .ew = AGNI_EW_where,
                               .infer = infer_where,
                               .cpu = cpu_where,
                               .transpose = d_where,
                               .batch = agni_batch_aligned,
                               .bounded = 1,
                               .slots = &slots_where,
                               .lo = -3,
                               .hi = 3,
                               .lo2 = -3,
                               .hi2 = 3,
                               .doc = "choose by a condition"};

/* ---- public functions, tied to their prototypes --------------------------------------------- */

#define SAME_TYPE(f, ...) \
    _Static_assert(_Generic(&f, agn_status(*)(__VA_ARGS__): 1, default: 0), \
                   "header and table disagree on " #f);
#define PUBLIC1(name) \
    SAME_TYPE(agn_##name, agn_tensor **, const agn_tensor *) \
    agn_status agn_##name(agn_tensor **out, const agn_tensor *x) \
    { \
        return agni_apply_public(out, &agni_op_##name, NULL, 1, &x); \
    }
#define PUBLIC2(name) \
    SAME_TYPE(agn_##name, agn_tensor **, const agn_tensor *, const agn_tensor *) \
    agn_status agn_##name(agn_tensor **out, const agn_tensor *a, const agn_tensor *b) \
    { \
        return agni_apply_public(out, &agni_op_##name, NULL, 2, (const agn_tensor *[]){a, b}); \
    }
#define PUBLIC3(name) \
    SAME_TYPE(agn_##name, agn_tensor **, const agn_tensor *, const agn_tensor *, \
              const agn_tensor *) \
    agn_status agn_##name(agn_tensor **out, const agn_tensor *a, const agn_tensor *b, \
                          const agn_tensor *w) \
    { \
        return agni_apply_public(out, &agni_op_##name, NULL, 3, (const agn_tensor *[]){a, b, w}); \
    }
#define EW1(c, name, ...) PUBLIC1(name)
#define EW1X(...)
#define EW1P(...)
#define EW2(c, name, ...) PUBLIC2(name)
#define EW3(c, name, ...) PUBLIC3(name)
#define INNER2(...)
#define INNER3(...)
#define LIN1(...)
#define LIN2 EW2
#define DISC1 EW1
#define DISC1X(...)
#define DISC2 EW2
#define DISC2X(...)
#define INNERD1(...)
#define INNERD2(...)
#include "tensor/rows/ops.def"
#include "tensor/rows/ops_end.h"

#define LITERAL(name) \
    agn_status agn_##name##_c(agn_tensor **out, const agn_tensor *x, double c) \
    { \
        agn_tensor *l = NULL; \
        agn_status st = agn_lit(&l, c); \
        if (!st) \
            st = agn_##name(out, x, l); \
        agn_release(l); \
        return agni_rename_error(#name "_c", st); \
    }
LITERAL(add)
LITERAL(sub)
LITERAL(mul)
LITERAL(div)
LITERAL(pow)
LITERAL(maximum)
LITERAL(minimum)

agn_status agn_where(agn_tensor **out, const agn_tensor *cond, const agn_tensor *a,
                     const agn_tensor *b)
{
    agn_tensor *c = NULL;
    if (!cond)
        return agni_fail(AGN_ENULL, "where: cond is NULL");
    agn_status st = agn_cast(&c, cond, AGN_BOOL);
    if (!st)
        st = agni_apply_public(out, &agni_op_where, NULL, 3, (const agn_tensor *[]){c, a, b});
    agn_release(c);
    return st;
}

/* The order is at most 100, so that orders raised by derivatives stay within MAX_ORDER. */
static agn_status apply_with_order(agn_tensor **out, const agni_op *op, const char *name,
                           const agn_tensor *x, int64_t n)
{
    if (n < 0 || n > 100)
        return agni_fail(AGN_EARG, "%s: order %lld is not in 0 to 100", name, (long long)n);
    return agni_rename_error(name,
                             agni_apply_public(out, op, &(agni_attr){.ni = 1, .i = &n}, 1, &x));
}
agn_status agn_polygamma(agn_tensor **out, const agn_tensor *x, int32_t n)
{
    return apply_with_order(out, &agni_op_polygamma, "polygamma", x, n);
}
agn_status agn_bessel_i(agn_tensor **out, const agn_tensor *x, int32_t n)
{
    return apply_with_order(out, &agni_op_bessel_i, "bessel_i", x, n);
}
agn_status agn_bessel_ie(agn_tensor **out, const agn_tensor *x, int32_t n)
{
    return apply_with_order(out, &agni_op_bessel_ie, "bessel_ie", x, n);
}
#define OF_ORDER(name, op, n) \
    agn_status agn_##name(agn_tensor **out, const agn_tensor *x) \
    { \
        return apply_with_order(out, &agni_op_##op, #name, x, n); \
    }
OF_ORDER(i0, bessel_i, 0)
OF_ORDER(i0e, bessel_ie, 0)
OF_ORDER(i1, bessel_i, 1)
OF_ORDER(i1e, bessel_ie, 1)
OF_ORDER(sinc, sinc, 0)
OF_ORDER(erfcx, erfcx, 0)

/* the dtype of the result if both arguments are given and it is a narrow one; else -1 */
static int narrow_result_dtype(const agn_tensor *a, const agn_tensor *b)
{
    agni_promotion mix = {-1, -1};
    if (!a || !b)
        return -1;
    agni_promotion_add(&mix, a);
    agni_promotion_add(&mix, b);
    int d = agni_promotion_dtype(&mix);
    return agni_dtypes[d].wide == d ? -1 : d;
}

/* Narrow dtypes compute in 32 bits, into which their sign is extended: those bits are cleared
   first. */
agn_status agn_logical_right_shift(agn_tensor **out, const agn_tensor *a, const agn_tensor *b)
{
    int d = narrow_result_dtype(a, b);
    if (d != AGN_I8 && d != AGN_I16)
        return agni_apply_public(out, &agni_op_logical_right_shift, NULL, 2,
                           (const agn_tensor *[]){a, b});
    if (!out)
        return agni_fail(AGN_ENULL, "logical_right_shift: out is NULL");
    int bits = 8 * agni_dtypes[d].bytes;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *mask = agni_literal(s, (1 << bits) - 1), *wide = agni_cast(s, a, AGN_I32);
    const agn_tensor *y = t_logical_right_shift(s, t_bitwise_and(s, wide, mask), b);
    agn_scope_return(s, out, agni_cast(s, y, d));
    return agn_scope_close(s);
}

static bool is_complex(const agn_tensor *x)
{
    return x && agni_kind(x->dtype) == AGNI_KIND_COMPLEX;
}

/* real arguments are their own real part and conjugate */
static agn_status apply_to_complex(agn_tensor **out, const agni_op *op, const agn_tensor *x)
{
    if (x && out && !is_complex(x)) {
        *out = agni_tensor_ref(x);
        return AGN_OK;
    }
    return agni_apply_public(out, op, NULL, 1, &x);
}
agn_status agn_conj(agn_tensor **out, const agn_tensor *x)
{
    return apply_to_complex(out, &agni_op_conj, x);
}
agn_status agn_real(agn_tensor **out, const agn_tensor *x)
{
    return apply_to_complex(out, &agni_op_real, x);
}
agn_status agn_imag(agn_tensor **out, const agn_tensor *x)
{
    if (x && out && !is_complex(x) && x->layout == AGN_DENSE) {
        agn_scope *s = agn_scope_open(NULL);
        agn_scope_return(s, out, agni_zeros_like(s, x));
        return agn_scope_close(s);
    }
    return agni_apply_public(out, &agni_op_imag, NULL, 1, &x);
}

/* |x| and x/|x| of complex numbers: compositions of their parts, so that the derivative is
   R-linear and 0 at 0 */
agn_status agn_abs(agn_tensor **out, const agn_tensor *x)
{
    if (!is_complex(x))
        return agni_apply_public(out, &agni_op_abs, NULL, 1, &x);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *re = t_real(s, x), *im = t_imag(s, x);
    agn_scope_return(s, out, t_hypot(s, re, im));
    return agn_scope_close(s);
}
/* scales a part of a number whose |x| would overflow, so that x / |x| keeps its direction */
static const agn_tensor *scale_into_range(agn_scope *s, const agn_tensor *part,
                                          const agn_tensor *far, const agn_tensor *endless)
{
    const agn_tensor *end = t_where(s, t_isinf(s, part), t_sign(s, part), agni_literal(s, 0));
    const agn_tensor *half = t_mul(s, part, agni_literal(s, 0.5));
    return t_where(s, far, t_where(s, endless, end, half), part);
}
agn_status agn_sign(agn_tensor **out, const agn_tensor *x)
{
    if (!is_complex(x) || x->layout != AGN_DENSE)
        return agni_apply_public(out, &agni_op_sign, NULL, 1, &x);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *re = t_real(s, x), *im = t_imag(s, x), *endless = t_isinf(s, x);
    const agn_tensor *far = t_isinf(s, t_hypot(s, re, im));
    re = scale_into_range(s, re, far, endless), im = scale_into_range(s, im, far, endless);
    const agn_tensor *h = t_hypot(s, re, im);
    agn_scope_return(s, out, t_complex(s, t_div_z(s, re, h), t_div_z(s, im, h)));
    return agn_scope_close(s);
}
