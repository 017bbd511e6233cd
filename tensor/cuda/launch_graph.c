/* tensor/cuda/launch_graph.c - graphs of launches (CUDA C++ Programming Guide, CUDA graphs):
   kernels are captured on a stream of their own, so that what other threads queue meanwhile stays
   outside. */
#include "tensor/cuda/region.h"

#include "tensor/cuda/cuda.h"
#include "tensor/cuda/device.h"

#include <stdlib.h>
#include <string.h>

/* of this thread: there is one graph at a time */
static _Thread_local cudaStream_t capture;

agn_status agni_cu_begin_graph(int32_t device, void **stream)
{
    const char *each = getenv("AGNESI_SYNC");
    if (each && *each && strcmp(each, "0") != 0)
        return agn_backend_fail(AGN_EUNSUPPORTED, "call: AGNESI_SYNC waits for each kernel");
    if (!agni_cu_stream(device))
        return AGN_EDEVICE;
    int was = agni_cu_enter(device);
    cudaError_t e = cudaStreamCreateWithFlags(&capture, cudaStreamNonBlocking);
    if (!e) {
        e = cudaStreamBeginCapture(capture, cudaStreamCaptureModeThreadLocal);
        if (e)
            (void)cudaStreamDestroy(capture);
    }
    agni_cu_leave(was);
    if (e) {
        capture = NULL;
        return agni_cu_check(device, "begin_graph", e);
    }
    agni_cu_forbid(true);
    *stream = capture;
    return AGN_OK;
}

agn_status agni_cu_end_graph(int32_t device, void **graph)
{
    cudaGraph_t g = NULL;
    cudaGraphExec_t x = NULL;
    agni_cu_forbid(false);
    int was = agni_cu_enter(device);
    cudaError_t e = cudaStreamEndCapture(capture, &g);
    if (!e)
        e = cudaGraphInstantiate(&x, g, 0);
    if (g)
        (void)cudaGraphDestroy(g);
    (void)cudaStreamDestroy(capture);
    capture = NULL;
    agni_cu_leave(was);
    *graph = x;
    return agni_cu_check(device, "end_graph", e);
}

agn_status agni_cu_launch_graph(int32_t device, void *graph)
{
    cudaStream_t s = agni_cu_stream(device);
    if (!s)
        return AGN_EDEVICE;
    int was = agni_cu_enter(device);
    cudaError_t e = cudaGraphLaunch(graph, s);
    agni_cu_leave(was);
    return agni_cu_check(device, "launch_graph", e);
}

/* after the last launch of it has ended */
void agni_cu_free_graph(int32_t device, void *graph)
{
    cudaStream_t s = agni_cu_stream(device);
    int was = agni_cu_enter(device);
    if (s)
        (void)cudaStreamSynchronize(s);
    (void)cudaGraphExecDestroy(graph);
    agni_cu_leave(was);
}
