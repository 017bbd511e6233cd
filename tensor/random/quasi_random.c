/* tensor/random/quasi_random.c - points that fill the unit cube more evenly than random ones: the sequences of
   Sobol and Halton, with or without a random scramble, and Latin hypercubes.

   The points of a sequence are numbered; each follows from its number alone. Attributes: number of
   the first, scramble, points, dimensions. */
#include "tensor/random/sampler.h"

#include "tensor/random/sobol.inc"
#include <agnesi/ag.h>
#include <math.h>
#include <string.h>

enum { DTYPE, FIRST, SCRAMBLE, POINTS, DIMS };
enum { BITS = 53, HALTON_DIMENSIONS = 1000, GRAIN = 1 << 10, TABLES = 1 << 16 };

typedef struct sequence {
    const agn_kernel_call *c;
    int64_t n, dims, jobs; /* jobs per lane */
    uint64_t *table;       /* of one lane: the sequence's own numbers */
    int64_t room;          /* numbers of the table for one lane */
    int64_t from;          /* lane of the first table */
} sequence;

static uint64_t key_of_lane(const agn_kernel_call *c, int64_t lane)
{
    const int64_t *k = (const int64_t *)c->in[0].data + 2 * lane;
    return agni_philox_subkey((uint64_t)k[0], (uint64_t)k[1]);
}

static agn_status infer_points(agni_call *c, int64_t most_dims)
{
    const int64_t *at = c->at->i;
    const char *op = c->op->name;
    agn_status st = agni_check_key(op, c->in[0]);
    if (st)
        return st;
    if (at[DTYPE] != AGN_F32 && at[DTYPE] != AGN_F64)
        return agni_fail(AGN_EDTYPE, "%s: dtype is %s, f32 or f64 is needed", op,
                         agni_dtypes[at[DTYPE]].name);
    if (at[DIMS] < 0 || at[DIMS] > most_dims)
        return agni_fail(AGN_EARG, "%s: %lld dimensions, there are 0 to %lld", op,
                         (long long)at[DIMS], (long long)most_dims);
    int64_t end;
    if (at[FIRST] < 0 || at[POINTS] < 0 || !agni_checked_add(at[FIRST], at[POINTS], &end) ||
        end > (int64_t)1 << BITS)
        return agni_fail(AGN_EARG, "%s: %lld points from number %lld on, there are 2^%d", op,
                         (long long)at[POINTS], (long long)at[FIRST], BITS);
    agni_meta *m = c->meta;
    int lanes = c->in[0]->ndim - 1;
    if (lanes + 2 > AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "%s: rank %d is above %d", op, lanes + 2, AGN_MAX_RANK);
    m->dtype = (int32_t)at[DTYPE];
    m->ndim = lanes + 2;
    memcpy(m->shape, c->in[0]->shape, (size_t)lanes * sizeof *m->shape);
    m->shape[lanes] = at[POINTS];
    m->shape[lanes + 1] = at[DIMS];
    int64_t size;
    return agni_shape_check(op, m->ndim, m->shape, &size);
}

/* Fills the tables of some lanes, then runs their blocks of points. A table can be far larger than
   the points of its lane: many lanes take turns with TABLES numbers. */
static agn_status run_points(const agn_kernel_call *c, int64_t room, agni_job *fill, agni_job *job)
{
    sequence q = {.c = c, .n = c->ints[POINTS], .dims = c->ints[DIMS], .room = room};
    int64_t lanes = 1;
    for (int d = 0; d < c->in[0].ndim - 1; d++)
        lanes *= c->in[0].shape[d];
    if (!lanes || !q.n || !q.dims)
        return AGN_OK;
    int64_t together = TABLES / room < 1 ? 1 : TABLES / room < lanes ? TABLES / room : lanes;
    size_t bytes = (size_t)(together * room) * sizeof *q.table;
    if (!(q.table = agni_alloc(bytes)))
        return agni_nomem(c->op, bytes);
    q.jobs = (q.n + GRAIN - 1) / GRAIN;
    for (; q.from < lanes; q.from += together) {
        int64_t now = lanes - q.from < together ? lanes - q.from : together;
        if (c->ints[SCRAMBLE] || !q.from) /* without a scramble all lanes are alike */
            agni_parallel_for(now, fill, &q);
        agni_parallel_for(now * q.jobs, job, &q);
    }
    agni_free(q.table);
    return AGN_OK;
}

