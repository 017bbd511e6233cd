/* diagonal_seeds.c - all unit seeds of rows that do not meet, in one sweep. Where a linear program
   from a source of n rows keeps row j of its values apart from the others, the values of all n
   lanes are one array: its row j belongs to lane j, other lanes are 0 there. Products and sums over
   rows are left out until the lanes are wanted: row j times row j (Goodfellow 2015, Efficient
   per-example gradient computations). Zeros between rows are structural. */
#include "autograd/transforms/diagonal_seeds.h"
#include "tensor/rows/traits.h"

#include <agnesi/ag.h>
#include <string.h>

extern const agni_op agni_op_mul, agni_op_mulz, agni_op_div, agni_op_add, agni_op_sub,
    agni_op_where, agni_op_ne, agni_op_logical_and, agni_op_logical_or, agni_op_cast,
    agni_op_reshape, agni_op_permute, agni_op_broadcast_to, agni_op_slice, agni_op_unslice,
    agni_op_sum, agni_op_matmul, agni_op_complex;

/* What a value is: the same in all lanes, a row for each lane along an axis, or lanes. */
enum { SAME, ROWS, LANES };
typedef struct seen {
    int8_t kind, axis; /* from the end */
} seen;
typedef struct look {
    const agni_prog *p;
    int64_t rows;
    seen *is;
} look;

static const agn_tensor *value_of(const look *q, const agni_pnode *n, int i)
{
    return q->p->val[q->p->arg[n->arg + i]];
}
static seen kind_of(const look *q, const agni_pnode *n, int i)
{
    return q->is[q->p->arg[n->arg + i]];
}
static int64_t axis_length(const agn_tensor *x, int axis)
{
    return axis < 0 && axis + x->ndim >= 0 ? x->shape[axis + x->ndim] : 1;
}
static bool is_zero(const look *q, const agni_pnode *n, int i)
{
    int32_t v = q->p->arg[n->arg + i];
    return v >= q->p->n_in && !agni_is_node_value(q->p, v) && agni_is_written_zero(q->p->val[v]);
}

/* element by element: is the result 0 where the operands with rows are? */
static bool keeps_zero(const look *q, const agni_pnode *n)
{
    const agni_op *op = n->op;
    bool rows[3], none[3]; /* has rows; has them, or is 0 */
    for (int i = 0; i < n->nin && i < 3; i++) {
        rows[i] = kind_of(q, n, i).kind == ROWS;
        none[i] = rows[i] || is_zero(q, n, i);
    }
    if (n->nin == 1)
        return op->zero;
    if (op == &agni_op_mul || op == &agni_op_mulz || op == &agni_op_logical_and)
        return true;
    if (op == &agni_op_div)
        return !rows[1];
    if (op == &agni_op_add || op == &agni_op_sub || op == &agni_op_logical_or ||
        op == &agni_op_ne || op == &agni_op_complex)
        return none[0] && none[1];
    return op == &agni_op_where && none[2] && (rows[0] || none[1]);
}

static seen look_at_elements(const look *q, const agni_pnode *n, const agn_tensor *y)
{
    seen is = {LANES, 0};
    for (int i = 0; i < n->nin; i++) {
        seen a = kind_of(q, n, i);
        if (a.kind != ROWS)
            continue;
        if (is.axis && is.axis != a.axis)
            return (seen){LANES, 0};
        is = a;
    }
    return keeps_zero(q, n) && axis_length(y, is.axis) == q->rows ? is : (seen){LANES, 0};
}

static seen look_at_reshape(const look *q, const agn_tensor *x, const agn_tensor *y, int axis)
{
    int64_t behind = 1, at = 1;
    for (int a = axis + 1; a < 0; a++)
        behind *= axis_length(x, a);
    int a = -1;
    while (a + y->ndim >= 0 && at * axis_length(y, a) <= behind && axis_length(y, a) != q->rows)
        at *= axis_length(y, a--);
    return at == behind && axis_length(y, a) == q->rows ? (seen){ROWS, (int8_t)a}
                                                        : (seen){LANES, 0};
}

