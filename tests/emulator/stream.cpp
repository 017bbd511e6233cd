/* tests/emulator/stream.cpp - the CUDA runtime: streams as queues that may lag behind, events, copies, graphs. */
#include "runtime.h"

#if CUDART_VERSION >= 13000
#define CAPTURE_INFO cudaStreamGetCaptureInfo
#define SET_DEPENDENCIES cudaStreamUpdateCaptureDependencies
#define ADD_NODE cudaGraphAddNode
#else
#define CAPTURE_INFO cudaStreamGetCaptureInfo_v3
#define SET_DEPENDENCIES cudaStreamUpdateCaptureDependencies_v2
#define ADD_NODE cudaGraphAddNode_v2
#endif

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace emulator {

std::recursive_mutex lock;

namespace {

thread_local int current;
thread_local cudaError_t last;

struct recording;
struct item {
    const char *what;
    work where;
    std::function<void()> run;
    std::shared_ptr<recording> body; /* of a conditional node, which repeats it, or runs it once */
    unsigned long long handle;
    bool once;
};
struct recording {
    std::vector<item> items;
    std::set<unsigned long long> handles; /* made for its nodes */
};
/* of conditional nodes: none before a kernel of the launch has set it */
struct condition {
    bool set;
    unsigned value;
};
std::map<unsigned long long, condition> conditions;

struct stream {
    int device;
    std::deque<item> queue;
    recording *capture;
};
struct event {
    std::shared_ptr<bool> done;
    stream *on;
    std::shared_ptr<long> when; /* device work before it: the clock */
    bool timed;
};
struct pool {
    int device;
};

std::map<std::string, long> counts;

void run(stream *s, const item &i);
void repeat(stream *s, const item &i)
{
    condition &c = conditions[i.handle];
    if (!c.set)
        complain("a conditional node whose condition no kernel has set");
    while (c.value) {
        counts["runs of a body"]++;
        c.set = false;
        for (const item &b : i.body->items)
            run(s, b);
        if (i.once)
            break;
        if (!c.set)
            complain("a body that does not set the condition of its node");
    }
    c.set = false;
}
void run(stream *s, const item &i)
{
    counts[i.what]++;
    if (i.body) {
        repeat(s, i);
        return;
    }
    if (i.where == work::host) {
        i.run();
        return;
    }
    counts["device work"]++;
    access may(s->device, i.what);
    i.run();
}
void drain(stream *s, const std::shared_ptr<bool> &until = nullptr)
{
    while (!s->queue.empty() && !(until && *until)) {
        item i = std::move(s->queue.front());
        s->queue.pop_front();
        run(s, i);
    }
}
stream *of(cudaStream_t s, const char *what)
{
    if (!s)
        complain("%s on the default stream, which waits for all others", what);
    return (stream *)s;
}

order read_order(const char *s)
{
    return !s || !strcmp(s, "forward") ? order::forward
           : !strcmp(s, "reverse")     ? order::reverse
                                       : order::mixed;
}
bool is_on(const char *name, bool otherwise)
{
    const char *s = getenv(name);
    return s && *s ? strcmp(s, "0") != 0 : otherwise;
}

void print_counts()
{
    for (auto &c : counts)
        fprintf(stderr, "EMULATOR: %8ld %s\n", c.second, c.first.c_str());
}

} // namespace

const options &settings()
{
    static const options o = [] {
        options q;
        q.threads = read_order(getenv("EMULATOR_ORDER"));
        q.lag = is_on("EMULATOR_LAG", false);
        q.races = is_on("EMULATOR_RACES", false);
        q.protect = is_on("EMULATOR_PROTECT", true);
        const char *n = getenv("EMULATOR_DEVICES");
        q.devices = n && *n ? atoi(n) : 2;
        n = getenv("EMULATOR_OLD");
        q.old = n && *n ? atoi(n) : -1;
        if (is_on("EMULATOR_COUNTS", false))
            atexit(print_counts);
        return q;
    }();
    return o;
}

void complain(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "EMULATOR: ");
    vfprintf(stderr, format, args);
    fprintf(stderr, "\n");
    va_end(args);
    abort();
}

