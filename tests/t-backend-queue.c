/* What a back end of version 2 offers beyond kernels: memory of kinds, fills, copies that are not waited
   for, streams of the caller's, marks with faults, calls on the host, time, workspaces, inputs that are
   given up, regions, graphs of launches, extensions; and the same calls on back ends that lack it. */
#include "fake-backend.h"
#include "laws.h"

static int32_t dev0, dev1, bare, old;

static bool says(const char *part)
{
    if (strstr(agn_error_message(), part))
        return true;
    diag("message: %s", agn_error_message());
    return false;
}

static agn_tensor *ramp(int64_t n, int32_t device)
{
    agn_tensor *x = NULL, *y = NULL;
    must(agn_arange(&x, AGN_F64, 1, (double)n + 1, 1));
    must(agn_to_device(&y, x, device));
    agn_release(x);
    return y;
}

/* ---- properties and extensions ------------------------------------------------------------------ */

static void test_properties(void)
{
    agn_device_properties p = {.size = sizeof p}, q = {.size = 8};
    must(agn_device_get_properties(&p, dev1));
    ok(!strcmp(p.name, "a device of the tests") && p.version[0] == 2 && p.version[1] == 1 &&
           p.units == -1 && p.memory_kinds == 7,
       "a device says what it is; what it does not say is -1");
    int64_t before = p.memory_free;
    agn_tensor *x = ramp(1000, dev1);
    must(agn_device_get_properties(&p, dev1));
    ok(p.memory_total == FAKE_ARENA && p.memory_free <= before - 8000,
       "and how much memory is free");
    agn_release(x);
    must(agn_device_get_properties(&p, bare));
    ok(!*p.name && p.memory_kinds == 1 && p.memory_free == -1,
       "one that says nothing has memory of its own");
    must(agn_device_get_properties(&p, AGN_CPU));
    ok(p.units >= 1 && p.memory_total > 0 && p.memory_free <= p.memory_total && p.memory_kinds == 7,
       "the CPU: %d units, %lld bytes", (int)p.units, (long long)p.memory_total);
    is_int(agn_device_get_properties(NULL, dev0), AGN_ENULL, "into something");
    is_int(agn_device_get_properties(&q, dev0), AGN_EARG, "of a known size");
    is_int(agn_device_get_properties(&p, 12345), AGN_EDEVICE, "of a device");
    const agn_extension *e = agn_backend_extension("fake", "fake_colour");
    ok(e && e->size == sizeof(fake_colour) && ((const fake_colour *)(const void *)e)->rgb == 0x1748,
       "an extension is found by name");
    ok(agn_backend_extension("fake", "fake_last") == &fake_last, "so is the last of the chain");
    ok(!agn_backend_extension("fake", "none") && !agn_backend_extension("bare", "fake_colour") &&
           !agn_backend_extension("old", "fake_colour") &&
           !agn_backend_extension("nobody", "fake_colour") && !agn_backend_extension(NULL, "x") &&
           !agn_backend_extension("fake", NULL),
       "or is not there");
}

/* ---- memory --------------------------------------------------------------------------------------- */

