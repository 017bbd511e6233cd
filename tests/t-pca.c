/* tests/t-pca.c - principal components: against LAPACK's singular values of the centred matrix, dense as
   sparse, of few ranks, in little memory; derivatives in every mode; refused cases. */
#include "whole.h"

#include <lapacke.h>

static agn_tensor *key_of(int64_t seed)
{
    agn_tensor *key = NULL;
    must(agn_from_host(&key, AGN_I64, 1, I64(2), I64(seed, 0)));
    return key;
}

/* less the mean of the rows where center; f64 */
static agn_tensor *plain(const agn_tensor *x, bool center)
{
    agn_tensor *y = NULL;
    agn_scope *s = agn_scope_open(NULL);
    T z = ag_cast(s, x, AGN_F64);
    agn_scope_return(s, &y, center ? ag_sub(s, z, ag_mean(s, z, I32(0), 1, true)) : z);
    must(agn_scope_close(s));
    return y;
}
static double most(const agn_tensor *x)
{
    double e = 0;
    for (int64_t i = 0; i < agn_numel(x); i++)
        e = fmax(e, fabs(peek(x, i)));
    return e;
}
/* largest difference of the values to LAPACK's */
static double values_apart(const agn_tensor *c, const agn_tensor *sv)
{
    int64_t m = agn_shape(c)[0], n = agn_shape(c)[1], k = m < n ? m : n;
    double *a = room_for((size_t)(m * n) * sizeof *a), *s = room_for((size_t)k * sizeof *s), e = 0, none;
    must(agn_to_host(a, c, (size_t)(m * n) * sizeof *a));
    double *work = room_for((size_t)(16 * (m + n)) * sizeof *work);
    if (LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'N', 'N', (int)n, (int)m, a, (int)n, s, &none, 1, &none, 1,
                            work, (int)(16 * (m + n))))
        e = INFINITY;
    for (int64_t i = 0; i < agn_numel(sv); i++)
        e = fmax(e, fabs(peek(sv, i) - s[i]));
    free(a);
    free(s);
    free(work);
    return e;
}
/* |u s v^T - c| */
static double rest(const agn_tensor *c, const agn_tensor *u, const agn_tensor *sv, const agn_tensor *v)
{
    agn_tensor *y = NULL;
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_return(s, &y, ag_sub(s, ag_matmul(s, ag_mul(s, u, sv), ag_swapaxes(s, v, 0, 1)), c));
    must(agn_scope_close(s));
    double e = most(y);
    agn_release(y);
    return e;
}
/* |u^T u - 1|, where s is 0 |u^T u| */
static double askew(const agn_tensor *u, const agn_tensor *sv, bool zeros)
{
    agn_tensor *y = NULL;
    agn_scope *s = agn_scope_open(NULL);
    T one = ag_cast(s, ag_gt(s, sv, ag_zeros_like(s, sv)), agn_dtype_of(sv));
    T eye = ag_eye(s, agn_dtype_of(sv), agn_numel(sv), agn_numel(sv), 0);
    agn_scope_return(s, &y, ag_sub(s, ag_matmul(s, ag_swapaxes(s, u, 0, 1), u),
                                   zeros ? ag_mul(s, eye, one) : eye));
    must(agn_scope_close(s));
    double e = most(y);
    agn_release(y);
    return e;
}

static void exact(void)
{
    static const int64_t shapes[][2] = {{30, 8}, {8, 30}, {9, 9}, {1, 4}, {5, 1}, {0, 3}};
    tally q = {0, 0};
    agn_tensor *key = key_of(7);
    double worst = 0;
    for (int c = 0; c < 2 * COUNT(shapes); c++)
        for (int d = 0; d < 2; d++) {
            int64_t m = shapes[c / 2][0], n = shapes[c / 2][1], k = m < n ? m : n;
            bool tall = m >= n, center = c % 2;
            double near = d ? 1e-10 : 2e-5;
            agn_tensor *x = random_of(d ? AGN_F64 : AGN_F32, 2, I64(m, n), 2, 5), *u = NULL, *s = NULL,
                       *v = NULL;
            must(agn_pca_lowrank(&u, &s, &v, key, x, (int32_t)k, center, 0));
            agn_tensor *plain_ = plain(x, center);
            double e[] = {values_apart(plain_, s), rest(plain_, u, s, v), askew(tall ? u : v, s, true),
                          askew(tall ? v : u, s, false)};
            for (int i = 0; i < COUNT(e); i++) {
                check(&q, e[i] < near, "%dx%d: %d apart %.1e", (int)m, (int)n, i, e[i]);
                worst = d ? fmax(worst, e[i]) : worst;
            }
            check(&q, agn_dtype_of(s) == agn_dtype_of(x) && agn_shape(u)[0] == m && agn_shape(v)[0] == n,
                  "dtype and shapes");
            agn_tensor *gone[] = {x, u, s, v, plain_};
            for (int i = 0; i < COUNT(gone); i++)
                agn_release(gone[i]);
        }
    tell(&q, "all of them: tall, wide, one, none; centred or not; worst in f64 %.1e", worst);
    agn_release(key);
}

