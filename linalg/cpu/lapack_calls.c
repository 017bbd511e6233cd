/* linalg/cpu/lapack_calls.c - work space, failures and phases that factorisations share. */
#include "linalg/cpu/lapack_calls.h"

#include <math.h>
#include <string.h>

int64_t agni_lapack_asked(int dtype, const void *work)
{
    double w = creal(agni_number_get(dtype, work, 0));
    /* an f32 count may be rounded down (LAPACK working note 41): one more in the last place */
    return (int64_t)(w * (1 + 2 * agni_eps_of(dtype))) + 1;
}

typedef struct with_room {
    int64_t room;
    agni_one_with_room *one;
    void *user;
} with_room;

static int64_t run_with_room(void *user, int64_t i)
{
    const with_room *w = user;
    char *room = agni_alloc((size_t)w->room + 64);
    if (!room)
        return AGNI_NO_ROOM;
    int64_t code = w->one(w->user, i, room);
    agni_free(room);
    return code;
}

int64_t agni_each_with_room(int64_t batch, int64_t n, int64_t room, agni_one_with_room *one,
                            void *user, int64_t *at)
{
    with_room w = {room, one, user};
    return agni_each_matrix(batch, n, run_with_room, &w, at);
}

agn_status agni_lapack_failed(const agn_kernel_call *c, int64_t code, int64_t at, int64_t batch,
                              int64_t room, const char *what)
{
    if (code == AGNI_NO_ROOM)
        return agni_nomem(c->op, (size_t)room);
    if (code == AGNI_LAPACK_REFUSED)
        return agni_fail(AGN_EUNSUPPORTED, "%s: matrix %lld of %lld is refused by LAPACK", c->op,
                         (long long)at, (long long)batch);
    return agni_fail(AGN_ENOCONV, "%s: matrix %lld of %lld: %s did not converge, %lld are missing",
                     c->op, (long long)at, (long long)batch, what, (long long)code);
}

/* ---- factors whose entries grow ------------------------------------------------------ */

/* several at a time: a maximum waits for the one before it */
#define LARGEST(T) \
    do { \
        enum { AT_A_TIME = 8 }; \
        const T *x = p; \
        T most[AT_A_TIME] = {0}; \
        int64_t i = 0; \
        for (; i + AT_A_TIME <= n; i += AT_A_TIME) \
            for (int k = 0; k < AT_A_TIME; k++) { \
                const T size = x[i + k] < 0 ? -x[i + k] : x[i + k]; \
                most[k] = size > most[k] ? size : most[k]; \
            } \
        for (; i < n; i++) { \
            const T size = x[i] < 0 ? -x[i] : x[i]; \
            most[0] = size > most[0] ? size : most[0]; \
        } \
        for (int k = 1; k < AT_A_TIME; k++) \
            most[0] = most[k] > most[0] ? most[k] : most[0]; \
        return (double)most[0]; \
    } while (0)
double agni_largest_part(int dtype, const void *p, int64_t n)
{
    if (agni_kind(dtype) == AGNI_KIND_COMPLEX)
        n *= 2;
    if (dtype == AGN_F32 || dtype == AGN_C64)
        LARGEST(float);
    LARGEST(double);
}

bool agni_lu_has_grown(int dtype, int64_t n, const void *lu, double most)
{
    enum { MANY = 4096 };
    const int64_t z = agni_dtypes[dtype].bytes;
    for (int64_t j = 0; j < n; j++)
        if (agni_largest_part(dtype, (const char *)lu + j * n * z, j + 1) > MANY * most)
            return true;
    return false;
}

int64_t agni_solve_turned(int dtype, int64_t n, int64_t k, void *at, lapack_int *piv, void *x)
{
    const int col = LAPACK_COL_MAJOR;
    lapack_int N = (lapack_int)n, K = (lapack_int)k;
    int64_t code = agni_factor_lu(dtype, n, n, at, piv);
    return code ? code
                : AGNI_BY_FIELD(dtype, LAPACKE_sgetrs_work(col, 'T', N, K, at, N, piv, x, N),
                                LAPACKE_dgetrs_work(col, 'T', N, K, at, N, piv, x, N),
                                LAPACKE_cgetrs_work(col, 'T', N, K, at, N, piv, x, N),
                                LAPACKE_zgetrs_work(col, 'T', N, K, at, N, piv, x, N));
}

/* ---- reflectors ------------------------------------------------------------------- */

int64_t agni_qr_block(int64_t least)
{
    int64_t block = least < 96 ? 8 : least < 160 ? 16 : 32; /* measured */
    return block < least ? block : least;
}