/* axis after a move or a sum along others; LANES where rows are lost */
static seen look_at_move(const look *q, const agni_pnode *n, seen x)
{
    const agni_attr *at = n->at;
    if (n->op == &agni_op_permute) {
        for (int i = 0; i < at->ni; i++)
            if (at->i[i] == x.axis)
                return (seen){ROWS, (int8_t)(i - at->ni)};
        return x.axis < -at->ni ? x : (seen){LANES, 0};
    }
    if (n->op == &agni_op_slice || n->op == &agni_op_unslice) {
        int i = at->ni / 3 + x.axis;
        bool whole = i < 0 ||
                     (at->i[3 * i] == 0 && at->i[3 * i + 1] == 1 && at->i[3 * i + 2] == q->rows);
        return whole ? x : (seen){LANES, 0};
    }
    int behind = 0;
    for (int i = 1; i < at->ni; i++) {
        if (at->i[i] == x.axis)
            return (seen){LANES, 1}; /* the sum over rows */
        behind += at->i[i] > x.axis;
    }
    return at->i[0] ? x : (seen){ROWS, (int8_t)(x.axis + behind)};
}

static seen look_at_product(const look *q, const agni_pnode *n, const agn_tensor *y)
{
    seen a = kind_of(q, n, 0), b = kind_of(q, n, 1);
    bool flat = value_of(q, n, 0)->ndim == 2 && value_of(q, n, 1)->ndim == 2;
    int axis = a.kind == ROWS ? a.axis : b.axis, inner = a.kind == ROWS ? -1 : -2;
    if (a.kind == b.kind)
        return (seen){LANES, 0};
    if (axis == inner)
        return (seen){LANES, flat};
    return axis_length(y, axis) == q->rows ? (seen){ROWS, (int8_t)axis} : (seen){LANES, 0};
}

/* what node n gives whose operands have rows; {LANES, 0}: nobody knows, {LANES, 1}: rows meet */
static seen look_at(const look *q, const agni_pnode *n)
{
    const agn_tensor *y = q->p->val[n->val];
    seen x = kind_of(q, n, 0);
    if (n->nout != 1)
        return (seen){LANES, 0};
    if (n->op == &agni_op_matmul)
        return look_at_product(q, n, y);
    if (n->op == &agni_op_reshape)
        return look_at_reshape(q, value_of(q, n, 0), y, x.axis);
    if (n->op == &agni_op_broadcast_to)
        return x;
    if (n->op == &agni_op_permute || n->op == &agni_op_slice || n->op == &agni_op_unslice ||
        n->op == &agni_op_sum)
        return look_at_move(q, n, x);
    if (n->op->ew >= 0 || n->op == &agni_op_cast)
        return look_at_elements(q, n, y);
    return (seen){LANES, 0};
}

static bool look_at_program(look *q, int axis)
{
    const agni_prog *p = q->p;
    q->is[0] = (seen){ROWS, (int8_t)axis};
    for (int k = 0; k < p->n_node; k++) {
        const agni_pnode *n = &p->node[k];
        seen y = {SAME, 0};
        for (int i = 0; i < n->nin; i++) {
            int kind = kind_of(q, n, i).kind;
            if (y.kind != SAME && kind != SAME && y.kind != kind)
                return false;
            y.kind = (int8_t)(kind != SAME ? kind : y.kind);
        }
        if (y.kind == ROWS) {
            y = look_at(q, n);
            if (y.kind == LANES && !y.axis)
                return false;
        } else if (y.kind == LANES && !n->op->batch) {
            return false;
        }
        for (int o = 0; o < n->nout; o++)
            q->is[n->val + o] = y;
    }
    return true;
}

/* ---- the sweep ------------------------------------------------------------------------------- */

static const agn_tensor *multiply_masked(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    return a && b ? agni_apply_in(s, &agni_op_mul, NULL, 2, (const agn_tensor *[]){a, b}) : NULL;
}

/* [m, rows] and [rows, n], of which one is the same in all lanes: row by row */
static const agn_tensor *rows_by_rows(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    int64_t rows = b->shape[0], m = a->shape[0], n = b->shape[1];
    a = agni_move_axis(s, a, 1, 0);
    a = a ? agni_reshape(s, a, 3, (int64_t[]){rows, m, 1}) : NULL;
    return multiply_masked(s, a, agni_reshape(s, b, 3, (int64_t[]){rows, 1, n}));
}

