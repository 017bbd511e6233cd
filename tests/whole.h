/* tests/whole.h - a function made of transforms, put through everything: the values it should
   give, every mode to order 3, lanes, plans, other layouts, and every allocation failed in turn. */
#ifndef AGN_WHOLE_H
#define AGN_WHOLE_H

#include "modes.h"

#undef I /* of <complex.h> */

typedef const agn_tensor *T;
#define BODY(name) static agn_status name(void *user, agn_scope *s, const T *in, T *out)
#define FORMULA(name, ...)                        \
    BODY(name)                                    \
    {                                             \
        (void)user;                               \
        const T want_[] = {__VA_ARGS__};          \
        for (int i_ = 0; i_ < COUNT(want_); i_++) \
            out[i_] = want_[i_];                  \
        return agn_scope_status(s);               \
    }
#define I64(...) ((const int64_t[]){__VA_ARGS__})
#define I32(...) ((const int32_t[]){__VA_ARGS__})

static inline agn_fn *whole_fn(agn_body *body, void *user, int n_in, int n_out)
{
    agn_fn *f = NULL;
    must(agn_fn_new(&f, body, user, NULL, n_in, n_out));
    return f;
}
/* the same within a body: NULL where the scope has failed */
static inline agn_fn *whole_fn_in(agn_scope *s, agn_body *body, void *user, int n_in,
                                  int n_out)
{
    agn_fn *f = NULL;
    if (!agn_scope_status(s))
        agn_scope_fail(s, agn_fn_new(&f, body, user, NULL, n_in, n_out));
    return f;
}
/* what a transform made by MADE(agn_fn_...(&made_, ...)) */
static agn_fn *made_;
static inline agn_fn *whole_made(agn_status st)
{
    must(st);
    return made_;
}
#define MADE(call) whole_made((made_ = NULL, call))

typedef struct whole_call {
    const agn_fn *f;
    const T *in;
} whole_call;
static inline agn_status whole_run(void *user, agn_tensor **out)
{
    const whole_call *q = user;
    agn_tensor *y[64] = {NULL};
    agn_status st = agn_fn_call(y, agn_fn_n_out(q->f), q->f, q->in, agn_fn_n_in(q->f));
    for (int i = 0; i < agn_fn_n_out(q->f); i++)
        if (!st && i)
            agn_release(y[i]);
    if (!st)
        *out = y[0];
    return st;
}

/* all results of both are close */
static inline void whole_same(const agn_fn *f, const T *in, const agn_fn *g,
                              const T *gin, int from, double tol, const char *name)
{
    tally t = {0, 0};
    agn_tensor *y[64] = {NULL}, *z[64] = {NULL};
    must(agn_fn_call(y, agn_fn_n_out(f), f, in, agn_fn_n_in(f)));
    must(agn_fn_call(z, agn_fn_n_out(g), g, gin, agn_fn_n_in(g)));
    for (int i = 0; i < agn_fn_n_out(f); i++) {
        double e = modes_apart(y[i], z[from + i]);
        check(&t, e < tol, "result %d: apart %.1e", i, e);
        agn_release(y[i]);
    }
    for (int i = 0; i < agn_fn_n_out(g); i++)
        agn_release(z[i]);
    tell(&t, "%s", name);
}

/* n arguments that vary, f64 or c128 */
static inline void whole(const agn_fn *f, int n, const T *in, double tol,
                         const char *name)
{
    in_every_mode(f, n, in, 1e-2, tol, name);
    agn_check_result worst = {.size = sizeof worst};
    agn_status st = agn_check_grads(&worst, f, in, agn_fn_n_in(f),
                                    &(agn_check_options){.size = sizeof(agn_check_options), .orders = 3, .entries = 4, .tolerance = tol});
    ok(!st, "%s: plans, layouts, differences to order 3, worst %.1e%s%s", name,
       worst.error, st ? ": " : "", st ? agn_error_message() : "");
    every_allocation(whole_run, &(whole_call){f, in}, name);
}

/* ---- errors ---- */

/* making a function is refused, within a check of t */
static agn_fn *const untouched_fn = (agn_fn *)(uintptr_t)0x5eed;
#define NO_FN(st, op, f1, f2, ...) \
    do { \
        agn_fn *out = untouched_fn; \
        agn_status st_ = __VA_ARGS__; \
        check(&t, refused(st_, st, op, f1, f2, untouched) && out == untouched_fn, "%s", #__VA_ARGS__); \
    } while (0)
/* calling g, which is released, is refused; op NULL: whatever it says */
static inline bool no_call(agn_fn *g, const T *in, agn_status want, const char *op, const char *f1)
{
    agn_tensor *out[8];
    for (int i = 0; i < 8; i++)
        out[i] = untouched;
    agn_status st = agn_fn_call(out, agn_fn_n_out(g), g, in, agn_fn_n_in(g));
    agn_fn_release(g);
    return op ? refused(st, want, op, f1, NULL, out[0]) : st == want && out[0] == untouched;
}

#endif
