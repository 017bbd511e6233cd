/* chart.h - charts of the examples in the coordinates of their data, as SVG: frames with ticks,
   curves, bands, points. Without a file nothing is drawn. */
#ifndef CHART_H
#define CHART_H

#include "picture.h"
#include <math.h>

#define CHART_BLUE "#3b528b"
#define CHART_GREEN "#21918c"
#define CHART_RED "#c44e52"
#define CHART_PALE "#c8dcf0"
#define CHART_GREY "#909090"

/* a rectangle of the picture, and the data that it shows */
typedef struct chart {
    FILE *f;
    double left, top, width, height;
    double x0, x1, y0, y1;
} chart;

static inline double chart_x(const chart *c, double x)
{
    return c->left + c->width * (x - c->x0) / (c->x1 - c->x0);
}
static inline double chart_y(const chart *c, double y)
{
    return c->top + c->height * (c->y1 - y) / (c->y1 - c->y0);
}

/* 1, 2 or 5 times a power of ten: about five of them fill the length */
static inline double chart_step(double length)
{
    double power = pow(10, floor(log10(length / 5))), rest = length / 5 / power;
    return power * (rest < 1.5 ? 1 : rest < 3.5 ? 2 : rest < 7.5 ? 5 : 10);
}
static inline void chart_label(const chart *c, double x, double y, const char *anchor,
                               const char *text)
{
    if (c->f)
        fprintf(c->f,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-family=\"sans-serif\" "
                "font-size=\"11\">%s</text>\n",
                x, y, anchor, text);
}
/* the frame with its ticks, and what stands above it */
static inline void chart_frame(const chart *c, const char *title)
{
    if (!c->f)
        return;
    char text[32];
    fprintf(c->f,
            "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"none\" stroke=\"black\"/>\n",
            c->left, c->top, c->width, c->height);
    double dx = chart_step(c->x1 - c->x0), dy = chart_step(c->y1 - c->y0),
           bottom = c->top + c->height;
    for (double k = ceil(c->x0 / dx); k * dx <= c->x1 + 1e-9 * dx; k++) {
        double at = chart_x(c, k * dx);
        fprintf(c->f, "<path d=\"M%.1f %.1fv4\" stroke=\"black\"/>\n", at, bottom);
        snprintf(text, sizeof text, "%.6g", k * dx + 0.0);
        chart_label(c, at, bottom + 16, "middle", text);
    }
    for (double k = ceil(c->y0 / dy); k * dy <= c->y1 + 1e-9 * dy; k++) {
        double at = chart_y(c, k * dy);
        fprintf(c->f, "<path d=\"M%.1f %.1fh-4\" stroke=\"black\"/>\n", c->left, at);
        snprintf(text, sizeof text, "%.6g", k * dy + 0.0);
        chart_label(c, c->left - 7, at + 4, "end", text);
    }
    chart_label(c, c->left + c->width / 2, c->top - 6, "middle", title);
}
/* what the axes are: below the numbers, and upwards beside them, where 55 and 50 are left */
static inline void chart_axes(const chart *c, const char *across, const char *up)
{
    const double x = c->left - 40, y = c->top + c->height / 2;
    if (!c->f)
        return;
    chart_label(c, c->left + c->width / 2, c->top + c->height + 31, "middle", across);
    fprintf(c->f, "<g transform=\"rotate(-90 %.1f %.1f)\">\n", x, y);
    chart_label(c, x, y, "middle", up);
    fputs("</g>\n", c->f);
}
static inline void chart_curve(const chart *c, int n, const double *x, const double *y,
                               const char *colour)
{
    if (!c->f)
        return;
    fprintf(c->f, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"", colour);
    for (int i = 0; i < n; i++)
        fprintf(c->f, "%.1f,%.1f ", chart_x(c, x[i]), chart_y(c, y[i]));
    fputs("\"/>\n", c->f);
}
/* what lies between two curves */
static inline void chart_band(const chart *c, int n, const double *x, const double *low,
                              const double *high, const char *colour)
{
    if (!c->f)
        return;
    fprintf(c->f, "<polygon fill=\"%s\" points=\"", colour);
    for (int i = 0; i < n; i++)
        fprintf(c->f, "%.1f,%.1f ", chart_x(c, x[i]), chart_y(c, low[i]));
    for (int i = n - 1; i >= 0; i--)
        fprintf(c->f, "%.1f,%.1f ", chart_x(c, x[i]), chart_y(c, high[i]));
    fputs("\"/>\n", c->f);
}
static inline void chart_point(const chart *c, double x, double y, double radius,
                               const char *colour)
{
    if (c->f)
        fprintf(c->f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%g\" fill=\"%s\"/>\n", chart_x(c, x),
                chart_y(c, y), radius, colour);
}
static inline void chart_line(const chart *c, double x0, double y0, double x1, double y1,
                              double width, const char *colour)
{
    if (c->f)
        fprintf(c->f,
                "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"%s\" stroke-width=\"%.2f\" "
                "stroke-linecap=\"round\"/>\n",
                chart_x(c, x0), chart_y(c, y0), chart_x(c, x1), chart_y(c, y1), colour, width);
}

#endif
