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
 * agn_fn_gauss_newton - product of the generalised Gauss-Newton matrix with a vector
 *
 * J^T H J v with J the Jacobian of f and H the Hessian of the loss at the results of f; without a
 * loss, of half the sum of squares, J^T J v. One walk forward, the loss, one walk back; no matrix
 * is formed. Arguments: those of f, then a vector for each named argument. Results: one product
 * for each named argument.
 *
 * @param out      out, n_in(f) + n arguments, n results
 * @param f        function
 * @param loss     scalar function of the results of f; NULL: half the sum of squares
 * @param argnums  n different arguments; NULL for the first one
 * @param n        number of them
 * @errors         AGN_ENULL, AGN_EINDEX, AGN_EARG (twice; the loss takes another number of
 *                 arguments), AGN_ENOMEM; a call also AGN_ESHAPE, AGN_EDTYPE, AGN_EUNSUPPORTED
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_gauss_newton(agn_fn **out, const agn_fn *f,
                                                      const agn_fn *loss, const int32_t *argnums,
                                                      int32_t n);

/**
 * agn_fn_fisher - product of the empirical Fisher matrix with a vector
 *
 * sum_i s_i s_i^T v, with s_i the gradient of element i of the first result: the log-likelihood of
 * sample i. The scores are never formed. (The matrix of the model itself is agn_fn_gauss_newton
 * with the negative log-likelihood as the loss.) Arguments and results as for agn_fn_gauss_newton.
 *
 * @param out      out, n_in(f) + n arguments, n results
 * @param f        function; its first result has one element for each sample
 * @param argnums  n different arguments; NULL for the first one
 * @param n        number of them
 * @errors         as for agn_fn_gauss_newton
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_fisher(agn_fn **out, const agn_fn *f,
                                                const int32_t *argnums, int32_t n);

/**
 * agn_fn_linearize - the derivative of a function at a point, as two linear functions
 *
 * f runs once, here; a product then costs the linear program alone. forward maps tangents of the
 * named arguments to tangents of all results, v -> J v; reverse maps cotangents of all results to
 * cotangents of the named arguments, u -> J^T u: the Jacobian as an operator, never formed. Of
 * agn_fn_grad, forward is v -> H v. Where the point is watched, both depend on it. Both may be
 * compiled, mapped and differentiated like any function.
 *
 * @param forward  out, n arguments, n_out(f) results; NULL: not asked for
 * @param reverse  out, n_out(f) arguments, n results; NULL: not asked for
 * @param y        out, n_y results of f at the point; NULL where n_y is 0: not asked for
 * @param n_y      0 or the number of results of f
 * @param f        function
 * @param in       n_in arguments: the point; not to be written while the functions are in use
 * @param n_in     their number, that of f
 * @param argnums  n different arguments; NULL for the first one
 * @param n        number of them
 * @errors         AGN_ENULL, AGN_EINDEX, AGN_EARG (twice; f has another number of results or
 *                 arguments), AGN_EDTYPE (a named argument is not floating), AGN_EUNSUPPORTED,
 *                 AGN_ENOMEM, those of f; a call of either also AGN_ESHAPE, AGN_EDTYPE (complex for
 *                 real), AGN_ESTALE (the point was written)
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_linearize(agn_fn **forward, agn_fn **reverse,
                                                   agn_tensor *y[], int32_t n_y, const agn_fn *f,
                                                   const agn_tensor *const *in, int32_t n_in,
                                                   const int32_t *argnums, int32_t n);

/**
 * agn_fn_linear_transpose - the adjoint of a function that is linear in some arguments
 *
 * Arguments: those of f, of which the named ones give shape and dtype alone, then a cotangent for
 * each result. Results: for each named argument the g with Re<u, f(v)> = Re<g, v>.
 *
 * @param out      out, n_in(f) + n_out(f) arguments, n results
 * @param f        linear in the named arguments together
 * @param argnums  n different arguments; NULL for the first one
 * @param n        number of them
 * @errors         AGN_ENULL, AGN_EINDEX, AGN_EARG (twice), AGN_ENOMEM; a call also AGN_EDOMAIN (an
 *                 op is not linear, or adds a constant; the message names it), AGN_ESYMBOLIC (f
 *                 reads a named argument), AGN_EDTYPE, AGN_ESHAPE, AGN_EUNSUPPORTED
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_linear_transpose(agn_fn **out, const agn_fn *f,
                                                          const int32_t *argnums, int32_t n);

/**
 * agn_fn_jacobian - all derivatives of the first result with respect to one argument
 *
 * Result: [shape of the result..., shape of the argument...]; forward or reverse by cost, with the
 * same numbers. Of a complex result in a real argument it is dy/dx; of a real result in a complex
 * argument the gradient of each element, dy/du + i dy/dv, as agn_fn_grad gives it. What a complex
 * result does in a complex argument is no matrix of complex numbers but for holomorphic functions:
 * it is refused, agn_fn_jacobian_with can be told.
 *
 * @param out     out, n_in(f) arguments, 1 result
 * @param f       function
 * @param argnum  the argument
 * @errors        AGN_ENULL, AGN_EINDEX, AGN_ENOMEM; a call also AGN_EUNSUPPORTED, AGN_ESHAPE
 *                (rank), AGN_EDTYPE (the argument is not floating; it and the result are complex)
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_jacobian(agn_fn **out, const agn_fn *f, int32_t argnum);

/** How a Jacobian is computed. */
enum {
    AGN_JACOBIAN_BY_COST, /* the way of less work: seeds times what lies between them and the sinks */
    AGN_JACOBIAN_FORWARD, /* a tangent for each element of the arguments */
    AGN_JACOBIAN_REVERSE  /* a cotangent for each element of the results */
};

