/* registry/cuda_backend.c - entry of the CUDA module: probes the devices of this machine, joins the
   kernel tables of all modules. */

#include "geometric/kernels/cuda/kernels.h"
#include "krylov/cuda/kernels.h"
#include "linalg/cuda/kernels.h"
#include "tensor/cuda/cuda.h"
#include "tensor/cuda/device.h"
#include "tensor/cuda/region.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { MAX_KERNELS = 2048 };
static agn_kernel_entry kernels[MAX_KERNELS];

/* Turing is the floor of CUDA 13. NULL, or why code of this build does not run on a device. */
static const char *find_flaw(int32_t device, char *why, size_t n)
{
    int major = 0, minor = 0;
    cudaError_t e = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    if (!e)
        e = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
    if (!e && 10 * major + minor >= 75)
        return NULL;
    if (e)
        snprintf(why, n, "device %d does not answer: %s", (int)device, cudaGetErrorString(e));
    else
        snprintf(why, n, "device %d has compute capability %d.%d, 7.5 is needed", (int)device,
                 major, minor);
    (void)cudaGetLastError();
    return why;
}

/* Devices up to the last that is of use. They keep CUDA's numbers: one before it that is of none is
   there, and says so when it is used. */
static int32_t count_usable(int count, char *why, size_t n)
{
    int32_t usable = 0;
    char flaw[256];
    for (int32_t i = 0; i < count; i++) {
        if (!find_flaw(i, flaw, sizeof flaw)) {
            usable = i + 1;
            continue;
        }
        agni_cu_refuse(i, flaw);
        if (!usable)
            snprintf(why, n, "%s", flaw);
    }
    return usable;
}

static int32_t probe_devices(char *why, size_t n)
{
    int count = 0, runtime = 0, driver = 0;
    (void)cudaRuntimeGetVersion(&runtime);
    (void)cudaDriverGetVersion(&driver); /* 0 where there is none */
    cudaError_t e = cudaGetDeviceCount(&count);
    if (e || count < 1) {
        snprintf(why, n, "CUDA %d.%d finds no device: %s; the driver is for CUDA %d.%d",
                 runtime / 1000, runtime % 1000 / 10,
                 e ? cudaGetErrorString(e) : "the count is 0", driver / 1000, driver % 1000 / 10);
        (void)cudaGetLastError();
        return 0;
    }
    return count_usable(count, why, n);
}

static agn_backend backend = {
    .size = sizeof(agn_backend),
    .abi = AGN_BACKEND_ABI,
    .name = "cuda",
    .probe = probe_devices,
    .alloc = agni_cu_alloc,
    .free = agni_cu_free,
    .to_device = agni_cu_to_device,
    .to_host = agni_cu_to_host,
    .copy = agni_cu_copy,
    .stream = agni_cu_stream,
    .record = agni_cu_record,
    .wait = agni_cu_wait,
    .synchronize = agni_cu_synchronize,
    .kernels = kernels,
    .compile_region = agni_cu_compile_region,
    .run_region = agni_cu_run_region,
    .free_region = agni_cu_free_region,
    .begin_graph = agni_cu_begin_graph,
    .end_graph = agni_cu_end_graph,
    .launch_graph = agni_cu_launch_graph,
    .free_graph = agni_cu_free_graph,
    .properties = agni_cu_properties,
    .alloc_kind = agni_cu_alloc_kind,
    .free_kind = agni_cu_free_kind,
    .fill = agni_cu_fill,
    .copy_async = agni_cu_copy_async,
    .copy_peer = agni_cu_copy_peer,
    .use_stream = agni_cu_use_stream,
    .join_stream = agni_cu_join_stream,
    .wait_fault = agni_cu_wait_fault,
    .call_host = agni_cu_call_host,
    .start_timer = agni_cu_start_timer,
    .stop_timer = agni_cu_stop_timer,
    .workspace = agni_cu_workspace,
};

static void join_tables(void)
{
    static const agni_cu_table *const tables[] = {
        &agni_cu_bool, &agni_cu_i32,     &agni_cu_i64,        &agni_cu_f32,
        &agni_cu_f64,  &agni_cu_c64,     &agni_cu_c128,       &agni_cu_moves,
        &agni_cu_reductions, &agni_cu_indices, &agni_cu_random, &agni_cu_products,
        &agni_cu_factors, &agni_cu_transforms, &agni_cu_sparse,
        &agni_cu_chains, &agni_cu_folds, &agni_cu_softmax, &agni_cu_scans, &agni_cu_order,
        &agni_cu_special, &agni_cu_lu,   &agni_cu_spectral,   &agni_cu_samplers,
        &agni_cu_convolutions, &agni_cu_filters,    &agni_cu_messages,   &agni_cu_edge_softmax, &agni_cu_attention,
        &agni_cu_integrals,   &agni_cu_gaps,       &agni_cu_loops,
        &agni_cu_vectors,
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (int k = 0; k < tables[i]->n && backend.n_kernels < MAX_KERNELS; k++)
            kernels[backend.n_kernels++] = tables[i]->k[k];
}

AGN_API const agn_backend *agn_backend_entry(void);
const agn_backend *agn_backend_entry(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, join_tables);
    return &backend;
}
