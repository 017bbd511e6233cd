/* t-sparse-edges - sparse tensors at their edges: malformed parts, what ops refuse, repeated and
   absent entries, values that are no numbers, sizes beyond 2^31, answers of SciPy and PyTorch,
   failing allocations, and the memory of a gradient. */
#include "modes.h"

#include <agnesi/sparse.h>
#include <agnesi/sparse_layout.h>

#include "data/sparse-layout.inc"

typedef const agn_tensor *T;

static agn_tensor *ints(int ndim, const int64_t *shape, const int64_t *v)
{
    agn_tensor *x = NULL;
    must(agn_from_host(&x, AGN_I64, ndim, shape, v));
    return x;
}
static agn_tensor *coo(int64_t rows, int64_t cols, int64_t n, const int64_t *at, const double *v)
{
    agn_tensor *i = ints(2, (int64_t[]){2, n}, at), *x = of_reals(AGN_F64, 1, &n, v), *a = NULL;
    must(agn_sparse_coo(&a, 2, (int64_t[]){rows, cols}, i, x));
    agn_release(i);
    agn_release(x);
    return a;
}
static bool equals(agn_scope *s, T x, int64_t n, const double *want)
{
    T d = x && agn_layout_of(x) != AGN_DENSE ? ag_sparse_to_dense(s, x) : x;
    bool same = d && agn_numel(d) == n;
    for (int64_t k = 0; same && k < n; k++)
        same = fabs(peek(d, k) - want[k]) <= 1e-14 * (1 + fabs(want[k]));
    return same;
}
#define SAME(what, x, want) \
    ok(equals(s, x, COUNT(want), want), "%s: %s", what, \
       agn_scope_status(s) ? agn_error_message() : "the answer")

static const int64_t places[] = {0, 0, 1, 3, 3, 3, 1, 3, 0, 0, 2, 3},
                     turned[] = {1, 3, 0, 0, 2, 3, 0, 0, 1, 3, 3, 3};
static const double first[] = {1.5, -2.0, 0.75, 4.0, -0.5, 2.25},
                    second[] = {-1.0, 3.0, 0.5, 1.0, 2.0, -0.25};

static void test_answers(void)
{
    agn_tensor *ta = coo(4, 4, 6, places, first), *tb = coo(4, 4, 6, turned, second);
    agn_scope *s = agn_scope_open(NULL);
    for (int k = 0; k < 3; k++) {
        T a = k == 1 ? ag_sparse_to_csr(s, ta) : ta, b = k == 2 ? tb : ag_sparse_to_csc(s, tb);
        SAME("scipy: a + b", ag_add(s, a, b), scipy_add);
        SAME("scipy: a b", ag_mul(s, a, b), scipy_mul);
        SAME("scipy: maximum", ag_maximum(s, a, b), scipy_max);
        SAME("scipy: product", ag_matmul(s, a, b), scipy_product);
        T corner = ag_slice(s, b, 2, (int64_t[]){0, 0}, (int64_t[]){2, 3}, NULL);
        SAME("scipy: kron", ag_sparse_kron(s, a, corner), scipy_kron);
        SAME("scipy: tril", ag_tril(s, a, -1), scipy_tril);
        SAME("scipy: blocks", ag_sparse_block(s, (T[]){a, NULL, b, a}, 2, 2), scipy_block);
        T row = ag_slice(s, b, 1, (int64_t[]){0}, (int64_t[]){1}, NULL);
        SAME("scipy: blocks on the diagonal", ag_sparse_block_diag(s, (T[]){a, row}, 2),
             scipy_block_diag);
        SAME("scipy: largest of columns", ag_amax(s, a, (int32_t[]){0}, 1, false), scipy_colmax);
        SAME("torch: softmax", ag_sparse_values(s, ag_sparse_softmax(s, a, 1)), torch_softmax);
        SAME("torch: log softmax", ag_sparse_values(s, ag_sparse_log_softmax(s, a, 0)),
             torch_log_softmax);
    }
    agn_tensor *d = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){1, 2, 3}), *f = scalar_of(AGN_F64, 5);
    SAME("scipy: diagonals", ag_sparse_diags(s, (T[]){d, f}, (int64_t[]){-1, 1}, 2, 4, 5),
         scipy_diags);
    must(agn_scope_close(s));
    agn_release(d);
    agn_release(f);
    agn_release(ta);
    agn_release(tb);
}

/* ---- entries ------------------------------------------------------------------------------- */

