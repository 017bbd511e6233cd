/* burgers_colour.h - two perceptually uniform colour maps, computed, not copied. */
#ifndef BURGERS_COLOUR_H
#define BURGERS_COLOUR_H

typedef struct {
    double red, green, blue; /* sRGB, 0 to 1 */
} colour;

/* Colours of v in [0, 1]; values outside are clamped, NaN is grey. */
colour colour_diverging(double v);  /* blue, near white at 1/2, red */
colour colour_sequential(double v); /* dark violet to pale yellow */

#endif
