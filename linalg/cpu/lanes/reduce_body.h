/* linalg/cpu/lanes/reduce_body.h - Hermitian matrices to real tridiagonal form and others to real
   bidiagonal form by reflectors (Householder 1958; Golub & Kahan 1965), in lanes, for the numbers
   bound by number.h. A reflector is 1 - tau v v^H with v = (1, ...), tau as of LAPACK's larfg. */

#ifndef AGNI_COMPLEX_LANES
#undef ROUNDING
#define ROUNDING PICK(0x1p-52, 0x1p-23)

/* the power of 2 that brings the largest of n numbers to about 1, and its reciprocal */
AGNI_INLINE VEC FN(scale_of)(const REAL *a, int64_t n, VEC *back, IVEC *bad)
{
    VEC most = SPLAT(0), sum = SPLAT(0);
    for (int64_t i = 0; i < n; i++) {
        VEC x = LOAD(a + i * LANES);
        sum += x * SPLAT(0);
        most = FN(agni_least)(most, ABS(x));
    }
    *bad |= sum != SPLAT(0);
    IVEC e = 2 * BIAS - (IVEC)((UVEC)most >> MANT), low = e < 1;
    e = (e & ~low) | (low & 1);
    IVEC high = e > 2 * BIAS;
    e = (e & ~high) | (high & 2 * BIAS);
    VEC scale = (VEC)(e << MANT);
    *back = SPLAT(1) / scale;
    return scale;
}
#endif

AGNI_INLINE void NF(set_identity)(REAL *v, int64_t n)
{
    for (int64_t i = 0; i < n * n; i++)
        PUT(v + i * WIDTH, NF(of_real)(SPLAT(i / n == i % n)));
}

/* adding 0 makes 0 of -0, which a rotation by nothing may turn */
AGNI_INLINE void NF(scale_all)(REAL *a, int64_t n, VEC scale)
{
    for (int64_t i = 0; i < n * (WIDTH / LANES); i++)
        STORE(a + i * LANES, LOAD(a + i * LANES) * scale + SPLAT(0));
}

/* the triangle that counts, on both sides of the diagonal, times a power of 2; what undoes that */
AGNI_INLINE VEC NF(mirror_and_scale)(REAL *a, bool upper, int64_t n, IVEC *bad)
{
#define A(i, j) (a + ((i) * n + (j)) * WIDTH)
    for (int64_t i = 0; i < n; i++) { /* the other triangle may hold anything */
        const NUM x = GET(A(i, i));
        *bad |= NF(imaginary_part)(x) * SPLAT(0) != SPLAT(0);
        PUT(A(i, i), NF(of_real)(NF(real_part)(x)));
        for (int64_t j = 0; j < i; j++)
            PUT(upper ? A(i, j) : A(j, i), NF(conjugate)(GET(upper ? A(j, i) : A(i, j))));
    }
    VEC back, scale = FN(scale_of)(a, n * n * (WIDTH / LANES), &back, bad);
    NF(scale_all)(a, n * n, scale);
    return back;
}

/* ---- reflectors -------------------------------------------------------------------------- */

/* x, count numbers a step apart, becomes v, and (1 - tau v v^H)^H times it (beta, 0, ...) */
AGNI_INLINE NUM NF(make_reflector)(REAL *x, int64_t step, int64_t count, REAL *beta)
{
    const NUM alpha = GET(x), none = NF(of_real)(SPLAT(0)), one = NF(of_real)(SPLAT(1));
    const VEC top = NF(real_part)(alpha), side = NF(imaginary_part)(alpha);
    VEC sum = side * side;
    for (int64_t i = 1; i < count; i++)
        sum = NF(plus_square)(GET(x + i * step * WIDTH), sum);
    /* what is smaller is nothing beside the largest entry, 1; its square may have lost digits */
    const IVEC some = sum > SPLAT(PICK(0x1p-900, 0x1p-90));
    const VEC norm = FN(agni_sqrt)(FMA(top, top, sum)), b = FN(agni_with_sign)(norm, -top);
    const NUM less = NF(minus)(alpha, NF(of_real)(b)),
              r = NF(reciprocal)(NF(choose)(some, less, one)),
              t = NF(over_real)(less, SELECT(some, -b, SPLAT(1)));
    PUT(x, one);
    for (int64_t i = 1; i < count; i++) {
        REAL *at = x + i * step * WIDTH;
        PUT(at, NF(choose)(some, NF(times)(GET(at), r), none));
    }
    STORE(beta, SELECT(some, b, top));
    return NF(choose)(some, t, none);
}

