/* tests/t-open.c - compiled functions with sizes left open: the body runs for the first sizes alone,
   and results are those of a plan for each size. */
#include "tests/nets.h"

#include <pthread.h>

typedef const agn_tensor *T;
enum { MOST = 16 };
static int runs; /* of a body */

/* ---- functions of open sizes ------------------------------------------------------------------- */

static agn_status counted_net(void *user, agn_scope *s, const T *in, T *out)
{
    runs++;
    return net_loss(user, s, in, out);
}

static T rows(agn_scope *s, T x, int64_t from, int64_t to)
{
    return ag_slice(s, x, 1, &from, &to, (int64_t[]){1});
}
static T column(agn_scope *s, T x, int64_t j)
{
    return ag_slice(s, x, 2, (int64_t[]){0, j}, (int64_t[]){agn_shape(x)[0], j + 1},
                    (int64_t[]){1, 1});
}

/* n and m, and what programs make of them: 1 / (n m), n - 1, 1 / (n - 1), n + m, n m, n n */
static agn_status sizes(void *user, agn_scope *s, const T *in, T *out)
{
    T x = in[0], y = in[1];
    int64_t n = agn_shape(x)[0], m = agn_shape(y)[0];
    (void)user;
    runs++;
    T table = ag_mul(s, x, ag_transpose(s, column(s, y, 0))); /* [n, m] */
    T flat = ag_reshape(s, ag_sin(s, table), 1, (int64_t[]){n * m});
    T steps = ag_sub(s, rows(s, x, 1, n), rows(s, x, 0, n - 1));
    T pairs = ag_square(s, ag_sub(s, x, ag_transpose(s, x))); /* [n, n] */
    out[0] = ag_mean_all(s, flat);
    out[1] = ag_var(s, x, NULL, 0, 1, false);
    out[2] = ag_concat(s, (T[]){ag_square(s, x), ag_cos(s, column(s, y, 1))}, 2, 0);
    out[3] = ag_sum(s, ag_exp(s, steps), (int32_t[]){0}, 1, false);
    out[4] = ag_reshape(s, pairs, 1, (int64_t[]){n * n});
    out[5] = ag_mul(s, x, ag_full(s, agn_dtype_of(x), 2, (int64_t[]){n, 1}, 1.0 / (double)(n + m)));
    return agn_scope_status(s);
}

static agn_status decay(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    out[0] = ag_sub(s, in[0], ag_mul(s, ag_mul_c(s, in[0], 0.1), ag_tanh(s, in[0])));
    out[1] = ag_add(s, in[1], ag_mean_all(s, in[0]));
    return agn_scope_status(s);
}
static agn_status half(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    out[0] = ag_mul_c(s, ag_sin(s, in[0]), 0.5);
    return agn_scope_status(s);
}
static agn_status third(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    out[0] = ag_mul_c(s, ag_cos(s, in[0]), 1.0 / 3);
    return agn_scope_status(s);
}

static agn_fn *scan, *cond, *again;

/* a loop over [n, 2], a branch and a checkpoint of it */
static agn_status nested(void *user, agn_scope *s, const T *in, T *out)
{
    T r[2], y, z;
    (void)user;
    runs++;
    agn_fn_apply(s, r, 2, scan, AGN_ARGS(in[0], in[1]));
    if (!agn_scope_status(s))
        agn_fn_apply(s, &y, 1, cond, AGN_ARGS(ag_gt(s, r[1], ag_mul_c(s, r[1], 2)), r[0]));
    if (!agn_scope_status(s))
        agn_fn_apply(s, &z, 1, again, &y, 1);
    if (!agn_scope_status(s))
        out[0] = ag_add(s, ag_sum_all(s, ag_mul(s, z, r[0])), ag_square(s, r[1]));
    return agn_scope_status(s);
}

