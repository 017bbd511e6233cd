/* Devices: names, back ends registered from outside, modules that are missing or wrong,
   and every way of having no CUDA: each ends in a reason and a working CPU. */
#include "tests/tap.h"
#include "core/device/backend_registry.h"
#include <dlfcn.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *message_has(const char *part)
{
    return strstr(agn_error_message(), part);
}

/* ---- a back end registered by the test itself ----------------------------------- */

static struct {
    int devices, live, to_device, to_host, copies;
    const char *why;
    agn_status fault;
} fake = {.devices = 2, .why = ""};

static int32_t fake_probe(char *why, size_t n)
{
    snprintf(why, n, "%s", fake.why);
    return fake.devices;
}

static agn_status fake_alloc(int32_t device, size_t bytes, void **p)
{
    (void)device;
    if (bytes > 1000000000)
        return agn_backend_fail(AGN_ENOMEM, "fake: out of device memory");
    fake.live++;
    *p = malloc(bytes + 1);
    return AGN_OK;
}

static void fake_free(int32_t device, void *p, size_t bytes)
{
    (void)device, (void)bytes;
    fake.live--;
    free(p);
}

static agn_status fake_to_device(int32_t device, void *to, const void *from,
                                 size_t bytes)
{
    (void)device;
    fake.to_device++;
    memcpy(to, from, bytes);
    return AGN_OK;
}

static agn_status fake_to_host(int32_t device, void *to, const void *from, size_t bytes)
{
    (void)device;
    fake.to_host++;
    memcpy(to, from, bytes);
    return AGN_OK;
}

static agn_status fake_copy(int32_t device, void *to, const void *from, size_t bytes)
{
    (void)device;
    fake.copies++;
    memcpy(to, from, bytes);
    return AGN_OK;
}

static void *fake_stream(int32_t device)
{
    (void)device;
    return &fake;
}

static uint64_t fake_record(int32_t device)
{
    return (uint64_t)device;
}

static agn_status fake_wait(int32_t device, uint64_t mark)
{
    (void)device, (void)mark;
    return AGN_OK;
}

static agn_status fake_synchronize(int32_t device)
{
    (void)device;
    agn_status st = fake.fault;
    fake.fault = AGN_OK;
    return st ? agn_backend_fail(st, "fake: index 7 is out of range [0,5)") : AGN_OK;
}

static agn_backend fake_backend(const char *name)
{
    return (agn_backend){.size = sizeof(agn_backend),
                         .abi = AGN_BACKEND_ABI,
                         .name = name,
                         .probe = fake_probe,
                         .alloc = fake_alloc,
                         .free = fake_free,
                         .to_device = fake_to_device,
                         .to_host = fake_to_host,
                         .copy = fake_copy,
                         .stream = fake_stream,
                         .record = fake_record,
                         .wait = fake_wait,
                         .synchronize = fake_synchronize};
}

static void test_cpu(void)
{
    int32_t d = 7;
    const char *why = NULL;
    is_int(agn_device_find(&d, "cpu"), AGN_OK, "cpu");
    is_int(d, AGN_CPU, "its number");
    is_int(agn_device_find(&d, "cpu:0"), AGN_OK, "cpu:0");
    is_str(agn_device_name(AGN_CPU), "cpu", "its name");
    is_int(agn_backend_status("cpu", &why), 1, "one CPU");
    is_str(why, "", "no reason");
    is_int(agn_device_synchronize(AGN_CPU), AGN_OK, "synchronize");
    const agn_backend *b = agni_backend_of(AGN_CPU);
    ok(b && b->host_visible && !b->stream(0), "the CPU is a back end");
    is_int(b->wait(0, b->record(0)), AGN_OK, "with marks");
    void *p = NULL, *q = NULL;
    is_int(agni_device_alloc(AGN_CPU, 1000, &p), AGN_OK, "memory");
    ok((uintptr_t)p % 64 == 0, "aligned to a cache line");
    is_int(agni_device_alloc(AGN_CPU, SIZE_MAX, &q), AGN_ENOMEM, "too much");
    ok(!q, "nothing is written");
    memset(p, 5, 1000);
    is_int(agni_device_copy(AGN_CPU, (char *)p + 1, AGN_CPU, p, 999), AGN_OK,
           "overlapping copy");
    agni_device_free(AGN_CPU, p, 1000);
    agni_device_free(AGN_CPU, NULL, 0);
}

