/* tests/t-product.c - matmul and einsum against plain sums over all indices. */
#include "laws.h"

static double unit_of(int d)
{
    return d == AGN_F16                   ? 0x1p-10
           : d == AGN_BF16                ? 0x1p-7
           : d == AGN_F32 || d == AGN_C64 ? 0x1p-22
                                          : 0x1p-50;
}

/* what an integer sum becomes in its dtype */
static int64_t wrapped(uint64_t v, int d)
{
    switch (d) {
    case AGN_U8:
        return (uint8_t)v;
    case AGN_I8:
        return (int8_t)(uint8_t)v;
    case AGN_I16:
        return (int16_t)(uint16_t)v;
    case AGN_I32:
        return (int32_t)(uint32_t)v;
    default:
        return (int64_t)v;
    }
}

/* ---- matmul --------------------------------------------------------------------------- */

static bool product_is(const agn_tensor *y, const agn_tensor *a, const agn_tensor *b)
{
    int na = agn_ndim(a), nb = agn_ndim(b),
        d = agn_promote(agn_dtype_of(a), agn_dtype_of(b));
    bool row = na == 1, col = nb == 1;
    int64_t m = row ? 1 : agn_shape(a)[na - 2], k = agn_shape(a)[na - 1];
    int64_t n = col ? 1 : agn_shape(b)[nb - 1], want[32];
    int ba = row ? 0 : na - 2, bb = col ? 0 : nb - 2, nw = ba > bb ? ba : bb;
    int batch = nw;
    for (int i = 0; i < batch; i++) {
        int p = i - (batch - ba), q = i - (batch - bb);
        int64_t sa = p < 0 ? 1 : agn_shape(a)[p], sb = q < 0 ? 1 : agn_shape(b)[q];
        want[i] = sa == 1 ? sb : sa;
    }
    int64_t lots = count_of(batch, want);
    if (!row)
        want[nw++] = m;
    if (!col)
        want[nw++] = n;
    if (!has_shape(y, nw, want) || agn_dtype_of(y) != d || !agn_is_contiguous(y))
        return false;
    for (int64_t l = 0; l < lots; l++) {
        int64_t rest = l, la = 0, lb = 0, ua = 1, ub = 1;
        for (int i = batch - 1; i >= 0; i--) {
            int p = i - (batch - ba), q = i - (batch - bb);
            int64_t at = rest % want[i];
            if (p >= 0)
                la += (agn_shape(a)[p] == 1 ? 0 : at) * ua, ua *= agn_shape(a)[p];
            if (q >= 0)
                lb += (agn_shape(b)[q] == 1 ? 0 : at) * ub, ub *= agn_shape(b)[q];
            rest /= want[i];
        }
        for (int64_t i = 0; i < m; i++)
            for (int64_t j = 0; j < n; j++) {
                double complex acc = 0;
                double scale = 0;
                uint64_t whole = 0;
                for (int64_t q = 0; q < k; q++) {
                    int64_t pa = (la * m + i) * k + q, pb = (lb * k + q) * n + j;
                    if (kind_of(d) == KIND_INT) {
                        whole += (uint64_t)peek_int(a, pa) * (uint64_t)peek_int(b, pb);
                    } else {
                        double complex t = peekz(a, pa) * peekz(b, pb);
                        acc += t, scale += cabs(t);
                    }
                }
                int64_t at = (l * m + i) * n + j;
                if (kind_of(d) == KIND_INT
                        ? peek_int(y, at) != wrapped(whole, d)
                        : cabs(peekz(y, at) - acc) > unit_of(d) * 2 * scale)
                    return false;
            }
    }
    return true;
}

