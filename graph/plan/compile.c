/* graph/plan/compile.c - compiled functions: a plan for shapes and dtypes is made once, then
   run. */
#include "graph/plan/compile.h"
#include "graph/shapes/dynamic_shapes.h"
#include "graph/plan/plan_cache.h"

#include "core/memory/scope.h"
#include "tensor/value/trace_guards.h"
#include <stdio.h>
#include <string.h>

enum { MAX_PLANS = 16, FEW = 32 };

typedef struct compiled {
    agn_fn *f;
    agni_plan_options opts;
    agni_plans *plans;
    agni_dynamic_shapes *open; /* NULL: every size is as given */
} compiled;

static void free_compiled(void *data)
{
    compiled *c = data;
    agni_plans_free(c->plans);
    agni_dynamic_shapes_free(c->open);
    agn_fn_release(c->f);
    agni_free(c);
}

/* ---- making a plan ------------------------------------------------------------------------ */

static agn_status make_plan(compiled *c, agni_plan **out, const agn_tensor *const *in)
{
    agni_prog *prog = NULL;
    agn_status st = c->open ? agni_dynamic_shapes_program(&prog, c->open, c->f, in)
                            : agni_trace_stored("compile", &prog, c->f, in);
    if (st)
        return st;
    agni_plan *p = NULL;
    agni_plan_options opts = c->opts;
    opts.device = c->f->n_in ? in[0]->st->device : AGN_CPU;
    st = agni_plan_make(&p, prog, opts);
    if (st) {
        agni_prog_release(prog);
        return st;
    }
    st = agni_plans_keep(c->plans, p, c->f->n_in, in);
    if (st)
        agni_plan_release(p);
    else
        *out = p;
    return st;
}

/* ---- calls ---------------------------------------------------------------------------------- */

/* Derivatives, tracing and arguments on several devices run the function itself. */
static bool can_plan(int n, const agn_tensor *const *in)
{
    for (int i = 0; i < n; i++)
        if (in[i]->node || !in[i]->st || in[i]->stale || in[i]->layout != AGN_DENSE ||
            in[i]->st->device != in[0]->st->device)
            return false;
    return true;
}

static bool all_row_major(int n, const agn_tensor *const *in)
{
    bool all = true;
    for (int i = 0; i < n && all; i++)
        all = agni_is_contiguous(in[i]);
    return all;
}

static agn_status find_or_make_plan(compiled *c, agni_plan **p, const agn_tensor *const *in)
{
    *p = agni_plans_find(c->plans, c->f->n_in, in);
    agn_status st = *p ? AGN_OK : make_plan(c, p, in);
    if (agni_guards_current())
        agni_guard_operands(c->f->n_in, in);
    if (!st && (st = agni_prog_check_guards((*p)->prog)))
        agni_plan_release(*p);
    return st;
}

/* with the arguments in row-major order */
static agn_status run_plan(agni_plan *p, const agn_tensor *const *in, void *const *data,
                           agni_storage *const *out, agni_clock *clock)
{
    if (all_row_major(p->n_in, in))
        return agni_plan_call(p, in, data, out, clock);
    agn_tensor *few[FEW] = {NULL}, **held = few;
    if (p->n_in > FEW && !(held = agni_zalloc((size_t)p->n_in * sizeof *held)))
        return agni_nomem("call", (size_t)p->n_in * sizeof *held);
    agn_status st = AGN_OK;
    for (int i = 0; !st && i < p->n_in; i++)
        st = agn_contiguous(&held[i], in[i]);
    if (!st)
        st = agni_plan_call(p, (const agn_tensor *const *)held, data, out, clock);
    for (int i = 0; i < p->n_in; i++)
        agn_release(held[i]);
    if (held != few)
        agni_free(held);
    return st;
}

