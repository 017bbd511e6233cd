/* tensor/cuda/code_cache.c - compiled regions on disk: one file per text, architecture and version
   of NVRTC. The folder is AGNESI_CUDA_CACHE, else agnesi/cuda in XDG_CACHE_HOME or ~/.cache;
   AGNESI_CUDA_CACHE= (empty): none.

   Code is run, so that it comes from files alone that no other user could have written: the folder
   and each file belong to this user, and nobody else may write them (the folder is made with mode
   0700). A file says what it was made of, letter by letter, and ends with a sum of all its bytes;
   one that differs, or was cut off, is not used. Files appear as a whole, by rename. */
#include "tensor/cuda/compiler.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct file_head {
    char magic[16];
    int32_t capability, major, minor, unused;
    uint64_t head, text, code; /* bytes, in this order behind it; then the sum */
} file_head;

/* FNV-1a (Fowler, Noll, Vo), 64 bits */
static uint64_t add_bytes(uint64_t h, const void *p, size_t n)
{
    for (const unsigned char *q = p, *end = q + n; q < end; q++)
        h = (h ^ *q) * 0x100000001b3u;
    return h;
}
enum { SUM_START = 0x4bf29ce4 };

/* ---- the folder ------------------------------------------------------------------------------ */

static bool is_own(const struct stat *s, bool folder)
{
    return (folder ? S_ISDIR(s->st_mode) : S_ISREG(s->st_mode)) && s->st_uid == geteuid() &&
           !(s->st_mode & (folder ? 077 : 022));
}

/* path with all folders above it that are missing */
static void make_folders(char *path)
{
    for (char *p = path + 1; *p; p++)
        if (*p == '/') {
            *p = '\0';
            (void)mkdir(path, 0700);
            *p = '/';
        }
    (void)mkdir(path, 0700);
}

/* the folder, open; -1: there is none that could be trusted */
static int open_folder(bool make)
{
    char path[PATH_MAX];
    const char *own = getenv("AGNESI_CUDA_CACHE"), *base = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    int n = own             ? snprintf(path, sizeof path, "%s", own)
            : base && *base ? snprintf(path, sizeof path, "%s/agnesi/cuda", base)
            : home && *home ? snprintf(path, sizeof path, "%s/.cache/agnesi/cuda", home)
                            : 0;
    if (n <= 0 || n >= (int)sizeof path || geteuid() != getuid())
        return -1;
    if (make)
        make_folders(path);
    int at = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat s;
    if (at >= 0 && (fstat(at, &s) || !is_own(&s, true))) {
        close(at);
        return -1;
    }
    return at;
}

static void name_file(char *name, size_t n, const agni_cu_code_key *k, const char *end)
{
    uint64_t h[2] = {SUM_START, 1};
    for (int i = 0; i < 2; i++) {
        h[i] = add_bytes(h[i], k->head, strlen(k->head));
        h[i] = add_bytes(h[i], k->text, strlen(k->text));
    }
    snprintf(name, n, "sm_%d-%d.%d-%016llx%016llx%s", k->capability, k->major, k->minor,
             (unsigned long long)h[0], (unsigned long long)h[1], end);
}

static file_head head_of(const agni_cu_code_key *k, size_t bytes)
{
    file_head f = {"agnesi-region-1", k->capability,   k->major, k->minor, 0,
                   strlen(k->head),   strlen(k->text), bytes};
    return f;
}

/* ---- files ----------------------------------------------------------------------------------- */

static char *read_whole(int folder, const char *name, size_t *bytes)
{
    int at = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    struct stat s;
    char *p = NULL;
    size_t have = 0;
    if (at < 0)
        return NULL;
    if (!fstat(at, &s) && is_own(&s, false) && s.st_size > 0)
        p = malloc((size_t)s.st_size);
    while (p && have < (size_t)s.st_size) {
        ssize_t n = read(at, p + have, (size_t)s.st_size - have);
        if (n <= 0) {
            free(p);
            p = NULL;
            break;
        }
        have += (size_t)n;
    }
    close(at);
    *bytes = have;
    return p;
}

void *agni_cu_cache_read(const agni_cu_code_key *k, size_t *bytes)
{
    char name[96];
    size_t n = 0;
    file_head f, want = head_of(k, 0);
    uint64_t sum;
    void *code = NULL;
    int folder = open_folder(false);
    if (folder < 0)
        return NULL;
    name_file(name, sizeof name, k, "");
    char *p = read_whole(folder, name, &n);
    close(folder);
    if (!p || n < sizeof f + want.head + want.text + sizeof sum) {
        free(p);
        return NULL;
    }
    memcpy(&f, p, sizeof f);
    memcpy(&sum, p + n - sizeof sum, sizeof sum);
    want.code = n - sizeof f - want.head - want.text - sizeof sum;
    const char *head = p + sizeof f, *text = head + want.head;
    if (want.code && !memcmp(&f, &want, sizeof f) && !memcmp(head, k->head, want.head) &&
        !memcmp(text, k->text, want.text) && sum == add_bytes(SUM_START, p, n - sizeof sum) &&
        (code = malloc(want.code))) {
        memcpy(code, text + want.text, want.code);
        *bytes = want.code;
    }
    free(p);
    return code;
}

static bool write_all(int at, const void *p, size_t n)
{
    for (const char *q = p; n > 0;) {
        ssize_t k = write(at, q, n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return false;
        q += k;
        n -= (size_t)k;
    }
    return true;
}

/* What cannot be kept is compiled again: no failure. */
void agni_cu_cache_write(const agni_cu_code_key *k, const void *code, size_t bytes)
{
    static int count;
    char name[96], fresh[96], end[48];
    file_head f = head_of(k, bytes);
    int folder = open_folder(true);
    if (folder < 0)
        return;
    snprintf(end, sizeof end, ".%ld.%d", (long)getpid(),
             __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED));
    name_file(name, sizeof name, k, "");
    name_file(fresh, sizeof fresh, k, end);
    uint64_t sum = add_bytes(SUM_START, &f, sizeof f);
    sum = add_bytes(sum, k->head, f.head);
    sum = add_bytes(sum, k->text, f.text);
    sum = add_bytes(sum, code, bytes);
    int at = openat(folder, fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (at >= 0) {
        bool good = write_all(at, &f, sizeof f) && write_all(at, k->head, f.head) &&
                    write_all(at, k->text, f.text) && write_all(at, code, bytes) &&
                    write_all(at, &sum, sizeof sum);
        good = !close(at) && good;
        if (!good || renameat(folder, fresh, folder, name))
            (void)unlinkat(folder, fresh, 0);
    }
    close(folder);
}
