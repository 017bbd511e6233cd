/* graph/plan.c - from a simplified program to steps: what is a view, what lives where and
   for how long, what is copied; and running the steps. */
#include "graph/plan.h"

#include "graph/region.h"
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { ALIGN = 64 };

/* ---- memory of the plan itself --------------------------------------------------------- */

static void workspace_free(agni_workspace *w)
{
    if (!w)
        return;
    agni_free(w->arena);
    agni_free(w->base);
    agni_free(w->arr);
    agni_free(w->call);
    agni_free(w->tiles);
    agni_free(w);
}

static void plan_destroy(agni_obj *o)
{
    agni_plan *p = (agni_plan *)o;
    for (int i = 0; i < AGNI_SPARE; i++)
        workspace_free(atomic_load(&p->spare[i]));
    for (int i = 0; i < p->n_step; i++)
        agni_region_free(p->step[i].region);
    for (int v = 0; v < p->n_val; v++)
        agn_release(p->val[v].h);
    for (int i = 0; p->out && i < p->n_out; i++)
        agn_release(p->out[i]);
    if (p->place)
        agni_obj_release(&p->place->head);
    agni_prog_release(p->prog);
    agni_ir_free(p->ir);
    agni_free(p->val);
    agni_free(p->root);
    agni_free(p->step);
    agni_free(p->arr);
    agni_free(p->moving);
    agni_free(p->out);
    agni_free(p);
}
static const agni_obj_type plan_type = {"plan", plan_destroy, NULL};

void agni_plan_release(agni_plan *p)
{
    if (p)
        agni_obj_release(&p->head);
}

static bool grow(void *items, int32_t *cap, int32_t need, size_t item)
{
    void **p = items;
    if (need <= *cap)
        return true;
    int32_t more = *cap ? 2 * *cap : 64;
    while (more < need)
        more *= 2;
    void *q = agni_realloc(*p, (size_t)more * item);
    if (!q)
        return false;
    *p = q;
    *cap = more;
    return true;
}

/* ---- values and roots --------------------------------------------------------------------- */

static int64_t bytes_of(const agn_tensor *t)
{
    return t->size * agni_dtypes[t->dtype].bytes;
}

static int32_t root_new(agni_plan *p, agni_root r)
{
    if (!grow(&p->root, &p->cap_root, p->n_root + 1, sizeof *p->root))
        return -1;
    p->root[p->n_root] = r;
    return p->n_root++;
}

static int32_t value_new(agni_plan *p, const agn_tensor *like)
{
    if (!grow(&p->val, &p->cap_val, p->n_val + 1, sizeof *p->val))
        return -1;
    agn_tensor *h = agni_tensor_header(like->dtype, like->ndim, like->shape);
    if (!h)
        return -1;
    p->val[p->n_val] = (agni_pvalue){h, -1, 0};
    return p->n_val++;
}

bool agni_plan_place(agni_plan *p, int32_t v)
{
    if (p->val[v].root >= 0)
        return true;
    p->val[v].root = root_new(p, (agni_root){AGNI_IN_ARENA, v, 0, bytes_of(p->val[v].h),
                                             p->n_step, p->n_step});
    return p->val[v].root >= 0;
}
void agni_plan_use(agni_plan *p, int32_t v)
{
    p->root[p->val[v].root].to = p->n_step;
}
int32_t agni_plan_scratch(agni_plan *p, int64_t bytes)
{
    return root_new(p, (agni_root){AGNI_IN_ARENA, -1, 0, bytes, p->n_step, p->n_step});
}
int32_t agni_plan_array(agni_plan *p, int32_t v)
{
    if (!grow(&p->arr, &p->cap_arr, p->n_arr + 1, sizeof *p->arr))
        return -1;
    p->arr[p->n_arr] = v;
    return p->n_arr++;
}

/* ---- steps ------------------------------------------------------------------------------------ */

static agn_status nomem(size_t bytes)
{
    return agni_nomem("compile", bytes);
}

