/* tests/fuzz/safetensors.c - any bytes as a safetensors file */
#include "exchange/file/readers.h"
#include "tests/fuzz/reader.h"

static agn_status read_safetensors(const agni_input *in)
{
    agn_dict *d = NULL;
    agn_status st = agni_safetensors_read(&d, in);
    if (!st != (d != NULL))
        abort();
    if (d)
        fuzz_touch_all(d);
    agn_dict_release(d);
    return st;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    fuzz_one(data, n, read_safetensors, 16384, 64);
    return 0;
}
