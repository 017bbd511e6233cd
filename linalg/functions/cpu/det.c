/* linalg/functions/cpu/det.c - determinants by LU factors of a matrix whose rows and columns are
   equilibrated where its pivots are far from 1 (Golub & Van Loan 2013, 3.4 and 3.5). */
#include "tensor/cpu/level_dispatch.h" /* before complex.h, which takes the name I */

#include "linalg/cpu/getrf_trsm.h"
#include "linalg/cpu/lapack_calls.h"

#include <math.h>
#include <string.h>

typedef struct square_job {
    const agn_kernel_call *c;
    int dtype;
    int64_t n, bytes;
    bool log;
    const agni_vlanes *lanes;
    agni_lane_source source;
} square_job;

enum { NO_EXPONENT = -(1 << 20) }; /* of 0 */

static double larger_part(double complex v)
{
    return fmax(fabs(creal(v)), fabs(cimag(v)));
}

static int exponent_at(const square_job *q, agni_lapack_matrix a, int64_t i, int64_t j)
{
    const double complex v = agni_number_get(q->dtype, a.p, i * a.rs + j * a.cs);
    const double size = larger_part(v);
    int e = NO_EXPONENT;
    if (size > 0)
        frexp(size, &e);
    return e;
}

/* a with rows and columns times powers of 2 that make the largest of each near 1; the exponent of
   what that divides the determinant by. Exponents are found before any entry is multiplied: one
   that is small in its row may be all that its column has. */
static int64_t equilibrate_matrix(const square_job *q, agni_lapack_matrix a, int to, void *out,
                                  lapack_int *row)
{
    const int64_t n = q->n;
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        int most = NO_EXPONENT;
        for (int64_t j = 0; j < n; j++) {
            const int e = exponent_at(q, a, i, j);
            most = e > most ? e : most;
        }
        row[i] = most > NO_EXPONENT ? most : 0;
        sum += row[i];
    }
    for (int64_t j = 0; j < n; j++) {
        int most = NO_EXPONENT;
        for (int64_t i = 0; i < n; i++) {
            const int e = exponent_at(q, a, i, j);
            most = e > NO_EXPONENT && e - (int)row[i] > most ? e - (int)row[i] : most;
        }
        most = most > NO_EXPONENT ? most : 0;
        sum += most;
        for (int64_t i = 0; i < n; i++)
            agni_number_set(to, out, i * n + j,
                            agni_scale_parts(
                                agni_number_get(q->dtype, a.p, i * a.rs + j * a.cs),
                                -(int)row[i] - most));
    }
    return sum;
}

/* pivots so near 1 that what underflows beside one of them is nothing beside the others */
static double plain_bound(int dtype)
{
    return dtype == AGN_F32 || dtype == AGN_C64 ? 0x1p50 : 0x1p400;
}
static bool pivots_are_plain(int dtype, const void *lu, int64_t n)
{
    const double far = plain_bound(dtype);
    for (int64_t k = 0; k < n; k++) {
        const double size = larger_part(agni_number_get(dtype, lu, k * (n + 1)));
        if (!(size <= far && size >= 1 / far))
            return false;
    }
    return true;
}

/* Factors a, whose determinant is that of the factor times 2^scaled: how its pivots grow, infinity
   where they are no numbers, or a code below 0 */
static double factor_scaled(const square_job *q, agni_lapack_matrix a, char *lu, lapack_int *piv,
                            int64_t *scaled)
{
    const int64_t n = q->n;
    agni_matrix_copy(lu, a, n, n, q->bytes);
    int64_t code = agni_factor_lu(q->dtype, n, n, lu, piv);
    const bool plain = code < 0 || pivots_are_plain(q->dtype, lu, n);
    *scaled = 0;
    if (!plain) {
        *scaled = equilibrate_matrix(q, a, q->dtype, lu, piv);
        code = agni_factor_lu(q->dtype, n, n, lu, piv);
    }
    if (code < 0)
        return (double)code;
    for (int64_t k = 0; !plain && k < n; k++)
        if (!isfinite(cabs(agni_number_get(q->dtype, lu, k * (n + 1)))))
            return (double)INFINITY;
    const double top = agni_largest_of_line(q->dtype, lu, n, n + 1);
    return !plain ? top > AGNI_MUCH_GROWTH ? top : 1
                  : agni_growth_beside(q->dtype, agni_largest_of_line(q->dtype, lu, 1, 1), top, a,
                                       n, 0);
}

