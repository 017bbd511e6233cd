/* linalg/functions/cpu/gees.c - what rests on the Schur form (gees): Sylvester's equation (Bartels
   & Stewart 1972; trsyl), square roots (Bjorck & Hammarling 1983), logarithms (inverse scaling and
   squaring, Kenney & Laub 1989; Al-Mohy & Higham 2012) and signs (Higham 2008, algorithm 5.5) of
   matrices. */
#include "linalg/cpu/lapack_calls.h"

#include <string.h>

enum { SHARED_VALUE = -4, SINGULAR = -5, NOT_REAL = -6 };

typedef struct schur_job {
    const agn_kernel_call *c;
    int dtype;
    int64_t m, n, bytes, work;
    enum { ROOT, LOGARITHM, SIGN } function;
} schur_job;

/* a becomes its Schur form, v its vectors; values (as double complex) in w. spare: 2 n numbers */
lapack_int agni_run_gees(int dtype, int64_t order, void *a, void *v, double complex *w, char *spare,
                         void *work, int64_t lwork)
{
    const int col = LAPACK_COL_MAJOR;
    lapack_int n = (lapack_int)order, lw = (lapack_int)lwork, none = 0, code;
    void *one = spare, *two = spare + order * agni_dtypes[dtype].bytes;
    code = AGNI_BY_FIELD(
        dtype,
        LAPACKE_sgees_work(col, 'V', 'N', NULL, n, a, n, &none, one, two, v, n, work, lw, NULL),
        LAPACKE_dgees_work(col, 'V', 'N', NULL, n, a, n, &none, one, two, v, n, work, lw, NULL),
        LAPACKE_cgees_work(col, 'V', 'N', NULL, n, a, n, &none, one, v, n, work, lw, two, NULL),
        LAPACKE_zgees_work(col, 'V', 'N', NULL, n, a, n, &none, one, v, n, work, lw, two, NULL));
    bool pairs = agni_kind(dtype) != AGNI_KIND_COMPLEX;
    for (int64_t i = 0; w && i < order; i++)
        w[i] = pairs ? agni_join_parts(creal(agni_number_get(dtype, one, i)),
                                       creal(agni_number_get(dtype, two, i)))
                     : agni_number_get(dtype, one, i);
    return code;
}

int64_t agni_ask_gees(int dtype, int64_t n)
{
    double complex none = 0, asked = 0;
    char *nowhere = (char *)&none; /* a query reads and writes the work alone */
    const int col = LAPACK_COL_MAJOR;
    lapack_int N = (lapack_int)n, first = 0, code;
    void *p = nowhere;
    code = AGNI_BY_FIELD(
        dtype,
        LAPACKE_sgees_work(col, 'V', 'N', NULL, N, p, N, &first, p, p, p, N, (void *)&asked, -1,
                           NULL),
        LAPACKE_dgees_work(col, 'V', 'N', NULL, N, p, N, &first, p, p, p, N, (void *)&asked, -1,
                           NULL),
        LAPACKE_cgees_work(col, 'V', 'N', NULL, N, p, N, &first, p, p, N, (void *)&asked, -1, p,
                           NULL),
        LAPACKE_zgees_work(col, 'V', 'N', NULL, N, p, N, &first, p, p, N, &asked, -1, p, NULL));
    return code ? -1 : agni_lapack_asked(dtype, &asked);
}

/* ---- a x + x b = c ---------------------------------------------------------------- */

/* Memory by rows is the transpose: b^T y + y a^T = c^T with y = x^T [n, m]; in the bases of the
   Schur forms s = u^H b^T u and t = v^H a^T v it is s z + z t = u^H c^T v */
