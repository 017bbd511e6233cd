/* t-sparse-layout - the same expression on sparse and on dense operands: every layout, dtypes,
   empty sizes, hard patterns, derivatives in the values in every mode. */
#include "modes.h"

#include <agnesi/sparse.h>
#include <agnesi/sparse_layout.h>

typedef const agn_tensor *T;

/* ---- operands -------------------------------------------------------------------------- */

enum { CSR, CSC, COO, LOOSE, HYBRID, N_KINDS };
static const char *const kinds[] = {"csr", "csc", "coo", "coo that repeats", "coo and dense axes"};

enum { ANYWHERE, ARROW, BAND, APART, DENSE_ROW, WIDE_RANGE, EMPTY_ROWS, NOTHING, FULL, NO_NUMBERS, N_FORMS };
static const char *const forms[] = {"anywhere",   "arrow",      "band", "disconnected", "dense row",
                                    "wide range", "empty rows", "none", "full",         "NaN and infinite"};
static int form; /* of the operands */

/* what a random number at [i,j] is multiplied with: 0 where nothing is stored */
static double weight(int64_t i, int64_t j)
{
    int64_t d = i - j;
    switch (form) {
    case ARROW:
        return i == 0 || j == 0 || d == 0;
    case BAND:
        return d * d <= 4;
    case APART:
        return d % 3 == 0;
    case DENSE_ROW:
        return i == 3 || (i + 2 * j) % 5 == 0;
    case WIDE_RANGE:
        return d * d <= 4 ? pow(10, (double)((i * 5 + j * 3) % 13 - 6)) : 0;
    case EMPTY_ROWS:
        return i % 3 == 1 && j % 4 != 2;
    case NO_NUMBERS:
        return i == 0 && j == 1 ? (double)NAN : i == 1 && j == 2 ? (double)INFINITY : d * d <= 4;
    default:
        return form == FULL;
    }
}

/* A random tensor with about a third of its places stored, or of the form that is asked for; zeros
   among them. */
static agn_tensor *operand(int kind, int dtype, int ndim, const int64_t *shape)
{
    agn_tensor *x = random_of(dtype, ndim, shape, -3, 3), *m = NULL, *y = NULL;
    agn_tensor *u = random_of(AGN_F64, ndim, shape, 0, 1);
    agn_scope *s = agn_scope_open(NULL);
    T mask = ag_lt(s, u, ag_lit(s, 0.4)), d;
    if (form) {
        double w[512];
        for (int64_t k = 0; k < count_of(ndim, shape); k++)
            w[k] = weight(k / shape[1], k % shape[1]);
        m = of_reals(AGN_F64, ndim, shape, w);
        mask = m;
    }
    d = dtype == AGN_BOOL ? ag_logical_and(s, x, mask) : ag_mul(s, x, ag_cast(s, mask, dtype));
    if (kind == CSR)
        agn_scope_return(s, &y, ag_sparse_to_csr(s, d));
    else if (kind == CSC)
        agn_scope_return(s, &y, ag_sparse_to_csc(s, d));
    else if (kind == HYBRID && ndim > 1)
        agn_scope_return(s, &y, ag_sparse_to_coo(s, d, ndim - 1));
    else
        agn_scope_return(s, &y, ag_sparse_to_coo(s, d, -1));
    must(agn_scope_close(s));
    if (kind == LOOSE && agn_sparse_nnz(y)) { /* entries again, in another order */
        s = agn_scope_open(NULL);
        T at = ag_sparse_coordinates(s, y), v = ag_sparse_values(s, y);
        T two[2] = {ag_flip(s, at, (int32_t[]){1}, 1), at};
        T vs[2] = {ag_flip(s, v, NULL, 0), v};
        agn_tensor *z = NULL;
        agn_scope_return(s, &z, ag_sparse_coo(s, ndim, shape, ag_concat(s, two, 2, 1),
                                              ag_concat(s, vs, 2, 0)));
        must(agn_scope_close(s));
        agn_release(y);
        y = z;
    }
    agn_release(x);
    agn_release(u);
    agn_release(m);
    return y;
}

