/* tensor/index/index_parse.c - an index as text:
     index  = [ entry { "," entry } [ "," ] ]
     entry  = integer | [ integer ] ":" [ integer ] [ ":" [ integer ] ] | "..."
            | "None" | "newaxis" | "True" | "False" | "[" [ integer { "," integer } ] "]"
   A fault is told with its place in the text, counted from 0.                            */
#include "tensor/index/index.h"

#include <string.h>

enum { MOST_ENTRIES = 2 * AGNI_MAX_RANK, MOST_LISTED = 1024 };

typedef struct reader {
    agn_scope *s;
    const char *op, *text, *at;
    int n;
    agn_ix ix[MOST_ENTRIES];
} reader;

static bool fault(reader *r, const char *what)
{
    agn_scope_fail(r->s, agni_fail(AGN_EFORMAT, "%s: %s at place %d of \"%.64s\"", r->op, what,
                                   (int)(r->at - r->text), r->text));
    return false;
}

static void spaces(reader *r)
{
    while (*r->at == ' ' || *r->at == '\t' || *r->at == '\n')
        r->at++;
}

static bool take(reader *r, const char *word)
{
    size_t n = strlen(word);
    spaces(r);
    if (strncmp(r->at, word, n))
        return false;
    r->at += n;
    return true;
}

static bool digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool starts_integer(reader *r)
{
    spaces(r);
    return digit(*r->at) || *r->at == '-' || *r->at == '+';
}

/* INT64_MIN marks what is omitted and has no opposite */
static bool integer(reader *r, int64_t *v)
{
    const char *from = r->at;
    bool minus = *r->at == '-';
    int64_t sum = 0;
    if (*r->at == '-' || *r->at == '+')
        r->at++;
    if (!digit(*r->at))
        return fault(r, "a digit is missing");
    for (; digit(*r->at); r->at++)
        if (!agni_checked_mul(sum, 10, &sum) || !agni_checked_add(sum, *r->at - '0', &sum)) {
            r->at = from;
            return fault(r, "an integer of more than 63 bits");
        }
    *v = minus ? -sum : sum;
    return true;
}

/* an integer of a slice, where INT64_MAX marks what is omitted: no axis is so long, so one less means the
   same */
static bool bound(reader *r, int64_t *v)
{
    bool fine = integer(r, v);
    *v -= fine && *v == INT64_MAX;
    return fine;
}

/* what begins with an integer or a colon; start is what stands before the colon */
static bool slice_rest(reader *r, agn_ix *e)
{
    int64_t from = e->kind != AGN_IX_INT ? AGN_BEGIN : e->start - (e->start == INT64_MAX);
    *e = agn_ix_slice(from, AGN_END, 1);
    if (starts_integer(r) && !bound(r, &e->stop))
        return false;
    if (take(r, ":") && starts_integer(r) && !bound(r, &e->step))
        return false;
    return true;
}

static bool list(reader *r, agn_ix *e)
{
    int64_t v[MOST_LISTED], n = 0;
    agn_tensor *x = NULL;
    while (!take(r, "]")) {
        if (n && !take(r, ","))
            return fault(r, "',' or ']' is missing");
        if (n && take(r, "]"))
            break;
        if (n == MOST_LISTED)
            return fault(r, "a list of more than 1024 integers");
        if (!starts_integer(r))
            return fault(r, "an integer is missing");
        if (!integer(r, &v[n++]))
            return false;
    }
    agn_status st = agn_from_host(&x, AGN_I64, 1, &n, v);
    *e = agn_ix_array(agni_adopt_constant(r->s, st, x));
    return !agn_scope_status(r->s);
}

static bool number(reader *r, agn_ix *e, bool value)
{
    agn_tensor *x = NULL;
    agn_status st = agn_from_host(&x, AGN_BOOL, 0, NULL, &value);
    *e = agn_ix_array(agni_adopt_constant(r->s, st, x));
    return !agn_scope_status(r->s);
}

static bool entry(reader *r, agn_ix *e)
{
    *e = agn_ix_all();
    if (take(r, "...") || take(r, "Ellipsis"))
        *e = agn_ix_ellipsis();
    else if (take(r, "None") || take(r, "newaxis"))
        *e = agn_ix_new();
    else if (take(r, "True"))
        return number(r, e, true);
    else if (take(r, "False"))
        return number(r, e, false);
    else if (take(r, "["))
        return list(r, e);
    else if (take(r, ":"))
        return slice_rest(r, e);
    else if (starts_integer(r)) {
        *e = agn_ix_int(0);
        if (!integer(r, &e->start))
            return false;
        return !take(r, ":") || slice_rest(r, e);
    } else
        return fault(r, "an entry is missing");
    return true;
}

static bool read_text(reader *r)
{
    for (spaces(r); *r->at; spaces(r)) {
        if (r->n == MOST_ENTRIES)
            return fault(r, "more than 64 entries");
        if (!entry(r, &r->ix[r->n++]))
            return false;
        spaces(r);
        if (*r->at && !take(r, ","))
            return fault(r, "',' is missing");
    }
    return true;
}

static agn_status by_text(const char *op, agn_tensor **out, const agn_tensor *x, const char *text,
                          const agn_tensor *v, const agni_write *how)
{
    const char *missing = !out ? "out" : !x ? "x" : !text ? "text" : how && !v ? "v" : NULL;
    if (missing)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, missing);
    agn_status st = agni_require_dense(x, op);
    if (!st && v)
        st = agni_require_dense(v, op);
    if (st)
        return st;
    reader r = {.s = agn_scope_open(NULL), .op = op, .text = text, .at = text};
    if (read_text(&r))
        agn_scope_return(r.s, out, how ? agni_index_write(r.s, op, x, r.ix, r.n, v, *how)
                                       : agni_index_read(r.s, op, x, r.ix, r.n));
    return agni_rename_error(op, agn_scope_close(r.s));
}

agn_status agn_index_str(agn_tensor **out, const agn_tensor *x, const char *text)
{
    return by_text("index_str", out, x, text, NULL, NULL);
}
agn_status agn_index_put_str(agn_tensor **out, const agn_tensor *x, const char *text,
                             const agn_tensor *v)
{
    return by_text("index_put_str", out, x, text, v, &(agni_write){AGNI_PUT});
}
agn_status agn_index_add_str(agn_tensor **out, const agn_tensor *x, const char *text,
                             const agn_tensor *v)
{
    return by_text("index_add_str", out, x, text, v, &(agni_write){AGNI_ADD});
}
