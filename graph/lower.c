/* graph/lower.c - from the nodes of a region to instructions on tiles: operands found or
   loaded, moves turned into other names where possible, buffers laid out by their lifetime. */
#include "graph/tile.h"

#include <stdlib.h>
#include <string.h>

typedef struct place {
    int32_t buf, row;
} place;

typedef struct load {
    int32_t v, axis, buf;
} load;

typedef struct low {
    agni_plan *p;
    const agni_ir *ir;
    const agni_cut *c;
    agni_region *r;
    place *at;      /* of tile values; buf -1: not yet */
    int32_t *arr;   /* number of a value's array in the region, -1 */
    int64_t *acc;   /* of reductions: first accumulator, -1 */
    bool *need;     /* nodes */
    load *load;
    int32_t n_load, cap_load;
    struct pair { /* outer products that wait for others of the same accumulator */
        int64_t acc;
        place x, g;
    } *pair;
    int32_t n_pair, cap_pair;
    int32_t *acc_root; /* of reductions: the value whose accumulator they share */
    int32_t *terms; /* of reductions, by value: products still to come */
    int32_t *order; /* needed nodes as they will run */
    bool failed;
} low;

static bool room(low *w, void *items, int32_t *cap, int32_t need, size_t item)
{
    void **q = items;
    if (need <= *cap)
        return true;
    int32_t more = *cap ? 2 * *cap : 64;
    while (more < need)
        more *= 2;
    void *m = agni_realloc(*q, (size_t)more * item);
    if (!m) {
        w->failed = true;
        return false;
    }
    *q = m;
    *cap = more;
    return true;
}

/* ---- pieces ------------------------------------------------------------------------------ */

static const agn_tensor *of(const low *w, int32_t v)
{
    return w->ir->val[v].t;
}
static int32_t rows_of(const low *w, int32_t v)
{
    return (int32_t)(of(w, v)->size / w->r->N);
}

static int32_t buffer(low *w, int32_t rows)
{
    agni_region *r = w->r;
    if (!room(w, &r->buf, &r->cap_buf, r->n_buf + 1, sizeof *r->buf))
        return 0;
    r->buf[r->n_buf] = (agni_tbuf){rows, -1, -1, 0};
    return r->n_buf++;
}

static void emit(low *w, agni_tinstr in)
{
    agni_region *r = w->r;
    if (room(w, &r->in, &r->cap_in, r->n_in + 1, sizeof *r->in))
        r->in[r->n_in++] = in;
}

static int32_t table(low *w, int32_t n)
{
    agni_region *r = w->r;
    if (!room(w, &r->table, &r->cap_table, r->n_table + n, sizeof *r->table))
        return -1;
    r->n_table += n;
    return r->n_table - n;
}

static int32_t array(low *w, int32_t v)
{
    agni_region *r = w->r;
    if (w->arr[v] >= 0)
        return w->arr[v];
    agni_plan_use(w->p, v);
    int32_t a = agni_plan_array(w->p, v);
    if (a < 0 || !room(w, &r->arr, &r->cap_arr, r->n_arr + 1, sizeof *r->arr)) {
        w->failed = true;
        return 0;
    }
    r->arr[r->n_arr] = a;
    return w->arr[v] = r->n_arr++;
}

static agni_opnd number(low *w, double num)
{
    agni_region *r = w->r;
    for (int32_t i = 0; i < r->n_num; i++)
        if (!memcmp(&r->num[i], &num, sizeof num))
            return (agni_opnd){AGNI_ON_NUMBER, i, 0, 0};
    if (!room(w, &r->num, &r->cap_num, r->n_num + 1, sizeof *r->num) ||
        !room(w, &r->num32, &r->cap_num32, r->n_num + 1, sizeof *r->num32))
        return (agni_opnd){AGNI_ON_NUMBER, 0, 0, 0};
    r->num[r->n_num] = num;
    r->num32[r->n_num] = (float)num;
    return (agni_opnd){AGNI_ON_NUMBER, r->n_num++, 0, 0};
}

/* ---- walking over the elements of one row of the batch --------------------------------------- */