/* rank 3 by 5 vectors and no round; values 2^-i by some rounds */
static void few(void)
{
    tally q = {0, 0};
    agn_tensor *key = key_of(3);
    for (int c = 0; c < 4; c++) {
        int64_t m = c % 2 ? 25 : 40, n = c % 2 ? 40 : 25, r = c < 2 ? 3 : 20;
        agn_tensor *a = random_of(AGN_F64, 2, I64(m, r), -1, 1),
                   *b = random_of(AGN_F64, 2, I64(r, n), -1, 1), *x = NULL, *u = NULL, *sv = NULL, *v = NULL;
        agn_scope *s = agn_scope_open(NULL);
        T fall = ag_exp2(s, ag_mul_c(s, ag_arange(s, AGN_F64, 0, (double)r, 1), c < 2 ? 0 : -1));
        agn_scope_return(s, &x, ag_add_c(s, ag_matmul(s, ag_mul(s, a, fall), b), 3));
        must(agn_scope_close(s));
        agn_tensor *plain_ = plain(x, true);
        must(agn_pca_lowrank(&u, &sv, &v, key, x, c < 2 ? 5 : 8, true, c < 2 ? 0 : 6));
        if (c < 2) {
            check(&q, peek(sv, 2) > 0.1 && !(peek(sv, 3) > 0) && !(peek(sv, 4) > 0), "zeros: %g %g",
                  peek(sv, 3), peek(sv, 4));
            check(&q, rest(plain_, u, sv, v) < 1e-13, "rank 3: apart %.1e", rest(plain_, u, sv, v));
            check(&q, values_apart(plain_, sv) < 1e-12, "values apart %.1e", values_apart(plain_, sv));
        } else {
            agn_tensor *top = NULL;
            must(agn_slice(&top, sv, 1, I64(0), I64(3), NULL));
            check(&q, values_apart(plain_, top) < 1e-10, "values apart %.1e", values_apart(plain_, top));
            check(&q, askew(u, sv, false) < 1e-10 && askew(v, sv, false) < 1e-10, "orthonormal");
            agn_release(top);
        }
        agn_tensor *gone[] = {a, b, x, u, sv, v, plain_};
        for (int i = 0; i < COUNT(gone); i++)
            agn_release(gone[i]);
    }
    agn_tensor *x = NULL, *sv = NULL, *u = NULL;
    must(agn_full(&x, AGN_F64, 2, I64(7, 4), 0.1));
    must(agn_pca_lowrank(&u, &sv, NULL, key, x, 2, true, 1));
    check(&q, !(most(sv) > 0) && !(most(u) > 0), "equal rows: %g", most(sv));
    agn_tensor *gone[] = {x, sv, u, key};
    for (int i = 0; i < COUNT(gone); i++)
        agn_release(gone[i]);
    tell(&q, "few: rank 3 is exact, zeros are 0; falling values; equal rows");
}

