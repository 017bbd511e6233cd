/* tests/nets.h - a small network and its gradient, as a function with a region to plan. */
#ifndef AGN_NETS_H
#define AGN_NETS_H

#include "laws.h"

enum { NET_IN = 3, NET_WIDE = 8, NET_ARGS = 5, NET_OUT = 5 };

/* mean of |w2 tanh(w1 x + b1) + b2|^2; in: x [n, 3], w1 [3, 8], b1 [8], w2 [8, 1], b2 [1] */
static inline agn_status net_loss(void *user, agn_scope *s, const agn_tensor *const *in,
                                  const agn_tensor **out)
{
    (void)user;
    const agn_tensor *h = ag_tanh(s, ag_add(s, ag_matmul(s, in[0], in[1]), in[2]));
    out[0] = ag_mean_all(s, ag_square(s, ag_add(s, ag_matmul(s, h, in[3]), in[4])));
    return AGN_OK;
}
/* value and gradient in the four parameters */
static inline agn_fn *net_steps(void)
{
    static const int32_t argnums[] = {1, 2, 3, 4};
    agn_fn *f = NULL, *g = NULL;
    must(agn_fn_new(&f, net_loss, NULL, NULL, NET_ARGS, 1));
    must(agn_fn_value_and_grad(&g, f, argnums, 4));
    agn_fn_release(f);
    return g;
}
static inline void net_arguments(agn_tensor **in, int64_t n, int dtype)
{
    in[0] = random_of(dtype, 2, (int64_t[]){n, NET_IN}, -1, 1);
    in[1] = random_of(dtype, 2, (int64_t[]){NET_IN, NET_WIDE}, -1, 1);
    in[2] = random_of(dtype, 1, (int64_t[]){NET_WIDE}, -1, 1);
    in[3] = random_of(dtype, 2, (int64_t[]){NET_WIDE, 1}, -1, 1);
    in[4] = random_of(dtype, 1, (int64_t[]){1}, -1, 1);
}
static inline void net_drop(agn_tensor **t, int n)
{
    for (int i = 0; i < n; i++) {
        agn_release(t[i]);
        t[i] = NULL;
    }
}
static inline bool net_same_bits(agn_tensor *const *a, agn_tensor *const *b, int n)
{
    bool same = true;
    for (int i = 0; i < n; i++)
        same = same &&
               !memcmp(agn_data(a[i]), agn_data(b[i]),
                       (size_t)agn_numel(a[i]) * agn_dtype_size(agn_dtype_of(a[i])));
    return same;
}

#endif
