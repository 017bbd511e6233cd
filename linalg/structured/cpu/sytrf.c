/* linalg/structured/cpu/sytrf.c - a[perm, perm] = l d l^H or l d l^T of indefinite matrices, by
   bounded Bunch and Kaufman pivoting (sytrf_rk, hetrf_rk; Ashcraft, Grimes & Lewis 1998): real ones
   by panels and products of our own, complex ones by LAPACK. */
#include "tensor/cpu/level_dispatch.h" /* before complex.h, which takes the name I */

#include "linalg/cpu/lanes/lanes.h"
#include "linalg/cpu/lapack_calls.h"
#include "tensor/matmul/gemm.h"

#include <string.h>

typedef struct ldl_job {
    const agn_kernel_call *c;
    int dtype;
    int64_t n, bytes, work;
    int64_t lead, panel; /* of real matrices: numbers from row to row; columns at a time */
    bool upper, hermitian;
} ldl_job;

/* ---- real matrices ----------------------------------------------------------------- */

enum { ONE_PANEL = 64, PANEL = 32, STRIP = 96 }; /* order; columns; rows of a product */

/* of one matrix: the upper triangle, columns of -l d, the two diagonals of d, pivots, room for
   products, and the order of rows with its inverse */
typedef struct real_room {
    char *s, *w, *d, *e, *work;
    int32_t *piv, *order, *place;
} real_room;

static int64_t row_bytes(const ldl_job *q)
{
    return q->lead * q->bytes;
}
static int64_t real_room_bytes(const ldl_job *q)
{
    return (q->n + q->panel + 2) * row_bytes(q) +
           3 * agni_room_of(q->n * (int64_t)sizeof(int32_t)) +
           (q->panel == q->n ? 0 : (int64_t)agni_gemm_workspace(q->dtype, STRIP, q->n, PANEL));
}
static real_room share_room(const ldl_job *q, char *room)
{
    const int64_t row = row_bytes(q), ints = agni_room_of(q->n * (int64_t)sizeof(int32_t));
    char *w = room + q->n * row, *d = w + q->panel * row, *piv = d + 2 * row;
    return (real_room){.s = room,
                       .w = w,
                       .d = d,
                       .e = d + row,
                       .piv = (int32_t *)(void *)piv,
                       .order = (int32_t *)(void *)(piv + ints),
                       .place = (int32_t *)(void *)(piv + 2 * ints),
                       .work = piv + 3 * ints};
}
/* rows begin on lines of a cache, and not all in the same ones */
static void choose_sizes(ldl_job *q)
{
    const int64_t line = 64 / q->bytes;
    q->panel = q->n <= ONE_PANEL ? q->n : PANEL;
    q->lead = (q->n + line - 1) / line * line;
    q->lead += q->lead % (8 * line) ? 0 : line;
}

/* the triangle that is read, as the upper one; is it finite? */
static bool fill_triangle(const ldl_job *q, const real_room *m, agni_lapack_matrix a)
{
    const int64_t n = q->n, z = q->bytes;
    bool good = true;
    if (!q->upper)
        a = (agni_lapack_matrix){a.p, a.cs, a.rs};
    if (a.rs == 1 && a.cs != 1)
        agni_simd_kernels_get()->real[z == 8 ? AGNI_SIMD_F64 : AGNI_SIMD_F32].transpose(
            m->s, q->lead, a.p, a.cs, n, n);
    for (int64_t j = 0; j < n; j++) {
        char *row = m->s + j * q->lead * z, *at = row + j * z;
        if (a.rs != 1 || a.cs == 1)
            agni_matrix_copy(at, (agni_lapack_matrix){a.p + j * (a.rs + a.cs) * z, 0, a.cs}, 1,
                             n - j, z);
        memset(row + n * z, 0, (size_t)((q->lead - n) * z));
        good = good && agni_all_finite(q->dtype, at, n - j);
    }
    return good;
}

/* the trailing triangle from `next` on less l d l^T of columns from .. next */
static void take_panel(const ldl_job *q, const real_room *m, int64_t from, int64_t next)
{
    const int64_t n = q->n, z = q->bytes;
    for (int64_t j = next; j < n; j += STRIP) {
        const agni_gemm_operand w = {m->w + j * z, 1, q->lead},
                                l = {m->s + (from * q->lead + j) * z, q->lead, 1};
        agni_gemm_add(q->dtype, n - j < STRIP ? n - j : STRIP, n - j, next - from, w, l,
                      m->s + j * (q->lead + 1) * z, q->lead, m->work);
    }
}

