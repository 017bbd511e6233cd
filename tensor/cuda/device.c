/* tensor/cuda/device.c - CUDA devices: a stream, a memory pool, a ring of events and of fault words
   each; made when a device is first used, kept to the end of the process. */
#include "tensor/cuda/cuda.h"
#include "tensor/cuda/device.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEVICES = 256, RING = 64, TEXT = 256, SMALL = 1 << 16 };
#define NO_FAULT (~0ull)

typedef struct device {
    atomic_bool ready;
    cudaStream_t stream, own;
    cudaEvent_t ring[RING]; /* event of mark m is ring[m % RING], or a later one */
    atomic_ullong mark;
    /* On the host, seen by the device. The first is that of graphs and of faults that nobody asked
       for while their words were in use; work before mark m reports in fault[1 + m % RING]. */
    unsigned long long *fault;
    atomic_bool lost;
    char why[TEXT]; /* of the loss; complete before lost is set */
} device;

static device devices[MAX_DEVICES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static pthread_mutex_t turns[MAX_DEVICES][AGNI_CU_LIBRARIES];
static pthread_once_t turns_made = PTHREAD_ONCE_INIT;
static void make_turns(void)
{
    for (int i = 0; i < MAX_DEVICES; i++)
        for (int k = 0; k < AGNI_CU_LIBRARIES; k++)
            pthread_mutex_init(&turns[i][k], NULL);
}
void agni_cu_take_turn(int32_t ordinal, int library)
{
    pthread_once(&turns_made, make_turns);
    pthread_mutex_lock(&turns[ordinal][library]);
}
void agni_cu_end_turn(int32_t ordinal, int library)
{
    pthread_mutex_unlock(&turns[ordinal][library]);
}

/* of this thread: its kernels become a graph, and nothing else may happen (launch_graph.c) */
static _Thread_local bool forbidden;
void agni_cu_forbid(bool all)
{
    forbidden = all;
}
bool agni_cu_is_forbidden(void)
{
    return forbidden;
}
int agni_cu_begin_lasting(void)
{
    enum cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    (void)cudaThreadExchangeStreamCaptureMode(&mode);
    return (int)mode;
}
void agni_cu_end_lasting(int was)
{
    enum cudaStreamCaptureMode mode = (enum cudaStreamCaptureMode)was;
    (void)cudaThreadExchangeStreamCaptureMode(&mode);
}
static agn_status fail_forbidden(const char *op)
{
    char text[TEXT];
    snprintf(text, sizeof text, "%s: not within a graph of launches", op);
    return agn_backend_fail(AGN_EUNSUPPORTED, text);
}

/* ---- errors ----------------------------------------------------------------------------- */

/* Errors after which nothing in this process can use the device again (CUDA runtime API,
   cudaError: "the process must be terminated and relaunched"). */
static bool is_sticky(cudaError_t e)
{
    static const cudaError_t sticky[] = {
        cudaErrorIllegalAddress,      cudaErrorLaunchFailure,       cudaErrorHardwareStackError,
        cudaErrorIllegalInstruction,  cudaErrorMisalignedAddress,   cudaErrorInvalidAddressSpace,
        cudaErrorInvalidPc,           cudaErrorAssert,              cudaErrorECCUncorrectable,
        cudaErrorLaunchTimeout,       cudaErrorNvlinkUncorrectable, cudaErrorContextIsDestroyed,
        cudaErrorDeviceUninitialized, cudaErrorDevicesUnavailable,  cudaErrorTensorMemoryLeak,
        cudaErrorExternalDevice,
    };
    for (size_t i = 0; i < sizeof sticky / sizeof *sticky; i++)
        if (sticky[i] == e)
            return true;
    return false;
}

static agn_status fail_lost(const device *d, const char *op)
{
    char text[2 * TEXT];
    snprintf(text, sizeof text, "%s: the CUDA device is %s%s", op,
             atomic_load(&d->ready) ? "lost since " : "of no use: ", d->why);
    return agn_backend_fail(AGN_EDEVICE, text);
}

static void lose_device(device *d, const char *op, const char *why)
{
    pthread_mutex_lock(&lock);
    if (!atomic_load(&d->lost))
        snprintf(d->why, sizeof d->why, "%s%s", op, why);
    atomic_store(&d->lost, true);
    pthread_mutex_unlock(&lock);
}
void agni_cu_refuse(int32_t ordinal, const char *why)
{
    if (ordinal < MAX_DEVICES)
        lose_device(&devices[ordinal], "", why);
}

agn_status agni_cu_check(int32_t ordinal, const char *op, cudaError_t e)
{
    device *d = &devices[ordinal];
    if (e == cudaSuccess)
        return AGN_OK;
    (void)cudaGetLastError(); /* clears the error, so that the next call does not report it again */
    if (e == cudaErrorMemoryAllocation) {
        char text[TEXT];
        snprintf(text, sizeof text, "%s: CUDA device %d is out of memory", op, (int)ordinal);
        return agn_backend_fail(AGN_ENOMEM, text);
    }
    char text[TEXT];
    if (is_sticky(e) && !atomic_load(&d->lost)) {
        snprintf(text, sizeof text, "%s: ", op);
        lose_device(d, text, cudaGetErrorString(e));
    }
    snprintf(text, sizeof text, "%s: CUDA reports %s: %s", op, cudaGetErrorName(e),
             cudaGetErrorString(e));
    return agn_backend_fail(AGN_EDEVICE, text);
}

/* ---- life ---------------------------------------------------------------------------------- */

/* The pool retains freed memory until the system runs short. */
static cudaError_t retain_pool_memory(int32_t ordinal)
{
    cudaMemPool_t pool;
    uint64_t all = UINT64_MAX;
    cudaError_t e = cudaDeviceGetDefaultMemPool(&pool, ordinal);
    return e ? e : cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all);
}

