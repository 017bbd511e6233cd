/* graph/plan/explain.c - a plan as text. */
#include "graph/plan/device_loop.h"
#include "graph/plan/cost.h"
#include "graph/launch/launch.h"
#include "graph/tiles/tile_text.h"

#include "core/internal.h"
#include "tensor/dispatch/host_run.h"
#include <stdlib.h>
#include <string.h>

static const char *const buffer_kinds[] = {"argument", "constant", "arena", "result"};

agn_status agni_text_copy_out(const char *op, agni_text *t, char *buf, size_t n, size_t *need)
{
    agn_status st = t->failed || !t->p ? agni_nomem(op, t->cap) : AGN_OK;
    if (!st && n) {
        size_t k = t->n < n - 1 ? t->n : n - 1;
        memcpy(buf, t->p, k);
        buf[k] = '\0';
    }
    if (!st && need)
        *need = t->n + 1;
    agni_free(t->p);
    return st;
}

static void say_value(const agni_plan *p, agni_text *t, int32_t v)
{
    const agni_plan_value *q = &p->val[v];
    const agni_buffer *r = &p->buffer[q->buffer];
    agni_text_append(t, " %%%d %s%s", v, agni_dtypes[q->h->dtype].name, AGNI_SHAPE(q->h));
    if (r->kind != AGNI_IN_ARENA)
        agni_text_append(t, "=%s", buffer_kinds[r->kind]);
}

/* ---- what a step is made of, and what that must cost ----------------------------------------- */

typedef struct tally {
    const char *name;
    int32_t n;
} tally;

static int compare_count(const void *a, const void *b)
{
    const tally *x = a, *y = b;
    return x->n != y->n ? (x->n < y->n) - (x->n > y->n) : strcmp(x->name, y->name);
}

void agni_text_append_nodes(agni_text *t, const agni_ir *ir, const int32_t *node, int32_t n)
{
    enum { MOST = 64 }; /* ops apart; what is beyond counts as others */
    tally of[MOST + 1] = {[MOST] = {"others", 0}};
    int k = 0;
    for (int32_t i = 0; i < n; i++) {
        const char *name = ir->node[node[i]].op->name;
        int j = 0;
        while (j < k && strcmp(of[j].name, name) != 0)
            j++;
        if (j == k && k < MOST)
            of[k++] = (tally){name, 0};
        of[j].n++; /* of[MOST] counts what found no row */
    }
    qsort(of, (size_t)k, sizeof *of, compare_count);
    k += of[MOST].n > 0;
    for (int j = 0; j < k; j++)
        agni_text_append(t, "%s%d %s", j ? ", " : "", of[j].n, of[j].name);
}

static void say_cost(agni_text *t, const agni_cost *c, const agni_rates *r)
{
    agni_text_append(t, "    at least %.4g flops, %.4g bytes: %.4g ms in one thread\n", c->flops,
                     c->bytes, agni_bound_ms(c, r));
}

static void say_region(const agni_region *r, agni_text *t)
{
    agni_text_append(
        t,
        " region of %lld rows: %d chunks of %lld, tiles of %lld; %d instructions, %d "
        "fused; %lld numbers alive in a tile's row, %lld accumulators, %lld packed; "
        "%lld flops of products per row\n",
        (long long)r->N, r->n_chunk, (long long)r->chunk, (long long)r->T, r->n_in,
        r->fused, (long long)r->rows, (long long)r->acc, (long long)r->packed,
        (long long)r->flops);
    if (r->threads)
        agni_text_append(t, "    blocks of %d threads, %lld numbers of weights in shared memory\n",
                         r->threads, (long long)r->kept);
}

/* the kernel that a step begins */
static void say_launch(const agni_launch *l, agni_text *t)
{
    int32_t tail = 0;
    for (int32_t k = 0; k < l->end - l->first; k++)
        tail += l->member[k].tail;
    agni_text_append(t, "    one kernel of %d blocks, steps %d to %d", l->blocks, l->first,
                     l->end - 1);
    if (l->together)
        agni_text_append(t, ", in %d phases, between which they wait for each other",
                         l->member[l->end - l->first - 1].phase + 1);
    if (l->sum_blocks)
        agni_text_append(t, ", and a second that adds their sums");
    if (tail)
        agni_text_append(t, "; %s block runs %d of them", l->together ? "one" : "the last", tail);
    if (l->lent)
        agni_text_append(t, "; its tiles lie in device memory");
    agni_text_append(t, "\n");
}

/* the entries that a step is about, and its attributes by their names in the op's row */
static void say_pattern(agni_text *t, const agni_step *s)
{
    const agni_pattern *p = agni_step_pattern(s);
    if (!p)
        return;
    agni_text_append(t, "    pattern [%lld,%lld], %lld entries, %s", (long long)p->rows,
                     (long long)p->cols, (long long)p->nnz, p->wide ? "i64" : "i32");
    const char *word = s->op->takes;
    for (int i = 0; i < s->at->ni; i++) {
        int n = (int)strcspn(word, ":"), begin = n;
        while (begin > 0 && word[begin - 1] != ' ')
            begin--;
        agni_text_append(t, ", %.*s %lld", n - begin, word + begin, (long long)s->at->i[i]);
        word += n + (word[n] == ':');
    }
    agni_text_append(t, "\n");
}

