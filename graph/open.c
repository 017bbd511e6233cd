/* graph/open.c - sizes left open. A function is traced at a few sizes; what differs between its
   programs, integers, reals, extents and filled constants, is fitted to the sizes (form.c); and
   the program at any others is the first one with its numbers put in. Simplifier and planner see a
   program as if it had been traced. Programs within attributes are treated likewise. */
#include "graph/open.h"

#include "graph/form.h"
#include "core/internal.h"
#include "tensor/help.h"

#include <agnesi/ag.h>
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>

enum {
    NAME = 32,
    MOST_KEPT = 16,   /* families of one function */
    LEAST_SIZE = 61,  /* traced; small sizes are often those of something else */
    MOST_SIZE = 1 << 20, /* what a body makes at once shall fit into memory */
    LEAST_FITTED = 2, /* at sizes 0 and 1 functions do other things */
};

/* An integer or a real of a node; an extent of an input or a constant, which is the same all along
   (SPREAD), counts along its one open axis (RAMP), or is filled with a number (FILL): of value or
   node `of`, in the order of both. */
typedef struct change {
    enum what { EXTENT, SPREAD, RAMP, FILL, INTEGER, REAL, WITHIN } what;
    int32_t of, at;
    agni_form form;
    struct family *within; /* of the programs of a node's object: at of them */
} change;

/* A program at all sizes: what it is at the first sample, and what changes. */
typedef struct family {
    struct family *next;
    agni_prog *p;
    change *change;
    int32_t n, cap;
} family;

typedef struct argument {
    bool any; /* as given */
    int32_t ndim;
    int8_t name[AGNI_MAX_RANK]; /* -1: as given */
    int64_t want[AGNI_MAX_RANK]; /* -1: as given */
} argument;

struct agni_open {
    argument *arg;
    int n_arg, n_name;
    char name[AGNI_SIZES][NAME];
    char **text;
    pthread_mutex_t busy; /* guards what follows */
    family *kept;
};

/* ---- life ------------------------------------------------------------------------------------- */

static void family_free(family *f)
{
    while (f) {
        family *next = f->next;
        for (int32_t i = 0; i < f->n; i++)
            family_free(f->change[i].within);
        agni_prog_release(f->p);
        agni_free(f->change);
        agni_free(f);
        f = next;
    }
}

void agni_open_free(agni_open *o)
{
    if (!o)
        return;
    family_free(o->kept);
    for (int i = 0; o->text && i < o->n_arg; i++)
        agni_free(o->text[i]);
    agni_free(o->text);
    agni_free(o->arg);
    pthread_mutex_destroy(&o->busy);
    agni_free(o);
}

/* ---- shapes as text ---------------------------------------------------------------------------- */

static bool letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
static bool digit(char c)
{
    return c >= '0' && c <= '9';
}

/* the number of a name, which may be new; -1: too long, or one too many */
static int name_of(agni_open *o, const char *p, size_t n)
{
    for (int i = 0; i < o->n_name; i++)
        if (strlen(o->name[i]) == n && !memcmp(o->name[i], p, n))
            return i;
    if (n >= NAME || o->n_name == AGNI_SIZES)
        return -1;
    memcpy(o->name[o->n_name], p, n);
    return o->n_name++;
}

static const char *spaces(const char *p)
{
    return p + strspn(p, " \t");
}

/* one axis from p; what follows it, NULL: it is none */
static const char *axis(agni_open *o, argument *a, const char *p)
{
    const char *q = p;
    int d = a->ndim++;
    a->name[d] = -1;
    a->want[d] = -1;
    if (*q == '_')
        return q + 1;
    if (letter(*q)) {
        while (letter(*q) || digit(*q) || *q == '_')
            q++;
        int k = name_of(o, p, (size_t)(q - p));
        a->name[d] = (int8_t)k;
        return k < 0 ? NULL : q;
    }
    int64_t n = 0;
    for (; digit(*q); q++)
        if (!agni_mul(n, 10, &n) || !agni_add(n, *q - '0', &n))
            return NULL;
    a->want[d] = n;
    return q > p ? q : NULL;
}