static agn_status odd(void *user, agn_scope *s, const T *in, T *out)
{
    int64_t n = agn_shape(in[0])[0];
    (void)user;
    out[0] = rows(s, in[0], 0, n / 2);
    return agn_scope_status(s);
}
static agn_status roots_of_size(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    out[0] = ag_mul_c(s, in[0], sqrt((double)agn_shape(in[0])[0]));
    return agn_scope_status(s);
}
static agn_status counts(void *user, agn_scope *s, const T *in, T *out)
{
    agn_tensor *x = NULL;
    (void)user;
    agn_status st = agn_arange(&x, AGN_F64, 0, (double)agn_shape(in[0])[0], 1);
    T places = agn_scope_adopt(s, st, &x);
    out[0] = agn_scope_status(s) ? NULL : ag_mul(s, in[0], ag_reshape(s, places, 2, (int64_t[]){-1, 1}));
    return agn_scope_status(s);
}
static agn_status grid(void *user, agn_scope *s, const T *in, T *out)
{
    agn_tensor *x = NULL;
    (void)user;
    agn_status st = agn_linspace(&x, AGN_F64, 0, 1, agn_shape(in[0])[0]);
    T places = agn_scope_adopt(s, st, &x);
    out[0] = agn_scope_status(s) ? NULL : ag_mul(s, in[0], ag_reshape(s, places, 2, (int64_t[]){-1, 1}));
    return agn_scope_status(s);
}
static agn_status decides(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    out[0] = agn_shape(in[0])[0] % 4 == 1 ? ag_sin(s, in[0]) : ag_square(s, ag_cos(s, in[0]));
    return agn_scope_status(s);
}

/* ---- comparing with plans of one size ------------------------------------------------------------ */

static agn_fn *function(agn_body *body, int n_in, int n_out)
{
    agn_fn *f = NULL;
    must(agn_fn_new(&f, body, NULL, NULL, n_in, n_out));
    return f;
}

static agn_fn *compiled(const agn_fn *f, const char *const *open)
{
    agn_fn *c = NULL;
    agn_compile_options o = {.size = sizeof o, .open = open};
    must(agn_fn_compile(&c, f, &o));
    return c;
}

/* the worst difference, in units of eps of the largest element; -1: another shape or dtype */
static double apart(const agn_tensor *a, const agn_tensor *b, double eps)
{
    double worst = 0, most = 0;
    if (agn_ndim(a) != agn_ndim(b) || agn_dtype_of(a) != agn_dtype_of(b) ||
        agn_numel(a) != agn_numel(b))
        return -1;
    for (int d = 0; d < agn_ndim(a); d++)
        if (agn_shape(a)[d] != agn_shape(b)[d])
            return -1;
    for (int64_t i = 0; i < agn_numel(a); i++) {
        double x = agn_dtype_of(a) == AGN_F64 ? ((const double *)agn_data(a))[i]
                                              : (double)((const float *)agn_data(a))[i],
               y = agn_dtype_of(a) == AGN_F64 ? ((const double *)agn_data(b))[i]
                                              : (double)((const float *)agn_data(b))[i];
        most = fmax(most, fabs(y));
        if (!(x == y || (isnan(x) && isnan(y))))
            worst = fmax(worst, isfinite(x - y) ? fabs(x - y) : (double)INFINITY);
    }
    return worst == 0 ? 0 : worst / (eps * most);
}

static void compare(const char *what, const agn_fn *open, const agn_fn *one, const T *in, int n_out,
                    int dtype)
{
    agn_tensor *a[MOST] = {NULL}, *b[MOST] = {NULL};
    double worst = 0;
    must(agn_fn_call(b, agn_fn_n_out(one), one, in, agn_fn_n_in(one)));
    agn_status st = agn_fn_call(a, agn_fn_n_out(open), open, in, agn_fn_n_in(open));
    for (int i = 0; !st && i < n_out; i++) {
        double d = apart(a[i], b[i], dtype == AGN_F64 ? 0x1p-52 : 0x1p-23);
        worst = d < 0 ? (double)INFINITY : fmax(worst, d);
    }
    ok(!st && worst <= 4, "%s%s, %lld: %g eps", what, dtype == AGN_F64 ? "" : ", f32",
       (long long)agn_shape(in[0])[0], worst);
    if (st)
        diag("%s", agn_error_message());
    for (int i = 0; i < n_out; i++) {
        agn_release(a[i]);
        agn_release(b[i]);
    }
}