static void test_kinds(void)
{
    static const int32_t every[] = {0, 1, 2};
    for (int k = 0; k < AGN_MEMORY_KINDS; k++) {
        void *p = NULL;
        int live = fake.live, host = fake.host_blocks;
        must(agn_device_alloc(&p, dev0, (agn_memory)every[k], 100));
        ok(p && fake.live - live == (k == 0) && fake.host_blocks - host == (k != 0),
           "memory of kind %d", k);
        if (k)
            memset(p, 1, 100);
        agn_device_free(dev0, (agn_memory)k, p, 100);
        ok(fake.live == live && fake.host_blocks == host, "is freed");
        p = NULL;
        must(agn_device_alloc(&p, AGN_CPU, (agn_memory)k, 100));
        memset(p, 1, 100);
        agn_device_free(AGN_CPU, (agn_memory)k, p, 100);
        agn_status st = agn_device_alloc(&p, bare, (agn_memory)k, 100);
        is_int(st, k ? AGN_EUNSUPPORTED : AGN_OK, "a back end without kinds has one");
        if (!st)
            agn_device_free(bare, (agn_memory)k, p, 100);
        else
            ok(says(k == 1 ? "bare:0 has no pinned memory" : "bare:0 has no managed memory"),
               "by name");
    }
    void *p = NULL;
    fake.no_memory = true;
    is_int(agn_device_alloc(&p, dev0, AGN_MEMORY_PINNED, 100), AGN_ENOMEM, "there is no more");
    is_int(agn_device_alloc(&p, dev0, AGN_MEMORY_DEVICE, 100), AGN_ENOMEM, "of either");
    fake.no_memory = false;
    is_int(agn_device_alloc(NULL, dev0, AGN_MEMORY_DEVICE, 100), AGN_ENULL, "into something");
    is_int(agn_device_alloc(&p, dev0, (agn_memory)3, 100), AGN_EARG, "of a kind that there is");
    is_int(agn_device_alloc(&p, dev0, (agn_memory)-1, 100), AGN_EARG, "none is below 0");
    is_int(agn_device_alloc(&p, 999, AGN_MEMORY_DEVICE, 100), AGN_EDEVICE, "on a device");
    ok(!p, "nothing is written");
    agn_device_free(dev0, AGN_MEMORY_PINNED, NULL, 0);
    agn_device_free(999, AGN_MEMORY_PINNED, &p, 0);
    agn_device_free(dev0, (agn_memory)3, &p, 0);
}

static void fill_and_look(int32_t device, const char *what)
{
    enum { MOST = 1 << 20 }; /* beyond what goes by way of the host at once */
    static const size_t count[] = {1, 3, 1000, MOST};
    char *back = malloc(16 * MOST);
    const char value[16] = "0123456789abcdef";
    bool right = back != NULL;
    for (size_t bytes = 1; right && bytes <= 16; bytes *= 2)
        for (int i = 0; right && i < COUNT(count); i++) {
            void *p = NULL;
            must(agn_device_alloc(&p, device, AGN_MEMORY_DEVICE, bytes * count[i]));
            must(agn_device_fill(device, p, value, bytes, count[i]));
            must(agn_device_copy(NULL, AGN_CPU, back, device, p, bytes * count[i]));
            for (size_t k = 0; right && k < count[i]; k++)
                right = !memcmp(back + k * bytes, value, bytes);
            agn_device_free(device, AGN_MEMORY_DEVICE, p, bytes * count[i]);
        }
    free(back);
    ok(right, "%s", what);
}

static void test_fills(void)
{
    fill_and_look(dev0, "a fill of values of 1 to 16 bytes");
    is_int(fake.fills, 20, "by the back end");
    fill_and_look(bare, "of a back end that has none");
    fill_and_look(AGN_CPU, "of the host");
    double x[2], one = 1;
    is_int(agn_device_fill(dev0, NULL, &one, 8, 1), AGN_ENULL, "of something");
    is_int(agn_device_fill(dev0, x, NULL, 8, 1), AGN_ENULL, "by something");
    is_int(agn_device_fill(AGN_CPU, x, &one, 3, 1), AGN_EARG, "of a size that is no power of 2");
    is_int(agn_device_fill(AGN_CPU, x, &one, 0, 1), AGN_EARG, "nor 0");
    is_int(agn_device_fill(AGN_CPU, x, &one, 32, 1), AGN_EARG, "nor more than 16");
    is_int(agn_device_fill(AGN_CPU, x, &one, 8, SIZE_MAX / 8), AGN_EARG, "too many");
    is_int(agn_device_fill(777, x, &one, 8, 1), AGN_EDEVICE, "on a device");
    must(agn_device_fill(dev0, NULL, &one, 8, 0));
    agn_memory_fail_after(0);
    is_int(agn_device_fill(bare, x, &one, 8, 1), AGN_ENOMEM, "no memory for the way");
    agn_memory_fail_after(-1);
}

