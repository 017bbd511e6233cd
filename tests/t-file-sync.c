/* t-file-sync.c - files are synced before they take their name, unless agn_file_sync_set says no; either way they hold
   the same, and a write that fails leaves the old one. */
#include "laws.h"

#include <agnesi/exchange.h>
#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const char *const folder = "t-file-sync.tmp", *const path = "t-file-sync.tmp/array";
static int synced;

/* in place of the one of libc */
__attribute__((visibility("default"))) int fsync(int fd);
int fsync(int fd)
{
    synced++;
    return (int)syscall(SYS_fsync, fd);
}

typedef agn_status writer(const agn_tensor *x);
static agn_status one_array(const agn_tensor *x)
{
    return agn_npy_save(path, x);
}
static agn_status an_archive(const agn_tensor *x)
{
    agn_dict *d = NULL;
    agn_status st = agn_dict_new(&d);
    st = st ? st : agn_dict_put(d, "x", x);
    st = st ? st : agn_npz_save(path, d, false);
    agn_dict_release(d);
    return st;
}
static const struct {
    const char *name;
    writer *write;
} table[] = {{"npy_save", one_array}, {"npz_save", an_archive}};

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static agn_tensor *load(bool archive)
{
    agn_tensor *x = NULL;
    agn_dict *d = NULL;
    if (!archive) {
        must(agn_npy_load(&x, path));
    } else {
        must(agn_npz_load(&d, path));
        must(agn_dict_get(&x, d, "x"));
        agn_dict_release(d);
    }
    return x;
}
static bool holds(bool archive, const agn_tensor *x)
{
    agn_tensor *y = load(archive);
    bool good = same_shapes(x, y);
    for (int64_t i = 0; good && i < agn_numel(x); i += 97)
        good = peek(x, i) == peek(y, i);
    agn_release(y);
    return good;
}

static int files_there(void)
{
    int n = -2; /* . and .. */
    DIR *d = opendir(folder);
    while (d && readdir(d))
        n++;
    if (d)
        closedir(d);
    return n;
}

int main(void)
{
    const int64_t n = 1 << 20;
    agn_tensor *x = NULL, *old = NULL;
    mkdir(folder, 0777);
    unlink(path);
    must(agn_arange(&x, AGN_F64, 0, (double)n, 1));
    must(agn_arange(&old, AGN_F64, 0, 8, 1));
    ok(agn_file_sync(), "files are synced");
    for (int on = 1; on >= 0; on--)
        for (int k = 0; k < COUNT(table); k++) {
            agn_file_sync_set(on);
            must(table[k].write(old));
            synced = 0;
            double from = seconds();
            must(table[k].write(x));
            diag("%s, %d: %g ms for 8 MB", table[k].name, on, 1e3 * (seconds() - from));
            ok(agn_file_sync() == on && synced == on && holds(k == 1, x), "%s %s", table[k].name,
               on ? "syncs" : "does not sync");
            ok(files_there() == 1, "one file is there, %d", files_there());
            /* no room for so much */
            struct rlimit before, least = {1 << 16, 1 << 16};
            must(table[k].write(old));
            getrlimit(RLIMIT_FSIZE, &before);
            least.rlim_max = before.rlim_max;
            setrlimit(RLIMIT_FSIZE, &least);
            agn_status st = table[k].write(x);
            setrlimit(RLIMIT_FSIZE, &before);
            ok(st == AGN_EIO && holds(k == 1, old), "where that fails the old file stands");
        }
    agn_file_sync_set(true);
    unlink(path);
    rmdir(folder);
    agn_release(x);
    agn_release(old);
    return done();
}