static agn_status step_new(agni_plan *p, agni_step s, const int32_t *in,
                           const int32_t *out)
{
    if (!grow(&p->step, &p->cap_step, p->n_step + 1, sizeof *p->step))
        return nomem(sizeof s);
    s.arr = p->n_arr;
    for (int i = 0; i < s.nin; i++) {
        agni_plan_use(p, in[i]);
        if (agni_plan_array(p, in[i]) < 0)
            return nomem(sizeof s);
    }
    for (int i = 0; i < s.nout; i++) {
        if (!agni_plan_place(p, out[i]) || agni_plan_array(p, out[i]) < 0)
            return nomem(sizeof s);
        agni_plan_use(p, out[i]);
    }
    p->step[p->n_step++] = s;
    return AGN_OK;
}

static agn_status copy_step(agni_plan *p, int32_t from, int32_t to)
{
    return step_new(p,
                    (agni_step){.kind = AGNI_STEP_KERNEL,
                                .nin = 1,
                                .nout = 1,
                                .op = &agni_op_copy,
                                .run = agni_op_copy.cpu},
                    &from, &to);
}

/* from as a row-major value: itself or a copy */
static agn_status row_major(agni_plan *p, int32_t *v)
{
    if (agni_contiguous(p->val[*v].h))
        return AGN_OK;
    int32_t c = value_new(p, p->val[*v].h);
    agn_status st = c < 0 ? nomem(sizeof(agni_pvalue)) : copy_step(p, *v, c);
    *v = c;
    return st;
}

/* Headers look at a far, unused address, so that a view tells its offset. */
static char *const nowhere = (char *)((uintptr_t)1 << 40);

static agn_status view_of(agni_plan *p, const agni_call *c, int32_t from, int32_t to,
                          bool *done)
{
    agn_tensor *x = p->val[from].h, *y = NULL;
    x->st = (agni_storage *)agni_obj_retain(&p->place->head);
    x->data = nowhere;
    agn_status st = c->op->view(c, &y);
    agni_obj_release(&x->st->head);
    x->st = NULL;
    x->data = NULL;
    if (st || !y)
        return st;
    int64_t offset = (char *)y->data - nowhere;
    agni_obj_release(&y->st->head);
    y->st = NULL;
    y->data = NULL;
    agn_release(p->val[to].h);
    p->val[to] = (agni_pvalue){y, p->val[from].root, p->val[from].offset + offset};
    *done = true;
    return AGN_OK;
}

static agn_status no_work(const agn_kernel_call *c)
{
    (void)c;
    return AGN_OK;
}

/* a node on whole arrays */
static agn_status whole_node(agni_plan *p, const agni_pnode *n)
{
    enum { FEW = 16 };
    int32_t few[FEW], *in = few;
    const agn_tensor *fewt[FEW], **t = fewt;
    agni_meta meta1, *meta = &meta1;
    agn_status st = AGN_OK;
    if (n->nin > FEW) {
        in = agni_alloc((size_t)n->nin * sizeof *in);
        t = agni_alloc((size_t)n->nin * sizeof *t);
    }
    if (n->nout > 1)
        meta = agni_alloc((size_t)n->nout * sizeof *meta);
    if (!in || !t || !meta) {
        st = nomem((size_t)n->nin * sizeof *t);
        goto done;
    }
    for (int i = 0; i < n->nin; i++) {
        in[i] = p->ir->arg[n->arg + i];
        t[i] = p->val[in[i]].h;
    }
    agni_call c = {n->op, n->at, n->nin, n->nout, t, meta};
    bool viewed = false;
    st = n->op->infer(&c);
    if (!st && n->op->view && n->nout == 1)
        st = view_of(p, &c, in[0], n->val, &viewed);
    if (st || viewed)
        goto done;
    agni_step s = {.kind = n->op->cpu ? AGNI_STEP_KERNEL : AGNI_STEP_EVAL,
                   .nin = n->nin,
                   .nout = n->nout,
                   .op = n->op,
                   .at = n->at,
                   .run = n->op->cpu && agni_idle(&c) ? no_work : n->op->cpu};
    int32_t out[1] = {n->val}, *o = out;
    if (n->op == &agni_op_reshape) { /* of a view: copied under the old shape */
        if (!(st = row_major(p, &in[0])))
            p->val[n->val] = (agni_pvalue){p->val[n->val].h, p->val[in[0]].root, 0};
        goto done;
    }
    if (n->nout > 1 && !(o = agni_alloc((size_t)n->nout * sizeof *o)))
        st = nomem((size_t)n->nout * sizeof *o);
    for (int i = 0; !st && i < n->nout; i++)
        o[i] = n->val + i;
    for (int i = 0; !st && i < n->nin && n->op->contiguous; i++)
        st = row_major(p, &in[i]);
    if (!st)
        st = step_new(p, s, in, o);
    if (o != out)
        agni_free(o);
done:
    if (in != few)
        agni_free(in);
    if (t != fewt)
        agni_free(t);
    if (meta != &meta1)
        agni_free(meta);
    return st;
}

