/**
 * agnesi/backend.h - for those who add a device, a kernel or an op from outside
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A back end is a table of functions: memory, copies, streams and kernels. The dispatcher
 * finds a kernel as table[op][compute dtype] of the device; where there is none it tries
 * contiguous operands, then the op's decomposition, then a run on the host if the op is named
 * for that (agn_host_run_name), then fails with AGN_EUNSUPPORTED.
 */
#ifndef AGNESI_BACKEND_H
#define AGNESI_BACKEND_H

#include <agnesi/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Version of the structures of this header. Within a version structures only grow at their ends:
    what a shorter one lacks is absent, what a longer one adds is not looked at. */
#define AGN_BACKEND_ABI 2

/** One operand of a kernel: strides count elements and may be zero or negative. */
typedef struct agn_array {
    void *data; /* address of element [0, ..., 0] on the device */
    int32_t dtype;
    int32_t ndim;
    const int64_t *shape;
    const int64_t *stride;
} agn_array;

/** What a kernel is called with. Outputs never overlap inputs unless they are equal. */
typedef struct agn_kernel_call {
    size_t size; /* sizeof(agn_kernel_call) */
    const char *op;
    int32_t n_in, n_out;
    const agn_array *in;
    const agn_array *out;
    int32_t n_int, n_real;
    const int64_t *ints;  /* attributes; axes count from the end (-1 is the last) */
    const double *reals;
    const void *object;   /* counted attribute: a sparse pattern, a user op's data */
    int32_t device;       /* ordinal within the back end */
    void *stream;         /* the back end's stream */
    void *scratch;        /* scratch_size bytes to work in, as workspace asked for; may be NULL */
    size_t scratch_size;
    void *context;        /* the back end's */
    uint64_t donated;     /* bit i: nobody reads in[i] after the call, which may write there */
} agn_kernel_call;

/**
 * A kernel: AGN_OK, or a failure reported through agn_backend_fail. AGN_EUNSUPPORTED declines the
 * call before anything is written: the op's decomposition is tried, then a run on the host.
 */
typedef agn_status agn_kernel(const agn_kernel_call *call);

/** One entry of a kernel table. strided: takes any strides, else contiguous operands. */
typedef struct agn_kernel_entry {
    const char *op;
    int32_t dtype; /* compute dtype, or -1 for all */
    bool strided;
    agn_kernel *run;
} agn_kernel_entry;

/** A region of a plan as text: CUDA C++ without headers that defines the kernel "region" and,
    where sums is not 0, "region_sum", each with one argument passed by value: a struct of n_array
    addresses, the addresses tiles and sums, and n_number numbers (double). Functions that it
    calls begin with "t_"; the back end defines them (tensor/cuda/region_functions.h). */
typedef struct agn_region_text {
    size_t size; /* sizeof(agn_region_text) */
    const char *text;
    int32_t n_array, n_number;
    int32_t blocks, threads; /* of "region"; "region_sum" has as many threads in a block */
    int32_t sum_blocks;      /* of "region_sum", which runs after it with as much shared memory;
                                0: there is none */
    int64_t tile_bytes;      /* memory that a block works in: shared, or its part of tiles */
    bool tiles;              /* out: the caller lends memory for the tiles of all blocks */
    int64_t kept_bytes;      /* of shared memory before the tile, wherever that is; where a block
                                has less: AGN_EUNSUPPORTED */
    bool together;           /* blocks of "region" wait for each other: all that are launched run
                                at once, and take in turns what more of them there is to do */
    int32_t resident;        /* out, where together: so many are launched, `blocks` at most; 0: the
                                back end does not know of it, and the region is not run */
} agn_region_text;

/** What a region is run with. */
typedef struct agn_region_call {
    size_t size; /* sizeof(agn_region_call) */
    int32_t n_array, n_number;
    void *const *array;
    const double *number;
    void *tiles, *sums;
    int32_t device;
    void *stream;
} agn_region_call;

