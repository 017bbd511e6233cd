/* linalg/cpu/getrf_trsm.c - LU factors of a batch (getrf), solves with them and with triangular
   matrices (trsm).

   LAPACK sees the transpose of a row-major matrix, a^T = p l u. Read as row-major again, the factor
   is a = l' u' p^T with l' = u^T lower triangular and u' = l^T upper triangular with a unit
   diagonal: right-hand sides stay row-major and nothing is transposed.

   Where a factor overflows, or the reciprocal of a pivot does, r a c is factored instead, with
   powers of 2 in r and c that make the largest entry of each row and column one of [1/2, 1) (van
   der Sluis 1969). Beside the pivots of a matrix lie the exponents of r and of c: 0 where nothing
   was scaled.

   Where pivots grow so that digits are lost (Wilkinson 1961), the factor is that of a^T, whose pivots
   are sought along the other lines: then the first exponent of r is TURNED.

   What the entries show (linalg/cpu/recognise.h) makes another factor, whose first pivot is
   negative. */
#include "linalg/cpu/lane_groups.h"
#include "linalg/cpu/recognise.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

typedef enum CBLAS_TRANSPOSE trans;

typedef struct solve_job {
    const agn_kernel_call *c;
    const agn_array *y;
    int64_t n, k, bytes;
    int64_t form;
    bool upper, unit;
    char *room; /* workspace for a packed matrix, where BLAS does not take the strides */
    const agni_vlanes *lanes;
    agni_lane_source source, right; /* matrices, right-hand sides */
    int64_t pivots; /* numbers from those of one matrix to the next, or -1 */
} solve_job;

/* ---- a triangle ------------------------------------------------------------------ */

static bool is_zero(const char *p, int64_t bytes)
{
    const float *f = (const float *)(const void *)p;
    const double *d = (const double *)(const void *)p;
    return bytes == 4 ? f[0] == 0 : bytes == 8 ? d[0] == 0 : d[0] == 0 && d[1] == 0;
}

static bool is_blas_layout(int64_t n, agni_lapack_matrix a)
{
    return (a.cs == 1 && a.rs >= n && a.rs <= INT32_MAX) ||
           (a.rs == 1 && a.cs >= n && a.cs <= INT32_MAX);
}

bool agni_reciprocal_overflows(int dtype, const char *p)
{
    const float *f = (const float *)(const void *)p;
    const double *d = (const double *)(const void *)p;
    switch (dtype) {
    case AGN_F32:
        return fabsf(f[0]) < 0x1p-128f;
    case AGN_F64:
        return fabs(d[0]) < 0x1p-1024;
    case AGN_C64:
        return fabsf(f[0]) < 0x1p-128f && fabsf(f[1]) < 0x1p-128f;
    default:
        return fabs(d[0]) < 0x1p-1024 && fabs(d[1]) < 0x1p-1024;
    }
}

/* x/d by parts, both times 2^k first: a complex quotient whose |d|^2 would underflow */
static double complex divide_scaled(double complex x, double complex d)
{
    int k = 0;
    double re = creal(d), im = cimag(d);
    frexp(fmax(fabs(re), fabs(im)), &k);
    double complex q = x / agni_scale_parts(d, -k);
    return im == 0 ? agni_join_parts(creal(x) / re, cimag(x) / re) : agni_scale_parts(q, -k);
}

/* substitution with divisions: BLAS multiplies by reciprocals, and where one overflows answers
   would be NaN */
static void substitute_triangle(int dtype, agni_lapack_matrix a, bool upper, int64_t n, int64_t k,
                                void *x)
{
    int64_t bytes = agni_dtypes[dtype].bytes;
    for (int64_t s = 0; s < n; s++) {
        int64_t i = upper ? n - 1 - s : s, from = upper ? i + 1 : 0, to = upper ? n : i;
        for (int64_t j = 0; j < k; j++) {
            double complex sum = agni_number_get(dtype, x, i * k + j);
            for (int64_t l = from; l < to; l++)
                sum -= agni_number_get(dtype, a.p + (i * a.rs + l * a.cs) * bytes, 0) *
                       agni_number_get(dtype, x, l * k + j);
            sum = divide_scaled(sum, agni_number_get(dtype, a.p + i * (a.rs + a.cs) * bytes, 0));
            agni_number_set(dtype, x, i * k + j, sum);
        }
    }
}

