/* audio/speech/speech.h - what the files of this room share. */
#ifndef AGNI_AUDIO_SPEECH_H
#define AGNI_AUDIO_SPEECH_H

#include "audio/audio.h"

#include <agnesi/audio_speech.h>

/* a row of i64 or i32 as i64 on the host, owned by *owner */
agn_status agni_labels_read(agn_tensor **owner, const int64_t **v, const char *op, const char *name,
                            const agn_tensor *x);
/* logarithms of probabilities [frames, classes], of which blank is one, as f64 on the host */
agn_status agni_emissions_read(agn_tensor **owner, const double **v, const char *op,
                               const agn_tensor *x, int32_t blank);

#endif