/* the sum over rows and other axes: a lane has one row of it */
static const agn_tensor *sum_of_others(agn_scope *s, const agni_pnode *n, const agn_tensor *x,
                                       int axis, const agn_tensor *y)
{
    int64_t axes[AGNI_MAX_RANK], shape[AGNI_MAX_RANK + 1] = {axis_length(x, axis)};
    int count = 0;
    for (int i = 1; i < n->at->ni; i++)
        if (n->at->i[i] != axis)
            axes[count++] = n->at->i[i];
    if (count)
        x = agni_sum_axes(s, x, count, axes, true);
    x = x ? agni_move_axis(s, x, axis + x->ndim, 0) : NULL;
    memcpy(shape + 1, y->shape, (size_t)y->ndim * sizeof *shape);
    return x ? agni_reshape(s, x, y->ndim + 1, shape) : NULL;
}

/* lanes of rows along an axis */
static const agn_tensor *spread_rows(agn_scope *s, const agn_tensor *x, int axis)
{
    agn_tensor *eye = NULL;
    int64_t rows = axis_length(x, axis), shape[AGNI_MAX_RANK + 1] = {rows};
    for (int d = 0; d < x->ndim; d++)
        shape[1 + d] = d == axis + x->ndim ? rows : 1;
    agn_status st = agn_eye(&eye, AGN_BOOL, rows, rows, 0);
    const agn_tensor *e = agni_adopt_constant(s, st, eye);
    e = e ? agni_reshape(s, e, x->ndim + 1, shape) : NULL;
    return e ? agni_apply_in(s, &agni_op_where, NULL, 3,
                             (const agn_tensor *[]){e, x, agni_literal(s, 0)})
             : NULL;
}

static void run_node(agn_scope *s, const look *q, const agni_pnode *n, const agn_tensor **val,
                     bool *on)
{
    const agn_tensor *few[16], **a = few, **x;
    bool some[16], *b = some;
    if (n->nin > (int)AGNI_COUNT(some)) { /* a row of either kind has fewer, but a constant one may not */
        a = agni_alloc((size_t)n->nin * (2 * sizeof *a + 1));
        if (!a) {
            agn_scope_fail(s, agni_nomem("jacobian", (size_t)n->nin * sizeof *a));
            return;
        }
        b = (bool *)(a + 2 * n->nin);
    }
    const agn_tensor *one[16];
    x = a == few ? one : a + n->nin;
    seen y = q->is[n->val], in = {SAME, 0};
    for (int i = 0; i < n->nin; i++) {
        int32_t v = q->p->arg[n->arg + i];
        a[i] = val[v];
        b[i] = on[v];
        x[i] = q->p->val[v];
        in = q->is[v].kind != SAME ? q->is[v] : in;
    }
    if (y.kind == LANES && in.kind == LANES) {
        agni_rule r = {n->op,   n->at, n->nin,
                       n->nout, x,     (const agn_tensor *const *)q->p->val + n->val};
        agni_node_batch(s, &r, q->rows, a, b, val + n->val, on + n->val);
    } else if (y.kind == LANES) {
        val[n->val] = n->op == &agni_op_matmul
                          ? rows_by_rows(s, a[0], a[1])
                          : sum_of_others(s, n, a[0], in.axis, q->p->val[n->val]);
        on[n->val] = true;
    } else {
        agni_apply_many_in(s, n->op, n->at, n->nin, a, n->nout, val + n->val);
    }
    if (a != few)
        agni_free(a);
}

static void run_program(agn_scope *s, const look *q, const agn_tensor *seed, const agn_tensor **out,
                        bool *bout)
{
    const agni_prog *p = q->p;
    size_t n = (size_t)p->n_val + 1;
    const agn_tensor **val = agni_zalloc(n * (sizeof *val + 1));
    bool *on = (bool *)(val + n);
    if (!val) {
        agn_scope_fail(s, agni_nomem("jacobian", n * sizeof *val));
        return;
    }
    val[0] = seed;
    for (int i = 0; i < p->n_cap; i++)
        val[1 + i] = p->val[1 + i];
    for (int k = 0; k < p->n_node && !agn_scope_status(s); k++)
        run_node(s, q, &p->node[k], val, on);
    for (int o = 0; o < p->n_out && !agn_scope_status(s); o++) {
        seen is = q->is[p->out[o]];
        out[o] = is.kind == ROWS ? spread_rows(s, val[p->out[o]], is.axis) : val[p->out[o]];
        bout[o] = is.kind != SAME;
    }
    agni_free(val);
}

