/* tensor/random/permutation.c - random permutations (Fisher-Yates), shuffles, and draws of
   categories with and without replacement. */
#include "tensor/random/cpu/sequences.h"
#include "tensor/random/sampler.h"

#include "tensor/cpu/special/portable_exp.h"
#include "tensor/cpu/special/special.h"
#include <math.h>
#include <string.h>

static int64_t count_elements(int ndim, const int64_t *shape)
{
    int64_t n = 1;
    for (int d = 0; d < ndim; d++)
        n *= shape[d];
    return n;
}
static uint64_t lane_subkey(const agn_kernel_call *c, int64_t lane)
{
    const int64_t *k = (const int64_t *)c->in[0].data + 2 * lane;
    return agni_philox_subkey((uint64_t)k[0], (uint64_t)k[1]);
}

/* ---- permutations ---------------------------------------------------------------------------- */

/* Fisher-Yates, inside out: i goes to a random index j <= i, the element there to the end. */
static void shuffle_lane(void *user, int64_t lane, int worker)
{
    const agn_kernel_call *c = user;
    (void)worker;
    int64_t n = c->ints[0], *y = (int64_t *)c->out[0].data + lane * n;
    uint64_t key = lane_subkey(c, lane);
    uint32_t w[4 * AGNI_SAMPLE_ROOM];
    for (int64_t i = 0; i < n; i++) {
        int64_t at = i % AGNI_SAMPLE;
        if (!at)
            agni_simd_kernels_get()->random->blocks(w, key, (uint64_t)i,
                                          n - i < AGNI_SAMPLE ? n - i : AGNI_SAMPLE);
        int64_t j = (int64_t)agni_sample_bounded_integer(key, (uint64_t)i, w + 4 * at,
                                                         (uint64_t)i + 1);
        y[i] = y[j];
        y[j] = i;
    }
}
static agn_status cpu_permutation(const agn_kernel_call *c)
{
    int64_t lanes = count_elements(c->in[0].ndim - 1, c->in[0].shape);
    agni_parallel_for(lanes, shuffle_lane, (void *)(uintptr_t)c);
    return AGN_OK;
}
static agn_status infer_permutation(agni_call *c)
{
    return agni_infer_sample(c, AGN_I64, 0);
}

/* ---- categories ------------------------------------------------------------------------------ */

/* Attributes: draws per row, with replacement, batch axes of one lane. */
enum { MANY, AGAIN, BATCH };

static agn_status infer_multinomial(agni_call *c)
{
    const agn_tensor *key = c->in[0], *w = c->in[1];
    agn_status st = agni_check_key("random_multinomial", key);
    if (st)
        return st;
    if (c->at->i[BATCH] < 0 || c->at->i[BATCH] >= AGNI_MAX_RANK)
        return agni_fail(AGN_EARG, "random_multinomial: %lld batch axes, 0 to %d are possible",
                         (long long)c->at->i[BATCH], AGNI_MAX_RANK - 1);
    if (w->ndim < 1)
        return agni_fail(AGN_ESHAPE, "random_multinomial: weights are %s, [..., n] is needed",
                         AGNI_SHAPE(w));
    int64_t many = c->at->i[MANY], n = w->shape[w->ndim - 1];
    if (many < 0 || (!c->at->i[AGAIN] && many > n) || (many && !n))
        return agni_fail(AGN_ESHAPE, "random_multinomial: %lld numbers cannot be drawn of %lld%s",
                         (long long)many, (long long)n, c->at->i[AGAIN] ? "" : ", none twice");
    int lanes = key->ndim - 1, batch = (int)c->at->i[BATCH], shift = lanes + batch - (w->ndim - 1);
    agni_meta *m = c->meta;
    if (lanes + batch >= AGNI_MAX_RANK || shift < 0)
        return agni_fail(AGN_ESHAPE, "random_multinomial: weights %s for keys %s", AGNI_SHAPE(w),
                         AGNI_SHAPE(key));
    m->dtype = AGN_I64;
    m->ndim = lanes + batch + 1;
    memcpy(m->shape, key->shape, (size_t)lanes * sizeof *m->shape);
    for (int d = 0; d < lanes + batch; d++) {
        int64_t have = d < shift ? 1 : w->shape[d - shift];
        if (d < lanes && have != 1 && have != key->shape[d])
            return agni_fail(AGN_ESHAPE, "random_multinomial: weights %s for keys %s",
                             AGNI_SHAPE(w), AGNI_SHAPE(key));
        if (d >= lanes)
            m->shape[d] = have;
    }
    m->shape[m->ndim - 1] = many;
    int64_t size;
    return agni_shape_check("random_multinomial", m->ndim, m->shape, &size);
}

