/* audio/file/load.c - sound from files. A header's claim of frames is not believed: samples are
   read in blocks, and memory grows with what there is, or is at most some bytes for each of the
   input. A block goes to its place in the result while it lies in the cache. */
#include "audio/file/virtual_file.h"

#include <string.h>

enum { BLOCK = 1 << 15 }; /* samples */

typedef agn_sound_load_options options;

agn_status agni_sound_check_load(options *a, const char *op, const options *given)
{
    if (agni_check_size(op, agn_sound_load_options, given))
        return AGN_EARG;
    *a = given ? *given : (options){.size = sizeof *a};
    if (!a->dtype)
        a->dtype = AGN_F32;
    if (a->offset < 0 || a->frames < 0)
        return agni_fail(AGN_EARG, "%s: offset %lld, frames %lld; neither is negative", op,
                         (long long)a->offset, (long long)a->frames);
    if (a->dtype != AGN_F32 && a->dtype != AGN_F64 && a->dtype != AGN_I16 && a->dtype != AGN_I32)
        return agni_fail(AGN_EDTYPE, "%s: the dtype is %s; f32, f64, i16 or i32 is needed", op,
                         agn_dtype_name(a->dtype));
    if (!a->raw_channels)
        return AGN_OK;
    bool fine = a->raw_channels > 0 && a->raw_channels <= 1024 && a->raw_rate > 0 &&
                a->raw_encoding >= 0 && a->raw_encoding < AGN_SOUND_UNKNOWN && a->raw_order >= 0 &&
                a->raw_order <= AGN_SOUND_BIG;
    SF_INFO info = fine ? agni_sound_raw(a) : (SF_INFO){0};
    if (!fine || !sf_format_check(&info))
        return agni_fail(
            AGN_EARG,
            "%s: raw samples of %d channels, rate %d, encoding %d, order %d; there are none", op,
            a->raw_channels, a->raw_rate, a->raw_encoding, a->raw_order);
    return AGN_OK;
}

/* ---- samples to their places ----------------------------------------------------------------- */

int agni_sound_carrier(int dtype, const SF_INFO *info)
{
    int type = info->format & SF_FORMAT_TYPEMASK, sub = info->format & SF_FORMAT_SUBMASK;
    bool plain = type == SF_FORMAT_WAV || type == SF_FORMAT_WAVEX || type == SF_FORMAT_RF64 ||
                 type == SF_FORMAT_W64 || type == SF_FORMAT_AIFF || type == SF_FORMAT_AU ||
                 type == SF_FORMAT_CAF || type == SF_FORMAT_FLAC;
    bool fits = sub == SF_FORMAT_PCM_16 || sub == SF_FORMAT_PCM_S8 || sub == SF_FORMAT_PCM_U8;
    return plain && fits && (dtype == AGN_F32 || dtype == AGN_F64) ? AGN_I16 : dtype;
}

static sf_count_t read_frames(SNDFILE *s, int dtype, void *to, sf_count_t n)
{
    switch (dtype) {
    case AGN_F64:
        return sf_readf_double(s, to, n);
    case AGN_I16:
        return sf_readf_short(s, to, n);
    case AGN_I32:
        return sf_readf_int(s, to, n);
    default:
        return sf_readf_float(s, to, n);
    }
}

enum { AT_ONCE = 16 }; /* frames: a loop of so many is a few vectors */

/* n frames of 16 bits as numbers in [-1, 1), channel by channel ld apart, or in their order where
   ld is 0; both members of a pair come from one word. A loop writes one run: two might overlap for
   all the compiler knows, and would not become vectors. */
