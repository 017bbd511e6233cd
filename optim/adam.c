/* optim/adam.c - Adam (Kingma & Ba 2015, algorithm 1), with weight decay apart from the
   gradient (Loshchilov & Hutter 2019, algorithm 2). */
#include "optim/optim.h"

#include <math.h>

static bool adam_memory(const agn_optim *o, int64_t *saved)
{
    return agni_checked_mul(o->n, 2, saved);
}
static void adam_start(agn_optim *o)
{
    o->k.power1 = o->k.power2 = 1;
}
const agni_optim_method agni_optim_adam = {"adam", adam_memory, adam_start, NULL, NULL, NULL};

agn_status agni_optim_adam_step(agn_optim *o, int32_t *reason)
{
    /* x moved after the last evaluation, so there always is one */
    agn_status st = agni_optim_evaluate(o);
    if (st)
        return st;
    *reason = agni_optim_find_reason(o);
    if (*reason == AGN_OPTIM_GRADIENT || *reason == AGN_OPTIM_NOT_FINITE)
        return AGN_OK;
    agni_optim_scalars *k = &o->k;
    const agn_optim_options *a = &o->opt;
    double *m = o->own, *v = o->own + o->n, most = 0;
    k->power1 *= a->beta1;
    k->power2 *= a->beta2;
    double c1 = 1 - k->power1, c2 = 1 - k->power2;
    for (int64_t s = 0; s < o->n_spans; s++)
        for (int64_t i = o->span[s].from; i < o->span[s].to; i++) {
            double g = o->g[i];
            m[i] = a->beta1 * m[i] + (1 - a->beta1) * g;
            v[i] = a->beta2 * v[i] + (1 - a->beta2) * g * g;
            double move = m[i] / c1 / (sqrt(v[i] / c2) + a->eps) + a->weight_decay * o->x[i];
            o->x[i] -= k->rate * move;
            most = fmax(most, k->rate * fabs(move));
        }
    k->known = 0;
    k->steps++;
    k->step = most;
    k->length = k->rate;
    if (*reason == AGN_OPTIM_RUNNING && a->step_tol > 0 &&
        most <= a->step_tol * fmax(1, agni_vector_max_abs(AGN_F64, o->n, o->x)))
        *reason = AGN_OPTIM_STEP;
    return AGN_OK;
}
