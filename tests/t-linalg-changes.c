/* t-linalg-changes - QR factors after a change, factors of a rank, solves that look at the matrix, mixed precision, complex
   Schur forms, choices of damping, more special matrices, options: by identities, in every mode, and every documented failure.
   Numbers with a source beside them are of SciPy 1.17. */
#include "t-linalg.h"

static double largest(const agn_tensor *x)
{
    double most = 0;
    for (int64_t i = 0; i < agn_numel(x); i++) {
        double v = cabs(peekz(x, i));
        most = v > most || v != v ? v : most;
    }
    return most;
}
static double off_identity(agn_scope *s, const agn_tensor *q)
{
    const agn_tensor *g = ag_matmul(s, adjoint(s, q), q);
    int64_t n = agn_shape(g)[agn_ndim(g) - 1];
    return largest(ag_sub(s, g, ag_eye(s, agn_dtype_of(g), n, n, 0)));
}
static const agn_tensor *rows_of(agn_scope *s, const agn_tensor *x, int axis, int64_t from, int64_t to)
{
    int64_t start[4] = {0}, stop[4], step[4] = {1, 1, 1, 1};
    int nd = agn_ndim(x);
    for (int d = 0; d < nd; d++)
        stop[d] = agn_shape(x)[d];
    start[nd + axis] = from;
    stop[nd + axis] = to;
    return ag_slice(s, x, nd, start, stop, step);
}

static agn_tensor *of_complexes(int ndim, const int64_t *shape, const double complex *v)
{
    agn_tensor *x = NULL;
    void *p = NULL;
    must(agn_empty(&x, AGN_C128, ndim, shape, AGN_CPU));
    must(agn_data_mut(&p, x));
    memcpy(p, v, (size_t)agn_numel(x) * sizeof *v);
    return x;
}

/* ---- QR after a change ------------------------------------------------------------------ */

static void test_changes(void)
{
    tally q = {0, 0};
    static const int64_t sizes[][2] = {{5, 3}, {4, 4}, {3, 5}, {1, 1}, {9, 6}};
    for (int k = 0; k < 4 * COUNT(sizes) * 2; k++) {
        int dtype = dtypes[k % 4];
        int64_t m = sizes[k / 8][0], n = sizes[k / 8][1];
        bool complete = k / 4 & 1;
        double tol = 60 * (double)(m + n) * eps_of(dtype);
        agn_scope *s = agn_scope_open(NULL);
        agn_tensor *a = random_of(dtype, 3, (int64_t[]){2, m, n}, -1, 1), *u = random_of(dtype, 2, (int64_t[]){2, m}, -1, 1),
                   *v = random_of(dtype, 2, (int64_t[]){2, n}, -1, 1), *row = random_of(dtype, 3, (int64_t[]){2, 2, n}, -1, 1),
                   *col = random_of(dtype, 3, (int64_t[]){2, m, 2}, -1, 1), *f[2], *y[2];
        must(agn_linalg_qr(&f[0], &f[1], a, complete));
        const agn_tensor *want[5];
        want[0] = ag_add(s, a, ag_matmul(s, ag_expand_dims(s, u, -1), adjoint(s, ag_expand_dims(s, v, -1))));
        want[1] = ag_concat(s, (const agn_tensor *[]){rows_of(s, a, -2, 0, 1), row, rows_of(s, a, -2, 1, m)}, 3, -2);
        want[2] = ag_concat(s, (const agn_tensor *[]){a, col}, 2, -1);
        want[3] = m > 1 ? rows_of(s, a, -2, 1, m) : NULL;
        want[4] = ag_concat(s, (const agn_tensor *[]){rows_of(s, a, -1, 0, n / 2), rows_of(s, a, -1, n / 2 + 1, n)}, 2, -1);
        for (int w = 0; w < 5; w++) {
            bool square = agn_shape(f[0])[1] == agn_shape(f[0])[2];
            if (!want[w] || (w == 2 && !square && n + 2 > m) || (w == 3 && !square && m - 1 < n))
                continue;
            y[0] = y[1] = NULL;
            agn_status st = w == 0   ? agn_linalg_qr_update(&y[0], &y[1], f[0], f[1], u, v)
                            : w == 1 ? agn_linalg_qr_insert(&y[0], &y[1], f[0], f[1], row, 1, false)
                            : w == 2 ? agn_linalg_qr_insert(&y[0], &y[1], f[0], f[1], col, n, true)
                            : w == 3 ? agn_linalg_qr_delete(&y[0], &y[1], f[0], f[1], 0, 1, false)
                                     : agn_linalg_qr_delete(&y[0], &y[1], f[0], f[1], n / 2, 1, true);
            check(&q, !st, "change %d of [%d,%d]: %s", w, (int)m, (int)n, st ? agn_error_message() : "");
            if (st)
                continue;
            double e = relative(ag_matmul(s, y[0], y[1]), want[w]), o = off_identity(s, y[0]);
            check(&q, e < tol && o < tol && largest(ag_tril(s, y[1], -1)) == 0, "change %d of [%d,%d] %s: %.1e %.1e", w, (int)m,
                  (int)n, agn_dtype_name((agn_dtype)dtype), e, o);
            agn_release(y[0]), agn_release(y[1]);
        }
        must(agn_scope_close(s));
        agn_tensor *all[] = {a, u, v, row, col, f[0], f[1]};
        for (int i = 0; i < COUNT(all); i++)
            agn_release(all[i]);
    }
    tell(&q, "QR after a change of rank 1, of rows, of columns: complete and reduced");
}

/* ---- factors of a rank --------------------------------------------------------------------- */

static void test_ranks(void)
{
    tally q = {0, 0};
    for (int k = 0; k < 4 * 7; k++) {
        int dtype = dtypes[k % 4];
        int64_t n = (k / 4) % 7, r = n / 2;
        double tol = 200 * (double)(n + 1) * eps_of(dtype);
        agn_scope *s = agn_scope_open(NULL);
        agn_tensor *b = random_of(dtype, 3, (int64_t[]){3, n, r}, -1, 1), *c = random_of(dtype, 3, (int64_t[]){3, r, n + 2}, -1, 1),
                   *y[3] = {NULL};
        const agn_tensor *a = ag_matmul(s, b, adjoint(s, b));
        for (int upper = 0; upper < 2; upper++) {
            agn_status st = agn_linalg_cholesky_pivoted(&y[0], &y[1], &y[2], a, -1, upper);
            check(&q, !st, "cholesky_pivoted: %s", st ? agn_error_message() : "");
            if (st)
                continue;
            const agn_tensor *rows = ag_take_along_axis(s, a, ag_broadcast_to(s, ag_expand_dims(s, y[1], -1), 3, agn_shape(a)), -2);
            rows = ag_take_along_axis(s, rows, ag_broadcast_to(s, ag_expand_dims(s, y[1], -2), 3, agn_shape(a)), -1);
            check(&q, relative(ag_matmul(s, y[0], adjoint(s, y[0])), rows) < tol, "a[perm, perm] = l l^H, order %d", (int)n);
            for (int i = 0; i < 3; i++)
                check(&q, peek(y[2], i) == (double)r, "rank %g of %d", peek(y[2], i), (int)r);
            agn_release(y[0]), agn_release(y[1]), agn_release(y[2]);
        }
        const agn_tensor *low = ag_matmul(s, b, c);
        agn_status st = agn_linalg_complete_orthogonal(&y[0], &y[1], &y[2], low, r, -1);
        check(&q, !st, "complete_orthogonal: %s", st ? agn_error_message() : "");
        if (!st) {
            const agn_tensor *back = ag_matmul(s, y[0], ag_matmul(s, y[1], y[2]));
            check(&q, relative(back, low) < tol && off_identity(s, y[0]) < tol && off_identity(s, adjoint(s, y[2])) < tol &&
                          (!r || largest(ag_triu(s, y[1], 1)) == 0),
                  "a = u t vh, rank %d: %.1e", (int)r, relative(back, low));
            agn_release(y[0]), agn_release(y[1]), agn_release(y[2]);
        }
        if (r > 0) {
            must(agn_linalg_complete_orthogonal(&y[0], &y[1], &y[2], low, r - 1, -1));
            check(&q, r == 1 || isnan(creal(peekz(y[0], 0))), "another rank: NaN");
            agn_release(y[0]), agn_release(y[1]), agn_release(y[2]);
        }
        must(agn_scope_close(s));
        agn_release(b), agn_release(c);
    }
    tell(&q, "pivoted Cholesky, complete orthogonal decomposition");
}