static void put(const agn_array *y, int64_t at, double x)
{
    if (y->dtype == AGN_F32)
        ((float *)y->data)[at] = (float)x;
    else
        ((double *)y->data)[at] = x;
}

/* ---- Sobol ---------------------------------------------------------------------------------- */

static uint64_t random53(uint64_t key, uint64_t block)
{
    agni_philox4 r = agni_philox_block(key, block);
    return ((uint64_t)r.w[0] << 32 | r.w[1]) >> (64 - BITS);
}

/* Direction numbers v_b = m_b 2^(BITS - b) of one dimension, m_b from the s before it by the
   polynomial x^s + a_1 x^(s-1) + ... + 1: m_b = 2 a_1 m_(b-1) ^ ... ^ 2^s m_(b-s) ^ m_(b-s)
   (Bratley & Fox 1988). poly 1, of degree 0, stands for the first dimension, all m_b = 1. */
static void directions(uint64_t *v, int64_t step, int poly, const uint16_t *m)
{
    int s = 0;
    while (poly >> (s + 1))
        s++;
    for (int b = 0; b < BITS; b++) {
        uint64_t x;
        if (!s) {
            x = (uint64_t)1 << (BITS - 1 - b);
        } else if (b < s) {
            x = (uint64_t)m[b] << (BITS - 1 - b);
        } else {
            x = v[(b - s) * step] ^ v[(b - s) * step] >> s;
            for (int k = 1; k < s; k++)
                if (poly >> (s - k) & 1)
                    x ^= v[(b - k) * step];
        }
        v[b * step] = x;
    }
}

static int parity(uint64_t x)
{
    for (int h = 32; h; h /= 2)
        x ^= x >> h;
    return (int)(x & 1);
}

/* A random lower triangular matrix with ones on its diagonal, applied to the bits of every
   direction number, the leading bit first (Matousek 1998); it keeps every net a net. */
static void scramble(uint64_t *v, int64_t step, uint64_t key, uint64_t dimension)
{
    uint64_t row[BITS];
    for (int r = 0; r < BITS; r++) {
        uint64_t own = (uint64_t)1 << (BITS - 1 - r), above = ~(2 * own - 1);
        row[r] = (random53(key, dimension << 6 | (uint64_t)r) & above) | own;
    }
    for (int b = 0; b < BITS; b++) {
        uint64_t x = 0;
        for (int r = 0; r < BITS; r++)
            x = x << 1 | (uint64_t)parity(row[r] & v[b * step]);
        v[b * step] = x;
    }
}

/* table: [BITS + 1][dims], the last row the number with which all points begin */
static void sobol_fill(void *user, int64_t k, int worker)
{
    const sequence *q = user;
    (void)worker;
    uint64_t *t = q->table + k * q->room, key = key_of_lane(q->c, q->from + k);
    bool random = q->c->ints[SCRAMBLE] != 0;
    const uint16_t *p = sobol_table;
    for (int64_t j = 0; j < q->dims; j++) {
        int poly = j ? *p++ : 1;
        directions(t + j, q->dims, poly, p);
        for (int s = poly; j && s > 1; s >>= 1)
            p++;
        if (random)
            scramble(t + j, q->dims, key, (uint64_t)j);
        t[BITS * q->dims + j] = random ? random53(key, (uint64_t)j << 6 | 63) : 0;
    }
}

/* In Gray code order one direction number is added from a point to the next (Antonov & Saleev
   1979): number i is the sum over the bits of i ^ i / 2. */
