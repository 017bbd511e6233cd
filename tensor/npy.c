/* tensor/npy.c - tensors to and from .npy files. */
#include "tensor/npy.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The end of a long path, so that a message has room for the reason. */
static const char *end_of(const char *path)
{
    size_t n = strlen(path), most = 200;
    const char *p = n > most ? path + n - most : path;
    while (((unsigned char)*p & 0xc0) == 0x80) /* between characters of UTF-8 */
        p++;
    return p;
}

static agn_status io_fail(const char *op, const char *path, const char *what)
{
    return agni_fail(AGN_EIO, "%s: %s: %s: %s", op, end_of(path), what,
                     strerror(errno));
}

/* ---- reading --------------------------------------------------------------------- */

static agn_status read_all(const agni_source *src, void *buf, size_t n,
                           const char *what)
{
    for (size_t have = 0; have < n;) {
        int64_t got = src->read(src->user, (char *)buf + have, n - have);
        if (got < 0)
            return io_fail("npy_load", src->file, "cannot be read");
        if (got == 0)
            return agni_fail(AGN_EFORMAT,
                             "npy_load: %s: ends after %zu of the %zu bytes of its %s",
                             src->file, have, n, what);
        have += (size_t)got;
    }
    return AGN_OK;
}

/* magic, version and length of the dictionary; *at becomes where it begins */
static agn_status read_preamble(const agni_source *src, int64_t *at, int64_t *length)
{
    unsigned char b[12];
    agn_status st = read_all(src, b, 10, "first 10");
    if (st)
        return st;
    if (memcmp(b, "\x93NUMPY", 6) != 0)
        return agni_fail(AGN_EFORMAT,
                         "npy_load: %s: %lld bytes that do not begin as a .npy file",
                         src->file, (long long)src->size);
    if (b[6] < 1 || b[6] > 3 || b[7] != 0)
        return agni_fail(AGN_EFORMAT,
                         "npy_load: %s: version %d.%d, known are 1.0, 2.0 and 3.0",
                         src->file, b[6], b[7]);
    *at = b[6] == 1 ? 10 : 12;
    *length = b[8] | b[9] << 8;
    if (b[6] > 1) {
        st = read_all(src, b + 10, 2, "length of the header");
        *length |= (int64_t)b[10] << 16 | (int64_t)b[11] << 24;
    }
    return st;
}

/* NumPy's own limit is 10000; a dictionary for our dtypes needs less than 1000 */
enum { HEADER_MOST = 65536 };

static agn_status read_header(const agni_source *src, agni_npy_header *h)
{
    int64_t at = 0, length = 0;
    agn_status st = read_preamble(src, &at, &length);
    if (st)
        return st;
    if (length > src->size - at || length > HEADER_MOST)
        return agni_fail(
            AGN_EFORMAT,
            "npy_load: %s: header of %lld bytes, the file has %lld and %d are allowed",
            src->file, (long long)length, (long long)src->size, HEADER_MOST);
    char *text = agni_alloc((size_t)length + 1);
    if (!text)
        return agni_nomem("npy_load", (size_t)length + 1);
    st = read_all(src, text, (size_t)length, "header");
    if (!st)
        st = agni_npy_parse(h, src->file, text, (size_t)length);
    agni_free(text);
    int64_t left = src->size - at - length;
    if (!st && h->bytes > left)
        st = agni_fail(AGN_EFORMAT,
                       "npy_load: %s: %s %s has %lld bytes, behind the header are %lld",
                       src->file, agni_dtypes[h->dtype].name,
                       agni_shape_text((char[96]){0}, 96, h->ndim, h->shape),
                       (long long)h->bytes, (long long)left);
    return st;
}

/* the other byte order, in place; complex numbers part by part */
static void swap_bytes(char *p, int64_t bytes, int size)
{
    for (int64_t i = 0; i < bytes; i += size)
        for (int k = 0; k < size / 2; k++) {
            char c = p[i + k];
            p[i + k] = p[i + size - 1 - k];
            p[i + size - 1 - k] = c;
        }
}

/* the same memory seen with the first axis running fastest, made row-major */
static agn_status from_fortran(agn_tensor **out, const agn_tensor *x)
{
    int64_t stride[AGNI_MAX_RANK], step = 1;
    for (int i = 0; i < x->ndim; i++) {
        stride[i] = step;
        step *= x->shape[i] ? x->shape[i] : 1;
    }
    agn_tensor *view = NULL;
    agn_status st = agni_tensor_view(&view, x, x->ndim, x->shape, stride, 0);
    if (!st)
        st = agn_contiguous(out, view);
    agn_release(view);
    return st;
}

agn_status agni_npy_read(agn_tensor **out, const agni_source *src)
{
    agni_npy_header h;
    agn_tensor *x = NULL;
    agn_status st = read_header(src, &h);
    if (!st)
        st = agni_tensor_make(&x, "npy_load", h.dtype, h.ndim, h.shape, AGN_CPU);
    if (!st)
        st = read_all(src, x->data, (size_t)h.bytes, "elements");
    if (st) {
        agn_release(x);
        return st;
    }
    char *p = x->data;
    if (h.swap)
        swap_bytes(p, h.bytes, agni_dtypes[agni_dtypes[h.dtype].real].bytes);
    for (int64_t i = 0; h.dtype == AGN_BOOL && i < h.bytes; i++)
        p[i] = p[i] != 0; /* no other value is a bool */
    if (!h.fortran || h.ndim < 2) {
        *out = x;
        return AGN_OK;
    }
    st = from_fortran(out, x);
    agn_release(x);
    return st;
}