static void test_entries(void)
{
    agn_tensor *a = coo(2, 3, 4, (int64_t[]){1, 0, 1, 0, 2, 1, 2, 1}, (double[]){1, 2, 3, -2});
    ok(agn_sparse_nnz(a) == 4 && !agn_sparse_is_coalesced(a) && agn_sparse_dim(a) == 2 &&
           agn_sparse_dense_dim(a) == 0 && agn_layout_of(a) == AGN_COO,
       "entries that meet are kept as they are");
    agn_scope *s = agn_scope_open(NULL);
    T c = ag_sparse_coalesce(s, a);
    ok(c && agn_sparse_nnz(c) == 2 && agn_sparse_is_coalesced(c), "coalesced: one for each place");
    SAME("what meets is summed, what cancels stays", ag_sparse_values(s, c), ((double[]){0, 4}));
    T none = ag_sub(s, c, c);
    ok(none && agn_sparse_nnz(none) == 2, "a - a keeps its entries");
    ok(agn_sparse_same_pattern(c, none) && !agn_sparse_same_pattern(a, c), "the same pattern");
    T big = ag_div(s, c, ag_sparse_to_dense(s, none)); /* 0 / 0 and 4 / 0 where there are entries only */
    T v = ag_sparse_values(s, big);
    ok(v && isnan(peek(v, 0)) && isinf(peek(v, 1)), "entries over 0 are NaN and infinite");
    agn_tensor *nan = coo(2, 2, 2, (int64_t[]){0, 1, 0, 1}, (double[]){(double)NAN, (double)INFINITY});
    T sum = ag_sum_all(s, nan), other = ag_mul(s, nan, ag_tril(s, nan, -1));
    ok(sum && isnan(peek(sum, 0)) && other && agn_sparse_nnz(other) == 0,
       "NaN counts in a sum, and not where the other operand has no entry");
    T u = ag_sparse_from_dense(s, ag_sparse_to_dense(s, nan));
    ok(u && agn_sparse_nnz(u) == 2, "NaN is stored");
    must(agn_scope_close(s));
    agn_release(nan);
    agn_release(a);
    /* a large tensor with few entries */
    int64_t n = (int64_t)1 << 40;
    a = coo(n, n, 3, (int64_t[]){n - 1, 5, 5, 7, n - 1, 5}, (double[]){1, 2, 3});
    s = agn_scope_open(NULL);
    T b = ag_add(s, ag_transpose(s, a), a);
    T at = ag_sparse_coordinates(s, b);
    ok(b && agn_sparse_nnz(b) == 5 && peek_int(at, 0) == 5 && peek_int(at, 5) == 5 &&
           agn_numel(b) == INT64_MAX,
       "2^40 rows and columns");
    SAME("its sum", ag_sum_all(s, b), (double[]){12});
    T r = ag_sum(s, a, (int32_t[]){1}, 1, false);
    ok(r && agn_sparse_nnz(r) == 2 && agn_shape(r)[0] == n, "its row sums are sparse");
    T e = ag_expand_dims(s, a, 0);
    ok(e && agn_ndim(e) == 3, "another axis needs no product of sizes");
    must(agn_scope_status(s));
    agn_tensor *out = untouched;
    ok(refused(agn_sparse_to_dense(&out, a), AGN_ENOMEM, "sparse_to_dense", "too many", NULL, out),
       "no dense form");
    ok(refused(agn_ravel(&out, a), AGN_ESHAPE, "ravel", NULL, NULL, out) ||
           refused(agn_reshape(&out, a, 1, (int64_t[]){INT64_MAX}), AGN_ESHAPE, "reshape", "too large",
                   NULL, out),
       "no flat form");
    must(agn_scope_close(s));
    agn_release(a);
}

/* matrices with different entries */
static void test_ragged(void)
{
    agn_tensor *p = ints(1, (int64_t[]){7}, (int64_t[]){0, 1, 3, 3, 3, 5, 6}),
               *i = ints(1, (int64_t[]){6}, (int64_t[]){2, 1, 0, 0, 1, 2}), *a = NULL;
    agn_tensor *v = random_of(AGN_F64, 1, (int64_t[]){6}, -1, 1);
    agn_tensor *x = random_of(AGN_F64, 3, (int64_t[]){3, 3, 4}, -1, 1);
    must(agn_sparse_csr_batch(&a, 3, 2, 3, p, i, v));
    agn_scope *s = agn_scope_open(NULL);
    T d = ag_sparse_to_dense(s, a), y = ag_matmul(s, a, x), z = ag_matmul(s, d, x);
    ok(y && modes_apart(y, z) < 1e-14, "ragged matrices by dense ones");
    T one = ag_index_axis(s, x, 0, 0);
    y = ag_matmul(s, a, one);
    ok(y && modes_apart(y, ag_matmul(s, d, one)) < 1e-14, "by one for all");
    T t = ag_transpose(s, a);
    y = ag_matmul(s, a, t);
    ok(y && modes_apart(ag_sparse_to_dense(s, y), ag_matmul(s, d, ag_transpose(s, d))) < 1e-14,
       "by ragged ones");
    T m = ag_matmul(s, ag_transpose(s, x), t);
    ok(m && modes_apart(m, ag_matmul(s, ag_transpose(s, x), ag_transpose(s, d))) < 1e-14,
       "from the left");
    must(agn_scope_close(s));
    agn_tensor *all[] = {p, i, v, x, a};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
}