static agn_status call_plan(agni_plan *p, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out, agni_clock *clock)
{
    void *few[FEW], **data = few;
    agni_storage *few_st[FEW], **storage = few_st;
    agn_status st = AGN_OK;
    if (p->n_out > FEW) {
        data = agni_alloc((size_t)p->n_out * sizeof *data);
        storage = agni_alloc((size_t)p->n_out * sizeof *storage);
    }
    if (!data || !storage)
        st = agni_nomem("call", (size_t)p->n_out * sizeof *data);
    for (int i = 0; !st && i < p->n_out; i++) {
        const agn_tensor *m = p->out[i];
        agn_tensor *y = NULL;
        st = agni_tensor_make(&y, "call", m->dtype, m->ndim, m->shape, p->device);
        data[i] = st ? NULL : y->data;
        storage[i] = st ? NULL : y->st;
        out[i] = agn_scope_adopt(s, st, &y);
        st = st ? st : agn_scope_status(s);
    }
    if (!st)
        st = run_plan(p, in, data, storage, clock);
    if (data != few)
        agni_free(data);
    if (storage != few_st)
        agni_free(storage);
    return st;
}

static agn_status run(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                      const agn_tensor **out)
{
    compiled *c = f->data;
    agni_plan *p = NULL;
    if (!can_plan(f->n_in, in))
        return agni_fn_run_in(c->f, s, in, out);
    agn_status st = find_or_make_plan(c, &p, in);
    bool elsewhere = st && f->n_in && in[0]->st->device != AGN_CPU;
    if (elsewhere && (st == AGN_EDEVICE || st == AGN_EUNSUPPORTED)) /* what the function itself says of it */
        return agni_fn_run_in(c->f, s, in, out);
    if (st)
        return st;
    st = call_plan(p, s, in, out, NULL);
    agni_plan_release(p);
    return st;
}

static agn_status check_plain(const char *op, const agn_fn *f, const agn_tensor *const *in)
{
    if (f->run != run)
        return agni_fail(AGN_EARG, "%s: a function of %d arguments that is not compiled",
                         op, f->n_in);
    for (int i = 0; i < f->n_in; i++)
        if (!in[i])
            return agni_fail(AGN_ENULL, "%s: argument %d of %d is NULL", op, i, f->n_in);
    if (!can_plan(f->n_in, in))
        return agni_fail(AGN_EARG,
                         "%s: an argument of %d is recorded, symbolic, sparse, "
                         "or on another device than the first",
                         op, f->n_in);
    return AGN_OK;
}

agn_status agni_compiled_plan(const char *op, agni_plan **out, const agn_fn *f,
                              const agn_tensor *const *in)
{
    agn_status st = check_plain(op, f, in);
    return st ? st : find_or_make_plan(f->data, out, in);
}

agn_status agni_plan_run_timed(agni_plan *p, const agn_tensor *const *in, agni_clock *clock)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor **out = agni_zalloc((size_t)p->n_out * sizeof *out);
    agn_scope_fail(s, out ? call_plan(p, s, in, out, clock)
                          : agni_nomem("call", (size_t)p->n_out * sizeof *out));
    agni_free(out);
    return agn_scope_close(s);
}

agn_status agn_fn_compile(agn_fn **out, const agn_fn *f,
                          const agn_compile_options *opts)
{
    agn_compile_options o = {.size = sizeof o};
    if (!out || !f)
        return agni_fail(AGN_ENULL, "fn_compile: %s is NULL", out ? "f" : "out");
    agn_status gone = agni_check_handle("fn_compile", &f->head);
    if (gone)
        return gone;
    if (agni_check_size("fn_compile", agn_compile_options, opts))
        return AGN_EARG;
    if (opts)
        o = *opts;
    if (o.max_plans < 0)
        return agni_fail(AGN_EARG,
                         "fn_compile: %d plans cannot be kept, 0 is the default of %d",
                         o.max_plans, MAX_PLANS);
    compiled *c = agni_zalloc(sizeof *c);
    agni_plans *plans = agni_plans_new(o.max_plans ? o.max_plans : MAX_PLANS);
    if (!c || !plans) {
        agni_free(c);
        agni_plans_free(plans);
        return agni_nomem("fn_compile", sizeof *c);
    }
    c->opts = (agni_plan_options){.tiles = !o.no_tiles, .simplify = !o.no_simplify};
    c->plans = plans;
    c->f = agn_fn_retain(f);
    agn_status st = o.open ? agni_dynamic_shapes_parse(&c->open, f->n_in, o.open) : AGN_OK;
    st = st ? st : agni_fn_make(out, run, f->n_in, f->n_out, c, free_compiled);
    if (st)
        free_compiled(c);
    return st;
}

/* ---- into given memory ----------------------------------------------------------------------- */

