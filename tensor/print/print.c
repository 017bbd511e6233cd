/* tensor/print/print.c - a tensor as text, character for character as NumPy 2.4 prints an
   array.

   One pass over the elements that will be shown finds how all of them are written
   (NumPy writes an array with one format), a second one writes. Only the corners of
   a tensor of more than threshold elements are shown. Text goes straight to the
   caller's buffer. */
#include "tensor/print/print.h"
#include <agnesi/backend.h>

#include <string.h>

/* ---- options ----------------------------------------------------------------------- */

static const agn_format_options defaults = {
    .size = sizeof defaults,
    .threshold = 1000,
    .edgeitems = 3,
    .precision = 8,
    .linewidth = 75,
    .sign = '-',
    .nanstr = "nan",
    .infstr = "inf",
};

enum { STRING_MOST = 32 };

static bool long_text(const char *s)
{
    return strlen(s) > STRING_MOST;
}

/* a member that is 0 stands for its default, AGN_FORMAT_ZERO for 0 */
static int64_t option_or(int64_t given, int64_t usual)
{
    return given == AGN_FORMAT_ZERO ? 0 : given ? given : usual;
}

static agn_status resolve_options(agn_format_options *o, const agn_format_options *given)
{
    *o = defaults;
    if (!given)
        return AGN_OK;
    if (agni_check_size("format", agn_format_options, given))
        return AGN_EARG;
    *o = *given;
    o->threshold = option_or(given->threshold, defaults.threshold);
    o->precision = (int32_t)option_or(given->precision, defaults.precision);
    o->edgeitems = given->edgeitems ? given->edgeitems : defaults.edgeitems;
    o->linewidth = given->linewidth ? given->linewidth : defaults.linewidth;
    o->sign = given->sign ? given->sign : defaults.sign;
    o->nanstr = given->nanstr ? given->nanstr : defaults.nanstr;
    o->infstr = given->infstr ? given->infstr : defaults.infstr;
    static const char out[] = "format: %s is %lld, not in %lld to %lld";
    const struct {
        const char *name;
        int64_t value, low, high;
    } ranges[] = {
        {"threshold", o->threshold, 0, INT64_MAX},
        {"edgeitems", o->edgeitems, 1, INT32_MAX / 2},
        {"precision", o->precision, 0, AGNI_MOST_DECIMALS},
        {"linewidth", o->linewidth, 1, INT32_MAX / 2},
        {"floatmode", o->floatmode, 0, AGN_FORMAT_MAXPREC_EQUAL},
        {"style", o->style, 0, AGN_FORMAT_ARRAY},
    };
    for (int k = 0; k < AGNI_COUNT(ranges); k++)
        if (ranges[k].value < ranges[k].low || ranges[k].value > ranges[k].high)
            return agni_fail(AGN_EARG, out, ranges[k].name, (long long)ranges[k].value,
                             (long long)ranges[k].low, (long long)ranges[k].high);
    if (!strchr("-+ ", o->sign))
        return agni_fail(AGN_EARG, "format: sign is %d, not '-', '+' or ' '", o->sign);
    if (long_text(o->nanstr) || long_text(o->infstr))
        return agni_fail(AGN_EARG, "format: %s has %zu bytes, %d are possible",
                         long_text(o->nanstr) ? "nanstr" : "infstr",
                         strlen(long_text(o->nanstr) ? o->nanstr : o->infstr),
                         STRING_MOST);
    return AGN_OK;
}

/* ---- the text so far ------------------------------------------------------------- */

/* Spaces are written only when text follows: a broken line has no trailing ones. */
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

static void put_text(text *t, const char *s, int n)
{
    flush_spaces(t);
    for (int i = 0; i < n; i++)
        put_char(t, s[i]);
    t->column += n;
}

static void put_string(text *t, const char *s)
{
    put_text(t, s, (int)strlen(s));
}

static void put_newline(text *t, int count, int indent)
{
    t->spaces = 0;
    for (int i = 0; i < count; i++)
        put_char(t, '\n');
    t->column = 0;
    put_spaces(t, indent);
}

/* ---- which elements are shown ---------------------------------------------------- */

