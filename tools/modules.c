/* tools/modules.c - linear algebra and Fourier transforms by their definitions, on wide numbers;
   calls of ops that need more than plain data. */
#include "cases.h"

#include <math.h>
#include <string.h>

/* ---- linear algebra: matrices of order n = 3 made well-conditioned from any x ---- */

enum { ORDER = 3, SHIFT = 4 };

/* x + SHIFT I */
static const agn_tensor *shifted(agn_scope *s, const agn_tensor *x, int dtype)
{
    return ag_add(s, x, ag_mul_c(s, beside(s, x, ag_eye(s, dtype, ORDER, ORDER, 0)), SHIFT));
}

/* the op by name; its one result */
static const agn_tensor *applied(agn_scope *s, const op_case *c,
                                 const agn_tensor *const *x)
{
    agn_tensor *y = NULL;
    if (agn_scope_status(s))
        return NULL;
    agn_status st = agn_op_apply(&y, 1, c->op, x, c->n_in, c->ints, c->n_int, c->reals,
                                 c->n_real);
    return agn_scope_adopt(s, st, &y);
}

agn_status run_cholesky(agn_tensor **out, const op_case *c, int dtype,
                        const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *t = ag_permute(s, x[0], (const int32_t[]){1, 0}, 2);
    if (dtype == AGN_C64 || dtype == AGN_C128)
        t = ag_conj(s, t);
    const agn_tensor *a = shifted(s, ag_mul_c(s, ag_add(s, x[0], t), 0.5), dtype);
    agn_scope_return(s, out, applied(s, c, &a));
    return agn_scope_close(s);
}

void want_cholesky(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)c, (void)dtype;
    for (int i = 0; i < ORDER; i++)
        for (int j = 0; j < ORDER; j++) {
            wide sum = (x[0][i * ORDER + j] + conjl(x[0][j * ORDER + i])) / 2 +
                       SHIFT * (i == j);
            for (int k = 0; k < j; k++)
                sum -= y[i * ORDER + k] * conjl(y[j * ORDER + k]);
            y[i * ORDER + j] = i < j    ? 0
                               : i == j ? csqrtl(sum)
                                        : sum / y[j * ORDER + j];
        }
}

void want_triangle(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    for (int i = 0; i < ORDER; i++)
        for (int j = 0; j < ORDER; j++)
            y[i * ORDER + j] = i < j ? 0
                                     : x[0][i * ORDER + j] * (i == j ? c->reals[0] : 1);
}

agn_status run_triangular(agn_tensor **out, const op_case *c, int dtype,
                          const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_return(
        s, out, applied(s, c, (const agn_tensor *[]){shifted(s, x[0], dtype), x[1]}));
    return agn_scope_close(s);
}

/* Gauss's elimination without pivots: the shift makes them large. lower: what lies
   above the diagonal counts as 0 */
static void eliminate(const wide *x, const wide *b, int columns, bool lower, wide *y)
{
    wide a[ORDER][ORDER];
    for (int i = 0; i < ORDER; i++)
        for (int j = 0; j < ORDER; j++)
            a[i][j] = lower && i < j ? 0 : x[i * ORDER + j] + SHIFT * (i == j);
    memcpy(y, b, (size_t)(ORDER * columns) * sizeof *y);
    for (int k = 0; k < ORDER; k++)
        for (int i = 0; i < ORDER; i++) {
            wide f = i == k ? 0 : a[i][k] / a[k][k];
            for (int j = 0; j < ORDER; j++)
                a[i][j] -= f * a[k][j];
            for (int j = 0; j < columns; j++)
                y[i * columns + j] -= f * y[k * columns + j];
        }
    for (int i = 0; i < ORDER; i++)
        for (int j = 0; j < columns; j++)
            y[i * columns + j] /= a[i][i];
}

void want_triangular(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    eliminate(x[0], x[1], (int)c->out.size[1], true, y);
}

