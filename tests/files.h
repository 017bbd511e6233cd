/* tests/files.h - a temporary folder and what tests of readers and writers ask of it */
#ifndef AGN_TEST_FILES_H
#define AGN_TEST_FILES_H

#include "tests/tap.h"
#include <agnesi/agnesi.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__GNUC__)
#define MAYBE __attribute__((unused))
#else
#define MAYBE
#endif

static char folder[64];

MAYBE static void open_folder(void)
{
    snprintf(folder, sizeof folder, "%s", "/tmp/agnesi-test-XXXXXX");
    if (!mkdtemp(folder))
        bail_out("no temporary folder");
}

/* its path, valid for the next seven calls */
MAYBE static const char *in_folder(const char *name)
{
    static char path[8][256];
    static int next;
    char *p = path[next++ % 8];
    snprintf(p, sizeof path[0], "%s/%s", folder, name);
    return p;
}

MAYBE static int files_in_folder(void)
{
    int n = 0;
    DIR *d = opendir(folder);
    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d))
        n += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
    if (d)
        closedir(d);
    return n;
}

MAYBE static void close_folder(void)
{
    is_int(files_in_folder(), 0, "no file is left behind");
    rmdir(folder);
}

MAYBE static void write_file(const char *path, const void *p, size_t n)
{
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(p, 1, n, f) != n || fclose(f))
        bail_out("cannot write %s", path);
}

MAYBE static size_t read_whole(const char *path, void *p, size_t most)
{
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(p, 1, most, f) : 0;
    if (f)
        fclose(f);
    return n;
}

/* how many descriptors are open */
MAYBE static int open_files(void)
{
    int n = 0;
    DIR *d = opendir("/proc/self/fd");
    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d))
        n++;
    if (d)
        closedir(d);
    return n;
}

MAYBE static void must_hold(agn_status st)
{
    if (st)
        bail_out("%s", agn_error_message());
}

MAYBE static void is_message(const char *has)
{
    if (!ok(strstr(agn_error_message(), has) != NULL, "message has \"%s\"", has))
        diag("message is \"%s\"", agn_error_message());
}

MAYBE static void fails(agn_status have, agn_status want, const char *says)
{
    is_int(have, want, "fails");
    is_message(says);
}

/* An agn_status of a write, and of a read: refused in every way a disk can refuse it. The old
   file stays as it was, alone, and nothing leaks. */
typedef agn_status file_call(const char *path);

MAYBE static void test_failed_writes(const char *what, file_call *save)
{
    const char *file = in_folder("old");
    char bytes[64];
    struct rlimit old, low;
    fails(save(in_folder("none/x")), AGN_EIO, "No such file");
    write_file(file, "as it was", 9);
    fails(save(folder), AGN_EIO, "Is a directory");
    fails(save(in_folder("old/x")), AGN_EIO, "Not a directory");
    if (!access("/dev/full", W_OK)) {
        fails(save("/dev/full"), AGN_EIO,
              "/dev/full: cannot be written: No space left");
    }
    getrlimit(RLIMIT_FSIZE, &old);
    low = (struct rlimit){.rlim_cur = 16, .rlim_max = old.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &low);
    agn_status st = save(file);
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, handler);
    fails(st, AGN_EIO, "cannot be written: File too large");
    ok(read_whole(file, bytes, sizeof bytes) == 9 && !memcmp(bytes, "as it was", 9),
       "%s: the old file is as it was", what);
    is_int(files_in_folder(), 1, "%s: and alone", what);
    int64_t before, after, n = 0;
    for (;; n++) {
        agn_memory_live(&before, NULL, NULL);
        agn_memory_fail_after(n);
        st = save(file);
        agn_memory_fail_after(-1);
        agn_memory_live(&after, NULL, NULL);
        if (!st)
            break;
        if (st != AGN_ENOMEM || after != before || read_whole(file, bytes, 64) != 9) {
            ok(false, "%s without allocation %" PRId64 ": %d, %" PRId64 " bytes lost",
               what, n, st, after - before);
            break;
        }
    }
    ok(n > 1, "%s: each of %" PRId64 " allocations refused: the old file stays", what,
       n);
    is_int(files_in_folder(), 1, "%s: nothing else is left", what);
    unlink(file);
}

/* R9, R12: many times, and neither memory nor descriptors grow */
MAYBE static void test_many_times(const char *what, file_call *call, const char *path)
{
    must_hold(call(path)); /* what is made once is made now */
    int64_t before, after;
    int files = open_files(), n = tap_scale(200), bad = 0;
    agn_memory_live(&before, NULL, NULL);
    for (int i = 0; i < n; i++)
        bad += call(path) != AGN_OK;
    agn_memory_live(&after, NULL, NULL);
    ok(!bad && before == after, "R9 %s %d times: memory is flat", what, n);
    is_int(open_files(), files, "R12 %s: and descriptors", what);
}

MAYBE static void test_failed_reads(const char *what, file_call *load, const char *good)
{
    fails(load(in_folder("none")), AGN_EIO, "none: cannot be opened: No such file");
    fails(load(folder), AGN_EIO, "is a folder, not a file");
    fails(load("/dev/null"), AGN_EIO, "is a device or pipe, not a file");
    int64_t before, after, n = 0;
    for (;; n++) {
        agn_memory_live(&before, NULL, NULL);
        agn_memory_fail_after(n);
        agn_status st = load(good);
        agn_memory_fail_after(-1);
        agn_memory_live(&after, NULL, NULL);
        if (!st)
            break;
        if (st != AGN_ENOMEM || after != before) {
            ok(false, "%s without allocation %" PRId64 ": %d, %" PRId64 " bytes lost",
               what, n, st, after - before);
            break;
        }
    }
    ok(n > 1, "%s: each of %" PRId64 " allocations refused", what, n);
}

#endif
