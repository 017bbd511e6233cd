/* tests/t-conv.c - convolution of images: PyTorch's answers, the definition for all three parts
   over random geometries, numbers that are not finite, threads, errors, memory. */
#include "tests/modes.h"

/* ---- another library's answers (tests/data/make-conv.py) ------------------------- */

typedef struct answer {
    int transpose, axes, groups;
    int64_t x[5], w[5], y[5], stride[3], pad[3], dilation[3], extra[3];
    const double *values;
} answer;
static const answer answers[] = {
#include "tests/data/conv.inc"
};

/* the arguments of make-conv.py */
static agn_tensor *argument(int dtype, int n, const int64_t *shape, bool second)
{
    int64_t size = count_of(n, shape);
    double *v = room_for((size_t)size * sizeof *v);
    for (int64_t i = 0; i < size; i++)
        v[i] = (double)(second ? (5 * i + 2) % 9 - 4 : (7 * i + 3) % 11 - 5);
    agn_tensor *x = of_reals(dtype, n, shape, v);
    free(v);
    return x;
}

static agn_status asked(agn_tensor **out, const answer *q, const agn_tensor *x,
                        const agn_tensor *w)
{
    const agn_conv_options o = {.size = sizeof o,
                                .stride = q->stride,
                                .before = q->pad,
                                .dilation = q->dilation,
                                .extra = q->extra,
                                .groups = q->groups};
    return (q->transpose ? agn_conv_transpose : agn_conv)(out, x, w, q->axes, &o);
}

static void test_answers(void)
{
    static const int dtypes[] = {AGN_F64, AGN_F32, AGN_I64, AGN_C64, AGN_I16, AGN_F16};
    tally t = {0, 0};
    for (int k = 0; k < COUNT(answers); k++)
        for (int d = 0; d < COUNT(dtypes); d++)
            for (int l = 0; l < (d < 2 ? N_LAYOUTS : 1); l++) {
                const answer *q = &answers[k];
                int n = q->axes + 2;
                agn_tensor *x = argument(dtypes[d], n, q->x, false), *y = NULL,
                           *w = argument(dtypes[d], n, q->w, true);
                agn_tensor *u = laid_out(x, l), *v = laid_out(w, N_LAYOUTS - 1 - l);
                agn_status st = asked(&y, q, u, v);
                bool good = !st && has_shape(y, n, q->y) &&
                            agn_dtype_of(y) == dtypes[d];
                for (int64_t i = 0; good && i < agn_numel(y); i++)
                    good = peek(y, i) == q->values[i];
                check(&t, good, "answer %d, %s, layout %d: %s", k,
                      agn_dtype_name(dtypes[d]), l,
                      st ? agn_error_message() : "values");
                agn_release(x), agn_release(w), agn_release(u), agn_release(v);
                if (!st)
                    agn_release(y);
            }
    tell(&t, "%d convolutions as PyTorch has them, 6 dtypes, all layouts",
         COUNT(answers));
}

/* ---- the definition -------------------------------------------------------------- */

enum { IMAGE, FILTER, RESULT };
typedef struct geometry {
    int d;
    int64_t images, groups, in, out;
    int64_t n[3], m[3], l[3], stride[3], before[3], dilation[3];
} geometry;

static int64_t shape_of(const geometry *g, int part, int64_t *shape)
{
    const int64_t *size[3] = {g->n, g->m, g->l};
    int64_t all = 1;
    shape[0] = part == FILTER ? g->groups * g->out : g->images;
    shape[1] = part == IMAGE    ? g->groups * g->in
               : part == FILTER ? g->in
                                : g->groups * g->out;
    for (int k = 0; k < g->d; k++)
        shape[2 + k] = size[part][k];
    for (int k = 0; k < g->d + 2; k++)
        all *= shape[k];
    return all;
}

