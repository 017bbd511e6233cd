/* exchange/file/dict.c - an ordered dictionary of tensors and notes over a hash index. */
#include "exchange/file/dict.h"

#include "core/memory/hash_index.h"
#include <string.h>

/* ---- one table: items in order, found by hashing ------------------------------------ */

typedef struct item {
    char *key;
    uint64_t hash;
    void *value;
} item;

typedef struct table {
    agni_hash_index index;
    item *items;
    int32_t n, cap;
} table;

struct agn_dict {
    table tensors, notes;
};

static bool has_key(const void *items, int32_t i, const void *key)
{
    return strcmp(((const item *)items)[i].key, key) == 0;
}

/* The hash has no secret: a file whose keys collide makes its own reading slow. */
static uint64_t hash_of_item(const void *items, int32_t i)
{
    return ((const item *)items)[i].hash;
}

static item *find_item(const table *t, const char *key, uint64_t hash)
{
    int32_t i = agni_hash_index_find(&t->index, hash, has_key, t->items, key);
    return i < 0 ? NULL : &t->items[i];
}

static bool reserve_item(table *t)
{
    return t->n < INT32_MAX && agni_reserve_items(&t->items, &t->cap, t->n + 1, sizeof *t->items) &&
           agni_hash_index_reserve(&t->index, t->n + 1, hash_of_item, t->items);
}

/* On success the table owns value, and *old is the one that it replaces. */
static agn_status put_value(table *t, const char *op, const char *key, void *value, void **old)
{
    uint64_t hash = agni_hash_text(key);
    item *present = find_item(t, key, hash);
    if (present) {
        *old = present->value;
        present->value = value;
        return AGN_OK;
    }
    char *copy = reserve_item(t) ? agni_strdup(key) : NULL;
    if (!copy)
        return agni_nomem(op, strlen(key) + 1);
    t->items[t->n] = (item){copy, hash, value};
    agni_hash_index_add(&t->index, hash, t->n++);
    return AGN_OK;
}

static void *find_value(const table *t, const char *key)
{
    const item *i = find_item(t, key, agni_hash_text(key));
    return i ? i->value : NULL;
}

static void free_table(table *t, void (*free_value)(void *value))
{
    for (int32_t i = 0; i < t->n; i++) {
        agni_free(t->items[i].key);
        free_value(t->items[i].value);
    }
    agni_free(t->items);
    agni_hash_index_free(&t->index);
}

/* ---- the dictionary ------------------------------------------------------------------ */

agn_status agn_dict_new(agn_dict **out)
{
    if (!out)
        return agni_fail(AGN_ENULL, "dict_new: out is NULL");
    agn_dict *d = agni_zalloc(sizeof *d);
    if (!d)
        return agni_nomem("dict_new", sizeof *d);
    *out = d;
    return AGN_OK;
}

static void release_tensor(void *x)
{
    agn_release(x);
}

void agn_dict_release(agn_dict *d)
{
    if (!d)
        return;
    free_table(&d->tensors, release_tensor);
    free_table(&d->notes, agni_free);
    agni_free(d);
}

agn_status agn_dict_put(agn_dict *d, const char *name, const agn_tensor *x)
{
    if (!d || !name || !x)
        return agni_fail(AGN_ENULL, "dict_put: %s is NULL",
                         d ? name ? "x" : "name" : "d");
    agn_tensor *mine = agni_tensor_ref(x);
    void *old = NULL;
    agn_status st = put_value(&d->tensors, "dict_put", name, mine, &old);
    agn_release(st ? mine : old);
    return st;
}

agn_status agn_dict_get(agn_tensor **out, const agn_dict *d, const char *name)
{
    if (!out || !d || !name)
        return agni_fail(AGN_ENULL, "dict_get: %s is NULL",
                         out ? d ? "name" : "d" : "out");
    const agn_tensor *x = find_value(&d->tensors, name);
    if (!x)
        return agni_fail(AGN_EARG, "dict_get: there is no tensor '%s' among the %d",
                         agni_path_end(name), d->tensors.n);
    *out = agni_tensor_ref(x);
    return AGN_OK;
}

agn_status agn_dict_note_put(agn_dict *d, const char *key, const char *text)
{
    if (!d || !key || !text)
        return agni_fail(AGN_ENULL, "dict_note_put: %s is NULL",
                         d ? key ? "text" : "key" : "d");
    void *mine = agni_strdup(text), *old = NULL;
    if (!mine)
        return agni_nomem("dict_note_put", strlen(text) + 1);
    agn_status st = put_value(&d->notes, "dict_note_put", key, mine, &old);
    agni_free(st ? mine : old);
    return st;
}

const char *agn_dict_note(const agn_dict *d, const char *key)
{
    return d && key ? find_value(&d->notes, key) : NULL;
}

static const char *item_key(const table *t, int32_t i)
{
    return i >= 0 && i < t->n ? t->items[i].key : NULL;
}

int32_t agn_dict_count(const agn_dict *d)
{
    return d ? d->tensors.n : -1;
}
const char *agn_dict_name(const agn_dict *d, int32_t i)
{
    return d ? item_key(&d->tensors, i) : NULL;
}
int32_t agn_dict_note_count(const agn_dict *d)
{
    return d ? d->notes.n : -1;
}
const char *agn_dict_note_key(const agn_dict *d, int32_t i)
{
    return d ? item_key(&d->notes, i) : NULL;
}

/* ---- within --------------------------------------------------------------------------- */

bool agni_dict_has(const agn_dict *d, const char *name)
{
    return find_value(&d->tensors, name) != NULL;
}
const agn_tensor *agni_dict_at(const agn_dict *d, int32_t i)
{
    return d->tensors.items[i].value;
}
const char *agni_dict_note_at(const agn_dict *d, int32_t i)
{
    return d->notes.items[i].value;
}