/* shape without the batch axis */
static int inner(const agn_tensor *t, int axis, int64_t *shape)
{
    int n = 0;
    for (int d = 0; d < t->ndim; d++)
        if (d != axis)
            shape[n++] = t->shape[d];
    return n;
}
static void dense(int n, const int64_t *shape, int64_t *stride)
{
    int64_t step = 1;
    for (int d = n - 1; d >= 0; d--) {
        stride[d] = step;
        step *= shape[d];
    }
}
/* out[e] = sum of index times stride, e over shape in row-major order */
static void offsets(int n, const int64_t *shape, const int64_t *stride, int64_t base, int32_t *out,
                    int32_t E, int by)
{
    int64_t at[AGNI_MAX_RANK] = {0}, off = base;
    for (int32_t e = 0; e < E; e++) {
        out[e * by] = (int32_t)off;
        for (int d = n - 1; d >= 0; d--) {
            off += stride[d];
            if (++at[d] < shape[d])
                break;
            off -= stride[d] * shape[d];
            at[d] = 0;
        }
    }
}

/* ---- operands ------------------------------------------------------------------------------------ */

static bool here(const low *w, int32_t v)
{
    int k = w->ir->val[v].node;
    return w->c->axis[v] >= 0 && k >= 0 && w->c->group[k] == w->r->group && w->at[v].buf >= 0;
}

/* a value with the batch along axis: computed in the tile, or loaded from its array */
static place batched(low *w, int32_t v, int axis)
{
    if (here(w, v))
        return w->at[v];
    for (int32_t i = 0; i < w->n_load; i++)
        if (w->load[i].v == v && w->load[i].axis == axis)
            return (place){w->load[i].buf, 0};
    int32_t E = rows_of(w, v), t = table(w, E), b = buffer(w, E);
    if (w->failed || !room(w, &w->load, &w->cap_load, w->n_load + 1, sizeof *w->load))
        return (place){0, 0};
    const agn_tensor *h = w->p->val[v].h;
    int64_t shape[AGNI_MAX_RANK], stride[AGNI_MAX_RANK];
    int n = inner(h, axis, shape);
    for (int d = 0, k = 0; d < h->ndim; d++)
        if (d != axis)
            stride[k++] = h->stride[d];
    offsets(n, shape, stride, 0, w->r->table + t, E, 1);
    emit(w, (agni_tinstr){.op = AGNI_T_LOAD, .dst = b, .E = E, .table = t,
                          .in = {{AGNI_ON_ARRAY, array(w, v), 0, 0}},
                          .n = {h->stride[axis]}});
    w->load[w->n_load++] = (load){v, axis, b};
    return (place){b, 0};
}

/* in's rows as table[e] says, in a new buffer */
static place picked(low *w, agni_opnd in, const int32_t *idx, int32_t E)
{
    int32_t b = buffer(w, E), t = table(w, 2 * E);
    if (w->failed)
        return (place){0, 0};
    for (int32_t e = 0; e < E; e++) {
        w->r->table[t + 2 * e] = e;
        w->r->table[t + 2 * e + 1] = idx[e];
    }
    emit(w, (agni_tinstr){.op = AGNI_T_ROWS, .nin = 1, .dst = b, .E = E, .in = {in}, .table = t});
    return (place){b, 0};
}

/* Operand v of an element-wise node whose result has this inner shape: rows in arithmetic
   progression, or copied until they are. */