#define SCALE(T, s)                                                                             \
    static void scale_##s(void *restrict out, int64_t ld, const int16_t *restrict x, int64_t n,  \
                          int channels)                                                         \
    {                                                                                           \
        T *restrict y = out;                                                                    \
        int64_t i = 0, all = ld && channels > 1 ? n : n * channels;                             \
        if (ld && channels == 2 && agni_little_endian()) {                                      \
            for (uint32_t pair[AT_ONCE]; i + AT_ONCE <= n; i += AT_ONCE) {                      \
                memcpy(pair, x + 2 * i, sizeof pair);                                           \
                for (int k = 0; k < AT_ONCE; k++)                                               \
                    y[i + k] = (T)((int32_t)(pair[k] << 16) >> 16) * (T)(1.0 / 32768);          \
                for (int k = 0; k < AT_ONCE; k++)                                               \
                    y[ld + i + k] = (T)((int32_t)pair[k] >> 16) * (T)(1.0 / 32768);             \
            }                                                                                   \
        } else if (!ld || channels == 1) {                                                      \
            for (; i + AT_ONCE <= all; i += AT_ONCE)                                            \
                for (int k = 0; k < AT_ONCE; k++)                                               \
                    y[i + k] = (T)x[i + k] * (T)(1.0 / 32768);                                  \
            for (; i < all; i++)                                                                \
                y[i] = (T)x[i] * (T)(1.0 / 32768);                                              \
        }                                                                                       \
        for (int c = 0; i < all && c < channels; c++)                                           \
            for (int64_t j = i; j < n; j++)                                                     \
                y[c * ld + j] = (T)x[j * channels + c] * (T)(1.0 / 32768);                      \
    }
SCALE(float, f32)
SCALE(double, f64)

/* the same without a change of numbers */
#define PART(T, s)                                                                              \
    static void part_##s(void *out, int64_t ld, const void *in, int64_t n, int channels)        \
    {                                                                                           \
        const T *x = in;                                                                        \
        T *y = out;                                                                             \
        if (channels == 2)                                                                      \
            for (int64_t j = 0; j < n; j++) {                                                   \
                y[j] = x[2 * j];                                                                \
                y[ld + j] = x[2 * j + 1];                                                       \
            }                                                                                   \
        else                                                                                    \
            for (int c = 0; c < channels; c++)                                                  \
                for (int64_t j = 0; j < n; j++)                                                 \
                    y[c * ld + j] = x[j * channels + c];                                        \
    }
PART(uint16_t, 2)
PART(uint32_t, 4)
PART(uint64_t, 8)

static void place_block(void *to, int dtype, int64_t ld, const void *from, int carrier, int64_t n,
                        int channels)
{
    int bytes = agni_dtypes[dtype].bytes;
    if (carrier != dtype)
        (dtype == AGN_F32 ? scale_f32 : scale_f64)(to, ld, from, n, channels);
    else if (!ld || channels == 1)
        memcpy(to, from, (size_t)(n * channels * bytes));
    else
        (bytes == 2 ? part_2 : bytes == 4 ? part_4 : part_8)(to, ld, from, n, channels);
}

/* ---- all of them --------------------------------------------------------------------------- */

/* sound of room frames, with the have frames of *x, which it replaces */
static agn_status resize_sound(agn_tensor **x, const char *op, const options *a, int channels,
                               int64_t room, int64_t have)
{
    int64_t shape[] = {a->frames_first ? room : channels, a->frames_first ? channels : room};
    int64_t bytes = agni_dtypes[a->dtype].bytes, rows = a->frames_first ? 1 : channels;
    int64_t run = (a->frames_first ? channels : 1) * have * bytes;
    agn_tensor *y = NULL;
    agn_status st = agni_tensor_make(&y, op, a->dtype, 2, shape, AGN_CPU);
    if (st)
        return st;
    for (int64_t c = 0; run && c < rows; c++)
        memcpy((char *)y->data + c * room * bytes, (char *)(*x)->data + c * (*x)->shape[1] * bytes,
               (size_t)run);
    agn_release(*x);
    *x = y;
    return AGN_OK;
}

/* Fewer samples than this many for each byte of the input get their memory at once. */
enum { SAMPLES_PER_BYTE = 4 };

static agn_status fill_sound(agn_tensor **x, void *block, SNDFILE *s, const agni_virtual_file *f,
                             const char *op, const options *a, int carrier, int channels,
                             int64_t most, int64_t *have)
{
    int64_t bytes = agni_dtypes[a->dtype].bytes, step = BLOCK / channels + 1, room = 0;
    bool held = most / SAMPLES_PER_BYTE <= f->in->size / channels;
    *have = 0;
    for (;;) {
        int64_t want = most - *have < step ? most - *have : step;
        if (!*x || *have + want > room) {
            int64_t more = room + room / 2 + step;
            more = more > most || held ? most : more;
            agn_status st = resize_sound(x, op, a, channels, more, *have);
            if (st)
                return st;
            room = more;
        }
        int64_t got = want ? read_frames(s, carrier, block, want) : 0;
        if (f->failed)
            return agni_fail(AGN_EIO, "%s: %s cannot be read behind frame %lld", op, f->in->file,
                             (long long)*have);
        if (got <= 0)
            return *have < room ? resize_sound(x, op, a, channels, *have, *have) : AGN_OK;
        place_block((char *)(*x)->data + *have * bytes * (a->frames_first ? channels : 1), a->dtype,
                    a->frames_first ? 0 : room, block, carrier, got, channels);
        *have += got;
    }
}

