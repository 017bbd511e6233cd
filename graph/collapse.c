/* graph/collapse.c - sums are taken before products, not after them:

       c1 A1 W + c2 A2 W = (c1 A1 + c2 A2) W

   where nobody else reads A1 W and A2 W. Then the sum in brackets is looked at in the same way, through
   whatever lies between two products and is linear, such as d * A1' W' + d * A2' W' with the factor d that
   both share. The residual u_t - nu u_xx of a network thus takes one series of its layers instead of two, and
   so does all that follows from it in reverse; for a Laplacian this is known as collapsed Taylor mode
   (F. Dangel, T. Siebert, M. Zeinhofer, A. Walther, Collapsing Taylor Mode Automatic Differentiation, 2025).

   From the results back to the arguments, a value that is a sum becomes a list of terms; terms that are one
   linear op of different operands become one term, that op of an inner sum, which is looked at when its latest
   operand is. What a merged value was read by is gone then, so that counts of readers tell whether the next
   one has a reader left elsewhere. Merging saves something at products alone: what came to no product is
   barred, and all is done again without it. */
#include "graph/ir.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_TERMS = 256,
    MOST_OPEN = 170, /* every two may become one more */
    MOST_FIXED = 3,
    ROUNDS = 4,
    NONE = -1,
    SEEN = -2
};

extern const agni_op agni_op_sub, agni_op_div, agni_op_watch;

/* c times a value, or, from n_val on, times the application number v - n_val */
typedef struct term {
    double c;
    int32_t v;
} term;
/* the op of node with a sum as argument i, in place of n nodes: member[first] ...; node -1: the sum itself */
typedef struct push {
    int32_t node, i, sum, first, n;
} push;
typedef struct sum {
    int32_t first, n; /* its terms */
    int32_t at;       /* the node that makes the latest of them; -1: none */
    int32_t next;     /* another one of the same node */
    int32_t made;     /* its value in the new program */
    bool gains;       /* saves a product, here or further down */
} sum;
/* a term that could join others: its op with everything but argument i */
typedef struct joint {
    const agni_pnode *n;
    int32_t fixed[MOST_FIXED]; /* the other arguments */
    int32_t i, at;             /* number of the term */
} joint;

typedef struct work {
    const agni_ir *ir;
    int32_t *use;    /* how often each value is read */
    int32_t *within; /* of values: the last sum that was looked at and has it for a term */
    /* of nodes: the sum it is, or SEEN in one; sums whose latest term it makes; arguments through
       which nothing is saved, a bit each */
    int32_t *root, *pending;
    uint8_t *barred;
    term *term;
    sum *sum;
    push *push;
    int32_t *member; /* twice the node, and which argument */
    int32_t n_term, cap_term, n_sum, cap_sum, n_push, cap_push, n_member, cap_member;
    int32_t *seen, *stack; /* while copying: new names of values; sums in hand */
    int32_t cap_stack;
    bool full; /* without memory */
} work;

/* ---- what is linear ------------------------------------------------------------------------- */

