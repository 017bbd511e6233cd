/* distribution/implicit_reparametrisation.c - implicit reparametrisation: the path of a number from
   the parameters by its cdf (Figurnov, Mohamed & Mnih 2018). */
#include "distribution/expression.h"

/* The number x of the cdf u at which x was drawn, whatever the parameters: x' = -(dF/d parameters)
   / p. The equation has x, u and the parameters of d and of its bases as arguments; d is a pattern
   of shapes. */
enum { MOST = AGNI_PATH_PARAMS };

/* d with other parameters, in the order of d, its base, the base of that; beyond MOST they stay */
static agn_status copy_with(agn_distribution **out, const agn_distribution *d, T const *params,
                            int left)
{
    agn_distribution *y = NULL, *base = NULL;
    int n = d->law->n < left ? d->law->n : left;
    agn_status st = agni_distribution_copy(&y, d);
    for (int i = 0; !st && i < n; i++) {
        agn_release(y->param[i]);
        y->param[i] = agn_retain(params[i]);
    }
    if (!st && d->base) {
        st = copy_with(&base, d->base, params + n, left - n);
        if (!st) {
            agn_distribution_release(y->base);
            y->base = base;
        }
    }
    if (st)
        agn_distribution_release(y);
    else
        *out = y;
    return st;
}
const agn_distribution *agni_distribution_with(agn_scope *s, const agn_distribution *d,
                                               T const *params)
{
    if (agn_scope_status(s))
        return NULL;
    agn_distribution *y = NULL;
    agn_status st = copy_with(&y, d, params, MOST);
    return agn_distribution_adopt(s, st, &y);
}

static agn_status path_residual(void *user, agn_scope *s, T const *in, T *out)
{
    const agn_distribution *d = agni_distribution_with(s, user, in + 2);
    out[0] = SUB(FN(distribution_cdf, d, in[0]), in[1]);
    return agn_scope_status(s);
}
static agn_status path_guess(void *user, agn_scope *s, T const *in, T *out)
{
    (void)user;
    out[0] = in[0];
    return agn_scope_status(s);
}
static agn_status path_solve(void *user, agn_scope *s, T const *in, T *out)
{
    const agn_distribution *d = agni_distribution_with(s, user, in + 3);
    out[0] = DIV(in[0], FN(exp, FN(distribution_log_prob, d, in[1])));
    return agn_scope_status(s);
}
static void drop_pattern(void *user)
{
    agn_distribution_release(user);
}
agn_status agni_distribution_function(agn_fn **out, agn_body *body, const agn_distribution *d,
                                      int n_in, int n_out)
{
    agn_distribution *pattern = agn_distribution_retain(d);
    agn_status st = agn_fn_new(out, body, pattern, drop_pattern, n_in, n_out);
    if (st)
        drop_pattern(pattern);
    return st;
}

int agni_list_parameters(const agn_distribution *d, T *out)
{
    int n = 0;
    for (const agn_distribution *e = d; e; e = e->base)
        for (int i = 0; i < e->law->n && n < MOST; i++)
            out[n++] = e->param[i];
    return n;
}

/* x where residual(x, u, parameters) is 0, as a function of u and the parameters; slope: a number
   over the slope of that in x, from it, x, u and the parameters */
T agni_implicit_root(agn_scope *s, const agn_distribution *d, agn_body *residual, agn_body *slope,
                     T x, T u)
{
    T in[2 + MOST] = {x, u}, y = NULL;
    int n = 2 + agni_list_parameters(d, in + 2);
    agn_status st = agn_scope_status(s);
    if (st)
        return NULL;
    agn_fn *f = NULL, *guess = NULL, *solve = NULL, *root = NULL;
    st = agni_distribution_function(&f, residual, d, n, 1);
    st = st ? st : agn_fn_new(&guess, path_guess, NULL, NULL, n, 1);
    st = st ? st : agni_distribution_function(&solve, slope, d, n + 1, 1);
    st = st ? st : agn_fn_root(&root, f, 1, guess, solve, solve);
    if (st)
        agn_scope_fail(s, st);
    else
        (void)agn_fn_apply(s, &y, 1, root, in, n);
    agn_fn_release(f);
    agn_fn_release(guess);
    agn_fn_release(solve);
    agn_fn_release(root);
    return y;
}
T agni_implicit_path(agn_scope *s, const agn_distribution *d, T x)
{
    T at = FN(stop_gradient, x);
    T u = FN(stop_gradient, FN(distribution_cdf, d, at));
    return agni_implicit_root(s, d, path_residual, path_solve, at, u);
}
T agni_implicit_quantile(agn_scope *s, const agn_distribution *d, T x, T p)
{
    return agni_implicit_root(s, d, path_residual, path_solve, FN(stop_gradient, x), p);
}
