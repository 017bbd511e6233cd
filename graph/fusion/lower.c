/* graph/fusion/lower.c - lowering of the nodes of a region to tile instructions; a move becomes
   an alias of its operand's rows where possible. */
#include "graph/fusion/lower.h"

#include <math.h>
#include <string.h>

/* ---- nodes ----------------------------------------------------------------------------------- */

static agni_tile_operand all_rows(tile_rows p)
{
    return (agni_tile_operand){AGNI_ON_TILE, p.buf, p.row, 1, 0, 0};
}

/* an element-wise instruction into a buffer of its own */
static tile_rows emit_elementwise(lowering *w, agni_tile_instr in)
{
    in.dst = agni_lower_buffer(w, in.E);
    agni_lower_emit(w, in);
    return (tile_rows){in.dst, 0};
}
static tile_rows emit_map(lowering *w, int map, int32_t E, agni_tile_operand x)
{
    return emit_elementwise(
        w, (agni_tile_instr){.op = AGNI_T_MAP,
                             .nin = 1,
                             .E = E,
                             .in = {x},
                             .elementwise = {(int16_t)map, NULL}});
}
static tile_rows emit_loop2(lowering *w, int loop, int32_t E, agni_tile_operand x,
                            agni_tile_operand y)
{
    return emit_elementwise(
        w, (agni_tile_instr){.op = AGNI_T_LOOP2,
                             .nin = 2,
                             .E = E,
                             .in = {x, y},
                             .elementwise = {(int16_t)loop, NULL}});
}

static void lower_elementwise(lowering *w, const agni_pnode *n, const agni_op_tile_form *f)
{
    const agn_tensor *y = value_tensor(w, n->val);
    agni_elementwise_form ef = {0};
    agni_tile_elementwise_form(n->op, w->r->dtype, &ef);
    int32_t E = agni_lower_rows_of(w, n->val);
    agni_tile_instr in = {.op = (uint8_t)ef.kind,
                          .nin = n->nin,
                          .E = E,
                          .elementwise = {ef.f, n->at ? n->at->i : NULL}};
    for (int i = 0; i < n->nin; i++)
        in.in[ef.swap ? 1 - i : i] = agni_lower_operand(
            w, agni_node_arg(w->ir, n, i), f->in_axis[i], y, f->axis,
            ef.kind == AGNI_T_LOOP2 || ef.kind == AGNI_T_LOOP3);
    if (n->op->ew == AGNI_EW_logical_not)
        in.in[in.nin++] = agni_lower_number(w, 0);
    if (n->op->ew == AGNI_EW_isneginf || n->op->ew == AGNI_EW_isposinf)
        in.in[in.nin++] = agni_lower_number(w,
                                            n->op->ew == AGNI_EW_isposinf ? HUGE_VAL : -HUGE_VAL);
    if (n->op->ew == AGNI_EW_isinf) {
        in.in[in.nin++] = agni_lower_number(w, HUGE_VAL);
        in.in[0] = all_rows(emit_map(w, AGNI_VM_abs, E, in.in[0]));
    }
    if (n->op->ew == AGNI_EW_isnan)
        in.in[in.nin++] = in.in[0];
    if (n->op->ew == AGNI_EW_isfinite) {
        in.in[in.nin++] = agni_lower_number(w, 0);
        in.in[0] = all_rows(emit_loop2(w, AGNI_V2_sub, E, in.in[0], in.in[0]));
    }
    w->at[n->val] = emit_elementwise(w, in);
}

