/* fft/cpu/absent.c - what a build without FFTW has in place of its kernels. */
#include "fft/fft.h"

static agn_status absent(const agn_kernel_call *c)
{
    return agni_fail(AGN_EUNSUPPORTED,
                     "%s: this library was built without FFTW (%d arguments)", c->op,
                     c->n_in);
}
agn_status agni_cpu_r2c(const agn_kernel_call *c)
{
    return absent(c);
}
agn_status agni_cpu_c2r(const agn_kernel_call *c)
{
    return absent(c);
}
agn_status agni_cpu_c2c(const agn_kernel_call *c)
{
    return absent(c);
}
