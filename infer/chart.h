/* infer/chart.h - how charts are learnt. */
#ifndef AGNI_INFER_CHART_H
#define AGNI_INFER_CHART_H

#include "infer/infer.h"

/* The last draws of a chain and the gradients there, [most, n]. */
typedef struct agni_window {
    int64_t n, most, rank;
    double *q, *g;
} agni_window;

agn_status agni_chart_make(agni_chart *t, agni_window *w, const char *op, int kind, int64_t n, int32_t rank);
void agni_chart_free(agni_chart *t, agni_window *w);
void agni_window_add(agni_window *w, const agni_chart *t, const double *q, const double *g);
agn_status agni_chart_learn(agni_chart *t, agni_window *w, bool *learnt);

#endif
