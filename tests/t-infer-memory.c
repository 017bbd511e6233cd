/* Every allocation of inference made to fail in turn, on one thread: the call says so, writes nothing, loses nothing. */
#include "tests/infer.h"

static agn_model *M;
static agn_tensor *LOC, *L, *LL, *R, *K, *X, *RANKS, *FOUR, *FIVE;
static agn_fn *STEP, *JOINT, *PAIR;
static agn_dict *D;

static agn_status step_body(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    out[0] = ag_add(s, ag_mul_c(s, in[1], 0.5), ag_normal(s, in[0], AGN_F64, 0, NULL));
    return agn_scope_status(s);
}
static agn_status joint_body(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    out[0] = ag_neg(s, ag_square(s, ag_sub(s, ag_reshape(s, in[1], 2, (const int64_t[]){3, 1}), in[0])));
    return agn_scope_status(s);
}
static agn_status pair_body(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    T r = ag_sub(s, in[0], in[1]);
    out[0] = ag_neg(s, ag_add(s, ag_sum_all(s, ag_square(s, r)), ag_sum_all(s, ag_exp(s, in[0]))));
    return agn_scope_status(s);
}

enum {
    NUTS,
    DENSE,
    LOW,
    MALA,
    SLICE,
    ELLIPSE,
    GIBBS,
    SMC,
    LAPLACE,
    IMPORTANCE,
    ADVI,
    FLOW,
    PATHS,
    EM,
    NESTED,
    PSIS,
    LOO,
    WAIC,
    LIKELIHOOD,
    PREDICT,
    SBC,
    SBC_CHECK,
    WITH_DATA,
    CALLS
};
/* results: a dictionary, tensors, a model */
typedef struct got {
    agn_dict *d;
    agn_tensor *y[3];
    agn_model *m;
} got;
static agn_status call(int which, got *g)
{
    agn_nuts_options o = {.size = sizeof o, .warmup = 40, .draws = 3, .chains = 1, .rank = 1};
    agn_chain_options c = {.size = sizeof c, .warmup = 20, .draws = 3, .chains = 1};
    agn_gibbs_block block = {"x", K, STEP};
    switch (which) {
    case DENSE: o.metric = AGN_METRIC_DENSE; return agn_infer_nuts(&g->d, M, &o);
    case LOW: o.metric = AGN_METRIC_LOW_RANK; return agn_infer_nuts(&g->d, M, &o);
    case NUTS: return agn_infer_nuts(&g->d, M, &o);
    case MALA: return agn_infer_mala(&g->d, M, &c);
    case SLICE: return agn_infer_slice(&g->d, M, &c);
    case ELLIPSE: return agn_infer_elliptical_slice(&g->d, M, LOC, L, &c);
    case GIBBS: return agn_infer_gibbs(&g->d, &block, 1, &c);
    case SMC:
        return agn_infer_smc(&g->d, M,
                             &(agn_smc_options){.size = sizeof(agn_smc_options), .particles = 20, .max_moves = 2});
    case LAPLACE: return agn_infer_laplace(&g->y[0], &g->y[1], NULL, M, NULL);
    case IMPORTANCE:
        return agn_infer_importance(&g->d, M, LOC, L,
                                    &(agn_importance_options){.size = sizeof(agn_importance_options), .draws = 30});
    case ADVI:
        return agn_infer_advi(&g->y[0], &g->y[1], NULL, M,
                              &(agn_advi_options){.size = sizeof(agn_advi_options), .steps = 3, .full_rank = true});
    case FLOW:
        return agn_infer_flow(
            &g->d, M,
            &(agn_flow_options){
                .size = sizeof(agn_flow_options), .steps = 2, .layers = 2, .hidden = 3, .batch = 4, .draws = 30});
    case PATHS:
        return agn_infer_pathfinder(
            &g->d, M, &(agn_pathfinder_options){.size = sizeof(agn_pathfinder_options), .paths = 1, .draws = 30});
    case EM:
        return agn_infer_em(g->y, 1, NULL, NULL, JOINT, NULL, AGN_ARGS(LOC, X),
                            &(agn_em_options){.size = sizeof(agn_em_options), .max_steps = 2});
    case NESTED: {
        agn_fn *f = NULL;
        agn_status st = agn_fn_laplace(&f, PAIR, NULL);
        st = st ? st : agn_fn_call(g->y, 2, f, AGN_ARGS(LOC, K));
        agn_fn_release(f);
        return st;
    }
    case PSIS: return agn_infer_psis(&g->y[0], &g->y[1], R, 1);
    case LOO: return agn_infer_loo(&g->y[0], &g->y[1], &g->y[2], LL, 0);
    case WAIC: return agn_infer_waic(&g->y[0], &g->y[1], LL);
    case LIKELIHOOD: return agn_infer_log_likelihood(&g->y[0], M, D);
    case PREDICT: return agn_infer_predict(&g->d, M, NULL, 3, 1);
    case SBC:
        return agn_infer_sbc(
            &g->y[0], M,
            &(agn_sbc_options){
                .size = sizeof(agn_sbc_options), .simulations = 1, .ranks = 3, .thin = 1, .sampler = &o});
    case SBC_CHECK: return agn_infer_sbc_check(&g->y[0], RANKS, 5, 2);
    default: return agn_model_with_data(&g->m, M, (T const[]){FOUR, FIVE}, 2);
    }
}
static bool untold(const got *g)
{
    return !g->d && !g->y[0] && !g->y[1] && !g->y[2] && !g->m;
}
static void put_away(got *g)
{
    agn_dict_release(g->d);
    for (int i = 0; i < 3; i++)
        agn_release(g->y[i]);
    agn_model_release(g->m);
    *g = (got){NULL, {NULL, NULL, NULL}, NULL};
}

