/* t-rows-apart.c - Jacobians of results whose rows do not meet: what one sweep for all rows gives is what
   forward mode gives, called, planned and mapped; rows that do meet are seen; memory is bounded, and
   each allocation that fails is an error. */
#include "tap.h"

#include <agnesi/agnesi.h>
#include <agnesi/autograd.h>
#include <agnesi/backend.h>
#include <math.h>
#include <stdlib.h>

typedef const agn_tensor *T;
enum { ROWS = 7, IN = 2, WIDE = 3, ARGS = 4, LARGE = 4096 };
#define LIT(c) ag_lit(s, c)

/* arguments: W [2, 3], b [3], v [3, 1], x [7, 2] */
typedef T body(agn_scope *s, T const *in);
static T hidden(agn_scope *s, T const *in)
{
    return ag_tanh(s, ag_add(s, ag_matmul(s, in[3], in[0]), in[1]));
}
static T network(agn_scope *s, T const *in)
{
    return ag_matmul(s, hidden(s, in), in[2]);
}
static T flat(agn_scope *s, T const *in)
{
    return ag_reshape(s, network(s, in), 1, (int64_t[]){ROWS});
}
static T two_columns(agn_scope *s, T const *in)
{
    T y = network(s, in);
    return ag_concat(s, (T[]){ag_square(s, y), ag_sin(s, y)}, 2, 1);
}
static T both_columns(agn_scope *s, T const *in)
{
    return ag_index_str(s, hidden(s, in), ":, 0:2");
}
static T cube(agn_scope *s, T const *in)
{
    return ag_reshape(s, ag_broadcast_to(s, hidden(s, in), 3, (int64_t[]){1, ROWS, WIDE}), 2,
                      (int64_t[]){ROWS, WIDE});
}
static T sliced(agn_scope *s, T const *in)
{
    T h = hidden(s, in);
    return ag_mul(s, ag_index_str(s, h, ":, 0"), ag_index_str(s, h, ":, 2"));
}
static T masked(agn_scope *s, T const *in)
{
    T y = flat(s, in);
    return ag_where(s, ag_gt(s, y, LIT(0)), ag_sqrt(s, ag_relu(s, y)), ag_mul_c(s, y, 0.1));
}
static T summed(agn_scope *s, T const *in)
{
    return ag_sum(s, ag_square(s, hidden(s, in)), (int32_t[]){1}, 1, false);
}
static T maxima(agn_scope *s, T const *in)
{
    return ag_maximum(s, flat(s, in), ag_sum(s, hidden(s, in), (int32_t[]){-1}, 1, false));
}
static T transposed(agn_scope *s, T const *in)
{
    T h = ag_matmul(s, ag_transpose(s, in[0]), ag_transpose(s, in[3]));
    return ag_sum(s, ag_tanh(s, h), (int32_t[]){0}, 1, false);
}
static T derivative_of(agn_scope *s, T const *in, body *f);
static T residual(agn_scope *s, T const *in)
{
    return derivative_of(s, in, network);
}
static T complex_rows(agn_scope *s, T const *in)
{
    return ag_mul(s, ag_complex(s, flat(s, in), LIT(0.5)), ag_complex(s, LIT(0), summed(s, in)));
}
/* rows meet */
static T centred(agn_scope *s, T const *in)
{
    T y = flat(s, in);
    return ag_sub(s, y, ag_mean(s, y, NULL, 0, false));
}
static T running(agn_scope *s, T const *in)
{
    return ag_cumsum(s, flat(s, in), 0);
}
static T turned(agn_scope *s, T const *in)
{
    return ag_flip(s, flat(s, in), (int32_t[]){0}, 1);
}
static T softened(agn_scope *s, T const *in)
{
    return ag_sub(s, flat(s, in), ag_logsumexp(s, flat(s, in), NULL, 0, false));
}
static T shifted(agn_scope *s, T const *in)
{
    T y = flat(s, in);
    return ag_mul(s, ag_index_str(s, y, "1:"), ag_index_str(s, y, ":-1"));
}
static T square_matrix(agn_scope *s, T const *in)
{
    T y = flat(s, in);
    T z = ag_matmul(s, ag_reshape(s, y, 2, (int64_t[]){ROWS, 1}), ag_reshape(s, y, 2, (int64_t[]){1, ROWS}));
    return ag_sum(s, z, (int32_t[]){1}, 1, false);
}

static agn_status run(void *user, agn_scope *s, T const *in, T *out)
{
    body *const *f = user;
    out[0] = (*f)(s, in);
    return agn_scope_status(s);
}
static T derivative_of(agn_scope *s, T const *in, body *f)
{
    agn_fn *g = NULL, *d = NULL;
    T y[3] = {NULL};
    body *held = f;
    agn_status st = agn_fn_new(&g, run, &held, NULL, ARGS, 1);
    st = st ? st : agn_fn_partials(&d, g, 3, (const int32_t[]){2, 0, 0, 1}, 2, 2);
    if (!agn_scope_fail(s, st))
        agn_fn_apply(s, y, 3, d, in, ARGS);
    agn_fn_release(g);
    agn_fn_release(d);
    return y[1] && y[2] ? ag_add(s, ag_mul(s, y[0], y[2]), y[1]) : NULL;
}

