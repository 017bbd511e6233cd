/* linalg/cpu/lapack_calls.c - work space, failures and phases that factorisations share. */
#include "linalg/cpu/lapack_calls.h"

#include <math.h>

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

/* the same for real numbers, where a phase is a sign */
#define FIX_SIGNS(name, T)                                                                          \
    static void name(T *v, int64_t m, int64_t n, int64_t lead, T *vh, int64_t cols)                 \
    {                                                                                               \
        for (int64_t j = 0; j < n; j++) {                                                           \
            T most = 0;                                                                             \
            int64_t k = 0;                                                                          \
            for (int64_t i = 0; i < m; i++)                                                         \
                most = fabs(v[i * lead + j]) > fabs(most) ? v[i * lead + j] : most;                 \
            if (most == 0)                                                                          \
                continue;                                                                           \
            while (!(fabs(v[k * lead + j]) >= fabs(most) * AGNI_PHASE_NEAR))                        \
                k++;                                                                                \
            if (v[k * lead + j] > 0)                                                                \
                continue;                                                                           \
            for (int64_t i = 0; i < m; i++)                                                         \
                v[i * lead + j] = -v[i * lead + j];                                                 \
            for (int64_t i = 0; vh && i < cols; i++)                                                \
                vh[j * cols + i] = -vh[j * cols + i];                                               \
        }                                                                                           \
    }
FIX_SIGNS(fix_signs_f32, float)
FIX_SIGNS(fix_signs_f64, double)

agn_status agni_refuse_not_finite(const agn_kernel_call *c, const agn_array *y, int64_t at)
{
    for (int k = 0; k < c->n_in; k++) {
        const agn_array *x = c->in + k;
        agni_lapack_matrix a = agni_matrix_at(x, y, at);
        int64_t rows = x->shape[x->ndim - 2], cols = x->shape[x->ndim - 1], bytes = agni_dtypes[x->dtype].bytes;
        for (int64_t j = 0; j < rows * cols; j++)
            if (!agni_all_finite(x->dtype, a.p + (j / cols * a.rs + j % cols * a.cs) * bytes, 1))
                return agni_not_finite_in(c->op, x->dtype, a, rows, cols, at);
    }
    return agni_fail(AGN_EDOMAIN, "%s: matrix %lld is not finite", c->op, (long long)at);
}

void agni_fix_phases(int dtype, void *v, int64_t m, int64_t n, int64_t lead, void *vh, int64_t cols)
{
    if (dtype == AGN_F32) {
        fix_signs_f32(v, m, n, lead, vh, cols);
        return;
    }
    if (dtype == AGN_F64) {
        fix_signs_f64(v, m, n, lead, vh, cols);
        return;
    }
    for (int64_t j = 0; j < n; j++) {
        double most = 0;
        for (int64_t i = 0; i < m; i++)
            most = fmax(most, cabs(agni_number_get(dtype, v, i * lead + j)));
        if (!(most > 0))
            continue;
        int64_t k = 0;
        while (!(cabs(agni_number_get(dtype, v, k * lead + j)) >= most * AGNI_PHASE_NEAR))
            k++;
        double complex z = agni_number_get(dtype, v, k * lead + j);
        double complex phase = conj(z) / cabs(z);
        if (phase == 1)
            continue;
        for (int64_t i = 0; i < m; i++)
            agni_number_set(dtype, v, i * lead + j,
                            agni_number_get(dtype, v, i * lead + j) * phase);
        agni_number_set(dtype, v, k * lead + j, cabs(z));
        for (int64_t i = 0; vh && i < cols; i++)
            agni_number_set(dtype, vh, j * cols + i,
                            agni_number_get(dtype, vh, j * cols + i) * conj(phase));
    }
}

void agni_multiply_columns(int dtype, enum CBLAS_TRANSPOSE ta, enum CBLAS_TRANSPOSE tb, int64_t m, int64_t n, int64_t k,
                     const void *a, const void *b, void *c)
{
    const enum CBLAS_ORDER col = CblasColMajor;
    int M = (int)m, N = (int)n, K = (int)k, la = ta == CblasNoTrans ? M : K, lb = tb == CblasNoTrans ? K : N;
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
