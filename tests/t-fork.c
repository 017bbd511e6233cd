/* tests/t-fork.c - children forked while other threads are inside the library: whatever lock they held,
   the child finds it free and what it guards whole. */
#include "tests/laws.h"

#undef I /* of <complex.h> */

#include <pthread.h>
#include <stdatomic.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static agn_fn *any_size;         /* compiled for open shapes */
static agn_fn *specialised;      /* a plan for each shape */
static agn_tensor *matrix, *rhs; /* sparse */
static agn_generator *keys;

static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)user;
    out[0] = ag_sum_all(s, ag_square(s, ag_sin(s, in[0])));
    return agn_scope_status(s);
}

/* ---- what threads do, each its own -------------------------------------------------------------- */

static bool call(const agn_fn *f, int64_t n)
{
    agn_tensor *x = NULL, *y = NULL;
    const agn_tensor *in[1];
    must(agn_full(&x, AGN_F64, 1, &n, 1));
    in[0] = x;
    bool good = !agn_fn_call(&y, 1, f, in, 1);
    agn_release(x), agn_release(y);
    return good;
}
static bool open_shapes(int64_t i)
{
    return call(any_size, 16 + i % 400);
}
static bool plans(int64_t i)
{
    return call(specialised, 3 + i % 50);
}
static bool solve_by(int method, int64_t i)
{
    agn_tensor *a = NULL, *v = NULL, *w = NULL, *y = NULL, *by = scalar_of(AGN_F64, 1 + (double)(i % 7));
    agn_sparse_solver o = {.size = sizeof o, .method = method};
    bool good = !agn_sparse_values(&v, matrix) && !agn_mul(&w, v, by) &&
                !agn_sparse_with_values(&a, matrix, w) && !agn_sparse_solve_with(&y, a, rhs, &o);
    agn_release(a), agn_release(v), agn_release(w), agn_release(y), agn_release(by);
    return good;
}
static bool by_klu(int64_t i)
{
    return solve_by(AGN_SPARSE_KLU, i);
}
static bool by_umfpack(int64_t i)
{
    return solve_by(AGN_SPARSE_LU, i);
}
static bool by_cholmod(int64_t i)
{
    return solve_by(AGN_SPARSE_CHOLESKY, i);
}
static bool transform(int64_t i)
{
    agn_tensor *x = NULL, *y = NULL;
    must(agn_full(&x, AGN_F64, 1, (int64_t[]){8 + i % 300}, 1));
    bool good = !agn_fft_rfft(&y, x, 0, -1, AGN_FFT_BACKWARD);
    agn_release(x), agn_release(y);
    return good;
}
static bool draw(int64_t i)
{
    bool good = true;
    for (int k = 0; k < 100 && good; k++) {
        agn_tensor *key = NULL;
        good = !agn_key(&key, keys);
        agn_release(key);
    }
    (void)i;
    return good;
}
static bool hooks(int64_t i)
{
    (void)i;
    bool good = true;
    for (int k = 0; k < 100 && good; k++)
        good = !agn_hooks_set(NULL);
    return good;
}
static bool devices(int64_t i)
{
    int32_t d = 9;
    const char *why = "";
    char name[32];
    snprintf(name, sizeof name, "absent%d", (int)(i % 8));
    return agn_backend_status(name, &why) == 0 && !agn_device_find(&d, "cpu") && d == AGN_CPU;
}
static bool large_blocks(int64_t i)
{
    agn_tensor *x = NULL;
    bool good = !agn_empty(&x, AGN_F64, 1, (int64_t[]){(1 << 20) + 64 * (i % 3)}, AGN_CPU);
    agn_release(x);
    return good;
}

static const struct {
    const char *name;
    bool (*run)(int64_t i);
} works[] = {
    {"open shapes", open_shapes}, {"plans", plans},       {"KLU", by_klu},
    {"UMFPACK", by_umfpack},      {"CHOLMOD", by_cholmod}, {"FFT plans", transform},
    {"keys", draw},               {"hooks", hooks},       {"back ends", devices},
    {"large blocks", large_blocks},
};

