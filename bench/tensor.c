/* bench/tensor.c - array workloads, a table: inputs, the call, what its memory traffic is. */
#include "bench.h"

#include <agnesi/ag.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_IN = 8 };
enum { BOTH = 1u << AGN_F64 | 1u << AGN_F32, ONLY64 = 1u << AGN_F64, ONLY32 = 1u << AGN_F32 };

typedef struct input {
    int ndim;
    int64_t shape[4];
    double lo, hi;
    int salt;
    bool whole;  /* i64, rounded down */
    int copies;  /* this input so often, with salts from 0 */
} input;

typedef agn_status run_fn(agn_tensor **y, const agn_tensor *const *x);
typedef agn_status into_fn(agn_tensor *y, const agn_tensor *const *x);

typedef struct array_work {
    const char *id; /* %s stands for the dtype */
    uint32_t dtypes;
    input in[3];
    run_fn *run;
    agn_body *body; /* compiled instead of run */
    int n_grad;     /* its gradient with respect to so many inputs instead */
    double elements;   /* of the dtype, read or written; a bound on the time */
    double flops;      /* of products */
    into_fn *into;     /* the result lies in an array that exists */
    int n_check;       /* numbers to print, 0: both */
} array_work;

/* ---- the calls -------------------------------------------------------------------------- */

#define CALL(name, expression)                                               \
    static agn_status name(agn_tensor **y, const agn_tensor *const *x)       \
    {                                                                        \
        return expression;                                                   \
    }