static void test_copies(void)
{
    double *pinned = NULL, back[3] = {0};
    void *p = NULL, *q = NULL;
    uint64_t mark = 0, first = 0;
    must(agn_device_alloc((void **)&pinned, dev0, AGN_MEMORY_PINNED, 24));
    must(agn_device_alloc(&p, dev0, AGN_MEMORY_DEVICE, 24));
    must(agn_device_alloc(&q, dev1, AGN_MEMORY_DEVICE, 24));
    pinned[0] = 1, pinned[1] = 2, pinned[2] = 3;
    must(agn_device_copy(&first, dev0, p, AGN_CPU, pinned, 24));
    ok(fake.async == 1 && fake.queued == 1 && first > 0, "a copy with a mark is queued");
    must(agn_device_copy(&mark, AGN_CPU, back, dev0, p, 24));
    ok(back[0] == 0 && fake.queued == 1 + (fake.queued == 2) && mark > first, "so is one back");
    must(agn_device_wait(dev0, mark));
    ok(back[0] == 1 && back[2] == 3 && !fake.queued, "a wait for the mark ends both");
    int peers = fake.peers, in = fake.to_device;
    must(agn_device_copy(NULL, dev1, q, dev0, p, 24));
    ok(fake.peers - peers == 1 && fake.to_device == in, "a copy to a peer does not see the host");
    must(agn_device_copy(NULL, AGN_CPU, back, dev1, q, 16));
    ok(back[1] == 2, "and arrives");
    agn_tensor *x = ramp(3, dev0), *y = NULL;
    must(agn_to_device(&y, x, dev1));
    is_int(fake.peers - peers, 2, "tensors take the same way");
    ok(agn_to_host(back, y, 24) == AGN_OK && back[2] == 3, "and arrive");
    agn_release(x), agn_release(y);
    void *b = NULL;
    must(agn_device_alloc(&b, bare, AGN_MEMORY_DEVICE, 24));
    must(agn_device_copy(&mark, bare, b, AGN_CPU, back, 24));
    memset(back, 0, sizeof back);
    must(agn_device_copy(&mark, dev1, q, bare, b, 24));
    must(agn_device_copy(NULL, AGN_CPU, back, dev1, q, 24));
    ok(back[2] == 3 && fake.peers - peers == 2, "between two back ends by way of the host");
    agn_device_free(bare, AGN_MEMORY_DEVICE, b, 24);
    is_int(agn_device_copy(NULL, AGN_CPU, NULL, dev1, q, 24), AGN_ENULL, "to something");
    is_int(agn_device_copy(NULL, dev1, q, AGN_CPU, NULL, 24), AGN_ENULL, "from something");
    is_int(agn_device_copy(&mark, dev1, q, 4000, back, 24), AGN_EDEVICE, "from a device");
    is_int(agn_device_copy(&mark, 4000, q, AGN_CPU, back, 24), AGN_EDEVICE, "to a device");
    must(agn_device_copy(NULL, dev1, NULL, AGN_CPU, NULL, 0));
    agn_device_free(dev0, AGN_MEMORY_PINNED, pinned, 24);
    agn_device_free(dev0, AGN_MEMORY_DEVICE, p, 24);
    agn_device_free(dev1, AGN_MEMORY_DEVICE, q, 24);
}

/* ---- the queue -------------------------------------------------------------------------------------- */

