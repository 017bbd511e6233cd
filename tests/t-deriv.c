/* tests/t-deriv.c - H18: derivatives of every op of the table, and of the functions made of them,
   to order 3.

     t-deriv [NAME]   only cases whose name contains NAME */
#include "trial.h"

/* ---- element-wise rows: from the table alone --------------------------------------------- */

static void set_shape(fcase *c, int i, const char *shape)
{
    c->in[i].ndim = 0;
    for (; *shape; shape++)
        c->in[i].shape[c->in[i].ndim++] = *shape - '0';
}

/* piecewise: no two elements alike */
static bool has_kinks(const char *op)
{
    static const char *const kinky[] = {"abs",  "relu", "maximum", "minimum",
                                        "fmax", "fmin", "copysign"};
    for (size_t i = 0; i < sizeof kinky / sizeof *kinky; i++)
        if (!strcmp(op, kinky[i]))
            return true;
    return false;
}

static void domain(const agni_op *op, int i, double *lo, double *hi)
{
    *lo = i == 0 ? op->lo : i == 1 ? op->lo2 : op->lo3;
    *hi = i == 0 ? op->hi : i == 1 ? op->hi2 : op->hi3;
}

static void row_of_three(const agni_op *op, const char *const shape[3])
{
    char name[96];
    fcase c = {.name = name, .body = by_row, .n = 3, .op = op->name, .flags = QUICK};
    snprintf(name, sizeof name, "%s [%s] [%s] [%s]", op->name, shape[0], shape[1], shape[2]);
    for (int i = 0; i < 3; i++) {
        set_shape(&c, i, shape[i]);
        domain(op, i, &c.in[i].lo, &c.in[i].hi);
        c.in[i].lo += 0.05;
        c.in[i].hi -= 0.05;
    }
    run_trial(&c, false);
    if (op->dtypes >> AGN_C128 & 1)
        run_trial(&c, true);
}

static void row(const agni_op *op, const char *a, const char *b, int order)
{
    char name[96];
    fcase c = {.name = name, .body = by_row, .n = op->nin, .op = op->name};
    snprintf(name, sizeof name, "%s [%s]%s%s%s", op->name, a, b ? " [" : "", b ? b : "",
             b ? "]" : "");
    if (order >= 0) {
        c.n_int = 1;
        c.ints[0] = order;
        snprintf(name, sizeof name, "%s %d", op->name, order);
    }
    c.flags = has_kinks(op->name) ? APART : 0;
    if (b && strcmp(a, b))
        c.flags |= QUICK;
    set_shape(&c, 0, a);
    c.in[0].lo = op->lo;
    c.in[0].hi = op->hi;
    if (b) {
        set_shape(&c, 1, b);
        c.in[1].lo = op->lo2;
        c.in[1].hi = op->hi2;
    }
    /* a step of 4 * 0.004 must not leave the domain */
    for (int i = 0; i < c.n; i++) {
        c.in[i].lo += 0.02;
        c.in[i].hi -= 0.02;
    }
    if (!strcmp(op->name, "div") || !strcmp(op->name, "div_z"))
        c.in[1].lo = 0.6;
    if (op->dtypes >> AGN_F64 & 1)
        run_trial(&c, false);
    if (op->dtypes >> AGN_C128 & 1)
        run_trial(&c, true);
}

static void rows(void)
{
    static const char *const pairs[][2] = {
        {"3", "3"}, {"23", "3"}, {"3", "23"}, {"21", "13"}, {"", "2"}, {"2", ""},
    };
    for (int i = 0; i < agni_op_count(); i++) {
        const agni_op *op = agni_op_at(i);
        if (op->ew < 0 || (op->cls != AGNI_EW && op->cls != AGNI_LINEAR))
            continue;
        if (!strcmp(op->name, "where"))
            continue;
        if (only && !strstr(op->name, only))
            continue;
        if (strstr(op->takes, "order:")) {
            for (int order = 0; order < 4; order++)
                row(op, "3", NULL, order);
        } else if (op->nin == 3) {
            row_of_three(op, (const char *const[]){"3", "3", "3"});
            row_of_three(op, (const char *const[]){"23", "3", "21"});
        } else if (op->nin == 1) {
            row(op, "4", NULL, -1);
            row(op, "", NULL, -1);
        } else {
            for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
                row(op, pairs[k][0], pairs[k][1], -1);
        }
    }
}

/* ---- structure ---------------------------------------------------------------------------- */

#define BODY(name) static T name(agn_scope *s, const fcase *c, const T *x)
#define I64(...) ((const int64_t[]){__VA_ARGS__})
#define I32(...) ((const int32_t[]){__VA_ARGS__})
#define PLAIN_BODY(name, expression) \
    BODY(name) \
    { \
        (void)c; \
        return expression; \
    }

static T indices(agn_scope *s, int ndim, const int64_t *shape, const int64_t *v)
{
    return ag_from_host(s, AGN_I64, ndim, shape, v);
}

