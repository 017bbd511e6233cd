agninclude_HEADERS += include/agnesi/audio.h
libagnesi_la_SOURCES += %D%/window.c %D%/spectrogram.c
EXTRA_DIST += %D%/README.md
