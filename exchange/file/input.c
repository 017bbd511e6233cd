/* exchange/file/input.c - bounded reads of untrusted files. */
#include "exchange/file/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *agni_path_end(const char *path)
{
    size_t n = strlen(path), most = 200;
    const char *p = n > most ? path + n - most : path;
    while (((unsigned char)*p & 0xc0) == 0x80) /* between characters of UTF-8 */
        p++;
    return p;
}

agn_status agni_io_fail(const char *op, const char *path, const char *what)
{
    return agni_fail(AGN_EIO, "%s: %s: %s: %s", op, agni_path_end(path), what,
                     strerror(errno));
}

/* ---- files and memory -------------------------------------------------------------- */

enum { AT_ONCE = 1 << 30 };

static int64_t read_file(const agni_input *in, int64_t at, void *buf, size_t n)
{
    ssize_t got;
    do {
        got = pread(in->fd, buf, n < AT_ONCE ? n : AT_ONCE, at);
    } while (got < 0 && errno == EINTR);
    return got < 0 ? agni_io_fail(in->op, in->file, "cannot be read") : got;
}

static int64_t read_memory(const agni_input *in, int64_t at, void *buf, size_t n)
{
    size_t left = at < in->size ? (size_t)(in->size - at) : 0;
    n = n < left ? n : left;
    if (n)
        memcpy(buf, (const char *)in->memory + at, n);
    return (int64_t)n;
}

void agni_input_memory(agni_input *in, const char *op, const void *p, size_t n)
{
    *in = (agni_input){op, "memory", (int64_t)n, read_memory, p, -1};
}

agn_status agni_input_open(agni_input *in, const char *op, const char *path)
{
    struct stat info;
    /* a pipe must not hold us up */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return agni_io_fail(op, path, "cannot be opened");
    agn_status st = AGN_OK;
    if (fstat(fd, &info))
        st = agni_io_fail(op, path, "cannot be read");
    else if (!S_ISREG(info.st_mode))
        st = agni_fail(AGN_EIO, "%s: %s: is a %s, not a file", op, agni_path_end(path),
                       S_ISDIR(info.st_mode) ? "folder" : "device or pipe");
    if (st) {
        close(fd);
        return st;
    }
    *in = (agni_input){op, agni_path_end(path), info.st_size, read_file, NULL, fd};
    return AGN_OK;
}

void agni_input_close(agni_input *in)
{
    if (in->fd >= 0)
        close(in->fd);
    in->fd = -1;
}

agn_status agni_input_read(const agni_input *in, int64_t at, void *buf, size_t n,
                           const char *what)
{
    for (size_t have = 0; have < n;) {
        int64_t got = in->read_at(in, at + (int64_t)have, (char *)buf + have, n - have);
        if (got < 0)
            return (agn_status)got;
        if (got == 0)
            return agni_fail(AGN_EFORMAT,
                             "%s: %s: ends after %zu of the %zu bytes of its %s",
                             in->op, in->file, have, n, what);
        have += (size_t)got;
    }
    return AGN_OK;
}

int64_t agni_part_read(void *part, void *buf, size_t n)
{
    agni_part *p = part;
    size_t left = (size_t)(p->end - p->at);
    int64_t got = p->in->read_at(p->in, p->at, buf, n < left ? n : left);
    p->at += got > 0 ? got : 0;
    return got;
}

/* ---- byte order -------------------------------------------------------------------- */

static const uint16_t byte_order_probe = 1;

bool agni_little_endian(void)
{
    return *(const unsigned char *)&byte_order_probe == 1;
}

uint64_t agni_little(const unsigned char *p, int bytes)
{
    uint64_t v = 0;
    for (int i = 0; i < bytes; i++)
        v |= (uint64_t)p[i] << 8 * i;
    return v;
}

void agni_swap_bytes(char *p, int64_t bytes, int size)
{
    for (int64_t i = 0; i < bytes; i += size)
        for (int k = 0; k < size / 2; k++) {
            char c = p[i + k];
            p[i + k] = p[i + size - 1 - k];
            p[i + size - 1 - k] = c;
        }
}