/* ---- solves that look ------------------------------------------------------------------------ */

enum { KINDS = 8 };
typedef enum which {
    LOWER, /* a solve with such a matrix */
    UPPER,
    DIAGONAL,
    TRIDIAGONAL,
    BAND,
    POSITIVE,
    SADDLE,
    GENERAL,
    CHANGED,
    INSERTED,
    DELETED,
    SCHUR,
    HESSENBERG,
    PIVOTED,
    ORTHOGONAL,
    MIXED,
    RIGHT,
    EX_CHOLESKY,
    EX_SOLVE,
    EX_INV,
    COV,
    HERMITIAN,
    NORM,
    SKETCH,
    GCV,
    LCURVE,
    FIEDLER,
    COMPANION,
    CONVOLUTION,
    LAST
} which;
static const agn_tensor *matrix_of(agn_scope *s, int kind, const agn_tensor *x)
{
    int64_t n = agn_shape(x)[agn_ndim(x) - 1];
    const agn_tensor *eye = ag_mul_c(s, ag_eye(s, agn_dtype_of(x), n, n, 0), 2 + sqrt((double)n)), *y = ag_add(s, x, eye);
    switch (kind) {
    case LOWER: return ag_add(s, ag_mul_c(s, ag_tril(s, x, -1), 1.0 / (double)n), eye);
    case UPPER: return ag_add(s, ag_mul_c(s, ag_triu(s, x, 1), 1.0 / (double)n), eye);
    case DIAGONAL: return ag_tril(s, ag_triu(s, y, 0), 0);
    case TRIDIAGONAL: return ag_tril(s, ag_triu(s, y, -1), 1);
    case BAND: return ag_tril(s, ag_triu(s, y, -2), 1);
    case POSITIVE: y = ag_add(s, ag_matmul(s, x, adjoint(s, x)), eye); return ag_mul_c(s, ag_add(s, y, adjoint(s, y)), 0.5);
    case SADDLE: return ag_add(s, ag_add(s, x, adjoint(s, x)), ag_mul_c(s, eye, 0.1)); /* positive diagonal at best, indefinite */
    default: return y;
    }
}

static void test_looking(void)
{
    tally q = {0, 0};
    for (int k = 0; k < 4 * KINDS * 4; k++) {
        int dtype = dtypes[k % 4], kind = k / 4 % KINDS;
        int64_t n = (int64_t[]){2, 7, 24, 65}[k / (4 * KINDS)];
        agn_scope *s = agn_scope_open(NULL);
        agn_tensor *x = random_of(dtype, 2, (int64_t[]){n, n}, -1, 1), *b = random_of(dtype, 2, (int64_t[]){n, 3}, -1, 1);
        const agn_tensor *a = matrix_of(s, kind, x);
        if (kind == TRIDIAGONAL || kind == BAND) /* rows change places */
            a = ag_tril(s, ag_triu(s, x, kind == BAND ? -2 : -1), 1);
        const agn_tensor *turned = ag_swapaxes(s, a, -1, -2);
        double size = largest(ag_sum(s, ag_abs(s, a), (int32_t[]){-1}, 1, false));
        for (int form = 0; form < 2; form++) { /* rows, and a view by columns */
            const agn_tensor *m = form ? ag_swapaxes(s, ag_contiguous(s, turned), -1, -2) : a, *y = ag_linalg_solve(s, m, b);
            double e = largest(ag_sub(s, ag_matmul(s, a, y), b)) / (size * largest(y));
            check(&q, e < 8 * (double)n * eps_of(dtype), "kind %d, order %d, %s: backward error %.1e", kind, (int)n,
                  agn_dtype_name((agn_dtype)dtype), e);
            const agn_tensor *z = ag_linalg_solve_right(s, m, adjoint(s, b));
            e = largest(ag_sub(s, ag_matmul(s, z, a), adjoint(s, b))) / (size * largest(z));
            check(&q, e < 8 * (double)n * (double)n * eps_of(dtype), "from the right, kind %d: %.1e", kind, e);
            agn_tensor *w = NULL, *steps = NULL;
            must(agn_linalg_solve_mixed(&w, &steps, m, b));
            e = largest(ag_sub(s, ag_matmul(s, a, w), b)) / (size * largest(w));
            check(&q, e < 8 * (double)n * eps_of(dtype), "mixed, kind %d: %.1e, %g steps", kind, e, peek(steps, 0));
            agn_release(w), agn_release(steps);
        }
        must(agn_scope_close(s));
        agn_release(x), agn_release(b);
    }
    tell(&q, "solve by what the matrix shows, from the right, by half the digits: backward errors");
}