static void layouts(void)
{
    tally q = {0, 0};
    agn_tensor *key = key_of(11);
    for (int c = 0; c < 2; c++) {
        agn_tensor *sp[4] = {NULL}, *s[5] = {NULL}, *u[5] = {NULL}, *v[5] = {NULL};
        must(agn_sparse_random(&sp[0], key, 2, c ? I64(20, 50) : I64(50, 20), 150, AGN_F64));
        must(agn_sparse_to_dense(&sp[1], sp[0]));
        must(agn_sparse_to_csr(&sp[2], sp[0]));
        must(agn_sparse_to_csc(&sp[3], sp[0]));
        for (int i = 0; i < 5; i++) {
            must(agn_pca_lowrank(&u[i], &s[i], &v[i], key, sp[i % 4], 20, true, 2));
            double e = fmax(modes_apart(u[i], u[0]), modes_apart(v[i], v[0]));
            e = fmax(e, modes_apart(s[i], s[0]));
            check(&q, e < 1e-11, "layout %d: apart %.1e", i, e);
        }
        for (int64_t i = 0; i < agn_numel(u[0]); i++)
            {
            double a = peek(u[0], i), b = peek(u[4], i);
            check(&q, !memcmp(&a, &b, sizeof a), "bits of %d", (int)i);
        }
        for (int i = 0; i < 5; i++) {
            agn_release(s[i]);
            agn_release(u[i]);
            agn_release(v[i]);
            if (i < 4)
                agn_release(sp[i]);
        }
    }
    tell(&q, "coo, csr, csc and dense agree; the same key gives the same bits");
    agn_tensor *x = NULL, *s = NULL, *u = NULL;
    int64_t before, peak;
    must(agn_sparse_random(&x, key, 2, I64(20000, 3000), 60000, AGN_F32));
    agn_memory_reset_peak();
    agn_memory_live(&before, NULL, NULL);
    must(agn_pca_lowrank(&u, &s, NULL, key, x, 6, true, 2));
    agn_memory_live(NULL, NULL, &peak);
    ok(peak - before < 20000 * 3000, "a sparse matrix of 240 MB stays sparse: %" PRId64 " bytes",
       peak - before);
    agn_tensor *gone[] = {x, s, u, key};
    for (int i = 0; i < COUNT(gone); i++)
        agn_release(gone[i]);
}

typedef struct given {
    const agn_tensor *key, *pattern;
    int32_t k, rounds;
} given;
BODY(projected)
{
    const given *q = user;
    agn_tensor *u = NULL, *sv = NULL, *v = NULL;
    T x = in[0];
    if (q->pattern)
        x = ag_sparse_with_values(s, q->pattern, ag_flatten(s, x, -2, -1));
    if (agn_scope_status(s))
        return agn_scope_status(s);
    agn_status st = agn_pca_lowrank(&u, &sv, &v, q->key, x, q->k, true, q->rounds);
    T tu = agn_scope_adopt(s, st, &u), ts = agn_scope_adopt(s, st, &sv), tv = agn_scope_adopt(s, st,
                                                                                              &v);
    T y = ag_matmul(s, ag_mul(s, tu, ag_sin(s, ag_expand_dims(s, ts, -2))), ag_swapaxes(s, tv, -1, -2));
    out[0] = ag_add(s, y, ag_sum_all(s, ts));
    return agn_scope_status(s);
}
static void derivatives(void)
{
    static const struct {
        const char *name;
        int64_t m, n;
        int32_t k, rounds;
        bool sparse;
    } cases[] = {{"tall", 5, 3, 3, 0, false},
                 {"wide, sparse", 3, 5, 2, 150, true},
                 {"part of it, sparse", 6, 4, 2, 150, true}};
    agn_tensor *key = key_of(5);
    for (int c = 0; c < COUNT(cases); c++) {
        int64_t m = cases[c].m, n = cases[c].n;
        agn_tensor *x = random_of(AGN_F64, 2, I64(m, n), -0.3, 0.3), *a = NULL, *d = NULL, *ones = NULL,
                   *full = NULL;
        double *far = room_for((size_t)(m * n) * sizeof *far);
        for (int64_t i = 0; i < m * n; i++)
            far[i] = i / n == i % n ? (double[]){4, -2, 1, 0.3}[i % n] : 0;
        must(agn_from_host(&d, AGN_F64, 2, I64(m, n), far));
        must(agn_add(&a, x, d));
        must(agn_full(&ones, AGN_F64, 2, I64(m, n), 1));
        must(agn_sparse_from_dense(&full, ones));
        given q = {key, cases[c].sparse ? full : NULL, cases[c].k, cases[c].rounds};
        agn_fn *f = whole_fn(projected, &q, 1, 1);
        whole(f, 1, (const T[]){a}, 1e-4, cases[c].name);
        agn_fn_release(f);
        free(far);
        agn_tensor *gone[] = {x, a, d, ones, full};
        for (int i = 0; i < COUNT(gone); i++)
            agn_release(gone[i]);
    }
    agn_release(key);
}