static agn_status parse(agni_open *o, int i, const char *text)
{
    argument *a = &o->arg[i];
    const char *p = spaces(text);
    bool more = *p;
    while (more && p && a->ndim < AGNI_MAX_RANK) {
        p = axis(o, a, p);
        p = p ? spaces(p) : NULL;
        more = p && *p == ',';
        p = more ? spaces(p + 1) : p;
    }
    if (p && !*p && !more)
        return AGN_OK;
    return agni_fail(AGN_EARG,
                     "fn_compile: the open shape \"%.60s\" of argument %d is no list of at most %d "
                     "names, numbers and _ with commas between, or of more than %d names in all",
                     text, i, AGNI_MAX_RANK, AGNI_SIZES);
}

agn_status agni_open_new(agni_open **out, int n, const char *const *shape)
{
    agni_open *o = agni_zalloc(sizeof *o);
    if (!o)
        return agni_nomem("fn_compile", sizeof *o);
    pthread_mutex_init(&o->busy, NULL);
    o->arg = agni_zalloc(((size_t)n + 1) * sizeof *o->arg);
    o->text = agni_zalloc(((size_t)n + 1) * sizeof *o->text);
    agn_status st = o->arg && o->text ? AGN_OK
                                      : agni_nomem("fn_compile", (size_t)n * sizeof *o->arg);
    o->n_arg = n;
    for (int i = 0; !st && i < n; i++) {
        o->arg[i].any = !shape[i];
        if (!shape[i])
            continue;
        size_t bytes = strlen(shape[i]) + 1;
        st = (o->text[i] = agni_alloc(bytes)) ? parse(o, i, shape[i])
                                              : agni_nomem("fn_compile", bytes);
        if (o->text[i])
            memcpy(o->text[i], shape[i], bytes);
    }
    if (!st && !o->n_name)
        st = agni_fail(AGN_EARG, "fn_compile: no open shape of %d has a name in it", n);
    if (st)
        agni_open_free(o);
    else
        *out = o;
    return st;
}

/* the sizes of now; every size is some argument's */
static agn_status read_sizes(const agni_open *o, const agn_tensor *const *in, int64_t *size)
{
    int of[AGNI_SIZES];
    for (int k = 0; k < o->n_name; k++)
        of[k] = -1;
    for (int i = 0; i < o->n_arg; i++) {
        const argument *a = &o->arg[i];
        if (a->any)
            continue;
        bool fit = a->ndim == in[i]->ndim;
        for (int d = 0; fit && d < a->ndim; d++)
            fit = a->want[d] < 0 || a->want[d] == in[i]->shape[d];
        if (!fit)
            return agni_fail(AGN_ESHAPE, "call: argument %d is %s, its open shape \"%s\"", i,
                             AGNI_SHAPE(in[i]), o->text[i]);
        for (int d = 0; d < a->ndim; d++) {
            int k = a->name[d];
            if (k < 0)
                continue;
            if (of[k] >= 0 && size[k] != in[i]->shape[d])
                return agni_fail(AGN_ESHAPE, "call: %s is %lld in argument %d and %lld in argument "
                                             "%d, %s",
                                 o->name[k], (long long)size[k], of[k],
                                 (long long)in[i]->shape[d], i, AGNI_SHAPE(in[i]));
            of[k] = i;
            size[k] = in[i]->shape[d];
        }
    }
    return AGN_OK;
}

/* ---- samples ------------------------------------------------------------------------------------- */

static int64_t prime_from(int64_t n)
{
    for (n |= 1;; n += 2) {
        bool prime = true;
        for (int64_t d = 3; prime && d <= n / d; d += 2)
            prime = n % d != 0;
        if (prime)
            return n;
    }
}

/* primes in the neighbourhood of the sizes of now, all of them different */
static void choose_samples(agni_samples *s, int n_size, const int64_t *now)
{
    int64_t least = LEAST_SIZE;
    *s = (agni_samples){.n_size = n_size, .n = n_size > 1 ? 2 * n_size + 2 : 3};
    for (int pass = 0; pass < 3; pass++)
        for (int k = 0; k < n_size; k++) {
            int64_t near = now[k] < MOST_SIZE ? now[k] : MOST_SIZE;
            int64_t p = prime_from(near > least ? near : least);
            least = p + p / 8 + 1;
            for (int j = 0; j < s->n; j++)
                if (pass == 0 || j == pass + 2 * k || (pass == 2 && j == 2 * n_size + 1))
                    s->size[j][k] = p;
        }
}

