/**
 * agnesi/tape.h - derivatives for those who think in tapes
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is computed from a watched tensor is recorded; gradients are asked for afterwards. There is
 * no mode to switch and no slot on a tensor: what to differentiate is an argument.
 */
#ifndef AGNESI_TAPE_H
#define AGNESI_TAPE_H

#include <agnesi/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * agn_gradient - gradients of sum Re<cotangent, y> with respect to watched tensors
 *
 * The gradient is itself recorded where it depends on an outer watched tensor. Of a sparse x it is
 * sparse, on the pattern of x; of a sparse y the values are meant, and a cotangent has its pattern.
 *
 * @param out         out, n_x gradients
 * @param ys          n_y tensors
 * @param n_y         at least 1
 * @param xs          n_x watched tensors or values computed from them
 * @param n_x         at least 1
 * @param cotangents  n_y tensors of the shapes of ys; NULL, or NULL members: ones
 * @errors            AGN_ENULL, AGN_EARG (an x is not watched, numbers), AGN_ESHAPE (cotangent),
 *                    AGN_EDTYPE, AGN_ESTALE (a saved value was written), AGN_EUNSUPPORTED,
 *                    AGN_ENOMEM
 * @grad              with respect to outer watched tensors
 * @cost              a small multiple of computing ys
 */
AGN_API AGN_MUST_CHECK agn_status agn_gradient(agn_tensor *out[], const agn_tensor *const *ys,
                                               int32_t n_y, const agn_tensor *const *xs,
                                               int32_t n_x, const agn_tensor *const *cotangents);

/** What agn_gradient_with gives for an x on which no y depends. */
enum {
    AGN_UNUSED_ZERO, /* zeros */
    AGN_UNUSED_NONE, /* NULL */
    AGN_UNUSED_ERROR /* AGN_EARG naming it */
};

/** Options of agn_gradient_with; zero bytes are defaults. */
typedef struct agn_gradient_options {
    size_t size;        /* sizeof(agn_gradient_options) */
    int32_t unused;     /* AGN_UNUSED_ */
    int32_t n_constant; /* number of constants */
    const agn_tensor *const *constants; /* recorded values through which nothing flows back */
} agn_gradient_options;

/**
 * agn_gradient_with - agn_gradient with a policy for unused xs, and values held constant
 *
 * @param out         out, n_x gradients
 * @param ys          as for agn_gradient
 * @param n_y         at least 1
 * @param xs          as for agn_gradient
 * @param n_x         at least 1
 * @param cotangents  as for agn_gradient
 * @param opts        NULL for defaults
 * @errors            those of agn_gradient, AGN_EARG (options, a constant is not watched, an unused
 *                    x where that is an error), AGN_ENULL (a constant)
 * @grad              with respect to outer watched tensors
 * @cost              a small multiple of computing ys
 */
AGN_API AGN_MUST_CHECK agn_status agn_gradient_with(agn_tensor *out[], const agn_tensor *const *ys,
                                                    int32_t n_y, const agn_tensor *const *xs,
                                                    int32_t n_x,
                                                    const agn_tensor *const *cotangents,
                                                    const agn_gradient_options *opts);

/* ---- regions, hooks, what is kept ---------------------------------------------------------- */