int main(void)
{
    M = model(known_body);
    LOC = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){1.5, -0.4});
    L = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){0.5, 0, 0, 0.4});
    LL = random_of(AGN_F64, 3, (int64_t[]){1, 40, 2}, -1, 0);
    R = random_of(AGN_F64, 2, (int64_t[]){1, 40}, 0, 1);
    K = scalar_of(AGN_F64, 0.5);
    RANKS = of_reals(AGN_I64, 2, (int64_t[]){4, 1}, (double[]){0, 5, 2, 3});
    FOUR = random_of(AGN_F64, 1, (int64_t[]){4}, 0, 1);
    FIVE = random_of(AGN_F64, 1, (int64_t[]){5}, 0, 1);
    X = random_of(AGN_F64, 1, (int64_t[]){3}, 0, 1);
    must(agn_fn_new(&STEP, step_body, NULL, NULL, 2, 1));
    must(agn_fn_new(&JOINT, joint_body, NULL, NULL, 2, 1));
    must(agn_fn_new(&PAIR, pair_body, NULL, NULL, 2, 1));
    must(agn_threads_set(1));
    must(agn_infer_nuts(
        &D, M, &(agn_nuts_options){.size = sizeof(agn_nuts_options), .warmup = 20, .draws = 4, .chains = 1}));
    static const char *const name[CALLS] = {"NUTS",
                                            "a dense metric",
                                            "a metric of low rank",
                                            "Langevin steps",
                                            "slices",
                                            "ellipses",
                                            "Gibbs",
                                            "particles",
                                            "Laplace",
                                            "importance",
                                            "variational",
                                            "flow",
                                            "paths",
                                            "EM",
                                            "a nested integral",
                                            "weights",
                                            "leave-one-out",
                                            "WAIC",
                                            "log likelihoods",
                                            "predictions",
                                            "calibration",
                                            "ranks",
                                            "other data"};
    for (int which = 0; which < CALLS; which++) {
        got g = {NULL, {NULL, NULL, NULL}, NULL};
        if (which == NESTED && call(which, &g) == AGN_EUNSUPPORTED) {
            skip("a build without SuiteSparse");
            continue;
        }
        put_away(&g);
        agn_status st = call(which, &g); /* what is kept for good is there now */
        bool good = !st;
        if (st)
            diag("%s: %s", name[which], agn_error_message());
        put_away(&g);
        int64_t before, after, count = 0;
        agn_memory_live(NULL, &before, NULL);
        /* all of the first 400, then every few */
        for (int64_t n = 0; good; n += n < 400 ? 1 : 1 + n / 40) {
            agn_memory_fail_after(n);
            st = call(which, &g);
            agn_memory_fail_after(-1);
            if (!st)
                break;
            count++;
            good = st == AGN_ENOMEM && untold(&g);
            if (!good)
                diag("allocation %d: %s %s", (int)n, agn_status_name(st), agn_error_message());
        }
        put_away(&g);
        agn_memory_live(NULL, &after, NULL);
        ok(good && after <= before && count > 1, "%s: %d allocations failed, %d left", name[which], (int)count,
           (int)(after - before));
    }
    agn_tensor *const xs[] = {LOC, L, LL, R, K, X, RANKS, FOUR, FIVE};
    for (int i = 0; i < COUNT(xs); i++)
        agn_release(xs[i]);
    agn_fn_release(STEP);
    agn_fn_release(JOINT);
    agn_fn_release(PAIR);
    agn_dict_release(D);
    agn_model_release(M);
    return done();
}
