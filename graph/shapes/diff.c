/* graph/shapes/diff.c - structural diff of the programs of one function traced at a few sizes:
   integers, reals, extents, constants, each fitted to the sizes (fit.c). Programs within
   attributes are treated likewise. */
#include "graph/shapes/specialise.h"

#include "core/internal.h"
#include "tensor/dispatch/op_helpers.h"

#include <agnesi/dtype.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

typedef struct comparison {
    const char *name;
    const agni_samples *s;
    agni_shape_family *f;
    const agni_prog *const *p; /* at each sample */
} comparison;

static agn_status refuse_change(const comparison *c, const char *fmt, ...) AGNI_PRINTF(2, 3);
static agn_status refuse_change(const comparison *c, const char *fmt, ...)
{
    char what[160];
    va_list ap;
    va_start(ap, fmt);
    agni_vformat(what, sizeof what, fmt, ap);
    va_end(ap);
    return agni_fail(AGN_EUNSUPPORTED, "compile: the open size %s%s: %s", c->name,
                     c->s->n_size > 1 ? ", ..." : "", what);
}

static agn_status add_change(const comparison *c, agni_program_change one)
{
    agni_shape_family *f = c->f;
    if (!agni_reserve_items(&f->change, &f->cap, f->n + 1, sizeof *f->change))
        return agni_nomem("compile", (size_t)f->n * sizeof *f->change);
    f->change[f->n++] = one;
    return AGN_OK;
}

static bool is_constant_number(const comparison *c, const double *v)
{
    bool same = true;
    for (int j = 1; j < c->s->n; j++)
        same = same && (v[j] == v[0] || (v[j] != v[j] && v[0] != v[0]));
    return same;
}

/* v[] at the samples, an integer of something */
static agn_status diff_integer(const comparison *c, const int64_t *v, agni_program_change one,
                               const char *of)
{
    bool same = true;
    for (int j = 1; j < c->s->n; j++)
        same = same && v[j] == v[0];
    if (same)
        return AGN_OK;
    if (agni_fit_integer(&one.form, c->s, v))
        return add_change(c, one);
    return refuse_change(c, "%s %d has the integer %lld at %lld, %lld at %lld, %lld at %lld", of,
                         one.of, (long long)v[0], (long long)c->s->size[0][0], (long long)v[1],
                         (long long)c->s->size[1][0], (long long)v[2], (long long)c->s->size[2][0]);
}

static agn_status diff_real(const comparison *c, const double *v, agni_program_change one,
                            double eps, const char *of)
{
    if (is_constant_number(c, v))
        return AGN_OK;
    if (agni_fit_real(&one.form, c->s, v, eps))
        return add_change(c, one);
    return refuse_change(c, "%s %d has the number %.17g at %lld, %.17g at %lld, %.17g at %lld", of,
                         one.of, v[0], (long long)c->s->size[0][0], v[1],
                         (long long)c->s->size[1][0], v[2], (long long)c->s->size[2][0]);
}

static agn_status diff_extents(const comparison *c, int32_t v)
{
    const agn_tensor *x = c->p[0]->val[v];
    agn_status st = AGN_OK;
    for (int d = 0; !st && d < x->ndim; d++) {
        int64_t n[AGNI_SAMPLES];
        for (int j = 0; j < c->s->n; j++)
            n[j] = c->p[j]->val[v]->shape[d];
        st = diff_integer(c, n, (agni_program_change){.what = AGNI_CHANGE_EXTENT, .of = v, .at = d},
                          "value");
    }
    return st;
}

static bool same_bytes(const agn_tensor *x, const agn_tensor *y)
{
    if (x == y)
        return true;
    agn_tensor *a = NULL, *b = NULL;
    bool same = agni_same_shape(x, y) && !agn_contiguous(&a, x) && !agn_contiguous(&b, y) &&
                !memcmp(a->data, b->data, (size_t)agni_tensor_bytes(a));
    agn_release(a);
    agn_release(b);
    return same;
}

/* is x what first becomes? */
static bool is_extension(agni_extend_constant *by, const agn_tensor *x, const agn_tensor *first,
                  const int64_t *parts)
{
    agn_tensor *y = NULL;
    bool same = !by(&y, first, parts, x->shape) && same_bytes(x, y);
    agn_release(y);
    return same;
}

