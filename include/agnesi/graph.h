/**
 * agnesi/graph.h - functions as values, and compiled functions
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A function takes tensors and gives tensors. Transforms (agnesi/autograd.h) make functions
 * of functions; compiling traces one once per shapes and dtypes and replays a plan.
 */
#ifndef AGNESI_GRAPH_H
#define AGNESI_GRAPH_H

#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Body of a function: writes its results, which the scope s owns, to out[]. Called with
 * values where a transform has them; under vmap and compile there are none, and reading one
 * fails with AGN_ESYMBOLIC. user must not change what the body computes.
 */
typedef agn_status agn_body(void *user, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out);

/**
 * agn_fn_new - a function from a C function
 *
 * @param out      out
 * @param body     called for every call, or once per trace
 * @param user     passed to body
 * @param destroy  called once with user when the function is gone; may be NULL
 * @param n_in     number of arguments, 0 to 2^20
 * @param n_out    number of results, 1 to 2^20
 * @errors         AGN_ENULL, AGN_EARG (numbers), AGN_ENOMEM; then destroy is not called
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_new(agn_fn **out, agn_body *body, void *user,
                                             void (*destroy)(void *user), int32_t n_in,
                                             int32_t n_out);

/**
 * agn_fn_retain - a new reference to a function
 *
 * @param f  NULL gives NULL
 * @return   f
 */
AGN_API agn_fn *agn_fn_retain(const agn_fn *f);

/**
 * agn_fn_release - drop a reference to a function
 *
 * @param f  NULL is allowed
 */
AGN_API void agn_fn_release(agn_fn *f);

/**
 * agn_fn_n_in - number of arguments
 *
 * @param f  function
 * @return   -1 for NULL
 */
AGN_API int32_t agn_fn_n_in(const agn_fn *f);

/**
 * agn_fn_n_out - number of results
 *
 * @param f  function
 * @return   -1 for NULL
 */
AGN_API int32_t agn_fn_n_out(const agn_fn *f);

/* In C, the two arguments in and n_in at once:
       agn_fn_call(&y, 1, f, AGN_ARGS(x, w)) */
#ifndef __cplusplus
#define AGN_ARGS(...)                      \
    (const agn_tensor *const[]){__VA_ARGS__}, \
        (int32_t)(sizeof((const agn_tensor *const[]){__VA_ARGS__}) / sizeof(agn_tensor *))
#endif

/**
 * agn_fn_call - call a function
 *
 * Results may be strided views, as a Jacobian that was found column by column: where rows are to
 * be read, agn_data_contiguous() refuses those.
 *
 * @param out    out, n_out new references; all or none are written
 * @param n_out  number of results that out has room for, that of f
 * @param f      function
 * @param in     n_in arguments
 * @param n_in   their number, that of f
 * @errors       AGN_ENULL, AGN_EARG (f has another number of results or arguments),
 *               AGN_EUNSUPPORTED (more than 1000 functions within each other), and those of the
 *               body
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_call(agn_tensor *out[], int32_t n_out, const agn_fn *f,
                                              const agn_tensor *const *in, int32_t n_in);

/**
 * agn_fn_apply - call a function within a scope, which owns the results
 *
 * @param s      scope
 * @param out    out, n_out borrowed results; untouched on failure
 * @param n_out  number of results that out has room for, that of f
 * @param f      function
 * @param in     n_in arguments
 * @param n_in   their number, that of f
 * @errors       AGN_ENULL, AGN_EARG (f has another number of results or arguments), and those
 *               of the body; the scope fails too
 */
AGN_API agn_status agn_fn_apply(agn_scope *s, const agn_tensor **out, int32_t n_out,
                                const agn_fn *f, const agn_tensor *const *in, int32_t n_in);

/** Options of agn_fn_compile; zero bytes are defaults. */
typedef struct agn_compile_options {
    size_t size; /* sizeof(agn_compile_options) */
    int32_t max_plans; /* plans kept for different shapes and dtypes; 0: 16 */
    bool no_tiles;     /* run every step on whole arrays */
    bool no_simplify;  /* keep the traced program as it is */
    /* n_in shapes with names for sizes that are left open, such as "n, 2"; a NULL among them: as
       given; NULL: all are as given */
    const char *const *open;
} agn_compile_options;