/* ---- expressions ------------------------------------------------------------------------- */

typedef T expression(agn_scope *s, T a, T b);
#define E1(name, e) \
    static T name(agn_scope *s, T a, T b) \
    { \
        (void)b; \
        return e; \
    }
static T ints_of(agn_scope *s, int n, const int64_t *v)
{
    agn_tensor *x = NULL;
    int64_t size = n;
    agn_status st = agn_from_host(&x, AGN_I64, 1, &size, v);
    return agn_scope_adopt(s, st, &x);
}
/* a dense operand that depends on nothing: element k is sin(k + 1) */
static T plain(agn_scope *s, int dtype, int ndim, const int64_t *shape)
{
    double v[512];
    int64_t n = count_of(ndim, shape);
    for (int64_t k = 0; k < n; k++)
        v[k] = dtype == AGN_BOOL || kind_of(dtype) == KIND_INT ? (double)(k % 3 + 1)
                                                               : sin((double)k + 1) + 1.5;
    agn_tensor *x = of_reals(dtype, ndim, shape, v);
    return agn_scope_adopt(s, AGN_OK, &x);
}
static int64_t size_of(T a, int d)
{
    return agn_shape(a)[d < 0 ? d + agn_ndim(a) : d];
}
E1(e_neg, ag_neg(s, a))
E1(e_square, ag_square(s, a))
E1(e_abs, ag_abs(s, a))
E1(e_relu, ag_relu(s, a))
E1(e_sin, ag_sin(s, a))
E1(e_expm1, ag_expm1(s, a))
E1(e_sqrt, ag_sqrt(s, ag_abs(s, a)))
E1(e_conj, ag_conj(s, a))
E1(e_real, ag_real(s, a))
E1(e_isnan, ag_isnan(s, a))
E1(e_cast, ag_cast(s, ag_cast(s, a, AGN_F32), AGN_F64))
E1(e_truth, ag_ne(s, a, ag_lit(s, 0)))
E1(e_scale, ag_mul_c(s, a, 1.5))
E1(e_over, ag_div_c(s, a, 3))
E1(e_pow, ag_pow_c(s, a, 2))
E1(e_above, ag_gt(s, a, ag_lit(s, 1)))
E1(e_equal, ag_eq(s, a, ag_lit(s, 2)))
E1(e_clip, ag_clip_c(s, a, -1, 2))
E1(e_add, ag_add(s, a, b))
E1(e_sub, ag_sub(s, a, b))
E1(e_mul, ag_mul(s, a, b))
E1(e_max, ag_maximum(s, a, b))
E1(e_hypot, ag_hypot(s, a, b))
E1(e_ne, ag_ne(s, a, b))
E1(e_lt, ag_lt(s, a, b))
E1(e_or, ag_logical_or(s, a, b))
E1(e_and, ag_logical_and(s, a, b))
E1(e_twice, ag_add(s, a, ag_mul(s, a, a)))
E1(e_row, ag_mul(s, a, plain(s, agn_dtype_of(a), 1, &agn_shape(a)[agn_ndim(a) - 1])))
E1(e_column, ag_mul(s, plain(s, agn_dtype_of(a), 2, (int64_t[]){size_of(a, -2), 1}), a))
E1(e_over_row, ag_div(s, a, plain(s, agn_dtype_of(a), 1, &agn_shape(a)[agn_ndim(a) - 1])))
E1(e_dense_mul, ag_mul(s, plain(s, agn_dtype_of(a), agn_ndim(a), agn_shape(a)), a))
E1(e_dense_add, ag_add(s, a, plain(s, agn_dtype_of(a), agn_ndim(a), agn_shape(a))))
E1(e_dense_sub, ag_sub(s, plain(s, agn_dtype_of(a), agn_ndim(a), agn_shape(a)), a))
E1(e_more, ag_mul(s, plain(s, agn_dtype_of(a), 3, (int64_t[]){2, 1, size_of(a, -1)}), a))
E1(e_sum, ag_sum_all(s, a))
E1(e_sum0, ag_sum(s, a, (int32_t[]){0}, 1, false))
E1(e_sum1, ag_sum(s, a, (int32_t[]){-1}, 1, false))
E1(e_sum_keep, ag_sum(s, a, (int32_t[]){0}, 1, true))
E1(e_sum_keep1, ag_sum(s, a, (int32_t[]){-1}, 1, true))
E1(e_sum_two, ag_sum(s, a, (int32_t[]){0, -1}, 2, false))
E1(e_sum_two_keep, ag_sum(s, a, (int32_t[]){0, -1}, 2, true))
E1(e_mean, ag_mean(s, a, (int32_t[]){0}, 1, false))
E1(e_amax, ag_amax(s, a, NULL, 0, false))
E1(e_amax0, ag_amax(s, a, (int32_t[]){0}, 1, false))
E1(e_amin1, ag_amin(s, a, (int32_t[]){-1}, 1, true))
E1(e_count, ag_count_nonzero(s, a, (int32_t[]){-1}, 1, false))
E1(e_any, ag_any(s, a, (int32_t[]){0}, 1, false))
E1(e_all, ag_all(s, a, (int32_t[]){-1}, 1, false))
E1(e_transpose, ag_transpose(s, a))
E1(e_twice_turned, ag_transpose(s, ag_transpose(s, a)))
E1(e_turned_add, ag_add(s, ag_transpose(s, a), ag_transpose(s, b)))
E1(e_permute, ag_permute(s, ag_expand_dims(s, a, 0), (int32_t[]){2, 0, 1}, 3))
E1(e_flat, ag_ravel(s, a))
E1(e_reshape, ag_reshape(s, a, 2, (int64_t[]){size_of(a, -1), -1}))
E1(e_expand, ag_expand_dims(s, a, -1))
E1(e_squeeze, ag_squeeze(s, ag_expand_dims(s, a, 1), 1))
E1(e_slice, ag_slice(s, a, 2, (int64_t[]){1, 0}, (int64_t[]){AGN_END, 4}, (int64_t[]){1, 2}))
E1(e_back, ag_slice(s, a, 2, (int64_t[]){AGN_BEGIN, 1}, (int64_t[]){AGN_END, AGN_END},
                    (int64_t[]){-2, 1}))
