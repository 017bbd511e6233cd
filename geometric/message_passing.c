/* geometric/message_passing.c - message passing (Gilmer et al. 2017) as a composition: gather by
   the source of each edge, scatter-add by its destination. */

#include "tensor/dispatch/op_helpers.h"

#include <agnesi/geometric.h>
#include <string.h>

#define NAME "geometric_send_u_recv"

static agn_status check_ends(const char *what, const agn_tensor *x)
{
    agn_status st = agni_require_dense(x, NAME);
    if (!st && agni_kind(x->dtype) != AGNI_KIND_INT)
        st = agni_fail(AGN_EDTYPE, NAME ": %s is %s, an integer dtype is needed", what,
                       agni_dtypes[x->dtype].name);
    if (!st && x->ndim != 1)
        st = agni_fail(AGN_ESHAPE, NAME ": %s is %s with %d axes, one is needed", what,
                       AGNI_SHAPE(x), x->ndim);
    return st;
}

/* every node in [0, n), where the values are known */
static agn_status check_nodes(const char *what, const agn_tensor *x, int64_t n)
{
    agn_tensor *alias = agni_tensor_alias(x), *wide = NULL, *rows = NULL;
    agn_status st = alias ? agn_cast(&wide, alias, AGN_I64)
                          : agni_nomem(NAME, sizeof *alias);
    if (!st)
        st = agn_contiguous(&rows, wide);
    if (!st)
        st = agni_require_host(rows, NAME);
    const int64_t *v = st ? NULL : rows->data;
    for (int64_t k = 0; !st && k < x->size; k++)
        if (v[k] < 0 || v[k] >= n)
            st = agni_fail(AGN_EINDEX,
                           NAME ": edge %lld has %s %lld, out of range for %lld nodes",
                           (long long)k, what, (long long)v[k], (long long)n);
    agn_release(rows);
    agn_release(wide);
    agn_release(alias);
    return st;
}

/* Values are unknown while tracing. Negative nodes, which gather and scatter would count from the
   end, become n, which the kernel refuses. */
static const agn_tensor *exclude_negative_nodes(agn_scope *s, const agn_tensor *x, int64_t n)
{
    if (x->st)
        return x;
    agn_tensor *neg = NULL, *y = NULL;
    const agn_tensor *wide = agni_cast(s, x, AGN_I64);
    const agn_tensor *zero = agni_full(s, 0, AGN_I64, 0, NULL);
    const agn_tensor *end = agni_full(s, (double)n, AGN_I64, 0, NULL);
    if (!wide || !zero || !end)
        return NULL;
    agn_status st = agn_lt(&neg, wide, zero);
    const agn_tensor *below = agn_scope_adopt(s, st, &neg);
    st = below ? agn_where(&y, below, end, wide) : AGN_OK;
    return agn_scope_adopt(s, st, &y);
}

static const agn_tensor *scatter_messages(agn_scope *s, const agn_tensor *v, const agn_tensor *dst,
                                          int64_t rows)
{
    int64_t shape[AGNI_MAX_RANK], at[2] = {-v->ndim, 0};
    memcpy(shape, v->shape, (size_t)v->ndim * sizeof *shape);
    shape[0] = rows;
    const agn_tensor *in[3] = {agni_full(s, 0, v->dtype, v->ndim, shape), dst, v};
    return in[0] ? agni_apply_in(s, &agni_op_scatter_add, &(agni_attr){.ni = 2, .i = at}, 3, in)
                 : NULL;
}

/* y / max(number of messages, 1) */
static const agn_tensor *divide_by_count(agn_scope *s, const agn_tensor *y, const agn_tensor *dst)
{
    int dtype = agni_kind(y->dtype) <= AGNI_KIND_INT ? AGN_F64
                                                     : agni_dtypes[y->dtype].real;
    const agn_tensor *one = agni_full(s, 1, dtype, 1, dst->shape);
    const agn_tensor *n = one ? scatter_messages(s, one, dst, y->shape[0]) : NULL;
    int64_t shape[AGNI_MAX_RANK] = {y->shape[0]};
    for (int d = 1; d < y->ndim; d++)
        shape[d] = 1;
    agn_tensor *most = NULL, *q = NULL;
    if (!n)
        return NULL;
    agn_status st = agn_maximum_c(&most, n, 1);
    n = agn_scope_adopt(s, st, &most);
    n = n ? agni_reshape(s, n, y->ndim, shape) : NULL;
    st = n ? agn_div(&q, y, n) : AGN_OK;
    return agn_scope_adopt(s, st, &q);
}

agn_status agn_geometric_send_u_recv(agn_tensor **out, const agn_tensor *x,
                                     const agn_tensor *src, const agn_tensor *dst,
                                     int64_t out_size, int32_t reduce)
{
    if (!out || !x || !src || !dst)
        return agni_fail(AGN_ENULL, NAME ": %s is NULL",
                         !out   ? "out"
                         : !x   ? "x"
                         : !src ? "src"
                                : "dst");
    if (reduce != AGN_GEOMETRIC_SUM && reduce != AGN_GEOMETRIC_MEAN)
        return agni_fail(AGN_EARG, NAME ": reduce %d is neither 0 nor 1", reduce);
    agn_status st = agni_require_dense(x, NAME);
    if (!st)
        st = check_ends("src", src);
    if (!st)
        st = check_ends("dst", dst);
    if (st)
        return st;
    if (x->ndim == 0)
        return agni_fail(AGN_ESHAPE, NAME ": x is %s with %d axes, rows are needed",
                         AGNI_SHAPE(x), x->ndim);
    if (src->shape[0] != dst->shape[0])
        return agni_fail(AGN_ESHAPE, NAME ": lengths differ: src is %s, dst is %s",
                         AGNI_SHAPE(src), AGNI_SHAPE(dst));
    int64_t rows = out_size > 0 ? out_size : x->shape[0];
    if (src->st)
        st = check_nodes("src", src, x->shape[0]);
    if (!st && dst->st)
        st = check_nodes("dst", dst, rows);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *in[2] = {x, exclude_negative_nodes(s, src, x->shape[0])},
                     *to = exclude_negative_nodes(s, dst, rows);
    const agn_tensor *y = NULL;
    if (in[1] && to)
        y = agni_apply_in(s, &agni_op_gather,
                          &(agni_attr){.ni = 2, .i = (const int64_t[]){-x->ndim, 0}}, 2, in);
    if (y)
        y = scatter_messages(s, y, to, rows);
    if (y && reduce == AGN_GEOMETRIC_MEAN)
        y = divide_by_count(s, y, to);
    agn_scope_return(s, out, y);
    return agn_scope_close(s);
}
