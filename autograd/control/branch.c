/* branch.c - cond and switch (structured conditionals): a bool chooses the first branch when
   true; an integer is clamped to the numbers of the branches. */
#include "autograd/control/subprograms.h"

#include <agnesi/control.h>
#include <stdatomic.h>
#include <string.h>

enum { MOST = 1 << 16 /* branches */, KINDS = 16 };

static bool is_switch(const agni_op *op)
{
    return op == &agni_op_switch;
}

static agn_status read_choice(const agni_op *op, const agn_tensor *choice, int n, int *k)
{
    int64_t v = 0;
    agn_status st = agn_item_i64(&v, choice);
    *k = !is_switch(op) ? !v : v < 0 ? 0 : v < n ? (int)v : n - 1;
    return st;
}

static agn_status check_choice(const agni_op *op, const agn_tensor *choice)
{
    uint32_t may = is_switch(op) ? AGNI_INTS : AGNI_BIT(BOOL);
    if (may >> choice->dtype & 1 && !choice->ndim)
        return AGN_OK;
    return agni_fail(choice->ndim ? AGN_ESHAPE : AGN_EDTYPE,
                     "%s: the choice is %s %s, %s [] is needed", op->name,
                     agni_dtypes[choice->dtype].name, AGNI_SHAPE(choice),
                     is_switch(op) ? "an integer" : "a bool");
}

/* ---- the node -------------------------------------------------------------------- */

/* p is branch i, q branch k */
static agn_status check_same_results(const agni_op *op, const agni_prog *p, int i,
                                     const agni_prog *q, int k)
{
    for (int o = 0; o < p->n_out; o++) {
        const agn_tensor *x = p->val[p->out[o]], *y = q->val[q->out[o]];
        if (x->dtype != y->dtype || !agni_same_shape(x, y))
            return agni_fail(x->dtype != y->dtype ? AGN_EDTYPE : AGN_ESHAPE,
                             "%s: result %d is %s %s in branch %d, %s %s in branch %d", op->name, o,
                             agni_dtypes[x->dtype].name, AGNI_SHAPE(x), i,
                             agni_dtypes[y->dtype].name, AGNI_SHAPE(y), k);
    }
    return AGN_OK;
}

static agn_status check_bodies(const agni_op *op, const agni_subprograms *b)
{
    agn_status st = AGN_OK;
    for (int k = 1; k < b->n && !st; k++)
        st = check_same_results(op, b->at[0].p, 0, b->at[k].p, k);
    return st;
}

void agni_branch_emit(agn_scope *s, const agni_op *op, const agn_tensor *choice, int n,
                      const agni_c_body *body, int n_in, const agn_tensor *const *in, int n_out,
                      const agn_tensor **out)
{
    if (agn_scope_status(s))
        return;
    if (choice->st) { /* a value chooses: no node */
        int k;
        if (!agn_scope_fail(s, read_choice(op, choice, n, &k)))
            agn_scope_fail(s, body[k].body(body[k].user, s, in, out));
        return;
    }
    agni_traced_bodies t = {NULL, NULL, NULL};
    int *counts = agni_alloc(2 * (size_t)n * sizeof *counts);
    const agn_tensor *const **ins = agni_alloc((size_t)n * sizeof *ins);
    if (!counts || !ins)
        agn_scope_fail(s, agni_nomem(op->name, (size_t)n * sizeof *ins));
    for (int k = 0; k < n && counts && ins; k++) {
        counts[k] = n_in;
        counts[n + k] = n_out;
        ins[k] = in;
    }
    if (counts && ins &&
        agni_subprograms_trace(&t, s, op->name, n, body, counts, ins, counts + n) &&
        !agn_scope_fail(s, check_bodies(op, t.b)))
        agni_subprograms_apply(&t, s, op, 0, NULL, 1, &choice, n_in, in, n_out, out);
    agni_subprograms_close(&t);
    agni_free(counts);
    agni_free(ins);
}

static agn_status infer_branch(agni_call *c)
{
    agn_status st = check_choice(c->op, c->in[0]);
    return st ? st : agni_prog_infer(agni_subprograms_of(c->at)->at[0].p, c);
}

static agn_status eval_branch(const agni_call *c, agn_tensor **out)
{
    const agni_subprograms *b = agni_subprograms_of(c->at);
    int k;
    agn_status st = read_choice(c->op, c->in[0], b->n, &k);
    const agn_tensor **a = agni_alloc((size_t)(c->nin + c->nout) * sizeof *a);
    if (!st && !a)
        st = agni_nomem(c->op->name, (size_t)(c->nin + c->nout) * sizeof *a);
    if (!st) {
        agn_scope *s = agn_scope_open(NULL);
        agni_subprograms_inputs(b, k, c->in + 1, a);
        if (!agni_prog_replay(b->at[k].p, s, a, a + c->nin, NULL))
            for (int o = 0; o < c->nout; o++)
                agn_scope_return(s, out + o, a[c->nin + o]);
        st = agn_scope_close(s);
    }
    agni_free(a);
    return st;
}

#define BRANCH(name_)                                                               \
    AGNI_CONTROL_ROW(name_, "choice args* bodies:o"), .infer = infer_branch,        \
        .eval = eval_branch, .jvp = agni_branch_jvp, .vjp = agni_branch_vjp,        \
        .jet = agni_branch_jet, .batch = agni_branch_batch
const agni_op agni_op_cond = {BRANCH("cond"), .doc = "one of two programs"};
const agni_op agni_op_switch = {BRANCH("switch"), .doc = "one of several programs"};

/* ---- the public functions -------------------------------------------------------- */

