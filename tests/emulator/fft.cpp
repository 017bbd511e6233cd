/* tests/emulator/fft.cpp - the calls of cuFFT that the module makes, by the defining sums, in double. A transform
   to real numbers destroys its input, as cuFFT's may. */
#include "library.h"

#include <cufft.h>
#include <map>
#include <vector>

using namespace emulator;

namespace {

struct plan {
    handle on;
    int rank;
    int64_t n[3], lines; /* lines: arrays of up to three axes */
    cufftType type;
    bool own_room;
    char *room;
    int64_t size(int64_t last) const
    {
        int64_t all = last;
        for (int d = 0; d < rank - 1; d++)
            all *= n[d];
        return all;
    }
};
/* bytes that a transform works in, and overwrites; short powers of two need none */
size_t room_of(const plan &p)
{
    int64_t n = p.n[p.rank - 1];
    return p.rank == 1 && n <= 4096 && !(n & (n - 1)) ? 0 : 48 * (size_t)p.size(n);
}
std::map<int, plan> plans;
int made;

/* exp(sign 2 pi i k / n) for all k */
std::vector<c128> roots(int64_t n, int sign)
{
    std::vector<c128> w((size_t)n);
    for (int64_t k = 0; k < n; k++)
        w[(size_t)k] = std::polar(1.0, sign * 2 * M_PI * (double)k / (double)n);
    return w;
}
/* along one axis of length n, whose elements are `step` apart */
void transform(std::vector<c128> &x, int64_t n, int64_t step, int sign)
{
    const std::vector<c128> w = roots(n, sign);
    std::vector<c128> y((size_t)n);
    for (int64_t first = 0; first < (int64_t)x.size(); first++) {
        if (first / step % n)
            continue;
        for (int64_t k = 0; k < n; k++) {
            y[(size_t)k] = 0;
            for (int64_t i = 0, at = 0; i < n; i++, at = (at + k) % n)
                y[(size_t)k] += x[(size_t)(first + i * step)] * w[(size_t)at];
        }
        for (int64_t k = 0; k < n; k++)
            x[(size_t)(first + k * step)] = y[(size_t)k];
    }
}
/* along all axes but the last, whose length is `last` here */
void transform_first(const plan &p, std::vector<c128> &x, int64_t last, int sign)
{
    for (int d = p.rank - 2; d >= 0; last *= p.n[d--])
        transform(x, p.n[d], last, sign);
}

template <class R> void from_real(const plan &p, const R *in, std::complex<R> *out)
{
    const int64_t n = p.n[p.rank - 1], bins = n / 2 + 1, all = p.size(n);
    std::vector<c128> x((size_t)all);
    for (int64_t l = 0; l < p.lines; l++) {
        for (int64_t i = 0; i < all; i++)
            x[(size_t)i] = (double)in[l * all + i];
        transform(x, n, 1, -1);
        transform_first(p, x, n, -1);
        for (int64_t i = 0; i < all; i++)
            if (i % n < bins)
                out[l * p.size(bins) + i / n * bins + i % n] =
                    std::complex<R>((R)x[(size_t)i].real(), (R)x[(size_t)i].imag());
    }
}
template <class R> void to_real(const plan &p, std::complex<R> *in, R *out)
{
    const int64_t n = p.n[p.rank - 1], bins = n / 2 + 1, all = p.size(n), half = p.size(bins);
    std::vector<c128> h((size_t)half), x((size_t)all);
    for (int64_t l = 0; l < p.lines; l++) {
        for (int64_t i = 0; i < half; i++)
            h[(size_t)i] = c128(in[l * half + i]);
        transform_first(p, h, bins, 1);
        for (int64_t k = 0; k < all; k++) {
            int64_t i = k % n;
            c128 v = h[(size_t)(k / n * bins + (i < bins ? i : n - i))];
            x[(size_t)k] = i == 0 || 2 * i == n ? c128(v.real()) : i < bins ? v : std::conj(v);
        }
        transform(x, n, 1, 1);
        for (int64_t i = 0; i < all; i++)
            out[l * all + i] = (R)x[(size_t)i].real();
    }
    memset((void *)in, 0x5a, (size_t)(p.lines * half) * sizeof *in);
}
template <class R> void complex_lines(const plan &p, const std::complex<R> *in, std::complex<R> *out, int sign)
{
    const int64_t n = p.n[p.rank - 1], all = p.size(n);
    std::vector<c128> x((size_t)all);
    for (int64_t l = 0; l < p.lines; l++) {
        for (int64_t i = 0; i < all; i++)
            x[(size_t)i] = c128(in[l * all + i]);
        transform(x, n, 1, sign);
        transform_first(p, x, n, sign);
        for (int64_t k = 0; k < all; k++)
            out[l * all + k] = std::complex<R>((R)x[(size_t)k].real(), (R)x[(size_t)k].imag());
    }
}

template <class F> cufftResult execute(cufftHandle h, cufftType type, F f)
{
    EMULATOR_ENTER;
    auto it = plans.find(h);
    if (it == plans.end() || it->second.type != type)
        return CUFFT_INVALID_PLAN;
    plan p = it->second;
    const bool room = !p.own_room && room_of(p);
    if (room && !on_device(p.room))
        complain("a transform without a work area");
    cudaStream_t s = stream_of(&it->second.on);
    const bool kept = is_captured(s); /* what was queued ends before a plan is destroyed */
    enqueue(s, "cufft", [=] {
        if (kept && !plans.count(h))
            complain("a graph runs a transform whose plan was destroyed");
        if (room)
            memset(p.room, 0x5a, room_of(p));
        f(p);
    });
    return CUFFT_SUCCESS;
}

} // namespace

