/* tensor/rows/cuda/loops.cu - loops and branches within graphs of launches (CUDA C++ Programming
   Guide, conditional graph nodes): the device repeats the body, or runs it or not, as it decides
   itself. Rows of arrays go in and out by the number of the step, which lies in its memory
   (tensor/rows/loop_kernels.h). */
#include "tensor/cuda/cuda.h"
#include "tensor/rows/loop_kernels.h"

#include <cstring>

#if CUDART_VERSION >= 13000
#define CAPTURE_INFO cudaStreamGetCaptureInfo
#define SET_DEPENDENCIES cudaStreamUpdateCaptureDependencies
#define ADD_NODE cudaGraphAddNode
#else
#define CAPTURE_INFO cudaStreamGetCaptureInfo_v3
#define SET_DEPENDENCIES cudaStreamUpdateCaptureDependencies_v2
#define ADD_NODE cudaGraphAddNode_v2
#endif

namespace {

enum { MOVES = 96, THREADS = 256, SINCE = 12040 /* CUDA 12.4 */ };

/* ---- moves ----------------------------------------------------------------------------------- */

struct moves {
    const long long *counter;
    long long at, rows;
    struct {
        char *to;
        const char *from;
        long long bytes;
        long long how;
    } one[MOVES];
};

template <class W>
__device__ void copy_words(char *to, const char *from, long long bytes)
{
    AGNI_CU_EACH(i, bytes / (long long)sizeof(W))
        ((W *)to)[i] = ((const W *)from)[i];
}

__global__ void move_all(const __grid_constant__ moves w)
{
    const auto &m = w.one[blockIdx.y];
    long long at = w.counter ? *w.counter : w.at;
    at = (w.rows < 0 ? at : w.rows - 1 - at) * m.bytes;
    char *to = m.to + (m.how == AGNI_MOVE_TO_ROW ? at : 0);
    const char *from = m.from + (m.how == AGNI_MOVE_FROM_ROW ? at : 0);
    if (((uintptr_t)to | (uintptr_t)from | (uintptr_t)m.bytes) % 8 == 0)
        copy_words<long long>(to, from, m.bytes);
    else
        copy_words<char>(to, from, m.bytes);
}

agn_status move_arrays(const agn_kernel_call *c)
{
    const int n = c->n_out;
    int was = agni_cu_enter(c->device);
    for (int first = 0; first < n; first += MOVES) {
        moves w;
        memset(&w, 0, sizeof w);
        int many = n - first < MOVES ? n - first : MOVES;
        int64_t most = 0;
        w.counter = c->n_in > n ? (const long long *)c->in[n].data : NULL;
        w.rows = c->ints[n];
        w.at = c->ints[n + 1];
        for (int k = 0; k < many; k++) {
            const agn_array *from = c->in + first + k, *to = c->out + first + k;
            const int64_t how = c->ints[first + k];
            const agn_array *all = how == AGNI_MOVE_FROM_ROW ? to : from;
            w.one[k].to = (char *)to->data;
            w.one[k].from = (const char *)from->data;
            w.one[k].bytes = agni_cu_size(all) * agni_cu_bytes(all->dtype);
            w.one[k].how = how;
            most = w.one[k].bytes > most ? w.one[k].bytes : most;
        }
        move_all<<<dim3(agni_cu_blocks(most / 8 + 1, THREADS), (unsigned)many), THREADS, 0,
                   (cudaStream_t)c->stream>>>(w);
    }
    agn_status st = agni_cu_check_launch(c);
    agni_cu_leave(was);
    return st;
}

/* ---- the node -------------------------------------------------------------------------------- */

__global__ void first_step(cudaGraphConditionalHandle h, long long *counter, long long most,
                           const bool *condition)
{
    *counter = 0;
    cudaGraphSetConditional(h, most != 0 && (!condition || *condition));
}
__global__ void next_step(cudaGraphConditionalHandle h, long long *counter, long long most,
                          const bool *condition)
{
    const long long done = *counter + 1;
    *counter = done;
    cudaGraphSetConditional(h, (most < 0 || done < most) && (!condition || *condition));
}

/* is branch k the one that a value chooses? (tensor/rows/loop_kernels.h) */
inline __device__ bool is_chosen(bool v, long long k, long long)
{
    return v == (k == 0);
}
inline __device__ bool is_chosen(long long v, long long k, long long n)
{
    return k == (v < 0 ? 0 : v < n ? v : n - 1);
}
template <class T, class V>
__global__ void choose_branch(cudaGraphConditionalHandle h, const T *choice, long long k,
                              long long n)
{
    cudaGraphSetConditional(h, is_chosen((V)*choice, k, n));
}

const bool *condition_of(const agn_kernel_call *c)
{
    return c->n_in ? (const bool *)c->in[0].data : NULL;
}

/* a stream for the body: no work of other streams is touched by its making */
cudaError_t make_stream(cudaStream_t *s)
{
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    cudaError_t e = cudaThreadExchangeStreamCaptureMode(&mode);
    if (!e)
        e = cudaStreamCreateWithFlags(s, cudaStreamNonBlocking);
    cudaError_t back = cudaThreadExchangeStreamCaptureMode(&mode);
    return e ? e : back;
}

/* a node after what the stream has queued, before what it queues next; its body is *inner */
cudaError_t add_node(cudaStream_t s, cudaGraphConditionalHandle h,
                     cudaGraphConditionalNodeType type, cudaGraph_t *inner)
{
    cudaStreamCaptureStatus state;
    cudaGraph_t graph = NULL;
    cudaGraphNode_t node;
    const cudaGraphNode_t *before = NULL;
    const cudaGraphEdgeData *edge = NULL;
    size_t n = 0;
    cudaGraphNodeParams p = {};
    p.type = cudaGraphNodeTypeConditional;
    p.conditional.handle = h;
    p.conditional.type = type;
    p.conditional.size = 1;
    cudaError_t e = CAPTURE_INFO(s, &state, NULL, &graph, &before, &edge, &n);
    e = e ? e : ADD_NODE(&node, graph, before, edge, n, &p);
    if (!e)
        *inner = p.conditional.phGraph_out[0];
    return e ? e : SET_DEPENDENCIES(s, &node, NULL, 1, cudaStreamSetCaptureDependencies);
}

/* what the device decides before a body, which it repeats or not */
typedef void decide(cudaGraphConditionalHandle h, const agn_kernel_call *c);
void decide_loop(cudaGraphConditionalHandle h, const agn_kernel_call *c)
{
    first_step<<<1, 1, 0, (cudaStream_t)c->stream>>>(h, (long long *)c->out[0].data, c->ints[0],
                                                     condition_of(c));
}
template <class T, class V>
void decide_branch_by(cudaGraphConditionalHandle h, const agn_kernel_call *c)
{
    choose_branch<T, V><<<1, 1, 0, (cudaStream_t)c->stream>>>(h, (const T *)c->in[0].data,
                                                              c->ints[0], c->ints[1]);
}
void decide_branch(cudaGraphConditionalHandle h, const agn_kernel_call *c)
{
    const agn_dtype d = c->in[0].dtype;
    (d == AGN_BOOL  ? decide_branch_by<bool, bool>
     : d == AGN_I32 ? decide_branch_by<int32_t, long long>
                    : decide_branch_by<int64_t, long long>)(h, c);
}

cudaError_t open_body(const agn_kernel_call *c, agni_loop_body *body, cudaGraph_t graph,
                      cudaGraphConditionalNodeType type, decide *first)
{
    cudaStream_t s = (cudaStream_t)c->stream, own = NULL;
    cudaGraphConditionalHandle h;
    cudaGraph_t inner = NULL;
    cudaError_t e = cudaGraphConditionalHandleCreate(&h, graph, 0, 0);
    if (e)
        return e;
    first(h, c);
    e = cudaGetLastError();
    e = e ? e : add_node(s, h, type, &inner);
    e = e ? e : make_stream(&own);
    e = e ? e
          : cudaStreamBeginCaptureToGraph(own, inner, NULL, NULL, 0,
                                          cudaStreamCaptureModeThreadLocal);
    if (e && own)
        (void)cudaStreamDestroy(own);
    body->handle = h;
    body->stream = e ? NULL : own;
    return e;
}

agn_status begin_body(const agn_kernel_call *c, cudaGraphConditionalNodeType type, decide *first)
{
    int driver = 0;
    cudaStreamCaptureStatus state = cudaStreamCaptureStatusNone;
    cudaGraph_t graph = NULL;
    if (cudaDriverGetVersion(&driver) || driver < SINCE)
        return agn_backend_fail(
            AGN_EUNSUPPORTED, "call: the driver has no conditional nodes, which CUDA 12.4 brought");
    int was = agni_cu_enter(c->device);
    cudaError_t e = CAPTURE_INFO((cudaStream_t)c->stream, &state, NULL, &graph, NULL, NULL, NULL);
    if (!e && state == cudaStreamCaptureStatusActive)
        e = open_body(c, (agni_loop_body *)c->object, graph, type, first);
    agni_cu_leave(was);
    if (!e && state != cudaStreamCaptureStatusActive)
        return agn_backend_fail(AGN_EUNSUPPORTED, "call: a body of the device outside of a graph");
    return agni_cu_check(c->device, c->op, e);
}

agn_status begin_loop(const agn_kernel_call *c)
{
    return begin_body(c, cudaGraphCondTypeWhile, decide_loop);
}
agn_status begin_branch(const agn_kernel_call *c)
{
    return begin_body(c, cudaGraphCondTypeIf, decide_branch);
}

agn_status end_body(const agn_kernel_call *c, bool again)
{
    const agni_loop_body *body = (const agni_loop_body *)c->object;
    cudaStream_t own = (cudaStream_t)body->stream;
    cudaGraph_t inner;
    int was = agni_cu_enter(c->device);
    if (again)
        next_step<<<1, 1, 0, own>>>(body->handle, (long long *)c->out[0].data, c->ints[0],
                                    condition_of(c));
    cudaError_t e = cudaGetLastError(), ended = cudaStreamEndCapture(own, &inner);
    (void)cudaStreamDestroy(own);
    agni_cu_leave(was);
    return agni_cu_check(c->device, c->op, e ? e : ended);
}
agn_status end_loop(const agn_kernel_call *c)
{
    return end_body(c, true);
}
agn_status end_branch(const agn_kernel_call *c)
{
    return end_body(c, false);
}

const agn_kernel_entry table[] = {
    {"loop_move", -1, false, move_arrays},
    {"loop_begin", -1, false, begin_loop},
    {"loop_end", -1, false, end_loop},
    {"branch_begin", -1, false, begin_branch},
    {"branch_end", -1, false, end_branch},
};

} // namespace

extern "C" const agni_cu_table agni_cu_loops = {table, (int)(sizeof table / sizeof *table)};
