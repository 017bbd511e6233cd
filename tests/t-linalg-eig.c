/* t-linalg-eig - eigenpairs of general matrices: by their residual on random and hostile matrices, in every mode,
   at ties, where they are defective, and every documented failure. */
#include "t-linalg.h"

static double largest(const agn_tensor *x)
{
    double most = 0;
    for (int64_t i = 0; i < agn_numel(x); i++)
        most = fmax(most, cabs(peekz(x, i)));
    return most;
}

/* a v = v w to n eps |a|, columns of length 1, values alone the same sums of powers */
static void check_pairs(tally *q, const agn_tensor *a, const char *name)
{
    agn_tensor *w = NULL, *v = NULL, *e = NULL;
    agn_status st = agn_linalg_eig(&w, &v, a);
    check(q, !st, "%s: %s", name, agn_error_message());
    st = agn_linalg_eigvals(&e, a);
    check(q, !st && same_shapes(e, w), "%s: %s", name, agn_error_message());
    agn_scope *s = agn_scope_open(NULL);
    int64_t n = agn_shape(v)[agn_ndim(v) - 1];
    double eps = eps_of(agn_dtype_of(a)), norm = largest(a) * (double)(n + 1);
    const agn_tensor *x = ag_cast(s, a, agn_dtype_of(v));
    const agn_tensor *rest = ag_sub(s, ag_matmul(s, x, v), ag_mul(s, v, ag_expand_dims(s, w, -2)));
    check(q, largest(rest) <= 20 * eps * norm, "%s: a v - v w is %.1e of %.1e", name, largest(rest), norm);
    for (int64_t j = 0; j < agn_numel(v) / (n ? n : 1); j++) {
        double length = 0;
        for (int64_t i = 0; i < n; i++)
            length = hypot(length, cabs(peekz(v, (j / n * n + i) * n + j % n)));
        check(q, fabs(length - 1) < 20 * (double)n * eps, "%s: a vector of length %g", name, length);
    }
    double complex sum = 0, alone = 0, trace = 0;
    for (int64_t i = 0; i < agn_numel(w); i++) {
        sum += peekz(w, i);
        alone += peekz(e, i);
    }
    for (int64_t i = 0; i < agn_numel(a); i++)
        trace += i % (n * n) / n == i % n ? peekz(a, i) : 0;
    check(q, cabs(sum - trace) <= 20 * eps * norm * (double)agn_numel(w) && cabs(alone - trace) <= 20 * eps * norm * (double)agn_numel(w),
          "%s: values do not sum to the trace", name);
    must(agn_scope_close(s));
    agn_release(w);
    agn_release(v);
    agn_release(e);
}

static void test_pairs(void)
{
    static const int64_t sizes[][2] = {{1, 0}, {0, 3}, {1, 1}, {2, 2}, {3, 5}, {100, 4}, {1, 40}};
    tally q = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int k = 0; k < COUNT(sizes); k++)
            for (int l = 0; l < N_LAYOUTS; l++) {
                int64_t n = sizes[k][1], shape[] = {sizes[k][0], n, n};
                agn_tensor *a = random_of(dtypes[d], 3, shape, -1, 1), *x = laid_out(a, l);
                check_pairs(&q, x, agn_dtype_name(dtypes[d]));
                agn_release(a);
                agn_release(x);
            }
    tell(&q, "eig: a v = v w, dtypes, layouts, batches");
}

