/* sparse/derivative/dependence.c - on which elements of an argument each element of a result
   depends, op by op. An op that moves elements is applied to their numbers: element e of the result
   then holds the number of its source. A reduction is asked by its transpose, which maps each
   element to its group. An op that is in no table depends on everything: the pattern never misses
   an entry. */
#include "sparse/derivative/derivative.h"

#include <string.h>

void agni_element_sources_free(agni_element_sources *q)
{
    agni_free(q->group);
    agni_free(q->from);
    agni_free(q->begin);
    agni_free(q->item);
    agni_free(q->before);
    *q = (agni_element_sources){0};
}

/* Argument i and a result of a node. */
typedef struct query {
    const agni_prog *p;
    const agni_pnode *n;
    const agn_tensor *x, *y;
    int i;
} query;

typedef agn_status rule(agni_element_sources *q, const query *a);

static const agn_tensor *argument_of(const query *a, int i)
{
    return a->p->val[a->p->arg[a->n->arg + i]];
}
static bool has_value(const agn_tensor *x)
{
    return x->st && !x->stale && x->st->device == AGN_CPU;
}

static agn_status alloc_indices(int64_t **out, int64_t n)
{
    *out = agni_alloc((size_t)(n ? n : 1) * sizeof **out);
    return *out ? AGN_OK : agni_nomem("pattern", (size_t)n * sizeof **out);
}

/* ---- numbers in place of values ------------------------------------------------- */

/* numbers 1, 2, ... in the shape of x, or zeros; of a dtype the op takes */
static agn_status number_elements(agn_tensor **out, const agni_op *op, const agn_tensor *x,
                                  bool zero)
{
    bool wide = !(op->dtypes & AGNI_BIT(I64));
    agn_status st = agni_tensor_make(out, "pattern", wide ? AGN_F64 : AGN_I64, x->ndim,
                                     x->shape, AGN_CPU);
    for (int64_t e = 0; !st && e < x->size; e++)
        if (wide)
            ((double *)(*out)->data)[e] = zero ? 0 : (double)(e + 1);
        else
            ((int64_t *)(*out)->data)[e] = zero ? 0 : e + 1;
    return st;
}

/* numbers from 1 as indices from 0; 0 becomes -1 */
static agn_status read_numbers(int64_t **out, const agn_tensor *y)
{
    agn_tensor *wide = NULL, *row = NULL;
    agn_status st = agn_cast(&wide, y, AGN_I64);
    if (!st)
        st = agn_contiguous(&row, wide);
    if (!st)
        st = alloc_indices(out, y->size);
    for (int64_t e = 0; !st && e < y->size; e++)
        (*out)[e] = ((const int64_t *)row->data)[e] - 1;
    agn_release(wide);
    agn_release(row);
    return st;
}

/* The op on x in place of argument i, and zeros for others that carry derivatives. An index
   that is not known is 0 if x does not change along its axis. */
static agn_status apply_to_numbers(agn_tensor **out, const query *a, const agn_tensor *x)
{
    const agni_pnode *n = a->n;
    const agn_tensor **in = agni_zalloc((size_t)n->nin * sizeof *in);
    agn_tensor **made = agni_zalloc((size_t)n->nin * sizeof *made);
    agn_status st = in && made ? AGN_OK
                               : agni_nomem("pattern", (size_t)n->nin * sizeof *in);
    for (int i = 0; !st && i < n->nin; i++) {
        in[i] = argument_of(a, i);
        if (i == a->i) {
            in[i] = x;
        } else if (agni_is_diff_argument(n->op, i) || !has_value(in[i])) {
            st = agni_is_diff_argument(n->op, i)
                     ? number_elements(&made[i], n->op, in[i], true)
                     : agn_zeros(&made[i], (agn_dtype)in[i]->dtype, in[i]->ndim, in[i]->shape);
            in[i] = made[i];
        }
    }
    if (!st)
        st = agni_apply1(n->op, n->at, n->nin, in, out);
    for (int i = 0; made && i < n->nin; i++)
        agn_release(made[i]);
    agni_free(in);
    agni_free(made);
    return st;
}

