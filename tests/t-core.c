/* Core: status and messages, memory, scopes, keys, hooks, numbers as text. */
#include "tests/comma.h"
#include "tests/tap.h"
#include "core/core.h"
#include "core/device/cpu_level.h"
#include "core/random/philox.h"
#include "core/memory/scope.h"
#include <errno.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- status --------------------------------------------------------------------- */

static void test_status(void)
{
    static const struct {
        agn_status st;
        int32_t number;
        const char *name;
    } pinned[] = {
        {AGN_OK, 0, "AGN_OK"},
        {AGN_ENULL, -1, "AGN_ENULL"},
        {AGN_ENOMEM, -2, "AGN_ENOMEM"},
        {AGN_ESHAPE, -3, "AGN_ESHAPE"},
        {AGN_EDTYPE, -4, "AGN_EDTYPE"},
        {AGN_EINDEX, -5, "AGN_EINDEX"},
        {AGN_EARG, -6, "AGN_EARG"},
        {AGN_EDOMAIN, -7, "AGN_EDOMAIN"},
        {AGN_EUNSUPPORTED, -8, "AGN_EUNSUPPORTED"},
        {AGN_ESYMBOLIC, -9, "AGN_ESYMBOLIC"},
        {AGN_ESTALE, -10, "AGN_ESTALE"},
        {AGN_ENOCONV, -11, "AGN_ENOCONV"},
        {AGN_EDEVICE, -12, "AGN_EDEVICE"},
        {AGN_ECANCELLED, -13, "AGN_ECANCELLED"},
        {AGN_EIO, -14, "AGN_EIO"},
        {AGN_EFORMAT, -15, "AGN_EFORMAT"},
    };
    for (int i = 0; i < AGNI_COUNT(pinned); i++) {
        is_int(pinned[i].st, pinned[i].number, "number of %s", pinned[i].name);
        is_str(agn_status_name(pinned[i].number), pinned[i].name, "name of %d",
               pinned[i].number);
    }
    static const int32_t strange[] = {1, -16, INT32_MIN, INT32_MAX};
    for (int i = 0; i < AGNI_COUNT(strange); i++)
        is_str(agn_status_name(strange[i]), "unknown status", "name of %d", strange[i]);
}

static void *message_of_new_thread(void *out)
{
    memcpy(out, agn_error_message(), strlen(agn_error_message()) + 1);
    agni_fail(AGN_EARG, "other thread");
    return NULL;
}

static void test_messages(void)
{
    is_str(agn_error_message(), "", "no message before the first failure");
    is_int(agni_fail(AGN_ESHAPE, "matmul: a is [%d,%d]", 3, 4), AGN_ESHAPE,
           "agni_fail gives the status back");
    is_str(agn_error_message(), "matmul: a is [3,4]", "message of the failure");
    agni_fail(AGN_EARG, "outer: %s", agn_error_message());
    is_str(agn_error_message(), "outer: matmul: a is [3,4]",
           "a message within a message");
    char there[64] = "?";
    pthread_t t;
    pthread_create(&t, NULL, message_of_new_thread, there);
    pthread_join(t, NULL);
    is_str(there, "", "a new thread has no message");
    is_str(agn_error_message(), "outer: matmul: a is [3,4]", "threads have their own");
    char longer[3000];
    for (size_t i = 0; i + 2 < sizeof longer; i += 2)
        memcpy(longer + i, "\xC3\xA9", 3); /* e acute: two bytes */
    agni_fail(AGN_EARG, "%s", longer);
    size_t n = strlen(agn_error_message());
    ok(n > 500 && n < sizeof longer, "a long message is cut");
    is_str(agn_error_message() + n - 3, "...", "and says so");
    is_int((int)((n - 3) % 2), 0, "between two characters");
}

/* ---- memory --------------------------------------------------------------------- */

static int64_t live_blocks(void)
{
    int64_t blocks;
    agn_memory_live(NULL, &blocks, NULL);
    return blocks;
}

static int64_t live_bytes(void)
{
    int64_t bytes;
    agn_memory_live(&bytes, NULL, NULL);
    return bytes;
}

typedef struct counted {
    int64_t given, returned, bytes;
    bool refuse, shifted;
} counted;

static void *counted_alloc(void *user, size_t bytes, size_t align)
{
    counted *c = user;
    if (c->refuse)
        return NULL;
    (void)align;
    c->given++;
    c->bytes += (int64_t)bytes;
    char *p = malloc(bytes + 8);
    return c->shifted ? p + 8 : p;
}

static void counted_free(void *user, void *p, size_t bytes)
{
    counted *c = user;
    c->returned++;
    c->bytes -= (int64_t)bytes;
    free(c->shifted ? (char *)p - 8 : p);
}

