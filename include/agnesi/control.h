/**
 * agnesi/control.h - control: branches, loops and calls as functions of functions
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each takes bodies that are functions and gives a function, which is one node in a program: its
 * size does not grow with the number of steps. Every transform of one is another over transformed
 * bodies, so all of them have derivatives of any order in every mode, compile, and nest.
 */
#ifndef AGNESI_CONTROL_H
#define AGNESI_CONTROL_H

#include <agnesi/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * agn_fn_cond - one of two functions, chosen by the first argument
 *
 * Arguments: a bool of shape [], then those of both functions. Both give results of the same
 * shapes and dtypes, which a trace of both finds out at the first call of arguments like these.
 * Under vmap with a batched choice both are computed and selected from.
 *
 * @param out       out, 1 + n_in arguments, n_out results
 * @param if_true   function
 * @param if_false  function with the same numbers of arguments and results
 * @errors          AGN_ENULL, AGN_EARG (numbers differ), AGN_ENOMEM; a call also AGN_EDTYPE,
 *                  AGN_ESHAPE (choice or results)
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_cond(agn_fn **out, const agn_fn *if_true,
                                              const agn_fn *if_false);

/**
 * agn_fn_switch - one of several functions, chosen by the first argument
 *
 * Arguments: an integer of shape [], then those of the functions. Number k chooses branch[k]; one
 * below 0 the first, one beyond the last branch the last. All give results of the same shapes and
 * dtypes, as with agn_fn_cond(). Under vmap with a batched choice all are computed and selected
 * from.
 *
 * @param out     out, 1 + n_in arguments, n_out results
 * @param branch  n functions with the same numbers of arguments and results
 * @param n       1 to 65536
 * @errors        AGN_ENULL, AGN_EARG (n, numbers differ), AGN_ENOMEM; a call also AGN_EDTYPE,
 *                AGN_ESHAPE (choice or results)
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_switch(agn_fn **out,
                                                const agn_fn *const *branch, int32_t n);

/**
 * agn_fn_scan - a loop that carries values and reads and writes one slice per step
 *
 * step: n_carry values, slices of n_x arrays, and n_constants constants, to n_carry values and
 * slices of further results. Arguments of the scan: initial carried values, arrays with a leading
 * axis of length, and the constants, which every step gets as they are, as those of agn_fn_while().
 * Results: final carried values, then the slices stacked along a leading axis.
 *
 * @param out          out
 * @param step         body of the loop; shapes and dtypes of carried values must not change
 * @param n_carry      number of carried values
 * @param n_constants  number of constants, the last arguments
 * @param length       number of steps, not negative
 * @param reverse      walk the slices from the last to the first
 * @errors             AGN_ENULL, AGN_EARG (numbers), AGN_ENOMEM; a call also AGN_ESHAPE, AGN_EDTYPE
 *                     (a carried value changes), AGN_ESYMBOLIC (the body reads a value)
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_scan(agn_fn **out, const agn_fn *step,
                                              int32_t n_carry, int32_t n_constants,
                                              int64_t length, bool reverse);

/** Reverse mode keeps a number of states that grows with the logarithm of the steps. */
#define AGN_KEEP_LOG (-1)

/** Options of agn_fn_scan_with; zero bytes are defaults. */
typedef struct agn_scan_options {
    size_t size;        /* sizeof(agn_scan_options) */
    bool reverse;       /* walk the slices from the last to the first */
    int64_t keep;       /* states held in reverse mode, the first one counted; 0: all, and
                           what else of each step the way back looks at */
    int64_t keep_bytes; /* the same as a number of bytes; at least one state is held */
} agn_scan_options;

