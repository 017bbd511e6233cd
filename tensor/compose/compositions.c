/* tensor/compose/compositions.c - element-wise functions composed of rows, and comparisons of whole
   tensors. Derivatives follow from the rows; errors bear the name of the public function. */
#include "tensor/create/constants.h"
#include "tensor/dispatch/op_helpers.h"

#include <agnesi/ag.h>
#include <float.h>
#include <math.h>

#define LOG_PI 1.14472988584940017414
#define LOG_2 0.69314718055994530942
#define LOG_10 2.30258509299404568402

static bool is_kind(const agn_tensor *x, int kind)
{
    return x && agni_kind(x->dtype) == kind;
}
static agn_status is_null(const char *op, const char *argument)
{
    return agni_fail(AGN_ENULL, "%s: %s is NULL", op, argument);
}
/* ---- arithmetic ------------------------------------------------------------------ */

agn_status agn_positive(agn_tensor **out, const agn_tensor *x)
{
    if (!out || !x)
        return is_null("positive", out ? "x" : "out");
    if (is_kind(x, AGNI_KIND_BOOL))
        return agni_fail(AGN_EDTYPE, "positive: x is bool, a number is needed");
    *out = agni_tensor_ref(x);
    return AGN_OK;
}

agn_status agn_scale(agn_tensor **out, const agn_tensor *x, double a, double b)
{
    if (!out || !x)
        return is_null("scale", out ? "x" : "out");
    agn_scope *s = agn_scope_open(NULL);
    return agni_return("scale", s, out, ag_add_c(s, ag_mul_c(s, x, a), b));
}

typedef const agn_tensor *combine(agn_scope *s, const agn_tensor *a, const agn_tensor *b);
static agn_status add_scaled(const char *op, agn_tensor **out, const agn_tensor *x,
                             const agn_tensor *a, const agn_tensor *b, double value, combine *f)
{
    if (!out || !x || !a || !b)
        return is_null(op, !out ? "out" : !x ? "x" : !a ? "a" : "b");
    if (is_kind(x, AGNI_KIND_BOOL) || is_kind(a, AGNI_KIND_BOOL) || is_kind(b, AGNI_KIND_BOOL))
        return agni_fail(AGN_EDTYPE, "%s: %s is bool, a number is needed", op,
                         is_kind(x, AGNI_KIND_BOOL) ? "x" : is_kind(a, AGNI_KIND_BOOL) ? "a" : "b");
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = f(s, a, b);
    return agni_return(op, s, out, ag_add(s, x, value == 1 ? y : ag_mul_c(s, y, value)));
}
agn_status agn_addcmul(agn_tensor **out, const agn_tensor *x, const agn_tensor *a,
                       const agn_tensor *b, double value)
{
    return add_scaled("addcmul", out, x, a, b, value, ag_mul);
}
agn_status agn_addcdiv(agn_tensor **out, const agn_tensor *x, const agn_tensor *a,
                       const agn_tensor *b, double value)
{
    return add_scaled("addcdiv", out, x, a, b, value, ag_div);
}

agn_status agn_stanh(agn_tensor **out, const agn_tensor *x, double a, double b)
{
    if (!out || !x)
        return is_null("stanh", out ? "x" : "out");
    agn_scope *s = agn_scope_open(NULL);
    return agni_return("stanh", s, out, ag_mul_c(s, ag_tanh(s, ag_mul_c(s, x, a)), b));
}

agn_status agn_add_n(agn_tensor **out, const agn_tensor *const *xs, int32_t n)
{
    if (!out || !xs)
        return is_null("add_n", out ? "xs" : "out");
    if (n < 1)
        return agni_fail(AGN_EARG, "add_n: %d tensors, at least 1 is needed", n);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *sum = xs[0];
    if (!sum)
        agn_scope_fail(s, is_null("add_n", "xs[0]"));
    for (int32_t i = 1; i < n && !agn_scope_status(s); i++)
        sum = ag_add(s, sum, xs[i]);
    return agni_return("add_n", s, out, sum);
}