/* ---- one size ---------------------------------------------------------------------------------- */

static const char *const net_open[NET_ARGS] = {"n, 3"};

static void networks(int dtype)
{
    static const int32_t argnums[] = {1, 2, 3, 4};
    static const int64_t n[] = {100, 2, 3, 7, 8, 9, 61, 64, 1000, 12345, 1, 0, 5};
    agn_fn *f = function(counted_net, NET_ARGS, 1), *g = NULL;
    must(agn_fn_value_and_grad(&g, f, argnums, 4));
    agn_fn *open = compiled(g, net_open), *one = compiled(g, NULL);
    agn_tensor *in[NET_ARGS], *out[NET_OUT];
    for (int k = 0; k < COUNT(n); k++) {
        net_arguments(in, n[k], dtype);
        compare("a network and its gradient", open, one, (const T *)in, NET_OUT, dtype);
        net_drop(in, NET_ARGS);
    }
    runs = 0;
    for (int64_t k = 20; k < 60; k++) {
        net_arguments(in, k, dtype);
        must(agn_fn_call(out, NET_OUT, open, (const T *)in, agn_fn_n_in(open)));
        net_drop(out, NET_OUT);
        net_drop(in, NET_ARGS);
    }
    is_int(runs, 0, "40 further sizes: the body does not run again");
    net_arguments(in, 1000, dtype);
    agn_release(in[2]);
    in[2] = random_of(dtype, 2, (int64_t[]){1, NET_WIDE}, -1, 1);
    compare("another shape of what is given", open, one, (const T *)in, NET_OUT, dtype);
    ok(runs > 0, "for that the body runs");
    net_drop(in, NET_ARGS);
    agn_fn_release(f);
    agn_fn_release(g);
    agn_fn_release(open);
    agn_fn_release(one);
}

static agn_status wave(void *user, agn_scope *s, const T *in, T *out)
{
    T h = ag_tanh(s, ag_add(s, ag_matmul(s, in[0], in[1]), in[2]));
    (void)user;
    runs++;
    out[0] = ag_add(s, ag_matmul(s, h, in[3]), in[4]);
    return agn_scope_status(s);
}
static agn_fn *slopes;
static agn_status residual(void *user, agn_scope *s, const T *in, T *out)
{
    T d[4]; /* the value first */
    (void)user;
    if (agn_fn_apply(s, d, 4, slopes, in, agn_fn_n_in(slopes)))
        return agn_scope_status(s);
    T r = ag_sub(s, ag_add(s, d[1], ag_mul(s, d[0], d[2])), ag_mul_c(s, d[3], 0.1));
    out[0] = ag_mean_all(s, ag_square(s, r));
    return agn_scope_status(s);
}

/* u_t + u u_x - u_xxz / 10 at open points: the directions of the derivatives have lanes of them */
static void equations(int dtype)
{
    static const int32_t argnums[] = {1, 2, 3, 4};
    static const int64_t n[] = {1000, 2, 61, 257, 5000, 10};
    agn_fn *u = function(wave, NET_ARGS, 1), *f = function(residual, NET_ARGS, 1), *g = NULL;
    must(agn_fn_partials(&slopes, u, 0, (int32_t[]){0, 1, 0, 1, 0, 0, 2, 0, 1}, 3, 3));
    must(agn_fn_value_and_grad(&g, f, argnums, 4));
    agn_fn *open = compiled(g, net_open), *one = compiled(g, NULL);
    agn_tensor *in[NET_ARGS];
    for (int k = 0; k < COUNT(n); k++) {
        net_arguments(in, n[k], dtype);
        compare("an equation of third order and its gradient", open, one, (const T *)in, NET_OUT,
                dtype);
        net_drop(in, NET_ARGS);
    }
    agn_fn *all[] = {u, f, g, slopes, open, one};
    for (int i = 0; i < COUNT(all); i++)
        agn_fn_release(all[i]);
}