static void one_matmul(tally *t, const agn_tensor *a, const agn_tensor *b)
{
    agn_tensor *y = NULL;
    uint64_t ha = hash_of(a), hb = hash_of(b);
    agn_status st = agn_matmul(&y, a, b);
    check(t, !st, "%s", agn_error_message());
    if (st)
        return;
    check(t, product_is(y, a, b), "%s %s @ %s %s -> %s, strides %s @ %s",
          agn_dtype_name(agn_dtype_of(a)), SHAPE_TEXT(a),
          agn_dtype_name(agn_dtype_of(b)), SHAPE_TEXT(b), SHAPE_TEXT(y),
          shape_text(agn_ndim(a), agn_strides(a)),
          shape_text(agn_ndim(b), agn_strides(b)));
    check(t, hash_of(a) == ha && hash_of(b) == hb, "matmul changed an argument");
    agn_release(y);
}

static void test_matmul(void)
{
    tally t = {0};
    for (int ra = 1; ra <= 8;
         ra++) /* ranks, batches that broadcast, sizes 0 to 4 (I4, I6, B3) */
        for (int rb = 1; rb <= 8; rb++)
            for (int trial = 0; trial < tap_scale(60); trial++) {
                int64_t batch[8], sa[8], sb[8], m = rnd_below(5), k = rnd_below(5),
                                                n = rnd_below(5);
                for (int i = 0; i < 6; i++)
                    batch[i] = trial % 11 ? 1 + rnd_below(2) : rnd_below(2);
                for (int i = 0; i < ra - 2; i++)
                    sa[i] = rnd_below(3) ? batch[6 - (ra - 2) + i] : 1;
                for (int i = 0; i < rb - 2; i++)
                    sb[i] = rnd_below(3) ? batch[6 - (rb - 2) + i] : 1;
                sa[ra - 1] = k;
                if (ra > 1)
                    sa[ra - 2] = m;
                sb[rb == 1 ? 0 : rb - 2] = k;
                if (rb > 1)
                    sb[rb - 1] = n;
                int da = 1 + (int)rnd_below(AGN_NDTYPES - 1),
                    db = trial % 2 ? da : (int)rnd_below(AGN_NDTYPES);
                agn_tensor *x = random_of(da, ra, sa, -9, 9),
                           *y = random_of(db, rb, sb, -9, 9);
                agn_tensor *a = laid_out(x, (int)rnd_below(N_LAYOUTS));
                agn_tensor *b = laid_out(y, (int)rnd_below(N_LAYOUTS));
                one_matmul(&t, a, b);
                agn_release(x), agn_release(y), agn_release(a), agn_release(b);
            }
    tell(
        &t,
        "matmul: ranks 1 to 8, broadcast batches, empty sizes, all dtypes and layouts");

    t = (tally){0};
    static const int64_t sizes[] = {1, 2, 3, 8, 17, 65};
    static const int dtypes[] = {AGN_F32, AGN_F64, AGN_C64, AGN_C128,
                                 AGN_I64, AGN_I32, AGN_F16};
    int turn = 0;
    for (int i = 0; i < COUNT(sizes); i++)
        for (int j = 0; j < COUNT(sizes); j++)
            for (int l = 0; l < COUNT(sizes); l++)
                for (int la = 0; la < N_LAYOUTS; la++)
                    for (int lb = 0; lb < N_LAYOUTS; lb++) {
                        int64_t m = sizes[i], k = sizes[j], n = sizes[l];
                        int d = dtypes[turn++ % COUNT(dtypes)];
                        if (m * n * k > 20000 &&
                            (turn % 5 || tap_quick()))
                            continue;
                        agn_tensor *x = random_of(d, 2, (int64_t[]){m, k}, -9, 9);
                        agn_tensor *y = random_of(d, 2, (int64_t[]){k, n}, -9, 9);
                        agn_tensor *a = laid_out(x, la), *b = laid_out(y, lb);
                        one_matmul(&t, a, b);
                        agn_release(x), agn_release(y), agn_release(a), agn_release(b);
                    }
    tell(&t, "matmul: sizes around the kernels' limits in every pair of layouts");

    t = (tally){0};
    for (int trial = 0; trial < tap_scale(400); trial++) {
        int64_t m = 1 + rnd_below(9), k = 1 + rnd_below(9), n = 1 + rnd_below(9),
                batch = 1 + rnd_below(5);
        int d = dtypes[trial % COUNT(dtypes)];
        agn_tensor *x = random_of(d, 3, (int64_t[]){trial % 2 ? 1 : batch, m, k}, -9,
                                  9),
                   *a = NULL;
        agn_tensor *y = random_of(d, 3, (int64_t[]){trial % 2 ? batch : 1, 1, n}, -9,
                                  9),
                   *b = NULL;
        /* stride 0 in a batch axis, and within the matrix */
        must(agn_broadcast_to(&a, x, 3, (int64_t[]){batch, m, k}));
        must(agn_broadcast_to(&b, y, 3, (int64_t[]){batch, k, n}));
        one_matmul(&t, a, b);
        agn_tensor *ta = NULL, *tb = NULL, *ra = NULL;
        must(agn_transpose(&ta, a));
        must(agn_transpose(&tb, b));
        one_matmul(&t, tb, ta);
        must(agn_flip(&ra, a, (int32_t[]){1, 0}, 2));
        one_matmul(&t, ra, b);
        agn_release(x), agn_release(y), agn_release(a), agn_release(b);
        agn_release(ta), agn_release(tb), agn_release(ra);
    }
    tell(&t, "matmul: strides of 0, transposed and reversed batches");

    /* columns in a batch of two axes times one matrix: apart evenly, in another order, some the same */
    t = (tally){0};
    for (int trial = 0; trial < tap_scale(200); trial++) {
        int64_t m = 1 + rnd_below(9), k = 1 + rnd_below(9);
        int64_t full[] = {1 + rnd_below(4), 1 + rnd_below(4), k, 1}, some[4];
        int d = dtypes[trial % COUNT(dtypes)];
        for (int i = 0; i < 4; i++)
            some[i] = i < 3 && rnd_below(3) == 0 ? 1 : full[i];
        agn_tensor *a = random_of(d, 2, (int64_t[]){m, k}, -9, 9), *x = random_of(d, 4, some, -9, 9),
                   *wide = NULL, *swapped = NULL, *turned = NULL;
        must(agn_broadcast_to(&wide, x, 4, full));
        must(agn_permute(&swapped, wide, (int32_t[]){1, 0, 2, 3}, 4));
        must(agn_flip(&turned, wide, (int32_t[]){(int32_t)rnd_below(3)}, 1));
        one_matmul(&t, a, wide);
        one_matmul(&t, a, swapped);
        one_matmul(&t, a, turned);
        agn_release(a), agn_release(x), agn_release(wide), agn_release(swapped), agn_release(turned);
    }
    tell(&t, "matmul: columns of a batch times one matrix");

    /* a column whose one row has any stride must not reach BLAS as an increment */
    agn_tensor *a = random_of(AGN_F64, 2, (int64_t[]){100, 1}, -1, 1),
               *one = scalar_of(AGN_F64, 3);
    agn_tensor *b = NULL, *y = NULL;
    must(agn_broadcast_to(&b, one, 2, (int64_t[]){1, 1}));
    must(agn_matmul(&y, a, b));
    ok(product_is(y, a, b), "[100,1] times a broadcast [1,1]");
    agn_release(a), agn_release(b), agn_release(one), agn_release(y);

    /* infinities and NaN are not multiplied away, sums of nothing are 0 */
    a = of_reals(AGN_F64, 2, (int64_t[]){1, 2}, (double[]){0, (double)INFINITY});
    b = of_reals(AGN_F64, 2, (int64_t[]){2, 1}, (double[]){(double)NAN, 1});
    must(agn_matmul(&y, a, b));
    ok(isnan(peek(y, 0)), "0 times NaN within a product is NaN");
    agn_release(a), agn_release(b), agn_release(y);

    t = (tally){0};
    static const int floats[] = {AGN_F32, AGN_F64, AGN_C128};
    for (int d = 0; d < 3; d++) {
        a = random_of(floats[d], 3, (int64_t[]){3, 150, 70}, -1, 1);
        b = random_of(floats[d], 2, (int64_t[]){70, 90}, -1, 1);
        uint64_t h = 0;
        for (int threads = 1; threads <= 8; threads = threads == 3 ? 8 : threads + 1) {
            must(agn_threads_set(threads));
            must(agn_matmul(&y, a, b));
            h = threads == 1 ? hash_of(y) : h;
            check(&t, hash_of(y) == h, "%s with %d threads", agn_dtype_name(floats[d]),
                  threads);
            agn_release(y);
        }
        agn_release(a), agn_release(b);
    }
    must(agn_threads_set(0));
    tell(&t, "matmul: the same bits for 1, 2, 3 and 8 threads");
}

