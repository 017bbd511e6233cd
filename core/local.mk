agninclude_HEADERS += include/agnesi/core.h include/agnesi/backend.h
libagnesi_la_SOURCES += %D%/version.c %D%/status.c %D%/account.c %D%/memory.c %D%/large.c %D%/number.c %D%/shortest.c %D%/shortest.h %D%/object.c \
	%D%/scope.c %D%/hooks.c %D%/threads.c %D%/pool.c %D%/cpu.c %D%/generator.c \
	%D%/device.c %D%/host.c %D%/plugin.c %D%/account.h %D%/core.h %D%/cpu.h %D%/device.h \
	%D%/fpmode.h %D%/internal.h %D%/philox.h %D%/plugin.h %D%/scope.h
EXTRA_DIST += %D%/README.md
