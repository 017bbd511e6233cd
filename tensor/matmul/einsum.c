/* tensor/matmul/einsum.c - Einstein summation as permutations, sums and batched matmuls. */
#include "tensor/matmul/einsum.h"
#include "tensor/dispatch/op_helpers.h"

#include <string.h>

/* Axes are numbered: letters a-z 0..25, A-Z 26..51, and the broadcast axes of "..." from
   AGNI_MAX_RANK + 20 on, aligned at their end. */
enum { LETTERS = 52, MAX_AXES = LETTERS + AGNI_MAX_RANK, MAX_OPERANDS = 16 };

typedef struct term {
    int n, axis[AGNI_MAX_RANK]; /* axis numbers, in order */
} term;

static int letter(char c)
{
    return c >= 'a' && c <= 'z' ? c - 'a' : c >= 'A' && c <= 'Z' ? c - 'A' + 26 : -1;
}

static agn_status syntax(const char *spec, const char *p)
{
    int len = *p != 0; /* bytes of the character: UTF-8 */
    while (len && ((unsigned char)p[len] & 0xC0) == 0x80)
        len++;
    return agni_fail(AGN_EARG, "einsum: \"%s\": unexpected %s%.*s%s at character %d", spec,
                     *p ? "'" : "end", len, p, *p ? "'" : "", (int)(p - spec));
}

static agn_status too_many(const char *spec, int n)
{
    return agni_fail(AGN_ESHAPE, "einsum: \"%s\": %d axes at once, above %d", spec, n,
                     AGN_MAX_RANK);
}

/* reads one term up to ',', '-' or the end; ndim < 0 for the output, whose dots are given */
static agn_status read_term(const char *spec, const char **at, int ndim, int dots_out, term *t,
                            int *dots)
{
    const char *p = *at;
    int letters = 0;
    bool seen = false;
    for (const char *q = p; *q && *q != ',' && *q != '-'; q++)
        letters += letter(*q) >= 0;
    *dots = ndim < 0 ? dots_out : ndim - letters;
    t->n = 0;
    for (; *p && *p != ',' && *p != '-'; p++) {
        if (*p == ' ')
            continue;
        if (*p == '.') {
            if (seen || strncmp(p, "...", 3))
                return syntax(spec, p);
            seen = true;
            p += 2;
            if (*dots > AGNI_MAX_RANK - t->n)
                return too_many(spec, *dots + letters);
            for (int k = 0; k < *dots; k++)
                t->axis[t->n++] = MAX_AXES - *dots + k;
        } else if (letter(*p) >= 0) {
            if (t->n == AGNI_MAX_RANK)
                return too_many(spec, letters + (seen ? *dots : 0));
            t->axis[t->n++] = letter(*p);
        } else {
            return syntax(spec, p);
        }
    }
    if (ndim >= 0 && (*dots < 0 || (!seen && *dots)))
        return agni_fail(AGN_ESHAPE, "einsum: \"%s\": a term names %d axes, its operand has %d", spec,
                         letters, ndim);
    if (!seen)
        *dots = 0;
    *at = p;
    return AGN_OK;
}

static bool has(const term *t, int axis)
{
    for (int k = 0; k < t->n; k++)
        if (t->axis[k] == axis)
            return true;
    return false;
}

/* equal letters in one operand: the diagonal, picked by an index over the merged axes */
static const agn_tensor *diagonals(agn_scope *s, const agn_tensor *x, term *t)
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
            const agn_tensor *idx = agni_constant(s, st, d);
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

/* sums away the axes of x that keep does not mark */
static const agn_tensor *sum_rest(agn_scope *s, const agn_tensor *x, term *t, const bool *keep)
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