static int64_t solve_sylvester(void *user, int64_t i, char *room)
{
    const schur_job *q = user;
    const agn_array *y = q->c->out;
    int64_t m = q->m, n = q->n, most = m > n ? m : n, z = q->bytes;
    char *t = room, *v = t + agni_room_of(m * m * z), *s = v + agni_room_of(m * m * z),
         *u = s + agni_room_of(n * n * z), *f = u + agni_room_of(n * n * z),
         *g = f + agni_room_of(m * n * z), *spare = g + agni_room_of(m * n * z),
         *work = spare + agni_room_of(2 * most * z);
    double complex *wa = (double complex *)(void *)(work + agni_room_of(q->work * z)), *wb = wa + m;
    bool good = agni_matrix_copy_finite(t, agni_matrix_at(q->c->in, y, i), m, m, q->dtype);
    good = agni_matrix_copy_finite(s, agni_matrix_at(q->c->in + 1, y, i), n, n, q->dtype) && good;
    good = agni_matrix_copy_finite(f, agni_matrix_at(q->c->in + 2, y, i), m, n, q->dtype) && good;
    if (!good)
        return AGNI_NOT_FINITE;
    double norm = 0, least = (double)INFINITY;
    for (int64_t k = 0; k < m * m; k++)
        norm = fmax(norm, cabs(agni_number_get(q->dtype, t, k)));
    for (int64_t k = 0; k < n * n; k++)
        norm = fmax(norm, cabs(agni_number_get(q->dtype, s, k)));
    lapack_int code = agni_run_gees(q->dtype, m, t, v, wa, spare, work, q->work);
    code = code ? code : agni_run_gees(q->dtype, n, s, u, wb, spare, work, q->work);
    if (code)
        return code < 0 ? AGNI_LAPACK_REFUSED : code;
    for (int64_t a = 0; a < m; a++)
        for (int64_t b = 0; b < n; b++)
            least = fmin(least, cabs(wa[a] + wb[b]));
    if (least <= 8 * (double)(m + n) * agni_eps_of(q->dtype) * norm)
        return SHARED_VALUE;
    agni_multiply_columns(q->dtype, CblasConjTrans, CblasNoTrans, n, m, n, u, f, g);
    agni_multiply_columns(q->dtype, CblasNoTrans, CblasNoTrans, n, m, m, g, v, f);
    lapack_int N = (lapack_int)n, M = (lapack_int)m;
    const int col = LAPACK_COL_MAJOR;
    double scale = 1;
    float scale32 = 1;
    code = AGNI_BY_FIELD(q->dtype,
                         LAPACKE_strsyl_work(col, 'N', 'N', 1, N, M, (void *)s, N, (void *)t, M,
                                             (void *)f, N, &scale32),
                         LAPACKE_dtrsyl_work(col, 'N', 'N', 1, N, M, (void *)s, N, (void *)t, M,
                                             (void *)f, N, &scale),
                         LAPACKE_ctrsyl_work(col, 'N', 'N', 1, N, M, (void *)s, N, (void *)t, M,
                                             (void *)f, N, &scale32),
                         LAPACKE_ztrsyl_work(col, 'N', 'N', 1, N, M, (void *)s, N, (void *)t, M,
                                             (void *)f, N, &scale));
    if (code)
        return code < 0 ? AGNI_LAPACK_REFUSED : SHARED_VALUE;
    char *to = (char *)y->data + i * m * n * z;
    agni_multiply_columns(q->dtype, CblasNoTrans, CblasNoTrans, n, m, n, u, f, g);
    agni_multiply_columns(q->dtype, CblasNoTrans, CblasConjTrans, n, m, m, g, v, to);
    scale *= (double)scale32;
    for (int64_t k = 0; scale != 1 && k < m * n; k++)
        agni_number_set(q->dtype, to, k, agni_number_get(q->dtype, to, k) / scale);
    return 0;
}

agn_status agni_cpu_sylvester(const agn_kernel_call *c)
{
    const agn_array *y = c->out;
    schur_job q = {.c = c,
                   .dtype = y->dtype,
                   .m = y->shape[y->ndim - 2],
                   .n = y->shape[y->ndim - 1],
                   .bytes = agni_dtypes[y->dtype].bytes};
    int64_t batch = agni_batch_count(y, 2), at = 0, most = q.m > q.n ? q.m : q.n;
    if (!batch || !q.m || !q.n)
        return AGN_OK;
    if ((q.work = agni_ask_gees(q.dtype, most)) < 0)
        return agni_lapack_failed(c, AGNI_LAPACK_REFUSED, 0, batch, 0, "");
    int64_t room = agni_overread_room(q.dtype, most) +
                   2 * (agni_room_of(q.m * q.m * q.bytes) + agni_room_of(q.n * q.n * q.bytes) +
                        agni_room_of(q.m * q.n * q.bytes)) +
                   agni_room_of(2 * most * q.bytes) + agni_room_of(q.work * q.bytes) +
                   (q.m + q.n) * 16;
    int64_t code = agni_each_with_room(batch, most, room, solve_sylvester, &q, &at);
    if (code == AGNI_NOT_FINITE)
        return agni_refuse_not_finite(c, c->out, at);
    if (code == SHARED_VALUE)
        return agni_fail(AGN_EDOMAIN,
                         "%s: matrix %lld of %lld: a and -b share an eigenvalue up to rounding",
                         c->op, (long long)at, (long long)batch);
    return code ? agni_lapack_failed(c, code, at, batch, room, "eigenvalues") : AGN_OK;
}

