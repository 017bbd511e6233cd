/* tests/geometric-calls.h - functions of several arguments in every mode, MOST of them at a time. */
#ifndef AGN_TESTS_GEOMETRIC_CALLS_H
#define AGN_TESTS_GEOMETRIC_CALLS_H

#include "geometric.h"

typedef agn_status call_of(const void *user, agn_tensor **out, const agn_tensor *const *x);

/* a call of n arguments, free from the first on, the others held */
typedef struct held_call {
    call_of *run;
    const void *user;
    agn_tensor *const *held;
    int n, first;
} held_call;
enum { FREE = 4, ARGUMENTS = 8 };

static inline agn_status run_held_call(void *user, agn_scope *s, const agn_tensor *const *in,
                                       const agn_tensor **out)
{
    const held_call *q = user;
    const agn_tensor *x[ARGUMENTS] = {NULL};
    agn_tensor *y = NULL;
    for (int i = 0; i < q->n; i++)
        x[i] = i < q->first || i >= q->first + FREE ? q->held[i] : in[i - q->first];
    agn_status st = q->run(q->user, &y, x);
    out[0] = agn_scope_adopt(s, st, &y);
    return agn_scope_status(s);
}

/* the first FREE of the arguments, then the last */
static inline void call_in_every_mode(call_of *run, const void *user, int n, agn_tensor *const *x,
                                      double tol, const char *name)
{
    held_call q = {run, user, x, n, 0};
    int most = n < FREE ? n : FREE;
    for (; q.first <= n - most; q.first += n - most > 0 ? n - most : 1) {
        agn_fn *f = NULL;
        must(agn_fn_new(&f, run_held_call, &q, NULL, most, 1));
        in_every_mode(f, most, (const agn_tensor *const *)x + q.first, 1e-3, tol, name);
        agn_fn_release(f);
    }
}

#endif