/* what is written of which tensor, and how far it has come */
typedef struct layout {
    text t;
    agn_format_options o;
    const agn_tensor *x;
    const agni_shown *s;
    int64_t next;          /* element to be written */
    int indent;            /* of a row of the outermost axis */
    const char *separator; /* of elements, without its space */
} layout;

/* Of a large tensor, the corners: edgeitems elements at either end of each long axis. */
static bool is_summarised(const layout *l, int axis)
{
    return l->x->size > l->o.threshold &&
           l->x->shape[axis] > 2 * (int64_t)l->o.edgeitems;
}

static int64_t count_shown(const layout *l, int axis)
{
    return is_summarised(l, axis) ? 2 * (int64_t)l->o.edgeitems : l->x->shape[axis];
}

/* ---- brackets and lines ---------------------------------------------------------- */

/* a word of a row that began at column indent; a line is at most width characters
   long */
static void put_word(layout *l, const char *s, int n, int indent, int width)
{
    text *t = &l->t;
    if (t->column + n > width && t->column > indent)
        put_newline(t, 1, indent);
    int ahead = 0, behind = 0;
    while (ahead < n && s[ahead] == ' ')
        ahead++;
    while (behind < n - ahead && s[n - 1 - behind] == ' ')
        behind++;
    put_spaces(t, ahead);
    put_text(t, s + ahead, n - ahead - behind);
    put_spaces(t, behind);
}

static void put_separator(layout *l)
{
    if (*l->separator)
        put_string(&l->t, l->separator);
    put_spaces(&l->t, 1);
}

/* the elements of the last axis, broken into lines */
static void put_row(layout *l, int axis)
{
    int indent = l->indent + axis + 1, width = l->o.linewidth - axis - 1;
    width -= l->o.style == AGN_FORMAT_ARRAY; /* room for the closing parenthesis */
    bool gap = is_summarised(l, axis);
    int64_t count = count_shown(l, axis);
    for (int64_t i = 0; i < count; i++) {
        if (i > 0)
            put_separator(l);
        if (gap && i == l->o.edgeitems) {
            put_word(l, "...", 3, indent, width);
            put_separator(l);
        }
        agni_word w;
        agni_shown_element(&w, l->s, l->next++);
        put_word(l, w.s, w.n, indent, width);
    }
}

static void put_axis(layout *l, int axis)
{
    int left = l->x->ndim - axis, indent = l->indent + axis + 1;
    put_string(&l->t, "[");
    if (left == 1)
        put_row(l, axis);
    for (int64_t i = 0; left > 1 && i < count_shown(l, axis); i++) {
        if (i > 0) {
            put_string(&l->t, l->separator);
            put_newline(&l->t, left - 1, indent);
        }
        if (is_summarised(l, axis) && i == l->o.edgeitems) {
            put_string(&l->t, "...");
            put_string(&l->t, l->separator);
            put_newline(&l->t, left - 1, indent);
        }
        put_axis(l, axis + 1);
    }
    put_string(&l->t, "]");
}

/* ---- what follows the elements of an array(...) ------------------------------------- */

/* as NumPy calls it, and whether elements say so themselves */
static const struct {
    const char *name;
    bool implied;
} dtypes[AGN_NDTYPES] = {
    [AGN_BOOL] = {"bool", true},      [AGN_U8] = {"uint8", false},
    [AGN_I8] = {"int8", false},       [AGN_I16] = {"int16", false},
    [AGN_I32] = {"int32", false},     [AGN_I64] = {"int64", true},
    [AGN_F16] = {"float16", false},   [AGN_BF16] = {"bfloat16", false},
    [AGN_F32] = {"float32", false},   [AGN_F64] = {"float64", true},
    [AGN_C64] = {"complex64", false}, [AGN_C128] = {"complex128", true},
};

enum { EXTRAS = 1024 };

