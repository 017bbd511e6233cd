/* linalg/cpu/geev.c - eigenpairs of general matrices (geev, which balances), and what is a tie
   among complex values. A matrix without imaginary parts is LAPACK's real one: its values come in
   exact pairs of conjugates. */
#include "linalg/cpu/lapack_calls.h"

#include <stdlib.h>
#include <string.h>

typedef struct eig_job {
    const agn_kernel_call *c;
    int dtype, real; /* complex, and its real partner */
    int64_t n, bytes, work;
    bool vectors;
} eig_job;

static lapack_int run_geev(const eig_job *q, bool real, void *a, void *w, void *wi, void *v,
                           void *work, int64_t lwork, void *rwork)
{
    const int col = LAPACK_COL_MAJOR;
    const char job = q->vectors ? 'V' : 'N';
    lapack_int n = (lapack_int)q->n, lw = (lapack_int)lwork;
    bool single = q->dtype == AGN_C64;
    if (real)
        return single ? LAPACKE_sgeev_work(col, 'N', job, n, a, n, w, wi, NULL, 1, v, n, work, lw)
                      : LAPACKE_dgeev_work(col, 'N', job, n, a, n, w, wi, NULL, 1, v, n, work, lw);
    return single ? LAPACKE_cgeev_work(col, 'N', job, n, a, n, w, NULL, 1, v, n, work, lw, rwork)
                  : LAPACKE_zgeev_work(col, 'N', job, n, a, n, w, NULL, 1, v, n, work, lw, rwork);
}

/* what does not depend on LAPACK, once per type: T real numbers, pairs of them complex ones */
#define PASSES(name, T) \
    /* are imaginary parts all 0? the largest part */ \
    static bool look_##name(const T *a, int64_t n, double *most) \
    { \
        bool real = true; \
        T top = 0; \
        for (int64_t k = 0; k < n; k++) { \
            T x = (T)fabs((double)a[2 * k]), y = (T)fabs((double)a[2 * k + 1]); \
            real = real & (y == 0); \
            x = x > y ? x : y; \
            top = x > top ? x : top; \
        } \
        *most = top; \
        return real; \
    } \
    /* in place */ \
    static void take_real_##name(T *a, int64_t n) \
    { \
        for (int64_t k = 0; k < n; k++) \
            a[k] = a[2 * k]; \
    } \
    /* columns of right to columns of v by rows; of a real matrix wi tells pairs of conjugates */ \
    static void place_##name(T *v, const T *right, const T *wi, int64_t n) \
    { \
        enum { ROWS = 8 }; \
        for (int64_t r0 = 0; r0 < n; r0 += ROWS) \
            for (int64_t j = 0; j < n; j++) { \
                const T im = wi ? wi[j] : 0, turn = im < 0 ? -1 : 1; \
                const T *re = right + (im < 0 ? j - 1 : j) * n * (wi ? 1 : 2); \
                for (int64_t r = r0; r < n && r < r0 + ROWS; r++) { \
                    T *to = v + 2 * (r * n + j); \
                    to[0] = wi ? re[r] : re[2 * r]; \
                    to[1] = !wi ? re[2 * r + 1] : im != 0 ? turn * re[n + r] : 0; \
                } \
            } \
    }
PASSES(f32, float)
PASSES(f64, double)

static int64_t find_eigenpairs(void *user, int64_t i, char *room)
{
    const eig_job *q = user;
    int64_t n = q->n, square = n * n * q->bytes;
    agni_lapack_matrix a = agni_matrix_at(q->c->in, q->c->in, i);
    const bool single = q->dtype == AGN_C64;
    char *w = (char *)q->c->out[0].data + i * n * q->bytes;
    char *copy = room, *right = copy + agni_room_of(square),
         *wr = right + agni_room_of(q->vectors ? square : 0), *wi = wr + agni_room_of(n * q->bytes),
         *rwork = wi + agni_room_of(n * q->bytes), *work = rwork + agni_room_of(2 * n * q->bytes);
    void *pc = copy, *pr = right, *pi = wi;
    if (!agni_matrix_copy_finite(copy, (agni_lapack_matrix){a.p, a.cs, a.rs}, n, n, q->dtype))
        return AGNI_NOT_FINITE;
    double most = 0;
    const bool real = single ? look_f32(pc, n * n, &most) : look_f64(pc, n * n, &most);
    /* numbers near the ends of the range are moved to its middle: vectors of subnormal ones lose
       length */
    int shift = 0;
    frexp(most, &shift);
    shift = abs(shift) > (single ? 60 : 500) ? shift : 0;
    for (int64_t k = 0; shift && k < n * n; k++)
        agni_number_set(q->dtype, copy, k,
                        agni_scale_parts(agni_number_get(q->dtype, copy, k), -shift));
    if (real && single)
        take_real_f32(pc, n * n);
    else if (real)
        take_real_f64(pc, n * n);
    int64_t code = run_geev(q, real, copy, real ? wr : w, wi, right, work, q->work, rwork);
    if (code)
        return code < 0 ? AGNI_LAPACK_REFUSED : code;
    for (int64_t k = 0; real && k < n; k++)
        agni_number_set(q->dtype, w, k, agni_join_parts(creal(agni_number_get(q->real, wr, k)),
                                                        creal(agni_number_get(q->real, wi, k))));
    for (int64_t k = 0; shift && k < n; k++)
        agni_number_set(q->dtype, w, k, agni_scale_parts(agni_number_get(q->dtype, w, k), shift));
    if (!q->vectors)
        return 0;
    void *v = (char *)q->c->out[1].data + i * square;
    if (single)
        place_f32(v, pr, real ? pi : NULL, n);
    else
        place_f64(v, pr, real ? pi : NULL, n);
    agni_fix_phases(q->dtype, v, n, n, n, NULL, 0);
    return 0;
}

