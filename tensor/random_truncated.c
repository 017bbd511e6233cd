/* tensor/random_truncated.c - standard normal numbers between two bounds, however far out. */
#include "tensor/sample.h"

#include "tensor/cpu/special-normal.h"
#include <agnesi/ag.h>
#include <math.h>

static double open_unit(uint32_t high, uint32_t low)
{
    return agni_philox_to_f64(high, low | 1u << 11);
}

static double above_of(double x) /* 1 - the distribution function */
{
    return 0.5 * erfc(x * 0.70710678118654752440);
}

/* The quantile of a number between the values of the distribution function, each in the tail in
   which it is small. */
typedef struct between {
    double a, b, below_a, above_b; /* bounds, and the probabilities outside */
} between;
static double by_quantile(const between *q, double u)
{
    double inside = 1 - q->below_a - q->above_b, p = q->below_a + u * inside;
    return p <= 0.5 ? agni_normal_quantile(p)
                    : -agni_normal_quantile(q->above_b + (1 - u) * inside);
}

/* a >= 1: the Rayleigh tail x exp(-x^2 / 2) between the bounds, accepted with probability a / x
   (Marsaglia 1964). x - a is what is computed. */
static double by_tail(double a, double b, uint64_t key, uint64_t element, agni_philox4 r)
{
    double all = -expm1(-0.5 * (b - a) * (b + a));
    for (uint32_t t = 1;; t++) {
        double e = -2 * log1p(-open_unit(r.w[0], r.w[1]) * all);
        double more = e / (a + hypot(a, sqrt(e))), x = a + more;
        if (open_unit(r.w[2], r.w[3]) * x <= a)
            return x;
        r = agni_philox_try(key, element, t, 0);
    }
}

static void draw_truncated(const agni_sample *b, agni_sample_run *y)
{
    between q = {.a = (double)NAN};
    for (int j = 0; j < b->n; j++) {
        double lo = b->p[0].f[j], hi = b->p[1].f[j];
        bool mirror = hi < -lo;
        double l = mirror ? -hi : lo, h = mirror ? -lo : hi, z;
        uint64_t i = (uint64_t)(b->first + j);
        agni_philox4 r = agni_philox_block(b->key, i);
        if (l >= h)
            z = l;
        else if (l >= 1)
            z = by_tail(l, h, b->key, i, r);
        else {
            if (l != q.a || h != q.b)
                q = (between){l, h, above_of(-l), above_of(h)};
            z = by_quantile(&q, open_unit(r.w[0], r.w[1]));
        }
        z = z < l ? l : z > h ? h : z;
        y->f[j] = mirror ? -z : z;
    }
}

static agn_status check_truncated(const agni_sample *b)
{
    for (int j = 0; j < b->n; j++) {
        double lo = b->p[0].f[j], hi = b->p[1].f[j];
        if (!(lo < (double)INFINITY))
            return agni_sample_fault(b, j, 0, "(low - mean) / deviation",
                                     "a number below infinity");
        if (!(hi >= lo && hi > -(double)INFINITY))
            return agni_sample_fault(b, j, 1, "(high - mean) / deviation",
                                     "a number not below that of low");
    }
    return AGN_OK;
}
static agn_status cpu_truncated(const agn_kernel_call *c)
{
    return agni_sample_all(c, draw_truncated, check_truncated);
}

static agni_slots slots_truncated;
const agni_op agni_op_random_truncated = {.name = "random_truncated",
                                          .takes = "key low high shape:i*",
                                          .cls = AGNI_RANDOM,
                                          .nin = 3,
                                          .nout = 1,
                                          .dtypes = AGNI_FLOATS,
                                          .promote = 6,
                                          .result = AGNI_OUT_SAME,
                                          .ew = -1,
                                          .infer = agni_infer_law,
                                          .cpu = cpu_truncated,
                                          .contiguous = true,
                                          .batch = agni_batch_sample,
                                          .slots = &slots_truncated,
                                          .lo = -2,
                                          .hi = 0.9,
                                          .doc = "normal random numbers between two bounds"};

/* the number, as it depends on its bounds: a derivative there is, which nobody has written */
static agni_slots slots_path;
const agni_op agni_op_truncated_path = {.name = "truncated_path",
                                        .takes = "z low high",
                                        .cls = AGNI_OPAQUE,
                                        .nin = 3,
                                        .nout = 1,
                                        .dtypes = AGNI_FLOATS,
                                        .diff = 6,
                                        .promote = 7,
                                        .result = AGNI_OUT_SAME,
                                        .ew = -1,
                                        .infer = agni_infer_path,
                                        .view = agni_view_path,
                                        .cpu = agni_sample_copy,
                                        .contiguous = true,
                                        .batch = agni_batch_path,
                                        .slots = &slots_path,
                                        .lo = -2,
                                        .hi = 2,
                                        .doc = "a normal number that moves with its bounds"};

const agn_tensor *agni_truncated_normal(agn_scope *s, const agn_tensor *key, const agn_tensor *low,
                                        const agn_tensor *high, int32_t ndim, const int64_t *shape)
{
    agn_tensor *y = NULL;
    if (agn_scope_status(s))
        return NULL;
    agn_status st = agni_sample_public(&y, &agni_op_random_truncated, key, 2,
                                       (const agn_tensor *[]){low, high}, 0, NULL, ndim, shape);
    const agn_tensor *z = agn_scope_adopt(s, st, y);
    return agni_ap(s, &agni_op_truncated_path, NULL, 3, (const agn_tensor *[]){z, low, high});
}
