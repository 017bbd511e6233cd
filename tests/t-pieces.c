/* t-pieces - running sums, masks and indices whose pieces threads share: sizes around the pieces,
   the same bits for any number of threads. Results larger than the caches. */
#include "laws.h"

enum { BLOCK = 256, PIECE = 16 * 4 * BLOCK, MASKED = 1 << 15 };

/* the running sum of each lane of x [outer, n] against sums of long double */
static void test_running(void)
{
    static const int64_t sizes[][2] = {{1, 4 * PIECE}, {1, 4 * PIECE + 1}, {1, 5 * PIECE - 1},
                                       {2, 4 * PIECE + 3 * BLOCK + 7}, {1, 7 * PIECE + 5 * BLOCK},
                                       {3, (1 << 20) + 3 * BLOCK + 5}}; /* the last beyond the caches */
    static const int dtypes[] = {AGN_F64, AGN_F32, AGN_I64, AGN_I32};
    tally t = {0}, u = {0};
    for (int k = 0; k < COUNT(sizes); k++)
        for (int d = 0; d < COUNT(dtypes); d += tap_quick() ? 3 : 1)
            for (int back = 0; back < 2; back++) {
                int64_t n = sizes[k][1], outer = sizes[k][0];
                agn_tensor *x = random_of(dtypes[d], 2, sizes[k], -9, 9), *one = NULL;
                int32_t flags = back ? AGN_SCAN_REVERSE : 0;
                for (int threads = 1; threads <= 5; threads += 2) {
                    agn_tensor *y = NULL;
                    must(agn_threads_set(threads));
                    must(agn_cumsum_as(&y, x, 1, flags));
                    if (one)
                        check(&u, same_values(one, y), "%s, %d lanes of %lld: %d threads",
                              agn_dtype_name(dtypes[d]), (int)outer, (long long)n, threads);
                    if (one)
                        agn_release(y);
                    else
                        one = y;
                }
                double worst = 0, eps = dtypes[d] == AGN_F32 ? 0x1p-24 : 0x1p-53;
                for (int64_t o = 0; o < outer; o++) {
                    long double sum = 0, size = 0;
                    for (int64_t i = 0; i < n; i++) {
                        int64_t at = o * n + (back ? n - 1 - i : i);
                        long double v = peek(x, at);
                        sum += v;
                        size += v < 0 ? -v : v;
                        double e = fabs((double)((long double)peek(one, at) - sum));
                        worst = fmax(worst, e / ((double)size * eps + 1e-300));
                    }
                }
                check(&t, worst <= (d < 2 ? BLOCK + 4 : 0), "%s, %d lanes of %lld: off by %.1f eps",
                      agn_dtype_name(dtypes[d]), (int)outer, (long long)n, worst);
                agn_release(x), agn_release(one);
            }
    must(agn_threads_set(0));
    tell(&t, "running sums, both ways, within the error of a block and its carry");
    tell(&u, "are the same for 1, 3 and 5 threads");
}

/* in place: what is read is not yet written over */
static void test_in_place(void)
{
    int64_t n = 4 * PIECE + 77;
    tally t = {0};
    agn_tensor *x = random_of(AGN_F64, 1, &n, -1, 1), *y = NULL, *z = NULL;
    must(agn_threads_set(3));
    must(agn_cumsum(&y, x, 0));
    must(agn_copy(&z, x));
    must(agn_cumsum_into(z, z, 0));
    check(&t, same_values(y, z), "into the operand itself");
    must(agn_threads_set(0));
    tell(&t, "running sums in place");
    agn_release(x), agn_release(y), agn_release(z);
}

