/* geometric/blocks/block_rules.c - derivatives and lanes of graph_messages: the same node over
   transformed bodies. Terms stand where their values do; the adjoint of a result that is summed at
   a side is an operand gathered from it (Griewank and Walther 2008), and values of the edges are
   made again. The slope of an extreme is the mean over the edges that attain it. */
#include "geometric/blocks/edge_blocks.h"

#include "autograd/modes/grading.h"

#include <agnesi/ag.h>
#include <math.h>
#include <string.h>

/* Of which node, and what of it takes part: read by every body below. */
typedef struct block_rule {
    const agni_block_form *f;
    const agni_prog *p; /* of the blocks in hand */
    const agni_grading *g;
    const bool *on;   /* operands with terms; wanted operands */
    const bool *gon;  /* results with cotangents */
    int64_t lanes;
    const bool *batched;
} block_rule;

/* Operands and results of the node to be made. */
typedef struct block_lists {
    const agn_tensor **in, **out;
    int64_t *side, *target;
    int rows, nin, nout;
} block_lists;

static bool open_lists(block_lists *l, agn_scope *s, size_t room)
{
    *l = (block_lists){.in = agni_zalloc(2 * (room + 1) * sizeof *l->in),
                       .side = agni_zalloc(2 * (room + 1) * sizeof *l->side)};
    if (!l->in || !l->side) {
        agn_scope_fail(s, agni_nomem("graph_messages", room * sizeof *l->in));
        return false;
    }
    l->out = l->in + room + 1;
    l->target = l->side + room + 1;
    return !agn_scope_status(s);
}
static void close_lists(block_lists *l)
{
    agni_free(l->in);
    agni_free(l->side);
}
static void add_rows(block_lists *l, const agn_tensor *x, int64_t side)
{
    l->side[l->nin] = side;
    l->in[l->nin++] = x;
    l->rows = l->nin;
}
static void add_whole(block_lists *l, const agn_tensor *x)
{
    l->in[l->nin++] = x;
}
static void add_result(block_lists *l, int64_t target)
{
    l->target[l->nout++] = target;
}

static void emit_rule(agn_scope *s, block_rule *q, agn_body *body, block_lists *l)
{
    const agni_edge_blocks *b = q->f->b;
    block_rule each[AGNI_BLOCK_PROGRAMS];
    agni_block_call call = {.g = b->g,
                            .block = b->at[0].rows,
                            .exact = b->exact,
                            .rows = l->rows,
                            .nin = l->nin,
                            .nout = l->nout,
                            .side = l->side,
                            .target = l->target};
    for (int i = 0; i < l->nin; i++)
        if (!l->in[i])
            return;
    for (int k = 0; k < b->n; k++) {
        each[k] = *q;
        each[k].p = b->at[k].p;
        call.body[k] = (agni_c_body){body, &each[k]};
    }
    agni_emit_blocks(s, &call, l->in, l->out);
}

/* where a cotangent or term of a result stands */
static int64_t place_of(int64_t target)
{
    return agni_is_extreme_target(target) ? AGN_GRAPH_DST : target;
}

/* ---- extremes ------------------------------------------------------------------------------- */

static bool has_extremes(const agni_block_form *f)
{
    bool any = false;
    for (int o = 0; o < f->nout; o++)
        any |= agni_is_extreme_target(f->target[o]);
    return any;
}

/* where messages m attain the extreme y of their node: as NaN wins, all that are NaN do */
static const agn_tensor *find_ties(agn_scope *s, const agn_tensor *m, const agn_tensor *y)
{
    return m && y ? ag_logical_or(s, ag_eq(s, m, y), ag_isnan(s, m)) : NULL;
}

/* rows of x, then extremes; whole ones: a number for each extreme, how many attain it */
static agn_status count_body(void *user, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    const block_rule *q = user;
    const agni_block_form *f = q->f;
    const agn_tensor **x = agni_zalloc((size_t)(f->nin + f->nout + 1) * sizeof *x),
                     **m = x + f->nin;
    int at = f->rows, n = 0;
    if (!x)
        return agn_scope_fail(s, agni_nomem("graph_messages", (size_t)f->nin * sizeof *x));
    memcpy(x, in, (size_t)f->rows * sizeof *x);
    for (int o = 0; o < f->nout; o++)
        at += agni_is_extreme_target(f->target[o]);
    for (int i = f->rows; i < f->nin; i++)
        x[i] = in[at++];
    at = f->rows;
    if (!agni_prog_replay(q->p, s, x, m, NULL))
        for (int o = 0; o < f->nout && !agn_scope_status(s); o++)
            if (agni_is_extreme_target(f->target[o])) {
                const agn_tensor *y = in[at++], *tie = find_ties(s, m[o], y);
                out[n++] = tie ? agni_cast(s, tie, agni_dtypes[y->dtype].real) : NULL;
            }
    agni_free(x);
    return agn_scope_status(s);
}

