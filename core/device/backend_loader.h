/* core/device/backend_loader.h - between the registry of back ends and the loader of modules. */
#ifndef AGNI_BACKEND_LOADER_H
#define AGNI_BACKEND_LOADER_H

#include "core/device/backend_registry.h"

extern const agn_backend agni_cpu_backend; /* core/device/host_backend.c */

bool agni_backend_known(const char *name);
/* Stores, and reads, the reason why a back end is unavailable. */
void agni_backend_refuse(const char *name, const char *why);
bool agni_backend_refused(const char *name, char *why, size_t n);

#endif