/* v[part] = the sum over what the definition pairs */
static void define(const geometry *g, int part, double complex *const *v)
{
    int64_t shape[5], all = shape_of(g, part, shape), taps = 1, places = 1, pixels = 1;
    for (int k = 0; k < g->d; k++) {
        taps *= g->m[k];
        places *= g->l[k];
        pixels *= g->n[k];
    }
    for (int64_t i = 0; i < all; i++)
        v[part][i] = 0;
    for (int64_t o = 0; o < places; o++)
        for (int64_t q = 0; q < taps; q++) {
            int64_t a = o, b = q, p = 0, unit = 1;
            bool inside = true;
            for (int k = g->d - 1; k >= 0; k--) {
                int64_t at = a % g->l[k] * g->stride[k] + b % g->m[k] * g->dilation[k] -
                             g->before[k];
                inside = inside && at >= 0 && at < g->n[k];
                p += at * unit;
                unit *= g->n[k];
                a /= g->l[k];
                b /= g->m[k];
            }
            for (int64_t f = 0; inside && f < g->images * g->groups; f++)
                for (int64_t i = 0; i < g->in; i++)
                    for (int64_t j = 0; j < g->out; j++) {
                        int64_t at[3] = {
                            (f * g->in + i) * pixels + p,
                            ((f % g->groups * g->out + j) * g->in + i) * taps + q,
                            (f * g->out + j) * places + o};
                        int one = part == IMAGE ? FILTER : IMAGE,
                            other = part == RESULT ? FILTER : RESULT;
                        v[part][at[part]] += v[one][at[one]] * v[other][at[other]];
                    }
        }
}

static agn_tensor *tensor_of(int dtype, const geometry *g, int part,
                             const double complex *v)
{
    int64_t shape[5], all = shape_of(g, part, shape);
    size_t bytes = agn_dtype_size(dtype);
    char *p = room_for((size_t)all * bytes);
    for (int64_t i = 0; i < all; i++)
        poke(p + (size_t)i * bytes, dtype, creal(v[i]), cimag(v[i]));
    agn_tensor *x = NULL;
    must(agn_from_host(&x, dtype, g->d + 2, shape, p));
    free(p);
    return x;
}

static agn_status part_of(agn_tensor **out, const geometry *g, int part,
                          const agn_tensor *const *in)
{
    int64_t ints[14] = {part, g->groups}, shape[5];
    shape_of(g, part, shape);
    for (int k = 0; k < g->d; k++) {
        ints[2 + 4 * k] = shape[2 + k];
        ints[3 + 4 * k] = g->stride[k];
        ints[4 + 4 * k] = g->before[k];
        ints[5 + 4 * k] = g->dilation[k];
    }
    return agn_op_apply(out, 1, "conv", in, 2, ints, 2 + 4 * g->d, NULL, 0);
}

static bool compare(tally *t, const geometry *g, int dtype, double complex *const *v)
{
    bool all = true;
    for (int part = 0; part < 3; part++) {
        int one = part == IMAGE ? FILTER : IMAGE,
            other = part == RESULT ? FILTER : RESULT;
        agn_tensor *a = tensor_of(dtype, g, one, v[one]), *y = NULL,
                   *b = tensor_of(dtype, g, other, v[other]);
        agn_status st = part_of(&y, g, part, (const agn_tensor *[]){a, b});
        double complex *w[3] = {v[0], v[1], v[2]};
        int64_t shape[5], n = shape_of(g, part, shape), wrong = -1;
        w[part] = room_for((size_t)n * sizeof *w[part]);
        define(g, part, w);
        for (int64_t i = 0; !st && i < n && wrong < 0; i++) {
            double complex have = peekz(y, i), want = w[part][i];
            bool same = kind_of(dtype) == KIND_COMPLEX
                            ? have == want
                            : creal(have) == creal(want) ||
                                  (isnan(creal(have)) && isnan(creal(want)));
            wrong = same ? -1 : i;
        }
        all = !st && wrong < 0 && all;
        check(t, !st && wrong < 0,
              "part %d in %s, %d axes, %" PRId64 " images, %" PRId64
              " groups of %" PRId64 " and %" PRId64 ", last axis %" PRId64 " %" PRId64
              " %" PRId64 " stride %" PRId64 " before %" PRId64 " dilation %" PRId64
              ": entry %" PRId64 " %s",
              part, agn_dtype_name(dtype), g->d, g->images, g->groups, g->in, g->out,
              g->n[g->d - 1], g->m[g->d - 1], g->l[g->d - 1], g->stride[g->d - 1],
              g->before[g->d - 1], g->dilation[g->d - 1], wrong,
              st ? agn_error_message() : "");
        free(w[part]);
        agn_release(a), agn_release(b);
        if (!st)
            agn_release(y);
    }
    return all;
}

