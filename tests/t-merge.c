/* Neighbouring axes that element-wise nodes treat alike become one, along which they run on tiles;
   chains then work on arrays where they are. Plans against the same functions op by op. */
#include "laws.h"

#include <agnesi/ag.h>

#define BODY(name)                                                                \
    static agn_status name(void *user, agn_scope *s, const agn_tensor *const *in, \
                           const agn_tensor **out)

/* arguments: x [L, R, C], y [R, C], c [R, 1], two results at most */
BODY(jets)
{
    (void)user;
    const agn_tensor *h = ag_tanh(s, in[1]);
    const agn_tensor *d = ag_add_c(s, ag_neg(s, ag_square(s, h)), 1);
    const agn_tensor *g = ag_mul(s, in[0], d);
    out[0] = g;
    out[1] = ag_neg(s, ag_sum(s, ag_mul(s, in[0], ag_mul(s, h, g)), (int32_t[]){0}, 1, false));
    return AGN_OK;
}
BODY(kept)
{
    (void)user;
    const agn_tensor *e = ag_exp(s, ag_mul(s, in[0], in[1]));
    const agn_tensor *sum = ag_sum(s, e, (int32_t[]){0}, 1, true);
    out[0] = ag_div(s, e, sum); /* a row made by the chain that would read it */
    out[1] = ag_sum(s, e, (int32_t[]){0, 1, 2}, 3, false);
    return AGN_OK;
}
BODY(partly)
{
    (void)user;
    const agn_tensor *a = ag_mul(s, ag_sin(s, in[0]), in[1]);
    const agn_tensor *b = ag_add(s, a, in[2]); /* its last axes are no block */
    out[0] = ag_where(s, ag_gt(s, b, in[1]), ag_square(s, b), a);
    out[1] = ag_sum(s, ag_mul(s, out[0], in[1]), (int32_t[]){1}, 1, false);
    return AGN_OK;
}
BODY(moved)
{
    (void)user;
    const agn_tensor *t = ag_swapaxes(s, ag_exp(s, ag_swapaxes(s, in[0], -1, -2)), -1, -2);
    const agn_tensor *v = ag_mul(s, ag_mul(s, t, in[1]), t);
    out[0] = ag_maximum(s, ag_mul(s, v, v), in[1]);
    out[1] = ag_sum(s, ag_abs(s, v), (int32_t[]){1, 2}, 2, true);
    return AGN_OK;
}
BODY(flags)
{
    (void)user;
    const agn_tensor *less = ag_lt(s, in[0], in[1]);
    out[0] = less;
    out[1] = ag_add(s, ag_where(s, less, ag_mul(s, in[0], in[1]), in[0]), ag_erf(s, in[1]));
    return AGN_OK;
}

/* parts along the leading axis, cut and joined, each times others: series in several directions */
BODY(lanes)
{
    (void)user;
    int64_t many = agn_shape(in[0])[0], shape[3] = {1, agn_shape(in[1])[0], agn_shape(in[1])[1]};
    const agn_tensor *part[9], *h = ag_tanh(s, in[1]), *row = ag_mul(s, h, in[2]);
    for (int64_t l = 0; l < many && l < 9; l++) {
        const agn_tensor *x = ag_index_axis(s, in[0], 0, l), *z = ag_index_axis(s, in[0], 0, many - 1 - l);
        x = ag_add(s, ag_mul(s, x, h), ag_mul(s, ag_mul_c(s, z, 0.5), ag_mul(s, x, in[1])));
        part[l] = ag_reshape(s, ag_add(s, x, row), 3, shape);
    }
    const agn_tensor *all = ag_concat(s, part, (int32_t)(many < 9 ? many : 9), 0);
    out[0] = ag_mul(s, all, ag_mean(s, ag_square(s, all), (int32_t[]){0}, 1, false));
    row = ag_matmul(s, ag_mul(s, ag_index_axis(s, all, 0, 0), h), ag_swapaxes(s, h, 0, 1));
    out[1] = ag_div_c(s, row, (double)shape[2]);
    return AGN_OK;
}

/* two sums over the same joined parts, the second of products: the first one begins their chain */
BODY(two_sums)
{
    (void)user;
    const agn_tensor *h = ag_tanh(s, ag_tanh(s, in[1]));
    h = ag_reshape(s, h, 3, (int64_t[]){1, agn_shape(in[1])[0], agn_shape(in[1])[1]});
    const agn_tensor *all = ag_concat(s, (const agn_tensor *[]){ag_mul_c(s, h, 0.5), h, h}, 3, 0);
    out[0] = ag_cos(s, ag_sum(s, all, (int32_t[]){0}, 1, false));
    out[1] = ag_tanh(s, ag_sum(s, ag_mul(s, all, in[1]), (int32_t[]){0}, 1, false));
    return AGN_OK;
}

/* two steps of coupled equations, stacked and taken apart: their last axis is what all have */
BODY(equations)
{
    (void)user;
    int64_t many = agn_shape(in[1])[0] < 9 ? agn_shape(in[1])[0] : 9;
    const agn_tensor *y = ag_slice(s, in[1], 2, (int64_t[]){0, 0}, (int64_t[]){many, AGN_END}, NULL);
    for (int step = 0; step < 2; step++) {
        const agn_tensor *f[9];
        for (int64_t i = 0; i < many; i++) {
            const agn_tensor *a = ag_index_axis(s, y, 0, i), *b = ag_index_axis(s, y, 0, (i + 1) % many);
            f[i] = ag_sub(s, ag_mul(s, ag_sin(s, a), ag_sub(s, a, b)), ag_mul(s, b, b));
        }
        const agn_tensor *k = ag_stack(s, f, (int32_t)many, 0);
        y = ag_add(s, y, ag_mul_c(s, ag_add(s, k, ag_mul(s, k, y)), 0.01));
    }
    out[0] = y;
    out[1] = ag_sum(s, ag_square(s, y), (int32_t[]){0}, 1, false);
    return AGN_OK;
}

