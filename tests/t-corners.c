/* t-corners.c - zero times infinity in derivatives, by the rules of doc/autograd.rst: a zero that a choice
   of the program makes stays 0 in every mode, one that is a number times infinity is not finite in any,
   unless a row gives the limit. Gradients by the tape, forward and reverse mode and jets, Hessians and
   Laplacians, called and planned. */
#include "corners.h"

static T boolean(agn_scope *s, int n, double a, double b, double c)
{
    const double v[] = {a, b, c};
    return ag_cast(s, ag_from_host(s, AGN_F64, 1, (int64_t[]){n}, v), AGN_BOOL);
}
static T row(agn_scope *s, int n, double a, double b, double c)
{
    const double v[] = {a, b, c};
    return ag_from_host(s, AGN_F64, 1, (int64_t[]){n}, v);
}
static T norm(agn_scope *s, T x)
{
    return ag_pnorm(s, x, 2, (int32_t[]){-1}, 1, false);
}
static T root(agn_scope *s, T x)
{
    return ag_sqrt(s, ag_sum(s, ag_square(s, x), (int32_t[]){-1}, 1, false));
}
#define HYPOT ag_hypot(s, AT(0), AT(1))
#define BELL(r) ag_exp(s, ag_neg(s, ag_square(s, r)))

F(square_root, ag_square(s, ag_sqrt(s, x)))
F(root_root, ag_mul(s, ag_sqrt(s, x), ag_sqrt(s, x)))
F(half_squared, ag_square(s, ag_pow_c(s, x, 0.5)))
F(cbrt_cubed, ag_pow_c(s, ag_cbrt(s, x), 3))
F(root_fourth, ag_pow_c(s, ag_sqrt(s, x), 4))
F(x_root, ag_mul(s, x, ag_sqrt(s, x)))
F(reciprocals, ag_div(s, LIT(1), ag_div(s, LIT(1), x)))
F(exp_log, ag_exp(s, ag_log(s, x)))
F(cos_acos, ag_cos(s, ag_acos(s, x)))
F(cos_root, ag_cos(s, ag_sqrt(s, x)))
F(log_exp, ag_log(s, ag_add_c(s, ag_exp(s, x), 1)))
F(tanh_atanh, ag_tanh(s, ag_atanh(s, x)))
F(bell_norm, BELL(norm(s, x)))
F(bell_hypot, BELL(HYPOT))
F(bell_root, BELL(root(s, x)))
F(norm2, ag_square(s, norm(s, x)))
F(hypot2, ag_square(s, HYPOT))
F(root2, ag_square(s, root(s, x)))
F(norm4, ag_pow_c(s, norm(s, x), 4))
F(hypot4, ag_pow_c(s, HYPOT, 4))
F(soft_norm, ag_sqrt(s, ag_add_c(s, ag_square(s, norm(s, x)), 1)))
F(cos_norm, ag_cos(s, norm(s, x)))
F(cos_hypot, ag_cos(s, HYPOT))
F(cos_rooted, ag_cos(s, root(s, x)))
F(the_norm, norm(s, x))
F(the_hypot, HYPOT)
F(the_root, root(s, x))
F(bell_abs, BELL(ag_abs(s, x)))
F(root_abs, ag_sqrt(s, ag_abs(s, x)))
F(log_abs, ag_log(s, ag_abs(s, x)))
F(two_powers, ag_mul(s, ag_pow_c(s, AT(0), 0.3), ag_pow_c(s, AT(1), 0.7)))
F(root_hypot, ag_sqrt(s, HYPOT))
F(guarded_root, ag_where(s, ag_gt(s, x, LIT(0)), ag_sqrt(s, x), LIT(0)))
F(guarded_reciprocal, ag_where(s, ag_eq(s, x, LIT(0)), x, ag_div(s, LIT(1), x)))
F(root_beside, ag_add(s, x, ag_where(s, ag_gt(s, x, LIT(0)), ag_sqrt(s, x), LIT(0))))
static T far_norms(agn_scope *s, T x)
{
    T r = root(s, ag_reshape(s, x, 2, (int64_t[]){2, 2}));
    return ag_where(s, ag_gt(s, r, LIT(0.5)), r, LIT(1));
}
F(root_relu, ag_sqrt(s, ag_relu(s, x)))
F(relu_cubed, ag_pow_c(s, ag_relu(s, x), 3))
F(capped_exp, ag_minimum(s, ag_exp(s, x), LIT(1)))
F(floored_root, ag_maximum(s, ag_sqrt(s, x), LIT(1)))
F(elu, ag_where(s, ag_gt(s, x, LIT(0)), x, ag_sub_c(s, ag_exp(s, x), 1)))
F(cos_below, ag_where(s, ag_lt(s, x, LIT(1)), ag_cos(s, x), LIT(0)))
F(sliced_log1p, ag_index_str(s, ag_log1p(s, x), "1:"))
F(first_log, ag_index_axis(s, ag_log(s, ag_add_c(s, ag_exp(s, x), 1)), 0, 0))
F(second_quotient, ag_index_axis(s, ag_div(s, x, row(s, 2, 0, 1, 0)), 0, 1))
F(middle_root, ag_index_axis(s, ag_sort(s, ag_sqrt(s, x), 0, false), 0, 1))
F(masked_softmax, ag_mul(s, row(s, 3, 1, 5, 3),
                         ag_nn_softmax(s, ag_where(s, boolean(s, 3, 1, 0, 1), x, LIT(-INF)), 0)))
