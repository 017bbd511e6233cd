/* The queue and the memory of a CUDA device: the caller's own stream, marks and their faults, copies
   that are not waited for and between peers, kinds of memory, fills, calls on the host, time. */
#include "cuda.h"

#include <agnesi/fft.h>

#include <sys/wait.h>
#include <unistd.h>

static int32_t peer;
static bool two; /* devices */

static bool says(const char *part)
{
    if (strstr(agn_error_message(), part))
        return true;
    diag("message: %s", agn_error_message());
    return false;
}

static agn_tensor *ramp(int64_t n)
{
    agn_tensor *x = NULL, *y = NULL;
    must(agn_arange(&x, AGN_F64, 0, (double)n, 1));
    y = on_device(x);
    agn_release(x);
    return y;
}

enum { NO_EMULATOR = 77 };

/* which device is too old, and what then is there, in a process of its own */
static int play_old(const char *which)
{
    const char *why = "";
    int32_t first, second;
    agn_tensor *h = NULL, *x = NULL, *y = NULL;
    setenv("EMULATOR_OLD", which, 1);
    int32_t n = agn_backend_status("cuda", &why);
    if (n <= 0 || !emulator_symbol("agn_emulator_count"))
        return NO_EMULATOR;
    must(agn_arange(&h, AGN_F64, 0, 3, 1));
    if (which[0] == '1')
        return n == 1 && !agn_device_find(&first, "cuda:0") && !agn_to_device(&x, h, first) ? 0 : 1;
    if (n != 2 || agn_device_find(&first, "cuda:0") || agn_device_find(&second, "cuda:1"))
        return 2;
    if (agn_to_device(&x, h, first) != AGN_EDEVICE || x ||
        !says("of no use: device 0 has compute capability 6.0"))
        return 3;
    if (agn_to_device(&x, h, second) || agn_add(&y, x, x) || agn_device_synchronize(second))
        return 4;
    return agn_device_synchronize(first) == AGN_EDEVICE && says("7.5 is needed") ? 0 : 5;
}

