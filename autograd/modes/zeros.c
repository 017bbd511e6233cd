/* zeros.c - structural zeros: masks beside tangents and cotangents (doc/autograd.rst, Corners).
   A choice joins its condition to the mask and forms no product; a select is written where a
   mask ends: before a sum with another mask, a contraction, a rule that knows no masks, a
   result. */
#include "autograd/modes/zeros.h"
#include "autograd/modes/grading.h"
#include "core/thread_record.h"
#include "tensor/rows/traits.h"

#include <math.h>
#include <string.h>

extern const agni_op agni_op_logical_and, agni_op_logical_or, agni_op_logical_not, agni_op_ne,
    agni_op_gt, agni_op_pow;

/* ---- masks ----------------------------------------------------------------------------------- */

static const agn_tensor *select_where(agn_scope *s, const agn_tensor *c, const agn_tensor *a,
                                      const agn_tensor *b)
{
    return agni_apply_in(s, &agni_op_where, NULL, 3, (const agn_tensor *[]){c, a, b});
}

const agn_tensor *agni_join_masks(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    return !a || a == b ? b : !b ? a : agni_apply_binary(s, &agni_op_logical_and, a, b);
}

const agn_tensor *agni_clean_masked(agn_scope *s, agni_masked x)
{
    return x.v && x.m && x.dirty ? select_where(s, x.m, x.v, agni_literal(s, 0)) : x.v;
}

agni_masked agni_choose_masked(agn_scope *s, agni_masked t, const agn_tensor *c)
{
    if (t.v && c)
        t = (agni_masked){t.v, agni_join_masks(s, t.m, c), true};
    return t;
}

agni_masked agni_add_masked(agn_scope *s, agni_masked a, agni_masked b, bool keep)
{
    if (!a.v || !b.v)
        return a.v ? a : b;
    if (a.m == b.m)
        return (agni_masked){agni_add_present(s, a.v, b.v), a.m, a.dirty || b.dirty};
    const agn_tensor *v = agni_add_present(s, agni_clean_masked(s, a), agni_clean_masked(s, b));
    const agn_tensor *m = keep && a.m && b.m ? agni_apply_binary(s, &agni_op_logical_or, a.m, b.m)
                                             : NULL;
    return (agni_masked){v, m, false};
}

/* the number that d is in a program, or NaN */
static double read_written(const agn_tensor *d)
{
    double v = (double)NAN;
    bool number = d && d->weak && !d->ndim && d->dtype == AGN_F64 && !d->node && !d->stale &&
                  d->st && d->st->device == AGN_CPU;
    if (number)
        memcpy(&v, d->data, sizeof v);
    return v;
}
bool agni_is_written_zero(const agn_tensor *d)
{
    return read_written(d) == 0;
}
static bool is_written_finite(const agn_tensor *d)
{
    return isfinite(read_written(d));
}

agni_masked agni_mul_masked(agn_scope *s, agni_masked t, const agn_tensor *d)
{
    if (!t.v || !d || d == &agni_one)
        return d ? t : (agni_masked){0};
    if (d == &agni_minus_one) {
        t.v = agni_apply_in(s, &agni_op_neg, NULL, 1, &t.v);
    } else if (d->dtype == AGN_BOOL) {
        t = agni_choose_masked(s, t, d);
    } else if (agni_is_written_zero(d)) {
        t = (agni_masked){0};
    } else {
        t.v = agni_apply_binary(s, &agni_op_mul, t.v, d);
        t.dirty = t.m && (t.dirty || !is_written_finite(d));
    }
    return t;
}

const agn_tensor *agni_mul_partial(agn_scope *s, const agn_tensor *t, const agn_tensor *d)
{
    return agni_clean_masked(s, agni_mul_masked(s, (agni_masked){.v = t}, d));
}

/* ---- masks of linear maps: those of the map with its coefficients replaced by ones ----------- */

