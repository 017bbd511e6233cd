/* audio/file/save.c - sound to files. Whole numbers go to libsndfile with their bits on top, floats are
   rounded to levels here, so that what was loaded is saved as it was. */
#include "audio/file/virtual_file.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 1 << 14 }; /* samples */

typedef agn_sound_save_options options;

static agn_status check_sound(const char *op, const agn_tensor *x, int32_t rate, const options *given,
                              options *a)
{
    if (given && given->size != sizeof *given)
        return agni_fail(AGN_EARG, "%s: unknown size: %zu bytes, agn_sound_save_options has %zu", op,
                         given->size, sizeof *given);
    *a = given ? *given : (options){.size = sizeof *a};
    if (a->container < 0 || a->container >= AGN_SOUND_OTHER || a->encoding < 0 ||
        a->encoding >= AGN_SOUND_UNKNOWN)
        return agni_fail(AGN_EARG, "%s: container %d with encoding %d; there are %d and %d", op, a->container,
                         a->encoding, AGN_SOUND_OTHER, AGN_SOUND_UNKNOWN);
    if (!(a->quality >= 0 && a->quality <= 1) || rate < 1)
        return agni_fail(AGN_EARG, "%s: quality %g at a rate of %d; it is from 0 to 1, the rate positive", op,
                         a->quality, rate);
    if (x->dtype != AGN_F32 && x->dtype != AGN_F64 && x->dtype != AGN_I16 && x->dtype != AGN_I32)
        return agni_fail(AGN_EDTYPE, "%s: x is %s %s; f32, f64, i16 or i32 is needed", op,
                         agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    int64_t channels = x->ndim == 2 ? x->shape[a->frames_first ? 1 : 0] : x->ndim == 1;
    if (channels < 1 || channels > 1024)
        return agni_fail(AGN_ESHAPE, "%s: x is %s; one axis of frames and one of 1 to 1024 channels are needed",
                         op, AGNI_SHAPE(x));
    SF_INFO info = {.samplerate = rate, .channels = (int)channels,
                    .format = agni_sound_format(a->container, a->encoding)};
    if (!sf_format_check(&info))
        return agni_fail(AGN_EARG, "%s: container %d does not take encoding %d with %d channels at a rate of %d",
                         op, a->container, a->encoding, (int)channels, rate);
    return AGN_OK;
}

/* samples as whole numbers of bits bits on top of 32 */
static agn_status to_levels(const char *op, const agn_tensor *x, int64_t from, int64_t n, int bits, int *to)
{
    if (x->dtype == AGN_I16)
        for (int64_t i = 0; i < n; i++)
            to[i] = (int)((uint32_t)((const int16_t *)x->data)[from + i] << 16);
    else if (x->dtype == AGN_I32)
        memcpy(to, (const int32_t *)x->data + from, (size_t)n * sizeof *to);
    else
        for (int64_t i = 0; i < n; i++) {
            double v = x->dtype == AGN_F32 ? (double)((const float *)x->data)[from + i]
                                           : ((const double *)x->data)[from + i];
            double top = ldexp(1, bits - 1), level = rint(v * top);
            if (isnan(v))
                return agni_fail(AGN_EDOMAIN, "%s: sample %lld is NaN, which no encoding of %d bits has", op,
                                 (long long)(from + i), bits);
            level = level < -top ? -top : level > top - 1 ? top - 1 : level;
            to[i] = (int)((uint32_t)(int64_t)level << (32 - bits));
        }
    return AGN_OK;
}

static void to_floats(const agn_tensor *x, int64_t from, int64_t n, double *to)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = x->dtype == AGN_F32   ? (double)((const float *)x->data)[from + i]
                : x->dtype == AGN_F64 ? ((const double *)x->data)[from + i]
                : x->dtype == AGN_I16 ? ((const int16_t *)x->data)[from + i] / 32768.0
                                      : ((const int32_t *)x->data)[from + i] / 2147483648.0;
}

static int level_bits(int32_t encoding)
{
    switch (encoding) {
    case AGN_SOUND_PCM8:
        return 8;
    case AGN_SOUND_PCM16:
    case AGN_SOUND_MU_LAW:
    case AGN_SOUND_A_LAW:
        return 16;
    case AGN_SOUND_PCM24:
        return 24;
    case AGN_SOUND_PCM32:
        return 32;
    default:
        return 0; /* floats */
    }
}

/* x, rows of frames, behind what f has */
static agn_status write_rows(SNDFILE *s, const agni_virtual_file *f, const char *op, const agn_tensor *x,
                             int bits)
{
    union {
        int levels[BLOCK];
        double floats[BLOCK];
    } *room = agni_alloc(sizeof *room);
    agn_status st = room ? AGN_OK : agni_nomem(op, sizeof *room);
    for (int64_t at = 0, n; !st && at < x->size; at += n) {
        int64_t channels = x->shape[1], most = BLOCK / channels * channels, put;
        n = x->size - at < most ? x->size - at : most;
        if (bits) {
            st = to_levels(op, x, at, n, bits, room->levels);
            put = st ? 0 : sf_write_int(s, room->levels, n);
        } else {
            to_floats(x, at, n, room->floats);
            put = sf_write_double(s, room->floats, n);
        }
        if (!st && put != n)
            st = f->failed ? agni_nomem(op, (size_t)f->size)
                           : agni_fail(AGN_EFORMAT, "%s: %lld of %lld samples were taken: %s", op,
                                       (long long)(at + put), (long long)x->size, sf_strerror(s));
    }
    agni_free(room);
    return st;
}

