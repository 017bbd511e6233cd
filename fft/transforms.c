/* fft/transforms.c - the public transforms: one axis, two, any. A Hermitian transform is that of
   its neighbour on the conjugate, with the factor of the other direction. */
#include "fft/fft.h"

#include <agnesi/ag.h>
#include <agnesi/fft.h>

/* what a public name does */
typedef struct transform {
    const char *op;
    const agni_op *primitive;
    int sign;
    bool inverse;   /* in which of the pair a norm stands */
    bool half;      /* x is a half spectrum */
    bool real;      /* x is real */
    bool conj_in, conj_out;
} transform;

enum { FFT, IFFT, RFFT, IRFFT, HFFT, IHFFT, FAMILY };
#define FAMILY_OF(d)                                                                          \
    {{"fft_fft" d, &agni_op_fft_c2c, -1, false, false, false, false, false},                  \
     {"fft_ifft" d, &agni_op_fft_c2c, 1, true, false, false, false, false},                   \
     {"fft_rfft" d, &agni_op_fft_r2c, -1, false, false, true, false, false},                  \
     {"fft_irfft" d, &agni_op_fft_c2r, 1, true, true, false, false, false},                   \
     {"fft_hfft" d, &agni_op_fft_c2r, 1, false, true, false, true, false},                    \
     {"fft_ihfft" d, &agni_op_fft_r2c, -1, true, false, true, false, true}}
static const transform families[3][FAMILY] = {FAMILY_OF(""), FAMILY_OF("2"), FAMILY_OF("n")};

/* The halved axis is the last one given; the primitive names it first. */
static const agn_tensor *apply_transform(agn_scope *s, const transform *t, const agn_tensor *x,
                                         const agni_fft_axes *a, double scale)
{
    int64_t i[AGNI_MAX_RANK + 2];
    double f[2] = {scale, 1};
    int last = a->count - 1, ni = 0;
    i[ni++] = a->axis[last] - x->ndim;
    if (t->primitive == &agni_op_fft_c2r)
        i[ni++] = a->n[last];
    if (t->primitive == &agni_op_fft_c2c)
        i[ni++] = t->sign;
    for (int k = last - 1; k >= 0; k--)
        i[ni++] = a->axis[k] - x->ndim;
    agni_attr at = {.ni = ni, .i = i, .nf = t->primitive == &agni_op_fft_c2c ? 1 : 2, .f = f};
    return agni_apply_in(s, t->primitive, &at, 1, &x);
}

/* along the last axis of few numbers: true where it is done, with its status */
static bool run_short(agn_tensor **out, const transform *t, const agn_tensor *x, const int64_t *n,
                      const int32_t *axes, int32_t norm, agn_status *st)
{
    if (t->conj_in || t->conj_out || x->ndim < 1 ||
        (axes && *axes != -1 && *axes != x->ndim - 1))
        return false;
    int64_t have = x->shape[x->ndim - 1],
            points = n && *n ? *n : t->half ? 2 * (have - 1) : have;
    bool plain = norm == (t->inverse ? AGN_FFT_FORWARD : AGN_FFT_BACKWARD);
    double scale = plain ? 1 : agni_fft_scale((double)points, norm, t->inverse);
    return agni_fft_run_small(out, t->op, t->primitive, t->sign, x, points, scale, st);
}

