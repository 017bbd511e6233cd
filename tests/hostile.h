/* tests/hostile.h - a driver of seeded rounds that misuse the library, and what it may do:
 * succeed with the shape it says, or fail with its results untouched and a message that
 * begins with the name of an op. Nothing crashes, nothing stays alive. */
#ifndef AGN_HOSTILE_H
#define AGN_HOSTILE_H

#include <agnesi/agnesi.h>

#include "tap.h"

#include <time.h>

enum { ROOM = 4096, BIG = 1 << 24 };

/* ---- numbers ----------------------------------------------------------------------- */

static uint64_t state;

static uint64_t draw(void) /* splitmix64 */
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
static int below(int n)
{
    return (int)(draw() % (uint64_t)n);
}
static bool one_in(int n)
{
    return below(n) == 0;
}

static int64_t integer(void)
{
    static const int64_t odd[] = {INT64_MIN,      INT64_MAX,     INT64_MIN + 1, INT64_MAX - 1,
                                  INT32_MIN,      INT32_MAX,     (int64_t)1 << 62,
                                  -((int64_t)1 << 62), (int64_t)1 << 32, 33, -33, 1000003};
    return one_in(10) ? odd[below(12)] : below(8) - 4;
}
static double real(void)
{
    static const double odd[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, -0.0, 5e-324,
                                 1e308,       -1e308,           9.3e18,            1e-30, 170.5};
    return one_in(4) ? odd[below(10)] : (below(2001) - 1000) / 250.0;
}

/* ---- judging ------------------------------------------------------------------------ */

static uint64_t round_seed;
static int faults;
static int64_t tried, worked;
static bool verbose;

static void fault(const char *what, const char *of)
{
    if (faults++ < 20)
        diag("seed %" PRIu64 ": %s: %s; the message is \"%s\"", round_seed, of, what,
             agn_error_message());
}

