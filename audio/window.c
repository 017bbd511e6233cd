/* audio/window.c - window functions. */
#include "audio/audio.h"

agn_status agn_audio_hann(agn_tensor **out, agn_dtype dtype, int64_t n)
{
    if (!out)
        return agni_fail(AGN_ENULL, "audio_hann: out is NULL");
    if (dtype != AGN_F32 && dtype != AGN_F64)
        return agni_fail(AGN_EDTYPE, "audio_hann: the dtype is %s; f32 or f64 is needed",
                         agn_dtype_name(dtype));
    return agni_rename_error("audio_hann",
                             agn_signal_window(out, AGN_WINDOW_HANN, dtype, n, NULL, 0, false));
}