E1(e_flip, ag_flip(s, a, NULL, 0))
E1(e_index, ag_index_axis(s, a, 0, -1))
E1(e_index_twice, ag_index_axis(s, ag_index_axis(s, a, 0, 0), 0, 1))
E1(e_gather, ag_gather(s, a, ints_of(s, 4, (int64_t[]){1, 0, -1, 1}), 0))
E1(e_gather1, ag_gather(s, a, ints_of(s, 3, (int64_t[]){-1, 0, 0}), -1))
E1(e_gather2, ag_gather(s, a, ag_reshape(s, ints_of(s, 4, (int64_t[]){0, 0, 1, -1}), 2,
                                         (int64_t[]){2, 2}), 0))
E1(e_join0, ag_concat(s, (T[]){a, b, a}, 3, 0))
E1(e_join1, ag_concat(s, (T[]){a, b}, 2, -1))
E1(e_stack, ag_stack(s, (T[]){a, b}, 2, 0))
E1(e_stack2, ag_stack(s, (T[]){a, b}, 2, 1))
E1(e_tril, ag_tril(s, a, 0))
E1(e_tril1, ag_tril(s, a, 1))
E1(e_triu, ag_triu(s, a, -1))
E1(e_diagonal, ag_diagonal(s, a, 0, 0, 1))
E1(e_diagonal1, ag_diagonal(s, a, 1, 0, 1))
E1(e_diagonal_down, ag_diagonal(s, a, -2, 0, 1))
E1(e_trace, ag_trace(s, a, 0, 0, 1))
E1(e_wide, ag_broadcast_to(s, a, 3, (int64_t[]){2, size_of(a, 0), size_of(a, 1)}))
E1(e_grow, ag_mul(s, ag_sum(s, a, (int32_t[]){0}, 1, true), b))
E1(e_grow_add, ag_add(s, ag_sum(s, a, (int32_t[]){-1}, 1, true), b))
E1(e_by, ag_matmul(s, a, plain(s, agn_dtype_of(a), 2, (int64_t[]){size_of(a, -1), 3})))
E1(e_by_vector, ag_matmul(s, a, plain(s, agn_dtype_of(a), 1, (int64_t[]){size_of(a, -1)})))
E1(e_from_left, ag_matmul(s, plain(s, agn_dtype_of(a), 2, (int64_t[]){3, size_of(a, -2)}), a))
E1(e_turned_by, ag_matmul(s, ag_transpose(s, a),
                          plain(s, agn_dtype_of(a), 2, (int64_t[]){size_of(a, -2), 2})))
