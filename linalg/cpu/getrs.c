/* linalg/cpu/getrs.c - solves with LU factors of a batch (getrs), their rows interchanged and
   scaled back (Golub & Van Loan, section 3.4); small ones in the lanes of vectors. */
#include "tensor/cpu/level_dispatch.h" /* before complex.h, which takes the name I */

#include "linalg/cpu/getrf_trsm.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

typedef enum CBLAS_TRANSPOSE trans;

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
static void scale_rows(const agni_solve_job *q, char *x, const int32_t *piv, int64_t from,
                       int64_t step)
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
static int64_t solve_lu_shifted(const agni_solve_job *q, int64_t i, int shift)
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
    const bool recognised = piv[0] < 0, turned = !recognised && piv[n * step] == AGNI_TURNED;
    /* pivots given by a user must not index out of bounds */
    for (int64_t r = 0; r < n && !recognised; r++)
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
    const agni_solve_job *q = user;
    const int64_t size = q->n * q->k;
    const int dtype = q->y->dtype;
    char *x = (char *)q->y->data + i * size * q->bytes;
    int64_t code = solve_lu_shifted(q, i, 0);
    if (code || agni_all_finite(dtype, x, size))
        return code;
    agni_matrix_copy(x, agni_matrix_at(q->c->in + 3, q->y, i), q->n, q->k, q->bytes);
    int e = 0;
    if (agni_all_finite(dtype, x, size))
        frexp(agni_largest_of_line(dtype, x, size, 1), &e);
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

/* pivots and exponents to lanes */
static void read_pivots(const agni_solve_job *q, int64_t first, int64_t count, int32_t *piv)
{
    const agn_array *p = q->c->in + 1;
    const int64_t step = p->stride[p->ndim - 1], numbers = 3 * q->n;
    const int lanes = q->lanes->lanes;
    char *from[AGNI_LANES_MOST];
    for (int64_t l = 0; l < lanes; l++) {
        const int64_t i = first + (l < count ? l : count - 1);
        from[l] = q->pivots >= 0 ? (char *)p->data + i * q->pivots * (int64_t)sizeof *piv
                                 : (char *)(uintptr_t)agni_vector_at(p, q->y, i);
    }
    if (step == 1) /* integers of the size of f32 */
        agni_simd_kernels_get()->real[AGNI_SIMD_F32].transpose_out(piv, lanes, from, 0, lanes,
                                                                   numbers);
    else
        for (int64_t k = 0; k < numbers * lanes; k++)
            piv[k] = ((const int32_t *)(const void *)from[k % lanes])[k / lanes * step];
}

/* the imaginary parts of n numbers in lanes */
static void conjugate_lanes(const agni_solve_job *q, char *x, int64_t n)
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
    const agni_solve_job *q = user;
    const agni_vlanes *v = q->lanes;
    const int64_t n = q->n, k = q->k, size = n * k * q->bytes;
    char *x = a + agni_lanes_room(q, n, n), *y = (char *)q->y->data + first * size;
    int32_t *piv = (int32_t *)(void *)(x + agni_lanes_room(q, n, k));
    const bool con = agni_kind(q->y->dtype) == AGNI_KIND_COMPLEX && q->form & AGNI_FORM_CONJUGATE;
    uint32_t redo = 0;
    read_pivots(q, first, count, piv);
    agni_lanes_read(v, &q->source, first, count, a);
    if (q->common)
        memcpy(x, q->common, (size_t)agni_lanes_room(q, n, k));
    else
        agni_lanes_read(v, &q->right, first, count, x);
    if (con) /* the factors serve the conjugate problem */
        conjugate_lanes(q, x, n * k);
    if (q->form & AGNI_FORM_TRANSPOSED) {
        redo |= v->interchange_rows(x, piv, n, k, false);
        v->solve_triangle(a, 1, n, false, true, n, x, k);
        redo |= v->solve_triangle(a, 1, n, true, false, n, x, k);
    } else {
        redo |= v->solve_triangle(a, n, 1, false, false, n, x, k);
        v->solve_triangle(a, n, 1, true, true, n, x, k);
        redo |= v->interchange_rows(x, piv, n, k, true);
    }
    if (con)
        conjugate_lanes(q, x, n * k);
    agni_lanes_write(v, q->y->dtype, x, n * k, count, y);
    if (!agni_all_finite(q->y->dtype, y, count * n * k))
        for (int64_t l = 0; l < count; l++)
            redo |= (uint32_t)!agni_all_finite(q->y->dtype, y + l * size, n * k) << l;
    return redo;
}

agn_status agni_cpu_lu_solve(const agn_kernel_call *c)
{
    const agn_array *lu = c->in, *y = c->out;
    agni_solve_job q = {.c = c, .y = y, .bytes = agni_dtypes[y->dtype].bytes, .form = c->ints[0]};
    q.n = y->shape[y->ndim - 2];
    q.k = y->shape[y->ndim - 1];
    int64_t batch = agni_batch_count(y, 2), at = 0;
    if (batch * q.n * q.k == 0)
        return AGN_OK;
    agni_lapack_matrix first = agni_matrix_at(lu, y, 0);
    bool packed = !(first.cs == 1 && (first.rs == q.n || q.n == 1));
    int64_t code, room = q.n * q.n * q.bytes;
    if (!packed && agni_choose_lanes(&q, batch, lu, c->in + 3)) {
        room = agni_lanes_room(&q, q.n, q.n) + agni_lanes_room(&q, q.n, q.k) +
               agni_room_of(3 * q.n * AGNI_LANES_MOST * (int64_t)sizeof(int32_t));
        q.pivots = pivots_apart(c->in + 1, y, q.n);
        if (!q.right.step)
            q.common = agni_alloc_aligned((size_t)agni_lanes_room(&q, q.n, q.k));
        if (q.common)
            agni_lanes_read(q.lanes, &q.right, 0, 1, q.common);
        code = agni_each_in_lanes(q.lanes, batch, q.n, room, solve_lu_lanes, solve_lu_matrix, &q,
                                  &at);
        agni_free(q.common);
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