static void test_memory(void)
{
    int64_t blocks = live_blocks(), bytes = live_bytes();
    static const size_t sizes[] = {0, 1, 15, 16, 17, 128, 1000, 100000, 3000000};
    for (int i = 0; i < AGNI_COUNT(sizes); i++) {
        char *p = agni_alloc(sizes[i]), *q = agni_alloc_aligned(sizes[i]);
        char *z = agni_zalloc(sizes[i]);
        ok(p && q && z && (uintptr_t)p % 16 == 0 && (uintptr_t)q % 64 == 0,
           "blocks of %zu bytes are aligned", sizes[i]);
        memset(p, 1, sizes[i]);
        memset(q, 2, sizes[i]);
        bool zero = true;
        for (size_t k = 0; k < sizes[i]; k++)
            zero = zero && z[k] == 0;
        ok(zero, "zalloc of %zu bytes", sizes[i]);
        is_int(live_blocks() - blocks, 3, "three blocks are alive");
        ok(live_bytes() - bytes >= 3 * (int64_t)sizes[i], "and their bytes");
        agni_free(p);
        agni_free(q);
        agni_free(z);
    }
    agni_free(NULL);
    is_int(live_blocks(), blocks, "no block is left");
    is_int(live_bytes(), bytes, "no byte is left");
    ok(!agni_alloc(SIZE_MAX) && !agni_alloc_aligned(SIZE_MAX - 10) &&
           !agni_zalloc(SIZE_MAX / 2),
       "sizes that cannot exist are refused");
    char *s = agni_strdup("curve");
    is_str(s, "curve", "strdup");
    s = agni_realloc(s, 5000);
    is_str(s, "curve", "realloc keeps the contents");
    ok(agni_realloc(s, 100) == s, "realloc to less stays in place");
    agn_memory_fail_after(0);
    ok(!agni_realloc(s, 9000) && !strcmp(s, "curve"),
       "a failed realloc leaves the block");
    agni_free(s);
    agni_free(agni_realloc(NULL, 10));
    is_int(live_blocks(), blocks, "no block is left after realloc");
}

static void test_peak(void)
{
    int64_t base = live_bytes(), peak;
    agn_memory_reset_peak();
    agn_memory_live(NULL, NULL, &peak);
    is_int(peak, base, "the peak begins at what is alive");
    static const size_t sizes[] = {100, 1000000};
    for (int i = 0; i < AGNI_COUNT(sizes); i++) {
        void *p = agni_alloc(sizes[i]), *q = agni_alloc(sizes[i]);
        int64_t top = live_bytes();
        agni_free(p);
        agni_free(q);
        agn_memory_live(NULL, NULL, &peak);
        is_int(peak, top, "the peak of two blocks of %zu bytes", sizes[i]);
    }
    agn_memory_reset_peak();
    agn_memory_live(NULL, NULL, &peak);
    is_int(peak, base, "the peak begins again");
}

static void test_allocator(void)
{
    counted c = {0};
    agn_allocator mine = {sizeof mine, &c, counted_alloc, counted_free};
    void *before = agni_alloc(100);
    is_int(agn_allocator_set(&mine), AGN_OK, "allocator_set");
    void *small = agni_alloc(100), *large = agni_alloc_aligned(100000);
    is_int(c.given, 2, "the new allocator is asked");
    agni_free(before);
    is_int(c.returned, 0, "a block from before goes back to the old one");
    is_int(agn_allocator_set(NULL), AGN_OK, "allocator_set(NULL)");
    void *after = agni_alloc(100);
    is_int(c.given, 2, "the default again");
    agni_free(small);
    agni_free(large);
    is_int(c.returned, 2, "blocks go back to the allocator that gave them");
    is_int(c.bytes, 0, "with the size it gave");
    agni_free(after);
    agn_allocator bad = mine;
    bad.size = 8;
    is_int(agn_allocator_set(&bad), AGN_EARG, "unknown size");
    ok(strstr(agn_error_message(), "8 bytes") != NULL, "message: %s",
       agn_error_message());
    bad = mine;
    bad.free = NULL;
    is_int(agn_allocator_set(&bad), AGN_EARG, "missing function");
    c.shifted = true;
    is_int(agn_allocator_set(&mine), AGN_OK, "an allocator that breaks the alignment");
    ok(!agni_alloc(10), "its memory is not used");
    is_int(agn_allocator_set(NULL), AGN_OK, "default");
    is_int(c.given, c.returned, "but given back");
}

static void test_injection(void)
{
    int64_t count = agn_memory_count();
    void *p = agni_alloc(10);
    is_int(agn_memory_count() - count, 1, "one allocation is counted");
    agn_memory_fail_after(1);
    void *a = agni_alloc(10), *b = agni_alloc(10), *d = agni_alloc(10);
    ok(a && !b && d, "the second fails, once");
    agn_memory_fail_after(0);
    agn_memory_fail_after(-1);
    void *e = agni_alloc(10);
    ok(e != NULL, "a failure can be called off");
    agn_memory_fail_after(INT64_MAX);
    void *f = agni_alloc(10);
    ok(f != NULL, "a far failure does not come at once");
    agn_memory_fail_after(-1);
    agni_free(p), agni_free(a), agni_free(d), agni_free(e), agni_free(f);
    agn_memory_fail_after(0);
    agni_alloc(10);
    is_int(agni_nomem("test", 10), AGN_ENOMEM, "nomem");
    ok(strncmp(agn_error_message(), "test: out of memory: 10 bytes", 29) == 0,
       "message: %s", agn_error_message());
}

static void *free_here(void *p)
{
    agni_free(p);
    return agni_alloc(77);
}

