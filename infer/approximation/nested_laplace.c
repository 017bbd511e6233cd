/* infer/approximation/nested_laplace.c - integrals by Laplace's method whose inner maximum and
   determinant are functions of the outer parameters (Tierney & Kadane 1986; Skaug & Fournier 2006;
   Kristensen et al. 2016). */
#include "infer/infer.h"
#include "tensor/value/tensor.h"
#include <agnesi/ag.h>
#include <agnesi/implicit.h>
#include <agnesi/infer_approximation.h>
#include <agnesi/sparse_derivative.h>
#include <agnesi/sparse_direct.h>

#include <math.h>
#include <string.h>

typedef const agn_tensor *T;

static const agn_sparse_solver by_cholesky = {.size = sizeof by_cholesky,
                                              .method = AGN_SPARSE_CHOLESKY};

/* What solvers and the function share: derivatives of the loss -f in x. */
typedef struct laplace {
    agni_obj head;
    agn_fn *loss, *value_and_slope, *hessian;
    int32_t n_in;
    int32_t max_steps;
    double tol;
} laplace;
typedef struct outer {
    laplace *inner;
    agn_fn *root;
} outer;

static agn_status minus_body(void *user, agn_scope *s, const T *in, T *out)
{
    agn_fn *f = user;
    T y = NULL;
    agn_status st = agn_fn_apply(s, &y, 1, f, in, agn_fn_n_in(f));
    if (!st)
        out[0] = ag_neg(s, y);
    return st ? st : agn_scope_status(s);
}
static void drop_fn(void *f)
{
    agn_fn_release(f);
}

/* ---- the maximum: Newton's method with halved steps ------------------------------------ */