/* Rows of columns of a panel change places with every pivot behind it: panels from the last to the
   first, which stand in `first`. */
static void write_columns(const ldl_job *q, const real_room *m, const agni_vlanes *own,
                          const int32_t *first, int panels, char *l)
{
    const int64_t n = q->n, z = q->bytes;
    for (int64_t r = 0; r < n; r++)
        m->order[r] = m->place[r] = (int32_t)r;
    for (int64_t p = panels - 1, end = n; p >= 0; end = first[p--]) {
        own->ldl_rows(m->s, q->lead, n, first[p], end - first[p], m->order, l);
        for (int64_t k = end - 1; k >= first[p]; k--) { /* as the first of the changes */
            const int32_t a = (int32_t)k, b = m->piv[k], ra = m->place[a], rb = m->place[b];
            m->order[ra] = b;
            m->order[rb] = a;
            m->place[a] = rb;
            m->place[b] = ra;
        }
    }
    const double one64 = 1;
    const float one32 = 1;
    for (int64_t r = 0; r < n; r++) {
        memcpy(l + r * (n + 1) * z, z == 8 ? (const void *)&one64 : &one32, (size_t)z);
        memset(l + (r * (n + 1) + 1) * z, 0, (size_t)((n - 1 - r) * z));
    }
}

static int64_t factor_real(void *user, int64_t i, char *room)
{
    const ldl_job *q = user;
    const agn_array *y = q->c->out;
    const int64_t n = q->n, z = q->bytes;
    const agni_vlanes *own =
        agni_simd_kernels_get()->lanes + (z == 8 ? AGNI_SIMD_F64 : AGNI_SIMD_F32);
    char *l = (char *)y[0].data + i * n * n * z, *d = (char *)y[1].data + i * n * n * z;
    int64_t *perm = (int64_t *)y[2].data + i * n;
    const real_room m = share_room(q, room);
    if (!fill_triangle(q, &m, agni_matrix_at(q->c->in, q->c->in, i)))
        return AGNI_NOT_FINITE;
    int32_t *first = (int32_t *)(void *)d; /* room until d is written */
    int panels = 0;
    for (int64_t from = 0, next; from < n; from = next) {
        first[panels++] = (int32_t)from;
        next = from + own->ldl_panel(m.s, q->lead, n, from, q->panel, m.w, m.d, m.e, m.piv);
        if (next < n)
            take_panel(q, &m, from, next);
    }
    write_columns(q, &m, own, first, panels, l);
    memset(d, 0, (size_t)(n * n * z));
    for (int64_t k = 0; k < n; k++)
        perm[k] = k;
    for (int64_t k = 0; k < n; k++) {
        const int64_t p = m.piv[k], was = perm[k];
        perm[k] = perm[p];
        perm[p] = was;
        memcpy(d + k * (n + 1) * z, m.d + k * z, (size_t)z);
        if (k + 1 < n) {
            memcpy(d + ((k + 1) * n + k) * z, m.e + k * z, (size_t)z);
            memcpy(d + (k * n + k + 1) * z, m.e + k * z, (size_t)z);
        }
    }
    return agni_all_finite(q->dtype, m.d, n) && agni_all_finite(q->dtype, m.e, n) &&
                   agni_all_finite(q->dtype, l, n * n)
               ? 0
               : 1;
}

/* ---- complex ones ------------------------------------------------------------------ */

static lapack_int run_sytrf(const ldl_job *q, void *a, void *e, lapack_int *piv, void *work,
                            int64_t lwork)
{
    const int col = LAPACK_COL_MAJOR;
    lapack_int n = (lapack_int)q->n, lw = (lapack_int)lwork;
    if (q->hermitian && q->dtype == AGN_C64)
        return LAPACKE_chetrf_rk_work(col, 'L', n, a, n, e, piv, work, lw);
    if (q->hermitian && q->dtype == AGN_C128)
        return LAPACKE_zhetrf_rk_work(col, 'L', n, a, n, e, piv, work, lw);
    return q->dtype == AGN_C64 ? LAPACKE_csytrf_rk_work(col, 'L', n, a, n, e, piv, work, lw)
                               : LAPACKE_zsytrf_rk_work(col, 'L', n, a, n, e, piv, work, lw);
}