/* row i, column j of hostile matrices of order 12 */
typedef double entry(int i, int j);
static double jordan(int i, int j) { return i == j || j == i + 1; }
static double nilpotent(int i, int j) { return j == i + 1; }
static double hilbert(int i, int j) { return 1.0 / (i + j + 1); }
static double frank(int i, int j) { return j >= i - 1 ? 12 - (j > i ? j : i) : 0; }
static double graded(int i, int j) { return ldexp(1 + (i * 7 + j * 3) % 5, -8 * (i + j)); }
static double kahan(int i, int j) { return j < i ? 0 : (i == j ? 1 : -0.3) * pow(0.95, i); }
static double ones(int i, int j) { return 1 + 0 * (i + j); }
static double identity(int i, int j) { return i == j; }
static double skew(int i, int j) { return i == j ? 0 : (i < j ? 1 : -1) * (1 + (i + j) % 3); }
static double companion(int i, int j) { return i == 0 ? (j % 2 ? -1 : 1) * (j + 1) : i == j + 1; }
static double unbalanced(int i, int j) { return ldexp(1 + (i * 5 + j) % 7, 20 * (i - j)); }
static double faint(int i, int j) { return 1e-310 * (1 + (i * i + 3 * j) % 11); }
static double vast(int i, int j) { return 1e300 * (1 + (i * i + 3 * j) % 11); }
static const struct hostile {
    entry *of;
    const char *name;
} hostiles[] = {{jordan, "Jordan"},     {nilpotent, "nilpotent"}, {hilbert, "Hilbert"},       {frank, "Frank"},
                {graded, "graded"},     {kahan, "Kahan"},         {ones, "ones"},             {identity, "identity"},
                {skew, "skew"},         {companion, "companion"}, {unbalanced, "unbalanced"}, {faint, "subnormal"},
                {vast, "huge"}};

static void test_hostile(void)
{
    enum { N = 12 };
    tally q = {0, 0};
    for (int k = 0; k < COUNT(hostiles); k++) {
        double v[N * N];
        for (int i = 0; i < N * N; i++)
            v[i] = hostiles[k].of(i / N, i % N);
        agn_tensor *a = of_reals(AGN_F64, 2, (int64_t[]){N, N}, v), *z = of_reals(AGN_C128, 2, (int64_t[]){N, N}, v);
        check_pairs(&q, a, hostiles[k].name);
        check_pairs(&q, z, hostiles[k].name);
        agn_release(a);
        agn_release(z);
    }
    tell(&q, "eig: hostile matrices");
    /* a Jordan block comes out exact, values of a rotation are exact conjugates */
    double v[9] = {2, 1, 0, 0, 2, 1, 0, 0, 2}, r[9] = {0.5, -0.75, 0, 0.75, 0.5, 0, 0, 0, 3};
    agn_tensor *a = of_reals(AGN_F64, 2, (int64_t[]){3, 3}, v), *b = of_reals(AGN_F64, 2, (int64_t[]){3, 3}, r), *w = NULL, *x = NULL;
    must(agn_linalg_eigvals(&w, a));
    must(agn_linalg_eigvals(&x, b));
    ok(peekz(w, 0) == 2 && peekz(w, 1) == 2 && peekz(w, 2) == 2, "a Jordan block: exact");
    ok(peekz(x, 0) == conj(peekz(x, 1)) && cimag(peekz(x, 0)) != 0 && peekz(x, 2) == 3, "pairs of conjugates");
    agn_tensor *all[] = {a, b, w, x};
    for (int i = 0; i < COUNT(all); i++)
        agn_release(all[i]);
}

/* 0: a gauge-invariant function of values and vectors; 1: values; 2: sum of their squares; 3: |vectors|^2 */
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    int kind = *(const int *)user;
    agn_tensor *w = NULL, *v = NULL;
    if (kind == 1 || kind == 2) {
        const agn_tensor *e = ag_linalg_eigvals(s, in[0]);
        out[0] = kind == 1 ? e : ag_sum_all(s, ag_mul(s, ag_square(s, e), e));
        return agn_scope_status(s);
    }
    agn_status st = agn_linalg_eig(&w, &v, in[0]);
    const agn_tensor *W = agn_scope_adopt(s, st, &w), *V = agn_scope_adopt(s, st, &v);
    out[0] = kind == 3 ? V : ag_matmul(s, ag_mul(s, V, ag_exp(s, W)), ag_conj(s, ag_transpose(s, V)));
    return agn_scope_status(s);
}

