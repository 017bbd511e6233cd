/* graph/shapes/specialise.c - specialisation: the first trace with its numbers replaced by those
   of other sizes. Values that nodes make are inferred again. */
#include "graph/shapes/specialise.h"

#include "tensor/dispatch/op_helpers.h"

#include <agnesi/ag.h>
#include <string.h>

void agni_shape_family_free(agni_shape_family *f)
{
    while (f) {
        agni_shape_family *next = f->next;
        for (int32_t i = 0; i < f->n; i++)
            agni_shape_family_free(f->change[i].within);
        agni_prog_release(f->p);
        agni_free(f->change);
        agni_free(f);
        f = next;
    }
}

/* ---- constants of other shapes --------------------------------------------------------------- */

static int64_t greatest_divisor(int64_t a, int64_t b)
{
    return b ? greatest_divisor(b, a % b) : a < 0 ? -a : a;
}
int64_t agni_extent_divisor(const agni_size_formula *f, int n_size)
{
    if (f->kind == AGNI_FORMULA_MONOMIAL)
        return (int64_t)f->c;
    int64_t parts = (int64_t)f->a;
    for (int k = 0; k < n_size; k++)
        parts = greatest_divisor(parts, (int64_t)f->b[k]);
    return parts;
}

/* its first elements along axis d, which are parts apart (cycle: neighbours), as often as they
   fit in */
static const agn_tensor *repeat_axis(agn_scope *s, const agn_tensor *x, int d, int64_t parts,
                                  int64_t extent, bool cycle)
{
    int64_t split[AGNI_MAX_RANK + 1];
    if (agn_scope_status(s))
        return NULL;
    const int n = x->ndim;
    for (int k = 0; k < n; k++)
        split[k + (k > d)] = x->shape[k];
    const int many = cycle ? d : d + 1; /* the axis along which they are the same */
    split[cycle ? d + 1 : d] = parts;
    split[many] = x->shape[d] / parts;
    x = ag_index_axis(s, ag_reshape(s, x, n + 1, split), many, 0);
    split[many] = 1;
    x = ag_reshape(s, x, n + 1, split);
    split[many] = extent / parts;
    x = ag_broadcast_to(s, x, n + 1, split);
    split[d] = extent;
    for (int k = d + 1; k < n; k++)
        split[k] = split[k + 1];
    return ag_reshape(s, x, n, split);
}
static agn_status repeat_axes(agn_tensor **out, const agn_tensor *x, const int64_t *parts,
                         const int64_t *shape, bool cycle)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = x;
    if (x->ndim == AGNI_MAX_RANK)
        agn_scope_fail(s, AGN_EUNSUPPORTED);
    for (int d = 0; d < x->ndim; d++)
        if (parts[d])
            y = repeat_axis(s, y, d, parts[d], shape[d], cycle);
    agn_scope_return(s, out, y);
    return agn_scope_close(s);
}
agn_status agni_extend_by_repeat(agn_tensor **out, const agn_tensor *x, const int64_t *parts,
                                 const int64_t *shape)
{
    return repeat_axes(out, x, parts, shape, false);
}
agn_status agni_extend_by_tile(agn_tensor **out, const agn_tensor *x, const int64_t *parts,
                               const int64_t *shape)
{
    return repeat_axes(out, x, parts, shape, true);
}

/* The first row of x along its open axis, as often as shape says, each more by what the second one
   is more: the numbers of rows or lanes, say. */
agn_status agni_extend_by_arange(agn_tensor **out, const agn_tensor *x, const int64_t *parts,
                                 const int64_t *shape)
{
    int64_t row[AGNI_MAX_RANK], line[AGNI_MAX_RANK];
    int d = 0, axes = 0;
    for (int k = 0; k < x->ndim; k++) {
        axes += parts[k] != 0;
        d = parts[k] ? k : d;
        row[k] = parts[k] ? 1 : x->shape[k];
        line[k] = parts[k] ? shape[k] : 1;
    }
    if (axes != 1 || parts[d] != 1 || x->shape[d] < 2 || agni_kind(x->dtype) == AGNI_KIND_BOOL)
        return AGN_EUNSUPPORTED;
    agn_tensor *view[2] = {NULL};
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *r[2];
    for (int k = 0; k < 2; k++) {
        agn_status st = agni_tensor_view(&view[k], x, x->ndim, row, x->stride, k * x->stride[d]);
        r[k] = agn_scope_adopt(s, st, &view[k]);
    }
    const agn_tensor *count = ag_arange(s, x->dtype, 0, (double)shape[d], 1);
    count = ag_reshape(s, count, x->ndim, line);
    agn_scope_return(s, out, ag_add(s, r[0], ag_mul(s, count, ag_sub(s, r[1], r[0]))));
    return agn_scope_close(s);
}

