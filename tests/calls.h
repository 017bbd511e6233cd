/* tests/calls.h - public functions as rows of a table (tests/calls.awk), called with arrays of
   arguments: what tests of such rows share. */
#ifndef AGN_TESTS_CALLS_H
#define AGN_TESTS_CALLS_H

#include "laws.h"

enum { MOST = 12 }; /* arguments of a function */
struct arg {
    agn_tensor **out;
    const agn_tensor *x, *const *xs;
    const int64_t *sizes;
    const int32_t *axes;
    const char *text;
    const agn_graph *graph;
    const double *reals;
    int64_t i;
    double d;
};
struct call {
    const char *name, *kinds, *names;
    agn_status (*run)(const struct arg *a);
};

/* the name of argument k */
static inline void name_of(char *buf, size_t size, const struct call *c, int k)
{
    const char *p = c->names;
    for (; k > 0; k--)
        p = strchr(p, ',') + 1;
    snprintf(buf, size, "%.*s", (int)strcspn(p, ","), p);
}
/* is the word in a list that begins and ends with a space? */
static inline bool one_of(const char *word, const char *list)
{
    char padded[80];
    snprintf(padded, sizeof padded, " %s ", word);
    return strstr(list, padded) != NULL;
}

#endif