static void test_threads_memory(void)
{
    int64_t blocks = live_blocks(), bytes = live_bytes();
    for (int i = 0; i < 50; i++) {
        pthread_t t;
        void *p = agni_alloc(1000), *q = NULL;
        pthread_create(&t, NULL, free_here, p);
        pthread_join(t, &q);
        agni_free(q);
    }
    is_int(live_blocks(), blocks, "blocks freed by other threads are counted");
    is_int(live_bytes(), bytes, "and their bytes");
}

/* Threads hand each other blocks of all sizes; a block is filled with its size. */
static void *_Atomic slots[64];

static void *trade(void *arg)
{
    uint64_t key = (uint64_t)(uintptr_t)arg, wrong = 0;
    for (uint64_t i = 0; i < (uint64_t)tap_scale(20000); i++) {
        uint32_t r = agni_philox_u32(key, i);
        size_t n = sizeof(size_t) + (r >> 8) % (r % 16 == 0 ? 5000 : 600);
        size_t *p = r % 2 ? agni_alloc(n) : agni_alloc_aligned(n);
        if (!p)
            continue;
        memset(p, (int)(n & 127), n);
        *p = n;
        p = atomic_exchange(&slots[r >> 26], p);
        for (size_t k = p ? sizeof *p : 0; p && k < *p; k++)
            wrong += ((unsigned char *)p)[k] != (*p & 127);
        agni_free(p);
    }
    return (void *)(uintptr_t)wrong;
}

static void test_trade(void)
{
    int64_t blocks = live_blocks(), bytes = live_bytes();
    pthread_t t[3];
    uintptr_t wrong = 0;
    for (uintptr_t i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, trade, (void *)(i + 1));
    for (int i = 0; i < 3; i++) {
        void *part;
        pthread_join(t[i], &part);
        wrong += (uintptr_t)part;
    }
    for (int i = 0; i < AGNI_COUNT(slots); i++)
        agni_free(slots[i]);
    is_int((int64_t)wrong, 0, "no block is given twice");
    is_int(live_blocks(), blocks, "threads that trade blocks leave none");
    is_int(live_bytes(), bytes, "and no byte");
}

static void test_overflow(void)
{
    int64_t r = 7;
    ok(agni_checked_mul(INT64_C(1) << 31, INT64_C(1) << 31, &r) && r == INT64_C(1) << 62,
       "2^62");
    ok(!agni_checked_mul(INT64_C(1) << 32, INT64_C(1) << 31, &r), "2^63 overflows");
    ok(agni_checked_add(INT64_MAX, INT64_MIN, &r) && r == -1, "sum");
    ok(!agni_checked_add(INT64_MAX, 1, &r) && !agni_checked_add(INT64_MIN, -1, &r),
       "sums overflow");
}

/* ---- hooks ---------------------------------------------------------------------- */

typedef struct heard {
    int logs, pressures, progresses;
    int32_t level;
    char text[100];
    double done;
    bool stop, again;
    counted *allocator;
} heard;

static void hear_log(void *user, int32_t level, const char *text)
{
    heard *h = user;
    h->logs++;
    h->level = level;
    snprintf(h->text, sizeof h->text, "%s", text);
}

static bool hear_pressure(void *user, size_t bytes)
{
    heard *h = user;
    h->pressures++;
    agni_free(agni_alloc(bytes)); /* as a collector might: no second call of the hook */
    h->allocator->refuse = !h->again;
    return h->again;
}

static bool hear_interrupt(void *user)
{
    return ((heard *)user)->stop;
}

static void hear_progress(void *user, const char *what, double done_now)
{
    heard *h = user;
    h->progresses++;
    h->done = done_now;
    snprintf(h->text, sizeof h->text, "%s", what);
}

static void test_hooks(void)
{
    counted c = {0};
    heard h = {.allocator = &c};
    agn_allocator mine = {sizeof mine, &c, counted_alloc, counted_free};
    agn_hooks hooks = {sizeof hooks,   &h,           hear_log, hear_pressure,
                       hear_interrupt, hear_progress};
    ok(!agni_check_interrupt(), "no hook, no interrupt");
    agni_log_message(1, "nobody hears this");
    is_int(agn_hooks_set(&hooks), AGN_OK, "hooks_set");
    agni_log_message(2, "x is %d", 5);
    is_str(h.text, "x is 5", "log text");
    is_int(h.level, 2, "log level");
    ok(!agni_check_interrupt(), "not interrupted");
    h.stop = true;
    ok(agni_check_interrupt(), "interrupted");
    agni_report_progress("train", 0.25);
    ok(h.progresses == 1 && h.done == 0.25 && !strcmp(h.text, "train"), "progress");

    is_int(agn_allocator_set(&mine), AGN_OK, "an allocator that may refuse");
    c.refuse = true;
    ok(!agni_alloc(10), "no memory, no help");
    is_int(h.pressures, 1, "the hook was asked once");
    h.again = true;
    void *p = agni_alloc(10);
    ok(p != NULL, "the allocation is tried again after the hook");
    is_int(h.pressures, 2, "the hook is not asked from within itself");
    agni_free(p);
    is_int(agn_allocator_set(NULL), AGN_OK, "default allocator");
    agn_memory_fail_after(0);
    ok(!agni_alloc(10), "an injected failure is not hidden by the hook");
    is_int(h.pressures, 2, "which is not asked");

    hooks.size = 3;
    is_int(agn_hooks_set(&hooks), AGN_EARG, "unknown size");
    is_int(agn_hooks_set(NULL), AGN_OK, "hooks removed");
    agni_log_message(2, "gone");
    is_int(h.logs, 1, "a removed hook is not called");
}

