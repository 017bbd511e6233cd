/* t-sparse-faults - structures at their worst through all that takes them: malformed ones through every
   constructor, which names what is wrong, and odd but right ones (no rows, no columns, no entries, NaN,
   entries that meet, a full row) in every layout through every op, which gives what the dense op gives
   or refuses. */
#include "modes.h"

#include "tensor/dispatch/op.h"
#include <agnesi/nn.h>
#include <agnesi/sparse.h>
#include <agnesi/sparse_direct.h>
#include <agnesi/sparse_graph.h>
#include <agnesi/sparse_iterative.h>
#include <agnesi/sparse_layout.h>

typedef const agn_tensor *T;

/* ---- malformed ---------------------------------------------------------------------------- */

enum { FIVE = 5, HUGE_COUNT = -1 };
typedef struct parts {
    const char *what;
    int64_t rows, cols;
    int n_ptr;
    int64_t ptr[FIVE];
    int n_idx;
    int64_t idx[FIVE];
    int n_val;
    agn_status csr, wrap; /* AGN_OK: it is right */
    const char *fact;
} parts;

#define LARGE (INT64_MAX / 4)
static const parts malformed[] = {
    {"as it should be", 3, 4, 4, {0, 2, 2, 4}, 4, {1, 3, 0, 2}, 4, AGN_OK, AGN_OK, NULL},
    {"unsorted", 3, 4, 4, {0, 2, 2, 4}, 4, {3, 1, 2, 0}, 4, AGN_OK, AGN_EARG, NULL},
    {"twice", 3, 4, 4, {0, 2, 2, 4}, 4, {1, 3, 2, 2}, 4, AGN_EARG, AGN_EARG, "2"},
    {"twice, unsorted", 3, 4, 4, {0, 3, 3, 4}, 4, {1, 3, 1, 2}, 4, AGN_EARG, AGN_EARG, "0"},
    {"beyond the columns", 3, 4, 4, {0, 2, 2, 4}, 4, {1, 4, 0, 2}, 4, AGN_EINDEX, AGN_EINDEX,
     "entry 1"},
    {"negative column", 3, 4, 4, {0, 2, 2, 4}, 4, {1, 3, -1, 2}, 4, AGN_EINDEX, AGN_EINDEX, "entry 2"},
    {"far beyond", 3, 4, 4, {0, 2, 2, 4}, 4, {1, 3, 0, INT64_MAX}, 4, AGN_EINDEX, AGN_EINDEX,
     "entry 3"},
    {"rows that fall", 3, 4, 4, {0, 3, 2, 4}, 4, {1, 3, 0, 2}, 4, AGN_EARG, AGN_EARG, "1"},
    {"rows that overflow", 3, 4, 4, {0, INT64_MAX, 2, 4}, 4, {1, 3, 0, 2}, 4, AGN_EARG, AGN_EARG,
     "9223372036854775807"},
    {"a negative row", 3, 4, 4, {0, -2, 2, 4}, 4, {1, 3, 0, 2}, 4, AGN_EARG, AGN_EARG, "0"},
    {"rows that begin late", 3, 4, 4, {1, 2, 2, 4}, 4, {1, 3, 0, 2}, 4, AGN_EARG, AGN_EARG, "1"},
    {"rows that end early", 3, 4, 4, {0, 2, 2, 3}, 4, {1, 3, 0, 2}, 4, AGN_EARG, AGN_ESHAPE, "3"},
    {"rows that end late", 3, 4, 4, {0, 2, 2, 5}, 4, {1, 3, 0, 2}, 4, AGN_EARG, HUGE_COUNT, "5"},
    {"too few rows", 3, 4, 3, {0, 2, 4}, 4, {1, 3, 0, 2}, 4, AGN_ESHAPE, HUGE_COUNT, "[3]"},
    {"no rows at all", 3, 4, 0, {0}, 4, {1, 3, 0, 2}, 4, AGN_ESHAPE, HUGE_COUNT, "[0]"},
    {"too few values", 3, 4, 4, {0, 2, 2, 4}, 4, {1, 3, 0, 2}, 3, AGN_ESHAPE, AGN_ESHAPE, "[3]"},
    {"too many values", 3, 4, 4, {0, 2, 2, 4}, 4, {1, 3, 0, 2}, 5, AGN_ESHAPE, AGN_ESHAPE, "[5]"},
    {"a negative size", -3, 4, 4, {0, 2, 2, 4}, 4, {1, 3, 0, 2}, 4, AGN_ESHAPE, AGN_ESHAPE, "-3"},
    {"a size that overflows", INT64_MAX, 4, 4, {0, 2, 2, 4}, 4, {1, 3, 0, 2}, 4, AGN_ESHAPE, HUGE_COUNT,
     "9223372036854775807"},
    {"columns that overflow", 3, INT64_MAX, 4, {0, 2, 2, 4}, 4, {1, 3, 0, 2}, 4, AGN_ESHAPE, AGN_ESHAPE,
     "9223372036854775807"},
    {"columns beyond 32 bits", 3, (int64_t)1 << 33, 4, {0, 2, 2, 4}, 4, {1, (int64_t)1 << 32, 0, 2}, 4,
     AGN_OK, AGN_OK, NULL},
    {"an entry of no columns", 1, 0, 2, {0, 1}, 1, {0}, 1, AGN_EINDEX, AGN_EINDEX, "entry 0"},
    {"an entry of no rows", 0, 4, 1, {0}, 1, {0}, 1, AGN_EARG, HUGE_COUNT, "0"},
    {"nothing", 0, 0, 1, {0}, 0, {0}, 0, AGN_OK, AGN_OK, NULL},
    {"no rows", 0, 4, 1, {0}, 0, {0}, 0, AGN_OK, AGN_OK, NULL},
    {"no columns", 3, 0, 4, {0, 0, 0, 0}, 0, {0}, 0, AGN_OK, AGN_OK, NULL},
    {"no entries", 3, 4, 4, {0, 0, 0, 0}, 0, {0}, 0, AGN_OK, AGN_OK, NULL},
};

