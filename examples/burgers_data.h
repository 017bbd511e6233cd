/* burgers_data.h - the random weights, and the points that the loss is taken at. */
#ifndef BURGERS_DATA_H
#define BURGERS_DATA_H

#include "burgers_ui.h"

#include <agnesi/agnesi.h>

/* of each layer a matrix and a bias */
enum { BURGERS_MOST_WEIGHTS = 2 * (BURGERS_MOST_DEPTH + 1) };

/* Writes a matrix [inputs, outputs] and a bias [1, outputs] for each layer; the first has
 * 3 inputs. */
agn_status burgers_weights(agn_tensor *w[], const burgers_options *o, agn_generator *random);

/* Replaces *z by n points of the equation, where importance(w, z) is large more than
 * elsewhere. */
agn_status burgers_points(agn_tensor **z, int64_t n, agn_generator *random,
                          const agn_fn *importance, const agn_optim *o);

/* f(w, z) for the weights that the minimiser has reached. */
agn_status burgers_at(agn_tensor **out, const agn_fn *f, const agn_optim *o, const agn_tensor *z);

/* Releases n tensors and forgets them. */
void burgers_release(agn_tensor *t[], int32_t n);

#endif
