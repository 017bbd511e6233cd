/* exchange/chrome_trace.c - the steps of a plan as a trace in the "Trace Event Format" of the
   catapult project (JSON), which chrome://tracing, Perfetto and Speedscope show. */
#include "exchange/formats/json.h"

#include "graph/plan/cost.h"
#include "graph/plan/profile.h"
#include "graph/tiles/tile.h"

/* A complete event, "ph": "X": times in microseconds. Row 0 has the steps, row k + 1 what thread k
   of the pool did. */
static agn_status put_event(agni_output *o, const agni_profile *q, const agni_span *s,
                            const char *name, int row, const char *args)
{
    char line[256];
    agni_format(line, sizeof line,
                ", \"ph\": \"X\", \"pid\": 0, \"tid\": %d, \"ts\": %.3f, \"dur\": "
                "%.3f, \"args\": {%s}}",
                row, 1e-3 * (double)(s->from - q->start),
                1e-3 * (double)(s->to - s->from), args);
    agn_status st = agni_put_text(o, ",\n{\"name\": ");
    st = st ? st : agni_json_put_text(o, name);
    return st ? st : agni_put_text(o, line);
}

static agn_status put_step(agni_output *o, const agni_profile *q, const agni_span *span,
                           int32_t i)
{
    const agni_step *s = &q->plan->step[i];
    agni_cost c = agni_step_cost(q->plan, s);
    char name[64], args[128];
    agni_step_name(name, sizeof name, s);
    agni_format(args, sizeof args, "\"step\": %d, \"flops\": %.0f, \"bytes\": %.0f", i,
                c.flops, c.bytes);
    agn_status st = put_event(o, q, &span[i], name, 0, args);
    int32_t n = s->kind == AGNI_STEP_REGION ? s->region->n_chunk : 0;
    for (int32_t k = 0; !st && k < n; k++) {
        const agni_span *chunk = &span[q->first[i] + k];
        agni_format(name, sizeof name, "chunk %d", k);
        agni_format(args, sizeof args, "\"step\": %d", i);
        st = put_event(o, q, chunk, name, 1 + chunk->worker, args);
    }
    return st;
}

static agn_status put_row(agni_output *o, int row, const char *name)
{
    char line[160];
    agni_format(
        line, sizeof line,
        "%s\n{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": 0, \"tid\": %d, "
        "\"args\": {\"name\": \"%s\"}}",
        row ? "," : "", row, name);
    return agni_put_text(o, line);
}

static agn_status put_trace(agni_output *o, const void *user)
{
    const agni_profile *q = user;
    int most = 0;
    for (size_t i = 0; i < (size_t)q->calls * (size_t)q->n_span; i++)
        most = q->span[i].worker > most ? q->span[i].worker : most;
    agn_status st = agni_put_text(o,
                                  "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [");
    st = st ? st : put_row(o, 0, "steps");
    for (int w = 0; !st && w <= most; w++) {
        char name[32];
        agni_format(name, sizeof name, "thread %d", w);
        st = put_row(o, 1 + w, name);
    }
    for (int32_t c = 0; !st && c < q->calls; c++)
        for (int32_t i = 0; !st && i < q->plan->n_step; i++)
            st = put_step(o, q, q->span + (size_t)c * (size_t)q->n_span, i);
    return st ? st : agni_put_text(o, "\n]}\n");
}

agn_status agn_plan_trace_save(const char *path, const agn_fn *f,
                               const agn_tensor *const *in, int32_t n_in, int32_t calls)
{
    if (!path || !f)
        return agni_fail(AGN_ENULL, "plan_trace_save: %s is NULL", path ? "f" : "path");
    agni_profile *q = NULL;
    agn_status st = agni_check_n_in("plan_trace_save", f, in, n_in);
    if (!st)
        st = agni_profile_make(&q, "plan_trace_save", f, in, calls);
    if (!st)
        st = agni_save("plan_trace_save", path, put_trace, q);
    agni_profile_free(q);
    return st;
}