static cudaError_t start_device(device *d, int32_t ordinal)
{
    cudaError_t e = cudaSuccess;
    if (!d->own)
        e = cudaStreamCreateWithFlags(&d->own, cudaStreamNonBlocking);
    if (!e && !d->stream)
        d->stream = d->own;
    for (int i = 0; !e && i < RING; i++)
        if (!d->ring[i])
            e = cudaEventCreateWithFlags(&d->ring[i], cudaEventDisableTiming);
    if (!e && !d->fault) {
        void *p = NULL;
        e = cudaHostAlloc(&p, (RING + 1) * sizeof *d->fault,
                          cudaHostAllocMapped | cudaHostAllocPortable);
        if (!e) {
            d->fault = p;
            for (int i = 0; i <= RING; i++)
                d->fault[i] = NO_FAULT;
        }
    }
    return e ? e : retain_pool_memory(ordinal);
}

int agni_cu_enter(int32_t ordinal)
{
    int was = -1;
    if (cudaGetDevice(&was) || was == ordinal)
        return -1;
    (void)cudaSetDevice(ordinal);
    return was;
}
void agni_cu_leave(int was)
{
    if (was >= 0)
        (void)cudaSetDevice(was);
}

/* the device, started and not lost, or NULL and a failure */
static device *require_device(int32_t ordinal, const char *op, agn_status *st)
{
    device *d = &devices[ordinal];
    *st = forbidden ? fail_forbidden(op) : AGN_OK;
    if (*st)
        return NULL;
    bool lost = atomic_load_explicit(&d->lost, memory_order_acquire);
    if (!lost && !atomic_load_explicit(&d->ready, memory_order_acquire)) {
        int was = agni_cu_enter(ordinal);
        pthread_mutex_lock(&lock);
        cudaError_t e = atomic_load(&d->ready) ? cudaSuccess : start_device(d, ordinal);
        if (!e)
            atomic_store_explicit(&d->ready, true, memory_order_release);
        pthread_mutex_unlock(&lock);
        agni_cu_leave(was);
        *st = agni_cu_check(ordinal, op, e);
    }
    if (!*st && atomic_load_explicit(&d->lost, memory_order_acquire))
        *st = fail_lost(d, op);
    return *st ? NULL : d;
}