E1(e_gram, ag_matmul(s, ag_transpose(s, a), b))
E1(e_outer, ag_matmul(s, a, ag_transpose(s, b)))
E1(e_addmm, ag_sparse_addmm(s, ag_matmul(s, b, ag_transpose(s, a)), a, ag_transpose(s, b), 0.5,
                            2))
static T truths(agn_scope *s, int ndim, const int64_t *shape)
{
    return ag_gt(s, plain(s, AGN_F64, ndim, shape), ag_lit(s, 1.5));
}
E1(e_where, ag_where(s, ag_gt(s, a, ag_lit(s, 1)), a, b))
E1(e_where_ne, ag_where(s, ag_ne(s, a, b), ag_mul(s, a, a), b))
E1(e_where_picked, ag_where(s, ag_ne(s, a, ag_lit(s, 0)),
                            plain(s, agn_dtype_of(a), agn_ndim(a), agn_shape(a)), b))
E1(e_where_number, ag_where(s, ag_ne(s, b, ag_lit(s, 0)), ag_cast(s, ag_lit(s, 1), agn_dtype_of(a)), a))
E1(e_where_mask, ag_where(s, truths(s, 2, agn_shape(a)), a, b))
E1(e_where_row, ag_where(s, truths(s, 1, agn_shape(a) + 1), a, ag_cast(s, ag_lit(s, 0), agn_dtype_of(a))))
E1(e_where_dense, ag_where(s, ag_ne(s, a, b), a, plain(s, agn_dtype_of(a), 2, agn_shape(a))))
E1(e_where_grow, ag_where(s, ag_ne(s, b, ag_lit(s, 0)), ag_sum(s, a, (int32_t[]){0}, 1, true), b))
E1(e_masked, ag_mul(s, a, ag_ne(s, b, ag_lit(s, 0))))
E1(e_prod0, ag_prod(s, a, (int32_t[]){0}, 1, false))
E1(e_prod1, ag_prod(s, a, (int32_t[]){-1}, 1, true))
E1(e_prod, ag_prod(s, a, NULL, 0, false))
E1(e_prod_few, ag_prod(s, ag_slice(s, a, 1, (int64_t[]){0}, (int64_t[]){2}, NULL), (int32_t[]){0}, 1, false))
E1(e_ge, ag_ge(s, a, ag_lit(s, 1)))
E1(e_le, ag_le(s, ag_lit(s, 1), a))
E1(e_eq_dense, ag_eq(s, a, plain(s, agn_dtype_of(a), 2, agn_shape(a))))
E1(e_chain, ag_sum(s, ag_sin(s, ag_matmul(s, ag_transpose(s, ag_mul(s, a, b)), ag_tanh(s, a))),
                   (int32_t[]){0}, 1, false))

enum { WHOLE = 1, BOOLS = 2, REALS = 4, COMPLEX = 8, NUMBERS = 13, FIELDS = 12, ALL = 15,
       ORDERED = 5 };
