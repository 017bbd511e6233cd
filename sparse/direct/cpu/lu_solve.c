/* sparse/direct/cpu/lu_solve.c - triangular solves with the real factors of UMFPACK (Davis 2004), L
   by rows and U by columns, with indices of 32 bits. UMFPACK's own go through chains of pivots, at
   half the speed. */
#include "sparse/direct/cpu/lu_solve.h"

#include <suitesparse/umfpack.h>

struct agni_lu {
    int64_t n;
    int64_t *l_begin, *u_begin; /* [n + 1]; the diagonal is the last of a row of L, of a column of U */
    int32_t *l_index, *u_index;
    double *l, *u;
    int64_t *p, *q;  /* row k of L U is row p[k] of M, column k its column q[k] */
    double *scale;   /* S, or what divides where multiply is not set: of very small rows */
    bool multiply;
};

void agni_lu_free(agni_lu *f)
{
    if (!f)
        return;
    void *const all[] = {f->l_begin, f->u_begin, f->l_index, f->u_index, f->l,
                         f->u,       f->p,       f->q,       f->scale};
    for (int i = 0; i < AGNI_COUNT(all); i++)
        agni_free(all[i]);
    agni_free(f);
}

static void narrow_indices(int32_t *to, const int64_t *from, int64_t n)
{
    for (int64_t k = 0; k < n; k++)
        to[k] = (int32_t)from[k];
}

agn_status agni_lu_extract(agni_lu **out, const char *op, int64_t n, void *numeric)
{
    int64_t nl, nu, rows, cols, nz, multiply = 0;
    *out = NULL;
    if (n >= INT32_MAX || umfpack_dl_get_lunz(&nl, &nu, &rows, &cols, &nz, numeric))
        return AGN_OK;
    int64_t most = nl > nu ? nl : nu;
    size_t one = sizeof(double), bytes = (size_t)(nl + nu + 1) * (one + sizeof(int32_t));
    agni_lu *f = agni_zalloc(sizeof *f);
    int64_t *wide = agni_alloc((size_t)(2 * most + 1) * sizeof *wide); /* indices of L, of U */
    if (f) {
        f->n = n;
        f->l_begin = agni_alloc((size_t)(n + 1) * sizeof(int64_t));
        f->u_begin = agni_alloc((size_t)(n + 1) * sizeof(int64_t));
        f->l_index = agni_alloc((size_t)(nl + 1) * sizeof(int32_t));
        f->u_index = agni_alloc((size_t)(nu + 1) * sizeof(int32_t));
        f->l = agni_alloc((size_t)(nl + 1) * one);
        f->u = agni_alloc((size_t)(nu + 1) * one);
        f->p = agni_alloc((size_t)(n + 1) * sizeof(int64_t));
        f->q = agni_alloc((size_t)(n + 1) * sizeof(int64_t));
        f->scale = agni_alloc((size_t)(n + 1) * one);
    }
    bool good = f && wide && f->l_begin && f->u_begin && f->l_index && f->u_index && f->l && f->u &&
                f->p && f->q && f->scale;
    if (good)
        good = !umfpack_dl_get_numeric(f->l_begin, wide, f->l, f->u_begin, wide + most, f->u, f->p,
                                       f->q, NULL, &multiply, f->scale, numeric);
    if (good) {
        narrow_indices(f->l_index, wide, nl);
        narrow_indices(f->u_index, wide + most, nu);
        f->multiply = multiply != 0;
    }
    agni_free(wide);
    if (!good) {
        agni_lu_free(f);
        return agni_nomem(op, bytes);
    }
    *out = f;
    return AGN_OK;
}

void agni_lu_solve(const agni_lu *f, bool transposed, const double *b, double *x, double *w)
{
    int64_t n = f->n;
    if (transposed) { /* M^T = Q U^T L^T P S */
        for (int64_t k = 0; k < n; k++) {
            int64_t last = f->u_begin[k + 1] - 1;
            double sum = b[f->q[k]];
            for (int64_t e = f->u_begin[k]; e < last; e++)
                sum -= f->u[e] * w[f->u_index[e]];
            w[k] = sum / f->u[last];
        }
        for (int64_t k = n - 1; k >= 0; k--) {
            double c = w[k];
            for (int64_t e = f->l_begin[k]; e < f->l_begin[k + 1] - 1; e++)
                w[f->l_index[e]] -= f->l[e] * c;
            double s = f->scale[f->p[k]];
            x[f->p[k]] = f->multiply ? c * s : c / s;
        }
        return;
    }
    for (int64_t k = 0; k < n; k++) {
        double s = f->scale[f->p[k]], sum = f->multiply ? b[f->p[k]] * s : b[f->p[k]] / s;
        for (int64_t e = f->l_begin[k]; e < f->l_begin[k + 1] - 1; e++)
            sum -= f->l[e] * w[f->l_index[e]];
        w[k] = sum;
    }
    for (int64_t k = n - 1; k >= 0; k--) {
        int64_t last = f->u_begin[k + 1] - 1;
        double c = w[k] / f->u[last];
        for (int64_t e = f->u_begin[k]; e < last; e++)
            w[f->u_index[e]] -= f->u[e] * c;
        x[f->q[k]] = c;
    }
}
