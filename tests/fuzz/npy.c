/* tests/fuzz/npy.c - any bytes as a .npy file: an array or a clean error, nothing leaks */
#include "exchange/formats/npy.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

typedef struct memory {
    const uint8_t *p;
    size_t left;
} memory;

static int64_t read_memory(void *user, void *buf, size_t n)
{
    memory *m = user;
    n = n < m->left ? n : m->left;
    memcpy(buf, m->p, n);
    m->p += n;
    m->left -= n;
    return (int64_t)n;
}

/* the same elements again after a write and a read: what was read is a proper tensor */
static void check(const agn_tensor *x)
{
    char head[AGNI_NPY_HEADER];
    agni_npy_header h;
    int64_t size = 1;
    for (int i = 0; i < x->ndim; i++)
        size *= x->shape[i];
    if (size != x->size || !agni_is_contiguous(x))
        abort();
    size_t n = agni_npy_begin(head, x->dtype, x->ndim, x->shape);
    if (n > sizeof head || n % 64 ||
        agni_npy_parse(&h, "load", "again", head + 10, n - 10) || h.dtype != x->dtype ||
        h.ndim != x->ndim || h.swap || h.fortran ||
        memcmp(h.shape, x->shape, (size_t)h.ndim * sizeof *h.shape) != 0)
        abort();
    if (x->size > 4096) /* a text may be as long as the array */
        return;
    size_t need = 0, again = 0;
    if (agn_format(NULL, 0, &need, x))
        abort();
    char *text = malloc(need);
    if (!text || agn_format(text, need, &again, x) || strlen(text) + 1 != need ||
        again != need)
        abort();
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    memory m = {data, n};
    agn_tensor *x = NULL;
    int64_t before, after;
    agn_memory_live(&before, NULL, NULL);
    agn_status st = agni_npy_read(
        &x, &(agni_source){"load", "input", (int64_t)n, read_memory, &m});
    if (!st != (x != NULL) || (st && st != AGN_EFORMAT))
        abort(); /* a result and only then a tensor */
    if (x)
        check(x);
    agn_release(x);
    agn_memory_live(&after, NULL, NULL);
    if (after != before)
        abort();
    return 0;
}
