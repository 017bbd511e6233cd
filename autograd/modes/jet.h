/* jet.h - the graph of series behind Taylor mode, shared by jet.c, jet_series.c and jet_rules.c. */
#ifndef AGNI_JET_H
#define AGNI_JET_H

#include "autograd/modes/grading.h"
#include "autograd/modes/zeros.h"
#include "core/memory/hash_index.h"

typedef struct agni_jet_application agni_jet_application;

/* one result of one application */
typedef struct agni_jet_series {
    agni_jet_application *a;
    int o;
} agni_jet_series;

enum agni_jet_kind { AGNI_JET_GIVEN, AGNI_JET_APPLIED, AGNI_JET_DERIVATIVE, AGNI_JET_HOMOGENEOUS };
struct agni_jet_application {
    enum agni_jet_kind kind;
    bool live;        /* has coefficients beyond the first? */
    bool ready;       /* f or d is built */
    bool tangent;     /* depends on x': its part of degree 0 is a derivative, too */
    bool homogeneous; /* arguments that depend on x' are homogeneous of degree low */
    int low;          /* parts of smaller degree are zero */
    int64_t query;    /* the query that visited it last */
    const agni_op *op;
    const agni_attr *at;
    int nin, nout;
    agni_jet_series *in;
    agni_jet_series *d; /* partials by argument, or F by result; d.a NULL: +-1 in sign */
    int *sign;
    const agn_tensor **like;             /* [nout]: shape and dtype of the value, where known */
    const agn_tensor **c;                /* [nout][K + 1] */
    char *state;                         /* of each: */
    char *dirty;                         /* of each: holds anything at structural zeros; */
    const agn_tensor **own;              /* of each: a mask of its own, where zeros are not known */
    const agn_tensor **zeros;            /* [nout]: the mask of all its parts, */
    char *zeros_known;                   /* once they are */
    agni_jet_application *next;          /* list of all */
};

enum { AGNI_JET_UNKNOWN, AGNI_JET_KNOWN, AGNI_JET_BUSY };

enum { AGNI_JET_MANY = 32 };
typedef struct agni_jet_context {
    agn_scope *s;
    const agni_grading *g;
    int K;
    bool singular; /* some partial derivative may be: masks matter */
    bool curves; /* lanes are independent curves */
    int64_t n_queries;
    agni_jet_application *all, **interned; /* all that were made, those that are found by hash */
    int32_t n_interned, cap_interned;
    agni_hash_index index;
} agni_jet_context;

/* ---- jet_series.c ---- */

void agni_jet_set_coefficient(agni_jet_context *j, agni_jet_application *a, int o, int k,
                              const agn_tensor *c);
/* a tensor of the shape and dtype of x */
const agn_tensor *agni_jet_value_like(agni_jet_context *j, agni_jet_series x);
agni_jet_series agni_jet_constant_series(agni_jet_context *j, const agn_tensor *x);
/* the homogeneous part of degree m */
agni_jet_series agni_jet_homogeneous_series(agni_jet_context *j, agni_jet_series x, int m);
bool agni_jet_is_bilinear(const agni_op *op);
/* the application of op to in: found by hash (CSE), else new */
agni_jet_application *agni_jet_intern_application(agni_jet_context *j, const agni_op *op,
                                                  const agni_attr *at, int nin,
                                                  const agni_jet_series *in, int nout);
/* Records the partial derivatives of a, or F, on symbols bound to x, y and x'. */
bool agni_jet_record_derivative(agni_jet_context *j, agni_jet_application *a);

/* ---- jet_rules.c ---- */

const agn_tensor *agni_jet_scale_by(agni_jet_context *j, const agn_tensor *x, double c);
/* part k of a result with the shape and dtype of its value y */
const agn_tensor *agni_jet_fit_to_value(agni_jet_context *j, const agn_tensor *c, int k,
                                        const agn_tensor *y);
void agni_jet_compute_value(agni_jet_context *j, agni_jet_application *a);
/* by the op's own jet rule */
void agni_jet_compute_all_orders(agni_jet_context *j, agni_jet_application *a, int k);
agni_masked agni_jet_compute_coefficient(agni_jet_context *j, agni_jet_application *a, int o,
                                         int k);

/* ---- jet.c ---- */

/* the mask of all parts of x, of any lanes; NULL: none is known */
const agn_tensor *agni_jet_zeros(agni_jet_context *j, agni_jet_series x);
/* the mask of part k of result o, given those of the same parts of its arguments */
const agn_tensor *agni_jet_own_mask(agni_jet_context *j, agni_jet_application *a, int o, int k);
/* part k of x with its mask, perhaps dirty; that of degree 0 is a value, which has none */
agni_masked agni_jet_masked(agni_jet_context *j, agni_jet_series x, int k);
/* part k of x, computed on demand and kept; NULL: zero */
const agn_tensor *agni_jet_coefficient(agni_jet_context *j, agni_jet_series x, int k);

#endif
