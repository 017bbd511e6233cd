/* graph/plan/planner.c - planning: passes, partition, steps in their order, where results are. */
#include "graph/memory/plan.h"

#include "graph/plan/device_loop.h"
#include "graph/launch/device_region.h"
#include "graph/launch/launch.h"
#include "graph/plan/launch_fusion.h"
#include "graph/plan/scalar_loops.h"
#include "graph/plan/whole_steps.h"
#include "graph/fusion/partition.h"
#include "graph/tiles/tile.h"
#include <string.h>

/* ---- memory of the plan itself --------------------------------------------------------- */

static void plan_destroy(agni_obj *o)
{
    agni_plan *p = (agni_plan *)o;
    for (int i = 0; i < AGNI_SPARE; i++)
        agni_workspace_free(atomic_load(&p->spare[i]));
    for (int i = 0; i < p->n_step; i++) {
        agni_region_free(p->step[i].region);
        agni_device_loop_free(p->step[i].device_loop);
        agni_launch_free(p->step[i].launch);
        if (p->step[i].owns_at)
            agni_obj_release(&p->step[i].at->head);
    }
    for (int v = 0; v < p->n_val; v++)
        agn_release(p->val[v].h);
    for (int i = 0; p->out && i < p->n_out; i++)
        agn_release(p->out[i]);
    if (p->place)
        agni_obj_release(&p->place->head);
    agni_prog_release(p->prog);
    agni_ir_free(p->ir);
    agni_free(p->val);
    agni_free(p->buffer);
    agni_free(p->step);
    agni_free(p->arr);
    agni_free(p->moving);
    agni_free(p->moving_buffer);
    agni_free(p->loop);
    agni_free(p->out);
    agni_free(p->lent);
    agni_free(p->placement);
    agni_free(p);
}
static const agni_obj_type plan_type = {.name = "plan", .destroy = plan_destroy};

void agni_plan_release(agni_plan *p)
{
    if (p)
        agni_obj_release(&p->head);
}

static agn_status fail_nomem(size_t bytes)
{
    return agni_nomem("compile", bytes);
}

/* ---- results ------------------------------------------------------------------------------- */

/* A result that is a whole piece of the arena lies in the caller's memory from the start;
   any other is copied there at the end, or lent where it is an argument as a whole. */
static agn_status place_results(agni_plan *p, bool lend)
{
    const agni_ir *ir = p->ir;
    for (int i = 0; i < p->n_out; i++) {
        int32_t v = ir->out[i];
        agni_plan_value *q = &p->val[v];
        agni_buffer *r = &p->buffer[q->buffer];
        p->out[i] = agni_tensor_header(q->h->dtype, q->h->ndim, q->h->shape);
        if (!p->out[i])
            return fail_nomem(sizeof **p->out);
        if (r->kind == AGNI_IN_ARENA && q->offset == 0 && agni_is_contiguous(q->h) &&
            agni_tensor_bytes(q->h) == r->bytes) {
            r->kind = AGNI_IN_OUTPUT;
            r->index = i;
            continue;
        }
        if (lend && ir->val[v].input >= 0) {
            p->lent[i] = ir->val[v].input;
            continue;
        }
        int32_t c = agni_plan_add_value(p, q->h);
        if (c < 0)
            return fail_nomem(sizeof *q);
        agn_status st = agni_plan_add_copy(p, v, c);
        if (st)
            return st;
        p->buffer[p->val[c].buffer].kind = AGNI_IN_OUTPUT;
        p->buffer[p->val[c].buffer].index = i;
    }
    return AGN_OK;
}

/* ---- making a plan --------------------------------------------------------------------------- */

/* constants that bodies and rules made of numbers follow the arguments to their device */
static agn_status move_constants(agni_plan *p)
{
    agn_status st = AGN_OK;
    for (int v = 0; !st && p->device != AGN_CPU && v < p->ir->n_val; v++) {
        agni_ir_value *q = &p->ir->val[v];
        agn_tensor *moved = NULL;
        if (!q->constant || q->t->st->device == p->device)
            continue;
        st = agni_copy_to_device(&moved, q->t, p->device);
        if (!st) {
            moved->weak = q->t->weak;
            agn_release(q->t);
            q->t = moved;
        }
    }
    return st;
}

