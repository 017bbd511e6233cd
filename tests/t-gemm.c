/* t-gemm - large products: every stride and awkward size against sums of long double, the same bits
   for any number of threads, nothing written beside the result. */
#include "modes.h"

/* a view of a random matrix [rows, cols]: as it is, transposed, from behind, every other element */
static agn_tensor *matrix(int dtype, int64_t batch, int64_t rows, int64_t cols, int how)
{
    int64_t wide[3] = {batch, how == 1 ? cols : rows, how == 1 ? rows : cols};
    if (how == 3)
        wide[2] *= 2;
    agn_tensor *x = random_of(dtype, 3, wide, -1, 1), *y = NULL;
    switch (how) {
    case 1:
        must(agn_swapaxes(&y, x, 1, 2));
        break;
    case 2:
        must(agn_flip(&y, x, (const int32_t[]){1, 2}, 2));
        break;
    case 3:
        must(agn_slice(&y, x, 3, (int64_t[]){0, 0, 1}, (int64_t[]){batch, rows, 2 * cols},
                       (int64_t[]){1, 1, 2}));
        break;
    default:
        must(agn_reshape(&y, x, 3, wide));
    }
    agn_release(x);
    return y;
}

static void one(tally *q, int dtype, const int64_t *b, int64_t m, int64_t n, int64_t k, int how_a,
                int how_b)
{
    agn_tensor *x = matrix(dtype, b[0], m, k, how_a), *w = matrix(dtype, b[1], k, n, how_b);
    agn_tensor *y = NULL, *z = NULL;
    int64_t batch = b[0] > b[1] ? b[0] : b[1];
    must(agn_threads_set(1));
    must(agn_matmul(&y, x, w));
    must(agn_threads_set(3));
    must(agn_matmul(&z, x, w));
    check(q, same_values(y, z), "bits of %lld x %lld x %lld", (long long)m, (long long)n,
          (long long)k);
    double *a = room_for((size_t)(b[0] * m * k) * sizeof *a);
    double *v = room_for((size_t)(b[1] * k * n) * sizeof *v);
    for (int64_t i = 0; i < b[0] * m * k; i++)
        a[i] = peek(x, i);
    for (int64_t i = 0; i < b[1] * k * n; i++)
        v[i] = peek(w, i);
    double worst = 0, eps = dtype == AGN_F32 ? 0x1p-24 : 0x1p-53;
    for (int64_t i = 0; i < batch; i++)
        for (int64_t r = 0; r < m; r++)
            for (int64_t c = 0; c < n; c++) {
                long double sum = 0, size = 0;
                const double *row = a + ((b[0] > 1 ? i : 0) * m + r) * k;
                const double *column = v + (b[1] > 1 ? i : 0) * k * n + c;
                for (int64_t j = 0; j < k; j++) {
                    long double t = (long double)row[j] * (long double)column[j * n];
                    sum += t;
                    size += t < 0 ? -t : t;
                }
                double e = fabs((double)((long double)peek(y, (i * m + r) * n + c) - sum));
                worst = fmax(worst, e / ((double)size * eps + 1e-300));
            }
    /* Higham 2002, (3.5): at most k + 1 roundings in each sum */
    check(q, worst <= (double)k + 2, "%s %lldx%lldx%lld, views %d and %d: off by %.1f eps",
          agn_dtype_name(dtype), (long long)m, (long long)n, (long long)k, how_a, how_b, worst);
    free(a);
    free(v);
    agn_release(x);
    agn_release(w);
    agn_release(y);
    agn_release(z);
}

static void test_sizes(void)
{
    static const int64_t sizes[][3] = {
        {4, 4, 200},   {5, 7, 81},    {6, 8, 100},  {7, 9, 300},   {13, 17, 19}, {31, 33, 35},
        {48, 48, 48},  {49, 24, 50},  {64, 20, 64}, {96, 97, 98},  {97, 95, 257}, {100, 4, 513},
        {4, 1000, 9},  {1000, 4, 5},  {193, 25, 33}, {101, 103, 107}};
    tally q = {0, 0};
    for (int k = 0; k < COUNT(sizes); k++)
        for (int d = 0; d < 2; d++)
            for (int how = 0; how < 16; how++)
                if (how % 5 == 0 || k % 4 == how % 4)
                    one(&q, d ? AGN_F32 : AGN_F64, (int64_t[]){1, 1}, sizes[k][0], sizes[k][1],
                        sizes[k][2], how % 4, how / 4);
    tell(&q, "sizes around blocks, panels and vectors; four kinds of views");
    tally r = {0, 0};
    static const int64_t batches[][2] = {{3, 1}, {1, 3}, {7, 7}};
    for (int k = 0; k < COUNT(batches); k++)
        for (int d = 0; d < 2; d++)
            for (int how = 0; how < 4; how++) {
                one(&r, d ? AGN_F32 : AGN_F64, batches[k], 19, 23, 29, how, 3 - how);
                one(&r, d ? AGN_F32 : AGN_F64, batches[k], 40, 50, 61, how, how);
            }
    tell(&r, "batches, also of one matrix");
}

