/* linearity.h - dependence and linearity of the values of a program. */
#ifndef AGNI_LINEARITY_H
#define AGNI_LINEARITY_H

#include "autograd/modes/modes.h"

/* Fixed point over the steps of a loop: here[n_in] marks inputs of a body; carried values that
   depend on them after any number of steps are added. dep[n_val]: all values that do. */
agn_status agni_dependence_through_loop(const agni_prog *p, int n_carried, bool *here, bool *dep);

/* Is every node of the program linear in what depends on the named inputs? Else AGN_EDOMAIN, naming
   the first that is not. open, if it is not NULL, is set where something without a value yet is
   added, which must be zero. */
agn_status agni_check_linear(agni_traversal *w, const bool *named, bool *open);
/* only that no constant is added; else AGN_EDOMAIN */
agn_status agni_check_no_constant(agni_traversal *w, const bool *named);
bool agni_is_nonzero(agn_scope *s, const agn_tensor *y); /* known and not 0 */

#endif
