/* sparse/products/spgemm.c - the triple of patterns of a product of sparse matrices, and the row of
   the op. */
#include "sparse/products/spgemm.h"

#include <string.h>

/* ---- triples ------------------------------------------------------------------------------ */

static void triple_destroy(agni_obj *o)
{
    agni_triple *t = (agni_triple *)o;
    for (int k = 0; k < 3; k++)
        if (t->p[k])
            agni_obj_release(&t->p[k]->head);
    agni_free(t);
}
static bool triple_equal(const agni_obj *x, const agni_obj *y)
{
    const agni_triple *s = (const agni_triple *)x, *t = (const agni_triple *)y;
    for (int k = 1; k < 3; k++) /* C follows from A and B */
        if (s->p[k] != t->p[k] &&
            !s->p[k]->head.type->equal(&s->p[k]->head, &t->p[k]->head))
            return false;
    return true;
}
static const agni_obj_type triple_type = {
    .name = "product", .destroy = triple_destroy, .equal = triple_equal};

agn_status agni_triple_new(agni_triple **out, const char *op, const agni_pattern *a,
                           const agni_pattern *b)
{
    agni_pattern *c = (agni_pattern *)agni_pair_cache_get(a, b, AGNI_PATTERN_PRODUCT);
    agn_status st = AGN_OK;
    if (!c) {
        st = agni_product_pattern(&c, op, a, b);
        if (st)
            return st;
        agni_pair_cache_put(a, b, AGNI_PATTERN_PRODUCT, &c->head);
    }
    st = agni_triple_of(out, op, c, a, b);
    agni_obj_release(&c->head);
    return st;
}

agn_status agni_triple_of(agni_triple **out, const char *op, const agni_pattern *c,
                          const agni_pattern *a, const agni_pattern *b)
{
    agni_triple *t = agni_zalloc(sizeof *t);
    bool wide = a->wide || b->wide || c->wide;
    if (!t)
        return agni_nomem(op, sizeof *t);
    agni_ref_init(&t->head.ref);
    t->head.type = &triple_type;
    const agni_pattern *from[3] = {c, a, b};
    agn_status st = AGN_OK;
    for (int k = 0; !st && k < 3; k++)
        st = agni_pattern_with_width(&t->p[k], op, from[k], wide);
    if (st)
        agni_obj_release(&t->head);
    else
        *out = t;
    return st;
}

/* ---- the op ------------------------------------------------------------------------------- */

const int agni_spgemm_arguments[3][2] = {[AGNI_ONTO_C] = {AGNI_ONTO_A, AGNI_ONTO_B},
                                         [AGNI_ONTO_A] = {AGNI_ONTO_C, AGNI_ONTO_B},
                                         [AGNI_ONTO_B] = {AGNI_ONTO_A, AGNI_ONTO_C}};

static agn_status infer_spgemm(agni_call *c)
{
    const agni_triple *t = (const agni_triple *)c->at->obj;
    int64_t onto = c->at->i[0];
    if (onto < 0 || onto > 2)
        return agni_fail(AGN_EARG,
                         "%s: onto is %lld; 0, 1 or 2 of %d patterns is needed",
                         c->op->name, (long long)onto, 3);
    for (int k = 0; k < 2; k++) {
        const agn_tensor *v = c->in[k];
        const agni_pattern *p = t->p[agni_spgemm_arguments[onto][k]];
        if (v->ndim < 1 || v->shape[v->ndim - 1] != p->nnz)
            return agni_fail(AGN_ESHAPE,
                             "%s: values are %s, the pattern has %lld entries",
                             c->op->name, AGNI_SHAPE(v), (long long)p->nnz);
    }
    return agni_infer_over_batch(c, c->in[0], 1, c->in[1], 1, 1, &t->p[onto]->nnz);
}

/* The cotangent g of the result and the other argument, summed onto the pattern of argument i. */
static const agn_tensor *spgemm_transpose(agn_scope *s, const agni_rule *r, int i,
                                          const agn_tensor *g)
{
    int64_t from = r->at->i[0], onto = agni_spgemm_arguments[from][i];
    const agn_tensor *other = agni_conjugate(s, r->x[!i]), *in[2];
    bool first = agni_spgemm_arguments[onto][0] == (int)from;
    in[!first] = g;
    in[first] = other;
    g = agni_apply_in(s, r->op, &(agni_attr){.ni = 1, .i = &onto, .obj = r->at->obj}, 2, in);
    return agni_unbroadcast(s, g, r->x[i]);
}

static agni_slots slots;
const agni_op agni_op_sparse_spgemm = {.name = "sparse_spgemm",
                                       .takes = "u w onto:i product:o",
                                       .cls = AGNI_MULTI,
                                       .nin = 2,
                                       .nout = 1,
                                       .dtypes = AGNI_FIELDS,
                                       .diff = 3,
                                       .promote = 3,
                                       .result = AGNI_OUT_SAME,
                                       .ew = -1,
                                       .infer = infer_spgemm,
                                       .cpu = agni_cpu_spgemm,
                                       .eval = agni_spgemm_by_pairs,
                                       .contiguous = true,
                                       .transpose = spgemm_transpose,
                                       .batch = agni_batch_aligned,
                                       .slots = &slots,
                                       .lo = -2,
                                       .hi = 2,
                                       .lo2 = -2,
                                       .hi2 = 2,
                                       .doc = "product of two sparse matrices"};
