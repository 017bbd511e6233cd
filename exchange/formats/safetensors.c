/* exchange/formats/safetensors.c - named tensors and notes to and from safetensors files. */
#include "exchange/file/dict.h"
#include "exchange/file/readers.h"
#include "exchange/formats/safetensors.h"

#include <stdlib.h>
#include <string.h>

/* ---- reading ------------------------------------------------------------------------- */

/* the format's own limit: a header is read at once */
enum { SIZE = 8, HEADER_MOST = 100000000 };

static agn_status read_tensor(agn_dict *d, const agni_input *in, int64_t data,
                              const agni_st_entry *e)
{
    agn_tensor *x = NULL;
    if (agni_dict_has(d, e->name))
        return agni_fail(AGN_EFORMAT,
                         "%s: %s: '%s' is there twice, again with offset %lld", in->op,
                         in->file, agni_path_end(e->name), (long long)e->begin);
    agn_status st = agni_tensor_make(&x, in->op, e->dtype, e->ndim, e->shape, AGN_CPU);
    if (st)
        return st;
    int64_t bytes = e->end - e->begin;
    char *p = x->data;
    st = agni_input_read(in, data + e->begin, p, (size_t)bytes, "elements");
    if (!st && !agni_little_endian())
        agni_swap_bytes(p, bytes, agni_dtypes[agni_dtypes[e->dtype].real].bytes);
    for (int64_t i = 0; e->dtype == AGN_BOOL && i < bytes && !st; i++)
        p[i] = p[i] != 0; /* no other value is a bool */
    if (!st)
        st = agn_dict_put(d, e->name, x);
    agn_release(x);
    return st;
}

static agn_status read_from_header(agn_dict *d, const agni_input *in, char *text, int64_t length)
{
    agni_st_header h;
    agn_status st = agni_input_read(in, SIZE, text, (size_t)length, "header");
    if (st)
        return st;
    agni_json j = {in->op, in->file, text, text, text + length};
    st = agni_st_parse(&h, d, &j, in->size - SIZE - length);
    for (int64_t i = 0; i < h.n && !st; i++)
        st = read_tensor(d, in, SIZE + length, &h.entry[i]);
    agni_st_free(&h);
    return st;
}

agn_status agni_safetensors_read(agn_dict **out, const agni_input *in)
{
    unsigned char size[SIZE];
    agn_status st = agni_input_read(in, 0, size, SIZE, "first 8");
    if (st)
        return st;
    uint64_t length = agni_little(size, SIZE);
    if (length > (uint64_t)(in->size - SIZE) || length > HEADER_MOST)
        return agni_fail(
            AGN_EFORMAT,
            "%s: %s: header of %llu bytes, the file has %lld and %d are allowed",
            in->op, in->file, (unsigned long long)length, (long long)in->size,
            HEADER_MOST);
    agn_dict *d = NULL;
    char *text = agni_alloc((size_t)length + 1);
    if (!text)
        return agni_nomem(in->op, (size_t)length + 1);
    st = agn_dict_new(&d);
    if (!st)
        st = read_from_header(d, in, text, (int64_t)length);
    agni_free(text);
    if (st)
        agn_dict_release(d);
    else
        *out = d;
    return st;
}

agn_status agn_safetensors_load(agn_dict **out, const char *path)
{
    if (!out || !path)
        return agni_fail(AGN_ENULL, "safetensors_load: %s is NULL",
                         out ? "path" : "out");
    agni_input in;
    agn_status st = agni_input_open(&in, "safetensors_load", path);
    if (st)
        return st;
    st = agni_safetensors_read(out, &in);
    agni_input_close(&in);
    return st;
}

/* ---- writing ------------------------------------------------------------------------- */

/* The format asks for no order; its Python package puts wide dtypes first, so that all are
   aligned, in this one. */
static const int8_t place[AGN_NDTYPES] = {
    [AGN_I64] = 0, [AGN_F64] = 1,  [AGN_C64] = 2,   [AGN_F32] = 3,
    [AGN_I32] = 4, [AGN_BF16] = 5, [AGN_F16] = 6,   [AGN_I16] = 7,
    [AGN_I8] = 8,  [AGN_U8] = 9,   [AGN_BOOL] = 10,
};

typedef struct item {
    const char *name;
    const agn_tensor *x;
} item;

typedef struct content {
    const agn_dict *d;
    const item *items; /* in the order of the data */
    int32_t n;
} content;

static int compare_order(const void *pa, const void *pb)
{
    const item *a = pa, *b = pb;
    int d = place[a->x->dtype] - place[b->x->dtype];
    return d ? d : strcmp(a->name, b->name);
}

static agn_status put_notes(agni_output *o, const agn_dict *d)
{
    int32_t n = agn_dict_note_count(d);
    agn_status st = agni_put_text(o, n ? "\"" AGNI_ST_NOTES "\":{" : "");
    for (int32_t i = 0; i < n && !st; i++) {
        st = agni_put_text(o, i ? "," : "");
        st = st ? st : agni_json_put_text(o, agn_dict_note_key(d, i));
        st = st ? st : agni_put_text(o, ":");
        st = st ? st : agni_json_put_text(o, agni_dict_note_at(d, i));
    }
    return st || !n ? st : agni_put_text(o, "}");
}