static agn_status run_eig(const agn_kernel_call *c, bool vectors)
{
    const agn_array *x = c->in;
    eig_job q = {.c = c,
                 .dtype = x->dtype,
                 .real = x->dtype == AGN_C64 ? AGN_F32 : AGN_F64,
                 .n = x->shape[x->ndim - 1],
                 .bytes = agni_dtypes[x->dtype].bytes,
                 .vectors = vectors};
    int64_t batch = agni_batch_count(x, 2), at = 0, square = agni_room_of(q.n * q.n * q.bytes);
    if (!batch || !q.n)
        return AGN_OK;
    double complex asked = 0, none = 0, real = 0;
    if (run_geev(&q, false, &none, &none, &none, &none, &asked, -1, &none) ||
        run_geev(&q, true, &none, &none, &none, &none, &real, -1, &none))
        return agni_lapack_failed(c, AGNI_LAPACK_REFUSED, 0, batch, 0, "");
    int64_t w = agni_lapack_asked(q.dtype, &asked), v = agni_lapack_asked(q.real, &real);
    q.work = w > v ? w : v;
    int64_t room = agni_overread_room(q.dtype, q.n) + (vectors ? 2 : 1) * square +
                   2 * agni_room_of(q.n * q.bytes) + agni_room_of(2 * q.n * q.bytes) +
                   agni_room_of(q.work * q.bytes);
    int64_t code = agni_each_with_room(batch, q.n, room, find_eigenpairs, &q, &at);
    return agni_end_batch(c, x, code, at, batch, room, "eigenvalues");
}

agn_status agni_cpu_eig(const agn_kernel_call *c)
{
    return run_eig(c, true);
}
agn_status agni_cpu_eigvals(const agn_kernel_call *c)
{
    return run_eig(c, false);
}

/* ---- ties of complex values ------------------------------------------------------ */

typedef struct tie_walk {
    const agn_kernel_call *c;
    int dtype;
    int64_t n, order;
    const char *w;
    double scale, eps;
} tie_walk;

static double gap_of(const tie_walk *q, int64_t i, int64_t j)
{
    return cabs(agni_number_get(q->dtype, q->w, i) - agni_number_get(q->dtype, q->w, j));
}
static double largest_of(int dtype, const char *p, int64_t n)
{
    double most = 0;
    for (int64_t i = 0; i < n; i++) {
        double a = cabs(agni_number_get(dtype, p, i));
        most = a > most || a != a ? a : most;
    }
    return most;
}

static agn_status refuse_tie(const tie_walk *q, int64_t batch, int64_t i, int64_t j)
{
    return agni_fail(
        AGN_EDOMAIN,
        "%s: matrix %lld: values %lld and %lld are equal or nearly so (gap %.3g), and the "
        "derivative depends on the choice of their vectors",
        q->c->op, (long long)batch, (long long)i, (long long)j, gap_of(q, i, j));
}