static const struct row {
    const char *name;
    body *f;
} table[] = {
    {"a network", network},
    {"a network without its last axis", flat},
    {"two columns that are joined", two_columns},
    {"two columns of a hidden layer", both_columns},
    {"a hidden layer, broadcast and reshaped", cube},
    {"products of columns", sliced},
    {"roots behind relu and where", masked},
    {"sums along rows", summed},
    {"larger of two", maxima},
    {"a network of columns", transposed},
    {"a residual of second order", residual},
    {"complex rows", complex_rows},
    {"less the mean of all rows", centred},
    {"running sums", running},
    {"rows in another order", turned},
    {"less a sum of exponentials", softened},
    {"products of neighbours", shifted},
    {"products of all pairs", square_matrix},
};

static agn_tensor *drawn(int ndim, const int64_t *shape, uint64_t seed)
{
    agn_tensor *x = NULL;
    static double v[LARGE * IN];
    int64_t n = 1;
    for (int d = 0; d < ndim; d++)
        n *= shape[d];
    for (int64_t i = 0; i < n; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        v[i] = 2 * (double)(seed >> 11) * 0x1p-53 - 1;
    }
    if (agn_from_host(&x, AGN_F64, ndim, shape, v))
        bail_out("%s", agn_error_message());
    return x;
}
static void arguments(agn_tensor **x, int64_t rows)
{
    x[0] = drawn(2, (int64_t[]){IN, WIDE}, 1);
    x[1] = drawn(1, (int64_t[]){WIDE}, 2);
    x[2] = drawn(2, (int64_t[]){WIDE, 1}, 3);
    x[3] = drawn(2, (int64_t[]){rows, IN}, 4);
}
static void release(agn_tensor **x, int n)
{
    for (int i = 0; i < n; i++) {
        agn_release(x[i]);
        x[i] = NULL;
    }
}

static double distance(T a, T b)
{
    agn_tensor *d = NULL, *e = NULL, *z = NULL;
    double v = INFINITY;
    if (agn_ndim(a) == agn_ndim(b) && agn_dtype_of(a) == agn_dtype_of(b) && !agn_sub(&d, a, b) &&
        !agn_abs(&e, d) && !agn_amax(&z, e, NULL, 0, false) && agn_item_f64(&v, z))
        v = INFINITY;
    agn_release(d);
    agn_release(e);
    agn_release(z);
    return v;
}

static agn_fn *jacobian(const agn_fn *f, int mode)
{
    agn_fn *j = NULL;
    const agn_jacobian_options o = {.size = sizeof o, .mode = mode};
    if (agn_fn_jacobian_with(&j, f, (int32_t[]){0, 1, 2, 3}, ARGS, &o))
        bail_out("%s", agn_error_message());
    return j;
}

static bool same_as(const char *way, agn_status st, agn_tensor *const *have, agn_tensor *const *want)
{
    bool good = !st;
    for (int i = 0; good && i < ARGS; i++) {
        double d = distance(have[i], want[i]);
        good = d < 1e-13;
        if (!good)
            diag("%s: argument %d: off by %g", way, i, d);
    }
    if (st)
        diag("%s: %s", way, agn_error_message());
    return good;
}

static bool same_jacobians(body *const *of)
{
    static const char *const names[] = {"by cost", "forward", "reverse"};
    agn_fn *f = NULL;
    agn_tensor *x[ARGS], *want[ARGS] = {NULL}, *y[ARGS] = {NULL}, *xs[ARGS] = {NULL}, *wants[ARGS] = {NULL};
    arguments(x, ROWS);
    bool good = !agn_fn_new(&f, run, (void *)(uintptr_t)of, NULL, ARGS, 1);
    /* row by row: nothing of other rows is there */
    agn_fn *plain = NULL;
    const agn_jacobian_options chunked = {.size = sizeof chunked, .mode = AGN_JACOBIAN_FORWARD, .chunk = 1};
    good = good && !agn_fn_jacobian_with(&plain, f, (int32_t[]){0, 1, 2, 3}, ARGS, &chunked) &&
           !agn_fn_call(want, ARGS, plain, (T const *)x, ARGS);
    for (int i = 0; good && i < ARGS; i++)
        good = !agn_stack(&xs[i], (T[]){x[i], x[i]}, 2, 0) && !agn_stack(&wants[i], (T[]){want[i], want[i]}, 2, 0);
    for (int mode = 0; good && mode < 3; mode++) {
        agn_fn *j = jacobian(f, mode), *plan = NULL, *lanes = NULL;
        good &= same_as(names[mode], agn_fn_call(y, ARGS, j, (T const *)x, ARGS), y, want);
        release(y, ARGS);
        good &= !agn_fn_compile(&plan, j, NULL) &&
                same_as("planned", agn_fn_call(y, ARGS, plan, (T const *)x, ARGS), y, want);
        release(y, ARGS);
        good &= !agn_fn_vmap(&lanes, j, NULL, 0, NULL, 0) &&
                same_as("lanes", agn_fn_call(y, ARGS, lanes, (T const *)xs, ARGS), y, wants);
        release(y, ARGS);
        agn_fn_release(j);
        agn_fn_release(plan);
        agn_fn_release(lanes);
    }
    release(x, ARGS);
    release(xs, ARGS);
    release(want, ARGS);
    release(wants, ARGS);
    agn_fn_release(plain);
    agn_fn_release(f);
    return good;
}