/* 1 where x may not be a structural zero, else 0, in the shape and dtype of like */
static const agn_tensor *as_numbers(agn_scope *s, const agn_tensor *m, const agn_tensor *like)
{
    if (!m)
        return agni_full_like(s, 1, like);
    m = agni_cast(s, m, like->dtype);
    return m ? agni_broadcast(s, m, like->ndim, like->shape) : NULL;
}

const agn_tensor *agni_nonzero_mask(agn_scope *s, const agn_tensor *x)
{
    return x ? agni_apply_binary(s, &agni_op_ne, x, agni_literal(s, 0)) : NULL;
}

/* does the mask of a result say anything where no argument has one? */
static bool makes_zeros(const agni_op *op)
{
    return op->zeros == AGNI_ZEROS_PLACED || op->cls == AGNI_CHOICE;
}

/* the sum over the axes along which x was broadcast */
static agni_masked unbroadcast_masked(agn_scope *s, agni_masked g, const agn_tensor *x, bool keep)
{
    if (!g.v || !x)
        return (agni_masked){0};
    bool same = !g.m || agni_same_shape(g.v, x);
    for (int d = 0; g.m && same && d < g.m->ndim; d++)
        same = g.m->ndim <= x->ndim && g.m->shape[d] <= x->shape[d + x->ndim - g.m->ndim];
    if (!same) {
        g.v = agni_clean_masked(s, g);
        g.m = g.v && g.m && keep
                  ? agni_nonzero_mask(s, agni_unbroadcast(s, as_numbers(s, g.m, g.v), x))
                  : NULL;
        g.dirty = false;
    }
    g.v = agni_unbroadcast(s, g.v, x);
    return g;
}

/* in the shape and dtype of a result */
static agni_masked fit_shape(agn_scope *s, agni_masked t, const agn_tensor *y)
{
    if (t.v && t.v->dtype != y->dtype)
        t.v = agni_cast(s, t.v, y->dtype);
    if (t.v)
        t.v = agni_broadcast(s, t.v, y->ndim, y->shape);
    return t;
}

/* ---- sums of exponentials: an argument -inf is absent ---------------------------------------- */

extern const agni_op agni_op_logaddexp, agni_op_logaddexp2;

static bool sums_exponentials(const agni_op *op)
{
    return op == &agni_op_logaddexp || op == &agni_op_logaddexp2;
}

/* the places from where the argument of a sum of exponentials is present */
static const agn_tensor *mark_present(agn_scope *s, const agn_tensor *x)
{
    return agni_apply_binary(s, &agni_op_gt, x, agni_literal(s, -(double)INFINITY));
}

const agn_tensor *agni_present_argument(agn_scope *s, const agni_op *op, const agn_tensor *x,
                                        const agn_tensor *m)
{
    bool sum = op == &agni_op_logsumexp || op == &agni_op_logcumsumexp;
    return sum && m ? select_where(s, m, x, agni_literal(s, -(double)INFINITY)) : x;
}

agni_masked agni_choose_present(agn_scope *s, const agni_op *op, agni_masked t, const agn_tensor *x)
{
    return sums_exponentials(op) && t.v ? agni_choose_masked(s, t, mark_present(s, x)) : t;
}

/* ---- element-wise ops, and the choice by a condition ----------------------------------------- */

static const agn_tensor *conjugate_if_complex(agn_scope *s, const agn_tensor *d)
{
    if (!d || d == &agni_one || d == &agni_minus_one || agni_kind(d->dtype) != AGNI_KIND_COMPLEX)
        return d;
    return agni_apply_in(s, &agni_op_conj, NULL, 1, &d);
}

static void push_elementwise(agn_scope *s, const agni_rule *r, const agni_masked *t, bool keep,
                             agni_masked *ty)
{
    agni_masked sum = {0};
    for (int i = 0; i < r->nin; i++)
        if (t[i].v) {
            agni_masked part = agni_mul_masked(s, t[i], r->op->partial(s, r, i));
            sum = agni_add_masked(s, sum, agni_choose_present(s, r->op, part, r->x[i]), keep);
        }
    ty[0] = fit_shape(s, sum, r->y[0]);
}