/* At least 1 edge of the c that attain y; NaN where messages that were made again attain none, as
   those of another order of operations may: no slope is better than a part of it. */
static const agn_tensor *guard_count(agn_scope *s, const agni_block_form *f, const agn_tensor *c,
                                     const agn_tensor *y)
{
    agn_tensor *degree = NULL;
    agn_status st = agn_scope_status(s) ? AGN_OK
                                        : agn_graph_degrees(&degree, f->b->g, AGN_GRAPH_DST);
    const agn_tensor *d = agni_adopt_constant(s, st, degree);
    int64_t shape[AGNI_MAX_RANK] = {f->b->g->n[AGN_GRAPH_DST]};
    for (int k = 1; k < y->ndim; k++)
        shape[k] = 1;
    if (!c || !d)
        return NULL;
    const agn_tensor *zero = agni_full(s, 0, c->dtype, 0, NULL),
                     *one = agni_full(s, 1, c->dtype, 0, NULL),
                     *nan = agni_full(s, (double)NAN, c->dtype, 0, NULL),
                     *none = agni_full(s, 0, d->dtype, 0, NULL);
    const agn_tensor *some = ag_gt(s, d, none);
    some = some ? agni_reshape(s, some, y->ndim, shape) : NULL;
    const agn_tensor *lost = some && zero ? ag_logical_and(s, some, ag_eq(s, c, zero)) : NULL;
    return lost && one && nan ? ag_where(s, lost, nan, ag_maximum(s, c, one)) : NULL;
}

/* by result: how many edges attain each extreme */
static bool count_ties(agn_scope *s, const agni_rule *r, const agni_block_form *f,
                       const agn_tensor **many)
{
    block_lists l;
    block_rule q = {.f = f};
    if (!has_extremes(f))
        return !agn_scope_status(s);
    if (open_lists(&l, s, (size_t)(r->nin + r->nout))) {
        for (int i = 0; i < f->rows; i++)
            add_rows(&l, r->x[i], f->side[i]);
        for (int o = 0; o < f->nout; o++)
            if (agni_is_extreme_target(f->target[o])) {
                add_rows(&l, r->y[o], AGN_GRAPH_DST);
                add_result(&l, AGN_GRAPH_DST);
            }
        for (int i = f->rows; i < f->nin; i++)
            add_whole(&l, r->x[i]);
        emit_rule(s, &q, count_body, &l);
        for (int o = 0, n = 0; o < f->nout && !agn_scope_status(s); o++)
            if (agni_is_extreme_target(f->target[o]))
                many[o] = l.out[n++];
    }
    close_lists(&l);
    return !agn_scope_status(s);
}

/* ---- tangents and coefficients -------------------------------------------------------------- */

/* Rows of operands and of their terms, extremes; whole operands and their terms. */
static agn_status series_body(void *user, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    const block_rule *q = user;
    const agni_block_form *f = q->f;
    const agni_prog *p = q->p;
    int K = agni_highest_degree(q->g), off = q->g != NULL, per = K + off, at = 0, n = 0;
    const agn_tensor **x = agni_zalloc((size_t)(f->nin + f->nout + 1) * sizeof *x),
                     **y = x + f->nin;
    const agn_tensor **t = agni_zalloc((size_t)(f->nin + f->nout + 1) * (size_t)per * sizeof *t);
    agni_traversal w = {.p = NULL};
    if (!x || !t) {
        agn_scope_fail(s, agni_nomem("graph_messages", (size_t)f->nin * sizeof *t));
        goto done;
    }
    for (int i = 0; i < f->nin; i++) {
        x[i] = in[at++];
        t[i * per] = q->g ? x[i] : NULL;
        for (int k = 0; q->on[i] && k < K; k++, at++)
            t[i * per + k + off] = i < f->rows && agni_has_lanes(q->g, k + 1)
                                       ? agni_move_axis(s, in[at], 1, 0)
                                       : in[at];
        if (i == f->rows - 1)
            for (int o = 0; o < f->nout; o++)
                if (agni_is_extreme_target(f->target[o]))
                    y[o] = in[at++];
    }
    const agn_tensor **ty = t + f->nin * per;
    if (agn_scope_status(s) || !agni_traversal_replay(&w, s, p, x, q->on))
        goto done;
    if (q->g)
        agni_traverse_jet(&w, q->g, t, ty);
    else
        agni_traverse_jvp(&w, t, ty);
    for (int o = 0; o < f->nout && !agn_scope_status(s); o++) {
        const agn_tensor *value = p->val[p->out[o]];
        if (!agni_is_differentiable(value))
            continue;
        const agn_tensor *tie = y[o] ? find_ties(s, w.prim[p->out[o]], y[o]) : NULL;
        for (int k = 0; k < K && !agn_scope_status(s); k++) {
            const agn_tensor *d = ty[o * per + k + off];
            d = d ? d : agni_grading_zeros(s, q->g, k + 1, value);
            if (tie && d)
                d = ag_where(s, tie, d, agni_full(s, 0, d->dtype, 0, NULL));
            if (d && f->target[o] != AGNI_WHOLE && agni_has_lanes(q->g, k + 1))
                d = agni_move_axis(s, d, 0, 1);
            out[n++] = d;
        }
        if (tie)
            out[n++] = agni_cast(s, tie, agni_dtypes[value->dtype].real);
    }
done:
    agni_traversal_close(&w);
    agni_free(x);
    agni_free(t);
    return agn_scope_status(s);
}

