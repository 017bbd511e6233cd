/* tests/t-contract.c - products of vectors and tensors, sliding sums, orders of
   Einstein sums: whole numbers as NumPy and SciPy have them, derivatives, errors,
   memory. */
#include "tests/modes.h"

#undef I /* of <complex.h> */

/* ---- another library's answers (tests/data/make-contract.py) --------------------- */

typedef struct answer {
    const char *name;
    int na;
    int64_t a[4];
    int nb;
    int64_t b[4];
    int32_t p[8];
    int ny;
    int64_t y[8];
    const double *real, *pairs;
} answer;
static const answer answers[] = {
#include "tests/data/contract.inc"
};

typedef agn_status binary(agn_tensor **o, const agn_tensor *a, const agn_tensor *b,
                          const int32_t *p);
#define CALL(name, ...)                                               \
    static agn_status c_##name(agn_tensor **o, const agn_tensor *a,   \
                               const agn_tensor *b, const int32_t *p) \
    {                                                                 \
        (void)p;                                                      \
        return agn_##name(__VA_ARGS__);                               \
    }
CALL(mv, o, a, b)
CALL(dot, o, a, b)
CALL(inner, o, a, b)
CALL(outer, o, a, b)
CALL(kron, o, a, b)
CALL(vecdot, o, a, b, p[0])
CALL(cross, o, a, b, p[0])
CALL(tensordot, o, a, b, p + 1, p + 1 + p[0], p[0])
CALL(convolve, o, a, b, p[0], p[1])
CALL(correlate, o, a, b, p[0], p[1])
static const struct {
    const char *name;
    binary *f;
} calls[] = {{"mv", c_mv},
             {"dot", c_dot},
             {"inner", c_inner},
             {"outer", c_outer},
             {"kron", c_kron},
             {"vecdot", c_vecdot},
             {"cross", c_cross},
             {"tensordot", c_tensordot},
             {"convolve", c_convolve},
             {"correlate", c_correlate}};
static binary *call_of(const char *name)
{
    for (int k = 0; k < COUNT(calls); k++)
        if (!strcmp(calls[k].name, name))
            return calls[k].f;
    bail_out("no function %s", name);
    return NULL;
}

/* the arguments of make-contract.py */
static agn_tensor *argument(int dtype, int n, const int64_t *shape, bool second)
{
    int64_t size = count_of(n, shape);
    size_t bytes = agn_dtype_size(dtype);
    char *v = room_for((size_t)size * bytes);
    for (int64_t i = 0; i < size; i++) {
        int64_t re = second ? (5 * i + 2) % 9 - 4 : (7 * i + 3) % 11 - 5;
        int64_t im = second ? (4 * i + 5) % 5 - 2 : (3 * i + 1) % 7 - 3;
        poke(v + (size_t)i * bytes, dtype, (double)re, (double)im);
    }
    agn_tensor *x = NULL;
    must(agn_from_host(&x, dtype, n, shape, v));
    free(v);
    return x;
}

static bool is_answer(const agn_tensor *y, const answer *q)
{
    int dtype = agn_dtype_of(y);
    double slack = dtype == AGN_BF16 ? 0x1p-8 : dtype == AGN_F16 ? 0x1p-11 : 0;
    if (!has_shape(y, q->ny, q->y))
        return false;
    for (int64_t i = 0; i < agn_numel(y); i++) {
        double complex want = kind_of(dtype) == KIND_COMPLEX
                                  ? z_of(q->pairs[2 * i], q->pairs[2 * i + 1])
                                  : z_of(q->real[i], 0);
        if (cabs(peekz(y, i) - want) > slack * cabs(want))
            return false;
    }
    return true;
}