/* row i of the result is row i of tensor index[i]: rows of all tensors, one below the other */
agn_status agn_multiplex(agn_tensor **out, const agn_tensor *const *xs, int32_t n,
                         const agn_tensor *index)
{
    if (!out || !xs || !index)
        return is_null("multiplex", !out ? "out" : !xs ? "xs" : "index");
    if (n < 1 || !xs[0] || xs[0]->ndim < 1 || index->ndim != 1 ||
        index->shape[0] != xs[0]->shape[0])
        return agni_fail(AGN_ESHAPE, "multiplex: %d tensors, the first one %s, and an index %s of "
                         "rows do not fit", n,
                         n < 1 || !xs[0] ? "absent" : AGNI_SHAPE(xs[0]), AGNI_SHAPE(index));
    agn_scope *s = agn_scope_open(NULL);
    int64_t rows = index->shape[0];
    const agn_tensor *row = agni_range(s, rows);
    const agn_tensor *place = ag_add(s, ag_mul_c(s, index, (double)rows), row);
    return agni_return("multiplex", s, out, ag_gather(s, ag_concat(s, xs, n, 0), place, 0));
}

agn_status agn_clip(agn_tensor **out, const agn_tensor *x, const agn_tensor *lo,
                    const agn_tensor *hi)
{
    if (!out || !x || (!lo && !hi))
        return is_null("clip", !out ? "out" : !x ? "x" : "lo and hi both");
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = lo ? ag_maximum(s, x, lo) : x;
    return agni_return("clip", s, out, hi ? ag_minimum(s, y, hi) : y);
}
agn_status agn_clip_c(agn_tensor **out, const agn_tensor *x, double lo, double hi)
{
    if (!out || !x)
        return is_null("clip_c", out ? "x" : "out");
    agn_scope *s = agn_scope_open(NULL);
    return agni_return("clip_c", s, out, ag_minimum_c(s, ag_maximum_c(s, x, lo), hi));
}

agn_status agn_float_power(agn_tensor **out, const agn_tensor *a, const agn_tensor *b)
{
    if (!out || !a || !b)
        return is_null("float_power", !out ? "out" : !a ? "a" : "b");
    bool complex = is_kind(a, AGNI_KIND_COMPLEX) || is_kind(b, AGNI_KIND_COMPLEX);
    int d = complex ? AGN_C128 : AGN_F64;
    agn_scope *s = agn_scope_open(NULL);
    return agni_return("float_power", s, out, ag_pow(s, ag_cast(s, a, d), ag_cast(s, b, d)));
}

agn_status agn_divmod(agn_tensor **quotient, agn_tensor **remainder, const agn_tensor *a,
                      const agn_tensor *b)
{
    if (!quotient || !remainder)
        return is_null("divmod", quotient ? "remainder" : "quotient");
    agn_tensor *q = NULL, *r = NULL;
    agn_status st = agn_floor_divide(&q, a, b);
    if (!st)
        st = agn_remainder(&r, a, b);
    if (st) {
        agn_release(q);
        return agni_rename_error("divmod", st);
    }
    *quotient = q;
    *remainder = r;
    return AGN_OK;
}

/* the exponent is a whole number of the dtype of x, constant between powers of two */
agn_status agn_frexp(agn_tensor **m, agn_tensor **e, const agn_tensor *x)
{
    if (!m || !e || !x)
        return is_null("frexp", !m ? "m" : !e ? "e" : "x");
    agn_tensor *exponent = NULL, *less = NULL, *fraction = NULL, *whole = NULL;
    agn_status st = agni_apply1(&agni_op_exponent, NULL, 1, &x, &exponent);
    if (!st)
        st = agn_neg(&less, exponent);
    if (!st)
        st = agn_ldexp(&fraction, x, less);
    if (!st)
        st = agn_cast(&whole, exponent, AGN_I32);
    agn_release(exponent);
    agn_release(less);
    if (st) {
        agn_release(fraction);
        return agni_rename_error("frexp", st);
    }
    *m = fraction;
    *e = whole;
    return AGN_OK;
}

