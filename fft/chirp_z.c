/* fft/chirp_z.c - chirp z-transform by Bluestein's algorithm (Rabiner, Schafer & Rader 1969):
   j k = (j^2 + k^2 - (k - j)^2) / 2, so that a transform is a convolution with a chirp. */
#include "fft/fft.h"

#include <agnesi/ag.h>
#include <math.h>

#define PI 3.14159265358979323846264338327950288L

/* points of the z-plane a w^-k: logarithms of the moduli, angles in turns, of w perhaps num /
   den */
typedef struct spiral {
    double log_w, turn_w, log_a, turn_a;
    int64_t den; /* not 0: the turn of w is -1 / den exactly */
} spiral;

/* w^(k^2 / 2) to the power sign, times a^(-by k), as a pair */
static void chirp_at(const spiral *z, int64_t k, int sign, int by, double *to)
{
    long double kk = (long double)k * (long double)k / 2, turn;
    if (z->den) /* k^2 / (2 den) modulo 1, exactly */
        turn = -(long double)(k * k % (2 * z->den)) / (long double)(2 * z->den); /* k < 2^30 */
    else
        turn = fmodl(kk * (long double)z->turn_w, 1);
    turn = sign * turn - fmodl(by * (long double)k * (long double)z->turn_a, 1);
    long double size = expl(sign * kk * (long double)z->log_w -
                            by * (long double)k * (long double)z->log_a);
    to[0] = (double)(size * cosl(2 * PI * turn));
    to[1] = (double)(size * sinl(2 * PI * turn));
}

static const agn_tensor *make_chirp(agn_scope *s, const spiral *z, int dtype, int64_t n, int sign,
                                    int by)
{
    double *v = agn_scope_status(s) ? NULL : agni_alloc((size_t)n * 2 * sizeof *v);
    if (!v) {
        if (!agn_scope_status(s))
            agn_scope_fail(s, agni_nomem("fft_czt", (size_t)n * 2 * sizeof *v));
        return NULL;
    }
    for (int64_t k = 0; k < n; k++)
        chirp_at(z, k, sign, by, v + 2 * k);
    const agn_tensor *y = agni_fft_constant(s, dtype, n, v);
    agni_free(v);
    return y;
}

/* the chirp of the convolution from 1 - n to m - 1, the negative part at the end of length
   points */
static const agn_tensor *make_kernel(agn_scope *s, const spiral *z, int dtype, int64_t n, int64_t m,
                                     int64_t length)
{
    double *v = agn_scope_status(s) ? NULL : agni_zalloc((size_t)length * 2 * sizeof *v);
    if (!v) {
        if (!agn_scope_status(s))
            agn_scope_fail(s, agni_nomem("fft_czt", (size_t)length * 2 * sizeof *v));
        return NULL;
    }
    for (int64_t k = 0; k < m; k++)
        chirp_at(z, k, -1, 0, v + 2 * k);
    for (int64_t k = 1; k < n; k++)
        chirp_at(z, k, -1, 0, v + 2 * (length - k));
    const agn_tensor *y = agni_fft_constant(s, dtype, length, v);
    agni_free(v);
    return y ? ag_fft_fft(s, y, 0, -1, AGN_FFT_BACKWARD) : NULL;
}

static agn_status transform_spiral(agn_tensor **out, const char *op, const agn_tensor *x, int64_t m,
                                   const spiral *z, int d)
{
    int64_t n = x->shape[d];
    if (n < 1 || m < 1 || n > INT32_MAX / 4 || m > INT32_MAX / 4)
        return agni_fail(AGN_EARG,
                         "%s: %lld points from %lld entries along axis %d; both are from 1 to "
                         "2^29 - 1",
                         op, (long long)m, (long long)n, d);
    int64_t length = agni_fft_fast_length(n + m - 1);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = agni_fft_to_complex(s, x);
    y = y ? agni_move_axis(s, y, d, -1) : NULL;
    int dtype = y ? y->dtype : AGN_C128;
    y = ag_mul(s, y, make_chirp(s, z, dtype, n, 1, 1));
    y = ag_fft_fft(s, y, length, -1, AGN_FFT_BACKWARD);
    y = ag_mul(s, y, make_kernel(s, z, dtype, n, m, length));
    y = ag_fft_ifft(s, y, 0, -1, AGN_FFT_BACKWARD);
    if (y)
        y = agni_fft_resize(s, y, y->ndim - 1, m);
    y = ag_mul(s, y, make_chirp(s, z, dtype, m, 1, 0));
    y = y ? agni_move_axis(s, y, -1, d) : NULL;
    return agni_return(op, s, out, y);
}

static void read_point(const double *p, double *log_r, double *turn)
{
    *log_r = log(hypot(p[0], p[1]));
    *turn = (double)(atan2l((long double)p[1], (long double)p[0]) / (2 * PI));
}

agn_status agn_fft_czt(agn_tensor **out, const agn_tensor *x, int64_t m, const double *w,
                       const double *a, int32_t axis)
{
    int d;
    spiral z = {0};
    if (!out || !x)
        return agni_fail(AGN_ENULL, "fft_czt: %s is NULL", out ? "x" : "out");
    agn_status st = agni_axis("fft_czt", axis, x->ndim, &d);
    if (st)
        return st;
    if (!m)
        m = x->shape[d];
    if (w)
        read_point(w, &z.log_w, &z.turn_w);
    else
        z.den = m;
    if (a)
        read_point(a, &z.log_a, &z.turn_a);
    if (!isfinite(z.log_w) || !isfinite(z.turn_w) || !isfinite(z.log_a) || !isfinite(z.turn_a))
        return agni_fail(AGN_EARG, "fft_czt: w is %g%+gi, a %g%+gi; they are finite and not 0",
                         w ? w[0] : 1, w ? w[1] : 0, a ? a[0] : 1, a ? a[1] : 0);
    return transform_spiral(out, "fft_czt", x, m, &z, d);
}

agn_status agn_fft_zoom(agn_tensor **out, const agn_tensor *x, int64_t m, double from, double to,
                        int32_t axis)
{
    int d;
    if (!out || !x)
        return agni_fail(AGN_ENULL, "fft_zoom: %s is NULL", out ? "x" : "out");
    agn_status st = agni_axis("fft_zoom", axis, x->ndim, &d);
    if (st)
        return st;
    if (!isfinite(from) || !isfinite(to))
        return agni_fail(AGN_EARG, "fft_zoom: from %g to %g; both are finite", from, to);
    if (!m)
        m = x->shape[d];
    spiral z = {.turn_w = m > 0 ? -(to - from) / (double)m : 0, .turn_a = from};
    return transform_spiral(out, "fft_zoom", x, m, &z, d);
}
