/* sparse/products/spgemm_pairs.c - sums over the products of two sparse matrices on a device
   without a kernel of them: each product is expanded and added where it belongs (expand and
   compress; Bell, Dalton and Olson, SIAM J. Sci. Comput. 34, 2012). Which entries meet is found on
   the host, once for a pair of patterns. */
#include "sparse/products/spgemm.h"

#include "tensor/dispatch/host_run.h"

#include <agnesi/ag.h>
#include <string.h>

/* The entries of C, A and B of every product, in the order of A's entries: on one device. */
typedef struct pair_list {
    agni_obj head;
    int32_t device;
    agn_tensor *at[3];
} pair_list;
enum { PAIRS = AGNI_PATTERN_INTERSECTION + 1 /* among the facts of a pair of patterns */ };

static void pairs_destroy(agni_obj *o)
{
    pair_list *q = (pair_list *)o;
    for (int k = 0; k < 3; k++)
        agn_release(q->at[k]);
    agni_free(q);
}
static bool pairs_equal(const agni_obj *a, const agni_obj *b)
{
    return a == b;
}
static const agni_obj_type pairs_type = {
    .name = "pairs", .destroy = pairs_destroy, .equal = pairs_equal};

static int64_t count_pairs(const agni_pattern *a, const agni_pattern *b)
{
    int64_t n = 0;
    for (int64_t e = 0; e < a->nnz; e++) {
        int64_t k = agni_entry_col(a, e);
        n += agni_row_begin(b, k + 1) - agni_row_begin(b, k);
    }
    return n;
}

/* where[cols]: the entry of C in this row by column; every product has one */
static void list_pairs(const agni_triple *t, int64_t *where, int64_t *to[3])
{
    const agni_pattern *c = t->p[AGNI_ONTO_C], *a = t->p[AGNI_ONTO_A], *b = t->p[AGNI_ONTO_B];
    int64_t n = 0;
    for (int64_t i = 0; i < a->rows; i++) {
        for (int64_t h = agni_row_begin(c, i); h < agni_row_begin(c, i + 1); h++)
            where[agni_entry_col(c, h)] = h;
        for (int64_t f = agni_row_begin(a, i); f < agni_row_begin(a, i + 1); f++) {
            int64_t k = agni_entry_col(a, f);
            for (int64_t g = agni_row_begin(b, k); g < agni_row_begin(b, k + 1); g++, n++) {
                to[AGNI_ONTO_C][n] = where[agni_entry_col(b, g)];
                to[AGNI_ONTO_A][n] = f;
                to[AGNI_ONTO_B][n] = g;
            }
        }
    }
}

static agn_status make_pairs(pair_list **out, const char *op, const agni_triple *t, int32_t device)
{
    const agni_pattern *a = t->p[AGNI_ONTO_A], *b = t->p[AGNI_ONTO_B];
    int64_t n = count_pairs(a, b);
    pair_list *q = agni_zalloc(sizeof *q);
    int64_t *where = agni_alloc((size_t)(b->cols + 1) * sizeof *where), *to[3];
    agn_tensor *near[3] = {NULL};
    agn_status st = q && where ? AGN_OK : agni_nomem(op, (size_t)b->cols * sizeof *where);
    if (q) {
        agni_ref_init(&q->head.ref);
        q->head.type = &pairs_type;
        q->device = device;
    }
    for (int k = 0; !st && k < 3; k++) {
        st = agni_tensor_make(&near[k], op, AGN_I64, 1, &n, AGN_CPU);
        to[k] = st ? NULL : near[k]->data;
    }
    if (!st)
        list_pairs(t, where, to);
    for (int k = 0; !st && k < 3; k++)
        st = agn_to_device(&q->at[k], near[k], device);
    for (int k = 0; k < 3; k++)
        agn_release(near[k]);
    agni_free(where);
    if (!st)
        *out = q;
    else if (q)
        agni_obj_release(&q->head);
    return st;
}

/* a new reference, kept with the patterns for the next time */
static agn_status find_pairs(pair_list **out, const char *op, const agni_triple *t, int32_t device)
{
    const agni_pattern *a = t->p[AGNI_ONTO_A], *b = t->p[AGNI_ONTO_B];
    pair_list *q = (pair_list *)agni_pair_cache_get(a, b, PAIRS);
    agn_status st = AGN_OK;
    if (q && q->device != device) {
        agni_obj_release(&q->head);
        q = NULL;
    }
    if (!q) {
        st = make_pairs(&q, op, t, device);
        if (!st)
            agni_pair_cache_put(a, b, PAIRS, &q->head);
    }
    if (!st)
        *out = q;
    return st;
}

static const agn_tensor *take_entries(agn_scope *s, const agni_call *c, int k, const agn_tensor *at)
{
    const agn_tensor *in[2] = {agni_detach_node(s, c->op->name, c->in[k]), at};
    return in[0] ? agni_apply_in(s, &agni_op_gather,
                                 &(agni_attr){.ni = 2, .i = (const int64_t[]){-1, 0}}, 2, in)
                 : NULL;
}

agn_status agni_spgemm_by_pairs(const agni_call *c, agn_tensor **out)
{
    const char *op = c->op->name;
    const agni_meta *m = c->meta;
    int64_t onto = c->at->i[0];
    int32_t device = AGN_CPU;
    pair_list *q = NULL;
    agn_status st = agni_common_device(c->op, c->nin, c->in, &device);
    if (!st)
        st = find_pairs(&q, op, (const agni_triple *)c->at->obj, device);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *u = take_entries(s, c, 0, q->at[agni_spgemm_arguments[onto][0]]),
                     *w = take_entries(s, c, 1, q->at[agni_spgemm_arguments[onto][1]]);
    const agn_tensor *in[3] = {agni_full(s, 0, m->dtype, m->ndim, m->shape), q->at[onto],
                               u && w ? ag_mul(s, u, w) : NULL};
    const agn_tensor *y = NULL;
    if (in[0] && in[2])
        y = agni_apply_in(s, &agni_op_scatter_add,
                          &(agni_attr){.ni = 2, .i = (const int64_t[]){-1, 0}}, 3, in);
    st = agni_return(op, s, out, y);
    agni_obj_release(&q->head);
    return st;
}