/* ---- comparing programs ---------------------------------------------------------------------------- */

typedef struct comparison {
    const agni_open *o;
    const agni_samples *s;
    family *f;
    const agni_prog *const *p; /* at each sample */
} comparison;

static agn_status refuse(const comparison *c, const char *fmt, ...) AGNI_PRINTF(2, 3);
static agn_status refuse(const comparison *c, const char *fmt, ...)
{
    char what[160];
    va_list ap;
    va_start(ap, fmt);
    agni_vformat(what, sizeof what, fmt, ap);
    va_end(ap);
    return agni_fail(AGN_EUNSUPPORTED, "compile: the open size %s%s: %s", c->o->name[0],
                     c->o->n_name > 1 ? ", ..." : "", what);
}

static agn_status changes(const comparison *c, change one)
{
    family *f = c->f;
    if (!agni_grow(&f->change, &f->cap, f->n + 1, sizeof *f->change))
        return agni_nomem("compile", (size_t)f->n * sizeof *f->change);
    f->change[f->n++] = one;
    return AGN_OK;
}

static bool one_number(const comparison *c, const double *v)
{
    bool same = true;
    for (int j = 1; j < c->s->n; j++)
        same = same && (v[j] == v[0] || (v[j] != v[j] && v[0] != v[0]));
    return same;
}

/* v[] at the samples, an integer of something */
static agn_status integer(const comparison *c, const int64_t *v, change one, const char *of)
{
    bool same = true;
    for (int j = 1; j < c->s->n; j++)
        same = same && v[j] == v[0];
    if (same)
        return AGN_OK;
    if (agni_form_of_integer(&one.form, c->s, v))
        return changes(c, one);
    return refuse(c, "%s %d has the integer %lld at %lld, %lld at %lld, %lld at %lld", of, one.of,
                  (long long)v[0], (long long)c->s->size[0][0], (long long)v[1],
                  (long long)c->s->size[1][0], (long long)v[2], (long long)c->s->size[2][0]);
}

static agn_status real(const comparison *c, const double *v, change one, double eps, const char *of)
{
    if (one_number(c, v))
        return AGN_OK;
    if (agni_form_of_real(&one.form, c->s, v, eps))
        return changes(c, one);
    return refuse(c, "%s %d has the number %.17g at %lld, %.17g at %lld, %.17g at %lld", of, one.of,
                  v[0], (long long)c->s->size[0][0], v[1], (long long)c->s->size[1][0], v[2],
                  (long long)c->s->size[2][0]);
}

static agn_status extents(const comparison *c, int32_t v)
{
    const agn_tensor *x = c->p[0]->val[v];
    agn_status st = AGN_OK;
    for (int d = 0; !st && d < x->ndim; d++) {
        int64_t n[AGNI_SAMPLES];
        for (int j = 0; j < c->s->n; j++)
            n[j] = c->p[j]->val[v]->shape[d];
        st = integer(c, n, (change){.what = EXTENT, .of = v, .at = d}, "value");
    }
    return st;
}

static bool same_bytes(const agn_tensor *x, const agn_tensor *y)
{
    if (x == y)
        return true;
    agn_tensor *a = NULL, *b = NULL;
    bool same = agni_same_shape(x, y) && !agn_contiguous(&a, x) && !agn_contiguous(&b, y) &&
                !memcmp(a->data, b->data, (size_t)agni_bytes(a));
    agn_release(a);
    agn_release(b);
    return same;
}

/* the first element of x along its open axes, as often as shape says: a view */
static agn_status spread(agn_tensor **out, const agn_tensor *x, const bool *open, const int64_t *shape)
{
    int64_t part[AGNI_MAX_RANK];
    agn_tensor *row = NULL;
    for (int d = 0; d < x->ndim; d++)
        part[d] = open[d] ? 1 : x->shape[d];
    agn_status st = agni_tensor_view(&row, x, x->ndim, part, x->stride, 0);
    st = st ? st : agn_broadcast_to(out, row, x->ndim, shape);
    agn_release(row);
    return st;
}

/* The first row of x along its open axis, as often as shape says, each more by what the second one
   is more: the numbers of rows or lanes, say. */
