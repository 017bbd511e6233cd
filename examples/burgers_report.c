/* burgers_report.c - watches a training: progress line, history, closing lines,
 * picture. */
#include "burgers_report.h"
#include "burgers_data.h"
#include "burgers_exact.h"
#include "burgers_plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    POINTS = BURGERS_NT * BURGERS_NX,
    MEASUREMENTS = 64 /* of the error, about, in the course of training */
};

/* The grid as a tensor of pairs (t, x). */
static agn_status make_grid(burgers_report *r)
{
    static double z[POINTS][2];
    static const int64_t shape[] = {POINTS, 2};
    for (int i = 0; i < POINTS; i++) {
        z[i][0] = r->t[i / BURGERS_NX];
        z[i][1] = r->x[i % BURGERS_NX];
    }
    return agn_from_host(&r->grid, AGN_F64, 2, shape, z);
}

agn_status burgers_report_new(burgers_report **out, const burgers_options *o,
                              long total, long adam_steps)
{
    burgers_report *r = calloc(1, sizeof *r);
    if (!r)
        return AGN_ENOMEM;
    r->options = o;
    r->total = total;
    r->adam_steps = adam_steps;
    r->room = total + 1;
    double **arrays[] = {&r->u, &r->exact, &r->step, &r->loss, &r->error};
    agn_status st = AGN_OK;
    for (int i = 0; i < 5; i++) {
        size_t n = i < 2 ? POINTS : (size_t)r->room;
        if (!(*arrays[i] = malloc(n * sizeof(double))))
            st = AGN_ENOMEM;
    }
    for (int i = 0; i < BURGERS_NT; i++)
        r->t[i] = i / 100.0;
    for (int j = 0; j < BURGERS_NX; j++)
        r->x[j] = -1 + 2.0 * j / (BURGERS_NX - 1);
    st = st ? st : make_grid(r);
    if (st) {
        burgers_report_free(r);
        return st;
    }
    burgers_exact_grid(r->exact, o->nu, r->t, BURGERS_NT, r->x, BURGERS_NX);
    *out = r;
    return AGN_OK;
}

void burgers_report_free(burgers_report *r)
{
    if (!r)
        return;
    agn_release(r->grid);
    free(r->u);
    free(r->exact);
    free(r->step);
    free(r->loss);
    free(r->error);
    free(r);
}

void burgers_report_begin(burgers_report *r, const agn_fn *predict)
{
    r->predict = predict;
    burgers_progress_begin(&r->progress);
}

static agn_status measure(burgers_report *r, const agn_optim *o, double *error)
{
    agn_tensor *u = NULL;
    agn_status st = burgers_at(&u, r->predict, o, r->grid);
    st = st ? st : agn_to_host(r->u, u, POINTS * sizeof *r->u);
    agn_release(u);
    if (!st)
        *error = burgers_relative_l2(r->u, r->exact, POINTS);
    return st;
}

agn_status burgers_report_step(burgers_report *r, const agn_optim *o, int64_t step,
                               double loss)
{
    double error = nan("");
    const char *phase = step > r->adam_steps ? "BFGS" : "Adam";
    if (step >= r->next) {
        agn_status st = measure(r, o, &error);
        if (st)
            return st;
        r->next = step + r->total / MEASUREMENTS;
        r->last = error;
    }
    if (burgers_progress_due(&r->progress))
        burgers_progress_show(&r->progress, phase, step, r->total, loss, r->last);
    if (r->count < r->room) {
        r->step[r->count] = (double)step;
        r->loss[r->count] = loss;
        r->error[r->count++] = error;
    }
    return AGN_OK;
}

static void draw(burgers_report *r, double error)
{
    const burgers_options *o = r->options;
    char text[256];
    int power = error > 0 ? (int)floor(log10(error)) : 0;
    snprintf(
        text, sizeof text,
        "/u/_/t/_ + /u/\u2009/u/_/x/_ = /\u03bd/\u2009/u/_/xx/_,  /\u03bd/ = %.4g;  "
        "%d layers of %d, %d points, seed %ld;  relative /L/^2^ error "
        "%.2f \u00b7 10^%s%d^;  trained in %.1f s",
        o->nu, (int)o->depth, (int)o->width, (int)o->points, (long)o->seed,
        error / pow(10, power), power < 0 ? "\u2212" : "", abs(power), r->seconds);
    burgers_picture picture = {
        .subtitle = text,
        .nt = BURGERS_NT,
        .nx = BURGERS_NX,
        .t = r->t,
        .x = r->x,
        .u = r->u,
        .exact = r->exact,
        .n_steps = (size_t)r->count,
        .step = r->step,
        .loss = r->loss,
        .error = r->error,
        .adam_steps = (double)r->adam_steps,
        .second = "BFGS",
    };
    const char *why = burgers_plot(&picture, o->out);
    r->drawn = !why;
    if (why)
        fprintf(stderr, "burgers: no picture in %s: %s\n", o->out, why);
    else
        printf("picture: %s\n", o->out);
}

agn_status burgers_report_end(burgers_report *r, const agn_optim *o)
{
    double error = 0;
    r->seconds = burgers_progress_seconds(&r->progress);
    burgers_progress_end(&r->progress);
    agn_status st = measure(r, o, &error);
    if (st)
        return st;
    if (r->count > 0)
        r->error[r->count - 1] = error;
    printf("relative L2 error: %.2e\n", error);
    printf("training time: %.1f s\n", r->seconds);
    draw(r, error);
    return AGN_OK;
}
