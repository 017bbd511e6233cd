/* tests/fake-backend.h - a device written from outside, with the public headers alone.

   Its memory is an arena that the host may not touch: mapped without access except while a
   function of this back end runs. Whoever reads it from elsewhere crashes. It counts what it
   is asked for, can run out of memory and can report a fault. Calls on the host and copies that
   are not waited for lie in a queue until other work comes or somebody waits. Launches within a
   graph are kept, and run when the graph does. */
#ifndef AGN_FAKE_BACKEND_H
#define AGN_FAKE_BACKEND_H

#include <agnesi/backend.h>
#include <agnesi/tensor.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { FAKE_DEVICES = 2, FAKE_ARENA = 64 << 20, FAKE_RANK = 32, FAKE_QUEUE = 8 };

/* a copy, or a call */
typedef struct fake_item {
    void *to;
    const void *from;
    size_t bytes;
    void (*run)(void *user);
} fake_item;

enum { FAKE_ARRAYS = 8, FAKE_INTS = 40 };

/* a kernel, or a region, that is part of a graph: all that its call names is copied */
typedef struct fake_launch {
    struct fake_launch *next;
    agn_kernel *run;
    agn_kernel_call kernel;
    agn_region_call region;
    agn_array array[FAKE_ARRAYS];
    int64_t shape[FAKE_ARRAYS][FAKE_RANK], stride[FAKE_ARRAYS][FAKE_RANK], ints[FAKE_INTS];
    double reals[FAKE_INTS];
    void *address[FAKE_ARRAYS];
} fake_launch;
typedef struct fake_graph {
    fake_launch *first, **last;
} fake_graph;

static struct {
    char *arena[FAKE_DEVICES];
    size_t used[FAKE_DEVICES];
    int live, to_device, to_host, copies, kernels, open, declined;
    size_t largest_in;    /* most bytes that came from the host at once */
    int strided_copies;   /* of the kernel copy */
    bool no_memory;
    agn_status fault;     /* found by a kernel, told by the next wait for all or for its mark */
    uint64_t mark, waited, fault_mark;
    fake_item queue[FAKE_QUEUE];
    int queued;
    int host_blocks;      /* pinned and managed memory */
    int fills, peers, async, timers, lent;
    void *own[FAKE_DEVICES];              /* the caller's stream */
    void *joined[2];                      /* the last one that was waited for, and that waited */
    uint64_t donated;     /* inputs that kernels were given up to */
    bool full_hand;       /* no workspace is found */
    void (*region)(const agn_region_call *c); /* what a compiler of regions gives; NULL: there is none */
    const char *asked;    /* part that the last text must have */
    int compiled, run, freed;
    bool graphs;          /* they can be made */
    fake_graph *graph;    /* is being made */
    int recorded, kept, launched, graphs_freed;
} fake;

static void fake_open(void);
static void fake_close(void);

/* what is queued is done */
static void fake_drain(void)
{
    int n = fake.queued;
    fake.queued = 0;
    for (int i = 0; i < n; i++) {
        fake_item *q = fake.queue + i;
        if (q->run) {
            q->run(q->to);
        } else {
            fake_open();
            memcpy(q->to, q->from, q->bytes);
            fake_close();
        }
    }
}
static void fake_enqueue(fake_item q)
{
    if (fake.queued == FAKE_QUEUE)
        fake_drain();
    fake.queue[fake.queued++] = q;
}

static void fake_open(void)
{
    if (fake.queued)
        fake_drain();
    if (fake.open++ == 0)
        for (int i = 0; i < FAKE_DEVICES; i++)
            mprotect(fake.arena[i], FAKE_ARENA, PROT_READ | PROT_WRITE);
}
static void fake_close(void)
{
    if (--fake.open == 0)
        for (int i = 0; i < FAKE_DEVICES; i++)
            mprotect(fake.arena[i], FAKE_ARENA, PROT_NONE);
}

