/* t-few - steps on few numbers, which plans run as loops over known places: the bits of the ops called
   one by one, for several dtypes, shapes that broadcast, slices, joins. */
#include "tests/control.h"

enum { STEPS = 9 };

/* a: [2, 3], b: [3], c: [2, 1], one: [] */
static agn_status mixture(void *u, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)u;
    const agn_tensor *a = in[0], *b = in[1], *c = in[2], *one = in[3];
    const agn_tensor *x = ag_add(s, ag_mul(s, a, b), c), *y = ag_sub(s, ag_mul(s, x, one), a);
    const agn_tensor *t = ag_permute(s, y, (int32_t[]){1, 0}, 2), *u0 = ag_index_axis(s, t, 0, 1);
    const agn_tensor *rows[] = {u0, ag_sub(s, u0, ag_index_axis(s, t, 0, 0)),
                                ag_index_axis(s, t, 0, 2)};
    const agn_tensor *z = ag_stack(s, rows, 3, 1), *parts[] = {z, ag_mul(s, x, y), ag_neg(s, z)};
    out[0] = ag_concat(s, parts, 3, 1);
    out[1] = ag_where(s, ag_lt(s, t, b ? ag_reshape(s, b, 2, (int64_t[]){3, 1}) : t), t,
                      ag_square(s, t));
    out[2] = ag_concat(s, (const agn_tensor *[]){y, x}, 2, 0);
    out[3] = ag_mul(s, one, one);
    return agn_scope_status(s);
}
static agn_status again(void *u, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const agn_tensor *y[4];
    if (mixture(u, s, (const agn_tensor *[]){in[0], in[1], in[2], in[3]}, y))
        return agn_scope_status(s);
    out[0] = ag_sub(s, in[3], ag_sub(s, ag_add(s, in[0], in[1]), ag_mul(s, in[0], in[0])));
    out[0] = ag_add(s, ag_mul(s, in[3], in[0]), out[0]);
    out[1] = ag_add(s, y[3], ag_index_axis(s, ag_index_axis(s, y[0], 0, 1), 0, 4));
    return agn_scope_status(s);
}

static bool bits(const agn_tensor *a, const agn_tensor *b)
{
    agn_tensor *x = NULL, *y = NULL;
    CHECK(agn_contiguous(&x, a));
    CHECK(agn_contiguous(&y, b));
    bool same = agn_dtype_of(x) == agn_dtype_of(y) && agn_numel(x) == agn_numel(y) &&
                !memcmp(agn_data(x), agn_data(y), (size_t)agn_numel(x) * agn_dtype_size(agn_dtype_of(x)));
    agn_release(x);
    agn_release(y);
    return same;
}

static void compare(agn_fn *f, const agn_tensor *const *in, const char *what, agn_dtype d)
{
    agn_fn *plan = NULL;
    agn_tensor *want[4] = {NULL}, *have[4] = {NULL};
    int n = agn_fn_n_out(f);
    bool good = true;
    CHECK(agn_fn_compile(&plan, f, NULL));
    CHECK(agn_fn_call(want, n, f, in, agn_fn_n_in(f)));
    for (int rep = 0; rep < 2; rep++) {
        CHECK(agn_fn_call(have, n, plan, in, agn_fn_n_in(plan)));
        for (int i = 0; i < n; i++) {
            good = good && bits(want[i], have[i]);
            agn_release(have[i]);
            have[i] = NULL;
        }
    }
    ok(good, "%s of %s: the bits of the ops", what, agn_dtype_name(d));
    for (int i = 0; i < n; i++)
        agn_release(want[i]);
    agn_fn_release(plan);
}

static agn_tensor *some(agn_dtype d, int32_t ndim, const int64_t *shape, double first)
{
    double v[6];
    agn_tensor *x = NULL, *y = NULL;
    for (int i = 0; i < 6; i++)
        v[i] = first + 0.75 * i * (i % 2 ? 1 : -1);
    CHECK(agn_from_host(&x, AGN_F64, ndim, shape, v));
    CHECK(agn_cast(&y, x, d));
    agn_release(x);
    return y;
}

int main(void)
{
    static const agn_dtype all[] = {AGN_F64, AGN_F32, AGN_F16, AGN_BF16, AGN_I32, AGN_I64};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        agn_dtype d = all[k];
        agn_tensor *a = some(d, 2, (int64_t[]){2, 3}, 1.5), *b = some(d, 1, (int64_t[]){3}, -2),
                   *c = some(d, 2, (int64_t[]){2, 1}, 3), *one = some(d, 0, NULL, 2.5);
        const agn_tensor *in[] = {a, b, c, one};
        agn_fn *f = NULL, *step = NULL, *loop = NULL;
        CHECK(agn_fn_new(&f, mixture, NULL, NULL, 4, 4));
        compare(f, in, "a mixture", d);
        CHECK(agn_fn_new(&step, again, NULL, NULL, 4, 2));
        CHECK(agn_fn_scan(&loop, step, 1, 0, STEPS, false));
        agn_tensor *slices[3] = {NULL};
        for (int i = 0; i < 3; i++) {
            const agn_tensor *same[STEPS];
            for (int j = 0; j < STEPS; j++)
                same[j] = in[1 + i];
            CHECK(agn_stack(&slices[i], same, STEPS, 0));
        }
        compare(loop, (const agn_tensor *[]){a, slices[0], slices[1], slices[2]}, "a loop", d);
        for (int i = 0; i < 3; i++)
            agn_release(slices[i]);
        agn_fn_release(f);
        agn_fn_release(loop);
        agn_fn_release(step);
        agn_release(a);
        agn_release(b);
        agn_release(c);
        agn_release(one);
    }
    return done();
}