static int64_t solve_triangular_matrix(void *user, int64_t i)
{
    const solve_job *q = user;
    int dtype = q->y->dtype;
    char *x = (char *)q->y->data + i * q->n * q->k * q->bytes;
    agni_lapack_matrix a = agni_matrix_at(q->c->in, q->y, i);
    bool faint = false;
    for (int64_t j = 0; j < q->n && !q->unit; j++) {
        const char *d = a.p + j * (a.rs + a.cs) * q->bytes;
        faint = faint || agni_reciprocal_overflows(dtype, d);
        if (dtype == AGN_C64 ? is_zero(d, 4) && is_zero(d + 4, 4)
                             : is_zero(d, q->bytes))
            return j + 1;
    }
    agni_matrix_copy(x, agni_matrix_at(q->c->in + 1, q->y, i), q->n, q->k, q->bytes);
    if (faint) {
        substitute_triangle(dtype, a, q->upper, q->n, q->k, x);
        return 0;
    }
    if (q->room) {
        agni_matrix_copy(q->room, a, q->n, q->n, q->bytes);
        a = (agni_lapack_matrix){q->room, q->n, 1};
    }
    if (q->n == 1) /* strides of one element: any */
        a.rs = a.cs = 1;
    bool rows = a.cs == 1 && a.rs >= q->n;
    bool lower = rows != q->upper; /* of the memory as row-major */
    agni_solve_triangle_rows(dtype, lower ? CblasLower : CblasUpper,
                             rows ? CblasNoTrans : CblasTrans,
                             q->unit ? CblasUnit : CblasNonUnit, q->n, q->k, a.p,
                             rows ? a.rs : a.cs, x);
    return 0;
}

/* bytes of a matrix [rows, cols] in lanes */
static int64_t lanes_room(const solve_job *q, int64_t rows, int64_t cols)
{
    return agni_room_of(rows * cols * q->bytes * q->lanes->lanes);
}

static uint32_t solve_triangular_lanes(void *user, int64_t first, int64_t count, char *a)
{
    const solve_job *q = user;
    int64_t n = q->n, k = q->k;
    char *x = a + lanes_room(q, n, n);
    agni_lane_source s = q->source;
    const bool columns = s.rs == 1 && s.cs == n; /* read in their order */
    if (columns) {
        s.rs = n;
        s.cs = 1;
    }
    agni_lanes_read(q->lanes, &s, first, count, a);
    agni_lanes_read(q->lanes, &q->right, first, count, x);
    uint32_t redo = q->lanes->solve_triangle(a, columns ? 1 : n, columns ? n : 1, q->upper, q->unit,
                                             n, x, k);
    agni_lanes_write(q->lanes, q->y->dtype, x, n * k, count,
                     (char *)q->y->data + first * n * k * q->bytes);
    return redo;
}

/* lanes for what these sizes need; their sources are set then */
static bool choose_lanes(solve_job *q, int64_t batch, const agn_array *a, const agn_array *b)
{
    q->lanes = q->k <= AGNI_LANES_ORDER ? agni_lanes_for(q->y->dtype, q->n, batch) : NULL;
    if (!q->lanes)
        return false;
    q->source = agni_lanes_of(a, q->y, q->n, q->n);
    q->right = agni_lanes_of(b, q->y, q->n, q->k);
    return true;
}

agn_status agni_cpu_triangular_solve(const agn_kernel_call *c)
{
    const agn_array *a = c->in, *y = c->out;
    solve_job q = {.c = c, .y = y, .bytes = agni_dtypes[y->dtype].bytes};
    q.upper = c->ints[0] & AGNI_TRIANGLE_UPPER;
    q.unit = c->ints[0] & AGNI_TRIANGLE_UNIT;
    q.n = y->shape[y->ndim - 2];
    q.k = y->shape[y->ndim - 1];
    int64_t batch = agni_batch_count(y, 2), at = 0;
    if (batch * q.n * q.k == 0)
        return AGN_OK;
    agni_lapack_matrix first = agni_matrix_at(a, y, 0);
    bool packed = q.n > 1 && !is_blas_layout(q.n, first);
    int64_t code, room = q.n * q.n * q.bytes;
    if (!packed && choose_lanes(&q, batch, a, c->in + 1)) {
        room = lanes_room(&q, q.n, q.n) + lanes_room(&q, q.n, q.k);
        code = agni_each_in_lanes(q.lanes, batch, q.n, room, solve_triangular_lanes,
                                  solve_triangular_matrix, &q, &at);
    } else {
        if (packed && !(q.room = agni_alloc((size_t)room)))
            return agni_nomem(c->op, (size_t)room);
        /* one workspace serves one thread: a large order keeps agni_each_matrix serial */
        code = agni_each_matrix(batch, q.room ? INT32_MAX : q.n, solve_triangular_matrix, &q, &at);
        agni_free(q.room);
    }
    if (code == AGNI_NO_ROOM)
        return agni_nomem(c->op, (size_t)room);
    if (code)
        return agni_fail(
            AGN_EDOMAIN,
            "%s: matrix %lld of %lld is singular: entry [%lld,%lld] of the diagonal is 0",
            c->op, (long long)at, (long long)batch, (long long)code - 1,
            (long long)code - 1);
    return AGN_OK;
}

