/* t-linalg-hostile - factorisations and solvers on the types of matrices that LAPACK is tested with
   (xLATMS: Anderson et al. 1999, LAPACK working notes 9 and 41) and those of Higham 2002, chapter 28: a
   backward error of a few n eps, or a refusal that names the reason; never a wrong number. */
#include "t-linalg.h"

/* ---- matrices ----------------------------------------------------------------------------------- */

typedef double filler(int i, int j, int n, double random);
static double fill_random(int i, int j, int n, double x) { return (void)i, (void)j, (void)n, x; }
static double fill_rows(int i, int j, int n, double x) { return (void)j, (void)n, ldexp(x, -i); }
static double fill_columns(int i, int j, int n, double x) { return (void)i, (void)n, ldexp(x, j - n); }
static double fill_both(int i, int j, int n, double x) { return (void)n, ldexp(x, -i - j); }
static double fill_hilbert(int i, int j, int n, double x) { return (void)x, (void)n, 1.0 / (i + j + 1); }
static double fill_wilkinson(int i, int j, int n, double x)
{
    return (void)x, i == j ? fabs(i - (n - 1) / 2.0) : abs(i - j) == 1 ? 1 : 0;
}
static double fill_growth(int i, int j, int n, double x)
{
    return (void)x, i == j || j == n - 1 ? 1 : i > j ? -1 : 0;
}
static double fill_growth_of_rows(int i, int j, int n, double x) { return fill_growth(j, i, n, x); }
static double fill_kahan(int i, int j, int n, double x)
{
    return (void)x, (void)n, i == j ? pow(sin(1.2), i) : i < j ? -cos(1.2) * pow(sin(1.2), i) : 0;
}
static double fill_frank(int i, int j, int n, double x) { return (void)x, j < i - 1 ? 0 : n - (i > j ? i : j); }
static double fill_jordan(int i, int j, int n, double x)
{
    return (void)x, (void)n, i == j ? 2 : j == i + 1 ? 1 : i == n - 1 && j == 0 ? 0x1p-40 : 0;
}
static double fill_moler(int i, int j, int n, double x) { return (void)x, (void)n, i == j ? i + 1 : (i < j ? i : j) - 1; }
static double fill_gap(int i, int j, int n, double x) /* one small singular value, the others alike */
{
    return i == j ? (i == n - 1 ? 0x1p-44 : 1) + ldexp(x, -60) : 0;
}
static double fill_dependent(int i, int j, int n, double x) { return j == n / 2 ? 0 : i == n / 3 ? 1 : x; }
static double fill_diagonal(int i, int j, int n, double x) { return (void)n, i == j ? 1 + x / 2 : 0; }
static double fill_upper(int i, int j, int n, double x) { return i <= j ? x / n + (i == j) : 0; }
static double fill_lower(int i, int j, int n, double x) { return fill_upper(j, i, n, x); }
static double fill_first(int i, int j, int n, double x) { return (void)i, (void)n, j ? x : 0; }
static double fill_last(int i, int j, int n, double x) { return (void)i, j < n - 1 ? x : 0; }
static double fill_half(int i, int j, int n, double x) { return (void)i, j < n / 2 ? x : 0; }
static double fill_zero(int i, int j, int n, double x) { return (void)i, (void)j, (void)n, (void)x, 0; }