/* whole numbers, few enough that sums are exact in f32 */
static void fill(const geometry *g, double complex **v)
{
    for (int part = 0; part < 3; part++) {
        int64_t shape[5], n = shape_of(g, part, shape);
        v[part] = room_for((size_t)(n + 1) * sizeof *v[part]);
        for (int64_t i = 0; i < n; i++)
            v[part][i] = z_of((double)(rnd_below(7) - 3), (double)(rnd_below(5) - 2));
    }
}
static void drop_imaginary(const geometry *g, double complex **v)
{
    for (int part = 0; part < 3; part++) {
        int64_t shape[5], n = shape_of(g, part, shape);
        for (int64_t i = 0; i < n; i++)
            v[part][i] = creal(v[part][i]);
    }
}
static void let_go(double complex **v)
{
    for (int part = 0; part < 3; part++)
        free(v[part]);
}

static void draw(geometry *g, int64_t most)
{
    *g = (geometry){.d = 1 + (int)rnd_below(3),
                    .images = 1 + rnd_below(3),
                    .groups = rnd_below(3) ? 1 : 1 + rnd_below(3),
                    .in = 1 + rnd_below(4),
                    .out = 1 + rnd_below(9)};
    for (int k = 0; k < g->d; k++) {
        g->n[k] = 1 + rnd_below(g->d == 1 ? 8 * most : g->d == 2 ? most : most / 2);
        g->m[k] = 1 + rnd_below(4);
        g->stride[k] = 1 + (rnd_below(3) ? 0 : rnd_below(4));
        g->dilation[k] = 1 + (rnd_below(3) ? 0 : rnd_below(4));
        g->before[k] = rnd_below(6) - 1;
        int64_t room = g->n[k] + g->before[k] + rnd_below(5) - 1 -
                       (g->m[k] - 1) * g->dilation[k] - 1;
        g->l[k] = room < 0 ? rnd_below(2) : room / g->stride[k] + 1;
    }
}

