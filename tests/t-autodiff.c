/* tests/t-autodiff.c - the known traps of automatic differentiation. */
#include "deriv.h"
#include <pthread.h>

#define I64(...) ((const int64_t[]){__VA_ARGS__})

static agn_fn *fn(agn_body *body, void *user, int n_in, int n_out)
{
    agn_fn *f = NULL;
    if (agn_fn_new(&f, body, user, NULL, n_in, n_out))
        bail_out("fn_new: %s", agn_error_message());
    return f;
}
/* derivative of a scalar function of one scalar, by one mode */
static double slope(char mode, const agn_fn *f, double at)
{
    agn_tensor *x = scalar(at), *v = scalar(1);
    agn_fn *d = derivative(mode, f, 1, (const T[]){v});
    double y = value_of(d, (const T[]){x});
    if (isnan(y))
        diag("%c: %s", mode, agn_error_message());
    agn_fn_release(d);
    agn_release(x);
    agn_release(v);
    return y;
}
static const char modes[] = "FRJV";

/* every mode gives want */
static bool all_modes(const agn_fn *f, double at, double want)
{
    bool good = true;
    for (const char *m = modes; *m; m++) {
        double have = slope(*m, f, at);
        if (!(fabs(have - want) <= 1e-13 * fmax(1, fabs(want)))) {
            diag("%c: %.17g, not %.17g", *m, have, want);
            good = false;
        }
    }
    return good;
}
#define BODY(name) static agn_status name(void *user, agn_scope *s, const T *in, T *out)
#define FORMULA(name, expression) \
    BODY(name) \
    { \
        (void)user; \
        out[0] = expression; \
        return agn_scope_status(s); \
    }

/* ---- perturbation confusion (Siskind & Pearlmutter 2005) --------------------------------- */

typedef struct inner {
    char mode;
    T x; /* what the inner function captures */
} inner;

/* y -> x + y, x captured from the outer function */
BODY(x_plus_y)
{
    const inner *q = user;
    out[0] = ag_add(s, q->x, in[0]);
    return agn_scope_status(s);
}
/* y -> x y^2 */
BODY(x_times_y2)
{
    const inner *q = user;
    out[0] = ag_mul(s, q->x, ag_square(s, in[0]));
    return agn_scope_status(s);
}
static T inner_slope(agn_scope *s, agn_body *body, inner *q, double at)
{
    agn_fn *f = fn(body, q, 1, 1);
    T one = ag_lit(s, 1), y = NULL, point = ag_full(s, AGN_F64, 0, NULL, at);
    agn_tensor *v = scalar(1);
    agn_fn *d = derivative(q->mode, f, 1, (const T[]){v});
    if (one)
        agn_fn_apply(s, &y, 1, d, &point, 1);
    agn_release(v);
    agn_fn_release(d);
    agn_fn_release(f);
    return y;
}
/* x * d/dy (x + y) at y = 1: x */
BODY(confusion)
{
    inner q = {*(const char *)user, in[0]};
    out[0] = ag_mul(s, in[0], inner_slope(s, x_plus_y, &q, 1));
    return agn_scope_status(s);
}
/* x * d/dy (x y^2) at y = 3: 6 x^2 */
BODY(confusion_product)
{
    inner q = {*(const char *)user, in[0]};
    out[0] = ag_mul(s, in[0], inner_slope(s, x_times_y2, &q, 3));
    return agn_scope_status(s);
}

/* D f = y -> d/du f(y + u) at u = 0, as a function of functions; applied twice it gives f''
   (Manzyuk et al. 2019, the "amazing bug") */
typedef struct shifted {
    const agn_fn *f;
    T y;
    char mode;
} shifted;
BODY(shift)
{
    const shifted *q = user;
    T z = ag_add(s, q->y, in[0]);
    if (z)
        agn_fn_apply(s, out, agn_fn_n_out(q->f), q->f, &z, 1);
    return agn_scope_status(s);
}
BODY(slope_by_shift)
{
    const shifted *q = user;
    shifted here = {q->f, in[0], q->mode};
    agn_fn *g = fn(shift, &here, 1, 1);
    agn_tensor *v = scalar(1), *zero = scalar(0);
    agn_fn *d = derivative(q->mode, g, 1, (const T[]){v});
    agn_fn_apply(s, out, agn_fn_n_out(d), d, AGN_ARGS(zero));
    agn_release(v);
    agn_release(zero);
    agn_fn_release(d);
    agn_fn_release(g);
    return agn_scope_status(s);
}
FORMULA(cube, ag_mul(s, in[0], ag_square(s, in[0])))
FORMULA(sine, ag_sin(s, in[0]))

static void perturbations(void)
{
    bool good = true, product = true, closure = true;
    for (const char *m = modes; *m; m++) {
        agn_fn *f = fn(confusion, (void *)(uintptr_t)m, 1, 1);
        good &= all_modes(f, 1, 1);
        agn_fn_release(f);
        f = fn(confusion_product, (void *)(uintptr_t)m, 1, 1);
        product &= all_modes(f, 2, 24);
        agn_fn_release(f);
        agn_fn *h = fn(cube, NULL, 1, 1);
        shifted first = {h, NULL, *m};
        agn_fn *g = fn(slope_by_shift, &first, 1, 1);
        for (const char *k = modes; *k; k++) {
            shifted second = {g, NULL, *k};
            agn_fn *e = fn(slope_by_shift, &second, 1, 1);
            agn_tensor *x = scalar(5);
            closure &= fabs(value_of(e, (const T[]){x}) - 30) < 1e-12; /* (x^3)'' */
            agn_release(x);
            agn_fn_release(e);
        }
        agn_fn_release(g);
        agn_fn_release(h);
    }
    ok(good, "d/dx x (d/dy (x + y)) is 1 in every pair of modes");
    ok(product, "d/dx x (d/dy x y^2 at 3) is 12 x in every pair of modes");
    ok(closure, "a derivative by shifting, of itself");
}

