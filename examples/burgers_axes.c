/* burgers_axes.c - axes, ticks, curves, maps and text of a figure, over cairo. */
#include "burgers_axes.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char font[] = "DejaVu Sans";
static const colour ink = {0.13, 0.14, 0.17};
static const pen frame_pen = {{0.35, 0.36, 0.40}, 1, 0};
static const double number_size = 15, label_size = 16.5, title_size = 18.5, tick = 5;

double axes_x(const axes *a, double x)
{
    return a->left + a->width * (x - a->x0) / (a->x1 - a->x0);
}

double axes_y(const axes *a, double y)
{
    double part = a->log_y ? log(y / a->y0) / log(a->y1 / a->y0)
                           : (y - a->y0) / (a->y1 - a->y0);
    return a->top + a->height * (1 - part);
}

void figure_ink(cairo_t *cr, colour c)
{
    cairo_set_source_rgb(cr, c.red, c.green, c.blue);
}

void figure_pen(cairo_t *cr, const pen *p)
{
    figure_ink(cr, p->ink);
    cairo_set_line_width(cr, p->width);
    cairo_set_dash(cr, &p->dash, p->dash > 0, 0);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(cr, p->dash > 0 ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND);
}

/* Sets the text from the current origin, or only measures it. */
static double set_runs(cairo_t *cr, double size, const char *text, bool draw)
{
    static const double rise[] = {-0.2, 0, 0.38};
    double at = 0;
    bool italic = false;
    int level = 0; /* 1 raised, -1 lowered */
    while (*text) {
        size_t n = strcspn(text, "/^_");
        char run[160];
        cairo_text_extents_t extents;
        snprintf(run, sizeof run, "%.*s", (int)n, text);
        cairo_select_font_face(
            cr, font, italic ? CAIRO_FONT_SLANT_ITALIC : CAIRO_FONT_SLANT_NORMAL,
            CAIRO_FONT_WEIGHT_NORMAL);
        cairo_set_font_size(cr, level ? 0.72 * size : size);
        cairo_text_extents(cr, run, &extents);
        if (draw) {
            cairo_move_to(cr, at, -rise[level + 1] * size);
            cairo_show_text(cr, run);
        }
        at += extents.x_advance;
        text += n;
        italic ^= *text == '/';
        if (*text == '^' || *text == '_')
            level = level ? 0 : (*text == '^' ? 1 : -1);
        text += *text != 0;
    }
    return at;
}

double figure_text(cairo_t *cr, double x, double y, double size, double align,
                   double angle, const char *text)
{
    double width = set_runs(cr, size, text, false);
    cairo_save(cr);
    cairo_translate(cr, x, y);
    cairo_rotate(cr, angle * 3.14159265358979323846 / 180);
    cairo_translate(cr, -align * width, 0);
    set_runs(cr, size, text, true);
    cairo_restore(cr);
    return width;
}

/* The largest of 1, 2, 5 times a power of ten that gives at least `least` steps. */
static double nice_step(double range, int least)
{
    double step = pow(10, ceil(log10(range)));
    static const double shrink[] = {2, 2.5, 2};
    for (int i = 0; range / step < least; i++)
        step /= shrink[i % 3];
    return step;
}

/* A number as a tick shows it: a true minus sign, thousands set apart. */
static void format_number(char *out, size_t size, double v, double step)
{
    int digits = step < 1 ? (int)ceil(-log10(step) - 1e-9) : 0;
    double m = fabs(v) < 1e-9 * step ? 0 : fabs(v);
    const char *sign = m > 0 && v < 0 ? "\u2212" : "";
    if (m >= 10000)
        snprintf(out, size, "%s%.0f\u2009%03.0f", sign, floor(m / 1000), fmod(m, 1000));
    else
        snprintf(out, size, "%s%.*f", sign, digits, m);
}

/* Half-pixel positions keep hairlines sharp. */
static void hairline(cairo_t *cr, double x0, double y0, double x1, double y1)
{
    cairo_move_to(cr, floor(x0) + 0.5, floor(y0) + 0.5);
    cairo_line_to(cr, floor(x1) + 0.5, floor(y1) + 0.5);
    cairo_stroke(cr);
}

static void y_tick(cairo_t *cr, const axes *a, double y, const char *text, bool right)
{
    double at = axes_y(a, y), edge = right ? a->left + a->width : a->left;
    double way = right ? 1 : -1;
    figure_pen(cr, &frame_pen);
    hairline(cr, edge, at, edge + way * tick, at);
    figure_ink(cr, ink);
    if (text)
        figure_text(cr, edge + way * (tick + 5), at + 0.36 * number_size, number_size,
                    right ? 0 : 1, 0, text);
}

static void y_ticks(cairo_t *cr, const axes *a, bool numbers, bool right)
{
    char text[64];
    if (a->log_y) {
        int low = (int)ceil(log10(a->y0) - 1e-9),
            high = (int)floor(log10(a->y1) + 1e-9);
        int stride = 1 + (high - low) / 9;
        for (int e = low; e <= high; e += stride) {
            snprintf(text, sizeof text, "10^%s%d^", e < 0 ? "\u2212" : "",
                     e < 0 ? -e : e);
            y_tick(cr, a, pow(10, e), numbers ? text : NULL, right);
        }
        return;
    }
    double step = nice_step(a->y1 - a->y0, 4);
    for (double y = ceil(a->y0 / step - 1e-9) * step; y < a->y1 + 1e-9 * step;
         y += step) {
        format_number(text, sizeof text, y, step);
        y_tick(cr, a, y, numbers ? text : NULL, right);
    }
}