enum { REGULAR, NEAR, SINGULAR, NOT_FINITE };
/* values of a matrix u d v, by the modes of LAPACK's xLATMS, from 1 down to 1 over the condition */
enum { NO_MODE, ONE_LARGE, ONE_SMALL, GEOMETRIC, ARITHMETIC, RANDOM_POWERS };
enum { MILD, HALF, FULL }; /* the condition: 2, sqrt(0.1 / eps), 0.1 / eps */
enum { GENERAL, HERMITIAN, DEFINITE };
typedef struct kind {
    const char *name;
    filler *fill;
    int power;  /* of 2, per cent of the range of exponents */
    int class;
    double put; /* at one entry, where it is not finite */
    int mode, condition, symmetry;
} kind;
static const kind kinds[] = {
    {"random", fill_random, 0, REGULAR, 0, NO_MODE, MILD, GENERAL},
    {"rows graded", fill_rows, 0, REGULAR, 0, NO_MODE, MILD, GENERAL},
    {"columns graded", fill_columns, 0, REGULAR, 0, NO_MODE, MILD, GENERAL},
    {"graded towards a corner", fill_both, 0, NEAR, 0, NO_MODE, MILD, GENERAL},
    {"Hilbert's", fill_hilbert, 0, NEAR, 0, NO_MODE, MILD, GENERAL},
    {"Wilkinson's of near values", fill_wilkinson, 0, NEAR, 0, NO_MODE, MILD, GENERAL}, /* singular where n is odd alone */
    {"Wilkinson's of growth", fill_growth, 0, REGULAR, 0, NO_MODE, MILD, GENERAL},
    {"its transpose", fill_growth_of_rows, 0, REGULAR, 0, NO_MODE, MILD, GENERAL},
    {"Kahan's", fill_kahan, 0, NEAR, 0, NO_MODE, MILD, GENERAL},
    {"Frank's", fill_frank, 0, NEAR, 0, NO_MODE, MILD, GENERAL},
    {"nearly defective", fill_jordan, 0, REGULAR, 0, NO_MODE, MILD, GENERAL},
    {"Moler's", fill_moler, 0, NEAR, 0, NO_MODE, MILD, GENERAL},
    {"one small singular value", fill_gap, 0, NEAR, 0, NO_MODE, MILD, GENERAL},
    {"a column of zeros", fill_dependent, 0, SINGULAR, 0, NO_MODE, MILD, GENERAL},
    {"zero", fill_zero, 0, SINGULAR, 0, NO_MODE, MILD, GENERAL},
    {"huge", fill_random, 97, REGULAR, 0, NO_MODE, MILD, GENERAL},
    {"huge, graded", fill_rows, 97, REGULAR, 0, NO_MODE, MILD, GENERAL},
    {"tiny", fill_random, -90, REGULAR, 0, NO_MODE, MILD, GENERAL},
    {"subnormal", fill_random, -101, REGULAR, 0, NO_MODE, MILD, GENERAL},
    {"diagonal", fill_diagonal, 0, REGULAR, 0, NO_MODE, MILD, GENERAL},
    {"upper triangular", fill_upper, 0, REGULAR, 0, NO_MODE, MILD, GENERAL},
    {"lower triangular", fill_lower, 0, REGULAR, 0, NO_MODE, MILD, GENERAL},
    {"a first column of zeros", fill_first, 0, SINGULAR, 0, NO_MODE, MILD, GENERAL},
    {"a last column of zeros", fill_last, 0, SINGULAR, 0, NO_MODE, MILD, GENERAL},
    {"a last half of zeros", fill_half, 0, SINGULAR, 0, NO_MODE, MILD, GENERAL},
#define MODES(mode, word) \
    {word ", condition 2", NULL, 0, REGULAR, 0, mode, MILD, GENERAL}, \
        {word ", condition of half the digits", NULL, 0, REGULAR, 0, mode, HALF, GENERAL}, \
        {word ", condition of all digits", NULL, 0, NEAR, 0, mode, FULL, GENERAL}, \
        {word ", near overflow", NULL, 97, REGULAR, 0, mode, MILD, GENERAL}, \
        {word ", near underflow", NULL, -90, REGULAR, 0, mode, MILD, GENERAL}, \
        {"Hermitian, " word ", half the digits", NULL, 0, REGULAR, 0, mode, HALF, HERMITIAN}, \
        {"Hermitian, " word ", all digits", NULL, 0, NEAR, 0, mode, FULL, HERMITIAN}, \
        {"definite, " word ", half the digits", NULL, 0, REGULAR, 0, mode, HALF, DEFINITE}, \
        {"definite, " word ", near overflow", NULL, 97, REGULAR, 0, mode, MILD, DEFINITE}, \
        {"definite, " word ", near underflow", NULL, -90, REGULAR, 0, mode, MILD, DEFINITE}
    MODES(ONE_LARGE, "one large value"),
    MODES(ONE_SMALL, "one small value"),
    MODES(GEOMETRIC, "geometric values"),
    MODES(ARITHMETIC, "arithmetic values"),
    MODES(RANDOM_POWERS, "random powers"),
    {"a NaN", fill_random, 0, NOT_FINITE, (double)NAN, NO_MODE, MILD, GENERAL},
    {"an infinity", fill_random, 0, NOT_FINITE, (double)INFINITY, NO_MODE, MILD, GENERAL},
};