/** A record of what two sides agree on beyond this header: a chain, found by name. */
typedef struct agn_extension {
    size_t size; /* of the record that begins with this structure */
    const char *name;
    const struct agn_extension *next;
} agn_extension;

/** Kinds of memory that a device works with. */
typedef enum agn_memory {
    AGN_MEMORY_DEVICE,  /* its own */
    AGN_MEMORY_PINNED,  /* the host's, which copies reach without staging */
    AGN_MEMORY_MANAGED, /* touched by both; pages move */
    AGN_MEMORY_KINDS
} agn_memory;

/** What a device is. -1 and "" where the back end does not say. */
typedef struct agn_device_properties {
    size_t size; /* sizeof(agn_device_properties) */
    char name[128];
    int32_t version[2];    /* of what it runs: compute capability */
    int32_t units;         /* processors with a scheduler of their own */
    uint32_t memory_kinds; /* bit k: agn_memory k can be had */
    int64_t memory_total, memory_free; /* bytes */
} agn_device_properties;

/** A back end. Functions get the ordinal of the device; those of the second half may be NULL. */
typedef struct agn_backend {
    size_t size; /* sizeof(agn_backend) */
    int32_t abi; /* AGN_BACKEND_ABI */
    const char *name;
    bool host_visible; /* the host may read and write device memory directly */
    /* number of usable devices; 0 and a reason in why[n] where there is none */
    int32_t (*probe)(char *why, size_t n);
    agn_status (*alloc)(int32_t device, size_t bytes, void **p);
    void (*free)(int32_t device, void *p, size_t bytes); /* ordered on the stream */
    agn_status (*to_device)(int32_t device, void *dst, const void *src, size_t bytes);
    agn_status (*to_host)(int32_t device, void *dst, const void *src, size_t bytes);
    agn_status (*copy)(int32_t device, void *dst, const void *src, size_t bytes);
    void *(*stream)(int32_t device); /* the stream kernels run on; may be NULL */
    /* marks the end of the work queued so far; waits until that mark; waits for all */
    uint64_t (*record)(int32_t device);
    agn_status (*wait)(int32_t device, uint64_t mark);
    agn_status (*synchronize)(int32_t device); /* returns a device fault, once */
    const agn_kernel_entry *kernels;
    int32_t n_kernels;
    /* ---- may be NULL ---- */
    /* Regions of plans: AGN_EUNSUPPORTED where no compiler is at hand or it refuses the text; the
       plan then consists of kernels of the table. A compiled region belongs to its device. */
    agn_status (*compile_region)(int32_t device, agn_region_text *r, void **region);
    agn_status (*run_region)(void *region, const agn_region_call *call);
    void (*free_region)(void *region);
    /* Graphs of launches: between begin and end, kernels are called with *stream, which keeps what
       they queue; what needs memory or the host meanwhile fails. launch queues what was kept. */
    agn_status (*begin_graph)(int32_t device, void **stream);
    agn_status (*end_graph)(int32_t device, void **graph); /* NULL: nothing is kept */
    agn_status (*launch_graph)(int32_t device, void *graph);
    void (*free_graph)(int32_t device, void *graph); /* ordered on the stream */
    /* Version 2. The context is handed to what follows and to kernels. */
    void *context;
    const agn_extension *extensions;
    /* Fills what it knows; the rest is set. NULL: nothing is known but memory of the device */
    agn_status (*properties)(void *context, int32_t device, agn_device_properties *out);
    /* Memory of a kind; NULL: agn_memory of the device alone, or of the host where that is it */
    agn_status (*alloc_kind)(void *context, int32_t device, agn_memory kind, size_t bytes,
                             void **p);
    void (*free_kind)(void *context, int32_t device, agn_memory kind, void *p, size_t bytes);
    /* Queues count copies of value_bytes bytes; NULL: they are copied from the host */
    agn_status (*fill)(void *context, int32_t device, void *dst, const void *value,
                       size_t value_bytes, size_t count);
    /* Queues a copy between the host and the device, whose memory stays until a later mark is
       waited for; NULL: to_device and to_host */
    agn_status (*copy_async)(void *context, int32_t device, void *dst, const void *src,
                             size_t bytes, bool to_host);
    /* Queues a copy between two devices of this back end, which work queued on either before and
       after keeps its order with; NULL: by way of the host */
    agn_status (*copy_peer)(void *context, int32_t dst_device, void *dst, int32_t src_device,
                            const void *src, size_t bytes);
    /* Work is queued on the caller's stream from now on, after what was queued; with NULL on the
       back end's own again. NULL: the back end's own is the only one */
    agn_status (*use_stream)(void *context, int32_t device, void *stream);
    /* The device waits for what stream holds, or (back) stream for what the device was given */
    agn_status (*join_stream)(void *context, int32_t device, void *stream, bool back);
    /* Waits for a mark, returns the fault of work up to it, once. NULL: only synchronize does */
    agn_status (*wait_fault)(void *context, int32_t device, uint64_t mark);
    /* Queues a call on the host, which calls nothing of this library; NULL: after a wait */
    agn_status (*call_host)(void *context, int32_t device, void (*run)(void *user), void *user);
    /* Time on the device between two points of its queue; stop waits and frees. NULL: no clock */
    agn_status (*start_timer)(void *context, int32_t device, void **timer);
    agn_status (*stop_timer)(void *context, int32_t device, void *timer, double *seconds);
    /* Bytes that the kernel of a call wants as scratch: data of the arrays may be NULL. What is
       lent is not NULL and is there until the work queued by the call has ended. NULL: none */
    agn_status (*workspace)(void *context, const agn_kernel_call *call, size_t *bytes);
} agn_backend;

