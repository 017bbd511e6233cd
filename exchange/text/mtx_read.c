/* exchange/text/mtx_read.c - a Matrix Market file line by line. */
#include "exchange/text/mtx.h"

#include <string.h>

const char *const agni_mtx_symmetries[] = {"general", "symmetric", "skew-symmetric",
                                           "hermitian"};
const char *const agni_mtx_formats[] = {"array", "coordinate"};

static const struct {
    const char *name;
    int dtype;
} fields[] = {
    {"real", AGN_F64},     {"double", AGN_F64},           {"integer", AGN_I64},
    {"complex", AGN_C128}, {"unsigned-integer", AGN_I64}, {"pattern", AGN_BOOL},
};

/* The text, with a NUL behind it; p is within the present line, which ends before eol. */
typedef struct reader {
    const char *op, *file;
    const char *p, *eol, *next, *end;
    int64_t line;
    agni_mtx *m;
} reader;

/* ---- lines and words -------------------------------------------------------------------- */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void skip_spaces(reader *r)
{
    while (r->p < r->eol && is_space(*r->p))
        r->p++;
}

static agn_status bad_line(const reader *r, const char *what)
{
    int n = r->eol - r->p < 30 ? (int)(r->eol - r->p) : 30;
    return agni_fail(AGN_EFORMAT, "%s: %s: line %lld: %s, here is '%.*s'", r->op,
                     r->file, (long long)r->line, what, n, r->p);
}

/* the next line that is not blank; false at the end */
static bool next_line(reader *r)
{
    do {
        if (r->next == r->end)
            return false;
        r->p = r->next;
        const char *nl = memchr(r->p, '\n', (size_t)(r->end - r->p));
        r->eol = nl ? nl : r->end;
        r->next = nl ? nl + 1 : r->end;
        r->line++;
        skip_spaces(r);
    } while (r->p == r->eol);
    return true;
}

static agn_status end_of_line(reader *r)
{
    skip_spaces(r);
    return r->p == r->eol ? AGN_OK : bad_line(r, "expected is its end");
}

/* whatever the case and the locale */
static bool same_word(const char *a, const char *b, size_t n)
{
    size_t i = 0;
    while (i < n && (a[i] | 32) == (b[i] | 32))
        i++;
    return i == n;
}

/* which of n words, each at an address step bytes behind the last, comes next */
static int take_word(reader *r, const char *const *words, size_t step, int n)
{
    skip_spaces(r);
    const char *p = r->p;
    while (p < r->eol && !is_space(*p))
        p++;
    size_t len = (size_t)(p - r->p);
    for (int k = 0; k < n; k++) {
        const char *w = *(const char *const *)(const void *)((const char *)words +
                                                             (size_t)k * step);
        if (strlen(w) == len && same_word(w, r->p, len)) {
            r->p = p;
            return k;
        }
    }
    return -1;
}

static agn_status take_integer(reader *r, int64_t *out, const char *what)
{
    skip_spaces(r);
    const char *p = r->p;
    bool minus = p < r->eol && *p == '-';
    p += p < r->eol && (*p == '-' || *p == '+');
    const char *digits = p;
    int64_t v = 0;
    for (; p < r->eol && *p >= '0' && *p <= '9'; p++)
        if (!agni_checked_mul(v, 10, &v) || !agni_checked_add(v, minus ? '0' - *p : *p - '0', &v))
            return bad_line(r, "beyond 64 bits");
    if (p == digits || (p < r->eol && !is_space(*p)))
        return bad_line(r, what);
    r->p = p;
    *out = v;
    return AGN_OK;
}

static agn_status take_real(reader *r, double *out)
{
    const char *end;
    skip_spaces(r);
    const char *p = r->p + (r->p < r->eol && *r->p == '+');
    if (!agni_parse_double(p, &end, out) || end > r->eol ||
        (end < r->eol && !is_space(*end)))
        return bad_line(r, "expected is a number");
    r->p = end;
    return AGN_OK;
}

/* the parts of number i; a pattern has none */
static agn_status take_value(reader *r, agn_tensor *values, int64_t i)
{
    agn_status st = AGN_OK;
    switch (values->dtype) {
    case AGN_F64:
        return take_real(r, (double *)values->data + i);
    case AGN_I64:
        return take_integer(r, (int64_t *)values->data + i, "expected is an integer");
    case AGN_C128:
        st = take_real(r, (double *)values->data + 2 * i);
        return st ? st : take_real(r, (double *)values->data + 2 * i + 1);
    default:
        ((bool *)values->data)[i] = true;
        return AGN_OK;
    }
}

/* ---- the first lines ----------------------------------------------------------------------- */