/* ---- numbers that are none --------------------------------------------------------- */

static const agn_tensor *replace_nonfinite(agn_scope *s, const agn_tensor *x, double nan,
                                           double posinf, double neginf)
{
    static const double largest[AGN_NDTYPES] = {[AGN_F16] = 65504,
                                                [AGN_BF16] = 0x1.fep127,
                                                [AGN_F32] = 0x1.fffffep127,
                                                [AGN_F64] = DBL_MAX};
    double most = largest[x->dtype];
    const agn_tensor *y = ag_where(s, ag_isnan(s, x), agni_literal(s, nan), x);
    y = ag_where(s, ag_isposinf(s, x), agni_literal(s, isnan(posinf) ? most : posinf), y);
    return ag_where(s, ag_isneginf(s, x), agni_literal(s, isnan(neginf) ? -most : neginf), y);
}
agn_status agn_nan_to_num(agn_tensor **out, const agn_tensor *x, double nan, double posinf,
                          double neginf)
{
    if (!out || !x)
        return is_null("nan_to_num", out ? "x" : "out");
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = x;
    if (is_kind(x, AGNI_KIND_FLOAT))
        y = replace_nonfinite(s, x, nan, posinf, neginf);
    if (is_kind(x, AGNI_KIND_COMPLEX)) {
        const agn_tensor *re = ag_real(s, x), *im = ag_imag(s, x);
        if (re && im)
            y = ag_complex(s, replace_nonfinite(s, re, nan, posinf, neginf),
                           replace_nonfinite(s, im, nan, posinf, neginf));
    }
    return agni_return("nan_to_num", s, out, y);
}

/* ---- special and complex ----------------------------------------------------------- */

/* log of pi^(p (p - 1) / 4) times the product of gamma(a + (1 - j) / 2), j = 1 to p
   (DLMF 35.3.4) */
agn_status agn_multigammaln(agn_tensor **out, const agn_tensor *a, int32_t p)
{
    if (!out || !a)
        return is_null("multigammaln", out ? "a" : "out");
    if (p < 1 || p > 1000)
        return agni_fail(AGN_EARG, "multigammaln: %d dimensions are not in 1 to 1000", p);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *sum = ag_lgamma(s, a);
    for (int32_t j = 2; j <= p && !agn_scope_status(s); j++)
        sum = ag_add(s, sum, ag_lgamma(s, ag_add_c(s, a, 0.5 * (1 - j))));
    double front = 0.25 * p * (p - 1.0) * LOG_PI;
    return agni_return("multigammaln", s, out, ag_add_c(s, sum, front));
}

agn_status agn_angle(agn_tensor **out, const agn_tensor *x)
{
    if (!out || !x)
        return is_null("angle", out ? "x" : "out");
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *im = is_kind(x, AGNI_KIND_COMPLEX) ? ag_imag(s, x) : agni_literal(s, 0);
    return agni_return("angle", s, out, ag_atan2(s, im, ag_real(s, x)));
}

agn_status agn_polar(agn_tensor **out, const agn_tensor *r, const agn_tensor *phi)
{
    if (!out || !r || !phi)
        return is_null("polar", !out ? "out" : !r ? "r" : "phi");
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *z = phi->layout == AGN_DENSE ? ag_complex(s, ag_mul(s, r, ag_cos(s, phi)),
                                                                ag_mul(s, r, ag_sin(s, phi)))
                                                   : agni_sparse.polar(s, r, phi);
    return agni_return("polar", s, out, z);
}