typedef struct branches {
    const agni_op *op;
    int n;
    _Atomic uint64_t alike[KINDS]; /* for which arguments, by their hash, results are known to be */
    _Atomic uint32_t last;         /* so many were found */
    agni_c_body f[];               /* user: the functions */
} branches;
static void free_branches(void *data)
{
    branches *b = data;
    for (int k = 0; k < b->n; k++)
        agn_fn_release(b->f[k].user);
    agni_free(b);
}
static uint64_t hash_arguments(int n, const agn_tensor *const *in)
{
    uint64_t h = 1;
    for (int i = 0; i < n; i++) {
        h = (h ^ (uint64_t)(in[i]->dtype * 2 + in[i]->weak)) * 0xD6E8FEB86659FD93u;
        for (int d = 0; d < in[i]->ndim; d++)
            h = ((h ^ h >> 29) + (uint64_t)in[i]->shape[d] + 1) * 0xD6E8FEB86659FD93u;
    }
    return (h ^ h >> 32) | 1;
}

static bool is_checked(branches *b, uint64_t h)
{
    bool found = false;
    for (int k = 0; k < KINDS; k++)
        found |= atomic_load_explicit(&b->alike[k], memory_order_relaxed) == h;
    return found;
}

/* With a known choice one branch runs; the results of the others are found by tracing them, once
   for each signature of the arguments. A branch that cannot be traced for these arguments,
   because it reads values or fails, is not compared. */
static agn_status check_all_branches(branches *b, const agn_fn *f, const agn_tensor *const *in)
{
    static _Thread_local int8_t depth; /* of nested conditionals, also recursive ones */
    enum { DEEP = 32 };
    uint64_t h = hash_arguments(f->n_in, in);
    if (!in[0]->st || b->n < 2 || depth == DEEP || is_checked(b, h))
        return AGN_OK;
    agni_prog *first = NULL;
    int at = 0;
    agn_status st = AGN_OK;
    depth++;
    for (int k = 0; k < b->n && !st; k++) {
        agni_prog *p = NULL;
        uint64_t now;
        st = agni_trace_body(&p, &now, b->f[k].body, b->f[k].user, f->n_in - 1, in + 1, f->n_out,
                             true);
        st = st == AGN_ENOMEM || st == AGN_ECANCELLED ? st
             : p && first                             ? check_same_results(b->op, first, at, p, k)
                                                      : AGN_OK;
        if (first) {
            agni_prog_release(p);
        } else {
            first = p;
            at = k;
        }
    }
    depth--;
    agni_prog_release(first);
    if (!st)
        atomic_store(&b->alike[atomic_fetch_add(&b->last, 1) % KINDS], h);
    return st;
}

/* cond(f, f) is f; traced as two branches, d of them within each other would be traced 2^d times */
static bool has_equal_branches(const branches *b)
{
    bool equal = true;
    for (int k = 1; equal && k < b->n; k++)
        equal = b->f[k].user == b->f[0].user;
    return equal;
}

static agn_status run_branch(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    branches *b = f->data;
    agn_status st = agn_scope_fail(s, check_choice(b->op, in[0]));
    if (!st && has_equal_branches(b))
        return agni_fn_run_in(b->f[0].user, s, in + 1, out);
    if (!st && !agn_scope_fail(s, check_all_branches(b, f, in)))
        agni_branch_emit(s, b->op, in[0], b->n, b->f, f->n_in - 1, in + 1, f->n_out,
                         out);
    return agn_scope_status(s);
}

static agn_status make_branch(agn_fn **out, const agni_op *op, int n, const agn_fn *const *f)
{
    for (int k = 1; k < n; k++)
        if (f[k]->n_in != f[0]->n_in || f[k]->n_out != f[0]->n_out)
            return agni_fail(
                AGN_EARG,
                "fn_%s: one function has %d arguments and %d results, another "
                "%d and %d",
                op->name, f[0]->n_in, f[0]->n_out, f[k]->n_in, f[k]->n_out);
    size_t bytes = sizeof(branches) + (size_t)n * sizeof(agni_c_body);
    branches *b = agni_alloc(bytes);
    if (!b)
        return agni_nomem(op->name, bytes);
    b->op = op;
    b->n = n;
    for (int k = 0; k < KINDS; k++)
        atomic_init(&b->alike[k], 0);
    atomic_init(&b->last, 0);
    for (int k = 0; k < n; k++)
        b->f[k] = (agni_c_body){agni_fn_body, agn_fn_retain(f[k])};
    agn_status st = agni_fn_make(out, run_branch, 1 + f[0]->n_in, f[0]->n_out, b, free_branches);
    if (st)
        free_branches(b);
    return st;
}

agn_status agn_fn_cond(agn_fn **out, const agn_fn *if_true, const agn_fn *if_false)
{
    if (!out || !if_true || !if_false)
        return agni_fail(AGN_ENULL, "fn_cond: %s is NULL",
                         !out       ? "out"
                         : !if_true ? "if_true"
                                    : "if_false");
    return make_branch(out, &agni_op_cond, 2, (const agn_fn *[]){if_true, if_false});
}

agn_status agn_fn_switch(agn_fn **out, const agn_fn *const *branch, int32_t n)
{
    if (!out || !branch)
        return agni_fail(AGN_ENULL, "fn_switch: %s is NULL", out ? "branch" : "out");
    if (n < 1 || n > MOST)
        return agni_fail(AGN_EARG, "fn_switch: %d branches; 1 to %d are possible", n,
                         MOST);
    for (int k = 0; k < n; k++)
        if (!branch[k])
            return agni_fail(AGN_ENULL, "fn_switch: branch %d of %d is NULL", k, n);
    return make_branch(out, &agni_op_switch, n, branch);
}