/* idx[e]: row of the operand that is row e of the result */
static void lower_move(lowering *w, const agni_pnode *n, const agni_op_tile_form *f)
{
    int32_t v = agni_node_arg(w->ir, n, 0), E = agni_lower_rows_of(w, n->val),
            Ex = agni_lower_rows_of(w, v);
    const agn_tensor *x = value_tensor(w, v), *y = value_tensor(w, n->val);
    const agni_attr *at = n->at;
    int64_t shape[AGNI_MAX_RANK], in[AGNI_MAX_RANK], own[AGNI_MAX_RANK],
        full[AGNI_MAX_RANK];
    int64_t step[AGNI_MAX_RANK] = {0}, base = 0;
    tile_rows p = agni_lower_batched(w, v, f->in_axis[0]);
    if (n->op == &agni_op_reshape || n->op == &agni_op_cast) {
        w->at[n->val] = p;
        return;
    }
    int32_t *idx = agni_alloc((size_t)(E + Ex + 1) * sizeof *idx);
    if (!idx) {
        w->failed = true;
        return;
    }
    /* strides of x's axes over its inner rows, 0 along the batch */
    int m = agni_lower_inner(x, f->in_axis[0], in);
    agni_lower_dense(m, in, own);
    for (int d = 0, k = 0; d < x->ndim; d++)
        full[d] = d == f->in_axis[0] ? 0 : own[k++];
    int64_t by[AGNI_MAX_RANK] = {0}; /* of y's axes */
    int na = at ? at->ni : 0;
    if (n->op == &agni_op_permute) {
        memcpy(by, full, (size_t)x->ndim * sizeof *by);
        for (int k = 0; k < na; k++)
            by[x->ndim - na + k] = full[x->ndim + at->i[k]];
    } else if (n->op == &agni_op_broadcast_to) {
        for (int d = 0; d < x->ndim; d++)
            by[y->ndim - x->ndim + d] = x->shape[d] == 1 ? 0 : full[d];
    } else if (n->op == &agni_op_slice) {
        memcpy(by, full, (size_t)x->ndim * sizeof *by);
        for (int k = 0; k < na / 3; k++) {
            int d = x->ndim - na / 3 + k;
            base += at->i[3 * k] * full[d];
            if (y->shape[d] > 1) /* else the step is never taken */
                by[d] = at->i[3 * k + 1] * full[d];
        }
    }
    int ny = agni_lower_inner(y, f->axis, shape);
    if (n->op == &agni_op_unslice) { /* the other way round: where rows of x go */
        int64_t yown[AGNI_MAX_RANK], yfull[AGNI_MAX_RANK];
        agni_lower_dense(ny, shape, yown);
        for (int d = 0, k = 0; d < y->ndim; d++)
            yfull[d] = d == f->axis ? 0 : yown[k++];
        for (int k = 0; k < na / 3; k++) {
            int d = y->ndim - na / 3 + k;
            base += at->i[3 * k] * yfull[d];
            if (x->shape[d] > 1)
                yfull[d] *= at->i[3 * k + 1];
        }
        for (int d = 0, k = 0; d < y->ndim; d++)
            if (d != f->axis)
                step[k++] = yfull[d];
        for (int32_t e = 0; e < E; e++)
            idx[e] = -1;
        agni_lower_offsets(m, in, step, base, idx + E, Ex, 1);
        for (int32_t e = 0; e < Ex; e++)
            idx[idx[E + e]] = p.row + e;
    } else {
        for (int d = 0, k = 0; d < y->ndim; d++)
            if (d != f->axis)
                step[k++] = by[d];
        agni_lower_offsets(ny, shape, step, p.row + base, idx, E, 1);
    }
    bool run = E > 0 && idx[0] >= 0;
    for (int32_t e = 1; e < E; e++)
        run = run && idx[e] == idx[0] + e;
    if (run)
        w->at[n->val] = (tile_rows){p.buf, idx[0]};
    else
        w->at[n->val] = agni_lower_gathered(
            w, (agni_tile_operand){.kind = AGNI_ON_TILE, .id = p.buf}, idx, E);
    agni_free(idx);
}

static void lower_concat(lowering *w, const agni_pnode *n, const agni_op_tile_form *f)
{
    const agn_tensor *y = value_tensor(w, n->val);
    int64_t shape[AGNI_MAX_RANK], own[AGNI_MAX_RANK], at = 0;
    int32_t E = agni_lower_rows_of(w, n->val), b = agni_lower_buffer(w, E);
    int ny = agni_lower_inner(y, f->axis, shape), c = y->ndim + (int)n->at->i[0];
    int ci = c - (c > f->axis);
    agni_lower_dense(ny, shape, own);
    for (int i = 0; i < n->nin && !w->failed; i++) {
        int32_t v = agni_node_arg(w->ir, n, i), Ex = agni_lower_rows_of(w, v), t = 0;
        int64_t in[AGNI_MAX_RANK];
        tile_rows p = agni_lower_batched(w, v, f->axis);
        agni_lower_inner(value_tensor(w, v), f->axis, in);
        t = agni_lower_table(w, 2 * Ex);
        if (w->failed)
            return;
        agni_lower_offsets(ny, in, own, at * own[ci], w->r->table + t, Ex, 2);
        for (int32_t e = 0; e < Ex; e++)
            w->r->table[t + 2 * e + 1] = p.row + e;
        agni_lower_emit(w, (agni_tile_instr){.op = AGNI_T_GATHER_ROWS,
                                         .nin = 1,
                                         .dst = b,
                                             .E = Ex,
                                             .in = {{AGNI_ON_TILE, p.buf, 0, 0, 0, 0}},
                                             .gather = {t}});
        at += value_tensor(w, v)->shape[c];
    }
    w->at[n->val] = (tile_rows){b, 0};
}

