/* autograd/modes/modes.h - walks over a program: tangents forward, cotangents backward, Taylor
   coefficients, lanes. Every walk applies ops through the dispatcher, so its results can be
   walked again. */
#ifndef AGNI_SWEEP_H
#define AGNI_SWEEP_H

#include "graph/program/program.h"
#include "tensor/dispatch/op_helpers.h"

/* A program at values: what a walk reads. prim[v] are the values without the nodes of this
   transform; active[v] tells whether v depends smoothly on a wanted input. */
typedef struct agni_traversal {
    const agni_prog *p;
    agn_scope *s;
    const agn_tensor **prim;
    bool *active;
    int width;                 /* most arguments or results of a node */
    const agn_tensor **x, **a; /* room for width arguments, and for width other things */
    bool *flag;
} agni_traversal;

/* want[n_in] or NULL for all; fails in s. Free with agni_walk_close. */
bool agni_walk_open(agni_traversal *w, agn_scope *s, const agni_prog *p, uint64_t first,
                    const bool *want);
/* a stored program at other inputs x, by replaying it */
bool agni_walk_replay(agni_traversal *w, agn_scope *s, const agni_prog *p,
                      const agn_tensor *const *x, const bool *want);
/* of whose values some are given[n_val]: those are not computed again */
bool agni_walk_replay_from(agni_traversal *w, agn_scope *s, const agni_prog *p,
                           const agn_tensor *const *x, const agn_tensor *const *given,
                           const bool *want);
void agni_walk_close(agni_traversal *w);
/* the rule's view of node k; x points into w and is reused by the next call */
agni_rule agni_walk_rule(agni_traversal *w, int k);

/* Derivatives of the values of a program, NULL where there is none. What large nodes gave is held by
   a reference of its own, not by the scope, and goes when it has been read: a walk holds what is
   still to be read. */
typedef struct agni_adjoints {
    const agn_tensor **v;
    bool *own;
} agni_adjoints;
bool agni_held_open(agni_adjoints *h, agn_scope *s, int n);
void agni_held_close(agni_adjoints *h, int n);
/* v becomes x; what it was is dropped where it is owned, NULL or not */
void agni_adjoint_set(agni_adjoints *h, int v, const agn_tensor *x, bool own);
/* v, which the scope keeps from now on: rules hand on what they got, and results stay */
const agn_tensor *agni_adjoint_share(agni_adjoints *h, int v, agn_scope *s);
/* worth a scope of its own, which lets go of what a rule makes on its way? */
bool agni_is_large(const agni_prog *p, const agni_pnode *n);

/* t[n_in] (NULL: zero) to ty[n_out] (NULL: zero) */
void agni_sweep_jvp(agni_traversal *w, const agn_tensor *const *t, const agn_tensor **ty);
/* g[n_out] (NULL: zero) to gx[n_in] (NULL: zero or not active) */
void agni_sweep_vjp(agni_traversal *w, const agn_tensor *const *g, const agn_tensor **gx);
/* c[i * (K+1) + k], k >= 1 (NULL: zero) to out[o * (K+1) + k], k >= 1, K the order of g */
void agni_sweep_jet(agni_traversal *w, const agni_grading *g, const agn_tensor *const *c,
                    const agn_tensor **out);
/* lanes: in[i] with a leading batch axis where batched[i]; bout tells of the results */
void agni_sweep_batch(agn_scope *s, const agni_prog *p, int64_t lanes,
                      const agn_tensor *const *in, const bool *batched, const agn_tensor **out,
                      bool *bout);
/* the same for lanes that begin with number first, NULL for 0: which a random op can tell */
void agni_sweep_batch_from(agn_scope *s, const agn_tensor *first, const agni_prog *p, int64_t lanes,
                           const agn_tensor *const *in, const bool *batched,
                           const agn_tensor **out, bool *bout);
/* the same, where random ops draw the same numbers for all lanes whose key is the same */
void agni_batch_same_draws(agn_scope *s, const agni_prog *p, int64_t lanes,
                           const agn_tensor *const *in, const bool *batched, const agn_tensor **out,
                           bool *bout);
/* a linear program of one input at n seeds at once: random ops draw the same for all of them */
void agni_batch_over_seeds(agn_scope *s, const agni_prog *p, int64_t n, const agn_tensor *in,
                           const agn_tensor **out, bool *bout);

/* ---- one node ------------------------------------------------------------------------------ */

void agni_node_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                   const agn_tensor **ty);
void agni_node_vjp(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                   const bool *want, const agn_tensor **gx);
/* A linear rule as a program, to be transposed. Those of ops with kernels are traced on symbols;
   a user's may hold loops and calls, whose derivatives look at values, and is taken at zero. */
bool agni_trace_linear(agn_scope *s, agni_prog **p, uint64_t *first, const agni_op *op,
                       agn_body *body, void *user, int n, const agn_tensor *const *like, int nout);
/* as agni_batch_fn, for an op with or without a rule; no lanes where nothing is batched */
void agni_node_batch(agn_scope *s, const agni_rule *r, int64_t lanes,
                     const agn_tensor *const *in, const bool *batched, const agn_tensor **out,
                     bool *bout);
/* the mode that op's one rule does not give */
void agni_jvp_from_vjp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                       const agn_tensor **ty);
void agni_vjp_from_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                       const bool *want, const agn_tensor **gx);
/* both: cotangents gx of a body that is linear, for g of its results; mode is what they are for */
void agni_transpose_rule(agn_scope *s, const agni_rule *r, const char *mode, agn_body *body,
                         void *user, int n_in, const agn_tensor *const *like, int n_out,
                         const agn_tensor *const *g, const agn_tensor **gx);
/* product with a factor of a derivative */
const agn_tensor *agni_times(agn_scope *s, const agn_tensor *t, const agn_tensor *d,
                             bool bounded);
/* may values of x carry a derivative? */
static inline bool agni_smooth(const agn_tensor *x)
{
    return agni_kind(x->dtype) >= AGNI_KIND_FLOAT;
}
static inline bool agni_diff(const agni_op *op, int i)
{
    return i < 32 ? op->diff >> i & 1 : op->diff == ~0u;
}
/* a tangent, cotangent or coefficient given for x: of its shape, brought to its dtype */
const agn_tensor *agni_seed(agn_scope *s, const char *op, const char *what, int i,
                            const agn_tensor *t, const agn_tensor *x);
/* what all control ops that take any arguments to any results have in common */
#define AGNI_CONTROL_ROW(name_, takes_)                                                 \
    .name = name_, .takes = takes_, .cls = AGNI_CONTROL, .nin = -1, .nout = -1,         \
    .dtypes = AGNI_ANY, .diff = ~0u, .ew = -1, .lo = -3, .hi = 3
/* the op has no rule for a mode: fails s, naming both */
void agni_no_rule(agn_scope *s, const agni_op *op, const char *mode);

#endif