/**
 * agn_fn_compile - a function that traces f once per shapes and dtypes and replays a plan
 *
 * Captured tensors become constants, held with their version, and so does what the body computes of
 * them while it is traced, or reads from them. A step in the steady state
 * allocates nothing but its results. Results are the same for any number of threads.
 *
 * An open shape names the axes whose sizes change from call to call: {"n, 2", "m, 1", NULL}
 * leaves the numbers of rows of two arguments open; "_" and numbers stand for axes as given,
 * and equal names for equal sizes, at most four different ones. f is traced at a few sizes of
 * the library's choosing, near those of the first call, and for other sizes never again: the
 * program for them is computed. For that each integer in it must be c + b n + d m + ... or
 * c n^b m^d, and each number that depends on sizes that, or one over it (1 / n, 1 / (n - 1));
 * f must not decide by an open size. Arrays that it makes along an open axis must be the same all
 * along or count (not a grid of n points, nor keys of n lanes: pass those). Sizes 0 and 1 are
 * traced by themselves. Programs within loops, branches and checkpoints may depend
 * on open sizes, those of implicit functions may not.
 *
 * @param out   out
 * @param f     function
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EARG (unknown size, max_plans below 0, open shapes that are none),
 *              AGN_ENOMEM; a call also AGN_ESYMBOLIC (the body reads a value), AGN_ESTALE (a
 *              captured tensor was written), AGN_ESHAPE (not of its open shape, one name with
 *              two sizes), AGN_EUNSUPPORTED (depends on an open size otherwise)
 * @cost        a call with new shapes traces and plans; with new open sizes it plans alone
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_compile(agn_fn **out, const agn_fn *f,
                                                 const agn_compile_options *opts);

/**
 * agn_fn_call_into - call a compiled function with the memory of its results given
 *
 * @param out    n_out tensors of the right shape and dtype, contiguous, writable, not
 *               recorded, none sharing memory with an argument; overwritten
 * @param n_out  their number, that of f
 * @param f      compiled function
 * @param in     n_in arguments
 * @param n_in   their number, that of f
 * @errors       AGN_ENULL, AGN_EARG (numbers, not compiled, memory not fit), AGN_ESHAPE,
 *               AGN_EDTYPE, and those of a call
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_call_into(agn_tensor *const *out, int32_t n_out,
                                                   const agn_fn *f,
                                                   const agn_tensor *const *in, int32_t n_in);

/**
 * agn_plan_explain - what a compiled function did with its last call, as text
 *
 * Steps, the regions that run on tiles with the nodes they are made of and their instructions,
 * memory, and for each step the flops and bytes it needs at least and the time that the
 * measured speed of this machine allows for them (the first call in a process measures it).
 *
 * @param buf   n bytes, always terminated; may be NULL where n is 0
 * @param n     size of buf
 * @param need  out, bytes the whole text needs with its end; may be NULL
 * @param f     compiled function that was called
 * @errors      AGN_ENULL, AGN_EARG (not compiled or not yet called), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_plan_explain(char *buf, size_t n, size_t *need,
                                                   const agn_fn *f);

/**
 * agn_plan_profile - where the time of a compiled function goes, as text
 *
 * Calls f and one time more, to warm up, with given arguments; the results are dropped. A
 * line for each step: mean and least time, its share, what it is made of, what it needs at
 * least as agn_plan_explain tells it.
 *
 * @param buf    n bytes, always terminated; may be NULL where n is 0
 * @param n      size of buf
 * @param need   out, bytes the whole text needs with its end; may be NULL
 * @param f      compiled function
 * @param in     its arguments: dense values on the CPU, not recorded
 * @param n_in   their number, that of f
 * @param calls  to be timed, at least 1
 * @errors       AGN_ENULL, AGN_EARG (not compiled, arguments that no plan takes, their number,
 *               calls), AGN_ENOMEM, and those of a call
 */
AGN_API AGN_MUST_CHECK agn_status agn_plan_profile(char *buf, size_t n, size_t *need,
                                                   const agn_fn *f,
                                                   const agn_tensor *const *in,
                                                   int32_t n_in, int32_t calls);

#ifdef __cplusplus
}
#endif
#endif
