/* tests/t-files.c - what stands where a file is expected, whose a file is, and what other processes do:
   pipes without readers, limits, owners, links that dangle, savers that are killed. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "tests/files.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>

static agn_tensor *x; /* 4 MB */

static void a_little(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}
/* the exit status of a child, or minus the signal that ended it */
static int end_of(pid_t child)
{
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}
static bool holds_x(const char *path)
{
    agn_tensor *y = NULL;
    bool same = !agn_npy_load(&y, path) && agn_numel(y) == agn_numel(x) &&
                !memcmp(agn_data(y), agn_data(x), (size_t)agn_numel(x) * 8);
    agn_release(y);
    return same;
}

/* ---- pipes and signals ---------------------------------------------------------------------- */

static bool nothing_pending(void)
{
    sigset_t p;
    sigpending(&p);
    return !sigismember(&p, SIGPIPE) && !sigismember(&p, SIGXFSZ);
}

static void test_pipes(void)
{
    int end[2];
    char name[64];
    const char *fifo = in_folder("fifo");
    signal(SIGPIPE, SIG_DFL);
    if (mkfifo(fifo, 0600))
        bail_out("no fifo");
    fails(agn_npy_save(fifo, x), AGN_EIO, "fifo: is a pipe, not a file");
    unlink(fifo);
    if (access("/dev/fd", X_OK)) {
        skip("no /dev/fd");
        return;
    }
    if (pipe(end))
        bail_out("no pipe");
    snprintf(name, sizeof name, "/dev/fd/%d", end[1]);
    close(end[0]);
    is_int(agn_npy_save(name, x), AGN_EIO, "a pipe that nobody reads");
    close(end[1]);
    for (int whole = 0; whole < 2; whole++) {
        if (pipe(end))
            bail_out("no pipe");
        snprintf(name, sizeof name, "/dev/fd/%d", end[1]);
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            char b[4096];
            int64_t sum = 0;
            close(end[1]);
            for (ssize_t n; (n = read(end[0], b, sizeof b)) > 0 && (whole || sum < 10000);)
                sum += n;
            _exit(!whole || sum == 128 + 8 * agn_numel(x) ? 0 : 1);
        }
        close(end[0]);
        agn_status st = agn_npy_save(name, x);
        close(end[1]);
        is_int(end_of(child), 0, "the reader is content");
        if (whole)
            is_int(st, AGN_OK, "a pipe whose reader reads all");
        else
            fails(st, AGN_EIO, "cannot be written: Broken pipe");
    }
    ok(nothing_pending(), "no signal is left");
    sigset_t now;
    pthread_sigmask(SIG_BLOCK, NULL, &now);
    ok(!sigismember(&now, SIGPIPE) && !sigismember(&now, SIGXFSZ), "or held back");
}

static void test_limits(void)
{
    struct rlimit old, low;
    const char *file = in_folder("limited");
    agn_tensor *m = NULL;
    signal(SIGXFSZ, SIG_DFL);
    getrlimit(RLIMIT_FSIZE, &old);
    low = (struct rlimit){.rlim_cur = 1000000, .rlim_max = old.rlim_max};
    setrlimit(RLIMIT_FSIZE, &low);
    agn_status st = agn_npy_save(file, x);
    agn_status mapped = agn_map_file(&m, file, AGN_F64, 1, (int64_t[]){500000}, 0, AGN_MAP_CREATE);
    setrlimit(RLIMIT_FSIZE, &old);
    is_int(st, AGN_EIO, "a file that may not be so large is an error, not the end");
    is_int(mapped, AGN_EIO, "and so is a map");
    ok(!m && access(file, F_OK) && nothing_pending(), "no file is left, and no signal");
}

/* ---- room ------------------------------------------------------------------------------------- */

static void test_room(void)
{
    struct statvfs room;
    struct stat at;
    agn_tensor *m = NULL;
    const char *file = in_folder("map"), *link = in_folder("map-link");
    if (statvfs(folder, &room))
        bail_out("no file system");
    int64_t n = (int64_t)room.f_bavail * (int64_t)room.f_frsize + (INT64_C(1) << 30);
    fails(agn_map_file(&m, file, AGN_U8, 1, &n, 0, AGN_MAP_CREATE), AGN_EIO,
          "map: cannot be made longer: No space left on device");
    ok(access(file, F_OK) && !m, "more than there is room for: no file is left");
    write_file(file, "as it was", 9);
    fails(agn_map_file(&m, file, AGN_U8, 1, &n, 0, AGN_MAP_CREATE), AGN_EIO,
          "cannot be made longer: No space left on device");
    ok(!stat(file, &at) && at.st_size == 9, "and one that was there is as long as it was");
    must_hold(agn_map_file(&m, file, AGN_U8, 1, (int64_t[]){1 << 20}, 0, AGN_MAP_CREATE));
    ok(!stat(file, &at) && at.st_size == 1 << 20 && at.st_blocks * 512 >= 1 << 20,
       "a map has its room before it is written");
    ok(!memcmp(agn_data(m), "as it was", 9), "and what the file held");
    agn_release(m);
    unlink(file);
    m = NULL;
    if (symlink("map", link))
        bail_out("no link");
    must_hold(agn_map_file(&m, link, AGN_U8, 1, (int64_t[]){100}, 0, AGN_MAP_CREATE));
    ok(!stat(file, &at) && at.st_size == 100, "a link that dangles: the file it leads to is made");
    agn_release(m);
    m = NULL;
    unlink(file);
    is_int(agn_map_file(&m, link, AGN_U8, 1, &n, 0, AGN_MAP_CREATE), AGN_EIO, "without room");
    ok(access(file, F_OK) && !lstat(link, &at) && S_ISLNK(at.st_mode), "it dangles as before");
    unlink(link);
}

