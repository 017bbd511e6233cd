/* audio/file/save.c - sound to files. Whole numbers go to libsndfile with their bits on top, floats
   are rounded to levels here, so that what was loaded is saved as it was. */
#include "audio/file/virtual_file.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 1 << 14 }; /* samples */

typedef agn_sound_save_options options;

agn_status agni_sound_check_save(options *a, const char *op, int32_t rate, const options *given)
{
    if (agni_check_size(op, agn_sound_save_options, given))
        return AGN_EARG;
    *a = given ? *given : (options){.size = sizeof *a};
    if (a->container < 0 || a->container >= AGN_SOUND_OTHER || a->encoding < 0 ||
        a->encoding >= AGN_SOUND_UNKNOWN || a->order < 0 || a->order > AGN_SOUND_BIG)
        return agni_fail(AGN_EARG,
                         "%s: container %d with encoding %d, order %d; there are %d, %d and 3", op,
                         a->container, a->encoding, a->order, AGN_SOUND_OTHER, AGN_SOUND_UNKNOWN);
    if (!(a->quality >= 0 && a->quality <= 1) || rate < 1)
        return agni_fail(AGN_EARG,
                         "%s: quality %g at a rate of %d; it is from 0 to 1, the rate positive", op,
                         a->quality, rate);
    return AGN_OK;
}

agn_status agni_sound_check_block(int64_t *channels, const char *op, const agn_tensor *x,
                                  const options *a)
{
    if (x->dtype != AGN_F32 && x->dtype != AGN_F64 && x->dtype != AGN_I16 && x->dtype != AGN_I32)
        return agni_fail(AGN_EDTYPE, "%s: x is %s %s; f32, f64, i16 or i32 is needed", op,
                         agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    *channels = x->ndim == 2 ? x->shape[a->frames_first ? 1 : 0] : x->ndim == 1;
    if (*channels < 1 || *channels > 1024)
        return agni_fail(AGN_ESHAPE,
                         "%s: x is %s; one axis of frames and one of 1 to 1024 channels are needed",
                         op, AGNI_SHAPE(x));
    return AGN_OK;
}

static double number_at(const agn_tensor *x, int64_t i)
{
    return x->dtype == AGN_F32 ? (double)((const float *)x->data)[i] : ((const double *)x->data)[i];
}

/* samples as whole numbers of bits bits on top of 32 */
static void to_levels(const agn_tensor *x, int64_t from, int64_t n, int bits, int *to)
{
    double top = ldexp(1, bits - 1);
    if (x->dtype == AGN_I16)
        for (int64_t i = 0; i < n; i++)
            to[i] = (int)((uint32_t)((const int16_t *)x->data)[from + i] << 16);
    else if (x->dtype == AGN_I32)
        memcpy(to, (const int32_t *)x->data + from, (size_t)n * sizeof *to);
    else
        for (int64_t i = 0; i < n; i++) {
            double level = rint(number_at(x, from + i) * top);
            level = level < -top ? -top : level > top - 1 ? top - 1 : level;
            to[i] = (int)((uint32_t)(int64_t)level << (32 - bits));
        }
}

static void to_floats(const agn_tensor *x, int64_t from, int64_t n, double *to)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = x->dtype == AGN_F32   ? (double)((const float *)x->data)[from + i]
                : x->dtype == AGN_F64 ? ((const double *)x->data)[from + i]
                : x->dtype == AGN_I16 ? ((const int16_t *)x->data)[from + i] / 32768.0
                                      : ((const int32_t *)x->data)[from + i] / 2147483648.0;
}

/* whole numbers of so many bits are given to an encoding; 0: floats are */
static int level_bits(int32_t encoding)
{
    switch (encoding) {
    case AGN_SOUND_PCM8:
    case AGN_SOUND_DPCM8:
        return 8;
    case AGN_SOUND_DWVW12:
        return 12;
    case AGN_SOUND_ALAC20:
        return 20;
    case AGN_SOUND_PCM24:
    case AGN_SOUND_ALAC24:
    case AGN_SOUND_DWVW24:
        return 24;
    case AGN_SOUND_PCM32:
    case AGN_SOUND_ALAC32:
        return 32;
    case AGN_SOUND_F32:
    case AGN_SOUND_F64:
    case AGN_SOUND_VORBIS:
    case AGN_SOUND_OPUS:
    case AGN_SOUND_MPEG1:
    case AGN_SOUND_MPEG2:
    case AGN_SOUND_MPEG3:
        return 0;
    default:
        return 16;
    }
}

static agn_status check_numbers(const char *op, const agn_tensor *x, int bits)
{
    for (int64_t i = 0; bits && (x->dtype == AGN_F32 || x->dtype == AGN_F64) && i < x->size; i++)
        if (isnan(number_at(x, i)))
            return agni_fail(AGN_EDOMAIN,
                             "%s: sample %lld is NaN, which no encoding of %d bits has", op,
                             (long long)i, bits);
    return AGN_OK;
}

/* x, rows of frames, behind what f has */
static agn_status write_rows(SNDFILE *s, const agni_virtual_file *f, const char *op,
                             const agn_tensor *x, int bits)
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
            to_levels(x, at, n, bits, room->levels);
            put = sf_write_int(s, room->levels, n);
        } else {
            to_floats(x, at, n, room->floats);
            put = sf_write_double(s, room->floats, n);
        }
        if (f->failed)
            st = agni_virtual_fail(f, op);
        else if (put != n)
            st = agni_fail(AGN_EFORMAT, "%s: %lld of %lld samples were taken: %s", op,
                           (long long)(at + put), (long long)x->size, sf_strerror(s));
    }
    agni_free(room);
    return st;
}

