/* sparse/iterative/preconditioner_body.h - incomplete factors on the pattern of a matrix, and
   inverses of diagonal blocks, for one type T. CONJ is the identity for a real one. */

/* L U = A on the pattern, row by row; L has ones on its diagonal (Saad 2003, 10.3.2). Gives the row
   without a pivot, or -1. */
static int64_t NAME(factor_ilu0)(const agni_rows *a, const int64_t *diag, T *v, int64_t *at)
{
    for (int64_t i = 0; i < a->n; i++)
        at[i] = -1;
    for (int64_t i = 0; i < a->n; i++) {
        int64_t lo = a->indptr[i], hi = a->indptr[i + 1];
        for (int64_t e = lo; e < hi; e++)
            at[a->index[e]] = e;
        for (int64_t e = lo; e < hi && a->index[e] < i; e++) {
            int64_t k = a->index[e];
            T c = v[e] /= v[diag[k]];
            for (int64_t f = diag[k] + 1; f < a->indptr[k + 1]; f++)
                if (at[a->index[f]] >= 0)
                    v[at[a->index[f]]] -= c * v[f];
        }
        for (int64_t e = lo; e < hi; e++)
            at[a->index[e]] = -1;
        if (diag[i] < 0 || !(ABS(v[diag[i]]) > 0) || !isfinite(ABS(v[diag[i]])))
            return i;
    }
    return -1;
}

static void NAME(solve_ilu0)(const agni_rows *a, const int64_t *diag, const T *v, bool adjoint,
                             T *x)
{
    int64_t n = a->n;
    if (!adjoint) {
        for (int64_t i = 0; i < n; i++) {
            T sum = x[i];
            for (int64_t e = a->indptr[i]; e < diag[i]; e++)
                sum -= v[e] * x[a->index[e]];
            x[i] = sum;
        }
        for (int64_t i = n - 1; i >= 0; i--) {
            T sum = x[i];
            for (int64_t e = diag[i] + 1; e < a->indptr[i + 1]; e++)
                sum -= v[e] * x[a->index[e]];
            x[i] = sum / v[diag[i]];
        }
        return;
    }
    for (int64_t i = 0; i < n; i++) { /* U^H, by columns of it */
        T c = x[i] /= CONJ(v[diag[i]]);
        for (int64_t e = diag[i] + 1; e < a->indptr[i + 1]; e++)
            x[a->index[e]] -= CONJ(v[e]) * c;
    }
    for (int64_t i = n - 1; i >= 0; i--)
        for (int64_t e = a->indptr[i]; e < diag[i]; e++)
            x[a->index[e]] -= CONJ(v[e]) * x[i];
}

/* L L^H = A on the lower pattern (Meijerink & van der Vorst 1977), with the diagonal times 1 +
   shift; what lies above the diagonal is not read. Gives the row that is not positive, or -1. */
static int64_t NAME(factor_ic0)(const agni_rows *a, const int64_t *diag, double shift, T *v)
{
    for (int64_t i = 0; i < a->n; i++) {
        if (diag[i] < 0)
            return i;
        for (int64_t e = a->indptr[i]; e <= diag[i]; e++) {
            int64_t k = a->index[e], f = a->indptr[k], g = a->indptr[i];
            T sum = k == i ? REAL(v[e]) * (1 + shift) : v[e];
            while (g < e && f < diag[k]) { /* rows i and k before column k */
                int64_t p = a->index[g], q = a->index[f];
                if (p == q)
                    sum -= v[g] * CONJ(v[f]);
                g += p <= q;
                f += q <= p;
            }
            if (k < i)
                v[e] = sum / v[diag[k]];
            else if (!(REAL(sum) > 0) || !isfinite(REAL(sum)))
                return i;
            else
                v[e] = sqrt(REAL(sum));
        }
    }
    return -1;
}

static void NAME(solve_ic0)(const agni_rows *a, const int64_t *diag, const T *v, T *x)
{
    for (int64_t i = 0; i < a->n; i++) {
        T sum = x[i];
        for (int64_t e = a->indptr[i]; e < diag[i]; e++)
            sum -= v[e] * x[a->index[e]];
        x[i] = sum / v[diag[i]];
    }
    for (int64_t i = a->n - 1; i >= 0; i--) {
        x[i] /= v[diag[i]];
        for (int64_t e = a->indptr[i]; e < diag[i]; e++)
            x[a->index[e]] -= CONJ(v[e]) * x[i];
    }
}

