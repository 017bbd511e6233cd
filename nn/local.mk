agninclude_HEADERS += include/agnesi/nn.h
libagnesi_la_SOURCES += %D%/nn.h %D%/call.c
libagnesi_la_SOURCES += %D%/activation.c %D%/softmax.c
libagnesi_la_SOURCES += %D%/loss.c %D%/classify.c %D%/distance.c %D%/tree.c %D%/lattice.c
libagnesi_la_SOURCES += %D%/linear.c %D%/norm.c
EXTRA_DIST += %D%/README.md