static void test_definition(void)
{
    static const int dtypes[] = {AGN_C128, AGN_C64, AGN_F64, AGN_F32, AGN_I64, AGN_I32};
    tally t = {0, 0};
    for (int trial = 0; trial < tap_scale(300); trial++) {
        geometry g;
        double complex *v[3];
        draw(&g, 12);
        fill(&g, v);
        compare(&t, &g, dtypes[trial % 2], v);
        drop_imaginary(&g, v);
        for (int k = 2; k < COUNT(dtypes); k++)
            compare(&t, &g, dtypes[k], v);
        let_go(v);
    }
    tell(&t, "all three parts by their definition, random sizes, 6 dtypes");
    /* around the blocks of the kernels: many channels, long rows, rows of whole vectors,
       rows that are one run, few places */
    static const geometry large[] = {
        {2, 2, 1, 3, 7, {16, 32}, {3, 3}, {16, 32}, {1, 1}, {1, 1}, {1, 1}},
        {2, 1, 1, 33, 100, {7, 7}, {3, 3}, {7, 7}, {1, 1}, {1, 1}, {1, 1}},
        {2, 3, 1, 2, 3, {9, 70}, {2, 3}, {8, 34}, {1, 2}, {0, 0}, {1, 1}},
        {1, 1, 2, 2, 2, {5000}, {11}, {4990}, {1}, {0}, {1}},
        {1, 2, 1, 1, 1, {3}, {1}, {3}, {1}, {0}, {1}},
        {2, 2, 8, 1, 1, {13, 13}, {3, 3}, {13, 13}, {1, 1}, {1, 1}, {1, 1}},
        {2, 1, 1, 260, 2, {3, 5}, {1, 1}, {3, 5}, {1, 1}, {0, 0}, {1, 1}},
        {3,
         1,
         1,
         2,
         130,
         {4, 5, 6},
         {2, 2, 2},
         {3, 4, 5},
         {1, 1, 1},
         {0, 0, 0},
         {1, 1, 1}},
        {2, 1, 1, 1, 2, {6, 6}, {6, 6}, {1, 1}, {1, 1}, {0, 0}, {1, 1}},
        /* far apart: no layout is worth it */
        {1, 1, 1, 2, 2, {4}, {2}, {3}, {1}, {500000000}, {500000001}},
    };
    for (int k = 0; k < COUNT(large); k++)
        for (int d = 2; d < 4; d++) {
            double complex *v[3];
            fill(&large[k], v);
            drop_imaginary(&large[k], v);
            compare(&t, &large[k], dtypes[d], v);
            let_go(v);
        }
    tell(&t, "the same around the blocks of the kernels");
}

/* one axis, few channels and taps, around blocks of 1024 and vectors; a number that is not finite, too */
static void test_lines(void)
{
    tally t = {0, 0};
    for (int trial = 0; trial < tap_scale(80); trial++) {
        double complex *v[3];
        int64_t around = trial % 4 ? 256 << rnd_below(4) : 1 + rnd_below(3000), shape[5];
        geometry g = {.d = 1, .images = 1 + rnd_below(2), .groups = 1 + rnd_below(2), .in = 1 + rnd_below(2),
                      .out = 1 + rnd_below(3), .m = {1 + rnd_below(trial % 8 ? 12 : 70)},
                      .stride = {1 + rnd_below(3)}, .before = {rnd_below(trial % 5 ? 9 : 2200)}, .dilation = {1}};
        g.n[0] = around * g.stride[0] + rnd_below(7) - 3;
        g.n[0] = g.n[0] < 1 ? 1 : g.n[0];
        int64_t room = g.n[0] + g.before[0] + rnd_below(9) - 4 - g.m[0];
        g.l[0] = room < 0 ? 1 : room / g.stride[0] + 1;
        fill(&g, v);
        drop_imaginary(&g, v);
        compare(&t, &g, AGN_F64, v);
        compare(&t, &g, AGN_F32, v);
        for (int part = 0; part < 3; part++) {
            int64_t i = rnd_below(shape_of(&g, part, shape));
            v[part][i] = trial % 2 ? (double)NAN : (double)INFINITY;
            compare(&t, &g, trial % 4 < 2 ? AGN_F64 : AGN_F32, v);
            v[part][i] = 1;
        }
        let_go(v);
    }
    tell(&t, "lines with few channels and taps");
}

/* One number that is not finite reaches those that the definition pairs with it. */
static void test_special(void)
{
    tally t = {0, 0};
    for (int trial = 0; trial < tap_scale(60); trial++) {
        geometry g;
        double complex *v[3];
        int64_t shape[5];
        draw(&g, 9);
        fill(&g, v);
        drop_imaginary(&g, v);
        for (int part = 0; part < 3; part++) {
            int64_t n = shape_of(&g, part, shape);
            if (!n)
                continue;
            int64_t i = rnd_below(n);
            double was = creal(v[part][i]);
            v[part][i] = trial % 2 ? (double)NAN : (double)INFINITY;
            compare(&t, &g, trial % 4 < 2 ? AGN_F64 : AGN_F32, v);
            v[part][i] = was;
        }
        let_go(v);
    }
    tell(&t, "infinity and NaN stay with what the definition pairs them with");
}