static void test_bad_names(void)
{
    static const char *const bad[] = {"",
                                      ":",
                                      "cpu:",
                                      "cpu:x",
                                      "cpu:-1",
                                      "CPU",
                                      "../x",
                                      "cpu:1",
                                      "a b",
                                      "cpu:0:0",
                                      "cpu:99999999999",
                                      "nosuchbackend",
                                      "nosuchbackend:3"};
    int32_t d = 77;
    for (int i = 0; i < AGNI_COUNT(bad); i++) {
        is_int(agn_device_find(&d, bad[i]), AGN_EDEVICE, "no device \"%s\"", bad[i]);
        ok(message_has(bad[i]) &&
               (message_has("there are cpu") || message_has("cpu has 1")),
           "message: %s", agn_error_message());
    }
    is_int(d, 77, "nothing is written");
    is_int(agn_device_find(NULL, "cpu"), AGN_ENULL, "out is NULL");
    is_int(agn_device_find(&d, NULL), AGN_ENULL, "name is NULL");
    static const int32_t numbers[] = {-1, 1, 255, 256, 1 << 20, INT32_MIN, INT32_MAX};
    for (int i = 0; i < AGNI_COUNT(numbers); i++) {
        is_str(agn_device_name(numbers[i]), "?", "no device number %d", numbers[i]);
        is_int(agn_device_synchronize(numbers[i]), AGN_EDEVICE, "synchronize");
        ok(!agni_backend_of(numbers[i]), "no back end");
        void *p = NULL;
        is_int(agni_device_alloc(numbers[i], 1, &p), AGN_EDEVICE, "alloc");
        is_int(agni_device_copy(AGN_CPU, &d, numbers[i], &d, 4), AGN_EDEVICE, "copy");
    }
    const char *why;
    is_int(agn_backend_status("nosuchbackend", &why), 0, "status of a missing module");
    ok(strstr(why, "libagnesi-nosuchbackend.so"), "reason: %s", why);
    is_int(agn_backend_status("../x", &why), 0, "status of a bad name: %s", why);
    is_int(agn_backend_status(NULL, &why), 0, "status of NULL: %s", why);
    is_int(agn_backend_status("nosuchbackend", NULL), 0, "why may be NULL");
    char name[24];
    for (int i = 0; i < 40; i++) {
        snprintf(name, sizeof name, "missing%d", i);
        agn_backend_status(name, &why);
        if (!strstr(why, name))
            ok(false, "a reason for the %d-th missing module: %s", i, why);
    }
}

static void test_registration(void)
{
    static agn_backend good, dead, bad;
    good = fake_backend("fake");
    is_int(agn_backend_register(NULL), AGN_ENULL, "NULL");
    bad = good, bad.abi = 1;
    is_int(agn_backend_register(&bad), AGN_EARG, "version: %s", agn_error_message());
    bad = good, bad.size = offsetof(agn_backend, compile_region) - 1;
    is_int(agn_backend_register(&bad), AGN_EARG, "size: %s", agn_error_message());
    bad = good, bad.size = 3;
    is_int(agn_backend_register(&bad), AGN_EARG, "tiny size");
    bad = good, bad.synchronize = NULL;
    is_int(agn_backend_register(&bad), AGN_EARG, "missing function");
    ok(message_has("synchronize"), "message: %s", agn_error_message());
    bad = good, bad.n_kernels = 1;
    is_int(agn_backend_register(&bad), AGN_EARG, "missing kernels");
    static const char *const names[] = {"",
                                        "a:b",
                                        "a/b",
                                        "Upper",
                                        "cpu",
                                        NULL,
                                        "a_name_that_is_much_too_long_for_a_device"};
    for (int i = 0; i < AGNI_COUNT(names); i++) {
        bad = good, bad.name = names[i];
        is_int(agn_backend_register(&bad), AGN_EARG, "name: %s", agn_error_message());
    }
    dead = fake_backend("dead");
    fake.devices = 0, fake.why = "it is switched off";
    is_int(agn_backend_register(&dead), AGN_EDEVICE, "no device");
    ok(message_has("switched off"), "message: %s", agn_error_message());
    const char *why;
    is_int(agn_backend_status("dead", &why), 0, "status");
    is_str(why, "it is switched off", "the reason is kept");
    int32_t d = 5;
    is_int(agn_device_find(&d, "dead:0"), AGN_EDEVICE, "no device of it");
    ok(message_has("switched off"), "message: %s", agn_error_message());

    fake.devices = 2, fake.why = "";
    good.size += 64;
    is_int(agn_backend_register(&good), AGN_OK,
           "register, with members of a later version behind ours");
    is_int(agn_backend_register(&good), AGN_EARG, "twice: %s", agn_error_message());
    is_int(agn_backend_status("fake", &why), 2, "two devices");
    is_int(agn_device_find(&d, "fake:2"), AGN_EDEVICE, "no third: %s",
           agn_error_message());
    ok(message_has("fake has 2 devices"), "message");
    is_int(agn_device_find(&d, "fake"), AGN_OK, "the first");
    is_str(agn_device_name(d), "fake:0", "its name");
    int32_t e = 0;
    is_int(agn_device_find(&e, "fake:1"), AGN_OK, "the second");
    is_str(agn_device_name(e), "fake:1", "its name");
    ok(agni_backend_of(e) == &good && agni_device_ordinal(e) == 1,
       "number and back end");
}

