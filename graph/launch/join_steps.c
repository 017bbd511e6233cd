/* graph/launch/join_steps.c - which steps of a plan are one launch: a greedy partition in program order
   (Kennedy & McKinley 1994). A region that needs nothing of the launch so far has blocks of its own
   beside the others; what is small enough for one block is run by the last; all else begins
   another launch. Memory of a launch is in use from its first step to its last. */
#include "graph/launch/launch.h"

#include "core/device/backend_registry.h"
#include "graph/memory/clock.h"
#include <string.h>

enum {
    TAIL_WORK = 1 << 16,   /* numbers of a step that one block makes */
    MOST_WORDS = 496,      /* of a kernel's parameters, whose size is 4 KB */
    MOST_STEPS = 64        /* of a launch */
};

typedef struct joining {
    agni_plan *p;
    int32_t *wrote, *read; /* by buffer: the launch that did so last, from 1 */
    int32_t now;
} joining;

/* ---- what steps read and write ----------------------------------------------------------------- */

static bool stores_to(const agni_region *r, int32_t arr)
{
    for (int32_t i = 0; i < r->n_in; i++)
        if (r->in[i].op == AGNI_T_STORE && r->in[i].in[1].id == arr)
            return true;
    for (int32_t i = 0; i < r->n_result; i++)
        if (r->result[i].arr == arr)
            return true;
    return false;
}

/* the arrays of a step; which are written */
static int32_t count_arrays(const agni_step *s)
{
    return s->region ? s->region->n_arr : s->nin + s->nout;
}
static int32_t array_of(const agni_step *s, int32_t k)
{
    return s->region ? s->region->arr[k] : s->arr + k;
}
static bool is_written(const agni_step *s, int32_t k)
{
    return s->region ? stores_to(s->region, k) : k >= s->nin;
}
static int32_t buffer_of(const joining *j, const agni_step *s, int32_t k)
{
    return j->p->val[j->p->arr[array_of(s, k)]].buffer;
}

/* of what the launch so far wrote, or against what it read; results and arguments share no memory */
static bool depends(const joining *j, const agni_step *s)
{
    for (int32_t k = 0; k < count_arrays(s); k++) {
        int32_t b = buffer_of(j, s, k);
        if (j->wrote[b] == j->now || (is_written(s, k) && j->read[b] == j->now))
            return true;
    }
    return false;
}
static void note_step(joining *j, const agni_step *s)
{
    for (int32_t k = 0; k < count_arrays(s); k++)
        (is_written(s, k) ? j->wrote : j->read)[buffer_of(j, s, k)] = j->now;
}

/* ---- which steps join -------------------------------------------------------------------------- */

static int64_t region_work(const agni_region *r)
{
    int64_t n = r->flops;
    for (int32_t i = 0; i < r->n_in; i++)
        n += r->in[i].E;
    return n * r->N;
}
static bool has_small_tile(const agni_region *r)
{
    return r->rows * r->T * r->bytes <= AGNI_LAUNCH_TILE;
}
static bool is_small(const agni_plan *p, const agni_step *s)
{
    int64_t n = s->region ? region_work(s->region) : agni_step_text_work(p, s);
    return n > 0 && n <= TAIL_WORK && (!s->region || has_small_tile(s->region));
}

static int32_t count_words(const agni_step *s)
{
    return s->region ? s->region->n_arr + s->region->n_num
                     : s->nin + s->nout + agni_step_n_number(s);
}

typedef struct cut { /* steps from `first` on that join */
    int32_t first, end, words, regions;
    bool roomy; /* a region's tile lies in device memory: it is the only one */
    bool tail[MOST_STEPS];
} cut;

static bool joins(const joining *j, const cut *c, const agni_step *s, bool *tail)
{
    *tail = true;
    if (c->end - c->first == MOST_STEPS || c->words + count_words(s) + 2 > MOST_WORDS)
        return false;
    if (!s->region)
        return is_small(j->p, s);
    if (c->regions && (c->roomy || !has_small_tile(s->region)))
        return false;
    *tail = depends(j, s);
    return !*tail || (!s->region->sum_blocks && is_small(j->p, s));
}

