/* sparse/derivative/index_sets.c - hash-consed sets of variables, as sorted lists in one array. The
   cost of a pattern is near its number of entries because sets are shared: a union that adds
   nothing is one of its operands, and a union that was formed before is found in a table. */
#include "sparse/derivative/index_sets.h"
#include "tensor/value/tensor.h"

#include <stdlib.h>
#include <string.h>

enum { MEMO = 1 << 14 };

typedef struct memo {
    int32_t a, b, c;
} memo;

struct agni_sets {
    int64_t variables, n_item, cap_item;
    int32_t n, cap;
    int64_t *begin; /* [n + 1] */
    int32_t *item;
    int64_t *mark; /* of each variable: the last union that it is in */
    int64_t now;
    bool failed;
    memo seen[MEMO];
};

void agni_sets_free(agni_sets *z)
{
    if (!z)
        return;
    agni_free(z->begin);
    agni_free(z->item);
    agni_free(z->mark);
    agni_free(z);
}

agni_sets *agni_sets_new(int64_t variables)
{
    agni_sets *z = agni_zalloc(sizeof *z);
    if (!z || variables >= INT32_MAX / 2) {
        agni_free(z);
        return NULL;
    }
    z->variables = variables;
    z->n = (int32_t)variables + 1;
    z->cap = z->n + 64;
    z->n_item = variables;
    z->cap_item = variables + 256;
    z->begin = agni_alloc(((size_t)z->cap + 1) * sizeof *z->begin);
    z->item = agni_alloc((size_t)z->cap_item * sizeof *z->item);
    z->mark = agni_zalloc((size_t)(variables + 1) * sizeof *z->mark);
    if (!z->begin || !z->item || !z->mark) {
        agni_sets_free(z);
        return NULL;
    }
    z->begin[0] = 0;
    for (int64_t j = 0; j <= variables; j++)
        z->begin[j + 1] = j;
    for (int64_t j = 0; j < variables; j++)
        z->item[j] = (int32_t)j;
    return z;
}

bool agni_sets_failed(const agni_sets *z)
{
    return z->failed;
}

const int32_t *agni_set_items(const agni_sets *z, int32_t set, int64_t *n)
{
    *n = z->begin[set + 1] - z->begin[set];
    return z->item + z->begin[set];
}

/* ---- new sets ----------------------------------------------------- */

static bool reserve_items(agni_sets *z, int64_t items)
{
    if (z->n_item + items > z->cap_item) {
        int64_t cap = 2 * z->cap_item + items;
        int32_t *p = agni_realloc(z->item, (size_t)cap * sizeof *p);
        if (!p)
            return !(z->failed = true);
        z->item = p;
        z->cap_item = cap;
    }
    if (z->n + 1 >= z->cap) {
        int32_t cap = z->cap < INT32_MAX / 2 ? 2 * z->cap : INT32_MAX - 1;
        int64_t *p = z->n + 2 < cap
                         ? agni_realloc(z->begin, ((size_t)cap + 1) * sizeof *p)
                         : NULL;
        if (!p)
            return !(z->failed = true);
        z->begin = p;
        z->cap = cap;
    }
    return true;
}

/* the items written behind the last list are a set */
static int32_t close_set(agni_sets *z, int64_t items)
{
    z->n_item += items;
    z->begin[++z->n] = z->n_item;
    return z->n - 1;
}

static bool contains_item(const int32_t *a, int64_t n, int32_t j)
{
    int64_t k = agni_lower_bound(a, false, n, j);
    return k < n && a[k] == j;
}

static bool is_subset(const int32_t *few, int64_t n, const int32_t *many, int64_t m)
{
    for (int64_t k = 0; k < n; k++)
        if (!contains_item(many, m, few[k]))
            return false;
    return true;
}

static int32_t merge_sets(agni_sets *z, int32_t a, int32_t b)
{
    int64_t n, m, k = 0, i = 0, j = 0;
    const int32_t *p = agni_set_items(z, a, &n), *q = agni_set_items(z, b, &m);
    if (n > m)
        return merge_sets(z, b, a);
    if (is_subset(p, n, q, m))
        return b;
    if (!reserve_items(z, n + m))
        return 0;
    p = agni_set_items(z, a, &n);
    q = agni_set_items(z, b, &m);
    int32_t *to = z->item + z->n_item;
    while (i < n || j < m) {
        bool left = j == m || (i < n && p[i] <= q[j]),
             both = left && j < m && p[i] == q[j];
        to[k++] = left ? p[i] : q[j];
        i += left;
        j += !left || both;
    }
    return close_set(z, k);
}

int32_t agni_sets_join(agni_sets *z, int32_t a, int32_t b)
{
    if (a == b || b == 0)
        return a;
    if (a == 0)
        return b;
    uint32_t h = ((uint32_t)a * 0x9E3779B1u ^ (uint32_t)b * 0x85EBCA77u) >> 18;
    memo *s = &z->seen[h % MEMO];
    if (s->a != a || s->b != b)
        *s = (memo){a, b, merge_sets(z, a, b)};
    return s->c;
}

static int compare_items(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Union of many sets: each variable is taken from the first set that has it. */
int32_t agni_sets_join_all(agni_sets *z, const int32_t *set, int64_t n)
{
    int64_t k = 0, total = 0, most = 0, one;
    int32_t largest = 0, last = 0;
    for (int64_t i = 0; i < n; i++) {
        if (set[i] == last)
            continue;
        last = set[i];
        agni_set_items(z, last, &one);
        total += one;
        largest = one > most ? last : largest;
        most = one > most ? one : most;
    }
    if (total == most || n < 3)
        return n == 2 ? agni_sets_join(z, set[0], set[1]) : largest;
    if (!reserve_items(z, total < z->variables ? total : z->variables))
        return 0;
    int32_t *to = z->item + z->n_item, before = -1;
    bool rising = true;
    z->now++;
    last = 0;
    for (int64_t i = 0; i < n; i++) {
        if (set[i] == last)
            continue;
        last = set[i];
        const int32_t *p = agni_set_items(z, last, &one);
        for (int64_t e = 0; e < one; e++)
            if (z->mark[p[e]] != z->now) {
                z->mark[p[e]] = z->now;
                rising &= p[e] > before;
                to[k++] = before = p[e];
            }
    }
    if (k == most)
        return largest;
    if (!rising)
        qsort(to, (size_t)k, sizeof *to, compare_items);
    return close_set(z, k);
}
