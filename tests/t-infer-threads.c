/* tests/t-infer-threads.c - Markov chains on threads: every sampler gives the same bits for any number of them. Few
   draws: what they are worth is for t-infer-samplers to say. */
#include "tests/infer.h"

typedef agn_status sampler(agn_dict **out, const agn_model *m, int32_t metric, int64_t draws);

static agn_status sample_nuts(agn_dict **out, const agn_model *m, int32_t metric, int64_t draws)
{
    return agn_infer_nuts(out, m, &(agn_nuts_options){.size = sizeof(agn_nuts_options), .draws = draws,
                                                      .warmup = draws, .chains = 5, .seed = 2, .metric = metric,
                                                      .rank = 1});
}
static agn_status sample_halved(agn_dict **out, const agn_model *m, int32_t metric, int64_t draws)
{
    return agn_infer_nuts(out, m, &(agn_nuts_options){.size = sizeof(agn_nuts_options), .draws = draws,
                                                      .warmup = draws, .chains = 5, .seed = 2, .metric = metric,
                                                      .max_error = 0.01});
}
static agn_chain_options chains(int64_t draws)
{
    return (agn_chain_options){.size = sizeof(agn_chain_options), .draws = draws, .warmup = draws, .chains = 5, .seed = 2};
}
static agn_status sample_mala(agn_dict **out, const agn_model *m, int32_t metric, int64_t draws)
{
    (void)metric;
    agn_chain_options o = chains(draws);
    return agn_infer_mala(out, m, &o);
}
static agn_status sample_slice(agn_dict **out, const agn_model *m, int32_t metric, int64_t draws)
{
    (void)metric;
    agn_chain_options o = chains(draws);
    return agn_infer_slice(out, m, &o);
}
static agn_status sample_ellipse(agn_dict **out, const agn_model *m, int32_t metric, int64_t draws)
{
    (void)metric;
    agn_chain_options o = chains(draws);
    agn_tensor *loc = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){1, -0.5}),
               *l = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){0.8, 0, 0.1, 0.7});
    agn_status st = agn_infer_elliptical_slice(out, m, loc, l, &o);
    agn_release(loc);
    agn_release(l);
    return st;
}
static agn_status sample_smc(agn_dict **out, const agn_model *m, int32_t metric, int64_t draws)
{
    (void)metric;
    return agn_infer_smc(out, m, &(agn_smc_options){.size = sizeof(agn_smc_options), .particles = draws, .seed = 2});
}

static const struct {
    const char *name;
    sampler *sample;
    int32_t metric;
    int64_t draws;
} samplers[] = {
    {"NUTS, diagonal metric", sample_nuts, AGN_METRIC_DIAGONAL, 20},
    {"NUTS, dense metric", sample_nuts, AGN_METRIC_DENSE, 20},
    {"NUTS, metric of low rank", sample_nuts, AGN_METRIC_LOW_RANK, 20},
    {"NUTS, halved steps", sample_halved, AGN_METRIC_DENSE, 20},
    {"Langevin steps", sample_mala, AGN_METRIC_DIAGONAL, 30},
    {"slices along axes", sample_slice, AGN_METRIC_DIAGONAL, 30},
    {"slices along ellipses", sample_ellipse, AGN_METRIC_DIAGONAL, 30},
    {"tempered particles", sample_smc, AGN_METRIC_DIAGONAL, 100},
};

int main(void)
{
    static const int32_t threads[] = {2, 3, 8};
    agn_model *m = model(known_body);
    int32_t before = agn_threads();
    for (int k = 0; k < COUNT(samplers); k++) {
        agn_dict *one = NULL, *many = NULL;
        must(agn_threads_set(1));
        must(samplers[k].sample(&one, m, samplers[k].metric, samplers[k].draws));
        for (int i = 0; i < COUNT(threads); i++) {
            must(agn_threads_set(threads[i]));
            must(samplers[k].sample(&many, m, samplers[k].metric, samplers[k].draws));
            ok(same_points(one, many), "%s: the same draws on %d threads", samplers[k].name, (int)threads[i]);
            agn_dict_release(many);
        }
        agn_dict_release(one);
    }
    must(agn_threads_set(before));
    agn_model_release(m);
    return done();
}
