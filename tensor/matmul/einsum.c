/* tensor/matmul/einsum.c - Einstein summation as permutations, sums and batched products of
   pairs. */
#include "tensor/matmul/einsum.h"
#include "tensor/dispatch/op_helpers.h"

#include <string.h>

enum { MAX_AXES = AGNI_EINSUM_AXES, MAX_OPERANDS = 16 };

static bool has_axis(const agni_einsum_term *t, int axis)
{
    for (int k = 0; k < t->n; k++)
        if (t->axis[k] == axis)
            return true;
    return false;
}

/* repeated subscripts of one operand: the diagonal, by a gather along the merged axes */
static const agn_tensor *take_diagonals(agn_scope *s, const agn_tensor *x, agni_einsum_term *t)
{
    for (int i = 0; x && i < t->n; i++)
        for (int j = i + 1; x && j < t->n; j++) {
            if (t->axis[i] != t->axis[j])
                continue;
            int64_t n = x->shape[i], shape[AGNI_MAX_RANK];
            x = agni_move_axis(s, agni_move_axis(s, x, j, -1), i, -2);
            for (int k = j; k + 1 < t->n; k++)
                t->axis[k] = t->axis[k + 1];
            int a = t->axis[i];
            for (int k = i; k + 1 < t->n - 1; k++)
                t->axis[k] = t->axis[k + 1];
            t->axis[t->n - 2] = a;
            t->n--;
            if (!x)
                return NULL;
            memcpy(shape, x->shape, (size_t)x->ndim * sizeof *shape);
            shape[x->ndim - 2] = n * n;
            x = agni_reshape(s, x, x->ndim - 1, shape);
            agn_tensor *d = NULL;
            if (agn_scope_status(s))
                return NULL;
            agn_status st = agn_arange(&d, AGN_I64, 0, (double)(n * (n + 1)), (double)(n + 1));
            const agn_tensor *idx = agni_adopt_constant(s, st, d);
            if (idx && idx->shape[0] != n)
                idx = agni_apply_in(s, &agni_op_slice,
                                    &(agni_attr){.ni = 3, .i = (int64_t[]){0, 1, n}}, 1, &idx);
            x = agni_apply_in(s, &agni_op_gather, &(agni_attr){.ni = 2, .i = (int64_t[]){-1, 0}}, 2,
                              (const agn_tensor *[]){x, idx});
            i = -1;
            break;
        }
    return x;
}

/* sums over the axes of x that keep does not mark */
static const agn_tensor *sum_unused_axes(agn_scope *s, const agn_tensor *x, agni_einsum_term *t,
                                         const bool *keep)
{
    int64_t axes[AGNI_MAX_RANK];
    int n = 0, m = 0;
    for (int k = 0; k < t->n; k++)
        if (keep[t->axis[k]])
            t->axis[m++] = t->axis[k];
        else
            axes[n++] = k;
    t->n = m;
    return x ? agni_sum_axes(s, x, n, axes, false) : NULL;
}

/* x with its axes permuted to list; axes it does not have are of size 1 */
static const agn_tensor *permute_axes(agn_scope *s, const agn_tensor *x, const agni_einsum_term *t,
                                      const int *list, int n)
{
    int64_t order[AGNI_MAX_RANK], shape[AGNI_MAX_RANK];
    int k = 0;
    for (int i = 0; i < n; i++) {
        shape[i] = 1;
        for (int j = 0; j < t->n; j++)
            if (t->axis[j] == list[i]) {
                order[k++] = j - t->n;
                shape[i] = x->shape[j];
            }
    }
    x = agni_apply_in(s, &agni_op_permute, &(agni_attr){.ni = k, .i = order}, 1, &x);
    return x ? agni_reshape(s, x, n, shape) : NULL;
}

/* The role of an axis of two operands: in both and kept, in one, or in both and summed over. */
enum { BATCH, LEFT_BATCH, RIGHT_BATCH, LEFT, RIGHT, SUMMED, ROLES };
typedef struct roles {
    int axis[ROLES][AGNI_MAX_RANK], n[ROLES];
} roles;

static void assign_role(roles *r, int role, int axis)
{
    r->axis[role][r->n[role]++] = axis;
}

static int64_t role_size(const roles *r, int role, const int64_t *size)
{
    int64_t p = 1;
    for (int i = 0; i < r->n[role]; i++)
        p *= size[r->axis[role][i]];
    return p;
}

/* An operand with free axes on both sides of the summed ones, as the first of "ijk,jl->ilk", is a
   matrix only after a copy. Those in front become batch axes that the other operand does not have,
   if each of the remaining products is worth a call. */
