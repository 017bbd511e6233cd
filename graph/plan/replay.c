/* graph/plan/replay.c - replay of a plan: arguments and results that lie where they lay before
   find graphs of all launches. What a device can queue without the host is one part of the plan,
   and one graph; between parts stand steps that need memory or the host (an op that runs there, a
   decomposition), which run as they are. Memory of a loop comes back from the pool in turns, so that
   a few addresses return again and again; graphs are made when they are met for the second time, or of
   a plan with loops at once. A plan whose kernels refuse to be part of a graph runs without from then
   on; so does one whose graphs are thrown away before they pay. */
#include "graph/plan/replay.h"

#include "core/device/backend_registry.h"
#include "graph/plan/device_loop.h"
#include "graph/launch/launch.h"

enum { GRAPHS = 8, SEEN = 32, LEAST_STEPS = 2, TRIES = 4 * GRAPHS };

/* steps that follow each other */
typedef struct plan_part {
    int32_t end;
    bool graph; /* else they run one by one */
} plan_part;

struct agni_replays {
    bool there[GRAPHS];
    uint64_t seen[SEEN];
    int next, next_seen;
    int64_t made, found; /* graphs of the whole plan, and calls that found theirs */
    int n_part;
    plan_part *part;
    void **graph; /* of part k of the plan's i-th: [i * n_part + k]; NULL: it has none */
    void *base[]; /* of moving buffers, by graph */
};

static uint64_t hash_memory(const agni_plan *p, const agni_workspace *w)
{
    uint64_t h = 0x4bf29ce484222325u;
    for (int k = 0; k < p->n_moving_buffer; k++)
        h = (h ^ (uint64_t)(uintptr_t)w->base[p->moving_buffer[k]]) * 0x100000001b3u;
    return h | 1;
}

/* number of the graphs for this memory, -1 */
static int find_graphs(const agni_plan *p, const agni_workspace *w)
{
    const struct agni_replays *q = w->replays;
    for (int i = 0; i < GRAPHS; i++) {
        void *const *base = q->base + i * p->n_moving_buffer;
        int k = 0;
        while (k < p->n_moving_buffer && base[k] == (void *)w->base[p->moving_buffer[k]])
            k++;
        if (q->there[i] && k == p->n_moving_buffer)
            return i;
    }
    return -1;
}