/* ---- several sizes ------------------------------------------------------------------------------- */

static void two_sizes(int dtype)
{
    static const int64_t n[][2] = {{10, 10}, {2, 3}, {61, 61}, {200, 7}, {5, 300}, {2, 2}, {79, 97}};
    agn_fn *f = function(sizes, 2, 6), *jvp = NULL;
    must(agn_fn_jvp(&jvp, f));
    agn_fn *open = compiled(f, (const char *const[]){"n, 1", " m ,_"}), *one = compiled(f, NULL);
    agn_fn *open_jvp = compiled(jvp, (const char *const[]){"n,1", "m,2", "n,1", "m,2"}),
           *one_jvp = compiled(jvp, NULL);
    runs = 0;
    for (int k = 0; k < COUNT(n); k++) {
        agn_tensor *in[4];
        for (int i = 0; i < 4; i++)
            in[i] = random_of(dtype, 2, (int64_t[]){n[k][i % 2], 1 + i % 2}, -1, 1);
        compare("two sizes", open, one, (const T *)in, 6, dtype);
        compare("two sizes, a tangent", open_jvp, one_jvp, (const T *)in, 12, dtype);
        net_drop(in, 4);
    }
    is_int(runs, 2 * 6 + 2 * COUNT(n), "six runs of the body for all of them");
    agn_fn_release(f);
    agn_fn_release(jvp);
    agn_fn_release(open);
    agn_fn_release(one);
    agn_fn_release(open_jvp);
    agn_fn_release(one_jvp);
}

/* constants that count: numbers of rows, and of lanes where each takes one element */
static agn_status picks(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    out[0] = ag_gather(s, in[0], in[1], 0);
    return agn_scope_status(s);
}
static void ramps(void)
{
    static const int64_t n[] = {100, 2, 1000, 61, 7};
    agn_fn *f = function(counts, 1, 1), *pick = function(picks, 2, 1), *lanes = NULL;
    must(agn_fn_vmap(&lanes, pick, NULL, 0, NULL, 0));
    agn_fn *open = compiled(f, (const char *const[]){"n, 1"}), *one = compiled(f, NULL);
    agn_fn *open_lanes = compiled(lanes, (const char *const[]){"n, 5", "n"}),
           *one_lanes = compiled(lanes, NULL);
    for (int k = 0; k < COUNT(n); k++) {
        agn_tensor *in[2] = {random_of(AGN_F64, 2, (int64_t[]){n[k], 1}, -1, 1), NULL};
        compare("rows times their numbers", open, one, (const T *)in, 1, AGN_F64);
        agn_release(in[0]);
        in[0] = random_of(AGN_F64, 2, (int64_t[]){n[k], 5}, -1, 1);
        in[1] = random_of(AGN_I64, 1, &n[k], 0, 4);
        compare("an element of each lane", open_lanes, one_lanes, (const T *)in, 1, AGN_F64);
        net_drop(in, 2);
    }
    agn_fn *all[] = {f, pick, lanes, open, one, open_lanes, one_lanes};
    for (int i = 0; i < COUNT(all); i++)
        agn_fn_release(all[i]);
}

/* products with one matrix, times numbers of which each depends on the size as it may; sums of them before
   the product would be times a quotient that does not */
