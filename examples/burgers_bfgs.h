/* burgers_bfgs.h - minimise a smooth function of some thousand variables. */
#ifndef BURGERS_BFGS_H
#define BURGERS_BFGS_H

#include <stdbool.h>
#include <stddef.h>

/* Writes the value and the gradient at x; false stops the search. */
typedef bool bfgs_objective(void *user, const double *x, double *value,
                            double *gradient);

/* The first three members may be read between steps. */
typedef struct {
    double value, *x, *gradient;
    long evaluations;
    size_t n;
    bfgs_objective *objective;
    void *user;
    bool fresh;     /* the matrix holds nothing yet */
    bool ready;     /* the next direction is in its room */
    double scale;   /* the inverse Hessian is scale * matrix */
    double *matrix; /* n x n, symmetric */
    double
        *room[6]; /* direction, trial point and gradient, image of the gradient, ... */
} bfgs;

typedef enum {
    BFGS_OK,
    BFGS_STALLED, /* no step of any length makes the value smaller */
    BFGS_STOPPED  /* the objective said so */
} bfgs_status;

/* NULL without memory. */
bfgs *bfgs_new(size_t n, bfgs_objective *objective, void *user);
void bfgs_free(bfgs *b);

/* Sets the point and evaluates there. What is known of the curvature is kept: call it
 * again when the objective has changed a little, as after a new draw of points. */
bfgs_status bfgs_start(bfgs *b, const double *x);

/* One line search and one update. */
bfgs_status bfgs_step(bfgs *b);

#endif
