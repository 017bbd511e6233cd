/* geometric/layers/splines.c - products of B-splines along axes (Fey et al. 2018; Schoenberg 1946
   for the cardinal B-spline as a sum of truncated powers). */
#include "tensor/create/constants.h"
#include "geometric/layers/layers.h"

#include <agnesi/ag.h>
#include <agnesi/geometric_networks.h>

/* N_p(t) = sum over j of (-1)^j C(p + 1, j) max(t - j, 0)^p / p!, from whichever end is nearer:
   N_p(t) = N_p(p + 1 - t) */
static const agn_tensor *cardinal_spline(agn_scope *s, const agn_tensor *t, int32_t p)
{
    const agn_tensor *zero = agni_full_like(s, 0, t), *y = NULL;
    t = ag_minimum(s, t, ag_add_c(s, ag_neg(s, t), p + 1));
    double c = 1;
    for (int32_t k = 2; k <= p; k++)
        c /= k;
    for (int32_t j = 0; 2 * j <= p + 1; j++) {
        const agn_tensor *d = ag_maximum(s, ag_add_c(s, t, -j), zero), *power = d;
        for (int32_t k = 1; k < p; k++)
            power = ag_mul(s, power, d);
        power = ag_mul_c(s, power, c);
        y = y ? ag_add(s, y, power) : power;
        c *= -(double)(p + 1 - j) / (j + 1);
    }
    return y;
}

/* [e, size] of one coordinate [e, 1] */
static const agn_tensor *along_axis(agn_scope *s, const agn_tensor *u, int32_t size, bool closed,
                                    int32_t p)
{
    const agn_tensor *at = ag_mul_c(s, u, closed ? size : size - p), *y = NULL;
    const agn_tensor *knot = agni_cast(s, ag_linspace(s, AGN_F64, p, (double)p - (size - 1), size),
                                       u->dtype);
    knot = agni_put_beside(s, knot, u);
    at = at && knot ? ag_add(s, at, knot) : NULL; /* u - i + p */
    for (int32_t turn = 0; at && turn < (closed ? 3 : 1); turn++) { /* below, at and above the circle */
        const agn_tensor *v = turn ? ag_add_c(s, at, turn == 1 ? -size : size) : at;
        v = v ? cardinal_spline(s, v, p) : NULL;
        y = y ? ag_add(s, y, v) : v;
    }
    return y;
}

agn_status agn_graph_spline_basis(agn_tensor **out, const agn_tensor *u, const int32_t *sizes,
                                  const bool *closed, int32_t degree)
{
    static const char op[] = "graph_spline_basis";
    AGNI_NEED(op, out);
    AGNI_NEED(op, u);
    AGNI_NEED(op, sizes);
    agn_status st = agni_require_dense(u, op);
    if (!st)
        st = agni_check_node_rows(op, "u", u, u->ndim ? u->shape[0] : 0);
    if (!st && (degree < 1 || degree > 3))
        st = agni_fail(AGN_EARG, "%s: degree is %d, not in 1 to 3", op, degree);
    for (int64_t k = 0; !st && k < u->shape[1]; k++)
        if (sizes[k] <= degree || sizes[k] > INT32_MAX / 4)
            st = agni_fail(AGN_EARG, "%s: sizes has %d at %lld, more than the degree %d is needed",
                           op, sizes[k], (long long)k, degree);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_cast(s, u, agni_layer_dtype(u)), *y = NULL;
    int64_t e = u->shape[0], all = 1;
    if (x && u->shape[1] == 0)
        y = agni_full(s, 1, x->dtype, 2, (int64_t[]){e, 1});
    for (int64_t k = 0; x && k < u->shape[1]; k++) {
        const agn_tensor *c = ag_slice(s, x, 2, (int64_t[]){0, k}, (int64_t[]){e, k + 1},
                                       (int64_t[]){1, 1});
        const agn_tensor *b = c ? along_axis(s, c, sizes[k], closed && closed[k], degree) : NULL;
        if (!b)
            break;
        if (y) { /* the first axis is the fastest */
            y = ag_mul(s, agni_reshape(s, b, 3, (int64_t[]){e, sizes[k], 1}),
                       agni_reshape(s, y, 3, (int64_t[]){e, 1, all}));
            y = y ? agni_reshape(s, y, 2, (int64_t[]){e, all * sizes[k]}) : NULL;
        } else {
            y = b;
        }
        all *= sizes[k];
    }
    return agni_return(op, s, out, agn_scope_status(s) ? NULL : y);
}
