/* burgers_report.h - watches a training: progress line, history, closing lines,
 * picture. */
#ifndef BURGERS_REPORT_H
#define BURGERS_REPORT_H

#include "burgers_ui.h"

#include <agnesi/agnesi.h>

enum { BURGERS_NT = 100, BURGERS_NX = 256 };

typedef struct {
    double t[BURGERS_NT], x[BURGERS_NX]; /* the usual grid: t = 0, 0.01, ..., 0.99 */
    const burgers_options *options;
    const agn_fn *predict; /* (w, z) -> u */
    agn_tensor *grid;      /* z there */
    double *u, *exact;
    double *step, *loss, *error; /* the history; error is NaN where it was not taken */
    long count, room, total, adam_steps;
    int64_t next;         /* step of the next measurement */
    double last, seconds; /* last error taken; whole training */
    bool drawn;           /* the picture is written */
    burgers_progress progress;
} burgers_report;

/* total: how many steps are planned, adam_steps: of the first phase. */
agn_status burgers_report_new(burgers_report **out, const burgers_options *o,
                              long total, long adam_steps);
void burgers_report_free(burgers_report *r);

/* To be called before training, after every step, and after training. A step is an
 * evaluation: a search along a line may take several. */
void burgers_report_begin(burgers_report *r, const agn_fn *predict);
agn_status burgers_report_step(burgers_report *r, const agn_optim *o, int64_t step,
                               double loss);
agn_status burgers_report_end(burgers_report *r, const agn_optim *o);

#endif
