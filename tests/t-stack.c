/* tests/t-stack.c - threads with little stack, and functions that nest without end: both work or fail with
   an error, in processes of their own. */
#include "tests/laws.h"

#undef I /* of <complex.h> */

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static agn_tensor *x, *v, *places, *sparse, *rhs, *few, *number;
static const int32_t first[] = {0};

static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)user;
    out[0] = ag_sum_all(s, ag_square(s, ag_sin(s, ag_matmul(s, in[0], in[0]))));
    return agn_scope_status(s);
}

/* ---- what threads do ------------------------------------------------------------------------- */

static agn_status call_of(agn_status (*make)(agn_fn **out, const agn_fn *f))
{
    agn_fn *f = NULL, *g = NULL;
    agn_tensor *y = NULL;
    agn_status st = agn_fn_new(&f, body, NULL, NULL, 1, 1);
    if (!st)
        st = make(&g, f);
    if (!st)
        st = agn_fn_call(&y, 1, g, AGN_ARGS(x));
    agn_release(y);
    agn_fn_release(f), agn_fn_release(g);
    return st;
}
static agn_status grad(agn_fn **out, const agn_fn *f)
{
    return agn_fn_grad(out, f, first, 1);
}
static agn_status compiled_grad(agn_fn **out, const agn_fn *f)
{
    agn_fn *g = NULL;
    agn_status st = agn_fn_grad(&g, f, first, 1);
    st = st ? st : agn_fn_compile(out, g, NULL);
    agn_fn_release(g);
    return st;
}

#define WORK(name, call)                \
    static agn_status work_##name(void) \
    {                                   \
        agn_tensor *y = NULL;           \
        agn_status st = call;           \
        agn_release(y);                 \
        return st;                      \
    }
WORK(add, agn_add(&y, x, x))
WORK(pow, agn_pow(&y, few, number))
WORK(exp, agn_exp(&y, few))
WORK(matmul, agn_matmul(&y, x, x))
WORK(sort, agn_sort(&y, v, 0, false))
WORK(argsort, agn_argsort(&y, v, 0, true))
WORK(median, agn_median(&y, v, NULL, 0, false))
WORK(quantile, agn_quantile(&y, v, (const double[]){0.1, 0.9}, 2, NULL, 0, false, 0))
WORK(bincount, agn_bincount(&y, places, NULL, -1))
WORK(lgamma, agn_lgamma(&y, x))
WORK(solve, agn_linalg_solve(&y, x, x))
WORK(fft, agn_fft_rfft(&y, x, 0, -1, 0))
WORK(einsum, agn_einsum(&y, "ij,kj->ik", (const agn_tensor *[]){x, x}, 2))
WORK(sparse_solve, agn_sparse_solve(&y, sparse, rhs))
WORK(grad, call_of(grad))
WORK(compile, call_of(compiled_grad))

static const struct work {
    const char *name;
    agn_status (*run)(void);
} works[] = {
#define ROW(name) {#name, work_##name}
    ROW(add), ROW(matmul), ROW(sort), ROW(argsort), ROW(median), ROW(quantile), ROW(bincount),
    ROW(lgamma), ROW(solve), ROW(fft), ROW(einsum), ROW(sparse_solve), ROW(grad), ROW(compile),
};

/* 0: it works, 1: the stack is said to be short, 2: anything else */
static void *run(void *user)
{
    const struct work *w = user;
    agn_status st = w->run();
    bool said = st == AGN_ENOMEM && strstr(agn_error_message(), "this thread's stack are left");
    _exit(!st ? 0 : said ? 1 : 2);
}

/* how a process ends whose thread with so many KB does the work: as above, 3 without a thread, or minus a
   signal */