PLAIN_BODY(f_reshape, ag_reshape(s, x[0], 2, I64(3, 4)))
PLAIN_BODY(f_reshape_copy, ag_reshape(s, ag_transpose(s, x[0]), 1, I64(-1)))
PLAIN_BODY(f_permute, ag_permute(s, x[0], I32(2, 0, 1), 3))
PLAIN_BODY(f_transpose, ag_transpose(s, x[0]))
PLAIN_BODY(f_expand, ag_expand_dims(s, x[0], 1))
PLAIN_BODY(f_squeeze, ag_squeeze(s, x[0], 1))
PLAIN_BODY(f_broadcast, ag_broadcast_to(s, x[0], 3, I64(2, 3, 2)))
PLAIN_BODY(f_broadcast0, ag_broadcast_to(s, x[0], 2, I64(2, 2)))
PLAIN_BODY(f_slice, ag_slice(s, x[0], 2, I64(3, 0), I64(AGN_END, 4), I64(-2, 3)))
PLAIN_BODY(f_slice_empty, ag_slice(s, x[0], 1, I64(2), I64(2), I64(1)))
PLAIN_BODY(f_index, ag_index_axis(s, x[0], 1, -2))
PLAIN_BODY(f_flip, ag_flip(s, x[0], I32(-1), 1))
PLAIN_BODY(f_pad, ag_pad(s, x[0], 2, I64(1, 0), I64(0, 2), 0))
PLAIN_BODY(f_pad_value, ag_pad(s, x[0], 2, I64(1, 0), I64(0, 2), 0.7))
PLAIN_BODY(f_concat, ag_concat(s, x, 3, -1))
PLAIN_BODY(f_concat0, ag_concat(s, x, 3, 0))
PLAIN_BODY(f_stack, ag_stack(s, x, 2, 1))
PLAIN_BODY(f_twice, ag_concat(s, (const T[]){x[0], x[0]}, 2, 0))
PLAIN_BODY(f_gather, ag_gather(s, x[0], indices(s, 2, I64(2, 2), I64(0, -1, 2, 2)), 1))
PLAIN_BODY(f_gather0, ag_gather(s, x[0], indices(s, 0, NULL, I64(1)), 0))
PLAIN_BODY(f_gather_none, ag_gather(s, x[0], indices(s, 1, I64(0), I64(0)), 0))
PLAIN_BODY(f_take, ag_take_along_axis(s, x[0], indices(s, 2, I64(2, 3), I64(0, 3, 3, 1, 0, 1)), 1))
PLAIN_BODY(f_take0, ag_take_along_axis(s, x[0], indices(s, 2, I64(3, 2), I64(1, 0, 1, 1, 0, 0)), 0))
PLAIN_BODY(f_scatter_add, ag_scatter_add(s, x[0], indices(s, 1, I64(3), I64(1, 0, 1)), x[1], 0))
PLAIN_BODY(f_scatter_add1, ag_scatter_add(s, x[0], indices(s, 1, I64(3), I64(-1, 0, -1)), x[1], 1))
BODY(f_index_put)
{
    (void)c;
    T rows = indices(s, 1, I64(3), I64(0, 1, 0)), cols = indices(s, 1, I64(3), I64(1, 2, 1));
    return ag_index_put(s, x[0], AGN_IX(agn_ix_array(rows), agn_ix_array(cols)), x[1]);
}
BODY(f_index_put_rows)
{
    (void)c;
    T rows = indices(s, 1, I64(2), I64(1, 0));
    return ag_index_put(s, x[0], AGN_IX(agn_ix_array(rows)), x[1]);
}
PLAIN_BODY(f_index_read, ag_index(s, x[0], AGN_IX(agn_ix_int(-1), agn_ix_new(), agn_ix_slice(2, 0, -1))))
PLAIN_BODY(f_index_str, ag_index_str(s, x[0], "[1, 0, -1], None, ::-2, [2, 2, 0]"))
PLAIN_BODY(f_index_mask,
           ag_index(s, x[0], AGN_IX(agn_ix_ellipsis(),
                                  agn_ix_array(ag_gt(s, ag_arange(s, AGN_I64, 0, 3, 1), ag_lit(s, 0))))))
PLAIN_BODY(f_slice_put,
           ag_index_put(s, x[0], AGN_IX(agn_ix_int(1), agn_ix_slice(AGN_BEGIN, AGN_END, -2)), x[1]))
