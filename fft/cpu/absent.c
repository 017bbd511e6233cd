/* fft/cpu/absent.c - kernels of a build without FFTW: they refuse. */
#include "fft/fft.h"

static agn_status fail_without_fftw(const agn_kernel_call *c)
{
    return agni_fail(AGN_EUNSUPPORTED,
                     "%s: this library was built without FFTW (%d arguments)", c->op,
                     c->n_in);
}
agn_status agni_cpu_r2c(const agn_kernel_call *c)
{
    return fail_without_fftw(c);
}
agn_status agni_cpu_c2r(const agn_kernel_call *c)
{
    return fail_without_fftw(c);
}
agn_status agni_cpu_c2c(const agn_kernel_call *c)
{
    return fail_without_fftw(c);
}
agn_status agni_cpu_r2r(const agn_kernel_call *c)
{
    return fail_without_fftw(c);
}
agn_status agni_cpu_stft(const agn_kernel_call *c)
{
    return fail_without_fftw(c);
}
agn_status agni_cpu_stft_adjoint(const agn_kernel_call *c)
{
    return fail_without_fftw(c);
}
agn_status agni_cpu_stft_both(const agn_kernel_call *c)
{
    return fail_without_fftw(c);
}
agn_status agni_cpu_stft_both_adjoint(const agn_kernel_call *c)
{
    return fail_without_fftw(c);
}

bool agni_fft_run_small(agn_tensor **out, const char *name, const agni_op *op, int sign,
                        const agn_tensor *x, int64_t n, double scale, agn_status *st)
{
    (void)out, (void)name, (void)op, (void)sign, (void)x, (void)n, (void)scale, (void)st;
    return false; /* the long way refuses */
}

static agn_status fail_without_wisdom(const char *op)
{
    return agni_fail(AGN_EUNSUPPORTED, "%s: this library was built without FFTW (%d plans)", op, 0);
}
agn_status agni_fft_set_effort(const char *op, int effort, double seconds)
{
    (void)effort;
    (void)seconds;
    return fail_without_wisdom(op);
}
agn_status agni_fft_add_wisdom(const char *op, char *const text[2])
{
    (void)text;
    return fail_without_wisdom(op);
}
agn_status agni_fft_get_wisdom(const char *op, char *text[2])
{
    (void)text;
    return fail_without_wisdom(op);
}
void agni_fft_drop_wisdom(char *text[2])
{
    (void)text;
}