cudaError_t report(cudaError_t e)
{
    if (e)
        last = e;
    return e;
}
int current_device()
{
    return current;
}
int device_of(cudaStream_t s)
{
    return of(s, "a call")->device;
}

void enqueue(cudaStream_t q, const char *what, std::function<void()> f, work where)
{
    EMULATOR_ENTER;
    stream *s = of(q, what);
    item i{what, where, std::move(f), nullptr, 0, false};
    if (s->capture)
        s->capture->items.push_back(std::move(i));
    else if (settings().lag)
        s->queue.push_back(std::move(i));
    else
        run(s, i);
}

/* graphs that this thread records, and what it said to be careful of */
static thread_local int captures;
static thread_local cudaStreamCaptureMode capture_mode = cudaStreamCaptureModeGlobal;
void outlive(const char *what)
{
    if (captures && capture_mode != cudaStreamCaptureModeRelaxed)
        complain("%s while the thread captures a graph", what);
}
bool is_captured(cudaStream_t s)
{
    return of(s, "a call")->capture != nullptr;
}

void set_conditional(unsigned long long handle, unsigned value)
{
    auto it = conditions.find(handle);
    if (it == conditions.end())
        complain("a condition of no node is set");
    it->second = {true, value};
}

/* for headers that stand in for those of a library */
void enqueue_work(cudaStream_t q, const char *what, std::function<void()> f)
{
    enqueue(q, what, std::move(f));
}

void launch(const char *name, dim3 grid, dim3 block, size_t shared, cudaStream_t q,
            std::function<void()> body, bool together)
{
    EMULATOR_ENTER;
    const shared_limit room = shared_limit_of(name);
    /* CUDA C++ Programming Guide, technical specifications per compute capability */
    if (!grid.x || !grid.y || !grid.z || grid.x > 0x7fffffffu || grid.y > 65535 || grid.z > 65535 ||
        !block.x || !block.y || !block.z || block.z > 64 ||
        (size_t)block.x * block.y * block.z > 1024 || shared > room.dynamic) {
        report(cudaErrorInvalidConfiguration);
        return;
    }
    if (of(q, name)->device != current)
        complain("%s is launched on a stream of device %d while device %d is current", name,
                 of(q, name)->device, current);
    counts["launches"]++;
    counts["cooperative launches"] += together;
    enqueue(q, name, [=] { run_grid(name, grid, block, shared, room.all, together, body); });
}

} // namespace emulator

using namespace emulator;

long agn_emulator_count(const char *what)
{
    EMULATOR_ENTER;
    auto it = counts.find(what);
    return it == counts.end() ? 0 : it->second;
}
static long wished_processors = -1;
int emulator::processors()
{
    static const char *const name = "EMULATOR_PROCESSORS";
    static const long usual = getenv(name) ? atol(getenv(name)) : 3;
    return (int)(wished_processors >= 0 ? wished_processors : usual);
}
void agn_emulator_processors(long n)
{
    EMULATOR_ENTER;
    wished_processors = n;
}
void agn_emulator_reset(void)
{
    EMULATOR_ENTER;
    counts.clear();
}