static bool share_memory(const agn_tensor *a, const agn_tensor *b)
{
    return a->st == b->st && a->size > 0 && b->size > 0;
}

static agn_status check_result(const agni_plan *p, int i, const agn_tensor *y,
                               const agn_tensor *const *in)
{
    const agn_tensor *m = p->out[i];
    if (!agni_same_shape(y, m))
        return agni_fail(AGN_ESHAPE, "fn_call_into: result %d is %s, the memory %s", i,
                         AGNI_SHAPE(m), AGNI_SHAPE(y));
    if (y->dtype != m->dtype)
        return agni_fail(AGN_EDTYPE, "fn_call_into: result %d is %s, the memory %s", i,
                         agni_dtypes[m->dtype].name, agni_dtypes[y->dtype].name);
    const char *why = y->node                    ? "is recorded"
                      : !y->st                   ? "has no value"
                      : y->st->device != p->device ? "is not on the arguments' device"
                      : y->st->readonly          ? "is read-only"
                      : !agni_is_contiguous(y)      ? "is not contiguous"
                                                 : NULL;
    if (why)
        return agni_fail(AGN_EARG, "fn_call_into: the memory of result %d, %s, %s", i,
                         AGNI_SHAPE(y), why);
    for (int k = 0; k < p->n_in; k++)
        if (share_memory(y, in[k]))
            return agni_fail(AGN_EARG,
                             "fn_call_into: result %d shares memory with argument %d",
                             i, k);
    return AGN_OK;
}

agn_status agn_fn_call_into(agn_tensor *const *out, int32_t n_out, const agn_fn *f,
                            const agn_tensor *const *in, int32_t n_in)
{
    agn_status st = agni_check_call("fn_call_into", out, n_out, f, in, n_in);
    if (!st)
        st = check_plain("fn_call_into", f, in);
    for (int i = 0; !st && i < f->n_out; i++)
        if (!out[i])
            st = agni_fail(AGN_ENULL, "fn_call_into: result %d of %d is NULL", i, f->n_out);
    agni_plan *p = NULL;
    if (!st)
        st = find_or_make_plan(f->data, &p, in);
    if (st)
        return st;
    void *few[FEW], **data = few;
    agni_storage *few_st[FEW], **storage = few_st;
    if (f->n_out > FEW) {
        data = agni_alloc((size_t)f->n_out * sizeof *data);
        storage = agni_alloc((size_t)f->n_out * sizeof *storage);
    }
    if (!data || !storage)
        st = agni_nomem("call", (size_t)f->n_out * sizeof *data);
    for (int i = 0; !st && i < f->n_out; i++) {
        st = check_result(p, i, out[i], in);
        for (int k = 0; !st && k < i; k++)
            if (share_memory(out[i], out[k]))
                st = agni_fail(AGN_EARG, "fn_call_into: results %d and %d share memory",
                               k, i);
        data[i] = out[i]->data;
        storage[i] = out[i]->st;
    }
    if (!st) {
        for (int i = 0; i < f->n_out; i++)
            atomic_fetch_add_explicit(&out[i]->st->version, 1, memory_order_acq_rel);
        st = run_plan(p, in, data, storage, NULL);
    }
    if (data != few)
        agni_free(data);
    if (storage != few_st)
        agni_free(storage);
    agni_plan_release(p);
    return st;
}

/* ---- explaining ------------------------------------------------------------------------------ */

agn_status agn_plan_explain(char *buf, size_t n, size_t *need, const agn_fn *f)
{
    if (!f || (!buf && n))
        return agni_fail(AGN_ENULL, "plan_explain: %s is NULL", f ? "buf" : "f");
    if (f->run != run)
        return agni_fail(
            AGN_EARG, "plan_explain: a function of %d arguments that is not compiled",
            f->n_in);
    agni_plan *p = agni_plans_last(((compiled *)f->data)->plans);
    if (!p)
        return agni_fail(
            AGN_EARG, "plan_explain: the function of %d arguments was not called yet",
            f->n_in);
    agni_text t = {NULL, 0, 0, false};
    agn_status st = agni_plan_describe(p, &t);
    agni_plan_release(p);
    if (st) {
        agni_free(t.p);
        return st;
    }
    return agni_text_copy_out("plan_explain", &t, buf, n, need);
}
