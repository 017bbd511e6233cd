/* spectrogram.c - a tone that rises, seen by its spectrogram */
#include <agnesi/agnesi.h>
#include <stdio.h>

/* sin of a phase whose speed grows from 2 to 12 periods in 32 samples */
static const agn_tensor *chirp(agn_scope *s, double samples)
{
    const agn_tensor *t = ag_arange(s, AGN_F64, 0, samples, 1);
    const agn_tensor *periods = ag_add(s, ag_mul_c(s, t, 2.0 / 32),
                                       ag_mul_c(s, ag_square(s, t), 5.0 / 32 / samples));
    return ag_sin(s, ag_mul_c(s, periods, 6.283185307179586));
}

int main(void)
{
    agn_audio_spectrogram_options opts = {.size = sizeof opts, .n_fft = 32, .hop = 16};
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *power = ag_audio_spectrogram(s, chirp(s, 512), &opts);
    const agn_tensor *loudest = ag_argmax(s, power, 0, false);
    for (int64_t t = 0; t < agn_numel(loudest); t += 4)
        printf("frame %2d  %*s\n", (int)t, (int)((const int64_t *)agn_data(loudest))[t], "*");
    agn_status st = agn_scope_close(s);
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    return st != AGN_OK;
}