static agn_status depends_on_moved(agni_element_sources *q, const query *a)
{
    agn_tensor *x = NULL, *y = NULL;
    agn_status st = number_elements(&x, a->n->op, a->x, false);
    if (!st)
        st = apply_to_numbers(&y, a, x);
    if (!st)
        st = read_numbers(&q->from, y);
    q->plain = true;
    agn_release(x);
    agn_release(y);
    return st;
}

/* to which element of the result each element goes, by the transpose of op */
static agn_status depends_by_transpose(agni_element_sources *q, const query *a, const agni_op *op)
{
    agn_tensor *g = NULL;
    agn_status st = number_elements(&g, op, a->y, false);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *few[3];
    for (int i = 0; i < a->n->nin && i < 3; i++)
        few[i] = argument_of(a, i);
    agni_rule r = {op, a->n->at, a->n->nin, 1, few, &a->y};
    const agn_tensor *to = op->transpose(s, &r, a->i, g);
    if (to && !agn_scope_status(s))
        agn_scope_fail(s, read_numbers(&q->group, to));
    q->groups = a->y->size;
    q->plain = a->n->op->cls == AGNI_LINEAR;
    agn_release(g);
    return agn_scope_close(s);
}
static agn_status depends_on_sum(agni_element_sources *q, const query *a)
{
    return depends_by_transpose(q, a, &agni_op_sum);
}

/* ---- shapes --------------------------------------------------------------------- */

/* the element of x that element e of y sees by broadcasting; walks e from 0 */
typedef struct stepping {
    int ndim;
    int64_t at[AGNI_MAX_RANK], stride[AGNI_MAX_RANK], size[AGNI_MAX_RANK], place;
} stepping;

static void start_walk(stepping *w, int ndim, const int64_t *shape, const agn_tensor *x, int skip)
{
    *w = (stepping){.ndim = ndim};
    int64_t stride = 1;
    for (int d = x->ndim - 1; d >= 0; d--) {
        int e = d - (x->ndim - skip) + ndim;
        if (d < x->ndim - skip && e >= 0)
            w->stride[e] = x->shape[d] == 1 ? 0 : stride;
        stride *= x->shape[d];
    }
    memcpy(w->size, shape, (size_t)ndim * sizeof *shape);
}
static void advance_walk(stepping *w)
{
    for (int d = w->ndim - 1; d >= 0; d--) {
        w->place += w->stride[d];
        if (++w->at[d] < w->size[d])
            return;
        w->place -= w->stride[d] * w->size[d];
        w->at[d] = 0;
    }
}

static agn_status depends_elementwise(agni_element_sources *q, const query *a)
{
    if (agni_same_shape(a->x, a->y))
        return AGN_OK;
    agn_status st = alloc_indices(&q->from, q->n);
    stepping w;
    start_walk(&w, a->y->ndim, a->y->shape, a->x, 0);
    for (int64_t e = 0; !st && e < q->n; e++, advance_walk(&w))
        q->from[e] = w.place;
    return st;
}

static agn_status depends_on_copy(agni_element_sources *q, const query *a)
{
    q->plain = true;
    return depends_elementwise(q, a);
}

/* a product with a known 0 depends on nothing */
static agn_status depends_on_product(agni_element_sources *q, const query *a)
{
    const agn_tensor *c = argument_of(a, !a->i);
    agn_status st = depends_elementwise(q, a);
    if (st || !has_value(c) || agni_kind(c->dtype) != AGNI_KIND_FLOAT)
        return st;
    agn_tensor *wide = NULL, *row = NULL;
    st = agn_cast(&wide, c, AGN_F64);
    if (!st)
        st = agn_contiguous(&row, wide);
    bool own = !st && !q->from;
    if (own)
        st = alloc_indices(&q->from, q->n);
    stepping w;
    start_walk(&w, a->y->ndim, a->y->shape, c, 0);
    for (int64_t e = 0; !st && e < q->n; e++, advance_walk(&w)) {
        q->from[e] = own ? e : q->from[e];
        if (((const double *)row->data)[w.place] == 0)
            q->from[e] = -1;
    }
    agn_release(wide);
    agn_release(row);
    return st;
}