/**
 * agn_backend_register - add a back end; its devices are then "name:0", "name:1", ...
 *
 * @param b  kept by reference: must live as long as the process
 * @errors   AGN_ENULL, AGN_EARG (version, size, missing function, name taken, too many),
 *           AGN_EDEVICE (probe found no device; the reason is in the message)
 */
AGN_API AGN_MUST_CHECK agn_status agn_backend_register(const agn_backend *b);

/**
 * agn_backend_fail - report a failure from inside a back end or kernel
 *
 * @param st    status to return
 * @param text  message, copied
 * @return      st
 */
AGN_API agn_status agn_backend_fail(agn_status st, const char *text);

/**
 * agn_backend_status - what became of a back end: found and usable, or why not
 *
 * @param name  "cpu", "cuda" or another name
 * @param why   out, "" or the reason; valid until this thread's next call; may be NULL
 * @return      number of usable devices
 */
AGN_API int32_t agn_backend_status(const char *name, const char **why);

/**
 * agn_backend_extension - record of a back end's chain of extensions
 *
 * @param backend  name of a back end that is known: agn_backend_status loads it
 * @param name     name of the record
 * @return         the record, static; NULL if there is none
 */
AGN_API const agn_extension *agn_backend_extension(const char *backend, const char *name);

/* ---- runs on the host ------------------------------------------------------------------ */

/**
 * agn_host_run_name - i-th name of the table of what runs on the host
 *
 * Some ops and functions are loops over single numbers, or factorisations that have no kernel on
 * devices. Those of this table copy operands on a device to the host, run there, and
 * copy their results back; the call waits for the device. All others run on the device or are
 * AGN_EUNSUPPORTED. In a compiled function such an op is a step between graphs of launches.
 *
 * @param i    from 0 on
 * @param why  out, the reason in a few words; may be NULL
 * @return     name of an op, or of a function without agn_; NULL beyond the table; static
 */
AGN_API const char *agn_host_run_name(int32_t i, const char **why);