/* ---- odd functions -------------------------------------------------------------------- */

FORMULA(returns_input, in[0])
FORMULA(twice, ag_add(s, in[0], in[0]))
FORMULA(squared, ag_mul(s, in[0], in[0]))
FORMULA(ignores, ag_full(s, agn_dtype_of(in[0]), 0, NULL, 4))
BODY(gives_captured)
{
    (void)in;
    out[0] = user;
    return agn_scope_status(s);
}
FORMULA(first_of_two, ag_mul_c(s, in[0], 3))
BODY(same_twice)
{
    (void)user;
    out[0] = out[1] = ag_sin(s, in[0]);
    return agn_scope_status(s);
}
BODY(inputs_swapped)
{
    (void)user;
    out[0] = in[1];
    out[1] = in[0];
    return agn_scope_status(s);
}

static void odd_functions(void)
{
    agn_tensor *seven = scalar(7), *y[6] = {NULL}, *x = scalar(0.5), *v = scalar(2);
    agn_fn *f = fn(returns_input, NULL, 1, 1), *g = NULL;
    ok(all_modes(f, 3, 1), "a function that returns its input");
    agn_fn_release(f);
    f = fn(twice, NULL, 1, 1);
    ok(all_modes(f, 3, 2), "x + x");
    agn_fn_release(f);
    f = fn(squared, NULL, 1, 1);
    ok(all_modes(f, 3, 6), "x x");
    agn_fn_release(f);
    f = fn(ignores, NULL, 1, 1);
    ok(all_modes(f, 3, 0), "a function that ignores its input");
    agn_fn_release(f);
    f = fn(gives_captured, seven, 1, 1);
    ok(all_modes(f, 3, 0), "a function that returns what it captured");
    agn_fn_release(f);
    f = fn(first_of_two, NULL, 2, 1);
    agn_tensor *w = vector(2, (const double[]){1, 2});
    double zeros[4] = {1, 1};
    bool good = !agn_fn_grad(&g, f, (const int32_t[]){1, 0}, 2) &&
                !agn_fn_call(y, 2, g, AGN_ARGS(x, w)) && numbers(zeros, 4, y[0]) == 2 &&
                zeros[0] == 0 && zeros[1] == 0 && number(y[1]) == 3;
    ok(good, "the gradient of an unused argument is zeros of its shape");
    for (int i = 0; i < 2; i++)
        agn_release(y[i]);
    agn_release(w);
    agn_fn_release(g);
    agn_fn_release(f);
    /* one value as two results: both cotangents count */
    f = fn(same_twice, NULL, 1, 2);
    good = !agn_fn_vjp(&g, f) && !agn_fn_call(y, 3, g, AGN_ARGS(x, v, seven)) &&
           fabs(number(y[2]) - 9 * cos(0.5)) < 1e-15;
    ok(good, "one value as two results");
    for (int i = 0; i < 3; i++)
        agn_release(y[i]);
    agn_fn_release(g);
    agn_fn_release(f);
    f = fn(inputs_swapped, NULL, 2, 2);
    good = !agn_fn_vjp(&g, f) && !agn_fn_call(y, 4, g, AGN_ARGS(x, v, seven, v)) &&
           number(y[0]) == 2 && number(y[1]) == 0.5 && number(y[2]) == 2 && number(y[3]) == 7;
    ok(good, "inputs as results");
    for (int i = 0; i < 4; i++)
        agn_release(y[i]);
    agn_fn_release(g);
    agn_fn_release(f);
    agn_release(seven);
    agn_release(x);
    agn_release(v);
}

/* diamonds: n uses of a value that is used n times itself */
BODY(diamond)
{
    int n = *(const int *)user;
    T x = in[0];
    for (int level = 0; level < 3; level++) {
        T sum = x;
        for (int i = 1; i < n; i++)
            sum = ag_add(s, sum, x);
        x = ag_mul_c(s, sum, 1.0 / n);
        x = ag_sin(s, x);
    }
    out[0] = x;
    return agn_scope_status(s);
}
static void diamonds(void)
{
    bool good = true;
    double a = sin(0.7), b = sin(a), want = cos(0.7) * cos(a) * cos(b);
    for (int n = 1; n <= 10; n++) {
        agn_fn *f = fn(diamond, &n, 1, 1);
        good &= all_modes(f, 0.7, want);
        agn_fn_release(f);
    }
    ok(good, "H14: fan-out 1 to 10, three levels");
}