static agn_status put_item(agni_output *o, const item *it, int64_t begin)
{
    char text[80];
    agn_status st = agni_json_put_text(o, it->name);
    agni_format(text, sizeof text, ":{\"dtype\":\"%s\",\"shape\":[",
                agni_st_dtypes[it->x->dtype]);
    st = st ? st : agni_put_text(o, text);
    for (int i = 0; i < it->x->ndim && !st; i++) {
        agni_format(text, sizeof text, "%s%lld", i ? "," : "",
                    (long long)it->x->shape[i]);
        st = agni_put_text(o, text);
    }
    agni_format(text, sizeof text, "],\"data_offsets\":[%lld,%lld]}", (long long)begin,
                (long long)(begin + agni_tensor_bytes(it->x)));
    return st ? st : agni_put_text(o, text);
}

static agn_status put_header(agni_output *o, const content *c)
{
    agn_status st = agni_put_text(o, "{");
    st = st ? st : put_notes(o, c->d);
    int64_t begin = 0;
    bool first = !agn_dict_note_count(c->d);
    for (int32_t i = 0; i < c->n && !st; i++) {
        st = agni_put_text(o, first ? "" : ",");
        st = st ? st : put_item(o, &c->items[i], begin);
        begin += agni_tensor_bytes(c->items[i].x);
        first = false;
    }
    return st ? st : agni_put_text(o, "}");
}

static agn_status put_elements(agni_output *o, const agn_tensor *x)
{
    agn_tensor *rows = NULL, *copy = NULL;
    agn_status st = agni_rows(&rows, o->op, x);
    if (!st && !agni_little_endian()) {
        st = agn_copy(&copy, rows);
        if (!st)
            agni_swap_bytes(copy->data, agni_tensor_bytes(copy),
                            agni_dtypes[agni_dtypes[x->dtype].real].bytes);
    }
    if (!st)
        st = agni_put(o, copy ? copy->data : rows->data, (size_t)agni_tensor_bytes(x));
    agn_release(copy);
    agn_release(rows);
    return st;
}

static agn_status write_safetensors(agni_output *o, const void *user)
{
    const content *c = user;
    agni_output count = {.op = o->op, .path = o->path, .fd = AGNI_COUNT_ONLY};
    agn_status st = put_header(&count, c);
    int64_t length = (count.at + 7) / 8 *
                     8; /* spaces to where wide numbers are aligned */
    st = st ? st : agni_put_little(o, (uint64_t)length, SIZE);
    st = st ? st : put_header(o, c);
    st = st ? st : agni_put(o, "       ", (size_t)(length - count.at));
    for (int32_t i = 0; i < c->n && !st; i++)
        st = put_elements(o, c->items[i].x);
    return st;
}

static agn_status check_names(const agn_dict *d)
{
    for (int32_t i = 0; i < agn_dict_count(d); i++) {
        const agn_tensor *x = agni_dict_at(d, i);
        const char *name = agn_dict_name(d, i);
        agn_status st = agni_require_dense(x, "safetensors_save");
        if (st)
            return st;
        if (!agni_st_dtypes[x->dtype])
            return agni_fail(
                AGN_EUNSUPPORTED, "safetensors_save: the format has no %s; '%s' is %s",
                agni_dtypes[x->dtype].name, agni_path_end(name), AGNI_SHAPE(x));
        if (!agni_utf8(name) || !strcmp(name, AGNI_ST_NOTES))
            return agni_fail(
                AGN_EARG, "safetensors_save: '%s' can be no name: it is %s",
                agni_path_end(name), agni_utf8(name) ? "the format's own" : "no UTF-8");
    }
    for (int32_t i = 0; i < agn_dict_note_count(d); i++)
        if (!agni_utf8(agn_dict_note_key(d, i)) || !agni_utf8(agni_dict_note_at(d, i)))
            return agni_fail(AGN_EARG, "safetensors_save: note %d of %d is no UTF-8",
                             (int)i, (int)agn_dict_note_count(d));
    return AGN_OK;
}

agn_status agn_safetensors_save(const char *path, const agn_dict *d)
{
    if (!path || !d)
        return agni_fail(AGN_ENULL, "safetensors_save: %s is NULL",
                         path ? "d" : "path");
    int32_t n = agn_dict_count(d);
    agn_status st = check_names(d);
    if (st)
        return st;
    item *items = agni_alloc((size_t)(n + !n) * sizeof *items);
    if (!items)
        return agni_nomem("safetensors_save", (size_t)n * sizeof *items);
    for (int32_t i = 0; i < n; i++)
        items[i] = (item){agn_dict_name(d, i), agni_dict_at(d, i)};
    if (n)
        qsort(items, (size_t)n, sizeof *items, compare_order);
    st = agni_save("safetensors_save", path, write_safetensors,
                   &(content){d, items, n});
    agni_free(items);
    return st;
}
