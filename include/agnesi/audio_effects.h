/**
 * agnesi/audio_effects.h - what is done to sound: levels, distortion, delays, noise, other rates
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Signals are real tensors whose last axis is time; all other axes are a batch. Integers are
 * computed as f64, f16 and bf16 as f32. Everything is a composition of operators with derivatives
 * of any order in every mode.
 */
#ifndef AGNESI_AUDIO_EFFECTS_H
#define AGNESI_AUDIO_EFFECTS_H

#include <agnesi/audio.h>
#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- levels and distortion ------------------------------------------------------------- */

/**
 * agn_audio_gain - louder by decibels
 *
 * @param out  out, like x
 * @param x    in, real
 * @param db   negative: quieter
 * @errors     AGN_ENULL, AGN_EDTYPE (complex), AGN_EARG (db is not finite), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(size)
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_gain(agn_tensor **out, const agn_tensor *x, double db);

/**
 * agn_audio_contrast - more of the loud, sin(pi x / 2 + amount / 750 sin(2 pi x))
 *
 * @param out     out, like x
 * @param x       in, real, in [-1, 1]
 * @param amount  0 to 100; 75 is usual
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_EARG (amount), AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(size)
 * @ref           SoX 14.4.2, contrast
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_contrast(agn_tensor **out, const agn_tensor *x,
                                                     double amount);

/**
 * agn_audio_overdrive - distortion by a cubic that is cut off
 *
 * Half of x and three quarters of f(gain x + colour / 200), f(t) = t - t^3 / 3 within [-1, 1], less
 * its running mean; what is beyond [-1, 1] is cut off.
 *
 * @param out     out, [..., n]
 * @param x       in, [..., n], real
 * @param gain    0 to 100 dB; 20 is usual
 * @param colour  0 to 100: how many even harmonics; 20 is usual
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no sample), AGN_EARG (gain, colour),
 *                AGN_ENOMEM
 * @grad          where nothing is cut off
 * @cost          O(size)
 * @ref           SoX 14.4.2, overdrive
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_overdrive(agn_tensor **out, const agn_tensor *x,
                                                      double gain, double colour);

/**
 * agn_audio_dcshift - a constant added, without leaving [-1, 1]
 *
 * With a limiter, what is beyond 1 - |shift| + limit on the side of the shift is squeezed into what
 * is left of it.
 *
 * @param out    out, like x
 * @param x      in, real, in [-1, 1]
 * @param shift  -2 to 2
 * @param limit  gain of the limiter, positive and small, 0.05; 0: what is beyond is cut off
 * @errors       AGN_ENULL, AGN_EDTYPE (complex), AGN_EARG (shift, limit), AGN_ENOMEM
 * @grad         where nothing is cut off
 * @cost         O(size)
 * @ref          SoX 14.4.2, dcshift
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_dcshift(agn_tensor **out, const agn_tensor *x,
                                                    double shift, double limit);

/** Laws of the noise that is added before rounding. */
enum {
    AGN_DITHER_TRIANGULAR, /* of two steps */
    AGN_DITHER_UNIFORM,    /* of one step */
    AGN_DITHER_NORMAL      /* of a standard deviation of half a step */
};

/**
 * agn_audio_dither - samples rounded to few bits, with noise in place of distortion
 *
 * @param out   out, like x
 * @param x     in, real, in [-1, 1]
 * @param key   in, i64 [2]
 * @param bits  1 to 24, 16 is usual
 * @param law   AGN_DITHER_TRIANGULAR, ...
 * @errors      AGN_ENULL, AGN_EDTYPE (complex; key), AGN_ESHAPE (key), AGN_EARG (bits, law),
 *              AGN_ENOMEM
 * @grad        that of the identity: of the mean over the noise
 * @cost        O(size)
 * @ref         Lipshitz, Wannamaker & Vanderkooy 1992
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_dither(agn_tensor **out, const agn_tensor *x,
                                                   const agn_tensor *key, int32_t bits,
                                                   int32_t law);

/** How a fade rises, t from 0 to 1. */
enum {
    AGN_FADE_LINEAR,
    AGN_FADE_EXPONENTIAL, /* t 2^(t - 1) */
    AGN_FADE_LOGARITHMIC, /* log10(t + 0.1) + 1, not above 1 */
    AGN_FADE_QUARTER_SINE,
    AGN_FADE_HALF_SINE
};