/* every subset of four arguments */
FORMULA(four, ag_mul(s, ag_mul(s, in[0], in[1]), ag_add(s, in[2], ag_mul(s, in[3], in[0]))))
static void subsets(void)
{
    const double x[4] = {2, 3, 5, 7}, want[4] = {3 * 5 + 2 * 3 * 7 * 2, 2 * (5 + 14), 6, 12};
    agn_fn *f = fn(four, NULL, 4, 1);
    agn_tensor *in[4];
    bool good = true;
    for (int i = 0; i < 4; i++)
        in[i] = scalar(x[i]);
    for (int mask = 1; mask < 16; mask++) {
        int32_t list[4];
        int n = 0;
        for (int i = 3; i >= 0; i--)
            if (mask >> i & 1)
                list[n++] = i;
        agn_fn *g = NULL;
        agn_tensor *y[5] = {NULL};
        good &= !agn_fn_value_and_grad(&g, f, list, n) && !agn_fn_call(y, agn_fn_n_out(g), g, (const T *)in, 4) &&
                number(y[0]) == 6 * 19;
        for (int i = 0; i < n; i++)
            good &= number(y[1 + i]) == want[list[i]];
        for (int i = 0; i <= n; i++)
            agn_release(y[i]);
        agn_fn_release(g);
    }
    ok(good, "H15: value and gradient for each subset of four arguments");
    for (int i = 0; i < 4; i++)
        agn_release(in[i]);
    agn_fn_release(f);
}

/* ---- C control flow --------------------------------------------------------------------- */

/* sqrt by Newton's method, as long as it takes */
BODY(newton_sqrt)
{
    (void)user;
    T x = in[0];
    double last = 0, now = 1;
    for (int i = 0; i < 100 && fabs(now - last) > 1e-15 * now; i++) {
        last = now;
        x = ag_mul_c(s, ag_add(s, x, ag_div(s, in[0], x)), 0.5);
        if (!x || agn_item_f64(&now, x))
            break;
    }
    out[0] = x;
    return agn_scope_status(s);
}
BODY(branch)
{
    (void)user;
    double v;
    agn_status st = agn_item_f64(&v, in[0]);
    if (st)
        return st;
    out[0] = v > 0 ? ag_square(s, in[0]) : ag_neg(s, in[0]);
    return agn_scope_status(s);
}
static void control_flow(void)
{
    agn_fn *f = fn(newton_sqrt, NULL, 1, 1), *g = NULL, *d = NULL;
    bool good = true;
    for (const char *m = modes; *m; m++)
        good &= fabs(slope(*m, f, 2) - 0.5 / sqrt(2)) < 1e-14;
    ok(good, "through a loop that ends when it has converged");
    agn_fn_release(f);
    f = fn(branch, NULL, 1, 1);
    ok(all_modes(f, 3, 6) && all_modes(f, -3, -1), "through a branch");
    /* without values a branch cannot be decided */
    agn_tensor *x = vector(2, (const double[]){1, -1}), *y = NULL;
    agn_status st = agn_fn_vmap(&g, f, NULL, 0, NULL, 0);
    if (!st)
        st = agn_fn_call(&y, 1, g, AGN_ARGS(x));
    is_int(st, AGN_ESYMBOLIC, "a branch under vmap");
    ok(strstr(agn_error_message(), "item") && !y, "the message names the op: %s",
       agn_error_message());
    agn_fn_release(g);
    g = NULL;
    agn_tensor *one = scalar(1);
    d = derivative('R', f, 1, (const T[]){one});
    st = agn_fn_vmap(&g, d, NULL, 0, NULL, 0);
    if (!st)
        st = agn_fn_call(&y, 1, g, AGN_ARGS(x));
    is_int(st, AGN_ESYMBOLIC, "the same within a gradient");
    agn_release(one);
    agn_fn_release(d);
    agn_fn_release(g);
    agn_fn_release(f);
    agn_release(x);
}

/* ---- depth, and memory over time ------------------------------------------------------- */

static int depth;
static double deep_slope, deep_value;

static void *deep(void *user)
{
    (void)user;
    agn_tensor *x = scalar(0.5), *w = NULL, *y = NULL, *g = NULL;
    if (agn_watch(&w, x) || agn_mul_c(&y, w, 1))
        return NULL;
    for (int i = 0; i < depth; i++) {
        agn_tensor *z = NULL;
        if (i % 2 ? agn_add_c(&z, y, 1e-7) : agn_mul_c(&z, y, 1.0000001))
            return NULL;
        agn_release(y);
        y = z;
    }
    deep_value = number(y);
    if (agn_gradient(&g, (const T[]){y}, 1, (const T[]){w}, 1, NULL))
        return NULL;
    deep_slope = number(g);
    agn_release(g);
    agn_release(w);
    agn_release(y); /* the last reference to the whole chain */
    agn_release(x);
    return user;
}

static void a_deep_chain(void)
{
    pthread_attr_t at;
    pthread_t t;
    int64_t bytes[2], blocks[2];
    bool good = false;
    depth = tap_scale(1000000);
    agn_memory_live(&bytes[0], &blocks[0], NULL);
    pthread_attr_init(&at);
    pthread_attr_setstacksize(&at, TAP_SANITIZED ? 1 << 20 : 128 * 1024);
    if (!pthread_create(&t, &at, deep, &depth)) {
        void *result = NULL;
        pthread_join(t, &result);
        good = result == &depth;
    }
    pthread_attr_destroy(&at);
    agn_memory_live(&bytes[1], &blocks[1], NULL);
    ok(good && fabs(deep_slope / pow(1.0000001, depth / 2) - 1) < 1e-9,
       "%d nodes differentiated on a small stack: %g", depth, deep_slope);
    is_int(blocks[1] - blocks[0], 0, "and released, without recursion");
}