PLAIN_BODY(f_put_mixed, ag_index_put_str(s, x[0], "[1, 0, 1], :, [2, 2, 2]", x[1]))
PLAIN_BODY(f_index_add, ag_index_add_str(s, x[0], "[1, 0, 1], ::-1, 2", x[1]))
PLAIN_BODY(f_slice_add, ag_index_add_str(s, x[0], "..., 1:", x[1]))
PLAIN_BODY(f_strided, ag_as_strided(s, ag_transpose(s, x[0]), 2, I64(3, 2), I64(2, 1), 0))
PLAIN_BODY(f_unfold, ag_unfold(s, x[0], 0, 2, 1))
PLAIN_BODY(f_diagonal_view, ag_diagonal(s, x[0], 1, 0, 2))
PLAIN_BODY(f_diag_embed, ag_diag_embed(s, x[0], -1, 0, 2))
PLAIN_BODY(f_diagonal_scatter, ag_diagonal_scatter(s, x[0], x[1], 1, 0, 1))
PLAIN_BODY(f_tril, ag_tril(s, x[0], 0))
PLAIN_BODY(f_as_real, ag_as_real(s, ag_complex(s, x[0], ag_neg(s, x[0]))))
PLAIN_BODY(f_as_complex, ag_real(s, ag_as_complex(s, ag_transpose(s, x[0]))))
PLAIN_BODY(f_parts, ag_mul(s, ag_real(s, x[0]), ag_imag(s, x[0])))
PLAIN_BODY(f_tile, ag_tile(s, x[0], 2, I64(2, 2)))
PLAIN_BODY(f_roll, ag_roll(s, x[0], I64(1, -1), I32(0, 1), 2))
PLAIN_BODY(f_reflect, ag_pad_with(s, x[0], 1, I64(3), I64(1), AGN_PAD_REFLECT))
PLAIN_BODY(f_ramp, ag_pad_with(s, x[0], 2, I64(1, 0), I64(0, 2), AGN_PAD_LINEAR_RAMP))
PLAIN_BODY(f_z_logs, ag_mul(s, ag_log2(s, ag_add_c(s, x[0], 3)), ag_rsqrt(s, ag_add_c(s, x[0], 3))))
PLAIN_BODY(f_z_small, ag_add(s, ag_log1p(s, ag_add_c(s, x[0], 3)),
                             ag_mul(s, ag_log10(s, ag_add_c(s, x[0], 3)), ag_expm1(s, x[0]))))
PLAIN_BODY(f_z_powers, ag_mul(s, ag_exp2(s, x[0]), ag_sigmoid(s, x[0])))
PLAIN_BODY(f_vander, ag_vander(s, x[0], 4, false))
PLAIN_BODY(f_insert, ag_insert(s, x[0], indices(s, 1, I64(2), I64(3, 1)), x[1], 0))
PLAIN_BODY(f_scatter_nd, ag_scatter_nd(s, indices(s, 2, I64(3, 1), I64(1, 0, 1)), x[0], 1, I64(2)))
PLAIN_BODY(f_reduce_prod,
           ag_index_reduce(s, x[0], indices(s, 1, I64(4), I64(0, -1, 0, 0)), x[1], 0, AGN_REDUCE_PROD, true))
PLAIN_BODY(f_reduce_only,
           ag_index_reduce(s, x[0], indices(s, 1, I64(3), I64(0, 0, 1)), x[1], 0, AGN_REDUCE_PROD, false))
PLAIN_BODY(f_reduce_mean,
           ag_scatter_reduce(s, x[0], indices(s, 2, I64(1, 3), I64(0, 0, 1)), x[1], 1, AGN_REDUCE_MEAN, true))
PLAIN_BODY(f_reduce_max,
           ag_index_reduce(s, x[0], indices(s, 1, I64(3), I64(0, 0, 1)), x[1], 0, AGN_REDUCE_AMAX, true))
PLAIN_BODY(f_reduce_min,
           ag_scatter_reduce(s, x[0], indices(s, 2, I64(2, 2), I64(0, 1, 1, 1)), x[1], 1, AGN_REDUCE_AMIN, false))
