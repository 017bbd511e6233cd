/* tests/t-indexing.c - the grammar of indices against NumPy: 120000 random cases of reading,
   writing and adding, whose answers stand in data/indexing.bin as numbers of 32 bits made by
   data/make-indexing.py; every slice of short axes; the text form; laws of section C.

     t-indexing [N]   case N alone, in words */
#include "laws.h"

#undef I /* of <complex.h> */

/* ---- the cases, drawn as data/make-indexing.py draws them ------------------------------- */

static uint64_t state;

/* splitmix64 (Steele et al. 2014) */
static int64_t draw(int64_t n)
{
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (int64_t)((z ^ (z >> 31)) % (uint64_t)n);
}

enum { MOST = 8, MOST_VALUES = 64 };

typedef struct icase {
    int nd, n, how;
    int64_t shape[MOST];
    agn_ix ix[MOST];
    agn_tensor *owned[MOST];
    char text[400]; /* as index_str reads it; "?" where an array has no text */
} icase;

static void say(icase *c, const char *fmt, ...)
{
    va_list ap;
    size_t at = strlen(c->text);
    va_start(ap, fmt);
    vsnprintf(c->text + at, sizeof c->text - at, fmt, ap);
    va_end(ap);
}

static int64_t an_int(int64_t size, int odd)
{
    if (draw(odd) == 0)
        return draw(2 * size + 2) - size - 1;
    return size ? draw(2 * size) - size : 0;
}

static int a_part(int64_t *part, int n, const int64_t *full)
{
    int m = 0;
    for (int d = (int)draw(n + 1); d < n; d++) {
        part[m] = draw(3) == 0 ? 1 : full[d];
        part[m++] += draw(40) == 0;
    }
    return m;
}

static void add_array(icase *c, int dtype, int nd, const int64_t *shape, const double *v)
{
    agn_tensor *b = of_reals(dtype, nd, shape, v);
    c->owned[c->n] = laid_out(b, (int)(rnd_below(N_LAYOUTS)));
    agn_release(b);
    c->ix[c->n] = agn_ix_array(c->owned[c->n]);
    say(c, "?");
}

static void add_integers(icase *c, int64_t size, const int64_t *common)
{
    static const int dtypes[] = {AGN_I64, AGN_I32, AGN_I16};
    int64_t shape[MOST];
    double v[MOST_VALUES];
    int nd = a_part(shape, 2, common), count = (int)count_of(nd, shape);
    for (int i = 0; i < count; i++)
        v[i] = (double)an_int(size, 60);
    add_array(c, dtypes[draw(3)], nd, shape, v);
}

static void add_mask(icase *c, int nd, const int64_t *sizes, const int64_t *common)
{
    int64_t shape[2];
    double v[MOST_VALUES];
    for (int d = 0; d < nd; d++)
        shape[d] = sizes[d] + (draw(24) == 0);
    bool many = draw(2);
    for (int i = 0; i < count_of(nd, shape); i++)
        v[i] = many ? i < common[1] : draw(2) == 1;
    add_array(c, AGN_BOOL, nd, shape, v);
}

static void add_slice(icase *c, int64_t size)
{
    int64_t start = draw(3) ? draw(2 * size + 5) - size - 2 : AGN_BEGIN;
    int64_t stop = draw(3) ? draw(2 * size + 5) - size - 2 : AGN_END, step = 1;
    bool stepped = draw(3);
    if (stepped) {
        step = draw(9) - 4;
        step = step || draw(8) == 0 ? step : 1;
    }
    c->ix[c->n] = agn_ix_slice(start, stop, step);
    if (start != AGN_BEGIN)
        say(c, "%d", (int)start);
    say(c, ":");
    if (stop != AGN_END)
        say(c, " %d", (int)stop);
    if (stepped)
        say(c, ":%d", (int)step);
}

