/* graph/passes/linear_terms.c - linear combinations as lists of terms: c1 L(x) + c2 L(y) with
   one linear op L becomes L(c1 x + c2 y). */
#include "graph/passes/linear_terms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_TERMS = 256,
    MOST_OPEN = 170, /* every two may become one more */
    MOST_FIXED = AGNI_MOST_FIXED,
    NONE = -1
};

/* a term that could join others: its op with everything but argument i */
typedef struct hoist_candidate {
    const agni_pnode *n;
    int32_t fixed[MOST_FIXED]; /* the other arguments */
    int32_t i, at;             /* number of the term */
} hoist_candidate;

/* ---- what is linear ------------------------------------------------------------------------- */

static const agn_tensor *value_tensor(const agni_ir *ir, int32_t v)
{
    return ir->val[v].t;
}
static bool is_float(const agn_tensor *t)
{
    return t->dtype == AGN_F32 || t->dtype == AGN_F64;
}
static bool is_mul(const agni_op *op)
{
    return op == &agni_op_mul || op == &agni_op_mulz;
}
static bool is_linear_in(const agni_ir *ir, const agni_pnode *n, int i)
{
    const agni_op *op = n->op;
    if (n->nout != 1 || n->nin > MOST_FIXED + 1 || op->foreign ||
        value_tensor(ir, agni_node_arg(ir, n, i))->dtype != value_tensor(ir, n->val)->dtype)
        return false;
    if (op->cls == AGNI_LINEAR)
        return n->nin == 1 && op->diff == 1 && op != &agni_op_watch;
    return is_mul(op) || (op->cls == AGNI_MULTI && op->diff >> i & 1);
}
/* Times and divided by such numbers, nothing is lost or beyond what a dtype holds that was not
   before. */
static bool is_safe_scale(double c)
{
    return fabs(c) > 0x1p-40 && fabs(c) < 0x1p40;
}
/* a number of the program itself: the user's may be written later, which calls notice as long as
   they read it */
static bool is_safe_number(const agni_ir *ir, int32_t v, double *c)
{
    const agni_ir_value *q = agni_broadcast_source(ir, v);
    *c = q->num;
    return q->constant && q->splat && !q->captured && is_safe_scale(q->num);
}
/* v as a sum of one or two values of its own shape, times numbers; how many */
int agni_split_linear_terms(const agni_ir *ir, int32_t v, agni_linear_term *t)
{
    int32_t k = ir->val[v].node;
    if (k < 0 || !is_float(value_tensor(ir, v)) || ir->node[k].nout != 1 || ir->node[k].nin < 1)
        return 0;
    const agni_pnode *n = &ir->node[k];
    double c;
    int32_t a[2] = {agni_node_arg(ir, n, 0), agni_node_arg(ir, n, n->nin > 1)};
    bool same[2];
    for (int i = 0; i < 2; i++)
        same[i] = agni_same_shape(value_tensor(ir, a[i]), value_tensor(ir, v)) &&
                  value_tensor(ir, a[i])->dtype == value_tensor(ir, v)->dtype;
    if ((n->op == &agni_op_add || n->op == &agni_op_sub) && same[0] && same[1]) {
        t[0] = (agni_linear_term){1, a[0]};
        t[1] = (agni_linear_term){n->op == &agni_op_add ? 1 : -1, a[1]};
        return 2;
    }
    if (n->op == &agni_op_neg) {
        t[0] = (agni_linear_term){-1, a[0]};
        return 1;
    }
    for (int i = 0; is_mul(n->op) && i < 2; i++)
        if (same[i] && is_safe_number(ir, a[!i], &c)) {
            t[0] = (agni_linear_term){c, a[i]};
            return 1;
        }
    if (n->op == &agni_op_div && same[0] && is_safe_number(ir, a[1], &c)) {
        t[0] = (agni_linear_term){1 / c, a[0]};
        return 1;
    }
    return 0;
}

bool agni_may_factor_sums(const agni_pnode *node, int n_node, const int32_t *arg, int n_val,
                          int32_t *times)
{
    bool any = false;
    memset(times, 0, (size_t)n_val * sizeof *times);
    for (int k = 0; k < n_node && !any; k++)
        for (int i = 0; agni_is_product(node[k].op) && i < node[k].nin; i++)
            any |= times[arg[node[k].arg + i]]++ > 0;
    return any;
}

