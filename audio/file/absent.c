/* audio/file/absent.c - sound files in a build without libsndfile: they are refused. */
#include "tensor/value/tensor.h"

#include <agnesi/audio.h>

static agn_status fail_without_sndfile(const char *op)
{
    return agni_fail(AGN_EUNSUPPORTED, "%s: this library was built without libsndfile", op);
}

agn_status agn_sound_load(agn_tensor **out, int32_t *rate, const char *path,
                          const agn_sound_load_options *opts)
{
    (void)out;
    (void)rate;
    (void)path;
    (void)opts;
    return fail_without_sndfile("sound_load");
}
agn_status agn_sound_decode(agn_tensor **out, int32_t *rate, const void *bytes, size_t n,
                            const agn_sound_load_options *opts)
{
    (void)out;
    (void)rate;
    (void)bytes;
    (void)n;
    (void)opts;
    return fail_without_sndfile("sound_decode");
}
agn_status agn_sound_info(agn_sound_facts *out, const char *path)
{
    (void)out;
    (void)path;
    return fail_without_sndfile("sound_info");
}
agn_status agn_sound_save(const char *path, const agn_tensor *x, int32_t rate,
                          const agn_sound_save_options *opts)
{
    (void)path;
    (void)x;
    (void)rate;
    (void)opts;
    return fail_without_sndfile("sound_save");
}
agn_status agn_sound_encode(agn_tensor **out, const agn_tensor *x, int32_t rate,
                            const agn_sound_save_options *opts)
{
    (void)out;
    (void)x;
    (void)rate;
    (void)opts;
    return fail_without_sndfile("sound_encode");
}
agn_status agn_sound_open(agn_sound **out, agn_sound_facts *facts, const char *path,
                          const agn_sound_load_options *opts)
{
    (void)out;
    (void)facts;
    (void)path;
    (void)opts;
    return fail_without_sndfile("sound_open");
}
agn_status agn_sound_open_bytes(agn_sound **out, agn_sound_facts *facts, const void *bytes,
                                size_t n, const agn_sound_load_options *opts)
{
    (void)out;
    (void)facts;
    (void)bytes;
    (void)n;
    (void)opts;
    return fail_without_sndfile("sound_open_bytes");
}
agn_status agn_sound_create(agn_sound_writer **out, const char *path, int32_t channels,
                            int32_t rate, const agn_sound_save_options *opts)
{
    (void)out;
    (void)path;
    (void)channels;
    (void)rate;
    (void)opts;
    return fail_without_sndfile("sound_create");
}
agn_status agn_sound_write(agn_sound_writer *writer, const agn_tensor *x)
{
    (void)writer;
    (void)x;
    return fail_without_sndfile("sound_write");
}
agn_status agn_sound_commit(agn_sound_writer *writer)
{
    (void)writer;
    return fail_without_sndfile("sound_commit");
}
void agn_sound_writer_release(agn_sound_writer *writer)
{
    (void)writer;
}
agn_status agn_sound_read(agn_tensor **out, agn_sound *sound, int64_t frames)
{
    (void)out;
    (void)sound;
    (void)frames;
    return fail_without_sndfile("sound_read");
}
agn_status agn_sound_seek(agn_sound *sound, int64_t frame)
{
    (void)sound;
    (void)frame;
    return fail_without_sndfile("sound_seek");
}
void agn_sound_close(agn_sound *sound)
{
    (void)sound;
}
