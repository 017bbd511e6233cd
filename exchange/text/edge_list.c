/* exchange/text/edge_list.c - graphs as lines of text: edge lists, and citations with the words of
   documents (Sen et al. 2008). */
#include "exchange/text/text.h"
#include "tensor/dispatch/op_helpers.h"

#include <agnesi/exchange_graph.h>
#include <agnesi/tensor.h>
#include <stdlib.h>
#include <string.h>

/* n elements of 8 bytes */
static agn_status make_tensor(agn_tensor **out, const char *op, int dtype, int ndim,
                              const int64_t *shape, const agni_numbers *q)
{
    agn_status st = agni_tensor_make(out, op, dtype, ndim, shape, AGN_CPU);
    if (!st && q->n)
        memcpy((*out)->data, q->v, (size_t)q->n * sizeof(int64_t));
    return st;
}

static agn_status make_graph(agn_graph **out, const char *op, const agni_numbers *src,
                             const agni_numbers *dst, int64_t n)
{
    agn_tensor *a = NULL, *b = NULL;
    agn_status st = make_tensor(&a, op, AGN_I64, 1, &src->n, src);
    if (!st)
        st = make_tensor(&b, op, AGN_I64, 1, &dst->n, dst);
    if (!st)
        st = agni_rename_error(op, agn_graph_from_edges(out, a, b, n, n));
    agn_release(a);
    agn_release(b);
    return st;
}

/* ---- edge lists ----------------------------------------------------------------------------- */

static agn_status read_edge(agni_text *t, agni_numbers *src, agni_numbers *dst, agni_numbers *value)
{
    int64_t a = 0, b = 0;
    double v = 0;
    size_t n;
    agn_status st = agni_text_integer(t, &a, "expected are two nodes, integers from 0 on");
    if (!st)
        st = agni_text_integer(t, &b, "expected are two nodes, integers from 0 on");
    if (!st && (a < 0 || b < 0 || a > INT64_MAX / 128 || b > INT64_MAX / 128))
        st = agni_text_bad(t, "expected are two nodes, integers from 0 on");
    if (st)
        return st;
    const char *at = t->p, *word = agni_text_word(t, &n);
    if (src->n && !word != !value->n)
        return agni_text_bad(t, word ? "a third column, earlier lines have none"
                                     : "expected is a third column");
    t->p = at;
    if (word)
        st = agni_text_real(t, &v, "expected is a number");
    if (!st && agni_text_word(t, &n))
        st = agni_text_bad(t, "expected is its end");
    if (!st && !(agni_add_integer(src, a) && agni_add_integer(dst, b) &&
                 (!word || agni_add_real(value, v))))
        st = agni_nomem(t->op, (size_t)src->n * 4 * sizeof(int64_t));
    return st;
}

agn_status agni_edge_list_read(agn_graph **out, agn_tensor **values, agni_text *t)
{
    agni_numbers src = {0}, dst = {0}, value = {0};
    agn_tensor *v = NULL;
    int64_t n = 0;
    agn_status st = AGN_OK;
    while (!st && agni_text_line(t, "#%"))
        st = read_edge(t, &src, &dst, &value);
    for (int64_t e = 0; !st && e < src.n; e++) {
        int64_t a = ((int64_t *)src.v)[e], b = ((int64_t *)dst.v)[e];
        n = a >= n ? a + 1 : n;
        n = b >= n ? b + 1 : n;
    }
    if (!st && values && value.n)
        st = make_tensor(&v, t->op, AGN_F64, 1, &value.n, &value);
    if (!st)
        st = make_graph(out, t->op, &src, &dst, n);
    agni_free(src.v);
    agni_free(dst.v);
    agni_free(value.v);
    if (st)
        agn_release(v);
    else if (values)
        *values = v;
    return st;
}

agn_status agn_edge_list_load(agn_graph **out, agn_tensor **values, const char *path)
{
    static const char op[] = "edge_list_load";
    agni_text t;
    AGNI_NEED(op, out);
    AGNI_NEED(op, path);
    agn_status st = agni_text_open(&t, op, path, ",;");
    if (st)
        return st;
    st = agni_edge_list_read(out, values, &t);
    agni_text_close(&t);
    return st;
}

/* ---- citations ------------------------------------------------------------------------------ */

typedef struct name {
    const char *p;
    size_t n;
    int64_t number;
} name;
static int by_text(const void *a, const void *b)
{
    const name *p = a, *q = b;
    int c = memcmp(p->p, q->p, p->n < q->n ? p->n : q->n);
    return c ? c : p->n < q->n ? -1 : p->n > q->n;
}
static int by_text_and_number(const void *a, const void *b)
{
    const name *p = a, *q = b;
    int c = by_text(a, b);
    return c ? c : p->number < q->number ? -1 : p->number > q->number;
}

typedef struct documents {
    name *id, *label; /* [n] */
    int64_t n, room, width;
    agni_numbers x;
} documents;

static bool grow_documents(documents *d)
{
    int64_t room = 2 * d->room + 64;
    name *id = agni_alloc((size_t)room * sizeof *id),
         *label = agni_alloc((size_t)room * sizeof *label);
    if (!id || !label) {
        agni_free(id);
        agni_free(label);
        return false;
    }
    if (d->n) {
        memcpy(id, d->id, (size_t)d->n * sizeof *id);
        memcpy(label, d->label, (size_t)d->n * sizeof *label);
    }
    agni_free(d->id);
    agni_free(d->label);
    d->id = id;
    d->label = label;
    d->room = room;
    return true;
}