static const struct {
    const char *name;
    expression *f;
    int dtypes; /* classes that it takes */
    bool smooth;
} rows[] = {
#define R(name, dtypes, smooth) {#name, e_##name, dtypes, smooth}
    R(neg, NUMBERS, true), R(square, NUMBERS, true), R(abs, ORDERED, false), R(relu, ORDERED, false),
    R(sin, FIELDS, true), R(expm1, REALS, true), R(sqrt, REALS, false), R(conj, FIELDS, true),
    R(real, FIELDS, true), R(isnan, FIELDS, false), R(cast, REALS, false), R(truth, ALL, false),
    R(scale, FIELDS, true), R(over, FIELDS, true), R(pow, NUMBERS, true), R(above, ORDERED, false),
    R(equal, NUMBERS, false), R(clip, ORDERED, false), R(add, NUMBERS, true), R(sub, NUMBERS, true),
    R(mul, ALL, true), R(max, ORDERED, false), R(hypot, REALS, false), R(ne, ALL, false),
    R(lt, ORDERED, false), R(or, ALL, false), R(and, ALL, false), R(twice, NUMBERS, true),
    R(row, ALL, true), R(column, ALL, true), R(over_row, FIELDS, true), R(dense_mul, ALL, true),
    R(dense_add, NUMBERS, true), R(dense_sub, NUMBERS, true), R(more, ALL, true),
    R(sum, ALL, true), R(sum0, ALL, true), R(sum1, ALL, true), R(sum_keep, ALL, true),
    R(sum_keep1, ALL, true), R(sum_two, ALL, true), R(sum_two_keep, ALL, true),
    R(mean, FIELDS, true), R(amax, ORDERED, false), R(amax0, ORDERED, false),
    R(amin1, ORDERED, false), R(count, ALL, false), R(any, ALL, false), R(all, ALL, false),
    R(transpose, ALL, true), R(twice_turned, ALL, true), R(turned_add, NUMBERS, true),
    R(permute, ALL, true), R(flat, ALL, true), R(reshape, ALL, true), R(expand, ALL, true),
    R(squeeze, ALL, true), R(slice, ALL, true), R(back, ALL, true), R(flip, ALL, true),
    R(index, ALL, true), R(index_twice, ALL, true), R(gather, ALL, true), R(gather1, ALL, true),
    R(gather2, ALL, true), R(join0, ALL, true), R(join1, ALL, true), R(stack, ALL, true),
    R(stack2, ALL, true), R(tril, ALL, true), R(tril1, ALL, true), R(triu, ALL, true),
    R(diagonal, ALL, true), R(diagonal1, ALL, true), R(diagonal_down, ALL, true),
    R(trace, NUMBERS, true), R(wide, ALL, true), R(grow, NUMBERS, true),
    R(grow_add, NUMBERS, true), R(by, NUMBERS, true), R(by_vector, NUMBERS, true),
    R(from_left, NUMBERS, true), R(turned_by, NUMBERS, true), R(gram, NUMBERS, true),
    R(where, ORDERED, false), R(where_ne, NUMBERS, false), R(where_picked, NUMBERS, false),
    R(where_number, NUMBERS, false), R(where_mask, ALL, true), R(where_row, ALL, true),
    R(where_dense, NUMBERS, false), R(where_grow, NUMBERS, false), R(masked, NUMBERS, false),
    R(prod0, ALL, true), R(prod1, ALL, true), R(prod, ALL, true), R(prod_few, ALL, true),
    R(ge, ORDERED, false), R(le, ORDERED, false), R(eq_dense, ALL, false),
    R(outer, NUMBERS, true), R(addmm, FIELDS, true), R(chain, FIELDS, true),
};

static int class_of(int dtype)
{
    static const int of[] = {BOOLS, WHOLE, REALS, COMPLEX};
    return of[kind_of(dtype)];
}
static T densely(agn_scope *s, T x)
{
    return x && agn_layout_of(x) != AGN_DENSE ? ag_sparse_to_dense(s, x) : x;
}
static double bound_of(int dtype)
{
    return dtype == AGN_F16 ? 1e-2 : dtype == AGN_BF16 ? 1e-1 : dtype == AGN_F32 || dtype == AGN_C64 ? 1e-5 : 1e-12;
}

