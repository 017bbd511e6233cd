/* picture.h - pictures of the examples, as SVG: coloured squares, discs and triangles, lines,
   curves and words. */
#ifndef PICTURE_H
#define PICTURE_H

#include <stdio.h>

/* NULL where there is no such file: then nothing is drawn */
static inline FILE *picture_open(const char *path, double width, double height)
{
    FILE *f = fopen(path, "w");
    if (f)
        fprintf(f,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" width=\"%g\">\n"
                "<rect width=\"%g\" height=\"%g\" fill=\"white\"/>\n",
                width, height, width, width, height);
    return f;
}

/* red, green or blue, 0 to 255, of a colour: dark blue over green to yellow for t from 0 to 1 */
static inline double picture_part(double t, int c)
{
    static const double stop[5][3] = {
        {68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}};
    double x = 4 * (t < 0 ? 0 : t > 1 ? 1 : t);
    int k = x < 4 ? (int)x : 3;
    return stop[k][c] + (x - k) * (stop[k + 1][c] - stop[k][c]);
}

static inline void picture_colour(FILE *f, double t)
{
    fputs("fill=\"rgb(", f);
    for (int c = 0; c < 3; c++)
        fprintf(f, "%.0f%s", picture_part(t, c), c < 2 ? "," : ")\"");
}

static inline void picture_square(FILE *f, double x, double y, double size, double t)
{
    if (!f)
        return;
    fprintf(f, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" ", x, y, size, size);
    picture_colour(f, t);
    fputs("/>\n", f);
}

static inline void picture_disc(FILE *f, double x, double y, double radius, double t)
{
    if (!f)
        return;
    fprintf(f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" ", x, y, radius);
    picture_colour(f, t);
    fputs("/>\n", f);
}

/* p: x and y of three corners; white lines between neighbours */
static inline void picture_triangle(FILE *f, const double *p, double t)
{
    if (!f)
        return;
    fprintf(f, "<path d=\"M%.0f %.0fL%.0f %.0fL%.0f %.0fz\" stroke=\"#fff\" stroke-width=\".3\" ",
            p[0], p[1], p[2], p[3], p[4], p[5]);
    picture_colour(f, t);
    fputs("/>\n", f);
}

/* n points joined; y points down */
static inline void picture_curve(FILE *f, int n, const double *x, const double *y,
                                 const char *colour)
{
    if (!f)
        return;
    fputs("<polyline fill=\"none\" stroke-width=\"1\" points=\"", f);
    for (int k = 0; k < n; k++)
        fprintf(f, "%.1f,%.1f%s", x[k], y[k], k + 1 < n ? " " : "");
    fprintf(f, "\" stroke=\"%s\"/>\n", colour);
}

static inline void picture_word(FILE *f, double x, double y, const char *colour, const char *word)
{
    if (f)
        fprintf(f,
                "<text x=\"%.1f\" y=\"%.1f\" font-family=\"sans-serif\" font-size=\"12\" "
                "fill=\"%s\">%s</text>\n",
                x, y, colour, word);
}

static inline void picture_line(FILE *f, double x, double y, double u, double v)
{
    if (f)
        fprintf(f, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"#bbb\"/>\n", x, y, u, v);
}

static inline void picture_close(FILE *f)
{
    if (f) {
        fputs("</svg>\n", f);
        fclose(f);
    }
}

#endif
