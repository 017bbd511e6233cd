/* tests/t-big.c - arrays of more than 2^31 elements: their far ends. Needs 12 GiB of memory and is
   asked for: AGNESI_TEST_LARGE=1. */
#include "laws.h"

#undef I /* of <complex.h> */

static const int64_t N = ((int64_t)1 << 31) + 64;

static bool at(const agn_tensor *x, int64_t i)
{
    return *(const bool *)place(x, i);
}

int main(void)
{
    const char *asked = getenv("AGNESI_TEST_LARGE");
    if (!asked || strcmp(asked, "1")) {
        skip("D12 G1 G2 G6: arrays beyond 2^31 elements are asked for by AGNESI_TEST_LARGE=1");
        return done();
    }
    agn_tensor *x = NULL, *y = NULL, *z = NULL, *i = NULL, *one = NULL;
    must(agn_full(&x, AGN_BOOL, 1, &N, 0));
    void *p = NULL;
    must(agn_data_mut(&p, x));
    for (int64_t k = 0; k < 64; k++) /* the last 64 alternate */
        ((bool *)p)[N - 64 + k] = k % 2;
    ok(!at(x, 0) && at(x, N - 1) && !at(x, N - 2), "D12 G2: full, beyond 2^31");
    must(agn_logical_not(&y, x));
    ok(at(y, 0) && !at(y, N - 1) && at(y, N - 2), "G2: an element-wise op");
    must(agn_eq(&z, x, y));
    ok(!at(z, N - 1) && !at(z, (int64_t)1 << 31), "G2: of two arguments");
    agn_release(z);
    one = scalar_of(AGN_BOOL, 1);
    must(agn_logical_and(&z, x, one));
    ok(at(z, N - 1) && !at(z, N - 2), "G6: with a broadcast argument");
    agn_release(z);
    must(agn_any(&z, x, NULL, 0, false));
    ok(at(z, 0), "G1: a reduction that finds what is at the far end alone");
    agn_release(z);
    must(agn_count_nonzero(&z, x, NULL, 0, false));
    ok(peek_int(z, 0) == 32, "G1: and counts it");
    agn_release(z);
    must(agn_flip(&z, x, NULL, 0));
    agn_release(y);
    must(agn_contiguous(&y, z));
    ok(at(y, 0) && !at(y, 1) && at(y, 62) && !at(y, 64), "G2: a copy from the end to the beginning");
    agn_release(z);
    must(agn_from_host(&i, AGN_I64, 1, (int64_t[]){3}, (int64_t[]){N - 1, -2, 5}));
    must(agn_gather(&z, x, i, 0));
    ok(at(z, 0) && !at(z, 1) && !at(z, 2), "G2: picked by index");
    agn_release(z);
    must(agn_slice(&z, x, 1, (int64_t[]){-64}, (int64_t[]){AGN_END}, (int64_t[]){2}));
    agn_tensor *few = NULL;
    must(agn_concat(&few, (const agn_tensor *[]){z, z}, 2, 0));
    ok(agn_numel(few) == 64 && !at(few, 63), "G2: a slice of the far end");
    agn_release(few), agn_release(z), agn_release(y), agn_release(x), agn_release(i),
        agn_release(one);
    return done();
}
