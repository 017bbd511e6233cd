/* The rules of graph/passes/rules/simplify.c, one by one: which ops are left of an expression. That the
   value stays the same is seen by t-plan. */
#include "laws.h"

#include "graph/passes/ir.h"
#include <agnesi/ag.h>

/* arguments: x, y [4,3], w [3,5], v [3], q [1,3] */
#define BODY(name, left, expression) \
    static agn_status name(void *user, agn_scope *s, const agn_tensor *const *in, \
                           const agn_tensor **out) \
    { \
        const agn_tensor *x = in[0], *y = in[1], *w = in[2], *v = in[3], *q = in[4]; \
        (void)user, (void)x, (void)y, (void)w, (void)v, (void)q; \
        out[0] = expression; \
        return AGN_OK; \
    }
#define SHAPE(...) ((const int64_t[]){__VA_ARGS__})
#define A(...) ((const int32_t[]){__VA_ARGS__})
#define T(...) ((const agn_tensor *[]){__VA_ARGS__})

static const agn_tensor *op2(agn_scope *s, const char *name, const agn_tensor *a,
                             const agn_tensor *b)
{
    agn_tensor *y = NULL;
    const agn_tensor *in[2] = {a, b};
    if (agn_scope_status(s))
        return NULL;
    agn_status st = agn_op_apply(&y, 1, name, in, 2, NULL, 0, NULL, 0);
    return agn_scope_adopt(s, st, &y);
}
static const agn_tensor *fill(agn_scope *s, double c)
{
    return ag_broadcast_to(s, ag_full(s, AGN_F64, 0, NULL, c), 2, SHAPE(4, 3));
}
static const agn_tensor *pad(agn_scope *s, const agn_tensor *a, int64_t before, int64_t after)
{
    return ag_pad(s, a, 2, SHAPE(0, before), SHAPE(0, after), 0);
}
static const agn_tensor *beside(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    return ag_add(s, pad(s, a, 0, 3), pad(s, b, 3, 0));
}
static const agn_tensor *rep(agn_scope *s, const agn_tensor *a)
{
    return ag_broadcast_to(s, a, 2, SHAPE(4, 3));
}
static const agn_tensor *column(agn_scope *s, const agn_tensor *a, int64_t j)
{
    return ag_slice(s, a, 2, SHAPE(0, j), SHAPE(agn_shape(a)[0], j + 1), NULL);
}
static const agn_tensor *thirds(agn_scope *s, const agn_tensor *a)
{
    return ag_reshape(s, a, 3, SHAPE(2, 2, 3));
}
static const agn_tensor *all(agn_scope *s, const agn_tensor *a)
{
    return ag_sum(s, a, NULL, 0, false);
}

/* two rows, and a row: of 3 or of 303 numbers */
static const agn_tensor *rows2(agn_scope *s, const agn_tensor *a, int64_t more)
{
    a = ag_pad(s, a, 1, SHAPE(0), SHAPE(more), 0);
    return ag_mul_c(s, ag_stack(s, T(ag_sin(s, a), ag_cos(s, a)), 2, 0), 3);
}
static const agn_tensor *row(agn_scope *s, const agn_tensor *a, int64_t i)
{
    return ag_index_axis(s, a, 0, i);
}
static const agn_tensor *both(agn_scope *s, const agn_tensor *a)
{
    return ag_mul(s, row(s, a, 0), row(s, a, 1));
}

/* also read as a whole */
static const agn_tensor *both_and_all(agn_scope *s, const agn_tensor *a)
{
    return ag_mul(s, both(s, a), ag_sum(s, ag_exp(s, a), A(0), 1, false));
}

/* a^T a for a [4, 80] */
static const agn_tensor *gram(agn_scope *s, const agn_tensor *a)
{
    return ag_matmul(s, ag_transpose(s, a), a);
}