static void sobol_job(void *user, int64_t job, int worker)
{
    const sequence *q = user;
    (void)worker;
    enum { FEW = 64 };
    int64_t lane = q->from + job / q->jobs, lo = job % q->jobs * GRAIN;
    int64_t hi = lo + GRAIN < q->n ? lo + GRAIN : q->n;
    const uint64_t *t = q->table + job / q->jobs * q->room;
    bool narrow = q->c->out[0].dtype == AGN_F32;
    for (int64_t j0 = 0; j0 < q->dims; j0 += FEW) {
        uint64_t x[FEW];
        int m = q->dims - j0 < FEW ? (int)(q->dims - j0) : FEW;
        uint64_t i = (uint64_t)(q->c->ints[FIRST] + lo), gray = i ^ i >> 1;
        memcpy(x, t + BITS * q->dims + j0, (size_t)m * sizeof *x);
        for (int b = 0; b < BITS; b++)
            for (int j = 0; j < m && gray >> b & 1; j++)
                x[j] ^= t[b * q->dims + j0 + j];
        for (int64_t k = lo; k < hi; k++) {
            int64_t at = (lane * q->n + k) * q->dims + j0;
            for (int j = 0; j < m; j++)
                put(q->c->out, at + j,
                    narrow ? (double)(x[j] >> (BITS - 24)) * 0x1p-24 : (double)x[j] * 0x1p-53);
            int b = 0;
            for (i++; b < BITS - 1 && !(i >> b & 1);)
                b++;
            for (int j = 0; j < m; j++)
                x[j] ^= t[b * q->dims + j0 + j];
        }
    }
}

static agn_status cpu_sobol(const agn_kernel_call *c)
{
    return run_points(c, (BITS + 1) * c->ints[DIMS], sobol_fill, sobol_job);
}
static agn_status infer_sobol(agni_call *c)
{
    return infer_points(c, SOBOL_DIMENSIONS);
}

/* ---- Halton --------------------------------------------------------------------------------- */

/* table: for each dimension its prime and the factors and shifts of its places, 0 < a < p,
   0 <= c < p: digit d in place k becomes a d + c modulo p (Matousek 1998). All places count that
   a number shows; the plain sequence has as many, with a = 1 and c = 0. */
enum { ROW = 1 + 2 * BITS };

static uint64_t fair(uint64_t key, uint64_t element, uint64_t n)
{
    return agni_sample_below(key, element, agni_philox_block(key, element).w, n);
}

static void halton_fill(void *user, int64_t k, int worker)
{
    const sequence *q = user;
    (void)worker;
    uint64_t *t = q->table + k * q->room, key = key_of_lane(q->c, q->from + k), p = 2;
    bool random = q->c->ints[SCRAMBLE] != 0;
    for (int64_t j = 0; j < q->dims; p++) {
        bool prime = true;
        for (int64_t i = 0; prime && i < j && t[ROW * i] * t[ROW * i] <= p; i++)
            prime = p % t[ROW * i] != 0;
        if (!prime)
            continue;
        uint64_t *row = t + ROW * j;
        row[0] = p;
        for (uint64_t i = 0; i < BITS; i++) {
            uint64_t at = (uint64_t)j << 7 | 2 * i;
            row[1 + 2 * i] = random ? 1 + fair(key, at, p - 1) : 1;
            row[2 + 2 * i] = random ? fair(key, at + 1, p) : 0;
        }
        j++;
    }
}

/* digits of i, reflected at the point */
static double halton(uint64_t i, const uint64_t *row, bool random)
{
    uint64_t p = row[0], digit[BITS];
    int places = 0;
    double reach = 1, x = 0;
    for (; places < BITS && (random ? reach > 0x1p-53 : i > 0); reach /= (double)p, i /= p) {
        uint64_t d = i % p;
        digit[places] = random ? (row[1 + 2 * places] * d + row[2 + 2 * places]) % p : d;
        places++;
    }
    while (places-- > 0)
        x = (x + (double)digit[places]) / (double)p;
    return x;
}

static void halton_job(void *user, int64_t job, int worker)
{
    const sequence *q = user;
    (void)worker;
    int64_t lane = q->from + job / q->jobs, lo = job % q->jobs * GRAIN;
    int64_t hi = lo + GRAIN < q->n ? lo + GRAIN : q->n;
    const uint64_t *t = q->table + job / q->jobs * q->room;
    double most = q->c->out[0].dtype == AGN_F32 ? 1 - 0x1p-24 : 1 - 0x1p-53;
    for (int64_t k = lo; k < hi; k++)
        for (int64_t j = 0; j < q->dims; j++) {
            double x = halton((uint64_t)(q->c->ints[FIRST] + k), t + ROW * j,
                              q->c->ints[SCRAMBLE] != 0);
            put(q->c->out, (lane * q->n + k) * q->dims + j, x < most ? x : most);
        }
}

