/* graph/fusion/lower_operand.c - lowering: where the operands of instructions are. */
#include "graph/fusion/lower.h"

#include <string.h>

bool agni_lower_room(lowering *w, void *items, int32_t *cap, int32_t need, size_t item)
{
    bool good = agni_reserve_items(items, cap, need, item);
    w->failed = w->failed || !good;
    return good;
}

/* ---- pieces ------------------------------------------------------------------------------ */

int32_t agni_lower_rows_of(const lowering *w, int32_t v)
{
    return (int32_t)(value_tensor(w, v)->size / w->r->N);
}

int32_t agni_lower_buffer(lowering *w, int32_t rows)
{
    agni_region *r = w->r;
    if (!agni_lower_room(w, &r->buf, &r->cap_buf, r->n_buf + 1, sizeof *r->buf))
        return 0;
    r->buf[r->n_buf] = (agni_tile_buffer){.rows = rows, .first = -1, .last = -1};
    return r->n_buf++;
}

void agni_lower_emit(lowering *w, agni_tile_instr in)
{
    agni_region *r = w->r;
    if (agni_lower_room(w, &r->in, &r->cap_in, r->n_in + 1, sizeof *r->in))
        r->in[r->n_in++] = in;
}

int32_t agni_lower_table(lowering *w, int32_t n)
{
    int32_t t = w->failed ? -1 : agni_tile_add_table(w->r, n);
    w->failed = w->failed || t < 0;
    return t;
}

int32_t agni_lower_array(lowering *w, int32_t v)
{
    agni_region *r = w->r;
    if (w->arr[v] >= 0)
        return w->arr[v];
    agni_plan_extend_live_range(w->p, v);
    int32_t a = agni_plan_add_array(w->p, v);
    if (a < 0 || !agni_lower_room(w, &r->arr, &r->cap_arr, r->n_arr + 1, sizeof *r->arr)) {
        w->failed = true;
        return 0;
    }
    r->arr[r->n_arr] = a;
    return w->arr[v] = r->n_arr++;
}

agni_tile_operand agni_lower_number(lowering *w, double num)
{
    agni_region *r = w->r;
    for (int32_t i = 0; i < r->n_num; i++)
        if (!memcmp(&r->num[i], &num, sizeof num))
            return (agni_tile_operand){.kind = AGNI_ON_NUMBER, .id = i};
    if (!agni_lower_room(w, &r->num, &r->cap_num, r->n_num + 1, sizeof *r->num) ||
        !agni_lower_room(w, &r->num32, &r->cap_num32, r->n_num + 1, sizeof *r->num32))
        return (agni_tile_operand){.kind = AGNI_ON_NUMBER};
    r->num[r->n_num] = num;
    r->num32[r->n_num] = (float)num;
    return (agni_tile_operand){.kind = AGNI_ON_NUMBER, .id = r->n_num++};
}

/* ---- walking over the elements of one row of the batch --------------------------------------- */

/* shape without the batch axis */
int agni_lower_inner(const agn_tensor *t, int axis, int64_t *shape)
{
    int n = 0;
    for (int d = 0; d < t->ndim; d++)
        if (d != axis)
            shape[n++] = t->shape[d];
    return n;
}
void agni_lower_dense(int n, const int64_t *shape, int64_t *stride)
{
    int64_t step = 1;
    for (int d = n - 1; d >= 0; d--) {
        stride[d] = step;
        step *= shape[d];
    }
}
/* out[e] = sum of index times stride, e over shape in row-major order */
void agni_lower_offsets(int n, const int64_t *shape, const int64_t *stride, int64_t base,
                        int32_t *out, int32_t E, int by)
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

/* where the E elements of one row of h lie, into table t */
void agni_lower_places(const lowering *w, const agn_tensor *h, int axis, int32_t t, int32_t E)
{
    int64_t shape[AGNI_MAX_RANK], stride[AGNI_MAX_RANK];
    int n = agni_lower_inner(h, axis, shape);
    for (int d = 0, k = 0; d < h->ndim; d++)
        if (d != axis)
            stride[k++] = h->stride[d];
    agni_lower_offsets(n, shape, stride, 0, w->r->table + t, E, 1);
}

/* ---- operands -------------------------------------------------------------------------------- */

static bool is_in_tile(const lowering *w, int32_t v)
{
    int k = w->ir->val[v].node;
    return w->c->axis[v] >= 0 && k >= 0 && w->c->group[k] == w->r->group &&
           w->at[v].buf >= 0;
}

/* elements from a row of the batch to the next; all rows are one where there is no axis */
static int64_t batch_stride(const agn_tensor *h, int axis)
{
    return axis < 0 ? 0 : h->stride[axis];
}

/* Is what q loads also what v's rows are, whose E elements lie at `off`? Views of one array by
   several names are loaded once. */
static bool is_same_load(const lowering *w, const loaded_array *q, int32_t v, int axis,
                         const int32_t *off, int32_t E)
{
    const agni_plan_value *x = &w->p->val[q->v], *y = &w->p->val[v];
    return x->buffer == y->buffer && x->offset == y->offset &&
           batch_stride(x->h, q->axis) == batch_stride(y->h, axis) && w->r->buf[q->buf].rows == E &&
           !memcmp(w->r->table + q->table, off, (size_t)E * sizeof *off);
}

/* a value with the batch along axis: computed in the tile, or loaded from its array; axis -1: the
   same truth values for every row of the batch */