/**
 * agn_fn_scan_with - a loop over slices whose reverse mode fits into a given memory
 *
 * As agn_fn_scan(). Reverse mode needs the carried values before every step, from the last to the
 * first. Those that are not held are computed again from the nearest one held, with the least
 * number of steps that is possible: with r the least number for which n <= (keep + r) over keep,
 * r n - (keep + r) over (keep + 1) further steps instead of n. The gradient has the same bits for
 * any number of states; by a matrix, agn_fn_scan() may sum it in another order.
 * Forward modes over reverse mode keep to the same bound, reverse mode over it holds all states.
 *
 * @param out          out
 * @param step         body of the loop; shapes and dtypes of carried values must not change
 * @param n_carry      number of carried values
 * @param n_constants  number of constants, the last arguments
 * @param length       number of steps, not negative
 * @param opts         NULL for defaults
 * @errors             as for agn_fn_scan, and AGN_EARG (options)
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_scan_with(agn_fn **out, const agn_fn *step,
                                                   int32_t n_carry, int32_t n_constants,
                                                   int64_t length, const agn_scan_options *opts);

/** Options of agn_fn_while; zero bytes are defaults. */
typedef struct agn_while_options {
    size_t size;       /* sizeof(agn_while_options) */
    int64_t max_steps; /* the loop ends after so many steps; 0: any number */
    int64_t keep;      /* as in agn_scan_options */
    int64_t keep_bytes;
} agn_while_options;

/**
 * agn_fn_while - a loop that goes on as long as a condition of what it carries holds
 *
 * body: carried values, then constants, to carried values. cond: the same arguments to a bool of
 * shape []. Arguments of the loop: initial carried values, then constants. Results: the carried
 * values for which cond failed or which max_steps left, then the number of steps, i64 of shape
 * []. Both are traced, so neither reads a value; after every step the interrupt hook is asked.
 *
 * Forward modes need no bound. Reverse mode runs back over as many steps as were taken; where no
 * value tells how many, in a plan and under vmap, it needs max_steps, and then is a scan that does
 * nothing once cond fails. Under vmap lanes stop one by one, the loop with the last.
 *
 * @param out   out, n_in(body) arguments, n_out(body) + 1 results
 * @param cond  as many arguments as body
 * @param body  shapes and dtypes of carried values must not change
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EARG (numbers, options), AGN_ENOMEM; a call also AGN_EDTYPE,
 *              AGN_ESHAPE (condition, or a carried value changes), AGN_ESYMBOLIC (a body reads a
 *              value), AGN_EUNSUPPORTED (reverse mode without a bound), AGN_ECANCELLED
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_while(agn_fn **out, const agn_fn *cond,
                                               const agn_fn *body,
                                               const agn_while_options *opts);

/**
 * agn_fn_map - a function of one lane, applied to some lanes at a time
 *
 * Equal to agn_fn_vmap(), random ops included, in the memory of so many lanes beside arguments and
 * results: a scan over parts of the batch. In reverse mode, too.
 *
 * @param out       out, arguments and results of f with a batch axis
 * @param f         function of one lane
 * @param in_axes   n_in places of the batch axis, or AGN_UNBATCHED; NULL: all 0
 * @param n_in      number of arguments of f; with NULL any number
 * @param out_axes  n_out places of the batch axis; NULL: all 0
 * @param n_out     number of results of f; with NULL any number
 * @param lanes     at a time; 0: 1
 * @errors          AGN_ENULL, AGN_EARG (numbers, lanes, a result without an axis), AGN_ENOMEM; a
 *                  call also those of agn_fn_vmap
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_map(agn_fn **out, const agn_fn *f,
                                             const int32_t *in_axes, int32_t n_in,
                                             const int32_t *out_axes, int32_t n_out,
                                             int32_t lanes);

/**
 * agn_fn_associative_scan - partial results of an associative function along an axis
 *
 * f takes two elements a and b, n tensors each, to their combination a * b, n tensors of the same
 * shapes and dtypes. The scan takes n tensors with a further axis, elements x_0, x_1, ... along it,
 * to x_0, x_0 * x_1, (x_0 * x_1) * x_2, ...: sums and products, products of matrices, compositions
 * of affine maps. They are bracketed in another way, which rounding may show, and f is applied to
 * many pairs at once, under vmap, in at most 2 log2 of the length rounds.
 *
 * @param out      out, n_out(f) arguments and results
 * @param f        associative; 2 n arguments, n results
 * @param axis     of every argument and result
 * @param reverse  from the last element: x_T, x_T * x_(T-1), ..., each at the place of its end
 * @errors         AGN_ENULL, AGN_EARG (numbers), AGN_ENOMEM; a call also AGN_EINDEX (axis),
 *                 AGN_ESHAPE (lengths differ, f changes a shape), AGN_EDTYPE (f changes a dtype),
 *                 AGN_ESYMBOLIC, AGN_EUNSUPPORTED
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_associative_scan(agn_fn **out, const agn_fn *f,
                                                          int32_t axis, bool reverse);

/**
 * agn_fn_checkpoint - the same function, whose inner values are computed again for derivatives
 *
 * @param out  out
 * @param f    function
 * @errors     AGN_ENULL, AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_checkpoint(agn_fn **out, const agn_fn *f);

/** What agn_fn_checkpoint_with saves; any of them together. */
enum {
    AGN_SAVE_EVERYTHING = 1, /* all: no checkpoint at all */
    AGN_SAVE_NAMED = 2,      /* values that agn_named() gave one of the names */
    AGN_SAVE_PRODUCTS = 4,   /* results of products and convolutions */
    AGN_SAVE_SMALL = 8       /* results of at most max_bytes */
};