void want_solution(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    eliminate(x[0], x[1], (int)c->out.size[1], false, y);
}

/* factor and solve in one: each is nothing without the other */
agn_status run_lu(agn_tensor **out, const op_case *c, int dtype,
                  const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *f[2] = {NULL}, *y = NULL;
    const agn_tensor *a = shifted(s, x[0], dtype);
    agn_status st = agn_scope_status(s);
    if (!st)
        st = agn_op_apply(f, 2, "linalg_lu_factor", &a, 1, NULL, 0, NULL, 0);
    const agn_tensor *in[4] = {agn_scope_adopt(s, st, &f[0]),
                               agn_scope_adopt(s, st, &f[1]), a, x[1]};
    st = agn_scope_status(s);
    if (!st)
        st = agn_op_apply(&y, 1, "linalg_lu_solve", in, 4, c->ints, 1, NULL, 0);
    agn_scope_return(s, out, agn_scope_adopt(s, st, &y));
    return agn_scope_close(s);
}

/* ---- Fourier transforms, by their sums ------------------------------------------- */

static wide root_of_unity(int64_t power, int64_t n)
{
    return cexpl(8 * atanl(1) * (wide)I * (long double)(power % n) / (long double)n);
}

void want_r2c(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    int64_t n = c->in[0].size[0];
    for (int64_t k = 0; k < c->out.size[0]; k++) {
        bool inside = k != 0 && 2 * k != n;
        y[k] = 0;
        for (int64_t j = 0; j < n; j++)
            y[k] += x[0][j] * root_of_unity(-j * k, n);
        y[k] *= c->reals[0] * (inside ? c->reals[1] : 1);
    }
}

void want_c2r(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    int64_t n = c->out.size[0];
    for (int64_t j = 0; j < n; j++) {
        y[j] = 0;
        for (int64_t k = 0; k <= n / 2; k++) {
            bool inside = k != 0 && 2 * k != n;
            y[j] += creall(x[0][k] * root_of_unity(j * k, n)) *
                    (inside ? 2 * c->reals[1] : 1);
        }
        y[j] *= c->reals[0];
    }
}

void want_c2c(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    int64_t n = c->out.size[0];
    for (int64_t k = 0; k < n; k++) {
        y[k] = 0;
        for (int64_t j = 0; j < n; j++)
            y[k] += x[0][j] * root_of_unity(c->ints[1] * j * k, n);
        y[k] *= c->reals[0];
    }
}

/* the cosine transform of type 2, its first result times the last real */
void want_r2r(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    int64_t n = c->out.size[0];
    for (int64_t k = 0; k < n; k++) {
        y[k] = 0;
        for (int64_t j = 0; j < n; j++)
            y[k] += 2 * x[0][j] * creall(root_of_unity((2 * j + 1) * k, 4 * n));
        y[k] *= c->reals[0] * (k ? 1 : c->reals[2]);
    }
}

/* frames of 3 at steps of 2 */
void want_frame(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)c;
    (void)dtype;
    for (int k = 0; k < 9; k++)
        y[k] = x[0][k / 3 * 2 + k % 3];
}

void want_overlap(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)c;
    (void)dtype;
    for (int k = 0; k < 7; k++)
        y[k] = 0;
    for (int k = 0; k < 9; k++)
        y[k / 3 * 2 + k % 3] += x[0][k];
}

/* two frames of 4 at steps of 3 */
void want_stft(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    for (int64_t f = 0; f < 2; f++)
        for (int64_t k = 0; k < 3; k++) {
            y[3 * f + k] = 0;
            for (int64_t j = 0; j < 4; j++)
                y[3 * f + k] += x[0][3 * f + j] * x[1][j] * root_of_unity(-j * k, 4);
            y[3 * f + k] *= c->reals[0] * (k == 1 ? c->reals[1] : 1);
        }
}

