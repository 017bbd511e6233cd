/* Regions of plans on a device where something goes wrong: the folder of compiled regions is
   missing, damaged or open to others, NVRTC fails in each of its calls, memory runs out. A plan
   computes the same numbers then, by kernels of the table, or fails with the reason and leaves
   nothing. What real libraries cannot be told to do is seen on the emulator alone
   (EMULATOR_NVRTC). */
#include "cuda.h"
#include "files.h"

#include <sys/stat.h>
#include <sys/wait.h>

enum { ROWS = 24, WIDE = 4, CODE = 1 << 22 };

static agn_tensor *host[2], *device[2], *want[2];
static agn_fn *function;

static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    (void)user;
    const agn_tensor *e = ag_tanh(s, ag_add(s, ag_mul(s, in[0], in[1]), in[0]));
    out[0] = ag_sum(s, e, (int32_t[]){-1}, 1, false);
    out[1] = ag_mean_all(s, ag_square(s, e));
    return agn_scope_status(s);
}

static void make_arguments(void)
{
    host[0] = random_of(AGN_F64, 2, (int64_t[]){ROWS, WIDE}, -1, 1);
    host[1] = random_of(AGN_F64, 1, (int64_t[]){WIDE}, -1, 1);
    for (int i = 0; i < 2; i++)
        device[i] = on_device(host[i]);
    must(agn_fn_new(&function, body, NULL, NULL, 2, 2));
    must(agn_fn_call(want, 2, function, (const agn_tensor *const *)host, 2));
}
static void release_arguments(void)
{
    for (int i = 0; i < 2; i++)
        agn_release(host[i]), agn_release(device[i]), agn_release(want[i]);
    agn_fn_release(function);
}

/* while a plan is made and called, allocation fail_at + 1 fails; NULL: none */
static void (*fail)(int64_t after);
static int64_t fail_at;

/* a plan that is made and called once; *regions: kernels of regions in it, -1 where its numbers are
   not those of the CPU */
static agn_status call_fresh(int *regions)
{
    static char text[1 << 16];
    agn_tensor *have[2] = {NULL, NULL};
    agn_fn *plan;
    *regions = -1;
    must(agn_fn_compile(&plan, function, NULL));
    if (fail)
        fail(fail_at);
    agn_status st = agn_fn_call(have, 2, plan, (const agn_tensor *const *)device, 2);
    if (fail)
        fail(-1);
    if (!st && relative(have[0], want[0]) <= 1e-14 && relative(have[1], want[1]) <= 1e-14) {
        must(agn_plan_explain(text, sizeof text, NULL, plan));
        *regions = 0;
        for (const char *at = text; (at = strstr(at, "\n    one kernel of ")); at++)
            ++*regions;
    }
    agn_release(have[0]), agn_release(have[1]);
    agn_fn_release(plan);
    return st;
}
static void has_regions(int n, const char *what)
{
    int have;
    agn_status st = call_fresh(&have);
    if (!ok(!st && have == n, "%s: the numbers of the CPU, %d regions", what, n))
        diag("%d regions, %s", have, st ? agn_error_message() : "no failure");
}

/* ---- the folder ------------------------------------------------------------------------------ */

static char kept[512]; /* the file of the one region */
static char *code;
static size_t code_bytes;

/* the only file of a folder; NULL: it has none, or several */
static const char *find_only(const char *path)
{
    static char name[512];
    int n = 0;
    DIR *d = opendir(path);
    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d))
        if (e->d_name[0] != '.') {
            snprintf(name, sizeof name, "%s/%.200s", path, e->d_name);
            n++;
        }
    if (d)
        closedir(d);
    return n == 1 ? name : NULL;
}
static int mode_of(const char *path)
{
    struct stat s;
    return stat(path, &s) ? -1 : (int)(s.st_mode & 07777);
}
static void set_cache(const char *path)
{
    setenv("AGNESI_CUDA_CACHE", path, 1);
}
static void set_compiler(const char *how)
{
    setenv("EMULATOR_NVRTC", how, 1);
}

static bool test_made(void)
{
    umask(0);
    set_cache(in_folder("cache/regions"));
    has_regions(1, "a folder that is not there yet");
    const char *file = find_only(in_folder("cache/regions"));
    ok(file, "has one file afterwards");
    is_int(mode_of(in_folder("cache/regions")), 0700, "nobody else may enter it");
    is_int(mode_of(in_folder("cache")), 0700, "nor what was made above it");
    is_int(file ? mode_of(file) : -1, 0600, "nor read the file");
    umask(022);
    if (file) {
        snprintf(kept, sizeof kept, "%s", file);
        code_bytes = read_whole(kept, code, CODE);
    }
    write_file(in_folder("plain"), "x", 1);
    set_cache(in_folder("plain/below"));
    has_regions(1, "a folder that cannot be made");
    mkdir(in_folder("open"), 0755);
    chmod(in_folder("open"), 0755);
    set_cache(in_folder("open"));
    has_regions(1, "a folder that others may read");
    ok(!rmdir(in_folder("open")), "nothing is written there");
    set_cache(in_folder("cache/regions"));
    return file;
}

