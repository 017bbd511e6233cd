/* audio/window.c - window functions. */
#include "tensor/value/tensor.h"
#include <agnesi/audio.h>

#include <math.h>

#define PI 3.14159265358979323846

agn_status agn_audio_hann(agn_tensor **out, agn_dtype dtype, int64_t n)
{
    if (!out)
        return agni_fail(AGN_ENULL, "audio_hann: out is NULL");
    if (dtype != AGN_F32 && dtype != AGN_F64)
        return agni_fail(AGN_EDTYPE, "audio_hann: the dtype is %s; f32 or f64 is needed",
                         agn_dtype_name(dtype));
    agn_tensor *wide = NULL;
    agn_status st = agni_tensor_make(&wide, "audio_hann", AGN_F64, 1, &n, AGN_CPU);
    if (st)
        return st;
    double *w = wide->data;
    for (int64_t k = 0; k < n; k++) {
        /* the nearer end: no loss of digits, and exact symmetry */
        double root = sin(PI * (double)(k <= n - k ? k : n - k) / (double)n);
        w[k] = n == 1 ? 1 : root * root;
    }
    st = agn_cast(out, wide, dtype);
    agn_release(wide);
    return st;
}
