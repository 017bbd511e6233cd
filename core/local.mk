agninclude_HEADERS += include/agnesi/core.h
agninclude_HEADERS += include/agnesi/backend.h

# core
libagnesi_la_SOURCES += %D%/version.c
libagnesi_la_SOURCES += %D%/status.c
libagnesi_la_SOURCES += %D%/thread_record.c
libagnesi_la_SOURCES += %D%/format.c
libagnesi_la_SOURCES += %D%/shortest_decimal.c
libagnesi_la_SOURCES += %D%/shortest_decimal.h
libagnesi_la_SOURCES += %D%/host_hooks.c
libagnesi_la_SOURCES += %D%/thread_record.h
libagnesi_la_SOURCES += %D%/core.h
libagnesi_la_SOURCES += %D%/fork_mutex.c
libagnesi_la_SOURCES += %D%/fork_mutex.h
libagnesi_la_SOURCES += %D%/internal.h
EXTRA_DIST += %D%/README.md

# core/random
libagnesi_la_SOURCES += %D%/random/key_generator.c
libagnesi_la_SOURCES += %D%/random/philox.h
EXTRA_DIST += %D%/random/README.md

# core/memory
libagnesi_la_SOURCES += %D%/memory/hash_index.c
libagnesi_la_SOURCES += %D%/memory/hash_index.h
libagnesi_la_SOURCES += %D%/memory/allocator.c
libagnesi_la_SOURCES += %D%/memory/large_block_cache.c
libagnesi_la_SOURCES += %D%/memory/refcount.c
libagnesi_la_SOURCES += %D%/memory/quarantine.c
libagnesi_la_SOURCES += %D%/memory/scope.c
libagnesi_la_SOURCES += %D%/memory/scope.h
EXTRA_DIST += %D%/memory/README.md

# core/threads
libagnesi_la_SOURCES += %D%/threads/thread_count.c
libagnesi_la_SOURCES += %D%/threads/thread_pool.c
libagnesi_la_SOURCES += %D%/threads/cancel.c
libagnesi_la_SOURCES += %D%/threads/cancel.h
libagnesi_la_SOURCES += %D%/threads/stack.c
libagnesi_la_SOURCES += %D%/threads/stack.h
libagnesi_la_SOURCES += %D%/threads/fpmode.h
EXTRA_DIST += %D%/threads/README.md

# core/device
libagnesi_la_SOURCES += %D%/device/cpu_level.c
libagnesi_la_SOURCES += %D%/device/backend_registry.c
libagnesi_la_SOURCES += %D%/device/host_backend.c
libagnesi_la_SOURCES += %D%/device/backend_loader.c
libagnesi_la_SOURCES += %D%/device/device_memory.c
libagnesi_la_SOURCES += %D%/device/device_queue.c
libagnesi_la_SOURCES += %D%/device/cpu_level.h
libagnesi_la_SOURCES += %D%/device/backend_registry.h
libagnesi_la_SOURCES += %D%/device/backend_loader.h
EXTRA_DIST += %D%/device/README.md