static agn_status weighed(void *user, agn_scope *s, const T *in, T *out)
{
    double n = (double)agn_shape(in[0])[0];
    (void)user;
    T a = ag_matmul(s, in[0], in[1]), b = ag_matmul(s, ag_sin(s, in[0]), in[1]);
    T y = ag_add(s, ag_mul_c(s, a, 1 / n), ag_mul_c(s, b, 1 / (n - 1)));
    out[0] = ag_sum_all(s, ag_square(s, y));
    return agn_scope_status(s);
}
static void sums_of_products(void)
{
    static const int64_t n[] = {100, 2, 61, 7};
    agn_fn *f = function(weighed, 2, 1), *g = NULL;
    must(agn_fn_value_and_grad(&g, f, (int32_t[]){0, 1}, 2));
    agn_fn *open = compiled(g, (const char *const[]){"n, 3", "_, _"}), *one = compiled(g, NULL);
    agn_tensor *in[2] = {NULL, random_of(AGN_F64, 2, (int64_t[]){3, 3}, -1, 1)};
    for (int k = 0; k < COUNT(n); k++) {
        in[0] = random_of(AGN_F64, 2, (int64_t[]){n[k], 3}, -1, 1);
        compare("sums of products, times numbers", open, one, (const T *)in, 3, AGN_F64);
        agn_release(in[0]);
    }
    agn_release(in[1]);
    agn_fn *all[] = {f, g, open, one};
    for (int i = 0; i < COUNT(all); i++)
        agn_fn_release(all[i]);
}

/* ---- programs within programs --------------------------------------------------------------------- */

static void within(void)
{
    agn_fn *step = function(decay, 2, 2), *a = function(half, 1, 1), *b = function(third, 1, 1);
    agn_fn *f = function(nested, 2, 1), *g = NULL;
    must(agn_fn_scan(&scan, step, 2, 0, 5, false));
    must(agn_fn_cond(&cond, a, b));
    must(agn_fn_checkpoint(&again, a));
    must(agn_fn_value_and_grad(&g, f, (int32_t[]){0}, 1));
    agn_fn *open = compiled(g, (const char *const[]){"n, 2", ""}), *one = compiled(g, NULL);
    static const int64_t n[] = {100, 2, 17, 400, 3};
    agn_tensor *in[2] = {NULL, random_of(AGN_F64, 0, NULL, -1, 1)};
    for (int k = 0; k < COUNT(n); k++) {
        in[0] = random_of(AGN_F64, 2, (int64_t[]){n[k], 2}, -1, 1);
        runs = k ? 0 : runs;
        compare("a loop, a branch, a checkpoint and their reverse", open, one, (const T *)in, 2, AGN_F64);
        agn_release(in[0]);
        if (k)
            is_int(runs, 1, "the body runs for the plan of one size alone");
    }
    agn_release(in[1]);
    agn_fn *all[] = {step, a, b, f, g, scan, cond, again, open, one};
    for (int i = 0; i < COUNT(all); i++)
        agn_fn_release(all[i]);
}

/* ---- refusals ---------------------------------------------------------------------------------------- */

static void malformed(void)
{
    static const char *const text[] = {
        "n,",
        ",n",
        "n n",
        "n, ?",
        "n;2",
        "2n",
        "-1",
        "1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7",
        "99999999999999999999",
        "a234567890123456789012345678901234567890",
        "a,b,c,d,e"};
    agn_fn *f = function(half, 1, 1), *c = f;
    for (int i = 0; i < COUNT(text); i++) {
        agn_compile_options o = {.size = sizeof o, .open = &text[i]};
        agn_status st = agn_fn_compile(&c, f, &o);
        const char *said = strchr(agn_error_message(), '"');
        ok(st == AGN_EARG && c == f && said && !strncmp(said + 1, text[i], strlen(text[i]) < 60 ? strlen(text[i]) : 60),
           "no open shape: \"%s\"", text[i]);
    }
    static const char *const none[] = {"_, 2"};
    agn_compile_options o = {.size = sizeof o, .open = none};
    is_int(agn_fn_compile(&c, f, &o), AGN_EARG, "open shapes without a name");
    ok(c == f && strstr(agn_error_message(), "has a name"), "say so: %s",
       agn_error_message());
    agn_fn_release(f);
}