static void test_memory(void)
{
    int32_t a = 0, b = 0;
    void *p = NULL, *q = NULL, *none = NULL;
    char text[] = "1748", back[8] = "";
    ok(agn_device_find(&a, "fake:0") == AGN_OK &&
           agn_device_find(&b, "fake:1") == AGN_OK,
       "two devices");
    is_int(agni_device_alloc(a, 5, &p), AGN_OK, "alloc");
    is_int(agni_device_alloc(b, 5, &q), AGN_OK, "alloc");
    is_int(agni_device_alloc(b, 2000000000, &none), AGN_ENOMEM, "too much");
    is_str(agn_error_message(), "fake: out of device memory",
           "message of the back end");
    is_int(agni_device_copy(a, p, AGN_CPU, text, 5), AGN_OK, "from the host");
    is_int(agni_device_copy(b, q, a, p, 5), AGN_OK, "to the other device");
    is_int(agni_device_copy(b, q, b, q, 0), AGN_OK, "nothing");
    is_int(agni_device_copy(AGN_CPU, back, b, q, 5), AGN_OK, "to the host");
    is_str(back, "1748", "came round");
    ok(fake.to_device == 2 && fake.to_host == 2 && fake.copies == 0,
       "by way of the host");
    is_int(agni_device_copy(a, p, a, p, 5), AGN_OK, "within a device");
    is_int(fake.copies, 1, "by the back end");
    agn_memory_fail_after(0);
    is_int(agni_device_copy(b, q, a, p, 5), AGN_ENOMEM, "no memory for the way");
    agni_device_free(a, p, 5);
    agni_device_free(b, q, 5);
    is_int(fake.live, 0, "all is free");
    fake.fault = AGN_EINDEX;
    is_int(agn_device_synchronize(a), AGN_EINDEX, "a fault on the device");
    is_str(agn_error_message(), "fake: index 7 is out of range [0,5)", "message");
    is_int(agn_device_synchronize(a), AGN_OK, "is told once");
}

static void test_too_many(void)
{
    static agn_backend more[AGNI_MAX_BACKENDS];
    static char names[AGNI_MAX_BACKENDS][24];
    int n = 0;
    agn_status st = AGN_OK;
    while (n < AGNI_MAX_BACKENDS && !st) {
        snprintf(names[n], sizeof names[n], "more%d", n);
        more[n] = fake_backend(names[n]);
        st = agn_backend_register(&more[n++]);
    }
    is_int(st, AGN_EARG, "too many back ends: %s", agn_error_message());
}

/* ---- modules
 * ------------------------------------------------------------------------------------
 */

static char folder[] = "/tmp/agnesi-device-XXXXXX";

static const char *variable(const char *name, const char *otherwise)
{
    const char *text = getenv(name);
    return text && *text ? text : otherwise;
}

static bool compile(const char *define, const char *file, const char *flags)
{
    char command[2000];
    const char *top = variable("top_srcdir", ".");
    snprintf(command, sizeof command,
             "%s -shared -fPIC -D%s -I%s/include %s -o %s/%s %s/tests/module.c",
             variable("CC", "cc"), define, top, flags, folder, file, top);
    return system(command) == 0;
}