static const agn_tensor *of(const agni_ir *ir, int32_t v)
{
    return ir->val[v].t;
}
static bool is_float(const agn_tensor *t)
{
    return t->dtype == AGN_F32 || t->dtype == AGN_F64;
}
static bool heavy(const agni_op *op)
{
    return op->cls == AGNI_MULTI && op->ew < 0;
}
static bool is_mul(const agni_op *op)
{
    return op == &agni_op_mul || op == &agni_op_mulz;
}
static bool linear_in(const agni_ir *ir, const agni_pnode *n, int i)
{
    const agni_op *op = n->op;
    if (n->nout != 1 || n->nin > MOST_FIXED + 1 || op->foreign ||
        of(ir, agni_arg(ir, n, i))->dtype != of(ir, n->val)->dtype)
        return false;
    if (op->cls == AGNI_LINEAR)
        return n->nin == 1 && op->diff == 1 && op != &agni_op_watch;
    return is_mul(op) || (op->cls == AGNI_MULTI && op->diff >> i & 1);
}
/* Times and divided by such numbers, nothing is lost or beyond what a dtype holds that was not before. */
static bool moderate(double c)
{
    return fabs(c) > 0x1p-40 && fabs(c) < 0x1p40;
}
/* a number of the program itself: the user's may be written later, which calls notice as long as they read it */
static bool number(const agni_ir *ir, int32_t v, double *c)
{
    const agni_ival *q = agni_repeated(ir, v);
    *c = q->num;
    return q->constant && q->splat && !q->captured && moderate(q->num);
}
/* v as a sum of one or two values of its own shape, times numbers; how many */
static int terms_of(const agni_ir *ir, int32_t v, term *t)
{
    int32_t k = ir->val[v].node;
    if (k < 0 || !is_float(of(ir, v)) || ir->node[k].nout != 1 || ir->node[k].nin < 1)
        return 0;
    const agni_pnode *n = &ir->node[k];
    double c;
    int32_t a[2] = {agni_arg(ir, n, 0), agni_arg(ir, n, n->nin > 1)};
    bool same[2];
    for (int i = 0; i < 2; i++)
        same[i] = agni_same_shape(of(ir, a[i]), of(ir, v)) &&
                  of(ir, a[i])->dtype == of(ir, v)->dtype;
    if ((n->op == &agni_op_add || n->op == &agni_op_sub) && same[0] && same[1]) {
        t[0] = (term){1, a[0]};
        t[1] = (term){n->op == &agni_op_add ? 1 : -1, a[1]};
        return 2;
    }
    if (n->op == &agni_op_neg) {
        t[0] = (term){-1, a[0]};
        return 1;
    }
    for (int i = 0; is_mul(n->op) && i < 2; i++)
        if (same[i] && number(ir, a[!i], &c)) {
            t[0] = (term){c, a[i]};
            return 1;
        }
    if (n->op == &agni_op_div && same[0] && number(ir, a[1], &c)) {
        t[0] = (term){1 / c, a[0]};
        return 1;
    }
    return 0;
}

/* ---- lists ------------------------------------------------------------------------------------ */

static bool room(work *w, void *items, int32_t *cap, int32_t need, size_t item)
{
    if (!w->full && !agni_grow(items, cap, need, item))
        w->full = true;
    return !w->full;
}
static int by_value(const void *a, const void *b)
{
    const term *p = a, *q = b;
    return p->v != q->v ? (p->v > q->v) - (p->v < q->v) : (p->c > q->c) - (p->c < q->c);
}

/* Where a sum that was looked at before has the terms of sum k, times one number, it takes k in their place:
   what is added and multiplied as well, as past the layers of a residual network, is read once then. */