/* ---- functions of triangular matrices, columns first ------------------------------ */

#define T(i, j) t[(j) * n + (i)]
#define R(i, j) r[(j) * n + (i)]

/* r r = t with values of r in the right half plane */
static int64_t square_root(const double complex *t, double complex *r, int64_t n)
{
    memset(r, 0, (size_t)(n * n) * sizeof *r);
    for (int64_t j = 0; j < n; j++) {
        R(j, j) = csqrt(T(j, j));
        for (int64_t i = j - 1; i >= 0; i--) {
            double complex sum = T(i, j), d = R(i, i) + R(j, j);
            for (int64_t k = i + 1; k < j; k++)
                sum -= R(i, k) * R(k, j);
            if (d == 0 && sum != 0)
                return SINGULAR;
            R(i, j) = d == 0 ? 0 : sum / d;
        }
    }
    return 0;
}

/* r r = 1 and r t = t r; the values of t have a sign */
static void triangular_sign(const double complex *t, double complex *r, int64_t n)
{
    memset(r, 0, (size_t)(n * n) * sizeof *r);
    for (int64_t j = 0; j < n; j++) {
        R(j, j) = creal(T(j, j)) > 0 ? 1 : -1;
        for (int64_t i = j - 1; i >= 0; i--) {
            const double complex two = R(i, i) + R(j, j), apart = T(i, i) - T(j, j);
            double complex sum = two == 0 ? T(i, j) * (R(i, i) - R(j, j)) : 0;
            for (int64_t k = i + 1; k < j; k++)
                sum += two == 0 ? R(i, k) * T(k, j) - T(i, k) * R(k, j) : -R(i, k) * R(k, j);
            R(i, j) = sum / (two == 0 ? apart : two);
        }
    }
}

static double one_norm(const double complex *t, int64_t n, bool less_identity)
{
    double most = 0;
    for (int64_t j = 0; j < n; j++) {
        double sum = 0;
        for (int64_t i = 0; i < n; i++)
            sum += cabs(T(i, j) - (less_identity && i == j));
        most = sum > most || sum != sum ? sum : most;
    }
    return most;
}

/* the largest norm of the blocks along the diagonal of a matrix that is 0 below them: eigenvalues
   know nothing of what lies above */
static double block_norm(const double complex *t, int64_t n)
{
    double most = 0;
    for (int64_t from = 0, to; from < n; from = to) {
        to = from + 1;
        for (int64_t j = from; j < to; j++)
            for (int64_t i = n - 1; i >= to; i--)
                if (T(i, j) != 0)
                    to = i + 1;
        for (int64_t j = from; j < to; j++) {
            double sum = 0;
            for (int64_t i = from; i < to; i++)
                sum += cabs(T(i, j));
            most = sum > most || sum != sum ? sum : most;
        }
    }
    return most;
}

/* the exponent of a norm far from 1, where algorithms for eigenvalues take small numbers for 0 even
   beside smaller ones, rounded to an even one; else 0 */
static int even_exponent(double norm)
{
    int e = 0;
    frexp(norm, &e);
    return norm > 0 && isfinite(norm) && (e > 300 || e < -300) ? e / 2 * 2 : 0;
}

/* e^z - 1 */
static double complex less_one(double complex z)
{
    double a = creal(z), b = cimag(z), h = sin(b / 2);
    return agni_join_parts(expm1(a) * cos(b) - 2 * h * h, exp(a) * sin(b));
}

/* log t = 2^s log(t^(1/2^s)); of 1 + e with |e| <= 1/4 by Gauss and Legendre's rule for the
   integral of e (1 + x e)^-1 over [0, 1], which is the diagonal Pade approximant. t is overwritten,
   room: 3 n^2 */