static agn_status ramp(agn_tensor **out, const agn_tensor *x, const bool *open, const int64_t *shape)
{
    int64_t row[AGNI_MAX_RANK], line[AGNI_MAX_RANK];
    int d = 0, axes = 0;
    for (int k = 0; k < x->ndim; k++) {
        axes += open[k];
        d = open[k] ? k : d;
        row[k] = open[k] ? 1 : x->shape[k];
        line[k] = open[k] ? shape[k] : 1;
    }
    if (axes != 1 || x->shape[d] < 2 || agni_kind(x->dtype) == AGNI_KIND_BOOL)
        return AGN_EUNSUPPORTED;
    agn_tensor *view[2] = {NULL};
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *r[2];
    for (int k = 0; k < 2; k++) {
        agn_status st = agni_tensor_view(&view[k], x, x->ndim, row, x->stride, k * x->stride[d]);
        r[k] = agn_scope_adopt(s, st, view[k]);
    }
    const agn_tensor *count = ag_arange(s, x->dtype, 0, (double)shape[d], 1);
    count = ag_reshape(s, count, x->ndim, line);
    agn_scope_return(s, out, ag_add(s, r[0], ag_mul(s, count, ag_sub(s, r[1], r[0]))));
    return agn_scope_close(s);
}

/* how a constant becomes one of another shape; is x what first becomes? */
typedef agn_status grow(agn_tensor **out, const agn_tensor *x, const bool *open, const int64_t *shape);
static bool grows(grow *by, const agn_tensor *x, const agn_tensor *first, const bool *open)
{
    agn_tensor *y = NULL;
    bool same = !by(&y, first, open, x->shape) && same_bytes(x, y);
    agn_release(y);
    return same;
}

/* is every element the same number? */
static bool filled(const agn_tensor *x, double *v)
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

static agn_status constant(const comparison *c, int32_t v)
{
    const agn_tensor *x = c->p[0]->val[v];
    double n[AGNI_SAMPLES];
    bool same = true, full = true, open[AGNI_MAX_RANK] = {false};
    for (int j = 0; j < c->s->n; j++) {
        const agn_tensor *y = c->p[j]->val[v];
        if (y->dtype != x->dtype || y->ndim != x->ndim)
            return refuse(c, "constant %d is %s at %lld and %s at %lld", v, AGNI_SHAPE(x),
                          (long long)c->s->size[0][0], AGNI_SHAPE(y),
                          (long long)c->s->size[j][0]);
        same = same && same_bytes(x, y);
        for (int d = 0; d < x->ndim; d++)
            open[d] |= x->shape[d] != y->shape[d];
    }
    if (same)
        return AGN_OK;
    static const struct {
        enum what what;
        grow *by;
    } way[] = {{SPREAD, spread}, {RAMP, ramp}};
    for (int i = 0; i < AGNI_COUNT(way); i++) {
        bool fits = true;
        for (int j = 0; fits && j < c->s->n; j++)
            fits = grows(way[i].by, c->p[j]->val[v], x, open);
        if (!fits)
            continue;
        agn_status st = changes(c, (change){.what = way[i].what, .of = v});
        return st ? st : extents(c, v);
    }
    for (int j = 0; full && j < c->s->n; j++)
        full = filled(c->p[j]->val[v], &n[j]);
    if (!full)
        return refuse(c, "constant %d, %s at %lld, changes with it and neither is the same "
                         "all along nor counts; pass it as an argument",
                      v, AGNI_SHAPE(x), (long long)c->s->size[0][0]);
    agn_dtype_facts facts = {.size = sizeof facts};
    agn_status st = agn_dtype_describe(&facts, x->dtype);
    double eps = agn_is_floating(x->dtype) ? facts.eps : 0;
    st = st ? st : real(c, n, (change){.what = FILL, .of = v}, eps, "constant");
    return st ? st : extents(c, v);
}

static agn_status compare(const comparison *c);