/* ---- lists ----------------------------------------------------------------------------------- */

bool agni_linear_terms_reserve(agni_linear_terms *w, void *items, int32_t *cap, int32_t need,
                               size_t item)
{
    if (!w->full && !agni_reserve_items(items, cap, need, item))
        w->full = true;
    return !w->full;
}
static int compare_term(const void *a, const void *b)
{
    const agni_linear_term *p = a, *q = b;
    return p->v != q->v ? (p->v > q->v) - (p->v < q->v) : (p->c > q->c) - (p->c < q->c);
}

/* Where a sum that was looked at before has the terms of sum k, times one number, it takes k in
   their place: what is added and multiplied as well, as past the layers of a residual network,
   is read once then. */
static void substitute_common_sum(agni_linear_terms *w, int32_t k)
{
    const agni_term_sum *in = &w->sum[k];
    int32_t o = w->within[w->term[in->first].v];
    if (in->n < 2 || o < 0 ||
        !agni_linear_terms_reserve(w, &w->push, &w->cap_push, w->n_push + 1, sizeof *w->push))
        return;
    agni_term_sum *out = &w->sum[o];
    int32_t at[MOST_TERMS], n = 0;
    double c = 0;
    for (int j = 0; j < in->n; j++, n++) {
        const agni_linear_term *t = &w->term[in->first + j];
        int i = 0;
        for (; i < out->n && w->term[out->first + i].v != t->v; i++)
            ;
        if (i == out->n)
            return;
        at[n] = out->first + i;
        c = j ? c : w->term[at[0]].c / t->c;
        if (w->term[at[n]].c != c * t->c)
            return;
    }
    for (int j = 0; j < n; j++) {
        w->within[w->term[at[j]].v] = NONE;
        w->use[w->term[at[j]].v]--;
    }
    w->push[w->n_push] = (agni_hoisted_op){NONE, 0, k, 0, 0};
    w->term[at[0]] = (agni_linear_term){c, w->ir->n_val + w->n_push++};
    int32_t m = 0;
    for (int i = 0; i < out->n; i++) {
        bool gone = false;
        for (int j = 1; j < n; j++)
            gone |= at[j] == out->first + i;
        if (!gone)
            w->term[out->first + m++] = w->term[out->first + i];
    }
    out->n = m;
}

/* The sum of t[n], which are values, divided by the first number, which goes to *c: a new one or
   one that is there, whose terms are not read again. */
static int32_t find_or_add_sum(agni_linear_terms *w, agni_linear_term *t, int n, double *c)
{
    int m = 0;
    qsort(t, (size_t)n, sizeof *t, compare_term);
    for (int i = 0; i < n; i++)
        if (m && t[m - 1].v == t[i].v && t[m - 1].c + t[i].c != 0) {
            t[m - 1].c += t[i].c;
            w->use[t[i].v]--;
        } else {
            t[m++] = t[i];
        }
    *c = t[0].c;
    agni_term_sum s = {w->n_term, m, NONE, NONE, NONE, false};
    for (int i = 0; i < m; i++) {
        t[i].c /= *c;
        if (w->ir->val[t[i].v].node > s.at)
            s.at = w->ir->val[t[i].v].node;
    }
    for (int32_t k = s.at < 0 ? NONE : w->pending[s.at]; k >= 0; k = w->sum[k].next) {
        bool same = w->sum[k].n == m;
        for (int i = 0; same && i < m; i++) {
            const agni_linear_term *q = &w->term[w->sum[k].first + i];
            same = q->v == t[i].v && q->c == t[i].c;
        }
        if (same) {
            for (int i = 0; i < m; i++)
                w->use[t[i].v]--;
            return k;
        }
    }
    if (!agni_linear_terms_reserve(w, &w->term, &w->cap_term, w->n_term + m, sizeof *t) ||
        !agni_linear_terms_reserve(w, &w->sum, &w->cap_sum, w->n_sum + 1, sizeof s))
        return NONE;
    memcpy(w->term + w->n_term, t, (size_t)m * sizeof *t);
    w->n_term += m;
    if (s.at >= 0) {
        s.next = w->pending[s.at];
        w->pending[s.at] = w->n_sum;
    }
    w->sum[w->n_sum] = s;
    substitute_common_sum(w, w->n_sum);
    return w->n_sum++;
}