/* ---- LU -------------------------------------------------------------------------- */

static double largest_part(int dtype, const char *p, int64_t n, int64_t step)
{
    double most = 0;
    for (int64_t i = 0; i < n; i++) {
        double complex v = agni_number_get(dtype, p, i * step);
        most = fmax(most, fmax(fabs(creal(v)), fabs(cimag(v))));
    }
    return most;
}

/* a row or column times the power of 2 whose exponent is the result */
static int32_t equilibrate_line(int dtype, char *p, int64_t n, int64_t step)
{
    int e = 0;
    double most = largest_part(dtype, p, n, step);
    if (!(most > 0))
        return 0;
    frexp(most, &e);
    for (int64_t i = 0; i < n; i++)
        agni_number_set(dtype, p, i * step,
                        agni_scale_parts(agni_number_get(dtype, p, i * step), -e));
    return -e;
}

static bool is_good_pivot(int dtype, const char *p)
{
    double complex v = agni_number_get(dtype, p, 0);
    return isfinite(creal(v)) && isfinite(cimag(v)) && !agni_reciprocal_overflows(dtype, p);
}

/* Is the factor one that solves: finite, with pivots whose reciprocals are? 0, or n + 1 + the
   pivot. Pivots tell of all entries: what is not finite in a row of u spreads down its column to
   the pivot there, and what is not in a column of l along its row. */
static int64_t find_bad_pivot(int dtype, const char *lu, int64_t n)
{
    const int64_t step = (n + 1) * agni_dtypes[dtype].bytes;
    for (int64_t k = 0; k < n; k++)
        if (!is_good_pivot(dtype, lu + k * step))
            return n + 1 + k;
    return 0;
}

enum { TURNED = INT32_MIN, MUCH = 4096 }; /* growth that is looked into */

/* the largest pivot beside the largest entry, where that is much; else 1 */
static double pivot_growth(int dtype, const char *lu, agni_lapack_matrix a, int64_t n)
{
    const int64_t z = agni_dtypes[dtype].bytes;
    const double first = largest_part(dtype, lu, 1, 1), top = largest_part(dtype, lu, n, n + 1);
    if (top <= MUCH * first)
        return 1;
    double most = 0;
    for (int64_t i = 0; i < n; i++)
        most = fmax(most, largest_part(dtype, a.p + i * a.rs * z, n, a.cs));
    return top > MUCH * most ? top / most : 1;
}

/* the factor of a^T: how its pivots grow, or infinity where there is none */
static double factor_turned(int dtype, char *lu, agni_lapack_matrix a, int64_t n, int32_t *piv)
{
    agni_matrix_copy(lu, (agni_lapack_matrix){a.p, a.cs, a.rs}, n, n, agni_dtypes[dtype].bytes);
    return agni_factor_lu(dtype, n, n, lu, piv) || find_bad_pivot(dtype, lu, n)
               ? (double)INFINITY
               : pivot_growth(dtype, lu, a, n);
}

/* Keeps a factor, or that of a^T where pivots grow less there: 0, or beyond 2 n where more than half
   of the digits are lost both ways. */
static int64_t limit_growth(int dtype, char *lu, agni_lapack_matrix a, int64_t n, int32_t *piv)
{
    double growth = pivot_growth(dtype, lu, a, n);
    if (growth == 1)
        return 0;
    const double other = factor_turned(dtype, lu, a, n, piv);
    if (other < growth)
        piv[n] = TURNED;
    else {
        agni_matrix_copy(lu, a, n, n, agni_dtypes[dtype].bytes);
        const int64_t code = agni_factor_lu(dtype, n, n, lu, piv);
        if (code)
            return code;
    }
    growth = other < growth ? other : growth;
    return growth * growth * agni_eps_of(dtype) <= 1 ? 0 : 2 * n + 1;
}