/* every matrix of a batch, dense, on one pattern, on patterns of their own */
static void batches(void)
{
    tally q = {0, 0};
    agn_tensor *key = key_of(7), *x = random_of(AGN_F64, 4, I64(2, 3, 6, 4), 0, 1), *u, *sv, *v;
    agn_scope *s = agn_scope_open(NULL);
    T some = ag_where(s, ag_gt(s, x, ag_lit(s, 0.5)), x, ag_lit(s, 0)), of[] = {x, some, ag_sparse_to_csr(s, some),
                                                                               ag_sparse_to_coo(s, some, 4)};
    for (int k = 0; k < COUNT(of); k++) {
        must(agn_pca_lowrank(&u, &sv, &v, key, of[k], 3, true, 2));
        check(&q, has_shape(u, 4, I64(2, 3, 6, 3)) && has_shape(sv, 3, I64(2, 3, 3)) &&
                      has_shape(v, 4, I64(2, 3, 4, 3)), "shapes, form %d", k);
        for (int64_t b = 0; b < 6; b++) {
            agn_tensor *one[3] = {NULL};
            T m = ag_index_axis(s, ag_index_axis(s, of[k], 0, b / 3), 0, b % 3), all[3] = {u, sv, v};
            must(agn_pca_lowrank(&one[0], &one[1], &one[2], key, m, 3, true, 2));
            for (int j = 0; j < 3; j++) {
                T part = ag_index_axis(s, ag_index_axis(s, all[j], 0, b / 3), 0, b % 3);
                check(&q, hash_of(part) == hash_of(one[j]), "form %d, matrix %d, result %d", k, (int)b, j);
                agn_release(one[j]);
            }
        }
        agn_release(u);
        agn_release(sv);
        agn_release(v);
    }
    T none = ag_slice(s, x, 1, I64(0), I64(0), NULL);
    must(agn_pca_lowrank(NULL, &sv, &v, key, none, 2, false, 0));
    check(&q, has_shape(sv, 3, I64(0, 3, 2)) && has_shape(v, 4, I64(0, 3, 4, 2)), "no matrix at all");
    agn_release(sv);
    agn_release(v);
    tell(&q, "batches");
    double far[18] = {0};
    for (int i = 0; i < 18; i++)
        far[i] = i % 9 / 3 == i % 3 ? (double[]){4, -2, 1}[i % 3] : 0;
    agn_tensor *w = random_of(AGN_F64, 3, I64(2, 3, 3), -0.3, 0.3), *a = of_reals(AGN_F64, 3, I64(2, 3, 3), far);
    T full = ag_sparse_to_csr(s, ag_full(s, AGN_F64, 3, I64(2, 3, 3), 1));
    for (int k = 0; k < 2; k++) {
        given g = {key, k ? full : NULL, 3, 0};
        agn_fn *f = whole_fn(projected, &g, 1, 1);
        whole(f, 1, (const T[]){ag_add(s, w, a)}, 1e-4, k ? "a batch, sparse" : "a batch");
        agn_fn_release(f);
    }
    must(agn_scope_close(s));
    agn_release(w);
    agn_release(a);
    agn_release(key);
    agn_release(x);
}

/* of a matrix of rank 4: torch.svd_lowrank gives the singular values of numpy.linalg.svd */
static void without_means(void)
{
    tally q = {0, 0};
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *key = key_of(5), *l = random_of(AGN_F64, 2, I64(30, 4), 0, 1),
               *r = random_of(AGN_F64, 2, I64(4, 21), 0, 1), *u, *sv, *v;
    T x = ag_matmul(s, l, r), all = ag_linalg_svdvals(s, x);
    const T of[] = {x, ag_sparse_to_csr(s, x)};
    for (int k = 0; k < 2; k++) {
        must(agn_svd_lowrank(&u, &sv, &v, key, of[k], 6, 1));
        T back = ag_matmul(s, ag_mul(s, u, sv), ag_swapaxes(s, v, 0, 1));
        double off = 0, most = 0;
        for (int i = 0; i < 6; i++)
            most = fmax(most, fabs(peek(sv, i) - (i < 4 ? peek(all, i) : 0)));
        for (int i = 0; i < 30 * 21; i++)
            off = fmax(off, fabs(peek(back, i) - peek(x, i)));
        check(&q, most < 1e-12 && off < 1e-12, "values off by %g, the matrix by %g", most, off);
        agn_release(u);
        agn_release(sv);
        agn_release(v);
    }
    agn_tensor *o = untouched;
    agn_status st = agn_svd_lowrank(NULL, &o, NULL, key, x, 22, 1);
    check(&q, refused(st, AGN_EARG, "svd_lowrank", "22 values", "21", o), "too many");
    st = agn_svd_lowrank(NULL, &o, NULL, key, x, 2, -1);
    check(&q, refused(st, AGN_EARG, "svd_lowrank", "niter is -1", NULL, o), "rounds");
    st = agn_svd_lowrank(NULL, NULL, NULL, key, x, 2, 1);
    check(&q, refused(st, AGN_ENULL, "svd_lowrank", "s is NULL", NULL, o), "no place for values");
    st = agn_svd_lowrank(NULL, &o, NULL, NULL, x, 2, 1);
    check(&q, refused(st, AGN_ENULL, "svd_lowrank", "key is NULL", NULL, o), "no key");
    st = agn_svd_lowrank(NULL, &o, NULL, key, NULL, 2, 1);
    check(&q, refused(st, AGN_ENULL, "svd_lowrank", "x is NULL", NULL, o), "no matrix");
    tell(&q, "svd_lowrank");
    must(agn_scope_close(s));
    agn_release(key);
    agn_release(l);
    agn_release(r);
}