static bool prepare(void)
{
    char path[100], driver[100], wrong[100];
    snprintf(driver, sizeof driver, "%s/driver", folder);
    snprintf(wrong, sizeof wrong, "%s/wrong", folder);
    snprintf(path, sizeof path, "%s/libagnesi-broken.so", folder);
    if (mkdir(driver, 0700) || mkdir(wrong, 0700))
        return false;
    FILE *f = fopen(path, "w");
    if (!f)
        return false;
    fputs("this is no library", f);
    fclose(f);
    snprintf(path, sizeof path, "%s/libagnesi-other.so", folder);
    return compile("MODULE", "libagnesi-mod.so", "") &&
           compile("NO_DRIVER", "libagnesi-empty.so", "") &&
           symlink("libagnesi-mod.so", path) == 0 &&
           compile("DRIVER", "driver/libcuda.so.1", "-Wl,-soname,libcuda.so.1") &&
           compile("NO_DRIVER", "wrong/libcuda.so.1", "-Wl,-soname,libcuda.so.1");
}

typedef struct scenario {
    const char *title, *name, *module,
        *driver; /* driver: its folder, NULL for the system's */
    const char *acts, *path, *reason;
    int32_t devices;
} scenario;

/* In a process of its own: what is loaded stays loaded. */
static int play(const scenario *s)
{
    char path[300];
    const char *why = "";
    int32_t d = 9;
    setenv("TEST_NAME", s->name, 1);
    setenv("TEST_MODULE", s->module ? s->module : "", 1);
    setenv("TEST_DRIVER", s->acts ? s->acts : "", 1);
    snprintf(path, sizeof path, "%s%s%s", folder, s->path ? s->path : "",
             s->path ? folder : "");
    setenv("AGNESI_BACKEND_PATH", path, 1);
    snprintf(path, sizeof path, "%s/%s/libcuda.so.1", folder,
             s->driver ? s->driver : "");
    if (s->driver && !dlopen(path, RTLD_NOW | RTLD_LOCAL))
        return 2;
    int32_t n = agn_backend_status(s->name, &why);
    diag("%s: %d device(s), \"%s\"", s->title, n, why);
    bool right = n == s->devices && (n > 0 ? !*why : strstr(why, s->reason) != NULL);
    int32_t again = agn_backend_status(s->name, NULL);
    snprintf(path, sizeof path, "%s:0", s->name);
    agn_status st = agn_device_find(&d, path);
    right = right && again == n &&
            (n > 0 ? !st : st == AGN_EDEVICE && message_has(s->reason));
    right = right && agn_device_find(&d, "cpu") == AGN_OK && d == AGN_CPU;
    return right ? 0 : 1;
}

static void test_scenario(const scenario *s)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        _exit(play(s));
    int status = -1;
    waitpid(child, &status, 0);
    ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%s", s->title);
}

/* ---- names that lead to code of others ------------------------------------------------------ */

/* in a process of its own: mod is refused for this reason, whatever the environment says */
static void test_refused(const char *title, const char *list, const char *reason)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        const char *why = "";
        setenv("AGNESI_BACKEND_PATH", list, 1);
        if (chdir(folder))
            _exit(3);
        bool right = agn_backend_status("mod", &why) == 0 && strstr(why, reason);
        diag("%s: \"%s\"", title, why);
        _exit(right ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%s", title);
}

static const char *run_as = "run-as"; /* the argument of a copy of this program */

/* what a copy of this program with other rights than its user's finds */
static int play_secure(void)
{
    const char *why = "";
    if (!getauxval(AT_SECURE))
        return 77;
    return agn_backend_status("mod", &why) == 0 && strstr(why, "mod.so is not in") ? 0 : 1;
}

