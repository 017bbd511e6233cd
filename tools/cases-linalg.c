/* tools/cases-linalg.c - arguments for spectral factorisations, and what they should give: functions of the
   factors that are polynomials of the matrix, by loops on wide numbers. */
#include "cases.h"

enum { ORDER = 3 };

/* x / 8 + diag(1, 2, 3), or its Hermitian part: distinct values */
static const agn_tensor *spread(agn_scope *s, const agn_tensor *x, int dtype, bool hermitian)
{
    if (hermitian) {
        const agn_tensor *t = ag_transpose(s, x);
        if (dtype == AGN_C64 || dtype == AGN_C128)
            t = ag_conj(s, t);
        x = ag_mul_c(s, ag_add(s, x, t), 0.5);
    }
    const agn_tensor *d = beside(s, x, ag_cast(s, ag_arange(s, AGN_F64, 1, ORDER + 1, 1), dtype));
    return ag_add(s, ag_mul_c(s, x, 0.125), ag_diag(s, d, 0));
}

static void spread_wide(const wide *x, bool hermitian, wide a[ORDER][ORDER])
{
    for (int i = 0; i < ORDER; i++)
        for (int j = 0; j < ORDER; j++) {
            wide v = x[i * ORDER + j];
            if (hermitian)
                v = (v + conjl(x[j * ORDER + i])) / 2;
            a[i][j] = v / 8 + (i == j) * (i + 1);
        }
}

static void product(wide a[ORDER][ORDER], wide b[ORDER][ORDER], bool adjoint, wide y[ORDER][ORDER])
{
    for (int i = 0; i < ORDER; i++)
        for (int j = 0; j < ORDER; j++) {
            y[i][j] = 0;
            for (int k = 0; k < ORDER; k++)
                y[i][j] += (adjoint ? conjl(a[k][i]) : a[i][k]) * b[k][j];
        }
}

static const agn_tensor *adjoint_of(agn_scope *s, const agn_tensor *x, int dtype)
{
    const agn_tensor *t = ag_transpose(s, x);
    return dtype == AGN_C64 || dtype == AGN_C128 ? ag_conj(s, t) : t;
}

/* the results of the op, of which there are n */
static void apply_case(agn_scope *s, const op_case *c, const agn_tensor *const *x, int n_in, int n,
                       const agn_tensor **y)
{
    agn_tensor *made[5] = {NULL};
    agn_status st = agn_scope_status(s);
    if (!st)
        st = agn_op_apply(made, n, c->op, x, n_in, c->ints, c->n_int, c->n_real ? c->reals : NULL, c->n_real);
    for (int i = 0; i < n; i++)
        y[i] = agn_scope_adopt(s, st, &made[i]);
}

/* v w^2 v^H = a^2 */
static agn_status run_eigh(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a = spread(s, x[0], dtype, true), *y[2];
    apply_case(s, c, &a, 1, 2, y);
    const agn_tensor *v = ag_mul(s, y[1], ag_square(s, y[0]));
    agn_scope_return(s, out, ag_matmul(s, v, adjoint_of(s, y[1], dtype)));
    return agn_scope_close(s);
}
/* v w^2 u = a^2 */
static agn_status run_eig(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a = spread(s, x[0], dtype, true), *y[2];
    apply_case(s, c, &a, 1, 2, y);
    const agn_tensor *v = ag_mul(s, y[1], ag_expand_dims(s, ag_square(s, y[0]), 0));
    agn_scope_return(s, out, ag_matmul(s, v, ag_linalg_inv(s, y[1])));
    return agn_scope_close(s);
}
static void want_square(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)c, (void)dtype;
    wide a[ORDER][ORDER];
    spread_wide(x[0], true, a);
    product(a, a, false, (wide(*)[ORDER])y);
}

/* squares of the values sum to tr a^H a */
static agn_status run_values(agn_tensor **out, const op_case *c, int dtype,
                             const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a = spread(s, x[0], dtype, c->n_int > 0), *y;
    apply_case(s, c, &a, 1, 1, &y);
    agn_scope_return(s, out, ag_cast(s, ag_sum_all(s, ag_square(s, y)), dtype));
    return agn_scope_close(s);
}
static void want_trace(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    wide a[ORDER][ORDER];
    spread_wide(x[0], c->n_int > 0, a);
    y[0] = 0;
    for (int i = 0; i < ORDER * ORDER; i++)
        y[0] += a[i / ORDER][i % ORDER] * conjl(a[i / ORDER][i % ORDER]);
}

/* squares of the values of a general matrix sum to tr a^2 */
static agn_status run_eigvals(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a = spread(s, x[0], dtype, false), *y;
    apply_case(s, c, &a, 1, 1, &y);
    agn_scope_return(s, out, ag_sum_all(s, ag_square(s, y)));
    return agn_scope_close(s);
}
static void want_sum_of_squares(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)c, (void)dtype;
    wide a[ORDER][ORDER];
    spread_wide(x[0], false, a);
    y[0] = 0;
    for (int i = 0; i < ORDER * ORDER; i++)
        y[0] += a[i / ORDER][i % ORDER] * a[i % ORDER][i / ORDER];
}

