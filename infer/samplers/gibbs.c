/* infer/samplers/gibbs.c - each block given all others (Geman & Geman 1984). */
#include "infer/samplers/samplers.h"
#include "core/random/philox.h"
#include "tensor/value/tensor.h"
#include <agnesi/create.h>

#include <stdio.h>
#include <string.h>

enum { MOST_BLOCKS = 64 };

typedef struct gibbs {
    const char *op;
    const agn_gibbs_block *blocks;
    int32_t n;
    agn_nuts_options o;
    char *draws[MOST_BLOCKS]; /* [chains, draws, bytes] */
    size_t bytes[MOST_BLOCKS];
    agn_status status[AGNI_MAX_CHAINS];
    char reason[AGNI_MAX_CHAINS][160];
} gibbs;

static agn_status check_blocks(const char *op, const agn_gibbs_block *b, int32_t n)
{
    if (n < 1 || n > MOST_BLOCKS)
        return agni_fail(AGN_EARG, "%s: %d blocks; 1 to %d are possible", op, n, MOST_BLOCKS);
    for (int32_t i = 0; i < n; i++) {
        if (!b[i].name || !b[i].start || !b[i].draw)
            return agni_fail(AGN_ENULL, "%s: %s of block %d is NULL", op,
                             !b[i].name ? "name" : !b[i].start ? "start" : "draw", i);
        for (int32_t k = 0; k < i; k++)
            if (!strcmp(b[k].name, b[i].name))
                return agni_fail(AGN_EARG, "%s: the name %s stands for two blocks", op, b[i].name);
        if (agn_fn_n_in(b[i].draw) != n + 1 || agn_fn_n_out(b[i].draw) != 1)
            return agni_fail(
                AGN_EARG,
                "%s: the function of %s has %d arguments and %d results; a key and %d values, and one are needed",
                op, b[i].name, agn_fn_n_in(b[i].draw), agn_fn_n_out(b[i].draw), n);
    }
    return AGN_OK;
}

static agn_status run_chain(gibbs *g, int64_t chain)
{
    agn_tensor *value[MOST_BLOCKS + 1] = {NULL}, *next[MOST_BLOCKS] = {NULL};
    agn_fn *plan[MOST_BLOCKS] = {NULL};
    static const int64_t two = 2;
    uint64_t key = agni_philox_subkey(g->o.seed, (uint64_t)chain);
    agn_status st = agn_zeros(&value[0], AGN_I64, 1, &two);
    for (int32_t i = 0; !st && i < g->n; i++) {
        st = agn_fn_compile(&plan[i], g->blocks[i].draw, NULL);
        st = st ? st : agn_copy(&value[i + 1], g->blocks[i].start);
        st = st ? st : agn_zeros_like(&next[i], value[i + 1]);
    }
    int64_t all = g->o.warmup + g->o.draws;
    for (int64_t k = 0; !st && k < all; k++) {
        if (k % 16 == 0)
            agni_report_progress("sampling",
                                 (double)(chain * all + k) / (double)(g->o.chains * all));
        if (agni_check_interrupt())
            st = agni_fail(AGN_ECANCELLED, "%s: interrupted", g->op);
        for (int32_t i = 0; !st && i < g->n; i++) {
            void *words = NULL;
            st = agn_data_mut(&words, value[0]);
            if (st)
                break;
            int64_t both[2] = {(int64_t)key, k * g->n + i};
            memcpy(words, both, sizeof both);
            st = agn_fn_call_into(&next[i], 1, plan[i], (const agn_tensor *const *)value, g->n + 1);
            agn_tensor *was = value[i + 1];
            value[i + 1] = next[i];
            next[i] = was;
        }
        for (int32_t i = 0; !st && k >= g->o.warmup && i < g->n; i++)
            memcpy(g->draws[i] + g->bytes[i] * (size_t)(chain * g->o.draws + k - g->o.warmup),
                   agn_data(value[i + 1]), g->bytes[i]);
    }
    for (int32_t i = 0; i <= g->n; i++)
        agn_release(value[i]);
    for (int32_t i = 0; i < g->n; i++) {
        agn_release(next[i]);
        agn_fn_release(plan[i]);
    }
    return st;
}
static void chain_job(void *user, int64_t chain, int worker)
{
    (void)worker;
    gibbs *g = user;
    g->status[chain] = run_chain(g, chain);
    if (g->status[chain])
        snprintf(g->reason[chain], sizeof g->reason[chain], "%s", agn_error_message());
}

static agn_status put_block(agn_dict *d, const gibbs *g, int32_t i)
{
    const agn_tensor *x = g->blocks[i].start;
    int64_t shape[AGN_MAX_RANK] = {g->o.chains, g->o.draws};
    if (x->ndim + 2 > AGN_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "%s: %s has %d axes", g->op, g->blocks[i].name, x->ndim);
    memcpy(shape + 2, x->shape, (size_t)x->ndim * sizeof *shape);
    return agni_put_host(d, g->blocks[i].name, agn_dtype_of(x), x->ndim + 2, shape, g->draws[i]);
}
agn_status agn_infer_gibbs(agn_dict **out, const agn_gibbs_block *blocks, int32_t n,
                           const agn_chain_options *opts)
{
    const char *op = "infer_gibbs";
    if (!out || !blocks)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, !out ? "out" : "blocks");
    if (agni_check_size(op, agn_chain_options, opts))
        return AGN_EARG;
    if (opts && (opts->start || opts->resume || opts->target_accept != 0))
        return agni_fail(AGN_EARG, "%s: start, resume and target_accept are not for it", op);
    agn_status st = check_blocks(op, blocks, n);
    if (st)
        return st;
    gibbs *g = agni_zalloc(sizeof *g);
    agn_dict *d = NULL;
    if (!g)
        return agni_nomem(op, sizeof *g);
    *g = (gibbs){.op = op, .blocks = blocks, .n = n};
    if (opts) {
        g->o.warmup = opts->warmup;
        g->o.draws = opts->draws;
        g->o.chains = opts->chains;
        g->o.seed = opts->seed;
    }
    st = agni_check_options(op, &g->o);
    for (int32_t i = 0; !st && i < n; i++) {
        int64_t all;
        g->bytes[i] = (size_t)agn_numel(blocks[i].start) *
                      agn_dtype_size(agn_dtype_of(blocks[i].start));
        if (!agni_checked_mul(g->o.chains * g->o.draws, (int64_t)g->bytes[i], &all))
            st = agni_fail(AGN_ENOMEM, "%s: draws of %s", op, blocks[i].name);
        else if (!(g->draws[i] = agni_alloc((size_t)(all ? all : 1))))
            st = agni_nomem(op, (size_t)all);
    }
    if (!st)
        agni_parallel_for(g->o.chains, chain_job, g);
    for (int64_t i = 0; !st && i < g->o.chains; i++)
        if (g->status[i])
            st = agni_fail(g->status[i], "%s", g->reason[i]);
    st = st ? st : agn_dict_new(&d);
    for (int32_t i = 0; !st && i < n; i++)
        st = put_block(d, g, i);
    if (!st)
        agni_report_progress("sampling", 1);
    for (int32_t i = 0; i < n; i++)
        agni_free(g->draws[i]);
    agni_free(g);
    if (st)
        agn_dict_release(d);
    else
        *out = d;
    return st;
}