lapack_int agni_factor_qr(int dtype, int64_t m, int64_t n, void *a, void *t, void *work)
{
    lapack_int M = (lapack_int)m, N = (lapack_int)n, B = (lapack_int)agni_qr_block(m < n ? m : n);
    const int col = LAPACK_COL_MAJOR;
    return AGNI_BY_FIELD(dtype, LAPACKE_sgeqrt_work(col, M, N, B, a, M, t, B, work),
                         LAPACKE_dgeqrt_work(col, M, N, B, a, M, t, B, work),
                         LAPACKE_cgeqrt_work(col, M, N, B, a, M, t, B, work),
                         LAPACKE_zgeqrt_work(col, M, N, B, a, M, t, B, work));
}

/* the last block first: it meets the smallest part of a unit matrix */
lapack_int agni_form_q(int dtype, int64_t m, int64_t columns, int64_t k, const char *a,
                       const char *t, char *q, void *work)
{
    const int64_t z = agni_dtypes[dtype].bytes, block = agni_qr_block(k);
    const int col = LAPACK_COL_MAJOR;
    lapack_int code = 0, L = (lapack_int)m, T = (lapack_int)block;
    memset(q, 0, (size_t)(m * columns * z));
    for (int64_t j = 0; j < columns; j++)
        agni_number_set(dtype, q, j * (m + 1), 1);
    for (int64_t i = (k - 1) / block * block; i >= 0 && !code; i -= block) {
        lapack_int M = (lapack_int)(m - i), N = (lapack_int)(columns - i),
                   K = (lapack_int)(k - i < block ? k - i : block);
        const void *v = a + i * (m + 1) * z, *u = t + i * block * z;
        void *c = q + i * (m + 1) * z;
        code = AGNI_BY_FIELD(
            dtype,
            LAPACKE_slarfb_work(col, 'L', 'N', 'F', 'C', M, N, K, v, L, u, T, c, L, work, N),
            LAPACKE_dlarfb_work(col, 'L', 'N', 'F', 'C', M, N, K, v, L, u, T, c, L, work, N),
            LAPACKE_clarfb_work(col, 'L', 'N', 'F', 'C', M, N, K, v, L, u, T, c, L, work, N),
            LAPACKE_zlarfb_work(col, 'L', 'N', 'F', 'C', M, N, K, v, L, u, T, c, L, work, N));
    }
    return code;
}

lapack_int agni_apply_q(int dtype, bool adjoint, int64_t m, int64_t n, int64_t k, const void *a,
                        const void *t, void *c, void *work)
{
    lapack_int M = (lapack_int)m, N = (lapack_int)n, K = (lapack_int)k,
               B = (lapack_int)agni_qr_block(k);
    const int col = LAPACK_COL_MAJOR;
    const char real = adjoint ? 'T' : 'N', field = adjoint ? 'C' : 'N';
    return AGNI_BY_FIELD(
        dtype, LAPACKE_sgemqrt_work(col, 'L', real, M, N, K, B, a, M, t, B, c, M, work),
        LAPACKE_dgemqrt_work(col, 'L', real, M, N, K, B, a, M, t, B, c, M, work),
        LAPACKE_cgemqrt_work(col, 'L', field, M, N, K, B, a, M, t, B, c, M, work),
        LAPACKE_zgemqrt_work(col, 'L', field, M, N, K, B, a, M, t, B, c, M, work));
}

/* ---- phases ------------------------------------------------------------------------ */

/* Columns of v, COLUMNS at a time, so that rows are read in their order: the largest modulus of
   each (squared, of numbers that are scaled where squares would leave the range), the first row
   that comes near it, the turn. */