F(lse, ag_logsumexp(s, x, NULL, 0, false))
F(nan_target, ag_where(s, ag_isnan(s, row(s, 2, NAN, 1, 0)), LIT(0),
                       ag_square(s, ag_sub(s, x, row(s, 2, NAN, 1, 0)))))
F(written_zero, ag_add(s, x, ag_mul_c(s, ag_sqrt(s, ag_abs(s, ag_sub_c(s, x, 1))), 0)))
static T masked_norms(agn_scope *s, T x)
{
    T m = ag_reshape(s, boolean(s, 2, 1, 0, 0), 2, (int64_t[]){2, 1});
    return root(s, ag_where(s, m, ag_reshape(s, x, 2, (int64_t[]){2, 2}), LIT(0)));
}
static T masked_rows_times(agn_scope *s, T x)
{
    T m = ag_reshape(s, boolean(s, 2, 1, 0, 0), 2, (int64_t[]){2, 1});
    T y = ag_where(s, m, ag_reshape(s, x, 2, (int64_t[]){2, 2}), LIT(0));
    return ag_sqrt(s, ag_matmul(s, y, ag_ones(s, AGN_F64, 2, (int64_t[]){2, 1})));
}
static T rows_of_root(agn_scope *s, T x)
{
    T m = ag_reshape(s, boolean(s, 2, 1, 0, 0), 2, (int64_t[]){2, 1});
    T y = ag_matmul(s, ag_sqrt(s, ag_reshape(s, x, 2, (int64_t[]){2, 2})),
                    ag_ones(s, AGN_F64, 2, (int64_t[]){2, 1}));
    return ag_where(s, m, y, LIT(0));
}
F(log_square, ag_sub(s, ag_log(s, AT(0)), ag_square(s, AT(1))))
F(product, ag_prod(s, x, NULL, 0, false))
F(gathered, ag_mul(s, ag_gather(s, ag_sqrt(s, x), ag_cast(s, row(s, 2, 0, 2, 0), AGN_I64), 0), LIT(2)))
F(largest_root, ag_amax(s, ag_sqrt(s, x), NULL, 0, false))
F(clipped, ag_sqrt(s, ag_clip(s, x, LIT(1), LIT(3))))
F(running, ag_index_axis(s, ag_cumsum(s, ag_sqrt(s, x), 0), 0, 1))
F(spread, ag_std(s, x, NULL, 0, 1, false))