extern "C" {

/* ---- devices and errors ---- */

cudaError_t cudaGetDeviceCount(int *n)
{
    *n = settings().devices;
    return *n > 0 ? cudaSuccess : report(cudaErrorNoDevice);
}
cudaError_t cudaGetDevice(int *d)
{
    *d = current;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int d)
{
    if (d < 0 || d >= settings().devices)
        return report(cudaErrorInvalidDevice);
    current = d;
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int *v)
{
    *v = CUDART_VERSION;
    return cudaSuccess;
}
/* EMULATOR_DRIVER: another version, at each call anew */
cudaError_t cudaDriverGetVersion(int *v)
{
    const char *wish = getenv("EMULATOR_DRIVER");
    *v = wish && *wish ? atoi(wish) : CUDART_VERSION;
    return cudaSuccess;
}
/* those of an H100 where a kernel could ask, but for the number of its multiprocessors */
cudaError_t cudaDeviceGetAttribute(int *v, cudaDeviceAttr a, int device)
{
    if (device < 0 || device >= settings().devices)
        return report(cudaErrorInvalidDevice);
    switch (a) {
    case cudaDevAttrComputeCapabilityMajor: *v = device == settings().old ? 6 : 9; break;
    case cudaDevAttrComputeCapabilityMinor: *v = 0; break;
    case cudaDevAttrMultiProcessorCount: *v = processors(); break;
    case cudaDevAttrCooperativeLaunch: *v = processors() > 0; break;
    case cudaDevAttrWarpSize: *v = 32; break;
    case cudaDevAttrMaxThreadsPerBlock: *v = 1024; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *v = 48 << 10; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *v = 227 << 10; break;
    case cudaDevAttrMemoryPoolsSupported: *v = 1; break;
    default: complain("no value for device attribute %d", (int)a);
    }
    return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
    if (device < 0 || device >= settings().devices)
        return report(cudaErrorInvalidDevice);
    memset(p, 0, sizeof *p);
    strcpy(p->name, "an emulated device");
    (void)cudaDeviceGetAttribute(&p->major, cudaDevAttrComputeCapabilityMajor, device);
    (void)cudaDeviceGetAttribute(&p->minor, cudaDevAttrComputeCapabilityMinor, device);
    (void)cudaDeviceGetAttribute(&p->multiProcessorCount, cudaDevAttrMultiProcessorCount, device);
    p->managedMemory = 1;
    return cudaSuccess;
}
const char *cudaGetErrorName(cudaError_t e)
{
    return e == cudaErrorMemoryAllocation       ? "cudaErrorMemoryAllocation"
           : e == cudaErrorInvalidConfiguration ? "cudaErrorInvalidConfiguration"
           : e == cudaErrorInvalidValue         ? "cudaErrorInvalidValue"
           : e == cudaErrorNoDevice             ? "cudaErrorNoDevice"
           : e                                  ? "an emulated error"
                                                : "cudaSuccess";
}
const char *cudaGetErrorString(cudaError_t e)
{
    return cudaGetErrorName(e);
}
cudaError_t cudaGetLastError(void)
{
    cudaError_t e = last;
    last = cudaSuccess;
    return e;
}
cudaError_t cudaPeekAtLastError(void)
{
    return last;
}

/* ---- streams and events ---- */

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned flags)
{
    EMULATOR_ENTER;
    if (!(flags & cudaStreamNonBlocking))
        complain("a stream that waits for the default stream");
    *s = (cudaStream_t) new stream{current, {}, nullptr};
    return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t s)
{
    EMULATOR_ENTER;
    drain(of(s, "cudaStreamDestroy"));
    delete (stream *)s;
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t q)
{
    EMULATOR_ENTER;
    stream *s = of(q, "cudaStreamSynchronize");
    if (s->capture)
        return report(cudaErrorStreamCaptureUnsupported);
    counts["cudaStreamSynchronize"]++;
    drain(s);
    return cudaSuccess;
}
cudaError_t cudaStreamQuery(cudaStream_t q)
{
    EMULATOR_ENTER;
    return of(q, "cudaStreamQuery")->queue.empty() ? cudaSuccess : cudaErrorNotReady;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned flags)
{
    EMULATOR_ENTER;
    *e = (cudaEvent_t) new event{nullptr, nullptr, nullptr, !(flags & cudaEventDisableTiming)};
    return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t e)
{
    EMULATOR_ENTER;
    delete (event *)e;
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t q)
{
    EMULATOR_ENTER;
    event *v = (event *)e;
    std::shared_ptr<bool> done = std::make_shared<bool>(false);
    std::shared_ptr<long> when = std::make_shared<long>(0);
    v->done = done;
    v->when = when;
    v->on = of(q, "cudaEventRecord");
    enqueue(q, "event", [done, when] { *done = true; *when = counts["device work"]; }, work::host);
    return cudaSuccess;
}
/* a millisecond for each piece of device work */
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to)
{
    EMULATOR_ENTER;
    event *a = (event *)from, *b = (event *)to;
    if (!a->timed || !b->timed || !a->done || !b->done)
        return report(cudaErrorInvalidResourceHandle);
    if (!*a->done || !*b->done)
        return report(cudaErrorNotReady);
    *ms = (float)(*b->when - *a->when);
    return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t e)
{
    EMULATOR_ENTER;
    event *v = (event *)e;
    if (v->done && !*v->done)
        drain(v->on, v->done);
    return cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t e)
{
    EMULATOR_ENTER;
    event *v = (event *)e;
    return !v->done || *v->done ? cudaSuccess : cudaErrorNotReady;
}
/* the other stream runs up to the event before this one goes on */
cudaError_t cudaStreamWaitEvent(cudaStream_t q, cudaEvent_t e, unsigned)
{
    EMULATOR_ENTER;
    event v = *(event *)e;
    if (v.done)
        enqueue(q, "wait", [v] { if (!*v.done) drain(v.on, v.done); }, work::host);
    return cudaSuccess;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t q, cudaHostFn_t f, void *user)
{
    enqueue(q, "host function", [=] { f(user); }, work::host);
    return cudaSuccess;
}