/* ---- results ------------------------------------------------------------------------------- */

/* A result that is a whole piece of the arena lies in the caller's memory from the start;
   any other is copied there at the end. */
static agn_status results(agni_plan *p)
{
    const agni_ir *ir = p->ir;
    for (int i = 0; i < p->n_out; i++) {
        int32_t v = ir->out[i];
        agni_pvalue *q = &p->val[v];
        agni_root *r = &p->root[q->root];
        p->out[i] = agni_tensor_header(q->h->dtype, q->h->ndim, q->h->shape);
        if (!p->out[i])
            return nomem(sizeof **p->out);
        if (r->kind == AGNI_IN_ARENA && q->offset == 0 && agni_contiguous(q->h) &&
            bytes_of(q->h) == r->bytes) {
            r->kind = AGNI_IN_OUTPUT;
            r->index = i;
            continue;
        }
        int32_t c = value_new(p, q->h);
        if (c < 0)
            return nomem(sizeof *q);
        agn_status st = copy_step(p, v, c);
        if (st)
            return st;
        p->root[p->val[c].root].kind = AGNI_IN_OUTPUT;
        p->root[p->val[c].root].index = i;
    }
    return AGN_OK;
}

/* ---- the arena: pieces by time of use, each at the lowest place that is free --------------- */

typedef struct gap {
    int64_t at, bytes;
} gap;

static bool take(gap **g, int32_t *n, int32_t *cap, int64_t bytes, int64_t *at,
                 int64_t *top)
{
    int best = -1;
    for (int i = 0; i < *n; i++)
        if ((*g)[i].bytes >= bytes && (best < 0 || (*g)[i].bytes < (*g)[best].bytes))
            best = i;
    if (best >= 0) {
        *at = (*g)[best].at;
        (*g)[best].at += bytes;
        (*g)[best].bytes -= bytes;
        if (!(*g)[best].bytes)
            (*g)[best] = (*g)[--*n];
        return true;
    }
    (void)cap;
    *at = *top;
    *top += bytes;
    return true;
}

static bool give(gap **g, int32_t *n, int32_t *cap, int64_t at, int64_t bytes)
{
    for (int i = 0; i < *n; i++) {
        gap *q = &(*g)[i];
        if (q->at + q->bytes == at || at + bytes == q->at) {
            at = q->at < at ? q->at : at;
            bytes += q->bytes;
            *q = (*g)[--*n];
            i = -1;
        }
    }
    if (!grow(g, cap, *n + 1, sizeof **g))
        return false;
    (*g)[(*n)++] = (gap){at, bytes};
    return true;
}