static bool train_step(agn_tensor **w, T X, T target)
{
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *p = NULL, *g = NULL, *next = NULL;
    agn_status st = agn_watch(&p, *w);
    T leaf = agn_scope_adopt(s, st, &p);
    T r = ag_sub(s, ag_tanh(s, ag_matmul(s, X, leaf)), target);
    T loss = ag_mean_all(s, ag_square(s, r));
    if (loss) {
        st = agn_gradient(&g, &loss, 1, &leaf, 1, NULL);
        T step = agn_scope_adopt(s, st, &g);
        agn_scope_return(s, &next, ag_sub(s, *w, ag_mul_c(s, step, 0.01)));
    }
    if (agn_scope_close(s))
        return false;
    agn_release(*w);
    *w = next;
    return true;
}
static void training(void)
{
    const int steps = tap_scale(100000);
    agn_tensor *w = vector(2, (const double[]){0.3, -0.2}), *X = NULL, *t = NULL;
    const double data[] = {1, 2, 3, 4, -1, 0.5}, want[] = {0.3, 0.4, 0.1};
    int64_t bytes[2] = {0}, blocks[2] = {0};
    bool good = !agn_from_host(&X, AGN_F64, 2, I64(3, 2), data) &&
                !agn_from_host(&t, AGN_F64, 1, I64(3), want);
    for (int i = 0; good && i < steps; i++) {
        if (i == 100)
            agn_memory_live(&bytes[0], &blocks[0], NULL);
        good = train_step(&w, X, t);
    }
    agn_memory_live(&bytes[1], &blocks[1], NULL);
    ok(good, "%d steps of training", steps);
    is_int(bytes[1] - bytes[0], 0, "H20: memory after %d steps as after 100", steps);
    is_int(blocks[1] - blocks[0], 0, "and as many blocks");
    agn_release(w);
    agn_release(X);
    agn_release(t);
}

/* ---- saved values that were written ---------------------------------------------------- */

static agn_status write_then_differentiate(agn_body *body, double *slope_out)
{
    double *data = malloc(2 * sizeof *data);
    agn_tensor *x = NULL, *w = NULL, *g = NULL;
    void *p = NULL;
    data[0] = 2;
    data[1] = 3;
    agn_status st = agn_wrap_host(&x, AGN_F64, 1, I64(2), NULL, data, false, free, data);
    if (!st)
        st = agn_watch(&w, x);
    agn_scope *s = agn_scope_open(NULL);
    T y = NULL, in[1] = {w};
    if (!st)
        st = body(NULL, s, in, &y);
    if (!st)
        st = agn_data_mut(&p, x);
    if (!st) {
        ((double *)p)[0] = 10;
        st = agn_gradient(&g, &y, 1, in, 1, NULL);
    }
    double v[4] = {NAN};
    if (!st)
        numbers(v, 4, g);
    *slope_out = v[0];
    agn_release(g);
    agn_status closed = agn_scope_close(s);
    agn_release(w);
    agn_release(x);
    return st ? st : closed;
}
FORMULA(plus_one, ag_add_c(s, in[0], 1))
FORMULA(exponential, ag_exp(s, in[0]))
FORMULA(sum_of, ag_sum_all(s, in[0]))
FORMULA(view_sine, ag_sin(s, ag_slice(s, in[0], 1, I64(0), I64(1), I64(1))))
FORMULA(product_sum, ag_matmul(s, in[0], in[0]))

static void stale(void)
{
    double d;
    is_int(write_then_differentiate(squared, &d), AGN_ESTALE, "x x after x was written");
    ok(strstr(agn_error_message(), "mul") || strstr(agn_error_message(), "written"),
       "the message: %s", agn_error_message());
    is_int(write_then_differentiate(sine, &d), AGN_ESTALE, "sin x");
    is_int(write_then_differentiate(view_sine, &d), AGN_ESTALE, "sin of a view of x");
    is_int(write_then_differentiate(product_sum, &d), AGN_ESTALE, "x . x");
    is_int(write_then_differentiate(plus_one, &d), AGN_OK, "H10: x + 1 reads nothing");
    ok(d == 1, "and is right");
    is_int(write_then_differentiate(sum_of, &d), AGN_OK, "sum reads nothing");
    ok(d == 1, "and is right");
    is_int(write_then_differentiate(exponential, &d), AGN_OK, "exp reads its result alone");
    near(d, exp(2), 1e-15, "and is right");
    agn_tensor *x = scalar(2), *w = NULL, *y = NULL;
    void *p = NULL;
    bool made = !agn_watch(&w, x) && !agn_exp(&y, w);
    is_int(made ? agn_data_mut(&p, y) : 1, AGN_EARG, "H9: a recorded result cannot be written");
    is_int(made ? agn_data_mut(&p, w) : 1, AGN_EARG, "nor can a watched tensor");
    agn_release(x);
    agn_release(w);
    agn_release(y);
}

/* ---- agn_gradient -------------------------------------------------------------------------- */

