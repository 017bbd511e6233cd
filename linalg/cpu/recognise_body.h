/* linalg/cpu/recognise_body.h - once per dtype T, with real numbers R: the look of a matrix, and
   solves with a banded factor, row by row of the right-hand sides. */

/* diagonals that hold something; of a full matrix two entries are read */
static void NAME(find_band)(const void *p, int64_t n, int64_t *l, int64_t *u)
{
    const T *a = p;
    *l = *u = 0;
    for (int64_t i = n - 1; i > 0; i--)
        for (int64_t j = 0; j < i - *l; j++)
            if (a[i * n + j] != 0)
                *l = i - j;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = n - 1; j > i + *u; j--)
            if (a[i * n + j] != 0)
                *u = j - i;
}

/* Hermitian to the last bit, with a positive diagonal? Blocks are compared while they lie in a
   cache. */
static bool NAME(looks_positive)(const void *p, int64_t n)
{
    enum { BLOCK = 32 };
    const T *a = p;
    for (int64_t i = 0; i < n; i++)
        if (!(REAL(a[i * (n + 1)]) > 0) || IMAG(a[i * (n + 1)]) != 0)
            return false;
    for (int64_t i = 0; i < n; i += BLOCK)
        for (int64_t j = 0; j <= i; j += BLOCK)
            for (int64_t r = i; r < n && r < i + BLOCK; r++)
                for (int64_t c = j; c < r && c < j + BLOCK; c++)
                    if (a[r * n + c] != CONJ(a[c * n + r]))
                        return false;
    return true;
}

static void NAME(add_row)(T *x, int64_t to, int64_t from, T factor, int64_t k)
{
    for (int64_t c = 0; c < k; c++)
        x[to * k + c] -= factor * x[from * k + c];
}
static void NAME(swap_rows)(T *x, int64_t i, int64_t j, int64_t k)
{
    for (int64_t c = 0; i != j && c < k; c++) {
        T t = x[i * k + c];
        x[i * k + c] = x[j * k + c];
        x[j * k + c] = t;
    }
}
static void NAME(divide_row)(T *x, int64_t i, T by, int64_t k)
{
    for (int64_t c = 0; c < k; c++)
        x[i * k + c] /= by;
}

/* entry [i, j] of a factor of gbtrf: l + u diagonals above the main one, multipliers below */
#define ENTRY(i, j) (con ? CONJ(f[(j)*high + l + u + (i) - (j)]) : f[(j)*high + l + u + (i) - (j)])
static bool NAME(solve_band)(int64_t n, int64_t k, int64_t l, int64_t u, const void *factor,
                             const int32_t *piv, int64_t step, int64_t form, void *right)
{
    const T *f = factor;
    T *x = right;
    const int64_t high = 2 * l + u + 1, wide = l + u;
    const bool con = form & AGNI_FORM_CONJUGATE;
    for (int64_t j = 0; j < n; j++)
        if (piv[j * step] < j + 1 || piv[j * step] > n || piv[j * step] > j + 1 + l)
            return false;
    if (form & AGNI_FORM_TRANSPOSED) {
        for (int64_t j = 0; j < n; j++) {
            for (int64_t i = j > wide ? j - wide : 0; i < j; i++)
                NAME(add_row)(x, j, i, ENTRY(i, j), k);
            NAME(divide_row)(x, j, ENTRY(j, j), k);
        }
        for (int64_t j = n - 1; j >= 0; j--) {
            for (int64_t i = j + 1; i <= j + l && i < n; i++)
                NAME(add_row)(x, j, i, ENTRY(i, j), k);
            NAME(swap_rows)(x, j, piv[j * step] - 1, k);
        }
        return true;
    }
    for (int64_t j = 0; j < n; j++) {
        NAME(swap_rows)(x, j, piv[j * step] - 1, k);
        for (int64_t i = j + 1; i <= j + l && i < n; i++)
            NAME(add_row)(x, i, j, ENTRY(i, j), k);
    }
    for (int64_t j = n - 1; j >= 0; j--) {
        NAME(divide_row)(x, j, ENTRY(j, j), k);
        for (int64_t i = j > wide ? j - wide : 0; i < j; i++)
            NAME(add_row)(x, i, j, ENTRY(i, j), k);
    }
    return true;
}
#undef ENTRY
#undef NAME
#undef T
#undef REAL
#undef IMAG
#undef CONJ