static agn_status read_banner(reader *r, agni_mtx_head *h)
{
    static const char *const first[] = {"%%MatrixMarket"}, *const object[] = {"matrix"};
    if (!next_line(r) || take_word(r, first, sizeof *first, 1) < 0)
        return agni_fail(AGN_EFORMAT, "%s: %s: %lld bytes that do not begin with %s",
                         r->op, r->file, (long long)(r->end - r->p), first[0]);
    if (take_word(r, object, sizeof *object, 1) < 0)
        return bad_line(r, "expected is 'matrix'");
    h->format = take_word(r, agni_mtx_formats, sizeof *agni_mtx_formats, 2);
    if (h->format < 0)
        return bad_line(r, "expected is 'array' or 'coordinate'");
    int field = take_word(r, &fields[0].name, sizeof *fields, AGNI_COUNT(fields));
    if (field < 0)
        return bad_line(r, "expected is 'real', 'integer', 'complex' or 'pattern'");
    h->dtype = fields[field].dtype;
    h->symmetry = take_word(r, agni_mtx_symmetries, sizeof *agni_mtx_symmetries, 4);
    if (h->symmetry < 0)
        return bad_line(
            r, "expected is 'general', 'symmetric', 'skew-symmetric' or 'hermitian'");
    bool pattern = h->dtype == AGN_BOOL;
    if ((pattern && (h->format == AGNI_MTX_ARRAY || h->symmetry == AGN_MTX_SKEW)) ||
        (h->symmetry == AGN_MTX_HERMITIAN && h->dtype != AGN_C128))
        return agni_fail(AGN_EFORMAT, "%s: %s: no matrix is '%s %s %s'", r->op, r->file,
                         agni_mtx_formats[h->format], fields[field].name,
                         agni_mtx_symmetries[h->symmetry]);
    return end_of_line(r);
}

/* numbers of an array: all, a triangle, or one without its diagonal */
static bool count_numbers(agni_mtx_head *h)
{
    int64_t n = h->rows;
    if (h->symmetry == AGN_MTX_GENERAL)
        return agni_checked_mul(n, h->cols, &h->n);
    if (n > INT32_MAX)
        return false;
    h->n = h->symmetry == AGN_MTX_SKEW ? n * (n - 1) / 2 : n * (n + 1) / 2;
    return true;
}

