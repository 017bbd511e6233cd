/* exchange/program/attribute_objects.c - serialisation of attribute objects (bodies, names,
   patterns): a table by the name of their type. Nested programs are checked with the outer one. */
#include "exchange/program/program.h"

#include "autograd/control/subprograms.h"
#include "autograd/control/call.h"
#include "autograd/loops/scan.h"
#include <string.h>

static bool is_loop(const agni_op *op)
{
    return op == &agni_op_scan || op == &agni_op_while;
}

/* ---- bodies of calls and loops ------------------------------------------------------------- */

static const agni_prog *loop_program(const agni_op *op, const agni_obj *o)
{
    static const int64_t none[8];
    const agni_attr at = {
        .ni = AGNI_COUNT(none), .i = none, .obj = (agni_obj *)(uintptr_t)o};
    return agni_scan_describe(op, &at, 0).p;
}

static bool can_save_body(const agni_op *op, const agni_obj *o)
{
    const agni_callee *c = (const agni_callee *)o;
    if (is_loop(op))
        return !agni_program_check(loop_program(op, o));
    return !c->jvp && !c->vjp && !c->rule && !agni_program_check(c->p);
}
static agn_status put_body(agni_program_out *w, const agni_op *op, const agni_obj *o)
{
    const agni_callee *c = (const agni_callee *)o;
    if (is_loop(op))
        return agni_put_program(w, loop_program(op, o));
    agn_status st = agni_put_number(w, (uint64_t)c->n_out, 4);
    st = st ? st : agni_put_number(w, (uint64_t)c->mapped, 4);
    return st ? st : agni_put_program(w, c->p);
}
static agni_obj *read_body(agni_reader *r, const agni_op *op)
{
    agni_prog *p = NULL;
    bool loop = is_loop(op);
    int32_t n_out = loop ? 0 : agni_take_count(r, 4, "results of a call");
    int32_t mapped = loop ? 0
                          : (int32_t)(agni_take_number(r, 4, "lanes of a call") &
                                      INT32_MAX);
    agni_take_program(r, &p);
    if (!r->st && !loop && (n_out < 1 || n_out > p->n_out))
        agni_bad_program(r, "a call of %d results over a program of %d", n_out,
                         p->n_out);
    agni_callee *c = NULL;
    agni_obj *o = NULL;
    if (!r->st) {
        o = loop ? agni_loop_new(p, NULL) : (c = agni_callee_new(p, n_out)) ? &c->head : NULL;
        if (c)
            c->mapped = mapped;
        r->st = o ? AGN_OK : agni_nomem(r->in->op, sizeof *c);
    }
    if (r->st)
        agni_prog_release(p);
    return o;
}

/* ---- bodies of branches ---------------------------------------------------------------------- */

static bool can_save_bodies(const agni_op *op, const agni_obj *o)
{
    const agni_subprograms *b = (const agni_subprograms *)o;
    (void)op;
    for (int k = 0; k < b->n; k++)
        if (agni_program_check(b->at[k].p))
            return false;
    return true;
}
static agn_status put_bodies(agni_program_out *w, const agni_op *op, const agni_obj *o)
{
    const agni_subprograms *b = (const agni_subprograms *)o;
    (void)op;
    agn_status st = agni_put_number(w, (uint64_t)b->n, 4);
    st = st ? st : agni_put_number(w, (uint64_t)b->shared, 4);
    for (int k = 0; !st && k < b->n; k++) {
        st = agni_put_number(w, (uint64_t)b->at[k].n_extra, 4);
        st = st ? st : agni_put_program(w, b->at[k].p);
    }
    return st;
}
static agni_obj *read_bodies(agni_reader *r, const agni_op *op)
{
    (void)op;
    int32_t n = agni_take_count(r, 20, "branches");
    int32_t shared = agni_take_count(r, 4, "shared inputs");
    agni_subprograms *b = r->st ? NULL : agni_subprograms_new(n);
    if (!r->st && !b)
        r->st = agni_nomem(r->in->op, (size_t)n * sizeof *b->at);
    int64_t first = shared;
    for (int k = 0; !r->st && k < n; k++) {
        b->at[k].n_extra = agni_take_count(r, 4, "inputs of a branch");
        b->at[k].first = (int)first;
        first += b->at[k].n_extra;
        if (first > INT32_MAX)
            agni_bad_program(r, "%lld inputs of branches", (long long)first);
        agni_take_program(r, &b->at[k].p);
    }
    if (b)
        b->shared = shared;
    if (!r->st)
        return &b->head;
    if (b)
        agni_obj_release(&b->head);
    return NULL;
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool can_save_any(const agni_op *op, const agni_obj *o)
{
    (void)op, (void)o;
    return true;
}
static agn_status put_name(agni_program_out *w, const agni_op *op, const agni_obj *o)
{
    (void)op;
    return agni_put_string(w, agni_name_text(o));
}
static agni_obj *read_name(agni_reader *r, const agni_op *op)
{
    char text[1024];
    (void)op;
    agni_take_text(r, text, sizeof text, "a name");
    agni_obj *o = r->st ? NULL : agni_name_new(text);
    if (!r->st && !o)
        r->st = agni_nomem(r->in->op, sizeof text);
    return o;
}

static bool can_save_name(const agni_op *op, const agni_obj *o)
{
    (void)op;
    return strlen(agni_name_text(o)) < 1024;
}

/* ---- the table ------------------------------------------------------------------------------- */

typedef struct kind {
    const char *name;
    bool (*can)(const agni_op *op, const agni_obj *o);
    agni_object_put *put;
    agni_object_take *take;
} kind;
static const kind kinds[] = {
    {"body", can_save_body, put_body, read_body},
    {"bodies", can_save_bodies, put_bodies, read_bodies},
    {"name", can_save_name, put_name, read_name},
    {"pattern", can_save_any, agni_put_pattern, agni_take_pattern},
    {"product", can_save_any, agni_put_product, agni_take_product},
    {"meeting", can_save_any, agni_put_meeting, agni_take_meeting},
    {"graph", can_save_any, agni_put_graph, agni_take_graph},
    {"blocks", agni_can_save_blocks, agni_put_blocks, agni_take_blocks},
};

static const kind *find_kind(const char *name)
{
    for (int i = 0; i < AGNI_COUNT(kinds); i++)
        if (!strcmp(kinds[i].name, name))
            return &kinds[i];
    return NULL;
}

const char *agni_program_object(const agni_op *op, const agni_obj *o)
{
    if (!o)
        return "";
    const kind *k = find_kind(o->type->name);
    return k && k->can(op, o) ? k->name : NULL;
}
agn_status agni_put_object(agni_program_out *w, const agni_op *op, const agni_obj *o)
{
    return find_kind(o->type->name)->put(w, op, o);
}
agni_obj *agni_take_object(agni_reader *r, const agni_op *op, const char *name)
{
    const kind *k = find_kind(name);
    if (k)
        return k->take(r, op);
    agni_bad_program(r, "an object of the unknown kind \"%.20s\"", name);
    return NULL;
}
