/* diagonal_seeds.h - Jacobians of functions of rows that do not meet: all rows in one sweep. */
#ifndef AGNI_DIAGONAL_SEEDS_H
#define AGNI_DIAGONAL_SEEDS_H

#include "autograd/modes/zeros.h"
#include "autograd/transforms/transform.h"

/* Do the rows of from, along its first axis, stay apart in p, a linear program with one input like
   from, up to sums and products over all of them, behind which lanes take little work? */
agn_status agni_rows_stay_apart(bool *yes, const agni_prog *p, const agn_tensor *from);
/* Then the results of p for all unit seeds of from, or i times them, [seeds, ...] each, to j; else
   false. True with s failed: no memory. */
bool agni_run_diagonal_seeds(agn_scope *s, const agni_prog *p, const agn_tensor *from,
                             bool imaginary, const agn_tensor **j);

#endif
