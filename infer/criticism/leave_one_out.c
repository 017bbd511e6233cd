/* infer/criticism/leave_one_out.c - predictive densities of numbers left out, by weights (Vehtari,
   Gelman & Gabry 2017) and by the widely applicable criterion (Watanabe 2010). */
#include "infer/criticism/pareto.h"
#include "tensor/dispatch/host_run.h"
#include <agnesi/autograd.h>
#include <agnesi/infer_check.h>
#include <agnesi/shape.h>
#include <agnesi/tensor.h>

#include <math.h>
#include <string.h>

static agn_status read_log_lik(const char *op, const agn_tensor *x, agn_tensor **kept,
                               const double **v)
{
    static const int64_t any[3] = {-1, -1, -1};
    agn_status st = agni_read_host(v, kept, op, "log_lik", x, 3, any);
    if (!st && (agn_shape(x)[0] < 1 || agn_shape(x)[1] < 4))
        st = agni_fail(AGN_ESHAPE,
                       "%s: log_lik has %lld chains of %lld draws; 4 draws at least are needed", op,
                       (long long)agn_shape(x)[0], (long long)agn_shape(x)[1]);
    return st;
}
/* of exp(v) */
static double relative_draws(const double *v, double *tmp, int64_t chains, int64_t draws)
{
    double top = -(double)INFINITY, n = (double)(chains * draws);
    for (int64_t i = 0; i < chains * draws; i++)
        top = v[i] > top ? v[i] : top;
    for (int64_t i = 0; i < chains * draws; i++)
        tmp[i] = exp(v[i] - top);
    double share = agni_effective_draws(tmp, chains, draws) / n;
    return share > 0 && isfinite(share) ? share : 1;
}
typedef struct sums {
    double *elpd, *p, *k;
} sums;
static void leave_one_out(const sums *y, int64_t at, const double *v, double *tmp, int64_t chains,
                          int64_t draws, double relative)
{
    int64_t n = chains * draws;
    double *w = tmp, *more = tmp + n;
    bool finite = true;
    for (int64_t i = 0; i < n; i++)
        finite = finite && isfinite(v[i]);
    if (!finite) {
        y->elpd[at] = y->p[at] = y->k[at] = (double)NAN;
        return;
    }
    if (relative == 0)
        relative = relative_draws(v, more, chains, draws);
    for (int64_t i = 0; i < n; i++)
        w[i] = -v[i];
    agni_smooth_weights(w, &y->k[at], n, relative, more);
    for (int64_t i = 0; i < n; i++)
        w[i] += v[i];
    y->elpd[at] = agni_log_sum(w, n);
    y->p[at] = agni_log_sum(v, n) - log((double)n) - y->elpd[at];
}
static void sum_criterion(const sums *y, int64_t at, const double *v, int64_t n)
{
    double mean = 0, square = 0;
    for (int64_t i = 0; i < n; i++)
        mean += v[i] / (double)n;
    for (int64_t i = 0; i < n; i++)
        square += (v[i] - mean) * (v[i] - mean);
    y->p[at] = square / (double)n;
    y->elpd[at] = agni_log_sum(v, n) - log((double)n) - y->p[at];
    if (!isfinite(y->elpd[at]))
        y->elpd[at] = y->p[at] = (double)NAN;
}
static agn_status each_number(agn_tensor **out[3], const char *op, const agn_tensor *log_lik,
                              double relative)
{
    const double *x = NULL;
    agn_tensor *kept = NULL, *y[3] = {NULL, NULL, NULL};
    agn_status st = read_log_lik(op, log_lik, &kept, &x);
    int64_t chains = st ? 0 : agn_shape(kept)[0], draws = st ? 0 : agn_shape(kept)[1],
            each = st ? 0 : agn_shape(kept)[2], n = chains * draws;
    double *room = st ? NULL : agni_alloc((size_t)(4 * n + 3 * each + 1) * sizeof *room);
    if (!st && !room)
        st = agni_nomem(op, (size_t)(4 * n + 3 * each) * sizeof *room);
    if (!st) {
        double *v = room + 3 * each;
        sums s = {room, room + each, room + 2 * each};
        for (int64_t k = 0; k < each; k++) {
            for (int64_t i = 0; i < n; i++)
                v[i] = x[i * each + k];
            if (out[2])
                leave_one_out(&s, k, v, v + n, chains, draws, relative);
            else
                sum_criterion(&s, k, v, n);
        }
    }
    for (int k = 0; !st && k < 3 && out[k]; k++)
        st = agn_from_host(&y[k], AGN_F64, 1, &each, room + k * each);
    agni_free(room);
    agn_release(kept);
    for (int k = 0; k < 3; k++)
        if (st)
            agn_release(y[k]);
        else if (out[k])
            *out[k] = y[k];
    return st;
}
agn_status agn_infer_loo(agn_tensor **elpd, agn_tensor **p_loo, agn_tensor **pareto_k,
                         const agn_tensor *log_lik, double relative_ess)
{
    agni_host_call h;
    if (agni_host_call_begin(&h, "infer_loo", 1, (const agn_tensor *[]){log_lik})) {
        agn_status st = h.st ? h.st : agn_infer_loo(elpd ? &h.y[0] : NULL, p_loo ? &h.y[1] : NULL,
                                                    pareto_k ? &h.y[2] : NULL, h.in[0],
                                                    relative_ess);
        return agni_host_call_end(&h, st, 3, (agn_tensor * *[]){elpd, p_loo, pareto_k});
    }
    if (!elpd || !p_loo || !pareto_k)
        return agni_fail(AGN_ENULL, "infer_loo: %s is NULL",
                         !elpd    ? "elpd"
                         : !p_loo ? "p_loo"
                                  : "pareto_k");
    if (!(relative_ess >= 0))
        return agni_fail(AGN_EARG, "infer_loo: relative_ess is %g; 0 or more are possible",
                         relative_ess);
    agn_tensor **out[3] = {elpd, p_loo, pareto_k};
    return each_number(out, "infer_loo", log_lik, relative_ess);
}
agn_status agn_infer_waic(agn_tensor **elpd, agn_tensor **p_waic, const agn_tensor *log_lik)
{
    agni_host_call h;
    if (agni_host_call_begin(&h, "infer_waic", 1, (const agn_tensor *[]){log_lik})) {
        agn_status st = h.st ? h.st : agn_infer_waic(elpd ? &h.y[0] : NULL, p_waic ? &h.y[1] : NULL,
                                                     h.in[0]);
        return agni_host_call_end(&h, st, 2, (agn_tensor * *[]){elpd, p_waic});
    }
    if (!elpd || !p_waic)
        return agni_fail(AGN_ENULL, "infer_waic: %s is NULL", !elpd ? "elpd" : "p_waic");
    agn_tensor **out[3] = {elpd, p_waic, NULL};
    return each_number(out, "infer_waic", log_lik, 0);
}
