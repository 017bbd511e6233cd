/* exchange/file/atomic_write.c - atomic writes: a temporary file is filled, synced and renamed.
   POSIX.1, fsync: without it a name may outlive a loss of power that its bytes do not. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "exchange/file/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- bytes ------------------------------------------------------------------------- */

enum { AT_ONCE = 1 << 23 };

static atomic_bool unsynced;

void agn_file_sync_set(bool on)
{
    atomic_store(&unsynced, !on);
}

bool agn_file_sync(void)
{
    return !atomic_load(&unsynced);
}

/* starts writeback of the last n bytes while more are written: fsync at the end takes a third of
   the time */
#if defined(__linux__)
static void start_writeback(int fd, int64_t n)
{
    off_t end = lseek(fd, 0, SEEK_CUR);
    if (n == AT_ONCE && end >= n && agn_file_sync())
        sync_file_range(fd, end - n, n, SYNC_FILE_RANGE_WRITE);
}
#else
static void start_writeback(int fd, int64_t n)
{
    (void)fd, (void)n;
}
#endif

static agn_status write_all(agni_output *o, const char *p, size_t n)
{
    while (n > 0 && o->fd != AGNI_COUNT_ONLY) {
        ssize_t put = write(o->fd, p, n < AT_ONCE ? n : AT_ONCE);
        if (put < 0 && errno != EINTR)
            return agni_io_fail(o->op, o->path, "cannot be written");
        start_writeback(o->fd, put);
        p += put > 0 ? put : 0;
        n -= put > 0 ? (size_t)put : 0;
    }
    return AGN_OK;
}

static agn_status flush_buffer(agni_output *o)
{
    size_t n = o->n;
    o->n = 0;
    return write_all(o, o->buf, n);
}

agn_status agni_put(agni_output *o, const void *p, size_t n)
{
    agn_status st = AGN_OK;
    o->at += (int64_t)n;
    if (n > sizeof o->buf - o->n)
        st = flush_buffer(o);
    if (st || n > sizeof o->buf)
        return st ? st : write_all(o, p, n);
    if (n)
        memcpy(o->buf + o->n, p, n);
    o->n += n;
    return AGN_OK;
}

agn_status agni_put_text(agni_output *o, const char *s)
{
    return agni_put(o, s, strlen(s));
}

agn_status agni_put_little(agni_output *o, uint64_t v, int bytes)
{
    unsigned char b[8];
    for (int i = 0; i < bytes; i++)
        b[i] = (unsigned char)(v >> 8 * i);
    return agni_put(o, b, (size_t)bytes);
}

/* what write puts goes into fd, which is closed */
static agn_status write_and_close(agni_output *o, int fd, agni_writer *write, const void *user)
{
    o->fd = fd;
    o->at = 0;
    o->n = 0;
    agn_status st = write(o, user);
    return st ? st : flush_buffer(o);
}

/* ---- signals ----------------------------------------------------------------------- */

/* A pipe that nobody reads and a limit on the size of files are errors of a write, not the end of
   the process: while this thread writes, their signals are held back, and those it caused taken
   away. */
void agni_hold_signals(agni_held_signals *h)
{
    sigemptyset(&h->mine);
    sigaddset(&h->mine, SIGPIPE);
    sigaddset(&h->mine, SIGXFSZ);
    sigpending(&h->pending);
    pthread_sigmask(SIG_BLOCK, &h->mine, &h->before);
}

void agni_let_signals(const agni_held_signals *h)
{
    static const int each[] = {SIGPIPE, SIGXFSZ};
    static const struct timespec now = {0};
    sigset_t pending;
    sigpending(&pending);
    for (int i = 0; i < AGNI_COUNT(each); i++) {
        sigset_t one;
        sigemptyset(&one);
        sigaddset(&one, each[i]);
        if (sigismember(&pending, each[i]) && !sigismember(&h->pending, each[i]))
            sigtimedwait(&one, NULL, &now);
    }
    pthread_sigmask(SIG_SETMASK, &h->before, NULL);
}

/* ---- devices and pipes ------------------------------------------------------------- */

/* A pipe or a socket is asked for by a name that leads to a descriptor, as /dev/stdout; elsewhere
   it stands where a file is expected. */
static bool may_be_written(const char *path, mode_t mode)
{
    bool asked = !strncmp(path, "/dev/", 5) || !strncmp(path, "/proc/", 6);
    return S_ISCHR(mode) || (S_ISFIFO(mode) && asked);
}

static agn_status write_through(agni_output *o, mode_t mode, agni_writer *write, const void *user)
{
    if (!S_ISDIR(mode) && !may_be_written(o->path, mode))
        return agni_fail(AGN_EIO, "%s: %s: is a %s, not a file", o->op, agni_path_end(o->path),
                         S_ISFIFO(mode)   ? "pipe"
                         : S_ISSOCK(mode) ? "socket"
                                          : "device");
    int fd = open(o->path, O_WRONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe without a reader: ENXIO */
    if (fd < 0)
        return agni_io_fail(o->op, o->path, "cannot be opened");
    agn_status st = fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK)
                        ? agni_io_fail(o->op, o->path, "cannot be opened")
                        : AGN_OK;
    st = st ? st : write_and_close(o, fd, write, user);
    if (close(fd) && !st)
        st = agni_io_fail(o->op, o->path, "cannot be written");
    return st;
}

/* ---- files ------------------------------------------------------------------------- */