static void take_in(work *w, int32_t k)
{
    const sum *in = &w->sum[k];
    int32_t o = w->within[w->term[in->first].v];
    if (in->n < 2 || o < 0 ||
        !room(w, &w->push, &w->cap_push, w->n_push + 1, sizeof *w->push))
        return;
    sum *out = &w->sum[o];
    int32_t at[MOST_TERMS], n = 0;
    double c = 0;
    for (int j = 0; j < in->n; j++, n++) {
        const term *t = &w->term[in->first + j];
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
    w->push[w->n_push] = (push){NONE, 0, k, 0, 0};
    w->term[at[0]] = (term){c, w->ir->n_val + w->n_push++};
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

/* The sum of t[n], which are values, divided by the first number, which goes to *c: a new one or one that is
   there, whose terms are not read again. */
static int32_t sum_of(work *w, term *t, int n, double *c)
{
    int m = 0;
    qsort(t, (size_t)n, sizeof *t, by_value);
    for (int i = 0; i < n; i++)
        if (m && t[m - 1].v == t[i].v && t[m - 1].c + t[i].c != 0) {
            t[m - 1].c += t[i].c;
            w->use[t[i].v]--;
        } else {
            t[m++] = t[i];
        }
    *c = t[0].c;
    sum s = {w->n_term, m, NONE, NONE, NONE, false};
    for (int i = 0; i < m; i++) {
        t[i].c /= *c;
        if (w->ir->val[t[i].v].node > s.at)
            s.at = w->ir->val[t[i].v].node;
    }
    for (int32_t k = s.at < 0 ? NONE : w->pending[s.at]; k >= 0; k = w->sum[k].next) {
        bool same = w->sum[k].n == m;
        for (int i = 0; same && i < m; i++) {
            const term *q = &w->term[w->sum[k].first + i];
            same = q->v == t[i].v && q->c == t[i].c;
        }
        if (same) {
            for (int i = 0; i < m; i++)
                w->use[t[i].v]--;
            return k;
        }
    }
    if (!room(w, &w->term, &w->cap_term, w->n_term + m, sizeof *t) ||
        !room(w, &w->sum, &w->cap_sum, w->n_sum + 1, sizeof s))
        return NONE;
    memcpy(w->term + w->n_term, t, (size_t)m * sizeof *t);
    w->n_term += m;
    if (s.at >= 0) {
        s.next = w->pending[s.at];
        w->pending[s.at] = w->n_sum;
    }
    w->sum[w->n_sum] = s;
    take_in(w, w->n_sum);
    return w->n_sum++;
}

/* ---- joining terms ------------------------------------------------------------------------------ */

static int by_attributes(const agni_attr *a, const agni_attr *b)
{
    int n = a ? a->ni : 0, m = b ? b->ni : 0;
    for (int i = 0; n == m && i < n; i++)
        if (a->i[i] != b->i[i])
            return a->i[i] < b->i[i] ? -1 : 1;
    return (n > m) - (n < m);
}
/* products first; nothing that depends on where things lie in memory */
static int by_op(const void *a, const void *b)
{
    const joint *p = a, *q = b;
    if (heavy(p->n->op) != heavy(q->n->op))
        return heavy(p->n->op) ? -1 : 1;
    int d = p->n->op == q->n->op ? 0 : strcmp(p->n->op->name, q->n->op->name);
    d = d || is_mul(p->n->op) ? d : (p->i > q->i) - (p->i < q->i);
    d = d ? d : by_attributes(p->n->at, q->n->at);
    for (int i = 0; !d && i < MOST_FIXED; i++)
        d = (p->fixed[i] > q->fixed[i]) - (p->fixed[i] < q->fixed[i]);
    return d;
}
static int by_op_and_place(const void *a, const void *b)
{
    const joint *p = a, *q = b;
    int d = by_op(a, b);
    return d ? d : (p->at > q->at) - (p->at < q->at);
}
static bool plain(const agni_attr *at)
{
    return !at || (!at->nf && !at->obj);
}
static bool joins(const work *w, const joint *a, const joint *b)
{
    const agni_ir *ir = w->ir;
    return !by_op(a, b) && agni_same_shape(of(ir, agni_arg(ir, a->n, a->i)),
                                           of(ir, agni_arg(ir, b->n, b->i)));
}

/* t[*n], grown by the terms of values in it that nobody else reads, or that are root itself; which of them
   were taken apart goes to opened */
static int open_terms(const work *w, int32_t root, term *t, int *n, int32_t *opened)
{
    int n_opened = 0;
    for (int i = 0; i < *n;) {
        term part[2];
        int32_t v = t[i].v;
        int m = v == root || w->use[v] == 1 ? terms_of(w->ir, v, part) : 0;
        if (!m || !moderate(part[0].c * t[i].c) || *n + m - 1 > MOST_OPEN || n_opened == MOST_TERMS) {
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

static int list_joints(const work *w, const term *t, int n, joint *q)
{
    const agni_ir *ir = w->ir;
    int m = 0;
    for (int k = 0; k < n; k++) {
        int32_t node = ir->val[t[k].v].node;
        if (node < 0 || w->use[t[k].v] != 1 || !plain(ir->node[node].at))
            continue;
        const agni_pnode *a = &ir->node[node];
        for (int i = 0; i < a->nin && i < 2; i++) {
            if (!linear_in(ir, a, i) || w->barred[node] >> i & 1)
                continue;
            joint *j = &q[m++];
            *j = (joint){a, {NONE, NONE, NONE}, i, k};
            for (int o = 0, f = 0; o < a->nin; o++)
                if (o != i)
                    j->fixed[f++] = agni_arg(ir, a, o);
        }
    }
    qsort(q, (size_t)m, sizeof *q, by_op_and_place);
    return m;
}

/* those of q[n], which are of terms in t, that join the first of them and are still there (gone[] by term):
   how many, marked in which[]; x * x, which is there twice, once */
static int joined(const work *w, const term *t, const joint *q, int n, const bool *gone,
                  int *which)
{
    int m = 0;
    for (int k = 0; k < n; k++)
        if (!gone[q[k].at] &&
            (!m || (q[which[m - 1]].at != q[k].at && joins(w, &q[which[0]], &q[k]) &&
                    moderate(t[q[k].at].c / t[q[which[0]].at].c))))
            which[m++] = k;
    return m;
}

/* q[which[n]] become one: the term it is */
static term join(work *w, const term *t, const joint *q, const int *which, int n)
{
    const agni_ir *ir = w->ir;
    const joint *a = &q[which[0]];
    term inner[MOST_TERMS], none = {0, NONE};
    push p = {(int32_t)(a->n - ir->node), a->i, NONE, w->n_member, n};
    if (!room(w, &w->member, &w->cap_member, w->n_member + n, sizeof *w->member) ||
        !room(w, &w->push, &w->cap_push, w->n_push + 1, sizeof p))
        return none;
    for (int k = 0; k < n; k++) {
        const joint *b = &q[which[k]];
        inner[k] = (term){t[b->at].c, agni_arg(ir, b->n, b->i)};
        w->member[w->n_member++] = 2 * (int32_t)(b->n - ir->node) + b->i;
        w->use[b->n->val] = 0;
        for (int o = 0; o < b->n->nin; o++)
            w->use[agni_arg(ir, b->n, o)] -= o != b->i && k;
    }
    double c;
    p.sum = sum_of(w, inner, n, &c);
    w->push[w->n_push] = p;
    return p.sum < 0 ? none : (term){c, ir->n_val + w->n_push++};
}

/* Looks at a sum: at the terms of root, where that is given. Did any join? */
static bool look_at(work *w, int32_t s, int32_t root)
{
    term t[MOST_TERMS];
    int32_t opened[MOST_TERMS];
    joint q[2 * MOST_TERMS];
    int which[MOST_TERMS], n = w->sum[s].n;
    bool gone[MOST_TERMS] = {false};
    if (n > MOST_TERMS)
        return false;
    memcpy(t, w->term + w->sum[s].first, (size_t)n * sizeof *t);
    int n_opened = open_terms(w, root, t, &n, opened), all = n;
    int n_joint = list_joints(w, t, n, q);
    for (int k = 0; k < n_joint && !w->full;) {
        int end = k + 1;
        while (end < n_joint && !by_op(&q[k], &q[end]))
            end++;
        int m = joined(w, t, &q[k], end - k, gone, which);
        bool join_them = m > 1 && all < MOST_TERMS;
        if (join_them) {
            t[all] = join(w, t, &q[k], which, m);
            gone[all++] = false;
            for (int i = 0; i < m; i++)
                gone[q[k + which[i]].at] = true;
        } else if (m == 1) { /* others of the same op, by another shape or scale */
            end = k + which[0] + 1;
        }
        k = join_them ? k : end;
    }
    for (int i = 0; all == n && i < n_opened; i++)
        w->root[w->ir->val[opened[i]].node] = SEEN;
    if (all == n || w->full)
        return false;
    for (int i = 0; i < n_opened; i++)
        w->use[opened[i]] = opened[i] == root ? w->use[root] : 0;
    if (!room(w, &w->term, &w->cap_term, w->n_term + all, sizeof *t))
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

/* ---- all of a program ----------------------------------------------------------------------------- */

static void count_readers(work *w)
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
            w->use[agni_arg(ir, n, i)]++;
    }
}

static void look_at_all(work *w)
{
    const agni_ir *ir = w->ir;
    count_readers(w);
    w->n_term = w->n_sum = w->n_push = w->n_member = 0;
    for (int32_t v = 0; v < ir->n_val; v++)
        w->within[v] = NONE;
    for (int32_t k = 0; k < ir->n_node; k++)
        w->root[k] = w->pending[k] = NONE;
    for (int32_t k = ir->n_node - 1; k >= 0 && !w->full; k--) {
        term part[2];
        int32_t v = ir->node[k].val;
        for (int32_t s = w->pending[k]; s >= 0; s = w->sum[s].next)
            look_at(w, s, NONE);
        if (w->use[v] < 1 || w->root[k] == SEEN || terms_of(ir, v, part) != 2 ||
            !room(w, &w->term, &w->cap_term, w->n_term + 1, sizeof *w->term) ||
            !room(w, &w->sum, &w->cap_sum, w->n_sum + 1, sizeof *w->sum))
            continue;
        int32_t s = w->n_sum++;
        w->sum[s] = (sum){w->n_term, 1, k, NONE, NONE, false};
        w->term[w->n_term++] = (term){1, v};
        if (look_at(w, s, v))
            w->root[k] = s;
        else
            w->n_sum = s;
    }
}

static bool is_heavy(const work *w, const push *p)
{
    return p->node >= 0 && heavy(w->ir->node[p->node].op);
}
static bool gains(const work *w, const sum *s)
{
    for (int i = 0; i < s->n; i++) {
        int32_t p = w->term[s->first + i].v - w->ir->n_val;
        if (p >= 0 && (is_heavy(w, &w->push[p]) || w->sum[w->push[p].sum].gains))
            return true;
    }
    return false;
}
/* What came to no product is barred. Was there any? */
static bool bar(work *w)
{
    bool any = false;
    for (int32_t k = 0; k < w->ir->n_node; k++) { /* inner sums are of earlier nodes */
        for (int32_t s = w->pending[k]; s >= 0; s = w->sum[s].next)
            w->sum[s].gains = gains(w, &w->sum[s]);
    }
    for (int32_t p = 0; p < w->n_push; p++) {
        const push *q = &w->push[p]; /* of no members where it is the sum itself */
        if (is_heavy(w, q) || w->sum[q->sum].gains)
            continue;
        for (int i = 0; i < q->n; i++)
            w->barred[w->member[q->first + i] / 2] |= (uint8_t)(1 << w->member[q->first + i] % 2);
        any |= q->n > 0;
    }
    return any;
}

/* ---- the new program -------------------------------------------------------------------------------- */

static int32_t emitted(work *w, agni_ir *ir, const push *p)
{
    if (p->node < 0)
        return w->sum[p->sum].made;
    const agni_pnode *n = &w->ir->node[p->node];
    int32_t a[MOST_FIXED + 1];
    for (int i = 0; i < n->nin; i++)
        a[i] = i == p->i ? w->sum[p->sum].made : w->seen[agni_arg(w->ir, n, i)];
    return agni_emit(ir, n->op, n->at, n->nin, a);
}
static int32_t two(agni_ir *ir, const agni_op *op, int32_t a, int32_t b)
{
    return a < 0 || b < 0 ? NONE : agni_emit(ir, op, NULL, 2, (int32_t[]){a, b});
}
static int32_t emitted_sum(work *w, agni_ir *ir, const sum *s)
{
    int32_t y = NONE;
    for (int i = 0; i < s->n && !ir->st; i++) {
        const term *t = &w->term[s->first + i];
        int32_t v = t->v < w->ir->n_val ? w->seen[t->v]
                                        : emitted(w, ir, &w->push[t->v - w->ir->n_val]);
        double c = i ? fabs(t->c) : t->c;
        if (c == -1)
            v = v < 0 ? v : agni_emit(ir, &agni_op_neg, NULL, 1, &v);
        else if (c != 1 && v >= 0)
            v = two(ir, &agni_op_mul, v, agni_ir_number(ir, c, of(ir, v)->dtype));
        y = i ? two(ir, t->c < 0 ? &agni_op_sub : &agni_op_add, y, v) : v;
    }
    return y;
}
/* a sum, after those it needs */
static int32_t made(work *w, agni_ir *ir, int32_t root)
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
            if (!room(w, &w->stack, &w->cap_stack, n + 1, sizeof *w->stack)) {
                ir->st = agni_nomem("compile", (size_t)n * sizeof *w->stack);
                break;
            }
            w->stack[n++] = s;
            s = inner;
            continue;
        }
        w->sum[s].made = emitted_sum(w, ir, &w->sum[s]);
        if (!n)
            break;
        s = w->stack[--n];
    }
    return w->sum[root].made;
}
static int32_t copied(void *user, agni_ir *ir, int k, const int32_t *arg)
{
    work *w = user;
    const agni_pnode *n = &w->ir->node[k];
    for (int i = 0; i < n->nin; i++)
        w->seen[agni_arg(w->ir, n, i)] = arg[i];
    int32_t v = w->root[k] >= 0
                    ? made(w, ir, w->root[k])
                    : agni_emit_many(ir, n->op, n->at, n->nin, arg, n->nout);
    for (int o = 0; o < n->nout; o++)
        w->seen[n->val + o] = v < 0 ? v : v + o;
    return v;
}

/* Do two products of a program share an operand? times: room for a number a value. */
static bool promising(const agni_pnode *node, int n_node, const int32_t *arg, int n_val,
                      int32_t *times)
{
    bool any = false;
    memset(times, 0, (size_t)n_val * sizeof *times);
    for (int k = 0; k < n_node && !any; k++)
        for (int i = 0; heavy(node[k].op) && i < node[k].nin; i++)
            any |= times[arg[node[k].arg + i]]++ > 0;
    return any;
}

agn_status agni_ir_collapse(agni_ir **ir)
{
    size_t nv = (size_t)(*ir)->n_val + 1, nn = (size_t)(*ir)->n_node + 1;
    work w = {.ir = *ir};
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
        promising((*ir)->node, (*ir)->n_node, (*ir)->arg, (*ir)->n_val, w.use))
        for (int i = 0; i < ROUNDS && again && !w.full; i++) {
            look_at_all(&w);
            again = !w.full && bar(&w);
        }
    if (w.full) {
        st = agni_nomem("compile", nv * sizeof *w.use);
    } else if (!again && w.n_push) {
        agni_ir *next = NULL;
        st = agni_ir_copy(&next, *ir, copied, &w);
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

/* ---- of a call on symbols ------------------------------------------------------------------------------ */

AGNI_TLS_WORD int8_t collapsed; /* has a call of this thread been? -1: they stay as they are */

int agni_prog_collapsed(int now)
{
    int was = collapsed;
    collapsed = (int8_t)now;
    return was;
}

typedef struct again {
    const agni_ir *ir;
    const agn_tensor *const *extra; /* inputs behind those of the call */
    int n_in;
} again;
static agn_status apply_again(void *user, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    const again *a = user;
    const agni_ir *ir = a->ir;
    const agn_tensor **val = agni_zalloc((size_t)(ir->n_val + 1) * sizeof *val),
                     **x = agni_alloc((size_t)(ir->n_arg + 1) * sizeof *x);
    if (!val || !x)
        agn_scope_fail(s, agni_nomem("trace", (size_t)ir->n_val * sizeof *val));
    for (int v = 0; v < ir->n_val && !agn_scope_status(s); v++) {
        const agni_ival *q = &ir->val[v];
        val[v] = q->constant           ? q->t
                 : q->input >= a->n_in ? a->extra[q->input - a->n_in]
                 : q->input >= 0       ? in[q->input]
                                       : NULL;
    }
    for (int k = 0; k < ir->n_node && !agn_scope_status(s); k++) {
        const agni_pnode *n = &ir->node[k];
        for (int i = 0; i < n->nin; i++)
            x[n->arg + i] = val[agni_arg(ir, n, i)];
        agni_apn(s, n->op, n->at, n->nin, x + n->arg, n->nout, val + n->val);
    }
    for (int o = 0; o < ir->n_out && !agn_scope_status(s); o++)
        out[o] = val[ir->out[o]];
    agni_free(val);
    agni_free(x);
    return agn_scope_status(s);
}

agn_status agni_prog_collapse(agni_prog **live, uint64_t *first,
                              const agn_tensor *const *in)
{
    agni_prog *p = *live, *stored = NULL;
    agni_ir *ir = NULL;
    const agni_ir *before;
    const agn_tensor **extra = NULL;
    int n_extra = 0;
    bool symbols = false;
    for (int i = 0; i < p->n_in; i++)
        symbols |= agni_symbolic(in[i]);
    if (!symbols || collapsed < 0)
        return AGN_OK;
    int32_t *times = agni_alloc((size_t)(p->n_val + 1) * sizeof *times);
    if (!times)
        return agni_nomem("trace", (size_t)p->n_val * sizeof *times);
    bool some = promising(p->node, p->n_node, p->arg, p->n_val, times);
    agni_free(times);
    if (!some)
        return AGN_OK;
    agn_status st = agni_prog_store(&stored, p, &n_extra, &extra);
    st = st ? st : agni_ir_share(&ir, stored);
    before = ir;
    st = st ? st : agni_ir_collapse(&ir);
    if (!st && ir != before) {
        agni_prog *made = NULL;
        st = agni_trace_body(&made, first, apply_again, &(again){ir, extra, p->n_in},
                             p->n_in, in, p->n_out, false);
        if (!st) {
            agni_prog_release(p);
            *live = made;
            collapsed = 1;
        }
    }
    agni_ir_free(ir);
    agni_free(extra);
    agni_prog_release(stored);
    return st;
}