static void blocks_series(agn_scope *s, const agni_rule *r, const agni_grading *g,
                          const agn_tensor *const *c, const agn_tensor **out)
{
    agni_block_form f = agni_read_block_form(r->at, r->nin, r->nout);
    int K = agni_highest_degree(g), off = g != NULL, per = K + off;
    bool *on = agni_zalloc((size_t)r->nin + 1);
    block_lists l = {0};
    if (!on) {
        agn_scope_fail(s, agni_nomem(r->op->name, (size_t)r->nin));
        goto done;
    }
    block_rule q = {.f = &f, .g = g, .on = on};
    if (!open_lists(&l, s, (size_t)(r->nin + r->nout) * (size_t)(K + 1) + (size_t)r->nout))
        goto done;
    for (int i = 0; i < r->nin && !agn_scope_status(s); i++) {
        for (int k = 0; agni_is_differentiable(r->x[i]) && k < K; k++)
            on[i] |= c[i * per + k + off] != NULL;
        bool rows = i < f.rows;
        rows ? add_rows(&l, r->x[i], f.side[i]) : add_whole(&l, r->x[i]);
        for (int k = 0; on[i] && k < K; k++) {
            const agn_tensor *t = c[i * per + k + off];
            t = t ? t : agni_grading_zeros(s, g, k + 1, r->x[i]);
            if (rows && t && agni_has_lanes(g, k + 1))
                t = agni_move_axis(s, t, 0, 1);
            rows ? add_rows(&l, t, f.side[i]) : add_whole(&l, t);
        }
        if (i == f.rows - 1)
            for (int o = 0; o < f.nout; o++)
                if (agni_is_extreme_target(f.target[o]))
                    add_rows(&l, r->y[o], AGN_GRAPH_DST);
    }
    for (int o = 0; o < f.nout; o++) {
        for (int k = 0; agni_is_differentiable(r->y[o]) && k < K; k++)
            add_result(&l, place_of(f.target[o]));
        if (agni_is_differentiable(r->y[o]) && agni_is_extreme_target(f.target[o]))
            add_result(&l, AGN_GRAPH_DST);
    }
    if (!agn_scope_status(s) && l.nout)
        emit_rule(s, &q, series_body, &l);
    for (int o = 0, n = 0; o < f.nout && !agn_scope_status(s); o++) {
        if (!agni_is_differentiable(r->y[o]))
            continue;
        const agn_tensor *many = agni_is_extreme_target(f.target[o])
                                     ? guard_count(s, &f, l.out[n + K], r->y[o])
                                     : NULL;
        for (int k = 0; k < K && !agn_scope_status(s); k++) {
            const agn_tensor *d = l.out[n++];
            if (f.target[o] != AGNI_WHOLE && agni_has_lanes(g, k + 1))
                d = agni_move_axis(s, d, 1, 0);
            out[o * per + k + off] = many ? ag_div(s, d, many) : d;
        }
        n += many != NULL;
    }
done:
    close_lists(&l);
    agni_free(on);
}
void agni_blocks_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                     const agn_tensor **ty)
{
    blocks_series(s, r, NULL, t, ty);
}
void agni_blocks_jet(agn_scope *s, const agni_rule *r, const agni_grading *g,
                     const agn_tensor *const *c, const agn_tensor **out)
{
    blocks_series(s, r, g, c, out);
}