/* the lines of x along an axis, counted from the end */
static agn_status index_lines(int64_t **out, int64_t *count, const agn_tensor *x, int64_t axis)
{
    int64_t inner = 1, n = x->shape[x->ndim + axis];
    for (int d = x->ndim + (int)axis + 1; d < x->ndim; d++)
        inner *= x->shape[d];
    agn_status st = alloc_indices(out, x->size);
    for (int64_t e = 0; !st && e < x->size; e++)
        (*out)[e] = e / (inner * n) * inner + e % inner;
    *count = x->size / (n ? n : 1);
    return st;
}

static agn_status depends_on_line(agni_element_sources *q, const query *a)
{
    int64_t axis = a->n->at->i[0], k;
    agn_status st = index_lines(&q->group, &q->groups, a->x, axis);
    return st || !agni_same_shape(a->x, a->y) ? st : index_lines(&q->from, &k, a->y, axis);
}

/* on all elements up to this one along an axis */
static agn_status depends_on_prefix(agni_element_sources *q, const query *a)
{
    int64_t axis = a->n->at->i[0], n = a->y->shape[a->y->ndim + axis], inner = 1;
    q->backwards = a->n->at->i[1] != 0;
    for (int d = a->y->ndim + (int)axis + 1; d < a->y->ndim; d++)
        inner *= a->y->shape[d];
    agn_status st = depends_elementwise(q, a);
    if (!st)
        st = alloc_indices(&q->before, q->n);
    for (int64_t e = 0; !st && e < q->n; e++) {
        int64_t at = e / inner % n;
        q->before[e] = q->backwards ? (at == n - 1 ? -1 : e + inner)
                       : at == 0    ? -1
                                    : e - inner;
    }
    return st;
}

/* ---- indices -------------------------------------------------------------------- */

/* a known index: exactly; else from anywhere along the axis */
static agn_status depends_on_gather(agni_element_sources *q, const query *a)
{
    if (has_value(argument_of(a, 1)))
        return depends_on_moved(q, a);
    agn_tensor *x = NULL, *y = NULL;
    agn_status st = index_lines(&q->group, &q->groups, a->x, a->n->at->i[0]);
    if (!st)
        st = agni_tensor_make(&x, "pattern", AGN_I64, a->x->ndim, a->x->shape, AGN_CPU);
    for (int64_t e = 0; !st && e < a->x->size; e++)
        ((int64_t *)x->data)[e] = q->group[e] + 1;
    if (!st && a->x->size)
        st = apply_to_numbers(&y, a, x);
    if (!st)
        st = y ? read_numbers(&q->from, y) : alloc_indices(&q->from, q->n);
    for (int64_t e = 0; !st && !y && e < q->n; e++)
        q->from[e] = -1;
    agn_release(x);
    agn_release(y);
    return st;
}

/* Everything from everywhere. */
static agn_status depends_on_all(agni_element_sources *q, const query *a)
{
    (void)a;
    q->groups = 1;
    agn_status st = alloc_indices(&q->group, q->m);
    if (!st)
        st = alloc_indices(&q->from, q->n);
    if (!st) {
        memset(q->group, 0, (size_t)q->m * sizeof *q->group);
        memset(q->from, 0, (size_t)q->n * sizeof *q->from);
    }
    return st;
}

static agn_status depends_on_scatter_add(agni_element_sources *q, const query *a)
{
    if (a->i == 0)
        return depends_on_copy(q, a);
    return has_value(argument_of(a, 1)) ? depends_by_transpose(q, a, a->n->op)
                                        : depends_on_all(q, a);
}
static agn_status depends_on_scatter_put(agni_element_sources *q, const query *a)
{
    if (!has_value(argument_of(a, 1)))
        return a->i == 0 ? AGN_OK : depends_on_all(q, a);
    return depends_on_moved(q, a);
}

/* ---- products ------------------------------------------------------------------- */