/* ---- load ------------------------------------------------------------------------------------------- */

enum { THREADS = 3 };
static atomic_bool stop;
static atomic_int wrong;
static int work;

static void *load(void *user)
{
    for (int64_t i = (intptr_t)user * 1000; !atomic_load(&stop); i++)
        if (!works[work].run(i))
            atomic_fetch_add(&wrong, 1);
    return NULL;
}

/* children forked while threads do one work do all of it, and end */
static void test_work(int k)
{
    pthread_t thread[THREADS];
    int64_t forks = tap_scale(24);
    int hung = 0, failed = 0;
    work = k;
    atomic_store(&stop, false);
    atomic_store(&wrong, 0);
    for (int t = 0; t < THREADS; t++)
        if (pthread_create(&thread[t], NULL, load, (void *)(intptr_t)(t + 1)))
            bail_out("no thread");
    for (int64_t i = 0; i < forks; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 700000 + 130000 * (i % 7)}, NULL);
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            bool good = true;
            signal(SIGALRM, SIG_DFL);
            alarm(30);
            for (int64_t j = 0; j < 12 && good; j++)
                good = works[k].run(5 * j + i);
            _exit(good ? 0 : 1);
        }
        int status = 0;
        waitpid(child, &status, 0);
        hung += WIFSIGNALED(status);
        failed += WIFEXITED(status) && WEXITSTATUS(status) != 0;
    }
    atomic_store(&stop, true);
    for (int t = 0; t < THREADS; t++)
        pthread_join(thread[t], NULL);
    ok(!hung && !failed && !atomic_load(&wrong), "%s: of %" PRId64 " children %d hung, %d failed",
       works[k].name, forks, hung, failed);
}

/* many locks, and objects that come and go, while a thread forks */
static void *come_and_go(void *user)
{
    (void)user;
    while (!atomic_load(&stop)) {
        agn_generator *g = NULL;
        agn_tensor *key = NULL;
        must(agn_generator_new(&g, 1));
        must(agn_key(&key, g));
        agn_release(key);
        agn_generator_release(g);
    }
    return NULL;
}

static void test_coming(void)
{
    pthread_t thread[THREADS];
    int bad = 0;
    atomic_store(&stop, false);
    for (int t = 0; t < THREADS; t++)
        if (pthread_create(&thread[t], NULL, come_and_go, NULL))
            bail_out("no thread");
    for (int64_t i = 0; i < tap_scale(100); i++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(30);
            _exit(draw(0) ? 0 : 1);
        }
        int status = 0;
        waitpid(child, &status, 0);
        bad += status != 0;
    }
    atomic_store(&stop, true);
    for (int t = 0; t < THREADS; t++)
        pthread_join(thread[t], NULL);
    is_int(bad, 0, "generators that come and go while others fork");
}

int main(void)
{
    enum { N = 60 };
    agn_fn *f = NULL;
    agn_tensor *dense = NULL;
    double *v = calloc(N * N, sizeof *v);
    if (!v)
        bail_out("no memory");
    for (int i = 0; i < N; i++) {
        v[i * N + i] = 4;
        if (i + 1 < N)
            v[i * N + i + 1] = v[(i + 1) * N + i] = -1;
    }
    dense = of_reals(AGN_F64, 2, (int64_t[]){N, N}, v);
    free(v);
    must(agn_sparse_from_dense(&matrix, dense));
    must(agn_full(&rhs, AGN_F64, 1, (int64_t[]){N}, 1));
    must(agn_generator_new(&keys, 1));
    must(agn_fn_new(&f, body, NULL, NULL, 1, 1));
    must(agn_fn_compile(&any_size, f,
                        &(agn_compile_options){.size = sizeof(agn_compile_options),
                                               .open = (const char *const[]){"n"}}));
    must(agn_fn_compile(&specialised, f, NULL));
    for (int k = 0; k < COUNT(works); k++)
        test_work(k);
    test_coming();
    agn_fn_release(f), agn_fn_release(any_size), agn_fn_release(specialised);
    agn_generator_release(keys);
    agn_release(dense), agn_release(matrix), agn_release(rhs);
    return done();
}