/* is every element the same number? */
static bool is_filled(const agn_tensor *x, double *v)
{
    agn_tensor *a = NULL, *one = NULL;
    size_t each = (size_t)agni_dtypes[x->dtype].bytes;
    bool all = agni_kind(x->dtype) != AGNI_KIND_COMPLEX && x->size > 0 && !agn_contiguous(&a, x);
    for (int64_t i = 1; all && i < a->size; i++)
        all = !memcmp(a->data, (const char *)a->data + (size_t)i * each, each);
    all = all && !agni_tensor_view(&one, a, 0, NULL, NULL, 0) && !agn_item_f64(v, one) &&
          (agni_kind(x->dtype) == AGNI_KIND_FLOAT || fabs(*v) < 0x1p53);
    agn_release(one);
    agn_release(a);
    return all;
}

/* the parts of its open axes; what has no form is refused by diff_extents() */
static agn_status find_divisors(const comparison *c, int32_t v, int64_t *parts)
{
    const int32_t before = c->f->n;
    agn_status st = diff_extents(c, v);
    for (int32_t i = before; i < c->f->n; i++)
        parts[c->f->change[i].at] = agni_extent_divisor(&c->f->change[i].form, c->s->n_size);
    c->f->n = before;
    return st;
}

static agn_status diff_constant(const comparison *c, int32_t v)
{
    const agn_tensor *x = c->p[0]->val[v];
    double n[AGNI_SAMPLES];
    bool same = true, full = true;
    int64_t parts[AGNI_MAX_RANK] = {0};
    for (int j = 0; j < c->s->n; j++) {
        const agn_tensor *y = c->p[j]->val[v];
        if (y->dtype != x->dtype || y->ndim != x->ndim)
            return refuse_change(c, "constant %d is %s at %lld and %s at %lld", v, AGNI_SHAPE(x),
                          (long long)c->s->size[0][0], AGNI_SHAPE(y),
                          (long long)c->s->size[j][0]);
        same = same && same_bytes(x, y);
    }
    if (same)
        return AGN_OK;
    static const struct {
        enum agni_change_kind what;
        agni_extend_constant *by;
    } way[] = {{AGNI_CHANGE_REPEAT, agni_extend_by_repeat},
               {AGNI_CHANGE_TILE, agni_extend_by_tile},
               {AGNI_CHANGE_ARANGE, agni_extend_by_arange}};
    agn_status st = find_divisors(c, v, parts);
    if (st)
        return st;
    for (int i = 0; i < AGNI_COUNT(way); i++) {
        bool fits = true;
        for (int j = 0; fits && j < c->s->n; j++)
            fits = is_extension(way[i].by, c->p[j]->val[v], x, parts);
        if (!fits)
            continue;
        st = add_change(c, (agni_program_change){.what = way[i].what, .of = v});
        return st ? st : diff_extents(c, v);
    }
    for (int j = 0; full && j < c->s->n; j++)
        full = is_filled(c->p[j]->val[v], &n[j]);
    if (!full)
        return refuse_change(c, "constant %d, %s at %lld, changes with it and neither is the same "
                         "all along nor counts; pass it as an argument",
                      v, AGNI_SHAPE(x), (long long)c->s->size[0][0]);
    agn_dtype_facts facts = {.size = sizeof facts};
    st = agn_dtype_describe(&facts, x->dtype);
    double eps = agn_is_floating(x->dtype) ? facts.eps : 0;
    st = st ? st
            : diff_real(c, n, (agni_program_change){.what = AGNI_CHANGE_FILL, .of = v}, eps,
                        "constant");
    return st ? st : diff_extents(c, v);
}

static agn_status diff_program(const comparison *c);

