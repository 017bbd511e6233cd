/* burgers_report.h - watches a training: progress line, history, closing lines,
 * picture. */
#ifndef BURGERS_REPORT_H
#define BURGERS_REPORT_H

#include "burgers_ui.h"

enum { BURGERS_NT = 100, BURGERS_NX = 256 };

/* Writes u for the parameters w on the grid, times by rows; false if it cannot. */
typedef bool burgers_predict(void *user, const double *w, double *u);

typedef struct {
    double t[BURGERS_NT], x[BURGERS_NX]; /* the usual grid: t = 0, 0.01, ..., 0.99 */
    const burgers_options *options;
    burgers_predict *predict;
    void *user;
    double *u, *exact;
    double *step, *loss, *error; /* the history; error is NaN where it was not taken */
    long count, room, total, adam_steps, next; /* step of the next measurement */
    double last, seconds;                      /* last error taken; whole training */
    burgers_progress progress;
} burgers_report;

/* NULL without memory. total: how many steps are planned, adam_steps: of the first
 * phase. */
burgers_report *burgers_report_new(const burgers_options *o, long total,
                                   long adam_steps, burgers_predict *predict,
                                   void *user);
void burgers_report_free(burgers_report *r);

/* To be called before training, after every step, and after training. */
void burgers_report_begin(burgers_report *r);
bool burgers_report_step(burgers_report *r, const double *w, long step, double loss);
bool burgers_report_end(burgers_report *r, const double *w);

#endif
