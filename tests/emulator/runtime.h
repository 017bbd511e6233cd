/* tests/emulator/runtime.h - what the parts of the emulator call of each other. All of it runs under one lock:
   one piece of device work at a time. */
#ifndef AGNESI_EMULATOR_RUNTIME_H
#define AGNESI_EMULATOR_RUNTIME_H

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>

namespace emulator {

extern std::recursive_mutex lock;
#define EMULATOR_ENTER std::lock_guard<std::recursive_mutex> held(emulator::lock)

enum class order { forward, reverse, mixed };
struct options {
    order threads = order::forward; /* EMULATOR_ORDER: of blocks and of threads */
    bool lag = false;               /* EMULATOR_LAG=1: work runs when somebody waits for it */
    bool races = false;             /* EMULATOR_RACES=1: who reads and writes between barriers */
    bool protect = true;            /* EMULATOR_PROTECT=0: the host may touch device memory */
    int devices = 2;                /* EMULATOR_DEVICES */
    int old = -1;                   /* EMULATOR_OLD: the device of an architecture that is not built for */
};
const options &settings();

/* an error that no program may survive: said on stderr, then abort */
[[noreturn]] void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* an error that CUDA reports: kept for cudaGetLastError */
cudaError_t report(cudaError_t e);
int current_device();

/* ---- memory.cpp ---- */
bool on_device(const void *p, int *device = nullptr);
/* for as long as it lives, memory of the device (-1: of all) may be touched */
class access {
public:
    explicit access(int device, const char *what);
    ~access();

private:
    int outer;
};
cudaError_t allocate(void **p, size_t bytes, int device);
void release(void *p);
void memory_left(size_t *rest, size_t *all);
/* [from, to) of a device's memory, or nothing */
void device_range(const char **from, const char **to);

/* ---- stream.cpp ---- */
/* something is made or memory taken, which a thread must not do while it captures a graph (CUDA C++ Programming
   Guide, prohibited and unhandled operations), unless it says cudaStreamCaptureModeRelaxed */
void outlive(const char *what);
bool is_captured(cudaStream_t s);
int device_of(cudaStream_t s);
enum class work { device, host };
void enqueue(cudaStream_t s, const char *what, std::function<void()> run, work where = work::device);

/* what emulator.h declares for kernels */
void launch(const char *name, dim3 grid, dim3 block, size_t shared, cudaStream_t stream,
            std::function<void()> body, bool together = false);
/* multiprocessors of each device */
int processors();

/* ---- code.cpp ---- */
/* bytes of shared memory that a launch of this kernel may ask for, and that a block has with those
   that the kernel declares (CUDA C++ Programming Guide, compute capability 9.x: 48 KB, 227 KB once
   it asked) */
struct shared_limit {
    size_t dynamic, all;
};
shared_limit shared_limit_of(const char *name);

/* ---- grid.cpp ---- */
/* most: bytes of shared memory of a block; together: a cooperative launch */
void run_grid(const char *name, dim3 grid, dim3 block, size_t shared, size_t most, bool together,
              const std::function<void()> &body);

/* ---- races.cpp ---- */
void races_begin(const char *kernel, bool together);
void races_end();
void races_thread(uint64_t block, unsigned thread, unsigned syncs, unsigned warp_syncs);
/* bytes that no access may reach, or that may be reached again */
void races_poison(const void *p, size_t bytes, bool poisoned);
void races_shared(const char *from, const char *to);

} // namespace emulator

/* For tests, which find it by dlsym in the module: counts of what ran, and allocations that fail. */
extern "C" {
__attribute__((visibility("default"))) long agn_emulator_count(const char *what);
__attribute__((visibility("default"))) void agn_emulator_reset(void);
/* after others, many allocations fail; gives how many of the last such call have not failed yet */
__attribute__((visibility("default"))) long agn_emulator_fail(long after, long many);
__attribute__((visibility("default"))) long agn_emulator_live(void);
/* multiprocessors from now on; 0: blocks of a launch cannot wait for each other */
__attribute__((visibility("default"))) void agn_emulator_processors(long n);
/* after others, a malloc or calloc of the module's own C files fails; gives how many the last such
   call still let pass, -1: it has failed, or there was none */
__attribute__((visibility("default"))) long agn_emulator_fail_host(long after);
}

#endif