/* r a c, whose largest entries are below 1: 0, a pivot from 1 on, or n + 1 + the pivot */
static int64_t factor_scaled(int dtype, char *lu, agni_lapack_matrix a, int64_t n, int32_t *piv)
{
    const int64_t z = agni_dtypes[dtype].bytes;
    int32_t *rows = piv + n, *cols = rows + n;
    agni_matrix_copy(lu, a, n, n, z);
    for (int64_t k = 0; k < n; k++)
        rows[k] = equilibrate_line(dtype, lu + k * n * z, n, 1);
    for (int64_t k = 0; k < n; k++)
        cols[k] = equilibrate_line(dtype, lu + k * z, n, n);
    const int64_t code = agni_factor_lu(dtype, n, n, lu, piv);
    return code ? code : find_bad_pivot(dtype, lu, n);
}

/* Scaled factors, or those of a^T where pivots grow less there: codes as of limit_growth */
static int64_t factor_extreme(int dtype, char *lu, agni_lapack_matrix a, int64_t n, int32_t *piv)
{
    int64_t code = factor_scaled(dtype, lu, a, n, piv);
    double growth = code ? (double)INFINITY : largest_part(dtype, lu, n, n + 1);
    if (code ? code <= n : growth <= MUCH)
        return code;
    const double other = factor_turned(dtype, lu, a, n, piv);
    if (other < growth) {
        memset(piv + n, 0, (size_t)(2 * n) * sizeof *piv);
        piv[n] = TURNED;
        growth = other;
    } else if (code || (code = factor_scaled(dtype, lu, a, n, piv)))
        return code;
    return growth * growth * agni_eps_of(dtype) <= 1 ? 0 : 2 * n + 1;
}

static int64_t factor_lu_matrix(void *user, int64_t i)
{
    const solve_job *q = user;
    int64_t n = q->n;
    int dtype = q->y->dtype;
    agni_lapack_matrix a = agni_matrix_at(q->c->in, q->y, i);
    char *lu = (char *)q->y->data + i * n * n * q->bytes;
    int32_t *piv = (int32_t *)q->c->out[1].data + i * 3 * n;
    if (!agni_matrix_copy_finite(lu, a, n, n, dtype))
        return AGNI_NOT_FINITE;
    int64_t below = 0, above = 0, code;
    agni_factor_kind kind = agni_recognise(dtype, lu, n, &below, &above);
    if (kind != AGNI_FACTOR_LU) {
        code = agni_factor_recognised(kind, dtype, n, below, above, a, lu, piv);
        if (code != AGNI_USE_LU)
            return code;
        agni_matrix_copy(lu, a, n, n, q->bytes);
    }
    memset(piv + n, 0, (size_t)(2 * n) * sizeof *piv);
    code = agni_factor_lu(dtype, n, n, lu, piv);
    if (code == AGNI_NO_ROOM)
        return code;
    if (!code && !find_bad_pivot(dtype, lu, n))
        return limit_growth(dtype, lu, a, n, piv);
    return factor_extreme(dtype, lu, a, n, piv);
}

static uint32_t factor_lu_lanes(void *user, int64_t first, int64_t count, char *a)
{
    const solve_job *q = user;
    int64_t n = q->n;
    int lanes = q->lanes->lanes;
    int32_t *piv = (int32_t *)(void *)(a + lanes_room(q, n, n)),
            *to = (int32_t *)q->c->out[1].data + first * 3 * n;
    agni_lanes_read(q->lanes, &q->source, first, count, a);
    uint32_t redo = q->lanes->lu(a, piv, n);
    agni_lanes_write(q->lanes, q->y->dtype, a, n * n, count,
                     (char *)q->y->data + first * n * n * q->bytes);
    const char *lu = (char *)q->y->data + first * n * n * q->bytes;
    for (int64_t l = 0; l < count; l++, to += 3 * n, lu += n * n * q->bytes) {
        for (int64_t k = 0; k < n; k++)
            to[k] = piv[k * lanes + l] + 1;
        memset(to + n, 0, (size_t)(2 * n) * sizeof *to);
        const agni_lapack_matrix original = agni_matrix_at(q->c->in, q->y, first + l);
        redo |= (uint32_t)(pivot_growth(q->y->dtype, lu, original, n) > 1) << l;
    }
    return redo;
}

