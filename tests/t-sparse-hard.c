/* t-sparse-hard - iterative solvers, eigenvalues and singular values on the hard kinds of sparse
   matrices: arrows, bands, nearly singular ones, disconnected ones, a full row, elements from 1e-6 to
   1e6; by backward errors and residuals. */
#include "modes.h"

#include <float.h>

#include <agnesi/eigen.h>
#include <agnesi/sparse.h>
#include <agnesi/sparse_iterative.h>

typedef const agn_tensor *T;
#define I64(...) ((int64_t[]){__VA_ARGS__})

enum { RANDOM, ARROW, BAND, NEARLY, APART, DENSE_ROW, DYNAMIC, N_KINDS, N = 48 };
static const char *const kinds[] = {"random",       "arrow",     "band",      "nearly singular",
                                    "disconnected", "dense row", "wide range"};

static bool stored(int kind, int64_t i, int64_t j)
{
    switch (kind) {
    case ARROW: return i == 0 || j == 0;
    case APART: return i % 3 == j % 3 && i - j <= 6 && j - i <= 6;
    case DENSE_ROW: return i == N / 2 || j == N / 2;
    case RANDOM: return (i * 7 + j * 7 + i * j) % 5 == 0;
    default: return i - j <= 2 && j - i <= 2;
    }
}

/* Hermitian; definite by its diagonal, NEARLY by 1e-7 (a path's Laplacian), DYNAMIC scaled from both
   sides. Not symmetric: strictly upper elements of other sizes. */
static agn_tensor *made(int kind, bool symmetric)
{
    double *v = room_for(N * N * sizeof *v);
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < N; j++) {
            double w = cos((double)(3 * (i < j ? i : j) + 7 * (i < j ? j : i))), x = 0;
            double size = kind == DYNAMIC ? pow(10, (double)((i * 5) % 13 - 6) / 2) *
                                                pow(10, (double)((j * 5) % 13 - 6) / 2)
                                          : 1;
            if (kind == NEARLY)
                x = i == j ? 1e-7 + (i > 0) + (i + 1 < N) : i - j == 1 || j - i == 1 ? -1 : 0;
            else if (i == j)
                x = kind == ARROW || kind == DENSE_ROW || kind == RANDOM ? 20 : 8;
            else if (stored(kind, i, j))
                x = w;
            if (!symmetric && j > i)
                x *= 0.5;
            v[i * N + j] = x * size;
        }
    agn_tensor *d = of_reals(AGN_F64, 2, I64(N, N), v), *a = NULL;
    must(agn_sparse_from_dense(&a, d));
    agn_release(d);
    free(v);
    return a;
}

/* max |b - A x| / max(|A| |x| + |b|), in eps */
static double backward(T a, T x, T b)
{
    agn_scope *s = agn_scope_open(NULL);
    T d = ag_sparse_to_dense(s, a), r = ag_abs(s, ag_sub(s, b, ag_matmul(s, d, x)));
    T size = ag_add(s, ag_abs(s, b), ag_matmul(s, ag_abs(s, d), ag_abs(s, x)));
    T e = ag_div(s, ag_amax(s, r, NULL, 0, false), ag_amax(s, size, NULL, 0, false));
    double y = e ? peek(e, 0) / DBL_EPSILON : (double)INFINITY;
    must(agn_scope_close(s));
    return y;
}

static const char *const methods[] = {"gmres", "cg", "minres", "bicgstab", "lsqr", "lsmr"};
static const int preconditions[] = {AGN_PRECONDITION_NONE, AGN_PRECONDITION_JACOBI,
                                    AGN_PRECONDITION_BLOCKS, AGN_PRECONDITION_ILU0,
                                    AGN_PRECONDITION_IC0};

