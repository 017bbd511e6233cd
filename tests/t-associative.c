/* t-associative - associative scans against the same written out one after the other:
   sums, products, products of matrices, affine maps; every length, axis and mode. */
#include "tests/control.h"

static agn_status add(void *u, agn_scope *s, const agn_tensor *const *in,
                      const agn_tensor **out)
{
    (void)u;
    out[0] = ag_add(s, in[0], in[1]);
    return AGN_OK;
}
static agn_status multiply(void *u, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    (void)u;
    out[0] = ag_mul(s, in[0], in[1]);
    return AGN_OK;
}
static agn_status matrices(void *u, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    (void)u;
    out[0] = ag_matmul(s, in[0], in[1]);
    return AGN_OK;
}
/* x -> a x + b, then x -> c x + d */
static agn_status affine(void *u, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    (void)u;
    out[0] = ag_mul(s, in[2], in[0]);
    out[1] = ag_add(s, ag_mul(s, in[2], in[1]), in[3]);
    return AGN_OK;
}

static agn_fn *scan_of(agn_body *body, int n, int32_t axis, bool reverse)
{
    agn_fn *f = NULL, *scan = NULL;
    CHECK(agn_fn_new(&f, body, NULL, NULL, 2 * n, n));
    CHECK(agn_fn_associative_scan(&scan, f, axis, reverse));
    agn_fn_release(f);
    return scan;
}

/* ---- values ---------------------------------------------------------------------- */

static void test_sums(void)
{
    agn_fn *sums = scan_of(add, 1, 1, false), *back = scan_of(add, 1, -2, true);
    bool good = true, good_back = true;
    for (int64_t n = 0; n <= 40; n++) { /* whole numbers: exact in any order */
        agn_scope *s = agn_scope_open(NULL);
        agn_tensor *y = NULL, *z = NULL;
        int64_t shape[3] = {2, n, 3};
        const agn_tensor *x = ag_reshape(
            s, ag_arange(s, AGN_I64, 0, (double)(6 * n), 1), 3, shape);
        CHECK(agn_fn_call(&y, 1, sums, &x, 1));
        const agn_tensor *want = ag_cumsum(s, x, 1);
        bool same_y = false, same_z = false;
        const agn_tensor *e = ag_all(s, ag_eq(s, y, want), NULL, 0, false);
        CHECK(agn_to_host(&same_y, e, sizeof same_y));
        CHECK(agn_fn_call(&z, 1, back, &x, 1));
        const agn_tensor *from_end = ag_flip(
            s, ag_cumsum(s, ag_flip(s, x, (int32_t[]){1}, 1), 1), (int32_t[]){1}, 1);
        e = ag_all(s, ag_eq(s, z, from_end), NULL, 0, false);
        CHECK(agn_to_host(&same_z, e, sizeof same_z));
        good &= same_y && agn_ndim(y) == 3 && agn_shape(y)[1] == n;
        good_back &= same_z && agn_shape(z)[1] == n;
        agn_release(y);
        agn_release(z);
        CHECK(agn_scope_close(s));
    }
    ok(good, "sums of 0 to 40 elements along a middle axis");
    ok(good_back, "and from the last element");
    agn_fn_release(sums);
    agn_fn_release(back);
}

/* matrices do not commute: the order of arguments shows */
static void test_order(void)
{
    for (int reverse = 0; reverse < 2; reverse++) {
        agn_fn *f = scan_of(matrices, 1, 0, reverse);
        agn_scope *s = agn_scope_open(NULL);
        agn_tensor *y = NULL;
        enum { N = 11 };
        const agn_tensor *x = ag_sin(
            s,
            ag_reshape(s, ag_arange(s, AGN_F64, 0, 4 * N, 1), 3, (int64_t[]){N, 2, 2}));
        CHECK(agn_fn_call(&y, 1, f, &x, 1));
        const agn_tensor *sofar = NULL;
        double worst = 0;
        for (int i = 0; i < N; i++) {
            int at = reverse ? N - 1 - i : i;
            const agn_tensor *one = ag_index_axis(s, x, 0, at);
            sofar = sofar ? ag_matmul(s, sofar, one) : one;
            double d = distance(ag_index_axis(s, y, 0, at), sofar);
            worst = d > worst ? d : worst;
        }
        ok(worst < 1e-14, "products of matrices%s: %.1e",
           reverse ? " from the last" : "", worst);
        agn_release(y);
        CHECK(agn_scope_close(s));
        agn_fn_release(f);
    }
}

