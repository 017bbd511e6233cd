/* graph/shapes/dynamic_shapes.h - sizes left open: one program for all of them, traced a few
   times. */
#ifndef AGNI_OPEN_H
#define AGNI_OPEN_H

#include "graph/program/program.h"

typedef struct agni_dynamic_shapes agni_dynamic_shapes;

/* shape: of n arguments, such as "n, 2" (agnesi/graph.h) */
agn_status agni_dynamic_shapes_parse(agni_dynamic_shapes **out, int n, const char *const *shape);
void agni_dynamic_shapes_free(agni_dynamic_shapes *o); /* NULL allowed */
/* The stored program of f for arguments like in[]. */
agn_status agni_dynamic_shapes_program(agni_prog **out, agni_dynamic_shapes *o, const agn_fn *f,
                             const agn_tensor *const *in);

#endif