static int64_t triangular_logarithm(double complex *t, double complex *y, double complex *room,
                                    int64_t n)
{
    static const double node[] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                  0.9602898564975362};
    static const double weight[] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                    0.1012285362903763};
    double complex *r = room, *e = r + n * n, *d = e + n * n, one = 1;
    int s = 0;
    for (int64_t i = 0; i < n; i++)
        d[i] = clog(T(i, i));
    for (; one_norm(t, n, true) > 0.25; s++) {
        if (s == 1000 || square_root(t, r, n))
            return SINGULAR;
        memcpy(t, r, (size_t)(n * n) * sizeof *t);
    }
    for (int64_t i = 0; i < n; i++)
        T(i, i) = less_one(d[i] * ldexp(1, -s));
    memset(y, 0, (size_t)(n * n) * sizeof *y);
    for (int k = 0; k < 8; k++) {
        double x = (1 + (k % 2 ? -1 : 1) * node[k / 2]) / 2, w = weight[k / 2] / 2;
        memcpy(e, t, (size_t)(n * n) * sizeof *e);
        for (int64_t j = 0; j < n * n; j++)
            r[j] = x * t[j] + (j / n == j % n);
        cblas_ztrsm(CblasColMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, (int)n,
                    (int)n, &one, r, (int)n, e, (int)n);
        for (int64_t j = 0; j < n * n; j++)
            y[j] += w * e[j];
    }
    for (int64_t j = 0; j < n * n; j++)
        y[j] *= ldexp(1, s);
    for (int64_t i = 0; i < n; i++)
        y[i * (n + 1)] = d[i];
    return 0;
}

/* f(a) = q f(t) q^H in double complex. A lower triangle is taken as its transpose, so that values
   of triangular matrices are exact; of others a value below n eps |a|, of the blocks along their
   diagonal, is not known from 0. balance: first scale rows and columns */
static int64_t evaluate(const schur_job *q, int64_t i, char *room, bool balance)
{
    int64_t n = q->n, nn = n * n;
    agni_lapack_matrix a = agni_matrix_at(q->c->in, q->c->in, i);
    double complex *t = (double complex *)(void *)room, *v = t + nn, *y = v + nn, *r = y + nn,
                   *w = r + 3 * nn;
    char *to = (char *)q->c->out->data + i * nn * q->bytes;
    if (!agni_matrix_copy_finite(to, a, n, n, q->dtype))
        return AGNI_NOT_FINITE;
    bool lower = true, upper = true, real = agni_kind(q->dtype) != AGNI_KIND_COMPLEX;
    for (int64_t k = 0; k < nn; k++) {
        bool none = agni_number_get(q->dtype, to, k) == 0;
        lower = lower && (none || k / n >= k % n);
        upper = upper && (none || k / n <= k % n);
    }
    for (int64_t k = 0; k < nn; k++) /* rows of a lower triangle are columns of an upper one */
        t[lower ? k : k % n * n + k / n] = agni_number_get(q->dtype, to, k);
    const bool exact = lower || upper;
    const int e = exact ? 0 : even_exponent(block_norm(t, n));
    for (int64_t k = 0; e && k < nn; k++)
        t[k] = agni_scale_parts(t[k], -e);
    double *power = (double *)(void *)(w + 3 * n + q->work);
    lapack_int low = 0, high = 0, order = (lapack_int)n;
    const bool sign = q->function == SIGN;
    if (balance &&
        LAPACKE_zgebal_work(LAPACK_COL_MAJOR, 'S', order, (void *)t, order, &low, &high, power))
        return AGNI_LAPACK_REFUSED;
    const double norm = one_norm(t, n, false), known = block_norm(t, n);
    lapack_int code = agni_run_gees(AGN_C128, n, t, v, w, (char *)(w + n), w + 3 * n, q->work);
    if (code)
        return code < 0 ? AGNI_LAPACK_REFUSED : code;
    double eps = agni_eps_of(q->dtype), none = exact ? 0 : 4 * (double)n * eps * known,
           turned = exact ? 0 : 8 * (double)n * 0x1p-52 * known, least = (double)INFINITY;
    for (int64_t k = 0; k < n; k++) {
        least = fmin(least, sign ? fabs(creal(w[k])) : cabs(w[k]));
        if (real && !sign && creal(w[k]) < 0 && cabs(w[k]) > none && fabs(cimag(w[k])) <= turned)
            return NOT_REAL;
    }
    if (q->function != ROOT && least <= none)
        return SINGULAR;
    if (sign)
        triangular_sign(t, y, n);
    int64_t bad = sign                       ? 0
                  : q->function == LOGARITHM ? triangular_logarithm(t, y, r, n)
                                             : square_root(t, y, n);
    if (bad)
        return bad;
    double size = one_norm(y, n, false);
    /* the square of a root that is much larger than a loses half of the digits of a, a sign half of
       its own where a value may be off by that part of its distance from the axis */
    const double lost = q->function == ROOT ? (double)n * size * size / norm : size * norm / least;
    if (!isfinite(size) || (q->function != LOGARITHM && !exact && lost * eps > sqrt(eps)))
        return SINGULAR;
    agni_multiply_columns(AGN_C128, CblasNoTrans, CblasNoTrans, n, n, n, v, y, r);
    agni_multiply_columns(AGN_C128, CblasNoTrans, CblasConjTrans, n, n, n, r, v, y);
    double most = 0, off = 0;
    for (int64_t k = 0; k < nn; k++) {
        most = fmax(most, cabs(y[k]));
        off = fmax(off, fabs(cimag(y[k])));
    }
    if (real && off > 10 * sqrt((double)n * eps) * most)
        return sign ? SINGULAR : NOT_REAL;
    for (int64_t k = 0; balance && k < nn; k++)
        y[k] *= power[k % n] / power[k / n];
    for (int64_t k = 0; k < nn; k++) {
        double complex f = y[lower ? k : k % n * n + k / n];
        if (e && q->function == ROOT)
            f = agni_scale_parts(f, e / 2);
        else if (e && !sign && k % (n + 1) == 0)
            f += e * 0.69314718055994530942;
        agni_number_set(q->dtype, to, k, f);
    }
    return 0;
}

