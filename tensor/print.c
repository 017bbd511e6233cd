/* tensor/print.c - a tensor as text, character for character as NumPy 2.4 prints an
   array.

   One pass over the elements that will be shown finds how all of them are written
   (NumPy writes an array with one format), a second one writes. Only the corners of
   a tensor of more than THRESHOLD elements are shown. Text goes straight to the
   caller's buffer. */
#include "tensor/print.h"

#include <string.h>

enum { EDGE = 3, THRESHOLD = 1000, WIDTH = 75 };

/* ---- the text so far ------------------------------------------------------------- */

/* Spaces are held back until something follows: a line that breaks ends without
   them. */
typedef struct text {
    char *buf;
    size_t n, len; /* len counts also what did not fit */
    int column, spaces;
} text;

static void put_char(text *t, char c)
{
    if (t->len + 1 < t->n)
        t->buf[t->len] = c;
    t->len++;
}

static void flush_spaces(text *t)
{
    for (; t->spaces > 0; t->spaces--)
        put_char(t, ' ');
}

static void put_spaces(text *t, int n)
{
    if (n > 0) {
        t->spaces += n;
        t->column += n;
    }
}

static void put(text *t, const char *s, int n)
{
    flush_spaces(t);
    for (int i = 0; i < n; i++)
        put_char(t, s[i]);
    t->column += n;
}

static void puts_(text *t, const char *s)
{
    put(t, s, (int)strlen(s));
}

static void newline(text *t, int count, int indent)
{
    t->spaces = 0;
    for (int i = 0; i < count; i++)
        put_char(t, '\n');
    t->column = 0;
    put_spaces(t, indent);
}

/* ---- which elements are shown ---------------------------------------------------- */

/* Of a large tensor, the corners: EDGE elements at either end of each long axis. */
static bool cut(const agn_tensor *x, int axis)
{
    return x->size > THRESHOLD && x->shape[axis] > 2 * EDGE;
}

static int64_t shown_along(const agn_tensor *x, int axis)
{
    return cut(x, axis) ? 2 * EDGE : x->shape[axis];
}

/* ---- brackets and lines ---------------------------------------------------------- */

typedef struct layout {
    text t;
    const agni_shown *s;
    const agn_tensor *x;
    int64_t next; /* element to be written */
} layout;

/* a word of a row that began at column indent; a line is at most width characters
   long */
static void put_word(layout *l, const char *s, int n, int indent, int width)
{
    text *t = &l->t;
    if (t->column + n > width && t->column > indent)
        newline(t, 1, indent);
    int ahead = 0, behind = 0;
    while (ahead < n && s[ahead] == ' ')
        ahead++;
    while (behind < n - ahead && s[n - 1 - behind] == ' ')
        behind++;
    put_spaces(t, ahead);
    put(t, s + ahead, n - ahead - behind);
    put_spaces(t, behind);
}

static void put_axis(layout *l, int axis)
{
    int left = l->x->ndim - axis, indent = axis + 1, width = WIDTH - axis - 1;
    bool gap = cut(l->x, axis);
    int64_t count = shown_along(l->x, axis);
    puts_(&l->t, "[");
    for (int64_t i = 0; i < count; i++) {
        if (left > 1) {
            if (i > 0)
                newline(&l->t, left - 1, indent);
            if (gap && i == EDGE) {
                puts_(&l->t, "...");
                newline(&l->t, left - 1, indent);
            }
            put_axis(l, axis + 1);
            continue;
        }
        if (i > 0)
            put_spaces(&l->t, 1);
        if (gap && i == EDGE) {
            put_word(l, "...", 3, indent, width);
            put_spaces(&l->t, 1);
        }
        agni_word w;
        agni_shown_element(&w, l->s, l->next++);
        put_word(l, w.s, w.n, indent, width);
    }
    puts_(&l->t, "]");
}

/* ---- values, and the whole ------------------------------------------------------- */

/* the shown elements of a host tensor, row by row */
static char *gather(char *dst, const agn_tensor *x, int axis, const char *src)
{
    size_t bytes = (size_t)agni_dtypes[x->dtype].bytes;
    if (axis == x->ndim) {
        memcpy(dst, src, bytes);
        return dst + bytes;
    }
    int64_t n = shown_along(x, axis);
    for (int64_t i = 0; i < n; i++) {
        int64_t k = i < EDGE ? i : x->shape[axis] - n + i;
        dst = gather(dst, x, axis + 1, src + k * x->stride[axis] * (int64_t)bytes);
    }
    return dst;
}

