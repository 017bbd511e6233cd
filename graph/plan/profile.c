/* graph/plan/profile.c - the time of each step, over many calls. */
#include "graph/plan/profile.h"

#include "graph/plan/compile.h"
#include "graph/plan/cost.h"
#include "graph/tiles/tile.h"
#include <math.h>

/* ---- taking --------------------------------------------------------------------------------- */

void agni_profile_free(agni_profile *q)
{
    if (!q)
        return;
    agni_plan_release(q->plan);
    agni_free(q->first);
    agni_free(q->span);
    agni_free(q);
}

/* memory for spans; first[] is where the chunks of each step begin */
static agn_status make_room(agni_profile *q, const char *op)
{
    const agni_plan *p = q->plan;
    int64_t n = p->n_step, all;
    if (!(q->first = agni_alloc(((size_t)n + 1) * sizeof *q->first)))
        return agni_nomem(op, (size_t)n * sizeof *q->first);
    for (int i = 0; i < p->n_step; i++) {
        q->first[i] = (int32_t)n;
        n += p->step[i].kind == AGNI_STEP_REGION ? p->step[i].region->n_chunk : 0;
    }
    q->n_span = (int32_t)n;
    if (!agni_checked_mul(n + 1, (int64_t)sizeof *q->span, &all) ||
        !agni_checked_mul(all, q->calls, &all) || !(q->span = agni_zalloc((size_t)all)))
        return agni_nomem(op, (size_t)n * (size_t)q->calls * sizeof *q->span);
    return AGN_OK;
}

agn_status agni_profile_make(agni_profile **out, const char *op, const agn_fn *f,
                             const agn_tensor *const *in, int32_t calls)
{
    if (calls < 1)
        return agni_fail(AGN_EARG, "%s: %d calls are asked for; at least 1 can be made",
                         op, calls);
    agni_profile *q = agni_zalloc(sizeof *q);
    if (!q)
        return agni_nomem(op, sizeof *q);
    q->calls = calls;
    agn_status st = agni_compiled_plan(op, &q->plan, f, in);
    if (!st)
        st = make_room(q, op);
    if (!st)
        st = agni_plan_run_timed(q->plan, in, NULL); /* memory is there from now on */
    q->start = agni_now_ns();
    for (int32_t c = 0; !st && c < calls; c++) {
        agni_clock k = {.step = q->span + (size_t)c * (size_t)q->n_span};
        k.chunk = k.step + q->plan->n_step;
        st = agni_plan_run_timed(q->plan, in, &k);
    }
    if (st)
        agni_profile_free(q);
    else
        *out = q;
    return st;
}

/* ---- telling --------------------------------------------------------------------------------- */

void agni_step_name(char *buf, size_t n, const agni_step *s)
{
    if (s->kind == AGNI_STEP_REGION)
        agni_format(buf, n, "region of %lld rows", (long long)s->region->N);
    else
        agni_format(buf, n, "%s", s->op->name);
}

typedef struct total {
    double sum, least; /* ns */
} total;

static total total_of(const agni_profile *q, int32_t step)
{
    total t = {0, (double)INFINITY};
    for (int32_t c = 0; c < q->calls; c++) {
        const agni_span *s = &q->span[(size_t)c * (size_t)q->n_span + (size_t)step];
        double ns = (double)(s->to - s->from);
        t.sum += ns;
        t.least = fmin(t.least, ns);
    }
    return t;
}

static void say_step(agni_text *t, const agni_profile *q, const agni_rates *r,
                     int32_t i, double all)
{
    const agni_step *s = &q->plan->step[i];
    agni_cost c = agni_step_cost(q->plan, s);
    total of = total_of(q, i);
    char name[64];
    agni_step_name(name, sizeof name, s);
    agni_text_append(t, "%4d  %-28s %9.4f %9.4f %6.1f%% %10.3g %10.3g %9.4f ", i, name,
             1e-6 * of.sum / q->calls, 1e-6 * of.least,
             all > 0 ? 100 * of.sum / all : 0, c.flops, c.bytes, agni_bound_ms(&c, r));
    if (s->kind == AGNI_STEP_REGION)
        agni_text_append_nodes(t, q->plan->ir, s->region->node, s->region->n_node);
    agni_text_append(t, "\n");
}

agn_status agn_plan_profile(char *buf, size_t n, size_t *need, const agn_fn *f,
                            const agn_tensor *const *in, int32_t n_in, int32_t calls)
{
    if (!f || (!buf && n))
        return agni_fail(AGN_ENULL, "plan_profile: %s is NULL", f ? "buf" : "f");
    agni_profile *q = NULL;
    agni_rates r;
    agn_status st = agni_check_n_in("plan_profile", f, in, n_in);
    if (!st)
        st = agni_rates_get(&r, "plan_profile");
    if (!st)
        st = agni_profile_make(&q, "plan_profile", f, in, calls);
    if (st)
        return st;
    double all = 0;
    for (int32_t i = 0; i < q->plan->n_step; i++)
        all += total_of(q, i).sum;
    agni_text t = {NULL, 0, 0, false};
    agni_text_append(&t, "profile: %d calls, %.4f ms in the steps of each, %d threads\n", calls,
             1e-6 * all / calls, agn_threads());
    agni_text_append(&t, "step  %-28s %9s %9s %7s %10s %10s %9s %s\n", "", "mean ms",
             "least ms", "share", "flops", "bytes", "bound ms", "made of");
    for (int32_t i = 0; i < q->plan->n_step; i++)
        say_step(&t, q, &r, i, all);
    agni_profile_free(q);
    return agni_text_copy_out("plan_profile", &t, buf, n, need);
}