static void drop(agn_tensor **t, int n)
{
    while (n--) {
        agn_release(t[n]);
        t[n] = NULL;
    }
}
static void tape(void)
{
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *a = scalar(2), *b = scalar(3), *c = vector(2, (const double[]){1, 5});
    agn_tensor *wa = NULL, *wb = NULL, *wc = NULL, *g[4] = {NULL}, *wwa = NULL;
    double v[4];
    if (agn_watch(&wa, a) || agn_watch(&wb, b) || agn_watch(&wc, c))
        bail_out("%s", agn_error_message());
    T y = ag_mul(s, ag_square(s, wa), wb), z = ag_mul(s, y, wa);
    ok(!agn_gradient(g, (const T[]){y}, 1, (const T[]){wc, wa, wb}, 3, NULL) &&
           numbers(v, 4, g[0]) == 2 && v[0] == 0 && v[1] == 0 && number(g[1]) == 12 &&
           number(g[2]) == 4,
       "an unused x gives zeros");
    drop(g, 3);
    ok(!agn_gradient(g, (const T[]){y}, 1, (const T[]){wa, wa}, 2, NULL) && number(g[0]) == 12 &&
           number(g[1]) == 12,
       "a repeated x");
    drop(g, 2);
    /* z = a^3 b = y a: with respect to y it is a, with respect to a all of it */
    ok(!agn_gradient(g, (const T[]){z}, 1, (const T[]){y, wa}, 2, NULL) && number(g[0]) == 2 &&
           number(g[1]) == 36,
       "an x that is computed from another x: %g and %g", number(g[0]), number(g[1]));
    drop(g, 2);
    ok(!agn_gradient(g, (const T[]){z}, 1, (const T[]){wa, y}, 2, NULL) && number(g[0]) == 36 &&
           number(g[1]) == 2,
       "and in the other order");
    drop(g, 2);
    T half = ag_lit(s, 0.5);
    ok(!agn_gradient(g, (const T[]){y, z, wa}, 3, (const T[]){wa}, 1,
                     (const T[]){half, NULL, half}) &&
           number(g[0]) == 0.5 * 12 + 36 + 0.5,
       "several ys with cotangents");
    drop(g, 1);
    ok(!agn_gradient(g, (const T[]){y, y}, 2, (const T[]){wb}, 1, NULL) && number(g[0]) == 8,
       "a repeated y");
    drop(g, 1);
    ok(!agn_gradient(g, (const T[]){wa}, 1, (const T[]){wa}, 1, NULL) && number(g[0]) == 1,
       "y is x");
    drop(g, 1);
    T sq = ag_square(s, wc);
    T cot = ag_from_host(s, AGN_F64, 1, I64(2), (const double[]){10, 1});
    ok(!agn_gradient(g, &sq, 1, (const T[]){wc}, 1, &cot) && numbers(v, 4, g[0]) == 2 &&
           v[0] == 20 && v[1] == 10,
       "a cotangent of a vector");
    drop(g, 1);
    /* second order: watch twice */
    if (agn_watch(&wwa, wa))
        bail_out("%s", agn_error_message());
    T cubed = ag_mul(s, ag_square(s, wwa), wwa);
    agn_tensor *first = NULL;
    bool good = !agn_gradient(&first, &cubed, 1, (const T[]){wwa}, 1, NULL) &&
                number(first) == 12 && agn_is_watched(first) &&
                !agn_gradient(g, (const T[]){first}, 1, (const T[]){wa}, 1, NULL);
    ok(good && number(g[0]) == 12, "second order by watching twice: %g", number(g[0]));
    drop(g, 1);
    good = !agn_gradient(g, &cubed, 1, (const T[]){wa}, 1, NULL);
    ok(good && number(g[0]) == 12, "and the first order through the inner leaf");
    drop(g, 1);
    agn_release(first);
    agn_release(wwa);
    agn_release(wa);
    agn_release(wb);
    agn_release(wc);
    agn_release(a);
    agn_release(b);
    agn_release(c);
    is_int(agn_scope_close(s), AGN_OK, "the scope closes");
}

/* inputs released right after recording: the tape holds what it needs */
static void released_inputs(void)
{
    agn_tensor *x = scalar(3), *w = NULL, *y = NULL, *z = NULL, *g = NULL;
    bool good = !agn_watch(&w, x) && !agn_square(&y, w);
    agn_release(x);
    good = good && !agn_mul(&z, y, w);
    agn_release(y);
    good = good && !agn_gradient(&g, (const T[]){z}, 1, (const T[]){w}, 1, NULL);
    ok(good && number(g) == 27, "inputs released right after recording");
    agn_release(g);
    agn_release(z);
    agn_release(w);
}

/* ---- Jacobians, Hessians, partial derivatives ------------------------------------------------- */

enum { IN = 3, HIDDEN = 4 };
typedef struct net {
    double w1[IN][HIDDEN], b[HIDDEN], w2[HIDDEN];
    agn_tensor *W1, *B, *W2;
} net;

static net *new_net(void)
{
    net *n = calloc(1, sizeof *n);
    deriv_seed = 7;
    for (int h = 0; h < HIDDEN; h++) {
        for (int i = 0; i < IN; i++)
            n->w1[i][h] = between(-1, 1);
        n->b[h] = between(-0.5, 0.5);
        n->w2[h] = between(-1, 1);
    }
    if (agn_from_host(&n->W1, AGN_F64, 2, I64(IN, HIDDEN), n->w1) ||
        agn_from_host(&n->B, AGN_F64, 1, I64(HIDDEN), n->b) ||
        agn_from_host(&n->W2, AGN_F64, 1, I64(HIDDEN), n->w2))
        bail_out("%s", agn_error_message());
    return n;
}
BODY(shallow)
{
    const net *n = user;
    out[0] = ag_matmul(s, ag_tanh(s, ag_add(s, ag_matmul(s, in[0], n->W1), n->B)), n->W2);
    return agn_scope_status(s);
}
BODY(two_layers)
{
    const net *n = user;
    T h = ag_tanh(s, ag_add(s, ag_matmul(s, in[0], n->W1), n->B));
    T square = ag_matmul(s, ag_transpose(s, n->W1), n->W1);
    out[0] = ag_matmul(s, ag_tanh(s, ag_matmul(s, h, square)), n->W2);
    return agn_scope_status(s);
}
BODY(vector_of)
{
    T y = NULL;
    shallow(user, s, in, &y);
    out[0] = ag_stack(s, (const T[]){y, ag_square(s, y), ag_sum_all(s, ag_sin(s, in[0]))}, 3, 0);
    return agn_scope_status(s);
}