void axes_frame(cairo_t *cr, const axes *a, bool y_numbers)
{
    char text[64];
    double step = nice_step(a->x1 - a->x0, a->width > 400 ? 4 : 2);
    y_ticks(cr, a, y_numbers, false);
    for (double x = ceil(a->x0 / step - 1e-9) * step; x < a->x1 + 1e-9 * step;
         x += step) {
        double at = axes_x(a, x), foot = a->top + a->height;
        figure_pen(cr, &frame_pen);
        hairline(cr, at, foot, at, foot + tick);
        format_number(text, sizeof text, x, step);
        figure_ink(cr, ink);
        figure_text(cr, at, foot + tick + 1.25 * number_size, number_size, 0.5, 0,
                    text);
    }
    figure_pen(cr, &frame_pen);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_MITER);
    cairo_rectangle(cr, floor(a->left) + 0.5, floor(a->top) + 0.5, floor(a->width),
                    floor(a->height));
    cairo_stroke(cr);
}

void axes_labels(cairo_t *cr, const axes *a, const char *title, const char *x_label,
                 const char *y_label)
{
    figure_ink(cr, ink);
    if (title)
        figure_text(cr, a->left, a->top - 16, title_size, 0, 0, title);
    if (x_label)
        figure_text(cr, a->left + a->width / 2, a->top + a->height + 50, label_size,
                    0.5, 0, x_label);
    if (y_label)
        figure_text(cr, a->left - 58, a->top + a->height / 2, label_size, 0.5, -90,
                    y_label);
}

void axes_curve(cairo_t *cr, const axes *a, const double *x, const double *y, size_t n,
                const pen *p)
{
    cairo_save(cr);
    cairo_rectangle(cr, a->left, a->top, a->width, a->height);
    cairo_clip(cr);
    bool down = false;
    for (size_t i = 0; i < n; i++) {
        bool shown = isfinite(x[i]) && isfinite(y[i]) && (!a->log_y || y[i] > 0);
        if (shown && down)
            cairo_line_to(cr, axes_x(a, x[i]), axes_y(a, y[i]));
        else if (shown)
            cairo_move_to(cr, axes_x(a, x[i]), axes_y(a, y[i]));
        down = shown;
    }
    figure_pen(cr, p);
    cairo_stroke(cr);
    cairo_restore(cr);
}

void axes_vertical(cairo_t *cr, const axes *a, double x, const pen *p)
{
    figure_pen(cr, p);
    hairline(cr, axes_x(a, x), a->top + 1, axes_x(a, x), a->top + a->height);
}

void axes_legend(cairo_t *cr, const axes *a, const char *const *names, const pen *pens,
                 size_t n)
{
    const double sample = 34, gap = 8, apart = 22;
    double x = a->left + a->width, y = a->top - 16;
    for (size_t i = n; i-- > 0;) {
        figure_ink(cr, ink);
        x -= figure_text(cr, x, y, number_size, 1, 0, names[i]) + gap;
        figure_pen(cr, &pens[i]);
        cairo_move_to(cr, x - sample, y - 0.33 * number_size);
        cairo_line_to(cr, x, y - 0.33 * number_size);
        cairo_stroke(cr);
        x -= sample + apart;
    }
}

/* A small image stretched over the box, its outer nodes on the edges. */
static void stretch(cairo_t *cr, const axes *a, const double *v, size_t ni, size_t nj,
                    colour (*map)(double))
{
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ni,
                                                        (int)nj);
    if (cairo_surface_status(image) == CAIRO_STATUS_SUCCESS) {
        unsigned char *data = cairo_image_surface_get_data(image);
        size_t stride = (size_t)cairo_image_surface_get_stride(image);
        for (size_t j = 0; j < nj; j++) {
            for (size_t i = 0; i < ni; i++) {
                colour c = map(v[i * nj + j]);
                uint32_t pixel = (uint32_t)(c.red * 255 + 0.5) << 16 |
                                 (uint32_t)(c.green * 255 + 0.5) << 8 |
                                 (uint32_t)(c.blue * 255 + 0.5);
                memcpy(data + (nj - 1 - j) * stride + 4 * i, &pixel, 4);
            }
        }
        cairo_surface_mark_dirty(image);
    }
    cairo_save(cr);
    cairo_rectangle(cr, a->left, a->top, a->width, a->height);
    cairo_clip(cr);
    cairo_translate(cr, a->left, a->top);
    cairo_scale(cr, ni > 1 ? a->width / (double)(ni - 1) : a->width,
                a->height / (double)(nj - 1));
    cairo_set_source_surface(cr, image, ni > 1 ? -0.5 : 0, -0.5);
    cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_BILINEAR);
    cairo_pattern_set_extend(cairo_get_source(cr), CAIRO_EXTEND_PAD);
    cairo_paint(cr);
    cairo_restore(cr);
    cairo_surface_destroy(image);
}

void axes_map(cairo_t *cr, const axes *a, const double *v, size_t ni, size_t nj,
              colour (*map)(double), const axes *bar)
{
    stretch(cr, a, v, ni, nj, map);
    if (!bar)
        return;
    double ramp[256];
    for (int i = 0; i < 256; i++)
        ramp[i] = i / 255.0;
    stretch(cr, bar, ramp, 1, 256, map);
    figure_pen(cr, &frame_pen);
    cairo_rectangle(cr, floor(bar->left) + 0.5, floor(bar->top) + 0.5,
                    floor(bar->width), floor(bar->height));
    cairo_stroke(cr);
    y_ticks(cr, bar, true, true);
}