/* coordinates in order, no place twice, as the flag says */
static bool in_order(T a)
{
    if (agn_layout_of(a) != AGN_COO)
        return true;
    agn_tensor *at = NULL;
    must(agn_sparse_coordinates(&at, a));
    int64_t n = agn_sparse_nnz(a);
    bool fine = agn_sparse_is_coalesced(a);
    for (int64_t e = 1; fine && e < n; e++) {
        int c = 0;
        for (int64_t d = 0; c == 0 && d < agn_sparse_dim(a); d++) {
            int64_t x = peek_int(at, d * n + e - 1), y = peek_int(at, d * n + e);
            c = x < y ? -1 : x > y;
        }
        fine = c < 0;
    }
    agn_release(at);
    return fine;
}

/* modes_apart, where NaN is like NaN and an infinity like itself */
static double apart(T a, T b)
{
    double worst = 0, most = 1;
    if (!form || !same_shapes(a, b) || agn_dtype_of(a) != agn_dtype_of(b))
        return modes_apart(a, b);
    for (int64_t k = 0; k < agn_numel(a); k++) {
        double complex x = peekz(a, k), y = peekz(b, k);
        bool odd = !isfinite(creal(y)) || !isfinite(cimag(y));
        double e = odd ? 0 : cabs(x - y);
        if (odd && (isfinite(creal(x)) && isfinite(cimag(x))))
            e = (double)INFINITY;
        worst = isnan(e) || e > worst ? e : worst;
        most = odd ? most : fmax(most, cabs(y));
    }
    return worst / most;
}

static void compare(tally *q, int row, int kind, int other, int dtype, const int64_t *shape)
{
    agn_tensor *a = operand(kind, dtype, 2, shape), *b = operand(other, dtype, 2, shape);
    agn_scope *s = agn_scope_open(NULL);
    T da = ag_sparse_to_dense(s, a), db = ag_sparse_to_dense(s, b);
    must(agn_scope_status(s));
    T want = rows[row].f(s, da, db);
    agn_status st = agn_scope_status(s);
    bool filled = !st && agn_numel(da) == 0 && agn_numel(want); /* with 1, or 0 / 0 */
    agn_scope *t = agn_scope_open(NULL);
    T have = rows[row].f(t, a, b);
    if (st) { /* refused for dense operands: the same way for sparse ones */
        check(q, agn_scope_status(t) == st, "%s of %s %s [%d,%d]: dense %d, sparse %d", rows[row].name,
              kinds[kind], agn_dtype_name(dtype), (int)shape[0], (int)shape[1], st,
              agn_scope_status(t));
        check(q, agn_scope_close(t) == st && agn_scope_close(s) == st, "closed alike");
    } else {
        /* what it was given is as it was */
        bool sorted = !have || have == a || agn_layout_of(have) == AGN_DENSE || in_order(have);
        have = densely(t, have);
        double e = have && want ? apart(have, want) : (double)INFINITY;
        bool unknown = filled && (rows[row].f == e_all || rows[row].f == e_mean);
        bool refuses = unknown && (rows[row].f == e_all || agn_sparse_dim(a) > 1);
        if (unknown)
            e = 0;
        check(q, e <= bound_of(dtype) && sorted, "%s of %s and %s, %s [%d,%d]: apart %g%s: %s",
              rows[row].name, kinds[kind], kinds[other], agn_dtype_name(dtype), (int)shape[0],
              (int)shape[1], e, sorted ? "" : ", not in order",
              agn_scope_status(t) ? agn_error_message() : "");
        check(q, agn_scope_close(t) == (refuses ? AGN_EUNSUPPORTED : AGN_OK), "%s",
              agn_error_message());
        must(agn_scope_close(s));
    }
    agn_release(a);
    agn_release(b);
}

