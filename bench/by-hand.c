/* bench/by-hand.c - mixtures of Gaussians and the adjustment of bundles, differentiated by hand. */
#include "by-hand.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool by_hand_runs(void)
{
#ifdef __AVX2__
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return true;
#endif
}

static double *room(int64_t n)
{
    double *v = calloc((size_t)n, sizeof *v);
    if (!v)
        abort();
    return v;
}

/* ---- a mixture of Gaussians ---------------------------------------------------------------- */

enum { ROWS = 128 }; /* whose distances stay in a cache */

static double log_sum_exp(const double *x, int64_t n, double *share)
{
    double most = x[0], sum = 0;
    for (int64_t k = 1; k < n; k++)
        most = x[k] > most ? x[k] : most;
    for (int64_t k = 0; k < n; k++) {
        share[k] = exp(x[k] - most);
        sum += share[k];
    }
    for (int64_t k = 0; k < n; k++)
        share[k] /= sum;
    return most + log(sum);
}

/* With z = Q_k (x_i - mu_k) and p_ik the share of k in row i: the cotangent of z is -p z, so
   dQ_k = -sum_i p z (x_i - mu_k)' and dmu_k = Q_k' sum_i p z. */
void by_hand_mixture(const void *sizes, const void *const *in, void *const *out)
{
    const mixture_sizes *m = sizes;
    const double *alpha = in[0], *mu = in[1], *icf = in[2], *x = in[3];
    double *value = out[0], *dalpha = out[1], *dmu = out[2], *dicf = out[3];
    int64_t d = m->d, K = m->K, n = m->n, wide = d * (d + 1) / 2, rows = K * d;
    double *Q = room(rows * d), *dQ = room(rows * d), *shift = room(rows), *fixed = room(K);
    double *dz = room(rows), *z = room(ROWS * rows), *inner = room(K), *share = room(K);
    double wishart = 0, fit = 0;
    for (int64_t k = 0; k < K; k++) {
        const double *q = icf + k * wide, *l = q + d;
        double *Qk = Q + k * d * d;
        fixed[k] = alpha[k];
        for (int64_t j = 0; j < d; j++) {
            double e = exp(q[j]);
            Qk[j * d + j] = e;
            fixed[k] += q[j];
            wishart += e * e;
            for (int64_t i = j + 1; i < d; i++, l++) {
                Qk[i * d + j] = *l;
                wishart += *l * *l;
            }
        }
        for (int64_t i = 0; i < d; i++)
            for (int64_t j = 0; j <= i; j++)
                shift[k * d + i] += Qk[i * d + j] * mu[k * d + j];
    }
    memset(dalpha, 0, (size_t)K * sizeof *dalpha);
    for (int64_t first = 0; first < n; first += ROWS) {
        int64_t many = n - first < ROWS ? n - first : ROWS;
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)many, (int)rows, (int)d, 1,
                    x + first * d, (int)d, Q, (int)d, 0, z, (int)rows);
        for (int64_t i = 0; i < many; i++) {
            double *zi = z + i * rows;
            for (int64_t k = 0; k < K; k++) {
                double sum = 0;
                for (int64_t j = 0; j < d; j++) {
                    double v = zi[k * d + j] -= shift[k * d + j];
                    sum += v * v;
                }
                inner[k] = fixed[k] - 0.5 * sum;
            }
            fit += log_sum_exp(inner, K, share);
            for (int64_t k = 0; k < K; k++) {
                dalpha[k] += share[k];
                for (int64_t j = 0; j < d; j++) {
                    zi[k * d + j] *= -share[k];
                    dz[k * d + j] += zi[k * d + j];
                }
            }
        }
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)rows, (int)d, (int)many, 1, z,
                    (int)rows, x + first * d, (int)d, 1, dQ, (int)d);
    }
    for (int64_t k = 0; k < K; k++) {
        const double *Qk = Q + k * d * d, *dQk = dQ + k * d * d, *g = dz + k * d, *c = mu + k * d;
        double *q = dicf + k * wide, *l = q + d;
        for (int64_t j = 0; j < d; j++) {
            double e = Qk[j * d + j], sum = 0;
            q[j] = (dQk[j * d + j] - g[j] * c[j]) * e + dalpha[k] + e * e;
            for (int64_t i = j + 1; i < d; i++)
                *l++ = dQk[i * d + j] - g[i] * c[j] + Qk[i * d + j];
            for (int64_t i = j; i < d; i++)
                sum += Qk[i * d + j] * g[i];
            dmu[k * d + j] = -sum;
        }
    }
    double weights = log_sum_exp(alpha, K, share);
    for (int64_t k = 0; k < K; k++)
        dalpha[k] -= (double)n * share[k];
    *value = fit - (double)n * weights + 0.5 * wishart + m->constant;
    double *all[] = {Q, dQ, shift, fixed, dz, z, inner, share};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