/* a failure names an op: letters, digits and _, then a colon and more */
static void judge(agn_status st, const char *of)
{
    tried++;
    worked += !st;
    if (!st)
        return;
    const char *m = agn_error_message(), *p = m;
    while ((*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9') || *p == '_')
        p++;
    if (p == m || p[0] != ':' || p[1] != ' ' || !p[2])
        fault("the message names no op", of);
    if (!strcmp(m, "op_apply: op is NULL"))
        fault("a failure without a message", of);
    if (!strcmp(agn_status_name(st), "unknown status"))
        fault("a failure without a number", of);
}
static void forget(void)
{
    agn_tensor *y = NULL;
    if (!agn_op_apply(&y, 1, NULL, NULL, 0, NULL, 0, NULL, 0) || y)
        fault("NULL is an op", "op_apply");
}

static void judge_result(const agn_tensor *y, const char *of)
{
    int64_t n = 1;
    if (!y) {
        fault("success without a result", of);
        return;
    }
    if (agn_ndim(y) < 0 || agn_ndim(y) > AGN_MAX_RANK || !agn_dtype_size(agn_dtype_of(y)))
        fault("a result of no rank or dtype", of);
    for (int i = 0; i < agn_ndim(y); i++) {
        if (agn_shape(y)[i] < 0)
            fault("a negative size", of);
        if (agn_shape(y)[i] > 0 && n > INT64_MAX / agn_shape(y)[i])
            fault("more elements than can be counted", of);
        else
            n *= agn_shape(y)[i];
    }
    if (n != agn_numel(y))
        fault("the count of elements is not the product of the sizes", of);
    if (agn_is_symbolic(y) || n > 1 << 16)
        return;
    static unsigned char bytes[16 << 16]; /* every element is read */
    if (agn_to_host(bytes, y, (size_t)n * agn_dtype_size(agn_dtype_of(y))))
        fault("a result cannot be read", of);
}

/* ---- operands ------------------------------------------------------------------------- */

static void fill(void *p, agn_dtype dtype, int n)
{
    double v[2 * 64];
    int64_t shape = n;
    agn_tensor *x = NULL, *y = NULL;
    for (int i = 0; i < n; i++)
        v[i] = real();
    if (dtype == AGN_F64) {
        memcpy(p, v, (size_t)n * sizeof *v);
        return;
    }
    bool inexact = dtype == AGN_F16 || dtype == AGN_BF16 || dtype == AGN_F32 ||
                   dtype == AGN_C64 || dtype == AGN_C128;
    if (!inexact) {
        int64_t w[64];
        for (int i = 0; i < n; i++)
            w[i] = dtype == AGN_BOOL ? below(2) : dtype == AGN_U8 ? below(5) : integer();
        size_t size = agn_dtype_size(dtype);
        for (int i = 0; i < n; i++) /* little or big, the low bytes of a small type vary */
            for (size_t k = 0; k < size; k++)
                ((unsigned char *)p)[(size_t)i * size + k] =
                    (unsigned char)((uint64_t)w[i] >> 8 * k);
        return;
    }
    if (!agn_from_host(&x, AGN_F64, 1, &shape, v) && !agn_cast(&y, x, dtype) &&
        agn_to_host(p, y, (size_t)n * agn_dtype_size(dtype)))
        fault("cannot be read", "cast");
    agn_release(x);
    agn_release(y);
}

/* shapes of one round are alike, so that calls have a chance */
static int base_ndim;
static int64_t base[4];
static bool literal; /* a stack of literals is none, so its lanes promote otherwise */

static void choose_base(void)
{
    static const int64_t sizes[] = {0, 1, 1, 2, 2, 2, 3, 3, 5};
    base_ndim = below(4);
    for (int i = 0; i < 4; i++)
        base[i] = sizes[below(9)];
    if (one_in(3))
        base[0] = base[1] = base[2] = 2;
}

static agn_tensor *operand(int dtype)
{
    int64_t shape[AGN_MAX_RANK], stride[AGN_MAX_RANK];
    int n = one_in(4) ? below(4) : base_ndim, kind = below(8);
    if (one_in(200))
        n = AGN_MAX_RANK;
    for (int i = 0; i < n; i++)
        shape[i] = n == AGN_MAX_RANK ? 1 : one_in(8) ? 1 + below(2) : base[i % 4];
    if (dtype < 0)
        dtype = one_in(2) ? AGN_F64 : below(AGN_NDTYPES);
    agn_tensor *x = NULL;
    if (n == 0 && one_in(3)) {
        if (agn_lit(&x, real()))
            fault("failed", "lit");
        literal = true;
        return x;
    }
    /* within [-31, 31] elements of the middle for sizes to 5 and at most 3 axes */
    size_t size = agn_dtype_size((agn_dtype)dtype);
    double room[2 * 512]; /* 512 elements of the largest dtype, aligned */
    fill(room, (agn_dtype)dtype, 64);
    for (int k = 1; k < 8; k++)
        memcpy((char *)room + (size_t)k * 64 * size, room, 64 * size);
    int64_t step = 1, span = 0;
    for (int k = 0; k < n; k++) {
        int i = kind == 1 ? k : n - 1 - k; /* 1: column-major */
        stride[i] = step;
        if (kind == 2 && one_in(2))
            stride[i] = -step;
        if (kind == 3 && one_in(2))
            stride[i] = 0;
        if (kind == 4)
            stride[i] = below(7) - 3;
        step *= shape[i] > 0 ? shape[i] : 1;
        span += shape[i] > 0 ? (shape[i] - 1) * (stride[i] < 0 ? -stride[i] : stride[i]) : 0;
    }
    if (kind == 0 || kind > 4 || span > 255) {
        if (agn_from_host(&x, (agn_dtype)dtype, n, shape, room))
            fault("failed", "from_host");
        return x;
    }
    char *own = malloc(512 * size);
    if (!own)
        return NULL;
    memcpy(own, room, 512 * size);
    if (agn_wrap_host(&x, (agn_dtype)dtype, n, shape, stride, own + 256 * size, one_in(2), free,
                      own)) {
        fault("failed", "wrap_host");
        free(own);
    }
    return x;
}

/* ---- rounds ---- */

/* nothing may stay alive; what is kept for later calls does not grow with a repetition */
static void leak_round(uint64_t seed, void (*one_round)(void))
{
    int64_t before, after = 0;
    agn_memory_live(NULL, &before, NULL);
    state = round_seed = seed;
    one_round();
    agn_memory_live(NULL, &after, NULL);
    for (int again = 0; again < 2 && after != before; again++) {
        before = after;
        state = round_seed = seed;
        one_round();
        agn_memory_live(NULL, &after, NULL);
    }
    if (after != before)
        fault("blocks stay alive", "round");
}

/* memory is refused early: a hostile size is no reason to wait for the system */
static void *small_alloc(void *user, size_t bytes, size_t align)
{
    (void)user;
    return bytes > BIG ? NULL : aligned_alloc(align, (bytes + align - 1) / align * align);
}
static void small_free(void *user, void *p, size_t bytes)
{
    (void)user;
    (void)bytes;
    free(p);
}

static int hostile_main(int argc, char **argv, void (*one_round)(void))
{
    enum { ROUNDS = 1000 }; /* without an argument: the same calls on every machine */
    double seconds = argc > 1 ? atof(argv[1]) : 0;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    agn_allocator small = {sizeof small, NULL, small_alloc, small_free};
    if (agn_threads_set(1) || agn_allocator_set(&small))
        return 1;
    verbose = argc > 4;
    clock_t start = clock();
    int rounds = 0;
    do {
        if (argc > 3)
            diag("%" PRIu64, seed);
        leak_round(seed++, one_round);
        rounds++;
    } while (argc > 1 ? (double)(clock() - start) / CLOCKS_PER_SEC < seconds : rounds < ROUNDS);
    diag("%d rounds, %" PRId64 " calls, %" PRId64 " of them successful", rounds, tried, worked);
    if (rounds > 1)
        ok(worked > 0 && worked < tried, "some calls work and some fail");
    is_int(faults, 0, "each keeps the law");
    return done();
}

#endif
