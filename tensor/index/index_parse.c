/* tensor/index/index_parse.c - an index as text:
     index  = [ entry { "," entry } [ "," ] ]
     entry  = integer | [ integer ] ":" [ integer ] [ ":" [ integer ] ] | "..."
            | "None" | "newaxis" | "True" | "False" | "[" [ integer { "," integer } ] "]"
   A fault is reported with its position in the text, counted from 0.                     */
#include "tensor/index/index.h"

#include <string.h>

enum { MOST_ENTRIES = 2 * AGNI_MAX_RANK, MOST_LISTED = 1024 };

typedef struct reader {
    agn_scope *s;
    const char *op, *text, *at;
    int n;
    agn_ix ix[MOST_ENTRIES];
} reader;

static bool fail_at(reader *r, const char *what)
{
    agn_scope_fail(r->s, agni_fail(AGN_EFORMAT, "%s: %s at place %d of \"%.64s\"", r->op, what,
                                   (int)(r->at - r->text), r->text));
    return false;
}

static void skip_spaces(reader *r)
{
    while (*r->at == ' ' || *r->at == '\t' || *r->at == '\n')
        r->at++;
}

static bool accept_word(reader *r, const char *word)
{
    size_t n = strlen(word);
    skip_spaces(r);
    if (strncmp(r->at, word, n))
        return false;
    r->at += n;
    return true;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool starts_integer(reader *r)
{
    skip_spaces(r);
    return is_digit(*r->at) || *r->at == '-' || *r->at == '+';
}

/* INT64_MIN marks an omitted bound; its opposite does not exist, so it cannot be written */
static bool parse_integer(reader *r, int64_t *v)
{
    const char *from = r->at;
    bool minus = *r->at == '-';
    int64_t sum = 0;
    if (*r->at == '-' || *r->at == '+')
        r->at++;
    if (!is_digit(*r->at))
        return fail_at(r, "a digit is missing");
    for (; is_digit(*r->at); r->at++)
        if (!agni_checked_mul(sum, 10, &sum) || !agni_checked_add(sum, *r->at - '0', &sum)) {
            r->at = from;
            return fail_at(r, "an integer of more than 63 bits");
        }
    *v = minus ? -sum : sum;
    return true;
}

/* an integer of a slice, where INT64_MAX marks what is omitted: no axis is so long, so one less
   means the same */
static bool parse_bound(reader *r, int64_t *v)
{
    bool fine = parse_integer(r, v);
    *v -= fine && *v == INT64_MAX;
    return fine;
}

/* the rest of a slice, after the colon; e holds the integer before it, if there is one */
static bool parse_slice_rest(reader *r, agn_ix *e)
{
    int64_t from = e->kind != AGN_IX_INT ? AGN_BEGIN : e->start - (e->start == INT64_MAX);
    *e = agn_ix_slice(from, AGN_END, 1);
    if (starts_integer(r) && !parse_bound(r, &e->stop))
        return false;
    if (accept_word(r, ":") && starts_integer(r) && !parse_bound(r, &e->step))
        return false;
    return true;
}

static bool parse_list(reader *r, agn_ix *e)
{
    int64_t v[MOST_LISTED], n = 0;
    agn_tensor *x = NULL;
    while (!accept_word(r, "]")) {
        if (n && !accept_word(r, ","))
            return fail_at(r, "',' or ']' is missing");
        if (n && accept_word(r, "]"))
            break;
        if (n == MOST_LISTED)
            return fail_at(r, "a list of more than 1024 integers");
        if (!starts_integer(r))
            return fail_at(r, "an integer is missing");
        if (!parse_integer(r, &v[n++]))
            return false;
    }
    agn_status st = agn_from_host(&x, AGN_I64, 1, &n, v);
    *e = agn_ix_array(agni_adopt_constant(r->s, st, x));
    return !agn_scope_status(r->s);
}

static bool make_bool(reader *r, agn_ix *e, bool value)
{
    agn_tensor *x = NULL;
    agn_status st = agn_from_host(&x, AGN_BOOL, 0, NULL, &value);
    *e = agn_ix_array(agni_adopt_constant(r->s, st, x));
    return !agn_scope_status(r->s);
}

static bool parse_entry(reader *r, agn_ix *e)
{
    *e = agn_ix_all();
    if (accept_word(r, "...") || accept_word(r, "Ellipsis"))
        *e = agn_ix_ellipsis();
    else if (accept_word(r, "None") || accept_word(r, "newaxis"))
        *e = agn_ix_new();
    else if (accept_word(r, "True"))
        return make_bool(r, e, true);
    else if (accept_word(r, "False"))
        return make_bool(r, e, false);
    else if (accept_word(r, "["))
        return parse_list(r, e);
    else if (accept_word(r, ":"))
        return parse_slice_rest(r, e);
    else if (starts_integer(r)) {
        *e = agn_ix_int(0);
        if (!parse_integer(r, &e->start))
            return false;
        return !accept_word(r, ":") || parse_slice_rest(r, e);
    } else
        return fail_at(r, "an entry is missing");
    return true;
}

static bool read_text(reader *r)
{
    for (skip_spaces(r); *r->at; skip_spaces(r)) {
        if (r->n == MOST_ENTRIES)
            return fail_at(r, "more than 64 entries");
        if (!parse_entry(r, &r->ix[r->n++]))
            return false;
        skip_spaces(r);
        if (*r->at && !accept_word(r, ","))
            return fail_at(r, "',' is missing");
    }
    return true;
}

static agn_status parse_index(const char *op, agn_tensor **out, const agn_tensor *x,
                              const char *text, const agn_tensor *v, const agni_write *how)
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
    return parse_index("index_str", out, x, text, NULL, NULL);
}
agn_status agn_index_put_str(agn_tensor **out, const agn_tensor *x, const char *text,
                             const agn_tensor *v)
{
    return parse_index("index_put_str", out, x, text, v, &(agni_write){AGNI_PUT});
}
agn_status agn_index_add_str(agn_tensor **out, const agn_tensor *x, const char *text,
                             const agn_tensor *v)
{
    return parse_index("index_add_str", out, x, text, v, &(agni_write){AGNI_ADD});
}