static int64_t read_file(void *user, void *buf, size_t n)
{
    int fd = *(int *)user;
    ssize_t got;
    do {
        got = read(fd, buf, n < 1 << 30 ? n : 1 << 30);
    } while (got < 0 && errno == EINTR);
    return got;
}

agn_status agn_npy_load(agn_tensor **out, const char *path)
{
    if (!out || !path)
        return agni_fail(AGN_ENULL, "npy_load: %s is NULL", out ? "path" : "out");
    int fd = open(path,
                  O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe must not hold us up */
    if (fd < 0)
        return io_fail("npy_load", path, "cannot be opened");
    struct stat info;
    agn_status st = AGN_OK;
    if (fstat(fd, &info))
        st = io_fail("npy_load", path, "cannot be read");
    else if (!S_ISREG(info.st_mode))
        st = agni_fail(AGN_EIO, "npy_load: %s: is a %s, not a file", end_of(path),
                       S_ISDIR(info.st_mode) ? "folder" : "device or pipe");
    if (!st)
        st = agni_npy_read(out,
                           &(agni_source){end_of(path), info.st_size, read_file, &fd});
    close(fd);
    return st;
}

/* ---- writing --------------------------------------------------------------------- */

static bool write_all(int fd, const void *buf, size_t n)
{
    for (size_t put = 0; put < n;) {
        ssize_t got = write(fd, (const char *)buf + put,
                            n - put < 1 << 30 ? n - put : 1 << 30);
        if (got < 0 && errno != EINTR)
            return false;
        put += got > 0 ? (size_t)got : 0;
    }
    return true;
}

static bool write_tensor(int fd, const agn_tensor *x)
{
    char head[AGNI_NPY_HEADER];
    size_t n = agni_npy_begin(head, x->dtype, x->ndim, x->shape);
    return write_all(fd, head, n) &&
           write_all(fd, x->data,
                     (size_t)x->size * (size_t)agni_dtypes[x->dtype].bytes);
}

/* A name beside path that is not taken, and the open file: never one that exists. */
static int open_beside(char tmp[PATH_MAX], const char *path, mode_t mode)
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

/* A device or a pipe is written, not replaced. */
static agn_status write_through(const char *path, const agn_tensor *x)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return io_fail("npy_save", path, "cannot be opened");
    agn_status st = AGN_OK;
    if (!write_tensor(fd, x))
        st = io_fail("npy_save", path, "cannot be written");
    if (close(fd) && !st)
        st = io_fail("npy_save", path, "cannot be written");
    return st;
}

/* old describes the file that is replaced, or is NULL */
static agn_status replace(const char *path, const struct stat *old, const agn_tensor *x)
{
    char tmp[PATH_MAX];
    int fd = open_beside(tmp, path, old ? old->st_mode & 0777 : 0666);
    if (fd < 0)
        return io_fail("npy_save", path, "no file can be made beside it");
    /* whatever the umask, the new file may be read by whom the old one was */
    bool done = write_tensor(fd, x) && (!old || !fchmod(fd, old->st_mode & 0777)) &&
                !fsync(fd);
    int error = errno;
    if (close(fd) && done) {
        error = errno;
        done = false;
    }
    if (done && !rename(tmp, path))
        return AGN_OK;
    error = done ? errno : error;
    unlink(tmp);
    errno = error;
    return io_fail("npy_save", path, "cannot be written");
}

static agn_status save(const char *path, const agn_tensor *x)
{
    char real[PATH_MAX];
    struct stat info;
    if (stat(path, &info))
        return errno == ENOENT ? replace(path, NULL, x)
                               : io_fail("npy_save", path, "cannot be written");
    if (!S_ISREG(info.st_mode))
        return write_through(path, x);
    if (!realpath(path, real)) /* a link stays, the file it leads to is replaced */
        return io_fail("npy_save", path, "cannot be followed");
    return replace(real, &info, x);
}

agn_status agn_npy_save(const char *path, const agn_tensor *x)
{
    if (!path || !x)
        return agni_fail(AGN_ENULL, "npy_save: %s is NULL", path ? "x" : "path");
    if (!*agni_dtypes[x->dtype].npy || x->layout != AGN_DENSE)
        return agni_fail(AGN_EUNSUPPORTED, "npy_save: the format has no %s %s; x is %s",
                         x->layout == AGN_DENSE ? "dtype" : "layout",
                         x->layout == AGN_DENSE ? agni_dtypes[x->dtype].name : "sparse",
                         AGNI_SHAPE(x));
    if (agni_symbolic(x))
        return agni_host(x, "npy_save");
    agn_tensor *host = NULL, *rows = NULL, *alias = agni_tensor_alias(x);
    if (!alias)
        return agni_nomem("npy_save", sizeof *alias);
    agn_status st = agn_to_device(&host, alias, AGN_CPU);
    if (!st)
        st = agn_contiguous(&rows, host);
    if (!st)
        st = save(path, rows);
    agn_release(rows);
    agn_release(host);
    agn_release(alias);
    return st;
}
