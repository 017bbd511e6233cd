/* tensor/cuda/region.c - regions of plans: their text becomes a library of one or two kernels,
   kept until the plan goes. */
#include "tensor/cuda/region.h"

#include "tensor/cuda/compiler.h"
#include "tensor/cuda/cuda.h"
#include "tensor/cuda/device.h"
#include "tensor/cuda/region_functions.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMETERS = 4096 };

typedef struct region {
    cudaLibrary_t library;
    cudaKernel_t run, sum;
    int32_t device, n_array, n_number;
    unsigned blocks, threads, sum_blocks;
    size_t shared;
    bool together;
} region;

enum { SPARE = 1024 }; /* bytes of shared memory that a kernel declares itself */

/* Tiles lie in shared memory where a block has that much beside what it keeps. */
static agn_status choose_shared(region *q, agn_region_text *r)
{
    int most = 0;
    cudaError_t e = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                                           q->device);
    if (e)
        return agni_cu_check(q->device, "compile", e);
    if (r->kept_bytes > most - SPARE)
        return agn_backend_fail(AGN_EUNSUPPORTED, "compile: a block has less shared memory");
    r->tiles = r->kept_bytes + r->tile_bytes > most - SPARE;
    q->shared = (size_t)(r->kept_bytes + (r->tiles ? 0 : r->tile_bytes));
    return AGN_OK;
}
static cudaError_t ask_for_shared(const region *q)
{
    const cudaKernel_t kernel[] = {q->run, q->sum};
    cudaError_t e = cudaSuccess;
    for (int k = 0; !e && k < (q->sum_blocks ? 2 : 1) && q->shared > (48 << 10) - SPARE; k++)
        e = cudaFuncSetAttribute((const void *)kernel[k],
                                 cudaFuncAttributeMaxDynamicSharedMemorySize, (int)q->shared);
    return e;
}

/* How many blocks run at once, of a kernel whose blocks wait for each other (CUDA C++ Programming
   Guide, cooperative groups, grid synchronization). */
static agn_status choose_resident(region *q, agn_region_text *r)
{
    int able = 0, processors = 0, each = 0;
    cudaError_t e = cudaDeviceGetAttribute(&able, cudaDevAttrCooperativeLaunch, q->device);
    if (!e)
        e = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, q->device);
    if (!e && able)
        e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, (const void *)q->run,
                                                          (int)q->threads, q->shared);
    if (e)
        return agni_cu_check(q->device, "compile", e);
    if (!able || each < 1)
        return agn_backend_fail(AGN_EUNSUPPORTED,
                                "compile: blocks of a region cannot wait for each other");
    int64_t all = (int64_t)each * processors;
    q->blocks = q->blocks < all ? q->blocks : (unsigned)all;
    r->resident = (int32_t)q->blocks;
    return AGN_OK;
}

/* Code that this driver does not take is no fault of the device. */
static agn_status load_code(region *q, const agni_cu_code *code)
{
    cudaError_t e = cudaLibraryLoadData(&q->library, code->data, NULL, NULL, 0, NULL, NULL, 0);
    if (e == cudaErrorInvalidKernelImage || e == cudaErrorNoKernelImageForDevice) {
        q->library = NULL;
        (void)cudaGetLastError();
        agni_cu_settle_code(code, false);
        return agn_backend_fail(AGN_EUNSUPPORTED,
                                "compile: the driver does not take a region's code");
    }
    if (!e)
        e = cudaLibraryGetKernel(&q->run, q->library, "region");
    if (!e && q->sum_blocks)
        e = cudaLibraryGetKernel(&q->sum, q->library, "region_sum");
    return agni_cu_check(q->device, "compile", e);
}