/* a recognised factor serves cotangents in its adjoint form */
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const which w = *(const which *)user;
    agn_tensor *y[3] = {NULL};
    agn_status st = agn_scope_status(s);
    const agn_tensor *a = in[0];
    int64_t n = agn_shape(a)[1];
    const agn_tensor *sum = NULL, *left = agn_shape(a)[0] > n ? rows_of(s, a, -2, 0, n) : a, *b = rows_of(s, a, -2, 0, 1);
    const agn_tensor *eye = ag_eye(s, agn_dtype_of(a), n, n, 0);
    if (st)
        return st;
    if (w < CHANGED) {
        const agn_tensor *m = matrix_of(s, (int)w, left);
        out[0] = ag_linalg_solve(s, m, ag_add(s, ag_swapaxes(s, ag_mul(s, b, b), 0, 1), rows_of(s, m, -1, 0, 1)));
        return agn_scope_status(s);
    }
    const agn_tensor *spd = ag_add(s, ag_matmul(s, left, adjoint(s, left)), eye), *alpha = ag_full(s, AGN_F64, 1, (int64_t[]){2}, 0.3);
    agn_tensor *q = NULL, *r = NULL;
    switch (w) {
    case CHANGED:
    case INSERTED:
    case DELETED: {
        if ((st = agn_linalg_qr(&q, &r, a, false)))
            return st;
        const agn_tensor *Q = agn_scope_adopt(s, st, &q), *R = agn_scope_adopt(s, st, &r);
        const agn_tensor *v = ag_squeeze(s, b, 0), *u = ag_squeeze(s, rows_of(s, a, -1, 0, 1), -1);
        u = ag_add(s, ag_square(s, u), ag_arange(s, AGN_F64, 0, (double)agn_shape(a)[0], 1));
        st = w == CHANGED ? agn_linalg_qr_update(&y[0], &y[1], Q, R, u, v)
             : w == INSERTED ? agn_linalg_qr_insert(&y[0], &y[1], Q, R, ag_square(s, b), 1, false)
                             : agn_linalg_qr_delete(&y[0], &y[1], Q, R, 1, 1, true);
        break;
    }
    case SCHUR: /* simple real values, vectors far from orthogonal */
        st = agn_linalg_schur(&y[0], &y[1], ag_add(s, ag_mul_c(s, left, 0.1), ag_diag(s, ag_arange(s, AGN_F64, 1, (double)n + 1, 1), 0)));
        break;
    case HESSENBERG: st = agn_linalg_hessenberg(&y[0], &y[1], left); break;
    case PIVOTED:
        spd = ag_matmul(s, a, adjoint(s, a)); /* of rank n */
        st = agn_linalg_cholesky_pivoted(&y[0], &y[1], &y[2], spd, 1e-9, true);
        break;
    case ORTHOGONAL: /* u t vh of a matrix of rank 2: what does not depend on the basis */
        st = agn_linalg_complete_orthogonal(&y[0], &y[1], &y[2],
                                            ag_matmul(s, rows_of(s, a, -1, 0, 2), rows_of(s, left, -2, 0, 2)), 2, 1e-10);
        break;
    case MIXED: st = agn_linalg_solve_mixed(&y[0], &y[1], spd, left); break;
    case RIGHT: st = agn_linalg_solve_right(&y[0], spd, a); break;
    case EX_CHOLESKY: st = agn_linalg_cholesky_ex(&y[0], &y[1], spd, false); break;
    case EX_SOLVE: st = agn_linalg_solve_ex(&y[0], &y[1], left, spd); break;
    case EX_INV: st = agn_linalg_inv_ex(&y[0], &y[1], spd); break;
    case COV: st = agn_linalg_cov_weighted(&y[0], ag_swapaxes(s, a, 0, 1), 1, NULL, ag_square(s, ag_abs(s, ag_sum(s, a, (int32_t[]){-1}, 1, false)))); break;
    case HERMITIAN: st = agn_linalg_pinv_hermitian(&y[0], spd, -1, true); break;
    case NORM: st = agn_linalg_matrix_norm_with(&y[0], ag_expand_dims(s, a, 1), AGN_NORM_NUCLEAR, 2, 0, true); break;
    case SKETCH: st = agn_linalg_clarkson_woodruff(&y[0], ag_arange(s, AGN_I64, 3, 5, 1), a, 2); break;
    case GCV: st = agn_linalg_ridge_gcv(&y[0], a, ag_square(s, rows_of(s, a, -1, 0, 1)), alpha); break;
    case LCURVE: st = agn_linalg_ridge_lcurve(&y[0], &y[1], &y[2], a, ag_square(s, rows_of(s, a, -1, 0, 1)), alpha); break;
    case FIEDLER: st = agn_linalg_fiedler(&y[0], ag_real(s, a)); break;
    case COMPANION: st = agn_linalg_fiedler_companion(&y[0], a); break;
    default: st = agn_linalg_convolution_matrix(&y[0], a, 2, AGN_CONVOLUTION_SAME);
    }
    if (w == ORTHOGONAL && !st) {
        const agn_tensor *u = agn_scope_adopt(s, st, &y[0]), *t = agn_scope_adopt(s, st, &y[1]), *v = agn_scope_adopt(s, st, &y[2]);
        out[0] = ag_add(s, ag_matmul(s, u, adjoint(s, u)), ag_mul_c(s, ag_sum_all(s, ag_mul(s, t, ag_conj(s, t))), 0.1));
        out[0] = ag_add(s, out[0], ag_sum_all(s, ag_matmul(s, adjoint(s, v), v)));
        return agn_scope_status(s);
    }
    /* the first results, joined */
    for (int k = 0; k < 3; k++) {
        const agn_tensor *part = st || !y[k] ? NULL : agn_scope_adopt(s, st, &y[k]);
        if (part && agn_dtype_of(part) != AGN_I64 && agn_dtype_of(part) != AGN_I32) {
            const agn_tensor *flat = ag_reshape(s, part, 1, (int64_t[]){-1});
            sum = sum ? ag_concat(s, (const agn_tensor *[]){sum, flat}, 2, 0) : flat;
        }
    }
    out[0] = sum;
    return st ? st : agn_scope_status(s);
}

static void test_modes(void)
{
    for (int c = 0; c < 2; c++)
        for (int k = 0; k < LAST; k++) {
            which w = (which)k;
            int dtype = c ? AGN_C128 : AGN_F64;
            int64_t n = w == TRIDIAGONAL || w == BAND ? 24 : 3, m = w < CHANGED || w == HERMITIAN ? n : n + 2;
            if ((w == TRIDIAGONAL || w == BAND) && c && tap_scale(2) < 2)
                continue;
            agn_tensor *x = random_of(dtype, 2, (int64_t[]){m, n}, -1, 1);
            agn_fn *f = NULL;
            char name[80];
            must(agn_fn_new(&f, body, &w, NULL, 1, 1));
            snprintf(name, sizeof name, "row %d, %s", k, agn_dtype_name((agn_dtype)dtype));
            const agn_tensor *in[1] = {x};
            in_every_mode(f, 1, in, 1e-3, 1e-5, name);
            agn_fn_release(f);
            agn_release(x);
        }
}

/* ---- numbers with a source --------------------------------------------------------------------- */

static bool entries_are(const agn_tensor *x, int n, const double *want, double tol)
{
    bool good = agn_numel(x) == n;
    for (int i = 0; good && i < n; i++)
        good = fabs(peek(x, i) - want[i]) <= tol * (1 + fabs(want[i]));
    return good;
}