/* loss and slope at x, with the other arguments */
static agn_status evaluate_density(const laplace *l, T x, const T *in, double *loss,
                                   agn_tensor **slope)
{
    T args[64];
    agn_tensor *y[2] = {NULL, NULL};
    args[0] = x;
    memcpy(args + 1, in + 1, (size_t)(l->n_in - 1) * sizeof *in);
    agn_status st = agn_fn_call(y, 2, l->value_and_slope, args, l->n_in);
    const void *value = NULL;
    st = st ? st : agn_data_contiguous(&value, y[0]);
    if (!st)
        *loss = *(const double *)value;
    agn_release(y[0]);
    *slope = y[1];
    return st;
}
/* H d = slope. Where H is not positive definite its diagonal is raised. */
static agn_status newton_step(const laplace *l, T x, const T *in, T slope, double *raise,
                              agn_tensor **d)
{
    T args[64];
    agn_tensor *h = NULL;
    args[0] = x;
    memcpy(args + 1, in + 1, (size_t)(l->n_in - 1) * sizeof *in);
    agn_status st = agn_fn_call(&h, 1, l->hessian, args, l->n_in);
    for (int tries = 0; !st && tries < 60; tries++) {
        agn_tensor *eye = NULL, *scaled = NULL, *sum = NULL;
        if (*raise > 0) {
            agn_tensor *by = NULL;
            st = agn_sparse_eye(&eye, AGN_F64, agn_shape(x)[0], agn_shape(x)[0], 0);
            st = st ? st : agn_full(&by, AGN_F64, 0, NULL, *raise);
            st = st ? st : agn_mul(&scaled, eye, by);
            st = st ? st : agn_add(&sum, h, scaled);
            agn_release(by);
        }
        if (!st) {
            st = agn_sparse_solve_with(d, sum ? sum : h, slope, &by_cholesky);
            if (st == AGN_EDOMAIN && tries < 59) {
                *raise = *raise > 0 ? 10 * *raise : 1e-6;
                st = AGN_OK;
            }
        }
        agn_release(eye);
        agn_release(scaled);
        agn_release(sum);
        if (st || *d)
            break;
    }
    agn_release(h);
    return st;
}
static agn_status newton_body(void *user, agn_scope *s, const T *in, T *out)
{
    const laplace *l = user;
    agn_tensor *x = NULL, *slope = NULL, *d = NULL;
    double loss = 0, raise = 0;
    bool done = false;
    agn_status st = agn_copy(&x, in[0]);
    st = st ? st : evaluate_density(l, x, in, &loss, &slope);
    if (!st && !isfinite(loss))
        st = agni_fail(AGN_EDOMAIN, "laplace: the function is not finite where the search begins");
    for (int k = 0; !st && !done; k++) {
        if (k == l->max_steps) {
            st = agni_fail(AGN_ENOCONV, "laplace: no maximum after %d steps", l->max_steps);
            break;
        }
        st = agni_check_interrupt() ? agni_fail(AGN_ECANCELLED, "laplace: interrupted") : AGN_OK;
        st = st ? st : newton_step(l, x, in, slope, &raise, &d);
        double decrement = 0;
        int64_t n = agn_shape(in[0])[0];
        const void *dv = NULL, *gv = NULL, *xv = NULL;
        st = st ? st : agn_data_contiguous(&dv, d);
        st = st ? st : agn_data_contiguous(&gv, slope);
        st = st ? st : agn_data_contiguous(&xv, x);
        for (int64_t i = 0; !st && i < n; i++)
            decrement += ((const double *)dv)[i] * ((const double *)gv)[i];
        double t = 1;
        done = !st && raise == 0 && decrement <= l->tol * (1 + fabs(loss));
        for (int half = 0; !st && half < 60; half++, t *= 0.5) {
            agn_tensor *next = NULL, *g = NULL;
            void *y = NULL;
            double there;
            st = agn_zeros_like(&next, x);
            st = st ? st : agn_data_mut(&y, next);
            for (int64_t i = 0; !st && i < n; i++)
                ((double *)y)[i] = ((const double *)xv)[i] - t * ((const double *)dv)[i];
            st = st ? st : evaluate_density(l, next, in, &there, &g);
            bool lower = !st && isfinite(there) &&
                         there <= loss - 1e-4 * t * decrement + 1e-13 * (1 + fabs(loss));
            if (lower || (done && half == 0)) {
                if (lower) {
                    agn_tensor *was[2] = {x, slope};
                    x = next;
                    slope = g;
                    loss = there;
                    next = was[0];
                    g = was[1];
                }
                agn_release(next);
                agn_release(g);
                break;
            }
            agn_release(next);
            agn_release(g);
            if (half == 59)
                st = agni_fail(AGN_ENOCONV,
                               "laplace: the function does not rise along its gradient");
        }
        raise = t < 1 || raise < 1e-6 ? raise : raise < 1e-5 ? 0 : raise / 10;
        agn_release(d);
        d = NULL;
    }
    if (!st) {
        agn_tensor *kept = x;
        x = NULL;
        out[0] = agn_scope_adopt(s, AGN_OK, &kept);
    }
    agn_release(x);
    agn_release(slope);
    return st ? agn_scope_fail(s, st) : agn_scope_status(s);
}
/* b, x, theta: H^-1 b; the Hessian is symmetric, so this is the adjoint too */
static agn_status solve_body(void *user, agn_scope *s, const T *in, T *out)
{
    const laplace *l = user;
    T h = NULL;
    agn_status st = agn_fn_apply(s, &h, 1, l->hessian, in + 1, l->n_in);
    if (!st)
        out[0] = ag_sparse_solve_with(s, h, in[0], &by_cholesky);
    return st ? st : agn_scope_status(s);
}

/* ---- the function -------------------------------------------------------------------- */