/* NVRTC refuses everything: what has regions had them from the folder */
static void test_used(void)
{
    set_compiler("refuse");
    has_regions(1, "a region that was kept");
    set_cache("");
    has_regions(0, "no folder");
    unsetenv("AGNESI_CUDA_CACHE");
    setenv("XDG_CACHE_HOME", in_folder("xdg"), 1);
    has_regions(0, "a folder of the user's without it");
    const char *at[] = {"xdg", "xdg/agnesi", "xdg/agnesi/cuda"};
    for (int i = 0; i < 3; i++)
        mkdir(in_folder(at[i]), 0700);
    char copy[512];
    snprintf(copy, sizeof copy, "%s/%s", in_folder("xdg/agnesi/cuda"), strrchr(kept, '/') + 1);
    write_file(copy, code, code_bytes);
    has_regions(1, "XDG_CACHE_HOME");
    rename(in_folder("xdg"), in_folder(".cache"));
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", folder, 1);
    has_regions(1, "HOME");
    snprintf(copy, sizeof copy, "%s/%s", in_folder(".cache/agnesi/cuda"), strrchr(kept, '/') + 1);
    unlink(copy);
    const char *made[] = {".cache/agnesi/cuda", ".cache/agnesi", ".cache"};
    for (int i = 0; i < 3; i++)
        rmdir(in_folder(made[i]));
    set_cache(in_folder("cache/regions"));
}

static void test_damaged(void)
{
    /* magic, architecture, versions, lengths, library, text, code, sum */
    const size_t at[] = {
        0, 15, 16, 20, 24, 32, 40, 48, 56, 4000, code_bytes / 2, code_bytes - 9, code_bytes - 1};
    const size_t length[] = {
        0, 1, 55, 56, 63, 4000, code_bytes / 2, code_bytes - 8, code_bytes - 1};
    int n, used = 0;
    for (int i = 0; i < (int)(sizeof at / sizeof *at); i++) {
        code[at[i]] ^= 1;
        write_file(kept, code, code_bytes);
        code[at[i]] ^= 1;
        used += call_fresh(&n) || n;
    }
    is_int(used, 0, "no file with a wrong bit is used");
    for (int i = 0; i < (int)(sizeof length / sizeof *length); i++) {
        write_file(kept, code, length[i]);
        used += call_fresh(&n) || n;
    }
    is_int(used, 0, "nor one that was cut off");
    write_file(kept, code, code_bytes + 1);
    has_regions(0, "a byte too many");
    set_compiler("");
    has_regions(1, "it is compiled again");
    set_compiler("refuse");
    has_regions(1, "and kept");
    ok(find_only(in_folder("cache/regions")), "in place of what was there");
    write_file(kept, code, code_bytes);
}

static void test_untrusted(void)
{
    const int file_mode[] = {0620, 0602, 0666}, folder_mode[] = {0720, 0702, 0750, 0701};
    char other[512];
    int n, used = 0;
    for (int i = 0; i < 3; i++) {
        chmod(kept, (mode_t)file_mode[i]);
        used += call_fresh(&n) || n;
    }
    is_int(used, 0, "no file that others may write is used");
    chmod(kept, 0600);
    for (int i = 0; i < 4; i++) {
        chmod(in_folder("cache/regions"), (mode_t)folder_mode[i]);
        used += call_fresh(&n) || n;
    }
    is_int(used, 0, "nor one in a folder that others may enter");
    chmod(in_folder("cache/regions"), 0700);
    snprintf(other, sizeof other, "%s", in_folder("other"));
    rename(kept, other);
    if (symlink(other, kept))
        bail_out("no link");
    has_regions(0, "a link in its place");
    unlink(kept);
    mkdir(kept, 0700);
    has_regions(0, "a folder in its place");
    rmdir(kept);
    rename(other, kept);
    if (symlink(in_folder("cache/regions"), other))
        bail_out("no link");
    set_cache(other);
    has_regions(0, "a link to the folder");
    unlink(other);
    set_cache(in_folder("cache/regions"));
    if (!geteuid() && !chown(kept, 65534, (gid_t)-1)) {
        has_regions(0, "a file of another user");
        chown(kept, 0, (gid_t)-1) ? bail_out("chown") : (void)0;
        chown(in_folder("cache/regions"), 65534, (gid_t)-1) ? bail_out("chown") : (void)0;
        has_regions(0, "a folder of another user");
        chown(in_folder("cache/regions"), 0, (gid_t)-1) ? bail_out("chown") : (void)0;
    } else {
        skip("files of another user need root");
    }
    has_regions(1, "the folder as it was");
}