static void draw_case(icase *c, int64_t number)
{
    *c = (icase){0};
    state = (uint64_t)number * 0xD1342543DE82EF95u + 1;
    c->nd = (int)draw(5);
    for (int d = 0; d < c->nd; d++) {
        int64_t k = draw(12);
        c->shape[d] = k < 3 ? k > 0 : 2 + k % 4;
    }
    static const int64_t sizes[] = {1, 2, 2, 3, 3, 0};
    int64_t common[2];
    for (int d = 0; d < 2; d++)
        common[d] = sizes[draw(6)];
    int axis = 0;
    bool dots = false;
    for (int todo = (int)draw(c->nd + 3); todo > 0; todo--, c->n++) {
        int kind = (int)draw(16), left = c->nd - axis;
        say(c, c->n ? ", " : "");
        if (kind == 7 && (!dots || draw(8) == 0)) {
            c->ix[c->n] = agn_ix_ellipsis();
            say(c, "...");
            axis = left > 0 ? c->nd - (int)draw(left + 1) : axis;
            dots = true;
        } else if (kind == 8 || kind == 9 || (left <= 0 && draw(12))) {
            c->ix[c->n] = agn_ix_new();
            say(c, "None");
        } else if (kind == 15) {
            bool v = draw(4) != 0;
            c->owned[c->n] = scalar_of(AGN_BOOL, v);
            c->ix[c->n] = agn_ix_array(c->owned[c->n]);
            say(c, v ? "True" : "False");
        } else {
            int64_t size = left > 0 ? c->shape[axis] : 3;
            int taken = 1;
            if (kind < 3) {
                c->ix[c->n] = agn_ix_int(an_int(size, 12));
                say(c, "%d", (int)c->ix[c->n].start);
            } else if (kind < 8) {
                add_slice(c, size);
            } else if (kind < 13) {
                add_integers(c, size, common);
            } else {
                taken = left > 1 ? 1 + (int)draw(2) : 1;
                add_mask(c, taken, left > 0 ? c->shape + axis : &size, common);
            }
            axis += taken;
        }
    }
    c->how = (int)draw(3);
}

static agn_tensor *draw_values(int dtype, const agn_tensor *like)
{
    int64_t shape[2 * MOST];
    int nd = a_part(shape, agn_ndim(like), agn_shape(like)), more = 0;
    if (draw(20) == 0)
        more = agn_ndim(like) + 1 - nd;
    memmove(shape + more, shape, (size_t)nd * sizeof *shape);
    for (int d = 0; d < more; d++)
        shape[d] = 1;
    int64_t n = count_of(nd + more, shape);
    double *v = room_for((size_t)(n + 1) * sizeof *v);
    for (int64_t i = 0; i < n; i++)
        v[i] = -1 - (double)i;
    agn_tensor *x = of_reals(dtype, nd + more, shape, v);
    free(v);
    return x;
}

static agn_tensor *counted(int dtype, int nd, const int64_t *shape)
{
    agn_tensor *flat = NULL, *x = NULL;
    must(agn_arange(&flat, dtype, 0, (double)count_of(nd, shape), 1));
    must(agn_reshape(&x, flat, nd, shape));
    agn_release(flat);
    return x;
}

/* the call of case c on x by entries or by text; *st tells of its failure */
static agn_tensor *answer(const icase *c, bool text, int dtype, const agn_tensor *x,
                          agn_status *st)
{
    agn_tensor *y = NULL, *z = NULL;
    *st = text ? agn_index_str(&y, x, c->text) : agn_index(&y, x, c->ix, c->n);
    if (*st || c->how == 0)
        return y;
    uint64_t kept = state;
    agn_tensor *v = draw_values(dtype, y);
    state = kept;
    if (c->how == 1)
        *st = text ? agn_index_put_str(&z, x, c->text, v)
                   : agn_index_put(&z, x, c->ix, c->n, v);
    else
        *st = text ? agn_index_add_str(&z, x, c->text, v)
                   : agn_index_add(&z, x, c->ix, c->n, v);
    agn_release(y), agn_release(v);
    return z;
}