/* ---- cotangents ----------------------------------------------------------------------------- */

/* Rows of operands; rows of cotangents, an extreme before its own; whole operands; cotangents of
   whole results. */
static agn_status pull_body(void *user, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    const block_rule *q = user;
    const agni_block_form *f = q->f;
    const agni_prog *p = q->p;
    int at = f->rows, n = 0;
    const agn_tensor **x = agni_zalloc((size_t)(2 * f->nin + 2 * f->nout + 1) * sizeof *x),
                     **y = x + f->nin;
    const agn_tensor **g = y + f->nout, **gx = g + f->nout;
    agni_traversal w = {.p = NULL};
    if (!x) {
        agn_scope_fail(s, agni_nomem("graph_messages", (size_t)f->nin * sizeof *x));
        goto done;
    }
    memcpy(x, in, (size_t)f->rows * sizeof *x);
    for (int o = 0; o < f->nout; o++)
        if (q->gon[o] && f->target[o] != AGNI_WHOLE) {
            if (agni_is_extreme_target(f->target[o]))
                y[o] = in[at++];
            g[o] = in[at++];
        }
    for (int i = f->rows; i < f->nin; i++)
        x[i] = in[at++];
    for (int o = 0; o < f->nout; o++)
        if (q->gon[o] && f->target[o] == AGNI_WHOLE)
            g[o] = in[at++];
    if (!agni_traversal_replay(&w, s, p, x, q->on))
        goto done;
    for (int o = 0; o < f->nout && !agn_scope_status(s); o++)
        if (y[o]) { /* NaN comes through everywhere */
            const agn_tensor *tie = find_ties(s, w.prim[p->out[o]], y[o]),
                             *zero = agni_full(s, 0, g[o]->dtype, 0, NULL);
            y[o] = tie ? agni_cast(s, tie, agni_dtypes[g[o]->dtype].real) : NULL;
            tie = tie && zero ? ag_logical_or(s, tie, ag_isnan(s, g[o])) : NULL;
            g[o] = tie ? ag_where(s, tie, g[o], zero) : NULL;
        }
    if (agn_scope_status(s))
        goto done;
    agni_traverse_vjp(&w, g, gx);
    for (int i = 0; i < f->nin && !agn_scope_status(s); i++)
        if (q->on[i])
            out[n++] = gx[i] ? gx[i] : agni_zeros_like(s, p->val[i]);
    for (int o = 0; o < f->nout && !agn_scope_status(s); o++)
        if (y[o])
            out[n++] = y[o];
done:
    agni_traversal_close(&w);
    agni_free(x);
    return agn_scope_status(s);
}

/* does a result with a cotangent depend on argument i in some program? Each captures values of its
   own. */
static bool any_reaches(const agni_block_form *f, int i, const bool *gon)
{
    bool any = false;
    for (int k = 0; k < f->b->n; k++)
        any |= agni_argument_reaches(f->b->at[k].p, i, gon);
    return any;
}

/* a number: 0 where the slopes went to as many edges as were counted, else NaN */
static const agn_tensor *compare_counts(agn_scope *s, const agn_tensor *counted,
                                        const agn_tensor *met)
{
    const agn_tensor *zero = counted && met ? agni_full(s, 0, counted->dtype, 0, NULL) : NULL,
                     *nan = zero ? agni_full(s, (double)NAN, counted->dtype, 0, NULL) : NULL;
    const agn_tensor *apart = nan ? ag_any(s, ag_ne(s, counted, met), NULL, 0, false) : NULL;
    return apart ? ag_where(s, apart, nan, zero) : NULL;
}