static agn_status cpu_halton(const agn_kernel_call *c)
{
    return run_points(c, ROW * c->ints[DIMS], halton_fill, halton_job);
}
static agn_status infer_halton(agni_call *c)
{
    return infer_points(c, HALTON_DIMENSIONS);
}

/* ---- rows ----------------------------------------------------------------------------------- */

static agni_slots slots_sobol, slots_halton;
#define POINTS_OF(name_) \
    .name = #name_, .takes = "key dtype:d first:i scramble:b points:i dimensions:i", \
    .cls = AGNI_RANDOM, .nin = 1, .nout = 1, .dtypes = AGNI_FLOATS, .ew = -1, \
    .infer = infer_##name_, .cpu = cpu_##name_, .contiguous = true, .batch = agni_batch_front, \
    .slots = &slots_##name_
const agni_op agni_op_sobol = {POINTS_OF(sobol), .doc = "points of the Sobol sequence"};
const agni_op agni_op_halton = {POINTS_OF(halton), .doc = "points of the Halton sequence"};

/* ---- public functions ------------------------------------------------------------------------- */

/* without a key there is no scramble, and any key will do */
static agn_status points(agn_tensor **out, const agni_op *op, const agn_tensor *key,
                         agn_dtype dtype, int64_t first, int64_t n, int64_t dims)
{
    int64_t none[2] = {0, 0}, at[5] = {dtype, first, key != NULL, n, dims};
    agn_tensor *any = NULL;
    agn_status st = key ? AGN_OK : agn_from_host(&any, AGN_I64, 1, (int64_t[]){2}, none);
    if (!st)
        st = agni_apply_public(out, op, &(agni_attr){.ni = 5, .i = at}, 1,
                         (const agn_tensor *[]){key ? key : any});
    agn_release(any);
    return st;
}

agn_status agn_sobol(agn_tensor **out, const agn_tensor *key, agn_dtype dtype, int64_t first,
                     int64_t n, int64_t dims)
{
    return points(out, &agni_op_sobol, key, dtype, first, n, dims);
}

agn_status agn_halton(agn_tensor **out, const agn_tensor *key, agn_dtype dtype, int64_t first,
                      int64_t n, int64_t dims)
{
    return points(out, &agni_op_halton, key, dtype, first, n, dims);
}

/* (permutation + u) / n in every dimension, cut to the bits of the dtype: below 1 */
agn_status agn_latin_hypercube(agn_tensor **out, const agn_tensor *key, agn_dtype dtype, int64_t n,
                               int64_t dims)
{
    const int64_t shape[2] = {n, dims};
    if (!out || !key)
        return agni_fail(AGN_ENULL, "latin_hypercube: %s is NULL", out ? "key" : "out");
    if (dtype != AGN_F32 && dtype != AGN_F64)
        return agni_fail(AGN_EDTYPE, "latin_hypercube: dtype is %s, f32 or f64 is needed",
                         agn_dtype_name(dtype));
    if (n < 0 || dims < 0)
        return agni_fail(AGN_EARG, "latin_hypercube: %lld points of %lld dimensions", (long long)n,
                         (long long)dims);
    double bits = dtype == AGN_F32 ? 0x1p24 : 0x1p53;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *place = ag_random_permutation(s, ag_key_split(s, key, dims), n);
    const agn_tensor *u = ag_uniform(s, key, AGN_F64, 2, shape);
    const agn_tensor *x = ag_add(s, agni_move_axis(s, place, -1, -2), u);
    x = ag_floor(s, ag_mul_c(s, x, bits / (double)n));
    x = ag_mul_c(s, ag_minimum(s, x, ag_lit(s, bits - 1)), 1 / bits);
    return agni_return("latin_hypercube", s, out, agni_cast(s, x, dtype));
}
