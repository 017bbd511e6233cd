/* burgers_noplot.c - stands for burgers_plot.c where cairo was missing at build time.
 */
#include "burgers_plot.h"

const char *burgers_plot(const burgers_picture *p, const char *path)
{
    (void)p;
    (void)path;
    return "this build is without cairo: install libcairo2-dev and run configure again";
}