static agn_status lay_out(agni_plan *p)
{
    /* roots by first and by last step */
    gap *g = NULL;
    int32_t n = 0, cap = 0;
    int32_t *head = agni_alloc(2 * (size_t)(p->n_step + 2) * sizeof *head);
    int32_t *next = agni_alloc(2 * (size_t)(p->n_root + 1) * sizeof *next);
    bool ok = head && next;
    int32_t *first = head, *last = head ? head + p->n_step + 2 : NULL;
    for (int s = 0; ok && s < 2 * (p->n_step + 2); s++)
        head[s] = -1;
    for (int i = 0; ok && i < p->n_root; i++) {
        agni_root *r = &p->root[i];
        if (r->kind != AGNI_IN_ARENA)
            continue;
        r->bytes = (r->bytes + ALIGN - 1) / ALIGN * ALIGN;
        next[2 * i] = first[r->from];
        first[r->from] = i;
        next[2 * i + 1] = last[r->to];
        last[r->to] = i;
    }
    for (int s = 0; ok && s <= p->n_step; s++) {
        for (int i = first[s]; i >= 0; i = next[2 * i])
            if (p->root[i].bytes)
                take(&g, &n, &cap, p->root[i].bytes, &p->root[i].offset, &p->arena);
        for (int i = last[s]; ok && i >= 0; i = next[2 * i + 1])
            if (p->root[i].bytes)
                ok = give(&g, &n, &cap, p->root[i].offset, p->root[i].bytes);
    }
    agni_free(g);
    agni_free(head);
    agni_free(next);
    return ok ? AGN_OK : nomem((size_t)p->n_root * sizeof(agni_root));
}

/* ---- making a plan ---------------------------------------------------------------------------- */

static agn_status start(agni_plan *p)
{
    const agni_ir *ir = p->ir;
    p->n_in = ir->n_in;
    p->n_out = ir->n_out;
    p->out = agni_zalloc((size_t)p->n_out * sizeof *p->out);
    p->val = agni_zalloc((size_t)(ir->n_val + 1) * sizeof *p->val);
    agn_tensor *t = NULL;
    agn_status st = agni_tensor_make(&t, "compile", AGN_F64, 0, NULL, AGN_CPU);
    if (st)
        return st;
    p->place = (agni_storage *)agni_obj_retain(&t->st->head);
    agn_release(t);
    if (!p->out || !p->val)
        return nomem((size_t)ir->n_val * sizeof *p->val);
    p->n_val = p->cap_val = ir->n_val;
    p->cap_val = ir->n_val + 1;
    for (int v = 0; v < ir->n_val; v++) {
        const agni_ival *q = &ir->val[v];
        p->val[v].h = agni_tensor_header(q->t->dtype, q->t->ndim, q->t->shape);
        p->val[v].root = -1;
        if (!p->val[v].h)
            return nomem(sizeof *q->t);
        p->val[v].h->weak = q->t->weak;
        if (q->constant)
            memcpy(p->val[v].h->stride, q->t->stride,
                   (size_t)q->t->ndim * sizeof(int64_t));
        if (q->constant || q->input >= 0) {
            p->val[v].root = root_new(
                p, (agni_root){.kind = q->constant ? AGNI_IN_CONST : AGNI_IN_INPUT,
                               .index = q->constant ? v : q->input});
            if (p->val[v].root < 0)
                return nomem(sizeof *p->root);
        }
    }
    return AGN_OK;
}