extern "C" {

cufftResult cufftCreate(cufftHandle *h)
{
    EMULATOR_ENTER;
    plans[++made] = plan{{nullptr, current_device()}, 0, {0}, 0, CUFFT_C2C, true, nullptr};
    *h = made;
    return CUFFT_SUCCESS;
}
cufftResult cufftDestroy(cufftHandle h)
{
    EMULATOR_ENTER;
    return plans.erase(h) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
cufftResult cufftSetStream(cufftHandle h, cudaStream_t s)
{
    EMULATOR_ENTER;
    set_stream(&plans[h].on, s);
    return CUFFT_SUCCESS;
}
cufftResult cufftSetAutoAllocation(cufftHandle h, int own)
{
    EMULATOR_ENTER;
    plans[h].own_room = own != 0;
    return CUFFT_SUCCESS;
}
cufftResult cufftSetWorkArea(cufftHandle h, void *room)
{
    EMULATOR_ENTER;
    plans[h].room = (char *)room;
    return CUFFT_SUCCESS;
}
cufftResult cufftMakePlanMany64(cufftHandle h, int rank, long long *n, long long *in_embed, long long in_step,
                                long long, long long *out_embed, long long out_step, long long,
                                cufftType type, long long lines, size_t *bytes)
{
    EMULATOR_ENTER;
    outlive("cufftMakePlanMany64");
    if (rank < 1 || rank > 3 || in_embed || out_embed || in_step != 1 || out_step != 1)
        complain("cufftMakePlanMany64: a layout that the emulator has not");
    plan &p = plans[h];
    p.rank = rank;
    for (int d = 0; d < rank; d++)
        if ((p.n[d] = n[d]) < 1 || lines < 1)
            return CUFFT_INVALID_SIZE;
    p.lines = lines;
    p.type = type;
    *bytes = p.own_room ? 0 : room_of(p);
    return CUFFT_SUCCESS;
}

cufftResult cufftExecR2C(cufftHandle h, cufftReal *in, cufftComplex *out)
{
    return execute(h, CUFFT_R2C, [=](const plan &p) { from_real(p, in, (c64 *)out); });
}
cufftResult cufftExecD2Z(cufftHandle h, cufftDoubleReal *in, cufftDoubleComplex *out)
{
    return execute(h, CUFFT_D2Z, [=](const plan &p) { from_real(p, in, (c128 *)out); });
}
cufftResult cufftExecC2R(cufftHandle h, cufftComplex *in, cufftReal *out)
{
    return execute(h, CUFFT_C2R, [=](const plan &p) { to_real(p, (c64 *)in, out); });
}
cufftResult cufftExecZ2D(cufftHandle h, cufftDoubleComplex *in, cufftDoubleReal *out)
{
    return execute(h, CUFFT_Z2D, [=](const plan &p) { to_real(p, (c128 *)in, out); });
}
cufftResult cufftExecC2C(cufftHandle h, cufftComplex *in, cufftComplex *out, int sign)
{
    return execute(h, CUFFT_C2C, [=](const plan &p) { complex_lines(p, (c64 *)in, (c64 *)out, sign); });
}
cufftResult cufftExecZ2Z(cufftHandle h, cufftDoubleComplex *in, cufftDoubleComplex *out, int sign)
{
    return execute(h, CUFFT_Z2Z, [=](const plan &p) { complex_lines(p, (c128 *)in, (c128 *)out, sign); });
}
}
