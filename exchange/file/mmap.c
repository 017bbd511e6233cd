/* exchange/file/mmap.c - memory-mapped files as tensors. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "exchange/file/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

typedef struct map {
    void *at;
    size_t bytes;
    int64_t skip; /* from there to the first element: maps begin at pages */
} map;

static void unmap_bytes(void *user)
{
    map *m = user;
    if (m->bytes)
        munmap(m->at, m->bytes);
    agni_free(m);
}

/* how each AGN_MAP_ opens and maps */
static const struct {
    int open, protect, share;
} modes[] = {
    [AGN_MAP_READ] = {O_RDONLY, PROT_READ, MAP_SHARED},
    [AGN_MAP_WRITE] = {O_RDWR, PROT_READ | PROT_WRITE, MAP_SHARED},
    [AGN_MAP_CREATE] = {O_RDWR, PROT_READ | PROT_WRITE, MAP_SHARED},
    [AGN_MAP_PRIVATE] = {O_RDONLY, PROT_READ | PROT_WRITE, MAP_PRIVATE},
};

/* Room on the disk for bytes at to end of a file: a page without it would be the end of whoever
   writes it first (SIGBUS). A limit on the size of files is an error here, and its signal held
   back. */
static agn_status lengthen_file(int fd, const char *path, int64_t at, int64_t end)
{
    struct statvfs room;
    sigset_t mine, before, pending;
    static const struct timespec now = {0};
    int error = 0;
    sigemptyset(&mine);
    sigaddset(&mine, SIGXFSZ);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &mine, &before);
    if (!fstatvfs(fd, &room) && room.f_frsize &&
        (uint64_t)(end - at) / room.f_frsize > (uint64_t)room.f_bavail)
        error = ENOSPC; /* nobody's disk is filled to find out */
    while (!error && (error = posix_fallocate(fd, at, end - at)) == EINTR)
        error = 0;
    if (error == EOPNOTSUPP || error == EINVAL) /* here nobody can ask */
        error = ftruncate(fd, end) ? errno : 0;
    if (error && ftruncate(fd, at))
        error = errno;
    if (!sigismember(&pending, SIGXFSZ) && !sigpending(&pending) && sigismember(&pending, SIGXFSZ))
        sigtimedwait(&mine, NULL, &now);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return error ? agni_io_fail("map_file", path, "cannot be made longer") : AGN_OK;
}

/* the file has the bytes from offset to end, or is given them */
static agn_status check_size(int fd, const char *path, int64_t end, int32_t mode)
{
    struct stat info;
    if (fstat(fd, &info))
        return agni_io_fail("map_file", path, "cannot be read");
    if (!S_ISREG(info.st_mode))
        return agni_fail(AGN_EIO, "map_file: %s: is a %s, not a file",
                         agni_path_end(path),
                         S_ISDIR(info.st_mode) ? "folder" : "device or pipe");
    if (info.st_size >= end)
        return AGN_OK;
    if (mode != AGN_MAP_CREATE)
        return agni_fail(AGN_EFORMAT,
                         "map_file: %s: has %lld bytes, the elements end at %lld",
                         agni_path_end(path), (long long)info.st_size, (long long)end);
    return lengthen_file(fd, path, info.st_size, end);
}

static agn_status map_bytes(map **out, const char *path, int fd, int64_t offset,
                            int64_t bytes, int32_t mode)
{
    int64_t page = sysconf(_SC_PAGESIZE);
    map *m = agni_zalloc(sizeof *m);
    if (!m)
        return agni_nomem("map_file", sizeof *m);
    m->skip = offset % page;
    m->bytes = bytes ? (size_t)(bytes + m->skip) : 0;
    m->at = bytes ? mmap(NULL, m->bytes, modes[mode].protect, modes[mode].share, fd,
                         offset - m->skip)
                  : NULL;
    if (m->at == MAP_FAILED) {
        agni_free(m);
        return agni_io_fail("map_file", path, "cannot be mapped");
    }
    *out = m;
    return AGN_OK;
}