static double size_of_parts(double complex v)
{
    return fabs(creal(v)) + fabs(cimag(v));
}

/* Factors numbers of f64, complex ones or not, by complete pivoting, whose growth is modest where
   that of partial pivoting is not (Wilkinson 1961); pivots to the diagonal. Returns whether the
   determinant has the other sign. */
#define FACTOR_COMPLETELY(name, T, SIZE)                                    \
    static bool name(T *a, int64_t n)                                       \
    {                                                                       \
        bool odd = false;                                                   \
        for (int64_t k = 0; k < n; k++) {                                   \
            int64_t p = k, r = k;                                           \
            double most = 0;                                                \
            for (int64_t i = k; i < n; i++)                                 \
                for (int64_t j = k; j < n; j++)                             \
                    if (SIZE(a[i * n + j]) > most) {                        \
                        most = SIZE(a[i * n + j]);                          \
                        p = i;                                              \
                        r = j;                                              \
                    }                                                       \
            odd ^= (p != k) ^ (r != k);                                     \
            for (int64_t j = 0; p != k && j < n; j++) {                     \
                T was = a[k * n + j];                                       \
                a[k * n + j] = a[p * n + j];                                \
                a[p * n + j] = was;                                         \
            }                                                               \
            for (int64_t i = 0; r != k && i < n; i++) {                     \
                T was = a[i * n + k];                                       \
                a[i * n + k] = a[i * n + r];                                \
                a[i * n + r] = was;                                         \
            }                                                               \
            for (int64_t i = k + 1; most > 0 && i < n; i++) {               \
                T by = a[i * n + k] / a[k * n + k];                         \
                for (int64_t j = k + 1; j < n; j++)                         \
                    a[i * n + j] -= by * a[k * n + j];                      \
            }                                                               \
        }                                                                   \
        return odd;                                                         \
    }
FACTOR_COMPLETELY(factor_real, double, fabs)
FACTOR_COMPLETELY(factor_complex, double complex, size_of_parts)

/* pivots whose product times 2^scaled is the determinant: 0 or AGNI_NO_ROOM */
static int64_t find_pivots_completely(const square_job *q, agni_lapack_matrix a, lapack_int *row,
                                      double complex *pivots, int64_t *scaled)
{
    const int64_t n = q->n;
    const int to = agni_kind(q->dtype) == AGNI_KIND_COMPLEX ? AGN_C128 : AGN_F64;
    void *x = agni_alloc((size_t)(n * n * agni_dtypes[to].bytes));
    if (!x)
        return AGNI_NO_ROOM;
    *scaled = equilibrate_matrix(q, a, to, x, row);
    const bool odd = to == AGN_F64 ? factor_real(x, n) : factor_complex(x, n);
    for (int64_t k = 0; k < n; k++)
        pivots[k] = agni_number_get(to, x, k * (n + 1)) * (odd && k == 0 ? -1 : 1);
    agni_free(x);
    return 0;
}

/* the same, or a code below 0: they are sought along columns, then along rows where they
   grow, then in the whole matrix. */
static int64_t find_pivots(const square_job *q, agni_lapack_matrix a, char *lu, lapack_int *piv,
                           double complex *pivots, int64_t *scaled)
{
    double growth = factor_scaled(q, a, lu, piv, scaled);
    if (growth > 1)
        growth = factor_scaled(q, (agni_lapack_matrix){a.p, a.cs, a.rs}, lu, piv, scaled);
    if (growth > 1)
        return find_pivots_completely(q, a, piv, pivots, scaled);
    if (growth < 0)
        return growth == AGNI_NO_ROOM ? AGNI_NO_ROOM : AGNI_LAPACK_REFUSED;
    for (int64_t k = 0; k < q->n; k++) {
        const double complex u = agni_number_get(q->dtype, lu, k * (q->n + 1));
        pivots[k] = piv[k] != k + 1 ? -u : u;
    }
    return 0;
}