typedef struct multinomial_job {
    const agn_kernel_call *c;
    int64_t per_lane, n; /* rows of a lane, weights of a row */
    double *scratch;     /* [workers][n] */
} multinomial_job;

/* offset of the weights of a row of results */
static int64_t weights_offset(const multinomial_job *q, int64_t row)
{
    const agn_array *w = q->c->in + 1, *y = q->c->out;
    int64_t at = 0;
    for (int d = y->ndim - 2, e = w->ndim - 2; d >= 0; d--, e--) {
        if (e >= 0 && w->shape[e] != 1)
            at += row % y->shape[d] * w->stride[e];
        row /= y->shape[d];
    }
    return at;
}
static double read_weight(const agn_array *w, int64_t at)
{
    return w->dtype == AGN_F32 ? (double)((const float *)w->data)[at]
                               : ((const double *)w->data)[at];
}

/* Categories arrive at exponential times with their weights as rates; the first are drawn, in
   their order (Efraimidis & Spirakis 2006; the same as the largest of log w plus Gumbel). */
static void draw_distinct(const multinomial_job *q, uint64_t key, int64_t row, int64_t at,
                          agni_arrival *heap, int64_t *y)
{
    int64_t many = q->c->ints[MANY], have = 0;
    for (int64_t k = 0; k < q->n; k++) {
        double w = read_weight(q->c->in + 1, at + k);
        if (w == 0)
            continue;
        agni_philox4 r = agni_philox_block(key, (uint64_t)(row * q->n + k));
        double u = agni_philox_to_f64(r.w[0], r.w[1] | 1u << 11);
        agni_arrival e = {sqrt(-agni_plain_log(u)) / sqrt(w), k}; /* its root: no w is too small */
        if (have < many) {
            heap[have++] = e;
            if (have == many)
                for (int64_t i = many / 2; i-- > 0;)
                    agni_sift_down(heap, many, i);
        } else if (agni_arrives_later(heap[0], e)) {
            heap[0] = e;
            agni_sift_down(heap, many, 0);
        }
    }
    for (int64_t m = many; m-- > 0;) {
        y[m] = heap[0].category;
        heap[0] = heap[m];
        agni_sift_down(heap, m, 0);
    }
}

/* cumulative weights of a row times unit; are they finite? */
static bool cumulate_weights(const multinomial_job *q, int64_t at, double unit, double *sum)
{
    double s = 0;
    for (int64_t k = 0; k < q->n; k++)
        sum[k] = s += unit * read_weight(q->c->in + 1, at + k);
    return s < HUGE_VAL;
}

/* Categories of `many` draws from number `first` of the key on, by cumulative sums of n weights.
   Where the draws outnumber the weights a guide tells the first category that u in [b / cells, (b +
   1) / cells) may mean (Chen & Asau 1974): a step more on average than needed, whatever the
   weights. It has room for 2 n numbers. */