static void batch_front_axes(roles *r, const agni_einsum_term *t, int role, int batch,
                             const bool *summed, const int64_t *size)
{
    enum { ENOUGH = 1 << 14 };
    roles less = *r;
    less.n[role] = 0;
    bool front = true;
    for (int k = 0, i = 0; k < t->n; k++) {
        front = front && !summed[t->axis[k]];
        if (i < r->n[role] && t->axis[k] == r->axis[role][i]) {
            assign_role(&less, front ? batch : role, t->axis[k]);
            i++;
        }
    }
    if (less.n[role] && less.n[batch] &&
        role_size(&less, LEFT, size) * role_size(&less, RIGHT, size) * role_size(r, SUMMED, size) >=
            ENOUGH)
        *r = less;
}

/* x as [batch..., rows, columns] by four roles, the last two merged into one axis each */
static const agn_tensor *as_batched_matrix(agn_scope *s, const agn_tensor *x,
                                           const agni_einsum_term *t, const roles *r,
                                           const int *four, const int64_t *size)
{
    int list[AGNI_MAX_RANK], n = 0;
    int64_t full[AGNI_MAX_RANK], group[ROLES] = {1, 1, 1, 1, 1, 1};
    for (int c = 0; c < 4; c++) {
        group[four[c]] = role_size(r, four[c], size);
        for (int k = 0; k < r->n[four[c]]; k++)
            list[n++] = r->axis[four[c]][k];
    }
    for (int k = 0; k < n; k++)
        full[k] = size[list[k]];
    /* axes of size 1 are broadcast before axes are merged */
    x = x ? permute_axes(s, x, t, list, n) : NULL;
    x = x ? agni_broadcast(s, x, n, full) : NULL;
    const int64_t shape[5] = {group[BATCH], group[LEFT_BATCH], group[RIGHT_BATCH],
                              group[four[2]], group[four[3]]};
    bool plain = r->n[LEFT_BATCH] + r->n[RIGHT_BATCH] == 0;
    const int64_t three[3] = {shape[0], shape[3], shape[4]};
    return x ? agni_reshape(s, x, plain ? 3 : 5, plain ? three : shape) : NULL;
}

/* contracts two operands; ta becomes the axes of the product */
static const agn_tensor *contract_pair(agn_scope *s, const agn_tensor *a, agni_einsum_term *ta,
                                       const agn_tensor *b, agni_einsum_term *tb, const bool *keep,
                                       const int64_t *size)
{
    bool need[MAX_AXES], summed[MAX_AXES] = {false};
    for (int k = 0; k < MAX_AXES; k++)
        need[k] = keep[k] || has_axis(tb, k);
    a = sum_unused_axes(s, a, ta, need);
    for (int k = 0; k < MAX_AXES; k++)
        need[k] = keep[k] || has_axis(ta, k);
    b = sum_unused_axes(s, b, tb, need);
    if (!a || !b)
        return NULL;
    roles r = {.n = {0}};
    for (int k = 0; k < ta->n; k++) {
        int x = ta->axis[k];
        summed[x] = has_axis(tb, x) && !keep[x];
        assign_role(&r, summed[x] ? SUMMED : has_axis(tb, x) ? BATCH : LEFT, x);
    }
    for (int k = 0; k < tb->n; k++)
        if (!has_axis(ta, tb->axis[k]))
            assign_role(&r, RIGHT, tb->axis[k]);
    if (r.n[BATCH] + r.n[LEFT] + r.n[RIGHT] > AGNI_MAX_RANK) {
        agn_scope_fail(s, agni_fail(AGN_ESHAPE,
                                    "einsum: an intermediate result of %s and %s has %d axes, "
                                    "above %d",
                                    AGNI_SHAPE(a), AGNI_SHAPE(b),
                                    r.n[BATCH] + r.n[LEFT] + r.n[RIGHT], AGN_MAX_RANK));
        return NULL;
    }
    batch_front_axes(&r, ta, LEFT, LEFT_BATCH, summed, size);
    batch_front_axes(&r, tb, RIGHT, RIGHT_BATCH, summed, size);
    a = as_batched_matrix(s, a, ta, &r, (const int[]){BATCH, LEFT_BATCH, LEFT, SUMMED}, size);
    b = as_batched_matrix(s, b, tb, &r, (const int[]){BATCH, RIGHT_BATCH, SUMMED, RIGHT}, size);
    const agn_tensor *y = a && b ? agni_apply_in(s, &agni_op_matmul, NULL, 2,
                                                 (const agn_tensor *[]){a, b})
                                 : NULL;
    int64_t full[AGNI_MAX_RANK];
    ta->n = 0;
    for (int c = 0; c < SUMMED; c++)
        for (int k = 0; k < r.n[c]; k++) {
            full[ta->n] = size[r.axis[c][k]];
            ta->axis[ta->n++] = r.axis[c][k];
        }
    return y ? agni_reshape(s, y, ta->n, full) : NULL;
}

