/* exchange/file/atomic_write.c - atomic writes: a temporary file is filled, synced and renamed. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "exchange/file/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- bytes ------------------------------------------------------------------------- */

enum { AT_ONCE = 1 << 23 };

/* starts writeback of the last n bytes while more are written: fsync at the end takes a third of
   the time */
#if defined(__linux__)
static void start_writeback(int fd, int64_t n)
{
    off_t end = lseek(fd, 0, SEEK_CUR);
    if (n == AT_ONCE && end >= n)
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

/* ---- files ------------------------------------------------------------------------- */

/* what write puts goes into fd, which is closed */
static agn_status write_and_close(agni_output *o, int fd, agni_writer *write, const void *user)
{
    o->fd = fd;
    o->at = 0;
    o->n = 0;
    agn_status st = write(o, user);
    return st ? st : flush_buffer(o);
}

/* opens a new file with an unused name in the directory of path, never an existing one */
static int open_temporary(char tmp[PATH_MAX], const char *path, mode_t mode)
{
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash + 1 - path) : 0;
    for (int tries = 0; tries < 100; tries++) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        int n = agni_format(tmp, PATH_MAX, "%.*s.agnesi-%lx-%lx-%d", folder, path,
                            (long)getpid(), now.tv_nsec, tries);
        if (n >= PATH_MAX) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int fd = open(tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

static agn_status write_through(agni_output *o, agni_writer *write, const void *user)
{
    int fd = open(o->path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return agni_io_fail(o->op, o->path, "cannot be opened");
    agn_status st = write_and_close(o, fd, write, user);
    if (close(fd) && !st)
        st = agni_io_fail(o->op, o->path, "cannot be written");
    return st;
}

/* old describes the file that is replaced, or is NULL */
static agn_status replace_file(agni_output *o, const struct stat *old, agni_writer *write,
                               const void *user)
{
    char tmp[PATH_MAX];
    int fd = open_temporary(tmp, o->path, old ? old->st_mode & 0777 : 0666);
    if (fd < 0)
        return agni_io_fail(o->op, o->path, "no file can be made beside it");
    agn_status st = write_and_close(o, fd, write, user);
    /* whatever the umask, the new file may be read by whom the old one was */
    if (!st && ((old && fchmod(fd, old->st_mode & 0777)) || fsync(fd)))
        st = agni_io_fail(o->op, o->path, "cannot be written");
    if (close(fd) && !st)
        st = agni_io_fail(o->op, o->path, "cannot be written");
    if (!st && rename(tmp, o->path))
        st = agni_io_fail(o->op, o->path, "cannot be written");
    if (st)
        unlink(tmp);
    return st;
}

agn_status agni_save(const char *op, const char *path, agni_writer *write,
                     const void *user)
{
    char real[PATH_MAX];
    struct stat info;
    agni_output *o = agni_alloc(sizeof *o);
    if (!o)
        return agni_nomem(op, sizeof *o);
    o->op = op;
    o->path = path;
    agn_status st;
    if (stat(path, &info)) {
        st = errno == ENOENT ? replace_file(o, NULL, write, user)
                             : agni_io_fail(op, path, "cannot be written");
    } else if (!S_ISREG(info.st_mode)) {
        st = write_through(o, write, user);
    } else if (!realpath(path,
                         real)) { /* a link stays, the file it leads to is replaced */
        st = agni_io_fail(op, path, "cannot be followed");
    } else {
        o->path = real;
        st = replace_file(o, &info, write, user);
    }
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