/* a tensor of the host that the body found outside, among arguments on a device */
static agn_status check_captured(const agni_prog *prog, int32_t device)
{
    for (int v = prog->n_in; v < prog->n_in + prog->n_cap; v++) {
        const agn_tensor *x = prog->val[v];
        if (x && x->st && x->st->device != device && !agni_is_uncommitted(x))
            return agni_fail(
                AGN_EDEVICE, "call: the function uses %s on %s, its arguments are on %s",
                AGNI_SHAPE(x), agn_device_name(x->st->device), agn_device_name(device));
    }
    return AGN_OK;
}

static agn_status init_plan(agni_plan *p)
{
    const agni_ir *ir = p->ir;
    p->n_in = ir->n_in;
    p->n_out = ir->n_out;
    p->out = agni_zalloc((size_t)p->n_out * sizeof *p->out);
    p->lent = agni_alloc((size_t)(p->n_out + 1) * sizeof *p->lent);
    for (int i = 0; p->lent && i < p->n_out; i++)
        p->lent[i] = -1;
    p->val = agni_zalloc((size_t)(ir->n_val + 1) * sizeof *p->val);
    agn_tensor *t = NULL;
    agn_status st = agni_tensor_make(&t, "compile", AGN_F64, 0, NULL, p->device);
    if (st)
        return st;
    p->place = (agni_storage *)agni_obj_retain(&t->st->head);
    agn_release(t);
    if (!p->out || !p->lent || !p->val)
        return fail_nomem((size_t)ir->n_val * sizeof *p->val);
    p->n_val = p->cap_val = ir->n_val;
    p->cap_val = ir->n_val + 1;
    for (int v = 0; v < ir->n_val; v++) {
        const agni_ir_value *q = &ir->val[v];
        p->val[v].h = agni_tensor_header(q->t->dtype, q->t->ndim, q->t->shape);
        p->val[v].buffer = -1;
        if (!p->val[v].h)
            return fail_nomem(sizeof *q->t);
        p->val[v].h->weak = q->t->weak;
        if (q->constant)
            memcpy(p->val[v].h->stride, q->t->stride,
                   (size_t)q->t->ndim * sizeof(int64_t));
        if (q->constant || q->input >= 0) {
            p->val[v].buffer = agni_plan_add_buffer(
                p, (agni_buffer){.kind = q->constant ? AGNI_IN_CONST : AGNI_IN_INPUT,
                               .index = q->constant ? v : q->input});
            if (p->val[v].buffer < 0)
                return fail_nomem(sizeof *p->buffer);
        }
    }
    return AGN_OK;
}

static agn_status schedule_steps(agni_plan *p, const agni_partition *c)
{
    for (int stage = 0; stage <= c->stages; stage++) {
        if (p->device != AGN_CPU) {
            agn_status st = agni_plan_fuse_launches(p, c, stage, agni_plan_whole_node);
            if (st)
                return st;
        }
        for (int k = 0; k < p->ir->n_node && p->device == AGN_CPU; k++)
            if (c->mode[k] == AGNI_WHOLE && c->at[k] == stage) {
                agn_status st = agni_plan_whole_node(p, &p->ir->node[k]);
                if (st)
                    return st;
            }
        for (int g = 0; g < c->n_group; g++) {
            agni_region *r = NULL;
            agn_status st = agni_region_make(&r, p, c, g, stage);
            if (st)
                return st;
            if (r) {
                if (!agni_reserve_items(&p->step, &p->cap_step, p->n_step + 1, sizeof *p->step)) {
                    agni_region_free(r);
                    return fail_nomem(sizeof *p->step);
                }
                p->step[p->n_step++] = (agni_step){.kind = AGNI_STEP_REGION,
                                                   .region = r};
                int64_t tile = agni_region_tile_bytes(r);
                p->tile = p->tile > tile ? p->tile : tile;
            }
        }
    }
    return AGN_OK;
}

static bool moves_between_calls(const agni_plan *p, int32_t buffer)
{
    return p->buffer[buffer].kind == AGNI_IN_INPUT || p->buffer[buffer].kind == AGNI_IN_OUTPUT;
}