/* 1 in place `at` of each row of x, or i, else 0 */
static const agn_tensor *seeds_of_place(agn_scope *s, const agn_tensor *x, int64_t places,
                                        int64_t at, bool imaginary)
{
    agn_tensor *e = NULL;
    int64_t shape[AGNI_MAX_RANK];
    agn_status st = agn_eye(&e, x->dtype, 1, places, at);
    const agn_tensor *row = agni_adopt_constant(s, st, e);
    if (imaginary && row)
        row = ag_mul(s, row, ag_complex(s, ag_lit(s, 0), ag_lit(s, 1)));
    memcpy(shape, x->shape, (size_t)x->ndim * sizeof *shape);
    shape[0] = 1;
    row = row ? agni_reshape(s, row, x->ndim, shape) : NULL;
    return row ? agni_broadcast(s, row, x->ndim, x->shape) : NULL;
}

enum { MOST_PLACES = 16, FEWEST_ROWS = 4 };

static bool look_open(look *q, agn_status *st, const agni_prog *p, const agn_tensor *from)
{
    *st = AGN_OK;
    *q = (look){p, from->ndim ? from->shape[0] : 0, NULL};
    if (p->n_in != 1 || q->rows < FEWEST_ROWS || from->size / q->rows > MOST_PLACES || !from->size)
        return false;
    q->is = agni_zalloc(((size_t)p->n_val + 1) * sizeof *q->is);
    if (!q->is)
        *st = agni_nomem("jacobian", (size_t)p->n_val * sizeof *q->is);
    else if (look_at_program(q, -from->ndim))
        return true;
    agni_free(q->is);
    return false;
}

/* does the work that is left for lanes grow as the results do? */
static bool is_light(const agni_op *op)
{
    return op->ew >= 0 || op->view || op == &agni_op_cast || op == &agni_op_sum ||
           op == &agni_op_unslice;
}

agn_status agni_rows_stay_apart(bool *yes, const agni_prog *p, const agn_tensor *from)
{
    look q;
    agn_status st;
    bool open = look_open(&q, &st, p, from);
    *yes = open;
    for (int k = 0; open && k < p->n_node; k++)
        for (int i = 0; i < p->node[k].nin; i++)
            *yes &= kind_of(&q, &p->node[k], i).kind != LANES || is_light(p->node[k].op);
    if (open)
        agni_free(q.is);
    return st;
}

bool agni_run_diagonal_seeds(agn_scope *s, const agni_prog *p, const agn_tensor *from,
                             bool imaginary, const agn_tensor **j)
{
    look q;
    agn_status st;
    if (!look_open(&q, &st, p, from)) {
        agn_scope_fail(s, st);
        return st != AGN_OK;
    }
    int64_t places = from->size / q.rows;
    const agn_tensor **y = agni_zalloc((size_t)(p->n_out * places + 1) * (sizeof *y + 1));
    const agn_tensor *part[MOST_PLACES];
    bool *on = (bool *)(y + p->n_out * places + 1);
    if (!y)
        agn_scope_fail(s, agni_nomem("jacobian", (size_t)(p->n_out * places) * sizeof *y));
    for (int64_t c = 0; c < places && !agn_scope_status(s); c++) {
        const agn_tensor *seed = seeds_of_place(s, from, places, c, imaginary);
        if (seed)
            run_program(s, &q, seed, y + c * p->n_out, on + c * p->n_out);
    }
    for (int o = 0; o < p->n_out && !agn_scope_status(s); o++) {
        const agn_tensor *x = p->val[p->out[o]];
        int64_t shape[AGNI_MAX_RANK + 1] = {q.rows * places};
        memcpy(shape + 1, x->shape, (size_t)x->ndim * sizeof *shape);
        for (int64_t c = 0; c < places; c++)
            part[c] = agni_ensure_batch_axis(s, y[c * p->n_out + o], on[c * p->n_out + o], q.rows);
        j[o] = places == 1 ? part[0] : ag_stack(s, part, (int32_t)places, 1);
        j[o] = j[o] && places > 1 ? agni_reshape(s, j[o], x->ndim + 1, shape) : j[o];
    }
    agni_free(y);
    agni_free(q.is);
    return true;
}