static const corner table[] = {
    {"1 square(sqrt x)", square_root, 1, {0}, 1, {1}},
    {"1 sqrt x sqrt x", root_root, 1, {0}, 1, {1}},
    {"1 (x^0.5)^2", half_squared, 1, {0}, 1, {1}},
    {"1 square(sqrt x), second", square_root, 1, {0}, 2, {0}},
    {"1 square(sqrt x) at -1", square_root, 1, {-1}, 1, {NOT_FINITE}},
    {"1 square(sqrt x) at -1, second", square_root, 1, {-1}, 2, {NOT_FINITE}},
    {"2 cbrt(x)^3", cbrt_cubed, 1, {0}, 1, {1}},
    {"3 sqrt(x)^4, second", root_fourth, 1, {0}, 2, {2}},
    {"4 x sqrt x", x_root, 1, {0}, 1, {0}},
    {"5 1 / (1 / x)", reciprocals, 1, {0}, 1, {1}},
    {"6 exp(log x)", exp_log, 1, {0}, 1, {NOT_FINITE}},
    {"7 cos(acos x)", cos_acos, 1, {1}, 1, {NOT_FINITE}},
    {"8 cos(sqrt x)", cos_root, 1, {0}, 1, {NOT_FINITE}},
    {"9 log(1 + exp x)", log_exp, 1, {800}, 1, {NOT_FINITE}},
    {"10 tanh(atanh x)", tanh_atanh, 1, {1}, 1, {NOT_FINITE}},
    {"11 exp(-pnorm^2)", bell_norm, 2, {0, 0}, 'L', {-4}},
    {"11 exp(-hypot^2)", bell_hypot, 2, {0, 0}, 'L', {-4}},
    {"11 exp(-sqrt^2)", bell_root, 2, {0, 0}, 'L', {-4}},
    {"12 exp(-pnorm^2)", bell_norm, 2, {0, 0}, 'B', {32}},
    {"12 exp(-hypot^2)", bell_hypot, 2, {0, 0}, 'B', {32}},
    {"12 exp(-sqrt^2)", bell_root, 2, {0, 0}, 'B', {32}},
    {"13 pnorm^2", norm2, 2, {0, 0}, 'L', {4}},
    {"13 hypot^2", hypot2, 2, {0, 0}, 'L', {4}},
    {"13 sqrt^2", root2, 2, {0, 0}, 'L', {4}},
    {"13 pnorm^2", norm2, 2, {0, 0}, 'B', {0}},
    {"13 hypot^2", hypot2, 2, {0, 0}, 'B', {0}},
    {"14 pnorm^4", norm4, 2, {0, 0}, 'L', {0}},
    {"14 pnorm^4", norm4, 2, {0, 0}, 'B', {64}},
    {"14 hypot^4", hypot4, 2, {0, 0}, 'B', {64}},
    {"15 sqrt(1 + pnorm^2)", soft_norm, 2, {0, 0}, 'L', {2}},
    {"16 cos(pnorm)", cos_norm, 2, {0, 0}, 'L', {NOT_FINITE}},
    {"16 cos(hypot)", cos_hypot, 2, {0, 0}, 'L', {NOT_FINITE}},
    {"16 cos(sqrt)", cos_rooted, 2, {0, 0}, 'L', {NOT_FINITE}},
    {"17 pnorm", the_norm, 2, {0, 0}, 1, {0, 0}},
    {"17 hypot", the_hypot, 2, {0, 0}, 1, {0, 0}},
    {"17 sqrt(sum x^2)", the_root, 2, {0, 0}, 1, {0, 0}},
    {"17 pnorm", the_norm, 2, {0, 0}, 'L', {NOT_FINITE}},
    {"17 hypot", the_hypot, 2, {0, 0}, 'L', {NOT_FINITE}},
    {"17 sqrt(sum x^2)", the_root, 2, {0, 0}, 'L', {NOT_FINITE}},
    {"18 exp(-|x|^2), second", bell_abs, 1, {0}, 2, {-2}},
    {"19 sqrt|x|", root_abs, 1, {0}, 1, {NOT_FINITE}},
    {"19 log|x|", log_abs, 1, {0}, 1, {NOT_FINITE}},
    {"20 x^0.3 y^0.7", two_powers, 2, {0, 0}, 1, {NOT_FINITE, NOT_FINITE}},
    {"21 sqrt(hypot)", root_hypot, 2, {0, 0}, 1, {NOT_FINITE, NOT_FINITE}},
    {"24 where(x > 0, sqrt x, 0)", guarded_root, 3, {-1, 0, 4}, 1, {0, 0, 0.25}},
    {"24 where(x > 0, sqrt x, 0), second", guarded_root, 3, {-1, 0, 4}, 2, {0, 0, -1.0 / 32}},
    {"24 where(x > 0, sqrt x, 0), third", guarded_root, 3, {-1, 0, 4}, 3, {3.0 / 256}},
    {"25 where(x = 0, x, 1 / x)", guarded_reciprocal, 1, {0}, 1, {1}},
    {"25 x + where(x > 0, sqrt x, 0)", root_beside, 1, {0}, 1, {1}},
    {"26 where(r > 1/2, r, 1)", far_norms, 4, {3, 4, 0, 0}, 1, {0.6, 0.8, 0, 0}},
    {"27 sqrt(relu x)", root_relu, 3, {-1, 0, 4}, 1, {0, 0, 0.25}},
    {"27 sqrt(relu x), second", root_relu, 3, {-1, 0, 4}, 2, {0, 0, -1.0 / 32}},
    {"28 relu(x)^3, second", relu_cubed, 3, {-1, 0, 2}, 2, {0, 0, 12}},
    {"28 relu(x)^3, third", relu_cubed, 3, {-1, 0, 2}, 3, {6}},
    {"29 min(exp x, 1)", capped_exp, 1, {1000}, 1, {0}},
    {"30 max(sqrt x, 1)", floored_root, 1, {0}, 1, {0}},
    {"31 elu", elu, 1, {1000}, 1, {1}},
    {"31 elu, second", elu, 1, {1000}, 2, {0}},
    {"32 where(x < 1, cos x, 0)", cos_below, 1, {INF}, 1, {0}},
    {"32 where(x < 1, cos x, 0), second", cos_below, 1, {INF}, 2, {0}},
    {"32 where(x < 1, cos x, 0), third", cos_below, 1, {INF}, 3, {0}},
    {"33 log1p(x)[1:]", sliced_log1p, 3, {-1, 0.5, 1}, 1, {0, 2.0 / 3, 0.5}},
    {"33 log1p(x)[1:], second", sliced_log1p, 3, {-1, 0.5, 1}, 2, {0, -4.0 / 9, -0.25}},
    {"34 log(exp x + 1)[0]", first_log, 2, {0, 1000}, 1, {0.5, 0}},
    {"34 (x / [0, 1])[1]", second_quotient, 2, {1, 1}, 1, {0, 1}},
    {"35 sort(sqrt x)[1]", middle_root, 3, {INF, 1, 0}, 1, {0, 0.5, 0}},
    {"36 masked softmax", masked_softmax, 3, {0, 7, 0}, 1, {-0.5, 0, 0.5}},
    {"36 masked softmax, second", masked_softmax, 3, {0, 7, 0}, 2, {0, 0, 0}},
    {"37 logsumexp", lse, 2, {-INF, 0}, 1, {0, 1}},
    {"37 logsumexp of -inf", lse, 2, {-INF, -INF}, 1, {0, 0}},
    {"38 NaN target", nan_target, 2, {0, 0}, 1, {0, -2}},
    {"39 x + 0 sqrt|x - 1|", written_zero, 1, {1}, 1, {1}},
    {"40 norms of masked rows", masked_norms, 4, {3, 4, 5, 6}, 1, {0.6, 0.8, 0, 0}},
    {"40 norms of masked rows, second", masked_norms, 4, {3, 4, 5, 6}, 2, {16.0 / 125, 9.0 / 125, 0, 0}},
    {"roots of masked rows times W", masked_rows_times, 4, {3, 1, 5, 6}, 1, {0.25, 0.25, 0, 0}},
    {"masked rows of sqrt(x) W", rows_of_root, 4, {4, 1, 0, 0}, 1, {0.25, 0.5, 0, 0}},
    {"41 log x1 - x2^2", log_square, 2, {0, 1}, 1, {NOT_FINITE, -2}},
    {"42 prod", product, 3, {0, 2, 3}, 1, {6, 0, 0}},
    {"42 prod with two zeros", product, 3, {0, 0, 3}, 1, {0, 0, 0}},
    {"gathered roots", gathered, 3, {4, 0, 1}, 1, {0.5, 0, 1}},
    {"largest root", largest_root, 3, {4, 0, 1}, 1, {0.25, 0, 0}},
    {"root of what is clipped", clipped, 3, {0, 2.25, 5}, 1, {0, 1.0 / 3, 0}},
    {"running sum of roots", running, 3, {4, 1, 0}, 1, {0.25, 0.5, 0}},
    {"std of equals", spread, 3, {2, 2, 2}, 1, {0, 0, 0}},
};