/**
 * agn_host_run_count - how often calls of this thread went to the host
 *
 * @param runs   out, ops and functions of the table that ran on the host for tensors of a
 *               device; may be NULL
 * @param reads  out, waits for indices, counts or keys that a loop of the host reads: where
 *               edges or entries are, how large a result is; may be NULL
 */
AGN_API void agn_host_run_count(int64_t *runs, int64_t *reads);

/**
 * agn_host_run_last - which op or function of this thread was the last that agn_host_run_count
 * counted
 *
 * @return  its name, "" if there was none; static
 */
AGN_API const char *agn_host_run_last(void);

/**
 * agn_host_run_allow - allow or refuse runs on the host, in all threads
 *
 * Where they are refused, what has no kernel is AGN_EUNSUPPORTED. They are allowed at first.
 *
 * @param allow  false: refuse
 * @return       what was set before
 */
AGN_API bool agn_host_run_allow(bool allow);

/* ---- sparse patterns: the objects of ops of the module sparse ------------------------- */

/** Where the entries of a sparse matrix are, in host memory that never changes. */
typedef struct agn_pattern_view {
    int64_t rows, cols, nnz;
    const int64_t *indptr; /* [rows + 1] */
    const int64_t *index;  /* [nnz] columns, ascending within a row */
} agn_pattern_view;

/**
 * agn_pattern_read - look at the pattern of a kernel call
 *
 * @param out     out, valid as long as the object
 * @param object  agn_kernel_call.object of an op over a pattern
 * @errors        AGN_ENULL, AGN_EARG (the object is no pattern)
 */
AGN_API AGN_MUST_CHECK agn_status agn_pattern_read(agn_pattern_view *out,
                                                   const void *object);

/**
 * agn_pattern_mirror - what a back end keeps of a pattern, such as its copy on a device
 *
 * @param object  a pattern
 * @param key     an address of the caller's, one per device
 * @return        what agn_pattern_keep was given; NULL if nothing
 */
AGN_API void *agn_pattern_mirror(const void *object, const void *key);

/**
 * agn_pattern_keep - keep something with a pattern until the pattern is freed
 *
 * @param object   a pattern
 * @param key      an address of the caller's, one per device
 * @param mirror   handed over, not NULL
 * @param destroy  called with mirror when the pattern is freed, on any thread; also at once
 *                 where another thread was faster or there is no memory
 * @return         what is kept under key: mirror, or the other thread's; NULL without memory
 */
AGN_API void *agn_pattern_keep(const void *object, const void *key, void *mirror,
                               void (*destroy)(void *mirror));

/* ---- graphs: the objects of ops of the module geometric -------------------------------- */

/** Where the edges of a graph begin and end, in host memory that never changes. */
typedef struct agn_graph_view {
    int64_t nodes[2];   /* sources, destinations */
    int64_t edges;
    bool wide;          /* integers are int64_t, else int32_t */
    const void *end[2]; /* [edges] the source and the destination of each edge */
} agn_graph_view;

/**
 * agn_graph_read - look at the graph of a kernel call
 *
 * @param out     out, valid as long as the object
 * @param object  agn_kernel_call.object of an op over a graph
 * @errors        AGN_ENULL, AGN_EARG (the object is no graph)
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_read(agn_graph_view *out, const void *object);

/**
 * agn_graph_mirror - what a back end keeps of a graph, such as its copy on a device
 *
 * @param object  a graph
 * @param key     an address of the caller's, one per device
 * @return        what agn_graph_keep was given; NULL if nothing
 */
AGN_API void *agn_graph_mirror(const void *object, const void *key);

/**
 * agn_graph_keep - keep something with a graph until the graph is freed
 *
 * @param object   a graph
 * @param key      an address of the caller's, one per device
 * @param mirror   handed over, not NULL
 * @param destroy  called with mirror when the graph is freed, on any thread; also at once
 *                 where another thread was faster or there is no memory
 * @return         what is kept under key: mirror, or the other thread's; NULL without memory
 */
AGN_API void *agn_graph_keep(const void *object, const void *key, void *mirror,
                             void (*destroy)(void *mirror));

