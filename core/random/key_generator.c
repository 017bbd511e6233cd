/* core/random/key_generator.c - sources of keys: a seed and the number of its next stream. */
#include "core/core.h"
#include "core/fork_mutex.h"
#include "core/random/philox.h"

struct agn_generator {
    agni_obj head;
    agni_mutex held; /* a critical section reads or writes the pair below */
    uint64_t seed, stream;
};

static void destroy_generator(agni_obj *o)
{
    agni_mutex_destroy(&((agn_generator *)o)->held);
    agni_obj_free(o, sizeof(agn_generator));
}

static const agni_obj_type generator_type = {.name = "generator",
                                             .destroy = destroy_generator};

static void lock_generator(agn_generator *g)
{
    agni_mutex_lock(&g->held);
}

static void unlock_generator(agn_generator *g)
{
    agni_mutex_unlock(&g->held);
}

agn_status agn_generator_new(agn_generator **out, uint64_t seed)
{
    if (!out)
        return agni_fail(AGN_ENULL, "generator_new: out is NULL");
    agn_generator *g = agni_alloc(sizeof *g);
    if (!g)
        return agni_nomem("generator_new", sizeof *g);
    agni_ref_init(&g->head.ref);
    g->head.type = &generator_type;
    agni_mutex_init(&g->held);
    g->seed = seed;
    g->stream = 0;
    *out = g;
    return AGN_OK;
}

void agn_generator_release(agn_generator *g)
{
    agni_obj_release((agni_obj *)g);
}

agn_status agn_generator_get(const agn_generator *g, uint64_t *seed, uint64_t *stream)
{
    if (!g)
        return agni_fail(AGN_ENULL, "generator_get: the generator is NULL");
    agn_status gone = agni_check_handle("generator_get", &g->head);
    if (gone)
        return gone;
    agn_generator *mine = (agn_generator *)g;
    lock_generator(mine);
    uint64_t seed_now = g->seed, stream_now = g->stream;
    unlock_generator(mine);
    if (seed)
        *seed = seed_now;
    if (stream)
        *stream = stream_now;
    return AGN_OK;
}

agn_status agn_generator_set(agn_generator *g, uint64_t seed, uint64_t stream)
{
    if (!g)
        return agni_fail(AGN_ENULL, "generator_set: the generator is NULL");
    agn_status gone = agni_check_handle("generator_set", &g->head);
    if (gone)
        return gone;
    lock_generator(g);
    g->seed = seed;
    g->stream = stream;
    unlock_generator(g);
    return AGN_OK;
}

agn_status agn_generator_skip(agn_generator *g, uint64_t n)
{
    if (!g)
        return agni_fail(AGN_ENULL, "generator_skip: the generator is NULL");
    agn_status gone = agni_check_handle("generator_skip", &g->head);
    if (gone)
        return gone;
    lock_generator(g);
    g->stream += n;
    unlock_generator(g);
    return AGN_OK;
}

/* the seed is a fold of the stream's sub-key, which no op draws under */
agn_status agn_generator_split(agn_generator **out, agn_generator *g)
{
    if (!out || !g)
        return agni_fail(AGN_ENULL, "generator_split: %s is NULL", out ? "the generator" : "out");
    agn_generator *other;
    uint64_t seed, stream;
    agn_status st = agn_generator_new(&other, 0);
    if (st)
        return st;
    agni_generator_next(g, &seed, &stream);
    other->seed = agni_philox_fold(agni_philox_subkey(seed, stream), UINT64_MAX);
    *out = other;
    return AGN_OK;
}

void agni_generator_next(agn_generator *g, uint64_t *seed, uint64_t *stream)
{
    lock_generator(g);
    *seed = g->seed;
    *stream = g->stream++;
    unlock_generator(g);
}
