/* t-fft-convolve - sliding sums by transforms, against those summed directly; every mode of
   derivative; every failure. */
#include "modes.h"

#include "fft/fft.h"

typedef agn_status sliding(agn_tensor **out, const agn_tensor *a, const agn_tensor *v, int32_t axes,
                           int32_t mode);
static const struct {
    const char *name;
    sliding *fast, *direct;
} of[] = {{"fft_convolve", agn_fft_convolve, agn_convolve},
          {"fft_correlate", agn_fft_correlate, agn_correlate}};

static double norm_of(const agn_tensor *x)
{
    double sum = 0;
    for (int64_t k = 0; k < agn_numel(x); k++)
        sum += creal(peekz(x, k) * conj(peekz(x, k)));
    return sqrt(sum);
}

static void one(tally *q, int which, int32_t axes, int32_t mode, const agn_tensor *a,
                const agn_tensor *v, double eps)
{
    agn_tensor *y = NULL, *z = NULL;
    uint64_t before = hash_of(a) ^ hash_of(v);
    agn_status st = of[which].direct(&z, a, v, axes, mode);
    agn_status got = of[which].fast(&y, a, v, axes, mode);
    check(q, st == got, "%s %s with %s: %s", of[which].name, SHAPE_TEXT(a), SHAPE_TEXT(v),
          agn_error_message());
    if (!st && !got) {
        bool ints = agn_is_integer(agn_dtype_of(z)) == 1;
        check(q, agn_dtype_of(y) == (ints ? AGN_F64 : agn_dtype_of(z)), "dtype %s",
              agn_dtype_name(agn_dtype_of(y)));
        check(q, has_shape(y, agn_ndim(z), agn_shape(z)), "%s is %s", of[which].name,
              SHAPE_TEXT(y));
        double worst = 0, scale = norm_of(a) * norm_of(v);
        for (int64_t k = 0; k < agn_numel(z); k++)
            worst = fmax(worst, cabs(peekz(y, k) - peekz(z, k)));
        check(q, worst <= 8 * eps * scale, "%s %s with %s, mode %d: off by %.1e of %.1e",
              of[which].name, SHAPE_TEXT(a), SHAPE_TEXT(v), mode, worst, scale);
    }
    check(q, (hash_of(a) ^ hash_of(v)) == before, "arguments changed");
    agn_release(y);
    agn_release(z);
}

static void test_values(void)
{
    static const struct {
        int a, v;
        double eps;
    } dtypes[] = {{AGN_F64, AGN_F64, 0x1p-52},   {AGN_F32, AGN_F32, 0x1p-23},
                  {AGN_F32, AGN_F64, 0x1p-52},   {AGN_C128, AGN_C128, 0x1p-52},
                  {AGN_C64, AGN_C64, 0x1p-23},   {AGN_F64, AGN_C64, 0x1p-52},
                  {AGN_I32, AGN_I32, 0x1p-52},   {AGN_U8, AGN_F32, 0x1p-23},
                  {AGN_F16, AGN_F16, 0x1p-9},    {AGN_I64, AGN_BOOL, 0x1p-52}};
    static const struct {
        int nda, ndv, axes;
        int64_t a[4], v[4];
    } shapes[] = {{1, 1, 1, {7}, {3}},          {1, 1, 1, {3}, {7}},
                  {1, 1, 1, {1}, {1}},          {1, 1, 1, {300}, {41}},
                  {2, 1, 1, {4, 11}, {6}},      {1, 3, 1, {11}, {2, 3, 4}},
                  {2, 2, 2, {9, 12}, {3, 4}},   {2, 2, 2, {3, 12}, {5, 4}},
                  {3, 3, 2, {2, 6, 5}, {1, 2, 7}}, {4, 3, 3, {2, 5, 4, 6}, {2, 3, 2}},
                  {2, 2, 1, {0, 5}, {1, 3}}};
    for (int which = 0; which < 2; which++) {
        tally q = {0, 0};
        for (int d = 0; d < COUNT(dtypes); d++)
            for (int k = 0; k < COUNT(shapes); k++)
                for (int l = 0; l < N_LAYOUTS; l++)
                    for (int mode = AGN_FULL; mode <= AGN_VALID; mode++) {
                        agn_tensor *a0 = random_of(dtypes[d].a, shapes[k].nda, shapes[k].a, -5, 5);
                        agn_tensor *v0 = random_of(dtypes[d].v, shapes[k].ndv, shapes[k].v, -5, 5);
                        agn_tensor *a = laid_out(a0, l), *v = laid_out(v0, (l + 1) % N_LAYOUTS);
                        one(&q, which, shapes[k].axes, mode, a, v, dtypes[d].eps);
                        agn_tensor *all[] = {a0, v0, a, v};
                        for (int i = 0; i < 4; i++)
                            agn_release(all[i]);
                    }
        tell(&q, "%s: the sums, dtypes, shapes, layouts, modes", of[which].name);
    }
    tally q = {0, 0};
    agn_tensor *a = random_of(AGN_F64, 1, (int64_t[]){20011}, -1, 1),
               *v = random_of(AGN_F64, 1, (int64_t[]){4099}, -1, 1);
    for (int mode = AGN_FULL; mode <= AGN_VALID; mode++) {
        one(&q, 0, 1, mode, a, v, 0x1p-52);
        one(&q, 1, 1, mode, v, a, 0x1p-52);
    }
    tell(&q, "long arrays of prime lengths");
    agn_release(a);
    agn_release(v);
}

