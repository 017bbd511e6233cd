/* t-fft-method - transforms known by what they do (Ergun 1995; FFTW's own check): linearity, an
   impulse beside noise, a shift of time. Every length to 200, primes, 2^k and its neighbours;
   complex, real and inverse ones, in f32 and f64. M8. */
#include "tests/laws.h"

#include <complex.h>

#define PI 3.14159265358979323846264338327950288

typedef double complex number;

/* a transform of numbers on the host, n at a time */
static void transform(number *out, const number *x, int64_t n, int dtype, int inverse)
{
    agn_tensor *a = NULL, *y = NULL, *wide = NULL, *narrow = NULL;
    must(agn_from_host(&a, AGN_C128, 1, &n, x));
    must(agn_cast(&narrow, a, dtype));
    must(inverse ? agn_fft_ifft(&y, narrow, 0, -1, AGN_FFT_FORWARD)
                 : agn_fft_fft(&y, narrow, 0, -1, AGN_FFT_BACKWARD));
    must(agn_cast(&wide, y, AGN_C128));
    memcpy(out, agn_data(wide), (size_t)n * sizeof *out);
    agn_tensor *all[] = {a, y, wide, narrow};
    for (int i = 0; i < 4; i++)
        agn_release(all[i]);
}

static void draw(number *x, int64_t n, int dtype)
{
    for (int64_t i = 0; i < n; i++) {
        double re = rnd_in(-0.5, 0.5), im = rnd_in(-0.5, 0.5);
        x[i] = dtype == AGN_C64 ? z_of((double)(float)re, (double)(float)im) : z_of(re, im);
    }
}

/* |x - y| / |y| */
static double apart(const number *x, const number *y, int64_t n)
{
    double off = 0, size = 0;
    for (int64_t i = 0; i < n; i++) {
        off += pow(cabs(x[i] - y[i]), 2);
        size += pow(cabs(y[i]), 2);
    }
    return sqrt(off / size);
}

static double turn_of(int64_t a, int64_t n) /* 2 pi a / n, a reduced */
{
    return 2 * PI * (double)(a % n) / (double)n;
}

static double worst[2];

static void try_length(tally *q, int64_t n, int dtype)
{
    number *v = room_for((size_t)(7 * n) * sizeof *v);
    number *x = v, *y = v + n, *z = v + 2 * n, *fx = v + 3 * n, *fy = v + 4 * n, *fz = v + 5 * n,
           *want = v + 6 * n;
    double eps = dtype == AGN_C64 ? 0x1p-24 : 0x1p-53, bound = eps * 12 * sqrt(1 + log2((double)n));
    for (int inverse = 0; inverse < 2; inverse++) {
        double sign = inverse ? 1 : -1, error[3];
        draw(x, n, dtype);
        draw(y, n, dtype);
        transform(fx, x, n, dtype, inverse);
        transform(fy, y, n, dtype, inverse);
        number a = z_of(0.75, -0.5),
               b = z_of(-1.25, 0.25); /* of few bits: products round little */
        for (int64_t i = 0; i < n; i++) {
            z[i] = a * x[i] + b * y[i];
            want[i] = a * fx[i] + b * fy[i];
        }
        transform(fz, z, n, dtype, inverse);
        error[0] = apart(fz, want, n);
        /* noise, and an impulse less noise: together a row of ones */
        for (int64_t i = 0; i < n; i++) {
            z[i] = (i == 0) - x[i];
            want[i] = 1 - fx[i];
        }
        transform(fz, z, n, dtype, inverse);
        error[1] = apart(fz, want, n);
        int64_t by = 1 + rnd_below(n);
        for (int64_t i = 0; i < n; i++) {
            z[(i + by) % n] = x[i];
            want[i] = fx[i] * cexp(z_of(0, sign * turn_of(i * (by % n), n)));
        }
        transform(fz, z, n, dtype, inverse);
        error[2] = apart(fz, want, n);
        static const char *const law[] = {"linear", "an impulse", "a shift"};
        for (int k = 0; k < 3; k++) {
            check(q, error[k] < bound, "%d points, %s, %s: %g of %g", (int)n,
                  inverse ? "inverse" : "forward", law[k], error[k], bound);
            worst[dtype == AGN_C64] = fmax(worst[dtype == AGN_C64], error[k] / eps);
        }
    }
    free(v);
}