static agn_tensor *longs(int64_t n, const int64_t *v)
{
    agn_tensor *x = NULL;
    must(agn_from_host(&x, AGN_I64, 1, &n, v));
    return x;
}

static const char *const makers[] = {"sparse_csr", "sparse_csc", "sparse_csr_batch", "sparse_csr_wrap"};
static agn_status make_of(int k, agn_tensor **out, const parts *m, T p, T i, T v)
{
    switch (k) {
    case 0: return agn_sparse_csr(out, m->rows, m->cols, p, i, v);
    case 1: return agn_sparse_csc(out, m->cols, m->rows, p, i, v);
    case 2: return agn_sparse_csr_batch(out, 1, m->rows, m->cols, p, i, v);
    default: return agn_sparse_csr_wrap(out, m->rows, m->cols, AGN_I64, m->ptr, m->idx, v, NULL, NULL);
    }
}

/* value of entry e: e + 1 */
static bool right_sum(const agn_tensor *a, int64_t n)
{
    agn_tensor *s = NULL, *v = NULL;
    must(agn_sparse_values(&v, a));
    must(agn_sum_all(&s, v));
    bool good = peek(s, 0) == (double)(n * (n + 1) / 2) && agn_sparse_nnz(a) == n;
    agn_release(v);
    agn_release(s);
    return good;
}

static void test_malformed(void)
{
    static const double numbers[] = {1, 2, 3, 4, 5};
    for (int c = 0; c < COUNT(malformed); c++) {
        const parts *m = &malformed[c];
        tally q = {0, 0};
        agn_tensor *p = longs(m->n_ptr, m->ptr), *i = longs(m->n_idx, m->idx);
        agn_tensor *v = of_reals(AGN_F64, 1, (int64_t[]){m->n_val}, numbers);
        for (int k = 0; k < COUNT(makers); k++) {
            /* what takes an address cannot know how much lies there */
            agn_status want = k == 3 ? m->wrap : m->csr;
            if (k == 3 && (int)want == HUGE_COUNT)
                continue;
            agn_tensor *a = untouched;
            agn_status st = make_of(k, &a, m, p, i, v);
            if (want == AGN_OK)
                check(&q, !st && right_sum(a, m->n_idx), "%s: %s", makers[k],
                      st ? agn_error_message() : "another sum");
            else
                check(&q, st != AGN_OK && refused(st, st, makers[k], m->fact, NULL, a) && st == want,
                      "%s: %s, not %s: %s", makers[k], agn_status_name(st), agn_status_name(want),
                      st ? agn_error_message() : "");
            if (!st)
                agn_release(a);
        }
        agn_release(p);
        agn_release(i);
        agn_release(v);
        tell(&q, m->what);
    }
}

/* ---- odd ---------------------------------------------------------------------------------- */