static void test_streams(void)
{
    int mine, other;
    void *s = NULL;
    must(agn_device_stream(&s, dev0));
    ok(s == fake.arena[0], "work is queued on the back end's stream");
    must(agn_device_set_stream(dev0, &mine));
    must(agn_device_stream(&s, dev0));
    ok(s == &mine, "or on the caller's");
    must(agn_device_stream(&s, dev1));
    ok(s == fake.arena[1], "of that device");
    must(agn_device_wait_stream(dev0, &other));
    must(agn_stream_wait_device(&mine, dev0));
    ok(fake.joined[0] == &other && fake.joined[1] == &mine,
       "streams wait for devices, and devices for streams");
    must(agn_device_set_stream(dev0, NULL));
    must(agn_device_stream(&s, dev0));
    ok(s == fake.arena[0], "the back end's own is set again");
    is_int(agn_device_set_stream(bare, &mine), AGN_EUNSUPPORTED,
           "a back end with one stream keeps it");
    ok(says("bare:0 has no streams of the caller's"), "by name");
    is_int(agn_device_wait_stream(bare, &mine), AGN_EUNSUPPORTED, "and waits for none");
    is_int(agn_stream_wait_device(&mine, old), AGN_EUNSUPPORTED, "nor is waited for");
    is_int(agn_device_set_stream(AGN_CPU, &mine), AGN_EUNSUPPORTED, "the CPU has none");
    is_int(agn_device_wait_stream(dev0, NULL), AGN_ENULL, "of something");
    is_int(agn_stream_wait_device(NULL, dev0), AGN_ENULL, "by something");
    is_int(agn_device_stream(NULL, dev0), AGN_ENULL, "into something");
    is_int(agn_device_stream(&s, 888), AGN_EDEVICE, "of a device");
    is_int(agn_device_set_stream(888, s), AGN_EDEVICE, "to a device");
    is_int(agn_device_wait_stream(888, s), AGN_EDEVICE, "by a device");
    is_int(agn_stream_wait_device(s, 888), AGN_EDEVICE, "for a device");
}

static void test_marks(void)
{
    agn_tensor *x = ramp(3, dev0), *i = NULL, *far = NULL, *y = NULL, *z = NULL;
    uint64_t before = 0, behind = 0, last = 0;
    must(agn_from_host(&i, AGN_I64, 1, (int64_t[]){3}, (int64_t[]){0, -1, 7}));
    must(agn_to_device(&far, i, dev0));
    must(agn_device_record(&before, dev0));
    must(agn_gather(&y, x, far, 0));
    must(agn_device_record(&behind, dev0));
    must(agn_add(&z, x, x));
    must(agn_device_record(&last, dev0));
    ok(before < behind && behind < last, "marks follow each other");
    is_int(agn_device_wait(dev0, before), AGN_OK, "a fault is not told by a mark before it");
    is_int(agn_device_wait(dev0, behind), AGN_EINDEX, "but by the one behind it");
    ok(says("gather: index 7"), "in words");
    is_int(agn_device_wait(dev0, last), AGN_OK, "once");
    agn_release(y);
    y = NULL;
    must(agn_gather(&y, x, far, 0));
    must(agn_device_record(&last, dev0));
    is_int(agn_device_wait(dev0, before), AGN_OK, "an old mark knows nothing of it");
    is_int(agn_device_wait(dev0, last), AGN_EINDEX, "a later one does");
    is_int(agn_device_wait(dev0, last + 100), AGN_EDEVICE, "no mark that was not made");
    must(agn_device_record(&last, AGN_CPU));
    ok(last == 0 && agn_device_wait(AGN_CPU, last) == AGN_OK, "the CPU has nothing to wait for");
    must(agn_device_record(&last, bare));
    is_int(agn_device_wait(bare, last), AGN_OK, "a back end without faults per mark waits");
    is_int(agn_device_record(NULL, dev0), AGN_ENULL, "into something");
    is_int(agn_device_record(&last, 555), AGN_EDEVICE, "of a device");
    is_int(agn_device_wait(555, 0), AGN_EDEVICE, "for a device");
    agn_release(x), agn_release(i), agn_release(far), agn_release(y), agn_release(z);
}

static void add_one(void *user)
{
    ++*(int *)user;
}