/* ---- derivatives of it ------------------------------------------------------------------------ */

/* |J|^2, whose gradient needs J as a function */
static agn_status size_of_jacobian(void *user, agn_scope *s, T const *in, T *out)
{
    T y[ARGS] = {NULL}, sum = NULL;
    if (agn_fn_apply(s, y, ARGS, user, in, ARGS))
        return agn_scope_status(s);
    for (int i = 0; i < ARGS; i++) {
        T part = ag_sum_all(s, ag_square(s, y[i]));
        sum = sum ? ag_add(s, sum, part) : part;
    }
    out[0] = sum;
    return agn_scope_status(s);
}

static void test_nested(void)
{
    static body *const of = flat;
    agn_fn *f = NULL;
    agn_tensor *x[ARGS], *y[2][ARGS] = {{NULL}};
    arguments(x, ROWS);
    bool good = !agn_fn_new(&f, run, (void *)(uintptr_t)&of, NULL, ARGS, 1);
    for (int mode = 1; mode < 3 && good; mode++) {
        agn_fn *j = jacobian(f, mode), *size = NULL, *d = NULL;
        good = !agn_fn_new(&size, size_of_jacobian, j, NULL, ARGS, 1) &&
               !agn_fn_grad(&d, size, (int32_t[]){0, 1, 2, 3}, ARGS) &&
               !agn_fn_call(y[mode - 1], ARGS, d, (T const *)x, ARGS);
        agn_fn_release(d);
        agn_fn_release(size);
        agn_fn_release(j);
    }
    ok(good && same_as("nested", AGN_OK, y[0], y[1]), "gradients of a Jacobian's size");
    release(y[0], ARGS);
    release(y[1], ARGS);
    release(x, ARGS);
    agn_fn_release(f);
}

/* ---- memory ----------------------------------------------------------------------------------- */

/* 4096 residuals in 13 numbers: with a sweep a residual their inner values alone would take gigabytes */
static void test_memory(void)
{
    static body *const large = network, *const meeting = running;
    agn_fn *f = NULL, *j;
    agn_tensor *x[ARGS], *y[ARGS] = {NULL};
    int64_t before, peak;
    arguments(x, LARGE);
    bool good = !agn_fn_new(&f, run, (void *)(uintptr_t)&large, NULL, ARGS, 1);
    agn_fn *weights = NULL;
    good = good && !agn_fn_jacobian_with(&weights, f, (int32_t[]){0, 1, 2}, 3, NULL);
    agn_memory_reset_peak();
    agn_memory_live(&before, NULL, NULL);
    good = good && !agn_fn_call(y, 3, weights, (T const *)x, ARGS);
    agn_memory_live(NULL, NULL, &peak);
    diag("%lld bytes", (long long)(peak - before));
    ok(good && peak - before < 16 * LARGE * 8 * 13, "the Jacobian of many rows takes a few times its size");
    release(y, ARGS);
    agn_fn_release(weights);
    agn_fn_release(f);
    release(x, ARGS);
    /* every allocation fails once */
    for (int k = 0; k < 2; k++) {
        agn_status st = AGN_ENOMEM;
        int64_t n = 0, odd = 0, after;
        arguments(x, ROWS);
        good = !agn_fn_new(&f, run, (void *)(uintptr_t)(k ? &meeting : &large), NULL, ARGS, 1);
        j = jacobian(f, AGN_JACOBIAN_BY_COST);
        good = good && !agn_fn_call(y, ARGS, j, (T const *)x, ARGS);
        release(y, ARGS);
        agn_memory_live(&before, NULL, NULL);
        for (; good && st == AGN_ENOMEM; n++) {
            agn_memory_fail_after(n);
            st = agn_fn_call(y, ARGS, j, (T const *)x, ARGS);
            agn_memory_fail_after(-1);
            odd += st && (st != AGN_ENOMEM || y[0]);
            release(y, ARGS);
            agn_memory_live(&after, NULL, NULL);
            odd += after != before;
        }
        ok(good && !st && !odd, "without memory it fails cleanly at %d places", (int)n);
        agn_fn_release(j);
        agn_fn_release(f);
        release(x, ARGS);
    }
}

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : "";
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strstr(table[i].name, only))
            ok(same_jacobians(&table[i].f), "%s", table[i].name);
    test_nested();
    test_memory();
    return done();
}