static int exponent_of(const kind *k, int dtype)
{
    return k->power * (dtype == AGN_F32 || dtype == AGN_C64 ? 126 : 1022) / 100;
}
/* x 2^e, in steps that are in the range */
static const agn_tensor *times_power(agn_scope *s, const agn_tensor *x, int e)
{
    for (; e; e -= e > 60 ? 60 : e < -60 ? -60 : e)
        x = ag_mul_c(s, x, ldexp(1, e > 60 ? 60 : e < -60 ? -60 : e));
    return x;
}

/* u d v with random orthonormal u and v, v = u^H where Hermitian; signs of d at random but where
   definite. Complex: with phases of rows and columns */
static const agn_tensor *make_by_values(agn_scope *s, const kind *k, int dtype, int n)
{
    const bool z = kind_of(dtype) == KIND_COMPLEX;
    const double least = k->condition == MILD
                             ? 0.5
                             : pow(10 * eps_of(dtype), k->condition == HALF ? 0.5 : 1);
    agn_tensor *d = NULL, *turn = NULL;
    void *p = NULL, *q = NULL;
    must(agn_zeros(&d, AGN_F64, 1, (int64_t[]){n}));
    must(agn_zeros(&turn, AGN_C128, 1, (int64_t[]){n}));
    must(agn_data_mut(&p, d));
    must(agn_data_mut(&q, turn));
    for (int i = 0; i < n; i++) {
        const double at = n > 1 ? (double)i / (n - 1) : 0;
        const double v = k->mode == ONE_LARGE    ? (i ? least : 1)
                         : k->mode == ONE_SMALL  ? (i == n - 1 ? least : 1)
                         : k->mode == GEOMETRIC  ? pow(least, at)
                         : k->mode == ARITHMETIC ? 1 - at * (1 - least)
                                                 : pow(least, rnd_in(0, 1));
        ((double *)p)[i] = k->symmetry == HERMITIAN && rnd_below(2) ? -v : v;
        ((double complex *)q)[i] = cexp((double complex)I * 0.9 * i);
    }
    const agn_tensor *u[2], *values = agn_scope_adopt(s, AGN_OK, &d),
                            *phase = agn_scope_adopt(s, AGN_OK, &turn);
    for (int i = 0; i < 2; i++) {
        const int64_t word[2] = {(int64_t)(rnd() >> 1), i};
        agn_tensor *key = NULL;
        must(agn_from_host(&key, AGN_I64, 1, (int64_t[]){2}, word));
        u[i] = ag_linalg_orthogonal(s, agn_scope_adopt(s, AGN_OK, &key), AGN_F64, 2,
                                    (int64_t[]){n, n});
    }
    const agn_tensor *y = ag_matmul(s, ag_mul(s, u[0], values),
                                    k->symmetry == GENERAL ? u[1] : ag_swapaxes(s, u[0], 0, 1));
    if (k->symmetry != GENERAL)
        y = ag_mul_c(s, ag_add(s, y, ag_swapaxes(s, y, 0, 1)), 0.5);
    if (z) /* d y d^H */
        y = ag_mul(s, ag_mul(s, ag_expand_dims(s, phase, 1), ag_cast(s, y, AGN_C128)),
                   ag_conj(s, phase));
    return times_power(s, ag_cast(s, y, (agn_dtype)dtype), exponent_of(k, dtype));
}

