/* tensor/cuda/code_cache.c - compiled regions on disk: one file per text, architecture and version
   of NVRTC. The folder is AGNESI_CUDA_CACHE, else agnesi/cuda in XDG_CACHE_HOME or ~/.cache;
   AGNESI_CUDA_CACHE= (empty): none. AGNESI_CUDA_KERNELS is a second one, only read, and read first:
   code that was built ahead. There, and where this machine has no NVRTC, any version will do.

   Code is run, so that it comes from files alone that no other user could have written: the folder
   and each file belong to this user, and nobody else may write them (the cache is made with mode
   0700; what was built ahead may be root's, and others may read it). A file says what it was made
   of, letter by letter, and ends with a sum of all its bytes; one that differs, or was cut off, is
   not used. Files appear as a whole, by rename.

   A line of the file "manifest" beside them tells of each that was kept, removed since a driver did
   not take it, or refused by NVRTC. It is for people: nothing reads it here. */
#include "tensor/cuda/compiler.h"

#include <dirent.h>
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

/* ahead: of the folder that was built ahead */
static bool is_trusted(const struct stat *s, bool folder, bool ahead)
{
    mode_t others = folder && !ahead ? 077 : 022;
    return (folder ? S_ISDIR(s->st_mode) : S_ISREG(s->st_mode)) && !(s->st_mode & others) &&
           (s->st_uid == geteuid() || (ahead && s->st_uid == 0));
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

static int write_path(char *path, size_t n)
{
    const char *own = getenv("AGNESI_CUDA_CACHE"), *base = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    return own             ? snprintf(path, n, "%s", own)
           : base && *base ? snprintf(path, n, "%s/agnesi/cuda", base)
           : home && *home ? snprintf(path, n, "%s/.cache/agnesi/cuda", home)
                           : 0;
}

typedef enum which_folder { AHEAD, CACHE, MADE_CACHE } which_folder;

/* the folder, open; -1: there is none that could be trusted */
static int open_folder(which_folder which)
{
    char path[PATH_MAX];
    const char *ahead = getenv("AGNESI_CUDA_KERNELS");
    int n = which != AHEAD ? write_path(path, sizeof path)
            : ahead        ? snprintf(path, sizeof path, "%s", ahead)
                           : 0;
    if (n <= 0 || n >= (int)sizeof path || geteuid() != getuid())
        return -1;
    if (which == MADE_CACHE)
        make_folders(path);
    int at = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat s;
    if (at >= 0 && (fstat(at, &s) || !is_trusted(&s, true, which == AHEAD))) {
        close(at);
        return -1;
    }
    return at;
}

enum { NAME = 96 };

/* sm_CAPABILITY-MAJOR.MINOR-HASH and what is behind it */
static void name_file(char *name, const agni_cu_code_key *k, const char *end)
{
    uint64_t h[2] = {SUM_START, 1};
    for (int i = 0; i < 2; i++) {
        h[i] = add_bytes(h[i], k->head, strlen(k->head));
        h[i] = add_bytes(h[i], k->text, strlen(k->text));
    }
    snprintf(name, NAME, "sm_%d-%d.%d-%016llx%016llx%s", k->capability, k->major, k->minor,
             (unsigned long long)h[0], (unsigned long long)h[1], end);
}

/* Does a folder have code of k's text by any version of NVRTC? The newest is put into k. */
static bool find_version(int folder, agni_cu_code_key *k)
{
    char name[NAME], start[32];
    int major, minor, at, read;
    bool found = false;
    name_file(name, k, "");
    const char *hash = strrchr(name, '-');
    snprintf(start, sizeof start, "sm_%d-", k->capability);
    int copy = dup(folder);
    DIR *d = copy < 0 ? NULL : fdopendir(copy);
    if (!d) {
        if (copy >= 0)
            close(copy);
        return false;
    }
    rewinddir(d);
    for (const struct dirent *e; (e = readdir(d));) {
        at = (int)strlen(start);
        if (strncmp(e->d_name, start, (size_t)at) ||
            sscanf(e->d_name + at, "%d.%d%n", &major, &minor, &read) != 2 ||
            strcmp(e->d_name + at + read, hash) ||
            (found && (major < k->major || (major == k->major && minor <= k->minor))))
            continue;
        k->major = major;
        k->minor = minor;
        found = true;
    }
    closedir(d);
    return found;
}

static file_head head_of(const agni_cu_code_key *k, size_t bytes)
{
    file_head f = {"agnesi-region-1", k->capability,   k->major, k->minor, 0,
                   strlen(k->head),   strlen(k->text), bytes};
    return f;
}

/* ---- files ----------------------------------------------------------------------------------- */

static char *read_whole(int folder, bool ahead, const char *name, size_t *bytes)
{
    int at = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    struct stat s;
    char *p = NULL;
    size_t have = 0;
    if (at < 0)
        return NULL;
    if (!fstat(at, &s) && is_trusted(&s, false, ahead) && s.st_size > 0)
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

static void *read_file(int folder, bool ahead, const agni_cu_code_key *k, size_t *bytes)
{
    char name[NAME];
    size_t n = 0;
    file_head f, want = head_of(k, 0);
    uint64_t sum;
    void *code = NULL;
    name_file(name, k, "");
    char *p = read_whole(folder, ahead, name, &n);
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

void *agni_cu_cache_read(agni_cu_code_key *k, size_t *bytes)
{
    void *code = NULL;
    for (which_folder which = AHEAD; !code && which <= CACHE; which++) {
        int folder = open_folder(which);
        agni_cu_code_key any = *k;
        if (folder < 0)
            continue;
        if ((which == CACHE && k->major >= 0) || find_version(folder, &any))
            code = read_file(folder, which == AHEAD, &any, bytes);
        if (code)
            *k = any;
        close(folder);
    }
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

/* lines of several processes do not mix: each is one write */
static void add_to_manifest(int folder, const char *what, const agni_cu_code_key *k, size_t bytes)
{
    char name[NAME], line[2 * NAME];
    struct stat s;
    name_file(name, k, "");
    int n = snprintf(line, sizeof line, "%s %s text %zu code %zu\n", what, name,
                     strlen(k->head) + strlen(k->text), bytes);
    int at = openat(folder, "manifest", O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC,
                    0600);
    if (at < 0)
        return;
    if (!fstat(at, &s) && is_trusted(&s, false, false))
        (void)write_all(at, line, (size_t)n);
    close(at);
}

/* What cannot be kept is compiled again: no failure. */
void agni_cu_cache_write(const agni_cu_code_key *k, const void *code, size_t bytes)
{
    static int count;
    char name[NAME], fresh[NAME], end[48];
    file_head f = head_of(k, bytes);
    int folder = open_folder(MADE_CACHE);
    if (folder < 0)
        return;
    snprintf(end, sizeof end, ".%ld.%d", (long)getpid(),
             __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED));
    name_file(name, k, "");
    name_file(fresh, k, end);
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
        if (good && !renameat(folder, fresh, folder, name))
            add_to_manifest(folder, "kept", k, bytes);
        else
            (void)unlinkat(folder, fresh, 0);
    }
    close(folder);
}

void agni_cu_cache_remove(const agni_cu_code_key *k)
{
    char name[NAME];
    int folder = open_folder(CACHE);
    if (folder < 0)
        return;
    name_file(name, k, "");
    if (!unlinkat(folder, name, 0))
        add_to_manifest(folder, "removed", k, 0);
    close(folder);
}

void agni_cu_cache_note_refusal(const agni_cu_code_key *k)
{
    int folder = open_folder(MADE_CACHE);
    if (folder < 0)
        return;
    add_to_manifest(folder, "refused", k, 0);
    close(folder);
}
