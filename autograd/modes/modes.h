/* modes.h - the four traversals of a program: JVP (forward mode), VJP (reverse mode), jet (Taylor
   mode), batching (vmap). Each applies ops through the dispatcher, so its results are recorded and
   can be traversed again: modes nest. */
#ifndef AGNI_MODES_H
#define AGNI_MODES_H

#include "graph/program/program.h"
#include "tensor/dispatch/op_helpers.h"

/* What zeros of the seeds of a traversal are: numbers, as what a user passes, or structural, as
   those of unit vectors. */
enum agni_seeds { AGNI_SEEDS_NUMBERS, AGNI_SEEDS_UNITS };

/* A program at values, with activity analysis. prim[v] are the values without the nodes of this
   transform; active[v]: v depends differentiably on a wanted input, and a result on v. */
typedef struct agni_traversal {
    const agni_prog *p;
    agn_scope *s;
    const agn_tensor **prim;
    bool *active;
    int width;                  /* most arguments or results of a node */
    const agn_tensor **x;       /* scratch: width arguments, */
    struct agni_masked *in, *a; /* derivatives given and made, */
    bool *flag, *flag2;         /* and what is asked of each */
    enum agni_seeds seeds;
    /* It follows the program of a branch, a call or a step for the rule in hand: masks of seeds and
       results pass between the two traversals. Those that a step carries have none. */
    bool inner;
    agni_prog *rewritten; /* p where powers of roots are powers (roots.c), or NULL */
} agni_traversal;

/* want[n_in] or NULL for all; fails in s. Free with agni_traversal_close. */
bool agni_traversal_open(agni_traversal *w, agn_scope *s, const agni_prog *p, uint64_t first,
                         const bool *want);
/* a stored program at other inputs x, by replaying it */
bool agni_traversal_replay(agni_traversal *w, agn_scope *s, const agni_prog *p,
                           const agn_tensor *const *x, const bool *want);
/* of whose values some are given[n_val]: those are not computed again */
bool agni_traversal_replay_from(agni_traversal *w, agn_scope *s, const agni_prog *p,
                                const agn_tensor *const *x, const agn_tensor *const *given,
                                const bool *want);
void agni_traversal_close(agni_traversal *w);
/* the rule's view of node k; x points into w and is reused by the next call */
agni_rule agni_traversal_rule(agni_traversal *w, int k);

/* Derivatives of the values of a program, NULL where there is none. What large nodes gave is
   held by a reference of its own, not by the scope, and is released after its last reader: a
   traversal holds what is still to be read. */
typedef struct agni_adjoints {
    struct agni_masked *x;
    bool *own;
} agni_adjoints;
bool agni_adjoints_open(agni_adjoints *h, agn_scope *s, int n);
void agni_adjoints_close(agni_adjoints *h, int n);
/* v becomes x; the former value is released where it is owned, x.v NULL or not */
void agni_adjoint_set(agni_adjoints *h, int v, struct agni_masked x, bool own);
/* v, which the scope keeps from now on: rules pass on what they got, and results outlive the
   traversal */
struct agni_masked agni_adjoint_share(agni_adjoints *h, int v, agn_scope *s);
/* worth a scope of its own, which releases the intermediates of its rule? */
bool agni_is_large(const agni_prog *p, const agni_pnode *n);

/* t[n_in] (NULL: zero) to ty[n_out] (NULL: zero) */
void agni_traverse_jvp(agni_traversal *w, const agn_tensor *const *t, const agn_tensor **ty);
/* g[n_out] (NULL: zero) to gx[n_in] (NULL: zero or not active) */
void agni_traverse_vjp(agni_traversal *w, const agn_tensor *const *g, const agn_tensor **gx);
/* c[i * (K+1) + k], k >= 1 (NULL: zero) to out[o * (K+1) + k], k >= 1, K the order of g */
void agni_traverse_jet(agni_traversal *w, const agni_grading *g, const agn_tensor *const *c,
                       const agn_tensor **out);
/* in[i] has a leading batch axis where batched[i]; bout tells which results have one */
void agni_traverse_batch(agn_scope *s, const agni_prog *p, int64_t lanes,
                         const agn_tensor *const *in, const bool *batched, const agn_tensor **out,
                         bool *bout);
/* the same for lanes numbered from first on, NULL for 0: random ops fold the number into their
   key */
void agni_traverse_batch_from(agn_scope *s, const agn_tensor *first, const agni_prog *p,
                              int64_t lanes, const agn_tensor *const *in, const bool *batched,
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
void agni_node_vjp(agn_scope *s, const agni_rule *r, const agn_tensor *const *g, const bool *want,
                   const agn_tensor **gx);
/* as agni_batch_fn, for an op with or without a rule; no lanes where nothing is batched */
void agni_node_batch(agn_scope *s, const agni_rule *r, int64_t lanes, const agn_tensor *const *in,
                     const bool *batched, const agn_tensor **out, bool *bout);
/* the mode that op's one rule does not give */
void agni_jvp_from_vjp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                       const agn_tensor **ty);
void agni_vjp_from_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                       const bool *want, const agn_tensor **gx);
/* cotangents gx of a linear body, for g of its results; mode is for messages */
void agni_transpose_rule(agn_scope *s, const agni_rule *r, const char *mode, agn_body *body,
                         void *user, int n_in, const agn_tensor *const *like, int n_out,
                         const agn_tensor *const *g, const agn_tensor **gx);
/* product with a factor of a derivative, of which truth values choose */
const agn_tensor *agni_mul_partial(agn_scope *s, const agn_tensor *t, const agn_tensor *d);
/* floating or complex: may values of x carry a derivative? */
static inline bool agni_is_differentiable(const agn_tensor *x)
{
    return agni_kind(x->dtype) >= AGNI_KIND_FLOAT;
}
static inline bool agni_is_diff_argument(const agni_op *op, int i)
{
    return i < 32 ? op->diff >> i & 1 : op->diff == ~0u;
}
/* a tangent, cotangent or coefficient given for x: its shape is checked, its dtype converted */
const agn_tensor *agni_fit_seed(agn_scope *s, const char *op, const char *what, int i,
                                const agn_tensor *t, const agn_tensor *x);
/* what all control ops with any number of arguments and results have in common */
#define AGNI_CONTROL_ROW(name_, takes_) \
    .name = name_, .takes = takes_, .cls = AGNI_CONTROL, .nin = -1, .nout = -1, \
    .dtypes = AGNI_ANY, .diff = ~0u, .ew = -1, .lo = -3, .hi = 3
/* fails s: op has no rule for this mode */
void agni_fail_no_rule(agn_scope *s, const agni_op *op, const char *mode);

#endif
