/* linalg/functions/cpu/det_pinv.c - determinants by LU and pseudoinverses by singular values:
   functions of one matrix that are no factors. */
#include "tensor/cpu/level_dispatch.h" /* before complex.h, which takes the name I */

#include "linalg/cpu/getrf_trsm.h"
#include "linalg/cpu/lapack_calls.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

typedef struct square_job {
    const agn_kernel_call *c;
    int dtype;
    int64_t m, n, bytes, work;
    double rcond;
    bool log;
    const agni_vlanes *lanes;
    agni_lane_source source;
} square_job;

/* ---- determinants ---------------------------------------------------------------- */

/* the power of 2 that numbers near an end of the range are multiplied by, where sums or reciprocals
   of pivots would overflow; else 0 */
static int scale_extreme(int dtype, void *p, int64_t n)
{
    double most = 0;
    int e = 0, far = dtype == AGN_F32 || dtype == AGN_C64 ? 100 : 900;
    for (int64_t i = 0; i < n; i++) {
        double complex v = agni_number_get(dtype, p, i);
        most = fmax(most, fmax(fabs(creal(v)), fabs(cimag(v))));
    }
    frexp(most, &e);
    if (e <= far && e >= -far)
        return 0;
    for (int64_t i = 0; i < n; i++)
        agni_number_set(dtype, p, i, agni_scale_parts(agni_number_get(dtype, p, i), -e));
    return e;
}

/* far from the ends of the range, and not 0 */
static bool pivots_are_plain(int dtype, const void *lu, int64_t n)
{
    const double far = dtype == AGN_F32 || dtype == AGN_C64 ? 0x1p100 : 0x1p900;
    for (int64_t k = 0; k < n; k++) {
        const double size = cabs(agni_number_get(dtype, lu, k * (n + 1)));
        if (!(size <= far && size >= 1 / far))
            return false;
    }
    return true;
}

