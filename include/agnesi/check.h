/**
 * agnesi/check.h - derivatives compared with differences and with each other
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For functions and ops of the user's own.
 */
#ifndef AGNESI_CHECK_H
#define AGNESI_CHECK_H

#include <agnesi/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

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
 * @param in    n_in arguments, with values
 * @param n_in  their number, that of f
 * @param opts  NULL for defaults
 * @errors      AGN_EDOMAIN (a comparison misses the tolerance; the message names mode, order,
 *              argument and entry), AGN_ENULL, AGN_EARG (options; f has another number of
 *              arguments), AGN_EDTYPE (narrow floats), and those of f and its derivatives
 */
AGN_API AGN_MUST_CHECK agn_status agn_check_grads(agn_check_result *out, const agn_fn *f,
                                                  const agn_tensor *const *in, int32_t n_in,
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

/** Where a NaN was met. */
enum { AGN_NAN_VALUE, AGN_NAN_TANGENT, AGN_NAN_COTANGENT, AGN_NAN_COEFFICIENT };

/** The op that made a NaN, by its place in the function. */
typedef struct agn_nan_place {
    size_t size;       /* sizeof(agn_nan_place) */
    const char *op;    /* its name */
    const char *label; /* of the innermost watched function, or NULL */
    int32_t index;     /* of the op among those of the function, from 0, in the order of application */
    int32_t total;     /* number of ops */
    int32_t walk;      /* AGN_NAN_ */
    int32_t which;     /* result, or argument where a cotangent was met */
} agn_nan_place;

/** What agn_fn_watch_nan does about it; zero bytes are defaults. */
typedef struct agn_nan_hook {
    size_t size; /* sizeof(agn_nan_hook) */
    void *user;
    void (*destroy)(void *user); /* when the function is gone; may be NULL */
    /* tells of it; AGN_OK goes on. NULL: the call fails with AGN_EDOMAIN and names the place */
    agn_status (*found)(void *user, const agn_nan_place *place);
    const char *label; /* of this function; copied */
    bool infinite;     /* infinities count, too */
} agn_nan_hook;

/**
 * agn_fn_watch_nan - the same function, which tells the first op that makes a NaN
 *
 * Values are looked at, and whatever derivatives compute: tangents, cotangents, coefficients, under
 * vmap and in plans, too. An op makes a NaN if its result has one and nothing that it reads has;
 * the sum of cotangents of a value that is used several times is no op. Equal applications count as
 * one op. A watched function within a watched one goes by its own label. For hunting: each op costs
 * several more.
 *
 * @param out   out
 * @param f     function
 * @param hook  NULL for defaults; copied
 * @errors      AGN_ENULL, AGN_EARG (unknown size), AGN_ENOMEM, and then destroy is not called; a
 *              call and its derivatives also AGN_EDOMAIN (a NaN; the message names op, index, label
 *              and walk), what found returns
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_watch_nan(agn_fn **out, const agn_fn *f,
                                                   const agn_nan_hook *hook);

#ifdef __cplusplus
}
#endif
#endif