/** Options of Jacobians and Hessians; zero bytes are defaults. */
typedef struct agn_jacobian_options {
    size_t size;     /* sizeof(agn_jacobian_options) */
    int32_t mode;    /* AGN_JACOBIAN_ */
    int32_t batch;   /* leading axes that results and arguments share: see agn_fn_jacobian_with */
    int32_t results; /* how many, the first ones, are differentiated; 0: one */
    bool values;     /* all results of f come first; those not differentiated are extra */
    bool holomorphic; /* f is, where a result and an argument are complex: blocks are dy/dx */
    int64_t chunk;   /* seeds at a time: memory is that of so many; 0: as many as 256 MB allow */
} agn_jacobian_options;

/**
 * agn_fn_jacobian_with - derivatives of several results with respect to several arguments
 *
 * Results: for each differentiated result and each named argument, by result, a block [shape of
 * the result..., shape of the argument...]. With batch axes the block is [batch..., rest of the
 * result..., rest of the argument...] at the cost of one row: row r of each result must depend on
 * row r of each argument alone. dtypes are as for agn_fn_jacobian. In chunks the inner values of
 * one chunk are released before the next begins; a traced function holds a copy of the linear
 * program for each. Rows of a result that do not meet, as residuals of points, take one sweep.
 *
 * @param out      out, n_in(f) arguments
 * @param f        function
 * @param argnums  n different arguments; NULL for the first one
 * @param n        number of them
 * @param opts     NULL for defaults
 * @errors         AGN_ENULL, AGN_EINDEX, AGN_EARG (options, an argument named twice), AGN_ENOMEM; a
 *                 call also AGN_EDTYPE, AGN_ESHAPE (rank, batch axes), AGN_EUNSUPPORTED
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_jacobian_with(agn_fn **out, const agn_fn *f,
                                                       const int32_t *argnums, int32_t n,
                                                       const agn_jacobian_options *opts);

/**
 * agn_fn_hessian - second derivatives of a scalar function with respect to one argument
 *
 * Result: [shape of the argument..., shape of the argument...]. Of a complex argument it is
 * refused: the gradient there is no holomorphic function; agn_fn_hvp gives products.
 *
 * @param out     out, n_in(f) arguments, 1 result
 * @param f       as for agn_fn_grad
 * @param argnum  the argument
 * @errors        as for agn_fn_grad; a call also AGN_EDTYPE (the argument is complex)
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_hessian(agn_fn **out, const agn_fn *f, int32_t argnum);

/**
 * agn_fn_hessian_with - second derivatives of a scalar function in several arguments
 *
 * Results: for each pair of named arguments, row by row, a block [shape of one..., shape of the
 * other...]; with batch axes as for agn_fn_jacobian_with, where f is a sum over rows.
 *
 * @param out      out, n_in(f) arguments, n n results
 * @param f        as for agn_fn_grad
 * @param argnums  n different arguments; NULL for the first one
 * @param n        number of them
 * @param opts     NULL for defaults; values must be false, results are not looked at
 * @errors         as for agn_fn_jacobian_with and agn_fn_grad
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_hessian_with(agn_fn **out, const agn_fn *f,
                                                      const int32_t *argnums, int32_t n,
                                                      const agn_jacobian_options *opts);

/**
 * agn_fn_hessian_blocks - second derivatives of a scalar function in each argument by itself
 *
 * The blocks on the diagonal of agn_fn_hessian_with; the others are not computed.
 *
 * @param out      out, n_in(f) arguments, n results
 * @param f        as for agn_fn_grad
 * @param argnums  n different arguments; NULL for the first one
 * @param n        number of them
 * @param opts     as for agn_fn_hessian_with
 * @errors         as for agn_fn_hessian_with
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_hessian_blocks(agn_fn **out, const agn_fn *f,
                                                        const int32_t *argnums, int32_t n,
                                                        const agn_jacobian_options *opts);

/**
 * agn_fn_hessian_diagonal - second derivatives of a scalar function along each axis, exactly
 *
 * Results: for each named argument, in its shape, d^2 f / d x_i^2 for each element i. A jet of
 * order 2 along each axis: forward mode alone, nothing is kept for a way back.
 *
 * @param out      out, n_in(f) arguments, n results
 * @param f        as for agn_fn_grad
 * @param argnums  n different real arguments; NULL for the first one
 * @param n        number of them
 * @param chunk    axes at a time: memory is that of so many; 0: all at once
 * @errors         AGN_ENULL, AGN_EINDEX, AGN_EARG (twice, a negative chunk), AGN_ENOMEM; a call
 *                 also AGN_ESHAPE (not a scalar), AGN_EDTYPE (an argument or the result is not real
 *                 and floating), AGN_EUNSUPPORTED
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_hessian_diagonal(agn_fn **out, const agn_fn *f,
                                                          const int32_t *argnums, int32_t n,
                                                          int64_t chunk);

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
 * @param in_axes   n_in places of the batch axis, or AGN_UNBATCHED; NULL: all 0
 * @param n_in      number of arguments of f; with NULL any number
 * @param out_axes  n_out places of the batch axis; NULL: all 0
 * @param n_out     number of results of f; with NULL any number
 * @errors          AGN_ENULL, AGN_EARG (numbers), AGN_ENOMEM; a call also AGN_ESHAPE (lanes differ,
 *                  none batched), AGN_EINDEX (axis), AGN_ESYMBOLIC (the body reads a value),
 *                  AGN_EUNSUPPORTED
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_vmap(agn_fn **out, const agn_fn *f,
                                              const int32_t *in_axes, int32_t n_in,
                                              const int32_t *out_axes, int32_t n_out);

/** Options of agn_fn_vmap_with; zero bytes are defaults. */
typedef struct agn_vmap_options {
    size_t size;      /* sizeof(agn_vmap_options) */
    bool same_random; /* random ops draw the same numbers in every lane whose key is the same */
} agn_vmap_options;

/**
 * agn_fn_vmap_with - agn_fn_vmap with options
 *
 * Lanes that share their random numbers draw those that f draws by itself; a key that differs
 * between lanes goes its own way as ever. A few lanes at a time, to bound memory: agn_fn_map.
 *
 * @param out       out, arguments and results of f with a batch axis
 * @param f         function of one lane
 * @param in_axes   as for agn_fn_vmap
 * @param n_in      as for agn_fn_vmap
 * @param out_axes  as for agn_fn_vmap
 * @param n_out     as for agn_fn_vmap
 * @param opts      NULL for defaults
 * @errors          those of agn_fn_vmap, AGN_EARG (unknown size)
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_vmap_with(agn_fn **out, const agn_fn *f,
                                                   const int32_t *in_axes, int32_t n_in,
                                                   const int32_t *out_axes, int32_t n_out,
                                                   const agn_vmap_options *opts);

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
