/* Large permuted operands in plans (hoist_permute of graph/passes/rules/simplify.c, multiply_transposed of
   matmul.c, join_parts of arithmetic.c): a plan gives what eager calls give, in shape and value. */
#include "modes.h"

#include <agnesi/ag.h>
#include <agnesi/autograd.h>
#include <agnesi/signal.h>

enum { A = 8, B = 190, C = 181, SAMPLES = 60000, RESULTS = 9 };

/* in: x y [A,B,C], w [A,C,B], v [5,C] */
static agn_status permuted(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    static const int32_t turn[] = {2, 0, 1};
    const agn_tensor *x = ag_swapaxes(s, in[0], -1, -2), *y = ag_swapaxes(s, in[1], -1, -2);
    const agn_tensor *z = ag_swapaxes(s, ag_complex(s, in[0], in[1]), -1, -2);
    const agn_tensor *xt = ag_permute(s, in[0], turn, 3), *yt = ag_permute(s, in[1], turn, 3);
    (void)user;
    out[0] = ag_add_c(s, ag_mul(s, ag_sin(s, x), y), 3);
    out[1] = ag_matmul(s, in[3], ag_exp(s, x));
    out[2] = ag_sum(s, ag_square(s, x), NULL, 0, false);
    out[3] = ag_where(s, ag_gt(s, xt, ag_lit(s, 0)), yt, xt);
    out[4] = ag_abs(s, z);
    out[5] = ag_add(s, ag_tanh(s, x), in[2]);
    out[6] = ag_mul(s, x, ag_swapaxes(s, ag_swapaxes(s, y, 0, 1), 0, 1));
    out[7] = ag_sum(s, ag_cos(s, yt), (int32_t[]){1}, 1, true);
    out[8] = ag_swapaxes(s, ag_log1p(s, ag_square(s, x)), -1, -2);
    return agn_scope_status(s);
}

static agn_status log_power(void *user, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    static const agn_signal_stft_options frames = {.size = sizeof frames, .n_fft = 64, .hop = 7};
    const agn_tensor *y = ag_abs(s, ag_signal_stft(s, in[0], &frames));
    (void)user;
    out[0] = ag_mean(s, ag_log1p(s, ag_matmul(s, in[1], ag_square(s, y))), NULL, 0, false);
    return agn_scope_status(s);
}

/* the largest difference over the largest number; infinite where shapes differ */
static double apart(const agn_tensor *x, const agn_tensor *y)
{
    double worst = 0, most = 1e-300;
    bool same = agn_ndim(x) == agn_ndim(y) && agn_dtype_of(x) == agn_dtype_of(y);
    for (int d = 0; same && d < agn_ndim(x); d++)
        same = agn_shape(x)[d] == agn_shape(y)[d];
    for (int64_t i = 0; same && i < agn_numel(x); i++) {
        double e = fabs(peek(x, i) - peek(y, i));
        worst = e > worst || isnan(e) ? e : worst;
        most = fmax(most, fabs(peek(y, i)));
    }
    return same ? worst / most : (double)INFINITY;
}

static void compare(const char *what, agn_fn *f, int n_in, const agn_tensor *const *in, int n_out,
                    double bound)
{
    tally q = {0, 0};
    agn_fn *plan = NULL;
    agn_tensor *y[RESULTS] = {NULL}, *want[RESULTS] = {NULL};
    must(agn_fn_compile(&plan, f, NULL));
    must(agn_fn_call(want, n_out, f, in, n_in));
    must(agn_fn_call(y, n_out, plan, in, n_in));
    for (int i = 0; i < n_out; i++) {
        double off = apart(y[i], want[i]);
        check(&q, off <= bound, "%s, result %d: %.1e apart", what, i, off);
    }
    tell(&q, what);
    release_all(y, n_out);
    release_all(want, n_out);
    agn_fn_release(plan);
}

int main(void)
{
    static const int dtypes[] = {AGN_F32, AGN_F64};
    for (int k = 0; k < COUNT(dtypes); k++) {
        bool single = dtypes[k] == AGN_F32;
        rnd_stream("permuted plans", agn_dtype_name(dtypes[k]));
        agn_tensor *in[] = {random_of(dtypes[k], 3, (int64_t[]){A, B, C}, -1, 1),
                            random_of(dtypes[k], 3, (int64_t[]){A, B, C}, -1, 1),
                            random_of(dtypes[k], 3, (int64_t[]){A, C, B}, -1, 1),
                            random_of(dtypes[k], 2, (int64_t[]){5, C}, -1, 1)};
        agn_fn *f = NULL, *g = NULL;
        must(agn_fn_new(&f, permuted, NULL, NULL, 4, RESULTS));
        compare(single ? "values in f32" : "values in f64", f, 4, (const agn_tensor *const *)in,
                RESULTS, single ? 2e-6 : 1e-14);
        agn_fn_release(f);
        agn_tensor *sound[] = {random_of(dtypes[k], 1, (int64_t[]){SAMPLES}, -1, 1),
                               random_of(dtypes[k], 2, (int64_t[]){12, 33}, 0, 1)};
        must(agn_fn_new(&f, log_power, NULL, NULL, 2, 1));
        must(agn_fn_grad(&g, f, (int32_t[]){0, 1}, 2));
        compare(single ? "a gradient in f32" : "a gradient in f64", g, 2,
                (const agn_tensor *const *)sound, 2, single ? 1e-5 : 1e-12);
        agn_fn_release(f);
        agn_fn_release(g);
        release_all(in, 4);
        release_all(sound, 2);
    }
    return done();
}