/* n-th derivative of tanh where it has the value y, n <= 4 */
static double tanh_n(double y, int n)
{
    double q = 1 - y * y;
    return n == 0   ? y
           : n == 1 ? q
           : n == 2 ? -2 * y * q
           : n == 3 ? q * (6 * y * y - 2)
                    : q * (16 * y - 24 * y * y * y);
}
static double shallow_partial(const net *n, const double *x, const int32_t *alpha)
{
    double sum = 0;
    for (int h = 0; h < HIDDEN; h++) {
        double z = n->b[h], c = n->w2[h];
        int order = 0;
        for (int i = 0; i < IN; i++) {
            z += x[i] * n->w1[i][h];
            for (int k = 0; k < alpha[i]; k++, order++)
                c *= n->w1[i][h];
        }
        sum += c * tanh_n(tanh(z), order);
    }
    return sum;
}

/* all derivatives to total order 4, the first result of each the value */
static int all_alpha(int32_t *alpha)
{
    int n = 0;
    for (int32_t a = 0; a <= 4; a++)
        for (int32_t b = 0; a + b <= 4; b++)
            for (int32_t c = 0; a + b + c <= 4; c++, n++) {
                alpha[IN * n] = a;
                alpha[IN * n + 1] = b;
                alpha[IN * n + 2] = c;
            }
    return n;
}

static void partial_derivatives(void)
{
    net *n = new_net();
    int32_t alpha[40 * IN];
    int many = all_alpha(alpha);
    enum { POINTS = 2 };
    double x[POINTS][IN], worst[2] = {0, 0}, got[2 * POINTS];
    for (int p = 0; p < POINTS; p++)
        for (int i = 0; i < IN; i++)
            x[p][i] = between(-1, 1);
    agn_tensor *X = NULL, *y[41] = {NULL}, *e[IN] = {NULL};
    if (agn_from_host(&X, AGN_F64, 2, I64(POINTS, IN), x))
        bail_out("%s", agn_error_message());
    for (int i = 0; i < IN; i++) {
        double unit[IN] = {0};
        unit[i] = 1;
        e[i] = vector(IN, unit);
    }
    agn_fn *f = fn(shallow, n, 1, 1), *g = fn(two_layers, n, 1, 1), *d = NULL;
    bool good = !agn_fn_partials(&d, f, 0, alpha, many, IN) &&
                !agn_fn_call(y, many + 1, d, AGN_ARGS(X));
    for (int q = 0; good && q < many; q++) {
        good = numbers(got, 2 * POINTS, y[1 + q]) == POINTS;
        for (int p = 0; p < POINTS; p++)
            worst[0] = fmax(worst[0],
                            fabs(got[p] - shallow_partial(n, x[p], alpha + IN * q)));
    }
    ok(good && worst[0] < 1e-12, "%d mixed partials of a tanh network to order 4 against the "
                                 "formula: %.1e", many, worst[0]);
    if (!good)
        diag("%s", agn_error_message());
    for (int q = 0; q <= many; q++) {
        agn_release(y[q]);
        y[q] = NULL;
    }
    agn_fn_release(d);
    d = NULL;
    good = !agn_fn_partials(&d, g, 0, alpha, many, IN) && !agn_fn_call(y, many + 1, d, AGN_ARGS(X));
    for (int q = 0; good && q < many; q++) {
        good = numbers(got, 2 * POINTS, y[1 + q]) == POINTS;
        for (int p = 0; p < POINTS; p++) {
            T dir[4][ARGS] = {{NULL}};
            int order = 0;
            for (int i = 0; i < IN; i++)
                for (int k = 0; k < alpha[IN * q + i]; k++)
                    dir[order++][0] = e[i];
            agn_tensor *row = vector(IN, x[p]);
            agn_fn *nest = nesting(&"FFFF"[4 - order], g, 1, (const T(*)[ARGS])dir);
            worst[1] = fmax(worst[1], fabs(got[p] - value_of(nest, (const T[]){row})));
            agn_fn_release(nest);
            agn_release(row);
        }
    }
    ok(good && worst[1] < 1e-12, "and of two layers against nested jvp: %.1e", worst[1]);
    for (int q = 0; q <= many; q++)
        agn_release(y[q]);
    agn_fn_release(d);
    agn_fn_release(f);
    agn_fn_release(g);
    for (int i = 0; i < IN; i++)
        agn_release(e[i]);
    agn_release(X);
    agn_release(n->W1);
    agn_release(n->B);
    agn_release(n->W2);
    free(n);
}