/* ---- scopes --------------------------------------------------------------------- */

/* Scopes see a tensor only as a counted object. */
typedef struct fake {
    agni_obj head;
    int value;
} fake;

static int fakes_alive;

static void fake_destroy(agni_obj *o)
{
    fakes_alive--;
    agni_free(o);
}

static const agni_obj_type fake_type = {.name = "fake", .destroy = fake_destroy};

static agn_status fake_new(agn_tensor **out, int value)
{
    fake *f = agni_alloc(sizeof *f);
    if (!f)
        return agni_nomem("fake_new", sizeof *f);
    agni_ref_init(&f->head.ref);
    f->head.type = &fake_type;
    f->value = value;
    fakes_alive++;
    *out = (agn_tensor *)f;
    return AGN_OK;
}

static int value_of(const agn_tensor *t)
{
    return t ? ((const fake *)(const void *)t)->value : -1;
}

/* What the generated wrappers do. */
static const agn_tensor *ag_fake(agn_scope *s, int value)
{
    agn_tensor *t = NULL;
    agn_status st = agn_scope_status(s);
    if (st)
        return NULL;
    st = value < 0 ? agni_fail(AGN_EDOMAIN, "fake: %d is negative", value)
                   : fake_new(&t, value);
    return agn_scope_adopt(s, st, &t);
}

static void let_go(agn_tensor *t)
{
    agni_obj_release((agni_obj *)t);
}

static void test_scope_commit(void)
{
    agn_tensor *out[20] = {0};
    agn_scope *s = agn_scope_open(NULL);
    for (int i = 0; i < 100; i++)
        ag_fake(s, i);
    for (int i = 0; i < 20; i++)
        agn_scope_return(s, &out[i], ag_fake(s, 1000 + i));
    ok(!out[0], "results are not written before the close");
    agn_scope_return(s, &out[3], ag_fake(s, 77));
    is_int(agn_scope_close(s), AGN_OK, "close");
    is_int(fakes_alive, 20, "only the results are alive");
    bool right = value_of(out[3]) == 77;
    for (int i = 0; i < 20; i++)
        right = right && (i == 3 || value_of(out[i]) == 1000 + i);
    ok(right, "20 results; the last one named for a place counts");
    for (int i = 0; i < 20; i++)
        let_go(out[i]);
    is_int(fakes_alive, 0, "all gone");

    agn_tensor *a = NULL, *b = NULL;
    s = agn_scope_open(NULL);
    const agn_tensor *t = ag_fake(s, 5);
    agn_scope_return(s, &a, t);
    agn_scope_return(s, &b, t);
    is_int(agn_scope_close(s), AGN_OK, "one value for two results");
    ok(a == b && value_of(a) == 5, "both are set");
    let_go(a);
    let_go(b);
    is_int(fakes_alive, 0, "with a reference each");
}

