/* infer/stream.c - random numbers of a chain, and its log density at host vectors. */
#include "infer/infer.h"
#include "core/random/philox.h"
#include <agnesi/autograd.h>
#include <agnesi/create.h>
#include <agnesi/graph.h>
#include <agnesi/tensor.h>

#include <math.h>
#include <string.h>

/* 53 bits, never 0: half a step is added */
double agni_stream_uniform(agni_stream *g)
{
    agni_philox4 r = agni_philox_block(g->key, g->block++);
    uint64_t bits = ((uint64_t)r.w[0] << 32 | r.w[1]) >> 12;
    return ((double)bits + 0.5) * 0x1p-52;
}
/* Box & Muller 1958 */
double agni_stream_normal(agni_stream *g)
{
    if (g->has_spare) {
        g->has_spare = false;
        return g->spare;
    }
    double r = sqrt(-2 * log(agni_stream_uniform(g))),
           w = 6.28318530717958647693 * agni_stream_uniform(g);
    g->spare = r * sin(w);
    g->has_spare = true;
    return r * cos(w);
}

agn_status agni_density_make(agni_density *d, const char *op, const agn_fn *log_density, int64_t n,
                             bool with_slope)
{
    *d = (agni_density){.n = n};
    if (agn_fn_n_in(log_density) != 1 || agn_fn_n_out(log_density) != 1)
        return agni_fail(
            AGN_EARG, "%s: the log density has %d arguments and %d results; one of each is needed",
            op, agn_fn_n_in(log_density), agn_fn_n_out(log_density));
    agn_fn *both = NULL;
    agn_status st = with_slope ? agn_fn_value_and_grad(&both, log_density, NULL, 1) : AGN_OK;
    if (!with_slope)
        both = agn_fn_retain(log_density);
    st = st ? st : agn_fn_compile(&d->plan, both, NULL);
    st = st ? st : agn_zeros(&d->at, AGN_F64, 1, &n);
    st = st ? st : agn_zeros(&d->value, AGN_F64, 0, NULL);
    if (with_slope)
        st = st ? st : agn_zeros(&d->slope, AGN_F64, 1, &n);
    agn_fn_release(both);
    if (st)
        agni_density_free(d);
    return st;
}
agn_status agni_density_at(agni_density *d, const double *q, double *value, double *slope,
                           bool *finite)
{
    void *at = NULL;
    agn_tensor *const out[] = {d->value, d->slope};
    agn_status st = agn_data_mut(&at, d->at);
    if (st)
        return st;
    if (d->whitening) {
        agni_whitening_forward(d->whitening, d->whitening->raw, q);
        memcpy(at, d->whitening->raw, (size_t)d->n * sizeof *q);
    } else
        memcpy(at, q, (size_t)d->n * sizeof *q);
    st = agn_fn_call_into(out, d->slope ? 2 : 1, d->plan, (const agn_tensor *const *)&d->at, 1);
    if (st)
        return st;
    *value = *(const double *)agn_data(d->value);
    *finite = isfinite(*value);
    if (!d->slope)
        return AGN_OK;
    const double *g = agn_data(d->slope);
    if (d->whitening)
        agni_whitening_transpose(d->whitening, slope, g);
    else
        memcpy(slope, g, (size_t)d->n * sizeof *slope);
    for (int64_t i = 0; i < d->n && *finite; i++)
        *finite = isfinite(slope[i]);
    return AGN_OK;
}
void agni_density_free(agni_density *d)
{
    agn_fn_release(d->plan);
    agn_release(d->at);
    agn_release(d->value);
    agn_release(d->slope);
    *d = (agni_density){.n = 0};
}
