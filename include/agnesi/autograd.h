/**
 * agnesi/autograd.h - derivatives: functions of functions
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A transform takes a function and gives one; transforms nest in any order. A derivative is
 * taken with respect to fresh leaves, so that perturbations cannot be confused. Complex
 * derivatives are R-linear: the gradient of a real L is dL/dx + i dL/dy.
 */
#ifndef AGNESI_AUTOGRAD_H
#define AGNESI_AUTOGRAD_H

#include <agnesi/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * agn_fn_grad - gradients of a scalar function
 *
 * Results: for each named argument the gradient, of its shape and dtype; zero where f does not
 * depend on it.
 *
 * @param out      out, n_in(f) arguments, n results
 * @param f        its first result must be real with shape []; others are ignored
 * @param argnums  n different arguments; NULL for the first one
 * @param n        number of them
 * @errors         AGN_ENULL, AGN_EINDEX (no such argument), AGN_EARG (twice), AGN_ENOMEM; a call
 *                 also AGN_ESHAPE (not a scalar), AGN_EDTYPE (an argument is not floating, the
 *                 result not real), AGN_EUNSUPPORTED (an op without a rule), AGN_ESTALE
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_grad(agn_fn **out, const agn_fn *f,
                                              const int32_t *argnums, int32_t n);

/**
 * agn_fn_value_and_grad - all results of f, then the gradients of the first one
 *
 * @param out      out, n_in(f) arguments, n_out(f) + n results
 * @param f        as for agn_fn_grad
 * @param argnums  n different arguments; NULL for the first one
 * @param n        number of them
 * @errors         as for agn_fn_grad
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_value_and_grad(agn_fn **out, const agn_fn *f,
                                                        const int32_t *argnums, int32_t n);

/**
 * agn_fn_jvp - directional derivative, by forward mode
 *
 * Arguments: those of f, then a tangent for each. Results: those of f, then their tangents.
 *
 * @param out  out, 2 n_in(f) arguments, 2 n_out(f) results
 * @param f    function
 * @errors     AGN_ENULL, AGN_ENOMEM; a call also AGN_ESHAPE (a tangent's shape), AGN_EDTYPE (a
 *             complex tangent of a real argument), AGN_EUNSUPPORTED
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_jvp(agn_fn **out, const agn_fn *f);

/**
 * agn_fn_vjp - cotangents of the arguments, by reverse mode
 *
 * Arguments: those of f, then a cotangent for each result. Results: those of f, then a cotangent
 * for each argument.
 *
 * @param out  out, n_in(f) + n_out(f) arguments, n_out(f) + n_in(f) results
 * @param f    function
 * @errors     AGN_ENULL, AGN_ENOMEM; a call also AGN_ESHAPE (a cotangent's shape), AGN_EDTYPE (a
 *             complex cotangent of a real result), AGN_EUNSUPPORTED
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_vjp(agn_fn **out, const agn_fn *f);

/**
 * agn_fn_hvp - product of the Hessian with a vector, forward over reverse
 *
 * Arguments: those of f, then a vector for each named argument. Results: one product for each
 * named argument.
 *
 * @param out      out, n_in(f) + n arguments, n results
 * @param f        as for agn_fn_grad
 * @param argnums  n different arguments; NULL for the first one
 * @param n        number of them
 * @errors         as for agn_fn_grad
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_hvp(agn_fn **out, const agn_fn *f,
                                             const int32_t *argnums, int32_t n);

/**
 * agn_fn_jacobian - all derivatives of the first result with respect to one argument
 *
 * Result: [shape of the result..., shape of the argument...]; forward or reverse by cost.
 *
 * @param out     out, n_in(f) arguments, 1 result
 * @param f       function
 * @param argnum  the argument
 * @errors        AGN_ENULL, AGN_EINDEX, AGN_ENOMEM; a call also AGN_EUNSUPPORTED, AGN_ESHAPE (rank)
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_jacobian(agn_fn **out, const agn_fn *f, int32_t argnum);

/**
 * agn_fn_hessian - second derivatives of a scalar function with respect to one argument
 *
 * Result: [shape of the argument..., shape of the argument...].
 *
 * @param out     out, n_in(f) arguments, 1 result
 * @param f       as for agn_fn_grad
 * @param argnum  the argument
 * @errors        as for agn_fn_grad
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_hessian(agn_fn **out, const agn_fn *f, int32_t argnum);

/** Argument or result without a batch axis, for agn_fn_vmap. */
#define AGN_UNBATCHED INT32_MIN

