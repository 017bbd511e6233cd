/* audio/file/stream.c - a sound file by blocks: where the next one begins is the only state. */
#include "audio/file/virtual_file.h"

#include <string.h>

struct agn_sound {
    agni_input in;
    agni_virtual_file f;
    SNDFILE *file;
    agn_sound_load_options as;
    int32_t channels, carrier;
    int64_t at, end; /* frames of the file */
    char path[];     /* for messages */
};

/* of a file, or of bytes where there is no path */
static agn_status open_sound(agn_sound **out, agn_sound_facts *facts, const char *op,
                             const char *path, const void *bytes, size_t n,
                             const agn_sound_load_options *opts)
{
    agn_sound_load_options a;
    if (agni_check_size(op, agn_sound_facts, facts))
        return AGN_EARG;
    agn_status st = agni_sound_check_load(&a, op, opts);
    if (st)
        return st;
    size_t m = path ? strlen(path) + 1 : 0;
    agn_sound *s = agni_zalloc(sizeof *s + m);
    if (!s)
        return agni_nomem(op, sizeof *s + m);
    if (path) {
        memcpy(s->path, path, m);
        st = agni_input_open(&s->in, op, s->path);
    } else {
        agni_input_memory(&s->in, op, bytes, n);
    }
    if (st) {
        agni_free(s);
        return st;
    }
    SF_INFO info = agni_sound_raw(&a);
    s->f.in = &s->in;
    s->file = agni_virtual_open(&s->f, op, SFM_READ, &info, &st);
    s->as = a;
    s->at = a.offset;
    s->channels = info.channels;
    s->carrier = agni_sound_carrier(a.dtype, &info);
    s->end = a.frames && a.frames < info.frames - a.offset ? a.offset + a.frames : info.frames;
    if (!st && a.offset > info.frames)
        st = agni_fail(AGN_EARG, "%s: offset %lld is beyond the %lld frames of %s", op,
                       (long long)a.offset, (long long)info.frames, s->in.file);
    if (!st && a.offset && sf_seek(s->file, a.offset, SEEK_SET) < 0)
        st = agni_fail(AGN_EFORMAT, "%s: %s has no way to frame %lld", op, s->in.file,
                       (long long)a.offset);
    if (st) {
        agn_sound_close(s);
        return st;
    }
    if (facts)
        agni_sound_describe(&info, facts);
    *out = s;
    return AGN_OK;
}

agn_status agn_sound_open(agn_sound **out, agn_sound_facts *facts, const char *path,
                          const agn_sound_load_options *opts)
{
    static const char op[] = "sound_open";
    if (!out || !path)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, out ? "path" : "out");
    return open_sound(out, facts, op, path, NULL, 0, opts);
}

agn_status agn_sound_open_bytes(agn_sound **out, agn_sound_facts *facts, const void *bytes,
                                size_t n, const agn_sound_load_options *opts)
{
    static const char op[] = "sound_open_bytes";
    if (!out || !bytes)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, out ? "bytes" : "out");
    return open_sound(out, facts, op, NULL, bytes, n, opts);
}

agn_status agn_sound_read(agn_tensor **out, agn_sound *sound, int64_t frames)
{
    static const char op[] = "sound_read";
    agn_tensor *x = NULL;
    int64_t have = 0;
    if (!out || !sound)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, out ? "sound" : "out");
    if (frames < 0)
        return agni_fail(AGN_EARG, "%s: %lld frames of %s; they are not negative", op,
                         (long long)frames, sound->in.file);
    int64_t left = sound->end - sound->at, most = !frames || left < frames ? left : frames;
    sound->in.op = op;
    agn_status st = agni_sound_take(&x, sound->file, &sound->f, op, &sound->as, sound->carrier,
                                    sound->channels, most, &have);
    if (!st)
        *out = x;
    if (!st && have < most) /* it was cut off */
        sound->end = sound->at + have;
    if (!st)
        sound->at += have;
    else
        sf_seek(sound->file, sound->at, SEEK_SET); /* the block can be asked for again */
    return st;
}

agn_status agn_sound_seek(agn_sound *sound, int64_t frame)
{
    static const char op[] = "sound_seek";
    if (!sound)
        return agni_fail(AGN_ENULL, "%s: sound is NULL", op);
    if (frame < 0 || frame > sound->end)
        return agni_fail(AGN_EARG, "%s: frame %lld is none of the %lld of %s", op, (long long)frame,
                         (long long)sound->end, sound->in.file);
    sound->in.op = op;
    if (sf_seek(sound->file, frame, SEEK_SET) < 0)
        return agni_fail(AGN_EFORMAT, "%s: %s has no way to frame %lld", op, sound->in.file,
                         (long long)frame);
    sound->at = frame;
    return AGN_OK;
}

void agn_sound_close(agn_sound *sound)
{
    if (!sound)
        return;
    if (sound->file)
        sf_close(sound->file);
    agni_input_close(&sound->in);
    agni_free(sound);
}