static void test_values(void)
{
    tally q = {0, 0};
    agn_scope *s = agn_scope_open(NULL);
    const double third = sqrt(1.0 / 3), sixth = sqrt(1.0 / 6), half = sqrt(0.5);
    /* closed forms: Helmert's contrasts, binomials and their inverses, Hilbert's inverse (Higham 2002, chapter 28) */
    check(&q, entries_are(ag_linalg_helmert(s, AGN_F64, 3, true), 9,
                          (double[]){third, third, third, half, -half, 0, sixth, sixth, -2 * sixth}, 1e-15) &&
                  entries_are(ag_linalg_helmert(s, AGN_F64, 2, false), 2, (double[]){half, -half}, 1e-15) &&
                  agn_numel(ag_linalg_helmert(s, AGN_F64, 1, false)) == 0, "Helmert");
    check(&q, entries_are(ag_linalg_invhilbert(s, AGN_F64, 3), 9, (double[]){9, -36, 30, -36, 192, -180, 30, -180, 180}, 0), "inverse of Hilbert's");
    check(&q, entries_are(ag_linalg_pascal_with(s, AGN_F64, 4, AGN_PASCAL_LOWER), 16, (double[]){1, 0, 0, 0, 1, 1, 0, 0, 1, 2, 1, 0, 1, 3, 3, 1}, 0) &&
                  entries_are(ag_linalg_pascal_with(s, AGN_F32, 3, AGN_PASCAL_UPPER), 9, (double[]){1, 1, 1, 0, 1, 2, 0, 0, 1}, 0), "Pascal's triangles");
    for (int64_t n = 0; n < 12; n++)
        for (int kind = 0; kind < 3; kind++) {
            const agn_tensor *p = ag_linalg_pascal_with(s, AGN_F64, n, (agn_pascal_kind)kind), *v = ag_linalg_invpascal(s, AGN_F64, n, (agn_pascal_kind)kind);
            check(&q, !n || largest(ag_sub(s, ag_matmul(s, p, v), ag_eye(s, AGN_F64, n, n, 0))) == 0, "inverse of Pascal's, %d, kind %d", (int)n, kind);
        }
    for (int64_t n = 1; n < 9; n++) {
        const agn_tensor *p = ag_matmul(s, ag_linalg_hilbert(s, AGN_F64, n), ag_linalg_invhilbert(s, AGN_F64, n));
        check(&q, largest(ag_sub(s, p, ag_eye(s, AGN_F64, n, n, 0))) < 1e-16 * pow(34, (double)n), "Hilbert's times its inverse, %d", (int)n);
    }
    agn_tensor *c = of_reals(AGN_F64, 1, (int64_t[]){6}, (double[]){2, -6, -20, 30, 18, -24}), *three = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){1, 4, 9}),
               *f = NULL, *w = of_reals(AGN_F64, 1, (int64_t[]){4}, (double[]){0.5, 2, 1, 0.25}),
               *x = of_reals(AGN_F64, 2, (int64_t[]){2, 4}, (double[]){1, 2, 4, 8, 3, -1, 0, 5});
    /* scipy.linalg.fiedler([1, 4, 9]), fiedler_companion of 1 -3 -10 15 9 -12, convolution_matrix([1, 4, 9], 4, mode) */
    check(&q, entries_are(ag_linalg_fiedler(s, three), 9, (double[]){0, 3, 8, 3, 0, 5, 8, 5, 0}, 0), "Fiedler");
    check(&q, entries_are(ag_linalg_fiedler_companion(s, c), 25,
                          (double[]){3, 10, 1, 0, 0, 1, 0, 0, 0, 0, 0, -15, 0, -9, 1, 0, 1, 0, 0, 0, 0, 0, 0, 12, 0}, 1e-15), "Fiedler's companion");
    check(&q, entries_are(ag_linalg_convolution_matrix(s, three, 4, AGN_CONVOLUTION_FULL), 24,
                          (double[]){1, 0, 0, 0, 4, 1, 0, 0, 9, 4, 1, 0, 0, 9, 4, 1, 0, 0, 9, 4, 0, 0, 0, 9}, 0) &&
                  entries_are(ag_linalg_convolution_matrix(s, three, 4, AGN_CONVOLUTION_SAME), 16,
                              (double[]){4, 1, 0, 0, 9, 4, 1, 0, 0, 9, 4, 1, 0, 0, 9, 4}, 0) &&
                  entries_are(ag_linalg_convolution_matrix(s, three, 4, AGN_CONVOLUTION_VALID), 8, (double[]){9, 4, 1, 0, 0, 9, 4, 1}, 0), "convolution");
    must(agn_cast(&f, three, AGN_I64));
    agn_tensor *four = of_reals(AGN_F64, 1, (int64_t[]){4}, (double[]){1, 3, 0, 2}), *g = NULL;
    must(agn_cast(&g, four, AGN_I64));
    /* numpy.cov(x, ddof=1, fweights=[1, 3, 0, 2], aweights=[0.5, 2, 1, 0.25]) */
    check(&q, entries_are(ag_linalg_cov_weighted(s, x, 1, g, w), 4, (double[]){3.365187713310579, 2.716723549488054, 2.716723549488054, 4.286689419795221}, 1e-13), "weighted covariance");
    /* ranks by bounds of their own; widths; symmetry */
    agn_tensor *d = of_reals(AGN_F64, 3, (int64_t[]){2, 2, 2}, (double[]){1, 0, 0, 1e-3, -4, 0, 0, 1e-9}), *tol = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){1e-2, 1e-10});
    for (int h = 0; h < 2; h++)
        check(&q, entries_are(ag_linalg_matrix_rank_with(s, d, tol, NULL, h), 2, (double[]){1, 2}, 0) &&
                      entries_are(ag_linalg_matrix_rank_with(s, d, NULL, tol, h), 2, (double[]){1, 2}, 0) &&
                      entries_are(ag_linalg_matrix_rank_with(s, d, tol, tol, h), 2, (double[]){1, 2}, 0) &&
                      entries_are(ag_linalg_matrix_rank_with(s, d, NULL, NULL, h), 2, (double[]){2, 2}, 0), "ranks by bounds");
    agn_tensor *low = NULL, *high = NULL;
    must(agn_linalg_bandwidth(&low, &high, ag_triu(s, ag_full(s, AGN_F32, 2, (int64_t[]){4, 6}, 1), -1)));
    check(&q, peek(low, 0) == 1 && peek(high, 0) == 5, "bandwidth %g %g", peek(low, 0), peek(high, 0));
    agn_release(low), agn_release(high);
    agn_tensor *h = of_complexes(2, (int64_t[]){2, 2}, (double complex[]){1, (double complex)I, -(double complex)I, 2});
    check(&q, peek(ag_linalg_is_hermitian(s, h, 0, 0), 0) == 1 && peek(ag_linalg_is_symmetric(s, h, 0, 0), 0) == 0 &&
                  peek(ag_linalg_is_symmetric(s, h, 2, 0), 0) == 1 && peek(ag_linalg_is_symmetric(s, h, 0, 1.9), 0) == 0, "symmetry");
    /* a norm along other axes */
    agn_tensor *t = random_of(AGN_F64, 3, (int64_t[]){3, 2, 4}, -1, 1);
    for (int p = 0; p < 8; p++) {
        const agn_tensor *n = ag_linalg_matrix_norm_with(s, t, (agn_matrix_norm_kind)p, 2, 0, true);
        const agn_tensor *want = ag_linalg_matrix_norm(s, ag_permute(s, t, (int32_t[]){1, 2, 0}, 3), (agn_matrix_norm_kind)p);
        check(&q, has_shape(n, 3, (int64_t[]){1, 2, 1}) && relative(ag_reshape(s, n, 1, (int64_t[]){2}), want) < 1e-14, "norm %d", p);
    }
    agn_tensor *all[] = {c, three, f, w, x, four, g, d, tol, h, t};
    must(agn_scope_close(s));
    for (int i = 0; i < COUNT(all); i++)
        agn_release(all[i]);
    tell(&q, "matrices of numbers, weights, bounds, widths, axes");
}