/* A step of f16 and bf16 is one of their bits as an integer: 1 away from 0, or -1 towards it. */
agn_status agn_nextafter(agn_tensor **out, const agn_tensor *a, const agn_tensor *b)
{
    agn_dtype d = AGN_F64;
    agn_status st = a && b ? agn_result_type(&d, (const agn_tensor *[]){a, b}, 2) : AGN_OK;
    bool sparse = a && b && (a->layout != AGN_DENSE || b->layout != AGN_DENSE);
    if (st || !out || sparse || (d != AGN_F16 && d != AGN_BF16))
        return agni_apply_public(out, &agni_op_nextafter, NULL, 2, (const agn_tensor *[]){a, b});
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_cast(s, a, d), *y = agni_cast(s, b, d);
    const agn_tensor *zero = agni_literal(s, 0), *one = agni_literal(s, 1);
    const agn_tensor *away = ag_eq(s, ag_lt(s, x, y), ag_gt(s, x, zero));
    const agn_tensor *step = ag_where(s, away, one, agni_literal(s, -1));
    const agn_tensor *least = ag_where(s, ag_lt(s, y, zero), agni_literal(s, -INT16_MAX), one);
    const agn_tensor *bits = ag_add(s, ag_bitcast(s, x, AGN_I16), agni_cast(s, step, AGN_I16));
    bits = ag_where(s, ag_eq(s, x, zero), agni_cast(s, least, AGN_I16), bits);
    const agn_tensor *z = ag_where(s, ag_eq(s, x, y), y, ag_bitcast(s, bits, d));
    const agn_tensor *neither = ag_logical_or(s, ag_isnan(s, x), ag_isnan(s, y));
    return agni_return("nextafter", s, out, ag_where(s, neither, ag_add(s, x, y), z));
}

/* ---- of complex numbers: rows of the table on their parts ------------------------ */

typedef const agn_tensor *of_parts(agn_scope *s, const agn_tensor *x, const agn_tensor *y);