/* ---- memory ---- */

static std::map<char *, size_t> pinned; /* on the host, seen by all devices */

cudaError_t cudaHostAlloc(void **p, size_t n, unsigned)
{
    EMULATOR_ENTER;
    char *q = (char *)malloc(n ? n : 1);
    pinned[q] = n;
    *p = q;
    return cudaSuccess;
}
cudaError_t cudaFreeHost(void *p)
{
    EMULATOR_ENTER;
    pinned.erase((char *)p);
    free(p);
    return cudaSuccess;
}
/* memory of the host, which device work may touch as well */
cudaError_t cudaMallocManaged(void **p, size_t n, unsigned flags)
{
    if (flags != cudaMemAttachGlobal)
        complain("managed memory of one stream or of the host");
    return cudaHostAlloc(p, n, 0);
}
/* of what only libraries work in, whose emulated calls do not: a page is enough */
cudaError_t cudaMalloc(void **p, size_t n)
{
    EMULATOR_ENTER;
    outlive("cudaMalloc");
    return allocate(p, n < 4096 ? n : 4096, current);
}
cudaError_t cudaFree(void *p)
{
    if (on_device(p))
        complain("cudaFree of memory of a pool");
    return cudaFreeHost(p);
}
cudaError_t cudaMemGetInfo(size_t *rest, size_t *all)
{
    EMULATOR_ENTER;
    memory_left(rest, all);
    return cudaSuccess;
}
static bool is_pinned(const void *p)
{
    auto it = pinned.upper_bound((char *)p);
    if (it == pinned.begin())
        return false;
    --it;
    return (char *)p < it->first + it->second;
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *p, int device)
{
    static pool pools[256];
    pools[device].device = device;
    *p = (cudaMemPool_t)&pools[device];
    return cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *)
{
    return cudaSuccess;
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t)
{
    return cudaSuccess;
}
cudaError_t cudaMallocAsync(void **p, size_t n, cudaStream_t q)
{
    EMULATOR_ENTER;
    counts["cudaMallocAsync"]++;
    stream *s = of(q, "cudaMallocAsync");
    cudaError_t e = allocate(p, n, s->device);
    if (e && !s->queue.empty()) { /* what is queued may free memory */
        (void)cudaGetLastError();
        drain(s);
        e = allocate(p, n, s->device);
    }
    return e;
}
cudaError_t cudaFreeAsync(void *p, cudaStream_t q)
{
    int device;
    EMULATOR_ENTER;
    if (!on_device(p, &device) || device != of(q, "cudaFreeAsync")->device)
        complain("memory is freed on a stream of another device");
    enqueue(q, "cudaFreeAsync", [p] { release(p); }, work::host);
    return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *a, const void *p)
{
    EMULATOR_ENTER;
    memset(a, 0, sizeof *a);
    int device;
    a->type = on_device(p, &device) ? cudaMemoryTypeDevice
              : is_pinned(p)        ? cudaMemoryTypeHost
                                    : cudaMemoryTypeUnregistered;
    a->device = a->type == cudaMemoryTypeDevice ? device : 0;
    return cudaSuccess;
}
/* Pageable memory of the host is read when the call is made or while it waits, pinned memory when its turn
   comes (CUDA runtime API, API synchronization behavior). */
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n, enum cudaMemcpyKind kind,
                            cudaStream_t q)
{
    EMULATOR_ENTER;
    stream *s = of(q, "cudaMemcpyAsync");
    bool dt = on_device(to), df = on_device(from);
    if (n == 0)
        return cudaSuccess;
    if (kind != cudaMemcpyDefault &&
        (dt != (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice) ||
         df != (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice)))
        complain("a copy of kind %d has the wrong sides", (int)kind);
    const char *name = dt && df ? "copy on the device" : dt ? "copy to the device" : "copy to the host";
    bool now = !dt && !is_pinned(to);
    if (now) {
        long &most = counts["largest copy to the host"];
        most = std::max(most, (long)n);
    }
    if (s->capture && (now || (!df && !is_pinned(from))))
        return report(cudaErrorStreamCaptureUnsupported);
    std::function<void()> move = [=] { memmove(to, from, n); };
    if (!df && !is_pinned(from)) {
        auto bytes = std::make_shared<std::vector<char>>((const char *)from, (const char *)from + n);
        move = [=] { memcpy(to, bytes->data(), n); };
    }
    if (dt && df) /* a peer copy reaches both */
        move = [=] { access both(-1, "a copy"); memmove(to, from, n); };
    enqueue(q, name, move);
    if (now)
        drain(s);
    return cudaSuccess;
}
cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t n, cudaStream_t q)
{
    EMULATOR_ENTER;
    int here = -1, there = -1;
    if (n == 0)
        return cudaSuccess;
    if (!on_device(to, &there) || !on_device(from, &here) || here != from_device ||
        there != to_device)
        complain("a copy between devices %d and %d has other memory", from_device, to_device);
    enqueue(q, "copy between devices", [=] { access both(-1, "a copy"); memmove(to, from, n); });
    return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void *p, int v, size_t n, cudaStream_t q)
{
    EMULATOR_ENTER;
    if (n && !on_device(p))
        complain("cudaMemsetAsync of host memory");
    enqueue(q, "memset", [=] { memset(p, v, n); });
    return cudaSuccess;
}