/* damping: the functions against ridge itself; complex forms; a sketch against its matrix; failures of a batch */
static void test_compositions(void)
{
    tally q = {0, 0};
    for (int k = 0; k < 4; k++) {
        double tol = 500 * eps_of(dtypes[k]);
        agn_scope *s = agn_scope_open(NULL);
        agn_tensor *a = random_of(dtypes[k], 2, (int64_t[]){7, 4}, -1, 1), *b = random_of(dtypes[k], 2, (int64_t[]){7, 2}, -1, 1),
                   *alpha = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){0.01, 0.2, 3}), *y[3];
        must(agn_linalg_ridge_lcurve(&y[0], &y[1], &y[2], a, b, alpha));
        const agn_tensor *g = ag_linalg_ridge_gcv(s, a, b, alpha);
        const agn_tensor *eye = ag_eye(s, (agn_dtype)dtypes[k], 4, 4, 0), *gram = ag_matmul(s, adjoint(s, a), a);
        for (int i = 0; i < 3; i++) {
            const agn_tensor *x = ag_linalg_ridge(s, a, b, ag_index_axis(s, alpha, 0, i)), *r = ag_sub(s, ag_matmul(s, a, x), b);
            const agn_tensor *hat = ag_trace(s, ag_linalg_solve(s, ag_add(s, gram, ag_mul_c(s, eye, peek(alpha, i))), gram), 0, 0, 1);
            double rho = modes_dot(r, r), eta = modes_dot(x, x), left = 7 - creal(peekz(hat, 0));
            check(&q, fabs(peek(y[0], i) - sqrt(rho)) < tol && fabs(peek(y[1], i) - sqrt(eta)) < tol &&
                          fabs(peek(g, i) - 7 * rho / (left * left)) < tol, "damping %d", i);
        }
        agn_release(y[0]), agn_release(y[1]), agn_release(y[2]);
        if (k < 2) {
            agn_tensor *m = random_of(dtypes[k], 3, (int64_t[]){3, 6, 6}, -1, 1), *z[2];
            must(agn_linalg_schur(&y[0], &y[1], m));
            must(agn_linalg_schur_complex(&z[0], &z[1], y[0], y[1]));
            const agn_tensor *back = ag_matmul(s, z[1], ag_matmul(s, z[0], adjoint(s, z[1])));
            check(&q, relative(back, ag_cast(s, m, k ? AGN_C128 : AGN_C64)) < tol && off_identity(s, z[1]) < tol && largest(ag_tril(s, z[0], -1)) == 0,
                  "complex Schur form: %.1e", relative(back, ag_cast(s, m, k ? AGN_C128 : AGN_C64)));
            agn_tensor *all[] = {m, y[0], y[1], z[0], z[1]};
            for (int i = 0; i < COUNT(all); i++)
                agn_release(all[i]);
        }
        agn_tensor *key = NULL;
        must(agn_arange(&key, AGN_I64, 5, 7, 1));
        const agn_tensor *sk = ag_linalg_clarkson_woodruff(s, key, ag_eye(s, (agn_dtype)dtypes[k], 9, 9, 0), 4);
        const agn_tensor *m9 = ag_concat(s, (const agn_tensor *[]){a, rows_of(s, a, -2, 0, 2)}, 2, -2);
        check(&q, relative(ag_linalg_clarkson_woodruff(s, key, m9, 4), ag_matmul(s, sk, m9)) < tol, "a sketch is s a");
        for (int j = 0; j < 9; j++) {
            int some = 0;
            for (int i = 0; i < 4; i++)
                some += cabs(peekz(sk, i * 9 + j)) == 1 ? 1 : peekz(sk, i * 9 + j) != 0 ? 9 : 0;
            check(&q, some == 1, "one entry in each column");
        }
        must(agn_scope_close(s));
        agn_release(key), agn_release(a), agn_release(b), agn_release(alpha);
    }
    /* a batch that goes on, in large and small, triangular and not: codes and NaN where it failed */
    for (int64_t n = 2; n <= 40; n += 38)
        for (int lanes = 0; lanes < 2; lanes++) {
            int64_t batch = lanes ? 40 : 3;
            agn_tensor *x = random_of(AGN_F64, 3, (int64_t[]){batch, n, n}, 1, 2), *y, *info;
            double *p = NULL;
            void *raw = NULL;
            must(agn_data_mut(&raw, x));
            p = raw;
            for (int64_t i = 0; i < batch; i++)
                for (int64_t j = 0; j < n; j++)
                    p[i * n * n + j * (n + 1)] += (double)(3 * n);
            for (int64_t j = 0; j < n; j++)
                p[n * n + j * n + n - 1] = 0; /* matrix 1: a column of zeros */
            p[2 * n * n + 1] = (double)NAN;
            must(agn_linalg_inv_ex(&y, &info, x));
            check(&q, peek(info, 0) == 0 && peek(info, 1) > 0 && peek(info, 2) == -1 && isfinite(peek(y, 0)) && isnan(peek(y, n * n)) && isnan(peek(y, 2 * n * n)),
                  "inv_ex, order %d: %g %g %g", (int)n, peek(info, 0), peek(info, 1), peek(info, 2));
            agn_release(x), agn_release(y), agn_release(info);
        }
    tell(&q, "damping, complex forms, sketches, batches that go on");
}

/* ---- failures ------------------------------------------------------------------------------------ */

static void test_failures(void)
{
    tally q = {0, 0};
    agn_tensor *o = untouched, *o2 = untouched, *o3 = untouched, *sparse = NULL, *key = NULL;
    agn_tensor *flat = of_reals(AGN_F64, 2, (int64_t[]){2, 3}, (double[6]){1}), *vec = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){1, 2}),
               *eye = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 0, 0, 1}), *nan = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 1, (double)NAN, 1}),
               *sing = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 1, 1, 1}), *minus = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 0, 0, -1}),
               *full = of_reals(AGN_F64, 2, (int64_t[]){3, 3}, (double[]){1, 2, 3, 4, 5, 6, 7, 8, 9}), *three = random_of(AGN_F64, 3, (int64_t[]){3, 2, 2}, 1, 2),
               *two = random_of(AGN_F64, 3, (int64_t[]){2, 2, 2}, 1, 2), *cplx = of_complexes(1, (int64_t[]){2}, (double complex[]){1, 2}),
               *tall = of_reals(AGN_F64, 2, (int64_t[]){3, 1}, (double[]){1, 0, 0}), *one = of_reals(AGN_F64, 2, (int64_t[]){1, 1}, (double[]){1});
    must(agn_sparse_from_dense(&sparse, eye));
    must(agn_arange(&key, AGN_I64, 5, 7, 1));