static void find_cut(joining *j, cut *c, int32_t first, bool alone)
{
    *c = (cut){.first = first, .end = first};
    j->now++;
    for (bool tail; c->end < j->p->n_step && !(alone && c->regions); c->end++) {
        const agni_step *s = &j->p->step[c->end];
        if ((alone && !s->region) || !joins(j, c, s, &tail))
            break;
        c->tail[c->end - first] = tail;
        c->words += count_words(s);
        c->regions += s->region != NULL;
        c->roomy = c->roomy || (s->region && !has_small_tile(s->region));
        note_step(j, s);
    }
}

/* ---- a launch ---------------------------------------------------------------------------------- */

/* places of its members in parameters, grid and sums */
static void place_members(agni_launch *l, const agni_plan *p)
{
    for (int32_t k = 0; k < l->end - l->first; k++) {
        const agni_step *s = &p->step[l->first + k];
        const agni_region *r = s->region;
        agni_launch_member *m = &l->member[k];
        m->array = l->n_arr;
        m->number = l->n_num;
        for (int32_t i = 0; i < count_arrays(s); i++)
            l->arr[l->n_arr++] = array_of(s, i);
        for (int32_t i = 0; i < (r ? r->n_num : agni_step_n_number(s)); i++)
            l->num[l->n_num++] = r ? r->num[i] : s->at->f[i];
        if (!r)
            continue;
        m->sums = l->sums;
        l->sums += (r->acc * r->bytes * r->n_chunk + 15) / 16 * 16;
        m->block = l->blocks;
        m->sum_block = l->sum_blocks;
        l->blocks += m->tail ? 0 : r->n_chunk;
        l->sum_blocks += m->tail ? 0 : r->sum_blocks;
    }
    l->blocks += !l->blocks;
}

static agn_status make_launch(agni_launch **out, const agni_plan *p, const cut *c)
{
    int32_t n = c->end - c->first;
    agni_launch *l = agni_zalloc(sizeof *l);
    if (!l)
        return agni_nomem("compile", sizeof *l);
    l->first = c->first;
    l->end = c->end;
    l->device = p->device;
    l->member = agni_zalloc((size_t)n * sizeof *l->member);
    l->arr = agni_alloc(MOST_WORDS * sizeof *l->arr);
    l->num = agni_alloc(MOST_WORDS * sizeof *l->num);
    if (!l->member || !l->arr || !l->num) {
        agni_launch_free(l);
        return agni_nomem("compile", MOST_WORDS * sizeof *l->num);
    }
    for (int32_t k = 0; k < n; k++)
        l->member[k] = (agni_launch_member){.index = k, .tail = c->tail[k]};
    place_members(l, p);
    *out = l;
    return AGN_OK;
}

static void free_compiled(agni_launch *l)
{
    if (l->compiled)
        agni_backend_of(l->device)->free_region(l->compiled);
    l->compiled = NULL;
}
void agni_launch_free(agni_launch *l)
{
    if (!l)
        return;
    free_compiled(l);
    agni_free(l->member);
    agni_free(l->arr);
    agni_free(l->num);
    agni_free(l);
}

static agn_status compile_launch(agni_launch *l, const agni_plan *p)
{
    /* shared memory of a block: the most, the least, none for weights; less what a kernel
       declares itself */
    static const int64_t room[] = {AGNI_LAUNCH_SHARED, AGNI_LAUNCH_TILE, (64 << 10) - 1024, 0};
    const agn_backend *b = agni_backend_of(p->device);
    agni_text t = {NULL, 0, 0, false};
    agn_region_text text = {.size = sizeof text};
    agn_status st = AGN_OK;
    for (int k = 0; !st && k < (int)(sizeof room / sizeof *room); k++) {
        st = agni_launch_write_text(l, p, &t, room[k]);
        if (st || (k && !l->kept && room[k]))
            continue;
        free_compiled(l);
        text = (agn_region_text){.size = sizeof text,
                                 .text = t.p,
                                 .n_array = l->n_arr,
                                 .n_number = l->n_num,
                                 .blocks = l->blocks,
                                 .threads = AGNI_LAUNCH_THREADS,
                                 .sum_blocks = l->sum_blocks,
                                 .tile_bytes = l->tile - l->kept,
                                 .kept_bytes = l->kept};
        st = b->compile_region(agni_device_ordinal(p->device), &text, &l->compiled);
        bool crowded_out = text.tiles && l->pitch <= room[k];
        if (!l->kept || (!st && !crowded_out))
            break;
        if (st == AGN_EUNSUPPORTED)
            st = AGN_OK; /* with fewer of them */
    }
    l->lent = text.tiles ? l->pitch * l->blocks : 0;
    agni_free(t.p);
    return st;
}