static agni_opnd operand(low *w, int32_t v, int axis, const agn_tensor *y, int yaxis)
{
    const agni_ival *q = &w->ir->val[v];
    int64_t shape[AGNI_MAX_RANK], stride[AGNI_MAX_RANK] = {0}, own[AGNI_MAX_RANK];
    if (axis < 0 && q->constant && q->splat)
        return number(w, q->num);
    int n = inner(y, yaxis, shape);
    int64_t E = 1;
    for (int d = 0; d < n; d++)
        E *= shape[d];
    const agn_tensor *t = of(w, v), *h = w->p->val[v].h;
    agni_opnd o = {AGNI_ON_TILE, 0, 0, 1};
    if (axis >= 0) {
        place p = batched(w, v, axis);
        int64_t in[AGNI_MAX_RANK];
        int m = inner(t, axis, in);
        dense(m, in, own);
        for (int d = 0; d < m; d++)
            stride[n - m + d] = in[d] == 1 ? 0 : own[d];
        o.id = p.buf;
        o.row = p.row;
    } else {
        int beyond = y->ndim - yaxis; /* where the batch would be, from the end */
        int k = n;
        for (int d = t->ndim - 1; d >= 0; d--)
            if (t->ndim - d != beyond)
                stride[--k] = t->shape[d] == 1 ? 0 : h->stride[d];
        o = (agni_opnd){AGNI_ON_ARRAY, array(w, v), 0, 1};
    }
    int32_t *off = agni_alloc((size_t)(E + 1) * sizeof *off);
    if (!off) {
        w->failed = true;
        return o;
    }
    offsets(n, shape, stride, o.row, off, (int32_t)E, 1);
    o.row = off[0];
    o.step = E > 1 ? off[1] - off[0] : 0;
    bool even = true;
    for (int64_t e = 1; e < E; e++)
        even = even && off[e] - off[e - 1] == o.step;
    if (!even) {
        agni_opnd base = {o.kind, o.id, 0, 0};
        place p = picked(w, base, off, (int32_t)E);
        o = (agni_opnd){AGNI_ON_TILE, p.buf, p.row, 1};
    }
    agni_free(off);
    return o;
}

/* ---- nodes ------------------------------------------------------------------------------------------ */

static void elementwise(low *w, const agni_pnode *n, const agni_form *f)
{
    const agn_tensor *y = of(w, n->val);
    agni_ew_form ef = {0};
    agni_tile_ew(n->op, w->r->dtype, &ef);
    int32_t E = rows_of(w, n->val);
    agni_tinstr in = {.op = (uint8_t)ef.kind, .f = ef.f, .nin = n->nin, .E = E,
                      .at = n->at ? n->at->i : NULL};
    for (int i = 0; i < n->nin; i++)
        in.in[ef.swap ? 1 - i : i] = operand(w, agni_arg(w->ir, n, i), f->in_axis[i], y, f->axis);
    if (!strcmp(n->op->name, "logical_not"))
        in.in[in.nin++] = number(w, 0);
    if (!strcmp(n->op->name, "isnan"))
        in.in[in.nin++] = in.in[0];
    in.dst = buffer(w, E);
    emit(w, in);
    w->at[n->val] = (place){in.dst, 0};
}

/* idx[e]: row of the operand that is row e of the result */
static void move(low *w, const agni_pnode *n, const agni_form *f)
{
    int32_t v = agni_arg(w->ir, n, 0), E = rows_of(w, n->val), Ex = rows_of(w, v);
    const agn_tensor *x = of(w, v), *y = of(w, n->val);
    const agni_attr *at = n->at;
    int64_t shape[AGNI_MAX_RANK], in[AGNI_MAX_RANK], own[AGNI_MAX_RANK], full[AGNI_MAX_RANK];
    int64_t step[AGNI_MAX_RANK] = {0}, base = 0;
    place p = batched(w, v, f->in_axis[0]);
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
    int m = inner(x, f->in_axis[0], in);
    dense(m, in, own);
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
            by[d] = at->i[3 * k + 1] * full[d];
        }
    }
    int ny = inner(y, f->axis, shape);
    if (n->op == &agni_op_unslice) { /* the other way round: where rows of x go */
        int64_t yown[AGNI_MAX_RANK], yfull[AGNI_MAX_RANK];
        dense(ny, shape, yown);
        for (int d = 0, k = 0; d < y->ndim; d++)
            yfull[d] = d == f->axis ? 0 : yown[k++];
        for (int k = 0; k < na / 3; k++) {
            int d = y->ndim - na / 3 + k;
            base += at->i[3 * k] * yfull[d];
            yfull[d] *= at->i[3 * k + 1];
        }
        for (int d = 0, k = 0; d < y->ndim; d++)
            if (d != f->axis)
                step[k++] = yfull[d];
        for (int32_t e = 0; e < E; e++)
            idx[e] = -1;
        offsets(m, in, step, base, idx + E, Ex, 1);
        for (int32_t e = 0; e < Ex; e++)
            idx[idx[E + e]] = p.row + e;
    } else {
        for (int d = 0, k = 0; d < y->ndim; d++)
            if (d != f->axis)
                step[k++] = by[d];
        offsets(ny, shape, step, p.row + base, idx, E, 1);
    }
    bool run = E > 0 && idx[0] >= 0;
    for (int32_t e = 1; e < E; e++)
        run = run && idx[e] == idx[0] + e;
    if (run)
        w->at[n->val] = (place){p.buf, idx[0]};
    else
        w->at[n->val] = picked(w, (agni_opnd){AGNI_ON_TILE, p.buf, 0, 0}, idx, E);
    agni_free(idx);
}