/* the op that makes it is named */
static agn_status watched_body(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    out[0] = ag_sum_all(s, ag_cos(s, ag_sqrt(s, in[0])));
    return agn_scope_status(s);
}
static void test_watch(void)
{
    agn_fn *f = NULL, *g = NULL, *d = NULL;
    agn_tensor *x = vector(1, (double[]){0}), *y = NULL;
    bool made = !agn_fn_new(&f, watched_body, NULL, NULL, 1, 1) && !agn_fn_watch_nan(&g, f, NULL) &&
                !agn_fn_grad(&d, g, NULL, 1);
    agn_status st = made ? agn_fn_call(&y, 1, d, AGN_ARGS(x)) : AGN_OK;
    ok(made && st == AGN_EDOMAIN && strstr(agn_error_message(), "sqrt"), "the watch sees zero times infinity");
    diag("%s", agn_error_message());
    agn_release(y);
    agn_release(x);
    agn_fn_release(f);
    agn_fn_release(g);
    agn_fn_release(d);
}

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : "";
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strstr(table[i].name, only))
            ok(try_corner(&table[i]), "%s%s", table[i].name, table[i].order == 'L'   ? ", Laplacian"
                                                            : table[i].order == 'B' ? ", biharmonic"
                                                                                    : "");
    test_watch();
    return done();
}