/* the programs within the objects of node k */
static agn_status diff_inner_programs(const comparison *c, int32_t k)
{
    agni_obj *o[AGNI_SAMPLES];
    const agni_prog *inner[AGNI_SAMPLES];
    bool same = true, kind = true;
    for (int j = 0; j < c->s->n; j++) {
        o[j] = c->p[j]->node[k].at->obj;
        kind = kind && o[j] && o[0] && o[j]->type == o[0]->type;
        same = same &&
               (o[j] == o[0] || (kind && o[0]->type->equal && o[0]->type->equal(o[j], o[0])));
    }
    if (same)
        return AGN_OK;
    int n = kind && o[0]->type->programs ? o[0]->type->programs(o[0], 0, NULL) : 0;
    if (!n)
        return refuse_change(c, "%s, node %d, holds an object of its own at each",
                             c->p[0]->node[k].op->name, k);
    agn_status st = AGN_OK;
    for (int i = 0; !st && i < n; i++) {
        bool all = true;
        for (int j = 0; j < c->s->n; j++)
            all = all && o[j]->type->programs(o[j], i, &inner[j]) == n;
        agni_shape_family *f = all ? agni_zalloc(sizeof *f) : NULL;
        if (!all)
            return refuse_change(c, "%s, node %d, holds other programs at each",
                          c->p[0]->node[k].op->name, k);
        if (!f)
            return agni_nomem("compile", sizeof *f);
        f->p = (agni_prog *)agni_obj_retain(&inner[0]->head);
        comparison d = {c->name, c->s, f, inner};
        st = add_change(
            c, (agni_program_change){.what = AGNI_CHANGE_PROGRAM, .of = k, .at = n, .within = f});
        if (st)
            agni_shape_family_free(f);
        else
            st = diff_program(&d);
    }
    return st;
}

static agn_status diff_attributes(const comparison *c, int32_t k)
{
    const agni_pnode *n = &c->p[0]->node[k];
    bool fit = true;
    for (int j = 0; j < c->s->n; j++) {
        const agni_pnode *m = &c->p[j]->node[k];
        fit = fit && m->op == n->op && m->nin == n->nin && m->nout == n->nout && !m->at == !n->at &&
              (!n->at || (m->at->ni == n->at->ni && m->at->nf == n->at->nf));
    }
    if (!fit)
        return refuse_change(c, "node %d of the program is another at each, %s at %lld", k,
                             n->op->name, (long long)c->s->size[0][0]);
    agn_status st = AGN_OK;
    for (int i = 0; !st && n->at && i < n->at->ni; i++) {
        int64_t v[AGNI_SAMPLES];
        for (int j = 0; j < c->s->n; j++)
            v[j] = c->p[j]->node[k].at->i[i];
        st = diff_integer(c, v,
                          (agni_program_change){.what = AGNI_CHANGE_INTEGER, .of = k, .at = i},
                          n->op->name);
    }
    for (int i = 0; !st && n->at && i < n->at->nf; i++) {
        double v[AGNI_SAMPLES];
        for (int j = 0; j < c->s->n; j++)
            v[j] = c->p[j]->node[k].at->f[i];
        st = diff_real(c, v, (agni_program_change){.what = AGNI_CHANGE_REAL, .of = k, .at = i},
                       DBL_EPSILON, n->op->name);
    }
    return st || !n->at ? st : diff_inner_programs(c, k);
}

static agn_status diff_program(const comparison *c)
{
    const agni_prog *p = c->p[0];
    for (int j = 1; j < c->s->n; j++) {
        const agni_prog *q = c->p[j];
        if (q->n_in != p->n_in || q->n_cap != p->n_cap || q->n_node != p->n_node ||
            q->n_out != p->n_out || q->n_arg != p->n_arg || q->n_val != p->n_val ||
            memcmp(q->arg, p->arg, (size_t)p->n_arg * sizeof *p->arg) ||
            memcmp(q->out, p->out, (size_t)p->n_out * sizeof *p->out))
            return refuse_change(c, "another program at each, of %d nodes at %lld and %d at %lld",
                          p->n_node, (long long)c->s->size[0][0], q->n_node,
                          (long long)c->s->size[j][0]);
    }
    agn_status st = AGN_OK;
    for (int32_t v = 0; !st && v < p->n_in; v++)
        st = diff_extents(c, v);
    for (int32_t v = p->n_in; !st && v < p->n_in + p->n_cap; v++)
        st = diff_constant(c, v);
    for (int32_t k = 0; !st && k < p->n_node; k++)
        st = diff_attributes(c, k);
    return st;
}

agn_status agni_diff_programs(agni_shape_family *f, const agni_samples *s,
                              const agni_prog *const *p, const char *name)
{
    return diff_program(&(comparison){name, s, f, p});
}