/**
 * agn_audio_fade - in at the beginning, out at the end
 *
 * @param out    out, [..., n]
 * @param x      in, [..., n], real
 * @param rise   samples of the beginning, at most n
 * @param fall   samples of the end, at most n
 * @param shape  AGN_FADE_LINEAR, ...
 * @errors       AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no time), AGN_EARG (rise, fall,
 *               shape), AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(size)
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_fade(agn_tensor **out, const agn_tensor *x,
                                                 int64_t rise, int64_t fall, int32_t shape);

/**
 * agn_audio_add_noise - noise at a ratio of signal to noise
 *
 * @param out    out, [..., n]
 * @param x      in, [..., n], real
 * @param noise  in, [..., n], real, not 0; leading axes broadcast
 * @param snr    in, [...], real: the ratio of energies in dB
 * @errors       AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no sample, other samples, rank 32,
 *               batches that do not broadcast), AGN_ENOMEM
 * @grad         in x, noise and snr
 * @cost         O(size)
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_add_noise(agn_tensor **out, const agn_tensor *x,
                                                      const agn_tensor *noise,
                                                      const agn_tensor *snr);

/* ---- delays that move ------------------------------------------------------------------ */

/** Options of agn_audio_phaser; zero members are defaults. */
typedef struct agn_audio_phaser_options {
    size_t size;     /* sizeof(agn_audio_phaser_options) */
    double gain_in;  /* 0.4 */
    double gain_out; /* 0.74 */
    double delay;    /* at most, in ms: 3 */
    double decay;    /* of what comes back, below 1: 0.4 */
    double speed;    /* of the delay, in Hz: 0.5 */
    bool triangular; /* the delay moves in a triangle, not in a sine */
} agn_audio_phaser_options;

/**
 * agn_audio_phaser - feedback whose delay swings
 *
 * y_t = gain_in x_t + decay y_(t - d(t)), the delays whole samples; sums along chains of delays by
 * doubling them.
 *
 * @param out   out, [..., n], cut off beyond [-1, 1]
 * @param x     in, [..., n], real
 * @param rate  samples per second
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no sample), AGN_EARG (unknown size, a
 *              number out of range), AGN_ENOMEM
 * @grad        where nothing is cut off
 * @cost        O(size log n)
 * @ref         SoX 14.4.2, phaser
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_phaser(agn_tensor **out, const agn_tensor *x,
                                                   double rate,
                                                   const agn_audio_phaser_options *opts);

/** Options of agn_audio_flanger; zero members are defaults. */
typedef struct agn_audio_flanger_options {
    size_t size;     /* sizeof(agn_audio_flanger_options) */
    double delay;    /* at least, in ms: 0 */
    double depth;    /* of the swing, in ms: 2 */
    double width;    /* per cent of what is delayed: 71 */
    double speed;    /* of the delay, in Hz: 0.5 */
    double phase;    /* per cent of a period from channel to channel: 25 */
    bool triangular; /* the delay moves in a triangle, not in a sine */
} agn_audio_flanger_options;

/**
 * agn_audio_flanger - a copy whose delay swings
 *
 * Delays between samples by linear interpolation; nothing is fed back.
 *
 * @param out   out, [..., channels, n], cut off beyond [-1, 1]
 * @param x     in, [..., channels, n], real
 * @param rate  samples per second
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no channel, no sample), AGN_EARG
 *              (unknown size, a number out of range), AGN_ENOMEM
 * @grad        where nothing is cut off
 * @cost        O(size)
 * @ref         SoX 14.4.2, flanger
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_flanger(agn_tensor **out, const agn_tensor *x,
                                                    double rate,
                                                    const agn_audio_flanger_options *opts);

/* ---- other rates ----------------------------------------------------------------------- */