/* neither t nor d says where the product is a structural zero */
static bool is_plain_product(const agni_rule *r, agni_masked t, const agn_tensor *d)
{
    return t.v && !t.m && d && d->dtype != AGN_BOOL && d != &agni_minus_one &&
           !agni_is_written_zero(d) && !sums_exponentials(r->op);
}

static void pull_elementwise(agn_scope *s, const agni_rule *r, agni_masked g, const bool *want,
                             const bool *keep, agni_masked *gx)
{
    for (int i = 0; i < r->nin; i++)
        if (want[i]) {
            const agn_tensor *d = conjugate_if_complex(s, r->op->partial(s, r, i));
            if (is_plain_product(r, g, d)) {
                const agn_tensor *v = d == &agni_one ? g.v
                                                     : agni_apply_binary(s, &agni_op_mul, g.v, d);
                gx[i] = (agni_masked){.v = agni_unbroadcast(s, v, r->x[i])};
                continue;
            }
            agni_masked part = agni_choose_present(s, r->op, agni_mul_masked(s, g, d), r->x[i]);
            gx[i] = unbroadcast_masked(s, part, r->x[i], keep[i]);
        }
}

static const agn_tensor *negate_condition(agn_scope *s, const agn_tensor *c)
{
    return agni_apply_in(s, &agni_op_logical_not, NULL, 1, &c);
}

static void push_where(agn_scope *s, const agni_rule *r, const agni_masked *t, agni_masked *ty)
{
    const agn_tensor *c = r->x[0];
    agni_masked a = t[1], b = t[2], y = {0};
    if (a.v && b.v) { /* one select, no sum */
        y = (agni_masked){select_where(s, c, a.v, b.v), NULL, a.dirty || b.dirty};
        if (a.m || b.m) {
            const agn_tensor *all = agni_full(s, 1, AGN_BOOL, 0, NULL);
            y.m = select_where(s, c, a.m ? a.m : all, b.m ? b.m : all);
        }
    } else {
        y = a.v ? agni_choose_masked(s, a, c) : agni_choose_masked(s, b, negate_condition(s, c));
    }
    ty[0] = fit_shape(s, y, r->y[0]);
}

static void pull_where(agn_scope *s, const agni_rule *r, agni_masked g, const bool *want,
                       const bool *keep, agni_masked *gx)
{
    const agn_tensor *c = r->x[0];
    for (int i = 1; i < 3; i++)
        if (want[i])
            gx[i] = unbroadcast_masked(
                s, agni_choose_masked(s, g, i == 1 ? c : negate_condition(s, c)), r->x[i], keep[i]);
}

/* ---- ops as linear maps of clean derivatives ------------------------------------------------- */

enum { FEW = 16 };
typedef struct room {
    const agn_tensor *few[4 * FEW], **all; /* rows of arguments and results */
    int width;
} room;

static const agn_tensor **room_open(agn_scope *s, room *m, const agni_rule *r)
{
    m->width = r->nin > r->nout ? r->nin : r->nout;
    m->all = m->width <= FEW ? m->few : agni_alloc(4 * (size_t)m->width * sizeof *m->all);
    if (!m->all)
        agn_scope_fail(s, agni_nomem(r->op->name, 4 * (size_t)m->width * sizeof *m->all));
    else
        memset(m->all, 0, 4 * (size_t)m->width * sizeof *m->all);
    return m->all;
}
static void room_close(room *m)
{
    if (m->all != m->few)
        agni_free(m->all);
}

/* the rule whose other operands are ones: what a product of masks joins */
static agni_rule joining_rule(agn_scope *s, const agni_rule *r, const agn_tensor **x)
{
    agni_rule q = *r;
    if (r->op->cls != AGNI_MULTI)
        return q;
    for (int i = 0; i < r->nin; i++)
        x[i] = agni_is_diff_argument(r->op, i) ? agni_full_like(s, 1, r->x[i]) : r->x[i];
    q.x = x;
    return q;
}

