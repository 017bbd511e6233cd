/* burgers_ui.c - the Burgers example's options and its progress line. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime, isatty */
#include "burgers_ui.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

enum { USAGE_ERROR = 2 };

typedef enum { WHOLE, REAL, TEXT, FLAG, HELP } kind;

typedef struct {
    const char *name, *value, *help;
    kind kind;
    size_t offset; /* of the member it sets */
    double least, most;
} option;

#define MEMBER(m) offsetof(burgers_options, m)
static const option options[] = {
    {"--seed", "N", "seed of weights and points", WHOLE, MEMBER(seed), 0, 4294967295},
    {"--nu", "V", "viscosity", REAL, MEMBER(nu), 1e-3, 10},
    {"--width", "N", "units in a hidden layer", WHOLE, MEMBER(width), 2, 128},
    {"--depth", "N", "hidden layers", WHOLE, MEMBER(depth), 1, BURGERS_MOST_DEPTH},
    {"--points", "N", "points of the residual", WHOLE, MEMBER(points), 16, 1e7},
    {"--threads", "N", "threads; 0: as many as cores", WHOLE, MEMBER(threads), 0, 1024},
    {"--long", NULL, "train on, on three times the points", FLAG, MEMBER(go_on), 0, 0},
    {"--out", "FILE", "the picture, a PNG file", TEXT, MEMBER(out), 0, 0},
    {"--help", NULL, "print this and stop", HELP, 0, 0, 0},
};

static void print_default(const option *o, const burgers_options *defaults)
{
    const char *at = (const char *)defaults + o->offset;
    if (o->kind == WHOLE)
        printf(" (%lld)", (long long)*(const int64_t *)(const void *)at);
    else if (o->kind == REAL)
        printf(" (%.6g)", *(const double *)(const void *)at);
    else if (o->kind == TEXT)
        printf(" (%s)", *(const char *const *)(const void *)at);
}

static void print_help(const char *program, const burgers_options *defaults)
{
    printf(
        "Usage: %s [OPTION]...\n"
        "Solves u_t + u u_x = nu u_xx with u(0,x) = -sin(pi x), u(t,-1) = u(t,1) = 0\n"
        "by a physics-informed network and draws the result.\n\n",
        program);
    for (size_t i = 0; i < LENGTH(options); i++) {
        const option *o = &options[i];
        char head[40];
        snprintf(head, sizeof head, "%s %s", o->name, o->value ? o->value : "");
        printf("  %-14s %s", head, o->help);
        print_default(o, defaults);
        putchar('\n');
    }
}

/* Number of letters to insert, delete, replace or swap with a neighbour. */
static int distance(const char *a, const char *b)
{
    enum { MOST = 24 };
    int d[MOST + 1][MOST + 1], n = (int)strlen(a), m = (int)strlen(b);
    if (n > MOST || m > MOST)
        return MOST;
    for (int i = 0; i <= n; i++) {
        for (int j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            int best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (d[i - 1][j] + 1 < best)
                best = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < best)
                best = d[i][j - 1] + 1;
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
                           a[i - 2] == b[j - 1];
            if (swapped && d[i - 2][j - 2] + 1 < best)
                best = d[i - 2][j - 2] + 1;
            d[i][j] = best;
        }
    }
    return d[n][m];
}

/* Names the nearest option, or --help when more than half of the letters differ. */
static int unknown_option(const char *program, const char *given)
{
    size_t best = LENGTH(options) - 1;
    int least = (int)strlen(given) / 2 + 1;
    for (size_t i = 0; i < LENGTH(options); i++) {
        int d = distance(given, options[i].name);
        if (d < least) {
            least = d;
            best = i;
        }
    }
    fprintf(stderr, "%s: unknown option '%s'; the nearest is '%s'\n", program, given,
            options[best].name);
    return USAGE_ERROR;
}

static int bad_value(const char *program, const option *o, const char *given)
{
    fprintf(stderr, "%s: %s takes a %snumber from %.10g to %.10g, not '%s'\n", program,
            o->name, o->kind == WHOLE ? "whole " : "", o->least, o->most, given);
    return USAGE_ERROR;
}