/* times real numbers: a product of complex ones would make NaN of infinite parts */
static const agn_tensor *multiply_weights(agn_scope *s, const agn_tensor *r, const agn_tensor *x,
                                          const agn_tensor *y)
{
    return ag_complex(s, ag_mulz(s, r, x), ag_mulz(s, r, y));
}
static const agn_tensor *log_over(agn_scope *s, const agn_tensor *x, const agn_tensor *y, double c)
{
    const agn_tensor *z = ag_log(s, ag_complex(s, x, y));
    return ag_complex(s, ag_div_c(s, ag_real(s, z), c), ag_div_c(s, ag_imag(s, z), c));
}
static const agn_tensor *log2_of(agn_scope *s, const agn_tensor *x, const agn_tensor *y)
{
    return log_over(s, x, y, LOG_2);
}
static const agn_tensor *log10_of(agn_scope *s, const agn_tensor *x, const agn_tensor *y)
{
    return log_over(s, x, y, LOG_10);
}
/* |1 + z|^2 - 1 has the digits of the logarithm where that is small or |1 + z| above 1 */
static const agn_tensor *log1p_of(agn_scope *s, const agn_tensor *x, const agn_tensor *y)
{
    const agn_tensor *w = ag_add(s, ag_mul(s, x, ag_add_c(s, x, 2)), ag_square(s, y));
    const agn_tensor *one_x = ag_add_c(s, x, 1), *small = ag_lt(s, w, ag_lit(s, 8));
    const agn_tensor *near = ag_logical_and(s, small, ag_gt(s, w, ag_lit(s, -0.5)));
    const agn_tensor *size = ag_where(s, near, ag_mul_c(s, ag_log1p(s, w), 0.5),
                                      ag_log(s, ag_hypot(s, one_x, y)));
    return ag_complex(s, size, ag_atan2(s, y, one_x));
}
static const agn_tensor *exp2_of(agn_scope *s, const agn_tensor *x, const agn_tensor *y)
{
    /* y log 2 rounds once: half turns go first, whose number times the first part of the half
       period pi / log 2 is exact, and what is left is 12 bits, which times the first 12 of log 2
       are exact, and a rest */
    const double turn = 145.0 / 32, rest = 0.0011101418271938096;
    const double first = 0x1.62ep-1, last = 3.1946184945309415e-05;
    const agn_tensor *k = ag_round(s, ag_mul_c(s, y, 1 / (turn + rest)));
    const agn_tensor *r = ag_sub(s, y, ag_mul_c(s, k, turn));
    const agn_tensor *head = ag_mul_c(s, ag_round(s, ag_mul_c(s, r, 512)), 1.0 / 512);
    const agn_tensor *tail = ag_sub(s, ag_sub(s, r, head), ag_mul_c(s, k, rest));
    const agn_tensor *less = ag_add(s, ag_mul_c(s, head, last), ag_mul_c(s, tail, LOG_2));
    const agn_tensor *t = ag_add(s, ag_mul_c(s, head, first), less);
    const agn_tensor *odd = ag_remainder(s, k, agni_literal(s, 2));
    const agn_tensor *sign = ag_scale(s, odd, -2, 1);
    return multiply_weights(s, ag_exp2(s, x), ag_mul(s, sign, ag_cos(s, t)),
                            ag_mul(s, sign, ag_sin(s, t)));
}
static const agn_tensor *expm1_of(agn_scope *s, const agn_tensor *x, const agn_tensor *y)
{
    const agn_tensor *half = ag_square(s, ag_sin(s, ag_mul_c(s, y, 0.5)));
    const agn_tensor *re = ag_sub(s, ag_mul(s, ag_expm1(s, x), ag_cos(s, y)), ag_mul_c(s, half, 2));
    return ag_complex(s, re, ag_mulz(s, ag_exp(s, x), ag_sin(s, y)));
}
static const agn_tensor *rsqrt_of(agn_scope *s, const agn_tensor *x, const agn_tensor *y)
{
    return ag_reciprocal(s, ag_sqrt(s, ag_complex(s, x, y)));
}
/* (1 + tanh(z / 2)) / 2 has the digits of tanh up to its poles and near them; on the left it

   cancels, and exp(-z) is far from -1 */
static const agn_tensor *sigmoid_of(agn_scope *s, const agn_tensor *x, const agn_tensor *y)
{
    const agn_tensor *z = ag_complex(s, x, y), *right = ag_gt(s, x, ag_lit(s, -1.5));
    const agn_tensor *near = ag_scale(s, ag_tanh(s, ag_mul_c(s, z, 0.5)), 0.5, 0.5);
    return ag_where(s, right, near, ag_reciprocal(s, ag_add_c(s, ag_exp(s, ag_neg(s, z)), 1)));
}

