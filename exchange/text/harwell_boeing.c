/* exchange/text/harwell_boeing.c - sparse matrices as Harwell-Boeing files (Duff, Grimes & Lewis
   1992) and Rutherford-Boeing files (the same 1997): cards of 80 columns whose numbers lie in the
   fields of Fortran formats. */
#include "exchange/text/mtx.h"

#include <math.h>
#include <string.h>

/* The text, with a NUL behind it; p is the present line, which ends before eol. */
typedef struct reader {
    const char *op, *file;
    const char *p, *eol, *next, *end;
    int64_t line;
} reader;

/* (kP, repeat letter width.digits), as (1P,4D20.12) */
typedef struct fields {
    int scale, repeat, width, digits;
    char letter; /* I, F, E, D, G */
    int64_t used; /* of the present line; repeat: the next field is on the next line */
} fields;

typedef struct head {
    char type[4];
    int64_t rows, cols, n, cards_of_values, cards_of_rhs, n_rhs;
    fields pointer, index, value, rhs;
    bool plain_rhs; /* vectors, not sparse columns */
} head;

/* ---- lines and fields ------------------------------------------------------------------------ */

static bool next_line(reader *r)
{
    if (r->next == r->end)
        return false;
    r->p = r->next;
    const char *nl = memchr(r->p, '\n', (size_t)(r->end - r->p));
    r->eol = nl ? nl : r->end;
    r->next = nl ? nl + 1 : r->end;
    r->line++;
    while (r->eol > r->p && (r->eol[-1] == '\r' || r->eol[-1] == ' ' || r->eol[-1] == '\t'))
        r->eol--;
    return true;
}

static agn_status require_line(reader *r, const char *what)
{
    return next_line(r) ? AGN_OK
                        : agni_fail(AGN_EFORMAT, "%s: %s: ends after line %lld, expected is %s",
                                    r->op, r->file, (long long)r->line, what);
}

/* the text of columns [at, at + width), without blanks around it */
static const char *field_text(const reader *r, int64_t at, int64_t width, int *len)
{
    const char *p = r->eol - r->p > at ? r->p + at : r->eol;
    const char *q = r->eol - p > width ? p + width : r->eol;
    while (p < q && *p == ' ')
        p++;
    while (q > p && q[-1] == ' ')
        q--;
    *len = (int)(q - p);
    return p;
}

static agn_status bad_field(const reader *r, int64_t at, const char *what, const char *p, int len)
{
    return agni_fail(AGN_EFORMAT, "%s: %s: line %lld, column %lld: expected is %s, here is '%.*s'",
                     r->op, r->file, (long long)r->line, (long long)at + 1, what,
                     len > 30 ? 30 : len, p);
}

static agn_status take_integer(const reader *r, int64_t at, int64_t width, bool blank,
                               const char *what, int64_t *out)
{
    int len;
    const char *p = field_text(r, at, width, &len), *q = p, *end = p + len;
    int64_t v = 0;
    q += q < end && *q == '+';
    bool good = q < end && end - q <= 18;
    for (; good && q < end; q++)
        if ((good = *q >= '0' && *q <= '9'))
            v = 10 * v + (*q - '0');
    *out = v;
    return good || (blank && !len) ? AGN_OK : bad_field(r, at, what, p, len);
}

/* Numbers as Fortran reads them: D for E, an exponent without a letter, digits behind a point that
   is not written, a scale where there is no exponent. */
static agn_status take_real(const reader *r, const fields *f, int64_t at, double *out)
{
    enum { WIDEST = 64 };
    char text[WIDEST + 2];
    int len, n = 0;
    const char *p = field_text(r, at, f->width, &len), *end;
    bool point = false, power = false;
    for (int i = 0; i < len && n < WIDEST; i++) {
        char c = p[i];
        if (c == 'D' || c == 'd' || c == 'E' || c == 'e') {
            power = true;
            c = 'e';
        } else if (i && (c == '+' || c == '-') && !power) {
            power = true;
            text[n++] = 'e';
        }
        point = point || c == '.';
        if (!i && c == '+')
            continue;
        text[n++] = c;
    }
    text[n] = 0;
    if (!n || !strchr("0123456789.-", text[0]) || !agni_parse_double(text, &end, out) || *end)
        return bad_field(r, at, "a number", p, len);
    int shift = (point ? 0 : f->digits) + (power ? 0 : f->scale);
    if (shift)
        *out /= pow(10, shift);
    return AGN_OK;
}

