/* core/memory/scope.h - scopes of any counted object. A tensor begins with an agni_obj, so a
   pointer to a tensor is a pointer to its head. */
#ifndef AGNI_SCOPE_H
#define AGNI_SCOPE_H

#include "core/core.h"

/* Hands a reference to the scope: released at close, or at once if the scope has failed
   or fails by this call. Returns the status of the scope. */
agn_status agni_scope_adopt(agn_scope *s, agni_obj *o);

/* Long traversals drop intermediate results early: a mark, and the release of everything that the
   scope adopted after it. */
int64_t agni_scope_mark(const agn_scope *s);
void agni_scope_rewind(agn_scope *s, int64_t mark);

#endif
