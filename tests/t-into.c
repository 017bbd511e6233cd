/* tests/t-into.c - results in memory of the caller: every element-wise function over every
   layout of out, out in the place of arguments and across them; other functions; refusals. */
#include "laws.h"

#undef I /* of <complex.h> */

/* ---- the functions, from the table ------------------------------------------------------ */

typedef agn_status unary(agn_tensor **, const agn_tensor *);
typedef agn_status unary_into(agn_tensor *, const agn_tensor *);
typedef agn_status binary(agn_tensor **, const agn_tensor *, const agn_tensor *);
typedef agn_status binary_into(agn_tensor *, const agn_tensor *, const agn_tensor *);

static const struct one {
    const char *name;
    unary *f;
    unary_into *into;
} ones[] = {
#define EW1(c, name, ...) {#name, agn_##name, agn_##name##_into},
#define EW1P(...)
#define EW1X EW1
#define EW2(...)
#define INNER2(...)
#define LIN1 EW1
#define LIN2(...)
#define DISC1 EW1
#define DISC1X EW1
#define DISC2(...)
#define INNERD2(...)
#define EW3(...)
#define INNER3(...)
#define INNERD1(...)
#define DISC2X(...)
#include "tensor/rows/ops.def"
#include "tensor/rows/ops_end.h"
};
static const struct two {
    const char *name;
    binary *f;
    binary_into *into;
} twos[] = {
#define EW1(...)
#define EW1P(...)
#define EW1X(...)
#define EW2(c, name, ...) {#name, agn_##name, agn_##name##_into},
#define INNER2(...)
#define LIN1(...)
#define LIN2 EW2
#define DISC1(...)
#define DISC1X(...)
#define DISC2 EW2
#define INNERD2(...)
#define EW3(...)
#define INNER3(...)
#define INNERD1(...)
#define DISC2X(...)
#include "tensor/rows/ops.def"
#include "tensor/rows/ops_end.h"
};

enum { ROWS = 5, COLS = 7, N = ROWS * COLS };
static const int64_t matrix[2] = {ROWS, COLS};
static const int dtypes[] = {AGN_BOOL, AGN_U8, AGN_I32, AGN_I64, AGN_BF16,
                             AGN_F32,  AGN_F64, AGN_C64, AGN_C128};

static agn_tensor *copy_of(const agn_tensor *x)
{
    agn_tensor *y = NULL;
    must(agn_copy(&y, x));
    return y;
}

/* elements of out's layout that belong to nobody stay */
typedef struct room {
    unsigned char *p;
    size_t bytes;
    agn_tensor *out;
} room;
static room room_of(const agn_tensor *like, int layout)
{
    static const int64_t step[3][2] = {{COLS, 1}, {1, ROWS}, {-2 * COLS - 3, -2}};
    size_t b = agn_dtype_size(agn_dtype_of(like));
    room r = {.bytes = 8 * N * b};
    r.p = room_for(r.bytes);
    memset(r.p, 0xA5, r.bytes);
    int64_t first = layout == 2 ? 7 * N : 3;
    must(agn_wrap_host(&r.out, agn_dtype_of(like), 2, matrix, step[layout],
                       r.p + (size_t)first * b, false, NULL, NULL));
    return r;
}
static void leave(room *r)
{
    agn_release(r->out);
    free(r->p);
}
/* every byte outside of out is as it was */
static bool clean(const room *r)
{
    size_t b = agn_dtype_size(agn_dtype_of(r->out));
    unsigned char *seen = room_for(r->bytes);
    memset(seen, 0, r->bytes);
    for (int64_t i = 0; i < N; i++)
        memset(seen + (place(r->out, i) - (const char *)r->p), 1, b);
    bool same = true;
    for (size_t i = 0; i < r->bytes; i++)
        same = same && (seen[i] || r->p[i] == 0xA5);
    free(seen);
    return same;
}

static agn_tensor *shifted_view(agn_tensor *buffer, int dtype, int64_t by)
{
    agn_tensor *y = NULL;
    void *p = NULL;
    must(agn_data_mut(&p, buffer));
    must(agn_wrap_host(&y, dtype, 2, matrix, (int64_t[]){COLS, 1},
                       (char *)p + (size_t)by * agn_dtype_size(dtype), false, NULL, NULL));
    return y;
}