static void test_random(void)
{
    agn_tensor *key = ints(1, (int64_t[]){2}, (int64_t[]){7, 11}), *a = NULL;
    static const int64_t nnz[] = {0, 1, 5, 11, 12};
    for (int k = 0; k < COUNT(nnz); k++) {
        must(agn_sparse_random(&a, key, 2, (int64_t[]){3, 4}, nnz[k], AGN_F64));
        ok(agn_sparse_nnz(a) == nnz[k] && agn_sparse_is_coalesced(a), "%d entries at random",
           (int)nnz[k]);
        agn_release(a);
    }
    int count[6] = {0};
    for (int64_t k = 0; k < 3000; k++) { /* every pair of 4 places as likely as the others */
        agn_tensor *at = NULL, *kk = ints(1, (int64_t[]){2}, (int64_t[]){k, 1});
        must(agn_sparse_random(&a, kk, 1, (int64_t[]){4}, 2, AGN_F32));
        must(agn_sparse_coordinates(&at, a));
        static const int number[4][4] = {{0, 0, 1, 2}, {0, 0, 3, 4}, {0, 0, 0, 5}};
        count[number[peek_int(at, 0)][peek_int(at, 1)]]++;
        agn_release(at);
        agn_release(kk);
        agn_release(a);
    }
    bool even = true;
    for (int k = 0; k < 6; k++)
        even &= abs(count[k] - 500) < 110; /* five standard deviations */
    ok(even, "every set of places as likely as the others");
    agn_release(key);
}

/* ---- files ------------------------------------------------------------------------------------ */

static void test_files(void)
{
    char path[] = "t-sparse-edges.npz";
    agn_tensor *a = coo(4, 4, 6, places, first), *b = NULL, *out = untouched;
    agn_scope *s = agn_scope_open(NULL);
    T kept[] = {a, ag_sparse_to_csr(s, a), ag_sparse_to_csc(s, a), ag_expand_dims(s, a, 1),
                ag_cast(s, a, AGN_C64), ag_cast(s, a, AGN_I16)};
    must(agn_scope_status(s));
    for (int k = 0; k < COUNT(kept); k++) {
        must(agn_npz_save_sparse(path, kept[k], false));
        must(agn_npz_load_sparse(&b, path));
        T c = ag_sparse_coalesce(s, kept[k]);
        ok(agn_dtype_of(b) == agn_dtype_of(c) && agn_sparse_same_pattern(b, c) &&
               modes_apart(ag_sparse_values(s, b), ag_sparse_values(s, c)) == 0,
           "written and read: %s %s", agn_dtype_name(agn_dtype_of(b)),
           k == 0 ? "coo" : k == 1 ? "csr" : k == 2 ? "csc" : "coo");
        agn_release(b);
    }
    T dense = ag_sparse_to_dense(s, a);
    ok(agn_npz_save_sparse(path, dense, false) == AGN_EUNSUPPORTED &&
           agn_npz_save_sparse(path, ag_sparse_to_coo(s, dense, 1), false) == AGN_EUNSUPPORTED &&
           agn_npz_save_sparse(NULL, a, false) == AGN_ENULL &&
           agn_npz_save_sparse(path, NULL, false) == AGN_ENULL,
       "what is not written");
    agn_dict *d = NULL;
    must(agn_dict_new(&d));
    must(agn_dict_put(d, "data", dense));
    must(agn_npz_save(path, d, false));
    ok(refused(agn_npz_load_sparse(&out, path), AGN_EFORMAT, "npz_load_sparse", "'data'", "1 axes", out) &&
           refused(agn_npz_load_sparse(&out, "no such file"), AGN_EIO, "npz_load_sparse", NULL, NULL,
                   out) &&
           agn_npz_load_sparse(NULL, path) == AGN_ENULL && agn_npz_load_sparse(&out, NULL) == AGN_ENULL,
       "what is not read");
    agn_dict_release(d);
    must(agn_scope_close(s));
    agn_release(a);
    remove(path);
}

/* ---- zero over zero --------------------------------------------------------------------------- */