/* made: "", or the name of a file that there was not */
static agn_status open_file(int *fd, char made[PATH_MAX], const char *path, int32_t mode)
{
    int flags = modes[mode].open | O_CLOEXEC | O_NONBLOCK;
    made[0] = 0;
    *fd = open(path, flags);
    if (*fd < 0 && errno == ENOENT && mode == AGN_MAP_CREATE) {
        agn_status st = agni_follow_links("map_file", path, made);
        if (st)
            return st;
        *fd = open(made, flags | O_CREAT | O_EXCL, 0666);
        made[0] = *fd < 0 ? 0 : made[0];
    }
    return *fd < 0 ? agni_io_fail("map_file", path, "cannot be opened") : AGN_OK;
}

/* bytes other than 0 and 1 are no bools: refused */
static agn_status check_bools(const char *path, const map *m, int64_t offset)
{
    const uint8_t *p = (const uint8_t *)m->at + m->skip;
    for (int64_t k = 0; k < (int64_t)m->bytes - m->skip; k++)
        if (p[k] > 1)
            return agni_fail(AGN_EFORMAT, "map_file: %s: byte %lld is %d; a bool is 0 or 1",
                             agni_path_end(path), (long long)(offset + k), p[k]);
    return AGN_OK;
}

/* dtype and shape are good, and end at byte end of the file */
static agn_status map_tensor(agn_tensor **out, const char *path, agn_dtype dtype,
                             int32_t ndim, const int64_t *shape, int64_t offset,
                             int64_t end, int32_t mode)
{
    int fd;
    char made[PATH_MAX];
    map *m = NULL;
    agn_status st = open_file(&fd, made, path, mode);
    if (st)
        return st;
    st = check_size(fd, path, end, mode);
    if (!st)
        st = map_bytes(&m, path, fd, offset, end - offset, mode);
    close(fd); /* the map stays */
    if (!st && dtype == AGN_BOOL && m->bytes)
        st = check_bools(path, m, offset);
    if (!st) {
        char *data = end > offset ? (char *)m->at + m->skip : NULL;
        agni_memory memory = {AGN_CPU, data, mode == AGN_MAP_READ, unmap_bytes, m};
        st = agni_tensor_wrap(out, "map_file", dtype, ndim, shape, NULL, &memory);
    }
    if (st && m)
        unmap_bytes(m);
    if (st && made[0])
        unlink(made);
    return st;
}

agn_status agn_map_file(agn_tensor **out, const char *path, agn_dtype dtype,
                        int32_t ndim, const int64_t *shape, int64_t offset,
                        int32_t mode)
{
    if (!out || !path)
        return agni_fail(AGN_ENULL, "map_file: %s is NULL", out ? "path" : "out");
    if (mode < 0 || mode >= AGNI_COUNT(modes))
        return agni_fail(AGN_EARG, "map_file: %d is no mode; there are %d", (int)mode,
                         AGNI_COUNT(modes));
    int64_t size = 0, bytes = 0, end = 0;
    agn_status st = agni_dtype_check("map_file", dtype);
    if (!st)
        st = agni_shape_check("map_file", ndim, shape, &size);
    if (st)
        return st;
    int32_t align = agni_alignment(dtype);
    if (offset < 0 || offset % align ||
        !agni_checked_mul(size, agni_dtypes[dtype].bytes, &bytes) ||
        !agni_checked_add(offset, bytes, &end))
        return agni_fail(
            AGN_EARG,
            "map_file: offset %lld; a multiple of the %d bytes of %s is needed",
            (long long)offset, align, agni_dtypes[dtype].name);
    return map_tensor(out, path, dtype, ndim, shape, offset, end, mode);
}

agn_status agn_map_flush(const agn_tensor *x)
{
    if (!x)
        return agni_fail(AGN_ENULL, "map_flush: x is NULL");
    if (!x->st || x->st->destroy != unmap_bytes)
        return agni_fail(AGN_EARG, "map_flush: %s %s is no part of a mapped file",
                         agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    const map *m = x->st->user;
    return m->bytes && msync(m->at, m->bytes, MS_SYNC)
               ? agni_fail(AGN_EIO, "map_flush: %zu bytes cannot be stored: errno %d",
                           m->bytes, errno)
               : AGN_OK;
}