/* the half of a real transform is that of the complex one, which is known by now, and goes back */
static void try_real(tally *q, int64_t n, int dtype)
{
    agn_tensor *x = random_of(dtype, 1, &n, -1, 1), *half = NULL, *whole = NULL, *part = NULL,
               *back = NULL, *h = NULL, *off = NULL, *most = NULL;
    double eps = dtype == AGN_F32 ? 0x1p-24 : 0x1p-53,
           bound = eps * 16 * sqrt((double)n * (1 + log2((double)n)));
    int64_t bins = n / 2 + 1;
    must(agn_fft_rfft(&half, x, 0, -1, AGN_FFT_BACKWARD));
    must(agn_fft_fft(&whole, x, 0, -1, AGN_FFT_BACKWARD));
    must(agn_slice(&part, whole, 1, (int64_t[]){0}, &bins, NULL));
    must(agn_fft_irfft(&back, half, n, -1, AGN_FFT_BACKWARD));
    must(agn_fft_hfft(&h, half, n, -1, AGN_FFT_FORWARD));
    for (int k = 0; k < 3; k++) {
        agn_tensor *a = k == 0   ? half
                        : k == 1 ? back
                                 : h,
                   *b = k == 0 ? part : x, *turned = NULL, *d = NULL;
        if (k == 2) { /* of a spectrum as if it were a signal: the signal in reverse, over n */
            must(agn_flip(&turned, x, (int32_t[]){0}, 1));
            must(agn_roll(&d, turned, (int64_t[]){1}, (int32_t[]){0}, 1));
            agn_release(turned);
            b = d;
        }
        must(agn_sub(&off, a, b));
        agn_tensor *size = NULL;
        must(agn_abs(&size, off));
        must(agn_max(&most, size, NULL, 0, false));
        double error = peek(most, 0);
        check(q, error <= bound, "%d points, real, %s: %g of %g", (int)n, k ? "back" : "half",
              error, bound);
        agn_tensor *all[] = {off, size, most, d};
        for (int i = 0; i < 4; i++)
            agn_release(all[i]);
    }
    agn_tensor *all[] = {x, half, whole, part, back, h};
    for (int i = 0; i < 6; i++)
        agn_release(all[i]);
}

static void try_both(tally *q, int64_t n)
{
    try_length(q, n, AGN_C128);
    try_length(q, n, AGN_C64);
    try_real(q, n, AGN_F64);
    try_real(q, n, AGN_F32);
}

/* Long transforms go by rows and columns: a batch of them, by rows that lie apart,
   is each line for itself, to the bit, with any number of threads. */
static void try_lines(tally *q, int64_t n, int dtype)
{
    agn_tensor *x = NULL, *y = NULL, *odd = NULL, *line = NULL, *one = NULL, *same = NULL;
    x = random_of(dtype, 2, (int64_t[]){5, n}, -1, 1);
    must(agn_slice(&odd, x, 2, (int64_t[]){0, 0}, (int64_t[]){5, n}, (int64_t[]){2, 1}));
    must(agn_fft_fft(&y, odd, 0, -1, AGN_FFT_ORTHO));
    for (int64_t k = 0; k < 3; k++) {
        must(agn_index_axis(&line, x, 0, 2 * k));
        must(agn_fft_fft(&one, line, 0, -1, AGN_FFT_ORTHO));
        must(agn_threads_set(1));
        must(agn_fft_fft(&same, line, 0, -1, AGN_FFT_ORTHO));
        must(agn_threads_set(0));
        size_t bytes = (size_t)n * (dtype == AGN_C64 ? 8 : 16);
        check(q, memcmp((const char *)agn_data(y) + (size_t)k * bytes, agn_data(one), bytes) == 0 &&
                     memcmp(agn_data(one), agn_data(same), bytes) == 0,
              "line %d of %d points, dtype %d", (int)k, (int)n, dtype);
        agn_tensor *all[] = {line, one, same};
        for (int i = 0; i < 3; i++)
            agn_release(all[i]);
    }
    agn_release(x);
    agn_release(y);
    agn_release(odd);
}

int main(void)
{
    /* by rows and columns; their lengths have every radix of the passes */
    static const int64_t longs[] = {4096, 1 << 13, 5376, 6400, 17920, 1 << 17, 360000, 1 << 19};
    static const int64_t primes[] = {211,  251,  257,  331,  509,  521, 769,
                                     1009, 1021, 2003, 3001, 4099, 8191};
    tally p = {0, 0}, q = {0, 0}, r = {0, 0};
    for (int64_t n = 1; n <= 200; n++)
        try_both(&p, n);
    tell(&p, "every length to 200");
    for (int k = 0; k < COUNT(primes); k++)
        try_both(&q, primes[k]);
    tell(&q, "primes");
    for (int k = 8; k <= 13; k++)
        for (int64_t by = -1; by <= 1; by++)
            try_both(&r, (1 << k) + by);
    tell(&r, "powers of two and their neighbours");
    tally l = {0, 0};
    for (int k = 0; k < COUNT(longs); k++)
        for (int wide = 0; wide < 2; wide++) {
            try_length(&l, longs[k], wide ? AGN_C128 : AGN_C64);
            try_real(&l, 2 * longs[k], wide ? AGN_F64 : AGN_F32);
            try_lines(&l, longs[k], wide ? AGN_C128 : AGN_C64);
        }
    tell(&l, "long ones, by rows and columns");
    diag("largest errors: %.1f eps in f64, %.1f in f32", worst[0], worst[1]);
    return done();
}