static void test_scope_failure(void)
{
    agn_tensor *out = (agn_tensor *)&fakes_alive, *untouched = out;
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_return(s, &out, ag_fake(s, 1));
    ok(!ag_fake(s, -5), "a failing call gives NULL");
    ok(!ag_fake(s, 2), "and so does every call after it");
    ok(!ag_fake(s, -6), "the first failure stays");
    is_int(agn_scope_status(s), AGN_EDOMAIN, "status of the scope");
    agn_scope_return(s, &out, NULL);
    agni_fail(AGN_EIO, "something else");
    is_int(agn_scope_close(s), AGN_EDOMAIN, "close gives the first failure");
    is_str(agn_error_message(), "fake: -5 is negative", "and its message");
    ok(out == untouched, "no result is written");
    is_int(fakes_alive, 0, "everything is released");

    s = agn_scope_open(NULL);
    agn_tensor *t = NULL;
    is_int(fake_new(&t, 3), AGN_OK, "a value");
    is_int(agn_scope_fail(s, agni_fail(AGN_EARG, "test: by hand")), AGN_EARG,
           "scope_fail");
    is_int(agn_scope_fail(s, AGN_EIO), AGN_EARG, "only the first counts");
    ok(!agn_scope_adopt(s, AGN_OK, &t), "a failed scope adopts nothing");
    is_int(fakes_alive, 0, "and releases what it is given");
    is_int(agn_scope_close(s), AGN_EARG, "close");

    s = agn_scope_open(NULL);
    is_int(agn_scope_fail(s, AGN_OK), AGN_OK, "failing with AGN_OK changes nothing");
    agn_scope_return(s, &out, NULL);
    is_int(agn_scope_close(s), AGN_ENULL, "a NULL result");
    s = agn_scope_open(NULL);
    agn_scope_return(s, NULL, ag_fake(s, 1));
    is_int(agn_scope_close(s), AGN_ENULL, "a NULL place");
    s = agn_scope_open(NULL);
    ok(!agn_scope_adopt(s, AGN_OK, &(agn_tensor *){NULL}), "success without a value");
    is_int(agn_scope_close(s), AGN_ENULL, "is a failure");
    s = agn_scope_open(NULL);
    agn_tensor *made = NULL;
    const agn_tensor *adopted = agn_scope_adopt(s, fake_new(&made, 3), &made);
    ok(adopted && adopted == made, "the call that makes the value may stand among the arguments");
    is_int(agn_scope_close(s), AGN_OK, "close");
    is_int(fakes_alive, 0, "and it is the scope's");
    s = agn_scope_open(NULL);
    ok(!agn_scope_adopt(s, AGN_OK, NULL), "no place for a value");
    is_int(agn_scope_close(s), AGN_ENULL, "is a failure");
    s = agn_scope_open(NULL);
    is_int(agn_scope_fail(s, 4), AGN_EARG, "a positive status is a failure: %s",
           agn_error_message());
    is_int(agn_scope_close(s), AGN_EARG, "close");

    /* scopes are closed in any order */
    for (int order = 0; order < 6; order++) {
        static const int by[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
        agn_scope *chain[3] = {agn_scope_open(NULL), NULL, NULL};
        chain[1] = agn_scope_open(chain[0]);
        chain[2] = agn_scope_open(chain[1]);
        agn_scope_fail(chain[2], agni_fail(AGN_EDOMAIN, "test: the innermost"));
        bool open[3] = {true, true, true}, told = true;
        for (int k = 0; k < 3; k++) {
            int i = by[order][k];
            /* told by what it holds, if all between are closed after what they hold */
            bool fails = i == 2 || (i == 1 && !open[2]) || (i == 0 && !open[1] && chain[1] == NULL);
            agn_status st = agn_scope_close(chain[i]);
            told = told && (st == AGN_EDOMAIN) == fails;
            open[i] = false;
            if (i == 1 && fails)
                chain[1] = NULL;
        }
        ok(told, "scopes closed in the order %d %d %d", by[order][0], by[order][1], by[order][2]);
    }
    is_int(agn_scope_close(NULL), AGN_ENULL, "close of NULL");
    is_int(agn_scope_status(NULL), AGN_ENULL, "status of NULL");
    is_int(agn_scope_fail(NULL, AGN_EARG), AGN_ENULL, "fail of NULL");
    is_int(fake_new(&t, 3), AGN_OK, "a value");
    ok(!agn_scope_adopt(NULL, AGN_OK, &t), "NULL adopts nothing");
    agn_scope_return(NULL, &out, NULL);
    is_int(fakes_alive, 0, "and releases it");
    ok(out == untouched, "no result is written");
}

static void test_scope_nesting(void)
{
    agn_tensor *out = NULL;
    agn_scope *outer = agn_scope_open(NULL), *inner = agn_scope_open(outer);
    agn_scope_return(outer, &out, ag_fake(inner, 8));
    is_int(agn_scope_close(inner), AGN_OK, "the inner scope closes first");
    is_int(agn_scope_close(outer), AGN_OK, "then the outer");
    is_int(value_of(out), 8, "a result from the inner scope lives on");
    let_go(out);

    outer = agn_scope_open(NULL);
    inner = agn_scope_open(outer);
    ag_fake(inner, -3);
    is_int(agn_scope_status(outer), AGN_OK, "the parent is told at the close");
    is_int(agn_scope_close(inner), AGN_EDOMAIN, "inner failure");
    is_int(agn_scope_status(outer), AGN_EDOMAIN, "the parent has failed");
    inner = agn_scope_open(outer);
    is_int(agn_scope_status(inner), AGN_EDOMAIN,
           "within it a scope fails from the start");
    agni_fail(AGN_EIO, "something else");
    is_int(agn_scope_close(inner), AGN_EDOMAIN, "for the same reason");
    is_str(agn_error_message(), "fake: -3 is negative", "with the same message");
    is_int(agn_scope_close(outer), AGN_EDOMAIN, "outer close");
    is_str(agn_error_message(), "fake: -3 is negative", "message of the outer scope");
    is_int(fakes_alive, 0, "nothing is left");
}

static agn_status many_steps(agn_tensor **out, agn_tensor **second)
{
    agn_scope *outer = agn_scope_open(NULL), *s = agn_scope_open(outer);
    agn_tensor *results[6] = {0};
    for (int i = 0; i < 40; i++)
        ag_fake(s, i);
    for (int i = 0; i < 6; i++)
        agn_scope_return(s, &results[i], ag_fake(s, i));
    agn_status st = agn_scope_close(s);
    agn_scope_return(outer, second, ag_fake(outer, 2));
    agn_scope_return(outer, out, ag_fake(outer, 1));
    for (int i = 0; i < 6; i++)
        let_go(results[i]);
    agn_status last = agn_scope_close(outer);
    return st ? st : last;
}

static void test_scope_memory(void)
{
    int64_t blocks = live_blocks(), failures = 0;
    agn_tensor *a = NULL, *b = NULL;
    bool clean = true;
    for (int64_t n = 0;; n++) {
        int64_t count = agn_memory_count();
        agn_memory_fail_after(n);
        agn_status st = many_steps(&a, &b);
        agn_memory_fail_after(-1);
        bool reached = agn_memory_count() - count > n;
        if (!reached) {
            is_int(st, AGN_OK, "without a failure all is well");
            break;
        }
        failures++;
        clean = clean && st == AGN_ENOMEM && !a && !b && live_blocks() == blocks &&
                strstr(agn_error_message(), "out of memory");
    }
    ok(clean,
       "each of %d allocations failed in turn: reported, nothing leaked or written",
       (int)failures);
    ok(failures > 50, "there were many");
    let_go(a);
    let_go(b);
    is_int(live_blocks(), blocks, "no block is left");

    agn_memory_fail_after(0);
    agn_scope *s = agn_scope_open(NULL);
    ok(s != NULL, "without memory there is a scope all the same");
    is_int(agn_scope_status(s), AGN_ENOMEM, "which has failed");
    agn_scope *t = agn_scope_open(s);
    is_int(agn_scope_close(t), AGN_ENOMEM, "and so has one within it");
    is_int(agn_scope_close(s), AGN_ENOMEM, "at the close, too");
    s = agn_scope_open(NULL);
    agn_memory_fail_after(0);
    t = agn_scope_open(s);
    is_int(agn_scope_close(t), AGN_ENOMEM, "an inner scope without memory");
    is_int(agn_scope_close(s), AGN_ENOMEM, "is a failure of its parent");
}

/* ---- keys
 * ---------------------------------------------------------------------------------------
 */

/* Known answers: the Random123 distribution's kat_vectors, philox4x32 10. */
static void test_philox(void)
{
    static const struct {
        uint32_t c[4], k[2], r[4];
    } kat[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (int i = 0; i < AGNI_COUNT(kat); i++) {
        const uint32_t *c = kat[i].c;
        agni_philox4 r = agni_philox(c[0], c[1], c[2], c[3], kat[i].k[0], kat[i].k[1]);
        ok(!memcmp(r.w, kat[i].r, sizeof r.w), "known answer %d", i);
    }
    uint64_t seed = UINT64_C(0x299f31d0a4093822), stream = UINT64_C(0x85a308d3243f6a88);
    agni_philox4 r = agni_philox(0x243f6a88, 0x85a308d3, 0, 0, 0xa4093822, 0x299f31d0);
    uint64_t key = agni_philox_subkey(seed, stream);
    ok(key == ((uint64_t)r.w[1] << 32 | r.w[0]),
       "sub-key: words 0 and 1, low word first");
    uint64_t block = UINT64_C(0x123456789a);
    r = agni_philox(0x3456789a, 0x12, 0, 0, (uint32_t)key, (uint32_t)(key >> 32));
    bool f32 = true, f64 = true;
    for (uint32_t k = 0; k < 4; k++) {
        float want = ldexpf((float)(r.w[k] >> 8), -24);
        f32 = f32 && agni_philox_f32(key, 4 * block + k) == want;
    }
    for (uint32_t k = 0; k < 2; k++) {
        uint64_t bits = ((uint64_t)r.w[2 * k] << 32 | r.w[2 * k + 1]) >> 11;
        f64 = f64 && agni_philox_f64(key, 2 * block + k) == ldexp((double)bits, -53);
    }
    ok(f32, "f32 element i is word i %% 4 of block i / 4");
    ok(f64, "f64 element i is words 2 (i %% 2), 2 (i %% 2) + 1 of block i / 2");
    ok(agni_philox_to_f32(UINT32_MAX) < 1 && agni_philox_to_f32(255) == 0,
       "f32 in [0, 1)");
    ok(agni_philox_to_f64(UINT32_MAX, UINT32_MAX) < 1 &&
           agni_philox_to_f64(0, 2047) == 0,
       "f64 in [0, 1)");
    double sum = 0, squares = 0;
    for (uint64_t i = 0; i < 100000; i++) {
        double x = agni_philox_f64(key, i) - 0.5;
        sum += x;
        squares += x * x;
    }
    near(sum / 1e5, 0, 5 / sqrt(12e5), "mean of uniforms");
    near(squares / 1e5, 1.0 / 12, 5e-4, "variance of uniforms");
    ok(agni_philox_fold(key, 0) != agni_philox_fold(key, 1),
       "lanes have keys of their own");
    ok(agni_philox_fold(key, 0) != agni_philox_key(agni_philox_block(key, 0)),
       "which are no draws");
}

static void test_generator(void)
{
    agn_generator *g = NULL;
    uint64_t seed = 0, stream = 9;
    is_int(agn_generator_new(&g, 42), AGN_OK, "generator_new");
    is_int(agn_generator_get(g, &seed, &stream), AGN_OK, "generator_get");
    ok(seed == 42 && stream == 0, "a new generator begins at stream 0");
    agni_generator_next(g, &seed, &stream);
    ok(seed == 42 && stream == 0, "the first stream is 0");
    agni_generator_next(g, &seed, &stream);
    ok(stream == 1, "then 1");
    is_int(agn_generator_set(g, 7, UINT64_MAX), AGN_OK, "generator_set");
    agni_generator_next(g, &seed, &stream);
    ok(seed == 7 && stream == UINT64_MAX, "streams restored");
    is_int(agn_generator_get(g, NULL, &stream), AGN_OK, "get with NULL");
    ok(stream == 0, "streams wrap");
    is_int(agn_generator_skip(g, ((uint64_t)1 << 32) + 5), AGN_OK, "generator_skip");
    agni_generator_next(g, &seed, &stream);
    ok(stream == ((uint64_t)1 << 32) + 5, "2^32 + 5 streams passed over");
    is_int(agn_generator_skip(NULL, 1), AGN_ENULL, "skip: NULL");
    agn_generator *child = NULL, *sister = NULL;
    uint64_t seeds[2] = {7, 7};
    is_int(agn_generator_split(&child, g), AGN_OK, "generator_split");
    is_int(agn_generator_split(&sister, g), AGN_OK, "and again");
    is_int(agn_generator_get(child, &seeds[0], &stream), AGN_OK, "get of the split");
    ok(stream == 0, "which begins at stream 0");
    is_int(agn_generator_get(sister, &seeds[1], NULL), AGN_OK, "get of the other");
    ok(seeds[0] != 7 && seeds[1] != 7 && seeds[0] != seeds[1], "each has a seed of its own");
    is_int(agn_generator_get(g, NULL, &stream), AGN_OK, "get of the first");
    ok(stream == ((uint64_t)1 << 32) + 8, "splitting takes a stream");
    is_int(agn_generator_split(NULL, g), AGN_ENULL, "split into NULL");
    is_int(agn_generator_split(&child, NULL), AGN_ENULL, "split of NULL");
    agn_generator_release(child);
    agn_generator_release(sister);
    agn_generator_release(g);
    agn_generator_release(NULL);
    is_int(agn_generator_new(NULL, 1), AGN_ENULL, "new: NULL");
    is_int(agn_generator_get(NULL, &seed, &stream), AGN_ENULL, "get: NULL");
    is_int(agn_generator_set(NULL, 1, 2), AGN_ENULL, "set: NULL");
    agn_generator *untouched = g;
    agn_memory_fail_after(0);
    is_int(agn_generator_new(&g, 1), AGN_ENOMEM, "new without memory");
    ok(g == untouched, "leaves its output");
    agn_generator *whole = NULL;
    is_int(agn_generator_new(&whole, 1), AGN_OK, "new");
    agn_memory_fail_after(0);
    is_int(agn_generator_split(&g, whole), AGN_ENOMEM, "split without memory");
    is_int(agn_generator_get(whole, NULL, &stream), AGN_OK, "get");
    ok(g == untouched && stream == 0, "leaves its output and its source");
    agn_generator_release(whole);
}

static void *draw_streams(void *g)
{
    uint64_t seed, stream, sum = 0;
    for (int i = 0; i < 10000; i++) {
        agni_generator_next(g, &seed, &stream);
        sum += stream;
    }
    return (void *)(uintptr_t)sum;
}

static void test_generator_threads(void)
{
    agn_generator *g = NULL;
    pthread_t t[2];
    uintptr_t sum = 0;
    is_int(agn_generator_new(&g, 1), AGN_OK, "generator_new");
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, draw_streams, g);
    for (int i = 0; i < 2; i++) {
        void *part;
        pthread_join(t[i], &part);
        sum += (uintptr_t)part;
    }
    ok(sum == 19999u * 10000u, "no stream is drawn twice by two threads");
    agn_generator_release(g);
}

/* ---- numbers as text ------------------------------------------------------------ */

static void check_numbers(const char *where)
{
    static const struct {
        double x;
        const char *text;
    } exact[] = {
        {0, "0"},
        {-0.0, "-0"},
        {0.1, "0.1"},
        {1.5, "1.5"},
        {-2.25, "-2.25"},
        {1.0 / 3, "0.3333333333333333"},
        {0.1 + 0.2, "0.30000000000000004"},
        {1e300, "1e+300"},
        {5e-324, "5e-324"},
        {2.2250738585072014e-308, "2.2250738585072014e-308"},
        {123456, "123456"},
        {1e15, "1e+15"},
        {123456789012345678.0, "1.2345678901234568e+17"},
        {1e23, "1e+23"},
        {9007199254740992.0, "9007199254740992"},
        {0x1p-44, "5.684341886080802e-14"}, /* the nearest of 16 digits is another number */
        {0x1p1000, "1.0715086071862673e+301"},
        {0.0001, "0.0001"},
        {0.00001234, "1.234e-05"},
        {-4.35, "-4.35"},
        {1.7976931348623157e308, "1.7976931348623157e+308"},
        {(double)INFINITY, "inf"},
        {-(double)INFINITY, "-inf"},
        {(double)NAN, "nan"},
        {-(double)NAN, "nan"},
    };
    char text[64];
    for (int i = 0; i < AGNI_COUNT(exact); i++) {
        int n = agni_format_double(text, sizeof text, exact[i].x, -1);
        is_str(text, exact[i].text, "%s: shortest text", where);
        is_int(n, (int)strlen(exact[i].text), "%s: its length", where);
    }
    agni_format_double(text, sizeof text, 3.14159, 3);
    is_str(text, "3.14", "%s: three digits", where);
    agni_format_float(text, sizeof text, 0.1f, -1);
    is_str(text, "0.1", "%s: a float", where);
    agni_format_float(text, sizeof text, 1e-45f, -1);
    is_str(text, "1e-45", "%s: a subnormal float", where);
    agni_format_float(text, sizeof text, 16777216.0f / 3, -1);
    is_str(text, "5592405.5", "%s: eight digits", where);
    is_int(agni_format_double(text, 4, 0.125, -1), 5, "%s: a short buffer", where);
    is_str(text, "0.1", "%s: is cut", where);
    agni_fail(AGN_EARG, "x is %g", 0.5);
    is_str(agn_error_message(), "x is 0.5", "%s: a message", where);

    static const struct {
        const char *text;
        double x;
        int used; /* -1: no number */
    } parsed[] = {
        {"1.5", 1.5, 3},
        {"-1.5e3,", -1500, 6},
        {"+.5", 0.5, 3},
        {"5.", 5, 2},
        {"1e", 1, 1},
        {"1e+", 1, 1},
        {"0x10", 0, 1},
        {"1,5", 1, 1},
        {"inf", (double)INFINITY, 3},
        {"-Infinity", -(double)INFINITY, 9},
        {"nan", (double)NAN, 3},
        {"nan(7)", (double)NAN, 3},
        {"1e400", (double)INFINITY, 5},
        {"4.9e-324", 5e-324, 8},
        {"", 0, -1},
        {".", 0, -1},
        {"-", 0, -1},
        {" 1", 0, -1},
        {"e5", 0, -1},
        {"x", 0, -1},
        {"-.e1", 0, -1},
        {"in", 0, -1},
    };
    for (int i = 0; i < AGNI_COUNT(parsed); i++) {
        double x = 99;
        const char *end = parsed[i].text - 1;
        errno = 5;
        bool found = agni_parse_double(parsed[i].text, &end, &x);
        is_int(end - parsed[i].text, parsed[i].used, "%s: end of \"%s\"", where,
               parsed[i].text);
        near(x, found ? parsed[i].x : 99, 0, "%s: value of \"%s\"", where,
             parsed[i].text);
        is_int(errno, 5, "%s: errno is left alone", where);
    }
    double x;
    ok(agni_parse_double("-0", NULL, &x) && x == 0 && signbit(x), "%s: minus zero",
       where);

    bool same = true;
    int many = tap_long(2000, 1000000);
    for (uint64_t i = 0; i < (uint64_t)many; i++) {
        uint64_t bits = agni_philox_key(agni_philox_block(1, i));
        double a, b;
        float c, d;
        memcpy(&a, &bits, sizeof a);
        memcpy(&c, &bits, sizeof c);
        if (!isfinite(a) || !isfinite(c))
            continue;
        agni_format_double(text, sizeof text, a, -1);
        same = same && agni_parse_double(text, NULL, &b) && a == b;
        agni_format_float(text, sizeof text, c, -1);
        d = strtof(text, NULL);
        same = same && (d == c || strtod(",5", NULL) == 0.5);
    }
    ok(same, "%s: any bits survive as text, %d of them", where, many);
}

static void test_numbers(void)
{
    check_numbers("C locale");
    const char *name = set_comma_locale();
    if (!name) {
        skip("no locale with a decimal comma on this system, and none can be made");
        return;
    }
    char text[32];
    snprintf(text, sizeof text, "%g", 1.5);
    is_str(text, "1,5", "the host prints with a comma (%s)", name);
    check_numbers("comma locale");
    snprintf(text, sizeof text, "%g", 1.5);
    is_str(text, "1,5", "and still does");
    setlocale(LC_ALL, "C");
}

static void test_cpu(void)
{
    const char *why = NULL, *name = agn_cpu_level(&why);
    static const char *const names[] = {"base", "avx2", "avx512"};
    is_str(name, names[agni_cpu_level()], "name and number of the CPU level agree");
    const char *forced = getenv("AGNESI_CPU");
    ok(why && (forced || !*why), "without a wish there is no refusal");
    diag("CPU level %s, AGNESI_CPU=%s, reason \"%s\"", name, forced ? forced : "", why);
    is_str(agn_cpu_level(NULL), name, "why may be NULL");
}

/* In a process of its own, before the level is chosen: 0 to 2, and 10 more with a
 * reason. */
static int level_if_forced(const char *forced)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        const char *why;
        setenv("AGNESI_CPU", forced, 1);
        agn_cpu_level(&why);
        _exit(agni_cpu_level() + (*why ? 10 : 0));
    }
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_forced_cpu(void)
{
    int best = level_if_forced("");
    ok(best >= 0 && best <= 2, "an empty wish is no wish");
    is_int(level_if_forced("base"), 0, "AGNESI_CPU=base");
    is_int(level_if_forced("avx2"), best >= 1 ? 1 : 10, "AGNESI_CPU=avx2");
    is_int(level_if_forced("avx512"), best >= 2 ? 2 : best + 10, "AGNESI_CPU=avx512");
    is_int(level_if_forced("sse9"), best + 10,
           "AGNESI_CPU=sse9 is refused with a reason");
}

int main(void)
{
    test_forced_cpu();
    test_messages();
    test_status();
    test_memory();
    test_peak();
    test_allocator();
    test_injection();
    test_threads_memory();
    test_trade();
    test_overflow();
    test_hooks();
    test_scope_commit();
    test_scope_failure();
    test_scope_nesting();
    test_scope_memory();
    test_philox();
    test_generator();
    test_generator_threads();
    test_numbers();
    test_cpu();
    return done();
}