/* u s^3 vh / 16 = a a^H a / 16 */
static agn_status run_svd(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a = spread(s, x[0], dtype, false), *y[3];
    apply_case(s, c, &a, 1, 3, y);
    const agn_tensor *u = ag_mul(s, y[0], ag_mul_c(s, ag_pow_c(s, y[1], 3), 0.0625));
    agn_scope_return(s, out, ag_matmul(s, u, y[2]));
    return agn_scope_close(s);
}
static void want_cube(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)c, (void)dtype;
    wide a[ORDER][ORDER], g[ORDER][ORDER];
    spread_wide(x[0], false, a);
    product(a, a, true, g);
    product(a, g, false, (wide(*)[ORDER])y);
    for (int i = 0; i < ORDER * ORDER; i++)
        y[i] /= 16;
}

/* q r + r^H r = a + a^H a */
static agn_status run_qr(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a = spread(s, x[0], dtype, false), *y[2];
    apply_case(s, c, &a, 1, 2, y);
    const agn_tensor *g = ag_matmul(s, adjoint_of(s, y[1], dtype), y[1]);
    agn_scope_return(s, out, ag_add(s, ag_matmul(s, y[0], y[1]), g));
    return agn_scope_close(s);
}
static void want_gram(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)c, (void)dtype;
    wide a[ORDER][ORDER];
    spread_wide(x[0], false, a);
    product(a, a, true, (wide(*)[ORDER])y);
    for (int i = 0; i < ORDER * ORDER; i++)
        y[i] += a[i / ORDER][i % ORDER];
}

/* values on two sides of 0: no gap is small */
static agn_status run_quotient(agn_tensor **out, const op_case *c, int dtype,
                               const agn_tensor *const *x)
{
    (void)dtype;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *in[3] = {x[0], ag_sub_c(s, x[1], 6), ag_add_c(s, x[2], 6)}, *y;
    apply_case(s, c, in, 3, 1, &y);
    agn_scope_return(s, out, y);
    return agn_scope_close(s);
}
static void want_quotient(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    for (int64_t i = 0; i < shape_count(&c->out); i++)
        y[i] = x[0][i] / (x[2][i % c->in[2].size[0]] - x[1][i / c->in[2].size[0]] + 12);
}

static const agn_tensor *values_of(agn_scope *s, int dtype)
{
    return ag_arange(s, dtype == AGN_F32 || dtype == AGN_C64 ? AGN_F32 : AGN_F64, 1, ORDER + 1, 1);
}
static agn_status run_diagonal(agn_tensor **out, const op_case *c, int dtype,
                               const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *in[2] = {x[0], beside(s, x[0], values_of(s, dtype))}, *y;
    apply_case(s, c, in, 2, 1, &y);
    agn_scope_return(s, out, ag_cast(s, y, dtype));
    return agn_scope_close(s);
}
static void want_diagonal(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)c, (void)dtype;
    for (int i = 0; i < ORDER; i++)
        y[i] = creall(x[0][i * ORDER + i]);
}
static agn_status run_embed(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *in[2] = {x[0], beside(s, x[0], values_of(s, dtype))}, *y;
    apply_case(s, c, in, 2, 1, &y);
    agn_scope_return(s, out, y);
    return agn_scope_close(s);
}
static void want_embedded(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)c, (void)dtype;
    for (int i = 0; i < ORDER * ORDER; i++)
        y[i] = i / ORDER == i % ORDER ? x[0][i % ORDER] : 0;
}

/* det by the rule of Sarrus; exp(log|det|) sign too */
static wide sarrus(wide a[ORDER][ORDER])
{
    wide sum = 0;
    for (int i = 0; i < ORDER; i++) {
        int j = (i + 1) % ORDER, k = (i + 2) % ORDER;
        sum += a[0][i] * (a[1][j] * a[2][k] - a[1][k] * a[2][j]);
    }
    return sum;
}
static agn_status run_number(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a = spread(s, x[0], dtype, false), *y[2];
    bool two = c->op[7] == 's';
    apply_case(s, c, &a, 1, two ? 2 : 1, y);
    agn_scope_return(s, out, ag_mul_c(s, two ? ag_mul(s, y[0], ag_exp(s, y[1])) : y[0], 0.125));
    return agn_scope_close(s);
}
static void want_det(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)c, (void)dtype;
    wide a[ORDER][ORDER];
    spread_wide(x[0], false, a);
    y[0] = sarrus(a) / 8;
}

/* the exponential of a / 4 by its series */
static agn_status run_exp(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a = ag_mul_c(s, spread(s, x[0], dtype, false), 0.25), *y;
    apply_case(s, c, &a, 1, 1, &y);
    agn_scope_return(s, out, y);
    return agn_scope_close(s);
}
static void want_exp(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)c, (void)dtype;
    wide a[ORDER][ORDER], term[ORDER][ORDER], next[ORDER][ORDER];
    spread_wide(x[0], false, a);
    for (int i = 0; i < ORDER * ORDER; i++) {
        a[i / ORDER][i % ORDER] /= 4;
        y[i] = term[i / ORDER][i % ORDER] = i / ORDER == i % ORDER;
    }
    for (int k = 1; k < 40; k++) {
        product(term, a, false, next);
        for (int i = 0; i < ORDER * ORDER; i++)
            y[i] += term[i / ORDER][i % ORDER] = next[i / ORDER][i % ORDER] / k;
    }
}