/* the programs within the objects of node k */
static agn_status within(const comparison *c, int32_t k)
{
    agni_obj *o[AGNI_SAMPLES];
    const agni_prog *inner[AGNI_SAMPLES];
    bool same = true, kind = true;
    for (int j = 0; j < c->s->n; j++) {
        o[j] = c->p[j]->node[k].at->obj;
        kind = kind && o[j] && o[0] && o[j]->type == o[0]->type;
        same = same && (o[j] == o[0] || (kind && o[0]->type->equal && o[0]->type->equal(o[j], o[0])));
    }
    if (same)
        return AGN_OK;
    int n = kind && o[0]->type->programs ? o[0]->type->programs(o[0], 0, NULL) : 0;
    if (!n)
        return refuse(c, "%s, node %d, holds an object of its own at each", c->p[0]->node[k].op->name,
                      k);
    agn_status st = AGN_OK;
    for (int i = 0; !st && i < n; i++) {
        bool all = true;
        for (int j = 0; j < c->s->n; j++)
            all = all && o[j]->type->programs(o[j], i, &inner[j]) == n;
        family *f = all ? agni_zalloc(sizeof *f) : NULL;
        if (!all)
            return refuse(c, "%s, node %d, holds other programs at each",
                          c->p[0]->node[k].op->name, k);
        if (!f)
            return agni_nomem("compile", sizeof *f);
        f->p = (agni_prog *)agni_obj_retain(&inner[0]->head);
        comparison d = {c->o, c->s, f, inner};
        st = changes(c, (change){.what = WITHIN, .of = k, .at = n, .within = f});
        if (st)
            family_free(f);
        else
            st = compare(&d);
    }
    return st;
}

static agn_status attributes(const comparison *c, int32_t k)
{
    const agni_pnode *n = &c->p[0]->node[k];
    bool fit = true;
    for (int j = 0; j < c->s->n; j++) {
        const agni_pnode *m = &c->p[j]->node[k];
        fit = fit && m->op == n->op && m->nin == n->nin && m->nout == n->nout && !m->at == !n->at &&
              (!n->at || (m->at->ni == n->at->ni && m->at->nf == n->at->nf));
    }
    if (!fit)
        return refuse(c, "node %d of the program is another at each, %s at %lld", k, n->op->name,
                      (long long)c->s->size[0][0]);
    agn_status st = AGN_OK;
    for (int i = 0; !st && n->at && i < n->at->ni; i++) {
        int64_t v[AGNI_SAMPLES];
        for (int j = 0; j < c->s->n; j++)
            v[j] = c->p[j]->node[k].at->i[i];
        st = integer(c, v, (change){.what = INTEGER, .of = k, .at = i}, n->op->name);
    }
    for (int i = 0; !st && n->at && i < n->at->nf; i++) {
        double v[AGNI_SAMPLES];
        for (int j = 0; j < c->s->n; j++)
            v[j] = c->p[j]->node[k].at->f[i];
        st = real(c, v, (change){.what = REAL, .of = k, .at = i}, DBL_EPSILON, n->op->name);
    }
    return st || !n->at ? st : within(c, k);
}

static agn_status compare(const comparison *c)
{
    const agni_prog *p = c->p[0];
    for (int j = 1; j < c->s->n; j++) {
        const agni_prog *q = c->p[j];
        if (q->n_in != p->n_in || q->n_cap != p->n_cap || q->n_node != p->n_node ||
            q->n_out != p->n_out || q->n_arg != p->n_arg || q->n_val != p->n_val ||
            memcmp(q->arg, p->arg, (size_t)p->n_arg * sizeof *p->arg) ||
            memcmp(q->out, p->out, (size_t)p->n_out * sizeof *p->out))
            return refuse(c, "another program at each, of %d nodes at %lld and %d at %lld",
                          p->n_node, (long long)c->s->size[0][0], q->n_node,
                          (long long)c->s->size[j][0]);
    }
    agn_status st = AGN_OK;
    for (int32_t v = 0; !st && v < p->n_in; v++)
        st = extents(c, v);
    for (int32_t v = p->n_in; !st && v < p->n_in + p->n_cap; v++)
        st = constant(c, v);
    for (int32_t k = 0; !st && k < p->n_node; k++)
        st = attributes(c, k);
    return st;
}

/* ---- the program at other sizes ------------------------------------------------------------------------ */

typedef struct place {
    int n_size;
    const int64_t *size;
    const change *c, *end; /* what comes next */
} place;

static bool next_is(const place *q, int what, int32_t of)
{
    return q->c < q->end && (int)q->c->what == what && q->c->of == of;
}
static double taken(place *q)
{
    double v = agni_form_at(&q->c->form, q->n_size, q->size);
    q->c++;
    return v;
}

