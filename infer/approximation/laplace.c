/* infer/approximation/laplace.c - the normal law with mode and curvature of a posterior (Tierney &
   Kadane 1986). */
#include "infer/approximation/approximation.h"
#include <agnesi/ag.h>
#include <agnesi/autograd.h>
#include <agnesi/create.h>
#include <agnesi/linalg.h>
#include <agnesi/optim.h>

#include <math.h>
#include <string.h>

typedef const agn_tensor *T;

static agn_status minus_body(void *user, agn_scope *s, const T *in, T *out)
{
    T y = NULL;
    agn_status st = agn_fn_apply(s, &y, 1, user, in, 1);
    if (!st)
        out[0] = ag_neg(s, y);
    return st ? st : agn_scope_status(s);
}
static void drop_fn(void *f)
{
    agn_fn_release(f);
}
/* inverse of the lower factor l of -H, transposed: (L L^T)^-1 = L^-T L^-1. Its own lower factor has
   the inverse of
   -H as its square, found by reversing rows and columns: R (factor of R H R)^-T R. */
static bool factor_of_inverse(double *y, const double *h, double *tmp, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            tmp[i * n + j] = h[(n - 1 - i) * n + n - 1 - j];
    if (!agni_lower_factor(tmp, n))
        return false;
    memset(y, 0, (size_t)(n * n) * sizeof *y);
    /* column k of tmp^-1, put where transposing and reversing takes it */
    for (int64_t k = 0; k < n; k++)
        for (int64_t i = k; i < n; i++) {
            double sum = i == k;
            for (int64_t j = k; j < i; j++)
                sum -= tmp[i * n + j] * y[(n - 1 - k) * n + n - 1 - j];
            y[(n - 1 - k) * n + n - 1 - i] = sum / tmp[i * n + i];
        }
    return true;
}
/* Newton's method until it does not move: x, the loss and the Hessian there */
static agn_status polish_mode(agn_fn *value_and_slope, agn_fn *hessian, double *x, double *h,
                              double *tmp, double *loss, int64_t n)
{
    agn_status st = AGN_OK;
    agn_tensor *at = NULL, *y[2] = {NULL, NULL}, *hx = NULL, *plain = NULL;
    double before = (double)INFINITY;
    double *d = tmp + n * n, *kept = d + n;
    for (int k = 0; !st && k < 30; k++) {
        const void *data = NULL, *slope = NULL;
        st = agn_from_host(&at, AGN_F64, 1, &n, x);
        st = st ? st : agn_fn_call(y, 2, value_and_slope, (T const *)&at, 1);
        st = st ? st : agn_fn_call(&hx, 1, hessian, (T const *)&at, 1);
        st = st ? st : agn_contiguous(&plain, hx);
        st = st ? st : agn_data_contiguous(&data, plain);
        st = st ? st : agn_data_contiguous(&slope, y[1]);
        bool ends = false;
        if (!st) {
            double there = *(const double *)agn_data(y[0]);
            if (!isfinite(there) || there > before + 1e-12 * (1 + fabs(before))) {
                memcpy(x, kept, (size_t)n * sizeof *x); /* where it was better: h and loss are those of there */
                ends = true;
            } else {
                *loss = before = there;
                memcpy(h, data, (size_t)(n * n) * sizeof *h);
                memcpy(tmp, h, (size_t)(n * n) * sizeof *h);
                if (!agni_lower_factor(tmp, n))
                    st = agni_fail(
                        AGN_EDOMAIN,
                        "infer_laplace: the density has no maximum where the search ends: its Hessian is not negative definite");
                else {
                    double move = 0;
                    const double *g = slope;
                    for (int64_t i = 0; i < n; i++) {
                        d[i] = g[i];
                        for (int64_t j = 0; j < i; j++)
                            d[i] -= tmp[i * n + j] * d[j];
                        d[i] /= tmp[i * n + i];
                    }
                    for (int64_t i = n; i-- > 0;) {
                        d[i] /= tmp[i * n + i];
                        for (int64_t j = 0; j < i; j++)
                            d[j] -= tmp[i * n + j] * d[i];
                        double rel = fabs(d[i]) / (1 + fabs(x[i]));
                        move = rel > move ? rel : move;
                    }
                    memcpy(kept, x, (size_t)n * sizeof *x);
                    for (int64_t i = 0; i < n; i++)
                        x[i] -= d[i];
                    ends = move < 1e-14;
                }
            }
        }
        agn_release(at);
        agn_release(y[0]);
        agn_release(y[1]);
        agn_release(hx);
        agn_release(plain);
        at = hx = plain = y[0] = y[1] = NULL;
        if (ends)
            break;
    }
    return st;
}
agn_status agn_infer_laplace(agn_tensor **mode, agn_tensor **scale_tril, double *log_evidence,
                             const agn_model *m, const agn_tensor *start)
{
    const char *op = "infer_laplace";
    if (!mode || !scale_tril || !m)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op,
                         !mode         ? "mode"
                         : !scale_tril ? "scale_tril"
                                       : "m");
    int64_t n = m->dims, shape[2] = {n, n};
    agn_fn *f = NULL, *loss = NULL, *both = NULL, *plan = NULL, *hessian = NULL, *second = NULL;
    agn_tensor *kept = NULL, *at = NULL, *best = NULL, *l = NULL, *x = NULL;
    const double *from = NULL;
    double *room = NULL, value = 0;
    int64_t numbers;
    agn_status st = AGN_OK;
    if (!agni_checked_mul(n, 3 * n + 3, &numbers) || numbers > INT64_MAX / 8)
        return agni_fail(AGN_ENOMEM, "%s: %lld numbers", op, (long long)n);
    if (start)
        st = agni_read_host(&from, &kept, op, "start", start, 1, &n);
    if (!st && !(room = agni_zalloc((size_t)numbers * sizeof *room)))
        st = agni_nomem(op, (size_t)numbers * sizeof *room);
    st = st ? st : from ? agn_from_host(&at, AGN_F64, 1, &n, from) : agn_zeros(&at, AGN_F64, 1, &n);
    st = st ? st : agn_model_log_density(&f, m);
    if (!st) {
        agn_fn *own = agn_fn_retain(f);
        st = agn_fn_new(&loss, minus_body, own, drop_fn, 1, 1);
        if (st)
            agn_fn_release(own);
    }
    agn_optim_options o = {.size = sizeof o, .gradient_tol = 1e-8};
    int32_t reason = 0;
    st = st ? st
            : agn_fn_minimise(&best, 1, &value, &reason, loss, (T const *)&at, 1, AGN_OPTIM_LBFGS,
                              2000, &o);
    if (!st && (!isfinite(value) || reason == AGN_OPTIM_NOT_FINITE))
        st = agni_fail(AGN_EDOMAIN,
                       "%s: the log density is not finite where the search begins, or ends", op);
    if (!st && reason == AGN_OPTIM_CANCELLED)
        st = agni_fail(AGN_ECANCELLED, "%s: interrupted", op);
    st = st ? st : agn_fn_value_and_grad(&both, loss, NULL, 1);
    st = st ? st : agn_fn_compile(&plan, both, NULL);
    st = st ? st : agn_fn_hessian(&second, loss, 0);
    st = st ? st : agn_fn_compile(&hessian, second, NULL);
    if (!st) {
        double *h = room + n, *tmp = h + n * n;
        memcpy(room, agn_data(best), (size_t)n * sizeof *room);
        st = polish_mode(plan, hessian, room, h, tmp, &value, n);
        st = st ? st : agn_from_host(&x, AGN_F64, 1, &n, room);
        double log_det = 0;
        if (!st) {
            double *y = agni_alloc((size_t)(n * n) * sizeof *y);
            if (!y)
                st = agni_nomem(op, (size_t)(n * n) * sizeof *y);
            else if (!factor_of_inverse(y, h, tmp, n))
                st = agni_fail(AGN_EDOMAIN, "%s: the Hessian is not negative definite", op);
            st = st ? st : agn_from_host(&l, AGN_F64, 2, shape, y);
            for (int64_t i = 0; !st && i < n; i++)
                log_det += log(y[i * n + i]);
            agni_free(y);
        }
        if (!st && log_evidence)
            *log_evidence = -value + 0.91893853320467274178 * (double)n + log_det;
    }
    agni_free(room);
    agn_release(kept);
    agn_release(at);
    agn_release(best);
    agn_fn_release(f);
    agn_fn_release(loss);
    agn_fn_release(both);
    agn_fn_release(plan);
    agn_fn_release(hessian);
    agn_fn_release(second);
    if (st) {
        agn_release(x);
        agn_release(l);
        return st;
    }
    *mode = x;
    *scale_tril = l;
    return AGN_OK;
}