static void draw_guided(const double *sum, int64_t n, int32_t *guide, uint64_t key, uint64_t first,
                        int64_t many, int64_t *y)
{
    const agni_vrandom *fast = agni_simd_kernels_get()->random;
    uint32_t w[4 * AGNI_SAMPLE_ROOM];
    double u[2 * AGNI_SAMPLE_ROOM];
    int64_t cells = 1, k = 0, last = n - 1;
    while (2 * cells <= 2 * n)
        cells *= 2;
    while (last > 0 && sum[last] == sum[last - 1])
        last--; /* the last of positive weight */
    for (int64_t b = 0; b < cells; b++) {
        double aim = (double)b / (double)cells * sum[n - 1];
        while (k < last && !(sum[k] > aim))
            k++;
        guide[b] = (int32_t)k;
    }
    for (int64_t i = 0; i < many; i += AGNI_SAMPLE) {
        int64_t m = many - i < AGNI_SAMPLE ? many - i : AGNI_SAMPLE;
        uint64_t from = first + (uint64_t)i;
        int64_t blocks = (m + (int64_t)(from % 2) + 1) / 2;
        fast->blocks(w, key, from / 2, blocks);
        fast->unit53(u, w, 2 * blocks);
        for (int64_t j = 0; j < m; j++) {
            double v = u[j + (int64_t)(from % 2)], aim = v * sum[n - 1];
            int64_t c = guide[(int64_t)(v * (double)cells)];
            while (c < last && !(sum[c] > aim))
                c++;
            y[i + j] = c;
        }
    }
}

static void draw_row(void *user, int64_t row, int worker)
{
    const multinomial_job *q = user;
    int64_t many = q->c->ints[MANY], *y = (int64_t *)q->c->out[0].data + row * many;
    int64_t at = weights_offset(q, row), inner = row % q->per_lane;
    uint64_t key = lane_subkey(q->c, row / q->per_lane);
    double *sum = q->scratch + 2 * q->n * worker;
    if (!q->c->ints[AGAIN]) {
        draw_distinct(q, key, inner, at, (agni_arrival *)(void *)sum, y);
        return;
    }
    if (!cumulate_weights(q, at, 1, sum))
        cumulate_weights(q, at, 0x1p-64, sum);
    if (many > q->n / 4 && q->n < INT32_MAX) {
        draw_guided(sum, q->n, (int32_t *)(void *)(sum + q->n), key, (uint64_t)(inner * many), many,
                    y);
        return;
    }
    for (int64_t i = 0; i < many; i++)
        y[i] = agni_invert_cumulative(sum, q->n,
                                      agni_philox_f64(key, (uint64_t)(inner * many + i)));
}

/* finite weights, none negative, as many positive ones as are drawn */
static agn_status check_weights(const multinomial_job *q, int64_t row)
{
    const agn_array *w = q->c->in + 1;
    int64_t at = weights_offset(q, row), positive = 0, many = q->c->ints[MANY];
    int64_t need = q->c->ints[AGAIN] ? many > 0 : many;
    for (int64_t k = 0; k < q->n; k++) {
        double v = read_weight(w, at + k);
        positive += v > 0;
        if (!(v >= 0 && v < HUGE_VAL)) {
            char value[40];
            agni_format_double(value, sizeof value, v, 6);
            return agni_fail(AGN_EDOMAIN,
                             "random_multinomial: row %lld: weight %lld is %s; a finite number, "
                             "not negative, is needed",
                             (long long)row, (long long)k, value);
        }
    }
    return positive >= need ? AGN_OK
                            : agni_fail(AGN_EDOMAIN,
                                        "random_multinomial: row %lld: %lld weights are positive; "
                                        "%lld are needed",
                                        (long long)row, (long long)positive, (long long)need);
}