/* points are real f64; a width at which polynomials meet the kernel to rounding */
agn_status run_spread(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    (void)dtype;
    agn_tensor *y = NULL;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *in[2] = {x[0], ag_cast(s, ag_real(s, x[1]), AGN_F64)};
    agn_status st = agn_scope_status(s);
    if (!st)
        st = agn_op_apply(&y, 1, c->op, in, 2, c->ints, c->n_int, c->reals, c->n_real);
    agn_scope_return(s, out, agn_scope_adopt(s, st, &y));
    return agn_scope_close(s);
}
/* the weight of sample i of n about u */
static wide weight_about(const op_case *c, int64_t i, wide u, int64_t n)
{
    int64_t width = c->ints[0], first = (int64_t)ceill(creall(u) - (long double)width / 2);
    wide sum = 0;
    for (int64_t k = first; k < first + width; k++) {
        wide z = 2 * ((wide)k - creall(u)) / (long double)width;
        if ((k % n + n) % n == i)
            sum += cexpl(c->reals[0] * (csqrtl(1 - z * z) - 1));
    }
    return sum;
}
void want_about(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    int64_t n = shape_count(&c->in[0]);
    for (int64_t j = 0; j < shape_count(&c->out); j++) {
        y[j] = 0;
        for (int64_t i = 0; i < n; i++)
            y[j] += x[0][i] * weight_about(c, i, x[1][j], n);
    }
}
void want_added(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    int64_t n = shape_count(&c->out);
    for (int64_t i = 0; i < n; i++) {
        y[i] = 0;
        for (int64_t j = 0; j < shape_count(&c->in[0]); j++)
            y[i] += x[0][j] * weight_about(c, i, x[1][j], n);
    }
}

/* a window has no imaginary part; of the adjoint and of both sides */
agn_status run_stft_adjoint(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    (void)dtype;
    agn_tensor *y = NULL;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *in[2] = {x[0], ag_real(s, x[1])};
    agn_status st = agn_scope_status(s);
    if (!st)
        st = agn_op_apply(&y, 1, c->op, in, 2, c->ints, c->n_int, c->reals, c->n_real);
    agn_scope_return(s, out, agn_scope_adopt(s, st, &y));
    return agn_scope_close(s);
}
void want_stft_adjoint(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    for (int64_t t = 0; t < 7; t++)
        y[t] = 0;
    for (int64_t f = 0; f < 2; f++)
        for (int64_t j = 0; j < 4; j++) {
            long double sum = 0;
            for (int64_t k = 0; k < 3; k++)
                sum += creall(x[0][3 * f + k] * root_of_unity(j * k, 4)) * (k == 1 ? 2 * c->reals[1] : 1);
            y[3 * f + j] += c->reals[0] * creall(x[1][j]) * sum;
        }
}

/* two frames of 4 at steps of 3, with all bins */
void want_stft_both(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    for (int64_t f = 0; f < 2; f++)
        for (int64_t k = 0; k < 4; k++) {
            y[4 * f + k] = 0;
            for (int64_t j = 0; j < 4; j++)
                y[4 * f + k] += x[0][3 * f + j] * creall(x[1][j]) * root_of_unity(c->ints[1] * j * k, 4);
            y[4 * f + k] *= c->reals[0];
        }
}
void want_stft_both_adjoint(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    for (int64_t t = 0; t < 7; t++)
        y[t] = 0;
    for (int64_t f = 0; f < 2; f++)
        for (int64_t j = 0; j < 4; j++)
            for (int64_t k = 0; k < 4; k++)
                y[3 * f + j] += c->reals[0] * creall(x[1][j]) * x[0][4 * f + k] *
                                root_of_unity(c->ints[2] * j * k, 4);
}

void want_allpole(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)c;
    (void)dtype;
    for (int t = 0; t < 5; t++)
        y[t] = x[0][t] - (t > 0 ? x[1][0] * y[t - 1] : 0) - (t > 1 ? x[1][1] * y[t - 2] : 0);
}
