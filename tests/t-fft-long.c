/* tests/t-fft-long.c - a line of 2^31 points: its transform is that of an impulse, at any bin, and
   back it is one. It is asked for by AGNESI_TEST_LARGE=1 and AGNESI_TEST_LARGE_GIB, the memory that
   there is: 21 GiB for the transform, 36 for the way back, which works on a copy. */
#include "laws.h"

#include <agnesi/fft.h>

static const int64_t N = (int64_t)1 << 31, AT = 1234567891;

int main(void)
{
    const char *asked = getenv("AGNESI_TEST_LARGE"), *room = getenv("AGNESI_TEST_LARGE_GIB");
    const int gib = asked && !strcmp(asked, "1") && room ? atoi(room) : 0;
    if (gib < 21) {
        skip("a line of 2^31 points: AGNESI_TEST_LARGE=1 and AGNESI_TEST_LARGE_GIB=21 ask for it");
        return done();
    }
    agn_tensor *x = NULL, *y = NULL;
    void *p = NULL;
    must(agn_zeros(&x, AGN_F32, 1, &N));
    must(agn_data_mut(&p, x));
    ((float *)p)[AT] = 1;
    must(agn_fft_rfft(&y, x, 0, -1, AGN_FFT_BACKWARD));
    agn_release(x);
    x = NULL;
    tally q = {0, 0};
    const float *z = agn_data(y);
    check(&q, agn_numel(y) == N / 2 + 1, "%lld bins", (long long)agn_numel(y));
    for (int64_t k = 0; k <= N / 2; k += k < N / 2 - 1000 ? 104729 : 1) {
        /* k AT modulo N, in integers */
        const uint64_t step = (uint64_t)k * (uint64_t)AT % (uint64_t)N;
        double turn = -2 * 3.14159265358979323846 * (double)step / (double)N;
        double e = fmax(fabs((double)z[2 * k] - cos(turn)),
                        fabs((double)z[2 * k + 1] - sin(turn)));
        check(&q, e < 4e-6, "bin %lld: off by %g", (long long)k, e);
    }
    tell(&q, "an impulse in 2^31 points: its bins");
    if (gib < 36) {
        skip("2^31 points and back: AGNESI_TEST_LARGE_GIB=36 asks for it");
        agn_release(y);
        return done();
    }
    must(agn_fft_irfft(&x, y, N, -1, AGN_FFT_BACKWARD));
    agn_release(y);
    const float *v = agn_data(x);
    float most = 0;
    for (int64_t i = 0; i < N; i++)
        most = i != AT && fabsf(v[i]) > most ? fabsf(v[i]) : most;
    ok(agn_numel(x) == N && fabsf(v[AT] - 1) < 4e-6F && most < 4e-6F, "and back: %g, beside it %g",
       (double)v[AT], (double)most);
    agn_release(x);
    return done();
}
