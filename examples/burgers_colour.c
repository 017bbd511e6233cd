/*
 * burgers_colour.c - colour maps as paths through OKLab
 *
 * Equal distances in OKLab look equally far apart (Ottosson 2020), so a path whose
 * lightness is linear and whose chroma and hue bend gently is a uniform colour map.
 * Only the corners of the paths are tabulated, as lightness, chroma and hue in degrees.
 */
#include "burgers_colour.h"

#include <math.h>
#include <stddef.h>

#define RADIANS (3.14159265358979323846 / 180)
#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

typedef struct {
    double lightness, chroma, hue;
} corner;

static const corner diverging[] = {
    {0.34, 0.125, 262}, {0.50, 0.125, 256}, {0.66, 0.105, 250},
    {0.82, 0.058, 245}, {0.97, 0.000, 0},   {0.82, 0.070, 45},
    {0.66, 0.135, 35},  {0.50, 0.155, 27},  {0.34, 0.125, 20},
};

static const corner sequential[] = {
    {0.16, 0.060, 295}, {0.29, 0.120, 298}, {0.42, 0.155, 325}, {0.55, 0.170, 0},
    {0.68, 0.165, 32},  {0.81, 0.135, 68},  {0.95, 0.090, 102},
};

/* The transfer curve of sRGB (IEC 61966-2-1). */
static double encode(double linear)
{
    double v = fmin(fmax(linear, 0), 1);
    return v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1 / 2.4) - 0.055;
}

/* OKLab to sRGB by Ottosson's matrices. */
static colour from_oklab(double lightness, double a, double b)
{
    double l = pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    double m = pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    double s = pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
    return (colour){
        encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
        encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
        encode(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s),
    };
}

static colour along(const corner *path, size_t n, double v)
{
    if (isnan(v))
        return (colour){0.6, 0.6, 0.6};
    double at = fmin(fmax(v, 0), 1) * (double)(n - 1);
    size_t i = at >= (double)(n - 1) ? n - 2 : (size_t)at;
    double w1 = at - (double)i, w0 = 1 - w1;
    const corner *p = path + i, *q = p + 1;
    return from_oklab(w0 * p->lightness + w1 * q->lightness,
                      w0 * p->chroma * cos(p->hue * RADIANS) +
                          w1 * q->chroma * cos(q->hue * RADIANS),
                      w0 * p->chroma * sin(p->hue * RADIANS) +
                          w1 * q->chroma * sin(q->hue * RADIANS));
}

colour colour_diverging(double v)
{
    return along(diverging, LENGTH(diverging), v);
}

colour colour_sequential(double v)
{
    return along(sequential, LENGTH(sequential), v);
}