/* a failure becomes a code, and its matrix the identity */
static int64_t factor_lu_going_on(void *user, int64_t i)
{
    const solve_job *q = user;
    int64_t n = q->n, code = factor_lu_matrix(user, i);
    if (!code || code == AGNI_NO_ROOM)
        return code;
    char *lu = (char *)q->y->data + i * n * n * q->bytes;
    int32_t *piv = (int32_t *)q->c->out[1].data + i * 3 * n;
    memset(lu, 0, (size_t)(n * n * q->bytes));
    memset(piv, 0, (size_t)(3 * n) * sizeof *piv);
    for (int64_t k = 0; k < n; k++) {
        agni_number_set(q->y->dtype, lu, k * (n + 1), 1);
        piv[k] = (int32_t)(k + 1);
    }
    ((int32_t *)q->c->out[2].data)[i] = code == AGNI_NOT_FINITE
                                            ? -1
                                            : (int32_t)(code > 2 * n ? n : code > n ? code - n : code);
    return 0;
}

/* factors of all matrices, by one(); codes as of agni_each_matrix, and what lanes needed */
static int64_t factor_all(solve_job *q, agni_one_matrix *one, int64_t batch, int64_t *room,
                          int64_t *at)
{
    const agn_array *x = q->c->in;
    *room = 0;
    if (!q->n)
        return 0;
    if (!choose_lanes(q, batch, x, x))
        return agni_each_matrix(batch, q->n, one, q, at);
    *room = lanes_room(q, q->n, q->n) +
            agni_room_of(q->n * AGNI_LANES_MOST * (int64_t)sizeof(int32_t));
    return agni_each_in_lanes(q->lanes, batch, q->n, *room, factor_lu_lanes, one, q, at);
}

agn_status agni_cpu_lu_info(const agn_kernel_call *c)
{
    const agn_array *y = c->out;
    solve_job q = {
        .c = c, .y = y, .n = y->shape[y->ndim - 1], .bytes = agni_dtypes[y->dtype].bytes};
    int64_t batch = agni_batch_count(y, 2), at = 0, room;
    memset(c->out[2].data, 0, (size_t)batch * sizeof(int32_t));
    int64_t code = factor_all(&q, factor_lu_going_on, batch, &room, &at);
    return code ? agni_nomem(c->op, (size_t)(room ? room : q.n * q.n * q.bytes)) : AGN_OK;
}

agn_status agni_cpu_lu_factor(const agn_kernel_call *c)
{
    const agn_array *x = c->in, *y = c->out;
    solve_job q = {
        .c = c, .y = y, .n = y->shape[y->ndim - 1], .bytes = agni_dtypes[y->dtype].bytes};
    int64_t batch = agni_batch_count(y, 2), at = 0, room,
            code = factor_all(&q, factor_lu_matrix, batch, &room, &at);
    if (code == AGNI_NO_ROOM && room)
        return agni_nomem("linalg_solve", (size_t)room);
    if (code == AGNI_NO_ROOM)
        return agni_fail(AGN_ENOMEM,
                         "linalg_solve: no thread with a stack for LAPACK's getrf of %lld "
                         "rows",
                         (long long)q.n);
    if (code == AGNI_NOT_FINITE)
        return agni_not_finite("linalg_solve", y->dtype, agni_matrix_at(x, y, at), q.n,
                               at, 0);
    if (code > 2 * q.n)
        return agni_fail(AGN_EDOMAIN,
                         "linalg_solve: matrix %lld of %lld: more than half of the digits are lost in "
                         "pivots that grow, along rows and columns",
                         (long long)at, (long long)batch);
    if (code > q.n)
        return agni_fail(AGN_EDOMAIN,
                         "linalg_solve: matrix %lld of %lld is singular to working precision: the "
                         "reciprocal of pivot %lld of %lld overflows, with rows and columns scaled",
                         (long long)at, (long long)batch, (long long)(code - q.n - 1),
                         (long long)q.n);
    if (code)
        return agni_fail(
            AGN_EDOMAIN,
            "linalg_solve: matrix %lld of %lld is singular: pivot %lld of %lld is 0",
            (long long)at, (long long)batch, (long long)code - 1, (long long)q.n);
    return AGN_OK;
}