/* ---- the program at other sizes -------------------------------------------------------------- */

typedef struct change_cursor {
    int n_size;
    const int64_t *size;
    const agni_program_change *c, *end; /* what comes next */
} change_cursor;

static bool is_next_change(const change_cursor *q, int what, int32_t of)
{
    return q->c < q->end && (int)q->c->what == what && q->c->of == of;
}
static double take_value(change_cursor *q)
{
    double v = agni_evaluate_formula(&q->c->form, q->n_size, q->size);
    q->c++;
    return v;
}

agn_tensor *agni_describe_like(const agn_tensor *like, int ndim, const int64_t *shape)
{
    agn_tensor *x = agni_tensor_header(like->dtype, ndim, shape);
    if (x) {
        x->weak = like->weak;
        x->uncommitted = like->uncommitted;
    }
    return x;
}

static agn_status make_extents(change_cursor *q, int32_t v, const agn_tensor *x, int64_t *shape)
{
    memcpy(shape, x->shape, (size_t)x->ndim * sizeof *shape);
    while (is_next_change(q, AGNI_CHANGE_EXTENT, v)) {
        int d = q->c->at;
        double n = take_value(q);
        if (n < 0)
            return agni_fail(AGN_ESHAPE, "call: value %d of the program would be %.0f long", v, n);
        shape[d] = (int64_t)n;
    }
    return AGN_OK;
}

static agn_status make_constant(agni_prog *y, const agni_prog *p, int32_t v, change_cursor *q)
{
    const agn_tensor *x = p->val[v];
    int64_t shape[AGNI_MAX_RANK];
    int64_t parts[AGNI_MAX_RANK] = {0};
    agni_extend_constant *by = is_next_change(q, AGNI_CHANGE_REPEAT, v)  ? agni_extend_by_repeat
                      : is_next_change(q, AGNI_CHANGE_TILE, v) ? agni_extend_by_tile
                      : is_next_change(q, AGNI_CHANGE_ARANGE, v)  ? agni_extend_by_arange
                                                  : NULL;
    if (!by && !is_next_change(q, AGNI_CHANGE_FILL, v)) {
        y->val[v] = agni_tensor_ref(x);
        return AGN_OK;
    }
    double n = take_value(q);
    for (const agni_program_change *c = q->c;
         c < q->end && c->what == AGNI_CHANGE_EXTENT && c->of == v; c++)
        parts[c->at] = agni_extent_divisor(&c->form, q->n_size);
    agn_status st = make_extents(q, v, x, shape);
    if (!st)
        st = by ? by(&y->val[v], x, parts, shape)
                : agn_full(&y->val[v], x->dtype, x->ndim, shape, n);
    if (!st) {
        y->val[v]->weak = x->weak;
        y->val[v]->uncommitted = x->uncommitted;
        y->cap_version[v - p->n_in] = agni_tensor_version(y->val[v]);
    }
    return st;
}

/* the object of a node over its programs at other sizes */
static agn_status make_object(agni_obj **out, const agni_obj *old, int32_t k, change_cursor *q)
{
    int n = q->c->at, i = 0;
    agni_prog **p = agni_zalloc((size_t)n * sizeof *p);
    agn_status st = p ? AGN_OK : agni_nomem("compile", (size_t)n * sizeof *p);
    for (; !st && i < n && is_next_change(q, AGNI_CHANGE_PROGRAM, k); i++, q->c++)
        st = agni_specialise_program(&p[i], q->c->within, q->n_size, q->size);
    if (!st && !(*out = old->type->over(old, p)))
        st = agni_nomem("compile", (size_t)n * sizeof *p);
    for (i = 0; p && st && i < n; i++)
        if (p[i])
            agni_prog_release(p[i]);
    agni_free(p);
    return st;
}

