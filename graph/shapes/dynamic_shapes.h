/* graph/shapes/dynamic_shapes.h - sizes left open: one program for all of them, traced a few times. */
#ifndef AGNI_OPEN_H
#define AGNI_OPEN_H

#include "graph/program/program.h"

typedef struct agni_open agni_open;

/* shape: of n arguments, such as "n, 2" (agnesi/graph.h) */
agn_status agni_open_new(agni_open **out, int n, const char *const *shape);
void agni_open_free(agni_open *o); /* NULL allowed */
/* The stored program of f for arguments like in[]. */
agn_status agni_open_program(agni_prog **out, agni_open *o, const agn_fn *f,
                             const agn_tensor *const *in);

#endif
