/* graph/plan/replay.c - replay of a plan: arguments and results that lie where they lay before
   find a graph of all launches, which is queued as one. Memory of a loop comes back from the pool
   in turns, so that a few addresses return again and again; a graph is made when they are met for
   the second time, or of a plan with loops at once. A step that needs memory or the host refuses to be part of one, and the plan
   runs without graphs from then on; so does a plan whose graphs are thrown away before they
   pay. */
#include "graph/plan/replay.h"

#include "core/device/backend_registry.h"
#include "graph/plan/device_loop.h"
#include "graph/launch/device_region.h"

enum { GRAPHS = 8, SEEN = 32, LEAST_STEPS = 2, TRIES = 4 * GRAPHS };

struct agni_replays {
    void *graph[GRAPHS]; /* NULL: there is none */
    uint64_t seen[SEEN];
    int next, next_seen;
    int64_t made, found; /* graphs, and calls that found theirs */
    void *base[];        /* of moving buffers, by graph */
};

static uint64_t hash_memory(const agni_plan *p, const agni_workspace *w)
{
    uint64_t h = 0x4bf29ce484222325u;
    for (int k = 0; k < p->n_moving_buffer; k++)
        h = (h ^ (uint64_t)(uintptr_t)w->base[p->moving_buffer[k]]) * 0x100000001b3u;
    return h | 1;
}

static void *find_graph(const agni_plan *p, const agni_workspace *w)
{
    const struct agni_replays *q = w->replays;
    for (int i = 0; i < GRAPHS; i++) {
        void *const *base = q->base + i * p->n_moving_buffer;
        int k = 0;
        while (k < p->n_moving_buffer && base[k] == (void *)w->base[p->moving_buffer[k]])
            k++;
        if (q->graph[i] && k == p->n_moving_buffer)
            return q->graph[i];
    }
    return NULL;
}

static bool was_seen(struct agni_replays *q, uint64_t h)
{
    for (int i = 0; i < SEEN; i++)
        if (q->seen[i] == h)
            return true;
    q->seen[q->next_seen++ % SEEN] = h;
    return false;
}

/* what a device can queue without the host */
static bool is_recordable(const agni_plan *p)
{
    bool loops = false;
    for (int i = 0; i < p->n_step; i++) {
        const agni_step *s = &p->step[i];
        if (s->kind == AGNI_STEP_EVAL || s->prepacked || s->loops_end ||
            (s->kind == AGNI_STEP_LOOP && !agni_device_loop_is_recordable(s->device_loop)))
            return false;
        loops = loops || s->kind == AGNI_STEP_LOOP;
    }
    return (loops || p->n_step >= LEAST_STEPS) && agni_backend_has_graphs(agni_backend_of(p->device));
}

/* The host is not asked meanwhile: what it would do could not be part of a graph. */
static agn_status queue_steps(agni_plan *p, agni_workspace *w)
{
    agn_status st = AGN_OK;
    for (int i = 0; !st && i < p->n_step; i++) {
        const agni_step *s = &p->step[i];
        st = s->kind == AGNI_STEP_KERNEL ? s->run(&w->call[i])
             : s->kind == AGNI_STEP_LOOP ? agni_device_loop_record(p, w, i, queue_steps)
                                         : agni_region_launch(s->region, p, w);
    }
    return st;
}

static void *record_graph(agni_plan *p, agni_workspace *w)
{
    const agn_backend *b = agni_backend_of(p->device);
    int32_t device = agni_device_ordinal(p->device);
    void *own = w->stream, *stream = NULL, *graph = NULL;
    if (b->begin_graph(device, &stream))
        return NULL;
    agni_workspace_set_stream(w, p, stream);
    agn_status st = queue_steps(p, w);
    agni_workspace_set_stream(w, p, own);
    if (b->end_graph(device, &graph))
        graph = NULL;
    if (st && graph) {
        b->free_graph(device, graph);
        graph = NULL;
    }
    return graph;
}

static void keep_graph(const agni_plan *p, const agni_workspace *w, void *graph)
{
    struct agni_replays *q = w->replays;
    int i = q->next++ % GRAPHS;
    if (q->graph[i])
        agni_backend_of(p->device)->free_graph(agni_device_ordinal(p->device), q->graph[i]);
    q->graph[i] = graph;
    q->made++;
    for (int k = 0; k < p->n_moving_buffer; k++)
        q->base[i * p->n_moving_buffer + k] = w->base[p->moving_buffer[k]];
}

static agn_status launch_graph(const agni_plan *p, const agni_workspace *w, void *graph)
{
    if (agni_check_interrupt())
        return agni_fail(AGN_ECANCELLED, "call: cancelled at step 0 of %d", p->n_step);
    agn_status st = agni_backend_of(p->device)->launch_graph(agni_device_ordinal(p->device), graph);
    if (w->tell && !st)
        agni_report_progress("call", 1);
    return st;
}

static struct agni_replays *make_replays(const agni_plan *p)
{
    const struct agni_replays *q = NULL;
    size_t bases = (size_t)p->n_moving_buffer * GRAPHS * sizeof *q->base;
    return is_recordable(p) ? agni_zalloc(sizeof *q + bases) : NULL;
}

agn_status agni_replay_or_run(agni_plan *p, agni_workspace *w, agni_run_steps *run)
{
    if (w->clock || atomic_load_explicit(&p->no_graphs, memory_order_relaxed))
        return run(p, w);
    if (!w->replays)
        w->replays = make_replays(p);
    if (!w->replays) {
        atomic_store(&p->no_graphs, true);
        return run(p, w);
    }
    void *graph = find_graph(p, w);
    w->replays->found += graph != NULL;
    if (!graph) {
        bool loops = w->body; /* each of their steps would be many launches */
        if (!was_seen(w->replays, hash_memory(p, w)) && !loops)
            return run(p, w);
        bool pays = loops || w->replays->made < TRIES || w->replays->found > w->replays->made;
        graph = pays ? record_graph(p, w) : NULL;
        if (!graph) {
            atomic_store(&p->no_graphs, true);
            return run(p, w);
        }
        keep_graph(p, w, graph);
    }
    return launch_graph(p, w, graph);
}

void agni_replays_free(const agni_workspace *w, int32_t device)
{
    for (int i = 0; w->replays && i < GRAPHS; i++)
        if (w->replays->graph[i])
            agni_backend_of(device)->free_graph(agni_device_ordinal(device), w->replays->graph[i]);
    agni_free(w->replays);
}
