/*
 * burgers_plot.c - the Burgers example's picture
 *
 * Above: the network's u(t,x) and its distance from the exact solution, as maps. Below:
 * three moments, network over exact solution, and the course of training.
 */
#include "burgers_plot.h"
#include "burgers_axes.h"

#include <cairo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 1600, HEIGHT = 1000 };

#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

static const double moments[] = {0.25, 0.5, 0.75};

static const colour ink = {0.13, 0.14, 0.17}, faint = {0.42, 0.43, 0.47};
static const pen exact_pen = {{0.62, 0.74, 0.90}, 6, 0};
static const pen network_pen = {{0.72, 0.13, 0.12}, 2, 7};
static const pen adam_pen = {{0.90, 0.56, 0.12}, 1.8, 0};
static const pen second_pen = {{0.13, 0.38, 0.68}, 1.8, 0};
static const pen error_pen = {{0.25, 0.27, 0.30}, 1.8, 0};
static const pen mark_pen = {{0.25, 0.26, 0.30}, 1, 4};

/* The page: two columns, two rows; maps leave room for their colour bars. */
static const double column[] = {96, 900}, row[] = {142, 602}, tall = 334, wide = 560;
static const double whole = 640; /* a panel without a colour bar */

static void draw_title(cairo_t *cr, const burgers_picture *p)
{
    figure_ink(cr, ink);
    figure_text(cr, column[0], 52, 27, 0, 0,
                "Burgers equation solved by a physics-informed network");
    figure_ink(cr, faint);
    if (p->subtitle)
        figure_text(cr, column[0], 84, 16.5, 0, 0, p->subtitle);
}

static size_t nearest(const double *v, size_t n, double to)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        if (fabs(v[i] - to) < fabs(v[best] - to))
            best = i;
    return best;
}

static axes map_axes(const burgers_picture *p, int col)
{
    return (axes){column[col], row[0],          wide, tall, p->t[0], p->t[p->nt - 1],
                  p->x[0],     p->x[p->nx - 1], false};
}

static void draw_map(cairo_t *cr, const burgers_picture *p, const axes *a,
                     const double *scaled, colour (*map)(double), const axes *bar,
                     const char *title, const pen *mark)
{
    axes_map(cr, a, scaled, p->nt, p->nx, map, bar);
    for (size_t k = 0; k < LENGTH(moments); k++)
        axes_vertical(cr, a, p->t[nearest(p->t, p->nt, moments[k])], mark);
    axes_frame(cr, a, true);
    axes_labels(cr, a, title, "/t/", "/x/");
}