/* ---- einsum ------------------------------------------------------------------------------- */

enum { POOL = 6, DOTS = 2, AXES = POOL + DOTS };
static const char pool[POOL] = {'b', 'a', 'Z', 'i', 'j', 'A'};

typedef struct spec {
    char text[128];
    int n, rank[4], axis[4][12], nout, out[12];
    int64_t size[AXES];
    agn_tensor *x[4];
} spec;

static void put_space(char *s)
{
    if (rnd_below(6) == 0)
        strcat(s, " ");
}
static void put_axis(char *s, int axis)
{
    char c[2] = {pool[axis], 0};
    strcat(s, c);
    put_space(s);
}

static void random_spec(spec *q, int trial)
{
    memset(q, 0, sizeof *q);
    q->n = 1 + (int)rnd_below(4);
    int dots_all = 0, count[AXES] = {0};
    bool dots_used = false;
    for (int a = 0; a < AXES; a++)
        q->size[a] = trial % 25 ? 1 + rnd_below(3) : rnd_below(3);
    for (int i = 0; i < q->n; i++) {
        int64_t shape[12];
        int letters = (int)rnd_below(q->n > 2 ? 4 : 5), dots = -1,
            at = (int)rnd_below(letters + 1);
        if (rnd_below(3) == 0)
            dots = (int)rnd_below(DOTS + 1);
        for (int k = 0; k <= letters; k++) {
            if (k == at && dots >= 0) {
                strcat(q->text, "...");
                put_space(q->text);
                dots_used = true;
                for (int e = 0; e < dots; e++) {
                    int axis = POOL + DOTS - dots + e;
                    shape[q->rank[i]] = rnd_below(3) ? q->size[axis] : 1;
                    q->axis[i][q->rank[i]++] = axis;
                }
                dots_all = dots > dots_all ? dots : dots_all;
            }
            if (k == letters)
                break;
            int axis = (int)rnd_below(POOL);
            put_axis(q->text, axis);
            count[axis]++;
            shape[q->rank[i]] = q->size[axis];
            q->axis[i][q->rank[i]++] = axis;
        }
        static const int kinds[] = {AGN_F64, AGN_F64, AGN_F32, AGN_C128, AGN_I64,
                                    AGN_I32, AGN_F16, AGN_U8,  AGN_BOOL};
        int d = kinds[trial % 3 ? (trial / 3) % 5 : rnd_below(i ? 9 : 8)];
        agn_tensor *b = random_of(d, q->rank[i], shape, -4, 4);
        q->x[i] = laid_out(b, (int)rnd_below(N_LAYOUTS));
        agn_release(b);
        if (i + 1 < q->n)
            strcat(q->text, ",");
        put_space(q->text);
    }
    /* broadcast axes that are 1 in every operand are 1 */
    for (int a = POOL; a < AXES; a++) {
        int64_t most = 1;
        for (int i = 0; i < q->n; i++)
            for (int k = 0; k < q->rank[i]; k++)
                if (q->axis[i][k] == a && agn_shape(q->x[i])[k] != 1)
                    most = agn_shape(q->x[i])[k];
        q->size[a] = most;
    }
    if (rnd_below(4) ==
        0) { /* implicit: dots, then letters that occur once, as ASCII sorts */
        for (int e = 0; e < dots_all; e++)
            q->out[q->nout++] = AXES - dots_all + e;
        for (int c = 'A'; c <= 'z'; c++)
            for (int a = 0; a < POOL; a++)
                if (pool[a] == c && count[a] == 1)
                    q->out[q->nout++] = a;
        return;
    }
    strcat(q->text, "->");
    put_space(q->text);
    int order[POOL];
    for (int a = 0; a < POOL; a++)
        order[a] = a;
    for (int a = POOL - 1; a > 0; a--) {
        int b = (int)rnd_below(a + 1), o = order[a];
        order[a] = order[b], order[b] = o;
    }
    int at = (int)rnd_below(POOL + 1);
    for (int a = 0; a <= POOL; a++) {
        if (a == at && dots_used) {
            strcat(q->text, "...");
            for (int e = 0; e < dots_all; e++)
                q->out[q->nout++] = AXES - dots_all + e;
        }
        if (a < POOL && count[order[a]] && rnd_below(2)) {
            put_axis(q->text, order[a]);
            q->out[q->nout++] = order[a];
        }
    }
}