static void test_unary(void)
{
    tally t = {0};
    int64_t ran = 0;
    for (int k = 0; k < COUNT(ones); k++)
        for (int d = 0; d < COUNT(dtypes); d++) {
            agn_tensor *x = random_of(dtypes[d], 2, matrix, 0.25, 0.9), *y = NULL;
            if (ones[k].f(&y, x)) {
                check(&t, strlen(agn_error_message()) > 0, "%s says why", ones[k].name);
                agn_release(x);
                continue;
            }
            ran++;
            for (int layout = 0; layout < 3; layout++) {
                room r = room_of(y, layout);
                agn_status st = ones[k].into(r.out, x);
                check(&t, !st && same_values(r.out, y) && clean(&r), "%s_into(%s), layout %d: %s",
                      ones[k].name, agn_dtype_name(dtypes[d]), layout, agn_error_message());
                leave(&r);
            }
            if (agn_dtype_of(y) == dtypes[d])
                for (int by = 0; by < 9; by += 4) { /* out over x, shifted by so many elements */
                    agn_tensor *buffer = NULL;
                    must(agn_empty(&buffer, dtypes[d], 1, (int64_t[]){2 * N}, AGN_CPU));
                    agn_tensor *in = shifted_view(buffer, dtypes[d], 4);
                    agn_tensor *out = shifted_view(buffer, dtypes[d], by);
                    must(agn_copy_into(in, x));
                    agn_status st = ones[k].into(out, in);
                    check(&t, !st && same_values(out, y), "%s_into(%s) over x, %d apart",
                          ones[k].name, agn_dtype_name(dtypes[d]), by - 4);
                    agn_release(in), agn_release(out), agn_release(buffer);
                }
            agn_release(x), agn_release(y);
        }
    diag("%d functions, %" PRId64 " pairs of function and dtype", COUNT(ones), ran);
    tell(&t, "functions of one argument into memory, D14 H22: %" PRId64 " checks", t.checks);
}

static void test_binary(void)
{
    tally t = {0};
    static const int64_t row[1] = {COLS};
    for (int k = 0; k < COUNT(twos); k++)
        for (int d = 0; d < COUNT(dtypes); d++)
            for (int wide = 0; wide < 2; wide++) {
                agn_tensor *a = random_of(dtypes[d], 2, matrix, 0.25, 0.9), *y = NULL,
                           *b = wide ? random_of(dtypes[d], 1, row, 1, 4)
                                     : random_of(dtypes[d], 2, matrix, 1, 4);
                if (twos[k].f(&y, a, b)) {
                    agn_release(a), agn_release(b);
                    continue;
                }
                const char *name = twos[k].name, *dt = agn_dtype_name(dtypes[d]);
                for (int layout = 0; layout < 3; layout++) {
                    room r = room_of(y, layout);
                    agn_status st = twos[k].into(r.out, a, b);
                    check(&t, !st && same_values(r.out, y) && clean(&r), "%s_into(%s): %s", name,
                          dt, agn_error_message());
                    leave(&r);
                }
                if (agn_dtype_of(y) == dtypes[d]) {
                    agn_tensor *c = copy_of(a);
                    check(&t, !twos[k].into(c, c, b) && same_values(c, y), "%s_into(%s), out is a",
                          name, dt);
                    agn_release(c);
                    c = copy_of(b);
                    if (!wide)
                        check(&t, !twos[k].into(c, a, c) && same_values(c, y),
                              "%s_into(%s), out is b", name, dt);
                    agn_release(c);
                    agn_tensor *yy = NULL;
                    if (!twos[k].f(&yy, a, a) && same_shapes(yy, a)) {
                        c = copy_of(a);
                        check(&t, !twos[k].into(c, c, c) && same_values(c, yy),
                              "%s_into(%s), out is both", name, dt);
                        agn_release(c);
                    }
                    agn_release(yy);
                }
                agn_release(a), agn_release(b), agn_release(y);
            }
    tell(&t, "functions of two arguments into memory, D14 H22: %" PRId64 " checks", t.checks);
}

/* ---- functions that read more than they write ------------------------------------------- */

