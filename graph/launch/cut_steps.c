/* graph/launch/cut_steps.c - which steps of a plan are one launch: a greedy partition in program
   order (Kennedy & McKinley 1994). A region that needs nothing of the launch so far has blocks of its own
   beside the others; what is small enough for one block is run by the last; all else begins
   another launch. Where all blocks of a launch run at once, it begins a phase of the same one
   (persistent threads, Gupta, Stuart & Owens 2012). */
#include "graph/launch/cut.h"

enum {
    TAIL_WORK = 1 << 16,   /* numbers of a step that one block makes */
    NARROW_WORK = 1 << 12, /* that one block makes sooner than the blocks could meet once more */
    WIDE_WORK = 1 << 20    /* of a step whose text is no faster than its kernel */
};

agn_status agni_joining_make(agni_joining *j, agni_plan *p)
{
    size_t n = (size_t)p->n_buffer + 1;
    int32_t *room = agni_zalloc(4 * n * sizeof *room);
    if (!room)
        return agni_nomem("compile", 4 * n * sizeof *room);
    *j = (agni_joining){
        .p = p, .any = {room, room + n}, .wide = {room + 2 * n, room + 3 * n}};
    return AGN_OK;
}
void agni_joining_free(agni_joining *j)
{
    agni_free(j->any.wrote);
}

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

int32_t agni_step_n_array(const agni_step *s)
{
    return s->region ? s->region->n_arr : s->nin + s->nout;
}
int32_t agni_step_array(const agni_step *s, int32_t k)
{
    return s->region ? s->region->arr[k] : s->arr + k;
}
static bool is_written(const agni_step *s, int32_t k)
{
    return s->region ? stores_to(s->region, k) : k >= s->nin;
}
static int32_t buffer_of(const agni_joining *j, const agni_step *s, int32_t k)
{
    return j->p->val[j->p->arr[agni_step_array(s, k)]].buffer;
}

/* of what was written by now, or against what was read; results and arguments share no memory */
static bool depends(const agni_joining *j, const agni_accesses *on, const agni_step *s)
{
    for (int32_t k = 0; k < agni_step_n_array(s); k++) {
        int32_t b = buffer_of(j, s, k);
        if (on->wrote[b] == j->now || (is_written(s, k) && on->read[b] == j->now))
            return true;
    }
    return false;
}
static void note_step(agni_joining *j, agni_accesses *on, const agni_step *s)
{
    for (int32_t k = 0; k < agni_step_n_array(s); k++)
        (is_written(s, k) ? on->wrote : on->read)[buffer_of(j, s, k)] = j->now;
}

/* ---- how large they are ------------------------------------------------------------------------ */

static int64_t step_work(const agni_plan *p, const agni_step *s)
{
    const agni_region *r = s->region;
    int64_t n = r ? r->flops : agni_step_text_work(p, s);
    for (int32_t i = 0; r && i < r->n_in; i++)
        n += r->in[i].E;
    return r ? n * r->N : n;
}
static bool has_small_tile(const agni_region *r)
{
    return r->rows * r->T * r->bytes <= AGNI_LAUNCH_TILE;
}
static bool is_small(const agni_plan *p, const agni_step *s, int64_t most)
{
    int64_t n = step_work(p, s);
    return n > 0 && n <= most && (!s->region || has_small_tile(s->region));
}

static bool has_room(const agni_cut *c, const agni_step *s)
{
    int32_t numbers = s->region ? s->region->n_num : agni_step_n_number(s);
    return c->end - c->first < AGNI_LAUNCH_STEPS &&
           c->words + agni_step_n_array(s) + numbers + 2 <= AGNI_LAUNCH_WORDS;
}
static void add_step(agni_cut *c, const agni_step *s, int32_t phase, bool tail)
{
    const agni_region *r = s->region;
    c->tail[c->end - c->first] = tail;
    c->phase[c->end - c->first] = phase;
    c->words += agni_step_n_array(s) + (r ? r->n_num : agni_step_n_number(s));
    c->regions += r != NULL;
    c->sum_blocks += r && !tail ? r->sum_blocks : 0;
    c->roomy = c->roomy || (r && !has_small_tile(r));
    c->end++;
}

/* ---- a launch whose blocks do not wait --------------------------------------------------------- */

static bool joins(const agni_joining *j, const agni_cut *c, const agni_step *s, bool *tail)
{
    *tail = true;
    if (!has_room(c, s))
        return false;
    if (!s->region)
        return is_small(j->p, s, TAIL_WORK);
    if (c->regions && (c->roomy || !has_small_tile(s->region)))
        return false;
    *tail = depends(j, &j->any, s);
    return !*tail || (!s->region->sum_blocks && is_small(j->p, s, TAIL_WORK));
}

void agni_cut_find(agni_joining *j, agni_cut *c, int32_t first, bool alone)
{
    *c = (agni_cut){.first = first, .end = first};
    j->now++;
    for (bool tail; c->end < j->p->n_step && !(alone && c->regions);) {
        const agni_step *s = &j->p->step[c->end];
        if ((alone && !s->region) || !joins(j, c, s, &tail))
            break;
        note_step(j, &j->any, s);
        add_step(c, s, 0, tail);
    }
}

/* ---- one in phases ----------------------------------------------------------------------------- */

/* One block runs what is soon done, of regions what follows its own steps; steps that it runs
   follow each other without a phase between. */
static bool is_narrow(const agni_joining *j, const agni_step *s)
{
    if (!s->region)
        return is_small(j->p, s, NARROW_WORK);
    return depends(j, &j->any, s) && !depends(j, &j->wide, s) && !s->region->sum_blocks &&
           is_small(j->p, s, TAIL_WORK);
}

void agni_cut_find_phases(agni_joining *j, agni_cut *c, int32_t first)
{
    int32_t phase = 0;
    *c = (agni_cut){.first = first, .end = first, .together = true};
    j->now++;
    while (c->end < j->p->n_step) {
        const agni_step *s = &j->p->step[c->end];
        if (!has_room(c, s) || (!s->region && !is_small(j->p, s, WIDE_WORK)))
            break;
        bool narrow = is_narrow(j, s);
        if (depends(j, narrow ? &j->wide : &j->any, s)) {
            j->now++;
            phase++;
        }
        note_step(j, &j->any, s);
        if (!narrow)
            note_step(j, &j->wide, s);
        add_step(c, s, phase, narrow);
    }
}