/* "shape=(2, 0), dtype=float32, device='cuda:0')", as far as it is called for */
static void find_extras(char buf[EXTRAS], const layout *l)
{
    const agn_tensor *x = l->x;
    int n = 0;
    const char *comma = "";
    buf[0] = 0;
    if ((x->size == 0 && x->ndim != 1) || x->size > l->o.threshold) {
        n += agni_format(buf + n, EXTRAS / 2, "shape=(");
        for (int i = 0; i < x->ndim; i++)
            n += agni_format(buf + n, 32, "%s%lld%s", i ? ", " : "",
                             (long long)x->shape[i], x->ndim == 1 ? "," : "");
        n += agni_format(buf + n, 2, ")");
        comma = ", ";
    }
    if (!dtypes[x->dtype].implied || x->size == 0) {
        n += agni_format(buf + n, 32, "%sdtype=%s", comma, dtypes[x->dtype].name);
        comma = ", ";
    }
    if (agni_tensor_device(x) != AGN_CPU)
        agni_format(buf + n, 96, "%sdevice='%s'", comma,
                    agn_device_name(agni_tensor_device(x)));
}

static void put_extras(layout *l)
{
    char extras[EXTRAS];
    find_extras(extras, l);
    int n = (int)strlen(extras);
    if (n) {
        put_string(&l->t, ",");
        if (l->t.column + n + 2 > l->o.linewidth)
            put_newline(&l->t, 1, l->indent);
        else
            put_spaces(&l->t, 1);
        put_string(&l->t, extras);
    }
    put_string(&l->t, ")");
}

/* ---- values, and the whole ------------------------------------------------------- */