/* ---- the compiler ---------------------------------------------------------------------------- */

static void test_compiler(void)
{
    const char *how[] = {"refuse", "silent", "empty", "lost", "garbage"};
    char what[80];
    int n;
    set_cache("");
    for (int i = 0; i < 5; i++) {
        set_compiler(how[i]);
        snprintf(what, sizeof what, "NVRTC that fails (%s)", how[i]);
        has_regions(0, what);
    }
    set_compiler("memory");
    is_int(call_fresh(&n), AGN_ENOMEM, "NVRTC without memory");
    is_message("NVRTC takes no program");
    set_compiler("");
    has_regions(1, "and with it");
    set_cache(in_folder("cache/regions"));
}

/* a process of its own, for what the module finds once */
static void test_alone(const char *name, const char *value, const char *what)
{
    fflush(NULL);
    pid_t child = fork();
    if (!child) {
        setenv(name, value, 1);
        execl("/proc/self/exe", "t-cuda-cache", "alone", (char *)NULL);
        _exit(3);
    }
    int rc = -1;
    waitpid(child, &rc, 0);
    ok(WIFEXITED(rc) && WEXITSTATUS(rc) == 0, "%s: the numbers of the CPU, without regions", what);
}
static int run_alone(void)
{
    int n;
    cuda_ready(&n);
    make_arguments();
    agn_status st = call_fresh(&n);
    release_arguments();
    return st || n != 0;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static long (*emulator_fail)(long after, long many), (*emulator_live)(void);

static void fail_on_host(int64_t after)
{
    agn_memory_fail_after(after);
}
static void fail_on_device(int64_t after)
{
    emulator_fail(after, after < 0 ? 0 : 2); /* the module tries twice */
}

/* one allocation after the other fails, the first ones each, then ever fewer */
static void test_memory(void (*how)(int64_t after), const char *where)
{
    int64_t live, now;
    int n, failures = 0, wrong = 0;
    agn_status st = call_fresh(&n);
    must(agn_device_synchronize(cuda));
    agn_memory_live(&live, NULL, NULL);
    long blocks = emulator_live();
    for (int64_t k = 0; !wrong; k += k < 64 ? 1 : 1 + k / 16) {
        fail = how;
        fail_at = k;
        st = call_fresh(&n);
        fail = NULL;
        agn_status after = agn_device_synchronize(cuda);
        agn_memory_live(&now, NULL, NULL);
        wrong += (st && st != AGN_ENOMEM) || (!st && n < 0) || after || now > live ||
                 emulator_live() != blocks;
        if (wrong)
            diag("allocation %d: %s; %d regions, %d bytes and %ld blocks more", (int)k,
                 agn_status_name(st), n, (int)(now - live), emulator_live() - blocks);
        failures += st != AGN_OK;
        if (!st && n == 1)
            break;
    }
    ok(!wrong && failures > 0,
       "%d allocations of the %s fail: AGN_ENOMEM, or the numbers; nothing stays", failures, where);
}

int main(int argc, char **argv)
{
    int result;
    if (argc > 1 && !strcmp(argv[1], "alone"))
        return run_alone();
    const char *wish = getenv("AGNESI_NVRTC");
    if (wish && !strcmp(wish, "0"))
        return skip_all("AGNESI_NVRTC is 0");
    if (!cuda_ready(&result))
        return result;
    void *f = emulator_symbol("agn_emulator_fail"), *l = emulator_symbol("agn_emulator_live");
    memcpy(&emulator_fail, &f, sizeof f);
    memcpy(&emulator_live, &l, sizeof l);
    code = malloc(CODE);
    open_folder();
    make_arguments();
    bool made = test_made();
    if (f && l && made) {
        test_used();
        test_damaged();
        test_untrusted();
        test_compiler();
        test_alone("EMULATOR_NVRTC", "version", "NVRTC that does not tell its version");
        test_alone("AGNESI_NVRTC", "0", "NVRTC that is not wanted");
        test_memory(fail_on_host, "host");
        test_memory(fail_on_device, "device");
    } else {
        skip("the rest needs the emulator");
    }
    release_arguments();
    unlink(kept);
    unlink(in_folder("plain"));
    rmdir(in_folder("cache/regions"));
    rmdir(in_folder("cache"));
    close_folder();
    is_int(agn_device_synchronize(cuda), AGN_OK, "no fault is left");
    free(code);
    return done();
}
