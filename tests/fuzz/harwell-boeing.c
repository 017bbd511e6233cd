/* tests/fuzz/harwell-boeing.c - any bytes as a Harwell-Boeing or Rutherford-Boeing file */
#include "exchange/text/mtx.h"
#include "tests/fuzz/reader.h"

static agn_status read_both(const agni_input *in)
{
    agn_tensor *x = NULL, *b = NULL, *v = NULL;
    agn_status st = agni_harwell_boeing_read(&x, &b, in);
    if (!st != (x != NULL) || !st != (b != NULL))
        abort();
    if (x && agn_sparse_values(&v, x))
        abort();
    if (v) {
        fuzz_touch(v);
        fuzz_touch(b);
    }
    agn_release(v);
    agn_release(b);
    agn_release(x);
    return st;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    /* up to 2^20 rows and columns are believed of any file */
    fuzz_one(data, n, read_both, (int64_t)64 << 20, 256);
    return 0;
}