static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* 32 bits of shape and elements; 0 for an error */
static uint32_t digest(const agn_tensor *y)
{
    uint64_t h = 0, place = 0;
    if (!y)
        return 0;
#define WORD(w) h += mix((uint64_t)(int64_t)(w) + 0x9E3779B97F4A7C15u * ++place)
    WORD(agn_ndim(y));
    for (int d = 0; d < agn_ndim(y); d++)
        WORD(agn_shape(y)[d]);
    for (int64_t i = 0; i < agn_numel(y); i++)
        WORD(peek(y, i));
#undef WORD
    return h >> 32 ? (uint32_t)(h >> 32) : 1;
}

static void drop(icase *c)
{
    for (int k = 0; k < c->n; k++)
        agn_release(c->owned[k]);
}

static int64_t by_how[3], failures, texts;

static void run_case(tally *t, int64_t number, uint32_t want)
{
    static const int dtypes[] = {AGN_I64, AGN_F64, AGN_I32, AGN_F32, AGN_I16, AGN_C128};
    static const char *const hows[] = {"read", "put", "add"};
    icase c;
    draw_case(&c, number);
    int dtype = dtypes[number % COUNT(dtypes)];
    agn_tensor *b = counted(dtype, c.nd, c.shape), *x = laid_out(b, (int)rnd_below(N_LAYOUTS));
    agn_status st, st2 = AGN_OK;
    agn_tensor *y = answer(&c, false, dtype, x, &st), *z = NULL;
    uint32_t have = digest(y);
    check(t, have == want, "case %" PRId64 ", %s of x%s[%s]: %s, digest %x, NumPy's %x", number,
          hows[c.how], SHAPE_TEXT(x), c.text, st ? agn_error_message() : SHAPE_TEXT(y), have, want);
    by_how[c.how]++;
    failures += want == 0;
    if (!strchr(c.text, '?')) {
        z = answer(&c, true, dtype, x, &st2);
        check(t, digest(z) == want && st2 == st, "case %" PRId64 " by text: %s", number, c.text);
        texts++;
    }
    agn_release(b), agn_release(x), agn_release(y), agn_release(z);
    drop(&c);
}

static const char *data_file(char *room, size_t n)
{
    const char *dir = getenv("srcdir");
    snprintf(room, n, "%s/tests/data/indexing.bin", dir ? dir : "..");
    return room;
}

static void test_numpy(int64_t only)
{
    tally t = {0};
    char name[4096];
    FILE *f = fopen(data_file(name, sizeof name), "rb");
    unsigned char b[4];
    int64_t count = 0, skipped = 0;
    if (!f)
        bail_out("%s cannot be read", name);
    for (int64_t k = -1; k < count || k < 0; k++) {
        if (fread(b, 1, 4, f) != 4) {
            skipped = count - k;
            break;
        }
        uint32_t v = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
        if (k < 0)
            count = v;
        else if (only >= 0 ? k == only : tap_scale(100) == 100 || k % 10 == 0)
            run_case(&t, k, v);
    }
    fclose(f);
    diag("%" PRId64 " cases: %" PRId64 " reads, %" PRId64 " writes, %" PRId64 " additions; %" PRId64
         " errors; %" PRId64 " also by text; skipped %" PRId64,
         by_how[0] + by_how[1] + by_how[2], by_how[0], by_how[1], by_how[2], failures, texts,
         skipped);
    ok(count >= 100000 && skipped == 0, "no answer is missing");
    tell(&t, "random indices as NumPy reads, writes and adds (C4, C5, C6, C12)");
}

/* ---- laws of section C --------------------------------------------------------------------- */

#define LONGS(...)    \
    (const int64_t[]) \
    {                 \
        __VA_ARGS__   \
    }
#define ALL agn_ix_all()
#define INT(i) agn_ix_int(i)
#define SLICE(a, b, c) agn_ix_slice(a, b, c)
#define ARRAY(t) agn_ix_array(t)
#define DOTS agn_ix_ellipsis()
#define NEW agn_ix_new()

