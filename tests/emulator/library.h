/* tests/emulator/library.h - what the emulated libraries share: handles that hold a stream, scalars of four
   types. */
#ifndef AGNESI_EMULATOR_LIBRARY_H
#define AGNESI_EMULATOR_LIBRARY_H

#include "runtime.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>

namespace emulator {

typedef std::complex<float> c64;
typedef std::complex<double> c128;

/* a handle works on the device where it was made */
struct handle {
    cudaStream_t stream;
    int device;
    void *room; /* of cuBLAS, until its stream is set */
};
template <class H> H new_handle()
{
    outlive("a library's handle is made");
    return (H) new handle{nullptr, current_device(), nullptr};
}
template <class H> void set_stream(H h, cudaStream_t s)
{
    handle *q = (handle *)h;
    if (s && device_of(s) != q->device)
        complain("a library's handle of device %d gets a stream of device %d", q->device, device_of(s));
    q->stream = s;
    q->room = nullptr;
}
template <class H> cudaStream_t stream_of(H h)
{
    handle *q = (handle *)h;
    if (q->device != current_device())
        complain("a library's handle of device %d is used while device %d is current", q->device,
                 current_device());
    return q->stream;
}

inline float conjugate(float x) { return x; }
inline double conjugate(double x) { return x; }
inline c64 conjugate(c64 x) { return std::conj(x); }
inline c128 conjugate(c128 x) { return std::conj(x); }
inline float real_part(float x) { return x; }
inline double real_part(double x) { return x; }
inline float real_part(c64 x) { return x.real(); }
inline double real_part(c128 x) { return x.real(); }

/* calls f with a zero of the type */
template <class F> bool by_type(cudaDataType t, F f)
{
    switch (t) {
    case CUDA_R_32F: f(float()); return true;
    case CUDA_R_64F: f(double()); return true;
    case CUDA_C_32F: f(c64()); return true;
    case CUDA_C_64F: f(c128()); return true;
    default: return false;
    }
}

} // namespace emulator

#endif