static int with_stack(const struct work *w, size_t kb)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        pthread_attr_t a;
        pthread_t t;
        if (pthread_attr_init(&a) || pthread_attr_setstacksize(&a, kb << 10) ||
            pthread_create(&t, &a, run, (void *)(uintptr_t)w))
            _exit(3);
        pthread_join(t, NULL);
        _exit(2);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static void test_small_stacks(void)
{
    static const size_t less[] = {112, 128, 160, 192, 224};
    int said = 0;
    for (int k = 0; k < COUNT(works); k++) {
        is_int(with_stack(&works[k], 256), 0, "%s with 256 KB works", works[k].name);
        for (int i = 0; i < COUNT(less); i++) {
            int end = with_stack(&works[k], less[i]);
            ok(end == 0 || end == 1 || end == 3, "%s with %d KB works or says why not: %d", works[k].name,
               (int)less[i], end);
            said += end == 1;
        }
    }
    diag("%d times a stack was too short", said);
}

/* Loops over elements in order need less than other kernels: what is said to be enough is. */
static void test_loops(void)
{
    static const struct work loops[] = {ROW(add), ROW(pow), ROW(exp)};
    for (int k = 0; k < COUNT(loops); k++) {
        int ends = 0;
        for (size_t kb = 100; kb < 144; kb++) {
            int end = with_stack(&loops[k], kb);
            ends += end == 0 || end == 1 || end == 3;
        }
        is_int(ends, 44, "%s with 100 to 143 KB works or says why not", loops[k].name);
        is_int(with_stack(&loops[k], TAP_SANITIZED ? 256 : 128), 0, "with 128 KB it works");
    }
}

/* ---- nesting ------------------------------------------------------------------------------------- */

static agn_status endless(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    agn_fn *const *f = user;
    return agn_fn_apply(s, out, 1, *f, in, 1);
}

/* with a stack that holds as many as there may be, and with one that does not */
static agn_status work_endless(void)
{
    agn_fn *f = NULL;
    agn_tensor *y = untouched;
    agn_status st = agn_fn_new(&f, endless, &f, NULL, 1, 1);
    if (!st)
        st = agn_fn_call(&y, 1, f, AGN_ARGS(x));
    agn_fn_release(f);
    return y == untouched ? st : AGN_OK;
}

static void test_nesting(void)
{
    static const struct work work = {"endless", work_endless};
    int64_t before, after;
    agn_memory_live(&before, NULL, NULL);
    for (int k = 0; k < 2; k++) { /* and again, as if nothing had been */
        agn_status st = work_endless();
        ok(st == AGN_EUNSUPPORTED || st == AGN_ENOMEM, "a body that calls itself without end: %s",
           agn_error_message());
    }
    agn_memory_live(&after, NULL, NULL);
    ok(after <= before + (1 << 16), "leaves nothing behind: %" PRId64 " bytes", after - before);
    int end = with_stack(&work, 256);
    ok(end == 1 || end == 2, "nor does a thread with 256 KB die of it: %d", end);
}

int main(void)
{
    enum { N = 200, LONG = 100000 };
    double *p = room_for(LONG * sizeof *p);
    for (int i = 0; i < LONG; i++)
        p[i] = (double)((i * 7919) % 10007) / 10007 + (i < N * N && i % (N + 1) == 0 ? N : 0);
    x = of_reals(AGN_F64, 2, (int64_t[]){N, N}, p);
    v = of_reals(AGN_F64, 1, (int64_t[]){LONG}, p);
    for (int i = 0; i < LONG; i++)
        p[i] = i % 1000;
    places = of_reals(AGN_I64, 1, (int64_t[]){LONG}, p);
    free(p);
    agn_tensor *unit = NULL;
    must(agn_eye(&unit, AGN_F64, N, N, 0));
    must(agn_sparse_from_dense(&sparse, unit));
    must(agn_full(&rhs, AGN_F64, 1, (int64_t[]){N}, 1));
    agn_release(unit);
    test_nesting();
    must(agn_full(&few, AGN_C128, 1, (int64_t[]){7}, 1));
    must(agn_full(&number, AGN_F32, 0, NULL, 2));
    test_small_stacks();
    test_loops();
    agn_release(few), agn_release(number);
    agn_release(x), agn_release(v), agn_release(places), agn_release(sparse), agn_release(rhs);
    return done();
}