/* Code that was kept and that this driver does not take is made anew. */
static agn_status compile_and_load(region *q, const char *text, int capability)
{
    agni_cu_code code = {.kept = true};
    agn_status st = AGN_EUNSUPPORTED;
    for (int fresh = 0; fresh < 2 && st == AGN_EUNSUPPORTED && code.kept; fresh++) {
        st = agni_cu_compile_text(&code, agni_cu_region_functions, text, capability, fresh);
        if (!st)
            st = load_code(q, &code);
        if (!st)
            agni_cu_settle_code(&code, true);
        free(code.data);
    }
    return st;
}

agn_status agni_cu_compile_region(int32_t device, agn_region_text *r, void **out)
{
    int major = 0, minor = 0;
    if (!agni_cu_stream(device))
        return AGN_EDEVICE;
    region *q = calloc(1, sizeof *q);
    if (!q)
        return agn_backend_fail(AGN_ENOMEM, "compile: no memory for a region");
    q->device = device;
    q->n_array = r->n_array;
    q->n_number = r->n_number;
    q->blocks = (unsigned)r->blocks;
    q->threads = (unsigned)r->threads;
    q->sum_blocks = (unsigned)r->sum_blocks;
    q->together = r->size > offsetof(agn_region_text, resident) && r->together;
    int was = agni_cu_enter(device);
    cudaError_t e = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    e = e ? e : cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
    agn_status st = agni_cu_check(device, "compile", e);
    if (!st)
        st = choose_shared(q, r);
    if (!st)
        st = compile_and_load(q, r->text, 10 * major + minor);
    if (!st)
        st = agni_cu_check(device, "compile", ask_for_shared(q));
    if (!st && q->together)
        st = choose_resident(q, r);
    agni_cu_leave(was);
    if (st) {
        agni_cu_free_region(q);
        return st;
    }
    *out = q;
    return AGN_OK;
}

/* as the text declares region_arguments: array[], tiles, sums, number[] */
static void fill_parameters(char *to, const agn_region_call *c)
{
    size_t n = (size_t)c->n_array * sizeof *c->array;
    memcpy(to, c->array, n);
    memcpy(to + n, &c->tiles, sizeof c->tiles);
    memcpy(to + n + sizeof c->tiles, &c->sums, sizeof c->sums);
    if (c->n_number)
        memcpy(to + n + 2 * sizeof c->tiles, c->number, (size_t)c->n_number * sizeof *c->number);
}

agn_status agni_cu_run_region(void *compiled, const agn_region_call *c)
{
    const region *q = compiled;
    _Alignas(16) char parameters[PARAMETERS] = {0};
    void *args[] = {parameters};
    if ((size_t)(c->n_array + c->n_number + 2) * sizeof(void *) > sizeof parameters)
        return agn_backend_fail(AGN_EUNSUPPORTED, "call: a region has too many parameters");
    fill_parameters(parameters, c);
    cudaStream_t s = c->stream;
    int was = agni_cu_enter(c->device);
    cudaError_t e = (q->together ? cudaLaunchCooperativeKernel : cudaLaunchKernel)(
        (const void *)q->run, (dim3){q->blocks, 1, 1}, (dim3){q->threads, 1, 1}, args, q->shared, s);
    if (!e && q->sum_blocks)
        e = cudaLaunchKernel((const void *)q->sum, (dim3){q->sum_blocks, 1, 1},
                             (dim3){q->threads, 1, 1}, args, q->shared, s);
    agn_kernel_call k = {
        .size = sizeof k, .op = "region", .device = c->device, .stream = c->stream};
    agn_status st = agni_cu_check(c->device, k.op, e);
    if (!st)
        st = agni_cu_check_launch(&k);
    agni_cu_leave(was);
    return st;
}

/* Launches that are queued end first: a plan may go while its last call runs. */
void agni_cu_free_region(void *compiled)
{
    region *q = compiled;
    if (q->library) {
        int was = agni_cu_enter(q->device);
        cudaStream_t s = agni_cu_stream(q->device);
        if (s) /* the device is not lost */
            (void)cudaStreamSynchronize(s);
        (void)cudaLibraryUnload(q->library);
        agni_cu_leave(was);
    }
    free(q);
}