static agn_status laplace_body(void *user, agn_scope *s, const T *in, T *out)
{
    const outer *o = user;
    const laplace *l = o->inner;
    if (in[0]->ndim != 1 || in[0]->shape[0] < 1)
        return agn_scope_fail(
            s, agni_fail(AGN_ESHAPE, "laplace: x is %s; [n] is needed", AGNI_SHAPE(in[0])));
    if (agn_dtype_of(in[0]) != AGN_F64)
        return agn_scope_fail(s, agni_fail(AGN_EDTYPE, "laplace: x is %s; f64 is needed",
                                           agn_dtype_name(agn_dtype_of(in[0]))));
    T args[64], x = NULL, h = NULL, loss = NULL;
    agn_status st = agn_fn_apply(s, &x, 1, o->root, in, l->n_in);
    if (st)
        return st;
    args[0] = x;
    memcpy(args + 1, in + 1, (size_t)(l->n_in - 1) * sizeof *in);
    st = agn_fn_apply(s, &h, 1, l->hessian, args, l->n_in);
    st = st ? st : agn_fn_apply(s, &loss, 1, l->loss, args, l->n_in);
    if (st)
        return st;
    double constant = 0.91893853320467274178 * (double)in[0]->shape[0];
    T half = ag_mul_c(s, ag_sparse_logdet(s, h, &by_cholesky), 0.5);
    out[0] = ag_neg(s, ag_add_c(s, ag_add(s, loss, half), -constant));
    out[1] = x;
    return agn_scope_status(s);
}
static void destroy_laplace(agni_obj *obj)
{
    laplace *l = (laplace *)obj;
    agn_fn_release(l->loss);
    agn_fn_release(l->value_and_slope);
    agn_fn_release(l->hessian);
    agni_free(l);
}
static const agni_obj_type laplace_type = {.name = "laplace", .destroy = destroy_laplace};
static void drop_laplace(void *l)
{
    agni_obj_release(&((laplace *)l)->head);
}
static void drop_outer(void *user)
{
    outer *o = user;
    drop_laplace(o->inner);
    agn_fn_release(o->root);
    agni_free(o);
}
/* a function that holds what it needs */
static agn_status part_of(agn_fn **out, agn_body *body, laplace *l, int32_t n_in)
{
    agni_obj_retain(&l->head);
    agn_status st = agn_fn_new(out, body, l, drop_laplace, n_in, 1);
    if (st)
        drop_laplace(l);
    return st;
}

agn_status agn_fn_laplace(agn_fn **out, const agn_fn *f, const agn_laplace_options *opts)
{
    const char *op = "fn_laplace";
    if (!out || !f)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, !out ? "out" : "f");
    if (agni_check_size(op, agn_laplace_options, opts))
        return AGN_EARG;
    agn_laplace_options o = {.size = sizeof o};
    if (opts)
        o = *opts;
    o.max_steps = o.max_steps ? o.max_steps : 100;
    o.tol = o.tol != 0 ? o.tol : 1e-20;
    if (o.max_steps < 1 || !(o.tol > 0))
        return agni_fail(AGN_EARG, "%s: max_steps is %d, tol is %g; both must be positive", op,
                         o.max_steps, o.tol);
    int32_t n_in = agn_fn_n_in(f);
    if (n_in < 1 || n_in > 30 || agn_fn_n_out(f) != 1)
        return agni_fail(
            AGN_EARG,
            "%s: the function has %d arguments and %d results; 1 to 30, and one are needed", op,
            n_in, agn_fn_n_out(f));
    laplace *l = agni_zalloc(sizeof *l);
    outer *both = agni_zalloc(sizeof *both);
    if (!l || !both) {
        agni_free(l);
        agni_free(both);
        return agni_nomem(op, sizeof *l);
    }
    agni_ref_init(&l->head.ref);
    l->head.type = &laplace_type;
    l->n_in = n_in;
    l->max_steps = o.max_steps;
    l->tol = o.tol;
    both->inner = l;
    agn_fn *solver = NULL, *solve = NULL, *kept = agn_fn_retain(f), *slope = NULL, *two = NULL;
    agn_status st = agn_fn_new(&l->loss, minus_body, kept, drop_fn, n_in, 1);
    if (st)
        agn_fn_release(kept);
    st = st ? st : agn_fn_grad(&slope, l->loss, NULL, 1);
    st = st ? st : agn_fn_value_and_grad(&two, l->loss, NULL, 1);
    st = st ? st : agn_fn_compile(&l->value_and_slope, two, NULL);
    st = st ? st : agn_fn_sparse_hessian(&l->hessian, l->loss, 0, NULL, NULL);
    st = st ? st : part_of(&solver, newton_body, l, n_in);
    st = st ? st : part_of(&solve, solve_body, l, n_in + 1);
    st = st ? st : agn_fn_root(&both->root, slope, 1, solver, solve, solve);
    st = st ? st : agn_fn_new(out, laplace_body, both, drop_outer, n_in, 2);
    agn_fn_release(solver);
    agn_fn_release(solve);
    agn_fn_release(slope);
    agn_fn_release(two);
    if (st)
        drop_outer(both);
    return st;
}