/* the rows p of x, folded over axes other than the batch, one group of neighbours after the
   other */
static tile_rows lower_reduction(lowering *w, tile_rows p, const agn_tensor *x, int axis,
                                 const agni_attr *a, int f)
{
    bool gone[AGNI_MAX_RANK] = {false}, gi[AGNI_MAX_RANK];
    int64_t shape[AGNI_MAX_RANK];
    int n = agni_lower_inner(x, axis, shape);
    for (int k = 1; k < a->ni; k++)
        gone[a->i[k] + x->ndim] = true;
    for (int d = 0, k = 0; d < x->ndim; d++)
        if (d != axis)
            gi[k++] = gone[d];
    for (int hi = n; hi > 0;) {
        if (!gi[hi - 1]) {
            hi--;
            continue;
        }
        int lo = hi;
        int64_t outer = 1, many = 1, in = 1;
        while (lo > 0 && gi[lo - 1])
            many *= shape[--lo];
        for (int d = 0; d < lo; d++)
            outer *= shape[d];
        for (int d = hi; d < n; d++)
            in *= shape[d];
        for (int d = lo; d < hi; d++)
            shape[d] = 1;
        hi = lo;
        if (many == 1)
            continue;
        int32_t b = agni_lower_buffer(w, (int32_t)(outer * in));
        agni_lower_emit(w, (agni_tile_instr){.op = AGNI_T_REDUCE,
                                             .nin = 1,
                                             .dst = b,
                                             .E = (int32_t)(outer * in),
                                             .in = {all_rows(p)},
                                             .reduce = {(int16_t)f, outer, many, in}});
        p = (tile_rows){b, 0};
    }
    return p;
}

/* m + log sum exp(x - m), m the finite part of the largest */
static tile_rows lower_logsumexp(lowering *w, tile_rows p, const agn_tensor *x, int axis,
                                 const agni_attr *a)
{
    int64_t shape[AGNI_MAX_RANK], one[AGNI_MAX_RANK], step[AGNI_MAX_RANK];
    tile_rows m = lower_reduction(w, p, x, axis, a, AGNI_V2_max);
    int n = agni_lower_inner(x, axis, shape);
    int32_t Ex = 1, E = 1;
    memcpy(one, shape, sizeof one);
    for (int k = 1; k < a->ni; k++) {
        int d = (int)a->i[k] + x->ndim;
        one[d - (d > axis)] = 1;
    }
    agni_lower_dense(n, one, step);
    for (int d = 0; d < n; d++) {
        step[d] = one[d] == 1 ? 0 : step[d];
        Ex *= (int32_t)shape[d];
        E *= (int32_t)one[d];
    }
    agni_tile_operand zero = agni_lower_number(w, 0);
    tile_rows finite = emit_loop2(
        w, AGNI_V2_eq, E, all_rows(emit_loop2(w, AGNI_V2_sub, E, all_rows(m), all_rows(m))), zero);
    m = emit_elementwise(w, (agni_tile_instr){.op = AGNI_T_LOOP3,
                                              .nin = 3,
                                              .E = E,
                                              .in = {all_rows(finite), all_rows(m), zero},
                                              .elementwise = {AGNI_V3_where, NULL}});
    agni_tile_operand maximum = agni_lower_broadcast(w, all_rows(m), n, shape, step, true);
    tile_rows y = emit_map(w, AGNI_VM_exp, Ex,
                           all_rows(emit_loop2(w, AGNI_V2_sub, Ex, all_rows(p), maximum)));
    y = emit_map(w, AGNI_VM_log, E, all_rows(lower_reduction(w, y, x, axis, a, AGNI_V2_add)));
    return emit_loop2(w, AGNI_V2_add, E, all_rows(y), all_rows(m));
}

