/* audio/file/writer.c - a sound file by blocks, written beside the one that it replaces in the end.
   */
#include "audio/file/virtual_file.h"

#include <string.h>

struct agn_sound_writer {
    agni_replacement place;
    agni_virtual_file f;
    SNDFILE *file; /* NULL: committed, or given up */
    agn_sound_save_options as;
    int64_t channels, frames;
    char head[AGNI_SOUND_HEAD];
};

/* the file beside is dropped: nothing more can be written */
static void give_up(agn_sound_writer *w)
{
    agni_held_signals held;
    agni_hold_signals(&held);
    sf_close(w->file);
    agni_let_signals(&held);
    w->file = NULL;
    agni_replace_drop(&w->place);
}

agn_status agn_sound_create(agn_sound_writer **out, const char *path, int32_t channels,
                            int32_t rate, const agn_sound_save_options *opts)
{
    static const char op[] = "sound_create";
    agn_sound_save_options a;
    agni_held_signals held;
    if (!out || !path)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, out ? "path" : "out");
    agn_status st = agni_sound_check_save(&a, op, rate, opts);
    if (!st && (channels < 1 || channels > 1024))
        st = agni_fail(AGN_EARG, "%s: %d channels; there are 1 to 1024", op, channels);
    if (st)
        return st;
    agn_sound_writer *w = agni_zalloc(sizeof *w);
    if (!w)
        return agni_nomem(op, sizeof *w);
    st = agni_replace_begin(&w->place, op, path);
    if (st) {
        agni_free(w);
        return st;
    }
    w->as = a;
    w->channels = channels;
    w->f = (agni_virtual_file){.on_disk = true, .fd = w->place.fd, .bytes = w->head};
    agni_hold_signals(&held);
    w->file = agni_sound_begin(&w->f, op, &a, rate, channels, &st);
    agni_let_signals(&held);
    if (st) {
        agni_replace_drop(&w->place);
        agni_free(w);
        return st;
    }
    *out = w;
    return AGN_OK;
}

static agn_status check_writer(const char *op, const agn_sound_writer *w)
{
    if (!w)
        return agni_fail(AGN_ENULL, "%s: writer is NULL", op);
    if (!w->file)
        return agni_fail(AGN_EARG, "%s: the writer has failed, or was committed", op);
    return AGN_OK;
}

agn_status agn_sound_write(agn_sound_writer *writer, const agn_tensor *x)
{
    static const char op[] = "sound_write";
    agni_held_signals held;
    int64_t channels = 0;
    agn_status st = check_writer(op, writer);
    if (!st && !x)
        st = agni_fail(AGN_ENULL, "%s: x is NULL", op);
    if (!st)
        st = agni_sound_check_block(&channels, op, x, &writer->as);
    if (!st && channels != writer->channels)
        st = agni_fail(AGN_ESHAPE, "%s: x is %s, of %d channels; the file has %d", op,
                       AGNI_SHAPE(x), (int)channels, (int)writer->channels);
    if (st)
        return st;
    agni_hold_signals(&held);
    st = agni_sound_put(writer->file, &writer->f, op, x, &writer->as, &writer->frames);
    agni_let_signals(&held);
    if (st == AGN_EIO || st == AGN_ENOMEM || st == AGN_EFORMAT)
        give_up(writer);
    return st;
}

agn_status agn_sound_commit(agn_sound_writer *writer)
{
    static const char op[] = "sound_commit";
    agni_held_signals held;
    agn_status st = check_writer(op, writer);
    if (st)
        return st;
    agni_hold_signals(&held);
    st = agni_sound_end(writer->file, &writer->f, op, &writer->as, writer->frames,
                        writer->channels);
    agni_let_signals(&held);
    writer->file = NULL;
    if (!st)
        return agni_replace_end(&writer->place, op);
    agni_replace_drop(&writer->place);
    return st;
}

void agn_sound_writer_release(agn_sound_writer *writer)
{
    if (!writer)
        return;
    if (writer->file)
        give_up(writer);
    agni_free(writer);
}