/* Factors a 2^-scaled: how its pivots grow, infinity where they are no numbers, or a code below 0 */
static double factor_scaled(const square_job *q, agni_lapack_matrix a, char *lu, lapack_int *piv,
                            int *scaled)
{
    const int64_t n = q->n;
    agni_matrix_copy(lu, a, n, n, q->bytes);
    int64_t code = agni_factor_lu(q->dtype, n, n, lu, piv);
    *scaled = 0;
    if (code >= 0 && !pivots_are_plain(q->dtype, lu, n)) {
        agni_matrix_copy(lu, a, n, n, q->bytes);
        *scaled = scale_extreme(q->dtype, lu, n * n);
        code = agni_factor_lu(q->dtype, n, n, lu, piv);
    }
    if (code < 0)
        return (double)code;
    for (int64_t k = 0; k < n; k++)
        if (!isfinite(cabs(agni_number_get(q->dtype, lu, k * (n + 1)))))
            return (double)INFINITY;
    return agni_growth_beside(q->dtype, agni_largest_of_line(q->dtype, lu, 1, 1),
                              agni_largest_of_line(q->dtype, lu, n, n + 1), a, n, *scaled);
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

/* the same of a 2^-scaled, of any field; 0 or AGNI_NO_ROOM */
static int64_t find_pivots_completely(const square_job *q, agni_lapack_matrix a,
                                      double complex *pivots, int *scaled)
{
    const int64_t n = q->n;
    const int to = agni_kind(q->dtype) == AGNI_KIND_COMPLEX ? AGN_C128 : AGN_F64;
    void *x = agni_alloc((size_t)(n * n * agni_dtypes[to].bytes));
    if (!x)
        return AGNI_NO_ROOM;
    double most = 0;
    for (int64_t i = 0; i < n; i++)
        most = fmax(most, agni_largest_of_line(q->dtype, a.p + i * a.rs * q->bytes, n, a.cs));
    frexp(most, scaled);
    for (int64_t i = 0; i < n * n; i++)
        agni_number_set(to, x, i,
                        agni_scale_parts(agni_number_get(q->dtype, a.p,
                                                         i / n * a.rs + i % n * a.cs),
                                         -*scaled));
    const bool odd = to == AGN_F64 ? factor_real(x, n) : factor_complex(x, n);
    for (int64_t k = 0; k < n; k++)
        pivots[k] = agni_number_get(to, x, k * (n + 1)) * (odd && k == 0 ? -1 : 1);
    agni_free(x);
    return 0;
}

/* pivots of a 2^-scaled, whose product is its determinant: 0 or a code below 0. They are sought
   along columns, then along rows where they grow, then in the whole matrix. */
static int64_t find_pivots(const square_job *q, agni_lapack_matrix a, char *lu, lapack_int *piv,
                           double complex *pivots, int *scaled)
{
    double growth = factor_scaled(q, a, lu, piv, scaled);
    if (growth > 1)
        growth = factor_scaled(q, (agni_lapack_matrix){a.p, a.cs, a.rs}, lu, piv, scaled);
    if (growth > 1)
        return find_pivots_completely(q, a, pivots, scaled);
    if (growth < 0)
        return growth == AGNI_NO_ROOM ? AGNI_NO_ROOM : AGNI_LAPACK_REFUSED;
    for (int64_t k = 0; k < q->n; k++) {
        const double complex u = agni_number_get(q->dtype, lu, k * (q->n + 1));
        pivots[k] = piv[k] != k + 1 ? -u : u;
    }
    return 0;
}

/* mantissas and exponents apart: no product of pivots overflows on the way */
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
    int scaled = 0;
    const int64_t code = find_pivots(q, a, room, piv, pivots, &scaled);
    if (code)
        return code;
    double complex mantissa = 1, sign = 1;
    int64_t exponent = scaled * q->n;
    double logs = (double)exponent * 0.69314718055994530942;
    for (int64_t k = 0; k < q->n; k++) {
        double size = cabs(pivots[k]);
        int e = 0;
        sign *= size > 0 ? pivots[k] / size : 0;
        logs += log(size);
        mantissa *= pivots[k];
        size = cabs(mantissa);
        frexp(size, &e);
        if (e > 300 || e < -300) {
            mantissa *= ldexp(1, -e);
            exponent += e;
        }
    }
    int part = exponent > 1 << 20 ? 1 << 20 : exponent < -(1 << 20) ? -(1 << 20) : (int)exponent;
    const agn_array *y = q->c->out;
    if (q->log) {
        agni_number_set(q->dtype, y[0].data, i, sign);
        agni_number_set(y[1].dtype, y[1].data, i, logs);
    } else { /* by parts: infinity times i has a NaN */
        double parts[2] = {ldexp(creal(mantissa), part), ldexp(cimag(mantissa), part)};
        double complex det;
        memcpy(&det, parts, sizeof det);
        agni_number_set(q->dtype, y[0].data, i, det);
    }
    return 0;
}

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
    if (code == AGNI_NOT_FINITE)
        return agni_not_finite(c->op, q.dtype, agni_matrix_at(x, x, at), q.n, at, 0);
    return code ? agni_lapack_failed(c, code, at, batch, room, "") : AGN_OK;
}

agn_status agni_cpu_det(const agn_kernel_call *c)
{
    return run_determinant(c, false);
}
agn_status agni_cpu_slogdet(const agn_kernel_call *c)
{
    return run_determinant(c, true);
}

/* ---- pseudoinverses -------------------------------------------------------------- */

static lapack_int run_svd(const square_job *q, void *a, void *s, void *u, void *vt, void *work,
                          int64_t lwork, void *rwork, lapack_int *iwork)
{
    lapack_int m = (lapack_int)q->n, n = (lapack_int)q->m, k = m < n ? m : n, w = (lapack_int)lwork;
    const int col = LAPACK_COL_MAJOR;
    return AGNI_BY_FIELD(
        q->dtype, LAPACKE_sgesdd_work(col, 'S', m, n, a, m, s, u, m, vt, k, work, w, iwork),
        LAPACKE_dgesdd_work(col, 'S', m, n, a, m, s, u, m, vt, k, work, w, iwork),
        LAPACKE_cgesdd_work(col, 'S', m, n, a, m, s, u, m, vt, k, work, w, rwork, iwork),
        LAPACKE_zgesdd_work(col, 'S', m, n, a, m, s, u, m, vt, k, work, w, rwork, iwork));
}

