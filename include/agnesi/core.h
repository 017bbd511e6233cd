/**
 * agnesi/core.h - status, memory, scopes, hooks, devices, threads, keys
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Conventions of every header: functions that can fail return agn_status and write
 * their results through leading out-pointers, last of all and only on success. Inputs are
 * borrowed, outputs are new references. All functions may be called from any thread.
 */
#ifndef AGNESI_CORE_H
#define AGNESI_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define AGN_API __attribute__((visibility("default")))
#define AGN_MUST_CHECK __attribute__((warn_unused_result))
#else
#define AGN_API
#define AGN_MUST_CHECK
#endif

#define AGN_VERSION_MAJOR 0
#define AGN_VERSION_MINOR 1
#define AGN_VERSION_PATCH 0
/** Number of the binary interface; a change of it breaks programs. */
#define AGN_ABI 1

/** Outcome of a call: 0 is success, errors are negative with pinned numbers. */
typedef int32_t agn_status;

enum {
    AGN_OK = 0,
    AGN_ENULL = -1,        /* a handle or pointer that is due is NULL */
    AGN_ENOMEM = -2,       /* out of memory, or a size that cannot exist */
    AGN_ESHAPE = -3,       /* shapes do not fit, or a bad shape */
    AGN_EDTYPE = -4,       /* dtypes do not fit */
    AGN_EINDEX = -5,       /* axis or index out of range */
    AGN_EARG = -6,         /* any other bad argument */
    AGN_EDOMAIN = -7,      /* no such result: singular, not positive definite, ... */
    AGN_EUNSUPPORTED = -8, /* not for this dtype, device, layout or mode */
    AGN_ESYMBOLIC = -9,    /* no value while tracing */
    AGN_ESTALE = -10,      /* a captured or saved value has changed */
    AGN_ENOCONV = -11,     /* did not converge */
    AGN_EDEVICE = -12,     /* device failure, or not on this device */
    AGN_ECANCELLED = -13,  /* the interrupt hook asked to stop */
    AGN_EIO = -14,         /* a file cannot be read or written */
    AGN_EFORMAT = -15      /* a file is damaged or not of this format */
};

typedef struct agn_tensor agn_tensor; /* array, or a value while tracing */
typedef struct agn_scope agn_scope;   /* owner of intermediate results */
typedef struct agn_fn agn_fn;         /* a function as a value */

/* ---- version and errors ------------------------------------------------------ */

/**
 * agn_version - version of the library in use
 *
 * @return "major.minor.patch", static
 */
AGN_API const char *agn_version(void);

/**
 * agn_abi - number of the binary interface of the library in use
 *
 * @return AGN_ABI of the time the library was built
 */
AGN_API int32_t agn_abi(void);

/**
 * agn_status_name - name of a status, such as "AGN_ESHAPE"
 *
 * @param st  any number
 * @return    static text; "unknown status" for others
 */
AGN_API const char *agn_status_name(agn_status st);

/**
 * agn_error_message - text of this thread's last failure
 *
 * Names the op, what is wrong and the two facts, for instance
 * "matmul: inner dimensions differ: a is [3,4], b is [5,2]".
 *
 * @return  text owned by the thread, valid until its next failing call; "" before the first
 */
AGN_API const char *agn_error_message(void);

/* ---- memory -------------------------------------------------------------------- */

/** Allocator used for everything the library itself allocates. */
typedef struct agn_allocator {
    size_t size; /* sizeof(agn_allocator) */
    void *user;
    void *(*alloc)(void *user, size_t bytes, size_t align); /* NULL when out of memory */
    void (*free)(void *user, void *p, size_t bytes);
} agn_allocator;

/**
 * agn_allocator_set - replace the allocator
 *
 * Blocks that are alive go back to the allocator that gave them.
 *
 * @param a  NULL for the default; must outlive its last block
 * @errors   AGN_EARG (unknown size, missing function)
 */
AGN_API AGN_MUST_CHECK agn_status agn_allocator_set(const agn_allocator *a);

/**
 * agn_memory_fail_after - let an allocation of this thread fail, for tests
 *
 * @param n  the n-th following allocation fails, once (0 = the next); negative: never
 */
AGN_API void agn_memory_fail_after(int64_t n);

/**
 * agn_memory_count - allocations made by this thread so far
 *
 * @return  a running count; differences tell what a call allocates
 */
AGN_API int64_t agn_memory_count(void);

/**
 * agn_memory_live - bytes and blocks of the library that are alive, all threads
 *
 * @param bytes   out, may be NULL
 * @param blocks  out, may be NULL
 * @param peak    out, highest number of bytes since the last reset; may be NULL
 */
AGN_API void agn_memory_live(int64_t *bytes, int64_t *blocks, int64_t *peak);

/**
 * agn_memory_reset_peak - begin a new measurement of the peak
 */
AGN_API void agn_memory_reset_peak(void);

/* ---- scopes ------------------------------------------------------------------------ */

/**
 * agn_scope_open - begin a scope that owns intermediate tensors
 *
 * Carries the first failure; after it, every ag_ call on the scope is a no-op. Within a
 * failed parent the scope has failed from the start.
 *
 * @param parent  told of a failure at close; NULL for none
 * @return        never NULL: without memory an inert scope that reports AGN_ENOMEM
 */
AGN_API agn_scope *agn_scope_open(agn_scope *parent);

/**
 * agn_scope_close - commit the results, release everything else, free the scope
 *
 * A scope whose parent was closed before tells nobody of its failure.
 *
 * @param s  from agn_scope_open; NULL gives AGN_ENULL
 * @errors   the first failure in the scope; then no result is written
 */
AGN_API AGN_MUST_CHECK agn_status agn_scope_close(agn_scope *s);

