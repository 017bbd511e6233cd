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

/** Version of the structures of this header. */
#define AGN_BACKEND_ABI 1

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
    void *scratch;        /* scratch_size bytes to work in, as the op asked for; may be NULL */
    size_t scratch_size;
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
    int32_t sum_blocks;      /* of "region_sum", which runs after it; 0: there is none */
    int64_t tile_bytes;      /* memory that a block works in: shared, or its part of tiles */
    bool tiles;              /* out: the caller lends memory for the tiles of all blocks */
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

/** A back end. Functions get the ordinal of the device; none may be NULL but those at the end,
    which an older back end, whose size says so, lacks. */
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

#ifdef __cplusplus
}
#endif
#endif