/* the inverse by cofactors */
static agn_status run_pinv(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a = spread(s, x[0], dtype, false);
    agn_tensor *made = NULL;
    agn_status st = agn_scope_status(s);
    if (!st)
        st = agn_op_apply(&made, 1, c->op, &a, 1, c->ints, 1, c->reals, 1);
    agn_scope_return(s, out, agn_scope_adopt(s, st, &made));
    return agn_scope_close(s);
}
static void want_inverse(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)c, (void)dtype;
    wide a[ORDER][ORDER];
    spread_wide(x[0], false, a);
    for (int i = 0; i < ORDER; i++)
        for (int j = 0; j < ORDER; j++) {
            int p = (i + 1) % ORDER, q = (i + 2) % ORDER, r = (j + 1) % ORDER, t = (j + 2) % ORDER;
            y[j * ORDER + i] = (a[p][r] * a[q][t] - a[p][t] * a[q][r]) / sarrus(a);
        }
}

/* the factors: the diagonal leads, so that rows stay in their order */
static const agn_tensor *leading(agn_scope *s, const agn_tensor *x, int dtype)
{
    const agn_tensor *d = beside(s, x, ag_cast(s, ag_full(s, AGN_F64, 1, (const int64_t[]){ORDER}, 2), dtype));
    return ag_add(s, ag_mul_c(s, x, 0.125), ag_diag(s, d, 0));
}
static agn_status run_factors(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a = leading(s, x[0], dtype), *y[2];
    apply_case(s, c, &a, 1, 2, y);
    agn_scope_return(s, out, y[0]);
    return agn_scope_close(s);
}
static void want_factors(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)c, (void)dtype;
    for (int i = 0; i < ORDER * ORDER; i++)
        y[i] = x[0][i] / 8 + (i / ORDER == i % ORDER) * 2;
    for (int k = 0; k < ORDER; k++)
        for (int i = k + 1; i < ORDER; i++) {
            y[i * ORDER + k] /= y[k * ORDER + k];
            for (int j = k + 1; j < ORDER; j++)
                y[i * ORDER + j] -= y[i * ORDER + k] * y[k * ORDER + j];
        }
}

/* a x + x a = c with c = a + a^2 has x = (1 + a) / 2 */
static agn_status run_sylvester(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a = spread(s, x[0], dtype, false), *y;
    apply_case(s, c, (const agn_tensor *[]){a, a, ag_add(s, a, ag_matmul(s, a, a))}, 3, 1, &y);
    agn_scope_return(s, out, y);
    return agn_scope_close(s);
}
static void want_half(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)c, (void)dtype;
    wide a[ORDER][ORDER];
    spread_wide(x[0], false, a);
    for (int i = 0; i < ORDER * ORDER; i++)
        y[i] = (a[i / ORDER][i % ORDER] + (i / ORDER == i % ORDER)) / 2;
}

/* the root of a^2 and the logarithm of e^a are a */
static agn_status run_root(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a = spread(s, x[0], dtype, false), *y;
    const agn_tensor *b = c->op[7] == 's' ? ag_matmul(s, a, a) : ag_linalg_matrix_exp(s, a);
    apply_case(s, c, &b, 1, 1, &y);
    agn_scope_return(s, out, y);
    return agn_scope_close(s);
}
/* the sign of [0, a^2; 1, 0] is [0, a; a^-1, 0] */
static agn_status run_sign(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a = spread(s, x[0], dtype, false), *none = ag_mul_c(s, a, 0), *y;
    const agn_tensor *one = beside(s, a, ag_eye(s, dtype, ORDER, ORDER, 0));
    const agn_tensor *rows[2] = {ag_concat(s, (const agn_tensor *[]){none, ag_matmul(s, a, a)}, 2, -1),
                                 ag_concat(s, (const agn_tensor *[]){one, none}, 2, -1)};
    const agn_tensor *b = ag_concat(s, rows, 2, -2);
    apply_case(s, c, &b, 1, 1, &y);
    agn_scope_return(s, out, ag_slice(s, y, 2, (const int64_t[]){0, ORDER}, (const int64_t[]){ORDER, 2 * ORDER}, NULL));
    return agn_scope_close(s);
}
static agn_status run_riccati(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a = spread(s, x[0], dtype, true), *y;
    const agn_tensor *one = beside(s, a, ag_eye(s, dtype, ORDER, ORDER, 0));
    /* with x = 3 a: q = 9 a^2 - 6 a^2 */
    apply_case(s, c, (const agn_tensor *[]){a, one, ag_mul_c(s, ag_matmul(s, a, a), 3), one}, 4, 1, &y);
    agn_scope_return(s, out, ag_mul_c(s, y, 1.0 / 24));
    return agn_scope_close(s);
}
/* (u h + h^2) / 16 = (a + a^H a) / 16 */
static agn_status run_polar(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a = spread(s, x[0], dtype, false), *y[2];
    apply_case(s, c, &a, 1, 2, y);
    const agn_tensor *sum = ag_add(s, ag_matmul(s, y[0], y[1]), ag_matmul(s, y[1], y[1]));
    agn_scope_return(s, out, ag_mul_c(s, sum, 0.0625));
    return agn_scope_close(s);
}
static void want_small_gram(const op_case *c, int dtype, wide *const *x, wide *y)
{
    want_gram(c, dtype, x, y);
    for (int i = 0; i < ORDER * ORDER; i++)
        y[i] /= 16;
}
static void want_hermitian(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)c, (void)dtype;
    spread_wide(x[0], true, (wide(*)[ORDER])y);
    for (int i = 0; i < ORDER * ORDER; i++)
        y[i] /= 8;
}
static void want_spread(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)c, (void)dtype;
    spread_wide(x[0], false, (wide(*)[ORDER])y);
}