/* entries of `fill`, with phases of rows and columns where complex, times a power of 2 */
static const agn_tensor *make_matrix(agn_scope *s, const kind *k, int dtype, int n)
{
    if (k->mode)
        return make_by_values(s, k, dtype, n);
    agn_tensor *r = random_of(AGN_F64, 2, (int64_t[]){n, n}, -1, 1), *a = NULL;
    bool z = kind_of(dtype) == KIND_COMPLEX;
    void *p = NULL;
    must(agn_zeros(&a, z ? AGN_C128 : AGN_F64, 2, (int64_t[]){n, n}));
    must(agn_data_mut(&p, a));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double x = k->fill(i, j, n, peek(r, i * n + j));
            if (z)
                ((double complex *)p)[i * n + j] = x * cexp((double complex)I * (0.7 * i - 1.1 * j));
            else
                ((double *)p)[i * n + j] = x;
        }
    if (k->class == NOT_FINITE && z)
        ((double complex *)p)[n / 2 * (n + 1)] = k->put;
    else if (k->class == NOT_FINITE)
        ((double *)p)[n / 2 * (n + 1)] = k->put;
    agn_release(r);
    const agn_tensor *y = agn_scope_adopt(s, AGN_OK, &a);
    return times_power(s, ag_cast(s, y, (agn_dtype)dtype), exponent_of(k, dtype));
}

/* ---- what a call should give --------------------------------------------------------------------- */

typedef struct outcome {
    agn_status st;
    double off; /* backward error over eps */
} outcome;

/* largest |x - y| over the largest |y| and more, over eps; x, y near 1 */
static double distance(const agn_tensor *x, const agn_tensor *y, double size, int dtype)
{
    double worst = same_shapes(x, y) ? 0 : (double)INFINITY, most = size;
    for (int64_t i = 0; i < agn_numel(y) && worst < 1e300; i++) {
        double d = cabs(peekz(x, i) - peekz(y, i));
        most = fmax(most, cabs(peekz(y, i)));
        worst = d > worst || d != d ? (d != d ? (double)INFINITY : d) : worst;
    }
    return worst == 0 ? 0 : worst / most / eps_of(dtype);
}
static double largest(const agn_tensor *x)
{
    double y = 0;
    for (int64_t i = 0; i < agn_numel(x); i++)
        y = fmax(y, cabs(peekz(x, i)));
    return y;
}
static bool all_finite(const agn_tensor *x)
{
    bool good = true;
    for (int64_t i = 0; i < agn_numel(x); i++)
        good = good && isfinite(creal(peekz(x, i))) && isfinite(cimag(peekz(x, i)));
    return good;
}
static const agn_tensor *wide_of(agn_scope *s, const agn_tensor *x)
{
    return ag_cast(s, x, kind_of(agn_dtype_of(x)) == KIND_COMPLEX ? AGN_C128 : AGN_F64);
}
static double unitary(agn_scope *s, const agn_tensor *q, int dtype)
{
    q = wide_of(s, q);
    int64_t n = agn_shape(q)[1];
    return distance(ag_matmul(s, adjoint(s, q), q), ag_eye(s, agn_dtype_of(q), n, n, 0), 1, dtype);
}

enum { LU, QR, QR_PIVOTED, RQ, SVD, EIGH, EIG, SCHUR, HESSENBERG, LDL, POLAR, CHOLESKY, SOLVE, INV, SOLVE_EX, REFINED, MIXED, STRUCTURED, LSTSQ, GELSY, GELSD, GELSS,
       PINV, BANDED, TRIDIAGONAL, DET, CALLS };
