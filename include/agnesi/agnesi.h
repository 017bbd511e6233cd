/* agnesi.h - all of Agnesi */
#ifndef AGNESI_AGNESI_H
#define AGNESI_AGNESI_H

#include <agnesi/core.h>
#include <agnesi/autograd.h>
#include <agnesi/control.h>
#include <agnesi/backend.h>
#include <agnesi/check.h>
#include <agnesi/implicit.h>
#include <agnesi/krylov.h>
#include <agnesi/operator.h>
#include <agnesi/tape.h>
#include <agnesi/ag.h>
#include <agnesi/into.h>

#endif
