/* graph/passes/factor_sums.c - factoring by distributivity: sums are formed before products,

   c1 A1 W + c2 A2 W = (c1 A1 + c2 A2) W

   where nobody else reads A1 W and A2 W. Then the sum in brackets is looked at in the same way,
   through whatever lies between two products and is linear, such as d * A1' W' + d * A2' W' with
   the factor d that both share. The residual u_t - nu u_xx of a network thus takes one series of
   its layers instead of two, and so does all that follows from it in reverse; for a Laplacian
   this is known as collapsed Taylor mode (F. Dangel, T. Siebert, M. Zeinhofer, A. Walther,
   Collapsing Taylor Mode Automatic Differentiation, 2025).

   From the results back to the arguments, a value that is a sum becomes a list of terms; terms
   that are one linear op of different operands become one term, that op of an inner sum, which
   is looked at when its latest operand is. What a merged value was read by is gone then, so that
   counts of readers tell whether the next one has a reader left elsewhere. Merging saves
   something at products alone: what came to no product is barred, and all is done again without
   it. */
#include "graph/passes/linear_terms.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 4, NONE = -1 };

/* ---- all of a program ------------------------------------------------------------------------ */

static void count_readers(agni_linear_terms *w)
{
    const agni_ir *ir = w->ir;
    memset(w->use, 0, (size_t)ir->n_val * sizeof *w->use);
    for (int i = 0; i < ir->n_out; i++)
        w->use[ir->out[i]] += 2; /* the caller, who reads it as it is */
    for (int32_t k = ir->n_node - 1; k >= 0; k--) {
        const agni_pnode *n = &ir->node[k];
        bool live = false;
        for (int o = 0; o < n->nout; o++)
            live |= w->use[n->val + o] > 0;
        for (int i = 0; live && i < n->nin; i++)
            w->use[agni_node_arg(ir, n, i)]++;
    }
}

static void collect_sums(agni_linear_terms *w)
{
    const agni_ir *ir = w->ir;
    count_readers(w);
    w->n_term = w->n_sum = w->n_push = w->n_member = 0;
    for (int32_t v = 0; v < ir->n_val; v++)
        w->within[v] = NONE;
    for (int32_t k = 0; k < ir->n_node; k++)
        w->root[k] = w->pending[k] = NONE;
    for (int32_t k = ir->n_node - 1; k >= 0 && !w->full; k--) {
        agni_linear_term part[2];
        int32_t v = ir->node[k].val;
        for (int32_t s = w->pending[k]; s >= 0; s = w->sum[s].next)
            agni_join_linear_terms(w, s, NONE);
        if (w->use[v] < 1 || w->root[k] == AGNI_TERMS_SEEN ||
            agni_split_linear_terms(ir, v, part) != 2 ||
            !agni_linear_terms_reserve(w, &w->term, &w->cap_term, w->n_term + 1, sizeof *w->term) ||
            !agni_linear_terms_reserve(w, &w->sum, &w->cap_sum, w->n_sum + 1, sizeof *w->sum))
            continue;
        int32_t s = w->n_sum++;
        w->sum[s] = (agni_term_sum){w->n_term, 1, k, NONE, NONE, false};
        w->term[w->n_term++] = (agni_linear_term){1, v};
        if (agni_join_linear_terms(w, s, v))
            w->root[k] = s;
        else
            w->n_sum = s;
    }
}

static bool hoists_product(const agni_linear_terms *w, const agni_hoisted_op *p)
{
    return p->node >= 0 && agni_is_product(w->ir->node[p->node].op);
}
static bool is_profitable(const agni_linear_terms *w, const agni_term_sum *s)
{
    for (int i = 0; i < s->n; i++) {
        int32_t p = w->term[s->first + i].v - w->ir->n_val;
        if (p >= 0 && (hoists_product(w, &w->push[p]) || w->sum[w->push[p].sum].gains))
            return true;
    }
    return false;
}
/* What came to no product is barred. Was there any? */
static bool exclude_unprofitable(agni_linear_terms *w)
{
    bool any = false;
    for (int32_t k = 0; k < w->ir->n_node; k++) { /* inner sums are of earlier nodes */
        for (int32_t s = w->pending[k]; s >= 0; s = w->sum[s].next)
            w->sum[s].gains = is_profitable(w, &w->sum[s]);
    }
    for (int32_t p = 0; p < w->n_push; p++) {
        const agni_hoisted_op *q = &w->push[p]; /* of no members where it is the sum itself */
        if (hoists_product(w, q) || w->sum[q->sum].gains)
            continue;
        for (int i = 0; i < q->n; i++)
            w->barred[w->member[q->first + i] / 2] |= (uint8_t)(1 << w->member[q->first + i] % 2);
        any |= q->n > 0;
    }
    return any;
}

/* ---- the new program ------------------------------------------------------------------------- */