enum { COLUMNS = 16 };
/* no branch, which signs would make hard to foresee */
#define SIZE_OF(T, x) (sizeof(T) == 4 ? (T)fabsf((float)(x)) : (T)fabs((double)(x)))
#define FIX_SIGNS(name, T) \
    static void name(T *v, int64_t m, int64_t n, int64_t lead, T *vh, int64_t cols) \
    { \
        for (int64_t j0 = 0; j0 < n; j0 += COLUMNS) { \
            const int64_t w = n - j0 < COLUMNS ? n - j0 : COLUMNS; \
            T most[COLUMNS] = {0}, sign[COLUMNS] = {0}; \
            bool turn = false; \
            for (int64_t i = 0; i < m; i++) { \
                const T *x = v + i * lead + j0; \
                if (w == COLUMNS) \
                    for (int j = 0; j < COLUMNS; j++) { \
                        const T size = SIZE_OF(T, x[j]); \
                        most[j] = size > most[j] ? size : most[j]; \
                    } \
                for (int64_t j = 0; w < COLUMNS && j < w; j++) { \
                    const T size = SIZE_OF(T, x[j]); \
                    most[j] = size > most[j] ? size : most[j]; \
                } \
            } \
            for (int64_t j = 0; j < w; j++) { \
                int64_t i = 0; \
                const T *x = v + j0 + j; \
                while (i < m && !(fabs((double)x[i * lead]) >= (double)most[j] * AGNI_PHASE_NEAR)) \
                    i++; \
                sign[j] = i < m && x[i * lead] < 0 ? -1 : 1; \
                turn = turn || sign[j] < 0; \
            } \
            for (int64_t i = 0; i < m && turn; i++) { \
                T *x = v + i * lead + j0; \
                if (w == COLUMNS) \
                    for (int j = 0; j < COLUMNS; j++) \
                        x[j] *= sign[j]; \
                for (int64_t j = 0; w < COLUMNS && j < w; j++) \
                    x[j] *= sign[j]; \
            } \
            for (int64_t j = 0; vh && j < w; j++) \
                for (int64_t i = 0; sign[j] < 0 && i < cols; i++) \
                    vh[(j0 + j) * cols + i] = -vh[(j0 + j) * cols + i]; \
        } \
    }
FIX_SIGNS(fix_signs_f32, float)
FIX_SIGNS(fix_signs_f64, double)

/* numbers are pairs of T; squares are of double, in which those of f32 fit */
#define FIX_PHASES(name, T) \
    static void name(T *v, int64_t m, int64_t n, int64_t lead, T *vh, int64_t cols) \
    { \
        for (int64_t j0 = 0; j0 < n; j0 += COLUMNS) { \
            const int64_t w = n - j0 < COLUMNS ? n - j0 : COLUMNS; \
            double most[COLUMNS] = {0}, re[COLUMNS], im[COLUMNS]; \
            int64_t first[COLUMNS]; \
            bool turn = false; \
            for (int64_t i = 0; i < m; i++) \
                for (int64_t j = 0; j < w; j++) { \
                    const T *x = v + 2 * (i * lead + j0 + j); \
                    const double a = fabs((double)x[0]), b = fabs((double)x[1]); \
                    most[j] = a > most[j] ? a : most[j]; \
                    most[j] = b > most[j] ? b : most[j]; \
                } \
            for (int64_t j = 0; j < w; j++) { \
                int e = 0; \
                re[j] = 1; \
                im[j] = 0; \
                first[j] = -1; \
                if (!(most[j] > 0) || !isfinite(most[j])) \
                    continue; \
                frexp(most[j], &e); \
                const double down = e < -1000 ? ldexp(1, 1000) : ldexp(1, -e); \
                double largest = 0; \
                for (int64_t i = 0; i < m; i++) { \
                    const T *x = v + 2 * (i * lead + j0 + j); \
                    const double a = (double)x[0] * down, b = (double)x[1] * down; \
                    const double size = a * a + b * b; \
                    largest = size > largest ? size : largest; \
                } \
                for (int64_t i = 0; i < m && first[j] < 0; i++) { \
                    const T *x = v + 2 * (i * lead + j0 + j); \
                    double a = (double)x[0] * down, b = (double)x[1] * down; \
                    if (!(a * a + b * b >= largest * (AGNI_PHASE_NEAR * AGNI_PHASE_NEAR))) \
                        continue; \
                    first[j] = i; \
                    const double a1 = (double)x[0], b1 = (double)x[1], size = hypot(a1, b1); \
                    re[j] = a1 / size; \
                    im[j] = -b1 / size; \
                } \
                turn = turn || re[j] != 1 || im[j] != 0; \
            } \
            for (int64_t i = 0; i < m && turn; i++) \
                for (int64_t j = 0; j < w; j++) { \
                    T *x = v + 2 * (i * lead + j0 + j); \
                    const double a = (double)x[0], b = (double)x[1]; \
                    if (re[j] == 1 && im[j] == 0) \
                        continue; \
                    x[0] = (T)(i == first[j] ? hypot(a, b) : a * re[j] - b * im[j]); \
                    x[1] = (T)(i == first[j] ? 0 : a * im[j] + b * re[j]); \
                } \
            for (int64_t j = 0; vh && j < w; j++) \
                for (int64_t i = 0; (re[j] != 1 || im[j] != 0) && i < cols; i++) { \
                    T *x = vh + 2 * ((j0 + j) * cols + i); \
                    const double a = (double)x[0], b = (double)x[1]; \
                    x[0] = (T)(a * re[j] + b * im[j]); \
                    x[1] = (T)(b * re[j] - a * im[j]); \
                } \
        } \
    }