static agn_status read_sizes(reader *r, agni_mtx_head *h)
{
    bool more;
    while ((more = next_line(r)) && *r->p == '%')
        continue;
    if (!more)
        return agni_fail(AGN_EFORMAT,
                         "%s: %s: ends after line %lld, expected are sizes", r->op,
                         r->file, (long long)r->line);
    agn_status st = take_integer(r, &h->rows, "expected is the number of rows");
    if (!st)
        st = take_integer(r, &h->cols, "expected is the number of columns");
    if (!st && h->format == AGNI_MTX_COORDINATE)
        st = take_integer(r, &h->n, "expected is the number of entries");
    if (!st)
        st = end_of_line(r);
    if (st)
        return st;
    bool fits = h->rows >= 0 && h->cols >= 0 && h->n >= 0;
    if (fits && h->symmetry != AGN_MTX_GENERAL && h->rows != h->cols)
        return agni_fail(AGN_EFORMAT,
                         "%s: %s: %s and not square: %lld rows, %lld columns", r->op,
                         r->file, agni_mtx_symmetries[h->symmetry], (long long)h->rows,
                         (long long)h->cols);
    fits = fits && (h->format == AGNI_MTX_COORDINATE || count_numbers(h));
    /* a number takes a character and the end of its line, an entry three and that */
    int64_t each = (h->format == AGNI_MTX_COORDINATE ? 4 : 2) +
                   (h->dtype == AGN_C128 ? 2 : 0);
    if (!fits || h->n > (r->end - r->next + 1) / each)
        return agni_fail(
            AGN_EFORMAT,
            "%s: %s: line %lld: %lld rows, %lld columns, %lld numbers cannot be in "
            "the %lld bytes behind",
            r->op, r->file, (long long)r->line, (long long)h->rows, (long long)h->cols,
            (long long)h->n, (long long)(r->end - r->next));
    return AGN_OK;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static agn_status require_line(reader *r, int64_t i)
{
    return next_line(r)
               ? AGN_OK
               : agni_fail(AGN_EFORMAT, "%s: %s: ends after %lld of %lld numbers",
                           r->op, r->file, (long long)i, (long long)r->m->head.n);
}

static agn_status read_array(reader *r)
{
    agni_mtx *m = r->m;
    agn_status st = agni_tensor_make(&m->values, r->op, m->head.dtype, 1, &m->head.n,
                                     AGN_CPU);
    for (int64_t i = 0; i < m->head.n && !st; i++) {
        st = require_line(r, i);
        if (!st)
            st = take_value(r, m->values, i);
        if (!st)
            st = end_of_line(r);
    }
    return st;
}

static agn_status read_index(reader *r, int64_t *out, int64_t most, const char *what)
{
    agn_status st = take_integer(r, out, what);
    if (!st && (*out < 1 || *out > most))
        st = agni_fail(AGN_EFORMAT, "%s: %s: line %lld: %s is %lld, not in 1 to %lld",
                       r->op, r->file, (long long)r->line, what, (long long)*out,
                       (long long)most);
    *out -= 1;
    return st;
}

/* entry k mirrored as entry k + 1 */
static void mirror_entry(agni_mtx *m, int64_t k)
{
    int64_t *row = m->rows->data, *col = m->cols->data;
    double *re = m->values->data;
    int64_t *whole = m->values->data;
    bool skew = m->head.symmetry == AGN_MTX_SKEW;
    row[k + 1] = col[k];
    col[k + 1] = row[k];
    switch (m->head.dtype) {
    case AGN_F64:
        re[k + 1] = skew ? -re[k] : re[k];
        break;
    case AGN_I64:
        whole[k + 1] = skew ? (int64_t)(0 - (uint64_t)whole[k]) : whole[k];
        break;
    case AGN_C128:
        re[2 * k + 2] = skew ? -re[2 * k] : re[2 * k];
        re[2 * k + 3] = m->head.symmetry == AGN_MTX_SYMMETRIC ? re[2 * k + 1]
                                                              : -re[2 * k + 1];
        break;
    default:
        ((bool *)m->values->data)[k + 1] = true;
    }
}

/* what a triangle cannot hold */
static agn_status check_diagonal(const reader *r, int64_t k)
{
    const agni_mtx *m = r->m;
    const double *z = m->values->data;
    if (m->head.symmetry == AGN_MTX_SKEW)
        return bad_line(r, "an entry on the diagonal of a skew-symmetric matrix");
    if (m->head.symmetry == AGN_MTX_HERMITIAN && z[2 * k + 1] != 0.0)
        return bad_line(r,
                        "an entry on the diagonal of a Hermitian matrix is not real");
    return AGN_OK;
}

static agn_status read_entry(reader *r, int64_t *k)
{
    agni_mtx *m = r->m;
    int64_t *row = m->rows->data, *col = m->cols->data;
    agn_status st = read_index(r, &row[*k], m->head.rows, "row");
    if (!st)
        st = read_index(r, &col[*k], m->head.cols, "column");
    if (!st)
        st = take_value(r, m->values, *k);
    if (!st)
        st = end_of_line(r);
    if (st)
        return st;
    bool twice = m->head.symmetry != AGN_MTX_GENERAL && row[*k] != col[*k];
    if (twice)
        mirror_entry(m, *k);
    else if (m->head.symmetry != AGN_MTX_GENERAL)
        st = check_diagonal(r, *k);
    *k += twice ? 2 : 1;
    return st;
}

/* the first n of x, without the memory behind them */
static agn_status truncate_vector(agn_tensor **x, int64_t n)
{
    agn_tensor *few = NULL, *copy = NULL;
    if ((*x)->size == n)
        return AGN_OK;
    agn_status st = agni_tensor_view(&few, *x, 1, &n, (*x)->stride, 0);
    if (!st)
        st = agn_copy(&copy, few);
    agn_release(few);
    if (!st) {
        agn_release(*x);
        *x = copy;
    }
    return st;
}

static agn_status read_entries(reader *r)
{
    agni_mtx *m = r->m;
    int64_t k = 0,
            room = m->head.symmetry == AGN_MTX_GENERAL ? m->head.n : 2 * m->head.n;
    agn_status st = agni_tensor_make(&m->rows, r->op, AGN_I64, 1, &room, AGN_CPU);
    if (!st)
        st = agni_tensor_make(&m->cols, r->op, AGN_I64, 1, &room, AGN_CPU);
    if (!st)
        st = agni_tensor_make(&m->values, r->op, m->head.dtype, 1, &room, AGN_CPU);
    for (int64_t i = 0; i < m->head.n && !st; i++) {
        st = require_line(r, i);
        if (!st)
            st = read_entry(r, &k);
    }
    agn_tensor **const all[] = {&m->rows, &m->cols, &m->values};
    for (int i = 0; i < 3 && !st; i++)
        st = truncate_vector(all[i], k);
    return st;
}

static agn_status read_text(reader *r)
{
    agn_status st = read_banner(r, &r->m->head);
    if (!st)
        st = read_sizes(r, &r->m->head);
    if (!st)
        st = r->m->head.format == AGNI_MTX_ARRAY ? read_array(r) : read_entries(r);
    if (!st && next_line(r))
        st = bad_line(r, "expected is the end of the file");
    return st;
}

agn_status agni_mtx_read(agni_mtx *m, const agni_input *in)
{
    *m = (agni_mtx){0};
    char *text = agni_alloc((size_t)in->size + 1);
    if (!text)
        return agni_nomem(in->op, (size_t)in->size + 1);
    agn_status st = agni_input_read(in, 0, text, (size_t)in->size, "text");
    text[in->size] = 0;
    reader r = {
        .op = in->op, .file = in->file, .next = text, .end = text + in->size, .m = m};
    r.p = r.eol = text;
    if (!st)
        st = read_text(&r);
    agni_free(text);
    if (st)
        agni_mtx_free(m);
    return st;
}

void agni_mtx_free(agni_mtx *m)
{
    agn_release(m->rows);
    agn_release(m->cols);
    agn_release(m->values);
    *m = (agni_mtx){0};
}