static int common_dtype(const agn_tensor *const *xs, int n)
{
    int strong = -1, literal = -1;
    for (int i = 0; i < n; i++) {
        int *to = xs[i]->weak ? &literal : &strong;
        *to = *to < 0 ? xs[i]->dtype : agni_promote(*to, xs[i]->dtype);
    }
    return strong < 0 ? literal : literal < 0 ? strong : agni_promote_weak(literal, strong);
}

/* ---- subscripts and contraction order ------------------------------------------------ */

typedef struct contraction {
    agni_einsum_term t[MAX_OPERANDS], result;
    int64_t size[MAX_AXES];
    int8_t pair[MAX_OPERANDS][2]; /* operands to contract next; the product is appended */
    double cost, plain;           /* of that order, and from left to right */
} contraction;

static agni_axis_set axis_set(const agni_einsum_term *t)
{
    agni_axis_set a = {{0, 0}};
    for (int k = 0; k < t->n; k++)
        a.bits[t->axis[k] / 64] |= (uint64_t)1 << t->axis[k] % 64;
    return a;
}

static agn_status analyse_spec(const char *spec, const agn_tensor *const *xs, int32_t n,
                               contraction *m)
{
    if (!spec || !xs)
        return agni_fail(AGN_ENULL, "einsum: %s is NULL", spec ? "xs" : "spec");
    if (n < 1 || n > MAX_OPERANDS)
        return agni_fail(AGN_EARG, "einsum: %d operands, 1 to %d are possible", n, MAX_OPERANDS);
    for (int i = 0; i < n; i++)
        if (!xs[i])
            return agni_fail(AGN_ENULL, "einsum: operand %d of %d is NULL", i, n);
    agn_status st = agni_einsum_parse(spec, xs, n, m->t, &m->result, m->size);
    if (st)
        return st;
    agni_axis_set set[MAX_OPERANDS];
    for (int i = 0; i < n; i++)
        set[i] = axis_set(&m->t[i]);
    agni_einsum_order(n, set, axis_set(&m->result), m->size, m->pair, &m->cost, &m->plain);
    return AGN_OK;
}

agn_status agn_einsum_path(int32_t *path, double *cost, const char *spec,
                           const agn_tensor *const *xs, int32_t n)
{
    contraction m;
    if (!path)
        return agni_fail(AGN_ENULL, "einsum_path: path is NULL");
    agn_status st = analyse_spec(spec, xs, n, &m);
    if (st)
        return agni_rename_error("einsum_path", st);
    for (int k = 0; k + 1 < n; k++) {
        path[2 * k] = m.pair[k][0];
        path[2 * k + 1] = m.pair[k][1];
    }
    if (cost) {
        cost[0] = m.cost;
        cost[1] = m.plain;
    }
    return AGN_OK;
}

agn_status agn_einsum(agn_tensor **out, const char *spec, const agn_tensor *const *xs,
                      int32_t n)
{
    contraction m;
    if (!out)
        return agni_fail(AGN_ENULL, "einsum: out is NULL");
    agn_status st = analyse_spec(spec, xs, n, &m);
    if (st)
        return st;
    int dtype = common_dtype(xs, n);
    if (dtype == AGN_BOOL)
        return agni_fail(AGN_EDTYPE, "einsum: \"%s\": not defined for %s, for numbers", spec,
                         agni_dtypes[dtype].name);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x[MAX_OPERANDS];
    bool keep[MAX_AXES];
    for (int i = 0; i < n; i++) { /* narrow dtypes are computed wide and rounded once */
        x[i] = agni_cast(s, xs[i], agni_dtypes[dtype].wide);
        x[i] = take_diagonals(s, x[i], &m.t[i]);
    }
    for (int left = n; left > 1; left--) {
        int i = m.pair[n - left][0], j = m.pair[n - left][1], to = 0;
        for (int k = 0; k < MAX_AXES; k++) {
            keep[k] = has_axis(&m.result, k);
            for (int q = 0; q < left; q++)
                keep[k] |= q != i && q != j && has_axis(&m.t[q], k);
        }
        const agn_tensor *y = contract_pair(s, x[i], &m.t[i], x[j], &m.t[j], keep, m.size);
        const agni_einsum_term t = m.t[i];
        for (int q = 0; q < left; q++)
            if (q != i && q != j) {
                x[to] = x[q];
                m.t[to++] = m.t[q];
            }
        x[to] = y;
        m.t[to] = t;
    }
    for (int k = 0; k < MAX_AXES; k++)
        keep[k] = has_axis(&m.result, k);
    const agn_tensor *y = sum_unused_axes(s, x[0], &m.t[0], keep);
    if (y)
        y = permute_axes(s, y, &m.t[0], m.result.axis, m.result.n);
    int64_t full[AGNI_MAX_RANK];
    for (int k = 0; k < m.result.n; k++)
        full[k] = m.size[m.result.axis[k]];
    y = y ? agni_broadcast(s, y, m.result.n, full) : NULL;
    return agni_return("einsum", s, out, y ? agni_cast(s, y, dtype) : NULL);
}