/* ---- bundle adjustment ---------------------------------------------------------------------- */

static double dot3(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static void cross3(double *y, const double *a, const double *b)
{
    y[0] = a[1] * b[2] - a[2] * b[1];
    y[1] = a[2] * b[0] - a[0] * b[2];
    y[2] = a[0] * b[1] - a[1] * b[0];
}

/* R = Y cos t + (k x Y) sin t + k (k.Y) (1 - cos t), its derivatives in the vector t k, and in Y
   (which is the rotation) */
static void turned(double *R, double (*dr)[3], double (*dY)[3], const double *r, const double *Y)
{
    double t = sqrt(dot3(r, r)), c = cos(t), s = sin(t), v = 1 - c;
    double k[3] = {r[0] / t, r[1] / t, r[2] / t}, kY[3], dt[3], along = dot3(k, Y);
    cross3(kY, k, Y);
    for (int i = 0; i < 3; i++) {
        R[i] = Y[i] * c + kY[i] * s + k[i] * along * v;
        dt[i] = (k[i] * along - Y[i]) * s + kY[i] * c;
    }
    for (int j = 0; j < 3; j++) {
        double dk[3] = {-k[0] * k[j] / t, -k[1] * k[j] / t, -k[2] * k[j] / t}, w[3];
        dk[j] += 1 / t;
        cross3(w, dk, Y);
        double moved = dot3(dk, Y) * v;
        for (int i = 0; i < 3; i++)
            dr[i][j] = dt[i] * k[j] + w[i] * s + k[i] * moved + dk[i] * along * v;
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            dY[i][j] = k[i] * k[j] * v;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, l = (i + 2) % 3;
        dY[i][i] += c;
        dY[i][j] -= k[l] * s;
        dY[j][i] += k[l] * s;
    }
}

static void one_observation(double *res, double *J, const double *cam, const double *X, double w,
                            const double *feature)
{
    double Y[3] = {X[0] - cam[3], X[1] - cam[4], X[2] - cam[5]}, R[3], dr[3][3], dY[3][3];
    turned(R, dr, dY, cam, Y);
    double f = cam[6], depth = 1 / R[2], q[2] = {R[0] * depth, R[1] * depth};
    double s = q[0] * q[0] + q[1] * q[1], lens = 1 + s * (cam[9] + s * cam[10]);
    double slope = 2 * (cam[9] + 2 * cam[10] * s);
    for (int i = 0; i < 2; i++, J += 15) {
        double seen = q[i] * lens * f + cam[7 + i] - feature[i], A[3];
        double d0 = w * f * (q[i] * q[0] * slope + (i == 0 ? lens : 0));
        double d1 = w * f * (q[i] * q[1] * slope + (i == 1 ? lens : 0));
        A[0] = d0 * depth;
        A[1] = d1 * depth;
        A[2] = -(d0 * q[0] + d1 * q[1]) * depth;
        for (int j = 0; j < 3; j++) {
            J[j] = A[0] * dr[0][j] + A[1] * dr[1][j] + A[2] * dr[2][j];
            J[11 + j] = A[0] * dY[0][j] + A[1] * dY[1][j] + A[2] * dY[2][j];
            J[3 + j] = -J[11 + j];
        }
        J[6] = w * q[i] * lens;
        J[7] = i == 0 ? w : 0;
        J[8] = i == 1 ? w : 0;
        J[9] = w * q[i] * s * f;
        J[10] = J[9] * s;
        J[14] = seen;
        res[i] = w * seen;
    }
}

void by_hand_bundle(const void *sizes, const void *const *in, void *const *out)
{
    const bundle_sizes *b = sizes;
    const double *cam = in[0], *X = in[1], *w = in[2], *feature = in[3];
    double *res = out[0], *J = out[1], *dw = out[2];
    for (int64_t o = 0; o < b->p; o++) {
        one_observation(res + 2 * o, J + 30 * o, cam + 11 * (o % b->cameras),
                        X + 3 * (7919 * o % b->points), w[o], feature + 2 * o);
        dw[o] = -2 * w[o];
    }
}