#define AXES0 (const int32_t[]){0}, 1, false
#define AXES1 (const int32_t[]){1}, 1, false
#define ALL NULL, 0, false
#define REDUCTION(f)                          \
    CALL(f##_ax0, agn_##f(y, x[0], AXES0))    \
    CALL(f##_ax1, agn_##f(y, x[0], AXES1))    \
    CALL(f##_all, agn_##f(y, x[0], ALL))
#define UNARY(f) CALL(f##_call, agn_##f(y, x[0]))

UNARY(exp)
UNARY(log)
UNARY(tanh)
UNARY(sin)
UNARY(erf)
UNARY(lgamma)
CALL(add_call, agn_add(y, x[0], x[1]))
REDUCTION(sum)
REDUCTION(max)
REDUCTION(mean)
REDUCTION(logsumexp)
CALL(var_ax0, agn_var(y, x[0], (const int32_t[]){0}, 1, 0, false))
CALL(var_ax1, agn_var(y, x[0], (const int32_t[]){1}, 1, 0, false))
CALL(var_all, agn_var(y, x[0], NULL, 0, 0, false))
CALL(softmax_ax0, agn_nn_softmax(y, x[0], 0))
CALL(softmax_ax1, agn_nn_softmax(y, x[0], 1))
CALL(cumsum_call, agn_cumsum(y, x[0], 0))
CALL(sort_call, agn_sort(y, x[0], 0, false))
CALL(argsort_call, agn_argsort(y, x[0], 0, false))
CALL(unique_call, agn_unique(y, NULL, NULL, NULL, x[0]))
CALL(gather_call, agn_gather(y, x[0], x[1], 0))
CALL(matmul_call, agn_matmul(y, x[0], x[1]))
CALL(concat_call, agn_concat(y, x, 8, 0))
CALL(stack_call, agn_stack(y, x, 8, 1))
CALL(cast_call, agn_cast(y, x[0], AGN_F32))
CALL(einsum_batch, agn_einsum(y, "bik,bkj->bij", x, 2))
CALL(einsum_inner, agn_einsum(y, "ijk,jl->ilk", x, 2))
CALL(einsum_chain, agn_einsum(y, "abc,cd,de->abe", x, 3))

static agn_status add_into(agn_tensor *y, const agn_tensor *const *x)
{
    return agn_add_into(y, x[0], x[1]);
}

static agn_status add_transposed(agn_tensor **y, const agn_tensor *const *x)
{
    agn_tensor *t = NULL;
    agn_status st = agn_transpose(&t, x[1]);
    st = st ? st : agn_add(y, x[0], t);
    agn_release(t);
    return st;
}

static agn_status transpose_copy(agn_tensor **y, const agn_tensor *const *x)
{
    agn_tensor *t = NULL;
    agn_status st = agn_transpose(&t, x[0]);
    st = st ? st : agn_contiguous(y, t);
    agn_release(t);
    return st;
}

static agn_status every_second(agn_tensor **y, const agn_tensor *x)
{
    return agn_slice(y, x, 2, (int64_t[]){AGN_BEGIN, AGN_BEGIN}, (int64_t[]){AGN_END, AGN_END},
                     (int64_t[]){2, 2});
}
static agn_status add_strided(agn_tensor **y, const agn_tensor *const *x)
{
    agn_tensor *a = NULL, *b = NULL;
    agn_status st = every_second(&a, x[0]);
    st = st ? st : every_second(&b, x[1]);
    st = st ? st : agn_add(y, a, b);
    agn_release(a);
    agn_release(b);
    return st;
}

static agn_status topk100(agn_tensor **y, const agn_tensor *const *x)
{
    agn_tensor *places = NULL;
    agn_status st = agn_topk(y, &places, x[0], 100, 0, true);
    agn_release(places);
    return st;
}

static agn_status mask(agn_tensor **y, const agn_tensor *const *x)
{
    agn_tensor *zero = NULL, *above = NULL;
    agn_status st = agn_full(&zero, agn_dtype_of(x[0]), 0, NULL, 0);
    st = st ? st : agn_gt(&above, x[0], zero);
    st = st ? st : agn_extract(y, x[0], above);
    agn_release(zero);
    agn_release(above);
    return st;
}

static agn_status scatter_add(agn_tensor **y, const agn_tensor *const *x)
{
    agn_tensor *zero = NULL;
    agn_status st = agn_full(&zero, agn_dtype_of(x[0]), 2, (int64_t[]){100000, 64}, 0);
    st = st ? st : agn_scatter_add(y, zero, x[1], x[0], 0);
    agn_release(zero);
    return st;
}

static const agn_tensor *chain(agn_scope *s, const agn_tensor *x)
{
    return ag_add(s, ag_mul(s, ag_exp(s, ag_neg(s, ag_mul(s, x, x))), ag_sin(s, x)),
                  ag_mul_c(s, x, 0.5));
}
static agn_status chain_body(void *user, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    (void)user;
    out[0] = chain(s, in[0]);
    return AGN_OK;
}
static agn_status chain_sum(void *user, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    (void)user;
    out[0] = ag_sum_all(s, chain(s, in[0]));
    return AGN_OK;
}

static const agn_tensor *conv(agn_scope *s, const agn_tensor *x, const agn_tensor *w)
{
    const agn_conv_options around = {.size = sizeof around, .before = (const int64_t[]){1, 1}};
    return ag_conv(s, x, w, 2, &around);
}
static agn_status conv_body(void *user, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    (void)user;
    out[0] = conv(s, in[0], in[1]);
    return AGN_OK;
}
static agn_status conv_square(void *user, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    (void)user;
    out[0] = ag_mul_c(s, ag_sum_all(s, ag_square(s, conv(s, in[0], in[1]))), 0.5);
    return AGN_OK;
}

static agn_status where_body(void *user, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    (void)user;
    out[0] = ag_where(s, ag_gt(s, in[0], in[1]), in[0], ag_neg(s, in[1]));
    return AGN_OK;
}

/* ---- the table -------------------------------------------------------------------------- */

#define VECTOR(n, l, h, s) {.ndim = 1, .shape = {n}, .lo = l, .hi = h, .salt = s}
#define MATRIX(m, n, l, h, s) {.ndim = 2, .shape = {m, n}, .lo = l, .hi = h, .salt = s}
#define CUBE(k, m, n, l, h, s) {.ndim = 3, .shape = {k, m, n}, .lo = l, .hi = h, .salt = s}
#define IMAGES(k, c, m, n, l, h, s) \
    {.ndim = 4, .shape = {k, c, m, n}, .lo = l, .hi = h, .salt = s}
#define INDEX(n, h, s) {.ndim = 1, .shape = {n}, .hi = h, .salt = s, .whole = true}
#define EIGHT(n) {.ndim = 1, .shape = {n}, .lo = -1, .hi = 1, .copies = 8}
/* id, inputs, call; then what is known of its cost */
#define ROW(name, inputs, f, ...) \
    {.id = name "/%s", .dtypes = BOTH, .in = {UNPACK inputs}, .run = f, __VA_ARGS__}
#define UNPACK(...) __VA_ARGS__
#define MILLION(f, l, h) \
    ROW("tensor/" #f "/n1000000", (VECTOR(1000000, l, h, 1)), f##_call, .elements = 2e6)
#define REDUCED1(f, axes)                                                                       \
    ROW("tensor/" #f "-" #axes "/4096x1024", (MATRIX(4096, 1024, 0, 1, 1)), f##_##axes, \
        .elements = 4096 * 1024.0)
#define REDUCED(f) REDUCED1(f, ax0), REDUCED1(f, ax1), REDUCED1(f, all)
#define TWO(n, l) MATRIX(n, n, l, 1, 1), MATRIX(n, n, l, 1, 2)
#define PRODUCT(n)                                                                      \
    ROW("tensor/matmul/" #n, (TWO(n, -1)), matmul_call, .elements = 3.0 * n * n,        \
        .flops = 2.0 * n * n * n)
#define CHAIN(n)                                                                               \
    ROW("tensor/chain/n" #n, (VECTOR(n, -3, 3, 1)), NULL, .elements = 2.0 * n, .body = chain_body), \
        ROW("tensor/chain-grad/n" #n, (VECTOR(n, -3, 3, 1)), NULL, .elements = 2.0 * n,        \
            .body = chain_sum, .n_grad = 1)
#define CONV(name, ...)                                                        \
    ROW("tensor/" name "/32x3x64x64-32x3x3",                                      \
        (IMAGES(32, 3, 64, 64, -1, 1, 1), IMAGES(32, 3, 3, 3, -0.2, 0.2, 2)), NULL, \
        __VA_ARGS__)

static const array_work works[] = {
    CHAIN(10000),
    CHAIN(1000000),
    CHAIN(10000000),
    MILLION(exp, -5, 5),
    MILLION(log, 0.01, 10),
    MILLION(tanh, -3, 3),
    MILLION(sin, -10, 10),
    MILLION(erf, -3, 3),
    MILLION(lgamma, 0.1, 10),
    ROW("tensor/add/n16000000", (VECTOR(16000000, 0, 1, 1), VECTOR(16000000, 0, 1, 2)), add_call,
        .elements = 48e6),
    ROW("tensor/add-out/n16000000", (VECTOR(16000000, 0, 1, 1), VECTOR(16000000, 0, 1, 2)), NULL,
        .elements = 48e6, .into = add_into),
    ROW("tensor/broadcast/4096x4096", (MATRIX(4096, 1, 0, 1, 1), MATRIX(1, 4096, 0, 1, 2)),
        add_call, .elements = 4096 * 4096.0),
    ROW("tensor/add-transposed/4096x4096", (TWO(4096, 0)), add_transposed,
        .elements = 3 * 4096 * 4096.0),
    ROW("tensor/add-strided/4096x4096", (TWO(4096, 0)), add_strided,
        .elements = 1.25 * 4096 * 4096),
    REDUCED(sum),
    REDUCED(max),
    REDUCED(mean),
    REDUCED(var),
    REDUCED(logsumexp),
    REDUCED1(softmax, ax0),
    REDUCED1(softmax, ax1),
    {.id = "tensor/sum-accuracy/n10000000/f32", .dtypes = ONLY32, .in = {VECTOR(10000000, 0, 1, 1)},
     .run = sum_all, .elements = 1e7, .n_check = 1},
    ROW("tensor/cumsum/n10000000", (VECTOR(10000000, 0, 1, 1)), cumsum_call, .elements = 2e7),
    ROW("tensor/sort/n1000000", (VECTOR(1000000, -1, 1, 1)), sort_call, .elements = 0),
    ROW("tensor/topk100/n1000000", (VECTOR(1000000, -1, 1, 1)), topk100, .elements = 1e6),
    {.id = "tensor/argsort/n1000000/f64", .dtypes = ONLY64, .in = {VECTOR(1000000, -1, 1, 1)},
     .run = argsort_call},
    {.id = "tensor/unique/n1000000/i64", .dtypes = ONLY64, .in = {INDEX(1000000, 100000, 1)},
     .run = unique_call},
    ROW("tensor/gather-rows/100000x64-1000000",
        (MATRIX(100000, 64, -1, 1, 1), INDEX(1000000, 100000, 3)), gather_call,
        .elements = 2 * 64e6),
    ROW("tensor/scatter-add/1000000x64-100000",
        (MATRIX(1000000, 64, -1, 1, 1), INDEX(1000000, 100000, 3)), scatter_add, .elements = 64e6),
    ROW("tensor/mask/n10000000", (VECTOR(10000000, -1, 1, 1)), mask, .elements = 1.5e7),
    ROW("tensor/where/n10000000", (VECTOR(10000000, -1, 1, 1), VECTOR(10000000, -1, 1, 2)),
        NULL, .elements = 3e7, .body = where_body),
    ROW("tensor/transpose-copy/4096x4096", (MATRIX(4096, 4096, -1, 1, 1)), transpose_copy,
        .elements = 2 * 4096 * 4096.0),
    ROW("tensor/concat8/n1000000", (EIGHT(1000000)), concat_call, .elements = 16e6),
    ROW("tensor/stack8-last/n1000000", (EIGHT(1000000)), stack_call, .elements = 16e6),
    {.id = "tensor/cast/n10000000/f64-f32", .dtypes = ONLY64, .in = {VECTOR(10000000, -1, 1, 1)},
     .run = cast_call, .elements = 1.5e7},
    PRODUCT(64),
    PRODUCT(256),
    PRODUCT(1024),
    ROW("tensor/matmul-batched/1000x32",
        (CUBE(1000, 32, 32, -1, 1, 1), CUBE(1000, 32, 32, -1, 1, 2)), matmul_call,
        .elements = 3 * 1024e3, .flops = 2 * 32768e3),
    ROW("tensor/matvec/4096", (MATRIX(4096, 4096, -1, 1, 1), VECTOR(4096, -1, 1, 2)), matmul_call,
        .elements = 4096 * 4096.0),
    ROW("tensor/einsum/bik,bkj-bij", (CUBE(64, 100, 50, -1, 1, 1), CUBE(64, 50, 80, -1, 1, 2)),
        einsum_batch, .flops = 2.0 * 64 * 100 * 50 * 80),
    ROW("tensor/einsum/ijk,jl-ilk", (CUBE(128, 96, 64, -1, 1, 1), MATRIX(96, 80, -1, 1, 2)),
        einsum_inner, .flops = 2.0 * 128 * 96 * 64 * 80),
    ROW("tensor/einsum/abc,cd,de-abe",
        (CUBE(32, 64, 96, -1, 1, 1), MATRIX(96, 128, -1, 1, 2), MATRIX(128, 16, -1, 1, 3)),
        einsum_chain, .flops = 2.0 * (96 * 128 * 16 + 32 * 64 * 96 * 16)),
    CONV("conv2d", .body = conv_body, .flops = 54.0 * 32 * 32 * 4096),
    CONV("conv2d-grad", .body = conv_square, .flops = 3 * 54.0 * 32 * 32 * 4096, .n_grad = 2),
};

/* ---- running ---------------------------------------------------------------------------- */

typedef struct running {
    const array_work *w;
    const agn_tensor *x[MOST_IN];
    agn_tensor *y[2];
    agn_fn *f;
    int n;
} running;

static void call(void *user)
{
    running *q = user;
    if (q->w->into) {
        TRY(q->w->into(q->y[0], q->x));
        return;
    }
    for (int k = 0; k < 2; k++) {
        agn_release(q->y[k]);
        q->y[k] = NULL;
    }
    if (q->f)
        TRY(agn_fn_call(q->y, agn_fn_n_out(q->f), q->f, q->x, agn_fn_n_in(q->f)));
    else
        TRY(q->w->run(q->y, q->x));
}

static int check(void *user, double *value)
{
    const running *q = user;
    int n = 0;
    for (int k = 0; k < 2 && q->y[k]; k++)
        n += bench_both(q->y[k], value + n);
    return q->w->n_check ? q->w->n_check : n;
}

static void prepare(running *q, agn_dtype dtype)
{
    for (const input *in = q->w->in; in < q->w->in + 3 && in->ndim; in++)
        for (int k = 0; k < (in->copies ? in->copies : 1); k++) {
            int salt = in->copies ? k : in->salt;
            agn_tensor *x = bench_grid(in->ndim, in->shape, in->lo, in->hi, salt,
                                       in->whole ? AGN_F64 : dtype);
            if (in->whole) {
                agn_tensor *i = NULL;
                TRY(agn_cast(&i, x, AGN_I64));
                agn_release(x);
                x = i;
            }
            q->x[q->n++] = x;
        }
    if (q->w->into)
        TRY(agn_empty(q->y, dtype, agn_ndim(q->x[0]), agn_shape(q->x[0]), AGN_CPU));
    if (q->w->body) {
        agn_fn *f = NULL, *g = NULL;
        TRY(agn_fn_new(&f, q->w->body, NULL, NULL, q->n, 1));
        if (q->w->n_grad)
            TRY(agn_fn_grad(&g, f, (const int32_t[]){0, 1}, q->w->n_grad));
        TRY(agn_fn_compile(&q->f, g ? g : f, NULL));
        agn_fn_release(f);
        agn_fn_release(g);
    }
}

static double bound_of(const array_work *w, agn_dtype dtype)
{
    double bytes = w->elements > 0 ? bench_bytes_ms(w->elements * (double)agn_dtype_size(dtype))
                                   : 0,
           flops = w->flops > 0 ? bench_flops_ms(w->flops, dtype) : 0;
    return bytes > flops ? bytes : flops;
}

static void bench_arrays(void)
{
    for (int i = 0; i < (int)(sizeof works / sizeof *works); i++)
        for (int f32 = 0; f32 < 2; f32++) {
            agn_dtype dtype = f32 ? AGN_F32 : AGN_F64;
            char id[80];
            running q = {.w = works + i};
            snprintf(id, sizeof id, q.w->id, f32 ? "f32" : "f64");
            if (!(q.w->dtypes >> dtype & 1) || !bench_asked(id))
                continue;
            prepare(&q, dtype);
            bench_measure(id, &(bench_work){call, check, &q, bound_of(q.w, dtype)});
            agn_release(q.y[0]);
            agn_release(q.y[1]);
            for (int k = 0; k < q.n; k++)
                agn_release((agn_tensor *)(uintptr_t)q.x[k]);
            agn_fn_release(q.f);
        }
}

/* ---- random numbers and files ----------------------------------------------------------- */

typedef struct draw {
    agn_tensor *key, *y;
    agn_dtype dtype;
    bool normal;
} draw;
static void draw_call(void *user)
{
    draw *d = user;
    static const int64_t n = 10000000;
    agn_release(d->y);
    d->y = NULL;
    TRY((d->normal ? agn_normal : agn_uniform)(&d->y, d->key, d->dtype, 1, &n));
}
static int nothing(void *user, double *value)
{
    (void)user, (void)value;
    return 0;
}

static void bench_random(void)
{
    for (int i = 0; i < 4; i++) {
        draw d = {.dtype = i % 2 ? AGN_F32 : AGN_F64, .normal = i >= 2};
        char id[80];
        snprintf(id, sizeof id, "tensor/random-%s/n10000000/%s", d.normal ? "normal" : "uniform",
                 i % 2 ? "f32" : "f64");
        if (!bench_asked(id))
            continue;
        agn_generator *g = NULL;
        TRY(agn_generator_new(&g, 1));
        TRY(agn_key(&d.key, g));
        bench_measure(id, &(bench_work){draw_call, nothing, &d,
                                        bench_bytes_ms(1e7 * (double)agn_dtype_size(d.dtype))});
        agn_release(d.key);
        agn_release(d.y);
        agn_generator_release(g);
    }
}

typedef struct npy_file {
    char path[64];
    agn_tensor *x, *y;
} npy_file;
static void npy_save(void *user)
{
    npy_file *f = user;
    TRY(agn_npy_save(f->path, f->x));
}
static void npy_load(void *user)
{
    npy_file *f = user;
    agn_release(f->y);
    f->y = NULL;
    TRY(agn_npy_load(&f->y, f->path));
}
static int npy_check(void *user, double *value)
{
    npy_file *f = user;
    npy_load(f);
    return bench_both(f->y, value);
}

static void bench_npy(void)
{
    static const int64_t n = 12500000;
    for (int save = 0; save < 2; save++) {
        const char *id = save ? "tensor/npy-save/100MB/f64" : "tensor/npy-load/100MB/f64";
        if (!bench_asked(id))
            continue;
        npy_file f = {.x = bench_grid(1, &n, -1, 1, 1, AGN_F64)};
        snprintf(f.path, sizeof f.path, "agnesi-bench-%ld.npy", (long)getpid());
        npy_save(&f);
        bench_measure(id, &(bench_work){save ? npy_save : npy_load, npy_check, &f,
                                        bench_bytes_ms(save ? 1e8 : 2e8)});
        remove(f.path);
        agn_release(f.x);
        agn_release(f.y);
    }
}

void bench_tensor(void)
{
    bench_arrays();
    bench_random();
    bench_npy();
}