static const double mixed_up[] = {0, -2, 0, 1.5, 0, 0, 0, 0, 0.25, 0, 0, 4},
                    special[] = {0, NAN, 0, INFINITY, 0, 0, 0, 0, -INFINITY, 0, 0, 4},
                    row[] = {0, 0, 0, 0, 1, -2, 3, 0.5, 0, 0, 0, 0}, zeros[12] = {0};
static const struct {
    const char *what;
    int64_t rows, cols;
    const double *v;
    bool nan;
} odd[] = {{"an empty row", 3, 4, mixed_up, false}, {"NaN and infinity", 3, 4, special, true},
           {"one full row", 3, 4, row, false},    {"no entries", 3, 4, zeros, false},
           {"no rows", 0, 4, zeros, false},       {"no columns", 3, 0, zeros, false},
           {"nothing", 0, 0, zeros, false},       {"one element", 1, 1, row + 4, false},
           {"one that is 0", 1, 1, zeros, false}};

enum { N_FORMS = 5 };
static const char *const forms[N_FORMS] = {"csr", "csc", "coo", "coo of halves", "csr from unsorted"};
static T in_form(agn_scope *s, T d, int k)
{
    if (k < 3)
        return k == 0 ? ag_sparse_to_csr(s, d) : k == 1 ? ag_sparse_to_csc(s, d)
                                                        : ag_sparse_to_coo(s, d, -1);
    T a = ag_sparse_to_coo(s, d, -1), at = ag_sparse_coordinates(s, a), v = ag_sparse_values(s, a);
    if (k == 3) { /* every entry twice, from the last to the first */
        at = ag_concat(s, (T[]){at, at}, 2, 1);
        v = ag_mul_c(s, ag_concat(s, (T[]){v, v}, 2, 0), 0.5);
        at = ag_flip(s, at, (int32_t[]){1}, 1);
        return ag_sparse_coo(s, 2, agn_shape(d), at, ag_flip(s, v, (int32_t[]){0}, 1));
    }
    a = ag_sparse_to_csr(s, a);
    T p = ag_sparse_indptr(s, a), i = ag_sparse_indices(s, a);
    int64_t nnz = agn_sparse_nnz(a), *turn = room_for((size_t)(nnz + 1) * sizeof *turn);
    for (int64_t r = 0; r < agn_shape(d)[0]; r++) /* each row backwards */
        for (int64_t e = peek_int(p, r); e < peek_int(p, r + 1); e++)
            turn[e] = peek_int(p, r) + peek_int(p, r + 1) - 1 - e;
    agn_tensor *t = longs(nnz, turn);
    free(turn);
    T kept = agn_scope_adopt(s, AGN_OK, &t);
    return ag_sparse_csr(s, agn_shape(d)[0], agn_shape(d)[1], p, ag_gather(s, i, kept, 0),
                         ag_gather(s, ag_sparse_values(s, a), kept, 0));
}

/* absent: where 0 / 0 is NaN, places without entries are still 0 (doc/sparse.rst) */
static bool same(agn_scope *s, T x, T want, bool absent)
{
    T d = x && agn_layout_of(x) != AGN_DENSE ? ag_sparse_to_dense(s, x) : x;
    if (!d || !same_shapes(d, want) || agn_dtype_of(d) != agn_dtype_of(want))
        return false;
    for (int64_t k = 0; k < agn_numel(d); k++) {
        double complex a = peekz(d, k), b = peekz(want, k);
        bool both = isnan(creal(a) + cimag(a)) && isnan(creal(b) + cimag(b));
        both |= absent && a == 0 && isnan(creal(b));
        if (!both && a != b && !(cabs(a - b) <= 1e-13 * (1 + cabs(b))))
            return false;
    }
    return true;
}

/* ---- rows of the table -------------------------------------------------------------------- */

/* f(0, 0) and f(0, a number) of an element-wise op: is it 0? */
static bool keeps(const agni_op *op, double other)
{
    agn_tensor *z = scalar_of(AGN_F64, 0), *o = scalar_of(AGN_F64, other), *y = NULL;
    agn_status st = agn_op_apply(&y, 1, op->name, (T[]){z, o}, op->nin, NULL, 0, NULL, 0);
    bool zero = !st && cabs(peekz(y, 0)) == 0;
    agn_release(z);
    agn_release(o);
    agn_release(y);
    return zero;
}

