/* tests/fuzz/npy.c - any bytes as a .npy file: an array or a clean error */
#include <agnesi/agnesi.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static int file = -1;
    static char path[32];
    if (file < 0) {
        file = memfd_create("npy", 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    if (ftruncate(file, 0) || pwrite(file, data, n, 0) != (ssize_t)n)
        return 0;

    agn_tensor *x = NULL;
    agn_status st = agn_npy_load(&x, path);
    if (!st != (x != NULL))
        abort(); /* a result and only then a tensor */
    if (x) {
        char text[256];
        size_t need = 0;
        if (agn_format(text, sizeof text, &need, x) == AGN_OK && need == 0)
            abort();
    }
    agn_release(x);
    return 0;
}