/* Are zeros of its results known from those of its arguments? */
static bool is_transparent(const agni_op *op)
{
    return (op->cls == AGNI_LINEAR && op->zeros) || (op->cls == AGNI_MULTI && op->zeros) ||
           (op->cls == AGNI_CHOICE && !op->foreign);
}

/* ---- masks across the border of a rule ------------------------------------------------------- */

/* The rule in hand: the masks of the derivatives that it was given, and of those that the program
   which it follows made. Both are known by their tensors: what a rule passes on unchanged keeps its
   mask. */
typedef struct known_mask {
    const agn_tensor *v, *m;
} known_mask;
typedef struct hand {
    struct hand *outer;
    agn_scope *s; /* of the rule */
    known_mask *mask;
    int n, most;
    const agn_tensor *const *x; /* arguments of the rule, of whose cotangents masks are wanted */
    const bool *keep;
} hand;

/* NULL: no rule runs on this thread */
static hand *current_hand(void)
{
    const agni_thread_record *a = agni_thread_record_own;
    return a ? a->rule_in_hand : NULL;
}

static void know_mask(const agn_tensor *v, const agn_tensor *m)
{
    hand *h = current_hand();
    if (!v || !h)
        return;
    if (h->n == h->most) {
        int most = h->most ? 2 * h->most : 16;
        known_mask *more = agni_realloc(h->mask, (size_t)most * sizeof *more);
        if (!more) { /* without a mask a zero would be a number, and the derivative another one */
            agn_scope_fail(h->s, agni_nomem("masks", (size_t)most * sizeof *more));
            return;
        }
        h->mask = more;
        h->most = most;
    }
    h->mask[h->n++] = (known_mask){v, m};
}

/* NULL where v is not known, or by two masks */
static const agn_tensor *mask_of(const agn_tensor *v)
{
    const hand *h = current_hand();
    const agn_tensor *m = NULL;
    int times = 0;
    for (int i = 0; v && h && i < h->n; i++)
        if (h->mask[i].v == v) {
            if (times++ && h->mask[i].m != m)
                return NULL;
            m = h->mask[i].m;
        }
    return m;
}

/* h lives as long as the rule */
static void begin_rule(agn_scope *s, hand *h)
{
    agni_thread_record *a = agni_thread_record_get();
    *h = (hand){.outer = current_hand(), .s = s};
    if (a)
        a->rule_in_hand = h;
    else
        agn_scope_fail(s, agni_nomem("masks", sizeof *a));
}
static void end_rule(hand *h)
{
    if (current_hand() == h)
        agni_thread_record_own->rule_in_hand = h->outer;
    agni_free(h->mask);
}

void agni_pass_mask(const agn_tensor *seed, const agn_tensor *outer)
{
    know_mask(seed, mask_of(outer));
}
const agn_tensor *agni_known_mask(const agn_tensor *v)
{
    return mask_of(v);
}
void agni_know_mask(const agn_tensor *v, const agn_tensor *m)
{
    know_mask(v, m);
}
bool agni_mask_is_wanted(const agni_rule *r, int i)
{
    const hand *h = current_hand();
    return h && h->keep && h->x == r->x && h->keep[i];
}
int agni_masks_known(void)
{
    const hand *h = current_hand();
    return h ? h->n : 0;
}
void agni_forget_masks(int n)
{
    hand *h = current_hand();
    if (h && h->n > n)
        h->n = n;
}

agni_masked agni_seed_masked(agni_traversal *w, const agn_tensor *t, bool keep)
{
    agni_masked x = {.v = t};
    if (t && keep && w->seeds == AGNI_SEEDS_UNITS)
        x.m = agni_nonzero_mask(w->s, t);
    else if (t && keep && w->inner)
        x.m = mask_of(t);
    return x;
}