/**
 * agn_fn_vmap - a function of one lane, applied to every lane of a batch
 *
 * The program has the same size for any number of lanes. Random ops draw other numbers in every
 * lane.
 *
 * @param out       out, arguments and results of f with a batch axis
 * @param f         function of one lane
 * @param in_axes   n_in(f) places of the batch axis, or AGN_UNBATCHED; NULL: all 0
 * @param out_axes  n_out(f) places of the batch axis; NULL: all 0
 * @errors          AGN_ENULL, AGN_ENOMEM; a call also AGN_ESHAPE (lanes differ, none batched),
 *                  AGN_EINDEX (axis), AGN_ESYMBOLIC (the body reads a value), AGN_EUNSUPPORTED
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_vmap(agn_fn **out, const agn_fn *f,
                                              const int32_t *in_axes, const int32_t *out_axes);

/**
 * agn_fn_jet - Taylor coefficients along a curve
 *
 * Arguments: for each argument of f its coefficients 0 to order of x(t) = sum c_k t^k. Results:
 * for each result of f the coefficients 0 to order of f(x(t)).
 *
 * @param out    out, n_in(f) (order + 1) arguments, n_out(f) (order + 1) results
 * @param f      function
 * @param order  1 to 64
 * @errors       AGN_ENULL, AGN_EARG (order), AGN_ENOMEM; a call also AGN_ESHAPE, AGN_EDTYPE,
 *               AGN_EUNSUPPORTED
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_jet(agn_fn **out, const agn_fn *f, int32_t order);

/**
 * agn_fn_partials - chosen partial derivatives with respect to columns of one argument
 *
 * For f applied row by row to argument argnum of shape [..., d]: result q of f's first result is
 * its derivative of order alpha[q * d + j] with respect to column j, for all j. Pure derivatives
 * take one jet along the axis each; mixed ones nest. The first result is the value itself.
 *
 * @param out     out, n_in(f) arguments, 1 + n results
 * @param f       each row of its first result depends on the same row of the argument alone
 * @param argnum  the argument
 * @param d       number of columns
 * @param alpha   n times d orders, not negative; total order of each at most 10
 * @param n       number of derivatives
 * @errors        AGN_ENULL, AGN_EINDEX, AGN_EARG (orders), AGN_ENOMEM; a call also AGN_ESHAPE,
 *                AGN_EUNSUPPORTED
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_partials(agn_fn **out, const agn_fn *f, int32_t argnum,
                                                  int32_t d, const int32_t *alpha, int32_t n);

/* ---- for those who think in tapes ------------------------------------------------------- */

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

/* ---- checking derivatives ---------------------------------------------------------------- */

/** What agn_check_grads compares; each against differences, or against the first of them. */
enum {
    AGN_CHECK_FORWARD = 1, /* jvp along each coordinate */
    AGN_CHECK_REVERSE = 2, /* the gradient, entry by entry */
    AGN_CHECK_TAYLOR = 4,  /* jets against nested jvp */
    AGN_CHECK_LANES = 8,   /* values and gradients under vmap */
    AGN_CHECK_PLAN = 16,   /* values and gradients of the compiled function */
    AGN_CHECK_LAYOUT = 32  /* values for arguments with other strides */
};