/* rows and columns: sums that are cut, rows that are few for the threads, lone numbers */
static void test_vectors(void)
{
    static const int64_t sizes[][2] = {{1, 65},   {1, 40000}, {2, 33000}, {3, 100},   {5, 16385},
                                       {7, 1},    {100, 1},   {130, 129}, {257, 300}, {1100, 513},
                                       {3000, 9}, {9, 3000}};
    tally q = {0, 0};
    for (int k = 0; k < COUNT(sizes); k++)
        for (int d = 0; d < 2; d++)
            for (int how = 0; how < 16; how += tap_quick() ? 5 : 1) {
                int dtype = d ? AGN_F32 : AGN_F64;
                one(&q, dtype, (int64_t[]){1, 1}, sizes[k][0], 1, sizes[k][1], how % 4, how / 4);
                one(&q, dtype, (int64_t[]){1, 1}, 1, sizes[k][0], sizes[k][1], how % 4, how / 4);
            }
    tell(&q, "matrices and vectors, vectors and matrices; four kinds of views");
    tally r = {0, 0};
    static const int64_t batches[][2] = {{3, 1}, {1, 3}, {7, 7}};
    for (int k = 0; k < COUNT(batches); k++)
        for (int d = 0; d < 2; d++)
            for (int how = 0; how < 4; how++) {
                one(&r, d ? AGN_F32 : AGN_F64, batches[k], 19, 1, 29, how, 3 - how);
                one(&r, d ? AGN_F32 : AGN_F64, batches[k], 1, 51, 61, how, how);
                one(&r, d ? AGN_F32 : AGN_F64, batches[k], 300, 1, 400, how, how);
            }
    tell(&r, "batches of them");
}

/* beyond every block: more rows than are packed at once, columns, depth */
static void test_large(void)
{
    static const int64_t sizes[][3] = {{1600, 30, 40}, {20, 3100, 40}, {30, 40, 5000},
                                       {1537, 770, 40}, {300, 300, 300}};
    static const int threads[] = {3, 2, 4, 8, 16};
    for (int k = 0; k < COUNT(sizes); k++)
        for (int d = 0; d < 2; d++) {
            int64_t m = sizes[k][0], n = sizes[k][1], l = sizes[k][2];
            int dtype = d ? AGN_F32 : AGN_F64;
            agn_tensor *x = matrix(dtype, 1, m, l, k % 2), *w = matrix(dtype, 1, l, n, k % 2);
            agn_tensor *y = NULL, *one_vector = NULL, *v = NULL, *z = NULL, *u = NULL, *flat = NULL;
            must(agn_threads_set(1));
            must(agn_matmul(&y, x, w));
            bool same = true;
            for (int t = 0; t < tap_scale(COUNT(threads)); t++) {
                must(agn_threads_set(threads[t]));
                must(agn_matmul(&z, x, w));
                same = same && same_values(y, z);
                agn_release(z), z = NULL;
            }
            /* (A B) 1 = A (B 1), summed by others */
            must(agn_ones(&one_vector, dtype, 1, &n));
            must(agn_matmul(&z, y, one_vector));
            must(agn_matmul(&v, w, one_vector));
            must(agn_reshape(&flat, v, 1, &l));
            must(agn_matmul(&u, x, flat));
            ok(same && modes_apart(z, u) < (d ? 1e-3 : 1e-12), "%s %lldx%lldx%lld: threads %s, sums %.1e",
               agn_dtype_name(dtype), (long long)m, (long long)n, (long long)l,
               same ? "agree" : "differ", modes_apart(z, u));
            agn_tensor *all[] = {x, w, y, one_vector, v, z, u, flat};
            for (int i = 0; i < COUNT(all); i++)
                agn_release(all[i]);
        }
}

