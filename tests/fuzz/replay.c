/* tests/fuzz/replay.c - a fuzz target without libFuzzer: its seeds, cut short at every length and
   with every byte changed. A crash the fuzzer found becomes a test by joining the seeds. */
#include "tests/tap.h"

#include <dirent.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { MOST = 4096 };

static int inputs;

/* An exact block of its own, so that a sanitizer sees a read past the end. */
static void feed(const uint8_t *data, size_t n)
{
    uint8_t *copy = malloc(n ? n : 1);
    if (!copy)
        bail_out("out of memory");
    memcpy(copy, data, n);
    LLVMFuzzerTestOneInput(copy, n);
    free(copy);
    inputs++;
}

static void feed_variants(uint8_t *data, size_t n)
{
    static const uint8_t values[] = {0, 1, '9', 0x7f, 0x80, 0xff};
    for (size_t k = 0; k <= n; k++)
        feed(data, k);
    for (size_t k = 0; k < n; k++) {
        uint8_t kept = data[k];
        for (size_t v = 0; v < sizeof values; v++) {
            data[k] = values[v];
            feed(data, n);
        }
        data[k] = kept;
    }
}

int main(void)
{
    const char *src = getenv("top_srcdir");
    char folder[1024], path[2048];
    snprintf(folder, sizeof folder, "%s/tests/fuzz/seeds/%s", src ? src : ".", FUZZ_NAME);
    DIR *d = opendir(folder);
    if (!d)
        return skip_all("no seeds in %s", folder);
    for (struct dirent *e; (e = readdir(d));) {
        if (e->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        FILE *f = fopen(path, "rb");
        if (!ok(f != NULL, "%s can be read", e->d_name))
            continue;
        uint8_t data[MOST];
        size_t n = fread(data, 1, sizeof data, f);
        fclose(f);
        feed_variants(data, n);
        ok(true, "%s and what can become of it", e->d_name);
    }
    closedir(d);
    ok(inputs > 0, "there are seeds");
    diag("%d inputs", inputs);
    return done();
}
