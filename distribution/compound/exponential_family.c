/* distribution/compound/exponential_family.c - entropy and divergence of exponential families from
   the log-normaliser alone: Bregman's divergence of it (Nielsen & Nock 2010). The gradient appears
   only times a vector, so that one forward derivative does. */
#include "distribution/compound/compound.h"

#include <agnesi/autograd.h>
#include <agnesi/compound_laws.h>

enum { MOST = 16 };

static agn_status check_family(const char *op, const void *out, const agn_fn *f,
                               const agn_tensor *const *eta, const char *name, int n)
{
    if (!out || !f || !eta)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op,
                         !out ? "out"
                         : !f ? "log_normaliser"
                              : name);
    if (n < 1 || n > MOST)
        return agni_fail(AGN_EARG, "%s: n is %d; 1 to %d are possible", op, n, MOST);
    if (agn_fn_n_in(f) != n || agn_fn_n_out(f) != 1)
        return agni_fail(AGN_EARG,
                         "%s: log_normaliser has %d arguments and %d results; %d and 1 are needed",
                         op, agn_fn_n_in(f), agn_fn_n_out(f), n);
    for (int i = 0; i < n; i++)
        if (!eta[i])
            return agni_fail(AGN_ENULL, "%s: %s[%d] is NULL", op, name, i);
    return AGN_OK;
}
/* y[0] = A(eta), y[1] = v grad A(eta) */
static void differentiate_along(agn_scope *s, const agn_fn *f, T const *eta, T const *v, int n,
                                T *y)
{
    T in[2 * MOST];
    agn_fn *df = NULL;
    for (int i = 0; i < n; i++) {
        in[i] = eta[i];
        in[n + i] = v[i];
    }
    agn_status st = agn_scope_status(s);
    st = st ? st : agn_fn_jvp(&df, f);
    y[0] = y[1] = NULL;
    if (agn_scope_fail(s, st))
        return;
    (void)agn_fn_apply(s, y, 2, df, in, 2 * n);
    agn_fn_release(df);
}

agn_status agn_exponential_family_entropy(agn_tensor **out, const agn_fn *log_normaliser,
                                          const agn_tensor *const *eta, int32_t n,
                                          const agn_tensor *carrier)
{
    agn_status st = check_family("exponential_family_entropy", out, log_normaliser, eta, "eta", n);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    T y[2];
    differentiate_along(s, log_normaliser, eta, eta, n, y);
    T h = SUB(y[0], y[1]);
    agn_scope_return(s, out, carrier ? SUB(h, carrier) : h);
    return agn_scope_close(s);
}
agn_status agn_exponential_family_kl(agn_tensor **out, const agn_fn *log_normaliser,
                                     const agn_tensor *const *p, const agn_tensor *const *q,
                                     int32_t n)
{
    const char *op = "exponential_family_kl";
    agn_status st = check_family(op, out, log_normaliser, p, "p", n);
    st = st ? st : check_family(op, out, log_normaliser, q, "q", n);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    T y[2], far = NULL, gap[MOST];
    for (int i = 0; i < n; i++)
        gap[i] = SUB(q[i], p[i]);
    differentiate_along(s, log_normaliser, p, gap, n, y);
    (void)agn_fn_apply(s, &far, 1, log_normaliser, q, n);
    agn_scope_return(s, out, SUB(SUB(far, y[0]), y[1]));
    return agn_scope_close(s);
}