/* ---- modes ----------------------------------------------------------------------- */

typedef struct task {
    agn_fn *scan; /* NULL: one after the other */
    agn_body *f;
    int n, length;
    bool reverse;
} task;

/* elements made of x, scanned, weighted and summed */
static agn_status weighted(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    const task *t = user;
    const agn_tensor *e[2], *y[2] = {NULL, NULL}, *row[2][64],
                            *sum = ag_mul_c(s, in[0], 0.5);
    for (int k = 0; k < t->n; k++)
        e[k] = ag_sin(
            s, ag_add(s, ag_mul(s, ag_arange(s, AGN_F64, 1, t->length + 1, 1), in[0]),
                      ag_lit(s, k + 0.25)));
    if (t->scan) {
        agn_fn_apply(s, y, agn_fn_n_out(t->scan), t->scan, e, agn_fn_n_in(t->scan));
    } else {
        for (int i = 0; i < t->length; i++) {
            int at = t->reverse ? t->length - 1 - i : i,
                last = t->reverse ? at + 1 : at - 1;
            const agn_tensor *ab[4], *c[2] = {NULL, NULL};
            for (int k = 0; k < t->n; k++) {
                ab[t->n + k] = ag_index_axis(s, e[k], 0, at);
                ab[k] = i ? row[k][last] : NULL;
            }
            if (i)
                t->f(NULL, s, ab, c);
            for (int k = 0; k < t->n; k++)
                row[k][at] = i ? c[k] : ab[t->n + k];
        }
        for (int k = 0; k < t->n && t->length; k++)
            y[k] = ag_stack(s, row[k], t->length, 0);
    }
    for (int k = 0; k < t->n && t->length; k++)
        sum = ag_add(
            s, sum,
            ag_sum_all(s, ag_mul(s, y[k], ag_arange(s, AGN_F64, 1, t->length + 1, 1))));
    out[0] = sum;
    return AGN_OK;
}

static void test_modes(void)
{
    static const struct {
        agn_body *f;
        int n;
        const char *name;
    } kind[] = {
        {add, 1, "sums"}, {multiply, 1, "products"}, {affine, 2, "affine maps"}};
    static const int lengths[] = {0, 1, 2, 3, 6, 13};
    agn_tensor *x = num(0.6);
    for (size_t k = 0; k < 3; k++)
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
            char name[48];
            task fast = {NULL, kind[k].f, kind[k].n, lengths[l], l % 2}, slow = fast;
            agn_fn *f = NULL, *g = NULL;
            fast.scan = scan_of(kind[k].f, kind[k].n, 0, fast.reverse);
            CHECK(agn_fn_new(&f, weighted, &fast, NULL, 1, 1));
            CHECK(agn_fn_new(&g, weighted, &slow, NULL, 1, 1));
            snprintf(name, sizeof name, "%s of %d", kind[k].name, lengths[l]);
            same_in_all_modes(f, g, (const agn_tensor *[]){x}, 1, 0, name);
            agn_fn_release(f);
            agn_fn_release(g);
            agn_fn_release(fast.scan);
        }
    agn_release(x);
}

/* how often the function is applied: a logarithm of the length */
static int applied;
static agn_status count_eval(void *u, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    (void)u;
    applied++;
    out[0] = ag_add(s, in[0], in[1]);
    return AGN_OK;
}
static agn_status first_one(void *u, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    (void)u, (void)s;
    out[0] = in[0];
    return AGN_OK;
}
static const agn_op_def counted = {.size = sizeof(agn_op_def),
                                   .name = "test_counted_add",
                                   .doc = "a sum that counts",
                                   .n_in = 2,
                                   .n_out = 1,
                                   .eval = count_eval,
                                   .infer = first_one,
                                   .batch = count_eval};