/* places of non-zeros of x, by each of its functions */
static void test_places(void)
{
    static const struct {
        int nd;
        int64_t shape[3];
    } of[] = {{1, {4 * MASKED}}, {1, {4 * MASKED + 1}}, {1, {6 * MASKED - 1}}, {2, {999, 333}},
              {3, {11, 7, 1801}}, {2, {MASKED * 5, 1}}, {2, {1, 5 * MASKED}}};
    static const int one_of[] = {2, 100, 1, 1 << 30};
    tally t = {0}, u = {0}, w = {0};
    for (int k = 0; k < COUNT(of); k++)
        for (int p = 0; p < COUNT(one_of); p++) {
            int nd = of[k].nd;
            int64_t n = count_of(nd, of[k].shape), count = 0;
            double *v = room_for((size_t)n * sizeof *v);
            for (int64_t i = 0; i < n; i++)
                count += (v[i] = rnd_below(one_of[p]) == 0) != 0;
            agn_tensor *mask = of_reals(AGN_BOOL, nd, of[k].shape, v), *x = NULL;
            agn_tensor *values = random_of(AGN_F64, nd, of[k].shape, -1, 1);
            uint64_t h[2] = {0};
            for (int threads = 1; threads <= 4; threads += 3) {
                agn_tensor *at[3] = {NULL}, *rows = NULL, *y = NULL;
                must(agn_threads_set(threads));
                must(agn_nonzero(at, nd, mask));
                must(agn_argwhere(&rows, mask));
                must(agn_index(&y, values, AGN_IX(agn_ix_array(mask))));
                bool good = agn_numel(y) == count && agn_numel(rows) == count * nd;
                for (int64_t i = 0, c = 0; good && i < n; i++) {
                    if (!v[i])
                        continue;
                    good = peek(y, c) == peek(values, i);
                    int64_t rest = i;
                    for (int d = nd - 1; d >= 0; d--) {
                        int64_t a = rest % of[k].shape[d];
                        rest /= of[k].shape[d];
                        good = good && peek_int(at[d], c) == a && peek_int(rows, c * nd + d) == a;
                    }
                    c++;
                }
                check(&t, good, "%s, one of %d: %lld places", SHAPE_TEXT(mask), one_of[p],
                      (long long)count);
                if (threads == 1)
                    h[0] = hash_of(rows), h[1] = hash_of(y);
                check(&u, hash_of(rows) == h[0] && hash_of(y) == h[1], "%s: %d threads",
                      SHAPE_TEXT(mask), threads);
                for (int d = 0; d < nd; d++)
                    agn_release(at[d]);
                agn_release(rows), agn_release(y);
            }
            free(v);
            agn_release(mask), agn_release(values), agn_release(x);
        }
    /* an index out of range anywhere in what threads look at is found, and named */
    int64_t n = 5 * MASKED;
    double *v = room_for((size_t)n * sizeof *v);
    agn_tensor *x = random_of(AGN_F64, 1, (int64_t[]){9}, -1, 1);
    must(agn_threads_set(4));
    for (int64_t bad = 0; bad < n; bad += bad < n - 1 && bad + n / 3 >= n ? n - 1 - bad : n / 3) {
        for (int64_t i = 0; i < n; i++)
            v[i] = i == bad ? 9 : (double)(i % 9);
        agn_tensor *idx = of_reals(AGN_I64, 1, &n, v), *y = untouched;
        char place[40];
        snprintf(place, sizeof place, "place %lld ", (long long)bad);
        check(&w, refused(agn_gather(&y, x, idx, 0), AGN_EINDEX, "gather", "index 9", place, y),
              "index at %s", place);
        agn_release(idx);
        if (bad == n - 1)
            break;
    }
    must(agn_threads_set(0));
    free(v);
    agn_release(x);
    tell(&t, "nonzero, argwhere and reading by a mask");
    tell(&u, "are the same for 1 and 4 threads");
    tell(&w, "an index out of range among many is named");
}

/* Results larger than the caches, which are written past them: the same as in parts that are not, from
   and to places within a line, nothing beside them. */