static void test_empty(void)
{
    tally t = {0, 0};
    for (int which = 0; which < 5; which++) {
        geometry g = {1, 2, 1, 2, 3, {4}, {2}, {3}, {1}, {0}, {1}};
        int64_t *at[5] = {&g.images, &g.in, &g.out, g.m, g.n};
        *at[which] = 0;
        double complex *v[3];
        fill(&g, v);
        drop_imaginary(&g, v);
        compare(&t, &g, AGN_F64, v);
        compare(&t, &g, AGN_I32, v);
        let_go(v);
    }
    agn_tensor *x = NULL, *w = NULL, *y = NULL;
    must(agn_full(&x, AGN_F64, 4, (int64_t[]){0, 2, 3, 8}, 1));
    must(agn_full(&w, AGN_F64, 3, (int64_t[]){4, 3, 2}, 1));
    must(agn_conv(&y, x, w, 1, NULL));
    check(&t, agn_ndim(y) == 4 && agn_shape(y)[0] == 0 && agn_shape(y)[3] == 7, "no leading axis");
    agn_release(x), agn_release(w), agn_release(y);
    tell(&t, "empty batches, channels, filters and images");
}

static void test_threads(void)
{
    tally t = {0, 0};
    static const geometry some[] = {
        {2, 5, 1, 3, 20, {40, 40}, {3, 3}, {40, 40}, {1, 1}, {1, 1}, {1, 1}},
        {2, 1, 2, 6, 5, {33, 31}, {3, 3}, {17, 16}, {2, 2}, {1, 1}, {1, 1}},
        {1, 1, 1, 1, 1, {20000}, {33}, {19968}, {1}, {0}, {1}}};
    for (int k = 0; k < COUNT(some); k++)
        for (int part = 0; part < 3; part++)
            for (int dtype = AGN_F32; dtype <= AGN_F64; dtype++) {
                const geometry *g = &some[k];
                int64_t shape[5];
                int one = part == IMAGE ? FILTER : IMAGE,
                    other = part == RESULT ? FILTER : RESULT;
                shape_of(g, one, shape);
                agn_tensor *a = random_of(dtype, g->d + 2, shape, -1, 1), *first = NULL;
                shape_of(g, other, shape);
                agn_tensor *b = random_of(dtype, g->d + 2, shape, -1, 1);
                for (int threads = 1; threads < 4; threads++) {
                    agn_tensor *y = NULL;
                    must(agn_threads_set(threads));
                    must(part_of(&y, g, part, (const agn_tensor *[]){a, b}));
                    first = first ? first : agn_retain(y);
                    check(&t, same_values(y, first), "case %d, part %d, %d threads", k,
                          part, threads);
                    agn_release(y);
                }
                agn_release(a), agn_release(b), agn_release(first);
            }
    must(agn_threads_set(0));
    tell(&t, "the same bits for 1, 2 and 3 threads");
}

/* ---- derivatives ----------------------------------------------------------------- */

static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    agn_tensor *y = NULL;
    agn_status st = agn_scope_status(s);
    st = st ? st : asked(&y, user, in[0], in[1]);
    out[0] = agn_scope_adopt(s, st, &y);
    return agn_scope_status(s);
}

