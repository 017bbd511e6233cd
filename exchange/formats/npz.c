/* exchange/formats/npz.c - named tensors to and from .npz files: ZIP archives of .npy files. */
#include "exchange/file/dict.h"
#include "exchange/formats/npy.h"
#include "exchange/file/readers.h"
#include "exchange/file/zip.h"

#include <string.h>

static const char ending[] = ".npy";
enum { ENDING = sizeof ending - 1, NAME_MOST = 65535 - ENDING };

/* ---- reading --------------------------------------------------------------------- */

/* the three letters of SciPy's member "format": bytes or UTF-32, behind a header of NumPy's */
static agn_status read_word(char word[4], const agni_zip *z, const agni_zip_member *m)
{
    unsigned char b[512];
    agni_zip_content c;
    int64_t n = 0, got = 1;
    agn_status st = agni_zip_begin(&c, z, m);
    if (st)
        return st;
    while (got > 0 && n < (int64_t)sizeof b) {
        got = agni_zip_read(&c, b + n, sizeof b - (size_t)n);
        n += got > 0 ? got : 0;
    }
    st = got < 0 ? (agn_status)got : agni_zip_end(&c);
    agni_zip_drop(&c);
    int wide = n > 12 && !b[n - 1] ? 4 : 1;
    for (int k = 0; k < 3 && n > 12; k++)
        word[k] = (char)b[n - (3 - k) * wide];
    word[3] = 0;
    return st;
}

/* *out stays as it is where the elements are what no dtype is: foreign says what */
static agn_status read_array(agn_tensor **out, char foreign[48], const agni_zip *z,
                             const agni_zip_member *m, const char *name)
{
    agn_tensor *x = NULL;
    agni_zip_content c;
    agn_status st = agni_zip_begin(&c, z, m);
    if (st)
        return st;
    agni_source src = {z->in->op, agni_path_end(name), m->size, agni_zip_read, &c};
    st = foreign ? agni_npy_read_any(&x, foreign, &src) : agni_npy_read(&x, &src);
    if (!st)
        st = agni_zip_end(&c);
    agni_zip_drop(&c);
    if (st)
        agn_release(x);
    else
        *out = x;
    return st;
}

static agn_status read_member(agn_dict *d, const agni_zip *z, const agni_zip_member *m, char *word)
{
    agn_tensor *x = NULL;
    char foreign[48] = "";
    int len = m->name_len - ENDING;
    if (word && len == 6 && !memcmp(m->name, "format", 6))
        return read_word(word, z, m);
    if (len < 0 || memcmp(m->name + len, ending, ENDING) != 0)
        return AGN_OK; /* something else, as NumPy allows */
    if (memchr(m->name, 0, (size_t)len))
        return agni_fail(AGN_EFORMAT, "%s: %s: the name '%s' of %d bytes holds a NUL",
                         z->in->op, z->in->file, m->name, len);
    char *name = agni_alloc((size_t)len + 1);
    if (!name)
        return agni_nomem(z->in->op, (size_t)len + 1);
    memcpy(name, m->name, (size_t)len);
    name[len] = 0;
    agn_status st = AGN_OK;
    if (agni_dict_has(d, name) || agn_dict_note(d, name))
        st = agni_fail(AGN_EFORMAT, "%s: %s: '%s' is there twice, again at byte %lld",
                       z->in->op, z->in->file, agni_path_end(name), (long long)m->at);
    if (!st)
        st = read_array(&x, foreign, z, m, name);
    if (!st)
        st = x ? agn_dict_put(d, name, x) : agn_dict_note_put(d, name, foreign);
    agn_release(x);
    agni_free(name);
    return st;
}

agn_status agni_npz_read(agn_dict **out, const agni_input *in)
{
    return agni_npz_read_word(out, in, NULL);
}

agn_status agni_npz_read_word(agn_dict **out, const agni_input *in, char *word)
{
    agni_zip z;
    agn_dict *d = NULL;
    agn_status st = agni_zip_open(&z, in);
    if (st)
        return st;
    st = agn_dict_new(&d);
    for (int64_t i = 0; i < z.n && !st; i++)
        st = read_member(d, &z, &z.member[i], word);
    agni_zip_close(&z);
    if (st)
        agn_dict_release(d);
    else
        *out = d;
    return st;
}

agn_status agn_npz_load(agn_dict **out, const char *path)
{
    if (!out || !path)
        return agni_fail(AGN_ENULL, "npz_load: %s is NULL", out ? "path" : "out");
    agni_input in;
    agn_status st = agni_input_open(&in, "npz_load", path);
    if (st)
        return st;
    st = agni_npz_read(out, &in);
    agni_input_close(&in);
    return st;
}

/* ---- one of them ---------------------------------------------------------------------- */

static bool has_name(const agni_zip_member *m, const char *name, size_t len)
{
    return m->name_len == (int)len + ENDING && !memcmp(m->name, name, len) &&
           !memcmp(m->name + len, ending, ENDING);
}