/** Device number of the host. */
#define AGN_CPU 0

/**
 * agn_device_find - number of a device by name
 *
 * @param out   out, device number
 * @param name  "cpu", "cuda", "cuda:1", or a registered back end's
 * @errors      AGN_ENULL, AGN_EDEVICE (no such back end or device; says what exists and why)
 */
AGN_API AGN_MUST_CHECK agn_status agn_device_find(int32_t *out, const char *name);

/**
 * agn_device_name - name of a device
 *
 * @param device  device number
 * @return        such as "cpu" or "cuda:0"; "?" for a bad number; static
 */
AGN_API const char *agn_device_name(int32_t device);

/**
 * agn_device_synchronize - wait for a device and fetch its pending fault
 *
 * @param device  device number
 * @errors        AGN_EDEVICE, or the fault that a kernel reported
 */
AGN_API AGN_MUST_CHECK agn_status agn_device_synchronize(int32_t device);

/* ---- the queue of a device -------------------------------------------------------------- */

/**
 * agn_device_record - mark the end of the work queued so far
 *
 * @param out     out, the mark; 0 where nothing is queued
 * @param device  device number
 * @errors        AGN_ENULL, AGN_EDEVICE
 */
AGN_API AGN_MUST_CHECK agn_status agn_device_record(uint64_t *out, int32_t device);

/**
 * agn_device_wait - wait for a mark and fetch the fault of work up to it
 *
 * A fault is returned once: here, by a later wait or by agn_device_synchronize. A back end
 * without faults per mark keeps them all for the last. Work that other threads queue
 * meanwhile, and that of a plan whose launches are a graph, may count as done before the mark.
 *
 * @param device  device number
 * @param mark    of agn_device_record
 * @errors        AGN_EDEVICE, or the fault that a kernel reported
 */
AGN_API AGN_MUST_CHECK agn_status agn_device_wait(int32_t device, uint64_t mark);

/**
 * agn_device_stream - the stream that work is queued on
 *
 * @param out     out, of the back end's kind (CUDA: cudaStream_t); NULL where there are none
 * @param device  device number
 * @errors        AGN_ENULL, AGN_EDEVICE
 */
AGN_API AGN_MUST_CHECK agn_status agn_device_stream(void **out, int32_t device);

/**
 * agn_device_set_stream - queue work on the caller's stream
 *
 * What was queued before runs before. No other thread may use the device meanwhile; the
 * stream must live until another one is set.
 *
 * @param device  device number
 * @param stream  of the back end's kind, of that device; NULL: the back end's own
 * @errors        AGN_EDEVICE, AGN_EUNSUPPORTED (the back end has its own stream only)
 */
AGN_API AGN_MUST_CHECK agn_status agn_device_set_stream(int32_t device, void *stream);

/**
 * agn_device_wait_stream - let a device wait for a stream: what it is given from now on runs
 * after what the stream holds now; the host does not wait
 *
 * @param device  device number
 * @param stream  of the back end's kind
 * @errors        AGN_ENULL, AGN_EDEVICE, AGN_EUNSUPPORTED (no streams)
 */
AGN_API AGN_MUST_CHECK agn_status agn_device_wait_stream(int32_t device, void *stream);

/**
 * agn_stream_wait_device - let a stream wait for a device: what the stream is given from now on
 * runs after what the device was given; the host does not wait
 *
 * @param stream  of the back end's kind
 * @param device  device number
 * @errors        AGN_ENULL, AGN_EDEVICE, AGN_EUNSUPPORTED (no streams)
 */
AGN_API AGN_MUST_CHECK agn_status agn_stream_wait_device(void *stream, int32_t device);

/**
 * agn_device_call_host - call a function of the host once the work queued so far has ended
 *
 * What is queued later waits for it. Where a back end cannot queue a call, the caller waits and
 * calls.
 *
 * @param device  device number
 * @param run     called on any thread; calls nothing of this library
 * @param user    handed to run
 * @errors        AGN_ENULL (run), AGN_EDEVICE, or a fault of the work waited for
 */