/**
 * agn_fn_no_grad - a function through which no derivative flows
 *
 * Its body sees constants and records nothing but what it watches itself; its results are
 * constants. A region without gradients is an argument, not a mode.
 *
 * @param out  out
 * @param f    function
 * @errors     AGN_ENULL, AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_no_grad(agn_fn **out, const agn_fn *f);

/**
 * agn_hook_add - the same value, whose cotangent goes through a function
 *
 * What is computed from *out sends its cotangent through hook on the way to x: to be looked at (and
 * returned as it is) or changed. Tangents and Taylor coefficients pass untouched. Where several
 * ways lead from *out to the results, hook sees their sum, once for each walk back; in a walk back
 * that is itself traced there are no values. A gradient of the gradient goes through what hook did.
 *
 * @param out   out, [...] the value of x
 * @param x     in,  [...] any dtype
 * @param hook  function of one argument, one result: of its shape, and real if it is
 * @errors      AGN_ENULL, AGN_EARG (hook's numbers of arguments or results), AGN_ENOMEM; a walk
 *              back also AGN_ESHAPE, AGN_EDTYPE (hook's result), and those of hook
 * @grad        what hook gives
 * @cost        O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_hook_add(agn_tensor **out, const agn_tensor *x,
                                               const agn_fn *hook);

/**
 * agn_hook_add_all - the same for several values, whose cotangents go through one function together
 *
 * Zeros stand for cotangents that there are none of. hook runs once all of them are known.
 *
 * @param out   out, n values
 * @param xs    n values
 * @param n     1 to 32
 * @param hook  function of n arguments, n results
 * @errors      as for agn_hook_add; AGN_EARG (n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_hook_add_all(agn_tensor *out[], const agn_tensor *const *xs,
                                                   int32_t n, const agn_fn *hook);

/**
 * agn_fn_hook - a function with hooks before and after its walk back
 *
 * pre gets the cotangents of the results before they go back through f, post those of the arguments
 * when they come out.
 *
 * @param out   out
 * @param f     function of at most 32 arguments and results
 * @param pre   n_out(f) arguments and results; NULL: none
 * @param post  n_in(f) arguments and results; NULL: none
 * @errors      AGN_ENULL, AGN_EARG (numbers), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_hook(agn_fn **out, const agn_fn *f, const agn_fn *pre,
                                              const agn_fn *post);

/**
 * agn_fn_pack - a function whose inner values are kept in another form until derivatives are asked for
 *
 * Where f is recorded with values, each inner value that a derivative may read goes through pack,
 * and through unpack when it is due: rounded to fewer bits, moved to another device, written to a
 * file with a number as the handle. Arguments are kept as they are. Derivatives of derivatives
 * compute the inner values again, as agn_fn_checkpoint does, and so are exact. Without values
 * (under vmap and in plans, which lay out memory themselves) nothing is kept and pack does not run.
 *
 * @param out     out
 * @param f       function
 * @param pack    one argument, one result
 * @param unpack  from pack's result to an array of the shape of pack's argument; its dtype is
 *                converted
 * @errors        AGN_ENULL, AGN_EARG (numbers), AGN_ENOMEM; a call also those of pack; a derivative
 *                AGN_ESHAPE, AGN_EDTYPE (unpack's result), those of unpack
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_pack(agn_fn **out, const agn_fn *f, const agn_fn *pack,
                                              const agn_fn *unpack);

/* ---- gradients that add up ----------------------------------------------------------------- */

/** Gradients that add up: a map from watched tensors to the sums of their gradients. */
typedef struct agn_grads agn_grads;

/**
 * agn_grads_new - an empty map
 *
 * @param out  out
 * @errors     AGN_ENULL, AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_grads_new(agn_grads **out);

/**
 * agn_grads_release - drop a map and its gradients
 *
 * @param g  NULL is allowed
 */
AGN_API void agn_grads_release(agn_grads *g);

/**
 * agn_grads_retain - ask for the gradient of a value that is no leaf
 *
 * Later calls of agn_backward() add to it wherever the value matters.
 *
 * @param g  map
 * @param x  a value computed from watched tensors, or a watched one; floating
 * @errors   AGN_ENULL, AGN_EARG (not recorded), AGN_EDTYPE, AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_grads_retain(agn_grads *g, const agn_tensor *x);

/**
 * agn_backward - add the gradients of Re<cotangent, y> to a map
 *
 * Every watched tensor behind y, and every retained value, gets its total gradient added. The
 * tape stays: y may be used again. On failure the map is as it was.
 *
 * @param g          map
 * @param y          a recorded floating tensor
 * @param cotangent  of the shape of y; NULL: ones
 * @errors           AGN_ENULL, AGN_EARG (y is not recorded), AGN_EDTYPE, AGN_ESHAPE (cotangent),
 *                   AGN_ESTALE, AGN_EUNSUPPORTED, AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_backward(agn_grads *g, const agn_tensor *y,
                                               const agn_tensor *cotangent);

/**
 * agn_grads_get - the gradient that has been summed for a tensor
 *
 * @param out  out
 * @param g    map
 * @param x    as it was watched or retained
 * @errors     AGN_ENULL, AGN_EARG (none was summed), AGN_ENOMEM
 * @grad       as recorded
 * @cost       O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_grads_get(agn_tensor **out, const agn_grads *g,
                                                const agn_tensor *x);

/**
 * agn_grads_clear - begin again
 *
 * @param g        map
 * @param to_zero  leave zeros; else gradients are absent until the next agn_backward()
 * @errors         AGN_ENULL, AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_grads_clear(agn_grads *g, bool to_zero);

#ifdef __cplusplus
}
#endif
#endif