static agn_status find_member(const agni_zip_member **out, const agni_zip *z, const char *name)
{
    size_t len = strlen(name);
    const agni_zip_member *found = NULL;
    for (int64_t i = 0; i < z->n && len <= NAME_MOST; i++) {
        if (!has_name(&z->member[i], name, len))
            continue;
        if (found)
            return agni_fail(AGN_EFORMAT, "%s: %s: '%s' is there twice, again at byte %lld",
                             z->in->op, z->in->file, agni_path_end(name),
                             (long long)z->member[i].at);
        found = &z->member[i];
    }
    *out = found;
    return found ? AGN_OK
                 : agni_fail(AGN_EARG, "%s: %s: there is no array '%s' among the %lld members",
                             z->in->op, z->in->file, agni_path_end(name), (long long)z->n);
}

agn_status agn_npz_load_member(agn_tensor **out, const char *path, const char *name)
{
    static const char op[] = "npz_load_member";
    if (!out || !path || !name)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, !out ? "out" : !path ? "path" : "name");
    agni_input in;
    agni_zip z;
    const agni_zip_member *m;
    agn_status st = agni_input_open(&in, op, path);
    if (st)
        return st;
    st = agni_zip_open(&z, &in);
    if (!st) {
        st = find_member(&m, &z, name);
        if (!st)
            st = read_array(out, NULL, &z, m, name);
        agni_zip_close(&z);
    }
    agni_input_close(&in);
    return st;
}

/* ---- writing --------------------------------------------------------------------- */

typedef struct content {
    const agn_dict *d;
    const char *word;      /* of a last member; NULL: there is none */
    agni_zip_entry *entry; /* names are given */
} content;

/* 0-D bytes of three letters, as NumPy writes them */
static agn_status put_word(agni_output *o, agni_zip_entry *e, const char *word)
{
    static const char text[] = "{'descr': '|S3', 'fortran_order': False, 'shape': (), }";
    char head[128];
    memset(head, ' ', sizeof head);
    memcpy(head, "\x93NUMPY\x01\x00", 8);
    head[8] = sizeof head - 10;
    head[9] = 0;
    memcpy(head + 10, text, sizeof text - 1);
    head[sizeof head - 1] = '\n';
    const agni_piece pieces[] = {{head, sizeof head}, {word, 3}};
    return agni_zip_put(o, e, pieces, 2);
}

static agn_status put_tensor(agni_output *o, agni_zip_entry *e, const agn_tensor *x)
{
    char head[AGNI_NPY_HEADER];
    agn_tensor *rows = NULL;
    agn_status st = agni_rows(&rows, o->op, x);
    if (st)
        return st;
    size_t n = agni_npy_begin(head, x->dtype, x->ndim, x->shape);
    const agni_piece pieces[] = {
        {head, n}, {rows->data, (size_t)x->size * (size_t)agni_dtypes[x->dtype].bytes}};
    st = agni_zip_put(o, e, pieces, 2);
    agn_release(rows);
    return st;
}

static agn_status write_npz(agni_output *o, const void *user)
{
    const content *c = user;
    int32_t n = agn_dict_count(c->d);
    agn_status st = AGN_OK;
    for (int32_t i = 0; i < n && !st; i++)
        st = put_tensor(o, &c->entry[i], agni_dict_at(c->d, i));
    if (!st && c->word)
        st = put_word(o, &c->entry[n++], c->word);
    return st ? st : agni_zip_finish(o, c->entry, n);
}

static agn_status name_entry(const char *op, agni_zip_entry *e, const char *name, bool compress)
{
    size_t len = strlen(name);
    if (len > NAME_MOST)
        return agni_fail(AGN_EARG,
                         "%s: a name of %zu bytes, '%.40s...'; %d are possible", op, len, name,
                         NAME_MOST);
    e->name = agni_alloc(len + ENDING + 1);
    if (!e->name)
        return agni_nomem(op, len + ENDING + 1);
    memcpy(e->name, name, len);
    memcpy(e->name + len, ending, ENDING + 1);
    e->method = compress ? AGNI_ZIP_DEFLATED : AGNI_ZIP_STORED;
    return AGN_OK;
}

agn_status agn_npz_save(const char *path, const agn_dict *d, bool compress)
{
    if (!path || !d)
        return agni_fail(AGN_ENULL, "npz_save: %s is NULL", path ? "d" : "path");
    if (agn_dict_note_count(d))
        return agni_fail(AGN_EUNSUPPORTED,
                         "npz_save: the format has no notes; d has %d, '%s' first",
                         agn_dict_note_count(d), agn_dict_note_key(d, 0));
    return agni_npz_write("npz_save", path, d, compress, NULL);
}

agn_status agni_npz_write(const char *op, const char *path, const agn_dict *d, bool compress,
                          const char *word)
{
    int32_t n = agn_dict_count(d), all = n + (word != NULL);
    agni_zip_entry *entry = agni_zalloc((size_t)(all + !all) * sizeof *entry);
    if (!entry)
        return agni_nomem(op, (size_t)all * sizeof *entry);
    agn_status st = AGN_OK;
    for (int32_t i = 0; i < all && !st; i++)
        st = name_entry(op, &entry[i], i < n ? agn_dict_name(d, i) : "format", compress);
    if (!st)
        st = agni_save(op, path, write_npz, &(content){d, word, entry});
    for (int32_t i = 0; i < all; i++)
        agni_free(entry[i].name);
    agni_free(entry);
    return st;
}
