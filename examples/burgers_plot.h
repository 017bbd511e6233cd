/* burgers_plot.h - the Burgers example's picture: a page of four panels. */
#ifndef BURGERS_PLOT_H
#define BURGERS_PLOT_H

#include <stddef.h>

typedef struct {
    const char *subtitle; /* one line below the title; NULL for none */
    size_t nt, nx;        /* the grid, at least 2 x 2 */
    const double *t, *x;  /* ascending, evenly spaced */
    const double *u;      /* network, row i at t[i] */
    const double *exact;
    size_t n_steps;     /* points of the history; 0 leaves the panel empty */
    const double *step; /* ascending */
    const double *loss; /* at these steps */
    const double
        *error; /* relative L2 error, NaN where it was not taken; NULL: no curve */
    double adam_steps;  /* where the second phase begins */
    const char *second; /* its name: "L-BFGS" */
} burgers_picture;

/**
 * burgers_plot - draw the picture into a PNG file
 *
 * @param p     what to draw
 * @param path  the file to write
 * @return  NULL, or why there is no picture (static text)
 */
const char *burgers_plot(const burgers_picture *p, const char *path);

#endif
