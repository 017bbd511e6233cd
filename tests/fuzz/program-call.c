/* tests/fuzz/program-call.c - ops that hold functions of the user's, as steps of a program: each way
   is a function of two arrays of one shape, made with such an op. */
#include "program.h"

#include <agnesi/check.h>
#include <agnesi/implicit.h>
#include <agnesi/tape.h>

enum { NEWTON = 6, MOST_ORDERS = 16 };

const char *const fuzz_call_ops[FUZZ_CALLS] = {"root",  "linear_solve", "linear_solve", "custom_jet", "custom",
                                               "named", "hook",         "packed",       "watched",    "nan_check"};

static agn_status infer(agni_call *c)
{
    c->meta[0].dtype = c->in[0]->dtype;
    c->meta[0].ndim = c->in[0]->ndim;
    memcpy(c->meta[0].shape, c->in[0]->shape, (size_t)c->in[0]->ndim * sizeof *c->in[0]->shape);
    return AGN_OK;
}

const agni_op fuzz_call = {.name = "user_function", .takes = "x w way:i", .cls = AGNI_OPAQUE,
                           .nin = 2, .nout = 1, .ew = -1, .dtypes = AGNI_FLOATS, .infer = infer};

static agn_status give(agn_scope *s, T *out, T y)
{
    out[0] = agn_scope_status(s) ? NULL : y;
    return agn_scope_status(s);
}

/* ---- the root y of y + tanh(x) sin(y) / 4 = w -------------------------------------------------- */

static T slope(agn_scope *s, T x)
{
    return ag_mul_c(s, ag_tanh(s, x), 0.25);
}
static agn_status residual(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    T y = ag_add(s, in[0], ag_mul(s, slope(s, in[1]), ag_sin(s, in[0])));
    return give(s, out, ag_sub(s, y, in[2]));
}
static agn_status newton(void *user, agn_scope *s, const T *in, T *out)
{
    T y = in[0], c = slope(s, in[1]);
    for (int k = 0; k < NEWTON; k++) {
        T at[] = {y, in[1], in[2]}, r = NULL;
        residual(user, s, at, &r);
        y = ag_sub(s, y, ag_div(s, r, ag_add_c(s, ag_mul(s, c, ag_cos(s, y)), 1)));
    }
    return give(s, out, y);
}

/* ---- d u + e (u backwards) = b, d = 2 + tanh(x) / 2, e = sin(x) / 2, b = w ---------------------- */

static T backwards(agn_scope *s, T x)
{
    return agn_ndim(x) ? ag_flip(s, x, (const int32_t[]){-1}, 1) : x;
}
/* in: u, d, e */
static agn_status system_of(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    return give(s, out, ag_add(s, ag_mul(s, in[1], in[0]), ag_mul(s, in[2], backwards(s, in[0]))));
}
/* in: b, d, e; two unknowns at a time */
static agn_status solution(void *user, agn_scope *s, const T *in, T *out)
{
    T e = user ? backwards(s, in[2]) : in[2]; /* of the adjoint */
    T over = ag_sub(s, ag_mul(s, in[1], backwards(s, in[1])), ag_mul(s, e, backwards(s, e)));
    T y = ag_sub(s, ag_mul(s, backwards(s, in[1]), in[0]), ag_mul(s, e, backwards(s, in[0])));
    return give(s, out, ag_div(s, y, over));
}

/* ---- products, by which the rest shows ----------------------------------------------------------- */

static agn_status product(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    return give(s, out, ag_mul(s, in[0], in[1]));
}
static agn_status product_vjp(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    out[0] = ag_mul(s, in[3], in[1]);
    return give(s, out + 1, ag_mul(s, in[3], in[0]));
}
static agn_status product_jet(void *user, agn_scope *s, int32_t order, const T *in, T *out)
{
    (void)user;
    for (int k = 1; k <= order && !agn_scope_status(s); k++) {
        T y = ag_mul(s, in[0], in[order + 1 + k]);
        for (int j = 1; j <= k; j++)
            y = ag_add(s, y, ag_mul(s, in[j], in[order + 1 + k - j]));
        out[k - 1] = y;
    }
    return agn_scope_status(s);
}
static agn_status waves(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    return give(s, out, ag_mul(s, ag_sin(s, in[0]), ag_cos(s, in[1])));
}
static agn_status doubled(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    return give(s, out, ag_mul_c(s, in[0], 2));
}
static agn_status halved(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    return give(s, out, ag_mul_c(s, in[0], 0.5));
}
/* of cotangents: no change */
static agn_status kept(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    out[0] = ag_mul_c(s, ag_mul_c(s, in[0], 4), 0.25);
    return give(s, out + 1, ag_neg(s, ag_neg(s, in[1])));
}
static agn_status go_on(void *user, const agn_nan_place *place)
{
    (void)user, (void)place;
    return AGN_OK;
}

/* ---- the functions ---------------------------------------------------------------------------------- */