static int32_t emit_hoisted_op(agni_linear_terms *w, agni_ir *ir, const agni_hoisted_op *p)
{
    if (p->node < 0)
        return w->sum[p->sum].made;
    const agni_pnode *n = &w->ir->node[p->node];
    int32_t a[AGNI_MOST_FIXED + 1];
    for (int i = 0; i < n->nin; i++)
        a[i] = i == p->i ? w->sum[p->sum].made : w->seen[agni_node_arg(w->ir, n, i)];
    return agni_emit_node(ir, n->op, n->at, n->nin, a);
}
static int32_t emit_binary(agni_ir *ir, const agni_op *op, int32_t a, int32_t b)
{
    return a < 0 || b < 0 ? NONE : agni_emit_node(ir, op, NULL, 2, (int32_t[]){a, b});
}
static int32_t emit_sum_terms(agni_linear_terms *w, agni_ir *ir, const agni_term_sum *s)
{
    int32_t y = NONE;
    for (int i = 0; i < s->n && !ir->st; i++) {
        const agni_linear_term *t = &w->term[s->first + i];
        int32_t v = t->v < w->ir->n_val ? w->seen[t->v]
                                        : emit_hoisted_op(w, ir, &w->push[t->v - w->ir->n_val]);
        double c = i ? fabs(t->c) : t->c;
        if (c == -1)
            v = v < 0 ? v : agni_emit_node(ir, &agni_op_neg, NULL, 1, &v);
        else if (c != 1 && v >= 0)
            v = emit_binary(ir, &agni_op_mul, v, agni_ir_add_number(ir, c, ir->val[v].t->dtype));
        y = i ? emit_binary(ir, t->c < 0 ? &agni_op_sub : &agni_op_add, y, v) : v;
    }
    return y;
}
/* a sum, after those it needs */
static int32_t emit_term_sum(agni_linear_terms *w, agni_ir *ir, int32_t root)
{
    int32_t n = 0;
    for (int32_t s = root; !ir->st;) {
        int32_t inner = NONE;
        for (int i = 0; i < w->sum[s].n && inner < 0; i++) {
            int32_t p = w->term[w->sum[s].first + i].v - w->ir->n_val;
            if (p >= 0 && w->sum[w->push[p].sum].made < 0)
                inner = w->push[p].sum;
        }
        if (inner >= 0) {
            if (!agni_linear_terms_reserve(w, &w->stack, &w->cap_stack, n + 1, sizeof *w->stack)) {
                ir->st = agni_nomem("compile", (size_t)n * sizeof *w->stack);
                break;
            }
            w->stack[n++] = s;
            s = inner;
            continue;
        }
        w->sum[s].made = emit_sum_terms(w, ir, &w->sum[s]);
        if (!n)
            break;
        s = w->stack[--n];
    }
    return w->sum[root].made;
}
static int32_t copy_or_emit_sum(void *user, agni_ir *ir, int k, const int32_t *arg)
{
    agni_linear_terms *w = user;
    const agni_pnode *n = &w->ir->node[k];
    for (int i = 0; i < n->nin; i++)
        w->seen[agni_node_arg(w->ir, n, i)] = arg[i];
    int32_t v = w->root[k] >= 0
                    ? emit_term_sum(w, ir, w->root[k])
                    : agni_emit_results(ir, n->op, n->at, n->nin, arg, n->nout);
    for (int o = 0; o < n->nout; o++)
        w->seen[n->val + o] = v < 0 ? v : v + o;
    return v;
}

agn_status agni_ir_factor_sums(agni_ir **ir)
{
    size_t nv = (size_t)(*ir)->n_val + 1, nn = (size_t)(*ir)->n_node + 1;
    agni_linear_terms w = {.ir = *ir};
    agn_status st = AGN_OK;
    bool again = true;
    w.use = agni_alloc(nv * sizeof *w.use);
    w.within = agni_alloc(nv * sizeof *w.within);
    w.seen = agni_alloc(nv * sizeof *w.seen);
    w.root = agni_alloc(nn * sizeof *w.root);
    w.pending = agni_alloc(nn * sizeof *w.pending);
    w.barred = agni_zalloc(nn);
    w.full = !w.use || !w.within || !w.seen || !w.root || !w.pending || !w.barred;
    if (!w.full &&
        agni_may_factor_sums((*ir)->node, (*ir)->n_node, (*ir)->arg, (*ir)->n_val, w.use))
        for (int i = 0; i < ROUNDS && again && !w.full; i++) {
            collect_sums(&w);
            again = !w.full && exclude_unprofitable(&w);
        }
    if (w.full) {
        st = agni_nomem("compile", nv * sizeof *w.use);
    } else if (!again && w.n_push) {
        agni_ir *next = NULL;
        st = agni_ir_copy(&next, *ir, copy_or_emit_sum, &w);
        if (!st) {
            agni_ir_free(*ir);
            *ir = next;
        }
    }
    agni_free(w.use);
    agni_free(w.within);
    agni_free(w.seen);
    agni_free(w.root);
    agni_free(w.pending);
    agni_free(w.barred);
    agni_free(w.term);
    agni_free(w.sum);
    agni_free(w.push);
    agni_free(w.member);
    agni_free(w.stack);
    return st;
}