/* a name, numbers, a label: the last word is no number */
static agn_status read_document(agni_text *t, documents *d)
{
    size_t n = 0, m = 0;
    const char *id = agni_text_word(t, &n), *word = agni_text_word(t, &m), *next;
    int64_t width = 0;
    if (!word)
        return agni_text_bad(t, "expected are a name, numbers and a label");
    if (d->n == d->room && !grow_documents(d))
        return agni_nomem(t->op, (size_t)d->room * 4 * sizeof *d->id);
    for (size_t k = 0; (next = agni_text_word(t, &k)); word = next, m = k, width++) {
        double v;
        const char *end;
        if (!agni_parse_double(word, &end, &v) || end != word + m)
            return agni_text_bad(t, "expected is a number");
        if (!agni_add_real(&d->x, v))
            return agni_nomem(t->op, (size_t)d->x.n * 2 * sizeof v);
    }
    if (d->n && width != d->width)
        return agni_text_bad(t, "another number of numbers than in the first line");
    d->width = width;
    d->id[d->n] = (name){id, n, d->n};
    d->label[d->n] = (name){word, m, d->n};
    d->n++;
    return AGN_OK;
}

/* names in order; a document twice is refused */
static agn_status sort_names(const agni_text *t, documents *d)
{
    if (d->n) {
        qsort(d->id, (size_t)d->n, sizeof *d->id, by_text_and_number);
        qsort(d->label, (size_t)d->n, sizeof *d->label, by_text_and_number);
    }
    for (int64_t i = 1; i < d->n; i++)
        if (!by_text(&d->id[i], &d->id[i - 1]))
            return agni_fail(AGN_EFORMAT, "%s: %s: the document %.*s is there twice", t->op,
                             t->file, d->id[i].n < 60 ? (int)d->id[i].n : 60, d->id[i].p);
    return AGN_OK;
}

static agn_status read_citation(agni_text *t, const documents *d, agni_numbers *src,
                                agni_numbers *dst, int64_t *unknown)
{
    name to = {0}, from = {0};
    size_t n;
    to.p = agni_text_word(t, &to.n);
    from.p = agni_text_word(t, &from.n);
    if (!to.p || !from.p || agni_text_word(t, &n))
        return agni_text_bad(t, "expected are two names");
    const name *a = d->n ? bsearch(&from, d->id, (size_t)d->n, sizeof *d->id, by_text) : NULL;
    const name *b = d->n ? bsearch(&to, d->id, (size_t)d->n, sizeof *d->id, by_text) : NULL;
    if (!a || !b) {
        ++*unknown;
        return AGN_OK;
    }
    return agni_add_integer(src, a->number) && agni_add_integer(dst, b->number)
               ? AGN_OK
               : agni_nomem(t->op, (size_t)src->n * 4 * sizeof(int64_t));
}

static agn_status make_documents(agn_tensor **x, agn_tensor **labels, const char *op,
                                 const documents *d)
{
    agn_status st = make_tensor(x, op, AGN_F64, 2, (int64_t[]){d->n, d->width}, &d->x);
    if (!st)
        st = agni_tensor_make(labels, op, AGN_I64, 1, &d->n, AGN_CPU);
    for (int64_t i = 0, k = 0; !st && i < d->n; i++) {
        k += i && by_text(&d->label[i], &d->label[i - 1]);
        ((int64_t *)(*labels)->data)[d->label[i].number] = k;
    }
    return st;
}

agn_status agni_citations_read(agn_graph **out, agn_tensor **x, agn_tensor **labels,
                               int64_t *unknown, agni_text *content, agni_text *cites)
{
    documents d = {0};
    agni_numbers src = {0}, dst = {0};
    agn_tensor *v = NULL, *label = NULL;
    agn_status st = AGN_OK;
    *unknown = 0;
    while (!st && agni_text_line(content, ""))
        st = read_document(content, &d);
    if (!st)
        st = sort_names(content, &d);
    while (!st && agni_text_line(cites, ""))
        st = read_citation(cites, &d, &src, &dst, unknown);
    if (!st)
        st = make_documents(&v, &label, content->op, &d);
    if (!st)
        st = make_graph(out, content->op, &src, &dst, d.n);
    agni_free(d.id);
    agni_free(d.label);
    agni_free(d.x.v);
    agni_free(src.v);
    agni_free(dst.v);
    if (st) {
        agn_release(v);
        agn_release(label);
        return st;
    }
    *x = v;
    *labels = label;
    return AGN_OK;
}

agn_status agn_citations_load(agn_graph **out, agn_tensor **x, agn_tensor **labels,
                              int64_t *unknown, const char *content, const char *cites)
{
    static const char op[] = "citations_load";
    agni_text t, u = {0};
    int64_t missing = 0;
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    AGNI_NEED(op, labels);
    AGNI_NEED(op, content);
    AGNI_NEED(op, cites);
    agn_status st = agni_text_open(&t, op, content, ",");
    if (!st)
        st = agni_text_open(&u, op, cites, ",");
    if (!st)
        st = agni_citations_read(out, x, labels, &missing, &t, &u);
    agni_text_close(&t);
    agni_text_close(&u);
    if (!st && unknown)
        *unknown = missing;
    return st;
}