/** Options of agn_fn_checkpoint_with; zero bytes are defaults: nothing is saved. */
typedef struct agn_checkpoint_options {
    size_t size;   /* sizeof(agn_checkpoint_options) */
    uint32_t save; /* AGN_SAVE_ */
    int32_t n_names;
    const char *const *names; /* copied */
    int64_t max_bytes;
} agn_checkpoint_options;

/**
 * agn_fn_checkpoint_with - the same function, some of whose inner values are saved for derivatives
 *
 * As agn_fn_checkpoint(), but for what a policy saves. It looks at the ops of f itself, not into
 * bodies of control ops within. The step of a loop may be one: then each step saves what the policy
 * says, beside what it carries.
 *
 * @param out   out
 * @param f     function
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL (also a name), AGN_EARG (options), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_checkpoint_with(
    agn_fn **out, const agn_fn *f, const agn_checkpoint_options *opts);

/**
 * agn_named - x, with a name by which policies of checkpoints know it
 *
 * @param out   out, a view of x
 * @param x     any dtype
 * @param name  copied; not empty
 * @errors      AGN_ENULL, AGN_EARG (an empty name), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_named(agn_tensor **out, const agn_tensor *x,
                                            const char *name);

/** Derivatives given by the user; at least one. Missing ones are derived from the others. */
typedef struct agn_custom_rule {
    size_t size; /* sizeof(agn_custom_rule) */
    void *user;
    void (*destroy)(
        void *user); /* when neither the function nor a recorded call is left */
    /* in: arguments, results, tangents of arguments (zeros where none); out: tangents of results */
    agn_body *jvp;
    /* in: arguments, results, cotangents of results (zeros where none); out: cotangents of
       arguments */
    agn_body *vjp;
    /* in: for each argument its coefficients 0 to order (zeros where none), then the results;
       out: for each result its coefficients 1 to order */
    agn_status (*jet)(void *user, agn_scope *s, int32_t order,
                      const agn_tensor *const *in, const agn_tensor **out);
} agn_custom_rule;

/**
 * agn_fn_custom - the same function with derivatives given by the user
 *
 * Without jvp tangents are the first coefficients of jet, or vjp transposed; without vjp
 * cotangents are those of jvp transposed; without jet coefficients follow from jvp. What is
 * transposed must be linear and made of ops that have a reverse mode. Lanes of a vmap are lanes of
 * all functions.
 *
 * @param out   out
 * @param f     function
 * @param rule  copied
 * @errors      AGN_ENULL, AGN_EARG (unknown size, no rule), AGN_ENOMEM; then destroy is not called.
 *              A derivative also AGN_EUNSUPPORTED (f captures recorded tensors, what is transposed
 *              is not linear), AGN_ESHAPE, AGN_EDTYPE (of what a rule gives)
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_custom(agn_fn **out, const agn_fn *f,
                                                const agn_custom_rule *rule);

#ifdef __cplusplus
}
#endif
#endif