static void test_host_calls(void)
{
    int n = 0;
    must(agn_device_call_host(dev0, add_one, &n));
    is_int(n, 0, "a call waits for its turn");
    must(agn_device_call_host(dev0, add_one, &n));
    must(agn_device_synchronize(dev0));
    is_int(n, 2, "which comes");
    must(agn_device_call_host(bare, add_one, &n));
    is_int(n, 3, "a back end that queues none waits and calls");
    must(agn_device_call_host(AGN_CPU, add_one, &n));
    is_int(n, 4, "the CPU calls");
    fake.fault = AGN_EINDEX;
    is_int(agn_device_call_host(old, add_one, &n), AGN_EINDEX, "what it waited for has a fault");
    is_int(n, 4, "which is no call");
    is_int(agn_device_call_host(dev0, NULL, &n), AGN_ENULL, "of something");
    is_int(agn_device_call_host(321, add_one, &n), AGN_EDEVICE, "on a device");
}

static void test_timers(void)
{
    void *t = NULL, *u = NULL;
    double seconds = -1;
    agn_tensor *x = ramp(3, dev0), *y = NULL;
    must(agn_device_timer_start(&t, dev0));
    must(agn_add(&y, x, x));
    must(agn_device_timer_start(&u, dev0));
    must(agn_device_timer_stop(&seconds, dev0, t));
    ok(seconds == 0.5, "time passes on the device");
    must(agn_device_timer_stop(&seconds, dev0, u));
    ok(seconds == 0 && fake.timers == 0, "and timers may overlap");
    must(agn_device_timer_start(&t, AGN_CPU));
    must(agn_device_timer_stop(&seconds, AGN_CPU, t));
    ok(seconds >= 0 && seconds < 60, "the CPU has a clock: %g", seconds);
    must(agn_device_timer_start(&t, dev0));
    must(agn_device_timer_stop(NULL, dev0, t));
    is_int(fake.timers, 0, "which need not be read");
    agn_memory_fail_after(0);
    is_int(agn_device_timer_start(&t, AGN_CPU), AGN_ENOMEM, "no memory");
    agn_memory_fail_after(-1);
    is_int(agn_device_timer_start(&t, bare), AGN_EUNSUPPORTED, "a back end without a clock");
    ok(says("bare:0 has no clock"), "says so");
    is_int(agn_device_timer_stop(&seconds, bare, &seconds), AGN_EUNSUPPORTED, "at the end, too");
    is_int(agn_device_timer_start(NULL, dev0), AGN_ENULL, "into something");
    is_int(agn_device_timer_stop(&seconds, dev0, NULL), AGN_ENULL, "of something");
    is_int(agn_device_timer_start(&t, 444), AGN_EDEVICE, "of a device");
    is_int(agn_device_timer_stop(&seconds, 444, &seconds), AGN_EDEVICE, "of a device");
    agn_release(x), agn_release(y);
}

/* ---- kernels ------------------------------------------------------------------------------------------ */

static void test_workspaces(void)
{
    agn_tensor *x = ramp(5, dev0), *y = NULL;
    int live = fake.live, lent = fake.lent;
    must(agn_tanh(&y, x));
    ok(fake.lent - lent == 1 && fake.live - live == 1,
       "a kernel is lent what it asks for, for one call");
    double v[5];
    must(agn_to_host(v, y, sizeof v));
    ok(v[2] == tanh(3.0), "and uses it");
    agn_release(y);
    y = NULL;
    fake.full_hand = true;
    is_int(agn_tanh(&y, x), AGN_EDEVICE, "a question that fails");
    ok(!y && says("fake does not know"), "is the call's failure");
    fake.full_hand = false;
    agn_release(x);
}

static void test_donation(void)
{
    agn_tensor *x = ramp(6, dev0), *m = NULL, *t = NULL, *y = NULL, *z = NULL;
    double v[6];
    fake.donated = 0;
    must(agn_exp(&y, x));
    ok(fake.donated == 0, "what the caller holds is not given up");
    agn_release(y);
    must(agn_to_host(v, x, sizeof v));
    ok(v[5] == 6, "and stands");
    must(agn_reshape(&m, x, 2, (int64_t[]){2, 3}));
    must(agn_transpose(&t, m));
    must(agn_exp(&y, t));
    is_int((int64_t)fake.donated, 1, "the copy of a view is");
    must(agn_to_host(v, t, sizeof v));
    ok(v[1] == 4, "the view stands");
    must(agn_to_host(v, y, sizeof v));
    ok(v[1] == exp(4.0), "and its result is right");
    agn_release(x), agn_release(m), agn_release(t), agn_release(y), agn_release(z);
}

