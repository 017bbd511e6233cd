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

/* files of a folder but for the manifest; the last one's name */
static int list_files(const char *path, char name[512])
{
    int n = 0;
    DIR *d = opendir(path);
    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d))
        if (e->d_name[0] != '.' && strcmp(e->d_name, "manifest")) {
            snprintf(name, 512, "%s/%.200s", path, e->d_name);
            n++;
        }
    if (d)
        closedir(d);
    return n;
}
/* the only file of a folder; NULL: it has none, or several */
static const char *find_only(const char *path)
{
    static char name[512];
    return list_files(path, name) == 1 ? name : NULL;
}
/* lines of a folder's manifest that say what of the file; NULL: of any */
static int count_lines(const char *path, const char *what, const char *file)
{
    static char text[1 << 14];
    char name[512], line[512];
    int n = 0;
    snprintf(name, sizeof name, "%s/manifest", path);
    snprintf(line, sizeof line, "%s%s%s", what, file ? " " : "", file ? strrchr(file, '/') + 1 : "");
    text[read_whole(name, text, sizeof text - 1)] = '\0';
    for (const char *at = text; (at = strstr(at, line)); at++)
        n += at == text || at[-1] == '\n';
    return n;
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
    is_int(mode_of(in_folder("cache/regions/manifest")), 0600, "nor the manifest");
    is_int(file ? count_lines(in_folder("cache/regions"), "kept", file) : -1, 1, "which names it");
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

/* FNV-1a, as the files end with it */
static void sign_code(size_t bytes)
{
    uint64_t h = 0x4bf29ce4;
    for (size_t i = 0; i < bytes - sizeof h; i++)
        h = (h ^ (unsigned char)code[i]) * 0x100000001b3u;
    memcpy(code + bytes - sizeof h, &h, sizeof h);
}
/* where the code begins: behind the head of 56 bytes, the library and the text */
static char *code_itself(void)
{
    uint64_t length[2];
    memcpy(length, code + 32, sizeof length);
    return code + 56 + length[0] + length[1];
}

static void test_not_taken(void)
{
    const char *at = in_folder("cache/regions");
    char *first = code_itself();
    *first ^= 1;
    sign_code(code_bytes);
    write_file(kept, code, code_bytes);
    has_regions(0, "code that the driver does not take, without a compiler");
    ok(!find_only(at) && count_lines(at, "removed", kept) == 1, "is removed, as the manifest says");
    write_file(kept, code, code_bytes);
    set_compiler("");
    has_regions(1, "with one it is made anew");
    set_compiler("refuse");
    has_regions(1, "and kept");
    ok(find_only(at) && count_lines(at, "removed", kept) == 2, "in its place");
    set_compiler("garbage");
    set_cache(in_folder("garbage"));
    has_regions(0, "new code that the driver does not take");
    ok(!find_only(in_folder("garbage")), "is not kept");
    set_compiler("refuse");
    set_cache(at);
    *first ^= 1;
    sign_code(code_bytes);
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
static void test_alone(int regions, const char *name, const char *value, const char *what)
{
    fflush(NULL);
    pid_t child = fork();
    if (!child) {
        setenv(name, value, 1);
        execl("/proc/self/exe", "t-cuda-cache", regions ? "regions" : "alone", (char *)NULL);
        _exit(3);
    }
    int rc = -1;
    waitpid(child, &rc, 0);
    ok(WIFEXITED(rc) && WEXITSTATUS(rc) == 0, "%s: the numbers of the CPU, %d regions", what,
       regions);
}
static int run_alone(int regions)
{
    int n;
    cuda_ready(&n);
    make_arguments();
    agn_status st = call_fresh(&n);
    release_arguments();
    return st || n != regions;
}

/* ---- built ahead ----------------------------------------------------------------------------- */

/* kept is of version 0.1, and of the same length as that of another version with its name */
static void write_version(const char *where, int minor)
{
    char name[512];
    const char *base = strrchr(kept, '/') + 1, *version = strstr(base, "-0.1-");
    snprintf(name, sizeof name, "%s/%.*s-0.%d-%s", where, (int)(version - base), base, minor,
             version + 5);
    memcpy(code + 24, &minor, sizeof minor);
    sign_code(code_bytes);
    write_file(name, code, code_bytes);
    memcpy(code + 24, &(int){1}, sizeof minor);
    sign_code(code_bytes);
}
static void set_ahead(const char *path)
{
    path ? setenv("AGNESI_CUDA_KERNELS", path, 1) : unsetenv("AGNESI_CUDA_KERNELS");
}
static void remove_folder(const char *path)
{
    char name[512];
    snprintf(name, sizeof name, "%s/manifest", path);
    unlink(name);
    while (list_files(path, name) > 0)
        unlink(name);
    rmdir(path);
}

static void test_architectures(void)
{
    const char *to = in_folder("cache/ahead");
    char name[512];
    set_cache(to);
    set_compiler("");
    setenv("AGNESI_CUDA_ARCHITECTURES", "75, 80;x -3 99999", 1);
    has_regions(1, "a plan for other architectures, too");
    is_int(list_files(to, name), 3, "has a file for each");
    is_int(count_lines(to, "kept sm_75-", NULL), 1, "one of the first");
    is_int(count_lines(to, "kept sm_80-", NULL), 1, "and of the second");
    setenv("AGNESI_CUDA_ARCHITECTURES", "86", 1);
    set_compiler("refuse");
    has_regions(1, "an architecture that NVRTC refuses");
    is_int(count_lines(to, "refused sm_86-", NULL), 1, "is in the manifest");
    set_compiler("");
    has_regions(1, "asked again");
    is_int(list_files(to, name), 4, "it is made from the text of what was kept");
    has_regions(1, "and once more");
    is_int(count_lines(to, "kept ", NULL), 4, "nothing is made twice");
    unsetenv("AGNESI_CUDA_ARCHITECTURES");
    remove_folder(to);
}

static void test_ahead(void)
{
    const char *to = in_folder("ahead");
    set_compiler("refuse");
    mkdir(to, 0755);
    chmod(to, 0755);
    write_version(to, 0);
    test_alone(0, "AGNESI_NVRTC", "0", "an empty cache without a compiler");
    set_cache(to);
    test_alone(0, "AGNESI_NVRTC", "0", "a cache that others may enter, without a compiler");
    set_cache("");
    set_ahead(to);
    has_regions(1, "code that was built ahead by another NVRTC");
    test_alone(1, "AGNESI_NVRTC", "0", "the same without a compiler");
    write_version(to, 3);
    write_file(in_folder("ahead/sm_1-0.4-x"), "x", 1);
    test_alone(1, "AGNESI_NVRTC", "0", "several versions");
    chmod(to, 0775);
    has_regions(0, "a folder that others may write");
    chmod(to, 0755);
    if (!geteuid() && !chown(to, 65534, (gid_t)-1)) {
        has_regions(0, "one of another user");
        chown(to, 0, (gid_t)-1) ? bail_out("chown") : (void)0;
    } else {
        skip("a folder of another user needs root");
    }
    set_ahead(NULL);
    remove_folder(to);
    set_cache(in_folder("cache/regions"));
    test_alone(1, "AGNESI_NVRTC", "0", "what was kept, without a compiler");
    test_alone(1, "EMULATOR_NVRTC", "version", "what was kept, NVRTC without a version");
}

/* ---- memory ---------------------------------------------------------------------------------- */

static long (*emulator_fail)(long after, long many), (*emulator_live)(void);
static long (*emulator_fail_host)(long after);

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

/* each of the module's own allocations of the host fails, where NVRTC does as said */
static void test_module_memory(const char *how, const char *cache, const char *architectures)
{
    int n, failures = 0, wrong = 0;
    long left = -1;
    char name[512];
    bool keeps = strstr(cache, "regions");
    setenv("AGNESI_CUDA_ARCHITECTURES", architectures, 1);
    for (long k = 0; !wrong && left < 0 && k < 64; k++) {
        set_cache(cache);
        set_compiler(how);
        emulator_fail_host(k);
        agn_status st = call_fresh(&n);
        left = emulator_fail_host(-1);
        agn_status after = agn_device_synchronize(cuda);
        wrong += (st && st != AGN_ENOMEM) || (!st && n < 0) || after;
        if (wrong)
            diag("allocation %d: %s: %s; %d regions", (int)k, agn_status_name(st),
                 agn_error_message(), n);
        failures += left < 0;
        while (!keeps && list_files(cache, name))
            unlink(name);
    }
    unsetenv("AGNESI_CUDA_ARCHITECTURES");
    ok(!wrong && failures > 1 && left >= 0,
       "%d allocations of the module fail (NVRTC: \"%s\"): AGN_ENOMEM, or the numbers", failures,
       how);
}

int main(int argc, char **argv)
{
    int result;
    if (argc > 1)
        return run_alone(!strcmp(argv[1], "regions"));
    const char *wish = getenv("AGNESI_NVRTC");
    if (wish && !strcmp(wish, "0"))
        return skip_all("AGNESI_NVRTC is 0");
    if (!cuda_ready(&result))
        return result;
    void *f = emulator_symbol("agn_emulator_fail"), *l = emulator_symbol("agn_emulator_live"),
         *h = emulator_symbol("agn_emulator_fail_host");
    memcpy(&emulator_fail, &f, sizeof f);
    memcpy(&emulator_live, &l, sizeof l);
    memcpy(&emulator_fail_host, &h, sizeof h);
    code = malloc(CODE);
    open_folder();
    make_arguments();
    bool made = test_made();
    if (f && l && h && made) {
        test_used();
        test_damaged();
        test_untrusted();
        test_not_taken();
        test_compiler();
        set_cache("");
        test_alone(0, "EMULATOR_NVRTC", "version", "NVRTC that does not tell its version");
        test_alone(0, "AGNESI_NVRTC", "0", "NVRTC that is not wanted");
        test_architectures();
        test_ahead();
        set_compiler("");
        test_memory(fail_on_host, "host");
        test_memory(fail_on_device, "device");
        test_module_memory("", in_folder("cache/regions"), "");
        test_module_memory("", in_folder("none"), "75");
        test_module_memory("refuse", in_folder("none"), "");
        remove_folder(in_folder("none"));
    } else {
        skip("the rest needs the emulator");
    }
    release_arguments();
    unlink(in_folder("plain"));
    remove_folder(in_folder("garbage"));
    remove_folder(in_folder("cache/regions"));
    rmdir(in_folder("cache"));
    close_folder();
    is_int(agn_device_synchronize(cuda), AGN_OK, "no fault is left");
    free(code);
    return done();
}