/* x as rows [frames, channels] on the host */
static agn_status arrange_rows(agn_tensor **out, const char *op, const agn_tensor *x,
                               bool frames_first)
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

/* libsndfile (1.2 and before) counts the padding of an odd number of bytes as a frame of AIFF: the
   chunks COMM, frames at 2, and SSND, its size, are written again */
static void put_big(agni_virtual_file *f, int64_t at, uint64_t v)
{
    unsigned char p[4];
    for (int k = 0; k < 4; k++)
        p[k] = (unsigned char)(v >> (24 - 8 * k));
    agni_virtual_patch(f, at, p, 4);
}
static void mend_aiff(agni_virtual_file *f, int64_t frames, int64_t channels)
{
    int64_t head = f->size < AGNI_SOUND_HEAD ? f->size : AGNI_SOUND_HEAD;
    for (int64_t at = 12; at + 14 <= head;) {
        unsigned char n[8];
        memcpy(n, f->bytes + at, 8);
        int64_t size = (int64_t)((uint64_t)n[4] << 24 | (uint64_t)n[5] << 16 | (uint64_t)n[6] << 8 |
                                 n[7]);
        if (!memcmp(n, "COMM", 4))
            put_big(f, at + 10, (uint64_t)frames);
        if (!memcmp(n, "SSND", 4))
            put_big(f, at + 4, (uint64_t)(8 + frames * channels));
        at += 8 + size + size % 2;
    }
}

/* ---- a file in steps
   --------------------------------------------------------------------------------- */

/* libsndfile (1.2 and before) loses bits of loud noise in ALAC of 32 bits, has no header for DWVW
   of 12 in AIFF, and reads the end of a VOC file of bytes by a logarithm as one more sample */
static bool is_taken(const SF_INFO *info, const options *a)
{
    return sf_format_check(info) && a->encoding != AGN_SOUND_ALAC32 &&
           !(a->container == AGN_SOUND_AIFF && a->encoding == AGN_SOUND_DWVW12) &&
           !(a->container == AGN_SOUND_VOC &&
             (a->encoding == AGN_SOUND_MU_LAW || a->encoding == AGN_SOUND_A_LAW));
}

SNDFILE *agni_sound_begin(agni_virtual_file *f, const char *op, const options *a, int32_t rate,
                          int64_t channels, agn_status *st)
{
    SF_INFO info = {.samplerate = rate,
                    .channels = (int)channels,
                    .format = agni_sound_format(a->container, a->encoding, a->order)};
    if (!is_taken(&info, a)) {
        *st = agni_fail(
            AGN_EARG,
            "%s: container %d does not take encoding %d, order %d, with %d channels at rate %d",
            op, a->container, a->encoding, a->order, (int)channels, rate);
        return NULL;
    }
    SNDFILE *s = agni_virtual_open(f, op, SFM_WRITE, &info, st);
    if (s) {
        double quality = a->quality == 0 ? 0.5 : a->quality;
        sf_command(s, SFC_SET_VBR_ENCODING_QUALITY, &quality, sizeof quality);
        sf_command(s, SFC_SET_CLIPPING, NULL, SF_TRUE);
        sf_command(s, SFC_SET_ADD_PEAK_CHUNK, NULL, SF_FALSE); /* it holds the time of day */
    }
    return s;
}

agn_status agni_sound_put(SNDFILE *s, agni_virtual_file *f, const char *op, const agn_tensor *x,
                          const options *a, int64_t *frames)
{
    agn_tensor *rows = NULL;
    int bits = level_bits(a->encoding);
    agn_status st = arrange_rows(&rows, op, x, a->frames_first);
    if (!st)
        st = check_numbers(op, rows, bits);
    if (!st)
        st = write_rows(s, f, op, rows, bits);
    if (!st)
        *frames += rows->shape[0];
    agn_release(rows);
    return st;
}

agn_status agni_sound_end(SNDFILE *s, agni_virtual_file *f, const char *op, const options *a,
                          int64_t frames, int64_t channels)
{
    bool bytes = a->encoding == AGN_SOUND_PCM8 || a->encoding == AGN_SOUND_MU_LAW ||
                 a->encoding == AGN_SOUND_A_LAW;
    sf_close(s);
    if (!f->failed && a->container == AGN_SOUND_AIFF && bytes && frames * channels % 2)
        mend_aiff(f, frames, channels);
    return f->failed ? agni_virtual_fail(f, op) : AGN_OK;
}

/* the whole file to f->bytes, which the caller frees */
static agn_status encode_file(agni_virtual_file *f, const char *op, const agn_tensor *x,
                              int32_t rate, const options *given)
{
    options a = {.size = 0};
    int64_t channels = 0, frames = 0;
    agn_status st = agni_sound_check_save(&a, op, rate, given);
    if (!st)
        st = agni_sound_check_block(&channels, op, x, &a);
    if (st)
        return st;
    SNDFILE *s = agni_sound_begin(f, op, &a, rate, channels, &st);
    if (!s)
        return st;
    st = agni_sound_put(s, f, op, x, &a, &frames);
    agn_status ended = agni_sound_end(s, f, op, &a, frames, channels);
    return st ? st : ended;
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
    agn_status st = encode_file(&f, op, x, rate, opts);
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
    agn_status st = encode_file(&f, op, x, rate, opts);
    if (!st)
        st = agn_from_host(out, AGN_U8, 1, &(int64_t){f.size}, f.bytes);
    agni_free(f.bytes);
    return st;
}