const agn_tensor *agni_result_masked(const agni_traversal *w, agni_masked x)
{
    const agn_tensor *v = agni_clean_masked(w->s, x);
    if (w->inner && x.m)
        know_mask(v, x.m);
    return v;
}

void agni_jet_rule(agn_scope *s, const agni_rule *r, const agni_grading *g,
                   const agn_tensor *const *c, const agn_tensor *const *mc, const agn_tensor **out,
                   const agn_tensor **my)
{
    int n = g->K + 1;
    hand h;
    begin_rule(s, &h);
    for (int i = 0; i < r->nin; i++)
        for (int k = 1; k < n; k++)
            know_mask(c[i * n + k], mc[i]);
    r->op->jet(s, r, g, c, out);
    for (int o = 0; o < r->nout; o++) { /* one mask for all parts that there are */
        int k = 1;
        while (k < n && !out[o * n + k])
            k++;
        my[o] = k < n ? mask_of(out[o * n + k]) : NULL;
        for (; k < n; k++)
            if (out[o * n + k] && mask_of(out[o * n + k]) != my[o])
                my[o] = NULL;
    }
    end_rule(&h);
}

static void push_map(agn_scope *s, const agni_rule *r, const agni_masked *t, bool keep,
                     agni_masked *ty)
{
    room m;
    const agn_tensor **a = room_open(s, &m, r);
    if (!a)
        return;
    const agn_tensor **y = a + m.width, **b = y + m.width, **x = b + m.width;
    bool masked = false, absent = false, known = is_transparent(r->op);
    agni_rule here = *r;
    if (t[0].m && (x[0] = agni_present_argument(s, r->op, r->x[0], t[0].m)) != r->x[0])
        here.x = x;
    hand h;
    begin_rule(s, &h);
    for (int i = 0; i < r->nin; i++) {
        a[i] = agni_clean_masked(s, t[i]);
        know_mask(a[i], t[i].m);
        masked |= t[i].v && t[i].m;
        absent |= !t[i].v && agni_is_diff_argument(r->op, i);
    }
    agni_node_jvp(s, &here, a, y);
    for (int o = 0; o < r->nout; o++)
        ty[o] = (agni_masked){y[o], known ? NULL : mask_of(y[o]), false};
    end_rule(&h);
    if (known && keep &&
        (masked || (absent && r->op->zeros >= AGNI_ZEROS_JOINED) || makes_zeros(r->op)) &&
        r->op->cls != AGNI_MULTI && !agn_scope_status(s)) {
        for (int i = 0; i < r->nin; i++)
            b[i] = t[i].v ? as_numbers(s, t[i].m, a[i]) : NULL;
        memset(y, 0, (size_t)m.width * sizeof *y);
        agni_node_jvp(s, r, b, y);
        for (int o = 0; o < r->nout; o++)
            ty[o].m = ty[o].v ? agni_nonzero_mask(s, y[o]) : NULL;
    } else if (known && keep && masked && !agn_scope_status(s)) { /* a sum over the operands */
        agni_rule q = joining_rule(s, r, x);
        memset(y, 0, (size_t)m.width * sizeof *y);
        for (int i = 0; i < r->nin; i++)
            b[i] = t[i].v ? as_numbers(s, t[i].m, a[i]) : NULL;
        agni_node_jvp(s, &q, b, y);
        ty[0].m = ty[0].v ? agni_nonzero_mask(s, y[0]) : NULL;
    }
    room_close(&m);
}