/* values of the block of p over k members of a cluster */
static agn_status block_values(const tie_walk *q, const char *p, const int64_t *member, int64_t k,
                               char *y)
{
    lapack_int n = (lapack_int)k, code;
    int64_t room = (k * k + 7 * k) * (int64_t)sizeof(double complex);
    double complex *a = agni_alloc((size_t)room), *w = a + k * k, *work = w + k,
                   *rwork = work + 4 * k;
    if (!a)
        return agni_nomem(q->c->op, (size_t)room);
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < k; j++)
            a[j * k + i] = agni_number_get(q->dtype, p, member[i] * q->n + member[j]);
    code = LAPACKE_zgeev_work(LAPACK_COL_MAJOR, 'N', 'N', n, a, n, w, NULL, 1, NULL, 1, work, 4 * n,
                              (double *)rwork);
    for (int64_t i = 0; i < k && !code; i++)
        agni_number_set(q->dtype, y, member[i], w[i]);
    agni_free(a);
    return code ? agni_fail(
                      AGN_ENOCONV,
                      "%s: eigenvalues of a block of order %lld did not converge, %lld are missing",
                      q->c->op, (long long)k, (long long)code)
                : AGN_OK;
}

/* the diagonal of p; over a cluster of values that are equal to rounding, the values of its
   block */
static agn_status read_clusters(const tie_walk *q, const char *p, char *y, int64_t *member,
                                int64_t batch)
{
    int64_t n = q->n;
    double equal = 8 * (double)n * q->eps * q->scale;
    double noise = 32 * (double)n * q->eps * largest_of(q->dtype, p, n * n);
    bool *seen = (bool *)(member + n);
    for (int64_t i = 0; i < n; i++)
        seen[i] = false;
    agn_status st = AGN_OK;
    for (int64_t i = 0; !st && i < n; i++) {
        if (seen[i])
            continue;
        int64_t k = 0;
        member[k++] = i;
        seen[i] = true;
        for (int64_t m = 0; m < k; m++)
            for (int64_t j = i + 1; j < n; j++)
                if (!seen[j] && gap_of(q, member[m], j) <= equal) {
                    seen[j] = true;
                    member[k++] = j;
                }
        double off = 0;
        for (int64_t a = 0; a < k; a++)
            for (int64_t b = 0; b < k; b++)
                if (a != b)
                    off = fmax(off, cabs(agni_number_get(q->dtype, p, member[a] * n + member[b])));
        for (int64_t a = 0; a < k; a++)
            agni_number_set(q->dtype, y, member[a],
                            agni_number_get(q->dtype, p, member[a] * (n + 1)));
        if (off > noise)
            st = q->order > 1 ? refuse_tie(q, batch, i, member[k - 1])
                              : block_values(q, p, member, k, y);
    }
    return st;
}

agn_status agni_general_tie_diagonal(const agn_kernel_call *c)
{
    const agn_array *p = c->in, *w = c->in + 1;
    tie_walk q = {.c = c, .dtype = p->dtype, .n = w->shape[w->ndim - 1], .order = c->ints[0],
                  .eps = agni_eps_of(p->dtype)};
    int64_t batch = agni_batch_count(w, 1), bytes = agni_dtypes[q.dtype].bytes, n = q.n;
    int64_t *member = agni_alloc((size_t)(n * 9 + 1));
    agn_status st = member ? AGN_OK : agni_nomem(c->op, (size_t)(n * 9 + 1));
    for (int64_t b = 0; !st && b < batch; b++) {
        q.w = (const char *)w->data + b * n * bytes;
        q.scale = largest_of(q.dtype, q.w, n);
        st = read_clusters(&q, (const char *)p->data + b * n * n * bytes,
                           (char *)c->out->data + b * n * bytes, member, b);
    }
    agni_free(member);
    return st;
}

/* cotangents of values within rounding of each other must be equal: else which is which decides */
agn_status agni_general_tie_check(const agn_kernel_call *c)
{
    const agn_array *g = c->in, *w = c->in + 1;
    tie_walk q = {
        .c = c, .dtype = w->dtype, .n = w->shape[w->ndim - 1], .eps = agni_eps_of(w->dtype)};
    int64_t batch = agni_batch_count(w, 1), bytes = agni_dtypes[q.dtype].bytes;
    for (int64_t b = 0; b < batch; b++) {
        const char *gb = (const char *)g->data + b * q.n * bytes;
        q.w = (const char *)w->data + b * q.n * bytes;
        q.scale = largest_of(q.dtype, q.w, q.n);
        double most = largest_of(q.dtype, gb, q.n), blur = (double)q.n * q.eps * q.scale;
        double allowed = sqrt(q.eps) * most, noise = 32 * (double)q.n * q.eps * most;
        for (int64_t i = 0; i < q.n; i++)
            for (int64_t j = i + 1; j < q.n; j++) {
                double apart = cabs(agni_number_get(q.dtype, gb, i) -
                                    agni_number_get(q.dtype, gb, j));
                if (apart * blur > allowed * gap_of(&q, i, j) && apart > noise)
                    return refuse_tie(&q, b, i, j);
            }
    }
    return AGN_OK;
}