/* lines of so many bytes */
static void swap_lines(char *a, char *b, int64_t bytes)
{
    char t[256];
    for (int64_t m; bytes > 0; bytes -= m, a += m, b += m) {
        m = bytes < (int64_t)sizeof t ? bytes : (int64_t)sizeof t;
        memcpy(t, a, (size_t)m);
        memcpy(a, b, (size_t)m);
        memcpy(b, t, (size_t)m);
    }
}

#define INTERCHANGE(T) \
    for (int64_t s = 0; s < n; s++) { \
        int64_t r = back ? n - 1 - s : s, at = piv[r * step] - 1; \
        T *a = (T *)(void *)x + r * k, *b = (T *)(void *)x + at * k; \
        if (k >= WIDE && at != r) \
            swap_lines((char *)a, (char *)b, k * (int64_t)sizeof(T)); \
        for (int64_t j = 0; k < WIDE && j < k; j++) { \
            T t = a[j]; \
            a[j] = b[j]; \
            b[j] = t; \
        } \
    } \
    break
/* rows r and piv[r] - 1 of x [n, k] change places, forwards or backwards; pivots a step apart */
static void interchange_rows(int64_t bytes, char *x, int64_t n, int64_t k, const int32_t *piv,
                             int64_t step, bool back)
{
    enum { WIDE = 16 };
    switch (bytes) {
    case 4:
        INTERCHANGE(float);
    case 8:
        INTERCHANGE(double);
    default:
        INTERCHANGE(double complex);
    }
}

static void conjugate_elements(int dtype, void *p, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (dtype == AGN_C64)
            ((float *)p)[2 * i + 1] = -((float *)p)[2 * i + 1];
        else
            ((double *)p)[2 * i + 1] = -((double *)p)[2 * i + 1];
}

static bool is_scaled(const int32_t *piv, int64_t step, int64_t n)
{
    for (int64_t i = n; i < 3 * n; i++)
        if (piv[i * step])
            return true;
    return false;
}

/* rows of x times powers of 2, whose exponents lie at `from` beside the pivots; NULL: not scaled */
static void scale_rows(const solve_job *q, char *x, const int32_t *piv, int64_t from, int64_t step)
{
    int dtype = q->y->dtype;
    for (int64_t i = 0; piv && i < q->n * q->k; i++)
        agni_number_set(dtype, x, i, agni_scale_parts(agni_number_get(dtype, x, i),
                                                      piv[(from + i / q->k) * step]));
}

static void shift_all(int dtype, char *x, int64_t n, int shift)
{
    for (int64_t i = 0; shift && i < n; i++)
        agni_number_set(dtype, x, i, agni_scale_parts(agni_number_get(dtype, x, i), shift));
}