static void pull_map(agn_scope *s, const agni_rule *r, const agni_masked *g, const bool *want,
                     const bool *keep, agni_masked *gx)
{
    room m;
    const agn_tensor **a = room_open(s, &m, r);
    if (!a)
        return;
    const agn_tensor **y = a + m.width, **b = y + m.width, **x = b + m.width;
    bool masked = false, kept = false, known = is_transparent(r->op);
    hand h;
    begin_rule(s, &h);
    h.x = r->x;
    h.keep = keep;
    for (int o = 0; o < r->nout; o++) {
        a[o] = agni_clean_masked(s, g[o]);
        know_mask(a[o], g[o].m);
        masked |= g[o].v && g[o].m;
    }
    for (int i = 0; i < r->nin; i++)
        kept |= want[i] && keep[i];
    agni_node_vjp(s, r, a, want, y);
    for (int i = 0; i < r->nin; i++)
        gx[i] = (agni_masked){y[i], known || !keep[i] ? NULL : mask_of(y[i]), false};
    end_rule(&h);
    if (known && kept && (masked || makes_zeros(r->op)) && !agn_scope_status(s)) {
        agni_rule q = joining_rule(s, r, x);
        for (int o = 0; o < r->nout; o++)
            b[o] = g[o].v ? as_numbers(s, g[o].m, a[o]) : NULL;
        memset(y, 0, (size_t)m.width * sizeof *y);
        agni_node_vjp(s, &q, b, want, y);
        for (int i = 0; i < r->nin; i++)
            gx[i].m = gx[i].v ? agni_nonzero_mask(s, y[i]) : NULL;
    } else if (r->op->zeros == AGNI_ZEROS_ABSENT && kept && gx[0].v) {
        gx[0].m = mark_present(s, r->x[0]);
    }
    room_close(&m);
}

static bool is_move(const agni_op *op, int nin)
{
    return op->cls == AGNI_LINEAR && nin == 1 &&
           (op->zeros == AGNI_ZEROS_ALIKE || op->zeros == AGNI_ZEROS_MOVED);
}

/* the mask in the shape of the derivative, which is moved */
static agni_masked move_axes(agn_scope *s, const agni_rule *r, agni_masked t, bool back)
{
    agni_masked y = t;
    if (back)
        agni_node_vjp(s, r, &t.v, &(bool){true}, &y.v);
    else
        agni_node_jvp(s, r, &t.v, &y.v);
    if (!t.m || r->op->zeros == AGNI_ZEROS_ALIKE)
        return y;
    const agn_tensor *m = agni_broadcast(s, t.m, t.v->ndim, t.v->shape);
    if (back)
        agni_node_vjp(s, r, &m, &(bool){true}, &y.m);
    else
        agni_node_jvp(s, r, &m, &y.m);
    return y;
}

/* ---- a + i b, of which one truth value says both parts -------------------------------------- */

extern const agni_op agni_op_complex, agni_op_real, agni_op_imag;

static void push_complex(agn_scope *s, const agni_rule *r, const agni_masked *t, bool keep,
                         agni_masked *ty)
{
    agni_masked a = t[0], b = t[1];
    bool same = !a.v || !b.v || a.m == b.m;
    const agn_tensor *part[2] = {same ? a.v : agni_clean_masked(s, a),
                                 same ? b.v : agni_clean_masked(s, b)};
    agni_node_jvp(s, r, part, &ty[0].v);
    if (same)
        ty[0].m = a.v ? a.m : b.m;
    else if (keep && a.m && b.m)
        ty[0].m = agni_apply_binary(s, &agni_op_logical_or, a.m, b.m);
    ty[0].dirty = same && (a.dirty || b.dirty);
}

static void pull_complex(agn_scope *s, const agni_rule *r, agni_masked g, const bool *want,
                         const bool *keep, agni_masked *gx)
{
    for (int i = 0; i < 2; i++)
        if (want[i]) {
            agni_masked part = g;
            part.v = agni_apply_in(s, i ? &agni_op_imag : &agni_op_real, NULL, 1, &g.v);
            gx[i] = unbroadcast_masked(s, part, r->x[i], keep[i]);
        }
}

bool agni_keeps_masks(const agni_op *op, int nin)
{
    return op == &agni_op_where || is_move(op, nin);
}

bool agni_zeros_are_followed(const agni_op *op)
{
    return op->cls == AGNI_EW || op == &agni_op_where || op == &agni_op_complex ||
           is_transparent(op);
}