/* 40 literals in turn */
static const agn_tensor *steps(agn_scope *s, const agn_tensor *a)
{
    for (int i = 0; i < 40; i++)
        a = ag_minimum(s, a, ag_lit(s, i - 0.1));
    return a;
}
#define TEN "minimum minimum minimum minimum minimum minimum minimum minimum minimum minimum "

static const agn_tensor *finite_part(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    return ag_where(s, ag_gt(s, a, ag_lit(s, -(double)INFINITY)), b, ag_lit(s, 0));
}

/* a of so many elements that its permutations are left for last, transposed */
static const agn_tensor *large(agn_scope *s, const agn_tensor *a)
{
    return ag_transpose(s, pad(s, a, 1, 1 << 16));
}

/* erfc(c x) / 2 */
static const agn_tensor *gate(agn_scope *s, const agn_tensor *a, double c)
{
    return ag_mul_c(s, ag_erfc(s, ag_mul_c(s, a, c)), 0.5);
}
static const double root_half = 0.70710678118654752440;

#define RULES(R) \
    R(many_literals, TEN TEN TEN TEN "mul", ag_mul(s, steps(s, x), steps(s, x))) \
    R(infinite_literals, "gt where where mul", \
      ag_mul(s, finite_part(s, x, y), finite_part(s, x, x))) \
    R(gate_shared, "mul erfc mul maximum mul add", \
      ag_add(s, ag_gelu(s, x), gate(s, x, -root_half))) \
    R(gate_of_another, "mul erfc mul gelu add", \
      ag_add(s, ag_gelu(s, x), gate(s, y, -root_half))) \
    R(gate_turned, "mul erfc mul gelu add", ag_add(s, ag_gelu(s, x), gate(s, x, root_half))) \
    R(dead, "sin", (ag_cos(s, y), ag_sin(s, x))) \
    R(shared, "sin mul", ag_mul(s, ag_sin(s, x), ag_sin(s, x))) \
    R(commuted, "mul square mul sub", ag_sub(s, ag_square(s, ag_mul(s, x, y)), \
                                     ag_mul_c(s, ag_square(s, ag_mul(s, y, x)), 0))) \
    R(copied, "sin", ag_sin(s, ag_copy(s, x))) \
    R(stopped, "sin", ag_sin(s, ag_stop_gradient(s, x))) \
    R(cast_same, "sin", ag_sin(s, ag_cast(s, x, AGN_F64))) \
    R(reshape_same, "sin", ag_sin(s, ag_reshape(s, x, 2, SHAPE(4, 3)))) \
    R(reshape_twice, "reshape sin", ag_sin(s, ag_reshape(s, ag_reshape(s, x, 1, SHAPE(12)), 2, \
                                                          SHAPE(6, 2)))) \
    R(reshape_back, "sin", ag_sin(s, ag_reshape(s, ag_reshape(s, x, 1, SHAPE(12)), 2, SHAPE(4, 3)))) \
    R(permute_same, "sin", ag_sin(s, ag_permute(s, x, A(0, 1), 2))) \
    R(permute_twice, "sin", ag_sin(s, ag_transpose(s, ag_transpose(s, x)))) \
    R(permute_inner, "reshape sin", ag_sin(s, ag_transpose(s, ag_permute(s, thirds(s, x), A(0, 2, 1), 3)))) \
    R(permute_outer, "reshape permute sin", ag_sin(s, ag_permute(s, ag_transpose(s, thirds(s, x)), \
                                                                 A(2, 0, 1), 3))) \
    R(permute_large, "unslice sin permute", ag_sin(s, large(s, x))) \
    R(permute_large_back, "unslice sin mul", \
      ag_transpose(s, ag_mul_c(s, ag_sin(s, large(s, x)), 3))) \
    R(permute_large_both, "unslice unslice mul gt permute", \
      ag_gt(s, ag_mul(s, large(s, x), large(s, y)), ag_lit(s, 0.5))) \
    R(permute_large_one, "unslice reshape unslice permute mul", \
      ag_mul(s, large(s, x), ag_reshape(s, pad(s, y, 1, 1 << 16), 2, SHAPE(65540, 4)))) \
    R(parts_joined, "complex real", \
      ag_real(s, ag_add(s, ag_complex(s, x, fill(s, -0.0)), ag_complex(s, fill(s, -0.0), y)))) \
    R(parts_keep_sign, "complex complex add reciprocal", \
      ag_reciprocal(s, ag_add(s, ag_complex(s, x, fill(s, 0)), ag_complex(s, fill(s, 0), y)))) \
    R(matmul_large, "unslice reshape matmul permute", \
      ag_matmul(s, ag_transpose(s, x), \
                ag_transpose(s, ag_reshape(s, pad(s, x, 1, 1 << 16), 2, SHAPE(65540, 4))))) \
    R(permute_summed, "sum", all(s, ag_transpose(s, x))) \
    R(permute_ones, "reshape sin", ag_sin(s, ag_transpose(s, q))) \
    R(slice_whole, "sin", ag_sin(s, ag_slice(s, x, 2, SHAPE(0, 0), SHAPE(4, 3), NULL))) \
    R(pieces_joined, "concat exp", ag_exp(s, beside(s, x, y))) \
    R(pieces_keep_sign, "add add concat sin", ag_sin(s, beside(s, x, y))) \
    R(pieces_among, "concat concat add exp", ag_exp(s, ag_add(s, ag_add(s, ag_concat(s, T(y, x), 2, 1), \
                                                       pad(s, x, 0, 3)), pad(s, y, 3, 0)))) \
    R(pieces_overlap, "unslice unslice add exp", ag_exp(s, ag_add(s, pad(s, x, 1, 2), pad(s, y, 2, 1)))) \
    R(slice_of_pad, "sin", ag_sin(s, ag_slice(s, ag_pad(s, x, 2, SHAPE(1, 2), SHAPE(0, 1), 0), 2, \
                                               SHAPE(1, 2), SHAPE(5, 5), NULL))) \
    R(slice_of_concat, "sin", ag_sin(s, ag_slice(s, ag_concat(s, T(x, y), 2, 1), 2, SHAPE(0, 3), \
                                                  SHAPE(4, 6), NULL))) \
    R(concat_one, "sin", ag_sin(s, ag_concat(s, T(x), 1, 0))) \
    R(add_zero, "sum", all(s, ag_add_c(s, x, 0))) \
    R(add_zeros, "cos", ag_cos(s, ag_add(s, fill(s, 0), x))) \
    R(add_zero_shown, "add sin", ag_sin(s, ag_add_c(s, x, 0))) \
    R(add_zero_seen, "add reciprocal sum", all(s, ag_reciprocal(s, ag_add_c(s, x, 0)))) \
    R(add_negative_zero, "sin", ag_sin(s, ag_add_c(s, x, -0.0))) \
    R(sub_zero, "sin", ag_sin(s, ag_sub_c(s, x, 0))) \
    R(zero_minus, "neg exp", ag_exp(s, ag_sub(s, ag_lit(s, 0), x))) \
    R(zero_minus_shown, "sub", ag_sub(s, ag_lit(s, 0), x)) \
    R(negative_zero_minus, "neg", ag_sub(s, ag_lit(s, -0.0), x)) \
    R(add_negative, "sub", ag_add(s, x, ag_neg(s, y))) \
    R(negative_add, "sub", ag_add(s, ag_neg(s, x), y)) \
    R(sub_negative, "add", ag_sub(s, x, ag_neg(s, y))) \
    R(negative_sub, "add neg cosh", ag_cosh(s, ag_sub(s, ag_neg(s, x), y))) \
    R(negative_sub_shown, "neg sub", ag_sub(s, ag_neg(s, x), y)) \
    R(add_twice, "mul", ag_add(s, x, x)) \
    R(add_scaled, "mul", ag_add(s, ag_mul_c(s, x, 3), ag_mul_c(s, x, 2))) \
    R(add_scaled_once, "mul", ag_add(s, x, ag_mul_c(s, x, 2))) \
    R(add_scaled_apart, "mul mul add", ag_add(s, ag_mul_c(s, x, 3), ag_mul_c(s, x, -2))) \
    R(add_scaled_alike, "sub mul", ag_add(s, ag_mul_c(s, x, 3), ag_mul_c(s, y, -3))) \
    R(sub_scaled_alike, "sub mul", ag_sub(s, ag_mul_c(s, x, 3), ag_mul_c(s, y, 3))) \
    R(sub_scaled_against, "add mul", ag_sub(s, ag_mul_c(s, x, 3), ag_mul_c(s, y, -3))) \
    R(add_scaled_down, "add mul exp", ag_exp(s, ag_add(s, ag_mul_c(s, x, -3), ag_mul_c(s, y, -3)))) \
    R(add_scaled_down_shown, "mul mul add", ag_add(s, ag_mul_c(s, x, -3), ag_mul_c(s, y, -3))) \
    R(conj_twice, "complex real imag hypot", ag_abs(s, ag_conj(s, ag_conj(s, ag_complex(s, x, y))))) \
    R(add_again, "mul add", ag_add(s, x, ag_add(s, y, x))) \
    R(add_less, "sub add", ag_add(s, ag_sub(s, x, y), x)) \
    R(zero_sums_shown, "sum neg sum sub reciprocal", \
      ag_reciprocal(s, ag_add(s, all(s, ag_neg(s, x)), all(s, ag_neg(s, y))))) \
    R(sub_again, "mul sub", ag_sub(s, ag_sub(s, y, x), x)) \
    R(like_terms, "square mul mul", \
      ag_add(s, ag_mul(s, ag_square(s, x), y), ag_mul_c(s, ag_mul(s, x, ag_mul(s, x, y)), 2))) \
    R(like_terms_of_two_signs, "mul mul mul square mul sub", \
      ag_sub(s, ag_mul(s, ag_square(s, x), y), ag_mul_c(s, ag_mul(s, x, ag_mul(s, x, y)), 2))) \
    R(like_terms_factored, "cos mul add mul mul abs", \
      ag_abs(s, ag_add(s, ag_mul_c(s, ag_mul(s, x, ag_add(s, ag_mul(s, x, y), ag_cos(s, y))), 2), \
                       ag_add(s, ag_mul(s, ag_square(s, x), y), ag_mul(s, x, ag_cos(s, y)))))) \
    R(like_terms_less_sum, "mul sub sub abs", ag_abs(s, ag_add(s, ag_sub(s, q, ag_add(s, x, y)), q))) \
    R(like_terms_less_sum_shown, "add sub add", ag_add(s, ag_sub(s, q, ag_add(s, x, y)), q)) \
    R(terms_of_fewer_axes, "cos sin sub mul abs", \
      ag_abs(s, ag_sub(s, ag_mul(s, ag_sin(s, q), x), ag_mul(s, x, ag_cos(s, q))))) \
    R(sum_factors, "sin mul sum reshape mul abs", \
      ag_abs(s, ag_sum(s, ag_mul(s, x, ag_mul(s, x, ag_sin(s, q))), (const int32_t[]){0}, 1, false))) \
    R(sum_terms, "sin slice mul mul sum reshape mul sum add abs", \
      ag_abs(s, ag_sum(s, ag_add(s, ag_mul(s, x, y), \
                                 ag_mul(s, q, ag_square(s, column(s, ag_sin(s, x), 1)))), \
                       (const int32_t[]){0}, 1, false))) \
    R(sum_factors_kept, "mul sum mul abs", \
      ag_abs(s, ag_sum(s, ag_mul(s, x, ag_mul(s, x, q)), (const int32_t[]){0}, 1, true))) \
    R(sum_factors_of_two_signs, "mul mul sum abs", \
      ag_abs(s, ag_sum(s, ag_mul(s, x, ag_mul(s, y, q)), (const int32_t[]){0}, 1, true))) \
    R(mul_one, "sin", ag_sin(s, ag_mul_c(s, x, 1))) \
    R(mul_minus_one, "neg", ag_mul_c(s, x, -1)) \
    R(mul_chain, "mul", ag_mul_c(s, ag_mul_c(s, x, 3), 2)) \
    R(mul_chain_to_one, "sin", ag_sin(s, ag_mul_c(s, ag_mul_c(s, x, 4), 0.25))) \
    R(mul_chain_too_small, "mul mul", ag_mul_c(s, ag_mul_c(s, x, 1e-200), 1e-120)) \
    R(mul_chain_too_large, "cast mul mul", ag_mul_c(s, ag_mul_c(s, ag_cast(s, x, AGN_F32), 1e30), 1e20)) \
    R(like_terms_too_large, "cast mul mul mul add", \
      ag_add(s, ag_mul_c(s, ag_mul(s, ag_cast(s, x, AGN_F32), ag_cast(s, x, AGN_F32)), 2e38), \
             ag_mul(s, ag_cast(s, x, AGN_F32), ag_mul_c(s, ag_cast(s, x, AGN_F32), 3e38)))) \
    R(mul_outwards, "mul", ag_mul(s, ag_mul_c(s, x, 4), ag_mul_c(s, y, 0.25))) \
    R(mul_before_broadcast, "mul mul mul add", \
      ag_add(s, ag_mul(s, ag_mul_c(s, q, 3), x), ag_mul(s, y, ag_mul_c(s, q, 3)))) \
    R(mul_zero_kept, "mul", ag_mul_c(s, x, 0)) \
    R(mul_zero_bounded, "tanh mul square sub", ag_sub(s, y, ag_square(s, ag_mul_c(s, ag_tanh(s, x), 0)))) \
    R(mul_zero_shown, "tanh mul", ag_mul_c(s, ag_tanh(s, x), 0)) \
    R(mulz_zero, "broadcast_to", op2(s, "mulz", x, fill(s, 0))) \
    R(mulz_number, "mul", op2(s, "mulz", x, ag_lit(s, 3))) \
    R(mulz_bounded, "tanh tanh mul relu", ag_relu(s, op2(s, "mulz", ag_tanh(s, x), ag_tanh(s, y)))) \
    R(mulz_at_infinity, "cos cos mulz relu", ag_relu(s, op2(s, "mulz", ag_cos(s, x), ag_cos(s, y)))) \
    R(mulz_of_inputs, "mulz", op2(s, "mulz", x, y)) \
    R(mulz_singular, "log mulz", op2(s, "mulz", x, ag_log(s, y))) \
    R(mulz_divided, "div mulz", op2(s, "mulz", x, ag_div_c(s, y, 3))) \
    R(mulz_divided_by_zero, "div mulz", op2(s, "mulz", x, ag_div_c(s, y, 0))) \
    R(mulz_masked, "relu mulz", op2(s, "mulz", x, ag_relu(s, y))) \
    R(mulz_holes, "unslice mulz", op2(s, "mulz", ag_pad(s, v, 1, SHAPE(0), SHAPE(1), 0), \
                                      ag_pad(s, v, 1, SHAPE(0), SHAPE(1), 0))) \
    R(mul_negative, "mul neg", ag_mul(s, ag_neg(s, x), y)) \
    R(mul_negatives, "mul", ag_mul(s, ag_neg(s, x), ag_neg(s, y))) \
    R(neg_twice, "sin", ag_sin(s, ag_neg(s, ag_neg(s, x)))) \
    R(neg_scaled, "mul", ag_neg(s, ag_mul_c(s, x, 3))) \
    R(neg_sub, "sub abs", ag_abs(s, ag_neg(s, ag_sub(s, x, y)))) \
    R(neg_sub_shown, "sub neg", ag_neg(s, ag_sub(s, x, y))) \
    R(div_one, "sin", ag_sin(s, ag_div_c(s, x, 1))) \
    R(div_power, "mul", ag_div_c(s, x, 8)) \
    R(div_other, "div", ag_div_c(s, x, 3)) \
    R(where_same, "sin", ag_sin(s, ag_where(s, ag_lt(s, x, y), x, x))) \
    R(where_known, "sin", ag_sin(s, ag_where(s, ag_lt(s, fill(s, 1), fill(s, 2)), x, y))) \
    R(where_scaled, "lt where mul", ag_where(s, ag_lt(s, x, y), ag_mul_c(s, x, 3), ag_lit(s, 0))) \
    R(where_scaled_shown, "mul lt where", ag_where(s, ag_lt(s, x, y), ag_mul_c(s, x, -3), ag_lit(s, 0))) \
    R(sum_of_where, "lt cast sum mul", ag_sum_all(s, ag_where(s, ag_lt(s, x, y), ag_lit(s, 2.5), ag_lit(s, 0)))) \
    R(sum_of_where_shown, "lt where sum", ag_sum_all(s, ag_where(s, ag_lt(s, x, y), ag_lit(s, -2.5), ag_lit(s, 0)))) \
    R(where_reshaped, "lt where reshape", ag_where(s, thirds(s, ag_lt(s, x, y)), thirds(s, x), ag_lit(s, 0))) \
    R(add_zero_sum, "sum", ag_add(s, all(s, x), ag_lit(s, 0))) \
    R(add_zero_of_product, "mul add", ag_add(s, ag_mul(s, x, y), ag_lit(s, 0))) \
    R(add_zero_above, "square add", ag_add(s, ag_add_c(s, ag_square(s, x), 3), ag_lit(s, 0))) \
    R(less_exp, "sin", ag_sin(s, ag_where(s, ag_lt(s, ag_exp(s, x), ag_lit(s, 0)), y, x))) \
    R(less_exp_above, "exp lt where sin", ag_sin(s, ag_where(s, ag_lt(s, ag_exp(s, x), ag_lit(s, 0.5)), y, x))) \
    R(or_false, "gt where", ag_where(s, ag_logical_or(s, ag_lt(s, ag_exp(s, x), ag_lit(s, 0)), \
                                                      ag_gt(s, x, y)), x, y)) \
    R(and_false, "sin", ag_sin(s, ag_where(s, ag_logical_and(s, ag_lt(s, ag_exp(s, x), ag_lit(s, 0)), \
                                                             ag_gt(s, x, y)), x, y))) \
    R(compare_reshaped, "lt reshape", ag_lt(s, thirds(s, x), thirds(s, y))) \
    R(count_of_truths, "lt cast sum reshape", \
      ag_sum(s, ag_cast(s, ag_reshape(s, ag_lt(s, x, y), 3, SHAPE(4, 1, 3)), AGN_F64), A(0), 1, false)) \
    R(count_repeated, "lt cast sum broadcast_to", ag_sum(s, ag_cast(s, ag_broadcast_to(s, ag_lt(s, x, y), 3, \
                                                     SHAPE(5, 4, 3)), AGN_F64), A(2), 1, false)) \
    R(truth_of_count, "lt", ag_ne(s, ag_cast(s, ag_lt(s, x, y), AGN_F64), ag_lit(s, 0))) \
    R(broadcast_operand, "add", ag_add(s, x, rep(s, v))) \
    R(broadcast_op, "sin broadcast_to", ag_sin(s, rep(s, v))) \
    R(broadcast_twice, "broadcast_to", rep(s, ag_broadcast_to(s, v, 2, SHAPE(1, 3)))) \
    R(sum_repeated, "mul cos", ag_cos(s, ag_sum(s, rep(s, v), A(0), 1, false))) \
    R(sum_repeated_shown, "broadcast_to sum", ag_sum(s, rep(s, v), A(0), 1, false)) \
    R(sum_scaled, "sum mul", all(s, ag_mul_c(s, x, 3))) \
    R(sum_negative, "sum neg exp", ag_exp(s, all(s, ag_neg(s, x)))) \
    R(sum_negative_shown, "neg sum", all(s, ag_neg(s, x))) \
    R(sum_scaled_down, "mul sum", all(s, ag_mul_c(s, x, -3))) \
    R(sum_reshaped, "sum", all(s, ag_reshape(s, x, 2, SHAPE(2, 6)))) \
    R(sum_ones, "reshape", ag_sum(s, q, A(0), 1, false)) \
    R(folded, "add", ag_add(s, x, ag_sin(s, ag_lit(s, 0.5)))) \
    R(matmul_rows, "reshape matmul broadcast_to", ag_matmul(s, rep(s, v), w)) \
    R(select_nested, "gt mul exp add where", \
      ag_where(s, ag_gt(s, x, y), ag_add(s, ag_exp(s, ag_mul(s, ag_where(s, ag_gt(s, x, y), x, ag_full(s, AGN_F64, 0, NULL, 0)), y)), x), y)) \
    R(select_nested_elsewhere, "gt where exp where add", \
      ag_add(s, ag_where(s, ag_gt(s, x, y), ag_exp(s, ag_where(s, ag_gt(s, x, y), x, y)), y), \
             ag_where(s, ag_gt(s, x, y), x, y))) \
    R(matmul_lanes_rows, "broadcast_to matmul broadcast_to", \
      ag_matmul(s, ag_broadcast_to(s, v, 3, SHAPE(2, 4, 3)), w)) \
    R(sum_beside_repeated, "reshape sum exp broadcast_to", \
      ag_exp(s, ag_sum(s, rep(s, v), A(1), 1, false))) \
    R(matmul_inner_one, "reshape mul abs", ag_abs(s, ag_matmul(s, ag_reshape(s, v, 2, SHAPE(3, 1)), q))) \
    R(matmul_unit, "exp", ag_exp(s, ag_matmul(s, ag_eye(s, AGN_F64, 4, 4, 0), x))) \
    R(matmul_unit_shown, "add", ag_matmul(s, ag_eye(s, AGN_F64, 4, 4, 0), x)) \
    R(matmul_units_rows, "slice mul exp", \
      ag_exp(s, ag_matmul(s, ag_mul_c(s, ag_eye(s, AGN_F64, 2, 4, 1), 3), x))) \
    R(matmul_diagonal, "mul exp", ag_exp(s, ag_matmul(s, x, ag_mul(s, ag_eye(s, AGN_F64, 3, 3, 0), v)))) \
    R(matmul_no_unit, "matmul sin", ag_sin(s, ag_matmul(s, ag_tril(s, ag_ones(s, AGN_F64, 2, SHAPE(4, 4)), 0), x))) \
    R(matmul_unit_untamed, "log matmul sin", \
      ag_sin(s, ag_matmul(s, ag_eye(s, AGN_F64, 4, 4, 0), ag_log(s, x)))) \
    R(added_to_plus, "add reciprocal", ag_reciprocal(s, ag_add_c(s, ag_add_c(s, x, 0), 1))) \
    R(products_beside, "unslice unslice concat permute matmul", \
      ag_add(s, gram(s, pad(s, x, 0, 77)), gram(s, pad(s, y, 77, 0)))) \
    R(products_beside_three, "unslice unslice unslice concat permute matmul", \
      ag_add(s, ag_add(s, gram(s, pad(s, x, 0, 77)), gram(s, pad(s, y, 77, 0))), \
             gram(s, pad(s, x, 70, 7)))) \
    R(products_small, "permute matmul permute matmul add", ag_add(s, gram(s, x), gram(s, y))) \
    R(products_summed, "add matmul", ag_add(s, ag_matmul(s, x, w), ag_matmul(s, y, w))) \
    R(products_scaled, "mul sub matmul", \
      ag_sub(s, ag_matmul(s, x, w), ag_mul_c(s, ag_matmul(s, y, w), 2))) \
    R(products_three, "sin add sub matmul", \
      ag_sub(s, ag_add(s, ag_matmul(s, x, w), ag_matmul(s, y, w)), \
             ag_matmul(s, ag_sin(s, x), w))) \
    R(products_turned, "exp permute add matmul", \
      ag_add(s, ag_matmul(s, ag_transpose(s, x), y), \
             ag_matmul(s, ag_transpose(s, x), ag_neg(s, ag_neg(s, ag_exp(s, y)))))) \
    R(products_factor, "matmul sin add matmul mul", \
      ag_add(s, ag_mul(s, ag_sin(s, ag_matmul(s, q, w)), ag_matmul(s, x, w)), \
             ag_mul(s, ag_matmul(s, y, w), ag_sin(s, ag_matmul(s, q, w))))) \
    R(products_read, "matmul abs matmul add mul", \
      ag_mul(s, ag_add(s, ag_matmul(s, x, w), ag_matmul(s, y, w)), \
             ag_abs(s, ag_matmul(s, x, w)))) \
    R(products_none, "sin mul mul add", \
      ag_add(s, ag_mul(s, ag_sin(s, v), x), ag_mul(s, ag_sin(s, v), y))) \
    R(products_parts, "add matmul slice slice mul", \
      ag_mul(s, ag_add(s, column(s, ag_matmul(s, x, w), 1), column(s, ag_matmul(s, y, w), 1)), \
             ag_add(s, column(s, ag_matmul(s, x, w), 2), column(s, ag_matmul(s, y, w), 2)))) \
    R(parts_of_joined, "unslice sin cos reshape reshape mul reshape mul reshape mul", \
      both(s, rows2(s, v, 300))) \
    R(joined_result, "unslice sin cos reshape reshape mul mul concat", \
      rows2(s, v, 300)) \
    R(joined_result_of_few, "sin cos reshape reshape concat mul", \
      rows2(s, v, 0)) \
    R(parts_of_few, "sin cos reshape reshape concat mul slice reshape slice reshape mul", \
      both(s, rows2(s, v, 0))) \
    R(parts_and_all, "unslice sin cos reshape reshape concat mul exp sum slice reshape slice reshape mul mul", \
      both_and_all(s, rows2(s, v, 300))) \
    R(parts_twice, "unslice sin cos reshape reshape mul exp reshape mul exp reshape mul", \
      both(s, ag_exp(s, ag_add(s, rows2(s, v, 300), rows2(s, v, 300))))) \
    R(matmul_columns, "permute sum mul abs", \
      ag_abs(s, ag_matmul(s, ag_transpose(s, x), ag_full(s, AGN_F64, 2, SHAPE(4, 1), 2))))