/* the product of pivots, which is the result times 2^*exponent: of modulus 1 up to a root of 2, so
   that no sum of its logarithm cancels, and no product on the way leaves the range */
static double complex multiply_pivots(const double complex *pivots, int64_t n, bool real,
                                      int64_t *exponent)
{
    enum { FEW = 256 };
    double complex product = 1;
    int e = 0;
    for (int64_t k = 0, to; k < n; k = to) {
        to = n - k < FEW ? n : k + FEW;
        double m = 1;
        for (int64_t i = k; real && i < to; i++) {
            m *= frexp(creal(pivots[i]), &e);
            *exponent += e;
        }
        product *= m;
        for (int64_t i = k; !real && i < to; i++) {
            frexp(larger_part(pivots[i]), &e);
            product *= agni_scale_parts(pivots[i], -e);
            *exponent += e;
        }
        if (frexp(cabs(product), &e) < 0.70710678118654752)
            e--;
        product = agni_scale_parts(product, -e);
        *exponent += e;
    }
    return product;
}

static int64_t find_determinant(void *user, int64_t i, char *room)
{
    const square_job *q = user;
    char *at = room + agni_room_of(q->n * q->n * q->bytes);
    lapack_int *piv = (lapack_int *)(void *)at;
    double complex *pivots =
        (void *)(at + agni_room_of(q->n * (int64_t)sizeof(lapack_int)));
    const agni_lapack_matrix a = agni_matrix_at(q->c->in, q->c->in, i);
    if (!agni_matrix_copy_finite(room, a, q->n, q->n, q->dtype))
        return AGNI_NOT_FINITE;
    int64_t exponent = 0;
    const int64_t code = find_pivots(q, a, room, piv, pivots, &exponent);
    if (code)
        return code;
    const double complex mantissa = multiply_pivots(
        pivots, q->n, agni_kind(q->dtype) != AGNI_KIND_COMPLEX, &exponent);
    const double size = cabs(mantissa);
    int part = exponent > 1 << 20 ? 1 << 20 : exponent < -(1 << 20) ? -(1 << 20) : (int)exponent;
    const agn_array *y = q->c->out;
    if (q->log) {
        agni_number_set(q->dtype, y[0].data, i, size > 0 ? mantissa / size : 0);
        agni_number_set(y[1].dtype, y[1].data, i,
                        log(size) + (double)exponent * 0.69314718055994530942);
    } else { /* by parts: infinity times i has a NaN */
        double parts[2] = {ldexp(creal(mantissa), part), ldexp(cimag(mantissa), part)};
        double complex det;
        memcpy(&det, parts, sizeof det);
        agni_number_set(q->dtype, y[0].data, i, det);
    }
    return 0;
}

/* the lanes whose pivots are not plain */
#define FIND_FAR(name, T) \
    static uint32_t name(const T *lu, int64_t n, int parts, int lanes, T far) \
    { \
        T low[AGNI_LANES_MOST], high[AGNI_LANES_MOST]; \
        uint32_t mask = 0; \
        for (int l = 0; l < lanes; l++) \
            low[l] = high[l] = 1; \
        for (int64_t k = 0; k < n; k++, lu += (n + 1) * parts * lanes) \
            for (int l = 0; l < lanes; l++) { \
                const T re = lu[l] < 0 ? -lu[l] : lu[l], im = parts == 2 ? lu[l + lanes] : 0, \
                        other = im < 0 ? -im : im, size = re > other ? re : other; \
                low[l] = size < low[l] ? size : low[l]; \
                high[l] = size > high[l] ? size : high[l]; \
            } \
        for (int l = 0; l < lanes; l++) \
            mask |= (uint32_t)!(low[l] * far >= 1 && high[l] <= far) << l; \
        return mask; \
    }
FIND_FAR(find_far_f32, float)
FIND_FAR(find_far_f64, double)

