/* t-signal-odd - functions of one channel at odd signals: of one sample, of one NaN among numbers, of
   f16. Each gives what the same numbers of f32 give, says NaN, or refuses with its name; nothing is
   finite and wrong. */
#include "tests/laws.h"

#include <agnesi/audio_effects.h>
#include <agnesi/audio_music.h>
#include <agnesi/audio_speech.h>
#include <agnesi/fft.h>
#include <agnesi/signal_analysis.h>

enum { SAMPLES = 4000, WRONG = 1777, RATE = 8000 };

static const agn_signal_stft_options frames = {.size = sizeof frames, .n_fft = 256};

#define FUNCTIONS(F) \
    F(fft_fft, agn_fft_fft(y, x, 0, -1, 0)) \
    F(fft_rfft, agn_fft_rfft(y, x, 0, -1, 0)) \
    F(fft_dct, agn_fft_dct(y, x, 2, 0, -1, 0)) \
    F(fft_autocorrelate, agn_fft_autocorrelate(y, x, 0)) \
    F(audio_spectrogram, agn_audio_spectrogram(y, x, NULL)) \
    F(audio_mel_spectrogram, agn_audio_mel_spectrogram(y, x, RATE, NULL)) \
    F(audio_log_mel_spectrogram, agn_audio_log_mel_spectrogram(y, x, RATE, NULL)) \
    F(audio_mfcc, agn_audio_mfcc(y, x, RATE, NULL)) \
    F(audio_lfcc, agn_audio_lfcc(y, x, RATE, NULL)) \
    F(audio_rms, agn_audio_rms(y, x, 100, 50)) \
    F(audio_preemphasis, agn_audio_preemphasis(y, x, 0.9, false)) \
    F(audio_preemphasis, agn_audio_preemphasis(y, x, 0.9, true)) \
    F(audio_loudness, agn_audio_loudness(y, x, RATE)) \
    F(audio_yin, agn_audio_yin(y, x, RATE, 100, 1000, 512, 128, 0.1)) \
    F(audio_constant_q, agn_audio_constant_q(y, x, RATE, NULL)) \
    F(audio_tempogram, agn_audio_tempogram(y, x, 64)) \
    F(audio_fourier_tempogram, agn_audio_fourier_tempogram(y, x, 64)) \
    F(audio_resample, agn_audio_resample(y, x, 8000, 5000, NULL)) \
    F(audio_speed, agn_audio_speed(y, x, 1.25)) \
    F(audio_gain, agn_audio_gain(y, x, 3)) \
    F(audio_time_stretch, agn_audio_time_stretch(y, x, 1.5, &frames)) \
    F(audio_pitch_shift, agn_audio_pitch_shift(y, x, 2, &frames)) \
    F(audio_lpc, agn_audio_lpc(y, x, 4)) \
    F(audio_kaldi_fbank, agn_audio_kaldi_fbank(y, x, RATE, NULL)) \
    F(audio_kaldi_mfcc, agn_audio_kaldi_mfcc(y, x, RATE, NULL)) \
    F(audio_deltas, agn_audio_deltas(y, x, 5)) \
    F(audio_normalise, agn_audio_normalise(y, x, false)) \
    F(audio_contrast, agn_audio_contrast(y, x, 75)) \
    F(audio_overdrive, agn_audio_overdrive(y, x, 20, 20)) \
    F(audio_phaser, agn_audio_phaser(y, x, RATE, NULL)) \
    F(audio_flanger, agn_audio_flanger(y, x, RATE, NULL)) \
    F(audio_fade, agn_audio_fade(y, x, 10, 10, 0)) \
    F(audio_mellin, agn_audio_mellin(y, x, 1, 64, 0.5)) \
    F(signal_welch, agn_signal_welch(y, x, NULL)) \
    F(signal_periodogram, agn_signal_periodogram(y, x, NULL)) \
    F(signal_hilbert, agn_signal_hilbert(y, x)) \
    F(signal_envelope, agn_signal_envelope(y, x)) \
    F(signal_detrend, agn_signal_detrend(y, x, true)) \
    F(signal_savgol_filter, agn_signal_savgol_filter(y, x, 7, 2, 0, 1)) \
    F(signal_resample, agn_signal_resample(y, x, 777)) \
    F(signal_decimate, agn_signal_decimate(y, x, 2, false)) \
    F(signal_decimate, agn_signal_decimate(y, x, 2, true)) \
    F(signal_stft, agn_signal_stft(y, x, &frames)) \
    F(signal_spectrogram, agn_signal_spectrogram(y, x, 0, NULL)) \
    F(signal_wavelet_transform, agn_signal_wavelet_transform(y, x, 0, 2, 2)) \
    F(signal_medfilt, agn_signal_medfilt(y, x, 5)) \
    F(audio_zero_crossing_rate, agn_audio_zero_crossing_rate(y, x, 400, 100)) \
    F(audio_tempo, agn_audio_tempo(y, x, 100, 120)) \
    F(audio_pulse, agn_audio_pulse(y, x, 100, 64, 30, 300)) \
    F(signal_hartley, agn_signal_hartley(y, x)) \
    F(signal_spline_coefficients, agn_signal_spline_coefficients(y, x, 3))

