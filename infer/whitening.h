/* infer/whitening.h - how a chain learns its whitening. */
#ifndef AGNI_INFER_WHITENING_H
#define AGNI_INFER_WHITENING_H

#include "infer/infer.h"

/* The last draws of a chain and the gradients there, [most, n]. */
typedef struct agni_window {
    int64_t n, most, rank;
    double *q, *g;
} agni_window;

agn_status agni_whitening_make(agni_whitening *t, agni_window *w, const char *op, int kind,
                               int64_t n, int32_t rank);
void agni_whitening_free(agni_whitening *t, agni_window *w);
void agni_window_add(agni_window *w, const agni_whitening *t, const double *q, const double *g);
agn_status agni_whitening_learn(agni_whitening *t, agni_window *w, bool *learnt);

#endif
