/* tests/fuzz/mtx.c - any bytes as a Matrix Market file */
#include "exchange/text/mtx.h"
#include "tests/fuzz/reader.h"

static agn_status read_entries(const agni_input *in)
{
    agni_mtx m;
    agn_status st = agni_mtx_read(&m, in);
    if (st)
        return st;
    if (m.rows)
        fuzz_touch(m.rows), fuzz_touch(m.cols);
    fuzz_touch(m.values);
    agni_mtx_free(&m);
    return st;
}

static agn_status read_matrix(const agni_input *in)
{
    agn_tensor *x = NULL, *v = NULL;
    agn_status st = agni_mtx_matrix(&x, in);
    if (!st != (x != NULL))
        abort();
    if (x && x->layout == AGN_DENSE)
        fuzz_touch(x);
    if (x && x->layout != AGN_DENSE && agn_sparse_values(&v, x))
        abort();
    if (v)
        fuzz_touch(v);
    agn_release(v);
    agn_release(x);
    return st;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    fuzz_one(data, n, read_entries, 4096, 64);
    /* up to 2^20 rows and columns are believed of any file */
    fuzz_one(data, n, read_matrix, (int64_t)64 << 20, 256);
    return 0;
}