static agn_status run_transform(agn_tensor **out, const transform *t, const agn_tensor *x,
                                const int64_t *n, const int32_t *axes, int32_t n_axes, int32_t norm)
{
    agni_fft_axes a;
    if (!out || !x)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", t->op, out ? "x" : "out");
    agn_status st = agni_fft_check_norm(t->op, norm);
    if (!st && n_axes == 1 && run_short(out, t, x, n, axes, norm, &st))
        return st;
    if (!st)
        st = agni_fft_find_axes(&a, t->op, x, n_axes, axes, n, t->half);
    if (!st && t->real && agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        st = agni_fail(AGN_EDTYPE, "%s: x is %s, a real dtype is needed", t->op,
                       agni_dtypes[x->dtype].name);
    if (!st && !a.count && t->primitive != &agni_op_fft_c2c)
        st = agni_fail(AGN_EARG, "%s: no axis of %s is left to halve", t->op, AGNI_SHAPE(x));
    if (st)
        return st;
    double scale = 1;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = x->layout == AGN_DENSE && !t->real ? agni_fft_to_complex(s, x) : x;
    for (int k = 0; y && k < a.count; k++) {
        bool halved = t->half && k == a.count - 1;
        scale *= agni_fft_scale((double)a.n[k], norm, t->inverse);
        if (x->layout == AGN_DENSE)
            y = agni_fft_resize(s, y, a.axis[k], halved ? a.n[k] / 2 + 1 : a.n[k]);
    }
    if (y && t->conj_in)
        y = ag_conj(s, y);
    if (y && a.count)
        y = apply_transform(s, t, y, &a, scale);
    if (y && t->conj_out)
        y = ag_conj(s, y);
    agn_scope_return(s, out, y);
    return agn_scope_close(s);
}

agn_status agn_fft_fft(agn_tensor **out, const agn_tensor *x, int64_t n, int32_t axis, int32_t norm)
{
    return run_transform(out, &families[0][FFT], x, &n, &axis, 1, norm);
}
agn_status agn_fft_fft2(agn_tensor **out, const agn_tensor *x, const int64_t *n,
                        const int32_t *axes, int32_t norm)
{
    return run_transform(out, &families[1][FFT], x, n, axes, 2, norm);
}
agn_status agn_fft_fftn(agn_tensor **out, const agn_tensor *x, const int64_t *n,
                        const int32_t *axes, int32_t n_axes, int32_t norm)
{
    return run_transform(out, &families[2][FFT], x, n, axes, n_axes, norm);
}

agn_status agn_fft_ifft(agn_tensor **out, const agn_tensor *x, int64_t n, int32_t axis,
                        int32_t norm)
{
    return run_transform(out, &families[0][IFFT], x, &n, &axis, 1, norm);
}
agn_status agn_fft_ifft2(agn_tensor **out, const agn_tensor *x, const int64_t *n,
                         const int32_t *axes, int32_t norm)
{
    return run_transform(out, &families[1][IFFT], x, n, axes, 2, norm);
}
agn_status agn_fft_ifftn(agn_tensor **out, const agn_tensor *x, const int64_t *n,
                         const int32_t *axes, int32_t n_axes, int32_t norm)
{
    return run_transform(out, &families[2][IFFT], x, n, axes, n_axes, norm);
}

agn_status agn_fft_rfft(agn_tensor **out, const agn_tensor *x, int64_t n, int32_t axis,
                        int32_t norm)
{
    return run_transform(out, &families[0][RFFT], x, &n, &axis, 1, norm);
}
agn_status agn_fft_rfft2(agn_tensor **out, const agn_tensor *x, const int64_t *n,
                         const int32_t *axes, int32_t norm)
{
    return run_transform(out, &families[1][RFFT], x, n, axes, 2, norm);
}
agn_status agn_fft_rfftn(agn_tensor **out, const agn_tensor *x, const int64_t *n,
                         const int32_t *axes, int32_t n_axes, int32_t norm)
{
    return run_transform(out, &families[2][RFFT], x, n, axes, n_axes, norm);
}

agn_status agn_fft_irfft(agn_tensor **out, const agn_tensor *x, int64_t n, int32_t axis,
                         int32_t norm)
{
    return run_transform(out, &families[0][IRFFT], x, &n, &axis, 1, norm);
}
agn_status agn_fft_irfft2(agn_tensor **out, const agn_tensor *x, const int64_t *n,
                          const int32_t *axes, int32_t norm)
{
    return run_transform(out, &families[1][IRFFT], x, n, axes, 2, norm);
}
agn_status agn_fft_irfftn(agn_tensor **out, const agn_tensor *x, const int64_t *n,
                          const int32_t *axes, int32_t n_axes, int32_t norm)
{
    return run_transform(out, &families[2][IRFFT], x, n, axes, n_axes, norm);
}

agn_status agn_fft_hfft(agn_tensor **out, const agn_tensor *x, int64_t n, int32_t axis,
                        int32_t norm)
{
    return run_transform(out, &families[0][HFFT], x, &n, &axis, 1, norm);
}
agn_status agn_fft_hfft2(agn_tensor **out, const agn_tensor *x, const int64_t *n,
                         const int32_t *axes, int32_t norm)
{
    return run_transform(out, &families[1][HFFT], x, n, axes, 2, norm);
}
agn_status agn_fft_hfftn(agn_tensor **out, const agn_tensor *x, const int64_t *n,
                         const int32_t *axes, int32_t n_axes, int32_t norm)
{
    return run_transform(out, &families[2][HFFT], x, n, axes, n_axes, norm);
}

agn_status agn_fft_ihfft(agn_tensor **out, const agn_tensor *x, int64_t n, int32_t axis,
                         int32_t norm)
{
    return run_transform(out, &families[0][IHFFT], x, &n, &axis, 1, norm);
}
agn_status agn_fft_ihfft2(agn_tensor **out, const agn_tensor *x, const int64_t *n,
                          const int32_t *axes, int32_t norm)
{
    return run_transform(out, &families[1][IHFFT], x, n, axes, 2, norm);
}
agn_status agn_fft_ihfftn(agn_tensor **out, const agn_tensor *x, const int64_t *n,
                          const int32_t *axes, int32_t n_axes, int32_t norm)
{
    return run_transform(out, &families[2][IHFFT], x, n, axes, n_axes, norm);
}