/* ---- graphs ---- */

cudaError_t cudaStreamBeginCapture(cudaStream_t q, enum cudaStreamCaptureMode)
{
    EMULATOR_ENTER;
    stream *s = of(q, "cudaStreamBeginCapture");
    if (s->capture)
        return report(cudaErrorIllegalState);
    s->capture = new recording;
    captures++;
    return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t q, cudaGraph_t *g)
{
    EMULATOR_ENTER;
    stream *s = of(q, "cudaStreamEndCapture");
    if (!s->capture)
        return report(cudaErrorIllegalState);
    *g = (cudaGraph_t)s->capture;
    s->capture = nullptr;
    captures--;
    return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *x, cudaGraph_t g, unsigned long long)
{
    EMULATOR_ENTER;
    *x = (cudaGraphExec_t) new recording(*(recording *)g);
    return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t x, cudaStream_t q)
{
    EMULATOR_ENTER;
    recording r = *(recording *)x;
    counts["cudaGraphLaunch"]++;
    stream *s = of(q, "cudaGraphLaunch");
    if (s->capture)
        complain("a graph is launched into a graph");
    for (item &i : r.items)
        if (settings().lag)
            s->queue.push_back(i);
        else
            run(s, i);
    return cudaSuccess;
}

/* ---- conditional nodes: a stream is a line of work, whose end is the one node that the next
   depends on ---- */