static const char *const names[] = {"lu", "qr", "qr_pivoted", "rq", "svd", "eigh", "eig", "schur", "hessenberg", "ldl_factor", "polar", "cholesky", "solve", "inv",
                                    "solve_ex", "solve_refined", "solve_mixed", "solve_structured", "lstsq", "gelsy", "gelsd", "gelss", "pinv", "solve_banded",
                                    "solve_tridiagonal", "slogdet"};

/* |a x - b| over |a| |x| + |b|, of a and b scaled to about 1 */
static double residual(agn_scope *s, const agn_tensor *a, const agn_tensor *x, const agn_tensor *b, int dtype)
{
    x = wide_of(s, x);
    return distance(ag_matmul(s, a, x), b, largest(a) * largest(x) * (double)agn_shape(a)[0], dtype);
}

/* the bands of a of l diagonals on both sides; ab and the dense matrix */
static const agn_tensor *band_of(agn_scope *s, const agn_tensor *a, int l, const agn_tensor **dense)
{
    const agn_tensor *rows[9];
    for (int r = 0; r <= 2 * l; r++) {
        int k = l - r;
        const agn_tensor *d = ag_diagonal(s, a, k, 0, 1);
        const agn_tensor *none = ag_full(s, agn_dtype_of(a), 1, (int64_t[]){abs(k)}, 0);
        rows[r] = ag_expand_dims(s, k > 0 ? ag_concat(s, (const agn_tensor *[]){none, d}, 2, 0) : ag_concat(s, (const agn_tensor *[]){d, none}, 2, 0), 0);
    }
    *dense = ag_triu(s, ag_tril(s, a, l), -l);
    return ag_concat(s, rows, 2 * l + 1, 0);
}