/* whatever the umask and whoever runs, the new file is whose the old one was */
static agn_status take_over(const char *op, const char *path, int fd, const struct stat *old)
{
    struct stat now;
    if (fstat(fd, &now))
        return agni_io_fail(op, path, "cannot be written");
    if ((now.st_uid != old->st_uid || now.st_gid != old->st_gid) &&
        fchown(fd, now.st_uid == old->st_uid ? (uid_t)-1 : old->st_uid,
               now.st_gid == old->st_gid ? (gid_t)-1 : old->st_gid))
        return agni_fail(AGN_EIO,
                         "%s: %s: belongs to user %lld and group %lld, and a new file of user %lld "
                         "cannot: %s",
                         op, agni_path_end(path), (long long)old->st_uid, (long long)old->st_gid,
                         (long long)now.st_uid, strerror(errno));
    return fchmod(fd, old->st_mode & 0777) ? agni_io_fail(op, path, "cannot be written") : AGN_OK;
}

agn_status agni_replace_begin(agni_replacement *r, const char *op, const char *path)
{
    struct stat old;
    bool there = !stat(path, &old);
    if (!there && errno != ENOENT)
        return agni_io_fail(op, path, "cannot be written");
    if (there && !S_ISREG(old.st_mode))
        return agni_fail(AGN_EIO, "%s: %s: is no file that could be replaced", op,
                         agni_path_end(path));
    if (there && !realpath(path, r->real))
        return agni_io_fail(op, path, "cannot be followed");
    agn_status st = there ? AGN_OK : agni_follow_links(op, path, r->real);
    if (st)
        return st;
    r->fd = agni_open_beside(r->tmp, r->real, there ? old.st_mode & 0777 : 0666);
    if (r->fd < 0)
        return agni_io_fail(op, r->real, "no file can be made beside it");
    st = there ? take_over(op, r->real, r->fd, &old) : AGN_OK;
    if (st)
        agni_replace_drop(r);
    return st;
}

/* A file system that writes delayed blocks out when a name takes another one's place (ext4,
   auto_da_alloc) does not when two names change places: where files are not synced that is waited for
   by nobody. */
static int take_name(const agni_replacement *r)
{
#if defined(__linux__) && defined(RENAME_EXCHANGE)
    if (!agn_file_sync() && !renameat2(AT_FDCWD, r->tmp, AT_FDCWD, r->real, RENAME_EXCHANGE)) {
        unlink(r->tmp); /* the old file */
        return 0;
    }
#endif
    return rename(r->tmp, r->real);
}

agn_status agni_replace_end(agni_replacement *r, const char *op)
{
    agn_status st = AGN_OK;
    if ((agn_file_sync() && fsync(r->fd)) || take_name(r)) {
        st = agni_io_fail(op, r->real, "cannot be written");
        unlink(r->tmp);
    }
    if (close(r->fd) && !st)
        st = agni_io_fail(op, r->real, "cannot be written");
    return st;
}

void agni_replace_drop(agni_replacement *r)
{
    unlink(r->tmp);
    close(r->fd);
}

agn_status agni_follow_links(const char *op, const char *path, char *real)
{
    enum { MOST_LINKS = 40 };
    char to[PATH_MAX], name[PATH_MAX];
    struct stat at;
    if (agni_format(real, PATH_MAX, "%s", path) >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return agni_io_fail(op, path, "cannot be followed");
    }
    for (int k = 0; !lstat(real, &at) && S_ISLNK(at.st_mode); k++) {
        ssize_t n = readlink(real, to, sizeof to - 1);
        if (n < 0)
            return agni_io_fail(op, path, "cannot be followed");
        to[n] = 0;
        const char *slash = strrchr(real, '/');
        int folder = slash && to[0] != '/' ? (int)(slash + 1 - real) : 0;
        if (k == MOST_LINKS ||
            agni_format(name, sizeof name, "%.*s%s", folder, real, to) >= PATH_MAX) {
            errno = k == MOST_LINKS ? ELOOP : ENAMETOOLONG;
            return agni_io_fail(op, path, "cannot be followed");
        }
        memcpy(real, name, sizeof name);
    }
    return AGN_OK;
}

static agn_status save_output(agni_output *o, agni_writer *write, const void *user)
{
    agni_replacement r;
    struct stat info;
    if (!stat(o->path, &info) && !S_ISREG(info.st_mode))
        return write_through(o, info.st_mode, write, user);
    agn_status st = agni_replace_begin(&r, o->op, o->path);
    if (st)
        return st;
    o->path = r.real;
    st = write_and_close(o, r.fd, write, user);
    if (!st)
        return agni_replace_end(&r, o->op);
    agni_replace_drop(&r);
    return st;
}

agn_status agni_save(const char *op, const char *path, agni_writer *write,
                     const void *user)
{
    agni_held_signals held;
    agni_output *o = agni_alloc(sizeof *o);
    if (!o)
        return agni_nomem(op, sizeof *o);
    o->op = op;
    o->path = path;
    agni_hold_signals(&held);
    agn_status st = save_output(o, write, user);
    agni_let_signals(&held);
    agni_free(o);
    return st;
}

agn_status agni_rows(agn_tensor **out, const char *op, const agn_tensor *x)
{
    agn_status st = agni_require_dense(x, op);
    if (!st && (agni_is_symbolic(x) || x->stale))
        st = agni_require_host(x, op);
    if (st)
        return st;
    agn_tensor *host = NULL, *alias = agni_tensor_alias(x);
    if (!alias)
        return agni_nomem(op, sizeof *alias);
    st = agn_to_device(&host, alias, AGN_CPU);
    if (!st)
        st = agn_contiguous(out, host);
    agn_release(host);
    agn_release(alias);
    return st;
}
