/* exchange/formats/safetensors_header.c - the JSON header of a safetensors file, parsed and
   validated: shapes, dtypes and offsets must be consistent and cover the data. */
#include "exchange/formats/safetensors.h"

#include <stdlib.h>
#include <string.h>

const char *const agni_st_dtypes[AGN_NDTYPES] = {
    [AGN_BOOL] = "BOOL", [AGN_U8] = "U8",   [AGN_I8] = "I8",   [AGN_I16] = "I16",
    [AGN_I32] = "I32",   [AGN_I64] = "I64", [AGN_F16] = "F16", [AGN_BF16] = "BF16",
    [AGN_F32] = "F32",   [AGN_F64] = "F64", [AGN_C64] = "C64", [AGN_C128] = NULL,
};

/* ---- one entry ---------------------------------------------------------------------------- */

/* [a, b, ...] of at most most sizes */
static agn_status parse_list(agni_json *j, int64_t *v, int most, int *n)
{
    agn_status st = agni_json_need(j, '[', "'['");
    *n = 0;
    if (st || agni_json_take(j, ']'))
        return st;
    do {
        if (*n == most)
            return agni_fail(AGN_EFORMAT,
                             "%s: %s: a list of more than %d numbers at byte %lld",
                             j->op, j->file, most, (long long)(j->p - j->text));
        st = agni_json_size(j, &v[(*n)++]);
    } while (!st && agni_json_take(j, ','));
    return st ? st : agni_json_need(j, ']', "',' or ']'");
}

static agn_status parse_dtype(agni_json *j, agni_st_entry *e)
{
    char *s = NULL;
    agn_status st = agni_json_text(j, &s);
    if (st)
        return st;
    e->dtype = AGN_NDTYPES;
    for (int d = 0; d < AGN_NDTYPES; d++)
        if (agni_st_dtypes[d] && !strcmp(agni_st_dtypes[d], s))
            e->dtype = d;
    if (e->dtype == AGN_NDTYPES)
        st = agni_fail(AGN_EFORMAT,
                       "%s: %s: there is no dtype for '%.20s' of '%s'; known are BOOL U8 I8 "
                       "I16 I32 I64 F16 BF16 F32 F64 C64",
                       j->op, j->file, s, agni_path_end(e->name));
    agni_free(s);
    return st;
}

static agn_status parse_shape(agni_json *j, agni_st_entry *e)
{
    return parse_list(j, e->shape, AGNI_MAX_RANK, &e->ndim);
}

static agn_status parse_offsets(agni_json *j, agni_st_entry *e)
{
    int64_t v[2];
    int n;
    agn_status st = parse_list(j, v, 2, &n);
    if (!st && n != 2)
        return agni_json_expected(j, "two offsets");
    e->begin = st ? 0 : v[0];
    e->end = st ? 0 : v[1];
    return st;
}

static const struct {
    const char *key;
    agn_status (*parse)(agni_json *j, agni_st_entry *e);
} fields[] = {
    {"dtype", parse_dtype}, {"shape", parse_shape}, {"data_offsets", parse_offsets}};

static agn_status parse_field(agni_json *j, agni_st_entry *e, unsigned *seen)
{
    char *key = NULL;
    agn_status st = agni_json_text(j, &key);
    if (st)
        return st;
    int k = 0;
    while (k < AGNI_COUNT(fields) && strcmp(fields[k].key, key) != 0)
        k++;
    if (k == AGNI_COUNT(fields) || *seen >> k & 1)
        st = agni_fail(AGN_EFORMAT, "%s: %s: '%s' has %s '%.40s'", j->op, j->file,
                       agni_path_end(e->name),
                       k == AGNI_COUNT(fields) ? "an unknown" : "a second", key);
    agni_free(key);
    if (st)
        return st;
    *seen |= 1u << k;
    st = agni_json_need(j, ':', "':'");
    return st ? st : fields[k].parse(j, e);
}

/* shape and dtype give exactly the bytes between the offsets, and a tensor can have them */
static agn_status check_size(const agni_json *j, const agni_st_entry *e)
{
    int64_t n = 1, all = agni_dtypes[e->dtype].bytes;
    bool fits = true;
    for (int i = 0; i < e->ndim; i++) {
        fits = fits && agni_checked_mul(n, e->shape[i], &n);
        fits = fits && agni_checked_mul(all, e->shape[i] ? e->shape[i] : 1, &all);
    }
    int64_t bytes = fits && all <= INT64_MAX / 16 ? n * agni_dtypes[e->dtype].bytes
                                                  : -1;
    if (bytes < 0 || e->end < e->begin || e->end - e->begin != bytes)
        return agni_fail(
            AGN_EFORMAT, "%s: %s: '%s' is %s %s and has the offsets %lld and %lld",
            j->op, j->file, agni_path_end(e->name), agni_dtypes[e->dtype].name,
            agni_shape_text((char[96]){0}, 96, e->ndim, e->shape), (long long)e->begin,
            (long long)e->end);
    return AGN_OK;
}