/* x as rows [frames, channels] on the host */
static agn_status arrange(agn_tensor **out, const char *op, const agn_tensor *x, bool frames_first)
{
    agn_tensor *two = NULL, *turned = NULL;
    agn_status st = AGN_OK;
    if (x->ndim == 1)
        st = agn_expand_dims(&two, x, frames_first ? 1 : 0);
    else
        two = agn_retain(x);
    if (!st && !frames_first) {
        st = agn_transpose(&turned, two);
        agn_release(two);
        two = turned;
    }
    if (!st)
        st = agni_rows(out, op, two);
    agn_release(two);
    return st;
}

/* libsndfile (1.2 and before) counts the padding of an odd number of bytes as a frame of AIFF: the chunks
   COMM, frames at 2, and SSND, its size, are written again */
static void put_big(char *p, uint64_t v)
{
    for (int k = 0; k < 4; k++)
        p[k] = (char)(v >> (24 - 8 * k) & 255);
}
static void mend_aiff(agni_virtual_file *f, int64_t frames, int64_t channels)
{
    for (int64_t at = 12; at + 8 <= f->size;) {
        const unsigned char *n = (const unsigned char *)f->bytes + at + 4;
        int64_t size = (int64_t)((uint64_t)n[0] << 24 | (uint64_t)n[1] << 16 | (uint64_t)n[2] << 8 | n[3]);
        if (!memcmp(f->bytes + at, "COMM", 4) && at + 14 <= f->size)
            put_big(f->bytes + at + 10, (uint64_t)frames);
        if (!memcmp(f->bytes + at, "SSND", 4))
            put_big(f->bytes + at + 4, (uint64_t)(8 + frames * channels));
        at += 8 + size + size % 2;
    }
}

/* the whole file to f->bytes, which the caller frees */
static agn_status encode(agni_virtual_file *f, const char *op, const agn_tensor *x, int32_t rate,
                         const options *given)
{
    options a = {.size = 0};
    agn_tensor *rows = NULL;
    agn_status st = check_sound(op, x, rate, given, &a);
    if (!st)
        st = arrange(&rows, op, x, a.frames_first);
    if (st)
        return st;
    SF_INFO info = {.samplerate = rate, .channels = (int)rows->shape[1],
                    .format = agni_sound_format(a.container, a.encoding)};
    SNDFILE *s = agni_virtual_open(f, op, SFM_WRITE, &info, &st);
    if (s) {
        double quality = a.quality == 0 ? 0.5 : a.quality;
        sf_command(s, SFC_SET_VBR_ENCODING_QUALITY, &quality, sizeof quality);
        sf_command(s, SFC_SET_CLIPPING, NULL, SF_TRUE);
        sf_command(s, SFC_SET_ADD_PEAK_CHUNK, NULL, SF_FALSE); /* it holds the time of day */
        st = write_rows(s, f, op, rows, level_bits(a.encoding));
        sf_close(s);
        if (!st && f->failed)
            st = agni_nomem(op, (size_t)f->size);
        bool bytes = a.encoding == AGN_SOUND_PCM8 || a.encoding == AGN_SOUND_MU_LAW ||
                     a.encoding == AGN_SOUND_A_LAW;
        if (!st && a.container == AGN_SOUND_AIFF && bytes && rows->size % 2)
            mend_aiff(f, rows->shape[0], rows->shape[1]);
    }
    agn_release(rows);
    return st;
}

static agn_status put_bytes(agni_output *o, const void *user)
{
    const agni_virtual_file *f = user;
    return agni_put(o, f->bytes, (size_t)f->size);
}

agn_status agn_sound_save(const char *path, const agn_tensor *x, int32_t rate,
                          const agn_sound_save_options *opts)
{
    static const char op[] = "sound_save";
    agni_virtual_file f = {.in = NULL};
    if (!path || !x)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, path ? "x" : "path");
    agn_status st = encode(&f, op, x, rate, opts);
    if (!st)
        st = agni_save(op, path, put_bytes, &f);
    agni_free(f.bytes);
    return st;
}

agn_status agn_sound_encode(agn_tensor **out, const agn_tensor *x, int32_t rate,
                            const agn_sound_save_options *opts)
{
    static const char op[] = "sound_encode";
    agni_virtual_file f = {.in = NULL};
    if (!out || !x)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, out ? "x" : "out");
    agn_status st = encode(&f, op, x, rate, opts);
    if (!st)
        st = agn_from_host(out, AGN_U8, 1, &(int64_t){f.size}, f.bytes);
    agni_free(f.bytes);
    return st;
}