static agn_tensor *described(const agn_tensor *like, int ndim, const int64_t *shape)
{
    agn_tensor *x = agni_tensor_header(like->dtype, ndim, shape);
    if (x) {
        x->weak = like->weak;
        x->anywhere = like->anywhere;
    }
    return x;
}

static agn_status make_extents(place *q, int32_t v, const agn_tensor *x, int64_t *shape)
{
    memcpy(shape, x->shape, (size_t)x->ndim * sizeof *shape);
    while (next_is(q, EXTENT, v)) {
        int d = q->c->at;
        double n = taken(q);
        if (n < 0)
            return agni_fail(AGN_ESHAPE, "call: value %d of the program would be %.0f long", v, n);
        shape[d] = (int64_t)n;
    }
    return AGN_OK;
}

static agn_status make_constant(agni_prog *y, const agni_prog *p, int32_t v, place *q)
{
    const agn_tensor *x = p->val[v];
    int64_t shape[AGNI_MAX_RANK];
    bool open[AGNI_MAX_RANK] = {false};
    grow *by = next_is(q, SPREAD, v) ? spread : next_is(q, RAMP, v) ? ramp : NULL;
    if (!by && !next_is(q, FILL, v)) {
        y->val[v] = agni_tensor_ref(x);
        return AGN_OK;
    }
    double n = taken(q);
    for (const change *c = q->c; c < q->end && c->what == EXTENT && c->of == v; c++)
        open[c->at] = true;
    agn_status st = make_extents(q, v, x, shape);
    if (!st)
        st = by ? by(&y->val[v], x, open, shape)
                : agn_full(&y->val[v], x->dtype, x->ndim, shape, n);
    if (!st) {
        y->val[v]->weak = x->weak;
        y->val[v]->anywhere = x->anywhere;
        y->cap_version[v - p->n_in] = agni_version(y->val[v]);
    }
    return st;
}

static agn_status program_at(agni_prog **out, const family *f, int n_size, const int64_t *size);

/* the object of a node over its programs at other sizes */
static agn_status make_object(agni_obj **out, const agni_obj *old, int32_t k, place *q)
{
    int n = q->c->at, i = 0;
    agni_prog **p = agni_zalloc((size_t)n * sizeof *p);
    agn_status st = p ? AGN_OK : agni_nomem("compile", (size_t)n * sizeof *p);
    for (; !st && i < n && next_is(q, WITHIN, k); i++, q->c++)
        st = program_at(&p[i], q->c->within, q->n_size, q->size);
    if (!st && !(*out = old->type->over(old, p)))
        st = agni_nomem("compile", (size_t)n * sizeof *p);
    for (i = 0; p && st && i < n; i++)
        if (p[i])
            agni_prog_release(p[i]);
    agni_free(p);
    return st;
}

static agn_status make_attributes(agni_attr **out, agni_attr *old, int32_t k, place *q)
{
    *out = NULL;
    if (q->c == q->end || q->c->what < INTEGER || q->c->of != k) {
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
        while (next_is(q, INTEGER, k)) {
            int at = q->c->at;
            i[at] = (int64_t)taken(q);
        }
        while (next_is(q, REAL, k)) {
            int at = q->c->at;
            r[at] = taken(q);
        }
        if (next_is(q, WITHIN, k))
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
        if (!(y->val[v] = described(p->val[v], meta[o].ndim, meta[o].shape)))
            st = agni_nomem("compile", sizeof *p->val[v]);
    }
    agni_free(in);
    agni_free(meta);
    return st;
}