static agn_status quotient_sum(void *user, agn_scope *s, T const *in, T *out)
{
    out[0] = ag_sum_all(s, ag_div(s, ag_sparse_with_values(s, user, in[0]), in[1]));
    return agn_scope_status(s);
}

/* a dense divisor that is 0 where nothing is stored: no NaN in the value, forward or backward */
static void test_quotients(void)
{
    agn_tensor *a = coo(3, 3, 3, (int64_t[]){0, 1, 2, 1, 0, 2}, (double[]){2, 3, 4});
    const double d[9] = {0, 4, 0, 8, 0, 0, 0, 0, 16};
    agn_tensor *y = of_reals(AGN_F64, 2, (int64_t[]){3, 3}, d), *one = NULL, *both = NULL;
    must(agn_ones(&one, AGN_F64, 1, (int64_t[]){3}));
    must(agn_ones(&both, AGN_F64, 2, (int64_t[]){3, 3}));
    for (int k = 0; k < 3; k++) {
        agn_tensor *m = NULL, *v = NULL, *g[2] = {NULL}, *t[2] = {NULL};
        must(k == 0 ? agn_sparse_coalesce(&m, a) : k == 1 ? agn_sparse_to_csr(&m, a) : agn_sparse_to_csc(&m, a));
        must(agn_sparse_values(&v, m));
        agn_fn *f = NULL, *grad = NULL, *jvp = NULL;
        const int32_t argnums[] = {0, 1};
        T in[4] = {v, y, one, both};
        must(agn_fn_new(&f, quotient_sum, m, NULL, 2, 1));
        must(agn_fn_grad(&grad, f, argnums, 2));
        must(agn_fn_jvp(&jvp, f));
        must(agn_fn_call(g, agn_fn_n_out(grad), grad, in, agn_fn_n_in(grad)));
        must(agn_fn_call(t, agn_fn_n_out(jvp), jvp, in, agn_fn_n_in(jvp)));
        double sum = 0, slope = 0;
        bool good = true;
        for (int i = 0; i < 9; i++) {
            double x = i == 1 ? 2 : i == 3 ? 3 : i == 8 ? 4 : 0, want = x ? -x / (d[i] * d[i]) : 0;
            sum += x ? x / d[i] : 0;
            slope += want + (x ? 1 / d[i] : 0);
            good = good && peek(g[1], i) == want;
        }
        ok(good && peek(t[0], 0) == sum && fabs(peek(t[1], 0) - slope) < 1e-15 && isfinite(peek(g[0], 0)),
           "layout %d: over a dense 0 where nothing is stored, nothing moves", k);
        agn_tensor *all[] = {m, v, g[0], g[1], t[0], t[1]};
        for (int i = 0; i < 6; i++)
            agn_release(all[i]);
        agn_fn_release(f);
        agn_fn_release(grad);
        agn_fn_release(jvp);
    }
    agn_tensor *all[] = {a, y, one, both};
    for (int i = 0; i < 4; i++)
        agn_release(all[i]);
}

/* ---- refusals ------------------------------------------------------------------------------- */

