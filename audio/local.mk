agninclude_HEADERS += include/agnesi/audio.h

# audio
libagnesi_la_SOURCES += %D%/window.c
libagnesi_la_SOURCES += %D%/spectrogram.c
EXTRA_DIST += %D%/README.md