/* ---- regions --------------------------------------------------------------------------------------------- */

static agn_status chain(void *user, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    (void)user;
    out[0] = ag_tanh(s, ag_mul(s, ag_add(s, in[0], in[1]), in[0]));
    return agn_scope_status(s);
}

enum { ROWS = 512 };
static int n_array, n_number;
/* the compiled function: an array of it is the result, the others are the operands in order */
static void run_chain(const agn_region_call *c)
{
    n_array = c->n_array, n_number = c->n_number;
    if (c->n_array != 3)
        return;
    const double *a = c->array[0], *b = c->array[1];
    double *y = c->array[2];
    for (int i = 0; i < ROWS; i++)
        y[i] = tanh((a[i] + b[i]) * a[i]);
}

static void test_regions(void)
{
    agn_fn *f = NULL, *g = NULL;
    agn_tensor *x = ramp(ROWS, dev0), *w = NULL, *y = NULL;
    double v[ROWS], want[ROWS];
    must(agn_mul_c(&w, x, -0.5));
    must(agn_fn_new(&f, chain, NULL, NULL, 2, 1));
    for (int k = 0; k < 2; k++) {
        fake.region = k ? run_chain : NULL;
        fake.asked = "t_tanh";
        int compiled = fake.compiled, run = fake.run;
        agn_status st = agn_fn_compile(&g, f, NULL);
        ok(!st, "a plan %s a compiler of regions: %s", k ? "with" : "without",
           st ? agn_error_message() : "made");
        if (st)
            continue;
        must(agn_fn_call(&y, 1, g, (const agn_tensor *[]){x, w}, 2));
        must(agn_to_host(k ? v : want, y, sizeof v));
        ok(fake.compiled - compiled == k && fake.run - run == k, "%s",
           k ? "runs what it compiled" : "runs kernels");
        agn_release(y);
        y = NULL;
        agn_fn_release(g);
        g = NULL;
    }
    ok(!memcmp(v, want, sizeof v), "with the same numbers (%d arrays, %d numbers)", n_array,
       n_number);
    is_int(fake.freed, fake.compiled, "what was compiled is freed with the plan");
    fake.region = NULL;
    agn_fn_release(f), agn_release(x), agn_release(w);
}

/* ---- graphs of launches ------------------------------------------------------------------------------------ */

static agn_status two_lines(void *user, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    (void)user;
    const agn_tensor *m = ag_matmul(s, in[0], in[0]);
    out[0] = ag_sum(s, ag_tanh(s, ag_mul(s, m, in[1])), (int32_t[]){0}, 1, false);
    return agn_scope_status(s);
}