static void test_values(void)
{
    static const int dtypes[] = {AGN_F64, AGN_F32, AGN_C128, AGN_C64, AGN_I64,
                                 AGN_I32, AGN_I16, AGN_F16,  AGN_BF16};
    tally t = {0, 0};
    for (int k = 0; k < COUNT(answers); k++) {
        const answer *q = &answers[k];
        binary *f = call_of(q->name);
        for (int d = 0; d < COUNT(dtypes); d++)
            for (int l = 0; l < (d < 3 ? N_LAYOUTS : 1); l++) {
                agn_tensor *a = argument(dtypes[d], q->na, q->a, false), *y = NULL,
                           *b = argument(dtypes[d], q->nb, q->b, true);
                agn_tensor *u = laid_out(a, l), *v = laid_out(b, N_LAYOUTS - 1 - l);
                agn_status st = f(&y, u, v, q->p);
                check(&t, !st && is_answer(y, q) && agn_dtype_of(y) == dtypes[d],
                      "%s of %s %s and %s, p %d %d: %s", q->name,
                      agn_dtype_name(dtypes[d]), SHAPE_TEXT(a), SHAPE_TEXT(b), q->p[0],
                      q->p[1], st ? agn_error_message() : SHAPE_TEXT(y));
                agn_release(a), agn_release(b), agn_release(u), agn_release(v);
                if (!st)
                    agn_release(y);
            }
    }
    tell(&t, "%d products as NumPy and SciPy have them, 9 dtypes, all layouts",
         COUNT(answers));
}

static void test_more(void)
{
    agn_tensor *a = random_of(AGN_F64, 3, (int64_t[]){2, 3, 4}, -1, 1), *y, *z, *u, *w,
               *b = random_of(AGN_F64, 2, (int64_t[]){4, 5}, -1, 1),
               *c = random_of(AGN_F64, 2, (int64_t[]){3, 1}, -1, 1);
    must(agn_matmul(&z, a, b));
    must(agn_mul_c(&u, z, 0.5));
    must(agn_mul_c(&w, c, -2));
    agn_release(z);
    must(agn_add(&z, w, u));
    must(agn_addmm(&y, c, a, b, -2, 0.5));
    ok(modes_apart(y, z) < 1e-15, "addmm");
    agn_release(y), agn_release(z), agn_release(u), agn_release(w);
    double bad[3] = {NAN, INFINITY, 1};
    agn_tensor *nan = of_reals(AGN_F64, 2, (int64_t[]){3, 1}, bad);
    must(agn_addmm(&y, nan, a, b, 0, 1));
    must(agn_matmul(&z, a, b));
    ok(same_values(y, z), "addmm with beta 0 does not look at c");
    agn_release(y), agn_release(z), agn_release(nan);
    /* chains: any order gives the same product */
    tally t = {0, 0};
    for (int n = 2; n < 9; n++)
        for (int ends = 0; ends < 4; ends++) {
            agn_tensor *x[8], *left, *next;
            int64_t size[9];
            for (int i = 0; i <= n; i++)
                size[i] = 1 + rnd_below(6);
            for (int i = 0; i < n; i++) {
                bool row = i == 0 && ends & 1, col = i == n - 1 && ends & 2;
                int64_t shape[3] = {2, size[i], size[i + 1]};
                bool batch = i == 1 && n > 2;
                x[i] = random_of(AGN_F64,
                                 row || col ? 1
                                 : batch    ? 3
                                            : 2,
                                 row     ? &size[1]
                                 : col   ? &size[n - 1]
                                 : batch ? shape
                                         : shape + 1,
                                 -1, 1);
            }
            left = agn_retain(x[0]);
            if (ends & 1) {
                agn_release(left);
                must(agn_expand_dims(&left, x[0], 0));
            }
            for (int i = 1; i < n; i++) {
                agn_tensor *m = agn_retain(x[i]);
                if (i == n - 1 && ends & 2) {
                    agn_release(m);
                    must(agn_expand_dims(&m, x[i], 1));
                }
                must(agn_matmul(&next, left, m));
                agn_release(left), agn_release(m);
                left = next;
            }
            if (ends & 1) {
                must(agn_squeeze(&next, left, -2));
                agn_release(left);
                left = next;
            }
            if (ends & 2) {
                must(agn_squeeze(&next, left, -1));
                agn_release(left);
                left = next;
            }
            must(agn_multi_dot(&y, (const agn_tensor *const *)x, n));
            check(&t, modes_apart(y, left) < 1e-13, "%d factors, ends %d: %s, not %s",
                  n, ends, SHAPE_TEXT(y), SHAPE_TEXT(left));
            agn_release(y), agn_release(left);
            for (int i = 0; i < n; i++)
                agn_release(x[i]);
        }
    tell(&t, "multi_dot: 2 to 8 factors, vectors at the ends, a batch within");
    agn_release(a), agn_release(b), agn_release(c);
    /* large enough for threads and whole blocks: the same bits for any number of them
       */
    a = random_of(AGN_F64, 2, (int64_t[]){64, 700}, -1, 1);
    b = random_of(AGN_F64, 1, (int64_t[]){33}, -1, 1);
    must(agn_threads_set(1));
    must(agn_convolve(&y, a, b, 1, AGN_FULL));
    must(agn_threads_set(3));
    must(agn_convolve(&z, a, b, 1, AGN_FULL));
    double worst = 0;
    for (int64_t r = 0; r < 64; r++)
        for (int64_t k = 0; k < 732; k++) {
            long double sum = 0;
            for (int64_t j = 0; j < 33; j++)
                if (k - j >= 0 && k - j < 700)
                    sum += (long double)peek(a, r * 700 + k - j) *
                           (long double)peek(b, j);
            worst = fmax(worst, fabs(peek(y, r * 732 + k) - (double)sum));
        }
    ok(same_values(y, z) && worst < 33 * 0x1p-52,
       "convolve of long rows: off by %.1e, bits "
       "the same for 1 and 3 threads",
       worst);
    agn_release(a), agn_release(b), agn_release(y), agn_release(z);
}

