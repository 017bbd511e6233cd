agninclude_HEADERS += include/agnesi/audio.h
agninclude_HEADERS += include/agnesi/audio_effects.h
agninclude_HEADERS += include/agnesi/audio_music.h
agninclude_HEADERS += include/agnesi/audio_speech.h

# audio
libagnesi_la_SOURCES += %D%/window.c
libagnesi_la_SOURCES += %D%/spectrogram.c
libagnesi_la_SOURCES += %D%/audio.h
libagnesi_la_SOURCES += %D%/arguments.c
libagnesi_la_SOURCES += %D%/mel.c
libagnesi_la_SOURCES += %D%/decibel.c
libagnesi_la_SOURCES += %D%/cepstrum.c
libagnesi_la_SOURCES += %D%/descriptors.c
libagnesi_la_SOURCES += %D%/vocoder.c
libagnesi_la_SOURCES += %D%/biquad.c
libagnesi_la_SOURCES += %D%/loudness.c
libagnesi_la_SOURCES += %D%/pitch.c
libagnesi_la_SOURCES += %D%/align.c
libagnesi_la_SOURCES += %D%/contrast.c
libagnesi_la_SOURCES += %D%/music/constant_q.c
libagnesi_la_SOURCES += %D%/music/chroma.c
libagnesi_la_SOURCES += %D%/music/rhythm.c
libagnesi_la_SOURCES += %D%/music/viterbi.c
libagnesi_la_SOURCES += %D%/music/pyin.c
libagnesi_la_SOURCES += %D%/music/activity.c
libagnesi_la_SOURCES += %D%/music/shape.c
libagnesi_la_SOURCES += %D%/music/recurrence.c
libagnesi_la_SOURCES += %D%/music/semitones.c
libagnesi_la_SOURCES += %D%/music/mellin.c
libagnesi_la_SOURCES += %D%/music/pulse.c
libagnesi_la_SOURCES += %D%/music/likeness.c
libagnesi_la_SOURCES += %D%/music/layers.c
libagnesi_la_SOURCES += %D%/music/notes.c
libagnesi_la_SOURCES += %D%/effects/levels.c
libagnesi_la_SOURCES += %D%/effects/delays.c
libagnesi_la_SOURCES += %D%/effects/rates.c
libagnesi_la_SOURCES += %D%/effects/equalise.c
libagnesi_la_SOURCES += %D%/speech/speech.h
libagnesi_la_SOURCES += %D%/speech/kaldi.c
libagnesi_la_SOURCES += %D%/speech/labels.c
libagnesi_la_SOURCES += %D%/speech/prefixes.c
libagnesi_la_SOURCES += %D%/speech/beamform.c
libagnesi_la_SOURCES += %D%/speech/room.c
libagnesi_la_SOURCES += %D%/file/collection.c
if HAVE_SNDFILE
libagnesi_la_SOURCES += %D%/file/virtual_file.h
libagnesi_la_SOURCES += %D%/file/virtual_file.c
libagnesi_la_SOURCES += %D%/file/load.c
libagnesi_la_SOURCES += %D%/file/save.c
libagnesi_la_SOURCES += %D%/file/stream.c
libagnesi_la_SOURCES += %D%/file/writer.c
else
libagnesi_la_SOURCES += %D%/file/absent.c
endif
EXTRA_DIST += %D%/file/README.md
EXTRA_DIST += %D%/effects/README.md %D%/speech/README.md
EXTRA_DIST += %D%/README.md %D%/music/README.md