/* memory that one of its steps uses is in use by all; so is what blocks work in */
static agn_status reserve_memory(agni_launch *l, agni_plan *p)
{
    l->sums_buffer = agni_plan_add_scratch(p, l->sums);
    l->tile_buffer = agni_plan_add_scratch(p, l->lent);
    if (l->sums_buffer < 0 || l->tile_buffer < 0)
        return agni_nomem("compile", sizeof(agni_buffer));
    for (int32_t b = 0; b < p->n_buffer; b++) {
        agni_buffer *r = &p->buffer[b];
        bool own = b == l->sums_buffer || b == l->tile_buffer;
        if (r->kind != AGNI_IN_ARENA || (!own && (r->from >= l->end || r->to < l->first)))
            continue;
        r->from = own || r->from > l->first ? l->first : r->from;
        r->to = own || r->to < l->end - 1 ? l->end - 1 : r->to;
    }
    return AGN_OK;
}

/* A launch that the device does not take is made of its regions alone. */
static agn_status add_launch(joining *j, cut *c)
{
    agni_launch *l = NULL;
    agn_status st = make_launch(&l, j->p, c);
    st = st ? st : compile_launch(l, j->p);
    if (st == AGN_EUNSUPPORTED && c->end - c->first > 1) {
        agni_launch_free(l);
        l = NULL;
        if (!j->p->step[c->first].region) {
            c->end = c->first + 1;
            return AGN_OK;
        }
        find_cut(j, c, c->first, true);
        st = make_launch(&l, j->p, c);
        st = st ? st : compile_launch(l, j->p);
    }
    st = st ? st : reserve_memory(l, j->p);
    if (st)
        agni_launch_free(l);
    else
        j->p->step[c->first].launch = l;
    return st;
}

agn_status agni_plan_join_steps(agni_plan *p)
{
    size_t n = (size_t)p->n_buffer + 1;
    joining j = {.p = p, .wrote = agni_zalloc(n * sizeof *j.wrote)};
    agn_status st = AGN_OK;
    bool any = false;
    j.read = agni_zalloc(n * sizeof *j.read);
    if (!j.wrote || !j.read)
        st = agni_nomem("compile", n * sizeof *j.read);
    for (int32_t i = 0; i < p->n_step; i++)
        any = any || p->step[i].region;
    for (int32_t i = 0; !st && any && i < p->n_step;) {
        cut c;
        find_cut(&j, &c, i, false);
        if (c.regions || c.end - c.first > 1)
            st = add_launch(&j, &c);
        i = c.end > i ? c.end : i + 1;
    }
    agni_free(j.wrote);
    agni_free(j.read);
    return st;
}

/* ---- a call of it ------------------------------------------------------------------------------ */

/* a launch ends when it is queued: chunks have no times */
static void note_chunks(const agni_launch *l, const agni_plan *p, agni_workspace *w)
{
    agni_span now = {.worker = 0, .from = agni_now_ns()};
    now.to = now.from;
    for (int32_t s = l->first; w->clock && s < l->end; s++)
        for (int32_t k = 0; p->step[s].region && k < p->step[s].region->n_chunk; k++)
            *w->clock->chunk++ = now;
}

agn_status agni_launch_run(const agni_launch *l, const agni_plan *p, agni_workspace *w)
{
    void *array[MOST_WORDS];
    const agn_backend *b = agni_backend_of(p->device);
    for (int32_t i = 0; i < l->n_arr; i++)
        array[i] = w->arr[l->arr[i]].data;
    note_chunks(l, p, w);
    return b->run_region(l->compiled,
                         &(agn_region_call){.size = sizeof(agn_region_call),
                                            .n_array = l->n_arr,
                                            .n_number = l->n_num,
                                            .array = array,
                                            .number = l->num,
                                            .tiles = l->lent ? w->base[l->tile_buffer] : NULL,
                                            .sums = l->sums ? w->base[l->sums_buffer] : NULL,
                                            .device = agni_device_ordinal(p->device),
                                            .stream = w->stream});
}