/* rows of the left matrix, columns of the right one; of a known other one zeros are left out */
static agn_status depends_on_matmul(agni_element_sources *q, const query *a)
{
    const agn_tensor *x = a->x, *y = a->y;
    int64_t rows = x->shape[x->ndim - 2], cols = x->shape[x->ndim - 1];
    int64_t m = y->shape[y->ndim - 2], n = y->shape[y->ndim - 1],
            lines_of = a->i ? cols : rows;
    stepping w;
    start_walk(&w, y->ndim - 2, y->shape, x, 2); /* in elements of x */
    agn_status st = alloc_indices(&q->group, q->m);
    if (!st)
        st = alloc_indices(&q->from, q->n);
    for (int64_t e = 0; !st && e < q->m; e++) {
        int64_t part = e / (rows * cols), r = e / cols % rows, c = e % cols;
        q->group[e] = part * lines_of + (a->i ? c : r);
    }
    bool some = rows > 0 && cols > 0;
    q->groups = some ? q->m / (rows * cols) * lines_of : 0;
    for (int64_t e = 0; !st && e < q->n; e++) {
        if (e && e % (m * n) == 0)
            advance_walk(&w);
        int64_t part = some ? w.place / (rows * cols) : 0;
        q->from[e] = some ? part * lines_of + (a->i ? e % n : e / n % m) : -1;
    }
    return st;
}

/* by the nonzeros of one known matrix */
static agn_status depends_on_known_matmul(agni_element_sources *q, const query *a)
{
    const agn_tensor *c = argument_of(a, !a->i), *x = a->x, *y = a->y;
    if (!has_value(c) || c->ndim != 2 || x->ndim != 2 || agni_kind(c->dtype) != AGNI_KIND_FLOAT)
        return depends_on_matmul(q, a);
    int64_t m = y->shape[0], n = y->shape[1], k = c->shape[a->i ? 1 : 0], count = 0;
    agn_tensor *wide = NULL, *row = NULL;
    agn_status st = agn_cast(&wide, c, AGN_F64);
    if (!st)
        st = agn_contiguous(&row, wide);
    const double *v = st ? NULL : row->data;
    for (int64_t e = 0; !st && e < c->size; e++)
        count += v[e] != 0;
    if (!st)
        st = alloc_indices(&q->begin, q->n + 1);
    if (!st)
        st = alloc_indices(&q->item, count * (a->i ? n : m));
    int64_t at = 0;
    for (int64_t e = 0; !st && e < q->n; e++) {
        int64_t r = e / n, s = e % n;
        q->begin[e] = at;
        for (int64_t l = 0; l < k; l++)
            if (a->i ? v[r * k + l] != 0 : v[l * n + s] != 0)
                q->item[at++] = a->i ? l * n + s : r * k + l;
    }
    if (!st)
        q->begin[q->n] = at;
    agn_release(wide);
    agn_release(row);
    return st;
}

/* y = A x of one matrix: values by rows, x by entries */
static agn_status depends_on_spmm(agni_element_sources *q, const query *a)
{
    const agni_pattern *p = (const agni_pattern *)a->n->at->obj;
    if (a->y->ndim != 2 || argument_of(a, 0)->ndim != 1 || argument_of(a, 1)->ndim != 2)
        return depends_on_all(q, a);
    const agni_transposed_pattern *t = a->n->at->i[0] ? agni_pattern_transposed(p) : NULL;
    if (a->n->at->i[0] && !t)
        return agni_nomem("pattern", (size_t)p->nnz * sizeof(int64_t));
    const agni_pattern *rows_at = t ? t->p : p;
    int64_t rows = a->y->shape[0], n = a->y->shape[1], at = 0;
    agn_status st = AGN_OK;
    if (a->i == 0) {
        st = alloc_indices(&q->group, q->m);
        if (!st)
            st = alloc_indices(&q->from, q->n);
        for (int64_t r = 0; !st && r < rows; r++)
            for (int64_t e = agni_row_begin(rows_at, r); e < agni_row_begin(rows_at, r + 1);
                 e++)
                q->group[t ? agni_transposed_entry(t, e) : e] = r;
        for (int64_t e = 0; !st && e < q->n; e++)
            q->from[e] = e / n;
        q->groups = rows;
        return st;
    }
    st = alloc_indices(&q->begin, q->n + 1);
    if (!st)
        st = alloc_indices(&q->item, p->nnz * n);
    for (int64_t e = 0; !st && e < q->n; e++) {
        q->begin[e] = at;
        for (int64_t k = agni_row_begin(rows_at, e / n); k < agni_row_begin(rows_at, e / n + 1);
             k++)
            q->item[at++] = agni_entry_col(rows_at, k) * n + e % n;
    }
    if (!st)
        q->begin[q->n] = at;
    return st;
}