#define BAD(call, st, op, a, b) check(&q, refused(call, st, op, a, b, o) && o2 == untouched && o3 == untouched, "%s", agn_error_message())
    static const char up[] = "linalg_qr_update", in[] = "linalg_qr_insert", de[] = "linalg_qr_delete", cp[] = "linalg_cholesky_pivoted", co[] = "linalg_complete_orthogonal",
                      sc[] = "linalg_schur_complex", mx[] = "linalg_solve_mixed", cw[] = "linalg_clarkson_woodruff", gc[] = "linalg_ridge_gcv", lc[] = "linalg_ridge_lcurve",
                      sr[] = "linalg_solve_right", rw[] = "linalg_matrix_rank_with", ph[] = "linalg_pinv_hermitian", nw[] = "linalg_matrix_norm_with", cv[] = "linalg_cov_weighted",
                      bw[] = "linalg_bandwidth", is[] = "linalg_is_symmetric", ih[] = "linalg_is_hermitian";
    BAD(agn_linalg_qr_update(NULL, &o2, eye, eye, vec, vec), AGN_ENULL, up, "q1 is", NULL);
    BAD(agn_linalg_qr_update(&o, &o2, eye, eye, vec, NULL), AGN_ENULL, up, "v is", NULL);
    BAD(agn_linalg_qr_update(&o, &o2, flat, eye, vec, vec), AGN_ESHAPE, up, "[2,3]", NULL);
    BAD(agn_linalg_qr_update(&o, &o2, eye, flat, vec, vec), AGN_ESHAPE, up, "sizes", "[2]");
    BAD(agn_linalg_qr_update(&o, &o2, two, three, vec, vec), AGN_ESHAPE, up, "broadcast", NULL);
    BAD(agn_linalg_qr_update(&o, &o2, nan, eye, vec, vec), AGN_EDOMAIN, up, "not finite", "[1,0]");
    BAD(agn_linalg_qr_update(&o, &o2, sparse, eye, vec, vec), AGN_EUNSUPPORTED, up, "sparse", NULL);
    BAD(agn_linalg_qr_insert(&o, NULL, eye, eye, eye, 0, true), AGN_ENULL, in, "r1 is", NULL);
    BAD(agn_linalg_qr_insert(&o, &o2, eye, eye, eye, 3, true), AGN_EARG, in, "at is 3", NULL);
    BAD(agn_linalg_qr_insert(&o, &o2, eye, eye, flat, 0, false), AGN_ESHAPE, in, "[2,3]", NULL);
    BAD(agn_linalg_qr_insert(&o, &o2, tall, one, ((const agn_tensor *)full), 0, true), AGN_ESHAPE, in, "reduced", NULL);
    BAD(agn_linalg_qr_insert(&o, &o2, tall, one, tall, 0, true), AGN_EDOMAIN, in, "dependent", NULL);
    BAD(agn_linalg_qr_insert(&o, &o2, eye, eye, sparse, 0, true), AGN_EUNSUPPORTED, in, "sparse", NULL);
    BAD(agn_linalg_qr_delete(&o, &o2, NULL, eye, 0, 1, true), AGN_ENULL, de, "q is", NULL);
    BAD(agn_linalg_qr_delete(&o, &o2, eye, eye, 1, 2, true), AGN_EARG, de, "2 from 1", NULL);
    BAD(agn_linalg_qr_delete(&o, &o2, eye, eye, -1, 1, true), AGN_EARG, de, "-1", NULL);
    BAD(agn_linalg_qr_delete(&o, &o2, tall, one, 0, 1, false), AGN_EDOMAIN, de, "dependent", NULL);
    BAD(agn_linalg_qr_delete(&o, &o2, tall, eye, 0, 1, false), AGN_ESHAPE, de, "[3,1]", NULL);
    BAD(agn_linalg_qr_delete(&o, &o2, sparse, eye, 0, 1, false), AGN_EUNSUPPORTED, de, "sparse", NULL);
    BAD(agn_linalg_cholesky_pivoted(&o, &o2, NULL, eye, -1, 0), AGN_ENULL, cp, "rank is", NULL);
    BAD(agn_linalg_cholesky_pivoted(&o, &o2, &o3, eye, (double)NAN, 0), AGN_EARG, cp, "tol", NULL);
    BAD(agn_linalg_cholesky_pivoted(&o, &o2, &o3, flat, -1, 0), AGN_ESHAPE, cp, "[2,3]", NULL);
    BAD(agn_linalg_cholesky_pivoted(&o, &o2, &o3, minus, -1, 0), AGN_EDOMAIN, cp, "semidefinite", NULL);
    BAD(agn_linalg_cholesky_pivoted(&o, &o2, &o3, nan, -1, 0), AGN_EDOMAIN, cp, "not finite", "[1,0]");
    BAD(agn_linalg_cholesky_pivoted(&o, &o2, &o3, sparse, -1, 0), AGN_EUNSUPPORTED, cp, "sparse", NULL);
    BAD(agn_linalg_complete_orthogonal(&o, &o2, NULL, eye, 1, -1), AGN_ENULL, co, "vh is", NULL);
    BAD(agn_linalg_complete_orthogonal(&o, &o2, &o3, eye, 3, -1), AGN_EARG, co, "rank of 3", NULL);
    BAD(agn_linalg_complete_orthogonal(&o, &o2, &o3, eye, 1, 1), AGN_EARG, co, "rcond", NULL);
    BAD(agn_linalg_complete_orthogonal(&o, &o2, &o3, vec, 1, -1), AGN_ESHAPE, co, "[2]", NULL);
    BAD(agn_linalg_complete_orthogonal(&o, &o2, &o3, nan, 1, -1), AGN_EDOMAIN, co, "not finite", NULL);
    BAD(agn_linalg_complete_orthogonal(&o, &o2, &o3, sparse, 1, -1), AGN_EUNSUPPORTED, co, "sparse", NULL);
    BAD(agn_linalg_schur_complex(&o, NULL, eye, eye), AGN_ENULL, sc, "z1 is", NULL);
    BAD(agn_linalg_schur_complex(&o, &o2, flat, eye), AGN_ESHAPE, sc, "[2,3]", NULL);
    BAD(agn_linalg_schur_complex(&o, &o2, eye, full), AGN_ESHAPE, sc, "[3,3]", NULL);
    BAD(agn_linalg_schur_complex(&o, &o2, full, full), AGN_EDOMAIN, sc, "quasi-triangular", NULL);
    BAD(agn_linalg_schur_complex(&o, &o2, nan, eye), AGN_EDOMAIN, sc, "not finite", NULL);
    BAD(agn_linalg_schur_complex(&o, &o2, sparse, eye), AGN_EUNSUPPORTED, sc, "sparse", NULL);
    BAD(agn_linalg_solve_mixed(NULL, &o2, eye, vec), AGN_ENULL, mx, "out is", NULL);
    BAD(agn_linalg_solve_mixed(&o, &o2, flat, vec), AGN_ESHAPE, mx, "[2,3]", NULL);
    BAD(agn_linalg_solve_mixed(&o, &o2, two, three), AGN_ESHAPE, mx, "broadcast", NULL);
    BAD(agn_linalg_solve_mixed(&o, &o2, sing, vec), AGN_EDOMAIN, mx, "singular", "pivot 1");
    BAD(agn_linalg_solve_mixed(&o, &o2, nan, vec), AGN_EDOMAIN, mx, "not finite", "[1,0]");
    BAD(agn_linalg_solve_mixed(&o, &o2, sparse, vec), AGN_EUNSUPPORTED, mx, "sparse", NULL);
    BAD(agn_linalg_clarkson_woodruff(&o, NULL, eye, 1), AGN_ENULL, cw, "key is", NULL);
    BAD(agn_linalg_clarkson_woodruff(&o, key, eye, 0), AGN_EARG, cw, "0 rows", NULL);
    BAD(agn_linalg_clarkson_woodruff(&o, key, vec, 1), AGN_ESHAPE, cw, "[2]", NULL);
    BAD(agn_linalg_clarkson_woodruff(&o, vec, eye, 1), AGN_EDTYPE, cw, NULL, NULL);
    BAD(agn_linalg_clarkson_woodruff(&o, key, sparse, 1), AGN_EUNSUPPORTED, cw, "sparse", NULL);
    for (int k = 0; k < 2; k++) {
#define RIDGE(a, b, alpha) (k ? agn_linalg_ridge_lcurve(&o, &o2, &o3, a, b, alpha) : agn_linalg_ridge_gcv(&o, a, b, alpha))
        const char *op = k ? lc : gc;
        BAD(RIDGE(NULL, vec, vec), AGN_ENULL, op, "a is", NULL);
        BAD(RIDGE(eye, flat, eye), AGN_ESHAPE, op, "one axis", NULL);
        BAD(RIDGE(full, vec, vec), AGN_ESHAPE, op, "rows differ", "[3,3]");
        BAD(RIDGE(eye, vec, cplx), AGN_EDTYPE, op, "c128", NULL);
        BAD(RIDGE(nan, vec, vec), AGN_EDOMAIN, op, "not finite", NULL);
        BAD(RIDGE(sparse, vec, vec), AGN_EUNSUPPORTED, op, "sparse", NULL);
        agn_status (*like)(agn_tensor **, const agn_tensor *, double, double) = k ? agn_linalg_is_hermitian : agn_linalg_is_symmetric;
        op = k ? ih : is;
        BAD(like(NULL, eye, 0, 0), AGN_ENULL, op, "out is", NULL);
        BAD(like(&o, eye, -1, 0), AGN_EARG, op, "-1", NULL);
        BAD(like(&o, flat, 0, 0), AGN_ESHAPE, op, "[2,3]", NULL);
        BAD(like(&o, sparse, 0, 0), AGN_EUNSUPPORTED, op, "sparse", NULL);
    }
    BAD(agn_linalg_solve_right(&o, NULL, vec), AGN_ENULL, sr, "a is", NULL);
    BAD(agn_linalg_solve_right(&o, eye, flat), AGN_ESHAPE, sr, "columns differ", "[2,3]");
    BAD(agn_linalg_solve_right(&o, flat, vec), AGN_ESHAPE, sr, "square", NULL);
    BAD(agn_linalg_solve_right(&o, sing, vec), AGN_EDOMAIN, sr, "singular", "pivot 1");
    BAD(agn_linalg_solve_right(&o, sparse, vec), AGN_EUNSUPPORTED, sr, "sparse", NULL);
    BAD(agn_linalg_matrix_rank_with(NULL, eye, NULL, NULL, 0), AGN_ENULL, rw, "out is", NULL);
    BAD(agn_linalg_matrix_rank_with(&o, flat, NULL, NULL, 1), AGN_ESHAPE, rw, "square", NULL);
    BAD(agn_linalg_matrix_rank_with(&o, three, vec, NULL, 0), AGN_ESHAPE, rw, "broadcast", "atol");
    BAD(agn_linalg_matrix_rank_with(&o, eye, NULL, cplx, 0), AGN_EDTYPE, rw, "c128", NULL);
    BAD(agn_linalg_matrix_rank_with(&o, nan, NULL, NULL, 0), AGN_EDOMAIN, rw, "not finite", NULL);
    BAD(agn_linalg_matrix_rank_with(&o, sparse, NULL, NULL, 0), AGN_EUNSUPPORTED, rw, "sparse", NULL);
    BAD(agn_linalg_pinv_hermitian(&o, NULL, -1, 0), AGN_ENULL, ph, "a is", NULL);
    BAD(agn_linalg_pinv_hermitian(&o, flat, -1, 0), AGN_ESHAPE, ph, "[2,3]", NULL);
    BAD(agn_linalg_pinv_hermitian(&o, eye, 1, 0), AGN_EARG, ph, "rcond", NULL);
    BAD(agn_linalg_pinv_hermitian(&o, nan, -1, 0), AGN_EDOMAIN, ph, "not finite", NULL);
    BAD(agn_linalg_pinv_hermitian(&o, sparse, -1, 0), AGN_EUNSUPPORTED, ph, "sparse", NULL);
    BAD(agn_linalg_matrix_norm_with(&o, NULL, AGN_NORM_ONE, 0, 1, 0), AGN_ENULL, nw, "a is", NULL);
    BAD(agn_linalg_matrix_norm_with(&o, eye, AGN_NORM_ONE, 0, -2, 0), AGN_EARG, nw, "axes 0 and -2", NULL);
    BAD(agn_linalg_matrix_norm_with(&o, eye, AGN_NORM_ONE, 2, 0, 0), AGN_EARG, nw, "axes 2 and 0", NULL);
    BAD(agn_linalg_matrix_norm_with(&o, vec, AGN_NORM_ONE, 0, 0, 0), AGN_ESHAPE, nw, "[2]", NULL);
    BAD(agn_linalg_matrix_norm_with(&o, eye, (agn_matrix_norm_kind)9, 0, 1, 0), AGN_EARG, nw, "norm 9", NULL);
    BAD(agn_linalg_matrix_norm_with(&o, nan, AGN_NORM_TWO, 0, 1, 0), AGN_EDOMAIN, nw, "not finite", NULL);
    BAD(agn_linalg_matrix_norm_with(&o, sparse, AGN_NORM_ONE, 0, 1, 0), AGN_EUNSUPPORTED, nw, "sparse", NULL);
    BAD(agn_linalg_cov_weighted(&o, NULL, 1, NULL, NULL), AGN_ENULL, cv, "x is", NULL);
    BAD(agn_linalg_cov_weighted(&o, vec, 1, NULL, NULL), AGN_ESHAPE, cv, "[2]", NULL);
    BAD(agn_linalg_cov_weighted(&o, flat, 1, NULL, vec), AGN_ESHAPE, cv, "[2,3]", "[2]");
    BAD(agn_linalg_cov_weighted(&o, eye, 1, vec, NULL), AGN_EDTYPE, cv, "f64", NULL);
    BAD(agn_linalg_cov_weighted(&o, sparse, 1, NULL, NULL), AGN_EUNSUPPORTED, cv, "sparse", NULL);
    BAD(agn_linalg_bandwidth(&o, NULL, eye), AGN_ENULL, bw, "upper is", NULL);
    BAD(agn_linalg_bandwidth(&o, &o2, vec), AGN_ESHAPE, bw, "[2]", NULL);
    BAD(agn_linalg_bandwidth(&o, &o2, sparse), AGN_EUNSUPPORTED, bw, "sparse", NULL);
    BAD(agn_linalg_pascal_with(&o, AGN_F64, 3, (agn_pascal_kind)3), AGN_EARG, "linalg_pascal_with", "kind 3", NULL);
    BAD(agn_linalg_pascal_with(&o, AGN_I64, 3, AGN_PASCAL_LOWER), AGN_EDTYPE, "linalg_pascal_with", "i64", NULL);
    BAD(agn_linalg_pascal_with(&o, AGN_F64, -1, AGN_PASCAL_LOWER), AGN_ESHAPE, "linalg_pascal_with", "-1", NULL);
    BAD(agn_linalg_pascal_with(NULL, AGN_F64, 1, AGN_PASCAL_LOWER), AGN_ENULL, "linalg_pascal_with", "out is", NULL);
    BAD(agn_linalg_invpascal(&o, AGN_F32, 200, AGN_PASCAL_SYMMETRIC), AGN_EARG, "linalg_invpascal", "range", "f32");
    BAD(agn_linalg_invpascal(&o, AGN_BOOL, 2, AGN_PASCAL_SYMMETRIC), AGN_EDTYPE, "linalg_invpascal", "bool", NULL);
    BAD(agn_linalg_invpascal(&o, AGN_F64, -2, AGN_PASCAL_SYMMETRIC), AGN_ESHAPE, "linalg_invpascal", "-2", NULL);
    BAD(agn_linalg_invpascal(NULL, AGN_F64, 2, AGN_PASCAL_SYMMETRIC), AGN_ENULL, "linalg_invpascal", "out is", NULL);
    BAD(agn_linalg_invhilbert(&o, AGN_F32, 60), AGN_EARG, "linalg_invhilbert", "range", "f32");
    BAD(agn_linalg_invhilbert(&o, AGN_I32, 2), AGN_EDTYPE, "linalg_invhilbert", "i32", NULL);
    BAD(agn_linalg_invhilbert(&o, AGN_F64, -2), AGN_ESHAPE, "linalg_invhilbert", "-2", NULL);
    BAD(agn_linalg_invhilbert(NULL, AGN_F64, 2), AGN_ENULL, "linalg_invhilbert", "out is", NULL);
    BAD(agn_linalg_helmert(&o, AGN_F64, 0, true), AGN_ESHAPE, "linalg_helmert", "0 rows", NULL);
    BAD(agn_linalg_helmert(&o, AGN_C64, 2, true), AGN_EDTYPE, "linalg_helmert", "c64", NULL);
    BAD(agn_linalg_helmert(NULL, AGN_F64, 2, true), AGN_ENULL, "linalg_helmert", "out is", NULL);
    BAD(agn_linalg_fiedler(&o, cplx), AGN_EDTYPE, "linalg_fiedler", "c128", NULL);
    BAD(agn_linalg_fiedler(&o, NULL), AGN_ENULL, "linalg_fiedler", "a is", NULL);
    BAD(agn_linalg_fiedler(&o, sparse), AGN_EUNSUPPORTED, "linalg_fiedler", "sparse", NULL);
    BAD(agn_linalg_fiedler_companion(&o, one), AGN_ESHAPE, "linalg_fiedler_companion", "[1,1]", NULL);
    BAD(agn_linalg_fiedler_companion(&o, NULL), AGN_ENULL, "linalg_fiedler_companion", "a is", NULL);
    BAD(agn_linalg_fiedler_companion(&o, sparse), AGN_EUNSUPPORTED, "linalg_fiedler_companion", "sparse", NULL);
    BAD(agn_linalg_convolution_matrix(&o, vec, 0, AGN_CONVOLUTION_FULL), AGN_EARG, "linalg_convolution_matrix", "0 numbers", NULL);
    BAD(agn_linalg_convolution_matrix(&o, vec, 1, (agn_convolution_part)3), AGN_EARG, "linalg_convolution_matrix", "part 3", NULL);
    BAD(agn_linalg_convolution_matrix(NULL, vec, 1, AGN_CONVOLUTION_FULL), AGN_ENULL, "linalg_convolution_matrix", "out is", NULL);
    BAD(agn_linalg_convolution_matrix(&o, sparse, 1, AGN_CONVOLUTION_FULL), AGN_EUNSUPPORTED, "linalg_convolution_matrix", "sparse", NULL);
    tell(&q, "failures: status, op, two facts, nothing written");
    agn_tensor *all[] = {sparse, key, flat, vec, eye, nan, sing, minus, full, three, two, cplx, tall, one};
    for (int i = 0; i < COUNT(all); i++)
        agn_release(all[i]);
}