/* every slice of a short axis, written: the loop is Python's definition */
static void test_slices_written(void)
{
    tally t = {0};
    for (int64_t n = 0; n <= 6; n++) {
        agn_tensor *x = counted(AGN_I32, 1, &n), *read = NULL, *y = NULL, *v = scalar_of(AGN_I32, -1);
        for (int64_t a = -8; a <= 7; a++)
            for (int64_t b = -8; b <= 7; b++)
                for (int64_t step = -7; step <= 7; step++) {
                    if (step == 0)
                        continue;
                    bool in[6] = {false};
                    int64_t i = a == -8 ? (step > 0 ? 0 : n - 1) : a < 0 ? a + n : a, count = 0;
                    int64_t stop = b == -8 ? (step > 0 ? n : -1) : b < 0 ? b + n : b;
                    if (b != -8 && stop < 0)
                        stop = -1;
                    i = step > 0 ? (i < 0 ? 0 : i) : (i >= n ? n - 1 : i);
                    for (; step > 0 ? i < stop && i < n : i > stop && i >= 0; i += step)
                        in[i] = true, count++;
                    agn_ix ix = SLICE(a == -8 ? AGN_BEGIN : a, b == -8 ? AGN_END : b, step);
                    must(agn_index(&read, x, &ix, 1));
                    must(agn_index_put(&y, x, &ix, 1, v));
                    bool good = agn_numel(read) == count && agn_numel(y) == n;
                    for (i = 0; good && i < n; i++)
                        good = peek(y, i) == (in[i] ? -1 : (double)i);
                    check(&t, good, "%d elements, [%d:%d:%d] = -1", (int)n, (int)a, (int)b,
                          (int)step);
                    agn_release(read), agn_release(y);
                }
        agn_release(x), agn_release(v);
    }
    tell(&t, "index_put: every start, stop and step from -7 to 7 on 0 to 6 elements (C4, C6)");
}

static bool has(const agn_tensor *y, int nd, const int64_t *shape, const double *v)
{
    bool good = has_shape(y, nd, shape);
    for (int64_t i = 0; good && i < agn_numel(y); i++)
        good = peek(y, i) == v[i];
    return good;
}
#define HAS(y, nd, shape, ...) has(y, nd, shape, (const double[]){__VA_ARGS__, 0})

static void test_masks(void)
{
    agn_tensor *x = counted(AGN_F64, 2, LONGS(2, 3)), *y = NULL, *z = NULL;
    agn_tensor *none = of_reals(AGN_BOOL, 2, LONGS(2, 3), (double[6]){0});
    agn_tensor *some = of_reals(AGN_BOOL, 2, LONGS(2, 3), (double[6]){0, 1, 0, 0, 1, 1});
    agn_tensor *row = of_reals(AGN_BOOL, 1, LONGS(2), (double[]){0, 1});
    agn_tensor *yes = scalar_of(AGN_BOOL, 1), *no = scalar_of(AGN_BOOL, 0), *v = scalar_of(AGN_F64, 9);
    must(agn_index(&y, x, AGN_IX(ARRAY(none))));
    must(agn_index_put(&z, x, AGN_IX(ARRAY(none)), v));
    ok(has_shape(y, 1, LONGS(0)) && same_values(z, x), "a mask without a true element (C1)");
    agn_release(y), agn_release(z);
    must(agn_index(&y, x, AGN_IX(ARRAY(row))));
    ok(HAS(y, 2, LONGS(1, 3), 3, 4, 5), "a mask of one axis");
    agn_release(y);
    must(agn_index(&y, x, AGN_IX(ARRAY(yes))));
    must(agn_index(&z, x, AGN_IX(ARRAY(no))));
    ok(has_shape(y, 3, LONGS(1, 2, 3)) && has_shape(z, 3, LONGS(0, 2, 3)),
       "x[true] has a new axis of 1, x[false] of 0 (C2)");
    agn_release(y), agn_release(z);
    tally t = {0};
    for (int dtype = 0; dtype < AGN_NDTYPES; dtype++) {
        agn_tensor *a = random_of(dtype, 2, LONGS(2, 3), 0, 3), *one = scalar_of(dtype, 1);
        must(agn_index_put(&y, a, AGN_IX(ARRAY(some)), one));
        must(agn_index_add(&z, a, AGN_IX(ARRAY(some)), one));
        bool good = agn_dtype_of(y) == dtype && agn_dtype_of(z) == dtype;
        for (int64_t i = 0; good && i < 6; i++) {
            bool in = peek(some, i) != 0;
            double complex was = peekz(a, i), sum = dtype == AGN_BOOL ? 1 : was + 1;
            good = peekz(y, i) == (in ? 1 : was) && cabs(peekz(z, i) - (in ? sum : was)) < 0.02;
        }
        check(&t, good, "%s", agn_dtype_name(dtype));
        agn_release(a), agn_release(one), agn_release(y), agn_release(z);
    }
    tell(&t, "writing and adding under a mask in every dtype (C9)");
    agn_release(x), agn_release(none), agn_release(some), agn_release(row);
    agn_release(yes), agn_release(no), agn_release(v);
}