static agn_status call_one(const agn_fn *f, int ndim, const int64_t *shape)
{
    agn_tensor *x = random_of(AGN_F64, ndim, shape, -1, 1), *y = untouched;
    agn_status st = agn_fn_call(&y, 1, f, AGN_ARGS(x));
    if (!st)
        agn_release(y);
    else if (y != untouched)
        st = AGN_OK; /* is reported */
    agn_release(x);
    return st;
}

static void shapes(void)
{
    agn_fn *f = function(half, 1, 1), *two = function(sizes, 2, 6);
    agn_fn *c = compiled(f, (const char *const[]){"n, 2"}),
           *d = compiled(two, (const char *const[]){"n, 1", "n, 2"});
    is_int(call_one(c, 1, (int64_t[]){5}), AGN_ESHAPE, "another rank");
    ok(strstr(agn_error_message(), "[5]") && strstr(agn_error_message(), "\"n, 2\""),
       "names both: %s", agn_error_message());
    is_int(call_one(c, 2, (int64_t[]){5, 3}), AGN_ESHAPE, "another extent");
    is_int(call_one(c, 2, (int64_t[]){5, 2}), AGN_OK, "as it says");
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){5, 1}, -1, 1),
               *y = random_of(AGN_F64, 2, (int64_t[]){6, 2}, -1, 1), *out[6];
    is_int(agn_fn_call(out, 6, d, AGN_ARGS(x, y)), AGN_ESHAPE, "one name with two sizes");
    ok(strstr(agn_error_message(), "n is 5 in argument 0 and 6 in argument 1"), "names both: %s",
       agn_error_message());
    agn_release(x);
    agn_release(y);
    agn_fn_release(f);
    agn_fn_release(two);
    agn_fn_release(c);
    agn_fn_release(d);
}

static agn_status minus(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    out[0] = ag_sub(s, in[0], in[1]);
    return agn_scope_status(s);
}
static agn_status second(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user, (void)s;
    out[0] = in[1];
    return AGN_OK;
}
static agn_fn *root;
static agn_status implicit(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    return agn_fn_apply(s, out, agn_fn_n_out(root), root, AGN_ARGS(in[0], in[0]));
}

static void forms(void)
{
    static const struct {
        agn_body *body;
        const char *what, *says;
    } row[] = {
        {odd, "half of a size", "slice"},
        {roots_of_size, "the root of a size", "number"},
        {grid, "points of a grid of the size", "pass it as an argument"},
        {decides, "a body that decides by a size", "another"},
        {implicit, "an implicit function", "root"},
    };
    agn_fn *f = function(minus, 2, 1), *solver = function(second, 2, 1);
    must(agn_fn_root(&root, f, 1, solver, NULL, NULL));
    for (int i = 0; i < COUNT(row); i++) {
        agn_fn *g = function(row[i].body, 1, 1), *c = compiled(g, (const char *const[]){"n, 1"});
        is_int(call_one(c, 2, (int64_t[]){6, 1}), AGN_EUNSUPPORTED, "%s is refused", row[i].what);
        ok(strstr(agn_error_message(), row[i].says) && strstr(agn_error_message(), "size n"),
           "it says why: %s", agn_error_message());
        is_int(call_one(c, 2, (int64_t[]){1, 1}), AGN_OK, "size 1 is traced by itself");
        agn_fn_release(g);
        agn_fn_release(c);
    }
    agn_fn_release(f);
    agn_fn_release(solver);
    agn_fn_release(root);
}

/* ---- memory, threads, captured tensors ------------------------------------------------------------------ */