/* in a child, before this process has a device of its own */
static int run_old(const char *which)
{
    int status = -1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        _exit(play_old(which));
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void report_old(int code, const char *what)
{
    if (code == NO_EMULATOR)
        skip("%s: only an emulated device is old on request", what);
    else
        is_int(code, 0, "%s", what);
}

static void test_properties(void)
{
    agn_device_properties p = {.size = sizeof p};
    must(agn_device_get_properties(&p, cuda));
    diag("%s, %d.%d, %d units, %lld of %lld bytes free", p.name, (int)p.version[0],
         (int)p.version[1], (int)p.units, (long long)p.memory_free, (long long)p.memory_total);
    ok(*p.name && 10 * p.version[0] + p.version[1] >= 75 && p.units > 0 && p.memory_free > 0 &&
           p.memory_free <= p.memory_total && (p.memory_kinds & 3) == 3,
       "a device says what it is");
}

static void test_fills(void)
{
    static const size_t count[] = {1, 255, 257, 100003};
    const char value[17] = "0123456789abcdef";
    static char back[16 * 100003];
    for (size_t bytes = 1; bytes <= 16; bytes *= 2) {
        bool right = true;
        for (int i = 0; i < COUNT(count); i++) {
            char *p = NULL;
            size_t all = bytes * count[i];
            must(agn_device_alloc((void **)&p, cuda, AGN_MEMORY_DEVICE, all + 16));
            must(agn_device_fill(cuda, p, "~", 1, all + 16));
            must(agn_device_fill(cuda, p, value, bytes, count[i]));
            must(agn_device_copy(NULL, AGN_CPU, back, cuda, p, all));
            for (size_t k = 0; right && k < count[i]; k++)
                right = !memcmp(back + k * bytes, value, bytes);
            must(agn_device_copy(NULL, AGN_CPU, back, cuda, p + all, 16));
            right = right && back[0] == '~' && back[15] == '~';
            agn_device_free(cuda, AGN_MEMORY_DEVICE, p, all + 16);
        }
        ok(right, "a fill of values of %d bytes, and no more", (int)bytes);
    }
}

static void test_copies(void)
{
    enum { N = 1000 };
    double *pinned = NULL, *back = NULL;
    agn_tensor *x = ramp(N), *y = NULL;
    uint64_t mark = 0;
    void *p = NULL;
    must(agn_device_alloc((void **)&pinned, cuda, AGN_MEMORY_PINNED, N * sizeof *pinned));
    must(agn_device_alloc((void **)&back, cuda, AGN_MEMORY_PINNED, N * sizeof *back));
    must(agn_device_alloc(&p, cuda, AGN_MEMORY_DEVICE, N * sizeof *back));
    for (int i = 0; i < N; i++)
        pinned[i] = i * 0.5, back[i] = -1;
    must(agn_device_copy(NULL, cuda, p, AGN_CPU, pinned, N * sizeof *pinned));
    pinned[0] = 99; /* the copy has been waited for */
    must(agn_device_copy(&mark, AGN_CPU, back, cuda, p, N * sizeof *back));
    must(agn_device_wait(cuda, mark));
    ok(back[0] == 0 && back[N - 1] == (N - 1) * 0.5, "to the device, and back by a mark");
    must(agn_device_copy(&mark, cuda, p, AGN_CPU, pinned, N * sizeof *pinned));
    must(agn_device_copy(&mark, AGN_CPU, back, cuda, p, N * sizeof *back));
    must(agn_device_wait(cuda, mark));
    ok(back[0] == 99, "both without waiting between them");
    agn_device_free(cuda, AGN_MEMORY_PINNED, pinned, N * sizeof *pinned);
    agn_device_free(cuda, AGN_MEMORY_DEVICE, p, N * sizeof *back);
    must(agn_device_alloc((void **)&pinned, cuda, AGN_MEMORY_MANAGED, N * sizeof *pinned));
    memset(pinned, 0, N * sizeof *pinned);
    ok(pinned[N - 1] == 0, "managed memory is the host's as well");
    agn_device_free(cuda, AGN_MEMORY_MANAGED, pinned, N * sizeof *pinned);
    if (!two) {
        skip("peers: there is one device");
    } else {
        agn_tensor *z = NULL, *w = NULL;
        must(agn_mul_c(&y, x, 2));
        must(agn_to_device(&z, y, peer));
        agn_release(y); /* the copy waits on the other queue: this memory may be used again */
        must(agn_mul_c(&y, x, -3));
        must(agn_add(&w, z, z));
        must(agn_to_host(back, w, N * sizeof *back));
        bool right = agn_device_of(w) == peer;
        for (int i = 0; i < N; i++)
            right = right && back[i] == 4.0 * i;
        ok(right, "a copy to a peer comes after what made it, and before what uses it");
        long (*count)(const char *) = NULL;
        void *f = emulator_symbol("agn_emulator_count");
        memcpy(&count, &f, sizeof f);
        if (count)
            ok(count("copy between devices") == 1, "without the host");
        else
            skip("how it was copied: the device is a real one");
        agn_release(y), agn_release(z), agn_release(w);
    }
    agn_device_free(cuda, AGN_MEMORY_PINNED, back, N * sizeof *back);
    agn_release(x);
}

/* faults by marks, also where more marks follow than there are words for faults */
static void test_faults(int marks_between)
{
    agn_tensor *x = ramp(3), *i = NULL, *far = NULL, *y = NULL, *z = NULL;
    uint64_t before = 0, behind = 0, last = 0;
    must(agn_from_host(&i, AGN_I64, 1, (int64_t[]){2}, (int64_t[]){0, 3}));
    far = on_device(i);
    must(agn_device_record(&before, cuda));
    must(agn_gather(&y, x, far, 0));
    must(agn_device_record(&behind, cuda));
    for (int k = 0; k < marks_between; k++) {
        must(agn_add(&z, x, x));
        agn_release(z);
        z = NULL;
    }
    must(agn_device_record(&last, cuda));
    if (!marks_between) {
        is_int(agn_device_wait(cuda, before), AGN_OK, "no fault before the mark");
        is_int(agn_device_wait(cuda, behind), AGN_EINDEX, "but behind it");
    } else {
        is_int(agn_device_wait(cuda, last), AGN_EINDEX, "%d pieces of work later", marks_between);
    }
    ok(says("gather: index at place 1"), "in words");
    is_int(agn_device_wait(cuda, last), AGN_OK, "once");
    is_int(agn_device_synchronize(cuda), AGN_OK, "to whoever asks");
    agn_release(y);
    y = NULL;
    must(agn_gather(&y, x, far, 0));
    is_int(agn_device_wait(cuda, last), AGN_OK, "nothing of what came later");
    is_int(agn_device_synchronize(cuda), AGN_EINDEX, "which a wait for all tells");
    is_int(agn_device_wait(cuda, last + 1000), AGN_EDEVICE, "a mark that was not made");
    agn_release(x), agn_release(i), agn_release(far), agn_release(y);
}

static agn_status curve(void *user, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    (void)user;
    out[0] = ag_tanh(s, ag_mul(s, in[0], ag_exp(s, ag_neg(s, in[0]))));
    return agn_scope_status(s);
}

typedef void *stream;
/* of the runtime that the module is linked with */
static int (*stream_create)(stream *s, unsigned flags);
static int (*stream_destroy)(stream s);
static int (*stream_synchronize)(stream s);
static bool find_runtime(void)
{
    char path[4096];
    const char *folder = getenv("AGNESI_BACKEND_PATH");
    snprintf(path, sizeof path, "%s/libagnesi-cuda.so", folder ? folder : "");
    void *module = folder ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL;
    void *f[3] = {module ? dlsym(module, "cudaStreamCreateWithFlags") : NULL,
                  module ? dlsym(module, "cudaStreamDestroy") : NULL,
                  module ? dlsym(module, "cudaStreamSynchronize") : NULL};
    memcpy(&stream_create, &f[0], sizeof f[0]);
    memcpy(&stream_destroy, &f[1], sizeof f[1]);
    memcpy(&stream_synchronize, &f[2], sizeof f[2]);
    return f[0] && f[1] && f[2];
}

static void test_streams(void)
{
    enum { NON_BLOCKING = 1, N = 100 };
    stream mine = NULL, other = NULL;
    void *own = NULL, *now = NULL;
    double v[N], w[N];
    if (!find_runtime()) {
        skip("streams: the runtime is not to be found");
        return;
    }
    ok(!stream_create(&mine, NON_BLOCKING) && !stream_create(&other, NON_BLOCKING),
       "two streams of ours");
    must(agn_device_stream(&own, cuda));
    agn_tensor *x = ramp(N), *y = NULL, *z = NULL;
    agn_fn *f = NULL, *plan = NULL;
    must(agn_fn_new(&f, curve, NULL, NULL, 1, 1));
    must(agn_fn_compile(&plan, f, NULL));
    must(agn_fn_call(&y, 1, plan, (const agn_tensor *[]){x}, 1));
    must(agn_to_host(w, y, sizeof w));
    agn_release(y);
    agn_tensor *bins[2] = {NULL}, *here[2];
    must(agn_fft_rfft(&bins[0], x, 0, 0, 0));
    y = NULL;
    must(agn_mul_c(&y, x, 2));
    must(agn_device_set_stream(cuda, mine));
    must(agn_device_stream(&now, cuda));
    ok(own && own != mine && now == mine, "work is queued on one of them");
    must(agn_add(&z, y, y));
    agn_release(y);
    y = NULL;
    must(agn_to_host(v, z, sizeof v));
    ok(v[N - 1] == 4.0 * (N - 1), "after what was queued before");
    agn_release(z);
    must(agn_fft_rfft(&bins[1], x, 0, 0, 0));
    for (int k = 0; k < 2; k++)
        here[k] = on_host(bins[k]);
    ok(same_values(here[0], here[1]), "a transform, whose plan was made with the other stream");
    for (int k = 0; k < 2; k++)
        agn_release(bins[k]), agn_release(here[k]);
    for (int k = 0; k < 4;
         k++) { /* the plan was made with the other stream; its launches become a graph */
        must(agn_fn_call(&y, 1, plan, (const agn_tensor *[]){x}, 1));
        ok(!stream_synchronize(mine), "a plan runs on it");
        must(agn_to_host(v, y, sizeof v));
        ok(!memcmp(v, w, sizeof v), "with the same numbers");
        agn_release(y);
        y = NULL;
    }
    must(agn_device_wait_stream(cuda, other));
    must(agn_stream_wait_device(other, cuda));
    ok(!stream_synchronize(other), "streams wait for each other");
    must(agn_device_set_stream(cuda, NULL));
    must(agn_device_stream(&now, cuda));
    ok(now == own, "the device's own is set again");
    must(agn_device_synchronize(cuda));
    ok(!stream_destroy(mine) && !stream_destroy(other), "ours are done with");
    must(agn_exp(&y, x));
    must(agn_device_synchronize(cuda));
    agn_release(x), agn_release(y);
    agn_fn_release(f), agn_fn_release(plan);
}

static int calls;
static void count_call(void *user)
{
    calls += *(int *)user;
}

static void test_calls_and_time(void)
{
    int two_of_them = 2;
    void *t = NULL;
    double seconds = -1;
    agn_tensor *x = ramp(10), *y = NULL;
    must(agn_device_timer_start(&t, cuda));
    must(agn_add(&y, x, x));
    must(agn_device_call_host(cuda, count_call, &two_of_them));
    must(agn_device_timer_stop(&seconds, cuda, t));
    ok(seconds > 0 && seconds < 60, "time on the device: %g", seconds);
    is_int(calls, 2, "the host was called in its turn");
    agn_release(x), agn_release(y);
}

static agn_status embed(void *user, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    (void)user;
    const agn_tensor *sum = ag_scatter_add(s, in[0], in[1], in[2], 0);
    out[0] = ag_exp(s, ag_neg(s, ag_add(s, sum, ag_mul(s, sum, sum))));
    out[1] = ag_sort(s, in[2], 0, false);
    return agn_scope_status(s);
}

/* kernels that work in memory of their own: a plan lends it, so that its launches become a graph */
static void test_workspaces(void)
{
    enum { N = 2000, ROWS = 7 };
    static int64_t at[N];
    static double value[N];
    agn_tensor *h[3] = {NULL}, *d[3], *want[2], *have[2];
    agn_fn *f = NULL, *plan = NULL;
    for (int i = 0; i < N; i++)
        at[i] = (int64_t)i * i % ROWS, value[i] = sin(i);
    must(agn_full(&h[0], AGN_F64, 1, (int64_t[]){ROWS}, 0.5));
    must(agn_from_host(&h[1], AGN_I64, 1, (int64_t[]){N}, at));
    must(agn_from_host(&h[2], AGN_F64, 1, (int64_t[]){N}, value));
    for (int i = 0; i < 3; i++)
        d[i] = on_device(h[i]);
    must(agn_fn_new(&f, embed, NULL, NULL, 3, 2));
    must(agn_fn_compile(&plan, f, NULL));
    must(agn_fn_call(want, 2, f, (const agn_tensor *const *)h, 3));
    must(agn_fn_call(have, 2, f, (const agn_tensor *const *)d, 3));
    ok(worst_ulps(have[0], want[0]) <= 4 && worst_ulps(have[1], want[1]) == 0,
       "sorts and sums by index");
    long (*count)(const char *) = NULL;
    void *p = emulator_symbol("agn_emulator_count");
    memcpy(&count, &p, sizeof p);
    bool right = true;
    long graphs = count ? count("cudaGraphLaunch") : 0, memory = 0;
    for (int k = 0; k < 6; k++) {
        memory = count ? count("cudaMallocAsync") : 0;
        must(agn_fn_call_into(have, 2, plan, (const agn_tensor *const *)d, 3));
        memory = count ? count("cudaMallocAsync") - memory : 0;
        right = right && worst_ulps(have[0], want[0]) <= 4 && worst_ulps(have[1], want[1]) == 0;
    }
    ok(right, "in a plan, too");
    if (count)
        ok(memory == 0 && count("cudaGraphLaunch") > graphs,
           "whose launches are a graph without memory of its own");
    else
        skip("what was queued: the device is a real one");
    for (int i = 0; i < 3; i++)
        agn_release(h[i]), agn_release(d[i]);
    for (int i = 0; i < 2; i++)
        agn_release(want[i]), agn_release(have[i]);
    agn_fn_release(f), agn_fn_release(plan);
}

/* cuSPARSE takes not every index type and size: kernels of ours then do */
static void test_sparse_refused(void)
{
    enum { ROWS = 50, COLS = 40, N = 200, WIDE = 3 };
    int64_t at[2][N];
    double v[N];
    long (*count)(const char *) = NULL;
    void *f = emulator_symbol("agn_emulator_count");
    memcpy(&count, &f, sizeof f);
    agn_tensor *places = NULL, *value = NULL, *x = NULL, *far[2], *a[2], *y[3] = {NULL};
    for (int i = 0; i < N; i++) {
        at[0][i] = i / 4, at[1][i] = i % 4 * 10 + i % 7;
        v[i] = cos(i);
    }
    must(agn_from_host(&places, AGN_I64, 2, (int64_t[]){2, N}, at));
    must(agn_from_host(&value, AGN_F64, 1, (int64_t[]){N}, v));
    must(agn_linspace(&far[1], AGN_F64, -1, 1, COLS * WIDE));
    must(agn_reshape(&x, far[1], 2, (int64_t[]){COLS, WIDE}));
    agn_release(far[1]);
    far[0] = on_device(value), far[1] = on_device(x);
    must(agn_sparse_coo(&a[0], 2, (int64_t[]){ROWS, COLS}, places, value));
    must(agn_sparse_coo(&a[1], 2, (int64_t[]){ROWS, COLS}, places, far[0]));
    must(agn_sparse_matmul(&y[0], a[0], x));
    must(agn_sparse_matmul(&y[2], a[1], far[1])); /* takes the pattern to the device */
    must(agn_device_synchronize(cuda));
    agn_release(y[2]);
    long before = count ? count("launches") : 0;
    must(agn_sparse_matmul(&y[1], a[1], far[1]));
    must(agn_device_synchronize(cuda));
    long by_library = count ? count("launches") - before : 0;
    before += by_library;
    setenv("EMULATOR_CUSPARSE", "refuse", 1);
    must(agn_sparse_matmul(&y[2], a[1], far[1]));
    must(agn_device_synchronize(cuda));
    unsetenv("EMULATOR_CUSPARSE");
    ok(relative(y[1], y[0]) <= 1e-14 && relative(y[2], y[0]) <= 1e-14,
       "a sparse product, and where cuSPARSE refuses");
    if (count)
        is_int(count("launches") - before, by_library + 1, "which a kernel of ours takes");
    else
        skip("a refusal of cuSPARSE: only the emulated one refuses on request");
    for (int i = 0; i < 2; i++)
        agn_release(far[i]), agn_release(a[i]);
    for (int i = 0; i < 3; i++)
        agn_release(y[i]);
    agn_release(places), agn_release(value), agn_release(x);
}

/* What cuSPARSE finds out about a pattern is kept with it: products with vectors use it, also those of other
   values. */
static void test_sparse_vectors(void)
{
    enum { ROWS = 50, COLS = 40, N = 200, TIMES = 5 };
    int64_t begin[ROWS + 1], column[N];
    double v[N];
    long (*count)(const char *) = NULL;
    void *f = emulator_symbol("agn_emulator_count");
    memcpy(&count, &f, sizeof f);
    agn_tensor *rows = NULL, *columns = NULL, *value = NULL, *x = NULL, *far[2], *a[2], *want = NULL, *y = NULL;
    for (int i = 0; i < N; i++)
        column[i] = i % 4 * 10 + i % 7, v[i] = cos(i);
    for (int i = 0; i <= ROWS; i++)
        begin[i] = 4 * i;
    must(agn_from_host(&rows, AGN_I64, 1, (int64_t[]){ROWS + 1}, begin));
    must(agn_from_host(&columns, AGN_I64, 1, (int64_t[]){N}, column));
    must(agn_from_host(&value, AGN_F64, 1, (int64_t[]){N}, v));
    must(agn_linspace(&x, AGN_F64, -1, 1, COLS));
    far[0] = on_device(value), far[1] = on_device(x);
    must(agn_sparse_csr(&a[0], ROWS, COLS, rows, columns, value));
    must(agn_sparse_csr(&a[1], ROWS, COLS, rows, columns, far[0]));
    long prepared = count ? count("cusparse SpMV_preprocess") : 0, products = count ? count("cusparse SpMV") : 0;
    double worst = 0;
    for (int k = 0; k < TIMES; k++) {
        agn_tensor *scaled[2], *other[2], *m[2];
        for (int i = 0; i < 2; i++) {
            must(agn_sparse_values(&scaled[i], a[i]));
            must(agn_mul_c(&other[i], scaled[i], 1 + k));
            must(agn_sparse_with_values(&m[i], a[i], other[i]));
        }
        must(agn_sparse_matmul(&want, m[0], x));
        must(agn_sparse_matmul(&y, m[1], far[1]));
        worst = fmax(worst, relative(y, want));
        agn_release(want), agn_release(y);
        for (int i = 0; i < 2; i++)
            agn_release(scaled[i]), agn_release(other[i]), agn_release(m[i]);
    }
    ok(worst <= 1e-14, "products with vectors: %.2g", worst);
    if (count)
        ok(count("cusparse SpMV_preprocess") - prepared == 1 && count("cusparse SpMV") - products == TIMES,
           "a pattern is prepared once");
    else
        skip("how often a pattern is prepared: the device is a real one");
    setenv("EMULATOR_CUSPARSE", "refuse", 1);
    must(agn_sparse_csr(&y, ROWS, COLS, rows, columns, far[0]));
    agn_tensor *z = NULL;
    must(agn_sparse_matmul(&z, y, far[1]));
    must(agn_sparse_matmul(&want, a[0], x));
    must(agn_device_synchronize(cuda));
    unsetenv("EMULATOR_CUSPARSE");
    ok(relative(z, want) <= 1e-14, "and where cuSPARSE refuses");
    agn_release(y), agn_release(z), agn_release(want);
    for (int i = 0; i < 2; i++)
        agn_release(far[i]), agn_release(a[i]);
    agn_release(rows), agn_release(columns), agn_release(value), agn_release(x);
}

int main(void)
{
    int result, first = run_old("0"), last = run_old("1");
    if (!cuda_ready(&result))
        return result;
    report_old(first, "a device that is too old hides none behind it");
    report_old(last, "nor is it counted at the end");
    const char *why;
    two = agn_backend_status("cuda", &why) > 1 && !agn_device_find(&peer, "cuda:1");
    test_properties();
    test_fills();
    test_copies();
    test_faults(0);
    test_faults(10);
    test_faults(200);
    test_streams();
    test_calls_and_time();
    test_workspaces();
    test_sparse_refused();
    test_sparse_vectors();
    return done();
}
