/* graph/launch/join_steps.c - launches of a plan (kernel fusion, horizontal and vertical, Filipovic
   et al. 2015): steps that were cut out as one (cut_steps.c) are compiled and run. Memory of a
   launch is in use from its first step to its last. */
#include "graph/launch/cut.h"

#include "core/device/backend_registry.h"
#include "graph/memory/clock.h"
#include <string.h>

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
        for (int32_t i = 0; i < agni_step_n_array(s); i++)
            l->arr[l->n_arr++] = agni_step_array(s, i);
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

/* of a launch in phases: blocks of its regions follow each other in each phase anew */
static void place_phases(agni_launch *l, const agni_plan *p)
{
    int64_t most = 1, now = 0;
    for (int32_t k = 0; k < l->end - l->first; k++) {
        const agni_step *s = &p->step[l->first + k];
        agni_launch_member *m = &l->member[k];
        now = k && m->phase != m[-1].phase ? 0 : now;
        m->block = (int32_t)now;
        int64_t n = s->region ? s->region->acc : agni_step_text_size(p, s);
        n = (n + AGNI_LAUNCH_THREADS - 1) / AGNI_LAUNCH_THREADS;
        now += s->region && !m->tail ? s->region->n_chunk : 0;
        most = now > most ? now : most;
        most = n > most && !m->tail ? n : most;
    }
    l->blocks = (int32_t)most;
    l->sum_blocks = 0;
}

static agn_status make_launch(agni_launch **out, const agni_plan *p, const agni_cut *c)
{
    int32_t n = c->end - c->first;
    agni_launch *l = agni_zalloc(sizeof *l);
    if (!l)
        return agni_nomem("compile", sizeof *l);
    l->first = c->first;
    l->end = c->end;
    l->device = p->device;
    l->together = c->together;
    l->member = agni_zalloc((size_t)n * sizeof *l->member);
    l->arr = agni_alloc(AGNI_LAUNCH_WORDS * sizeof *l->arr);
    l->num = agni_alloc(AGNI_LAUNCH_WORDS * sizeof *l->num);
    if (!l->member || !l->arr || !l->num) {
        agni_launch_free(l);
        return agni_nomem("compile", AGNI_LAUNCH_WORDS * sizeof *l->num);
    }
    for (int32_t k = 0; k < n; k++)
        l->member[k] =
            (agni_launch_member){.index = k, .tail = c->tail[k], .phase = c->phase[k]};
    place_members(l, p);
    if (c->together)
        place_phases(l, p);
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
                                 .kept_bytes = l->kept,
                                 .together = l->together};
        st = b->compile_region(agni_device_ordinal(p->device), &text, &l->compiled);
        bool crowded_out = text.tiles && l->pitch <= room[k];
        if (!l->kept || (!st && !crowded_out))
            break;
        if (st == AGN_EUNSUPPORTED)
            st = AGN_OK; /* with fewer of them */
    }
    if (!st && l->together && !text.resident)
        st = AGN_EUNSUPPORTED; /* the back end does not know of it */
    l->blocks = l->together && !st ? text.resident : l->blocks;
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

/* AGN_EUNSUPPORTED: the device does not take it */
static agn_status try_launch(agni_launch **out, const agni_plan *p, const agni_cut *c)
{
    *out = NULL;
    agn_status st = make_launch(out, p, c);
    st = st ? st : compile_launch(*out, p);
    if (st) {
        agni_launch_free(*out);
        *out = NULL;
    }
    return st;
}

/* A launch that the device does not take is made of its regions alone. */
static agn_status add_launch(agni_joining *j, agni_cut *c)
{
    agni_launch *l = NULL;
    agn_status st = try_launch(&l, j->p, c);
    if (st == AGN_EUNSUPPORTED && c->end - c->first > 1) {
        if (!j->p->step[c->first].region) {
            c->end = c->first + 1;
            return AGN_OK;
        }
        agni_cut_find(j, c, c->first, true);
        st = try_launch(&l, j->p, c);
    }
    st = st ? st : reserve_memory(l, j->p);
    if (st)
        agni_launch_free(l);
    else
        j->p->step[c->first].launch = l;
    return st;
}

/* One launch in phases stands for several, where the device can run all blocks of it at once. */
static agn_status add_phases(agni_joining *j, agni_cut *c, bool *able)
{
    agni_cut all;
    agni_launch *l;
    agni_cut_find_phases(j, &all, c->first);
    if (!*able || !all.regions || (all.end <= c->end && !c->sum_blocks))
        return AGN_EUNSUPPORTED;
    agn_status st = try_launch(&l, j->p, &all);
    if (st) {
        *able = *able && st != AGN_EUNSUPPORTED;
        return st;
    }
    st = reserve_memory(l, j->p);
    if (st)
        agni_launch_free(l);
    else
        j->p->step[c->first].launch = l;
    *c = all;
    return st;
}

agn_status agni_plan_join_steps(agni_plan *p)
{
    agni_joining j;
    agn_status st = agni_joining_make(&j, p);
    bool any = false, able = true;
    if (st)
        return st;
    for (int32_t i = 0; i < p->n_step; i++)
        any = any || p->step[i].region;
    for (int32_t i = 0; !st && any && i < p->n_step;) {
        agni_cut c;
        agni_cut_find(&j, &c, i, false);
        st = add_phases(&j, &c, &able);
        if (st == AGN_EUNSUPPORTED) {
            agni_cut_find(&j, &c, i, false);
            st = c.regions || c.end - c.first > 1 ? add_launch(&j, &c) : AGN_OK;
        }
        i = c.end > i ? c.end : i + 1;
    }
    agni_joining_free(&j);
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
    void *array[AGNI_LAUNCH_WORDS];
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