void agni_blocks_vjp(agn_scope *s, const agni_rule *r, const agn_tensor *const *g, const bool *want,
                     const agn_tensor **gx)
{
    agni_block_form f = agni_read_block_form(r->at, r->nin, r->nout);
    bool *on = agni_zalloc((size_t)(r->nin + r->nout) + 1), *gon = on + r->nin, any = false;
    const agn_tensor **many = agni_zalloc((size_t)(r->nout + 1) * sizeof *many);
    block_lists l = {0};
    if (!on || !many) {
        agn_scope_fail(s, agni_nomem(r->op->name, (size_t)r->nout * sizeof *many));
        goto done;
    }
    for (int o = 0; o < r->nout; o++)
        any |= gon[o] = g[o] != NULL;
    block_rule q = {.f = &f, .on = on, .gon = gon};
    if (!any || !open_lists(&l, s, 2 * (size_t)(r->nin + r->nout)) || !count_ties(s, r, &f, many))
        goto done;
    for (int i = 0; i < f.rows; i++)
        add_rows(&l, r->x[i], f.side[i]);
    for (int o = 0; o < f.nout; o++)
        if (gon[o] && f.target[o] != AGNI_WHOLE) {
            if (agni_is_extreme_target(f.target[o]))
                add_rows(&l, r->y[o], AGN_GRAPH_DST);
            add_rows(&l, many[o] ? ag_div(s, g[o], guard_count(s, &f, many[o], r->y[o])) : g[o],
                     place_of(f.target[o]));
        }
    for (int i = f.rows; i < f.nin; i++)
        add_whole(&l, r->x[i]);
    for (int o = 0; o < f.nout; o++)
        if (gon[o] && f.target[o] == AGNI_WHOLE)
            add_whole(&l, g[o]);
    for (int i = 0; i < f.nin; i++) {
        on[i] = want[i] && agni_is_differentiable(r->x[i]) && any_reaches(&f, i, gon);
        if (on[i])
            add_result(&l, i < f.rows ? f.side[i] : AGNI_WHOLE);
    }
    int wanted = l.nout, n = 0;
    for (int o = 0; wanted && o < f.nout; o++)
        if (many[o] && gon[o])
            add_result(&l, AGN_GRAPH_DST);
    if (!agn_scope_status(s) && wanted)
        emit_rule(s, &q, pull_body, &l);
    const agn_tensor *lost = NULL;
    for (int o = 0, k = wanted; wanted && o < f.nout && !agn_scope_status(s); o++)
        if (many[o] && gon[o]) {
            const agn_tensor *apart = compare_counts(s, many[o], l.out[k++]);
            lost = lost && apart ? ag_add(s, lost, apart) : apart;
        }
    for (int i = 0; i < f.nin && !agn_scope_status(s); i++)
        if (on[i]) {
            gx[i] = l.out[n++];
            if (lost)
                gx[i] = ag_add(s, gx[i], agni_cast(s, lost, gx[i]->dtype));
        }
done:
    close_lists(&l);
    agni_free(on);
    agni_free(many);
}

/* ---- lanes ---------------------------------------------------------------------------------- */

static agn_status lanes_body(void *user, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    const block_rule *q = user;
    const agni_block_form *f = q->f;
    const agn_tensor **x = agni_zalloc((size_t)(f->nin + 1) * sizeof *x);
    bool *bout = agni_zalloc((size_t)f->nout + 1);
    if (!x || !bout)
        agn_scope_fail(s, agni_nomem("graph_messages", (size_t)f->nin * sizeof *x));
    for (int i = 0; i < f->nin && !agn_scope_status(s); i++)
        x[i] = i < f->rows && q->batched[i] ? agni_move_axis(s, in[i], 1, 0) : in[i];
    if (!agn_scope_status(s))
        agni_traverse_batch(s, q->p, q->lanes, x, q->batched, out, bout);
    for (int o = 0; o < f->nout && !agn_scope_status(s); o++) {
        out[o] = agni_ensure_batch_axis(s, out[o], bout[o], q->lanes);
        if (out[o] && f->target[o] != AGNI_WHOLE)
            out[o] = agni_move_axis(s, out[o], 0, 1);
    }
    agni_free(x);
    agni_free(bout);
    return agn_scope_status(s);
}

void agni_blocks_batch(agn_scope *s, const agni_rule *r, int64_t lanes, const agn_tensor *const *in,
                       const bool *batched, const agn_tensor **out, bool *bout)
{
    agni_block_form f = agni_read_block_form(r->at, r->nin, r->nout);
    block_rule q = {.f = &f, .lanes = lanes, .batched = batched};
    block_lists l;
    if (open_lists(&l, s, (size_t)(r->nin + r->nout))) {
        for (int i = 0; i < r->nin; i++)
            if (i < f.rows)
                add_rows(&l, batched[i] ? agni_move_axis(s, in[i], 0, 1) : in[i], f.side[i]);
            else
                add_whole(&l, in[i]);
        for (int o = 0; o < f.nout; o++)
            add_result(&l, f.target[o]);
        if (!agn_scope_status(s))
            emit_rule(s, &q, lanes_body, &l);
        for (int o = 0; o < f.nout && !agn_scope_status(s); o++) {
            out[o] = f.target[o] != AGNI_WHOLE && l.out[o] ? agni_move_axis(s, l.out[o], 1, 0)
                                                           : l.out[o];
            bout[o] = true;
        }
    }
    close_lists(&l);
}