agn_status agni_sound_take(agn_tensor **out, SNDFILE *s, const agni_virtual_file *f, const char *op,
                           const options *a, int carrier, int channels, int64_t most, int64_t *have)
{
    size_t bytes = (size_t)(BLOCK / channels + 1) * (size_t)channels *
                   (size_t)agni_dtypes[carrier].bytes;
    void *block = agni_alloc(bytes);
    agn_tensor *x = NULL;
    if (!block)
        return agni_nomem(op, bytes);
    agn_status st = fill_sound(&x, block, s, f, op, a, carrier, channels, most, have);
    agni_free(block);
    if (st)
        agn_release(x);
    else
        *out = x;
    return st;
}

static agn_status decode_input(agn_tensor **out, int32_t *rate, const char *op,
                               const agni_input *in, const options *a)
{
    agni_virtual_file f = {.in = in};
    SF_INFO info = agni_sound_raw(a);
    agn_status st;
    SNDFILE *s = agni_virtual_open(&f, op, SFM_READ, &info, &st);
    if (!s)
        return st;
    int64_t have, most = INT64_MAX / 64;
    agn_tensor *x = NULL;
    if (a->offset > info.frames)
        st = agni_fail(AGN_EARG, "%s: offset %lld is beyond the %lld frames of %s", op,
                       (long long)a->offset, (long long)info.frames, in->file);
    else if (a->offset && sf_seek(s, a->offset, SEEK_SET) < 0)
        st = agni_fail(AGN_EFORMAT, "%s: %s has no way to frame %lld", op, in->file,
                       (long long)a->offset);
    if (a->frames)
        most = a->frames < most ? a->frames : most;
    if (!st && info.frames - a->offset < most)
        most = info.frames - a->offset;
    if (!st)
        st = agni_sound_take(&x, s, &f, op, a, agni_sound_carrier(a->dtype, &info), info.channels,
                             most, &have);
    sf_close(s);
    if (st)
        return st;
    *out = x;
    if (rate)
        *rate = info.samplerate;
    return st;
}

agn_status agn_sound_load(agn_tensor **out, int32_t *rate, const char *path,
                          const agn_sound_load_options *opts)
{
    static const char op[] = "sound_load";
    options a;
    agni_input in;
    if (!out || !path)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, out ? "path" : "out");
    agn_status st = agni_sound_check_load(&a, op, opts);
    if (!st)
        st = agni_input_open(&in, op, path);
    if (st)
        return st;
    st = decode_input(out, rate, op, &in, &a);
    agni_input_close(&in);
    return st;
}

agn_status agn_sound_decode(agn_tensor **out, int32_t *rate, const void *bytes, size_t n,
                            const agn_sound_load_options *opts)
{
    static const char op[] = "sound_decode";
    options a;
    agni_input in;
    if (!out || !bytes)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, out ? "bytes" : "out");
    agn_status st = agni_sound_check_load(&a, op, opts);
    if (st)
        return st;
    agni_input_memory(&in, op, bytes, n);
    return decode_input(out, rate, op, &in, &a);
}

agn_status agn_sound_info(agn_sound_facts *out, const char *path)
{
    static const char op[] = "sound_info";
    agni_input in;
    if (!out || !path)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, out ? "path" : "out");
    if (agni_check_size(op, agn_sound_facts, out))
        return AGN_EARG;
    agn_status st = agni_input_open(&in, op, path);
    if (st)
        return st;
    agni_virtual_file f = {.in = &in};
    SF_INFO info = {0};
    SNDFILE *s = agni_virtual_open(&f, op, SFM_READ, &info, &st);
    if (s) {
        agni_sound_describe(&info, out);
        sf_close(s);
    }
    agni_input_close(&in);
    return st;
}