static const struct {
    const char *name;
    agn_body *body;
} programs[] = {{"jets", jets}, {"kept", kept}, {"partly", partly}, {"moved", moved}, {"flags", flags},
                {"lanes", lanes}, {"two sums", two_sums}, {"equations", equations}};

static agn_tensor *numbers(agn_dtype dtype, int ndim, const int64_t *shape)
{
    agn_tensor *x = NULL, *y = NULL;
    void *p;
    must(agn_empty(&x, AGN_F64, ndim, shape, AGN_CPU));
    must(agn_data_mut(&p, x));
    for (int64_t i = 0; i < agn_numel(x); i++)
        ((double *)p)[i] = rnd_in(-2, 2);
    must(agn_cast(&y, x, dtype));
    agn_release(x);
    return y;
}

static bool same_bits(const agn_tensor *a, const agn_tensor *b)
{
    size_t bytes = (size_t)agn_numel(a) * (size_t)agn_dtype_size(agn_dtype_of(a));
    return !memcmp(agn_data(a), agn_data(b), bytes);
}
static double apart(const agn_tensor *a, const agn_tensor *b)
{
    agn_tensor *x = NULL, *y = NULL;
    double worst = 0;
    must(agn_cast(&x, a, AGN_F64));
    must(agn_cast(&y, b, AGN_F64));
    const double *p = agn_data(x), *q = agn_data(y);
    for (int64_t i = 0; i < agn_numel(x); i++)
        if (!(isnan(p[i]) && isnan(q[i])))
            worst = fmax(worst, isnan(p[i]) != isnan(q[i]) ? HUGE_VAL
                                                           : fabs(p[i] - q[i]) / (1 + fabs(q[i])));
    agn_release(x);
    agn_release(y);
    return worst;
}

static void compare(int k, agn_dtype dtype, const int64_t *size, bool holes)
{
    agn_fn *f = NULL, *g = NULL;
    agn_tensor *in[3] = {numbers(dtype, 3, size), numbers(dtype, 2, size + 1),
                         numbers(dtype, 2, (int64_t[]){size[1], 1})};
    agn_tensor *want[2] = {0}, *got[2] = {0};
    char text[1 << 16];
    size_t need;
    void *p;
    must(agn_data_mut(&p, in[0]));
    if (holes && dtype == AGN_F64)
        ((double *)p)[agn_numel(in[0]) / 2] = NAN;
    must(agn_fn_new(&f, programs[k].body, NULL, NULL, 3, 2));
    must(agn_fn_compile(&g, f, NULL));
    must(agn_fn_call(want, 2, f, (const agn_tensor *const *)in, 3));
    must(agn_fn_call(got, 2, g, (const agn_tensor *const *)in, 3));
    must(agn_plan_explain(text, sizeof text, &need, g));
    double eps = dtype == AGN_F32 ? 0x1p-23 : 0x1p-52, off = fmax(apart(got[0], want[0]),
                                                                 apart(got[1], want[1]));
    char rows[32];
    bool last = programs[k].body == equations;
    int64_t N = last ? size[2] : size[1] * size[2];
    snprintf(rows, sizeof rows, "region of %lld rows", (long long)N);
    ok(off <= 64 * eps, "%s, [%lld, %lld, %lld], %s: %.2g eps", programs[k].name,
       (long long)size[0], (long long)size[1], (long long)size[2], agn_dtype_name(dtype), off / eps);
    bool product = programs[k].body == lanes && size[1] >= 64; /* many rows stay with it */
    bool merges = N >= 256 && !product;
    const char *region = strstr(text, rows);
    ok(!merges || region, "%s: axes are merged: %s", programs[k].name, rows);
    ok(!merges || !last || (region && !strstr(region + 1, "region of")), "%s: in one region",
       programs[k].name);
    for (int threads = 2; threads <= 5; threads += 3) {
        agn_tensor *more[2] = {0};
        must(agn_threads_set(threads));
        must(agn_fn_call(more, 2, g, (const agn_tensor *const *)in, 3));
        ok(same_bits(got[0], more[0]) && same_bits(got[1], more[1]), "%s: bits of %d threads",
           programs[k].name, threads);
        agn_release(more[0]);
        agn_release(more[1]);
    }
    must(agn_threads_set(1));
    for (int i = 0; i < 2; i++) {
        agn_release(want[i]);
        agn_release(got[i]);
    }
    for (int i = 0; i < 3; i++)
        agn_release(in[i]);
    agn_fn_release(f);
    agn_fn_release(g);
}

int main(void)
{
    /* a whole number of vectors, one more, none to spare; few, and larger than a tile */
    static const int64_t sizes[][3] = {{5, 16, 32}, {3, 7, 37}, {50, 13, 23}, {2, 61, 71},
                                       {1, 31, 33}, {4, 3, 5},  {9, 90, 101}, {2, 4, 300}};
    must(agn_threads_set(1));
    for (int k = 0; k < COUNT(programs); k++)
        for (int i = 0; i < COUNT(sizes); i++) {
            compare(k, AGN_F64, sizes[i], i % 2);
            compare(k, AGN_F32, sizes[i], false);
        }
    return done();
}
