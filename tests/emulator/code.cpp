/* tests/emulator/code.cpp - code that is loaded at run time: libraries of kernels (nvrtc.cpp makes
   them), and their launches by handle. */
#include "runtime.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace emulator {
namespace {

enum { PARAMETERS = 4096, USUAL = 48 << 10, OPTIN = 227 << 10 };
struct kernel {
    void (*call)(void *);
    std::string name;
    size_t asked; /* of shared memory, by cudaFuncSetAttribute; 0: it did not */
};
struct library {
    void *handle;
    int fd; /* open as long as the library is: dlopen takes the same name for the same library */
    std::vector<std::unique_ptr<kernel>> kernels;
};
std::set<const kernel *> known;

/* what the module itself has, for libraries that are loaded later */
void open_own_symbols()
{
    Dl_info at = {};
    if (dladdr((void *)open_own_symbols, &at))
        (void)dlopen(at.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
}

} // namespace

shared_limit shared_limit_of(const char *name)
{
    for (const kernel *k : known)
        if (k->name.c_str() == name && k->asked)
            return {k->asked, OPTIN};
    return {USUAL, USUAL};
}

} // namespace emulator

using namespace emulator;

extern "C" {

cudaError_t cudaLibraryLoadData(cudaLibrary_t *out, const void *code, enum cudaJitOption *, void **,
                                unsigned, enum cudaLibraryOption *, void **, unsigned)
{
    EMULATOR_ENTER;
    uint64_t n;
    if (memcmp(code, "EMULATED", 8))
        return report(cudaErrorInvalidKernelImage);
    memcpy(&n, (const char *)code + 8, sizeof n);
    open_own_symbols();
    int fd = memfd_create("region", MFD_CLOEXEC);
    if (fd < 0 || write(fd, (const char *)code + 16, n) != (ssize_t)n)
        complain("no room for code of %zu bytes", (size_t)n);
    void *h = dlopen(("/proc/self/fd/" + std::to_string(fd)).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!h)
        complain("code that does not load: %s", dlerror());
    *out = (cudaLibrary_t) new library{h, fd, {}};
    return cudaSuccess;
}
cudaError_t cudaLibraryGetKernel(cudaKernel_t *out, cudaLibrary_t q, const char *name)
{
    EMULATOR_ENTER;
    library *l = (library *)q;
    void *f = dlsym(l->handle, ("emulated_call_" + std::string(name)).c_str());
    if (!f)
        return report(cudaErrorSymbolNotFound);
    l->kernels.emplace_back(new kernel{(void (*)(void *))f, name, 0});
    known.insert(l->kernels.back().get());
    *out = (cudaKernel_t)l->kernels.back().get();
    return cudaSuccess;
}
cudaError_t cudaLibraryUnload(cudaLibrary_t q)
{
    EMULATOR_ENTER;
    library *l = (library *)q;
    for (auto &k : l->kernels)
        known.erase(k.get());
    dlclose(l->handle);
    close(l->fd);
    delete l;
    return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void *f, enum cudaFuncAttribute a, int v)
{
    EMULATOR_ENTER;
    kernel *k = (kernel *)f;
    if (!known.count(k) || a != cudaFuncAttributeMaxDynamicSharedMemorySize)
        complain("an attribute of no kernel that was loaded");
    if (v < 0 || v > OPTIN)
        return report(cudaErrorInvalidValue);
    k->asked = (size_t)v;
    return cudaSuccess;
}
/* CUDA C++ Programming Guide, technical specifications of compute capability 9.0: 2048 threads, 228 KB of shared memory,
   of which each block takes 1 KB more; registers and what kernels declare themselves are not known here */
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n, const void *f, int threads, size_t shared)
{
    EMULATOR_ENTER;
    if (!known.count((const kernel *)f))
        complain("the occupancy of no kernel that was loaded");
    *n = std::min(2048 / threads, (int)((228 << 10) / (shared + 1024)));
    return cudaSuccess;
}
/* parameters are read when the call is made */
static cudaError_t launch_kernel(const void *f, dim3 grid, dim3 block, void **args, size_t shared,
                                 cudaStream_t q, bool together)
{
    const kernel *k = (const kernel *)f;
    if (!known.count(k))
        complain("a launch of no kernel that was loaded");
    auto bytes = std::make_shared<std::vector<char>>((char *)args[0], (char *)args[0] + PARAMETERS);
    void (*call)(void *) = k->call;
    launch(k->name.c_str(), grid, block, shared, q, [=] { call(bytes->data()); }, together);
    return cudaGetLastError();
}
cudaError_t cudaLaunchKernel(const void *f, dim3 grid, dim3 block, void **args, size_t shared,
                             cudaStream_t q)
{
    EMULATOR_ENTER;
    return launch_kernel(f, grid, block, args, shared, q, false);
}
cudaError_t cudaLaunchCooperativeKernel(const void *f, dim3 grid, dim3 block, void **args,
                                        size_t shared, cudaStream_t q)
{
    EMULATOR_ENTER;
    int each;
    (void)cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, f, (int)block.x, shared);
    if (!processors())
        return report(cudaErrorNotSupported);
    if ((long)grid.x * grid.y * grid.z > (long)each * processors())
        return report(cudaErrorCooperativeLaunchTooLarge);
    return launch_kernel(f, grid, block, args, shared, q, true);
}
}
