/* graph/plan/explain.c - a plan as text. */
#include "graph/plan/device_loop.h"
#include "graph/plan/cost.h"
#include "graph/launch/launch.h"
#include "graph/tiles/tile.h"

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

static const char *const map_names[] = {
#define NAME(name) #name,
    AGNI_VMAPS(NAME)};
static const char *const loop2_names[] = {AGNI_VLOOPS2(NAME)};
static const char *const loop3_names[] = {AGNI_VLOOPS3(NAME)};
#undef NAME
static const char *const tile_names[AGNI_T_COUNT] = {
    [AGNI_T_LOAD] = "load",
    [AGNI_T_STORE] = "store",
    [AGNI_T_LOAD_TRANSPOSED] = "take",
    [AGNI_T_STORE_TRANSPOSED] = "give",
    [AGNI_T_MAP] = "map",
    [AGNI_T_LOOP2] = "loop",
    [AGNI_T_LOOP3] = "loop",
    [AGNI_T_EAGER_LOOP] = "plain",
    [AGNI_T_GATHER_ROWS] = "rows",
    [AGNI_T_REDUCE] = "fold",
    [AGNI_T_PRODUCT] = "product",
    [AGNI_T_BATCHED_PRODUCT] = "batched product",
    [AGNI_T_OUTER_PRODUCT] = "outer",
    [AGNI_T_BATCH_SUM] = "row sum",
    [AGNI_T_CHAIN] = "chain",
};

static void say_operand(const agni_region *r, agni_text *t, const agni_tile_operand *o)
{
    if (o->kind == AGNI_ON_NUMBER)
        agni_text_append(t, " %g", r->num[o->id]);
    else
        agni_text_append(t, o->hop ? " %s%d[%d]%%%d+%d" : o->cycle ? " %s%d[%d]%%%d" : " %s%d[%d]",
                 o->kind == AGNI_ON_TILE ? "t" : "a", o->id, o->row, o->cycle, o->hop);
}

static void say_products(const agni_region *r, agni_text *t, const agni_tile_instr *q)
{
    const agni_tile_product *p = agni_tile_products(r, q);
    agni_text_append(t, "    product %lldx%lld", (long long)q->product.K, (long long)q->product.J);
    for (int32_t k = 0; k < q->product.count; k++, p++) {
        agni_text_append(t, "%s t%d[%d] <- t%d[%d]", k ? "," : "", p->y, p->y_row, p->x, p->x_row);
        if (p->bias >= 0)
            agni_text_append(t, " + a%d[%d]", p->bias, p->bias_row);
    }
    agni_text_append(t, "\n");
}

/* neighbours of a row that are rows of one buffer as [first:many] */
static void say_transposed(const agni_region *r, agni_text *t, const agni_tile_instr *q)
{
    const agni_transposed_run *s = agni_tile_runs(r, q);
    agni_text_append(t, "    %s a%d", tile_names[q->op], q->in[0].id);
    for (int32_t e = 0, n; e < q->E; e += n) {
        for (n = 1; n < s[e].run && s[e + n].buf == s[e].buf && s[e + n].row == s[e].row + n;)
            n++;
        agni_text_append(t, " [%d:%d] t%d[%d]", s[e].off, n, s[e].buf, s[e].row);
    }
    agni_text_append(t, "\n");
}

static void say_slot(const agni_region *r, agni_text *t, const agni_chain_slot *s)
{
    if (s->kind == AGNI_SLOT_NUMBER)
        agni_text_append(t, " %g", r->num[s->row]);
    else if (s->kind == AGNI_SLOT_UNIFORM)
        agni_text_append(t, " a%d[%d]", r->uniform[s->row].arr, r->uniform[s->row].row);
    else if (s->kind == AGNI_SLOT_SCRATCH)
        agni_text_append(t, " s%d", s->row);
    else if (s->kind == AGNI_SLOT_ARRAY)
        agni_text_append(t, " a%d", s->id);
    else
        agni_text_append(t, s->cycle ? " t%d[%d]%%%d" : " t%d[%d]", s->id, s->row, s->cycle);
}
static const char *const near_names[] = {
    [AGNI_VC_MUL] = "mul",   [AGNI_VC_ADD] = "add",   [AGNI_VC_SUB] = "sub",
    [AGNI_VC_FMA] = "fma",   [AGNI_VC_FNMA] = "fnma", [AGNI_VC_NEG] = "neg",
    [AGNI_VC_MULZ] = "mulz", [AGNI_VC_FMAZ] = "fmaz", [AGNI_VC_FMA_PRODUCT] = "fma of product",
    [AGNI_VC_DIV] = "div",   [AGNI_VC_MAGNITUDE] = "abs",   [AGNI_VC_EQ] = "eq",
    [AGNI_VC_WHERE] = "where"};