static void refusals(void)
{
    tally q = {0, 0};
    agn_tensor *key = key_of(1), *keys = NULL, *x = random_of(AGN_F64, 2, I64(6, 4), 0, 1),
               *row = random_of(AGN_F64, 1, I64(6), 0, 1), *z = random_of(AGN_C128, 2, I64(6, 4), 0, 1),
               *bad = NULL, *huge = NULL, *point = NULL, *long_ = NULL, *three = NULL, *l;
    must(agn_from_host(&three, AGN_I64, 1, I64(3), I64(1, 2, 3)));
    must(agn_key_split(&keys, key, 3));
    must(agn_full(&bad, AGN_F64, 2, I64(6, 4), NAN));
    must(agn_full(&huge, AGN_F64, 2, I64(6, 4), 1e200));
    must(agn_full(&point, AGN_F64, 2, I64(1, 1), 1));
    must(agn_broadcast_to(&long_, point, 2, I64(1, (int64_t)1 << 31)));
#define NO(st, f1, f2, call)                                                              \
    do {                                                                                  \
        l = untouched;                                                                    \
        agn_status st_ = call;                                                            \
        check(&q, refused(st_, st, "pca_lowrank", f1, f2, l), "%s", #call);               \
    } while (0)
#define PCA(key, x, k, rounds) agn_pca_lowrank(NULL, &l, NULL, key, x, k, true, rounds)
    NO(AGN_ENULL, "s is NULL", NULL, agn_pca_lowrank(&l, NULL, NULL, key, x, 2, true, 2));
    NO(AGN_ENULL, "key is NULL", NULL, PCA(NULL, x, 2, 2));
    NO(AGN_ENULL, "x is NULL", NULL, PCA(key, NULL, 2, 2));
    NO(AGN_ESHAPE, "[6]", "1 axes", PCA(key, row, 2, 2));
    NO(AGN_ESHAPE, "[3,2]", "2 axes", PCA(keys, x, 2, 2));
    NO(AGN_ESHAPE, "[3]", NULL, PCA(three, x, 2, 2));
    NO(AGN_EARG, "5 values", "4", PCA(key, x, 5, 2));
    NO(AGN_EARG, "-1 values", "4", PCA(key, x, -1, 2));
    NO(AGN_EARG, "niter is -1", NULL, PCA(key, x, 2, -1));
    NO(AGN_EDTYPE, "c128", NULL, PCA(key, z, 2, 2));
    agn_tensor *real = random_of(AGN_F64, 1, I64(2), 0, 1);
    NO(AGN_EDTYPE, "f64", NULL, PCA(real, x, 2, 2));
    NO(AGN_EDOMAIN, "nan", NULL, PCA(key, bad, 2, 2));
    NO(AGN_EDOMAIN, "1e150", "inf", PCA(key, huge, 2, 2));
    NO(AGN_EUNSUPPORTED, "2147483648", "LAPACK", PCA(key, long_, 1, 2));
    tell(&q, "what pca_lowrank refuses");
    /* two equal values have no vectors of their own */
    agn_tensor *eye = NULL;
    must(agn_eye(&eye, AGN_F64, 5, 5, 0));
    given g = {key, NULL, 3, 2};
    agn_fn *f = whole_fn(projected, &g, 1, 1), *d = NULL;
    must(agn_fn_jvp(&d, f));
    agn_tensor *t = random_of(AGN_F64, 2, I64(5, 5), 0, 1);
    ok(no_call(d, (const T[]){eye, t}, AGN_EDOMAIN, "pca_lowrank", "simple"), "vectors of equal values");
    agn_fn_release(f);
    agn_tensor *gone[] = {key, keys, x, row, z, bad, huge, point, long_, three, real, eye, t};
    for (int i = 0; i < COUNT(gone); i++)
        agn_release(gone[i]);
}

int main(void)
{
    exact();
    without_means();
    few();
    layouts();
    derivatives();
    batches();
    refusals();
    int64_t blocks;
    agn_memory_live(NULL, &blocks, NULL);
    ok(blocks == 0, "nothing is left: %" PRId64 " blocks", blocks);
    return done();
}