static int32_t fake_probe(char *why, size_t n)
{
    (void)why, (void)n;
    for (int i = 0; i < FAKE_DEVICES; i++) {
        fake.arena[i] = mmap(NULL, FAKE_ARENA, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (fake.arena[i] == MAP_FAILED)
            return 0;
    }
    return FAKE_DEVICES;
}
/* of a second back end over the same arenas */
static inline int32_t fake_probe_again(char *why, size_t n)
{
    (void)why, (void)n;
    return FAKE_DEVICES;
}
/* what needs memory or the host is no part of a graph */
#define FAKE_OUTSIDE()  \
    if (fake.graph)     \
        return agn_backend_fail(AGN_EUNSUPPORTED, "fake: not within a graph")

static agn_status fake_alloc(int32_t device, size_t bytes, void **p)
{
    FAKE_OUTSIDE();
    size_t room = (bytes + 64) / 64 * 64;
    if (fake.no_memory || room > FAKE_ARENA - fake.used[device])
        return agn_backend_fail(AGN_ENOMEM, "fake: the arena is full");
    *p = fake.arena[device] + fake.used[device];
    fake.used[device] += room;
    fake.live++;
    return AGN_OK;
}
static void fake_free(int32_t device, void *p, size_t bytes)
{
    (void)p, (void)bytes;
    if (--fake.live == 0)
        fake.used[0] = fake.used[1] = 0;
    (void)device;
}
static agn_status fake_move(void *to, const void *from, size_t bytes)
{
    fake_open();
    memcpy(to, from, bytes);
    fake_close();
    return AGN_OK;
}
static agn_status fake_to_device(int32_t device, void *to, const void *from, size_t bytes)
{
    (void)device;
    FAKE_OUTSIDE();
    fake.to_device++;
    fake.largest_in = bytes > fake.largest_in ? bytes : fake.largest_in;
    return fake_move(to, from, bytes);
}
static agn_status fake_to_host(int32_t device, void *to, const void *from, size_t bytes)
{
    (void)device;
    FAKE_OUTSIDE();
    fake.to_host++;
    return fake_move(to, from, bytes);
}
static agn_status fake_copy(int32_t device, void *to, const void *from, size_t bytes)
{
    (void)device;
    FAKE_OUTSIDE();
    fake.copies++;
    return fake_move(to, from, bytes);
}
static void *fake_stream(int32_t device)
{
    return fake.own[device] ? fake.own[device] : fake.arena[device];
}
static uint64_t fake_record(int32_t device)
{
    (void)device;
    return ++fake.mark;
}
static agn_status fake_wait(int32_t device, uint64_t mark)
{
    (void)device;
    fake_drain();
    fake.waited = mark;
    return mark <= fake.mark ? AGN_OK : agn_backend_fail(AGN_EDEVICE, "fake: no such mark");
}
static agn_status fake_synchronize(int32_t device)
{
    (void)device;
    FAKE_OUTSIDE();
    fake_drain();
    agn_status st = fake.fault;
    fake.fault = AGN_OK;
    return st ? agn_backend_fail(st, "gather: index 7 at place 2 is out of range for size 3")
              : AGN_OK;
}

/* ---- version 2 -------------------------------------------------------------------------- */

/* every function of version 2, and every kernel, is handed this */
static bool fake_knows(const void *context)
{
    return context == &fake;
}
#define FAKE_CONTEXT(context)     \
    if (!fake_knows(context))     \
        return agn_backend_fail(AGN_EDEVICE, "fake: another context")

static agn_status fake_properties(void *context, int32_t device, agn_device_properties *p)
{
    FAKE_CONTEXT(context);
    strcpy(p->name, "a device of the tests");
    p->version[0] = 2, p->version[1] = device;
    p->memory_kinds = (1u << AGN_MEMORY_KINDS) - 1;
    p->memory_total = FAKE_ARENA;
    p->memory_free = (int64_t)(FAKE_ARENA - fake.used[device]);
    return AGN_OK;
}
static agn_status fake_alloc_kind(void *context, int32_t device, agn_memory kind, size_t bytes,
                                  void **p)
{
    (void)device, (void)kind;
    FAKE_CONTEXT(context);
    void *q = fake.no_memory ? NULL : malloc(bytes + 1);
    if (!q)
        return agn_backend_fail(AGN_ENOMEM, "fake: the host has no memory");
    *p = q;
    fake.host_blocks++;
    return AGN_OK;
}
static void fake_free_kind(void *context, int32_t device, agn_memory kind, void *p, size_t bytes)
{
    (void)context, (void)device, (void)kind, (void)bytes;
    fake_drain();
    free(p);
    fake.host_blocks--;
}
static agn_status fake_fill(void *context, int32_t device, void *to, const void *value,
                            size_t value_bytes, size_t count)
{
    (void)device;
    FAKE_CONTEXT(context);
    fake_open();
    fake.fills++;
    for (size_t i = 0; i < count; i++)
        memcpy((char *)to + i * value_bytes, value, value_bytes);
    fake_close();
    return AGN_OK;
}
static agn_status fake_copy_async(void *context, int32_t device, void *to, const void *from,
                                  size_t bytes, bool to_host)
{
    (void)device, (void)to_host;
    FAKE_CONTEXT(context);
    fake.async++;
    fake_enqueue((fake_item){to, from, bytes, NULL});
    return AGN_OK;
}
static agn_status fake_copy_peer(void *context, int32_t to_device, void *to, int32_t from_device,
                                 const void *from, size_t bytes)
{
    FAKE_CONTEXT(context);
    if (to_device == from_device)
        return agn_backend_fail(AGN_EDEVICE, "fake: a device is no peer of itself");
    fake.peers++;
    return fake_move(to, from, bytes);
}
static agn_status fake_use_stream(void *context, int32_t device, void *stream)
{
    FAKE_CONTEXT(context);
    fake_drain();
    fake.own[device] = stream;
    return AGN_OK;
}
static agn_status fake_join_stream(void *context, int32_t device, void *stream, bool back)
{
    (void)device;
    FAKE_CONTEXT(context);
    fake.joined[back] = stream;
    return AGN_OK;
}
static agn_status fake_wait_fault(void *context, int32_t device, uint64_t mark)
{
    FAKE_CONTEXT(context);
    agn_status st = fake_wait(device, mark);
    return st || !fake.fault || fake.fault_mark > mark ? st : fake_synchronize(device);
}
static agn_status fake_call_host(void *context, int32_t device, void (*run)(void *user), void *user)
{
    (void)device;
    FAKE_CONTEXT(context);
    fake_enqueue((fake_item){.to = user, .run = run});
    return AGN_OK;
}
/* half a second for each kernel */
static agn_status fake_start_timer(void *context, int32_t device, void **timer)
{
    (void)device;
    FAKE_CONTEXT(context);
    int *t = malloc(sizeof *t);
    if (!t)
        return agn_backend_fail(AGN_ENOMEM, "fake: no memory");
    *t = fake.kernels;
    *timer = t;
    fake.timers++;
    return AGN_OK;
}
static agn_status fake_stop_timer(void *context, int32_t device, void *timer, double *seconds)
{
    (void)device;
    *seconds = 0.5 * (fake.kernels - *(int *)timer);
    free(timer);
    fake.timers--;
    FAKE_CONTEXT(context);
    return AGN_OK;
}

/* A compiler of regions that knows one function, which the test gives it. */
static agn_status fake_compile_region(int32_t device, agn_region_text *r, void **region)
{
    (void)device;
    if (!fake.region)
        return agn_backend_fail(AGN_EUNSUPPORTED, "fake has no compiler");
    if (r->size != sizeof *r || !strstr(r->text, "region") || !strstr(r->text, fake.asked))
        return agn_backend_fail(AGN_EDEVICE, "fake: another text");
    fake.compiled += !r->together; /* as a back end that does not know of it: resident stays 0 */
    *region = &fake.region;
    return AGN_OK;
}
static agn_status fake_keep_region(const agn_region_call *c);
static agn_status fake_run_region(void *region, const agn_region_call *c)
{
    if (region != &fake.region || c->size != sizeof *c)
        return agn_backend_fail(AGN_EDEVICE, "fake: another region");
    if (fake.graph)
        return fake_keep_region(c);
    fake.run++;
    fake_open();
    fake.region(c);
    fake_close();
    return AGN_OK;
}
static void fake_free_region(void *region)
{
    fake.freed += region == &fake.region;
}

/* tanh works in memory that it is lent: as much as its result has */
static agn_status fake_workspace(void *context, const agn_kernel_call *c, size_t *bytes)
{
    FAKE_CONTEXT(context);
    if (fake.full_hand)
        return agn_backend_fail(AGN_EDEVICE, "fake does not know what it needs");
    int64_t n = 1;
    for (int d = 0; d < c->out->ndim; d++)
        n *= c->out->shape[d];
    *bytes = strcmp(c->op, "tanh") ? 0 : (size_t)n * sizeof(double);
    return AGN_OK;
}

/* ---- graphs of launches ---------------------------------------------------------------- */

static agn_status fake_begin_graph(int32_t device, void **stream)
{
    (void)device;
    FAKE_OUTSIDE();
    fake_graph *g = fake.graphs ? calloc(1, sizeof *g) : NULL;
    if (!g)
        return agn_backend_fail(AGN_EUNSUPPORTED, "fake makes no graphs");
    g->last = &g->first;
    *stream = fake.graph = g;
    return AGN_OK;
}
static agn_status fake_end_graph(int32_t device, void **graph)
{
    (void)device;
    *graph = fake.graph;
    fake.graph = NULL;
    fake.recorded++;
    return AGN_OK;
}
static void fake_free_graph(int32_t device, void *graph)
{
    fake_graph *g = graph;
    (void)device;
    for (fake_launch *l = g->first, *next; l; l = next) {
        next = l->next;
        free(l);
    }
    free(g);
    fake.graphs_freed++;
}

/* a launch at the end of the graph that is being made, or NULL */
static fake_launch *fake_append(const void *stream)
{
    fake_launch *l = stream == fake.graph ? calloc(1, sizeof *l) : NULL;
    if (!l)
        return NULL;
    *fake.graph->last = l;
    fake.graph->last = &l->next;
    fake.kept++;
    return l;
}
static agn_status fake_keep(const agn_kernel_call *c, agn_kernel *run)
{
    fake_launch *l = c->n_in + c->n_out <= FAKE_ARRAYS && c->n_int <= FAKE_INTS &&
                             c->n_real <= FAKE_INTS
                         ? fake_append(c->stream)
                         : NULL;
    if (!l)
        return agn_backend_fail(AGN_EUNSUPPORTED, "fake: not on the stream of the graph");
    l->run = run;
    l->kernel = *c;
    for (int i = 0; i < c->n_in + c->n_out; i++) {
        const agn_array *x = i < c->n_in ? c->in + i : c->out + (i - c->n_in);
        size_t bytes = (size_t)x->ndim * sizeof(int64_t);
        l->array[i] = *x;
        l->array[i].shape = memcpy(l->shape[i], x->shape, bytes);
        l->array[i].stride = memcpy(l->stride[i], x->stride, bytes);
    }
    l->kernel.in = l->array;
    l->kernel.out = l->array + c->n_in;
    if (c->n_int)
        l->kernel.ints = memcpy(l->ints, c->ints, (size_t)c->n_int * sizeof *l->ints);
    if (c->n_real)
        l->kernel.reals = memcpy(l->reals, c->reals, (size_t)c->n_real * sizeof *l->reals);
    return AGN_OK;
}
/* at the head of each kernel: within a graph it is kept */
#define FAKE_KEPT(c, run) \
    if (fake.graph)       \
        return fake_keep(c, run)

static agn_status fake_keep_region(const agn_region_call *c)
{
    fake_launch *l = c->n_array <= FAKE_ARRAYS && c->n_number <= FAKE_INTS
                         ? fake_append(c->stream)
                         : NULL;
    if (!l)
        return agn_backend_fail(AGN_EUNSUPPORTED, "fake: not on the stream of the graph");
    l->region = *c;
    l->region.array = memcpy(l->address, c->array, (size_t)c->n_array * sizeof *l->address);
    if (c->n_number)
        l->region.number = memcpy(l->reals, c->number, (size_t)c->n_number * sizeof *l->reals);
    return AGN_OK;
}

static agn_status fake_launch_graph(int32_t device, void *graph)
{
    agn_status st = AGN_OK;
    FAKE_OUTSIDE();
    fake.launched++;
    for (fake_launch *l = ((fake_graph *)graph)->first; l && !st; l = l->next) {
        l->kernel.stream = l->region.stream = fake_stream(device);
        st = l->run ? l->run(&l->kernel) : fake_run_region(&fake.region, &l->region);
    }
    return st;
}

typedef struct fake_colour {
    agn_extension head;
    int rgb;
} fake_colour;
static const agn_extension fake_last = {sizeof fake_last, "fake_last", NULL};
static const fake_colour fake_first = {{sizeof fake_first, "fake_colour", &fake_last}, 0x1748};

/* ---- kernels ---------------------------------------------------------------------------- */

static int64_t fake_size(const agn_array *x)
{
    int64_t n = 1;
    for (int d = 0; d < x->ndim; d++)
        n *= x->shape[d];
    return n;
}
/* place of element i of an array of y's shape in x, which broadcasts to it */
static int64_t fake_at(const agn_array *x, const agn_array *y, int64_t i)
{
    int64_t at = 0;
    for (int d = y->ndim - 1; d >= 0; d--) {
        int e = d - (y->ndim - x->ndim);
        if (e >= 0 && x->shape[e] != 1)
            at += i % y->shape[d] * x->stride[e];
        i /= y->shape[d];
    }
    return at;
}
#define F64(x, at) (((double *)(x)->data)[at])

#define FAKE_EW(name, expr) \
    static agn_status fake_##name(const agn_kernel_call *c) \
    { \
        const agn_array *y = c->out, *x = c->in, *z = c->in + c->n_in - 1; \
        FAKE_KEPT(c, fake_##name); \
        fake_open(); \
        fake.kernels++; \
        for (int64_t i = 0, n = fake_size(y); i < n; i++) { \
            double a = F64(x, fake_at(x, y, i)), b = F64(z, fake_at(z, y, i)); \
            (void)b; \
            F64(y, fake_at(y, y, i)) = expr; \
        } \
        fake_close(); \
        return AGN_OK; \
    }
FAKE_EW(add, a + b)
FAKE_EW(sub, a - b)
FAKE_EW(mul, a *b)
FAKE_EW(mulz, a == 0 || b == 0 ? 0 : a * b)
FAKE_EW(div, a / b)
FAKE_EW(neg, -a)

/* leaves nothing of an operand that was given up */
static agn_status fake_exp(const agn_kernel_call *c)
{
    FAKE_KEPT(c, fake_exp);
    fake_open();
    fake.kernels++;
    fake.donated |= c->donated;
    for (int64_t i = 0, n = fake_size(c->out); i < n; i++) {
        F64(c->out, i) = exp(F64(c->in, i));
        if (c->donated & 1 && c->in->data != c->out->data)
            F64(c->in, i) = (double)NAN;
    }
    fake_close();
    return AGN_OK;
}
static agn_status fake_tanh(const agn_kernel_call *c)
{
    int64_t n = fake_size(c->out);
    FAKE_CONTEXT(c->context);
    if (n && (!c->scratch || c->scratch_size < (size_t)n * sizeof(double)))
        return agn_backend_fail(AGN_EDEVICE, "fake: tanh has nothing to work in");
    FAKE_KEPT(c, fake_tanh);
    fake_open();
    fake.kernels++;
    fake.lent++;
    for (int64_t i = 0; i < n; i++)
        ((double *)c->scratch)[i] = tanh(F64(c->in, fake_at(c->in, c->out, i)));
    for (int64_t i = 0; i < n; i++)
        F64(c->out, fake_at(c->out, c->out, i)) = ((double *)c->scratch)[i];
    fake_close();
    return AGN_OK;
}

static agn_status fake_ne(const agn_kernel_call *c)
{
    const agn_array *y = c->out, *a = c->in, *b = c->in + 1;
    FAKE_KEPT(c, fake_ne);
    fake_open();
    fake.kernels++;
    for (int64_t i = 0, n = fake_size(y); i < n; i++)
        ((bool *)y->data)[fake_at(y, y, i)] = F64(a, fake_at(a, y, i)) != F64(b, fake_at(b, y, i));
    fake_close();
    return AGN_OK;
}

static agn_status fake_where(const agn_kernel_call *c)
{
    const agn_array *y = c->out, *m = c->in, *a = c->in + 1, *b = c->in + 2;
    FAKE_KEPT(c, fake_where);
    fake_open();
    fake.kernels++;
    for (int64_t i = 0, n = fake_size(y); i < n; i++)
        F64(y, fake_at(y, y, i)) = ((bool *)m->data)[fake_at(m, y, i)] ? F64(a, fake_at(a, y, i))
                                                                      : F64(b, fake_at(b, y, i));
    fake_close();
    return AGN_OK;
}

static agn_status fake_copy_kernel(const agn_kernel_call *c)
{
    static const int bytes[] = {1, 1, 1, 2, 4, 8, 2, 2, 4, 8, 8, 16};
    const agn_array *x = c->in, *y = c->out;
    int64_t b = bytes[x->dtype];
    FAKE_KEPT(c, fake_copy_kernel);
    fake_open();
    fake.kernels++;
    fake.strided_copies++;
    for (int64_t i = 0, n = fake_size(y); i < n; i++)
        memcpy((char *)y->data + fake_at(y, y, i) * b, (char *)x->data + fake_at(x, y, i) * b,
               (size_t)b);
    fake_close();
    return AGN_OK;
}

/* takes contiguous operands only: the dispatcher must see to it */
static agn_status fake_sum(const agn_kernel_call *c)
{
    const agn_array *x = c->in, *y = c->out;
    bool gone[FAKE_RANK] = {false};
    int64_t step[FAKE_RANK], unit = 1;
    for (int k = 1; k < c->n_int; k++)
        gone[c->ints[k] + x->ndim] = true;
    for (int d = x->ndim - 1; d >= 0; d--) {
        step[d] = gone[d] ? 0 : unit;
        unit *= gone[d] ? 1 : x->shape[d];
    }
    FAKE_KEPT(c, fake_sum);
    fake_open();
    fake.kernels++;
    memset(y->data, 0, (size_t)fake_size(y) * sizeof(double));
    for (int64_t i = 0, n = fake_size(x); i < n; i++) {
        int64_t at = 0, rest = i;
        for (int d = x->ndim - 1; d >= 0; d--) {
            at += rest % x->shape[d] * step[d];
            rest /= x->shape[d];
        }
        F64(y, at) += F64(x, i);
    }
    fake_close();
    return AGN_OK;
}

static agn_status fake_matmul(const agn_kernel_call *c)
{
    const agn_array *a = c->in, *b = c->in + 1, *y = c->out;
    int64_t m = y->shape[y->ndim - 2], n = y->shape[y->ndim - 1], k = a->shape[a->ndim - 1];
    int64_t batch = m && n ? fake_size(y) / (m * n) : 0;
    int64_t sa = fake_size(a) == m * k ? 0 : m * k, sb = fake_size(b) == k * n ? 0 : k * n;
    FAKE_KEPT(c, fake_matmul);
    fake_open();
    fake.kernels++;
    for (int64_t i = 0; i < batch * m * n; i++) {
        int64_t l = i / (m * n), r = i / n % m, q = i % n;
        double sum = 0;
        for (int64_t j = 0; j < k; j++)
            sum += F64(a, l * sa + r * k + j) * F64(b, l * sb + j * n + q);
        F64(y, i) = sum;
    }
    fake_close();
    return AGN_OK;
}

/* along the only axis of x; an index outside is a fault found later */
static agn_status fake_gather(const agn_kernel_call *c)
{
    const agn_array *x = c->in, *idx = c->in + 1, *y = c->out;
    if (x->ndim != 1 || idx->dtype != AGN_I64)
        return agn_backend_fail(AGN_EUNSUPPORTED, "gather: fake picks from vectors by i64 only");
    FAKE_KEPT(c, fake_gather);
    fake_open();
    fake.kernels++;
    for (int64_t i = 0, n = fake_size(y); i < n; i++) {
        int64_t k = ((int64_t *)idx->data)[i];
        bool in = k >= -x->shape[0] && k < x->shape[0];
        if (!in) {
            fake.fault = AGN_EINDEX;
            fake.fault_mark = fake.mark + 1;
        }
        F64(y, i) = in ? F64(x, k < 0 ? k + x->shape[0] : k) : (double)NAN;
    }
    fake_close();
    return AGN_OK;
}
static agn_status fake_scatter_add(const agn_kernel_call *c)
{
    const agn_array *x = c->in, *idx = c->in + 1, *v = c->in + 2, *y = c->out;
    FAKE_KEPT(c, fake_scatter_add);
    fake_open();
    fake.kernels++;
    memcpy(y->data, x->data, (size_t)fake_size(y) * sizeof(double));
    for (int64_t i = 0, n = fake_size(v); i < n; i++) {
        int64_t k = ((int64_t *)idx->data)[i];
        F64(y, k < 0 ? k + x->shape[0] : k) += F64(v, i);
    }
    fake_close();
    return AGN_OK;
}

/* a kernel that takes nothing: what else there is runs */
static agn_status fake_decline(const agn_kernel_call *c)
{
    (void)c;
    fake.declined++;
    return agn_backend_fail(AGN_EUNSUPPORTED, "fake declines");
}

static const agn_kernel_entry fake_table[] = {
    {"add", AGN_F64, true, fake_add},
    {"sub", AGN_F64, true, fake_sub},
    {"mul", AGN_F64, true, fake_mul},
    {"mulz", AGN_F64, true, fake_mulz},
    {"div", AGN_F64, true, fake_div},
    {"neg", AGN_F64, true, fake_neg},
    {"exp", AGN_F64, false, fake_exp},
    {"tanh", AGN_F64, true, fake_tanh},
    {"ne", AGN_F64, true, fake_ne},
    {"where", AGN_F64, true, fake_where},
    {"copy", -1, true, fake_copy_kernel},
    {"sum", AGN_F64, false, fake_sum},
    {"matmul", AGN_F64, false, fake_matmul},
    {"gather", AGN_F64, false, fake_gather},
    {"scatter_add", AGN_F64, false, fake_scatter_add},
    {"reshape", AGN_F64, true, fake_decline},
    {"linalg_schur", AGN_F64, false, fake_decline},
    {"expm1", AGN_F64, true, fake_decline},
};

static const agn_backend fake_backend = {
    .size = sizeof(agn_backend),
    .abi = AGN_BACKEND_ABI,
    .name = "fake",
    .probe = fake_probe,
    .alloc = fake_alloc,
    .free = fake_free,
    .to_device = fake_to_device,
    .to_host = fake_to_host,
    .copy = fake_copy,
    .stream = fake_stream,
    .record = fake_record,
    .wait = fake_wait,
    .synchronize = fake_synchronize,
    .kernels = fake_table,
    .n_kernels = (int32_t)(sizeof fake_table / sizeof *fake_table),
    .compile_region = fake_compile_region,
    .run_region = fake_run_region,
    .free_region = fake_free_region,
    .begin_graph = fake_begin_graph,
    .end_graph = fake_end_graph,
    .launch_graph = fake_launch_graph,
    .free_graph = fake_free_graph,
    .context = &fake,
    .extensions = &fake_first.head,
    .properties = fake_properties,
    .alloc_kind = fake_alloc_kind,
    .free_kind = fake_free_kind,
    .fill = fake_fill,
    .copy_async = fake_copy_async,
    .copy_peer = fake_copy_peer,
    .use_stream = fake_use_stream,
    .join_stream = fake_join_stream,
    .wait_fault = fake_wait_fault,
    .call_host = fake_call_host,
    .start_timer = fake_start_timer,
    .stop_timer = fake_stop_timer,
    .workspace = fake_workspace,
};

#endif