/* right-hand sides times 2^shift first */
static int64_t solve_lu_shifted(const solve_job *q, int64_t i, int shift)
{
    int64_t n = q->n, k = q->k;
    int dtype = q->y->dtype;
    bool complex_ = agni_kind(dtype) == AGNI_KIND_COMPLEX;
    bool transposed = q->form & AGNI_FORM_TRANSPOSED,
         con = complex_ && q->form & AGNI_FORM_CONJUGATE;
    agni_lapack_matrix lu = agni_matrix_at(q->c->in, q->y, i);
    const int32_t *piv = (const int32_t *)(const void *)agni_vector_at(q->c->in + 1,
                                                                       q->y, i);
    int64_t step = q->c->in[1].stride[q->c->in[1].ndim - 1];
    char *x = (char *)q->y->data + i * n * k * q->bytes;
    int64_t code;
    const bool recognised = piv[0] < 0, turned = !recognised && piv[n * step] == TURNED;
    for (int64_t r = 0; r < n && !recognised; r++) /* pivots given by a user must not index out of bounds */
        if (piv[r * step] < 1 || piv[r * step] > n)
            return r + 1;
    const agni_lapack_matrix right = agni_matrix_at(q->c->in + 3, q->y, i);
    if (!shift && k == n && !q->form && (!recognised || piv[0] == -AGNI_FACTOR_POSITIVE) &&
        agni_is_identity(dtype, right, n) && (recognised || !is_scaled(piv, step, n))) {
        agni_matrix_copy(x, lu, n, n, q->bytes);
        code = agni_invert_factored(dtype, recognised, n, x, piv, step);
        if (code != AGNI_LAPACK_REFUSED)
            return code;
    }
    agni_matrix_copy(x, right, n, k, q->bytes);
    shift_all(dtype, x, n * k, shift);
    if (q->room) {
        agni_matrix_copy(q->room, lu, n, n, q->bytes);
        lu = (agni_lapack_matrix){q->room, n, 1};
    }
    if (recognised)
        return agni_solve_recognised(dtype, n, k, lu.p, piv, step, q->form, x) ? 0 : 1;
    transposed = transposed != turned;
    const int32_t *scaled = !turned && is_scaled(piv, step, n) ? piv : NULL;
    scale_rows(q, x, scaled, transposed ? 2 * n : n, step);
    if (transposed) {
        trans op = con ? CblasConjTrans : CblasTrans;
        interchange_rows(q->bytes, x, n, k, piv, step, false);
        agni_solve_triangle_rows(dtype, CblasUpper, op, CblasUnit, n, k, lu.p, lu.rs, x);
        agni_solve_triangle_rows(dtype, CblasLower, op, CblasNonUnit, n, k, lu.p, lu.rs, x);
        scale_rows(q, x, scaled, n, step);
        return 0;
    }
    if (con)
        conjugate_elements(dtype, x, n * k);
    agni_solve_triangle_rows(dtype, CblasLower, CblasNoTrans, CblasNonUnit, n, k, lu.p, lu.rs, x);
    agni_solve_triangle_rows(dtype, CblasUpper, CblasNoTrans, CblasUnit, n, k, lu.p, lu.rs, x);
    interchange_rows(q->bytes, x, n, k, piv, step, true);
    if (con)
        conjugate_elements(dtype, x, n * k);
    scale_rows(q, x, scaled, 2 * n, step);
    return 0;
}

/* Sums on the way may overflow where the solution does not: then sides near 1 are solved for */
static int64_t solve_lu_matrix(void *user, int64_t i)
{
    const solve_job *q = user;
    const int64_t size = q->n * q->k;
    const int dtype = q->y->dtype;
    char *x = (char *)q->y->data + i * size * q->bytes;
    int64_t code = solve_lu_shifted(q, i, 0);
    if (code || agni_all_finite(dtype, x, size))
        return code;
    agni_matrix_copy(x, agni_matrix_at(q->c->in + 3, q->y, i), q->n, q->k, q->bytes);
    int e = 0;
    if (agni_all_finite(dtype, x, size))
        frexp(largest_part(dtype, x, size, 1), &e);
    if (e <= 1) /* what is not finite spreads; an x that overflows does so again */
        return solve_lu_shifted(q, i, 0);
    code = solve_lu_shifted(q, i, -e);
    shift_all(dtype, x, size, e);
    return code;
}

/* 3 n where the pivots of all matrices lie one behind the other, else -1 */
static int64_t pivots_apart(const agn_array *p, const agn_array *y, int64_t n)
{
    int64_t next = 3 * n;
    if (p->ndim != y->ndim - 1 || p->stride[p->ndim - 1] != 1)
        return -1;
    for (int d = p->ndim - 2; d >= 0; d--) {
        if (p->shape[d] != y->shape[d] || (p->shape[d] != 1 && p->stride[d] != next))
            return -1;
        next *= p->shape[d];
    }
    return 3 * n;
}

/* the rows that interchanges in this order bring together; false where this is no work for lanes */
static bool read_pivots(const solve_job *q, int64_t i, int32_t *piv)
{
    const int32_t *p = q->pivots >= 0
                           ? (const int32_t *)q->c->in[1].data + i * q->pivots
                           : (const int32_t *)(const void *)agni_vector_at(q->c->in + 1, q->y, i);
    int64_t step = q->c->in[1].stride[q->c->in[1].ndim - 1], n = q->n;
    bool good = true;
    for (int64_t r = 0; r < n; r++) {
        int32_t at = p[r * step];
        good &= at >= 1 && at <= n;
        piv[r] = at >= 1 && at <= n ? at : 1;
    }
    return good && !is_scaled(p, step, n);
}

/* the imaginary parts of n numbers in lanes */
static void conjugate_lanes(const solve_job *q, char *x, int64_t n)
{
    const int64_t lanes = q->lanes->lanes, part = lanes * q->bytes / 2;
    for (x += part; n-- > 0; x += 2 * part)
        for (int64_t l = 0; l < lanes; l++)
            if (q->bytes == 8)
                ((float *)(void *)x)[l] = -((float *)(void *)x)[l];
            else
                ((double *)(void *)x)[l] = -((double *)(void *)x)[l];
}

