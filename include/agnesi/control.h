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
 * agn_fn_checkpoint - the same function, whose inner values are computed again for derivatives
 *
 * @param out  out
 * @param f    function
 * @errors     AGN_ENULL, AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_checkpoint(agn_fn **out, const agn_fn *f);

/** Derivatives given by the user; NULL members are derived from the other, or refused. */
typedef struct agn_custom_rule {
    size_t size; /* sizeof(agn_custom_rule) */
    void *user;
    void (*destroy)(void *user);
    /* in: arguments, results, tangents of arguments (zeros where none); out: tangents of results */
    agn_body *jvp;
    /* in: arguments, results, cotangents of results (zeros where none); out: cotangents of
       arguments */
    agn_body *vjp;
} agn_custom_rule;

/**
 * agn_fn_custom - the same function with derivatives given by the user
 *
 * @param out   out
 * @param f     function
 * @param rule  copied; at least one of jvp and vjp
 * @errors      AGN_ENULL, AGN_EARG (unknown size, no rule), AGN_ENOMEM; then destroy is not called
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_custom(agn_fn **out, const agn_fn *f,
                                                const agn_custom_rule *rule);

/**
 * agn_fn_cond - one of two functions, chosen by the first argument
 *
 * Arguments: a bool of shape [], then those of both functions. Both give results of the same
 * shapes and dtypes. Under vmap with a batched choice both are computed and selected from.
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
 * agn_fn_scan - a loop that carries values and reads and writes one slice per step
 *
 * step: n_carry values and slices of n_x arrays to n_carry values and slices of further results.
 * Arguments of the scan: initial carried values, then arrays with a leading axis of length.
 * Results: final carried values, then the slices stacked along a leading axis.
 *
 * @param out      out
 * @param step     body of the loop; shapes and dtypes of carried values must not change
 * @param n_carry  number of carried values
 * @param length   number of steps, not negative
 * @param reverse  walk the slices from the last to the first
 * @errors         AGN_ENULL, AGN_EARG (numbers), AGN_ENOMEM; a call also AGN_ESHAPE, AGN_EDTYPE
 *                 (a carried value changes), AGN_ESYMBOLIC (the body reads a value)
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_scan(agn_fn **out, const agn_fn *step, int32_t n_carry,
                                              int64_t length, bool reverse);

#ifdef __cplusplus
}
#endif
#endif