static void test_derivatives(void)
{
    static const answer some[] = {
        {0, 1, 1, {1, 2, 4}, {2, 2, 2}, {0}, {1}, {1}, {1}, {0}, NULL},
        {0, 2, 2, {1, 2, 3, 4}, {2, 1, 2, 2}, {0}, {2, 1}, {1, 0}, {1, 2}, {0}, NULL},
        {1, 1, 1, {1, 2, 2}, {2, 1, 3}, {0}, {2}, {1}, {1}, {1}, NULL}};
    for (int k = 0; k < COUNT(some); k++)
        for (int z = 0; z < 2; z++) {
            int dtype = z ? AGN_C128 : AGN_F64, n = some[k].axes + 2;
            agn_tensor *x = random_of(dtype, n, some[k].x, -1, 1),
                       *w = random_of(dtype, n, some[k].w, -1, 1);
            agn_fn *f;
            must(agn_fn_new(&f, body, (void *)(uintptr_t)&some[k], NULL, 2, 1));
            in_every_mode(f, 2, (const agn_tensor *[]){x, w}, 1e-2, 1e-9,
                          k == 2 ? "conv_transpose" : "conv");
            agn_fn_release(f);
            agn_release(x), agn_release(w);
        }
}

/* ---- errors, memory -------------------------------------------------------------- */