/* to[m, m] = inverse of w[m, m], which is used up, by Gauss-Jordan steps with the largest pivot of
   a column; false where it is singular */
static bool NAME(invert_block)(int64_t m, T *w, T *to)
{
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < m; j++)
            to[i * m + j] = i == j;
    for (int64_t c = 0; c < m; c++) {
        int64_t p = c;
        for (int64_t i = c + 1; i < m; i++)
            if (ABS(w[i * m + c]) > ABS(w[p * m + c]))
                p = i;
        T pivot = w[p * m + c];
        if (!(ABS(pivot) > 0) || !isfinite(ABS(pivot)))
            return false;
        for (int64_t j = 0; j < m; j++) {
            T u = w[p * m + j], v = to[p * m + j];
            w[p * m + j] = w[c * m + j];
            to[p * m + j] = to[c * m + j];
            w[c * m + j] = u / pivot;
            to[c * m + j] = v / pivot;
        }
        for (int64_t i = 0; i < m; i++) {
            T f = w[i * m + c];
            if (i == c || f == 0)
                continue;
            for (int64_t j = 0; j < m; j++) {
                w[i * m + j] -= f * w[c * m + j];
                to[i * m + j] -= f * to[c * m + j];
            }
        }
    }
    return true;
}

/* inverses of the blocks of b rows, b * b numbers each; gives the first row of a singular one */
static int64_t NAME(invert_blocks)(const agni_rows *a, int64_t b, const T *v, T *inverse, T *w)
{
    for (int64_t lo = 0; lo < a->n; lo += b, inverse += b * b) {
        int64_t m = lo + b < a->n ? b : a->n - lo;
        for (int64_t i = 0; i < m * m; i++)
            w[i] = 0;
        for (int64_t i = 0; i < m; i++)
            for (int64_t e = a->indptr[lo + i]; e < a->indptr[lo + i + 1]; e++)
                if (a->index[e] >= lo && a->index[e] < lo + m)
                    w[i * m + a->index[e] - lo] = v[e];
        if (!NAME(invert_block)(m, w, inverse))
            return lo;
    }
    return -1;
}

static void NAME(multiply_blocks)(const agni_rows *a, int64_t b, const T *inverse, bool adjoint,
                                  T *x, T *w)
{
    for (int64_t lo = 0; lo < a->n; lo += b, inverse += b * b) {
        int64_t m = lo + b < a->n ? b : a->n - lo;
        for (int64_t i = 0; i < m; i++) {
            T sum = 0;
            for (int64_t j = 0; j < m; j++)
                sum += (adjoint ? CONJ(inverse[j * m + i]) : inverse[i * m + j]) * x[lo + j];
            w[i] = sum;
        }
        for (int64_t i = 0; i < m; i++)
            x[lo + i] = w[i];
    }
}

static agn_status NAME(factor_matrix)(agni_precondition *m, const char *op, const T *values)
{
    const agni_rows *a = &m->a;
    size_t bytes = (size_t)a->indptr[a->n] * sizeof(T);
    int64_t bad = -1;
    T *v = m->numbers;
    switch (m->kind) {
    case AGN_PRECONDITION_ILU0:
        if (bytes)
            memcpy(v, values, bytes);
        bad = NAME(factor_ilu0)(a, m->diag, v, m->at);
        break;
    case AGN_PRECONDITION_IC0:
        for (double shift = 0; shift < 1; shift = shift > 0 ? 4 * shift : 1e-3) { /* Manteuffel 1980 */
            if (bytes)
                memcpy(v, values, bytes);
            bad = NAME(factor_ic0)(a, m->diag, shift, v);
            if (bad < 0)
                break;
        }
        break;
    default:
        bad = NAME(invert_blocks)(a, m->block, values, v, m->work);
    }
    return bad < 0 ? AGN_OK
                   : agni_fail(AGN_EDOMAIN,
                               "%s: the preconditioner has no pivot in row %lld of %lld", op,
                               (long long)bad, (long long)a->n);
}

static void NAME(apply_factor)(const agni_precondition *m, bool adjoint, T *x)
{
    switch (m->kind) {
    case AGN_PRECONDITION_ILU0:
        NAME(solve_ilu0)(&m->a, m->diag, m->numbers, adjoint, x);
        break;
    case AGN_PRECONDITION_IC0:
        NAME(solve_ic0)(&m->a, m->diag, m->numbers, x);
        break;
    default:
        NAME(multiply_blocks)(&m->a, m->block, m->numbers, adjoint, x, m->work);
    }
}