static void join(low *w, const agni_pnode *n, const agni_form *f)
{
    const agn_tensor *y = of(w, n->val);
    int64_t shape[AGNI_MAX_RANK], own[AGNI_MAX_RANK], at = 0;
    int32_t E = rows_of(w, n->val), b = buffer(w, E);
    int ny = inner(y, f->axis, shape), c = y->ndim + (int)n->at->i[0];
    int ci = c - (c > f->axis);
    dense(ny, shape, own);
    for (int i = 0; i < n->nin && !w->failed; i++) {
        int32_t v = agni_arg(w->ir, n, i), Ex = rows_of(w, v), t = 0;
        int64_t in[AGNI_MAX_RANK];
        place p = batched(w, v, f->axis);
        inner(of(w, v), f->axis, in);
        t = table(w, 2 * Ex);
        if (w->failed)
            return;
        offsets(ny, in, own, at * own[ci], w->r->table + t, Ex, 2);
        for (int32_t e = 0; e < Ex; e++)
            w->r->table[t + 2 * e + 1] = p.row + e;
        emit(w, (agni_tinstr){.op = AGNI_T_ROWS, .nin = 1, .dst = b, .E = Ex, .table = t,
                              .in = {{AGNI_ON_TILE, p.buf, 0, 0}}});
        at += of(w, v)->shape[c];
    }
    w->at[n->val] = (place){b, 0};
}

/* sums over axes other than the batch, one group of neighbours after the other */
static place folded(low *w, int32_t v, int axis, const agni_attr *a)
{
    const agn_tensor *x = of(w, v);
    place p = batched(w, v, axis);
    bool gone[AGNI_MAX_RANK] = {false}, gi[AGNI_MAX_RANK];
    int64_t shape[AGNI_MAX_RANK];
    int n = inner(x, axis, shape);
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
        int32_t b = buffer(w, (int32_t)(outer * in));
        emit(w, (agni_tinstr){.op = AGNI_T_FOLD, .nin = 1, .dst = b, .E = (int32_t)(outer * in),
                              .in = {{AGNI_ON_TILE, p.buf, p.row, 1}}, .n = {outer, many, in}});
        p = (place){b, 0};
    }
    return p;
}

static int32_t pack(low *w, int32_t v, int64_t ldk, int64_t ldj, int64_t K, int64_t J)
{
    agni_region *r = w->r;
    int32_t arr = array(w, v);
    for (int32_t i = 0; i < r->n_pack; i++) {
        const agni_tpack *q = &r->pack[i];
        if (q->arr == arr && q->ldk == ldk && q->ldj == ldj && q->K == K && q->J == J)
            return i;
    }
    if (!room(w, &r->pack, &r->cap_pack, r->n_pack + 1, sizeof *r->pack))
        return 0;
    r->pack[r->n_pack] = (agni_tpack){arr, ldk, ldj, K, J, r->packed, 0};
    r->packed += (K * J + 15) / 16 * 16;
    return r->n_pack++;
}

/* All pairs of an accumulator in one instruction, when the last one has come. */
static void outer_products(low *w, int64_t acc, int64_t K, int64_t J, bool complete)
{
    enum { MAX_PAIRS = 8 };
    int n = 0;
    for (int32_t i = 0; i < w->n_pair; i++)
        n += w->pair[i].acc == acc;
    if (!complete && n < MAX_PAIRS)
        return;
    int32_t t = table(w, 4 * n), kept = 0, *q = w->r->table + t;
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
    emit(w, (agni_tinstr){.op = AGNI_T_OUTER, .dst = -1, .dst_row = (int32_t)acc, .table = t,
                          .n = {K, J, n}});
}

