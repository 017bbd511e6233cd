/* persample.c - the gradient of every sample by itself, and their mean after clipping */
#include <agnesi/agnesi.h>
#include <math.h>
#include <stdio.h>

enum { SAMPLES = 6, IN = 3, HIDDEN = 4 };

/* squared error of a small network at one sample; in: W1, b1, w2, x, y */
static agn_status loss(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    (void)user;
    const agn_tensor *h = ag_tanh(s, ag_add(s, ag_matmul(s, in[3], in[0]), in[1]));
    out[0] = ag_square(s, ag_sub(s, ag_sum_all(s, ag_mul(s, h, in[2])), in[4]));
    return agn_scope_status(s);
}

/* numbers that look like any others */
static const agn_tensor *numbers(agn_scope *s, int ndim, const int64_t *shape, double seed)
{
    double v[SAMPLES * IN + IN * HIDDEN];
    int64_t n = 1;
    for (int d = 0; d < ndim; d++)
        n *= shape[d];
    for (int64_t i = 0; i < n; i++)
        v[i] = sin(seed + 12.9898 * (double)i);
    return ag_from_host(s, AGN_F64, ndim, shape, v);
}

int main(void)
{
    static const int32_t lanes[] = {AGN_UNBATCHED, AGN_UNBATCHED, AGN_UNBATCHED, 0, 0};
    agn_fn *f = NULL, *one = NULL, *all = NULL;
    agn_status st = agn_fn_new(&f, loss, NULL, NULL, 5, 1);
    st = st ? st : agn_fn_grad(&one, f, (const int32_t[]){0, 1, 2}, 3);
    st = st ? st : agn_fn_vmap(&all, one, lanes, 5, NULL, 0);
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_fail(s, st);
    const agn_tensor *g[3] = {NULL, NULL, NULL};
    const agn_tensor *in[] = {numbers(s, 2, (const int64_t[]){IN, HIDDEN}, 1),
                              numbers(s, 1, (const int64_t[]){HIDDEN}, 2),
                              numbers(s, 1, (const int64_t[]){HIDDEN}, 3),
                              numbers(s, 2, (const int64_t[]){SAMPLES, IN}, 4),
                              numbers(s, 1, (const int64_t[]){SAMPLES}, 5)};
    agn_fn_apply(s, g, 3, all, in, 5);
    const agn_tensor *square = ag_add(
        s, ag_sum(s, ag_square(s, g[0]), (const int32_t[]){1, 2}, 2, false),
        ag_add(s, ag_sum(s, ag_square(s, g[1]), (const int32_t[]){1}, 1, false),
               ag_sum(s, ag_square(s, g[2]), (const int32_t[]){1}, 1, false)));
    const agn_tensor *norm = ag_sqrt(s, square);
    const agn_tensor *factor = ag_minimum_c(s, ag_reciprocal(s, norm), 1); /* norms to at most 1 */
    const agn_tensor *clipped = ag_mul_c(s, ag_matmul(s, factor, g[2]), 1.0 / SAMPLES);
    if (!agn_scope_status(s)) {
        const double *n = agn_data(norm), *c = agn_data(clipped);
        for (int i = 0; i < SAMPLES; i++)
            printf("sample %d: norm %.4f\n", i, n[i]);
        printf("mean of the clipped gradients of w2: %.4f %.4f %.4f %.4f\n", c[0], c[1], c[2],
               c[3]);
    }
    st = agn_scope_close(s);
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    agn_fn_release(all);
    agn_fn_release(one);
    agn_fn_release(f);
    return st != AGN_OK;
}