tile_rows agni_lower_batched(lowering *w, int32_t v, int axis)
{
    if (is_in_tile(w, v))
        return w->at[v];
    for (int32_t i = 0; i < w->n_load; i++)
        if (w->load[i].v == v && w->load[i].axis == axis)
            return (tile_rows){w->load[i].buf, 0};
    int32_t E = axis < 0 ? (int32_t)value_tensor(w, v)->size : agni_lower_rows_of(w, v);
    int32_t t = agni_lower_table(w, E);
    if (w->failed || !agni_lower_room(w, &w->load, &w->cap_load, w->n_load + 1, sizeof *w->load))
        return (tile_rows){0, 0};
    const agn_tensor *h = w->p->val[v].h;
    agni_lower_places(w, h, axis, t, E);
    for (int32_t i = 0; i < w->n_load; i++)
        if (is_same_load(w, &w->load[i], v, axis, w->r->table + t, E))
            return (tile_rows){w->load[i].buf, 0};
    int32_t b = agni_lower_buffer(w, E);
    agni_tile_operand from = {.kind = AGNI_ON_ARRAY, .id = agni_lower_array(w, v)};
    agni_lower_emit(w, (agni_tile_instr){.op = AGNI_T_LOAD,
                                         .nin = 1,
                                         .dst = b,
                                         .E = E,
                                         .in = {from},
                                         .access = {batch_stride(h, axis), t,
                                                    h->dtype == AGN_BOOL}});
    w->load[w->n_load++] = (loaded_array){v, axis, b, t};
    return (tile_rows){b, 0};
}

/* in's rows as table[e] says, in a new buffer */
tile_rows agni_lower_gathered(lowering *w, agni_tile_operand in, const int32_t *idx, int32_t E)
{
    int32_t b = agni_lower_buffer(w, E), t = agni_lower_table(w, 2 * E);
    if (w->failed)
        return (tile_rows){0, 0};
    for (int32_t e = 0; e < E; e++) {
        w->r->table[t + 2 * e] = e;
        w->r->table[t + 2 * e + 1] = idx[e];
    }
    agni_lower_emit(
        w, (agni_tile_instr){
               .op = AGNI_T_GATHER_ROWS, .nin = 1, .dst = b, .E = E, .in = {in}, .gather = {t}});
    return (tile_rows){b, 0};
}

/* Are places an arithmetic progression that begins again and again, so far apart each time? Its
   length; 0: no. */
static int32_t find_cycle(const int32_t *off, int64_t E)
{
    int64_t n = 1;
    while (n < E && off[n] - off[0] == n * (off[1] - off[0]))
        n++;
    if (E % n)
        return 0;
    for (int64_t e = n; e < E; e++)
        if (off[e] - off[e - n] != off[n] - off[0])
            return 0;
    return (int32_t)n;
}

/* Rows in arithmetic progression, once or in cycles, or copied until they are. */
agni_tile_operand agni_lower_broadcast(lowering *w, agni_tile_operand o, int n,
                                       const int64_t *shape, const int64_t *stride, bool cycles)
{
    int64_t E = 1;
    for (int d = 0; d < n; d++)
        E *= shape[d];
    int32_t *off = agni_alloc((size_t)(E + 1) * sizeof *off);
    if (!off) {
        w->failed = true;
        return o;
    }
    agni_lower_offsets(n, shape, stride, o.row, off, (int32_t)E, 1);
    o.row = off[0];
    o.step = E > 1 ? off[1] - off[0] : 0;
    bool even = true;
    for (int64_t e = 1; e < E; e++)
        even = even && off[e] - off[e - 1] == o.step;
    if (!even && cycles)
        o.cycle = find_cycle(off, E);
    if (o.cycle)
        o.hop = off[o.cycle] - off[0];
    if (!even && !o.cycle) {
        agni_tile_operand base = {.kind = o.kind, .id = o.id};
        tile_rows p = agni_lower_gathered(w, base, off, (int32_t)E);
        o = (agni_tile_operand){AGNI_ON_TILE, p.buf, p.row, 1, 0, 0};
    }
    agni_free(off);
    return o;
}

agni_tile_operand agni_lower_operand(lowering *w, int32_t v, int axis, const agn_tensor *y,
                                     int yaxis, bool cycles)
{
    const agni_ir_value *q = &w->ir->val[v];
    int64_t shape[AGNI_MAX_RANK], stride[AGNI_MAX_RANK] = {0}, own[AGNI_MAX_RANK];
    if (axis < 0 && q->constant && q->splat)
        return agni_lower_number(w, q->num);
    int n = agni_lower_inner(y, yaxis, shape);
    const agn_tensor *t = value_tensor(w, v), *h = w->p->val[v].h;
    agni_tile_operand o = {AGNI_ON_TILE, 0, 0, 1, 0, 0};
    if (axis >= 0) {
        tile_rows p = agni_lower_batched(w, v, axis);
        int64_t in[AGNI_MAX_RANK];
        int m = agni_lower_inner(t, axis, in);
        agni_lower_dense(m, in, own);
        for (int d = 0; d < m; d++)
            stride[n - m + d] = in[d] == 1 ? 0 : own[d];
        o.id = p.buf;
        o.row = p.row;
    } else {
        bool truth = t->dtype == AGN_BOOL;
        int beyond = y->ndim - yaxis; /* where the batch would be, from the end */
        int k = n;
        agni_lower_dense(t->ndim, t->shape, own);
        for (int d = t->ndim - 1; d >= 0; d--)
            if (t->ndim - d != beyond)
                stride[--k] = t->shape[d] == 1 ? 0 : truth ? own[d] : h->stride[d];
        if (truth)
            o.id = agni_lower_batched(w, v, -1).buf;
        else
            o = (agni_tile_operand){AGNI_ON_ARRAY, agni_lower_array(w, v), 0, 1, 0, 0};
    }
    return agni_lower_broadcast(w, o, n, shape, stride, cycles);
}