/* (x + x^H) / 16 + 4, which is definite */
static const agn_tensor *definite(agn_scope *s, const agn_tensor *x, int dtype)
{
    const agn_tensor *half = ag_mul_c(s, ag_add(s, x, adjoint_of(s, x, dtype)), 0.0625);
    return ag_add(s, half, beside(s, x, ag_mul_c(s, ag_eye(s, dtype, ORDER, ORDER, 0), 4)));
}
/* l l^H of it */
static agn_status run_info(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a = definite(s, x[0], dtype), *y[2];
    apply_case(s, c, &a, 1, 2, y);
    agn_scope_return(s, out, ag_matmul(s, y[0], adjoint_of(s, y[0], dtype)));
    return agn_scope_close(s);
}
static void want_definite(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)c, (void)dtype;
    for (int i = 0; i < ORDER; i++)
        for (int j = 0; j < ORDER; j++)
            y[i * ORDER + j] = (x[0][i * ORDER + j] + conjl(x[0][j * ORDER + i])) / 16 + (i == j) * 4;
}
/* no failure */
static agn_status run_lu_info(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a = leading(s, x[0], dtype), *y[3];
    apply_case(s, c, &a, 1, 3, y);
    agn_scope_return(s, out, ag_cast(s, y[2], dtype));
    return agn_scope_close(s);
}
static void want_none(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)c, (void)dtype, (void)x;
    y[0] = 0;
}
/* q r of 2 after adding the first column of x / 8 to every column */
static agn_status run_change(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *eye = beside(s, x[0], ag_eye(s, dtype, ORDER, ORDER, 0)), *y[2];
    const agn_tensor *u = ag_slice(s, x[0], 2, (const int64_t[]){0, 0}, (const int64_t[]){ORDER, 1}, (const int64_t[]){1, 1});
    u = ag_mul_c(s, u, 0.125);
    apply_case(s, c, (const agn_tensor *[]){eye, ag_mul_c(s, eye, 2), u, ag_ones_like(s, u)}, 4, 2, y);
    agn_scope_return(s, out, ag_matmul(s, y[0], y[1]));
    return agn_scope_close(s);
}
static void want_change(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)c, (void)dtype;
    for (int i = 0; i < ORDER * ORDER; i++)
        y[i] = x[0][i / ORDER * ORDER] / 8 + (i / ORDER == i % ORDER) * 2;
}
/* of a triangle, which stays */
static agn_status run_complex_form(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *in[2] = {ag_triu(s, x[0], 0), beside(s, x[0], ag_eye(s, dtype, ORDER, ORDER, 0))}, *y[2];
    apply_case(s, c, in, 2, 2, y);
    agn_scope_return(s, out, ag_cast(s, dtype == AGN_C64 || dtype == AGN_C128 ? y[0] : ag_real(s, y[0]), dtype));
    return agn_scope_close(s);
}
static void want_triangle_of(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)c, (void)dtype;
    for (int i = 0; i < ORDER * ORDER; i++)
        y[i] = i / ORDER > i % ORDER ? 0 : x[0][i];
}