static const int8_t shown_dtype[] = {
    [AGNI_KIND_BOOL] = AGN_BOOL,
    [AGNI_KIND_INT] = AGN_I64,
    [AGNI_KIND_FLOAT] = AGN_F64,
    [AGNI_KIND_COMPLEX] = AGN_C128,
};

/* a small tensor of the shown elements in the widest dtype of their kind */
static agn_status collect(agn_tensor **out, const agn_tensor *x)
{
    int64_t n = 1;
    for (int i = 0; i < x->ndim; i++)
        n *= shown_along(x, i);
    agn_tensor *host = NULL, *few = NULL, *alias = agni_tensor_alias(x);
    if (!alias)
        return agni_nomem("format", sizeof *alias);
    agn_status st = AGN_OK;
    if (agn_data(alias))
        host = agni_tensor_ref(alias);
    else
        st = agn_to_device(&host, alias, AGN_CPU);
    if (!st)
        st = agni_tensor_make(&few, "format", x->dtype, 1, &n, AGN_CPU);
    if (!st) {
        gather(few->data, host, 0, host->data);
        st = agn_cast(out, few, shown_dtype[agni_kind(x->dtype)]);
    }
    agn_release(few);
    agn_release(host);
    agn_release(alias);
    return st;
}

static void print_value(layout *l, const agn_tensor *values)
{
    const agn_tensor *x = l->x;
    agni_shown s = {
        .kind = agni_kind(x->dtype), .n = values->size, .data = values->data};
    if (s.kind >= AGNI_KIND_FLOAT)
        s.p = agni_precision_of(agni_dtypes[x->dtype].real);
    l->s = &s;
    if (x->ndim == 0) {
        agni_word w;
        agni_shown_alone(&w, &s);
        put(&l->t, w.s, w.n);
    } else {
        agni_shown_formats(&s);
        put_axis(l, 0);
    }
}

/* a tensor beside its name */
static agn_status put_part(text *t, const char *name, const agn_tensor *x)
{
    size_t n = 0;
    agn_status st = agn_format(NULL, 0, &n, x);
    char *all = st ? NULL : agni_alloc(n);
    if (!all)
        return st ? st : agni_nomem("format", n);
    st = agn_format(all, n, NULL, x);
    newline(t, 1, 0);
    puts_(t, name);
    puts_(t, all);
    agni_free(all);
    return st;
}

static agn_status put_integers(text *t, const char *name, int64_t n, const int64_t *v)
{
    agn_tensor *x = NULL;
    agn_status st = agn_wrap_host(&x, AGN_I64, 1, &n, NULL, (void *)(uintptr_t)v, true, NULL, NULL);
    if (!st)
        st = put_part(t, name, x);
    agn_release(x);
    return st;
}

/* a sparse matrix as its parts */
static agn_status print_csr(text *t, const agn_tensor *x, const agni_csr *c)
{
    char entries[32];
    agni_format(entries, sizeof entries, ", %lld entries", (long long)c->pattern->nnz);
    puts_(t, "csr ");
    puts_(t, agni_dtypes[x->dtype].name);
    puts_(t, " ");
    puts_(t, AGNI_SHAPE(x));
    puts_(t, entries);
    agn_status st = put_integers(t, "indptr  ", c->pattern->rows + 1, c->pattern->indptr);
    if (!st)
        st = put_integers(t, "indices ", c->pattern->nnz, c->pattern->index);
    return st ? st : put_part(t, "values  ", c->values);
}

agn_status agn_format(char *buf, size_t n, size_t *need, const agn_tensor *x)
{
    if (!x || (!buf && n))
        return agni_fail(AGN_ENULL, "format: %s is NULL", x ? "buf" : "x");
    layout l = {.t = {.buf = buf, .n = n}, .x = x};
    if (x->layout != AGN_DENSE) {
        agn_status st = print_csr(&l.t, x, agni_csr_of(x));
        if (st)
            return st;
    } else if (agni_symbolic(x)) {
        puts_(&l.t, "<");
        puts_(&l.t, agni_dtypes[x->dtype].name);
        puts_(&l.t, " ");
        puts_(&l.t, AGNI_SHAPE(x));
        puts_(&l.t, " while tracing>");
    } else if (x->size == 0) {
        puts_(&l.t, "[]");
    } else {
        agn_tensor *values = NULL;
        agn_status st = collect(&values, x);
        if (st)
            return st;
        print_value(&l, values);
        agn_release(values);
    }
    flush_spaces(&l.t);
    if (n > 0)
        buf[l.t.len < n ? l.t.len : n - 1] = 0;
    if (need)
        *need = l.t.len + 1;
    return AGN_OK;
}