static void test_views(void)
{
    agn_tensor *x = counted(AGN_F64, 3, LONGS(3, 4, 5)), *y = NULL, *w = NULL, *u = NULL;
    agn_tensor *mask = of_reals(AGN_BOOL, 1, LONGS(3), (double[]){1, 0, 1});
    void *p = NULL;
    must(agn_index(&y, x, AGN_IX(INT(1), SLICE(AGN_BEGIN, AGN_END, -2), NEW, SLICE(1, 3, 1))));
    must(agn_data_mut(&p, y));
    *(double *)p = 42; /* element [0, 0, 0]: x[1, 3, 1] */
    ok(has_shape(y, 3, LONGS(2, 1, 2)) && peek(x, 20 + 15 + 1) == 42,
       "a write through a basic index shows in x (A12)");
    agn_release(y);
    must(agn_watch(&w, x));
    must(agn_index(&y, w, AGN_IX(INT(0))));
    ok(agn_data_mut(&p, y) == AGN_EARG && strstr(agn_error_message(), "recorded"),
       "through an index of a recorded x it is refused (A12)");
    agn_release(y);
    must(agn_index(&y, x, AGN_IX(ARRAY(mask), ALL, SLICE(2, 4, 1))));
    bool good = has_shape(y, 3, LONGS(2, 4, 2));
    for (int64_t i = 0; good && i < 16; i++)
        good = peek(y, i) == peek(x, i / 8 * 40 + i / 2 % 4 * 5 + 2 + i % 2);
    ok(good, "x[mask, :, 2:4] (A12)");
    must(agn_data_mut(&p, y));
    *(double *)p = -1;
    ok(peek(x, 2) != -1, "what an array picks is a copy");
    agn_release(y);
    must(agn_index(&y, x, AGN_IX(SLICE(3, 3, 1))));
    must(agn_reshape(&u, y, 1, LONGS(-1)));
    ok(has_shape(y, 3, LONGS(0, 4, 5)) && has_shape(u, 1, LONGS(0)), "x[3:3] is empty (A9)");
    agn_release(y), agn_release(u);
    must(agn_index(&y, x, NULL, 0));
    ok(same_values(y, x), "x[()] is x");
    agn_release(x), agn_release(y), agn_release(w), agn_release(mask);
}

/* z = x * 1 with z[1:3] = v, then z[0] = v[0] */
static agn_status put_twice(void *user, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    (void)user;
    const agn_tensor *z = ag_index_put(s, ag_mul_c(s, in[0], 1), AGN_IX(SLICE(1, 3, 1)), in[1]);
    z = ag_index_put(s, z, AGN_IX(INT(0)), ag_index_axis(s, in[1], 0, 0));
    out[0] = ag_sum_all(s, ag_mul(s, z, ag_arange(s, AGN_F64, 1, 5, 1)));
    return agn_scope_status(s);
}

