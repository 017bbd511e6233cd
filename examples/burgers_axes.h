/* burgers_axes.h - axes, ticks, curves, maps and text of a figure, over cairo. */
#ifndef BURGERS_AXES_H
#define BURGERS_AXES_H

#include "burgers_colour.h"

#include <cairo.h>
#include <stdbool.h>
#include <stddef.h>

/* A box on the page (pixels) and what its edges mean (data); y may be logarithmic. */
typedef struct {
    double left, top, width, height;
    double x0, x1, y0, y1;
    bool log_y;
} axes;

typedef struct {
    colour ink;
    double width;
    double dash; /* 0: solid */
} pen;

double axes_x(const axes *a, double x); /* data to pixels */
double axes_y(const axes *a, double y);

/* Text in which / toggles italics, ^ a raised and _ a lowered part. Align 0 sets the
 * left end at x, 0.5 the middle, 1 the right end; angle in degrees. Returns the width.
 */
double figure_text(cairo_t *cr, double x, double y, double size, double align,
                   double angle, const char *text);
void figure_ink(cairo_t *cr, colour c);
void figure_pen(cairo_t *cr, const pen *p);

/* Frame, ticks and numbers; labels may be NULL, and without numbers ticks stay bare. */
void axes_frame(cairo_t *cr, const axes *a, bool y_numbers);
void axes_labels(cairo_t *cr, const axes *a, const char *title, const char *x_label,
                 const char *y_label);
void axes_curve(cairo_t *cr, const axes *a, const double *x, const double *y, size_t n,
                const pen *p);
void axes_vertical(cairo_t *cr, const axes *a, double x, const pen *p);

/* The n entries of a legend, in a row that ends at the right edge above the box. */
void axes_legend(cairo_t *cr, const axes *a, const char *const *names, const pen *pens,
                 size_t n);

/* v[i * nj + j] at (x0 + i dx, y0 + j dy) as colours, bilinear between the nodes; v is
 * given in units of the map's range, 0 to 1. Draws the colour bar when bar is not NULL:
 * its y0, y1, log_y tell the range. */
void axes_map(cairo_t *cr, const axes *a, const double *v, size_t ni, size_t nj,
              colour (*map)(double), const axes *bar);

#endif