/* few rows, where columns lie one behind the other: the bits of any other order */
static void test_few(void)
{
    static const int64_t sizes[][3] = {{16, 768, 300}, {4, 501, 600}, {24, 100, 520}, {13, 1030, 77},
                                       {25, 200, 90}};
    tally q = {0, 0};
    for (int k = 0; k < COUNT(sizes); k++)
        for (int d = 0; d < 2; d++) {
            int64_t m = sizes[k][0], n = sizes[k][1], l = sizes[k][2];
            int dtype = d ? AGN_F32 : AGN_F64;
            one(&q, dtype, (int64_t[]){1, 1}, m, n, l, k % 4, 1);
            agn_tensor *x = matrix(dtype, 1, m, l, 0), *w = matrix(dtype, 1, l, n, 1);
            agn_tensor *rows = NULL, *y = NULL, *z = NULL;
            must(agn_contiguous(&rows, w));
            must(agn_matmul(&y, x, w));
            must(agn_matmul(&z, x, rows));
            /* without fused products the linked BLAS works, in an order of its own */
            check(&q, same_values(y, z) || strcmp(agn_cpu_level(NULL), "base") == 0, "bits of %lldx%lldx%lld",
                  (long long)m, (long long)n, (long long)l);
            agn_tensor *all[] = {x, w, rows, y, z};
            for (int i = 0; i < COUNT(all); i++)
                agn_release(all[i]);
        }
    tell(&q, "few rows");
}

/* One operand that all steps of a loop share is packed once: the bits of products one by one. It is a
   constant, or an argument that the step captures. */
typedef struct shared {
    const agn_tensor *w;
    agn_fn *loop;
    bool left;
} shared;
static agn_status step(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const shared *q = user;
    out[0] = q->left ? ag_matmul(s, q->w, in[0]) : ag_matmul(s, in[0], q->w);
    return agn_scope_status(s);
}
static agn_status of_argument(void *user, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    shared *q = user;
    q->w = in[1];
    return agn_fn_apply(s, out, agn_fn_n_out(q->loop), q->loop, in, agn_fn_n_in(q->loop));
}
static void held(tally *q, int dtype, int64_t m, int64_t n, int64_t k, int how, bool left)
{
    enum { STEPS = 5 };
    agn_tensor *wide = matrix(dtype, 1, left ? m : k, left ? k : n, how), *w = NULL, *x = NULL;
    must(agn_index_axis(&w, wide, 0, 0));
    x = random_of(dtype, 3, (int64_t[]){STEPS, left ? k : m, left ? n : k}, -1, 1);
    shared h = {w, NULL, left};
    agn_fn *f = NULL, *g = NULL, *plan = NULL;
    agn_tensor *y = NULL, *z = NULL;
    must(agn_fn_new(&f, step, &h, NULL, 1, 1));
    must(agn_fn_scan(&h.loop, f, 0, 0, STEPS, false));
    must(agn_fn_new(&g, of_argument, &h, NULL, 2, 1));
    must(agn_fn_compile(&plan, g, NULL));
    must(agn_threads_set(1));
    must(agn_fn_call(&y, 1, h.loop, AGN_ARGS(x)));
    must(agn_threads_set(3));
    must(agn_fn_call(&z, 1, plan, AGN_ARGS(x, w)));
    if (how == 0) /* an argument in another order is copied, and sums of a column go by its order */
        check(q, same_values(y, z), "%lldx%lldx%lld: a constant and an argument", (long long)m,
              (long long)n, (long long)k);
    for (int t = 0; t < STEPS; t++) {
        agn_tensor *at = NULL, *one_y = NULL, *have = NULL;
        must(agn_index_axis(&at, x, 0, t));
        must(left ? agn_matmul(&one_y, w, at) : agn_matmul(&one_y, at, w));
        must(agn_index_axis(&have, y, 0, t));
        check(q, same_values(have, one_y), "%s %lldx%lldx%lld, view %d, %s: step %d",
              agn_dtype_name(dtype), (long long)m, (long long)n, (long long)k, how,
              left ? "left" : "right", t);
        agn_release(at);
        agn_release(one_y);
        agn_release(have);
    }
    agn_tensor *all[] = {wide, w, x, y, z};
    for (int i = 0; i < COUNT(all); i++)
        agn_release(all[i]);
    agn_fn *fs[] = {f, g, plan, h.loop};
    for (int i = 0; i < COUNT(fs); i++)
        agn_fn_release(fs[i]);
}
static void test_held(void)
{
    static const int64_t sizes[][3] = {{13, 17, 19},   {32, 200, 100}, {200, 33, 300}, {7, 129, 513},
                                       {300, 5, 257},  {64, 3100, 30}, {1600, 50, 40}, {97, 95, 600},
                                       {24, 100, 520}, {25, 73, 90},   {1, 300, 200},  {300, 1, 200}};
    tally q = {0, 0};
    for (int k = 0; k < COUNT(sizes); k++)
        for (int d = 0; d < 2; d++)
            for (int how = 0; how < 4; how++)
                for (int left = 0; left < 2; left++)
                    held(&q, d ? AGN_F32 : AGN_F64, sizes[k][0], sizes[k][1], sizes[k][2], how, left);
    tell(&q, "an operand that all steps of a loop share");
}