/* of magnitudes [bins, frames] */
#define SPECTRA(F) \
    F(audio_spectral_centroid, agn_audio_spectral_centroid(y, x, RATE)) \
    F(audio_spectral_bandwidth, agn_audio_spectral_bandwidth(y, x, RATE, 2)) \
    F(audio_spectral_flatness, agn_audio_spectral_flatness(y, x, 1e-10)) \
    F(audio_spectral_rolloff, agn_audio_spectral_rolloff(y, x, RATE, 0.85)) \
    F(audio_spectral_contrast, agn_audio_spectral_contrast(y, x, RATE, 200, 3, 0.1)) \
    F(audio_spectral_polynomial, agn_audio_spectral_polynomial(y, x, RATE, 2)) \
    F(audio_chroma, agn_audio_chroma(y, x, RATE, 12, 440)) \
    F(audio_chroma_statistics, agn_audio_chroma_statistics(y, x, 5)) \
    F(audio_pcen, agn_audio_pcen(y, x, 100, NULL)) \
    F(audio_onset_strength, agn_audio_onset_strength(y, x, 1)) \
    F(audio_power_to_db, agn_audio_power_to_db(y, x, 1, 1e-10, 80)) \
    F(audio_amplitude_to_db, agn_audio_amplitude_to_db(y, x, 1, 1e-5, 80)) \
    F(audio_invert_mfcc, agn_audio_invert_mfcc(y, x, 60, 1)) \
    F(audio_stack_memory, agn_audio_stack_memory(y, x, 2, 1)) \
    F(audio_griffin_lim, agn_audio_griffin_lim(y, x, NULL, 2, 0.9, 0, &few)) \
    F(audio_recurrence, agn_audio_recurrence(y, x, 3, 1, false)) \
    F(audio_sections, agn_audio_sections(y, x, 1)) \
    F(audio_cross_similarity, agn_audio_cross_similarity(y, x, x, 3, 1, 0)) \
    F(audio_sliding_normalise, agn_audio_sliding_normalise(y, x, 600, true, 100, true)) \
    F(audio_voice_activity, agn_audio_voice_activity(y, x, NULL)) \
    F(signal_wiener, agn_signal_wiener(y, x, (int64_t[]){3, 3}, 2, 0))

static const agn_signal_stft_options few = {.size = sizeof few, .n_fft = 98};

static const struct {
    const char *name;
} names[] = {
#define F(name, call) {#name},
    FUNCTIONS(F) SPECTRA(F)
#undef F
};

