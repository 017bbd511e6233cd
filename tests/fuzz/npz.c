/* tests/fuzz/npz.c - any bytes as a .npz file */
#include "exchange/file/readers.h"
#include "tests/fuzz/reader.h"

static agn_status read_npz(const agni_input *in)
{
    agn_dict *d = NULL;
    agn_status st = agni_npz_read(&d, in);
    if (!st != (d != NULL))
        abort();
    if (d)
        fuzz_touch_all(d);
    agn_dict_release(d);
    return st;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    /* a Fortran-order array is there twice for a moment; deflate gives 1032 for 1 */
    fuzz_one(data, n, read_npz, 300000, 2 * 1032 + 64);
    return 0;
}