/** Options of agn_audio_resample; zero members are defaults. */
typedef struct agn_audio_resample_options {
    size_t size;    /* sizeof(agn_audio_resample_options) */
    int64_t zeros;  /* crossings of the sinc at each side, 6 */
    double rolloff; /* edge over half the lower rate, 0.99 */
    double beta;    /* of a Kaiser window; 0: a Hann window */
} agn_audio_resample_options;

/**
 * agn_audio_resample - another rate by windowed sincs
 *
 * Silence is beyond the ends. All phases of the new rate are one product of frames and a matrix.
 *
 * @param out   out, [..., ceil(n to / from)]
 * @param x     in, [..., n], real
 * @param from  samples per second, 1 to 2^24 after division by the common divisor
 * @param to    samples per second then
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no sample), AGN_EARG (unknown size,
 *              rates or a number out of range, a matrix of 2^26 numbers), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(n to / from zeros max(1, from / to)) multiples as one product
 * @ref         Smith & Gossett 1984
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_resample(agn_tensor **out, const agn_tensor *x,
                                                     int64_t from, int64_t to,
                                                     const agn_audio_resample_options *opts);

/**
 * agn_audio_speed - faster and higher, or slower and lower
 *
 * agn_audio_resample by the nearest whole thousandth.
 *
 * @param out     out, [..., ceil(n / factor)]
 * @param x       in, [..., n], real
 * @param factor  0.1 to 10
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no sample), AGN_EARG (factor),
 *                AGN_ENOMEM
 * @grad          everywhere
 * @cost          as agn_audio_resample
 * @ref           Ko et al. 2015
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_speed(agn_tensor **out, const agn_tensor *x,
                                                  double factor);

/* ---- filters of media ------------------------------------------------------------------ */

/** Curves of recordings that agn_audio_equalisation undoes. */
enum {
    AGN_EQUALISATION_RIAA, /* of records, 0 dB at 1 kHz; 44100, 48000, 88200 or 96000 Hz */
    AGN_EQUALISATION_CD    /* of compact discs and DAT, 50 and 15 us; 44100 or 48000 Hz */
};

/**
 * agn_audio_equalisation - section that plays a recording's emphasis back
 *
 * To 0.45 dB up to 12 kHz for records, to 0.1 dB for discs.
 *
 * @param out    out, [1, 6], f64, for agn_signal_sosfilt
 * @param curve  AGN_EQUALISATION_RIAA, ...
 * @param rate   samples per second, one of those of the curve
 * @errors       AGN_ENULL, AGN_EARG (curve, rate), AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(1)
 * @ref          IEC 60098:1987; IEC 60908:1999; SoX 14.4.2
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_equalisation(agn_tensor **out, int32_t curve,
                                                         int64_t rate);

/**
 * agn_audio_sliding_normalise - mean 0, and variance 1, over the frames about each
 *
 * @param out       out, [..., bands, frames]
 * @param x         in, [..., bands, frames], real
 * @param window    frames, 600 is usual
 * @param centred   the window is about each frame, not behind it
 * @param least     frames at least, where the window is not about the frame: 100 is usual
 * @param variance  divide by the standard deviation; that of one frame is 1
 * @errors          AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no bands, no frame), AGN_EARG
 *                  (window, least), AGN_ENOMEM
 * @grad            everywhere
 * @cost            O(size)
 * @ref             Viikki & Laurila 1998
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_sliding_normalise(agn_tensor **out, const agn_tensor *x,
                                                              int64_t window, bool centred,
                                                              int64_t least, bool variance);

#ifdef __cplusplus
}
#endif

#endif