/* balanced, a graded matrix may have a sign that is known */
static int64_t apply_function(void *user, int64_t i, char *room)
{
    const schur_job *q = user;
    const int64_t code = evaluate(q, i, room, false);
    return q->function == SIGN && code == SINGULAR ? evaluate(q, i, room, true) : code;
}

static agn_status run_function(const agn_kernel_call *c, int function)
{
    const agn_array *x = c->in;
    schur_job q = {.c = c,
                   .dtype = x->dtype,
                   .n = x->shape[x->ndim - 1],
                   .bytes = agni_dtypes[x->dtype].bytes,
                   .function = function};
    int64_t batch = agni_batch_count(x, 2), at = 0;
    if (!batch || !q.n)
        return AGN_OK;
    if ((q.work = agni_ask_gees(AGN_C128, q.n)) < 0)
        return agni_lapack_failed(c, AGNI_LAPACK_REFUSED, 0, batch, 0, "");
    int64_t room = (6 * q.n * q.n + 5 * q.n + q.work) * 16;
    int64_t code = agni_each_with_room(batch, q.n, room, apply_function, &q, &at);
    if (code == AGNI_NOT_FINITE)
        return agni_not_finite(c->op, q.dtype, agni_matrix_at(x, x, at), q.n, at, 0);
    if (code == SINGULAR)
        return agni_fail(AGN_EDOMAIN,
                         "%s: matrix %lld of %lld has none up to rounding: an eigenvalue is %s",
                         c->op, (long long)at, (long long)batch,
                         function == SIGN ? "on the imaginary axis" : "0");
    if (code == NOT_REAL)
        return agni_fail(
            AGN_EDOMAIN,
            "%s: matrix %lld of %lld has none that is real: a real eigenvalue is negative; make it "
            "complex",
            c->op, (long long)at, (long long)batch);
    return code ? agni_lapack_failed(c, code, at, batch, room, "eigenvalues") : AGN_OK;
}

agn_status agni_cpu_sqrtm(const agn_kernel_call *c)
{
    return run_function(c, ROOT);
}
agn_status agni_cpu_logm(const agn_kernel_call *c)
{
    return run_function(c, LOGARITHM);
}
agn_status agni_cpu_signm(const agn_kernel_call *c)
{
    return run_function(c, SIGN);
}