static void test_rows(void)
{
    int n_ops = 0;
    for (int o = 0; o < agni_op_count(); o++) {
        const agni_op *op = agni_op_at(o);
        if (op->ew < 0 || op->nout != 1 || op->nin > 2 || !(op->dtypes & AGNI_BIT(F64)))
            continue;
        n_ops++;
        tally q = {0, 0};
        bool zero = keeps(op, 0);
        for (int c = 0; c < COUNT(odd); c++)
            for (int k = 0; k < N_FORMS * op->nin; k++) {
                if (odd[c].nan && op->nin == 2)
                    continue; /* what is absent beside NaN is 0, not 0 times NaN */
                agn_scope *s = agn_scope_open(NULL);
                agn_tensor *d = of_reals(AGN_F64, 2, (int64_t[]){odd[c].rows, odd[c].cols}, odd[c].v);
                T a = in_form(s, d, k % N_FORMS), b = k < N_FORMS ? ag_transpose(s, ag_transpose(s, a)) : d;
                agn_tensor *want = NULL, *got = NULL;
                must(agn_scope_status(s));
                agn_status dense = agn_op_apply(&want, 1, op->name, (T[]){d, d}, op->nin, NULL, 0, NULL, 0);
                agn_status st = agn_op_apply(&got, 1, op->name, (T[]){a, b}, op->nin, NULL, 0, NULL, 0);
                check(&q, st ? st == AGN_EUNSUPPORTED || st == dense : !dense && same(s, got, want, !zero),
                      "%s, %s: %s", odd[c].what, forms[k % N_FORMS],
                      st ? agn_error_message() : "another answer");
                check(&q, !st || dense || !zero || op->nin == 2,
                      "%s, %s: refused though 0 stays 0: %s", odd[c].what, forms[k % N_FORMS],
                      agn_error_message());
                agn_release(d);
                agn_release(want);
                agn_release(got);
                must(agn_scope_close(s));
            }
        tell(&q, op->name);
    }
    ok(n_ops > 60, "%d element-wise ops", n_ops);
}

/* ---- functions ----------------------------------------------------------------------------- */

/* of a matrix and one that is like it, both sparse or both dense */
typedef T function(agn_scope *s, T a, T b);
#define FUNCTION(name, ...) \
    static T name(agn_scope *s, T a, T b) { (void)b; return __VA_ARGS__; }
#define AXES(...) (int32_t[]){__VA_ARGS__}
FUNCTION(sum_0, ag_sum(s, a, AXES(0), 1, false))
FUNCTION(sum_1, ag_sum(s, a, AXES(1), 1, true))
FUNCTION(sum_all, ag_sum_all(s, a))
FUNCTION(mean_all, ag_mean_all(s, a))
FUNCTION(prod_1, ag_prod(s, a, AXES(1), 1, false))
FUNCTION(amax_0, ag_amax(s, a, AXES(0), 1, false))
FUNCTION(amin_1, ag_amin(s, a, AXES(1), 1, false))
FUNCTION(counted, ag_count_nonzero(s, a, AXES(1), 1, false))
FUNCTION(turned, ag_transpose(s, a))
FUNCTION(flat, ag_reshape(s, a, 1, (int64_t[]){-1}))
FUNCTION(columns, ag_slice(s, a, 2, (int64_t[]){0, AGN_BEGIN}, (int64_t[]){AGN_END, AGN_END},
                           (int64_t[]){1, -1}))
FUNCTION(taller, ag_concat(s, (T[]){a, b}, 2, 0))
FUNCTION(wider, ag_concat(s, (T[]){a, b}, 2, 1))
FUNCTION(stacked, ag_stack(s, (T[]){a, b}, 2, 0))
FUNCTION(lower, ag_tril(s, a, -1))
FUNCTION(upper, ag_triu(s, a, 1))
FUNCTION(on_diagonal, ag_diagonal(s, a, 0, 0, 1))
FUNCTION(one_more, ag_expand_dims(s, a, 1))
FUNCTION(one_less, ag_squeeze(s, ag_expand_dims(s, a, 0), 0))
FUNCTION(product, ag_matmul(s, a, ag_transpose(s, b)))
FUNCTION(mixed, ag_matmul(s, ag_transpose(s, a), b))
FUNCTION(kron, agn_layout_of(a) == AGN_DENSE ? ag_kron(s, a, b) : ag_sparse_kron(s, a, b))
FUNCTION(sum_of, ag_add(s, a, b))
FUNCTION(halved, ag_mul_c(s, a, 0.5))
FUNCTION(complex_, ag_cast(s, a, AGN_C128))
FUNCTION(narrow, ag_cast(s, a, AGN_F32))
FUNCTION(rows_by_number, ag_gather(s, a, ag_arange(s, AGN_I64, 0, agn_shape(a)[0] > 0, 1), 0))
FUNCTION(at_most_six, ag_nn_relu6(s, a))
FUNCTION(leaky, ag_nn_leaky_relu(s, a, 0.1))
FUNCTION(broad, ag_broadcast_to(s, a, 3, (int64_t[]){2, agn_shape(a)[0], agn_shape(a)[1]}))