/** Options of agn_check_grads; zero bytes are defaults. */
typedef struct agn_check_options {
    size_t size;      /* sizeof(agn_check_options) */
    int32_t orders;   /* 1 to 6; 0: 2 */
    int32_t entries;  /* of each argument, spread evenly; 0: 32 */
    uint32_t modes;   /* AGN_CHECK_; 0: all */
    double step;      /* of differences, times max(1, |x|); 0: 1e-2 for f64, 0.1 for f32 */
    double tolerance; /* of |have - want| / (1 + |want|); 0: 1e-7 for f64, 2e-2 for f32 */
    uint64_t seed;    /* of weights and directions */
} agn_check_options;

/** The worst comparison of a check. */
typedef struct agn_check_result {
    size_t size;       /* sizeof(agn_check_result) */
    double error;      /* |have - want| / (1 + |want|) */
    double have, want;
    uint32_t mode;     /* which AGN_CHECK_ */
    int32_t order;     /* 0: the value itself */
    int32_t argument;
    int64_t entry;     /* row-major; of the result where the order is 0 */
    int64_t compared;  /* numbers that were compared */
} agn_check_result;

/**
 * agn_check_grads - compare the derivatives of a function with differences and with each other
 *
 * The results of f are weighted with random numbers and summed; directions are random, too.
 * Differences are central and of eighth order. Points closer to a kink than four steps fail,
 * rightly. Whole-number arguments are held fixed.
 *
 * @param out   out, the worst comparison, on success and where the tolerance is missed; may be NULL
 * @param f     function
 * @param in    its arguments, with values
 * @param opts  NULL for defaults
 * @errors      AGN_EDOMAIN (a comparison misses the tolerance; the message names mode, order,
 *              argument and entry), AGN_ENULL, AGN_EARG (options), AGN_EDTYPE (narrow floats),
 *              and those of f and its derivatives
 */
AGN_API AGN_MUST_CHECK agn_status agn_check_grads(agn_check_result *out, const agn_fn *f,
                                                  const agn_tensor *const *in,
                                                  const agn_check_options *opts);

/**
 * agn_op_check - the same for one op of the table, built in or from outside
 *
 * @param out     out, as for agn_check_grads()
 * @param op      name
 * @param in      n_in operands with values
 * @param n_in    number of operands
 * @param ints    n_int integer attributes
 * @param n_int   number of them
 * @param reals   n_real real attributes
 * @param n_real  number of them
 * @param opts    NULL for defaults
 * @errors        those of agn_check_grads() and agn_op_apply()
 */
AGN_API AGN_MUST_CHECK agn_status agn_op_check(agn_check_result *out, const char *op,
                                               const agn_tensor *const *in, int32_t n_in,
                                               const int64_t *ints, int32_t n_int,
                                               const double *reals, int32_t n_real,
                                               const agn_check_options *opts);

/* ---- ops from outside ------------------------------------------------------------------------ */

/** An op added by the user of the library; it then behaves like a built-in one. */
typedef struct agn_op_def {
    size_t size; /* sizeof(agn_op_def) */
    const char *name;
    const char *doc;
    int32_t n_in, n_out; /* at most 8 each */
    void *user;
    /* out[] from in[], concrete values, any ops may be called */
    agn_body *eval;
    /* shapes and dtypes: out[] are tensors of the right shape and dtype, values ignored */
    agn_body *infer;
    /* as in agn_custom_rule; may be NULL */
    agn_body *jvp;
    agn_body *vjp;
    /* all lanes at once: every argument has a leading batch axis; NULL: AGN_EUNSUPPORTED */
    agn_body *batch;
    double lo, hi; /* test domain */
} agn_op_def;

/**
 * agn_op_register - add an op; reached by agn_op_apply under its name
 *
 * @param def  kept by reference: must live as long as the process
 * @errors     AGN_ENULL, AGN_EARG (unknown size, name taken or empty, numbers, too many ops),
 *             AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_op_register(const agn_op_def *def);

#ifdef __cplusplus
}
#endif
#endif
