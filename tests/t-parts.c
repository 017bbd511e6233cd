/* t-parts - a map in parts equals vmap: for any number of lanes at a time, any axes,
   random ops, nested loops, in every mode; and needs the memory of one part. */
#include "tests/control.h"

static agn_status noisy(void *key, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    const agn_tensor *z = ag_normal(s, key, AGN_F64, 1,
                                    (int64_t[]){3}); /* one key for all lanes */
    out[0] = ag_add(s, ag_mul(s, ag_sin(s, in[0]), in[1]), z);
    out[1] = ag_sum_all(s, ag_mul(s, out[0], in[0]));
    return AGN_OK;
}
static agn_status step(void *key, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    out[0] = ag_add(s, ag_mul(s, in[0], in[1]),
                    ag_uniform(s, key, AGN_F64, 1, (int64_t[]){3}));
    out[1] = ag_sum_all(s, out[0]);
    return AGN_OK;
}
/* a loop within: its random numbers, too, are the lane's */
static agn_status loops(void *key, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    agn_fn *f = NULL, *scan = NULL;
    const agn_tensor *y[2] = {NULL, NULL};
    agn_status st = agn_fn_new(&f, step, key, NULL, 2, 2);
    if (!st)
        st = agn_fn_scan(&scan, f, 1, 0, 3, false);
    if (!st)
        st = agn_fn_apply(s, y, 2, scan, AGN_ARGS(in[0], ag_mul(s, in[0], in[1])));
    if (!st) {
        out[0] = y[0];
        out[1] = ag_sum_all(s, y[1]);
    }
    agn_fn_release(f);
    agn_fn_release(scan);
    return st;
}

/* sum of all results, weighted */
static agn_status total(void *f, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    const agn_tensor *y[2] = {NULL, NULL};
    if (!agn_fn_apply(s, y, 2, f, in, agn_fn_n_in(f)))
        out[0] = ag_add(s, ag_sum_all(s, ag_mul(s, y[0], y[0])),
                        ag_sum_all(s, ag_sin(s, y[1])));
    return AGN_OK;
}

static void test_equal(agn_body *body, const char *name)
{
    agn_generator *gen = NULL;
    agn_tensor *key = NULL, *x = NULL, *k = num(0.7);
    CHECK(agn_generator_new(&gen, 7));
    CHECK(agn_key(&key, gen));
    agn_scope *s = agn_scope_open(NULL);
    for (int lanes = 0; lanes <= 7; lanes += lanes ? 6 : 1)
        for (int at_once = 0; at_once <= 8; at_once += at_once == 3 ? 4 : 1) {
            agn_fn *f = NULL, *map = NULL, *v = NULL, *df = NULL, *dv = NULL,
                   *hf = NULL, *hv = NULL;
            agn_fn *plan = NULL, *jf = NULL, *jv = NULL;
            int32_t axes[2] = {1, AGN_UNBATCHED}, out_axes[2] = {-1, 0},
                    both[2] = {0, 1};
            char what[64];
            const agn_tensor *in[4] = {
                ag_cos(s, ag_reshape(s, ag_arange(s, AGN_F64, 0, 3 * lanes, 1), 2,
                                     (int64_t[]){3, lanes})),
                k};
            in[2] = in[0];
            in[3] = in[1];
            CHECK(agn_fn_new(&f, body, key, NULL, 2, 2));
            CHECK(agn_fn_map(&map, f, axes, 2, out_axes, 2, at_once));
            CHECK(agn_fn_vmap(&v, f, axes, 2, out_axes, 2));
            snprintf(what, sizeof what, "%s: %d of %d lanes", name, at_once, lanes);
            same(map, v, in, what);
            CHECK(agn_fn_new(&jf, total, map, NULL, 2, 1));
            CHECK(agn_fn_new(&jv, total, v, NULL, 2, 1));
            CHECK(agn_fn_grad(&df, jf, both, 2));
            CHECK(agn_fn_grad(&dv, jv, both, 2));
            snprintf(what, sizeof what, "%s: gradient, %d of %d lanes", name, at_once,
                     lanes);
            same(df, dv, in, what);
            CHECK(agn_fn_jvp(&hf, df));
            CHECK(agn_fn_jvp(&hv, dv));
            CHECK(agn_fn_compile(&plan, hf, NULL));
            snprintf(what, sizeof what, "%s: its tangents, in a plan, %d of %d lanes",
                     name, at_once, lanes);
            same(plan, hv, in, what);
            agn_fn *all[] = {f, map, v, df, dv, hf, hv, plan, jf, jv};
            for (int i = 0; i < 10; i++)
                agn_fn_release(all[i]);
        }
    CHECK(agn_scope_close(s));
    agn_release(k);
    agn_release(x);
    agn_release(key);
    agn_generator_release(gen);
}

/* ---- modes, lanes of parts, parts of lanes --------------------------------------- */

static agn_status smooth(void *u, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    (void)u;
    out[0] = ag_exp(s, ag_mul(s, ag_sin(s, in[0]), in[1]));
    return AGN_OK;
}
static agn_status weighted(void *f, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    const agn_tensor *y = NULL, *n = ag_arange(s, AGN_F64, 1, 6, 1);
    if (!agn_fn_apply(s, &y, 1, f, AGN_ARGS(ag_mul(s, n, in[0]), in[0])))
        out[0] = ag_sum_all(s, ag_mul(s, y, n));
    return AGN_OK;
}