static void test_others(void)
{
    static const int64_t square[2] = {6, 6};
    tally t = {0};
    agn_tensor *x = random_of(AGN_F64, 2, square, -1, 1), *w = NULL, *y = NULL, *c = copy_of(x);
    must(agn_matmul(&y, x, x));
    check(&t, !agn_matmul_into(c, c, c) && same_values(c, y), "matmul_into(c, c, c)");
    agn_release(c), agn_release(y);

    c = copy_of(x);
    must(agn_permute(&w, c, (const int32_t[]){1, 0}, 2));
    must(agn_copy(&y, w));
    check(&t, !agn_copy_into(c, w) && same_values(c, y), "a transpose into itself");
    agn_release(c), agn_release(w), agn_release(y);

    c = copy_of(x);
    must(agn_flip(&y, c, NULL, 0));
    must(agn_copy(&w, y));
    check(&t, !agn_flip_into(c, c, NULL, 0) && same_values(c, w), "flip_into(c, c)");
    agn_release(c), agn_release(w), agn_release(y);

    c = copy_of(x);
    must(agn_cumsum(&y, c, 0));
    check(&t, !agn_cumsum_into(c, c, 0) && same_values(c, y), "cumsum_into(c, c)");
    agn_release(c), agn_release(y);

    /* concat into memory that holds its second part in its first place */
    const agn_tensor *parts[2];
    agn_tensor *big = NULL;
    must(agn_empty(&big, AGN_F64, 2, (int64_t[]){12, 6}, AGN_CPU));
    must(agn_slice(&c, big, 1, (int64_t[]){0}, (int64_t[]){6}, NULL));
    agn_tensor *z = random_of(AGN_F64, 2, square, 2, 3);
    must(agn_copy_into(c, x));
    parts[0] = z, parts[1] = c;
    must(agn_concat(&y, parts, 2, 0));
    check(&t, !agn_concat_into(big, parts, 2, 0) && same_values(big, y), "concat_into over a part");
    agn_release(big), agn_release(c), agn_release(y), agn_release(z);

    /* a sum into an element of its argument */
    c = copy_of(x);
    must(agn_sum(&y, c, NULL, 0, false));
    must(agn_slice(&w, c, 2, (int64_t[]){0, 0}, (int64_t[]){1, 1}, NULL));
    agn_tensor *first = NULL;
    must(agn_reshape(&first, w, 0, NULL));
    check(&t, !agn_sum_into(first, c, NULL, 0, false) && peek(c, 0) == peek(y, 0),
          "sum_into(c[0,0], c)");
    agn_release(first), agn_release(w), agn_release(c), agn_release(y);

    static const int64_t big_n[1] = {1 << 20};
    agn_tensor *a = random_of(AGN_F64, 1, big_n, -1, 1);
    must(agn_empty(&y, AGN_F64, 1, big_n, AGN_CPU));
    must(agn_add_into(y, a, a));
    int64_t live, peak;
    agn_memory_live(&live, NULL, &peak);
    int64_t before = peak;
    for (int i = 0; i < 5; i++)
        must(agn_add_into(y, a, y));
    agn_memory_live(&live, NULL, &peak);
    check(&t, peak - before < 1 << 16, "add_into takes %" PRId64 " bytes more", peak - before);
    agn_release(a), agn_release(y), agn_release(x);
    tell(&t, "functions that read what lies in out, and memory");
}

/* ---- refusals ---------------------------------------------------------------------------- */

/* calls whose result is their argument itself, with out that argument: it is held once, as before */
static void test_identities(void)
{
    static const int64_t square[2] = {64, 64};
    tally t = {0, 0};
    for (int k = 0; k < 4; k++) {
        agn_tensor *x = NULL;
        int64_t before = 0, after = 0, peak;
        agn_memory_live(&before, NULL, &peak);
        must(agn_full(&x, AGN_F64, 2, square, 0.5));
        agn_status st = k == 0   ? agn_cast_into(x, x, AGN_F64)
                        : k == 1 ? agn_contiguous_into(x, x)
                        : k == 2 ? agn_linalg_matrix_power_into(x, x, 1)
                                 : agn_diff_into(x, x, 0, -1, NULL, NULL);
        check(&t, !st && peek(x, 0) == 0.5, "identity %d: %s", k, agn_error_message());
        agn_release(x);
        agn_memory_live(&after, NULL, &peak);
        check(&t, after == before, "identity %d leaves %" PRId64 " bytes", k, after - before);
    }
    tell(&t, "results that are out itself");
}

static bool no(agn_status st, agn_status want, const char *fact1, const char *fact2,
               const agn_tensor *out, uint64_t was)
{
    return refused(st, want, "add_into", fact1, fact2, untouched) && (!out || hash_of(out) == was);
}

static agn_status into_while_traced(void *u, agn_scope *s, const agn_tensor *const *in,
                                    const agn_tensor **out)
{
    (void)s;
    agn_status *st = u;
    agn_tensor *y = NULL;
    must(agn_empty(&y, AGN_F64, 2, matrix, AGN_CPU));
    *st = agn_add_into(y, in[0], in[0]);
    agn_release(y);
    out[0] = in[0];
    return AGN_OK;
}

