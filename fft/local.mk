agninclude_HEADERS += include/agnesi/fft.h
libagnesi_la_SOURCES += %D%/fft.h %D%/ops.c %D%/rules.c fft/fft_convolve.c
if HAVE_FFTW
libagnesi_la_SOURCES += fft/cpu/planner.c fft/cpu/executor.c
else
libagnesi_la_SOURCES += %D%/cpu/absent.c
endif
EXTRA_DIST += %D%/README.md