FIX_PHASES(fix_phases_c64, float)
FIX_PHASES(fix_phases_c128, double)

agn_status agni_refuse_not_finite(const agn_kernel_call *c, const agn_array *y, int64_t at)
{
    for (int k = 0; k < c->n_in; k++) {
        const agn_array *x = c->in + k;
        agni_lapack_matrix a = agni_matrix_at(x, y, at);
        int64_t rows = x->shape[x->ndim - 2], cols = x->shape[x->ndim - 1],
                bytes = agni_dtypes[x->dtype].bytes;
        for (int64_t j = 0; j < rows * cols; j++)
            if (!agni_all_finite(x->dtype, a.p + (j / cols * a.rs + j % cols * a.cs) * bytes, 1))
                return agni_not_finite_in(c->op, x->dtype, a, rows, cols, at);
    }
    return agni_fail(AGN_EDOMAIN, "%s: matrix %lld is not finite", c->op, (long long)at);
}

agn_status agni_end_batch(const agn_kernel_call *c, const agn_array *y, int64_t code, int64_t at,
                          int64_t batch, int64_t room, const char *what)
{
    return code == AGNI_NOT_FINITE ? agni_refuse_not_finite(c, y, at)
           : code                  ? agni_lapack_failed(c, code, at, batch, room, what)
                                   : AGN_OK;
}

void agni_fix_phases(int dtype, void *v, int64_t m, int64_t n, int64_t lead, void *vh, int64_t cols)
{
    switch (dtype) {
    case AGN_F32:
        fix_signs_f32(v, m, n, lead, vh, cols);
        break;
    case AGN_F64:
        fix_signs_f64(v, m, n, lead, vh, cols);
        break;
    case AGN_C64:
        fix_phases_c64(v, m, n, lead, vh, cols);
        break;
    default:
        fix_phases_c128(v, m, n, lead, vh, cols);
    }
}

/* a row is a matrix of one column */
#define FIX_ROW_SIGNS(name, T) \
    static void name(T *v, int64_t m, int64_t n) \
    { \
        for (int64_t i = 0; i < m; i++, v += n) { \
            T most = 0; \
            int64_t k = 0; \
            for (int64_t j = 0; j < n; j++) { \
                const T x = SIZE_OF(T, v[j]); \
                most = x > most ? x : most; \
            } \
            if (!(most > 0)) \
                continue; \
            while (!(fabs((double)v[k]) >= (double)most * AGNI_PHASE_NEAR)) \
                k++; \
            if (v[k] > 0) \
                continue; \
            for (int64_t j = 0; j < n; j++) \
                v[j] = -v[j]; \
        } \
    }
FIX_ROW_SIGNS(fix_row_signs_f32, float)
FIX_ROW_SIGNS(fix_row_signs_f64, double)

void agni_fix_row_phases(int dtype, void *v, int64_t m, int64_t n)
{
    if (dtype == AGN_F32)
        fix_row_signs_f32(v, m, n);
    else if (dtype == AGN_F64)
        fix_row_signs_f64(v, m, n);
    for (int64_t i = 0; dtype != AGN_F32 && dtype != AGN_F64 && i < m; i++)
        agni_fix_phases(dtype, (char *)v + i * n * agni_dtypes[dtype].bytes, n, 1, 1, NULL, 0);
}

void agni_multiply_columns(int dtype, enum CBLAS_TRANSPOSE ta, enum CBLAS_TRANSPOSE tb, int64_t m,
                           int64_t n, int64_t k, const void *a, const void *b, void *c)
{
    const enum CBLAS_ORDER col = CblasColMajor;
    int M = (int)m, N = (int)n, K = (int)k, la = ta == CblasNoTrans ? M : K,
        lb = tb == CblasNoTrans ? K : N;
    const float complex one32 = 1, none32 = 0;
    const double complex one64 = 1, none64 = 0;
    if (dtype == AGN_F32)
        cblas_sgemm(col, ta, tb, M, N, K, 1, a, la, b, lb, 0, c, M);
    else if (dtype == AGN_F64)
        cblas_dgemm(col, ta, tb, M, N, K, 1, a, la, b, lb, 0, c, M);
    else if (dtype == AGN_C64)
        cblas_cgemm(col, ta, tb, M, N, K, &one32, a, la, b, lb, &none32, c, M);
    else
        cblas_zgemm(col, ta, tb, M, N, K, &one64, a, la, b, lb, &none64, c, M);
}