/* column where the next field begins */
static agn_status next_field(reader *r, fields *f, int64_t *at, const char *what)
{
    agn_status st = AGN_OK;
    if (f->used == f->repeat) {
        st = require_line(r, what);
        f->used = 0;
    }
    *at = f->used++ * f->width;
    return st;
}

/* ---- formats --------------------------------------------------------------------------------- */

static int digits_at(const char **p, const char *end)
{
    int v = -1;
    for (; *p < end && **p >= '0' && **p <= '9' && v < 10000; (*p)++)
        v = 10 * (v < 0 ? 0 : v) + (**p - '0');
    return v;
}

static void skip_marks(const char **p, const char *end, const char *marks)
{
    while (*p < end && strchr(marks, **p))
        (*p)++;
}

static agn_status parse_format(const reader *r, int64_t at, int64_t width, const char *letters,
                               fields *f)
{
    int len;
    const char *text = field_text(r, at, width, &len), *p = text, *end = text + len;
    *f = (fields){.repeat = 1};
    skip_marks(&p, end, "( ");
    bool minus = p < end && *p == '-';
    p += minus;
    int v = digits_at(&p, end);
    if (v >= 0 && p < end && (*p | 32) == 'p') {
        f->scale = minus ? -v : v;
        p++;
        skip_marks(&p, end, ", (");
        v = digits_at(&p, end);
        minus = false;
    }
    if (v >= 0) {
        f->repeat = v;
        skip_marks(&p, end, "( ");
    }
    int inner = digits_at(&p, end); /* (1P,3(1PE25.16)) */
    if (inner >= 0 && p < end && (*p | 32) == 'p') {
        f->scale = inner;
        p++;
        skip_marks(&p, end, ", ");
        inner = digits_at(&p, end);
    }
    f->repeat = inner > 0 && f->repeat < 1000 ? f->repeat * inner : f->repeat;
    f->letter = p < end ? (char)(*p++ & ~32) : 0;
    if (f->letter == 'E' && p < end && (*p | 32) == 's') /* ES: one digit before the point */
        p++;
    f->width = digits_at(&p, end);
    if (p < end && *p == '.') {
        p++;
        f->digits = digits_at(&p, end);
    }
    if (p < end && (*p | 32) == 'e') { /* digits of the exponent */
        p++;
        digits_at(&p, end);
    }
    skip_marks(&p, end, ") ");
    bool good = !minus && p == end && f->letter && strchr(letters, f->letter) && f->repeat > 0 &&
                f->width > 0 && f->width <= 64 && f->digits >= 0 && f->digits <= 64 &&
                f->scale <= 64 && f->scale >= -64;
    f->used = f->repeat;
    return good ? AGN_OK
                : agni_fail(AGN_EFORMAT,
                            "%s: %s: line %lld, column %lld: no format for numbers is '%.*s'",
                            r->op, r->file, (long long)r->line, (long long)at + 1,
                            len > 40 ? 40 : len, text);
}

/* ---- the first lines ------------------------------------------------------------------------- */

static agn_status fail_type(const reader *r, const head *h, const char *what)
{
    return agni_fail(
        AGN_EFORMAT, "%s: %s: line %lld: a matrix of type '%s' of %lld rows and %lld columns: %s",
        r->op, r->file, (long long)r->line, h->type, (long long)h->rows, (long long)h->cols, what);
}

static agn_status check_type(const reader *r, const head *h, int64_t elements)
{
    const char *t = h->type;
    if (strlen(t) != 3 || !strchr("RCPI", t[0]) || !strchr("SUHZR", t[1]) || !strchr("AE", t[2]))
        return fail_type(r, h, "three letters are expected, of RCPI, SUHZR and A");
    if (t[2] == 'E' || elements)
        return fail_type(r, h, "not assembled, which is not read");
    if (t[1] != 'R' && t[1] != 'U' && h->rows != h->cols)
        return fail_type(r, h, "not square, but one triangle");
    if (t[1] == 'H' && t[0] != 'C')
        return fail_type(r, h, "Hermitian ones are complex");
    if (t[1] == 'Z' && t[0] == 'P')
        return fail_type(r, h, "a pattern has no signs");
    return AGN_OK;
}

