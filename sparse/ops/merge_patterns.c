/* sparse/ops/merge_patterns.c - union and intersection of two patterns as an object, and the row of
   the op that sums over a union. */
#include "sparse/ops/merge_patterns.h"
#include "tensor/rows/traits.h"

#include <string.h>

/* ---- meetings ----------------------------------------------------------------------------- */

static void meeting_destroy(agni_obj *o)
{
    agni_merged_pattern *m = (agni_merged_pattern *)o;
    if (m->c)
        agni_obj_release(&m->c->head);
    agni_free(m->at[0]);
    agni_free(m->at[1]);
    agni_free(m);
}
static bool meeting_equal(const agni_obj *x, const agni_obj *y)
{
    const agni_merged_pattern *m = (const agni_merged_pattern *)x,
                              *n = (const agni_merged_pattern *)y;
    size_t bytes = m->wide ? sizeof(int64_t) : sizeof(int32_t);
    bool same = m->nnz == n->nnz && m->n[0] == n->n[0] && m->n[1] == n->n[1] &&
                m->wide == n->wide && m->both == n->both;
    for (int k = 0; same && k < 2; k++) {
        int64_t many = m->both ? m->nnz : m->n[k];
        same = many == 0 || !memcmp(m->at[k], n->at[k], (size_t)many * bytes);
    }
    return same;
}
static const agni_obj_type meeting_type = {
    .name = "meeting", .destroy = meeting_destroy, .equal = meeting_equal};

agn_status agni_merged_pattern_new(agni_merged_pattern **out, const char *op)
{
    agni_merged_pattern *m = agni_zalloc(sizeof *m);
    if (!m)
        return agni_nomem(op, sizeof *m);
    agni_ref_init(&m->head.ref);
    m->head.type = &meeting_type;
    *out = m;
    return AGN_OK;
}

/* two patterns with integers of one width, which do for their union */
static agn_status merge_of_one_width(agni_merged_pattern *m, const char *op, const agni_pattern *a,
                                     const agni_pattern *b, int what)
{
    bool wide = a->wide || b->wide || !agni_pattern_fits_i32(a->rows, a->cols, a->nnz + b->nnz);
    agni_pattern *p = NULL, *q = NULL;
    agn_status st = agni_pattern_with_width(&p, op, a, wide);
    if (!st)
        st = agni_pattern_with_width(&q, op, b, wide);
    if (!st)
        st = agni_merge_patterns(m, op, p, q, what);
    if (p)
        agni_obj_release(&p->head);
    if (q)
        agni_obj_release(&q->head);
    return st;
}

agn_status agni_merged_pattern_find(agni_merged_pattern **out, const char *op,
                                    const agni_pattern *a, const agni_pattern *b, int what)
{
    agni_merged_pattern *m = (agni_merged_pattern *)agni_pair_cache_get(a, b, what);
    agn_status st = m ? AGN_OK : agni_merged_pattern_new(&m, op);
    if (!st && !m->c) {
        m->both = what == AGNI_PATTERN_INTERSECTION;
        st = merge_of_one_width(m, op, a, b, what);
        if (!st)
            agni_pair_cache_put(a, b, what, &m->head);
    }
    if (!st)
        *out = m;
    else if (m)
        agni_obj_release(&m->head);
    return st;
}

static void release_meeting(void *user)
{
    agni_obj_release(user);
}
const agn_tensor *agni_merged_pattern_index(agn_scope *s, const agni_merged_pattern *m, int k)
{
    int64_t n = m->both ? m->nnz : m->n[k];
    agn_tensor *x = NULL;
    void *keep = agni_obj_retain(&m->head);
    agn_status st = agn_wrap_host(&x, m->wide ? AGN_I64 : AGN_I32, 1, &n, NULL, m->at[k], true,
                                  release_meeting, keep);
    if (st)
        agni_obj_release(keep);
    return agni_adopt_constant(s, st, x);
}

/* ---- the op --------------------------------------------------------------------------------- */

static agn_status infer_join(agni_call *c)
{
    const agni_merged_pattern *m = (const agni_merged_pattern *)c->at->obj;
    for (int k = 0; k < 2; k++) {
        const agn_tensor *v = c->in[k];
        if (v->ndim < 1 || v->shape[v->ndim - 1] != m->n[k])
            return agni_fail(AGN_ESHAPE, "%s: values are %s, the pattern has %lld entries",
                             c->op->name, AGNI_SHAPE(v), (long long)m->n[k]);
    }
    return agni_infer_over_batch(c, c->in[0], 1, c->in[1], 1, 1, &m->nnz);
}

/* where there is no kernel: each place of the union is added to at most twice */
static agn_status eval_join(const agni_call *c, agn_tensor **out)
{
    agn_scope *s = agn_scope_open(NULL);
    const agni_merged_pattern *m = (const agni_merged_pattern *)c->at->obj;
    const agn_tensor *y = agni_full(s, 0, c->meta->dtype, c->meta->ndim, c->meta->shape);
    for (int k = 0; y && k < 2; k++) {
        int64_t shape[AGNI_MAX_RANK];
        memcpy(shape, c->meta->shape, (size_t)c->meta->ndim * sizeof *shape);
        shape[c->meta->ndim - 1] = m->n[k];
        const agn_tensor *v = agni_detach_node(s, c->op->name, c->in[k]);
        v = v ? agni_broadcast(s, v, c->meta->ndim, shape) : NULL;
        const agn_tensor *in[3] = {y, agni_merged_pattern_index(s, m, k), v};
        y = in[1] && v ? agni_apply_in(s, &agni_op_scatter_add,
                                       &(agni_attr){.ni = 2, .i = (const int64_t[]){-1, 0}}, 3, in)
                       : NULL;
    }
    return agni_return(c->op->name, s, out, y);
}

static const agn_tensor *join_transpose(agn_scope *s, const agni_rule *r, int i,
                                        const agn_tensor *g)
{
    const agn_tensor *at = agni_merged_pattern_index(s, (const agni_merged_pattern *)r->at->obj, i);
    g = at ? agni_apply_in(s, &agni_op_gather, &(agni_attr){.ni = 2, .i = (const int64_t[]){-1, 0}},
                           2, (const agn_tensor *[]){g, at})
           : NULL;
    return agni_unbroadcast(s, g, r->x[i]);
}

static agni_slots slots;
const agni_op agni_op_sparse_join = {.name = "sparse_join",
                                     .takes = "u w meeting:o",
                                     .cls = AGNI_LINEAR,
                                     .nin = 2,
                                     .nout = 1,
                                     .dtypes = AGNI_FIELDS,
                                     .diff = 3,
                                     .promote = 3,
                                     .result = AGNI_OUT_SAME,
                                     .ew = -1,
                                     .bounded = 1,
                                     .infer = infer_join,
                                     .cpu = agni_cpu_join,
                                     .eval = eval_join,
                                     .contiguous = true,
                                     .transpose = join_transpose,
                                     .batch = agni_batch_aligned,
                                     .slots = &slots,
                                     .lo = -2,
                                     .hi = 2,
                                     .lo2 = -2,
                                     .hi2 = 2,
                                     .traits = AGNI_ZERO_KEPT,
                                     .doc = "sums where entries of two patterns meet"};
