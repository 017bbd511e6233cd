/* tensor/vector/cpu/vector_kernels_body.h - sums and combinations of vectors over [lo, hi), for one
   real type R. NAME(x, r) is for real elements, NAME(x, c) for complex ones as pairs. Partial
   sums are as many as fit registers; they depend on lo and hi alone. */

static agni_z NAME(dot, r)(const void *px, const void *py, int64_t lo, int64_t hi)
{
    const R *x = px, *y = py;
    double part[WIDE] = {0}, sum = 0;
    int64_t i = lo;
    for (; i + WIDE <= hi; i += WIDE)
        for (int k = 0; k < WIDE; k++)
            part[k] += (double)x[i + k] * (double)y[i + k];
    for (; i < hi; i++)
        sum += (double)x[i] * (double)y[i];
    for (int k = 0; k < WIDE; k++)
        sum += part[k];
    return sum;
}

/* conj(x) y */
static agni_z NAME(dot, c)(const void *px, const void *py, int64_t lo, int64_t hi)
{
    const R *x = px, *y = py;
    double re[WIDE / 2] = {0}, im[WIDE / 2] = {0}, a = 0, b = 0;
    int64_t i = lo;
    for (; i + WIDE / 2 <= hi; i += WIDE / 2)
        for (int k = 0; k < WIDE / 2; k++) {
            const R *u = x + 2 * (i + k), *v = y + 2 * (i + k);
            re[k] += (double)u[0] * (double)v[0] + (double)u[1] * (double)v[1];
            im[k] += (double)u[0] * (double)v[1] - (double)u[1] * (double)v[0];
        }
    for (; i < hi; i++) {
        const R *u = x + 2 * i, *v = y + 2 * i;
        a += (double)u[0] * (double)v[0] + (double)u[1] * (double)v[1];
        b += (double)u[0] * (double)v[1] - (double)u[1] * (double)v[0];
    }
    for (int k = 0; k < WIDE / 2; k++) {
        a += re[k];
        b += im[k];
    }
    return make_complex(a, b);
}

/* y = a x + b y; y is not read where b is 0 */
static void NAME(mix, r)(agni_z za, const void *px, agni_z zb, void *py, int64_t lo, int64_t hi)
{
    const R *x = px, a = (R)creal(za), b = (R)creal(zb);
    R *y = py;
    if (b == 0)
        for (int64_t i = lo; i < hi; i++)
            y[i] = a * x[i];
    else if (b == 1)
        for (int64_t i = lo; i < hi; i++)
            y[i] += a * x[i];
    else
        for (int64_t i = lo; i < hi; i++)
            y[i] = a * x[i] + b * y[i];
}

static void NAME(mix, c)(agni_z za, const void *px, agni_z zb, void *py, int64_t lo, int64_t hi)
{
    const R *x = px, ar = (R)creal(za), ai = (R)cimag(za), br = (R)creal(zb), bi = (R)cimag(zb);
    R *y = py;
    for (int64_t i = 2 * lo; i < 2 * hi; i += 2) {
        R re = ar * x[i] - ai * x[i + 1], im = ar * x[i + 1] + ai * x[i];
        if (zb != 0) {
            R u = y[i], v = y[i + 1];
            re += br * u - bi * v;
            im += br * v + bi * u;
        }
        y[i] = re;
        y[i + 1] = im;
    }
}

/* largest |part|, NaN where there is one; n counts parts */
static double NAME(largest, r)(const void *px, int64_t n)
{
    const R *x = px;
    R most = 0;
    bool nan = false;
    for (int64_t i = 0; i < n; i++) {
        R v = x[i] < 0 ? -x[i] : x[i];
        most = v > most ? v : most;
        nan |= v != v;
    }
    return nan ? (double)NAN : (double)most;
}