static void product(low *w, const agni_pnode *n, const agni_form *f)
{
    agni_region *r = w->r;
    int32_t va = agni_arg(w->ir, n, 0), vb = agni_arg(w->ir, n, 1);
    const agn_tensor *a = of(w, va), *b = of(w, vb);
    int64_t M = a->shape[a->ndim - 2], K = a->shape[a->ndim - 1], J = b->shape[b->ndim - 1];
    if (f->product == AGNI_MM_BATCH) {
        place x = batched(w, va, 1), g = batched(w, vb, 0);
        if (!room(w, &w->pair, &w->cap_pair, w->n_pair + 1, sizeof *w->pair))
            return;
        w->pair[w->n_pair++] = (struct pair){w->acc[n->val], x, g};
        outer_products(w, w->acc[n->val], M, J, --w->terms[w->acc_root[n->val]] == 0);
        r->flops += 2 * M * J;
        return;
    }
    int32_t E = rows_of(w, n->val);
    agni_tinstr in = {.op = AGNI_T_PROD, .nin = 1, .E = E};
    if (f->product == AGNI_MM_BOTH) {
        place x = batched(w, va, f->in_axis[0]), g = batched(w, vb, f->in_axis[1]);
        in.op = AGNI_T_BPROD;
        in.nin = 2;
        in.in[0] = (agni_opnd){AGNI_ON_TILE, x.buf, x.row, 1};
        in.in[1] = (agni_opnd){AGNI_ON_TILE, g.buf, g.row, 1};
        in.n[0] = M;
        in.n[1] = K;
        in.n[2] = J;
        in.n[3] = E / (M * J);
    } else {
        bool rows = f->product == AGNI_MM_ROWS;
        int32_t vx = rows ? va : vb, vw = rows ? vb : va;
        const agn_tensor *h = w->p->val[vw].h;
        int64_t s1 = h->stride[h->ndim - 1], s2 = h->stride[h->ndim - 2];
        place x = batched(w, vx, f->in_axis[!rows]);
        in.in[0] = (agni_opnd){AGNI_ON_TILE, x.buf, x.row, 1};
        int64_t wide = f->product == AGNI_MM_LEFT ? J : 1;
        in.n[0] = K;
        in.n[1] = rows ? J : M;
        in.n[2] = E / (in.n[1] * wide);
        in.n[3] = wide;
        in.f = (int16_t)(rows ? pack(w, vw, s2, s1, K, J) : pack(w, vw, s1, s2, K, M));
    }
    r->flops += 2 * E * K;
    in.dst = buffer(w, E);
    emit(w, in);
    w->at[n->val] = (place){in.dst, 0};
}

static void lower(low *w, int k)
{
    const agni_pnode *n = &w->ir->node[k];
    agni_form f = agni_tile_form(w->c, w->ir, w->r->group, k);
    if (n->op == &agni_op_add && w->c->mode[k] == AGNI_REDUCE)
        return; /* its terms add to one accumulator */
    if (n->op->ew >= 0) {
        elementwise(w, n, &f);
    } else if (n->op == &agni_op_matmul) {
        product(w, n, &f);
    } else if (n->op == &agni_op_concat) {
        join(w, n, &f);
    } else if (n->op == &agni_op_sum) {
        place p = folded(w, agni_arg(w->ir, n, 0), f.in_axis[0], n->at);
        if (f.mode == AGNI_TILE)
            w->at[n->val] = p;
        else
            emit(w, (agni_tinstr){.op = AGNI_T_ROWSUM, .nin = 1, .dst = -1,
                                  .dst_row = (int32_t)w->acc[n->val],
                                  .E = (int32_t)of(w, n->val)->size,
                                  .in = {{AGNI_ON_TILE, p.buf, p.row, 1}}});
    } else {
        move(w, n, &f);
    }
}