/* ---- orders of Einstein sums ----------------------------------------------------- */

static void test_path(void)
{
    tally t = {0, 0};
    int32_t path[30];
    double cost[2];
    /* a chain where the left-to-right order is the worst */
    agn_tensor *x[16];
    static const int64_t chain[4] = {100, 2, 100, 1};
    for (int i = 0; i < 3; i++)
        x[i] = random_of(AGN_F64, 2, chain + i, -1, 1);
    const agn_tensor *const *xs = (const agn_tensor *const *)x;
    must(agn_einsum_path(path, cost, "ij,jk,kl->il", xs, 3));
    check(&t, path[0] == 1 && path[1] == 2 && path[2] == 0 && path[3] == 1,
          "%d %d, %d %d", path[0], path[1], path[2], path[3]);
    check(&t, cost[0] == 400 && cost[1] == 30000, "costs %g and %g", cost[0], cost[1]);
    must(agn_einsum_path(path, NULL, "ij,jk->ik", xs, 2));
    check(&t, path[0] == 0 && path[1] == 1, "two operands");
    must(agn_einsum_path(path, cost, "ij->", xs, 1));
    check(&t, cost[0] == 0 && cost[1] == 0, "one operand costs nothing");
    for (int i = 0; i < 3; i++)
        agn_release(x[i]);
    /* random networks: every order gives what plain nested sums give, none costs less
       than the best of few, and the path is one */
    for (int trial = 0; trial < tap_scale(200); trial++) {
        int n = 3 + (int)rnd_below(trial % 10 ? 4 : 9), nl = 4 + (int)rnd_below(4);
        int64_t size[8];
        char spec[200], *s = spec;
        bool used[8] = {false};
        for (int k = 0; k < nl; k++)
            size[k] = 1 + rnd_below(3);
        for (int i = 0; i < n; i++) {
            int64_t shape[4];
            int nd = (int)rnd_below(4), m = 0;
            bool mine[8] = {false};
            for (int k = 0; k < nd; k++) {
                int a = (int)rnd_below(nl);
                if (mine[a])
                    continue;
                mine[a] = used[a] = true;
                *s++ = (char)('a' + a);
                shape[m++] = size[a];
            }
            *s++ = ',';
            x[i] = random_of(AGN_F64, m, shape, -1, 1);
        }
        s[-1] = '-';
        *s++ = '>';
        int out[8], no = 0;
        for (int k = 0; k < nl; k++)
            if (used[k] && rnd_below(2)) {
                out[no++] = k;
                *s++ = (char)('a' + k);
            }
        *s = 0;
        agn_tensor *y = NULL;
        must(agn_einsum(&y, spec, xs, n));
        must(agn_einsum_path(path, cost, spec, xs, n));
        for (int k = 0; k + 1 < n; k++)
            check(&t,
                  0 <= path[2 * k] && path[2 * k] < path[2 * k + 1] &&
                      path[2 * k + 1] < n - k,
                  "%s: step %d is %d %d", spec, k, path[2 * k], path[2 * k + 1]);
        check(&t, n > 8 || cost[0] <= cost[1], "%s: %g above %g", spec, cost[0],
              cost[1]);
        /* the sum over all letters */
        int64_t all = 1;
        for (int k = 0; k < nl; k++)
            all *= size[k];
        double *want = room_for((size_t)agn_numel(y) * sizeof *want);
        for (int64_t f = 0; f < all; f++) {
            int64_t at[8], rest = f, place = 0;
            double v = 1;
            bool skip = false;
            for (int k = 0; k < nl; k++) {
                at[k] = rest % size[k];
                rest /= size[k];
                skip |= !used[k] && at[k];
            }
            if (skip)
                continue;
            const char *p = spec;
            for (int i = 0; i < n; i++, p++) {
                int64_t e = 0;
                for (; *p >= 'a'; p++)
                    e = e * size[*p - 'a'] + at[*p - 'a'];
                v *= peek(x[i], e);
            }
            for (int k = 0; k < no; k++)
                place = place * size[out[k]] + at[out[k]];
            want[place] += v;
        }
        for (int64_t i = 0; i < agn_numel(y); i++)
            check(&t, fabs(peek(y, i) - want[i]) < 1e-12 * (1 + fabs(want[i])),
                  "%s: %g, not %g", spec, peek(y, i), want[i]);
        free(want);
        agn_release(y);
        for (int i = 0; i < n; i++)
            agn_release(x[i]);
    }
    tell(&t, "einsum of 3 to 11 operands in the order of its path");
}