#define EITHER(name) \
    agn_status agn_##name(agn_tensor **out, const agn_tensor *x) \
    { \
        if (!is_kind(x, AGNI_KIND_COMPLEX) || !out || x->layout != AGN_DENSE) \
            return agni_apply_public(out, &agni_op_##name, NULL, 1, &x); \
        agn_scope *s = agn_scope_open(NULL); \
        return agni_return(#name, s, out, name##_of(s, ag_real(s, x), ag_imag(s, x))); \
    }
EITHER(log2)
EITHER(log10)
EITHER(log1p)
EITHER(exp2)
EITHER(expm1)
EITHER(rsqrt)
EITHER(sigmoid)

/* ---- equality ---------------------------------------------------------------------- */

/* whole numbers as f64: their differences and magnitudes may be no integers of their dtype */
static const agn_tensor *widen_integers(agn_scope *s, const agn_tensor *x)
{
    return x && agni_kind(x->dtype) <= AGNI_KIND_INT ? ag_cast(s, x, AGN_F64) : x;
}

/* equal covers infinities; |a - b| is infinite or NaN beside them, and then near is false
   unless b is infinite, which is why b must be finite */
static const agn_tensor *is_close(agn_scope *s, const agn_tensor *a, const agn_tensor *b,
                                  double rtol, double atol, bool equal_nan)
{
    const agn_tensor *x = widen_integers(s, a), *y = widen_integers(s, b);
    const agn_tensor *bound = ag_add_c(s, ag_mul_c(s, ag_abs(s, y), rtol), atol);
    const agn_tensor *near = ag_le(s, ag_abs(s, ag_sub(s, x, y)), bound);
    near = ag_logical_or(s, ag_eq(s, a, b), ag_logical_and(s, near, ag_isfinite(s, y)));
    if (equal_nan)
        near = ag_logical_or(s, near, ag_logical_and(s, ag_isnan(s, x), ag_isnan(s, y)));
    return near;
}
static const agn_tensor *reduce_all(agn_scope *s, const agn_tensor *x)
{
    return ag_logical_not(s, ag_sum_all(s, ag_cast(s, ag_logical_not(s, x), AGN_I64)));
}
static agn_status check_close(const char *op, agn_tensor **out, const agn_tensor *a,
                              const agn_tensor *b, double rtol, double atol)
{
    if (!out || !a || !b)
        return is_null(op, !out ? "out" : !a ? "a" : "b");
    if (!(rtol >= 0 && atol >= 0))
        return agni_fail(AGN_EARG, "%s: tolerances %g and %g, none may be negative", op, rtol,
                         atol);
    return AGN_OK;
}
agn_status agn_isclose(agn_tensor **out, const agn_tensor *a, const agn_tensor *b, double rtol,
                       double atol, bool equal_nan)
{
    agn_status st = check_close("isclose", out, a, b, rtol, atol);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    return agni_return("isclose", s, out, is_close(s, a, b, rtol, atol, equal_nan));
}
agn_status agn_allclose(agn_tensor **out, const agn_tensor *a, const agn_tensor *b, double rtol,
                        double atol, bool equal_nan)
{
    agn_status st = check_close("allclose", out, a, b, rtol, atol);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    return agni_return("allclose", s, out, reduce_all(s, is_close(s, a, b, rtol, atol, equal_nan)));
}

agn_status agn_equal_all(agn_tensor **out, const agn_tensor *a, const agn_tensor *b)
{
    if (!out || !a || !b)
        return is_null("equal_all", !out ? "out" : !a ? "a" : "b");
    bool same = a->ndim == b->ndim;
    for (int d = 0; same && d < a->ndim; d++)
        same = a->shape[d] == b->shape[d];
    if (!same) {
        agn_tensor *no = NULL;
        agn_status st = agn_full(&no, AGN_BOOL, 0, NULL, 0);
        if (!st)
            st = agni_copy_to_device(out, no, agni_tensor_device(a));
        agn_release(no);
        return st;
    }
    agn_scope *s = agn_scope_open(NULL);
    return agni_return("equal_all", s, out, reduce_all(s, ag_eq(s, a, b)));
}

/* the place where x would go in the sorted set holds x, or none does */
agn_status agn_isin(agn_tensor **out, const agn_tensor *x, const agn_tensor *set, bool invert)
{
    if (!out || !x || !set)
        return is_null("isin", !out ? "out" : !x ? "x" : "set");
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *found;
    if (set->size == 0) {
        found = ag_ne(s, agni_zeros_like(s, x), agni_literal(s, 0));
    } else {
        const agn_tensor *sorted = ag_sort(s, ag_reshape(s, set, 1, &set->size), 0, false);
        const agn_tensor *place = ag_searchsorted(s, sorted, x, false);
        place = ag_minimum_c(s, place, (double)(set->size - 1));
        found = ag_eq(s, ag_gather(s, sorted, place, 0), x);
    }
    return agni_return("isin", s, out, invert ? ag_logical_not(s, found) : found);
}