/* pivots that are 0, grow or are not plain numbers are left to find_determinant */
static uint32_t find_determinant_lanes(void *user, int64_t first, int64_t count, char *a)
{
    const square_job *q = user;
    const bool z = agni_kind(q->dtype) == AGNI_KIND_COMPLEX;
    const int real = agni_dtypes[q->dtype].bytes / (z ? 2 : 1) == 4 ? AGN_F32 : AGN_F64;
    double m[2 * AGNI_LANES_MOST], size[AGNI_LANES_MOST], logs[AGNI_LANES_MOST];
    int32_t e[AGNI_LANES_MOST],
        *piv = (int32_t *)(void *)(a + agni_room_of(q->n * q->n * q->bytes * q->lanes->lanes));
    agni_lanes_read(q->lanes, &q->source, first, count, a);
    uint32_t redo = q->lanes->lu(a, piv, q->n);
    const double far = plain_bound(q->dtype);
    redo |= real == AGN_F32
                ? find_far_f32((float *)(void *)a, q->n, z ? 2 : 1, q->lanes->lanes, (float)far)
                : find_far_f64((double *)(void *)a, q->n, z ? 2 : 1, q->lanes->lanes, far);
    q->lanes->determinant(a, piv, q->n, m, e);
    for (int64_t l = 0; l < count; l++) {
        const agn_array *y = q->c->out;
        const double re = creal(agni_number_get(real, m, l)),
                     im = z ? creal(agni_number_get(real, m, l + q->lanes->lanes)) : 0;
        size[l] = 1;
        if (redo >> l & 1)
            continue;
        if (q->log) { /* |x| in [1, 3): the nearer of its powers of 2, so that no sum cancels */
            size[l] = z ? hypot(re, im) : fabs(re);
            agni_number_set(q->dtype, y[0].data, first + l,
                            agni_join_parts(re / size[l], im / size[l]));
            static const double back[] = {1, 0.5};
            const int up = size[l] > 1.4142135623730951;
            size[l] *= back[up];
            e[l] += up;
        } else
            agni_number_set(q->dtype, y[0].data, first + l,
                            agni_scale_parts(agni_join_parts(re, im), e[l]));
    }
    if (q->log) {
        agni_simd_kernels_get()->real[AGNI_SIMD_F64].map[AGNI_VM_log](logs, size, count);
        for (int64_t l = 0; l < count; l++)
            agni_number_set(q->c->out[1].dtype, q->c->out[1].data, first + l,
                            logs[l] + e[l] * 0.69314718055994530942);
    }
    return redo;
}

static agn_status run_determinant(const agn_kernel_call *c, bool log)
{
    const agn_array *x = c->in;
    square_job q = {.c = c, .dtype = x->dtype, .n = x->shape[x->ndim - 1],
                    .bytes = agni_dtypes[x->dtype].bytes, .log = log};
    int64_t batch = agni_batch_count(x, 2), at = 0;
    if (!q.n)
        for (int64_t i = 0; i < batch; i++) {
            agni_number_set(q.dtype, c->out[0].data, i, 1);
            if (log)
                agni_number_set(c->out[1].dtype, c->out[1].data, i, 0);
        }
    if (!q.n || !batch)
        return AGN_OK;
    int64_t room = agni_room_of(q.n * q.n * q.bytes) +
                   agni_room_of(q.n * (int64_t)sizeof(lapack_int)) +
                   agni_room_of(q.n * (int64_t)sizeof(double complex));
    int64_t code;
    if ((q.lanes = agni_lanes_for(q.dtype, q.n, batch))) {
        q.source = agni_lanes_of(x, x, q.n, q.n);
        int64_t in_lanes = agni_room_of(q.n * q.n * q.bytes * q.lanes->lanes) +
                           agni_room_of(q.n * AGNI_LANES_MOST * (int64_t)sizeof(int32_t));
        code = agni_each_in_lanes_or(q.lanes, batch, q.n, in_lanes, find_determinant_lanes, room,
                                     find_determinant, &q, &at);
    } else
        code = agni_each_with_room(batch, q.n, room, find_determinant, &q, &at);
    return agni_end_batch(c, x, code, at, batch, room, "");
}

agn_status agni_cpu_det(const agn_kernel_call *c)
{
    return run_determinant(c, false);
}
agn_status agni_cpu_slogdet(const agn_kernel_call *c)
{
    return run_determinant(c, true);
}