static T apply(agn_scope *s, agn_status st, agn_fn *f, const T *in)
{
    T y = NULL;
    if (!agn_scope_fail(s, st))
        agn_fn_apply(s, &y, 1, f, in, agn_fn_n_in(f));
    agn_fn_release(f);
    return agn_scope_status(s) ? NULL : y;
}

static T root(agn_scope *s, T x, T w)
{
    agn_fn *f = NULL, *solver = NULL, *y = NULL;
    agn_status st = agn_fn_new(&f, residual, NULL, NULL, 3, 1);
    if (!st)
        st = agn_fn_new(&solver, newton, NULL, NULL, 3, 1);
    if (!st)
        st = agn_fn_root(&y, f, 1, solver, NULL, NULL);
    agn_fn_release(f);
    agn_fn_release(solver);
    return apply(s, st, y, (T[]){w, x, w});
}

static T system_solved(agn_scope *s, bool solvers, T x, T w)
{
    agn_fn *a = NULL, *solve = NULL, *adjoint = NULL, *y = NULL;
    agn_status st = agn_fn_new(&a, system_of, NULL, NULL, 3, 1);
    if (!st && solvers)
        st = agn_fn_new(&solve, solution, NULL, NULL, 3, 1);
    if (!st && solvers)
        st = agn_fn_new(&adjoint, solution, &adjoint, NULL, 3, 1);
    if (!st)
        st = agn_fn_linear_solve(&y, a, 1, solve, adjoint);
    agn_fn_release(a);
    agn_fn_release(solve);
    agn_fn_release(adjoint);
    T d = ag_add_c(s, ag_mul_c(s, ag_tanh(s, x), 0.5), 2), e = ag_mul_c(s, ag_sin(s, x), 0.5);
    return apply(s, st, y, (T[]){w, d, e});
}

static T by_rule(agn_scope *s, const agn_custom_rule *rule, const T *in)
{
    agn_fn *f = NULL, *y = NULL;
    agn_status st = agn_fn_new(&f, product, NULL, NULL, 2, 1);
    if (!st)
        st = agn_fn_custom(&y, f, rule);
    agn_fn_release(f);
    return apply(s, st, y, in);
}

static T named(agn_scope *s, T x)
{
    agn_tensor *y = NULL;
    agn_status st = x ? agn_named(&y, x, "drawn") : agn_scope_status(s);
    return agn_scope_adopt(s, st, &y);
}

static T hooked(agn_scope *s, const T *in)
{
    agn_fn *hook = NULL;
    agn_tensor *y[2] = {NULL};
    agn_status st = agn_fn_new(&hook, kept, NULL, NULL, 2, 2);
    if (!st)
        st = agn_hook_add_all(y, in, 2, hook);
    agn_fn_release(hook);
    T a = agn_scope_adopt(s, st, &y[0]), b = agn_scope_adopt(s, st, &y[1]);
    return ag_mul(s, a, b);
}

static T packed(agn_scope *s, const T *in)
{
    agn_fn *f = NULL, *pack = NULL, *unpack = NULL, *y = NULL;
    agn_status st = agn_fn_new(&f, waves, NULL, NULL, 2, 1);
    if (!st)
        st = agn_fn_new(&pack, doubled, NULL, NULL, 1, 1);
    if (!st)
        st = agn_fn_new(&unpack, halved, NULL, NULL, 1, 1);
    if (!st)
        st = agn_fn_pack(&y, f, pack, unpack);
    agn_fn_release(f);
    agn_fn_release(pack);
    agn_fn_release(unpack);
    return apply(s, st, y, in);
}

static T watched(agn_scope *s, bool infinite, const T *in)
{
    agn_nan_hook hook = {.size = sizeof hook, .found = go_on, .infinite = infinite};
    agn_fn *f = NULL, *y = NULL;
    agn_status st = agn_fn_new(&f, waves, NULL, NULL, 2, 1);
    if (!st)
        st = agn_fn_watch_nan(&y, f, &hook);
    agn_fn_release(f);
    return apply(s, st, y, in);
}

static T function(agn_scope *s, int64_t way, const T *in)
{
    const agn_custom_rule jet = {.size = sizeof jet, .jet = product_jet};
    const agn_custom_rule vjp = {.size = sizeof vjp, .vjp = product_vjp};
    switch (way) {
    case 0: return root(s, in[0], in[1]);
    case 1:
    case 2: return system_solved(s, way == 1, in[0], in[1]);
    case 3: return by_rule(s, &jet, in);
    case 4: return by_rule(s, &vjp, in);
    case 5: return ag_mul(s, named(s, ag_sin(s, in[0])), in[1]);
    case 6: return hooked(s, in);
    case 7: return packed(s, in);
    default: return watched(s, way == 9, in);
    }
}

agn_status fuzz_call_apply(agn_tensor **out, const step *q, const T *in)
{
    bool known = in[0]->st && in[1]->st;
    if (fuzz_whole && !known)
        return agni_apply(&fuzz_call, &(agni_attr){.ni = q->n_int, .i = q->ints}, 2, in, 1, out);
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_return(s, out, function(s, q->ints[0], in));
    return agn_scope_close(s);
}