static void store(low *w, int32_t v)
{
    int axis = w->c->axis[v];
    const agn_tensor *h = w->p->val[v].h;
    int32_t E = rows_of(w, v), t = table(w, E);
    if (w->failed || !agni_plan_place(w->p, v)) {
        w->failed = true;
        return;
    }
    int64_t shape[AGNI_MAX_RANK], stride[AGNI_MAX_RANK];
    int n = inner(h, axis, shape);
    for (int d = 0, k = 0; d < h->ndim; d++)
        if (d != axis)
            stride[k++] = h->stride[d];
    offsets(n, shape, stride, 0, w->r->table + t, E, 1);
    emit(w, (agni_tinstr){.op = AGNI_T_STORE, .nin = 1, .dst = -1, .E = E, .table = t,
                          .in = {{AGNI_ON_TILE, w->at[v].buf, w->at[v].row, 1},
                                 {AGNI_ON_ARRAY, array(w, v), 0, 0}},
                          .n = {h->stride[axis], h->dtype == AGN_BOOL}});
}

/* ---- what the region computes --------------------------------------------------------------------- */

/* is v here although another region wrote it as an array before? then it is loaded */
static bool available(const low *w, int32_t v)
{
    return w->c->stored[v] && w->c->level[v] < w->r->level;
}

static bool is_root(const low *w, int k)
{
    const agni_pnode *n = &w->ir->node[k];
    if (w->c->group[k] != w->r->group)
        return false;
    if (w->c->mode[k] == AGNI_REDUCE)
        return w->c->level[n->val] == w->r->level + 1;
    return w->c->mode[k] == AGNI_TILE && w->c->stored[n->val] &&
           w->c->level[n->val] == w->r->level;
}

static int mark(low *w)
{
    int many = 0;
    for (int k = w->ir->n_node - 1; k >= 0; k--) {
        const agni_pnode *n = &w->ir->node[k];
        if (!w->need[k])
            w->need[k] = is_root(w, k);
        if (!w->need[k])
            continue;
        many++;
        for (int i = 0; i < n->nin; i++) {
            int32_t v = agni_arg(w->ir, n, i);
            int from = w->ir->val[v].node;
            if (from >= 0 && w->c->axis[v] >= 0 && w->c->group[from] == w->r->group &&
                !available(w, v))
                w->need[from] = true;
        }
    }
    return many;
}

/* accumulators of sums over the batch; sums of such sums share one */
static void accumulators(low *w)
{
    agni_region *r = w->r;
    for (int k = w->ir->n_node - 1; k >= 0 && !w->failed; k--) {
        const agni_pnode *n = &w->ir->node[k];
        if (!w->need[k] || w->c->mode[k] != AGNI_REDUCE)
            continue;
        if (w->acc[n->val] < 0) {
            int64_t size = of(w, n->val)->size;
            if (!agni_plan_place(w->p, n->val) ||
                !room(w, &r->result, &r->cap_result, r->n_result + 1, sizeof *r->result)) {
                w->failed = true;
                return;
            }
            w->acc[n->val] = r->acc;
            w->acc_root[n->val] = n->val;
            r->result[r->n_result++] = (agni_tresult){array(w, n->val), r->acc, size};
            r->acc += (size + 15) / 16 * 16;
        }
        if (n->op == &agni_op_matmul)
            w->terms[w->acc_root[n->val]]++;
        for (int i = 0; i < 2 && n->op == &agni_op_add; i++) {
            w->acc[agni_arg(w->ir, n, i)] = w->acc[n->val];
            w->acc_root[agni_arg(w->ir, n, i)] = w->acc_root[n->val];
        }
    }
}

/* ---- buffers ------------------------------------------------------------------------------------------ */

