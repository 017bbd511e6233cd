/* agnesi.h - all of Agnesi */
#ifndef AGNESI_AGNESI_H
#define AGNESI_AGNESI_H

#include <agnesi/core.h>
#include <agnesi/ag.h>

#endif