static int32_t packed_weights(lowering *w, int32_t v, int64_t ldk, int64_t ldj, int64_t K,
                              int64_t J)
{
    agni_region *r = w->r;
    int32_t arr = agni_lower_array(w, v);
    for (int32_t i = 0; i < r->n_pack; i++) {
        const agni_packed_weights *q = &r->pack[i];
        if (q->arr == arr && q->ldk == ldk && q->ldj == ldj && q->K == K && q->J == J)
            return i;
    }
    if (!agni_lower_room(w, &r->pack, &r->cap_pack, r->n_pack + 1, sizeof *r->pack))
        return 0;
    r->pack[r->n_pack] = (agni_packed_weights){arr, ldk, ldj, K, J, r->packed, 0, 0};
    r->packed += (K * J + 15) / 16 * 16;
    return r->n_pack++;
}

/* All pairs of an accumulator in one instruction, when the last one has come. */
static void emit_outer_products(lowering *w, int64_t acc, int64_t K, int64_t J, bool complete)
{
    enum { MAX_PAIRS = 8 };
    int n = 0;
    for (int32_t i = 0; i < w->n_pair; i++)
        n += w->pair[i].acc == acc;
    if (!complete && n < MAX_PAIRS)
        return;
    int32_t t = agni_lower_table(w, 4 * n), kept = 0, *q = w->r->table + t;
    if (w->failed)
        return;
    for (int32_t i = 0; i < w->n_pair; i++) {
        struct pair p = w->pair[i];
        if (p.acc != acc) {
            w->pair[kept++] = p;
            continue;
        }
        *q++ = p.x.buf;
        *q++ = p.x.row;
        *q++ = p.g.buf;
        *q++ = p.g.row;
    }
    w->n_pair = kept;
    w->r->fused += n - 1;
    agni_lower_emit(w, (agni_tile_instr){.op = AGNI_T_OUTER_PRODUCT,
                                         .dst = -1,
                                         .dst_row = (int32_t)acc,
                                         .outer = {K, J, t, n}});
}

static void lower_matmul(lowering *w, const agni_pnode *n, const agni_op_tile_form *f)
{
    agni_region *r = w->r;
    int32_t va = agni_node_arg(w->ir, n, 0), vb = agni_node_arg(w->ir, n, 1);
    const agn_tensor *a = value_tensor(w, va), *b = value_tensor(w, vb);
    int64_t M = a->shape[a->ndim - 2], K = a->shape[a->ndim - 1],
            J = b->shape[b->ndim - 1];
    if (f->product == AGNI_MM_BATCH) {
        tile_rows x = agni_lower_batched(w, va, 1), g = agni_lower_batched(w, vb, 0);
        if (!agni_lower_room(w, &w->pair, &w->cap_pair, w->n_pair + 1, sizeof *w->pair))
            return;
        w->pair[w->n_pair++] = (struct pair){w->acc[n->val], x, g};
        emit_outer_products(w, w->acc[n->val], M, J, --w->terms[w->acc_root[n->val]] == 0);
        r->flops += 2 * M * J;
        return;
    }
    int32_t E = agni_lower_rows_of(w, n->val), dst = agni_lower_buffer(w, E);
    r->flops += 2 * E * K;
    w->at[n->val] = (tile_rows){dst, 0};
    if (f->product == AGNI_MM_BOTH) {
        tile_rows x = agni_lower_batched(w, va, f->in_axis[0]),
              g = agni_lower_batched(w, vb, f->in_axis[1]);
        agni_lower_emit(w, (agni_tile_instr){.op = AGNI_T_BATCHED_PRODUCT,
                                         .nin = 2,
                                             .dst = dst,
                                             .E = E,
                                             .in = {all_rows(x), all_rows(g)},
                                             .batched = {M, K, J, E / (M * J)}});
        return;
    }
    bool rows = f->product == AGNI_MM_ROWS;
    int32_t vx = rows ? va : vb, vw = rows ? vb : va;
    const agn_tensor *h = w->p->val[vw].h;
    int64_t s1 = h->stride[h->ndim - 1], s2 = h->stride[h->ndim - 2];
    tile_rows x = agni_lower_batched(w, vx, f->in_axis[!rows]);
    int64_t wide = f->product == AGNI_MM_LEFT ? J : 1, out = rows ? J : M;
    int32_t many = (int32_t)(E / (out * wide));
    int32_t t = agni_lower_table(w, many * AGNI_PRODUCT_INTS);
    if (w->failed)
        return;
    for (int32_t i = 0; i < many; i++) {
        agni_tile_product q = {.x = x.buf,
                               .x_row = x.row + i * (int32_t)(K * wide),
                               .y = dst,
                               .y_row = i * (int32_t)(out * wide),
                               .bias = -1};
        memcpy(r->table + t + i * AGNI_PRODUCT_INTS, &q, sizeof q);
    }
    int32_t pack = rows ? packed_weights(w, vw, s2, s1, K, J) : packed_weights(w, vw, s1, s2, K, M);
    agni_lower_emit(w, (agni_tile_instr){.op = AGNI_T_PRODUCT,
                                         .dst = -1,
                                         .E = E,
                                         .product = {K, out, wide, pack, t, many}});
}