/* x with its axes in the order of list; absent ones as size 1 */
static const agn_tensor *arrange(agn_scope *s, const agn_tensor *x, const term *t,
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

/* What an axis of two operands is: in both and kept, in one, or in both and summed away. */
enum { BATCH, LEFT_BATCH, RIGHT_BATCH, LEFT, RIGHT, SUMMED, ROLES };
typedef struct roles {
    int axis[ROLES][AGNI_MAX_RANK], n[ROLES];
} roles;

static void give_role(roles *r, int role, int axis)
{
    r->axis[role][r->n[role]++] = axis;
}

static int64_t size_of(const roles *r, int role, const int64_t *size)
{
    int64_t p = 1;
    for (int i = 0; i < r->n[role]; i++)
        p *= size[r->axis[role][i]];
    return p;
}

/* An operand with free axes on both sides of what is summed, as the first of "ijk,jl->ilk", is a
   matrix only after a copy. Those in front become a batch that the other operand does not
   have, if each of the products that are left is worth a call. */
static void spare_copy(roles *r, const term *t, int role, int batch, const bool *summed,
                       const int64_t *size)
{
    enum { ENOUGH = 1 << 14 };
    roles less = *r;
    less.n[role] = 0;
    bool front = true;
    for (int k = 0, i = 0; k < t->n; k++) {
        front = front && !summed[t->axis[k]];
        if (i < r->n[role] && t->axis[k] == r->axis[role][i]) {
            give_role(&less, front ? batch : role, t->axis[k]);
            i++;
        }
    }
    if (less.n[role] && less.n[batch] &&
        size_of(&less, LEFT, size) * size_of(&less, RIGHT, size) * size_of(r, SUMMED, size) >=
            ENOUGH)
        *r = less;
}

/* x as [batch..., rows, columns] of the sizes of four roles, two of which make one axis each */
static const agn_tensor *operand(agn_scope *s, const agn_tensor *x, const term *t,
                                 const roles *r, const int *four, const int64_t *size)
{
    int list[AGNI_MAX_RANK], n = 0;
    int64_t full[AGNI_MAX_RANK], group[ROLES] = {1, 1, 1, 1, 1, 1};
    for (int c = 0; c < 4; c++) {
        group[four[c]] = size_of(r, four[c], size);
        for (int k = 0; k < r->n[four[c]]; k++)
            list[n++] = r->axis[four[c]][k];
    }
    for (int k = 0; k < n; k++)
        full[k] = size[list[k]];
    /* broadcast sizes of 1 must be spread before axes are merged */
    x = x ? arrange(s, x, t, list, n) : NULL;
    x = x ? agni_broadcast(s, x, n, full) : NULL;
    const int64_t shape[5] = {group[BATCH], group[LEFT_BATCH], group[RIGHT_BATCH],
                              group[four[2]], group[four[3]]};
    bool plain = r->n[LEFT_BATCH] + r->n[RIGHT_BATCH] == 0;
    const int64_t three[3] = {shape[0], shape[3], shape[4]};
    return x ? agni_reshape(s, x, plain ? 3 : 5, plain ? three : shape) : NULL;
}

/* two operands into one, whose axes ta then has */
static const agn_tensor *contract(agn_scope *s, const agn_tensor *a, term *ta,
                                  const agn_tensor *b, term *tb, const bool *keep,
                                  const int64_t *size)
{
    bool need[MAX_AXES], summed[MAX_AXES] = {false};
    for (int k = 0; k < MAX_AXES; k++)
        need[k] = keep[k] || has(tb, k);
    a = sum_rest(s, a, ta, need);
    for (int k = 0; k < MAX_AXES; k++)
        need[k] = keep[k] || has(ta, k);
    b = sum_rest(s, b, tb, need);
    if (!a || !b)
        return NULL;
    roles r = {.n = {0}};
    for (int k = 0; k < ta->n; k++) {
        int x = ta->axis[k];
        summed[x] = has(tb, x) && !keep[x];
        give_role(&r, summed[x] ? SUMMED : has(tb, x) ? BATCH : LEFT, x);
    }
    for (int k = 0; k < tb->n; k++)
        if (!has(ta, tb->axis[k]))
            give_role(&r, RIGHT, tb->axis[k]);
    if (r.n[BATCH] + r.n[LEFT] + r.n[RIGHT] > AGNI_MAX_RANK) {
        agn_scope_fail(s, agni_fail(AGN_ESHAPE,
                                    "einsum: an intermediate result of %s and %s has %d axes, "
                                    "above %d",
                                    AGNI_SHAPE(a), AGNI_SHAPE(b),
                                    r.n[BATCH] + r.n[LEFT] + r.n[RIGHT], AGN_MAX_RANK));
        return NULL;
    }
    spare_copy(&r, ta, LEFT, LEFT_BATCH, summed, size);
    spare_copy(&r, tb, RIGHT, RIGHT_BATCH, summed, size);
    a = operand(s, a, ta, &r, (const int[]){BATCH, LEFT_BATCH, LEFT, SUMMED}, size);
    b = operand(s, b, tb, &r, (const int[]){BATCH, RIGHT_BATCH, SUMMED, RIGHT}, size);
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

static agn_status parse(const char *spec, const agn_tensor *const *xs, int n, term *t, term *out,
                        int64_t *size)
{
    const char *p = spec;
    int dots_all = 0, count[MAX_AXES] = {0};
    for (int k = 0; k < MAX_AXES; k++)
        size[k] = -1;
    for (int i = 0; i < n; i++) {
        int dots;
        agn_status st = read_term(spec, &p, xs[i]->ndim, 0, &t[i], &dots);
        if (st)
            return st;
        dots_all = dots > dots_all ? dots : dots_all;
        for (int k = 0; k < t[i].n; k++) {
            int a = t[i].axis[k];
            int64_t len = xs[i]->shape[k];
            count[a]++;
            bool spread = a >= LETTERS; /* only "..." broadcasts */
            if (size[a] < 0 || (spread && size[a] == 1))
                size[a] = len;
            else if (size[a] != len && !(spread && len == 1))
                return agni_fail(AGN_ESHAPE, "einsum: \"%s\": an axis of operand %d has size %lld, "
                                             "elsewhere %lld",
                                 spec, i, (long long)len, (long long)size[a]);
        }
        if (i + 1 < n && *p != ',')
            return syntax(spec, p);
        p += i + 1 < n;
    }
    if (*p == 0) { /* no arrow: dots, then letters that occur once */
        out->n = 0;
        int once = 0;
        for (int a = 0; a < LETTERS; a++)
            once += count[a] == 1;
        if (dots_all + once > AGNI_MAX_RANK)
            return too_many(spec, dots_all + once);
        for (int a = MAX_AXES - dots_all; a < MAX_AXES; a++)
            out->axis[out->n++] = a;
        for (int k = 0; k < LETTERS; k++) { /* A to Z, then a to z */
            int a = (k + LETTERS / 2) % LETTERS;
            if (count[a] == 1)
                out->axis[out->n++] = a;
        }
        return AGN_OK;
    }
    if (strncmp(p, "->", 2))
        return syntax(spec, p);
    p += 2;
    int dots;
    agn_status st = read_term(spec, &p, -1, dots_all, out, &dots);
    if (st)
        return st;
    if (*p)
        return syntax(spec, p);
    for (int k = 0; k < out->n; k++) {
        int a = out->axis[k];
        bool twice = false;
        for (int j = 0; j < k; j++)
            twice |= out->axis[j] == a;
        if (size[a] < 0 || twice)
            return agni_fail(AGN_EARG, "einsum: \"%s\": axis %d of the result %s", spec, k,
                             twice ? "is named twice" : "is in no operand");
    }
    return AGN_OK;
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

/* ---- what is meant, and in which order ---------------------------------------------- */

typedef struct meaning {
    term t[MAX_OPERANDS], result;
    int64_t size[MAX_AXES];
    int8_t pair[MAX_OPERANDS][2]; /* operands to contract next; the product comes last */
    double cost, plain;           /* of that order, and from left to right */
} meaning;

static agni_axes axes_of(const term *t)
{
    agni_axes a = {{0, 0}};
    for (int k = 0; k < t->n; k++)
        a.bits[t->axis[k] / 64] |= (uint64_t)1 << t->axis[k] % 64;
    return a;
}

static agn_status understand(const char *spec, const agn_tensor *const *xs, int32_t n,
                             meaning *m)
{
    if (!spec || !xs)
        return agni_fail(AGN_ENULL, "einsum: %s is NULL", spec ? "xs" : "spec");
    if (n < 1 || n > MAX_OPERANDS)
        return agni_fail(AGN_EARG, "einsum: %d operands, 1 to %d are possible", n, MAX_OPERANDS);
    for (int i = 0; i < n; i++)
        if (!xs[i])
            return agni_fail(AGN_ENULL, "einsum: operand %d of %d is NULL", i, n);
    agn_status st = parse(spec, xs, n, m->t, &m->result, m->size);
    if (st)
        return st;
    agni_axes set[MAX_OPERANDS];
    for (int i = 0; i < n; i++)
        set[i] = axes_of(&m->t[i]);
    agni_einsum_order(n, set, axes_of(&m->result), m->size, m->pair, &m->cost, &m->plain);
    return AGN_OK;
}

agn_status agn_einsum_path(int32_t *path, double *cost, const char *spec,
                           const agn_tensor *const *xs, int32_t n)
{
    meaning m;
    if (!path)
        return agni_fail(AGN_ENULL, "einsum_path: path is NULL");
    agn_status st = understand(spec, xs, n, &m);
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
    meaning m;
    if (!out)
        return agni_fail(AGN_ENULL, "einsum: out is NULL");
    agn_status st = understand(spec, xs, n, &m);
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
        x[i] = diagonals(s, x[i], &m.t[i]);
    }
    for (int left = n; left > 1; left--) {
        int i = m.pair[n - left][0], j = m.pair[n - left][1], to = 0;
        for (int k = 0; k < MAX_AXES; k++) {
            keep[k] = has(&m.result, k);
            for (int q = 0; q < left; q++)
                keep[k] |= q != i && q != j && has(&m.t[q], k);
        }
        const agn_tensor *y = contract(s, x[i], &m.t[i], x[j], &m.t[j], keep, m.size);
        const term t = m.t[i];
        for (int q = 0; q < left; q++)
            if (q != i && q != j) {
                x[to] = x[q];
                m.t[to++] = m.t[q];
            }
        x[to] = y;
        m.t[to] = t;
    }
    for (int k = 0; k < MAX_AXES; k++)
        keep[k] = has(&m.result, k);
    const agn_tensor *y = sum_rest(s, x[0], &m.t[0], keep);
    if (y)
        y = arrange(s, y, &m.t[0], m.result.axis, m.result.n);
    int64_t full[AGNI_MAX_RANK];
    for (int k = 0; k < m.result.n; k++)
        full[k] = m.size[m.result.axis[k]];
    y = y ? agni_broadcast(s, y, m.result.n, full) : NULL;
    return agni_return("einsum", s, out, y ? agni_cast(s, y, dtype) : NULL);
}
