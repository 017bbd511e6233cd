/* audio/file/virtual_file.h - bytes in memory as a file of libsndfile. */
#ifndef AGNI_VIRTUAL_FILE_H
#define AGNI_VIRTUAL_FILE_H

#include "exchange/file/file.h"

#include <agnesi/audio.h>
#include <sndfile.h>

enum { AGNI_SOUND_HEAD = 1 << 12 };

/* bytes that are read, from an input, or written, to memory that grows or to a file */
typedef struct agni_virtual_file {
    const agni_input *in;
    bool on_disk; /* written to fd; then bytes are the first AGNI_SOUND_HEAD of it */
    int fd;
    char *bytes; /* written */
    int64_t size, room, at;
    bool failed; /* no memory, or the input has reported why; on disk, error says it */
    int error;
} agni_virtual_file;

/* NULL with a message of op; info->format is 0 to read */
SNDFILE *agni_virtual_open(agni_virtual_file *f, const char *op, int mode, SF_INFO *info,
                           agn_status *st);
/* why bytes were not written: no memory, or what the disk said */
agn_status agni_virtual_fail(const agni_virtual_file *f, const char *op);
/* container and encoding of a format, and the other way round; 0 where there is none */
void agni_sound_describe(const SF_INFO *info, agn_sound_facts *facts);
int agni_sound_format(int32_t container, int32_t encoding, int32_t order);
/* what a headerless file is said to be; else all 0 */
SF_INFO agni_sound_raw(const agn_sound_load_options *a);
/* bytes n at a place that was written before */
void agni_virtual_patch(agni_virtual_file *f, int64_t at, const void *p, size_t n);

/* of agn_sound_load: options with their defaults */
agn_status agni_sound_check_load(agn_sound_load_options *a, const char *op,
                                 const agn_sound_load_options *given);
/* the dtype in which samples are asked for: 16 bits where the file has no more, for floats of them
   are exact */
int agni_sound_carrier(int dtype, const SF_INFO *info);
/* the next frames, most at most, as [channels, frames] or [frames, channels]; *have counts them */
agn_status agni_sound_take(agn_tensor **out, SNDFILE *s, const agni_virtual_file *f, const char *op,
                           const agn_sound_load_options *a, int carrier, int channels, int64_t most,
                           int64_t *have);

/* of agn_sound_save: options with their defaults; x as so many channels of sound */
agn_status agni_sound_check_save(agn_sound_save_options *a, const char *op, int32_t rate,
                                 const agn_sound_save_options *given);
agn_status agni_sound_check_block(int64_t *channels, const char *op, const agn_tensor *x,
                                  const agn_sound_save_options *a);
/* NULL with a message */
SNDFILE *agni_sound_begin(agni_virtual_file *f, const char *op, const agn_sound_save_options *a,
                          int32_t rate, int64_t channels, agn_status *st);
/* frames of x behind those that are there; none where x itself is refused */
agn_status agni_sound_put(SNDFILE *s, agni_virtual_file *f, const char *op, const agn_tensor *x,
                          const agn_sound_save_options *a, int64_t *frames);
/* closes s; what was put is whole */
agn_status agni_sound_end(SNDFILE *s, agni_virtual_file *f, const char *op,
                          const agn_sound_save_options *a, int64_t frames, int64_t channels);

#endif