/* ---- joining terms --------------------------------------------------------------------------- */

static int compare_attributes(const agni_attr *a, const agni_attr *b)
{
    int n = a ? a->ni : 0, m = b ? b->ni : 0;
    for (int i = 0; n == m && i < n; i++)
        if (a->i[i] != b->i[i])
            return a->i[i] < b->i[i] ? -1 : 1;
    return (n > m) - (n < m);
}
/* products first; nothing that depends on where things lie in memory */
static int compare_op(const void *a, const void *b)
{
    const hoist_candidate *p = a, *q = b;
    if (agni_is_product(p->n->op) != agni_is_product(q->n->op))
        return agni_is_product(p->n->op) ? -1 : 1;
    int d = p->n->op == q->n->op ? 0 : strcmp(p->n->op->name, q->n->op->name);
    d = d || is_mul(p->n->op) ? d : (p->i > q->i) - (p->i < q->i);
    d = d ? d : compare_attributes(p->n->at, q->n->at);
    for (int i = 0; !d && i < MOST_FIXED; i++)
        d = (p->fixed[i] > q->fixed[i]) - (p->fixed[i] < q->fixed[i]);
    return d;
}
static int compare_op_then_term(const void *a, const void *b)
{
    const hoist_candidate *p = a, *q = b;
    int d = compare_op(a, b);
    return d ? d : (p->at > q->at) - (p->at < q->at);
}
static bool has_plain_attributes(const agni_attr *at)
{
    return !at || (!at->nf && !at->obj);
}
static bool may_join(const agni_linear_terms *w, const hoist_candidate *a, const hoist_candidate *b)
{
    const agni_ir *ir = w->ir;
    return !compare_op(a, b) && agni_same_shape(value_tensor(ir, agni_node_arg(ir, a->n, a->i)),
                                           value_tensor(ir, agni_node_arg(ir, b->n, b->i)));
}

/* Expands in place the values of t[*n] that have no other reader, or are root: each is replaced
   by its own terms. The values that were expanded go to opened. */
static int expand_terms(const agni_linear_terms *w, int32_t root, agni_linear_term *t, int *n,
                      int32_t *opened)
{
    int n_opened = 0;
    for (int i = 0; i < *n;) {
        agni_linear_term part[2];
        int32_t v = t[i].v;
        int m = v == root || w->use[v] == 1 ? agni_split_linear_terms(w->ir, v, part) : 0;
        if (!m || !is_safe_scale(part[0].c * t[i].c) || *n + m - 1 > MOST_OPEN ||
            n_opened == MOST_TERMS) {
            i++;
            continue;
        }
        opened[n_opened++] = v;
        for (int j = 0; j < m; j++)
            part[j].c *= t[i].c;
        t[i] = part[0];
        if (m == 2)
            t[(*n)++] = part[1];
    }
    return n_opened;
}

static int list_candidates(const agni_linear_terms *w, const agni_linear_term *t, int n,
                           hoist_candidate *q)
{
    const agni_ir *ir = w->ir;
    int m = 0;
    for (int k = 0; k < n; k++) {
        int32_t node = ir->val[t[k].v].node;
        if (node < 0 || w->use[t[k].v] != 1 || !has_plain_attributes(ir->node[node].at))
            continue;
        const agni_pnode *a = &ir->node[node];
        for (int i = 0; i < a->nin && i < 2; i++) {
            if (!is_linear_in(ir, a, i) || w->barred[node] >> i & 1)
                continue;
            hoist_candidate *j = &q[m++];
            *j = (hoist_candidate){a, {NONE, NONE, NONE}, i, k};
            for (int o = 0, f = 0; o < a->nin; o++)
                if (o != i)
                    j->fixed[f++] = agni_node_arg(ir, a, o);
        }
    }
    qsort(q, (size_t)m, sizeof *q, compare_op_then_term);
    return m;
}

/* those of q[n], which are of terms in t, that join the first of them and are still there
   (gone[] by term): how many, marked in which[]; x * x, which is there twice, once */