void agni_lower_node(lowering *w, int k)
{
    const agni_pnode *n = &w->ir->node[k];
    agni_op_tile_form f = agni_tile_form(w->c, w->ir, w->r->group, k);
    if (n->op == &agni_op_add && w->c->mode[k] == AGNI_REDUCE)
        return; /* its terms add to one accumulator */
    if (n->op->ew >= 0) {
        lower_elementwise(w, n, &f);
    } else if (n->op == &agni_op_matmul) {
        lower_matmul(w, n, &f);
    } else if (n->op == &agni_op_concat) {
        lower_concat(w, n, &f);
    } else if (agni_tile_reduction(n->op) >= 0) {
        int32_t v = agni_node_arg(w->ir, n, 0), by = agni_tile_reduction(n->op),
                axis = f.in_axis[0];
        tile_rows p = agni_lower_batched(w, v, axis);
        p = by == AGNI_LOG_SUM_EXP ? lower_logsumexp(w, p, value_tensor(w, v), axis, n->at)
                                   : lower_reduction(w, p, value_tensor(w, v), axis, n->at, by);
        if (f.mode == AGNI_TILE)
            w->at[n->val] = p;
        else
            agni_lower_emit(w, (agni_tile_instr){.op = AGNI_T_BATCH_SUM,
                                                 .nin = 1,
                                                 .dst = -1,
                                                 .dst_row = (int32_t)w->acc[n->val],
                                                 .E = (int32_t)value_tensor(w, n->val)->size,
                                                 .in = {all_rows(p)}});
    } else {
        lower_move(w, n, &f);
    }
}

/* What regions alone read lies as in their tiles, the batch innermost: rows an odd number of cache
   lines apart, which are in different sets. */
static bool allocate_kept(lowering *w, int32_t v)
{
    agn_tensor *h = w->p->val[v].h;
    const int64_t line = AGNI_PLAN_ALIGN / w->r->bytes;
    int64_t step = (w->r->N + line - 1) / line * line, bytes = w->r->bytes;
    step += step / line % 2 ? 0 : line;
    for (int d = h->ndim - 1; d >= 0; d--) {
        if (d == w->c->axis[v])
            continue;
        h->stride[d] = step;
        step *= h->shape[d];
    }
    h->stride[w->c->axis[v]] = 1;
    w->p->val[v].buffer = agni_plan_add_buffer(
        w->p, (agni_buffer){AGNI_IN_ARENA, v, 0, step * bytes, w->p->n_step, w->p->n_step});
    return w->p->val[v].buffer >= 0;
}

void agni_lower_store(lowering *w, int32_t v)
{
    int axis = w->c->axis[v];
    const agn_tensor *h = w->p->val[v].h;
    int32_t E = agni_lower_rows_of(w, v), t = agni_lower_table(w, E);
    bool far = w->c->kept[v] && w->p->val[v].buffer < 0;
    if (w->failed || !(far ? allocate_kept(w, v) : agni_plan_allocate(w->p, v))) {
        w->failed = true;
        return;
    }
    agni_lower_places(w, h, axis, t, E);
    agni_tile_operand to = {.kind = AGNI_ON_ARRAY, .id = agni_lower_array(w, v)};
    agni_lower_emit(w,
                    (agni_tile_instr){.op = AGNI_T_STORE,
                                      .nin = 2,
                                      .dst = -1,
                                      .E = E,
                                      .in = {all_rows(w->at[v]), to},
                                      .access = {h->stride[axis], t, h->dtype == AGN_BOOL}});
}
