/* exchange/file/file.h - bytes of files: read with suspicion, written all or not at all. */
#ifndef AGNI_FILE_H
#define AGNI_FILE_H

#include "tensor/value/tensor.h"
#include <limits.h>
#include <signal.h>
#include <sys/types.h>
#include <agnesi/exchange.h>

/* ---- reading (exchange/file/input.c) -------------------------------------------------- */

/* Bytes by position: a file, or memory in tests. read_at tells how many of n it got, 0 at
   the end, or a negative status that it has reported. */
typedef struct agni_input {
    const char *op, *file; /* for messages */
    int64_t size;          /* no claim of the file is believed beyond it */
    int64_t (*read_at)(const struct agni_input *in, int64_t at, void *buf, size_t n);
    const void *memory;
    int fd;
} agni_input;
/* a regular file, nothing else */
agn_status agni_input_open(agni_input *in, const char *op, const char *path);
void agni_input_close(agni_input *in);
void agni_input_memory(agni_input *in, const char *op, const void *p, size_t n);
/* all of n bytes, called what in messages */
agn_status agni_input_read(const agni_input *in, int64_t at, void *buf, size_t n,
                           const char *what);

/* Bytes in order. */
typedef struct agni_source {
    const char *op, *file;
    int64_t size;                                     /* bytes in all */
    int64_t (*read)(void *user, void *buf, size_t n); /* as read_at */
    void *user;
} agni_source;
/* bytes from at to end of an input, in order: the user and read of a source */
typedef struct agni_part {
    const agni_input *in;
    int64_t at, end;
} agni_part;
int64_t agni_part_read(void *part, void *buf, size_t n);

/* the end of a long path, so that a message has room for the reason */
const char *agni_path_end(const char *path);
/* AGN_EIO with errno's reason */
agn_status agni_io_fail(const char *op, const char *path, const char *what);
/* little-endian numbers, whatever the machine */
uint64_t agni_little(const unsigned char *p, int bytes);
bool agni_little_endian(void);
/* numbers of size bytes in the other byte order, in place */
void agni_swap_bytes(char *p, int64_t bytes, int size);

/* ---- writing (exchange/file/atomic_write.c) ------------------------------------------------- */

enum { AGNI_COUNT_ONLY = -1 }; /* as fd: nothing is written, only at counts */
typedef struct agni_output {
    const char *op, *path;
    int fd;
    int64_t at; /* bytes put so far */
    size_t n;   /* of them in buf */
    char buf[1 << 13];
} agni_output;
agn_status agni_put(agni_output *o, const void *p, size_t n);
agn_status agni_put_text(agni_output *o, const char *s);
agn_status agni_put_little(agni_output *o, uint64_t v, int bytes);

/* Where a link leads whose file is not there, in real, of PATH_MAX bytes: links stay, the file that
   they lead to is made. */
agn_status agni_follow_links(const char *op, const char *path, char *real);
/* A new file of mode in the folder of path, its name in tmp, of PATH_MAX bytes; those that killed
   processes left there for path are removed. -1 with errno. */
int agni_open_beside(char *tmp, const char *path, mode_t mode);
/* Writes a temporary file in the folder of path, makes it durable and renames it: path has
   either what write put or what it had, and stays whose it was. A character device is written, not
   replaced, and so is a pipe under a name of a descriptor; no signal ends the process. */
typedef agn_status agni_writer(agni_output *o, const void *user);
agn_status agni_save(const char *op, const char *path, agni_writer *write,
                     const void *user);

/* The same in steps: what goes to fd stands at path after agni_replace_end, which syncs and
   renames, and nowhere after agni_replace_drop; either ends it. A regular file, or none yet. */
typedef struct agni_replacement {
    int fd;
    char tmp[PATH_MAX], real[PATH_MAX];
} agni_replacement;
agn_status agni_replace_begin(agni_replacement *r, const char *op, const char *path);
agn_status agni_replace_end(agni_replacement *r, const char *op);
void agni_replace_drop(agni_replacement *r);
/* SIGPIPE and SIGXFSZ are errors of the writes of this thread in between */
typedef struct agni_held_signals {
    sigset_t before, mine, pending;
} agni_held_signals;
void agni_hold_signals(agni_held_signals *h);
void agni_let_signals(const agni_held_signals *h);

/* x as row-major elements on the host, for a file that has no other order */
agn_status agni_rows(agn_tensor **out, const char *op, const agn_tensor *x);

#endif