/* those of steps that run as loops last */
static agn_status list_moving_arrays(agni_plan *p)
{
    p->moving = agni_alloc((size_t)(p->n_arr + 1) * sizeof *p->moving);
    p->moving_buffer = agni_alloc((size_t)(p->n_buffer + 1) * sizeof *p->moving_buffer);
    bool *loops = agni_zalloc((size_t)p->n_arr + 1);
    if (!p->moving || !p->moving_buffer || !loops) {
        agni_free(loops);
        return fail_nomem((size_t)p->n_arr * sizeof *p->moving);
    }
    for (int r = 0; r < p->n_buffer; r++)
        if (moves_between_calls(p, r))
            p->moving_buffer[p->n_moving_buffer++] = r;
    for (int s = 0; s < p->n_step; s++)
        for (int i = 0; p->step[s].loops_end && i < p->step[s].nin + p->step[s].nout; i++)
            loops[p->step[s].arr + i] = true;
    for (int late = 0; late < 2; late++) {
        for (int i = 0; i < p->n_arr; i++)
            if (loops[i] == (late == 1) && moves_between_calls(p, p->val[p->arr[i]].buffer))
                p->moving[p->n_moving++] = i;
        p->n_moving_bare = late ? p->n_moving_bare : p->n_moving;
    }
    agni_free(loops);
    return AGN_OK;
}

/* another cut, where axes could be merged */
static agn_status coalesce_and_repartition(agni_ir **ir, agni_partition **cut)
{
    const agni_ir *before = *ir;
    agn_status st = agni_coalesce_axes(ir, *cut);
    if (st || *ir == before)
        return st;
    agni_partition_free(*cut);
    *cut = NULL;
    return agni_partition_make(cut, *ir, true, false);
}

static agn_status make_plan(agni_plan **out, agni_prog *prog, agni_plan_options opts)
{
    int64_t began = agni_now_ns();
    agni_plan *p = agni_zalloc(sizeof *p);
    if (!p)
        return fail_nomem(sizeof *p);
    agni_ref_init(&p->head.ref);
    p->head.type = &plan_type;
    p->n_traced = prog->n_node;
    p->n_held = opts.n_held;
    p->device = opts.device;
    agni_partition *cut = NULL;
    agn_status st = check_captured(prog, p->device);
    st = st ? st : agni_ir_make(&p->ir, prog, opts.simplify);
    st = st ? st : move_constants(p);
    if (!st)
        st = agni_partition_make(&cut, p->ir, opts.tiles, p->device != AGN_CPU);
    if (!st && opts.tiles && opts.simplify && p->device == AGN_CPU)
        st = coalesce_and_repartition(&p->ir, &cut);
    if (!st)
        st = init_plan(p);
    if (!st)
        st = agni_plan_concat_slots(p, cut);
    if (!st)
        st = schedule_steps(p, cut);
    if (!st)
        st = place_results(p, opts.lend);
    if (!st && p->device == AGN_CPU)
        st = agni_plan_lay_out_blocks(p);
    if (!st && p->device == AGN_CPU)
        st = agni_plan_scalar_loops(p);
    if (!st && opts.tiles && p->device != AGN_CPU)
        st = agni_plan_join_steps(p);
    for (int i = 0; !st && i < p->n_step; i++)
        if (p->step[i].prepacked) {
            p->buffer[p->step[i].prepacked].from = 0;
            p->buffer[p->step[i].prepacked].to = p->n_step;
        }
    if (!st)
        st = agni_plan_assign_offsets(p);
    if (!st)
        st = list_moving_arrays(p);
    agni_partition_free(cut);
    if (st) {
        agni_plan_release(p);
        return st;
    }
    p->ms = 1e-6 * (double)(agni_now_ns() - began);
    p->prog = prog;
    *out = p;
    return AGN_OK;
}

/* A device whose back end cannot make a region's kernel gets a plan of the kernels of its table. */
agn_status agni_plan_make(agni_plan **out, agni_prog *prog, agni_plan_options opts)
{
    opts.tiles = opts.tiles && (opts.device == AGN_CPU || agni_device_has_regions(opts.device));
    agn_status st = make_plan(out, prog, opts);
    if (st != AGN_EUNSUPPORTED || !opts.tiles || opts.device == AGN_CPU)
        return st;
    opts.tiles = false;
    return make_plan(out, prog, opts);
}

agn_status agni_plan_make_once(agni_plan **out, agni_plan_slot *slot, agni_prog *prog,
                               int32_t n_held)
{
    agni_plan *p = atomic_load_explicit(slot, memory_order_acquire), *none = NULL;
    if (!p) {
        agni_obj_retain(&prog->head);
        agn_status st = agni_plan_make(
            &p, prog,
            (agni_plan_options){.tiles = true, .simplify = true, .lend = true, .n_held = n_held});
        if (st) {
            agni_prog_release(prog);
            return st;
        }
        if (!atomic_compare_exchange_strong(slot, &none, p)) { /* another thread was faster */
            agni_plan_release(p);
            p = none;
        }
    }
    *out = p;
    return AGN_OK;
}
