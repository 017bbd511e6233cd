/* core/internal.h - what only the files of core share with each other. */
#ifndef AGNI_CORE_INTERNAL_H
#define AGNI_CORE_INTERNAL_H

#include "core/core.h"
#include <stdarg.h>

#if defined(__SANITIZE_ADDRESS__)
#define AGNI_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define AGNI_ASAN 1
#endif
#endif
#ifndef AGNI_ASAN
#define AGNI_ASAN 0
#endif

enum { AGNI_REASON_BYTES = 512 }; /* length of the reason why a back end is unavailable */

/* vsnprintf in the C locale */
int agni_vformat(char *buf, size_t n, const char *fmt, va_list ap);


/* asks the host to free memory; true: try again */
bool agni_memory_pressure(size_t bytes);

/* CPUs this process may use: affinity mask and container quota; at least 1 */
int agni_cpu_count(void);

/* there is an interrupt hook, and it may be called on this thread */
bool agni_has_interrupt(void);
bool agni_has_progress(void);

#endif