/* ---- owners and links --------------------------------------------------------------------------- */

static void test_owner(void)
{
    static const mode_t modes[] = {0640, 0604, 0600, 0666, 0444};
    struct stat at;
    const char *file = in_folder("owned");
    for (int k = 0; k < (int)(sizeof modes / sizeof *modes); k++) {
        write_file(file, "old", 3);
        if (chmod(file, modes[k]))
            bail_out("no mode");
        must_hold(agn_npy_save(file, x));
        ok(!stat(file, &at) && (at.st_mode & 0777) == modes[k], "mode %o is kept", (unsigned)modes[k]);
        unlink(file);
    }
    if (geteuid() != 0) {
        skip("owners: only root can give files away");
        return;
    }
    write_file(file, "old", 3);
    if (chown(file, 1234, 5678) || chmod(file, 0640))
        bail_out("no owner");
    must_hold(agn_npy_save(file, x));
    ok(!stat(file, &at) && at.st_uid == 1234 && at.st_gid == 5678 && (at.st_mode & 0777) == 0640,
       "owner, group and mode are kept");
    if (chmod(folder, 0777) || chmod(file, 0666))
        bail_out("no mode");
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (setgid(4321) || setuid(4321))
            _exit(2);
        bool right = agn_npy_save(file, x) == AGN_EIO &&
                     strstr(agn_error_message(), "owned: belongs to user 1234 and group 5678");
        _exit(right ? 0 : 1);
    }
    is_int(end_of(child), 0, "one that cannot be kept is refused, by name");
    ok(holds_x(file) && !stat(file, &at) && at.st_uid == 1234, "and the file is as it was");
    chmod(folder, 0700);
    unlink(file);
}

static void test_links(void)
{
    struct stat at;
    const char *link = in_folder("link"), *second = in_folder("second"), *sub = in_folder("sub"),
               *target = in_folder("sub/target");
    if (mkdir(sub, 0700) || symlink("second", link) || symlink("sub/target", second))
        bail_out("no links");
    must_hold(agn_npy_save(link, x));
    ok(holds_x(target) && !lstat(link, &at) && S_ISLNK(at.st_mode) && !lstat(second, &at) &&
           S_ISLNK(at.st_mode),
       "links that dangle stay, and the file they lead to is made");
    must_hold(agn_npy_save(link, x));
    ok(holds_x(target) && !lstat(link, &at) && S_ISLNK(at.st_mode), "and replaced");
    unlink(target);
    rmdir(sub);
    is_int(agn_npy_save(link, x), AGN_EIO, "one that leads to no folder");
    ok(!lstat(link, &at) && S_ISLNK(at.st_mode), "stays");
    unlink(second);
    if (symlink(link, second))
        bail_out("no link");
    fails(agn_npy_save(link, x), AGN_EIO, "Too many levels of symbolic links");
    unlink(second);
    unlink(link);
}

/* ---- other processes -------------------------------------------------------------------------------- */

static int temporary_files(void)
{
    int n = 0;
    DIR *d = opendir(folder);
    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d))
        n += !strncmp(e->d_name, ".agnesi-", 8);
    if (d)
        closedir(d);
    return n;
}

static void test_killed(void)
{
    const char *file = in_folder("killed.npy"), *other = in_folder("other.npy");
    for (int k = 0; k < 3; k++) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0)
            for (;;)
                if (agn_npy_save(k == 2 ? other : file, x))
                    _exit(1);
        /* killed while it writes, or the next time */
        for (int tries = 0; tries < 2000 && !temporary_files(); tries++)
            a_little();
        while (temporary_files() && kill(child, SIGSTOP) == 0 && !temporary_files())
            kill(child, SIGCONT);
        kill(child, SIGKILL);
        is_int(end_of(child), -SIGKILL, "a saver is killed");
    }
    int left = temporary_files();
    ok(left > 0, "it leaves %d files", left);
    must_hold(agn_npy_save(file, x));
    must_hold(agn_npy_save(other, x));
    is_int(temporary_files(), 0, "a later save of the name removes them");
    ok(holds_x(file) && holds_x(other), "and saves");
    unlink(file);
    unlink(other);
}

static void test_at_once(void)
{
    enum { SAVERS = 12 };
    const char *file = in_folder("shared.npy");
    pid_t child[SAVERS];
    int64_t times = tap_scale(100);
    fflush(stdout);
    for (int k = 0; k < SAVERS; k++) {
        child[k] = fork();
        if (child[k] == 0) {
            for (int i = 0; i < times; i++)
                if (agn_npy_save(file, x) || !holds_x(file))
                    _exit(1);
            _exit(0);
        }
    }
    int bad = 0;
    for (int k = 0; k < SAVERS; k++)
        bad += end_of(child[k]) != 0;
    is_int(bad, 0, "processes that save one name at once, and read it");
    is_int(temporary_files(), 0, "leave nothing");
    unlink(file);
}

int main(void)
{
    open_folder();
    must_hold(agn_full(&x, AGN_F64, 1, (int64_t[]){1 << 19}, 0.25));
    test_pipes();
    test_limits();
    test_room();
    test_owner();
    test_links();
    test_killed();
    test_at_once();
    agn_release(x);
    close_folder();
    return done();
}