/* element at of operand i under the index tuple idx of all axes */
static int64_t element(const spec *q, int i, const int64_t *idx)
{
    int64_t at = 0;
    for (int k = 0; k < q->rank[i]; k++) {
        int64_t n = agn_shape(q->x[i])[k];
        at = at * n + (n == 1 ? 0 : idx[q->axis[i][k]]);
    }
    return at;
}

static bool einsum_is(const spec *q, const agn_tensor *y)
{
    int d = agn_dtype_of(q->x[0]);
    for (int i = 1; i < q->n; i++)
        d = agn_promote(d, agn_dtype_of(q->x[i]));
    int64_t outs = 1, shape[12], all = 1;
    bool used[AXES] = {false};
    for (int k = 0; k < q->nout; k++)
        outs *= shape[k] = q->size[q->out[k]];
    if (!has_shape(y, q->nout, shape) || agn_dtype_of(y) != d)
        return false;
    for (int i = 0; i < q->n; i++)
        for (int k = 0; k < q->rank[i]; k++)
            used[q->axis[i][k]] = true;
    for (int a = 0; a < AXES; a++)
        all *= used[a] ? q->size[a] : 1;
    double complex *sum = room_for((size_t)outs * sizeof *sum);
    double *scale = room_for((size_t)outs * sizeof *scale);
    uint64_t *whole = room_for((size_t)outs * sizeof *whole);
    for (int64_t flat = 0; flat < all; flat++) {
        int64_t idx[AXES] = {0}, rest = flat, o = 0;
        for (int a = 0; a < AXES; a++)
            if (used[a])
                idx[a] = rest % q->size[a], rest /= q->size[a];
        for (int k = 0; k < q->nout; k++)
            o = o * q->size[q->out[k]] + idx[q->out[k]];
        double complex term = 1;
        uint64_t product = 1;
        for (int i = 0; i < q->n; i++) {
            int64_t at = element(q, i, idx);
            term *= peekz(q->x[i], at);
            if (kind_of(d) == KIND_INT)
                product *= (uint64_t)peek_int(q->x[i], at);
        }
        sum[o] += term, scale[o] += cabs(term), whole[o] += product;
    }
    bool good = true;
    for (int64_t o = 0; good && o < outs; o++)
        good = kind_of(d) == KIND_INT
                   ? peek_int(y, o) == wrapped(whole[o], d)
                   : cabs(peekz(y, o) - sum[o]) <= unit_of(d) * 4 * scale[o] ||
                         (d == AGN_F16 && cabs(sum[o]) > 65000);
    free(sum), free(scale), free(whole);
    return good;
}