/**
 * agn_scope_status - first failure of a scope so far
 *
 * @param s  NULL gives AGN_ENULL
 * @return   AGN_OK or that failure
 */
AGN_API agn_status agn_scope_status(const agn_scope *s);

/**
 * agn_scope_fail - make a scope fail with the status and message of the last failing call
 *
 * Where the last failing call had another status, the message says that no reason was given.
 *
 * @param s   scope
 * @param st  a failure; AGN_OK changes nothing
 * @return    status of the scope
 */
AGN_API agn_status agn_scope_fail(agn_scope *s, agn_status st);

/**
 * agn_scope_adopt - hand a new reference to the scope
 *
 * The call that makes the tensor may stand among the arguments, for t is looked at after it:
 *
 *     agn_tensor *k = NULL;
 *     const agn_tensor *key = agn_scope_adopt(s, agn_key(&k, g), &k);
 *
 * @param s   scope
 * @param st  status of the call that made *t; a failure makes the scope fail
 * @param t   where the reference is, NULL before that call; taken over: released at close, or at
 *            once if the scope has failed; t itself NULL makes the scope fail with AGN_ENULL
 * @return    *t, or NULL if the scope has failed
 */
AGN_API const agn_tensor *agn_scope_adopt(agn_scope *s, agn_status st, agn_tensor *const *t);

/**
 * agn_scope_return - name a result: on successful close *out becomes a new reference to t
 *
 * @param s    scope
 * @param out  written only at a successful close
 * @param t    result; NULL makes the scope fail with AGN_ENULL
 */
AGN_API void agn_scope_return(agn_scope *s, agn_tensor **out, const agn_tensor *t);

/* ---- host hooks --------------------------------------------------------------------- */

/** Called only on the thread that entered the library; any member may be NULL. interrupt is asked
    between steps of compiled functions, loops and iterative methods, and again and again within
    products and sorts that take long; not within a call of BLAS (complex products, and all of them
    without FMA), LAPACK, FFTW or SuiteSparse, and not while the memory of the caller is written
    (the _into forms). */
typedef struct agn_hooks {
    size_t size; /* sizeof(agn_hooks) */
    void *user;
    void (*log)(void *user, int32_t level, const char *text);   /* 0 debug .. 3 error */
    bool (*memory_pressure)(void *user, size_t bytes);          /* true: try again */
    bool (*interrupt)(void *user);                              /* true: stop */
    void (*progress)(void *user, const char *what, double done); /* done in [0, 1] */
} agn_hooks;

/**
 * agn_hooks_set - install the host's hooks for this process
 *
 * @param h  copied; NULL removes them
 * @errors   AGN_EARG (unknown size)
 */
AGN_API AGN_MUST_CHECK agn_status agn_hooks_set(const agn_hooks *h);

/* ---- threads and CPU ---------------------------------------------------------------- */

/**
 * agn_threads_set - number of threads for one planned region or large op
 *
 * Results do not depend on it.
 *
 * @param n  1 to 1024; 0 for the number of CPUs this process may use
 * @errors   AGN_EARG (out of range)
 */
AGN_API AGN_MUST_CHECK agn_status agn_threads_set(int32_t n);

/**
 * agn_threads - number of threads in use
 *
 * Starts from the environment variable AGNESI_THREADS, else the CPUs of this process.
 *
 * @return at least 1
 */
AGN_API int32_t agn_threads(void);

/**
 * agn_cpu_level - name of the CPU level whose kernels run: "base", "avx2" or "avx512"
 *
 * The best one the CPU has, or the one forced by the environment variable AGNESI_CPU.
 *
 * @param why  out, may be NULL: "" or why a forced level was not taken; static
 * @return     static name
 */
AGN_API const char *agn_cpu_level(const char **why);

/* ---- random keys -------------------------------------------------------------------- */

/** Key of a counter-based stream of random numbers (Philox4x32-10). */
typedef struct agn_generator agn_generator;

/**
 * agn_generator_new - a source of keys: a seed and a running stream number
 *
 * @param out   out
 * @param seed  any
 * @errors      AGN_ENULL, AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_generator_new(agn_generator **out, uint64_t seed);

/**
 * agn_generator_release - drop a generator
 *
 * @param g  NULL is allowed
 */
AGN_API void agn_generator_release(agn_generator *g);

/**
 * agn_generator_get - read seed and stream number
 *
 * @param g       generator
 * @param seed    out, may be NULL
 * @param stream  out, number of the next stream; may be NULL
 * @errors        AGN_ENULL
 */
AGN_API AGN_MUST_CHECK agn_status agn_generator_get(const agn_generator *g, uint64_t *seed,
                                                    uint64_t *stream);

/**
 * agn_generator_set - restore seed and stream number
 *
 * @param g       generator
 * @param seed    any
 * @param stream  any
 * @errors        AGN_ENULL
 */
AGN_API AGN_MUST_CHECK agn_status agn_generator_set(agn_generator *g, uint64_t seed,
                                                    uint64_t stream);

/**
 * agn_generator_skip - pass over streams, as if so many keys had been taken
 *
 * @param g  generator
 * @param n  any; streams are counted modulo 2^64
 * @errors   AGN_ENULL
 */
AGN_API AGN_MUST_CHECK agn_status agn_generator_skip(agn_generator *g, uint64_t n);

/**
 * agn_generator_split - a generator of its own, for another thread or worker
 *
 * Its seed is made of the seed and the next stream of g; its numbers are independent of those of g
 * and of what else is split off.
 *
 * @param out  out
 * @param g    advanced by one stream
 * @errors     AGN_ENULL, AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_generator_split(agn_generator **out, agn_generator *g);

#ifdef __cplusplus
}
#endif
#endif