PLAIN_BODY(f_sum0, ag_sum(s, x[0], I32(0), 1, false))
PLAIN_BODY(f_sum_keep, ag_sum(s, x[0], I32(0, 2), 2, true))
PLAIN_BODY(f_addcdiv, ag_addcdiv(s, x[0], x[1], ag_addcmul(s, x[1], x[0], x[0], 0.5), 2))
PLAIN_BODY(f_pad_median, ag_pad_with(s, x[0], 1, I64(1), I64(2), AGN_PAD_MEDIAN))
PLAIN_BODY(f_sum2, ag_sum_compensated(s, x[0], I32(0, 2), 2, true))
PLAIN_BODY(f_sum_all, ag_sum_all(s, x[0]))
PLAIN_BODY(f_mean, ag_mean(s, x[0], I32(-1), 1, false))
PLAIN_BODY(f_mean_all, ag_mean_all(s, x[0]))
PLAIN_BODY(f_prod, ag_prod(s, x[0], I32(1), 1, false))
PLAIN_BODY(f_prod_all, ag_prod(s, x[0], NULL, 0, false))
PLAIN_BODY(f_max, ag_max(s, x[0], I32(1), 1, false))
PLAIN_BODY(f_min, ag_min(s, x[0], I32(0, 1), 2, true))
PLAIN_BODY(f_logsumexp, ag_logsumexp(s, x[0], I32(1), 1, false))
PLAIN_BODY(f_logsumexp_all, ag_logsumexp(s, x[0], NULL, 0, false))
PLAIN_BODY(f_cumsum, ag_cumsum(s, x[0], 0))
PLAIN_BODY(f_cumsum1, ag_cumsum(s, x[0], -1))
PLAIN_BODY(f_amax, ag_amax(s, x[0], I32(1), 1, true))
PLAIN_BODY(f_cumprod, ag_cumprod(s, x[0], 1, 0))
PLAIN_BODY(f_cumprod_back, ag_cumprod(s, x[0], 0, AGN_SCAN_REVERSE | AGN_SCAN_EXCLUSIVE))
PLAIN_BODY(f_recurrence, ag_recurrence(s, x[0], x[1], -1, 0))
PLAIN_BODY(f_recurrence_back, ag_recurrence(s, x[0], x[1], 0, AGN_SCAN_REVERSE))
PLAIN_BODY(f_logcumsumexp, ag_logcumsumexp(s, x[0], 1, AGN_SCAN_REVERSE))
PLAIN_BODY(f_var, ag_var(s, x[0], I32(1), 1, 1, false))
PLAIN_BODY(f_std, ag_std(s, x[0], NULL, 0, 0, false))
PLAIN_BODY(f_average, ag_average(s, x[0], ag_add_c(s, ag_square(s, x[1]), 1), I32(1), 1, false))
PLAIN_BODY(f_quantile, ag_quantile(s, x[0], (const double[]){0.3, 0.9}, 2, I32(1), 1, false, 0))
PLAIN_BODY(f_nanmedian, ag_nanmedian(s, x[0], I32(0), 1, true))
PLAIN_BODY(f_trace, ag_trace(s, x[0], 1, 0, 1))
PLAIN_BODY(f_reduce_as, ag_reduce_as(s, x[0], x[1]))
PLAIN_BODY(f_interp, ag_interp(s, x[0], ag_linspace(s, AGN_F64, -2, 2, 5), x[1]))
PLAIN_BODY(f_gradient, ag_gradient_of_samples(s, x[0], 0, ag_cumsum(s, ag_exp(s, x[1]), 0), 1, 2))
PLAIN_BODY(f_trapezoid, ag_trapezoid(s, x[0], x[1], 1, 0))
PLAIN_BODY(f_polyval, ag_polyval(s, x[0], x[1]))
PLAIN_BODY(f_norm2, ag_pnorm(s, x[0], 2, I32(1), 1, false))
PLAIN_BODY(f_norm3, ag_pnorm(s, x[0], 3, NULL, 0, false))
PLAIN_BODY(f_cdist, ag_cdist(s, x[0], ag_add_c(s, x[1], 3), 2))
PLAIN_BODY(f_pdist, ag_pdist(s, ag_mul(s, x[0], ag_arange(s, AGN_F64, 1, 3, 1)), 2))
PLAIN_BODY(f_renorm, ag_renorm(s, x[0], 2, 0, 0.5))
PLAIN_BODY(f_bincount, ag_bincount(s, indices(s, 1, I64(4), I64(2, 0, 2, 1)), x[0], 4))
BODY(f_topk)
{
    (void)c;
    agn_tensor *v = NULL, *i = NULL;
    agn_status st = agn_scope_status(s);
    st = st ? st : agn_topk(&v, &i, x[0], 2, 1, true);
    agn_release(i);
    return agn_scope_adopt(s, st, &v);
}
BODY(f_cummin)
{
    (void)c;
    agn_tensor *v = NULL;
    agn_status st = agn_scope_status(s);
    st = st ? st : agn_cummin(&v, NULL, x[0], 0);
    return agn_scope_adopt(s, st, &v);
}
BODY(f_cumsum_back)
{
    (void)c;
    return apply(s, "cumsum", 1, x, 2, I64(-1, 1));
}
PLAIN_BODY(f_sort, ag_sort(s, x[0], 1, false))
PLAIN_BODY(f_sort_down, ag_sort(s, x[0], 0, true))
PLAIN_BODY(f_matmul, ag_matmul(s, x[0], x[1]))
PLAIN_BODY(f_convolve, ag_convolve(s, x[0], x[1], 1, AGN_FULL))
PLAIN_BODY(f_correlate, ag_correlate(s, x[0], x[1], 1, AGN_VALID))
PLAIN_BODY(f_correlate2, ag_correlate(s, x[0], x[1], 2, AGN_SAME))
PLAIN_BODY(f_conv, apply(s, "conv", 2, x, 6, I64(2, 1, 2, 2, 1, 1)))
PLAIN_BODY(f_conv_image, apply(s, "conv", 2, x, 6, I64(0, 2, 3, 1, 0, 1)))
PLAIN_BODY(f_conv_filter, apply(s, "conv", 2, x, 6, I64(1, 1, 2, 1, 1, 2)))
PLAIN_BODY(f_square_matmul, ag_matmul(s, x[0], x[0]))
PLAIN_BODY(f_dot, ag_einsum(s, "i,i", x, 2))
PLAIN_BODY(f_einsum_trace, ag_einsum(s, "ii", x, 1))
PLAIN_BODY(f_diagonal, ag_einsum(s, "ii->i", x, 1))
PLAIN_BODY(f_outer, ag_einsum(s, "i,j->ji", x, 2))
PLAIN_BODY(f_bilinear, ag_einsum(s, "bi,ij,bj->b", (const T[]){x[0], x[1], x[0]}, 3))
PLAIN_BODY(f_dots, ag_einsum(s, "...ij,...jk->...ik", x, 2))
PLAIN_BODY(f_hadamard, ag_einsum(s, "ij,ij->ij", x, 2))
PLAIN_BODY(f_summed, ag_einsum(s, "ij,k->j", x, 2))
BODY(f_where)
{
    (void)c;
    const bool mask[3] = {true, false, true};
    T m = ag_from_host(s, AGN_BOOL, 1, I64(3), mask);
    return ag_where(s, m, x[0], x[1]);
}
BODY(f_where_wide)
{
    (void)c;
    const bool mask[2] = {true, false};
    T m = ag_from_host(s, AGN_BOOL, 2, I64(2, 1), mask);
    return ag_where(s, m, x[0], x[1]);
}
PLAIN_BODY(f_where_self, ag_where(s, ag_gt(s, x[0], x[1]), ag_mul(s, x[0], x[0]), x[1]))
PLAIN_BODY(f_copy, ag_copy(s, x[0]))
PLAIN_BODY(f_contiguous, ag_contiguous(s, ag_transpose(s, x[0])))
PLAIN_BODY(f_real_of_cast, ag_real(s, ag_mul(s, ag_cast(s, x[0], AGN_C128), ag_cast(s, x[0], AGN_C128))))
PLAIN_BODY(f_watch, apply(s, "watch", 1, x, 0, NULL))
PLAIN_BODY(f_unslice, apply(s, "unslice", 1, x, 3, I64(5, -2, 7)))
BODY(f_scatter_put)
{
    (void)c;
    return apply(s, "scatter_put", 3,
                 (const T[]){x[0], indices(s, 1, I64(3), I64(1, 0, 1)), x[1]}, 2, I64(-2, 0));
}
PLAIN_BODY(f_literals, ag_div_c(s, ag_sub_c(s, ag_pow_c(s, ag_add_c(s, x[0], 3), 2.5), 0.3), 0.7))
PLAIN_BODY(f_clamp, ag_maximum_c(s, ag_minimum_c(s, x[0], 0.61), -0.57))
PLAIN_BODY(f_abs2, ag_abs(s, x[0]))
PLAIN_BODY(f_sign, ag_sign(s, x[0]))
PLAIN_BODY(f_conj_mul, ag_mul(s, ag_conj(s, x[0]), x[1]))
PLAIN_BODY(f_re_im, ag_complex(s, ag_imag(s, x[0]), ag_real(s, x[0])))
PLAIN_BODY(f_mixed, ag_mul(s, ag_real(s, x[0]), x[0]))
PLAIN_BODY(f_diamond, ag_mul(s, ag_add(s, x[0], x[0]), ag_sub(s, ag_mul(s, x[0], x[0]), x[0])))
BODY(f_softmax)
{
    (void)c;
    return ag_exp(s, ag_sub(s, x[0], ag_logsumexp(s, x[0], I32(-1), 1, true)));
}
BODY(f_network)
{
    (void)c;
    T h = ag_tanh(s, ag_add(s, ag_matmul(s, x[0], x[1]), x[2]));
    return ag_sum_all(s, ag_square(s, ag_matmul(s, h, x[3])));
}

