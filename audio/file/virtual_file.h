/* audio/file/virtual_file.h - bytes in memory as a file of libsndfile. */
#ifndef AGNI_VIRTUAL_FILE_H
#define AGNI_VIRTUAL_FILE_H

#include "exchange/file/file.h"

#include <agnesi/audio.h>
#include <sndfile.h>

/* bytes that are read, from an input, or written, to memory that grows */
typedef struct agni_virtual_file {
    const agni_input *in;
    char *bytes; /* written */
    int64_t size, room, at;
    bool failed; /* no memory, or the input has reported why */
} agni_virtual_file;

/* NULL with a message of op; info->format is 0 to read */
SNDFILE *agni_virtual_open(agni_virtual_file *f, const char *op, int mode, SF_INFO *info, agn_status *st);
/* container and encoding of a format, and the other way round; 0 where there is none */
void agni_sound_describe(const SF_INFO *info, agn_sound_facts *facts);
int agni_sound_format(int32_t container, int32_t encoding);

/* of agn_sound_load: options with their defaults */
agn_status agni_sound_check_load(agn_sound_load_options *a, const char *op, const agn_sound_load_options *given);
/* appends frames to *rows until there are most of them, or no more; *have counts them */
agn_status agni_sound_read_rows(SNDFILE *s, const agni_virtual_file *f, const char *op, const agn_sound_load_options *a,
                                int channels, int64_t most, char **rows, int64_t *have);
/* rows of frames as [channels, frames] or [frames, channels] */
agn_status agni_sound_arrange(agn_tensor **out, const agn_sound_load_options *a, const char *rows, int64_t frames,
                              int64_t channels);

#endif