AGN_API AGN_MUST_CHECK agn_status agn_device_call_host(int32_t device, void (*run)(void *user),
                                                       void *user);

/**
 * agn_device_timer_start - begin to measure time on a device
 *
 * @param out     out, for agn_device_timer_stop
 * @param device  device number
 * @errors        AGN_ENULL, AGN_EDEVICE, AGN_EUNSUPPORTED (no clock), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_device_timer_start(void **out, int32_t device);

/**
 * agn_device_timer_stop - time between the start and the end of the work queued since; waits for it
 *
 * @param seconds  out; may be NULL
 * @param device   device number
 * @param timer    of agn_device_timer_start, freed whatever happens
 * @errors         AGN_ENULL (timer), AGN_EDEVICE, AGN_EUNSUPPORTED
 */
AGN_API AGN_MUST_CHECK agn_status agn_device_timer_stop(double *seconds, int32_t device,
                                                        void *timer);

/* ---- memory of a device ----------------------------------------------------------------- */

/**
 * agn_device_get_properties - what a device is and how much memory it has
 *
 * @param out     in: size is set; out
 * @param device  device number
 * @errors        AGN_ENULL, AGN_EARG (size), AGN_EDEVICE
 */
AGN_API AGN_MUST_CHECK agn_status agn_device_get_properties(agn_device_properties *out,
                                                            int32_t device);

/**
 * agn_device_alloc - memory of a kind
 *
 * @param out     out, to be freed by agn_device_free with the same device, kind and bytes
 * @param device  device number
 * @param kind    AGN_MEMORY_DEVICE, ...
 * @param bytes   may be 0
 * @errors        AGN_ENULL, AGN_EARG (no such kind), AGN_EDEVICE, AGN_ENOMEM,
 *                AGN_EUNSUPPORTED (a kind that the device has not)
 */
AGN_API AGN_MUST_CHECK agn_status agn_device_alloc(void **out, int32_t device, agn_memory kind,
                                                   size_t bytes);

/**
 * agn_device_free - free what agn_device_alloc gave, after the work queued so far
 *
 * @param device  device number
 * @param kind    as it was allocated
 * @param p       may be NULL
 * @param bytes   as they were allocated
 */
AGN_API void agn_device_free(int32_t device, agn_memory kind, void *p, size_t bytes);

/**
 * agn_device_fill - queue count copies of a value to memory of a device
 *
 * @param device       device number
 * @param dst          memory of that device, value_bytes count bytes
 * @param value        on the host, read before the call returns
 * @param value_bytes  1, 2, 4, 8 or 16
 * @param count        how many
 * @errors             AGN_ENULL, AGN_EARG (value_bytes, a size beyond memory), AGN_EDEVICE,
 *                     AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_device_fill(int32_t device, void *dst, const void *value,
                                                  size_t value_bytes, size_t count);

/**
 * agn_device_copy - copy bytes between devices and the host
 *
 * The copy is queued behind what both devices were given. Without a mark the host's memory is
 * free again when the call returns; with one it must stay until agn_device_wait with it, and the
 * call does not wait where the back end can copy meanwhile (CUDA: from and to pinned memory).
 *
 * @param mark        out, of dst_device, or of src_device where dst_device is AGN_CPU; may be NULL
 * @param dst_device  device number; AGN_CPU for memory of the host, pinned too
 * @param dst         there
 * @param src_device  device number
 * @param src         there
 * @param bytes       may be 0
 * @errors            AGN_ENULL, AGN_EDEVICE, AGN_ENOMEM, or a fault of the work waited for
 */
AGN_API AGN_MUST_CHECK agn_status agn_device_copy(uint64_t *mark, int32_t dst_device, void *dst,
                                                  int32_t src_device, const void *src,
                                                  size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