#define BAD(call, st, op, a_, b_) ok(refused(call, st, op, a_, b_, out), "%s: " #st, op)
static void test_refusals(void)
{
    agn_tensor *out = untouched, *a = coo(4, 4, 6, places, first);
    agn_tensor *i = ints(2, (int64_t[]){2, 3}, (int64_t[]){0, 1, 2, 0, 1, 2});
    agn_tensor *v = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){1, 2, 3});
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){4, 4}, -1, 1), *c = NULL, *csr = NULL;
    agn_tensor *key = ints(1, (int64_t[]){2}, (int64_t[]){1, 2});
    const int64_t shape[] = {3, 3};
    must(agn_sparse_to_csr(&csr, a));
    BAD(agn_sparse_coo(&out, 2, shape, NULL, v), AGN_ENULL, "sparse_coo", "indices", NULL);
    BAD(agn_sparse_coo(&out, 2, shape, i, NULL), AGN_ENULL, "sparse_coo", "values", NULL);
    ok(agn_sparse_coo(NULL, 2, shape, i, v) == AGN_ENULL, "sparse_coo: out");
    BAD(agn_sparse_coo(&out, 2, (int64_t[]){2, 3}, i, v), AGN_EINDEX, "sparse_coo", "entry 2",
        "axis 0");
    BAD(agn_sparse_coo(&out, 2, (int64_t[]){-1, 3}, i, v), AGN_ESHAPE, "sparse_coo", "-1", "axis 0");
    BAD(agn_sparse_coo(&out, 3, (int64_t[]){3, 3, 3}, i, v), AGN_ESHAPE, "sparse_coo", "2 axes", "3");
    BAD(agn_sparse_coo(&out, 2, shape, i, x), AGN_ESHAPE, "sparse_coo", "[2,3]", "[4,4]");
    BAD(agn_sparse_coo(&out, 2, shape, v, v), AGN_EDTYPE, "sparse_coo", "f64", NULL);
    BAD(agn_sparse_coo(&out, 2, shape, i, a), AGN_EUNSUPPORTED, "sparse_coo", "sparse", NULL);
    agn_tensor *neg = ints(2, (int64_t[]){2, 3}, (int64_t[]){0, -1, 2, 0, 1, 2});
    BAD(agn_sparse_coo(&out, 2, NULL, neg, v), AGN_EINDEX, "sparse_coo", "entry 1", "-1");
    must(agn_sparse_coo(&c, 0, NULL, i, v));
    ok(has_shape(c, 2, shape), "sparse_coo: sizes from coordinates");
    agn_release(c);
    BAD(agn_sparse_coo_unchecked(&out, 2, NULL, i, v, true), AGN_ENULL, "sparse_coo_unchecked",
        "shape", NULL);
    must(agn_sparse_coo_unchecked(&c, 2, shape, i, v, true));
    ok(agn_sparse_is_coalesced(c), "sparse_coo_unchecked: believed");
    agn_release(c);
    agn_tensor *p3 = ints(1, (int64_t[]){3}, (int64_t[]){0, 2, 3}),
               *i3 = ints(1, (int64_t[]){3}, (int64_t[]){0, 5, 1});
    BAD(agn_sparse_csc(&out, 3, 2, p3, i3, v), AGN_EINDEX, "sparse_csc", "entry 1", "5");
    BAD(agn_sparse_csr_batch(&out, 2, 1, 3, p3, i3, v), AGN_EINDEX, "sparse_csr_batch", "entry 1",
        "5");
    BAD(agn_sparse_csr_batch(&out, -2, 1, 3, p3, i3, v), AGN_ESHAPE, "sparse_csr_batch", "-2", NULL);
    BAD(agn_sparse_csr_batch(&out, 2, 1, 3, p3, i3, x), AGN_ESHAPE, "sparse_csr_batch", "[4,4]", NULL);
    BAD(agn_sparse_eye(&out, 99, 2, 2, 0), AGN_EDTYPE, "sparse_eye", "99", NULL);
    BAD(agn_sparse_eye(&out, AGN_F64, -2, 2, 0), AGN_ESHAPE, "sparse_eye", "-2", NULL);
    BAD(agn_sparse_diags(&out, (T[]){v}, (int64_t[]){0}, 0, 3, 3), AGN_EARG, "sparse_diags", "0", NULL);
    BAD(agn_sparse_diags(&out, (T[]){v, v}, (int64_t[]){0, 0}, 2, 3, 3), AGN_EARG, "sparse_diags",
        "twice", NULL);
    BAD(agn_sparse_diags(&out, (T[]){v}, (int64_t[]){1}, 1, 3, 3), AGN_ESHAPE, "sparse_diags", "[3]",
        "2 elements");
    BAD(agn_sparse_diags(&out, (T[]){NULL}, (int64_t[]){1}, 1, 3, 3), AGN_ENULL, "sparse_diags",
        "diagonal 0", NULL);
    BAD(agn_sparse_diags(&out, (T[]){a}, (int64_t[]){0}, 1, 4, 4), AGN_EUNSUPPORTED, "sparse_diags",
        "sparse", NULL);
    BAD(agn_sparse_random(&out, key, 2, shape, 10, AGN_F64), AGN_EARG, "sparse_random", "10", "[3,3]");
    BAD(agn_sparse_random(&out, key, 2, shape, 1, AGN_I32), AGN_EDTYPE, "sparse_random", NULL, NULL);
    BAD(agn_sparse_random(&out, NULL, 2, shape, 1, AGN_F64), AGN_ENULL, "sparse_random", "key", NULL);
    BAD(agn_sparse_kron(&out, a, x), AGN_EUNSUPPORTED, "sparse_kron", "dense", NULL);
    BAD(agn_sparse_block(&out, (T[]){a, NULL, NULL, NULL}, 2, 2), AGN_ESHAPE, "sparse_block", "row 1",
        NULL);
    BAD(agn_sparse_block(&out, (T[]){x}, 1, 1), AGN_ESHAPE, "sparse_block", "dense", NULL);
    BAD(agn_sparse_block(&out, (T[]){x}, 0, 1), AGN_EARG, "sparse_block", "0", NULL);
    BAD(agn_sparse_block_diag(&out, (T[]){a, NULL}, 2), AGN_ENULL, "sparse_block_diag", "block 1", NULL);
    BAD(agn_sparse_block_diag(&out, (T[]){x}, 1), AGN_ESHAPE, "sparse_block_diag", "dense", NULL);
    BAD(agn_sparse_block_diag(&out, (T[]){x}, 0), AGN_EARG, "sparse_block_diag", "0", NULL);
    BAD(agn_sparse_to_coo(&out, x, 3), AGN_ESHAPE, "sparse_to_coo", "3", "[4,4]");
    BAD(agn_sparse_to_coo(&out, a, 1), AGN_EUNSUPPORTED, "sparse_to_coo", "2", NULL);
    BAD(agn_sparse_to_csr(&out, v), AGN_ESHAPE, "sparse_to_csr", "[3]", NULL);
    BAD(agn_sparse_to_csc(&out, NULL), AGN_ENULL, "sparse_to_csc", "x", NULL);
    BAD(agn_sparse_coalesce(&out, x), AGN_EUNSUPPORTED, "sparse_coalesce", "dense", NULL);
    BAD(agn_sparse_coordinates(&out, x), AGN_EUNSUPPORTED, "sparse_coordinates", "dense", NULL);
    BAD(agn_sparse_mask_as(&out, a, x), AGN_EUNSUPPORTED, "sparse_mask_as", "dense", NULL);
    BAD(agn_sparse_mask_as(&out, v, a), AGN_ESHAPE, "sparse_mask_as", "[3]", "[4,4]");
    BAD(agn_sparse_masked_matmul(&out, x, v, a), AGN_ESHAPE, "sparse_masked_matmul", "[3]", NULL);
    BAD(agn_sparse_masked_matmul(&out, x, x, x), AGN_EUNSUPPORTED, "sparse_masked_matmul", "dense",
        NULL);
    BAD(agn_sparse_softmax(&out, a, 2), AGN_EINDEX, "sparse_softmax", "2", NULL);
    BAD(agn_sparse_softmax(&out, x, 0), AGN_EUNSUPPORTED, "sparse_softmax", "dense", NULL);
    BAD(agn_sparse_log_softmax(&out, NULL, 0), AGN_ENULL, "sparse_log_softmax", "a", NULL);
    BAD(agn_sparse_indptr(&out, a), AGN_EUNSUPPORTED, "sparse_indptr", "coo", NULL);
    /* ops */
    BAD(agn_cos(&out, a), AGN_EUNSUPPORTED, "cos", "sparse", "fill");
    BAD(agn_exp(&out, csr), AGN_EUNSUPPORTED, "exp", "sparse", "fill");
    BAD(agn_add_c(&out, a, 1), AGN_EUNSUPPORTED, "add_c", "stay 0", "[4,4]");
    BAD(agn_eq(&out, a, csr), AGN_EUNSUPPORTED, "eq", "stay 0", NULL);
    BAD(agn_div(&out, x, a), AGN_EUNSUPPORTED, "div", "stay 0", NULL);
    agn_tensor *csc = NULL;
    must(agn_sparse_to_csc(&csc, a));
    for (int k = 0; k < 3; k++) { /* 0 / 0 where neither has an entry, also on one pattern */
        const agn_tensor *l = k == 0 ? a : k == 1 ? csr : csc;
        BAD(agn_div(&out, l, l), AGN_EUNSUPPORTED, "div", "0 over 0", "entries");
        BAD(agn_div(&out, l, a), AGN_EUNSUPPORTED, "div", "0 over 0", "[4,4]");
        BAD(agn_fmod(&out, l, csr), AGN_EUNSUPPORTED, "fmod", "0 over 0", "[4,4]");
        BAD(agn_remainder(&out, l, csc), AGN_EUNSUPPORTED, "remainder", "0 over 0", "[4,4]");
        BAD(agn_floor_divide(&out, l, csr), AGN_EUNSUPPORTED, "floor_divide", "0 over 0", "[4,4]");
    }
    agn_release(csc);
    BAD(agn_add(&out, a, v), AGN_ESHAPE, "add", "[4,4]", "[3]");
    BAD(agn_sort(&out, a, 0, false), AGN_EUNSUPPORTED, "sort", "sparse", NULL);
    BAD(agn_slice(&out, a, 1, (int64_t[]){0}, (int64_t[]){2}, (int64_t[]){0}), AGN_EARG, "slice",
        "step", NULL);
    BAD(agn_gather(&out, a, i, 5), AGN_EINDEX, "gather", "5", NULL);
    agn_tensor *far = ints(1, (int64_t[]){1}, (int64_t[]){9});
    BAD(agn_gather(&out, a, far, 0), AGN_EINDEX, "gather", "9", NULL);
    BAD(agn_concat(&out, (T[]){a, x, c = coo(2, 3, 0, NULL, NULL)}, 3, 0), AGN_ESHAPE, "concat", "[4,4]",
        "[2,3]");
    agn_release(c);
    agn_tensor *one = NULL, *vast = NULL, *few = NULL; /* a view of more elements than memory holds */
    must(agn_ones(&one, AGN_F64, 2, (int64_t[]){1, 1}));
    must(agn_broadcast_to(&vast, one, 2, (int64_t[]){(int64_t)1 << 31, 1 << 20}));
    must(agn_sparse_eye(&few, AGN_F64, 3, 1 << 20, 0));
    BAD(agn_concat(&out, (T[]){few, vast}, 2, 0), AGN_ENOMEM, "concat", NULL, NULL);
    agn_release(one);
    agn_release(vast);
    agn_release(few);
    BAD(agn_concat(&out, (T[]){x, a, v}, 3, 0), AGN_ESHAPE, "concat", "[4,4]", "[3]");
    BAD(agn_polar(&out, a, v), AGN_ESHAPE, "polar", "[4,4]", "[3]");
    BAD(agn_concat(&out, (T[]){a, csr, c = coo(2, 3, 0, NULL, NULL)}, 3, 0), AGN_ESHAPE, "concat",
        "[4,4]", "[2,3]");
    BAD(agn_matmul(&out, a, c), AGN_ESHAPE, "matmul", "[4,4]", "[2,3]");
    BAD(agn_matmul(&out, c, x), AGN_ESHAPE, "matmul", "[2,3]", "[4,4]");
    BAD(agn_reshape(&out, a, 1, (int64_t[]){15}), AGN_ESHAPE, "reshape", "[4,4]", "[15]");
    BAD(agn_amax(&out, a, (int32_t[]){7}, 1, false), AGN_EINDEX, "amax", NULL, NULL);
    ok(agn_sparse_nnz(NULL) == -1 && agn_sparse_nnz(x) == -1 && agn_sparse_dim(x) == -1 &&
           agn_sparse_dense_dim(NULL) == -1 && !agn_sparse_is_coalesced(x) &&
           !agn_sparse_same_pattern(x, x) && !agn_sparse_same_pattern(NULL, a),
       "facts of what is not sparse");
    agn_tensor *all[] = {a, i, v, x, c, csr, key, neg, p3, i3, far};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
}

