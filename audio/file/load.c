/* audio/file/load.c - sound from files. A header's claim of frames is not believed: samples are
   read in blocks, and memory grows with what there is. */
#include "audio/file/virtual_file.h"

#include <string.h>

enum { BLOCK = 1 << 15 }; /* samples */

typedef agn_sound_load_options options;

agn_status agni_sound_check_load(options *a, const char *op, const options *given)
{
    if (given && given->size != sizeof *given)
        return agni_fail(AGN_EARG, "%s: unknown size: %zu bytes, agn_sound_load_options has %zu", op,
                         given->size, sizeof *given);
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

agn_status agni_sound_read_rows(SNDFILE *s, const agni_virtual_file *f, const char *op, const options *a, int channels,
                                int64_t most, char **rows, int64_t *have)
{
    int64_t bytes = agni_dtypes[a->dtype].bytes * channels, step = BLOCK / channels + 1, room = 0;
    while (*have < most) {
        int64_t want = most - *have < step ? most - *have : step;
        if (*have + want > room) {
            int64_t more = room + room / 2 + step;
            more = more > most ? most : more;
            char *bigger = more > INT64_MAX / bytes ? NULL : agni_alloc((size_t)(more * bytes));
            if (!bigger)
                return agni_nomem(op, (size_t)(more * bytes));
            if (*have)
                memcpy(bigger, *rows, (size_t)(*have * bytes));
            agni_free(*rows);
            *rows = bigger;
            room = more;
        }
        int64_t got = read_frames(s, a->dtype, *rows + *have * bytes, want);
        if (f->failed)
            return agni_fail(AGN_EIO, "%s: %s cannot be read behind frame %lld", op, f->in->file,
                             (long long)*have);
        if (got <= 0)
            break;
        *have += got;
    }
    return AGN_OK;
}

agn_status agni_sound_arrange(agn_tensor **out, const options *a, const char *rows, int64_t frames, int64_t channels)
{
    agn_tensor *x = NULL, *y = NULL;
    agn_status st = agn_from_host(&x, a->dtype, 2, (int64_t[]){frames, channels}, rows);
    if (st || a->frames_first) {
        if (!st)
            *out = x;
        return st;
    }
    st = agn_transpose(&y, x);
    agn_release(x);
    if (!st)
        st = agn_contiguous(out, y);
    agn_release(y);
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
    char *rows = NULL;
    int64_t have = 0, most = INT64_MAX / 64;
    if (a->offset > info.frames)
        st = agni_fail(AGN_EARG, "%s: offset %lld is beyond the %lld frames of %s", op,
                       (long long)a->offset, (long long)info.frames, in->file);
    else if (a->offset && sf_seek(s, a->offset, SEEK_SET) < 0)
        st = agni_fail(AGN_EFORMAT, "%s: %s has no way to frame %lld", op, in->file, (long long)a->offset);
    if (a->frames)
        most = a->frames < most ? a->frames : most;
    if (!st && info.frames - a->offset < most)
        most = info.frames - a->offset;
    if (!st)
        st = agni_sound_read_rows(s, &f, op, a, info.channels, most, &rows, &have);
    sf_close(s);
    if (!st)
        st = agni_sound_arrange(out, a, rows ? rows : "", have, info.channels);
    agni_free(rows);
    if (!st && rate)
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
    if (out->size != sizeof *out)
        return agni_fail(AGN_EARG, "%s: unknown size: %zu bytes, agn_sound_facts has %zu", op, out->size,
                         sizeof *out);
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