static void test_expressions(void)
{
    static const int dtypes[] = {AGN_F64, AGN_C128, AGN_I64, AGN_BOOL, AGN_F32, AGN_I32,
                                 AGN_U8,  AGN_F16,  AGN_C64, AGN_I8,   AGN_BF16, AGN_I16};
    static const int64_t shapes[][2] = {{5, 7}, {7, 4}, {1, 6}, {6, 1}, {0, 3}, {3, 0}, {2, 2}};
    for (int r = 0; r < COUNT(rows); r++) {
        tally q = {0, 0};
        for (int d = 0; d < COUNT(dtypes); d++)
            for (int k = 0; k < N_KINDS; k++)
                for (int n = 0; n < (d < 4 ? COUNT(shapes) : 2); n++)
                    if (rows[r].dtypes & class_of(dtypes[d]))
                        compare(&q, r, k, (k + n + d) % N_KINDS, dtypes[d], shapes[n]);
        tell(&q, "%s", rows[r].name);
    }
}

/* Every expression on every form. Dense products take 0 times NaN, which is NaN, where a sparse one
   has no entry; sines of numbers beyond 10^12 tell nothing. */
static void test_forms(void)
{
    static expression *const products[] = {e_chain, e_grow, e_gram,  e_outer,
                                           e_addmm, e_prod, e_prod0, e_prod1};
    static const int dtypes[] = {AGN_F64, AGN_C128};
    static const int64_t shapes[][2] = {{9, 9}, {7, 10}};
    for (form = 1; form < N_FORMS; form++) {
        tally q = {0, 0};
        for (int r = 0; r < COUNT(rows); r++) {
            bool take = form != WIDE_RANGE || rows[r].f != e_chain;
            for (int k = 0; form == NO_NUMBERS && k < COUNT(products); k++)
                take = take && rows[r].f != products[k];
            for (int d = 0; take && d < (form == NO_NUMBERS ? 1 : COUNT(dtypes)); d++)
                for (int k = 0; k < N_KINDS; k++)
                    for (int n = 0; n < COUNT(shapes); n++)
                        if (rows[r].dtypes & class_of(dtypes[d]))
                            compare(&q, r, k, (k + n + r) % N_KINDS, dtypes[d], shapes[n]);
        }
        tell(&q, "every expression: %s", forms[form]);
    }
    form = ANYWHERE;
}

/* ---- derivatives --------------------------------------------------------------------------- */

typedef struct given {
    T a, b;
    expression *f;
} given;
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const given *g = user;
    T a = ag_sparse_with_values(s, g->a, in[0]), b = ag_sparse_with_values(s, g->b, in[1]);
    out[0] = densely(s, g->f(s, a, b));
    return agn_scope_status(s);
}

static void test_modes(void)
{
    for (int r = 0; r < COUNT(rows); r++) {
        if (!rows[r].smooth)
            continue;
        for (int k = 0; k < 2; k++) {
            int dtype = k && rows[r].dtypes & COMPLEX ? AGN_C128 : AGN_F64;
            int kind = (r + k) % N_KINDS, other = (r / 2 + 2 * k) % N_KINDS;
            int64_t shape[2] = {3, 3};
            given g = {operand(kind, dtype, 2, shape), operand(other, dtype, 2, shape), rows[r].f};
            agn_fn *f = NULL;
            agn_tensor *in[2] = {NULL, NULL};
            char name[96];
            must(agn_sparse_values(&in[0], g.a));
            must(agn_sparse_values(&in[1], g.b));
            must(agn_fn_new(&f, body, &g, NULL, 2, 1));
            snprintf(name, sizeof name, "%s of %s and %s, %s", rows[r].name, kinds[kind],
                     kinds[other], agn_dtype_name(dtype));
            in_every_mode(f, 2, (const agn_tensor *const *)in, 1e-2, 1e-8, name);
            agn_fn_release(f);
            agn_release(in[0]);
            agn_release(in[1]);
            agn_release((agn_tensor *)(uintptr_t)g.a);
            agn_release((agn_tensor *)(uintptr_t)g.b);
        }
    }
}

int main(void)
{
    test_expressions();
    test_forms();
    test_modes();
    return done();
}