/* ---- allocations --------------------------------------------------------------------------- */

typedef struct making {
    T a, b, x, key, i, v;
    int what;
} making;
static agn_status make(void *user, agn_tensor **out)
{
    const making *m = user;
    agn_scope *s = agn_scope_open(NULL);
    T y = NULL;
    switch (m->what) {
    case 0: y = ag_add(s, m->a, ag_sin(s, ag_transpose(s, m->b))); break;
    case 1: y = ag_mul(s, ag_sum(s, m->a, (int32_t[]){0}, 1, true), m->b); break;
    case 2: y = ag_reshape(s, ag_permute(s, ag_stack(s, (T[]){m->a, m->b}, 2, 0),
                                         (int32_t[]){2, 0, 1}, 3), 2, (int64_t[]){8, 4}); break;
    case 3: y = ag_matmul(s, m->a, m->x); break;
    case 4: y = ag_matmul(s, m->x, m->b); break;
    case 5: y = ag_cast(s, ag_matmul(s, ag_cast(s, m->a, AGN_I64), ag_cast(s, m->b, AGN_I64)),
                        AGN_F64); break;
    case 6: y = ag_sparse_to_csc(s, ag_sparse_to_csr(s, m->a)); break;
    case 7: y = ag_sparse_to_dense(s, ag_sparse_to_coo(s, m->x, 1)); break;
    case 8: y = ag_sparse_softmax(s, m->a, 1); break;
    case 9: y = ag_amax(s, m->a, (int32_t[]){1}, 1, false); break;
    case 10: y = ag_sparse_kron(s, m->a, m->b); break;
    case 11: y = ag_sparse_block(s, (T[]){m->a, NULL, m->b, m->a}, 2, 2); break;
    case 12: y = ag_sparse_random(s, m->key, 2, (int64_t[]){5, 6}, 4, AGN_F64); break;
    case 13: y = ag_diagonal(s, ag_tril(s, m->a, 1), 0, 0, 1); break;
    case 14: y = ag_slice(s, m->b, 2, (int64_t[]){AGN_BEGIN, 1}, (int64_t[]){AGN_END, 3},
                          (int64_t[]){-1, 1}); break;
    case 15: y = ag_gather(s, m->a, ag_index_axis(s, m->i, 0, 0), 1); break;
    case 16: y = ag_sparse_coo(s, 2, (int64_t[]){4, 4}, m->i, m->v); break;
    case 17: y = ag_sparse_masked_matmul(s, m->x, m->x, m->a); break;
    case 18: y = ag_sparse_mask_as(s, m->x, m->a); break;
    case 19: y = ag_sparse_eye(s, AGN_F64, 4, 5, 1); break;
    case 20: y = ag_sparse_coordinates(s, m->b); break;
    case 21: y = ag_mul(s, m->a, ag_index_axis(s, m->x, 0, 0)); break;
    case 22: y = ag_concat(s, (T[]){m->a, m->b}, 2, 1); break;
    case 23: y = ag_matmul(s, ag_stack(s, (T[]){m->a, m->b}, 2, 0), m->x); break;
    case 24: y = ag_concat(s, (T[]){m->x, m->b}, 2, 1); break;
    case 25: y = ag_polar(s, m->a, m->b); break;
    default: y = ag_matmul(s, m->a, m->b);
    }
    agn_scope_return(s, out, y);
    return agn_scope_close(s);
}