static void matrices(void)
{
    net *n = new_net();
    const double at[IN] = {0.3, -0.8, 0.5};
    agn_tensor *x = vector(IN, at), *H = NULL, *J = NULL, *hv = NULL, *tall = NULL;
    agn_fn *f = fn(two_layers, n, 1, 1), *v = fn(vector_of, n, 1, 1);
    agn_fn *hess = NULL, *jac = NULL, *hvp = NULL, *jac2 = NULL, *grad = NULL;
    double h[2 * IN * IN], j[2 * IN * IN], p[2 * IN], worst[4] = {0};
    bool good = !agn_fn_hessian(&hess, f, 0) && !agn_fn_call(&H, 1, hess, AGN_ARGS(x)) &&
                numbers(h, 2 * IN * IN, H) == IN * IN && agn_ndim(H) == 2;
    good = good && !agn_fn_grad(&grad, f, NULL, 0) && !agn_fn_jacobian(&jac2, grad, 0) &&
           !agn_fn_call(&tall, 1, jac2, AGN_ARGS(x)) && numbers(j, 2 * IN * IN, tall) == IN * IN;
    for (int k = 0; good && k < IN * IN; k++) {
        worst[0] = fmax(worst[0], fabs(h[k] - j[k]));
        worst[1] = fmax(worst[1], fabs(h[k] - h[k % IN * IN + k / IN]));
    }
    good = good && !agn_fn_hvp(&hvp, f, NULL, 0) && !agn_fn_jacobian(&jac, v, 0) &&
           !agn_fn_call(&J, 1, jac, AGN_ARGS(x)) && numbers(j, 2 * IN * IN, J) == 3 * IN;
    for (int i = 0; good && i < IN; i++) {
        double unit[IN] = {0};
        unit[i] = 1;
        agn_tensor *e = vector(IN, unit);
        good = !agn_fn_call(&hv, 1, hvp, AGN_ARGS(x, e)) && numbers(p, 2 * IN, hv) == IN;
        for (int k = 0; good && k < IN; k++)
            worst[2] = fmax(worst[2], fabs(p[k] - h[k * IN + i]));
        /* column i of the Jacobian by jvp */
        agn_fn *jvp = NULL;
        agn_tensor *t[2] = {NULL};
        good = good && !agn_fn_jvp(&jvp, v) && !agn_fn_call(t, 2, jvp, AGN_ARGS(x, e)) &&
               numbers(p, 2 * IN, t[1]) == 3;
        for (int k = 0; good && k < 3; k++)
            worst[3] = fmax(worst[3], fabs(p[k] - j[k * IN + i]));
        agn_release(t[0]);
        agn_release(t[1]);
        agn_release(hv);
        hv = NULL;
        agn_fn_release(jvp);
        agn_release(e);
    }
    ok(good && worst[0] < 1e-14, "Hessian = Jacobian of the gradient: %.1e", worst[0]);
    ok(good && worst[1] < 1e-14, "the Hessian is symmetric: %.1e", worst[1]);
    ok(good && worst[2] < 1e-14, "its columns are hvp: %.1e", worst[2]);
    ok(good && worst[3] < 1e-14, "columns of the Jacobian are jvp: %.1e", worst[3]);
    if (!good)
        diag("%s", agn_error_message());
    agn_release(H);
    agn_release(J);
    agn_release(tall);
    agn_release(x);
    agn_fn_release(f);
    agn_fn_release(v);
    agn_fn_release(hess);
    agn_fn_release(jac);
    agn_fn_release(jac2);
    agn_fn_release(grad);
    agn_fn_release(hvp);
    agn_release(n->W1);
    agn_release(n->B);
    agn_release(n->W2);
    free(n);
}

/* tall and wide Jacobians: reverse and forward, of matrices */
FORMULA(outer_square, ag_einsum(s, "i,j->ij", (const T[]){in[0], ag_square(s, in[0])}, 2))
FORMULA(trace_square, ag_expand_dims(s, ag_einsum(s, "ij,ji", (const T[]){in[0], in[0]}, 2), 0))
static void jacobian_shapes(void)
{
    const double v[4] = {1, 2, 3, 4};
    agn_tensor *x = vector(2, v), *m = NULL, *J = NULL;
    agn_fn *f = fn(outer_square, NULL, 1, 1), *d = NULL;
    double j[32];
    bool good = !agn_from_host(&m, AGN_F64, 2, I64(2, 2), v) && !agn_fn_jacobian(&d, f, 0) &&
                !agn_fn_call(&J, 1, d, AGN_ARGS(x)) && agn_ndim(J) == 3 && numbers(j, 32, J) == 8;
    for (int a = 0; good && a < 2; a++) /* y_ab = x_a x_b^2 */
        for (int b = 0; b < 2; b++)
            for (int c = 0; c < 2; c++)
                good &= j[4 * a + 2 * b + c] ==
                        (a == c) * v[b] * v[b] + 2 * (b == c) * v[a] * v[b];
    ok(good, "Jacobian [2,2,2], forward");
    agn_release(J);
    agn_fn_release(d);
    agn_fn_release(f);
    f = fn(trace_square, NULL, 1, 1);
    d = NULL;
    J = NULL;
    good = good && !agn_fn_jacobian(&d, f, 0) && !agn_fn_call(&J, 1, d, AGN_ARGS(m)) &&
           agn_ndim(J) == 3 && numbers(j, 32, J) == 4;
    for (int a = 0; good && a < 2; a++) /* d/dx_ab x_ij x_ji = 2 x_ba */
        for (int b = 0; b < 2; b++)
            good &= j[2 * a + b] == 2 * v[2 * b + a];
    ok(good, "Jacobian [1,2,2], reverse");
    agn_release(J);
    agn_release(m);
    agn_release(x);
    agn_fn_release(d);
    agn_fn_release(f);
}

/* ---- lifetimes and threads ---------------------------------------------------------------------- */