static outcome call(int which, const kind *k, int dtype, int n, const agn_tensor *given)
{
    agn_scope *s = agn_scope_open(NULL);
    int e = exponent_of(k, dtype);
    agn_tensor *y[4] = {NULL};
    const agn_tensor *x[4] = {NULL}, *a = given, *one = NULL, *b = NULL;
    outcome o = {AGN_OK, 0};
    if (which == EIGH || which == LDL || which == CHOLESKY) /* halves: no overflow */
        a = ag_add(s, ag_mul_c(s, a, 0.5), ag_mul_c(s, adjoint(s, a), 0.5));
    if (which == CHOLESKY) { /* positive definite by its diagonal */
        const agn_tensor *sum = ag_sum(s, ag_abs(s, a), (int32_t[]){1}, 1, false);
        a = ag_add(s, ag_mul_c(s, a, 1.0 / 64), ag_cast(s, ag_diag(s, ag_mul_c(s, ag_add(s, sum, times_power(s, ag_full_like(s, sum, 1e-3), e)), 1.0 / 32), 0), agn_dtype_of(a)));
    }
    const agn_tensor *scaled = wide_of(s, a);
    if (k->class != NOT_FINITE) {
        scaled = times_power(s, scaled, -e);
        one = ag_full(s, agn_dtype_of(scaled), 2, (int64_t[]){n, 2}, 1);
        const agn_tensor *m = scaled;
        if (which == BANDED || which == TRIDIAGONAL)
            m = ag_triu(s, ag_tril(s, scaled, which == BANDED ? 2 : 1), which == BANDED ? -2 : -1);
        b = times_power(s, ag_cast(s, ag_matmul(s, m, one), (agn_dtype)dtype), e);
    } else
        b = ag_full(s, (agn_dtype)dtype, 2, (int64_t[]){n, 2}, 1);
    const agn_tensor *right = k->class == NOT_FINITE ? b : times_power(s, wide_of(s, b), -e), *m = scaled;
    must(agn_scope_status(s));
    switch (which) {
    case LU: o.st = agn_linalg_lu(&y[0], &y[1], &y[2], a); break;
    case QR: o.st = agn_linalg_qr(&y[0], &y[1], a, false); break;
    case QR_PIVOTED: o.st = agn_linalg_qr_pivoted(&y[0], &y[1], &y[2], a, false); break;
    case RQ: o.st = agn_linalg_rq(&y[0], &y[1], a); break;
    case SVD: o.st = agn_linalg_svd(&y[0], &y[1], &y[2], a, false); break;
    case EIGH: o.st = agn_linalg_eigh(&y[0], &y[1], a, false); break;
    case EIG: o.st = agn_linalg_eig(&y[0], &y[1], a); break;
    case SCHUR: o.st = agn_linalg_schur(&y[0], &y[1], a); break;
    case HESSENBERG: o.st = agn_linalg_hessenberg(&y[0], &y[1], a); break;
    case LDL: o.st = agn_linalg_ldl_factor(&y[0], &y[1], &y[2], a, false, true); break;
    case POLAR: o.st = agn_linalg_polar(&y[0], &y[1], a); break;
    case CHOLESKY: o.st = agn_linalg_cholesky(&y[0], a, n % 2); break;
    case SOLVE: o.st = agn_linalg_solve(&y[0], a, b); break;
    case INV: o.st = agn_linalg_inv(&y[0], a); break;
    case SOLVE_EX: o.st = agn_linalg_solve_ex(&y[0], &y[1], a, b); break;
    case REFINED: o.st = agn_linalg_solve_refined(&y[0], &y[1], &y[2], &y[3], a, b); break;
    case MIXED: o.st = agn_linalg_solve_mixed(&y[0], NULL, a, b); break;
    case STRUCTURED: o.st = agn_linalg_solve_structured(&y[0], &y[1], a, b); break;
    case LSTSQ: o.st = agn_linalg_lstsq(&y[0], a, b); break;
    case GELSY:
    case GELSD:
    case GELSS: o.st = agn_linalg_lstsq_with(&y[0], NULL, NULL, a, b, (agn_lstsq_driver)(AGN_LSTSQ_GELSY + which - GELSY), -1); break;
    case PINV: o.st = agn_linalg_pinv(&y[0], a, -1); break;
    case BANDED:
        x[0] = band_of(s, a, 2, &m);
        o.st = agn_linalg_solve_banded(&y[0], x[0], b, 2, 2);
        m = ag_triu(s, ag_tril(s, scaled, 2), -2);
        break;
    case TRIDIAGONAL:
        o.st = agn_linalg_solve_tridiagonal(&y[0], ag_diagonal(s, a, -1, 0, 1), ag_diagonal(s, a, 0, 0, 1), ag_diagonal(s, a, 1, 0, 1), b);
        m = ag_triu(s, ag_tril(s, scaled, 1), -1);
        break;
    default: o.st = agn_linalg_slogdet(&y[0], &y[1], a);
    }
    for (int i = 0; i < 4; i++)
        x[i] = y[i] ? agn_scope_adopt(s, AGN_OK, &y[i]) : NULL;
    if (!o.st && k->class == NOT_FINITE)
        o.off = which == SOLVE_EX && peek(x[1], 0) == -1 && isnan(peek(x[0], 0)) ? 0 : (double)INFINITY;
    else if (!o.st) {
        const agn_tensor *p[4];
        for (int i = 0; i < 4; i++)
            p[i] = x[i] ? wide_of(s, x[i]) : NULL;
        switch (which) {
        case LU:
            o.off = distance(ag_matmul(s, p[0], ag_matmul(s, p[1], times_power(s, p[2], -e))), scaled, largest(p[1]) * largest(times_power(s, p[2], -e)), dtype);
            break;
        case QR: o.off = fmax(unitary(s, p[0], dtype), distance(ag_matmul(s, p[0], times_power(s, p[1], -e)), scaled, 0, dtype)); break;
        case QR_PIVOTED:
            o.off = fmax(unitary(s, p[0], dtype), distance(ag_matmul(s, p[0], times_power(s, p[1], -e)), ag_gather(s, scaled, x[2], 1), 0, dtype));
            break;
        case RQ: o.off = fmax(unitary(s, p[1], dtype), distance(ag_matmul(s, times_power(s, p[0], -e), p[1]), scaled, 0, dtype)); break;
        case SVD:
            o.off = fmax(unitary(s, p[0], dtype), distance(ag_matmul(s, ag_mul(s, p[0], times_power(s, p[1], -e)), p[2]), scaled, 0, dtype));
            break;
        case EIGH:
            o.off = fmax(unitary(s, p[1], dtype), distance(ag_matmul(s, ag_mul(s, p[1], times_power(s, p[0], -e)), adjoint(s, p[1])), scaled, 0, dtype));
            break;
        case EIG: {
            /* geev balances: the error is that of d^-1 a d, in the vectors d^-1 v */
            agn_tensor *scale = NULL, *perm = NULL;
            o.st = agn_linalg_balance(&y[0], &scale, &perm, ag_cast(s, scaled, AGN_C128));
            x[2] = agn_scope_adopt(s, o.st, &scale);
            agn_release(perm);
            agn_release(y[0]);
            const agn_tensor *by = ag_cast(s, x[2], AGN_C128), *v = ag_div(s, p[1], ag_expand_dims(s, by, 1));
            const agn_tensor *z = ag_mul(s, ag_div(s, ag_cast(s, scaled, AGN_C128), ag_expand_dims(s, by, 1)), by);
            const agn_tensor *size = ag_cast(s, ag_amax(s, ag_abs(s, v), (int32_t[]){0}, 1, true), AGN_C128);
            v = ag_div(s, v, size);
            o.off = distance(ag_matmul(s, z, v), ag_mul(s, v, times_power(s, p[0], -e)), largest(z), dtype);
            break;
        }
        case SCHUR:
            o.off = fmax(unitary(s, p[1], dtype), distance(ag_matmul(s, ag_matmul(s, p[1], times_power(s, p[0], -e)), adjoint(s, p[1])), scaled, 0, dtype));
            break;
        case HESSENBERG:
            o.off = fmax(unitary(s, p[1], dtype), distance(ag_matmul(s, ag_matmul(s, p[1], times_power(s, p[0], -e)), adjoint(s, p[1])), scaled, 0, dtype));
            break;
        case LDL:
            o.off = distance(ag_matmul(s, ag_matmul(s, p[0], times_power(s, p[1], -e)), adjoint(s, p[0])),
                             ag_gather(s, ag_gather(s, scaled, x[2], 0), x[2], 1), largest(p[0]) * largest(p[0]) * largest(times_power(s, p[1], -e)), dtype);
            break;
        case POLAR: o.off = fmax(unitary(s, p[0], dtype), distance(ag_matmul(s, p[0], times_power(s, p[1], -e)), scaled, 0, dtype)); break;
        case CHOLESKY: { /* l 2^(-e/2) */
            const agn_tensor *l = times_power(s, p[0], -(e / 2)), *r = times_power(s, p[0], -(e - e / 2));
            o.off = distance(n % 2 ? ag_matmul(s, adjoint(s, l), r) : ag_matmul(s, l, adjoint(s, r)), scaled, 0, dtype);
            break;
        }
        case INV: /* the residual of the better side, over |a| |x|, as of a method with one product more */
            x[1] = times_power(s, p[0], e);
            if (k->power < -100 && !all_finite(p[0])) /* of the least numbers it overflows */
                break;
            o.off = fmin(distance(ag_matmul(s, scaled, x[1]), ag_eye(s, agn_dtype_of(scaled), n, n, 0), largest(scaled) * largest(x[1]) * n, dtype),
                         distance(ag_matmul(s, x[1], scaled), ag_eye(s, agn_dtype_of(scaled), n, n, 0), largest(scaled) * largest(x[1]) * n, dtype));
            break;
        case PINV: /* a p a = a of the rank that counts; small values are dropped */
            x[1] = times_power(s, p[0], e);
            if (k->power < -100 && !all_finite(p[0]))
                break;
            o.off = distance(ag_matmul(s, ag_matmul(s, scaled, x[1]), scaled), scaled, largest(scaled) * largest(x[1]) * largest(scaled), dtype);
            break;
        case SOLVE_EX:
            o.off = peek(x[1], 0) != 0 ? (k->class == REGULAR ? (double)INFINITY : 0) : residual(s, m, x[0], right, dtype);
            break;
        case DET: o.off = cabs(peekz(x[0], 0)) < 0.5 && k->class == REGULAR ? (double)INFINITY : 0; break;
        default:
            if (which == LSTSQ && k->power < -100 && !all_finite(p[0])) /* NaN, where 1 / r overflows */
                break;
            o.off = residual(s, m, x[0], right, dtype);
        }
    }
    agn_status closed = agn_scope_close(s);
    if (closed)
        diag("%s, %s: %s", names[which], k->name, agn_error_message());
    o.off = closed ? (double)INFINITY : o.off;
    return o;
}

