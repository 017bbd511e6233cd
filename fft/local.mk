agninclude_HEADERS += include/agnesi/fft.h
agninclude_HEADERS += include/agnesi/signal.h

# fft
libagnesi_cuda_la_SOURCES += %D%/cuda/kernels.h
libagnesi_cuda_la_SOURCES += %D%/cuda/cufft.c
libagnesi_cuda_la_SOURCES += %D%/cuda/scale.cu
libagnesi_la_SOURCES += %D%/fft.h
libagnesi_la_SOURCES += %D%/ops.c
libagnesi_la_SOURCES += %D%/rules.c
libagnesi_la_SOURCES += %D%/arguments.c
libagnesi_la_SOURCES += %D%/transforms.c
libagnesi_la_SOURCES += %D%/circulant.c
libagnesi_la_SOURCES += %D%/r2r.c
libagnesi_la_SOURCES += %D%/frequencies.c
libagnesi_la_SOURCES += %D%/lengths.c
libagnesi_la_SOURCES += %D%/chirp_z.c
libagnesi_la_SOURCES += %D%/hankel.c
libagnesi_la_SOURCES += %D%/derivative.c
libagnesi_la_SOURCES += %D%/fft_convolve.c
libagnesi_la_SOURCES += %D%/nonuniform.c
libagnesi_la_SOURCES += %D%/wisdom.c
libagnesi_la_SOURCES += %D%/signal/signal.h
libagnesi_la_SOURCES += %D%/signal/windows.c
libagnesi_la_SOURCES += %D%/signal/frames.c
libagnesi_la_SOURCES += %D%/signal/stft.c
libagnesi_la_SOURCES += %D%/signal/allpole.c
libagnesi_la_SOURCES += %D%/signal/filter.c
libagnesi_la_SOURCES += %D%/signal/sections.c
libagnesi_la_SOURCES += %D%/signal/convolve.c
libagnesi_la_SOURCES += %D%/signal/spectral.c
libagnesi_la_SOURCES += %D%/signal/analytic.c
libagnesi_la_SOURCES += %D%/signal/multirate.c
libagnesi_la_SOURCES += %D%/signal/smooth.c
libagnesi_la_SOURCES += %D%/signal/waveforms.c
libagnesi_la_SOURCES += %D%/signal/peaks.c
libagnesi_la_SOURCES += %D%/signal/wavelets.c
libagnesi_la_SOURCES += %D%/signal/cwt.c
libagnesi_la_SOURCES += %D%/signal/design/roots.h
libagnesi_la_SOURCES += %D%/signal/design/prototypes.c
libagnesi_la_SOURCES += %D%/signal/design/iir.c
libagnesi_la_SOURCES += %D%/signal/design/fir.c
libagnesi_la_SOURCES += %D%/signal/design/equiripple.c
libagnesi_la_SOURCES += %D%/signal/design/response.c
EXTRA_DIST += %D%/README.md %D%/signal/README.md %D%/signal/design/README.md
libagnesi_la_SOURCES += %D%/cpu/running_median.c %D%/cpu/running_median.h
if HAVE_FFTW
libagnesi_la_SOURCES += %D%/cpu/planner.c
libagnesi_la_SOURCES += %D%/cpu/executor.c
libagnesi_la_SOURCES += %D%/cpu/columns.c
else
libagnesi_la_SOURCES += %D%/cpu/absent.c
endif