static void test_refusals(void)
{
    tally t = {0};
    agn_tensor *x = random_of(AGN_F64, 2, matrix, -1, 1), *y = copy_of(x), *z = NULL, *w = NULL;
    uint64_t was = hash_of(y);
    check(&t, no(agn_add_into(NULL, x, x), AGN_ENULL, "out", "NULL", NULL, 0), "NULL");
    check(&t, refused(agn_add_into(y, x, NULL), AGN_ENULL, "add", "NULL", "1", untouched) &&
                  hash_of(y) == was, "a NULL argument");
    must(agn_reshape(&z, y, 2, (int64_t[]){COLS, ROWS}));
    check(&t, no(agn_add_into(z, x, x), AGN_ESHAPE, "[5,7]", "[7,5]", y, was), "shape");
    agn_release(z);
    must(agn_cast(&z, y, AGN_F32));
    uint64_t narrow = hash_of(z);
    check(&t, no(agn_add_into(z, x, x), AGN_EDTYPE, "f64", "f32", z, narrow), "dtype");
    agn_release(z);
    must(agn_broadcast_to(&z, y, 3, (int64_t[]){2, ROWS, COLS}));
    check(&t, no(agn_add_into(z, x, x), AGN_EARG, "in one place", "[2,5,7]", y, was), "overlap");
    agn_release(z);
    must(agn_wrap_host(&z, AGN_F64, 2, matrix, NULL, (void *)(uintptr_t)agn_data(y), true, NULL,
                       NULL));
    check(&t, no(agn_add_into(z, x, x), AGN_EARG, "read-only", "[5,7]", y, was), "read-only");
    agn_release(z);

    must(agn_watch(&w, x));
    must(agn_sin(&z, w));
    check(&t, no(agn_add_into(z, x, x), AGN_EARG, "recorded", "[5,7]", NULL, 0), "out recorded");
    check(&t, no(agn_add_into(y, x, w), AGN_EARG, "recorded", "use add", y, was), "in recorded");

    /* a saved value that was written is an error of the derivative, never a wrong number */
    agn_tensor *g = untouched, *s = NULL, *v = copy_of(x);
    const agn_tensor *ys[1], *xs[1] = {w};
    must(agn_mul(&s, w, v));
    must(agn_add_into(v, x, x));
    ys[0] = s;
    check(&t, refused(agn_gradient(&g, ys, 1, xs, 1, NULL), AGN_ESTALE, "mul", "written", NULL, g),
          "A13: a saved argument was written");
    agn_release(s), agn_release(z), agn_release(w), agn_release(v);

    agn_status seen = AGN_OK;
    agn_fn *f = NULL, *c = NULL;
    agn_tensor *out[1] = {NULL};
    const agn_tensor *in[1] = {x};
    must(agn_fn_new(&f, into_while_traced, &seen, NULL, 1, 1));
    must(agn_fn_compile(&c, f, NULL));
    must(agn_fn_call(out, 1, c, in, 1));
    check(&t, seen == AGN_ESYMBOLIC, "while tracing: %s", agn_status_name(seen));
    agn_release(out[0]);
    agn_fn_release(f), agn_fn_release(c);

    /* 0-D, empty, and an allocation that fails at each place in turn */
    must(agn_empty(&z, AGN_F64, 2, (int64_t[]){0, 3}, AGN_CPU));
    check(&t, !agn_add_into(z, z, z), "empty");
    agn_release(z);
    z = scalar_of(AGN_F64, 3);
    check(&t, !agn_mul_into(z, z, z) && peek(z, 0) == 9, "0-D");
    agn_release(z);
    must(agn_flip(&z, y, NULL, 0));
    agn_tensor *want = NULL;
    must(agn_var(&want, x, (const int32_t[]){0}, 1, 0, true));
    agn_tensor *r = NULL;
    must(agn_empty(&r, AGN_F64, 2, (int64_t[]){1, COLS}, AGN_CPU));
    must(agn_mul_into(r, want, want));
    was = hash_of(r);
    int faults = 0;
    for (;; faults++) {
        agn_memory_fail_after(faults);
        agn_status st = agn_var_into(r, x, (const int32_t[]){0}, 1, 0, true);
        agn_memory_fail_after(-1);
        if (!st)
            break;
        check(&t, st == AGN_ENOMEM && hash_of(r) == was, "failure %d: %s", faults,
              agn_error_message());
    }
    check(&t, faults > 3 && same_values(r, want), "%d failures", faults);
    agn_release(z), agn_release(want), agn_release(r), agn_release(x), agn_release(y);
    tell(&t, "what cannot be written is refused, and left as it was");
}

int main(void)
{
    test_unary();
    test_binary();
    test_others();
    test_identities();
    test_refusals();
    return done();
}