/* ---- derivatives ----------------------------------------------------------------- */

typedef struct job {
    binary *f;
    int32_t p[8];
} job;
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const job *j = user;
    agn_tensor *y = NULL;
    agn_status st = agn_scope_status(s);
    st = st ? st : j->f(&y, in[0], in[1], j->p);
    out[0] = agn_scope_adopt(s, st, &y);
    return agn_scope_status(s);
}
static agn_status three(void *user, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    out[0] = user ? ag_multi_dot(s, in, 3) : ag_addmm(s, in[2], in[0], in[1], -2, 0.5);
    return agn_scope_status(s);
}

static void test_derivatives(void)
{
    static const struct {
        const char *name;
        int na;
        int64_t a[3];
        int nb;
        int64_t b[3];
        int32_t p[8];
    } some[] = {{"mv", 3, {2, 2, 3}, 1, {3}, {0}},
                {"vecdot", 2, {2, 3}, 1, {3}, {-1}},
                {"dot", 2, {2, 3}, 2, {3, 2}, {0}},
                {"inner", 2, {2, 3}, 1, {3}, {0}},
                {"outer", 1, {2}, 1, {3}, {0}},
                {"kron", 2, {2, 1}, 2, {1, 3}, {0}},
                {"cross", 2, {2, 3}, 1, {3}, {-1}},
                {"tensordot", 3, {2, 2, 3}, 2, {3, 2}, {2, 1, 2, 1, 0}},
                {"convolve", 1, {5}, 1, {3}, {1, AGN_FULL}},
                {"convolve", 2, {2, 3}, 1, {4}, {1, AGN_SAME}},
                {"convolve", 1, {2}, 2, {2, 4}, {1, AGN_VALID}},
                {"correlate", 2, {3, 3}, 2, {2, 2}, {2, AGN_VALID}},
                {"correlate", 1, {2}, 1, {4}, {1, AGN_VALID}},
                {"correlate", 2, {2, 4}, 2, {1, 2}, {1, AGN_FULL}}};
    for (int k = 0; k < COUNT(some); k++)
        for (int z = 0; z < 2; z++) {
            int dtype = z ? AGN_C128 : AGN_F64;
            job j = {.f = call_of(some[k].name)};
            memcpy(j.p, some[k].p, sizeof j.p);
            agn_tensor *a = random_of(dtype, some[k].na, some[k].a, -1, 1),
                       *b = random_of(dtype, some[k].nb, some[k].b, -1, 1);
            agn_fn *f;
            must(agn_fn_new(&f, body, &j, NULL, 2, 1));
            in_every_mode(f, 2, (const agn_tensor *[]){a, b}, 1e-2, 1e-9, some[k].name);
            agn_fn_release(f);
            agn_release(a), agn_release(b);
        }
    for (int k = 0; k < 2; k++) {
        agn_tensor *a = random_of(AGN_F64, 2, (int64_t[]){2, 3}, -1, 1),
                   *b = random_of(AGN_F64, 2, (int64_t[]){3, 2}, -1, 1),
                   *c = random_of(AGN_F64, 2, (int64_t[]){2, 2}, -1, 1);
        agn_fn *f;
        must(agn_fn_new(&f, three, k ? &f : NULL, NULL, 3, 1));
        in_every_mode(f, 3, (const agn_tensor *[]){a, b, c}, 1e-2, 1e-9,
                      k ? "multi_dot" : "addmm");
        agn_fn_release(f);
        agn_release(a), agn_release(b), agn_release(c);
    }
}