static void test_einsum(void)
{
    tally t = {0};
    for (int trial = 0; trial < tap_scale(6000); trial++) {
        spec q;
        random_spec(&q, trial);
        agn_tensor *y = NULL;
        agn_status st = agn_einsum(&y, q.text, (const agn_tensor *const *)q.x, q.n);
        int bools = 0;
        for (int i = 0; i < q.n; i++)
            bools += agn_dtype_of(q.x[i]) == AGN_BOOL;
        if (bools == q.n)
            check(&t, st == AGN_EDTYPE, "einsum of bools is refused");
        else
            check(&t, !st && einsum_is(&q, y), "einsum \"%s\" of %s %s %s %s -> %s%s",
                  q.text, SHAPE_TEXT(q.x[0]), q.n > 1 ? SHAPE_TEXT(q.x[1]) : "",
                  q.n > 2 ? SHAPE_TEXT(q.x[2]) : "", q.n > 3 ? SHAPE_TEXT(q.x[3]) : "",
                  st ? agn_error_message() : SHAPE_TEXT(y), "");
        agn_release(y);
        for (int i = 0; i < q.n; i++)
            agn_release(q.x[i]);
    }
    tell(&t, "einsum: %" PRId64 " random specs against a sum over all indices (I9)",
         t.checks);

    t = (tally){0};
    static const struct {
        const char *text;
        agn_status want;
        const char *fact1, *fact2;
        int n;
    } bad[] = {
        {"i$j->ij", AGN_EARG, "'$'", "character 1", 1},
        {"ij-ij", AGN_EARG, "'-'", "character 2", 1},
        {"ij->i>", AGN_EARG, "'>'", "character 5", 1},
        {"ij->i->", AGN_EARG, "'-'", "character 5", 1},
        {"i..j", AGN_EARG, "'.'", "character 1", 1},
        {"ij....", AGN_EARG, "'.'", "character 5", 1},
        {"...ij...", AGN_EARG, "'.'", "character 5", 1},
        {"ij", AGN_EARG, "end", "character 2", 2},
        {"ij,jk", AGN_EARG, "','", "character 2", 1},
        {"i1", AGN_EARG, "'1'", "character 1", 1},
        {"ij->i,j", AGN_EARG, "','", "character 5", 1},
        {"i\xC3\xA9->i", AGN_EARG, "'\xC3\xA9'", "character 1", 1},
        {"ij->ijk", AGN_EARG, "axis 2", "no operand", 1},
        {"ij->ii", AGN_EARG, "axis 1", "twice", 1},
        {"ijk->i", AGN_ESHAPE, "3 axes", "has 2", 1},
        {"i->i", AGN_ESHAPE, "1 axes", "has 2", 1},
        {"...ijk->i", AGN_ESHAPE, "3 axes", "has 2", 1},
        {"ii->i", AGN_ESHAPE, "size 3", "2", 1},
        {"ij,ij->i", AGN_ESHAPE, "size 4", "2", 2},
        {"...j,...->j", AGN_ESHAPE, "operand 1", "2", 2},
        {"", AGN_ESHAPE, "0 axes", "has 2", 1},
    };
    agn_tensor *a = random_of(AGN_F64, 2, (int64_t[]){2, 3}, -1, 1), *y = untouched;
    agn_tensor *b = random_of(AGN_F64, 2, (int64_t[]){4, 5}, -1, 1);
    const agn_tensor *ab[2] = {a, b};
    for (int k = 0; k < COUNT(bad); k++)
        check(&t,
              refused(agn_einsum(&y, bad[k].text, ab, bad[k].n), bad[k].want, "einsum",
                      bad[k].fact1, bad[k].fact2, y),
              "\"%s\"", bad[k].text);
    const agn_tensor *none[2] = {a, NULL};
    check(&t,
          refused(agn_einsum(&y, "ij,jk", none, 2), AGN_ENULL, "einsum", "operand 1",
                  "2", y),
          "NULL");
    check(&t,
          refused(agn_einsum(&y, NULL, ab, 2), AGN_ENULL, "einsum", "spec", NULL, y),
          "no spec");
    check(&t,
          refused(agn_einsum(&y, "ij", NULL, 1), AGN_ENULL, "einsum", "xs", NULL, y),
          "no operands");
    check(
        &t,
        refused(agn_einsum(&y, "ij", ab, 0), AGN_EARG, "einsum", "0 operands", "16", y),
        "none");
    check(&t,
          refused(agn_einsum(&y, "ij", ab, 17), AGN_EARG, "einsum", "17 operands", "16",
                  y),
          "17");
    check(&t, agn_einsum(NULL, "ij->j", ab, 1) == AGN_ENULL, "no out");
    tell(&t, "einsum: every slip of grammar is refused and its character named");
    agn_release(a), agn_release(b);

    /* more axes than a tensor can have: refused, not cut */
    int64_t ones[26];
    for (int k = 0; k < 26; k++)
        ones[k] = 1;
    a = random_of(AGN_F64, 20, ones, 1, 2), b = random_of(AGN_F64, 20, ones, 1, 2);
    agn_tensor *c = random_of(AGN_F64, 26, ones, 1, 2);
    const agn_tensor *abc[3] = {a, b, c};
    ok(refused(agn_einsum(&y, "abcdefghijklmnopqrst,ABCDEFGHIJKLMNOPQRST", abc, 2),
               AGN_ESHAPE, "einsum", "40 axes", "32", y),
       "a result of 40 axes is refused");
    const agn_tensor *ring[3] = {c, c, c};
    ok(refused(agn_einsum(&y,
                          "abcdefghijklmnopqrstuvwxyz,nopqrstuvwxyzABCDEFGHIJKLM,"
                          "ABCDEFGHIJKLMabcdefghijklm->abcdefghijnopqrstuvwABCDEFGHIJ",
                          ring, 3),
               AGN_ESHAPE, "einsum", "36 axes", "32", y),
       "an intermediate result of 36 axes is refused where every order has one");
    ok(refused(
           agn_einsum(&y, "...,ABCDEFGHIJKLMNOPQRST->...ABCDEFGHIJKLMNOPQRST", abc, 2),
           AGN_ESHAPE, "einsum", "40 axes", "32", y),
       "and one by dots");
    y = NULL;
    must(agn_einsum(&y, "abcdefghijklmnopqrst,ABCDEFGHIJKLMNOPQRST->", abc, 2));
    near(peek(y, 0), peek(a, 0) * peek(b, 0), 1e-15, "40 axes that are summed are not");
    agn_release(y);
    must(agn_einsum(&y,
                    "abcdefghijklmnopqrst,ABCDEFGHIJKLMNOPQRST,"
                    "abcdefghijklmABCDEFGHIJKLM->nopqrstNOPQRST",
                    abc, 3));
    near(peek(y, 0), peek(a, 0) * peek(b, 0) * peek(c, 0), 1e-15,
         "nor are they made where another order goes without");
    agn_release(y), agn_release(a), agn_release(b), agn_release(c);
    /* narrow operands are rounded once */
    a = of_reals(AGN_F16, 1, (int64_t[]){2}, (double[]){300, 300});
    b = of_reals(AGN_F16, 1, (int64_t[]){2}, (double[]){300, -300});
    c = of_reals(AGN_F16, 0, NULL, (double[]){0.5});
    const agn_tensor *h[3] = {a, b, c};
    must(agn_einsum(&y, "i,i,->", h, 3));
    ok(peek(y, 0) == 0 && agn_dtype_of(y) == AGN_F16, "f16 products are computed wide");
    agn_release(y), agn_release(a), agn_release(b), agn_release(c);
}

int main(void)
{
    test_matmul();
    test_einsum();
    int64_t blocks = -1;
    agn_memory_live(NULL, &blocks, NULL);
    diag("blocks alive at the end: %d", (int)blocks);
    return done();
}