static int destroyed;
static void count_destroy(void *user)
{
    (void)user;
    destroyed++;
}
static void lifetimes(void)
{
    agn_fn *f = NULL, *g = NULL, *h = NULL, *v = NULL;
    bool good = !agn_fn_new(&f, cube, NULL, count_destroy, 1, 1) &&
                !agn_fn_grad(&g, f, NULL, 0) && !agn_fn_jvp(&h, g) &&
                !agn_fn_vmap(&v, g, NULL, 0, NULL, 0);
    agn_fn_release(f);
    agn_fn_release(g);
    agn_tensor *x = scalar(2), *y[2] = {NULL};
    good = good && !destroyed && !agn_fn_call(y, 2, h, AGN_ARGS(x, x));
    ok(good && number(y[0]) == 12 && number(y[1]) == 24, "transforms outlive their functions");
    agn_fn_release(h);
    ok(!destroyed, "while one of them lives, so does the body");
    agn_fn_release(v);
    is_int(destroyed, 1, "then it is destroyed, once");
    agn_release(y[0]);
    agn_release(y[1]);
    agn_release(x);
}

static void *third_derivatives(void *user)
{
    double at = *(const double *)user;
    agn_fn *f = fn(sine, NULL, 1, 1);
    agn_tensor *v = scalar(1), *x = scalar(at);
    const T dir[3][ARGS] = {{v}, {v}, {v}};
    static const char *const words[] = {"FFF", "RRR", "RFR", "JFJ", "FRJ"};
    bool good = true;
    for (int i = 0; i < tap_scale(400); i++) {
        agn_fn *d = nesting(words[i % 5], f, 1, dir);
        good &= fabs(value_of(d, (const T[]){x}) + cos(at)) < 1e-14;
        agn_fn_release(d);
    }
    agn_release(x);
    agn_release(v);
    agn_fn_release(f);
    return good ? user : NULL;
}
static void threads(void)
{
    double at[2] = {0.3, 1.1};
    pthread_t t[2];
    bool good = true;
    for (int i = 0; i < 2; i++)
        good &= !pthread_create(&t[i], NULL, third_derivatives, &at[i]);
    for (int i = 0; i < 2; i++) {
        void *r = NULL;
        pthread_join(t[i], &r);
        good &= r == &at[i];
    }
    ok(good, "two threads differentiate at once");
}

/* nested vmap = one over both axes; gradient per sample = gradient of each */
FORMULA(poly, ag_sum_all(s, ag_mul(s, ag_square(s, in[0]), in[0])))
static void nested_lanes(void)
{
    const double v[6] = {1, 2, 3, 4, 5, 6};
    agn_tensor *x = NULL, *y = NULL;
    agn_fn *f = fn(poly, NULL, 1, 1), *g = NULL, *once = NULL, *again = NULL;
    double got[12];
    bool good = !agn_from_host(&x, AGN_F64, 2, I64(2, 3), v) && !agn_fn_grad(&g, f, NULL, 0) &&
                !agn_fn_vmap(&once, g, (const int32_t[]){-1}, 1, (const int32_t[]){1}, 1) &&
                !agn_fn_vmap(&again, once, NULL, 0, NULL, 0) && !agn_fn_call(&y, 1, again, AGN_ARGS(x));
    ok(!good && strstr(agn_error_message(), "vmap"), "a result without an axis 1: %s",
       agn_error_message());
    agn_fn_release(again);
    agn_fn_release(once);
    agn_release(y);
    once = again = NULL;
    y = NULL;
    good = !agn_fn_vmap(&once, g, NULL, 0, NULL, 0) && !agn_fn_vmap(&again, once, NULL, 0, NULL, 0) &&
           !agn_fn_call(&y, 1, again, AGN_ARGS(x)) && numbers(got, 12, y) == 6;
    for (int i = 0; i < 6; i++)
        good = good && got[i] == 3 * v[i] * v[i];
    ok(good, "vmap of vmap of a gradient");
    agn_fn_release(again);
    agn_fn_release(once);
    agn_fn_release(g);
    agn_fn_release(f);
    agn_release(x);
    agn_release(y);
}

/* a batch axis that goes in last and comes out last */
FORMULA(triple, ag_mul_c(s, in[0], 3))
static void lanes_last(void)
{
    const double v[6] = {1, 2, 3, 4, 5, 6};
    agn_tensor *x = NULL, *y = NULL;
    agn_fn *f = fn(triple, NULL, 1, 1), *g = NULL;
    double got[12] = {0};
    const int32_t last[1] = {1};
    bool good = !agn_from_host(&x, AGN_F64, 2, I64(2, 3), v) && !agn_fn_vmap(&g, f, last, 1, last,
                                                                             1) &&
                !agn_fn_call(&y, 1, g, AGN_ARGS(x)) && agn_shape(y)[0] == 2 &&
                agn_shape(y)[1] == 3 && numbers(got, 12, y) == 6;
    for (int i = 0; i < 6; i++)
        good = good && got[i] == 3 * v[i];
    ok(good, "lanes along the last axis");
    agn_fn_release(g);
    agn_fn_release(f);
    agn_release(x);
    agn_release(y);
}

int main(void)
{
    perturbations();
    odd_functions();
    diamonds();
    subsets();
    control_flow();
    a_deep_chain();
    training();
    stale();
    tape();
    released_inputs();
    partial_derivatives();
    matrices();
    jacobian_shapes();
    lifetimes();
    threads();
    nested_lanes();
    lanes_last();
    return done();
}