RULES(BODY)

static const struct {
    const char *name, *left;
    agn_body *body;
} rules[] = {
#define ROW(name, left, expression) {#name, left, name},
    RULES(ROW)
};

int main(void)
{
    static const int64_t shapes[5][2] = {{4, 3}, {4, 3}, {3, 5}, {3, 0}, {1, 3}};
    static const int ndim[5] = {2, 2, 2, 1, 2};
    agn_tensor *in[5];
    for (int i = 0; i < 5; i++)
        must(agn_full(&in[i], AGN_F64, ndim[i], shapes[i], 1));
    for (int i = 0; i < COUNT(rules); i++) {
        agni_prog *traced = NULL, *p = NULL;
        agni_ir *ir = NULL;
        const agn_tensor **extra = NULL;
        uint64_t first;
        int n_extra;
        char left[512] = "";
        must(agni_trace_body(&traced, &first, rules[i].body, NULL, 5,
                             (const agn_tensor *const *)in, 1, true));
        must(agni_prog_store(&p, traced, &n_extra, &extra));
        must(agni_ir_make(&ir, p, true));
        for (int k = 0; k < ir->n_node; k++) {
            strcat(left, k ? " " : "");
            strcat(left, ir->node[k].op->name);
        }
        is_str(left, rules[i].left, "%s", rules[i].name);
        agni_ir_free(ir);
        agni_prog_release(p);
        agni_prog_release(traced);
        agni_free(extra);
    }
    for (int i = 0; i < 5; i++)
        agn_release(in[i]);
    return done();
}
