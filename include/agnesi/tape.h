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
 * The gradient is itself recorded where it depends on an outer watched tensor.
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