typedef struct given {
    int which, axes, mode;
} given;
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const given *g = user;
    agn_tensor *y = NULL;
    agn_status st = of[g->which].fast(&y, in[0], in[1], g->axes, g->mode);
    out[0] = agn_scope_adopt(s, st, &y);
    return st;
}

static void test_modes(void)
{
    static const given cases[] = {{0, 1, AGN_FULL}, {1, 1, AGN_SAME}, {0, 2, AGN_VALID},
                                  {1, 2, AGN_FULL}, {1, 1, AGN_VALID}};
    for (int k = 0; k < COUNT(cases); k++)
        for (int z = 0; z < 2; z++) {
            given g = cases[k];
            int dtype = z ? AGN_C128 : AGN_F64;
            agn_tensor *x[2] = {random_of(dtype, 2, (int64_t[]){2, 5}, -1, 1),
                                random_of(dtype, 2, (int64_t[]){2, 3}, -1, 1)};
            agn_fn *f = NULL;
            char name[96];
            must(agn_fn_new(&f, body, &g, NULL, 2, 1));
            snprintf(name, sizeof name, "%s of %s, %d axes, mode %d", of[g.which].name,
                     agn_dtype_name(dtype), g.axes, g.mode);
            in_every_mode(f, 2, (const agn_tensor *const *)x, 1e-2, 2e-9, name);
            agn_fn_release(f);
            agn_release(x[0]);
            agn_release(x[1]);
        }
}

static void test_failures(void)
{
    tally q = {0, 0};
    agn_tensor *y = untouched, *sp = NULL, *far = NULL, *wide = NULL;
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){3, 4}, 1, 2);
    agn_tensor *tall = random_of(AGN_F64, 2, (int64_t[]){5, 2}, 1, 2);
    agn_tensor *none = random_of(AGN_F64, 2, (int64_t[]){3, 0}, 1, 2);
    agn_tensor *bools = random_of(AGN_BOOL, 2, (int64_t[]){3, 4}, 0, 1);
    agn_tensor *few = random_of(AGN_F64, 2, (int64_t[]){2, 4}, 1, 2);
    must(agn_sparse_from_dense(&sp, x));
    far = scalar_of(AGN_F64, 1);
    must(agn_broadcast_to(&wide, far, 1, (int64_t[]){INT64_C(1) << 31}));
#define FFTS(a_, v_, axes_, mode_, st, m1, m2)                                                 \
    for (int k = 0; k < 2; k++)                                                                \
    check(&q, refused(of[k].fast(&y, a_, v_, axes_, mode_), st, of[k].name, m1, m2, y),        \
          "refusal in line %d: %s", __LINE__, agn_error_message())
    FFTS(NULL, x, 1, 0, AGN_ENULL, "a is NULL", NULL);
    FFTS(x, NULL, 1, 0, AGN_ENULL, "v is NULL", NULL);
    FFTS(x, x, 1, 3, AGN_EARG, "mode 3", NULL);
    FFTS(x, x, 0, 0, AGN_ESHAPE, "0 axes", "[3,4]");
    FFTS(x, x, 3, 0, AGN_ESHAPE, "3 axes", "[3,4]");
    FFTS(x, none, 1, 0, AGN_ESHAPE, "[3,4]", "[3,0]");
    FFTS(x, few, 1, 0, AGN_ESHAPE, "[3,", "[2,");
    FFTS(x, tall, 2, AGN_VALID, AGN_ESHAPE, "[3,4]", "[5,2]");
    FFTS(bools, bools, 1, 0, AGN_EDTYPE, "bool", NULL);
    FFTS(sp, x, 1, 0, AGN_EUNSUPPORTED, "sparse", NULL);
    FFTS(wide, x, 1, 0, AGN_EARG, "2147483648", "2^30");
    for (int k = 0; k < 2; k++)
        check(&q, of[k].fast(NULL, x, x, 1, 0) == AGN_ENULL, "out");
    tell(&q, "failures: status, op, two facts, nothing written");
    agn_tensor *all[] = {x, tall, none, bools, few, sp, far, wide};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
}

static agn_status make(void *user, agn_tensor **out)
{
    agn_tensor **in = user;
    return agn_fft_correlate(out, in[0], in[1], 2, AGN_SAME);
}

int main(void)
{
    test_values();
    test_modes();
    test_failures();
    agn_tensor *in[] = {random_of(AGN_F64, 2, (int64_t[]){6, 7}, -1, 1),
                        random_of(AGN_F64, 2, (int64_t[]){3, 2}, -1, 1)};
    every_allocation(make, in, "fft_correlate");
    agn_release(in[0]);
    agn_release(in[1]);
    agni_fft_clear_plans();
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
