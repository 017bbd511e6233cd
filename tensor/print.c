/* tensor/print.c - a tensor as text, character for character as NumPy 2.4 prints an array.

   One pass over the elements that will be shown finds how all of them are written (NumPy
   writes an array with one format), a second one writes. Only the corners of a tensor of
   more than THRESHOLD elements are shown. Text goes straight to the caller's buffer. */
#include "tensor/decimal.h"

#include <math.h>
#include <string.h>

enum { EDGE = 3, THRESHOLD = 1000, PLACES = 8, WIDTH = 75 };

/* ---- the text so far -------------------------------------------------------------- */

/* Spaces are held back until something follows: a line that breaks ends without them. */
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

/* ---- one element ---------------------------------------------------------------------- */

enum { ELEMENT_TEXT = 128 }; /* two parts of at most 17 digits, padded by few */

/* a word under construction */
typedef struct word {
    int n;
    char s[ELEMENT_TEXT];
} word;

static void add(word *w, char c, int count)
{
    for (; count > 0 && w->n < ELEMENT_TEXT; count--)
        w->s[w->n++] = c;
}

static void adds(word *w, const char *s)
{
    for (; *s; s++)
        add(w, *s, 1);
}

/* How all real numbers of an array are written: characters left and right of the point. */
typedef struct number_format {
    const agni_precision *p;
    bool plus; /* numbers that are not negative carry a sign */
    bool scientific;
    int left, right;
    int places; /* digits behind the point: all of them, or the most */
    int exp_digits;
} number_format;

static int exp_digits(int e)
{
    return e > 99 || e < -99 ? 3 : 2;
}

static const char *special_text(double x, bool plus)
{
    if (isnan(x))
        return plus ? "+nan" : "nan";
    return x < 0 ? "-inf" : plus ? "+inf" : "inf";
}

/* the digits of a from the power of ten high down to low; 0 where it has none */
static void add_digits(word *w, const agni_decimal *a, int high, int low)
{
    for (int k = high; k >= low; k--) {
        int i = a->exp - k;
        add(w, i >= 0 && i < a->n ? a->d[i] : '0', 1);
    }
}

static void add_exponent(word *w, int e, int digits)
{
    char s[16];
    agni_format(s, sizeof s, "e%c%0*d", e < 0 ? '-' : '+', digits, e < 0 ? -e : e);
    adds(w, s);
}

static void add_sign(word *w, bool negative, bool plus)
{
    if (negative || plus)
        add(w, negative ? '-' : '+', 1);
}

static int whole_digits(const agni_decimal *a)
{
    return a->exp > 0 ? a->exp + 1 : 1;
}

static int places_of(const agni_decimal *a, bool scientific)
{
    int n = a->n - 1 - (scientific ? 0 : a->exp);
    return n > 0 ? n : 0;
}

static void add_number(word *w, double x, const number_format *f)
{
    if (!isfinite(x)) {
        const char *s = special_text(x, f->plus);
        add(w, ' ', f->left + f->right + 1 - (int)strlen(s));
        adds(w, s);
        return;
    }
    agni_decimal a;
    agni_decimal_of(&a, x, f->p, f->scientific ? AGNI_PADDED : AGNI_FIXED, f->places);
    int sign = a.negative || f->plus;
    int whole = f->scientific ? 1 : whole_digits(&a);
    add(w, ' ', f->left - sign - whole);
    add_sign(w, a.negative, f->plus);
    if (f->scientific) {
        add_digits(w, &a, a.exp, a.exp);
        add(w, '.', 1);
        add_digits(w, &a, a.exp - 1, a.exp - f->places);
        add_exponent(w, a.exp, f->exp_digits);
    } else {
        int places = places_of(&a, false);
        add_digits(w, &a, whole - 1, 0);
        add(w, '.', 1);
        add_digits(w, &a, -1, -places);
        add(w, ' ', f->right - places);
    }
}

