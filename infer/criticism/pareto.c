/* infer/criticism/pareto.c - importance weights whose largest are quantiles of a generalised Pareto
   law fitted to them (Vehtari, Simpson, Gelman, Yao & Gabry 2024; Zhang & Stephens 2009). */
#include "infer/criticism/pareto.h"
#include "tensor/dispatch/host_run.h"
#include <agnesi/infer_check.h>
#include <agnesi/tensor.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

double agni_log_sum(const double *v, int64_t n)
{
    double top = -(double)INFINITY, sum = 0;
    for (int64_t i = 0; i < n; i++)
        top = v[i] > top ? v[i] : top;
    if (isinf(top))
        return top;
    for (int64_t i = 0; i < n; i++)
        sum += exp(v[i] - top);
    return top + log(sum);
}
static int compare_ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
/* Shape k and scale of a generalised Pareto law from n ascending numbers: the posterior mean over a
   grid of 30 + sqrt n values of theta by profile likelihoods (Zhang & Stephens 2009, 3), k drawn
   towards 0.5 as by ten more of them. */
static void fit_pareto(const double *x, int64_t n, double *k, double *scale)
{
    int64_t grid = 30 + (int64_t)sqrt((double)n);
    double quarter = x[(int64_t)((double)n / 4 + 0.5) - 1], theta = 0, top = -(double)INFINITY,
           sum = 0;
    double at[32 + 4096], like[32 + 4096];
    if (grid > 4096)
        grid = 4096;
    for (int64_t j = 0; j < grid; j++) {
        at[j] = (1 - sqrt((double)grid / ((double)j + 0.5))) / (3 * quarter) + 1 / x[n - 1];
        double mean = 0;
        for (int64_t i = 0; i < n; i++)
            mean += log1p(-at[j] * x[i]) / (double)n;
        like[j] = (double)n * (log(-at[j] / mean) - mean - 1);
        top = like[j] > top ? like[j] : top;
    }
    for (int64_t j = 0; j < grid; j++)
        sum += exp(like[j] - top);
    for (int64_t j = 0; j < grid; j++)
        theta += at[j] * exp(like[j] - top) / sum;
    double mean = 0;
    for (int64_t i = 0; i < n; i++)
        mean += log1p(-theta * x[i]) / (double)n;
    *scale = -mean / theta;
    *k = ((double)n * mean + 5) / ((double)n + 10);
}
static double pareto_quantile(double p, double k, double scale)
{
    return fabs(k) < 1e-12 ? -scale * log1p(-p) : scale * expm1(-k * log1p(-p)) / k;
}

bool agni_smooth_weights(double *v, double *k, int64_t n, double relative, double *tmp)
{
    double top = -(double)INFINITY;
    for (int64_t i = 0; i < n; i++)
        top = v[i] > top ? v[i] : top;
    *k = (double)INFINITY;
    if (!isfinite(top))
        return false;
    for (int64_t i = 0; i < n; i++)
        v[i] -= top;
    double length = fmin(0.2 * (double)n, 3 * sqrt((double)n / relative));
    int64_t m = (int64_t)ceil(length);
    memcpy(tmp, v, (size_t)n * sizeof *v);
    qsort(tmp, (size_t)n, sizeof *tmp, compare_ascending);
    if (m < n && m >= 5) {
        double cut = fmax(tmp[n - m - 1], log(2.2250738585072014e-308)), below = exp(cut);
        int64_t above = 0;
        double *tail = tmp + n;
        for (int64_t i = 0; i < n; i++)
            if (tmp[i] > cut)
                tail[above++] = exp(tmp[i]) - below;
        if (above > 4 && tail[above - 1] > tail[0]) {
            double scale;
            fit_pareto(tail, above, k, &scale);
            if (isfinite(*k))
                /* the r-th of the tail becomes a quantile; none above the largest that was seen */
                for (int64_t i = 0; i < n; i++)
                    if (v[i] > cut) {
                        int64_t low = 0, high = n - 1; /* its place among all */
                        while (low < high) {
                            int64_t middle = (low + high) / 2;
                            if (tmp[middle] < v[i])
                                low = middle + 1;
                            else
                                high = middle;
                        }
                        int64_t rank = low - (n - above);
                        double w = below +
                                   pareto_quantile(((double)rank + 0.5) / (double)above, *k, scale);
                        v[i] = fmin(log(w), 0);
                    }
        }
    }
    double sum = agni_log_sum(v, n);
    for (int64_t i = 0; i < n; i++)
        v[i] -= sum;
    return true;
}

agn_status agn_infer_psis(agn_tensor **log_weights, agn_tensor **pareto_k,
                          const agn_tensor *log_ratios, double relative_ess)
{
    agni_host_call h;
    if (agni_host_call_begin(&h, "infer_psis", 1, (const agn_tensor *[]){log_ratios})) {
        agn_status st = h.st ? h.st : agn_infer_psis(log_weights ? &h.y[0] : NULL,
                                                     pareto_k ? &h.y[1] : NULL, h.in[0],
                                                     relative_ess);
        return agni_host_call_end(&h, st, 2, (agn_tensor * *[]){log_weights, pareto_k});
    }
    const char *op = "infer_psis";
    if (!log_weights || !pareto_k)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op,
                         !log_weights ? "log_weights" : "pareto_k");
    if (!(relative_ess > 0))
        return agni_fail(AGN_EARG, "%s: relative_ess is %g; it must be positive", op, relative_ess);
    const int64_t any[2] = {-1, -1};
    const double *x = NULL;
    agn_tensor *kept = NULL, *w = NULL, *k = NULL;
    agn_status st = agni_read_host(&x, &kept, op, "log_ratios", log_ratios, 2, any);
    int64_t rows = st ? 0 : agn_shape(kept)[0], n = st ? 0 : agn_shape(kept)[1],
            shape[2] = {rows, n};
    if (!st && n < 1)
        st = agni_fail(AGN_ESHAPE, "%s: there are no draws", op);
    double *y = st ? NULL : agni_alloc((size_t)(rows * n + rows + 2 * n + 1) * sizeof *y);
    if (!st && !y)
        st = agni_nomem(op, (size_t)(rows * n) * sizeof *y);
    for (int64_t r = 0; !st && r < rows; r++) {
        memcpy(y + r * n, x + r * n, (size_t)n * sizeof *y);
        bool fine = true;
        for (int64_t i = 0; i < n; i++)
            fine = fine && !isnan(x[r * n + i]);
        if (!fine || !agni_smooth_weights(y + r * n, y + rows * n + r, n, relative_ess,
                                          y + rows * n + rows)) {
            for (int64_t i = 0; i < n; i++)
                y[r * n + i] = (double)NAN;
            y[rows * n + r] = (double)NAN;
        }
    }
    st = st ? st : agn_from_host(&w, AGN_F64, 2, shape, y);
    st = st ? st : agn_from_host(&k, AGN_F64, 1, shape, y + rows * n);
    agni_free(y);
    agn_release(kept);
    if (st) {
        agn_release(w);
        agn_release(k);
        return st;
    }
    *log_weights = w;
    *pareto_k = k;
    return AGN_OK;
}