static agn_status program_at(agni_prog **out, const family *f, int n_size, const int64_t *size)
{
    const agni_prog *p = f->p;
    agni_prog *y = agni_prog_new(p->n_in, p->n_cap, p->n_node, p->n_val, p->n_out, p->n_arg);
    agn_status st = y ? AGN_OK : agni_nomem("compile", (size_t)p->n_val * sizeof *p->val);
    place q = {n_size, size, f->change, f->change + f->n};
    for (int32_t v = 0; !st && v < p->n_in; v++) {
        int64_t shape[AGNI_MAX_RANK];
        const agn_tensor *x = p->val[v];
        st = make_extents(&q, v, x, shape);
        if (!st && !(y->val[v] = described(x, x->ndim, shape)))
            st = agni_nomem("compile", sizeof *x);
    }
    if (!st) {
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

/* ---- families -------------------------------------------------------------------------------------------- */

/* in all but the open sizes? */
static bool of_family(const agni_open *o, const family *f, const agn_tensor *const *in)
{
    for (int i = 0; i < o->n_arg; i++) {
        const agn_tensor *x = in[i], *y = f->p->val[i];
        bool same = x->dtype == y->dtype && x->weak == y->weak && x->ndim == y->ndim;
        for (int d = 0; same && d < x->ndim; d++)
            same = (!o->arg[i].any && o->arg[i].name[d] >= 0) || x->shape[d] == y->shape[d];
        if (!same)
            return false;
    }
    return true;
}

static agn_status trace_at(agni_prog **out, const agni_open *o, const agn_fn *f,
                           const agn_tensor *const *in, const int64_t *size)
{
    agn_tensor **x = agni_zalloc(((size_t)o->n_arg + 1) * sizeof *x);
    agn_status st = x ? AGN_OK : agni_nomem("compile", (size_t)o->n_arg * sizeof *x);
    for (int i = 0; !st && i < o->n_arg; i++) {
        int64_t shape[AGNI_MAX_RANK];
        memcpy(shape, in[i]->shape, (size_t)in[i]->ndim * sizeof *shape);
        for (int d = 0; !o->arg[i].any && d < in[i]->ndim; d++)
            if (o->arg[i].name[d] >= 0)
                shape[d] = size[o->arg[i].name[d]];
        if (!(x[i] = described(in[i], in[i]->ndim, shape)))
            st = agni_nomem("compile", sizeof *x[i]);
    }
    st = st ? st : agni_trace_stored("compile", out, f, (const agn_tensor *const *)x);
    for (int i = 0; x && i < o->n_arg; i++)
        agn_release(x[i]);
    agni_free(x);
    return st;
}

static agn_status family_new(family **out, const agni_open *o, const agn_fn *fn,
                             const agn_tensor *const *in, const int64_t *size)
{
    agni_samples s;
    agni_prog *p[AGNI_SAMPLES] = {NULL};
    family *f = agni_zalloc(sizeof *f);
    agn_status st = f ? AGN_OK : agni_nomem("compile", sizeof *f);
    choose_samples(&s, o->n_name, size);
    for (int j = 0; !st && j < s.n; j++)
        st = trace_at(&p[j], o, fn, in, s.size[j]);
    if (!st) {
        f->p = (agni_prog *)agni_obj_retain(&p[0]->head);
        st = compare(&(comparison){o, &s, f, (const agni_prog *const *)p});
    }
    for (int j = 0; j < s.n; j++)
        if (p[j])
            agni_prog_release(p[j]);
    if (st)
        family_free(f);
    else
        *out = f;
    return st;
}

/* f first among those kept, the last of too many let go of */
static void keep(agni_open *o, family *f)
{
    f->next = o->kept;
    o->kept = f;
    for (int n = 1; f && n < MOST_KEPT; n++)
        f = f->next;
    if (f) {
        family_free(f->next);
        f->next = NULL;
    }
}

agn_status agni_open_program(agni_prog **out, agni_open *o, const agn_fn *fn,
                             const agn_tensor *const *in)
{
    int64_t size[AGNI_SIZES];
    agn_status st = read_sizes(o, in, size);
    bool small = false;
    for (int k = 0; !st && k < o->n_name; k++)
        small = small || size[k] < LEAST_FITTED;
    if (st || small)
        return st ? st : agni_trace_stored("compile", out, fn, in);
    pthread_mutex_lock(&o->busy);
    family *f = o->kept;
    while (f && !of_family(o, f, in))
        f = f->next;
    if (f)
        st = program_at(out, f, o->n_name, size);
    pthread_mutex_unlock(&o->busy);
    if (f)
        return st;
    st = family_new(&f, o, fn, in, size); /* the body runs outside of the lock */
    if (st)
        return st;
    st = program_at(out, f, o->n_name, size);
    pthread_mutex_lock(&o->busy);
    keep(o, f);
    pthread_mutex_unlock(&o->busy);
    return st;
}
