/* bench/eager.c - the cost of an op on a few elements, recorded and not. */
#include "bench.h"

#include <math.h>

/* ---- eager ---------------------------------------------------------------------------------- */

typedef struct eager {
    agn_tensor *x, *b, *y, *g;
    bool recording;
} eager;

static void add_call(void *user)
{
    eager *e = user;
    agn_tensor *x = NULL;
    if (e->recording)
        TRY(agn_watch(&x, e->x));
    else
        x = agn_retain(e->x);
    for (int i = 0; i < 1000; i++) {
        agn_tensor *y = NULL;
        TRY(agn_add(&y, x, e->b));
        agn_release(x);
        x = y;
    }
    agn_release(e->y);
    e->y = x;
}
static double total(const agn_tensor *x, bool square)
{
    agn_tensor *y = NULL;
    double sum = 0;
    TRY(agn_contiguous(&y, x));
    const double *v = agn_data(y);
    for (int64_t i = 0; i < agn_numel(y); i++)
        sum += square ? v[i] * v[i] : v[i];
    agn_release(y);
    return sum;
}
static int add_check(void *user, double *value)
{
    value[0] = total(((eager *)user)->y, false);
    return 1;
}

static void grad_call(void *user)
{
    eager *e = user;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x0 = ag_watch(s, e->x), *x = x0;
    for (int i = 0; i < 50; i++)
        x = ag_mul(s, ag_sin(s, x), e->b);
    const agn_tensor *v = ag_sum_all(s, x);
    agn_tensor *g = NULL;
    if (!agn_scope_status(s)) {
        agn_status st = agn_gradient(&g, &v, 1, &x0, 1, NULL);
        agn_scope_adopt(s, st, &(agn_tensor *){agn_retain(g)});
    }
    agn_release(e->y);
    agn_release(e->g);
    e->y = NULL;
    e->g = g;
    agn_scope_return(s, &e->y, v);
    TRY(agn_scope_close(s));
}
static int grad_check(void *user, double *value)
{
    eager *e = user;
    value[0] = total(e->y, false);
    value[1] = sqrt(total(e->g, true));
    return 2;
}

void bench_eager(void)
{
    static const int64_t four[] = {4};
    for (int recording = 0; recording < 2; recording++) {
        const char *id = recording ? "eager/add4x1000-recording/f64"
                                   : "eager/add4x1000/f64";
        if (!bench_asked(id))
            continue;
        eager e = {bench_grid(1, four, 0, 1, 1, AGN_F64), bench_grid(1, four, 0, 1e-3, 2, AGN_F64),
                   NULL, NULL, recording};
        bench_measure(id, &(bench_work){add_call, add_check, &e, 0}); /* ms of 1000: us of one */
        agn_release(e.x);
        agn_release(e.b);
        agn_release(e.y);
    }
    if (bench_asked("eager/grad100/f64")) {
        eager e = {bench_grid(1, four, 0.5, 1, 3, AGN_F64), bench_grid(1, four, 1, 1.1, 4, AGN_F64),
                   NULL, NULL, true};
        bench_measure("eager/grad100/f64", &(bench_work){grad_call, grad_check, &e, 0});
        agn_release(e.x);
        agn_release(e.b);
        agn_release(e.y);
        agn_release(e.g);
    }
}