static agn_status parse_entry(agni_json *j, agni_st_entry *e)
{
    unsigned seen = 0;
    agn_status st = agni_json_need(j, '{', "'{'");
    if (!st && !agni_json_take(j, '}')) {
        do {
            st = parse_field(j, e, &seen);
        } while (!st && agni_json_take(j, ','));
        st = st ? st : agni_json_need(j, '}', "',' or '}'");
    }
    for (int k = 0; k < AGNI_COUNT(fields) && !st; k++)
        if (!(seen >> k & 1))
            st = agni_fail(AGN_EFORMAT, "%s: %s: '%s' lacks '%s'", j->op, j->file,
                           agni_path_end(e->name), fields[k].key);
    return st ? st : check_size(j, e);
}

/* ---- all of it ------------------------------------------------------------------------------ */

static agn_status parse_note(agni_json *j, agn_dict *d)
{
    char *key = NULL, *text = NULL;
    agn_status st = agni_json_text(j, &key);
    if (!st)
        st = agni_json_need(j, ':', "':'");
    if (!st && agn_dict_note(d, key))
        st = agni_fail(AGN_EFORMAT,
                       "%s: %s: the note '%.40s' is there twice, again at byte %lld",
                       j->op, j->file, key, (long long)(j->p - j->text));
    if (!st)
        st = agni_json_text(j, &text);
    if (!st)
        st = agn_dict_note_put(d, key, text);
    agni_free(key);
    agni_free(text);
    return st;
}

static agn_status parse_notes(agni_json *j, agn_dict *d)
{
    agn_status st = agni_json_need(j, '{', "'{'");
    if (st || agni_json_take(j, '}'))
        return st;
    do {
        st = parse_note(j, d);
    } while (!st && agni_json_take(j, ','));
    return st ? st : agni_json_need(j, '}', "',' or '}'");
}

static agn_status new_entry(agni_json *j, agni_st_header *h, agni_st_entry **out)
{
    if (h->n == h->room) {
        int64_t room = h->room ? 2 * h->room : 16;
        agni_st_entry *e = agni_realloc(h->entry, (size_t)room * sizeof *e);
        if (!e)
            return agni_nomem(j->op, (size_t)room * sizeof *e);
        h->entry = e;
        h->room = room;
    }
    *out = &h->entry[h->n++];
    return AGN_OK;
}

/* one key and what it stands for; *notes counts those of the metadata */
static agn_status parse_item(agni_json *j, agni_st_header *h, agn_dict *d, int *notes)
{
    char *name = NULL;
    agni_st_entry *e = NULL;
    agn_status st = agni_json_text(j, &name);
    if (!st)
        st = agni_json_need(j, ':', "':'");
    bool note = !st && !strcmp(name, AGNI_ST_NOTES);
    if (note && (*notes)++)
        st = agni_fail(AGN_EFORMAT, "%s: %s: '%s' is there twice, again at byte %lld",
                       j->op, j->file, name, (long long)(j->p - j->text));
    if (!st && !note)
        st = new_entry(j, h, &e);
    if (st || note) {
        agni_free(name);
        return st ? st : parse_notes(j, d);
    }
    *e = (agni_st_entry){.name = name};
    return parse_entry(j, e);
}

static int compare_offset(const void *pa, const void *pb)
{
    const agni_st_entry *a = pa, *b = pb;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    if (a->end != b->end)
        return a->end < b->end ? -1 : 1;
    return strcmp(a->name, b->name);
}

static agn_status check_cover(const agni_json *j, const agni_st_header *h, int64_t data)
{
    int64_t at = 0;
    for (int64_t i = 0; i < h->n; i++) {
        const agni_st_entry *e = &h->entry[i];
        if (e->begin != at)
            return agni_fail(AGN_EFORMAT,
                             "%s: %s: '%s' begins at %lld, the one before ends at %lld",
                             j->op, j->file, agni_path_end(e->name),
                             (long long)e->begin, (long long)at);
        at = e->end;
    }
    if (at != data)
        return agni_fail(
            AGN_EFORMAT,
            "%s: %s: the tensors have %lld bytes, behind the header are %lld", j->op,
            j->file, (long long)at, (long long)data);
    return AGN_OK;
}

agn_status agni_st_parse(agni_st_header *h, agn_dict *d, agni_json *j, int64_t data)
{
    int notes = 0;
    *h = (agni_st_header){0};
    if (j->p == j->end || *j->p != '{')
        return agni_json_expected(j, "'{'");
    agni_json_take(j, '{');
    agn_status st = AGN_OK;
    if (!agni_json_take(j, '}')) {
        do {
            st = parse_item(j, h, d, &notes);
        } while (!st && agni_json_take(j, ','));
        st = st ? st : agni_json_need(j, '}', "',' or '}'");
    }
    while (!st && j->p < j->end && *j->p == ' ')
        j->p++;
    if (!st && j->p < j->end)
        st = agni_json_expected(j, "its end");
    if (st)
        return st;
    if (h->n)
        qsort(h->entry, (size_t)h->n, sizeof *h->entry, compare_offset);
    return check_cover(j, h, data);
}

void agni_st_free(agni_st_header *h)
{
    for (int64_t i = 0; i < h->n; i++)
        agni_free(h->entry[i].name);
    agni_free(h->entry);
    *h = (agni_st_header){0};
}