static void allocations(void)
{
    agn_fn *g = net_steps();
    agn_tensor *in[NET_ARGS], *more[NET_ARGS], *out[NET_OUT];
    net_arguments(in, 30, AGN_F64);
    net_arguments(more, 40, AGN_F64);
    int64_t n, bytes, blocks, after, most;
    bool good = true;
    agn_memory_live(&bytes, &blocks, &most);
    for (n = 0; good; n++) {
        agn_fn *c = NULL;
        agn_compile_options o = {.size = sizeof o, .open = net_open};
        agn_memory_fail_after(n);
        agn_status st = agn_fn_compile(&c, g, &o);
        if (!st && !(st = agn_fn_call(out, NET_OUT, c, (const T *)in, agn_fn_n_in(c)))) {
            net_drop(out, NET_OUT);
            if (!(st = agn_fn_call(out, NET_OUT, c, (const T *)more, agn_fn_n_in(c))))
                net_drop(out, NET_OUT);
        }
        agn_memory_fail_after(-1);
        agn_fn_release(c);
        agn_memory_live(&bytes, &after, &most);
        good = (!st || st == AGN_ENOMEM) && after == blocks;
        if (!st)
            break;
    }
    ok(good && n > 500, "each of %" PRId64 " allocations failed in turn, nothing is left", n);
    net_drop(in, NET_ARGS);
    net_drop(more, NET_ARGS);
    agn_fn_release(g);
}

typedef struct shared {
    const agn_fn *open, *one;
    int seed;
    bool good;
} shared;
static void *many_sizes(void *user)
{
    shared *q = user;
    agn_tensor *x, *a, *b;
    q->good = true;
    for (int64_t k = 0; k < 40; k++) {
        int64_t n[2] = {2 + (7 * k + q->seed) % 97, 2};
        must(agn_full(&x, AGN_F64, 2, n, 0.1 * (double)k));
        must(agn_fn_call(&a, 1, q->open, AGN_ARGS(x)));
        must(agn_fn_call(&b, 1, q->one, AGN_ARGS(x)));
        q->good = q->good && apart(a, b, 0x1p-52) == 0;
        agn_release(x);
        agn_release(a);
        agn_release(b);
    }
    return NULL;
}
static void threads(void)
{
    agn_fn *f = function(half, 1, 1), *open = compiled(f, (const char *const[]){"n, _"}),
           *one = compiled(f, NULL);
    shared q[4];
    pthread_t t[4];
    bool good = true;
    for (int i = 0; i < 4; i++) {
        q[i] = (shared){open, one, i, false};
        if (pthread_create(&t[i], NULL, many_sizes, &q[i]))
            bail_out("no thread");
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(t[i], NULL);
        good = good && q[i].good;
    }
    ok(good, "four threads with 160 sizes");
    agn_fn_release(f);
    agn_fn_release(open);
    agn_fn_release(one);
}

static agn_status captures(void *user, agn_scope *s, const T *in, T *out)
{
    out[0] = ag_mul(s, in[0], *(agn_tensor **)user);
    return agn_scope_status(s);
}
static void captured(void)
{
    agn_tensor *w = random_of(AGN_F64, 1, (int64_t[]){2}, -1, 1);
    agn_fn *f = NULL;
    must(agn_fn_new(&f, captures, &w, NULL, 1, 1));
    agn_fn *c = compiled(f, (const char *const[]){"n, 2"});
    is_int(call_one(c, 2, (int64_t[]){5, 2}), AGN_OK, "with a captured tensor");
    is_int(call_one(c, 2, (int64_t[]){6, 2}), AGN_OK, "with a captured tensor, another size");
    must(agn_add_into(w, w, w));
    is_int(call_one(c, 2, (int64_t[]){6, 2}), AGN_ESTALE, "which was written");
    is_int(call_one(c, 2, (int64_t[]){7, 2}), AGN_ESTALE, "which was written, a new size");
    agn_fn_release(f);
    agn_fn_release(c);
    agn_release(w);
}

int main(void)
{
    networks(AGN_F64);
    networks(AGN_F32);
    equations(AGN_F64);
    equations(AGN_F32);
    two_sizes(AGN_F64);
    two_sizes(AGN_F32);
    ramps();
    sums_of_products();
    within();
    malformed();
    shapes();
    forms();
    allocations();
    threads();
    captured();
    return done();
}