static void test_iterative(void)
{
    for (int m = 0; m < COUNT(methods); m++) {
        tally q = {0, 0};
        for (int kind = 0; kind < N_KINDS; kind++)
            for (int symmetric = 0; symmetric < 2; symmetric++)
                for (int p = 0; p < COUNT(preconditions); p++) {
                    bool needs = m == AGN_KRYLOV_CG || m == AGN_KRYLOV_MINRES || p == 4;
                    bool least = m == AGN_KRYLOV_LSQR || m == AGN_KRYLOV_LSMR;
                    if ((needs && !symmetric) || (least && p))
                        continue;
                    agn_tensor *a = made(kind, symmetric), *x = NULL;
                    agn_tensor *b = random_of(AGN_F64, 1, I64(N), -1, 1);
                    agn_krylov_options o = {.size = sizeof o, .method = m, .restart = N + 2,
                                            .max_iterations = 40000, .rtol = 1e-15, .accept = true};
                    o.precondition = preconditions[p];
                    agn_krylov_info info = {.size = sizeof info};
                    agn_status st = agn_krylov_solve(&x, &info, a, b, NULL, &o);
                    double e = st ? (double)NAN : backward(a, x, b);
                    /* short recurrences lose the wide range unless it is scaled away, and say so */
                    bool lost = kind == DYNAMIC && !p && (m == AGN_KRYLOV_BICGSTAB || least) &&
                                info.reason != AGN_KRYLOV_CONVERGED && info.reason != AGN_KRYLOV_LEAST;
                    check(&q, !st && (e <= 100 || lost),
                          "%s, %s, precondition %d: %.3g eps %s, reason %d, residual %.2g of %.2g",
                          kinds[kind], symmetric ? "symmetric" : "not symmetric", p, e,
                          st ? agn_error_message() : "", info.reason, info.residual, info.target);
                    agn_release(a);
                    agn_release(b);
                    agn_release(x);
                }
        tell(&q, methods[m]);
    }
}

/* largest element of A V - V diag(l), by the largest of A, and of V^T V - 1, in eps */
static double eigen_error(T a, T l, T v)
{
    agn_scope *s = agn_scope_open(NULL);
    T d = ag_sparse_to_dense(s, a), r = ag_sub(s, ag_matmul(s, d, v), ag_mul(s, v, l));
    T g = ag_sub(s, ag_matmul(s, ag_transpose(s, v), v),
                 ag_eye(s, AGN_F64, agn_shape(v)[1], agn_shape(v)[1], 0));
    T e = ag_maximum(s, ag_div(s, ag_amax(s, ag_abs(s, r), NULL, 0, false),
                               ag_amax(s, ag_abs(s, d), NULL, 0, false)),
                     ag_amax(s, ag_abs(s, g), NULL, 0, false));
    double y = e ? peek(e, 0) / DBL_EPSILON : (double)INFINITY;
    must(agn_scope_close(s));
    return y;
}

static void test_eigen(void)
{
    for (int method = 0; method < 2; method++) {
        tally q = {0, 0};
        for (int kind = 0; kind < N_KINDS; kind++)
            for (int which = AGN_EIGEN_LARGEST; which <= AGN_EIGEN_SMALLEST; which++) {
                agn_tensor *a = made(kind, true), *l = NULL, *v = NULL;
                agn_eigen_options o = {.size = sizeof o, .which = which, .max_products = 200000};
                o.method = method;
                agn_status st = agn_eigsh(&l, &v, NULL, a, 3, &o);
                double e = st ? (double)NAN : eigen_error(a, l, v);
                /* 1e-12 of an eigenvalue that is 1e-6 of the largest is below the rounding of products */
                bool lost = kind == DYNAMIC && which == AGN_EIGEN_SMALLEST && st == AGN_ENOCONV;
                check(&q, lost || (!st && e <= 1e-8 / DBL_EPSILON), "%s, %d: %.3g eps %s",
                      kinds[kind], which, e, st ? agn_error_message() : "");
                agn_release(a);
                agn_release(l);
                agn_release(v);
            }
        tell(&q, method ? "eigenvalues by blocks" : "eigenvalues");
    }
}

static void test_singular(void)
{
    tally q = {0, 0};
    for (int kind = 0; kind < N_KINDS; kind++) {
        agn_tensor *a = made(kind, false), *u = NULL, *l = NULL, *vh = NULL;
        agn_eigen_options o = {.size = sizeof o, .max_products = 200000};
        agn_status st = agn_svds(&u, &l, &vh, NULL, a, 3, &o);
        agn_scope *s = agn_scope_open(NULL);
        if (!st) {
            T d = ag_sparse_to_dense(s, a);
            T r = ag_sub(s, ag_matmul(s, d, ag_transpose(s, vh)), ag_mul(s, u, l));
            T e = ag_div(s, ag_amax(s, ag_abs(s, r), NULL, 0, false),
                         ag_amax(s, ag_abs(s, d), NULL, 0, false));
            check(&q, e && peek(e, 0) <= 1e-7, "%s: %.3g", kinds[kind], e ? peek(e, 0) : (double)NAN);
        } else {
            check(&q, false, "%s: %s", kinds[kind], agn_error_message());
        }
        must(agn_scope_close(s));
        agn_tensor *all[] = {a, u, l, vh};
        for (int k = 0; k < COUNT(all); k++)
            agn_release(all[k]);
    }
    tell(&q, "singular values");
}

int main(void)
{
    test_iterative();
    test_eigen();
    test_singular();
    return done();
}