/* rows of x */
static const agn_tensor *row_of(agn_scope *s, const agn_tensor *x, int64_t i)
{
    return ag_slice(s, x, 2, (const int64_t[]){i, 0}, (const int64_t[]){i + 1, ORDER}, (const int64_t[]){1, 1});
}
/* two diagonals: the first row, made regular, and the second; the right-hand side is the third */
static agn_status run_banded(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    (void)dtype;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *d = ag_add_c(s, ag_mul_c(s, row_of(s, x[0], 0), 0.125), 2), *y;
    const agn_tensor *ab = ag_concat(s, (const agn_tensor *[]){d, row_of(s, x[0], 1)}, 2, 0);
    apply_case(s, c, (const agn_tensor *[]){ab, ag_swapaxes(s, row_of(s, x[0], 2), 0, 1)}, 2, 1, &y);
    agn_scope_return(s, out, ag_squeeze(s, y, -1));
    return agn_scope_close(s);
}
static void want_bidiagonal(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)c, (void)dtype;
    for (int i = 0; i < ORDER; i++)
        y[i] = (x[0][2 * ORDER + i] - (i ? x[0][ORDER + i - 1] * y[i - 1] : 0)) / (x[0][i] / 8 + 2);
}
/* t x is solved for x, the third row */
static agn_status run_toeplitz(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    (void)dtype;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a = ag_add_c(s, ag_mul_c(s, x[0], 0.125), 1), *y;
    const agn_tensor *col = ag_mul(s, row_of(s, a, 0), beside(s, a, ag_cast(s, ag_arange(s, AGN_F64, ORDER + 1, 1, -1), dtype)));
    const agn_tensor *row = ag_mul_c(s, row_of(s, a, 1), 0.5), *v = ag_swapaxes(s, row_of(s, x[0], 2), 0, 1);
    const agn_tensor *t = ag_linalg_toeplitz(s, ag_squeeze(s, col, 0), ag_squeeze(s, row, 0));
    apply_case(s, c, (const agn_tensor *[]){ag_swapaxes(s, col, 0, 1), ag_swapaxes(s, row, 0, 1), ag_matmul(s, t, v)}, 3, 1, &y);
    agn_scope_return(s, out, ag_squeeze(s, y, -1));
    return agn_scope_close(s);
}
static void want_third_row(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)c, (void)dtype;
    for (int i = 0; i < ORDER; i++)
        y[i] = x[0][2 * ORDER + i];
}
/* y y^H / 16 = (l l^H + v v^H) / 16 with l the lower triangle, v the first column of x */
static agn_status run_update(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a = spread(s, x[0], dtype, true), *y;
    const agn_tensor *v = ag_slice(s, x[0], 2, (const int64_t[]){0, 0}, (const int64_t[]){ORDER, 1}, (const int64_t[]){1, 1});
    apply_case(s, c, (const agn_tensor *[]){a, v}, 2, 1, &y);
    agn_scope_return(s, out, ag_mul_c(s, ag_matmul(s, y, adjoint_of(s, y, dtype)), 0.0625));
    return agn_scope_close(s);
}
static void want_updated(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)c, (void)dtype;
    wide a[ORDER][ORDER];
    spread_wide(x[0], true, a);
    for (int i = 0; i < ORDER; i++)
        for (int j = 0; j < ORDER; j++) {
            wide v = x[0][i * ORDER] * conjl(x[0][j * ORDER]);
            for (int k = 0; k <= i && k <= j; k++)
                v += a[i][k] * conjl(a[j][k]);
            y[i * ORDER + j] = v / 16;
        }
}
/* columns near 1, 2, 3 long */
static agn_status run_pivots(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a = spread(s, x[0], dtype, false), *y;
    apply_case(s, c, &a, 1, 1, &y);
    agn_scope_return(s, out, ag_cast(s, y, dtype));
    return agn_scope_close(s);
}
static void want_falling(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)c, (void)dtype, (void)x;
    for (int i = 0; i < ORDER; i++)
        y[i] = ORDER - 1 - i;
}

/* of the Hermitian part h: l d l^H is h with rows and columns in another order, of which the trace is not told */
static agn_status run_ldl(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a = spread(s, x[0], dtype, true), *y[3];
    apply_case(s, c, &a, 1, 3, y);
    const agn_tensor *back = ag_matmul(s, y[0], ag_matmul(s, y[1], adjoint_of(s, y[0], dtype)));
    agn_scope_return(s, out, ag_trace(s, ag_matmul(s, back, back), 0, 0, 1));
    return agn_scope_close(s);
}
/* z t z^H = q h q^H = a */
static agn_status run_form(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a = spread(s, x[0], dtype, false), *y[2];
    apply_case(s, c, &a, 1, 2, y);
    agn_scope_return(s, out, ag_matmul(s, y[1], ag_matmul(s, y[0], adjoint_of(s, y[1], dtype))));
    return agn_scope_close(s);
}
/* of a diagonal 2, 2, 1: a half */
static agn_status run_rcond(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *d = beside(s, x[0], ag_cast(s, ag_minimum_c(s, ag_arange(s, AGN_F64, 1, ORDER + 1, 1), 2), dtype)), *y, *a = ag_diag(s, d, 0);
    apply_case(s, c, &a, 1, 1, &y);
    agn_scope_return(s, out, ag_cast(s, y, dtype));
    return agn_scope_close(s);
}
static void want_a_half(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)c, (void)dtype, (void)x;
    y[0] = 0.5L;
}