static void layout(agni_region *r)
{
    for (int32_t b = 0; b < r->n_buf; b++)
        r->buf[b].first = r->buf[b].last = -1;
    for (int32_t i = 0; i < r->n_in; i++) {
        const agni_tinstr *q = &r->in[i];
        int n_pair = q->op == AGNI_T_OUTER ? 2 * (int)q->n[2] : 0;
        for (int k = 0; k <= q->nin + n_pair; k++) {
            int32_t b = k < q->nin    ? (q->in[k].kind == AGNI_ON_TILE ? q->in[k].id : -1)
                        : k == q->nin ? q->dst
                                      : r->table[q->table + 2 * (k - q->nin - 1)];
            if (b < 0)
                continue;
            if (r->buf[b].first < 0)
                r->buf[b].first = i;
            r->buf[b].last = i;
        }
    }
    /* each buffer at the lowest place free during its life; buffers come in order of birth */
    int32_t *live = agni_alloc((size_t)(r->n_buf + 1) * sizeof *live);
    int32_t *born = agni_alloc((size_t)(r->n_in + 1) * sizeof *born);
    int32_t *next = agni_alloc((size_t)(r->n_buf + 1) * sizeof *next), n = 0;
    r->rows = live && born && next ? 0 : -1;
    for (int32_t i = 0; r->rows == 0 && i < r->n_in; i++)
        born[i] = -1;
    for (int32_t b = 0; r->rows == 0 && b < r->n_buf; b++)
        if (r->buf[b].first >= 0) {
            next[b] = born[r->buf[b].first];
            born[r->buf[b].first] = b;
        }
    for (int32_t i = 0; r->rows >= 0 && i < r->n_in; i++)
        for (int32_t b = born[i]; b >= 0; b = next[b]) {
            int32_t m = 0; /* live, by place */
            for (int32_t j = 0; j < n; j++)
                if (r->buf[live[j]].last >= i)
                    live[m++] = live[j];
            n = m;
            int32_t at = 0, j = 0;
            for (; j < n && r->buf[live[j]].place < at + r->buf[b].rows; j++)
                at = r->buf[live[j]].place + r->buf[live[j]].rows;
            r->buf[b].place = at;
            memmove(live + j + 1, live + j, (size_t)(n - j) * sizeof *live);
            live[j] = b;
            n++;
            if (at + r->buf[b].rows > r->rows)
                r->rows = at + r->buf[b].rows;
        }
    agni_free(live);
    agni_free(born);
    agni_free(next);
}

/* T: what is alive fits the second-level cache, vectors are full, loops are long. The number
   of chunks follows from the batch and the accumulators alone, never from threads. */
static void sizes(agni_region *r)
{
    enum { CACHE = 224 << 10, ROWS = 256, CHUNKS = 64 };
    const int64_t most_acc = (int64_t)32 << 20;
    int64_t T = CACHE / (r->bytes * (r->rows > 0 ? r->rows : 1)) / 16 * 16;
    int64_t least = 256 / r->bytes, top = r->rows < 16 ? 2048 : 256;
    r->T = T < least ? least : T > top ? top : T;
    int64_t C = (r->N + ROWS - 1) / ROWS;
    C = C > CHUNKS ? CHUNKS : C;
    while (C > 4 && C * r->acc * r->bytes > most_acc)
        C /= 2;
    r->chunk = (r->N + C - 1) / C;
    r->chunk = (r->chunk + r->T - 1) / r->T * r->T;
    r->n_chunk = (int32_t)((r->N + r->chunk - 1) / r->chunk);
}

/* ---- the region ------------------------------------------------------------------------------------------ */

void agni_region_free(agni_region *r)
{
    if (!r)
        return;
    agni_free(r->in);
    agni_free(r->buf);
    agni_free(r->arr);
    agni_free(r->num);
    agni_free(r->num32);
    agni_free(r->table);
    agni_free(r->pack);
    agni_free(r->result);
    agni_free(r);
}

typedef struct turn {
    int64_t key;
    int32_t node;
} turn;
static int by_turn(const void *a, const void *b)
{
    const turn *x = a, *y = b;
    return x->key != y->key ? (x->key < y->key ? 1 : -1) : x->node - y->node;
}

/* As late as possible, by the longest way to the end of the tile: what belongs together in
   the sweeps of several directions runs together, and little is alive at once. Sums over the
   batch run as soon as they can. */