static agn_status make_attributes(agni_attr **out, agni_attr *old, int32_t k, change_cursor *q)
{
    *out = NULL;
    if (q->c == q->end || q->c->what < AGNI_CHANGE_INTEGER || q->c->of != k) {
        *out = old ? (agni_attr *)agni_obj_retain(&old->head) : NULL;
        return AGN_OK;
    }
    size_t ints = (size_t)old->ni * sizeof *old->i, reals = (size_t)old->nf * sizeof *old->f;
    int64_t *i = agni_alloc(ints + 1);
    double *r = agni_alloc(reals + 1);
    agni_obj *made = NULL;
    agn_status st = i && r ? AGN_OK : agni_nomem("compile", ints + reals);
    if (!st) {
        if (ints)
            memcpy(i, old->i, ints);
        if (reals)
            memcpy(r, old->f, reals);
        while (is_next_change(q, AGNI_CHANGE_INTEGER, k)) {
            int at = q->c->at;
            i[at] = (int64_t)take_value(q);
        }
        while (is_next_change(q, AGNI_CHANGE_REAL, k)) {
            int at = q->c->at;
            r[at] = take_value(q);
        }
        if (is_next_change(q, AGNI_CHANGE_PROGRAM, k))
            st = make_object(&made, old->obj, k, q);
    }
    agni_attr at = {.ni = old->ni, .nf = old->nf, .i = i, .f = r, .obj = made ? made : old->obj};
    if (!st && !(*out = agni_attr_keep(&at)))
        st = agni_nomem("compile", ints + reals);
    agni_obj_release(made);
    agni_free(i);
    agni_free(r);
    return st;
}

/* results of node k of y, inferred again; they keep what else they are in p */
static agn_status make_values(agni_prog *y, const agni_prog *p, int32_t k)
{
    const agni_pnode *n = &y->node[k];
    const agn_tensor **in = agni_alloc(((size_t)n->nin + 1) * sizeof *in);
    agni_meta *meta = agni_alloc(((size_t)n->nout + 1) * sizeof *meta);
    agn_status st = in && meta ? AGN_OK : agni_nomem("compile", (size_t)n->nin * sizeof *in);
    for (int i = 0; !st && i < n->nin; i++)
        in[i] = y->val[y->arg[n->arg + i]];
    if (!st) {
        agni_call c = {n->op, n->at, n->nin, n->nout, in, meta};
        st = n->op->infer(&c);
    }
    for (int o = 0; !st && o < n->nout; o++) {
        int32_t v = n->val + o;
        if (!(y->val[v] = agni_describe_like(p->val[v], meta[o].ndim, meta[o].shape)))
            st = agni_nomem("compile", sizeof *p->val[v]);
    }
    agni_free(in);
    agni_free(meta);
    return st;
}

agn_status agni_specialise_program(agni_prog **out, const agni_shape_family *f, int n_size,
                                   const int64_t *size)
{
    const agni_prog *p = f->p;
    agni_prog *y = agni_prog_new(p->n_in, p->n_cap, p->n_node, p->n_val, p->n_out, p->n_arg);
    agn_status st = y ? AGN_OK : agni_nomem("compile", (size_t)p->n_val * sizeof *p->val);
    change_cursor q = {n_size, size, f->change, f->change + f->n};
    for (int32_t v = 0; !st && v < p->n_in; v++) {
        int64_t shape[AGNI_MAX_RANK];
        const agn_tensor *x = p->val[v];
        st = make_extents(&q, v, x, shape);
        if (!st && !(y->val[v] = agni_describe_like(x, x->ndim, shape)))
            st = agni_nomem("compile", sizeof *x);
    }
    if (!st) {
        agni_prog_copy_guards(y, p);
        memcpy(y->cap_version, p->cap_version, (size_t)p->n_cap * sizeof *p->cap_version);
        memcpy(y->arg, p->arg, (size_t)p->n_arg * sizeof *p->arg);
        memcpy(y->out, p->out, (size_t)p->n_out * sizeof *p->out);
    }
    for (int32_t v = p->n_in; !st && v < p->n_in + p->n_cap; v++)
        st = make_constant(y, p, v, &q);
    for (int32_t k = 0; !st && k < p->n_node; k++) {
        y->node[k] = p->node[k];
        st = make_attributes(&y->node[k].at, p->node[k].at, k, &q);
        st = st ? st : make_values(y, p, k);
    }
    if (st)
        agni_prog_release(y);
    else
        *out = y;
    return st;
}

