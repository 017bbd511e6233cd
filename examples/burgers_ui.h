/* burgers_ui.h - the Burgers example's options and its progress line. */
#ifndef BURGERS_UI_H
#define BURGERS_UI_H

#include <stdbool.h>
#include <stdint.h>

enum { BURGERS_MOST_DEPTH = 16 };

typedef struct {
    int64_t seed, width, depth, points, threads;
    double nu;
    bool go_on; /* --long: more steps on more points */
    const char *out;
} burgers_options;

/**
 * burgers_options_parse - read the command line over the defaults in *o
 *
 * @return  -1 to go on; otherwise the program's exit status, after --help (0) or after
 * a message on stderr (2)
 */
int burgers_options_parse(burgers_options *o, int argc, char **argv);

typedef struct {
    bool terminal;          /* rewrite one line, or write a new one now and then */
    double begin, shown;    /* seconds: start of training, last line */
    double shown_at, speed; /* step of the last line; steps per second, smoothed */
    bool open;              /* a rewritten line waits for its end */
} burgers_progress;

void burgers_progress_begin(burgers_progress *p);

/* Seconds since the beginning. */
double burgers_progress_seconds(const burgers_progress *p);

/* Whether a line is due, so that the error need not be taken for nothing. */
bool burgers_progress_due(const burgers_progress *p);

/* One line: the phase, its step of the total of all phases, loss, relative error,
 * speed, time left. */
void burgers_progress_show(burgers_progress *p, const char *phase, int64_t step,
                           int64_t steps, double loss, double error);

/* Ends a rewritten line. */
void burgers_progress_end(burgers_progress *p);

#endif
