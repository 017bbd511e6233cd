/* tests/fuzz/api.c - any bytes as calls: tensors are made, ops of the table applied, the ops so
   far become a function that is transformed, compiled and called. Each call succeeds with
   proper results, or fails with a message and its results untouched; nothing leaks. */
#include <agnesi/agnesi.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { VALUES = 16, STEPS = 12, ARGS = 3, RESULTS = 8, LARGE = 1 << 14 };

/* ---- bytes ----------------------------------------------------------------------------- */

static const uint8_t *at;
static size_t left;

static int byte(void)
{
    return left ? (left--, *at++) : 0;
}
static int64_t integer(void)
{
    static const int64_t odd[] = {
        INT64_MIN,        INT64_MAX,        INT32_MIN, INT32_MAX,
        (int64_t)1 << 62, (int64_t)1 << 32, 33,        -33};
    int b = byte();
    return b < 248 ? b % 16 - 5 : odd[b - 248];
}

/* ---- the law ----------------------------------------------------------------------------- */

static agn_tensor *const untouched = (agn_tensor *)(void *)&left;

static void check_result(const agn_tensor *y)
{
    int64_t size = 1;
    if (!y || agn_ndim(y) < 0 || agn_ndim(y) > AGN_MAX_RANK ||
        !agn_dtype_size(agn_dtype_of(y)))
        abort();
    for (int i = 0; i < agn_ndim(y); i++)
        if (agn_shape(y)[i] < 0 ||
            __builtin_mul_overflow(size, agn_shape(y)[i] ? agn_shape(y)[i] : 1, &size))
            abort();
    if (agn_is_symbolic(y) || agn_numel(y) > LARGE)
        return;
    size_t bytes = (size_t)agn_numel(y) * agn_dtype_size(agn_dtype_of(y));
    void *copy = malloc(bytes + 1);
    if (!copy || agn_to_host(copy, y, bytes))
        abort();
    free(copy);
}
static void check(agn_status st, agn_tensor *const *y, int n)
{
    if (st && (!strchr(agn_error_message(), ':') ||
               !strcmp(agn_status_name(st), "unknown status")))
        abort();
    for (int i = 0; i < n; i++)
        if (!st)
            check_result(y[i]);
        else if (y[i] != untouched)
            abort();
}

/* ---- one application ------------------------------------------------------------------------ */

typedef struct step {
    int32_t id, n_in, n_out, n_int, n_real;
    int arg[4];
    int64_t ints[8];
    double reals[3];
} step;

static step read_step(int n_values)
{
    step q = {.id = byte() % agn_op_count()};
    agn_op_info info = {.size = sizeof info};
    if (agn_op_describe(&info, q.id))
        abort();
    int wrong = byte(); /* now and then other counts than the op's */
    q.n_in = info.n_in < 0 || wrong == 255 ? byte() % 5 : info.n_in;
    q.n_out = info.n_out < 0 || wrong == 254 ? byte() % 5 : info.n_out;
    for (const char *p = agn_op_signature(q.id); (p = strchr(p, ':')); p++) {
        q.n_int += p[1] != 'r' && p[1] != 'o' && q.n_int < 8;
        q.n_real += p[1] == 'r' && q.n_real < 3;
    }
    q.n_int = wrong >= 200 ? wrong % 9 : q.n_int;
    for (int i = 0; i < 4; i++)
        q.arg[i] = byte() % n_values;
    for (int i = 0; i < q.n_int; i++)
        q.ints[i] = integer();
    for (int i = 0; i < q.n_real; i++)
        q.reals[i] = (byte() - 128) / 16.0;
    return q;
}
static agn_status take(const step *q, agn_tensor **y, const agn_tensor *const *v)
{
    const agn_tensor *in[4];
    for (int i = 0; i < 4; i++)
        in[i] = v[q->arg[i]];
    return agn_op_apply(y, q->n_out, agn_op_name(q->id), in, q->n_in, q->ints, q->n_int,
                        q->reals, q->n_real);
}

/* ---- operands --------------------------------------------------------------------------------- */

static agn_tensor *operand(void)
{
    int64_t shape[4];
    int what = byte(), ndim = byte() % 5, dtype = byte() % AGN_NDTYPES;
    agn_tensor *x = NULL, *y = NULL;
    for (int i = 0; i < ndim; i++)
        shape[i] = byte() % 4;
    agn_status st = what % 8 == 0
                        ? agn_lit(&x, (what - 128) / 8.0)
                        : agn_full(&x, AGN_F64, ndim, shape, (byte() - 128) / 8.0);
    if (st)
        abort();
    if (what % 8 && !(st = agn_cast(&y, x, dtype))) {
        agn_release(x);
        x = y;
        y = NULL;
    }
    if (what % 8 == 1 && ndim && !agn_flip(&y, x, NULL, 0)) {
        agn_release(x);
        x = y;
    }
    return x;
}

/* ---- programs ---------------------------------------------------------------------------------- */

typedef struct recipe {
    int n;
    step s[STEPS];
} recipe;

