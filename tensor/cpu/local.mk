# Sources compiled once per CPU level (AGNI_LEVEL), and the choice between the levels.
LEVEL_SOURCES += %D%/vmath.c %D%/basic.c %D%/small.c %D%/vk.c
libagnesi_la_SOURCES += %D%/levels.c %D%/levels.h %D%/vk.h %D%/vk-level.h \
    %D%/vk-level-body.h %D%/vec.h %D%/vec-isa.h %D%/vec-body.h %D%/vec-turn.h \
    %D%/real.h %D%/vmath.h %D%/vmath-body.h %D%/vmath-trig-body.h \
    %D%/vmath-wide.h %D%/vmath-far-f64.h %D%/vmath-far-f32.h %D%/vmath-loops.h %D%/basic-body.h \
    %D%/small-body.h %D%/coef-f64.h %D%/coef-f32.h
EXTRA_DIST += %D%/coeffs.py %D%/special.py %D%/README.md
EXTRA_DIST += %D%/coeffs.py %D%/README.md
LEVEL_SOURCES += %D%/random.c
LEVEL_SOURCES += %D%/sort.c
LEVEL_SOURCES += %D%/softmax.c
LEVEL_SOURCES += %D%/gemm.c
libagnesi_la_SOURCES += %D%/gemm.h %D%/gemm-body.h %D%/gemv-body.h
libagnesi_la_SOURCES += %D%/softmax.h %D%/softmax-body.h
libagnesi_la_SOURCES += %D%/sort.h %D%/sort-body.h %D%/sort-scan-body.h
libagnesi_la_SOURCES += %D%/random.h
libagnesi_la_SOURCES += %D%/plain-log.h
libagnesi_la_SOURCES += %D%/plain.h
libagnesi_la_SOURCES += %D%/as241.h
libagnesi_la_SOURCES += %D%/gamma.h
LEVEL_SOURCES += %D%/chain.c
LEVEL_SOURCES += %D%/turn.c
libagnesi_la_SOURCES += %D%/turn-body.h
libagnesi_la_SOURCES += %D%/chain.def %D%/chain-body.h