unsigned long long *agni_cu_fault_word(int32_t ordinal)
{
    device *d = &devices[ordinal];
    return forbidden ? d->fault : d->fault + 1 + (atomic_load(&d->mark) + 1) % RING;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static cudaError_t allocate_from_pool(int32_t ordinal, cudaStream_t stream, size_t bytes, void **p)
{
    cudaMemPool_t pool;
    cudaError_t e = cudaMallocAsync(p, bytes ? bytes : 1, stream);
    if (e != cudaErrorMemoryAllocation)
        return e;
    (void)cudaGetLastError();
    /* the pool may hold blocks of other sizes: trim it and try once more */
    if (cudaStreamSynchronize(stream) || cudaDeviceGetDefaultMemPool(&pool, ordinal) ||
        cudaMemPoolTrimTo(pool, 0))
        return e;
    return cudaMallocAsync(p, bytes ? bytes : 1, stream);
}

agn_status agni_cu_alloc(int32_t ordinal, size_t bytes, void **p)
{
    agn_status st;
    device *d = require_device(ordinal, "device_alloc", &st);
    void *q = NULL;
    if (!d)
        return st;
    int was = agni_cu_enter(ordinal);
    st = agni_cu_check(ordinal, "device_alloc", allocate_from_pool(ordinal, d->stream, bytes, &q));
    agni_cu_leave(was);
    if (!st)
        *p = q;
    return st;
}

void agni_cu_free(int32_t ordinal, void *p, size_t bytes)
{
    (void)bytes;
    if (p && !atomic_load(&devices[ordinal].lost))
        (void)agni_cu_check(ordinal, "device_free", cudaFreeAsync(p, devices[ordinal].stream));
}

agn_status agni_cu_scratch(const agn_kernel_call *c, size_t bytes, void **p)
{
    void *q = NULL;
    if (c->scratch && bytes <= c->scratch_size) { /* as agni_cu_workspace asked for */
        *p = c->scratch;
        return AGN_OK;
    }
    if (forbidden)
        return fail_forbidden(c->op);
    agn_status st = agni_cu_check(c->device, c->op,
                                  allocate_from_pool(c->device, c->stream, bytes, &q));
    if (!st)
        *p = q;
    return st;
}
void agni_cu_scratch_free(const agn_kernel_call *c, void *p)
{
    if (p && p != c->scratch)
        agni_cu_free(c->device, p, 0);
}

/* ---- waiting and faults --------------------------------------------------------------------- */

/* Takes what a word says; in one step, for a kernel of later work may report between a read and a
   write. */
static unsigned long long take_fault(unsigned long long *word)
{
    if (__atomic_load_n(word, __ATOMIC_RELAXED) == NO_FAULT)
        return NO_FAULT;
    return __atomic_exchange_n(word, NO_FAULT, __ATOMIC_SEQ_CST);
}

/* The word of a mark is used again: what nobody asked for goes to the first. */
static void clear_fault_word(device *d, uint64_t mark)
{
    unsigned long long left = take_fault(d->fault + 1 + mark % RING);
    unsigned long long was = __atomic_load_n(d->fault, __ATOMIC_RELAXED);
    while (left < was && !__atomic_compare_exchange_n(d->fault, &was, left, false,
                                                      __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
        ;
}

/* The least fault up to a mark is reported, once. */
static agn_status report_fault(device *d, uint64_t mark)
{
    static const struct {
        agn_status st;
        const char *before, *after;
    } kind[AGNI_CU_FAULTS] = {
        [AGNI_CU_GATHER] = {AGN_EINDEX, "gather: index at place ", " is out of range"},
        [AGNI_CU_SCATTER_ADD] = {AGN_EINDEX, "scatter_add: index at place ", " is out of range"},
        [AGNI_CU_SCATTER_PUT] = {AGN_EINDEX, "scatter_put: index at place ", " is out of range"},
        [AGNI_CU_SCATTER_MAX] = {AGN_EINDEX, "scatter_max: index at place ", " is out of range"},
        [AGNI_CU_SCATTER_MIN] = {AGN_EINDEX, "scatter_min: index at place ", " is out of range"},
        [AGNI_CU_CHOLESKY] = {AGN_EDOMAIN, "linalg_cholesky: matrix ",
                              " of the batch is not positive definite"},
        [AGNI_CU_TRIANGULAR] = {AGN_EDOMAIN, "linalg_triangular_solve: matrix ",
                                " of the batch is singular"},
        [AGNI_CU_NOT_FINITE] = {AGN_EDOMAIN, "a factorisation: matrix ",
                                " of the batch, or a factor of it, is not finite"},
        [AGNI_CU_SINGULAR] = {AGN_EDOMAIN, "linalg_solve: matrix ", " of the batch is singular"},
        [AGNI_CU_NO_CONVERGENCE] = {AGN_EDOMAIN, "a factorisation: rotations of matrix ",
                                    " of the batch do not converge"},
        [AGNI_CU_PARAMETER] = {AGN_EDOMAIN, "a sampler: the parameters of element ",
                               " are not in the range of its law"},
        [AGNI_CU_WEIGHTS] = {AGN_EDOMAIN, "random_multinomial: the weights of row ",
                             " are not finite, negative, or too few of them positive"},
        [AGNI_CU_TIE] = {AGN_EDOMAIN, "a derivative of eigenvectors: matrix ",
                         " of the batch has values that are equal or nearly so"},
    };
    unsigned long long word = take_fault(d->fault);
    uint64_t m = atomic_load(&d->mark) + 2; /* the oldest mark whose word is its own */
    for (m = m > RING ? m - RING : 1; m <= mark; m++) {
        unsigned long long w = take_fault(d->fault + 1 + m % RING);
        word = w < word ? w : word;
    }
    if (word == NO_FAULT)
        return AGN_OK;
    char text[TEXT];
    unsigned k = (unsigned)(word >> 56) % AGNI_CU_FAULTS;
    snprintf(text, sizeof text, "%s%llu%s", kind[k].before, word & (~0ull >> 8), kind[k].after);
    return agn_backend_fail(kind[k].st, text);
}

static agn_status synchronize_device(int32_t ordinal, device *d, const char *op, cudaError_t e)
{
    if (!e)
        e = cudaStreamSynchronize(d->stream);
    agn_status st = agni_cu_check(ordinal, op, e);
    return st ? st : report_fault(d, atomic_load(&d->mark) + 1);
}

agn_status agni_cu_report_fault(int32_t ordinal, uint64_t mark)
{
    device *d = &devices[ordinal];
    if (mark > atomic_load(&d->mark))
        return agn_backend_fail(AGN_EDEVICE, "device_wait: no such mark was made");
    return atomic_load(&d->ready) ? report_fault(d, mark) : AGN_OK;
}

agn_status agni_cu_synchronize(int32_t ordinal)
{
    agn_status st;
    device *d = require_device(ordinal, "device_synchronize", &st);
    return d ? synchronize_device(ordinal, d, "device_synchronize", cudaSuccess) : st;
}

agn_status agni_cu_check_launch(const agn_kernel_call *c)
{
    static atomic_int sync_each = -1;
    int each = atomic_load_explicit(&sync_each, memory_order_relaxed);
    if (each < 0) {
        const char *s = getenv("AGNESI_SYNC");
        each = s && *s && strcmp(s, "0") != 0;
        atomic_store_explicit(&sync_each, each, memory_order_relaxed);
    }
    cudaError_t e = cudaGetLastError();
    if (each)
        return synchronize_device(c->device, &devices[c->device], c->op, e);
    return agni_cu_check(c->device, c->op, e);
}

void *agni_cu_stream(int32_t ordinal)
{
    agn_status st;
    device *d = require_device(ordinal, "device_stream", &st);
    return d ? d->stream : NULL;
}

void *agni_cu_own_stream(int32_t ordinal)
{
    return devices[ordinal].own;
}
void agni_cu_put_stream(int32_t ordinal, void *stream)
{
    devices[ordinal].stream = stream;
}

uint64_t agni_cu_record(int32_t ordinal)
{
    agn_status st;
    device *d = require_device(ordinal, "device_record", &st);
    if (!d)
        return 0;
    uint64_t mark = atomic_fetch_add(&d->mark, 1) + 1;
    clear_fault_word(d, mark + 1);
    int was = agni_cu_enter(ordinal);
    (void)agni_cu_check(ordinal, "device_record", cudaEventRecord(d->ring[mark % RING], d->stream));
    agni_cu_leave(was);
    return mark;
}

agn_status agni_cu_wait(int32_t ordinal, uint64_t mark)
{
    agn_status st;
    device *d = require_device(ordinal, "device_wait", &st);
    if (!d || mark == 0)
        return st;
    return agni_cu_check(ordinal, "device_wait", cudaEventSynchronize(d->ring[mark % RING]));
}

/* ---- copies --------------------------------------------------------------------------------- */

/* CUDA stages small pageable memory before it returns; pinned memory it reads later. */
static bool is_staged(const void *src, size_t bytes)
{
    struct cudaPointerAttributes a;
    if (bytes > SMALL)
        return false;
    if (cudaPointerGetAttributes(&a, src)) {
        (void)cudaGetLastError();
        return false;
    }
    return a.type == cudaMemoryTypeUnregistered;
}

agn_status agni_cu_to_device(int32_t ordinal, void *dst, const void *src, size_t bytes)
{
    agn_status st;
    device *d = require_device(ordinal, "to_device", &st);
    if (!d)
        return st;
    int was = agni_cu_enter(ordinal);
    cudaError_t e = cudaMemcpyAsync(dst, src, bytes, cudaMemcpyHostToDevice, d->stream);
    if (!e && !is_staged(src, bytes))
        e = cudaStreamSynchronize(d->stream);
    agni_cu_leave(was);
    return agni_cu_check(ordinal, "to_device", e);
}

agn_status agni_cu_to_host(int32_t ordinal, void *dst, const void *src, size_t bytes)
{
    agn_status st;
    device *d = require_device(ordinal, "to_host", &st);
    if (!d)
        return st;
    int was = agni_cu_enter(ordinal);
    st = synchronize_device(ordinal, d, "to_host",
                cudaMemcpyAsync(dst, src, bytes, cudaMemcpyDeviceToHost, d->stream));
    agni_cu_leave(was);
    return st;
}

agn_status agni_cu_copy(int32_t ordinal, void *dst, const void *src, size_t bytes)
{
    agn_status st;
    device *d = require_device(ordinal, "copy", &st);
    if (!d)
        return st;
    int was = agni_cu_enter(ordinal);
    cudaError_t e = cudaMemcpyAsync(dst, src, bytes, cudaMemcpyDeviceToDevice, d->stream);
    agni_cu_leave(was);
    return agni_cu_check(ordinal, "copy", e);
}

agn_status agni_cu_make_dense(const agn_kernel_call *c, agn_array *x, int64_t *stride, void **held)
{
    size_t bytes = (size_t)(agni_cu_size(x) * agni_cu_bytes(x->dtype));
    void *p = NULL;
    agn_status st = agni_cu_scratch(c, bytes, &p);
    if (st)
        return st;
    int64_t step = 1;
    for (int d = x->ndim - 1; d >= 0; d--) {
        stride[d] = step;
        step *= x->shape[d];
    }
    agn_array y = {p, x->dtype, x->ndim, x->shape, stride};
    agni_cu_walk w;
    agni_cu_make_walk(&w, &y, 1, x);
    agni_cu_convert(&w, x->dtype, x->dtype, c->stream);
    *x = y;
    *held = p;
    return AGN_OK;
}