/* the plan's result for x in its place, which is replaced before each call */
static void test_graphs(void)
{
    enum { N = 7, CALLS = 6 };
    agn_fn *f = NULL, *plan = NULL;
    agn_tensor *flat = ramp(N * N, dev0), *x = NULL, *w = NULL, *y = NULL, *want[CALLS];
    double v[N], right[N];
    must(agn_reshape(&x, flat, 2, (int64_t[]){N, N}));
    must(agn_mul_c(&w, x, -0.01));
    must(agn_fn_new(&f, two_lines, NULL, NULL, 2, 1));
    for (int k = 0; k < CALLS; k++) {
        agn_tensor *now = NULL;
        must(agn_mul_c(&now, x, 1.0 / (50 + k)));
        must(agn_fn_call(&want[k], 1, f, (const agn_tensor *[]){now, w}, 2));
        agn_release(now);
    }
    for (int graphs = 0; graphs < 2; graphs++) {
        fake.graphs = graphs;
        fake.recorded = fake.launched = fake.graphs_freed = fake.kept = 0;
        agn_tensor *now = NULL;
        must(agn_mul_c(&now, x, 1));
        must(agn_fn_compile(&plan, f, NULL));
        must(agn_fn_call(&y, 1, plan, (const agn_tensor *[]){now, w}, 2));
        bool same = true;
        int kernels = 0;
        for (int k = 0; k < CALLS; k++) {
            must(agn_mul_c_into(now, x, 1.0 / (50 + k)));
            kernels = fake.kernels;
            must(agn_fn_call_into(&y, 1, plan, (const agn_tensor *[]){now, w}, 2));
            kernels = fake.kernels - kernels;
            must(agn_to_host(v, y, sizeof v));
            must(agn_to_host(right, want[k], sizeof right));
            same = same && !memcmp(v, right, sizeof v);
        }
        ok(same, "a plan that is called %d times in the same memory, %s graphs", CALLS,
           graphs ? "with" : "without");
        if (graphs)
            ok(fake.recorded == 1 && fake.launched >= CALLS - 2 && fake.kept == kernels &&
                   kernels >= 3,
               "%d launches of a graph of %d kernels", fake.launched, fake.kept);
        else
            is_int(fake.launched, 0, "which a back end may refuse to make");
        agn_fn_release(plan);
        is_int(fake.graphs_freed, fake.recorded, "and that is freed with the plan");
        agn_release(now), agn_release(y);
        plan = NULL, y = NULL;
    }
    fake.graphs = false;
    for (int k = 0; k < CALLS; k++)
        agn_release(want[k]);
    agn_fn_release(f), agn_release(flat), agn_release(x), agn_release(w);
}

/* in a graph of its own: what needs memory or the host is refused, nothing is kept of another stream */
static void test_graph_refusals(void)
{
    void *stream = NULL, *graph = NULL, *p = NULL;
    double host[3] = {0};
    agn_tensor *x = ramp(3, dev0), *y = NULL;
    fake.graphs = true;
    must(fake_backend.begin_graph(0, &stream));
    is_int(agn_device_alloc(&p, dev0, AGN_MEMORY_DEVICE, 8), AGN_EUNSUPPORTED, "no memory");
    is_int(agn_to_host(host, x, sizeof host), AGN_EUNSUPPORTED, "no copy to the host");
    is_int(agn_device_synchronize(dev0), AGN_EUNSUPPORTED, "no wait within a graph");
    is_int(agn_neg_into(x, x), AGN_EUNSUPPORTED, "no kernel on another stream");
    must(fake_backend.end_graph(0, &graph));
    fake_backend.free_graph(0, graph);
    fake.graphs = false;
    must(agn_to_host(host, x, sizeof host));
    ok(host[0] == 1 && host[2] == 3, "what was refused has done nothing");
    agn_release(x), agn_release(y);
}

int main(void)
{
    static agn_backend less, least;
    must(agn_backend_register(&fake_backend));
    must(agn_device_find(&dev0, "fake"));
    must(agn_device_find(&dev1, "fake:1"));
    /* one with nothing that may be NULL, and one that ends where version 1 began */
    less = fake_backend;
    memset((char *)&less + offsetof(agn_backend, compile_region), 0,
           sizeof less - offsetof(agn_backend, compile_region));
    least = fake_backend;
    less.name = "bare", least.name = "old";
    less.kernels = least.kernels = NULL;
    less.n_kernels = least.n_kernels = 0;
    least.size = offsetof(agn_backend, compile_region);
    less.probe = least.probe = fake_probe_again;
    must(agn_backend_register(&less));
    must(agn_backend_register(&least));
    must(agn_device_find(&bare, "bare"));
    must(agn_device_find(&old, "old"));
    int64_t before, after;
    agn_memory_live(&before, NULL, NULL);
    test_properties();
    test_kinds();
    test_fills();
    test_copies();
    test_streams();
    test_marks();
    test_host_calls();
    test_timers();
    test_workspaces();
    test_donation();
    test_regions();
    test_graphs();
    test_graph_refusals();
    agn_memory_live(&after, NULL, NULL);
    is_int(after, before, "no memory of the library is kept");
    ok(fake.live == 0 && fake.host_blocks == 0, "none of the device's either");
    return done();
}