/* v_e = u[row e] . w[column e] */
static agn_status depends_on_sddmm(agni_element_sources *q, const query *a)
{
    const agni_pattern *p = (const agni_pattern *)a->n->at->obj;
    if (a->x->ndim != 2 || a->y->ndim != 1)
        return depends_on_all(q, a);
    int64_t k = a->x->shape[1];
    agn_status st = alloc_indices(&q->group, q->m);
    if (!st)
        st = alloc_indices(&q->from, q->n);
    for (int64_t e = 0; !st && e < q->m; e++)
        q->group[e] = e / k;
    for (int64_t r = 0; !st && r < p->rows; r++)
        for (int64_t e = agni_row_begin(p, r); e < agni_row_begin(p, r + 1); e++)
            q->from[e] = a->i ? agni_entry_col(p, e) : r;
    q->groups = a->x->shape[0];
    return st;
}

/* sums along rows of n numbers, and slopes, which are sums themselves for arguments of one */
static agn_status depends_on_density(agni_element_sources *q, const query *a)
{
    int64_t k;
    if (a->y->shape[a->y->ndim - 1] >= a->x->shape[a->x->ndim - 1])
        return depends_elementwise(q, a);
    agn_status st = index_lines(&q->group, &q->groups, a->x, -1);
    return st ? st : index_lines(&q->from, &k, a->y, -1);
}

/* ---- the table ------------------------------------------------------------------ */

static const struct {
    const agni_op *op;
    rule *find;
} rules[] = {
    {&agni_op_mul, depends_on_product},
    {&agni_op_mulz, depends_on_product},
    {&agni_op_where, depends_elementwise},
    {&agni_op_cast, depends_on_copy},
    {&agni_op_copy, depends_on_copy},
    {&agni_op_watch, depends_on_copy},
    {&agni_op_reshape, depends_on_moved},
    {&agni_op_permute, depends_on_moved},
    {&agni_op_broadcast_to, depends_on_moved},
    {&agni_op_slice, depends_on_moved},
    {&agni_op_unslice, depends_on_moved},
    {&agni_op_slice_put, depends_on_moved},
    {&agni_op_concat, depends_on_moved},
    {&agni_op_as_strided, depends_on_moved},
    {&agni_op_gather, depends_on_gather},
    {&agni_op_scatter_put, depends_on_scatter_put},
    {&agni_op_scatter_add, depends_on_scatter_add},
    {&agni_op_sum, depends_on_sum},
    {&agni_op_max, depends_on_sum},
    {&agni_op_min, depends_on_sum},
    {&agni_op_amax, depends_on_sum},
    {&agni_op_amin, depends_on_sum},
    {&agni_op_logsumexp, depends_on_sum},
    {&agni_op_cumsum, depends_on_prefix},
    {&agni_op_recurrence, depends_on_prefix},
    {&agni_op_logcumsumexp, depends_on_prefix},
    {&agni_op_sort, depends_on_line},
    {&agni_op_squared_deviation, depends_on_line},
    {&agni_op_matmul, depends_on_known_matmul},
    {&agni_op_log_density, depends_on_density},
    {&agni_op_sparse_scatter, depends_on_moved},
    {&agni_op_sparse_gather, depends_on_moved},
    {&agni_op_sparse_spmm, depends_on_spmm},
    {&agni_op_sparse_sddmm, depends_on_sddmm},
};

agn_status agni_element_sources_of(agni_element_sources *q, const agni_prog *p, int k, int i, int o)
{
    const agni_pnode *n = &p->node[k];
    query a = {p, n, p->val[p->arg[n->arg + i]], p->val[n->val + o], i};
    *q = (agni_element_sources){.n = a.y->size, .m = a.x->size};
    for (size_t t = 0; t < AGNI_COUNT(rules); t++)
        if (rules[t].op == n->op)
            return rules[t].find(q, &a);
    return n->op->cls == AGNI_EW ? depends_elementwise(q, &a) : depends_on_all(q, &a);
}