/* Sets the member; -1, or the exit status after a message. */
static int set_value(burgers_options *to, const char *program, const option *o,
                     const char *given)
{
    void *at = (char *)to + o->offset;
    if (o->kind == TEXT) {
        *(const char **)at = given;
        return -1;
    }
    char *end;
    errno = 0;
    double real = strtod(given, &end);
    bool read = end != given && *end == 0 && errno == 0;
    if (!read || !(real >= o->least && real <= o->most))
        return bad_value(program, o, given);
    if (o->kind == WHOLE && real != floor(real))
        return bad_value(program, o, given);
    if (o->kind == WHOLE)
        *(int64_t *)at = (int64_t)real;
    else
        *(double *)at = real;
    return -1;
}

static const option *find(const char *name)
{
    for (size_t i = 0; i < LENGTH(options); i++)
        if (strcmp(options[i].name, name) == 0)
            return &options[i];
    return NULL;
}

int burgers_options_parse(burgers_options *o, int argc, char **argv)
{
    const char *slash = strrchr(argv[0], '/');
    const char *program = slash ? slash + 1 : argv[0];
    const burgers_options defaults = *o;
    for (int i = 1; i < argc; i++) {
        char name[64];
        const char *equals = strchr(argv[i], '=');
        int length = equals ? (int)(equals - argv[i]) : (int)strlen(argv[i]);
        snprintf(name, sizeof name, "%.*s", length, argv[i]);
        const option *found = find(name);
        if (!found)
            return unknown_option(program, name);
        if (found->kind == HELP) {
            print_help(program, &defaults);
            return 0;
        }
        if (found->kind == FLAG) {
            if (equals) {
                fprintf(stderr, "%s: %s takes no value, not '%s'\n", program, name,
                        equals + 1);
                return USAGE_ERROR;
            }
            *(bool *)(void *)((char *)o + found->offset) = true;
            continue;
        }
        const char *value = equals ? equals + 1 : i + 1 < argc ? argv[++i] : NULL;
        if (!value) {
            fprintf(stderr, "%s: %s needs a value: %s %s\n", program, name, name,
                    found->value);
            return USAGE_ERROR;
        }
        int status = set_value(o, program, found, value);
        if (status >= 0)
            return status;
    }
    return -1;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void burgers_progress_begin(burgers_progress *p)
{
    *p = (burgers_progress){.terminal = isatty(STDERR_FILENO), .begin = seconds()};
    p->shown = p->begin;
}

double burgers_progress_seconds(const burgers_progress *p)
{
    return seconds() - p->begin;
}

bool burgers_progress_due(const burgers_progress *p)
{
    return seconds() - p->shown >= (p->terminal ? 0.25 : 5);
}

void burgers_progress_show(burgers_progress *p, const char *phase, int64_t step,
                           int64_t steps, double loss, double error)
{
    double now = seconds(), passed = fmax(now - p->shown, 1e-6);
    double speed = fmax((double)step - p->shown_at, 0) / passed;
    /* About two seconds of memory, so that the estimate follows a new phase calmly. */
    double fresh = p->speed > 0 ? 1 - exp(-passed / 2) : 1;
    p->speed += fresh * (speed - p->speed);
    double left = p->speed > 0 ? fmax((double)(steps - step), 0) / p->speed : 0;
    fprintf(stderr,
            "%s%-6s step %5lld of %lld   loss %.2e   relative L2 error %.2e   "
            "%.0f steps/s   %.0f s left%s",
            p->terminal ? "\r" : "", phase, (long long)step, (long long)steps, loss,
            error, p->speed, left, p->terminal ? "\033[K" : "\n");
    fflush(stderr);
    p->shown = now;
    p->shown_at = (double)step;
    p->open = p->terminal;
}

void burgers_progress_end(burgers_progress *p)
{
    if (p->open)
        fputc('\n', stderr);
    p->open = false;
}