/* rows r of len numbers, `rows` of them `lead` apart: r - tau (v^H r) v */
AGNI_INLINE void NF(reflect_some_rows)(REAL *r, int64_t lead, const REAL *v, int64_t step,
                                       int64_t len, NUM tau, const int rows)
{
    NUM sum[4];
    AGNI_UNROLL
    for (int k = 0; k < rows; k++)
        sum[k] = NF(of_real)(SPLAT(0));
    for (int64_t i = 0; i < len; i++) {
        const NUM x = GET(v + i * step * WIDTH);
        AGNI_UNROLL
        for (int k = 0; k < rows; k++)
            sum[k] = NF(plus_adjoint)(x, GET(r + (k * lead + i) * WIDTH), sum[k]);
    }
    AGNI_UNROLL
    for (int k = 0; k < rows; k++)
        sum[k] = NF(times)(sum[k], tau);
    for (int64_t i = 0; i < len; i++) {
        const NUM x = GET(v + i * step * WIDTH);
        AGNI_UNROLL
        for (int k = 0; k < rows; k++) {
            REAL *at = r + (k * lead + i) * WIDTH;
            PUT(at, NF(less)(x, sum[k], GET(at)));
        }
    }
}
AGNI_INLINE void NF(reflect_rows)(REAL *r, int64_t lead, int64_t rows, const REAL *v, int64_t step,
                                  int64_t len, NUM tau)
{
    int64_t j = 0;
    for (; j + 4 <= rows; j += 4)
        NF(reflect_some_rows)(r + j * lead * WIDTH, lead, v, step, len, tau, 4);
    for (; j < rows; j++)
        NF(reflect_some_rows)(r + j * lead * WIDTH, lead, v, step, len, tau, 1);
}

/* columns c of the same, `columns` of them side by side: c - tau (v^T c) conj(v) */
AGNI_INLINE void NF(reflect_some_columns)(REAL *c, int64_t lead, const REAL *v, int64_t step,
                                          int64_t len, NUM tau, const int columns)
{
    NUM sum[4];
    AGNI_UNROLL
    for (int k = 0; k < columns; k++)
        sum[k] = NF(of_real)(SPLAT(0));
    for (int64_t i = 0; i < len; i++) {
        const NUM x = GET(v + i * step * WIDTH);
        AGNI_UNROLL
        for (int k = 0; k < columns; k++)
            sum[k] = NF(less)(x, GET(c + (i * lead + k) * WIDTH), sum[k]);
    }
    AGNI_UNROLL
    for (int k = 0; k < columns; k++)
        sum[k] = NF(times)(sum[k], tau);
    for (int64_t i = 0; i < len; i++) {
        const NUM x = GET(v + i * step * WIDTH);
        AGNI_UNROLL
        for (int k = 0; k < columns; k++) {
            REAL *at = c + (i * lead + k) * WIDTH;
            PUT(at, NF(plus_adjoint)(x, sum[k], GET(at)));
        }
    }
}
AGNI_INLINE void NF(reflect_columns)(REAL *c, int64_t lead, int64_t columns, const REAL *v,
                                     int64_t step, int64_t len, NUM tau)
{
    int64_t j = 0;
    for (; j + 4 <= columns; j += 4)
        NF(reflect_some_columns)(c + j * WIDTH, lead, v, step, len, tau, 4);
    for (; j < columns; j++)
        NF(reflect_some_columns)(c + j * WIDTH, lead, v, step, len, tau, 1);
}

/* rows of v [n, n] are the columns of the product of the reflectors that lie in the columns of a
   below the diagonal, rows `lead` apart */
AGNI_INLINE void NF(multiply_reflectors)(const REAL *a, int64_t lead, int64_t n, const REAL *tau,
                                         REAL *v)
{
    NF(set_identity)(v, n);
    for (int64_t k = n - 2; k >= 0; k--)
        NF(reflect_rows)(v + (k + 1) * (n + 1) * WIDTH, n, n - k - 1,
                         a + ((k + 1) * lead + k) * WIDTH, lead, n - k - 1, GET(tau + k * WIDTH));
}

/* ---- forms ------------------------------------------------------------------------------- */

