/* sparse/layout/sparse_random.c - a sparse tensor with random coordinates, every set of them
   equally likely: draws are added until nnz of them differ, or until size - nnz are left out. */
#include "sparse/layout/layout.h"

#include <agnesi/ag.h>
#include <agnesi/sparse_layout.h>
#include <string.h>

/* sorts n numbers below size, drops repetitions: how many are left, -1 without memory */
static int64_t sort_distinct(int64_t *v, int64_t n, int64_t size)
{
    int64_t *copy = agni_alloc_indices(n), *order = NULL, m = 0;
    agni_coordinates *p = NULL;
    bool repeats;
    if (!copy)
        return -1;
    memcpy(copy, v, (size_t)n * sizeof *v);
    if (agni_make_coordinates(&p, "sparse_random", 1, &size, n, false, copy))
        return -1;
    agn_status st = agni_order_coordinates(p, "sparse_random", &order, &repeats);
    for (int64_t k = 0; !st && k < n; k++) {
        int64_t at = p->at[order ? order[k] : k];
        if (!m || v[m - 1] != at)
            v[m++] = at;
    }
    agni_free(order);
    agni_obj_release(&p->head);
    return st ? -1 : m;
}

/* two keys of one */
static bool split_key(agn_scope *s, const agn_tensor *key, const agn_tensor **keys)
{
    const agn_tensor *two = ag_key_split(s, key, 2);
    keys[0] = ag_index_axis(s, two, 0, 0);
    keys[1] = ag_index_axis(s, two, 0, 1);
    return keys[1] != NULL;
}

/* n sorted numbers of [0, size) into v */
static void draw_distinct(agn_scope *s, int64_t *v, int64_t n, int64_t size, const agn_tensor *key)
{
    agn_tensor *bound[2] = {NULL, NULL};
    for (int i = 0; i < 2 && !agn_scope_status(s); i++) {
        agn_status st = agn_from_host(&bound[i], AGN_I64, 0, NULL, i ? &size : &(int64_t){0});
        bound[i] = (agn_tensor *)(uintptr_t)agni_adopt_constant(s, st, bound[i]);
    }
    const agn_tensor *keys[2] = {NULL, key};
    for (int64_t have = 0; have < n && split_key(s, keys[1], keys);) {
        int64_t more = n - have;
        const agn_tensor *x = ag_random_integers(s, keys[0], bound[0], bound[1], AGN_I64, 1, &more);
        if (!x || agn_scope_fail(s, agn_to_host(v + have, x, (size_t)more * sizeof *v)))
            return;
        have = sort_distinct(v, n, size);
        if (have < 0) {
            agn_scope_fail(s, agni_nomem("sparse_random", (size_t)n * sizeof *v));
            return;
        }
    }
}

agn_status agn_sparse_random(agn_tensor **out, const agn_tensor *key, int32_t ndim,
                             const int64_t *shape, int64_t nnz, agn_dtype dtype)
{
    static const char op[] = "sparse_random";
    AGNI_NEED(op, out);
    AGNI_NEED(op, key);
    int64_t size;
    agn_status st = agni_shape_check(op, ndim, shape, &size);
    if (!st && (ndim < 1 || nnz < 0 || nnz > size))
        st = agni_fail(AGN_EARG, "%s: %lld entries do not fit into %s", op, (long long)nnz,
                       agni_shape_text((char[96]){0}, 96, ndim, shape));
    if (st)
        return st;
    bool left_out = nnz > size / 2;
    int64_t m = left_out ? size - nnz : nnz, *drawn = agni_alloc_indices(m), *at = NULL;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *keys[2] = {NULL, NULL}, *y = NULL; /* of coordinates, of values */
    if (!drawn || !(at = agni_alloc_indices(ndim * nnz)))
        agn_scope_fail(s, agni_nomem(op, (size_t)nnz * sizeof *at));
    if (split_key(s, key, keys))
        draw_distinct(s, drawn, m, size, keys[0]);
    if (!agn_scope_status(s)) {
        for (int64_t e = 0, k = 0, place = 0; e < nnz; e++) {
            int64_t rest = left_out ? place++ : drawn[e];
            while (left_out && k < m && drawn[k] == rest) {
                rest = place++;
                k++;
            }
            for (int d = ndim - 1; d >= 0; d--) {
                at[d * nnz + e] = rest % shape[d];
                rest /= shape[d];
            }
        }
        y = ag_uniform(s, keys[1], dtype, 1, &nnz);
    }
    agni_free(drawn);
    if (y)
        y = agni_coalesced_coo(s, op, ndim, shape, nnz, at, NULL, y, 0);
    else
        agni_free(at);
    return agni_return(op, s, out, y);
}
