agninclude_HEADERS += include/agnesi/autograd.h
agninclude_HEADERS += include/agnesi/control.h
libagnesi_la_SOURCES += %D%/sweep.h %D%/walk.c %D%/jvp.c %D%/vjp.c %D%/jet.c %D%/batch.c \
	%D%/transform.h %D%/transform.c %D%/gradient.c %D%/jacobian.c %D%/vmap.c \
	%D%/taylor.c %D%/tape.c %D%/grads.c %D%/check.c %D%/call.c %D%/control.c %D%/scan.h %D%/scan.c \
	%D%/scan_rules.c %D%/extern.c