static bool was_seen(struct agni_replays *q, uint64_t h)
{
    for (int i = 0; i < SEEN; i++)
        if (q->seen[i] == h)
            return true;
    q->seen[q->next_seen++ % SEEN] = h;
    return false;
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* what a device can queue without the host */
static bool is_recordable(const agni_step *s)
{
    return s->kind != AGNI_STEP_EVAL && !s->prepacked && !s->loops_end &&
           (s->kind != AGNI_STEP_LOOP || agni_device_loop_is_recordable(s->device_loop));
}

/* the end of the part that begins with step i; *pays: a graph is less work than its steps */
static int32_t end_of_part(const agni_plan *p, int32_t i, bool *pays)
{
    bool graph = is_recordable(&p->step[i]), loops = false;
    int32_t end = i;
    for (; end < p->n_step && is_recordable(&p->step[end]) == graph; end++)
        loops = loops || p->step[end].kind == AGNI_STEP_LOOP;
    *pays = graph && (loops || end - i >= LEAST_STEPS);
    return end;
}

/* The host is not asked meanwhile: what it would do could not be part of a graph. */
static agn_status queue_part(agni_plan *p, agni_workspace *w, int32_t from, int32_t to)
{
    agn_status st = AGN_OK;
    for (int i = from; !st && i < to; i++) {
        const agni_step *s = &p->step[i];
        st = s->launch                   ? agni_launch_run(s->launch, p, w)
             : s->kind == AGNI_STEP_LOOP ? agni_device_loop_record(p, w, i, queue_part)
                                         : s->run(&w->call[i]);
        i = s->launch ? s->launch->end - 1 : i;
    }
    return st;
}

static void *record_graph(agni_plan *p, agni_workspace *w, int32_t from, int32_t to)
{
    const agn_backend *b = agni_backend_of(p->device);
    int32_t device = agni_device_ordinal(p->device);
    void *own = w->stream, *stream = NULL, *graph = NULL;
    if (b->begin_graph(device, &stream))
        return NULL;
    agni_workspace_set_stream(w, p, stream);
    agn_status st = queue_part(p, w, from, to);
    agni_workspace_set_stream(w, p, own);
    if (b->end_graph(device, &graph))
        graph = NULL;
    if (st && graph) {
        b->free_graph(device, graph);
        graph = NULL;
    }
    return graph;
}

static void free_graphs(struct agni_replays *q, int i, int32_t device)
{
    for (int k = 0; k < q->n_part; k++) {
        void **g = &q->graph[i * q->n_part + k];
        if (*g)
            agni_backend_of(device)->free_graph(agni_device_ordinal(device), *g);
        *g = NULL;
    }
    q->there[i] = false;
}

/* the graphs of all parts, in place of the oldest; their number, -1 */
static int record_graphs(agni_plan *p, agni_workspace *w)
{
    struct agni_replays *q = w->replays;
    int i = q->next++ % GRAPHS, from = 0;
    free_graphs(q, i, p->device);
    for (int k = 0; k < q->n_part; from = q->part[k++].end) {
        if (!q->part[k].graph)
            continue;
        q->graph[i * q->n_part + k] = record_graph(p, w, from, q->part[k].end);
        if (!q->graph[i * q->n_part + k]) {
            free_graphs(q, i, p->device);
            return -1;
        }
    }
    q->there[i] = true;
    q->made++;
    for (int k = 0; k < p->n_moving_buffer; k++)
        q->base[i * p->n_moving_buffer + k] = w->base[p->moving_buffer[k]];
    return i;
}

static agn_status launch_graphs(agni_plan *p, agni_workspace *w, int i, agni_run_part *run)
{
    const struct agni_replays *q = w->replays;
    agn_status st = AGN_OK;
    int32_t from = 0;
    for (int k = 0; !st && k < q->n_part; from = q->part[k++].end) {
        if (agni_check_interrupt())
            return agni_fail(AGN_ECANCELLED, "call: cancelled at step %d of %d", from, p->n_step);
        st = q->part[k].graph ? agni_backend_of(p->device)->launch_graph(
                                    agni_device_ordinal(p->device), q->graph[i * q->n_part + k])
                              : run(p, w, from, q->part[k].end);
    }
    if (w->tell && !st)
        agni_report_progress("call", 1);
    return st;
}

/* NULL: no part of the plan is worth a graph */
static struct agni_replays *make_replays(const agni_plan *p)
{
    struct agni_replays *q = NULL;
    int n = 0;
    bool any = false, pays;
    for (int32_t i = 0; i < p->n_step; n++) {
        i = end_of_part(p, i, &pays);
        any = any || pays;
    }
    if (!any || !agni_backend_has_graphs(agni_backend_of(p->device)))
        return NULL;
    size_t words = (size_t)(p->n_moving_buffer + n) * GRAPHS;
    q = agni_zalloc(sizeof *q + words * sizeof *q->base + (size_t)n * sizeof *q->part);
    if (!q)
        return NULL;
    q->graph = q->base + (size_t)p->n_moving_buffer * GRAPHS;
    q->part = (plan_part *)(void *)(q->base + words);
    for (int32_t i = 0; i < p->n_step; q->n_part++) {
        i = end_of_part(p, i, &pays);
        q->part[q->n_part] = (plan_part){i, pays};
    }
    return q;
}

agn_status agni_replay_or_run(agni_plan *p, agni_workspace *w, agni_run_part *run)
{
    if (w->clock || atomic_load_explicit(&p->no_graphs, memory_order_relaxed))
        return run(p, w, 0, p->n_step);
    if (!w->replays)
        w->replays = make_replays(p);
    if (!w->replays) {
        atomic_store(&p->no_graphs, true);
        return run(p, w, 0, p->n_step);
    }
    int i = find_graphs(p, w);
    w->replays->found += i >= 0;
    if (i < 0) {
        bool loops = w->body; /* each of their steps would be many launches */
        if (!was_seen(w->replays, hash_memory(p, w)) && !loops)
            return run(p, w, 0, p->n_step);
        bool pays = w->replays->made < TRIES || w->replays->found > w->replays->made;
        i = pays ? record_graphs(p, w) : -1;
        if (i < 0) {
            atomic_store(&p->no_graphs, true);
            return run(p, w, 0, p->n_step);
        }
    }
    return launch_graphs(p, w, i, run);
}

void agni_replays_free(const agni_workspace *w, int32_t device)
{
    for (int i = 0; w->replays && i < GRAPHS; i++)
        free_graphs(w->replays, i, device);
    agni_free(w->replays);
}