static bool refuses_singular(int which)
{
    return which == SOLVE || which == INV || which == REFINED || which == MIXED || which == STRUCTURED || which == LSTSQ || which == BANDED ||
           which == TRIDIAGONAL || which == POLAR;
}

int main(void)
{
    static const int orders[] = {8, 40, 151};
    for (int w = 0; w < CALLS; w++) {
        tally t = {0, 0};
        double worst = 0;
        for (int q = 0; q < COUNT(orders) - (tap_scale(2) < 2); q++)
            for (int d = 0; d < COUNT(dtypes); d++)
                for (int i = 0; i < COUNT(kinds); i++) {
                    const kind *k = &kinds[i];
                    int n = orders[q], dtype = dtypes[d];
                    if (n > 100 && w != QR && w != CHOLESKY && w != SOLVE && w != LSTSQ)
                        continue;
                    agn_scope *s = agn_scope_open(NULL);
                    const agn_tensor *a = make_matrix(s, k, dtype, n);
                    must(agn_scope_status(s));
                    outcome o = call(w, k, dtype, n, a);
                    const char *message = o.st ? agn_error_message() : "";
                    /* digits that numbers below the least normal one have lost */
                    double bound = (k->power < -100 ? 0x1p30 : 1) * 16 * n;
                    bool narrow = dtype == AGN_F32 || dtype == AGN_C64;
                    bool lost = k->class == NEAR || k->class == SINGULAR || w == BANDED || w == TRIDIAGONAL || (narrow && k->fill != fill_random) ||
                                (w == POLAR && k->fill != fill_random) || (w == LSTSQ && k->fill != fill_random) || k->power < -100;
                    bool fine = k->class == NOT_FINITE ? (w == SOLVE_EX && !o.st && o.off == 0) || (o.st == AGN_EDOMAIN && strstr(message, "not finite"))
                                : o.st                 ? o.st == AGN_EDOMAIN && refuses_singular(w) && lost
                                                       : o.off <= bound;
                    worst = !o.st && fine && k->power >= -100 ? fmax(worst, o.off / n) : worst;
                    check(&t, fine, "%s of %s, n = %d, %s: %s, %.1f n eps", names[w], k->name, n, agn_dtype_name((agn_dtype)dtype),
                          o.st ? message : "OK", o.off / n);
                    must(agn_scope_close(s));
                }
        char line[96];
        snprintf(line, sizeof line, "%s: at most %.2g n eps, or refused", names[w], worst);
        tell(&t, "%s", line);
    }
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