static void test_gradients(void)
{
    agn_tensor *x = counted(AGN_F64, 1, LONGS(4)), *v = counted(AGN_F64, 1, LONGS(2)), *g[2];
    agn_fn *f = NULL, *d = NULL;
    must(agn_fn_new(&f, put_twice, NULL, NULL, 2, 1));
    must(agn_fn_grad(&d, f, (const int32_t[]){0, 1}, 2));
    must(agn_fn_call(g, 2, d, AGN_ARGS(x, v)));
    ok(HAS(g[0], 1, LONGS(4), 0, 0, 0, 4) && HAS(g[1], 1, LONGS(2), 3, 3),
       "gradients of two writes, to x and to v (C7, C13)");
    agn_release(g[0]), agn_release(g[1]);
    agn_tensor *w = NULL, *one = NULL;
    void *p = NULL;
    must(agn_watch(&w, x));
    must(agn_mul_c(&one, w, 1));
    ok(agn_data_mut(&p, one) == AGN_EARG, "a plain write into a recorded value is refused (C7)");
    agn_release(x), agn_release(v), agn_release(w), agn_release(one);
    agn_fn_release(f), agn_fn_release(d);
}

/* ---- errors ------------------------------------------------------------------------------------ */

static agn_status masked(void *user, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    (void)user;
    out[0] = ag_index(s, in[0], AGN_IX(ARRAY(ag_gt(s, in[0], ag_lit(s, 1)))));
    return agn_scope_status(s);
}