/* ---- errors, memory -------------------------------------------------------------- */

#define NO(call, want, op, fact1, fact2)                                   \
    do {                                                                   \
        agn_tensor *y = untouched;                                         \
        agn_status no_st = call;                                           \
        check(&t, refused(no_st, want, op, fact1, fact2, y), "%s", #call); \
    } while (0)

static void test_errors(void)
{
    tally t = {0, 0};
    agn_tensor *M = random_of(AGN_F64, 2, (int64_t[]){3, 4}, -1, 1),
               *V = random_of(AGN_F64, 1, (int64_t[]){4}, -1, 1),
               *B = random_of(AGN_BOOL, 1, (int64_t[]){4}, 0, 1),
               *S = scalar_of(AGN_F64, 2),
               *E = random_of(AGN_F64, 1, (int64_t[]){0}, 0, 1), *one = NULL,
               *W = random_of(AGN_F64, 1, (int64_t[]){2}, -1, 1);
    int64_t ones[17];
    for (int k = 0; k < 17; k++)
        ones[k] = 1;
    must(agn_full(&one, AGN_F64, 17, ones, 1));
    for (int k = 0; k < COUNT(calls); k++) {
        int32_t p[8] = {0};
        p[0] = !strcmp(calls[k].name, "vecdot") || !strcmp(calls[k].name, "cross") ? -1
               : strstr("convolve correlate", calls[k].name)                       ? 1
                                                                                   : 0;
        const char *n = calls[k].name;
        NO(calls[k].f(&y, NULL, V, p), AGN_ENULL, n, "a is NULL", NULL);
        NO(calls[k].f(&y, V, NULL, p), AGN_ENULL, n,
           p[0] == 1 ? "v is NULL" : "b is NULL", NULL);
        NO(calls[k].f(NULL, V, V, p), AGN_ENULL, n, "out is NULL", NULL);
        NO(calls[k].f(&y, B, B, p), AGN_EDTYPE, n, "bool", "[4]");
    }
    NO(agn_mv(&y, V, V), AGN_ESHAPE, "mv", "a is [4]", "matrix");
    NO(agn_mv(&y, M, W), AGN_ESHAPE, "mv", "[3,4]", "[2,1]");
    NO(agn_vecdot(&y, M, W, -1), AGN_ESHAPE, "vecdot", "[3,4]", "[2]");
    NO(agn_vecdot(&y, M, V, 0), AGN_ESHAPE, "vecdot", "[3,4]", "[4]");
    NO(agn_vecdot(&y, M, V, 1), AGN_EINDEX, "vecdot", "axis 1", "[4]");
    NO(agn_vecdot(&y, V, M, INT32_MIN), AGN_EINDEX, "vecdot", "axis -2147483648", "[4]");
    NO(agn_vecdot(&y, V, M, INT32_MAX), AGN_EINDEX, "vecdot", "axis 2147483647", "[4]");
    NO(agn_vecdot(&y, M, V, -2), AGN_EINDEX, "vecdot", "axis -2", "[4]");
    NO(agn_dot(&y, M, W), AGN_ESHAPE, "dot", "[3,4]", "[2]");
    NO(agn_inner(&y, M, W), AGN_ESHAPE, "inner", "[3,4]", "[2]");
    NO(agn_kron(&y, one, V), AGN_ESHAPE, "kron", "16 axes", "[4]");
    NO(agn_cross(&y, M, V, -1), AGN_ESHAPE, "cross", "size 3", "[3,4]");
    NO(agn_cross(&y, M, V, 0), AGN_ESHAPE, "cross", "size 3", "[4]");
    NO(agn_cross(&y, M, V, 1), AGN_EINDEX, "cross", "axis 1", "[4]");
    NO(agn_cross(&y, M, V, -2), AGN_EINDEX, "cross", "axis -2", "[4]");
    static const int32_t p1[2] = {1, 1}, p2[2] = {0, 5};
    NO(agn_tensordot(&y, M, V, NULL, p1, 1), AGN_ENULL, "tensordot", "a_axes",
       "1 axes");
    NO(agn_tensordot(&y, M, V, p1, NULL, 1), AGN_ENULL, "tensordot", "b_axes",
       "1 axes");
    NO(agn_tensordot(&y, M, V, p1, p1, 2), AGN_EARG, "tensordot", "2 axes", "[4]");
    NO(agn_tensordot(&y, M, V, p1, p1, -1), AGN_EARG, "tensordot", "-1 axes", "[4]");
    NO(agn_tensordot(&y, M, M, p1, p1, 2), AGN_EARG, "tensordot", "twice", "[3,4]");
    NO(agn_tensordot(&y, M, M, p2, p2, 2), AGN_EINDEX, "tensordot", "5", NULL);
    NO(agn_tensordot(&y, M, W, p1, p2, 1), AGN_ESHAPE, "tensordot", "axis 1 of a [3,4]",
       "axis 0 of b [2]");
    NO(agn_tensordot(&y, one, one, NULL, NULL, 0), AGN_ESHAPE, "tensordot", "34 axes",
       "32");
    NO(agn_addmm(&y, NULL, M, V, 1, 1), AGN_ENULL, "addmm", "c is NULL", NULL);
    NO(agn_addmm(&y, V, NULL, V, 1, 1), AGN_ENULL, "addmm", "a is NULL", NULL);
    NO(agn_addmm(&y, V, M, NULL, 1, 1), AGN_ENULL, "addmm", "b is NULL", NULL);
    NO(agn_addmm(NULL, V, M, V, 1, 1), AGN_ENULL, "addmm", "out is NULL", NULL);
    NO(agn_addmm(&y, V, B, B, 1, 1), AGN_EDTYPE, "addmm", "bool", NULL);
    NO(agn_addmm(&y, V, M, V, 1, 1), AGN_ESHAPE, "addmm", "c is [4]", "[3]");
    NO(agn_addmm(&y, V, M, W, 1, 1), AGN_ESHAPE, "addmm", "[3,4]", "[2]");
    NO(agn_multi_dot(NULL, (const agn_tensor *[]){M, V}, 2), AGN_ENULL, "multi_dot",
       "out", NULL);
    NO(agn_multi_dot(&y, NULL, 2), AGN_ENULL, "multi_dot", "xs is NULL", NULL);
    NO(agn_multi_dot(&y, (const agn_tensor *[]){M, V}, 1), AGN_EARG, "multi_dot",
       "1 factors", "64");
    NO(agn_multi_dot(&y, (const agn_tensor *[]){M, V}, 65), AGN_EARG, "multi_dot",
       "65 factors", "64");
    NO(agn_multi_dot(&y, (const agn_tensor *[]){M, NULL}, 2), AGN_ENULL, "multi_dot",
       "factor 1 of 2", NULL);
    NO(agn_multi_dot(&y, (const agn_tensor *[]){M, V, M}, 3), AGN_ESHAPE, "multi_dot",
       "factor 1 of 3", "[4]");
    NO(agn_multi_dot(&y, (const agn_tensor *[]){S, V}, 2), AGN_ESHAPE, "multi_dot",
       "factor 0 of 2", "[]");
    NO(agn_multi_dot(&y, (const agn_tensor *[]){M, M}, 2), AGN_ESHAPE, "multi_dot",
       "factor 0 is [3,4]", "1 is [3,4]");
    NO(agn_multi_dot(&y, (const agn_tensor *[]){B, B}, 2), AGN_EDTYPE, "multi_dot",
       "bool", NULL);
    for (int turn = 0; turn < 2; turn++) {
        binary *f = turn ? c_convolve : c_correlate;
        const char *n = turn ? "convolve" : "correlate";
#define P(...) (const int32_t[]){__VA_ARGS__}
        NO(f(&y, M, V, P(1, 3)), AGN_EARG, n, "mode 3", "2");
        NO(f(&y, M, V, P(1, -1)), AGN_EARG, n, "mode -1", "2");
        NO(f(&y, M, V, P(2, 0)), AGN_ESHAPE, n, "2 axes", "[4]");
        NO(f(&y, M, V, P(0, 0)), AGN_ESHAPE, n, "0 axes", "[4]");
        NO(f(&y, M, E, P(1, 0)), AGN_ESHAPE, n, "nothing to slide", "[0]");
        agn_tensor *wide = random_of(AGN_F64, 2, (int64_t[]){2, 9}, 0, 1);
        NO(f(&y, M, wide, P(2, AGN_VALID)), AGN_ESHAPE, n, "[3,4]", "[2,9]");
        NO(f(&y, M, wide, P(1, AGN_FULL)), AGN_ESHAPE, n, "batches", "[2,9]");
        agn_release(wide);
    }
    int32_t path[2] = {7, 7};
    const agn_tensor *two[2] = {M, V};
    check(&t, agn_einsum_path(NULL, NULL, "ij,j", two, 2) == AGN_ENULL, "no path");
    check(&t, agn_einsum_path(path, NULL, NULL, two, 2) == AGN_ENULL, "no spec");
    check(&t, agn_einsum_path(path, NULL, "ij,j", NULL, 2) == AGN_ENULL, "no operands");
    check(&t, agn_einsum_path(path, NULL, "ij,j", two, 17) == AGN_EARG, "17 operands");
    check(&t,
          agn_einsum_path(path, NULL, "i!,j", two, 2) == AGN_EARG &&
              !strncmp(agn_error_message(), "einsum_path: ", 13),
          "%s", agn_error_message());
    check(&t, agn_einsum_path(path, NULL, "ij,i", two, 2) == AGN_ESHAPE && path[0] == 7,
          "sizes");
    tell(&t, "%" PRId64 " bad calls: status, two facts, out untouched", t.checks);
    agn_release(M), agn_release(V), agn_release(B), agn_release(S), agn_release(E);
    agn_release(W), agn_release(one);
}

typedef struct maker {
    const answer *q;
    agn_tensor *a, *b;
} maker;
static agn_status make(void *user, agn_tensor **out)
{
    const maker *m = user;
    return call_of(m->q->name)(out, m->a, m->b, m->q->p);
}
static agn_status make_chain(void *user, agn_tensor **out)
{
    const maker *m = user;
    return agn_multi_dot(out, (const agn_tensor *[]){m->a, m->b, m->a, m->b}, 4);
}
static agn_status make_sum(void *user, agn_tensor **out)
{
    const maker *m = user;
    return agn_addmm(out, m->a, m->a, m->b, 2, 3);
}
static agn_status make_einsum(void *user, agn_tensor **out)
{
    const maker *m = user;
    return agn_einsum(out, "ij,jk,kl,lm->im",
                      (const agn_tensor *[]){m->a, m->b, m->a, m->b}, 4);
}

static void test_memory(void)
{
    const char *last = "";
    for (int k = 0; k < COUNT(answers); k++) {
        const answer *q = &answers[k];
        if (!strcmp(q->name, last))
            continue;
        last = q->name;
        maker m = {q, argument(AGN_C128, q->na, q->a, false),
                   argument(AGN_F32, q->nb, q->b, true)};
        every_allocation(make, &m, q->name);
        agn_release(m.a), agn_release(m.b);
    }
    static const int64_t square[2] = {3, 3};
    maker m = {NULL, argument(AGN_F64, 2, square, false),
               argument(AGN_F64, 2, square, true)};
    every_allocation(make_chain, &m, "multi_dot");
    every_allocation(make_sum, &m, "addmm");
    every_allocation(make_einsum, &m, "einsum of four");
    agn_release(m.a), agn_release(m.b);
}

/* axes count from the front, too: those of each operand, as in NumPy 2.3's vecdot and cross */
static void test_axes_from_the_front(void)
{
    enum { D = 3 };
    double u[D * 2 * D], v[D * D];
    for (int i = 0; i < D * 2 * D; i++)
        u[i] = sin(1.7 * i);
    for (int i = 0; i < D * D; i++)
        v[i] = cos(2.3 * i);
    agn_tensor *a = of_reals(AGN_F64, 3, (int64_t[]){D, 2, D}, u), *b = of_reals(AGN_F64, 2, (int64_t[]){D, D}, v),
               *y = NULL, *z = NULL, *same = of_reals(AGN_F64, 2, (int64_t[]){D, D}, u);
    must(agn_vecdot(&y, a, b, 0));
    double worst = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < D; j++) {
            double sum = 0;
            for (int k = 0; k < D; k++)
                sum += u[(k * 2 + i) * D + j] * v[k * D + j];
            worst = fmax(worst, fabs(sum - peek(y, i * D + j)));
        }
    ok(agn_ndim(y) == 2 && agn_shape(y)[0] == 2 && agn_shape(y)[1] == D && worst < 1e-15,
       "vecdot along axis 0 of each: %g", worst);
    agn_release(y);
    for (int axis = 0; axis < 2; axis++) {
        must(agn_vecdot(&y, same, b, axis));
        must(agn_vecdot(&z, same, b, axis - 2));
        ok(same_values(y, z), "vecdot: axis %d of two is axis %d", axis, axis - 2);
        agn_release(y), agn_release(z);
        must(agn_cross(&y, same, b, axis));
        must(agn_cross(&z, same, b, axis - 2));
        ok(same_values(y, z), "cross: axis %d of two is axis %d", axis, axis - 2);
        agn_release(y), agn_release(z);
    }
    agn_release(a), agn_release(b), agn_release(same);
}

int main(void)
{
    test_axes_from_the_front();
    test_values();
    test_more();
    test_path();
    test_derivatives();
    test_errors();
    test_memory();
    return done();
}