static int select_joinable(const agni_linear_terms *w, const agni_linear_term *t,
                           const hoist_candidate *q, int n, const bool *gone, int *which)
{
    int m = 0;
    for (int k = 0; k < n; k++)
        if (!gone[q[k].at] &&
            (!m || (q[which[m - 1]].at != q[k].at && may_join(w, &q[which[0]], &q[k]) &&
                    is_safe_scale(t[q[k].at].c / t[q[which[0]].at].c))))
            which[m++] = k;
    return m;
}

/* q[which[n]] become one: the term it is */
static agni_linear_term hoist_op(agni_linear_terms *w, const agni_linear_term *t,
                                 const hoist_candidate *q, const int *which, int n)
{
    const agni_ir *ir = w->ir;
    const hoist_candidate *a = &q[which[0]];
    agni_linear_term inner[MOST_TERMS], none = {0, NONE};
    agni_hoisted_op p = {(int32_t)(a->n - ir->node), a->i, NONE, w->n_member, n};
    if (!agni_linear_terms_reserve(w, &w->member, &w->cap_member, w->n_member + n,
                                   sizeof *w->member) ||
        !agni_linear_terms_reserve(w, &w->push, &w->cap_push, w->n_push + 1, sizeof p))
        return none;
    for (int k = 0; k < n; k++) {
        const hoist_candidate *b = &q[which[k]];
        inner[k] = (agni_linear_term){t[b->at].c, agni_node_arg(ir, b->n, b->i)};
        w->member[w->n_member++] = 2 * (int32_t)(b->n - ir->node) + b->i;
        w->use[b->n->val] = 0;
        for (int o = 0; o < b->n->nin; o++)
            w->use[agni_node_arg(ir, b->n, o)] -= o != b->i && k;
    }
    double c;
    p.sum = find_or_add_sum(w, inner, n, &c);
    w->push[w->n_push] = p;
    return p.sum < 0 ? none : (agni_linear_term){c, ir->n_val + w->n_push++};
}

/* Looks at a sum: at the terms of root, where that is given. Did any join? */
bool agni_join_linear_terms(agni_linear_terms *w, int32_t s, int32_t root)
{
    agni_linear_term t[MOST_TERMS];
    int32_t opened[MOST_TERMS];
    hoist_candidate q[2 * MOST_TERMS];
    int which[MOST_TERMS], n = w->sum[s].n;
    bool gone[MOST_TERMS] = {false};
    if (n > MOST_TERMS)
        return false;
    memcpy(t, w->term + w->sum[s].first, (size_t)n * sizeof *t);
    int n_opened = expand_terms(w, root, t, &n, opened), all = n;
    int n_joint = list_candidates(w, t, n, q);
    for (int k = 0; k < n_joint && !w->full;) {
        int end = k + 1;
        while (end < n_joint && !compare_op(&q[k], &q[end]))
            end++;
        int m = select_joinable(w, t, &q[k], end - k, gone, which);
        bool join_them = m > 1 && all < MOST_TERMS;
        if (join_them) {
            t[all] = hoist_op(w, t, &q[k], which, m);
            gone[all++] = false;
            for (int i = 0; i < m; i++)
                gone[q[k + which[i]].at] = true;
        } else if (m == 1) { /* others of the same op, by another shape or scale */
            end = k + which[0] + 1;
        }
        k = join_them ? k : end;
    }
    for (int i = 0; all == n && i < n_opened; i++)
        w->root[w->ir->val[opened[i]].node] = AGNI_TERMS_SEEN;
    if (all == n || w->full)
        return false;
    for (int i = 0; i < n_opened; i++)
        w->use[opened[i]] = opened[i] == root ? w->use[root] : 0;
    if (!agni_linear_terms_reserve(w, &w->term, &w->cap_term, w->n_term + all, sizeof *t))
        return false;
    w->sum[s].first = w->n_term;
    for (int i = 0; i < all; i++) {
        if (gone[i])
            continue;
        w->term[w->n_term++] = t[i];
        if (t[i].v < w->ir->n_val)
            w->within[t[i].v] = s;
    }
    w->sum[s].n = w->n_term - w->sum[s].first;
    return true;
}