/* a = u s vh: y[j, i] = sum over values above rcond s_0 of conj(vh[k, j]) conj(u[i, k]) / s_k */
static int64_t invert_pseudo(void *user, int64_t i, char *room)
{
    const square_job *q = user;
    int64_t m = q->m, n = q->n, k = m < n ? m : n;
    bool z = agni_kind(q->dtype) == AGNI_KIND_COMPLEX;
    int real = q->dtype == AGN_C64 ? AGN_F32 : q->dtype == AGN_C128 ? AGN_F64 : q->dtype;
    char *a = room, *u = a + agni_room_of(m * n * q->bytes),
         *vh = u + agni_room_of(m * k * q->bytes), *s = vh + agni_room_of(k * n * q->bytes),
         *work = s + agni_room_of(k * 8), *iwork = work + agni_room_of(q->work * q->bytes),
         *rwork = iwork + agni_room_of(8 * k * (int64_t)sizeof(lapack_int));
    if (!agni_matrix_copy_finite(a, agni_matrix_at(q->c->in, q->c->in, i), m, n, q->dtype))
        return AGNI_NOT_FINITE;
    lapack_int code = run_svd(q, a, s, vh, u, work, q->work, rwork, (lapack_int *)(void *)iwork);
    if (code)
        return code < 0 ? AGNI_LAPACK_REFUSED : code;
    double top = creal(agni_number_get(real, s, 0));
    int64_t rank = 0;
    for (; rank < k; rank++) {
        double v = creal(agni_number_get(real, s, rank));
        if (!(v > q->rcond * top) || v == 0)
            break;
        for (int64_t j = 0; j < n; j++)
            agni_number_set(q->dtype, vh, rank * n + j,
                            agni_number_get(q->dtype, vh, rank * n + j) / v);
    }
    char *y = (char *)q->c->out->data + i * m * n * q->bytes;
    int N = (int)n, M = (int)m, R = (int)rank, K = (int)k;
    const float complex one32 = 1, none32 = 0;
    const double complex one64 = 1, none64 = 0;
    const enum CBLAS_TRANSPOSE t = z ? CblasConjTrans : CblasTrans;
    if (!rank)
        memset(y, 0, (size_t)(m * n * q->bytes));
    else if (q->dtype == AGN_F32)
        cblas_sgemm(CblasRowMajor, t, t, N, M, R, 1, (float *)(void *)vh, N, (float *)(void *)u, K,
                    0, (float *)(void *)y, M);
    else if (q->dtype == AGN_F64)
        cblas_dgemm(CblasRowMajor, t, t, N, M, R, 1, (double *)(void *)vh, N, (double *)(void *)u,
                    K, 0, (double *)(void *)y, M);
    else if (q->dtype == AGN_C64)
        cblas_cgemm(CblasRowMajor, t, t, N, M, R, &one32, vh, N, u, K, &none32, y, M);
    else
        cblas_zgemm(CblasRowMajor, t, t, N, M, R, &one64, vh, N, u, K, &none64, y, M);
    return 0;
}

agn_status agni_cpu_pinv(const agn_kernel_call *c)
{
    const agn_array *x = c->in;
    square_job q = {.c = c, .dtype = x->dtype, .m = x->shape[x->ndim - 2],
                    .n = x->shape[x->ndim - 1], .bytes = agni_dtypes[x->dtype].bytes};
    int64_t k = q.m < q.n ? q.m : q.n, most = q.m + q.n - k, batch = agni_batch_count(x, 2), at = 0;
    q.rcond = c->reals[0] < 0 ? (double)most * agni_eps_of(q.dtype) : c->reals[0];
    if (c->ints[0])
        return agni_cpu_pinv_hermitian(c);
    if (!batch || !k)
        return AGN_OK;
    double complex asked = 0, none = 0;
    lapack_int integers = 0;
    if (run_svd(&q, &none, &none, &none, &none, &asked, -1, &none, &integers))
        return agni_lapack_failed(c, AGNI_LAPACK_REFUSED, 0, batch, 0, "");
    q.work = agni_lapack_asked(q.dtype, &asked);
    int64_t a = 5 * k + 7, b = 2 * most + 2 * k + 1;
    int64_t room = agni_overread_room(q.dtype, q.m > q.n ? q.m : q.n) +
                   agni_room_of(q.m * q.n * q.bytes) + agni_room_of(q.m * k * q.bytes) +
                   agni_room_of(k * q.n * q.bytes) + agni_room_of(k * 8) +
                   agni_room_of(q.work * q.bytes) +
                   agni_room_of(8 * k * (int64_t)sizeof(lapack_int)) +
                   agni_room_of(k * (a > b ? a : b) * 8);
    int64_t code = agni_each_with_room(batch, k, room, invert_pseudo, &q, &at);
    if (code == AGNI_NOT_FINITE)
        return agni_not_finite_in(c->op, q.dtype, agni_matrix_at(x, x, at), q.m, q.n, at);
    return code ? agni_lapack_failed(c, code, at, batch, room, "singular values") : AGN_OK;
}
