/* exchange/file/temporary_file.c - temporary files beside a target that a killed process leaves for
   a later save to remove: their names follow from the target's, and a lock (flock) tells whether
   somebody still writes one. The kernel drops the lock of a process that is killed. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "exchange/file/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PLACES = 8, TRIES = 100 }; /* of savers to one target at a time; beyond them any name */

/* Fowler, Noll & Vo's hash, 1a, 64 bits, of the last part of a path */
static uint64_t hash_of(const char *name)
{
    uint64_t h = 14695981039346656037u;
    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * 1099511628211u;
    return h;
}

/* Is name a file of ours that nobody writes? It is removed. Its lock is tried first, so that
   of two who look only one removes it, and no file that was just begun goes. */
static void remove_abandoned(const char *name)
{
    struct stat at, now;
    int fd = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return;
    /* it may have become the target meanwhile, and the name another's file */
    if (!fstat(fd, &at) && S_ISREG(at.st_mode) && at.st_uid == geteuid() &&
        !flock(fd, LOCK_EX | LOCK_NB) && !lstat(name, &now) && now.st_dev == at.st_dev &&
        now.st_ino == at.st_ino)
        unlink(name);
    close(fd);
}

/* a new file of that name, locked; -1 with errno: EEXIST where another one is quicker */
static int create_exclusive(const char *name, mode_t mode)
{
    struct stat at;
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd < 0)
        return -1;
    bool locked = !flock(fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK; /* or there are no locks here */
    if (locked && !fstat(fd, &at) && at.st_nlink > 0)
        return fd;
    close(fd);
    errno = EEXIST;
    return -1;
}

int agni_open_beside(char *tmp, const char *path, mode_t mode)
{
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash + 1 - path) : 0, fd = -1;
    unsigned long long hash = hash_of(path + folder);
    errno = EEXIST;
    for (int k = 0; k < TRIES && fd < 0 && errno == EEXIST; k++) {
        struct timespec now = {0};
        int n = agni_format(tmp, PATH_MAX, "%.*s.agnesi-%016llx-%d", folder, path, hash, k);
        if (k >= PLACES) {
            clock_gettime(CLOCK_REALTIME, &now);
            n = agni_format(tmp, PATH_MAX, "%.*s.agnesi-%016llx-%lx-%lx-%d", folder, path, hash,
                            (long)getpid(), now.tv_nsec, k);
        }
        if (n >= PATH_MAX) {
            errno = ENAMETOOLONG;
            return -1;
        }
        if (k < PLACES)
            remove_abandoned(tmp);
        fd = create_exclusive(tmp, mode);
    }
    int why = errno;
    for (int k = 0; k < PLACES && fd >= 0; k++) { /* those of more than one process that was killed */
        char other[PATH_MAX];
        agni_format(other, PATH_MAX, "%.*s.agnesi-%016llx-%d", folder, path, hash, k);
        if (strcmp(other, tmp))
            remove_abandoned(other);
    }
    errno = why;
    return fd;
}