static void draw_solution(cairo_t *cr, const burgers_picture *p, double *scratch)
{
    double top = 0;
    for (size_t i = 0; i < p->nt * p->nx; i++)
        top = fmax(top, fabs(p->u[i]));
    top = top > 0 ? ceil(top * 10 - 0.05) / 10 : 1;
    for (size_t i = 0; i < p->nt * p->nx; i++)
        scratch[i] = 0.5 + 0.5 * p->u[i] / top;
    axes a = map_axes(p, 0);
    axes bar = {a.left + wide + 18, row[0], 18, tall, 0, 1, -top, top, false};
    draw_map(cr, p, &a, scratch, colour_diverging, &bar, "/u/(/t/, /x/) of the network",
             &mark_pen);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Decades from the two-percent quantile to the maximum, six at most. */
static void error_range(double *v, size_t n, double *low, double *high)
{
    qsort(v, n, sizeof *v, by_value);
    double top = v[n - 1] > 0 ? ceil(log10(v[n - 1])) : 0, quantile = v[n / 50];
    double foot = quantile > 0 ? floor(log10(quantile)) : top - 6;
    *high = pow(10, top);
    *low = pow(10, fmin(fmax(foot, top - 6), top - 1));
}

static void draw_error(cairo_t *cr, const burgers_picture *p, double *scratch)
{
    static const pen mark = {{0.86, 0.86, 0.88}, 1, 4};
    size_t n = p->nt * p->nx;
    axes a = map_axes(p, 1),
         bar = {a.left + wide + 18, row[0], 18, tall, 0, 1, 0, 0, true};
    for (size_t i = 0; i < n; i++)
        scratch[i] = fabs(p->u[i] - p->exact[i]);
    error_range(scratch, n, &bar.y0, &bar.y1);
    for (size_t i = 0; i < n; i++)
        scratch[i] = log(fmax(fabs(p->u[i] - p->exact[i]), bar.y0) / bar.y0) /
                     log(bar.y1 / bar.y0);
    draw_map(cr, p, &a, scratch, colour_sequential, &bar,
             "Pointwise error |/u/ \u2212 /u/_exact_|", &mark);
}

static void draw_moments(cairo_t *cr, const burgers_picture *p)
{
    static const char *const names[] = {"exact", "network"};
    const pen pens[] = {exact_pen, network_pen};
    const double gap = 36, each = (whole - 2 * gap) / 3;
    for (size_t k = 0; k < LENGTH(moments); k++) {
        size_t i = nearest(p->t, p->nt, moments[k]);
        axes a = {column[0] + (double)k * (each + gap),
                  row[1],
                  each,
                  tall,
                  p->x[0],
                  p->x[p->nx - 1],
                  -1.15,
                  1.15,
                  false};
        char text[32];
        axes_frame(cr, &a, k == 0);
        axes_curve(cr, &a, p->x, p->exact + i * p->nx, p->nx, &exact_pen);
        axes_curve(cr, &a, p->x, p->u + i * p->nx, p->nx, &network_pen);
        snprintf(text, sizeof text, "/t/ = %.2f", p->t[i]);
        axes_labels(cr, &a, NULL, "/x/", k ? NULL : "/u/");
        figure_text(cr, a.left + each - 12, a.top + 26, 16, 1, 0, text);
    }
    axes all = {column[0], row[1], whole, tall, 0, 1, 0, 1, false};
    axes_labels(cr, &all, "Network and exact solution at three times", NULL, NULL);
    axes_legend(cr, &all, names, pens, LENGTH(names));
}

/* Whole decades around the positive values of both curves. */
static void history_range(const burgers_picture *p, double *low, double *high)
{
    double least = HUGE_VAL, most = 0;
    for (size_t i = 0; i < p->n_steps; i++) {
        double v[] = {p->loss[i], p->error ? p->error[i] : p->loss[i]};
        for (size_t k = 0; k < LENGTH(v); k++) {
            if (isfinite(v[k]) && v[k] > 0) {
                least = fmin(least, v[k]);
                most = fmax(most, v[k]);
            }
        }
    }
    bool any = most > 0;
    *low = any ? pow(10, floor(log10(least))) : 0.1;
    *high = any ? pow(10, fmax(ceil(log10(most)), floor(log10(least)) + 1)) : 1;
}

/* The error was taken now and then: only its own points make the curve. */
static void draw_error_curve(cairo_t *cr, const burgers_picture *p, const axes *a,
                             double *scratch)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n_steps; i++) {
        if (isfinite(p->error[i])) {
            scratch[n] = p->step[i];
            scratch[p->n_steps + n++] = p->error[i];
        }
    }
    axes_curve(cr, a, scratch, scratch + p->n_steps, n, &error_pen);
}

static void draw_history(cairo_t *cr, const burgers_picture *p, double *scratch)
{
    size_t n = p->n_steps, split = 0;
    if (n == 0)
        return;
    double last = fmax(p->step[n - 1], 1);
    axes a = {column[1], row[1], whole, tall, 0, last, 1, 1, true};
    history_range(p, &a.y0, &a.y1);
    while (split < n && p->step[split] < p->adam_steps)
        split++;
    size_t from = split ? split - 1 : 0;
    const char *names[] = {"loss, Adam", p->second, "relative /L/^2^ error"};
    const pen pens[] = {adam_pen, second_pen, error_pen};
    char second[64];
    snprintf(second, sizeof second, "loss, %s", p->second);
    names[1] = second;

    if (split > 0 && split < n)
        axes_vertical(cr, &a, p->adam_steps, &mark_pen);
    axes_curve(cr, &a, p->step, p->loss, split, &adam_pen);
    axes_curve(cr, &a, p->step + from, p->loss + from, n - from, &second_pen);
    if (p->error)
        draw_error_curve(cr, p, &a, scratch);
    axes_frame(cr, &a, true);
    axes_labels(cr, &a, "Training", "step", NULL);
    axes_legend(cr, &a, names, pens, p->error ? 3 : 2);
}

const char *burgers_plot(const burgers_picture *p, const char *path)
{
    size_t room = 2 * p->n_steps > p->nt * p->nx ? 2 * p->n_steps : p->nt * p->nx;
    double *scratch = malloc(room * sizeof *scratch);
    if (!scratch)
        return "out of memory";
    cairo_surface_t *page = cairo_image_surface_create(CAIRO_FORMAT_RGB24, WIDTH,
                                                       HEIGHT);
    cairo_t *cr = cairo_create(page);
    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_paint(cr);
    draw_title(cr, p);
    draw_solution(cr, p, scratch);
    draw_error(cr, p, scratch);
    draw_moments(cr, p);
    draw_history(cr, p, scratch);
    cairo_status_t status = cairo_status(cr);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_write_to_png(page, path);
    cairo_destroy(cr);
    cairo_surface_destroy(page);
    free(scratch);
    return status == CAIRO_STATUS_SUCCESS ? NULL : cairo_status_to_string(status);
}