static void test_allocations(void)
{
    agn_tensor *a = coo(4, 4, 6, places, first), *b0 = coo(4, 4, 6, turned, second), *b = NULL;
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){4, 4}, -1, 1);
    agn_tensor *key = ints(1, (int64_t[]){2}, (int64_t[]){7, 11});
    agn_tensor *i = ints(2, (int64_t[]){2, 6}, turned), *v = NULL;
    must(agn_sparse_values(&v, b0));
    must(agn_sparse_to_csr(&b, b0));
    making m = {a, b, x, key, i, v, 0};
    for (; m.what <= 26; m.what++) {
        char name[32];
        snprintf(name, sizeof name, "call %d", m.what);
        every_allocation(make, &m, name);
    }
    agn_tensor *all[] = {a, b0, b, x, key, i, v};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
}

/* ---- the memory of a gradient --------------------------------------------------------------- */

/* sum(A x) by the values of A [n, n] with ten entries in a row: within 4 times the bytes of the
   entries, value and 32-bit column; check-long has a million rows */
static void test_memory(void)
{
    int64_t n = tap_long(20000, 1000000), nnz = 10 * n;
    int64_t *ptr = room_for((size_t)(n + 1) * sizeof *ptr);
    int32_t *col = room_for((size_t)nnz * sizeof *col);
    for (int64_t k = 0; k <= n; k++)
        ptr[k] = 10 * k;
    for (int64_t k = 0; k < nnz; k++)
        col[k] = (int32_t)(k % 10 * (n / 10) + k / 10 * 7919 % (n / 10));
    agn_tensor *p = ints(1, (int64_t[]){n + 1}, ptr), *c = NULL, *v = NULL, *w = NULL, *a = NULL,
               *x = random_of(AGN_F64, 1, &n, -1, 1), *g = NULL;
    must(agn_from_host(&c, AGN_I32, 1, &nnz, col));
    must(agn_full(&v, AGN_F64, 1, &nnz, 0.5));
    agn_tensor *dense = NULL;
    must(agn_contiguous(&dense, v));
    must(agn_watch(&w, dense));
    must(agn_sparse_csr(&a, n, n, p, c, w));
    free(ptr);
    free(col);
    agn_release(p);
    agn_release(c);
    int64_t bytes, blocks, peak;
    agn_memory_reset_peak();
    agn_memory_live(&bytes, &blocks, &peak);
    agn_scope *s = agn_scope_open(NULL);
    T y = ag_sum_all(s, ag_matmul(s, a, x));
    must(agn_scope_status(s));
    must(agn_gradient(&g, &y, 1, (const agn_tensor *const *)&w, 1, NULL));
    int64_t before = bytes;
    agn_memory_live(&bytes, &blocks, &peak);
    double entries = (double)nnz * (sizeof(double) + sizeof(int32_t));
    ok(agn_numel(g) == nnz && (double)(peak - before) <= 4 * entries,
       "the gradient of sum(A x), %d rows: %.2f times the bytes of the entries", (int)n,
       (double)(peak - before) / entries);
    must(agn_scope_close(s));
    agn_tensor *all[] = {v, dense, w, a, x, g};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
}

int main(void)
{
    test_answers();
    test_entries();
    test_ragged();
    test_random();
    test_files();
    test_quotients();
    test_refusals();
    test_allocations();
    test_memory();
    return done();
}
