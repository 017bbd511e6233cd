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