static const struct {
    const char *name;
    function *f;
    bool finite; /* NaN meets what is absent */
} functions[] = {
    {"sum of columns", sum_0, false}, {"sum of rows", sum_1, false}, {"sum", sum_all, false},
    {"mean", mean_all, false}, {"prod", prod_1, true}, {"amax", amax_0, false}, {"amin", amin_1, false},
    {"count_nonzero", counted, false}, {"transpose", turned, false}, {"reshape", flat, false},
    {"slice", columns, false}, {"concat below", taller, false}, {"concat beside", wider, false},
    {"stack", stacked, false}, {"tril", lower, false}, {"triu", upper, false},
    {"diagonal", on_diagonal, false}, {"expand_dims", one_more, false}, {"squeeze", one_less, false},
    {"matmul", product, true}, {"matmul of the transpose", mixed, true}, {"kron", kron, true},
    {"add", sum_of, false}, {"mul_c", halved, false}, {"cast to c128", complex_, false},
    {"cast to f32", narrow, false}, {"gather", rows_by_number, false}, {"relu6", at_most_six, false},
    {"leaky_relu", leaky, false}, {"broadcast_to", broad, false}};

static void test_functions(void)
{
    for (int f = 0; f < COUNT(functions); f++) {
        tally q = {0, 0};
        for (int c = 0; c < COUNT(odd); c++)
            for (int k = 0; k < N_FORMS; k++) {
                if (odd[c].nan && functions[f].finite)
                    continue;
                agn_scope *s = agn_scope_open(NULL);
                agn_tensor *d = of_reals(AGN_F64, 2, (int64_t[]){odd[c].rows, odd[c].cols}, odd[c].v);
                T a = in_form(s, d, k);
                must(agn_scope_status(s));
                agn_scope *u = agn_scope_open(NULL), *w = agn_scope_open(NULL);
                T want = functions[f].f(u, d, d), got = functions[f].f(w, a, a);
                agn_status dense = agn_scope_status(u), st = agn_scope_status(w);
                /* an extreme of nothing, a mean of nothing */
                check(&q, dense ? st != AGN_OK : !st && same(s, got, want, false), "%s, %s: dense %s, %s",
                      odd[c].what, forms[k], agn_status_name(dense),
                      st ? agn_error_message() : "another answer");
                dense = agn_scope_close(u);
                st = agn_scope_close(w);
                agn_release(d);
                must(agn_scope_close(s));
            }
        tell(&q, functions[f].name);
    }
}

/* ---- solvers, graphs, semirings: of every form what the first one gives ----------------------- */

static const double ring[] = {4, 1, 0, 2, 0, 5, 3, 0, 0, 0, 6, 1, 2, 0, 0, 7},
                    apart[] = {2, 1, 0, 0, 1, 2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 1},
                    bad[] = {4, NAN, 0, 2, 0, 5, 3, 0, 0, 0, INFINITY, 1, 2, 0, 0, 7},
                    below[] = {4, -1, 0, 2, 0, 5, -3, 0, 0, 0, 6, 1, -2, 0, 0, 7},
                    one_row[] = {0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0}, none[16] = {0};
static const struct {
    const char *what;
    int64_t n;
    const double *v;
} squares[] = {{"a ring", 4, ring},        {"two parts", 4, apart},    {"NaN and infinity", 4, bad},
               {"negative weights", 4, below}, {"one full row", 4, one_row}, {"no entries", 4, none},
               {"nothing", 0, none},       {"one element", 1, ring},   {"one that is 0", 1, none}};

