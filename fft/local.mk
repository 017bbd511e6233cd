agninclude_HEADERS += include/agnesi/fft.h
libagnesi_la_SOURCES += %D%/fft.h %D%/ops.c %D%/rules.c %D%/convolve.c
if HAVE_FFTW
libagnesi_la_SOURCES += %D%/cpu/plan.c %D%/cpu/run.c
else
libagnesi_la_SOURCES += %D%/cpu/absent.c
endif
EXTRA_DIST += %D%/README.md