#define NO(call, want, op, fact1, fact2)                                   \
    do {                                                                   \
        agn_tensor *y = untouched;                                         \
        agn_status no_st = call;                                           \
        check(&t, refused(no_st, want, op, fact1, fact2, y), "%s", #call); \
    } while (0)
#define OPT(...)                                      \
    &(agn_conv_options)                               \
    {                                                 \
        .size = sizeof(agn_conv_options), __VA_ARGS__ \
    }
#define AT(...)       \
    (const int64_t[]) \
    {                 \
        __VA_ARGS__   \
    }

static void test_errors(void)
{
    tally t = {0, 0};
    agn_tensor *X = random_of(AGN_F64, 3, (int64_t[]){1, 2, 5}, -1, 1),
               *W = random_of(AGN_F64, 3, (int64_t[]){2, 2, 3}, -1, 1),
               *Q = random_of(AGN_F64, 3, (int64_t[]){2, 3, 3}, -1, 1),
               *V = random_of(AGN_F64, 2, (int64_t[]){2, 3}, -1, 1),
               *B = random_of(AGN_BOOL, 3, (int64_t[]){2, 2, 3}, 0, 1),
               *X4 = random_of(AGN_F64, 4, (int64_t[]){2, 1, 2, 5}, -1, 1),
               *W4 = random_of(AGN_F64, 4, (int64_t[]){3, 2, 2, 3}, -1, 1);
    for (int k = 0; k < 2; k++) {
        agn_status (*f)(agn_tensor **, const agn_tensor *, const agn_tensor *, int32_t,
                        const agn_conv_options *) = k ? agn_conv_transpose : agn_conv;
        const char *n = k ? "conv_transpose" : "conv";
        NO(f(&y, NULL, W, 1, NULL), AGN_ENULL, n, "x is NULL", NULL);
        NO(f(&y, X, NULL, 1, NULL), AGN_ENULL, n, "w is NULL", NULL);
        NO(f(NULL, X, W, 1, NULL), AGN_ENULL, n, "out is NULL", NULL);
        NO(f(&y, B, B, 1, NULL), AGN_EDTYPE, n, "bool", "[2,2,3]");
        NO(f(&y, X, W, 0, NULL), AGN_ESHAPE, n, "0 axes", "[1,2,5]");
        NO(f(&y, X, W, 2, NULL), AGN_ESHAPE, n, "2 axes", "[2,2,3]");
        NO(f(&y, X, V, 1, NULL), AGN_ESHAPE, n, "[1,2,5]", "[2,3]");
        NO(f(&y, X4, W4, 1, NULL), AGN_ESHAPE, n, "[2,1,2,5]", "[3,2,2,3]");
        NO(f(&y, X, W, 1, &(agn_conv_options){.size = 8}), AGN_EARG, n, "8 bytes",
           "agn_conv_options");
        NO(f(&y, X, W, 1, OPT(.stride = AT(0))), AGN_EARG, n, "stride is 0", "axis 0");
        NO(f(&y, X, W, 1, OPT(.dilation = AT(-1))), AGN_EARG, n, "dilation -1",
           "axis 0");
        NO(f(&y, X, W, 1, OPT(.stride = AT(INT64_MAX))), AGN_EARG, n, "stride",
           "axis 0");
        NO(f(&y, X, W, 1, OPT(.before = AT(INT64_MIN))), AGN_EARG, n, "zeros before",
           "axis 0");
        NO(f(&y, X, W, 1, OPT(.after = AT(INT64_MAX))), AGN_EARG, n, "after", "axis 0");
        NO(f(&y, X, W, 1, OPT(.extra = AT(-1))), AGN_EARG, n, "extra is -1", "axis 0");
        NO(f(&y, X, W, 1, OPT(.groups = -1)), AGN_EARG, n, "groups is -1", NULL);
        NO(f(&y, X, W, 1, OPT(.before = AT(k ? 9 : -5))), AGN_ESHAPE, n, "axis 0 of 1",
           "[1,2,5]");
    }
    NO(agn_conv(&y, X, Q, 1, NULL), AGN_ESHAPE, "conv", "[1,2,5]", "[2,3,3]");
    NO(agn_conv(&y, X, W, 1, OPT(.groups = 3)), AGN_ESHAPE, "conv", "groups are 3",
       "[2,2,3]");
    NO(agn_conv_transpose(&y, X, Q, 1, OPT(.groups = 3)), AGN_ESHAPE, "conv_transpose",
       "3 groups", "2");
    NO(agn_conv(&y, X, W, 1, OPT(.dilation = AT(3))), AGN_ESHAPE, "conv", "[1,2,5]",
       "[2,2,3]");
    /* the op itself, from bindings */
    const agn_tensor *in[2] = {X, W};
#define APPLY(args, ...)                                  \
    agn_op_apply(&y, 1, "conv", args, 2, AT(__VA_ARGS__), \
                 (int32_t)(sizeof(AT(__VA_ARGS__)) / 8), NULL, 0)
    NO(APPLY(in, 3, 1, 3, 1, 0, 1), AGN_EARG, "conv", "part 3", "2");
    NO(APPLY(in, 2, 1, -3, 1, 0, 1), AGN_ESHAPE, "conv", "size -3", "axis 0");
    NO(APPLY(in, 1, 1, 3, 1, 0, 1), AGN_ESHAPE, "conv", "[1,2,5]", "[2,2,3]");
    NO(APPLY(in, 2, 1), AGN_EARG, "conv", "0 axes", NULL);
    tell(&t, "%" PRId64 " bad calls: status, two facts, out untouched", t.checks);
    agn_release(X), agn_release(W), agn_release(Q), agn_release(V), agn_release(B);
    agn_release(X4), agn_release(W4);
}

typedef struct maker {
    const geometry *g;
    int part;
    const agn_tensor *in[2];
} maker;
static agn_status make(void *user, agn_tensor **out)
{
    const maker *m = user;
    return part_of(out, m->g, m->part, m->in);
}

static void test_memory(void)
{
    static const geometry g = {2,      2,      1,      3,      4,     {9, 9},
                               {3, 3}, {9, 9}, {1, 1}, {1, 1}, {1, 1}};
    static const char *const names[3] = {"conv: image", "conv: filter", "conv: result"};
    double complex *v[3];
    fill(&g, v);
    drop_imaginary(&g, v);
    for (int part = 0; part < 3; part++) {
        int one = part == IMAGE ? FILTER : IMAGE,
            other = part == RESULT ? FILTER : RESULT;
        agn_tensor *a = tensor_of(AGN_F64, &g, one, v[one]),
                   *b = tensor_of(AGN_F64, &g, other, v[other]);
        maker m = {&g, part, {a, b}};
        every_allocation(make, &m, names[part]);
        agn_release(a), agn_release(b);
    }
    let_go(v);
}

int main(void)
{
    test_answers();
    test_definition();
    test_lines();
    test_special();
    test_empty();
    test_threads();
    test_derivatives();
    test_errors();
    test_memory();
    return done();
}