static void test_modes(void)
{
    static const char *const names[] = {"v exp(w) v^H", "values", "sum of cubes", "vectors"};
    for (int c = 0; c < 2; c++)
        for (int k = 0; k < COUNT(names); k++) {
            int dtype = c ? AGN_C128 : AGN_F64;
            agn_scope *s = agn_scope_open(NULL);
            agn_tensor *x = NULL, *a = random_of(dtype, 2, (int64_t[]){3, 3}, -0.5, 0.5);
            agn_tensor *d = of_reals(dtype, 2, (int64_t[]){3, 3}, (double[]){1, 3, 0, -3, 1, 0, 0, 0, 5});
            agn_scope_return(s, &x, ag_add(s, a, d));
            must(agn_scope_close(s));
            agn_fn *f = NULL;
            char name[80];
            must(agn_fn_new(&f, body, &k, NULL, 1, 1));
            snprintf(name, sizeof name, "eig, %s, %s", names[k], agn_dtype_name(dtype));
            const agn_tensor *in[1] = {x};
            in_every_mode(f, 1, in, 4e-3, 1e-6, name);
            agn_fn_release(f);
            agn_release(a);
            agn_release(d);
            agn_release(x);
        }
}

/* x diag(2, 2, 5) x^-1: the sum of cubes has the gradient 3 a^2 transposed, forward and backward; one value of the
   tie has none. A Jordan block, turned, has NaN or a refusal. */
static void test_ties(void)
{
    agn_tensor *a = of_reals(AGN_F64, 2, (int64_t[]){3, 3}, (double[]){2, 0, 3, 0, 2, 6, 0, 0, 5});
    int kind = 2;
    agn_fn *f = NULL, *g = NULL, *h = NULL;
    const int32_t first = 0;
    must(agn_fn_new(&f, body, &kind, NULL, 1, 1));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *t = agn_scope_adopt(s, AGN_OK, &(agn_tensor *){random_of(AGN_F64, 2, (int64_t[]){3, 3}, -1, 1)});
    const agn_tensor *want = ag_mul_c(s, ag_transpose(s, ag_matmul(s, a, a)), 3), *in[2] = {a, t};
    agn_tensor *y[2] = {NULL};
    must(agn_fn_jvp(&h, f));
    must(agn_fn_call(y, 2, h, in, 2));
    double dot = modes_dot(want, t);
    ok(cabs(peekz(y[1], 0) - dot) < 1e-10, "a tie: forward %g, not %g", creal(peekz(y[1], 0)), dot);
    agn_release(y[0]);
    agn_release(y[1]);
    agn_fn_release(f);
    agn_fn_release(h);
    for (int bad = 0; bad < 2; bad++) {
        agn_tensor *x = NULL, *sum = NULL, *e = NULL, *one = NULL, *grad = NULL;
        must(agn_watch(&x, a));
        must(agn_linalg_eigvals(&e, x));
        must(agn_real(&sum, e));
        if (bad) /* the value of the tie that happens to come first */
            must(agn_index_axis(&one, sum, 0, 0));
        else
            must(agn_sum_all(&one, sum));
        agn_status st = agn_gradient(&grad, (const agn_tensor *const *)&one, 1, (const agn_tensor *const *)&x, 1, NULL);
        if (bad)
            ok(st == AGN_EDOMAIN && strstr(agn_error_message(), "equal"), "one value of a tie is refused: %s", agn_error_message());
        else {
            double off = 0;
            for (int i = 0; i < 9 && !st; i++)
                off = fmax(off, cabs(peekz(grad, i) - (i / 3 == i % 3)));
            ok(!st && off < 1e-13, "the trace at a tie: backward, off by %.1e", off);
            agn_release(grad);
        }
        agn_tensor *all[] = {x, sum, e, one};
        for (int i = 0; i < COUNT(all); i++)
            agn_release(all[i]);
    }
    must(agn_scope_close(s));
    agn_release(a);
    (void)g, (void)first;
    tally q = {0, 0};
    for (int n = 2; n < 7; n++)
        for (int turn = 0; turn < 20; turn++) {
            double v[49];
            for (int i = 0; i < n * n; i++)
                v[i] = i / n == i % n ? 1 : i % n == i / n + 1;
            agn_tensor *j = of_reals(AGN_F64, 2, (int64_t[]){n, n}, v), *o = random_of(AGN_F64, 2, (int64_t[]){n, n}, -1, 1);
            agn_tensor *x = NULL, *e = NULL, *p = NULL, *one = NULL, *grad = NULL;
            agn_scope *r = agn_scope_open(NULL);
            agn_tensor *qq = NULL, *rr = NULL;
            must(agn_linalg_qr(&qq, &rr, o, false));
            const agn_tensor *m = turn ? ag_matmul(r, qq, ag_matmul(r, j, ag_transpose(r, qq))) : j;
            must(agn_watch(&x, m));
            must(agn_linalg_eigvals(&e, x));
            must(agn_real(&p, e));
            must(agn_index_axis(&one, p, 0, 0));
            agn_status st = agn_gradient(&grad, (const agn_tensor *const *)&one, 1, (const agn_tensor *const *)&x, 1, NULL);
            bool finite = !st;
            for (int i = 0; i < n * n && finite; i++)
                finite = isfinite(creal(peekz(grad, i)));
            check(&q, !finite, "a block of order %d, turn %d: a finite gradient", n, turn);
            must(agn_scope_close(r));
            if (!st)
                agn_release(grad);
            agn_tensor *all[] = {j, o, qq, rr, x, e, p, one};
            for (int i = 0; i < COUNT(all); i++)
                agn_release(all[i]);
        }
    tell(&q, "defective values have no finite derivative");
}