/* q s z^H = a, of a pair */
static agn_status run_qz(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a[2] = {spread(s, x[0], dtype, false), beside(s, x[0], ag_eye(s, dtype, ORDER, ORDER, 0))}, *y[5];
    apply_case(s, c, a, 2, 5, y);
    agn_scope_return(s, out, ag_matmul(s, y[2], ag_matmul(s, y[0], adjoint_of(s, y[3], dtype))));
    return agn_scope_close(s);
}
/* z t z^H = a */
static agn_status run_three(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a = spread(s, x[0], dtype, false), *y[3];
    apply_case(s, c, &a, 1, 3, y);
    agn_scope_return(s, out, ag_matmul(s, y[1], ag_matmul(s, y[0], adjoint_of(s, y[1], dtype))));
    return agn_scope_close(s);
}
/* of a and 2: v w^2 u = a^2 / 8 */
static agn_status run_eig_pencil(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a[2] = {spread(s, x[0], dtype, true), beside(s, x[0], ag_mul_c(s, ag_eye(s, dtype, ORDER, ORDER, 0), 2))}, *y[3];
    apply_case(s, c, a, 2, 3, y);
    const agn_tensor *v = ag_mul(s, y[0], ag_expand_dims(s, ag_square(s, y[1]), 0));
    agn_scope_return(s, out, ag_mul_c(s, ag_matmul(s, v, y[2]), 8));
    return agn_scope_close(s);
}
/* a x = a^2 */
static agn_status run_system(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x, int n)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a = spread(s, x[0], dtype, false), *y[5];
    apply_case(s, c, (const agn_tensor *[]){a, ag_matmul(s, a, a)}, 2, n, y);
    agn_scope_return(s, out, ag_positive(s, y[0]));
    return agn_scope_close(s);
}
static agn_status run_system_of_2(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    return run_system(out, c, dtype, x, 2);
}
static agn_status run_system_of_3(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    return run_system(out, c, dtype, x, 3);
}
static agn_status run_system_of_4(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    return run_system(out, c, dtype, x, 4);
}
/* u1 cos(theta) v1h is the first entry of a unitary matrix */
static agn_status run_cossin(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a = spread(s, x[0], dtype, false), *y[5];
    agn_tensor *q = NULL, *r = NULL;
    agn_status st = agn_scope_status(s);
    st = st ? st : agn_linalg_qr(&q, &r, a, false);
    const agn_tensor *u = agn_scope_adopt(s, st, &q);
    agn_scope_adopt(s, st, &r);
    apply_case(s, c, &u, 1, 5, y);
    const agn_tensor *first = ag_mul(s, ag_mul(s, y[0], ag_cast(s, ag_cos(s, y[2]), dtype)), y[3]);
    const agn_tensor *was = ag_slice(s, u, 2, (const int64_t[]){0, 0}, (const int64_t[]){1, 1}, (const int64_t[]){1, 1});
    agn_scope_return(s, out, ag_add(s, a, ag_sub(s, first, was)));
    return agn_scope_close(s);
}
/* r^H r + a = a^H a + a */
static agn_status run_geqrf(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a = spread(s, x[0], dtype, false), *y[2];
    apply_case(s, c, &a, 1, 2, y);
    const agn_tensor *r = ag_triu(s, y[0], 0);
    agn_scope_return(s, out, ag_add(s, a, ag_matmul(s, adjoint_of(s, r, dtype), r)));
    return agn_scope_close(s);
}
/* the order is one of all rows */
static agn_status run_balance(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a = spread(s, x[0], dtype, false), *y[2];
    apply_case(s, c, &a, 1, 2, y);
    agn_scope_return(s, out, ag_cast(s, ag_sort(s, y[1], -1, false), dtype));
    return agn_scope_close(s);
}
static void want_counted(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)c, (void)dtype, (void)x;
    for (int i = 0; i < ORDER; i++)
        y[i] = i;
}
/* of the triangle of a, values apart: f(z) = z^2 about its diagonal */
static agn_status run_parlett(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *t = ag_triu(s, spread(s, x[0], dtype, false), 0), *d = ag_diagonal(s, t, 0, 0, 1), *y;
    const agn_tensor *series[] = {ag_square(s, d), ag_mul_c(s, d, 2), ag_ones_like(s, d)};
    apply_case(s, c, (const agn_tensor *[]){t, d, ag_stack(s, series, 3, -1)}, 3, 1, &y);
    agn_scope_return(s, out, ag_positive(s, y));
    return agn_scope_close(s);
}
static void want_squared_triangle(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)c, (void)dtype;
    wide a[ORDER][ORDER];
    spread_wide(x[0], false, a);
    for (int i = 0; i < ORDER; i++)
        for (int j = 0; j < i; j++)
            a[i][j] = 0;
    product(a, a, false, (wide(*)[ORDER])y);
}

/* the lower half of a band of all diagonals of x / 8 + diag(1, 2, 3), or of the definite matrix */
static const agn_tensor *half_band(agn_scope *s, const agn_tensor *a)
{
    const agn_tensor *row[ORDER];
    for (int k = 0; k < ORDER; k++) {
        const agn_tensor *none = ag_mul_c(s, ag_slice(s, a, 2, (const int64_t[]){0, 0}, (const int64_t[]){1, k}, (const int64_t[]){1, 1}), 0);
        row[k] = ag_concat(s, (const agn_tensor *[]){ag_expand_dims(s, ag_diagonal(s, a, -k, 0, 1), 0), none}, 2, 1);
    }
    return ag_concat(s, row, ORDER, 0);
}
/* v w^2 v^H */
static agn_status run_band_pairs(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *ab = half_band(s, spread(s, x[0], dtype, true)), *y[2];
    apply_case(s, c, &ab, 1, 2, y);
    const agn_tensor *v = ag_mul(s, y[1], ag_square(s, y[0]));
    agn_scope_return(s, out, ag_matmul(s, v, adjoint_of(s, y[1], dtype)));
    return agn_scope_close(s);
}
/* squares of the values sum to tr a^H a */
static agn_status run_band_values(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *ab = half_band(s, spread(s, x[0], dtype, true)), *y;
    apply_case(s, c, &ab, 1, 1, &y);
    agn_scope_return(s, out, ag_cast(s, ag_sum_all(s, ag_square(s, y)), dtype));
    return agn_scope_close(s);
}
static void want_band_trace(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)c, (void)dtype;
    wide a[ORDER][ORDER];
    spread_wide(x[0], true, a);
    y[0] = 0;
    for (int i = 0; i < ORDER * ORDER; i++)
        y[0] += a[i / ORDER][i % ORDER] * conjl(a[i / ORDER][i % ORDER]);
}
/* the sum of the squares of the moduli of l is the trace of the definite matrix */
static agn_status run_band_factor(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *ab = half_band(s, definite(s, x[0], dtype)), *y;
    apply_case(s, c, &ab, 1, 1, &y);
    const agn_tensor *size = ag_real(s, ag_mul(s, y, dtype == AGN_C64 || dtype == AGN_C128 ? ag_conj(s, y) : y));
    agn_scope_return(s, out, ag_cast(s, ag_sum_all(s, size), dtype));
    return agn_scope_close(s);
}
/* a factor of t a has the tangent l / 2 at t = 1 */
static agn_status run_band_tangent(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *ab = half_band(s, definite(s, x[0], dtype)), *y;
    apply_case(s, c, (const agn_tensor *[]){ag_linalg_cholesky_banded(s, ab, false), ab}, 2, 1, &y);
    const agn_tensor *size = ag_real(s, ag_mul(s, y, dtype == AGN_C64 || dtype == AGN_C128 ? ag_conj(s, y) : y));
    agn_scope_return(s, out, ag_cast(s, ag_mul_c(s, ag_sum_all(s, size), 4), dtype));
    return agn_scope_close(s);
}
static void want_definite_trace(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)c, (void)dtype;
    y[0] = 0;
    for (int i = 0; i < ORDER; i++)
        y[0] += creall(x[0][i * ORDER + i]) / 8 + 4;
}

