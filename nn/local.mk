agninclude_HEADERS += include/agnesi/nn.h

# nn
libagnesi_la_SOURCES += %D%/nn.h
libagnesi_la_SOURCES += %D%/call.c
libagnesi_la_SOURCES += %D%/activation.c
libagnesi_la_SOURCES += %D%/softmax_glu.c
libagnesi_la_SOURCES += %D%/elementwise_losses.c
libagnesi_la_SOURCES += %D%/classification_losses.c
libagnesi_la_SOURCES += %D%/similarity.c
libagnesi_la_SOURCES += %D%/sequence_losses.c
libagnesi_la_SOURCES += %D%/hierarchical_softmax.c
libagnesi_la_SOURCES += %D%/linear.c
libagnesi_la_SOURCES += %D%/normalization.c
libagnesi_la_SOURCES += %D%/initializers.c
EXTRA_DIST += %D%/README.md