static agn_status cpu_multinomial(const agn_kernel_call *c)
{
    int64_t lanes = count_elements(c->in[0].ndim - 1, c->in[0].shape);
    int64_t all = count_elements(c->out[0].ndim - 1, c->out[0].shape);
    multinomial_job q = {c, lanes ? all / lanes : 0, c->in[1].shape[c->in[1].ndim - 1], NULL};
    agn_status st = AGN_OK;
    for (int64_t row = 0; !st && row < all; row++)
        st = check_weights(&q, row);
    int64_t bytes;
    if (st || !all || !c->ints[MANY])
        return st;
    if (!agni_checked_mul(q.n, 2 * (int64_t)sizeof(double) * agni_parallel_width(), &bytes) ||
        !(q.scratch = agni_alloc((size_t)bytes)))
        return agni_nomem("random_multinomial", (size_t)bytes);
    agni_parallel_for(all, draw_row, &q);
    agni_free(q.scratch);
    return AGN_OK;
}

/* ---- op records ------------------------------------------------------------------------------ */

static void batch_multinomial(agn_scope *s, const agni_rule *r, int64_t lanes,
                              const agn_tensor *const *in, const bool *batched,
                              const agn_tensor **out, bool *bout)
{
    (void)lanes;
    const agn_tensor *a[2] = {in[0], agni_align_rank(s, in[1], batched[1], r->y[0]->ndim)};
    out[0] = agni_apply_in(s, r->op, r->at, 2, a);
    bout[0] = true;
}

static agni_slots slots_permutation, slots_multinomial;
const agni_op agni_op_random_permutation = {.name = "random_permutation",
                                            .takes = "key n:i",
                                            .cls = AGNI_RANDOM,
                                            .nin = 1,
                                            .nout = 1,
                                            .dtypes = AGNI_BIT(I64),
                                            .ew = -1,
                                            .infer = infer_permutation,
                                            .cpu = cpu_permutation,
                                            .contiguous = true,
                                            .batch = agni_batch_front,
                                            .slots = &slots_permutation,
                                            .doc = "the numbers 0 to n - 1 in random order"};
const agni_op agni_op_random_multinomial = {.name = "random_multinomial",
                                            .takes = "key weights many:i again:b batch:i",
                                            .cls = AGNI_RANDOM,
                                            .nin = 2,
                                            .nout = 1,
                                            .dtypes = AGNI_FLOATS,
                                            .promote = 2,
                                            .ew = -1,
                                            .infer = infer_multinomial,
                                            .cpu = cpu_multinomial,
                                            .contiguous = true,
                                            .batch = batch_multinomial,
                                            .slots = &slots_multinomial,
                                            .lo = 0.2,
                                            .hi = 3,
                                            .doc = "categories with given weights"};

/* ---- public functions ------------------------------------------------------------------------ */

agn_status agn_random_permutation(agn_tensor **out, const agn_tensor *key, int64_t n)
{
    return agni_sample_apply_public(out, &agni_op_random_permutation, key, 0, NULL, 0, NULL, 1, &n);
}

agn_status agn_random_shuffle(agn_tensor **out, const agn_tensor *key, const agn_tensor *x,
                              int32_t axis)
{
    int a;
    if (!out || !key || !x)
        return agni_fail(AGN_ENULL, "random_shuffle: %s is NULL",
                         !out   ? "out"
                         : !key ? "key"
                                : "x");
    agn_status st = agni_axis("random_shuffle", axis, x->ndim, &a);
    if (!st && key->ndim != 1)
        st = agni_fail(AGN_ESHAPE, "random_shuffle: the key is %s, [2] is needed", AGNI_SHAPE(key));
    if (st)
        return st;
    agn_tensor *order = NULL;
    st = agn_random_permutation(&order, key, x->shape[a]);
    if (!st)
        st = agn_gather(out, x, order, a);
    agn_release(order);
    return agni_rename_error("random_shuffle", st);
}

agn_status agn_random_multinomial(agn_tensor **out, const agn_tensor *key,
                                  const agn_tensor *weights, int64_t count_, bool replacement)
{
    int64_t batch = weights && weights->ndim ? weights->ndim - 1 : 0;
    int64_t at[3] = {count_, replacement, batch};
    return agni_apply_public(out, &agni_op_random_multinomial, &(agni_attr){.ni = 3, .i = at}, 2,
                       (const agn_tensor *[]){key, weights});
}