/* the same, and the whole rank */
static agn_status run_pivoted(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a = definite(s, x[0], dtype), *y[3];
    apply_case(s, c, &a, 1, 3, y);
    const agn_tensor *size = ag_real(s, ag_mul(s, y[0], dtype == AGN_C64 || dtype == AGN_C128 ? ag_conj(s, y[0]) : y[0]));
    const agn_tensor *short_of = ag_add_c(s, ag_cast(s, y[2], size ? agn_dtype_of(size) : AGN_F64), -ORDER);
    agn_scope_return(s, out, ag_cast(s, ag_add(s, ag_sum_all(s, size), short_of), dtype));
    return agn_scope_close(s);
}

#define SQUARE {2, {ORDER, ORDER}}
#define LINE {1, {ORDER}}
const op_case cases_linalg[] = {
    {"linalg_eigh", 1, "D", {SQUARE}, SQUARE, 1, {0}, .want = want_square, .run = run_eigh,
     .run_diff = 1, .inner = true},
    {"linalg_eigvalsh", 1, "D", {SQUARE}, {0, {0}}, 1, {1}, .want = want_trace, .run = run_values,
     .run_diff = 1, .inner = true},
    {"linalg_svd", 1, "D", {SQUARE}, SQUARE, 1, {0}, .want = want_cube, .run = run_svd,
     .run_diff = 1, .inner = true},
    {"linalg_svdvals", 1, "D", {SQUARE}, {0, {0}}, .want = want_trace, .run = run_values,
     .run_diff = 1, .inner = true},
    {"linalg_qr", 1, "D", {SQUARE}, SQUARE, 1, {0}, .want = want_gram, .run = run_qr,
     .run_diff = 1, .inner = true},
    {"linalg_gap_quotient", 3, "DDD", {{2, {2, 3}}, {1, {2}}, {1, {3}}}, {2, {2, 3}}, 2, {1, 0},
     .want = want_quotient, .run = run_quotient, .run_diff = 7, .inner = true},
    {"linalg_tie_diagonal", 1, "D", {SQUARE}, LINE, 2, {1, 0}, .want = want_diagonal,
     .run = run_diagonal, .run_diff = 1, .inner = true},
    {"linalg_tie_embed", 1, "D", {LINE}, SQUARE, 2, {1, 0}, .want = want_embedded,
     .run = run_embed, .run_diff = 1, .inner = true},
    {"linalg_det", 1, "D", {SQUARE}, {0, {0}}, .want = want_det, .run = run_number, .run_diff = 1,
     .inner = true},
    {"linalg_slogdet", 1, "D", {SQUARE}, {0, {0}}, .want = want_det, .run = run_number,
     .run_diff = 1, .inner = true},
    {"linalg_matrix_exp", 1, "D", {SQUARE}, SQUARE, .want = want_exp, .run = run_exp, .run_diff = 1,
     .inner = true},
    {"linalg_pinv", 1, "D", {SQUARE}, SQUARE, 1, {0}, .reals = {-1}, .n_real = 1, .want = want_inverse,
     .run = run_pinv, .run_diff = 1, .inner = true},
    {"linalg_eig", 1, "D", {SQUARE}, SQUARE, .want = want_square, .run = run_eig, .run_diff = 1,
     .inner = true},
    {"linalg_eigvals", 1, "D", {SQUARE}, {0, {0}}, .want = want_sum_of_squares, .run = run_eigvals,
     .run_diff = 1, .inner = true},
    {"linalg_sylvester", 1, "D", {SQUARE}, SQUARE, .want = want_half, .run = run_sylvester, .run_diff = 1,
     .inner = true},
    {"linalg_sqrtm", 1, "D", {SQUARE}, SQUARE, .want = want_spread, .run = run_root, .run_diff = 1,
     .inner = true},
    {"linalg_logm", 1, "D", {SQUARE}, SQUARE, .want = want_spread, .run = run_root, .run_diff = 1,
     .inner = true},
    {"linalg_signm", 1, "D", {SQUARE}, SQUARE, .want = want_spread, .run = run_sign, .run_diff = 1,
     .inner = true},
    {"linalg_riccati", 1, "D", {SQUARE}, SQUARE, 1, {0}, .want = want_hermitian, .run = run_riccati,
     .run_diff = 1, .inner = true},
    {"linalg_polar", 1, "D", {SQUARE}, SQUARE, .want = want_small_gram, .run = run_polar, .run_diff = 1,
     .inner = true},
    {"linalg_banded_solve", 1, "D", {SQUARE}, LINE, 2, {1, 0}, .want = want_bidiagonal, .run = run_banded, .run_diff = 1,
     .inner = true},
    {"linalg_toeplitz_solve", 1, "D", {SQUARE}, LINE, .want = want_third_row, .run = run_toeplitz, .run_diff = 1,
     .inner = true},
    {"linalg_cholesky_update", 1, "D", {SQUARE}, SQUARE, 2, {0, 0}, .want = want_updated, .run = run_update,
     .run_diff = 1, .inner = true},
    {"linalg_qr_pivots", 1, "D", {SQUARE}, LINE, .want = want_falling, .run = run_pivots, .inner = true},
    {"linalg_ldl", 1, "D", {SQUARE}, {0, {0}}, 2, {0, 1}, .want = want_trace, .run = run_ldl, .run_diff = 1,
     .inner = true},
    {"linalg_schur", 1, "D", {SQUARE}, SQUARE, .want = want_spread, .run = run_form, .run_diff = 1, .inner = true},
    {"linalg_hessenberg", 1, "D", {SQUARE}, SQUARE, .want = want_spread, .run = run_form, .run_diff = 1, .inner = true},
    {"linalg_rcond", 1, "D", {SQUARE}, {0, {0}}, .want = want_a_half, .run = run_rcond, .inner = true},
    {"linalg_qz", 1, "D", {SQUARE}, SQUARE, 1, {0}, .want = want_spread, .run = run_qz, .run_diff = 1, .inner = true},
    {"linalg_schur_ordered", 1, "D", {SQUARE}, SQUARE, 1, {0}, .want = want_spread, .run = run_three, .run_diff = 1, .inner = true},
    {"linalg_eig_pencil", 1, "D", {SQUARE}, SQUARE, .want = want_square, .run = run_eig_pencil, .run_diff = 1, .inner = true},
    {"linalg_lstsq", 1, "D", {SQUARE}, SQUARE, 1, {2}, .reals = {-1}, .n_real = 1, .want = want_spread, .run = run_system_of_3,
     .run_diff = 1, .inner = true},
    {"linalg_refined_solve", 1, "D", {SQUARE}, SQUARE, .want = want_spread, .run = run_system_of_4, .run_diff = 1, .inner = true},
    {"linalg_any_solve", 1, "D", {SQUARE}, SQUARE, .want = want_spread, .run = run_system_of_2, .run_diff = 1, .inner = true},
    {"linalg_cossin", 1, "D", {SQUARE}, SQUARE, 2, {1, 1}, .want = want_spread, .run = run_cossin, .inner = true},
    {"linalg_geqrf", 1, "D", {SQUARE}, SQUARE, .want = want_gram, .run = run_geqrf, .inner = true},
    {"linalg_balance", 1, "D", {SQUARE}, LINE, .want = want_counted, .run = run_balance, .inner = true},
    {"linalg_spectrum", 1, "D", {SQUARE}, SQUARE, .want = want_spread, .run = run_three, .inner = true},
    {"linalg_parlett", 1, "D", {SQUARE}, SQUARE, .want = want_squared_triangle, .run = run_parlett, .inner = true},
    {"linalg_lu", 1, "D", {SQUARE}, SQUARE, .want = want_factors, .run = run_factors, .run_diff = 1,
     .inner = true},
    {"linalg_cholesky_info", 1, "D", {SQUARE}, SQUARE, 1, {0}, .want = want_definite, .run = run_info, .run_diff = 1,
     .inner = true},
    {"linalg_lu_info", 1, "D", {SQUARE}, {0, {0}}, .want = want_none, .run = run_lu_info, .inner = true},
    {"linalg_cholesky_pivots", 1, "D", {SQUARE}, {0, {0}}, 1, {0}, .reals = {-1}, .n_real = 1, .want = want_definite_trace,
     .run = run_pivoted, .run_diff = 1, .inner = true},
    {"linalg_qr_change", 1, "D", {SQUARE}, SQUARE, 3, {0, 0, 0}, .want = want_change, .run = run_change, .run_diff = 1,
     .inner = true},
    {"linalg_schur_complex", 1, "D", {SQUARE}, SQUARE, .want = want_triangle_of, .run = run_complex_form, .run_diff = 1, .inner = true},
    {"linalg_mixed_solve", 1, "D", {SQUARE}, SQUARE, .want = want_spread, .run = run_system_of_2, .run_diff = 1,
     .inner = true},
    {"linalg_eigh_banded", 1, "D", {SQUARE}, SQUARE, 1, {0}, .want = want_square, .run = run_band_pairs, .run_diff = 1, .inner = true},
    {"linalg_eigvalsh_banded", 1, "D", {SQUARE}, {0, {0}}, 1, {0}, .want = want_band_trace, .run = run_band_values, .run_diff = 1,
     .inner = true},
    {"linalg_cholesky_banded", 1, "D", {SQUARE}, {0, {0}}, 1, {0}, .want = want_definite_trace, .run = run_band_factor, .run_diff = 1,
     .inner = true},
    {"linalg_band_tangent", 1, "D", {SQUARE}, {0, {0}}, 2, {0, 0}, .want = want_definite_trace, .run = run_band_tangent, .run_diff = 1,
     .inner = true},
    {.op = NULL}};