/* each function once, results beyond the first dropped */
typedef struct operands {
    int which;
    agn_tensor *spd, *tall, *q, *r, *col, *row, *key, *alpha, *low;
} operands;
enum { MAKERS = 15 };
static agn_status make_one(void *user, agn_tensor **out)
{
    const operands *o = user;
    agn_tensor *y = NULL, *z = NULL;
    agn_status st = AGN_OK;
    switch (o->which) {
    case 0: return agn_linalg_solve(out, o->spd, o->spd);
    case 1: return agn_linalg_solve(out, o->low, o->spd);
    case 2: st = agn_linalg_qr_update(out, &y, o->q, o->r, o->col, o->row); break;
    case 3: st = agn_linalg_qr_insert(out, &y, o->q, o->r, o->spd, 1, false); break;
    case 4: st = agn_linalg_qr_delete(out, &y, o->q, o->r, 1, 1, true); break;
    case 5: st = agn_linalg_cholesky_pivoted(out, &y, &z, o->spd, -1, false); break;
    case 6: st = agn_linalg_complete_orthogonal(out, &y, &z, o->tall, 3, -1); break;
    case 7: st = agn_linalg_solve_mixed(out, &y, o->spd, o->row); break;
    case 8: st = agn_linalg_solve_ex(out, &y, o->spd, o->row); break;
    case 9: st = agn_linalg_cholesky_ex(out, &y, o->spd, true); break;
    case 10: return agn_linalg_cov_weighted(out, o->tall, 1, NULL, o->row);
    case 11: return agn_linalg_clarkson_woodruff(out, o->key, o->tall, 2);
    case 12: st = agn_linalg_ridge_lcurve(out, &y, &z, o->tall, o->col, o->alpha); break;
    case 13: st = agn_linalg_schur_complex(out, &y, o->low, o->spd); break;
    default: return agn_linalg_invpascal(out, AGN_F32, 4, AGN_PASCAL_UPPER);
    }
    agn_release(y);
    agn_release(z);
    return st;
}