static void test_errors(void)
{
    tally t = {0};
    agn_tensor *x = counted(AGN_F64, 2, LONGS(3, 4)), *y = untouched, *f = scalar_of(AGN_F64, 1);
    agn_tensor *far = of_reals(AGN_I64, 1, LONGS(2), (double[]){1, 4});
    agn_tensor *low = of_reals(AGN_I32, 1, LONGS(3), (double[]){0, -4, 1});
    agn_tensor *mask = of_reals(AGN_BOOL, 1, LONGS(4), (double[]){1, 0, 0, 1});
    agn_tensor *pair = of_reals(AGN_I64, 1, LONGS(2), (double[]){0, 1}), *big = NULL;
    agn_tensor *edge = NULL;
    must(agn_full_i64(&edge, AGN_I64, 0, NULL, INT64_MIN));
#define NO(call, want, op, a, b) check(&t, refused(call, want, op, a, b, y), "%s", #call)
#define READ(want, a, b, ...) NO(agn_index(&y, x, AGN_IX(__VA_ARGS__)), want, "index", a, b)
    READ(AGN_EINDEX, "index 3", "axis 0 of size 3", INT(3));
    READ(AGN_EINDEX, "index -5", "axis 1 of size 4", ALL, INT(-5));
    READ(AGN_EINDEX, "index 9223372036854775807", "axis 1 of size 4", DOTS, INT(INT64_MAX));
    READ(AGN_EINDEX, "index 4 at place 1", "axis 0 of size 3", ARRAY(far));
    READ(AGN_EINDEX, "index -4 at place 1", "axis 0 of size 3", ARRAY(low), INT(0));
    READ(AGN_EINDEX, "-9223372036854775808", "axis 1 of size 4", INT(0), ARRAY(edge));
    READ(AGN_EINDEX, "too many indices: 3", "2 axes of [3,4]", INT(0), INT(0), ALL);
    READ(AGN_EARG, "entry 2 is a second ellipsis", "[3,4]", DOTS, INT(0), DOTS);
    READ(AGN_EARG, "step of entry 1 is 0", "[3,4]", ALL, SLICE(0, 1, 0));
    READ(AGN_EARG, "entry 0 has kind 7", NULL, {.kind = 7});
    READ(AGN_EDTYPE, "entry 0 is f64", "integers or bools", ARRAY(f));
    READ(AGN_ENULL, "entry 1 of 2", "NULL", ALL, ARRAY(NULL));
    READ(AGN_ESHAPE, "mask [4] has size 4", "axis 0 of [3,4] has 3", ARRAY(mask));
    READ(AGN_ESHAPE, "[2]", "[3]", ARRAY(pair), ARRAY(low));
    agn_ix many[65];
    for (int i = 0; i < 65; i++)
        many[i] = NEW;
    NO(agn_index(&y, x, many, 65), AGN_EARG, "index", "65 entries", "64");
    NO(agn_index(&y, x, many, -1), AGN_EARG, "index", "-1 entries", NULL);
    NO(agn_index(&y, x, many, 31), AGN_ESHAPE, "index", "2 axes and 31 new ones", "32");
    NO(agn_index(&y, NULL, many, 1), AGN_ENULL, "index", "x is NULL", NULL);
    NO(agn_index(&y, x, NULL, 1), AGN_ENULL, "index", "ix is NULL", NULL);
    check(&t, agn_index(NULL, x, many, 1) == AGN_ENULL, "index to NULL");
    must(agn_full(&big, AGN_I64, 32, (int64_t[32]){1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                                   1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 0));
    READ(AGN_ESHAPE, "rank 33", "32", ARRAY(big));
    NO(agn_index_put(&y, x, AGN_IX(INT(0)), low), AGN_ESHAPE, "index_put", "[3]", "[4]");
    agn_tensor *z = NULL;
    must(agn_cast(&z, f, AGN_C128));
    NO(agn_index_put(&y, x, AGN_IX(INT(0)), z), AGN_EDTYPE, "index_put", "c128",
       agn_dtype_name(agn_dtype_of(x)));
    NO(agn_index_add(&y, x, AGN_IX(ARRAY(pair)), z), AGN_EDTYPE, "index_add", "c128",
       agn_dtype_name(agn_dtype_of(x)));
    agn_release(z);
    NO(agn_index_put(&y, x, AGN_IX(INT(3)), f), AGN_EINDEX, "index_put", "index 3", "size 3");
    NO(agn_index_put(&y, x, AGN_IX(INT(0)), NULL), AGN_ENULL, "index_put", "v is NULL", NULL);
    NO(agn_index_add(&y, x, AGN_IX(ARRAY(far)), f), AGN_EINDEX, "index_add", "index 4", "size 3");
    NO(agn_index_add(&y, x, AGN_IX(ARRAY(pair)), low), AGN_ESHAPE, "index_add", "[3]", "[2,4]");
    tell(&t, "index: each error names axis, index and size (C11, C14)");
    t = (tally){0};
    static const struct {
        const char *text, *fact;
        agn_status st;
    } bad[] = {{"1, x", "place 3", AGN_EFORMAT},
               {"1 2", "',' is missing at place 2", AGN_EFORMAT},
               {",", "place 0", AGN_EFORMAT},
               {"-", "a digit is missing at place 1", AGN_EFORMAT},
               {"1:-:2", "place 3", AGN_EFORMAT},
               {"1:2:3:4", "place 5", AGN_EFORMAT},
               {"[1, 2", "place 5", AGN_EFORMAT},
               {"[1 2]", "place 3", AGN_EFORMAT},
               {"[,]", "an integer is missing at place 1", AGN_EFORMAT},
               {"9223372036854775808", "63 bits", AGN_EFORMAT},
               {"..", "place 0", AGN_EFORMAT},
               {"0, 4", "axis 1 of size 4", AGN_EINDEX},
               {"9223372036854775807", "index 9223372036854775807 is", AGN_EINDEX},
               {"[9223372036854775807]", "index 9223372036854775807 at place 0", AGN_EINDEX},
               {"::0", "step of entry 0 is 0", AGN_EARG},
               {"..., ...", "second ellipsis", AGN_EARG},
               {"[0, 3]", "index 3 at place 1", AGN_EINDEX}};
    for (int k = 0; k < COUNT(bad); k++) {
        NO(agn_index_str(&y, x, bad[k].text), bad[k].st, "index_str", bad[k].fact, NULL);
        NO(agn_index_put_str(&y, x, bad[k].text, f), bad[k].st, "index_put_str", bad[k].fact, NULL);
        NO(agn_index_add_str(&y, x, bad[k].text, f), bad[k].st, "index_add_str", bad[k].fact, NULL);
    }
    NO(agn_index_str(&y, x, NULL), AGN_ENULL, "index_str", "text is NULL", NULL);
    NO(agn_index_put_str(&y, NULL, "0", f), AGN_ENULL, "index_put_str", "x is NULL", NULL);
    NO(agn_index_add_str(&y, x, "0", NULL), AGN_ENULL, "index_add_str", "v is NULL", NULL);
    tell(&t, "index_str: each fault of the text is told with its place");
    agn_fn *g = NULL, *p = NULL;
    must(agn_fn_new(&g, masked, NULL, NULL, 1, 1));
    must(agn_fn_compile(&p, g, NULL));
    agn_status st = agn_fn_call(&y, 1, p, AGN_ARGS(x));
    ok(st == AGN_ESYMBOLIC && strstr(agn_error_message(), "mask"), "a mask while tracing: %s",
       agn_error_message());
    agn_fn_release(g), agn_fn_release(p);
    agn_release(x), agn_release(f), agn_release(far), agn_release(low), agn_release(mask);
    agn_release(pair), agn_release(big), agn_release(edge);
}

/* spaces, signs and closing commas */
static void test_text(void)
{
    static const struct {
        const char *text;
        int nd;
        int64_t shape[4];
        double first;
    } good[] = {{"", 3, {3, 4, 5}, 0},
                {"  ", 3, {3, 4, 5}, 0},
                {"1:-1, ..., ::2", 3, {1, 4, 3}, 20},
                {"-1", 2, {4, 5}, 40},
                {" + 1 ,", -1, {0}, 0},
                {"+1,", 2, {4, 5}, 20},
                {"newaxis, 0 , : , None", 4, {1, 4, 1, 5}, 0},
                {"...,[2, 0,]", 3, {3, 4, 2}, 2},
                {"[]", 3, {0, 4, 5}, 0},
                {"1:9223372036854775807", 3, {2, 4, 5}, 20},
                {"9223372036854775807:", 3, {0, 4, 5}, 0},
                {"9223372036854775807::-2", 3, {2, 4, 5}, 40},
                {":9223372036854775807:-1", 3, {0, 4, 5}, 0},
                {"-9223372036854775807:1:9223372036854775807", 3, {1, 4, 5}, 0},
                {"Ellipsis, -1 : : -2", 3, {3, 4, 3}, 4},
                {"True, 0", 3, {1, 4, 5}, 0}};
    tally t = {0};
    agn_tensor *x = counted(AGN_I64, 3, LONGS(3, 4, 5));
    for (int k = 0; k < COUNT(good); k++) {
        agn_tensor *y = NULL;
        agn_status st = agn_index_str(&y, x, good[k].text);
        if (good[k].nd < 0)
            check(&t, st == AGN_EFORMAT, "\"%s\" is refused", good[k].text);
        else
            check(&t, !st && has_shape(y, good[k].nd, good[k].shape) &&
                          (!agn_numel(y) || peek(y, 0) == good[k].first),
                  "\"%s\": %s", good[k].text, st ? agn_error_message() : SHAPE_TEXT(y));
        agn_release(y);
    }
    agn_release(x);
    tell(&t, "index_str: the grammar of its text");
}

int main(int argc, char **argv)
{
    test_numpy(argc > 1 ? atoll(argv[1]) : -1);
    if (argc > 1)
        return done();
    test_slices_written();
    test_masks();
    test_views();
    test_gradients();
    test_text();
    test_errors();
    return done();
}