/* ---- the format of an array --------------------------------------------------------------- */

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* Exponents where an element is large or small, or two are far apart. As NumPy divides in
   the dtype itself, a quotient counts from half an ulp above 1000. */
static bool needs_exponent(const double *v, int64_t n, int step,
                           const agni_precision *p)
{
    double low = HUGE_VAL, high = 0.0;
    for (int64_t i = 0; i < n; i++) {
        double a = fabs(v[i * step]);
        if (isfinite(a) && a != 0.0) {
            low = a < low ? a : low;
            high = a > high ? a : high;
        }
    }
    return high != 0.0 && (high >= p->many || low < p->few ||
                           high / low > 1000.0 + ldexp(1.0, 9 - p->bits));
}

/* v[0], v[step], ...: real or imaginary parts */
static void find_format(number_format *f, const double *v, int64_t n, int step,
                        const agni_precision *p, bool plus)
{
    bool scientific = needs_exponent(v, n, step, p), special = false, minus_inf = plus;
    *f = (number_format){
        .p = p, .plus = plus, .scientific = scientific, .places = PLACES};
    int places = 0;
    for (int64_t i = 0; i < n; i++) {
        double x = v[i * step];
        if (!isfinite(x)) {
            special = true;
            minus_inf |= isinf(x) && x < 0;
            continue;
        }
        agni_decimal a;
        agni_decimal_of(&a, x, p, scientific ? AGNI_SCIENTIFIC : AGNI_FIXED, PLACES);
        int sign = a.negative || plus;
        f->left = larger(f->left, sign + (scientific ? 1 : whole_digits(&a)));
        places = larger(places, places_of(&a, scientific));
        f->exp_digits = larger(f->exp_digits, exp_digits(a.exp));
    }
    f->right = places;
    if (scientific) {
        f->places = places;
        f->right = f->exp_digits + 2 + places;
    }
    if (special) /* "inf" and "nan" end where the numbers end */
        f->left = larger(f->left, 3 + minus_inf - (f->right + 1));
}

/* The elements to be shown, in order, as bool, i64, f64 or c128, and how to write them. */
typedef struct shown {
    int kind;
    int64_t n;
    const void *data;
    const agni_precision *p; /* of the parts of a floating or complex dtype */
    int width;               /* of integers */
    number_format re, im;
} shown;

static int int_width(int64_t x)
{
    return agni_format(NULL, 0, "%lld", (long long)x);
}

static void find_formats(shown *s)
{
    const int64_t *i64 = s->data;
    if (s->kind == AGNI_KIND_INT)
        for (int64_t i = 0; i < s->n; i++)
            s->width = larger(s->width, int_width(i64[i]));
    if (s->kind == AGNI_KIND_FLOAT)
        find_format(&s->re, s->data, s->n, 1, s->p, false);
    if (s->kind == AGNI_KIND_COMPLEX) {
        find_format(&s->re, s->data, s->n, 2, s->p, false);
        find_format(&s->im, (const double *)s->data + 1, s->n, 2, s->p, true);
    }
}

static void add_int(word *w, int64_t x, int width)
{
    char s[32];
    agni_format(s, sizeof s, "%*lld", width, (long long)x);
    adds(w, s);
}

static void element(word *w, const shown *s, int64_t i)
{
    w->n = 0;
    switch (s->kind) {
    case AGNI_KIND_BOOL:
        adds(w, ((const bool *)s->data)[i] ? " True" : "False");
        break;
    case AGNI_KIND_INT:
        add_int(w, ((const int64_t *)s->data)[i], s->width);
        break;
    case AGNI_KIND_FLOAT:
        add_number(w, ((const double *)s->data)[i], &s->re);
        break;
    default: {
        const double *z = (const double *)s->data + 2 * i;
        add_number(w, z[0], &s->re);
        add_number(w, z[1], &s->im);
        int n = w->n; /* j comes before the spaces on the right */
        while (w->s[w->n - 1] == ' ')
            w->n--;
        add(w, 'j', 1);
        add(w, ' ', n + 1 - w->n);
    }
    }
}