static void test_modes(void)
{
    agn_fn *f = NULL, *v = NULL, *map = NULL, *a = NULL, *b = NULL;
    int32_t axes[2] = {0, AGN_UNBATCHED};
    agn_tensor *x = num(0.4);
    CHECK(agn_fn_new(&f, smooth, NULL, NULL, 2, 1));
    CHECK(agn_fn_vmap(&v, f, axes, 2, NULL, 0));
    CHECK(agn_fn_new(&b, weighted, v, NULL, 1, 1));
    for (int lanes = 1; lanes <= 3; lanes++) {
        CHECK(agn_fn_map(&map, f, axes, 2, NULL, 0, lanes));
        CHECK(agn_fn_new(&a, weighted, map, NULL, 1, 1));
        same_in_all_modes(a, b, (const agn_tensor *[]){x}, 1, 0, "map");
        agn_fn_release(map);
        agn_fn_release(a);
    }
    agn_fn *vm = NULL, *vv = NULL, *mm = NULL;
    agn_tensor *xs = NULL;
    CHECK(agn_full(&xs, AGN_F64, 2, (int64_t[]){4, 5}, 0.3));
    CHECK(agn_fn_map(&map, f, axes, 2, NULL, 0, 2));
    CHECK(agn_fn_vmap(&vm, map, axes, 2, NULL, 0));
    CHECK(agn_fn_vmap(&vv, v, axes, 2, NULL, 0));
    CHECK(agn_fn_map(&mm, map, axes, 2, NULL, 0, 3));
    same(vm, vv, (const agn_tensor *[]){xs, x}, "lanes of a map");
    same(mm, vv, (const agn_tensor *[]){xs, x}, "a map of a map");
    agn_fn *all[] = {f, v, b, map, vm, vv, mm};
    for (int i = 0; i < 7; i++)
        agn_fn_release(all[i]);
    agn_release(x);
    agn_release(xs);
}

/* ---- memory, errors -------------------------------------------------------------- */

static agn_status wide(void *u, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    (void)u;
    out[0] = ag_sum_all(s, ag_sin(s, ag_broadcast_to(s, in[0], 1, (int64_t[]){10000})));
    return AGN_OK;
}
static int64_t peak_of(const agn_fn *f, const agn_tensor *x)
{
    agn_tensor *y = NULL;
    int64_t before = 0, peak = 0;
    agn_memory_live(&before, NULL, NULL);
    agn_memory_reset_peak();
    CHECK(agn_fn_call(&y, 1, f, &x, 1));
    agn_memory_live(NULL, NULL, &peak);
    agn_release(y);
    return (peak - before) / 80000;
}
static void test_memory(void)
{
    agn_fn *f = NULL, *v = NULL, *map = NULL;
    agn_tensor *x = NULL;
    CHECK(agn_full(&x, AGN_F64, 1, (int64_t[]){200}, 0.3));
    CHECK(agn_fn_new(&f, wide, NULL, NULL, 1, 1));
    CHECK(agn_fn_vmap(&v, f, NULL, 0, NULL, 0));
    CHECK(agn_fn_map(&map, f, NULL, 0, NULL, 0, 4));
    int64_t all = peak_of(v, x), few = peak_of(map, x);
    ok(all >= 200 && few <= 12,
       "200 lanes at once hold %lld wide values, 4 at a time %lld", (long long)all,
       (long long)few);
    agn_fn *none = NULL;
    int32_t nowhere[1] = {AGN_UNBATCHED};
    ok(agn_fn_map(NULL, f, NULL, 0, NULL, 0, 1) == AGN_ENULL, "out is NULL");
    ok(agn_fn_map(&none, NULL, NULL, 0, NULL, 0, 1) == AGN_ENULL, "f is NULL");
    ok(agn_fn_map(&none, f, NULL, 0, NULL, 0, -1) == AGN_EARG, "a negative number of lanes");
    ok(agn_fn_map(&none, f, (int32_t[]){0, 0}, 2, NULL, 0, 1) == AGN_EARG && !none &&
           strstr(agn_error_message(), "axes of 2 arguments"),
       "axes of another number of arguments");
    ok(agn_fn_map(&none, f, NULL, 0, nowhere, 1, 1) == AGN_EARG && !none,
       "a result without lanes");
    agn_fn_release(map);
    agn_tensor *y = NULL;
    CHECK(agn_fn_map(&map, f, nowhere, 1, NULL, 0, 1));
    ok(agn_fn_call(&y, 1, map, AGN_ARGS(x)) == AGN_ESHAPE &&
           strstr(agn_error_message(), "map"),
       "no argument has lanes");
    agn_fn_release(f);
    agn_fn_release(v);
    agn_fn_release(map);
    agn_release(x);
}

int main(void)
{
    test_equal(noisy, "noise");
    test_equal(loops, "loops");
    test_modes();
    test_memory();
    int64_t blocks = 0;
    agn_memory_live(NULL, &blocks, NULL);
    ok(blocks <= 8, "all is released: %lld blocks are alive", (long long)blocks);
    return done();
}