/* a claim that the bytes behind cannot hold costs no memory */
static agn_status check_sizes(const reader *r, const head *h)
{
    int64_t left = r->end - r->next, most = (1 << 20) + 8 * left;
    if (h->cols < left && h->n <= left && h->rows <= most)
        return AGN_OK;
    return agni_fail(
        AGN_EFORMAT,
        "%s: %s: line %lld: %lld rows, %lld columns and %lld entries cannot be in the %lld "
        "bytes behind",
        r->op, r->file, (long long)r->line, (long long)h->rows, (long long)h->cols, (long long)h->n,
        (long long)left);
}

static agn_status read_rhs_line(reader *r, head *h)
{
    int len;
    agn_status st = require_line(r, "the line of right-hand sides");
    if (st)
        return st;
    const char *type = field_text(r, 0, 3, &len);
    if (!len || !strchr("FfMm", *type))
        return bad_field(r, 0, "the type of right-hand sides, F or M", type, len);
    h->plain_rhs = (*type | 32) == 'f';
    return take_integer(r, 14, 14, false, "the number of right-hand sides", &h->n_rhs);
}

static agn_status read_head(reader *r, head *h)
{
    int64_t cards[3], elements = 0;
    int len;
    agn_status st = require_line(r, "a title");
    if (!st)
        st = require_line(r, "the numbers of lines");
    for (int k = 0; k < 3 && !st; k++)
        st = take_integer(r, 14 * k, 14, false, "a number of lines", &cards[k]);
    if (!st)
        st = take_integer(r, 42, 14, true, "a number of lines", &h->cards_of_values);
    if (!st) /* a Rutherford-Boeing file has no right-hand sides */
        st = take_integer(r, 56, 14, true, "a number of lines", &h->cards_of_rhs);
    if (!st)
        st = require_line(r, "the type of the matrix");
    if (st)
        return st;
    const char *type = field_text(r, 0, 3, &len);
    for (int k = 0; k < len; k++)
        h->type[k] = (char)(type[k] >= 'a' && type[k] <= 'z' ? type[k] - 32
                            : type[k] < ' ' || type[k] > '~' ? '?'
                                                             : type[k]);
    st = take_integer(r, 14, 14, false, "the number of rows", &h->rows);
    if (!st)
        st = take_integer(r, 28, 14, false, "the number of columns", &h->cols);
    if (!st)
        st = take_integer(r, 42, 14, false, "the number of entries", &h->n);
    if (!st)
        st = take_integer(r, 56, 14, true, "the number of elements", &elements);
    if (!st)
        st = check_type(r, h, elements);
    if (!st)
        st = check_sizes(r, h);
    bool pattern = h->type[0] == 'P';
    if (!st && !pattern && h->n && !h->cards_of_values)
        st = fail_type(r, h, "no lines of values");
    if (!st)
        st = require_line(r, "formats");
    if (!st)
        st = parse_format(r, 0, 16, "I", &h->pointer);
    if (!st)
        st = parse_format(r, 16, 16, "I", &h->index);
    if (!st && !pattern)
        st = parse_format(r, 32, 20, h->type[0] == 'I' ? "I" : "EDFG", &h->value);
    if (!st && h->cards_of_rhs)
        st = parse_format(r, 52, 20, "EDFG", &h->rhs);
    return st || !h->cards_of_rhs ? st : read_rhs_line(r, h);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static agn_status read_number(reader *r, fields *f, int64_t least, int64_t most, const char *what,
                              int64_t *out)
{
    int64_t at;
    agn_status st = next_field(r, f, &at, what);
    if (!st)
        st = take_integer(r, at, f->width, false, what, out);
    if (!st && (*out < least || *out > most))
        st = agni_fail(AGN_EFORMAT,
                       "%s: %s: line %lld, column %lld: %s is %lld, not in %lld to %lld", r->op,
                       r->file, (long long)r->line, (long long)at + 1, what, (long long)*out,
                       (long long)least, (long long)most);
    return st;
}

/* begin[cols + 1], row[n], from 0 */
static agn_status read_pattern(reader *r, head *h, int64_t *begin, int64_t *row)
{
    agn_status st = AGN_OK;
    int64_t last = 1;
    for (int64_t j = 0; j <= h->cols && !st; j++) {
        st = read_number(r, &h->pointer, j ? last : 1, j ? h->n + 1 : 1, "a pointer", &last);
        begin[j] = last - 1;
    }
    if (!st && last != h->n + 1)
        st = agni_fail(AGN_EFORMAT, "%s: %s: line %lld: the last pointer is %lld, of %lld entries",
                       r->op, r->file, (long long)r->line, (long long)last, (long long)h->n);
    for (int64_t e = 0; e < h->n && !st; e++) {
        st = read_number(r, &h->index, 1, h->rows, "a row", &row[e]);
        row[e]--;
    }
    return st;
}

static agn_status read_reals(reader *r, fields *f, int64_t n, double *v)
{
    agn_status st = AGN_OK;
    for (int64_t k = 0; k < n && !st; k++) {
        int64_t at;
        st = next_field(r, f, &at, "a value");
        if (!st)
            st = take_real(r, f, at, v + k);
    }
    return st;
}

/* ---- the matrix ------------------------------------------------------------------------------ */

typedef struct columns {
    const head *h;
    int64_t *begin, *row;
    double *v; /* NULL: a pattern */
    int parts;
} columns;

static agn_status check_diagonal(const reader *r, const columns *c)
{
    char kind = c->h->type[1];
    for (int64_t j = 0; j < c->h->cols && (kind == 'Z' || kind == 'H'); j++)
        for (int64_t e = c->begin[j]; e < c->begin[j + 1]; e++)
            if (c->row[e] == j && (kind == 'Z' || c->v[2 * e + 1] != 0.0))
                return agni_fail(AGN_EFORMAT, "%s: %s: entry (%lld, %lld) of a %s", r->op, r->file,
                                 (long long)j + 1, (long long)j + 1,
                                 kind == 'Z' ? "skew-symmetric matrix is there"
                                             : "Hermitian matrix is not real");
    return AGN_OK;
}

/* entries with their mirror images where the file has a triangle */
static agn_status make_entries(agni_mtx *m, const reader *r, const columns *c)
{
    char kind = c->h->type[1];
    bool triangle = kind != 'U' && kind != 'R';
    int64_t n = c->h->n, k = 0;
    for (int64_t j = 0; j < c->h->cols; j++)
        for (int64_t e = c->begin[j]; e < c->begin[j + 1] && triangle; e++)
            n += c->row[e] != j;
    int dtype = !c->v ? AGN_BOOL : c->parts == 2 ? AGN_C128 : AGN_F64;
    m->head = (agni_mtx_head){.format = AGNI_MTX_COORDINATE,
                              .dtype = dtype,
                              .rows = c->h->rows,
                              .cols = c->h->cols,
                              .n = n};
    agn_status st = agni_tensor_make(&m->rows, r->op, AGN_I64, 1, &n, AGN_CPU);
    if (!st)
        st = agni_tensor_make(&m->cols, r->op, AGN_I64, 1, &n, AGN_CPU);
    if (!st)
        st = agni_tensor_make(&m->values, r->op, dtype, 1, &n, AGN_CPU);
    if (st)
        return st;
    int64_t *row = m->rows->data, *col = m->cols->data;
    double *v = m->values->data;
    for (int64_t j = 0; j < c->h->cols; j++)
        for (int64_t e = c->begin[j]; e < c->begin[j + 1]; e++)
            for (int twin = 0; twin <= (triangle && c->row[e] != j); twin++, k++) {
                row[k] = twin ? j : c->row[e];
                col[k] = twin ? c->row[e] : j;
                if (!c->v)
                    ((bool *)m->values->data)[k] = true;
                for (int part = 0; c->v && part < c->parts; part++) {
                    bool minus = twin && (kind == 'Z' || (kind == 'H' && part));
                    v[k * c->parts + part] = c->v[e * c->parts + part] * (minus ? -1 : 1);
                }
            }
    return AGN_OK;
}

static agn_status read_matrix(agn_tensor **out, reader *r, head *h, const agni_input *in)
{
    columns c = {.h = h, .parts = h->type[0] == 'C' ? 2 : 1};
    agni_mtx m = {0};
    size_t ints = (size_t)(h->cols + 1 + h->n) * sizeof(int64_t);
    size_t reals = h->type[0] == 'P' ? 0 : (size_t)(h->n * c.parts + 1) * sizeof(double);
    c.begin = agni_alloc(ints);
    c.v = reals ? agni_alloc(reals) : NULL;
    c.row = c.begin + h->cols + 1;
    agn_status st = c.begin && (c.v || !reals) ? AGN_OK : agni_nomem(r->op, ints + reals);
    if (!st)
        st = read_pattern(r, h, c.begin, c.row);
    if (!st && c.v)
        st = read_reals(r, &h->value, h->n * c.parts, c.v);
    if (!st)
        st = check_diagonal(r, &c);
    if (!st)
        st = make_entries(&m, r, &c);
    agni_free(c.begin);
    agni_free(c.v);
    if (!st)
        st = agni_mtx_to_csr(out, &m, in);
    agni_mtx_free(&m);
    return st;
}

/* columns of the file into rows; none where the file has none */
static agn_status read_rhs(agn_tensor **out, reader *r, head *h)
{
    int parts = h->type[0] == 'C' ? 2 : 1;
    int64_t n = 0, left = r->end - r->next;
    if (h->cards_of_rhs && !h->plain_rhs)
        return agni_fail(AGN_EFORMAT,
                         "%s: %s: %lld right-hand sides are sparse columns, which are not read",
                         r->op, r->file, (long long)h->n_rhs);
    if (!agni_checked_mul(h->n_rhs, h->rows * parts, &n) || n > left || h->n_rhs > left)
        return agni_fail(AGN_EFORMAT,
                         "%s: %s: %lld right-hand sides cannot be in the %lld bytes behind", r->op,
                         r->file, (long long)h->n_rhs, (long long)left);
    agn_tensor *b = NULL;
    double *v = agni_alloc((size_t)(n + 1) * sizeof *v);
    agn_status st = v ? AGN_OK : agni_nomem(r->op, (size_t)n * sizeof *v);
    if (!st)
        st = read_reals(r, &h->rhs, n, v);
    if (!st)
        st = agni_tensor_make(&b, r->op, parts == 2 ? AGN_C128 : AGN_F64, 2,
                              (int64_t[]){h->rows, h->n_rhs}, AGN_CPU);
    for (int64_t j = 0; j < h->n_rhs && !st; j++)
        for (int64_t i = 0; i < h->rows; i++)
            memcpy((double *)b->data + (i * h->n_rhs + j) * parts, v + (j * h->rows + i) * parts,
                   (size_t)parts * sizeof *v);
    agni_free(v);
    if (!st)
        *out = b;
    return st;
}

agn_status agni_harwell_boeing_read(agn_tensor **out, agn_tensor **rhs, const agni_input *in)
{
    agn_tensor *a = NULL, *b = NULL;
    char *text = agni_alloc((size_t)in->size + 1);
    if (!text)
        return agni_nomem(in->op, (size_t)in->size + 1);
    agn_status st = agni_input_read(in, 0, text, (size_t)in->size, "text");
    text[in->size] = 0;
    reader r = {.op = in->op, .file = in->file, .next = text, .end = text + in->size};
    r.p = r.eol = text;
    head h = {.rows = 0};
    if (!st)
        st = read_head(&r, &h);
    if (!st)
        st = read_matrix(&a, &r, &h, in);
    if (!st && rhs)
        st = read_rhs(&b, &r, &h);
    while (!st && !h.cards_of_rhs && next_line(&r))
        if (r.p < r.eol)
            st = bad_field(&r, 0, "the end of the file", r.p,
                           (int)(r.eol - r.p < 30 ? r.eol - r.p : 30));
    agni_free(text);
    if (st) {
        agn_release(a);
        agn_release(b);
        return st;
    }
    *out = a;
    if (rhs)
        *rhs = b;
    return AGN_OK;
}

agn_status agn_harwell_boeing_load(agn_tensor **out, agn_tensor **rhs, const char *path)
{
    static const char op[] = "harwell_boeing_load";
    if (!out || !path)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, out ? "path" : "out");
    agni_input in;
    agn_status st = agni_input_open(&in, op, path);
    if (st)
        return st;
    st = agni_harwell_boeing_read(out, rhs, &in);
    agni_input_close(&in);
    return st;
}