static void test_foreign_code(void)
{
    enum { NOBODY = 65534 };
    char module[100], copy[100], command[400], list[300];
    snprintf(module, sizeof module, "%s/libagnesi-mod.so", folder);
    test_refused("a relative folder", ".", "\".\" in AGNESI_BACKEND_PATH is no absolute name");
    test_refused("a relative folder behind colons", "::driver/..:", "is no absolute name");
    test_refused("a relative folder behind another", "/nowhere:..", "\"..\" in AGNESI_BACKEND_PATH");
    ok(!chmod(module, 0757), "a module that everybody may write to");
    test_refused("is refused", folder, "libagnesi-mod.so may be written by everybody");
    ok(!chmod(module, 0755) && !chmod(folder, 0707), "and a folder");
    test_refused("is refused", folder, "may be written by everybody");
    ok(!chmod(folder, 0700), "as it was");
    if (geteuid() != 0) {
        skip("other owners and set-user-id: only root can make them");
        return;
    }
    ok(!chown(module, NOBODY, NOBODY), "a module of another user");
    test_refused("is refused", folder, "libagnesi-mod.so belongs to user 65534");
    ok(!chown(module, 0, 0) && !chown(folder, NOBODY, NOBODY), "and a folder");
    test_refused("is refused", folder, "belongs to user 65534");
    ok(!chown(folder, 0, 0) && !chmod(folder, 0755), "as it was");
    snprintf(copy, sizeof copy, "%s/set-user-id", folder);
    snprintf(command, sizeof command,
             "cp /proc/%d/exe %s && chown %d %s && chmod 4755 %s", (int)getpid(), copy, NOBODY, copy,
             copy);
    snprintf(list, sizeof list, "%s", folder);
    int status = system(command);
    pid_t child = status ? -1 : fork();
    if (child == 0) {
        setenv("AGNESI_BACKEND_PATH", list, 1);
        execl(copy, copy, run_as, (char *)NULL);
        _exit(77);
    }
    if (child > 0)
        waitpid(child, &status, 0);
    if (child < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 77))
        skip("set-user-id: such programs do not run here");
    else
        ok(WIFEXITED(status) && WEXITSTATUS(status) == 0,
           "a set-user-id program takes no code that its user names");
}

static void test_modules(void)
{
    static const scenario all[] = {
        {"a good module", "mod", .devices = 2},
        {"a module in the second folder", "mod", .path = "/wrong::", .devices = 2},
        {"folders without it", "mod", .path = "/wrong:/nowhere",
         .reason = "mod.so is not in"},
        {"a module that is not there", "absent",
         .reason = "libagnesi-absent.so is not in"},
        {"a file that is no library", "broken", .reason = "cannot be loaded"},
        {"a library without the entry", "empty",
         .reason = "agn_backend_entry is missing"},
        {"another interface version", "mod", "wrong-abi", .reason = "version 99"},
        {"another size", "mod", "wrong-size", .reason = "24 bytes"},
        {"another name", "mod", "wrong-name", .reason = "calls itself \"another\""},
        {"an entry that gives NULL", "mod", "null", .reason = "gave NULL"},
        {"a module without a function", "mod", "incomplete", .reason = "no wait"},
        {"a module without a device", "mod", "silent", .reason = "gave no reason"},
        {"CUDA: the driver is a stub", "cuda", .driver = "driver", .acts = "stub",
         .reason = "stub"},
        {"CUDA: no device", "cuda", .driver = "driver", .acts = "none",
         .reason = "error 100"},
        {"CUDA: zero devices", "cuda", .driver = "driver", .acts = "zero",
         .reason = "no device"},
        {"CUDA: not a driver", "cuda", .driver = "wrong", .reason = "no cuInit"},
        {"CUDA: a driver, but no module", "cuda", .driver = "driver",
         .reason = "cuda.so is not in"},
    };
    for (int i = 0; i < AGNI_COUNT(all); i++)
        test_scenario(&all[i]);
    char path[100];
    snprintf(path, sizeof path, "%s/libagnesi-cuda.so", folder);
    if (symlink("libagnesi-mod.so", path) != 0)
        bail_out("%s cannot be made", path);
    static const scenario with_module[] = {
        {"CUDA: an old driver", "cuda", "old-driver", "driver",
         .reason = "the driver is 470"},
        {"CUDA: all is well", "cuda", .driver = "driver", .devices = 2},
    };
    for (int i = 0; i < AGNI_COUNT(with_module); i++)
        test_scenario(&with_module[i]);
    static const scenario bare = {"CUDA: no driver", "cuda",
                                  .reason = "no NVIDIA driver"};
    if (dlopen("libcuda.so.1", RTLD_NOW))
        skip("CUDA: no driver: this system has one");
    else
        test_scenario(&bare);
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], run_as))
        _exit(play_secure()); /* no look for leaks: the system lets nobody trace such a process */
    if (!mkdtemp(folder))
        bail_out("no temporary folder");
    if (prepare()) {
        test_foreign_code();
        test_modules();
    } else {
        skip("modules: no compiler at run time (%s)", variable("CC", "cc"));
    }
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0)
        diag("%s is left behind", folder);
    test_cpu();
    test_bad_names();
    test_registration();
    test_memory();
    test_too_many();
    return done();
}
