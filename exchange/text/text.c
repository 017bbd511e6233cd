/* exchange/text/text.c - lines and words of a file, read alike in every locale. */
#include "exchange/text/text.h"

#include <string.h>

agn_status agni_text_read(agni_text *t, const agni_input *in, const char *separators)
{
    *t = (agni_text){.op = in->op, .file = agni_path_end(in->file), .separators = separators};
    t->memory = agni_alloc((size_t)in->size + 1);
    agn_status st = t->memory ? agni_input_read(in, 0, t->memory, (size_t)in->size, "the text")
                              : agni_nomem(in->op, (size_t)in->size);
    if (st) {
        agni_text_close(t);
        return st;
    }
    t->memory[in->size] = 0;
    t->p = t->eol = t->next = t->memory;
    t->end = t->memory + in->size;
    return AGN_OK;
}

agn_status agni_text_open(agni_text *t, const char *op, const char *path, const char *separators)
{
    agni_input in;
    *t = (agni_text){.op = op};
    agn_status st = agni_input_open(&in, op, path);
    if (st)
        return st;
    st = agni_text_read(t, &in, separators);
    agni_input_close(&in);
    t->file = agni_path_end(path);
    return st;
}

void agni_text_close(agni_text *t)
{
    agni_free(t->memory);
    t->memory = NULL;
}

static bool is_separator(const agni_text *t, char c)
{
    return c == ' ' || c == '\t' || c == '\r' || (c && strchr(t->separators, c));
}

bool agni_text_line(agni_text *t, const char *skip)
{
    do {
        if (t->next == t->end)
            return false;
        t->p = t->next;
        const char *nl = memchr(t->p, '\n', (size_t)(t->end - t->p));
        t->eol = nl ? nl : t->end;
        t->next = nl ? nl + 1 : t->end;
        t->line++;
        while (t->p < t->eol && is_separator(t, *t->p))
            t->p++;
    } while (t->p == t->eol || (*t->p && strchr(skip, *t->p)));
    return true;
}

const char *agni_text_word(agni_text *t, size_t *n)
{
    while (t->p < t->eol && is_separator(t, *t->p))
        t->p++;
    const char *word = t->p;
    while (t->p < t->eol && !is_separator(t, *t->p))
        t->p++;
    *n = (size_t)(t->p - word);
    return *n ? word : NULL;
}

agn_status agni_text_bad(const agni_text *t, const char *what)
{
    return agni_fail(AGN_EFORMAT, "%s: %s: line %lld: %s", t->op, t->file, (long long)t->line,
                     what);
}

bool agni_word_integer(const char *word, size_t n, int64_t *to)
{
    size_t k = n && (*word == '-' || *word == '+');
    bool minus = n && *word == '-';
    int64_t v = 0;
    if (k == n)
        return false;
    for (; k < n; k++)
        if (word[k] < '0' || word[k] > '9' || !agni_checked_mul(v, 10, &v) ||
            !agni_checked_add(v, minus ? '0' - word[k] : word[k] - '0', &v))
            return false;
    *to = v;
    return true;
}

agn_status agni_text_integer(agni_text *t, int64_t *to, const char *what)
{
    size_t n;
    const char *word = agni_text_word(t, &n);
    return word && agni_word_integer(word, n, to) ? AGN_OK : agni_text_bad(t, what);
}

agn_status agni_text_real(agni_text *t, double *to, const char *what)
{
    size_t n;
    const char *word = agni_text_word(t, &n), *end;
    bool plus = word && *word == '+';
    return word && agni_parse_double(word + plus, &end, to) && end == word + n
               ? AGN_OK
               : agni_text_bad(t, what);
}

bool agni_numbers_add(agni_numbers *q, const void *x)
{
    if (q->n == q->room) {
        int64_t room = q->room ? 2 * q->room : 64;
        char *v = agni_alloc((size_t)room * sizeof(int64_t));
        if (!v)
            return false;
        if (q->n)
            memcpy(v, q->v, (size_t)q->n * sizeof(int64_t));
        agni_free(q->v);
        q->v = v;
        q->room = room;
    }
    memcpy((char *)q->v + q->n++ * (int64_t)sizeof(int64_t), x, sizeof(int64_t));
    return true;
}