static int schedule(low *w)
{
    enum { LAYER = 1 << 12 }; /* products set the pace: layers stay side by side */
    const agni_ir *ir = w->ir;
    int64_t *way = agni_zalloc((size_t)(ir->n_val + 1) * sizeof *way);
    turn *t = agni_alloc((size_t)(ir->n_node + 1) * sizeof *t);
    int n = 0;
    w->failed = w->failed || !way || !t;
    for (int k = ir->n_node - 1; k >= 0 && !w->failed; k--) {
        const agni_pnode *q = &ir->node[k];
        if (!w->need[k] || w->c->mode[k] == AGNI_REDUCE)
            continue;
        way[q->val] += 2 * (q->op == &agni_op_matmul ? LAYER : 1);
        for (int i = 0; i < q->nin; i++) {
            int32_t v = agni_arg(ir, q, i);
            way[v] = way[v] > way[q->val] ? way[v] : way[q->val];
        }
    }
    for (int k = 0; k < ir->n_node && !w->failed; k++) {
        const agni_pnode *q = &ir->node[k];
        if (!w->need[k])
            continue;
        int64_t key = way[q->val];
        if (w->c->mode[k] == AGNI_REDUCE) {
            key = INT64_MAX;
            for (int i = 0; i < q->nin; i++) {
                int64_t a = way[agni_arg(ir, q, i)] - 1;
                bool tile = w->c->axis[agni_arg(ir, q, i)] >= 0;
                key = tile && a < key ? a : key;
            }
        }
        t[n++] = (turn){key, k};
    }
    if (n)
        qsort(t, (size_t)n, sizeof *t, by_turn);
    for (int i = 0; i < n; i++)
        w->order[i] = t[i].node;
    agni_free(way);
    agni_free(t);
    return n;
}

static void build(low *w)
{
    accumulators(w);
    int n = schedule(w);
    for (int i = 0; i < n && !w->failed; i++) {
        int k = w->order[i];
        lower(w, k);
        if (!w->failed && w->c->mode[k] == AGNI_TILE && is_root(w, k))
            store(w, w->ir->node[k].val);
    }
}

agn_status agni_region_make(agni_region **out, agni_plan *p, const agni_cut *c, int group,
                            int level)
{
    const agni_ir *ir = p->ir;
    low w = {.p = p, .ir = ir, .c = c};
    size_t nv = (size_t)ir->n_val + 1;
    agni_region *r = w.r = agni_zalloc(sizeof *r);
    w.at = agni_alloc(nv * sizeof *w.at);
    w.arr = agni_alloc(nv * sizeof *w.arr);
    w.acc = agni_alloc(nv * sizeof *w.acc);
    w.acc_root = agni_zalloc(nv * sizeof *w.acc_root);
    w.terms = agni_zalloc(nv * sizeof *w.terms);
    w.order = agni_alloc(((size_t)ir->n_node + 1) * sizeof *w.order);
    w.need = agni_zalloc((size_t)ir->n_node + 1);
    w.failed = !r || !w.at || !w.arr || !w.acc || !w.need || !w.acc_root || !w.terms || !w.order;
    int many = 0;
    if (!w.failed) {
        memset(w.at, -1, nv * sizeof *w.at);
        memset(w.arr, -1, nv * sizeof *w.arr);
        memset(w.acc, -1, nv * sizeof *w.acc);
        const agni_vk *vk = agni_vk_get();
        r->N = c->extent[group];
        r->group = group;
        r->level = level;
        r->dtype = c->dtype[group];
        r->bytes = agni_dtypes[r->dtype].bytes;
        r->real = r->dtype == AGN_F64 ? AGNI_VK_F64 : AGNI_VK_F32;
        r->vk = &vk->real[r->real];
        r->lanes = vk->vbytes / (int)r->bytes;
        many = mark(&w);
        if (many)
            build(&w);
    }
    w.failed = w.failed || (many && !agni_tile_fuse(r));
    if (many && !w.failed) {
        layout(r);
        w.failed = r->rows < 0;
        sizes(r);
        r->root_acc = agni_plan_scratch(p, r->acc * r->bytes * r->n_chunk);
        r->root_pack = agni_plan_scratch(p, r->packed * r->bytes);
        w.failed = w.failed || r->root_acc < 0 || r->root_pack < 0;
    }
    agni_free(w.at);
    agni_free(w.arr);
    agni_free(w.acc);
    agni_free(w.need);
    agni_free(w.load);
    agni_free(w.pair);
    agni_free(w.acc_root);
    agni_free(w.terms);
    agni_free(w.order);
    if (w.failed || !many) {
        agni_region_free(r);
        *out = NULL;
        return w.failed ? agni_nomem("compile", nv) : AGN_OK;
    }
    *out = r;
    return AGN_OK;
}