static uint32_t solve_lu_lanes(void *user, int64_t first, int64_t count, char *a)
{
    const solve_job *q = user;
    const agni_vlanes *v = q->lanes;
    int64_t n = q->n, k = q->k, size = n * k * q->bytes;
    char *x = a + lanes_room(q, n, n), *y = (char *)q->y->data + first * size;
    const bool transposed = q->form & AGNI_FORM_TRANSPOSED,
               con = agni_kind(q->y->dtype) == AGNI_KIND_COMPLEX && q->form & AGNI_FORM_CONJUGATE;
    int32_t piv[AGNI_LANES_MOST][AGNI_LANES_ORDER];
    uint32_t redo = 0;
    for (int64_t l = 0; l < count; l++)
        redo |= (uint32_t)!read_pivots(q, first + l, piv[l]) << l;
    agni_lanes_read(v, &q->source, first, count, a);
    if (transposed) { /* interchanges come first: in the result, whence the lanes are filled */
        for (int64_t l = 0; l < count; l++) {
            agni_matrix_copy(y + l * size, agni_matrix_at(q->c->in + 3, q->y, first + l), n, k,
                             q->bytes);
            interchange_rows(q->bytes, y + l * size, n, k, piv[l], 1, false);
        }
        agni_lane_source changed = agni_lanes_of(q->y, q->y, n, k);
        agni_lanes_read(v, &changed, first, count, x);
        if (con) /* the factors serve the conjugate problem */
            conjugate_lanes(q, x, n * k);
        v->solve_triangle(a, 1, n, false, true, n, x, k);
        redo |= v->solve_triangle(a, 1, n, true, false, n, x, k);
    } else {
        agni_lanes_read(v, &q->right, first, count, x);
        if (con)
            conjugate_lanes(q, x, n * k);
        redo |= v->solve_triangle(a, n, 1, false, false, n, x, k);
        v->solve_triangle(a, n, 1, true, true, n, x, k);
    }
    if (con)
        conjugate_lanes(q, x, n * k);
    agni_lanes_write(v, q->y->dtype, x, n * k, count, y);
    for (int64_t l = 0; l < count && !transposed; l++)
        interchange_rows(q->bytes, y + l * size, n, k, piv[l], 1, true);
    if (!agni_all_finite(q->y->dtype, y, count * n * k))
        for (int64_t l = 0; l < count; l++)
            redo |= (uint32_t)!agni_all_finite(q->y->dtype, y + l * size, n * k) << l;
    return redo;
}

agn_status agni_cpu_lu_solve(const agn_kernel_call *c)
{
    const agn_array *lu = c->in, *y = c->out;
    solve_job q = {.c = c, .y = y, .bytes = agni_dtypes[y->dtype].bytes, .form = c->ints[0]};
    q.n = y->shape[y->ndim - 2];
    q.k = y->shape[y->ndim - 1];
    int64_t batch = agni_batch_count(y, 2), at = 0;
    if (batch * q.n * q.k == 0)
        return AGN_OK;
    agni_lapack_matrix first = agni_matrix_at(lu, y, 0);
    bool packed = !(first.cs == 1 && (first.rs == q.n || q.n == 1));
    int64_t code, room = q.n * q.n * q.bytes;
    if (!packed && choose_lanes(&q, batch, lu, c->in + 3)) {
        room = lanes_room(&q, q.n, q.n) + lanes_room(&q, q.n, q.k);
        q.pivots = pivots_apart(c->in + 1, y, q.n);
        code = agni_each_in_lanes(q.lanes, batch, q.n, room, solve_lu_lanes, solve_lu_matrix, &q,
                                  &at);
    } else {
        if (packed && !(q.room = agni_alloc((size_t)room)))
            return agni_nomem(c->op, (size_t)room);
        code = agni_each_matrix(batch, q.room ? INT32_MAX : q.n, solve_lu_matrix, &q, &at);
        agni_free(q.room);
    }
    if (code == AGNI_NO_ROOM)
        return agni_nomem(c->op, (size_t)room);
    if (code)
        return agni_fail(AGN_EARG,
                         "%s: pivot %lld of matrix %lld is no row of order %lld", c->op,
                         (long long)code - 1, (long long)at, (long long)q.n);
    return AGN_OK;
}