static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const recipe *r = user;
    const agn_tensor *v[ARGS + STEPS * RESULTS];
    int n = ARGS;
    memcpy(v, in, sizeof *v * ARGS);
    for (int k = 0; k < r->n && !agn_scope_status(s); k++) {
        agn_tensor *y[RESULTS] = {NULL};
        agn_status st = take(&r->s[k], y, v);
        for (int o = 0; o < r->s[k].n_out; o++)
            v[n++] = agn_scope_adopt(s, st, &y[o]);
    }
    out[0] = v[n - 1];
    return agn_scope_status(s);
}

/* ops of the input that work on three operands */
static int cook(recipe *r, agn_tensor *const *x)
{
    agn_tensor *v[ARGS + STEPS * RESULTS];
    int n = ARGS;
    memcpy(v, x, sizeof *v * ARGS);
    while (left && r->n < STEPS) {
        step q = read_step(n);
        agn_tensor *y[RESULTS];
        for (int o = 0; o < RESULTS; o++)
            y[o] = untouched;
        agn_status st = take(&q, y, (const agn_tensor *const *)v);
        check(st, y, q.n_out);
        bool small = !st && q.n_out > 0;
        for (int o = 0; !st && o < q.n_out; o++)
            small = small && agn_numel(y[o]) <= 64;
        for (int o = 0; !st && o < q.n_out; o++)
            if (small)
                v[n++] = y[o];
            else
                agn_release(y[o]);
        if (small)
            r->s[r->n++] = q;
        if (byte() % 4 == 0)
            break;
    }
    for (int i = ARGS; i < n; i++)
        agn_release(v[i]);
    return n;
}

/* f becomes a transform of itself; its arguments grow with it */
static void transform(agn_fn **f, int *n_arg)
{
    agn_fn *g = NULL;
    int32_t argnum = byte() % (*n_arg + 1);
    int kind = byte() % 7, order = 1 + byte() % 3;
    agn_status st = kind == 0   ? agn_fn_grad(&g, *f, &argnum, 1)
                    : kind == 1 ? agn_fn_jvp(&g, *f)
                    : kind == 2 ? agn_fn_vjp(&g, *f)
                    : kind == 3 ? agn_fn_vmap(&g, *f, NULL, 0, NULL, 0)
                    : kind == 4 ? agn_fn_jet(&g, *f, order)
                    : kind == 5 ? agn_fn_checkpoint(&g, *f)
                                : agn_fn_compile(&g, *f, NULL);
    check(st, NULL, 0);
    if (st)
        return;
    agn_fn_release(*f);
    *f = g;
    *n_arg = agn_fn_n_in(g);
}

static void program(agn_tensor *const *x)
{
    recipe r = {0};
    agn_fn *f = NULL;
    int n_arg = ARGS;
    cook(&r, x);
    if (agn_fn_new(&f, body, &r, NULL, ARGS, 1))
        abort();
    for (int depth = byte() % 4; depth > 0; depth--)
        transform(&f, &n_arg);
    int n_out = agn_fn_n_out(f);
    if (n_arg <= VALUES && n_out <= VALUES) {
        const agn_tensor *in[VALUES];
        agn_tensor *y[VALUES];
        for (int i = 0; i < n_arg; i++)
            in[i] = x[(i < ARGS ? i : byte()) % ARGS];
        for (int again = 0; again < 2; again++) {
            for (int o = 0; o < VALUES; o++)
                y[o] = untouched;
            agn_status st = agn_fn_call(y, agn_fn_n_out(f), f, in, agn_fn_n_in(f));
            check(st, y, n_out);
            for (int o = 0; !st && o < n_out; o++)
                agn_release(y[o]);
        }
    }
    agn_fn_release(f);
}

/* memory is refused early: a hostile size is no reason to wait for the system */
static void *small_alloc(void *user, size_t bytes, size_t align)
{
    (void)user;
    return bytes > (1 << 24)
               ? NULL
               : aligned_alloc(align, (bytes + align - 1) / align * align);
}
static void small_free(void *user, void *p, size_t bytes)
{
    (void)user, (void)bytes;
    free(p);
}

static void once(const uint8_t *data, size_t n)
{
    agn_tensor *x[ARGS];
    at = data;
    left = n;
    for (int i = 0; i < ARGS; i++)
        x[i] = operand();
    program(x);
    for (int i = 0; i < ARGS; i++)
        agn_release(x[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static bool ready;
    static const agn_allocator small = {sizeof small, NULL, small_alloc, small_free};
    if (!ready && (agn_threads_set(1) || agn_allocator_set(&small)))
        abort();
    ready = true;
    int64_t before, after;
    agn_memory_live(NULL, &before, NULL);
    once(data, n);
    agn_memory_live(NULL, &after, NULL);
    for (int again = 0; again < 2 && after != before; again++) { /* caches fill once */
        before = after;
        once(data, n);
        agn_memory_live(NULL, &after, NULL);
    }
    if (after != before)
        abort();
    return 0;
}
