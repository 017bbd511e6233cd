/* exchange/file/dict.c - tensors and notes by name, in order. */
#include "exchange/file/dict.h"

#include <string.h>

/* ---- one table: items in order, found by hashing ------------------------------------ */

typedef struct item {
    char *key;
    uint64_t hash;
    void *value;
} item;

/* slot[h % slots] or one behind it is 1 + the place of the item; 0: none */
typedef struct table {
    item *items;
    int32_t *slot;
    int32_t n, room, slots;
} table;

struct agn_dict {
    table tensors, notes;
};

/* Fowler, Noll & Vo's hash, 1a, 64 bits; whoever makes keys collide makes his own file slow,
   by as much as it has keys */
static uint64_t hash_of(const char *s)
{
    uint64_t h = 14695981039346656037u;
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 1099511628211u;
    return h;
}

static item *find(const table *t, const char *key, uint64_t hash)
{
    for (int32_t k = (int32_t)(hash % (uint64_t)(t->slots + !t->slots));
         t->slots && t->slot[k]; k = (k + 1) % t->slots) {
        item *i = &t->items[t->slot[k] - 1];
        if (i->hash == hash && !strcmp(i->key, key))
            return i;
    }
    return NULL;
}

static void enter(table *t, int32_t place)
{
    int32_t k = (int32_t)(t->items[place].hash % (uint64_t)t->slots);
    while (t->slot[k])
        k = (k + 1) % t->slots;
    t->slot[k] = place + 1;
}

/* room for one more, and at least as many free slots as taken ones */
static bool grow(table *t)
{
    if (t->n < t->room)
        return true;
    if (t->room > INT32_MAX / 4)
        return false;
    int32_t room = t->room ? 2 * t->room : 8;
    int32_t *slot = agni_zalloc(2 * (size_t)room * sizeof *slot);
    item *items = slot ? agni_realloc(t->items, (size_t)room * sizeof *items) : NULL;
    if (!items) {
        agni_free(slot);
        return false;
    }
    agni_free(t->slot);
    *t = (table){items, slot, t->n, room, 2 * room};
    for (int32_t i = 0; i < t->n; i++)
        enter(t, i);
    return true;
}

/* value is taken over on success; *old is the one it replaces */
static agn_status put(table *t, const char *op, const char *key, void *value,
                      void **old)
{
    uint64_t hash = hash_of(key);
    item *there = find(t, key, hash);
    if (there) {
        *old = there->value;
        there->value = value;
        return AGN_OK;
    }
    char *copy = grow(t) ? agni_strdup(key) : NULL;
    if (!copy)
        return agni_nomem(op, strlen(key) + 1);
    t->items[t->n] = (item){copy, hash, value};
    enter(t, t->n++);
    return AGN_OK;
}

static void *value_of(const table *t, const char *key)
{
    const item *i = find(t, key, hash_of(key));
    return i ? i->value : NULL;
}

static void empty(table *t, void (*drop)(void *value))
{
    for (int32_t i = 0; i < t->n; i++) {
        agni_free(t->items[i].key);
        drop(t->items[i].value);
    }
    agni_free(t->items);
    agni_free(t->slot);
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

static void drop_tensor(void *x)
{
    agn_release(x);
}

void agn_dict_release(agn_dict *d)
{
    if (!d)
        return;
    empty(&d->tensors, drop_tensor);
    empty(&d->notes, agni_free);
    agni_free(d);
}

agn_status agn_dict_put(agn_dict *d, const char *name, const agn_tensor *x)
{
    if (!d || !name || !x)
        return agni_fail(AGN_ENULL, "dict_put: %s is NULL",
                         d ? name ? "x" : "name" : "d");
    agn_tensor *mine = agni_tensor_ref(x);
    void *old = NULL;
    agn_status st = put(&d->tensors, "dict_put", name, mine, &old);
    agn_release(st ? mine : old);
    return st;
}

agn_status agn_dict_get(agn_tensor **out, const agn_dict *d, const char *name)
{
    if (!out || !d || !name)
        return agni_fail(AGN_ENULL, "dict_get: %s is NULL",
                         out ? d ? "name" : "d" : "out");
    const agn_tensor *x = value_of(&d->tensors, name);
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
    agn_status st = put(&d->notes, "dict_note_put", key, mine, &old);
    agni_free(st ? mine : old);
    return st;
}

const char *agn_dict_note(const agn_dict *d, const char *key)
{
    return d && key ? value_of(&d->notes, key) : NULL;
}

static const char *key_at(const table *t, int32_t i)
{
    return i >= 0 && i < t->n ? t->items[i].key : NULL;
}

int32_t agn_dict_count(const agn_dict *d)
{
    return d ? d->tensors.n : -1;
}
const char *agn_dict_name(const agn_dict *d, int32_t i)
{
    return d ? key_at(&d->tensors, i) : NULL;
}
int32_t agn_dict_note_count(const agn_dict *d)
{
    return d ? d->notes.n : -1;
}
const char *agn_dict_note_key(const agn_dict *d, int32_t i)
{
    return d ? key_at(&d->notes, i) : NULL;
}

/* ---- within --------------------------------------------------------------------------- */

bool agni_dict_has(const agn_dict *d, const char *name)
{
    return value_of(&d->tensors, name) != NULL;
}
const agn_tensor *agni_dict_at(const agn_dict *d, int32_t i)
{
    return d->tensors.items[i].value;
}
const char *agni_dict_note_at(const agn_dict *d, int32_t i)
{
    return d->notes.items[i].value;
}