static agn_status schedule(agni_plan *p, const agni_cut *c)
{
    for (int level = 0; level <= c->levels; level++) {
        for (int k = 0; k < p->ir->n_node; k++)
            if (c->mode[k] == AGNI_WHOLE && c->at[k] == level) {
                agn_status st = whole_node(p, &p->ir->node[k]);
                if (st)
                    return st;
            }
        for (int g = 0; g < c->n_group; g++) {
            agni_region *r = NULL;
            agn_status st = agni_region_make(&r, p, c, g, level);
            if (st)
                return st;
            if (r) {
                if (!grow(&p->step, &p->cap_step, p->n_step + 1, sizeof *p->step)) {
                    agni_region_free(r);
                    return nomem(sizeof *p->step);
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

static agn_status moving_arrays(agni_plan *p)
{
    p->moving = agni_alloc((size_t)(p->n_arr + 1) * sizeof *p->moving);
    if (!p->moving)
        return nomem((size_t)p->n_arr * sizeof *p->moving);
    for (int i = 0; i < p->n_arr; i++) {
        int kind = p->root[p->val[p->arr[i]].root].kind;
        if (kind == AGNI_IN_INPUT || kind == AGNI_IN_OUTPUT)
            p->moving[p->n_moving++] = i;
    }
    return AGN_OK;
}

agn_status agni_plan_make(agni_plan **out, agni_prog *prog, agni_plan_options opts)
{
    struct timespec t0, t1;
    clock_gettime(CLOCK_MONOTONIC, &t0);
    agni_plan *p = agni_zalloc(sizeof *p);
    if (!p)
        return nomem(sizeof *p);
    agni_ref_init(&p->head.ref);
    p->head.type = &plan_type;
    p->n_traced = prog->n_node;
    agni_cut *cut = NULL;
    agn_status st = agni_ir_make(&p->ir, prog, opts.simplify);
    if (!st)
        st = start(p);
    if (!st)
        st = agni_cut_make(&cut, p->ir, opts.tiles);
    if (!st)
        st = schedule(p, cut);
    if (!st)
        st = results(p);
    if (!st)
        st = lay_out(p);
    if (!st)
        st = moving_arrays(p);
    agni_cut_free(cut);
    if (st) {
        agni_plan_release(p);
        return st;
    }
    clock_gettime(CLOCK_MONOTONIC, &t1);
    p->ms = (double)(t1.tv_sec - t0.tv_sec) * 1e3 +
            (double)(t1.tv_nsec - t0.tv_nsec) * 1e-6;
    p->prog = prog;
    *out = p;
    return AGN_OK;
}

/* ---- workspaces -------------------------------------------------------------------------------- */

static agni_workspace *workspace_new(agni_plan *p)
{
    agni_workspace *w = agni_zalloc(sizeof *w);
    if (!w)
        return NULL;
    w->arena = agni_alloc_aligned((size_t)(p->arena + ALIGN));
    w->base = agni_zalloc((size_t)(p->n_root + 1) * sizeof *w->base);
    w->arr = agni_zalloc((size_t)(p->n_arr + 1) * sizeof *w->arr);
    w->call = agni_zalloc((size_t)(p->n_step + 1) * sizeof *w->call);
    if (!w->arena || !w->base || !w->arr || !w->call) {
        workspace_free(w);
        return NULL;
    }
    for (int r = 0; r < p->n_root; r++)
        if (p->root[r].kind == AGNI_IN_ARENA)
            w->base[r] = w->arena + p->root[r].offset;
        else if (p->root[r].kind == AGNI_IN_CONST)
            w->base[r] = p->ir->val[p->root[r].index].t->data;
    for (int i = 0; i < p->n_arr; i++) {
        const agni_pvalue *v = &p->val[p->arr[i]];
        char *base = w->base[v->root];
        w->arr[i] = (agn_array){base ? base + v->offset : NULL, v->h->dtype, v->h->ndim,
                                v->h->shape, v->h->stride};
    }
    for (int s = 0; s < p->n_step; s++) {
        const agni_step *q = &p->step[s];
        w->call[s] = (agn_kernel_call){
            .size = sizeof(agn_kernel_call),
            .op = q->op ? q->op->name : NULL,
            .n_in = q->nin,
            .n_out = q->nout,
            .in = w->arr + q->arr,
            .out = w->arr + q->arr + q->nin,
            .n_int = q->at ? q->at->ni : 0,
            .n_real = q->at ? q->at->nf : 0,
            .ints = q->at ? q->at->i : NULL,
            .reals = q->at ? q->at->f : NULL,
            .object = q->at ? q->at->obj : NULL,
        };
    }
    return w;
}

static agni_workspace *borrow(agni_plan *p)
{
    for (int i = 0; i < AGNI_SPARE; i++)
        if (atomic_load_explicit(&p->spare[i], memory_order_relaxed)) {
            agni_workspace *w = atomic_exchange(&p->spare[i], NULL);
            if (w)
                return w;
        }
    return workspace_new(p);
}
static void put_back(agni_plan *p, agni_workspace *w)
{
    for (int i = 0; i < AGNI_SPARE; i++) {
        agni_workspace *none = NULL;
        if (atomic_compare_exchange_strong(&p->spare[i], &none, w))
            return;
    }
    workspace_free(w);
}

/* ---- running --------------------------------------------------------------------------------------- */

/* Ops that run by calling others allocate what they give; it is copied to its place. */
static agn_status run_eval(const agni_plan *p, const agni_step *s, const agn_array *arr)
{
    int n = s->nin + s->nout;
    agn_tensor **t = agni_zalloc((size_t)n * sizeof *t);
    agni_meta *meta = agni_alloc((size_t)s->nout * sizeof *meta);
    agn_status st = t && meta ? AGN_OK : nomem((size_t)n * sizeof *t);
    for (int i = 0; !st && i < s->nin; i++) {
        const agn_array *a = &arr[i];
        if (!(t[i] = agni_tensor_header(a->dtype, a->ndim, a->shape))) {
            st = nomem(sizeof **t);
            break;
        }
        memcpy(t[i]->stride, a->stride, (size_t)a->ndim * sizeof *a->stride);
        t[i]->weak = p->val[p->arr[s->arr + i]].h->weak;
        t[i]->st = (agni_storage *)agni_obj_retain(&p->place->head);
        t[i]->data = a->data;
    }
    agni_call c = {s->op, s->at, s->nin, s->nout, (const agn_tensor *const *)t, meta};
    if (!st)
        st = s->op->infer(&c);
    if (!st)
        st = agni_run(&c, t + s->nin);
    for (int i = 0; !st && i < s->nout; i++) {
        const agn_tensor *y = t[s->nin + i];
        agn_array from = {y->data, y->dtype, y->ndim, y->shape, y->stride};
        agn_array to = arr[s->nin + i];
        agn_kernel_call k = {.size = sizeof k,
                             .op = "copy",
                             .n_in = 1,
                             .n_out = 1,
                             .in = &from,
                             .out = &to};
        st = agni_op_copy.cpu(&k);
    }
    for (int i = 0; t && i < n; i++)
        agn_release(t[i]);
    agni_free(t);
    agni_free(meta);
    return st;
}

static agn_status run_steps(agni_plan *p, agni_workspace *w)
{
    agn_status st = AGN_OK;
    for (int i = 0; !st && i < p->n_step; i++) {
        const agni_step *s = &p->step[i];
        if (agni_interrupted())
            return agni_fail(AGN_ECANCELLED, "call: cancelled at step %d of %d", i,
                             p->n_step);
        if (s->kind == AGNI_STEP_KERNEL)
            st = s->run(&w->call[i]);
        else if (s->kind == AGNI_STEP_EVAL)
            st = run_eval(p, s, w->arr + s->arr);
        else
            st = agni_region_run(s->region, p, w);
    }
    return st;
}

agn_status agni_plan_run(agni_plan *p, const agn_tensor *const *in, void *const *data)
{
    agni_workspace *w = borrow(p);
    if (!w)
        return agni_nomem("call", (size_t)p->arena);
    for (int r = 0; r < p->n_root; r++)
        if (p->root[r].kind == AGNI_IN_INPUT)
            w->base[r] = in[p->root[r].index]->data;
        else if (p->root[r].kind == AGNI_IN_OUTPUT)
            w->base[r] = data[p->root[r].index];
    for (int k = 0; k < p->n_moving; k++) {
        int i = p->moving[k];
        const agni_pvalue *v = &p->val[p->arr[i]];
        w->arr[i].data = w->base[v->root] + v->offset;
    }
    agn_status st = run_steps(p, w);
    put_back(p, w);
    return st;
}