/* ---- a number by itself ------------------------------------------------------------------- */

/* point0: a whole number keeps ".0" */
static void add_alone(word *w, double x, const agni_precision *p, bool plus,
                      bool point0)
{
    if (!isfinite(x)) {
        adds(w, special_text(x, plus));
        return;
    }
    agni_decimal a;
    agni_decimal_of(&a, x, p, AGNI_SCIENTIFIC, -1);
    bool scientific = x != 0.0 && (fabs(x) >= p->many_zero || fabs(x) < 1e-4);
    int places = places_of(&a, scientific);
    add_sign(w, a.negative, plus);
    add_digits(w, &a, scientific ? a.exp : whole_digits(&a) - 1,
               scientific ? a.exp : 0);
    if (!scientific && point0 && places == 0)
        adds(w, ".0");
    if (places > 0) {
        int unit = scientific ? a.exp : 0;
        add(w, '.', 1);
        add_digits(w, &a, unit - 1, unit - places);
    }
    if (scientific)
        add_exponent(w, a.exp, 2);
}

static void alone(word *w, const shown *s)
{
    const double *z = s->data;
    w->n = 0;
    switch (s->kind) {
    case AGNI_KIND_BOOL:
        adds(w, *(const bool *)s->data ? "True" : "False");
        break;
    case AGNI_KIND_INT:
        add_int(w, *(const int64_t *)s->data, 0);
        break;
    case AGNI_KIND_FLOAT:
        add_alone(w, z[0], s->p, false, true);
        break;
    default:
        if (z[0] == 0.0 && !signbit(z[0])) {
            add_alone(w, z[1], s->p, false, false);
            add(w, 'j', 1);
        } else {
            add(w, '(', 1);
            add_alone(w, z[0], s->p, false, false);
            add_alone(w, z[1], s->p, true, false);
            adds(w, "j)");
        }
    }
}

/* ---- which elements are shown ---------------------------------------------------------------- */

/* Of a large tensor, the corners: EDGE elements at either end of each long axis. */
static bool cut(const agn_tensor *x, int axis)
{
    return x->size > THRESHOLD && x->shape[axis] > 2 * EDGE;
}

static int64_t shown_along(const agn_tensor *x, int axis)
{
    return cut(x, axis) ? 2 * EDGE : x->shape[axis];
}

/* ---- brackets and lines ---------------------------------------------------------------------- */

typedef struct layout {
    text t;
    const shown *s;
    const agn_tensor *x;
    int64_t next; /* element to be written */
} layout;

/* a word of a row that began at column indent; a line is at most width characters long */
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
        word w;
        element(&w, l->s, l->next++);
        put_word(l, w.s, w.n, indent, width);
    }
    puts_(&l->t, "]");
}

/* ---- values, and the whole ------------------------------------------------------------------------------- */

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
    shown s = {.kind = agni_kind(x->dtype), .n = values->size, .data = values->data};
    if (s.kind >= AGNI_KIND_FLOAT)
        s.p = agni_precision_of(agni_dtypes[x->dtype].real);
    l->s = &s;
    if (x->ndim == 0) {
        word w;
        alone(&w, &s);
        put(&l->t, w.s, w.n);
    } else {
        find_formats(&s);
        put_axis(l, 0);
    }
}

agn_status agn_format(char *buf, size_t n, size_t *need, const agn_tensor *x)
{
    if (!x || (!buf && n))
        return agni_fail(AGN_ENULL, "format: %s is NULL", x ? "buf" : "x");
    layout l = {.t = {.buf = buf, .n = n}, .x = x};
    if (x->layout != AGN_DENSE || agni_symbolic(x)) {
        puts_(&l.t, "<");
        puts_(&l.t, agni_dtypes[x->dtype].name);
        puts_(&l.t, " ");
        puts_(&l.t, AGNI_SHAPE(x));
        puts_(&l.t, agni_symbolic(x) ? " while tracing>" : " sparse>");
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