static void test_failures(void)
{
    tally q = {0, 0};
    agn_tensor *o = untouched, *o2 = untouched;
    agn_tensor *flat = of_reals(AGN_F64, 2, (int64_t[]){2, 3}, (double[6]){0}), *sparse = NULL;
    agn_tensor *sq = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){0, 1, 0, 0});
    agn_tensor *nan = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){0, 1, (double)INFINITY, 0});
    must(agn_sparse_from_dense(&sparse, sq));
#define BAD(call, st, op, a, b) check(&q, refused(call, st, op, a, b, o) && o2 == untouched, "%s", agn_error_message())
    BAD(agn_linalg_eig(NULL, &o2, sq), AGN_ENULL, "linalg_eig", "w is", NULL);
    BAD(agn_linalg_eig(&o, NULL, sq), AGN_ENULL, "linalg_eig", "v is", NULL);
    BAD(agn_linalg_eig(&o, &o2, NULL), AGN_ENULL, "linalg_eig", "a is", NULL);
    BAD(agn_linalg_eig(&o, &o2, flat), AGN_ESHAPE, "linalg_eig", "[2,3]", "square");
    BAD(agn_linalg_eig(&o, &o2, nan), AGN_EDOMAIN, "linalg_eig", "not finite", "[1,0]");
    BAD(agn_linalg_eig(&o, &o2, sparse), AGN_EUNSUPPORTED, "linalg_eig", "sparse", NULL);
    BAD(agn_linalg_eigvals(NULL, sq), AGN_ENULL, "linalg_eigvals", "out is", NULL);
    BAD(agn_linalg_eigvals(&o, NULL), AGN_ENULL, "linalg_eigvals", "a is", NULL);
    BAD(agn_linalg_eigvals(&o, flat), AGN_ESHAPE, "linalg_eigvals", "[2,3]", "square");
    BAD(agn_linalg_eigvals(&o, nan), AGN_EDOMAIN, "linalg_eigvals", "not finite", "[1,0]");
    BAD(agn_linalg_eigvals(&o, sparse), AGN_EUNSUPPORTED, "linalg_eigvals", "sparse", NULL);
    tell(&q, "failures: status, op, two facts, nothing written");
    agn_tensor *all[] = {flat, sq, nan, sparse};
    for (int i = 0; i < COUNT(all); i++)
        agn_release(all[i]);
}

static agn_status make(void *user, agn_tensor **out)
{
    agn_tensor *w = NULL;
    agn_status st = agn_linalg_eig(&w, out, user);
    agn_release(w);
    return st;
}

int main(void)
{
    test_pairs();
    test_hostile();
    test_modes();
    test_ties();
    test_failures();
    agn_tensor *a = random_of(AGN_F64, 2, (int64_t[]){3, 3}, -1, 1);
    every_allocation(make, a, "eig");
    agn_release(a);
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
