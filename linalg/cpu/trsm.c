/* linalg/cpu/trsm.c - solves with triangular matrices of a batch (trsm): by BLAS, in the lanes of
   vectors, or by substitution with divisions (Golub & Van Loan, section 3.1). */
#include "linalg/cpu/getrf_trsm.h"

#include <cblas.h>
#include <math.h>

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
    const agni_solve_job *q = user;
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

int64_t agni_lanes_room(const agni_solve_job *q, int64_t rows, int64_t cols)
{
    return agni_room_of(rows * cols * q->bytes * q->lanes->lanes);
}

static uint32_t solve_triangular_lanes(void *user, int64_t first, int64_t count, char *a)
{
    const agni_solve_job *q = user;
    int64_t n = q->n, k = q->k;
    char *x = a + agni_lanes_room(q, n, n);
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

bool agni_choose_lanes(agni_solve_job *q, int64_t batch, const agn_array *a, const agn_array *b)
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
    agni_solve_job q = {.c = c, .y = y, .bytes = agni_dtypes[y->dtype].bytes};
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
    if (!packed && agni_choose_lanes(&q, batch, a, c->in + 1)) {
        room = agni_lanes_room(&q, q.n, q.n) + agni_lanes_room(&q, q.n, q.k);
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