/* a (lower triangle, scaled) becomes tridiagonal: d [n], e [n - 1]; reflectors stay below */
AGNI_INLINE void NF(reduce_to_tridiagonal)(REAL *a, int64_t n, REAL *d, REAL *e, REAL *tau)
{
    REAL p[AGNI_LANES_ORDER * WIDTH] __attribute__((aligned(64)));
    const NUM none = NF(of_real)(SPLAT(0));
    for (int64_t k = 0; k < n - 1; k++) {
        const NUM t = NF(make_reflector)(A(k + 1, k), n, n - k - 1, e + k * LANES),
                  turned = NF(minus)(none, t);
        STORE(d + k * LANES, NF(real_part)(GET(A(k, k))));
        PUT(tau + k * WIDTH, t);
        /* p = t a v, by the lower triangle: at first -a v */
        for (int64_t i = k + 1; i < n; i++)
            PUT(p + i * WIDTH, none);
        for (int64_t i = k + 1; i < n; i++) {
            const NUM v = GET(A(i, k));
            NUM dot = NF(less)(GET(A(i, i)), v, none);
            for (int64_t j = k + 1; j < i; j++) {
                const NUM x = GET(A(i, j));
                dot = NF(less)(x, GET(A(j, k)), dot);
                PUT(p + j * WIDTH, NF(less_adjoint)(v, x, GET(p + j * WIDTH)));
            }
            PUT(p + i * WIDTH, NF(plus)(GET(p + i * WIDTH), dot));
        }
        NUM inner = none;
        for (int64_t i = k + 1; i < n; i++) {
            const NUM x = NF(times)(GET(p + i * WIDTH), turned);
            PUT(p + i * WIDTH, x);
            inner = NF(plus_adjoint)(x, GET(A(i, k)), inner);
        }
        inner = NF(times)(inner, NF(scaled)(t, SPLAT(0.5)));
        for (int64_t i = k + 1; i < n; i++)
            PUT(p + i * WIDTH, NF(less)(inner, GET(A(i, k)), GET(p + i * WIDTH)));
        for (int64_t i = k + 1; i < n; i++) { /* a -= v p^H + p v^H */
            const NUM v = GET(A(i, k)), w = GET(p + i * WIDTH);
            for (int64_t j = k + 1; j <= i; j++)
                PUT(A(i, j), NF(less_adjoint)(v, GET(p + j * WIDTH),
                                              NF(less_adjoint)(w, GET(A(j, k)), GET(A(i, j)))));
        }
    }
    STORE(d + (n - 1) * LANES, NF(real_part)(GET(A(n - 1, n - 1))));
#undef A
}

/* a [n, m], m >= n, holds the columns of a matrix in its rows, which becomes bidiagonal: d [n],
   e [n - 1] above it. Left reflectors stay in the rows from the diagonal on, right ones, of its
   adjoint, in the columns below */
AGNI_INLINE void NF(reduce_to_bidiagonal)(REAL *a, int64_t m, int64_t n, REAL *d, REAL *e,
                                          REAL *left, REAL *right)
{
    for (int64_t k = 0; k < n; k++) {
        REAL *row = a + k * (m + 1) * WIDTH, *under = row + m * WIDTH;
        NUM t = NF(make_reflector)(row, 1, m - k, d + k * LANES);
        PUT(left + k * WIDTH, t);
        NF(reflect_rows)(under, m, n - k - 1, row, 1, m - k, NF(conjugate)(t));
        if (k == n - 1)
            break;
        for (int64_t j = 0; j < n - k - 1; j++)
            PUT(under + j * m * WIDTH, NF(conjugate)(GET(under + j * m * WIDTH)));
        t = NF(make_reflector)(under, m, n - k - 1, e + k * LANES);
        PUT(right + k * WIDTH, t);
        NF(reflect_columns)(under + WIDTH, m, m - k - 1, under, m, n - k - 1, t);
    }
}

/* the left reflectors in a become their product's first n columns, in rows */
AGNI_INLINE void NF(form_columns)(REAL *a, int64_t m, int64_t n, const REAL *left)
{
    const NUM none = NF(of_real)(SPLAT(0)), one = NF(of_real)(SPLAT(1));
    for (int64_t k = n - 1; k >= 0; k--) {
        REAL *row = a + k * (m + 1) * WIDTH;
        const NUM t = GET(left + k * WIDTH), turned = NF(minus)(none, t);
        for (int64_t j = k + 1; j < n; j++)
            PUT(a + (j * m + k) * WIDTH, none);
        NF(reflect_rows)(row + m * WIDTH, m, n - k - 1, row, 1, m - k, t);
        for (int64_t i = 1; i < m - k; i++)
            PUT(row + i * WIDTH, NF(times)(GET(row + i * WIDTH), turned));
        PUT(row, NF(minus)(one, t));
    }
}