static agn_status solve_by(agn_tensor **out, T a, T b, int method)
{
    const agn_sparse_solver how = {.size = sizeof how, .method = method};
    return method == AGN_SPARSE_QR ? agn_sparse_lstsq(out, a, b, &how)
                                   : agn_sparse_solve_with(out, a, b, &how);
}
static agn_status counts(agn_tensor **out, T a, T b, int what)
{
    int64_t n = 0;
    agn_tensor *labels = NULL;
    (void)b;
    agn_status st = what == 2 ? agn_sparse_rank(&n, a) : agn_sparse_components(&labels, &n, a, what);
    agn_release(labels);
    return st ? st : agn_from_host(out, AGN_I64, 0, NULL, &n);
}
static agn_status graph(agn_tensor **out, T a, T b, int what)
{
    agn_tensor *from = NULL;
    agn_status st = AGN_OK;
    int64_t n = 0, start = agn_shape(a)[0] > 1;
    (void)b;
    switch (what) {
    case 0: st = agn_sparse_components(out, &n, a, false); break;
    case 1: st = agn_sparse_components(out, &n, a, true); break;
    case 2: st = agn_sparse_bfs(out, &from, a, start); break;
    case 3: st = agn_sparse_bfs(&from, out, a, 0); break;
    case 4: st = agn_sparse_dijkstra(out, &from, a, start); break;
    case 5: st = agn_sparse_dijkstra(&from, out, a, 0); break;
    case 6: st = agn_sparse_spanning_tree(out, a); break;
    case 7: st = agn_sparse_rcm(out, a); break;
    default: st = agn_sparse_laplacian(out, a, what == 9);
    }
    agn_release(from);
    return st;
}
static agn_status product_over(agn_tensor **out, T a, T b, int semiring)
{
    (void)b;
    return agn_sparse_matmul_over(out, a, a, semiring);
}
static agn_status column_over(agn_tensor **out, T a, T b, int semiring)
{
    return agn_sparse_matmul_over(out, a, b, semiring);
}
static agn_status others(agn_tensor **out, T a, T b, int what)
{
    const agn_krylov_options o = {.size = sizeof o, .precondition = AGN_PRECONDITION_ILU0};
    switch (what) {
    case 0: return agn_krylov_solve(out, NULL, a, b, NULL, NULL);
    case 1: return agn_krylov_solve(out, NULL, a, b, NULL, &o);
    case 2: return agn_expm_multiply(out, a, b, NULL);
    case 3: return agn_sparse_matmul_t(out, a, b);
    case 4: return agn_sparse_sddmm(out, a, b, b);
    case 5: return agn_sparse_softmax(out, a, 1);
    case 6: return agn_sparse_log_softmax(out, a, 0);
    case 7: return agn_sparse_logdet(out, a, NULL);
    case 8: return agn_sparse_solve(out, a, b);
    default: return agn_sparse_addmm(out, b, a, b, 2, 0.5);
    }
}

static const struct {
    const char *name;
    agn_status (*f)(agn_tensor **out, T a, T b, int what);
    int n; /* what: from 0 to n - 1 */
} kinds[] = {{"solves", solve_by, AGN_SPARSE_ITERATIVE + 1}, {"ranks and numbers of parts", counts, 3},
             {"graphs", graph, 10},                          {"products over semirings", product_over, 4},
             {"columns over semirings", column_over, 4},     {"other functions", others, 10}};

static void test_forms(void)
{
    for (int f = 0; f < COUNT(kinds); f++) {
        tally q = {0, 0};
        for (int what = 0; what < kinds[f].n; what++)
            for (int c = 0; c < COUNT(squares); c++) {
                const int64_t n = squares[c].n;
                agn_tensor *d = of_reals(AGN_F64, 2, (int64_t[]){n, n}, squares[c].v), *want = NULL;
                agn_tensor *b = of_reals(AGN_F64, 2, (int64_t[]){n, 1}, (double[]){1, -2, 3, 0.5});
                agn_status first = AGN_OK;
                for (int k = 0; k < N_FORMS; k++) {
                    agn_scope *s = agn_scope_open(NULL);
                    agn_tensor *got = NULL;
                    T a = in_form(s, d, k);
                    must(agn_scope_status(s));
                    agn_status st = kinds[f].f(&got, a, b, what);
                    got = st ? NULL : got;
                    if (!k) {
                        first = st;
                        if (got && agn_layout_of(got) != AGN_DENSE)
                            must(agn_sparse_to_dense(&want, got));
                        else if (got)
                            want = agn_retain(got);
                    }
                    check(&q, st == first && (st ? strlen(agn_error_message()) > 0 : same(s, got, want, false)),
                          "%d, %s, %s: %s, not %s: %s", what, squares[c].what, forms[k],
                          agn_status_name(st), agn_status_name(first),
                          st ? agn_error_message() : "another answer");
                    agn_release(got);
                    must(agn_scope_close(s));
                }
                agn_release(want);
                agn_release(d);
                agn_release(b);
            }
        tell(&q, kinds[f].name);
    }
}

int main(void)
{
    test_malformed();
    test_forms();
    test_rows();
    test_functions();
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