static int64_t factor_complex(void *user, int64_t i, char *room)
{
    const ldl_job *q = user;
    int64_t n = q->n, z = q->bytes, dt = q->dtype;
    char *e = room + agni_room_of(n * n * z), *work = e + agni_room_of(n * z);
    lapack_int *piv = (lapack_int *)(void *)(work + agni_room_of(q->work * z));
    agni_lapack_matrix a = agni_matrix_at(q->c->in, q->c->in, i);
    agni_matrix_copy(room, q->upper ? a : (agni_lapack_matrix){a.p, a.cs, a.rs}, n, n, z);
    for (int64_t j = 0; j < n; j++) {
        memset(room + j * n * z, 0, (size_t)(j * z));
        for (int64_t r = j; q->hermitian && r < n; r++) {
            double complex v = agni_number_get((int)dt, room, j * n + r);
            agni_number_set((int)dt, room, j * n + r,
                            r == j ? creal(v) : q->upper ? conj(v) : v);
        }
    }
    if (!agni_all_finite((int)dt, room, n * n))
        return AGNI_NOT_FINITE;
    if (run_sytrf(q, room, e, piv, work, q->work) < 0)
        return AGNI_LAPACK_REFUSED; /* above 0: d is singular, and a factor all the same */
    char *l = (char *)q->c->out[0].data + i * n * n * z,
         *d = (char *)q->c->out[1].data + i * n * n * z;
    int64_t *perm = (int64_t *)q->c->out[2].data + i * n;
    memset(d, 0, (size_t)(n * n * z));
    for (int64_t k = 0; k < n; k++)
        perm[k] = k;
    bool good = agni_all_finite((int)dt, e, n);
    for (int64_t k = 0; k < n; k++) {
        int64_t p = (piv[k] < 0 ? -(int64_t)piv[k] : piv[k]) - 1, was = perm[k];
        perm[k] = perm[p];
        perm[p] = was;
        double complex off = k + 1 < n ? agni_number_get((int)dt, e, k) : 0,
                       main = agni_number_get((int)dt, room, k * (n + 1));
        good = good && isfinite(creal(main)) && isfinite(cimag(main));
        agni_number_set((int)dt, d, k * (n + 1), main);
        if (off != 0) {
            agni_number_set((int)dt, d, (k + 1) * n + k, off);
            agni_number_set((int)dt, d, k * n + k + 1, q->hermitian ? conj(off) : off);
        }
        agni_number_set((int)dt, room, k * (n + 1), 1);
    }
    agni_matrix_copy(l, (agni_lapack_matrix){room, 1, n}, n, n, z);
    return good && agni_all_finite((int)dt, l, n * n) ? 0 : 1;
}

agn_status agni_cpu_ldl(const agn_kernel_call *c)
{
    const agn_array *x = c->in;
    ldl_job q = {.c = c,
                 .dtype = x->dtype,
                 .n = x->shape[x->ndim - 1],
                 .bytes = agni_dtypes[x->dtype].bytes,
                 .upper = c->ints[0],
                 .hermitian = c->ints[1]};
    int64_t batch = agni_batch_count(x, 2), at = 0;
    if (!batch || !q.n)
        return AGN_OK;
    const bool real = agni_kind(q.dtype) != AGNI_KIND_COMPLEX;
    int64_t room;
    if (real) {
        choose_sizes(&q);
        room = real_room_bytes(&q);
    } else {
        double complex asked = 0, none = 0;
        lapack_int piv = 0;
        if (run_sytrf(&q, &none, &none, &piv, &asked, -1))
            return agni_lapack_failed(c, AGNI_LAPACK_REFUSED, 0, batch, 0, "");
        q.work = agni_lapack_asked(q.dtype, &asked);
        room = agni_overread_room(q.dtype, q.n) + agni_room_of(q.n * q.n * q.bytes) +
               agni_room_of(q.n * q.bytes) + agni_room_of(q.work * q.bytes) +
               agni_room_of(q.n * (int64_t)sizeof(lapack_int));
    }
    int64_t code = agni_each_with_room(batch, q.n, room, real ? factor_real : factor_complex, &q,
                                       &at);
    if (code == AGNI_NOT_FINITE)
        return agni_not_finite(c->op, q.dtype, agni_matrix_at(x, x, at), q.n, at, q.upper ? 1 : -1);
    if (code > 0)
        return agni_fail(AGN_EDOMAIN, "%s: matrix %lld of %lld: an entry of its factors overflows",
                         c->op, (long long)at, (long long)batch);
    return code ? agni_lapack_failed(c, code, at, batch, room, "") : AGN_OK;
}