static cudaGraphNode_t end_of(const recording *r)
{
    return r->items.empty() ? nullptr : (cudaGraphNode_t)r->items.size();
}
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    std::swap(capture_mode, *mode);
    return cudaSuccess;
}
cudaError_t CAPTURE_INFO(cudaStream_t q, enum cudaStreamCaptureStatus *state,
                         unsigned long long *id, cudaGraph_t *g, const cudaGraphNode_t **before,
                         const cudaGraphEdgeData **edges, size_t *n)
{
    static thread_local cudaGraphNode_t last;
    EMULATOR_ENTER;
    stream *s = of(q, "cudaStreamGetCaptureInfo");
    *state = s->capture ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    if (id)
        *id = 1;
    if (g)
        *g = (cudaGraph_t)s->capture;
    if (before && s->capture) {
        last = end_of(s->capture);
        *before = &last;
        *n = last != nullptr;
        if (edges)
            *edges = nullptr;
    }
    return cudaSuccess;
}
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *h, cudaGraph_t g, unsigned,
                                             unsigned flags)
{
    static unsigned long long made;
    EMULATOR_ENTER;
    if (flags)
        complain("conditions that begin with a value are not emulated");
    *h = ++made << 8;
    conditions[*h] = {false, 0};
    ((recording *)g)->handles.insert(*h);
    return cudaSuccess;
}
cudaError_t ADD_NODE(cudaGraphNode_t *node, cudaGraph_t g, const cudaGraphNode_t *before,
                     const cudaGraphEdgeData *, size_t n, struct cudaGraphNodeParams *p)
{
    EMULATOR_ENTER;
    recording *r = (recording *)g;
    const bool once = p->conditional.type == cudaGraphCondTypeIf;
    if (p->type != cudaGraphNodeTypeConditional ||
        (p->conditional.type != cudaGraphCondTypeWhile && !once) || p->conditional.size != 1)
        complain("a node that is neither a loop nor a branch");
    if (!r->handles.erase(p->conditional.handle))
        return report(cudaErrorInvalidValue); /* of another graph, or taken */
    if (n != !r->items.empty() || (n && before[0] != end_of(r)))
        complain("a conditional node that does not follow what was queued");
    item i{"conditional node", work::host, nullptr, std::make_shared<recording>(),
           p->conditional.handle, once};
    static thread_local cudaGraph_t body;
    body = (cudaGraph_t)i.body.get();
    p->conditional.phGraph_out = &body;
    r->items.push_back(i);
    *node = end_of(r);
    return cudaSuccess;
}
cudaError_t SET_DEPENDENCIES(cudaStream_t q, cudaGraphNode_t *node, const cudaGraphEdgeData *,
                             size_t n, unsigned flags)
{
    EMULATOR_ENTER;
    stream *s = of(q, "cudaStreamUpdateCaptureDependencies");
    if (!s->capture || n != 1 || *node != end_of(s->capture) ||
        flags != cudaStreamSetCaptureDependencies)
        complain("a stream whose next work would not follow its last node");
    return cudaSuccess;
}
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t q, cudaGraph_t g, const cudaGraphNode_t *,
                                          const cudaGraphEdgeData *, size_t n,
                                          enum cudaStreamCaptureMode)
{
    EMULATOR_ENTER;
    stream *s = of(q, "cudaStreamBeginCaptureToGraph");
    recording *r = (recording *)g;
    if (s->capture || n || !r->items.empty())
        return report(cudaErrorIllegalState);
    s->capture = r;
    captures++;
    return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t g)
{
    delete (recording *)g;
    return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t x)
{
    delete (recording *)x;
    return cudaSuccess;
}
}