/* NaN stay in their row; into memory of the caller, nothing beside it is touched */
static void test_edges(void)
{
    enum { M = 101, N = 67, L = 130 };
    static double room[(M + 2) * N], row[L];
    tally q = {0, 0};
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){M, L}, -1, 1);
    agn_tensor *w = random_of(AGN_F64, 2, (int64_t[]){L, N}, -1, 1);
    agn_tensor *bad = NULL, *y = NULL, *into = NULL;
    for (int k = 0; k < L; k++)
        row[k] = k == 77 ? NAN : 1;
    for (int k = 0; k < COUNT(room); k++)
        room[k] = 7;
    agn_tensor *r = of_reals(AGN_F64, 2, (int64_t[]){1, L}, row);
    must(agn_slice_scatter(&bad, x, r, 2, (int64_t[]){50, 0}, (int64_t[]){51, L},
                           (int64_t[]){1, 1}));
    must(agn_matmul(&y, bad, w));
    must(agn_wrap_host(&into, AGN_F64, 2, (int64_t[]){M, N}, NULL, room + N, false, NULL, NULL));
    must(agn_matmul_into(into, bad, w));
    for (int k = 0; k < M * N; k++) {
        check(&q, isnan(peek(y, k)) == (k / N == 50), "element %d: %g", k, peek(y, k));
        check(&q, isnan(room[N + k]) ? k / N == 50 : room[N + k] == peek(y, k), "into: element %d", k);
    }
    for (int k = 0; k < N; k++)
        check(&q, room[k] == 7 && room[(M + 1) * N + k] == 7, "beside the result");
    tell(&q, "NaN stay in their row, nothing is written beside the result");
    agn_tensor *all[] = {x, w, bad, r, y, into};
    for (int i = 0; i < COUNT(all); i++)
        agn_release(all[i]);
}

/* X^T X and X X^T have the bits of a product with a copy of X, above the diagonal too. */
static void test_symmetric(void)
{
    static const int64_t sizes[][2] = {{193, 300}, {240, 7}, {401, 513}, {1601, 40}, {3121, 9}};
    for (int i = 0; i < COUNT(sizes); i++)
        for (int dtype = AGN_F32; dtype <= AGN_F64; dtype++)
            for (int left = 0; left < 2; left++) {
                int64_t m = sizes[i][0], k = sizes[i][1];
                agn_tensor *x = random_of(dtype, 2, (int64_t[]){left ? m : k, left ? k : m}, -1, 1);
                agn_tensor *copy = NULL, *t = NULL, *y[2] = {NULL};
                must(agn_copy(&copy, x));
                must(agn_transpose(&t, x));
                for (int j = 0; j < 2; j++) {
                    const agn_tensor *other = j ? copy : x;
                    must(agn_matmul(&y[j], left ? other : t, left ? t : other));
                }
                ok(same_values(y[0], y[1]), "%s of %lld by %lld, %s", left ? "x x^T" : "x^T x",
                   (long long)m, (long long)k, dtype == AGN_F32 ? "f32" : "f64");
                agn_release(x);
                agn_release(copy);
                agn_release(t);
                agn_release(y[0]);
                agn_release(y[1]);
            }
}

int main(void)
{
    test_sizes();
    test_symmetric();
    test_vectors();
    test_large();
    test_few();
    test_held();
    test_edges();
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
