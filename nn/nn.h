/* nn/nn.h - one call of a function of this room: its arguments checked, brought to one
   floating dtype and computed wide; its result rounded once and told in its name. */
#ifndef AGNI_NN_H
#define AGNI_NN_H

#include "tensor/value/tensor.h"
#include <agnesi/ag.h>

enum { AGNI_NN_ARGS = 6 };
/* what an argument may be, besides a real tensor */
enum { AGNI_NN_OPTIONAL = 1, AGNI_NN_WHOLE = 2 /* integers, left as they are */ };

typedef struct agni_nn {
    const char *op;
    struct {
        const char *name;
        const agn_tensor *x;
        int flags;
    } in[AGNI_NN_ARGS];
    int32_t reduction;
    /* from agni_nn_open on: */
    agn_scope *s;
    const agn_tensor *x[AGNI_NN_ARGS]; /* wide; NULL where none was given */
    int dtype, wide;                   /* of the result, and to compute in */
} agni_nn;

/* Checks arguments and reduction, opens the scope, widens. After a failure nothing is
   open. */
agn_status agni_nn_open(agni_nn *c, agn_tensor **out);
/* Names y, rounded or as it is, as the result; closes the scope. */
agn_status agni_nn_close(agni_nn *c, agn_tensor **out, const agn_tensor *y);
agn_status agni_nn_done(agni_nn *c, agn_tensor **out, const agn_tensor *y);

/* A failure of the call, seen after it was opened. */
#define AGNI_NN_FAIL(c, st, ...) agn_scope_fail((c)->s, agni_fail(st, __VA_ARGS__))

/* argument i as it was given, for shapes and messages */
static inline const agn_tensor *agni_nn_arg(const agni_nn *c, int i)
{
    return c->in[i].x;
}
/* axis in [-ndim, ndim) of argument i to [0, ndim); false after a failure */
bool agni_nn_axis(agni_nn *c, int i, int32_t axis, int *out);
/* Argument i must broadcast to the shape of argument 0 without its last `less` axes,
   or, the second, have exactly that shape; an absent one does. */
bool agni_nn_fits(agni_nn *c, int i, int less);
bool agni_nn_shaped(agni_nn *c, int i, int ndim, const int64_t *shape);
/* an absent vector for an axis, or argument i of that length, shaped to meet the axis
   of a tensor with ndim axes */
const agn_tensor *agni_nn_along(agni_nn *c, int i, int ndim, int axis, int64_t n);

/* Argument i as numbers in [0, n): where it has values, they are looked at; where it
   has none, the program looks when it runs. what: "label" */
const agn_tensor *agni_nn_checked(agni_nn *c, int i, const char *what, int64_t n);
/* the same for any integers in the scope, with the shape of messages from argument i */
const agn_tensor *agni_nn_in_range(agni_nn *c, const agn_tensor *idx, const char *name,
                                   const char *what, int64_t n);

const agn_tensor *agni_nn_reduce(agni_nn *c, const agn_tensor *loss);
/* 0 to n - 1, wherever they are needed */
const agn_tensor *agni_nn_count(agn_scope *s, int64_t n);
/* 1 where idx is the number along a new last axis, else 0 */
const agn_tensor *agni_nn_hot(agn_scope *s, const agn_tensor *idx, int64_t n,
                              int dtype);
/* softmax and its logarithm */
const agn_tensor *agni_nn_softmax(agn_scope *s, const agn_tensor *x, int axis);
const agn_tensor *agni_nn_log_softmax(agn_scope *s, const agn_tensor *x, int axis);
/* the p-norm along an axis, which stays */
const agn_tensor *agni_nn_norm(agn_scope *s, const agn_tensor *x, double p, int axis);
const agn_tensor *agni_nn_cosine(agn_scope *s, const agn_tensor *a, const agn_tensor *b,
                                 int axis, double eps);
/* softplus(-x) and softplus(x) weighted: -t w log sigmoid(x) - (1 - t) log sigmoid(-x)
   */
const agn_tensor *agni_nn_bce(agn_scope *s, const agn_tensor *x, const agn_tensor *t,
                              const agn_tensor *w);
/* the entry of each lane of the last axis that idx names */
const agn_tensor *agni_nn_pick(agn_scope *s, const agn_tensor *x,
                               const agn_tensor *idx);

#endif
