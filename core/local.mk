agninclude_HEADERS += include/agnesi/core.h include/agnesi/backend.h
libagnesi_la_SOURCES += %D%/version.c %D%/status.c core/thread_record.c core/memory/allocator.c core/memory/large_block_cache.c core/format.c core/shortest_decimal.c core/shortest_decimal.h core/memory/refcount.c \
	core/memory/scope.c core/host_hooks.c core/threads/thread_count.c core/threads/thread_pool.c core/device/cpu_level.c core/key_generator.c \
	core/device/backend_registry.c core/device/host_backend.c core/device/backend_loader.c core/thread_record.h %D%/core.h core/device/cpu_level.h core/device/backend_registry.h \
	core/threads/fpmode.h %D%/internal.h %D%/philox.h core/device/backend_loader.h core/memory/scope.h
EXTRA_DIST += %D%/README.md