#define IN(l, h, n, ...) {n, {__VA_ARGS__}, l, h}
#define D1(...) IN(-1.4, 1.4, 1, __VA_ARGS__)
#define D2(...) IN(-1.4, 1.4, 2, __VA_ARGS__)
#define D3(...) IN(-1.4, 1.4, 3, __VA_ARGS__)
#define D0 IN(-1.4, 1.4, 0, 0)
#define CASE(name_, body_, n_, flags_, ...) \
    {.name = name_, .body = body_, .n = n_, .flags = flags_, .in = {__VA_ARGS__}}
static const fcase structural[] = {
    CASE("reshape", f_reshape, 1, WRAP, D2(2, 6)),
    CASE("reshape of strides", f_reshape_copy, 1, WRAP, D2(2, 3)),
    CASE("permute", f_permute, 1, WRAP, D3(2, 3, 2)),
    CASE("transpose", f_transpose, 1, WRAP, D2(2, 3)),
    CASE("expand_dims", f_expand, 1, WRAP, D2(2, 3)),
    CASE("squeeze", f_squeeze, 1, WRAP, D2(2, 1)),
    CASE("broadcast_to", f_broadcast, 1, WRAP, D2(3, 1)),
    CASE("broadcast_to from []", f_broadcast0, 1, WRAP, D0),
    CASE("slice", f_slice, 1, WRAP, D2(4, 5)),
    CASE("slice of nothing", f_slice_empty, 1, WRAP | QUICK, D1(4)),
    CASE("index_axis", f_index, 1, WRAP, D2(2, 3)),
    CASE("flip", f_flip, 1, WRAP, D2(2, 3)),
    CASE("pad", f_pad, 1, WRAP, D2(2, 2)),
    CASE("pad with a value", f_pad_value, 1, WRAP, D2(2, 2)),
    CASE("unslice", f_unslice, 1, WRAP, D1(3)),
    CASE("concat", f_concat, 3, WRAP, D2(2, 1), D2(2, 2), D2(2, 0)),
    CASE("concat along 0", f_concat0, 3, WRAP, D2(1, 2), D2(2, 2), D2(1, 2)),
    CASE("stack", f_stack, 2, WRAP, D1(2), D1(2)),
    CASE("concat of one twice", f_twice, 1, WRAP, D1(3)),
    CASE("gather", f_gather, 1, WRAP, D2(2, 3)),
    CASE("gather one", f_gather0, 1, WRAP, D2(2, 3)),
    CASE("gather none", f_gather_none, 1, WRAP | QUICK, D2(2, 3)),
    CASE("take_along_axis", f_take, 1, WRAP, D2(2, 4)),
    CASE("take_along_axis 0", f_take0, 1, WRAP, D2(2, 2)),
    CASE("scatter_add", f_scatter_add, 2, WRAP, D2(2, 2), D2(3, 2)),
    CASE("scatter_add along 1", f_scatter_add1, 2, WRAP, D2(2, 2), D2(2, 3)),
    CASE("scatter_put", f_scatter_put, 2, WRAP, D2(2, 2), D2(3, 2)),
    CASE("index_put", f_index_put, 2, WRAP, D2(2, 3), D1(3)),
    CASE("index_put of rows", f_index_put_rows, 2, WRAP, D2(2, 3), D2(2, 3)),
    CASE("index", f_index_read, 1, WRAP, D2(2, 3)),
    CASE("index of lists apart", f_index_str, 1, WRAP, D3(2, 3, 3)),
    CASE("index by a mask", f_index_mask, 1, WRAP, D2(2, 3)),
    CASE("index_put of a slice", f_slice_put, 2, WRAP, D2(2, 3), D1(2)),
    CASE("index_put of lists apart", f_put_mixed, 2, WRAP, D3(2, 2, 3), D2(3, 2)),
    CASE("index_add of equal ones", f_index_add, 2, WRAP, D3(2, 2, 3), D2(3, 2)),
    CASE("index_add of a slice", f_slice_add, 2, WRAP, D2(2, 3), D1(1)),
    CASE("as_strided", f_strided, 1, WRAP, D2(3, 2)),
    CASE("unfold", f_unfold, 1, WRAP, D2(3, 2)),
    CASE("diagonal", f_diagonal_view, 1, WRAP, D3(2, 2, 3)),
    CASE("diag_embed", f_diag_embed, 1, WRAP, D2(2, 2)),
    CASE("diagonal_scatter", f_diagonal_scatter, 2, WRAP, D2(2, 3), D1(2)),
    CASE("tril", f_tril, 1, WRAP, D2(2, 3)),
    CASE("as_real", f_as_real, 1, WRAP | REAL_ONLY, D1(3)),
    CASE("as_complex", f_as_complex, 1, WRAP | REAL_ONLY, D2(2, 3)),
    CASE("parts", f_parts, 1, Z_ONLY, D2(2, 3)),
    CASE("complex logarithms", f_z_logs, 1, Z_ONLY, D1(3)),
    CASE("complex log1p, expm1", f_z_small, 1, Z_ONLY, D1(3)),
    CASE("complex exp2, sigmoid", f_z_powers, 1, Z_ONLY, D1(3)),
    CASE("tile", f_tile, 1, WRAP | QUICK, D2(2, 2)),
    CASE("roll", f_roll, 1, WRAP | QUICK, D2(2, 3)),
    CASE("pad by reflection", f_reflect, 1, WRAP, D1(3)),
    CASE("pad by a ramp", f_ramp, 1, WRAP | QUICK, D2(2, 2)),
    CASE("vander", f_vander, 1, WRAP | QUICK, D1(2)),
    CASE("insert", f_insert, 2, WRAP | QUICK, D1(3), D1(2)),
    CASE("scatter_nd", f_scatter_nd, 1, WRAP | QUICK, D1(3)),
    CASE("index_reduce by products", f_reduce_prod, 2, WRAP, D2(2, 2), D2(4, 2)),
    CASE("index_reduce without x", f_reduce_only, 2, WRAP | QUICK, D1(3), D1(3)),
    CASE("scatter_reduce by means", f_reduce_mean, 2, WRAP | QUICK, D2(2, 2), D2(2, 3)),
    CASE("index_reduce by maxima", f_reduce_max, 2, WRAP | APART | REAL_ONLY, D1(2), D1(3)),
    CASE("scatter_reduce by minima", f_reduce_min, 2, WRAP | APART | REAL_ONLY, D2(2, 2), D2(2, 2)),
    CASE("sum along 0", f_sum0, 1, WRAP, D2(2, 3)),
    CASE("sum keep", f_sum_keep, 1, WRAP, D3(2, 2, 2)),
    CASE("compensated sum", f_sum2, 1, WRAP, D3(2, 2, 2)),
    CASE("addcmul, addcdiv", f_addcdiv, 2, WRAP, D1(3), D1(3)),
    CASE("pad with the median", f_pad_median, 1, WRAP | APART | REAL_ONLY, D1(3)),
    CASE("sum_all", f_sum_all, 1, WRAP, D2(2, 3)),
    CASE("mean", f_mean, 1, WRAP, D2(2, 3)),
    CASE("mean_all", f_mean_all, 1, WRAP, D2(2, 3)),
    CASE("prod", f_prod, 1, WRAP, D2(2, 5)),
    CASE("prod of all", f_prod_all, 1, WRAP, D2(2, 2)),
    CASE("max", f_max, 1, WRAP | APART | REAL_ONLY, D2(2, 3)),
    CASE("min", f_min, 1, WRAP | APART | REAL_ONLY, D3(2, 2, 2)),
    CASE("logsumexp", f_logsumexp, 1, WRAP | APART | REAL_ONLY, D2(2, 3)),
    CASE("logsumexp of all", f_logsumexp_all, 1, WRAP | APART | REAL_ONLY, D2(2, 2)),
    CASE("cumsum", f_cumsum, 1, WRAP, D2(3, 2)),
    CASE("cumsum along -1", f_cumsum1, 1, WRAP, D2(2, 3)),
    CASE("cumsum backwards", f_cumsum_back, 1, WRAP, D2(2, 3)),
    CASE("sort", f_sort, 1, WRAP | APART | REAL_ONLY, D2(2, 3)),
    CASE("sort descending", f_sort_down, 1, WRAP | APART | REAL_ONLY, D2(3, 2)),
    CASE("matmul", f_matmul, 2, WRAP, D2(2, 3), D2(3, 2)),
    CASE("matmul of a row", f_matmul, 2, WRAP, D1(3), D2(3, 2)),
    CASE("matmul of a column", f_matmul, 2, WRAP, D2(2, 3), D1(3)),
    CASE("matmul of vectors", f_matmul, 2, WRAP, D1(3), D1(3)),
    CASE("matmul in batches", f_matmul, 2, WRAP | QUICK, D3(2, 2, 3), D3(2, 3, 1)),
    CASE("matmul that broadcasts", f_matmul, 2, WRAP | QUICK, D3(2, 1, 2), D2(2, 2)),
    CASE("matmul that broadcasts a", f_matmul, 2, WRAP | QUICK, D2(2, 2), D3(2, 2, 2)),
    CASE("convolve", f_convolve, 2, WRAP, D1(3), D1(2)),
    CASE("correlate", f_correlate, 2, WRAP, D1(4), D1(2)),
    CASE("correlate, v the longer one", f_correlate, 2, WRAP | QUICK, D1(2), D1(3)),
    CASE("correlate that broadcasts", f_correlate, 2, WRAP | QUICK, D2(2, 3), D1(2)),
    CASE("correlate that broadcasts a", f_correlate, 2, WRAP | QUICK, D2(1, 3), D2(2, 2)),
    CASE("correlate in a plane", f_correlate2, 2, WRAP | QUICK, D2(2, 3), D2(2, 2)),
    CASE("conv", f_conv, 2, WRAP, D3(1, 2, 3), D3(2, 2, 2)),
    CASE("conv, the image", f_conv_image, 2, WRAP | QUICK, D3(2, 1, 2), D3(1, 2, 2)),
    CASE("conv, the filter", f_conv_filter, 2, WRAP | QUICK, D3(2, 1, 3), D3(2, 2, 2)),
    CASE("matmul with itself", f_square_matmul, 1, WRAP, D2(2, 2)),
    CASE("matmul over nothing", f_matmul, 2, WRAP | QUICK, D2(2, 0), D2(0, 2)),
    CASE("einsum i,i", f_dot, 2, WRAP, D1(3), D1(3)),
    CASE("einsum ii", f_einsum_trace, 1, WRAP, D2(3, 3)),
    CASE("einsum ii->i", f_diagonal, 1, WRAP, D2(3, 3)),
    CASE("einsum i,j->ji", f_outer, 2, WRAP, D1(2), D1(3)),
    CASE("einsum bi,ij,bj->b", f_bilinear, 2, WRAP | QUICK, D2(2, 2), D2(2, 2)),
    CASE("einsum ...ij,...jk->...ik", f_dots, 2, WRAP | QUICK, D3(2, 2, 2), D2(2, 2)),
    CASE("einsum ij,ij->ij", f_hadamard, 2, WRAP | QUICK, D2(2, 2), D2(2, 2)),
    CASE("einsum ij,k->j", f_summed, 2, WRAP | QUICK, D2(2, 2), D1(3)),
    CASE("where", f_where, 2, WRAP, D1(3), D1(3)),
    CASE("where that broadcasts", f_where_wide, 2, WRAP, D1(3), D2(2, 1)),
    CASE("where of a comparison", f_where_self, 2, WRAP | APART | REAL_ONLY, D1(3), D1(3)),
    CASE("copy", f_copy, 1, WRAP, D1(3)),
    CASE("contiguous", f_contiguous, 1, WRAP, D2(2, 3)),
    CASE("cast to complex", f_real_of_cast, 1, WRAP | REAL_ONLY, D1(3)),
    CASE("watch", f_watch, 1, WRAP, D1(3)),
    CASE("literals", f_literals, 1, WRAP, D1(3)),
    CASE("clamp", f_clamp, 1, APART | REAL_ONLY, D1(3)),
    CASE("abs of complex", f_abs2, 1, Z_ONLY, D1(3)),
    CASE("sign of complex", f_sign, 1, Z_ONLY, D1(3)),
    CASE("conj(a) b", f_conj_mul, 2, WRAP, D1(3), D1(3)),
    CASE("complex of imag and real", f_re_im, 1, WRAP | Z_ONLY, D1(3)),
    CASE("real(x) x", f_mixed, 1, WRAP, D1(3)),
    CASE("a diamond", f_diamond, 1, WRAP, D1(3)),
    CASE("softmax", f_softmax, 1, WRAP | APART | REAL_ONLY, D2(2, 3)),
    CASE("network", f_network, 4, QUICK, D2(2, 2), D2(2, 3), D1(3), D2(3, 1)),
    CASE("amax", f_amax, 1, WRAP | APART | REAL_ONLY, D2(2, 3)),
    CASE("cumprod", f_cumprod, 1, WRAP, D2(2, 3)),
    CASE("cumprod exclusive, backwards", f_cumprod_back, 1, WRAP, D2(3, 2)),
    CASE("recurrence", f_recurrence, 2, WRAP, D2(2, 3), D2(2, 3)),
    CASE("recurrence backwards", f_recurrence_back, 2, WRAP | QUICK, D2(3, 1), D1(2)),
    CASE("logcumsumexp backwards", f_logcumsumexp, 1, WRAP | REAL_ONLY, D2(2, 3)),
    CASE("cummin", f_cummin, 1, WRAP | APART | REAL_ONLY, D2(3, 2)),
    CASE("topk", f_topk, 1, WRAP | APART | REAL_ONLY, D2(2, 4)),
    CASE("var", f_var, 1, WRAP, D2(2, 3)),
    CASE("std", f_std, 1, WRAP | APART, D1(4)),
    CASE("average", f_average, 2, WRAP | QUICK, D2(2, 3), D1(3)),
    CASE("quantile", f_quantile, 1, WRAP | APART | REAL_ONLY, D2(2, 4)),
    CASE("nanmedian", f_nanmedian, 1, WRAP | APART | REAL_ONLY, D2(4, 2)),
    CASE("trace", f_trace, 1, WRAP, D2(3, 4)),
    CASE("reduce_as", f_reduce_as, 2, WRAP | QUICK, D2(2, 3), D2(2, 1)),
    CASE("interp", f_interp, 2, WRAP | APART | REAL_ONLY, D1(3), D1(5)),
    CASE("derivative of samples", f_gradient, 2, WRAP | QUICK | REAL_ONLY, D1(4), D1(4)),
    CASE("trapezoid", f_trapezoid, 2, WRAP | QUICK, D2(3, 2), D1(3)),
    CASE("polyval", f_polyval, 2, WRAP, D1(3), D1(2)),
    CASE("2-norm", f_norm2, 1, WRAP | APART, D2(2, 3)),
    CASE("3-norm", f_norm3, 1, WRAP | APART | REAL_ONLY, D1(3)),
    CASE("cdist", f_cdist, 2, WRAP | QUICK | REAL_ONLY, D2(2, 2), D2(2, 2)),
    CASE("pdist", f_pdist, 1, WRAP | APART | REAL_ONLY, D2(3, 2)),
    CASE("renorm", f_renorm, 1, WRAP | APART | QUICK | REAL_ONLY, D2(2, 3)),
    CASE("bincount", f_bincount, 1, WRAP, D1(4)),
};

static void structure(void)
{
    for (size_t i = 0; i < sizeof structural / sizeof *structural; i++) {
        const fcase *c = &structural[i];
        if (!(c->flags & Z_ONLY))
            run_trial(c, false);
        if (!(c->flags & REAL_ONLY))
            run_trial(c, true);
    }
}

int main(int argc, char **argv)
{
    only = argc > 1 ? argv[1] : NULL;
    rows();
    structure();
    diag("%d words, %d of them planned too; worst: modes %.1e, differences %.1e, lanes %.1e, "
         "f32 %.1e, complex step %.1e",
         n_words, n_plans, worst_mode, worst_difference, worst_lane, worst_f32, worst_step);
    return done();
}