/* the bound of a plan is the sum of those of its steps, which run one after the other; what regions
   compute again is counted once */
static void say_bound(const agni_plan *p, agni_text *t, const agni_rates *r)
{
    double flops = 0, bytes = 0, ms = 0;
    bool *seen = agni_zalloc((size_t)p->ir->n_node + 1);
    for (int i = 0; i < p->n_step; i++) {
        agni_cost c = agni_step_cost(p, &p->step[i]);
        c.flops -= seen ? agni_repeated_flops(p, &p->step[i], seen) : 0;
        flops += c.flops;
        bytes += c.bytes;
        ms += agni_bound_ms(&c, r);
    }
    agni_free(seen);
    agni_text_append(t,
             "bound: %.4g flops, %.4g bytes: %.4g ms in one thread of this machine (%.3g "
             "Gflop/s f64, %.3g f32, %.3g GB/s)\n",
             flops, bytes, ms, 1e-9 * r->flops64, 1e-9 * r->flops32, 1e-9 * r->bytes);
}

/* a loop or a branch of a device and the steps of its body */
static void say_loop(const agni_device_loop *l, agni_text *t)
{
    long long driven = atomic_load(&l->driven);
    if (l->form.n_branch)
        agni_text_append(t, "    branch %d of %d: ", l->form.branch, l->form.n_branch);
    else
        agni_text_append(t, "    a loop: ");
    if (l->form.length >= 0 && !l->form.n_branch)
        agni_text_append(t, "%s%lld times ", l->form.open ? "at most " : "",
                         (long long)l->form.length);
    if (l->form.open)
        agni_text_append(t, "as long as a value says so ");
    agni_text_append(t, "%d steps, %s\n", l->body->n_step,
                     agni_device_loop_is_recordable(l) ? "one node of a graph"
                     : atomic_load(&l->declined)       ? "queued by the host: the driver has no "
                                                         "conditional nodes"
                                                       : "queued by the host");
    if (driven)
        agni_text_append(t, "    the host queued its body %lld times\n", driven);
}

/* a step between graphs: of an op that runs on the host, or by others */
static void say_host(const agni_step *s, agni_text *t)
{
    const agni_host_row *host = s->op->cpu ? agni_find_host_row(s->op->name) : NULL;
    if (host)
        agni_text_append(t, "    on the host, with copies there and back: %s\n", host->why);
    else
        agni_text_append(t, "    by other ops, outside of graphs\n");
}

/* before: what a line of a step begins with */
static void say_steps(const agni_plan *p, agni_text *t, const agni_rates *r, const char *before)
{
    for (int i = 0; i < p->n_step; i++) {
        const agni_step *s = &p->step[i];
        agni_cost c = agni_step_cost(p, s);
        if (s->launch)
            say_launch(s->launch, t);
        agni_text_append(t, "%sstep %d:", before, i);
        if (s->kind == AGNI_STEP_REGION) {
            say_region(s->region, t);
            agni_text_append(t, "    made of ");
            agni_text_append_nodes(t, p->ir, s->region->node, s->region->n_node);
            agni_text_append(t, "\n");
            say_cost(t, &c, r);
            agni_tile_describe(s->region, t);
            continue;
        }
        for (int k = 0; k < s->nout; k++)
            say_value(p, t, p->arr[s->arr + s->nin + k]);
        agni_text_append(t, " <- %s", s->op->name);
        for (int k = 0; k < s->nin; k++)
            say_value(p, t, p->arr[s->arr + k]);
        agni_text_append(t, "\n");
        say_pattern(t, s);
        say_cost(t, &c, r);
        if (s->kind == AGNI_STEP_EVAL && p->device != AGN_CPU)
            say_host(s, t);
        if (s->kind == AGNI_STEP_LOOP) {
            say_loop(s->device_loop, t);
            say_steps(s->device_loop->body, t, r, "    body ");
        }
    }
}

/* kernels and other steps of a call, where no loop is */
static int count_launches(const agni_plan *p)
{
    int n = 0;
    for (int i = 0; i < p->n_step; n++) {
        const agni_launch *l = p->step[i].launch;
        n += l && l->sum_blocks;
        i = l ? l->end : i + 1;
    }
    return n;
}

agn_status agni_plan_describe(const agni_plan *p, agni_text *t)
{
    agni_rates r;
    agn_status st = agni_rates_get(&r, "plan_explain");
    if (st)
        return st;
    agni_text_append(
        t,
        "plan: %d arguments, %d results, %d nodes traced, %d after simplification, "
        "%d steps\n",
        p->n_in, p->n_out, p->n_traced, p->ir->n_node, p->n_step);
    agni_text_append(
        t,
        "memory: %lld bytes shared by steps, %lld bytes of tiles per thread; planned in "
        "%.2f ms\n",
        (long long)p->arena, (long long)p->tile, p->ms);
    say_bound(p, t, &r);
    if (p->device != AGN_CPU)
        agni_text_append(t, "launches: %d\n", count_launches(p));
    say_steps(p, t, &r, "");
    return AGN_OK;
}