static agn_status counted_add(void *u, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    agn_tensor *y = NULL;
    (void)u;
    agn_status st = agn_op_apply(&y, 1, "test_counted_add", in, 2, NULL, 0, NULL, 0);
    out[0] = agn_scope_adopt(s, st, &y);
    return st;
}
static void test_depth(void)
{
    CHECK(agn_op_register(&counted));
    agn_fn *f = scan_of(counted_add, 1, 0, false);
    agn_tensor *x = NULL, *y = NULL;
    CHECK(agn_full(&x, AGN_F64, 1, (int64_t[]){100000}, 1));
    CHECK(agn_fn_call(&y, 1, f, AGN_ARGS(x)));
    double last = 0;
    agn_tensor *end = NULL;
    CHECK(agn_index_axis(&end, y, 0, -1));
    CHECK(agn_item_f64(&last, end));
    ok(applied <= 2 * 17 && last == 100000, "100000 elements take %d rounds", applied);
    agn_fn_release(f);
    agn_release(x);
    agn_release(y);
    agn_release(end);
}

/* ---- errors ---------------------------------------------------------------------- */

static agn_status as_f32(void *u, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    (void)u;
    out[0] = ag_cast(s, in[0], AGN_F32);
    return AGN_OK;
}
static agn_status summed_up(void *u, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    (void)u;
    out[0] = ag_sum_all(s, in[0]);
    return AGN_OK;
}
static agn_status reads(void *u, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    double v;
    (void)u;
    out[0] = in[0];
    return agn_scope_fail(s, agn_item_f64(&v, in[0]));
}

static void fails(agn_body *body, int n, int32_t axis, const agn_tensor *const *in,
                  agn_status want, const char *word, const char *what)
{
    agn_fn *f = scan_of(body, n, axis, false);
    agn_tensor *y[2] = {NULL, NULL};
    agn_status st = agn_fn_call(y, agn_fn_n_out(f), f, in, agn_fn_n_in(f));
    ok(st == want && !y[0] && strstr(agn_error_message(), word), "%s: %s", what,
       agn_error_message());
    agn_fn_release(f);
}

static void test_errors(void)
{
    agn_fn *f = NULL, *none = NULL;
    agn_tensor *m = NULL, *one = NULL, *v = vec(3, (double[]){1, 2, 3}),
               *w = vec(2, (double[]){1, 2});
    CHECK(agn_full(&m, AGN_F64, 2, (int64_t[]){3, 2}, 1));
    CHECK(agn_full(&one, AGN_F64, 1, (int64_t[]){1}, 1));
    CHECK(agn_fn_new(&f, add, NULL, NULL, 3, 1));
    ok(agn_fn_associative_scan(NULL, f, 0, false) == AGN_ENULL, "out is NULL");
    ok(agn_fn_associative_scan(&none, NULL, 0, false) == AGN_ENULL, "f is NULL");
    ok(agn_fn_associative_scan(&none, f, 0, false) == AGN_EARG && !none,
       "three arguments, one result");
    fails(add, 1, 1, (const agn_tensor *[]){v}, AGN_EINDEX, "axis 1", "no such axis");
    fails(affine, 2, 0, (const agn_tensor *[]){v, w}, AGN_ESHAPE, "[2]",
          "other lengths");
    fails(summed_up, 1, 0, (const agn_tensor *[]){m}, AGN_ESHAPE, "[2]",
          "another shape");
    fails(as_f32, 1, 0, (const agn_tensor *[]){v}, AGN_EDTYPE, "f32", "another dtype");
    fails(reads, 1, 0, (const agn_tensor *[]){one}, AGN_ESYMBOLIC, "item_f64",
          "a function that reads a value");
    agn_fn_release(f);
    agn_tensor *ts[] = {m, one, v, w};
    for (int i = 0; i < 4; i++)
        agn_release(ts[i]);
}

int main(void)
{
    test_sums();
    test_order();
    test_modes();
    test_depth();
    test_errors();
    int64_t blocks = 0;
    agn_memory_live(NULL, &blocks, NULL);
    ok(blocks <= 8, "all is released: %lld blocks are alive", (long long)blocks);
    return done();
}