static void test_allocations(void)
{
    operands o = {.tall = random_of(AGN_F64, 2, (int64_t[]){5, 3}, -1, 1), .col = random_of(AGN_F64, 1, (int64_t[]){5}, 1, 2),
                  .row = random_of(AGN_F64, 1, (int64_t[]){3}, 1, 2), .alpha = random_of(AGN_F64, 1, (int64_t[]){2}, 1, 2)};
    must(agn_arange(&o.key, AGN_I64, 5, 7, 1));
    must(agn_linalg_qr(&o.q, &o.r, o.tall, false));
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_return(s, &o.spd, ag_add(s, ag_matmul(s, adjoint(s, o.tall), o.tall), ag_eye(s, AGN_F64, 3, 3, 0)));
    agn_scope_return(s, &o.low, ag_eye(s, AGN_F64, 3, 3, 0));
    must(agn_scope_close(s));
    for (o.which = 0; o.which < MAKERS; o.which++)
        every_allocation(make_one, &o, "a function of linear algebra");
    agn_tensor *all[] = {o.spd, o.tall, o.q, o.r, o.col, o.row, o.key, o.alpha, o.low};
    for (int i = 0; i < COUNT(all); i++)
        agn_release(all[i]);
}

int main(void)
{
    test_changes();
    test_ranks();
    test_looking();
    test_values();
    test_compositions();
    test_failures();
    test_modes();
    test_allocations();
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