/* the shown elements of a host tensor, row by row */
static char *copy_shown(char *dst, const layout *l, const agn_tensor *x, int axis, const char *src)
{
    size_t bytes = (size_t)agni_dtypes[x->dtype].bytes;
    if (axis == x->ndim) {
        memcpy(dst, src, bytes);
        return dst + bytes;
    }
    int64_t n = count_shown(l, axis);
    for (int64_t i = 0; i < n; i++) {
        int64_t k = i < n / 2 ? i : x->shape[axis] - n + i;
        dst = copy_shown(dst, l, x, axis + 1, src + k * x->stride[axis] * (int64_t)bytes);
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
static agn_status collect_shown(agn_tensor **out, const layout *l)
{
    const agn_tensor *x = l->x;
    int64_t n = 1;
    for (int i = 0; i < x->ndim; i++)
        n *= count_shown(l, i);
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
        copy_shown(few->data, l, host, 0, host->data);
        st = agn_cast(out, few, shown_dtype[agni_kind(x->dtype)]);
    }
    agn_release(few);
    agn_release(host);
    agn_release(alias);
    return st;
}

static void print_elements(layout *l, const agn_tensor *values)
{
    const agn_tensor *x = l->x;
    agni_shown s = {.kind = agni_kind(x->dtype),
                    .n = values->size,
                    .data = values->data,
                    .opts = &l->o};
    if (s.kind >= AGNI_KIND_FLOAT)
        s.p = agni_precision_of(agni_dtypes[x->dtype].real);
    l->s = &s;
    agni_word w;
    agni_shown_formats(&s);
    if (x->ndim) {
        put_axis(l, 0);
        return;
    }
    /* a number by itself is written in full; as an array it is one of elements */
    if (l->o.style == AGN_FORMAT_ELEMENTS || s.kind == AGNI_KIND_BOOL)
        agni_shown_alone(&w, &s);
    else
        agni_shown_element(&w, &s, 0);
    put_word(l, w.s, w.n, 0, INT32_MAX); /* no line is broken for it */
}

static agn_status print_value(layout *l)
{
    bool array = l->o.style == AGN_FORMAT_ARRAY;
    agn_tensor *values = NULL;
    agn_status st = l->x->size ? collect_shown(&values, l) : AGN_OK;
    if (st)
        return st;
    l->indent = array ? 6 : 0;
    l->separator = array ? "," : "";
    put_string(&l->t, array ? "array(" : "");
    if (values)
        print_elements(l, values);
    else
        put_string(&l->t, "[]");
    if (array)
        put_extras(l);
    agn_release(values);
    return AGN_OK;
}

/* name=tensor */
static agn_status put_part(layout *l, const char *name, const agn_tensor *x)
{
    size_t n = 0;
    agn_status st = agn_format_with(NULL, 0, &n, x, &l->o);
    char *all = st ? NULL : agni_alloc(n);
    if (!all)
        return st ? st : agni_nomem("format", n);
    st = agn_format_with(all, n, NULL, x, &l->o);
    put_newline(&l->t, 1, 0);
    put_string(&l->t, name);
    if (!st)
        put_string(&l->t, all);
    agni_free(all);
    return st;
}

static agn_status put_integers(layout *l, const char *name, bool wide, int64_t n, const void *v)
{
    agn_tensor *x = NULL;
    agn_status st = agn_wrap_host(&x, wide ? AGN_I64 : AGN_I32, 1, &n, NULL,
                                  (void *)(uintptr_t)v, true, NULL, NULL);
    if (!st)
        st = put_part(l, name, x);
    agn_release(x);
    return st;
}

/* coordinates [axes, nnz] */
static agn_status put_coordinates(layout *l, const agni_coordinates *p)
{
    agn_tensor *x = NULL;
    agn_status st = agn_wrap_host(&x, AGN_I64, 2, (int64_t[]){p->ndim, p->nnz}, NULL,
                                  (void *)(uintptr_t)p->at, true, NULL, NULL);
    if (!st)
        st = put_part(l, "indices ", x);
    agn_release(x);
    return st;
}

/* a sparse tensor as its parts; columns that are compressed in AGN_CSC are rows in AGN_CSR */
static agn_status print_sparse(layout *l)
{
    char entries[48];
    const agn_tensor *x = l->x;
    bool coo = x->layout == AGN_COO;
    agni_format(entries, sizeof entries, ", %lld entries%s", (long long)agni_entry_count(x),
                coo && !agni_coo_of(x)->places->coalesced ? ", not coalesced" : "");
    put_string(&l->t, agni_layout_names[x->layout]);
    put_string(&l->t, " ");
    put_string(&l->t, agni_dtypes[x->dtype].name);
    put_string(&l->t, " ");
    put_string(&l->t, AGNI_SHAPE(x));
    put_string(&l->t, entries);
    /* the parts are printed under the same options, every member of which is meant by now */
    l->o.threshold = l->o.threshold ? l->o.threshold : AGN_FORMAT_ZERO;
    l->o.precision = l->o.precision ? l->o.precision : AGN_FORMAT_ZERO;
    agn_status st;
    if (coo) {
        st = put_coordinates(l, agni_coo_of(x)->places);
    } else {
        const agni_pattern *p = ((const agni_csr *)agni_sparse_parts(x))->pattern;
        st = put_integers(l, "indptr  ", p->wide, p->rows + 1, p->indptr);
        if (!st)
            st = put_integers(l, "indices ", p->wide, p->nnz, p->index);
    }
    return st ? st : put_part(l, "values  ", agni_values_of(x));
}

static void print_symbol(layout *l)
{
    put_string(&l->t, "<");
    put_string(&l->t, agni_dtypes[l->x->dtype].name);
    put_string(&l->t, " ");
    put_string(&l->t, AGNI_SHAPE(l->x));
    put_string(&l->t, " while tracing>");
}

agn_status agn_format_with(char *buf, size_t n, size_t *need, const agn_tensor *x,
                           const agn_format_options *opts)
{
    if (!x || (!buf && n))
        return agni_fail(AGN_ENULL, "format: %s is NULL", x ? "buf" : "x");
    layout l = {.t = {.buf = buf, .n = n}, .x = x};
    agn_status st = resolve_options(&l.o, opts);
    if (st)
        return st;
    if (x->layout != AGN_DENSE)
        st = print_sparse(&l);
    else if (agni_is_symbolic(x))
        print_symbol(&l);
    else
        st = print_value(&l);
    if (st)
        return st;
    flush_spaces(&l.t);
    if (n > 0)
        buf[l.t.len < n ? l.t.len : n - 1] = 0;
    if (need)
        *need = l.t.len + 1;
    return AGN_OK;
}

agn_status agn_format(char *buf, size_t n, size_t *need, const agn_tensor *x)
{
    return agn_format_with(buf, n, need, x, NULL);
}