static agn_status apply_to_spectrum(int k, agn_tensor **y, const agn_tensor *x)
{
    int n = 0;
#define F(name, call) \
    if (k == n++) \
        return call;
    SPECTRA(F)
#undef F
    return AGN_EARG;
}
static agn_status apply(int k, agn_tensor **y, const agn_tensor *x)
{
    int n = 0;
#define F(name, call) \
    if (k == n++) \
        return call;
    FUNCTIONS(F)
    agn_tensor *size = NULL, *spectrum = NULL;
    must(agn_abs(&size, x));
    must(agn_reshape(&spectrum, size, 2, agn_numel(x) > 1 ? (int64_t[]){50, SAMPLES / 50}
                                                           : (int64_t[]){1, 1}));
    agn_status st = apply_to_spectrum(k - n, y, spectrum);
    agn_release(size), agn_release(spectrum);
#undef F
    return st;
}

static bool has_nan(const agn_tensor *y)
{
    bool z = kind_of(agn_dtype_of(y)) == KIND_COMPLEX, found = false;
    for (int64_t i = 0; i < agn_numel(y); i++)
        found = found || (z ? isnan(cabs(peekz(y, i))) : isnan(peek(y, i)));
    return found;
}

/* with a name, and nothing written; or a result */
static void expect_refusal(tally *q, int k, agn_status st, const agn_tensor *y, const char *what)
{
    check(q, y == untouched && !strncmp(agn_error_message(), names[k].name, strlen(names[k].name)),
          "%s of %s: status %d, %s", names[k].name, what, st, agn_error_message());
}

int main(void)
{
    tally one = {0, 0}, nan = {0, 0}, half = {0, 0};
    static double v[SAMPLES];
    int refused_one = 0, given = 0;
    for (int i = 0; i < SAMPLES; i++)
        v[i] = 0.5 * sin(0.3 * i) + 0.25 * cos(0.011 * i * i);
    agn_tensor *x = of_reals(AGN_F64, 2, (int64_t[]){1, SAMPLES}, v), *h = NULL, *s = NULL;
    must(agn_cast(&h, x, AGN_F16));
    must(agn_cast(&s, h, AGN_F32));
    v[WRONG] = (double)NAN;
    agn_tensor *bad = of_reals(AGN_F64, 2, (int64_t[]){1, SAMPLES}, v),
               *single = of_reals(AGN_F64, 2, (int64_t[]){1, 1}, (double[]){0.5});
    for (int k = 0; k < COUNT(names); k++) {
        agn_tensor *y = untouched, *want = untouched;
        agn_status st = apply(k, &y, single);
        refused_one += st != AGN_OK;
        if (st)
            expect_refusal(&one, k, st, y, "one sample");
        else
            agn_release(y);
        y = untouched;
        st = apply(k, &y, bad);
        if (st)
            expect_refusal(&nan, k, st, y, "NaN");
        else {
            check(&nan, has_nan(y), "%s of a NaN is finite", names[k].name);
            agn_release(y);
        }
        y = untouched;
        st = apply(k, &y, h);
        agn_status st32 = apply(k, &want, s);
        check(&half, !st && !st32, "%s of f16: %s", names[k].name, agn_error_message());
        if (!st && !st32) {
            check(&half, agn_dtype_of(y) == agn_dtype_of(want) || agn_dtype_of(y) == AGN_F16,
                  "%s of f16 is %s", names[k].name, agn_dtype_name(agn_dtype_of(y)));
            check(&half, agn_dtype_of(y) == AGN_F16 || same_values(y, want),
                  "%s of f16 and of f32 differ", names[k].name);
            given++;
        }
        if (!st)
            agn_release(y);
        if (!st32)
            agn_release(want);
    }
    check(&one, refused_one < COUNT(names) && given > 30, "%d of %d refuse one sample", refused_one,
          COUNT(names));
    tell(&one, "one sample: a result, or refused by name");
    tell(&nan, "a NaN stays one, or is refused by name");
    tell(&half, "f16 as the same numbers of f32");
    agn_release(x), agn_release(h), agn_release(s), agn_release(bad), agn_release(single);
    return done();
}
