/* zeros.h - structural zeros: which elements of a tangent or cotangent are zero because no path
   of the program leads to them. A choice (where, relu, maximum, a slice) closes paths; the size
   of a number never does. A structural zero times anything is zero, any other product of a
   derivative is an ordinary one, so that 0 times infinity is NaN. */
#ifndef AGNI_ZEROS_H
#define AGNI_ZEROS_H

#include "autograd/modes/modes.h"

/* A derivative with its mask. The mask broadcasts to the derivative. */
typedef struct agni_masked {
    const agn_tensor *v; /* NULL: zero everywhere */
    const agn_tensor *m; /* truth values, false at structural zeros; NULL: none are known */
    bool dirty;          /* v holds anything where m is false */
} agni_masked;

/* v with 0 at its structural zeros */
const agn_tensor *agni_clean_masked(agn_scope *s, agni_masked x);
/* the sum of two; keep: the mask of the sum is worth its cost */
agni_masked agni_add_masked(agn_scope *s, agni_masked a, agni_masked b, bool keep);
/* product with a factor of a derivative, of which truth values choose */
agni_masked agni_mul_masked(agn_scope *s, agni_masked t, const agn_tensor *d);
/* t where the truth values c hold */
agni_masked agni_choose_masked(agn_scope *s, agni_masked t, const agn_tensor *c);

/* x of a sum of exponentials where m holds: what is closed is absent, an infinity too */
const agn_tensor *agni_present_argument(agn_scope *s, const agni_op *op, const agn_tensor *x,
                                        const agn_tensor *m);
/* t, the product for argument x of logaddexp, where x is present */
agni_masked agni_choose_present(agn_scope *s, const agni_op *op, agni_masked t,
                                const agn_tensor *x);
/* where x is not 0 */
const agn_tensor *agni_nonzero_mask(agn_scope *s, const agn_tensor *x);
/* where both masks hold; NULL holds everywhere */
const agn_tensor *agni_join_masks(agn_scope *s, const agn_tensor *a, const agn_tensor *b);
/* the number 0 as it is written in a program: no path leads through a product with it */
bool agni_is_written_zero(const agn_tensor *x);

/* Does op move derivatives and masks alike, or choose between them? */
bool agni_keeps_masks(const agni_op *op, int nin);
/* Does agni_masked_jvp find the masks of its results? Do they say anything if its arguments have
   none? keep: masks behind it are worth their cost. */
bool agni_zeros_are_followed(const agni_op *op);
bool agni_makes_zeros(const agni_op *op, bool keep);

/* agni_node_jvp and agni_node_vjp of derivatives with masks. keep: a singular partial may
   follow; for cotangents by argument. */
void agni_masked_jvp(agn_scope *s, const agni_rule *r, const agni_masked *t, bool keep,
                     agni_masked *ty);
void agni_masked_vjp(agn_scope *s, const agni_rule *r, const agni_masked *g, const bool *want,
                     const bool *keep, agni_masked *gx);

/* a seed of a traversal; keep: a singular partial may follow */
agni_masked agni_seed_masked(agni_traversal *w, const agn_tensor *t, bool keep);
/* seed stands for outer, which the rule in hand was given, in the body of a branch: it has its
   mask */
void agni_pass_mask(const agn_tensor *seed, const agn_tensor *outer);
/* the mask of v for the rule in hand, or NULL; v has the mask m */
const agn_tensor *agni_known_mask(const agn_tensor *v);
void agni_know_mask(const agn_tensor *v, const agn_tensor *m);
/* r is the rule in hand, and the mask of the cotangent of its argument i is worth its cost */
bool agni_mask_is_wanted(const agni_rule *r, int i);
/* masks known so far; what was learned since then is forgotten: tensors of a body that is done */
int agni_masks_known(void);
void agni_forget_masks(int n);
/* how the attribute of agni_op_watched begins: a program of one op, whose place the node takes */
typedef struct agni_one_op {
    agni_obj head;
    agni_prog *p;
} agni_one_op;
/* Powers of roots as powers, in a copy of w->p with the same values; false where w->s has
   failed. */
bool agni_find_roots(agni_traversal *w);
void agni_forget_roots(agni_traversal *w);
/* x.v as a result of w, clean; the rule in hand whose program w follows learns its mask */
const agn_tensor *agni_result_masked(const agni_traversal *w, agni_masked x);
/* The jet rule of an op for parts c with the masks mc, by argument; my: those of its results. Masks
   may be NULL. */
void agni_jet_rule(agn_scope *s, const agni_rule *r, const agni_grading *g,
                   const agn_tensor *const *c, const agn_tensor *const *mc, const agn_tensor **out,
                   const agn_tensor **my);
/* Has the op a partial derivative that is not finite at finite arguments? Then masks that arrive at
   it matter. */
bool agni_is_singular(const agni_rule *r);
bool agni_is_singular_node(agni_traversal *w, int k); /* of w's program */

/* op(a, b) */
static inline const agn_tensor *agni_apply_binary(agn_scope *s, const agni_op *op,
                                                  const agn_tensor *a, const agn_tensor *b)
{
    return agni_apply_in(s, op, NULL, 2, (const agn_tensor *[]){a, b});
}

#endif