bool agni_makes_zeros(const agni_op *op, bool keep)
{
    return op == &agni_op_where || (op->cls == AGNI_EW && agni_op_traits(op) & AGNI_MASKS) ||
           (keep && makes_zeros(op));
}

/* ---- one node -------------------------------------------------------------------------------- */

void agni_masked_jvp(agn_scope *s, const agni_rule *r, const agni_masked *t, bool keep,
                     agni_masked *ty)
{
    bool any = false;
    for (int o = 0; o < r->nout; o++)
        ty[o] = (agni_masked){0};
    for (int i = 0; i < r->nin; i++)
        any |= t[i].v != NULL;
    if (!any || agn_scope_status(s))
        return;
    if (r->op->cls == AGNI_EW && !r->op->jvp && r->op->partial)
        push_elementwise(s, r, t, keep, ty);
    else if (r->op == &agni_op_where)
        push_where(s, r, t, ty);
    else if (r->op == &agni_op_complex)
        push_complex(s, r, t, keep, ty);
    else if (is_move(r->op, r->nin))
        ty[0] = move_axes(s, r, t[0], false);
    else
        push_map(s, r, t, keep, ty);
}

void agni_masked_vjp(agn_scope *s, const agni_rule *r, const agni_masked *g, const bool *want,
                     const bool *keep, agni_masked *gx)
{
    for (int i = 0; i < r->nin; i++)
        gx[i] = (agni_masked){0};
    if (agn_scope_status(s))
        return;
    if (r->op->cls == AGNI_EW && !r->op->vjp && r->op->partial)
        pull_elementwise(s, r, g[0], want, keep, gx);
    else if (r->op == &agni_op_where)
        pull_where(s, r, g[0], want, keep, gx);
    else if (r->op == &agni_op_complex && g[0].v)
        pull_complex(s, r, g[0], want, keep, gx);
    else if (is_move(r->op, r->nin) && want[0] && g[0].v)
        gx[0] = move_axes(s, r, g[0], true);
    else
        pull_map(s, r, g, want, keep, gx);
}

/* does a partial derivative of some node of a loop's step */
static bool is_loop_singular(const agni_obj *loop)
{
    const agni_prog *p = NULL;
    bool any = false;
    loop->type->programs(loop, 0, &p);
    for (int k = 0; k < p->n_node && !any; k++) {
        const agni_pnode *n = &p->node[k];
        const agn_tensor *x[2] = {NULL};
        for (int i = 0; i < n->nin && i < 2; i++)
            x[i] = p->val[p->arg[n->arg + i]];
        any = agni_is_singular(&(agni_rule){n->op, n->at, n->nin, n->nout, x, NULL});
    }
    return any;
}

bool agni_is_singular_node(agni_traversal *w, int k)
{
    const agni_op *op = w->p->node[k].op;
    if (op->cls == AGNI_EW && op != &agni_op_pow) /* it needs no operands */
        return agni_op_traits(op) & AGNI_SINGULAR;
    agni_rule r = agni_traversal_rule(w, k);
    return agni_is_singular(&r);
}

bool agni_is_singular(const agni_rule *r)
{
    const agni_op *op = r->op;
    double p;
    if (op == &agni_op_pow && r->x[1]->weak && !r->x[1]->ndim && !r->x[1]->node && r->x[1]->st &&
        r->x[1]->st->device == AGN_CPU && r->x[1]->dtype == AGN_F64) {
        memcpy(&p, r->x[1]->data, sizeof p);
        return !(p >= 0 && p == floor(p));
    }
    if (op->cls == AGNI_EW)
        return agni_op_traits(op) & AGNI_SINGULAR;
    if (op->loop && r->at && r->at->obj && r->at->obj->type->programs)
        return is_loop_singular(r->at->obj);
    return op->cls == AGNI_SOLVE ? op->zeros != AGNI_ZEROS_ABSENT
                                 : op->cls == AGNI_CONTROL || op->foreign;
}