/* op and the operand that the step before hands on, by kind */
#define NEAR(name, op, sum, number, value) {AGNI_VC_##op, sum},
static const struct {
    uint8_t op, sum;
} row[] = {
#include "tensor/cpu/simd/fused_steps.def"
};
#undef NEAR
/* "_" is what a step hands to the next, or the next takes from it */
static void say_fused_step(const agni_region *r, agni_text *t, const agni_chain_slot *s,
                           const agni_chain_step *c, bool handed_on)
{
    const uint8_t in[] = {c->a, c->b, c->c};
    int op = row[c->kind].op, sum = row[c->kind].sum;
    bool three = op == AGNI_VC_FMA || op == AGNI_VC_FNMA || op == AGNI_VC_FMAZ ||
                 op == AGNI_VC_WHERE;
    int n = op == AGNI_VC_NEG || op == AGNI_VC_MAGNITUDE ? 1 : op == AGNI_VC_FMA_PRODUCT ? 4 : three ? 3 : 2;
    agni_text_append(t, "        %s", near_names[op]);
    if (handed_on)
        agni_text_append(t, " _");
    else
        say_slot(r, t, &s[c->to]);
    for (int k = 0; k < n; k++)
        if (sum == (n == 4 ? k : k + 1)) /* a product's factors and its number stand before it */
            agni_text_append(t, " _");
        else
            say_slot(r, t, &s[in[k]]);
    agni_text_append(t, "\n");
}
static void say_chain(const agni_region *r, agni_text *t, const agni_tile_instr *q)
{
    const agni_chain_slot *s = agni_tile_slots(r, q);
    const agni_chain_step *c = r->step + q->chain.first_step;
    agni_text_append(t, "    chain of %d, rows %d\n", q->chain.n_step, q->E);
    for (int32_t k = 0; k < q->chain.n_step; k++, c++) {
        if (c->kind < AGNI_VC_MAP) {
            int next = k + 1 < q->chain.n_step && c[1].kind < AGNI_VC_MAP ? row[c[1].kind].sum : 0;
            say_fused_step(r, t, s, c, next != 0);
            continue;
        }
        const char *f = c->kind == AGNI_VC_MAP     ? map_names[c->f]
                        : c->kind == AGNI_VC_LOOP2 ? loop2_names[c->f]
                                                   : loop3_names[c->f];
        agni_text_append(t, "        %s", f);
        say_slot(r, t, &s[c->to]);
        say_slot(r, t, &s[c->a]);
        if (c->kind != AGNI_VC_MAP)
            say_slot(r, t, &s[c->b]);
        if (c->kind == AGNI_VC_LOOP3)
            say_slot(r, t, &s[c->c]);
        agni_text_append(t, "\n");
    }
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
    if (l->sum_blocks)
        agni_text_append(t, ", and a second that adds their sums");
    if (tail)
        agni_text_append(t, "; the last block runs %d of them", tail);
    if (l->lent)
        agni_text_append(t, "; its tiles lie in device memory");
    agni_text_append(t, "\n");
}

static void say_instructions(const agni_region *r, agni_text *t)
{
    for (int32_t i = 0; i < r->n_in; i++) {
        const agni_tile_instr *q = &r->in[i];
        if (q->op == AGNI_T_PRODUCT || q->op == AGNI_T_CHAIN) {
            (q->op == AGNI_T_PRODUCT ? say_products : say_chain)(r, t, q);
            continue;
        }
        if (q->op == AGNI_T_LOAD_TRANSPOSED || q->op == AGNI_T_STORE_TRANSPOSED) {
            say_transposed(r, t, q);
            continue;
        }
        const char *f = q->op == AGNI_T_MAP     ? map_names[q->elementwise.kernel]
                        : q->op == AGNI_T_LOOP2 ? loop2_names[q->elementwise.kernel]
                        : q->op == AGNI_T_LOOP3 ? loop3_names[q->elementwise.kernel]
                                                : "";
        agni_text_append(t, "    %s %s", tile_names[q->op], f);
        if (q->dst >= 0)
            agni_text_append(t, " t%d[%d]", q->dst, q->dst_row);
        else
            agni_text_append(t, " acc[%d]", q->dst_row);
        for (int k = 0; k < q->nin; k++)
            say_operand(r, t, &q->in[k]);
        if (q->op == AGNI_T_OUTER_PRODUCT)
            agni_text_append(t, " %lldx%lld", (long long)q->outer.K, (long long)q->outer.J);
        else
            agni_text_append(t, " rows %d", q->E);
        agni_text_append(t, "\n");
    }
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

/* a loop of a device and the steps of its body */
static void say_loop(const agni_device_loop *l, agni_text *t)
{
    long long driven = atomic_load(&l->driven);
    agni_text_append(t, "    a loop: ");
    if (l->form.length >= 0)
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
            say_instructions(s->region, t);
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