static void test_far(void)
{
    enum { N = (1 << 22) + 77, PART = 1 << 18, MARGIN = 16 };
    tally t = {0};
    must(agn_threads_set(3));
    for (int d = 0; d < 2; d++)
        for (int shift = 0; shift < 4; shift += tap_quick() ? 3 : 1) {
            int dtype = d ? AGN_F64 : AGN_F32;
            size_t bytes = d ? 8 : 4;
            char *room = room_for((size_t)(N + 2 * MARGIN) * bytes), *at = room + (MARGIN + shift) * (int)bytes;
            memset(room, 7, (size_t)(N + 2 * MARGIN) * bytes);
            agn_tensor *a = random_of(dtype, 1, (int64_t[]){N}, -1, 1), *y = NULL, *z = NULL;
            agn_tensor *b = random_of(dtype, 1, (int64_t[]){N}, -1, 1), *c = NULL, *two = scalar_of(dtype, 2);
            must(agn_wrap_host(&y, dtype, 1, (int64_t[]){N}, NULL, at, false, NULL, NULL));
            must(agn_add_into(y, a, b));
            bool good = true;
            for (int k = 0; k < MARGIN + shift && good; k++)
                good = room[k] == 7;
            for (int64_t k = (int64_t)(N + MARGIN + shift) * (int64_t)bytes;
                 good && k < (N + 2 * MARGIN) * (int64_t)bytes; k++)
                good = room[k] == 7;
            check(&t, good, "%s: beside a sum at %d", agn_dtype_name(dtype), shift);
            must(agn_cast(&c, b, d ? AGN_F32 : AGN_F64));
            must(agn_mul(&z, a, two));
            for (int64_t lo = 0; lo < N; lo += PART) {
                int64_t hi = lo + PART < N ? lo + PART : N, step = 1;
                agn_tensor *u[6] = {NULL}, *v[3] = {NULL};
                const agn_tensor *all[5] = {a, b, y, c, z};
                for (int i = 0; i < 5; i++)
                    must(agn_slice(&u[i], all[i], 1, &lo, &hi, &step));
                must(agn_add(&v[0], u[0], u[1]));
                must(agn_cast(&v[1], u[1], d ? AGN_F32 : AGN_F64));
                must(agn_mul(&v[2], u[0], two));
                for (int i = 0; i < 3; i++)
                    check(&t, same_values(u[2 + i], v[i]), "%s at %d: part %lld of result %d",
                          agn_dtype_name(dtype), shift, (long long)lo, i);
                for (int i = 0; i < 6; i++)
                    agn_release(u[i]), agn_release(i < 3 ? v[i] : NULL);
            }
            agn_tensor *all[] = {a, b, c, y, z, two};
            for (int i = 0; i < COUNT(all); i++)
                agn_release(all[i]);
            free(room);
        }
    tell(&t, "sums, products with a number and casts larger than the caches");
    /* moved: transposed (whole squares and none), side by side, one after the other */
    static const int64_t shapes[][2] = {{2048, 1088}, {2053, 1031}, {1030, 2056}};
    tally u = {0};
    for (int k = 0; k < COUNT(shapes); k++) {
        agn_tensor *x = random_of(AGN_F64, 2, shapes[k], -1, 1), *tr = NULL, *y = NULL, *sum = NULL;
        agn_tensor *ends = NULL, *beside = NULL;
        must(agn_transpose(&tr, x));
        must(agn_copy(&y, tr));
        must(agn_add(&sum, tr, y));
        must(agn_concat(&ends, (const agn_tensor *[]){x, x}, 2, 0));
        must(agn_concat(&beside, (const agn_tensor *[]){x, x}, 2, 1));
        int64_t m = shapes[k][0], n = shapes[k][1];
        bool good = true;
        for (int64_t i = 0; i < m; i++)
            for (int64_t j = 0; good && j < n; j++) {
                double v = peek(x, i * n + j);
                good = peek(y, j * m + i) == v && peek(sum, j * m + i) == 2 * v &&
                       peek(ends, i * n + j) == v && peek(ends, (m + i) * n + j) == v &&
                       peek(beside, 2 * i * n + j) == v && peek(beside, (2 * i + 1) * n + j) == v;
            }
        check(&u, good, "moves of %s", SHAPE_TEXT(x));
        agn_tensor *all[] = {x, tr, y, sum, ends, beside};
        for (int i = 0; i < COUNT(all); i++)
            agn_release(all[i]);
    }
    must(agn_threads_set(0));
    tell(&u, "copies, sums of transposed operands, joins larger than the caches");
}

int main(void)
{
    test_running();
    test_in_place();
    test_places();
    test_far();
    int64_t blocks = -1;
    agn_memory_live(NULL, &blocks, NULL);
    diag("blocks alive at the end: %d", (int)blocks);
    return done();
}
